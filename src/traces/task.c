// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * task.c - trace source "task": tasks that are inside a probe's handler now.
 * Every task's stack is unwound. A task is one of these if a frame lies in a
 * handler of a kprobe or of an ftrace_ops, or in the code that calls handlers
 * (kernel/kprobes.c, kernel/trace/rethook.c). The cpu's current_kprobe tells
 * which probe it is, or else the probed function further out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "../ftrace/ftrace.h"
#include "traces.h"

/* code around the handlers: a task in it is inside a probe, but it is not a handler itself */
static const char *const glue[] = {
	"aggr_pre_handler",
	"aggr_post_handler",
	"opt_pre_handler",
	"optimized_callback",
	"kprobe_ftrace_handler",
	"kprobe_int3_handler",
	"kprobe_handler",
	"kprobe_post_process",
	"kprobe_breakpoint_handler",
	"kprobe_brk_handler",
	"pre_handler_kretprobe",
	"setjmp_pre_handler",
	"trampoline_handler",
	"trampoline_probe_handler",
	"__kretprobe_trampoline_handler",
	"kretprobe_rethook_handler",
	"rethook_trampoline_handler",
	"arch_rethook_trampoline_callback",
	"fprobe_handler",
	"fprobe_kprobe_handler",
	"fprobe_exit_handler",
	NULL,
};

/*
 * From a pt_regs to where its stack pointer points: on the same stack, or from an
 * interrupt's stack to a task's.
 */
#define MAX_DISTANCE (64u * 1024)

bool otst_runs_handlers(const struct otst_sym *sym)
{
	return otst_sym_is_one_of(sym, glue);
}

/* a function that is on a stack only inside a probe */
struct function {
	uint64_t begin, end;
	const char *name;
	bool is_glue;
	struct otst_sym sym;
};

struct source {
	struct otst *o;
	struct otst_traces *traces;
	struct otst_probes probes;
	struct otst_vec functions; /* of struct function, by address */
	struct otst_stack *stack;
	struct otst_ctlblk block; /* of the running task's cpu, else all 0 */
	struct otst_lost lost;
};

/* ---- functions that tell ---- */

static void add_task_function(struct source *s, uint64_t addr, const char *symbol)
{
	struct otst_sym sym;
	struct function *f;

	if (!addr)
		return;
	otst_symbolize_all(s->o, addr, &sym);
	if (!sym.name || sym.addr != addr || !sym.size)
		return;
	f = otst_vec_push(s->o, &s->functions, sizeof(*f));
	*f = (struct function){
		.begin = addr,
		.end = addr + sym.size,
		.name = symbol ? symbol : sym.name,
		.is_glue = symbol != NULL,
		.sym = sym,
	};
}

/* glue before others, so that a handler that is glue counts as glue */
static int by_begin_of_function(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return y->is_glue - x->is_glue;
}

static void sort_functions(struct source *s)
{
	struct function *f = s->functions.data;
	size_t i, n = 0;

	if (!s->functions.count)
		return;
	otst_sort(f, s->functions.count, sizeof(*f), by_begin_of_function);
	for (i = 0; i < s->functions.count; i++) {
		if (!n || f[n - 1].begin != f[i].begin)
			f[n++] = f[i];
	}
	s->functions.count = n;
}

/* the function that the compiler made the code at @pc out of */
static const struct function *find_whole(const struct source *s, uint64_t pc)
{
	const struct function *f = s->functions.data;
	struct otst_sym sym;

	if (!otst_symbolize_part(s->o, pc, &sym))
		return NULL;
	for (size_t i = 0; i < s->functions.count; i++) {
		if (otst_sym_is_part(&sym, &f[i].sym))
			return &f[i];
	}
	return NULL;
}

