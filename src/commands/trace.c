// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace.c - otst -t: captured stack traces of all sources.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "../output/log.h"
#include "../output/stacksnoop.h"
#include "../output/stacktracer.h"
#include "../tracefs/tracefs.h"
#include "../output/trace.h"
#include "../traces/hist/hist.h"

#define STACKSNOOP_BY_FUNCTION "stacksnoop:function"

static int parse_option_number(struct otst *o, const char *option, const char *s, uint64_t least,
			       uint64_t most, uint64_t *ret)
{
	char *end;

	*ret = strtoull(s, &end, 10);
	if (isdigit((unsigned char)*s) && !*end && *ret < least)
		return otst_raise(o, OTST_ERR_USAGE, "%s needs at least %" PRIu64, option, least);
	if (!isdigit((unsigned char)*s) || *end || *ret > most)
		return otst_raise(o, OTST_ERR_USAGE, "%s needs a number, not \"%s\"", option,
				  otst_clean(o, s));
	return 0;
}

static void print_sources(struct otst_printer *p)
{
	enum otst_source_kind i;

	for (i = 0; i < OTST_SOURCE_COUNT; i++)
		otst_printf(p, "%-12s  %s (%s)\n", otst_source_name(i), otst_source_at(i)->what,
			    otst_source_at(i)->needs);
}

/* the formats of -x; a name may be followed by ":FILE" */
static const struct otst_output_format {
	const char *name;
	const char *what;
	void (*print)(struct otst_printer *p,
		      const struct otst_traces *traces); /* NULL: by its options */
} formats[] = {
	{ "folded", "one line a stack and how often it came, for flame graphs", otst_print_folded },
	{ "speedscope", "the same stacks as a file for speedscope, a profile for each source",
	  otst_print_speedscope },
	{ "perfetto", "captures that have a time as JSON for Perfetto, a track for each task",
	  otst_print_perfetto },
	{ "stacksnoop",
	  "records of BPF programs as bcc's stacksnoop printed them first; \":function\": since",
	  NULL },
	{ "log", "the log again, frames with file and line, inlined calls, and hooks of the dump",
	  NULL },
	{ "trace.dat", "\"trace.dat:FILE\": ring buffers for trace-cmd report and KernelShark",
	  NULL },
};

/* what prints captures in the format @name; NULL for none */
static const struct otst_output_format *find_printer(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (formats[i].print && name && !strcmp(formats[i].name, name))
			return &formats[i];
	}
	return NULL;
}

static void print_formats(struct otst_printer *p)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		otst_printf(p, "%-12s  %s\n", formats[i].name, formats[i].what);
}

struct operands {
	struct otst_filter *filters;
	size_t count;
};

static bool is_chosen_address(void *priv, uint64_t addr, const struct otst_sym *sym)
{
	const struct operands *op = priv;
	bool found = false;

	for (size_t i = 0; i < op->count; i++) {
		if ((!found || !op->filters[i].met) &&
		    otst_filter_matches(&op->filters[i], addr, sym))
			found = op->filters[i].met = true;
	}
	return found;
}

/* matching stops at the first operand that chose a trace; the others may match its later frames */
static void meet_others(struct otst *o, const struct operands *op, struct otst_trace_filter *filter,
			const struct otst_traces *traces)
{
	struct otst_trace_room room = { 0 };
	struct operands one = { .count = 1 };

	filter->priv = &one;
	for (size_t i = 0; i < op->count && op->count > 1; i++) {
		one.filters = &op->filters[i];
		for (size_t k = 0; k < traces->items.count && !one.filters->met; k++)
			otst_trace_matches(o, filter, otst_trace_peek(traces, k, &room));
	}
	filter->priv = NULL;
}

/* were only some of the traces looked at */
static bool is_part(const struct otst_args *args)
{
	return args->sources || args->pid || args->cpus || args->last || args->text;
}

static int print_stack_trace(struct otst *o, struct otst_printer *p)
{
	struct otst_stack_tracer t;
	int err = otst_stack_tracer(o, &t);

	if (!err)
		otst_print_stack_trace_file(p, &t);
	return err;
}

struct hists {
	struct otst_printer *p;
	size_t count;
};

static int print_hist(void *priv, const struct otst_tracefs_file *f)
{
	const char *name = f->array->name;
	struct hists *h = priv;
	struct otst_printer *p = h->p;

	h->count++;
	otst_printf(p, "==> %s%s%s%s <==\n", name ? "instances/" : "", name ? name : "",
		    name ? "/" : "", f->path);
	otst_print_tracefs_file(p, f);
	otst_printf(p, "\n");
	return p->err;
}

static int print_hists(struct otst *o, struct otst_printer *p)
{
	struct otst_messages errors = { 0 };
	struct hists h = { .p = p };
	int err = otst_hist_each(o, &errors, print_hist, &h);

	for (size_t i = 0; i < errors.count && !err; i++)
		otst_print_bad(p, NULL, errors.texts[i]);
	if (!h.count && !errors.count && !err)
		otst_printf(p, "no event has a hist trigger\n");
	return err;
}

/* a source with a kernel file of its own, printed when nothing else was asked for */
struct kernel_file {
	const char *source;
	int (*print)(struct otst *o, struct otst_printer *p);
};

static const struct kernel_file kernel_files[] = {
	{ "stacktracer", print_stack_trace },
	{ "hist", print_hists },
};

