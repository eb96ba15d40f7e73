// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * prefix.c - the columns before an entry: task, cpu, flags, time
 * (trace_print_context(), trace_print_lat_context() of
 * kernel/trace/trace_output.c).
 */
#include "print.h"

#define COMMS 1024u
/* text of one task's columns */
struct task {
	int32_t pid;
	uint16_t len;
	char text[OTST_TF_TASK_TEXT];
};

#define COLUMNS_BITS 10
#define COLUMNS	     (1u << COLUMNS_BITS)

/* @columns: hashed by key; emptied when too many are @used */
struct otst_tf_comms {
	struct task tasks[COMMS];
	struct otst_tf_columns columns[COLUMNS];
	unsigned int used;
	struct otst_tf_secs secs;
};

/* ---- flags ---- */

static char irqs_char(const struct otst_tf_flag_bits *bits, unsigned int flags)
{
	bool bh_off = flags & bits->bh_off;

	if (flags & bits->irqs_off)
		return bh_off ? 'D' : 'd';
	if (bh_off)
		return 'b';
	return flags & bits->irqs_nosupport ? 'X' : '.';
}

static char resched_char(const struct otst_tf_kernel *k, unsigned int flags)
{
	/* indexed by need, lazy, preempt as bits 2, 1, 0 */
	static const char chars[] = ".plLnNbB";
	unsigned int i = 0;

	if (!k->flags.preempt_resched && k->legend != OTST_LEGEND_LAZY)
		return flags & k->flags.need_resched ? 'N' : '.';
	i |= flags & k->flags.need_resched ? 4 : 0;
	/* if lazy has a column of its own, it is not in this one */
	i |= k->legend != OTST_LEGEND_LAZY && flags & k->flags.lazy ? 2 : 0;
	i |= flags & k->flags.preempt_resched ? 1 : 0;
	return chars[i];
}

static char context_char(const struct otst_tf_flag_bits *bits, unsigned int flags)
{
	bool hard = flags & bits->hardirq, soft = flags & bits->softirq;

	if (flags & bits->nmi)
		return hard ? 'Z' : 'z';
	if (hard)
		return soft ? 'H' : 'h';
	return soft ? 's' : '.';
}

static void make_flags(struct otst_tf *tf)
{
	const struct otst_tf_kernel *k = &tf->kernel;
	char *at;

	for (unsigned int i = 0; i < 256; i++) {
		at = tf->flags[i];
		*at++ = irqs_char(&k->flags, i);
		*at++ = resched_char(k, i);
		if (k->legend == OTST_LEGEND_LAZY)
			*at++ = i & k->flags.lazy ? 'L' : '.';
		*at = context_char(&k->flags, i);
	}
}

/* "%x", or a dot */
static void print_count(struct otst_tf *tf, unsigned int v)
{
	if (v)
		otst_text_hex(&tf->t, v, 1);
	else
		otst_text_char(&tf->t, '.');
}

void otst_tf_lat_fmt(struct otst_tf *tf, const struct otst_record *r)
{
	enum otst_tf_legend legend = tf->kernel.legend;
	unsigned int count = otst_tf_preempt(r);

	otst_text_mem(&tf->t, tf->flags[otst_tf_flags(r)], legend == OTST_LEGEND_LAZY ? 4 : 3);
	if (legend < OTST_LEGEND_MIGRATE) {
		print_count(tf, count);
		return;
	}
	print_count(tf, count & 15);
	if (legend == OTST_LEGEND_LAZY)
		print_count(tf, (unsigned int)otst_tf_get(r, tf->kernel.at.lazy_count));
	print_count(tf, count >> 4);
}

/* ---- task ---- */

/* "%16s-%-7d ", then with record-tgid "(%7d) " */
static void make_task(struct otst_tf *tf, int32_t pid, struct task *ret)
{
	struct otst_text t = otst_text_in(ret->text, sizeof(ret->text));
	size_t width = tf->kernel.pid_width;
	const char *comm = otst_comm(tf->o, pid);
	char digits[OTST_TEXT_DIGITS], *at = otst_text_signed(digits, pid);

	otst_text_right(&t, comm, strlen(comm), 16);
	otst_text_char(&t, '-');
	otst_text_left(&t, at, (size_t)(digits + OTST_TEXT_DIGITS - at), width);
	otst_text_char(&t, ' ');
	if (tf->opt.record_tgid) {
		int32_t tgid = otst_tgid(tf->o, pid);

		otst_text_char(&t, '(');
		if (tgid)
			otst_text_sdec_right(&t, tgid, width);
		else
			otst_text_mem(&t, "-------", width);
		otst_text_mem(&t, ") ", 2);
	}
	ret->pid = pid;
	ret->len = (uint16_t)(t.at - t.buf);
}

