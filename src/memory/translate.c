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
 * VMCOREINFO, as a note of the dump. Where it is wrong, nothing else of it is believed.
 * The image file: its linux_banner is searched for in physical memory, where the boot
 * loader puts the image as one piece. The tables are variables of that piece, and it
 * records how far its addresses were moved.
 * VMCOREINFO in memory (a dump by QEMU or virsh, to which the guest gave none; a wrong note): at
 * the start of a page since Linux 203e9e41219b ("kexec: move vmcoreinfo out of the
 * kernel's .bss section") (v4.13), in .bss before. All pages are searched, from the
 * end of memory because the kernel allocates downwards when it boots.
 * The symbol of the top table, if the target reads the kernel's image by its virtual
 * addresses: the tables must map it to the very bytes that are read there.
 */
#include <gelf.h>
#include <inttypes.h>
#include <string.h>

#include "../arch/arch.h"
#include "../base/engine.h"
#include "../image/image.h"
#include "../names/kallsyms.h"
#include "memory.h"
#include "notes.h"
#include "translate.h"
#include "vmcoreinfo.h"

#define PLACE_STEP  (2u << 20) /* memory begins at a multiple of it */
#define PLACES_MOST 65536u     /* that are tried, a few microseconds each */
#define BANNER_MAX  256u       /* bytes that are compared */

/**
 * struct tables - the kernel's page tables
 * @p: NULL when they are not known
 * @info: VMCOREINFO that was found in memory; its text is NULL when there was none
 * @refused: VMCOREINFO that the front end supplies and that does not lead to the tables
 * @found: how they were found; @found.at is 0 unless they were searched for
 * @shift: of the image file's addresses, when @shifted
 * @why: why no memory can be read at all; or NULL
 * @reading: the &otst.reading for which the cache of @p is valid
 */
struct tables {
	struct otst_pagetable *p;
	struct otst_vmcoreinfo info;
	struct otst_vmcoreinfo refused;
	struct otst_whereabouts found;
	uint64_t shift;
	bool shifted;
	const char *why;
	uint64_t reading;
};

static int read_phys(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	struct otst *o = priv;

	return otst_answer(o, o->ops.read(o->priv, OTST_PHYS, phys, buf, len));
}

static bool read_table_word(struct otst *o, uint64_t phys, uint64_t *ret)
{
	unsigned char bytes[8];

	if (read_phys(o, phys, bytes, sizeof(bytes)))
		return false;
	*ret = otst_get(o, bytes, sizeof(bytes));
	return true;
}

/* ---- by VMCOREINFO ---- */

/**
 * struct facts - what VMCOREINFO says
 * @base: stands in for NUMBER(phys_base) if VMCOREINFO has none; @asked: it was needed
 */
struct facts {
	const struct otst_vmcoreinfo *info;
	uint64_t base;
	bool asked;
};

/* values that are printed without "0x" */
static bool is_hex(const char *key)
{
	return !strncmp(key, "SYMBOL(", 7) || !strncmp(key, "KERNELOFF", 9) ||
	       !strcmp(key, "SAMODE31");
}

static bool find_fact(void *priv, const char *key, uint64_t *ret)
{
	struct facts *f = priv;

	if (otst_vmcoreinfo_value(f->info, key, is_hex(key) ? 16 : 0, ret))
		return true;
	if (strcmp(key, "NUMBER(phys_base)") != 0)
		return false;
	f->asked = true;
	*ret = f->base;
	return true;
}

static struct otst_pagetable *open_arch(struct otst *o, const struct otst_arch *arch,
					struct facts *facts)
{
	struct otst_pagetable *p;

	return otst_pagetable_find(arch->elf_machine, find_fact, facts, read_phys, o, &p) ? NULL :
											    p;
}

/*
 * Before Linux 401721ecd1dc ("kexec: export the value of phys_base instead of symbol
 * address") (v4.10), VMCOREINFO does not say where in physical memory the kernel is:
 * each place that memory has is tried.
 */
static struct otst_pagetable *open_moved(struct otst *o, const struct otst_arch *arch,
					 struct facts *facts)
{
	const uint64_t step = arch->image.align, before = 16u << 20; /* CONFIG_PHYSICAL_START */
	struct otst_pagetable *p = NULL;
	uint64_t start = 0, end;

	for (; !p && o->ops.memory && !o->ops.memory(o->priv, start, &start, &end); start = end) {
		facts->base = (start & -step) - before;
		for (; !p && (int64_t)facts->base < (int64_t)end && !otst_check(o);
		     facts->base += step)
			p = open_arch(o, arch, facts);
	}
	return p;
}

static struct otst_pagetable *open_described(struct otst *o, const struct otst_vmcoreinfo *v)
{
	const struct otst_arch *arch;
	struct otst_pagetable *p = NULL;

	for (size_t i = 0; !p && (arch = otst_arch_row(i)); i++) {
		struct facts facts = { .info = v };

		p = open_arch(o, arch, &facts);
		if (!p && facts.asked)
			p = open_moved(o, arch, &facts);
	}
	return p;
}

/* true if it names the page tables of any processor; @missing: none of them is in the dump */
static bool names_tables(struct otst *o, const struct otst_vmcoreinfo *v, bool *missing)
{
	struct otst_paging pagings[OTST_PAGINGS_MAX];
	struct facts facts = { .info = v };
	const struct otst_arch *arch;
	uint64_t virt, phys, word;
	bool named = false;

	*missing = true;
	for (size_t i = 0; (arch = otst_arch_row(i)); i++) {
		if (!arch->paging.find ||
		    !arch->paging.find(find_fact, &facts, pagings, &virt, &phys))
			continue;
		named = true;
		*missing &= !read_table_word(o, pagings[0].root & -(uint64_t)OTST_CHUNK, &word);
	}
	return named;
}

/* ---- by the image file ---- */

/**
 * struct image - the image file, as physical memory has it
 * @banner: link address of linux_banner; @text: the text there
 * @move: what has to be added to the file's addresses
 */
struct image {
	struct otst *o;
	const struct otst_arch *arch;
	uint64_t banner;
	char text[BANNER_MAX];
	uint64_t move;
};

static bool read_variable(const struct image *i, const char *name, uint64_t offset, uint64_t *ret)
{
	uint64_t at;

	return name && !otst_image_symbol(i->o, name, &at) &&
	       read_table_word(i->o, at + i->move + offset, ret);
}

static bool maps(struct otst_pagetable *p, uint64_t virt, uint64_t phys)
{
	uint64_t at, span;

	return !otst_pagetable_walk(p, virt, &at, &span) && at == phys;
}

/* Opens tables that map the banner and the tables themselves to where they are. */
static bool open_image_tables(const struct image *i, const char *name, struct tables *ret)
{
	uint64_t encryption = 0, top;

	if (otst_image_symbol(i->o, name, &top))
		return false;
	read_variable(i, i->arch->paging.encryption, 0, &encryption);
	for (size_t l = 0; l < i->arch->paging.nr_layouts; l++) {
		struct otst_paging paging = i->arch->paging.layouts[l];

		paging.machine = i->arch->elf_machine;
		paging.root = top + i->move;
		paging.encryption = encryption;
		if (otst_pagetable_create(&paging, read_phys, i->o, &ret->p))
			continue;
		if (maps(ret->p, i->banner + ret->shift, i->banner + i->move) &&
		    maps(ret->p, top + ret->shift, paging.root)) {
			ret->found.by_image = true;
			ret->found.at = i->banner + i->move;
			return true;
		}
		otst_pagetable_destroy(ret->p);
		ret->p = NULL;
	}
	return false;
}

static bool is_image(struct image *i, uint64_t phys, struct tables *ret)
{
	const char *const *top = i->arch->paging.top_tables;
	char found[BANNER_MAX];
	size_t len = strlen(i->text);
	uint64_t offset;

	if (read_phys(i->o, phys, found, len) || memcmp(found, i->text, len) != 0)
		return false;
	i->move = phys - i->banner;
	if (!read_variable(i, i->arch->image.offset, i->arch->image.offset_at, &offset))
		return false;
	ret->shift = i->arch->image.shift(i->move, offset);
	for (; *top && !ret->shifted; top++)
		ret->shifted = open_image_tables(i, *top, ret);
	return ret->shifted;
}

static bool find_image(struct otst *o, struct tables *ret)
{
	struct image i = { .o = o };
	uint64_t start = 0, end, step, at;
	void *elf = o->ops.memory ? otst_image_elf(o) : NULL;
	GElf_Ehdr eh;

	if (!elf || !gelf_getehdr(elf, &eh) || otst_image_symbol(o, "linux_banner", &i.banner) ||
	    otst_image_string(o, "linux_banner", i.text, sizeof(i.text)) || !*i.text)
		return false;
	i.arch = otst_arch_of_elf(eh.e_machine);
	step = i.arch->image.align;
	for (; step && !o->ops.memory(o->priv, start, &start, &end); start = end) {
		at = start + ((i.banner - start) & (step - 1));
		for (; at >= start && at < end && !otst_check(o); at += step) {
			if (is_image(&i, at, ret))
				return true;
		}
	}
	return false;
}

/* ---- by VMCOREINFO in memory ---- */

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
					struct facts *facts, uint64_t root, uint64_t size,
					uint64_t step, uint64_t *base)
{
	struct otst_pagetable *p = NULL;

	*base = root & -step;
	for (unsigned int i = 0; i < PLACES_MOST && *base && root - *base < size &&
				 !otst_check(o) && !o->ops.place(o->priv, *base);
	     i++) {
		p = open_arch(o, arch, facts);
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
					  bool finely, uint64_t *base)
{
	struct otst_paging pagings[OTST_PAGINGS_MAX];
	uint64_t virt, phys, start, end = 0, size = 0;
	struct facts facts = { .info = v };
	struct otst_pagetable *p = NULL;
	const struct otst_arch *arch;

	if (!o->ops.place || o->ops.place(o->priv, 0))
		return NULL;
	while (!o->ops.memory(o->priv, end, &start, &end))
		size = end;
	for (size_t i = 0; !p && (arch = otst_arch_row(i)); i++) {
		if (!arch->paging.find ||
		    !arch->paging.find(find_fact, &facts, pagings, &virt, &phys))
			continue;
		p = open_from(o, arch, &facts, pagings[0].root, size, PLACE_STEP, base);
		if (!p && finely)
			p = open_from(o, arch, &facts, pagings[0].root, size, OTST_CHUNK, base);
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

/* why no text in memory leads to tables: the first one that names some, if there is one */
static const char *explain_astray(struct otst *o, const struct otst_whereabouts *f)
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

static bool try_text(struct otst *o, uint64_t phys, bool finely, struct tables *ret)
{
	char text[OTST_CHUNK];
	struct otst_vmcoreinfo v;
	size_t len = sizeof(text);
	uint64_t base = 0;
	bool missing;
	char *copy;

	/* the text may end before a page that is missing */
	if (read_phys(o, phys, text, len)) {
		len -= phys & (OTST_CHUNK - 1);
		if (read_phys(o, phys, text, len))
			return false;
	}
	if (!otst_vmcoreinfo_at(text, len, &v) ||
	    (v.len <= ret->refused.len && !memcmp(v.text, ret->refused.text, v.len)))
		return false;
	ret->p = open_described(o, &v) ?: open_placed(o, &v, finely, &base);
	if (!ret->p)
		note_refused(o, &v, phys,
			     names_tables(o, &v, &missing) ? is_astray : "it names no page table",
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

static bool search_page(struct otst *o, uint64_t phys, struct tables *ret)
{
	static const char first[] = "OSRELEASE=";
	char page[OTST_CHUNK];
	const char *at = page, *end = page + sizeof(page);

	if (read_phys(o, phys, page, sizeof(page)))
		return false;
	while ((at = memmem(at, (size_t)(end - at), first, sizeof(first) - 1))) {
		if (try_text(o, phys + (uint64_t)(at - page), false, ret))
			return true;
		at++;
	}
	return false;
}

/* searches ranges from the last to the first; the target lists them in ascending order */
static bool search_memory(struct otst *o, struct tables *ret)
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
			if (otst_check(o))
				return false;
			if (search_page(o, r->end, ret))
				return true;
		}
	}
	return false;
}

/* Of a piece of memory that begins at an odd page: this takes longer than a search. */
static bool search_finely(struct otst *o, struct tables *ret)
{
	const struct otst_whereabouts found = ret->found;

	ret->found.nr_refused = 0;
	for (size_t i = 0; i < found.nr_refused && i < OTST_REFUSED_MOST; i++) {
		if (try_text(o, found.refused[i].at, true, ret))
			return true;
	}
	ret->found = found;
	return false;
}

/* ---- by the target's own virtual addresses ---- */

/* Not a real physical address: stands for the top table, read where the kernel sees it. */
#define TOP_MARK (1ull << 62)

/** struct top - the top table as the target reads it */
struct top {
	struct otst *o;
	uint64_t virt;
};

static int read_from_top(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	const struct top *top = priv;

	if (phys >= TOP_MARK)
		return otst_answer(top->o,
				   top->o->ops.read(top->o->priv, OTST_VIRT,
						    top->virt + (phys - TOP_MARK), buf, len));
	return read_phys(top->o, phys, buf, len);
}

/* Fills in @paging->root if tables of this layout map @top to the bytes that are there. */
static bool layout_fits(struct top *top, struct otst_paging *paging)
{
	unsigned char seen[OTST_CHUNK], mapped[OTST_CHUNK];
	struct otst_pagetable *p;
	uint64_t span;
	bool fits;

	paging->root = TOP_MARK;
	if (otst_pagetable_create(paging, read_from_top, top, &p))
		return false;
	fits = !otst_pagetable_walk(p, top->virt, &paging->root, &span) &&
	       !read_from_top(top, TOP_MARK, seen, sizeof(seen)) &&
	       !read_phys(top->o, paging->root, mapped, sizeof(mapped)) &&
	       !memcmp(seen, mapped, sizeof(seen));
	otst_pagetable_destroy(p);
	return fits;
}

/* bits of every entry that do not belong to the address: AMD's memory encryption */
static uint64_t encryption_mask(struct otst *o, const char *variable)
{
	unsigned char mask[8];
	uint64_t at;

	if (!variable || otst_target_symbol(o, variable, &at) ||
	    o->ops.read(o->priv, OTST_VIRT, at, mask, sizeof(mask)))
		return 0;
	return otst_get(o, mask, sizeof(mask));
}

/* finds the top table by its symbol */
static bool find_top(struct otst *o, const struct otst_arch *arch, uint64_t *ret)
{
	const char *const *name;

	for (name = arch->paging.top_tables; name && *name; name++) {
		if (!otst_target_symbol(o, *name, ret) || !otst_vmcoreinfo_symbol(o, *name, ret))
			return true;
	}
	return false;
}

static void open_as(struct otst *o, const struct otst_arch *arch, struct tables *ret)
{
	uint64_t encryption = encryption_mask(o, arch->paging.encryption);
	struct top top = { .o = o };

	for (size_t i = 0; find_top(o, arch, &top.virt) && !ret->p && i < arch->paging.nr_layouts;
	     i++) {
		struct otst_paging paging = arch->paging.layouts[i];

		paging.machine = arch->elf_machine;
		paging.encryption = encryption;
		if (layout_fits(&top, &paging))
			otst_pagetable_create(&paging, read_phys, o, &ret->p);
	}
}

/* the processor is not known yet, and several have a table of the same name */
static void open_visible(struct otst *o, struct tables *ret)
{
	const struct otst_arch *arch;

	for (size_t i = 0; !ret->p && (arch = otst_arch_row(i)); i++)
		open_as(o, arch, ret);
}

/* ---- all of it ---- */

/* why a target with only physical memory shows nothing, and what would help */
static const char *explain(struct otst *o, const struct otst_vmcoreinfo *given,
			   const struct otst_whereabouts *found)
{
	const char *astray = explain_astray(o, found);
	bool missing;

	if (given && !names_tables(o, given, &missing))
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
	struct tables *ret = value;
	bool is_given = otst_vmcoreinfo_given(o, &given);

	(void)of;
	if (is_given)
		ret->p = open_described(o, &given);
	if (ret->p)
		return 0;
	if (is_given)
		ret->refused = given;
	if (find_image(o, ret) || search_memory(o, ret) || search_finely(o, ret))
		return 0;
	if (otst_stopped(o))
		return otst_stopped(o);
	if (o->ops.memory)
		ret->why = explain(o, is_given ? &given : NULL, &ret->found);
	else
		open_visible(o, ret);
	return otst_stopped(o);
}

static void free_tables(void *value)
{
	otst_pagetable_destroy(((struct tables *)value)->p);
}

static const struct otst_once tables = { .size = sizeof(struct tables),
					 .make = find_page_tables,
					 .destroy = free_tables };

/* the tables as they are now; NULL when they are not known */
static struct otst_pagetable *current_tables(struct otst *o)
{
	struct tables *t;

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
	struct tables *t;

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
static const struct tables *physical_tables(struct otst *o)
{
	char byte;

	if (!o->ops.memory || o->ops.read(o->priv, OTST_VIRT, 0, &byte, 1) != OTST_ERR_UNSUPPORTED)
		return NULL;
	return otst_once_or_null(o, &tables, NULL);
}

bool otst_vmcoreinfo_proved(struct otst *o, struct otst_vmcoreinfo *ret)
{
	const struct tables *t = physical_tables(o);

	if (t && t->info.text)
		*ret = t->info;
	else if ((t && t->refused.text) || !otst_vmcoreinfo_given(o, ret))
		return false;
	return true;
}

const struct otst_whereabouts *otst_whereabouts(struct otst *o)
{
	const struct tables *t = physical_tables(o);

	return t && t->p && t->found.at ? &t->found : NULL;
}

void otst_extents(struct otst *o, struct otst_vec *ret)
{
	struct otst_extent p;

	for (uint64_t i = 0;
	     o->ops.extent && !o->ops.extent(o->priv, i, &p.phys, &p.size, &p.offset); i++)
		*(struct otst_extent *)otst_vec_push(o, ret, sizeof(p)) = p;
}

const char *otst_vmcoreinfo_refused(struct otst *o)
{
	static const char wrong[] =
		"the dump's VMCOREINFO does not lead to the kernel's page table";
	const struct tables *t = physical_tables(o);

	if (!t || !t->p || !t->refused.text)
		return NULL;
	return t->info.text ? otst_format(o, "%s; its copy in memory at 0x%" PRIx64 " does", wrong,
					  t->found.at) :
			      otst_format(o, "%s; the image file does", wrong);
}

bool otst_image_found(struct otst *o, uint64_t *shift)
{
	const struct tables *t = physical_tables(o);

	if (!t || !t->shifted)
		return false;
	*shift = t->shift;
	return true;
}

int otst_memory_check(struct otst *o)
{
	const char *program = otst_program_of_core(o);
	const struct tables *t = program ? NULL : physical_tables(o);

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
