// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file_print.c - struct otst_tracefs_file: its lines and nothing else, as a part
 * of otst -T -v, and as JSON.
 */
#include <string.h>

#include "tracefs.h"

static void print_errors(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	const char *const *errors = f->errors.data;
	size_t i;

	for (i = 0; i < f->errors.count; i++)
		otst_print_bad(p, f->path, errors[i]);
}

static void print_json(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	struct json_object *j = otst_json_new("tracefs_file"), *lines = otst_json_array();
	const char *const *items = f->lines.data, *const *errors = f->errors.data;
	struct json_object *missing = otst_json_array();
	size_t i;

	for (i = 0; i < f->lines.count; i++)
		otst_json_append_string(lines, items[i]);
	for (i = 0; i < f->errors.count; i++)
		otst_json_append_string(missing, errors[i]);
	p->bad += f->errors.count;
	otst_json_string(j, "array", f->array->name ? f->array->name : "top");
	otst_json_string(j, "path", f->path);
	otst_json_object(j, "lines", lines);
	otst_json_object(j, "errors", missing);
	otst_json_line(p, j);
}

void otst_print_tracefs_file(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	const char *const *items = f->lines.data;
	size_t i;

	if (p->json) {
		print_json(p, f);
		return;
	}
	for (i = 0; i < f->lines.count && !p->err; i++)
		otst_printf(p, "%s\n", items[i]);
	print_errors(p, f);
}

void otst_print_tracefs_part(struct otst_printer *p, const struct otst_tracefs_file *f)
{
	const char *const *items = f->lines.data;
	size_t i;

	if (p->json) {
		print_json(p, f);
		return;
	}
	if (f->lines.count == 1)
		otst_printf(p, "    %-22s %s\n", f->path, items[0]);
	else if (f->lines.count)
		otst_printf(p, "    %s\n", f->path);
	for (i = 0; f->lines.count > 1 && i < f->lines.count && !p->err; i++)
		otst_printf(p, "        %s\n", items[i]);
	print_errors(p, f);
}
