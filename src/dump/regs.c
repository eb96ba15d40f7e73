// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * regs.c - registers of the cpus when the kernel stopped: from crash_notes, the
 * ELF notes that kernel/crash_core.c (kexec_core.c, kexec.c) fills for each cpu
 * on the way into the capture kernel, from the target, or from the dump file. The
 * former are kept
 * by cpu; a dump's own notes are counted, and leave out those that wrote none.
 */
#include <string.h>

#include "engine.h"

#define NT_PRSTATUS 1u
#define NOTE_NAME   8u	 /* "CORE", padded to 4 bytes with its NUL */
#define PR_REG	    112u /* of struct elf_prstatus on every 64-bit kernel */

int otst_prstatus_regs(const unsigned char *desc, size_t len, uint64_t *ret)
{
	unsigned int i;

	if (len < PR_REG + OTST_REGS * 8)
		return OTST_ERR_LOOKUP;
	for (i = 0; i < OTST_REGS; i++)
		ret[i] = otst_get_le(desc + PR_REG + 8 * (size_t)i, 8);
	return 0;
}

static int read_crash_note(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	unsigned char note[OTST_NOTE_HEADER + NOTE_NAME + PR_REG + OTST_REGS * 8];
	uint64_t at, notes;
	int err;

	err = otst_symbol(o, "crash_notes", &at);
	if (!err)
		err = otst_read_u64(o, at, &notes);
	if (!err)
		err = otst_read(o, otst_percpu(o, notes, cpu), note, sizeof(note));
	if (err)
		return err;
	/* all zeros on a cpu that did not come to write its note */
	if (otst_get_le(note + 8, 4) != NT_PRSTATUS || memcmp(note + OTST_NOTE_HEADER, "CORE", 5) ||
	    otst_get_le(note + 4, 4) < PR_REG + OTST_REGS * 8)
		return OTST_ERR_LOOKUP;
	return otst_prstatus_regs(note + OTST_NOTE_HEADER + NOTE_NAME, PR_REG + OTST_REGS * 8, ret);
}

int otst_cpu_regs(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	if (otst_kernel(o)->arch != &otst_arch_x86_64)
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "registers of this architecture are not known");
	if (!read_crash_note(o, cpu, ret))
		return 0;
	if (o->ops.cpu_regs && !otst_answer(o, o->ops.cpu_regs(o->priv, cpu, ret)))
		return 0;
	if (!otst_note_regs(o, cpu, ret))
		return 0;
	return otst_raise(o, OTST_ERR_LOOKUP, "no registers of cpu %u in the dump", cpu);
}
