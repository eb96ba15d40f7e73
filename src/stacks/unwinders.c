// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unwinders.c - the table of unwinders, one an architecture.
 */
#include "unwinder.h"

#define ROW(arch) &otst_unwinder_##arch,

/* NULL for one whose stacks are not known */
static const struct otst_unwinder *const unwinders[] = { OTST_ARCHES(ROW) };

const struct otst_unwinder *otst_unwinder(struct otst *o)
{
	for (size_t i = 0; i < sizeof(unwinders) / sizeof(*unwinders); i++) {
		if (unwinders[i] && unwinders[i]->arch == otst_kernel(o)->arch)
			return unwinders[i];
	}
	return NULL;
}
