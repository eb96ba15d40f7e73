// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * holders.c - processes that hold BPF programs: they have files of programs and links open
 * (bpf_prog_fops, bpf_link_fops of kernel/bpf/syscall.c), as /proc/PID/fdinfo shows them.
 * And processes that hold user events: by files of user_events_data, or by an address that the
 * kernel has agreed to write to (struct user_event_enabler of kernel/trace/trace_events_user.c).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/sorted.h"
#include "../tasks/files.h"
#include "bpf.h"

#define MAX_REFS 65536u /* of one file; kernel.user_events_max is 32768 by default */

/* where the kernel keeps which process wants to know of which user event; @of_task is NULL without */
struct enabler_layout {
	const struct otst_member *of_task, *list, *link, *event;
};

struct walk {
	struct otst *o;
	struct otst_holds *holds;
	struct enabler_layout enablers;
};

static void find_enablers(struct otst *o, struct enabler_layout *e)
{
	if (!otst_has_type(o, "user_event"))
		return;
	if (otst_member(o, "user_event_mm", "enablers", &e->list) ||
	    otst_member(o, "user_event_enabler", "mm_enablers_link", &e->link) ||
	    otst_member(o, "user_event_enabler", "event", &e->event) ||
	    otst_member(o, "task_struct", "user_event_mm", &e->of_task))
		e->of_task = NULL;
}

/* ---- one file ---- */

static void add_holder(struct walk *w, uint64_t object, const struct otst_task *task)
{
	struct otst_hold *hold = otst_holds_find(w->holds, object);
	struct otst_holder *h = hold ? hold->holders.data : NULL;

	/* the files of one process come one after the other */
	if (!hold || (hold->holders.count && h[hold->holders.count - 1].pid == task->tgid))
		return;
	h = otst_vec_push(w->o, &hold->holders, sizeof(*h));
	*h = (struct otst_holder){ .pid = task->tgid,
				   .comm = task->comm,
				   .cgroup = otst_task_cgroup(w->o, task->addr) };
}

/* struct user_event_file_info: the events that were registered through this file */
static int add_user_events(struct walk *w, const struct otst_open_file *f)
{
	const struct otst_member *events;
	uint64_t refs, count, i, event;
	int err = otst_member(w->o, "user_event_refs", "events", &events);

	err = err ?: otst_read_member(w->o, "user_event_file_info", f->object, "refs", &refs);
	if (err || !refs)
		return err;
	err = otst_read_member(w->o, "user_event_refs", refs, "count", &count);
	if (!err && count > MAX_REFS)
		err = otst_raise(w->o, OTST_ERR_CORRUPT, "%" PRId64 " user events", (int64_t)count);
	for (i = 0; i < count && !err; i++) {
		err = otst_read_u64(w->o, refs + events->offset + 8 * i, &event);
		if (!err)
			add_holder(w, event, f->leader);
	}
	return err;
}

/* a link, or what there was before links, has its program in a member */
static int add_held_program(struct walk *w, const struct otst_open_file *f, const char *type)
{
	uint64_t prog = f->object;
	int err = 0;

	if (type && !otst_has_member(w->o, type, "prog"))
		return 0;
	if (type)
		err = otst_read_member(w->o, type, f->object, "prog", &prog);
	if (!err)
		add_holder(w, prog, f->leader);
	return err;
}

static int look_at_file(struct walk *w, const struct otst_open_file *f)
{
	switch (f->kind) {
	case OTST_FILE_BPF_PROG:
		return add_held_program(w, f, NULL);
	case OTST_FILE_BPF_LINK:
		return add_held_program(w, f, "bpf_link");
	case OTST_FILE_BPF_TRACEPOINT:
		return add_held_program(w, f, "bpf_raw_tracepoint");
	case OTST_FILE_USER_EVENTS:
		return add_user_events(w, f);
	case OTST_FILE_SOCKET:
	case OTST_FILE_COUNT:
		break;
	}
	return 0;
}

/* ---- all processes ---- */

/* task_struct.user_event_mm: also where the file has been closed since */
static int look_at_enablers(struct walk *w, const struct otst_task *task,
			    const struct otst_task *leader)
{
	const struct enabler_layout *layout = &w->enablers;
	uint64_t mm, node, event;
	struct otst_walk walk;
	int err;

	if (!layout->of_task)
		return 0;
	err = otst_read_u64(w->o, task->addr + layout->of_task->offset, &mm);
	if (err || !mm)
		return err;
	otst_walk_list(w->o, mm + layout->list->offset, &walk);
	while (!err && otst_walk_next(&walk, &node)) {
		err = otst_read_u64(w->o, node - layout->link->offset + layout->event->offset,
				    &event);
		if (!err)
			add_holder(w, event, leader);
	}
	return err ?: walk.err;
}

