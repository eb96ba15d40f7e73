// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * coverage.c - how complete a look was: doubts are counted where names are looked up
 * (symbols.c, types.c), and weighed against how the look ended.
 */

#include <string.h>

#include "coverage.h"
#include "engine.h"
#include "recorder.h"

const char *otst_looked_name(enum otst_looked looked)
{
	static const char *const names[] = { "looked", "in part", "present", "absent",
					     "not looked" };
	OTST_EACH_HAS(names, OTST_LOOKED_COUNT);

	return names[looked];
}

const struct otst_doubt *otst_doubt_at(const struct otst *o, size_t i)
{
	return i < o->doubts.all.count ? (const struct otst_doubt *)o->doubts.all.data + i : NULL;
}

const struct otst_doubt *otst_doubt_find(const struct otst *o, const char *why)
{
	const struct otst_doubt *all = o->doubts.all.data;

	for (size_t i = 0; i < o->doubts.all.count; i++) {
		if (!strcmp(why, all[i].why))
			return &all[i];
	}
	return NULL;
}

void otst_doubt(struct otst *o, const char *why, const char *help)
{
	struct otst_doubt *slot;

	o->doubts.count++;
	o->doubts.why = why;
	o->doubts.help = help;
	if (o->recorder)
		o->recorder->doubted(o->recorder->priv, why);
	if (otst_doubt_find(o, why))
		return;
	slot = otst_vec_push(o, &o->doubts.all, sizeof(*slot));
	*slot = (struct otst_doubt){ why, help };
}

const char *otst_last_phrase(const char *message)
{
	const char *phrase;

	while ((phrase = strstr(message, ": ")))
		message = phrase + 2;
	return message;
}

int otst_lack(struct otst *o, int err)
{
	const char *why = otst_last_phrase(otst_message(o));
	const struct otst_doubt *known;

	if (err != OTST_ERR_LOOKUP)
		return err;
	known = otst_doubt_find(o, why);
	otst_doubt(o, known ? known->why : otst_strdup(o, why), known ? known->help : NULL);
	return err;
}

uint64_t otst_doubts(const struct otst *o)
{
	return o->doubts.count;
}

const char *otst_doubt_why(const struct otst *o)
{
	return o->doubts.why;
}

const char *otst_doubt_help(const struct otst *o)
{
	return o->doubts.help;
}

struct otst_look otst_look_begin(struct otst *o)
{
	return (struct otst_look){ .doubts = o->doubts.count };
}

int otst_look_end(struct otst *o, const struct otst_look *look, int err, struct otst_coverage *ret)
{
	bool doubt = o->doubts.count > look->doubts;

	if (err && otst_fatal(err))
		return err;
	ret->why = ret->help = NULL;
	ret->told = false;
	if (doubt && (!err || err == OTST_ERR_LOOKUP)) {
		ret->looked = err && !ret->records ? OTST_LOOKED_NOT : OTST_LOOKED_IN_PART;
		ret->why = o->doubts.why;
		ret->help = o->doubts.help;
		return 0;
	}
	if (!err) {
		ret->looked = OTST_LOOKED;
		return 0;
	}
	ret->looked = err == OTST_ERR_LOOKUP ? OTST_LOOKED_ABSENT : OTST_LOOKED_NOT;
	ret->why = otst_strdup(o, otst_message(o));
	if (err == OTST_ERR_FAULT)
		ret->help = "a dump with these pages";
	ret->told = err != OTST_ERR_LOOKUP;
	return 0;
}

bool otst_all_looked(const struct otst_vec *coverage)
{
	const struct otst_coverage *c = coverage->data;

	for (size_t i = 0; i < coverage->count; i++) {
		if (otst_is_gap(&c[i]))
			return false;
	}
	return true;
}
