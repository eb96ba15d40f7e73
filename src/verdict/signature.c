// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * signature.c - what two crashes of one kind have in common, in a line of text and a number:
 * how the kernel ended, the function that failed, and the first ones below it.
 *
 * The frames are those that the kernel printed, so that a dump and its log have the same
 * signature; a dump whose log has none goes by the stack. docs/verdict.md defines it:
 * nothing here, nor in signature_names.c, changes within a major version.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "report.h"
#include "signature.h"

#define MOST_NAMES  4u	/* the function that failed, and those below it */
#define MOST_SEEN   64u /* different functions of a stack that overflowed */
#define LEAST_TIMES 3u	/* that a function of its cycle is on it */

/* letters that end a name, with which the compiler marks its copies of a function: "f.cold" */
#define COPY_MARK '.'

/** struct name - of a function; not NUL-terminated */
struct name {
	const char *text;
	size_t len;
	const char *module;
	size_t module_len;
};

/**
 * struct seen - the stack so far, from the innermost frame on
 * @guesses: frames that nobody is sure of count as well
 * @trap: the last frame is a breakpoint's; @trampoline: the next one is a trampoline's
 * @spare: the first helper or entry
 * @all, @times: with an overflow, each function, and how often it was there
 */
struct seen {
	struct name names[MOST_NAMES];
	size_t count;
	struct name spare;
	bool guesses;
	bool trap;
	bool trampoline;
	bool end;
	struct name all[MOST_SEEN];
	size_t times[MOST_SEEN];
	size_t nr_all;
};

static bool is_of(const struct name *n, enum otst_signature_names names)
{
	return !n->module_len && otst_signature_has(names, n->text, n->len);
}

static bool is_same_name(const struct name *a, const struct name *b)
{
	return a->len == b->len && a->module_len == b->module_len &&
	       !memcmp(a->text, b->text, a->len) &&
	       (!a->module_len || !memcmp(a->module, b->module, a->module_len));
}

/* "f.cold" is f, "bpf_prog_0123456789abcdef_f" is bpf_prog_f, ppc64le's ".f" is f */
static struct name plain_name(struct otst *o, struct name n)
{
	static const char program[] = "bpf_prog_";
	size_t tag = sizeof(program) - 1;
	const char *dot;

	if (n.len > 1 && *n.text == COPY_MARK) {
		n.text++;
		n.len--;
	}
	dot = memchr(n.text, COPY_MARK, n.len);
	n.len = dot ? (size_t)(dot - n.text) : n.len;
	if (n.len > tag + 17 && !memcmp(n.text, program, tag) &&
	    strspn(n.text + tag, "0123456789abcdef") == 16 && n.text[tag + 16] == '_') {
		n.text =
			otst_format(o, "bpf_prog_%.*s", (int)(n.len - tag - 17), n.text + tag + 17);
		n.len = strlen(n.text);
	}
	return n;
}

static void count_name(struct seen *s, const struct name *n)
{
	size_t i;

	for (i = 0; i < s->nr_all && !is_same_name(&s->all[i], n); i++)
		;
	if (i == MOST_SEEN)
		return;
	s->nr_all += i == s->nr_all;
	s->all[i] = *n;
	s->times[i]++;
}

/* the next frame outwards; @regs: it is where an exception or an interrupt came; @n->len is 0 without a name */
static void see_frame(struct otst *o, struct seen *s, struct name n, bool regs)
{
	bool helper;

	if (n.len)
		n = plain_name(o, n);
	else if (regs && !s->count)
		n = (struct name){ "?", 1, NULL, 0 };
	if (s->end || (regs && s->count && !s->trap)) {
		s->end = true;
		return;
	}
	if (s->trampoline && n.module_len) {
		s->trampoline = false;
		return;
	}
	s->trampoline = is_of(&n, OTST_NAMES_TRAMPOLINES);
	s->trap = is_of(&n, OTST_NAMES_BREAKPOINTS);
	if (!n.len || s->trap || is_of(&n, OTST_NAMES_PASSED))
		return;
	helper = is_of(&n, OTST_NAMES_HELPERS);
	if (helper || is_of(&n, OTST_NAMES_ENTRIES)) {
		s->spare = s->spare.len ? s->spare : n;
		s->end = s->count && !helper;
		return;
	}
	count_name(s, &n);
	if (s->count < MOST_NAMES && !(s->count && is_same_name(&s->names[s->count - 1], &n)))
		s->names[s->count++] = n;
}

/* ---- where frames come from ---- */

/*
 * A function does not return to its first byte: what stands there ended with a call that does not
 * return, and has another name. Nor does it return past its end. @regs: it is where the cpu was.
 */
static struct name parse_frame_name(const char *text, bool regs)
{
	struct otst_sym_text sym;

	if (!text || !otst_sym_text_parse(text, &sym) ||
	    (!regs && sym.has_offset && (!sym.offset || otst_is_past_end(&sym))))
		return (struct name){ 0 };
	return (struct name){ sym.name, sym.name_len, sym.module, sym.module_len };
}

