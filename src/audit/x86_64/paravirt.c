// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * paravirt.c - calls through pv_ops (struct paravirt_patch_site, up to 6.7):
 * arch/x86/kernel/paravirt.c, paravirt_patch(), and paravirt_patch.c up to
 * 5.11. Each becomes a direct call of what its slot in pv_ops holds, or the few
 * instructions that make up the native operation. Up to 4.19 each part of the
 * template has its own variable, pv_cpu_ops and so on.
 */
#include <string.h>

#include "x86_64.h"

/* up to 5.11: native_patch(), with the names of both generations */
static const struct native {
	const char *member;
	uint8_t len;
	uint8_t bytes[6];
} natives[] = {
	{ "irq.save_fl", 2, { 0x9c, 0x58 } },
	{ "irq.restore_fl", 2, { 0x57, 0x9d } },
	{ "irq.irq_disable", 1, { 0xfa } },
	{ "irq.irq_enable", 1, { 0xfb } },
	{ "mmu.read_cr2", 3, { 0x0f, 0x20, 0xd0 } },
	{ "mmu.read_cr3", 3, { 0x0f, 0x20, 0xd8 } },
	{ "mmu.write_cr3", 3, { 0x0f, 0x22, 0xdf } },
	{ "cpu.wbinvd", 2, { 0x0f, 0x09 } },
	{ "lock.queued_spin_unlock", 3, { 0xc6, 0x07, 0x00 } },
	{ "lock.vcpu_is_preempted", 2, { 0x31, 0xc0 } },
	{ "pv_irq_ops.save_fl", 2, { 0x9c, 0x58 } },
	{ "pv_irq_ops.restore_fl", 2, { 0x57, 0x9d } },
	{ "pv_irq_ops.irq_disable", 1, { 0xfa } },
	{ "pv_irq_ops.irq_enable", 1, { 0xfb } },
	{ "pv_mmu_ops.read_cr2", 3, { 0x0f, 0x20, 0xd0 } },
	{ "pv_mmu_ops.read_cr3", 3, { 0x0f, 0x20, 0xd8 } },
	{ "pv_mmu_ops.write_cr3", 3, { 0x0f, 0x22, 0xdf } },
	{ "pv_mmu_ops.flush_tlb_single", 3, { 0x0f, 0x01, 0x3f } },
	{ "pv_cpu_ops.wbinvd", 2, { 0x0f, 0x09 } },
	{ "pv_cpu_ops.clts", 2, { 0x0f, 0x06 } },
	{ "pv_cpu_ops.iret", 2, { 0x48, 0xcf } },
	{ "pv_cpu_ops.swapgs", 3, { 0x0f, 0x01, 0xf8 } },
	{ "pv_cpu_ops.usergs_sysret32", 5, { 0x0f, 0x01, 0xf8, 0x0f, 0x07 } },
	{ "pv_cpu_ops.usergs_sysret64", 6, { 0x0f, 0x01, 0xf8, 0x48, 0x0f, 0x07 } },
	{ "pv_cpu_ops.irq_enable_sysexit", 6, { 0x0f, 0x01, 0xf8, 0xfb, 0x0f, 0x35 } },
	{ "pv_lock_ops.queued_spin_unlock", 3, { 0xc6, 0x07, 0x00 } },
	{ "pv_lock_ops.unlock_kick", 1, { 0x90 } },
	/* if two in a row have the same name, each is tried */
	{ "pv_lock_ops.vcpu_is_preempted", 3, { 0x48, 0x31, 0xc0 } },
	{ "pv_lock_ops.vcpu_is_preempted", 2, { 0x31, 0xc0 } },
};

#define NATIVES (sizeof(natives) / sizeof(*natives))

/* operations that are jumped to */
static const char *const jumps[] = {
	"cpu.iret",
	"pv_cpu_ops.iret",
	"pv_cpu_ops.irq_enable_sysexit",
	"pv_cpu_ops.usergs_sysret32",
	"pv_cpu_ops.usergs_sysret64",
};

