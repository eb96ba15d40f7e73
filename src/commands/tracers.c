// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracers.c - otst -T: tracers and trace arrays; with operands, tracefs files
 * exactly as the kernel prints them.
 */
#include <string.h>

#include "../ftrace/tracing.h"
#include "commands.h"
#include "../output/stacktracer.h"
#include "../tracefs/tracefs.h"

static int print_part(void *priv, const struct otst_tracefs_file *f)
{
	otst_print_tracefs_part(priv, f);
	return 0;
}

/* everything about one array: the block, and with -v or in JSON its files */
static int print_array(struct otst *o, const struct otst_trace_array *a, struct otst_printer *p)
{
	otst_print_trace_array(p, a);
	return p->verbose || p->json ? otst_tracefs_each(o, a, print_part, p) : 0;
}

static int print_all_files(struct otst *o, const struct otst_tracing *t, struct otst_printer *p)
{
	struct otst_stack_tracer stack;
	int err = 0;

	otst_print_tracers(p, t);
	for (size_t i = 0; i < t->nr_arrays && !err && !p->err; i++)
		err = print_array(o, t->arrays[i], p);
	if (err)
		return err;
	err = otst_stack_tracer(o, &stack);
	if (!err)
		otst_print_stack_tracer(p, &stack);
	if (err && otst_fatal(err))
		return err;
	otst_print_tracing_end(p, t);
	return 0;
}

static void print_names(struct otst_printer *p)
{
	const char *name;

	for (size_t i = 0; (name = otst_tracefs_name(i, NULL)); i++)
		otst_printf(p, "%s\n", name);
	otst_printf(p, "events/SYSTEM/EVENT/hist\nstack_trace\nstack_max_size\n");
	otst_printf(p, "instances/NAME/ and any of these that an instance has\n");
}

/* the stack tracer's files belong to no array */
static int print_stack_file(struct otst *o, const char *path, struct otst_printer *p)
{
	struct otst_stack_tracer stack;
	int err = otst_stack_tracer(o, &stack);

	if (err)
		return err;
	if (p->json)
		otst_print_stack_tracer(p, &stack);
	else if (!strcmp(path, "stack_trace"))
		otst_print_stack_trace_file(p, &stack);
	else
		otst_print_stack_max_size_file(p, &stack);
	return 0;
}

static bool ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && !strcmp(s + len - n, end);
}

static int print_tracefs_file(struct otst *o, const struct otst_tracing *t, const char *path,
			      struct otst_printer *p)
{
	struct otst_tracefs_file f;
	int err;

	if (path[0] == '/' && strncmp(path, "/sys/kernel/", 12) != 0)
		return otst_path_error(o, path);
	err = otst_tracefs_find(o, t, path, &f);
	if (err)
		return err;
	if (!f.array->name && (!strcmp(f.path, "stack_trace") || !strcmp(f.path, "stack_max_size")))
		return print_stack_file(o, f.path, p);
	if (ends_with(f.path, "/hist"))
		err = otst_hist_file(o, &f);
	else
		err = otst_tracefs_read(o, false, &f);
	/* what came before the error is still worth a look */
	if (err && !otst_fatal(err) && f.lines.count)
		err = otst_note(o, &f.errors, err);
	if (!err)
		otst_print_tracefs_file(p, &f);
	return err ? otst_fail(o, err, "%s", otst_clean(o, path)) : 0;
}

int otst_cmd_tracers(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_tracing t;
	int err;

	for (size_t i = 0; i < args->nr_operands; i++) {
		if (!strcmp(args->operands[i], "help")) {
			print_names(p);
			return 0;
		}
	}
	err = otst_tracing(o, &t);
	if (!err && !args->nr_operands)
		err = print_all_files(o, &t, p);
	for (size_t i = 0; !err && i < args->nr_operands; i++)
		err = print_tracefs_file(o, &t, args->operands[i], p);
	return err;
}
