// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * where_rows.c - the description of struct otst_where. It gives records by their
 * addresses; -l, -f and -t show all of a record under its address.
 */
#include <inttypes.h>

#include "audit.h"
#include "where.h"

/* ---- handlers ---- */

/* the BPF program that runs in this step; the kernel code that calls it says less */
static const struct otst_program *step_program(const struct otst_step *s)
{
	/*
	 * A step that only takes the return address, or is never called, runs nothing. The
	 * programs of a trampoline have no handler.
	 */
	if (!s->probe || !s->probe->programs.count || (!s->handler && s->why))
		return NULL;
	return s->probe->programs.data;
}

static const char *step_name(struct otst *o, const struct otst_step *s)
{
	const struct otst_program *prog = step_program(s);

	if (prog)
		return otst_or_unknown(otst_format(o, "program %s id %" PRIu32,
						   *prog->name ? prog->name : "(no name)",
						   prog->id));
	return s->handler ? otst_sym_name(o, s->handler, &s->handler_sym) : "-";
}

/* the ftrace_ops that calls it, by its symbol or its address */
static const char *step_through(struct otst *o, const struct otst_step *s)
{
	const struct otst_ftrace_ops *ops = s->ops;

	if (!ops)
		return "-";
	if (ops->sym.name || ops->sym.module)
		return otst_sym_name(o, ops->addr, &ops->sym);
	return otst_or_unknown(otst_format(o, "ops 0x%" PRIx64, ops->addr));
}

static const char *step_place(struct otst *o, const struct otst_where *w, const struct otst_step *s)
{
	if (w->target)
		return "-";
	return otst_or_unknown(otst_format(o, "+0x%" PRIx64, s->addr - w->sym.addr));
}

const char *otst_step_owner_text(struct otst *o, const struct otst_step *s)
{
	return s->probe ? otst_owner_text(o, &s->probe->owner) :
			  otst_ops_owner(o, otst_step_owner(s));
}

static bool has_program(const struct otst_step *s)
{
	return s->probe && s->probe->programs.count;
}

static void step_rows(struct otst_rows *r, const void *item)
{
	const struct otst_where *w = r->of;
	const struct otst_step *s = item;

	ROW_CELL(r, "WHEN", otst_stage_name(s->stage), OTST_STYLE_PLAIN);
	ROW_COUNT_OR_NULL(
		r, "number", s->number, s->number, .title = "#", .right = true,
		.what = "place in the order of one call, from 1; null for what never runs");
	ROW_TEXT(r, "stage", otst_stage_name(s->stage), .names = otst_stage_name,
		 .count = OTST_STAGE_COUNT);
	ROW_CELL(r, "AT", step_place(r->p->o, w, s), OTST_STYLE_PLAIN);
	ROW_ADDRESS_OR_NULL(r, "address", w->target ? 0 : s->addr);
	ROW_COUNT_OR_NULL(r, "offset", !w->target, s->addr - w->sym.addr);
	ROW_CELL(r, "RUNS", step_name(r->p->o, s), OTST_STYLE_PLAIN, .most = OTST_NAME_COLUMN);
	ROW_TEXT_OR_NULL(r, "role", otst_step_role_name(s->role), .title = "AS",
			 .names = otst_step_role_name, .count = OTST_STEP_COUNT);
	ROW_TEXT(r, "runs", step_name(r->p->o, s), .what = "the handler, or the BPF program");
	ROW_SYMBOL(r, "handler", s->handler, &s->handler_sym);
	ROW_TEXT(r, "kind", otst_step_kind(s), .title = "KIND",
		 .what = "a kind of -l -k help, or ftrace_ops");
	ROW_ADDRESS_OR_NULL(r, "record", s->probe ? s->probe->record : 0, .what = "of -l");
	ROW_ADDRESS_OR_NULL(r, "ops", s->ops ? s->ops->addr : 0,
			    .what = "ftrace_ops that calls it, of -f");
	ROW_ADDRESS_OR_NULL(r, "manager", s->ops && s->ops->manager ? s->ops->manager->addr : 0,
			    .what = "ftrace_ops that calls this one");
	ROW_COUNT_OR_NULL(r, "program", has_program(s),
			  ((const struct otst_program *)s->probe->programs.data)->id,
			  .what = "id of the BPF program");
	ROW_CELL(r, "STATE", s->probe ? otst_probe_state(r->p->o, s->probe) : "-",
		 s->probe ? otst_probe_style(s->probe) : OTST_STYLE_PLAIN, .flow = true);
	ROW_TEXT_OR_NULL(r, "state", s->probe ? otst_probe_state(r->p->o, s->probe) : NULL);
	ROW_CELL(r, "OWNER", otst_step_owner_text(r->p->o, s), OTST_STYLE_PLAIN,
		 .most = OTST_NAME_COLUMN);
	ROW_OBJECT(r, "owner", otst_owner_object, otst_step_owner(s));
	ROW_CELL(r, "THROUGH", step_through(r->p->o, s), OTST_STYLE_PLAIN);
	ROW_TEXT_OR_NULL(r, "why", s->why);
	ROW_TEXT_OR_NULL(r, "disagree",
			 s->disagree ? s->disagree :
			 s->probe    ? s->probe->disagree :
				       NULL);
	ROW_TEXT_OR_NULL(r, "error", s->probe ? s->probe->error : s->ops ? s->ops->error : NULL);
}

