// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * live.c - findings of a live kernel. It arms and removes hooks while it is looked at, and what is
 * compared may be from before and after that: a list without the ops that a record counts already.
 * So a finding is believed if it is still there after a while, each time.
 */
#include <string.h>
#include <time.h>

#include "expect.h"

#define LOOKS 3
#define PAUSE (20 * 1000000) /* nanoseconds; doubled each time */

static bool is_same_finding(const struct otst_finding *a, const struct otst_finding *b)
{
	return a->kind == b->kind && a->addr == b->addr && a->record == b->record &&
	       a->len == b->len && a->more == b->more && a->functions == b->functions &&
	       otst_same_text(a->message, b->message) &&
	       (!a->len ||
		(!memcmp(a->found, b->found, a->len) && !memcmp(a->expected, b->expected, a->len)));
}

static bool has_finding(const struct otst_audit *a, const struct otst_finding *f)
{
	const struct otst_finding *found = a->findings.data;
	size_t i;

	for (i = 0; i < a->findings.count && !is_same_finding(&found[i], f); i++)
		;
	return i < a->findings.count;
}

/* leaves out of @a what @other lacks; returns how many */
static size_t keep_common(struct otst_audit *a, const struct otst_audit *other)
{
	struct otst_finding *found = a->findings.data;
	size_t i, kept = 0, gone;

	for (i = 0; i < a->findings.count; i++) {
		if (has_finding(other, &found[i]))
			found[kept++] = found[i];
		else
			a->total -= found[i].more ? found[i].more : 1;
	}
	gone = a->findings.count - kept;
	a->findings.count = kept;
	return gone;
}

int otst_audit_live(struct otst *o, otst_audit_fn *look, struct otst_audit *ret)
{
	const char *why;
	size_t gone = 0;
	int i, err = look(o, ret);

	for (i = 1; i < LOOKS && !err && ret->findings.count; i++) {
		const struct timespec pause = { .tv_nsec = (long)PAUSE << i };
		struct otst_audit again = { .want_all = ret->want_all,
					    .only = ret->only,
					    .nr_only = ret->nr_only };

		nanosleep(&pause, NULL);
		otst_read_anew(o);
		err = look(o, &again);
		gone += err ? 0 : keep_common(ret, &again);
	}
	if (err || !gone)
		return err;
	why = otst_format(o, "%zu came, went or changed while they were read: the kernel runs",
			  gone);
	otst_audit_gap(o, ret, "records", OTST_LOOKED_IN_PART, why);
	return 0;
}
