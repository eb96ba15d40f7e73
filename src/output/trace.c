// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace.c - struct otst_trace as text in the kernel's words, as JSON, and
 * folded, one line a stack, as flame graphs are drawn from.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define SECOND	  UINT64_C(1000000000)
#define FEW_WORDS 8 /* a jprobe's 64 bytes */

/* ---- text ---- */

static const char *time_text(struct otst *o, const struct otst_trace *t)
{
	const char *s;

	if (t->clock == OTST_CLOCK_NONE)
		return "[?]";
	if (t->time_text)
		s = otst_format(o, "[%s]", t->time_text);
	else
		s = otst_format(o, "[%5" PRIu64 ".%06" PRIu64 "]", t->time / SECOND,
				t->time % SECOND / 1000);
	return s ? s : "[?]";
}

static const char *clock_text(const struct otst_trace *t)
{
	if (t->clock_name)
		return t->clock_name;
	return t->clock == OTST_CLOCK_NONE ? "no time" : otst_clock_name(t->clock);
}

static void print_number(struct otst_printer *p, const char *label, int64_t v)
{
	if (v < 0)
		otst_printf(p, " %s: ?", label);
	else
		otst_printf(p, " %s: %" PRId64, label, v);
}

void otst_print_trace_title(struct otst_printer *p, const struct otst_trace *t)
{
	otst_printf(p, "%s", time_text(p->o, t));
	print_number(p, "CPU", t->cpu);
	print_number(p, "PID", t->pid);
	otst_printf(p, " Comm: %s", t->comm ? t->comm : "?");
	if (t->probe)
		otst_printf(p, ", probe %s", t->probe);
	else if (t->probe_addr)
		otst_printf(p, ", probe %s", otst_name(p->o, t->probe_addr));
	if (t->handler)
		otst_printf(p, " by %s", t->handler);
	otst_printf(p, " (%s, %s%s)\n", t->source, clock_text(t),
		    t->clock == OTST_CLOCK_NONE ? "" : " clock");
}

static void print_head(struct otst_printer *p, const struct otst_trace *t)
{
	otst_print_trace_title(p, t);
	if (t->headline)
		otst_printf(p, "%s", t->headline);
	if (t->headline && t->age_known)
		otst_printf(p, ", for %" PRIu64 ".%06" PRIu64 " s", t->age / SECOND,
			    t->age % SECOND / 1000);
	if (t->headline)
		otst_printf(p, "\n");
	if (t->bpf)
		otst_print_trace_bpf(p, t->bpf);
	if (t->call)
		otst_printf(p, "%s\n", t->call->text);
	if (p->verbose && t->where)
		otst_printf(p, "(%s)\n", t->where);
	if (t->consumed)
		otst_printf(p, " (already read)\n");
	if (t->overwritten)
		otst_printf(p, " (its beginning is lost)\n");
}

const char *otst_trace_line_name(struct otst *o, const struct otst_trace_line *l)
{
	struct otst_frame f = { .pc = l->addr, .exact = l->exact };

	return l->text ? l->text : otst_frame_name(o, &f);
}

/* where a line's code comes from; no items when it is unknown or nobody asked */
static struct otst_lines source_lines(struct otst_printer *p, const struct otst_trace_line *l)
{
	struct otst_lines lines = { 0 };
	uint64_t addr = otst_trace_line_code(p->o, l);

	if (p->verbose && addr && otst_lines(p->o, addr, &lines) == OTST_ERR_NOMEM)
		p->err = OTST_ERR_NOMEM;
	return lines;
}

/* "file.c:17", in brackets */
static void print_place(struct otst_printer *p, const struct otst_line *s)
{
	if (s->file && s->line)
		otst_printf(p, " (%s:%u)", s->file, s->line);
	else if (s->file)
		otst_printf(p, " (%s)", s->file);
}

/* calls that the compiler inlined come first, as if they were frames of their own */
static void print_inlined(struct otst_printer *p, const struct otst_lines *lines)
{
	size_t i;

	for (i = 0; i + 1 < lines->count; i++) {
		otst_printf(p, "                       %s",
			    lines->items[i].function ? lines->items[i].function : "?");
		print_place(p, &lines->items[i]);
		otst_printf(p, " [inlined]\n");
	}
}

