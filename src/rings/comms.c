// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * comms.c - names and thread groups of tasks as the tracers noted them:
 * __trace_find_cmdline() and trace_find_tgid() of kernel/trace/trace.c,
 * kernel/trace/trace_sched_switch.c since 6.10.
 *
 * A pid leads to a slot of a small table, and the slot names the pid that has
 * it now. Kernels before 5.14 do not check the slot, because they clear a pid's
 * link to it when another pid takes the slot; so the answer is the same.
 */
#include <string.h>

#include "../base/coverage.h"
#include "rings.h"

#define PID_MAX	 0x8000u /* PID_MAX_DEFAULT */
#define COMM_LEN 16u
#define MAX_NUM	 65536u
#define OLD_NUM	 128u /* SAVED_CMDLINES where the table is not a struct */

struct comms {
	uint32_t slot[PID_MAX + 1]; /* of a pid's low bits */
	uint32_t num;
	uint32_t *pid; /* of a slot */
	const char **comm;
	bool partial; /* some of it could not be read */
};

/* where the three parts are in the dump */
struct places {
	uint64_t slots;
	uint64_t pids;
	uint64_t comms;
	uint64_t num;
};

/* read as much as the dump has, and set the rest to @fill */
static int read_parts(struct otst *o, struct comms *c, uint64_t addr, uint8_t *to, size_t len,
		      int fill)
{
	size_t n;
	int err = otst_read(o, addr, to, len);

	for (; err && len && !otst_fatal(err); to += n, addr += n, len -= n) {
		n = OTST_CHUNK - addr % OTST_CHUNK;
		n = n < len ? n : len;
		if (otst_read(o, addr, to, n)) {
			memset(to, fill, n);
			c->partial = true;
		}
	}
	return err && otst_fatal(err) ? err : 0;
}

static int find_struct(struct otst *o, uint64_t pointer, struct places *ret)
{
	const struct otst_member *slots, *comms;
	uint64_t at;
	int err = otst_read_u64(o, pointer, &at);

	err = err ?: otst_member(o, "saved_cmdlines_buffer", "map_pid_to_cmdline", &slots);
	err = err ?: otst_member(o, "saved_cmdlines_buffer", "saved_cmdlines", &comms);
	if (!err)
		err = otst_read_member(o, "saved_cmdlines_buffer", at, "map_cmdline_to_pid",
				       &ret->pids);
	err = err ?: otst_read_member(o, "saved_cmdlines_buffer", at, "cmdline_num", &ret->num);
	if (err)
		return err;
	ret->slots = at + slots->offset;
	/*
	 * Linux 44dc5c41b5b1 ("tracing: Fix wasted memory in saved_cmdlines
	 * logic") (v6.8) made it an array at the end.
	 */
	if (comms->kind == OTST_KIND_POINTER)
		return otst_read_member(o, "saved_cmdlines_buffer", at, "saved_cmdlines",
					&ret->comms);
	ret->comms = at + comms->offset;
	return 0;
}

/* Linux 939c7a4f04fc ("tracing: Introduce saved_cmdlines_size file") (v3.16) made it a struct */
static int find_comm_table(struct otst *o, struct places *ret)
{
	uint64_t pointer = otst_symbol_or0(o, "savedcmd");
	int err;

	if (pointer)
		return otst_lack(o, find_struct(o, pointer, ret));
	err = otst_symbol(o, "map_pid_to_cmdline", &ret->slots);
	err = err ?: otst_symbol(o, "map_cmdline_to_pid", &ret->pids);
	err = err ?: otst_symbol(o, "saved_cmdlines", &ret->comms);
	ret->num = OLD_NUM;
	return err;
}

static void get_words(const struct otst *o, uint32_t *to, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (uint32_t)otst_get(o, &to[i], sizeof(*to));
}

static int keep_comms(struct otst *o, struct comms *c, const uint8_t *raw)
{
	for (uint32_t i = 0; i < c->num; i++) {
		char comm[COMM_LEN + 1] = { 0 }, *kept;
		const char *clean;

		memcpy(comm, raw + (size_t)i * COMM_LEN, COMM_LEN - 1);
		clean = otst_clean(o, comm);
		kept = otst_keep(o, strlen(clean) + 1);
		if (!kept)
			return otst_no_memory(o);
		strcpy(kept, clean);
		c->comm[i] = kept;
	}
	return 0;
}

