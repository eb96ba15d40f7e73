// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * registered.c - the parts, and what their files share.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/engine.h"
#include "registered.h"

#define WORD	   8u
#define MOST_NODES (1u << 20)
#define RB_COLORS  3u /* of rb_node.__rb_parent_color: not the parent */

int otst_registry_take(const struct otst_registered_walk *r, const char *where, const char *role,
		       uint64_t func, uint64_t record)
{
	const struct otst_registered one = { r->kind, where, role, func, record, r->dying, false };

	return func ? r->take(r->priv, &one) : 0;
}

int otst_registry_operations(const struct otst_registered_walk *r, const char *where,
			     const char *role, uint64_t at, uint64_t record)
{
	const struct otst_registered one = { r->kind, where, role, at, record, r->dying, true };
	const struct otst_text_bounds *b = otst_text_bounds(r->o);

	/* without bounds nothing is known to be outside */
	if (!at || !b->stext || !b->end || (at >= b->stext && at < b->end) ||
	    otst_module_at(r->o, at))
		return 0;
	return r->take(r->priv, &one);
}

int otst_registry_lost(const struct otst_registered_walk *r, int err, const char *what)
{
	if (!err)
		return otst_check(r->o);
	if (err == OTST_ERR_LOOKUP) {
		otst_note_once(r->o, r->errors, otst_strdup(r->o, otst_message(r->o)));
		return otst_check(r->o);
	}
	return otst_note(r->o, r->errors, otst_fail(r->o, err, "%s", what));
}

int otst_registry_give(const struct otst_registered_walk *r, const char *where, const char *type,
		       uint64_t record, const char *role)
{
	const bool optional = *role == '?';
	uint64_t func;
	int err;

	role += optional;
	if (optional && !otst_has_member(r->o, type, role))
		return 0;
	err = otst_read_member(r->o, type, record, role, &func);
	return err ? otst_registry_lost(r, err, where) :
		     otst_registry_take(r, where, role, func, record);
}

int otst_registry_give_all(const struct otst_registered_walk *r, const char *where,
			   const char *type, uint64_t record, const char *const *roles)
{
	int err = 0;

	for (; *roles && !err; roles++)
		err = otst_registry_give(r, where, type, record, *roles);
	return err;
}

static bool is_list(struct otst *o, uint64_t head)
{
	uint64_t next, back;

	return !otst_read_u64(o, head, &next) && otst_is_kernel_pointer(o, next) &&
	       !otst_read_u64(o, next + WORD, &back) && back == head;
}

struct heads {
	struct otst *o;
	const char *name;
	uint64_t list;
	size_t count;
};

static int try_head(void *priv, const struct otst_sym *sym, char type)
{
	struct heads *h = priv;

	(void)type;
	if (strcmp(sym->name, h->name))
		return 0;
	h->count++;
	if (!h->list && is_list(h->o, sym->addr))
		h->list = sym->addr;
	return 0;
}

uint64_t otst_registry_head(const struct otst_registered_walk *r, const char *where,
			    const char *name)
{
	struct heads h = { .o = r->o, .name = name };
	uint64_t first = otst_symbol_or0(r->o, name);

	/* memory that is made up (src/readiness/) leads back to no list */
	if (!first || r->o->recorder || is_list(r->o, first))
		return first;
	(void)otst_kernel_symbols(r->o, name, try_head, &h);
	/* the only one is the list, and damaged; of several, or of a file's alone, none is known */
	if (h.list || h.count == 1)
		return h.list ? h.list : first;
	(void)otst_registry_lost(
		r, otst_raise(r->o, OTST_ERR_CORRUPT, "no symbol %s is a list's head", name),
		where);
	return 0;
}

int otst_registry_list(const struct otst_registered_walk *r, const char *where, uint64_t head,
		       const char *type, const char *link, otst_registered_visit_fn *visit)
{
	const struct otst_member *m;
	struct otst_walk w;
	uint64_t node;
	int err;

	if (!head)
		return 0;
	err = otst_member(r->o, type, link, &m);
	if (err)
		return otst_registry_lost(r, err, where);
	otst_walk_both_ways(r->o, head, false, &w);
	while (!err && otst_walk_next(&w, &node))
		err = visit(r, where, node - m->offset);
	return err ? err : otst_registry_lost(r, w.err, where);
}

