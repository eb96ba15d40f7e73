// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * detours.c - detour buffers of optimized kprobes, which lie in the kernel's text
 * (arch/powerpc/kernel/optprobes.c, optprobes_head.S): copies of a template, with the address of
 * the record, the instruction, two calls and the jump back. A buffer that no record uses any more
 * keeps its contents: the three parts that depend on the record are then taken as found.
 */
#include <string.h>

#include "ppc64le.h"

#define RECORD_REG 3u
#define INSN_REG   4u
#define PREFIXED   1u /* primary opcode of instructions of two words */

struct template
{
	uint64_t entry, record, call, insn, emulate, ret, end;
};

static bool find_template(struct otst *o, struct template *t)
{
	t->entry = otst_symbol_or0(o, "optprobe_template_entry");
	t->record = otst_symbol_or0(o, "optprobe_template_op_address");
	t->call = otst_symbol_or0(o, "optprobe_template_call_handler");
	t->insn = otst_symbol_or0(o, "optprobe_template_insn");
	t->emulate = otst_symbol_or0(o, "optprobe_template_call_emulate");
	t->ret = otst_symbol_or0(o, "optprobe_template_ret");
	t->end = otst_symbol_or0(o, "optprobe_template_end");
	return t->entry && t->entry < t->record && t->record < t->call && t->call < t->insn &&
	       t->insn < t->emulate && t->emulate < t->ret && t->ret < t->end &&
	       t->end - t->entry <= OTST_CHUNK;
}

/* lis, ori, sldi, oris, ori; for 32 bits: lis, ori */
static void ppc64le_put_load(uint8_t *to, uint32_t reg, uint64_t value, bool wide)
{
	uint32_t both = reg << 21 | reg << 16;

	if (wide) {
		otst_ppc64le_put(to, 0x3c000000u | reg << 21 | (uint32_t)(value >> 48));
		otst_ppc64le_put(to + 4, 0x60000000u | both | (uint32_t)(value >> 32 & 0xffff));
		otst_ppc64le_put(to + 8, 0x780007c6u | both);
		otst_ppc64le_put(to + 12, 0x64000000u | both | (uint32_t)(value >> 16 & 0xffff));
		otst_ppc64le_put(to + 16, 0x60000000u | both | (uint32_t)(value & 0xffff));
	} else {
		otst_ppc64le_put(to, 0x3c000000u | reg << 21 | (uint32_t)(value >> 16));
		otst_ppc64le_put(to + 4, 0x60000000u | both | (uint32_t)(value & 0xffff));
	}
}

/* what depends on the record @p, which may be NULL */
static void ppc64le_put_record(const struct template *t, uint8_t *bytes, const uint8_t *found,
			       const struct otst_probe *p)
{
	size_t record = t->record - t->entry, insn = t->insn - t->entry, ret = t->ret - t->entry;
	size_t len = t->emulate - t->insn;
	bool wide = len == 5 * INSN;
	uint32_t opcode = p ? otst_ppc64le_get(p->saved) : 0;

	memcpy(bytes + record, found + record, 5 * (size_t)INSN);
	memcpy(bytes + insn, found + insn, len);
	/* the instruction determines where it jumps: to what follows it, or elsewhere */
	memcpy(bytes + ret, found + ret, INSN);
	if (!p)
		return;
	ppc64le_put_load(bytes + record, RECORD_REG, p->node, true);
	if (opcode >> 26 != PREFIXED && (wide || len == 2 * INSN))
		ppc64le_put_load(bytes + insn, INSN_REG, opcode, wide);
}

static void set_buffer(struct otst_expect *e, const struct template *t, uint64_t at,
		       const struct otst_probe *p)
{
	uint64_t handler = otst_ppc64le_entry(e, otst_symbol_or0(e->o, "optimized_callback"));
	uint64_t step = otst_ppc64le_entry(e, otst_symbol_or0(e->o, "emulate_step"));
	size_t len = t->end - t->entry, call = t->call - t->entry;
	size_t emulate = t->emulate - t->entry;
	const uint8_t *from = otst_expect_now(e, t->entry, len);
	const uint8_t *found = otst_expect_found(e, at, len);
	const struct otst_arch *arch = e->arch->arch;
	uint8_t bytes[OTST_CHUNK];

	if (!from || !found)
		return;
	memcpy(bytes, from, len);
	ppc64le_put_record(t, bytes, found, p);
	arch->insn.put_branch(bytes + call, OTST_BRANCH_CALL, at + call, handler);
	arch->insn.put_branch(bytes + emulate, OTST_BRANCH_CALL, at + emulate, step);
	otst_expect_set(e, OTST_DIFF_KPROBE, at, bytes, len);
}

static const struct otst_probe *ppc64le_find_probe(const struct otst_probes *probes,
						   uint64_t detour)
{
	for (size_t i = 0; i < probes->count; i++) {
		if (!probes->items[i]->error && probes->items[i]->detour == detour)
			return probes->items[i];
	}
	return NULL;
}

int otst_ppc64le_detours(struct otst_expect *e)
{
	uint64_t at = otst_symbol_or0(e->o, "optinsn_slot");
	struct otst_probes probes;
	struct template t;

	/* otst_apply_kprobes() has reported what could not be read */
	if (e->module || !at || !find_template(e->o, &t) || otst_audit_kprobes(e->o, &probes))
		return 0;
	for (; at + (t.end - t.entry) <= t.entry; at += t.end - t.entry) {
		const uint8_t *found = otst_expect_found(e, at, INSN);
		const struct otst_probe *p = ppc64le_find_probe(&probes, at);

		if (p || (found && otst_ppc64le_get(found)))
			set_buffer(e, &t, at, p);
	}
	return 0;
}
