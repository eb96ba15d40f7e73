// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * verdict.c - struct otst_verdict: the verdict first, then what it rests on.
 */
#include <inttypes.h>
#include <string.h>

#include "rows.h"
#include "trace.h"
#include "verdict.h"
#include "where.h"

#define MOST_FRAMES 20u /* of the stack that failed, without -v */
#define MOST_HOOKS  6u	/* on one function, without -v */

#define PLACE (OTST_SYM_OFFSET | OTST_SYM_MODULE) /* "lab_pre+0xc [lab]" */

/* what is on the frame's function: "return kretprobe, event r:lab:opens: handler" */
static void print_hooks(struct otst_printer *p, const struct otst_where *w)
{
	size_t i, n = 0;

	for (i = 0; w && i < w->nr_steps; i++) {
		const struct otst_step *s = &w->steps[i];

		if (!otst_step_runs(s))
			continue;
		if (n++ == MOST_HOOKS && !p->verbose) {
			otst_printf(p, "              ...\n");
			return;
		}
		otst_printf(p, "              %-6s %s, %s%s%s\n", otst_stage_name(s->stage),
			    otst_step_kind(s), otst_step_owner_text(p->o, s),
			    s->handler_sym.name ? ": " : "",
			    s->handler_sym.name ? s->handler_sym.name : "");
	}
}

static void print_frame(struct otst_printer *p, const struct otst_verdict_stack *s, size_t i)
{
	const struct otst_verdict_frame *f = &s->frames[i];

	otst_printf(p, "    %c %3zu  %s%s", i == s->failing ? '*' : ' ', i,
		    f->frame.reliable ? "" : "? ",
		    otst_sym_format(p->o, f->frame.pc, &f->sym, PLACE));
	if (f->what)
		otst_printf(p, "  (%s)", f->what);
	otst_printf(p, "\n");
	print_hooks(p, f->where);
}

static size_t hooked_frames(const struct otst_verdict_stack *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->nr_frames; i++)
		n += s->frames[i].role < OTST_ROLE_NONE ||
		     (s->frames[i].where && s->frames[i].where->nr_steps);
	return n;
}

/* behind the first turn of the cycle that fills the stack, leave out the others; returns how many frames */
static size_t fold_cycle(struct otst_printer *p, const struct otst_verdict_stack *s, size_t i)
{
	const struct otst_cycle *c = &s->cycle;

	if (!c->times || i != c->first + c->length - 1)
		return 0;
	if (c->length == 1)
		otst_printf(p, "           ... %zu times in all\n", c->times);
	else
		otst_printf(p, "           ... the last %zu of these, %zu times in all\n",
			    c->length, c->times);
	return c->length * (c->times - 1);
}

static void print_stack(struct otst_printer *p, const struct otst_verdict_stack *s)
{
	bool hidden = s->reason == OTST_STACK_CPU && !s->inside;
	size_t i, n = 0, most = p->verbose ? s->nr_frames : hidden ? 0 : MOST_FRAMES;

	otst_printf(p, "  %s: %s, PID %" PRIu64 ", cpu %u, %zu frame%s, %zu of them hooked%s\n",
		    otst_stack_reason_name(s->reason), s->task->comm ? s->task->comm : "?",
		    s->task->pid, s->task->cpu, s->nr_frames, otst_number(s->nr_frames, "", "s"),
		    hooked_frames(s), s->runs ? "" : ", asleep");
	for (i = 0; i < s->nr_frames && n < most && !p->err; i++, n++) {
		print_frame(p, s, i);
		i += fold_cycle(p, s, i);
	}
	if (i < s->nr_frames && most)
		otst_printf(p, "           ... and %zu more\n", s->nr_frames - i);
}

/* "lab (OE: out of tree, unsigned)": the letters of module_flags() in kernel/module */
static void print_verdict_module(struct otst_printer *p, const char *label, const char *module,
				 const char *flags, const char *frame)
{
	static const char *const words[] = {
		['P'] = "proprietary", ['O'] = "out of tree", ['F'] = "forced", ['C'] = "staging",
		['E'] = "unsigned",    ['K'] = "live patch",  ['T'] = "test",
	};
	const char *s, *between = ": ";

	if (!module)
		return;
	otst_printf(p, "%-11s %s%s%s", label, module, flags ? " (" : "", flags ? flags : "");
	for (s = flags; s && *s; s++) {
		if ((unsigned char)*s >= sizeof(words) / sizeof(*words) || !words[(int)*s])
			continue;
		otst_printf(p, "%s%s", between, words[(int)*s]);
		between = ", ";
	}
	otst_printf(p, "%s%s%s\n", flags ? ")" : "", frame ? " at " : "", frame ? frame : "");
}

