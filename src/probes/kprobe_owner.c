// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kprobe_owner.c - who put a kprobe there. The handler tells: functions of
 * kernel/trace/trace_kprobe.c stand for trace events and perf's local probes,
 * whose structure surrounds the record (event.c); a function of a module
 * stands for that module.
 */

#include "probes.h"

static uint64_t handler(const struct otst_probe *p, enum otst_handler_role role)
{
	const struct otst_handler *h = otst_probe_handler(p, role);

	return h ? h->addr : 0;
}

/* struct trace_kprobe, or struct trace_probe before it was factored out of that, around the kprobe */
static int own_by_event(struct otst *o, struct otst_probe *p, char letter)
{
	const char *type = otst_has_member(o, "trace_kprobe", "rp") ? "trace_kprobe" :
								      "trace_probe";
	const struct otst_member *rp;
	int err = otst_member(o, type, "rp", &rp);

	return err ? err : otst_event_owner(o, p, type, p->record - rp->offset, letter);
}

int otst_owner(struct otst *o, struct otst_probe *p)
{
	p->owner = (struct otst_owner){ .kind = OTST_OWNER_UNKNOWN };
	if (otst_handler_is(o, handler(p, OTST_HANDLER_PRE), "kprobe_dispatcher"))
		return own_by_event(o, p, 'p');
	if (otst_handler_is(o, handler(p, OTST_HANDLER_RETURN), "kretprobe_dispatcher"))
		return own_by_event(o, p, 'r');
	otst_owner_of_handlers(o, p);
	return 0;
}
