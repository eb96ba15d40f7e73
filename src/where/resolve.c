// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * resolve.c - what the user's operands mean: functions, by a name that several
 * may share or by an address inside; or what probes name as their target: a
 * tracepoint, a place in a file.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "../events/events.h"
#include "../ftrace/ftrace.h"
#include "where.h"

/* an operand that is the name of a symbol, perhaps with its module */
struct wanted {
	const char *symbol;
	const char *module; /* NULL for any */
	size_t operand;
};

/* a function of that name; @plain: only without the suffix that the compiler appended */
struct hit {
	size_t operand;
	uint64_t addr;
	bool plain;
};

/* another name of a function */
struct other_name {
	uint64_t addr;
	const char *name;
};

struct resolving {
	struct otst *o;
	struct wanted *wanted; /* by symbol */
	size_t nr_wanted;
	struct otst_vec hits;
	const uint64_t *functions; /* by address, for their other names */
	size_t nr_functions;
	struct otst_vec others;
};

static int by_symbol(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->symbol, ((const struct wanted *)b)->symbol);
}

static bool is_function(char type)
{
	return type && strchr("tTwW", type);
}

static void add_hits(struct resolving *r, const char *name, const struct otst_sym *sym, bool plain)
{
	const struct wanted key = { .symbol = name }, *first;
	struct hit *hit;

	first = bsearch(&key, r->wanted, r->nr_wanted, sizeof(key), by_symbol);
	while (first && first > r->wanted && !by_symbol(&key, first - 1))
		first--;
	for (; first && first < r->wanted + r->nr_wanted && !by_symbol(&key, first); first++) {
		if (first->module && (!sym->module || strcmp(first->module, sym->module)))
			continue;
		hit = otst_vec_push(r->o, &r->hits, sizeof(*hit));
		*hit = (struct hit){ first->operand, sym->addr, plain };
	}
}

/* "vfs_read", and "vfs_read.isra.0" as well */
static int find_wanted(void *priv, const struct otst_sym *sym, char type)
{
	struct resolving *r = priv;
	const char *dot = strchr(sym->name, '.');
	char plain[OTST_NAME_MAX];

	if (!is_function(type))
		return 0;
	add_hits(r, sym->name, sym, false);
	if (!dot || dot == sym->name || dot - sym->name >= (ptrdiff_t)sizeof(plain))
		return 0;
	memcpy(plain, sym->name, (size_t)(dot - sym->name));
	plain[dot - sym->name] = '\0';
	add_hits(r, plain, sym, true);
	return 0;
}

static int find_other_probe(void *priv, const struct otst_sym *sym, char type)
{
	struct resolving *r = priv;
	struct other_name *other;

	if (!is_function(type) ||
	    !bsearch(&sym->addr, r->functions, r->nr_functions, sizeof(uint64_t), otst_by_u64))
		return 0;
	other = otst_vec_push(r->o, &r->others, sizeof(*other));
	other->addr = sym->addr;
	other->name = otst_strdup(r->o, sym->name);
	return 0;
}

static int find_names(struct resolving *r, const struct otst_where_operand *operands, size_t count)
{
	char *colon;
	int err;

	r->wanted = otst_alloc(r->o, (count + 1) * sizeof(*r->wanted));
	if (!r->wanted)
		return otst_no_memory(r->o);
	for (size_t i = 0; i < count; i++) {
		char *text = otst_copy(r->o, operands[i].text);

		if (!text)
			return otst_stopped(r->o);
		if (operands[i].is_address)
			continue;
		colon = strchr(text, ':');
		if (colon)
			*colon = '\0';
		r->wanted[r->nr_wanted++] =
			(struct wanted){ colon ? colon + 1 : text, colon ? text : NULL, i };
	}
	if (!r->nr_wanted)
		return 0;
	otst_sort(r->wanted, r->nr_wanted, sizeof(*r->wanted), by_symbol);
	err = otst_symbols(r->o, find_wanted, r);
	return err && otst_fatal(err) ? err : 0;
}

/* ---- items ---- */

static struct otst_where *add_resolved_item(struct otst *o, struct otst_vec *ret,
					    const char *operand)
{
	struct otst_where *w = otst_vec_push(o, ret, sizeof(*w));

	w->operand = otst_clean(o, operand);
	return w;
}

static void add_resolved_function(struct otst *o, struct otst_vec *ret, const char *operand,
				  uint64_t addr)
{
	struct otst_where *w;
	struct otst_sym sym;

	otst_symbolize_all(o, addr, &sym);
	if (!sym.name)
		return;
	for (size_t i = 0; i < ret->count; i++) {
		if (((struct otst_where *)ret->data)[i].sym.name &&
		    ((struct otst_where *)ret->data)[i].sym.addr == sym.addr)
			return;
	}
	w = add_resolved_item(o, ret, operand);
	w->sym = sym;
}

/* text that was freed, perhaps with its module, may have left its probes behind; what is called may be nobody's */
static bool is_known_function(const struct otst_hooks *h, uint64_t addr)
{
	const struct otst_registered *r = h->registered.data;
	size_t i;

	for (i = 0; i < h->probes.count; i++) {
		if (h->probes.items[i]->addr == addr)
			return true;
	}
	for (i = 0; i < h->registered.count && r[i].func != addr; i++)
		;
	return i < h->registered.count;
}

