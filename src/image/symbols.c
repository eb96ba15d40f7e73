// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * symbols.c - the symbol table of the kernel's image file, by name and by address.
 *
 * The kernel's own table in the dump (kallsyms) is preferred. This one is used for a
 * target without symbols: to find the kernel's table, on kernels whose VMCOREINFO
 * does not name it (Linux before 5fd8fea935a1 ("vmcoreinfo: include kallsyms
 * symbols") (v6.0)), and where the table is not in the dump.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../base/hash.h"
#include "../base/sorted.h"
#include "image.h"

/** struct place - a symbol by its address; @index is into the table */
struct place {
	uint64_t addr;
	uint32_t index;
};

/**
 * struct slot - a slot of the table by name
 * @index: into the symbol table, 0 for a free slot
 * @tag: of the name's hash
 * @plain: by the name without a compiler suffix: link-time optimization has "f.llvm.1" for a static f
 */
struct slot {
	uint32_t index : 24;
	uint32_t tag : 7;
	uint32_t plain : 1;
};

#define TAG_SHIFT 25

#define SYMBOLS_MAX (1u << 24)

/**
 * struct symtab - @count is 0 without a table
 * @first: lowest address of the image, lower symbols are offsets
 */
struct symtab {
	struct otst_mapping sym_view,
		string_view; /* mapped only if the file has this machine's byte order */
	const Elf64_Sym *syms;
	size_t count;
	const char *strings;
	size_t strings_len;
	struct slot *by_name; /* open addressing; one for each name */
	size_t mask;
	struct place *by_addr; /* sorted, one for each address */
	size_t places;
	uint64_t first;
};

/* NULL for symbols that name no place: sections, files, undefined and nameless ones. */
static const char *name_of_symbol(const struct symtab *s, const Elf64_Sym *sym)
{
	unsigned int type = ELF64_ST_TYPE(sym->st_info);
	const char *name = s->strings + sym->st_name;

	if (!sym->st_name || sym->st_name >= s->strings_len || sym->st_shndx == SHN_UNDEF ||
	    type == STT_FILE || type == STT_SECTION ||
	    strnlen(name, OTST_NAME_MOST) == OTST_NAME_MOST)
		return NULL;
	return name;
}

static bool is_global(const Elf64_Sym *sym)
{
	return ELF64_ST_BIND(sym->st_info) != STB_LOCAL;
}

/* The per-cpu segment of x86_64 is linked at 0. */
static uint64_t first_address(Elf *elf)
{
	uint64_t first = UINT64_MAX;
	size_t count = 0, i;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &count);
	for (i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_vaddr &&
		    ph.p_vaddr < first)
			first = ph.p_vaddr;
	}
	return first;
}

/* maps @syms and @strings from the file: libelf's own mapping cannot be released in parts */
static void view_tables(struct otst *o, Elf *elf, const GElf_Shdr *sh, struct symtab *s)
{
	const char *ident = elf_getident(elf, NULL);
	GElf_Shdr names;

	if (!ident ||
	    ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB) ||
	    !gelf_getshdr(elf_getscn(elf, sh->sh_link), &names) || sh->sh_offset % 8 ||
	    (sh->sh_flags | names.sh_flags) & SHF_COMPRESSED ||
	    otst_image_map(o, sh->sh_offset, sh->sh_size, &s->sym_view) ||
	    otst_image_map(o, names.sh_offset, names.sh_size, &s->string_view)) {
		otst_mapping_close(&s->sym_view);
		return;
	}
	s->syms = s->sym_view.data;
	s->strings = s->string_view.data;
}

