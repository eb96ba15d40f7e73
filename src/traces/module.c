// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * module.c - trace source "module": what otst.ko and allie.ko captured, read from
 * the rings behind their registry (kernel/otst_records.h, src/capturers/registry.c).
 * A record has the frames that the kernel's unwinder found, or registers and
 * raw pieces of stacks, which are unwound here, or both. It is complete when
 * its "begin" and "end" numbers are equal.
 */
#include <inttypes.h>
#include <string.h>

#include "../capturers/registry.h"
#include "traces.h"

/* many times what the modules use */
#define MAX_RECORDS	(1u << 20)
#define MAX_RECORD_SIZE (1u << 20)
#define MAX_SLOT_ERRORS 8	     /* of one registry: more would say nothing new */
#define MAX_BAD_SLOTS	256	     /* beyond this it is garbage */
#define MAX_KEPT	(256u << 20) /* bytes of records of one command */
#define MAX_LOOKED	(1u << 22)   /* records of one command, empty ones too */
#define MAX_BAD		1024u	     /* unreadable records: garbage must not take minutes */

/* flags of a record, kernel/otst_records.h */
#define IN_NMI	     0x01u
#define IN_HARDIRQ   0x02u
#define IN_SOFTIRQ   0x04u
#define IRQS_OFF     0x08u
#define CUT	     0x10u
#define UNWIND_ERROR 0x20u
#define PANIC	     0x80u

/* what all rings of one command have cost so far */
struct budget {
	size_t kept;
	size_t looked;
	size_t bad;
};

/* one ring while it is read */
struct ring {
	struct otst *o;
	struct otst_traces *traces;
	const struct otst_registry *r;
	const struct otst_slot *slot;
	const char *name; /* "otst's registry, probe 3" */
	uint64_t base;
	uint64_t nr;
	uint64_t size;
	uint64_t captures;
	uint64_t lost; /* captures before the oldest record that is still there */
	uint64_t bad;
	const char *why; /* of the first bad one */
	struct budget *budget;
};

/* ---- registers and stacks of one record ---- */

static void read_regs(const struct ring *g, const unsigned char *rec, struct otst_capture *c)
{
	const struct otst_arch *arch = otst_kernel(g->o)->arch;

	c->full = otst_field_regs(g->o, g->r, rec + g->r->fields[OTST_RECORD_REGS].offset, c->regs);
	/* the saved pc is after the breakpoint; unwinding begins at the probed instruction */
	if (arch->reg.count && otst_field_has(g->r, OTST_RECORD_PC))
		c->regs[arch->reg.pc] = otst_field_u64(g->r, OTST_RECORD_PC, rec);
}

/* registers without a stack: do not look for it in memory, which has changed since */
static int read_only_regs(const struct ring *g, const unsigned char *rec, struct otst_trace *t)
{
	static const struct otst_piece nothing;
	struct otst_capture *c = otst_new(g->o, sizeof(*c));

	read_regs(g, rec, c);
	c->pieces = &nothing;
	c->nr_pieces = 1;
	return otst_trace_regs(g->o, t, t->probe_addr, c);
}

/* read the pieces of stacks; how many fit, with @error set when some do not */
static size_t read_pieces(const struct ring *g, const unsigned char *rec, struct otst_piece *pieces,
			  const char **error)
{
	const struct otst_field *raw = &g->r->fields[OTST_RECORD_RAW];
	const struct otst_field *room = &g->r->fields[OTST_RECORD_SEGMENT];
	uint64_t nr = otst_field_u64(g->r, OTST_RECORD_NR_SEGMENTS, rec);
	size_t i, n = 0;

	if (nr * g->r->segment_stride > room->size || nr > room->size) {
		*error = otst_format(g->o, "%" PRIu64 " piece%s of stacks, but no room for %s", nr,
				     otst_number(nr, "", "s"), otst_number(nr, "it", "them"));
		nr = 0;
	}
	for (i = 0; i < nr; i++) {
		const unsigned char *seg = rec + room->offset + i * g->r->segment_stride;
		uint64_t at = otst_field_u64(g->r, OTST_SEGMENT_OFFSET, seg);
		uint64_t len = otst_field_u64(g->r, OTST_SEGMENT_SIZE, seg);

		if (at > raw->size || len > raw->size - at) {
			*error = otst_format(g->o,
					     "piece %zu of its stack: bytes %" PRIu64 " to %" PRIu64
					     " of %u",
					     i, at, at + len, raw->size);
			continue;
		}
		pieces[n].base = otst_field_u64(g->r, OTST_SEGMENT_ADDRESS, seg);
		pieces[n].bytes = rec + raw->offset + at;
		pieces[n].len = len;
		n += len != 0;
	}
	return n;
}

