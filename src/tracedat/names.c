// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * names.c - names for a trace.dat, as text: symbols (/proc/kallsyms), format
 * strings by address (printk_formats of kernel/trace/trace_printk.c), and task
 * names (saved_cmdlines).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dat.h"
#include "../tracefs/tracefs.h"

struct list {
	struct otst *o;
	struct otst_file *f;
	struct otst_dat *ret;
};

/* append what @add writes, preceded by its length */
static int with_length(struct list *l, size_t size, int (*add)(struct list *l))
{
	uint64_t at = otst_file_at(l->f);
	int err = otst_file_number(l->f, 0, size);

	err = err ?: otst_note(l->o, &l->ret->errors, add(l));
	return err ? err : otst_file_patch(l->f, at, otst_file_at(l->f) - at - size, size);
}

/* ---- symbols ---- */

static int add_symbol(void *priv, const struct otst_sym *sym, char type)
{
	char line[OTST_NAME_MAX + 128];
	struct list *l = priv;
	int len = snprintf(line, sizeof(line), "%016" PRIx64 " %c %s%s%s%s\n", sym->addr, type,
			   sym->name, sym->module ? "\t[" : "", sym->module ? sym->module : "",
			   sym->module ? "]" : "");

	l->ret->symbols++;
	return (size_t)len < sizeof(line) ? otst_file_write(l->f, line, (size_t)len) : 0;
}

static int add_symbols(struct list *l)
{
	return otst_symbols(l->o, add_symbol, l);
}

int otst_dat_symbols(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 4, add_symbols);
}

/* ---- format strings ---- */

static int add_strings(struct list *l)
{
	struct otst_tracefs_file file = { .path = "printk_formats", .o = l->o };
	const char *const *lines;
	int err = otst_printk_formats(l->o, &file), failed = 0;
	size_t i;

	otst_notes(l->o, &l->ret->errors, &file.errors);
	lines = file.lines.data;
	for (i = 0; i < file.lines.count && !failed; i++) {
		failed = otst_file_write(l->f, lines[i], strlen(lines[i]));
		failed = failed ?: otst_file_write(l->f, "\n", 1);
	}
	return failed ? failed : err;
}

int otst_dat_strings(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 4, add_strings);
}

/* ---- names of tasks ---- */

static int add_task(void *priv, int32_t pid, const char *comm)
{
	struct list *l = priv;
	char line[128];
	int len = snprintf(line, sizeof(line), "%" PRId32 " %s\n", pid, comm);

	l->ret->tasks++;
	return (size_t)len < sizeof(line) ? otst_file_write(l->f, line, (size_t)len) : 0;
}

static int add_tasks(struct list *l)
{
	return otst_comms(l->o, add_task, l);
}

int otst_dat_tasks(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 8, add_tasks);
}
