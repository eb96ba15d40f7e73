// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disassemble.c - bytes to instructions through libcapstone, and what it lacks:
 * instructions that kernels have and its version 4 does not know or takes for
 * others, and the names of what they refer to.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <string.h>

#include "disassemble.h"

#define ARM64_INSN 4u

/* libcapstone's handle and its room for one instruction, both for as long as the engine */
struct decoder {
	csh handle;
	cs_insn *insn;
};

/*
 * What libcapstone 4 does not know, or takes for something else: @len bytes
 * that begin with @count bytes, the last of them under @mask. Only whole
 * instructions without operands that would have to be decoded; ud1 is there
 * because its operand only carries a number for the trap's handler.
 */
static const struct unknown {
	unsigned char bytes[5];
	unsigned char count;
	unsigned char mask;
	unsigned char len;
	const char *text;
} x86_unknown[] = {
	{ { 0xd6 }, 1, 0xff, 1, "udb" },
	{ { 0x0f, 0x01, 0xe8 }, 3, 0xff, 3, "serialize" },
	{ { 0x0f, 0x01, 0xc6 }, 3, 0xff, 3, "wrmsrns" },
	{ { 0x0f, 0x01, 0xee }, 3, 0xff, 3, "rdpkru" },
	{ { 0x0f, 0x01, 0xfa }, 3, 0xff, 3, "monitorx" },
	{ { 0x0f, 0x01, 0xfb }, 3, 0xff, 3, "mwaitx" },
	{ { 0x0f, 0x01, 0xef }, 3, 0xff, 3, "wrpkru" },
	{ { 0x66, 0x0f, 0xae, 0xf1 }, 4, 0xff, 4, "tpause %ecx" },
	{ { 0xc4, 0xe2, 0x78, 0x49, 0xc0 }, 5, 0xff, 5, "tilerelease" },
	{ { 0x0f, 0xb9, 0xc0 }, 3, 0xc0, 3, "ud1" },
	{ { 0x0f, 0xb9, 0x40 }, 3, 0xc7, 4, "ud1" },
	{ { 0x67, 0x0f, 0xb9, 0x40 }, 4, 0xc7, 5, "ud1" },
	{ { 0x67, 0x0f, 0xb9, 0x80 }, 4, 0xc7, 8, "ud1" },
	{ { 0xf2, 0x0f, 0x01, 0xca }, 4, 0xff, 4, "erets" },
	{ { 0xf3, 0x0f, 0x01, 0xca }, 4, 0xff, 4, "eretu" },
	{ { 0xf3, 0x0f, 0xc7, 0xf8 }, 4, 0xff, 4, "rdpid %rax" },
	{ { 0xf2, 0x0f, 0x00, 0xf0 }, 4, 0xff, 4, "lkgs %ax" },
	{ { 0xf2, 0x0f, 0x00, 0xf7 }, 4, 0xff, 4, "lkgs %di" },
};

static void close_decoder(void *value)
{
	struct decoder *d = value;

	if (d->insn)
		cs_free(d->insn, 1);
	if (d->handle)
		cs_close(&d->handle);
}

static int open_handle(struct otst *o, csh *ret)
{
	cs_err err;

	if (otst_kernel(o)->arch == &otst_arch_x86_64)
		err = cs_open(CS_ARCH_X86, CS_MODE_64, ret);
	else if (otst_kernel(o)->arch == &otst_arch_aarch64)
		err = cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, ret);
	else
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "no disassembler for this architecture");
	if (err == CS_ERR_MEM)
		return otst_no_memory(o);
	if (err)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "libcapstone: %s", cs_strerror(err));
	return 0;
}

static int open_decoder(struct otst *o, const void *of, void *value)
{
	struct decoder *d = value;
	int err;

	(void)of;
	err = open_handle(o, &d->handle);
	if (err)
		return err;
	cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (otst_kernel(o)->arch == &otst_arch_x86_64)
		cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	d->insn = cs_malloc(d->handle);
	return d->insn ? 0 : otst_no_memory(o);
}

static const struct otst_once decoder = { .size = sizeof(struct decoder),
					  .make = open_decoder,
					  .destroy = close_decoder };

static const struct unknown *find_unknown(const unsigned char *p, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(x86_unknown) / sizeof(x86_unknown[0]); i++) {
		const struct unknown *u = &x86_unknown[i];

		if (len >= u->len && !memcmp(p, u->bytes, u->count - 1u) &&
		    (p[u->count - 1] & u->mask) == u->bytes[u->count - 1])
			return u;
	}
	return NULL;
}

/* what an operand relative to the instruction pointer means, or a branch's target */
static void refer_x86(const cs_insn *c, struct otst_insn *insn)
{
	const cs_x86 *x = &c->detail->x86;
	unsigned int i;

	for (i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];

		if (op->type != X86_OP_MEM || op->mem.base != X86_REG_RIP)
			continue;
		insn->target = c->address + c->size + (uint64_t)op->mem.disp;
		insn->refers = true;
	}
}

