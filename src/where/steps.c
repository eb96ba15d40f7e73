// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * steps.c - everything that hooks one function, in the order in which one call
 * of the function would run it: entry, body, return, and what never runs. site.c
 * knows the order at one address; here the addresses are put in sequence.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "../ftrace/ftrace.h"
#include "where.h"

const char *otst_step_role_name(enum otst_step_role role)
{
	static const char *const names[] = {
		NULL,	"pre",	  "post",   "entry",	"return",
		"call", "modify", "direct", "redirect", "replace",
	};
	OTST_EACH_HAS(names, OTST_STEP_COUNT);

	return names[role];
}

const char *otst_stage_name(enum otst_stage stage)
{
	static const char *const names[] = { "entry", "body", "return", "never" };
	OTST_EACH_HAS(names, OTST_STAGE_COUNT);

	return names[stage];
}

const char *otst_step_kind(const struct otst_step *s)
{
	return s->probe ? otst_probe_kind(s->probe->kind)->name : "ftrace_ops";
}

const struct otst_owner *otst_step_owner(const struct otst_step *s)
{
	static const struct otst_owner none = { .kind = OTST_OWNER_UNKNOWN };

	return s->probe ? &s->probe->owner : s->ops ? &s->ops->owner : &none;
}

bool otst_where_has(const struct otst_where *w, uint64_t addr)
{
	/* the last symbol of a table has no size */
	return w->sym.addr && (addr - w->sym.addr < w->sym.size || addr == w->sym.addr);
}

static bool is_chosen_probe(const struct otst_where *w, const struct otst_probe *p)
{
	if (w->target)
		return p->target && !strcmp(p->target, w->target);
	return p->addr && otst_where_has(w, p->addr);
}

/* ---- where something is hooked ---- */

static int by_probe(const void *a, const void *b)
{
	const struct otst_meant *x = *(struct otst_meant *const *)a;
	const struct otst_meant *y = *(struct otst_meant *const *)b;
	uint64_t at = x->probe->addr, other = y->probe->addr;

	/* as listed */
	return at != other ? (at > other) - (at < other) : (x > y) - (x < y);
}

static void find_meant_step(struct otst_order *r)
{
	const struct otst_probes *probes = &r->h->probes;
	struct otst_vec found = { 0 };
	struct otst_meant *m;

	for (size_t i = 0; i < probes->count; i++) {
		if (!is_chosen_probe(r->w, probes->items[i]))
			continue;
		m = otst_vec_push(r->o, &found, sizeof(*m));
		m->probe = probes->items[i];
	}
	r->meant = found.data;
	r->nr_meant = found.count;
	r->by_address = otst_alloc(r->o, (found.count + 1) * sizeof(*r->by_address));
	if (!r->by_address) {
		r->nr_meant = 0;
		return;
	}
	for (size_t i = 0; i < found.count; i++)
		r->by_address[i] = &r->meant[i];
	otst_sort(r->by_address, found.count, sizeof(*r->by_address), by_probe);
}

static void add_step_address(struct otst *o, struct otst_vec *v, uint64_t addr)
{
	uint64_t *slot = otst_vec_push(o, v, sizeof(*slot));

	*slot = addr;
}

static void find_step_addresses(struct otst_order *r, struct otst_vec *ret)
{
	const struct otst_ftrace_functions *f = &r->h->functions;

	for (size_t i = 0; i < r->nr_meant; i++)
		add_step_address(r->o, ret, r->meant[i].probe->addr);
	for (size_t i = 0; i < f->count; i++) {
		if (otst_where_has(r->w, f->items[i].site.ip))
			add_step_address(r->o, ret, f->items[i].site.ip);
	}
	otst_sort(ret->data, ret->count, sizeof(uint64_t), otst_by_u64);
}

static const struct otst_ftrace_function *site_at(const struct otst_hooks *h, uint64_t addr)
{
	for (size_t i = 0; i < h->functions.count; i++) {
		if (h->functions.items[i].site.ip == addr)
			return &h->functions.items[i];
	}
	return NULL;
}

static int add_places(struct otst_order *r)
{
	uint64_t site = otst_ftrace_location(r->o, r->w->sym.addr), *addr;
	struct otst_vec places = { 0 };
	size_t i;
	int err = 0;

	find_step_addresses(r, &places);
	for (i = 0, addr = places.data; i < places.count && !err; i++) {
		if (!i || addr[i] != addr[i - 1])
			err = otst_order_site(r, addr[i], site_at(r->h, addr[i]),
					      addr[i] <= site ? OTST_STAGE_ENTRY : OTST_STAGE_BODY);
	}
	return err;
}

