/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * Capturing: a kprobe's handler fills one record of a ring. It may run in any
 * context, even in an NMI: no locks, no allocation, nothing that sleeps.
 * Included once by each module.
 */
#ifndef OTST_CAPTURE_H
#define OTST_CAPTURE_H

#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>

/* stack_trace_save_regs() is not exported; x86 exports its unwinder. */
#if defined(CONFIG_X86) && \
	(defined(CONFIG_UNWINDER_ORC) || defined(CONFIG_ORC_UNWINDER))
#define OTST_HAS_UNWINDER 1
#include <asm/unwind.h>
#endif

#include "otst_registry.h"

static bool defer = true;
module_param(defer, bool, 0644);
MODULE_PARM_DESC(
	defer,
	"print from a work item what is hit with interrupts off (default on)");

/* ---- context of the probed function -------------------------------------- */

static bool otst_irqs_were_off(struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return !(regs->flags & X86_EFLAGS_IF);
#elif defined(CONFIG_ARM64)
	return !interrupts_enabled(regs);
#else
	return irqs_disabled();
#endif
}

/*
 * x86 runs the handlers of a breakpoint like those of an NMI, and counts one
 * NMI and one hard interrupt for it. A probe on ftrace is simply called.
 */
static u32 otst_context(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned int hard = hardirq_count() >> HARDIRQ_SHIFT;
	unsigned int nmi = (preempt_count() & NMI_MASK) >> NMI_SHIFT;
	u32 flags = 0;

#ifdef CONFIG_X86
	if (nmi && !kprobe_ftrace(kp)) {
		nmi--;
		hard -= !!hard;
	}
#endif
	/* Entering an NMI also counts as a hard interrupt. */
	if (nmi)
		flags |= OTST_REC_IN_NMI;
	if (hard > nmi)
		flags |= OTST_REC_IN_HARDIRQ;
	if (in_serving_softirq())
		flags |= OTST_REC_IN_SOFTIRQ;
	if (otst_irqs_were_off(regs))
		flags |= OTST_REC_IRQS_OFF;
	return flags;
}

/* ---- raw stacks ----------------------------------------------------------- */

/* Append [from, end) of a stack to the raw bytes of the record. */
static void otst_add_segment(struct otst_rec_record *rec, unsigned long from,
			     unsigned long end, u32 type)
{
	u8 *room = (u8 *)rec + otst_layout.raw + rec->raw_used;
	struct otst_rec_segment *seg;
	size_t size, done = 0;

	from = ALIGN(from, sizeof(u64));
	if (rec->nr_segments >= OTST_REC_MAX_SEGMENTS || from >= end)
		return;
	size = min_t(size_t, end - from, raw - rec->raw_used);
	size = ALIGN_DOWN(size, sizeof(u64));
	seg = &rec->segment[rec->nr_segments++];
	seg->address = from;
	seg->end = end;
	seg->offset = rec->raw_used;
	seg->type = type;
	seg->flags = size == end - from ? OTST_REC_SEG_WHOLE : 0;
	/* In pieces: a missing page costs one piece. */
	while (done < size) {
		size_t n = min_t(size_t, size - done, 256);

		if (copy_from_kernel_nofault(room + done, (void *)(from + done),
					     n)) {
			seg->flags = OTST_REC_SEG_FAULT;
			break;
		}
		done += n;
	}
	seg->size = done;
	rec->raw_used += done;
}

static bool otst_on_task_stack(unsigned long addr, unsigned long *end)
{
	unsigned long begin = (unsigned long)task_stack_page(current);

	*end = begin + THREAD_SIZE;
	return addr >= begin && addr < *end;
}

/* ---- frames ---------------------------------------------------------------- */

static u64 *otst_frames(struct otst_rec_record *rec)
{
	return (void *)rec + otst_layout.frames;
}

#ifdef OTST_HAS_UNWINDER

