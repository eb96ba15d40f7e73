/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * catcher.h - otst and allie: kprobes whose module prints or keeps the stack
 * of whoever calls the probed function. Today's modules (kernel/) tell about
 * themselves in a registry; the historic ones, otst of 2011 and allie of 2007,
 * are known by their records' shape and their names.
 */
#ifndef OTST_CATCHER_H
#define OTST_CATCHER_H

#include "../list/list.h"
#include "registry.h"

/** enum otst_catcher_state - where a catcher stands */
enum otst_catcher_state {
	OTST_CATCHER_UNKNOWN,
	OTST_CATCHER_ARMED,
	OTST_CATCHER_FIRED,   /**< it had its hit and waits to be removed */
	OTST_CATCHER_REMOVED, /**< fired and removed; what it captured is kept */
};

/** otst_catcher_state_name() - "armed", "fired", "removed", "unknown" */
const char *otst_catcher_state_name(enum otst_catcher_state state);

/** struct otst_number - a number that may be unknown */
struct otst_number {
	int64_t value;
	bool known;
};

/**
 * struct otst_catcher - what the module knows about a probe of its own
 * @found: how it was recognised: "registry", "otst_kprobes" (its list), "statics",
 *	"parameters", "shape", "handler"
 * @historic: the module of 2011 or 2007
 * @element: address of its record, or of the list element around the kprobe; 0 when there is none
 * @symbol: as its user wrote it, or NULL
 * @count: captures allowed, negative: no limit; @left of it
 * @action: 0 nothing, 1 dump_stack, 2 panic
 * @hits: runs of the handler before the instruction; @post_hits: after it
 * @captures: how many there were; @dropped: for want of a free record
 * @armed_count: how often the symbol was armed
 * @armed_time, @fired_time, @removed_time: nanoseconds of local_clock()
 *
 * What of it could not be read is the probe's error.
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

/* ---- between catcher.c, otst_element.c and allie.c ---- */

/** struct otst_catching - the list of probes while catchers are looked for */
struct otst_catching {
	struct otst *o;
	otst_stray_fn *stray;
	struct otst_vec probes;		 /**< of struct otst_probe * */
	struct otst_messages errors;	 /**< of const char * */
	const struct otst_module *other; /**< module that is not allie: it may have many kprobes */
};

/**
 * otst_catchers() - recognise catchers among @probes, and add those that are in no table any more
 * @stray: reads the latter
 *
 * What stands in the text at an address that was learnt from a catcher alone is left to the caller.
 */
int otst_catchers(struct otst *o, otst_stray_fn *stray, struct otst_probes *probes);

/**
 * otst_catcher_at() - the catcher of the kprobe at @record, which is added when it is not listed
 * @place: where that was learnt, for one that is added
 *
 * Return: 0; or what ends a command.
 */
int otst_catcher_at(struct otst_catching *c, uint64_t record, const char *place,
		    struct otst_probe **ret);

/**
 * otst_catcher_new() - make @p a catcher
 * @found: as &otst_catcher.found
 */
int otst_catcher_new(struct otst *o, struct otst_probe *p, enum otst_probe_kind kind,
		     const char *found, struct otst_catcher **ret);

/** otst_handler_named() - is a handler of @p the function @name of a module */
bool otst_handler_named(const struct otst_probe *p, const char *name);

/** otst_elements_of() - elements of the historic otst on the list of module @m (otst_element.c) */
int otst_elements_of(struct otst_catching *c, const struct otst_module *m);

/** otst_element_of() - is the kprobe of @p part of a historic otst's element; its list's others, too */
int otst_element_of(struct otst_catching *c, struct otst_probe *p);

/** otst_allie_of() - the historic allie in module @m by its statics (allie.c) */
int otst_allie_of(struct otst_catching *c, const struct otst_module *m);

/** otst_allie_is() - is @p allie's, by its handler, or by the parameters of its module */
int otst_allie_is(struct otst_catching *c, struct otst_probe *p);

#endif /* OTST_CATCHER_H */
