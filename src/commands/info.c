// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * info.c - otst -i: the dump in one screen, the verdict on a crash, counts by
 * kind and owner, and what could not be read.
 */
#include <string.h>

#include "../ftrace/ftrace.h"
#include "../ftrace/tracing.h"
#include "../base/engine.h"
#include "../built/built.h"
#include "../memory/notes.h"
#include "../memory/translate.h"
#include "../output/verdict.h"
#include "commands.h"

static int by_owner(const struct otst_owner_count *a, const struct otst_owner *w)
{
	return a->kind == w->kind && a->name && w->name ? strcmp(a->name, w->name) :
							  a->kind != w->kind || a->name != w->name;
}

static void count_owner(struct otst *o, struct otst_vec *v, const struct otst_owner *w)
{
	struct otst_owner_count *c = v->data;
	size_t i;

	for (i = 0; i < v->count && by_owner(&c[i], w); i++)
		;
	if (i == v->count) {
		c = otst_vec_push(o, v, sizeof(*c));
		*c = (struct otst_owner_count){ .kind = w->kind, .name = w->name };
		i = 0;
	} else {
		c += i;
	}
	c->count++;
}

/* what the summary could not find out: not there, or not readable */
struct gaps {
	struct otst_messages absent;
	struct otst_messages bad;
};

/* an error that belongs to one part of the summary becomes one of its lines */
static int note_info_gap(struct otst *o, struct gaps *g, int err)
{
	return otst_note(o, err == OTST_ERR_LOOKUP ? &g->absent : &g->bad, err);
}

/* add one row of the coverage; returns an error that ends the command, or 0 */
static int cover_look(struct otst *o, struct otst_info *info, const struct otst_look *look, int err,
		      const char *what, size_t records)
{
	struct otst_coverage *c = otst_vec_push(o, &info->coverage, sizeof(*c));

	c->of = "tracing";
	c->what = what;
	c->records = records;
	return otst_look_end(o, look, err, c);
}

static int sum_probes(struct otst *o, struct otst_info *info, struct gaps *g)
{
	struct otst_vec owners = { 0 };
	struct otst_probes probes = { 0 };
	int err = otst_hook_probes(o, &probes);

	info->coverage = probes.coverage;
	if (err)
		return note_info_gap(o, g, err);
	for (size_t i = 0; i < probes.count; i++) {
		const struct otst_probe *p = probes.items[i];

		info->kinds[p->kind]++;
		info->armed += p->claim == OTST_CLAIM_ARMED;
		info->disagree += p->disagree != NULL;
		info->nobodys += otst_is_nobodys(&p->owner);
		if (p->error)
			otst_note_text(o, &g->bad,
				       otst_record_damage(o, p->place, p->record, p->error));
		count_owner(o, &owners, &p->owner);
	}
	info->probes = probes.count;
	info->owners = owners.data;
	info->nr_owners = owners.count;
	otst_notes(o, &g->bad, &probes.errors);
	return 0;
}

struct counter {
	struct otst *o;
	struct otst_info *info;
};

static int count_registered(void *priv, const struct otst_registered *r)
{
	struct counter *c = priv;
	struct otst_owner owner = { 0 };

	if (otst_in_bounds(otst_text_bounds(c->o), r->func))
		return 0;
	otst_owner_of_code(c->o, r->func, &owner);
	c->info->registered++;
	c->info->kinds[otst_registered_probe_kind(r)]++;
	c->info->astray += owner.hidden || otst_is_nobodys(&owner);
	return 0;
}

static int sum_registered(struct otst *o, struct otst_info *info, struct gaps *g)
{
	struct counter c = { o, info };
	const struct otst_registered_walk walk = {
		.o = o, .take = count_registered, .priv = &c, .errors = &g->bad
	};

	return otst_registered(&walk);
}

