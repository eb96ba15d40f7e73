// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracefile.c - one trace file: the array and how it prints, its ring, and
 * each record through the printers (__tracing_open() and s_show() of
 * kernel/trace/trace.c).
 */
#include "../built/disassemble.h"
#include "../ftrace/tracing.h"
#include "select.h"

/* bytes printed at once; each record has at least as much room after them */
#define FLUSH (64u * 1024)

struct file {
	struct otst *o;
	struct otst_printer *p;
	const struct otst_tracefile_filter *filter;
	const struct otst_trace_array *array;
	const struct otst_trace_buffer *buffer;
	bool print_max;
	struct otst_tf tf;
	struct otst_tf_graph_cpu *graph[2]; /* for unread records, and for consumed ones */
	struct otst_tf_select select;
	struct otst_ring *ring;
	struct otst_reader *reader;
	struct otst_tf_header header;
	uint64_t count;
};

/* ---- the array ---- */

static const struct otst_trace_array *array_named(const struct otst_tracing *t, const char *name)
{
	for (size_t i = 0; i < t->nr_arrays; i++) {
		const char *own = t->arrays[i]->name;

		if (name ? own && !strcmp(own, name) : !own)
			return t->arrays[i];
	}
	return NULL;
}

static int find_array(struct file *f, const struct otst_tracing *t)
{
	const char *name = f->filter->instance;

	f->array = array_named(t, name);
	if (!f->array && !strcmp(name ? name : "top", "top"))
		f->array = array_named(t, NULL);
	if (!f->array)
		return otst_tracing_missing(f->o, t, name ? name : "top");
	if (!f->array->tracer)
		return otst_raise(f->o, OTST_ERR_CORRUPT, "trace array: %s",
				  f->array->error ? f->array->error : "no tracer");
	return 0;
}

/* max-latency tracers show the snapshot in place of the buffer */
static bool prints_max(struct otst *o, const struct otst_trace_array *a)
{
	struct otst_view v;

	return otst_has_member(o, "tracer", "print_max") &&
	       !otst_view_read(o, "tracer", a->tracer_addr, &v) && otst_u64(&v, "print_max");
}

static int choose_buffer(struct file *f)
{
	const struct otst_trace_array *a = f->array;

	f->print_max = prints_max(f->o, a);
	if (f->filter->snapshot && !a->snapshot_known)
		return otst_raise(f->o, OTST_ERR_LOOKUP, "this kernel has no snapshots");
	/* s_start() says EBUSY */
	if (f->filter->snapshot && f->print_max)
		return otst_raise(f->o, OTST_ERR_UNSUPPORTED,
				  "the tracer %s uses the snapshot itself: -s ftrace shows it",
				  a->tracer);
	f->buffer = f->filter->snapshot || f->print_max ? &a->snapshot : &a->buffer;
	if (f->buffer->error)
		return otst_raise(f->o, OTST_ERR_CORRUPT, "%s", f->buffer->error);
	return 0;
}

/* ---- how it prints ---- */

static bool is_option_on(const struct file *f, const char *name)
{
	return otst_trace_option(f->array, name);
}

static int read_options(struct file *f)
{
	struct otst_tf_options *opt = &f->tf.opt;

	if (is_option_on(f, "bin") && !f->p->json)
		return otst_raise(
			f->o, OTST_ERR_UNSUPPORTED,
			"the option bin is set, so the kernel's file is binary; -j shows it");
	opt->raw = is_option_on(f, "raw");
	opt->hex = is_option_on(f, "hex");
	opt->print_parent = is_option_on(f, "print-parent");
	opt->sym_offset = is_option_on(f, "sym-offset");
	opt->sym_addr = is_option_on(f, "sym-addr");
	opt->verbose = is_option_on(f, "verbose");
	opt->printk = !is_option_on(f, "notrace_printk");
	opt->printk_msgonly = is_option_on(f, "printk-msg-only");
	opt->context_info = is_option_on(f, "context-info");
	opt->latency_fmt = is_option_on(f, "latency-format");
	/* the snapshot file has no latency format */
	opt->latency_file = opt->latency_fmt && !f->filter->snapshot;
	opt->irq_info = is_option_on(f, "irq-info");
	opt->record_tgid = is_option_on(f, "record-tgid");
	opt->annotate = is_option_on(f, "annotate");
	f->tf.style = (struct otst_event_style){
		/* kernels without the option always hash */
		.hash_ptr = !is_option_on(f, "nohash-ptr"),
		.sym_offset = opt->sym_offset,
		.sym_addr = opt->sym_addr,
		.verbose = opt->verbose,
		.fields = is_option_on(f, "fields"),
	};
	return 0;
}

