// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * others.c - binary formats, consoles, line disciplines of terminals, keys of sysrq, handlers of
 * input, and what kernel threads run.
 */
#include <inttypes.h>

#include "../tasks/task.h"
#include "registered.h"

#define DISCIPLINES 30u /* NR_LDISCS */
#define KEYS	    62u /* of sysrq_key_table since 5.10; then the symbol behind it bounds it */

static int visit_format(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	static const char *const roles[] = { "load_binary", "?load_shlib", "?core_dump", NULL };

	return otst_registry_give_all(r, where, "linux_binfmt", at, roles);
}

static int visit_input(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	static const char *const roles[] = { "event", "?events", "filter", "connect", NULL };

	return otst_registry_give_all(r, where, "input_handler", at, roles);
}

/* ---- consoles ---- */

static int give_console(const struct otst_registered_walk *r, uint64_t at)
{
	static const char *const roles[] = { "write", "?write_atomic", "?write_thread", "setup",
					     NULL };

	return otst_registry_give_all(r, "console", "console", at, roles);
}

/* an hlist since 6.2; before that the symbol and the link have other names */
int otst_registered_consoles(const struct otst_registered_walk *r)
{
	uint64_t head = otst_symbol_or0(r->o, "console_list"),
		 old = head ? 0 : otst_symbol_or0(r->o, "console_drivers"), at;
	const struct otst_member *m;
	struct otst_walk w;
	int err;

	if (!head && !old)
		return 0;
	err = otst_member(r->o, "console", head ? "node" : "next", &m);
	err = err || !old ? err : otst_read_u64(r->o, old, &old);
	if (err)
		return otst_registry_lost(r, err, "consoles");
	if (head)
		otst_walk_hlist(r->o, head, &w);
	else
		otst_walk_chain(r->o, old, m->offset, 0, &w);
	while (!err && otst_walk_next(&w, &at))
		err = give_console(r, head ? at - m->offset : at);
	return err ?: otst_registry_lost(r, w.err, "consoles");
}

/* ---- threads ---- */

static int give_thread(const struct otst_registered_walk *r, const struct otst_task *t)
{
	uint64_t kthread;
	int err = otst_task_kthread(r->o, t, &kthread);

	if (err || !kthread)
		return otst_registry_lost(r, err, "a kernel thread");
	return otst_registry_give(
		r, otst_format(r->o, "kernel thread %s/%" PRIu64, t->comm ? t->comm : "?", t->pid),
		"kthread", kthread, "threadfn");
}

int otst_registered_threads(const struct otst_registered_walk *r)
{
	const struct otst_tasks *tasks;
	size_t i;
	int err;

	/* Linux 52782c92ac85 ("kthread: save thread function") */
	if (!otst_symbol_or0(r->o, "kthread_func"))
		return 0;
	err = otst_tasks(r->o, &tasks);
	if (err)
		return otst_registry_lost(r, err, "kernel threads");
	for (i = 0; i < tasks->count && !err; i++) {
		const struct otst_task *t = tasks->items[i];

		if (t->kthread && !t->idle && !t->error)
			err = give_thread(r, t);
	}
	return err;
}

/* ---- tables and lists ---- */

int otst_registered_formats(const struct otst_registered_walk *r)
{
	return otst_registry_list(r, "binary format",
				  otst_registry_head(r, "binary format", "formats"), "linux_binfmt",
				  "lh", visit_format);
}

int otst_registered_input(const struct otst_registered_walk *r)
{
	return otst_registry_list(r, "input handler",
				  otst_registry_head(r, "input handler", "input_handler_list"),
				  "input_handler", "node", visit_input);
}

int otst_registered_ttys(const struct otst_registered_walk *r)
{
	static const char *const roles[] = { "open",	    "close",	     "read",
					     "write",	    "ioctl",	     "poll",
					     "receive_buf", "?receive_buf2", NULL };

	return otst_registry_table(r, "tty_ldiscs", "tty_ldisc_ops", roles, DISCIPLINES);
}

int otst_registered_keys(const struct otst_registered_walk *r)
{
	static const char *const roles[] = { "handler", NULL };

	return otst_registry_table(r, "sysrq_key_table", "sysrq_key_op", roles, KEYS);
}