/* cached "            comm-pid     " of trace_print_context(), tgid included */
static void print_task(struct otst_tf *tf, int32_t pid)
{
	struct task *task = &tf->comms->tasks[(uint32_t)pid % COMMS];

	if (task->pid != pid || !task->len)
		make_task(tf, pid, task);
	otst_text_block(&tf->t, task->text, task->len);
}

/* ---- time ---- */

/* trace_print_time() without its blank */
static inline void print_time(struct otst_text *t, struct otst_tf_secs *s, uint64_t ts)
{
	char room[OTST_TF_NS_MOST];

	if ((size_t)(t->end - t->at) < sizeof(room))
		otst_text_mem(t, room, (size_t)(otst_tf_put_ns(room, s, ts) - room));
	else
		t->at = otst_tf_put_ns(t->at, s, ts);
}

void otst_tf_time(struct otst_tf *tf, uint64_t ts)
{
	otst_text_char(&tf->t, ' ');
	if (tf->in_ns)
		print_time(&tf->t, &tf->comms->secs, ts);
	else
		otst_text_dec_right(&tf->t, ts, 12);
}

static void print_prefix_columns(struct otst_tf *tf, const struct otst_record *r)
{
	print_task(tf, r->pid);
	otst_text_char(&tf->t, '[');
	otst_text_dec_zero(&tf->t, r->cpu, 3);
	otst_text_mem(&tf->t, "] ", 2);
	if (tf->opt.irq_info)
		otst_tf_lat_fmt(tf, r);
}

/* false if the columns depend on more than fits into the key */
static bool key_of_prefix(const struct otst_tf *tf, const struct otst_record *r, uint64_t *ret)
{
	*ret = (uint32_t)r->pid | (uint64_t)r->cpu << 32 | (uint64_t)otst_tf_flags(r) << 48 |
	       (uint64_t)otst_tf_preempt(r) << 56;
	return r->cpu <= UINT16_MAX && tf->kernel.legend != OTST_LEGEND_LAZY;
}

static void make_columns(struct otst_tf *tf, const struct otst_record *r, uint64_t key,
			 struct otst_tf_columns *ret)
{
	struct otst_text text = tf->t;

	tf->t = otst_text_in(ret->text, sizeof(ret->text));
	print_prefix_columns(tf, r);
	ret->key = key;
	ret->len = (uint32_t)(tf->t.at - tf->t.buf);
	tf->t = text;
}

static void empty_columns(struct otst_tf *tf)
{
	otst_tf_lines_settle(tf);
	tf->comms->used = 0;
	memset(tf->comms->columns, 0, sizeof(tf->comms->columns));
}

const struct otst_tf_columns *otst_tf_columns(struct otst_tf *tf, const struct otst_record *r)
{
	struct otst_tf_columns *columns = tf->comms->columns;
	uint64_t key;
	size_t i;

	if (!key_of_prefix(tf, r, &key))
		return NULL;
	i = otst_tf_slot(key, COLUMNS_BITS);
	while (columns[i].len && columns[i].key != key)
		i = (i + 1) % COLUMNS;
	if (columns[i].len)
		return &columns[i];
	if (tf->comms->used++ > COLUMNS / 4 * 3)
		empty_columns(tf);
	make_columns(tf, r, key, &columns[i]);
	return &columns[i];
}

void otst_tf_context(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_columns *c = otst_tf_columns(tf, r);

	if (c)
		otst_text_block(&tf->t, c->text, c->len);
	else
		print_prefix_columns(tf, r);
	otst_tf_time(tf, r->time);
	otst_text_mem(&tf->t, ": ", 2);
}

/* ---- latency format ---- */

char otst_tf_sign(const struct otst_tf_mark *marks, uint64_t ns)
{
	for (; marks->sign; marks++) {
		if (ns > marks->ns)
			return marks->sign;
	}
	return ' ';
}

/* trace_find_next_entry(): time of the next entry of any cpu; @ts if there is none */
static uint64_t next_time(struct otst_tf *tf, uint64_t ts)
{
	struct otst_record next;
	uint64_t first = UINT64_MAX;
	int n;

	for (unsigned int cpu = 0; tf->peek && cpu < tf->nr_cpus; cpu++) {
		n = tf->peek(tf->peek_priv, cpu, &next);
		if (n < 0)
			tf->err = n;
		else if (n && !next.gap && next.time < first)
			first = next.time;
	}
	return first == UINT64_MAX ? ts : first;
}

/* "%ld.%03ld" */
static void print_ms(struct otst_tf *tf, uint64_t us)
{
	otst_text_dec(&tf->t, us / 1000);
	otst_text_char(&tf->t, '.');
	otst_text_dec_zero(&tf->t, us % 1000, 3);
}

