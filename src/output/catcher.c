// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * catcher.c - struct otst_catcher as lines of fields and as a JSON object.
 */
#include <inttypes.h>

#include "catcher.h"

static const char *number(struct otst *o, const struct otst_number *n)
{
	const char *s = n->known ? otst_format(o, "%" PRId64, n->value) : "unknown";

	return s ? s : "?";
}

/* as the kernel log prints it */
static const char *seconds(struct otst *o, const struct otst_number *n)
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
	default:
		return otst_catcher_state_name(k->state);
	}
}

static void print_parameters(struct otst_printer *p, const struct otst_catcher *k)
{
	struct otst *o = p->o;

	otst_printf(p, "    %-14s symbol=%s count=%s action=%s%s", "parameters",
		    k->symbol ? k->symbol : "unknown", number(o, &k->count), number(o, &k->action),
		    action_name(&k->action));
	if (k->flags.known)
		otst_printf(p, " flags=0x%" PRIx64, (uint64_t)k->flags.value);
	else
		otst_printf(p, " flags=unknown");
	otst_printf(p, " verbose=%s\n", number(o, &k->verbose));
	otst_printf(p, "    %-14s %s before, %s after the instruction; of count %s left\n", "hits",
		    number(o, &k->hits), number(o, &k->post_hits),
		    k->left.known && k->left.value < 0 ? "no limit is" : number(o, &k->left));
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
		otst_printf(p, "    %-14s %s, %s dropped\n", "captures", number(o, &k->captures),
			    number(o, &k->dropped));
	if (k->armed_time.known)
		otst_printf(p, "    %-14s armed %s, fired %s, removed %s; armed %s times in all\n",
			    "times", seconds(o, &k->armed_time), seconds(o, &k->fired_time),
			    seconds(o, &k->removed_time), number(o, &k->armed_count));
}

static void json_number(struct json_object *j, const char *key, const struct otst_number *n)
{
	if (n->known)
		otst_json_s64(j, key, n->value);
	else
		otst_json_null(j, key);
}

struct json_object *otst_json_catcher(const struct otst_probe *pr, enum otst_probe_kind kind)
{
	const struct otst_catcher *k = pr->catcher;
	struct json_object *j;

	if (!k || pr->kind != kind)
		return NULL;
	j = otst_json_new(NULL);
	otst_json_string(j, "state", otst_catcher_state_name(k->state));
	otst_json_string(j, "found", k->found);
	otst_json_bool(j, "historic", k->historic);
	if (k->element)
		otst_json_address(j, "element", k->element);
	else
		otst_json_null(j, "element");
	otst_json_string(j, "symbol", k->symbol);
	json_number(j, "count", &k->count);
	json_number(j, "left", &k->left);
	json_number(j, "action", &k->action);
	json_number(j, "flags", &k->flags);
	json_number(j, "verbose", &k->verbose);
	json_number(j, "hits", &k->hits);
	json_number(j, "post_hits", &k->post_hits);
	json_number(j, "captures", &k->captures);
	json_number(j, "dropped", &k->dropped);
	json_number(j, "armed_count", &k->armed_count);
	json_number(j, "armed_time", &k->armed_time);
	json_number(j, "fired_time", &k->fired_time);
	json_number(j, "removed_time", &k->removed_time);
	return j;
}
