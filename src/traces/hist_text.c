// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist_text.c - a histogram as hist_trigger_show() of
 * kernel/trace/trace_events_hist.c prints it.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "hist.h"

#define BAR	     20
#define MAX_SYSCALLS 4096
#define MAX_SAVED    256 /* STR_VAR_LEN_MAX */

/* largest and sum of a value over all entries: for percentages and bars */
struct stat {
	uint64_t max;
	uint64_t total;
};

static const char *symbol_text(struct otst *o, uint64_t addr, bool offset)
{
	struct otst_sym sym;
	const char *s;

	otst_symbolize_all(o, addr, &sym);
	if (!sym.name)
		return otst_format(o, "0x%" PRIx64, addr);
	s = offset ? otst_format(o, "%s+0x%" PRIx64 "/0x%" PRIx64, sym.name, addr - sym.addr,
				 sym.size) :
		     sym.name;
	return sym.module ? otst_join(o, s, " [%s]", sym.module) : s;
}

/* get_syscall_name(); an array of pointers, where the architecture's numbers are dense */
static const char *syscall_text(struct otst *o, uint64_t nr)
{
	uint64_t table = otst_symbol_or0(o, "syscalls_metadata"), at;
	const struct otst_member *m;
	struct otst_view v;
	const char *name;

	if (!table || otst_member(o, "trace_array", "enter_syscall_files", &m) || nr >= m->count ||
	    nr >= MAX_SYSCALLS || otst_read_u64(o, table, &table) ||
	    otst_read_u64(o, table + nr * 8, &at) || !at ||
	    otst_view_read(o, "syscall_metadata", at, &v) ||
	    otst_read_string(o, otst_u64(&v, "name"), 64, &name))
		return "unknown_syscall";
	return name;
}

/* ---- keys ---- */

