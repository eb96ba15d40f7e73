/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * engine.h - what the files of this folder keep inside struct otst.
 *
 * Private to src/dump: decoders use dump.h.
 */
#ifndef OTST_ENGINE_H
#define OTST_ENGINE_H

#include <bpf/libbpf.h>
#include <stdarg.h>

#include "image.h"
#include "dump.h"

struct arena_block;
struct memo;
struct undo;
struct once_entry;

/**
 * struct arena - memory that is freed all at once
 * @blocks: newest first
 */
struct arena {
	struct arena_block *blocks;
};

void otst_arena_free(struct arena *a);

/** otst_undo_all() - run what otst_at_end() was given, the last first */
void otst_undo_all(struct undo **list);

/**
 * struct once_table - all answers of otst_once() (once.c)
 * @latest: linked by struct once_entry.earlier, the last one finished first
 * @making: number of answers being determined, one for another
 * @stale: the next command forgets them
 */
struct once_table {
	struct otst_hashmap entries;
	struct once_entry *latest;
	unsigned int making;
	bool stale;
};

/**
 * struct otst - one opened dump
 * @engine: memory of what is cached until otst_once_forget()
 * @stopped: the error that ended the command, 0 while it goes on
 * @running: a command has begun and not ended
 * @reading: number of the current reading of a live kernel, see otst_read_anew(); 0 for a dump
 * @memory: the same for cached memory, see otst_memory_anew()
 * @allocations: how many there were; a test makes number @fail_allocation fail
 */
#define OTST_SPARE (1u << 20)

struct otst {
	struct otst_target_ops ops;
	void *priv;
	struct otst_options options;
	char *vmlinux, *module_dir, *root, *btf;
	struct arena command;
	struct arena engine;
	char message[1024];
	char stop_message[1024];
	int stopped;
	bool running;
	uint64_t reading, memory;
	uint64_t allocations, fail_allocation;

	struct doubts {
		uint64_t count;
		const char *why;
		const char *help;
	} doubts; /* of the command; see coverage.h */
	struct memo *memos;
	struct undo *at_end;
	struct once_table once;
	bool force;   /* of otst_image_check() */
	int unpacked; /* 1 + descriptor of what the image file is when decompressed; 0: none */
	struct {
		bool done, found, said, told;
		bool bare;    /* what was found has no text as built */
		bool unknown; /* the build ID of the dump's kernel */
		bool images;  /* boot images were tried, too */
		char *why;    /* why debuginfod had no file */
	} search;	      /* of otst_image_search() */

	/* for elements that cannot be allocated, see otst_vec_push() */
	size_t spare_used;
	_Alignas(16) unsigned char spare[OTST_SPARE];
};

