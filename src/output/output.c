// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * output.c - the lines that every listing has.
 */
#include "../built/built.h"
#include "../types/btf.h"
#include "rows.h"

struct bad {
	const char *where;
	const char *message;
};

static void error_rows(struct otst_rows *r, const void *item)
{
	const struct bad *b = item;

	ROW_TEXT_OR_NULL(r, "where", b->where);
	ROW_TEXT(r, "message", b->message);
}

const struct otst_object otst_error_object = { OTST_LINE, "error", error_rows,
					       "what could not be read" };

void otst_print_bad(struct otst_printer *p, const char *where, const char *message)
{
	const struct bad b = { where, message };

	p->bad++;
	if (p->json) {
		otst_print_json(p, &otst_error_object, &b, NULL);
		return;
	}
	/* what the kernel lacks is said once, as a gap, not for each record */
	if (!p->verbose && otst_is_said(p, message))
		return;
	otst_print_styled(p, OTST_STYLE_BAD, "!!", 2);
	otst_printf(p, " %s%s%s\n", where ? where : "", where ? ": " : "", message);
}

void otst_print_finding(struct otst_printer *p, const char *blanks, const char *where,
			const char *message)
{
	otst_print_styled(p, OTST_STYLE_BAD, "!", 1);
	otst_printf(p, "%s%s%s%s\n", blanks, where ? where : "", where ? ": " : "", message);
}

static void note_rows(struct otst_rows *r, const void *item)
{
	ROW_TEXT(r, "message", item);
}

const struct otst_object otst_note_object = { OTST_LINE, "note", note_rows,
					      "what is worth knowing and no damage" };

void otst_print_note(struct otst_printer *p, const char *message)
{
	if (message && p->json)
		otst_print_json(p, &otst_note_object, message, NULL);
	else if (message)
		otst_printf(p, "(%s)\n", message);
}

void otst_print_errors(struct otst_printer *p, const struct otst_messages *errors)
{
	for (size_t i = 0; i < errors->count; i++)
		otst_print_bad(p, NULL, errors->texts[i]);
}

void otst_print_notes(struct otst_printer *p, const struct otst_messages *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		otst_print_note(p, notes->texts[i]);
}

void otst_print_files(struct otst_printer *p, bool image)
{
	if (image)
		otst_print_note(p, otst_image_doubt(p->o));
	if (image)
		otst_print_note(p, otst_btf_file_doubt(p->o));
	otst_print_notes(p, otst_module_misfits(p->o));
}

struct end {
	const char *what;
	size_t count;
};

static void end_rows(struct otst_rows *r, const void *item)
{
	const struct end *e = item;

	ROW_TEXT(r, "of", e->what);
	ROW_COUNT(r, "count", e->count);
	ROW_COUNT(r, "disagree", r->p->findings);
	ROW_COUNT(r, "unreadable", r->p->bad);
	ROW_COUNT(r, "not_looked_at", r->p->gaps,
		  .what = "kinds of record that could not be looked at, or only in part");
	ROW_COUNT(r, "nobodys", r->p->nobodys, .what = "hooks whose code is nobody's");
	ROW_COUNT(r, "hidden", r->p->hidden, .what = "hooks of modules that hide");
}

const struct otst_object otst_end_object = {
	OTST_LINE, "end", end_rows, "the last line of a listing, and what this one command counted"
};

void otst_print_end(struct otst_printer *p, const char *one, const char *many, size_t count)
{
	const struct end end = { many, count };

	otst_print_doubts(p, many);
	otst_print_files(p, p->verbose);
	if (p->json) {
		otst_print_json(p, &otst_end_object, &end, NULL);
		return;
	}
	otst_printf(p, "%zu %s", count, otst_number(count, one, many));
	if (p->findings)
		otst_printf(p, ", %zu disagree%s with the kernel text", p->findings,
			    otst_number(p->findings, "s", ""));
	if (p->nobodys)
		otst_printf(p, ", %zu of nobody", p->nobodys);
	if (p->hidden)
		otst_printf(p, ", %zu of %s", p->hidden,
			    otst_number(p->hidden, "a module that hides", "modules that hide"));
	if (p->bad)
		otst_printf(p, ", %zu could not be read", p->bad);
	if (p->gaps)
		otst_printf(p, ", %zu not looked at", p->gaps);
	otst_printf(p, "\n");
}
