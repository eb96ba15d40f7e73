// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print_formats - the formats of all events of a dump, for comparison with the
 * kernel's own files.
 *
 *   print_formats [VMLINUX] VMCORE
 *
 * Each is a line "== SYSTEM/NAME" and the text of its file. Formats that cannot be
 * read, or cannot be understood as a way to print records, go to stderr.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../src/rings/rings.h"
#include "../dumps/on_dump.h"

static void complain(const char *what, const struct otst_messages *m)
{
	const char *const *texts = m->texts;
	size_t i;

	for (i = 0; i < m->count; i++)
		fprintf(stderr, "%s: %s\n", what, texts[i]);
}

static int print_all(struct otst *o, void *arg)
{
	static const uint8_t nothing[64];
	const struct otst_record record = { .data = nothing, .size = sizeof(nothing) };
	const struct otst_event_format *const *f;
	char text[4096];
	int err = otst_event_formats(o, &f);

	(void)arg;
	if (err)
		return err;
	for (; *f; f++) {
		printf("== %s/%s\n%s", (*f)->system, (*f)->name, (*f)->text ? (*f)->text : "");
		if (otst_event_text(o, *f, NULL, &record, text, sizeof(text)) < 0)
			return OTST_ERR_NOMEM;
	}
	complain("error", otst_event_errors(o));
	complain("note", otst_event_notes(o));
	return 0;
}

int main(int argc, char **argv)
{
	return on_dump(argv + 1, argc - 1, print_all, NULL);
}
