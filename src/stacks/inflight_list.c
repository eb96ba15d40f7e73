// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inflight_list.c - what all records of calls in flight have: a list, and members by name.
 */
#include "inflight.h"

const char *otst_inflight_kind_name(enum otst_inflight_kind kind)
{
	static const char *const names[] = { "kretprobe", "fprobe", "rethook", "fgraph" };

	return kind <= OTST_INFLIGHT_GRAPH ? names[kind] : "unknown";
}

const struct otst_member *otst_inflight_member(struct otst *o, const char *type, const char *member)
{
	const struct otst_member *m;

	return otst_has_member(o, type, member) && !otst_member(o, type, member, &m) ? m : NULL;
}

struct otst_inflight *otst_inflight_add(struct otst_inflight_list *list,
					enum otst_inflight_kind kind, uint64_t record,
					uint64_t task)
{
	struct otst_inflight **slot = otst_vec_push(list->o, &list->items, sizeof(*slot));
	struct otst_inflight *i = otst_new(list->o, sizeof(*i));

	i->kind = kind;
	i->record = record;
	i->task = task;
	return *slot = i;
}
