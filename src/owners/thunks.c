// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * thunks.c - pages of thunks for cpus whose indirect jumps must not be in the first half of a cache
 * line (its_allocate_thunk() of arch/x86/kernel/alternative.c): of a module, which records them;
 * of the kernel itself, of which only what they contain tells.
 */
#include "../base/engine.h"
#include "owners.h"

#define BREAKPOINT 0xcc
#define MOST_PAGES 4096u
#define LINE	   64u

/* Linux a82b26451de1 ("x86/its: explicitly manage permissions for ITS pages") (v6.16) */
static int read_thunk_pages(struct otst *o, uint64_t module, uint64_t *array, uint64_t *count)
{
	int err;

	if (otst_has_member(o, "module", "arch.its_pages")) {
		err = otst_read_member(o, "module", module, "arch.its_pages.pages", array);
		return err ?: otst_read_member(o, "module", module, "arch.its_pages.num", count);
	}
	*count = 0;
	if (!otst_has_member(o, "module", "its_page_array"))
		return 0;
	err = otst_read_member(o, "module", module, "its_page_array", array);
	return err ?: otst_read_member(o, "module", module, "its_num_pages", count);
}

int otst_thunk_pages(struct otst *o, const struct otst_module *m,
		     void (*each)(void *priv, const struct otst_module *m, uint64_t page),
		     void *priv)
{
	uint64_t array = 0, count = 0, page, i;
	int err = read_thunk_pages(o, m->addr, &array, &count);

	if (!err && count > MOST_PAGES)
		err = otst_raise(o, OTST_ERR_CORRUPT, "module %s: too many pages of thunks",
				 m->name);
	for (i = 0; !err && i < count; i++) {
		err = otst_read_u64(o, array + i * 8, &page);
		if (!err)
			each(priv, m, page);
	}
	return err;
}

/* the length of "jmp *%reg; int3", with the end of FineIBT's check before it or not; 0: none */
static unsigned int thunk_length(const uint8_t *b, size_t left)
{
	unsigned int i = left > 6 && b[0] == 0xea && b[1] == 0x75 && b[2] == 0xfd ? 3 : 0;

	if (left < i + 4)
		return 0;
	i += b[i] == 0x41;
	return b[i] == 0xff && (b[i + 1] & 0xf8) == 0xe0 && b[i + 2] == BREAKPOINT ? i + 3 : 0;
}

bool otst_is_thunks(const uint8_t *bytes, size_t size)
{
	size_t i = 0, thunks = 0;
	unsigned int len;

	while (i < size) {
		if (bytes[i] == BREAKPOINT) {
			i++;
			continue;
		}
		len = thunk_length(bytes + i, size - i);
		/* the jump, before its breakpoint, ends in the second half of a cache line */
		if (!len || (i + len - 2) % LINE < LINE / 2)
			return false;
		i += len;
		thunks++;
	}
	return thunks;
}