const struct otst_object otst_step_object = { OTST_PART, "hook", step_rows,
					      "one handler that runs, or never does" };

/* ---- through what else it is called ---- */

static void called_rows(struct otst_rows *r, const void *item)
{
	const struct otst_registered *c = item;

	ROW_TEXT(r, "kind", otst_probe_kind(otst_registered_probe_kind(c))->name,
		 .what = "a kind of -l -k help");
	ROW_TEXT(r, "place", c->where);
	ROW_TEXT_OR_NULL(r, "member", c->role, .what = "of the record, that has the function");
	ROW_ADDRESS(r, "record", c->record, .what = "of -l");
	ROW_ADDRESS(r, "function", c->func);
}

static const struct otst_object called_object = {
	OTST_PART, "called_through", called_rows, "a part of the kernel that was given the function"
};

/* ---- text ---- */

static void insn_rows(struct otst_rows *r, const void *item)
{
	const struct otst_insn *insn = item;

	ROW_BYTES(r, "bytes", insn->bytes, insn->len);
	ROW_TEXT(r, "text", otst_insn_line(r->p->o, insn));
}

static const struct otst_object insn_object = { OTST_PART, "instruction", insn_rows,
						"an instruction" };

static void code_row_rows(struct otst_rows *r, const void *item)
{
	const struct otst_code_row *c = item;
	const struct otst_where *w = r->of;

	ROW_ADDRESS(r, "address", c->addr);
	ROW_COUNT(r, "offset", c->addr - w->sym.addr);
	ROW_OBJECT_OR_NULL(r, "built", insn_object, c->built);
	ROW_OBJECT_OR_NULL(r, "wanted", insn_object, c->wanted,
			   .what = "as a record that is armed wants it");
	ROW_OBJECT_OR_NULL(r, "found", insn_object, c->found);
	ROW_BOOL(r, "same", c->same);
	ROW_BOOL(r, "covered", c->covered, .what = "an instruction that was found lies over it");
	ROW_BOOL(r, "wrong", c->wrong, .what = "found otherwise than the record wants it");
}

static const struct otst_object code_row_object = {
	OTST_PART, "text_row", code_row_rows, "an instruction as built, as wanted and as found"
};

static void put_insns(struct otst_rows *r, const struct otst_insns *insns)
{
	for (size_t i = 0; i < insns->count; i++)
		otst_say_text(r, otst_insn_line(r->p->o, &insns->items[i]));
}

static void saved_rows(struct otst_rows *r, const void *item)
{
	const struct otst_code_saved *s = item;

	ROW_ADDRESS(r, "address", s->probe->addr);
	ROW_TEXT(r, "place", s->probe->place);
	ROW_ADDRESS(r, "record", s->probe->record);
	ROW_BYTES(r, "bytes", s->probe->saved, s->probe->nr_saved);
	ROW_ARRAY(r, "instructions", OTST_ROW_TEXT, put_insns(r, &s->insns));
	ROW_BOOL(r, "differs", s->differs, .what = "not what was built");
}

static const struct otst_object saved_object = { OTST_PART, "saved_text", saved_rows,
						 "original bytes that a record keeps" };

static void where_code_rows(struct otst_rows *r, const void *item)
{
	const struct otst_where *w = item;

	ROW_BOOL(r, "built_known", w->code.built_known);
	ROW_OBJECTS(r, "rows", code_row_object, w->code.rows, w->code.nr_rows);
	ROW_OBJECTS(r, "saved", saved_object, w->code.saved, w->code.nr_saved);
	ROW_TEXT_OR_NULL(r, "error", w->code.error);
	ROW_OBJECTS(r, "changes", otst_text_change_object,
		    (const struct otst_finding *)w->changes.data, w->changes.count,
		    .what = "what no record explains in all of the function, as otst -a has it");
	ROW_TEXT_OR_NULL(r, "not_compared", w->uncompared,
			 .what = "why not all of the function was compared");
}

