// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * registered.c - functions that parts of the kernel were given to call (src/registered/) as
 * entries of the list.
 */
#include "probes.h"

struct listing {
	struct otst *o;
	struct otst_vec probes;
};

static int add_registered(void *priv, const struct otst_registered *r)
{
	struct listing *list = priv;
	struct otst_probe *p = otst_probe_add(list->o, &list->probes, otst_registered_probe_kind(r),
					      r->record, r->where);

	p->claim = OTST_CLAIM_ARMED;
	p->evidence.seen = OTST_SEEN_NONE;
	otst_handler_add(list->o, p, OTST_HANDLER_REGISTERED, r->func);
	otst_owner_of_code(list->o, r->func, &p->owner);
	if (r->role)
		otst_probe_fact(list->o, p, "member", r->role, 0);
	return 0;
}

/* every kernel has some of these */
static int find_any(struct otst *o)
{
	static const char *const names[] = { "workqueues", "formats", "net_namespace_list",
					     "panic_notifier_list", "sysrq_key_table" };
	uint64_t at;
	int err = OTST_ERR_LOOKUP;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && err == OTST_ERR_LOOKUP; i++)
		err = otst_symbol(o, names[i], &at);
	return err;
}

/* @only: NULL for all */
static int list_registered(struct otst *o, const enum otst_registered_kind *only,
			   struct otst_probes *ret)
{
	struct listing list = { .o = o };
	struct otst_messages errors = { 0 };
	const struct otst_registered_walk registry = {
		.o = o, .only = only, .take = add_registered, .priv = &list, .errors = &errors
	};
	int err = find_any(o);

	err = err ?: otst_registered(&registry);
	if (err)
		return err;
	*ret = otst_probes_of(&list.probes, &errors);
	return 0;
}

int otst_registered_probes(struct otst *o, struct otst_probes *ret)
{
	return list_registered(o, NULL, ret);
}

int otst_registered_kind_probes(struct otst *o, enum otst_probe_kind kind, struct otst_probes *ret)
{
	const enum otst_registered_kind only =
		(enum otst_registered_kind)((int)kind - (int)OTST_PROBE_NETFILTER);

	return list_registered(o, &only, ret);
}
