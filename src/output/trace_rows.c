// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trace_rows.c - the description of struct otst_trace.
 */

#include "rows.h"
#include "trace.h"
#include "trigger.h"

/* ---- frames ---- */

/* a line of a trace, read once for its rows */
struct frame {
	const struct otst_trace_line *line;
	const char *name;
	struct otst_sym_text sym;
	bool known;
	struct otst_lines source;
};

/* "file" and "line", null where they are not known */
#define ROW_SOURCE(r, s, ...)                                                            \
	do {                                                                             \
		ROW_TEXT_OR_NULL(r, "file", (s) ? (s)->file : NULL,                      \
				 .what = "of the kernel's sources: seen from their top", \
				 __VA_ARGS__);                                           \
		ROW_COUNT_OR_NULL(r, "line", (s) && (s)->line, (s)->line, .least = 1,    \
				  __VA_ARGS__);                                          \
	} while (0)

static void inlined_rows(struct otst_rows *r, const void *item)
{
	const struct otst_line *s = item;

	ROW_TEXT_OR_NULL(r, "function", s->function);
	ROW_SOURCE(r, s);
}

static const struct otst_object inlined_object = { OTST_PART, "inlined_call", inlined_rows,
						   "a call that the compiler inlined" };

/* the source line of the function's own code; the items before it were inlined */
static const struct otst_line *own_line(const struct frame *f)
{
	return f->source.count ? &f->source.items[f->source.count - 1] : NULL;
}

static void trace_code_rows(struct otst_rows *r, const struct frame *f)
{
	ROW_CHARS_OR_NULL(r, "symbol", f->known ? f->sym.name : NULL, f->sym.name_len,
			  .optional = true);
	ROW_COUNT_OR_NULL(r, "offset", f->known && f->sym.has_offset, f->sym.offset,
			  .optional = true);
	ROW_COUNT_OR_NULL(r, "size", f->known && f->sym.size, f->sym.size, .optional = true);
	ROW_CHARS_OR_NULL(r, "module", f->known ? f->sym.module : NULL, f->sym.module_len,
			  .optional = true);
	ROW_ADDRESS_OR_NULL(r, "address", f->line->addr, .optional = true);
	if (OTST_WHEN(r, f->line->kind == OTST_LINE_IP))
		ROW_COUNT(r, "cs", f->line->cs, .optional = true,
			  .what = "of kind ip: code segment");
	ROW_BOOL(r, "reliable", f->line->reliable, .optional = true,
		 .what = "false: the kernel or otst guessed it");
	ROW_BOOL(r, "exact", f->line->exact, .optional = true,
		 .what = "the address is the next instruction and not a return address");
	if (OTST_WHEN(r, f->line->sized)) {
		ROW_NUMBER(
			r, "stack_depth", f->line->depth, .optional = true,
			.what = "stack tracer: bytes from the stack's top to the end of this frame");
		ROW_NUMBER(r, "frame_size", f->line->size, .optional = true,
			   .what = "stack tracer: bytes of this frame");
	}
	if (!OTST_WHEN(r, r->p->verbose))
		return;
	ROW_SOURCE(r, own_line(f), .optional = true);
	ROW_OBJECTS(r, "inlined", inlined_object, f->source.items,
		    f->source.count ? f->source.count - 1 : 0, .optional = true,
		    .what = "with -v: calls that were inlined there, innermost first");
}

static const char *line_kind(unsigned int kind)
{
	static const char *const kinds[] = {
		[OTST_LINE_FRAME] = "frame",
		[OTST_LINE_IP] = "ip",
		[OTST_LINE_TEXT] = "text",
		[OTST_LINE_MARK] = "mark",
	};
	OTST_EACH_HAS(kinds, OTST_LINE_COUNT);

	return kinds[kind];
}

static void frame_rows(struct otst_rows *r, const void *item)
{
	const struct frame *f = item;

	ROW_TEXT(r, "kind", line_kind(f->line->kind), .names = line_kind, .count = OTST_LINE_COUNT,
		 .what = "ip: out of saved registers; text: what a script printed, mark: <IRQ> and "
			 "the like, which have only a text");
	ROW_TEXT(r, "text", f->name);
	if (OTST_WHEN(r, otst_trace_line_is_code(f->line)))
		trace_code_rows(r, f);
}

static const struct otst_object frame_object = { OTST_PART, "trace_line", frame_rows,
						 "a line of a captured trace" };

static void say_frames(struct otst_rows *r, const struct otst_trace *t)
{
	const struct otst_trace_line *lines = NULL;
	size_t i, n = 0;

	otst_trace_lines(r->p->o, t, &lines, &n);
	for (i = 0; i < n; i++) {
		struct frame f = { .line = &lines[i],
				   .name = otst_trace_line_name(r->p->o, &lines[i]) };

		if (otst_trace_line_is_code(f.line)) {
			f.known = otst_sym_text_parse(f.name, &f.sym);
			f.source = otst_trace_source_lines(r->p, f.line);
		}
		otst_say_object(r, &frame_object, &f);
	}
}

/* ---- what else was saved ---- */

static void argument_rows(struct otst_rows *r, const void *item)
{
	const struct otst_argument *a = item;

	ROW_TEXT_OR_NULL(r, "name", a->name);
	ROW_TEXT_OR_NULL(r, "type", a->type);
	ROW_TEXT_OR_NULL(r, "value", a->text, .what = "null: not in what was saved");
}

