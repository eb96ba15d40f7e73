// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * task.c - task_struct (include/linux/sched.h): the list init_task.tasks of
 * thread group leaders (kernel/fork.c), signal->thread_head of their threads,
 * the tree of children and sibling where that list broke off, and rq->idle of
 * each cpu's run queue (kernel/sched/sched.h).
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "task.h"

#define PF_KTHREAD	    0x00200000u /* since v2.6.27 */
#define COMM_MAX	    64u
#define DEFAULT_THREAD_SIZE 16384u
#define STACK_ALIGN	    4096u	       /* ppc64le's of 16 KiB lie within pages of 64 KiB */
#define MAX_TASKS	    (4u * 1000 * 1000) /* PID_MAX_LIMIT */

/* where the members lie; found once per walk, NULL when the kernel has none */
struct layout {
	const struct otst_member *tasks, *signal, *thread_head, *thread_node, *thread_group;
	const struct otst_member *children, *sibling;
	const struct otst_member *pid, *tgid, *comm, *cpu, *state, *on_cpu, *flags, *stack, *sp;
	bool cpu_on_stack; /* struct thread_info lies at the bottom of the stack */
};

struct walk {
	struct otst *o;
	struct layout l;
	struct otst_vec tasks;
	struct otst_messages errors;
	struct otst_set known; /* leaders and threads met so far */
};

static const char memo_key;

static const struct otst_member *find_task_member(struct otst *o, const char *type,
						  const char *member)
{
	const struct otst_member *m;

	return otst_has_member(o, type, member) && !otst_member(o, type, member, &m) ? m : NULL;
}

static void find_cpu(struct otst *o, struct layout *l)
{
	/*
	 * Linux c65eacbe290b ("sched/core: Allow putting thread_info into
	 * task_struct") (v4.9) moved it to task_struct.cpu, bcf9033e5449 ("sched:
	 * move CPU field back into thread_info if THREAD_INFO_IN_TASK=y") (v5.16)
	 * to the thread_info in there.
	 */
	l->cpu = find_task_member(o, "task_struct", "thread_info.cpu");
	l->cpu = l->cpu ?: find_task_member(o, "task_struct", "cpu");
	if (l->cpu)
		return;
	if (!otst_has_member(o, "thread_info", "task"))
		return;
	l->cpu = find_task_member(o, "thread_info", "cpu");
	l->cpu_on_stack = l->cpu;
}

static int find_task_layout(struct otst *o, const void *of, void *value)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	static const char type[] = "task_struct";
	struct layout *l = value;
	int err;

	(void)of;
	err = otst_member(o, type, "tasks", &l->tasks);
	err = err ?: otst_member(o, type, "pid", &l->pid);
	err = err ?: otst_member(o, type, "comm", &l->comm);
	err = err ?: otst_member(o, type, "stack", &l->stack);
	if (err)
		return err;
	l->tgid = find_task_member(o, type, "tgid");
	l->on_cpu = find_task_member(o, type, "on_cpu");
	l->flags = find_task_member(o, type, "flags");
	l->sp = arch->reg.thread_sp ? find_task_member(o, type, arch->reg.thread_sp) : NULL;
	/* Linux 2f064a59a11f ("sched: Change task_struct::state") (v5.14) */
	l->state = find_task_member(o, type, "__state");
	l->state = l->state ?: find_task_member(o, type, "state");
	/*
	 * Linux 0c740d0afc3b ("introduce for_each_thread() to replace the buggy
	 * while_each_thread()") (v3.14) added the list, 8e1f385104ac ("kill
	 * task_struct->thread_group") (v6.7) removed the old one.
	 */
	l->signal = find_task_member(o, type, "signal");
	l->thread_node = find_task_member(o, type, "thread_node");
	l->thread_head = find_task_member(o, "signal_struct", "thread_head");
	l->thread_group = find_task_member(o, type, "thread_group");
	l->children = find_task_member(o, type, "children");
	l->sibling = find_task_member(o, type, "sibling");
	find_cpu(o, l);
	return 0;
}

static const struct otst_once layout = { .size = sizeof(struct layout), .make = find_task_layout };

static int get_layout(struct otst *o, struct layout *ret)
{
	const struct layout *l;
	const struct otst_member *m;
	int err = otst_once(o, &layout, NULL, &l);

	if (err)
		return err;
	*ret = *l;
	if (!l->cpu)
		otst_doubt_absence(o, otst_member(o, "task_struct", "thread_info.cpu", &m),
				   "smp_call_function_many");
	return 0;
}

