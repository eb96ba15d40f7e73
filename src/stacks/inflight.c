// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * inflight.c - calls whose return a probe waits for, in all kernel
 * generations: kretprobe_inst_table (include/linux/kprobes.h before v5.11),
 * task_struct.kretprobe_instances, task_struct.rethooks (include/linux/rethook.h);
 * function graph's are in inflight_graph.c.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "inflight.h"

#define INST_TABLE 64u /* KPROBE_TABLE_SIZE */

static const char table_key;

/* ---- kretprobes ---- */

/* add what the struct kretprobe at @rp says; @data: where its instance keeps user data */
static int fill_kretprobe(struct otst *o, struct otst_inflight *i, uint64_t rp, uint64_t data)
{
	struct otst_view v;
	int err;

	i->kind = OTST_INFLIGHT_KRETPROBE;
	/* unregistered while the call was under way */
	if (!rp)
		return 0;
	if (!otst_is_kernel_pointer(o, rp))
		return otst_raise(o, OTST_ERR_CORRUPT, "bad kretprobe pointer 0x%" PRIx64, rp);
	err = otst_view_read(o, "kretprobe", rp, &v);
	if (err)
		return err;
	i->probe = rp;
	i->func = otst_u64(&v, "kp.addr");
	i->handler = otst_u64(&v, "handler");
	i->data_size = otst_u64_or(&v, "data_size", 0);
	i->data = i->data_size ? data : 0;
	return v.err;
}

/* struct kretprobe_instance that points to the kretprobe, directly or through a holder */
static int read_instance(struct otst *o, struct otst_inflight *i)
{
	const struct otst_member *data = otst_inflight_member(o, "kretprobe_instance", "data"),
				 *holder;
	uint64_t rp = 0, rph;
	struct otst_view v;
	int err;

	err = otst_view_read(o, "kretprobe_instance", i->record, &v);
	if (err)
		return err;
	i->ret_addr = otst_u64(&v, "ret_addr");
	i->slot = otst_u64_or(&v, "fp", 0);
	if (otst_view_has(&v, "rp")) {
		rp = otst_u64(&v, "rp");
	} else {
		/* Linux d741bf41d7c7 ("kprobes: Remove kretprobe hash") (v5.11) */
		rph = otst_u64(&v, "rph");
		err = otst_member(o, "kretprobe_holder", "rp", &holder);
		if (!err && !v.err)
			err = otst_read_u64(o, rph + holder->offset, &rp);
	}
	err = err ?: v.err;
	return err ? err : fill_kretprobe(o, i, rp, data ? i->record + data->offset : 0);
}

static int fill_fprobe(struct otst *o, struct otst_inflight *i, uint64_t fp)
{
	const struct otst_member *ip = otst_inflight_member(o, "fprobe_rethook_node", "entry_ip");
	const struct otst_member *data = otst_inflight_member(o, "fprobe_rethook_node", "data");
	struct otst_view v;
	int err;

	i->kind = OTST_INFLIGHT_FPROBE;
	err = otst_view_read(o, "fprobe", fp, &v);
	if (!err && ip)
		err = otst_read_u64(o, i->record + ip->offset, &i->func);
	if (err)
		return err;
	i->probe = fp;
	i->handler = otst_u64_or(&v, "exit_handler", 0);
	i->data_size = otst_u64_or(&v, "entry_data_size", 0);
	i->data = data && i->data_size ? i->record + data->offset : 0;
	return v.err;
}

/* struct rethook_node; the handler of its rethook tells whose it is */
static int read_rethook(struct otst *o, struct otst_inflight *i)
{
	const struct otst_member *node = otst_inflight_member(o, "kretprobe_instance", "node");
	const struct otst_member *data = otst_inflight_member(o, "kretprobe_instance", "data");
	uint64_t rethook, handler, owner, instance;
	struct otst_view v, rh;
	int err;

	err = otst_view_read(o, "rethook_node", i->record, &v);
	if (err)
		return err;
	i->ret_addr = otst_u64(&v, "ret_addr");
	i->slot = otst_u64_or(&v, "frame", 0);
	rethook = otst_u64(&v, "rethook");
	if (v.err || !rethook)
		return v.err;
	err = otst_view_read(o, "rethook", rethook, &rh);
	if (err)
		return err;
	handler = otst_u64(&rh, "handler");
	owner = otst_u64(&rh, "data");
	if (rh.err)
		return rh.err;
	instance = i->record - (node ? node->offset : 0);
	/* the handler is NULL once the probe was unregistered */
	if (otst_handler_is(o, handler, "kretprobe_rethook_handler"))
		return fill_kretprobe(o, i, owner, data ? instance + data->offset : 0);
	if (otst_handler_is(o, handler, "fprobe_exit_handler"))
		return fill_fprobe(o, i, owner);
	i->handler = handler;
	return 0;
}

