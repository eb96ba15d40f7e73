/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * coverage.h - what was looked at, what this kernel does not have, and what
 * could not be looked at.
 *
 * A missing name proves that the kernel has no such thing only if all names can be
 * looked up. When the symbol table holds only functions, or type information is
 * missing, each missing name raises a doubt. Code that draws a conclusion calls
 * otst_look_begin() before its look-ups and otst_look_end() after them.
 *
 * The words, one for each thing:
 *
 * - doubt: a name was not found, and may exist all the same. Counted by the engine.
 * - looked: how a look for one kind of record ended, enum otst_looked.
 * - coverage: what a listing looked for, and how each of these looks ended.
 * - gap: a look that did not see everything. A listing that has one ends with status 3.
 * - error: something is known to be there and cannot be read. It has a line of its own, and is
 *   not counted as a gap.
 * - chosen: asked for by the user (operands, -k, -s, -p, -c). Whatever was not asked for is not
 *   a gap either.
 */
#ifndef OTST_COVERAGE_H
#define OTST_COVERAGE_H

#include "command.h"

/** enum otst_looked - how far one kind of record was looked at */
enum otst_looked {
	OTST_LOOKED,	     /**< all of it was looked at */
	OTST_LOOKED_IN_PART, /**< some of it may be missing */
	OTST_LOOKED_PRESENT, /**< the kernel has it, and this command did not ask for it */
	OTST_LOOKED_ABSENT,  /**< the kernel does not have it */
	OTST_LOOKED_NOT,     /**< it was not looked at: there may be records */
	OTST_LOOKED_COUNT,
};

/** otst_looked_name() - "looked", "in part", "present", "absent", "not looked" */
const char *otst_looked_name(enum otst_looked looked);

/**
 * struct otst_coverage - one kind of record, or one source
 * @of: what @what is one of: "probes", "traces"
 * @what: "kprobe", "log"
 * @records: how many were found; in a listing with operands, before those were applied
 * @why: what shows that it is absent, or what kept it from being looked at; else NULL
 * @help: what would help; NULL when nothing would, or no help is needed
 * @told: a message of the listing already says it
 */
struct otst_coverage {
	const char *of;
	const char *what;
	enum otst_looked looked;
	size_t records;
	const char *why;
	const char *help;
	bool told;
};

/** otst_is_gap() - can there be records that were not seen */
static inline bool otst_is_gap(const struct otst_coverage *c)
{
	return c->looked == OTST_LOOKED_NOT || c->looked == OTST_LOOKED_IN_PART;
}

/** otst_all_looked() - is there no gap in a vector of struct otst_coverage */
bool otst_all_looked(const struct otst_vec *coverage);

/** struct otst_look - a look that has begun: the number of doubts so far */
struct otst_look {
	uint64_t doubts;
};

/** otst_look_begin() - from here on doubts belong to this look */
struct otst_look otst_look_begin(struct otst *o);

/**
 * otst_look_end() - judge a look
 * @err: how it ended: 0, LOOKUP when the kernel lacks what was looked for, any
 *	other error when it failed; its message is the last one
 * @ret: its @of, @what and @records are set by the caller
 *
 * Return: 0, or @err when it ends a command.
 */
int otst_look_end(struct otst *o, const struct otst_look *look, int err, struct otst_coverage *ret);

/** struct otst_doubt - a name that was not found and may exist all the same; see otst_doubt() */
struct otst_doubt {
	const char *why;
	const char *help;
};

/** otst_doubt_at() - the @i-th of this command; NULL after the last one */
const struct otst_doubt *otst_doubt_at(const struct otst *o, size_t i);

/** otst_doubt_find() - the doubt of this command with this reason; NULL when there is none */
const struct otst_doubt *otst_doubt_find(const struct otst *o, const char *why);

/** otst_last_phrase() - what the look-up said, in a message to which callers have added phrases */
const char *otst_last_phrase(const char *message);

/**
 * otst_lack() - something is left unknown for want of a name that this kernel must have
 * @err: of the look-up; the message of LOOKUP becomes a doubt, other errors are left alone
 *
 * Return: @err.
 */
int otst_lack(struct otst *o, int err);

/** otst_doubts() - number of names not found in this command that may exist all the same */
uint64_t otst_doubts(const struct otst *o);

/** otst_doubt_why() - why the last of them may exist; NULL without any */
const char *otst_doubt_why(const struct otst *o);

/** otst_doubt_help() - what would help; NULL without any */
const char *otst_doubt_help(const struct otst *o);

/**
 * otst_doubt() - note that a name was not found and may exist all the same (coverage.c)
 * @why: lives as long as the command
 */
void otst_doubt(struct otst *o, const char *why, const char *help);

#endif /* OTST_COVERAGE_H */