static const struct otst_object code_object = {
	OTST_PART, "where_text", where_code_rows,
	"the beginning of a function, and each hooked place in it"
};

/* ---- captures and tasks ---- */

static void capture_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace *const *slot = item, *t = slot ? *slot : NULL;

	ROW_TEXT_OR_NULL(r, "clock", t->clock_name ? t->clock_name : otst_clock_name(t->clock));
	ROW_COUNT_OR_NULL(r, "time", t->clock != OTST_CLOCK_NONE, t->time);
	ROW_NUMBER(r, "cpu", t->cpu);
	ROW_NUMBER(r, "pid", t->pid);
	ROW_TEXT_OR_NULL(r, "comm", t->comm);
	ROW_TEXT_OR_NULL(r, "where", t->where);
	ROW_TEXT_OR_NULL(r, "probe", t->probe);
	ROW_TEXT_OR_NULL(r, "handler", t->handler);
}

static const struct otst_object capture_object = { OTST_PART, "capture", capture_rows,
						   "a captured trace in short" };

static void source_rows(struct otst_rows *r, const void *item)
{
	const struct otst_where_source *s = item;

	ROW_TEXT(r, "source", otst_source_name(s->source));
	ROW_COUNT(r, "count", s->count);
	ROW_OBJECTS(r, "newest", capture_object, s->newest, s->nr_newest,
		    .most_items = OTST_NEWEST);
}

static const struct otst_object source_object = { OTST_PART, "captures", source_rows,
						  "captures of one source" };

static void task_rows(struct otst_rows *r, const void *item)
{
	const struct otst_where_task *t = item;

	ROW_ADDRESS(r, "task", t->task->addr);
	ROW_COUNT(r, "pid", t->task->pid);
	ROW_TEXT_OR_NULL(r, "comm", t->task->comm);
	ROW_COUNT_OR_NULL(r, "cpu", t->runs, t->task->cpu,
			  .what = "where it runs; null when it does not");
	ROW_COUNT(r, "depth", t->depth, .what = "of its innermost frame in the function");
	ROW_ADDRESS(r, "pc", t->frame.pc);
	ROW_TEXT(r, "frame", otst_frame_name(r->p->o, &t->frame));
	ROW_BOOL(r, "reliable", t->frame.reliable);
	ROW_COUNT(r, "frames", t->frames, .what = "how many of its frames are in the function");
}

static const struct otst_object task_object = { OTST_PART, "task_inside", task_rows,
						"a task whose stack goes through the function" };

/* ---- all of it ---- */

static void where_rows(struct otst_rows *r, const void *item)
{
	const struct otst_where *w = item;

	ROW_TEXT(r, "operand", w->operand);
	ROW_ADDRESS_OR_NULL(r, "address", w->sym.addr);
	ROW_TEXT_OR_NULL(r, "symbol", w->sym.name);
	ROW_TEXT_OR_NULL(r, "module", w->sym.module);
	ROW_COUNT_OR_NULL(r, "size", w->sym.name, w->sym.size);
	ROW_TEXTS(r, "names", w->names, OTST_UNTIL_NULL, .what = "other names of the function");
	ROW_TEXT_OR_NULL(r, "target", w->target,
			 .what = "tracepoint or place in a file, which has no address");
	ROW_TEXT_OR_NULL(r, "none", w->none,
			 .what = "why the operand is nothing that can be hooked");
	ROW_OBJECTS(r, "hooks", otst_step_object, w->steps, w->nr_steps,
		    .what = "in the order in which they run");
	ROW_OBJECTS(r, "called", called_object, (const struct otst_registered *)w->called.data,
		    w->called.count, .what = "through what else it is called");
	ROW_OBJECT_OR_NULL(r, "text", code_object, w->sym.name ? w : NULL);
	ROW_OBJECTS(r, "captures", source_object, (const struct otst_where_source *)w->sources.data,
		    w->sources.count);
	ROW_OBJECTS(r, "tasks", task_object, (const struct otst_where_task *)w->tasks.data,
		    w->tasks.count);
}

const struct otst_object otst_where_object = { OTST_LINE, "where", where_rows,
					       "otst -w: everything that is on a function" };
