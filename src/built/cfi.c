// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * cfi.c - DWARF call frame information of the kernel's image file, through libdw:
 * .eh_frame, where the kernel was built with it, else .debug_frame; and .debug_frame
 * of modules' debug files. Opened at first use.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../image/image.h"
#include "debug.h"

struct cfi {
	Dwarf_CFI *eh; /* to be freed here */
	uint64_t shift;
	bool usable; /* the image file is of the kernel's architecture */
};

static int open_cfi(struct otst *o, const void *of, void *value)
{
	Elf *elf = otst_image_elf(o);
	struct cfi *c = value;
	GElf_Ehdr eh;

	(void)of;
	if (!elf || !gelf_getehdr(elf, &eh) || !eh.e_machine ||
	    eh.e_machine != otst_kernel(o)->arch->elf_machine || !otst_image_shift(o, &c->shift))
		return 0;
	c->eh = dwarf_getcfi_elf(elf);
	c->usable = true;
	return 0;
}

static void close_cfi(void *value)
{
	struct cfi *c = value;

	if (c->eh)
		dwarf_cfi_end(c->eh);
}

static const struct otst_once kernel_cfi = { .size = sizeof(struct cfi),
					     .make = open_cfi,
					     .destroy = close_cfi };

static bool map_reg(const struct otst_arch *arch, Dwarf_Word reg, unsigned int *ret)
{
	for (*ret = 0; *ret < arch->reg.count; ++*ret) {
		if (arch->reg.list[*ret].dwarf == reg)
			return reg != OTST_NO_REG;
	}
	return false;
}

/* what is added to the word at that place: entry code on an interrupt's stack */
static bool read_sum(const Dwarf_Op *ops, size_t n, struct otst_cfi *ret)
{
	bool pushed = n == 2 && ops[0].atom >= DW_OP_const1u && ops[0].atom <= DW_OP_consts;

	if (n && !(n == 1 && ops[0].atom == DW_OP_plus_uconst) &&
	    !(pushed && ops[1].atom == DW_OP_plus))
		return false;
	ret->cfa_sum = n ? (int64_t)ops[0].number : 0;
	return true;
}

/* [register + offset], and a dereference where the compiler realigned the stack */
static bool read_cfa(const struct otst_arch *arch, Dwarf_Frame *frame, struct otst_cfi *ret)
{
	Dwarf_Word reg;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) || !n)
		return false;
	if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		reg = ops[0].atom - DW_OP_breg0;
		ret->cfa_offset = (int64_t)ops[0].number;
	} else if (ops[0].atom == DW_OP_bregx) {
		reg = ops[0].number;
		ret->cfa_offset = (int64_t)ops[0].number2;
	} else {
		return false;
	}
	ret->cfa_deref = n > 1;
	return (n == 1 || (ops[1].atom == DW_OP_deref && read_sum(ops + 2, n - 2, ret))) &&
	       map_reg(arch, reg, &ret->cfa_reg);
}

enum saved { SAVED_SAME, SAVED_AT, SAVED_NOWHERE, SAVED_OTHERWISE };

static enum saved read_saved_reg(Dwarf_Frame *frame, int reg, int64_t *ret)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, reg, mem, &ops, &n))
		return SAVED_OTHERWISE;
	if (!n)
		return ops == mem ? SAVED_NOWHERE : SAVED_SAME;
	if (ops[0].atom != DW_OP_call_frame_cfa || n > 2)
		return SAVED_OTHERWISE;
	*ret = 0;
	if (n == 2) {
		if (ops[1].atom != DW_OP_plus_uconst)
			return SAVED_OTHERWISE;
		*ret = (int64_t)ops[1].number;
	}
	return SAVED_AT;
}

static bool read_frame(const struct otst_arch *arch, Dwarf_Frame *frame, struct otst_cfi *ret)
{
	struct otst_cfi c = { 0 };
	enum saved fp, pc, sp;

	pc = read_saved_reg(frame, arch->reg.dwarf_ra, &c.ret_offset);
	if (pc == SAVED_NOWHERE) {
		*ret = (struct otst_cfi){ .outermost = true };
		return true;
	}
	c.ret_in_reg = pc == SAVED_SAME && arch->reg.ra != OTST_NO_REG;
	if ((pc != SAVED_AT && !c.ret_in_reg) || !read_cfa(arch, frame, &c))
		return false;
	fp = read_saved_reg(frame, arch->reg.list[arch->reg.fp].dwarf, &c.fp_offset);
	if (fp == SAVED_OTHERWISE)
		return false;
	c.fp_saved = fp == SAVED_AT;
	sp = read_saved_reg(frame, arch->reg.list[arch->reg.sp].dwarf, &c.sp_offset);
	c.sp_saved = sp == SAVED_AT;
	*ret = c;
	return true;
}

static int read_from(struct otst *o, Dwarf_CFI *cfi, uint64_t addr, struct otst_cfi *ret)
{
	Dwarf_Frame *frame;
	bool ok;

	if (!cfi || dwarf_cfi_addrframe(cfi, addr, &frame))
		return OTST_ERR_LOOKUP;
	ok = read_frame(otst_kernel(o)->arch, frame, ret);
	free(frame);
	return ok ? 0 : OTST_ERR_LOOKUP;
}

int otst_cfi_read(struct otst *o, uint64_t addr, struct otst_cfi *ret)
{
	const struct cfi *c;
	struct otst_dwarf *dwarf = NULL;
	uint64_t pc;
	int err = otst_once(o, &kernel_cfi, NULL, &c);

	if (err)
		return err;
	if (!c->usable)
		return otst_raise(o, OTST_ERR_LOOKUP, "no call frames in an image file");
	if (!otst_dwarf_at(o, addr, &dwarf, &pc) && dwarf->dwarf &&
	    !read_from(o, dwarf_getcfi(dwarf->dwarf), pc, ret))
		return 0;
	if (!otst_module_at(o, addr) && !read_from(o, c->eh, addr - c->shift, ret))
		return 0;
	return otst_raise(o, OTST_ERR_LOOKUP, "no call frame of 0x%" PRIx64 " in a debug file",
			  addr);
}