static void add_resolved_address(struct otst *o, struct otst_vec *ret,
				 const struct otst_where_operand *op, const struct otst_hooks *h)
{
	struct otst_sym kernel, sym;
	struct otst_where *w;

	otst_symbolize(o, op->address, &kernel);
	otst_symbolize_all(o, op->address, &sym);
	/* only the wider look-up knows the text of BPF and of freed init functions */
	if (sym.name && (otst_is_text(o, op->address) || !kernel.name)) {
		add_resolved_function(o, ret, op->text, op->address);
		return;
	}
	w = add_resolved_item(o, ret, op->text);
	if (is_known_function(h, op->address))
		w->sym.addr = op->address;
	else
		w->none = "not in the text of the kernel or of a module";
}

/* "path+0x12" is the target of a uprobe; the user may write path:0x12, or the path alone */
bool otst_where_is_target(const char *target, const char *operand)
{
	size_t len = strlen(operand);
	const char *colon = strrchr(operand, ':');

	if (!strcmp(target, operand) || (!strncmp(target, operand, len) && operand[0] == '/' &&
					 !strncmp(target + len, "+0x", 3)))
		return true;
	if (!colon || operand[0] != '/')
		return false;
	len = (size_t)(colon - operand);
	return !strncmp(target, operand, len) && target[len] == '+' &&
	       !strcmp(target + len + 1, colon + 1);
}

static bool is_target_of(struct otst *o, const struct otst_probe *p, const char *operand)
{
	return otst_where_is_target(p->target, operand) ||
	       (p->kind == OTST_PROBE_TRACEPOINT &&
		otst_event_on_tracepoint(o, operand, p->target));
}

static void add_targets(struct otst *o, struct otst_vec *ret, const char *operand,
			const struct otst_probes *probes, size_t *found)
{
	size_t i, k, first = ret->count;

	for (i = 0; i < probes->count; i++) {
		const struct otst_probe *p = probes->items[i];
		struct otst_where *w = ret->data;

		if (!p->target || !is_target_of(o, p, operand))
			continue;
		for (k = first; k < ret->count && strcmp(w[k].target, p->target); k++)
			;
		if (k < ret->count)
			continue;
		w = add_resolved_item(o, ret, operand);
		w->target = p->target;
	}
	*found = ret->count - first;
}

static void add_named(struct resolving *r, struct otst_vec *ret, const char *operand, size_t index,
		      size_t *found)
{
	const struct hit *hits = r->hits.data;
	bool exact = false;
	uint64_t addr;

	*found = 0;
	for (size_t i = 0; i < r->hits.count; i++)
		exact |= hits[i].operand == index && !hits[i].plain;
	for (size_t i = 0; i < r->hits.count; i++) {
		if (hits[i].operand != index || (exact && hits[i].plain))
			continue;
		add_resolved_function(r->o, ret, operand, hits[i].addr);
		(*found)++;
	}
	/* a target may have symbols, but no table to iterate over */
	if (!*found && !otst_symbol_any(r->o, operand, &addr) && otst_is_text(r->o, addr)) {
		add_resolved_function(r->o, ret, operand, addr);
		*found = 1;
	}
}

static void resolve_one(struct resolving *r, const struct otst_where_operand *op, size_t index,
			const struct otst_hooks *h, struct otst_vec *ret)
{
	size_t functions, targets;
	struct otst_where *w;
	uint64_t addr;

	if (op->is_address) {
		add_resolved_address(r->o, ret, op, h);
		return;
	}
	add_named(r, ret, op->text, index, &functions);
	add_targets(r->o, ret, op->text, &h->probes, &targets);
	if (functions || targets)
		return;
	w = add_resolved_item(r->o, ret, op->text);
	w->none = otst_symbol_any(r->o, op->text, &addr) ?
			  "no function, and no probe has such a target" :
			  "a symbol, but no function";
}

/* ---- other names ---- */

static int name_others(struct resolving *r, struct otst_where *w)
{
	const struct other_name *other = r->others.data;
	struct otst_vec names = { 0 };
	const char **slot;
	int err;

	for (size_t i = 0; i < r->others.count; i++) {
		if (other[i].addr != w->sym.addr || !strcmp(other[i].name, w->sym.name))
			continue;
		slot = otst_vec_push(r->o, &names, sizeof(*slot));
		*slot = other[i].name;
	}
	err = otst_vec_end(r->o, &names);
	w->names = names.data;
	return err;
}

static int find_others(struct resolving *r, struct otst_vec *items)
{
	struct otst_where *w = items->data;
	uint64_t *functions = otst_alloc(r->o, (items->count + 1) * sizeof(*functions));
	size_t i;
	int err;

	if (!functions)
		return otst_no_memory(r->o);
	for (i = 0; i < items->count; i++) {
		if (w[i].sym.name)
			functions[r->nr_functions++] = w[i].sym.addr;
	}
	otst_sort(functions, r->nr_functions, sizeof(*functions), otst_by_u64);
	r->functions = functions;
	err = r->nr_functions ? otst_symbols(r->o, find_other_probe, r) : 0;
	if (err && otst_fatal(err))
		return err;
	for (i = 0, err = 0; i < items->count && !err; i++) {
		if (w[i].sym.name)
			err = name_others(r, &w[i]);
	}
	return err;
}

int otst_where_resolve(struct otst *o, const struct otst_where_operand *operands, size_t count,
		       const struct otst_hooks *h, struct otst_vec *ret)
{
	struct resolving r = { .o = o };
	int err = find_names(&r, operands, count);

	for (size_t i = 0; i < count && !err; i++)
		resolve_one(&r, &operands[i], i, h, ret);
	return err ? err : find_others(&r, ret);
}
