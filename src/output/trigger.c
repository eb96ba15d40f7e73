// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trigger.c - struct otst_trigger and struct otst_hist as the print functions of
 * kernel/trace/trace_events_trigger.c and trace_events_hist.c print them.
 */
#include <inttypes.h>

#include "../base/text_buffer.h"
#include "trigger.h"

static const char *or_null(const char *s)
{
	return s ? s : "(null)";
}

/* ---- histograms ---- */

/* get_hist_field_flags() */
static const char *form_word(enum otst_hist_form form)
{
	static const char *const words[] = {
		[OTST_HIST_HEX] = "hex",
		[OTST_HIST_SYM] = "sym",
		[OTST_HIST_SYM_OFFSET] = "sym-offset",
		[OTST_HIST_EXECNAME] = "execname",
		[OTST_HIST_SYSCALL] = "syscall",
		[OTST_HIST_LOG2] = "log2",
		[OTST_HIST_BUCKETS] = "buckets",
		[OTST_HIST_USECS] = "usecs",
		[OTST_HIST_PERCENT] = "percent",
		[OTST_HIST_GRAPH] = "graph",
	};

	return words[form];
}

/* hist_field_print() */
static void put_trigger_field(struct otst_text *t, const struct otst_hist *h,
			      const struct otst_hist_field *f)
{
	const char *word = form_word(f->form);

	if (f->var_name)
		otst_text_printf(t, "%s=", f->var_name);
	/* kernels that know common_comm lack an "else" here, and go on to print the name */
	if (f->cpu)
		otst_text_string(t, f->cpu);
	if (f->comm)
		otst_text_string(t, "common_comm");
	else if (f->is_constant && (!f->cpu || h->cpu_twice))
		otst_text_dec(t, f->constant);
	else if (!f->cpu || h->cpu_twice)
		otst_text_printf(t, "%s%s", f->dollar ? "$" : "", f->name);
	if (word && !f->bare)
		otst_text_printf(t, ".%s", word);
	if (f->buckets)
		otst_text_printf(t, "=%" PRId64, (int64_t)f->buckets);
}

static void put_keys(struct otst_text *t, const struct otst_hist *h)
{
	otst_text_string(t, "keys=");
	for (uint32_t i = h->nr_vals; i < h->nr_vals + h->nr_keys; i++) {
		const struct otst_hist_field *k = &h->fields[i];

		otst_text_string(t, i > h->nr_vals ? "," : "");
		if (k->form != OTST_HIST_STACK)
			put_trigger_field(t, h, k);
		else if (!h->old_words && k->stack_field)
			otst_text_printf(t, "%s.stacktrace", k->stack_field);
		else
			otst_text_string(t, h->old_words ? "stacktrace" : "common_stacktrace");
	}
}

static void put_values(struct otst_text *t, const struct otst_hist *h)
{
	const char *before = "";

	otst_text_string(t, ":vals=");
	for (uint32_t i = 0; i < h->nr_vals; i++) {
		if (h->fields[i].var || (!i && h->no_hitcount))
			continue;
		otst_text_string(t, before);
		if (i)
			put_trigger_field(t, h, &h->fields[i]);
		else
			otst_text_string(t, "hitcount");
		before = ",";
	}
	before = ":";
	for (uint32_t i = 0; i < h->nr_vals; i++) {
		if (!h->fields[i].var)
			continue;
		otst_text_string(t, before);
		put_trigger_field(t, h, &h->fields[i]);
		before = ",";
	}
}

static void put_sorts(struct otst_text *t, const struct otst_hist *h)
{
	uint32_t i, field;

	otst_text_string(t, ":sort=");
	for (i = 0; i < h->nr_sorts; i++) {
		field = h->sorts[i].field;
		/* keys come after the variables, which the map does not count */
		if (field >= h->nr_vals - h->nr_vars)
			field += h->nr_vars;
		otst_text_string(t, i ? "," : "");
		if (!h->sorts[i].field)
			otst_text_string(t, "hitcount");
		else if (field < h->nr_vals + h->nr_keys)
			put_trigger_field(t, h, &h->fields[field]);
		else
			otst_text_char(t, '?');
		otst_text_string(t, h->sorts[i].descending ? ".descending" : "");
	}
}

