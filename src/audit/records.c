// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * records.c - the records' side of the audit: claims that the text contradicts,
 * and callbacks whose code was freed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "../ftrace/ftrace.h"
#include "../registered/registered.h"
#include "expect.h"

/* where the comparison of the text has already found something: ranges by address, none overlap */
struct known {
	struct range {
		uint64_t first, end;
	} * ranges;
	size_t count;
};

static int collect_known(struct otst *o, const struct otst_audit *a, struct known *ret)
{
	const struct otst_finding *f = a->findings.data;
	struct range *last;
	size_t i, n = 0;

	ret->count = 0;
	ret->ranges = otst_alloc(o, (a->findings.count + 1) * sizeof(*ret->ranges));
	if (!ret->ranges)
		return otst_no_memory(o);
	for (i = 0; i < a->findings.count; i++) {
		if (f[i].len)
			ret->ranges[n++] = (struct range){ f[i].addr, f[i].addr + f[i].len };
	}
	otst_sort(ret->ranges, n, sizeof(*ret->ranges), otst_by_u64);
	for (i = 0; i < n; i++) {
		last = &ret->ranges[ret->count - !!ret->count];
		if (!ret->count || ret->ranges[i].first > last->end)
			ret->ranges[ret->count++] = ret->ranges[i];
		else if (ret->ranges[i].end > last->end)
			last->end = ret->ranges[i].end;
	}
	return 0;
}

static int compare_place(const void *key, const void *element)
{
	uint64_t addr = *(const uint64_t *)key;
	const struct range *r = element;

	return addr >= r->end ? 1 : r->first >= addr + OTST_TEXT_BYTES ? -1 : 0;
}

static bool is_known_handler(const struct known *k, uint64_t addr)
{
	return bsearch(&addr, k->ranges, k->count, sizeof(*k->ranges), compare_place);
}

/* does the record claim something about kernel text that is not in the dump */
static bool is_unseen(struct otst *o, const struct otst_probe *p)
{
	return otst_claims_text(p->claim) && p->evidence.seen == OTST_SEEN_UNREADABLE &&
	       otst_is_text(o, p->addr);
}

/* the callbacks of a tracepoint are adjacent, and share its call sites */
static bool is_repeated(const struct otst_audit *a, const struct otst_probe *p, const char *message)
{
	const struct otst_finding *f = a->findings.data;

	f = a->findings.count ? f + a->findings.count - 1 : NULL;
	return f && f->kind == OTST_FINDING_CLAIM && f->record == p->record &&
	       !strcmp(f->message, message);
}

static int check_text(struct otst *o, struct otst_audit *a, const struct known *k,
		      const struct otst_probe *p, const char *what)
{
	const char *message;

	if (is_unseen(o, p))
		return otst_note(o, &a->errors,
				 otst_raise(o, OTST_ERR_FAULT,
					    "%s: the text at 0x%" PRIx64 " is not in the dump",
					    what, p->addr));
	if (!p->disagree || is_known_handler(k, p->addr))
		return 0;
	message = otst_format(o, "%s: %s", what, p->disagree);
	if (!is_repeated(a, p, message))
		otst_finding_record(o, a, OTST_FINDING_CLAIM, p->addr, p->record, message);
	return 0;
}

static int check_probe(struct otst *o, struct otst_audit *a, const struct known *k,
		       const struct otst_probe *p)
{
	const char *what = otst_audit_probe_name(o, p);

	/* a disabled probe is not called, and one that was removed cannot be */
	for (unsigned int i = 0; i < p->nr_handlers && p->claim == OTST_CLAIM_ARMED; i++)
		otst_audit_pointer(o, a, what, otst_handler_name(p->handlers[i].role),
				   p->handlers[i].addr, p->record);
	return check_text(o, a, k, p, what);
}

static void note_probe(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	otst_note_text(o, &a->errors, otst_audit_bad_probe(o, p));
}

