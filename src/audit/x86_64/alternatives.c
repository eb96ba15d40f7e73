// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * alternatives.c - instructions chosen by the features of the cpu (struct
 * alt_instr, arch/x86/kernel/alternative.c, apply_alternatives()). Of the
 * entries for one place, the last one counts whose feature the boot cpu has (or
 * lacks, if the entry says so). Its instructions are moved there and the rest is
 * filled with nops. If no entry counts, the nops that are there are replaced.
 * Kernels have done the moving and filling in several ways; each is tried.
 */
#include <string.h>

#include "../../built/disassemble.h"
#include "x86_64.h"

#define NOP 0x90

#define OLD_NOT	    0x8000u /* in alt_instr.cpuid, up to 6.2 */
#define FLAG_NOT    1u	    /* in alt_instr.flags since then */
#define FLAG_DIRECT 2u	    /* the call through pv_ops becomes a direct one */

/* one struct alt_instr */
struct alternative {
	uint64_t instr;
	uint64_t repl;
	uint32_t feature;
	bool is_not;
	bool direct;
	bool lost; /* the target of a direct call cannot be read */
	unsigned int len;
	unsigned int repl_len;
};

/* where its members are */
struct layout {
	uint64_t size;
	const struct otst_member *instr, *repl, *cpuid, *flags, *len, *repl_len;
};

/* how the kernel fills and moves; see the comment on each function */
enum way { WAY_FIRST, WAY_ALL, WAY_CALL, WAY_JUMP, WAYS };

static int x86_64_read_alternative_layout(struct otst *o, struct layout *ret)
{
	static const char type[] = "alt_instr";
	int err = otst_type_size(o, type, &ret->size);

	err = err ?: otst_member(o, type, "instr_offset", &ret->instr);
	err = err ?: otst_member(o, type, "repl_offset", &ret->repl);
	err = err ?: otst_member(o, type, "cpuid", &ret->cpuid);
	err = err ?: otst_member(o, type, "instrlen", &ret->len);
	err = err ?: otst_member(o, type, "replacementlen", &ret->repl_len);
	/* Linux 5d1dd961e743 ("x86/alternatives: Add alt_instr.flags") (v6.3) made cpuid a part of a word, too */
	return err || (!ret->cpuid->bit_size && !otst_has_member(o, type, "flags")) ?
		       err :
		       otst_member(o, type, "flags", &ret->flags);
}

static uint64_t x86_64_pick(const uint8_t *raw, const struct otst_member *m)
{
	uint64_t v = otst_get_le(raw + m->offset, m->size);

	/* cpuid and flags share a word since 6.3 */
	return m->bit_size ? v >> m->bit_offset & ((UINT64_C(1) << m->bit_size) - 1) : v;
}

static void parse_entry(const struct layout *layout, const uint8_t *raw, uint64_t at,
			struct alternative *ret)
{
	uint64_t flags = layout->flags ? x86_64_pick(raw, layout->flags) : 0,
		 id = x86_64_pick(raw, layout->cpuid);

	*ret = (struct alternative){
		.instr = at + layout->instr->offset +
			 (uint64_t)(int64_t)(int32_t)x86_64_pick(raw, layout->instr),
		.repl = at + layout->repl->offset +
			(uint64_t)(int64_t)(int32_t)x86_64_pick(raw, layout->repl),
		.feature = (uint32_t)(layout->flags ? id : id & ~(uint64_t)OLD_NOT),
		.is_not = layout->flags ? flags & FLAG_NOT : id & OLD_NOT,
		.direct = flags & FLAG_DIRECT,
		.len = (unsigned int)x86_64_pick(raw, layout->len),
		.repl_len = (unsigned int)x86_64_pick(raw, layout->repl_len),
	};
}

static bool x86_64_is_applied(const struct otst_patcher *p, const struct alternative *a)
{
	bool has = a->feature / 32 < p->nr_caps &&
		   p->caps[a->feature / 32] >> (a->feature % 32) & 1;

	return has != a->is_not;
}

/* ---- filling with nops ---- */

static void x86_64_fill_nops(const struct otst_patcher *p, uint8_t *at, unsigned int len)
{
	unsigned int n;

	for (; len; at += n, len -= n) {
		n = len < p->nop_max ? len : p->nop_max;
		memcpy(at, p->nop[n], n);
	}
}

