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
		const char *chain = chains[i].symbol;

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
			err = otst_registry_give(r, chain, "notifier_block", at, "notifier_call");
		err = err ?: otst_registry_lost(r, w.err, chain);
	}
	return err;
}
