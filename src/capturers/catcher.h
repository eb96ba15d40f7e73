/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * catcher.h - otst and allie: kprobes whose module prints or keeps the stack
 * of each caller of the probed function. Today's modules (kernel/) describe
 * themselves in a registry; the historic ones, otst of 2011 and allie of 2007,
 * are recognised by the shape of their records and by their names.
 */
#ifndef OTST_CATCHER_H
#define OTST_CATCHER_H

#include "../list/list.h"
#include "registry.h"

/** enum otst_catcher_state - the state of a catcher */
enum otst_catcher_state {
	OTST_CATCHER_UNKNOWN,
	OTST_CATCHER_ARMED,
	OTST_CATCHER_FIRED,   /**< it had its hit and waits to be removed */
	OTST_CATCHER_REMOVED, /**< fired and removed; what it captured is kept */
	OTST_CATCHER_COUNT,
};

/** otst_catcher_state_name() - "armed", "fired", "removed", "unknown" */
const char *otst_catcher_state_name(enum otst_catcher_state state);

/** struct otst_number - a number that may be unknown */
struct otst_number {
	int64_t value;
	bool known;
};

/**
 * struct otst_catcher - what a module knows about one of its probes
 * @found: how it was recognised: "registry", "otst_kprobes" (its list), "statics",
 *	"parameters", "shape", "handler"
 * @historic: from the module of 2011 or 2007
 * @element: address of its record, or of the list element around the kprobe; 0 when there is none
 * @symbol: as its user wrote it, or NULL
 * @count: captures allowed, negative: no limit; @left: how many of these remain
 * @action: 0 nothing, 1 dump_stack, 2 panic
 * @hits: runs of the handler before the instruction; @post_hits: after it
 * @captures: how many there were; @dropped: how many were lost for lack of a free record
 * @armed_count: how often the symbol was armed
 * @armed_time, @fired_time, @removed_time: nanoseconds of local_clock()
 *
 * What could not be read is reported in the probe's error.
 */
struct otst_catcher {
	enum otst_catcher_state state;
	const char *found;
	bool historic;
	uint64_t element;
	const char *symbol;
	struct otst_number count;
	struct otst_number left;
	struct otst_number action;
	struct otst_number flags;
	struct otst_number verbose;
	struct otst_number hits;
	struct otst_number post_hits;
	struct otst_number captures;
	struct otst_number dropped;
	struct otst_number armed_count;
	struct otst_number armed_time;
	struct otst_number fired_time;
	struct otst_number removed_time;
};

/* ---- between catcher.c, probe.c, otst_element.c and allie.c ---- */

/** struct otst_catching - the list of probes during the search for catchers */
struct otst_catching {
	struct otst *o;
	otst_stray_fn *stray;
	struct otst_vec probes;		 /**< of struct otst_probe * */
	struct otst_messages errors;	 /**< of const char * */
	const struct otst_module *other; /**< module that is not allie: it may have many kprobes */
};

/**
 * otst_catchers() - recognise catchers among @probes; add those that are in no table any more
 * @stray: reads the probes that are added
 *
 * If only a catcher gives an address, the caller has to check the text at that address.
 */
int otst_catchers(struct otst *o, otst_stray_fn *stray, struct otst_probes *probes);

/**
 * otst_catcher_at() - the probe of the kprobe at @record, which is added if it is not listed
 * @place: where @record was found, for a probe that is added
 *
 * Return: 0; or what ends a command.
 */
int otst_catcher_at(struct otst_catching *c, uint64_t record, const char *place,
		    struct otst_probe **ret);

/**
 * otst_catcher_new() - make @p a catcher
 * @found: see &otst_catcher.found
 */
void otst_catcher_new(struct otst *o, struct otst_probe *p, enum otst_probe_kind kind,
		      const char *found, struct otst_catcher **ret);

/** otst_handler_named() - is a handler of @p the function @name of a module */
bool otst_handler_named(const struct otst_probe *p, const char *name);

/** otst_elements_of() - elements of the historic otst on the list of module @m (otst_element.c) */
int otst_elements_of(struct otst_catching *c, const struct otst_module *m);

/** otst_element_of() - is @p part of a historic otst's element? Also takes the rest of its list. */
int otst_element_of(struct otst_catching *c, struct otst_probe *p);

/** otst_allie_of() - the historic allie in module @m, found by its statics (allie.c) */
int otst_allie_of(struct otst_catching *c, const struct otst_module *m);

/** otst_allie_is() - is @p allie's, judging by its handler or its module's parameters */
int otst_allie_is(struct otst_catching *c, struct otst_probe *p);

#endif /* OTST_CATCHER_H */
