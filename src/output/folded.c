// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * folded.c - one line for each stack and its count, the input of flame graphs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "trace.h"

/* ';' separates the frames, so one in a name is escaped; the count follows the last blank */
static void append_part(struct otst_text *t, const char *s, size_t len)
{
	for (; len; len--, s++) {
		if (*s == ';')
			otst_text_string(t, "\\x3b");
		else
			otst_text_char(t, *s);
	}
}

/* "comm;outermost;...;innermost" */
static void fold_trace(struct otst *o, const struct otst_trace *t, const char **ret)
{
	const char *name = t->comm ? t->comm : "?";
	const struct otst_trace_line *lines;
	struct otst_text text = { .o = o };
	struct otst_sym_text sym;
	size_t i;

	otst_trace_lines(o, t, &lines, &i);
	append_part(&text, name, strlen(name));
	while (i--) {
		const struct otst_trace_line *line = &lines[i];

		/* skip guesses and user mode */
		if (!otst_trace_line_is_code(line) || !line->reliable || line->cs & 3)
			continue;
		name = otst_trace_line_name(o, line);
		otst_text_char(&text, ';');
		append_part(&text, name,
			    otst_sym_text_parse(name, &sym) ? sym.name_len : strlen(name));
	}
	*ret = otst_text_done(&text);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(((const struct otst_folded *)a)->text, ((const struct otst_folded *)b)->text);
}

/* merge equal stacks; drop those that are only a name: they had no frame, or only guesses */
static size_t sum_up(struct otst_folded *stacks, size_t n)
{
	size_t i, next, kept = 0;

	otst_sort(stacks, n, sizeof(*stacks), compare_text);
	for (i = 0; i < n; i = next) {
		struct otst_folded one = stacks[i];

		for (next = i + 1; next < n && !strcmp(one.text, stacks[next].text); next++)
			one.count += stacks[next].count;
		if (strchr(one.text, ';'))
			stacks[kept++] = one;
	}
	return kept;
}

int otst_fold_traces(struct otst *o, const struct otst_traces *traces, enum otst_source_kind source,
		     struct otst_folded **ret, size_t *count)
{
	struct otst_folded *stacks = otst_alloc(o, (traces->items.count + 1) * sizeof(*stacks));
	int err = stacks ? 0 : otst_no_memory(o);
	struct otst_trace_room room = { 0 };
	size_t i, n = 0;

	for (i = 0; i < traces->items.count && !err; i++) {
		const struct otst_trace *t = otst_trace_peek(traces, i, &room);

		if (source != OTST_SOURCE_COUNT && t->source != source)
			continue;
		stacks[n].count = t->count;
		fold_trace(o, t, &stacks[n++].text);
	}
	*ret = stacks;
	*count = err ? 0 : sum_up(stacks, n);
	return err;
}

void otst_print_folded(struct otst_printer *p, const struct otst_traces *traces)
{
	struct otst_folded *stacks;
	size_t i, n;

	p->err = otst_fold_traces(p->o, traces, OTST_SOURCE_COUNT, &stacks, &n);
	for (i = 0; i < n && !p->err; i++)
		otst_printf(p, "%s %" PRIu64 "\n", stacks[i].text, stacks[i].count);
}
