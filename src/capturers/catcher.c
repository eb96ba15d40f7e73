// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * catcher.c - which kprobes are otst's and allie's, including those that are no
 * longer in any table: first what the registries of today's modules say
 * (registry.c), then the historic modules (otst_element.c, allie.c).
 */
#include <string.h>

#include "catcher.h"

#define MAX_SLOT_ERRORS 8   /* per registry: more of them say nothing new */
#define MAX_BAD_SLOTS	256 /* beyond this the registry is garbage */

const char *otst_catcher_state_name(enum otst_catcher_state state)
{
	switch (state) {
	case OTST_CATCHER_ARMED:
		return "armed";
	case OTST_CATCHER_FIRED:
		return "fired";
	case OTST_CATCHER_REMOVED:
		return "removed";
	case OTST_CATCHER_UNKNOWN:
	case OTST_CATCHER_COUNT:
		break;
	}
	return "unknown";
}

/* ---- today's modules ---- */

static struct otst_number slot_number(const struct otst_slot *s, enum otst_field_id id)
{
	return (struct otst_number){ otst_field_s64(s->registry, id, s->data),
				     otst_field_has(s->registry, id) };
}

/* 0 stands for "not yet" */
static struct otst_number time_of(const struct otst_slot *s, enum otst_field_id id)
{
	struct otst_number n = slot_number(s, id);

	n.known = n.known && n.value;
	return n;
}

static void fill_catcher(struct otst_catcher *k, const struct otst_slot *s)
{
	static const enum otst_catcher_state states[] = {
		[OTST_SLOT_ARMED] = OTST_CATCHER_ARMED,
		[OTST_SLOT_FIRED] = OTST_CATCHER_FIRED,
		[OTST_SLOT_REMOVED] = OTST_CATCHER_REMOVED,
	};

	k->state = states[s->state];
	k->element = s->addr;
	k->symbol = s->symbol;
	k->count = slot_number(s, OTST_SLOT_COUNT);
	k->left = slot_number(s, OTST_SLOT_LEFT);
	k->action = slot_number(s, OTST_SLOT_ACTION);
	k->flags = slot_number(s, OTST_SLOT_FLAGS);
	k->flags.value &= UINT32_MAX;
	k->verbose = slot_number(s, OTST_SLOT_VERBOSE);
	k->hits = slot_number(s, OTST_SLOT_HITS);
	k->post_hits = slot_number(s, OTST_SLOT_POST_HITS);
	k->captures = slot_number(s, OTST_SLOT_CAPTURES);
	k->dropped = slot_number(s, OTST_SLOT_DROPPED);
	k->armed_count = slot_number(s, OTST_SLOT_ARMED_COUNT);
	k->armed_time = time_of(s, OTST_SLOT_ARMED_TIME);
	k->fired_time = time_of(s, OTST_SLOT_FIRED_TIME);
	k->removed_time = time_of(s, OTST_SLOT_REMOVED_TIME);
}

/* does the slot's state agree with kprobe_table, where its kprobe may be missing */
static void compare_slot(struct otst_catching *c, struct otst_probe *p, const struct otst_slot *s)
{
	if (p->claim == OTST_CLAIM_REMOVED && s->state == OTST_SLOT_ARMED && !p->error &&
	    s->registry->module->state == OTST_MODULE_LIVE && !c->errors.count)
		p->disagree = "its module says armed, but it is not in kprobe_table";
	if (!p->addr && otst_is_kernel_pointer(c->o, s->address)) {
		p->addr = s->address;
		otst_symbolize(c->o, p->addr, &p->sym);
	}
}

static int add_catcher_slot(struct otst_catching *c, const struct otst_slot *s, uint32_t i)
{
	enum otst_probe_kind kind = strcmp(s->registry->owner, "allie") ? OTST_PROBE_OTST :
									  OTST_PROBE_ALLIE;
	const char *place = otst_format(c->o, "%s's registry, probe %u", s->registry->owner, i);
	struct otst_catcher *k = NULL;
	struct otst_probe *p = NULL;
	int err;

	err = otst_catcher_at(c, s->kprobe, place, &p);
	if (!err)
		otst_catcher_new(c->o, p, kind, "registry", &k);
	if (err)
		return err;
	fill_catcher(k, s);
	if (!p->hits_known && k->hits.known) {
		p->hits = (uint64_t)k->hits.value;
		p->hits_known = true;
	}
	compare_slot(c, p, s);
	return 0;
}

static int add_registry(struct otst_catching *c, const struct otst_registry *r)
{
	struct otst_slot s = { 0 };
	uint32_t i, bad = 0;
	int err = 0;

	for (i = 0; i < r->nr_probes && !err && bad < MAX_BAD_SLOTS; i++) {
		err = otst_slot_read(c->o, r, i, &s);
		if (!err && s.state != OTST_SLOT_FREE) {
			err = add_catcher_slot(c, &s, i);
		} else if (err && !otst_fatal(err)) {
			otst_fail(c->o, err, "%s's registry, probe %u", r->owner, i);
			err = bad++ < MAX_SLOT_ERRORS ? otst_note(c->o, &c->errors, err) : 0;
		}
	}
	if (!err && bad > MAX_SLOT_ERRORS)
		err = otst_note(c->o, &c->errors,
				otst_raise(c->o, OTST_ERR_CORRUPT,
					   "%s's registry: %u probe%s could not be read", r->owner,
					   bad, otst_number(bad, "", "s")));
	return err;
}

/* ---- historic modules ---- */

static bool has_registry(const struct otst_registries *all, const struct otst_module *m)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i]->module == m)
			return true;
	}
	return false;
}

static int add_historic(struct otst_catching *c, const struct otst_registries *all)
{
	struct otst_module *const *m;
	int err = otst_modules(c->o, &m);

	if (err)
		return otst_fatal(err) ? err : 0;
	for (; *m && !err; m++) {
		if (has_registry(all, *m))
			continue;
		err = otst_elements_of(c, *m);
		err = err ?: otst_allie_of(c, *m);
	}
	return err;
}

/* only handlers in a module, even an unloaded one, are worth a second look */
static bool may_be_catcher(const struct otst_probe *p)
{
	return p->kind == OTST_PROBE_KPROBE && !p->catcher &&
	       (p->owner.kind == OTST_OWNER_MODULE || p->owner.kind == OTST_OWNER_UNKNOWN);
}

static int recognise_others(struct otst_catching *c)
{
	int err = 0;

	/* the list may grow during this loop */
	for (size_t i = 0; i < c->probes.count && !err; i++) {
		struct otst_probe *p = ((struct otst_probe **)c->probes.data)[i];

		if (!may_be_catcher(p))
			continue;
		err = otst_element_of(c, p);
		if (!err && !p->catcher)
			err = otst_allie_is(c, p);
	}
	return err;
}

int otst_catchers(struct otst *o, otst_stray_fn *stray, struct otst_probes *probes)
{
	struct otst_catching c = {
		.o = o,
		.stray = stray,
		.probes = { probes->items, probes->count, probes->count },
		.errors = { probes->errors.texts, probes->errors.count, probes->errors.count },
	};
	const struct otst_registries *all = NULL;
	int err;

	err = otst_registries(o, &all);
	for (size_t i = 0; !err && i < all->count; i++)
		err = add_registry(&c, all->items[i]);
	err = err ?: add_historic(&c, all);
	err = err ?: recognise_others(&c);
	if (!err)
		otst_notes(o, &c.errors, &all->errors);
	probes->items = c.probes.data;
	probes->count = c.probes.count;
	probes->errors = c.errors;
	return err;
}
