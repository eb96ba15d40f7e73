// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap_probe.c - the probes of SystemTap's scripts. Those that are kprobes,
 * tracepoint callbacks or uprobes are listed as such and get their row of the
 * script here. A kprobe that is not registered is added as a removed one. The
 * others (begin, timers, procfs, ...) are of kind "stap".
 */
#include <string.h>

#include "catcher.h"
#include "stap.h"

static void give_row(struct otst *o, struct otst_probe *p, const struct otst_stap *s,
		     const struct otst_stap_row *row)
{
	p->stap = otst_new(o, sizeof(*p->stap));
	p->stap->session = s;
	p->stap->row = row;
	if (!row)
		return;
	if (row->hits_known && !p->hits_known) {
		p->hits = row->hits;
		p->hits_known = true;
	}
	p->error = p->error ?: row->error;
}

/* adds a probe that is in no table of the kernel */
static void add_stap_probe(struct otst *o, struct otst_vec *probes, enum otst_probe_kind kind,
			   uint64_t record, const struct otst_stap *s,
			   const struct otst_stap_row *row)
{
	const char *place = otst_format(o, "stap_probes[%zu] of module %s", (size_t)(row - s->rows),
					s->module->name);
	struct otst_probe *p;

	p = otst_probe_add(o, probes, kind, record, place);
	p->target = row->point ? row->point : "?";
	p->claim = OTST_CLAIM_REMOVED;
	p->evidence.seen = OTST_SEEN_NONE;
	p->owner.kind = OTST_OWNER_SYSTEMTAP;
	p->owner.name = s->module->name;
	p->owner.script = s->script;
	otst_handler_add(o, p, OTST_HANDLER_SCRIPT, row->handler);
	give_row(o, p, s, row);
}

/* ---- kprobes ---- */

static struct otst_probe *find_record(const struct otst_vec *probes, uint64_t record)
{
	struct otst_probe *const *p = probes->data;

	for (size_t i = 0; i < probes->count; i++) {
		if (p[i]->record == record && p[i]->kind != OTST_PROBE_LEFTOVER)
			return p[i];
	}
	return NULL;
}

/*
 * The run-time zeroes a record after it has unregistered it. A record that was never
 * registered has no address either, or has one that the registration refused.
 */
static int add_unregistered(struct otst *o, otst_stray_fn *stray, struct otst_vec *probes,
			    const struct otst_stap *s, const struct otst_stap_link *link)
{
	enum otst_probe_kind kind = link->is_return ? OTST_PROBE_KRETPROBE : OTST_PROBE_KPROBE;
	const struct otst_stap_row *row = &s->rows[link->row];
	struct otst_probe **slot, *p;
	const char *place;
	uint64_t addr;
	int err;

	err = otst_read_member(o, "kprobe", link->kprobe, "addr", &addr);
	if (err && otst_fatal(err))
		return err;
	if (err || !addr) {
		add_stap_probe(o, probes, kind, link->kprobe, s, row);
		p = ((struct otst_probe **)probes->data)[probes->count - 1];
		return otst_probe_error(o, p, err);
	}
	place = otst_format(o, "stap_kprobes of module %s", s->module->name);
	slot = otst_vec_push(o, probes, sizeof(*slot));
	err = stray(o, link->kprobe, place, slot);
	if (err) {
		otst_vec_pop(probes);
		return err;
	}
	(*slot)->kind = kind;
	give_row(o, *slot, s, row);
	return 0;
}

static int add_links(struct otst *o, otst_stray_fn *stray, struct otst_vec *probes,
		     const struct otst_stap *s)
{
	const struct otst_stap_link *link = s->links.data;
	struct otst_probe *p;
	int err = 0;

	for (size_t i = 0; i < s->links.count && !err; i++) {
		p = find_record(probes, link[i].kprobe);
		if (p)
			give_row(o, p, s, &s->rows[link[i].row]);
		else
			err = add_unregistered(o, stray, probes, s, &link[i]);
		err = err ?: otst_check(o);
	}
	return err;
}

