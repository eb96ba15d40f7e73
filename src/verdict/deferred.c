// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * deferred.c - code of a module that owns hooks which was put off until later: work items,
 * timers, RCU callbacks, tasklets, notifiers. Its stack does not show who asked for it; the
 * kernel records that for KASAN's reports alone.
 */
#include <inttypes.h>
#include <string.h>

#include "evidence.h"

#define NAME_SIZE 64u /* WQ_NAME_LEN is less */

/* kernel functions that call what was put off, and what that is */
static const struct runner {
	const char *function;
	const char *what;
} runners[] = {
	{ "process_one_work", "work item" },
	{ "call_timer_fn", "timer" },
	{ "expire_timers", "timer" },
	{ "__run_timers", "timer" },
	{ "run_timer_softirq", "timer" },
	{ "__hrtimer_run_queues", "high-resolution timer" },
	{ "__run_hrtimer", "high-resolution timer" },
	{ "rcu_do_batch", "RCU callback" },
	{ "srcu_invoke_callbacks", "RCU callback" },
	{ "rcu_tasks_invoke_cbs", "RCU callback" },
	{ "tasklet_action_common", "tasklet" },
	{ "tasklet_action", "tasklet" },
	{ "tasklet_hi_action", "tasklet" },
	{ "irq_work_single", "irq_work" },
	{ "irq_work_run_list", "irq_work" },
	{ "notifier_call_chain", "notifier" },
	{ "task_work_run", "task work" },
	{ "__flush_smp_call_function_queue", "call from another cpu" },
	{ "flush_smp_call_function_queue", "call from another cpu" },
};

static const struct runner *runner_of(const struct otst_verdict_frame *f)
{
	for (size_t i = 0; f->sym.name && !f->sym.module && i < sizeof(runners) / sizeof(*runners);
	     i++) {
		if (otst_is_among(f->sym.name, strlen(f->sym.name), &runners[i].function, 1))
			return &runners[i];
	}
	return NULL;
}

/* name of the workqueue whose item @task runs; "" when it runs none */
static int read_workqueue(struct otst *o, const struct otst_task *task, const char **ret)
{
	uint64_t kthread, worker, self, pwq, wq;
	const struct otst_member *name;
	int err = otst_member(o, "workqueue_struct", "name", &name);

	*ret = "";
	err = err ?: otst_task_kthread(o, task, &kthread);
	err = err ?: otst_read_member(o, "kthread", kthread, "data", &worker);
	err = err ?: otst_read_member(o, "worker", worker, "task", &self);
	err = err ?: otst_read_member(o, "worker", worker, "current_pwq", &pwq);
	if (err || self != task->addr || !pwq)
		return err;
	err = otst_read_member(o, "pool_workqueue", pwq, "wq", &wq);
	return err ?: otst_read_string(o, wq + name->offset, NAME_SIZE, ret);
}

/* " of workqueue events"; "" when it is not known */
static const char *workqueue_of(struct otst_finder *f, const struct otst_task *task)
{
	const char *name;
	int err = read_workqueue(f->o, task, &name);

	/* another kernel's workers have no such members */
	if (err && err != OTST_ERR_LOOKUP)
		otst_note(f->o, &f->v->errors,
			  otst_fail(f->o, err, "the workqueue of PID %" PRIu64, task->pid));
	return err || !*name ? "" : otst_format(f->o, " of workqueue %s", name);
}

/* the first frame in a module of the last trace that says where work was queued; NULL when there is none */
static const char *queued_at(const struct otst_finder *f)
{
	const struct otst_traces *log = f->v->log;

	for (size_t i = log ? log->items.count : 0; i > f->v->report.traces_before; i--) {
		const struct otst_trace *t = otst_trace_at(log, i - 1);

		if (!t->headline ||
		    !otst_begins(t->headline, "Last potentially related work creation:"))
			continue;
		for (size_t k = 0; k < t->nr_lines; k++) {
			const char *text = t->lines[k].text;

			if (text && t->lines[k].reliable && strchr(text, '['))
				return text;
		}
	}
	return NULL;
}

static void note_frame(struct otst_finder *f, const struct otst_verdict_stack *s, size_t i,
		       const struct runner *r)
{
	bool is_work = !strcmp(r->what, "work item");
	const char *from = is_work ? queued_at(f) : NULL;

	otst_note_text(f->o, &f->v->notes,
		       otst_format(f->o, "%s, %s, was called as a %s%s; %s%s",
				   otst_evidence_name(f->o, &s->frames[i]), s->frames[i].what,
				   r->what, is_work ? workqueue_of(f, s->task) : "",
				   from ? "by KASAN's report it may have been queued at " :
					  "who asked for it is not recorded",
				   from ? from : ""));
}

void otst_note_deferred(struct otst_finder *f, const struct otst_verdict_stack *s)
{
	size_t i = s->failing < s->nr_frames ? s->failing : 0;
	const struct runner *r;

	for (; i + 1 < s->nr_frames; i++) {
		if (s->frames[i].role != OTST_ROLE_OWNER || !s->frames[i].frame.reliable)
			continue;
		r = runner_of(&s->frames[i + 1]);
		if (r && !s->frames[i + 1].frame.exact) {
			note_frame(f, s, i, r);
			return;
		}
	}
}
