/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * blob.h - types that come with BPF objects (blob.c)
 */
#ifndef OTST_BLOB_H
#define OTST_BLOB_H

#include "../base/command.h"

/** enum otst_leaf_kind - what a leaf holds */
enum otst_leaf_kind {
	OTST_LEAF_UNSIGNED,
	OTST_LEAF_SIGNED,
	OTST_LEAF_CHARS, /**< text, with a NUL unless it is full */
	OTST_LEAF_WORDS, /**< array of integers */
	OTST_LEAF_BYTES, /**< any other array */
};

/**
 * struct otst_leaf - one part of a flattened type
 * @name: "delta", "key.pid"; "" when the type itself is one integer or array
 * @size: in bytes, of the whole array for an array; @count: elements of OTST_LEAF_WORDS
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
 * otst_blob_open() - open the types in a struct btf of the dump, which came with a program
 *
 * Valid until the command ends. Return: 0, LOOKUP, FAULT, CORRUPT.
 */
int otst_blob_open(struct otst *o, uint64_t addr, struct otst_blob **ret);

/** otst_blob_name() - name of a type, cleaned; "" when it has none or there is no such type */
const char *otst_blob_name(struct otst *o, const struct otst_blob *b, uint32_t type);

/**
 * otst_blob_leaves() - flatten a type into a vector of struct otst_leaf, in the type's order
 * @size: bytes available: a larger type gives no leaves
 */
int otst_blob_leaves(struct otst *o, const struct otst_blob *b, uint32_t type, uint32_t size,
		     struct otst_vec *ret);

#endif /* OTST_BLOB_H */
