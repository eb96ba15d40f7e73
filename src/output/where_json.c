// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * where_json.c - struct otst_where as a line of JSON, "where" of
 * docs/otst.schema.json. Records stand there by their addresses, under which
 * -l, -f and -t have all of them.
 */
#include <json-c/json.h>

#include "where.h"

static struct json_object *json_step(struct otst_printer *p, const struct otst_where *w,
				     const struct otst_step *s)
{
	struct json_object *j = otst_json_new(NULL);
	const struct otst_program *program = s->probe ? s->probe->programs.data : NULL;

	if (s->number)
		otst_json_u64(j, "number", s->number);
	else
		otst_json_null(j, "number");
	otst_json_string(j, "stage", otst_stage_name(s->stage));
	if (w->target) {
		otst_json_null(j, "address");
		otst_json_null(j, "offset");
	} else {
		otst_json_address(j, "address", s->addr);
		otst_json_u64(j, "offset", s->addr - w->sym.addr);
	}
	otst_json_string(j, "role", s->role);
	otst_json_string(j, "runs", otst_step_name(p->o, s));
	otst_json_sym(j, "handler", s->handler, &s->handler_sym);
	otst_json_string(j, "kind",
			 s->probe ? otst_probe_kind(s->probe->kind)->name : "ftrace_ops");
	if (s->probe)
		otst_json_address(j, "record", s->probe->record);
	else
		otst_json_null(j, "record");
	if (s->ops)
		otst_json_address(j, "ops", s->ops->addr);
	else
		otst_json_null(j, "ops");
	if (s->ops && s->ops->manager)
		otst_json_address(j, "manager", s->ops->manager->addr);
	else
		otst_json_null(j, "manager");
	if (s->probe && s->probe->programs.count)
		otst_json_u64(j, "program", program->id);
	else
		otst_json_null(j, "program");
	otst_json_string(j, "state", s->probe ? otst_probe_state(p->o, s->probe) : NULL);
	otst_json_object(j, "owner", otst_json_owner(s->probe ? &s->probe->owner : &s->ops->owner));
	otst_json_string(j, "why", s->why);
	otst_json_string(j, "disagree", s->probe ? s->probe->disagree : NULL);
	otst_json_string(j, "error", s->probe ? s->probe->error : s->ops->error);
	return j;
}

static struct json_object *json_insn(struct otst *o, const struct otst_insn *insn)
{
	struct json_object *j;

	if (!insn)
		return NULL;
	j = otst_json_new(NULL);
	otst_json_bytes(j, "bytes", insn->bytes, insn->len);
	otst_json_string(j, "text", otst_insn_line(o, insn));
	return j;
}

static struct json_object *json_row(struct otst *o, const struct otst_where *w,
				    const struct otst_code_row *r)
{
	struct json_object *j = otst_json_new(NULL);

	otst_json_address(j, "address", r->addr);
	otst_json_u64(j, "offset", r->addr - w->sym.addr);
	otst_json_object(j, "built", json_insn(o, r->built));
	otst_json_object(j, "wanted", json_insn(o, r->wanted));
	otst_json_object(j, "found", json_insn(o, r->found));
	otst_json_bool(j, "same", r->same);
	otst_json_bool(j, "covered", r->covered);
	otst_json_bool(j, "wrong", r->wrong);
	return j;
}

static struct json_object *json_saved(struct otst *o, const struct otst_code_saved *s)
{
	struct json_object *j = otst_json_new(NULL), *insns = otst_json_array();
	size_t i;

	otst_json_address(j, "address", s->probe->addr);
	otst_json_string(j, "place", s->probe->place);
	otst_json_address(j, "record", s->probe->record);
	otst_json_bytes(j, "bytes", s->probe->saved, s->probe->nr_saved);
	for (i = 0; i < s->insns.count; i++)
		otst_json_append_string(insns, otst_insn_line(o, &s->insns.items[i]));
	otst_json_object(j, "instructions", insns);
	otst_json_bool(j, "differs", s->differs);
	return j;
}

static struct json_object *json_code(struct otst *o, const struct otst_where *w)
{
	struct json_object *j = otst_json_new(NULL), *rows = otst_json_array();
	struct json_object *saved = otst_json_array();
	size_t i;