static int add_inflight_record(struct otst_inflight_list *list, enum otst_inflight_kind kind,
			       uint64_t record, uint64_t task,
			       int (*fill)(struct otst *o, struct otst_inflight *i))
{
	struct otst_inflight *i = otst_inflight_add(list, kind, record, task);
	int err = fill(list->o, i);

	if (!err || otst_fatal(err))
		return err;
	i->error = otst_strdup(list->o, otst_message(list->o));
	return 0;
}

/* the llist whose head is the member @list of the task */
/* up to 5.17 and on some processors there are none */
static int lack_rethooks(struct otst *o, enum otst_inflight_kind kind)
{
	const struct otst_member *m;
	int err = 0;

	if (kind == OTST_INFLIGHT_RETHOOK)
		err = otst_member(o, "task_struct", "rethooks", &m) ?:
			      otst_member(o, "rethook_node", "llist", &m);
	otst_doubt_absence(o, err, "rethook_try_get");
	return 0;
}

static int add_llist(struct otst_inflight_list *l, uint64_t task, const char *list,
		     const char *type, enum otst_inflight_kind kind,
		     int (*fill)(struct otst *, struct otst_inflight *))
{
	const struct otst_member *head = otst_inflight_member(l->o, "task_struct", list);
	const struct otst_member *link = otst_inflight_member(l->o, type, "llist");
	struct otst_walk w;
	uint64_t node;
	int err = 0;

	if (!head || !link)
		return lack_rethooks(l->o, kind);
	otst_walk_hlist(l->o, task + head->offset, &w);
	while (!err && otst_walk_next(&w, &node))
		err = add_inflight_record(l, kind, node - link->offset, task, fill);
	if (!err && w.err)
		err = otst_note(l->o, &l->errors,
				otst_fail(l->o, w.err, "%s of task 0x%" PRIx64, list, task));
	return err;
}

/* ---- the table of kernels up to v5.10, all tasks in one ---- */

static int read_instances(struct otst_inflight_list *list, uint64_t table)
{
	const struct otst_member *link =
		otst_inflight_member(list->o, "kretprobe_instance", "hlist");
	const struct otst_member *owner =
		otst_inflight_member(list->o, "kretprobe_instance", "task");
	struct otst_walk w;
	uint64_t node, task;
	int err = 0;

	if (!link || !owner)
		return 0;
	for (unsigned int b = 0; b < INST_TABLE && !err; b++) {
		otst_walk_hlist(list->o, table + 8 * (uint64_t)b, &w);
		while (!err && otst_walk_next(&w, &node)) {
			node -= link->offset;
			if (otst_read_u64(list->o, node + owner->offset, &task))
				task = 0;
			err = add_inflight_record(list, OTST_INFLIGHT_KRETPROBE, node, task,
						  read_instance);
		}
		if (!err && w.err)
			err = otst_note(list->o, &list->errors,
					otst_fail(list->o, w.err, "kretprobe_inst_table[%u]", b));
	}
	return err;
}

/* read once per command; NULL in @ret when the kernel has none */
static int get_table(struct otst *o, const struct otst_inflight_list **ret)
{
	void **place = otst_memo(o, &table_key);
	uint64_t table = otst_symbol_or0(o, "kretprobe_inst_table");
	struct otst_inflight_list *list;
	int err;

	*ret = NULL;
	if (!table)
		return 0;
	if (!*place) {
		list = otst_new(o, sizeof(*list));
		list->o = o;
		err = read_instances(list, table);
		if (err)
			return err;
		*place = list;
	}
	*ret = *place;
	return 0;
}

static int add_from_table(struct otst_inflight_list *list, uint64_t task)
{
	struct otst_inflight **slot, **items;
	const struct otst_inflight_list *table;
	int err = get_table(list->o, &table);

	if (err || !table)
		return err;
	items = table->items.data;
	for (size_t i = 0; i < table->items.count; i++) {
		if (items[i]->task != task)
			continue;
		slot = otst_vec_push(list->o, &list->items, sizeof(*slot));
		*slot = items[i];
	}
	return 0;
}

/* ---- the lists ---- */

/*
 * How many inner calls of the same function have a record of this family that holds the
 * other family's trampoline. For records without a slot, nothing else tells which belong
 * together.
 */
static size_t count_inner(struct otst *o, struct otst_inflight *const *items, size_t at)
{
	enum otst_family family = otst_inflight_family(items[at]), of;
	size_t k, n = 0;

	for (k = 0; k < at; k++)
		n += otst_inflight_family(items[k]) == family &&
		     items[k]->func == items[at]->func &&
		     otst_trampoline(o, items[k]->ret_addr, &of) && of != family;
	return n;
}

