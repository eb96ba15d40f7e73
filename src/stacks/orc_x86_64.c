// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * orc_x86_64.c - ORC unwind tables of x86_64 (arch/x86/kernel/unwind_orc.c, struct
 * orc_entry of asm/orc_types.h), read from the dump: the kernel's own between
 * __start_orc_unwind and __stop_orc_unwind, each module's from module.arch.
 * The result is one otst_rule for an address.
 *
 * Two parts of the layout are macros, which neither DWARF nor BTF has: the
 * numbers of types and of registers. Kernels since v6.4 carry a hash of their
 * definitions, .orc_header; before that, the members of the structure tell.
 */
#include <endian.h>
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../ftrace/ftrace.h"
#include "../base/engine.h"
#include "../image/image.h"
#include "x86_64.h"

#define ENTRY_SIZE	6u
#define HASH_SIZE	20u
#define MAX_ENTRIES	(16u * 1000 * 1000)
#define MAX_MODULE_ORCS (4u * 1000 * 1000)

enum reg {
	REG_UNDEFINED,
	REG_PREV_SP,
	REG_SP,
	REG_BP,
	REG_SP_INDIRECT,
	REG_BP_INDIRECT,
	REG_AX,
	REG_DX,
	REG_DI,
	REG_R10,
	REG_R13,
	REG_BAD,
};

#define REG_NUMBERS 16

/* ORC_REG_* up to v6.18 */
static const uint8_t regs_first[REG_NUMBERS] = {
	REG_UNDEFINED,	 REG_PREV_SP,	  REG_DX,  REG_DI,  REG_BP,  REG_SP,  REG_R10, REG_R13,
	REG_BP_INDIRECT, REG_SP_INDIRECT, REG_BAD, REG_BAD, REG_BAD, REG_BAD, REG_BAD, REG_BAD,
};

/* since then: renumbered, and with ax */
static const uint8_t regs_second[REG_NUMBERS] = {
	REG_UNDEFINED, REG_AX,	REG_DX,	     REG_SP,	      REG_BP,	       REG_DI,
	REG_R10,       REG_R13, REG_PREV_SP, REG_SP_INDIRECT, REG_BP_INDIRECT, REG_BAD,
	REG_BAD,       REG_BAD, REG_BAD,     REG_BAD,
};

/* .orc_header: SHA-1 over the definitions in asm/orc_types.h (scripts/orc_hash.sh) */
static const struct {
	uint8_t hash[HASH_SIZE];
	const uint8_t *regs;
} known_hashes[] = {
	{ { 0xfe, 0x5d, 0x32, 0xbf, 0x58, 0x1b, 0xd6, 0x3b, 0x2c, 0xa9,
	    0xa5, 0xc6, 0x5b, 0xa5, 0xa6, 0x25, 0xea, 0xb3, 0xfe, 0x24 },
	  regs_first },
	{ { 0x13, 0x7c, 0x36, 0xad, 0x76, 0x27, 0xc4, 0xdd, 0x55, 0x93,
	    0x21, 0x76, 0xbb, 0x0e, 0xcd, 0xbd, 0x50, 0x41, 0xfc, 0x82 },
	  regs_second },
};

/* a bit field of the six bytes, taken as one little-endian number */
struct field {
	unsigned int shift;
	unsigned int bits; /* 0: the kernel has none */
};

/* @new_types: UNDEFINED 0, END_OF_STACK 1, then the others; else CALL 0, without those two */
struct layout {
	struct field sp_reg, bp_reg, type, end, signal;
	bool new_types;
	bool sp_at;
	const uint8_t *regs;
};

struct table {
	uint64_t base; /* address of ips[0], which the numbers are relative to */
	const unsigned char *ips;
	const unsigned char *entries;
	size_t count;
};

/* @why: they cannot be used; @unread: because of how the kernel's types are */
struct orc {
	const char *why;
	bool none;
	bool unread;
	struct layout layout;
	struct table kernel;
	const struct otst_text_bounds *text;
};

/* ---- layout ---- */