static int read_capture(const struct ring *g, const unsigned char *rec, struct otst_trace *t)
{
	const struct otst_registry *r = g->r;
	struct otst_capture *c;
	struct otst_piece *pieces;

	if (!otst_field_has(r, OTST_RECORD_REGS))
		return 0;
	if (!otst_field_has(r, OTST_RECORD_RAW) || !otst_field_has(r, OTST_RECORD_SEGMENT) ||
	    !r->segment_stride)
		return read_only_regs(g, rec, t);
	c = otst_new(g->o, sizeof(*c));
	pieces = otst_alloc(g->o, (r->fields[OTST_RECORD_SEGMENT].size / r->segment_stride + 1) *
					  sizeof(*pieces));
	if (!pieces)
		return otst_no_memory(g->o);
	read_regs(g, rec, c);
	c->task = otst_field_u64(r, OTST_RECORD_TASK, rec);
	c->cpu = t->cpu;
	c->pieces = pieces;
	c->nr_pieces = read_pieces(g, rec, pieces, &t->error);
	if (!c->nr_pieces)
		return read_only_regs(g, rec, t);
	t->capture = c;
	return otst_trace_regs(g->o, t, t->probe_addr, c);
}

static int unwind_capture(const struct ring *g, struct otst_trace *t)
{
	struct otst_stack *st = otst_stack_create(g->o, 0);
	int err;

	if (!st)
		return otst_no_memory(g->o);
	err = otst_stack_unwind(g->o, t->capture, st);
	if (err && otst_fatal(err))
		return err;
	if (!err)
		t->stack = st;
	else if (!t->error)
		t->error = otst_strdup(g->o, otst_message(g->o));
	return 0;
}

/* ---- frames that the kernel's unwinder found ---- */

static void read_frames(const struct ring *g, const unsigned char *rec, struct otst_trace *t)
{
	const struct otst_field *room = &g->r->fields[OTST_RECORD_FRAMES];
	uint64_t nr = otst_field_u64(g->r, OTST_RECORD_NR_FRAMES, rec);
	struct otst_vec lines = { 0 };
	struct otst_trace_line *line = NULL;
	bool exact = true;

	if (nr > room->size / 8) {
		t->error = otst_format(g->o, "%" PRIu64 " frame%s, but room for %u", nr,
				       otst_number(nr, "", "s"), room->size / 8);
		nr = room->size / 8;
	}
	/* with neither frames nor a stack to unwind, the place of the capture is still known */
	for (uint64_t i = 0; i < nr || (!i && !t->capture); i++) {
		/*
		 * A frame of interrupt or exception entry is followed by what was interrupted,
		 * which need not be after a call: it may be a function's first instruction.
		 */
		exact = !line || otst_returns_to_interrupted(g->o, line->addr - !exact);
		line = otst_trace_line_add(g->o, &lines);
		line->kind = OTST_LINE_FRAME;
		line->addr = nr ? otst_get(g->o, rec + room->offset + 8 * i, 8) : t->probe_addr;
		line->reliable = true;
		line->exact = exact;
	}
	t->lines = lines.data;
	t->nr_lines = lines.count;
}

/* ---- one record ---- */

/* "in an interrupt, interrupts off; 12 older captures are overwritten" */
static const char *module_headline(const struct ring *g, uint64_t flags, uint64_t lost)
{
	const char *context = flags & IN_NMI	 ? "in an NMI" :
			      flags & IN_HARDIRQ ? "in an interrupt" :
			      flags & IN_SOFTIRQ ? "in a software interrupt" :
						   "in a task";
	const char *s = otst_format(g->o, "%s%s%s%s", context,
				    flags & IRQS_OFF ? ", interrupts off" : "",
				    flags & PANIC ? ", before allie's panic" : "",
				    flags & UNWIND_ERROR ? ", the kernel's unwinder gave up" : "");

	if (lost)
		s = otst_format(g->o, "%s; %" PRIu64 " older capture%s %s overwritten", s, lost,
				otst_number(lost, "", "s"), otst_number(lost, "is", "are"));
	return s;
}

static void fill_record(const struct ring *g, const unsigned char *rec, struct otst_trace *t)
{
	const struct otst_registry *r = g->r;
	bool local = !strcmp(r->clock, "local_clock");

	t->clock = !otst_field_has(r, OTST_RECORD_TIME) ? OTST_CLOCK_NONE :
		   local				? OTST_CLOCK_LOCAL :
							  OTST_CLOCK_TRACE;
	t->clock_name = local ? NULL : r->clock;
	t->time = otst_field_u64(r, OTST_RECORD_TIME, rec);
	if (otst_field_has(r, OTST_RECORD_CPU))
		t->cpu = (int)(otst_field_u64(r, OTST_RECORD_CPU, rec) & INT32_MAX);
	if (otst_field_has(r, OTST_RECORD_PID))
		t->pid = otst_field_s64(r, OTST_RECORD_PID, rec);
	if (otst_field_has(r, OTST_RECORD_COMM))
		t->comm = otst_field_chars(g->o, r, OTST_RECORD_COMM, rec);
	t->probe = *g->slot->symbol ? g->slot->symbol : NULL;
	t->probe_addr = otst_field_has(r, OTST_RECORD_PC) ? otst_field_u64(r, OTST_RECORD_PC, rec) :
							    g->slot->address;
	t->handler = r->owner;
}