static bool is_one_of_tracers(const char *name, const char *const *list)
{
	for (; *list; list++) {
		if (!strcmp(name, *list))
			return true;
	}
	return false;
}

/*
 * Options of function_graph: the array's, if each array has its own; else the
 * tracer's, which hold for all arrays, whether it is current or not.
 */
static int read_graph_flags(struct file *f, const struct otst_tracing *t)
{
	uint32_t *flags = &f->tf.graph_flags;
	struct otst_view v;
	int err;

	if (otst_has_member(f->o, "trace_array", "current_trace_flags")) {
		err = otst_view_read(f->o, "trace_array", f->array->addr, &v);
		return err ? err :
			     otst_tf_graph_options(f->o, otst_u64(&v, "current_trace_flags"),
						   flags);
	}
	for (size_t i = 0; i < t->nr_tracers; i++) {
		if (t->tracers[i]->name && !strcmp(t->tracers[i]->name, "function_graph"))
			return otst_tf_graph_options(f->o, t->tracers[i]->flags, flags);
	}
	return 0;
}

static int choose_tracer(struct file *f, const struct otst_tracing *t)
{
	static const char *const off[] = { "irqsoff", "preemptoff", "preemptirqsoff", NULL };
	static const char *const wakeup[] = { "wakeup", "wakeup_rt", "wakeup_dl", NULL };
	const char *name = f->array->tracer;
	struct otst_tf *tf = &f->tf;
	bool rel = tf->kernel.rel_time;
	/* GRAPH_TRACER_FLAGS of trace_irqsoff.c; those of trace_sched_wakeup.c differ */
	const uint32_t flags = OTST_GRAPH_PROC | OTST_GRAPH_DURATION |
			       (rel ? OTST_GRAPH_REL_TIME : OTST_GRAPH_ABS_TIME);
	int err = read_graph_flags(f, t);

	if (!strcmp(name, "function_graph")) {
		tf->tracer = OTST_TF_GRAPH;
	} else if (is_one_of_tracers(name, off) && is_option_on(f, "display-graph")) {
		tf->tracer = OTST_TF_LATENCY_GRAPH;
		tf->graph_flags = flags | OTST_GRAPH_CPU;
	} else if (is_one_of_tracers(name, wakeup) && is_option_on(f, "display-graph")) {
		tf->tracer = OTST_TF_LATENCY_GRAPH;
		tf->graph_flags = flags;
		if (rel)
			tf->graph_flags |= OTST_GRAPH_CPU | OTST_GRAPH_OVERHEAD | OTST_GRAPH_IRQS;
	} else if (!strcmp(name, "mmiotrace")) {
		tf->tracer = OTST_TF_MMIO;
	} else if (!strcmp(name, "osnoise")) {
		tf->tracer = OTST_TF_OSNOISE_TRACER;
	} else if (!strcmp(name, "timerlat")) {
		tf->tracer = OTST_TF_TIMERLAT_TRACER;
	} else if (!strcmp(name, "blk")) {
		tf->tracer = OTST_TF_BLK_TRACER;
	} else if (!strcmp(name, "branch")) {
		tf->tracer = OTST_TF_BRANCH_TRACER;
	}
	return err;
}

/* graph_trace_open() */
static int start_graph(struct file *f)
{
	const struct otst_tf *tf = &f->tf;

	if (tf->tracer != OTST_TF_GRAPH && tf->tracer != OTST_TF_LATENCY_GRAPH)
		return 0;
	for (unsigned int j = 0; j < 2; j++) {
		f->graph[j] = otst_alloc(tf->o, (tf->nr_cpus + 1) * sizeof(*f->graph[j]));
		if (!f->graph[j])
			return otst_no_memory(tf->o);
		for (unsigned int i = 0; i < tf->nr_cpus; i++)
			f->graph[j][i] =
				(struct otst_tf_graph_cpu){ .last_pid = -1, .depth_irq = -1 };
	}
	return 0;
}

/* persistent buffers hold addresses of the previous boot: how far they are off */
static uint64_t read_delta(struct file *f)
{
	struct otst_view v;

	if (!otst_has_member(f->o, "trace_array", "text_delta") ||
	    otst_view_read(f->o, "trace_array", f->array->addr, &v))
		return 0;
	return otst_u64(&v, "text_delta");
}

static int peek_reader(void *priv, unsigned int cpu, struct otst_record *ret)
{
	return otst_reader_peek(priv, cpu, ret);
}

