// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * out_of_line.c - sites of ftrace that have a stub each (struct ftrace_ool_stub,
 * ftrace_init_ool_stub() of arch/powerpc/kernel/trace/ftrace.c): the site is a nop, or jumps to its
 * stub. The stub saves the return address, calls the common trampoline, or what the record says,
 * and jumps back. The ftrace_ops that is called is stored before the stub (CALL_OPS). A module's
 * stubs follow those through which it calls other text, and are in no section of its file.
 */
#include <inttypes.h>
#include <string.h>

#include "ppc64le.h"

#define MTLR_R0	  0x7c0803a6u
#define STUB	  (4 * INSN)
#define POINTER	  8u
#define REACH	  (UINT64_C(32) << 20)
#define MAX_STUBS (1u << 24)

/* stubs from @first up to @last, @size bytes each; @insns: where in a stub its code begins */
struct area {
	uint64_t first, last, size, insns;
};

static int ppc64le_add_area(struct otst_expect *e, uint64_t first, uint32_t count)
{
	const struct otst_member *insns;
	uint64_t size;
	struct area *a;
	int err = otst_type_size(e->o, "ftrace_ool_stub", &size);

	err = err ?: otst_member(e->o, "ftrace_ool_stub", "insn", &insns);
	if (err)
		return err;
	if (!size || count > MAX_STUBS)
		return otst_raise(e->o, OTST_ERR_CORRUPT, "%" PRIu32 " make no sense", count);
	a = otst_vec_push(e->o, &e->stubs, sizeof(*a));
	*a = (struct area){ first, first + count * size, size, insns->offset };
	return 0;
}

static int add_of_module(struct otst_expect *e)
{
	uint64_t at = e->module->addr, first, count;
	int err = otst_read_member(e->o, "module", at, "arch.ool_stubs", &first);

	err = err ?: otst_read_member(e->o, "module", at, "arch.ool_stub_count", &count);
	return err || !first ? err : ppc64le_add_area(e, first, (uint32_t)count);
}

int otst_ppc64le_prepare(struct otst_expect *e)
{
	static const char *const names[][2] = {
		{ "ftrace_ool_stub_text", "ftrace_ool_stub_text_count" },
		{ "ftrace_ool_stub_text_end", "ftrace_ool_stub_text_end_count" },
		{ "ftrace_ool_stub_inittext", "ftrace_ool_stub_inittext_count" },
	};
	int err = 0;

	if (!otst_ftrace_has_stubs(e->o))
		return 0;
	if (e->module)
		err = add_of_module(e);
	for (size_t i = 0; !e->module && i < sizeof(names) / sizeof(*names) && !err; i++) {
		uint64_t at = otst_symbol_or0(e->o, names[i][0]);
		uint64_t number = otst_symbol_or0(e->o, names[i][1]);
		/* the count is in the text, where it is compared */
		const uint8_t *count = otst_expect_built(e, number, INSN);

		if (at && number && count)
			err = ppc64le_add_area(e, at, otst_ppc64le_get(count));
	}
	if (!err && !e->module && !e->stubs.count)
		err = otst_raise(e->o, OTST_ERR_LOOKUP, "no symbol says where they are");
	return err ? otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "stubs of ftrace")) : 0;
}

/* the area that the code of a stub at @at belongs to */
static const struct area *find_area(const struct otst_expect *e, uint64_t at)
{
	const struct area *a = e->stubs.data;

	for (size_t i = 0; i < e->stubs.count; i++) {
		uint64_t from = at - a[i].insns - a[i].first;

		if (from < a[i].last - a[i].first && !(from % a[i].size))
			return &a[i];
	}
	return NULL;
}

/* a site of this image, whose stub is where a stub can be */
static bool ppc64le_find_stub_site(const struct otst_expect *e, uint64_t ip,
				   struct otst_ftrace_site *ret)
{
	return otst_expect_now(e, ip, INSN) && otst_ftrace_site_at(e->o, ip, ret) &&
	       find_area(e, ret->stub);
}

static bool is_call_ops(const struct otst_expect *e, const struct otst_ftrace_function *f)
{
	return f->site.flags & (uint64_t)otst_enumerator_or(e->o, "FTRACE_FL_CALL_OPS_EN", 0);
}

static bool is_unset(const struct otst_expect *e, uint64_t at)
{
	const uint8_t *found = otst_expect_found(e, at, POINTER);
	uint64_t ops;

	if (found)
		return !otst_get_le(found, POINTER);
	/* compare_bytes() reports it when it cannot be read */
	return e->module && !otst_read_u64(e->o, at, &ops) && !ops;
}

/* compares what is in no section */
static int compare_bytes(struct otst_expect *e, uint64_t at, const uint8_t *bytes, size_t len)
{
	uint8_t *found = otst_alloc(e->o, len), *expected = otst_alloc(e->o, len);
	struct otst_finding *f;
	int err;

	if (!found || !expected)
		return otst_no_memory(e->o);
	err = otst_read(e->o, at, found, len);
	if (otst_fatal(err))
		return err;
	e->out->compared += len;
	e->out->missing += err ? len : 0;
	if (err)
		return 0;
	if (!memcmp(found, bytes, len)) {
		otst_expect_place(e, OTST_DIFF_FTRACE, at, len);
		return 0;
	}
	memcpy(expected, bytes, len);
	f = otst_finding_add(e->o, e->out, OTST_FINDING_CLAIM, at,
			     "the text is not what the records say (ftrace)");
	f->found = found;
	f->expected = expected;
	f->len = (uint32_t)len;
	return 0;
}