static const struct otst_object argument_object = { OTST_PART, "argument", argument_rows,
						    "an argument of a function" };

static void call_rows(struct otst_rows *r, const void *item)
{
	const struct otst_arguments *c = item;

	ROW_TEXT(r, "function", c->function);
	ROW_OBJECTS(r, "arguments", argument_object, c->args, c->count);
}

static const struct otst_object call_object = { OTST_PART, "call", call_rows,
						"a call of a function" };

static void say_regs(struct otst_rows *r, const struct otst_arch *arch, const uint64_t *regs)
{
	if (!regs) {
		otst_say_null(r);
		return;
	}
	otst_say_open(r, '{');
	for (size_t i = 0; i < arch->reg.count; i++) {
		otst_say_key(r, arch->reg.list[i].name);
		otst_say_address(r, regs[i]);
	}
	otst_say_close(r, '}');
}

static void say_words(struct otst_rows *r, const struct otst_piece *piece)
{
	for (size_t i = 0; i + 8 <= piece->len; i += 8)
		otst_say_address(r, otst_get(r->p->o, (const char *)piece->bytes + i, 8));
}

static void words_rows(struct otst_rows *r, const void *item)
{
	const struct otst_piece *piece = item;

	ROW_ADDRESS(r, "address", piece->base);
	ROW_ARRAY(r, "words", OTST_ROW_ADDRESS, say_words(r, piece));
}

static const struct otst_object words_object = { OTST_PART, "words", words_rows,
						 "words of memory, from this address on" };

/* ---- a trace ---- */

static void trace_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace *t = item;
	const struct otst_same_json *same = r->of;

	ROW_TEXT(r, "source", otst_source_name(t->source));
	ROW_TEXT_OR_NULL(r, "where", t->where);
	ROW_COUNT(r, "seq", t->seq);
	ROW_TEXT_OR_NULL(
		r, "clock", t->clock_name ? t->clock_name : otst_clock_name(t->clock),
		.what = "what time is counted from: local (since boot), syslog (since 1 January), or a trace clock");
	ROW_COUNT_OR_NULL(r, "time", t->clock != OTST_CLOCK_NONE, t->time, .what = "ns");
	ROW_TEXT_OR_NULL(r, "time_text", t->time_text);
	ROW_COUNT_OR_NULL(
		r, "age", t->age_known, t->age,
		.what = "ns from time to the newest time that the dump knows; null when unknown");
	ROW_COUNT_OR_NULL(r, "cpu", t->cpu >= 0, (uint64_t)t->cpu);
	ROW_COUNT_OR_NULL(r, "pid", t->pid >= 0, (uint64_t)t->pid);
	ROW_TEXT_OR_NULL(r, "comm", t->comm);
	ROW_TEXT_OR_NULL(r, "headline",
			 t->counted ? otst_hist_headline(r->p->o, t->counted) : t->headline);
	ROW_TEXT_OR_NULL(r, "probe", t->probe);
	ROW_ADDRESS_OR_NULL(r, "probe_address", t->probe_addr);
	ROW_TEXT_OR_NULL(r, "handler", t->handler,
			 .what = "who captured it: otst, allie, or the function");
	ROW_OBJECT_OR_NULL(
		r, "call", call_object, t->call,
		.what = "arguments of the probed function, when it was caught at its entry");
	ROW_OBJECT_OR_NULL(r, "bpf", otst_trace_bpf_object, t->bpf,
			   .what = "source bpf: the map that it was found in");
	OTST_ROW(r, say_regs(r, otst_kernel(r->p->o)->arch, t->regs), OTST_KEY("registers"),
		 .type = OTST_ROW_ADDRESS, .shape = OTST_ROW_MAP, .or_null = true,
		 .what = "at the probed instruction");
	ROW_OBJECT_OR_NULL(r, "stack", words_object,
			   otst_trace_has_few_bytes(t) ? t->capture->pieces : NULL,
			   .what = "the few words of stack that a jprobe saved");
	ROW_ARRAY(r, "frames", OTST_ROW_OBJECT, say_frames(r, t), .object = &frame_object);
	ROW_TEXT_OR_NULL(r, "end", t->stack ? otst_end_name(t->stack->end) : NULL,
			 .names = otst_end_name, .count = OTST_END_COUNT,
			 .what = "how the stack ends, when it was unwound by otst");
	ROW_TEXT_OR_NULL(r, "why",
			 t->stack		 ? t->stack->why :
			 t->ends && t->truncated ? OTST_TRACE_ENDS :
						   NULL);
	ROW_BOOL(r, "consumed", t->consumed, .what = "somebody has read it already");
	ROW_BOOL(r, "truncated", t->truncated);
	ROW_BOOL(r, "overwritten", t->overwritten);
	ROW_COUNT(r, "count", t->count,
		  .what = "how often it came, where captures are counted and kept once");
	if (OTST_WHEN(r, same && t->source == OTST_SOURCE_LOG)) {
		ROW_COUNT(r, "same_stack", same->count, .optional = true, .least = 1,
			  .what = "source log: how many traces of this listing have this stack");
		ROW_TEXT_OR_NULL(r, "same_as", same->first, .optional = true,
				 .what = "where the first of these is; null: this is the first");
	}
	ROW_TEXT_OR_NULL(r, "error", t->error);
}

const struct otst_object otst_trace_object = { OTST_LINE, "trace", trace_rows,
					       "otst -t: one captured stack trace" };
