// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * holders.c - processes that hold BPF programs: found among the open files of all
 * tasks (struct files_struct and fdtable of include/linux/fdtable.h) by the file
 * operations of programs and links (bpf_prog_fops, bpf_link_fops of
 * kernel/bpf/syscall.c), as /proc/PID/fdinfo shows them. And processes that hold user
 * events: by files of user_events_data, or by an address that the kernel has agreed to write to
 * (struct user_event_enabler of kernel/trace/trace_events_user.c).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/sorted.h"
#include "../tasks/task.h"
#include "bpf.h"

#define WORD	 64u
#define CHUNK	 512u /* descriptors read at once: a page */
#define MAX_FDS	 (1u << 24)
#define MAX_REFS 65536u /* of one file; kernel.user_events_max is 32768 by default */

/*
 * operations of a file
 * @prog: where its object has the program; NULL when it is the program itself
 * @refs: where the object of a file of user_events_data has its events; NULL for others
 */
struct file_kind {
	uint64_t fops;
	const struct otst_member *prog;
	const struct otst_member *refs;
};

/* where the kernel keeps which process wants to know of which user event; @of_task is NULL without */
struct enabler_layout {
	const struct otst_member *of_task, *list, *link, *event;
};

struct layout {
	const struct otst_member *files, *fdt, *max_fds, *fds, *open, *f_op, *private_data;
	struct file_kind kinds[6];
	unsigned int nr_kinds;
	struct enabler_layout enablers;
};

/* a struct files_struct that was looked through; @tgid: the last process that it counted for */
struct table {
	uint64_t files;
	uint64_t tgid;
	struct otst_vec holds; /* of struct otst_hold * */
};

struct walk {
	struct otst *o;
	struct otst_holds *holds;
	struct layout l;
	const struct otst_task *task; /* whose files are looked at */
	struct otst_set known;	      /* files_structs in @tables */
	struct otst_set others;	      /* struct files that are not BPF's */
	struct otst_vec tables;
};

/* ---- what this kernel has ---- */

static void add_kind(struct otst *o, struct layout *l, const char *fops,
		     const struct otst_member *prog, const struct otst_member *refs)
{
	uint64_t at = otst_symbol_or0(o, fops);

	if (at)
		l->kinds[l->nr_kinds++] = (struct file_kind){ at, prog, refs };
}

static void find_kinds(struct otst *o, struct layout *l)
{
	const struct otst_member *prog;

	add_kind(o, l, "bpf_prog_fops", NULL, NULL);
	/* links that can be polled have the newer name */
	if (otst_has_member(o, "bpf_link", "prog") && !otst_member(o, "bpf_link", "prog", &prog)) {
		add_kind(o, l, "bpf_link_fops", prog, NULL);
		add_kind(o, l, "bpf_link_fops_poll", prog, NULL);
	}
	/* without links, raw tracepoints and programs on trampolines have files of their own */
	if (otst_has_member(o, "bpf_raw_tracepoint", "prog") &&
	    !otst_member(o, "bpf_raw_tracepoint", "prog", &prog))
		add_kind(o, l, "bpf_raw_tp_fops", prog, NULL);
	add_kind(o, l, "bpf_tracing_prog_fops", NULL, NULL);
}

static void find_user_events(struct otst *o, struct layout *l)
{
	struct enabler_layout *e = &l->enablers;
	const struct otst_member *refs;

	if (!otst_has_type(o, "user_event"))
		return;
	if (!otst_member(o, "user_event_file_info", "refs", &refs))
		add_kind(o, l, "user_data_fops", NULL, refs);
	if (otst_member(o, "user_event_mm", "enablers", &e->list) ||
	    otst_member(o, "user_event_enabler", "mm_enablers_link", &e->link) ||
	    otst_member(o, "user_event_enabler", "event", &e->event) ||
	    otst_member(o, "task_struct", "user_event_mm", &e->of_task))
		e->of_task = NULL;
}

static int find_layout(struct otst *o, struct layout *l)
{
	int err = otst_member(o, "task_struct", "files", &l->files);

	err = err ?: otst_member(o, "files_struct", "fdt", &l->fdt);
	err = err ?: otst_member(o, "fdtable", "max_fds", &l->max_fds);
	err = err ?: otst_member(o, "fdtable", "fd", &l->fds);
	err = err ?: otst_member(o, "fdtable", "open_fds", &l->open);
	err = err ?: otst_member(o, "file", "f_op", &l->f_op);
	err = err ?: otst_member(o, "file", "private_data", &l->private_data);
	if (err)
		return err;
	find_kinds(o, l);
	find_user_events(o, l);
	return l->nr_kinds ? 0 : otst_raise(o, OTST_ERR_LOOKUP, "no files of BPF's");
}

/* ---- one file ---- */

static void add_holder(struct otst *o, struct otst_hold *hold, const struct otst_task *task)
{
	struct otst_holder *h = hold->holders.data;

	/* the files of one process come one after the other */
	if (hold->holders.count && h[hold->holders.count - 1].pid == task->tgid)
		return;
	h = otst_vec_push(o, &hold->holders, sizeof(*h));
	*h = (struct otst_holder){ .pid = task->tgid,
				   .comm = task->comm,
				   .cgroup = otst_task_cgroup(o, task->addr) };
}

