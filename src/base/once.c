// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * once.c - what is determined once and then cached: symbol tables, types, the list of
 * modules, layouts of structures. One table holds all of it, keyed by the struct
 * otst_once that says how to determine it.
 *
 * An answer may depend on others, so all of them are dropped together. A command that
 * is cut short, or meets a failure that need not be final, leaves none of them
 * behind: the next command looks everything up again, as a fresh engine does.
 */
#include <string.h>

#include "coverage.h"
#include "engine.h"
#include "hashmap.h"

enum state { UNKNOWN, RUNNING, KNOWN };

struct once_entry {
	struct once_entry *next;    /* with the same key */
	struct once_entry *earlier; /* the one finished before this one */
	const struct otst_once *what;
	const void *of;
	uint64_t reading;
	enum state state;
	int err;
	const char *message;
	struct doubts doubts; /* behind a "there is none" */
	_Alignas(16) unsigned char value[];
};

static uint64_t key_of_once(const struct otst_once *what, const void *of)
{
	return (uintptr_t)what * 31 + (uintptr_t)of;
}

static struct once_entry *find_answer(struct otst *o, const struct otst_once *what, const void *of)
{
	struct once_entry *e = otst_hashmap_find(&o->once.entries, key_of_once(what, of));

	while (e && (e->what != what || e->of != of || (what->moves && e->reading != o->reading)))
		e = e->next;
	return e;
}

static struct once_entry *add_answer(struct otst *o, const struct otst_once *what, const void *of)
{
	struct once_entry *e = otst_keep(o, sizeof(*e) + what->size);
	void **place = NULL;

	o->once.entries.keep = true;
	if (e)
		place = otst_hashmap_place(o, &o->once.entries, key_of_once(what, of));
	if (!place)
		return NULL;
	e->what = what;
	e->of = of;
	e->reading = o->reading;
	e->next = *place;
	*place = e;
	return e;
}

/* linked before @make runs, so that a longjmp out of it leaves nothing behind */
static void start_answer(struct otst *o, struct once_entry *e)
{
	e->state = RUNNING;
	e->earlier = o->once.latest;
	o->once.latest = e;
}

/* the last one finished is destroyed first: it may use those finished earlier */
static void finish_answer(struct otst *o, struct once_entry *e)
{
	struct once_entry **link = &o->once.latest;

	while (*link != e)
		link = &(*link)->earlier;
	*link = e->earlier;
	e->earlier = o->once.latest;
	o->once.latest = e;
	e->state = KNOWN;
}

/* false when @make ended the command */
static bool make_answer(struct otst *o, struct once_entry *e)
{
	struct doubts before = o->doubts;

	start_answer(o, e);
	o->once.making++;
	e->err = e->what->make(o, e->of, e->value);
	o->once.making--;
	finish_answer(o, e);
	if (e->err == OTST_ERR_LOOKUP && o->doubts.count > before.count) {
		e->doubts = o->doubts;
		e->doubts.why = otst_keep_string(o, o->doubts.why);
	}
	if (e->err && !o->stopped)
		e->message = otst_keep_string(o, otst_message(o));
	if (e->err && e->err != OTST_ERR_LOOKUP)
		otst_once_retry(o);
	return !o->stopped;
}

/* the entry with its answer; NULL when the command is stopped */
static struct once_entry *get_answer(struct otst *o, const struct otst_once *what, const void *of)
{
	struct once_entry *e;

	if (o->stopped)
		return NULL;
	e = find_answer(o, what, of);
	e = e ?: add_answer(o, what, of);
	if (!e || (e->state == UNKNOWN && !make_answer(o, e)))
		return NULL;
	if (e->doubts.count)
		otst_doubt(o, e->doubts.why, e->doubts.help);
	return e;
}

int otst_once(struct otst *o, const struct otst_once *what, const void *of, void *ret)
{
	struct once_entry *e = get_answer(o, what, of);
	const void *value = e && !e->err ? e->value : NULL;

	memcpy(ret, &value, sizeof(value));
	if (!e)
		return otst_stopped(o);
	if (e->err)
		return otst_raise(o, e->err, "%s", e->message);
	return 0;
}

const void *otst_once_or_null(struct otst *o, const struct otst_once *what, const void *of)
{
	struct once_entry *e = o->stopped ? find_answer(o, what, of) : get_answer(o, what, of);

	if (e && o->stopped && e->state != KNOWN)
		return NULL;
	return e && !e->err ? e->value : NULL;
}

void otst_once_forget(struct otst *o)
{
	struct once_table *t = &o->once;

	for (; t->latest; t->latest = t->latest->earlier) {
		if (t->latest->what->destroy)
			t->latest->what->destroy(t->latest->value);
	}
	*t = (struct once_table){ 0 };
	otst_arena_free(&o->engine);
}
