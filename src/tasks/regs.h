/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * regs.h - registers of the cpus when the kernel stopped, and struct pt_regs (regs.c).
 */
#ifndef OTST_REGS_H
#define OTST_REGS_H

#include "../memory/kernel.h"

/**
 * otst_cpu_regs() - registers of @cpu when the kernel stopped
 * @ret: room for OTST_REGS_MAX words; those of the architecture are filled
 *
 * The sources, in this order: what the kernel itself stored in crash_notes before it
 * started the capture kernel; what the target has; the dump's note, if it is known to
 * be that of @cpu; what the processor stored in memory.
 *
 * Return: 0; LOOKUP when none has them; FAULT or CORRUPT when what was stored cannot be read.
 */
int otst_cpu_regs(struct otst *o, unsigned int cpu, uint64_t *ret);

/** upper limit for the bytes of a struct pt_regs that hold registers */
#define OTST_PT_REGS_MAX 512

/**
 * struct otst_pt_regs - offset of each register of the architecture in struct pt_regs
 * @size: bytes up to the end of the last register; 0 on an unknown architecture
 */
struct otst_pt_regs {
	uint16_t size;
	uint16_t at[OTST_REGS_MAX];
};

/** otst_pt_regs() - never NULL */
const struct otst_pt_regs *otst_pt_regs(struct otst *o);

/**
 * otst_regs_take() - take registers from a struct pt_regs
 * @bytes: its first &otst_pt_regs.size bytes
 */
void otst_regs_take(struct otst *o, const unsigned char *bytes, uint64_t *ret);

/** otst_regs_read() - read those of the struct pt_regs at @addr; 0, or why it cannot be read */
int otst_regs_read(struct otst *o, uint64_t addr, uint64_t *ret);

#endif /* OTST_REGS_H */
