/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * file.h - a file that a command writes in addition to what it prints.
 *
 * Until the file is complete, it has a name that nobody else has, next to the final
 * one. However the command ends before that, the partial file is removed and a file
 * that had the final name before stays as it was. Errors of the file (disk full, no such
 * folder) are OTST_ERR_FILE with its name in the message.
 */
#ifndef OTST_FILE_H
#define OTST_FILE_H

#include "../dump.h"

struct otst_file;

/** OTST_DAT_VERSION - the option of a trace.dat that names its writer: trace-cmd.dat.v6(5) */
#define OTST_DAT_VERSION 9

/**
 * otst_file_create() - start a file
 * @path: written unless otst_output_problem() sees one; it says which symbolic links are followed
 *
 * Return: 0, USAGE when something else is there, FILE, NOMEM.
 */
int otst_file_create(struct otst *o, const char *path, enum otst_written what,
		     struct otst_file **ret);

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