static const struct function *find_function(const struct source *s, const struct otst_frame *fr)
{
	const struct function *f = s->functions.data;
	size_t low = 0, high = s->functions.count;
	/* a call may be the last instruction */
	uint64_t pc = otst_frame_code(s->o, fr->pc, fr->exact);

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pc < f[mid].begin)
			high = mid;
		else if (pc >= f[mid].end)
			low = mid + 1;
		else
			return &f[mid];
	}
	return find_whole(s, pc);
}

static void add_kprobes(struct source *s)
{
	for (size_t i = 0; i < s->probes.count; i++) {
		const struct otst_probe *p = s->probes.items[i];

		for (size_t k = 0; k < p->nr_handlers; k++)
			add_task_function(s, p->handlers[k].addr, NULL);
	}
	for (size_t i = 0; glue[i]; i++)
		add_task_function(s, otst_symbol_or0(s->o, glue[i]), glue[i]);
}

static void add_ftrace(struct source *s, const struct otst_ftrace_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct otst_ftrace_ops *ops = list->items[i];

		add_task_function(s, ops->func, NULL);
		add_task_function(s, ops->saved_func, NULL);
		add_task_function(s, ops->entry, NULL);
		add_task_function(s, ops->ret, NULL);
	}
}

/* LOOKUP when the kernel has neither kprobes nor ftrace */
static int read_functions(struct source *s)
{
	struct otst_ftrace_list list = { 0 };
	int err = otst_kprobes(s->o, &s->probes), err2;

	if (err && otst_fatal(err))
		return err;
	err2 = otst_ftrace_ops_list(s->o, false, &list);
	if (err2 && (err || otst_fatal(err2)))
		return err2;
	add_kprobes(s);
	add_ftrace(s, &list);
	sort_functions(s);
	return 0;
}

/* ---- which probe ---- */

static bool has_handler(const struct otst_probe *p, const struct function *f)
{
	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		if (p->handlers[i].addr == f->begin)
			return true;
	}
	return false;
}

/* for an aggregate, current_kprobe is the aggregate, and kprobe_instance the one at work */
static bool is_current(const struct source *s, const struct otst_probe *p)
{
	if (!s->block.current)
		return false;
	if (s->block.instance && s->block.current == p->node)
		return p->record == s->block.instance;
	return s->block.current == p->record || s->block.current == p->node;
}

static bool lies_in(struct otst *o, const struct otst_frame *f, const struct otst_probe *p)
{
	struct otst_sym sym;

	if (!p->sym.name)
		return false;
	if (p->sym.size && f->pc - !f->exact - p->sym.addr < p->sym.size)
		return true;
	otst_symbolize_all(o, f->pc - !f->exact, &sym);
	return otst_sym_is_part(&sym, &p->sym);
}

/*
 * What the kernel itself says comes first; else the first function further out that
 * contains one of the handler's probes; else the only probe that has this handler.
 */
static const struct otst_probe *find_task_probe(const struct source *s, const struct function *f,
						size_t at)
{
	const struct otst_probe *only = NULL;
	size_t i, k, n = 0;

	for (i = 0; i < s->probes.count; i++) {
		const struct otst_probe *p = s->probes.items[i];

		if (is_current(s, p) && (f->is_glue || has_handler(p, f)))
			return p;
		if (has_handler(p, f)) {
			only = p;
			n++;
		}
	}
	for (k = at + 1; k < s->stack->count && n > 1; k++) {
		for (i = 0; i < s->probes.count; i++) {
			if (has_handler(s->probes.items[i], f) &&
			    lies_in(s->o, &s->stack->frames[k], s->probes.items[i]))
				return s->probes.items[i];
		}
	}
	return n == 1 ? only : NULL;
}

/* ---- registers of the probed function ---- */

/* is the pc at the probe, or after its breakpoint, and the stack pointer further out */
static bool is_regs(const struct otst_arch *arch, const struct otst_probe *p, uint64_t at,
		    const uint64_t *regs)
{
	return arch->reg.count && regs[arch->reg.pc] - p->addr <= 1 && regs[arch->reg.sp] > at &&
	       regs[arch->reg.sp] - at < MAX_DISTANCE;
}

