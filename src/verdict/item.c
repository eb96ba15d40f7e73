// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * item.c - one item of evidence, and the words that all of them use.
 */
#include <string.h>

#include "evidence.h"

#define MODULE_NAME 64u /* MODULE_NAME_LEN is less */

const char *otst_rank_name(enum otst_rank rank)
{
	static const char *const names[] = {
		[OTST_RANK_A] = "A",	 [OTST_RANK_B] = "B", [OTST_RANK_C] = "C",
		[OTST_RANK_D] = "D",	 [OTST_RANK_E] = "E", [OTST_RANK_F] = "F",
		[OTST_RANK_NONE] = NULL,
	};
	OTST_EACH_HAS(names, OTST_RANK_COUNT);

	return names[rank];
}

void otst_verdict_add(struct otst_finder *f, enum otst_rank rank, const char *text,
		      const char *owner, const char *more)
{
	struct otst_evidence_item *e = f->v->evidence.data;

	/* two stacks, or the stack and the audit, may show the same */
	for (size_t i = 0; i < f->v->evidence.count; i++) {
		if (e[i].rank == rank && !strcmp(e[i].text, text))
			return;
	}
	e = otst_vec_push(f->o, &f->v->evidence, sizeof(*e));
	*e = (struct otst_evidence_item){ rank, text, owner, more };
}

const char *otst_verdict_owner(struct otst *o, const struct otst_owner *w)
{
	if (otst_is_nobodys(w))
		return otst_owner_kind_name(w->kind);
	if (w->kind == OTST_OWNER_UNKNOWN || !w->name)
		return NULL;
	return otst_format(o, "%s %s", otst_owner_kind_name(w->kind), w->name);
}

bool otst_is_only_owner(struct otst *o, const struct otst_owner *w, const char **only)
{
	const char *owner = otst_verdict_owner(o, w);

	if (!owner || (*only && strcmp(owner, *only) != 0))
		return false;
	*only = owner;
	return true;
}

const char *otst_last_unloaded(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "last_unloaded_module");
	const char *module;

	if (!at)
		return "";
	if (otst_read_string(o, at, MODULE_NAME, &module))
		return "; what was unloaded last cannot be read";
	return *module ? otst_format(o, "; unloaded last: %s", module) : "";
}

bool otst_stands_still(enum otst_death death)
{
	return death != OTST_DEATH_OOPS && death != OTST_DEATH_WARNING &&
	       death != OTST_DEATH_OUT_OF_MEMORY;
}

const char *otst_evidence_owner(struct otst *o, const struct otst_verdict_frame *frame)
{
	const char *owner = otst_verdict_owner(o, &frame->owner);

	return owner || !frame->sym.module ? owner : otst_format(o, "module %s", frame->sym.module);
}

const char *otst_evidence_name(struct otst *o, const struct otst_verdict_frame *f)
{
	return otst_sym_format(o, f->frame.pc, &f->sym, OTST_SYM_PS);
}

const char *otst_evidence_command(struct otst *o, const struct otst_verdict_frame *f)
{
	const struct otst_sym *sym = &f->sym;

	if (f->role == OTST_ROLE_PROGRAM)
		return "otst -l -v";
	return sym->name ? otst_format(o, "otst -w %s%s%s", sym->module ? sym->module : "",
				       sym->module ? ":" : "", sym->name) :
			   "otst -i";
}

/* kernel code that a traced function calls; on x86_64 most ftrace_ops have their own copy of it */
bool otst_calls_callbacks(const struct otst_sym *sym)
{
	static const char *const names[] = { "ftrace_caller", "ftrace_regs_caller", "ftrace_common",
					     "ftrace_call",   "ftrace_regs_call",   NULL };

	return otst_sym_is_one_of(sym, names);
}

bool otst_waits_for_cpus(const struct otst_sym *sym)
{
	static const char *const names[] = { "smp_call_function_many_cond",
					     "smp_call_function_many",
					     "smp_call_function_single",
					     "csd_lock_wait",
					     "multi_cpu_stop",
					     NULL };

	return otst_sym_is_one_of(sym, names);
}

bool otst_is_among(const char *name, size_t len, const char *const *names, size_t count)
{
	size_t i, known;

	for (i = 0; i < count; i++) {
		known = strcspn(names[i], "*");
		if (len >= known && !memcmp(name, names[i], known) &&
		    (names[i][known] || len == known || name[known] == '.'))
			return true;
	}
	return false;
}

bool otst_is_reporter(const char *name, size_t len)
{
	static const char *const names[] = {
		"panic",	   "vpanic",
		"nmi_panic",	   "check_panic_on_warn",
		"__warn",	   "warn_slowpath_fmt",
		"__warn_printk",   "report_bug",
		"__report_bug",	   "handle_bug",
		"exc_invalid_op",  "asm_exc_invalid_op",
		"do_error_trap",   "do_invalid_op",
		"invalid_op",	   "print_report",
		"kasan_report*",   "__ubsan_handle_*",
		"ubsan_epilogue",  "__schedule_bug",
		"__might_resched", "__might_sleep",
	};

	return otst_is_among(name, len, names, sizeof(names) / sizeof(*names));
}