static int prepare_file(struct file *f, const struct otst_tracing *t)
{
	struct otst_tf *tf = &f->tf;
	int err;

	tf->o = f->o;
	tf->nr_cpus = otst_kernel(f->o)->nr_cpus;
	tf->in_ns = f->array->clock_in_ns;
	tf->time_start = f->buffer->time_start;
	tf->delta = read_delta(f);
	err = read_options(f);
	err = err ?: otst_tf_kernel_read(f->o, &tf->kernel);
	if (err)
		return err;
	err = choose_tracer(f, t);
	if (err && !otst_fatal(err)) {
		otst_print_bad(f->p, f->array->name, otst_message(f->o));
		err = 0;
	}
	err = err ?: otst_tf_init(tf);
	err = err ?: start_graph(f);
	if (!f->p->json)
		err = err ?: otst_tf_lines_create(tf, f->p);
	return err ?: otst_tf_select(tf, f->filter, &f->select);
}

/* ---- the ring ---- */

/* get_total_entries() */
static int count_entries(struct file *f)
{
	struct otst_tf *tf = &f->tf;
	uint64_t skipped, entries;
	int err = 0;

	for (size_t i = 0; i < f->buffer->nr_cpus && !err; i++) {
		const struct otst_cpu_buffer *c = &f->buffer->cpus[i];

		skipped = 0;
		if (tf->time_start && c->entries)
			err = otst_ring_skipped(f->ring, c->cpu, tf->time_start, &skipped);
		entries = c->entries > skipped ? c->entries - skipped : 0;
		f->header.entries += entries;
		f->header.written += skipped ? entries : entries + c->overrun;
		tf->overruns |= c->overrun != 0;
		if (c->cpu < tf->nr_cpus)
			tf->skipped[c->cpu] = skipped != 0;
	}
	return err;
}

static bool is_chosen_cpu(const struct file *f, unsigned int cpu)
{
	const struct otst_reader_filter *r = &f->select.reader;

	return !f->select.single_cpu || !r->cpus ||
	       (cpu < r->nr_cpus && r->cpus[cpu / 64] >> cpu % 64 & 1);
}

/*
 * Linux 651e22f2701b ("ring-buffer: Always reset iterator to reader page") (v3.16,
 * RHEL 7's 3.10) made an empty ring look as if it had entries, up to 78f7a45dac2a
 * ("ring-buffer: Have ring_buffer_iter_empty() return true when empty") (v4.12).
 */
static bool seems_filled(struct file *f)
{
	const struct otst_member *m;

	if (!f->ring || otst_member(f->o, "ring_buffer_per_cpu", "reader_page", &m) ||
	    otst_function_uses(f->o, "ring_buffer_iter_empty", m->offset, true))
		return false;
	/* an unallocated snapshot has a ring of two sub-buffers, never written to */
	if (!f->ring->nr_cpus)
		return f->header.snapshot;
	for (size_t i = 0; i < f->ring->nr_cpus; i++) {
		if (f->ring->cpus[i].apart && is_chosen_cpu(f, f->ring->cpus[i].cpu))
			return true;
	}
	return false;
}

/* trace_empty(), for what the whole file would show, whatever is chosen */
static int look_for_entries(struct file *f)
{
	const struct otst_reader_filter all = {
		.pid = -1,
		.from = f->tf.time_start,
		.to = UINT64_MAX,
		.cpus = f->select.single_cpu ? f->select.reader.cpus : NULL,
		.nr_cpus = f->select.single_cpu ? f->select.reader.nr_cpus : 0,
	};
	struct otst_reader *reader;
	struct otst_record r;
	int err;

	f->header.empty = !seems_filled(f);
	if (!f->header.empty || !f->header.entries)
		return 0;
	err = otst_reader_open(f->ring, &all, &reader);
	while (!err && f->header.empty) {
		err = otst_reader_next(reader, &r);
		if (err <= 0)
			break;
		f->header.empty = r.consumed;
		err = 0;
	}
	return err;
}

static void report_lists(struct file *f)
{
	for (size_t i = 0; f->ring && i < f->ring->nr_cpus; i++) {
		const struct otst_ring_cpu *c = &f->ring->cpus[i];

		for (size_t j = 0; j < c->errors.count; j++)
			otst_print_bad(f->p, otst_format(f->o, "cpu %u", c->cpu),
				       c->errors.texts[j]);
	}
}

static int open_ring(struct file *f)
{
	int err = otst_ring_open(f->o, f->buffer, f->filter->consumed, &f->ring);

	err = err ?: count_entries(f);
	err = err ?: look_for_entries(f);
	err = err ?: otst_reader_open(f->ring, &f->select.reader, &f->reader);
	f->tf.peek = peek_reader;
	f->tf.peek_priv = f->reader;
	return err;
}

