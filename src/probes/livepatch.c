// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * livepatch.c - klp_patches of kernel/livepatch/core.c: each function that a
 * live patch replaces. The latest patch counts: the kernel keeps the
 * replacements of a function on a stack, and runs the top one.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "../tasks/task.h"
#include "probes.h"

#define MAX_ARRAY  4096u /* functions of an object, objects of a patch */
#define MAX_NAME   512
#define MOST_NAMES 8u /* of tasks that have not moved */

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
	const char *patch; /**< name of the module */
	bool enabled;
	uint64_t transition; /**< the patch that tasks are moving to or from, 0 when none */
	const struct otst_transition *moving; /**< NULL when not known */
	const char *direction;		      /**< which of these */
	uint64_t addr;			      /**< struct klp_patch */
	const char *object; /**< what its functions are in: "vmlinux", or a module */
	bool is_loaded;	    /**< the object is in memory */
};

/* is a function above @func on the stack of replacements; klp_func.stack_node, newest first */
static int is_covered(struct otst *o, struct otst_view *func, bool *ret)
{
	const struct otst_member *node, *top, *fops;
	uint64_t stack = otst_u64(func, "stack_node.prev");

	*ret = false;
	if (func->err || otst_member(o, "klp_func", "stack_node", &node) ||
	    otst_member(o, "klp_ops", "func_stack", &top) ||
	    otst_member(o, "klp_ops", "fops", &fops))
		return func->err;
	/* the top one's neighbour is the head, in a struct klp_ops whose ops is the kernel's */
	if (stack) {
		uint64_t callback, offset = fops->offset - top->offset;
		int err = otst_read_member(o, "ftrace_ops", stack + offset, "func", &callback);

		if (err)
			return err;
		*ret = !otst_handler_is(o, callback, "klp_ftrace_handler");
	}
	return 0;
}

/* the state that the names of the record's members do not tell; NULL when there is none */
static const char *state_of(struct listing *list, struct otst_view *func, bool covered)
{
	if (covered)
		return "covered by a later patch";
	if (!list->is_loaded)
		return "its object is not loaded";
	/* made by the kernel for functions of a patch being replaced, until all tasks have moved */
	return otst_u64_or(func, "nop", 0) ? "calls the original function" : NULL;
}

/* "2 tasks: bash/123, sshd/77" */
static const char *name_waiting(struct otst *o, const struct otst_transition *t)
{
	const struct otst_task *const *tasks = t->waits.data;
	size_t i, n = t->waits.count;
	const char *names = "";

	for (i = 0; i < n && i < MOST_NAMES; i++)
		names = otst_format(o, "%s%s%s/%" PRIu64, names, i ? ", " : ": ",
				    tasks[i]->comm ? tasks[i]->comm : "?", tasks[i]->pid);
	return otst_format(o, "%zu task%s%s%s", n, otst_number(n, "", "s"), names,
			   n > MOST_NAMES ? ", .." : "");
}

static int judge_patch(struct listing *list, struct otst_view *func, struct otst_probe *p)
{
	bool patched = otst_u64_or(func, "patched", 1), covered = false;
	const char *state;
	int err = patched ? is_covered(list->o, func, &covered) : 0;

	if (err)
		return err;
	p->claim = patched && !covered ? OTST_CLAIM_ARMED :
		   patched	       ? OTST_CLAIM_DISABLED :
					 OTST_CLAIM_UNUSED;
	p->via = patched ? OTST_VIA_FTRACE : OTST_VIA_NONE;
	if (p->addr)
		otst_evidence(list->o, p->addr, 0, &p->evidence);
	else
		p->evidence.seen = OTST_SEEN_NONE;
	if (patched &&
	    (p->evidence.seen == OTST_SEEN_UNTOUCHED || p->evidence.seen == OTST_SEEN_COVERED))
		p->disagree = "patched by a call at an ftrace site, but there is none";
	state = state_of(list, func, covered);
	if (state)
		otst_probe_fact(list->o, p, "state", state, 0);
	otst_probe_fact(list->o, p, "patch_enabled", list->enabled ? "yes" : "no", 0);
	if (list->transition == list->addr) {
		otst_probe_fact(list->o, p, "transition", list->direction, 0);
		p->transition = list->moving;
		if (list->moving)
			otst_probe_fact(list->o, p, "waits_for",
					name_waiting(list->o, list->moving), 0);
	}
	return 0;
}

