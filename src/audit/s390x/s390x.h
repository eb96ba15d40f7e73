/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * s390x.h - how s390x kernels patch their own text: one file per class of
 * differences, in the order of classes.c. Private to src/audit/s390x.
 */
#ifndef OTST_AUDIT_S390X_H
#define OTST_AUDIT_S390X_H

#include "../expect.h"

/** otst_s390x_prepare() - make the index of the kernel's trampolines (trampolines.c) */
int otst_s390x_prepare(struct otst_expect *e);
/** otst_s390x_switch_site() - let site @ip call @to by its trampoline; 0: nobody (trampolines.c) */
int otst_s390x_switch_site(struct otst_expect *e, uint64_t ip, uint64_t to);

otst_apply_fn otst_s390x_alternatives;	  /* alternatives.c */
otst_apply_fn otst_s390x_runtime_consts;  /* runtime_consts.c */
otst_apply_fn otst_s390x_stack_protector; /* stack_protector.c */
otst_apply_fn otst_s390x_trampolines;	  /* trampolines.c: those of functions freed after boot */

/** otst_s390x_relocation() - addresses that .rela.dyn names (relocation.c) */
otst_apply_fn otst_s390x_relocation;

#endif /* OTST_AUDIT_S390X_H */
