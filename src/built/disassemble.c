// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * disassemble.c - decodes bytes into instructions through libcapstone, and adds what
 * that lacks: instructions that kernels have and its version 4 does not know or takes
 * for others, and the names of what instructions refer to.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <string.h>

#include "../base/engine.h"
#include "disassemble.h"

/* libcapstone's handle and its room for one instruction, both for as long as the engine */
struct decoder {
	csh handle;
	cs_insn *insn;
};

static void close_decoder(void *value)
{
	struct decoder *dec = value;

	if (dec->insn)
		cs_free(dec->insn, 1);
	if (dec->handle)
		cs_close(&dec->handle);
}

static int open_handle(struct otst *o, csh *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	cs_err err;

	if (!arch->disasm.has_capstone)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "no disassembler for this architecture");
	err = cs_open((cs_arch)arch->disasm.arch, (cs_mode)arch->disasm.mode, ret);
	if (err == CS_ERR_MEM)
		return otst_no_memory(o);
	if (err)
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "libcapstone: %s", cs_strerror(err));
	return 0;
}

static int open_decoder(struct otst *o, const void *of, void *value)
{
	struct decoder *dec = value;
	int err;

	(void)of;
	err = open_handle(o, &dec->handle);
	if (err)
		return err;
	cs_option(dec->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (otst_kernel(o)->arch->disasm.syntax)
		cs_option(dec->handle, CS_OPT_SYNTAX, otst_kernel(o)->arch->disasm.syntax);
	dec->insn = cs_malloc(dec->handle);
	return dec->insn ? 0 : otst_no_memory(o);
}

static const struct otst_once decoder = { .size = sizeof(struct decoder),
					  .make = open_decoder,
					  .destroy = close_decoder };

static const struct otst_insn_known *find_known(const struct otst_arch *arch,
						const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < arch->disasm.nr_known; i++) {
		const struct otst_insn_known *k = &arch->disasm.known[i];

		if (len >= k->len && !memcmp(p, k->bytes, k->count - 1u) &&
		    (p[k->count - 1] & k->mask) == k->bytes[k->count - 1])
			return k;
	}
	return NULL;
}

static const char *insn_text(struct otst *o, const struct otst_arch *arch, const cs_insn *c)
{
	char text[OTST_INSN_TEXT];

	if (arch->disasm.spell && arch->disasm.spell(c->bytes, text))
		return otst_strdup(o, text);
	return c->op_str[0] ? otst_format(o, "%s %s", c->mnemonic, c->op_str) :
			      otst_strdup(o, c->mnemonic);
}

/* the next instruction of @len bytes at @p */
static void decode_insn(struct otst *o, struct decoder *dec, const unsigned char *p, size_t len,
			struct otst_insn *insn)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	const struct otst_insn_known *k = find_known(arch, p, len);
	const uint8_t *code = p;
	uint64_t at = insn->addr;
	size_t left = len;

	if (k) {
		insn->len = k->len;
		insn->text = k->text;
		insn->known = true;
	} else if (cs_disasm_iter(dec->handle, &code, &left, &at, dec->insn)) {
		insn->len = dec->insn->size;
		insn->text = insn_text(o, arch, dec->insn);
		insn->known = true;
		arch->disasm.refer(dec->insn,
				   cs_insn_group(dec->handle, dec->insn, CS_GRP_BRANCH_RELATIVE),
				   &insn->target, &insn->refers);
	} else if (arch->insn.step == 4 && len >= 4) {
		insn->len = 4;
		insn->text = otst_format(o, ".inst 0x%08" PRIx64, otst_get_le(p, 4));
	} else {
		insn->len = 1;
		insn->text = otst_format(o, ".byte 0x%02x", p[0]);
	}
	memcpy(insn->bytes, p, insn->len);
}

int otst_disassemble(struct otst *o, uint64_t addr, const void *bytes, size_t len, size_t want,
		     struct otst_insns *ret)
{
	struct otst_vec v = { 0 };
	struct otst_insn *insn;
	struct decoder *dec = NULL;
	struct otst_sym sym;
	int err = otst_once(o, &decoder, NULL, &dec);

	for (size_t at = 0; !err && at < want && at < len; at += insn->len) {
		err = otst_check(o);
		insn = err ? NULL : otst_vec_push(o, &v, sizeof(*insn));
		if (!insn)
			return err ? err : otst_no_memory(o);
		insn->addr = addr + at;
		decode_insn(o, dec, (const unsigned char *)bytes + at, len - at, insn);
		if (!insn->target)
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
	err = otst_read(o, at, code, sym.size);
	err = err ?: otst_disassemble(o, at, code, sym.size, sym.size, ret);
	return otst_fatal(err) ? err : 0;
}

#define USES_SIZE 2048u

bool otst_function_uses(struct otst *o, const char *name, uint64_t offset, bool otherwise)
{
	struct otst_insns insns;
	char x86[24], arm[24];

	snprintf(x86, sizeof(x86), "0x%" PRIx64 "(", offset);
	snprintf(arm, sizeof(arm), "#0x%" PRIx64 "]", offset);
	if (otst_disassemble_function(o, name, USES_SIZE, &insns) || !insns.count)
		return otherwise;
	for (size_t i = 0; i < insns.count; i++) {
		if (strstr(insns.items[i].text, x86) || strstr(insns.items[i].text, arm))
			return true;
	}
	return false;
}
