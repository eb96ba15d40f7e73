// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * json.c - a record as a JSON object: what the columns of its line say, the
 * members of its entry as they are, and its text.
 */
#include "print.h"

static const char *const kind_names[OTST_TF_KINDS] = {
	[OTST_TF_UNKNOWN] = "unknown",
#define ENTRY(type, json, group, print, raw, hex) [OTST_TF_##type] = json,
#include "entries.def"
	[OTST_TF_EVENT] = "event",
};

#define DATA_MAX 4096u

/* an entry, and what its JSON line says about it */
struct entry {
	struct otst_tf *tf;
	const struct otst_record *r;
	enum otst_tf_kind kind;
	const struct otst_event_format *format;
	const char *source;
	const char *array;
	const char *clock;
};

static void say_address(struct otst_rows *r, struct otst_tf *tf, uint64_t addr)
{
	otst_say_symbol(r, addr, &otst_tf_name(tf, addr)->sym);
}

static void say_stack(struct otst_rows *r, const struct entry *e, uint32_t at, bool user)
{
	struct otst_tf *tf = e->tf;
	uint64_t ip;

	otst_say_key(r, "caller");
	otst_say_open(r, '[');
	for (; at && at + 8 <= e->r->size; at += 8) {
		ip = otst_get(tf->o, e->r->data + at, 8);
		if (user ? !ip : ip == UINT64_MAX)
			break;
		ip += user || ip == tf->kernel.marker ? 0 : tf->delta;
		otst_say_place(r, ip, &otst_tf_name(tf, ip)->sym);
	}
	otst_say_close(r, ']');
}

/* bytes as hex digits, characters cleaned; no more than fits into a line */
static void say_data(struct otst_rows *r, const struct otst_event_value *v)
{
	char buf[DATA_MAX * 4 + 1];
	struct otst_text t = otst_text_in(buf, sizeof(buf) - 1);
	size_t i, len = v->size < DATA_MAX ? v->size : DATA_MAX;

	if (v->string)
		otst_text_clean(&t, (const char *)v->data, strnlen((const char *)v->data, len));
	for (i = 0; !v->string && i < len; i++)
		otst_text_hex(&t, v->data[i], 2);
	otst_say_chars(r, buf, (size_t)(t.at - buf));
}

static void say_event(struct otst_rows *r, const struct entry *e)
{
	const struct otst_event_format *f = e->format;
	struct otst_event_value v;

	for (size_t i = f ? f->nr_common : 0; f && i < f->nr_fields; i++) {
		otst_say_key(r, f->fields[i].name);
		if (!otst_event_value(&f->fields[i], e->r, &v))
			otst_say_null(r);
		else if (v.is_number && f->fields[i].is_signed)
			otst_say_number(r, (int64_t)v.number);
		else if (v.is_number)
			otst_say_count(r, v.number);
		else
			say_data(r, &v);
	}
}

/* of "ret.func", "func" */
static const char *last_part(const char *member)
{
	const char *dot = strrchr(member, '.');

	return dot ? dot + 1 : member;
}

static void say_fields(struct otst_rows *r, const struct entry *e)
{
	struct otst_tf *tf = e->tf;
	const struct otst_tf_member *m;

	for (m = otst_tf_members; m->type; m++) {
		const struct otst_tf_field *field =
			(const void *)((const char *)&tf->kernel.at + m->to);

		if (!(m->entries & 1u << e->kind) || !field->size)
			continue;
		otst_say_key(r, last_part(m->member));
		if (m->address)
			say_address(r, tf, otst_tf_get(e->r, *field) + tf->delta);
		else if (field->is_signed)
			otst_say_number(r, otst_tf_sget(e->r, *field));
		else
			otst_say_count(r, otst_tf_get(e->r, *field));
	}
	if (e->kind == OTST_TF_STACK)
		say_stack(r, e, tf->kernel.at.stack_caller.offset, false);
	if (e->kind == OTST_TF_USER_STACK)
		say_stack(r, e, tf->kernel.at.user_caller.offset, true);
	if (e->kind == OTST_TF_EVENT)
		say_event(r, e);
}

/* calls and returns on their own: no columns, no peek at the next entry */
static void print_plain(struct otst_tf *tf, const struct otst_record *r)
{
	struct otst_tf plain = *tf;

	plain.graph = NULL;
	plain.peek = NULL;
	plain.opt.context_info = false;
	plain.kernel.irq_start = plain.kernel.irq_end = 0;
	otst_tf_body(&plain, r);
	tf->t.at = plain.t.at;
	tf->err = plain.err;
}

