// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * select.c - which entries are wanted: kinds, cpus, times, functions, events.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "../names/lookup.h"
#include "select.h"
#include "../traces/traces.h"

/* ---- kinds ---- */

enum group {
#define GROUP(group, name, help) GROUP_##group,
#include "entries.def"
};

static const char *const names[] = {
#define GROUP(group, name, help) name,
#include "entries.def"
};

static const uint8_t group_of[OTST_TF_KINDS] = {
	[OTST_TF_UNKNOWN] = GROUP_OTHER,
#define ENTRY(type, json, group, print, raw, hex) [OTST_TF_##type] = GROUP_##group,
#include "entries.def"
	[OTST_TF_EVENT] = GROUP_EVENT,
};

const char *const *otst_tracefile_kinds(void)
{
	static const char *const kinds[] = {
#define GROUP(group, name, help) name, help,
#include "entries.def"
		NULL,
	};

	return kinds;
}

static int add_entry_kind(struct otst *o, struct otst_tf_select *s, const char *name, size_t len)
{
	size_t i, kind;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			break;
	}
	if (i == sizeof(names) / sizeof(*names))
		return otst_raise_unlisted(o, "kind", name, len, "-t -k help");
	for (kind = 0; kind < OTST_TF_KINDS; kind++)
		s->kinds[kind] |= group_of[kind] == i;
	return 0;
}

static int choose_kinds(struct otst *o, struct otst_tf_select *s)
{
	const char *list = s->filter->kinds;
	size_t len;
	int err = 0;

	if (!list)
		memset(s->kinds, true, sizeof(s->kinds));
	for (; list && !err; list = list[len] ? list + len + 1 : NULL) {
		len = strcspn(list, ",");
		err = add_entry_kind(o, s, list, len);
	}
	return err;
}

/* ---- cpus ---- */

static int choose_cpus(struct otst *o, struct otst_tf_select *s)
{
	const char *list = s->filter->cpus;
	unsigned int nr = s->tf->nr_cpus, cpu;
	uint64_t *bits;
	int err;

	if (!list)
		return 0;
	err = otst_cpus_check(o, list, true);
	if (err)
		return err;
	bits = otst_alloc(o, (nr / 64 + 1) * sizeof(*bits));
	if (!bits)
		return otst_no_memory(o);
	for (cpu = 0; cpu < nr; cpu++) {
		if (otst_cpu_wanted(list, (int)cpu))
			bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	}
	s->reader.cpus = bits;
	s->reader.nr_cpus = nr;
	/* "2" is one cpu's file; "2-2" a choice of cpus */
	s->single_cpu = list[strspn(list, "0123456789")] == '\0';
	return 0;
}

/* ---- times ---- */

#define SECOND UINT64_C(1000000000)

/*
 * Seconds with up to nine digits after the point, or a plain number if the
 * clock does not count nanoseconds. @digits: how many digits there were.
 */
static int parse_time(struct otst *o, const struct otst_tf *tf, const char *s, uint64_t *ret,
		      unsigned int *digits)
{
	uint64_t unit = SECOND;
	char *end;

	*ret = strtoull(s, &end, 10);
	*digits = 0;
	if (isdigit((unsigned char)*s) && tf->in_ns && *ret < UINT64_MAX / SECOND) {
		*ret *= SECOND;
		if (*end == '.') {
			for (end++; isdigit((unsigned char)*end) && unit > 1; end++, ++*digits)
				*ret += (uint64_t)(*end - '0') * (unit /= 10);
		}
	}
	if (!isdigit((unsigned char)*s) || *end)
		return otst_raise(o, OTST_ERR_USAGE, "no time %s: \"%s\"",
				  tf->in_ns ? "in seconds" : "of this clock", otst_clean(o, s));
	return 0;
}

/* a time as printed, in microseconds, means all times that round to it */
static int choose_times(struct otst *o, struct otst_tf_select *s)
{
	const struct otst_tf *tf = s->tf;
	unsigned int digits;
	uint64_t t, since = 0;
	int err = 0;

	s->reader.from = s->filter->consumed ? 0 : s->time_start;
	s->reader.to = UINT64_MAX;
	if (s->filter->from) {
		err = parse_time(o, tf, s->filter->from, &t, &digits);
		since = t;
		if (!err && tf->in_ns && digits <= 6)
			t = t > 500 ? t - 500 : 0;
		if (!err && t > s->reader.from)
			s->reader.from = t;
	}
	if (!err && s->filter->to) {
		err = parse_time(o, tf, s->filter->to, &t, &digits);
		if (!err && s->filter->from && since > t)
			return otst_raise(o, OTST_ERR_USAGE, "--from %s is after --to %s",
					  otst_clean(o, s->filter->from),
					  otst_clean(o, s->filter->to));
		if (!err)
			s->reader.to = tf->in_ns && digits <= 6 ? t + 499 : t;
	}
	return err;
}

