// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * readiness.c - otst --readiness: what of this kernel could be read from a dump.
 */
#include "../readiness/readiness.h"
#include "../names/symbols.h"
#include "../types/types.h"
#include "commands.h"

/* what was assumed of variables whose names are not known; NULL when all are */
static const char *assumption_text(struct otst *o)
{
	uint64_t addr;

	if (otst_readiness_names_known(o))
		return NULL;
	if (!otst_symbol(o, "_stext", &addr) || !otst_symbol(o, "_text", &addr))
		return "this kernel's symbol table has functions only (no CONFIG_KALLSYMS_ALL): with "
		       "a dump, its vmlinux is needed";
	return "the names of variables are not known: this kernel was taken to have all of them";
}

static int raise_untyped(struct otst *o)
{
	return otst_raise(
		o, OTST_ERR_LOOKUP,
		"%s has no types: a vmlinux with debug information, a vmlinux or vmlinuz of a "
		"kernel with CONFIG_DEBUG_INFO_BTF, or /sys/kernel/btf/vmlinux of a machine that "
		"runs this kernel is needed",
		otst_clean(o, otst_options(o)->vmlinux));
}

int otst_cmd_readiness(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_vec items = { 0 };
	uint64_t size;
	int err = otst_type_size(o, "task_struct", &size);

	(void)args;
	if (err && (err != OTST_ERR_LOOKUP || !otst_has_type(o, "list_head")))
		return otst_is_alone(o) && otst_options(o)->vmlinux ?
			       raise_untyped(o) :
			       otst_fail(o, err, "the kernel's types are needed");
	err = otst_readiness(o, &items);
	if (!err)
		otst_print_readiness(p, &items, assumption_text(o));
	return err;
}
