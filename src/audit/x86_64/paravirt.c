// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * paravirt.c - calls through pv_ops (struct paravirt_patch_site, up to 6.7):
 * arch/x86/kernel/paravirt.c, paravirt_patch(), and paravirt_patch.c up to
 * 5.11. Each becomes a direct call of what its slot of pv_ops holds, or the
 * few instructions that the native operation amounts to.
 */
#include <string.h>

#include "../../dump/image.h"
#include "x86_64.h"

#define ENTRY	   16u /* struct paravirt_patch_site */
#define ENTRY_USED 10u /* the last one in the section is not padded */

/* up to 5.11: native_patch() */
static const struct native {
	const char *member;
	uint8_t len;
	uint8_t bytes[3];
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
};

struct site {
	uint64_t addr;
	unsigned int type; /* slot of pv_ops */
	unsigned int len;
};

struct patching {
	struct otst_expect *e;
	uint64_t ops; /* pv_ops, or its older name */
	uint64_t nop;
	uint64_t identity;
	uint64_t iret; /* slot */
	const struct native *native[256];
	size_t lost;
};

static uint64_t slot_of(struct otst *o, const char *member)
{
	const struct otst_member *m;

	return otst_member(o, "paravirt_patch_template", member, &m) ? UINT64_MAX : m->offset / 8;
}

static void prepare(struct patching *p)
{
	struct otst *o = p->e->o;
	uint64_t slot;
	size_t i;

	p->ops = otst_symbol_or0(o, "pv_ops");
	p->nop = otst_symbol_or0(o, "_paravirt_nop");
	p->identity = otst_symbol_or0(o, "_paravirt_ident_64");
	p->iret = slot_of(o, "cpu.iret");
	/* Linux 054ac8ad5ebe ("x86/paravirt: Have only one paravirt patch function") (v5.12) */
	if (!otst_has_symbol(o, "native_patch"))
		return;
	for (i = 0; i < sizeof(natives) / sizeof(*natives); i++) {
		slot = slot_of(o, natives[i].member);
		if (slot < sizeof(p->native) / sizeof(*p->native))
			p->native[slot] = &natives[i];
	}
}

/* the rest of the site */
static void fill_nops(const struct otst_patcher *with, uint8_t *at, unsigned int len)
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
	otst_put_rel32(to, s->type == p->iret ? JMP : CALL, s->addr, func);
	return 5;
}

static int patch(struct patching *p, const struct site *s)
{
	const struct native *native = s->type < 256 ? p->native[s->type] : NULL;
	uint8_t bytes[OTST_PATCH_MAX + 5];
	unsigned int used;
	uint64_t func;
	bool done = false;
	int err = 0;

	if (native && native->len <= s->len) {
		memcpy(bytes, native->bytes, native->len);
		fill_nops(p->e->patcher, bytes + native->len, s->len - native->len);
		err = otst_expect_try(p->e, OTST_DIFF_PARAVIRT, s->addr, bytes, s->len, &done);
	}
	if (err || done)
		return err;
	if (otst_read_u64(p->e->o, p->ops + 8 * (uint64_t)s->type, &func)) {
		otst_expect_unknown(p->e, s->addr, s->len);
		p->lost++;
		return 0;
	}
	used = patch_by_slot(p, s, func, bytes);
	if (used > s->len)
		return 0;
	fill_nops(p->e->patcher, bytes + used, s->len - used);
	/* an alternative may have been put over it: then it shows there */
	return otst_expect_try(p->e, OTST_DIFF_PARAVIRT, s->addr, bytes, s->len, &done);
}

int otst_apply_paravirt(struct otst_expect *e)
{
	const struct otst_section *table = otst_expect_section(e, ".parainstructions");
	struct patching *p = otst_alloc(e->o, sizeof(*p));
	uint64_t at;
	int err = 0;

	if (!table)
		return 0;
	if (!p)
		return otst_no_memory(e->o);
	p->e = e;
	prepare(p);
	for (at = 0; p->ops && !err && at + ENTRY_USED <= table->size; at += ENTRY) {
		const uint8_t *raw = table->data + at;
		struct site s = { otst_get(e->o, raw, 8) + e->built->slide, raw[8], raw[9] };

		err = patch(p, &s);
		if (!err && !(at & 0xfff))
			err = otst_check(e->o);
	}
	return err || !p->lost ?
		       err :
		       otst_note(e->o, &e->out->errors, otst_fail(e->o, OTST_ERR_FAULT, "pv_ops"));
}
