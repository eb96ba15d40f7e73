// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * folded.c - one line a stack and how often it came, as flame graphs are drawn from.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

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

		stacks[i].count = t->count;
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