static void print_line(struct otst_printer *p, const struct otst_trace_line *l)
{
	const char *name = otst_trace_line_name(p->o, l);
	struct otst_lines lines = { 0 };

	if (!otst_trace_line_is_code(l)) {
		otst_printf(p, "%s%s\n", l->kind == OTST_LINE_MARK ? " " : "", name);
		return;
	}
	lines = source_lines(p, l);
	print_inlined(p, &lines);
	otst_printf(p, " ");
	if (p->verbose && l->addr)
		otst_printf(p, "[<%016" PRIx64 ">] ", l->addr);
	if (l->sized)
		otst_printf(p, "%8" PRId32 " %7" PRId32 "  ", l->depth, l->size);
	if (l->kind == OTST_LINE_IP)
		otst_printf(p, "RIP: %04x:%s", l->cs, name);
	else
		otst_printf(p, "%s%s", l->reliable ? "" : "? ", name);
	if (lines.count)
		print_place(p, &lines.items[lines.count - 1]);
	otst_printf(p, "\n");
}

/* as the kernel's __show_regs() has them */
static void print_regs(struct otst_printer *p, const uint64_t *regs)
{
	static const struct {
		const char *name;
		enum otst_reg reg;
	} order[] = {
		{ "RAX", OTST_AX },  { "RBX", OTST_BX },  { "RCX", OTST_CX },  { "RDX", OTST_DX },
		{ "RSI", OTST_SI },  { "RDI", OTST_DI },  { "RBP", OTST_BP },  { "R08", OTST_R8 },
		{ "R09", OTST_R9 },  { "R10", OTST_R10 }, { "R11", OTST_R11 }, { "R12", OTST_R12 },
		{ "R13", OTST_R13 }, { "R14", OTST_R14 }, { "R15", OTST_R15 },
	};
	size_t i;

	otst_printf(p, " RSP: %04" PRIx64 ":%016" PRIx64 " EFLAGS: %08" PRIx64 "\n",
		    regs[OTST_SS] & 0xffff, regs[OTST_SP], regs[OTST_FLAGS]);
	for (i = 0; i < sizeof(order) / sizeof(*order); i++)
		otst_printf(p, " %s: %016" PRIx64 "%s", order[i].name, regs[order[i].reg],
			    i % 3 == 2 ? "\n" : "");
}

/* few bytes of stack, which are all there is */
static bool has_few_bytes(const struct otst_trace *t)
{
	return t->regs_matter && t->capture && t->capture->nr_pieces == 1 &&
	       t->capture->pieces->len && t->capture->pieces->len <= 8 * FEW_WORDS;
}

static void print_bytes(struct otst_printer *p, const struct otst_piece *piece)
{
	size_t i;

	for (i = 0; i + 8 <= piece->len; i += 8)
		otst_printf(p, "%s%016" PRIx64,
			    i ? " " : " Stack: ", otst_get_le((const char *)piece->bytes + i, 8));
	otst_printf(p, "\n");
}

static void print_end(struct otst_printer *p, const struct otst_trace *t, size_t count)
{
	const struct otst_stack *st = t->stack;

	if (!count)
		otst_printf(p, " (no frames)\n");
	if (t->truncated || (st && st->end == OTST_END_FULL))
		otst_printf(p, " (more frames than were kept)\n");
	else if (st && (st->end == OTST_END_CUT || st->end == OTST_END_LOST))
		otst_printf(p, " (%s%s%s)\n", otst_end_name(st->end), st->why ? ": " : "",
			    st->why ? st->why : "");
	if (t->error)
		otst_print_bad(p, t->where, t->error);
	otst_printf(p, "\n");
}

