// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kprobe_records.c - do the records of kprobe_table fit together: is a probe in the
 * bucket of its address (hash_ptr()), do an aggregate's flags follow from those of its
 * users (kernel/kprobes.c, __disable_kprobe(), aggr_kprobe_disabled()), and does ftrace
 * know the probes on ftrace sites (arm_kprobe_ftrace())?
 */

#include "../ftrace/ftrace.h"
#include "expect.h"

#define HASH_BITS 6 /* KPROBE_HASH_BITS */

/* include/linux/hash.h: GOLDEN_RATIO_64, and GOLDEN_RATIO_PRIME_64 up to 4.6 */
static const uint64_t ratios[] = { UINT64_C(0x61c8864680b583eb), UINT64_C(0x9e37fffffffc0001) };

/* adds a message about what could not be read, unless it is among the first @count */
static void note_unread_record(struct otst *o, struct otst_audit *a, size_t count,
			       const char *message)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(a->errors.texts[i], message))
			return;
	}
	otst_note_text(o, &a->errors, message);
}

static void contradict_record(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
			      const char *message)
{
	otst_finding_record(o, a, OTST_FINDING_RECORD, p->addr, p->node, message);
}

static void check_bucket(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		if ((int)(p->addr * ratios[i] >> (64 - HASH_BITS)) == p->bucket)
			return;
	}
	contradict_record(o, a, p,
			  otst_format(o,
				      "kprobe in the wrong bucket, %s: the kernel does not find it",
				      p->place));
}

/* copy_kprobe(): an aggregate is at the address of its users */
static void check_address(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	uint64_t addr;

	if (p->node != p->record && !otst_read_member(o, "kprobe", p->node, "addr", &addr) &&
	    addr != p->addr)
		contradict_record(
			o, a, p,
			"aggregate is not at the address of its users: the kernel does not find it");
}

/* @users: the @n users of one record of the table */
static void check_flags(struct otst *o, struct otst_audit *a, struct otst_probe *const *users,
			size_t n)
{
	const struct otst_probe *p = users[0];
	bool aggregate = p->node != p->record;
	size_t i, armed = 0;

	for (i = 0; i < n; i++)
		armed += !(users[i]->flags & (OTST_KPROBE_DISABLED | OTST_KPROBE_GONE));
	if (aggregate && armed && p->node_flags & (OTST_KPROBE_DISABLED | OTST_KPROBE_GONE))
		contradict_record(o, a, p,
				  otst_format(o, "aggregate is %s, but %zu of its users %s not",
					      p->node_flags & OTST_KPROBE_GONE ? "gone" :
										 "disabled",
					      armed, otst_number(armed, "is", "are")));
	if (aggregate && !armed && !(p->node_flags & (OTST_KPROBE_DISABLED | OTST_KPROBE_GONE)))
		contradict_record(o, a, p, "aggregate is armed, but all its users are disabled");
	if (p->node_flags & OTST_KPROBE_FTRACE && p->node_flags & OTST_KPROBE_OPTIMIZED)
		contradict_record(o, a, p, "kprobe is optimized, and on an ftrace site as well");
}

/* ---- on ftrace sites ---- */

struct filters {
	struct otst_hash filter[2];
	bool known;
};

static int read_kprobe_filters(struct otst *o, struct otst_audit *a, struct filters *ret)
{
	static const char *const names[] = { "kprobe_ftrace_ops", "kprobe_ipmodify_ops" };
	struct otst_hash notrace;
	int err = 0;

	*ret = (struct filters){ 0 };
	for (size_t i = 0; i < 2 && !err; i++) {
		uint64_t ops = otst_symbol_or0(o, names[i]);

		ret->filter[i].empty = true;
		if (!ops)
			continue;
		err = otst_ftrace_hashes(o, ops, &ret->filter[i], &notrace);
		ret->known = ret->known || !err;
		if (!err && ret->filter[i].error) {
			ret->known = false;
			note_unread_record(o, a, a->errors.count, ret->filter[i].error);
			return 0;
		}
	}
	if (err)
		ret->known = false;
	/* an ftrace from before each ops had filters */
	return err == OTST_ERR_LOOKUP ? 0 : err ? otst_note(o, &a->errors, err) : 0;
}

static void check_site(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
		       const struct filters *f)
{
	if (!(p->node_flags & OTST_KPROBE_FTRACE) || p->claim != OTST_CLAIM_ARMED)
		return;
	if (!otst_ftrace_site_at(o, p->addr, NULL)) {
		const struct otst_ftrace_sites *sites;

		/* unless its page could not be read */
		if (otst_ftrace_sites(o, &sites) || sites->errors.count)
			return;
		contradict_record(o, a, p, "kprobe on an ftrace site that ftrace does not know");
		return;
	}
	if (!f->known || otst_hash_has(&f->filter[0], p->addr) ||
	    otst_hash_has(&f->filter[1], p->addr))
		return;
	contradict_record(o, a, p, "armed kprobe on an ftrace site that kprobes' filter lacks");
}

/* this pass over the table may have lost what the other one read */
static void note_users(struct otst *o, struct otst_audit *a, struct otst_probe *const *users,
		       size_t n)
{
	const char *message;

	for (size_t i = 0; i < n; i++) {
		if (!users[i]->error)
			continue;
		message = otst_audit_bad_probe(o, users[i]);
		note_unread_record(o, a, a->errors.count, message);
	}
}

int otst_audit_table(struct otst *o, struct otst_audit *a)
{
	struct otst_probes probes;
	struct filters filters;
	size_t i, k, n, before;
	int err = otst_audit_kprobes(o, &probes);

	if (err)
		return otst_note(o, &a->errors, err);
	before = a->errors.count;
	for (i = 0; i < probes.errors.count; i++)
		note_unread_record(o, a, before, probes.errors.texts[i]);
	err = read_kprobe_filters(o, a, &filters);
	for (i = 0; i < probes.count && !err; i = k) {
		struct otst_probe *const *p = &probes.items[i];

		for (k = i + 1; k < probes.count && probes.items[k]->node == (*p)->node;)
			k++;
		note_users(o, a, p, k - i);
		for (n = i; n < k && !err; n++) {
			if (!probes.items[n]->error && probes.items[n]->claim == OTST_CLAIM_ARMED)
				err = otst_audit_kprobe(o, a, probes.items[n]);
		}
		if (err || (*p)->error || (*p)->bucket < 0)
			continue;
		check_bucket(o, a, *p);
		if ((*p)->claim != OTST_CLAIM_UNUSED) {
			check_flags(o, a, p, k - i);
			check_address(o, a, *p);
		}
		check_site(o, a, *p, &filters);
	}
	return err;
}