static void print_verbose_time(struct otst_tf *tf, uint64_t ts, uint64_t abs, uint64_t rel)
{
	otst_text_char(&tf->t, '[');
	otst_text_hex(&tf->t, tf->in_ns ? (ts + 500) / 1000 : ts, tf->in_ns ? 8 : 16);
	otst_text_mem(&tf->t, "] ", 2);
	if (tf->in_ns) {
		print_ms(tf, abs);
		otst_text_mem(&tf->t, "ms (+", 5);
		print_ms(tf, rel);
		otst_text_string(&tf->t, "ms): ");
	} else {
		otst_text_sdec(&tf->t, (int64_t)abs);
		otst_text_mem(&tf->t, " (+", 3);
		otst_text_sdec(&tf->t, (int64_t)rel);
		otst_text_mem(&tf->t, "): ", 3);
	}
}

/* lat_print_timestamp() */
static void print_timestamp(struct otst_tf *tf, uint64_t ts, uint64_t next)
{
	uint64_t abs = ts - tf->time_start, rel = next - ts;

	if (tf->in_ns) {
		abs = (abs + 500) / 1000;
		rel = (rel + 500) / 1000;
	}
	if (tf->opt.verbose) {
		print_verbose_time(tf, ts, abs, rel);
		return;
	}
	otst_text_char(&tf->t, ' ');
	otst_text_sdec_right(&tf->t, (int64_t)abs, 4);
	if (tf->in_ns) {
		otst_text_mem(&tf->t, "us", 2);
		otst_text_char(&tf->t, otst_tf_sign(tf->kernel.latency_marks, rel * 1000));
	}
	otst_text_mem(&tf->t, ": ", 2);
}

static void print_verbose_task(struct otst_tf *tf, const struct otst_record *r)
{
	const char *comm = otst_comm(tf->o, r->pid);
	unsigned int count = otst_tf_preempt(r);

	otst_text_right(&tf->t, comm, strlen(comm), 16);
	otst_text_char(&tf->t, ' ');
	otst_text_sdec_right(&tf->t, r->pid, tf->kernel.pid_width);
	otst_text_char(&tf->t, ' ');
	otst_text_dec_right(&tf->t, r->cpu, 3);
	otst_text_char(&tf->t, ' ');
	otst_text_dec(&tf->t, otst_tf_flags(r));
	otst_text_char(&tf->t, ' ');
	otst_text_hex(&tf->t, tf->kernel.legend < OTST_LEGEND_MIGRATE ? count : count & 15, 8);
	otst_text_char(&tf->t, ' ');
	otst_text_hex(&tf->t, tf->index, 8);
	otst_text_char(&tf->t, ' ');
}

void otst_tf_lat_context(struct otst_tf *tf, const struct otst_record *r)
{
	char digits[OTST_TEXT_DIGITS], *at = otst_text_signed(digits, r->pid);
	const char *comm = otst_comm(tf->o, r->pid);
	size_t len = strlen(comm);

	if (tf->opt.verbose) {
		print_verbose_task(tf, r);
	} else {
		/* "%8.8s-%-7d %3d" */
		otst_text_right(&tf->t, comm, len < 8 ? len : 8, 8);
		otst_text_char(&tf->t, '-');
		otst_text_left(&tf->t, at, (size_t)(digits + OTST_TEXT_DIGITS - at),
			       tf->kernel.pid_width);
		otst_text_char(&tf->t, ' ');
		otst_text_dec_right(&tf->t, r->cpu, 3);
		otst_tf_lat_fmt(tf, r);
	}
	print_timestamp(tf, r->time, next_time(tf, r->time));
}

/* ---- state ---- */

static unsigned int count_digits(unsigned int v)
{
	unsigned int n = 1;

	for (; v > 9; v /= 10)
		n++;
	return n;
}

int otst_tf_init(struct otst_tf *tf)
{
	unsigned int cpus = tf->nr_cpus ? tf->nr_cpus : 1;
	char *text;

	tf->names = otst_tf_names_create(tf->o);
	tf->strings = otst_tf_strings_create(tf->o);
	tf->comms = otst_alloc(tf->o, sizeof(*tf->comms));
	tf->events = otst_tf_events_create(tf->o);
	tf->flags = otst_alloc(tf->o, 256 * sizeof(*tf->flags));
	tf->drop = otst_alloc(tf->o, cpus);
	tf->started = otst_alloc(tf->o, cpus);
	tf->skipped = otst_alloc(tf->o, cpus);
	tf->event_text = otst_alloc(tf->o, OTST_TF_EVENT_TEXT);
	text = otst_alloc(tf->o, OTST_TF_TEXT_ROOM);
	if (!tf->names || !tf->strings || !tf->comms || !tf->events || !tf->flags || !tf->drop ||
	    !tf->started || !tf->skipped || !tf->event_text || !text)
		return otst_no_memory(tf->o);
	tf->t = otst_text_in(text, OTST_TF_TEXT_ROOM);
	tf->cpu_digits = count_digits(cpus - 1);
	make_flags(tf);
	return 0;
}