/* of a log alone: whose code failed */
static void print_verdict_code(struct otst_printer *p, const struct otst_verdict *v)
{
	const struct otst_code_owner *c = &v->code;

	if (c->text)
		otst_printf(p, "failing     %s\n", c->text);
	print_verdict_module(p, "module", c->module, c->flags, NULL);
	print_verdict_module(p, "nearest", c->near_module, c->near_flags, c->near);
}

/* a log cannot tell that the kernel was alive */
static const char *end_name(const struct otst_verdict *v)
{
	return v->alone && v->report.death == OTST_DEATH_NONE ? NULL :
								otst_death_name(v->report.death);
}

static void print_report(struct otst_printer *p, const struct otst_verdict *v)
{
	const struct otst_report *r = &v->report;

	otst_printf(p, "rank        %s\n",
		    v->rank == OTST_RANK_NONE ? "-" : otst_rank_name(v->rank));
	otst_printf(p, "end         %s%s%s\n", end_name(v) ?: "?", r->line ? ": " : "",
		    r->line ? r->line : "");
	if (r->panic && (!r->line || !strstr(r->line, r->panic)))
		otst_printf(p, "panic       %s\n", r->panic);
	if (otst_died(r->death) && (r->cpu >= 0 || r->pid >= 0)) {
		otst_printf(p, "who        ");
		if (r->comm)
			otst_printf(p, " %s", r->comm);
		if (r->pid >= 0)
			otst_printf(p, " PID %" PRId64, r->pid);
		if (r->cpu >= 0)
			otst_printf(p, " cpu %d", r->cpu);
		if (r->has_time)
			otst_printf(p, " at %" PRIu64 ".%06" PRIu64, r->time / 1000000000,
				    r->time % 1000000000 / 1000);
		otst_printf(p, "\n");
	}
	if (v->overflow)
		otst_printf(p, "overflow    %s\n", v->overflow);
	if (v->failing)
		otst_printf(p, "failing     %s\n",
			    otst_sym_format(p->o, v->failing, &v->failing_sym, PLACE));
	print_verdict_code(p, v);
	if (r->has_address)
		otst_printf(p, "address     0x%016" PRIx64 "\n", r->address);
	if (v->signature.text)
		otst_printf(p, "signature   %s %s\n", v->signature.hash, v->signature.text);
}

static void print_evidence(struct otst_printer *p, const struct otst_evidence_item *e)
{
	otst_printf(p, "  %s  %s%s%s\n     %s\n", otst_rank_name(e->rank), e->text,
		    e->owner ? "; owner: " : "", e->owner ? e->owner : "", e->more);
}

/* ---- descriptions ---- */

/* a frame of a stack, and whether it is the failing one */
struct frame_item {
	const struct otst_verdict_frame *frame;
	bool failing;
};

static void hook_rows(struct otst_rows *r, const void *item)
{
	const struct otst_step *s = item;

	ROW_TEXT(r, "stage", otst_stage_name(s->stage), .names = otst_stage_name,
		 .count = OTST_STAGE_RETURN + 1);
	ROW_TEXT(r, "kind", otst_step_kind(s), .what = "a kind of -l -k help, or ftrace_ops");
	ROW_OBJECT(r, "owner", otst_owner_object, otst_step_owner(s));
	ROW_SYMBOL(r, "handler", s->handler, &s->handler_sym);
}

static const struct otst_object hook_object = { OTST_PART, "verdict_hook", hook_rows,
						"what runs in a call of a frame's function" };

static void put_hooks(struct otst_rows *r, const struct otst_where *w)
{
	for (size_t i = 0; w && i < w->nr_steps; i++) {
		if (otst_step_runs(&w->steps[i]))
			otst_say_object(r, &hook_object, &w->steps[i]);
	}
}

