// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * perf_event.c - every struct perf_event: those on the contexts that cpus and tasks
 * schedule (struct perf_event_context), and those on each task's own list
 * (task_struct.perf_event_list), of kernel/events/core.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "perf_event.h"

#define MAX_PMUS 4096u
#define TOMBSTONE \
	UINT64_MAX /* TASK_TOMBSTONE: owner of the kernel's own events, task of an exited one's context */
#define MAX_OWNERS 8u /* that a line names */

/* an event as found on a list; @order: its position in the walk of the lists, which is stable */
struct found {
	uint64_t addr;
	const char *place;
	size_t order;
};

struct walk {
	struct otst *o;
	uint64_t entry;	      /* perf_event.event_entry */
	uint64_t owner_entry; /* perf_event.owner_entry */
	uint64_t event_list;  /* perf_event_context.event_list */
	struct otst_vec found;
	struct otst_messages errors;
};

static const char memo_key;

int otst_perf_attr_read(struct otst *o, uint64_t addr, struct otst_perf_attr *ret)
{
	struct otst_view v;
	int err = otst_view_read(o, "perf_event_attr", addr, &v);

	if (err)
		return err;
	*ret = (struct otst_perf_attr){
		.type = (uint32_t)otst_u64(&v, "type"),
		.config = otst_u64(&v, "config"),
		.sample_type = otst_u64(&v, "sample_type"),
		.read_format = otst_u64(&v, "read_format"),
		.branch_sample_type = otst_u64_or(&v, "branch_sample_type", 0),
		.sample_regs_user = otst_u64_or(&v, "sample_regs_user", 0),
		.sample_regs_intr = otst_u64_or(&v, "sample_regs_intr", 0),
		.sample_id_all = otst_u64(&v, "sample_id_all") & 1,
		.use_clockid = otst_u64_or(&v, "use_clockid", 0) & 1,
		.clockid = (int32_t)otst_u64_or(&v, "clockid", 0),
		.bp_type = (uint32_t)otst_u64_or(&v, "bp_type", 0),
		.bp_addr = otst_u64_or(&v, "bp_addr", 0),
		.bp_len = otst_u64_or(&v, "bp_len", 0),
	};
	return v.err;
}

/* ---- one event ---- */

static void name_task(struct otst *o, uint64_t addr, int64_t *pid, const char **comm)
{
	const struct otst_task *t = addr && addr != TOMBSTONE ? otst_task_at(o, addr) : NULL;

	*pid = t ? (int64_t)t->pid : -1;
	if (comm)
		*comm = t ? t->comm : NULL;
}

static int read_event(struct otst *o, struct otst_perf_event *e)
{
	uint64_t context, attr;
	struct otst_view v;
	int err = otst_view_read(o, "perf_event", e->addr, &v);

	if (err)
		return err;
	e->state = (int32_t)otst_u64(&v, "state");
	e->count = otst_u64(&v, "count") + otst_u64(&v, "child_count");
	e->cpu = (int)otst_u64(&v, "cpu");
	e->oncpu = (int)otst_u64(&v, "oncpu");
	e->parent = otst_u64(&v, "parent");
	e->rb = otst_u64(&v, "rb");
	e->id = otst_u64(&v, "id");
	e->pmu = otst_u64(&v, "pmu");
	e->overflow_handler = otst_u64_or(&v, "overflow_handler", 0);
	/* CONFIG_EVENT_TRACING */
	e->tp_event = otst_has_symbol(o, "perf_trace_init") ? otst_u64(&v, "tp_event") :
							      otst_u64_or(&v, "tp_event", 0);
	e->prog = otst_u64_or(&v, "prog", 0);
	e->owner = otst_u64(&v, "owner");
	e->kernel = e->owner == TOMBSTONE;
	e->owner = e->kernel ? 0 : e->owner;
	context = otst_u64(&v, "ctx");
	attr = otst_addr_of(&v, "attr");
	err = v.err ? v.err : otst_perf_attr_read(o, attr, &e->attr);
	if (!err && context)
		err = otst_read_member(o, "perf_event_context", context, "task", &e->task);
	e->task = e->task == TOMBSTONE ? 0 : e->task;
	name_task(o, e->owner, &e->owner_pid, &e->owner_comm);
	name_task(o, e->task, &e->task_pid, NULL);
	return err;
}

/* ---- the lists ---- */

static int note_place(struct walk *w, int err, const char *place)
{
	return otst_note(w->o, &w->errors, otst_fail(w->o, err, "events of %s", place));
}

static int walk_list(struct walk *w, uint64_t head, uint64_t link, const char *place)
{
	struct otst_walk list;
	struct found *f;
	uint64_t node;
	int err = 0;

	otst_walk_list(w->o, head, &list);
	while (!err && otst_walk_next(&list, &node)) {
		f = otst_vec_push(w->o, &w->found, sizeof(*f));
		*f = (struct found){ node - link, place, w->found.count };
		err = otst_check(w->o);
	}
	if (!err && list.err)
		err = note_place(w, list.err, place);
	return err;
}

