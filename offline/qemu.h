/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * qemu.h - memory in QEMU's migration stream: qemustream.c finds its pages, qemu.c reads
 * them, qemucpu.c reads the cpus behind them.
 */
#ifndef OTST_QEMU_H
#define OTST_QEMU_H

#include "../front/notes.h"
#include "forms.h"
#include "stream.h"

#include <libdeflate.h>

/* an entry of the index: 0, or where the page is in the file, << 2, with these bits */
#define ENTRY_FILL   1u /* instead of the place: the byte */
#define ENTRY_PACKED 2u

#define PAGE_BITS    12u
#define MOST_BLOCKS  256u
#define LEAF_ENTRIES 512u

/** struct qemu_section - the section of cpu @id: @size bytes of fields, from byte @at of the file on */
struct qemu_section {
	uint64_t id;
	uint64_t at;
	uint64_t size;
};

/**
 * struct qemu_devices - what follows the memory
 * @cpus: @nr_cpus of them, in the order of the stream
 * @text_at, @text_size: the description of the devices' fields
 */
struct qemu_devices {
	struct qemu_section *cpus;
	size_t nr_cpus, room;
	uint64_t text_at, text_size;
};

/**
 * struct block - a block of memory
 * @name: as in the stream: "pc.ram"
 * @at: where it begins in the guest's memory, counted without holes; if @used
 */
struct block {
	char name[256];
	uint64_t size;
	uint64_t at;
	bool used;
};

/**
 * struct qemu - an opened stream
 * @leaves: index: page number / LEAF_ENTRIES, then % LEAF_ENTRIES; page numbers without holes
 * @base: physical address of the first page
 * @hole, @after: memory from @hole on begins at @after
 * @last: the block of the last page, also from one part of the memory to the next
 * @ended: the last part of the memory was seen
 * @different: pages that are known only as differences
 * @devices: what follows the memory
 */
struct qemu {
	int fd;
	unsigned int page_bits;
	char machine[256];
	struct block blocks[MOST_BLOCKS];
	size_t nr_blocks;
	uint64_t **leaves;
	uint64_t pages;
	uint64_t base, hole, after;
	const struct block *last;
	bool ended;
	uint64_t different;
	struct qemu_devices devices;
	struct libdeflate_decompressor *zlib;
	unsigned char *packed;
};

/* ---- qemustream.c ---- */

/** qemu_read_stream() - find the pages of memory, and the cpus; complains of what is missing or cannot be read */
int qemu_read_stream(struct qemu *q, struct stream *s);

/* ---- qemucpu.c ---- */

/** qemu_registers() - add notes of the cpus; none unless those of all are found */
int qemu_registers(int fd, const struct qemu_devices *d, void **notes, size_t *len);

#endif /* OTST_QEMU_H */
