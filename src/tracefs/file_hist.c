// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_hist.c - a histogram as hist_trigger_show() of
 * kernel/trace/trace_events_hist.c prints it.
 */
#include <inttypes.h>
#include <string.h>

#include "../events/events.h"
#include "../ftrace/ftrace.h"
#include "../output/trigger.h"
#include "tracefs.h"

#define BAR	  20
#define MAX_SAVED 256 /* STR_VAR_LEN_MAX */

/* maximum and sum of a value over all entries, for percentages and bars */
struct stat {
	uint64_t max;
	uint64_t total;
};

static const char *symbol_text(struct otst *o, uint64_t addr, unsigned int parts)
{
	struct otst_sym sym;

	otst_symbolize_all(o, addr, &sym);
	otst_sym_printed(o, addr, &sym);
	return otst_sym_format(o, addr, &sym, parts);
}

/* get_syscall_name() */
static const char *syscall_text(struct otst *o, uint64_t nr)
{
	const char *name;

	return otst_syscall_name(o, nr, &name) || !name ? "unknown_syscall" : name;
}

/* ---- keys ---- */

/* a stack has lines of its own, so the text before it becomes a line, too */
static int stack_lines(struct otst *o, const struct otst_hist *h, const struct otst_hist_field *k,
		       const uint8_t *key, struct otst_text *t, struct otst_tracefs_file *out)
{
	uint32_t at, end = k->offset + k->size;
	int err = 0;

	if (k->stack_field && !h->old_words) {
		otst_text_printf(t, "%s.stacktrace", k->stack_field);
	} else {
		otst_text_string(t, h->old_words ? "stacktrace:" : "common_stacktrace:");
		err = otst_line_text(out, t);
	}
	for (at = k->offset; !err && at + 8 <= end && at + 8 <= h->key_size; at += 8) {
		uint64_t pc = otst_get(o, key + at, 8);

		if (!pc || pc == UINT64_MAX)
			break;
		otst_text_printf(t, "         %s", symbol_text(o, pc, OTST_SYM_PS_OFFSET));
		err = otst_line_text(out, t);
	}
	return err;
}

static const char *string_text(struct otst *o, const struct otst_hist *h,
			       const struct otst_hist_field *k, const uint8_t *key)
{
	size_t room = k->offset < h->key_size ? h->key_size - k->offset : 0;
	char *s = otst_alloc(o, room + 1);

	if (!s)
		return NULL;
	memcpy(s, key + k->offset, room);
	return otst_clean(o, s);
}

static void put_key(struct otst *o, const struct otst_hist *h, const struct otst_hist_field *k,
		    const struct otst_hist_entry *e, struct otst_text *t)
{
	size_t room = k->offset < h->key_size ? h->key_size - k->offset : 0;
	uint64_t v = room ? otst_get(o, e->key + k->offset, room < 8 ? room : 8) : 0;
	const char *text;

	otst_text_printf(t, "%s: ", k->name);
	switch (k->form) {
	case OTST_HIST_HEX:
		otst_text_printf(t, "%" PRIx64, v);
		break;
	case OTST_HIST_SYM:
		otst_text_printf(t, "[%" PRIx64 "] %-45s", v, symbol_text(o, v, OTST_SYM_PS));
		break;
	case OTST_HIST_SYM_OFFSET:
		otst_text_printf(t, "[%" PRIx64 "] %-55s", v,
				 symbol_text(o, v, OTST_SYM_PS_OFFSET));
		break;
	case OTST_HIST_EXECNAME:
		otst_text_printf(t, "%-16s[%10" PRIu64 "]", e->comm ? e->comm : "", v);
		break;
	case OTST_HIST_SYSCALL:
		otst_text_printf(t, "%-30s[%3" PRIu64 "]", syscall_text(o, v), v);
		break;
	case OTST_HIST_LOG2:
		otst_text_printf(t, "~ 2^%-2" PRIu64, v);
		break;
	case OTST_HIST_BUCKETS:
		otst_text_printf(t, "~ %" PRIu64 "-%" PRIu64, v, v + k->buckets - 1);
		break;
	case OTST_HIST_STRING:
		text = string_text(o, h, k, e->key);
		otst_text_printf(t, "%-50s", text ? text : "?");
		break;
	case OTST_HIST_PLAIN:
	case OTST_HIST_STACK:
	case OTST_HIST_USECS:
	case OTST_HIST_PERCENT:
	case OTST_HIST_GRAPH:
		otst_text_printf(t, "%10" PRIu64, v);
		break;
	}
}