static int open_symtab(struct otst *o, const void *of, void *value)
{
	Elf *elf = otst_image_elf(o);
	Elf_Data *syms = NULL, *strings = NULL;
	struct symtab *s = value;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	(void)of;
	while (elf && (scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			break;
	}
	if (scn) {
		syms = elf_getdata(scn, NULL);
		strings = elf_getdata(elf_getscn(elf, sh.sh_link), NULL);
	}
	if (!syms || !strings || !strings->d_size ||
	    ((const char *)strings->d_buf)[strings->d_size - 1])
		return 0;
	s->syms = syms->d_buf;
	s->count = syms->d_size / sizeof(Elf64_Sym);
	if (s->count > SYMBOLS_MAX)
		s->count = SYMBOLS_MAX;
	s->strings = strings->d_buf;
	s->strings_len = strings->d_size;
	s->first = first_address(elf);
	view_tables(o, elf, &sh, s);
	return 0;
}

static void close_symtab(void *value)
{
	struct symtab *s = value;

	free(s->by_name);
	free(s->by_addr);
	otst_mapping_close(&s->sym_view);
	otst_mapping_close(&s->string_view);
}

/* number of symbols after which the pages read from the tables are released */
#define FORGET_EACH 4096u

static void forget_tables(const struct symtab *s)
{
	otst_mapping_forget(&s->sym_view);
	otst_mapping_forget(&s->string_view);
}

static const struct otst_once symtab = { .size = sizeof(struct symtab),
					 .make = open_symtab,
					 .destroy = close_symtab };

/* NULL when there is none; the indexes are filled in behind a constant handle */
static struct symtab *get_symtab(struct otst *o)
{
	struct symtab *s = (struct symtab *)otst_once_or_null(o, &symtab, NULL);

	return s && s->count ? s : NULL;
}

bool otst_image_has_symbols(struct otst *o)
{
	return get_symtab(o);
}

static bool is_slot_of(const struct symtab *s, const struct slot *slot, const char *name,
		       size_t len)
{
	const char *found = s->strings + s->syms[slot->index].st_name;

	return !strncmp(found, name, len) &&
	       (slot->plain ? strcspn(found, ".") == len : !found[len]);
}

/* where the first @len bytes of @name, with their @hash, are, or may be put; NULL after too many others */
static struct slot *find_symbol_slot(struct symtab *s, const char *name, size_t len, uint32_t hash)
{
	size_t at = hash & s->mask, steps = 0;

	while (s->by_name[at].index && (s->by_name[at].tag != hash >> TAG_SHIFT ||
					!is_slot_of(s, &s->by_name[at], name, len))) {
		if (++steps == OTST_NAMES_SHARE)
			return NULL;
		at = (at + 1) & s->mask;
	}
	return &s->by_name[at];
}

/* what is called so comes first; of the rest, what is not only the unlikely part of a function */
static void add_plain_name(struct symtab *s, uint32_t i, const char *name, size_t len)
{
	const uint32_t hash = otst_hash(name, len);
	struct slot *slot = find_symbol_slot(s, name, len, hash);

	if (slot && (!slot->index ||
		     (slot->plain && strstr(s->strings + s->syms[slot->index].st_name, ".cold"))))
		*slot = (struct slot){ i, hash >> TAG_SHIFT, true };
}

/* Local symbols can share a name; a global one takes precedence. */
static int index_names(struct symtab *s)
{
	size_t size = 1024;

	while (size < s->count + s->count / 3)
		size *= 2;
	s->by_name = calloc(size, sizeof(*s->by_name));
	if (!s->by_name)
		return OTST_ERR_NOMEM;
	s->mask = size - 1;
	for (uint32_t i = 1; i < s->count; i++) {
		const char *name = name_of_symbol(s, &s->syms[i]);
		size_t len = name ? strlen(name) : 0, plain = name ? strcspn(name, ".") : 0;
		uint32_t hash = name ? otst_hash(name, len) : 0;
		struct slot *slot = name ? find_symbol_slot(s, name, len, hash) : NULL;

		if (slot && (!slot->index || slot->plain ||
			     (is_global(&s->syms[i]) && !is_global(&s->syms[slot->index]))))
			*slot = (struct slot){ i, hash >> TAG_SHIFT, false };
		if (plain && plain < len)
			add_plain_name(s, i, name, plain);
		if (!(i % FORGET_EACH))
			forget_tables(s);
	}
	forget_tables(s);
	return 0;
}

static const Elf64_Sym *find_image_symbol(struct otst *o, const char *name)
{
	struct symtab *s = get_symtab(o);
	const struct slot *slot;

	if (!s || (!s->by_name && index_names(s)))
		return NULL;
	slot = find_symbol_slot(s, name, strlen(name), otst_hash(name, strlen(name)));
	return slot && slot->index ? &s->syms[slot->index] : NULL;
}

int otst_image_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	const Elf64_Sym *sym = find_image_symbol(o, name);

	if (!sym || !is_global(sym))
		return OTST_ERR_LOOKUP;
	*ret = sym->st_value;
	return 0;
}

