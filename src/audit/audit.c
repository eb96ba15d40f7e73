// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * audit.c - the whole audit: the kernel's text, each module's, the records.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/sorted.h"
#include "expect.h"

static int apply_classes(struct otst_expect *e)
{
	int err = 0;

	for (size_t i = 0; !err && i < e->arch->nr_classes; i++) {
		err = e->arch->classes[i](e);
		err = err ?: otst_check(e->o);
	}
	return err;
}

static int audit_image(struct otst *o, const struct otst_built *built, const struct otst_module *m,
		       struct otst_audit *out)
{
	struct otst_expect e;
	int err = otst_expect_create(o, built, m, out, &e);

	err = err ?: apply_classes(&e);
	if (!err)
		otst_audit_slots(&e);
	return err ? err : otst_compare(&e);
}

int otst_audit_bare(struct otst *o, uint64_t module, struct otst_audit *ret)
{
	const struct otst_module m = { .addr = module, .name = "" }, *const images[] = { NULL, &m };
	const struct otst_built none = { 0 };
	struct otst_expect e;
	int err = 0;

	for (size_t i = 0; i < 2 && !err && otst_audit_arch(o); i++) {
		err = otst_expect_create(o, &none, images[i], ret, &e);
		e.bare = true;
		err = err ?: apply_classes(&e);
	}
	return err;
}

static void add_not_compared(struct otst *o, const char *what, const char *why, const char *help,
			     struct otst_audit *out)
{
	otst_audit_gap(o, out, what, OTST_LOOKED_NOT, why)->help = help;
}

/* the last error says why */
static void kernel_not_compared(struct otst *o, struct otst_audit *out, const char *help)
{
	out->not_compared = otst_strdup(o, otst_message(o));
	add_not_compared(o, "the kernel's text", out->not_compared, help, out);
}

static int audit_kernel(struct otst *o, struct otst_audit *out)
{
	const char *path = otst_options(o)->vmlinux, *name = otst_kernel(o)->arch->name;
	struct otst_built built;
	int err;

	if (!otst_audit_arch(o)) {
		otst_raise(o, OTST_ERR_UNSUPPORTED,
			   "how kernels of %s patch their text is not known",
			   name[0] ? name : "this machine");
		kernel_not_compared(o, out, NULL);
		return 0;
	}
	err = otst_built_kernel(o, &built);
	err = err ?: audit_image(o, &built, NULL, out);
	/* such as a file with nothing but debug information */
	if (!err && !out->compared)
		err = otst_raise(o, OTST_ERR_LOOKUP, "%s has no text%s", otst_clean(o, path),
				 out->nr_only ? " for this address" : "");
	if (err != OTST_ERR_LOOKUP)
		return err;
	kernel_not_compared(o, out, "the kernel's vmlinux");
	return 0;
}

static int audit_module(struct otst *o, const struct otst_module *m, struct otst_audit *out)
{
	struct otst_built built;
	const char *why;
	int err = otst_built_module(o, m, &built, &why);

	if (err == OTST_ERR_LOOKUP) {
		add_not_compared(o, otst_format(o, "module %s", m->name),
				 otst_strdup(o, otst_message(o)), "the modules' files (--modules)",
				 out);
		return 0;
	}
	if (err)
		return otst_note(o, &out->errors, err);
	if (why)
		otst_note_text(o, &out->errors, why);
	if (built.odd)
		err = otst_note(
			o, &out->errors,
			otst_raise(o, OTST_ERR_CORRUPT,
				   "module %s: its GOT and PLT are not what its file leads to: "
				   "%zu %s %s not compared",
				   m->name, built.odd, otst_number(built.odd, "entry", "entries"),
				   otst_number(built.odd, "is", "are")));
	if (!err && built.left_out)
		err = otst_note(o, &out->notes,
				otst_raise(o, OTST_ERR_LOOKUP,
					   "module %s: %zu %s of its GOT and PLT %s not compared",
					   m->name, built.left_out,
					   otst_number(built.left_out, "entry", "entries"),
					   otst_number(built.left_out, "is", "are")));
	out->modules++;
	err = err ?: audit_image(o, &built, m, out);
	if (err || out->nr_only)
		return err;
	err = otst_audit_between(o, out, &built, m);
	return err ? err : otst_audit_data(o, out, &built, m);
}

/* without the image, the line on the kernel's text says so */
static int audit_data(struct otst *o, struct otst_audit *out)
{
	struct otst_built built;
	int err = out->not_compared ? OTST_ERR_LOOKUP : otst_built_kernel(o, &built);

	err = err ?: otst_audit_data(o, out, &built, NULL);
	return err == OTST_ERR_LOOKUP ? 0 : err;
}

static const char *why_not_live(struct otst *o, const struct otst_module *m)
{
	return m->state <= OTST_MODULE_UNFORMED ? "it was being loaded" :
						  otst_format(o, "its state is %u", m->state);
}

