/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - what the files of this folder keep inside struct otst.
 *
 * Private to src/target: decoders use target.h.
 */
#ifndef OTST_ENGINE_H
#define OTST_ENGINE_H

#include "image.h"
#include "target.h"

struct arena_block;
struct memo;
struct undo;
struct page_cache;
struct type_cache;
struct symbol_cache;
struct module_cache;
struct image;
struct cfi;
struct debug;
struct otst_modfiles;
struct otst_notes;

/**
 * struct arena - memory that is freed all at once
 * @blocks: newest first
 */
struct arena {
	struct arena_block *blocks;
};

void *otst_arena_alloc(struct arena *a, size_t len);
void otst_arena_free(struct arena *a);

/**
 * struct paging - what the engine knows of the kernel's page tables
 * @tried: they were looked for, or are being looked for
 * @table: NULL when they are not known
 */
struct paging {
	bool tried;
	struct otst_pagetable *table;
};

/**
 * struct vmcoreinfo - the kernel's own copy of the text
 * @tried: it was looked for
 * @text: NULL when it cannot be had; lives as long as the engine
 */
struct vmcoreinfo {
	bool tried;
	const char *text;
	size_t len;
};

/** struct otst - one opened dump; each cache is made at its first use */
struct otst {
	const struct otst_target_ops *ops;
	void *priv;
	struct otst_options options;
	struct arena command;
	struct arena engine;
	char message[1024];

	struct memo *memos;
	struct memo *kept;
	struct undo *at_end;
	struct undo *at_close;
	struct page_cache *pages;
	struct paging paging;
	struct vmcoreinfo vmcoreinfo;
	struct type_cache *types;
	struct symbol_cache *symbols;
	struct module_cache *modules;
	struct otst_kernel *kernel;
	struct image *image;
	struct cfi *cfi;
	struct debug *debug;
	struct otst_modfiles *modfiles;
	struct otst_notes *notes;
	const char *module_dir; /* of otst_debug_dir() */
};

/** otst_keep_string() - cleaned copy of @s that lives as long as the engine, NULL when out of memory */
char *otst_keep_string(struct otst *o, const char *s);

/* Each file frees what malloc or a library gave it; all take a NULL cache. */
void otst_memory_deinit(struct otst *o);
void otst_types_deinit(struct otst *o);
void otst_symbols_deinit(struct otst *o);
void otst_image_deinit(struct otst *o);
void otst_cfi_deinit(struct otst *o);
void otst_debug_deinit(struct otst *o);
void otst_notes_deinit(struct otst *o);

/** otst_target_read() - straight to the target, no cache */
int otst_target_read(struct otst *o, int space, uint64_t addr, void *buf, size_t len);

/**
 * otst_translated_read() - virtual memory that the target does not translate (translate.c)
 *
 * Return: 0, FAULT without a message, or what a physical read returned.
 */
int otst_translated_read(struct otst *o, uint64_t addr, void *buf, size_t len);

#define OTST_NOTE_HEADER 12u /* Elf64_Nhdr */

/** otst_prstatus_regs() - registers out of a struct elf_prstatus of @len bytes (regs.c); LOOKUP when it is too short */
int otst_prstatus_regs(const unsigned char *desc, size_t len, uint64_t *ret);

/** otst_note_regs() - registers of the dump file's note number @cpu (notes.c); LOOKUP, without a message, when it has none */
int otst_note_regs(struct otst *o, unsigned int cpu, uint64_t *ret);