/* a run of nops as one: what is too long for one nop is jumped over */
static void fill_one(const struct otst_patcher *p, uint8_t *at, unsigned int len)
{
	unsigned int head = len < 128 ? 2 : 5;

	if (len <= p->nop_max) {
		memcpy(at, p->nop[len], len);
		return;
	}
	memset(at, INT3, len);
	if (head == 5)
		otst_put_rel32(at, JMP, 0, len);
	at[0] = head == 5 ? JMP : JMP8;
	if (head == 2)
		at[1] = (uint8_t)(len - head);
}

/* runs of one-byte nops */
static void optimize_first(const struct otst_patcher *p, const struct otst_insns *insns,
			   uint8_t *bytes)
{
	size_t i, n, at = 0;

	for (i = 0; i < insns->count; at += insns->items[i++].len) {
		for (n = 0; i + n < insns->count && insns->items[i + n].len == 1 &&
			    insns->items[i + n].bytes[0] == NOP;)
			n++;
		if (n > 1)
			x86_64_fill_nops(p, bytes + at, (unsigned int)n);
		if (n) {
			at += n - 1;
			i += n - 1;
		}
	}
}

static bool is_nop(const struct otst_insn *insn)
{
	const unsigned char *b = insn->bytes;
	unsigned int i = 0;

	while (i + 1 < insn->len && (b[i] == 0x66 || b[i] == 0x2e))
		i++;
	return b[i] == NOP || (insn->len > i + 1 && b[i] == 0x0f && b[i + 1] == 0x1f);
}

/* where in a place the jump of @len bytes at its byte @at leads; 0 when it is none */
static size_t jump_target(const uint8_t *bytes, size_t at, size_t len)
{
	if (len == 2 && bytes[at] == JMP8)
		return at + 2 + (size_t)(int8_t)bytes[at + 1];
	return len == 5 && bytes[at] == JMP ? (size_t)otst_get_rel32(bytes + at, at) : 0;
}

/*
 * Runs of nops of any length, except for a single nop at the end. @jumps: with an unconditional jump
 * over such a run (6.4 and newer).
 */
static void optimize_all(const struct otst_patcher *p, const struct otst_insns *insns, bool jumps,
			 uint8_t *bytes)
{
	size_t i, k, at = 0, len, jump = 0, to = 0, start;

	for (i = 0; i < insns->count; i = k, at += len) {
		const struct otst_insn *insn = &insns->items[i];

		len = insn->len;
		k = i + 1;
		if (jumps && jump_target(bytes, at, len)) {
			jump = at;
			to = jump_target(bytes, at, len);
		} else if (!is_nop(insn)) {
			to = 0;
		} else {
			for (; k < insns->count && is_nop(&insns->items[k]); k++)
				len += insns->items[k].len;
			start = to && to == at + len ? jump : at;
			if (start != at || len != insn->len || k != insns->count)
				fill_one(p, bytes + start, (unsigned int)(at + len - start));
		}
	}
}

static bool has_nops(const uint8_t *bytes, size_t len)
{
	return memchr(bytes, NOP, len) || memmem(bytes, len, "\x0f\x1f", 2);
}

/* @used: how many of the @len @bytes were moved there; the rest are one-byte nops */
static int optimize_nops(struct otst_expect *e, enum way way, uint64_t at, uint8_t *bytes,
			 size_t used, size_t len)
{
	unsigned int rest = (unsigned int)(len - used);
	struct otst_insns insns;
	int err;

	/* usually there is nothing to do, or only the rest to fill */
	if (way == WAY_CALL || (way != WAY_JUMP && !has_nops(bytes, used))) {
		if (rest > 1 && way != WAY_ALL)
			x86_64_fill_nops(e->patcher, bytes + used, rest);
		else if (rest > 1)
			fill_one(e->patcher, bytes + used, rest);
		return 0;
	}
	err = otst_disassemble(e->o, at, bytes, len, len, &insns);
	if (err)
		return err;
	if (way == WAY_FIRST)
		optimize_first(e->patcher, &insns, bytes);
	else
		optimize_all(e->patcher, &insns, way == WAY_JUMP, bytes);
	return 0;
}

/* ---- moving ---- */

/*
 * Up to 6.2: a 5-byte call or jump that comes first; a jump is made short if possible.
 * Up to 3.19 only a call: the distance of a jump was already right for the new place.
 */
