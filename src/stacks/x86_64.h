/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * x86_64.h - shared by the files of this folder that are for x86_64 only.
 */
#ifndef OTST_STACKS_X86_64_H
#define OTST_STACKS_X86_64_H

#include "../arch/x86_64.h"
#include "unwinder.h"

/**
 * otst_orc_find() - the ORC rule of @pc (orc_x86_64.c)
 *
 * Return: 0; LOOKUP when the kernel has no ORC for it, or its layout is not
 * known; CORRUPT, FAULT when the tables cannot be used.
 */
int otst_orc_find(struct otst *o, uint64_t pc, struct otst_rule *ret);

/** otst_orc_why() - why there is no ORC at all in this dump, or NULL when there is */
const char *otst_orc_why(struct otst *o);

/** otst_orc_none() - whether the kernel has no ORC tables at all: before v4.14, or built without */
bool otst_orc_none(struct otst *o);

/** otst_x86_64_place() - &otst_unwinder.place (place_x86_64.c) */
bool otst_x86_64_place(struct otst *o, unsigned int cpu, uint64_t addr, struct otst_bounds *ret);

/** otst_orc_sp_at() - does ORC's SP_INDIRECT of this kernel mean OTST_BASE_SP_AT (place_x86_64.c) */
bool otst_orc_sp_at(struct otst *o);

#endif /* OTST_STACKS_X86_64_H */