static int walk_cpu(struct walk *w, uint64_t context, unsigned int cpu)
{
	const struct otst_member *m;
	const char *place = otst_format(w->o, "cpu %u", cpu);
	int err;

	err = otst_member(w->o, "perf_cpu_context", "ctx", &m);
	if (err)
		return err;
	return walk_list(w, otst_percpu(w->o, context, cpu) + m->offset + w->event_list, w->entry,
			 place);
}

static int walk_cpus(struct walk *w, uint64_t context)
{
	unsigned int cpu, n = otst_kernel(w->o)->nr_cpus;
	int err = 0;

	for (cpu = 0; cpu < n && !err; cpu++)
		err = walk_cpu(w, context, cpu);
	return err;
}

/* one context for each kind of PMU on every cpu; several kinds share one */
static int walk_pmus(struct walk *w)
{
	const struct otst_member *m;
	uint64_t head, node, context, before = 0;
	struct otst_walk list;
	bool lacks = false;
	int err = otst_symbol(w->o, "pmus", &head);

	err = err ?: otst_member(w->o, "pmu", "entry", &m);
	if (err)
		return err;
	otst_walk_list(w->o, head, &list);
	while (!err && !lacks && list.steps <= MAX_PMUS && otst_walk_next(&list, &node)) {
		err = otst_read_member(w->o, "pmu", node - m->offset, "pmu_cpu_context", &context);
		if (!err && context && context != before)
			err = walk_cpus(w, context);
		before = context;
		/* what one PMU lacks, all of them lack */
		lacks = err == OTST_ERR_LOOKUP;
		if (err)
			err = note_place(w, err, "a PMU");
	}
	if (!err && list.err)
		err = note_place(w, list.err, "all PMUs");
	return err;
}

/* task_struct.perf_event_ctxp: one since 6.2; before, one for hardware and one for software */
static int walk_contexts(struct walk *w, const struct otst_task *t, const struct otst_member *ctxp,
			 const char *place)
{
	uint64_t i, context;
	int err = 0;

	for (i = 0; i < (ctxp->size ? ctxp->size : 8) && !err; i += 8) {
		err = otst_read_u64(w->o, t->addr + ctxp->offset + i, &context);
		if (!err && context)
			err = walk_list(w, context + w->event_list, w->entry, place);
	}
	return err;
}

static int walk_perf_tasks(struct walk *w)
{
	const struct otst_member *ctxp, *own;
	const struct otst_tasks *tasks;
	const char *place;
	int err;

	err = otst_member(w->o, "task_struct", "perf_event_ctxp", &ctxp);
	err = err ?: otst_member(w->o, "task_struct", "perf_event_list", &own);
	err = err ?: otst_tasks(w->o, &tasks);
	for (size_t i = 0; !err && i < tasks->count; i++) {
		const struct otst_task *t = tasks->items[i];

		place = otst_format(w->o, "task %" PRIu64, t->pid);
		err = walk_contexts(w, t, ctxp, place);
		err = err ?: walk_list(w, t->addr + own->offset, w->owner_entry, place);
		if (err)
			err = note_place(w, err, place);
	}
	if (!err)
		otst_notes(w->o, &w->errors, &tasks->errors);
	return err;
}

/* ---- all of them, once each ---- */

static int by_event_address(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return otst_cmp(x->addr, y->addr) ?: otst_cmp(x->order, y->order);
}

