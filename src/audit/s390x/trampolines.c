// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trampolines.c - sites of ftrace that have a trampoline each (struct
 * ftrace_hotpatch_trampoline, arch/s390/kernel/ftrace.h; ftrace_init_nop(),
 * ftrace_make_call() and ftrace_make_nop() of ftrace.c): the site has a branch to its
 * trampoline, always or never taken. The trampoline has a call of code that all share,
 * where the function continues, and what it calls, or called last. No table says which
 * trampoline belongs to which site: it is the one that the site leads to, if that leads
 * back; else the first one that leads back; else the former, if it is not in the dump.
 */
#include <stdlib.h>
#include <string.h>

#include "../../base/sorted.h"
#include "s390x.h"

#define SITE	    6u
#define TRAMPOLINE  24u
#define REST	    8u
#define INTERCEPTOR 16u

static void s390x_put_bytes(uint8_t *to, uint64_t value, size_t len)
{
	while (len--) {
		to[len] = (uint8_t)value;
		value >>= 8;
	}
}

static const uint8_t *found_at(const struct otst_expect *e, uint64_t at)
{
	return otst_expect_found(e, at, TRAMPOLINE);
}

static bool leads_back(const struct otst_expect *e, uint64_t at, uint64_t ip)
{
	const uint8_t *found = found_at(e, at);

	return found && otst_get_be(found + REST, 8) == ip + SITE;
}

static uint64_t begin_trampolines(struct otst_expect *e)
{
	return otst_symbol_or0(e->o, "__ftrace_hotpatch_trampolines_start");
}

static uint64_t end_trampolines(struct otst_expect *e)
{
	return otst_symbol_or0(e->o, "__ftrace_hotpatch_trampolines_end");
}

/* where a trampoline is, by where its function continues */
struct indexed {
	uint64_t rest, at;
};

static int by_rest(const void *a, const void *b)
{
	const struct indexed *x = a, *y = b;

	return otst_cmp(x->rest, y->rest) ?: otst_cmp(x->at, y->at);
}

int otst_s390x_prepare(struct otst_expect *e)
{
	uint64_t at, last = e->module || !begin_trampolines(e) ? 0 : end_trampolines(e);

	for (at = begin_trampolines(e); at < last; at += TRAMPOLINE) {
		const uint8_t *found = found_at(e, at);
		struct indexed *to = found ? otst_vec_push(e->o, &e->trampolines, sizeof(*to)) :
					     NULL;

		if (to)
			*to = (struct indexed){ otst_get_be(found + REST, 8), at };
	}
	otst_sort(e->trampolines.data, e->trampolines.count, sizeof(struct indexed), by_rest);
	return otst_check(e->o);
}

static uint64_t branch_target(uint64_t ip, const uint8_t *site)
{
	return ip + 2 * (uint64_t)(int64_t)(int32_t)otst_get_be(site + 2, 4);
}

/* does one of the trampolines from @first up to @last begin at @at */
static bool s390x_is_trampoline(uint64_t at, uint64_t first, uint64_t last)
{
	return at - first < last - first && !((at - first) % TRAMPOLINE);
}

static uint64_t s390x_find_trampoline(struct otst_expect *e, uint64_t ip, const uint8_t *site)
{
	const struct indexed *index = e->trampolines.data;
	uint64_t own = branch_target(ip, site);
	size_t at;

	if (!s390x_is_trampoline(own, begin_trampolines(e), end_trampolines(e)))
		own = 0;
	if (own && leads_back(e, own, ip))
		return own;
	at = otst_count_below(index, e->trampolines.count, rest, ip + SITE);
	if (at < e->trampolines.count && index[at].rest == ip + SITE)
		return index[at].at;
	return own && otst_expect_missing(e, own, TRAMPOLINE) ? own : 0;
}