/* an error ends nothing: it is counted */
static int note_files(struct walk *w, const struct otst_task *task, int err)
{
	if (err)
		otst_fail(w->o, err, "files of %" PRIu64 " %s", task->pid, task->comm);
	return otst_holds_bad(w->o, w->holds, err);
}

/* the files of @leader among @all, from *@next on */
static int look_at_files(struct walk *w, const struct otst_open_files *all, size_t *next,
			 const struct otst_task *leader)
{
	const struct otst_open_file *f;
	int err = 0;

	for (; *next < all->count && all->items[*next].leader == leader && !err; ++*next) {
		f = &all->items[*next];
		err = look_at_file(w, f);
		if (err)
			otst_fail(w->o, err, "fd %" PRIu64, f->fd);
		err = note_files(w, leader, err);
	}
	return err;
}

static int walk_processes(struct walk *w)
{
	const struct otst_task *leader = NULL;
	const struct otst_open_files *files;
	const struct otst_tasks *all;
	size_t i, next = 0;
	int err = otst_open_files(w->o, &files);

	err = err ?: otst_tasks(w->o, &all);
	if (err)
		return err;
	w->holds->bad = files->bad;
	w->holds->first = files->first;
	for (i = 0; i < all->count && !err; i++) {
		const struct otst_task *task = all->items[i];

		if (!otst_next_process(task, &leader))
			continue;
		err = look_at_files(w, files, &next, leader);
		err = err ?: note_files(w, task, look_at_enablers(w, task, leader));
	}
	return err;
}

/* ---- the programs ---- */

/* every program and every user event of @probes once, by address */
static void collect_held(struct otst *o, const struct otst_probes *probes, struct otst_holds *ret)
{
	const struct otst_program *programs;
	struct otst_vec all = { 0 };
	struct otst_hold *hold;
	size_t i, k, n = 0;

	for (i = 0; i < probes->count; i++) {
		programs = probes->items[i]->programs.data;
		if (probes->items[i]->kind == OTST_PROBE_USER_EVENT) {
			hold = otst_vec_push(o, &all, sizeof(*hold));
			hold->prog = probes->items[i]->record;
		}
		for (k = 0; k < probes->items[i]->programs.count; k++) {
			hold = otst_vec_push(o, &all, sizeof(*hold));
			hold->prog = programs[k].addr;
		}
	}
	hold = all.data;
	otst_sort(hold, all.count, sizeof(*hold), otst_by_u64);
	for (i = 0; i < all.count; i++) {
		if (!i || hold[i].prog != hold[n - 1].prog)
			hold[n++] = hold[i];
	}
	ret->items = hold;
	ret->count = n;
}

static void hand_out_holds(const struct otst_holds *h, struct otst_probes *probes)
{
	struct otst_program *programs;

	for (size_t i = 0; i < probes->count; i++) {
		programs = probes->items[i]->programs.data;
		if (probes->items[i]->kind == OTST_PROBE_USER_EVENT)
			probes->items[i]->hold = otst_holds_find(h, probes->items[i]->record);
		for (size_t k = 0; k < probes->items[i]->programs.count; k++)
			programs[k].hold = otst_holds_find(h, programs[k].addr);
	}
}

/* all errors become one message: they may be the same for every task */
static void report_holds(struct otst *o, const struct otst_holds *h, struct otst_probes *probes)
{
	struct otst_messages errors = { 0 };
	const char *message;

	if (!h->bad)
		return;
	message = otst_format(o, "holders: %s", h->first);
	if (h->bad > 1)
		message = otst_format(o, "%s (and %zu more)", message, h->bad - 1);
	otst_notes(o, &errors, &probes->errors);
	otst_note_text(o, &errors, message);
	probes->errors = errors;
}

int otst_bpf_holders(struct otst *o, struct otst_probes *probes)
{
	struct otst_holds holds = { 0 };
	struct walk w = { .o = o, .holds = &holds };
	int err;

	collect_held(o, probes, &holds);
	if (!holds.count)
		return 0;
	find_enablers(o, &w.enablers);
	err = walk_processes(&w);
	if (err == OTST_ERR_LOOKUP)
		return 0;
	err = err ?: otst_bpf_pins(o, &holds);
	if (err)
		return err;
	hand_out_holds(&holds, probes);
	report_holds(o, &holds, probes);
	return 0;
}
