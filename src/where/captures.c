// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * captures.c - captured stack traces that belong to a function: their probe is
 * on it, or their innermost frame is in it. All sources are read once; traces of
 * no function are dropped there, and the rest is distributed.
 */
#include <string.h>

#include "where.h"

struct sharing {
	struct otst *o;
	struct otst_where *w;
	size_t count;
};

/*
 * A name alone means every function of that name; an address, if it is of
 * this boot's text, means only the function that has it.
 */
static bool is_in(const struct otst_where *w, uint64_t addr, const struct otst_sym *sym)
{
	if (!w->sym.name)
		return false;
	if (addr)
		return otst_where_has(w, addr);
	return sym->name && !strcmp(sym->name, w->sym.name) &&
	       (!sym->module || (w->sym.module && !strcmp(sym->module, w->sym.module)));
}

static bool is_chosen_address(void *priv, uint64_t addr, const struct otst_sym *sym)
{
	const struct sharing *s = priv;

	for (size_t i = 0; i < s->count; i++) {
		if (is_in(&s->w[i], addr, sym))
			return true;
	}
	return false;
}

static bool frame_is_in(struct otst *o, const struct otst_where *w,
			const struct otst_trace_line *line)
{
	struct otst_sym sym = { 0 };
	struct otst_sym_text t;
	uint64_t addr = line->addr;

	/* a return address after a noreturn call may be the next function's first address */
	if (addr)
		return is_in(w, otst_frame_code(o, addr, line->exact), &sym);
	if (!line->text || !otst_sym_text_parse(line->text, &t))
		return false;
	sym.name = otst_format(o, "%.*s", (int)t.name_len, t.name);
	sym.module = t.module ? otst_format(o, "%.*s", (int)t.module_len, t.module) : NULL;
	return is_in(w, 0, &sym);
}

static bool is_capture_of(struct otst *o, const struct otst_where *w, const struct otst_trace *t)
{
	const struct otst_trace_line *lines;
	struct otst_sym sym = { .name = t->probe };
	size_t i, n;

	if (t->bpf && t->bpf->guess)
		return false;
	if ((t->probe || t->probe_addr) && is_in(w, t->probe_addr, &sym))
		return true;
	otst_trace_lines(o, t, &lines, &n);
	for (i = 0; i < n; i++) {
		if (otst_trace_line_is_code(&lines[i]))
			return frame_is_in(o, w, &lines[i]);
	}
	return false;
}

static void add_capture(struct otst *o, struct otst_where *w, const struct otst_trace *t)
{
	struct otst_where_source *s = w->sources.data, *end = s + w->sources.count;
	size_t keep;

	while (s < end && s->source != t->source)
		s++;
	if (s == end) {
		s = otst_vec_push(o, &w->sources, sizeof(*s));
		s->source = t->source;
	}
	s->count++;
	/* they come oldest first */
	keep = s->nr_newest < OTST_NEWEST ? s->nr_newest++ : OTST_NEWEST - 1;
	memmove(s->newest + 1, s->newest, keep * sizeof(*s->newest));
	s->newest[0] = t;
}

int otst_where_captures(struct otst *o, const char *sources, struct otst_where *w, size_t n,
			struct otst_messages *errors, struct otst_messages *notes)
{
	struct sharing s = { o, w, n };
	struct otst_trace_filter filter = {
		.sources = sources, .pid = -1, .chosen = is_chosen_address, .priv = &s
	};
	struct otst_traces traces;
	size_t i, k;
	int err;

	for (i = 0; i < n && !w[i].sym.name; i++)
		;
	if (i == n)
		return 0;
	err = otst_traces(o, &filter, &traces);
	for (i = 0; i < traces.items.count && !err; i++) {
		for (k = 0; k < n && !err; k++) {
			if (is_capture_of(o, &w[k], otst_trace_at(&traces, i)))
				add_capture(o, &w[k], otst_trace_at(&traces, i));
		}
		err = err ?: otst_check(o);
	}
	if (err)
		return err;
	otst_notes(o, errors, &traces.errors);
	otst_notes(o, notes, &traces.notes);
	return 0;
}
