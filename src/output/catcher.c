// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * catcher.c - struct otst_catcher: its description, and its lines in -v.
 */
#include <inttypes.h>

#include "catcher.h"

static const char *number_or_dash(struct otst *o, const struct otst_number *n)
{
	const char *s = n->known ? otst_format(o, "%" PRId64, n->value) : "unknown";

	return s ? s : "?";
}

/* as the kernel log prints it */
static const char *seconds_text(struct otst *o, const struct otst_number *n)
{
	uint64_t t = (uint64_t)n->value;
	const char *s = n->known ? otst_format(o, "%" PRIu64 ".%06" PRIu64, t / 1000000000,
					       t % 1000000000 / 1000) :
				   "never";

	return s ? s : "?";
}

static const char *action_name(const struct otst_number *action)
{
	if (!action->known)
		return "";
	switch (action->value) {
	case 0:
		return " (nothing)";
	case 1:
		return " (dump_stack)";
	case 2:
		return " (panic)";
	default:
		return "";
	}
}

static const char *state_text(const struct otst_catcher *k)
{
	switch (k->state) {
	case OTST_CATCHER_FIRED:
		return "fired, waiting to be removed";
	case OTST_CATCHER_REMOVED:
		return "fired and removed";
	case OTST_CATCHER_UNKNOWN:
	case OTST_CATCHER_ARMED:
	case OTST_CATCHER_COUNT:
		break;
	}
	return otst_catcher_state_name(k->state);
}

static void print_parameters(struct otst_printer *p, const struct otst_catcher *k)
{
	struct otst *o = p->o;

	otst_printf(p, "    %-14s symbol=%s count=%s action=%s%s", "parameters",
		    k->symbol ? k->symbol : "unknown", number_or_dash(o, &k->count),
		    number_or_dash(o, &k->action), action_name(&k->action));
	if (k->flags.known)
		otst_printf(p, " flags=0x%" PRIx64, (uint64_t)k->flags.value);
	else
		otst_printf(p, " flags=unknown");
	otst_printf(p, " verbose=%s\n", number_or_dash(o, &k->verbose));
	otst_printf(p, "    %-14s %s before, %s after the instruction; of count %s left\n", "hits",
		    number_or_dash(o, &k->hits), number_or_dash(o, &k->post_hits),
		    k->left.known && k->left.value < 0 ? "no limit is" :
							 number_or_dash(o, &k->left));
}

void otst_print_catcher(struct otst_printer *p, const struct otst_probe *pr)
{
	const struct otst_catcher *k = pr->catcher;
	struct otst *o = p->o;

	otst_printf(p, "    %-14s %s; known by %s%s", otst_probe_kind(pr->kind)->name,
		    state_text(k), k->found, k->historic ? " of the historic module" : "");
	if (k->element)
		otst_printf(p, ", record 0x%" PRIx64, k->element);
	otst_printf(p, "\n");
	if (pr->kind == OTST_PROBE_ALLIE)
		print_parameters(p, k);
	else if (k->symbol)
		otst_printf(p, "    %-14s %s\n", "written as", k->symbol);
	if (k->captures.known)
		otst_printf(p, "    %-14s %s, %s dropped\n", "captures",
			    number_or_dash(o, &k->captures), number_or_dash(o, &k->dropped));
	if (k->armed_time.known)
		otst_printf(p, "    %-14s armed %s, fired %s, removed %s; armed %s times in all\n",
			    "times", seconds_text(o, &k->armed_time),
			    seconds_text(o, &k->fired_time), seconds_text(o, &k->removed_time),
			    number_or_dash(o, &k->armed_count));
}

#define ROW_KNOWN(r, name, number, ...) \
	ROW_NUMBER_OR_NULL(r, name, (number).known, (number).value, __VA_ARGS__)

static void catcher_rows(struct otst_rows *r, const void *item)
{
	const struct otst_catcher *k = item;

	ROW_TEXT(r, "state", otst_catcher_state_name(k->state), .names = otst_catcher_state_name,
		 .count = OTST_CATCHER_COUNT, .what = "fired: waits to be removed");
	ROW_TEXT(r, "found", k->found,
		 .words = "registry|otst_kprobes|statics|parameters|shape|handler",
		 .what = "how it was recognised");
	ROW_BOOL(r, "historic", k->historic, .what = "otst of 2011, allie of 2007");
	ROW_ADDRESS_OR_NULL(r, "element", k->element,
			    .what = "the module's record around the kprobe");
	ROW_TEXT_OR_NULL(r, "symbol", k->symbol, .what = "as its user wrote it");
	ROW_KNOWN(r, "count", k->count, .what = "captures allowed, negative: no limit");
	ROW_KNOWN(r, "left", k->left, .what = "of count");
	ROW_KNOWN(r, "action", k->action, .what = "0 nothing, 1 dump_stack, 2 panic");
	ROW_KNOWN(r, "flags", k->flags, .what = "of the kprobe, as given");
	ROW_KNOWN(r, "verbose", k->verbose);
	ROW_KNOWN(r, "hits", k->hits, .what = "before the probed instruction");
	ROW_KNOWN(r, "post_hits", k->post_hits, .what = "after it");
	ROW_KNOWN(r, "captures", k->captures);
	ROW_KNOWN(r, "dropped", k->dropped, .what = "captures for want of a free record");
	ROW_KNOWN(r, "armed_count", k->armed_count);
	ROW_KNOWN(r, "armed_time", k->armed_time, .what = "ns of local_clock()");
	ROW_KNOWN(r, "fired_time", k->fired_time);
	ROW_KNOWN(r, "removed_time", k->removed_time);
}

const struct otst_object otst_catcher_object = { OTST_PART, "catcher", catcher_rows,
						 "what otst or allie knows about its probe" };

const struct otst_catcher *otst_catcher_of(const struct otst_probe *pr, enum otst_probe_kind kind)
{
	return pr->kind == kind ? pr->catcher : NULL;
}
