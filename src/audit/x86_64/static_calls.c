// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * static_calls.c - calls whose target is patched in (struct static_call_site,
 * kernel/static_call_inline.c; arch/x86/kernel/static_call.c): each site, and
 * the trampoline __SCT__NAME of each key __SCK__NAME, goes to the function that
 * the key holds. If it holds none, a call becomes a nop and a jump a return.
 */
#include <string.h>

#include "x86_64.h"

#define SIZE 5

#define KEY_BITS   UINT64_C(3)
#define TRAMPOLINE "__SCT__"
#define KEY	   "__SCK__"

struct patching {
	struct otst_expect *e;
	uint64_t return0;
	uint64_t warn;	 /* address of __WARN_trap, 0 when there is none */
	uint64_t unlock; /* the same for the native unlock of a queued spinlock */
	uint64_t thunk;
	bool thunk_lost;
	bool updating; /* the mutex was held: a key is new, and some of its sites are not yet */
	size_t late;   /* such sites */
};

/* 5 bytes that return zero: since Linux 5.19, and before */
static const uint8_t zeros[][SIZE] = { { 0x2e, 0x2e, 0x2e, 0x31, 0xc0 },
				       { 0x66, 0x66, 0x48, 0x31, 0xc0 } };
/* "ud1 (%edx), %rdi": a warning, since Linux 6.19 */
static const uint8_t warn[SIZE] = { 0x67, 0x48, 0x0f, 0xb9, 0x3a };
/* "movb $0, (%rdi)" after two prefixes: since Linux 7.3 */
static const uint8_t unlocks[SIZE] = { 0x3e, 0x3e, 0xc6, 0x07, 0x00 };
static const uint8_t plain[SIZE] = { RET, 0xcc, 0xcc, 0xcc, 0xcc };

/* what is there once no update is under way */
static void settle_site(struct patching *p, uint64_t at, const uint8_t *bytes, size_t len)
{
	if (!p->updating || otst_expect_fits(p->e, at, bytes, len)) {
		otst_expect_set(p->e, OTST_DIFF_STATIC_CALL, at, bytes, len);
		return;
	}
	p->late++;
	otst_expect_unknown(p->e, at, len);
}

/* a return: plain, through a thunk, or as found */
static void set_return(struct patching *p, uint64_t at)
{
	uint8_t bytes[SIZE];
	bool done = false;

	otst_expect_try(p->e, OTST_DIFF_STATIC_CALL, at, plain, SIZE, &done);
	if (!done && p->thunk) {
		otst_put_rel32(bytes, JMP, at, p->thunk);
		otst_expect_try(p->e, OTST_DIFF_STATIC_CALL, at, bytes, SIZE, &done);
	}
	if (done)
		return;
	if (p->thunk_lost)
		otst_expect_unknown(p->e, at, SIZE);
	else
		settle_site(p, at, plain, SIZE);
}

/* callthunks_translate_call_dest(): does the site call what counts calls of @func instead */
static bool make_counted(struct patching *p, uint64_t at, uint64_t func, uint8_t *bytes)
{
	uint64_t thunk = otst_call_thunk(p->e, func);

	if (thunk)
		otst_put_rel32(bytes, CALL, at, thunk);
	return thunk && otst_expect_fits(p->e, at, bytes, SIZE);
}

static void set_call(struct patching *p, uint64_t at, uint64_t func)
{
	uint8_t bytes[SIZE];
	bool done = false;

	if (!func) {
		settle_site(p, at, p->e->patcher->nop5, SIZE);
		return;
	}
	/* after that the kernel no longer recognizes the functions below */
	if (make_counted(p, at, func, bytes)) {
		settle_site(p, at, bytes, SIZE);
		return;
	}
	if (func == p->warn) {
		settle_site(p, at, warn, SIZE);
		return;
	}
	for (size_t i = 0; func == p->return0 && i < 2 && !done; i++)
		otst_expect_try(p->e, OTST_DIFF_STATIC_CALL, at, zeros[i], SIZE, &done);
	if (func == p->unlock && !done)
		otst_expect_try(p->e, OTST_DIFF_STATIC_CALL, at, unlocks, SIZE, &done);
	if (done)
		return;
	otst_put_rel32(bytes, CALL, at, func);
	settle_site(p, at, bytes, SIZE);
}

static void set_jump(struct patching *p, uint64_t at, uint64_t func)
{
	uint8_t bytes[SIZE];

	if (!func) {
		set_return(p, at);
		return;
	}
	otst_put_rel32(bytes, JMP, at, func);
	settle_site(p, at, bytes, SIZE);
}

/* a conditional jump of 6 bytes */
static void set_condition(struct patching *p, uint64_t at, const uint8_t *built, uint64_t func)
{
	uint8_t bytes[SIZE + 1];

	func = func ?: otst_symbol_or0(p->e->o, "__static_call_return");
	bytes[0] = built[0];
	otst_put_rel32(bytes + 1, built[1], at + 1, func);
	settle_site(p, at, bytes, sizeof(bytes));
}

