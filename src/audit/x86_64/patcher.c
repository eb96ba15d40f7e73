// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * patcher.c - what the kernel patches itself with: its nops (x86_nops, or up to
 * 5.12 the choice in ideal_nops[]) and the features of its cpu, which choose
 * alternatives (boot_cpu_data).
 */

#include "x86_64.h"

#define NOPS_OLD   8 /* ASM_NOP_MAX with ideal_nops[]; the next entry is NOP_ATOMIC5 */
#define NOPS_BYTES 80

/* the nops of every kernel since 5.13, for a dump that lacks them */
static const uint8_t usual[] = {
	0x90, 0x66, 0x90, 0x0f, 0x1f, 0x00, 0x0f, 0x1f, 0x40, 0x00, 0x0f, 0x1f,
	0x44, 0x00, 0x00, 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x0f, 0x1f, 0x80,
	0x00, 0x00, 0x00, 0x00, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00,
};

static void use_usual(struct otst_patcher *p)
{
	const uint8_t *at = usual;

	for (unsigned int i = 1; i <= NOPS_OLD; at += i++)
		p->nop[i] = at;
	p->nop_max = NOPS_OLD;
	p->nop5 = p->nop[5];
}

/* @table: addresses of the nops of one byte, of two, ..., which are consecutive; [0] is unused */
static bool read_nops(struct otst *o, uint64_t table, unsigned int max, struct otst_patcher *p)
{
	uint8_t raw[13 * 8], *bytes = otst_alloc(o, NOPS_BYTES);
	uint64_t at[13];

	if (!bytes || otst_read(o, table, raw, sizeof(raw)))
		return false;
	for (unsigned int i = 0; i < 13; i++)
		at[i] = otst_get(o, raw + 8 * (size_t)i, 8);
	if (otst_read(o, at[1], bytes, NOPS_BYTES) || bytes[0] != 0x90)
		return false;
	for (unsigned int i = 1; i <= max && at[i] == at[1] + (i - 1) * i / 2; i++) {
		p->nop[i] = bytes + (at[i] - at[1]);
		p->nop_max = i;
	}
	if (p->nop_max < NOPS_OLD)
		return false;
	p->nop5 = p->nop[5];
	/* 5 bytes that are one instruction, even where the nop of that length is two */
	if (max == NOPS_OLD && at[9] - at[1] < NOPS_BYTES - 5)
		p->nop5 = bytes + (at[9] - at[1]);
	return true;
}

static void x86_64_read_caps(struct otst *o, struct otst_patcher *p)
{
	const struct otst_member *m;
	uint8_t raw[sizeof(p->caps)];
	uint64_t cpu = otst_symbol_or0(o, "boot_cpu_data");

	if (!cpu || otst_member(o, "cpuinfo_x86", "x86_capability", &m) || m->size > sizeof(raw) ||
	    otst_read(o, cpu + m->offset, raw, m->size))
		return;
	p->nr_caps = (unsigned int)(m->size / 4);
	for (unsigned int i = 0; i < p->nr_caps; i++)
		p->caps[i] = (uint32_t)otst_get(o, raw + 4 * (size_t)i, 4);
}

const struct otst_patcher *otst_patcher(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct otst_patcher *p;
	uint64_t table;

	if (*memo)
		return *memo;
	p = otst_new(o, sizeof(*p));
	table = otst_symbol_or0(o, "x86_nops");
	if (!table || !read_nops(o, table, 11, p)) {
		table = otst_symbol_or0(o, "ideal_nops");
		if (!table || otst_read_u64(o, table, &table) || !read_nops(o, table, NOPS_OLD, p))
			use_usual(p);
	}
	x86_64_read_caps(o, p);
	*memo = p;
	return p;
}

void otst_put_le32(uint8_t *to, uint32_t v)
{
	otst_put_le(to, v, 4);
}

void otst_put_rel32(uint8_t *to, uint8_t opcode, uint64_t addr, uint64_t target)
{
	to[0] = opcode;
	otst_put_le32(to + 1, (uint32_t)(target - (addr + 5)));
}

uint64_t otst_get_rel32(const uint8_t *from, uint64_t addr)
{
	return addr + 5 + (uint64_t)(int64_t)(int32_t)otst_get_le(from + 1, 4);
}