/* ---- what a target has ---- */

/*
 * Callbacks of a tracepoint run in the order of its array, consumers of a
 * uprobe in the order of their list, at the return too (handler_chain(),
 * handle_uretprobe_chain()); the listing has both in that order.
 */
static void add_target_probe(struct otst_order *r, struct otst_meant *m)
{
	const struct otst_probe *p = m->probe;
	unsigned int k, added = 0;

	for (k = 0; k < p->nr_handlers; k++) {
		const struct otst_handler *h = &p->handlers[k];
		bool at_return = h->role == OTST_HANDLER_CONSUMER_RETURN;
		struct otst_vec *to = at_return ? &r->returns : &r->steps;
		struct otst_return_step *late;
		struct otst_step *s;

		if (h->role == OTST_HANDLER_FILTER)
			continue;
		s = at_return ? otst_vec_push(r->o, to, sizeof(*late)) :
				otst_vec_push(r->o, to, sizeof(*s));
		*s = (struct otst_step){
			.stage = at_return ? OTST_STAGE_RETURN : OTST_STAGE_ENTRY,
			.role = at_return ? OTST_STEP_RETURN : OTST_STEP_CALL,
			.handler = h->addr,
			.handler_sym = h->sym,
			.probe = p,
		};
		added++;
	}
	if (!added) {
		struct otst_step *s = otst_vec_push(r->o, &r->steps, sizeof(*s));

		*s = (struct otst_step){ .stage = OTST_STAGE_ENTRY, .probe = p };
	}
	m->used = true;
}

static void add_step_target(struct otst_order *r)
{
	for (size_t i = 0; i < r->nr_meant; i++) {
		if (r->meant[i].probe->claim == OTST_CLAIM_ARMED)
			add_target_probe(r, &r->meant[i]);
	}
}

/* ---- the end of the order ---- */

/* the last group comes first */
static void add_returns(struct otst_order *r)
{
	const struct otst_return_step *late = r->returns.data;
	size_t end = r->returns.count, first, i;
	struct otst_step *s;

	for (; end; end = first) {
		first = end - 1;
		while (first && late[first - 1].group == late[end - 1].group)
			first--;
		for (i = first; i < end; i++) {
			s = otst_vec_push(r->o, &r->steps, sizeof(*s));
			*s = late[i].step;
		}
	}
}

static void add_never(struct otst_order *r)
{
	const struct otst_step *found = r->never.data;
	struct otst_step *s;

	for (size_t i = 0; i < r->never.count; i++) {
		s = otst_vec_push(r->o, &r->steps, sizeof(*s));
		*s = found[i];
	}
	for (size_t i = 0; i < r->nr_meant; i++) {
		const struct otst_probe *p = r->meant[i].probe;

		if (r->meant[i].used)
			continue;
		s = otst_vec_push(r->o, &r->steps, sizeof(*s));
		*s = (struct otst_step){
			.stage = OTST_STAGE_NEVER,
			.addr = p->addr,
			.probe = p,
			.why = p->claim == OTST_CLAIM_ARMED ? "nothing calls it" :
							      otst_claim_name(p->claim),
		};
		if (p->nr_handlers) {
			s->handler = p->handlers[0].addr;
			s->handler_sym = p->handlers[0].sym;
		}
	}
}

/* if a live patch redirects calls, only tasks that it has not reached get further */
static void finish_order(struct otst_order *r)
{
	struct otst_step *s = r->steps.data;
	bool redirected = false;
	unsigned int n = 0;

	for (size_t i = 0; i < r->steps.count; i++) {
		if (s[i].stage != OTST_STAGE_NEVER)
			s[i].number = ++n;
		/* the callback of an ftrace_ops may redirect some calls only */
		redirected |= s[i].role == OTST_STEP_REDIRECT && s[i].probe;
		if (redirected && s[i].stage == OTST_STAGE_BODY)
			s[i].why = "in the code that the live patch replaces";
	}
}

int otst_where_steps(struct otst *o, const struct otst_hooks *h, struct otst_where *w)
{
	struct otst_order r = { .o = o, .h = h, .w = w };
	int err = 0;

	find_meant_step(&r);
	if (w->target)
		add_step_target(&r);
	else
		err = add_places(&r);
	if (err)
		return err;
	add_returns(&r);
	add_never(&r);
	finish_order(&r);
	w->steps = r.steps.data;
	w->nr_steps = r.steps.count;
	return 0;
}
