// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lines.c - the lines of a file of tracefs, as its printers put them together.
 */
#include <string.h>

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