	otst_json_bool(j, "built_known", w->code.built_known);
	for (i = 0; i < w->code.nr_rows; i++)
		otst_json_append(rows, json_row(o, w, &w->code.rows[i]));
	otst_json_object(j, "rows", rows);
	for (i = 0; i < w->code.nr_saved; i++)
		otst_json_append(saved, json_saved(o, &w->code.saved[i]));
	otst_json_object(j, "saved", saved);
	otst_json_string(j, "error", w->code.error);
	return j;
}

static struct json_object *json_capture(const struct otst_trace *t)
{
	struct json_object *j = otst_json_new(NULL);

	otst_json_string(j, "clock", t->clock_name ? t->clock_name : otst_clock_name(t->clock));
	if (t->clock == OTST_CLOCK_NONE)
		otst_json_null(j, "time");
	else
		otst_json_u64(j, "time", t->time);
	otst_json_s64(j, "cpu", t->cpu);
	otst_json_s64(j, "pid", t->pid);
	otst_json_string(j, "comm", t->comm);
	otst_json_string(j, "where", t->where);
	otst_json_string(j, "probe", t->probe);
	otst_json_string(j, "handler", t->handler);
	return j;
}

static struct json_object *json_sources(const struct otst_where *w)
{
	const struct otst_where_source *s = w->sources.data;
	struct json_object *all = otst_json_array();
	size_t i, k;

	for (i = 0; i < w->sources.count; i++) {
		struct json_object *j = otst_json_new(NULL), *newest = otst_json_array();

		otst_json_string(j, "source", s[i].source);
		otst_json_u64(j, "count", s[i].count);
		for (k = 0; k < s[i].nr_newest; k++)
			otst_json_append(newest, json_capture(s[i].newest[k]));
		otst_json_object(j, "newest", newest);
		otst_json_append(all, j);
	}
	return all;
}

static struct json_object *json_tasks(struct otst *o, const struct otst_where *w)
{
	const struct otst_where_task *t = w->tasks.data;
	struct json_object *all = otst_json_array();
	size_t i;

	for (i = 0; i < w->tasks.count; i++) {
		struct json_object *j = otst_json_new(NULL);

		otst_json_address(j, "task", t[i].task->addr);
		otst_json_u64(j, "pid", t[i].task->pid);
		otst_json_string(j, "comm", t[i].task->comm);
		if (t[i].runs)
			otst_json_u64(j, "cpu", t[i].task->cpu);
		else
			otst_json_null(j, "cpu");
		otst_json_u64(j, "depth", t[i].depth);
		otst_json_address(j, "pc", t[i].frame.pc);
		otst_json_string(j, "frame", otst_frame_name(o, &t[i].frame));
		otst_json_bool(j, "reliable", t[i].frame.reliable);
		otst_json_u64(j, "frames", t[i].frames);
		otst_json_append(all, j);
	}
	return all;
}

void otst_where_json(struct otst_printer *p, const struct otst_where *w)
{
	struct json_object *j = otst_json_new("where"), *steps = otst_json_array();
	size_t i;

	otst_json_string(j, "operand", w->operand);
	if (w->sym.addr)
		otst_json_address(j, "address", w->sym.addr);
	else
		otst_json_null(j, "address");
	otst_json_string(j, "symbol", w->sym.name);
	otst_json_string(j, "module", w->sym.module);
	if (w->sym.name)
		otst_json_u64(j, "size", w->sym.size);
	else
		otst_json_null(j, "size");
	otst_json_strings(j, "names", w->names);
	otst_json_string(j, "target", w->target);
	otst_json_string(j, "none", w->none);
	for (i = 0; i < w->nr_steps; i++)
		otst_json_append(steps, json_step(p, w, &w->steps[i]));
	otst_json_object(j, "hooks", steps);
	otst_json_object(j, "text", w->sym.name ? json_code(p->o, w) : NULL);
	otst_json_object(j, "captures", json_sources(w));
	otst_json_object(j, "tasks", json_tasks(p->o, w));
	otst_json_line(p, j);
}
