// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pointers.c - the pointers on which explanations rest: handlers, keys of static calls,
 * targets of jump labels, trampolines. Each leads to code that somebody owns, or is a
 * finding of its own.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "../memory/translate.h"
#include "../owners/owners.h"
#include "expect.h"

#define KERNELS UINT64_C(0x8000000000000000) /* no address below is the kernel's */

bool otst_audit_is_code(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	struct otst_sym sym;

	if (addr >= b->sinittext && addr < b->einittext)
		return !otst_init_is_over(o);
	if (otst_is_text(o, addr))
		return true;
	if (otst_module_at(o, addr) || (addr >= b->stext && addr < b->end))
		return false;
	otst_symbolize_code(o, addr, &sym);
	return sym.name != NULL;
}

bool otst_audit_may_run(struct otst *o, struct otst_audit *a, uint64_t addr)
{
	bool lost = false;
	unsigned int rights = addr < KERNELS ? 0 : otst_page_rights(o, addr, &lost);

	a->unjudged |= lost;
	return rights & OTST_MAY_EXECUTE;
}

bool otst_audit_is_undecided(struct otst *o, struct otst_audit *a, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	struct otst_module *const *m;
	int err = otst_modules(o, &m);
	bool unseen = false;

	if (((!err || err == OTST_ERR_LOOKUP) && !otst_modules_error(o)) || addr < KERNELS ||
	    (addr >= b->stext && addr < b->end) || otst_module_at(o, addr))
		return false;
	if (!(otst_page_rights(o, addr, &unseen) & OTST_MAY_EXECUTE) && !unseen)
		return false;
	a->undecided++;
	return true;
}

static const char *describe_place(struct otst *o, uint64_t addr)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	const struct otst_module *m = otst_module_at(o, addr);

	if (m)
		return otst_format(o, ", but in the data of module %s", m->name);
	if (addr >= b->sinittext && addr < b->einittext)
		return ", but where init text was, which was freed";
	return " or of a module that is loaded";
}

/*
 * Several records may hold one pointer, and one record may be asked for often. Modules of one
 * build have both at the same distance.
 */
static bool is_new_pointer(struct otst *o, uint64_t func, uint64_t record)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	bool added = true;

	if (!*memo)
		*memo = otst_new(o, sizeof(struct otst_set));
	return otst_set_add(o, *memo, func * UINT64_C(0x9e3779b97f4a7c15) ^ record, &added) ||
	       added;
}

void otst_audit_pointer(struct otst *o, struct otst_audit *a, const char *what, const char *role,
			uint64_t func, uint64_t record)
{
	const struct otst_module *m = func ? otst_module_at(o, func) : NULL;
	bool hidden = m && m->hidden;
	const char *message;

	if (!func || (!hidden && otst_audit_is_code(o, func)) || !is_new_pointer(o, func, record) ||
	    otst_audit_is_undecided(o, a, func))
		return;
	message = hidden ? otst_format(o, "%s: %s is in module %s, which hides", what, role,
				       m->name) :
			   otst_format(o, "%s: %s is not in the text of the kernel%s", what, role,
				       describe_place(o, func));
	otst_finding_record(o, a, OTST_FINDING_POINTER, func, record, message);
}

/* ---- kprobes ---- */

int otst_audit_kprobe(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	const struct otst_audit_arch *arch = otst_audit_arch(o);
	const char *what = otst_audit_probe_name(o, p);
	uint64_t slot, post;

	/* kprobes run the instruction from the slot of the record in the table, whoever its users are */
	if (otst_read_member(o, "kprobe", p->node, "ainsn.insn", &slot))
		slot = p->slot;
	if (!otst_may_be_slot(o, slot))
		otst_audit_pointer(o, a, what, "slot", slot, p->node);
	if (!otst_may_be_slot(o, p->detour))
		otst_audit_pointer(o, a, what, "detour buffer", p->detour, p->node);
	if (p->node != p->record && !otst_read_member(o, "kprobe", p->node, "post_handler", &post))
		otst_audit_pointer(o, a, what, "post_handler of its aggregate", post, p->node);
	/* once for all users of the record */
	return arch && arch->check_kprobe && is_new_pointer(o, ~slot, p->node) ?
		       arch->check_kprobe(o, a, p, slot) :
		       0;
}

/* ---- ftrace's trampolines ---- */

uint64_t otst_trampoline_ops(struct otst *o, uint64_t trampoline)
{
	const struct otst_audit_arch *arch = otst_audit_arch(o);

	return arch && arch->trampoline_ops ? arch->trampoline_ops(o, trampoline) : 0;
}

/* ftrace_ops_get_func() and its predecessors: what a trampoline calls for its ops */
static bool is_callee(struct otst *o, const struct otst_ftrace_ops *ops)
{
	static const char *const others[] = { "ftrace_ops_assist_func", "ftrace_ops_recurs_func",
					      "ftrace_ops_list_func", "arch_ftrace_ops_list_func" };
	bool found = ops->calls == ops->func;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others) && !found; i++)
		found = otst_handler_is(o, ops->calls, others[i]);
	return found;
}

