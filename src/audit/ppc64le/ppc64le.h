/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * ppc64le.h - how ppc64le kernels patch their own text: one file per class of
 * differences, in the order of classes.c. Private to src/audit/ppc64le.
 */
#ifndef OTST_AUDIT_PPC64LE_H
#define OTST_AUDIT_PPC64LE_H

#include "../expect.h"

#define INSN	     4u
#define NOP	     0x60000000u
#define MFLR_R0	     0x7c0802a6u
#define BLR	     0x4e800020u
#define SPEC_BARRIER 0x63ff0000u /* ori r31, r31, 0 */

/** otst_ppc64le_get(), otst_ppc64le_put() - an instruction */
uint32_t otst_ppc64le_get(const uint8_t *from);
void otst_ppc64le_put(uint8_t *to, uint32_t insn);
/** otst_ppc64le_branch() - does @insn, at @addr, branch to a target that it holds as a distance */
bool otst_ppc64le_branch(uint32_t insn, uint64_t addr, uint64_t *target);
/** otst_ppc64le_move() - changes such a branch to lead from @addr to @target */
uint32_t otst_ppc64le_move(uint32_t insn, uint64_t addr, uint64_t target);

/** otst_ppc64le_entry() - where calls of a function lead: past what sets r2 (ppc_function_entry()) */
uint64_t otst_ppc64le_entry(const struct otst_expect *e, uint64_t func);

otst_apply_fn otst_ppc64le_detours;    /* detours.c */
otst_apply_fn otst_ppc64le_relocation; /* relocation.c */
otst_apply_fn otst_ppc64le_features;   /* features.c */
otst_apply_fn otst_ppc64le_stubs;      /* stubs.c */
otst_apply_fn otst_ppc64le_barriers;   /* barriers.c */

/* out_of_line.c: sites that have a stub each (CONFIG_PPC_FTRACE_OUT_OF_LINE) */

/** otst_ppc64le_prepare() - find out where an image's stubs are */
int otst_ppc64le_prepare(struct otst_expect *e);
/** otst_ppc64le_set_ops() - set the ftrace_ops before the stub of @ip; @f: NULL if not hooked */
int otst_ppc64le_set_ops(struct otst_expect *e, uint64_t ip, const struct otst_ftrace_function *f);
/** otst_ppc64le_set_stub() - set the site @ip and its stub to call @to; 0: nobody */
int otst_ppc64le_set_stub(struct otst_expect *e, uint64_t ip, uint64_t to);
/** otst_ppc64le_lose_stub() - the same without a record: takes what is at @at of @p as found */
void otst_ppc64le_lose_stub(struct otst_expect *e, const struct otst_expect_part *p, size_t at);

#endif /* OTST_AUDIT_PPC64LE_H */
