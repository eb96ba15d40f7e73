// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * callchain.c - trace source "callchain": the buffers of kernel/events/callchain.c
 * into which get_perf_callchain() takes stacks, for perf's samples and for BPF's
 * stack helpers. There is one for each cpu and each context that may interrupt the
 * others.
 *
 * A buffer in use holds as much of a stack as had been taken when the kernel stopped.
 * The others still hold the last stack taken there; who wanted it, and when, is not
 * kept.
 */
#include <inttypes.h>

#include "../rings/perf_sample.h"
#include "../tasks/task.h"
#include "perf/perf.h"

#define WORD	   8u
#define CONTEXTS   4u /* PERF_NR_CONTEXTS */
#define MOST_WORDS (1u << 20)
#define USER_START 4096u

static const char *const contexts[CONTEXTS] = { "task", "softirq", "hardirq", "NMI" };

/*
 * @entries: member cpu_entries[] of callchain_cpus_entries
 * @most: addresses and marks that a buffer has room for
 * @in_use: per-cpu callchain_recursion[], @width bytes for each context
 * @all: also read buffers that are not in use
 * @empty: number of buffers that hold no stack
 */
struct source {
	struct otst *o;
	struct otst_traces *traces;
	bool all;
	uint64_t entries;
	uint64_t most;
	uint64_t in_use;
	unsigned int width;
	size_t empty;
};

/* one buffer */
struct buffer {
	unsigned int cpu;
	unsigned int context;
	bool busy;
	uint64_t addr;
	uint64_t count;
	const uint8_t *words;
};

/* ---- how large they are ---- */

/*
 * Linux c85b03349640 ("perf core: Separate accounting of contexts and real
 * addresses in a stack trace") (v4.8) made room for marks beside the addresses;
 * c5dfd78eb798 ("perf core: Allow setting up max frame stack depth via sysctl")
 * (v4.7) made the number of addresses a variable. Before that, the struct has an array.
 */
static int read_room(struct source *s)
{
	uint64_t depth = otst_symbol_or0(s->o, "sysctl_perf_event_max_stack"), size;
	uint64_t others = otst_symbol_or0(s->o, "sysctl_perf_event_max_contexts_per_stack");
	uint32_t addresses = 0, marks = 0;
	int err;

	if (depth) {
		err = otst_read_u32(s->o, depth, &addresses);
		if (!err && others)
			err = otst_read_u32(s->o, others, &marks);
		s->most = (uint64_t)addresses + marks;
	} else {
		err = otst_type_size(s->o, "perf_callchain_entry", &size);
		s->most = err ? 0 : size / WORD - 1;
	}
	if (!err && (!s->most || s->most > MOST_WORDS))
		err = otst_raise(s->o, OTST_ERR_CORRUPT,
				 "a callchain has room for %" PRIu64 " entries", s->most);
	return err;
}

/*
 * Linux "perf: Shrink the size of the recursion counter." (v6.11) turned ints into
 * bytes, here and in struct swevent_htable, whose array then moved to the tasks.
 */
static int read_width(struct source *s)
{
	const struct otst_member *m;
	int err;

	s->width = 1;
	if (!otst_has_member(s->o, "swevent_htable", "recursion"))
		return 0;
	err = otst_member(s->o, "swevent_htable", "recursion", &m);
	if (!err)
		s->width = m->size >= CONTEXTS * 4 ? 4 : 1;
	return err;
}

/* ---- one buffer ---- */

/* a stack without a mark begins with an address: BPF takes either the kernel or the user stack */
static bool is_address(struct otst *o, uint64_t entry)
{
	return otst_is_kernel_pointer(o, entry) ||
	       (entry >= USER_START && entry < otst_kernel(o)->arch->space.user_end);
}

/* does an unused buffer hold a stack, and not what was in that memory before */
static bool holds_stack(struct otst *o, const struct buffer *b)
{
	uint64_t i, entry = otst_get(o, b->words, WORD);
	bool kernel = otst_is_kernel_pointer(o, entry);

	if (!otst_perf_is_mark(entry) && !is_address(o, entry))
		return false;
	for (i = 0; i < b->count; i++) {
		entry = otst_get(o, b->words + i * WORD, WORD);
		if (otst_perf_is_mark(entry))
			kernel = entry == OTST_PERF_MARK_KERNEL;
		else if (kernel && !otst_is_kernel_pointer(o, entry))
			return false;
	}
	return true;
}

static int read_words(struct source *s, struct buffer *b)
{
	uint8_t *words;
	int err = otst_read_u64(s->o, b->addr, &b->count);

	if (err)
		return err;
	if (b->count > s->most)
		return otst_raise(s->o, OTST_ERR_CORRUPT,
				  "%" PRIu64 " entries where there is room for %" PRIu64, b->count,
				  s->most);
	words = otst_alloc(s->o, (b->count + 1) * WORD);
	if (!words)
		return otst_no_memory(s->o);
	b->words = words;
	return otst_read(s->o, b->addr + WORD, words, b->count * WORD);
}