static void print_text(struct otst_printer *p, const struct otst_trace *t)
{
	const struct otst_trace_line *lines;
	size_t i, n;

	if (otst_trace_lines(p->o, t, &lines, &n)) {
		p->err = OTST_ERR_NOMEM;
		return;
	}
	print_head(p, t);
	for (i = 0; i < n; i++)
		print_line(p, &lines[i]);
	if (t->regs && (t->regs_matter || p->verbose))
		print_regs(p, t->regs);
	if (has_few_bytes(t))
		print_bytes(p, t->capture->pieces);
	print_end(p, t, n);
}

/* ---- JSON ---- */

/* name, offset, size, module: of the text where there is one, else of the address */
static void json_names(struct otst *o, struct json_object *j, const struct otst_trace_line *l)
{
	const char *name = otst_trace_line_name(o, l);
	struct otst_sym_text t;
	bool known = otst_sym_text_parse(name, &t);

	otst_json_string(j, "symbol",
			 known ? otst_format(o, "%.*s", (int)t.name_len, t.name) : NULL);
	if (known)
		otst_json_u64(j, "offset", t.offset);
	else
		otst_json_null(j, "offset");
	if (known && t.size)
		otst_json_u64(j, "size", t.size);
	else
		otst_json_null(j, "size");
	otst_json_string(j, "module",
			 known && t.module ? otst_format(o, "%.*s", (int)t.module_len, t.module) :
					     NULL);
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
	struct otst_lines lines = source_lines(p, l);
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
	struct otst *o = p->o;
	static const char *const kinds[] = { "frame", "ip", "text", "mark" };
	struct json_object *j = otst_json_new(NULL);

	otst_json_string(j, "kind", kinds[l->kind]);
	otst_json_string(j, "text", otst_trace_line_name(o, l));
	if (!otst_trace_line_is_code(l))
		return j;
	json_names(o, j, l);
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
	struct json_object *j = has_few_bytes(t) ? otst_json_new(NULL) : NULL, *words;
	const struct otst_piece *piece = t->capture ? t->capture->pieces : NULL;
	size_t i;

	if (!j)
		return NULL;
	words = otst_json_array();
	otst_json_address(j, "address", piece->base);
	for (i = 0; i + 8 <= piece->len; i += 8)
		otst_json_append_string(
			words, otst_format(o, "0x%" PRIx64,
					   otst_get_le((const char *)piece->bytes + i, 8)));
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

static struct json_object *json_regs(const uint64_t *regs)
{
	static const char *const names[OTST_REGS] = {
		"r15", "r14", "r13", "r12", "rbp",	"rbx", "r11", "r10",	"r9",  "r8", "rax",
		"rcx", "rdx", "rsi", "rdi", "orig_rax", "rip", "cs",  "eflags", "rsp", "ss",
	};
	struct json_object *j = regs ? otst_json_new(NULL) : NULL;
	size_t i;

	for (i = 0; regs && i < OTST_REGS; i++)
		otst_json_address(j, names[i], regs[i]);
	return j;
}

static void print_json(struct otst_printer *p, const struct otst_trace *t)
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
	otst_json_string(j, "headline", t->headline);
	otst_json_string(j, "probe", t->probe);
	if (t->probe_addr)
		otst_json_address(j, "probe_address", t->probe_addr);
	else
		otst_json_null(j, "probe_address");
	otst_json_string(j, "handler", t->handler);
	otst_json_object(j, "call", json_call(t->call));
	otst_json_object(j, "bpf", otst_json_trace_bpf(t->bpf));
	otst_json_object(j, "registers", json_regs(t->regs));
	otst_json_object(j, "stack", json_bytes(p->o, t));
	for (i = 0; i < n; i++)
		otst_json_append(frames, json_frame(p, &lines[i]));
	otst_json_object(j, "frames", frames);
	otst_json_string(j, "end", t->stack ? otst_end_name(t->stack->end) : NULL);
	otst_json_string(j, "why", t->stack ? t->stack->why : NULL);
	otst_json_bool(j, "consumed", t->consumed);
	otst_json_bool(j, "truncated", t->truncated);
	otst_json_bool(j, "overwritten", t->overwritten);
	otst_json_u64(j, "count", t->count ? t->count : 1);
	otst_json_string(j, "error", t->error);
	otst_json_line(p, j);
}

