/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_target.h - a target over a dump written as text.
 *
 * For layouts of kernels that cannot be booted here and for damage that no
 * machine can be made to produce. The syntax is described in dumps/README.md.
 */
#ifndef TEXT_TARGET_H
#define TEXT_TARGET_H

#include "../../src/otst.h"

struct text_dump;

/**
 * text_target_open() - read a text dump
 * @path: the file
 * @message: gets "FILE:LINE: what is wrong" on error
 * @size: room at @message
 * @ret: hand it to otst_open() with text_target_ops(); free with text_target_close()
 *
 * Return: 0, or OTST_ERR_USAGE.
 */
int text_target_open(const char *path, char *message, size_t size, struct text_dump **ret);

/** text_target_close() - free a dump; NULL is fine */
void text_target_close(struct text_dump *d);

/** text_target_big_endian() - for &otst_options.big_endian */
bool text_target_big_endian(const struct text_dump *d);

/** text_target_ops_of() - the same, for a dump that may say where physical memory is */
const struct otst_target_ops *text_target_ops_of(const struct text_dump *d);

/** text_target_ops() - the operations; their private pointer is the struct text_dump */
const struct otst_target_ops *text_target_ops(void);

#endif /* TEXT_TARGET_H */
