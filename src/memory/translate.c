// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * translate.c - kernel memory that the target cannot translate: dump files hold
 * physical memory, crash --minimal knows only the kernel's image, gdb on a
 * vmcore only the ranges in its headers. The kernel's own page tables are found
 * and walked with physical reads. A source that names the tables is believed if
 * they map an address of the kernel's image to where it is known to be. The
 * sources, in this order:
 *
 * VMCOREINFO, as a note of the dump (tables_info.c). Where it is wrong, nothing else of it is
 * believed. The image file (tables_image.c). VMCOREINFO in memory (tables_search.c). The symbol
 * of the top table, if the target reads the kernel's image by its virtual addresses
 * (tables_visible.c).
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../image/image.h"
#include "memory.h"
#include "notes.h"
#include "tables.h"

/* why a target with only physical memory shows nothing, and what would help */
static const char *explain_missing(struct otst *o, const struct otst_vmcoreinfo *given,
				   const struct otst_whereabouts *found)
{
	const char *astray = otst_tables_astray(o, found);
	bool missing;

	if (given && !otst_tables_named(o, given, &missing))
		return "the dump's VMCOREINFO does not lead to the kernel's page table, and does "
		       "not say of which machine it is; dumps of x86_64, arm64, riscv64, s390x "
		       "and ppc64le can be read";
	if (given && missing)
		return "the kernel's page table, which VMCOREINFO names, is not in the dump: no "
		       "address can be translated";
	if (given)
		return "the dump's VMCOREINFO does not lead to the kernel's page table, and no "
		       "copy of it in memory does; the kernel's vmlinux would help";
	if (astray)
		return astray;
	if (found->nr_refused)
		return otst_keep_format(o,
					"VMCOREINFO of kernel %s is in memory, but %s: no address "
					"can be translated; the %s vmlinux would help",
					found->refused->release, found->refused->why,
					otst_image_elf(o) ? "right" : "kernel's");
	if (otst_image_elf(o))
		return "the dump has no VMCOREINFO, neither as a note nor in memory, and the "
		       "image file is not of the kernel that is in memory: no address can be "
		       "translated; the right vmlinux would help";
	return "the dump has no VMCOREINFO, neither as a note nor in memory: no address can be "
	       "translated; the kernel's vmlinux would help";
}

static int find_page_tables(struct otst *o, const void *of, void *value)
{
	struct otst_vmcoreinfo given;
	struct otst_tables *ret = value;
	bool is_given = otst_vmcoreinfo_given(o, &given);

	(void)of;
	if (is_given)
		ret->p = otst_tables_described(o, &given);
	if (ret->p)
		return 0;
	if (is_given)
		ret->refused = given;
	if (otst_tables_by_image(o, ret) || otst_tables_in_memory(o, ret) ||
	    otst_tables_in_pieces(o, ret))
		return 0;
	if (otst_stopped(o))
		return otst_stopped(o);
	if (o->ops.memory)
		ret->why = otst_keep_format(
			o, "%s%s", explain_missing(o, is_given ? &given : NULL, &ret->found),
			ret->given_up ? "; memory is full of texts that look like VMCOREINFO, and "
					"was not searched to its end" :
					"");
	else
		otst_tables_visible(o, ret);
	return otst_stopped(o);
}

static void free_tables(void *value)
{
	otst_pagetable_destroy(((struct otst_tables *)value)->p);
}

static const struct otst_once tables = { .size = sizeof(struct otst_tables),
					 .make = find_page_tables,
					 .destroy = free_tables };

/* the tables as they are now; NULL when they are not known */
static struct otst_pagetable *current_tables(struct otst *o)
{
	struct otst_tables *t;

	if (otst_once(o, &tables, NULL, &t) || !t->p)
		return NULL;
	if (t->reading != o->reading) {
		otst_pagetable_forget(t->p);
		t->reading = o->reading;
	}
	return t->p;
}