/* hist_trigger_print_key() */
static int print_key(struct otst *o, const struct otst_hist *h, const struct otst_hist_entry *e,
		     struct otst_text *t, struct otst_tracefs_file *out)
{
	bool multiline = false;
	int err = 0;

	otst_text_string(t, "{ ");
	for (uint32_t i = h->nr_vals; !err && i < h->nr_vals + h->nr_keys; i++) {
		const struct otst_hist_field *k = &h->fields[i];

		if (i > h->nr_vals)
			otst_text_string(t, ", ");
		if (k->form == OTST_HIST_STACK) {
			multiline = true;
			err = stack_lines(o, h, k, e->key, t, out);
		} else {
			put_key(o, h, k, e, t);
		}
	}
	otst_text_string(t, multiline ? "}" : " }");
	return err;
}

/* ---- values ---- */

/* __get_percentage(): hundredths of a percent, UINT_MAX on error */
static unsigned int percentage_of(uint64_t v, uint64_t total)
{
	if (total && v < UINT64_MAX / 10000)
		return (unsigned int)(v * 10000 / total);
	total /= 10000;
	if (total)
		return (unsigned int)(v / total);
	return v ? UINT32_MAX : 0;
}

static const char *bar_text(uint64_t v, uint64_t max, char *ret)
{
	unsigned int len = percentage_of(v, max);

	if (len == UINT32_MAX)
		return "[ERROR]";
	len = (unsigned int)((uint64_t)len * BAR / 10000);
	len = len > BAR ? BAR : len;
	memset(ret, '#', len);
	memset(ret + len, ' ', BAR - len);
	ret[BAR] = '\0';
	return ret;
}

/* hist_trigger_print_val() */
static void put_value(const char *name, enum otst_hist_form form, uint64_t v,
		      const struct stat *stat, struct otst_text *t)
{
	unsigned int pc;
	char bar[BAR + 1];

	switch (form) {
	case OTST_HIST_PERCENT:
		pc = percentage_of(v, stat->total);
		if (pc == UINT32_MAX)
			otst_text_printf(t, " %s (%%):[ERROR]", name);
		else
			otst_text_printf(t, " %s (%%): %3u.%02u", name, pc / 100, pc % 100);
		break;
	case OTST_HIST_GRAPH:
		otst_text_printf(t, " %s: %20s", name, bar_text(v, stat->max, bar));
		break;
	case OTST_HIST_HEX:
		otst_text_printf(t, " %s: %10" PRIx64, name, v);
		break;
	default:
		otst_text_printf(t, " %s: %10" PRIu64, name, v);
	}
}

/* ---- what actions keep ---- */

static int read_var(struct otst *o, const struct otst_hist_entry *e, uint32_t idx, uint64_t *ret)
{
	return e->vars ? otst_read_u64(o, e->vars + (uint64_t)idx * 8, ret) :
			 otst_raise(o, OTST_ERR_CORRUPT, "an element has no variables");
}

static int put_saved(struct otst *o, const struct otst_hist *h, const struct otst_hist_entry *e,
		     struct otst_text *t)
{
	const char *text;
	uint64_t v;
	int err = 0;

	for (uint32_t i = 0; i < h->nr_saved && !err; i++) {
		err = read_var(o, e, h->saved[i].var_idx, &v);
		if (!err && h->saved[i].string) {
			err = otst_read_string(o, v, MAX_SAVED, &text);
			if (!err)
				otst_text_printf(t, "  %s: %-32s", h->saved[i].name, text);
		} else if (!err) {
			otst_text_printf(t, "  %s: %10" PRIu64, h->saved[i].name, v);
		}
	}
	return err;
}

