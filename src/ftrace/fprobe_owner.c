// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * fprobe_owner.c - the owner of a struct fprobe, as told by its handlers.
 */
#include "../base/coverage.h"
#include "../capturers/owner.h"
#include "ftrace.h"

#define MAX_NAME 256u

/* group:event of the struct trace_fprobe around the fprobe at @fp */
static const char *name_event(struct otst *o, uint64_t fp)
{
	static const char event[] = "trace_probe_event";
	const struct otst_member *m;
	const char *group, *name;
	uint64_t at;

	if (otst_member(o, "trace_fprobe", "fp", &m) ||
	    otst_read_member(o, "trace_fprobe", fp - m->offset, "tp.event", &at) ||
	    otst_read_member_string(o, event, at, "call.name", MAX_NAME, &name) ||
	    otst_read_member_string(o, event, at, "class.system", MAX_NAME, &group))
		return NULL;
	return otst_format(o, "%s:%s", group, name);
}

bool otst_fprobe_is_multi(struct otst *o, uint64_t handler)
{
	return otst_handler_is(o, handler, "kprobe_multi_link_handler") ||
	       otst_handler_is(o, handler, "kprobe_multi_link_exit_handler");
}

void otst_fprobe_owner_of(struct otst *o, uint64_t fp, uint64_t handler, struct otst_owner *ret)
{
	bool is_return = otst_handler_is(o, handler, "fexit_dispatcher");

	if (is_return || otst_handler_is(o, handler, "fentry_dispatcher")) {
		*ret = (struct otst_owner){ .kind = OTST_OWNER_EVENT,
					    .name = name_event(o, fp),
					    .event_type = is_return ? 'r' : 'p' };
	} else if (otst_fprobe_is_multi(o, handler)) {
		*ret = (struct otst_owner){ .kind = OTST_OWNER_BPF, .name = "kprobe_multi" };
	} else {
		otst_owner_of_code(o, handler, ret);
	}
}

bool otst_fprobe_owner(struct otst *o, uint64_t fp, struct otst_owner *ret)
{
	struct otst_view v;
	uint64_t handler;

	if (otst_view_read(o, "fprobe", fp, &v))
		return false;
	handler = otst_u64(&v, "entry_handler");
	handler = handler ?: otst_u64(&v, "exit_handler");
	if (otst_lack(o, v.err) || !handler)
		return false;
	otst_fprobe_owner_of(o, fp, handler, ret);
	return true;
}
