// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ftrace.c - stacks that the kernel's own tracers wrote into ring buffers:
 * options stacktrace, userstacktrace and func_stack_trace, stacktrace triggers
 * (struct stack_entry and userstack_entry of kernel/trace/trace_entries.h).
 *
 * A stack belongs to the entry before it on its cpu. Records are streamed; only
 * stacks are kept, each distinct one once.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/tracing.h"
#include "traces.h"
#include "../probes/probes.h"
#include "../rings/rings.h"

#define WORD	     8u
#define USER_ENTRIES 8u /* FTRACE_STACK_ENTRIES */
#define EVENT_TEXT   1024u

/* FTRACE_TRAMPOLINE_MARKER: ftrace's own trampoline, no address */
#define TRAMPOLINE INT32_MAX

/* kinds of stacks that are kept once */
enum { KERNEL, USER };

struct search {
	struct otst *o;
	const struct otst_trace_filter *filter;
	struct otst_traces *ret;
	enum otst_source_kind source;
	const struct otst_trace_array *array;
	enum otst_clock clock;
	int64_t fn, stack, user_stack, first_event;
	uint64_t fn_ip, fn_parent, caller, user_caller;
	struct otst_record *before; /* by cpu: the entry that the next stack belongs to */
	struct otst_trace **open;   /* by cpu: the trace whose user stack may follow */
	unsigned int nr_cpus;
	struct otst_knowns known;
	uint64_t seq;
};

/* ---- layout ---- */

static int prepare_search(struct search *s)
{
	struct otst *o = s->o;
	int err;

	s->fn = otst_enumerator_or(o, "TRACE_FN", 1);
	s->stack = otst_enumerator_or(o, "TRACE_STACK", 4);
	s->user_stack = otst_enumerator_or(o, "TRACE_USER_STACK", -1);
	s->first_event = otst_enumerator_or(o, "__TRACE_LAST_TYPE", UINT16_MAX);
	s->nr_cpus = otst_kernel(o)->nr_cpus;
	s->before = otst_alloc(o, (s->nr_cpus + 1) * sizeof(*s->before));
	s->open = otst_alloc(o, (s->nr_cpus + 1) * sizeof(*s->open));
	if (!s->before || !s->open)
		return otst_no_memory(o);
	err = otst_offset(o, "ftrace_entry", "ip", &s->fn_ip);
	err = err ?: otst_offset(o, "ftrace_entry", "parent_ip", &s->fn_parent);
	err = err ?: otst_offset(o, "stack_entry", "caller", &s->caller);
	if (!err && s->user_stack >= 0)
		err = otst_offset(o, "userstack_entry", "caller", &s->user_caller);
	return err;
}

/* ---- lines ---- */

static void add_ring_line(struct otst *o, struct otst_vec *lines, uint64_t addr, bool user)
{
	struct otst_trace_line *line = otst_trace_line_add(o, lines);

	*line = (struct otst_trace_line){ .kind = OTST_LINE_FRAME, .addr = addr, .reliable = true };
	if (user) {
		line->cs = OTST_USER_CS;
		line->text = otst_format(o, "0x%" PRIx64, addr);
	} else if (addr == TRAMPOLINE) {
		line->addr = 0;
		line->text = "[FTRACE TRAMPOLINE]";
	}
}

static void make_lines(struct otst *o, struct otst_known *k)
{
	uint64_t addr;

	if (k->kind == USER)
		otst_trace_mark_add(o, &k->lines, OTST_USER_MARK);
	for (size_t at = 0; at + WORD <= k->size; at += WORD) {
		addr = otst_get(o, k->words + at, WORD);
		if (k->kind == USER ? !addr : addr == UINT64_MAX)
			break;
		add_ring_line(o, &k->lines, addr, k->kind == USER);
	}
}

/* ---- the entry before ---- */

