// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * registry_fields.c - turns the table of names of a struct otst_rec_registry
 * (kernel/otst_records.h) into offsets and sizes. If anything does not fit into
 * what surrounds it, the whole registry is refused: when one offset is wrong, the
 * others cannot be trusted either.
 */
#include <inttypes.h>
#include <string.h>

#include "registry.h"

/* the part that never changes */
#define HEAD_SIZE      56u
#define HEAD_NR_FIELDS 28u
#define HEAD_STRIDE    32u
#define HEAD_FIELDS_AT 36u

/* an entry of the table */
#define NAME_SIZE   24u
#define NAME_OFFSET 24u
#define NAME_WIDTH  28u
#define ENTRY_SIZE  32u

/* many times what the modules use */
#define MAX_ENTRY   256u
#define MAX_PROBES  16384u
#define MAX_STRIDE  (1u << 14)
#define MAX_STRING  4096u
#define MAX_SEGMENT 4096u

enum field_type {
	TYPE_NUMBER,
	TYPE_STRING,
	TYPE_BLOCK,
};

/* the structure that a member belongs to, from the first part of its name */
enum field_in {
	IN_REGISTRY,
	IN_SLOT,
	IN_RECORD,
	IN_SEGMENT,
};

static const struct field_name {
	const char *name;
	enum field_in in;
	enum field_type type;
	bool needed; /* without it the registry is useless */
} names[] = {
	[OTST_REGISTRY_OWNER] = { "registry.owner", IN_REGISTRY, TYPE_STRING, false },
	[OTST_REGISTRY_RELEASE] = { "registry.release", IN_REGISTRY, TYPE_STRING, false },
	[OTST_REGISTRY_CLOCK] = { "registry.clock", IN_REGISTRY, TYPE_STRING, false },
	[OTST_REGISTRY_PROBES] = { "registry.probes", IN_REGISTRY, TYPE_NUMBER, true },
	[OTST_REGISTRY_NR_PROBES] = { "registry.nr_probes", IN_REGISTRY, TYPE_NUMBER, true },
	[OTST_REGISTRY_PROBE_STRIDE] = { "registry.probe_stride", IN_REGISTRY, TYPE_NUMBER, true },
	[OTST_REGISTRY_LOST_PROBES] = { "registry.lost_probes", IN_REGISTRY, TYPE_NUMBER, false },
	[OTST_REGISTRY_LAST_TIME] = { "registry.last_time", IN_REGISTRY, TYPE_NUMBER, false },
	[OTST_SLOT_STATE] = { "probe.state", IN_SLOT, TYPE_NUMBER, true },
	[OTST_SLOT_ARMED_COUNT] = { "probe.armed_count", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_ADDRESS] = { "probe.address", IN_SLOT, TYPE_NUMBER, true },
	[OTST_SLOT_KPROBE] = { "probe.kprobe", IN_SLOT, TYPE_NUMBER, true },
	[OTST_SLOT_RING] = { "probe.ring", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_NR_RECORDS] = { "probe.nr_records", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_RECORD_SIZE] = { "probe.record_size", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_CAPTURES] = { "probe.captures", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_DROPPED] = { "probe.dropped", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_HITS] = { "probe.hits", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_POST_HITS] = { "probe.post_hits", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_COUNT] = { "probe.count", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_LEFT] = { "probe.left", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_ACTION] = { "probe.action", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_FLAGS] = { "probe.flags", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_VERBOSE] = { "probe.verbose", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_ARMED_TIME] = { "probe.armed_time", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_FIRED_TIME] = { "probe.fired_time", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_REMOVED_TIME] = { "probe.removed_time", IN_SLOT, TYPE_NUMBER, false },
	[OTST_SLOT_SYMBOL] = { "probe.symbol", IN_SLOT, TYPE_STRING, false },
	[OTST_RECORD_BEGIN] = { "record.begin", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_END] = { "record.end", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_TIME] = { "record.time", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_PC] = { "record.pc", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_TASK] = { "record.task", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_CPU] = { "record.cpu", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_PID] = { "record.pid", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_FLAGS] = { "record.flags", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_NR_FRAMES] = { "record.nr_frames", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_NR_SEGMENTS] = { "record.nr_segments", IN_RECORD, TYPE_NUMBER, false },
	[OTST_RECORD_COMM] = { "record.comm", IN_RECORD, TYPE_STRING, false },
	[OTST_RECORD_SEGMENT] = { "record.segment", IN_RECORD, TYPE_BLOCK, false },
	[OTST_RECORD_REGS] = { "record.regs", IN_RECORD, TYPE_BLOCK, false },
	[OTST_RECORD_FRAMES] = { "record.frames", IN_RECORD, TYPE_BLOCK, false },
	[OTST_RECORD_RAW] = { "record.raw", IN_RECORD, TYPE_BLOCK, false },
	[OTST_SEGMENT_ADDRESS] = { "segment.address", IN_SEGMENT, TYPE_NUMBER, false },
	[OTST_SEGMENT_OFFSET] = { "segment.offset", IN_SEGMENT, TYPE_NUMBER, false },
	[OTST_SEGMENT_SIZE] = { "segment.size", IN_SEGMENT, TYPE_NUMBER, false },
};
OTST_EACH_HAS(names, OTST_FIELD_IDS);

