/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * x86_64.h - how x86_64 kernels patch their own text: one file per class of
 * differences, in the order of classes.c. Private to src/audit/x86_64.
 */
#ifndef OTST_AUDIT_X86_64_H
#define OTST_AUDIT_X86_64_H

#include "../expect.h"

#define INT3 0xcc
#define CALL 0xe8
#define JMP  0xe9
#define JMP8 0xeb
#define RET  0xc3
#define CS   0x2e

/**
 * struct otst_patcher - what the kernel patches with (patcher.c)
 * @nop: its nops by length, up to @nop_max; @nop5: the one of jump labels and ftrace
 * @caps: boot_cpu_data.x86_capability, @nr_caps words; none when it cannot be read
 */
struct otst_patcher {
	const uint8_t *nop[12];
	unsigned int nop_max;
	const uint8_t *nop5;
	uint32_t caps[64];
	unsigned int nr_caps;
};

/** otst_patcher() - read once per command */
const struct otst_patcher *otst_patcher(struct otst *o);

/** otst_put_le32() - 4 bytes */
void otst_put_le32(uint8_t *to, uint32_t v);
/** otst_put_rel32() - opcode and distance of a direct jump or call at @addr to @target: 5 bytes */
void otst_put_rel32(uint8_t *to, uint8_t opcode, uint64_t addr, uint64_t target);
/** otst_get_rel32() - where the 5 bytes of such an instruction lead */
uint64_t otst_get_rel32(const uint8_t *from, uint64_t addr);

/** otst_call_thunk() - what counts calls before @func (call_depth.c); 0 when nothing does */
uint64_t otst_call_thunk(struct otst_expect *e, uint64_t func);

/**
 * otst_seal_endbr() - the kernel may have put a nop in the place of the ENDBR at @at (endbrs.c)
 * @seal: the nop that it uses, or NULL as long as that is not known
 */
void otst_seal_endbr(struct otst_expect *e, enum otst_difference d, uint64_t at,
		     const uint8_t **seal);

/** otst_x86_64_relocated() - see otst_relocated() (relocation.c) */
size_t otst_x86_64_relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
			     const uint8_t *found, size_t len, size_t at, size_t *from);

/** otst_x86_64_trampoline_ops() - &otst_audit_arch.trampoline_ops (trampoline.c) */
uint64_t otst_x86_64_trampoline_ops(struct otst *o, uint64_t trampoline);

/** otst_x86_64_check_trampoline() - &otst_audit_arch.check_trampoline (made.c) */
int otst_x86_64_check_trampoline(struct otst *o, struct otst_audit *a, const char *what,
				 const struct otst_ftrace_ops *ops);
/** otst_x86_64_check_kprobe() - &otst_audit_arch.check_kprobe (made.c) */
int otst_x86_64_check_kprobe(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
			     uint64_t slot);

otst_apply_fn otst_apply_pokes;	       /* pokes.c: completes patches under way in what was found */
otst_apply_fn otst_apply_paravirt;     /* paravirt.c */
otst_apply_fn otst_apply_retpolines;   /* retpolines.c */
otst_apply_fn otst_apply_returns;      /* returns.c */
otst_apply_fn otst_apply_call_depth;   /* call_depth.c; before and after alternatives */
otst_apply_fn otst_apply_alternatives; /* alternatives.c */
otst_apply_fn otst_apply_endbrs;       /* endbrs.c */
otst_apply_fn otst_apply_cfi;	       /* cfi.c */
otst_apply_fn otst_apply_smp_locks;    /* smp_locks.c */
otst_apply_fn otst_apply_runtime_consts; /* runtime_consts.c */
otst_apply_fn otst_apply_dispatcher;	 /* dispatcher.c */
otst_apply_fn otst_apply_static_calls;	 /* static_calls.c */

#endif /* OTST_AUDIT_X86_64_H */
