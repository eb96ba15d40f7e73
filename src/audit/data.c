// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * data.c - data as built: what is read-only from the beginning, byte for byte, and all words that
 * were the address of a function as built and now lead to other code. What the kernel writes when
 * it boots (.data..ro_after_init, and .data itself) is not compared otherwise.
 */
#include <string.h>

#include "expect.h"

#define WORD 8u
#define CUTS 5u /* ranges that are cut out of sections */

struct range {
	uint64_t begin;
	uint64_t end;
};

/* between two symbols; empty when the kernel lacks one of them */
static struct range range_between(struct otst *o, const char *begin, const char *end)
{
	struct range r = { otst_symbol_or0(o, begin), otst_symbol_or0(o, end) };

	return r.begin && r.end > r.begin ? r : (struct range){ 0 };
}

/* ---- pointers ---- */

static int check_pointers(struct otst_expect *e, const struct otst_expect_part *p)
{
	size_t at = (size_t)(-p->addr & (WORD - 1));
	int err = 0;

	for (; at + WORD <= p->size && !err; at += WORD) {
		if (!p->have[at / OTST_CHUNK] ||
		    !otst_expect_is_code(e, otst_expect_word(e, p, at)))
			continue;
		e->out->pointers++;
		/* of what is read-only, compare.c asks for the words that differ */
		if (p->pointers)
			err = otst_audit_word(e, p, at, NULL);
		if (!err && !(at % OTST_CHUNK))
			err = otst_check(e->o);
	}
	return err;
}

/* ---- per-cpu data: each cpu has a copy of the section ---- */

static const char *name_percpu(struct otst *o, uint64_t variable, unsigned int cpu)
{
	return otst_format(o, "%s of cpu %u", otst_name(o, variable), cpu);
}

/* @first: the section's address, as symbols of its variables have it */
static int check_copy(struct otst_expect *e, struct otst_expect_part *p, uint64_t first,
		      unsigned int cpu)
{
	uint64_t was;
	int err = 0;

	p->addr = otst_percpu(e->o, first, cpu);
	if (otst_read(e->o, p->addr, p->found, p->size)) {
		e->out->data_missing += p->size;
		return otst_check(e->o);
	}
	for (size_t at = 0; at + WORD <= p->size && !err; at += WORD) {
		was = otst_expect_word(e, p, at);
		if (!otst_expect_is_code(e, was))
			continue;
		e->out->pointers++;
		if (was != otst_get(e->o, p->found + at, WORD))
			err = otst_audit_word(e, p, at, name_percpu(e->o, first + at, cpu));
	}
	return err;
}

/* the variables are linked at 0, or, on x86_64 since 6.15 and on other processors, among the rest */
static int check_percpu(struct otst_expect *e, struct otst_expect_part *p)
{
	uint64_t addr = p->section->addr, link = addr - e->built->slide;
	int err = 0;

	p->found = otst_alloc(e->o, p->size);
	if (!p->found)
		return otst_no_memory(e->o);
	for (unsigned int cpu = 0; cpu < otst_kernel(e->o)->nr_cpus && !err; cpu++)
		err = check_copy(e, p, link < e->built->begin ? link : addr, cpu);
	return err;
}

/* at the end of the parts, where relocations find it; what is at its own address is freed memory */
static int add_percpu(struct otst_expect *e, const struct otst_section *s)
{
	struct otst_expect_part *p = &e->parts[e->nr_parts++];

	*p = (struct otst_expect_part){ .addr = s->addr,
					.size = s->size,
					.built = s->data,
					.section = s,
					.pointers = true,
					.now = otst_alloc(e->o, s->size) };
	if (!p->now)
		return otst_no_memory(e->o);
	memcpy(p->now, s->data, s->size);
	return 0;
}

/* ---- parts ---- */

struct cutter {
	struct otst_expect *e;
	struct range constant; /* read-only as linked */
	struct range cuts[CUTS];
};

