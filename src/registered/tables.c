// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables.c - tables of the kernel's own functions: of system calls, and of what the processor
 * enters by (the gates of x86_64, struct gate_struct of arch/x86/include/asm/desc_defs.h).
 */

#include <string.h>

#include "registered.h"

#define MOST_ENTRIES 4096u
#define WORD	     8u
#define GATE	     16u
#define GATES	     256u

static const char *const names[] = { "sys_call_table", "ia32_sys_call_table", "x32_sys_call_table",
				     "compat_sys_call_table", "idt_table" };

/* how many system calls tracing knows, which are those of the first table; 0 when it knows none */
static size_t traced_calls(struct otst *o)
{
	const struct otst_member *m;

	if (!otst_has_member(o, "trace_array", "enter_syscall_files") ||
	    otst_member(o, "trace_array", "enter_syscall_files", &m))
		return 0;
	return m->count;
}

static void measure_table(struct otst *o, struct otst_table_of_calls *t)
{
	size_t traced = t->which ? 0 : traced_calls(o);
	struct otst_sym sym;

	if (t->which == OTST_TABLE_GATES) {
		t->entry = GATE;
		t->count = GATES;
		return;
	}
	otst_symbolize(o, t->addr, &sym);
	t->entry = WORD;
	t->count = sym.size / WORD;
	t->numbered = traced && traced <= t->count;
	if (t->numbered)
		t->count = traced;
	if (t->count > MOST_ENTRIES)
		t->count = 0;
}

/* where the length is not known, the last function of a system call tells how far the table goes at least */
static size_t count_sure(struct otst *o, const struct otst_table_of_calls *t)
{
	size_t n = t->count;
	struct otst_sym sym;

	if (t->numbered || t->which == OTST_TABLE_GATES)
		return n;
	for (; n; n--) {
		uint64_t func = otst_table_func(o, t, n - 1);

		otst_symbolize(o, func, &sym);
		if (func && sym.name && sym.addr == func && strstr(sym.name, "sys_") &&
		    otst_in_bounds(otst_text_bounds(o), func))
			break;
	}
	return n;
}

int otst_table_of_calls(struct otst *o, enum otst_table_which which,
			struct otst_table_of_calls *ret)
{
	uint8_t *data;
	int err;

	*ret = (struct otst_table_of_calls){ .which = which, .name = names[which] };
	ret->addr = otst_symbol_or0(o, ret->name);
	if (!ret->addr)
		return otst_check(o);
	measure_table(o, ret);
	data = otst_alloc(o, ret->count * ret->entry + 1);
	if (!data)
		return otst_no_memory(o);
	err = otst_read(o, ret->addr, data, ret->count * ret->entry);
	if (err)
		return otst_fail(o, err, "%s: its entries are not looked at", ret->name);
	ret->data = data;
	ret->sure = count_sure(o, ret);
	return 0;
}

/* gate_offset(); 0 for a gate that is not present */
static uint64_t gate_offset(struct otst *o, const uint8_t *gate)
{
	return gate[5] & 0x80 ? otst_get(o, gate, 2) | otst_get(o, gate + 6, 2) << 16 |
					otst_get(o, gate + 8, 4) << 32 :
				0;
}

uint64_t otst_table_func(struct otst *o, const struct otst_table_of_calls *t, size_t i)
{
	const uint8_t *at = t->data + i * t->entry;

	return t->which == OTST_TABLE_GATES ? gate_offset(o, at) : otst_get(o, at, WORD);
}

int otst_registered_tables(const struct otst_registered_walk *r)
{
	struct otst_table_of_calls t;
	uint64_t func;
	int which, err = 0;
	size_t i;

	for (which = 0; which < OTST_TABLES && !err; which++) {
		err = otst_table_of_calls(r->o, (enum otst_table_which)which, &t);
		if (err)
			err = otst_registry_lost(r, err, "system calls");
		for (i = 0; t.data && i < t.count && !err; i++) {
			func = otst_table_func(r->o, &t, i);
			if (func && (i < t.sure || otst_is_text(r->o, func)))
				err = otst_registry_take(r, otst_format(r->o, "%s[%zu]", t.name, i),
							 NULL, func, t.addr + i * t.entry);
		}
	}
	return err;
}