/* ---- one task ---- */

/* an integer or pointer member; @fallback when the kernel has none or it cannot be read */
static uint64_t pick_member(struct otst *o, struct otst_task *t, uint64_t base,
			    const struct otst_member *m, uint64_t fallback)
{
	unsigned char b[8];

	if (!m || !m->size || m->size > sizeof(b))
		return fallback;
	if (!otst_read(o, base + m->offset, b, m->size))
		return otst_get(o, b, m->size);
	t->error = t->error ?: otst_strdup(o, otst_message(o));
	return fallback;
}

static const char *pick_comm(struct otst *o, const struct otst_task *t, const struct otst_member *m)
{
	char *s = otst_alloc(o, COMM_MAX + 1);

	if (!s || otst_read(o, t->addr + m->offset, s, m->size < COMM_MAX ? m->size : COMM_MAX))
		return "";
	return otst_clean(o, s);
}

static unsigned int pick_cpu(struct otst *o, struct otst_task *t, const struct layout *l)
{
	uint64_t base = l->cpu_on_stack ? t->stack : t->addr;
	uint64_t cpu = base ? pick_member(o, t, base, l->cpu, 0) : 0;

	return cpu < otst_kernel(o)->nr_cpus ? (unsigned int)cpu : 0;
}

static void fill_task(struct otst *o, const struct layout *l, struct otst_task *t)
{
	t->pid = pick_member(o, t, t->addr, l->pid, 0);
	t->tgid = pick_member(o, t, t->addr, l->tgid, t->pid);
	t->comm = pick_comm(o, t, l->comm);
	t->state = pick_member(o, t, t->addr, l->state, 0);
	t->on_cpu = pick_member(o, t, t->addr, l->on_cpu, 0);
	t->kthread = pick_member(o, t, t->addr, l->flags, 0) & PF_KTHREAD;
	t->stack = pick_member(o, t, t->addr, l->stack, 0);
	if (!otst_is_kernel_pointer(o, t->stack) || t->stack % STACK_ALIGN)
		t->stack = 0;
	t->sp = pick_member(o, t, t->addr, l->sp, 0);
	t->cpu = pick_cpu(o, t, l);
	t->current = otst_task_current(o, t->cpu) == t->addr;
}

int otst_task_read(struct otst *o, uint64_t addr, struct otst_task *ret)
{
	struct otst_task t = { .addr = addr };
	struct layout l;
	int err = get_layout(o, &l);

	if (err)
		return err;
	fill_task(o, &l, &t);
	*ret = t;
	return 0;
}

/* a member of the run queue of @cpu that points to a task */
static uint64_t queue_task(struct otst *o, unsigned int cpu, const char *member)
{
	const struct otst_member *m = find_task_member(o, "rq", member);
	uint64_t at = otst_symbol_or0(o, "runqueues"), task;

	if (!m || !at || otst_read_u64(o, otst_percpu(o, at, cpu) + m->offset, &task))
		return 0;
	return otst_is_kernel_pointer(o, task) ? task : 0;
}

/* the pointer has been in two members */
int otst_task_kthread(struct otst *o, const struct otst_task *t, uint64_t *ret)
{
	const char *member = otst_has_member(o, "task_struct", "worker_private") ?
				     "worker_private" :
				     "set_child_tid";

	return otst_read_member(o, "task_struct", t->addr, member, ret);
}

uint64_t otst_task_current(struct otst *o, unsigned int cpu)
{
	const struct otst_member *m = find_task_member(o, "pcpu_hot", "current_task");
	uint64_t at, task;

	/*
	 * Linux e57ef2ed97c1 ("x86: Put hot per CPU variables into a struct")
	 * (v6.2) made it a member of pcpu_hot; since v6.15 it is a variable again.
	 */
	at = m ? otst_symbol_or0(o, "pcpu_hot") : 0;
	at = at ? at + m->offset : otst_symbol_or0(o, "current_task");
	if (!at)
		return queue_task(o, cpu, "curr");
	if (otst_read_u64(o, otst_percpu(o, at, cpu), &task) || !otst_is_kernel_pointer(o, task))
		return 0;
	return task;
}

static bool is_stack_size(struct otst *o, uint64_t size)
{
	return size >= STACK_ALIGN && size <= 64 * otst_page_size(o) && !(size & (size - 1));
}

