// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * security_calls.c - static calls of security modules, since 6.12: each entry of static_calls_table
 * (struct lsm_static_call) has the key of a call and the hook for which that call stands
 * (lsm_static_call_init()). A key with another function passes the hook by.
 */
#include "expect.h"

#define MOST 8192u

struct call {
	uint64_t key, func, hook; /* where it leads, and where it has to */
	uint64_t list;
};

static int read_call(struct otst *o, uint64_t at, struct call *ret)
{
	int err = otst_read_member(o, "lsm_static_call", at, "key", &ret->key);

	err = err ?: otst_read_member(o, "lsm_static_call", at, "hl", &ret->list);
	if (err || !ret->list || !ret->key)
		return err;
	err = otst_read_u64(o, ret->key, &ret->func);
	return err ?: otst_read_member(o, "security_hook_list", ret->list, "hook", &ret->hook);
}

static struct otst_finding *find_told(const struct otst_audit *a, uint64_t record)
{
	struct otst_finding *f = a->findings.data;

	for (size_t i = 0; i < a->findings.count; i++) {
		if (f[i].record == record)
			return &f[i];
	}
	return NULL;
}

static void check_call(struct otst *o, struct otst_audit *a, const struct call *c)
{
	struct otst_finding *told = find_told(a, c->key);
	const struct otst_module *m = otst_module_at(o, c->hook);

	/* a hook that was changed is a finding of its own */
	if (!c->func || c->func == c->hook || (m && m->hidden) || !otst_audit_is_code(o, c->hook))
		return;
	if (told)
		told->message =
			otst_format(o, "%s; the hook is %s", told->message, otst_name(o, c->hook));
	else
		otst_finding_record(o, a, OTST_FINDING_POINTER, c->func, c->key,
				    otst_format(o, "%s leads here, not to the hook %s",
						otst_name(o, c->key), otst_name(o, c->hook)));
}

int otst_audit_security_calls(struct otst *o, struct otst_audit *a)
{
	uint64_t table = otst_symbol_or0(o, "static_calls_table"), whole, size, at;
	struct call c = { 0 };
	int err;

	if (!table || !otst_has_member(o, "lsm_static_call", "key"))
		return otst_check(o);
	err = otst_type_size(o, "lsm_static_calls_table", &whole);
	err = err ?: otst_type_size(o, "lsm_static_call", &size);
	if (!err && (!size || whole > MOST * size))
		err = otst_raise(o, OTST_ERR_CORRUPT, "its size makes no sense");
	for (at = table; !err && at + size <= table + whole; at += size) {
		c = (struct call){ 0 };
		err = read_call(o, at, &c);
		if (!err)
			check_call(o, a, &c);
	}
	if (err == OTST_ERR_LOOKUP)
		return otst_check(o);
	return err ? otst_note(o, &a->errors, otst_fail(o, err, "static_calls_table")) :
		     otst_check(o);
}
