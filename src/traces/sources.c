// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sources.c - the table of sources: runs those that were asked for, puts what they
 * found into one list by time, and applies the filters.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../names/lookup.h"
#include "../ftrace/ftrace.h"
#include "../rings/rings.h"
#include "../base/coverage.h"
#include "../base/sorted.h"
#include "traces.h"

static const struct otst_source sources[] = {
	[OTST_SOURCE_LOG] = { "stack traces in the kernel log, or in a text file (--text)",
			      "CONFIG_PRINTK; nothing with --text", otst_source_log, "prb log_buf",
			      NULL, "vprintk_emit" },
	[OTST_SOURCE_MODULE] = { "what otst.ko and allie.ko keep of their captures",
				 "one of these modules", otst_source_module, "modules",
				 otst_source_module_present, NULL },
	[OTST_SOURCE_INFLIGHT] = { "calls that have not returned to a waiting probe; kprobes being handled",
				   "kretprobes, rethook or function graph", otst_source_inflight,
				   "current_kprobe kretprobe_inst_table return_to_handler", NULL,
				   "register_kretprobe ftrace_return_to_handler" },
	[OTST_SOURCE_JPROBE] = { "registers and stack bytes at the last jprobe of each cpu",
				 "jprobes: up to 4.14", otst_source_jprobe, "setjmp_pre_handler",
				 NULL, NULL },
	[OTST_SOURCE_TASK] = { "tasks inside a probe's handler", "kprobes or ftrace",
			       otst_source_task, "kprobe_table ftrace_ops_list", NULL,
			       "register_kprobe register_ftrace_function" },
	[OTST_SOURCE_STACKTRACER] = { "the deepest kernel stack that was seen",
				      "CONFIG_STACK_TRACER", otst_source_stacktracer,
				      "stack_dump_trace", NULL, "stack_trace_sysctl" },
	[OTST_SOURCE_HIST] = { "stacks that hist triggers count", "CONFIG_HIST_TRIGGERS",
			       otst_source_hist, "trigger_hist_cmd", NULL,
			       "event_hist_trigger_func event_hist_trigger_parse" },
	[OTST_SOURCE_DEPOT] = { "stacks that slab debugging, page owner or KASAN saved; only when asked for",
				"CONFIG_STACKDEPOT", otst_source_depot, "stack_pools stack_slabs",
				NULL, "stack_depot_save" },
	[OTST_SOURCE_PERF] = { "samples with callchains in the buffers of perf",
			       "CONFIG_PERF_EVENTS", otst_source_perf, "pmus", NULL,
			       "perf_event_create_kernel_counter" },
	[OTST_SOURCE_CALLCHAIN] = { "stacks being taken for perf or BPF, and the last ones taken "
				    "when asked for by name",
				    "CONFIG_PERF_EVENTS", otst_source_callchain,
				    "callchain_cpus_entries", NULL, "get_callchain_buffers" },
	[OTST_SOURCE_BPF] = { "stacks that BPF programs keep in maps and event buffers; "
			      "\"bpf:MAP\" for one, by name or id",
			      "CONFIG_BPF_SYSCALL, 4.13", otst_source_bpf, "map_idr", NULL,
			      "bpf_map_put" },
	[OTST_SOURCE_STAP] = { "what SystemTap's scripts printed; only what has a stack, unless asked for",
			       "a module of SystemTap's", otst_source_stap, "modules",
			       otst_source_stap_present, NULL },
	[OTST_SOURCE_FTRACE] = { "stacks in the ring buffers of ftrace; \"ftrace:NAME\" for one instance",
				 "CONFIG_STACKTRACE", otst_source_ftrace, "ftrace_trace_arrays",
				 NULL, OTST_TRACING_WITNESSES },
	[OTST_SOURCE_SNAPSHOT] = { "the same in snapshots", "CONFIG_TRACER_SNAPSHOT",
				   otst_source_snapshot, "snapshot_fops", NULL,
				   "tracing_snapshot_write" },
};
OTST_EACH_HAS(sources, OTST_SOURCE_COUNT);

