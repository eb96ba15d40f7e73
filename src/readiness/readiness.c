// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * readiness.c - runs every decoder on memory that is made up (dream.c), once for each kind of
 * such memory, and compares what they say with the names that were looked up in vain. A decoder
 * that passes on such a message is not ready. What else it says is about the memory.
 */
#include <string.h>

#include "../base/engine.h"
#include "../base/recorder.h"
#include "../ftrace/tracing.h"
#include "../probes/probes.h"
#include "../tracefs/tracefs.h"
#include "../traces/traces.h"
#include "readiness.h"

/*
 * @missed: vector of const char *: what was said of each name that was not found
 * @before: how many there were when the decoder began
 */
struct asking {
	struct otst *o; /* that asks; its arena has all results */
	struct dream *dream;
	struct otst *engine; /* of the dream */
	struct otst_vec missed;
	size_t before;
	struct otst_vec *items;
	struct otst_vec asked;	   /* of struct question */
	enum otst_probe_kind kind; /* whose decoder runs */
	bool first; /* no other memory has been tried: what is absent now is absent */
};

/*
 * A decoder looked up this symbol. It may compare it with a pointer in the dump, a handler or the
 * owner of a list: what it does then is seen only when the two are the same.
 */
struct question {
	enum otst_probe_kind kind;
	const char *name;
};

/* ---- names that were not found ---- */

static void note_missed(void *priv, enum otst_sought what, const char *type, const char *name)
{
	struct asking *a = priv;
	const char *const *all = a->missed.data, *message = otst_message(a->engine);
	const char **slot;
	size_t i;

	(void)what, (void)type, (void)name;
	for (i = a->before; i < a->missed.count && strcmp(all[i], message) != 0; i++)
		;
	if (i < a->missed.count)
		return;
	slot = otst_vec_push(a->o, &a->missed, sizeof(*slot));
	*slot = otst_strdup(a->o, message);
}

static void note_asked(void *priv, const char *name)
{
	struct asking *a = priv;
	struct question *q = a->asked.data;
	size_t i;

	for (i = 0; i < a->asked.count; i++) {
		if (q[i].kind == a->kind && !strcmp(q[i].name, name))
			return;
	}
	q = otst_vec_push(a->o, &a->asked, sizeof(*q));
	*q = (struct question){ a->kind, otst_strdup(a->o, name) };
}

static void add_lack(struct asking *a, struct otst_readiness *x, const char *lack)
{
	const char *const *known = x->lacks.data;
	const char **slot;
	size_t i;

	for (i = 0; i < x->lacks.count; i++) {
		if (!strcmp(known[i], lack))
			return;
	}
	slot = otst_vec_push(a->o, &x->lacks, sizeof(*slot));
	*slot = lack;
	x->state = OTST_READY_NOT;
}

/* a message of a decoder; it counts when it passes on that a name was not found */
static void hear(struct asking *a, struct otst_readiness *x, const char *message)
{
	const char *const *all = a->missed.data;
	size_t i;

	for (i = 0; message && i < a->missed.count; i++) {
		if (all[i] && strstr(message, all[i]))
			add_lack(a, x, all[i]);
	}
}

static void hear_all(struct asking *a, struct otst_readiness *x, const struct otst_messages *m)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		hear(a, x, m->texts[i]);
}

/* ---- one decoder ---- */

/* the item for @what, the same one for each kind of memory */
static struct otst_readiness *begin_item(struct asking *a, const char *of, const char *what)
{
	struct otst_readiness *x = a->items->data;
	size_t i;

	a->before = a->missed.count;
	for (i = 0; i < a->items->count; i++) {
		if (!strcmp(x[i].of, of) && !strcmp(x[i].what, what))
			return &x[i];
	}
	x = otst_vec_push(a->o, a->items, sizeof(*x));
	*x = (struct otst_readiness){ .of = of, .what = otst_strdup(a->o, what) };
	return x;
}

/*
 * A decoder that says LOOKUP takes the kernel to be without it. If the kernel has one of
 * its witnesses, that is wrong.
 */
static void judge_item(struct asking *a, struct otst_readiness *x, int err)
{
	const char *witnesses = otst_witnesses(x->of, x->what);
	const char *const *all = a->missed.data;
	size_t i;

	if (!err || x->state == OTST_READY_ABSENT)
		return;
	/* files are first asked where memory has an array for them */
	if (err != OTST_ERR_LOOKUP || (!a->first && strcmp(x->of, "files") != 0)) {
		hear(a, x, otst_message(a->engine));
		return;
	}
	x->why = x->why ?: otst_strdup(a->o, otst_message(a->engine));
	if (!witnesses || !otst_dream_has(a->dream, witnesses, true)) {
		x->state = x->state == OTST_READY_NOT ? OTST_READY_NOT : OTST_READY_ABSENT;
		return;
	}
	for (i = a->before; i < a->missed.count; i++)
		add_lack(a, x, all[i]);
	if (a->before == a->missed.count)
		add_lack(a, x, x->why);
}

/* ---- probes ---- */

/* another mechanism keeps the records of these kinds, and their decoder does not say that they are absent */
static bool is_guest(const struct otst_readiness *x)
{
	static const char *const guests[] = { "jprobe", "kprobe_multi", "uprobe_multi" };
	size_t i;

	for (i = 0; i < sizeof(guests) / sizeof(*guests); i++) {
		if (!strcmp(x->what, guests[i]))
			return true;
	}
	return false;
}

/*
 * The kernel lacks it although its decoder did not say so: see is_guest(), or the decoder was told
 * of variables that may not exist.
 */