/* what is wrong with the trampoline of @ops; NULL if nothing is */
static const char *judge_trampoline(struct otst *o, const struct otst_ftrace_ops *ops)
{
	uint64_t of = otst_trampoline_ops(o, ops->trampoline);
	uint64_t call = otst_ftrace_trampoline_call(o, ops);
	uint8_t insn[OTST_BRANCH_MAX];
	const struct otst_arch *arch = otst_kernel(o)->arch;

	if (of != ops->addr)
		return of ? "is that of another ftrace_ops" : "is not one that ftrace made";
	/* a breakpoint is in its place while the call is changed */
	if (call && !ops->calls && !otst_read(o, call, insn, arch->insn.branch_len))
		return otst_breakpoint_at(arch, insn, arch->insn.branch_len) ?
			       NULL :
			       "does not call its callback";
	if (ops->calls && !is_callee(o, ops))
		return otst_format(o, "calls 0x%" PRIx64 "%s%s, not its callback", ops->calls,
				   ops->calls_sym.name ? " " : "",
				   ops->calls_sym.name ? ops->calls_sym.name : "");
	return NULL;
}

/*
 * create_trampoline() of arch/x86/kernel/ftrace.c: the trampoline of one ops has the
 * address of that ops in it. Elsewhere trampolines are functions of the kernel, as is that
 * of function graph.
 */
int otst_audit_trampoline(struct otst *o, struct otst_audit *a, const char *what,
			  const struct otst_ftrace_ops *ops)
{
	const struct otst_audit_arch *arch = otst_audit_arch(o);
	const char *wrong;
	uint8_t byte;

	if (!ops->trampoline || !arch || otst_is_text(o, ops->trampoline))
		return 0;
	/* a page that is not in the dump is an error of the listing */
	if (otst_read_u8(o, ops->trampoline, &byte))
		return otst_note(o, &a->errors,
				 otst_fail(o, OTST_ERR_FAULT, "%s: its trampoline", what));
	wrong = judge_trampoline(o, ops);
	if (wrong)
		otst_finding_record(o, a, OTST_FINDING_POINTER, ops->trampoline, ops->addr,
				    otst_format(o, "%s: its trampoline %s", what, wrong));
	else if (arch->check_trampoline)
		return arch->check_trampoline(o, a, what, ops);
	return 0;
}

void otst_audit_direct(struct otst *o, struct otst_audit *a, const struct otst_ftrace_function *f)
{
	/*
	 * Linux ecb60d1c670e ("bpf: Move lnode list node to struct bpf_ksym") (v5.7):
	 * before that no list has BPF's trampolines
	 */
	if (f->direct && otst_has_member(o, "bpf_ksym", "lnode"))
		otst_audit_pointer(
			o, a, otst_format(o, "ftrace on %s", otst_ftrace_site_name(o, f->site.ip)),
			"direct trampoline", f->direct, f->site.record);
}

/* ---- static calls ---- */

#define STATIC_CALL_KEY "__SCK__"

void otst_audit_static_call(struct otst *o, struct otst_audit *a, uint64_t key, uint64_t func)
{
	const struct otst_module *m = otst_module_at(o, func);
	struct otst_sym sym;
	bool named;

	if (!func || (!(m && m->hidden) && otst_audit_is_code(o, func)))
		return;
	otst_symbolize(o, key, &sym);
	named = sym.name && !strncmp(sym.name, STATIC_CALL_KEY, strlen(STATIC_CALL_KEY));
	otst_audit_pointer(o, a,
			   otst_format(o, "static call%s%s", named ? " " : "",
				       named ? sym.name + strlen(STATIC_CALL_KEY) : ""),
			   "function", func, key);
}

struct keys {
	struct otst *o;
	struct otst_audit *audit;
	size_t unread;
};

/* struct static_call_key begins with the function */
static int check_key(void *priv, const struct otst_sym *sym, char type)
{
	struct keys *k = priv;
	uint64_t func;

	(void)type;
	if (strncmp(sym->name, STATIC_CALL_KEY, strlen(STATIC_CALL_KEY)) != 0)
		return 0;
	k->audit->records++;
	if (otst_read_u64(k->o, sym->addr, &func))
		k->unread++;
	else
		otst_audit_static_call(k->o, k->audit, sym->addr, func);
	return 0;
}

static int check_module_keys(struct keys *k)
{
	struct otst_module *const *m;
	struct otst_sym sym = { 0 };
	uint64_t none;

	/* what keeps the modules from being read is an error of the comparison */
	if (otst_modules(k->o, &m))
		return otst_check(k->o);
	for (; *m && !otst_stopped(k->o); m++) {
		/* this reads the module's symbols */
		(void)otst_module_symbol(k->o, *m, STATIC_CALL_KEY, &none);
		for (size_t i = 0; i < (*m)->nr_symbols; i++) {
			sym.name = (*m)->symbols[i].name;
			sym.addr = (*m)->symbols[i].addr;
			(void)check_key(k, &sym, 'd');
		}
	}
	return otst_check(k->o);
}

int otst_audit_static_calls(struct otst *o, struct otst_audit *a)
{
	struct keys k = { .o = o, .audit = a };
	int err = otst_kernel_symbols(o, STATIC_CALL_KEY, check_key, &k);

	if (otst_fatal(err))
		return err;
	err = check_module_keys(&k);
	return err || !k.unread ?
		       err :
		       otst_note(o, &a->errors,
				 otst_raise(o, OTST_ERR_FAULT,
					    "%zu key%s of static calls %s not in the dump",
					    k.unread, otst_number(k.unread, "", "s"),
					    otst_number(k.unread, "is", "are")));
}