/* the next record of @at's family and slot: it has the address from before this family's */
static size_t find_same_call(struct otst_inflight *const *items, size_t count, size_t at)
{
	for (size_t k = at + 1; k < count; k++) {
		if (otst_inflight_family(items[k]) == otst_inflight_family(items[at]) &&
		    items[k]->slot == items[at]->slot)
			return k;
	}
	return count;
}

/* the outermost record of the other family for that call */
static size_t find_other(struct otst *o, struct otst_inflight *const *items, size_t count,
			 size_t at)
{
	enum otst_family family = otst_inflight_family(items[at]), of;
	size_t k, n = count_inner(o, items, at);

	for (k = 0; k < count; k++) {
		const struct otst_inflight *i = items[k];

		/* with its own family's trampoline, the family's next record is of the same call */
		if (otst_inflight_family(i) == family ||
		    (otst_trampoline(o, i->ret_addr, &of) && of != family))
			continue;
		if (i->slot && items[at]->slot ? i->slot == items[at]->slot :
						 i->func == items[at]->func && !n--)
			return k;
	}
	return count;
}

/*
 * Which record has the real caller of item @at: when another probe had already replaced
 * the address, that probe's record has it. Records of one return address follow each
 * other and, where they have a slot, have the same one. Function graph and return probes
 * each have records of their own.
 */
static const struct otst_inflight *
find_inflight_keeper(struct otst *o, struct otst_inflight *const *items, size_t count, size_t at)
{
	enum otst_family of;
	size_t steps;

	for (steps = 0; steps < count && at < count; steps++) {
		if (!otst_trampoline(o, items[at]->ret_addr, &of))
			return items[at]->ret_addr ? items[at] : NULL;
		at = of == otst_inflight_family(items[at]) ? find_same_call(items, count, at) :
							     find_other(o, items, count, at);
	}
	return NULL;
}

static int add_inflight_task(struct otst_inflight_list *list, uint64_t task)
{
	struct otst_inflight **items;
	size_t first = list->items.count, i, n;
	int err = add_from_table(list, task);

	if (!err)
		err = add_llist(list, task, "kretprobe_instances", "kretprobe_instance",
				OTST_INFLIGHT_KRETPROBE, read_instance);
	if (!err)
		err = add_llist(list, task, "rethooks", "rethook_node", OTST_INFLIGHT_RETHOOK,
				read_rethook);
	err = err ?: otst_inflight_graph(list, task);
	if (err)
		return err;
	items = (struct otst_inflight **)list->items.data + first;
	n = list->items.count - first;
	for (i = 0; i < n; i++) {
		items[i]->keeper = find_inflight_keeper(list->o, items, n, i);
		items[i]->caller = items[i]->keeper ? items[i]->keeper->ret_addr : 0;
		otst_symbolize_all(list->o, items[i]->func, &items[i]->func_sym);
		otst_symbolize_all(list->o, items[i]->caller, &items[i]->caller_sym);
		otst_symbolize_code(list->o, items[i]->handler, &items[i]->handler_sym);
	}
	return 0;
}

static void hand_out_calls(const struct otst_inflight_list *list, struct otst_inflights *ret)
{
	*ret = (struct otst_inflights){
		.items = list->items.data,
		.count = list->items.count,
		.errors = list->errors,
	};
}

int otst_inflight_task(struct otst *o, uint64_t task, struct otst_inflights *ret)
{
	struct otst_inflight_list list = { .o = o };
	int err = add_inflight_task(&list, task);

	if (!err)
		hand_out_calls(&list, ret);
	return err;
}

/* instances of the old table whose task is not among the tasks */
static void add_strays(struct otst_inflight_list *list, const struct otst_inflight_list *table)
{
	struct otst_inflight **items = table->items.data, **slot;

	for (size_t i = 0; i < table->items.count; i++) {
		if (otst_task_at(list->o, items[i]->task))
			continue;
		slot = otst_vec_push(list->o, &list->items, sizeof(*slot));
		*slot = items[i];
		if (!items[i]->error)
			items[i]->error = "its task is not on the kernel's list";
	}
	otst_notes(list->o, &list->errors, &table->errors);
}

int otst_inflight(struct otst *o, struct otst_inflights *ret)
{
	struct otst_inflight_list list = { .o = o };
	const struct otst_tasks *tasks;
	const struct otst_inflight_list *table;
	int err = otst_tasks(o, &tasks);

	for (size_t i = 0; !err && i < tasks->count; i++) {
		err = otst_check(o);
		err = err ?: add_inflight_task(&list, tasks->items[i]->addr);
	}
	err = err ?: get_table(o, &table);
	if (!err && table)
		add_strays(&list, table);
	if (!err)
		hand_out_calls(&list, ret);
	return err;
}
