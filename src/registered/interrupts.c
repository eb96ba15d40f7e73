// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * interrupts.c - what an interrupt calls: the actions of each struct irq_desc of
 * include/linux/irqdesc.h, and the function that runs these; and what softirqs do.
 */
#include <inttypes.h>

#include "../memory/idr.h"
#include "registered.h"

#define NAME_SIZE 64u
/* NR_IRQS of alpha, the largest without CONFIG_SPARSE_IRQ, is 32784 */
#define MOST_IRQS 40000u
#define SOFTIRQS  10u /* NR_SOFTIRQS */

/* without a name, "?" */
static const char *action_name(const struct otst_registered_walk *r, uint64_t irq, uint64_t action)
{
	const char *name = "";
	uint64_t at;
	int err = otst_read_member(r->o, "irqaction", action, "name", &at);

	if (err == OTST_ERR_LOOKUP)
		(void)otst_registry_lost(r, err, "interrupts");
	if (err || !at || otst_read_string(r->o, at, NAME_SIZE, &name))
		name = "?";
	return otst_format(r->o, "irq %" PRIu64 " %s", irq, name);
}

static int give_actions(const struct otst_registered_walk *r, uint64_t irq, uint64_t first)
{
	static const char *const roles[] = { "handler", "thread_fn", NULL };
	const struct otst_member *next;
	struct otst_walk w;
	uint64_t action, other;
	int err = otst_member(r->o, "irqaction", "next", &next);

	if (err)
		return otst_registry_lost(r, err, "interrupts");
	otst_walk_chain(r->o, first, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &action)) {
		const char *where = action_name(r, irq, action);

		err = otst_registry_give_all(r, where, "irqaction", action, roles);
		if (err || !otst_has_member(r->o, "irqaction", "secondary"))
			continue;
		/* the handler of an action whose interrupt is forced into a thread */
		err = otst_read_member(r->o, "irqaction", action, "secondary", &other);
		if (err)
			err = otst_registry_lost(r, err, where);
		else if (other)
			err = otst_registry_give_all(r, where, "irqaction", other, roles);
	}
	return err ?: otst_registry_lost(r, w.err, "interrupts");
}

static int give_interrupt(const struct otst_registered_walk *r, uint64_t irq, uint64_t desc)
{
	const char *where = otst_format(r->o, "irq %" PRIu64, irq);
	uint64_t first;
	int err = otst_read_member(r->o, "irq_desc", desc, "action", &first);

	if (err)
		return otst_registry_lost(r, err, where);
	err = otst_registry_give(r, where, "irq_desc", desc, "handle_irq");
	return err || !first ? err : give_actions(r, irq, first);
}

/* Linux 721255b9826b ("genirq: Use a maple tree for interrupt descriptor management") (v6.5) */
static int find_interrupts(const struct otst_registered_walk *r, struct otst_vec *entries)
{
	uint64_t maple = otst_symbol_or0(r->o, "sparse_irqs"),
		 radix = otst_symbol_or0(r->o, "irq_desc_tree");

	return maple ? otst_maple_tree(r->o, maple, entries, r->errors) :
	       radix ? otst_radix_tree(r->o, radix, entries, r->errors) :
		       0;
}

/** struct array - a variable: @count structures of @size bytes at @at, 0 where it does not exist */
struct array {
	uint64_t at, size, count;
};

static int find_array(struct otst *o, const char *variable, const char *type, struct array *ret)
{
	struct otst_sym sym;
	int err;

	*ret = (struct array){ .at = otst_symbol_or0(o, variable) };
	err = ret->at ? otst_type_size(o, type, &ret->size) : 0;
	if (err || !ret->size)
		return err;
	otst_symbolize(o, ret->at, &sym);
	ret->count = sym.addr == ret->at ? sym.size / ret->size : 0;
	return 0;
}

/* without CONFIG_SPARSE_IRQ they are an array */
static int give_array(const struct otst_registered_walk *r)
{
	struct array descs;
	int err = find_array(r->o, "irq_desc", "irq_desc", &descs);

	if (!err && descs.size && (!descs.count || descs.count > MOST_IRQS))
		err = otst_raise(r->o, OTST_ERR_CORRUPT, "the size of irq_desc is not known");
	if (err)
		return otst_registry_lost(r, err, "interrupts");
	for (uint64_t i = 0; i < descs.count && !err; i++)
		err = give_interrupt(r, i, descs.at + i * descs.size);
	return err;
}

/* struct softirq_action softirq_vec[], of open_softirq() */
static int give_softirqs(const struct otst_registered_walk *r)
{
	struct array actions;
	int err = find_array(r->o, "softirq_vec", "softirq_action", &actions);

	if (err)
		return otst_registry_lost(r, err, "softirq_vec");
	for (uint64_t i = 0; i < SOFTIRQS && i < actions.count && !err; i++)
		err = otst_registry_give(r, otst_format(r->o, "softirq_vec[%" PRIu64 "]", i),
					 "softirq_action", actions.at + i * actions.size, "action");
	return err;
}

int otst_registered_interrupts(const struct otst_registered_walk *r)
{
	struct otst_vec entries = { 0 };
	const struct otst_idr_entry *e;
	size_t i;
	int err = otst_registry_lost(r, find_interrupts(r, &entries), "interrupts");

	e = entries.data;
	for (i = 0; i < entries.count && !err; i++)
		err = give_interrupt(r, e[i].id, e[i].ptr);
	err = err ?: give_array(r);
	return err ?: give_softirqs(r);
}