int otst_registry_list_in(const struct otst_registered_walk *r, const char *where, const char *of,
			  uint64_t record, const char *member, const char *type, const char *link,
			  otst_registered_visit_fn *visit)
{
	const struct otst_member *m;
	int err = otst_member(r->o, of, member, &m);

	return err ? otst_registry_lost(r, err, where) :
		     otst_registry_list(r, where, record + m->offset, type, link, visit);
}

int otst_registry_nets(const struct otst_registered_walk *r, const char *where,
		       otst_registered_visit_fn *visit)
{
	return otst_registry_list(r, where, otst_symbol_or0(r->o, "net_namespace_list"), "net",
				  "list", visit);
}

struct tree {
	struct otst *o;
	uint64_t left, right, parent; /* in a struct rb_node */
	struct otst_vec open;
	struct otst_set seen;
};

static int find_links(struct tree *t)
{
	int err = otst_offset(t->o, "rb_node", "rb_left", &t->left);

	err = err ?: otst_offset(t->o, "rb_node", "rb_right", &t->right);
	return err ?: otst_offset(t->o, "rb_node", "__rb_parent_color", &t->parent);
}

static int push_node(struct tree *t, uint64_t at)
{
	uint64_t node;
	int err = otst_read_u64(t->o, at, &node);

	if (!err && node)
		*(uint64_t *)otst_vec_push(t->o, &t->open, sizeof(node)) = node;
	return err;
}

/* a node leads back to its parent, which comes before it; the root to nothing */
static int check_node(struct tree *t, uint64_t node)
{
	uint64_t parent;
	bool added = false;
	int err;

	if (!otst_is_kernel_pointer(t->o, node) || t->seen.map.count >= MOST_NODES ||
	    otst_set_add(t->o, &t->seen, node, &added) || !added)
		return otst_raise(t->o, OTST_ERR_CORRUPT, "a bad node at 0x%" PRIx64, node);
	err = otst_read_u64(t->o, node + t->parent, &parent);
	parent &= ~(uint64_t)RB_COLORS;
	if (!err &&
	    (t->seen.map.count == 1 ? parent : parent == node || !otst_set_has(&t->seen, parent)))
		err = otst_walk_torn(t->o, node);
	return err;
}

int otst_registry_tree(const struct otst_registered_walk *r, const char *where, uint64_t root,
		       const char *type, const char *link, otst_registered_visit_fn *visit)
{
	struct tree t = { .o = r->o };
	const struct otst_member *m;
	uint64_t node;
	int err = otst_member(r->o, type, link, &m), ended = 0;

	err = err ?: find_links(&t);
	err = err ?: push_node(&t, root);
	while (!err && !ended && t.open.count && !otst_stopped(r->o)) {
		node = ((uint64_t *)t.open.data)[--t.open.count];
		err = check_node(&t, node);
		if (err)
			break;
		ended = visit(r, where, node - m->offset);
		err = push_node(&t, node + t.left);
		err = err ?: push_node(&t, node + t.right);
	}
	return ended ?: otst_registry_lost(r, err, where);
}

int otst_registry_table(const struct otst_registered_walk *r, const char *name, const char *type,
			const char *const *roles, size_t most)
{
	struct otst *o = r->o;
	uint64_t at = otst_symbol_or0(o, name), record, size;
	struct otst_sym sym;
	uint8_t *words;
	size_t i, count;
	int err;

	if (!at)
		return 0;
	otst_symbolize(o, at, &sym);
	count = sym.addr == at ? sym.size / WORD : 0;
	count = count < most ? count : most;
	words = otst_alloc(o, count * WORD + 1);
	err = words ? otst_type_size(o, type, &size) : 0;
	err = err || !words ? err : otst_read(o, at, words, count * WORD);
	if (err || !words)
		return otst_registry_lost(r, err, name);
	for (i = 0; i < count && !err; i++) {
		record = otst_get(o, words + i * WORD, WORD);
		if (record && otst_is_kernel_pointer(o, record))
			err = otst_registry_give_all(r, otst_format(o, "%s[%zu]", name, i), type,
						     record, roles);
	}
	return err;
}