static const struct kernel_file *find_kernel_file(const struct otst_args *args,
						  const struct otst_printer *p)
{
	if (!args->sources || args->nr_operands || args->pid || args->cpus || args->last ||
	    args->format || args->text || p->json || p->verbose)
		return NULL;
	for (size_t i = 0; i < sizeof(kernel_files) / sizeof(*kernel_files); i++) {
		if (!strcmp(args->sources, kernel_files[i].source))
			return &kernel_files[i];
	}
	return NULL;
}

/* print the lists that "help" asks for; false when none was asked for */
static bool print_help(const struct otst_args *args, struct otst_printer *p)
{
	if (args->sources && !strcmp(args->sources, "help"))
		print_sources(p);
	else if (args->format && !strcmp(args->format, "help"))
		print_formats(p);
	else if (args->kinds && !strcmp(args->kinds, "help"))
		otst_print_entry_kinds(p);
	else
		return false;
	return true;
}

static bool is_stacksnoop(const struct otst_args *args)
{
	return args->format && (!strcmp(args->format, "stacksnoop") ||
				!strcmp(args->format, STACKSNOOP_BY_FUNCTION));
}

static bool is_log(const struct otst_args *args)
{
	return args->format && !strcmp(args->format, "log");
}

/* the whole log, with nothing chosen from it */
static int print_log(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	if (args->json || args->pid || args->cpus || args->last || args->kinds || args->offsets ||
	    args->from || args->to || args->nr_operands ||
	    (args->sources && strcmp(args->sources, "log")))
		return otst_raise(o, OTST_ERR_USAGE,
				  "-x log prints the whole log: only with -s log and --text");
	return otst_print_log(p, args->text ? args->texts : NULL);
}

static int check_format(struct otst *o, const struct otst_args *args,
			struct otst_trace_filter *filter)
{
	const char *map;

	if (args->offsets && !is_stacksnoop(args))
		return otst_raise(o, OTST_ERR_USAGE, "-o needs -x stacksnoop");
	if (args->json && args->format)
		return otst_raise(o, OTST_ERR_USAGE, "-x %s has a format of its own: not with -j",
				  otst_clean(o, args->format));
	if (!args->format || find_printer(args->format))
		return 0;
	if (!is_stacksnoop(args))
		return otst_raise(o, OTST_ERR_USAGE, "no format \"%s\"; -t -x help lists them",
				  otst_clean(o, args->format));
	filter->sources = filter->sources ?: "bpf";
	if (!otst_names_source(filter->sources, "bpf", &map))
		return otst_raise(o, OTST_ERR_USAGE, "-x stacksnoop is of -s bpf");
	return 0;
}

static void print_as_format(struct otst_printer *p, const struct otst_args *args,
			    const struct otst_traces *traces)
{
	const struct otst_output_format *format = find_printer(args->format);

	if (is_stacksnoop(args)) {
		otst_print_stacksnoop(p, traces, !strcmp(args->format, STACKSNOOP_BY_FUNCTION),
				      args->offsets);
	} else if (format) {
		format->print(p, traces);
		/* the text feeds other programs: complaints are for the exit status only */
		p->bad += traces->errors.count;
	} else {
		otst_print_traces(p, traces);
	}
}

/* what -s, -p, -c, -n, -x, --text and the operands choose */
static int parse_filter(struct otst *o, const struct otst_args *args, struct operands *op,
			struct otst_trace_filter *ret)
{
	uint64_t n;
	int err;

	*ret = (struct otst_trace_filter){
		.sources = args->sources			  ?:
				   args->text && otst_is_alone(o) ? "log" :
								    NULL,
		.texts = args->text ? args->texts : NULL,
		.cpus = args->cpus,
		.pid = -1,
	};
	err = check_format(o, args, ret);
	if (!err && args->pid) {
		err = parse_option_number(o, "-p", args->pid, 0, INT32_MAX, &n);
		ret->pid = err ? -1 : (int64_t)n;
	}
	if (!err && args->last)
		err = parse_option_number(o, "-n", args->last, 1, UINT64_MAX, &ret->last);
	err = err ?: otst_check_paths(o, args);
	if (err || !op->count)
		return err;
	ret->chosen = is_chosen_address;
	ret->priv = op;
	return otst_filters(o, args, &op->filters);
}

static int print_chosen(struct otst *o, const struct otst_args *args, struct operands *op,
			struct otst_trace_filter *filter, struct otst_printer *p)
{
	struct otst_traces traces;
	int err = otst_traces(o, filter, &traces);

	if (!err && op->count) {
		meet_others(o, op, filter, &traces);
		err = otst_print_unmet(o, args, op->filters,
				       is_part(args) ? "no such trace with" : "no trace with",
				       args->format, p);
	}
	if (!err)
		print_as_format(p, args, &traces);
	return err;
}

int otst_cmd_trace(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct operands op = { .count = args->nr_operands };
	const struct kernel_file *file = find_kernel_file(args, p);
	struct otst_trace_filter filter;
	int err;

	if (file)
		return file->print(o, p);
	if (print_help(args, p))
		return 0;
	if (args->format && otst_is_dat(args->format))
		return otst_cmd_dat(o, args, p);
	if (is_log(args))
		return print_log(o, args, p);
	err = parse_filter(o, args, &op, &filter);
	if (err)
		return err;
	if (otst_is_tracefile(args))
		return otst_cmd_tracefile(o, args, &filter, op.filters, p);
	if (args->from || args->to || (args->kinds && strcmp(args->kinds, "stack")))
		return otst_raise(o, OTST_ERR_USAGE,
				  "%s needs -s ftrace, -s snapshot or an instance of them",
				  args->from || args->to ? "--from or --to" : "-k");
	return print_chosen(o, args, &op, &filter, p);
}
