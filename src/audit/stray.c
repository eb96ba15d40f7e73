// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stray.c - what is said of pages whose rights are not as they should be: whose memory it is, who asked
 * for it, and whether it may just be being made or freed.
 */
#include <inttypes.h>
#include <string.h>

#include "../memory/translate.h"
#include "stray.h"

#define MOST_MISSING 64u
#define FIRST_BYTES  16u

/* an area of the vmalloc space; @sym: who asked for it; @why: what kept it from being found */
struct asked {
	struct otst_vmap v;
	struct otst_sym sym;
	const char *why;
};

static bool is_enough(struct otst_pages *p)
{
	return p->told++ >= OTST_STRAYS_TOLD;
}

/* the kernel itself asked for it, or nothing says who */
static bool is_kernels_page(const struct asked *by)
{
	return !by->v.caller || (by->sym.name && !by->sym.module);
}

/* programs of classic BPF have no name in the kernel's lists */
static bool is_bpf(const struct otst_sym *asker)
{
	return asker->name && !asker->module && strstr(asker->name, "bpf_");
}

/* what text is taken from: breakpoints are where nothing is (mm/execmem.c) */
static bool is_unused(const struct otst_pages *p, const struct otst_sym *asker)
{
	static const char made_by[] = "execmem_";

	if (!p->has_cache || !asker->name || asker->module ||
	    strncmp(asker->name, made_by, sizeof(made_by) - 1) != 0)
		return false;
	for (uint64_t i = 0; i < p->page; i++) {
		if (p->bytes[i] != 0xcc)
			return false;
	}
	return true;
}

/* @missing: pages in a row that could not be read; behind many of them no other is tried */
static bool is_filler(struct otst_pages *p, const struct otst_stray *s, const struct asked *by,
		      uint64_t at, unsigned int *missing)
{
	bool may_be_thunks = p->has_thunks && !s->writable;

	if ((!p->has_cache && !may_be_thunks) || *missing >= MOST_MISSING)
		return false;
	if (otst_read(p->o, at, p->bytes, p->page)) {
		++*missing;
		return false;
	}
	*missing = 0;
	return is_unused(p, &by->sym) || (may_be_thunks && otst_is_thunks(p->bytes, p->page));
}

static size_t count_pointers(const struct otst_audit *a, const struct otst_stray *s)
{
	const struct otst_finding *f = a->findings.data;
	size_t i, n = 0;

	for (i = 0; i < a->findings.count; i++)
		n += f[i].kind == OTST_FINDING_POINTER && f[i].addr >= s->begin &&
		     f[i].addr < s->end;
	return n;
}

static const char *first_bytes(struct otst_pages *p, const struct otst_stray *s)
{
	uint8_t bytes[FIRST_BYTES];
	const char *text = "";

	if (otst_read(p->o, s->begin, bytes, sizeof(bytes)))
		return "; it is not in the dump";
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		text = otst_format(p->o, "%s %02x", text, bytes[i]);
	return otst_format(p->o, "; it begins with%s", text);
}

/* where the kernel itself has what can be written at @s */
static const char *describe_alias(struct otst_pages *p, const struct otst_stray *s)
{
	const struct otst_text_bounds *b = otst_text_bounds(p->o);
	uint64_t first = 0, at;

	if (otst_physical(p->o, b->stext, &first))
		first = s->begin - p->direct - first;
	at = b->stext + first;
	return otst_format(p->o, "a writable alias of %s, of %s",
			   at < b->etext ? "text" : "read-only data", otst_name(p->o, at));
}

static int report_stray(struct otst_pages *p, const struct otst_stray *s, uint64_t caller)
{
	int err = s->kind == OTST_STRAY_NOBODYS ?
			  otst_audit_variables(p->o, p->a, s->begin, s->end,
					       "executable memory of nobody") :
			  0;
	size_t n = count_pointers(p->a, s);
	const char *what = s->kind == OTST_STRAY_TEXT	? "text that is writable" :
			   s->kind == OTST_STRAY_RODATA ? "read-only data that is writable" :
			   s->kind == OTST_STRAY_ALIAS	? describe_alias(p, s) :
			   s->kind == OTST_STRAY_BEHIND ? "code behind the kernel's text" :
			   s->kind == OTST_STRAY_DATA	? "data that is executable" :
			   s->writable ? "executable and writable memory of nobody" :
					 "executable memory of nobody";
	bool shown = s->kind != OTST_STRAY_TEXT && s->kind != OTST_STRAY_RODATA &&
		     s->kind != OTST_STRAY_ALIAS;

	/* the kernel has addresses of the end of its text */
	if (shown && s->kind != OTST_STRAY_BEHIND)
		otst_audit_seek(p->o, p->a, s->begin, s->end);
	otst_finding_add(
		p->o, p->a, OTST_FINDING_MEMORY, s->begin,
		otst_format(p->o, "%s: %" PRIu64 " byte%s%s%s%s%s", what, s->end - s->begin,
			    otst_number(s->end - s->begin, "", "s"),
			    caller ? ", asked for by " : "", caller ? otst_name(p->o, caller) : "",
			    shown ? first_bytes(p, s) : "",
			    n ? otst_format(p->o, "; %zu %s into it", n,
					    otst_number(n, "pointer leads", "pointers lead")) :
				""));
	return err;
}