static int add_patched_function(struct listing *list, uint64_t func)
{
	struct otst *o = list->o;
	struct otst_probe *p;
	struct otst_view v;
	int err;

	p = otst_probe_add(o, &list->probes, OTST_PROBE_LIVEPATCH, func, "klp_patches");
	p->owner = (struct otst_owner){ .kind = OTST_OWNER_LIVEPATCH, .name = list->patch };
	err = otst_read_member_string(o, "klp_func", func, "old_name", MAX_NAME, &p->symbol_name);
	err = err ?: otst_view_read(o, "klp_func", func, &v);
	if (!err) {
		/* renamed when it became a pointer, in v5.1 */
		const char *old = otst_view_has(&v, "old_func") ? "old_func" : "old_addr";

		p->addr = otst_u64(&v, old);
		/* an object that is not loaded has no addresses */
		if (p->addr)
			p->addr = otst_ftrace_location(o, p->addr);
		else
			p->target = p->symbol_name;
		otst_symbolize_all(o, p->addr, &p->sym);
		otst_handler_add(o, p, OTST_HANDLER_REPLACEMENT, otst_u64(&v, "new_func"));
		otst_probe_fact(o, p, "object", list->object, 0);
	}
	err = err ?: judge_patch(list, &v, p);
	return otst_probe_error(o, p, err ? err : v.err);
}

static int name_object(struct listing *list, uint64_t object)
{
	uint64_t name, mod;
	int err;

	list->object = "vmlinux";
	list->is_loaded = true;
	err = otst_read_member(list->o, "klp_object", object, "name", &name);
	if (err || !name)
		return err;
	err = otst_read_string(list->o, name, MAX_NAME, &list->object);
	err = err ?: otst_read_member(list->o, "klp_object", object, "mod", &mod);
	list->is_loaded = !err && mod;
	return err;
}

static int walk_functions(struct listing *l, uint64_t object)
{
	const struct otst_member *list, *node;
	struct otst_walk w;
	uint64_t at, func;
	unsigned int n = 0;
	int err = name_object(l, object);

	/*
	 * Since v5.1, where there is func_list, objects and functions are on lists;
	 * before, they are in arrays that end with zeros
	 */
	if (!err && !otst_member(l->o, "klp_object", "func_list", &list)) {
		err = otst_member(l->o, "klp_func", "node", &node);
		otst_walk_list(l->o, object + list->offset, &w);
		while (!err && otst_walk_next(&w, &func))
			err = add_patched_function(l, func - node->offset);
		return err ? err : w.err;
	}
	err = err ?: otst_read_member(l->o, "klp_object", object, "funcs", &func);
	while (!err && func) {
		uint64_t size;

		err = otst_read_member(l->o, "klp_func", func, "old_name", &at);
		if (err || !at)
			break;
		if (n++ == MAX_ARRAY)
			return otst_raise(l->o, OTST_ERR_CORRUPT, "its functions have no end");
		err = add_patched_function(l, func);
		err = err ?: otst_type_size(l->o, "klp_func", &size);
		err = err ?: otst_check(l->o);
		func += err ? 0 : size;
	}
	return err;
}