/* False when there is no more room. */
static bool otst_add_frame(struct otst_rec_record *rec, unsigned long pc)
{
	if (rec->nr_frames >= depth) {
		if (depth)
			rec->flags |= OTST_REC_CUT;
		return false;
	}
	otst_frames(rec)[rec->nr_frames++] = pc;
	return true;
}

/* The stacks that one walk went over, innermost first. */
struct otst_stacks {
	unsigned int nr;
	bool want;
	struct {
		unsigned long from, end;
		u32 type;
	} stack[OTST_REC_MAX_SEGMENTS];
};

static void otst_add_stack(struct otst_stacks *s, unsigned long from,
			   unsigned long end, u32 type)
{
	if (s->nr && s->stack[s->nr - 1].end == end)
		return;
	if (s->nr >= OTST_REC_MAX_SEGMENTS)
		return;
	s->stack[s->nr].from = from;
	s->stack[s->nr].end = end;
	s->stack[s->nr].type = type;
	s->nr++;
}

/*
 * Note the stack that the walk is on now; prev is the one before the last step.
 * A stack says where the one below it was left: the bytes are copied from
 * there, not from where the first frame found there happens to be.
 */
static void otst_note_stack(struct otst_stacks *s,
			    const struct stack_info *prev,
			    const struct stack_info *now, unsigned long sp)
{
	unsigned long begin = (unsigned long)now->begin;
	unsigned long end = (unsigned long)now->end;
	unsigned long next = (unsigned long)prev->next_sp;

	if (now->type == STACK_TYPE_UNKNOWN)
		return;
	if (next >= begin && next < end)
		sp = next;
	otst_add_stack(s, sp, end, now->type);
}

/*
 * Note the stack of sp when the first step of the walk has already left it.
 * Then the function was called at the very top of that stack (an interrupt
 * stack, say). The stack ends with the page, and its last word links to the
 * previous stack.
 */
static void otst_note_left_stack(struct otst_stacks *s, unsigned long sp,
				 struct stack_info *prev)
{
	unsigned long end = PAGE_ALIGN(sp + 1);
	unsigned long *link = (unsigned long *)end - 1;

	otst_add_stack(s, sp, end, 0);
	if (copy_from_kernel_nofault(&prev->next_sp, link, sizeof(*link)))
		prev->next_sp = NULL;
}

static void otst_walk(struct otst_rec_record *rec, struct pt_regs *regs,
		      struct otst_stacks *stacks)
{
	unsigned long sp = kernel_stack_pointer(regs), end;
	struct stack_info prev = { .type = STACK_TYPE_UNKNOWN };
	struct unwind_state state;
	struct pt_regs at = *regs;
	unsigned long pc;
	bool more;

	/* Use the unwind table of the replaced instruction, not of the next. */
	instruction_pointer_set(&at, rec->pc);
	more = otst_add_frame(rec, rec->pc);
	unwind_start(&state, current, &at, NULL);
	if (otst_on_task_stack(sp, &end))
		otst_add_stack(stacks, sp, end, STACK_TYPE_TASK);
	else if (unwind_done(&state) ||
		 sp < (unsigned long)state.stack_info.begin ||
		 sp >= (unsigned long)state.stack_info.end)
		otst_note_left_stack(stacks, sp, &prev);

	for (; !unwind_done(&state); unwind_next_frame(&state)) {
		if (stacks->want)
			otst_note_stack(stacks, &prev, &state.stack_info,
					stacks->nr ? state.sp : sp);
		prev = state.stack_info;
		pc = unwind_get_return_address(&state);
		if (!pc)
			break;
		if (more)
			more = otst_add_frame(rec, pc);
		if (!more && !stacks->want)
			break;
	}
	if (unwind_error(&state))
		rec->flags |= OTST_REC_UNWIND_ERROR;
	/* If the unwinder gave up on an interrupt stack, follow the link. */
	sp = (unsigned long)prev.next_sp;
	if (stacks->want && otst_on_task_stack(sp, &end))
		otst_add_stack(stacks, sp, end, STACK_TYPE_TASK);
}