static int by_order(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

static void drop_doubles(struct otst_vec *found)
{
	struct found *f = found->data;
	size_t i, n = 0;

	if (!found->count)
		return;
	otst_sort(f, found->count, sizeof(*f), by_event_address);
	for (i = 0; i < found->count; i++) {
		if (!n || f[i].addr != f[n - 1].addr)
			f[n++] = f[i];
	}
	found->count = n;
	otst_sort(f, n, sizeof(*f), by_order);
}

static int read_all_perf_events(struct walk *w, struct otst_perf_events *ret)
{
	const struct found *f;
	int err;

	drop_doubles(&w->found);
	f = w->found.data;
	ret->items = otst_alloc(w->o, (w->found.count + 1) * sizeof(*ret->items));
	if (!ret->items)
		return otst_no_memory(w->o);
	for (size_t i = 0; i < w->found.count; i++) {
		struct otst_perf_event *e = &ret->items[ret->count++];

		e->addr = f[i].addr;
		e->place = f[i].place;
		e->owner_pid = e->task_pid = e->cpu = e->oncpu = -1;
		err = read_event(w->o, e);
		if (err && otst_fatal(err))
			return err;
		if (err)
			e->error = otst_strdup(w->o, otst_message(w->o));
	}
	ret->errors = w->errors;
	return 0;
}

static int prepare_walk(struct walk *w)
{
	int err = otst_offset(w->o, "perf_event", "event_entry", &w->entry);

	err = err ?: otst_offset(w->o, "perf_event", "owner_entry", &w->owner_entry);
	return err ?: otst_offset(w->o, "perf_event_context", "event_list", &w->event_list);
}

int otst_perf_events(struct otst *o, const struct otst_perf_events **ret)
{
	uint64_t context = otst_symbol_or0(o, "perf_cpu_context");
	struct otst_perf_events *all;
	void **place = otst_memo(o, &memo_key);
	struct walk w = { .o = o };
	int err;

	if (*place) {
		*ret = *place;
		return 0;
	}
	all = otst_new(o, sizeof(*all));
	err = prepare_walk(&w);
	/*
	 * Linux bd2756811766 ("perf: Rewrite core context handling") (v6.2):
	 * one context per cpu, for all PMUs
	 */
	if (!err)
		err = context ? walk_cpus(&w, context) : walk_pmus(&w);
	err = err ?: walk_perf_tasks(&w);
	err = err ?: read_all_perf_events(&w, all);
	if (err)
		return err;
	*ret = *place = all;
	return 0;
}

/* ---- rows of a listing ---- */

bool otst_perf_is_twin(const struct otst_perf_event *a, const struct otst_perf_event *b)
{
	return a->cpu >= 0 && b->cpu >= 0 && a->cpu != b->cpu && a->task == b->task &&
	       a->owner == b->owner && a->kernel == b->kernel && a->prog == b->prog &&
	       a->overflow_handler == b->overflow_handler && a->attr.type == b->attr.type &&
	       a->attr.config == b->attr.config && a->attr.bp_addr == b->attr.bp_addr &&
	       a->attr.bp_len == b->attr.bp_len && a->attr.bp_type == b->attr.bp_type &&
	       otst_perf_claim(a->state) == otst_perf_claim(b->state);
}

enum otst_claim otst_perf_claim(int32_t state)
{
	if (state >= OTST_PERF_INACTIVE)
		return OTST_CLAIM_ARMED;
	return state == OTST_PERF_OFF ? OTST_CLAIM_DISABLED : OTST_CLAIM_GONE;
}

void otst_perf_add_cpu(struct otst *o, const struct otst_perf_event *e, const char **cpus)
{
	if (e->cpu < 0)
		*cpus = "all";
	else
		*cpus = otst_format(o, "%s%s%d", *cpus ? *cpus : "", *cpus ? "," : "", e->cpu);
}

/* ---- the owner ---- */

const char *otst_perf_owner_name(struct otst *o, const struct otst_perf_event *e)
{
	const char *cgroup;

	if (e->owner_pid < 0)
		return NULL;
	cgroup = otst_task_cgroup(o, e->owner);
	return otst_format(o, "%" PRId64 " %s%s%s", e->owner_pid, e->owner_comm,
			   otst_is_container(cgroup) ? " in " : "",
			   otst_is_container(cgroup) ? cgroup : "");
}

/* "1204 perf, 1300 bpftrace"; NULL when none is known */
static int name_owners(struct otst *o, const struct otst_perf_events *all, uint64_t call,
		       const char **ret)
{
	uint64_t named[MAX_OWNERS];
	const char *name;
	unsigned int n = 0, k;

	*ret = NULL;
	for (size_t i = 0; i < all->count && n < MAX_OWNERS; i++) {
		const struct otst_perf_event *e = &all->items[i];

		name = e->tp_event == call ? otst_perf_owner_name(o, e) : NULL;
		for (k = 0; k < n && named[k] != e->owner; k++)
			;
		if (!name || k < n)
			continue;
		named[n++] = e->owner;
		*ret = otst_format(o, "%s%s%s", *ret ? *ret : "", *ret ? ", " : "", name);
		if (!*ret)
			return otst_no_memory(o);
	}
	return 0;
}

int otst_perf_on_event(struct otst *o, const char *type, uint64_t at, const char *call,
		       struct otst_probe *p)
{
	const char *member = otst_format(o, "%.*s", (int)strcspn(call, "."), call), *names;
	const struct otst_perf_events *all;
	const struct otst_member *m;
	int err;

	/* "tp.call." of old kernels is a path */
	if (!strncmp(call, "tp.", 3))
		member = "tp.call";
	if (*member) {
		err = otst_member(o, type, member, &m);
		if (err)
			return err;
		at += m->offset;
	}
	err = otst_perf_events(o, &all);
	err = err ?: name_owners(o, all, at, &names);
	/* the probe still counts when the dump has no tasks or lists */
	if (err)
		return otst_fatal(err) ? err : 0;
	if (names)
		otst_probe_fact(o, p, "perf", names, 0);
	return 0;
}
