/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * boot.h - kernel images as they are installed: compressed files of vmlinux, and what
 * boot loaders load.
 */
#ifndef OTST_BOOT_H
#define OTST_BOOT_H

#include "../base/engine.h"

/**
 * otst_boot_is_image() - is the file a kernel image that otst_boot_open() may read
 *
 * A compressed file is one if it starts as an ELF file of a kernel does, or as what a
 * boot loader loads.
 */
bool otst_boot_is_image(int fd);

/** otst_boot_is_program() - is the ELF file a program or a library: it loads into the lower half of addresses */
bool otst_boot_is_program(int fd);

/**
 * otst_boot_open() - the ELF file in a kernel image
 * @fd: stays the caller's
 * @ret: descriptor of an ELF file that has no name, in $TMPDIR (or /var/tmp); -1 when the
 *	file itself is what can be read
 *
 * Return: 0; LOOKUP with the reason in the message; what ends a command.
 */
int otst_boot_open(struct otst *o, int fd, int *ret);

/**
 * otst_unpacked_open() - the file that a compressed one holds, of which no more is taken than of a kernel image
 * @fd: is closed when @ret is another one
 * @ret: @fd when that is not compressed
 *
 * Return: 0; LOOKUP with the reason in the message, and @fd closed; what ends a command, likewise.
 */
int otst_unpacked_open(struct otst *o, int fd, int *ret);

#endif /* OTST_BOOT_H */