/*
 * The code of breakpoints, of optimized probes and of ftrace each has a pt_regs on the
 * stack when it calls on: where a frame says so, or at its stack pointer.
 */
static bool find_regs(struct source *s, size_t from, const struct otst_probe *p, uint64_t *ret)
{
	const struct otst_stack *st = s->stack;
	uint64_t at[2];

	for (size_t i = from; i < st->count; i++) {
		at[0] = st->frames[i].regs;
		at[1] = st->frames[i].sp;
		for (size_t k = 0; k < 2; k++) {
			if (at[k] && !otst_regs_read(s->o, at[k], ret) &&
			    is_regs(otst_kernel(s->o)->arch, p, at[k], ret))
				return true;
		}
	}
	return false;
}

/* a jprobe's entry does not return to its caller: the cpu keeps the registers of its function */
static bool jprobe_regs(const struct source *s, const struct otst_probe *p, uint64_t *ret)
{
	unsigned int pc = otst_kernel(s->o)->arch->reg.pc;

	if (p->kind != OTST_PROBE_JPROBE || !is_current(s, p) || !s->block.has_jprobe ||
	    s->block.regs[pc] - p->addr > 1)
		return false;
	memcpy(ret, s->block.regs, sizeof(s->block.regs));
	ret[pc] = p->addr;
	return true;
}

static int add_regs(struct source *s, size_t from, const struct otst_probe *p, struct otst_trace *t)
{
	struct otst_capture *c = otst_new(s->o, sizeof(*c));

	if (!find_regs(s, from, p, c->regs) && !jprobe_regs(s, p, c->regs))
		return 0;
	c->full = true;
	t->regs_matter = true;
	return otst_trace_regs(s->o, t, p->addr, c);
}

/* ---- one task ---- */

/* the innermost handler; the innermost glue when there is none */
static const struct function *find_inside(const struct source *s, size_t *ret)
{
	const struct function *found = NULL, *f;

	for (size_t i = 0; i < s->stack->count; i++) {
		if (!s->stack->frames[i].reliable)
			continue;
		f = find_function(s, &s->stack->frames[i]);
		if (f && (!found || !f->is_glue)) {
			found = f;
			*ret = i;
		}
		if (f && !f->is_glue)
			break;
	}
	return found;
}

static const char *task_headline(struct otst *o, const struct function *f,
				 const struct otst_probe *p)
{
	const struct otst_owner *w = p ? &p->owner : NULL;
	const char *s = otst_format(
		o, f->is_glue ? "inside %s, which calls handlers" : "inside the handler %s",
		f->name);

	if (p && p->sym.name)
		s = otst_format(o, "%s: %s at %s", s, otst_probe_kind(p->kind)->name,
				otst_sym_format(o, p->addr, &p->sym,
						OTST_SYM_OFFSET | OTST_SYM_MODULE));
	if (w && w->kind != OTST_OWNER_UNKNOWN)
		return otst_format(o, "%s, %s %s", s, otst_owner_kind_name(w->kind),
				   w->name ? w->name : "?");
	return s;
}

static int add_task_trace(struct source *s, const struct otst_task *task, bool runs, size_t seq,
			  const struct function *f, size_t at, const struct otst_probe *p)
{
	struct otst_trace *t = otst_trace_add(s->traces, OTST_SOURCE_TASK);
	struct otst_stack *st = otst_stack_create(s->o, s->stack->count + 1);

	if (!st)
		return otst_no_memory(s->o);
	otst_stack_copy(s->stack, st);
	t->stack = st;
	t->seq = seq;
	t->where = otst_format(s->o, "task 0x%" PRIx64, task->addr);
	t->pid = (int64_t)task->pid;
	t->comm = task->comm;
	t->cpu = runs ? (int)task->cpu : -1;
	t->handler = f->name;
	t->headline = task_headline(s->o, f, p);
	if (p) {
		t->probe = p->symbol_name ? p->symbol_name : p->sym.name;
		t->probe_addr = p->addr;
		return add_regs(s, at, p, t);
	}
	return 0;
}

