// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * notifiers.c - what the kernel calls when something happens: panic, a fault, a key, a module
 * (struct notifier_block of include/linux/notifier.h). A module that is unloaded and stays on a
 * chain is called all the same.
 */
#include "registered.h"

static const struct {
	const char *symbol;
	const char *head; /* its type */
	bool dying;
} chains[] = {
	{ "panic_notifier_list", "atomic_notifier_head", true },
	{ "die_chain", "atomic_notifier_head", true },
	{ "restart_handler_list", "atomic_notifier_head", true },
	{ "keyboard_notifier_list", "atomic_notifier_head", false },
	{ "vt_notifier_list", "atomic_notifier_head", false },
	{ "inet6addr_chain", "atomic_notifier_head", false },
	{ "reboot_notifier_list", "blocking_notifier_head", true },
	{ "module_notify_list", "blocking_notifier_head", false },
	{ "inetaddr_chain", "blocking_notifier_head", false },
	{ "oom_notify_list", "blocking_notifier_head", false },
	{ "pm_chain_head", "blocking_notifier_head", false },
	{ "crypto_chain", "blocking_notifier_head", false },
	{ "usb_notifier_list", "blocking_notifier_head", false },
	{ "netdev_chain", "raw_notifier_head", false },
};

int otst_registered_notifiers(const struct otst_registered_walk *r)
{
	const struct otst_member *next;
	struct otst *o = r->o;
	uint64_t at, first;
	struct otst_walk w;
	size_t i;
	int err = 0;

	if (!otst_has_member(o, "notifier_block", "next") ||
	    otst_member(o, "notifier_block", "next", &next))
		return 0;
	for (i = 0; i < sizeof(chains) / sizeof(*chains) && !err; i++) {
		struct otst_registered_walk own = *r;
		const char *chain = chains[i].symbol;

		own.dying = chains[i].dying;
		at = otst_symbol_or0(o, chain);
		if (!at || !otst_has_member(o, chains[i].head, "head"))
			continue;
		err = otst_read_member(o, chains[i].head, at, "head", &first);
		if (err) {
			err = otst_registry_lost(r, err, chain);
			continue;
		}
		otst_walk_chain(o, first, next->offset, 0, &w);
		while (!err && otst_walk_next(&w, &at))
			err = otst_registry_give(&own, chain, "notifier_block", at,
						 "notifier_call");
		err = err ?: otst_registry_lost(r, w.err, chain);
	}
	return err;
}
