/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_dump.h - what a text dump holds: bytes, symbols, types, enumerators.
 *
 * The parser fills it, the target reads it. Nothing here knows the syntax.
 */
#ifndef TEXT_DUMP_H
#define TEXT_DUMP_H

#include "../../src/otst.h"

#define TEXT_PAGE 4096u

/**
 * struct text_page - 4096 bytes of the dump's memory
 * @number: address divided by the page size
 * @valid: one bit per byte: whether it was given
 */
struct text_page {
	uint64_t number;
	uint8_t data[TEXT_PAGE];
	uint8_t valid[TEXT_PAGE / 8];
};

/**
 * struct text_endless - a range whose words are made up when they are read
 *
 * At @start + i * @stride + @offset lies a pointer to @start + (i + 1) * @stride,
 * everything else is zero: a list that is longer than anyone wants to walk.
 */
struct text_endless {
	uint64_t start;
	uint64_t len;
	uint64_t stride;
	uint64_t offset;
};

/** struct text_physical - @len bytes of memory at the address @addr are at @phys in physical memory */
struct text_physical {
	uint64_t addr;
	uint64_t phys;
	uint64_t len;
};

/** struct text_symbol - a symbol; @module is "" for the kernel, @hidden ones are names for the dump's author only */
struct text_symbol {
	char *name;
	char *module;
	uint64_t addr;
	uint64_t size;
	bool hidden;
};

struct text_member {
	char *name;
	struct otst_member m;
};

/** enum text_twin - where a second structure of a name stands in the kernel's types */
enum text_twin { TEXT_NO_TWIN, TEXT_TWIN_BEFORE, TEXT_TWIN_BEHIND };

struct text_type {
	char *name;
	enum text_twin twin;
	uint64_t size;
	struct text_member *members;
	size_t nr_members;
	size_t room;
};

struct text_enum {
	char *name;
	int64_t value;
};

/**
 * struct text_dump - a dump
 * @table: open-addressed hash of pages, @nr_slots a power of two
 * @symbols: in the order of the file until text_dump_seal(), then by name
 * @by_addr: symbols that are not hidden, by address; made by text_dump_seal()
 * @lacks_symbols, @lacks_types: the kernel has more than the dump names
 * @says_memory: the target says where physical memory is
 * @big_endian: how numbers are written
 */
struct text_dump {
	struct text_page **table;
	size_t nr_slots;
	size_t nr_pages;
	struct text_endless *endless;
	size_t nr_endless;
	struct text_physical *physical;
	size_t nr_physical;
	struct text_symbol *symbols;
	size_t nr_symbols;
	size_t room_symbols;
	size_t *by_addr;
	size_t nr_by_addr;
	struct text_type *types;
	size_t nr_types;
	struct text_enum *enums;
	size_t nr_enums;
	char *vmcoreinfo;
	size_t vmcoreinfo_len;
	unsigned char *notes;
	size_t notes_len;
	bool lacks_symbols;
	bool lacks_types;
	bool says_memory;
	bool big_endian;
};

/** text_xrealloc() - realloc() that ends the program when out of memory; tests cannot go on then */
void *text_xrealloc(void *p, size_t len);

/** text_xstrdup() - strdup() that ends the program when out of memory */
char *text_xstrdup(const char *s);

void text_dump_write(struct text_dump *d, uint64_t addr, const void *buf, size_t len);
void text_dump_unmap(struct text_dump *d, uint64_t addr, uint64_t len);

/** text_dump_read() - all or nothing: OTST_ERR_FAULT when any byte was not given */
int text_dump_read(const struct text_dump *d, uint64_t addr, void *buf, uint64_t len);

void text_dump_physical(struct text_dump *d, const struct text_physical *m);

/** text_dump_read_physical() - as text_dump_read(); @phys: a physical address */
int text_dump_read_physical(const struct text_dump *d, uint64_t phys, void *buf, uint64_t len);

void text_dump_endless(struct text_dump *d, const struct text_endless *e);

/** text_dump_symbol() - add a symbol, or move the one of this name and module */
void text_dump_symbol(struct text_dump *d, const char *name, const char *module, uint64_t addr,
		      uint64_t size, bool hidden);

/** text_dump_find() - symbol by name, of @module unless that is NULL; NULL when there is none */
const struct text_symbol *text_dump_find(const struct text_dump *d, const char *name,
					 const char *module);

/** text_dump_type() - type @name, no twin, made if @create; valid until the next type is made */
struct text_type *text_dump_type(struct text_dump *d, const char *name, bool create);

/** text_dump_add_twin() - add another structure of this name; valid until the next type is made */
struct text_type *text_dump_add_twin(struct text_dump *d, const char *name, enum text_twin twin);

/** text_dump_first_type() - first structure of that name, twins included; NULL when none */
const struct text_type *text_dump_first_type(const struct text_dump *d, const char *name);

/** text_dump_member() - member by path ("rp.kp.addr", "mem[2].base"); a NULL @t has none */
int text_dump_member(const struct text_dump *d, const struct text_type *t, const char *path,
		     struct otst_member *ret);

/**
 * text_dump_btf() - write all types into the dump's memory as BTF (text_btf.c)
 *
 * With @named adds the symbols __start_BTF and __stop_BTF. Each twin comes before or
 * after the type of its name, as it says.
 */
void text_dump_btf(struct text_dump *d, uint64_t addr, bool named);

void text_dump_enum(struct text_dump *d, const char *name, int64_t value);

/** text_dump_seal() - sort for look-ups; nothing may be added afterwards */
void text_dump_seal(struct text_dump *d);

void text_dump_deinit(struct text_dump *d);

#endif /* TEXT_DUMP_H */