/* say which numbers of a record do not fit; its contents are shown all the same */
static const char *describe_numbers(const struct ring *g, uint64_t i, uint64_t begin, uint64_t end)
{
	if (begin != end)
		return otst_format(g->o,
				   "torn: capture %" PRIu64
				   " was being written when the kernel stopped",
				   begin - 1);
	if ((begin - 1) % g->nr != i || begin > g->captures)
		return otst_format(g->o,
				   "capture %" PRIu64 " of %" PRIu64
				   " does not belong to record %" PRIu64,
				   begin - 1, g->captures, i);
	return NULL;
}

static int add_record(struct ring *g, uint64_t i, const unsigned char *rec, uint64_t begin,
		      uint64_t end)
{
	uint64_t flags = otst_field_u64(g->r, OTST_RECORD_FLAGS, rec), lost = 0;
	struct otst_trace *t = otst_trace_add(g->traces, OTST_SOURCE_MODULE);
	int err;

	t->where = otst_format(g->o, "%s, record %" PRIu64, g->name, i);
	t->seq = begin - 1;
	fill_record(g, rec, t);
	t->error = describe_numbers(g, i, begin, end);
	if (!t->error) {
		lost = g->lost;
		g->lost = 0;
	}
	t->overwritten = begin != end && end;
	t->truncated = flags & CUT;
	t->headline = module_headline(g, flags, lost);
	err = read_capture(g, rec, t);
	if (!err)
		read_frames(g, rec, t);
	/* frames that the kernel found itself are better than those found afterwards */
	if (!err && t->capture && !t->nr_lines)
		err = unwind_capture(g, t);
	if (t->stack)
		t->lines = NULL;
	return err;
}

static int read_module_record(struct ring *g, uint64_t i)
{
	uint64_t addr = g->base + i * g->size, begin, end;
	const struct otst_field *f = g->r->fields;
	unsigned char number[8], *rec;
	int err;

	/* most records of a large ring are empty: look before reading the whole record */
	err = otst_read(g->o, addr + f[OTST_RECORD_BEGIN].offset, number,
			f[OTST_RECORD_BEGIN].size);
	begin = err ? 0 : otst_get(g->o, number, f[OTST_RECORD_BEGIN].size);
	if (!err)
		err = otst_read(g->o, addr + f[OTST_RECORD_END].offset, number,
				f[OTST_RECORD_END].size);
	if (err)
		return err;
	end = otst_get(g->o, number, f[OTST_RECORD_END].size);
	if (!begin && !end)
		return 0;
	g->budget->kept += g->size;
	if (g->budget->kept > MAX_KEPT)
		return otst_raise(g->o, OTST_ERR_CORRUPT,
				  "captures of more than %u MB are left out", MAX_KEPT >> 20);
	rec = otst_alloc(g->o, g->size);
	err = otst_read(g->o, addr, rec, g->size);
	return err ? err : add_record(g, i, rec, begin, end);
}

/* ---- one ring ---- */

/* sizes that make no sense: the ring is not read at all */
static int check_ring(const struct ring *g)
{
	if (!g->nr || g->nr > MAX_RECORDS || !g->size || g->size > MAX_RECORD_SIZE)
		return otst_raise(g->o, OTST_ERR_CORRUPT,
				  "a ring of %" PRIu64 " record%s of %" PRIu64 " byte%s", g->nr,
				  otst_number(g->nr, "", "s"), g->size,
				  otst_number(g->size, "", "s"));
	if (!otst_is_kernel_pointer(g->o, g->base) ||
	    !otst_is_kernel_pointer(g->o, g->base + g->nr * g->size))
		return otst_raise(g->o, OTST_ERR_CORRUPT, "its ring is at 0x%" PRIx64, g->base);
	return otst_registry_fits(g->o, g->r, g->size);
}

static bool is_spent(const struct budget *b)
{
	return b->looked > MAX_LOOKED || b->bad > MAX_BAD;
}

