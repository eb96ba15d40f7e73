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
static int with_length(struct list *list, size_t size, int (*add)(struct list *list))
{
	uint64_t at = otst_file_at(list->f);
	int err = otst_file_number(list->f, 0, size);

	err = err ?: otst_note(list->o, &list->ret->errors, add(list));
	return err ? err : otst_file_patch(list->f, at, otst_file_at(list->f) - at - size, size);
}

/* ---- symbols ---- */

static int add_symbol(void *priv, const struct otst_sym *sym, char type)
{
	char line[OTST_NAME_MAX + 128];
	struct list *list = priv;
	int len = snprintf(line, sizeof(line), "%016" PRIx64 " %c %s%s%s%s\n", sym->addr, type,
			   sym->name, sym->module ? "\t[" : "", sym->module ? sym->module : "",
			   sym->module ? "]" : "");

	list->ret->symbols++;
	return (size_t)len < sizeof(line) ? otst_file_write(list->f, line, (size_t)len) : 0;
}

static int add_symbols(struct list *list)
{
	return otst_symbols(list->o, add_symbol, list);
}

int otst_dat_symbols(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 4, add_symbols);
}

/* ---- format strings ---- */

static int add_strings(struct list *list)
{
	struct otst_tracefs_file file = { .path = "printk_formats", .o = list->o };
	const char *const *lines;
	int err = otst_printk_formats(list->o, &file), failed = 0;

	otst_notes(list->o, &list->ret->errors, &file.errors);
	lines = file.lines.data;
	for (size_t i = 0; i < file.lines.count && !failed; i++) {
		failed = otst_file_write(list->f, lines[i], strlen(lines[i]));
		failed = failed ?: otst_file_write(list->f, "\n", 1);
	}
	return failed ? failed : err;
}

int otst_dat_strings(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 4, add_strings);
}

/* ---- names of tasks ---- */

static int add_task_name(void *priv, int32_t pid, const char *comm)
{
	struct list *list = priv;
	char line[128];
	int len = snprintf(line, sizeof(line), "%" PRId32 " %s\n", pid, comm);

	list->ret->tasks++;
	return (size_t)len < sizeof(line) ? otst_file_write(list->f, line, (size_t)len) : 0;
}

static int add_tasks(struct list *list)
{
	return otst_comms(list->o, add_task_name, list);
}

int otst_dat_tasks(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 8, add_tasks);
}
