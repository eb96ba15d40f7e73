// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * probe.c - helpers with which the decoders of all kinds fill struct otst_probe.
 */
#include <inttypes.h>
#include "../base/coverage.h"
#include "list.h"

struct otst_probe *otst_probe_add(struct otst *o, struct otst_vec *probes,
				  enum otst_probe_kind kind, uint64_t record, const char *place)
{
	struct otst_probe *p = otst_new(o, sizeof(*p));
	struct otst_probe **slot = otst_vec_push(o, probes, sizeof(*slot));

	p->kind = kind;
	p->record = record;
	p->node = record;
	p->place = place;
	p->bucket = -1;
	return *slot = p;
}

struct otst_probes otst_probes_of(const struct otst_vec *probes, const struct otst_messages *errors)
{
	return (struct otst_probes){
		.items = probes->data,
		.count = probes->count,
		.errors = *errors,
	};
}

bool otst_claims_text(enum otst_claim claim)
{
	switch (claim) {
	case OTST_CLAIM_ARMED:
	case OTST_CLAIM_DISABLED:
	case OTST_CLAIM_DISARMED:
		return true;
	/* where its text was freed there may be other code by now */
	case OTST_CLAIM_GONE:
	case OTST_CLAIM_UNUSED:
	case OTST_CLAIM_REMOVED:
	case OTST_CLAIM_UNKNOWN:
	case OTST_CLAIM_COUNT:
		break;
	}
	return false;
}

void otst_probe_fact(struct otst *o, struct otst_probe *p, const char *name, const char *text,
		     int64_t number)
{
	struct otst_fact *f = otst_vec_push(o, &p->facts, sizeof(*f));

	*f = (struct otst_fact){ .name = name, .text = text, .number = number };
}

int otst_probe_error(struct otst *o, struct otst_probe *p, int err)
{
	if (!err || otst_fatal(err))
		return err;
	otst_bad_record(o, err);
	(void)otst_lack(o, err);
	p->error = p->error ?: otst_strdup(o, otst_message(o));
	return 0;
}

const char *otst_record_damage(struct otst *o, const char *place, uint64_t record,
			       const char *error)
{
	return otst_format(o, "%s, record 0x%" PRIx64 ": %s", place, record, error);
}

const struct otst_handler *otst_probe_handler(const struct otst_probe *p,
					      enum otst_handler_role role)
{
	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		if (p->handlers[i].role == role)
			return &p->handlers[i];
	}
	return NULL;
}

void otst_handler_add(struct otst *o, struct otst_probe *p, enum otst_handler_role role,
		      uint64_t addr)
{
	struct otst_handler *h;

	if (!addr || p->nr_handlers == OTST_HANDLERS)
		return;
	h = &p->handlers[p->nr_handlers++];
	h->role = role;
	h->addr = addr;
	otst_symbolize_code(o, addr, &h->sym);
}