static int walk_objects(struct listing *l, uint64_t patch)
{
	const struct otst_member *list, *node;
	struct otst_walk w;
	uint64_t object, size, at;
	unsigned int n = 0;
	int err = 0;

	if (!otst_member(l->o, "klp_patch", "obj_list", &list)) {
		err = otst_member(l->o, "klp_object", "node", &node);
		otst_walk_list(l->o, patch + list->offset, &w);
		while (!err && otst_walk_next(&w, &object))
			err = walk_functions(l, object - node->offset);
		return err ? err : w.err;
	}
	err = otst_read_member(l->o, "klp_patch", patch, "objs", &object);
	err = err ?: otst_type_size(l->o, "klp_object", &size);
	for (; !err; object += size) {
		err = otst_read_member(l->o, "klp_object", object, "funcs", &at);
		if (err || !at)
			break;
		if (n++ == MAX_ARRAY)
			return otst_raise(l->o, OTST_ERR_CORRUPT, "its objects have no end");
		err = walk_functions(l, object);
		err = err ?: otst_check(l->o);
	}
	return err;
}

static int add_patch(struct listing *list, uint64_t patch)
{
	const struct otst_member *name;
	const char *enabled = otst_either(list->o, "klp_patch", "enabled", "state");
	uint64_t mod, value;
	int err;

	list->addr = patch;
	list->patch = NULL;
	err = otst_read_member(list->o, "klp_patch", patch, "mod", &mod);
	err = err ?: otst_member(list->o, "module", "name", &name);
	if (!err && mod)
		err = otst_read_string(list->o, mod + name->offset, name->size, &list->patch);
	err = err ?: otst_read_member(list->o, "klp_patch", patch, enabled, &value);
	if (!err) {
		list->enabled = value;
		err = walk_objects(list, patch);
	}
	return err ? otst_note(list->o, &list->errors,
			       otst_fail(list->o, err, "live patch 0x%" PRIx64, patch)) :
		     0;
}

/* whose patch_state is not what it is to become; a task that idles has none */
static const struct otst_transition *find_waiting(struct otst *o, uint32_t target)
{
	const struct otst_task **slot;
	struct otst_transition *ret;
	const struct otst_tasks *tasks;
	uint64_t state;

	if (!otst_has_member(o, "task_struct", "patch_state") || otst_tasks(o, &tasks))
		return NULL;
	ret = otst_new(o, sizeof(*ret));
	ret->leaves = !target;
	for (size_t i = 0; i < tasks->count; i++) {
		if (otst_read_member(o, "task_struct", tasks->items[i]->addr, "patch_state",
				     &state) ||
		    (uint32_t)state > 1 || (uint32_t)state == target)
			continue;
		slot = otst_vec_push(o, &ret->waits, sizeof(*slot));
		*slot = tasks->items[i];
	}
	return ret;
}

/* Linux d83a7cb375ee ("livepatch: change to a per-task consistency model") (v4.12) */
static void find_transition(struct listing *list)
{
	uint64_t patch = otst_symbol_or0(list->o, "klp_transition_patch");
	uint64_t target = otst_symbol_or0(list->o, "klp_target_state");
	uint32_t value;

	list->direction = "in progress";
	if (!patch || otst_read_u64(list->o, patch, &list->transition))
		list->transition = 0;
	/* KLP_TRANSITION_UNPATCHED and PATCHED, without TRANSITION_ up to v6.9 */
	if (!target || otst_read_u32(list->o, target, &value) || value > 1)
		return;
	list->direction = value ? "tasks move to it" : "tasks leave it";
	if (list->transition)
		list->moving = find_waiting(list->o, value);
}

int otst_livepatches(struct otst *o, struct otst_probes *ret)
{
	struct listing list = { .o = o };
	const struct otst_member *link;
	uint64_t head, patch;
	struct otst_walk w;
	int err;

	err = otst_symbol(o, "klp_patches", &head);
	if (err)
		return otst_fail(o, err, "this kernel has no live patching");
	err = otst_member(o, "klp_patch", "list", &link);
	if (err)
		return err;
	find_transition(&list);
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &patch))
		err = add_patch(&list, patch - link->offset);
	if (!err && w.err)
		err = otst_note(o, &list.errors, otst_fail(o, w.err, "klp_patches"));
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