/* ---- records ---- */

/* @all: including what another thread works on */
static void flush_text(struct file *f, bool all)
{
	if (f->tf.lines) {
		otst_tf_lines_flush(&f->tf, all);
		return;
	}
	otst_write(f->p, f->tf.t.buf, (size_t)(f->tf.t.at - f->tf.t.buf));
	f->tf.t.at = f->tf.t.buf;
}

static void print_gap(struct file *f, const struct otst_record *r)
{
	flush_text(f, true);
	otst_print_bad(f->p, otst_format(f->o, "cpu %u", r->cpu),
		       otst_format(f->o, "%u sub-buffer%s could not be read: %s", r->gap,
				   otst_number(r->gap, "", "s"), r->error ? r->error : "unknown"));
}

/* mark each line that was printed from @from on */
static void mark_consumed(struct file *f, size_t from)
{
	static const char mark[] = "# consumed: ";
	struct otst_text *t = &f->tf.t, line = *t;
	size_t len = (size_t)(t->at - t->buf) - from;
	char *copy = otst_alloc(f->o, len + 1), *at, *end;

	if (!copy) {
		f->tf.err = otst_no_memory(f->o);
		return;
	}
	memcpy(copy, t->buf + from, len);
	line.at = t->buf + from;
	for (at = copy; at < copy + len; at = end) {
		end = memchr(at, '\n', (size_t)(copy + len - at));
		end = end ? end + 1 : copy + len;
		otst_text_mem(&line, mark, sizeof(mark) - 1);
		otst_text_mem(&line, at, (size_t)(end - at));
	}
	t->at = line.at;
}

static void print_record(struct file *f, const struct otst_record *r)
{
	struct otst_tf *tf = &f->tf;
	size_t from = (size_t)(tf->t.at - tf->t.buf);

	if (r->cpu >= tf->nr_cpus)
		return;
	if (tf->drop[r->cpu]) {
		tf->drop[r->cpu] = false;
		return;
	}
	if (tf->lines && otst_tf_line(tf, r)) {
		tf->index++;
		return;
	}
	tf->graph = f->graph[r->consumed];
	if (f->p->json)
		otst_tf_json(tf, r, f->p, f->filter->snapshot ? "snapshot" : "ftrace",
			     f->array->name, f->array->clock);
	else
		otst_tf_record(tf, r);
	if (r->consumed && !f->p->json)
		mark_consumed(f, from);
	tf->index += !r->consumed;
	if ((size_t)(tf->t.at - tf->t.buf) >= FLUSH)
		flush_text(f, false);
}

static int print_records(struct file *f)
{
	struct otst_record r;
	int n;

	while ((n = otst_reader_next(f->reader, &r)) == 1) {
		if (r.gap)
			print_gap(f, &r);
		else
			print_record(f, &r);
		f->count++;
		if (f->tf.err || f->p->err)
			return f->tf.err ? f->tf.err : f->p->err;
	}
	return n;
}

/* formats of printed events: what could not be read, and what is not understood */
static void report_events(struct file *f)
{
	otst_print_errors(f->p, otst_event_errors(f->o));
	otst_print_notes(f->p, otst_event_notes(f->o));
}

static int print_trace_file(struct file *f)
{
	int err;

	f->header.tracer = f->array->tracer;
	f->header.snapshot = f->filter->snapshot;
	f->header.allocated = f->array->snapshot_allocated;
	f->header.single_cpu = f->select.single_cpu;
	f->header.array = f->array->addr;
	f->header.member = otst_buffer_member(f->o, f->buffer == &f->array->snapshot);
	err = open_ring(f);
	if (err)
		return err;
	if (!f->p->json)
		otst_tf_header(&f->tf, &f->header);
	flush_text(f, true);
	report_lists(f);
	err = f->tf.err ? f->tf.err : print_records(f);
	flush_text(f, true);
	if (err)
		return err;
	report_events(f);
	/* the kernel's file has no closing line; only damage adds one */
	if (f->p->json || f->p->bad)
		otst_print_end(f->p, "entry", "entries", f->count);
	return 0;
}

int otst_tracefile(struct otst *o, const struct otst_tracefile_filter *filter,
		   struct otst_printer *p)
{
	struct file *f = otst_new(o, sizeof(*f));
	struct otst_tracing t;
	int err;

	f->o = o;
	f->p = p;
	f->filter = filter;
	err = otst_tracing(o, &t);
	err = err ?: find_array(f, &t);
	err = err ?: choose_buffer(f);
	err = err ?: prepare_file(f, &t);
	return err ? err : print_trace_file(f);
}
