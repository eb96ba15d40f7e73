/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * aarch64.h - how arm64 kernels patch their own text: one file per class of
 * differences, in the order of classes.c. Private to src/audit/aarch64.
 */
#ifndef OTST_AUDIT_AARCH64_H
#define OTST_AUDIT_AARCH64_H

#include "../expect.h"

#define INSN	   4u
#define NOP	   0xd503201fu
#define MOV_X9_X30 0xaa1e03e9u
#define ADRP_MASK  0x9f000000u
#define ADRP	   0x90000000u
#define ADR	   0x10000000u

/** otst_a64_get(), otst_a64_put() - an instruction */
uint32_t otst_a64_get(const uint8_t *from);
void otst_a64_put(uint8_t *to, uint32_t insn);
/** otst_a64_move() - moves a direct branch or adrp from @from to @to; returns others unchanged */
uint32_t otst_a64_move(uint32_t insn, uint64_t from, uint64_t to);
/** otst_a64_branch() - does @insn, at @addr, branch to a target that it holds */
bool otst_a64_branch(uint32_t insn, uint64_t addr, uint64_t *target);
/** otst_a64_page() - what adr or adrp at @addr gives */
uint64_t otst_a64_page(uint32_t insn, uint64_t addr);

/**
 * otst_a64_callback() - a callback of an alternative at @addr, @len bytes
 * @name: the function
 * @known: set to false for an unknown function: then the place is taken as found
 */
void otst_a64_callback(struct otst_expect *e, const char *name, uint64_t addr, size_t len,
		       bool *known);

otst_apply_fn otst_a64_relocation;     /* relocation.c */
otst_apply_fn otst_a64_plts;	       /* plts.c */
otst_apply_fn otst_a64_alternatives;   /* alternatives.c */
otst_apply_fn otst_a64_shadow_stacks;  /* shadow_stacks.c */
otst_apply_fn otst_a64_runtime_consts; /* runtime_consts.c */

#endif /* OTST_AUDIT_AARCH64_H */
