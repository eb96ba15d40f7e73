/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meanings.h - changes of one step to a dump's records that mean something.
 */
#ifndef MEANINGS_H
#define MEANINGS_H

#include "../faults/fault_target.h"

/**
 * enum meaning - what becomes of a word, of a string, or of a page
 *
 * Only what looks like a pointer to a record becomes another pointer, and so on.
 */
enum meaning {
	MEANING_NULL,	 /**< a pointer to nothing */
	MEANING_NOWHERE, /**< a pointer that the kernel left in a freed list node */
	MEANING_ITSELF,	 /**< to where it is */
	MEANING_CYCLE,	 /**< to the record that it is in */
	MEANING_BACK,	 /**< to the pointer that leads to this record */
	MEANING_MIDDLE,	 /**< into the middle of the next record */
	MEANING_COUNT,	 /**< a number of 2^31 */
	MEANING_MOST,	 /**< a number of all ones */
	MEANING_HIGH,	 /**< the upper half of a word is 2^31 */
	MEANING_ENDLESS, /**< a string that does not end before its page does */
	MEANING_GONE,	 /**< the page is not in the dump */
	MEANING_NR_COUNT,
};

/**
 * struct meaning_step - one step: @what becomes of the word at @addr; @value: the new one; @users:
 * as in struct store_page
 */
struct meaning_step {
	enum meaning what;
	uint64_t addr;
	uint64_t value;
	uint64_t old;
	unsigned int users;
};

/**
 * meanings_list() - all steps for the records that were walked
 * @ret: to be freed
 *
 * Return: how many.
 */
size_t meanings_list(struct page_store *s, bool big_endian, struct meaning_step **ret);

/** meanings_add() - add a step to the plan */
void meanings_add(struct fault_target *f, const struct meaning_step *step);

#endif /* MEANINGS_H */