/* ---- members ---- */

bool otst_field_has(const struct otst_registry *r, enum otst_field_id id)
{
	return r->fields[id].size != 0;
}

uint64_t otst_field_u64(const struct otst_registry *r, enum otst_field_id id, const void *data)
{
	const struct otst_field *f = &r->fields[id];

	return otst_get_as(r->big_endian, (const unsigned char *)data + f->offset, f->size);
}

int64_t otst_field_s64(const struct otst_registry *r, enum otst_field_id id, const void *data)
{
	unsigned int unused = 64 - 8 * r->fields[id].size;

	if (!otst_field_has(r, id))
		return 0;
	return (int64_t)(otst_field_u64(r, id, data) << unused) >> unused;
}

const char *otst_field_chars(struct otst *o, const struct otst_registry *r, enum otst_field_id id,
			     const void *data)
{
	const struct otst_field *f = &r->fields[id];
	const char *s = otst_format(o, "%.*s", (int)f->size, (const char *)data + f->offset);

	return otst_clean(o, s);
}

bool otst_field_regs(struct otst *o, const struct otst_registry *r, const void *data, uint64_t *ret)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	bool all = true;

	for (unsigned int i = 0; i < a->reg.count; i++) {
		const struct otst_field *f = &r->regs[i];

		ret[i] = otst_get(o, (const unsigned char *)data + f->offset, f->size);
		all = all && f->size;
	}
	return all && a->reg.count;
}

/* ---- the table of names ---- */

/* why the member cannot be as wide as @f says; NULL when it can */
static const char *wrong_width(const struct field_name *n, const struct otst_field *f)
{
	switch (n->type) {
	case TYPE_NUMBER:
		return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8 ?
			       NULL :
			       "not the width of a number";
	case TYPE_STRING:
		return f->size && f->size <= MAX_STRING ? NULL : "not the length of a string";
	case TYPE_BLOCK:
		break;
	}
	return NULL;
}

/* a member of struct pt_regs: one register, or an array of them */
static const char *take_regs(struct otst *o, struct otst_registry *r, const char *member,
			     const struct otst_field *f)
{
	static const struct field_name number = { .type = TYPE_NUMBER };
	const struct otst_arch *a = otst_kernel(o)->arch;
	struct otst_field each = *f;
	unsigned int i, n = 0;

	for (i = 0; i < a->reg.count; i++)
		n += !strcmp(a->reg.list[i].member, member);
	if (!n)
		return NULL;
	if (f->size % n)
		return "not the width of these registers";
	each.size /= n;
	for (i = 0; i < a->reg.count; i++) {
		if (strcmp(a->reg.list[i].member, member))
			continue;
		each.offset = f->offset + each.size * a->reg.list[i].index;
		r->regs[i] = each;
	}
	return wrong_width(&number, &each);
}

static int take_entry(struct otst *o, struct otst_registry *r, const unsigned char *entry)
{
	struct otst_field f = {
		.offset = (uint32_t)otst_get(o, entry + NAME_OFFSET, 4),
		.size = (uint32_t)otst_get(o, entry + NAME_WIDTH, 4),
	};
	const char *name = (const char *)entry, *wrong = NULL;
	uint64_t end = (uint64_t)f.offset + f.size;
	size_t id;

	if (strnlen(name, NAME_SIZE) == NAME_SIZE)
		return otst_raise(o, OTST_ERR_CORRUPT, "a name in its table has no end");
	/* nothing else tells the distance between segments, so unknown, newer members count, too */
	if (!strncmp(name, "segment.", strlen("segment.")) && end > r->segment_stride)
		r->segment_stride = end > MAX_SEGMENT ? MAX_SEGMENT + 1 : (uint32_t)end;
	for (id = 0; id < OTST_FIELD_IDS && strcmp(names[id].name, name); id++)
		;
	if (id < OTST_FIELD_IDS) {
		wrong = wrong_width(&names[id], &f);
		r->fields[id] = f;
	} else if (!strncmp(name, "regs.", strlen("regs."))) {
		wrong = take_regs(o, r, name + strlen("regs."), &f);
	}
	return wrong ? otst_raise(o, OTST_ERR_CORRUPT, "%s: %u is %s", name, f.size, wrong) : 0;
}

