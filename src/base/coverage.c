// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * coverage.c - how complete a look was: doubts are counted where names are looked up
 * (symbols.c, types.c), and weighed against how the look ended.
 */

#include "coverage.h"
#include "engine.h"

const char *otst_looked_name(enum otst_looked looked)
{
	static const char *const names[] = { "looked", "in part", "present", "absent",
					     "not looked" };
	OTST_EACH_HAS(names, OTST_LOOKED_COUNT);

	return names[looked];
}

void otst_doubt(struct otst *o, const char *why, const char *help)
{
	o->doubts.count++;
	o->doubts.why = why;
	o->doubts.help = help;
}

int otst_lack(struct otst *o, int err)
{
	if (err == OTST_ERR_LOOKUP)
		otst_doubt(o, otst_strdup(o, otst_message(o)), NULL);
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
