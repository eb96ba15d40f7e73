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

/* the callbacks of the chain whose head is at @at */
static int give_chain(const struct otst_registered_walk *r, const char *chain, const char *head,
		      uint64_t at)
{
	const struct otst_member *next;
	struct otst *o = r->o;
	struct otst_walk w;
	uint64_t first;
	int err = otst_member(o, "notifier_block", "next", &next);

	err = err ?: otst_read_member(o, head, at, "head", &first);
	if (err)
		return otst_registry_lost(r, err, chain);
	otst_walk_chain(o, first, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &at))
		err = otst_registry_give(r, chain, "notifier_block", at, "notifier_call");
	return err ?: otst_registry_lost(r, w.err, chain);
}

int otst_registered_notifiers(const struct otst_registered_walk *r)
{
	struct otst_registered_walk own = *r;
	uint64_t at;
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(chains) / sizeof(*chains) && !err; i++) {
		own.dying = chains[i].dying;
		at = otst_symbol_or0(r->o, chains[i].symbol);
		err = at ? give_chain(&own, chains[i].symbol, chains[i].head, at) : 0;
	}
	return err;
}