static void frame_rows(struct otst_rows *r, const void *item)
{
	const struct frame_item *f = item;

	ROW_PLACE(r, f->frame->frame.pc, &f->frame->sym);
	ROW_BOOL(r, "reliable", f->frame->frame.reliable);
	ROW_BOOL(r, "failing", f->failing);
	ROW_TEXT_OR_NULL(r, "role",
			 f->frame->role < OTST_ROLE_NONE ? otst_role_name(f->frame->role) : NULL,
			 .names = otst_role_name, .count = OTST_ROLE_NONE,
			 .what = "what the code is to a hook");
	ROW_TEXT_OR_NULL(r, "what", f->frame->what, .what = "whose code it is");
	ROW_ARRAY(r, "hooks", OTST_ROW_OBJECT, put_hooks(r, f->frame->where),
		  .object = &hook_object,
		  .what = "on the function, in the order in which they run");
}

static const struct otst_object frame_object = { OTST_PART, "verdict_frame", frame_rows,
						 "a frame, and what hooks its function" };

static void put_frames(struct otst_rows *r, const struct otst_verdict_stack *s)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		struct frame_item f = { &s->frames[i], i == s->failing };

		otst_say_object(r, &frame_object, &f);
	}
}

static void stack_rows(struct otst_rows *r, const void *item)
{
	const struct otst_verdict_stack *s = item;

	ROW_TEXT(r, "reason", otst_stack_reason_name(s->reason), .names = otst_stack_reason_name,
		 .count = OTST_STACK_COUNT);
	ROW_COUNT(r, "pid", s->task->pid);
	ROW_TEXT_OR_NULL(r, "comm", s->task->comm);
	ROW_COUNT(r, "cpu", s->task->cpu);
	ROW_BOOL(r, "runs", s->runs);
	ROW_ARRAY(r, "frames", OTST_ROW_OBJECT, put_frames(r, s), .object = &frame_object);
	ROW_COUNT_OR_NULL(r, "cycle_first", s->cycle.times, s->cycle.first,
			  .what = "number of the first frame of the cycle that fills the stack");
	ROW_COUNT_OR_NULL(r, "cycle_length", s->cycle.times, s->cycle.length, .what = "its frames");
	ROW_COUNT_OR_NULL(r, "cycle_times", s->cycle.times, s->cycle.times,
			  .what = "how often it is there");
	ROW_TEXT(r, "end", otst_end_name(s->end), .what = "how the stack ends");
	ROW_TEXT_OR_NULL(r, "why", s->why);
}

const struct otst_object otst_verdict_stack_object = { OTST_LINE, "verdict_stack", stack_rows,
						       "otst -b: a stack that matters" };

static void evidence_rows(struct otst_rows *r, const void *item)
{
	const struct otst_evidence_item *e = item;

	ROW_TEXT(r, "rank", otst_rank_name(e->rank), .names = otst_rank_name,
		 .count = OTST_RANK_F + 1);
	ROW_TEXT(r, "text", e->text);
	ROW_TEXT_OR_NULL(r, "owner", e->owner, .what = "who placed the hook");
	ROW_TEXT(r, "command", e->more, .what = "shows more");
}

static const struct otst_object evidence_object = { OTST_PART, "evidence", evidence_rows,
						    "one piece of evidence" };

static void verdict_code_rows(struct otst_rows *r, const void *item)
{
	const struct otst_code_owner *c = item;

	ROW_TEXT_OR_NULL(r, "text", c->text, .what = "the function that failed, as printed");
	ROW_TEXT_OR_NULL(r, "module", c->module, .what = "null: the kernel's own, or not known");
	ROW_TEXT_OR_NULL(r, "flags", c->flags, .what = "of the module in the list of modules: OE");
	ROW_TEXT_OR_NULL(r, "nearest", c->near,
			 .what = "the nearest frame in a module, if the failing one is in none");
	ROW_TEXT_OR_NULL(r, "nearest_module", c->near_module);
	ROW_TEXT_OR_NULL(r, "nearest_flags", c->near_flags);
}

static const struct otst_object code_object = { OTST_PART, "verdict_code", verdict_code_rows,
						"whose code failed" };

