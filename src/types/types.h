/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * types.h - structures of the kernel by name (types.c, view.c; btf.c, dwarf.c)
 */
#ifndef OTST_TYPES_H
#define OTST_TYPES_H

#include "../memory/memory.h"

/*
 * A type is identified by its name, without "struct". Some of a kernel's structures
 * share a name: up to 5.7 ftrace and perf each have a struct ring_buffer. In that
 * case the name is followed by members that the caller needs, "ring_buffer{buffers}"
 * or "bucket{head,lock}", and stands for the first structure of that name that has
 * all of them. Every function below that takes a type accepts such a name, and the
 * size and members always come from one and the same structure. A name without
 * members stands for the first structure that has it; tests/checks/shared-types looks
 * for such names that occur more than once in a kernel's types.
 */

/* of one question, in structures without a name and in structures that share one */
#define OTST_MEMBERS_MAX 16384u

/**
 * otst_type_name() - plain name of a type, for messages: "log" for "log{ts_nsec}"
 *
 * Return: @type itself, or a copy in the command's arena.
 */
const char *otst_type_name(struct otst *o, const char *type);

/**
 * otst_member() - find where a member lies; see &otst_target_ops.member
 * @ret: in the engine's memory
 *
 * Return: 0 or LOOKUP.
 */
int otst_member(struct otst *o, const char *type, const char *member,
		const struct otst_member **ret);

/** otst_pointer() - as otst_member(), of a member that must have the size of a pointer */
int otst_pointer(struct otst *o, const char *type, const char *member,
		 const struct otst_member **ret);

/** otst_offset() - where a member lies, if that is all that counts */
int otst_offset(struct otst *o, const char *type, const char *member, uint64_t *ret);

/** otst_has_member() - true if the kernel has this member; leaves no message */
bool otst_has_member(struct otst *o, const char *type, const char *member);

/**
 * struct otst_required - members that every kernel has which has the structure (required.c)
 * @type: OTST_ENUMERATORS for a row of enumerators
 * @members: with a blank before and after each
 * @witness: "a b", functions that show that the kernel has the structure, or the enumerators
 */
#define OTST_ENUMERATORS "enum"

struct otst_required {
	const char *type;
	const char *members;
	const char *witness;
};

/**
 * otst_required() - the @i-th; NULL after the last one
 * @ret: does the structure have the members only in kernels with the witness
 */
const struct otst_required *otst_required(size_t i, bool *ret);

/**
 * otst_is_required() - has this kernel such a member, or enumerator, for certain, by whatever name
 * @member: NULL asks for the structure
 */
bool otst_is_required(struct otst *o, const char *type, const char *member);

/**
 * otst_either() - by which name the kernel has a member: @before where it has that one alone, else @now
 * @before: a constant; where neither is there, the message of a look-up of @now says both
 */
const char *otst_either(struct otst *o, const char *type, const char *now, const char *before);

/** otst_type_size() - size of a structure in bytes */
int otst_type_size(struct otst *o, const char *type, uint64_t *ret);

/** otst_has_type() - true if the kernel has this structure; leaves no message */
bool otst_has_type(struct otst *o, const char *type);

/** otst_enumerator() - value of an enumerator */
int otst_enumerator(struct otst *o, const char *name, int64_t *ret);

/** otst_enumerator_or() - value of an enumerator, or @fallback where the kernel has none */
int64_t otst_enumerator_or(struct otst *o, const char *name, int64_t fallback);

/**
 * otst_enumerator_with() - as otst_enumerator_or() with 0, but as otst_enumerator() where the kernel has @sibling
 * @sibling: an enumerator that came together with @name, or later
 */
int otst_enumerator_with(struct otst *o, const char *name, const char *sibling, uint64_t *ret);

/**
 * otst_enumerator_any() - as otst_enumerator(), but 0 and no error where the kernel may be without: required.c knows
 */
int otst_enumerator_any(struct otst *o, const char *name, uint64_t *ret);

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
 * @type: the kind of type as BTF calls it: "STRUCT"
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
 * otst_function_type() - BTF type of the kernel's first function named @name
 *
 * Return: a number for otst_param(); 0 when the type is unknown.
 */
uint32_t otst_function_type(struct otst *o, const char *name);

/** otst_param() - parameter @i of a function type; false when there are fewer parameters */
bool otst_param(struct otst *o, uint32_t function, unsigned int i, struct otst_param *ret);

/** otst_param_enum() - name of a value of an OTST_PARAM_ENUM, not cleaned; NULL when it has none */
const char *otst_param_enum(struct otst *o, const struct otst_param *p, int64_t value);

/**
 * otst_types_origin() - "BTF", "DWARF" (image file), or "target" when the front end has the types
 */
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

/**
 * otst_u64() - value of an integer or pointer member or bit field
 *
 * Return: the value, sign-extended when the member is signed; 0 with @v->err set
 * when there is none.
 */
uint64_t otst_u64(struct otst_view *v, const char *member);

/** otst_u64_or() - as otst_u64(), but @fallback and no error when the kernel has no such member */
uint64_t otst_u64_or(struct otst_view *v, const char *member, uint64_t fallback);

/**
 * otst_u64_with() - as otst_u64_or() with 0, but as otst_u64() where the structure has @sibling
 * @sibling: a member that came together with @member, or later
 */
uint64_t otst_u64_with(struct otst_view *v, const char *member, const char *sibling);

/**
 * otst_view_follow() - read structure @type that the pointer @member of @v leads to
 *
 * Return: as otst_view_read(); LOOKUP also when @v has no such member. The read alone would not
 * tell: it would fail at address 0.
 */
int otst_view_follow(struct otst_view *v, const char *member, const char *type,
		     struct otst_view *ret);

/** otst_view_string() - read the string that the pointer @member of @v leads to; as otst_view_follow() */
int otst_view_string(struct otst_view *v, const char *member, size_t max, const char **ret);

/** otst_view_has() - true if this structure has @member */
bool otst_view_has(struct otst_view *v, const char *member);

/** otst_addr_of() - address of a member in the dump */
uint64_t otst_addr_of(struct otst_view *v, const char *member);

/**
 * otst_chars() - a char array member as a cleaned NUL-terminated string
 *
 * Return: in the command's arena; "" with @v->err set on error.
 */
const char *otst_chars(struct otst_view *v, const char *member);

/**
 * otst_read_member() - read one integer or pointer member or bit field by itself
 * @addr: of the structure
 * @ret: the value that otst_u64() gives: sign-extended when the member is signed
 *
 * For when nothing else of the structure is needed, or when several structures
 * share its name and only the member tells them apart.
 *
 * Return: 0, LOOKUP, FAULT, INTERRUPTED.
 */
int otst_read_member(struct otst *o, const char *type, uint64_t addr, const char *member,
		     uint64_t *ret);

/** otst_read_member_string() - string that @member points to; see otst_read_string() */
int otst_read_member_string(struct otst *o, const char *type, uint64_t addr, const char *member,
			    size_t max, const char **ret);

#endif /* OTST_TYPES_H */
