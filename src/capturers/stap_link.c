// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap_link.c - from a script's probe to the kernel's record of it. Kprobes:
 * struct stap_kprobe_probe (runtime/linux/kprobes.c, stap_dwarf_probe up to
 * 2.6), which ends with pointers to the row, to the row of a return probe's
 * entry, and to the struct kprobe or kretprobe. Before 2.6 the last pointer is
 * missing: the records are in an array in the same order. Uprobes: the
 * consumer, or what surrounds it, leads to a struct stapiu_consumer, which
 * points to the row.
 */
#include <string.h>

#include "stap.h"

#define MAX_TABLE    (16u << 20)
#define RETURN_P     1u	   /* first bit of struct stap_kprobe_probe */
#define NEAR	     256u  /* bytes of the stapiu_consumer or stapiu_instance around a consumer */
#define MAX_CONSUMER 1024u /* bytes of a struct stapiu_consumer */

/* ---- kprobes ---- */

/* a table of struct stap_kprobe_probe, and where the records of its rows are */
struct table {
	uint64_t at;
	uint64_t size;
	uint64_t records;
	uint64_t records_size;
	uint64_t record_size; /* of one */
	const unsigned char *data;
};

/* true if it is a pointer to a row, or NULL, which such a pointer may be */
static bool row_or_null(const struct otst_stap *s, uint64_t word)
{
	return !word || otst_stap_row(s, word);
}

static void add_stap_link(struct otst *o, struct otst_stap *s, const struct table *t,
			  uint64_t start, uint64_t at, uint64_t kprobe)
{
	struct otst_stap_row *row = otst_stap_row(s, otst_get(o, t->data + at, 8));
	struct otst_stap_row *entry = otst_stap_row(s, otst_get(o, t->data + at + 8, 8));
	struct otst_stap_link *link = otst_vec_push(o, &s->links, sizeof(*link));

	link->kprobe = kprobe;
	link->is_return = t->data[start] & RETURN_P;
	link->row = (size_t)(row - s->rows);
	link->entry = entry ? entry - s->rows : -1;
	row->hook = OTST_STAP_KPROBE;
	if (entry)
		entry->hook = OTST_STAP_KPROBE;
}

/* the record of a row of the table; 0 when what is at @end does not end a row */
static uint64_t record_at(struct otst *o, const struct table *t, uint64_t end, size_t i,
			  bool *is_pointer)
{
	uint64_t word = end + 8 <= t->size ? otst_get(o, t->data + end, 8) : 0;

	*is_pointer = word - t->records < t->records_size;
	if (*is_pointer)
		return (word - t->records) % t->record_size ? 0 : word;
	word = i * t->record_size;
	return word + t->record_size <= t->records_size ? t->records + word : 0;
}

static int walk_stap_table(struct otst *o, struct otst_stap *s, const struct table *t)
{
	uint64_t at, start = 0, kprobe;
	bool is_pointer;
	size_t i = 0;

	for (at = 8; at + 16 <= t->size; at += 8) {
		if (!otst_stap_row(s, otst_get(o, t->data + at, 8)) ||
		    !row_or_null(s, otst_get(o, t->data + at + 8, 8)))
			continue;
		kprobe = record_at(o, t, at + 16, i++, &is_pointer);
		if (!kprobe)
			return otst_raise(o, OTST_ERR_CORRUPT, "row %zu has no kprobe", i - 1);
		add_stap_link(o, s, t, start, at, kprobe);
		start = at + 16 + (is_pointer ? 8 : 0);
		at = start;
	}
	return 0;
}

/* reads as much of the table as the dump has, from its start on */
static int read_part(struct otst *o, struct table *t, unsigned char *data)
{
	uint64_t at;
	int err = otst_read(o, t->at, data, t->size);

	for (at = 0; err && !otst_fatal(err) && at < t->size; at += 8) {
		if (otst_read(o, t->at + at, data + at, 8))
			break;
	}
	if (err)
		t->size = at;
	return err;
}

