// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * regs.c - registers of the cpus when the kernel stopped: from crash_notes, the ELF
 * notes that kernel/crash_core.c (kexec_core.c, kexec.c) fills for each cpu on the
 * way into the capture kernel; from the target; from the dump's notes; or from where
 * the processor stored them. crash_notes are kept by cpu. A dump's notes do not name
 * their cpu, and /proc/vmcore leaves out the cpus that wrote none. Also reads struct
 * pt_regs (asm/ptrace.h) from the dump's memory.
 */
#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include "../arch/arch.h"
#include "../base/coverage.h"
#include "../base/engine.h"
#include "../dump.h"
#include "../memory/notes.h"
#include "regs.h"

#define PR_REG	   112u /* of struct elf_prstatus on every 64-bit kernel */
#define CRASH_NOTE 524u /* header, "CORE" and the largest struct elf_prstatus, powerpc's */

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
	for (i = 0; i < a->reg.count; i++) {
		end = find_end(o, &a->reg.list[i]);
		if (!end || end > OTST_PT_REGS_MAX)
			break;
		p->at[i] = (uint16_t)(end - 8);
		p->size = end > p->size ? (uint16_t)end : p->size;
	}
	/* without the type: one after the other, and no doubt that the kernel has pt_regs */
	if (i < a->reg.count) {
		for (i = 0; i < a->reg.count; i++)
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

	for (unsigned int i = 0; p->size && i < otst_kernel(o)->arch->reg.count; i++)
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
	unsigned int i, nr = otst_kernel(o)->arch->reg.count;

	if (note->len < PR_REG + nr * 8)
		return OTST_ERR_LOOKUP;
	for (i = 0; i < nr; i++)
		ret[i] = otst_get(o, note->desc + PR_REG + 8 * (size_t)i, 8);
	return 0;
}

/* ---- crash_notes ---- */

enum written { WRITTEN, EMPTY, NOT_KNOWN };

/* @bytes: what @ret points into */
static enum written find_crash_note(struct otst *o, unsigned int cpu,
				    unsigned char bytes[CRASH_NOTE], struct otst_note *ret)
{
	uint64_t at, notes;
	size_t len;
	int err;

	err = otst_symbol(o, "crash_notes", &at);
	err = err ?: otst_read_u64(o, at, &notes);
	if (!err)
		err = otst_read_head(o, otst_percpu(o, notes, cpu), bytes, sizeof(Elf64_Nhdr),
				     CRASH_NOTE, &len);
	if (err)
		return NOT_KNOWN;
	if (otst_note_find(o, bytes, len, "CORE", NT_PRSTATUS, 0, ret))
		return WRITTEN;
	/* all zeros on a cpu that never got to write its note */
	return otst_get(o, bytes, 4) ? NOT_KNOWN : EMPTY;
}

static int read_crash_note(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	unsigned char bytes[CRASH_NOTE];
	struct otst_note note;

	return find_crash_note(o, cpu, bytes, &note) == WRITTEN ? prstatus_regs(o, &note, ret) :
								  OTST_ERR_LOOKUP;
}

/* ---- notes of the dump's file ---- */

#define NONE  (-1)
#define MAYBE (-2) /* until all cpus have been looked at */

/* which of the file's NT_PRSTATUS notes belongs to each cpu, or NONE */
struct note_map {
	unsigned int nr_cpus;
	int *of_cpu;
};

static void collect_notes(struct otst *o, struct otst_vec *ret)
{
	struct otst_note note, *n;
	const void *notes;
	uint64_t len;
	size_t at = 0;

	if (!o->ops.notes || otst_answer(o, o->ops.notes(o->priv, &notes, &len)))
		return;
	while (otst_note_next(o, notes, len, &at, &note)) {
		if (note.type != NT_PRSTATUS || note.name_len != sizeof("CORE") ||
		    memcmp(note.name, "CORE", sizeof("CORE")) != 0)
			continue;
		n = otst_vec_push(o, ret, sizeof(*n));
		*n = note;
	}
}

/* the first note from @from on with the same bytes; the number of notes when there is none */
static size_t find_same(const struct otst_vec *notes, size_t from, const struct otst_note *note)
{
	const struct otst_note *n = notes->data;

	while (from < notes->count &&
	       (n[from].len != note->len || memcmp(n[from].desc, note->desc, note->len) != 0))
		from++;
	return from;
}

/*
 * The notes @note to @end lie between those of two known cpus, and the cpus @cpu to
 * @end_cpu lie between these cpus. If there are as many such notes as buffers that
 * cannot be read, these cpus wrote them; otherwise it is not known which cpus did.
 */
static void share_gap(struct note_map *m, unsigned int cpu, unsigned int end_cpu, int note, int end)
{
	int maybe = 0;
	bool share;

	for (unsigned int i = cpu; i < end_cpu; i++)
		maybe += m->of_cpu[i] == MAYBE;
	share = maybe == end - note;
	for (unsigned int i = cpu; i < end_cpu; i++) {
		if (m->of_cpu[i] == MAYBE)
			m->of_cpu[i] = share ? note++ : NONE;
	}
}

/* finds the cpus of those of the kernel's own notes that were found in no buffer */
static void share_rest(struct note_map *m, size_t notes)
{
	unsigned int cpu, first = 0;
	int note = 0;

	for (cpu = 0; cpu < m->nr_cpus; cpu++) {
		if (m->of_cpu[cpu] < 0)
			continue;
		share_gap(m, first, cpu, note, m->of_cpu[cpu]);
		first = cpu + 1;
		note = m->of_cpu[cpu] + 1;
	}
	share_gap(m, first, m->nr_cpus, note, (int)notes);
}