static void describe_function(struct search *s, const struct otst_record *r, struct otst_trace *t)
{
	struct otst_sym sym, parent;
	uint64_t ip, from;

	if (r->size < s->fn_ip + WORD || r->size < s->fn_parent + WORD)
		return;
	ip = otst_get(s->o, r->data + s->fn_ip, WORD);
	from = otst_get(s->o, r->data + s->fn_parent, WORD);
	otst_symbolize(s->o, ip, &sym);
	otst_symbolize(s->o, from, &parent);
	t->probe = sym.name;
	t->probe_addr = ip;
	t->headline = otst_format(
		s->o, "%s <-%s", sym.name ? sym.name : otst_format(s->o, "0x%" PRIx64, ip),
		parent.name ? parent.name : otst_format(s->o, "0x%" PRIx64, from));
}

static int describe_event(struct search *s, const struct otst_record *r, struct otst_trace *t)
{
	const struct otst_event_format *f = otst_event_format(s->o, r->type);
	char text[EVENT_TEXT];
	int len;

	if (!f)
		return 0;
	len = otst_event_text(s->o, f, NULL, r, text, sizeof(text));
	if (len < 0 && otst_fatal(len))
		return len;
	/* one line */
	text[len < 0 ? 0 : strcspn(text, "\n")] = '\0';
	t->headline = otst_format(s->o, "%s: %s", f->name, text);
	return 0;
}

static int describe_record(struct search *s, const struct otst_record *r, struct otst_trace *t)
{
	if (!r->data)
		return 0;
	if (r->type == s->fn)
		describe_function(s, r, t);
	else if (r->type >= s->first_event)
		return describe_event(s, r, t);
	return 0;
}

/* ---- records ---- */

static int add_ring_trace(struct search *s, const struct otst_record *r, struct otst_trace **ret)
{
	const char *name = s->array->name;
	struct otst_trace *t = otst_trace_add(s->ret, s->source);

	t->clock = s->clock;
	t->clock_name = s->clock == OTST_CLOCK_TRACE ? s->array->clock : NULL;
	t->time = r->time;
	t->seq = ++s->seq;
	t->where = name ? otst_format(s->o, "instance %s", name) : "top trace array";
	t->cpu = (int)r->cpu;
	t->pid = r->pid;
	t->comm = otst_comm(s->o, r->pid);
	*ret = t;
	return describe_record(s, &s->before[r->cpu], t);
}

static int take_stack(struct search *s, const struct otst_record *r)
{
	bool user = r->type != s->stack;
	uint64_t at = user ? s->user_caller : s->caller;
	struct otst_trace *t = user ? s->open[r->cpu] : NULL;
	size_t size;
	struct otst_known *k = NULL;
	bool fresh = false;
	int err = 0;

	size = r->size > at ? r->size - at : 0;
	if (user && size > USER_ENTRIES * WORD)
		size = USER_ENTRIES * WORD;
	if (!t)
		err = add_ring_trace(s, r, &t);
	if (!err)
		err = otst_known_find(s->o, &s->known, user ? USER : KERNEL, r->data + at,
				      size - size % WORD, &k, &fresh);
	if (!err && fresh)
		make_lines(s->o, k);
	err = err ?: otst_known_append(s->o, t, k);
	s->open[r->cpu] = user ? NULL : t;
	return err;
}

static int take_ring_record(struct search *s, const struct otst_record *r)
{
	if (r->cpu >= s->nr_cpus)
		return 0;
	if (r->gap) {
		s->before[r->cpu].data = NULL;
		s->open[r->cpu] = NULL;
		otst_raise(s->o, OTST_ERR_CORRUPT,
			   "%s: cpu %u: %" PRIu32 " sub-buffer%s could not be read: %s",
			   otst_source_name(s->source), r->cpu, r->gap,
			   otst_number(r->gap, "", "s"), r->error ? r->error : "unknown");
		return otst_traces_note(s->ret, OTST_ERR_CORRUPT);
	}
	if (r->type == s->stack || (r->type == s->user_stack && s->user_stack >= 0))
		return take_stack(s, r);
	s->before[r->cpu] = *r;
	s->open[r->cpu] = NULL;
	return 0;
}