/* the linker script makes room for one: INIT_TASK_DATA(), __start_init_task in older kernels */
static uint64_t first_stack_size(struct otst *o)
{
	uint64_t start = otst_symbol_or0(o, "__start_init_stack"),
		 end = otst_symbol_or0(o, "__end_init_stack");

	start = start ?: otst_symbol_or0(o, "__start_init_task");
	end = end ?: otst_symbol_or0(o, "__end_init_task");
	return start && end ? end - start : 0;
}

uint64_t otst_thread_size(struct otst *o)
{
	uint64_t page = otst_page_size(o), size;

	/* union thread_union { ...; unsigned long stack[THREAD_SIZE/sizeof(long)]; } */
	if (otst_has_type(o, "thread_union") && !otst_type_size(o, "thread_union", &size) &&
	    is_stack_size(o, size))
		return size;
	size = first_stack_size(o);
	if (is_stack_size(o, size))
		return size;
	return page > DEFAULT_THREAD_SIZE ? page : DEFAULT_THREAD_SIZE;
}

/* ---- the walk ---- */

static void note_task(struct walk *w, const struct otst_task *t)
{
	otst_note_text(w->o, &w->errors,
		       otst_format(w->o, "task 0x%" PRIx64 ": %s", t->addr, t->error));
}

static struct otst_task *add_listed_task(struct walk *w, uint64_t addr)
{
	struct otst_task **slot = otst_vec_push(w->o, &w->tasks, sizeof(*slot));
	struct otst_task *t = otst_new(w->o, sizeof(*t));

	t->addr = addr;
	fill_task(w->o, &w->l, t);
	*slot = t;
	if (t->error)
		note_task(w, t);
	return t;
}

static void add_idle(struct walk *w)
{
	const struct otst_kernel *k = otst_kernel(w->o);
	const struct otst_member *idle;
	struct otst_task *t;
	uint64_t addr;

	if (otst_symbol_or0(w->o, "runqueues") && otst_member(w->o, "rq", "idle", &idle))
		otst_note_text(w->o, &w->errors,
			       otst_format(w->o, "idle tasks: %s", otst_message(w->o)));
	for (unsigned int cpu = 0; cpu < k->nr_cpus; cpu++) {
		addr = queue_task(w->o, cpu, "idle");
		if (!addr)
			continue;
		t = add_listed_task(w, addr);
		t->idle = true;
		t->cpu = cpu;
		t->current = otst_task_current(w->o, cpu) == addr;
	}
}

/* adds threads that are not known yet from the list at @head, linked by the member @node */
static int add_task_list(struct walk *w, uint64_t head, const struct otst_member *node)
{
	struct otst_walk list;
	uint64_t at;
	bool added;

	otst_walk_list(w->o, head, &list);
	while (otst_walk_next(&list, &at)) {
		if (otst_set_add(w->o, &w->known, at - node->offset, &added))
			return OTST_ERR_NOMEM;
		if (!added)
			continue;
		if (w->tasks.count >= MAX_TASKS)
			return otst_raise(w->o, OTST_ERR_CORRUPT, "too many threads");
		if (!add_listed_task(w, at - node->offset))
			return OTST_ERR_NOMEM;
	}
	return list.err;
}

static int add_threads(struct walk *w, uint64_t leader)
{
	const struct layout *l = &w->l;
	uint64_t signal;
	int err;

	if (l->signal && l->thread_head && l->thread_node) {
		err = otst_read_u64(w->o, leader + l->signal->offset, &signal);
		/* an exiting task no longer has one */
		if (err || !signal)
			return err;
		if (!otst_is_kernel_pointer(w->o, signal))
			return otst_raise(w->o, OTST_ERR_CORRUPT, "bad signal pointer");
		return add_task_list(w, signal + l->thread_head->offset, l->thread_node);
	}
	if (l->thread_group)
		return add_task_list(w, leader + l->thread_group->offset, l->thread_group);
	return 0;
}

/* adds the thread group of @leader, unless it is known */
static int add_leader(struct walk *w, uint64_t leader)
{
	struct otst_task *t;
	bool added;
	int err = otst_check(w->o);

	err = err ?: otst_set_add(w->o, &w->known, leader, &added);
	if (err || !added)
		return err;
	if (w->tasks.count >= MAX_TASKS)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "too many tasks");
	t = add_listed_task(w, leader);
	err = add_threads(w, leader);
	/* for a task that is itself bad, one message is enough */
	if (err && t->error && !otst_fatal(err))
		return 0;
	return err ? otst_note(w->o, &w->errors,
			       otst_fail(w->o, err, "threads of 0x%" PRIx64, leader)) :
		     0;
}