/* ---- folded ---- */

/* a growing string */
struct text {
	struct otst *o;
	char *s;
	size_t len, room;
};

static int append(struct text *t, const char *s, size_t len)
{
	char *more;

	if (t->len + len >= t->room) {
		t->room = (t->len + len) * 2 + 256;
		more = otst_alloc(t->o, t->room);
		if (!more)
			return otst_no_memory(t->o);
		if (t->len)
			memcpy(more, t->s, t->len);
		t->s = more;
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
	return 0;
}

/* ';' parts the frames, and the count stands behind the last blank */
static int append_part(struct text *t, const char *s, size_t len)
{
	size_t i, at = t->len;
	int err = append(t, s, len);

	for (i = at; !err && i < t->len; i++) {
		if (t->s[i] == ';')
			t->s[i] = ':';
	}
	return err;
}

/* "comm;outermost;...;innermost" */
static int fold(struct otst *o, const struct otst_trace *t, const char **ret)
{
	const struct otst_trace_line *lines;
	struct text text = { .o = o };
	struct otst_sym_text sym;
	const char *name;
	size_t i;
	int err;

	err = otst_trace_lines(o, t, &lines, &i);
	if (!err)
		err = append_part(&text, t->comm ? t->comm : "?", t->comm ? strlen(t->comm) : 1);
	while (!err && i--) {
		const struct otst_trace_line *l = &lines[i];

		/* neither guesses nor user mode */
		if (!otst_trace_line_is_code(l) || !l->reliable || l->cs & 3)
			continue;
		name = otst_trace_line_name(o, l);
		err = append(&text, ";", 1);
		if (!err)
			err = append_part(&text, name,
					  otst_sym_text_parse(name, &sym) ? sym.name_len :
									    strlen(name));
	}
	*ret = text.s;
	return err;
}

/* a stack as text, and how often it came */
struct folded {
	const char *text;
	uint64_t count;
};

static int compare_text(const void *a, const void *b)
{
	return strcmp(((const struct folded *)a)->text, ((const struct folded *)b)->text);
}

void otst_print_folded(struct otst_printer *p, const struct otst_traces *traces)
{
	size_t i, next, n = traces->items.count;
	struct folded *stacks = otst_alloc(p->o, (n + 1) * sizeof(*stacks));
	int err = stacks ? 0 : otst_no_memory(p->o);

	for (i = 0; i < n && !err; i++) {
		const struct otst_trace *t = otst_trace_at(traces, i);

		stacks[i].count = t->count ? t->count : 1;
		err = fold(p->o, t, &stacks[i].text);
	}
	if (err) {
		p->err = err;
		return;
	}
	qsort(stacks, n, sizeof(*stacks), compare_text);
	for (i = 0; i < n; i = next) {
		uint64_t count = stacks[i].count;

		for (next = i + 1; next < n && !strcmp(stacks[i].text, stacks[next].text); next++)
			count += stacks[next].count;
		/* nothing but a name: no frame was captured, or all were guesses */
		if (strchr(stacks[i].text, ';'))
			otst_printf(p, "%s %" PRIu64 "\n", stacks[i].text, count);
	}
	/* the lines feed other programs: complaints are for the exit status only */
	p->bad += traces->errors.count;
}

void otst_print_traces(struct otst_printer *p, const struct otst_traces *traces)
{
	const char *const *errors = traces->errors.data, *const *notes = traces->notes.data;
	size_t i;

	for (i = 0; i < traces->items.count && !p->err; i++) {
		if (p->json)
			print_json(p, otst_trace_at(traces, i));
		else
			print_text(p, otst_trace_at(traces, i));
	}
	for (i = 0; i < traces->errors.count; i++)
		otst_print_bad(p, NULL, errors[i]);
	for (i = 0; i < traces->notes.count; i++)
		otst_print_note(p, notes[i]);
	otst_print_note(p, otst_lines_missing(p->o));
	otst_print_end(p, "traces", traces->items.count);
}
