/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * hashmap.h - maps and sets of numbers (hashmap.c)
 */
#ifndef OTST_HASHMAP_H
#define OTST_HASHMAP_H

#include "command.h"

/**
 * struct otst_hashmap - values other than NULL by 64-bit keys (hashmap.c)
 * @count: how many there are
 * @keep: it lives as long as the engine, else as long as the command
 *
 * Zero-initialise. A longer key is entered by its hash; values whose keys share a
 * hash form a chain behind the first value.
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
 * Return: the value's place, valid until the next call. It holds NULL when the
 * key is new: the caller then stores a value there. NULL when out of memory, with
 * the message raised.
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
 * Cycles (before any node is handed out twice), poison, unaligned pointers,
 * user addresses and more than a million nodes are reported as CORRUPT,
 * unreadable links as FAULT. So is a walk that is lost: see otst_bad_record(). When
 * the command has no more memory for records (otst_is_full()), the walk ends with CORRUPT, too.
 */
struct otst_walk {
	struct otst *o;
	uint64_t link; /* offset of the next pointer in a node */
	uint64_t end;  /* pointer value that ends the chain */
	uint64_t head; /* of a list that is linked both ways, see otst_walk_both_ways(); else 0 */
	uint64_t at;   /* node handed out last */
	uint64_t next;
	struct otst_set seen;
	size_t steps;
	uint64_t bad;	   /* bad records of the command before the last step */
	unsigned int lost; /* how much speaks against the list */
	int err;
};

#endif /* OTST_HASHMAP_H */
