/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * flat.h - flat kernel images: memory from _text on, without ELF headers.
 */
#ifndef OTST_FLAT_H
#define OTST_FLAT_H

#include "../base/engine.h"

#define OTST_FLAT_HEAD 64u

/** otst_flat_is() - are these bytes, at least OTST_FLAT_HEAD, a flat image or its start */
bool otst_flat_is(const uint8_t *data, size_t len);

/**
 * otst_flat_to_elf() - write an ELF file with the sections of a flat image
 * @fd: where to write, from its start
 *
 * The symbols of the dump say where the sections are, so the result has a build ID only if
 * the image is that of the dump's kernel.
 *
 * Return: 0; LOOKUP with the reason in the message; FILE with errno; what ends a command.
 */
int otst_flat_to_elf(struct otst *o, const uint8_t *data, size_t len, int fd);

#endif /* OTST_FLAT_H */
