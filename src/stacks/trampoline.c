// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trampoline.c - the code that return probes and function graph put in the place of a return
 * address.
 */
#include "stack.h"

/* the functions whose start replaces a return address */
static const struct {
	const char *symbol;
	enum otst_family family;
} names[] = {
	{ "arch_rethook_trampoline", OTST_FAMILY_PROBE }, /* v5.18 */
	{ "__kretprobe_trampoline", OTST_FAMILY_PROBE },  /* v5.16 */
	{ "kretprobe_trampoline", OTST_FAMILY_PROBE },
	{ "return_to_handler", OTST_FAMILY_GRAPH },
};

#define NAMES (sizeof(names) / sizeof(*names))

struct trampolines {
	uint64_t addr[NAMES];
};

static int find_trampolines(struct otst *o, const void *of, void *value)
{
	struct trampolines *t = value;

	(void)of;
	for (size_t i = 0; i < NAMES; i++)
		t->addr[i] = otst_symbol_or0(o, names[i].symbol);
	return 0;
}

static const struct otst_once trampolines = { .size = sizeof(struct trampolines),
					      .make = find_trampolines };

bool otst_trampoline(struct otst *o, uint64_t pc, enum otst_family *ret)
{
	const struct trampolines *t = otst_once_or_null(o, &trampolines, NULL);

	for (size_t i = 0; t && pc && i < NAMES; i++) {
		if (t->addr[i] == pc) {
			*ret = names[i].family;
			return true;
		}
	}
	return false;
}

bool otst_is_trampoline(struct otst *o, uint64_t pc)
{
	enum otst_family family;

	return otst_trampoline(o, pc, &family);
}

uint64_t otst_frame_code(struct otst *o, uint64_t pc, bool exact)
{
	return exact || otst_is_trampoline(o, pc) ? pc : pc - 1;
}

enum otst_family otst_inflight_family(const struct otst_inflight *i)
{
	return i->kind == OTST_INFLIGHT_GRAPH ? OTST_FAMILY_GRAPH : OTST_FAMILY_PROBE;
}