static int read_cmdlines(struct otst *o, struct comms *c)
{
	struct places at = { 0 };
	uint8_t *raw;
	int err = find_comm_table(o, &at);

	if (err)
		return err;
	if (!at.num || at.num > MAX_NUM)
		return otst_raise(o, OTST_ERR_CORRUPT, "saved_cmdlines of %llu names",
				  (unsigned long long)at.num);
	c->pid = otst_keep(o, at.num * sizeof(*c->pid));
	c->comm = otst_keep(o, at.num * sizeof(*c->comm));
	raw = otst_alloc(o, at.num * COMM_LEN);
	if (!c->pid || !c->comm || !raw)
		return otst_no_memory(o);
	err = read_parts(o, c, at.slots, (uint8_t *)c->slot, sizeof(c->slot), 0xff);
	err = err ?: read_parts(o, c, at.pids, (uint8_t *)c->pid, at.num * sizeof(*c->pid), 0xff);
	err = err ?: read_parts(o, c, at.comms, raw, at.num * COMM_LEN, 0);
	if (err)
		return err;
	get_words(o, c->slot, PID_MAX + 1);
	get_words(o, c->pid, at.num);
	c->num = (uint32_t)at.num;
	return keep_comms(o, c, raw);
}

/* without a table there are no names */
static int find_comms(struct otst *o, const void *of, void *value)
{
	struct comms *c = value;
	int err = read_cmdlines(o, c);

	(void)of;
	if (err) {
		c->num = 0;
		c->partial = err != OTST_ERR_LOOKUP;
	}
	return otst_stopped(o);
}

static const struct otst_once comms = { .size = sizeof(struct comms),
					.make = find_comms,
					.moves = true };

/* NULL when the command was stopped */
static const struct comms *get_comms(struct otst *o)
{
	return otst_once_or_null(o, &comms, NULL);
}

static const char *comm_in(const struct comms *c, uint32_t slot, int32_t pid)
{
	return slot < c->num && c->pid[slot] == (uint32_t)pid ? c->comm[slot] : NULL;
}

const char *otst_comm(struct otst *o, int32_t pid)
{
	const struct comms *c;
	const char *comm = NULL;

	if (!pid)
		return "<idle>";
	if (pid < 0)
		return "<XXX>";
	c = get_comms(o);
	if (c)
		comm = comm_in(c, c->slot[(uint32_t)pid & (PID_MAX - 1)], pid);
	/* in old kernels, the one pid with an entry of its own after the others */
	if (c && !comm && pid == PID_MAX)
		comm = comm_in(c, c->slot[PID_MAX], pid);
	return comm ? comm : "<...>";
}

int otst_comms(struct otst *o, int (*each)(void *priv, int32_t pid, const char *comm), void *priv)
{
	const struct comms *c = get_comms(o);
	int err = 0;

	if (!c)
		return otst_no_memory(o);
	for (uint32_t i = 0; i < c->num && !err; i++) {
		int32_t pid = (int32_t)c->pid[i];

		if (pid > 0 && otst_comm(o, pid) == c->comm[i])
			err = each(priv, pid, c->comm[i]);
	}
	if (!err && c->partial)
		err = otst_raise(o, OTST_ERR_FAULT,
				 "the kernel's table of names cannot be read whole");
	return err;
}

int32_t otst_tgid(struct otst *o, int32_t pid)
{
	uint64_t pointer = otst_symbol_or0(o, "tgid_map"), last, map, max = PID_MAX;
	uint32_t tgid;

	/* Linux 4030a6e6a6a4 ("tracing: Resize tgid_map to pid_max, not PID_MAX_DEFAULT") (v5.14) */
	last = otst_symbol_or0(o, "tgid_map_max");
	if (!pointer || otst_read_u64(o, pointer, &map) || !map ||
	    (last && otst_read_u64(o, last, &max)) || pid < 0 || (uint64_t)pid > max ||
	    otst_read_u32(o, map + (uint64_t)pid * sizeof(tgid), &tgid))
		return 0;
	return (int32_t)tgid;
}