/* ---- functions and events ---- */

static bool matches_function(struct otst_tf_select *s, uint64_t addr)
{
	struct otst_tf_name *n = otst_tf_name(s->tf, addr + s->tf->delta);

	if (!n->matched)
		n->matched = s->filter->chosen(s->filter->priv, n->addr, &n->sym) ? 2 : 1;
	return n->matched == 2;
}

static bool matches_event(struct otst_tf_select *s, uint16_t id)
{
	const struct otst_event_format *f;

	if (s->events[id])
		return s->events[id] == 2;
	f = otst_event_names(s->tf->o, id);
	s->events[id] = 1;
	for (size_t i = 0; f && i < s->filter->nr_names; i++) {
		if (!otst_event_name_matches(f, s->filter->names[i]))
			continue;
		s->events[id] = 2;
		if (s->filter->met)
			s->filter->met[i] = true;
	}
	return s->events[id] == 2;
}

static bool is_chosen_entry(struct otst_tf_select *s, const struct otst_record *r,
			    enum otst_tf_kind kind)
{
	const struct otst_tf_layout *at = &s->tf->kernel.at;

	switch (kind) {
	case OTST_TF_FN:
		return matches_function(s, otst_tf_get(r, at->fn_ip));
	case OTST_TF_FUNC_REPEATS:
		return matches_function(s, otst_tf_get(r, at->rep_ip));
	case OTST_TF_GRAPH_ENT:
	case OTST_TF_GRAPH_RETADDR_ENT:
		return matches_function(s, otst_tf_get(r, at->ent_func));
	case OTST_TF_GRAPH_RET:
		return matches_function(s, otst_tf_get(r, at->ret_func));
	case OTST_TF_EVENT:
		return matches_event(s, r->type);
	case OTST_TF_STACK:
	case OTST_TF_USER_STACK:
		/* a stack belongs to the entry before it */
		return s->before[r->cpu];
	/* these are of no function and no event */
	case OTST_TF_CTX:
	case OTST_TF_WAKE:
	case OTST_TF_PRINT:
	case OTST_TF_BPRINT:
	case OTST_TF_MMIO_RW:
	case OTST_TF_MMIO_MAP:
	case OTST_TF_BRANCH:
	case OTST_TF_BLK:
	case OTST_TF_BPUTS:
	case OTST_TF_HWLAT:
	case OTST_TF_OSNOISE:
	case OTST_TF_TIMERLAT:
	case OTST_TF_RAW_DATA:
	case OTST_TF_UNKNOWN:
	case OTST_TF_KINDS:
		break;
	}
	return false;
}

static bool is_chosen_record(void *priv, const struct otst_record *r)
{
	struct otst_tf_select *s = priv;
	enum otst_tf_kind kind = otst_tf_kind(&s->tf->kernel, r->type);
	bool match;

	if (!r->consumed && r->time < s->time_start)
		return false;
	if (!s->filter->chosen)
		return s->kinds[kind];
	match = is_chosen_entry(s, r, kind);
	if (r->cpu < s->tf->nr_cpus)
		s->before[r->cpu] = match;
	return match && s->kinds[kind];
}

int otst_tf_select(struct otst_tf *tf, const struct otst_tracefile_filter *filter,
		   struct otst_tf_select *ret)
{
	int err;

	*ret = (struct otst_tf_select){ .tf = tf, .filter = filter, .time_start = tf->time_start };
	ret->reader.pid = filter->pid;
	ret->reader.last = filter->last;
	err = choose_kinds(tf->o, ret);
	err = err ?: choose_cpus(tf->o, ret);
	err = err ?: choose_times(tf->o, ret);
	if (err)
		return err;
	if (!filter->kinds && !filter->chosen && !filter->consumed)
		return 0;
	ret->events = otst_alloc(tf->o, UINT16_MAX + 1);
	ret->before = otst_alloc(tf->o, tf->nr_cpus + 1);
	if (!ret->events || !ret->before)
		return otst_no_memory(tf->o);
	ret->reader.chosen = is_chosen_record;
	ret->reader.priv = ret;
	return 0;
}