static int check_probes(struct otst *o, struct otst_audit *a)
{
	struct otst_probes probes;
	struct known known;
	int err = otst_hook_probes(o, &probes);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	err = collect_known(o, a, &known);
	for (size_t i = 0; i < probes.count && !err; i++) {
		const struct otst_probe *p = probes.items[i];

		/* check_ftrace() looks at every ftrace_ops */
		if (p->ops)
			continue;
		a->records++;
		if (p->error)
			note_probe(o, a, p);
		else
			err = check_probe(o, a, &known, p);
		if (!err && !(i & 0xff))
			err = otst_check(o);
	}
	if (!err)
		otst_notes_once(o, &a->errors, &probes.errors);
	return err;
}

/* ---- ftrace_ops ---- */

static int check_ops(struct otst *o, struct otst_audit *a, const struct otst_ftrace_ops *ops)
{
	const char *what = otst_format(o, "ftrace_ops %s",
				       ops->sym.name && ops->sym.addr == ops->addr ?
					       ops->sym.name :
					       otst_owner_kind_name(ops->owner.kind));

	otst_audit_pointer(o, a, what, "callback", ops->func, ops->addr);
	otst_audit_pointer(o, a, what, "callback", ops->saved_func, ops->addr);
	otst_audit_pointer(o, a, what, "entry callback", ops->entry, ops->addr);
	otst_audit_pointer(o, a, what, "return callback", ops->ret, ops->addr);
	return otst_audit_trampoline(o, a, what, ops);
}

/* notes what could not be read of it */
static void note_ops(struct otst *o, struct otst_audit *a, const struct otst_ftrace_ops *ops)
{
	const char *const errors[] = { ops->error, ops->filter.error, ops->notrace.error };

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		if (errors[i])
			otst_note_text(o, &a->errors, errors[i]);
	}
}

static int check_ftrace(struct otst *o, struct otst_audit *a)
{
	struct otst_ftrace_list list;
	int err = otst_ftrace_ops_list(o, true, &list);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : otst_note(o, &a->errors, err);
	otst_notes_once(o, &a->errors, &list.errors);
	for (size_t i = 0; i < list.count && !err; i++) {
		a->records++;
		note_ops(o, a, list.items[i]);
		if (!err && !list.items[i]->error && list.items[i]->active)
			err = check_ops(o, a, list.items[i]);
	}
	return err ? err : otst_audit_ftrace(o, a, &list);
}

/* ---- what parts of the kernel call ---- */

struct checker {
	struct otst *o;
	struct otst_audit *a;
};

/* where not all modules are known, it may be data of one of the others */
static void check_operations(struct checker *c, const struct otst_registered *r)
{
	struct otst_module *const *m;
	int err = otst_modules(c->o, &m);

	if ((err && err != OTST_ERR_LOOKUP) || otst_modules_error(c->o))
		c->a->undecided++;
	else
		otst_finding_record(c->o, c->a, OTST_FINDING_POINTER, r->func, r->record,
				    otst_format(c->o, "%s: %s is in memory of nobody", r->where,
						r->role));
}

static int check_registered(void *priv, const struct otst_registered *r)
{
	struct checker *c = priv;

	/* otst_audit_tables() knows more of these */
	if (r->kind == OTST_REGISTERED_TABLE)
		return 0;
	c->a->records++;
	if (r->astray)
		check_operations(c, r);
	else
		otst_audit_pointer(c->o, c->a, r->where, r->role, r->func, r->record);
	return 0;
}

int otst_audit_records(struct otst *o, struct otst_audit *a)
{
	struct checker checker = { o, a };
	const struct otst_registered_walk registry = {
		.o = o, .take = check_registered, .priv = &checker, .errors = &a->errors
	};
	int err = check_probes(o, a);

	err = err ?: otst_audit_table(o, a);
	err = err ?: check_ftrace(o, a);
	err = err ?: otst_audit_static_calls(o, a);
	err = err ?: otst_audit_security_calls(o, a);
	err = err ?: otst_registered(&registry);
	err = err ?: otst_audit_tables(o, a);
	return err ? err : otst_audit_deadly(o, a);
}