const struct otst_source *otst_source_at(enum otst_source_kind kind)
{
	return &sources[kind];
}

/* ---- which sources ---- */

/* rows that may be followed by ":INSTANCE", or ":MAP" */
static bool has_instances(enum otst_source_kind kind)
{
	return kind == OTST_SOURCE_FTRACE || kind == OTST_SOURCE_SNAPSHOT ||
	       kind == OTST_SOURCE_BPF;
}

/* does the word at @list, up to a comma or its end, name this source */
static bool names_source(const char *list, enum otst_source_kind kind)
{
	const char *name = otst_source_name(kind);
	size_t len = strlen(name);

	if (strncmp(list, name, len))
		return false;
	return !list[len] || list[len] == ',' || (list[len] == ':' && has_instances(kind));
}

static bool is_listed_source(const char *list, enum otst_source_kind kind)
{
	while (list) {
		if (names_source(list, kind))
			return true;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return false;
}

static int check_sources(struct otst *o, const char *list)
{
	while (list) {
		size_t len = strcspn(list, ","), i;

		for (i = 0; i < OTST_SOURCE_COUNT && !names_source(list, i); i++)
			;
		if (i == OTST_SOURCE_COUNT)
			return otst_raise_unlisted(o, "source", list, len, "-t -s help");
		list = list[len] ? list + len + 1 : NULL;
	}
	return 0;
}

/* ---- order ---- */

struct key {
	struct otst_trace_item item;
	enum otst_clock clock;
	unsigned int rank; /* of the clock */
	uint64_t time;
	uint64_t seq;
	enum otst_source_kind source;
	size_t index;
};

static int by_source(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int c = otst_cmp(x->source, y->source) ?: otst_cmp(x->seq, y->seq);

	return c ?: otst_cmp(x->index, y->index);
}

static int by_time(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int c = otst_cmp(x->rank, y->rank) ?: otst_cmp(x->time, y->time);

	return c ?: otst_cmp(x->index, y->index);
}

static void make_key(const struct otst_traces *t, size_t i, struct otst_trace_room *room,
		     struct key *ret)
{
	const struct otst_trace *trace = otst_trace_peek(t, i, room);

	*ret = (struct key){
		.item = otst_trace_items(t)[i],
		.clock = trace->clock,
		.time = trace->time,
		.seq = trace->seq,
		.source = trace->source,
		.index = i,
	};
}

/* a log is in its order already: one source, of one clock that goes on */
static bool is_sorted(const struct otst_traces *t, struct otst_trace_room *room)
{
	struct key a, b = { 0 };

	for (size_t i = 0; i < t->items.count; i++) {
		a = b;
		make_key(t, i, room, &b);
		if (i && (a.source != b.source || a.clock != b.clock || a.seq > b.seq ||
			  (a.clock != OTST_CLOCK_NONE && a.time > b.time)))
			return false;
	}
	return true;
}

/*
 * Times of different clocks cannot be compared: the traces of one clock come after
 * those of another. A trace without a time stays after the one before it in its source.
 */
static int sort_by_clock(struct otst *o, struct otst_traces *t)
{
	static const unsigned int ranks[] = {
		[OTST_CLOCK_NONE] = 0,
		[OTST_CLOCK_LOCAL] = 1,
		[OTST_CLOCK_TRACE] = 2,
		[OTST_CLOCK_SYSLOG] = 0,
	};
	OTST_EACH_HAS(ranks, OTST_CLOCK_COUNT);
	struct otst_trace_room room = { 0 };
	size_t i, n = t->items.count;
	struct key *keys = is_sorted(t, &room) ? NULL : otst_alloc(o, (n + 1) * sizeof(*keys));

	if (!keys)
		return otst_check(o);
	for (i = 0; i < n; i++)
		make_key(t, i, &room, &keys[i]);
	otst_sort(keys, n, sizeof(*keys), by_source);
	for (i = 0; i < n; i++) {
		keys[i].index = i;
		keys[i].rank = ranks[keys[i].clock];
		if (keys[i].clock == OTST_CLOCK_NONE && i && keys[i].source == keys[i - 1].source) {
			keys[i].rank = keys[i - 1].rank;
			keys[i].time = keys[i - 1].time;
		}
	}
	otst_sort(keys, n, sizeof(*keys), by_time);
	for (i = 0; i < n; i++)
		otst_trace_items(t)[i] = keys[i].item;
	return 0;
}

/* ---- filters ---- */

/* parse one number or range of "0,2-3" at @s; where it ends, NULL when it is neither */
static const char *parse_cpus(const char *s, unsigned long *first, unsigned long *last)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return NULL;
	*first = *last = strtoul(s, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return NULL;
		*last = strtoul(end + 1, &end, 10);
	}
	return (*end && *end != ',') || *last < *first ? NULL : end;
}