static const char *describe_stray(struct otst *o, const struct otst_stray *s, const char *why)
{
	return otst_format(o, "%" PRIu64 " bytes at 0x%" PRIx64 ": %s", s->end - s->begin, s->begin,
			   why);
}

/* most memory of the direct map never becomes executable, whatever is loaded or freed */
static int find_makers(struct otst_pages *p, const struct otst_stray *s, const char **ret)
{
	uint64_t phys;
	bool direct = p->direct && otst_physical(p->o, s->begin, &phys) &&
		      s->begin - phys == p->direct;
	struct otst_makers *m = &p->makers[direct];
	int err = m->asked ? 0 : otst_audit_makers(p->o, direct, &m->who);

	m->asked = true;
	*ret = m->who;
	return err;
}

static int judge_stray_by(struct otst_pages *p, const struct otst_stray *s, const struct asked *by)
{
	const char *why = p->areas->gap ? p->areas->gap : by->why, *makers;
	int err = 0;

	if (is_enough(p))
		return 0;
	if (!why && is_kernels_page(by)) {
		err = find_makers(p, s, &makers);
		if (makers)
			why = otst_format(
				p->o,
				"memory of nobody; perhaps it is just being made or freed: %s",
				makers);
		else if (otst_read(p->o, s->begin, p->bytes, FIRST_BYTES))
			why = "memory of nobody; it is not in the dump";
	}
	if (why)
		otst_audit_gap(p->o, p->a, "executable memory", OTST_LOOKED_IN_PART,
			       describe_stray(p->o, s, why));
	else
		err = report_stray(p, s, by->v.caller);
	return err;
}

/* what of @s is not filler; @by has asked for all of it */
static int judge_area(struct otst_pages *p, const struct otst_stray *s, const struct asked *by)
{
	struct otst_stray piece = *s;
	unsigned int missing = 0;
	int err = 0;

	for (uint64_t at = s->begin; at <= s->end && !err; at += p->page) {
		if (at < s->end && !is_filler(p, s, by, at, &missing))
			continue;
		piece.end = at;
		if (piece.begin < piece.end)
			err = judge_stray_by(p, &piece, by);
		piece.begin = at + p->page;
	}
	return err;
}

static struct asked find_asker(struct otst *o, uint64_t at)
{
	struct asked by = { 0 };
	int err = otst_vmap_at(o, at, &by.v);

	if (err && err != OTST_ERR_LOOKUP)
		by.why = otst_strdup(o, otst_message(o));
	if (by.v.caller)
		otst_symbolize(o, by.v.caller, &by.sym);
	return by;
}

/* @s, area by area of the vmalloc space */
static int judge_stray(struct otst_pages *p, const struct otst_stray *s)
{
	struct otst_stray piece = *s;
	struct asked by;
	int err = 0;

	for (; piece.begin < s->end && !err; piece.begin = piece.end) {
		by = find_asker(p->o, piece.begin);
		piece.end = s->end;
		if (by.v.end < s->end)
			piece.end = (by.v.end + p->page - 1) & -p->page;
		err = is_bpf(&by.sym) ? 0 : judge_area(p, &piece, &by);
		err = err ?: otst_check(p->o);
	}
	return err;
}

int otst_strays_judge(struct otst_pages *p)
{
	int err = 0;

	for (size_t i = 0; !err && i < p->strays.count; i++) {
		const struct otst_stray *s = (struct otst_stray *)p->strays.data + i;

		if (s->kind == OTST_STRAY_NOBODYS)
			err = judge_stray(p, s);
		else if (!is_enough(p))
			err = report_stray(p, s, 0);
	}
	return err;
}
