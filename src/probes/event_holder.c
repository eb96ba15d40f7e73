// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * event_holder.c - tools give the events that they make names with their process: an event whose
 * process is gone is left over. That process may have had its number in a container: it is looked
 * for among the numbers of all namespaces (struct pid of include/linux/pid.h).
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../base/hashmap.h"
#include "../tasks/task.h"
#include "perf_event.h"

#define MOST_LEVELS 32u /* MAX_PID_NS_LEVEL */

/* processes by their numbers plus one; false when not all tasks could be read */
struct processes {
	struct otst_hashmap by_number;
	bool complete;
};

/* ---- numbers in names ---- */

/* a number that the name ends with: "p_vfs_read_bcc_1234" */
static bool ends_with_number(const char *name, const char *before, uint64_t *ret)
{
	const char *at = name + strlen(name);
	size_t len = strlen(before);

	while (at > name && isdigit((unsigned char)at[-1]))
		at--;
	if (!*at || (size_t)(at - name) < len || strncmp(at - len, before, len) != 0)
		return false;
	*ret = strtoull(at, NULL, 10);
	return true;
}

/* "libbpf_1234_vfs_read_0x0" */
static bool begins_with_number(const char *name, const char *before, uint64_t *ret)
{
	char *end;

	if (strncmp(name, before, strlen(before)) != 0 ||
	    !isdigit((unsigned char)name[strlen(before)]))
		return false;
	*ret = strtoull(name + strlen(before), &end, 10);
	return *end == '_';
}

/* "p_vfs_read_UID_1234"; the kernel's own names are p_vfs_read_0, by the offset */
static bool is_managers(const char *event, const char *symbol, uint64_t *ret)
{
	size_t len = symbol ? strlen(symbol) : 0;
	const char *rest;

	if (!len || (event[0] != 'p' && event[0] != 'r') || event[1] != '_' ||
	    strncmp(event + 2, symbol, len) != 0)
		return false;
	rest = event + 2 + len;
	return rest[0] == '_' && rest[1] != '_' && strchr(rest + 1, '_') &&
	       ends_with_number(rest, "_", ret);
}

/* bcc and bpftrace, libbpf, auditbeat's group, the eBPF manager of Datadog's agent */
static bool find_number(const char *group, const char *event, const char *symbol, uint64_t *ret)
{
	return (ends_with_number(event, "_bcc_", ret) ||
		begins_with_number(event, "libbpf_", ret) ||
		ends_with_number(group, "auditbeat_", ret) || is_managers(event, symbol, ret)) &&
	       *ret;
}

/* ---- processes ---- */

static void add_number(struct otst *o, struct processes *p, uint64_t number,
		       const struct otst_task *t)
{
	void **place = otst_hashmap_place(o, &p->by_number, number + 1);

	if (place && !*place)
		*place = (void *)(uintptr_t)t;
}

/* its numbers in the namespaces below the first; false when they cannot be read */
static bool add_other_holders(struct otst *o, struct processes *p, const struct otst_task *t)
{
	const struct otst_member *numbers;
	uint64_t pid, level, size, number, i;

	if (otst_read_member(o, "task_struct", t->addr, "thread_pid", &pid) || !pid ||
	    otst_read_member(o, "pid", pid, "level", &level) || level > MOST_LEVELS ||
	    otst_member(o, "pid", "numbers", &numbers) || otst_type_size(o, "upid", &size))
		return false;
	for (i = 1; i <= level; i++) {
		if (otst_read_member(o, "upid", pid + numbers->offset + i * size, "nr", &number))
			return false;
		add_number(o, p, number, t);
	}
	return true;
}

static const struct processes *all_processes(struct otst *o)
{
	static const char key;
	const struct doubts doubts = o->doubts;
	const struct otst_tasks *tasks;
	void **memo = otst_memo(o, &key);
	struct processes *p = *memo;

	if (p)
		return p;
	*memo = p = otst_new(o, sizeof(*p));
	if (!otst_tasks(o, &tasks)) {
		p->complete = !tasks->errors.count;
		for (size_t i = 0; i < tasks->count; i++) {
			const struct otst_task *t = tasks->items[i];

			p->complete &= !t->error;
			if (t->idle || t->pid != t->tgid)
				continue;
			add_number(o, p, t->pid, t);
			p->complete &= add_other_holders(o, p, t);
		}
	}
	o->doubts = doubts;
	return p;
}

void otst_event_holder(struct otst *o, struct otst_probe *p, const char *group, const char *event)
{
	const struct processes *all;
	const struct otst_task *t;
	const char *name;
	uint64_t number;

	if (!find_number(group, event, p->symbol_name, &number))
		return;
	all = all_processes(o);
	t = otst_hashmap_find(&all->by_number, number + 1);
	if (!t && !all->complete)
		return;
	name = t ? otst_format(o, "%" PRIu64 " %s", t->pid, t->comm ? t->comm : "?") :
		   otst_format(o, "%" PRIu64 ", which is gone", number);
	otst_probe_fact(o, p, "process", name, 0);
	p->left = !t;
}