/* print_actions() */
static int print_tracks(struct otst *o, const struct otst_hist *h, const struct otst_hist_entry *e,
			struct otst_text *t, struct otst_tracefs_file *out)
{
	uint64_t v;
	int err = 0;

	for (uint32_t i = 0; i < h->nr_actions && !err; i++) {
		const struct otst_hist_action *a = &h->actions[i];

		if (a->handler == OTST_HIST_ONMATCH || a->does == OTST_HIST_SNAPSHOTS)
			continue;
		err = otst_line_text(out, t);
		err = err ?: read_var(o, e, a->var, &v);
		if (err)
			return err;
		otst_text_printf(t, "\t%s: %10" PRIu64,
				 a->handler == OTST_HIST_ONMAX ? "max" : "changed", v);
		err = put_saved(o, h, e, t);
	}
	return err;
}

/* ---- all of it ---- */

/* hist_trigger_entry_print() */
static int print_entry(struct otst *o, const struct otst_hist *h, const struct stat *stats,
		       const struct otst_hist_entry *e, struct otst_tracefs_file *out)
{
	struct otst_text t = { .o = o };
	int err = print_key(o, h, e, &t, out);

	if (!h->no_hitcount)
		put_value("hitcount", OTST_HIST_PLAIN, e->sums[0], NULL, &t);
	for (uint32_t i = 1; i < h->nr_vals; i++) {
		const struct otst_hist_field *f = &h->fields[i];

		if (f->var || f->expr)
			continue;
		otst_text_char(&t, ' ');
		put_value(f->name, f->form, e->sums[i], &stats[i], &t);
	}
	err = err ?: print_tracks(o, h, e, &t, out);
	return err ? err : otst_line_text(out, &t);
}

/* track_data_snapshot_print() */
static int print_snapshot(struct otst *o, const struct otst_hist *h, struct otst_tracefs_file *out)
{
	struct otst_text t = { .o = o };
	struct otst_hist_snapshot s;
	int err = otst_hist_snapshot(o, out->array->addr, h, &s);

	if (err || !s.action)
		return err;
	err = otst_line(out, "%s", "");
	err = err ?: otst_line(out, "Snapshot taken (see tracing/snapshot).  Details:");
	otst_text_printf(&t, "\ttriggering value { %s(%s) }: %10" PRIu64,
			 s.action->handler == OTST_HIST_ONMAX ? "onmax" : "onchange",
			 s.action->var_name, s.value);
	otst_text_string(&t, "\ttriggered by event with key: ");
	err = err ?: print_key(o, h, &s.entry, &t, out);
	return err ? err : otst_line_text(out, &t);
}

static void add_up(const struct otst_hist_map *m, struct stat *ret)
{
	for (size_t i = 0; i < m->count; i++) {
		for (uint32_t k = 0; k < m->hist->nr_vals; k++) {
			uint64_t v = m->entries[i].sums[k];

			ret[k].total += v;
			ret[k].max = v > ret[k].max ? v : ret[k].max;
		}
	}
}

/* hist_trigger_show() */
static int print_map(struct otst *o, const struct otst_hist_map *m, struct otst_tracefs_file *out)
{
	struct stat stats[OTST_HIST_FIELDS] = { 0 };
	int err;

	add_up(m, stats);
	err = otst_line(out, "# event histogram");
	err = err ?: otst_line(out, "#");
	err = err ?: otst_line(out, "# trigger info: %s", otst_hist_text(o, m->hist));
	err = err ?: otst_line(out, "#");
	err = err ?: otst_line(out, "%s", "");
	for (size_t i = 0; i < m->count && !err; i++) {
		err = print_entry(o, m->hist, stats, &m->entries[i], out);
		if (err)
			err = otst_note(o, &out->errors, err);
	}
	err = err ?: print_snapshot(o, m->hist, out);
	if (err)
		err = otst_note(o, &out->errors, err);
	err = err ?: otst_line(out, "%s", "");
	err = err ?: otst_line(out, "Totals:");
	err = err ?: otst_line(out, "    Hits: %" PRIu64, m->hits);
	err = err ?: otst_line(out, "    Entries: %zu", m->count);
	return err ? err : otst_line(out, "    Dropped: %" PRIu64, m->drops);
}

