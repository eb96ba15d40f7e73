// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * place_x86_64.c - which of a cpu's stacks an address lies on: the ones for
 * interrupts, exceptions and kernel entry (get_stack_info() of
 * arch/x86/kernel/dumpstack_64.c), and where that stack keeps the way back.
 */

#include "x86_64.h"

#define PAGE_SIZE      4096u
#define IRQ_STACK_SIZE (4u * PAGE_SIZE) /* larger with KASAN: THREAD_SIZE then */
#define EXCEPTIONS     6u

/* cea_exception_stacks, in the order of enum exception_stack_ordering */
static const struct {
	const char *member;
	enum otst_place place;
} exceptions[EXCEPTIONS] = {
	{ "DF_stack", OTST_PLACE_DF }, { "NMI_stack", OTST_PLACE_NMI },
	{ "DB_stack", OTST_PLACE_DB }, { "MCE_stack", OTST_PLACE_MCE },
	{ "VC_stack", OTST_PLACE_VC }, { "VC2_stack", OTST_PLACE_VC2 },
};

/*
 * In kernels before cea_exception_stacks, orig_ist.ist[] has the tops of the
 * first of these stacks, in the same order.
 */
#define OLD_ISTS 4

struct range {
	uint64_t begin;
	uint64_t end;
};

struct cpu_places {
	struct range irq;
	struct range entry;
	struct range exception[EXCEPTIONS];
};

static bool percpu_u64(struct otst *o, const char *symbol, unsigned int cpu, uint64_t offset,
		       uint64_t *ret)
{
	uint64_t at = otst_symbol_or0(o, symbol);

	return at && !otst_read_u64(o, otst_percpu(o, at, cpu) + offset, ret) &&
	       otst_is_kernel_pointer(o, *ret);
}

static bool irq_stack_pointer(struct otst *o, unsigned int cpu, uint64_t *ret)
{
	const struct otst_member *m;

	/* Linux e57ef2ed97c1 ("x86: Put hot per CPU variables into a struct") (v6.2), until v6.15 */
	if (otst_has_member(o, "pcpu_hot", "hardirq_stack_ptr") &&
	    !otst_member(o, "pcpu_hot", "hardirq_stack_ptr", &m) &&
	    percpu_u64(o, "pcpu_hot", cpu, m->offset, ret))
		return true;
	/* Linux 758a2e312228 ("x86/irq/64: Rename irq_stack_ptr to hardirq_stack_ptr") (v5.2) */
	return percpu_u64(o, "hardirq_stack_ptr", cpu, 0, ret) ||
	       percpu_u64(o, "irq_stack_ptr", cpu, 0, ret);
}

static void read_irq(struct otst *o, unsigned int cpu, struct range *ret)
{
	uint64_t top, size = otst_thread_size(o);

	if (!irq_stack_pointer(o, cpu, &top))
		return;
	if (size < IRQ_STACK_SIZE)
		size = IRQ_STACK_SIZE;
	/*
	 * The pointer is the end itself; since 951c2a51ae75 ("x86/irq/64: Adjust the
	 * per CPU irq stack pointer by 8") (v5.12) it is the last word; in the union
	 * of old kernels it is 64 bytes before the end.
	 */
	ret->end = top;
	if (top % PAGE_SIZE == PAGE_SIZE - 8)
		ret->end = top + 8;
	else if (top % PAGE_SIZE == PAGE_SIZE - 64)
		size -= 64;
	ret->begin = ret->end - size;
}

bool otst_orc_sp_at(struct otst *o)
{
	uint64_t top;

	/*
	 * 87ccc826bf1c ("x86/unwind/orc: Change REG_SP_INDIRECT") (v5.12) changes no
	 * name; it came in the same series as the change of the pointer, above.
	 */
	return irq_stack_pointer(o, 0, &top) && top % PAGE_SIZE != PAGE_SIZE - 8;
}

static void read_exceptions(struct otst *o, unsigned int cpu, struct cpu_places *c)
{
	const struct otst_member *m;
	uint64_t area, top;

	/* Linux 019b17b3ffe4 ("x86/exceptions: Add structs for exception stacks") (v5.2) */
	if (percpu_u64(o, "cea_exception_stacks", cpu, 0, &area)) {
		for (unsigned int i = 0; i < EXCEPTIONS; i++) {
			if (!otst_has_member(o, "cea_exception_stacks", exceptions[i].member) ||
			    otst_member(o, "cea_exception_stacks", exceptions[i].member, &m))
				continue;
			c->exception[i].begin = area + m->offset;
			c->exception[i].end = area + m->offset + m->size;
		}
		return;
	}
	for (unsigned int i = 0; i < OLD_ISTS; i++) {
		if (!percpu_u64(o, "orig_ist", cpu, 8 * (uint64_t)i, &top))
			continue;
		/* DEBUG_STKSZ is twice as large; its lower half is for a nested #DB */
		c->exception[i].begin = top - PAGE_SIZE;
		c->exception[i].end = top;
	}
}

/* the stack for kernel entry ends where sp0 of the cpu's TSS points to */
static void x86_64_read_entry(struct otst *o, unsigned int cpu, struct range *ret)
{
	const struct otst_member *m;
	uint64_t sp0;

	if (!otst_has_type(o, "entry_stack") || !otst_has_member(o, "tss_struct", "x86_tss.sp0") ||
	    otst_member(o, "tss_struct", "x86_tss.sp0", &m) ||
	    !percpu_u64(o, "cpu_tss_rw", cpu, m->offset, &sp0) || sp0 % PAGE_SIZE)
		return;
	ret->begin = sp0 - PAGE_SIZE;
	ret->end = sp0;
}

/* the number of a cpu as a key of otst_once() */
static const void *cpu_key(unsigned int cpu)
{
	return (const void *)(uintptr_t)cpu;
}

static int find_cpu_places(struct otst *o, const void *of, void *value)
{
	unsigned int cpu = (unsigned int)(uintptr_t)of;
	struct cpu_places *c = value;

	read_irq(o, cpu, &c->irq);
	read_exceptions(o, cpu, c);
	x86_64_read_entry(o, cpu, &c->entry);
	return 0;
}

static const struct otst_once cpu_places = { .size = sizeof(struct cpu_places),
					     .make = find_cpu_places };

static bool in_range(const struct range *r, uint64_t addr)
{
	return addr >= r->begin && addr < r->end;
}

static bool set_bounds(struct otst_bounds *b, enum otst_place place, const struct range *r,
		       uint64_t next)
{
	*b = (struct otst_bounds){ .place = place, .begin = r->begin, .end = r->end, .next = next };
	return true;
}

bool otst_x86_64_place(struct otst *o, unsigned int cpu, uint64_t addr, struct otst_bounds *ret)
{
	const struct cpu_places *c = otst_once_or_null(o, &cpu_places, cpu_key(cpu));
	const struct otst_pt_regs *pt = otst_pt_regs(o);

	if (!c)
		return false;
	for (unsigned int i = 0; i < EXCEPTIONS; i++) {
		/* sp of the registers that the cpu pushed first */
		if (in_range(&c->exception[i], addr))
			return set_bounds(ret, exceptions[i].place, &c->exception[i],
					  c->exception[i].end - pt->size + pt->at[X86_SP]);
	}
	if (in_range(&c->irq, addr))
		return set_bounds(ret, OTST_PLACE_IRQ, &c->irq, c->irq.end - 8);
	if (in_range(&c->entry, addr))
		return set_bounds(ret, OTST_PLACE_ENTRY, &c->entry, 0);
	return false;
}
