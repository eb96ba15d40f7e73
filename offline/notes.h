/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * notes.h - where the forms of a dump keep their headers and ELF notes; for every front
 * end that has the file of a dump.
 */
#ifndef OTST_NOTES_H
#define OTST_NOTES_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * elf_headers() - program headers of a 64-bit little-endian ELF file
 * @ret: to be freed; NULL on error
 *
 * Return: how many; 0 when it is of another kind, or damaged.
 */
size_t elf_headers(int fd, Elf64_Phdr **ret);

/**
 * dump_notes() - the ELF notes of a dump, one after the other
 * @ret: to be freed; NULL when the dump has none
 * @len: bytes of @ret
 *
 * Return: false when there are notes that the file does not have whole.
 */
bool dump_notes(int fd, void **ret, size_t *len);

/** notes_have() - is there a note of @name among these */
bool notes_have(const void *notes, size_t len, const char *name);

#endif /* OTST_NOTES_H */
