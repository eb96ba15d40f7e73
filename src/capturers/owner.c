// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * owner.c - whose code an address belongs to: a SystemTap script's, another
 * module's, or the kernel's own.
 */
#include "owner.h"
#include "stap.h"

static void own_by_module(struct otst *o, const struct otst_module *m, struct otst_owner *ret)
{
	const struct otst_stap *stap;

	ret->kind = otst_is_systemtap(o, m) ? OTST_OWNER_SYSTEMTAP : OTST_OWNER_MODULE;
	ret->name = m->name;
	ret->hidden = m->hidden;
	stap = ret->kind == OTST_OWNER_SYSTEMTAP ? otst_stap_of(o, m) : NULL;
	ret->script = stap ? stap->script : NULL;
}

/* if all code is known, what is not found belongs to nobody; else its owner is unknown */
static void own_by_nobody(struct otst *o, struct otst_owner *ret)
{
	ret->reason = otst_code_gap(o);
	ret->kind = ret->reason ? OTST_OWNER_UNKNOWN : OTST_OWNER_NOBODY;
	ret->reason = ret->reason ?: "its code lies in no module that is loaded, nor in other code";
}

/* the kernel's image has no code behind its text, but init text while that is there */
static bool is_behind_text(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return b->etext && addr >= b->etext && addr < b->end && !otst_in_bounds(b, addr);
}

void otst_owner_of_code(struct otst *o, uint64_t addr, struct otst_owner *ret)
{
	const struct otst_module *m = otst_module_at(o, addr);
	struct otst_sym sym;

	*ret = (struct otst_owner){ .kind = OTST_OWNER_UNKNOWN };
	if (m) {
		own_by_module(o, m, ret);
		return;
	}
	otst_symbolize(o, addr, &sym);
	ret->kind = OTST_OWNER_KERNEL;
	if (!sym.name) {
		otst_symbolize_code(o, addr, &sym);
		ret->kind = OTST_OWNER_BPF;
	}
	if (is_behind_text(o, addr))
		sym.name = NULL;
	ret->name = sym.name;
	if (!sym.name)
		own_by_nobody(o, ret);
}

/* by the first handler that is not the kernel's own glue, else by the record itself */
void otst_owner_of_handlers(struct otst *o, struct otst_probe *p)
{
	const struct otst_module *m;
	const struct otst_handler *h = NULL;

	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		m = otst_module_at(o, p->handlers[i].addr);
		if (m) {
			own_by_module(o, m, &p->owner);
			return;
		}
		if (!h && !otst_handler_is(o, p->handlers[i].addr, "pre_handler_kretprobe") &&
		    !otst_handler_is(o, p->handlers[i].addr, "setjmp_pre_handler") &&
		    !otst_handler_is(o, p->handlers[i].addr, "longjmp_break_handler"))
			h = &p->handlers[i];
	}
	m = otst_module_at(o, p->record);
	if (m)
		own_by_module(o, m, &p->owner);
	else if (h)
		otst_owner_of_code(o, h->addr, &p->owner);
	else
		p->owner.reason = "it has no handler and lies in no module";
}
