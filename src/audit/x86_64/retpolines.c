// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * retpolines.c - indirect jumps and calls that were built as direct ones to a
 * thunk (.retpoline_sites, arch/x86/kernel/alternative.c, apply_retpolines()).
 * They stay on a cpu that needs the thunks, else they become the indirect
 * instruction itself, on some cpus with a fence before it. All are done the same
 * way, except for unsafe positions in a cache line on cpus where that matters.
 */
#include <string.h>

#include "x86_64.h"

#define MAX  6
#define REGS 16

/* TRACKED: thunks that count calls, retbleed=stuff */
enum mode { STAYED, INDIRECT, FENCED, TRACKED, MODES };

/* one site as built */
struct site {
	uint64_t addr;
	unsigned int len;
	uint8_t op;	   /* CALL or JMP */
	uint8_t condition; /* for a conditional jump, else 0 */
	unsigned int reg;
};

/* addresses of __x86_indirect_thunk_r11 and so on; these have other names, too */
struct thunks {
	uint64_t plain[REGS];
	uint64_t call[REGS]; /* those that count */
	uint64_t jump[REGS];
};

static uint64_t thunk_of(struct otst *o, const char *kind, const char *reg)
{
	const char *name = otst_format(o, "__x86_indirect_%s_%s", kind, reg);

	return otst_symbol_or0(o, name);
}

/* looked up once per command; NULL when out of memory */
static const struct thunks *find_thunks(struct otst *o)
{
	static const char *const names[REGS] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp",
						 "rsi", "rdi", "r8",  "r9",  "r10", "r11",
						 "r12", "r13", "r14", "r15" };
	static const char key;
	void **memo = otst_memo(o, &key);
	struct thunks *t = *memo;

	if (t)
		return t;
	*memo = t = otst_new(o, sizeof(*t));
	for (unsigned int i = 0; t && i < REGS; i++) {
		t->plain[i] = thunk_of(o, "thunk", names[i]);
		t->call[i] = thunk_of(o, "call_thunk", names[i]);
		t->jump[i] = thunk_of(o, "jump_thunk", names[i]);
	}
	return t;
}