/* a hypervisor writes one note for each cpu, online or not */
static void number_all(struct note_map *m, size_t notes)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->of_cpu[cpu] = cpu < notes ? (int)cpu : NONE;
}

/*
 * without crash_notes: a capture kernel's dump has no notes of cpus that are
 * offline or did not answer
 */
static void number_online(struct otst *o, struct note_map *m, size_t notes)
{
	unsigned int cpu, online = otst_kernel(o)->online;
	int next = 0;

	if (notes > online) {
		number_all(m, notes);
		return;
	}
	for (cpu = 0; cpu < m->nr_cpus; cpu++)
		m->of_cpu[cpu] = notes == online && otst_cpu_online(o, cpu) ? next++ : NONE;
}

/*
 * update_note_header_size_elf64() of fs/proc/vmcore.c joins what the cpus wrote to
 * crash_notes, in the order of their numbers, and drops empty notes. So the kernel's
 * own notes are recognised by their bytes in memory.
 */
static int map_notes(struct otst *o, const void *of, void *value)
{
	struct note_map *m = value;
	unsigned char bytes[CRASH_NOTE];
	size_t next = 0, maybe = 0, i;
	struct otst_vec notes = { 0 };
	struct otst_note note;
	unsigned int cpu, nr = otst_kernel(o)->nr_cpus;

	(void)of;
	collect_notes(o, &notes);
	m->of_cpu = otst_keep(o, (nr ? nr : 1) * sizeof(*m->of_cpu));
	if (!m->of_cpu)
		return otst_no_memory(o);
	m->nr_cpus = nr;
	for (cpu = 0; cpu < nr; cpu++) {
		enum written written = find_crash_note(o, cpu, bytes, &note);

		i = written == WRITTEN ? find_same(&notes, next, &note) : notes.count;
		m->of_cpu[cpu] = written == NOT_KNOWN ? MAYBE : NONE;
		maybe += written == NOT_KNOWN;
		if (i == notes.count)
			continue;
		m->of_cpu[cpu] = (int)i;
		next = i + 1;
	}
	if (next)
		share_rest(m, notes.count);
	else if (!maybe || (!otst_has_symbol(o, "crash_notes") && !otst_symbols_gap(o)))
		number_all(m, notes.count);
	else
		number_online(o, m, notes.count);
	return otst_stopped(o);
}

static const struct otst_once note_map = { .size = sizeof(struct note_map), .make = map_notes };

static int read_dump_note(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct note_map *m;
	struct otst_note note;

	/* the note of /proc/kcore is empty */
	if (otst_is_live(o))
		return OTST_ERR_LOOKUP;
	m = otst_once_or_null(o, &note_map, NULL);
	if (!m || cpu >= m->nr_cpus || m->of_cpu[cpu] == NONE)
		return OTST_ERR_LOOKUP;
	return otst_dump_note(o, "CORE", NT_PRSTATUS, (unsigned int)m->of_cpu[cpu], &note) ?
		       prstatus_regs(o, &note, ret) :
		       OTST_ERR_LOOKUP;
}

static int ask_target_regs(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	const char *names[OTST_REGS_MAX];

	if (!o->ops.cpu_regs)
		return OTST_ERR_LOOKUP;
	for (unsigned int i = 0; i < a->reg.count; i++)
		names[i] = a->reg.list[i].name;
	return otst_answer(o, o->ops.cpu_regs(o->priv, cpu, names, a->reg.count, ret));
}

/*
 * On s390x "store status" writes a stopped cpu's registers to its low core: the kernel does it on
 * the way into the capture kernel (arch/s390/kernel/machine_kexec.c), stand-alone dump tools
 * do it for each cpu, and their dumps have no notes.
 */
static int read_stored(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	unsigned char bytes[OTST_STORED_MAX];
	uint64_t at, area;
	int err = otst_symbol(o, a->stored.areas, &at);

	err = err ?: otst_read_u64(o, at + UINT64_C(8) * cpu, &area);
	if (err)
		return err;
	if (!area)
		return otst_raise(o, OTST_ERR_LOOKUP, "the cpu is offline");
	if (area % a->stored.align)
		return otst_raise(o, OTST_ERR_CORRUPT, "0x%" PRIx64 " is not aligned", area);
	err = otst_read(o, area + a->stored.at, bytes, a->stored.len);
	if (err)
		return err;
	return a->stored.take(bytes, ret) ? 0 :
					    otst_raise(o, OTST_ERR_LOOKUP, "nothing was stored");
}

int otst_cpu_regs(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct otst_arch *a = otst_kernel(o)->arch;
	int err;

	if (!a->reg.count)
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "registers of this architecture are not known");
	if (!read_crash_note(o, cpu, ret) || !ask_target_regs(o, cpu, ret) ||
	    !read_dump_note(o, cpu, ret))
		return 0;
	if (!a->stored.areas || cpu >= otst_kernel(o)->nr_cpus)
		return otst_raise(o, OTST_ERR_LOOKUP, "no registers of cpu %u in the dump", cpu);
	err = read_stored(o, cpu, ret);
	return err ? otst_fail(o, err, "no registers of cpu %u in the dump: %s[%u]", cpu,
			       a->stored.areas, cpu) :
		     0;
}
