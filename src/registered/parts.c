// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * parts.c - the parts of the kernel that are asked, in order.
 */
#include "registered.h"

int otst_registered(const struct otst_registered_walk *r)
{
	static const struct {
		otst_registry_fn *walk;
		enum otst_registered_kind kind;
	} parts[] = {
		{ otst_registered_netfilter, OTST_REGISTERED_NETFILTER },
		{ otst_registered_packets, OTST_REGISTERED_PACKET },
		{ otst_registered_security, OTST_REGISTERED_SECURITY },
		{ otst_registered_notifiers, OTST_REGISTERED_NOTIFIER },
		{ otst_registered_timers, OTST_REGISTERED_TIMER },
		{ otst_registered_work, OTST_REGISTERED_WORK },
		{ otst_registered_rcu, OTST_REGISTERED_WORK },
		{ otst_registered_threads, OTST_REGISTERED_KTHREAD },
		{ otst_registered_formats, OTST_REGISTERED_BINFMT },
		{ otst_registered_consoles, OTST_REGISTERED_CONSOLE },
		{ otst_registered_ttys, OTST_REGISTERED_TTY },
		{ otst_registered_keys, OTST_REGISTERED_SYSRQ },
		{ otst_registered_input, OTST_REGISTERED_INPUT },
		{ otst_registered_interrupts, OTST_REGISTERED_INTERRUPT },
		{ otst_registered_files, OTST_REGISTERED_PROC },
		{ otst_registered_tables, OTST_REGISTERED_TABLE },
	};
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(parts) / sizeof(*parts) && !err; i++) {
		struct otst_registered_walk own = *r;
		struct otst_set seen = { 0 };

		if (r->only && *r->only != parts[i].kind)
			continue;
		own.kind = parts[i].kind;
		own.seen = &seen;
		err = parts[i].walk(&own);
		err = err ?: otst_check(r->o);
	}
	return err;
}