static bool x86_64_find_field(struct otst *o, const char *member, struct field *ret)
{
	const struct otst_member *m;

	if (otst_member(o, "orc_entry", member, &m))
		return false;
	ret->shift = (unsigned int)m->offset * 8 + m->bit_offset;
	ret->bits = m->bit_size ? m->bit_size : (unsigned int)m->size * 8;
	return m->offset < ENTRY_SIZE && ret->shift + ret->bits <= ENTRY_SIZE * 8;
}

static const char *read_header(struct otst *o, struct layout *layout)
{
	uint64_t at = otst_symbol_or0(o, "__start_orc_header");
	unsigned char hash[HASH_SIZE];

	/*
	 * Linux b9f174c811e3 ("x86/unwind/orc: Add ELF section with ORC version
	 * identifier") (v6.5, stable v6.4). The few kernels before it that have the
	 * new types have the old registers.
	 */
	layout->regs = regs_first;
	if (!at)
		return NULL;
	if (otst_read(o, at, hash, sizeof(hash)))
		return "the hash of the ORC tables' layout is not in the dump";
	for (size_t i = 0; i < sizeof(known_hashes) / sizeof(*known_hashes); i++) {
		if (memcmp(hash, known_hashes[i].hash, HASH_SIZE))
			continue;
		layout->regs = known_hashes[i].regs;
		layout->new_types = true;
		return NULL;
	}
	return "the layout of this kernel's ORC tables is not known";
}

static bool find_optional(struct otst *o, const char *member, struct field *ret)
{
	return otst_has_member(o, "orc_entry", member) && x86_64_find_field(o, member, ret);
}

/* where the kernel has the type; a member that it lacks is what the message says */
static const char *x86_64_find_fields(struct otst *o, struct layout *layout)
{
	uint64_t size;

	if (!x86_64_find_field(o, "sp_reg", &layout->sp_reg) ||
	    !x86_64_find_field(o, "bp_reg", &layout->bp_reg) ||
	    !x86_64_find_field(o, "type", &layout->type))
		return otst_keep_format(o, "struct orc_entry is not as any known kernel has it: %s",
					otst_message(o));
	if (otst_type_size(o, "orc_entry", &size) || size != ENTRY_SIZE)
		return "struct orc_entry is not as any known kernel has it";
	/*
	 * "x86/unwind/orc: Detect the end of the stack" (v4.18; in RHEL 8, but
	 * not in 4.14) added end, Linux ffb1b4a41016 ("x86/unwind/orc: Add 'signal' field to ORC
	 * metadata") (v6.3) signal, and fb799447ae29 ("x86,objtool: Split
	 * UNWIND_HINT_EMPTY in two") (v6.4) replaced end by the two types.
	 */
	find_optional(o, "end", &layout->end);
	find_optional(o, "signal", &layout->signal);
	layout->new_types = layout->type.bits > 2 && layout->signal.bits && !layout->end.bits;
	return NULL;
}

static const char *x86_64_find_layout(struct otst *o, struct layout *layout)
{
	bool typed = otst_has_type(o, "orc_entry");
	const char *why = typed ? x86_64_find_fields(o, layout) : NULL;
	uint64_t size;

	why = why ?: read_header(o, layout);
	if (why)
		return why;
	layout->sp_at = !layout->new_types && otst_orc_sp_at(o);
	if (typed)
		return NULL;
	if (!layout->new_types && otst_type_size(o, "orc_entry", &size))
		return otst_keep_format(o, "nothing says how ORC tables are laid out: %s",
					otst_message(o));
	layout->sp_reg = (struct field){ 32, 4 };
	layout->bp_reg = (struct field){ 36, 4 };
	layout->type = (struct field){ 40, 3 };
	layout->signal = (struct field){ 43, 1 };
	return NULL;
}

/* ---- tables ---- */

static uint64_t table_ip(const struct table *t, size_t i)
{
	uint32_t ip;

	/* each look-up comes here some twenty times */
	memcpy(&ip, t->ips + 4 * i, sizeof(ip));
	return t->base + 4 * i + (uint64_t)(int64_t)(int32_t)le32toh(ip);
}