/* what of one cpu's ring could not be found */
static void note_cpu(struct search *s, const struct otst_ring_cpu *c)
{
	for (size_t i = 0; i < c->errors.count; i++)
		otst_note_text(s->o, &s->ret->errors,
			       otst_format(s->o, "%s: %s: %s", otst_source_name(s->source),
					   s->array->name ? s->array->name : "top",
					   c->errors.texts[i]));
}

static int read_trace_buffer(struct search *s, const struct otst_trace_buffer *b)
{
	struct otst_reader_filter filter = { .pid = s->filter->pid,
					     .from = b->time_start,
					     .to = UINT64_MAX };
	struct otst_reader *reader;
	struct otst_ring *ring;
	struct otst_record r;
	int err;

	if (b->error)
		return otst_raise(s->o, OTST_ERR_LOOKUP, "%s: %s",
				  s->array->name ? s->array->name : "top", b->error);
	if (!b->addr)
		return 0;
	memset(s->before, 0, s->nr_cpus * sizeof(*s->before));
	memset(s->open, 0, s->nr_cpus * sizeof(*s->open));
	err = otst_ring_open(s->o, b, false, &ring);
	for (size_t i = 0; !err && i < ring->nr_cpus; i++)
		note_cpu(s, &ring->cpus[i]);
	err = err ?: otst_reader_open(ring, &filter, &reader);
	while (!err && (err = otst_reader_next(reader, &r)) == 1)
		err = take_ring_record(s, &r);
	return err;
}

/* ---- arrays ---- */

/* does a word of @list mean this array: "ftrace", "ftrace:NAME" */
static bool is_chosen_array(const char *list, const char *source, const char *array)
{
	size_t len = strlen(source), word;

	for (; list; list = list[word] ? list + word + 1 : NULL) {
		word = strcspn(list, ",");
		if (word < len || strncmp(list, source, len))
			continue;
		if (word == len && !array)
			return true;
		if (list[len] == ':' && word - len - 1 == strlen(array ? array : "top") &&
		    !strncmp(list + len + 1, array ? array : "top", word - len - 1))
			return true;
	}
	return false;
}

static int search_buffers(struct otst *o, const struct otst_trace_filter *filter,
			  enum otst_source_kind source, struct otst_traces *ret)
{
	struct search s = { .o = o, .filter = filter, .ret = ret, .source = source };
	struct otst_tracing t;
	bool any = false;
	int err = otst_tracing(o, &t);

	err = err ?: prepare_search(&s);
	/* both sources have the same arrays */
	if (!err)
		otst_notes_once(o, &ret->errors, &t.errors);
	for (size_t i = 0; !err && i < t.nr_arrays; i++) {
		s.array = t.arrays[i];
		/* without a list every array counts */
		if (filter->sources &&
		    !is_chosen_array(filter->sources, otst_source_name(source), s.array->name))
			continue;
		any = true;
		s.clock = s.array->clock && !strcmp(s.array->clock, "local") ? OTST_CLOCK_LOCAL :
									       OTST_CLOCK_TRACE;
		err = read_trace_buffer(&s, source == OTST_SOURCE_SNAPSHOT ? &s.array->snapshot :
									     &s.array->buffer);
		err = otst_traces_note(ret, err);
	}
	if (!err && !any)
		err = otst_tracing_missing(o, &t, filter->sources ? filter->sources : "");
	return err;
}

int otst_source_ftrace(struct otst *o, const struct otst_trace_filter *filter,
		       struct otst_traces *ret)
{
	return search_buffers(o, filter, OTST_SOURCE_FTRACE, ret);
}

int otst_source_snapshot(struct otst *o, const struct otst_trace_filter *filter,
			 struct otst_traces *ret)
{
	return search_buffers(o, filter, OTST_SOURCE_SNAPSHOT, ret);
}