/* the program behind a BPF file */
static int read_program(struct walk *w, uint64_t file, const struct file_kind *d, uint64_t *ret)
{
	uint64_t at;
	int err = otst_read_u64(w->o, file + w->l.private_data->offset, &at);

	if (!err && d->prog)
		err = otst_read_u64(w->o, at + d->prog->offset, &at);
	if (!err)
		*ret = at;
	return err;
}

static void add_held(struct walk *w, struct table *t, uint64_t object)
{
	struct otst_hold *hold = otst_holds_find(w->holds, object), **slot;

	if (!hold)
		return;
	slot = otst_vec_push(w->o, &t->holds, sizeof(hold));
	*slot = hold;
}

/* struct user_event_file_info: the events that were registered through this file */
static int add_user_events(struct walk *w, struct table *t, uint64_t file, uint64_t in_info)
{
	const struct otst_member *events;
	uint64_t info, refs, count, i, event;
	int err = otst_read_u64(w->o, file + w->l.private_data->offset, &info);

	err = err ?: otst_member(w->o, "user_event_refs", "events", &events);
	err = err ?: otst_read_u64(w->o, info + in_info, &refs);
	if (err || !refs)
		return err;
	err = otst_read_member(w->o, "user_event_refs", refs, "count", &count);
	if (!err && count > MAX_REFS)
		err = otst_raise(w->o, OTST_ERR_CORRUPT, "%" PRId64 " user events", (int64_t)count);
	for (i = 0; i < count && !err; i++) {
		err = otst_read_u64(w->o, refs + events->offset + 8 * i, &event);
		if (!err)
			add_held(w, t, event);
	}
	return err;
}

static int look_at_file(struct walk *w, struct table *t, uint64_t file)
{
	uint64_t f_op, prog;
	unsigned int i;
	bool added;
	int err;

	if (otst_set_has(&w->others, file))
		return 0;
	if (!otst_is_kernel_pointer(w->o, file))
		return otst_raise(w->o, OTST_ERR_CORRUPT, "bad pointer 0x%" PRIx64, file);
	err = otst_read_u64(w->o, file + w->l.f_op->offset, &f_op);
	if (err)
		return err;
	for (i = 0; i < w->l.nr_kinds && w->l.kinds[i].fops != f_op; i++)
		;
	if (i == w->l.nr_kinds)
		return otst_set_add(w->o, &w->others, file, &added);
	if (w->l.kinds[i].refs)
		return add_user_events(w, t, file, w->l.kinds[i].refs->offset);
	err = read_program(w, file, &w->l.kinds[i], &prog);
	if (!err)
		add_held(w, t, prog);
	return err;
}

/* ---- one table of files ---- */

/* an error ends neither the table nor the walk */
static int note_files(struct walk *w, int err)
{
	if (err)
		otst_fail(w->o, err, "files of %" PRIu64 " %s", w->task->pid, w->task->comm);
	return otst_holds_bad(w->o, w->holds, err);
}

/* reads the descriptors from @first on; @open says which of them are there */
static int read_chunk(struct walk *w, struct table *t, uint64_t fds, uint64_t first,
		      const uint64_t *open, unsigned int words)
{
	unsigned int i, end;
	uint64_t fd[CHUNK];
	int err;

	while (words && !open[words - 1])
		words--;
	if (!words)
		return 0;
	end = words * WORD - (unsigned int)__builtin_clzll(open[words - 1]);
	err = otst_read(w->o, fds + first * 8, fd, end * sizeof(*fd));
	for (i = 0; i < end && !err; i++) {
		uint64_t file = otst_get(w->o, &fd[i], sizeof(fd[i]));

		/* a descriptor may be allocated before its file is there */
		if (!(open[i / WORD] >> i % WORD & 1) || !file)
			continue;
		err = look_at_file(w, t, file);
		if (err)
			otst_fail(w->o, err, "fd %" PRIu64, first + i);
		err = note_files(w, err);
	}
	return err;
}

static int read_fds(struct walk *w, struct table *t, uint64_t fds, uint64_t bits, uint32_t max)
{
	uint64_t open[CHUNK / WORD], first;
	unsigned int words, i;
	int err = 0;

	for (first = 0; first < max && !err; first += CHUNK) {
		words = (unsigned int)(max - first < CHUNK ? max - first : CHUNK) / WORD;
		err = otst_check(w->o);
		err = err ?: otst_read(w->o, bits + first / 8, open, words * sizeof(*open));
		for (i = 0; i < words && !err; i++)
			open[i] = otst_get(w->o, &open[i], sizeof(*open));
		err = err ?: read_chunk(w, t, fds, first, open, words);
	}
	return err;
}

