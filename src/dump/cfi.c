// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfi.c - DWARF call frame information of the kernel's image file, through
 * libdw: .eh_frame, where the kernel was built with it, else .debug_frame; and
 * .debug_frame of modules' debug files. x86_64 only. Opened at the first question.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "debug.h"
#include "image.h"

/* numbers of the x86-64 psABI */
#define DWARF_REGS 17
#define DWARF_BP   6
#define DWARF_RET  16

struct cfi {
	Dwarf_CFI *eh; /* to be freed here */
	uint64_t shift;
	bool usable; /* the image file is of x86_64 */
};

static int open_cfi(struct otst *o, const void *of, void *value)
{
	Elf *elf = otst_image_elf(o);
	struct cfi *c = value;
	GElf_Ehdr eh;

	(void)of;
	if (!elf || !gelf_getehdr(elf, &eh) || eh.e_machine != EM_X86_64 ||
	    !otst_image_shift(o, &c->shift))
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

static bool map_reg(Dwarf_Word reg, unsigned int *ret)
{
	static const unsigned char regs[DWARF_REGS - 1] = {
		OTST_AX, OTST_DX, OTST_CX,  OTST_BX,  OTST_SI,	OTST_DI,  OTST_BP,  OTST_SP,
		OTST_R8, OTST_R9, OTST_R10, OTST_R11, OTST_R12, OTST_R13, OTST_R14, OTST_R15,
	};

	if (reg >= sizeof(regs))
		return false;
	*ret = regs[reg];
	return true;
}

/* [register + offset], and a dereference where the compiler realigned the stack */
static bool read_cfa(Dwarf_Frame *frame, struct otst_cfi *ret)
{
	Dwarf_Word reg;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) || !n || n > 2)
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
	ret->cfa_deref = n == 2;
	return (n == 1 || ops[1].atom == DW_OP_deref) && map_reg(reg, &ret->cfa_reg);
}

enum saved { SAVED_SAME, SAVED_AT, SAVED_NOWHERE, SAVED_OTHERWISE };

static enum saved read_saved(Dwarf_Frame *frame, int reg, int64_t *ret)
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

static bool read_frame(Dwarf_Frame *frame, struct otst_cfi *ret)
{
	struct otst_cfi c = { 0 };
	enum saved bp, pc;

	pc = read_saved(frame, DWARF_RET, &c.ret_offset);
	if (pc == SAVED_NOWHERE) {
		*ret = (struct otst_cfi){ .outermost = true };
		return true;
	}
	if (pc != SAVED_AT || !read_cfa(frame, &c))
		return false;
	bp = read_saved(frame, DWARF_BP, &c.bp_offset);
	if (bp == SAVED_OTHERWISE)
		return false;
	c.bp_saved = bp == SAVED_AT;
	*ret = c;
	return true;
}

static int read_from(Dwarf_CFI *cfi, uint64_t addr, struct otst_cfi *ret)
{
	Dwarf_Frame *frame;
	bool ok;

	if (!cfi || dwarf_cfi_addrframe(cfi, addr, &frame))
		return OTST_ERR_LOOKUP;
	ok = read_frame(frame, ret);
	free(frame);
	return ok ? 0 : OTST_ERR_LOOKUP;
}

int otst_cfi_read(struct otst *o, uint64_t addr, struct otst_cfi *ret)
{
	const struct cfi *c;
	struct otst_dwarf *d = NULL;
	uint64_t pc;
	int err = otst_once(o, &kernel_cfi, NULL, &c);

	if (err)
		return err;
	if (!c->usable)
		return otst_raise(o, OTST_ERR_LOOKUP, "no call frames in an image file");
	if (!otst_dwarf_at(o, addr, &d, &pc) && d->dwarf &&
	    !read_from(dwarf_getcfi(d->dwarf), pc, ret))
		return 0;
	if (!otst_module_at(o, addr) && !read_from(c->eh, addr - c->shift, ret))
		return 0;
	return otst_raise(o, OTST_ERR_LOOKUP, "no call frame of 0x%" PRIx64 " in a debug file",
			  addr);
}
