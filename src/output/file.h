/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * file.h - a file that a command writes in addition to what it prints.
 *
 * Until the file is complete, its name ends in an additional ".partial". However
 * the command ends before that, the partial file is removed and a file that had
 * the final name before stays as it was. Errors of the file (disk full, no such
 * folder) are OTST_ERR_FILE with its name in the message.
 */
#ifndef OTST_FILE_H
#define OTST_FILE_H

#include "../dump/dump.h"

struct otst_file;

/**
 * otst_file_create() - start a file
 * @path: overwritten when it is an ordinary file; devices and pipes are refused
 *
 * Return: 0, FILE, NOMEM.
 */
int otst_file_create(struct otst *o, const char *path, struct otst_file **ret);

/** otst_file_write() - append @len bytes; returns 0, FILE or INTERRUPTED, as do all below */
int otst_file_write(struct otst_file *f, const void *data, size_t len);

/** otst_file_number() - append an integer of @size bytes in the kernel's byte order */
int otst_file_number(struct otst_file *f, uint64_t v, size_t size);

/** otst_file_string() - append @s and its NUL */
int otst_file_string(struct otst_file *f, const char *s);

/** otst_file_align() - append zeros up to a multiple of @size, which is a power of two */
int otst_file_align(struct otst_file *f, size_t size);

/** otst_file_at() - how many bytes were appended so far */
uint64_t otst_file_at(const struct otst_file *f);

/** otst_file_patch() - overwrite @size bytes at @offset; the byte order is the kernel's */
int otst_file_patch(struct otst_file *f, uint64_t offset, uint64_t v, size_t size);

/** otst_file_finish() - write what is left and give the file its name */
int otst_file_finish(struct otst_file *f);

#endif /* OTST_FILE_H */
