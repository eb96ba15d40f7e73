/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * btf.h - the kernel's types from BTF (btf.c), and what names of types mean
 */
#ifndef OTST_BTF_H
#define OTST_BTF_H

#include <bpf/libbpf.h>
#include <stdarg.h>

#include "types.h"

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

/**
 * otst_btf_name() - a name of libbpf's, not cleaned
 *
 * Return: never NULL; "" for none, and for one that is longer than any of a kernel.
 */
const char *otst_btf_name(const struct btf *btf, uint32_t off);

/** otst_btf_raw() - libbpf's handle */
struct btf *otst_btf_raw(struct otst_btf *b);

/** otst_types_usable() - 0, or the error if &otst_options.btf cannot be read (types.c) */
int otst_types_usable(struct otst *o);

/** otst_types_btf() - the BTF that the types come from, or NULL (types.c) */
struct otst_btf *otst_types_btf(struct otst *o);

/** otst_btf_file_doubt() - the same of the file of types, &otst_options.btf (btf_file.c) */
const char *otst_btf_file_doubt(struct otst *o);

#endif /* OTST_BTF_H */