int otst_image_running_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	const Elf64_Sym *sym = find_image_symbol(o, name);
	uint64_t shift = 0;

	if (!sym)
		return OTST_ERR_LOOKUP;
	if (sym->st_value >= get_symtab(o)->first)
		otst_image_shift(o, &shift);
	*ret = sym->st_value + shift;
	return 0;
}

int otst_image_each(struct otst *o, const char *prefix,
		    int (*each)(void *priv, const char *name, uint64_t addr), void *priv)
{
	const struct symtab *s = get_symtab(o);
	const size_t len = strlen(prefix);
	uint64_t shift = 0;
	int err = s ? 0 : OTST_ERR_LOOKUP;

	if (s)
		otst_image_shift(o, &shift);
	for (size_t i = 1; !err && i < s->count; i++) {
		const char *name = name_of_symbol(s, &s->syms[i]);
		uint64_t addr = s->syms[i].st_value;

		if (name && !strncmp(name, prefix, len))
			err = each(priv, name, addr + (addr >= s->first ? shift : 0));
		if (!(i % FORGET_EACH))
			forget_tables(s);
	}
	return err;
}

static int by_symbol_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return otst_cmp(x->addr, y->addr) ?: otst_cmp(x->index, y->index);
}

static int index_places(struct symtab *s)
{
	size_t n = 0, kept = 0;

	s->by_addr = calloc(s->count + 1, sizeof(*s->by_addr));
	if (!s->by_addr)
		return OTST_ERR_NOMEM;
	for (uint32_t i = 1; i < s->count; i++) {
		const Elf64_Sym *sym = &s->syms[i];

		if (name_of_symbol(s, sym) && sym->st_shndx != SHN_ABS)
			s->by_addr[n++] = (struct place){ sym->st_value, i };
	}
	otst_sort(s->by_addr, n, sizeof(*s->by_addr), by_symbol_place);
	for (size_t i = 0; i < n; i++) {
		struct place *last = kept ? &s->by_addr[kept - 1] : NULL;

		if (!last || last->addr != s->by_addr[i].addr)
			s->by_addr[kept++] = s->by_addr[i];
		else if (is_global(&s->syms[s->by_addr[i].index]) &&
			 !is_global(&s->syms[last->index]))
			last->index = s->by_addr[i].index;
	}
	s->places = kept;
	return 0;
}

int otst_image_symbol_at(struct otst *o, uint64_t addr, struct otst_symbol *ret)
{
	struct symtab *s = get_symtab(o);
	uint64_t shift = 0;
	const Elf64_Sym *sym;
	size_t n;

	if (!s || (!s->by_addr && index_places(s)))
		return OTST_ERR_LOOKUP;
	otst_image_shift(o, &shift);
	if (addr - shift < s->first)
		return OTST_ERR_LOOKUP;
	n = otst_count_up_to(s->by_addr, s->places, addr, addr - shift);
	/* Past the last symbol (_end or the like) there is nothing of the kernel. */
	if (!n || n == s->places)
		return OTST_ERR_LOOKUP;
	sym = &s->syms[s->by_addr[n - 1].index];
	memset(ret, 0, sizeof(*ret));
	ret->addr = s->by_addr[n - 1].addr + shift;
	ret->size = s->by_addr[n].addr - s->by_addr[n - 1].addr;
	strncpy(ret->name, s->strings + sym->st_name, sizeof(ret->name) - 1);
	return 0;
}
