// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * finding.c - what the audit finds and explains: names, one finding, one gap; and how this
 * architecture's text is compared.
 */
#include <inttypes.h>

#include "expect.h"

#define ROW(arch) &otst_audit_##arch,

/* NULL for an architecture whose text is not compared */
static const struct otst_audit_arch *const arches[] = { OTST_ARCHES(ROW) };

const struct otst_audit_arch *otst_audit_arch(struct otst *o)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(*arches); i++) {
		if (arches[i] && arches[i]->arch == otst_kernel(o)->arch)
			return arches[i];
	}
	return NULL;
}

const uint8_t *otst_audit_nop(struct otst *o)
{
	const struct otst_audit_arch *arch = otst_audit_arch(o);

	return arch && arch->nop ? arch->nop(o) : otst_kernel(o)->arch->insn.nop.bytes;
}

static const struct {
	const char *name;
	const char *what;
} differences[] = {
	[OTST_DIFF_RELOCATION] = { "relocation", "addresses moved by KASLR" },
	[OTST_DIFF_FTRACE] = { "ftrace", "entries of functions: nops, calls of tracers" },
	[OTST_DIFF_FTRACE_CALL] = { "ftrace-call", "what ftrace's common trampolines call" },
	[OTST_DIFF_KPROBE] = { "kprobe", "breakpoints and jumps of kprobes" },
	[OTST_DIFF_JUMP_LABEL] = { "jump-label", "branches of static keys" },
	[OTST_DIFF_STATIC_CALL] = { "static-call", "static calls and their trampolines" },
	[OTST_DIFF_ALTERNATIVE] = { "alternative", "instructions for this cpu" },
	[OTST_DIFF_PARAVIRT] = { "paravirt", "calls through pv_ops" },
	[OTST_DIFF_SMP_LOCK] = { "smp-lock", "lock prefixes that one cpu does not need" },
	[OTST_DIFF_RETPOLINE] = { "retpoline", "indirect jumps and calls without a thunk" },
	[OTST_DIFF_RETURN_THUNK] = { "return-thunk", "returns without a thunk, or by another" },
	[OTST_DIFF_CALL_DEPTH] = { "call-depth", "counting of calls, and calls of that" },
	[OTST_DIFF_ENDBR] = { "endbr", "sealed entries of functions" },
	[OTST_DIFF_CFI] = { "cfi", "checks of the type of what is called" },
	[OTST_DIFF_RUNTIME_CONST] = { "runtime-const", "constants known since boot" },
	[OTST_DIFF_BPF_DISPATCHER] = { "bpf-dispatcher", "jumps to BPF's choice of a program" },
	[OTST_DIFF_KGDB] = { "kgdb", "breakpoints of a debugger" },
	[OTST_DIFF_TEXT_POKE] = { "text-poke", "patches that were being written" },
	[OTST_DIFF_MODULE_SLOT] = { "module-slot", "GOT, PLT and stubs that loading made" },
	[OTST_DIFF_DATA_POINTER] = { "data-pointer",
				     "pointers in data that lead elsewhere than built" },
};
OTST_EACH_HAS(differences, OTST_DIFFS);

const char *otst_difference_name(enum otst_difference d)
{
	return differences[d].name;
}

const char *otst_difference_what(enum otst_difference d)
{
	return differences[d].what;
}

const char *otst_finding_name(enum otst_finding_kind kind)
{
	static const char *const names[] = { "text",   "claim",	 "pointer", "record",
					     "deadly", "module", "memory",  "data" };
	OTST_EACH_HAS(names, OTST_FINDING_COUNT);

	return names[kind];
}

struct otst_finding *otst_finding_add(struct otst *o, struct otst_audit *a,
				      enum otst_finding_kind kind, uint64_t addr,
				      const char *message)
{
	struct otst_finding *f = otst_vec_push(o, &a->findings, sizeof(*f));

	*f = (struct otst_finding){ .kind = kind, .addr = addr, .message = message };
	a->total++;
	return f;
}

struct otst_coverage *otst_audit_gap(struct otst *o, struct otst_audit *a, const char *what,
				     enum otst_looked looked, const char *why)
{
	struct otst_coverage *c = otst_vec_push(o, &a->coverage, sizeof(*c));

	*c = (struct otst_coverage){ .of = "findings", .what = what, .looked = looked, .why = why };
	return c;
}

void otst_finding_record(struct otst *o, struct otst_audit *a, enum otst_finding_kind kind,
			 uint64_t addr, uint64_t record, const char *message)
{
	struct otst_finding *f = otst_finding_add(o, a, kind, addr, message);

	f->record = record;
}

const char *otst_audit_bad_probe(struct otst *o, const struct otst_probe *p)
{
	return otst_format(o, "%s, record 0x%" PRIx64 ": %s", p->place ? p->place : "?", p->record,
			   p->error);
}

const char *otst_audit_probe_name(struct otst *o, const struct otst_probe *p)
{
	return otst_format(o, "%s on %s", otst_probe_kind(p->kind)->name,
			   p->target   ? p->target :
			   p->sym.name ? p->sym.name :
					 "an unknown place");
}

void otst_audit_seek(struct otst *o, struct otst_audit *a, uint64_t begin, uint64_t end)
{
	struct otst_sought *s;

	if (begin >= end)
		return;
	s = otst_vec_push(o, &a->sought, sizeof(*s));
	*s = (struct otst_sought){ begin, end };
}