static void otst_capture_stack(struct otst_rec_record *rec,
			       struct pt_regs *regs)
{
	unsigned long sp = kernel_stack_pointer(regs), end;
	struct otst_stacks stacks = { .want = raw };
	unsigned int i;

	if (!depth && otst_on_task_stack(sp, &end)) {
		otst_add_segment(rec, sp, end, STACK_TYPE_TASK);
		return;
	}
	otst_walk(rec, regs, &stacks);
	for (i = 0; raw && i < stacks.nr; i++)
		otst_add_segment(rec, stacks.stack[i].from, stacks.stack[i].end,
				 stacks.stack[i].type);
}

#else /* !OTST_HAS_UNWINDER */

/* Save from here on, then drop the frames of the probe's own machinery. */
static void otst_save_frames(struct otst_rec_record *rec)
{
	u64 *frames = otst_frames(rec);
	unsigned long *saved = (unsigned long *)frames;
	unsigned int n = 0, i;

#ifdef CONFIG_STACKTRACE
	n = stack_trace_save(saved, depth, 0);
#endif
	for (i = n; i--;) /* 32-bit entries are widened in place */
		frames[i] = saved[i];
	for (i = 0; i < n && frames[i] != rec->pc; i++)
		;
	if (i < n) {
		n -= i;
		memmove(frames, frames + i, n * sizeof(*frames));
	}
	rec->nr_frames = n;
	if (n + (i < n ? i : 0) == depth)
		rec->flags |= OTST_REC_CUT;
}

/* Where the task stack was left if the function runs on another; 0: unknown. */
static unsigned long otst_left_at(struct pt_regs *regs, unsigned long *end)
{
#ifdef CONFIG_ARM64
	/* frame records: each starts with the address of the previous one */
	unsigned long at = regs->regs[29], fp;
	unsigned int n;

	for (n = 0; n < 64 && at; n++, at = fp) {
		if (otst_on_task_stack(at, end))
			return at;
		if (copy_from_kernel_nofault(&fp, (void *)at, sizeof(fp)))
			break;
#ifdef FRAME_META_TYPE_PT_REGS
		/*
		 * Since Linux c2c6b27b5aa1 ("arm64: stacktrace: unwind
		 * exception boundaries") (v6.13) the record in pt_regs is empty.
		 */
		regs = (void *)(at - offsetof(struct pt_regs, stackframe));
		if (!fp &&
		    copy_from_kernel_nofault(&fp, &regs->regs[29], sizeof(fp)))
			break;
#endif
	}
#endif
	return 0;
}

static void otst_capture_stack(struct otst_rec_record *rec,
			       struct pt_regs *regs)
{
	unsigned long sp = kernel_stack_pointer(regs), end;

	if (depth)
		otst_save_frames(rec);
	if (!raw)
		return;
	if (otst_on_task_stack(sp, &end)) {
		otst_add_segment(rec, sp, end, 0);
		return;
	}
	otst_add_segment(rec, sp, ALIGN(sp + 1, THREAD_SIZE), 0);
	sp = otst_left_at(regs, &end);
	if (sp)
		otst_add_segment(rec, sp, end, 0);
}

#endif /* OTST_HAS_UNWINDER */

/* ---- records ---------------------------------------------------------------- */

/*
 * Reserve the record of the next capture. NULL: another cpu (or the code that
 * was interrupted here) is still writing to it, or has overtaken us.
 */
static struct otst_rec_record *otst_reserve(struct otst_rec_probe *p)
{
	u64 seq = atomic64_inc_return(&p->captures);
	struct otst_rec_record *rec;
	u64 old;
	u32 slot;

	div_u64_rem(seq - 1, p->nr_records, &slot);
	rec = otst_record(p, slot);
	old = READ_ONCE(rec->end);
	if (READ_ONCE(rec->begin) != old || old >= seq ||
	    cmpxchg64(&rec->begin, old, seq) != old) {
		atomic64_inc(&p->dropped);
		return NULL;
	}
	return rec;
}

