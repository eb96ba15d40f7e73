/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * walk.h - walks that cannot run away (walk.c)
 */
#ifndef OTST_WALK_H
#define OTST_WALK_H

#include "../base/hashmap.h"

/** otst_walk_list() - nodes of the list_head at @head, without the head */
void otst_walk_list(struct otst *o, uint64_t head, struct otst_walk *ret);

/** otst_walk_hlist() - nodes behind the pointer stored at @head, next pointer at offset 0 */
void otst_walk_hlist(struct otst *o, uint64_t head, struct otst_walk *ret);

/**
 * otst_walk_both_ways() - nodes of the list_head, or behind the hlist_head, at @head: each must lead
 * back to the head or to one before it
 *
 * For lists that change often: in an image of a running machine, a list may lead to memory that
 * has been used for something else when it was read.
 */
void otst_walk_both_ways(struct otst *o, uint64_t head, bool is_hlist, struct otst_walk *ret);

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

/** otst_walk_torn() - raise CORRUPT: the node at @node does not lead back to where a walk came from */
int otst_walk_torn(struct otst *o, uint64_t node);

/** otst_is_poison() - is this LIST_POISON1/2 of any kernel, or a freed object's fill pattern */
bool otst_is_poison(uint64_t ptr);

/** otst_is_kernel_pointer() - true if it is a canonical kernel address that could hold an object */
bool otst_is_kernel_pointer(struct otst *o, uint64_t ptr);

#endif /* OTST_WALK_H */