#define JUMPS (sizeof(jumps) / sizeof(*jumps))

/* variables that make up the template of old kernels, named like its members */
static const char *const parts[] = {
	"pv_init_ops", "pv_time_ops", "pv_cpu_ops",  "pv_irq_ops",
	"pv_apic_ops", "pv_mmu_ops",  "pv_lock_ops",
};

/* layout of struct paravirt_patch_site; the last one in the section is not padded */
struct layout {
	uint64_t size;
	const struct otst_member *instr, *type, *len;
};

struct site {
	uint64_t addr;
	unsigned int type; /* slot of pv_ops */
	unsigned int len;
};

struct patching {
	struct otst_expect *e;
	struct layout layout;
	uint64_t ops; /* pv_ops, 0 in kernels that have its parts instead */
	uint64_t nop;
	uint64_t identity;
	uint64_t identity32;
	uint64_t jumps[JUMPS]; /* slots */
	const struct native *native[256];
	size_t lost;
};

static uint64_t x86_64_slot_of(struct otst *o, const char *member)
{
	const struct otst_member *m;

	return otst_member(o, "paravirt_patch_template", member, &m) ? UINT64_MAX : m->offset / 8;
}

/*
 * Newest first: vendors backported the layout of 6 bytes, with a distance instead
 * of an address; 5.0 shortened the names of the members.
 */
static int read_paravirt_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "paravirt_patch_site";
	int err = otst_type_size(o, type, &ret->size);

	if (!err)
		err = otst_member(o, type, otst_either(o, type, "instr_offset", "instr"),
				  &ret->instr);
	if (!err)
		err = otst_member(o, type, otst_either(o, type, "type", "instrtype"), &ret->type);
	return err ? err : otst_member(o, type, "len", &ret->len);
}

/* get_call_destination() */
static uint64_t x86_64_find_slot(const struct patching *p, uint64_t slot)
{
	uint64_t offset = 8 * slot, at = p->ops ? p->ops + offset : 0;
	const struct otst_member *m;

	for (size_t i = 0; !at && i < sizeof(parts) / sizeof(*parts); i++) {
		if (!otst_member(p->e->o, "paravirt_patch_template", parts[i], &m) &&
		    offset - m->offset < m->size)
			at = otst_symbol_or0(p->e->o, parts[i]) + (offset - m->offset);
	}
	return at;
}

static void prepare_sites(struct patching *p)
{
	struct otst *o = p->e->o;
	uint64_t slot;

	p->ops = otst_symbol_or0(o, "pv_ops");
	p->nop = otst_symbol_or0(o, "_paravirt_nop");
	p->identity = otst_symbol_or0(o, "_paravirt_ident_64");
	p->identity32 = otst_symbol_or0(o, "_paravirt_ident_32");
	for (size_t i = 0; i < JUMPS; i++)
		p->jumps[i] = x86_64_slot_of(o, jumps[i]);
	/* Linux 054ac8ad5ebe ("x86/paravirt: Have only one paravirt patch function") (v5.12) */
	if (!otst_has_symbol(o, "native_patch"))
		return;
	for (size_t i = 0; i < NATIVES; i++) {
		slot = x86_64_slot_of(o, natives[i].member);
		if (slot < sizeof(p->native) / sizeof(*p->native) && !p->native[slot])
			p->native[slot] = &natives[i];
	}
}

/* the rest of the site */
static void x86_64_fill_paravirt_nops(const struct otst_patcher *with, uint8_t *at,
				      unsigned int len)
{
	unsigned int n;

	for (; len; at += n, len -= n) {
		n = len < with->nop_max ? len : with->nop_max;
		memcpy(at, with->nop[n], n);
	}
}

