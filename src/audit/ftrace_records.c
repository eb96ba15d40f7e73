// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ftrace_records.c - do the records of functions fit the ftrace_ops? Each record counts
 * the ops that hook it (struct dyn_ftrace.flags, __ftrace_hash_rec_update()). If a
 * record counts more than ftrace_ops_list has, its function calls an ops that hides or
 * was lost; the trampoline that the function calls still names that ops. If a record
 * counts fewer, an ops that wants the function does not get its calls.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "expect.h"

#define MAX_NAMED 3 /* functions and trampolines that a message names */

/* functions whose count is wrong in one way */
struct group {
	size_t count;
	const struct otst_ftrace_function *first;
	size_t has;		     /* ops that hook @first */
	uint64_t targets[MAX_NAMED]; /* trampolines of no ops in the list */
	size_t nr_targets;
};

static void count_function(struct group *g, const struct otst_ftrace_function *f, size_t has)
{
	if (!g->count++) {
		g->first = f;
		g->has = has;
	}
}

static void add_record_target(struct group *g, uint64_t target)
{
	for (size_t i = 0; i < g->nr_targets; i++) {
		if (g->targets[i] == target)
			return;
	}
	if (target && g->nr_targets < MAX_NAMED)
		g->targets[g->nr_targets++] = target;
}

/* a manager only stands for those on its list */
static size_t count_ops(const struct otst_ftrace_function *f)
{
	size_t i, n = 0;

	for (i = 0; i < f->nr_ops; i++)
		n += !f->ops[i]->manager;
	return n;
}

static const char *describe_group(struct otst *o, const struct group *g)
{
	const char *s;

	s = otst_format(
		o,
		"%zu function%s counted as hooked by more ftrace_ops than ftrace_ops_list has for %s: "
		"%s counts %" PRIu64 ", has %zu",
		g->count, otst_number(g->count, " is", "s are"),
		otst_number(g->count, "it", "them"), otst_ftrace_site_name(o, g->first->site.ip),
		g->first->count, g->has);
	for (size_t i = 0; i < g->nr_targets; i++) {
		uint64_t ops = otst_trampoline_ops(o, g->targets[i]), func;
		struct otst_sym sym = { 0 }, of = { 0 };

		if (ops && !otst_read_member(o, "ftrace_ops", ops, "func", &func))
			otst_symbolize_all(o, func, &sym);
		if (ops)
			otst_symbolize_all(o, ops, &of);
		s = otst_format(o,
				"%s; a trampoline of no ops in the list, 0x%" PRIx64 "%s%s%s%s%s",
				s, g->targets[i], ops ? ", of ftrace_ops " : "",
				!ops			  ? "" :
				of.name && of.addr == ops ? of.name :
							    "without a name",
				sym.name ? " (" : "", sym.name ? sym.name : "",
				sym.name ? ")" : "");
	}
	return s;
}

static void report_more(struct otst *o, struct otst_audit *a, const struct group *g)
{
	uint64_t ops = g->nr_targets ? otst_trampoline_ops(o, g->targets[0]) : 0;

	if (g->count)
		otst_finding_record(o, a, OTST_FINDING_RECORD, g->first->site.ip,
				    ops ? ops : g->first->site.record, describe_group(o, g));
}

static void report_fewer(struct otst *o, struct otst_audit *a, const struct group *g)
{
	if (!g->count)
		return;
	otst_finding_record(
		o, a, OTST_FINDING_RECORD, g->first->site.ip, g->first->site.record,
		otst_format(o,
			    "%zu function%s counted as hooked by fewer ftrace_ops than want %s: "
			    "%s counts %" PRIu64 ", %zu want it",
			    g->count, otst_number(g->count, " is", "s are"),
			    otst_number(g->count, "it", "them"),
			    otst_ftrace_site_name(o, g->first->site.ip), g->first->count, g->has));
}

/* functions that an ops names, but whose record is off */
static void check_filter(struct otst *o, struct otst_audit *a, const struct otst_ftrace_ops *ops,
			 uint64_t enabled)
{
	struct otst_ftrace_site site;
	uint64_t first = 0;
	size_t i, n = 0;

	for (i = 0; i < ops->filter.count; i++) {
		uint64_t ip = ops->filter.ips[i];

		if (!otst_ftrace_ops_has(ops, ip) || !otst_ftrace_site_at(o, ip, &site) ||
		    site.flags & enabled)
			continue;
		first = n++ ? first : ip;
	}
	if (!n)
		return;
	otst_finding_record(
		o, a, OTST_FINDING_RECORD, first, ops->addr,
		otst_format(o, "an ftrace_ops that is on hooks %zu function%s whose record is off",
			    n, otst_number(n, "", "s")));
}

int otst_audit_ftrace(struct otst *o, struct otst_audit *a, const struct otst_ftrace_list *list)
{
	struct otst_ftrace_functions all;
	struct group more = { 0 }, fewer = { 0 };
	size_t i, has;
	int err;

	/* when ftrace is off, or was shut down after a bug, nothing updates the records */
	if (!list->enabled || list->dead)
		return 0;
	err = otst_ftrace_functions(o, list, NULL, NULL, &all);
	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : otst_note(o, &a->errors, err);
	otst_notes_once(o, &a->errors, &all.errors);
	a->records += all.sites;
	for (i = 0; i < all.count; i++)
		otst_audit_direct(o, a, &all.items[i]);
	/* a list or a filter that could not be read would make all of them wrong */
	for (i = 0; i < all.count && !all.incomplete; i++) {
		const struct otst_ftrace_function *f = &all.items[i];

		has = count_ops(f);
		if (f->count > has) {
			count_function(&more, f, has);
			if (f->site.flags & all.bits.tramp_en && !f->nr_tramps)
				add_record_target(&more, otst_ftrace_call_target(o, f->site.ip));
		} else if (f->count < has) {
			count_function(&fewer, f, has);
		}
	}
	report_more(o, a, &more);
	report_fewer(o, a, &fewer);
	for (i = 0; i < list->count && all.bits.enabled; i++) {
		if (list->items[i]->active && !list->items[i]->manager &&
		    list->items[i]->hashes_read)
			check_filter(o, a, list->items[i], all.bits.enabled);
	}
	return err;
}