static void refer_branch(csh handle, const cs_insn *c, struct otst_insn *insn, bool x86)
{
	const cs_detail *d = c->detail;
	unsigned int last;

	if (!cs_insn_group(handle, c, CS_GRP_BRANCH_RELATIVE))
		return;
	last = x86 ? d->x86.op_count : d->arm64.op_count;
	if (!last--)
		return;
	if (x86 && d->x86.operands[last].type == X86_OP_IMM)
		insn->target = (uint64_t)d->x86.operands[last].imm;
	else if (!x86 && d->arm64.operands[last].type == ARM64_OP_IMM)
		insn->target = (uint64_t)d->arm64.operands[last].imm;
}

/*
 * brk, the breakpoint of kprobes and of BUG(): libcapstone 5 prints numbers
 * below 10 in decimal, 4 all in hexadecimal.
 */
static bool is_brk(const cs_insn *c, bool x86)
{
	return !x86 && (otst_get_le(c->bytes, ARM64_INSN) & 0xffe0001f) == 0xd4200000;
}

static const char *insn_text(struct otst *o, const cs_insn *c, bool x86)
{
	if (is_brk(c, x86))
		return otst_format(o, "brk #0x%" PRIx64,
				   otst_get_le(c->bytes, ARM64_INSN) >> 5 & 0xffff);
	return c->op_str[0] ? otst_format(o, "%s %s", c->mnemonic, c->op_str) :
			      otst_strdup(o, c->mnemonic);
}

/* the next instruction of @len bytes at @p; 0, or NOMEM */
static int decode(struct otst *o, struct decoder *d, const unsigned char *p, size_t len,
		  struct otst_insn *insn)
{
	bool x86 = otst_kernel(o)->arch == &otst_arch_x86_64;
	const struct unknown *u = x86 ? find_unknown(p, len) : NULL;
	const uint8_t *code = p;
	uint64_t at = insn->addr;
	size_t left = len;

	if (u) {
		insn->len = u->len;
		insn->text = u->text;
		insn->known = true;
	} else if (cs_disasm_iter(d->handle, &code, &left, &at, d->insn)) {
		insn->len = d->insn->size;
		insn->text = insn_text(o, d->insn, x86);
		insn->known = true;
		if (x86)
			refer_x86(d->insn, insn);
		refer_branch(d->handle, d->insn, insn, x86);
	} else if (!x86 && len >= ARM64_INSN) {
		insn->len = ARM64_INSN;
		insn->text = otst_format(o, ".inst 0x%08" PRIx64, otst_get_le(p, ARM64_INSN));
	} else {
		insn->len = 1;
		insn->text = otst_format(o, ".byte 0x%02x", p[0]);
	}
	memcpy(insn->bytes, p, insn->len);
	return insn->text ? 0 : otst_no_memory(o);
}

int otst_disassemble(struct otst *o, uint64_t addr, const void *bytes, size_t len, size_t want,
		     struct otst_insns *ret)
{
	struct otst_vec v = { 0 };
	struct otst_insn *insn;
	struct decoder *d = NULL;
	struct otst_sym sym;
	size_t at;
	int err = otst_once(o, &decoder, NULL, &d);

	for (at = 0; !err && at < want && at < len; at += insn->len) {
		err = otst_check(o);
		insn = err ? NULL : otst_vec_push(o, &v, sizeof(*insn));
		if (!insn)
			return err ? err : otst_no_memory(o);
		insn->addr = addr + at;
		err = decode(o, d, (const unsigned char *)bytes + at, len - at, insn);
		if (err || !insn->target)
			continue;
		otst_symbolize(o, insn->target, &sym);
		if (sym.name)
			insn->name = otst_sym_name(o, insn->target, &sym);
	}
	if (err)
		return err;
	ret->items = v.data;
	ret->count = v.count;
	return 0;
}

const char *otst_insn_line(struct otst *o, const struct otst_insn *insn)
{
	const char *s = insn->text;

	if (insn->refers && insn->name)
		s = otst_format(o, "%s # 0x%" PRIx64 " <%s>", s, insn->target, insn->name);
	else if (insn->refers)
		s = otst_format(o, "%s # 0x%" PRIx64, s, insn->target);
	else if (insn->target && insn->name)
		s = otst_format(o, "%s <%s>", s, insn->name);
	return s ? s : insn->text;
}

int otst_disassemble_function(struct otst *o, const char *name, size_t most, struct otst_insns *ret)
{
	uint64_t at = otst_symbol_or0(o, name);
	struct otst_sym sym = { 0 };
	void *code;
	int err;

	*ret = (struct otst_insns){ 0 };
	if (at)
		otst_symbolize(o, at, &sym);
	if (!sym.name || !sym.size || sym.size > most)
		return 0;
	code = otst_alloc(o, sym.size);
	if (!code)
		return otst_no_memory(o);
	err = otst_read(o, at, code, sym.size);
	if (!err)
		err = otst_disassemble(o, at, code, sym.size, sym.size, ret);
	return otst_fatal(err) ? err : 0;
}
