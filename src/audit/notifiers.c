// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * notifiers.c - what the kernel calls when something happens: panic, a fault, a key, a module
 * (struct notifier_block of include/linux/notifier.h). A module that is unloaded and stays on a
 * chain is called all the same.
 */
#include "../memory/walk.h"
#include "expect.h"

static const struct {
	const char *symbol;
	const char *head; /* its type */
} chains[] = {
	{ "panic_notifier_list", "atomic_notifier_head" },
	{ "die_chain", "atomic_notifier_head" },
	{ "restart_handler_list", "atomic_notifier_head" },
	{ "keyboard_notifier_list", "atomic_notifier_head" },
	{ "vt_notifier_list", "atomic_notifier_head" },
	{ "inet6addr_chain", "atomic_notifier_head" },
	{ "reboot_notifier_list", "blocking_notifier_head" },
	{ "module_notify_list", "blocking_notifier_head" },
	{ "inetaddr_chain", "blocking_notifier_head" },
	{ "oom_notify_list", "blocking_notifier_head" },
	{ "pm_chain_head", "blocking_notifier_head" },
	{ "crypto_chain", "blocking_notifier_head" },
	{ "usb_notifier_list", "blocking_notifier_head" },
	{ "netdev_chain", "raw_notifier_head" },
};

static int check_chain(struct otst *o, struct otst_audit *a, const char *chain, uint64_t first,
		       uint64_t next)
{
	struct otst_walk w;
	struct otst_view v;
	uint64_t at;
	int err = 0;

	otst_walk_chain(o, first, next, 0, &w);
	while (!err && otst_walk_next(&w, &at)) {
		a->records++;
		err = otst_view_read(o, "notifier_block", at, &v);
		if (!err) {
			otst_audit_pointer(o, a, chain, "notifier_call",
					   otst_u64(&v, "notifier_call"), at);
			err = v.err;
		}
	}
	err = err ?: w.err;
	return err ? otst_note(o, &a->errors, otst_fail(o, err, "%s", chain)) : 0;
}

int otst_audit_notifiers(struct otst *o, struct otst_audit *a)
{
	const struct otst_member *next;
	uint64_t at, first;
	size_t i;
	int err = 0;

	if (!otst_has_member(o, "notifier_block", "next") ||
	    otst_member(o, "notifier_block", "next", &next))
		return otst_check(o);
	for (i = 0; i < sizeof(chains) / sizeof(*chains) && !err; i++) {
		at = otst_symbol_or0(o, chains[i].symbol);
		if (!at || !otst_has_member(o, chains[i].head, "head"))
			continue;
		err = otst_read_member(o, chains[i].head, at, "head", &first);
		err = err ? otst_note(o, &a->errors, otst_fail(o, err, "%s", chains[i].symbol)) :
			    check_chain(o, a, chains[i].symbol, first, next->offset);
	}
	return err ? err : otst_check(o);
}
