// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * subbuf.c - the events of one sub-buffer of ftrace's ring, in memory that ends where they do.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/rings/subbuf.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct otst_subbuf_walk w = { .len = (uint32_t)size - 1 };
	struct otst_record rec;
	enum otst_subbuf_step step;
	size_t used = 0;

	if (!size)
		return 0;
	w.big_endian = *data & 1;
	w.data = data + 1;
	while ((step = otst_subbuf_next(&w, &rec)) == OTST_SUBBUF_RECORD) {
		used += rec.size + 4;
		if (rec.data < data + 1 || rec.data + rec.size > data + size || used > size)
			abort();
	}
	if (step == OTST_SUBBUF_BAD && !w.error)
		abort();
	return 0;
}
