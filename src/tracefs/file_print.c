// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_print.c - prints a struct otst_tracefs_file: its lines and nothing else,
 * as a part of otst -T -v, or as JSON.
 */

#include "../output/rows.h"
#include "tracefs.h"

static void print_errors(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	for (size_t i = 0; i < f->errors.count; i++)
		otst_print_bad(p, f->path, f->errors.texts[i]);
}

static void file_rows(struct otst_rows *r, const void *item)
{
	const struct otst_tracefs_file *f = item;

	ROW_TEXT(r, "array", f->array->name ? f->array->name : "top",
		 .what = "the trace array, top for the first");
	ROW_TEXT(r, "path", f->path, .what = "in the array's directory");
	ROW_TEXTS(r, "lines", f->lines.data, f->lines.count,
		  .what = "as the kernel's file has them");
	ROW_TEXTS(r, "errors", f->errors.texts, f->errors.count,
		  .what = "what could not be read, and is missing");
}

const struct otst_object otst_tracefs_file_object = { OTST_LINE, "tracefs_file", file_rows,
						      "otst -T: a file of tracefs" };

static void print_json(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	p->bad += f->errors.count;
	otst_print_json(p, &otst_tracefs_file_object, f, NULL);
}

void otst_print_tracefs_file(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	const char *const *items = f->lines.data;

	if (p->json) {
		print_json(p, f);
		return;
	}
	for (size_t i = 0; i < f->lines.count && !p->err; i++)
		otst_printf(p, "%s\n", items[i]);
	print_errors(p, f);
}

void otst_print_tracefs_part(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	const char *const *items = f->lines.data;

	if (p->json) {
		print_json(p, f);
		return;
	}
	if (f->lines.count == 1)
		otst_printf(p, "    %-22s %s\n", f->path, items[0]);
	else if (f->lines.count)
		otst_printf(p, "    %s\n", f->path);
	for (size_t i = 0; f->lines.count > 1 && i < f->lines.count && !p->err; i++)
		otst_printf(p, "        %s\n", items[i]);
	print_errors(p, f);
}
