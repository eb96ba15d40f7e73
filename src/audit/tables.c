// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tables.c - tables of the kernel's own functions, known by their names: of system calls, and of
 * what the processor enters by (the gates of x86_64).
 */
#include <string.h>

#include "../events/events.h"
#include "../registered/registered.h"
#include "expect.h"

#define WORD 8u

struct table {
	struct otst *o;
	struct otst_audit *a;
	struct otst_table_of_calls t;
	size_t unread;	 /* names of system calls */
	const char *why; /* of the first of them */
};

static void report_entry(const struct table *t, size_t i, uint64_t func, const char *what)
{
	otst_finding_record(t->o, t->a, OTST_FINDING_POINTER, func, t->t.addr + i * t->t.entry,
			    otst_format(t->o, "%s[%zu] %s", t->t.name, i, what));
}

/* ---- system calls ---- */

static bool is_kernels_function(struct otst *o, uint64_t func)
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

	if (otst_syscall_name(o, nr, &call) && !t->unread++)
		t->why = otst_strdup(o, otst_message(o));
	for (size_t i = 0; call && i < sizeof(wrappers) / sizeof(*wrappers); i++) {
		name = otst_format(o, "%s%s", wrappers[i], call);
		addr = otst_symbol_or0(o, name);
		if (func && (addr == func || otst_handler_is(o, func, name)))
			return NULL;
		if (addr && !found)
			found = name;
	}
	return found;
}

static void check_call(struct table *t, size_t nr, uint64_t func)
{
	const char *original = t->t.numbered ? find_original(t, nr, func) : NULL;

	if (original)
		report_entry(t, nr, func,
			     otst_format(t->o, "leads %s, not to %s", func ? "here" : "nowhere",
					 original));
	else if (!func)
		return;
	else if (!is_kernels_function(t->o, func) && (nr < t->t.sure || leads_to_code(t, func)))
		report_entry(t, nr, func, "leads here, out of the kernel's text");
}

static int check_calls(struct table *t)
{
	struct otst *o = t->o;
	const char *call;
	size_t i, own = 0;
	uint64_t func;

	for (i = 0; i < t->t.count; i++)
		own += is_kernels_function(o, otst_table_func(o, &t->t, i));
	/* such as a table of another form */
	if (own < (t->t.sure ?: t->t.count) / 2) {
		otst_audit_gap(o, t->a, t->t.name, OTST_LOOKED_NOT,
			       "most of its entries are not functions of the kernel");
		return otst_check(o);
	}
	for (i = 0; i < t->t.count; i++) {
		func = otst_table_func(o, &t->t, i);
		t->a->records++;
		check_call(t, i, func);
	}
	/* a kernel that traces system calls has names: says why they cannot be compared */
	if (!t->t.which && !t->t.numbered && otst_syscall_name(o, 0, &call) && !t->unread++)
		t->why = otst_strdup(o, otst_message(o));
	if (t->unread)
		return otst_note(o, &t->a->errors,
				 otst_raise(o, OTST_ERR_FAULT,
					    "%s: %zu name%s of system calls could not be read: %s",
					    t->t.name, t->unread, otst_number(t->unread, "", "s"),
					    t->why));
	return otst_check(o);
}

/* ---- gates ---- */

#define FIRST_EXTERNAL 32u
#define SYSTEM_CALL    0x80u
#define ENTRIES	       4096u /* bytes of 256 entries at most */

/* what the processor raises, by number; 128: the system calls of 32 bits, by one of three names */
static const char *const exceptions[] = {
	"divide_error",
	"debug",
	"nmi",
	"int3",
	"overflow",
	"bounds",
	"invalid_op",
	"device_not_available",
	"double_fault",
	"coproc_segment_overrun",
	"invalid_tss",
	"segment_not_present",
	"stack_segment",
	"general_protection",
	"page_fault",
	"spurious_interrupt_bug",
	"coprocessor_error",
	"alignment_check",
	"machine_check",
	"simd_coprocessor_error",
	"virtualization_exception",
	"control_protection",
	[29] = "vmm_communication",
};

/* the entries of devices' interrupts follow each other, one for each number from 32 on */
static bool is_device_entry(struct otst *o, size_t i, uint64_t func)
{
	uint64_t devices = otst_symbol_or0(o, "irq_entries_start"),
		 spurious = otst_symbol_or0(o, "spurious_entries_start"), nr = i - FIRST_EXTERNAL;

	return (devices && (func == devices + nr * WORD || func == devices + nr * 2 * WORD)) ||
	       (spurious && func - spurious < ENTRIES && !(func % WORD));
}

/* what exceptions lead to until the kernel has handlers; where it has none, ever after */
static bool is_early(struct otst *o, uint64_t func)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);

	return func >= b->sinittext && func < b->einittext;
}

/*
 * Linux 9d06c4027f21 ("x86/entry: Convert Divide Error to IDTENTRY") (v5.8) and what followed: the
 * entries have names of one form
 */
static const char *judge_gate(struct otst *o, size_t i, uint64_t func)
{
	const char *name = i < sizeof(exceptions) / sizeof(*exceptions) ? exceptions[i] : NULL;
	struct otst_sym sym;
	uint64_t offset;

	name = name ? otst_format(o, "asm_exc_%s", name) : NULL;
	if (name && otst_has_symbol(o, name))
		return func == otst_symbol_or0(o, name) || is_early(o, func) ?
			       NULL :
			       otst_format(o, "leads here, not to %s", name);
	otst_symbolize(o, func, &sym);
	if (!sym.name || (i < FIRST_EXTERNAL && is_early(o, func)))
		return NULL;
	offset = func - sym.addr;
	if (i < FIRST_EXTERNAL ? !offset && otst_begins(sym.name, "asm_exc_") :
				 (!offset && otst_begins(sym.name, "asm_sysvec_")) ||
					 is_device_entry(o, i, func))
		return NULL;
	if (i == SYSTEM_CALL && !offset && (strstr(sym.name, "int80") || strstr(sym.name, "INT80")))
		return NULL;
	return "leads here, which is no entry of an interrupt";
}

/* before 4.14, gates that nothing uses go on to lead to init text */
static int check_gates(struct table *t)
{
	struct otst *o = t->o;
	bool named = otst_has_symbol(o, "asm_exc_page_fault");
	const char *wrong;
	uint64_t func;

	for (size_t i = 0; i < t->t.count; i++) {
		func = otst_table_func(o, &t->t, i);
		t->a->records++;
		if (func && !otst_in_bounds(otst_text_bounds(o), func))
			report_entry(t, i, func, "leads here, out of the kernel's text");
		else if (func && named && (wrong = judge_gate(o, i, func)))
			report_entry(t, i, func, wrong);
	}
	return otst_check(o);
}

int otst_audit_tables(struct otst *o, struct otst_audit *a)
{
	int err = 0, which;

	/* then nothing is known to be outside */
	if (!otst_text_bounds(o)->stext || !otst_text_bounds(o)->etext)
		return 0;
	for (which = 0; which < OTST_TABLES && !err; which++) {
		struct table t = { .o = o, .a = a };

		err = otst_table_of_calls(o, (enum otst_table_which)which, &t.t);
		if (err)
			err = otst_note(o, &a->errors, err);
		else if (t.t.data)
			err = which == OTST_TABLE_GATES ? check_gates(&t) : check_calls(&t);
	}
	return err;
}
