// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verdict.c - struct otst_verdict: the verdict first, then what it rests on.
 */
#include <inttypes.h>
#include <string.h>

#include "verdict.h"

#define MOST_FRAMES 20u /* of the stack that failed, without -v */
#define MOST_HOOKS  6u	/* on one function, without -v */

static const char *frame_name(struct otst_printer *p, const struct otst_verdict_frame *f)
{
	if (!f->sym.name)
		return otst_format(p->o, "0x%" PRIx64, f->frame.pc);
	return otst_format(p->o, "%s+0x%" PRIx64 "%s%s%s", f->sym.name, f->frame.pc - f->sym.addr,
			   f->sym.module ? " [" : "", f->sym.module ? f->sym.module : "",
			   f->sym.module ? "]" : "");
}

static const char *owner_name(struct otst_printer *p, const struct otst_step *s)
{
	return s->probe ? otst_owner_text(p->o, &s->probe->owner) :
			  otst_ops_owner(p->o, &s->ops->owner);
}

/* "<- kretprobe of event p:lab:opens", what is on the frame's function */
static void print_hooks(struct otst_printer *p, const struct otst_where *w)
{
	size_t i, n = 0;

	for (i = 0; w && i < w->nr_steps; i++) {
		const struct otst_step *s = &w->steps[i];

		if (s->stage == OTST_STAGE_NEVER || (!s->probe && !s->ops))
			continue;
		if (n++ == MOST_HOOKS && !p->verbose) {
			otst_printf(p, "              ...\n");
			return;
		}
		otst_printf(p, "              %-6s %s, %s%s%s\n", otst_stage_name(s->stage),
			    s->probe ? otst_probe_kind(s->probe->kind)->name : "ftrace_ops",
			    owner_name(p, s), s->handler_sym.name ? ": " : "",
			    s->handler_sym.name ? s->handler_sym.name : "");
	}
}

