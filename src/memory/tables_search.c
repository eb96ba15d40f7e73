// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables_search.c - page tables by VMCOREINFO in memory (a dump by QEMU or virsh, to which the
 * guest gave none; a wrong note): at the start of a page since Linux 203e9e41219b ("kexec: move
 * vmcoreinfo out of the kernel's .bss section") (v4.13), in .bss before. All pages are searched,
 * from the end of memory because the kernel allocates downwards when it boots.
 */
#include <string.h>

#include "../base/engine.h"
#include "memory.h"
#include "tables.h"

#define PLACE_STEP  (2u << 20)	      /* memory begins at a multiple of it */
#define PLACES_MOST 65536u	      /* that are tried for a text, a few microseconds each */
#define TRIES_MOST  (4 * PLACES_MOST) /* for all texts of memory */
#define TEXTS_MOST  16384u	      /* that look like VMCOREINFO, and lead nowhere */

static const char first_key[] = "OSRELEASE=";

/* init_uts_ns.name.release is in this many bytes, whatever stands before the name */
#define UTS_BYTES 512u

/*
 * Memory may hold texts of kernels that ran before, or copies of files with such a text. Their
 * symbols can lead to page tables of the kernel that runs now, but not to a kernel of their own
 * release. makedumpfile writes X over what it erases.
 */
static bool is_running(const struct otst_vmcoreinfo *v, struct otst_pagetable *p)
{
	char uts[UTS_BYTES];
	const char *release;
	uint64_t at;
	size_t len;

	release = otst_vmcoreinfo_line(v, "OSRELEASE", &len);
	if (!release || !otst_vmcoreinfo_value(v, "SYMBOL(init_uts_ns)", 16, &at) ||
	    otst_pagetable_read(p, at, uts, sizeof(uts)))
		return true;
	return memmem(uts, sizeof(uts), release, len) || memmem(uts, sizeof(uts), "XXXXXXXX", 8);
}

/*
 * Tries starts of memory, multiples of @step at @base, that put the top table at @root into it,
 * which has @size bytes.
 */
static struct otst_pagetable *open_from(struct otst *o, const struct otst_arch *arch,
					struct otst_facts *facts, uint64_t root, uint64_t size,
					uint64_t step, uint64_t *base, unsigned int *tries)
{
	struct otst_pagetable *p = NULL;

	*base = root & -step;
	for (unsigned int i = 0;
	     i < PLACES_MOST && (*tries)++ < TRIES_MOST && *base && root - *base < size &&
	     !otst_check(o) && !o->ops.place(o->priv, *base);
	     i++) {
		p = otst_tables_of(o, arch, facts);
		if (p)
			break;
		*base -= step;
	}
	return p;
}

/*
 * Raw memory says nowhere at which address it begins. But tables name each other by physical
 * address, so that they lead to the kernel's image from the right start alone.
 * @finely: a piece of memory may begin at any page
 */
static struct otst_pagetable *open_placed(struct otst *o, const struct otst_vmcoreinfo *v,
					  bool finely, uint64_t *base, unsigned int *tries)
{
	struct otst_paging pagings[OTST_PAGINGS_MAX];
	uint64_t virt, phys, start, end = 0, size = 0;
	struct otst_facts facts = { .info = v };
	struct otst_pagetable *p = NULL;
	const struct otst_arch *arch;

	if (!o->ops.place || o->ops.place(o->priv, 0))
		return NULL;
	while (!o->ops.memory(o->priv, end, &start, &end))
		size = end;
	for (size_t i = 0; !p && (arch = otst_arch_row(i)); i++) {
		if (!arch->paging.find ||
		    !arch->paging.find(otst_find_fact, &facts, pagings, &virt, &phys))
			continue;
		p = open_from(o, arch, &facts, pagings[0].root, size, PLACE_STEP, base, tries);
		if (!p && finely)
			p = open_from(o, arch, &facts, pagings[0].root, size, OTST_CHUNK, base,
				      tries);
	}
	if (!p)
		o->ops.place(o->priv, 0);
	return p;
}

static const char is_astray[] = "the page table that it names is not where it says";

static void note_refused(struct otst *o, const struct otst_vmcoreinfo *v, uint64_t phys,
			 const char *why, struct otst_whereabouts *ret)
{
	size_t len = 0;
	const char *release = otst_vmcoreinfo_line(v, "OSRELEASE", &len);

	if (ret->nr_refused < OTST_REFUSED_MOST)
		ret->refused[ret->nr_refused] = (struct otst_refused){
			phys, otst_keep_format(o, "%.*s", (int)len, release ? release : ""), why
		};
	ret->nr_refused++;
}

void otst_extents(struct otst *o, struct otst_vec *ret)
{
	struct otst_extent p;

	for (uint64_t i = 0;
	     o->ops.extent && !o->ops.extent(o->priv, i, &p.phys, &p.size, &p.offset); i++)
		*(struct otst_extent *)otst_vec_push(o, ret, sizeof(p)) = p;
}

const char *otst_tables_astray(struct otst *o, const struct otst_whereabouts *f)
{
	struct otst_vec placed = { 0 };

	/* with vmlinux, too, memory has to be at its addresses */
	otst_extents(o, &placed);
	for (size_t i = 0; i < f->nr_refused && i < OTST_REFUSED_MOST; i++) {
		if (f->refused[i].why == is_astray)
			return otst_keep_format(
				o,
				"VMCOREINFO of kernel %s is in memory, but %s: memory is missing, "
				"or does not lie at its addresses%s",
				f->refused[i].release, is_astray,
				placed.count ? "" : "; the kernel's vmlinux would help");
	}
	return NULL;
}

/* true if a text begins once more: a kernel's begins once, and memory may be full of that line */
static bool begins_twice(const struct otst_vmcoreinfo *v)
{
	return memmem(v->text + 1, v->len - 1, first_key, sizeof(first_key) - 1);
}

static bool try_text(struct otst *o, uint64_t phys, bool finely, struct otst_tables *ret)
{
	char text[OTST_CHUNK];
	struct otst_vmcoreinfo v;
	size_t len = sizeof(text);
	uint64_t base = 0;
	bool missing;
	char *copy;

	/* the text may end before a page that is missing */
	if (otst_read_phys(o, phys, text, len)) {
		len -= phys & (OTST_CHUNK - 1);
		if (otst_read_phys(o, phys, text, len))
			return false;
	}
	if (!otst_vmcoreinfo_at(text, len, &v) || begins_twice(&v) ||
	    (v.len <= ret->refused.len && !memcmp(v.text, ret->refused.text, v.len)))
		return false;
	ret->p = otst_tables_described(o, &v) ?: open_placed(o, &v, finely, &base, &ret->tries);
	if (!ret->p)
		note_refused(o, &v, phys,
			     otst_tables_named(o, &v, &missing) ? is_astray :
								  "it names no page table",
			     &ret->found);
	if (ret->p && !is_running(&v, ret->p)) {
		note_refused(o, &v, phys, "another kernel runs", &ret->found);
		otst_pagetable_destroy(ret->p);
		ret->p = NULL;
		if (o->ops.place)
			o->ops.place(o->priv, 0);
	}
	copy = ret->p ? otst_keep(o, v.len + 1) : NULL;
	if (!copy)
		return false;
	ret->info = (struct otst_vmcoreinfo){ memcpy(copy, v.text, v.len), v.len };
	ret->found.at = phys + base;
	return true;
}

/* memory that is full of such texts is not one that a kernel left */
static bool is_given_up(struct otst_tables *t)
{
	t->given_up |= t->tries >= TRIES_MOST || t->found.nr_refused >= TEXTS_MOST;
	return t->given_up;
}

static const char *find_first_key(const char *at, const char *end)
{
	return memmem(at, (size_t)(end - at), first_key, sizeof(first_key) - 1);
}

static bool search_page(struct otst *o, uint64_t phys, struct otst_tables *ret)
{
	char page[OTST_CHUNK];
	const char *at = page, *end = page + sizeof(page), *next;

	if (otst_read_phys(o, phys, page, sizeof(page)))
		return false;
	at = find_first_key(at, end);
	for (; at && !is_given_up(ret); at = next) {
		next = find_first_key(at + 1, end);
		/* the text goes on to the next one */
		if (next && !memchr(at, 0, (size_t)(next - at)))
			continue;
		if (try_text(o, phys + (uint64_t)(at - page), false, ret))
			return true;
	}
	return false;
}

bool otst_tables_in_memory(struct otst *o, struct otst_tables *ret)
{
	struct range {
		uint64_t start, end;
	} * r;
	struct otst_vec ranges = { 0 };
	uint64_t start = 0, end, all = 0, done = 0;

	for (; o->ops.memory && !o->ops.memory(o->priv, start, &start, &end); start = end) {
		r = otst_vec_push(o, &ranges, sizeof(*r));
		*r = (struct range){ (start + OTST_CHUNK - 1) & -(uint64_t)OTST_CHUNK,
				     end & -(uint64_t)OTST_CHUNK };
		all += end - start;
	}
	for (size_t i = ranges.count; i-- > 0;) {
		r = (struct range *)ranges.data + i;
		for (; r->end > r->start; done += OTST_CHUNK) {
			r->end -= OTST_CHUNK;
			otst_progress(o, "memory, for VMCOREINFO", done, all);
			if (otst_check(o) || is_given_up(ret))
				return false;
			if (search_page(o, r->end, ret))
				return true;
		}
	}
	return false;
}

bool otst_tables_in_pieces(struct otst *o, struct otst_tables *ret)
{
	const struct otst_whereabouts found = ret->found;

	ret->tries = 0;
	ret->found.nr_refused = 0;
	for (size_t i = 0; i < found.nr_refused && i < OTST_REFUSED_MOST; i++) {
		if (try_text(o, found.refused[i].at, true, ret))
			return true;
	}
	ret->found = found;
	return false;
}
