// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * holds.c - the programs whose holders are looked for, and what could not be read meanwhile.
 */
#include "bpf.h"

struct otst_hold *otst_holds_find(const struct otst_holds *h, uint64_t prog)
{
	size_t first = 0, end = h->count, middle;

	while (first < end) {
		middle = first + (end - first) / 2;
		if (h->items[middle].prog == prog)
			return &h->items[middle];
		if (h->items[middle].prog < prog)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

int otst_holds_bad(struct otst *o, struct otst_holds *h, int err)
{
	if (!err || otst_fatal(err))
		return err;
	if (!h->bad++)
		h->first = otst_strdup(o, otst_message(o));
	return 0;
}