static int ppc64le_set_out_of_line_stub(struct otst_expect *e, uint64_t at, const uint8_t *bytes,
					size_t len)
{
	if (e->module && !otst_expect_now(e, at, len))
		return compare_bytes(e, at, bytes, len);
	otst_expect_set(e, OTST_DIFF_FTRACE, at, bytes, len);
	return 0;
}

int otst_ppc64le_set_ops(struct otst_expect *e, uint64_t ip, const struct otst_ftrace_function *f)
{
	const struct otst_member *m;
	struct otst_ftrace_site site;
	uint8_t bytes[POINTER];
	uint64_t ops, at;

	if (!otst_has_member(e->o, "ftrace_ool_stub", "ftrace_op") ||
	    !ppc64le_find_stub_site(e, ip, &site))
		return 0;
	if (otst_member(e->o, "ftrace_ool_stub", "ftrace_op", &m))
		return 0;
	at = site.stub - find_area(e, site.stub)->insns + m->offset;
	ops = otst_expect_call_ops(e, f);
	/*
	 * There are more ftrace_ops than the record shows: ftrace is about to update it. Kernels
	 * before "powerpc/ftrace: ensure ftrace record ops are always set for NOPs" write no
	 * ftrace_ops until a function is hooked for the first time.
	 */
	if (!ops || (f ? !f->unique && f->count > 1 && is_call_ops(e, f) : is_unset(e, at))) {
		otst_expect_unknown(e, at, sizeof(bytes));
		return 0;
	}
	otst_put_le(bytes, ops, sizeof(bytes));
	return ppc64le_set_out_of_line_stub(e, at, bytes, sizeof(bytes));
}

/* a record that names no stub: nothing tells what its site is */
static void report_stub(struct otst_expect *e, const struct otst_ftrace_site *site)
{
	otst_expect_unknown(e, site->ip, INSN);
	if (!e->stubs.count)
		return;
	otst_finding_record(e->o, e->out, OTST_FINDING_RECORD, site->ip, site->record,
			    otst_format(e->o,
					"%s: its record names 0x%" PRIx64
					" as its stub of ftrace, where there is none",
					otst_ftrace_site_name(e->o, site->ip), site->stub));
}

int otst_ppc64le_set_stub(struct otst_expect *e, uint64_t ip, uint64_t to)
{
	const struct otst_arch *arch = e->arch->arch;
	uint64_t common = otst_symbol_or0(e->o, "ftrace_caller"), far, call;
	struct otst_ftrace_site site;
	uint8_t insn[INSN], stub[STUB];

	if (!otst_expect_now(e, ip, INSN) || !otst_ftrace_site_at(e->o, ip, &site))
		return 0;
	if (!find_area(e, site.stub)) {
		report_stub(e, &site);
		return 0;
	}
	otst_ppc64le_put(insn, NOP);
	if (to)
		arch->insn.put_branch(insn, OTST_BRANCH_JUMP, ip, site.stub);
	otst_expect_set(e, OTST_DIFF_FTRACE, ip, insn, INSN);
	call = otst_ftrace_call_place(e->o, &site);
	to = to ?: otst_ftrace_reach(e->o, call, common);
	if (!to)
		return otst_expect_lost(e, site.stub, STUB, "call of ftrace at", call);
	far = !e->module && to - call + REACH >= 2 * REACH ?
		      otst_symbol_or0(e->o, "ftrace_tramp_text") :
		      0;
	otst_ppc64le_put(stub, MFLR_R0);
	arch->insn.put_branch(stub + INSN, OTST_BRANCH_CALL, call, far ? far : to);
	otst_ppc64le_put(stub + 2 * INSN, MTLR_R0);
	arch->insn.put_branch(stub + 3 * INSN, OTST_BRANCH_JUMP, site.stub + 3 * INSN, ip + INSN);
	return ppc64le_set_out_of_line_stub(e, site.stub, stub, sizeof(stub));
}

void otst_ppc64le_lose_stub(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint32_t built = otst_ppc64le_get(p->built + at), found = otst_ppc64le_get(p->found + at);
	uint64_t addr = p->addr + at, target, callee, back;
	const struct area *a = e->stubs.data;
	uint8_t bytes[STUB];
	const uint8_t *stub;

	/* if there is still a record, its stub overwrites this */
	for (size_t i = 0; !built && found && i < e->stubs.count; i++) {
		if (addr >= a[i].first && addr < a[i].last)
			otst_expect_unknown(e, addr, INSN);
	}
	if (built != NOP || found == NOP || !otst_ppc64le_branch(found, addr, &target) ||
	    !find_area(e, target))
		return;
	stub = otst_expect_found(e, target, STUB);
	if (!stub && e->module && !otst_read(e->o, target, bytes, sizeof(bytes)))
		stub = bytes;
	/* a stub that is not in the dump may be the site's own */
	if (!stub || otst_expect_missing(e, target, STUB) ||
	    (e->arch->arch->reloc.veneer(stub, target, &callee) &&
	     otst_ppc64le_branch(otst_ppc64le_get(stub + 3 * INSN), target + 3 * INSN, &back) &&
	     back == addr + INSN))
		otst_expect_unknown(e, addr, INSN);
}
