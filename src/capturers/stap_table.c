// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap_table.c - the table of a script's probes (struct stap_probe, emitted by
 * systemtap's translate.cxx since 2.1), and how often they ran.
 */
#include <string.h>

#include "../base/sorted.h"
#include "stap.h"

#define MAX_TABLE   (16u << 20)
#define MAX_STRIDE  4096u
#define MAX_POINT   1024u
#define MAX_COLUMNS 4 /* location, derivation, pp, pn */

/* members of struct stap_probe that every translation has */
#define ROW_INDEX   0u
#define ROW_HANDLER 8u
#define ROW_STRINGS 16u

/* struct _Stat and struct stat_data of runtime/stat.h, since 3.1 and before */
#define STAT_AGG_NEW   32u
#define STAT_AGG_OLD   24u
#define STAT_COUNT_NEW 8u
#define STAT_COUNT_OLD 0u

bool otst_module_has(const struct otst_module *m, uint64_t addr)
{
	return otst_module_range_at(m, addr);
}

static bool is_stap_text(const struct otst_module *m, uint64_t addr)
{
	const struct otst_module_range *r = otst_module_range_at(m, addr);

	return r && r->text;
}

uint64_t otst_stap_extent(const struct otst_module *m, uint64_t addr, uint64_t most)
{
	const struct otst_module_range *r = otst_module_range_at(m, addr);
	uint64_t end = r ? r->base + r->size : addr;
	size_t n = otst_count_up_to(m->symbols, m->nr_symbols, addr, addr);

	if (n < m->nr_symbols && m->symbols[n].addr < end)
		end = m->symbols[n].addr;
	/* something without a name may be between it and the next symbol */
	while (n-- && m->symbols[n].addr == addr) {
		if (m->symbols[n].size && m->symbols[n].size < end - addr)
			end = addr + m->symbols[n].size;
	}
	return end - addr < most ? end - addr : most;
}

/* ---- the table of probes ---- */

static int is_row(struct otst *o, const struct otst_stap *s, uint64_t at, uint64_t index, bool *ret)
{
	unsigned char data[16];
	int err = otst_read(o, at, data, sizeof(data));

	*ret = !err && otst_get(o, data + ROW_INDEX, 8) == index &&
	       is_stap_text(s->module, otst_get(o, data + ROW_HANDLER, 8));
	return err ? otst_fail(o, err, "stap_probes") : 0;
}

/* where the second row begins; for a table with one row, all of it */
static int find_stride(struct otst *o, struct otst_stap *s, uint64_t size)
{
	uint64_t end = size <= MAX_STRIDE ? size : MAX_STRIDE;
	bool found = false;
	int err = 0;

	for (s->stride = ROW_STRINGS + 8; !err && s->stride < end; s->stride += 8) {
		err = is_row(o, s, s->table + s->stride, 1, &found);
		if (found)
			return 0;
	}
	s->stride = end;
	return err;
}

/*
 * A row's strings: pointers, or characters in the row itself, padded with
 * zeros to the longest one. The two can be told apart: an address in the
 * module is not text.
 */
static int next_string(struct otst *o, const struct otst_stap *s, const unsigned char *row,
		       uint64_t *at, const char **ret)
{
	uint64_t word;
	const char *text;
	size_t len;

	*ret = NULL;
	for (; *at < s->stride; ++*at) {
		word = *at % 8 == 0 && *at + 8 <= s->stride ? otst_get(o, row + *at, 8) : 0;
		if (word && otst_module_has(s->module, word)) {
			*at += 8;
			return otst_read_string(o, word, MAX_POINT, ret);
		}
		if (!row[*at])
			continue;
		/* a pointer's lowest byte may be 0, and then it was skipped */
		word = otst_get(o, row + (*at & ~UINT64_C(7)), 8);
		if (otst_module_has(s->module, word)) {
			*at = (*at & ~UINT64_C(7)) + 8;
			return otst_read_string(o, word, MAX_POINT, ret);
		}
		text = (const char *)row + *at;
		len = strnlen(text, s->stride - *at);
		*at += len;
		text = otst_format(o, "%.*s", (int)len, text);
		*ret = text ? otst_clean(o, text) : NULL;
		return *ret ? 0 : otst_no_memory(o);
	}
	return 0;
}

/* pp; pp pn; location derivation pp; or all four */
static int read_strings(struct otst *o, const struct otst_stap *s, const unsigned char *data,
			uint64_t at, struct otst_stap_row *row)
{
	const char *columns[MAX_COLUMNS + 1];
	size_t n = 0;
	int err = 0;

	do {
		err = next_string(o, s, data, &at, &columns[n]);
	} while (!err && columns[n] && ++n <= MAX_COLUMNS);
	if (err)
		return err;
	if (!n || n > MAX_COLUMNS)
		return otst_raise(o, OTST_ERR_CORRUPT, "it has %zu strings", n);
	row->point = columns[n >= 3 ? 2 : 0];
	row->location = n >= 3 ? columns[0] : NULL;
	return 0;
}

