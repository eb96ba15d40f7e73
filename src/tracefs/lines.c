// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lines.c - what the printers of files share: lines, the symbols that a file is made of, masks of cpus.
 */
#include <string.h>

#include "../events/plan.h"
#include "tracefs.h"

int otst_line_text(struct otst_tracefs_file *f, struct otst_text *t)
{
	const char **slot = otst_vec_push(f->o, &f->lines, sizeof(*slot));

	*slot = otst_text_done(t);
	*t = (struct otst_text){ .o = f->o };
	return *slot ? 0 : otst_no_memory(f->o);
}

int otst_line(struct otst_tracefs_file *f, const char *fmt, ...)
{
	struct otst_text t = { .o = f->o };
	va_list args;

	va_start(args, fmt);
	otst_text_vprintf(&t, fmt, args);
	va_end(args);
	return otst_line_text(f, &t);
}

int otst_split_lines(struct otst_tracefs_file *f, struct otst_text *t, const char *s)
{
	int err = 0;

	for (; *s && !err; s++) {
		if (strncmp(s, "\\x0a", 4)) {
			otst_text_char(t, *s);
			continue;
		}
		err = otst_line_text(f, t);
		s += 3;
	}
	return err ? err : otst_line_text(f, t);
}

int otst_file_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	int err = otst_symbol(o, name, ret);

	return err ? otst_fail(o, err, "this kernel does not have the file") : 0;
}

int otst_file_mask(struct otst_array_view *a, uint64_t addr, unsigned int bits, bool list)
{
	struct otst_text t = { .o = a->o };
	size_t size = ((size_t)bits + 63) / 64 * 8;
	uint8_t *mask = otst_alloc(a->o, size + 1);
	int err = mask ? otst_read(a->o, addr, mask, size) : otst_no_memory(a->o);

	if (err)
		return err;
	if (list)
		otst_put_bitmap_list(otst_big_endian(a->o), &t, mask, bits);
	else
		otst_put_bitmap(otst_big_endian(a->o), &t, mask, bits);
	return otst_line_text(a->out, &t);
}
