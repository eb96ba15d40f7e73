// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * probe.c - probes that belong to a module that captures stacks: by their record, by the name of
 * a handler, and with what the module says of them.
 */
#include <string.h>

#include "catcher.h"

bool otst_handler_named(const struct otst_probe *p, const char *name)
{
	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		const struct otst_sym *s = &p->handlers[i].sym;

		if (s->module && s->addr == p->handlers[i].addr && !strcmp(s->name, name))
			return true;
	}
	return false;
}

int otst_catcher_at(struct otst_catching *c, uint64_t record, const char *place,
		    struct otst_probe **ret)
{
	struct otst_probe **p = c->probes.data;
	int err;

	for (size_t i = 0; i < c->probes.count; i++) {
		if (p[i]->record == record && p[i]->kind != OTST_PROBE_LEFTOVER) {
			*ret = p[i];
			return 0;
		}
	}
	p = otst_vec_push(c->o, &c->probes, sizeof(*p));
	err = c->stray(c->o, record, place, p);
	if (!err)
		*ret = *p;
	else
		otst_vec_pop(&c->probes);
	return err;
}

void otst_catcher_new(struct otst *o, struct otst_probe *p, enum otst_probe_kind kind,
		      const char *found, struct otst_catcher **ret)
{
	struct otst_catcher *c = otst_new(o, sizeof(*c));

	c->found = found;
	p->kind = kind;
	p->catcher = c;
	*ret = c;
}