static int note_ring(const struct ring *g, uint64_t left)
{
	const char *more = left ? otst_format(g->o, "; %" PRIu64 " %s left out", left,
					      otst_number(left, "is", "are")) :
				  "";

	if (!g->bad && !left)
		return 0;
	return otst_traces_note(g->traces,
				otst_raise(g->o, OTST_ERR_FAULT,
					   "%s: %" PRIu64 " of %" PRIu64 " record%s: %s%s", g->name,
					   g->bad, g->nr, otst_number(g->nr, "", "s"),
					   g->why ? g->why : "not readable", more ? more : ""));
}

static int read_ring(struct ring *g)
{
	uint64_t i, first;
	int err = check_ring(g);

	if (err)
		return otst_traces_note(g->traces, otst_fail(g->o, err, "%s", g->name));
	/* the oldest first */
	first = g->captures > g->nr ? g->captures % g->nr : 0;
	g->lost = g->captures > g->nr ? g->captures - g->nr : 0;
	for (i = 0; i < g->nr && !is_spent(g->budget); i++) {
		err = read_module_record(g, (first + i) % g->nr);
		if (err && otst_fatal(err))
			return err;
		if (err && !g->bad++)
			g->why = otst_strdup(g->o, otst_message(g->o));
		g->budget->bad += err != 0;
		g->budget->looked++;
	}
	return note_ring(g, g->nr - i);
}

static int read_slot(struct otst *o, const struct otst_slot *s, uint32_t i, struct budget *budget,
		     struct otst_traces *ret)
{
	const struct otst_registry *r = s->registry;
	struct ring g = {
		.o = o,
		.traces = ret,
		.r = r,
		.slot = s,
		.base = otst_field_u64(r, OTST_SLOT_RING, s->data),
		.nr = otst_field_u64(r, OTST_SLOT_NR_RECORDS, s->data),
		.size = otst_field_u64(r, OTST_SLOT_RECORD_SIZE, s->data),
		.captures = otst_field_u64(r, OTST_SLOT_CAPTURES, s->data),
		.budget = budget,
	};

	if (!g.base)
		return 0;
	g.name = otst_format(o, "%s's registry, probe %u", r->owner, i);
	return read_ring(&g);
}

static int read_module_registry(struct otst *o, const struct otst_registry *r,
				struct budget *budget, struct otst_traces *ret)
{
	struct otst_slot s = { 0 };
	uint32_t i, bad = 0;
	int err = 0;

	if (!otst_field_has(r, OTST_RECORD_BEGIN) || !otst_field_has(r, OTST_RECORD_END)) {
		err = otst_raise(o, OTST_ERR_CORRUPT, "its table lacks record.begin or record.end");
		return otst_traces_note(ret, otst_fail(o, err, "registry of module %s",
						       r->module->name));
	}
	for (i = 0; i < r->nr_probes && !err && bad < MAX_BAD_SLOTS && !is_spent(budget); i++) {
		err = otst_slot_read(o, r, i, &s);
		if (!err)
			err = read_slot(o, &s, i, budget, ret);
		else if (!otst_fatal(err) && bad++ >= MAX_SLOT_ERRORS)
			err = 0;
		else
			err = otst_traces_note(ret, otst_fail(o, err, "%s's registry, probe %u",
							      r->owner, i));
	}
	if (!err && i < r->nr_probes)
		err = otst_traces_note(ret, otst_raise(o, OTST_ERR_CORRUPT,
						       "%s's registry: %u probe%s %s left out",
						       r->owner, r->nr_probes - i,
						       otst_number(r->nr_probes - i, "", "s"),
						       otst_number(r->nr_probes - i, "is", "are")));
	if (!err && bad > MAX_SLOT_ERRORS)
		err = otst_traces_note(ret,
				       otst_raise(o, OTST_ERR_CORRUPT,
						  "%s's registry: %u probe%s could not be read",
						  r->owner, bad, otst_number(bad, "", "s")));
	return err;
}

int otst_source_module_present(struct otst *o)
{
	const struct otst_registries *all = NULL;
	int err = otst_registries(o, &all);

	if (!err && !all->count && otst_modules_error(o))
		err = otst_raise(o, OTST_ERR_CORRUPT, "%s", otst_modules_error(o));
	if (!err && !all->count && !all->errors.count)
		err = otst_raise(o, OTST_ERR_LOOKUP, "no module with a registry is loaded");
	return err;
}

int otst_source_module(struct otst *o, const struct otst_trace_filter *filter,
		       struct otst_traces *ret)
{
	const struct otst_registries *all = NULL;
	struct budget budget = { 0 };
	int err = otst_registries(o, &all);

	(void)filter;
	if (err)
		return err;
	if (!all->count && !all->errors.count)
		return otst_raise(o, OTST_ERR_LOOKUP, "no module with a registry is loaded");
	for (size_t i = 0; i < all->count && !err; i++)
		err = read_module_registry(o, all->items[i], &budget, ret);
	if (!err)
		otst_notes(o, &ret->errors, &all->errors);
	return err;
}