static int check_cpu(struct otst *o, unsigned long cpu)
{
	const struct otst_kernel *k = otst_kernel(o);

	if (!k->possible_known || cpu < k->nr_cpus)
		return 0;
	return otst_raise(o, OTST_ERR_USAGE, "no cpu %lu: this machine has %s %u", cpu,
			  k->nr_cpus > 1 ? "cpus 0 to" : "only cpu", k->nr_cpus - 1);
}

int otst_cpus_check(struct otst *o, const char *list, bool machine)
{
	const char *s = list;
	unsigned long first, last;
	int err = 0;

	while (s) {
		s = parse_cpus(s, &first, &last);
		if (!s)
			return otst_raise(o, OTST_ERR_USAGE, "no list of cpus: \"%s\"",
					  otst_clean(o, list));
		err = err ?: machine ? check_cpu(o, first) : 0;
		s = *s ? s + 1 : NULL;
	}
	return err;
}

bool otst_cpu_wanted(const char *list, int cpu)
{
	unsigned long first, last;

	while (list && cpu >= 0) {
		list = parse_cpus(list, &first, &last);
		if (list && (unsigned long)cpu >= first && (unsigned long)cpu <= last)
			return true;
		list = list && *list ? list + 1 : NULL;
	}
	return false;
}

static bool name_matches(struct otst *o, const struct otst_trace_filter *filter, const char *text,
			 uint64_t addr)
{
	struct otst_sym sym = { 0 };
	struct otst_sym_text t;

	if (!text) {
		otst_symbolize_frame(o, addr, &sym);
		return filter->chosen(filter->priv, addr, &sym);
	}
	if (!otst_sym_text_parse(text, &t))
		return filter->chosen(filter->priv, addr, &sym);
	sym.name = otst_format(o, "%.*s", (int)t.name_len, t.name);
	sym.module = t.module ? otst_format(o, "%.*s", (int)t.module_len, t.module) : NULL;
	sym.addr = addr && t.has_offset ? addr - t.offset : 0;
	sym.size = t.size;
	return filter->chosen(filter->priv, addr, &sym);
}

bool otst_trace_matches(struct otst *o, const struct otst_trace_filter *filter,
			const struct otst_trace *t)
{
	const struct otst_trace_line *lines;
	struct otst_sym sym = { .name = t->probe, .addr = t->probe_addr };
	size_t i, n;

	if ((t->probe || t->probe_addr) && filter->chosen(filter->priv, t->probe_addr, &sym))
		return true;
	otst_trace_lines(o, t, &lines, &n);
	for (i = 0; i < n; i++) {
		if (otst_trace_line_is_code(&lines[i]) &&
		    name_matches(o, filter, lines[i].text, lines[i].addr))
			return true;
	}
	return false;
}

static bool is_chosen_trace(struct otst *o, const struct otst_trace_filter *filter,
			    const struct otst_trace *t)
{
	if (filter->pid >= 0 && t->pid != filter->pid)
		return false;
	if (filter->cpus && !otst_cpu_wanted(filter->cpus, t->cpu))
		return false;
	return !filter->chosen || otst_trace_matches(o, filter, t);
}

