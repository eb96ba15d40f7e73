/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * riscv64.h - how riscv64 kernels patch their own text: one file per class of
 * differences, in the order of classes.c. Private to src/audit/riscv64.
 */
#ifndef OTST_AUDIT_RISCV64_H
#define OTST_AUDIT_RISCV64_H

#include "../expect.h"

/** otst_riscv64_by_ra() - make a call of ftrace, auipc and jalr through t0, use ra instead */
void otst_riscv64_by_ra(uint8_t *pair);

otst_apply_fn otst_riscv64_alternatives;   /* alternatives.c */
otst_apply_fn otst_riscv64_runtime_consts; /* runtime_consts.c */

#endif /* OTST_AUDIT_RISCV64_H */