/* @raw: the entry; @site: what its distances are counted from */
static int patch_static_call(struct patching *p, const uint8_t *raw, uint64_t site)
{
	uint64_t at, key, func;
	const uint8_t *built;

	at = site + (uint64_t)(int64_t)(int32_t)otst_get(p->e->o, raw, 4);
	key = site + 4 + (uint64_t)(int64_t)(int32_t)otst_get(p->e->o, raw + 4, 4);
	built = otst_expect_built(p->e, at, SIZE + 1);
	if (!built || !otst_expect_found(p->e, at, SIZE))
		return 0;
	if (otst_read_u64(p->e->o, key & ~KEY_BITS, &func))
		return otst_expect_lost(p->e, at, built[0] == 0x0f ? SIZE + 1 : SIZE,
					"static call key", key & ~KEY_BITS);
	otst_audit_static_call(p->e->o, p->e->out, key & ~KEY_BITS, func);
	if (built[0] == 0x0f)
		set_condition(p, at, built, func);
	else if (built[0] == JMP)
		set_jump(p, at, func);
	else
		set_call(p, at, func);
	return 0;
}

static int x86_64_find_table(struct otst_expect *e, uint64_t *ret, uint64_t *count)
{
	uint64_t end;
	int err;

	if (!e->module) {
		err = otst_symbol(e->o, "__start_static_call_sites", ret);
		err = err ?: otst_symbol(e->o, "__stop_static_call_sites", &end);
		*count = err ? 0 : (end - *ret) / 8;
		return err;
	}
	err = otst_read_member(e->o, "module", e->module->addr, "static_call_sites", ret);
	return err ? err :
		     otst_read_member(e->o, "module", e->module->addr, "num_static_call_sites",
				      count);
}

/* ---- trampolines, by their names ---- */

static int x86_64_add_trampoline(void *priv, const struct otst_sym *sym, char type)
{
	struct patching *p = priv;
	uint64_t key, func;
	const char *name;

	(void)type;
	if (strncmp(sym->name, TRAMPOLINE, strlen(TRAMPOLINE)) ||
	    !otst_expect_found(p->e, sym->addr, SIZE))
		return 0;
	name = otst_format(p->e->o, KEY "%s", sym->name + strlen(TRAMPOLINE));
	if (p->e->module ? otst_module_symbol(p->e->o, p->e->module, name, &key) :
			   otst_symbol(p->e->o, name, &key))
		return 0;
	if (otst_read_u64(p->e->o, key, &func))
		return otst_expect_lost(p->e, sym->addr, SIZE, "static call key", key);
	set_jump(p, sym->addr, func);
	return 0;
}

static int patch_trampolines(struct patching *p)
{
	const struct otst_module *m = p->e->module;
	struct otst_sym sym = { 0 };
	uint64_t none;
	int err = 0;

	if (!m) {
		err = otst_kernel_symbols(p->e->o, TRAMPOLINE, x86_64_add_trampoline, p);
		return otst_fatal(err) ? err : 0;
	}
	/* this reads the module's symbols */
	(void)otst_module_symbol(p->e->o, m, TRAMPOLINE, &none);
	for (size_t i = 0; i < m->nr_symbols && !err; i++) {
		sym.name = m->symbols[i].name;
		sym.addr = m->symbols[i].addr;
		err = x86_64_add_trampoline(p, &sym, 't');
	}
	return err;
}

/* where a return through a thunk leads; taken as found if that cannot be read */
static int find_thunk(struct patching *p)
{
	uint64_t variable = otst_symbol_or0(p->e->o, "x86_return_thunk");

	if (!variable || !otst_read_u64(p->e->o, variable, &p->thunk)) {
		otst_audit_pointer(p->e->o, p->e->out, "x86_return_thunk", "thunk", p->thunk,
				   variable);
		return 0;
	}
	p->thunk_lost = true;
	return otst_expect_lost(p->e, 0, 0, "x86_return_thunk", variable);
}

/* static_call_lock() of kernel/static_call_inline.c */
static bool is_updating(struct otst *o)
{
	uint64_t mutex = otst_symbol_or0(o, "static_call_mutex"), owner = 0;

	return mutex && !otst_read_member(o, "mutex", mutex, "owner.counter", &owner) && owner;
}

static int note_late(const struct patching *p)
{
	struct otst *o = p->e->o;

	if (!p->late)
		return 0;
	return otst_note(o, &p->e->out->errors,
			 otst_raise(o, OTST_ERR_CORRUPT,
				    "static calls were being updated: %zu site%s taken as found",
				    p->late, otst_number(p->late, " is", "s are")));
}

int otst_apply_static_calls(struct otst_expect *e)
{
	struct patching p = { .e = e, .updating = is_updating(e->o) };
	uint64_t table = 0, count = 0, i;
	const uint8_t *raw = NULL;
	size_t len = 0;
	int err = x86_64_find_table(e, &table, &count);

	/* a kernel without static calls */
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (!err && count > OTST_TABLE_MAX)
		err = otst_raise(e->o, OTST_ERR_CORRUPT, "%llu entries", (unsigned long long)count);
	len = count * 8;
	if (!err && count)
		err = otst_expect_table(e, ".static_call_sites", &table, &len, &raw);
	if (err)
		return otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "static calls"));
	p.return0 = otst_symbol_or0(e->o, "__static_call_return0");
	p.warn = otst_symbol_or0(e->o, "__WARN_trap");
	p.unlock = otst_symbol_or0(e->o, "__raw_callee_save___native_queued_spin_unlock");
	err = find_thunk(&p);
	for (i = 0; i < len / 8 && !err; i++) {
		err = patch_static_call(&p, raw + 8 * i, table + 8 * i);
		if (!err && !(i & 0xfff))
			err = otst_check(e->o);
	}
	err = err ?: patch_trampolines(&p);
	return err ?: note_late(&p);
}
