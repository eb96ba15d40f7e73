/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * memory.h - reading kernel memory (memory.c), and strings that are safe to print
 */
#ifndef OTST_MEMORY_H
#define OTST_MEMORY_H

#include "../arch/bytes.h"
#include "../base/command.h"

/*
 * Memory is read and cached in chunks of this size: no kernel has smaller pages, so a
 * chunk is either in the dump or not.
 */
#define OTST_CHUNK 4096u

/**
 * otst_read() - read kernel memory, all or nothing
 *
 * Small reads go through a page cache, large ones straight to the target.
 *
 * Return: 0, FAULT, INTERRUPTED.
 */
int otst_read(struct otst *o, uint64_t addr, void *buf, size_t len);

/**
 * otst_read_head() - read bytes up to where memory ends
 * @least, @most: how many are wanted
 * @ret: how many there are
 *
 * For tables whose length is not stored: reaching the end of memory is not a failure.
 *
 * Return: 0; FAULT when not even @least can be read; INTERRUPTED.
 */
int otst_read_head(struct otst *o, uint64_t addr, void *buf, size_t least, size_t most,
		   size_t *ret);

/**
 * otst_read_now() - as otst_read(); for a live kernel, what is there at this moment,
 * not what was read before
 */
int otst_read_now(struct otst *o, uint64_t addr, void *buf, size_t len);

/**
 * otst_ahead() - this memory will be read soon: the target may start reading it
 *
 * See &otst_target_ops.ahead.
 */
void otst_ahead(struct otst *o, uint64_t addr, uint64_t len);

/** otst_read_u8() - read one byte */
int otst_read_u8(struct otst *o, uint64_t addr, uint8_t *ret);
/** otst_read_u32() - read a 32-bit integer */
int otst_read_u32(struct otst *o, uint64_t addr, uint32_t *ret);
/** otst_read_u64() - read a 64-bit integer or a pointer */
int otst_read_u64(struct otst *o, uint64_t addr, uint64_t *ret);

/**
 * otst_read_string() - read a NUL-terminated string, cleaned
 * @max: most bytes to read; a longer string is cut there and is not an error
 * @ret: in the command's arena
 */
int otst_read_string(struct otst *o, uint64_t addr, size_t max, const char **ret);

/**
 * otst_bit() - bit @i of a bitmap of 64-bit words
 *
 * Reads no byte outside the word of that bit.
 */
static inline bool otst_bit(bool big_endian, const void *bitmap, uint64_t i)
{
	return ((const uint8_t *)bitmap)[big_endian ? i / 8 ^ 7 : i / 8] >> i % 8 & 1;
}

/**
 * otst_get() - integer of 1..8 bytes in the kernel's byte order, from a buffer
 *
 * Data whose byte order another format defines (x86_64 instructions, file headers) is
 * read with otst_get_le().
 */
static inline uint64_t otst_get(const struct otst *o, const void *p, size_t size)
{
	return otst_get_as(otst_big_endian(o), p, size);
}

/**
 * otst_page_size() - PAGE_SIZE of the kernel (page.c)
 *
 * From VMCOREINFO, else from the kernel's types; 4096 when nothing tells.
 */
uint64_t otst_page_size(struct otst *o);

#endif /* OTST_MEMORY_H */
