// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * message_list.c - lists of messages: what was met on the way and ends nothing.
 */
#include <string.h>

#include "engine.h"

int otst_note(struct otst *o, struct otst_messages *to, int err)
{
	otst_bad_record(o, err);
	if (!err || otst_fatal(err))
		return err;
	otst_note_text(o, to, otst_strdup(o, otst_message(o)));
	return 0;
}

static void add_message(struct otst *o, struct otst_messages *to, const char *text)
{
	struct otst_vec v = { to->texts, to->count, to->room };

	*(const char **)otst_vec_push(o, &v, sizeof(text)) = text;
	*to = (struct otst_messages){ v.data, v.count, v.room };
}

/* each list that is cut by the limit on memory says so; one line is enough, and the command's last one has the limit */
static bool says_limit_again(struct otst *o, const struct otst_messages *to, const char *text)
{
	if (!o->over_limit || !otst_says_limit(text))
		return false;
	for (size_t i = 0; i < to->count; i++) {
		if (otst_says_limit(to->texts[i]))
			return true;
	}
	return false;
}

void otst_note_text(struct otst *o, struct otst_messages *to, const char *text)
{
	if (!says_limit_again(o, to, text))
		add_message(o, to, text);
}

void otst_note_once(struct otst *o, struct otst_messages *to, const char *text)
{
	for (size_t i = 0; i < to->count; i++) {
		if (!strcmp(to->texts[i], text))
			return;
	}
	otst_note_text(o, to, text);
}

void otst_notes(struct otst *o, struct otst_messages *to, const struct otst_messages *more)
{
	for (size_t i = 0; i < more->count; i++)
		otst_note_text(o, to, more->texts[i]);
}

void otst_notes_once(struct otst *o, struct otst_messages *to, const struct otst_messages *more)
{
	for (size_t i = 0; i < more->count; i++)
		otst_note_once(o, to, more->texts[i]);
}