static bool is_constant(const struct cutter *c, uint64_t addr)
{
	for (size_t i = 0; i < CUTS; i++) {
		if (addr >= c->cuts[i].begin && addr < c->cuts[i].end)
			return false;
	}
	return addr >= c->constant.begin && addr < c->constant.end;
}

/* where the next range begins or ends behind @addr */
static uint64_t next_cut(const struct cutter *c, uint64_t addr, uint64_t end)
{
	uint64_t next = end;

	for (size_t i = 0; i <= CUTS; i++) {
		const struct range *r = i < CUTS ? &c->cuts[i] : &c->constant;

		if (r->begin > addr && r->begin < next)
			next = r->begin;
		if (r->end > addr && r->end < next)
			next = r->end;
	}
	return next;
}

/* ---- tables among what is written to: for unwinding, of BUG() and WARN() ---- */

#define BUGFLAG_DONE 4u

/* Linux f14bf6a350df ("x86/unwind/orc: Remove boot-time ORC unwind tables sorting"): before it is as built */
static bool is_sorted(struct otst *o, const struct otst_section *s)
{
	int64_t last = INT64_MIN, ip;

	for (size_t at = 0; at + 4 <= s->size; at += 4, last = ip) {
		ip = (int64_t)at + (int32_t)otst_get(o, s->data + at, 4);
		if (ip < last)
			return false;
	}
	return true;
}

static bool is_table(const struct otst_section *s)
{
	return !strcmp(s->name, ".orc_unwind") || !strcmp(s->name, ".orc_unwind_ip") ||
	       !strcmp(s->name, "__bug_table");
}

/* NULL, and what is said otherwise, see otst_audit_bug_table() */
static const char *find_bug_flags(struct otst *o, uint64_t *size, const struct otst_member **flags)
{
	int err = otst_type_size(o, "bug_entry", size);

	err = err ?: otst_member(o, "bug_entry", "flags", flags);
	if (err)
		return otst_strdup(o, otst_message(o));
	return *size ? NULL : "struct bug_entry has no size";
}

const char *otst_audit_bug_table(struct otst *o)
{
	const struct otst_member *flags;
	uint64_t size;

	return find_bug_flags(o, &size, &flags);
}

/* why @s may be other than as built; else NULL */
static const char *find_hindrance(const struct otst_expect *e, const struct otst_section *s)
{
	const struct otst_section *ips = otst_expect_section(e, ".orc_unwind_ip");

	if (!otst_begins(s->name, ".orc"))
		return otst_audit_bug_table(e->o);
	return ips && is_sorted(e->o, ips) ?
		       NULL :
		       "the kernel sorts the tables for unwinding when it starts";
}

/* a warning that is given once leaves a mark */
static void allow_marks(struct otst_expect *e, struct otst_expect_part *p)
{
	const struct otst_member *flags;
	uint64_t size, now, found;

	if (strcmp(p->section->name, "__bug_table") != 0 || !p->found ||
	    find_bug_flags(e->o, &size, &flags))
		return;
	for (uint64_t at = flags->offset; at + flags->size <= p->size; at += size) {
		now = otst_get(e->o, p->now + at, flags->size);
		found = otst_get(e->o, p->found + at, flags->size);
		if ((now ^ found) == BUGFLAG_DONE)
			memcpy(p->now + at, p->found + at, flags->size);
	}
}

static int add_table(struct otst_expect *e, const struct otst_section *s)
{
	const char *why = find_hindrance(e, s);
	int err = why ? 0 : otst_expect_add(e, s, s->addr, s->addr + s->size, false);

	if (why && !strstr(s->name, "_ip"))
		otst_audit_gap(e->o, e->out, s->name, OTST_LOOKED_NOT, why);
	else if (!why && !err)
		allow_marks(e, &e->parts[e->nr_parts - 1]);
	return err;
}