int otst_stap_kprobes(struct otst *o, otst_stray_fn *stray, struct otst_probes *probes)
{
	struct otst_vec items = { probes->items, probes->count, probes->count };
	struct otst_messages errors = { probes->errors.texts, probes->errors.count,
					probes->errors.count };
	struct otst_stap *const *s;
	int err = otst_staps(o, &s);

	for (; !err && *s; s++) {
		err = add_links(o, stray, &items, *s);
		if (!err)
			otst_notes(o, &errors, &(*s)->unread);
	}
	probes->items = items.data;
	probes->count = items.count;
	probes->errors = errors;
	/* if a module's tables say nothing, tell at least which session it is */
	for (size_t i = 0; i < probes->count && !err; i++) {
		if (probes->items[i]->owner.kind == OTST_OWNER_SYSTEMTAP && !probes->items[i]->stap)
			otst_stap_attach(o, probes->items[i]);
	}
	return err;
}

/* ---- tracepoints and uprobes ---- */

/* true if this is the row of a tracepoint @name: kernel.trace("sched:sched_switch") */
static bool is_trace_of(const struct otst_stap_row *row, const char *name)
{
	const char *quote = row->point ? strchr(row->point, '"') : NULL, *last, *end;

	if (row->hook != OTST_STAP_TRACEPOINT || !quote)
		return false;
	/* module("ext4").trace("ext4:ext4_sync_file_enter"): the last words in quotes */
	end = strrchr(row->point, '"');
	for (last = end - 1; last > quote && *last != '"' && *last != ':'; last--)
		;
	return (size_t)(end - last - 1) == strlen(name) && !strncmp(last + 1, name, strlen(name));
}

/* callbacks are numbered by the script's tracepoints; only a name that one row has is certain */
static const struct otst_stap_row *tracepoint_row(const struct otst_stap *s, const char *name)
{
	const struct otst_stap_row *found = NULL;

	for (size_t i = 0; i < s->nr_rows; i++) {
		if (!is_trace_of(&s->rows[i], name))
			continue;
		if (found)
			return NULL;
		found = &s->rows[i];
	}
	return found;
}

/* from the translator; the run-time's task finder has its own callbacks, utrace_report_death() */
static bool is_translated(const struct otst_handler *h)
{
	return !h->sym.name || !strncmp(h->sym.name, "enter_", 6);
}

void otst_stap_attach(struct otst *o, struct otst_probe *p)
{
	const struct otst_stap *s = NULL;
	const struct otst_stap_row *row = NULL;

	for (unsigned int i = 0; i < p->nr_handlers && !s; i++)
		s = otst_stap_of(o, otst_module_at(o, p->handlers[i].addr));
	if (!s)
		return;
	if (p->kind == OTST_PROBE_TRACEPOINT && p->target)
		row = is_translated(&p->handlers[0]) ? tracepoint_row(s, p->target) : NULL;
	else if (p->kind == OTST_PROBE_UPROBE)
		row = otst_stap_uprobe(o, s, p->record);
	give_row(o, p, s, row);
}

/* ---- the others ---- */

/* begin is over, never never runs; the others live as long as the session */
static enum otst_claim claim_of(const struct otst_stap *s, const struct otst_stap_row *row)
{
	if (!s->state)
		return OTST_CLAIM_UNKNOWN;
	if (row->point && (!strncmp(row->point, "begin", 5) || !strncmp(row->point, "never", 5)))
		return OTST_CLAIM_REMOVED;
	if (strcmp(s->state, "running") != 0)
		return OTST_CLAIM_DISARMED;
	return row->enabled ? OTST_CLAIM_ARMED : OTST_CLAIM_DISABLED;
}

static int add_other_points(struct otst *o, struct otst_vec *probes, const struct otst_stap *s)
{
	struct otst_probe *p;
	int err = 0;

	for (size_t i = 0; i < s->nr_rows && !err; i++) {
		if (s->rows[i].hook != OTST_STAP_OTHER)
			continue;
		add_stap_probe(o, probes, OTST_PROBE_STAP, s->rows[i].addr, s, &s->rows[i]);
		if (err)
			return err;
		p = ((struct otst_probe **)probes->data)[probes->count - 1];
		p->claim = claim_of(s, &s->rows[i]);
		err = otst_check(o);
	}
	return err;
}

int otst_stap_others(struct otst *o, struct otst_probes *ret)
{
	struct otst_vec items = { 0 };
	struct otst_messages errors = { 0 };
	struct otst_stap *const *s;
	int err = otst_staps(o, &s);

	if (!err && !*s)
		return otst_raise(o, OTST_ERR_LOOKUP, "there is no SystemTap module");
	for (; !err && *s; s++)
		err = add_other_points(o, &items, *s);
	*ret = otst_probes_of(&items, &errors);
	return err;
}
