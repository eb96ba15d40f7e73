/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * notes.h - where each form of dump keeps its headers and ELF notes; for every front
 * end that reads a dump file. It knows nothing of the engine.
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
 * elf_headers() - program headers of a 64-bit ELF file of either byte order, in host order
 * @ret: the caller frees it; NULL on error
 *
 * Return: how many; 0 when the file is of another kind, or damaged.
 */
size_t elf_headers(int fd, Elf64_Phdr **ret);

/**
 * dump_notes() - the ELF notes of a dump, one after the other
 * @ret: the caller frees it; NULL when the dump has none
 * @len: bytes of @ret
 *
 * Return: false when some notes are not in the file in full.
 */
bool dump_notes(int fd, void **ret, size_t *len);

/** dump_is_part() - true if it is one of the files that makedumpfile --split makes of a dump */
bool dump_is_part(int fd);

/**
 * note_next() - move *@at to the end of the next note named @name, with or without a NUL
 * @desc: its bytes
 *
 * Return: false when there is none.
 */
bool note_next(bool big_endian, void *notes, size_t len, size_t *at, const char *name,
	       unsigned char **desc, size_t *desc_len);

/** notes_have() - is there a note named @name; @big_endian: byte order of the notes' headers */
bool notes_have(bool big_endian, void *notes, size_t len, const char *name);

/** S390_DUMP_MAGIC - the first bytes of the dumps that s390's stand-alone dump tools write */
#define S390_DUMP_MAGIC "\xa8\x19\x01\x73\x61\x8f\x23\xfd"

/** LIME_BIG_ENDIAN - the first bytes of LiME's images of big-endian machines */
#define LIME_BIG_ENDIAN "LiME\0\0\0\1"

/** headers_big_endian() - are a dump's headers big-endian; false if their form is not known */
bool headers_big_endian(int fd);

/**
 * kernel_big_endian() - the byte order of the kernel
 * @big_endian: byte order of the dump's headers
 * @notes: @len bytes, converted to the kernel's byte order: QEMU writes big-endian headers for
 *         every ppc64 guest
 */
bool kernel_big_endian(bool big_endian, void *notes, size_t len);

#endif /* OTST_NOTES_H */