/** otst_keep_format() - cleaned formatted string in the engine's memory; NULL when out of memory */
char *otst_keep_format(struct otst *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** otst_once_forget() - free all answers of otst_once(), and what otst_keep() gave */
void otst_once_forget(struct otst *o);

/** otst_keep_string() - cleaned copy of @s in the engine's memory; NULL when out of memory */
char *otst_keep_string(struct otst *o, const char *s);

/**
 * otst_answer() - take an error that the front end returned
 *
 * Raises the message of an error that ends the command. Return: @err.
 */
int otst_answer(struct otst *o, int err);

/**
 * otst_doubt() - note that a name was not found and may exist all the same (coverage.c)
 * @why: lives as long as the command
 */
void otst_doubt(struct otst *o, const char *why, const char *help);

/** otst_knows() - does the front end know all of @what */
bool otst_knows(struct otst *o, enum otst_knowledge what);

/** otst_target_read() - read straight from the target, without the cache */
int otst_target_read(struct otst *o, int space, uint64_t addr, void *buf, size_t len);

/**
 * otst_translated_read() - read virtual memory that the target does not translate (translate.c)
 *
 * Return: 0, FAULT without a message, or what a physical read returned.
 */
int otst_translated_read(struct otst *o, uint64_t addr, void *buf, size_t len);

/* ---- ELF notes (notes.c) ---- */

/** struct otst_note - one ELF note; @name_len counts the NUL; @name, @desc point into the notes */
struct otst_note {
	uint32_t type;
	const char *name;
	uint64_t name_len;
	const unsigned char *desc;
	uint64_t len;
};

/**
 * otst_note_next() - get the note at *@at, and move *@at to the next one
 *
 * Return: false at the end, and where the notes are damaged.
 */
bool otst_note_next(const struct otst *o, const unsigned char *notes, size_t len, size_t *at,
		    struct otst_note *ret);

/** otst_note_find() - find the note of this name and type that follows @skip others */
bool otst_note_find(const struct otst *o, const unsigned char *notes, size_t len, const char *name,
		    uint32_t type, unsigned int skip, struct otst_note *ret);

/** otst_dump_note() - the same among the notes of the dump file, &otst_target_ops.notes */
bool otst_dump_note(struct otst *o, const char *name, uint32_t type, unsigned int skip,
		    struct otst_note *ret);

/** otst_program_of_core() - whose core the dump file is: "bash (PID 7: bash -x)"; NULL: no program's */
const char *otst_program_of_core(struct otst *o);

/**
 * otst_image_found() - how far the image is moved, by its place in physical memory (translate.c)
 */
bool otst_image_found(struct otst *o, uint64_t *shift);

/* ---- VMCOREINFO (vmcoreinfo.c) ---- */

/** struct otst_vmcoreinfo - the text, @len bytes */
struct otst_vmcoreinfo {
	const char *text;
	uint64_t len;
};

/** otst_vmcoreinfo_line() - value of the line "@key=", @len bytes; NULL when there is none */
const char *otst_vmcoreinfo_line(const struct otst_vmcoreinfo *v, const char *key, size_t *len);

/** otst_vmcoreinfo_value() - the same as a number; @base as for strtoull() */
bool otst_vmcoreinfo_value(const struct otst_vmcoreinfo *v, const char *key, int base,
			   uint64_t *ret);

/** otst_vmcoreinfo_at() - does VMCOREINFO text start here; @ret reaches to its end or to @size */
bool otst_vmcoreinfo_at(const char *text, size_t size, struct otst_vmcoreinfo *ret);

/** otst_vmcoreinfo_given() - as the front end supplies it, directly or as a note */
bool otst_vmcoreinfo_given(struct otst *o, struct otst_vmcoreinfo *ret);

/**
 * otst_vmcoreinfo_proved() - what the front end supplies, unless it does not lead to the page
 * tables (translate.c); else what was found in physical memory
 */
bool otst_vmcoreinfo_proved(struct otst *o, struct otst_vmcoreinfo *ret);

/** otst_target_symbol() - symbol from the front end or from the image file, not from kallsyms */
int otst_target_symbol(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_vmcoreinfo_symbol() - symbol value from VMCOREINFO's SYMBOL(name)
 *
 * Return: 0 or LOOKUP, without a message.
 */
int otst_vmcoreinfo_symbol(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_vmcoreinfo_each() - the lines "@kind(name)=value"
 * @each: a non-zero return ends the list and is returned
 *
 * Return: 0, also without VMCOREINFO.
 */
int otst_vmcoreinfo_each(struct otst *o, const char *kind,
			 int (*each)(void *priv, const char *name, const char *value), void *priv);

/* ---- the kernel's image in memory, searched (scan.c) ---- */

#define OTST_IMAGE_MAX	 (512u << 20) /* no kernel's image is larger */
#define OTST_SCAN_BEHIND 512u	      /* bytes that a window has after its end */

/**
 * struct otst_scan - a search through the kernel's image
 * @window: looks at @len bytes at @addr; up to @behind more bytes follow, at most
 *	OTST_SCAN_BEHIND, for what begins in the window. Missing memory is zeros. A
 *	non-zero return ends the search
 * @missing: bytes that are not in the dump, the first of them at @missing_at
 * @err, @why: what was wrong with the first thing that looked right; 0: nothing
 */
struct otst_scan {
	int (*window)(void *priv, uint64_t addr, const unsigned char *data, size_t len,
		      size_t behind);
	void *priv;
	uint64_t missing;
	uint64_t missing_at;
	int err;
	const char *why;
};

/**
 * otst_scan_image() - search from init_uts_ns, a variable, down to _stext: all read-only data
 *
 * VMCOREINFO has always named the two.
 *
 * Return: 0; what @window returned; LOOKUP when VMCOREINFO does not say where the image is; what
 * ends a command.
 */
int otst_scan_image(struct otst *o, struct otst_scan *s);

/** otst_scan_note() - keep @err and @why if they are the first; 0, or what ends a command */
int otst_scan_note(struct otst *o, struct otst_scan *s, int err, const char *why);

/**
 * otst_scan_failed() - the answer of a search that found nothing
 * @err: what otst_scan_image() returned
 * @nothing, @where: of the message: "no BTF was found", "", or " where it may be"
 *
 * Return: @err; what otst_scan_note() kept; FAULT when memory is missing; else LOOKUP.
 */
int otst_scan_failed(struct otst *o, const struct otst_scan *s, int err, const char *nothing,
		     const char *where);

/**
 * otst_read_tail() - read the bytes before @end, as far as they are in the dump
 * @buf: gets them at its end; it has @most bytes
 * @ret: how many there are, all of @least
 *
 * Return: 0; FAULT when fewer than @least are there; what ends a command.
 */
int otst_read_tail(struct otst *o, uint64_t end, unsigned char *buf, size_t least, size_t most,
		   size_t *ret);

/**
 * struct otst_mapping - a part of the kernel's image file, in a mapping of its own:
 * its pages can be released, so they stay in memory no longer than needed
 */
struct otst_mapping {
	void *map;
	size_t map_len;
	const void *data;
	size_t len;
};

#define OTST_MAP_ALIGNED 65536u /* no machine has larger pages */

/** otst_image_map() - map @len bytes at @offset of the file; LOOKUP when it does not have them */
int otst_image_map(struct otst *o, uint64_t offset, size_t len, struct otst_mapping *ret);

/** otst_image_map_section() - map a section; LOOKUP when there is none */
int otst_image_map_section(struct otst *o, const char *name, struct otst_mapping *ret);

/** otst_mapping_forget() - release the pages of the mapping, which stays valid */
void otst_mapping_forget(const struct otst_mapping *v);
void otst_mapping_close(struct otst_mapping *v);

/** otst_image_text() - bytes of the image file's text at a run-time address; 0 or LOOKUP */
int otst_image_text(struct otst *o, uint64_t addr, void *buf, size_t len);

/** otst_image_string() - NUL-terminated string at a global symbol, cut to @size; 0 or LOOKUP */
int otst_image_string(struct otst *o, const char *symbol, char *ret, size_t size);

/** otst_image_string_at() - the same at a link address */
int otst_image_string_at(struct otst *o, uint64_t addr, char *ret, size_t size);

/** otst_image_elf() - libelf's Elf of the image file, or NULL */
void *otst_image_elf(struct otst *o);

/** otst_image_dwarf() - libdw's Dwarf of the image file, opened at first use, or NULL */
void *otst_image_dwarf(struct otst *o);

/* ---- symbols of the image file (image_symbols.c); LOOKUP without a message ---- */

/** otst_image_has_symbols() - does it have a symbol table, which then has all symbols */
bool otst_image_has_symbols(struct otst *o);

/** otst_image_symbol() - link address of a global symbol */
int otst_image_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_image_running_symbol() - run-time address of any symbol, preferably a global one */
int otst_image_running_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_image_symbol_at() - see &otst_target_ops.symbol_at */
int otst_image_symbol_at(struct otst *o, uint64_t addr, struct otst_symbol *ret);

/**
 * otst_elf_shift() - the same for a file that is not yet the image file, by what VMCOREINFO says
 * @elf: libelf's Elf
 */
bool otst_elf_shift(struct otst *o, void *elf, uint64_t *ret);

/** otst_image_shift() - run-time address minus link address; false when unknown */
bool otst_image_shift(struct otst *o, uint64_t *ret);

/** otst_image_global() - run-time address of a global symbol; LOOKUP without a message */
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

/* ---- names of types (types.c) ---- */

/** otst_type_length() - length of the plain name of a type: 3 of "log{ts_nsec}" */
size_t otst_type_length(const char *type);

/**
 * otst_type_fits() - does a structure have all the members that @type lists after its plain name
 * @has: returns 0 when the structure has @member, LOOKUP when it does not, or the
 *	error that kept it from looking
 *
 * Return: 0, or the first other value that @has returned.
 */
int otst_type_fits(const char *type, int (*has)(void *priv, const char *member), void *priv);

/* ---- BTF (btf.c) ---- */

struct btf;
struct btf_type;
struct otst_btf;

/** otst_btf_strip() - the type behind typedefs and const, volatile, restrict, type tags */
const struct btf_type *otst_btf_strip(const struct btf *btf, uint32_t id);

/**
 * otst_btf_open() - the kernel's BTF from the image file or the dump
 *
 * Return: 0; LOOKUP when the kernel has none; FAULT, CORRUPT, or what ends a command.
 */
int otst_btf_open(struct otst *o, struct otst_btf **ret);
/** otst_btf_take() - the same of @btf, which it takes over */
int otst_btf_take(struct otst *o, struct btf *btf, struct otst_btf **ret);
/** otst_btf_read() - read and parse @size bytes of the dump */
int otst_btf_read(struct otst *o, uint64_t addr, uint64_t size, struct btf **ret);
/** otst_btf_quiet() - a libbpf_print_fn_t that prints nothing */
int otst_btf_quiet(enum libbpf_print_level level, const char *fmt, va_list ap);
/**
 * otst_btf_says() - offset of a member, or size of a type
 * @member: NULL for the size
 * @want: preferred where several types share the name
 *
 * Return: false if BTF has no such type, or the type no such member.
 */
bool otst_btf_says(struct otst_btf *b, const char *type, const char *member, uint64_t want,
		   uint64_t *ret);

/**
 * struct otst_btf_match - types compared with the dump (btf_check.c)
 * @same: numbers that are the same
 * @differs: the first one that is not, in words; NULL: none
 */
struct otst_btf_match {
	size_t same;
	const char *differs;
};

/**
 * otst_btf_check() - compare with what the dump says without types: SIZE(), OFFSET() and NUMBER()
 * of VMCOREINFO, the places of per-cpu variables
 *
 * Return: 0, or what ends a command.
 */
int otst_btf_check(struct otst *o, struct otst_btf *b, struct otst_btf_match *ret);

/**
 * otst_btf_find() - find the kernel's BTF by its header (btf_find.c)
 *
 * Return: 0; LOOKUP when there is none that otst_btf_check() proves; FAULT, what ends a command.
 */
int otst_btf_find(struct otst *o, struct otst_btf **ret);

/** otst_btf_file_read() - parse &otst_options.btf (btf_file.c); FILE when that fails */
int otst_btf_file_read(struct otst *o, struct btf **ret);

/**
 * otst_btf_file_check() - refuse a file that is not BTF, or another kernel's
 *
 * Return: 0; FILE; UNSUPPORTED, with what differs in the message; what ends a command.
 */
int otst_btf_file_check(struct otst *o, bool force);
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
/** otst_btf_parse() - libbpf's handle of a blob, which it copies; NULL, quietly, when invalid */
struct btf *otst_btf_parse(const void *data, size_t size);
/** otst_btf_raw() - libbpf's handle */
struct btf *otst_btf_raw(struct otst_btf *b);
/**
 * otst_symbol_shared() - does the kernel's own table have several symbols of this name (symbols.c)
 */
bool otst_symbol_shared(struct otst *o, const char *name);
/** otst_types_usable() - 0, or the error if &otst_options.btf cannot be read (types.c) */
int otst_types_usable(struct otst *o);
/** otst_types_btf() - the BTF that the types come from, or NULL (types.c) */
struct otst_btf *otst_types_btf(struct otst *o);
/**
 * otst_btf_prototype() - parameters of a function by name (prototype_btf.c); LOOKUP when unknown
 */
int otst_btf_prototype(struct otst *o, const char *name, struct otst_prototype *ret);

/* ---- types from the image file's DWARF (dwarf.c, dwarf_member.c) ---- */

struct otst_dwarf_types;

/**
 * otst_dwarf_types_open() - the kernel's types from the debug information of the image file
 *
 * Return: 0; LOOKUP, without a message, when there is no image file or it does
 * not describe the kernel's structures; NOMEM, INTERRUPTED.
 */
int otst_dwarf_types_open(struct otst *o, struct otst_dwarf_types **ret);
void otst_dwarf_types_close(struct otst_dwarf_types *d);
/* The three below return 0; LOOKUP, without a message, once all was read; NOMEM, INTERRUPTED. */
int otst_dwarf_type_member(struct otst_dwarf_types *d, const char *type, const char *member,
			   struct otst_member *ret);
int otst_dwarf_type_size(struct otst_dwarf_types *d, const char *type, uint64_t *ret);
int otst_dwarf_enumerator(struct otst_dwarf_types *d, const char *name, int64_t *ret);

#define OTST_PARAMS	 32u  /* per function; more are not believed */
#define OTST_ENUM_VALUES 512u /* kept per enum */

/* ---- the kernel's own symbol table (kallsyms.c) ---- */

struct otst_kallsyms;

/**
 * struct otst_kallsyms_place - addresses of the variables in kernel/kallsyms_internal.h
 * @offsets, @addresses: one of them is not 0
 * @relative_base: 0 when @offsets are not relative to a base
 */
struct otst_kallsyms_place {
	uint64_t num_syms, names;
	uint64_t token_table, token_index;
	uint64_t offsets, addresses;
	uint64_t relative_base;
};

/**
 * otst_kallsyms_search() - find the tables in the kernel's image by their shape (kallsyms_shape.c)
 * @try: judges a place; returns 0 to take it, CORRUPT to go on, FAULT when it cannot be read
 *
 * Return: 0; LOOKUP when nothing looks like them; FAULT when memory is missing in which they may
 * be; what ends a command.
 */
int otst_kallsyms_search(struct otst *o,
			 int (*try)(void *priv, const struct otst_kallsyms_place *place),
			 void *priv);

/**
 * otst_kallsyms_open() - the table in the dump
 *
 * Return: 0; LOOKUP when it is nowhere; FAULT, CORRUPT, or what ends a command.
 */
int otst_kallsyms_open(struct otst *o, struct otst_kallsyms **ret);
/** otst_kallsyms_found() - nothing named it: it was found by its shape */
bool otst_kallsyms_found(const struct otst_kallsyms *k);
void otst_kallsyms_close(struct otst_kallsyms *k);
/** otst_kallsyms_has_data() - does the table have data symbols, or only functions */
bool otst_kallsyms_has_data(const struct otst_kallsyms *k);
int otst_kallsyms_find(struct otst *o, struct otst_kallsyms *k, const char *name, uint64_t *ret);
/**
 * otst_kallsyms_shared() - does the kernel have several symbols of this name
 *
 * Call after otst_kallsyms_find().
 */
bool otst_kallsyms_shared(struct otst_kallsyms *k, const char *name);
int otst_kallsyms_at(struct otst *o, struct otst_kallsyms *k, uint64_t addr, struct otst_sym *ret);

/** otst_kallsyms_each() - symbols of the table; see otst_kernel_symbols() */
int otst_kallsyms_each(struct otst *o, struct otst_kallsyms *k, const char *prefix,
		       int (*each)(void *priv, const struct otst_sym *sym, char type), void *priv);

/** otst_module_symbols_each() - all symbols of @m; see otst_symbols() */
int otst_module_symbols_each(struct otst *o, const struct otst_module *m,
			     int (*each)(void *priv, const struct otst_sym *sym, char type),
			     void *priv);

/** otst_module_same_range() - are both addresses in the same range of @m: its text, its data */
bool otst_module_same_range(const struct otst_module *m, uint64_t a, uint64_t b);

/**
 * otst_module_symbol_at() - the symbol of @m that an address belongs to
 *
 * A text symbol does not name data. Return: 0; LOOKUP when @m has none there.
 */
int otst_module_symbol_at(struct otst *o, const struct otst_module *m, uint64_t addr,
			  struct otst_sym *ret);

/**
 * otst_module_symbol_printed() - what the kernel's find_kallsyms_symbol() finds
 *
 * Without module.mem that is the last symbol at or before @addr, even if the symbol
 * is text and @addr is data. As in the kernel, it ends where the module's text ends:
 * the size of a data symbol is negative.
 */
int otst_module_symbol_printed(struct otst *o, const struct otst_module *m, uint64_t addr,
			       struct otst_sym *ret);

#endif /* OTST_ENGINE_H */