static int add_data_section(const struct cutter *c, const struct otst_section *s)
{
	uint64_t at, next;
	int err = 0;

	for (at = s->addr; at < s->addr + s->size && !err; at = next) {
		bool inside = at >= c->constant.begin && at < c->constant.end;

		next = next_cut(c, at, s->addr + s->size);
		/* other sections hold no pointers */
		if (inside || otst_begins(s->name, ".data"))
			err = otst_expect_add(c->e, s, at, next, !is_constant(c, at));
	}
	return err;
}

/* the module loader sorts, and code that starts writes, sections of other names */
static bool is_data_of_module(const struct otst_section *s, bool *constant)
{
	*constant = otst_begins(s->name, ".rodata");
	return *constant || otst_begins(s->name, ".data");
}

/* per-cpu data has a copy for each cpu; the notes say which image it is, nothing runs by them */
static bool is_data_of_kernel(const struct otst_built *b, const struct otst_section *s)
{
	uint64_t link = s->addr - b->slide;

	return link >= b->begin && link + s->size <= b->end &&
	       !otst_begins(s->name, ".data..percpu") && strcmp(s->name, ".notes") != 0;
}

static int add_data(const struct cutter *c, const struct otst_section *s)
{
	bool constant;

	if (s->text || s->init || s->of || !s->data || !s->size)
		return 0;
	if (c->e->module)
		return is_data_of_module(s, &constant) ?
			       otst_expect_add(c->e, s, s->addr, s->addr + s->size, !constant) :
			       0;
	if (!is_data_of_kernel(c->e->built, s))
		return 0;
	if (is_table(s) && !(s->addr >= c->constant.begin && s->addr < c->constant.end))
		return add_table(c->e, s);
	return add_data_section(c, s);
}

/* the alternatives of a vdso are patched where it lies */
static void find_cuts(struct otst *o, struct cutter *c)
{
	c->constant = range_between(o, "__start_rodata", "__end_rodata");
	c->cuts[0] = range_between(o, "__start_ro_after_init", "__end_ro_after_init");
	c->cuts[1] = range_between(o, "vdso_start", "vdso_end");
	c->cuts[2] = range_between(o, "vdso32_start", "vdso32_end");
	c->cuts[3] = range_between(o, "vdso64_start", "vdso64_end");
	c->cuts[4] = range_between(o, "compat_vdso_start", "compat_vdso_end");
}

int otst_audit_data(struct otst *o, struct otst_audit *a, const struct otst_built *built,
		    const struct otst_module *m)
{
	struct otst_expect e = { .o = o,
				 .out = a,
				 .built = built,
				 .module = m,
				 .arch = otst_audit_arch(o),
				 .told = a->findings.count,
				 .data = true };
	struct cutter c = { .e = &e };
	size_t i, nr_percpu;
	int err = 0;

	if (!m)
		find_cuts(o, &c);
	e.parts = otst_alloc(o, (built->count * (2 * CUTS + 3) + 1) * sizeof(*e.parts));
	if (!e.parts)
		return otst_no_memory(o);
	for (i = 0; i < built->count && !err; i++)
		err = add_data(&c, &built->items[i]);
	nr_percpu = e.nr_parts;
	for (i = 0; i < built->count && !err && !m; i++) {
		if (otst_begins(built->items[i].name, ".data..percpu") && built->items[i].data)
			err = add_percpu(&e, &built->items[i]);
	}
	nr_percpu = e.nr_parts - nr_percpu;
	e.listed = m || (e.arch->relocate && (otst_expect_section(&e, ".rela.dyn") ||
					      otst_expect_section(&e, ".relr.dyn")));
	if (!err && e.listed && !m)
		err = e.arch->relocate(&e);
	e.nr_parts -= nr_percpu;
	err = err ?: otst_compare(&e);
	for (i = 0; i < e.nr_parts && !err; i++)
		err = check_pointers(&e, &e.parts[i]);
	for (i = 0; i < nr_percpu && !err; i++)
		err = check_percpu(&e, &e.parts[e.nr_parts + i]);
	return err;
}