/*
 * The jprobe that the task's cpu is handling. Its entry may have jumped on to another
 * function, and the stack, which is that of its probed function, may not be known.
 */
static const struct otst_probe *find_jprobe_frame(struct source *s, const struct otst_task *task,
						  struct function *ret)
{
	const struct otst_probe *p = otst_ctlblk_probe(&s->probes, &s->block);
	struct otst_capture c = { .full = true, .task = task->addr, .cpu = (int)task->cpu };
	const char *name;

	if (!p || p->kind != OTST_PROBE_JPROBE)
		return NULL;
	name = otst_trace_handler(p);
	*ret = (struct function){ .name = name ? name : "of a jprobe" };
	if (!s->stack->count && jprobe_regs(s, p, c.regs) && otst_stack_unwind(s->o, &c, s->stack))
		otst_stack_zero(s->stack);
	return p;
}

static int search_task(struct source *s, const struct otst_task *task, size_t seq)
{
	bool runs = task->current || task->on_cpu;
	struct otst_lost lost = s->lost;
	const struct otst_probe *p;
	const struct function *f;
	struct function entry;
	size_t at = 0;
	int err = otst_stack_save_any(s->o, task, s->stack, &s->lost);

	if (err)
		return err;
	s->block = (struct otst_ctlblk){ 0 };
	/* current and instance are known even where the rest is not */
	if (runs && task->cpu < otst_kernel(s->o)->nr_cpus)
		err = otst_ctlblk(s->o, task->cpu, &s->block);
	if (err && otst_fatal(err))
		return err;
	f = find_inside(s, &at);
	if (f)
		return add_task_trace(s, task, runs, seq, f, at, find_task_probe(s, f, at));
	if (err)
		err = otst_traces_note(s->traces, err);
	p = err ? NULL : find_jprobe_frame(s, task, &entry);
	if (!p) {
		if (!err)
			otst_lost_end(s->o, s->stack, &s->lost);
		return err;
	}
	s->lost = lost;
	return add_task_trace(s, task, runs, seq, &entry, at, p);
}

/* a task inside a handler that is not known goes unnoticed */
static void note_unread_task(struct source *s)
{
	const char *why = s->probes.errors.count ? s->probes.errors.texts[0] : NULL;

	for (size_t i = 0; i < s->probes.count && !why; i++) {
		const struct otst_probe *p = s->probes.items[i];

		if (p->error)
			why = otst_record_damage(s->o, p->place, p->record, p->error);
	}
	if (!why)
		return;
	otst_note_text(s->o, &s->traces->errors,
		       otst_format(s->o,
				   "tasks may be inside handlers of probes that cannot be read: %s",
				   why));
}

int otst_source_task(struct otst *o, const struct otst_trace_filter *filter,
		     struct otst_traces *ret)
{
	struct source s = { .o = o, .traces = ret };
	const struct otst_tasks *tasks;
	int err;

	(void)filter;
	err = read_functions(&s);
	if (err)
		return err;
	s.stack = otst_stack_create(o, 0);
	if (!s.stack)
		return otst_no_memory(o);
	err = otst_tasks(o, &tasks);
	if (err)
		return err;
	for (size_t i = 0; i < tasks->count && !err; i++) {
		err = otst_check(o);
		err = err ?: search_task(&s, tasks->items[i], i);
	}
	if (err)
		return err;
	note_unread_task(&s);
	otst_lost_note(o, &s.lost, "inside a handler", &ret->notes);
	otst_notes(o, &ret->errors, &tasks->errors);
	return 0;
}