/* the entry's own text, without its indentation and its newline */
static void say_text(struct otst_rows *rows, struct otst_tf *tf, const struct otst_record *r)
{
	char *text = tf->t.buf;
	size_t len;

	tf->t.at = text;
	if (tf->tracer == OTST_TF_MMIO)
		otst_tf_mmio(tf, r);
	else
		print_plain(tf, r);
	len = (size_t)(tf->t.at - text);
	if (len && text[len - 1] == '\n')
		len--;
	len -= len == (size_t)(tf->t.end - text);
	text[len] = '\0';
	otst_say_text(rows, text + strspn(text, " "));
	tf->t.at = text;
}

/* the latency columns: "d..1." */
static void say_flags(struct otst_rows *rows, struct otst_tf *tf, const struct otst_record *r)
{
	char flags[16];
	struct otst_text all = tf->t;

	tf->t = otst_text_in(flags, sizeof(flags) - 1);
	otst_tf_lat_fmt(tf, r);
	*tf->t.at = '\0';
	tf->t = all;
	otst_say_text(rows, flags);
}

static const char *entry_kind_name(unsigned int kind)
{
	return kind_names[kind];
}

static void entry_rows(struct otst_rows *r, const void *item)
{
	const struct entry *e = item;

	ROW_TEXT(r, "source", e->source, .words = "ftrace|snapshot");
	ROW_TEXT_OR_NULL(r, "array", e->array, .what = "instance; null for the top trace array");
	ROW_TEXT_OR_NULL(r, "clock", e->clock);
	ROW_COUNT(r, "time", e->r->time,
		  .what = "of that clock; ns unless it counts something else");
	ROW_COUNT(r, "cpu", e->r->cpu);
	ROW_NUMBER(r, "pid", e->r->pid);
	ROW_TEXT(r, "comm", otst_comm(e->tf->o, e->r->pid),
		 .what = "as the kernel's saved_cmdlines has it");
	ROW_NUMBER_OR_NULL(r, "tgid", otst_tgid(e->tf->o, e->r->pid),
			   otst_tgid(e->tf->o, e->r->pid));
	OTST_ROW(r, say_flags(r, e->tf, e->r), OTST_KEY("flags"), .type = OTST_ROW_TEXT,
		 .what = "the columns irqs-off, need-resched, context, preempt-depth and, where "
			 "the kernel has it, migrate-disable");
	ROW_TEXT(r, "kind", entry_kind_name(e->kind), .names = entry_kind_name,
		 .count = OTST_TF_KINDS);
	ROW_COUNT(r, "id", e->r->type, .what = "struct trace_entry.type");
	ROW_TEXT_OR_NULL(r, "system", e->format ? e->format->system : NULL,
			 .what = "of kind event");
	ROW_TEXT_OR_NULL(r, "event", e->format ? e->format->name : NULL);
	ROW_MAP(r, "fields", OTST_ROW_ANY, say_fields(r, e),
		.what = "members of the entry; addresses as {address, symbol, offset, module}; "
			"arrays other than text as hexadecimal digits");
	OTST_ROW(r, say_text(r, e->tf, e->r), OTST_KEY("text"), .type = OTST_ROW_TEXT,
		 .what = "what the trace file shows behind the columns; calls and returns of "
			 "function_graph are not joined");
	ROW_BOOL(r, "lost", e->r->lost,
		 .what = "the kernel noticed that entries before this one were lost");
	ROW_BOOL(r, "consumed", e->r->consumed,
		 .what = "with -v: was read by somebody, so the trace file does not have it");
}

const struct otst_object otst_entry_object = { OTST_LINE, "entry", entry_rows,
					       "otst -t -s ftrace: one entry of a ring buffer" };

void otst_tf_json(struct otst_tf *tf, const struct otst_record *r, struct otst_printer *p,
		  const char *source, const char *array, const char *clock)
{
	struct entry e = {
		.tf = tf,
		.r = r,
		.kind = otst_tf_kind(&tf->kernel, r->type),
		.source = source,
		.array = array,
		.clock = clock,
	};

	if (e.kind == OTST_TF_EVENT)
		e.format = otst_event_format(tf->o, r->type);
	otst_print_json(p, &otst_entry_object, &e, NULL);
}