static int read_linked_table(struct otst *o, struct otst_stap *s, const char *table,
			     const char *records)
{
	struct table t = { 0 };
	unsigned char *data;
	int err, failed;

	if (otst_module_symbol(o, s->module, table, &t.at) ||
	    otst_module_symbol(o, s->module, records, &t.records))
		return 0;
	/* a union of a kprobe and a kretprobe */
	err = otst_type_size(o, "kretprobe", &t.record_size);
	if (err)
		err = otst_type_size(o, "kprobe", &t.record_size);
	t.size = otst_stap_extent(s->module, t.at, MAX_TABLE) & ~UINT64_C(7);
	t.records_size = otst_stap_extent(s->module, t.records, MAX_TABLE);
	data = otst_alloc(o, t.size + 1);
	if (!data)
		return otst_no_memory(o);
	t.data = data;
	if (err)
		return otst_fail(o, err, "%s", table);
	err = read_part(o, &t, data);
	failed = otst_fatal(err) ? err : walk_stap_table(o, s, &t);
	return failed || err ? otst_fail(o, failed ? failed : err, "%s", table) : 0;
}

/* ---- hooks of other kinds ---- */

static bool has_prefix(const char *s, const char *prefix)
{
	return s && !strncmp(s, prefix, strlen(prefix));
}

/* what a probe point hooks into */
static enum otst_stap_hook hook_of(const char *point)
{
	if (has_prefix(point, "kernel.trace") ||
	    (has_prefix(point, "module(") && strstr(point, ").trace")))
		return OTST_STAP_TRACEPOINT;
	if (has_prefix(point, "kernel.function(") || has_prefix(point, "kernel.statement(") ||
	    has_prefix(point, "module(") || has_prefix(point, "kprobe."))
		return OTST_STAP_KPROBE;
	return OTST_STAP_OTHER;
}

/* each consumer points to its row */
static int mark_uprobes(struct otst *o, const struct otst_stap *s)
{
	uint64_t at, end, word;
	struct otst_stap_row *row;
	int err = 0;

	if (otst_module_symbol(o, s->module, "stap_inode_uprobe_consumers", &at))
		return 0;
	for (end = at + otst_stap_extent(s->module, at, MAX_TABLE); at + 8 <= end; at += 8) {
		err = otst_read_u64(o, at, &word);
		if (err && otst_fatal(err))
			return err;
		row = err ? NULL : otst_stap_row(s, word);
		if (row)
			row->hook = OTST_STAP_UPROBE;
	}
	return 0;
}

int otst_stap_links(struct otst *o, struct otst_stap *s)
{
	static const char *const tables[][2] = {
		{ "stap_kprobe_probes", "stap_kprobes" },
		{ "stap_dwarf_probes", "stap_dwarf_kprobes" },
	};
	int err = 0;

	for (size_t i = 0; i < 2 && !err && s->nr_rows; i++) {
		err = read_linked_table(o, s, tables[i][0], tables[i][1]);
		if (err)
			err = otst_note(o, &s->unread,
					otst_fail(o, err, "module %s", s->module->name));
	}
	for (size_t i = 0; i < s->nr_rows; i++) {
		if (s->rows[i].hook == OTST_STAP_OTHER)
			s->rows[i].hook = hook_of(s->rows[i].point);
	}
	return err ? err : mark_uprobes(o, s);
}

/* the first pointer to a row in @bytes bytes */
static struct otst_stap_row *find_stap_row(struct otst *o, const struct otst_stap *s, uint64_t at,
					   uint64_t bytes)
{
	struct otst_stap_row *row;
	uint64_t i, word;

	for (i = 0; i < bytes; i += 8) {
		row = otst_read_u64(o, at + i, &word) ? NULL : otst_stap_row(s, word);
		if (row)
			return row;
	}
	return NULL;
}

struct otst_stap_row *otst_stap_uprobe(struct otst *o, const struct otst_stap *s, uint64_t consumer)
{
	uint64_t table, size, i, word;

	if (otst_module_symbol(o, s->module, "stap_inode_uprobe_consumers", &table))
		return NULL;
	size = otst_stap_extent(s->module, table, MAX_TABLE);
	if (consumer - table < size)
		return find_stap_row(o, s, consumer, MAX_CONSUMER);
	/* since 4.3 it is in a struct stapiu_instance, which points to the stapiu_consumer */
	for (i = 0; i < NEAR; i += 8) {
		if (!otst_read_u64(o, consumer + i, &word) && word - table < size)
			return find_stap_row(o, s, word, MAX_CONSUMER);
	}
	return NULL;
}
