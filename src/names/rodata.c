// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * rodata.c - strings in the kernel's read-only data (__start_rodata to __end_rodata):
 * often nothing else shows how a kernel prints something.
 */
#include "../base/engine.h"
#include "../memory/memory.h"
#include "rodata.h"
#include "symbols.h"

#define CHUNK	(1u << 20)
#define LONGEST 64u

bool otst_rodata_has(struct otst *o, const struct otst_needle *needles, size_t count, bool *found)
{
	uint64_t at = otst_symbol_or0(o, "__start_rodata"),
		 end = otst_symbol_or0(o, "__end_rodata");
	char *buf = at < end ? otst_alloc(o, CHUNK) : NULL;
	bool any = false;
	size_t n, i;

	while (buf && at < end) {
		n = end - at < CHUNK ? end - at : CHUNK;
		if (!otst_read(o, at, buf, n)) {
			any = true;
			for (i = 0; i < count; i++)
				found[i] = found[i] ||
					   memmem(buf, n, needles[i].text, needles[i].len);
		}
		/*
		 * the next piece starts early enough to include a string cut at
		 * the end of this one
		 */
		at += n == CHUNK ? n - LONGEST : n;
	}
	return any;
}