/** otst_target_symbol() - symbol from the front end, not from kallsyms */
int otst_target_symbol(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_vmcoreinfo_symbol() - symbol value from VMCOREINFO's SYMBOL(name)
 *
 * Return: 0 or LOOKUP, without a message.
 */
int otst_vmcoreinfo_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_image_section() - bytes of a section of the kernel's image file, valid as long as the engine; LOOKUP when there is none */
int otst_image_section(struct otst *o, const char *name, const void **ret, size_t *len);

/** otst_image_text() - bytes of the image file's text at a run-time address; 0 or LOOKUP */
int otst_image_text(struct otst *o, uint64_t addr, void *buf, size_t len);

/** otst_image_elf() - libelf's Elf of the image file, or NULL */
void *otst_image_elf(struct otst *o);

/** otst_image_shift() - run-time address minus link address; false when unknown */
bool otst_image_shift(struct otst *o, uint64_t *ret);

/** otst_image_global() - address of a global symbol of the image file, in the running kernel; LOOKUP, without a message */
int otst_image_global(struct otst *o, const char *name, uint64_t *ret);

/* ---- hash of strings (names.c) ---- */

/** struct otst_names - open-addressing map from a hash to a non-zero 32-bit value */
struct otst_names {
	uint32_t *hash;
	uint32_t *value;
	size_t mask;
	size_t used;
};

uint32_t otst_hash(const char *s, size_t len);
int otst_names_init(struct otst_names *n, size_t expected);
void otst_names_deinit(struct otst_names *n);
void otst_names_add(struct otst_names *n, uint32_t hash, uint32_t value);
/** otst_names_find() - next value with this hash; start with *@slot = SIZE_MAX; 0 at the end */
uint32_t otst_names_find(const struct otst_names *n, uint32_t hash, size_t *slot);

/* ---- BTF (btf.c) ---- */

struct btf;
struct btf_type;
struct otst_btf;

/** otst_btf_strip() - the type behind typedefs and const, volatile, restrict, type tags */
const struct btf_type *otst_btf_strip(const struct btf *btf, uint32_t id);

/** otst_btf_open() - the kernel's BTF from the image file or the dump; NULL without a message when there is none */
struct otst_btf *otst_btf_open(struct otst *o);
void otst_btf_close(struct otst_btf *b);
int otst_btf_member(struct otst_btf *b, const char *type, const char *member,
		    struct otst_member *ret);
int otst_btf_type_size(struct otst_btf *b, const char *type, uint64_t *ret);
int otst_btf_enumerator(struct otst_btf *b, const char *name, int64_t *ret);
/** otst_btf_enum_name() - see otst_enum_name(); not cleaned */
const char *otst_btf_enum_name(struct otst_btf *b, const char *sibling, int64_t value);
uint32_t otst_btf_function(struct otst_btf *b, const char *name);
bool otst_btf_param(struct otst_btf *b, uint32_t function, unsigned int i, struct otst_param *ret);
const char *otst_btf_param_enum(struct otst_btf *b, const struct otst_param *p, int64_t value);
/** otst_btf_parse() - libbpf's handle of a blob, which it copies; quietly NULL when it makes no sense */
struct btf *otst_btf_parse(const void *data, size_t size);
/** otst_btf_raw() - libbpf's handle */
struct btf *otst_btf_raw(struct otst_btf *b);
/** otst_symbol_shared() - has the kernel's own table several symbols of this name (symbols.c) */
bool otst_symbol_shared(struct otst *o, const char *name);
/** otst_types_btf() - the BTF that types come from, or NULL (types.c) */
struct otst_btf *otst_types_btf(struct otst *o);
/** otst_btf_prototype() - parameters of a function by its name (prototype_btf.c); LOOKUP when it is not known */
int otst_btf_prototype(struct otst *o, const char *name, struct otst_prototype *ret);

#define OTST_PARAMS	 32u  /* of a function; more are not believed */
#define OTST_ENUM_VALUES 512u /* of an enum, that are kept */

/* ---- the kernel's own symbol table (kallsyms.c) ---- */

struct otst_kallsyms;

/** otst_kallsyms_open() - the table in the dump; NULL, with a message, when it cannot be read */
struct otst_kallsyms *otst_kallsyms_open(struct otst *o);
void otst_kallsyms_close(struct otst_kallsyms *k);
int otst_kallsyms_find(struct otst *o, struct otst_kallsyms *k, const char *name, uint64_t *ret);
/** otst_kallsyms_shared() - has the kernel several symbols of this name; ask after otst_kallsyms_find() */
bool otst_kallsyms_shared(struct otst_kallsyms *k, const char *name);
int otst_kallsyms_at(struct otst *o, struct otst_kallsyms *k, uint64_t addr, struct otst_sym *ret);

/** otst_kallsyms_each() - symbols of the table; see otst_kernel_symbols() */
int otst_kallsyms_each(struct otst *o, struct otst_kallsyms *k, const char *prefix,
		       int (*each)(void *priv, const struct otst_sym *sym, char type), void *priv);

/** otst_module_symbols_each() - all symbols of @m; see otst_symbols() */
int otst_module_symbols_each(struct otst *o, const struct otst_module *m,
			     int (*each)(void *priv, const struct otst_sym *sym, char type),
			     void *priv);

/** otst_module_symbol_at() - kernel's find_kallsyms_symbol(); LOOKUP when @m has none there */
int otst_module_symbol_at(struct otst *o, const struct otst_module *m, uint64_t addr,
			  struct otst_sym *ret);

#endif /* OTST_ENGINE_H */