/* @why: how the text of this kernel's modules could be compared is not known; or NULL */
static int audit_loaded(struct otst *o, const struct otst_module *m, const char *why,
			struct otst_audit *out)
{
	bool live = m->state == OTST_MODULE_LIVE || m->state == OTST_MODULE_GOING;

	if (live && !m->hidden && !why)
		return audit_module(o, m, out);
	add_not_compared(o, otst_format(o, "module %s", m->name),
			 !live	   ? why_not_live(o, m) :
			 m->hidden ? "it hides" :
				     why,
			 NULL, out);
	return 0;
}

/* @why: as above */
static int audit_modules(struct otst *o, const char *why, struct otst_audit *out)
{
	struct otst_module *const *m;
	const char *broken;
	int err = otst_modules(o, &m);

	/* a kernel without modules */
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (err)
		return otst_note(o, &out->errors, err);
	broken = otst_modules_error(o);
	if (broken)
		otst_note_text(o, &out->errors, broken);
	for (; !err && *m; m++)
		err = audit_loaded(o, *m, why, out);
	return err;
}

static int by_place(const void *a, const void *b)
{
	const struct otst_audit_place *x = a, *y = b;

	return otst_cmp(x->addr, y->addr) ?: otst_cmp(x->difference, y->difference);
}

/* what no finding can be about */
static int note_losses(struct otst *o, struct otst_audit *ret)
{
	const struct {
		uint64_t count;
		const char *what;
	} lost[] = { { ret->missing, "of text" }, { ret->data_missing, "of data" } };
	int err = 0;

	/* then no breakpoint, jump or call is known as such */
	if (!otst_kernel(o)->arch->name[0])
		err = otst_note(o, &ret->errors,
				otst_raise(o, OTST_ERR_UNSUPPORTED,
					   "the processor is not known: claims about text are not "
					   "looked at"));
	for (size_t i = 0; i < 2 && !err; i++) {
		if (lost[i].count)
			err = otst_note(
				o, &ret->errors,
				otst_raise(o, OTST_ERR_FAULT,
					   "%" PRIu64 " byte%s %s %s not in the dump",
					   lost[i].count, otst_number(lost[i].count, "", "s"),
					   lost[i].what, otst_number(lost[i].count, "is", "are")));
	}
	if (!err && ret->unexplained)
		otst_note_text(
			o, &ret->errors,
			otst_format(o,
				    "%zu difference%s of text, the first at %s, %s not decided: %s",
				    ret->unexplained, otst_number(ret->unexplained, "", "s"),
				    otst_name(o, ret->unexplained_at),
				    otst_number(ret->unexplained, "is", "are"), ret->unread));
	if (!err && ret->undecided)
		otst_note_text(o, &ret->errors,
			       otst_format(o,
					   "of %zu pointer%s it is not decided whether %s to the "
					   "code of a module: not all modules could be read",
					   ret->undecided, otst_number(ret->undecided, "", "s"),
					   otst_number(ret->undecided, "it leads", "they lead")));
	if (!err && ret->unjudged)
		otst_note_text(o, &ret->errors,
			       "without all of the kernel's page tables it is not known of "
			       "each pointer whether it leads to code");
	return err;
}

static int audit_once(struct otst *o, struct otst_audit *ret)
{
	int err = audit_kernel(o, ret);

	err = err ?: audit_modules(o, otst_audit_arch(o) ? NULL : ret->not_compared, ret);
	err = err ?: otst_audit_records(o, ret);
	err = err ?: audit_data(o, ret);
	err = err ?: otst_audit_hidden(o, ret);
	err = err ?: otst_audit_executable(o, ret);
	err = err ?: otst_audit_everywhere(o, ret);
	err = err ?: note_losses(o, ret);
	if (!err && ret->places.count)
		otst_sort(ret->places.data, ret->places.count, sizeof(struct otst_audit_place),
			  by_place);
	return err;
}

/* the text that @ret asks for, of the kernel or of a module */
static int audit_text_once(struct otst *o, struct otst_audit *ret)
{
	const struct otst_module *m = otst_module_at(o, ret->only->begin);
	int err = m && otst_audit_arch(o) ? audit_loaded(o, m, NULL, ret) : audit_kernel(o, ret);

	if (!err && ret->unexplained)
		otst_audit_gap(o, ret, "text", OTST_LOOKED_IN_PART, ret->unread);
	return err;
}

int otst_audit_text(struct otst *o, struct otst_audit *ret)
{
	ret->want_all = true;
	return otst_is_live(o) ? otst_audit_live(o, audit_text_once, ret) : audit_text_once(o, ret);
}

int otst_audit(struct otst *o, struct otst_audit *ret)
{
	return otst_is_live(o) ? otst_audit_live(o, audit_once, ret) : audit_once(o, ret);
}