static int read_fd_table(struct walk *w, struct table *t)
{
	uint64_t fdt, fds, bits;
	uint32_t max;
	int err = otst_read_u64(w->o, t->files + w->l.fdt->offset, &fdt);

	err = err ?: otst_read_u32(w->o, fdt + w->l.max_fds->offset, &max);
	err = err ?: otst_read_u64(w->o, fdt + w->l.fds->offset, &fds);
	err = err ?: otst_read_u64(w->o, fdt + w->l.open->offset, &bits);
	if (err)
		return err;
	if (max % WORD || max > MAX_FDS)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "has room for %" PRIu32, max);
	return read_fds(w, t, fds, bits, max);
}

/* ---- all tasks ---- */

static struct table *find_table(struct walk *w, uint64_t files)
{
	struct table *t = w->tables.data;
	size_t i;

	for (i = w->tables.count; i && t[i - 1].files != files; i--)
		;
	return i ? &t[i - 1] : NULL;
}

static int get_table(struct walk *w, uint64_t files, struct table **ret)
{
	bool added;
	int err = otst_set_add(w->o, &w->known, files, &added);

	if (err)
		return err;
	if (!added) {
		*ret = find_table(w, files);
		return 0;
	}
	*ret = otst_vec_push(w->o, &w->tables, sizeof(**ret));
	if (!*ret)
		return otst_no_memory(w->o);
	**ret = (struct table){ .files = files, .tgid = UINT64_MAX };
	return read_fd_table(w, *ret);
}

/* task_struct.user_event_mm: also where the file has been closed since */
static int look_at_enablers(struct walk *w, const struct otst_task *leader)
{
	const struct enabler_layout *l = &w->l.enablers;
	struct otst_hold *hold;
	uint64_t mm, node, event;
	struct otst_walk walk;
	int err;

	if (!l->of_task)
		return 0;
	err = otst_read_u64(w->o, w->task->addr + l->of_task->offset, &mm);
	if (err || !mm)
		return err;
	otst_walk_list(w->o, mm + l->list->offset, &walk);
	while (!err && otst_walk_next(&walk, &node)) {
		err = otst_read_u64(w->o, node - l->link->offset + l->event->offset, &event);
		hold = err ? NULL : otst_holds_find(w->holds, event);
		if (hold)
			add_holder(w->o, hold, leader);
	}
	return err ?: walk.err;
}

/* counts the task's files for @leader, once */
static int look_at_task(struct walk *w, const struct otst_task *leader)
{
	struct table *t = NULL;
	uint64_t files;
	size_t i;
	int err = otst_read_u64(w->o, w->task->addr + w->l.files->offset, &files);

	/* an exiting task no longer has any */
	if (err || !files)
		return err;
	if (!otst_is_kernel_pointer(w->o, files))
		return otst_raise(w->o, OTST_ERR_CORRUPT, "bad pointer 0x%" PRIx64, files);
	err = get_table(w, files, &t);
	if (!t || t->tgid == leader->tgid)
		return err;
	t->tgid = leader->tgid;
	/* what was found before an error ended the table counts, too */
	for (i = 0; i < t->holds.count && !otst_fatal(err); i++)
		add_holder(w->o, ((struct otst_hold **)t->holds.data)[i], leader);
	return err;
}

static int walk_tasks(struct walk *w)
{
	const struct otst_task *leader = NULL, *task;
	const struct otst_tasks *all;
	size_t i;
	int err = otst_tasks(w->o, &all);

	if (err)
		return err;
	w->holds->bad += all->errors.count;
	w->holds->first = all->errors.count ? all->errors.texts[0] : NULL;
	for (i = 0; i < all->count && !err; i++) {
		task = all->items[i];
		/* kernel threads and idle tasks have the files of init_task, which opens none */
		if (task->idle || task->kthread)
			continue;
		if (!leader || task->pid == task->tgid || task->tgid != leader->tgid)
			leader = task;
		w->task = task;
		err = note_files(w, look_at_task(w, leader));
		err = err ?: note_files(w, look_at_enablers(w, leader));
	}
	return err;
}

/* ---- the programs ---- */

/* every program and every user event of @probes once, by address */
static void collect(struct otst *o, const struct otst_probes *probes, struct otst_holds *ret)
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
	if (all.count)
		qsort(hold, all.count, sizeof(*hold), otst_by_u64);
	for (i = 0; i < all.count; i++) {
		if (!i || hold[i].prog != hold[n - 1].prog)
			hold[n++] = hold[i];
	}
	ret->items = hold;
	ret->count = n;
}

static void hand_out(const struct otst_holds *h, struct otst_probes *probes)
{
	struct otst_program *programs;
	size_t i, k;

	for (i = 0; i < probes->count; i++) {
		programs = probes->items[i]->programs.data;
		if (probes->items[i]->kind == OTST_PROBE_USER_EVENT)
			probes->items[i]->hold = otst_holds_find(h, probes->items[i]->record);
		for (k = 0; k < probes->items[i]->programs.count; k++)
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

	collect(o, probes, &holds);
	if (!holds.count)
		return 0;
	err = find_layout(o, &w.l);
	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	err = walk_tasks(&w);
	err = err ?: otst_bpf_pins(o, &holds);
	if (err)
		return err;
	hand_out(&holds, probes);
	report_holds(o, &holds, probes);
	return 0;
}