static bool x86_64_is_sorted(const struct table *t)
{
	uint64_t last = 0, ip;

	for (size_t i = 0; i < t->count; i++) {
		ip = table_ip(t, i);
		if (ip < last)
			return false;
		last = ip;
	}
	return true;
}

/* load the tables at @ips and @entries into the engine's memory */
static int load_table(struct otst *o, uint64_t ips, uint64_t entries, size_t count,
		      struct table *ret)
{
	unsigned char *to = otst_keep(o, count * (4 + ENTRY_SIZE));
	int err = otst_read(o, ips, to, count * 4);

	err = err ?: otst_read(o, entries, to + count * 4, count * ENTRY_SIZE);
	if (err)
		return otst_fail(o, err, "ORC table");
	*ret = (struct table){
		.base = ips,
		.ips = to,
		.entries = to + count * 4,
		.count = count,
	};
	return x86_64_is_sorted(ret) ?
		       0 :
		       otst_raise(o, OTST_ERR_CORRUPT, "the ORC table is not sorted");
}

/* the same from the image file; link-time addresses have the same distances */
static int load_image(struct otst *o, uint64_t ips, size_t count, struct table *ret)
{
	const void *ip_data, *entry_data;
	size_t ip_len, entry_len;

	if (otst_image_bytes(o, ".orc_unwind_ip", &ip_data, &ip_len) ||
	    otst_image_bytes(o, ".orc_unwind", &entry_data, &entry_len) || ip_len / 4 != count ||
	    entry_len / ENTRY_SIZE != count)
		return OTST_ERR_LOOKUP;
	*ret = (struct table){
		.base = ips,
		.ips = ip_data,
		.entries = entry_data,
		.count = count,
	};
	/* before v5.6 the kernel sorted it at boot */
	return x86_64_is_sorted(ret) ? 0 : OTST_ERR_CORRUPT;
}

static const char *load_kernel(struct otst *o, struct orc *orc)
{
	uint64_t ips = otst_symbol_or0(o, "__start_orc_unwind_ip");
	uint64_t ips_end = otst_symbol_or0(o, "__stop_orc_unwind_ip");
	uint64_t entries = otst_symbol_or0(o, "__start_orc_unwind");
	uint64_t entries_end = otst_symbol_or0(o, "__stop_orc_unwind");
	size_t count = (ips_end - ips) / 4;
	int err;

	if (!ips || !ips_end || !entries || !entries_end)
		return "this kernel has no ORC tables";
	if (ips_end <= ips || entries_end <= entries || !count || count > MAX_ENTRIES ||
	    (entries_end - entries) / ENTRY_SIZE != count)
		return "the bounds of the ORC tables make no sense";
	err = load_table(o, ips, entries, count, &orc->kernel);
	if (!err || !load_image(o, ips, count, &orc->kernel))
		return NULL;
	orc->kernel.count = 0;
	return err == OTST_ERR_CORRUPT ? "the ORC table is not sorted" :
					 "the ORC tables are not in the dump";
}

static int find_orc(struct otst *o, const void *of, void *value)
{
	struct orc *orc = value;

	(void)of;
	orc->text = otst_text_bounds(o);
	orc->none = !otst_symbol_or0(o, "__start_orc_unwind");
	orc->why = orc->none ? "this kernel has no ORC tables" :
			       x86_64_find_layout(o, &orc->layout);
	orc->unread = orc->why && !orc->none;
	orc->why = orc->why ?: load_kernel(o, orc);
	return otst_stopped(o);
}

static const struct otst_once orc_tables = { .size = sizeof(struct orc), .make = find_orc };

static int get_orc(struct otst *o, struct orc **ret)
{
	int err = otst_once(o, &orc_tables, NULL, ret);

	if (!err && (*ret)->unread)
		otst_doubt(o, (*ret)->why, NULL);
	return err;
}

