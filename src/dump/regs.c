// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * regs.c - registers of the cpus when the kernel stopped: from crash_notes, the
 * ELF notes that kernel/crash_core.c (kexec_core.c, kexec.c) fills for each cpu
 * on the way into the capture kernel, from the target, or from the dump's notes. The
 * former are kept by cpu; a dump's notes are counted, and leave out cpus that
 * wrote none. And struct pt_regs (asm/ptrace.h) in the dump's memory.
 */
#include <elf.h>

#include "engine.h"

#define PR_REG	   112u /* of struct elf_prstatus on every 64-bit kernel */
#define CRASH_NOTE 412u /* header, "CORE" and the largest struct elf_prstatus, arm64's */

/* the end of a register in struct pt_regs, 0 when the kernel has no such member */
static uint64_t find_end(struct otst *o, const struct otst_register *r)
{
	const struct otst_member *m;

	if (!otst_has_member(o, "pt_regs", r->member) || otst_member(o, "pt_regs", r->member, &m))
		return 0;
	return m->offset + 8 * (r->index + UINT64_C(1));
}

static int find_pt_regs(struct otst *o, const void *of, void *value)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	struct otst_pt_regs *p = value;
	struct doubts doubts = o->doubts;
	unsigned int i;
	uint64_t end;

	(void)of;
	for (i = 0; i < a->nr_regs; i++) {
		end = find_end(o, &a->regs[i]);
		if (!end || end > OTST_PT_REGS_MAX)
			break;
		p->at[i] = (uint16_t)(end - 8);
		p->size = end > p->size ? (uint16_t)end : p->size;
	}
	/* without the type: one after the other, and no doubt that there is one */
	if (i < a->nr_regs) {
		for (i = 0; i < a->nr_regs; i++)
			p->at[i] = (uint16_t)(8 * i);
		p->size = (uint16_t)(8 * i);
	}
	o->doubts = doubts;
	return otst_stopped(o);
}

static const struct otst_once pt_regs = { .size = sizeof(struct otst_pt_regs),
					  .make = find_pt_regs };

const struct otst_pt_regs *otst_pt_regs(struct otst *o)
{
	static const struct otst_pt_regs none;
	const struct otst_pt_regs *p = otst_once_or_null(o, &pt_regs, NULL);

	return p ? p : &none;
}

void otst_regs_take(struct otst *o, const unsigned char *bytes, uint64_t *ret)
{
	const struct otst_pt_regs *p = otst_pt_regs(o);
	unsigned int i;

	for (i = 0; p->size && i < otst_kernel(o)->arch->nr_regs; i++)
		ret[i] = otst_get(o, bytes + p->at[i], 8);
}

int otst_regs_read(struct otst *o, uint64_t addr, uint64_t *ret)
{
	unsigned char bytes[OTST_PT_REGS_MAX];
	int err = otst_read(o, addr, bytes, otst_pt_regs(o)->size);

	if (!err)
		otst_regs_take(o, bytes, ret);
	return err;
}

static int prstatus_regs(struct otst *o, const struct otst_note *note, uint64_t *ret)
{
	unsigned int i, nr = otst_kernel(o)->arch->nr_regs;

	if (note->len < PR_REG + nr * 8)
		return OTST_ERR_LOOKUP;
	for (i = 0; i < nr; i++)
		ret[i] = otst_get(o, note->desc + PR_REG + 8 * (size_t)i, 8);
	return 0;
}

/* all zeros on a cpu that did not come to write its note */
static int read_crash_note(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	unsigned char bytes[CRASH_NOTE];
	struct otst_note note;
	uint64_t at, notes;
	size_t len;
	int err;

	err = otst_symbol(o, "crash_notes", &at);
	err = err ?: otst_read_u64(o, at, &notes);
	if (!err)
		err = otst_read_head(o, otst_percpu(o, notes, cpu), bytes, sizeof(Elf64_Nhdr),
				     sizeof(bytes), &len);
	if (err)
		return err;
	return otst_note_find(o, bytes, len, "CORE", NT_PRSTATUS, 0, &note) ?
		       prstatus_regs(o, &note, ret) :
		       OTST_ERR_LOOKUP;
}

static int read_dump_note(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	struct otst_note note;

	return otst_dump_note(o, "CORE", NT_PRSTATUS, cpu, &note) ? prstatus_regs(o, &note, ret) :
								    OTST_ERR_LOOKUP;
}

static int ask_target(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	const char *names[OTST_REGS_MAX];
	unsigned int i;

	if (!o->ops.cpu_regs)
		return OTST_ERR_LOOKUP;
	for (i = 0; i < a->nr_regs; i++)
		names[i] = a->regs[i].name;
	return otst_answer(o, o->ops.cpu_regs(o->priv, cpu, names, a->nr_regs, ret));
}

int otst_cpu_regs(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	if (!otst_kernel(o)->arch->nr_regs)
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "registers of this architecture are not known");
	if (!read_crash_note(o, cpu, ret) || !ask_target(o, cpu, ret) ||
	    !read_dump_note(o, cpu, ret))
		return 0;
	return otst_raise(o, OTST_ERR_LOOKUP, "no registers of cpu %u in the dump", cpu);
}
