// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kprobes.c - breakpoints and jumps of kprobes (arch/x86/kernel/kprobes/core.c,
 * opt.c). Each record keeps the bytes that it has covered; they are put back
 * into what was found, so that the text under a probe is compared like any
 * other. Only where a record claims the patch, and the patch is exactly its own.
 */
#include <string.h>

#include "expect.h"

#define INT3	 0xcc
#define JMP32	 0xe9
#define JMP_SIZE 5

/* the address's own claim: any of its users, or a patch that waits to be undone */
static bool is_claimed(const struct otst_probe *p)
{
	return p->claim == OTST_CLAIM_ARMED || (p->claim == OTST_CLAIM_UNUSED && p->queue);
}

static int put_back(struct otst_expect *e, const struct otst_probe *p)
{
	uint8_t *found = otst_expect_found(e, p->addr, JMP_SIZE);
	unsigned int len = 0;

	if (!found || p->error || !is_claimed(p) || p->via == OTST_VIA_FTRACE)
		return 0;
	if (found[0] == INT3 && p->nr_saved)
		len = 1;
	else if (found[0] == JMP32 && p->nr_saved == JMP_SIZE && p->detour &&
		 otst_get_rel32(found, p->addr) == p->detour)
		len = JMP_SIZE;
	if (!len)
		return 0;
	memcpy(found, p->saved, len);
	return otst_expect_place(e, OTST_DIFF_KPROBE, p->addr, len);
}

int otst_audit_kprobes(struct otst *o, struct otst_probes *ret)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	int err;

	if (!memo)
		return otst_no_memory(o);
	if (!*memo) {
		struct otst_probes *probes = otst_alloc(o, sizeof(*probes));

		if (!probes)
			return otst_no_memory(o);
		err = otst_kprobes(o, probes);
		/* a kernel without kprobes */
		if (err && err != OTST_ERR_LOOKUP)
			return err;
		*memo = probes;
	}
	*ret = *(struct otst_probes *)*memo;
	return 0;
}

int otst_apply_kprobes(struct otst_expect *e)
{
	struct otst_probes probes;
	size_t i;
	int err;

	err = otst_audit_kprobes(e->o, &probes);
	if (err)
		return otst_note(e->o, &e->out->errors, err);
	for (i = 0; !err && i < probes.count; i++)
		err = put_back(e, probes.items[i]);
	return err;
}