static void put_action(struct otst_text *t, const struct otst_hist *h,
		       const struct otst_hist_action *a)
{
	const char *const *param;
	const char *before = "";

	if (a->handler == OTST_HIST_ONMATCH)
		otst_text_printf(t, ":onmatch(%s.%s)", or_null(a->system), or_null(a->event));
	else
		otst_text_printf(t, ":%s(%s)", a->handler == OTST_HIST_ONMAX ? "onmax" : "onchange",
				 or_null(a->var_name));
	otst_text_printf(t, ".%s(", or_null(a->name));
	for (uint32_t i = 0; a->does == OTST_HIST_SAVES && i < h->nr_saved; i++)
		otst_text_printf(t, "%s%s", i ? "," : "", h->saved[i].name);
	if (a->synth_event) {
		otst_text_string(t, a->synth_event);
		before = ",";
	}
	for (param = a->params; param && *param; param++, before = ",")
		otst_text_printf(t, "%s%s", before, *param);
	otst_text_char(t, ')');
}

/* event_hist_trigger_print() */
const char *otst_hist_text(struct otst *o, const struct otst_hist *h)
{
	struct otst_text t = { .o = o };
	const char *s;

	otst_text_string(&t, "hist:");
	if (h->name)
		otst_text_printf(&t, "%s:", h->name);
	put_keys(&t, h);
	put_values(&t, h);
	put_sorts(&t, h);
	otst_text_printf(&t, ":size=%" PRIu64, h->map_size);
	if (h->clock)
		otst_text_printf(&t, ":clock=%s", h->clock);
	if (h->no_hitcount)
		otst_text_string(&t, ":nohitcount");
	for (uint32_t i = 0; i < h->nr_actions; i++)
		put_action(&t, h, &h->actions[i]);
	if (h->filter)
		otst_text_printf(&t, " if %s", h->filter);
	otst_text_string(&t, h->paused ? " [paused]" : " [active]");
	s = otst_text_done(&t);
	return s ? s : "?";
}

const char *otst_hist_headline(struct otst *o, const struct otst_hist_entry *e)
{
	const struct otst_hist *h = e->hist;
	struct otst_text t = { .o = o };
	const char *s;

	for (uint32_t i = 0; i < h->nr_vals; i++) {
		if (!h->fields[i].var && !h->fields[i].expr)
			otst_text_printf(&t, "%s%s: %" PRIu64, i ? "  " : "",
					 i ? h->fields[i].name : "hitcount", e->sums[i]);
	}
	otst_text_printf(&t, " (%s)", otst_hist_text(o, h));
	s = otst_text_done(&t);
	return s ? s : "?";
}

/* ---- the others ---- */

static const char *trigger_word(const struct otst_trigger *t)
{
	switch (t->kind) {
	case OTST_TRIGGER_TRACEON:
		return "traceon";
	case OTST_TRIGGER_TRACEOFF:
		return "traceoff";
	case OTST_TRIGGER_SNAPSHOT:
		return "snapshot";
	case OTST_TRIGGER_STACKTRACE:
		return "stacktrace";
	case OTST_TRIGGER_UNSHOWN:
	case OTST_TRIGGER_ENABLE:
	case OTST_TRIGGER_HIST:
		break;
	}
	return t->enables ? "enable" : "disable";
}

const char *otst_trigger_text(struct otst *o, const struct otst_trigger *t)
{
	struct otst_text s = { .o = o };

	if (t->kind == OTST_TRIGGER_HIST)
		return t->hist->complete ? otst_hist_text(o, t->hist) : NULL;
	if (t->kind == OTST_TRIGGER_UNSHOWN)
		return NULL;
	otst_text_string(&s, trigger_word(t));
	if (t->kind == OTST_TRIGGER_ENABLE)
		otst_text_printf(&s, "_%s:%s:%s", t->of_hist ? "hist" : "event", t->system,
				 t->event);
	if (t->count == -1)
		otst_text_string(&s, ":unlimited");
	else
		otst_text_printf(&s, ":count=%" PRId64, t->count);
	if (t->filter)
		otst_text_printf(&s, " if %s", t->filter);
	return otst_text_done(&s);
}