static int set_task(struct source *s, struct otst_trace *t)
{
	uint64_t addr = otst_task_current(s->o, (unsigned int)t->cpu);
	struct otst_task task;
	int err = addr ? otst_task_read(s->o, addr, &task) : 0;

	if (addr && !err) {
		t->pid = (int64_t)task.pid;
		t->comm = task.comm;
	}
	return err;
}

static int add_callchain_trace(struct source *s, const struct buffer *b)
{
	struct otst_trace *t = otst_trace_add(s->traces, OTST_SOURCE_CALLCHAIN);
	struct otst_vec lines = { 0 };
	bool kernel;

	t->seq = b->cpu * CONTEXTS + b->context;
	t->cpu = (int)b->cpu;
	t->where = otst_format(s->o, "callchain entry 0x%" PRIx64, b->addr);
	t->headline = otst_format(s->o, "%s in %s context",
				  b->busy ? "a callchain was being taken" :
					    "left over from the last callchain on this cpu",
				  contexts[b->context]);
	kernel = b->count && otst_is_kernel_pointer(s->o, otst_get(s->o, b->words, WORD));
	otst_perf_chain_lines(s->o, b->words, b->count, kernel, &lines);
	t->lines = lines.data;
	t->nr_lines = lines.count;
	t->truncated = b->busy;
	return b->busy ? set_task(s, t) : 0;
}

static int read_chain_buffer(struct source *s, struct buffer *b)
{
	int err = read_words(s, b);

	/* a buffer that was never used holds what was there before */
	if (!b->busy &&
	    (err == OTST_ERR_CORRUPT || (!err && (!b->count || !holds_stack(s->o, b))))) {
		s->empty++;
		return 0;
	}
	if (!err)
		return add_callchain_trace(s, b);
	if (otst_fatal(err))
		return err;
	otst_fail(s->o, err, "callchain entry 0x%" PRIx64 " of cpu %u, %s context%s", b->addr,
		  b->cpu, contexts[b->context], b->busy ? ", in use" : "");
	return otst_traces_note(s->traces, err);
}

/* ---- all of a cpu ---- */

static int read_callchain_cpu(struct source *s, unsigned int cpu)
{
	uint8_t used[CONTEXTS * 4];
	struct buffer b = { .cpu = cpu };
	uint64_t first;
	int err = otst_read(s->o, otst_percpu(s->o, s->in_use, cpu), used, CONTEXTS * s->width);

	if (err)
		return otst_fail(s->o, err, "callchain_recursion of cpu %u", cpu);
	err = otst_read_u64(s->o, s->entries + cpu * WORD, &first);
	/* this is not a possible cpu */
	if (!err && !first)
		return 0;
	if (!err && (!otst_is_kernel_pointer(s->o, first) || first % WORD))
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "it is 0x%" PRIx64, first);
	if (err)
		return otst_fail(s->o, err, "callchain_cpus_entries->cpu_entries[%u]", cpu);
	for (b.context = 0; b.context < CONTEXTS && !err; b.context++) {
		b.busy = otst_get(s->o, used + b.context * s->width, s->width);
		b.addr = first + b.context * (s->most + 1) * WORD;
		if (b.busy || s->all)
			err = read_chain_buffer(s, &b);
	}
	return err;
}

static void note_empty(struct source *s)
{
	if (!s->empty)
		return;
	otst_note_text(s->o, &s->traces->notes,
		       otst_format(s->o, "callchain: %zu of %u buffer%s hold%s no stack", s->empty,
				   otst_kernel(s->o)->nr_cpus * CONTEXTS,
				   otst_number(otst_kernel(s->o)->nr_cpus * CONTEXTS, "", "s"),
				   otst_number(s->empty, "s", "")));
}

int otst_source_callchain(struct otst *o, const struct otst_trace_filter *filter,
			  struct otst_traces *ret)
{
	/* most leftover stacks are also in a sample or a map */
	struct source s = { .o = o, .traces = ret, .all = filter->sources };
	const struct otst_member *m;
	uint64_t addr;
	int err;

	s.in_use = otst_symbol_or0(o, "callchain_recursion");
	if (!s.in_use || !otst_has_symbol(o, "callchain_cpus_entries"))
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel takes no callchains");
	err = otst_read_u64(o, otst_symbol_or0(o, "callchain_cpus_entries"), &addr);
	if (err)
		return otst_traces_note(ret, otst_fail(o, err, "callchain_cpus_entries"));
	/* nobody uses callchains now */
	if (!addr)
		return 0;
	err = otst_member(o, "callchain_cpus_entries", "cpu_entries", &m);
	err = err ?: read_room(&s);
	err = err ?: read_width(&s);
	if (err)
		return otst_traces_note(ret, otst_fail(o, err, "buffers of callchains"));
	s.entries = addr + m->offset;
	for (unsigned int cpu = 0; cpu < otst_kernel(o)->nr_cpus && !err; cpu++) {
		err = read_callchain_cpu(&s, cpu);
		if (err)
			err = otst_traces_note(ret, err);
	}
	if (!err)
		note_empty(&s);
	return err;
}