static int sum_ftrace(struct otst *o, struct otst_info *info, struct gaps *g)
{
	struct otst_look look = otst_look_begin(o);
	const struct otst_ftrace_sites *sites;
	struct otst_ftrace_list list;
	int err = otst_ftrace_ops_list(o, false, &list), failed;

	if (!err) {
		info->ftrace_ops = list.count;
		otst_notes_once(o, &g->bad, &list.errors);
	}
	err = err ?: otst_ftrace_sites(o, &sites);
	failed = cover_look(o, info, &look, err, "functions", info->ftrace_ops);
	if (failed || err)
		return failed ? failed : note_info_gap(o, g, err);
	info->sites = sites->count;
	for (size_t i = 0; i < sites->count; i++)
		info->hooked += sites->items[i].flags >> 31 & 1; /* FTRACE_FL_ENABLED */
	otst_notes_once(o, &g->bad, &sites->errors);
	return 0;
}

static int sum_tracing(struct otst *o, struct otst_info *info, struct gaps *g)
{
	struct otst_look look = otst_look_begin(o);
	struct otst_tracing t = { 0 };
	int err = otst_tracing(o, &t), failed;

	failed = cover_look(o, info, &look, err, "trace arrays", t.nr_arrays);
	if (failed || err)
		return failed ? failed : note_info_gap(o, g, err);
	info->tracers = t.nr_tracers;
	info->arrays = t.arrays;
	info->nr_arrays = t.nr_arrays;
	otst_notes(o, &g->bad, &t.errors);
	return 0;
}

static void sum_modules(struct otst *o, struct otst_info *info)
{
	struct otst_vec hidden = { 0 };
	struct otst_module *const *m;

	if (otst_modules(o, &m))
		return;
	for (; *m; m++)
		info->modules++;
	if (otst_hidden_modules(o, &m))
		return;
	for (; *m; m++)
		*(const char **)otst_vec_push(o, &hidden, sizeof(char *)) = (*m)->name;
	info->hidden = hidden.data;
	info->nr_hidden = hidden.count;
}

/* what the verdict could not read and no other part has reported */
static int sum_verdict(struct otst *o, struct otst_verdict *v, struct gaps *g)
{
	int err = otst_verdict(o, true, v);

	if (err)
		return note_info_gap(o, g, err);
	for (size_t i = 0; i < v->errors.count; i++)
		otst_note_once(o, &g->bad, v->errors.texts[i]);
	return 0;
}

static int sum_dump(struct otst *o, struct otst_info *info, struct otst_verdict *v)
{
	unsigned char byte;
	struct gaps g = { 0 };
	const char *contradiction;
	int err;

	info->target = otst_target_name(o);
	info->found = otst_whereabouts(o);
	otst_extents(o, &info->extents);
	info->symbols = otst_symbols_origin(o);
	info->types = otst_types_origin(o);
	otst_image_source(o, &info->image);
	info->text_built = !otst_text_built(o, otst_symbol_or0(o, "_stext"), &byte, 1);
	sum_modules(o, info);
	contradiction = otst_vmcoreinfo_contradiction(o);
	if (otst_erased(o))
		otst_note_text(o, &g.bad, otst_erased(o));
	if (contradiction)
		otst_note_text(o, &g.bad, contradiction);
	err = sum_probes(o, info, &g);
	err = err ?: sum_registered(o, info, &g);
	err = err ?: sum_ftrace(o, info, &g);
	err = err ?: sum_tracing(o, info, &g);
	err = err ?: otst_sources_cover(o, &info->coverage);
	err = err ?: sum_verdict(o, v, &g);
	info->absent = g.absent.texts;
	info->nr_absent = g.absent.count;
	info->bad = g.bad.texts;
	info->nr_bad = g.bad.count;
	return err;
}

int otst_cmd_info(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_info info = { .kernel = otst_kernel(o) };
	struct otst_verdict verdict;
	int err;

	(void)args;
	err = sum_dump(o, &info, &verdict);
	if (err)
		return err;
	if (otst_died(verdict.report.death)) {
		otst_print_verdict_head(p, &verdict);
		if (!p->json)
			otst_printf(p, "\n");
	}
	otst_print_info(p, &info);
	otst_print_files(p, true);
	return 0;
}
