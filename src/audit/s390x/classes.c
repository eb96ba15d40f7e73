// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * classes.c - the classes of differences that s390x's text has, in the order in
 * which the kernel applies them; the branches of jump labels (arch/s390/kernel/jump_label.c);
 * the branch of the graph tracer; and the page of the kernel's text where kprobes put
 * instructions that are relative to their address. What is not known is counted. The text of
 * modules is not compared.
 */
#include <inttypes.h>
#include <string.h>

#include "../../ftrace/ftrace.h"
#include "s390x.h"

#define SITE	   6u
#define TRAMPOLINE 24u
#define SLOTS	   4096u

/* ftrace_graph_caller: a brc that is always taken, or never while functions are graphed */
static int apply_graph(struct otst_expect *e)
{
	uint64_t at = otst_symbol_or0(e->o, "ftrace_graph_caller");
	uint64_t active = otst_symbol_or0(e->o, "ftrace_graph_active");
	const uint8_t *built = otst_expect_built(e, at, 4);
	uint8_t bytes[4], users[4];

	if (!at || !active || !built || built[0] != 0xa7 || built[1] != 0xf4)
		return 0;
	if (otst_read(e->o, active, users, sizeof(users)))
		return otst_expect_lost(e, at, sizeof(bytes), "users of function graphs", active);
	if (!otst_get_be(users, sizeof(users)))
		return 0;
	memcpy(bytes, built, sizeof(bytes));
	bytes[1] = 0x04;
	otst_expect_set(e, OTST_DIFF_FTRACE_CALL, at, bytes, sizeof(bytes));
	return 0;
}

/* no record says what is in the slots, or was in those that are free again */
static int skip_slots(struct otst_expect *e)
{
	uint64_t at = otst_symbol_or0(e->o, "kprobes_insn_page");
	const uint8_t *found = otst_expect_found(e, at, SLOTS);

	if (!at || !found || !memcmp(found, otst_expect_now(e, at, SLOTS), SLOTS))
		return 0;
	otst_expect_unknown(e, at, SLOTS);
	return otst_note(e->o, &e->out->notes,
			 otst_raise(e->o, OTST_ERR_LOOKUP,
				    "what kprobes put into their page at 0x%" PRIx64
				    " is not known: %u bytes are taken as found",
				    at, SLOTS));
}

/*
 * arch/s390/kernel/nospec-branch.c: with "nobp=0" or on newer machines calls of expolines become
 * the branches that the expolines contain
 */
static int skip_expolines(struct otst_expect *e)
{
	static const char *const tables[] = { ".nospec_call_table", ".nospec_return_table" };
	struct otst_vec sites = { 0 };
	const uint64_t *at;
	size_t i, n = 0;
	int err = 0;

	for (i = 0; i < 2 && !err; i++)
		err = otst_expect_sites(e, tables[i], &sites);
	at = sites.data;
	for (i = 0; i < sites.count && !err; i++) {
		const uint8_t *found = otst_expect_found(e, at[i], SITE);

		if (!found || !memcmp(found, otst_expect_now(e, at[i], SITE), SITE))
			continue;
		otst_expect_unknown(e, at[i], SITE);
		n++;
	}
	return err || !n ? err :
			   otst_note(e->o, &e->out->notes,
				     otst_raise(e->o, OTST_ERR_LOOKUP,
						"expolines: what becomes of them is not known: "
						"%zu place%s of %u bytes %s taken as found",
						n, otst_number(n, "", "s"), SITE,
						otst_number(n, "is", "are")));
}

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,
	otst_apply_kprobes,
	otst_s390x_alternatives,
	otst_s390x_stack_protector,
	otst_s390x_runtime_consts,
	otst_apply_ftrace,
	otst_s390x_trampolines,
	apply_graph,
	skip_slots,
	skip_expolines,
	otst_apply_jump_labels,
};

/* jump and nop both hold the target */
static size_t s390x_put_jump(const struct otst_expect *e, const uint8_t *built, uint64_t addr,
			     uint64_t target, uint8_t *ret)
{
	if (target)
		return e->arch->arch->insn.put_branch(ret, OTST_BRANCH_JUMP, addr, target);
	memcpy(ret, built, SITE);
	e->arch->arch->ftrace.switch_site(ret, false);
	return SITE;
}

/* a brcl that was built to lead nowhere, and a trampoline that leads to no site of a record */
static void s390x_lose_site(struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint64_t addr = p->addr + at, begin, end;

	if (!memcmp(p->built + at, otst_audit_nop(e->o), SITE) &&
	    !otst_ftrace_site_at(e->o, addr, NULL))
		otst_expect_unknown(e, addr, SITE);
	begin = otst_symbol_or0(e->o, "__ftrace_hotpatch_trampolines_start");
	end = otst_symbol_or0(e->o, "__ftrace_hotpatch_trampolines_end");
	if (addr - begin < end - begin && !((addr - begin) % TRAMPOLINE) &&
	    at + TRAMPOLINE <= p->size &&
	    !otst_ftrace_site_at(e->o, otst_get_be(p->found + at + 8, 8) - SITE, NULL))
		otst_expect_unknown(e, addr, TRAMPOLINE);
}

const struct otst_audit_arch otst_audit_s390x = {
	.arch = &otst_arch_s390x,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.prepare = otst_s390x_prepare,
	.put_jump = s390x_put_jump,
	.switch_site = otst_s390x_switch_site,
	.lose_site = s390x_lose_site,
	.relocate = otst_s390x_relocation,
};
