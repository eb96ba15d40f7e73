// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * compared.c - all bytes of a function against the text as built, patched as the records say: the
 * audit's comparison. A hook that no record has shows nowhere else.
 */
#include "../audit/audit.h"
#include "../base/engine.h"
#include "../base/sorted.h"
#include "../built/built.h"
#include "where.h"

/* the functions of one image, of which @module is NULL for the kernel */
struct image {
	const struct otst_module *module;
	struct otst_audit audit;
	struct otst_vec ranges;
};

/* text that was freed after boot runs no more */
static bool is_freed(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return addr >= b->sinittext && addr < b->einittext && otst_init_is_over(o);
}

static bool has_kept_text(struct otst *o, const struct otst_where *w)
{
	return w->sym.name && w->sym.size && !is_freed(o, w->sym.addr);
}

static bool is_image_of(struct otst *o, const struct image *image, const struct otst_where *w)
{
	return has_kept_text(o, w) && otst_module_at(o, w->sym.addr) == image->module;
}

static void add_changes(struct otst *o, const struct otst_audit *a, struct otst_where *w)
{
	const struct otst_finding *f = a->findings.data;
	struct otst_finding *change;

	for (size_t i = 0; i < a->findings.count; i++) {
		if (!f[i].len || f[i].addr >= w->sym.addr + w->sym.size ||
		    f[i].addr + f[i].len <= w->sym.addr)
			continue;
		change = otst_vec_push(o, &w->changes, sizeof(*change));
		*change = f[i];
	}
}

static bool is_readable(struct otst *o, const struct otst_where *w)
{
	uint8_t *text = otst_alloc(o, w->sym.size);

	return text && !otst_read(o, w->sym.addr, text, w->sym.size);
}

static void take_result(struct otst *o, const struct otst_audit *a, struct otst_where *w)
{
	const struct otst_coverage *gap = a->coverage.data;
	uint8_t byte;

	add_changes(o, a, w);
	if (a->coverage.count) {
		w->uncompared = gap->why;
		w->help = gap->help;
	} else if (otst_text_built(o, w->sym.addr, &byte, 1)) {
		w->uncompared = "no file has it";
	} else if (a->missing && !is_readable(o, w)) {
		w->uncompared = "not all of it is in the dump";
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct otst_audit_range *x = a, *y = b;

	return otst_cmp(x->begin, y->begin);
}

static int compare_image(struct otst *o, struct image *image, struct otst_where *w, size_t n,
			 struct otst_messages *errors)
{
	struct otst_audit *a = &image->audit;
	struct otst_audit_range *r;
	size_t i;
	int err;

	for (i = 0; i < n; i++) {
		if (!is_image_of(o, image, &w[i]))
			continue;
		r = otst_vec_push(o, &image->ranges, sizeof(*r));
		*r = (struct otst_audit_range){ w[i].sym.addr, w[i].sym.addr + w[i].sym.size };
	}
	otst_sort(image->ranges.data, image->ranges.count, sizeof(*r), by_begin);
	a->only = image->ranges.data;
	a->nr_only = image->ranges.count;
	err = otst_stopped(o);
	err = err ?: otst_audit_text(o, a);
	for (i = 0; i < n && !err; i++) {
		if (is_image_of(o, image, &w[i]))
			take_result(o, a, &w[i]);
	}
	if (!err)
		otst_notes_once(o, errors, &a->errors);
	return err ? otst_note(o, errors, err) : 0;
}

/* has an item before @at the same image */
static bool is_compared(struct otst *o, const struct image *image, const struct otst_where *w,
			size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (is_image_of(o, image, &w[i]))
			return true;
	}
	return false;
}

int otst_where_compared(struct otst *o, struct otst_where *w, size_t n,
			struct otst_messages *errors)
{
	const struct doubts doubts = o->doubts;
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		struct image image = { .module = otst_module_at(o, w[i].sym.addr) };

		if (has_kept_text(o, &w[i]) && !is_compared(o, &image, w, i))
			err = compare_image(o, &image, w, n, errors);
	}
	o->doubts = doubts;
	return err;
}
