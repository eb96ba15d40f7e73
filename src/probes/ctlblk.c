// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ctlblk.c - the kprobe that each cpu is handling: current_kprobe and
 * kprobe_instance (kernel/kprobes.c), and struct kprobe_ctlblk
 * (arch/x86/include/asm/kprobes.h), which up to v4.18 also has the registers and
 * the stack bytes that setjmp_pre_handler() saved for a jprobe.
 */

#include "../tasks/regs.h"
#include "probes.h"

/* 0 when the kernel has no such variable */
static int read_percpu_ctlblk(struct otst *o, const char *symbol, unsigned int cpu, uint64_t *ret)
{
	uint64_t var = otst_symbol_or0(o, symbol);
	int err = var ? otst_read_u64(o, otst_percpu(o, var, cpu), ret) : 0;

	return err ? otst_fail(o, err, "%s of cpu %u", symbol, cpu) : 0;
}

const char *otst_ctlblk_status(uint64_t status)
{
	switch (status) {
	case 0x1:
		return "HIT_ACTIVE";
	case 0x2:
		return "HIT_SS";
	case 0x4:
		return "REENTER";
	case 0x8:
		return "HIT_SSDONE";
	default:
		return NULL;
	}
}

static int read_jprobe_regs(struct otst_view *v, struct otst_ctlblk *ret)
{
	const struct otst_arch *arch = otst_kernel(v->o)->arch;
	const struct otst_member *regs, *stack;
	int err = otst_member(v->o, "kprobe_ctlblk", "jprobe_saved_regs", &regs);

	if (err)
		return err;
	if (regs->offset > v->size || regs->size < otst_pt_regs(v->o)->size ||
	    regs->size > v->size - regs->offset)
		return otst_raise(v->o, OTST_ERR_CORRUPT,
				  "kprobe_ctlblk.jprobe_saved_regs does not fit");
	if (!arch->reg.count)
		return 0;
	otst_regs_take(v->o, v->data + regs->offset, ret->regs);
	ret->has_jprobe = true;
	ret->saved_sp = otst_u64_or(v, "jprobe_saved_sp", ret->regs[arch->reg.sp]);
	/* arm64 does not save the stack */
	if (otst_view_has(v, "jprobes_stack") &&
	    !otst_member(v->o, "kprobe_ctlblk", "jprobes_stack", &stack) &&
	    stack->offset <= v->size && stack->size <= v->size - stack->offset) {
		ret->stack = v->data + stack->offset;
		ret->stack_len = stack->size;
	}
	return 0;
}

int otst_ctlblk(struct otst *o, unsigned int cpu, struct otst_ctlblk *ret)
{
	uint64_t var = otst_symbol_or0(o, "kprobe_ctlblk");
	struct otst_view v;
	int err;

	*ret = (struct otst_ctlblk){ 0 };
	err = read_percpu_ctlblk(o, "current_kprobe", cpu, &ret->current);
	err = err ?: read_percpu_ctlblk(o, "kprobe_instance", cpu, &ret->instance);
	if (err)
		return err;
	if (!var)
		return 0;
	ret->addr = otst_percpu(o, var, cpu);
	err = otst_view_read(o, "kprobe_ctlblk", ret->addr, &v);
	if (err)
		return otst_fail(o, err, "cpu %u", cpu);
	ret->status = otst_u64(&v, "kprobe_status");
	ret->before = otst_u64(&v, "prev_kprobe.kp");
	err = v.err;
	if (!err && otst_view_has(&v, "jprobe_saved_regs"))
		err = read_jprobe_regs(&v, ret);
	return err;
}

const struct otst_probe *otst_ctlblk_probe(const struct otst_probes *probes,
					   const struct otst_ctlblk *b)
{
	/* with an aggregate, current_kprobe is that and kprobe_instance the user at work */
	for (size_t i = 0; b->current && i < probes->count; i++) {
		const struct otst_probe *p = probes->items[i];

		if (b->instance && b->current == p->node ?
			    p->record == b->instance :
			    b->current == p->record || b->current == p->node)
			return p;
	}
	return NULL;
}