static void verdict_rows(struct otst_rows *r, const void *item)
{
	const struct otst_verdict *v = item;

	ROW_TEXT_OR_NULL(
		r, "rank", otst_rank_name(v->rank), .names = otst_rank_name,
		.count = OTST_RANK_F + 1,
		.what = "how near a hook is to the crash, A is nearest; null without hooks, where "
			"a log alone shows none, or when it is not known");
	ROW_TEXT(r, "verdict", v->sentence);
	ROW_TEXT_OR_NULL(r, "end", end_name(v), .names = otst_death_name, .count = OTST_DEATH_COUNT,
			 .what = "null with --text, where the log reports none");
	ROW_TEXT_OR_NULL(r, "line", v->report.line, .what = "of the log, which says why");
	ROW_TEXT_OR_NULL(r, "panic", v->report.panic, .what = "the text of panic()");
	ROW_NUMBER_OR_NULL(r, "cpu", v->report.cpu >= 0, v->report.cpu);
	ROW_NUMBER_OR_NULL(r, "pid", v->report.pid >= 0, v->report.pid);
	ROW_TEXT_OR_NULL(r, "comm", v->report.comm);
	ROW_COUNT_OR_NULL(r, "time", v->report.has_time, v->report.time,
			  .what = "ns of the log's clock");
	ROW_SYMBOL(r, "failing", v->failing, &v->failing_sym, .what = "the failing instruction");
	OTST_ROW(r,
		 v->report.has_address ? otst_say_address(r, v->report.address) : otst_say_null(r),
		 OTST_KEY("bad_address"), .type = OTST_ROW_ADDRESS, .or_null = true);
	ROW_TEXT_OR_NULL(r, "overflow", v->overflow,
			 .what = "what fills the stack, if it overflowed");
	ROW_OBJECT_OR_NULL(r, "code", code_object, v->alone ? &v->code : NULL,
			   .what = "with --text: whose code failed, by what the log prints");
	ROW_COUNT_OR_NULL(r, "hooks", !v->alone, v->hooks,
			  .what = "probes in this kernel; null with --text: a log does not tell");
	ROW_COUNT_OR_NULL(r, "nobodys", !v->alone, v->nobodys,
			  .what = "probes whose code is nobody's");
	ROW_TEXT_OR_NULL(
		r, "signature", v->signature.text,
		.what = "what crashes of this kind have in common: the end, the function that "
			"failed, those below it; null: nothing died");
	ROW_TEXT_OR_NULL(r, "signature_hash", v->signature.hash,
			 .what = "FNV-1a of the signature, 16 hexadecimal digits");
	ROW_OBJECTS(r, "evidence", evidence_object,
		    (const struct otst_evidence_item *)v->evidence.data, v->evidence.count,
		    .what = "nearest first");
}

const struct otst_object otst_verdict_object = { OTST_LINE, "verdict", verdict_rows,
						 "otst -b: was a hook in the crash" };

void otst_print_verdict_head(struct otst_printer *p, const struct otst_verdict *v)
{
	if (p->json) {
		otst_print_json(p, &otst_verdict_object, v, NULL);
		return;
	}
	otst_printf(p, "%s\n", v->sentence);
	print_report(p, v);
}

void otst_print_verdict(struct otst_printer *p, const struct otst_verdict *v)
{
	const struct otst_verdict_stack *s = v->stacks.data;
	const struct otst_evidence_item *e = v->evidence.data;

	otst_print_verdict_head(p, v);
	p->nobodys += v->nobodys;
	if (!p->json) {
		otst_print_nobodys(p, 0, v->nobodys);
		if (v->evidence.count)
			otst_printf(p, "\nevidence\n");
		for (size_t i = 0; i < v->evidence.count; i++)
			print_evidence(p, &e[i]);
		if (v->stacks.count)
			otst_printf(p, "\nstacks\n");
	}
	if (v->trace) {
		if (!p->json)
			otst_printf(p, "\n");
		otst_print_trace(p, v->trace);
	}
	for (size_t i = 0; i < v->stacks.count && !p->err; i++) {
		if (p->json)
			otst_print_json(p, &otst_verdict_stack_object, &s[i], NULL);
		else
			print_stack(p, &s[i]);
	}
	otst_print_notes(p, &v->notes);
	otst_print_errors(p, &v->errors);
	otst_print_gaps(p, &v->coverage);
	otst_print_end(p, "stack", "stacks", v->stacks.count + (v->trace != NULL));
}
