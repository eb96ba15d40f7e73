// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kprobes.c - breakpoints and jumps of kprobes (kernel/kprobes.c). Each record keeps
 * the bytes that its probe covers. They are put back into what was found, so that
 * the text under a probe is compared like any other text. That is done only where a
 * record claims the patch, and the patch is exactly the record's own.
 */
#include <string.h>

#include "expect.h"

/* is the address claimed: by any of its users, or by a patch that waits to be undone */
static bool is_claimed(const struct otst_probe *p)
{
	return p->claim == OTST_CLAIM_ARMED || (p->claim == OTST_CLAIM_UNUSED && p->queue);
}

static void put_back(struct otst_expect *e, const struct otst_probe *p)
{
	const struct otst_arch *arch = e->arch->arch;
	uint8_t *found = otst_expect_found(e, p->addr, arch->insn.branch_len);
	const struct otst_insn_form *brk;
	struct otst_branch b;
	size_t len = 0;

	if (!found || (!p->error && !is_claimed(p)) || p->via == OTST_VIA_FTRACE)
		return;
	/* nobody knows what a record saved that cannot be read, or whose bytes have another name */
	if (p->error || !p->nr_saved) {
		otst_expect_unknown(e, p->addr, arch->insn.branch_len);
		return;
	}
	brk = otst_breakpoint_at(arch, found, arch->insn.branch_len);
	if (brk && p->nr_saved)
		len = brk->len;
	else if (arch->insn.branch(found, arch->insn.branch_len, p->addr, &b) &&
		 b.kind == OTST_BRANCH_JUMP && p->nr_saved == b.len && p->detour &&
		 b.target == p->detour)
		len = b.len;
	if (!len)
		return;
	memcpy(found, p->saved, len);
	otst_expect_place(e, OTST_DIFF_KPROBE, p->addr, len);
}

/* read once per command; @absent: a kernel without kprobes, as this message says */
struct table {
	struct otst_probes probes;
	const char *absent;
};

static int read_kprobe_table(struct otst *o, const struct table **ret)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct table *t = *memo;
	int err;

	if (!t) {
		t = otst_new(o, sizeof(*t));
		err = otst_kprobes(o, &t->probes);
		if (err && err != OTST_ERR_LOOKUP)
			return err;
		t->absent = err ? otst_strdup(o, otst_message(o)) : NULL;
		*memo = t;
	}
	*ret = t;
	return 0;
}

int otst_audit_kprobes(struct otst *o, struct otst_probes *ret)
{
	const struct table *t;
	int err = read_kprobe_table(o, &t);

	if (!err)
		*ret = t->probes;
	return err;
}

int otst_apply_kprobes(struct otst_expect *e)
{
	const struct table *t;
	int err = read_kprobe_table(e->o, &t);

	if (!err && t->absent)
		return otst_expect_absent(e, otst_raise(e->o, OTST_ERR_LOOKUP, "%s", t->absent),
					  "register_kprobe");
	if (err)
		return otst_note(e->o, &e->out->errors, err);
	for (size_t i = 0; i < t->probes.count; i++)
		put_back(e, t->probes.items[i]);
	return 0;
}
