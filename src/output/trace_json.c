// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace_json.c - struct otst_trace as JSON.
 */
#include <inttypes.h>
#include <string.h>

#include "../dump/image.h"
#include "trace.h"
#include "trigger.h"

/* symbol, offset, size, module of "sym+0x1/0x1d [mod]" */
static void json_names(struct json_object *j, const char *name)
{
	struct otst_sym_text t = { 0 };
	bool known = otst_sym_text_parse(name, &t);

	otst_json_chars(j, "symbol", known ? t.name : NULL, t.name_len);
	if (known)
		otst_json_u64(j, "offset", t.offset);
	else
		otst_json_null(j, "offset");
	if (known && t.size)
		otst_json_u64(j, "size", t.size);
	else
		otst_json_null(j, "size");
	otst_json_chars(j, "module", known ? t.module : NULL, t.module_len);
}

static void json_place(struct json_object *j, const struct otst_line *s)
{
	otst_json_string(j, "file", s ? s->file : NULL);
	if (s && s->line)
		otst_json_u64(j, "line", s->line);
	else
		otst_json_null(j, "line");
}

/* "file", "line" of the function, and "inlined", with -v only: debug files take their time */
static void json_lines(struct otst_printer *p, struct json_object *j,
		       const struct otst_trace_line *l)
{
	struct json_object *inlined = otst_json_array(), *call;
	struct otst_lines lines = otst_trace_source_lines(p, l);
	size_t i;

	json_place(j, lines.count ? &lines.items[lines.count - 1] : NULL);
	for (i = 0; i + 1 < lines.count; i++) {
		call = otst_json_new(NULL);
		otst_json_string(call, "function", lines.items[i].function);
		json_place(call, &lines.items[i]);
		otst_json_append(inlined, call);
	}
	otst_json_object(j, "inlined", inlined);
}

static struct json_object *json_frame(struct otst_printer *p, const struct otst_trace_line *l)
{
	static const char *const kinds[] = { "frame", "ip", "text", "mark" };
	const char *name = otst_trace_line_name(p->o, l);
	struct json_object *j = otst_json_new(NULL);

	otst_json_string(j, "kind", kinds[l->kind]);
	otst_json_string(j, "text", name);
	if (!otst_trace_line_is_code(l))
		return j;
	json_names(j, name);
	if (l->addr)
		otst_json_address(j, "address", l->addr);
	else
		otst_json_null(j, "address");
	if (l->kind == OTST_LINE_IP)
		otst_json_u64(j, "cs", l->cs);
	otst_json_bool(j, "reliable", l->reliable);
	otst_json_bool(j, "exact", l->exact);
	if (l->sized) {
		otst_json_s64(j, "stack_depth", l->depth);
		otst_json_s64(j, "frame_size", l->size);
	}
	if (p->verbose)
		json_lines(p, j, l);
	return j;
}

static struct json_object *json_bytes(struct otst *o, const struct otst_trace *t)
{
	struct json_object *j = otst_trace_has_few_bytes(t) ? otst_json_new(NULL) : NULL, *words;
	const struct otst_piece *piece = t->capture ? t->capture->pieces : NULL;
	size_t i;

	if (!j)
		return NULL;
	words = otst_json_array();
	otst_json_address(j, "address", piece->base);
	for (i = 0; i + 8 <= piece->len; i += 8)
		otst_json_append_string(
			words, otst_format(o, "0x%" PRIx64,
					   otst_get(o, (const char *)piece->bytes + i, 8)));
	otst_json_object(j, "words", words);
	return j;
}

static void json_time(struct json_object *j, const struct otst_trace *t)
{
	bool known = t->clock != OTST_CLOCK_NONE;

	otst_json_string(j, "clock", t->clock_name ? t->clock_name : otst_clock_name(t->clock));
	if (known)
		otst_json_u64(j, "time", t->time);
	else
		otst_json_null(j, "time");
	otst_json_string(j, "time_text", t->time_text);
	if (t->age_known)
		otst_json_u64(j, "age", t->age);
	else
		otst_json_null(j, "age");
}

static void json_task(struct json_object *j, const struct otst_trace *t)
{
	if (t->cpu >= 0)
		otst_json_s64(j, "cpu", t->cpu);
	else
		otst_json_null(j, "cpu");
	if (t->pid >= 0)
		otst_json_s64(j, "pid", t->pid);
	else
		otst_json_null(j, "pid");
	otst_json_string(j, "comm", t->comm);
}

static struct json_object *json_call(const struct otst_arguments *c)
{
	struct json_object *j = c ? otst_json_new(NULL) : NULL, *args;
	size_t i;

	if (!c)
		return NULL;
	args = otst_json_array();
	for (i = 0; i < c->count; i++) {
		struct json_object *a = otst_json_new(NULL);

		otst_json_string(a, "name", c->args[i].name);
		otst_json_string(a, "type", c->args[i].type);
		otst_json_string(a, "value", c->args[i].text);
		otst_json_append(args, a);
	}
	otst_json_string(j, "function", c->function);
	otst_json_object(j, "arguments", args);
	return j;
}

static struct json_object *json_regs(const struct otst_arch *arch, const uint64_t *regs)
{
	struct json_object *j = regs ? otst_json_new(NULL) : NULL;
	size_t i;

	for (i = 0; regs && i < arch->nr_regs; i++)
		otst_json_address(j, arch->regs[i].name, regs[i]);
	return j;
}

void otst_print_trace_json(struct otst_printer *p, const struct otst_trace *t)
{
	struct json_object *j = otst_json_new("trace"), *frames = otst_json_array();
	const struct otst_trace_line *lines = NULL;
	size_t i, n = 0;

	if (otst_trace_lines(p->o, t, &lines, &n))
		p->err = OTST_ERR_NOMEM;
	if (t->error)
		p->bad++;
	otst_json_string(j, "source", t->source);
	otst_json_string(j, "where", t->where);
	otst_json_u64(j, "seq", t->seq);
	json_time(j, t);
	json_task(j, t);
	otst_json_string(j, "headline",
			 t->counted ? otst_hist_headline(p->o, t->counted) : t->headline);
	otst_json_string(j, "probe", t->probe);
	if (t->probe_addr)
		otst_json_address(j, "probe_address", t->probe_addr);
	else
		otst_json_null(j, "probe_address");
	otst_json_string(j, "handler", t->handler);
	otst_json_object(j, "call", json_call(t->call));
	otst_json_object(j, "bpf", otst_json_trace_bpf(t->bpf));
	otst_json_object(j, "registers", json_regs(otst_kernel(p->o)->arch, t->regs));
	otst_json_object(j, "stack", json_bytes(p->o, t));
	for (i = 0; i < n; i++)
		otst_json_append(frames, json_frame(p, &lines[i]));
	otst_json_object(j, "frames", frames);
	otst_json_string(j, "end", t->stack ? otst_end_name(t->stack->end) : NULL);
	otst_json_string(j, "why", t->stack ? t->stack->why : NULL);
	otst_json_bool(j, "consumed", t->consumed);
	otst_json_bool(j, "truncated", t->truncated);
	otst_json_bool(j, "overwritten", t->overwritten);
	otst_json_u64(j, "count", t->count);
	otst_json_string(j, "error", t->error);
	otst_json_line(p, j);
}