/* the cpu decides which shared code is called; @to: 0 for what the trampoline called last */
static void set_trampoline(struct otst_expect *e, uint64_t at, uint64_t rest, uint64_t to)
{
	static const char *const shared[] = { "ftrace_shared_hotpatch_trampoline_br",
					      "ftrace_shared_hotpatch_trampoline_exrl" };
	const uint8_t *found = found_at(e, at);
	uint8_t bytes[TRAMPOLINE] = { 0 };
	uint64_t last = found ? otst_get_be(found + INTERCEPTOR, 8) : 0, code;

	if (!found || otst_expect_missing(e, at, TRAMPOLINE))
		return;
	if (!to)
		to = otst_audit_is_code(e->o, last) ? last : otst_symbol_or0(e->o, "ftrace_caller");
	s390x_put_bytes(bytes + REST, rest, 8);
	s390x_put_bytes(bytes + INTERCEPTOR, to, 8);
	for (size_t i = 0; i < 2; i++) {
		code = otst_symbol_or0(e->o, shared[i]);
		if (!code)
			continue;
		e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_CALL, at, code);
		bytes[1] |= 0x10; /* %r1 */
		if (!memcmp(bytes, found, SITE))
			break;
	}
	otst_expect_set(e, OTST_DIFF_FTRACE, at, bytes, sizeof(bytes));
}

/* is @at one of the module's trampolines? They have memory of their own that is not compared. */
static int read_of_module(struct otst_expect *e, uint64_t at, uint8_t *ret, bool *is_one)
{
	uint64_t module = e->module->addr, first, last;
	int err = otst_read_member(e->o, "module", module, "arch.trampolines_start", &first);

	err = err ?: otst_read_member(e->o, "module", module, "arch.trampolines_end", &last);
	*is_one = !err && s390x_is_trampoline(at, first, last);
	return *is_one ? otst_read(e->o, at, ret, TRAMPOLINE) : err;
}

/* the site leads to a trampoline, which leads back; if @to is not 0, it calls @to */
static int switch_of_module(struct otst_expect *e, uint64_t ip, uint64_t to, const uint8_t *found)
{
	uint64_t at = branch_target(ip, found);
	uint8_t bytes[TRAMPOLINE], site[SITE];
	bool is_one;
	int err = read_of_module(e, at, bytes, &is_one);

	if (err)
		return otst_fatal(err) ? err : otst_expect_lost(e, ip, SITE, "trampoline", at);
	if (!is_one || otst_get_be(bytes + REST, 8) != ip + SITE ||
	    (to && otst_get_be(bytes + INTERCEPTOR, 8) != to))
		at = 0;
	e->arch->arch->insn.put_branch(site, OTST_BRANCH_JUMP, ip, at);
	e->arch->arch->ftrace.switch_site(site, to != 0);
	otst_expect_set(e, OTST_DIFF_FTRACE, ip, site, SITE);
	return 0;
}

int otst_s390x_switch_site(struct otst_expect *e, uint64_t ip, uint64_t to)
{
	const uint8_t *found = otst_expect_found(e, ip, SITE);
	uint64_t at;
	uint8_t bytes[SITE];

	if (!found)
		return 0;
	if (e->module && otst_has_member(e->o, "module", "arch.trampolines_start"))
		return switch_of_module(e, ip, to, found);
	at = begin_trampolines(e) && !e->module ? s390x_find_trampoline(e, ip, found) : 0;
	if (at) {
		e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_JUMP, ip, at);
		e->arch->arch->ftrace.switch_site(bytes, to != 0);
		otst_expect_set(e, OTST_DIFF_FTRACE, ip, bytes, SITE);
		set_trampoline(e, at, ip + SITE, to);
		return 0;
	}
	/* kernels without trampolines */
	if (to)
		e->arch->arch->insn.put_branch(bytes, OTST_BRANCH_CALL, ip, to);
	otst_expect_set(e, OTST_DIFF_FTRACE, ip, to ? bytes : otst_audit_nop(e->o), SITE);
	return 0;
}

int otst_s390x_trampolines(struct otst_expect *e)
{
	uint64_t init = otst_symbol_or0(e->o, "__init_begin"), at, rest;
	uint64_t len = otst_symbol_or0(e->o, "__init_end") - init, last = end_trampolines(e);

	if (e->module || !begin_trampolines(e))
		return 0;
	for (at = begin_trampolines(e); at < last; at += TRAMPOLINE) {
		rest = found_at(e, at) ? otst_get_be(found_at(e, at) + REST, 8) : 0;
		/* if a trampoline spans two pages, one half alone has no meaning */
		if (otst_expect_missing(e, at, TRAMPOLINE))
			otst_expect_unknown(e, at, TRAMPOLINE);
		else if (rest - init < len)
			set_trampoline(e, at, rest, 0);
	}
	return otst_check(e->o);
}
