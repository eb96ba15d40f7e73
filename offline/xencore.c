// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * xencore.c - what Xen's "xl dump-core" writes of a guest: an ELF core with sections in the
 * place of program headers, see docs/misc/dump-core-format.txt of Xen. .xen_pages has the
 * memory, page by page, .xen_pfn the number of each page, in ascending order.
 *
 * Guests that Xen runs with the processor's help (HVM, PVH) are read. The page tables of
 * paravirtualized ones hold machine addresses, which .xen_p2m translates; those are refused.
 */
#include "forms.h"
#include "../front/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SECTIONS_MAX 4096u
#define NAME_MAX_LEN 32u
#define PAGE	     4096u
#define NUMBERS	     512u		 /* page numbers that are read at once */
#define CONTEXTS_MAX (64u << 20)	 /* registers of more cpus than Xen has */
#define PAGES_MAX    (UINT64_MAX / PAGE) /* that have an address */

/**
 * struct sections - section headers of the file
 * @names: the section that has their names
 */
struct sections {
	int fd;
	size_t count;
	Elf64_Shdr *list;
	uint64_t names;
};

static bool read_sections(int fd, struct sections *ret)
{
	Elf64_Ehdr eh;
	size_t size;

	*ret = (struct sections){ .fd = fd };
	if (!read_fully(fd, &eh, sizeof(eh), 0) || eh.e_shentsize != sizeof(Elf64_Shdr) ||
	    !eh.e_shnum || eh.e_shnum > SECTIONS_MAX || eh.e_shstrndx >= eh.e_shnum)
		return false;
	size = eh.e_shnum * sizeof(Elf64_Shdr);
	ret->count = eh.e_shnum;
	ret->list = malloc(size);
	if (!ret->list || !read_fully(fd, ret->list, size, eh.e_shoff))
		return false;
	ret->names = ret->list[eh.e_shstrndx].sh_offset;
	return true;
}

/* the section of this name; NULL when there is none */
static const Elf64_Shdr *find_section(const struct sections *s, const char *name)
{
	size_t len = strlen(name) + 1;
	char found[NAME_MAX_LEN];

	for (size_t i = 0; i < s->count; i++) {
		if (read_fully(s->fd, found, len, s->names + s->list[i].sh_name) &&
		    !memcmp(found, name, len))
			return &s->list[i];
	}
	return NULL;
}

/* ---- pages ---- */

/**
 * struct run - pages that follow each other in memory and in the file
 * @first: number of its first page
 * @at: where that is among the pages of the file
 */
struct run {
	uint64_t first;
	uint64_t at;
	uint64_t count;
};

static int add_run(struct segments *s, const Elf64_Shdr *pages, const struct run *r)
{
	return segments_add(s, r->first * PAGE, r->count * PAGE, pages->sh_offset + r->at * PAGE);
}

/* one more page; its number is @pfn */
static int add_page(struct segments *s, const Elf64_Shdr *pages, struct run *r, uint64_t pfn,
		    uint64_t at)
{
	int err = 0;

	if (r->count && pfn == r->first + r->count) {
		r->count++;
		return 0;
	}
	if (r->count)
		err = add_run(s, pages, r);
	*r = (struct run){ pfn, at, pfn < PAGES_MAX };
	return err;
}

static int add_pages(struct segments *s, int fd, const Elf64_Shdr *pages, const Elf64_Shdr *numbers)
{
	uint64_t count = pages->sh_size / PAGE, of[NUMBERS];
	struct run r = { 0 };
	int err = 0;

	if (count > numbers->sh_size / sizeof(*of)) {
		count = numbers->sh_size / sizeof(*of);
		complain("Xen's dump is damaged: it does not have the numbers of all pages");
	}
	for (uint64_t at = 0; !err && at < count; at++) {
		uint64_t left = count - at;

		if (!(at % NUMBERS) &&
		    !read_fully(fd, of, sizeof(*of) * (left < NUMBERS ? left : NUMBERS),
				numbers->sh_offset + at * sizeof(*of))) {
			complain(
				"Xen's dump is truncated: it does not have the numbers of all pages");
			break;
		}
		err = add_page(s, pages, &r, of[at % NUMBERS], at);
	}
	return err ?: r.count ? add_run(s, pages, &r) : 0;
}

/* ---- opening ---- */

static int add_memory(struct segments *to, const struct sections *s)
{
	const Elf64_Shdr *pages = find_section(s, ".xen_pages");
	const Elf64_Shdr *numbers = find_section(s, ".xen_pfn");

	if (pages && !numbers && find_section(s, ".xen_p2m")) {
		complain("a dump of a paravirtualized guest of Xen, whose page tables hold machine "
			 "addresses, is not read; crash reads it");
		return OTST_ERR_UNSUPPORTED;
	}
	if (!pages || !numbers) {
		complain(
			"the ELF dump has neither program headers nor the sections that Xen writes");
		return OTST_ERR_CORRUPT;
	}
	return add_pages(to, s->fd, pages, numbers);
}

static int open_sections(struct segments *to, int fd)
{
	struct sections s;
	int err;

	if (read_sections(fd, &s)) {
		err = add_memory(to, &s);
	} else {
		complain("the ELF dump's headers are damaged or cut off");
		err = OTST_ERR_CORRUPT;
	}
	free(s.list);
	return err;
}

static int open_xencore(const struct form_file *file, void **ret)
{
	struct segments *s;
	Elf64_Ehdr eh;
	int err;

	if (read_fully(file->fd, &eh, sizeof(eh), 0) && eh.e_machine != EM_X86_64) {
		complain("of Xen's dumps, only those of x86_64 are read");
		return OTST_ERR_UNSUPPORTED;
	}
	err = segments_create(file->fd, &s);
	if (err)
		return err;
	return segments_finish(s, open_sections(s, file->fd), "dump of Xen", ret);
}

/* ---- registers ---- */

static int read_contexts(int fd, const Elf64_Shdr *at, void **notes, size_t *len)
{
	size_t size = at->sh_size;
	unsigned char *contexts;
	int err = 0;

	if (!size || size > CONTEXTS_MAX)
		return 0;
	contexts = malloc(size);
	if (!contexts)
		return OTST_ERR_NOMEM;
	if (read_fully(fd, contexts, size, at->sh_offset))
		err = registers_of_xen(contexts, size, notes, len);
	else
		complain("the registers are not in the dump: it is truncated");
	free(contexts);
	return err;
}

static int xencore_registers(void *priv, const struct form_file *file, void **notes, size_t *len)
{
	const Elf64_Shdr *at;
	struct sections s;
	int err = 0;

	(void)priv;
	if (read_sections(file->fd, &s)) {
		at = find_section(&s, ".xen_prstatus");
		err = at ? read_contexts(file->fd, at, notes, len) : 0;
	}
	free(s.list);
	return err;
}

const struct form_ops xencore_form = {
	.open = open_xencore,
	.close = segments_close,
	.read = segments_read,
	.next = segments_next,
	.registers = xencore_registers,
};
