// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * records.c - the records' side of the audit: claims that the text contradicts,
 * and callbacks whose code was freed.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "expect.h"

/* has the comparison of the text already found something at @addr */
static bool is_known(const struct otst_audit *a, uint64_t addr)
{
	const struct otst_finding *f = a->findings.data;
	size_t i;

	for (i = 0; i < a->findings.count; i++) {
		if (f[i].len && addr < f[i].addr + f[i].len && f[i].addr < addr + OTST_TEXT_BYTES)
			return true;
	}
	return false;
}

int otst_finding_record(struct otst *o, struct otst_audit *a, enum otst_finding_kind kind,
			uint64_t addr, uint64_t record, const char *message)
{
	struct otst_finding *f = otst_finding_add(o, a, kind, addr, message);

	f->record = record;
	return 0;
}

const char *otst_audit_bad_probe(struct otst *o, const struct otst_probe *p)
{
	return otst_format(o, "%s, record 0x%" PRIx64 ": %s", p->place ? p->place : "?", p->record,
			   p->error);
}

bool otst_audit_is_code(struct otst *o, uint64_t addr)
{
	uint64_t begin = otst_symbol_or0(o, "_stext"), end = otst_symbol_or0(o, "_end");
	struct otst_sym sym;

	if (otst_is_text(o, addr))
		return true;
	if (otst_module_at(o, addr) || (addr >= begin && addr < end))
		return false;
	otst_symbolize_code(o, addr, &sym);
	return sym.name != NULL;
}

static int check_pointer(struct otst *o, struct otst_audit *a, const char *what, const char *role,
			 uint64_t func, uint64_t record)
{
	const struct otst_module *m;

	if (!func || otst_audit_is_code(o, func))
		return 0;
	m = otst_module_at(o, func);
	return otst_finding_record(o, a, OTST_FINDING_POINTER, func, record,
				   otst_format(o, "%s: %s is not in the text of the kernel%s%s",
					       what, role, m ? ", but in the data of module " : "",
					       m ? m->name : " or of a module that is loaded"));
}

/* does the record claim something about kernel text that is not in the dump */
static bool is_unseen(struct otst *o, const struct otst_probe *p)
{
	bool claims = p->claim == OTST_CLAIM_ARMED || p->claim == OTST_CLAIM_DISABLED ||
		      p->claim == OTST_CLAIM_DISARMED;

	return claims && p->evidence.seen == OTST_SEEN_UNREADABLE && otst_is_text(o, p->addr);
}

static int check_text(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
		      const char *what)
{
	if (is_unseen(o, p))
		return otst_note(o, &a->errors,
				 otst_raise(o, OTST_ERR_FAULT,
					    "%s: the text at 0x%" PRIx64 " is not in the dump",
					    what, p->addr));
	if (!p->disagree || is_known(a, p->addr))
		return 0;
	return otst_finding_record(o, a, OTST_FINDING_CLAIM, p->addr, p->record,
				   otst_format(o, "%s: %s", what, p->disagree));
}

static int check_probe(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	const char *what = otst_format(o, "%s on %s", otst_probe_kind(p->kind)->name,
				       p->target   ? p->target :
				       p->sym.name ? p->sym.name :
						     "an unknown place");
	unsigned int i;
	int err = 0;

	/* a disabled probe is not called, and one that was removed cannot be */
	for (i = 0; i < p->nr_handlers && !err && p->claim == OTST_CLAIM_ARMED; i++)
		err = check_pointer(o, a, what, otst_handler_name(p->handlers[i].role),
				    p->handlers[i].addr, p->record);
	return err ? err : check_text(o, a, p, what);
}

static int note_probe(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	const char *message = otst_audit_bad_probe(o, p);

	return message ? otst_note_text(o, &a->errors, message) : otst_no_memory(o);
}

static int check_probes(struct otst *o, struct otst_audit *a)
{
	struct otst_probes probes;
	size_t i;
	int err = otst_probes(o, NULL, &probes);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : err;
	for (i = 0; i < probes.count && !err; i++) {
		const struct otst_probe *p = probes.items[i];

		a->records++;
		err = p->error ? note_probe(o, a, p) : check_probe(o, a, p);
		if (!err && !(i & 0xff))
			err = otst_check(o);
	}
	return err ? err : otst_notes(o, &a->errors, &probes.errors);
}

/* ---- ftrace_ops ---- */

static int check_ops(struct otst *o, struct otst_audit *a, const struct otst_ftrace_ops *ops)
{
	const char *what = otst_format(o, "ftrace_ops %s",
				       ops->sym.name && ops->sym.addr == ops->addr ?
					       ops->sym.name :
					       otst_owner_kind_name(ops->owner.kind));
	int err;

	err = check_pointer(o, a, what, "callback", ops->func, ops->addr);
	err = err ?: check_pointer(o, a, what, "callback", ops->saved_func, ops->addr);
	err = err ?: check_pointer(o, a, what, "entry callback", ops->entry, ops->addr);
	return err ?: check_pointer(o, a, what, "return callback", ops->ret, ops->addr);
}

/* notes what could not be read of it */
static int note_ops(struct otst *o, struct otst_audit *a, const struct otst_ftrace_ops *ops)
{
	const char *const errors[] = { ops->error, ops->filter.error, ops->notrace.error };
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(errors) / sizeof(*errors) && !err; i++) {
		if (errors[i])
			err = otst_note_text(o, &a->errors, errors[i]);
	}
	return err;
}

static int check_ftrace(struct otst *o, struct otst_audit *a)
{
	struct otst_ftrace_list list;
	size_t i;
	int err = otst_ftrace_ops_list(o, true, &list);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : otst_note(o, &a->errors, err);
	err = otst_notes(o, &a->errors, &list.errors);
	for (i = 0; i < list.count && !err; i++) {
		a->records++;
		err = note_ops(o, a, list.items[i]);
		if (!err && !list.items[i]->error && list.items[i]->active)
			err = check_ops(o, a, list.items[i]);
	}
	return err ? err : otst_audit_ftrace(o, a, &list);
}

int otst_audit_records(struct otst *o, struct otst_audit *a)
{
	int err = check_probes(o, a);

	err = err ?: otst_audit_table(o, a);
	err = err ?: check_ftrace(o, a);
	return err ? err : otst_audit_deadly(o, a);
}