/*
 * Where the list broke off, its other half is reached backwards. The link pointers
 * are then the prev pointers, one word after next.
 */
static int add_backwards(struct walk *w, uint64_t head)
{
	struct otst_walk list;
	uint64_t node, last;
	int err = 0;

	if (otst_read_u64(w->o, head + 8, &last))
		return 0;
	otst_walk_chain(w->o, last, 8, head, &list);
	while (!err && otst_walk_next(&list, &node)) {
		if (otst_set_has(&w->known, node - w->l.tasks->offset))
			break;
		err = add_leader(w, node - w->l.tasks->offset);
	}
	return err;
}

/* adds the children of @parent; @t: its task, NULL for init_task */
static int add_task_children(struct walk *w, uint64_t parent, const struct otst_task *t,
			     bool *whole)
{
	struct otst_walk list;
	uint64_t node;
	int err = 0;

	otst_walk_list(w->o, parent + w->l.children->offset, &list);
	while (!err && otst_walk_next(&list, &node))
		err = add_leader(w, node - w->l.sibling->offset);
	if (err || !list.err)
		return err;
	*whole = false;
	/* for a task that is itself bad, one message is enough */
	if (t && t->error && !otst_fatal(list.err))
		return 0;
	return otst_note(w->o, &w->errors,
			 otst_fail(w->o, list.err, "children of 0x%" PRIx64, parent));
}

/*
 * Each thread has the children that it created itself, and each child is the
 * leader of a thread group: starting at init_task, that reaches all that
 * init_task.tasks should have.
 */
static int add_task_tree(struct walk *w, uint64_t init, bool *whole)
{
	int err;

	*whole = w->l.children && w->l.sibling;
	if (!*whole)
		return 0;
	err = add_task_children(w, init, NULL, whole);
	/* the list grows on the way; idle tasks other than init_task have no children */
	for (size_t i = 0; !err && i < w->tasks.count; i++) {
		const struct otst_task *t = ((struct otst_task **)w->tasks.data)[i];

		if (!t->idle)
			err = add_task_children(w, t->addr, t, whole);
	}
	return err;
}

/*
 * adds the tasks that init_task.tasks did not give because of @err; notes @err if
 * some may still be missing
 */
static int walk_tree_too(struct walk *w, uint64_t init, int err)
{
	struct otst_messages broken = { 0 };
	bool whole;

	err = otst_note(w->o, &broken, otst_fail(w->o, err, "init_task.tasks"));
	err = err ?: add_backwards(w, init + w->l.tasks->offset);
	err = err ?: add_task_tree(w, init, &whole);
	if (err || whole)
		return err;
	otst_notes(w->o, &w->errors, &broken);
	return 0;
}

static int add_all_tasks(struct walk *w)
{
	struct otst_walk list;
	uint64_t init, node;
	int err;

	err = otst_symbol(w->o, "init_task", &init);
	if (err)
		return err;
	otst_walk_list(w->o, init + w->l.tasks->offset, &list);
	while (!err && otst_walk_next(&list, &node))
		err = add_leader(w, node - w->l.tasks->offset);
	if (err || !list.err)
		return err;
	return walk_tree_too(w, init, list.err);
}

int otst_tasks(struct otst *o, const struct otst_tasks **ret)
{
	void **place = otst_memo(o, &memo_key);
	struct walk w = { .o = o };
	struct otst_tasks *t;
	int err;

	if (*place) {
		*ret = *place;
		return 0;
	}
	t = otst_new(o, sizeof(*t));
	err = get_layout(o, &w.l);
	if (!err)
		add_idle(&w);
	err = err ?: add_all_tasks(&w);
	if (err)
		err = otst_note(w.o, &w.errors, err);
	if (err)
		return err;
	*t = (struct otst_tasks){
		.items = w.tasks.data,
		.count = w.tasks.count,
		.errors = w.errors,
	};
	*ret = *place = t;
	return 0;
}

const struct otst_task *otst_task_at(struct otst *o, uint64_t addr)
{
	const struct otst_tasks *all;

	if (otst_tasks(o, &all))
		return NULL;
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i]->addr == addr)
			return all->items[i];
	}
	return NULL;
}