int otst_translated_read(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	struct otst_pagetable *p = current_tables(o);

	if (!p)
		return otst_stopped(o) ? otst_stopped(o) : OTST_ERR_FAULT;
	return otst_pagetable_read(p, addr, buf, len);
}

int otst_executable(struct otst *o, struct otst_mapped_visit *v)
{
	struct otst_pagetable *p = current_tables(o);
	int err;

	if (otst_stopped(o))
		return otst_stopped(o);
	if (!p)
		return otst_raise(o, OTST_ERR_LOOKUP, "the kernel's page tables are not known");
	err = otst_pagetable_executable(p, v);
	if (err == OTST_ERR_NOMEM)
		return otst_no_memory(o);
	return err != OTST_ERR_UNSUPPORTED ?
		       err :
		       otst_raise(o, err, "these page tables do not tell what is executable");
}

unsigned int otst_page_rights(struct otst *o, uint64_t virt, bool *lost)
{
	struct otst_pagetable *p = current_tables(o);

	if (!p && lost)
		*lost = true;
	return p ? otst_pagetable_rights(p, virt, lost) : 0;
}

bool otst_physical(struct otst *o, uint64_t virt, uint64_t *ret)
{
	struct otst_pagetable *p = current_tables(o);
	uint64_t span;

	return p && !otst_pagetable_walk(p, virt, ret, &span);
}

void otst_ahead(struct otst *o, uint64_t addr, uint64_t len)
{
	uint64_t phys, span;
	struct otst_tables *t;

	if (!o->ops.ahead || otst_once(o, &tables, NULL, &t) || !t->p)
		return;
	for (; len; addr += span, len -= span) {
		if (otst_pagetable_walk(t->p, addr, &phys, &span))
			return;
		span = span < len ? span : len;
		o->ops.ahead(o->priv, phys, span);
	}
}

/* the tables found for a target with only physical memory; NULL for other targets */
static const struct otst_tables *physical_tables(struct otst *o)
{
	char byte;

	if (!o->ops.memory || o->ops.read(o->priv, OTST_VIRT, 0, &byte, 1) != OTST_ERR_UNSUPPORTED)
		return NULL;
	return otst_once_or_null(o, &tables, NULL);
}

bool otst_vmcoreinfo_proved(struct otst *o, struct otst_vmcoreinfo *ret)
{
	const struct otst_tables *t = physical_tables(o);

	if (t && t->info.text)
		*ret = t->info;
	else if ((t && t->refused.text) || !otst_vmcoreinfo_given(o, ret))
		return false;
	return true;
}

const struct otst_whereabouts *otst_whereabouts(struct otst *o)
{
	const struct otst_tables *t = physical_tables(o);

	return t && t->p && t->found.at ? &t->found : NULL;
}

const char *otst_vmcoreinfo_refused(struct otst *o)
{
	static const char wrong[] =
		"the dump's VMCOREINFO does not lead to the kernel's page table";
	const struct otst_tables *t = physical_tables(o);

	if (!t || !t->p || !t->refused.text)
		return NULL;
	return t->info.text ? otst_format(o, "%s; its copy in memory at 0x%" PRIx64 " does", wrong,
					  t->found.at) :
			      otst_format(o, "%s; the image file does", wrong);
}

bool otst_image_found(struct otst *o, uint64_t *shift)
{
	const struct otst_tables *t = physical_tables(o);

	if (!t || !t->shifted)
		return false;
	*shift = t->shift;
	return true;
}

int otst_memory_check(struct otst *o)
{
	const char *program = otst_program_of_core(o);
	const struct otst_tables *t = program ? NULL : physical_tables(o);

	if (otst_stopped(o))
		return otst_stopped(o);
	if (program)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "a core of the program %s, not a dump of a kernel", program);
	if (!t || !t->why)
		return 0;
	return otst_raise(o, OTST_ERR_CORRUPT, "%s%s%s", t->why, o->ops.hint ? "; " : "",
			  o->ops.hint ? o->ops.hint : "");
}