const char *otst_orc_why(struct otst *o)
{
	struct orc *orc;

	return get_orc(o, &orc) ? otst_message(o) : orc->why;
}

bool otst_orc_none(struct otst *o)
{
	struct orc *orc;

	return !get_orc(o, &orc) && orc->none;
}

/* a module's table; one that cannot be used is kept empty */
static int read_module_table(struct otst *o, const void *of, void *value)
{
	const struct otst_member *ips, *entries, *count;
	const struct otst_module *mod = of;
	uint64_t ips_at, entries_at;
	struct table *t = value;
	uint32_t n;
	int err;

	err = otst_member(o, "module", "arch.orc_unwind_ip", &ips);
	err = err ?: otst_member(o, "module", "arch.orc_unwind", &entries);
	err = err ?: otst_member(o, "module", "arch.num_orcs", &count);
	if (err)
		return err;
	if (!otst_read_u64(o, mod->addr + ips->offset, &ips_at) &&
	    !otst_read_u64(o, mod->addr + entries->offset, &entries_at) &&
	    !otst_read_u32(o, mod->addr + count->offset, &n) && n && n <= MAX_MODULE_ORCS &&
	    load_table(o, ips_at, entries_at, n, t))
		t->count = 0;
	return 0;
}

static const struct otst_once module_table = { .size = sizeof(struct table),
					       .make = read_module_table };

/* ---- one entry ---- */

static unsigned int get_field(uint64_t entry, struct field f)
{
	return f.bits ? (unsigned int)(entry >> f.shift & ((1ull << f.bits) - 1)) : 0;
}

static bool decode_base(const struct layout *layout, unsigned int reg, struct otst_rule *ret)
{
	static const uint8_t words[] = {
		[REG_AX] = X86_AX,   [REG_DX] = X86_DX,	  [REG_DI] = X86_DI,
		[REG_R10] = X86_R10, [REG_R13] = X86_R13,
	};

	switch (reg < REG_NUMBERS ? layout->regs[reg] : REG_BAD) {
	case REG_SP:
		ret->base = OTST_BASE_SP;
		return true;
	case REG_BP:
		ret->base = OTST_BASE_FP;
		return true;
	case REG_SP_INDIRECT:
		ret->base = layout->sp_at ? OTST_BASE_SP_AT : OTST_BASE_SP_INDIRECT;
		return true;
	case REG_BP_INDIRECT:
		ret->base = OTST_BASE_FP_INDIRECT;
		return true;
	case REG_AX:
	case REG_DX:
	case REG_DI:
	case REG_R10:
	case REG_R13:
		ret->base = OTST_BASE_REG;
		ret->reg = words[layout->regs[reg]];
		/* the kernel takes these registers as they are */
		ret->sp_offset = 0;
		return true;
	default:
		return false;
	}
}

static bool decode_bp(const struct layout *layout, unsigned int reg, struct otst_rule *ret)
{
	switch (reg < REG_NUMBERS ? layout->regs[reg] : REG_BAD) {
	case REG_UNDEFINED:
		ret->fp = OTST_FP_SAME;
		return true;
	case REG_PREV_SP:
		ret->fp = OTST_FP_PREV_SP;
		return true;
	case REG_BP:
		ret->fp = OTST_FP_FP;
		return true;
	default:
		return false;
	}
}

static enum otst_rule_type decode_type(const struct layout *layout, uint64_t entry)
{
	static const uint8_t first[] = { OTST_RULE_CALL, OTST_RULE_REGS, OTST_RULE_IRET };
	static const uint8_t second[] = {
		OTST_RULE_UNDEFINED, OTST_RULE_END, OTST_RULE_CALL, OTST_RULE_REGS, OTST_RULE_IRET,
	};
	unsigned int type = get_field(entry, layout->type);
	unsigned int reg = get_field(entry, layout->sp_reg);

	if (layout->new_types)
		return type < sizeof(second) ? second[type] : OTST_RULE_UNDEFINED;
	if (layout->regs[reg % REG_NUMBERS] == REG_UNDEFINED) {
		/* before there was "end", undefined meant just that */
		return !layout->end.bits || get_field(entry, layout->end) ? OTST_RULE_END :
									    OTST_RULE_UNDEFINED;
	}
	return type < sizeof(first) ? first[type] : OTST_RULE_UNDEFINED;
}