static void print_frame(struct otst_printer *p, const struct otst_verdict_stack *s, size_t i)
{
	const struct otst_verdict_frame *f = &s->frames[i];

	otst_printf(p, "    %c %3zu  %s%s", i == s->failing ? '*' : ' ', i,
		    f->frame.reliable ? "" : "? ", frame_name(p, f));
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

static void print_stack(struct otst_printer *p, const struct otst_verdict_stack *s)
{
	size_t i, most = p->verbose ? s->nr_frames : s->reason == OTST_STACK_CPU ? 0 : MOST_FRAMES;

	otst_printf(p, "  %s: %s, PID %" PRIu64 ", cpu %u, %zu frames, %zu of them hooked%s\n",
		    otst_stack_reason_name(s->reason), s->task->comm ? s->task->comm : "?",
		    s->task->pid, s->task->cpu, s->nr_frames, hooked_frames(s),
		    s->runs ? "" : ", asleep");
	for (i = 0; i < s->nr_frames && i < most && !p->err; i++)
		print_frame(p, s, i);
	if (i < s->nr_frames && most)
		otst_printf(p, "           ... and %zu more\n", s->nr_frames - i);
}

static void print_report(struct otst_printer *p, const struct otst_verdict *v)
{
	const struct otst_report *r = &v->report;

	otst_printf(p, "rank        %c\n", otst_rank_letter(v->rank));
	otst_printf(p, "end         %s%s%s\n", otst_death_name(r->death), r->line ? ": " : "",
		    r->line ? r->line : "");
	if (r->panic && (!r->line || !strstr(r->line, r->panic)))
		otst_printf(p, "panic       %s\n", r->panic);
	if (r->death != OTST_DEATH_NONE && (r->cpu >= 0 || r->pid >= 0)) {
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
	if (v->failing && v->failing_sym.name)
		otst_printf(p, "failing     %s+0x%" PRIx64 "%s%s%s\n", v->failing_sym.name,
			    v->failing - v->failing_sym.addr, v->failing_sym.module ? " [" : "",
			    v->failing_sym.module ? v->failing_sym.module : "",
			    v->failing_sym.module ? "]" : "");
	else if (v->failing)
		otst_printf(p, "failing     0x%" PRIx64 "\n", v->failing);
	if (r->has_address)
		otst_printf(p, "address     0x%016" PRIx64 "\n", r->address);
}

static void print_evidence(struct otst_printer *p, const struct otst_evidence_item *e)
{
	otst_printf(p, "  %c  %s%s%s\n     %s\n", otst_rank_letter(e->rank), e->text,
		    e->owner ? "; owner: " : "", e->owner ? e->owner : "", e->more);
}

/* ---- JSON ---- */

static struct json_object *json_hooks(struct otst_printer *p, const struct otst_where *w)
{
	struct json_object *all = otst_json_array();
	size_t i;

	for (i = 0; w && i < w->nr_steps; i++) {
		const struct otst_step *s = &w->steps[i];
		struct json_object *j;

		if (s->stage == OTST_STAGE_NEVER || (!s->probe && !s->ops))
			continue;
		j = otst_json_new(NULL);
		otst_json_string(j, "stage", otst_stage_name(s->stage));
		otst_json_string(j, "kind",
				 s->probe ? otst_probe_kind(s->probe->kind)->name : "ftrace_ops");
		otst_json_object(j, "owner",
				 otst_json_owner(s->probe ? &s->probe->owner : &s->ops->owner));
		otst_json_sym(j, "handler", s->handler, &s->handler_sym);
		otst_json_append(all, j);
	}
	(void)p;
	return all;
}

static void json_stack(struct otst_printer *p, const struct otst_verdict_stack *s)
{
	struct json_object *j = otst_json_new("verdict_stack"), *frames = otst_json_array();
	size_t i;

	otst_json_string(j, "reason", otst_stack_reason_name(s->reason));
	otst_json_u64(j, "pid", s->task->pid);
	otst_json_string(j, "comm", s->task->comm);
	otst_json_u64(j, "cpu", s->task->cpu);
	otst_json_bool(j, "runs", s->runs);
	for (i = 0; i < s->nr_frames; i++) {
		const struct otst_verdict_frame *f = &s->frames[i];
		struct json_object *k = otst_json_new(NULL);

		otst_json_place(k, f->frame.pc, &f->sym);
		otst_json_bool(k, "reliable", f->frame.reliable);
		otst_json_bool(k, "failing", i == s->failing);
		otst_json_string(k, "role",
				 f->role < OTST_ROLE_NONE ? otst_role_name(f->role) : NULL);
		otst_json_string(k, "what", f->what);
		otst_json_object(k, "hooks", json_hooks(p, f->where));
		otst_json_append(frames, k);
	}
	otst_json_object(j, "frames", frames);
	otst_json_string(j, "end", otst_end_name(s->end));
	otst_json_string(j, "why", s->why);
	otst_json_line(p, j);
}

static void json_verdict(struct otst_printer *p, const struct otst_verdict *v)
{
	const struct otst_report *r = &v->report;
	struct json_object *j = otst_json_new("verdict"), *evidence = otst_json_array();
	const struct otst_evidence_item *e = v->evidence.data;
	char rank[2] = { otst_rank_letter(v->rank), '\0' };
	size_t i;

	otst_json_string(j, "rank", v->rank == OTST_RANK_NONE ? NULL : rank);
	otst_json_string(j, "verdict", v->sentence);
	otst_json_string(j, "end", otst_death_name(r->death));
	otst_json_string(j, "line", r->line);
	otst_json_string(j, "panic", r->panic);
	if (r->cpu >= 0)
		otst_json_s64(j, "cpu", r->cpu);
	else
		otst_json_null(j, "cpu");
	if (r->pid >= 0)
		otst_json_s64(j, "pid", r->pid);
	else
		otst_json_null(j, "pid");
	otst_json_string(j, "comm", r->comm);
	if (r->has_time)
		otst_json_u64(j, "time", r->time);
	else
		otst_json_null(j, "time");
	otst_json_sym(j, "failing", v->failing, &v->failing_sym);
	if (r->has_address)
		otst_json_address(j, "bad_address", r->address);
	else
		otst_json_null(j, "bad_address");
	otst_json_u64(j, "hooks", v->hooks);
	for (i = 0; i < v->evidence.count; i++) {
		struct json_object *k = otst_json_new(NULL);

		rank[0] = otst_rank_letter(e[i].rank);
		otst_json_string(k, "rank", rank);
		otst_json_string(k, "text", e[i].text);
		otst_json_string(k, "owner", e[i].owner);
		otst_json_string(k, "command", e[i].more);
		otst_json_append(evidence, k);
	}
	otst_json_object(j, "evidence", evidence);
	otst_json_line(p, j);
}

void otst_print_verdict(struct otst_printer *p, const struct otst_verdict *v)
{
	const struct otst_verdict_stack *s = v->stacks.data;
	const struct otst_evidence_item *e = v->evidence.data;
	const char *const *errors = v->errors.data, *const *notes = v->notes.data;
	size_t i;

	if (p->json) {
		json_verdict(p, v);
	} else {
		otst_printf(p, "%s\n", v->sentence);
		print_report(p, v);
		if (v->evidence.count)
			otst_printf(p, "\nevidence\n");
		for (i = 0; i < v->evidence.count; i++)
			print_evidence(p, &e[i]);
		if (v->stacks.count)
			otst_printf(p, "\nstacks\n");
	}
	for (i = 0; i < v->stacks.count && !p->err; i++)
		(p->json ? json_stack : print_stack)(p, &s[i]);
	for (i = 0; i < v->notes.count; i++)
		otst_print_note(p, notes[i]);
	for (i = 0; i < v->errors.count; i++)
		otst_print_bad(p, NULL, errors[i]);
	otst_print_gaps(p, &v->coverage);
	otst_print_end(p, "stacks", v->stacks.count);
}
