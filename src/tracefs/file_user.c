// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_user.c - user_events_status: the events that programs have defined, and who uses
 * them (user_seq_show() of kernel/trace/trace_events_user.c).
 */
#include <inttypes.h>

#include "../probes/probes.h"
#include "tracefs.h"

static int put_event(struct otst_array_view *a, uint64_t addr, size_t *busy)
{
	struct otst_user_event e;
	int err = otst_user_event_read(a->o, addr, &e);

	if (err)
		return otst_note(a->o, &a->out->errors,
				 otst_fail(a->o, err, "user_event 0x%" PRIx64, addr));
	*busy += e.status != 0;
	return otst_line(a->out, "%s%s%s", e.event, e.status ? " # Used by" : "",
			 otst_user_event_users(a->o, e.status));
}

int otst_file_user_events(struct otst_array_view *a)
{
	struct otst_vec events = { 0 };
	size_t i, busy = 0;
	int err = otst_user_events(a->o, &events, &a->out->errors);

	for (i = 0; i < events.count && !err; i++)
		err = put_event(a, ((const uint64_t *)events.data)[i], &busy);
	err = err ?: otst_line(a->out, "%s", "");
	err = err ?: otst_line(a->out, "Active: %zu", events.count);
	return err ?: otst_line(a->out, "Busy: %zu", busy);
}
