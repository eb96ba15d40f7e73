// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * otst_element.c - records of the otst module of 2011:
 *
 *	struct otst_kprobes_elem {
 *		char symname[256];
 *		struct kprobe probe;
 *		struct list_head list;
 *	};
 *
 * on the list otst_kprobes. A probe that has fired is disabled and stays on
 * the list until the next write to /proc/driver/otst. Without the module's
 * symbols an element is recognised by its shape: the name before the kprobe is
 * the symbol that the kprobe was registered for, and after the kprobe comes a list
 * node whose neighbours point back.
 */
#include <string.h>

#include "catcher.h"

#define SYMNAME_SIZE 256u
#define MAX_ELEMENTS 1024u

/* offset of the list node from the kprobe */
static int node_offset(struct otst *o, uint64_t *ret)
{
	uint64_t size;
	int err = otst_type_size(o, "kprobe", &size);

	if (!err)
		*ret = (size + 7) & ~UINT64_C(7);
	return err;
}

static int read_symname(struct otst *o, uint64_t record, const char **ret)
{
	return otst_read_string(o, record - SYMNAME_SIZE, SYMNAME_SIZE, ret);
}

/*
 * Is the name before the kprobe its own? kp.symbol_name points to that name, or
 * to an equal string. The module may have freed the latter; then the name has to
 * be the probed symbol.
 */
static bool name_fits(struct otst *o, const struct otst_probe *p, const char *symname)
{
	const struct otst_member *m;
	uint64_t name;

	if (!*symname || otst_member(o, "kprobe", "symbol_name", &m))
		return false;
	if (!otst_read_u64(o, p->record + m->offset, &name) && name == p->record - SYMNAME_SIZE)
		return true;
	return (p->symbol_name && !strcmp(p->symbol_name, symname)) ||
	       (p->sym.name && p->sym.addr == p->addr && !strcmp(p->sym.name, symname));
}

/* do both neighbours of the node point back to it */
static bool is_linked(struct otst *o, uint64_t node)
{
	uint64_t next, prev, back;

	return !otst_read_u64(o, node, &next) && !otst_read_u64(o, node + 8, &prev) &&
	       otst_is_kernel_pointer(o, next) && otst_is_kernel_pointer(o, prev) &&
	       !otst_read_u64(o, next + 8, &back) && back == node &&
	       !otst_read_u64(o, prev, &back) && back == node;
}

static bool has_shape(struct otst *o, const struct otst_probe *p)
{
	const char *symname;
	uint64_t offset;

	return !node_offset(o, &offset) && is_linked(o, p->record + offset) &&
	       !read_symname(o, p->record, &symname) && name_fits(o, p, symname);
}

static enum otst_catcher_state state_of(const struct otst_probe *p)
{
	if (p->error)
		return OTST_CATCHER_UNKNOWN;
	/* on the list but in no table: on its way out */
	if (p->claim == OTST_CLAIM_DISABLED || p->claim == OTST_CLAIM_REMOVED)
		return OTST_CATCHER_FIRED;
	return OTST_CATCHER_ARMED;
}

static int make_element(struct otst_catching *c, struct otst_probe *p, const char *found)
{
	struct otst_catcher *k = NULL;
	int err;

	if (p->catcher)
		return 0;
	otst_catcher_new(c->o, p, OTST_PROBE_OTST, found, &k);
	k->historic = true;
	k->element = p->record - SYMNAME_SIZE;
	k->state = state_of(p);
	err = read_symname(c->o, p->record, &k->symbol);
	if (err && otst_fatal(err))
		return err;
	if (p->error)
		return 0;
	if (err)
		p->error = otst_strdup(c->o, otst_message(c->o));
	else if (!name_fits(c->o, p, k->symbol))
		p->error = "the name before its kprobe is not that of the probed symbol";
	return 0;
}

/* all elements after @head; a node inside a module is the list's real head */
static int walk_elements(struct otst_catching *c, uint64_t head, const char *found)
{
	struct otst_walk w;
	struct otst_probe *p;
	uint64_t node, offset;
	int err = node_offset(c->o, &offset);

	if (err)
		return otst_note(c->o, &c->errors, otst_fail(c->o, err, "otst_kprobes"));
	otst_walk_list(c->o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		if (w.steps > MAX_ELEMENTS)
			return otst_note(c->o, &c->errors,
					 otst_raise(c->o, OTST_ERR_CORRUPT,
						    "otst_kprobes: no end after %u elements",
						    MAX_ELEMENTS));
		if (otst_module_at(c->o, node))
			continue;
		err = otst_catcher_at(c, node - offset, "otst_kprobes", &p);
		err = err ?: make_element(c, p, found);
	}
	if (!err && w.err)
		err = otst_note(c->o, &c->errors, otst_fail(c->o, w.err, "otst_kprobes"));
	return err;
}

int otst_elements_of(struct otst_catching *c, const struct otst_module *m)
{
	uint64_t head;

	if (otst_module_symbol(c->o, m, "otst_kprobes", &head))
		return 0;
	return walk_elements(c, head, "otst_kprobes");
}

/* no registry has it, and it is on no intact list */
static int know_by_handler(struct otst_catching *c, struct otst_probe *p)
{
	struct otst_catcher *k;
	const char *symname;
	int err;

	if (!otst_handler_named(p, "otst_handler") &&
	    !otst_handler_named(p, "otst_handler_post_work"))
		return 0;
	err = read_symname(c->o, p->record, &symname);
	if (err && otst_fatal(err))
		return err;
	if (!err && name_fits(c->o, p, symname))
		return make_element(c, p, "handler");
	otst_catcher_new(c->o, p, OTST_PROBE_OTST, "handler", &k);
	if (!p->error)
		p->error = "its handler is otst's, but neither a registry nor a list has it";
	return 0;
}

int otst_element_of(struct otst_catching *c, struct otst_probe *p)
{
	uint64_t offset;
	int err;

	if (!has_shape(c->o, p))
		return know_by_handler(c, p);
	err = make_element(c, p, "shape");
	err = err ?: node_offset(c->o, &offset);
	return err ? err : walk_elements(c, p->record + offset, "shape");
}
