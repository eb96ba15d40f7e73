// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * words.c - one word of data that was the address of a function as built: where it leads now.
 */
#include <string.h>

#include "../memory/translate.h"
#include "../owners/owners.h"
#include "expect.h"

#define WORD	8u
#define RECORD	64u			     /* bytes of a record */
#define ENTRY	16u			     /* bytes of a function before which no probe is */
#define KERNELS UINT64_C(0x8000000000000000) /* no address below is the kernel's */
#define ERRORS	4095u			     /* MAX_ERRNO */

/* the finding about this place: a record such as an entry of sys_call_table, or one that has it */
static struct otst_finding *find_told(const struct otst_audit *a, size_t count, uint64_t place,
				      uint64_t func)
{
	struct otst_finding *f = a->findings.data;

	for (size_t i = 0; i < count; i++) {
		if (f[i].record == place || (f[i].addr == func && place - f[i].record < RECORD))
			return &f[i];
	}
	return NULL;
}

bool otst_expect_is_code(const struct otst_expect *e, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(e->o);

	return (addr >= b->stext && addr < b->etext) ||
	       (e->module && addr && otst_is_text(e->o, addr));
}

uint64_t otst_expect_word(const struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint64_t was = otst_get(e->o, p->now + at, WORD);

	/* without a list, each address of the image moves */
	return !e->listed && was - e->built->begin < e->built->end - e->built->begin ?
		       was + e->built->slide :
		       was;
}

/* other addresses of the kernel's own text: arm64's this_cpu_vector may lead to entry trampolines */
static bool is_alias(struct otst *o, uint64_t addr)
{
	uint64_t phys;

	return otst_physical(o, addr, &phys) && otst_page_owner(o, phys) == OTST_PAGE_ALIAS;
}

/* where a word leads now, beside the function @was that it was as built */
struct lead {
	struct otst_sym was;
	uint64_t is;
	bool owned; /* by code that does not hide */
	bool lost;  /* no code is there */
	bool value; /* not an address of the kernel: NULL, a number */
};

/* a static kprobe's own address moves behind what its function begins with, such as endbr64 */
static bool is_inside(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	struct otst_sym sym;

	if (addr < b->stext || addr >= b->etext)
		return false;
	otst_symbolize(o, addr, &sym);
	return sym.name && addr - sym.addr > ENTRY;
}

/*
 * False for a word that was no function. Where the kernel's addresses are small numbers, a word
 * that may be written and leads to no function is taken for another value. Nothing writes to a
 * constant, so whatever one has become is a pointer.
 */
static bool find_lead(const struct otst_expect *e, const struct otst_expect_part *p, size_t at,
		      struct lead *ret)
{
	uint64_t was = otst_expect_word(e, p, at), is = otst_get(e->o, p->found + at, WORD);
	const struct otst_module *m;

	if (was == is || !otst_expect_is_code(e, was))
		return false;
	otst_symbolize_code(e->o, was, &ret->was);
	if (!ret->was.name || ret->was.addr != was)
		return false;
	m = otst_module_at(e->o, is);
	ret->is = is;
	ret->owned = (otst_audit_is_code(e->o, is) && !(m && m->hidden)) || is_alias(e->o, is);
	ret->lost = ret->owned ? is_inside(e->o, is) :
				 !(m && m->hidden) && !otst_audit_may_run(e->o, e->out, is);
	ret->value = is < KERNELS || is >= -(uint64_t)ERRORS;
	return !p->pointers || was >= KERNELS || !ret->lost;
}

bool otst_audit_explains(const struct otst_expect *e, const struct otst_expect_part *p, size_t at)
{
	uint64_t was = otst_expect_word(e, p, at), is = otst_get(e->o, p->found + at, WORD);
	struct lead lead;

	return was == is || find_lead(e, p, at, &lead) ||
	       (otst_expect_is_code(e, was) && find_told(e->out, e->told, p->addr + at, is));
}

static const char *describe_lead(const struct lead *lead)
{
	return !lead->is   ? "nowhere" :
	       !lead->lost ? "here" :
	       lead->owned ? "here, into the middle of a function" :
			     "here, to no code";
}

int otst_audit_word(struct otst_expect *e, const struct otst_expect_part *p, size_t at,
		    const char *name)
{
	struct otst_finding *told;
	struct lead lead;

	if (!find_lead(e, p, at, &lead))
		return 0;
	told = find_told(e->out, e->out->findings.count, p->addr + at, lead.is);
	if (told && !strstr(told->message, lead.was.name))
		told->message = otst_format(e->o, "%s; as built, %s", told->message, lead.was.name);
	if (told)
		return 0;
	/* nothing writes to what is read-only from the beginning */
	if (p->pointers && (lead.lost ? lead.value : lead.owned)) {
		otst_expect_leads(e, p->addr + at, lead.is);
		return 0;
	}
	if (p->pointers && otst_audit_is_undecided(e->o, e->out, lead.is))
		return 0;
	otst_finding_record(e->o, e->out, OTST_FINDING_POINTER, lead.is, p->addr + at,
			    otst_format(e->o, "%s leads %s, not to %s",
					name ?: otst_name(e->o, p->addr + at), describe_lead(&lead),
					lead.was.name));
	return otst_check(e->o);
}