/* a lockup is where an interrupt met the kernel, not what the interrupt does */
static size_t first_line(const struct otst_trace *t, enum otst_death death)
{
	const struct otst_trace_line *line = death == OTST_DEATH_SOFT_LOCKUP ||
							     death == OTST_DEATH_HARD_LOCKUP ?
						     otst_report_registers(t) :
						     NULL;

	return line && !(line->cs & 3) ? (size_t)(line - t->lines) : 0;
}

static void see_trace(struct otst *o, struct seen *s, const struct otst_trace *t,
		      enum otst_death death)
{
	for (size_t i = first_line(t, death); t && i < t->nr_lines; i++) {
		const struct otst_trace_line *line = &t->lines[i];
		bool regs = line->kind == OTST_LINE_IP;

		if (!otst_trace_line_is_code(line) || !(line->reliable || s->guesses))
			continue;
		if (line->cs & 3)
			return;
		see_frame(o, s, parse_frame_name(line->text, regs), regs);
	}
}

/* After a jump to nowhere all frames are guesses. @ip: the failing function if there is no trace; or NULL */
static void see_log(struct otst *o, struct seen *s, const struct otst_trace *t, const char *ip,
		    enum otst_death death)
{
	see_trace(o, s, t, death);
	if (s->count == 1 && *s->names[0].text == '?') {
		*s = (struct seen){ .guesses = true };
		see_trace(o, s, t, death);
	}
	if (!s->count && ip)
		see_frame(o, s, parse_frame_name(ip, true), true);
}

static void see_sym(struct otst *o, struct seen *s, const struct otst_sym *sym, bool regs)
{
	const char *name = sym->name ?: "", *module = sym->module ?: "";

	see_frame(o, s, (struct name){ name, strlen(name), module, strlen(module) }, regs);
}

static void see_stack(struct otst *o, struct seen *s, const struct otst_verdict_stack *st)
{
	s->end = false;
	for (size_t i = st->failing < st->nr_frames ? st->failing : 0; i < st->nr_frames; i++) {
		if (st->frames[i].frame.reliable)
			see_sym(o, s, &st->frames[i].sym, st->frames[i].frame.exact);
	}
}

/* the stack of the one that failed, or of the one that is stuck */
static const struct otst_verdict_stack *find_signature_stack(const struct otst_verdict *v)
{
	const struct otst_verdict_stack *s = v->stacks.data;
	bool hung = v->report.death == OTST_DEATH_HUNG_TASK;

	for (size_t i = 0; i < v->stacks.count; i++) {
		if (hung ? s[i].reason == OTST_STACK_STUCK : s[i].failing < s[i].nr_frames)
			return &s[i];
	}
	return NULL;
}

/* ---- what it says ---- */

static const char *end_word(const struct otst_report *r)
{
	if (r->overflow)
		return "stack overflow";
	return r->line && strstr(r->line, "kernel BUG at ") ? "BUG" : otst_death_name(r->death);
}

/* where it does not matter, or is chance, where the kernel was */
static bool has_frames(enum otst_death death)
{
	return death != OTST_DEATH_ASKED && death != OTST_DEATH_OUT_OF_MEMORY;
}

static int by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* of a stack that overflowed, the functions of the cycle by name: chance decides with which one it ends */
static void take_cycle(struct seen *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->nr_all; i++) {
		if (s->times[i] >= LEAST_TIMES)
			s->all[n++] = s->all[i];
	}
	if (!n)
		return;
	otst_sort(s->all, n, sizeof(*s->all), by_text);
	s->count = n < MOST_NAMES ? n : MOST_NAMES;
	memcpy(s->names, s->all, s->count * sizeof(*s->names));
}

/* 64 bits of FNV-1a */
static uint64_t hash_text(const char *s)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *s; s++)
		hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return hash;
}

static void set_text(struct otst *o, const struct seen *s, struct otst_verdict *v)
{
	const char *text = end_word(&v->report);

	for (size_t i = 0; i < s->count; i++) {
		const struct name *n = &s->names[i];

		text = otst_format(o, "%s%s%.*s%s%.*s%s", text, i ? ", " : ": ", (int)n->len,
				   n->text, n->module_len ? " [" : "", (int)n->module_len,
				   n->module_len ? n->module : "", n->module_len ? "]" : "");
	}
	v->signature.text = otst_clean(o, text);
	v->signature.hash = otst_format(o, "%016" PRIx64, hash_text(v->signature.text));
}

void otst_signature_find(struct otst *o, struct otst_verdict *v)
{
	const struct otst_trace *t = v->alone ? v->trace :
				     v->log   ? otst_report_trace(v->log, &v->report) :
						NULL;
	const struct otst_verdict_stack *stack = find_signature_stack(v);
	struct seen *s = otst_new(o, sizeof(*s));

	if (!otst_died(v->report.death))
		return;
	if (has_frames(v->report.death)) {
		see_log(o, s, t, v->alone || v->report.nested ? v->report.ip_text : NULL,
			v->report.death);
		if (!s->count && stack)
			see_stack(o, s, stack);
		if (!s->count && v->failing_sym.name)
			see_sym(o, s, &v->failing_sym, true);
		if (!s->count && s->spare.len)
			s->names[s->count++] = s->spare;
	}
	if (v->report.overflow)
		take_cycle(s);
	set_text(o, s, v);
}