static void decode_orc(const struct layout *layout, const unsigned char *bytes,
		       struct otst_rule *ret)
{
	uint64_t entry = otst_get_le(bytes, ENTRY_SIZE);

	*ret = (struct otst_rule){
		.sp_offset = (int16_t)otst_get_le(bytes, 2),
		.fp_offset = (int16_t)otst_get_le(bytes + 2, 2),
		.ret_offset = -8,
		.type = decode_type(layout, entry),
	};
	if (ret->type == OTST_RULE_END || ret->type == OTST_RULE_UNDEFINED)
		return;
	if (layout->signal.bits)
		ret->next_exact = get_field(entry, layout->signal);
	else
		ret->next_exact = ret->type != OTST_RULE_CALL;
	if (!decode_base(layout, get_field(entry, layout->sp_reg), ret) ||
	    !decode_bp(layout, get_field(entry, layout->bp_reg), ret))
		ret->type = OTST_RULE_UNDEFINED;
}

/* ---- look-up ---- */

static int find_in_table(struct otst *o, const struct layout *layout, const struct table *t,
			 uint64_t pc, struct otst_rule *ret)
{
	size_t low = 0, high = t->count;

	if (!t->count)
		return otst_raise(o, OTST_ERR_LOOKUP, "no ORC table for 0x%" PRIx64, pc);
	/* the rightmost of equal addresses: terminators of sections come first */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (table_ip(t, mid) <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	/* the kernel takes the first entry for what lies before all entries */
	decode_orc(layout, t->entries + ENTRY_SIZE * (low ? low - 1 : 0), ret);
	return 0;
}

/* An ftrace trampoline is a copy of ftrace_caller or ftrace_regs_caller and is unwound as that. */
static bool ftrace_original(struct otst *o, uint64_t pc, uint64_t *ret)
{
	int64_t save_regs = otst_enumerator_or(o, "FTRACE_OPS_FL_SAVE_REGS", 1 << 2);
	const struct otst_ftrace_ops *ops;
	struct otst_ftrace_list list;

	if (otst_ftrace_ops_list(o, false, &list))
		return false;
	ops = otst_ftrace_trampoline_at(&list, pc);
	if (!ops)
		return false;
	*ret = otst_symbol_or0(o, ops->flags & (uint64_t)save_regs ? "ftrace_regs_caller" :
								     "ftrace_caller");
	if (!*ret)
		return false;
	*ret += pc - ops->trampoline;
	return *ret != pc;
}

int otst_orc_find(struct otst *o, uint64_t pc, struct otst_rule *ret)
{
	const struct otst_module *mod;
	const struct table *t = NULL;
	struct orc *orc;
	uint64_t copy;
	int err = get_orc(o, &orc);

	if (err)
		return err;
	if (orc->why)
		return otst_raise(o, OTST_ERR_LOOKUP, "%s", orc->why);
	/* a call through a NULL pointer: only the return address was pushed */
	if (!pc) {
		*ret = (struct otst_rule){ .sp_offset = 8,
					   .type = OTST_RULE_CALL,
					   .ret_offset = -8 };
		return 0;
	}
	if (otst_in_bounds(orc->text, pc))
		return find_in_table(o, &orc->layout, &orc->kernel, pc, ret);
	mod = otst_module_at(o, pc);
	if (mod) {
		err = otst_lack(o, otst_once(o, &module_table, mod, &t));
		return err ? err : find_in_table(o, &orc->layout, t, pc, ret);
	}
	if (ftrace_original(o, pc, &copy) && copy >= orc->text->stext && copy < orc->text->etext)
		return find_in_table(o, &orc->layout, &orc->kernel, copy, ret);
	return otst_raise(o, OTST_ERR_LOOKUP, "no ORC table for 0x%" PRIx64, pc);
}