/* lines of their own, so what was there before becomes one */
static int stack_lines(struct otst *o, const struct otst_hist *h, const struct otst_hist_field *k,
		       const uint8_t *key, const char **s, struct otst_file_text *out)
{
	uint32_t at, end = k->offset + k->size;
	int err = 0;

	if (k->stack_field && !h->old_words) {
		*s = otst_join(o, *s, "%s.stacktrace", k->stack_field);
	} else {
		err = otst_line(out, "%s%s:", *s,
				h->old_words ? "stacktrace" : "common_stacktrace");
		*s = "";
	}
	for (at = k->offset; !err && at + 8 <= end && at + 8 <= h->key_size; at += 8) {
		uint64_t pc = otst_get_le(key + at, 8);

		if (!pc || pc == UINT64_MAX)
			break;
		err = otst_line(out, "%s         %s", *s, symbol_text(o, pc, true));
		*s = "";
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

static const char *key_text(struct otst *o, const struct otst_hist *h,
			    const struct otst_hist_field *k, const struct otst_hist_entry *e,
			    const char *s)
{
	size_t room = k->offset < h->key_size ? h->key_size - k->offset : 0;
	uint64_t v = room ? otst_get_le(e->key + k->offset, room < 8 ? room : 8) : 0;
	const char *text;

	switch (k->form) {
	case OTST_HIST_HEX:
		return otst_join(o, s, "%s: %" PRIx64, k->name, v);
	case OTST_HIST_SYM:
		return otst_join(o, s, "%s: [%" PRIx64 "] %-45s", k->name, v,
				 symbol_text(o, v, false));
	case OTST_HIST_SYM_OFFSET:
		return otst_join(o, s, "%s: [%" PRIx64 "] %-55s", k->name, v,
				 symbol_text(o, v, true));
	case OTST_HIST_EXECNAME:
		return otst_join(o, s, "%s: %-16s[%10" PRIu64 "]", k->name, e->comm ? e->comm : "",
				 v);
	case OTST_HIST_SYSCALL:
		return otst_join(o, s, "%s: %-30s[%3" PRIu64 "]", k->name, syscall_text(o, v), v);
	case OTST_HIST_LOG2:
		return otst_join(o, s, "%s: ~ 2^%-2" PRIu64, k->name, v);
	case OTST_HIST_BUCKETS:
		return otst_join(o, s, "%s: ~ %" PRIu64 "-%" PRIu64, k->name, v,
				 v + k->buckets - 1);
	case OTST_HIST_STRING:
		text = string_text(o, h, k, e->key);
		return text ? otst_join(o, s, "%s: %-50s", k->name, text) : NULL;
	default:
		return otst_join(o, s, "%s: %10" PRIu64, k->name, v);
	}
}

/* hist_trigger_print_key() */
static int print_key(struct otst *o, const struct otst_hist *h, const struct otst_hist_entry *e,
		     const char **s, struct otst_file_text *out)
{
	bool multiline = false;
	uint32_t i;
	int err = 0;

	*s = "{ ";
	for (i = h->nr_vals; !err && i < h->nr_vals + h->nr_keys; i++) {
		const struct otst_hist_field *k = &h->fields[i];

		if (i > h->nr_vals)
			*s = otst_join(o, *s, ", ");
		if (k->form == OTST_HIST_STACK) {
			multiline = true;
			err = stack_lines(o, h, k, e->key, s, out);
		} else {
			*s = key_text(o, h, k, e, *s);
		}
	}
	*s = otst_join(o, *s, "%s}", multiline ? "" : " ");
	return err;
}

/* ---- values ---- */

/* __get_percentage(): hundredths of a percent, UINT_MAX when it has none */
static unsigned int percentage(uint64_t v, uint64_t total)
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
	unsigned int len = percentage(v, max);

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
static const char *value_text(struct otst *o, const char *name, enum otst_hist_form form,
			      uint64_t v, const struct stat *stat, const char *s)
{
	unsigned int pc;
	char bar[BAR + 1];

	switch (form) {
	case OTST_HIST_PERCENT:
		pc = percentage(v, stat->total);
		return pc == UINT32_MAX ?
			       otst_join(o, s, " %s (%%):[ERROR]", name) :
			       otst_join(o, s, " %s (%%): %3u.%02u", name, pc / 100, pc % 100);
	case OTST_HIST_GRAPH:
		return otst_join(o, s, " %s: %20s", name, bar_text(v, stat->max, bar));
	case OTST_HIST_HEX:
		return otst_join(o, s, " %s: %10" PRIx64, name, v);
	default:
		return otst_join(o, s, " %s: %10" PRIu64, name, v);
	}
}

/* ---- what actions keep ---- */

static int read_var(struct otst *o, const struct otst_hist_entry *e, uint32_t idx, uint64_t *ret)
{
	return e->vars ? otst_read_u64(o, e->vars + (uint64_t)idx * 8, ret) :
			 otst_raise(o, OTST_ERR_CORRUPT, "an element has no variables");
}

static int saved_text(struct otst *o, const struct otst_hist *h, const struct otst_hist_entry *e,
		      const char **s)
{
	const char *text;
	uint64_t v;
	uint32_t i;
	int err = 0;

	for (i = 0; i < h->nr_saved && !err; i++) {
		err = read_var(o, e, h->saved[i].var_idx, &v);
		if (!err && h->saved[i].string) {
			err = otst_read_string(o, v, MAX_SAVED, &text);
			if (!err)
				*s = otst_join(o, *s, "  %s: %-32s", h->saved[i].name, text);
		} else if (!err) {
			*s = otst_join(o, *s, "  %s: %10" PRIu64, h->saved[i].name, v);
		}
	}
	return err;
}

/* print_actions() */
static int print_tracks(struct otst *o, const struct otst_hist *h, const struct otst_hist_entry *e,
			const char **s, struct otst_file_text *out)
{
	uint32_t i;
	uint64_t v;
	int err = 0;

	for (i = 0; i < h->nr_tracks && !err; i++) {
		if (h->tracks[i].snapshot)
			continue;
		err = otst_line(out, "%s", *s ? *s : "");
		if (!err)
			err = read_var(o, e, h->tracks[i].var, &v);
		if (err)
			return err;
		*s = otst_format(o, "\t%s: %10" PRIu64, h->tracks[i].word, v);
		err = saved_text(o, h, e, s);
	}
	return err;
}

/* ---- all of it ---- */

/* hist_trigger_entry_print() */
static int print_entry(struct otst *o, const struct otst_hist *h, const struct stat *stats,
		       const struct otst_hist_entry *e, struct otst_file_text *out)
{
	const char *s;
	uint32_t i;
	int err;

	err = print_key(o, h, e, &s, out);
	if (!h->no_hitcount)
		s = value_text(o, "hitcount", OTST_HIST_PLAIN, e->sums[0], NULL, s);
	for (i = 1; i < h->nr_vals; i++) {
		const struct otst_hist_field *f = &h->fields[i];

		if (f->var || f->expr)
			continue;
		s = value_text(o, f->name, f->form, e->sums[i], &stats[i], otst_join(o, s, " "));
	}
	if (!err)
		err = print_tracks(o, h, e, &s, out);
	if (err)
		return err;
	return s ? otst_line(out, "%s", s) : otst_no_memory(o);
}

static void add_up(const struct otst_hist_map *m, struct stat *ret)
{
	uint32_t k;
	size_t i;

	for (i = 0; i < m->count; i++) {
		for (k = 0; k < m->hist->nr_vals; k++) {
			uint64_t v = m->entries[i].sums[k];

			ret[k].total += v;
			ret[k].max = v > ret[k].max ? v : ret[k].max;
		}
	}
}

int otst_hist_text(struct otst *o, const struct otst_hist_map *m, struct otst_file_text *out)
{
	struct stat stats[OTST_HIST_FIELDS] = { 0 };
	size_t i;
	int err;

	add_up(m, stats);
	err = otst_line(out, "# event histogram");
	if (!err)
		err = otst_line(out, "#");
	if (!err)
		err = otst_line(out, "# trigger info: %s", m->hist->text);
	if (!err)
		err = otst_line(out, "#");
	if (!err)
		err = otst_line(out, "%s", "");
	for (i = 0; i < m->count && !err; i++) {
		err = print_entry(o, m->hist, stats, &m->entries[i], out);
		if (err)
			err = otst_note(o, &out->errors, err);
	}
	if (!err)
		err = otst_line(out, "%s", "");
	if (!err)
		err = otst_line(out, "Totals:");
	if (!err)
		err = otst_line(out, "    Hits: %" PRIu64, m->hits);
	if (!err)
		err = otst_line(out, "    Entries: %zu", m->count);
	return err ? err : otst_line(out, "    Dropped: %" PRIu64, m->drops);
}
