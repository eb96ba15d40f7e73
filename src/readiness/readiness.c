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
 * @doubts: vector of const char *: why it doubts
 */
struct asking {
	struct otst *o; /* that asks; its arena has all results */
	struct dream *dream;
	struct otst *engine; /* of the dream */
	struct otst_vec missed;
	size_t before;
	struct otst_vec doubts;
	struct otst_vec *items;
	struct otst_vec decoders;      /* of struct decoder */
	const struct decoder *current; /* the one that runs */
	struct otst_vec asked;	       /* of struct question */
	enum otst_dream memory;
	bool first; /* no other memory has been tried: what is absent now is absent */
};

/*
 * @group: decoders of the same group do the same work, each keeps other records
 * @kind, @source, @inner: which one it is; a file's name is @what
 * @witnesses: of otst_doubt_absence()
 */
struct decoder {
	const char *of;
	const char *what;
	int (*ask)(struct asking *a, const struct decoder *d);
	size_t group;
	enum otst_probe_kind kind;
	const struct otst_source *source;
	const struct otst_inner *inner;
	const char *witnesses;
};

/*
 * A decoder looked up this symbol. It may compare it with a pointer in the dump, a handler or the
 * owner of a list: what it does then is seen only when the two are the same.
 */
struct question {
	size_t group;
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

static void note_doubt(void *priv, const char *why)
{
	struct asking *a = priv;
	const char *const *all = a->doubts.data;
	size_t i;

	for (i = 0; i < a->doubts.count && strcmp(all[i], why) != 0; i++)
		;
	if (i == a->doubts.count)
		*(const char **)otst_vec_push(a->o, &a->doubts, sizeof(why)) =
			otst_strdup(a->o, why);
}

static bool has_function(void *priv, const char *functions)
{
	return otst_dream_has(((struct asking *)priv)->dream, functions, true);
}

static void note_asked(void *priv, const char *name)
{
	struct asking *a = priv;
	struct question *q = a->asked.data;
	size_t i;

	/* these run many decoders: each is asked by itself */
	if (a->current->inner)
		return;
	for (i = 0; i < a->asked.count; i++) {
		if (q[i].group == a->current->group && !strcmp(q[i].name, name))
			return;
	}
	q = otst_vec_push(a->o, &a->asked, sizeof(*q));
	*q = (struct question){ a->current->group, otst_strdup(a->o, name) };
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

/* true if note_missed() may have written the message: most messages need no other look */
static bool may_miss(const char *message)
{
	return strstr(message, "in this kernel") || strstr(message, " is not a ");
}

/* a message of a decoder; it counts when it passes on that a name was not found */
static void hear_message(struct asking *a, struct otst_readiness *x, const char *message)
{
	const char *const *all = a->missed.data;
	size_t i, n = message && may_miss(message) ? a->missed.count : 0;

	for (i = 0; i < n; i++) {
		if (all[i] && strstr(message, all[i]))
			add_lack(a, x, all[i]);
	}
}

static void hear_all(struct asking *a, struct otst_readiness *x, const struct otst_messages *m)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		hear_message(a, x, m->texts[i]);
	/* a part of it was not looked at */
	for (i = 0; i < a->doubts.count; i++)
		hear_message(a, x, ((const char *const *)a->doubts.data)[i]);
}

/* ---- one decoder ---- */

/* the item for @what, the same one for each kind of memory */
static struct otst_readiness *begin_item(struct asking *a, const struct decoder *d)
{
	struct otst_readiness *x = a->items->data;
	size_t i;