/**
 * otst_capture() - fill the next record of a probe
 *
 * Context: any in which a kprobe's handler may run.
 * Return: the record, or NULL if none could be reserved. It may be overwritten
 * as soon as this has returned.
 */
static struct otst_rec_record *otst_capture(struct otst_slot *slot,
					    struct pt_regs *regs, u32 flags)
{
	struct otst_rec_probe *p = &slot->rec;
	struct otst_rec_record *rec = otst_reserve(p);
	u64 seq;

	if (!rec)
		return NULL;
	seq = rec->begin;
	rec->time = local_clock();
	rec->pc = (unsigned long)slot->kp.addr;
	rec->task = (unsigned long)current;
	rec->cpu = raw_smp_processor_id();
	rec->preempt_count = preempt_count();
	rec->pid = current->pid;
	rec->tgid = current->tgid;
	rec->flags = flags;
	rec->nr_frames = 0;
	rec->nr_segments = 0;
	rec->raw_used = 0;
	/* get_task_comm() may take a lock. */
	memcpy(rec->comm, current->comm, sizeof(rec->comm));
	memcpy((void *)rec + otst_layout.regs, regs, sizeof(*regs));
	otst_capture_stack(rec, regs);
	/* Pairs with the readers' check of begin and end. */
	smp_store_release(&rec->end, seq);
	return rec;
}

/* ---- printing, when the handler must not ------------------------------------ */

/*
 * printk() wakes up the log's readers, which takes the locks of the scheduler
 * and of the console: a function that is called with one of these held would
 * never return. All of them are taken with interrupts off. Under a breakpoint,
 * which counts as an NMI, printk() handles this by itself.
 */
static bool otst_print_later(struct pt_regs *regs)
{
	return defer && !in_nmi() && otst_irqs_were_off(regs);
}

static void otst_print_record(struct otst_rec_record *rec)
{
	u64 sec = rec->time;
	u32 nsec = do_div(sec, NSEC_PER_SEC);
	u64 *frames = otst_frames(rec);
	u32 i;

	printk(KERN_DEFAULT "CPU: %u PID: %d Comm: %.16s at %llu.%06u\n",
	       rec->cpu, rec->pid, rec->comm, sec, nsec / 1000);
	printk(KERN_DEFAULT "Call Trace:\n");
	/* The address after a call may belong to the next function. */
	if (rec->nr_frames)
		printk(KERN_DEFAULT " %pS\n", (void *)(unsigned long)frames[0]);
	for (i = 1; i < rec->nr_frames; i++)
		printk(KERN_DEFAULT " %pB\n", (void *)(unsigned long)frames[i]);
	if (!rec->nr_frames)
		printk(KERN_DEFAULT " (%u bytes of stack in memory)\n",
		       rec->raw_used);
}

/* Print the records of a probe that wait for it; head() precedes each. */
static void otst_print_waiting(struct otst_rec_probe *p,
			       void (*head)(struct otst_rec_probe *p))
{
	struct otst_rec_record *copy;
	u64 all, seq;
	u32 i;

	if (!p->ring)
		return;
	copy = vmalloc(p->record_size);
	if (!copy)
		return;
	all = atomic64_read(&p->captures);
	seq = all > p->nr_records ? all - p->nr_records : 0;
	for (; seq < all; seq++) {
		struct otst_rec_record *rec;
		u32 flags;

		div_u64_rem(seq, p->nr_records, &i);
		rec = otst_record(p, i);
		/* Pairs with the release in otst_capture(). */
		if (smp_load_acquire(&rec->end) != seq + 1)
			continue;
		flags = READ_ONCE(rec->flags);
		if (!(flags & OTST_REC_PRINT_LATER))
			continue;
		memcpy(copy, rec, p->record_size);
		smp_rmb(); /* the copy before the check of begin */
		if (READ_ONCE(rec->begin) != seq + 1)
			continue;
		cmpxchg(&rec->flags, flags, flags & ~OTST_REC_PRINT_LATER);
		head(p);
		otst_print_record(copy);
	}
	vfree(copy);
}

#endif /* OTST_CAPTURE_H */