/* do the members of one structure lie within its @size bytes */
static int check_within(struct otst *o, const struct otst_registry *r, enum field_in in,
			uint64_t size)
{
	for (size_t id = 0; id < OTST_FIELD_IDS; id++) {
		const struct otst_field *f = &r->fields[id];

		if (names[id].in == in && (uint64_t)f->offset + f->size > size && f->size)
			return otst_raise(o, OTST_ERR_CORRUPT,
					  "%s: bytes %u to %" PRIu64 " of %" PRIu64, names[id].name,
					  f->offset, (uint64_t)f->offset + f->size, size);
	}
	return 0;
}

static int check_regs(struct otst *o, const struct otst_registry *r)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	uint64_t size = r->fields[OTST_RECORD_REGS].size, end;

	for (unsigned int i = 0; i < a->reg.count; i++) {
		end = (uint64_t)r->regs[i].offset + r->regs[i].size;
		if (r->regs[i].size && end > size)
			return otst_raise(o, OTST_ERR_CORRUPT,
					  "regs.%s: bytes %u to %" PRIu64 " of %" PRIu64,
					  a->reg.list[i].member, r->regs[i].offset, end, size);
	}
	return 0;
}

static int check_needed(struct otst *o, const struct otst_registry *r)
{
	for (size_t id = 0; id < OTST_FIELD_IDS; id++) {
		if (names[id].needed && !otst_field_has(r, (enum otst_field_id)id))
			return otst_raise(o, OTST_ERR_CORRUPT, "its table lacks %s",
					  names[id].name);
	}
	return 0;
}

/* the registry's own members, once its table is known; @data has all of it */
static int take_members(struct otst *o, struct otst_registry *r, const unsigned char *data)
{
	uint64_t nr = otst_field_u64(r, OTST_REGISTRY_NR_PROBES, data);
	uint64_t stride = otst_field_u64(r, OTST_REGISTRY_PROBE_STRIDE, data);
	uint32_t end;
	int err;

	r->owner = otst_field_chars(o, r, OTST_REGISTRY_OWNER, data);
	r->release = otst_field_chars(o, r, OTST_REGISTRY_RELEASE, data);
	r->clock = otst_field_chars(o, r, OTST_REGISTRY_CLOCK, data);
	r->probes = otst_field_u64(r, OTST_REGISTRY_PROBES, data);
	r->lost_probes = otst_field_u64(r, OTST_REGISTRY_LOST_PROBES, data);
	r->last_time = otst_field_u64(r, OTST_REGISTRY_LAST_TIME, data);
	if (nr > MAX_PROBES || !stride || stride > MAX_STRIDE)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "%" PRIu64 " probe%s, %" PRIu64 " byte%s apart", nr,
				  otst_number(nr, "", "s"), stride, otst_number(stride, "", "s"));
	r->nr_probes = (uint32_t)nr;
	r->probe_stride = (uint32_t)stride;
	/* segments are structures with 64-bit members */
	r->segment_stride = (r->segment_stride + 7) & ~7u;
	if (r->segment_stride > MAX_SEGMENT)
		return otst_raise(o, OTST_ERR_CORRUPT, "segments are larger than %u bytes",
				  MAX_SEGMENT);
	err = check_within(o, r, IN_SLOT, stride);
	if (err)
		return err;
	/* the stride of the last probe may extend past what the module owns */
	for (size_t id = 0; id < OTST_FIELD_IDS; id++) {
		end = r->fields[id].offset + r->fields[id].size;
		if (names[id].in == IN_SLOT && end > r->slot_size)
			r->slot_size = end;
	}
	return 0;
}

int otst_registry_parse(struct otst *o, struct otst_registry *r, const unsigned char *data,
			uint32_t total)
{
	uint32_t nr = (uint32_t)otst_get(o, data + HEAD_NR_FIELDS, 4);
	uint32_t each = (uint32_t)otst_get(o, data + HEAD_STRIDE, 4);
	uint32_t at = (uint32_t)otst_get(o, data + HEAD_FIELDS_AT, 4);
	int err = 0;

	if (each < ENTRY_SIZE || each > MAX_ENTRY || at < HEAD_SIZE ||
	    at + (uint64_t)nr * each > total)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "a table of %u %s of %u byte%s at %u does not fit into %u byte%s",
				  nr, otst_number(nr, "entry", "entries"), each,
				  otst_number(each, "", "s"), at, total,
				  otst_number(total, "", "s"));
	for (uint32_t i = 0; i < nr && !err; i++)
		err = take_entry(o, r, data + at + (size_t)i * each);
	err = err ?: check_needed(o, r);
	err = err ?: check_within(o, r, IN_REGISTRY, total);
	err = err ?: take_members(o, r, data);
	if (!err && otst_field_has(r, OTST_RECORD_REGS))
		err = check_regs(o, r);
	return err;
}

int otst_registry_fits(struct otst *o, const struct otst_registry *r, uint64_t size)
{
	return check_within(o, r, IN_RECORD, size);
}
