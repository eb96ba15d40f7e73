// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables.c - tables of the kernel's own functions, known by their names: of system calls, and of
 * what the processor enters by (the gates of x86_64).
 */
#include "../events/events.h"
#include "expect.h"

#define MOST_ENTRIES 4096u
#define WORD	     8u
#define GATE	     16u /* struct gate_struct */
#define GATES	     256u

struct table {
	struct otst *o;
	struct otst_audit *a;
	const char *name;
	uint64_t addr;
	uint8_t *data;
	size_t unread; /* names of system calls */
};

/* false when there is none, or it is not in the dump */
static bool open_table(struct table *t, const char *name, size_t size)
{
	struct otst *o = t->o;

	t->name = name;
	t->data = otst_alloc(o, size);
	if (!t->data || !otst_read(o, t->addr, t->data, size))
		return t->data;
	(void)otst_note(o, &t->a->errors,
			otst_fail(o, OTST_ERR_FAULT, "%s: its entries are not looked at", name));
	return false;
}

static void report(const struct table *t, size_t i, size_t size, uint64_t func, const char *what)
{
	otst_finding_record(t->o, t->a, OTST_FINDING_POINTER, func, t->addr + i * size,
			    otst_format(t->o, "%s[%zu] %s", t->name, i, what));
}

/* ---- system calls ---- */

static bool is_kernels(struct otst *o, uint64_t func)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return func >= b->stext && func < b->etext;
}

/* what follows a table whose end is not known may be any number */
static bool leads_to_code(const struct table *t, uint64_t func)
{
	return otst_module_at(t->o, func) || otst_audit_is_code(t->o, func) ||
	       otst_audit_may_run(t->o, t->a, func);
}

/*
 * The kernel looked the functions of this table up at boot, to trace them: the names that it found
 * (syscall_metadata) say what was there. The first letters come from the SYSCALL_DEFINE() of an
 * architecture.
 */
static const char *find_original(struct table *t, size_t nr, uint64_t func)
{
	static const char *const wrappers[] = { "__x64_", "__arm64_", "__riscv_", "__s390x_", "" };
	struct otst *o = t->o;
	const char *call, *name, *found = NULL;
	uint64_t addr;
	size_t i;

	if (otst_syscall_name(o, nr, &call))
		t->unread++;
	for (i = 0; call && i < sizeof(wrappers) / sizeof(*wrappers); i++) {
		name = otst_format(o, "%s%s", wrappers[i], call);
		addr = otst_symbol_or0(o, name);
		if (addr == func || otst_handler_is(o, func, name))
			return NULL;
		if (addr && !found)
			found = name;
	}
	return found;
}

static void check_call(struct table *t, size_t nr, uint64_t func, bool numbered)
{
	const char *original = numbered ? find_original(t, nr, func) : NULL;

	if (original)
		report(t, nr, WORD, func, otst_format(t->o, "leads here, not to %s", original));
	else if (!is_kernels(t->o, func) && (numbered || leads_to_code(t, func)))
		report(t, nr, WORD, func, "leads here, out of the kernel's text");
}

/* @numbered: it is the table whose length and functions the kernel's tracing knows */
static int check_calls(struct table *t, const char *name, bool numbered)
{
	struct otst *o = t->o;
	size_t count = numbered ? otst_syscalls(o) : 0, i, own = 0;
	struct otst_sym sym;
	uint64_t func;

	t->addr = otst_symbol_or0(o, name);
	if (!t->addr)
		return 0;
	otst_symbolize(o, t->addr, &sym);
	numbered = count && count <= sym.size / WORD;
	count = numbered ? count : sym.size / WORD;
	if (!count || count > MOST_ENTRIES || !open_table(t, name, count * WORD))
		return otst_check(o);
	for (i = 0; i < count; i++)
		own += is_kernels(o, otst_get(o, t->data + i * WORD, WORD));
	/* such as a table of another form */
	if (own < count / 2) {
		otst_audit_gap(o, t->a, name, OTST_LOOKED_NOT,
			       "most of its entries are not functions of the kernel");
		return otst_check(o);
	}
	for (i = 0; i < count; i++) {
		func = otst_get(o, t->data + i * WORD, WORD);
		t->a->records++;
		if (func)
			check_call(t, i, func, numbered);
	}
	if (numbered && t->unread)
		return otst_note(o, &t->a->errors,
				 otst_raise(o, OTST_ERR_FAULT,
					    "%s: %zu name%s of system calls could not be read",
					    name, t->unread, otst_number(t->unread, "", "s")));
	return otst_check(o);
}

/* ---- gates ---- */

/* gate_offset() of arch/x86/include/asm/desc_defs.h; 0 for a gate that is not present */
static uint64_t gate_offset(struct otst *o, const uint8_t *gate)
{
	return gate[5] & 0x80 ? otst_get(o, gate, 2) | otst_get(o, gate + 6, 2) << 16 |
					otst_get(o, gate + 8, 4) << 32 :
				0;
}

/* before 4.14, gates that nothing uses go on to lead to init text */
static int check_gates(struct table *t)
{
	struct otst *o = t->o;
	uint64_t func;
	size_t i;

	t->addr = otst_symbol_or0(o, "idt_table");
	if (!t->addr || !open_table(t, "idt_table", (size_t)GATES * GATE))
		return otst_check(o);
	for (i = 0; i < GATES; i++) {
		func = gate_offset(o, t->data + i * GATE);
		t->a->records++;
		if (func && !otst_in_bounds(otst_text_bounds(o), func))
			report(t, i, GATE, func, "leads here, out of the kernel's text");
	}
	return otst_check(o);
}

int otst_audit_tables(struct otst *o, struct otst_audit *a)
{
	static const char *const others[] = { "ia32_sys_call_table", "x32_sys_call_table",
					      "compat_sys_call_table" };
	struct table t = { .o = o, .a = a };
	int err = 0;
	size_t i;

	/* then nothing is known to be outside */
	if (!otst_text_bounds(o)->stext || !otst_text_bounds(o)->etext)
		return 0;
	err = check_calls(&t, "sys_call_table", true);
	for (i = 0; i < sizeof(others) / sizeof(*others) && !err; i++)
		err = check_calls(&t, others[i], false);
	return err ? err : check_gates(&t);
}