static int read_row(struct otst *o, const struct otst_stap *s, size_t i, struct otst_stap_row *row)
{
	unsigned char data[MAX_STRIDE];
	uint64_t at = ROW_STRINGS;
	int err;

	row->addr = s->table + i * s->stride;
	row->enabled = true;
	err = otst_read(o, row->addr, data, s->stride);
	if (err)
		return err;
	row->handler = otst_get(o, data + ROW_HANDLER, 8);
	/* since 2.6 a bit tells whether the probe's condition holds; a string may follow it */
	if (data[at] <= 1 && !otst_module_has(s->module, otst_get(o, data + at, 8)))
		row->enabled = data[at++];
	return read_strings(o, s, data, at, row);
}

static int note_row(struct otst *o, struct otst_stap_row *row, int err)
{
	if (!err || otst_fatal(err))
		return err;
	row->error = otst_strdup(o, otst_message(o));
	return 0;
}

/* after the last row there is only padding that aligns the next object */
static int check_end(struct otst *o, const struct otst_stap *s, uint64_t left)
{
	uint64_t handler;
	int err;

	if (left < s->stride)
		return 0;
	err = otst_read_u64(o, s->table + s->nr_rows * s->stride + ROW_HANDLER, &handler);
	if (!err && handler)
		err = otst_raise(o, OTST_ERR_CORRUPT, "it makes no sense");
	return err ? otst_fail(o, err, "stap_probes, row %zu", s->nr_rows) : 0;
}

int otst_stap_table(struct otst *o, struct otst_stap *s)
{
	struct otst_vec rows = { 0 };
	struct otst_stap_row *row;
	uint64_t size, i;
	bool found = false;
	int err;

	if (otst_module_symbol(o, s->module, "stap_probes", &s->table))
		return 0;
	size = otst_stap_extent(s->module, s->table, MAX_TABLE);
	err = size < ROW_STRINGS + 8 ? 0 : is_row(o, s, s->table, 0, &found);
	if (!err && !found)
		err = otst_raise(o, OTST_ERR_CORRUPT, "stap_probes is not a table of probes");
	err = err ?: find_stride(o, s, size);
	for (i = 0; !err && (i + 1) * s->stride <= size; i++) {
		err = is_row(o, s, s->table + i * s->stride, i, &found);
		if (err || !found)
			break;
		row = otst_vec_push(o, &rows, sizeof(*row));
		err = note_row(o, row, read_row(o, s, i, row));
		err = err ?: otst_check(o);
	}
	s->rows = rows.data;
	s->nr_rows = rows.count;
	return err ? err : check_end(o, s, size - i * s->stride);
}

struct otst_stap_row *otst_stap_row(const struct otst_stap *s, uint64_t addr)
{
	uint64_t at = addr - s->table;

	if (!s->nr_rows || addr < s->table || at % s->stride || at / s->stride >= s->nr_rows)
		return NULL;
	return &s->rows[at / s->stride];
}

/* ---- hits ---- */

/* Stat g_probe_timing[]: each entry is a pointer to a sum over all cpus */
static int read_timing(struct otst *o, struct otst_stap_row *row, uint64_t slot)
{
	const struct otst_kernel *k = otst_kernel(o);
	uint64_t stat, agg, sd = 0, count, total = 0;
	bool is_new;
	int err = otst_read_u64(o, slot, &stat);

	if (err || !stat)
		return err;
	/*
	 * "agg" is a pointer. In the old layout, its new place holds a per-cpu pointer, which
	 * does not look like one. In the new layout, its old place is padding that is never
	 * written.
	 */
	err = otst_read_u64(o, stat + STAT_AGG_NEW, &agg);
	is_new = !err && otst_is_kernel_pointer(o, agg);
	if (!err)
		err = otst_read_u64(o, stat + (is_new ? STAT_AGG_NEW : STAT_AGG_OLD) + 8, &sd);
	for (unsigned int cpu = 0; cpu < k->nr_cpus && !err; cpu++) {
		err = otst_read_u64(
			o, otst_percpu(o, sd, cpu) + (is_new ? STAT_COUNT_NEW : STAT_COUNT_OLD),
			&count);
		total += err ? 0 : count;
	}
	row->hits = total;
	row->hits_known = !err;
	return err ? otst_fail(o, err, "its hits") : 0;
}

int otst_stap_hits(struct otst *o, struct otst_stap *s)
{
	uint64_t timing = 0, alibi = 0;
	uint32_t value;
	int err = 0, failed;

	otst_module_symbol(o, s->module, "g_probe_timing", &timing);
	otst_module_symbol(o, s->module, "g_probe_alibi", &alibi);
	for (size_t i = 0; i < s->nr_rows && !err && (timing || alibi); i++) {
		struct otst_stap_row *row = &s->rows[i];

		if (timing) {
			failed = read_timing(o, row, timing + 8 * i);
		} else {
			failed = otst_read_u32(o, alibi + 4 * i, &value);
			row->hits = failed ? 0 : value;
			row->hits_known = !failed;
		}
		err = note_row(o, row, failed);
	}
	return err;
}
