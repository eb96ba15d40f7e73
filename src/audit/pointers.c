// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pointers.c - the pointers on which explanations rest: handlers, keys of static calls,
 * targets of jump labels, trampolines. Each leads to code that somebody owns, or is a
 * finding of its own.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "expect.h"

bool otst_audit_is_code(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	struct otst_sym sym;

	if (addr >= b->sinittext && addr < b->einittext)
		return !otst_init_is_over(o);
	if (otst_is_text(o, addr))
		return true;
	if (otst_module_at(o, addr) || (addr >= b->stext && addr < b->end))
		return false;
	otst_symbolize_code(o, addr, &sym);
	return sym.name != NULL;
}

static const char *describe_place(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	const struct otst_module *m = otst_module_at(o, addr);

	if (m)
		return otst_format(o, ", but in the data of module %s", m->name);
	if (addr >= b->sinittext && addr < b->einittext)
		return ", but where init text was, which was freed";
	return " or of a module that is loaded";
}

/* several records may hold one pointer, and one record may be asked for often */
static bool is_new(struct otst *o, uint64_t func, uint64_t record)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	bool added = true;

	if (!*memo)
		*memo = otst_new(o, sizeof(struct otst_set));
	return otst_set_add(o, *memo, func ^ record, &added) || added;
}

void otst_audit_pointer(struct otst *o, struct otst_audit *a, const char *what, const char *role,
			uint64_t func, uint64_t record)
{
	struct otst_finding *f;

	if (!func || otst_audit_is_code(o, func) || !is_new(o, func, record))
		return;
	f = otst_finding_add(o, a, OTST_FINDING_POINTER, func,
			     otst_format(o, "%s: %s is not in the text of the kernel%s", what, role,
					 describe_place(o, func)));
	f->record = record;
}

/*
 * create_trampoline() of arch/x86/kernel/ftrace.c: the trampoline of one ops has the
 * address of that ops in it. Elsewhere trampolines are functions of the kernel.
 */
int otst_audit_trampoline(struct otst *o, struct otst_audit *a, const char *what,
			  const struct otst_ftrace_ops *ops)
{
	const struct otst_audit_arch *arch = otst_audit_arch(o);
	uint64_t of;
	uint8_t byte;

	if (!ops->trampoline || !arch || otst_audit_is_code(o, ops->trampoline))
		return 0;
	/* a page that is not in the dump is an error of the listing */
	if (otst_read_u8(o, ops->trampoline, &byte))
		return otst_note(o, &a->errors,
				 otst_fail(o, OTST_ERR_FAULT, "%s: its trampoline", what));
	of = arch->trampoline_ops(o, ops->trampoline);
	if (of == ops->addr)
		return 0;
	return otst_finding_record(o, a, OTST_FINDING_POINTER, ops->trampoline, ops->addr,
				   otst_format(o, "%s: its trampoline is %s", what,
					       of ? "that of another ftrace_ops" :
						    "not one that ftrace made"));
}