static void move_first(const struct otst_patcher *p, const struct alternative *a, enum way way,
		       uint8_t *bytes)
{
	uint64_t target;
	int64_t distance;

	if (a->repl_len != 5 || (bytes[0] != CALL && (bytes[0] != JMP || way == WAY_CALL)))
		return;
	target = otst_get_rel32(bytes, a->repl);
	distance = (int64_t)(target - a->instr);
	if (bytes[0] == JMP &&
	    (distance >= 0 ? distance - 2 <= 127 : ((distance - 2) & 0xff) == distance - 2)) {
		bytes[0] = JMP8;
		bytes[1] = (uint8_t)(distance - 2);
		memcpy(bytes + 2, p->nop[3], 3);
		return;
	}
	otst_put_rel32(bytes, bytes[0], a->instr, target);
}

/* where in @bytes, those of @insn, its distance is: 4 bytes that lead to its target */
static int distance_at(const struct otst_insn *insn, const uint8_t *bytes)
{
	for (int i = (int)insn->len - 4; insn->target && i > 0; i--) {
		if (insn->addr + insn->len +
			    (uint64_t)(int64_t)(int32_t)otst_get_le(bytes + i, 4) ==
		    insn->target)
			return i;
	}
	return 0;
}

/* since 6.3: whatever is relative to the instruction and leads out of the replacement */
static int move_all(struct otst_expect *e, const struct alternative *a, uint8_t *bytes)
{
	uint64_t by = a->repl - a->instr;
	struct otst_insns insns;
	size_t i, at = 0;
	int field, err = otst_disassemble(e->o, a->repl, bytes, a->len, a->len, &insns);

	for (i = 0; !err && i < insns.count; at += insns.items[i++].len) {
		const struct otst_insn *insn = &insns.items[i];
		int64_t distance;

		field = distance_at(insn, bytes + at);
		if (!field || insn->target - a->repl <= a->repl_len)
			continue;
		distance = (int64_t)(int32_t)otst_get_le(bytes + at + field, 4) + (int64_t)by;
		otst_put_le32(bytes + at + field, (uint32_t)distance);
		if (bytes[at] != JMP || distance + 3 < -128 || distance + 3 > 127)
			continue;
		memset(bytes + at, INT3, 5);
		bytes[at] = JMP8;
		bytes[at + 1] = (uint8_t)(distance + 3);
	}
	return err;
}

/* alt_replace_call(): "call *slot(%rip)" becomes a call of what the slot holds */
static bool make_direct(struct otst_expect *e, struct alternative *a, uint8_t *bytes,
			unsigned int *used)
{
	const uint8_t *built = otst_expect_built(e, a->instr, 6);
	uint64_t slot, func;

	if (!built || built[0] != 0xff || built[1] != 0x15)
		return false;
	slot = a->instr + 6 + (uint64_t)(int64_t)(int32_t)otst_get_le(built + 2, 4);
	if (otst_read_u64(e->o, slot, &func)) {
		a->lost = true;
		otst_expect_unknown(e, a->instr, a->len);
		return false;
	}
	otst_audit_pointer(e->o, e->out, "pv_ops", "operation", func, slot);
	func = func ?: otst_symbol_or0(e->o, "BUG_func");
	*used = func == otst_symbol_or0(e->o, "nop_func") ? 0 : 5;
	if (*used)
		otst_put_rel32(bytes, CALL, a->instr, func);
	return true;
}

/* makes what is at @a->instr once @a is applied; @applied: false to keep the instructions there */
static int make_alternative(struct otst_expect *e, struct alternative *a, bool applied,
			    enum way way, uint8_t *bytes, bool *ret)
{
	const uint8_t *now = otst_expect_now(e, a->instr, a->len);
	const uint8_t *repl = otst_expect_now(e, a->repl, a->repl_len);
	unsigned int used = applied ? a->repl_len : a->len;
	int err = 0;

	/* without a replacement, as for static_cpu_has(), there are only nops */
	*ret = now && (!applied || ((repl || !a->repl_len) && a->repl_len <= a->len) || a->direct);
	if (!*ret)
		return 0;
	memcpy(bytes, now, a->len);
	if (applied) {
		memset(bytes, NOP, a->len);
		if (a->direct)
			*ret = make_direct(e, a, bytes, &used);
		else if (used)
			memcpy(bytes, repl, used);
		if (used && !a->direct && way != WAY_ALL && way != WAY_JUMP)
			move_first(e->patcher, a, way, bytes);
		else if (used && !a->direct)
			err = move_all(e, a, bytes);
	}
	*ret = *ret && used <= a->len;
	return err || !*ret ? err : optimize_nops(e, way, a->instr, bytes, used, a->len);
}

