// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * where.c - all operands at once: probes, ftrace_ops, captures and tasks are
 * read once, then each function takes what is its own.
 */

#include "../base/coverage.h"
#include "../ftrace/ftrace.h"
#include "../base/engine.h"
#include "../built/built.h"
#include "where.h"

static bool is_frame_there(void *priv, uint64_t ip, const struct otst_sym *sym)
{
	const struct otst_vec *items = priv;
	const struct otst_where *w = items->data;

	(void)sym;
	for (size_t i = 0; i < items->count; i++) {
		if (otst_where_has(&w[i], ip))
			return true;
	}
	return false;
}

/* if this kernel lacks a mechanism, there are no hooks of its kind */
static int note_unless_lacking(struct otst *o, struct otst_messages *errors, int err)
{
	return err == OTST_ERR_LOOKUP ? 0 : otst_note(o, errors, err);
}

static void sort_out(struct otst_hooks *h)
{
	size_t i, n = 0;

	for (i = 0; i < h->probes.count; i++) {
		struct otst_probe *p = h->probes.items[i];

		h->nobodys += otst_is_nobodys(&p->owner);
		if (p->ops)
			h->nr_ftrace++;
		else
			h->probes.items[n++] = p;
	}
	h->probes.count = n;
}

int otst_hooks_probes(struct otst *o, struct otst_hooks *h, struct otst_messages *errors)
{
	int err = otst_hook_probes(o, &h->probes);

	sort_out(h);

	if (err)
		err = note_unless_lacking(o, errors, err);
	if (!err)
		otst_notes(o, errors, &h->probes.errors);
	return err;
}

int otst_hooks_ftrace(struct otst *o, struct otst_hooks *h, otst_site_fn *want, void *priv,
		      struct otst_messages *errors)
{
	int err = otst_ftrace_ops_list(o, true, &h->list);

	if (err)
		return note_unless_lacking(o, errors, err);
	otst_notes_once(o, errors, &h->list.errors);
	err = otst_ftrace_functions(o, &h->list, want, priv, &h->functions);
	if (err) {
		h->functions.count = 0;
		return note_unless_lacking(o, errors, err);
	}
	h->has_functions = true;
	otst_notes_once(o, errors, &h->functions.errors);
	return 0;
}

static int read_all_parts(struct otst *o, const struct otst_where_operand *operands, size_t count,
			  struct otst_hooks *h, struct otst_vec *items,
			  struct otst_messages *errors)
{
	int err = otst_hooks_probes(o, h, errors);

	err = err ?: otst_hooks_registered(o, h, errors);
	err = err ?: otst_where_resolve(o, operands, count, h, items);
	return err ? err : otst_hooks_ftrace(o, h, is_frame_there, items, errors);
}

static void note_record(struct otst *o, struct otst_messages *errors, const char *place,
			uint64_t record, const char *error)
{
	otst_note_text(o, errors, otst_record_damage(o, place, record, error));
}

static bool has_step(const struct otst_vec *items, const struct otst_probe *p)
{
	const struct otst_where *w = items->data;

	for (size_t i = 0; i < items->count; i++) {
		for (size_t k = 0; k < w[i].nr_steps; k++) {
			if (w[i].steps[k].probe == p)
				return true;
		}
	}
	return false;
}

void otst_hooks_unplaced(struct otst *o, const struct otst_hooks *h, const struct otst_vec *items,
			 struct otst_messages *errors)
{
	for (size_t i = 0; i < h->probes.count; i++) {
		const struct otst_probe *p = h->probes.items[i];

		if (p->error && !p->addr && !has_step(items, p))
			note_record(o, errors, p->place, p->record, p->error);
	}
	for (size_t i = 0; i < h->list.count; i++) {
		const struct otst_ftrace_ops *ops = h->list.items[i];
		const char *error = otst_ftrace_ops_error(ops);

		if (error)
			note_record(o, errors, "ftrace_ops", ops->addr, error);
	}
}

static void note_ftrace(struct otst *o, const struct otst_hooks *h, struct otst_messages *notes)
{
	if (h->list.dead)
		otst_note_text(o, notes,
			       "ftrace shut itself down after a bug: what is at ftrace sites may "
			       "be half done, and need not run");
}

/* the answer "nothing hooks it" needs the text: a hook may have no record */
static void add_uncompared(struct otst *o, const struct otst_where *w, struct otst_vec *coverage)
{
	struct otst_coverage *c;

	if (w->nr_steps || !w->uncompared)
		return;
	c = otst_vec_push(o, coverage, sizeof(*c));
	*c = (struct otst_coverage){ .of = "text",
				     .what = otst_format(o, "text of %s",
							 otst_sym_name(o, w->sym.addr, &w->sym)),
				     .looked = OTST_LOOKED_NOT,
				     .why = w->uncompared,
				     .help = w->help };
}

int otst_wheres(struct otst *o, const struct otst_where_operand *operands, size_t count,
		const char *sources, struct otst_wheres *ret)
{
	struct otst_vec items = { 0 }, coverage = { 0 };
	struct otst_messages errors = { 0 }, notes = { 0 };
	struct otst_hooks h = { 0 };
	bool complete;
	size_t i;
	int err = read_all_parts(o, operands, count, &h, &items, &errors);
	struct otst_where *w = items.data;

	for (i = 0; i < items.count && !err; i++) {
		if (w[i].none)
			continue;
		err = otst_where_steps(o, &h, &w[i]);
		otst_where_called(o, &h, &w[i]);
		if (!err && w[i].sym.name)
			err = otst_where_code(o, &h, &w[i], &errors);
	}
	if (!err)
		otst_hooks_unplaced(o, &h, &items, &errors);
	complete = !errors.count && otst_all_looked(&h.probes.coverage);
	err = err ?: otst_where_compared(o, w, items.count, &errors);
	for (i = 0; i < items.count && !err; i++)
		add_uncompared(o, &w[i], &coverage);
	if (!err)
		otst_text_notes(o, &errors);
	err = err ?: otst_where_captures(o, sources, w, items.count, &errors, &notes);
	err = err ?: otst_where_inside(o, w, items.count, &errors, &notes);
	if (!err)
		note_ftrace(o, &h, &notes);
	*ret = (struct otst_wheres){
		.items = w,
		.count = items.count,
		.all_disarmed = h.probes.all_disarmed,
		.complete = complete,
		.coverage = coverage,
		.errors = errors,
		.notes = notes,
	};
	return err;
}
