/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * flat.h - flat kernel images: memory from _text on, without ELF headers.
 */
#ifndef OTST_FLAT_H
#define OTST_FLAT_H

#include "../base/engine.h"

#define OTST_FLAT_HEAD 64u

/**
 * otst_flat_machine() - which machine's flat image these bytes are, or the start of
 *
 * Return: EM_AARCH64, EM_RISCV; EM_NONE when they are none, or do not say it themselves.
 */
unsigned int otst_flat_machine(const uint8_t *data, size_t len);

/**
 * otst_flat_to_elf() - write an ELF file with the sections of a flat image
 * @machine: what otst_flat_machine() said, or EM_S390
 * @fd: where to write, from its start
 *
 * The symbols of the dump say where the sections are, so the result has a build ID only if
 * the image is that of the dump's kernel.
 *
 * Return: 0; LOOKUP with the reason in the message; FILE with errno; what ends a command.
 */
int otst_flat_to_elf(struct otst *o, unsigned int machine, const uint8_t *data, size_t len, int fd);

#endif /* OTST_FLAT_H */
