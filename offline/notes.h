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
#include <stdint.h>

/** get_number() - an integer of 1..8 bytes in the byte order of a file */
uint64_t get_number(bool big_endian, const void *at, size_t size);

/**
 * elf_headers() - program headers of a 64-bit ELF file of either byte order, in that of this machine
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

/** notes_have() - is there a note of @name among these, whose headers are in that order */
bool notes_have(bool big_endian, void *notes, size_t len, const char *name);

/** S390_DUMP_MAGIC - the first bytes of the dumps that s390's stand-alone dump tools write */
#define S390_DUMP_MAGIC "\xa8\x19\x01\x73\x61\x8f\x23\xfd"

/** headers_big_endian() - the byte order of a dump's headers; false where they are of no known form */
bool headers_big_endian(int fd);

/**
 * kernel_big_endian() - the byte order of the kernel
 * @big_endian: that of the dump's headers
 * @notes: @len bytes, changed to the kernel's order: QEMU writes big-endian headers for each ppc64 guest
 */
bool kernel_big_endian(bool big_endian, void *notes, size_t len);

#endif /* OTST_NOTES_H */