/* paravirt_patch_default(), paravirt_patch() */
static unsigned int patch_by_slot(const struct patching *p, const struct site *s, uint64_t func,
				  uint8_t *to)
{
	static const uint8_t bug[] = { 0x0f, 0x0b }, move[] = { 0x48, 0x89, 0xf8 };
	bool jump = false;

	if (!func) {
		memcpy(to, bug, sizeof(bug));
		return sizeof(bug);
	}
	if (func == p->nop)
		return 0;
	if (func == p->identity) {
		memcpy(to, move, sizeof(move));
		return sizeof(move);
	}
	/* the same without the 64-bit prefix */
	if (func == p->identity32) {
		memcpy(to, move + 1, sizeof(move) - 1);
		return sizeof(move) - 1;
	}
	for (size_t i = 0; i < JUMPS; i++)
		jump |= s->type == p->jumps[i];
	otst_put_rel32(to, jump ? JMP : CALL, s->addr, func);
	return 5;
}

/* patch_paravirt_call_sites() of 6.2 to 6.7: the call of @func, in @bytes, is counted */
static void count_paravirt_call(const struct patching *p, const struct site *s, uint64_t func,
				uint8_t *bytes)
{
	uint64_t thunk = otst_call_thunk(p->e, func);
	bool done = false;

	if (!thunk)
		return;
	otst_put_rel32(bytes, CALL, s->addr, thunk);
	otst_expect_try(p->e, OTST_DIFF_CALL_DEPTH, s->addr, bytes, s->len, &done);
}

static void patch_paravirt(struct patching *p, const struct site *s)
{
	const struct native *first = s->type < 256 ? p->native[s->type] : NULL, *native = first;
	uint8_t bytes[OTST_PATCH_MAX + 6];
	uint64_t slot = x86_64_find_slot(p, s->type), func;
	unsigned int used;
	bool done = false;

	for (; native && native < natives + NATIVES && !strcmp(native->member, first->member);
	     native++) {
		if (done || native->len > s->len)
			continue;
		memcpy(bytes, native->bytes, native->len);
		x86_64_fill_paravirt_nops(p->e->patcher, bytes + native->len, s->len - native->len);
		otst_expect_try(p->e, OTST_DIFF_PARAVIRT, s->addr, bytes, s->len, &done);
	}
	if (done)
		return;
	if (otst_read_u64(p->e->o, slot, &func)) {
		otst_expect_unknown(p->e, s->addr, s->len);
		p->lost++;
		return;
	}
	otst_audit_pointer(p->e->o, p->e->out, "pv_ops", "operation", func, slot);
	used = patch_by_slot(p, s, func, bytes);
	if (used > s->len)
		return;
	x86_64_fill_paravirt_nops(p->e->patcher, bytes + used, s->len - used);
	/* an alternative may have been put over it: then the difference is found there */
	otst_expect_try(p->e, OTST_DIFF_PARAVIRT, s->addr, bytes, s->len, &done);
	if (!done && used && bytes[0] == CALL)
		count_paravirt_call(p, s, func, bytes);
}

int otst_apply_paravirt(struct otst_expect *e)
{
	const struct otst_section *table = otst_expect_section(e, ".parainstructions");
	struct patching *p = otst_new(e->o, sizeof(*p));
	const struct layout *layout = &p->layout;
	int err;

	if (!table)
		return 0;
	p->e = e;
	prepare_sites(p);
	err = read_paravirt_layout(e->o, &p->layout);
	if (err)
		return otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "paravirt"));
	for (uint64_t at = 0; !err && at + layout->len->offset < table->size; at += layout->size) {
		const uint8_t *raw = table->data + at;
		uint64_t instr = otst_get(e->o, raw + layout->instr->offset, layout->instr->size);
		struct site s = { .type = raw[layout->type->offset],
				  .len = raw[layout->len->offset] };

		s.addr = layout->instr->size == 8 ? instr + e->built->slide :
						    table->addr + at + layout->instr->offset +
							    (uint64_t)(int64_t)(int32_t)instr;
		patch_paravirt(p, &s);
		if (!err && !(at & 0xfff))
			err = otst_check(e->o);
	}
	return err || !p->lost ?
		       err :
		       otst_note(e->o, &e->out->errors, otst_fail(e->o, OTST_ERR_FAULT, "pv_ops"));
}