/* hist_show() */
static int print_maps(struct otst *o, const struct otst_vec *triggers,
		      struct otst_tracefs_file *out)
{
	const struct otst_trigger *t = triggers->data;
	struct otst_hist_map m;
	size_t i, n = 0;
	int err = 0;

	for (i = 0; i < triggers->count && !err; i++) {
		if (!t[i].hist)
			continue;
		if (n++)
			err = otst_line(out, "%s", "");
		if (!err && n > 1)
			err = otst_line(out, "%s", "");
		err = err ?: otst_hist_map(o, t[i].addr, &m);
		err = err ?: print_map(o, &m, out);
		if (!err)
			otst_notes(o, &out->errors, &m.errors);
		if (err)
			err = otst_note(o, &out->errors, err);
	}
	return err;
}

#define REFUSED_MAX 256u

/* up to 5.0 each hist file ends with the last command that an event refused, and why */
static int print_refused(struct otst *o, struct otst_tracefs_file *out)
{
	uint64_t at = otst_symbol_or0(o, "hist_err_str");
	const char *why = "", *command = "";
	int err = at ? otst_read_string(o, at, REFUSED_MAX, &why) : 0;

	if (!err && *why)
		err = otst_read_string(o, otst_symbol_or0(o, "last_hist_cmd"), REFUSED_MAX,
				       &command);
	if (err)
		return otst_note(o, &out->errors, err);
	if (!*why)
		return 0;
	err = otst_line(out, "%s", "");
	err = err ?: otst_line(out, "ERROR: %s", why);
	return err ?: otst_line(out, "  Last command: %s", command);
}

/* 0 if this kernel has files of this name: the structure is trace_events_hist.c's own */
static int check_triggers(struct otst *o)
{
	uint64_t open;
	int err = otst_has_type(o, "hist_trigger_data") ? 0 :
							  otst_symbol(o, "event_hist_open", &open);

	return err == OTST_ERR_LOOKUP ? otst_raise(o, err, "this kernel has no hist triggers") :
					err;
}

static const char *hist_path(struct otst *o, const struct otst_event_file *e)
{
	return otst_format(o, "events/%s/%s/hist", e->system, e->name);
}

int otst_hist_file(struct otst *o, struct otst_tracefs_file *f)
{
	const struct otst_event_files *files;
	int err = otst_event_files(o, f->array, &files);

	for (size_t i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];
		struct otst_vec triggers = { 0 };

		if (!e->name || strcmp(hist_path(o, e), f->path))
			continue;
		err = check_triggers(o);
		if (err)
			return err;
		err = otst_triggers(o, e, &triggers, &f->errors);
		if (err)
			err = otst_note(o, &f->errors, err);
		err = err ?: print_maps(o, &triggers, f);
		return err ? err : print_refused(o, f);
	}
	return err ? err : otst_raise(o, OTST_ERR_USAGE, "no such event");
}

struct handing {
	struct otst *o;
	otst_tracefs_fn *each;
	void *priv;
};

static int hand_out_hist(void *priv, const struct otst_trace_array *a,
			 const struct otst_event_file *e, const struct otst_vec *triggers)
{
	struct handing *h = priv;
	struct otst_tracefs_file f = { .o = h->o, .path = hist_path(h->o, e), .array = a };
	int err = print_maps(h->o, triggers, &f);

	return err ? err : h->each(h->priv, &f);
}

int otst_hist_each(struct otst *o, struct otst_messages *errors, otst_tracefs_fn *each, void *priv)
{
	struct handing h = { o, each, priv };

	return otst_hist_events(o, errors, hand_out_hist, &h);
}