static void judge_missing(struct asking *a, struct otst_readiness *x)
{
	const char *witnesses = otst_witnesses(x->of, x->what);

	if (!witnesses || !otst_readiness_functions_known(a->o) ||
	    (otst_readiness_names_known(a->o) && !is_guest(x)) ||
	    otst_dream_has(a->dream, witnesses, true))
		return;
	*x = (struct otst_readiness){ .of = x->of,
				      .what = x->what,
				      .state = OTST_READY_ABSENT,
				      .why = "none of the functions that do it is there" };
}

static int ask_kind(struct asking *a, enum otst_probe_kind kind)
{
	const struct otst_probe_kind_row *row = otst_probe_kind(kind);
	struct otst_readiness *x = begin_item(a, "probes", row->name);
	struct otst_probes part = { 0 };
	size_t i;
	int err;

	a->kind = kind;
	err = row->collect(a->engine, &part);
	judge_item(a, x, err);
	for (i = 0; i < part.count; i++)
		hear(a, x, part.items[i]->error);
	hear_all(a, x, &part.errors);
	judge_missing(a, x);
	return otst_stopped(a->engine);
}

/* ---- traces ---- */

static int ask_source(struct asking *a, enum otst_source_kind kind)
{
	const struct otst_source *s = otst_source_at(kind);
	struct otst_readiness *x = begin_item(a, "traces", otst_source_name(kind));
	struct otst_traces t = { .o = a->engine };
	const struct otst_trace_filter filter = { .pid = -1 };
	int err = otst_dream_has(a->dream, s->symbols, false) ?
			  s->read(a->engine, &filter, &t) :
			  otst_raise(a->engine, OTST_ERR_LOOKUP, "no symbol %s in this kernel",
				     s->symbols);

	judge_item(a, x, err);
	hear_all(a, x, &t.errors);
	judge_missing(a, x);
	return otst_stopped(a->engine);
}

/* ---- files of tracefs ---- */

static int ask_file(struct asking *a, const struct otst_tracing *t, const char *path)
{
	struct otst_readiness *x = begin_item(a, "files", path);
	struct otst_tracefs_file f = { 0 };
	int err = t ? otst_tracefs_find(a->engine, t, path, &f) :
		      otst_raise(a->engine, OTST_ERR_LOOKUP, "this kernel has no trace arrays");

	/* made-up memory may have no array of its own */
	if (!t || !err) {
		err = err ?: otst_tracefs_read(a->engine, false, &f);
		judge_item(a, x, err);
		hear_all(a, x, &f.errors);
	}
	judge_missing(a, x);
	return otst_stopped(a->engine);
}

static int ask_files(struct asking *a)
{
	struct otst_tracing t = { 0 };
	const char *path;
	size_t i;
	int err = otst_tracing(a->engine, &t);
	bool none = err == OTST_ERR_LOOKUP;

	if (err && otst_fatal(err))
		return err;
	for (i = 0, err = 0; !err && (path = otst_tracefs_name(i)); i++) {
		/* those of a cpu or an event: a name has capitals for what varies */
		if (!strpbrk(path, "NSE"))
			err = ask_file(a, none ? NULL : &t, path);
	}
	return err;
}

/* ---- all ---- */

/* kinds with one decoder are asked together, once */
static bool is_first(enum otst_probe_kind kind)
{
	int k = 0;

	while (otst_probe_kind((enum otst_probe_kind)k)->collect != otst_probe_kind(kind)->collect)
		k++;
	return k == (int)kind;
}

/* the branches that depend on where a pointer leads */
static int ask_branches(struct asking *a)
{
	size_t i;
	int k, err = 0;

	for (i = 0; i < a->asked.count && !err; i++) {
		const struct question q = ((const struct question *)a->asked.data)[i];

		if (!is_first(q.kind))
			continue;
		otst_dream_lead(a->dream, q.name);
		for (k = (int)q.kind; k < OTST_PROBE_KINDS && !err; k++) {
			if (otst_probe_kind((enum otst_probe_kind)k)->collect ==
			    otst_probe_kind(q.kind)->collect)
				err = ask_kind(a, (enum otst_probe_kind)k);
		}
	}
	otst_dream_lead(a->dream, NULL);
	return err;
}

static int ask_all(struct asking *a)
{
	enum otst_source_kind i;
	int k, err = 0;

	otst_dream_asked(a->dream, note_asked, a);
	for (k = 0; k < OTST_PROBE_KINDS && !err; k++)
		err = ask_kind(a, (enum otst_probe_kind)k);
	otst_dream_asked(a->dream, NULL, NULL);
	for (i = 0; !err && i < OTST_SOURCE_COUNT; i++)
		err = ask_source(a, i);
	err = err ?: ask_files(a);
	a->first = false;
	return err ?: ask_branches(a);
}

static int ask_dream(struct otst *o, enum otst_dream kind, struct otst_vec *ret)
{
	struct asking a = { .o = o, .items = ret, .first = kind == OTST_DREAM_FULL };
	const struct otst_recorder recorder = { note_missed, &a };
	int err = otst_dream_open(o, kind, &a.dream);

	if (err)
		return err;
	a.engine = otst_dream_engine(a.dream);
	a.engine->recorder = &recorder;
	err = ask_all(&a);
	if (err)
		err = otst_raise(o, err, "%s", otst_message(a.engine));
	otst_dream_close(a.dream);
	return err;
}

int otst_readiness(struct otst *o, struct otst_vec *ret)
{
	int kind, err = 0;

	for (kind = 0; kind < OTST_DREAM_COUNT && !err; kind++)
		err = ask_dream(o, (enum otst_dream)kind, ret);
	return err;
}
