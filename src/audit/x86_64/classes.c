// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * classes.c - the classes of differences that x86_64's text has, in the order in
 * which the kernel applies them; probes and patches under way lie over all.
 */
#include <string.h>

#include "../../dump/image.h"
#include "x86_64.h"

static otst_apply_fn *const classes[] = {
	otst_apply_kgdb,	 otst_apply_pokes,	  otst_apply_kprobes,
	otst_apply_paravirt,	 otst_apply_retpolines,	  otst_apply_returns,
	otst_apply_call_depth,	 otst_apply_alternatives, otst_apply_call_depth,
	otst_apply_endbrs,	 otst_apply_smp_locks,	  otst_apply_runtime_consts,
	otst_apply_ftrace,	 otst_apply_dispatcher,	  otst_apply_jump_labels,
	otst_apply_static_calls,
};

static int prepare(struct otst_expect *e)
{
	const struct otst_built *b = e->built;
	size_t i;

	for (i = 0; i < b->count; i++) {
		const struct otst_section *s = &b->items[i];

		if (!strcmp(s->name, ".data..percpu") && b->slide && s->addr == b->slide)
			e->percpu_end = s->size;
	}
	e->patcher = otst_patcher(e->o);
	return e->patcher ? 0 : otst_no_memory(e->o);
}

const struct otst_audit_arch otst_audit_x86_64 = {
	.arch = &otst_arch_x86_64,
	.classes = classes,
	.nr_classes = sizeof(classes) / sizeof(*classes),
	.prepare = prepare,
	.relocated = otst_x86_64_relocated,
	.trampoline_ops = otst_x86_64_trampoline_ops,
};
