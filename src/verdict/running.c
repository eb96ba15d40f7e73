// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * running.c - cpus that ran inside a hook when somebody asked for the crash, or a
 * watchdog did, because the machine hung. Busy hooks run often, so a cpu that has
 * been there for only a moment proves nothing: the scheduler knows since when the task
 * has had the cpu (struct sched_info of include/linux/sched.h).
 */
#include <inttypes.h>

#include "evidence.h"

#define SECOND UINT64_C(1000000000)

bool otst_may_hang(enum otst_death death)
{
	return death == OTST_DEATH_ASKED || death == OTST_DEATH_SOFT_LOCKUP ||
	       death == OTST_DEATH_HARD_LOCKUP || death == OTST_DEATH_HUNG_TASK;
}

/* true if @frame is in code that waits for a lock or for other cpus without giving the cpu away */
static bool is_spinning(const struct otst_verdict_frame *frame)
{
	static const char *const names[] = { "native_queued_spin_lock_slowpath",
					     "queued_spin_lock_slowpath",
					     "__pv_queued_spin_lock_slowpath",
					     "queued_read_lock_slowpath",
					     "queued_write_lock_slowpath",
					     "_raw_spin_lock",
					     "_raw_spin_lock_irq",
					     "_raw_spin_lock_irqsave",
					     "_raw_spin_lock_bh",
					     "mutex_spin_on_owner",
					     "rwsem_spin_on_owner",
					     NULL };

	return otst_waits_for_cpus(&frame->sym) || otst_sym_is_one_of(&frame->sym, names);
}

/* does the code that the hook frame @hook called wait; what interrupts do is not its doing */
static bool waits_inside(const struct otst_verdict_stack *s, size_t hook)
{
	size_t i = hook;

	while (i-- && !s->frames[i + 1].frame.exact) {
		if (s->frames[i].frame.reliable && is_spinning(&s->frames[i]))
			return true;
	}
	return false;
}

/* the innermost frame of a hook's own code; the kernel's code around it runs too often to tell */
static size_t own_code(const struct otst_finder *f, const struct otst_verdict_stack *s)
{
	size_t i;

	for (i = 0; i < s->nr_frames; i++) {
		if (s->frames[i].frame.reliable && otst_role_is_hook(s->frames[i].role) &&
		    s->frames[i].role != OTST_ROLE_TRAMPOLINE && !otst_awaits_original(f, s, i))
			break;
	}
	return i;
}

/* how long @task has had its cpu without a switch, in ns; false when unknown */
static bool read_stay(struct otst_finder *f, const struct otst_task *task, uint64_t *ret)
{
	const struct otst_report *r = &f->v->report;
	const struct otst_member *info;
	uint64_t since;
	int err;

	/* the idle task does not arrive */
	if (task->idle || !r->has_time || otst_member(f->o, "task_struct", "sched_info", &info))
		return false;
	err = otst_read_member(f->o, "sched_info", task->addr + info->offset, "last_arrival",
			       &since);
	if (err && err != OTST_ERR_LOOKUP)
		otst_note(f->o, &f->v->errors,
			  otst_fail(f->o, err, "when PID %" PRIu64 " got its cpu", task->pid));
	if (err || !since || since > r->time)
		return false;
	*ret = r->time - since;
	return true;
}

void otst_judge_running(struct otst_finder *f, struct otst_verdict_stack *s)
{
	const char *who = otst_format(f->o, "%s (PID %" PRIu64 ")",
				      s->task->comm ? s->task->comm : "?", s->task->pid);
	/* for these, the log names the cpu that is stuck: another one is at most what it waits for */
	bool named = f->v->report.death == OTST_DEATH_SOFT_LOCKUP ||
		     f->v->report.death == OTST_DEATH_HARD_LOCKUP;
	size_t i = own_code(f, s);
	const struct otst_verdict_frame *frame = &s->frames[i];
	enum otst_rank rank = OTST_RANK_D;
	const char *text, *where;
	uint64_t stay = 0;
	bool known;

	if (i == s->nr_frames || !otst_may_hang(f->v->report.death))
		return;
	where = otst_format(f->o, "inside %s, %s", otst_evidence_name(f->o, frame), frame->what);
	known = read_stay(f, s->task, &stay);
	if (known && stay < SECOND) {
		otst_note_text(f->o, &f->v->notes,
			       otst_format(f->o,
					   "%s has had cpu %u for less than a second, and is %s",
					   who, s->task->cpu, where));
		return;
	}
	s->inside = true;
	if (waits_inside(s, i)) {
		text = otst_format(f->o, "%s waits on cpu %u %s", who, s->task->cpu, where);
	} else if (known) {
		rank = named ? OTST_RANK_D : OTST_RANK_C;
		text = otst_format(f->o, "%s has had cpu %u for %" PRIu64 " s, and is %s", who,
				   s->task->cpu, stay / SECOND, where);
	} else {
		text = otst_format(f->o, "%s ran on cpu %u %s", who, s->task->cpu, where);
	}
	otst_verdict_add(f, rank, text, otst_evidence_owner(f->o, frame),
			 otst_evidence_command(f->o, frame));
}
