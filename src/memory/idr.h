/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * idr.h - the kernel's maps from numbers to pointers (idr.c, maple.c)
 */
#ifndef OTST_IDR_H
#define OTST_IDR_H

#include "../base/command.h"

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

/** otst_idr_add() - @entry with its number, unless it is empty or a mark; a bad pointer is noted */
int otst_idr_add(struct otst *o, struct otst_vec *entries, struct otst_messages *errors,
		 uint64_t id, uint64_t entry);

/** otst_radix_tree() - the same for the struct radix_tree_root or xarray at @root */
int otst_radix_tree(struct otst *o, uint64_t root, struct otst_vec *entries,
		    struct otst_messages *errors);

/** otst_maple_tree() - the same for the struct maple_tree at @root: of a range, its first number */
int otst_maple_tree(struct otst *o, uint64_t root, struct otst_vec *entries,
		    struct otst_messages *errors);

#endif /* OTST_IDR_H */
