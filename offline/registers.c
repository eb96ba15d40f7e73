// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * registers.c - registers of x86_64's cpus that VirtualBox, Xen, sadump, QEMU and VMware write in forms of
 * their own, as the notes that a dump has: "CORE", NT_PRSTATUS, one for each cpu.
 */
#include "forms.h"
#include "../front/notes.h"

#include <stdlib.h>
#include <string.h>

/* struct elf_prstatus of x86_64 */
#define PRSTATUS 336u
#define PR_REG	 112u

/* struct user_regs_struct of arch/x86/include/asm/user_64.h */
enum {
	R15,
	R14,
	R13,
	R12,
	BP,
	BX,
	R11,
	R10,
	R9,
	R8,
	AX,
	CX,
	DX,
	SI,
	DI,
	ORIG_AX,
	IP,
	CS,
	FLAGS,
	SP,
	SS,
	NR_REGS,
	NONE = -1,
};

/*
 * VirtualBox: DBGFCORECPU in its include/VBox/vmm/dbgfcorefmt.h, of 6.0 to 7.2. In the oldest version, the
 * note held the monitor's own structure, which differs between releases.
 */
#define VBOX_MAGIC	 0xc01ac0deu
#define VBOX_VERSION_MIN 0x00010005u
#define VBOX_CPU	 288u /* up to and with ss; more follows */
#define VBOX_CS		 (144u + 16u)
#define VBOX_SS		 (144u + 5 * 24u + 16u)

static const signed char vbox_order[] = { AX,  BX,  CX,	 DX,  SI,  DI, R8, R9, R10,
					  R11, R12, R13, R14, R15, IP, SP, BP, FLAGS };

/* Xen: user_regs of struct vcpu_guest_context, xen/include/public/arch-x86 */
#define XEN_CPU	 5168u
#define XEN_REGS 520u

static const signed char xen_order[] = { R15, R14, R13, R12, BP,   BX, R11,  R10,   R9, R8,  AX,
					 CX,  DX,  SI,	DI,  NONE, IP, NONE, FLAGS, SP, NONE };
#define XEN_CS (XEN_REGS + 17 * 8)
#define XEN_SS (XEN_REGS + 20 * 8)

/* sadump: struct sadump_smram_cpu_state in sadump_mod.h of makedumpfile */
#define SADUMP_CPU   1024u
#define SADUMP_REGS  796u
#define SADUMP_CS    940u
#define SADUMP_SS    944u
#define SADUMP_IP    984u
#define SADUMP_FLAGS 1000u

static const signed char sadump_order[] = { R15, R14, R13, R12, R11, R10, R9, R8,
					    AX,	 CX,  DX,  BX,	SP,  BP,  SI, DI };

/* QEMU: enum of target/i386/cpu.h, R_EAX and R_ES */
static const signed char qemu_order[] = { AX, CX, DX,  BX,  SP,	 BP,  SI,  DI,
					  R8, R9, R10, R11, R12, R13, R14, R15 };
#define QEMU_CS 1u
#define QEMU_SS 2u

static const struct {
	const char *name;
	int index;
} register_names[] = {
	{ "rax", AX },	{ "rcx", CX },	{ "rdx", DX },	     { "rbx", BX },  { "rbp", BP },
	{ "rsp", SP },	{ "rsi", SI },	{ "rdi", DI },	     { "r8", R8 },   { "r9", R9 },
	{ "r10", R10 }, { "r11", R11 }, { "r12", R12 },	     { "r13", R13 }, { "r14", R14 },
	{ "r15", R15 }, { "rip", IP },	{ "eflags", FLAGS },
};

/* arch/x86/include/asm/segment.h: of the kernel, whose addresses have the highest bit, and of programs */
#define KERNEL_CS 0x10u
#define KERNEL_DS 0x18u
#define USER_CS	  0x33u
#define USER_DS	  0x2bu

static int add_prstatus(const uint64_t *regs, void **notes, size_t *len)
{
	static const char name[8] = "CORE";
	const Elf64_Nhdr head = { 5, PRSTATUS, NT_PRSTATUS };
	size_t size = sizeof(head) + sizeof(name) + PRSTATUS;
	char *more = realloc(*notes, *len + size);
	char *at = more + *len;

	if (!more)
		return OTST_ERR_NOMEM;
	*notes = more;
	*len += size;
	memset(at, 0, size);
	memcpy(at, &head, sizeof(head));
	memcpy(at + sizeof(head), name, sizeof(name));
	at += sizeof(head) + sizeof(name) + PR_REG;
	memcpy(at, regs, NR_REGS * sizeof(*regs));
	return 0;
}

