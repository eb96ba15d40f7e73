/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * dump.h - the only way to the dump for decoders.
 *
 * Memory, symbols, types, modules, the kernel's text as built, and walkers
 * that cannot run away. Everything is looked up once, at its first use, and
 * cached in the engine; decoders hold no state of their own.
 *
 * Conventions. Functions return 0 or a negative enum otst_err. Results are
 * untouched on error. Memory handed out belongs to the command's arena (freed
 * when the command ends) unless the text says "engine", which lives as long
 * as the engine; callers never free. Addresses are kernel virtual addresses.
 * 64-bit kernels only.
 */
#ifndef OTST_DUMP_H
#define OTST_DUMP_H

#include <string.h>

#include "../arch/arch.h"
#include "../arch/bytes.h"
#include "../otst.h"

/*
 * Memory is read and cached in chunks of this size: no page of any kernel is
 * smaller, so each chunk is in the dump or is not.
 */
#define OTST_CHUNK    4096u
#define OTST_NAME_MAX 512 /* KSYM_NAME_LEN of the largest kernels */

/* ---- engine: memory of a command, errors (engine.c) ---- */

/** otst_alloc() - zeroed memory of the command's arena, NULL when out of memory */
void *otst_alloc(struct otst *o, size_t len);

#define OTST_ELEMENT_MAX (128u * 1024)

/** otst_new_element() - otst_new(), whose @size is known when it is compiled */
void *otst_new_element(struct otst *o, size_t size) __attribute__((returns_nonnull));

/** otst_new() - one zeroed structure of the command's arena; never NULL, see below */
#define otst_new(o, size)                                                                       \
	({                                                                                      \
		_Static_assert((size) <= OTST_ELEMENT_MAX, "elements come from a spare block"); \
		otst_new_element(o, size);                                                      \
	})

/** otst_keep() - zeroed memory that lives as long as the engine, NULL when out of memory */
void *otst_keep(struct otst *o, size_t len);

/*
 * Out of memory is a mark that stays until the command ends: otst_check() and
 * each read return it, nothing more is printed, and the command fails. So
 * otst_new(), otst_strdup(), otst_format(), otst_vec_push(), otst_note() and its kin
 * need not be looked at: they never return NULL. What is given instead of memory is
 * an empty string, or an element of a block that is used again. otst_alloc(), otst_keep()
 * and otst_copy() return NULL, for their callers write as far as they asked for.
 */

/** otst_strdup() - copy of @s in the command's arena; "" when out of memory */
const char *otst_strdup(struct otst *o, const char *s);

/** otst_copy() - copy of @s to be written to, in the command's arena; NULL when out of memory */
char *otst_copy(struct otst *o, const char *s);