/* did the kernel write @bytes? A call may lead to what counts it instead (6.2 up to 6.15). */
static void try_bytes(struct otst_expect *e, uint64_t at, uint8_t *bytes, size_t len, bool *ret)
{
	uint64_t thunk;

	otst_expect_try(e, OTST_DIFF_ALTERNATIVE, at, bytes, len, ret);
	if (*ret || len < 5 || bytes[0] != CALL)
		return;
	thunk = otst_call_thunk(e, otst_get_rel32(bytes, at));
	if (!thunk)
		return;
	otst_put_rel32(bytes, CALL, at, thunk);
	otst_expect_try(e, OTST_DIFF_ALTERNATIVE, at, bytes, len, ret);
}

/* the bytes that the entries from @first on may write */
static unsigned int find_longest(const struct alternative *first, size_t n)
{
	unsigned int len = 0;

	for (size_t i = 0; i < n; i++)
		len = first[i].len > len ? first[i].len : len;
	return len;
}

/* applies the @n entries for one place; @way: the last one that was right, which a kernel keeps */
static int patch_alternative(struct otst_expect *e, struct alternative *a, size_t n, enum way *way)
{
	uint8_t bytes[OTST_PATCH_MAX];
	struct alternative *choice = NULL;
	unsigned int len = find_longest(a, n);
	bool made, done = false;
	enum way tried;
	int err = 0;

	for (size_t i = 0; i < n; i++) {
		if (x86_64_is_applied(e->patcher, &a[i]))
			choice = &a[i];
	}
	/* the place is padded to the longest entry */
	for (size_t i = 0; i < n; i++)
		a[i].len = len;
	for (tried = 0; tried < WAYS && !err && !done; tried++) {
		err = make_alternative(e, choice ? choice : a, choice, *way, bytes, &made);
		if (!err && made)
			try_bytes(e, a->instr, bytes, len, &done);
		if (!done)
			*way = (*way + 1) % WAYS;
	}
	a->lost = choice && choice->lost;
	return err;
}

static int x86_64_note_unknown(struct otst_expect *e)
{
	const struct otst_member *m;
	int err = otst_member(e->o, "cpuinfo_x86", "x86_capability", &m);
	const char *why = err ? otst_strdup(e->o, otst_message(e->o)) : NULL;

	return otst_note(e->o, &e->out->errors,
			 otst_raise(e->o, err ?: OTST_ERR_FAULT,
				    "boot_cpu_data: the features of the cpu are unknown%s%s",
				    why ? ": " : "", why ?: ""));
}

int otst_apply_alternatives(struct otst_expect *e)
{
	const struct otst_section *table = otst_expect_section(e, ".altinstructions");
	struct alternative *all;
	struct layout layout = { 0 };
	size_t i, k, n, lost = 0;
	bool known = e->patcher->nr_caps;
	enum way way = WAY_FIRST;
	int err = 0;

	if (!table)
		return 0;
	err = x86_64_read_alternative_layout(e->o, &layout);
	if (err)
		return otst_expect_unread(e, err, "alternatives");
	if (!known)
		err = x86_64_note_unknown(e);
	n = table->size / layout.size;
	all = otst_alloc(e->o, n * sizeof(*all));
	if (!all)
		return otst_no_memory(e->o);
	for (i = 0; i < n; i++)
		parse_entry(&layout, table->data + i * layout.size, table->addr + i * layout.size,
			    &all[i]);
	for (i = 0; i < n && !err; i = k) {
		for (k = i + 1; k < n && all[k].instr == all[i].instr;)
			k++;
		err = otst_check(e->o);
		if (!known)
			otst_expect_unknown(e, all[i].instr, find_longest(&all[i], k - i));
		else if (!err && otst_expect_found(e, all[i].instr, all[i].len))
			err = patch_alternative(e, &all[i], k - i, &way);
		lost += all[i].lost;
	}
	return err || !lost ?
		       err :
		       otst_note(e->o, &e->out->errors,
				 otst_raise(e->o, OTST_ERR_FAULT,
					    "pv_ops: what %zu direct call%s %s to is unknown", lost,
					    otst_number(lost, "", "s"),
					    otst_number(lost, "goes", "go")));
}