	a->before = a->missed.count;
	a->doubts.count = 0;
	for (i = 0; i < a->items->count; i++) {
		if (!strcmp(x[i].of, d->of) && !strcmp(x[i].what, d->what))
			return &x[i];
	}
	x = otst_vec_push(a->o, a->items, sizeof(*x));
	*x = (struct otst_readiness){ .of = d->of, .what = d->what };
	return x;
}

/*
 * A decoder that says LOOKUP takes the kernel to be without it. If the kernel has one of
 * its witnesses, that is wrong.
 */
static void judge_item(struct asking *a, const struct decoder *d, struct otst_readiness *x, int err)
{
	const char *const *all = a->missed.data;
	size_t i;

	if (!err || x->state == OTST_READY_ABSENT)
		return;
	if (err != OTST_ERR_LOOKUP || !a->first) {
		hear_message(a, x, otst_message(a->engine));
		return;
	}
	x->why = x->why ?: otst_strdup(a->o, otst_message(a->engine));
	if (!d->witnesses || !otst_dream_has(a->dream, d->witnesses, true)) {
		x->state = x->state == OTST_READY_NOT ? OTST_READY_NOT : OTST_READY_ABSENT;
		return;
	}
	for (i = a->before; i < a->missed.count; i++)
		add_lack(a, x, all[i]);
	if (a->before == a->missed.count)
		add_lack(a, x, x->why);
}

/* ---- probes ---- */

/*
 * Another mechanism keeps the records of these kinds, and their decoder does not say that they are absent. All
 * kernels with types have the structure if they have the kind.
 */
static const struct guest {
	const char *what;
	const char *type;
} guests[] = {
	{ "jprobe", "jprobe" },
	{ "kprobe_multi", "bpf_kprobe_multi_link" },
	{ "uprobe_multi", "bpf_uprobe_multi_link" },
};

static const struct guest *find_guest(const char *what)
{
	for (size_t i = 0; i < sizeof(guests) / sizeof(*guests); i++) {
		if (!strcmp(what, guests[i].what))
			return &guests[i];
	}
	return NULL;
}

/*
 * The kernel lacks it although its decoder did not say so: it is a guest, or the decoder was told of variables that
 * may not exist.
 */
static void judge_missing(struct asking *a, const struct decoder *d, struct otst_readiness *x)
{
	const struct guest *guest = find_guest(x->what);

	if (!d->witnesses || (otst_readiness_names_known(a->o) && !guest) ||
	    otst_dream_has(a->dream, d->witnesses, true))
		return;
	if (!otst_readiness_functions_known(a->o) && (!guest || otst_has_type(a->o, guest->type)))
		return;
	*x = (struct otst_readiness){ .of = x->of,
				      .what = x->what,
				      .state = OTST_READY_ABSENT,
				      .why = "none of the functions that do it is there" };
}

static int ask_kind(struct asking *a, const struct decoder *d)
{
	struct otst_readiness *x = begin_item(a, d);
	struct otst_probes part = { 0 };
	size_t i;
	int err = otst_is_registered(d->kind) ?
			  otst_registered_kind_probes(a->engine, d->kind, &part) :
			  otst_probe_kind(d->kind)->collect(a->engine, &part);

	judge_item(a, d, x, err);
	for (i = 0; i < part.count; i++)
		hear_message(a, x, part.items[i]->error);
	hear_all(a, x, &part.errors);
	judge_missing(a, d, x);
	return otst_stopped(a->engine);
}

/* ---- traces ---- */

static int ask_source(struct asking *a, const struct decoder *d)
{
	struct otst_readiness *x = begin_item(a, d);
	const struct otst_source *s = d->source;
	struct otst_traces t = { .o = a->engine };
	const struct otst_trace_filter filter = { .pid = -1 };
	size_t i;
	int err = otst_dream_has(a->dream, s->symbols, false) ?
			  s->read(a->engine, &filter, &t) :
			  otst_raise(a->engine, OTST_ERR_LOOKUP, "no symbol %s in this kernel",
				     s->symbols);

	judge_item(a, d, x, err);
	for (i = 0; i < t.items.count; i++)
		hear_message(a, x, otst_trace_at(&t, i)->error);
	hear_all(a, x, &t.errors);
	judge_missing(a, d, x);
	return otst_stopped(a->engine);
}

/* ---- files of tracefs ---- */

static int ask_file(struct asking *a, const struct decoder *d)
{
	struct otst_readiness *x = begin_item(a, d);
	const char *number = strchr(d->what, 'N'); /* of a cpu */
	struct otst_tracefs_file f = { .path = d->what, .o = a->engine, .enough = 1 };
	struct otst_trace_array top = { .addr = otst_dream_place(a->dream) };
	struct otst_tracing t = { 0 };
	int err = otst_tracing(a->engine, &t);

	if (number)
		f.path = otst_format(a->o, "%.*s0%s", (int)(number - d->what), d->what, number + 1);
	if (err && otst_fatal(err))
		return err;
	if (t.nr_arrays)
		top = *t.arrays[0];
	/* it has each file; made-up memory may only have an array with a name */
	top.name = NULL;
	f.array = &top;
	err = err == OTST_ERR_LOOKUP ?
		      otst_raise(a->engine, err, "this kernel has no trace arrays") :
		      otst_tracefs_read(a->engine, false, &f);
	judge_item(a, d, x, err);
	hear_all(a, x, &f.errors);
	judge_missing(a, d, x);
	return otst_stopped(a->engine);
}

/* trace arrays, and tracers that are registered */
static int ask_arrays(struct asking *a, const struct decoder *d)
{
	struct otst_readiness *x = begin_item(a, d);
	struct otst_trace_array array = { 0 };
	struct otst_tracing t = { 0 };
	int err = otst_tracing(a->engine, &t);

	err = err ?: otst_trace_array(a->engine, otst_dream_place(a->dream), false, &array);
	judge_item(a, d, x, err);
	hear_message(a, x, array.error);
	hear_all(a, x, &t.errors);
	judge_missing(a, d, x);
	return otst_stopped(a->engine);
}

/* ---- parts of decoders ---- */

static int ask_inner(struct asking *a, const struct decoder *d)
{
	struct otst_readiness *x = begin_item(a, d);
	struct otst_messages said = { 0 };

	if (x->state == OTST_READY_ABSENT)
		return 0;
	if (d->inner->ask(a->engine, otst_dream_place(a->dream), &said))
		hear_message(a, x, otst_message(a->engine));
	hear_all(a, x, &said);
	return otst_stopped(a->engine);
}

/* ---- all ---- */

static void add_decoder(struct asking *a, const struct decoder *d)
{
	struct decoder *slot = otst_vec_push(a->o, &a->decoders, sizeof(*slot));

	*slot = *d;
	slot->group = a->decoders.count - 1;
}

/* kinds with one decoder are a group, unless it can be asked for one of them */
static void add_ready_kind(struct asking *a, enum otst_probe_kind kind)
{
	const struct otst_probe_kind_row *row = otst_probe_kind(kind);
	struct decoder *all;
	size_t i;

	add_decoder(a, &(struct decoder){ "probes", row->name, ask_kind, .kind = kind,
					  .witnesses = row->witnesses });
	if (otst_is_registered(kind))
		return;
	all = a->decoders.data;
	for (i = 0; otst_probe_kind(all[i].kind)->collect != row->collect; i++)
		;
	all[a->decoders.count - 1].group = i;
}

static void list_decoders(struct asking *a)
{
	const struct otst_inner *inner;
	enum otst_source_kind source;
	const char *path, *witnesses;
	size_t i;
	int k;

	for (k = 0; k < OTST_PROBE_KINDS; k++)
		add_ready_kind(a, (enum otst_probe_kind)k);
	for (source = 0; source < OTST_SOURCE_COUNT; source++)
		add_decoder(a, &(struct decoder){ "traces", otst_source_name(source), ask_source,
						  .source = otst_source_at(source),
						  .witnesses = otst_source_at(source)->witnesses });
	for (i = 0; (path = otst_tracefs_name(i, &witnesses)); i++) {
		/* those of an event or a system: a name has capitals for what varies */
		if (!strpbrk(path, "SE"))
			add_decoder(a, &(struct decoder){ "files", path, .ask = ask_file,
							  .witnesses = witnesses });
	}
	add_decoder(a, &(struct decoder){ "tracing", "trace array", ask_arrays,
					  .witnesses = OTST_TRACING_WITNESSES });
	for (i = 0; (inner = otst_inner(i)); i++)
		add_decoder(a,
			    &(struct decoder){ inner->of, inner->what, ask_inner, .inner = inner });
}

/* all of @group, or with SIZE_MAX of all groups */
static int ask_group(struct asking *a, size_t group)
{
	const struct decoder *d = a->decoders.data;
	size_t i;
	int err = 0;

	for (i = 0; i < a->decoders.count && !err; i++) {
		a->current = &d[i];
		if (group == SIZE_MAX || d[i].group == group)
			err = d[i].ask(a, &d[i]);
	}
	return err;
}

/* true if it matters to this decoder where pointers lead: files are much alike */
static bool has_branches(const struct asking *a, const struct question *q)
{
	const struct decoder *d = (const struct decoder *)a->decoders.data + q->group;

	/* a pointer to what may not exist leads to what the decoder does for another kernel */
	if (!otst_dream_has(a->dream, q->name, true))
		return false;
	return a->memory == OTST_DREAM_FULL ||
	       (a->memory == OTST_DREAM_TREES && d->ask != ask_file);
}

/* the branches that depend on where a pointer leads */
static int ask_branches(struct asking *a)
{
	size_t i;
	int err = 0;

	for (i = 0; i < a->asked.count && !err; i++) {
		const struct question q = ((const struct question *)a->asked.data)[i];

		if (!has_branches(a, &q))
			continue;
		otst_dream_lead(a->dream, q.name);
		err = ask_group(a, q.group);
	}
	otst_dream_lead(a->dream, NULL);
	return err;
}

/* ---- structures and members that decoders do not all need ---- */

static void add_missing_name(struct asking *a, const struct otst_required *r)
{
	struct otst_readiness *x = otst_vec_push(a->o, a->items, sizeof(*x));

	*x = (struct otst_readiness){ .of = "names", .what = r->type };
	add_lack(a, x, otst_strdup(a->o, otst_message(a->o)));
}

static int ask_required_name(struct otst *o, const struct otst_required *r, const char *name)
{
	const struct otst_member *m;
	int64_t value;

	return strcmp(r->type, OTST_ENUMERATORS) != 0 ? otst_member(o, r->type, name, &m) :
							otst_enumerator(o, name, &value);
}

static void ask_required(struct asking *a)
{
	const struct otst_required *r;
	const char *at, *name;
	uint64_t size;
	bool partly;

	for (size_t i = 0; (r = otst_required(i, &partly)); i++) {
		/* asked first: it leaves messages of its own */
		bool witnessed = otst_dream_has(a->dream, r->witness, true);
		bool is_type = strcmp(r->type, OTST_ENUMERATORS) != 0;
		bool sure = witnessed || (is_type && !partly);

		if (is_type && otst_type_size(a->o, r->type, &size)) {
			if (witnessed)
				add_missing_name(a, r);
			continue;
		}
		for (at = r->members + 1; *at && sure; at += strlen(name) + 1) {
			name = otst_format(a->o, "%.*s", (int)strcspn(at, " "), at);
			if (ask_required_name(a->o, r, name))
				add_missing_name(a, r);
		}
	}
}

static int ask_all(struct asking *a)
{
	int err;

	list_decoders(a);
	a->first = a->memory == OTST_DREAM_FULL;
	if (a->first)
		ask_required(a);
	otst_dream_asked(a->dream, note_asked, a);
	err = ask_group(a, SIZE_MAX);
	otst_dream_asked(a->dream, NULL, NULL);
	a->first = false;
	return err ?: ask_branches(a);
}

static int ask_dream(struct otst *o, enum otst_dream kind, struct otst_vec *ret)
{
	struct asking a = { .o = o, .items = ret, .memory = kind };
	const struct otst_recorder recorder = { note_missed, note_doubt, has_function, &a };
	int err = otst_dream_open(o, kind, &a.dream);

	if (err)
		return err;
	a.engine = otst_dream_engine(a.dream);
	a.engine->recorder = &recorder;
	err = ask_all(&a);
	if (a.engine->over_limit) {
		otst_over_limit(o);
		o->over_limit = true;
	} else if (err) {
		err = otst_raise(o, err, "%s", otst_message(a.engine));
	}
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