/** otst_format() - formatted string in the command's arena; "" when out of memory */
const char *otst_format(struct otst *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * struct otst_vec - growing array in the command's arena
 * @data: the elements
 * @count: how many there are
 *
 * Zero-initialise, then otst_vec_push().
 */
struct otst_vec {
	void *data;
	size_t count;
	size_t room;
};

/** otst_vec_grow() - otst_vec_push(), whose @size is known when it is compiled */
void *otst_vec_grow(struct otst *o, struct otst_vec *v, size_t size)
	__attribute__((returns_nonnull));

/**
 * otst_vec_push() - room for one more element of @size bytes, zeroed
 *
 * Never NULL. When out of memory the element is in no list, @v stays as it is, and
 * the command ends at its next otst_check().
 */
#define otst_vec_push(o, v, size)                                                               \
	({                                                                                      \
		_Static_assert((size) <= OTST_ELEMENT_MAX, "elements come from a spare block"); \
		otst_vec_grow(o, v, size);                                                      \
	})

/**
 * otst_vec_end() - a NULL behind the pointers of a list
 *
 * Return: 0, and @v has them all; NOMEM.
 */
int otst_vec_end(struct otst *o, struct otst_vec *v);

/** otst_vec_pop() - take the element back that was pushed last */
static inline void otst_vec_pop(struct otst_vec *v)
{
	v->count -= v->count > 0;
}

/** otst_command_begin() - start a command; frees what one left behind that did not end */
void otst_command_begin(struct otst *o);

/** otst_command_end() - free what the command allocated */
void otst_command_end(struct otst *o);

/** struct otst_messages - what could not be read, and notes; zero-initialise */
struct otst_messages {
	const char **texts;
	size_t count;
	size_t room;
};

/**
 * otst_note() - keep the last error's message and go on
 *
 * Return: 0, or @err when it ends a command (see otst_fatal()).
 */
int otst_note(struct otst *o, struct otst_messages *to, int err);

/** otst_note_text() - keep a message that is in the command's arena; 0 */
int otst_note_text(struct otst *o, struct otst_messages *to, const char *text);

/** otst_note_once() - otst_note_text(), unless @to has the same text */
int otst_note_once(struct otst *o, struct otst_messages *to, const char *text);

/** otst_notes() - keep all of @more too; 0 */
int otst_notes(struct otst *o, struct otst_messages *to, const struct otst_messages *more);

/**
 * otst_memo() - a pointer that a decoder keeps until the command ends
 * @key: address of any static object of the caller, by which it finds it again
 *
 * Return: the pointer's place, never NULL, with NULL in it at first.
 */
void **otst_memo(struct otst *o, const void *key);

/**
 * struct otst_once - something that is found out once and then known
 * @size: bytes of the answer
 * @make: finds it out; @value is zeroed. What it allocates comes from otst_keep(),
 *	or is freed by @destroy. @of: the part of the kernel that is meant, or NULL
 * @destroy: frees what is not otst_keep()'s, of an answer that was not finished as well; may be NULL
 * @moves: it changes while a kernel runs: each reading finds it out anew
 *
 * Each is a static constant of the file that knows how it is found out.
 */
struct otst_once {
	size_t size;
	int (*make)(struct otst *o, const void *of, void *value);
	void (*destroy)(void *value);
	bool moves;
};

/**
 * otst_once() - the answer of @what for @of, found out when it is first asked for
 * @ret: address of a pointer, which gets the answer, or NULL with an error; it lives as
 *	long as the engine. While @make runs it is the answer as far as it has come.
 *
 * An answer is 0, or LOOKUP: there is no such thing. Any other failure, and an
 * answer for which a read failed, is believed until the command ends: then all
 * that is known is forgotten, as after a command that was interrupted, ran out
 * of memory or lost its output.
 *
 * Return: 0 or what @make returned, with its message.
 */
int otst_once(struct otst *o, const struct otst_once *what, const void *of, void *ret);

/**
 * otst_once_or_null() - the same answer, or NULL; leaves no message of its own
 *
 * What is known is given to a command that was stopped, too: it goes on to its next
 * otst_check(), with the architecture and the layouts that it has.
 */
const void *otst_once_or_null(struct otst *o, const struct otst_once *what, const void *of);

/** otst_once_retry() - what is known rests on something that failed: the next command tries again */
void otst_once_retry(struct otst *o);

/** otst_is_live() - does the kernel run while it is read */
bool otst_is_live(const struct otst *o);

/**
 * otst_read_anew() - a live kernel may have changed: memory, page tables, modules and all
 * else that moves (&otst_once.moves, otst_memo()) is read again. What was handed out stays
 * valid. Of a dump nothing happens.
 */
void otst_read_anew(struct otst *o);

/** otst_memory_anew() - the same of memory alone */
void otst_memory_anew(struct otst *o);

/**
 * otst_at_end() - what a command has to give back beside its memory
 * @undo: called with @what when the command ends, the newest first, also when
 *	a front end left it by longjmp: then at the start of the next command or
 *	in otst_close()
 *
 * Return: 0; NOMEM, and @undo was called.
 */
int otst_at_end(struct otst *o, void (*undo)(void *what), void *what);

/** otst_start_message() - what otst_raise() does to the message, and to the command when @err ends it */
void otst_start_message(struct otst *o, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** otst_extend_message() - what otst_fail() does to the message */
void otst_extend_message(struct otst *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Macros, so that the compiler sees the value of an error where it is returned:
 * it then knows that it is not 0 and that a caller who goes on has its result.
 */

/** otst_raise() - start an error message; returns @err */
#define otst_raise(o, err, ...)                              \
	({                                                   \
		int raised_ = (err);                         \
		otst_start_message(o, raised_, __VA_ARGS__); \
		raised_;                                     \
	})

/** otst_fail() - put a phrase before the message of an error that goes up; returns @err */
#define otst_fail(o, err, ...)                       \
	({                                           \
		int failed_ = (err);                 \
		otst_extend_message(o, __VA_ARGS__); \
		failed_;                             \
	})

/** otst_no_memory() - the message of OTST_ERR_NOMEM, which it returns */
static inline int otst_no_memory(struct otst *o)
{
	return otst_raise(o, OTST_ERR_NOMEM, "out of memory");
}

/** otst_message() - the message of the last error, never NULL */
const char *otst_message(const struct otst *o);

/**
 * otst_check() - does the command go on
 *
 * Once something ended it (see otst_fatal()) every further question gets that
 * error, so that nobody takes it for an answer.
 *
 * Return: 0; INTERRUPTED when the user asked to stop; what ended the command before.
 */
int otst_check(struct otst *o);

/** otst_progress() - tell who waits: the command is at @what, @done bytes of @all are behind it, or 0 */
void otst_progress(struct otst *o, const char *what, uint64_t done, uint64_t all);

/** otst_stopped() - what ended the command, with its message; 0 while it goes on */
int otst_stopped(struct otst *o);

/** otst_fatal() - true for errors that end a listing and not only a record */
bool otst_fatal(int err);

/**
 * otst_take_struct() - a copy of a structure of the caller, which may be of another otst.h
 * @ret: @known bytes, its size here; what the caller's lacks is zero
 * @least: bytes that it had from the beginning
 * @from: its first member is a uint64_t, its size
 *
 * Return: 0; SIZE, with nothing in @ret; or NEWER, with what is known in @ret. No message.
 */
int otst_take_struct(void *ret, size_t known, size_t least, const void *from);

/** otst_take_output() - the same of a struct otst_output */
int otst_take_output(const struct otst_output *from, struct otst_output *ret);

/** otst_options() - what the front end gave to otst_open() */
const struct otst_options *otst_options(const struct otst *o);

/** otst_target_name() - &otst_target_ops.name */
const char *otst_target_name(const struct otst *o);

/** otst_vmcoreinfo() - value of "@key=" in VMCOREINFO, in the engine's memory, or NULL */
const char *otst_vmcoreinfo(struct otst *o, const char *key);

/* ---- memory (memory.c) ---- */

/**
 * otst_read() - read kernel memory, all or nothing
 *
 * Small reads go through a page cache, large ones straight to the target.
 *
 * Return: 0, FAULT, INTERRUPTED.
 */
int otst_read(struct otst *o, uint64_t addr, void *buf, size_t len);

/**
 * otst_read_head() - read bytes up to where memory ends
 * @least, @most: how many are wanted
 * @ret: how many there are
 *
 * For tables whose length is not stored: reaching the end of memory is not a failure.
 *
 * Return: 0; FAULT when not even @least can be read; INTERRUPTED.
 */
int otst_read_head(struct otst *o, uint64_t addr, void *buf, size_t least, size_t most,
		   size_t *ret);

/**
 * otst_read_now() - as otst_read(); of a live kernel what is there at this moment, and not
 * what was read before
 */
int otst_read_now(struct otst *o, uint64_t addr, void *buf, size_t len);

/** otst_ahead() - this memory is read soon: the target may begin with it, see &otst_target_ops.ahead */
void otst_ahead(struct otst *o, uint64_t addr, uint64_t len);

/** otst_has_threads() - can the target run otst_start() */
bool otst_has_threads(const struct otst *o);

/** otst_start(), otst_finish() - work on another thread, see &otst_target_ops.start */
uint64_t otst_start(struct otst *o, void (*work)(void *what), void *what);
void otst_finish(struct otst *o, uint64_t job);

/** otst_read_u8() - read one byte */
int otst_read_u8(struct otst *o, uint64_t addr, uint8_t *ret);
/** otst_read_u32() - read a 32-bit integer */
int otst_read_u32(struct otst *o, uint64_t addr, uint32_t *ret);
/** otst_read_u64() - read a 64-bit integer or a pointer */
int otst_read_u64(struct otst *o, uint64_t addr, uint64_t *ret);

/**
 * otst_clean() - make bytes of the dump safe to print
 *
 * All strings that this header hands out went through it: control characters,
 * DEL and bytes above 0x7f are written as \x1b and the like, so that nothing
 * from the dump acts on a terminal or breaks a line.
 *
 * Return: @s itself when it is clean, else a copy in the command's arena.
 */
const char *otst_clean(struct otst *o, const char *s);

/**
 * otst_read_string() - read a NUL-terminated string, cleaned
 * @max: most bytes to read; a longer string is cut there and is not an error
 * @ret: in the command's arena
 */
int otst_read_string(struct otst *o, uint64_t addr, size_t max, const char **ret);

/** otst_big_endian() - is the kernel big-endian */
bool otst_big_endian(const struct otst *o) __attribute__((pure));

/** otst_bit() - bit @i of a bitmap, which is made of words of 64 bits; reads no byte outside of that bit's word */
static inline bool otst_bit(bool big_endian, const void *bitmap, uint64_t i)
{
	return ((const uint8_t *)bitmap)[big_endian ? i / 8 ^ 7 : i / 8] >> i % 8 & 1;
}

/**
 * otst_get() - integer of 1..8 bytes in the kernel's byte order out of a buffer
 *
 * What another format says the order of (instructions of x86_64, headers of
 * files) goes by otst_get_le().
 */
static inline uint64_t otst_get(const struct otst *o, const void *p, size_t size)
{
	return otst_get_as(otst_big_endian(o), p, size);
}

/**
 * otst_page_size() - PAGE_SIZE of the kernel (page.c)
 *
 * As VMCOREINFO says, else as the kernel's types show; 4096 where nothing tells.
 */
uint64_t otst_page_size(struct otst *o);

/* ---- types (types.c; btf.c, dwarf.c) ---- */

/*
 * A type is known by its name, without "struct". Kernels have structures that
 * share one: up to 5.7 ftrace and perf each have a struct ring_buffer. There a
 * name goes on with members that its user needs, "ring_buffer{buffers}" or
 * "bucket{head,lock}": meant is the first structure of that name that has them
 * all. Every function below that takes a type takes such a name, and size and
 * members are always those of one structure. A name without members means the
 * first structure that has it; tests/checks/shared-types looks for such names
 * that a kernel's types have more than once.
 */

/** otst_type_name() - the plain name of a type, for messages: "log" of "log{ts_nsec}"; @type or in the command's arena */
const char *otst_type_name(struct otst *o, const char *type);

/**
 * otst_member() - where a member lies; see &otst_target_ops.member
 * @ret: in the engine's memory
 *
 * Return: 0 or LOOKUP.
 */
int otst_member(struct otst *o, const char *type, const char *member,
		const struct otst_member **ret);

/** otst_has_member() - does the kernel have this member; leaves no message */
bool otst_has_member(struct otst *o, const char *type, const char *member);

/** otst_type_size() - size of a structure in bytes */
int otst_type_size(struct otst *o, const char *type, uint64_t *ret);

/** otst_has_type() - does the kernel have this structure; leaves no message */
bool otst_has_type(struct otst *o, const char *type);

/** otst_enumerator() - value of an enumerator */
int otst_enumerator(struct otst *o, const char *name, int64_t *ret);

/** otst_enumerator_or() - value of an enumerator, or @fallback where the kernel has none */
int64_t otst_enumerator_or(struct otst *o, const char *name, int64_t fallback);

/**
 * otst_enum_name() - name of a value of the enum that has the enumerator @sibling
 *
 * Return: in the command's arena; NULL when the kernel's BTF has none.
 */
const char *otst_enum_name(struct otst *o, const char *sibling, int64_t value);

/** enum otst_param_kind - how the kernel prints a parameter */
enum otst_param_kind {
	OTST_PARAM_UNKNOWN,
	OTST_PARAM_POINTER,
	OTST_PARAM_SIGNED,
	OTST_PARAM_UNSIGNED,
	OTST_PARAM_ENUM,
	OTST_PARAM_OTHER, /**< a structure and the like, of @size bytes */
};

/**
 * struct otst_param - a parameter of a function
 * @name: as in the dump, not cleaned; "" when it has none
 * @type: kind of type in the words of BTF, "STRUCT"
 * @enumeration: for otst_param_enum()
 */
struct otst_param {
	const char *name;
	enum otst_param_kind kind;
	const char *type;
	uint32_t size;
	const void *enumeration;
};

/**
 * otst_function_type() - the type of the kernel's first function called @name, as BTF has it
 *
 * Return: a number for otst_param(); 0 when it is unknown.
 */
uint32_t otst_function_type(struct otst *o, const char *name);

/** otst_param() - parameter @i of a function type; false when it has not so many */
bool otst_param(struct otst *o, uint32_t function, unsigned int i, struct otst_param *ret);

/** otst_param_enum() - name of a value of an OTST_PARAM_ENUM, not cleaned; NULL when it has none */
const char *otst_param_enum(struct otst *o, const struct otst_param *p, int64_t value);

/* ---- types that BPF objects bring along (blob.c) ---- */

/** enum otst_leaf_kind - what lies there */
enum otst_leaf_kind {
	OTST_LEAF_UNSIGNED,
	OTST_LEAF_SIGNED,
	OTST_LEAF_CHARS, /**< text, with a NUL unless it is full */
	OTST_LEAF_WORDS, /**< array of integers */
	OTST_LEAF_BYTES, /**< any other array */
};

/**
 * struct otst_leaf - a part of a type that is laid out flat
 * @name: "delta", "key.pid"; "" when the type itself is one integer or array
 * @size: bytes, of an array all of it; @count: elements of OTST_LEAF_WORDS
 */
struct otst_leaf {
	const char *name;
	uint32_t offset;
	uint32_t size;
	uint32_t count;
	enum otst_leaf_kind kind;
};

struct otst_blob;

/**
 * otst_blob_open() - the types of a struct btf in the dump that a program brought along
 *
 * Lasts until the command ends. Return: 0, LOOKUP, FAULT, CORRUPT.
 */
int otst_blob_open(struct otst *o, uint64_t addr, struct otst_blob **ret);

/**
 * otst_blob_leaves() - a type as vector of struct otst_leaf, in their order
 * @size: bytes that there are: a type that is larger gives no leaves
 */
int otst_blob_leaves(struct otst *o, const struct otst_blob *b, uint32_t type, uint32_t size,
		     struct otst_vec *ret);

/** otst_types_origin() - "BTF", "DWARF" of the image file, or "target" when the front end gives the types */
const char *otst_types_origin(struct otst *o);

/**
 * struct otst_view - one structure of the dump, read in one go
 * @o: engine
 * @type: structure name
 * @addr: where it was read
 * @data: its bytes
 * @size: how many
 * @err: first error of any pick from this view; 0 when all went well
 *
 * Read it, pick members, check @err once:
 *
 *	err = otst_view_read(o, "kprobe", addr, &v);
 *	if (err)
 *		return err;
 *	probe->addr = otst_u64(&v, "addr");
 *	probe->flags = otst_u64(&v, "flags");
 *	return v.err;
 */
struct otst_view {
	struct otst *o;
	const char *type;
	uint64_t addr;
	const uint8_t *data;
	size_t size;
	int err;
};

/** otst_view_read() - read structure @type at @addr */
int otst_view_read(struct otst *o, const char *type, uint64_t addr, struct otst_view *ret);

/** otst_view_at() - a view of bytes that were read already; @data must outlive it */
void otst_view_at(struct otst *o, const char *type, uint64_t addr, const void *data, size_t size,
		  struct otst_view *ret);

/** otst_view_sub() - a view of the embedded structure @member, named @type */
int otst_view_sub(struct otst_view *v, const char *member, const char *type, struct otst_view *ret);

/** otst_u64() - value of an integer or pointer member or bit field, sign-extended when signed; 0 with @v->err set when there is none */
uint64_t otst_u64(struct otst_view *v, const char *member);

/** otst_u64_or() - the same, @fallback and no error when the kernel has no such member */
uint64_t otst_u64_or(struct otst_view *v, const char *member, uint64_t fallback);

/** otst_view_has() - does this structure have @member */
bool otst_view_has(struct otst_view *v, const char *member);

/** otst_addr_of() - address of a member in the dump */
uint64_t otst_addr_of(struct otst_view *v, const char *member);

/** otst_chars() - a char array member as a cleaned NUL-terminated string in the command's arena; "" with @v->err set on error */
const char *otst_chars(struct otst_view *v, const char *member);

/**
 * otst_read_member() - read one integer or pointer member or bit field by itself
 * @addr: of the structure
 * @ret: the value that otst_u64() gives: sign-extended when the member is signed
 *
 * For a structure of which nothing else is wanted, or whose name several
 * structures share and only the member tells apart.
 *
 * Return: 0, LOOKUP, FAULT, INTERRUPTED.
 */
int otst_read_member(struct otst *o, const char *type, uint64_t addr, const char *member,
		     uint64_t *ret);

/** otst_read_member_string() - the string that pointer member @member leads to; see otst_read_string() */
int otst_read_member_string(struct otst *o, const char *type, uint64_t addr, const char *member,
			    size_t max, const char **ret);

/* ---- symbols (symbols.c; kallsyms.c) ---- */

/**
 * struct otst_sym - an address by name, as the kernel itself would print it
 * @name: symbol; NULL when the address is in nothing known
 * @module: module name, NULL for the kernel
 * @addr: start of the symbol
 * @size: bytes to the next symbol, 0 when unknown
 *
 * Strings are in the engine's memory.
 */
struct otst_sym {
	const char *name;
	const char *module;
	uint64_t addr;
	uint64_t size;
};

/**
 * otst_symbol() - address of a symbol of the kernel
 *
 * A name that a compiler gave a suffix (".constprop.0", ".isra.0", ".llvm.1")
 * is found by its plain form too when there is no exact match.
 *
 * Return: 0 or LOOKUP.
 */
int otst_symbol(struct otst *o, const char *name, uint64_t *ret);

/** otst_has_symbol() - is there such a symbol; leaves no message */
bool otst_has_symbol(struct otst *o, const char *name);

/** otst_symbol_or0() - address of a symbol, or 0; leaves no message */
uint64_t otst_symbol_or0(struct otst *o, const char *name);

/* ---- texts of the kernel (rodata.c) ---- */

/** struct otst_needle - bytes to look for, 64 at most */
struct otst_needle {
	const char *text;
	size_t len;
};

/** OTST_NEEDLE() - a literal without the NUL at its end */
#define OTST_NEEDLE(s)           \
	{                        \
		s, sizeof(s) - 1 \
	}

/**
 * otst_rodata_has() - set those of @found whose needle the kernel's read-only data has
 *
 * Return: false when none of it can be read.
 */
bool otst_rodata_has(struct otst *o, const struct otst_needle *needles, size_t count, bool *found);

/**
 * otst_symbol_any() - address of a symbol of the kernel or of any module
 * @name: "symbol" or "module:symbol"
 */
int otst_symbol_any(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_symbolize() - name an address by the rules of the kernel's kallsyms_lookup()
 * @ret: @ret->name is NULL when nothing is known; never fails
 */
void otst_symbolize(struct otst *o, uint64_t addr, struct otst_sym *ret);

/** otst_sym_is_one_of() - is it one of these functions of the kernel itself; @names ends with NULL */
bool otst_sym_is_one_of(const struct otst_sym *sym, const char *const *names);

/**
 * otst_symbolize_all() - otst_symbolize(), then the two places where the
 * kernel's kallsyms_lookup() looks last: BPF images and the functions of
 * module init text that was freed (ftrace_mod_maps)
 *
 * What it finds there lives as long as the command.
 */
void otst_symbolize_all(struct otst *o, uint64_t addr, struct otst_sym *ret);

/**
 * otst_symbolize_code() - otst_symbolize(), then BPF images: of a function to be called
 *
 * Where init text was freed another module may have been, and be gone: then the
 * function of the init text is not the one that would be called.
 */
void otst_symbolize_code(struct otst *o, uint64_t addr, struct otst_sym *ret);

/** otst_handler_is() - is @addr the start of the kernel function @name, compiler suffixes aside */
bool otst_handler_is(struct otst *o, uint64_t addr, const char *name);

/**
 * otst_name() - an address for people: "symbol+0x1c [module]", or a plain number
 *
 * "+0x0" is left out. In the command's arena; never NULL.
 */
const char *otst_name(struct otst *o, uint64_t addr);

/** enum otst_sym_part - what is written of a symbol behind its name */
enum otst_sym_part {
	OTST_SYM_OFFSET = 1,	       /**< "+0x1c", also when it is 0 */
	OTST_SYM_SIZE = 2,	       /**< "/0x40" */
	OTST_SYM_MODULE = 4,	       /**< " [module]" */
	OTST_SYM_PS = OTST_SYM_MODULE, /**< as the kernel's %ps */
	OTST_SYM_PS_OFFSET = OTST_SYM_OFFSET | OTST_SYM_SIZE | OTST_SYM_MODULE, /**< as its %pS */
};

/**
 * otst_sym_format() - a symbol in the kernel's form
 * @parts: of enum otst_sym_part
 *
 * Without a name "0x" and the address. In the command's arena; never NULL.
 */
const char *otst_sym_format(struct otst *o, uint64_t addr, const struct otst_sym *sym,
			    unsigned int parts);

/** otst_sym_name() - as otst_name(), for an address that was looked up already */
const char *otst_sym_name(struct otst *o, uint64_t addr, const struct otst_sym *sym);

/**
 * otst_symbols() - every symbol of the kernel, then of each module, as /proc/kallsyms lists them
 * @each: gets one, with the letter of its type; the symbol's name is valid only
 *	during the call. A non-zero return ends the list and is returned.
 *
 * Return: 0; LOOKUP when there is no such table; what kept the list of modules
 * from being read, behind the kernel's own; or what ends a command.
 */
int otst_symbols(struct otst *o, int (*each)(void *priv, const struct otst_sym *sym, char type),
		 void *priv);

/** otst_kernel_symbols() - the same, of the kernel only, whose names begin with @prefix */
int otst_kernel_symbols(struct otst *o, const char *prefix,
			int (*each)(void *priv, const struct otst_sym *sym, char type), void *priv);

/**
 * struct otst_text_bounds - where the kernel's own text lies, looked up once (symbols.c)
 * @end: of the kernel's image, data included
 */
struct otst_text_bounds {
	uint64_t stext, etext;
	uint64_t sinittext, einittext;
	uint64_t end;
};

/** otst_text_bounds() - never NULL; 0 for what is unknown */
const struct otst_text_bounds *otst_text_bounds(struct otst *o);

/** otst_in_bounds() - does the address lie in the kernel's own text */
static inline bool otst_in_bounds(const struct otst_text_bounds *b, uint64_t addr)
{
	return (addr >= b->stext && addr < b->etext) ||
	       (addr >= b->sinittext && addr < b->einittext);
}

/** otst_is_text() - does the address lie in the kernel's or a module's text */
bool otst_is_text(struct otst *o, uint64_t addr);

/** otst_symbols_origin() - "kallsyms", or "target" when the front end gives the symbols */
const char *otst_symbols_origin(struct otst *o);

/* ---- names that the user wrote (lookup.c) ---- */

#define OTST_NEAR_NAMES 4

/**
 * struct otst_near - of the names that were offered, those that are nearest to a word
 * @most: how far they are from it: letters put in, left out, replaced, swapped
 * @names: in the command's arena, without what a compiler appended; @count of them
 */
struct otst_near {
	const char *word;
	size_t len;
	unsigned int most;
	const char *names[OTST_NEAR_NAMES];
	size_t count;
};

/** otst_near_init() - nothing was offered yet; @word must outlive it */
void otst_near_init(struct otst_near *n, const char *word);

/** otst_near_offer() - take @name in when none was nearer; 0 or NOMEM */
int otst_near_offer(struct otst *o, struct otst_near *n, const char *name);

/** enum otst_answer - does the kernel know a name */
enum otst_answer {
	OTST_KNOWN,	       /**< it does */
	OTST_KNOWN_NOT,	       /**< all names were looked at */
	OTST_KNOWN_NOT_LOOKED, /**< it was not found, but not all names can be looked at */
};

/**
 * struct otst_lookup - what became of a word
 * @glob: it is a pattern
 * @module_known: the module before its colon, or of that name, is loaded
 * @variable: it is a symbol, but no function
 * @why: why not all names can be looked at, else NULL
 * @near: functions and modules with names like it; none for a pattern
 */
struct otst_lookup {
	enum otst_answer known;
	bool glob;
	bool module_known;
	bool variable;
	const char *why;
	struct otst_near near;
};

/**
 * otst_lookup() - look for a symbol of the kernel or of a module, or for a module
 * @word: "symbol", "module:symbol", "module", or a glob of these
 *
 * Return: 0, or what ends a command.
 */
int otst_lookup(struct otst *o, const char *word, struct otst_lookup *ret);

/**
 * otst_functions_gap() - why the names of this kernel's functions cannot all be looked up
 * @list: one after the other, and not only each by its name
 *
 * Return: NULL when they can.
 */
const char *otst_functions_gap(struct otst *o, bool list);

/* ---- the kernel as a whole (kernel.c) ---- */

/** struct otst_kernel - what init_uts_ns and the cpu masks say; strings may be "" */
struct otst_kernel {
	const char *release; /**< uname -r */
	const char *version; /**< uname -v */
	const char *nodename;
	const char *machine;
	const struct otst_arch *arch;  /**< never NULL */
	unsigned int nr_cpus;	       /**< nr_cpu_ids: one more than the highest possible cpu */
	unsigned int online;	       /**< bits set in __cpu_online_mask */
	const uint64_t *percpu_offset; /**< __per_cpu_offset[nr_cpus] */
	const char *error;	       /**< why not all cpus are known, or NULL */
};

/** otst_kernel() - read once, in the engine's memory; never NULL, unread facts are empty */
const struct otst_kernel *otst_kernel(struct otst *o);

/** otst_percpu() - address of per-cpu variable or pointer @ptr on @cpu */
uint64_t otst_percpu(struct otst *o, uint64_t ptr, unsigned int cpu);

/**
 * otst_percpu_sum() - sum of an unsigned long that every possible cpu has
 * @ptr: the per-cpu pointer as stored
 */
int otst_percpu_sum(struct otst *o, uint64_t ptr, uint64_t *ret);

/**
 * otst_cpu_regs() - registers of @cpu when the kernel stopped (regs.c)
 * @ret: room for OTST_REGS_MAX words; those of the architecture are filled
 *
 * What the kernel itself noted in crash_notes before it started the capture
 * kernel; else what the target has.
 *
 * Return: 0; LOOKUP when neither has them.
 */
int otst_cpu_regs(struct otst *o, unsigned int cpu, uint64_t *ret);

/** most bytes of a struct pt_regs that have registers */
#define OTST_PT_REGS_MAX 512

/**
 * struct otst_pt_regs - where struct pt_regs has each register of the architecture
 * @size: bytes up to the end of the last; 0 on an architecture that is not known
 */
struct otst_pt_regs {
	uint16_t size;
	uint16_t at[OTST_REGS_MAX];
};

/** otst_pt_regs() - never NULL (regs.c) */
const struct otst_pt_regs *otst_pt_regs(struct otst *o);

/** otst_regs_take() - registers out of @bytes, &otst_pt_regs.size of them, of a struct pt_regs */
void otst_regs_take(struct otst *o, const unsigned char *bytes, uint64_t *ret);

/** otst_regs_read() - of the struct pt_regs at @addr; 0, or why it cannot be read */
int otst_regs_read(struct otst *o, uint64_t addr, uint64_t *ret);

/* ---- modules (modules.c) ---- */

/** enum otst_module_state - the kernel's enum module_state */
enum otst_module_state {
	OTST_MODULE_LIVE,
	OTST_MODULE_COMING,
	OTST_MODULE_GOING,
	OTST_MODULE_UNFORMED
};

#define OTST_MODULE_RANGES 9

/**
 * struct otst_module - one loaded module (kernel: struct module)
 * @ranges: memory regions that it owns, unused ones with size 0
 * @symbols: sorted by address, then by their place in the module's table
 */
struct otst_module {
	uint64_t addr; /**< struct module */
	const char *name;
	unsigned int state; /**< enum otst_module_state */
	uint64_t percpu;    /**< per-cpu area, as stored; 0 when none */
	unsigned int nr_ranges;
	struct otst_module_range {
		uint64_t base;
		uint64_t size;
		bool text;
		bool init;
	} ranges[OTST_MODULE_RANGES];
	size_t nr_symbols;
	struct otst_module_symbol {
		uint64_t addr;
		uint64_t size; /**< as its file says; 0 when that does not */
		const char *name;
		uint32_t order; /**< place in the module's table */
	} * symbols;
	const char *symbols_error; /**< why they could not be read, or NULL */
};

/**
 * otst_modules() - the kernel's module list, read once
 * @ret: NULL-terminated array in the engine's memory
 *
 * Return: 0, or the error that kept the whole list from being read. When the
 * list breaks off in the middle the modules before that are returned and
 * otst_modules_error() tells why.
 */
int otst_modules(struct otst *o, struct otst_module *const **ret);

/** otst_modules_error() - why the list broke off, or NULL */
const char *otst_modules_error(struct otst *o);

/**
 * otst_modules_notes() - append what kept modules, or their symbols, from being read
 *
 * Symbols are read when they are first asked for. Return: 0, or a fatal error.
 */
int otst_modules_notes(struct otst *o, struct otst_messages *errors);

/** otst_module_at() - module that owns @addr, or NULL */
const struct otst_module *otst_module_at(struct otst *o, uint64_t addr);

/** otst_module_symbol() - address of symbol @name in @m; LOOKUP when it has none */
int otst_module_symbol(struct otst *o, const struct otst_module *m, const char *name,
		       uint64_t *ret);

/* ---- bounded walks (walk.c) ---- */

/**
 * struct otst_hashmap - values other than NULL by keys of 64 bits (hashmap.c)
 * @count: how many there are
 * @keep: it lives as long as the engine, else as long as the command
 *
 * Zero-initialise. What has a longer key goes by a hash of it, and what shares
 * that in a chain behind the value.
 */
struct otst_hashmap {
	struct otst_hashmap_slot *slots;
	size_t room;
	size_t count;
	bool keep;
};

/** otst_hashmap_find() - the value of @key, NULL when there is none */
void *otst_hashmap_find(const struct otst_hashmap *m, uint64_t key);

/**
 * otst_hashmap_place() - where the value of @key is, or goes
 *
 * Return: its place until the next call, NULL in it when it is new: the caller
 * then puts one there; NULL when out of memory, with the message raised.
 */
void **otst_hashmap_place(struct otst *o, struct otst_hashmap *m, uint64_t key);

/** struct otst_set - set of values, in the command's arena; zero-initialise */
struct otst_set {
	struct otst_hashmap map;
};

/** otst_set_has() - is @value in the set? */
bool otst_set_has(const struct otst_set *s, uint64_t value);

/**
 * otst_set_add() - put @value into the set
 * @added: it was not in there before
 *
 * Return: 0; NOMEM.
 */
int otst_set_add(struct otst *o, struct otst_set *s, uint64_t value, bool *added);

/**
 * struct otst_walk - a walk along a chain of pointers that cannot run away
 * @steps: nodes seen so far
 * @err: what broke the walk off, or 0
 *
 * Reports cycles before any node is handed out twice, poison, unaligned
 * pointers, user addresses and more than a million nodes as CORRUPT,
 * unreadable links as FAULT.
 */
struct otst_walk {
	struct otst *o;
	uint64_t link; /* offset of the next pointer in a node */
	uint64_t end;  /* pointer value that ends the chain */
	uint64_t at;   /* node handed out last */
	uint64_t next;
	struct otst_set seen;
	size_t steps;
	int err;
};

/** otst_walk_list() - nodes of the list_head at @head, without the head */
void otst_walk_list(struct otst *o, uint64_t head, struct otst_walk *ret);

/** otst_walk_hlist() - nodes behind the pointer stored at @head, next pointer at offset 0 */
void otst_walk_hlist(struct otst *o, uint64_t head, struct otst_walk *ret);

/**
 * otst_walk_chain() - nodes from @first on
 * @link: offset of the next pointer in a node
 * @end: address that ends the chain (0 for NULL)
 */
void otst_walk_chain(struct otst *o, uint64_t first, uint64_t link, uint64_t end,
		     struct otst_walk *ret);

/**
 * otst_walk_next() - step
 * @ret: the next node
 *
 * Return: true while there is one. At the end false, with @w->err 0 or the
 * error that broke the walk off.
 */
bool otst_walk_next(struct otst_walk *w, uint64_t *ret);

/* ---- trees of numbers (idr.c) ---- */

/** struct otst_idr_entry - what the kernel keeps under number @id */
struct otst_idr_entry {
	uint64_t id;
	uint64_t ptr;
};

/**
 * otst_idr() - all entries of the struct idr at @idr, by number
 * @entries: vector of struct otst_idr_entry
 * @errors: vector of messages: branches that could not be read
 *
 * Return: 0, also when branches are missing; or why nothing could be read.
 */
int otst_idr(struct otst *o, uint64_t idr, struct otst_vec *entries, struct otst_messages *errors);

/** otst_is_poison() - is this LIST_POISON1/2 of any kernel, or a freed object's fill pattern */
bool otst_is_poison(uint64_t ptr);

/** otst_is_kernel_pointer() - canonical kernel address that could hold an object */
bool otst_is_kernel_pointer(struct otst *o, uint64_t ptr);

#endif /* OTST_DUMP_H */