static bool find_register(struct otst *o, uint64_t thunk, unsigned int *ret)
{
	const struct thunks *t = find_thunks(o);

	for (unsigned int i = 0; t && i < REGS; i++) {
		if (t->plain[i] == thunk) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool decode_site(const struct otst_expect *e, uint64_t addr, struct site *ret)
{
	/* cfi=paranoid has its own call there, see cfi.c */
	const uint8_t *b = otst_expect_now(e, addr, MAX);
	unsigned int prefix;

	if (!b)
		return false;
	*ret = (struct site){ .addr = addr };
	prefix = b[0] == CS || b[0] == 0x0f ? 1 : 0;
	ret->len = 5 + prefix;
	if (b[0] == 0x0f && (b[1] & 0xf0) == 0x80) {
		ret->op = JMP;
		ret->condition = b[1];
	} else if (b[prefix] == CALL || b[prefix] == JMP) {
		ret->op = b[prefix];
	} else {
		return false;
	}
	return find_register(e->o, otst_get_rel32(b + prefix, addr + prefix), &ret->reg);
}

/* emit_indirect() and the code around it; @late: since Linux 6.16 */
static unsigned int make_indirect(const struct otst_expect *e, const struct site *s, enum mode mode,
				  bool late, uint8_t *to)
{
	static const uint8_t fence[] = { 0x0f, 0xae, 0xe8 };
	unsigned int i = 0, rest, size = 2 + (s->reg >= 8);

	if (s->condition) {
		to[i++] = 0x70 + ((s->condition & 0xf) ^ 1);
		to[i++] = (uint8_t)(s->len - 2);
	}
	if (mode == FENCED) {
		memcpy(to + i, fence, sizeof(fence));
		i += sizeof(fence);
	}
	if (i + size > s->len)
		return 0;
	for (rest = s->len - i - size; late && s->op == CALL && rest; rest--)
		to[i++] = CS;
	if (s->reg >= 8)
		to[i++] = 0x41;
	to[i++] = 0xff;
	to[i++] = (uint8_t)((s->op == CALL ? 0xd0 : 0xe0) + (s->reg & 7));
	if (s->op == JMP && i < s->len)
		to[i++] = INT3;
	for (; late && i < s->len;)
		to[i++] = INT3;
	rest = s->len - i;
	if (rest)
		memcpy(to + i, e->patcher->nop[rest], rest);
	return s->len;
}

/* cpus where the cache line matters: a jump to a thunk that the kernel made, "jmp *%reg; int3" */
static bool is_its(const struct otst_expect *e, const struct site *s)
{
	const uint8_t *found = otst_expect_found(e, s->addr, s->len);
	unsigned int prefix = s->len - 5, i = 0;
	uint8_t thunk[4], want[4] = { 0 };

	if (!found || memcmp(found, otst_expect_built(e, s->addr, s->len), prefix + 1) ||
	    otst_read(e->o, otst_get_rel32(found + prefix, s->addr + prefix), thunk, 4))
		return false;
	if (s->reg >= 8)
		want[i++] = 0x41;
	want[i++] = 0xff;
	want[i++] = (uint8_t)(0xe0 + (s->reg & 7));
	want[i++] = INT3;
	return !memcmp(thunk, want, i);
}

/* __emit_trampoline(): the instruction as built, but to another thunk */
static unsigned int make_tracked(const struct otst_expect *e, const struct site *s, uint8_t *to)
{
	const struct thunks *t = find_thunks(e->o);
	const uint8_t *built = otst_expect_built(e, s->addr, s->len);
	unsigned int prefix = s->len - 5;
	uint64_t thunk = t ? (s->op == CALL ? t->call : t->jump)[s->reg] : 0;

	if (!thunk)
		return 0;
	memcpy(to, built, prefix);
	otst_put_rel32(to + prefix, built[prefix], s->addr + prefix, thunk);
	return s->len;
}

static unsigned int fit_site(const struct otst_expect *e, const struct site *s, enum mode mode,
			     uint8_t *to)
{
	int late;

	if (mode == TRACKED)
		return make_tracked(e, s, to) && otst_expect_fits(e, s->addr, to, s->len) ? s->len :
											    0;
	for (late = 0; late < 2; late++) {
		if (make_indirect(e, s, mode, late, to) && otst_expect_fits(e, s->addr, to, s->len))
			return s->len;
	}
	return 0;
}

static void patch_retpoline(struct otst_expect *e, const struct site *s, enum mode most)
{
	const uint8_t *found = otst_expect_found(e, s->addr, s->len);
	uint8_t bytes[MAX + 4];
	unsigned int len = 0;

	if (!found) {
		/* only matters as a source of alternatives */
		if (most == TRACKED)
			len = make_tracked(e, s, bytes);
		else if (most != STAYED)
			len = make_indirect(e, s, most, false, bytes);
	} else {
		if (most != STAYED)
			len = fit_site(e, s, most, bytes);
		if (!len && is_its(e, s)) {
			len = s->len;
			memcpy(bytes, found, len);
		}
	}
	if (len)
		otst_expect_set(e, OTST_DIFF_RETPOLINE, s->addr, bytes, len);
}

int otst_apply_retpolines(struct otst_expect *e)
{
	struct otst_vec addrs = { 0 };
	size_t count[MODES] = { 0 }, i, n = 0;
	enum mode mode, most = STAYED;
	uint8_t bytes[MAX + 4];
	const uint64_t *at;
	struct site *s;
	int err = otst_expect_sites(e, ".retpoline_sites", &addrs);

	if (err || !addrs.count)
		return err;
	at = addrs.data;
	s = otst_alloc(e->o, addrs.count * sizeof(*s));
	if (!s)
		return otst_no_memory(e->o);
	for (i = 0; i < addrs.count; i++) {
		if (!decode_site(e, at[i], &s[n]))
			continue;
		for (mode = INDIRECT; mode < MODES && !fit_site(e, &s[n], mode, bytes); mode++)
			;
		count[mode < MODES ? mode : STAYED]++;
		n++;
	}
	for (mode = STAYED; mode < MODES; mode++)
		most = count[mode] > count[most] ? mode : most;
	for (i = 0; i < n && !err; i++)
		patch_retpoline(e, &s[i], most);
	return err;
}