static void take_registers(const unsigned char *from, const signed char *order, size_t count,
			   uint64_t *ret)
{
	for (size_t i = 0; i < count; i++) {
		if (order[i] != NONE)
			ret[order[i]] = get_number(false, from + 8 * i, 8);
	}
}

static int add_vbox_cpu(const unsigned char *desc, void **notes, size_t *len)
{
	uint64_t regs[NR_REGS] = { 0 };

	take_registers(desc, vbox_order, sizeof(vbox_order), regs);
	regs[CS] = get_number(false, desc + VBOX_CS, 2);
	regs[SS] = get_number(false, desc + VBOX_SS, 2);
	return add_prstatus(regs, notes, len);
}

static bool has_vbox_cpus(void *notes, size_t len)
{
	unsigned char *desc;
	size_t at = 0, desc_len;

	while (note_next(false, notes, len, &at, "VBCORE", &desc, &desc_len)) {
		if (desc_len >= 8 && get_number(false, desc, 4) == VBOX_MAGIC)
			return get_number(false, desc + 4, 4) >= VBOX_VERSION_MIN;
	}
	return false;
}

int registers_of_vbox(void **notes, size_t *len)
{
	size_t at = 0, end = *len, desc_len;
	unsigned char *desc;
	int err = 0;

	if (!has_vbox_cpus(*notes, end))
		return 0;
	while (!err && note_next(false, *notes, end, &at, "VBCPU", &desc, &desc_len)) {
		if (desc_len >= VBOX_CPU)
			err = add_vbox_cpu(desc, notes, len);
	}
	return err;
}

int registers_of_xen(const unsigned char *contexts, size_t size, void **notes, size_t *len)
{
	int err = 0;

	for (; !err && size >= XEN_CPU; contexts += XEN_CPU, size -= XEN_CPU) {
		uint64_t regs[NR_REGS] = { 0 };

		take_registers(contexts + XEN_REGS, xen_order, sizeof(xen_order), regs);
		regs[CS] = get_number(false, contexts + XEN_CS, 2);
		regs[SS] = get_number(false, contexts + XEN_SS, 2);
		err = add_prstatus(regs, notes, len);
	}
	return err;
}

int registers_of_sadump(const unsigned char *states, uint64_t size, uint64_t count, void **notes,
			size_t *len)
{
	int err = 0;

	for (; !err && count && size >= SADUMP_CPU; states += size, count--) {
		uint64_t regs[NR_REGS] = { 0 };

		take_registers(states + SADUMP_REGS, sadump_order, sizeof(sadump_order), regs);
		regs[CS] = get_number(false, states + SADUMP_CS, 4);
		regs[SS] = get_number(false, states + SADUMP_SS, 4);
		regs[IP] = get_number(false, states + SADUMP_IP, 8);
		regs[FLAGS] = get_number(false, states + SADUMP_FLAGS, 8);
		err = add_prstatus(regs, notes, len);
	}
	return err;
}

int registers_of_qemu(const struct qemu_cpu *cpu, void **notes, size_t *len)
{
	uint64_t regs[NR_REGS] = { 0 };
	size_t i;

	for (i = 0; i < sizeof(qemu_order); i++)
		regs[qemu_order[i]] = get_number(true, cpu->regs + 8 * i, 8);
	regs[IP] = get_number(true, cpu->ip, 8);
	regs[FLAGS] = get_number(true, cpu->flags, 8);
	regs[CS] = get_number(true, cpu->segments + QEMU_CS * cpu->segment_size, 4);
	regs[SS] = get_number(true, cpu->segments + QEMU_SS * cpu->segment_size, 4);
	return add_prstatus(regs, notes, len);
}

void registers_set(struct named_registers *r, const char *name, uint64_t value)
{
	size_t i;

	_Static_assert(sizeof(r->values) == NR_REGS * sizeof(*r->values), "one for each register");
	for (i = 0; i < sizeof(register_names) / sizeof(*register_names); i++) {
		if (!strcmp(register_names[i].name, name)) {
			r->values[register_names[i].index] = value;
			r->set |= 1u << register_names[i].index;
		}
	}
}

int registers_add(struct named_registers *r, void **notes, size_t *len)
{
	const uint32_t needed = 1u << IP | 1u << SP;
	bool kernel = r->values[IP] >> 63;

	if ((r->set & needed) != needed)
		return OTST_ERR_LOOKUP;
	r->values[CS] = kernel ? KERNEL_CS : USER_CS;
	r->values[SS] = kernel ? KERNEL_DS : USER_DS;
	return add_prstatus(r->values, notes, len);
}
