// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * jprobe.c - trace source "jprobe": what setjmp_pre_handler() saved for the last
 * jprobe on each cpu (struct kprobe_ctlblk of kernels up to v4.18): registers and
 * stack bytes at the probed function's entry, and so its arguments. They are live
 * while the jprobe's handler runs; after that they are left over until the next one.
 */
#include <inttypes.h>
#include <string.h>

#include "traces.h"

struct source {
	struct otst *o;
	struct otst_traces *traces;
	struct otst_probes probes;
};

/* the jprobe whose function the registers belong to: their pc is after its breakpoint */
static const struct otst_probe *find_jprobe(const struct source *s, uint64_t ip)
{
	for (size_t i = 0; i < s->probes.count; i++) {
		const struct otst_probe *p = s->probes.items[i];

		if (p->kind == OTST_PROBE_JPROBE && ip - p->addr <= 1)
			return p;
	}
	return NULL;
}

/* like the kernel's MIN_STACK_SIZE: not beyond the end of the task's stack */
static size_t stack_bytes(struct otst *o, const struct otst_ctlblk *b)
{
	uint64_t size = otst_thread_size(o), rest = size ? size - b->saved_sp % size : UINT64_MAX;

	return b->stack_len < rest ? b->stack_len : (size_t)rest;
}

/* where the function was probed, if the probe is gone: after a breakpoint the pc is one more */
static uint64_t probed_address(struct otst *o, uint64_t ip)
{
	struct otst_sym sym;

	otst_symbolize(o, ip - 1, &sym);
	return sym.name && sym.addr == ip - 1 ? ip - 1 : ip;
}

static void put_frames(struct otst *o, const struct otst_capture *c, struct otst_stack *st)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct otst_frame f = {
		.pc = c->regs[arch->reg.pc], .how = OTST_HOW_GIVEN, .reliable = true, .exact = true
	};

	otst_stack_zero(st);
	otst_stack_put_frame(st, &f);
	f.exact = false;
	if (arch->reg.ra != OTST_NO_REG) {
		f.pc = c->regs[arch->reg.ra];
		otst_stack_put_frame(st, &f);
	} else if (c->nr_pieces && c->pieces->len >= 8) {
		f.pc = otst_get(o, c->pieces->bytes, 8);
		f.slot = c->pieces->base;
		otst_stack_put_frame(st, &f);
	}
	st->end = OTST_END_CUT;
	st->why = "of the stack only these bytes were saved";
}

/* for a live jprobe, the task's stack can be unwound; for others, two frames are known */
static int fill_stack(struct source *s, bool live, const struct otst_capture *c,
		      struct otst_trace *t)
{
	struct otst_stack *st = otst_stack_create(s->o, 0);
	struct otst_capture now = *c;
	int err = OTST_ERR_LOOKUP;

	if (!st)
		return otst_no_memory(s->o);
	t->stack = st;
	now.nr_pieces = 0;
	if (live)
		err = otst_stack_unwind(s->o, &now, st);
	if (err && otst_fatal(err))
		return err;
	if (err || st->count < 2 || !st->frames[1].reliable)
		put_frames(s->o, c, st);
	return 0;
}

static const char *jprobe_headline(struct otst *o, bool live, const struct otst_probe *p,
				   const struct otst_ctlblk *b)
{
	const char *status = otst_ctlblk_status(b->status);

	if (live)
		return otst_format(o, "the jprobe's handler is running, status %s",
				   status ? status : "unknown");
	return otst_format(o, "left over from the last jprobe on this cpu%s",
			   p ? "" : ", which is not registered any more");
}

static int fill_capture(struct source *s, const struct otst_ctlblk *b, struct otst_trace *t,
			struct otst_capture **ret)
{
	struct otst_capture *c = otst_new(s->o, sizeof(*c));
	struct otst_piece *piece = otst_new(s->o, sizeof(*piece));

	memcpy(c->regs, b->regs, sizeof(c->regs));
	c->regs[otst_kernel(s->o)->arch->reg.pc] = t->probe_addr;
	c->full = true;
	c->cpu = t->cpu;
	*piece = (struct otst_piece){ b->saved_sp, b->stack, stack_bytes(s->o, b) };
	c->pieces = piece;
	c->nr_pieces = 1;
	t->capture = c;
	t->regs_matter = true;
	*ret = c;
	return otst_trace_regs(s->o, t, t->probe_addr, c);
}

static int add_jprobe_trace(struct source *s, unsigned int cpu, const struct otst_ctlblk *b)
{
	uint64_t pc = b->regs[otst_kernel(s->o)->arch->reg.pc];
	const struct otst_probe *p = find_jprobe(s, pc);
	const struct otst_probe *now = otst_ctlblk_probe(&s->probes, b);
	bool live = now && now->kind == OTST_PROBE_JPROBE && now->addr == (p ? p->addr : 0);
	struct otst_trace *t = otst_trace_add(s->traces, OTST_SOURCE_JPROBE);
	struct otst_capture *c = NULL;
	struct otst_task task;
	int err;

	p = live ? now : p;
	t->seq = cpu;
	t->cpu = (int)cpu;
	t->where = otst_format(s->o, "kprobe_ctlblk 0x%" PRIx64, b->addr);
	t->headline = jprobe_headline(s->o, live, p, b);
	if (p) {
		t->probe = p->symbol_name ? p->symbol_name : p->sym.name;
		t->handler = otst_trace_handler(p);
	}
	t->probe_addr = p ? p->addr : probed_address(s->o, pc);
	err = fill_capture(s, b, t, &c);
	if (!err && live && otst_task_current(s->o, cpu)) {
		c->task = otst_task_current(s->o, cpu);
		err = otst_task_read(s->o, c->task, &task);
		t->pid = err ? -1 : (int64_t)task.pid;
		t->comm = err ? NULL : task.comm;
		err = err && otst_fatal(err) ? err : 0;
	}
	if (!err && !otst_is_kernel_pointer(s->o, b->saved_sp))
		t->error = "its saved stack pointer is none of the kernel";
	return err ? err : fill_stack(s, live, c, t);
}

static bool was_used(struct otst *o, const struct otst_ctlblk *b)
{
	return b->has_jprobe && b->regs[otst_kernel(o)->arch->reg.pc];
}

int otst_source_jprobe(struct otst *o, const struct otst_trace_filter *filter,
		       struct otst_traces *ret)
{
	struct source s = { .o = o, .traces = ret };
	struct otst_ctlblk b;
	int err;

	(void)filter;
	if (!otst_has_symbol(o, "kprobe_ctlblk") ||
	    !otst_has_member(o, "kprobe_ctlblk", "jprobe_saved_regs"))
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel has no jprobes");
	/* first of all, a jprobe saves registers */
	if (!otst_kernel(o)->arch->reg.count)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "registers of this architecture are not known");
	err = otst_kprobes(o, &s.probes);
	for (unsigned int cpu = 0; cpu < otst_kernel(o)->nr_cpus && !err; cpu++) {
		err = otst_ctlblk(o, cpu, &b);
		if (err)
			err = otst_traces_note(ret, err);
		else if (was_used(o, &b))
			err = add_jprobe_trace(&s, cpu, &b);
	}
	return err;
}
