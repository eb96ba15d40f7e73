// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stack.c - struct otst_stack as text in the kernel's words (printk_stack_address()
 * and show_trace_log_lvl() of arch/x86/kernel/dumpstack.c), and as JSON.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "stack.h"

/* lines go to a printer or to a string */
struct sink {
	struct otst *o;
	struct otst_printer *printer;
	char *text;
	size_t len, room;
	bool failed;
};

static void put(struct sink *s, const char *line)
{
	size_t len = strlen(line);
	char *text;

	if (s->printer) {
		otst_write(s->printer, line, len);
		return;
	}
	if (s->len + len >= s->room) {
		s->room = (s->len + len) * 2 + 256;
		text = otst_alloc(s->o, s->room);
		if (!text) {
			s->failed = true;
			s->room = 0;
			return;
		}
		if (s->len)
			memcpy(text, s->text, s->len);
		s->text = text;
	}
	memcpy(s->text + s->len, line, len + 1);
	s->len += len;
}

static void put_line(struct sink *s, const char *before, const char *name, const char *behind)
{
	const char *line = otst_format(s->o, " %s%s%s\n", before, name, behind);

	if (line)
		put(s, line);
	else
		s->failed = true;
}

static void symbolize(struct otst *o, const struct otst_frame *f, struct otst_sym *ret)
{
	otst_symbolize_all(o, f->exact ? f->pc : f->pc - 1, ret);
}

const char *otst_frame_name(struct otst *o, const struct otst_frame *f)
{
	struct otst_sym sym;
	const char *s;

	symbolize(o, f, &sym);
	if (!sym.name)
		s = otst_format(o, "0x%" PRIx64, f->pc);
	else if (!sym.module)
		s = otst_format(o, "%s+0x%" PRIx64 "/0x%" PRIx64, sym.name, f->pc - sym.addr,
				sym.size);
	else
		s = otst_format(o, "%s+0x%" PRIx64 "/0x%" PRIx64 " [%s]", sym.name,
				f->pc - sym.addr, sym.size, sym.module);
	return s ? s : "";
}

static void put_mark(struct sink *s, const char *open, unsigned int place)
{
	const char *name = otst_place_name(place);

	if (name)
		put_line(s, open, name, ">");
}

static void put_frame(struct sink *s, const struct otst_frame *f)
{
	const char *before = f->reliable ? "" : "? ";

	if (f->regs)
		before = otst_format(s->o, "RIP: %04x:", f->cs);
	put_line(s, before ? before : "", otst_frame_name(s->o, f), "");
}

static void put_stack(struct sink *s, const struct otst_stack *st)
{
	unsigned int place = OTST_PLACE_UNKNOWN;
	size_t i;

	for (i = 0; i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];

		if (f->place != place) {
			put_mark(s, "</", place);
			put_mark(s, "<", f->place);
			place = f->place;
		}
		put_frame(s, f);
	}
	put_mark(s, "</", place);
}

const char *otst_stack_text(struct otst *o, const struct otst_stack *st)
{
	struct sink s = { .o = o };

	put(&s, "");
	put_stack(&s, st);
	return s.failed ? NULL : s.text;
}

void otst_print_stack(struct otst_printer *p, const struct otst_stack *st)
{
	struct sink s = { .o = p->o, .printer = p };

	put_stack(&s, st);
	if (st->end == OTST_END_FULL)
		otst_printf(p, " (more frames than the %zu that are kept)\n", st->room);
	else if (st->end == OTST_END_CUT || st->end == OTST_END_LOST)
		otst_printf(p, " (%s%s%s)\n", otst_end_name(st->end), st->why ? ": " : "",
			    st->why ? st->why : "");
}

void otst_print_stack_short(struct otst_printer *p, const struct otst_stack *st)
{
	struct otst_sym sym;
	size_t i;

	for (i = 0; i < st->count; i++) {
		const struct otst_frame *f = &st->frames[i];

		symbolize(p->o, f, &sym);
		if (i)
			otst_printf(p, " ");
		if (sym.name)
			otst_printf(p, "#%zu %s%s+0x%" PRIx64, i, f->reliable ? "" : "?", sym.name,
				    f->pc - sym.addr);
		else
			otst_printf(p, "#%zu %s0x%" PRIx64, i, f->reliable ? "" : "?", f->pc);
	}
	otst_printf(p, "\n");
}

static struct json_object *frame_json(struct otst *o, const struct otst_frame *f)
{
	struct json_object *j = json_object_new_object();
	struct otst_sym sym;

	if (!j)
		return NULL;
	symbolize(o, f, &sym);
	otst_json_sym(j, "pc", f->pc, &sym);
	otst_json_bool(j, "reliable", f->reliable);
	otst_json_bool(j, "exact", f->exact);
	otst_json_string(j, "how", otst_how_name(f->how));
	otst_json_string(j, "stack", otst_place_name(f->place));
	if (f->slot)
		otst_json_address(j, "slot", f->slot);
	if (f->regs)
		otst_json_address(j, "regs", f->regs);
	if (f->replaced)
		otst_json_address(j, "replaced", f->replaced);
	return j;
}

void otst_json_stack(struct otst *o, struct json_object *j, const char *key,
		     const struct otst_stack *st)
{
	struct json_object *frames = json_object_new_array();
	size_t i;

	for (i = 0; frames && i < st->count; i++) {
		struct json_object *f = frame_json(o, &st->frames[i]);

		if (f && json_object_array_add(frames, f))
			json_object_put(f);
	}
	otst_json_object(j, key, frames);
	otst_json_string(j, "end", otst_end_name(st->end));
	otst_json_string(j, "why", st->why);
	otst_json_bool(j, "guessed", st->guessed);
}
