// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * formats.c - event formats for a trace.dat, as in events/SYSTEM/NAME/format:
 * first those of the system "ftrace", then the others by system.
 */
#include <string.h>

#include "dat.h"

static int add_format(struct otst_file *f, const char *text)
{
	size_t len = strlen(text);
	int err = otst_file_number(f, len, 8);

	return err ? err : otst_file_write(f, text, len);
}

/* append all formats of @system, preceded by their number */
static int add_system(struct otst_file *f, const struct otst_event_format *const *list,
		      const char *system, struct otst_dat *ret)
{
	uint64_t count_at = otst_file_at(f);
	size_t count = 0;
	int err = otst_file_number(f, 0, 4);

	for (; *list && !err; list++) {
		if (!(*list)->text || strcmp((*list)->system, system) != 0)
			continue;
		err = add_format(f, (*list)->text);
		count++;
	}
	ret->events += count;
	return err ? err : otst_file_patch(f, count_at, count, 4);
}

/* is format @i the first of its system that has a text? */
static bool is_first(const struct otst_event_format *const *list, size_t i)
{
	if (!list[i]->text)
		return false;
	for (size_t j = 0; j < i; j++) {
		if (list[j]->text && !strcmp(list[j]->system, list[i]->system))
			return false;
	}
	return true;
}

static int add_systems(struct otst_file *f, const struct otst_event_format *const *list,
		       struct otst_dat *ret)
{
	uint64_t count_at = otst_file_at(f);
	size_t count = 0, i;
	int err = otst_file_number(f, 0, 4);

	for (i = 0; list[i] && !err; i++) {
		if (!strcmp(list[i]->system, "ftrace") || !is_first(list, i))
			continue;
		err = otst_file_string(f, list[i]->system);
		err = err ?: add_system(f, list, list[i]->system, ret);
		count++;
	}
	return err ? err : otst_file_patch(f, count_at, count, 4);
}

int otst_dat_formats(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	static const struct otst_event_format *const none[] = { NULL };
	const struct otst_event_format *const *list = none;
	int err = otst_note(o, &ret->errors, otst_event_formats(o, &list));

	/* formats with an error have no text and are left out */
	if (!err)
		otst_notes(o, &ret->errors, otst_event_errors(o));
	err = err ?: add_system(f, list, "ftrace", ret);
	return err ? err : add_systems(f, list, ret);
}