static void apply_filter(struct otst *o, const struct otst_trace_filter *filter,
			 struct otst_traces *t)
{
	struct otst_trace_item *items = otst_trace_items(t);
	struct otst_trace_room room = { 0 };
	size_t i, n = 0;

	for (i = 0; i < t->items.count; i++) {
		if (is_chosen_trace(o, filter, otst_trace_peek(t, i, &room)))
			items[n++] = items[i];
	}
	if (filter->last && filter->last < n) {
		memmove(items, items + n - filter->last, filter->last * sizeof(*items));
		n = filter->last;
	}
	t->items.count = n;
}

/* read a source, and record how far it was looked at */
static int look_at_source(struct otst *o, enum otst_source_kind kind,
			  const struct otst_trace_filter *filter, struct otst_traces *ret,
			  enum otst_looked *looked)
{
	struct otst_look look = otst_look_begin(o);
	struct otst_coverage *c = otst_vec_push(o, &ret->coverage, sizeof(*c));
	size_t before = ret->items.count;
	int err, failed;

	otst_progress(o, otst_source_name(kind), 0, 0);
	err = sources[kind].read(o, filter, ret);
	err = otst_doubt_absence(o, err, sources[kind].witnesses);
	c->of = "traces";
	c->what = otst_source_name(kind);
	c->records = ret->items.count - before;
	failed = otst_look_end(o, &look, err, c);
	*looked = c->looked;
	return failed ? failed : err;
}

static int run_source(struct otst *o, enum otst_source_kind kind,
		      const struct otst_trace_filter *filter, struct otst_traces *ret)
{
	bool asked = filter->sources || (filter->texts && kind == OTST_SOURCE_LOG);
	enum otst_looked looked = OTST_LOOKED_NOT;
	int err = look_at_source(o, kind, filter, ret, &looked);

	if (!err || otst_fatal(err))
		return err;
	/* not known to be absent: nobody can tell, which is said before the count */
	if (err == OTST_ERR_LOOKUP && looked != OTST_LOOKED_ABSENT)
		return 0;
	/* the only source asked for fails the command; among others it costs one line */
	if (asked && !ret->items.count && (filter->texts || !strchr(filter->sources, ',')))
		return err;
	return err == OTST_ERR_LOOKUP && !asked ? 0 : otst_traces_note(ret, err);
}

/* messages about the events before stacks in ring buffers, whose text is the headline */
static void note_events(struct otst *o, struct otst_traces *ret)
{
	otst_notes(o, &ret->errors, otst_event_errors(o));
	otst_notes(o, &ret->notes, otst_event_notes(o));
}

/* the kernel could have it; does it */
static int ask_source(struct otst *o, const struct otst_source *s, struct otst_coverage *c)
{
	struct otst_look look = otst_look_begin(o);
	int err = s->present(o);

	return err ? otst_look_end(o, &look, err, c) : 0;
}

int otst_sources_cover(struct otst *o, struct otst_vec *coverage)
{
	int err = 0;

	for (size_t i = 0; i < OTST_SOURCE_COUNT && !err; i++) {
		struct otst_coverage *c = otst_vec_push(o, coverage, sizeof(*c));

		c->of = "traces";
		c->what = otst_source_name(i);
		err = otst_look_names(o, sources[i].symbols, c);
		if (!err && c->looked == OTST_LOOKED_PRESENT && sources[i].present)
			err = ask_source(o, &sources[i], c);
	}
	return err;
}

int otst_traces(struct otst *o, const struct otst_trace_filter *filter, struct otst_traces *ret)
{
	int err;

	*ret = (struct otst_traces){ .o = o };
	err = check_sources(o, filter->sources);
	err = err ?: otst_cpus_check(o, filter->cpus, !filter->texts);
	for (size_t i = 0; i < OTST_SOURCE_COUNT && !err; i++) {
		if (!filter->sources || is_listed_source(filter->sources, i))
			err = run_source(o, i, filter, ret);
	}
	if (!err)
		note_events(o, ret);
	err = err ?: sort_by_clock(o, ret);
	if (!err)
		apply_filter(o, filter, ret);
	return err;
}
