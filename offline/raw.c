// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * raw.c - physical memory without any header: dd, QEMU's pmemsave, LiME's format=padded, the
 * memory files of Firecracker and cloud-hypervisor, VMware's .vmem. The address is the offset, plus
 * where the machine's memory begins: not at 0 on most boards of arm64 and riscv64. The engine finds
 * that by the kernel's page tables and says it with place().
 *
 * The files of virtual machines leave out the hole below 4 GiB that a PC keeps for devices. Where
 * it begins depends on the machine. It follows from the size of the file and the end of memory
 * above 4 GiB. The latter is in the table that the boot loader passes to an x86 kernel, and that
 * the kernel keeps: struct boot_params of arch/x86/include/uapi/asm/bootparam.h.
 */
#include "forms.h"
#include "../front/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOUR_GIB (4ull << 30)

/* No known machine keeps more than this for devices: QEMU's q35 begins the hole at 2 GiB. */
#define LOWEST_HOLE (2ull << 30)

/* between the end of memory and the hole there are tables of the firmware */
#define MOST_FIRMWARE (256ull << 20)
#define HOLE_ALIGN    (1ull << 20)

/* struct boot_params: e820_entries, hdr.header, e820_table[] of { u64 addr, u64 size, u32 type } */
#define BOOT_PARAMS   4096u
#define ENTRIES_AT    0x1e8u
#define HEADER_AT     0x202u
#define TABLE_AT      0x2d0u
#define TABLE_ENTRY   20u
#define TABLE_ENTRIES 128u
#define TYPE_RAM      1u

#define STEP (1u << 20)

/** struct ram - what the table says: the ends of memory below and above 4 GiB */
struct ram {
	uint64_t low;
	uint64_t high;
};

static bool is_sane(uint64_t addr, uint64_t size, uint64_t type)
{
	return size && type && addr + size > addr && addr + size < 1ull << 52;
}

/* @params: BOOT_PARAMS bytes */
static bool read_table(const unsigned char *params, struct ram *ret)
{
	unsigned int count = params[ENTRIES_AT], i;

	*ret = (struct ram){ 0 };
	if (count > TABLE_ENTRIES)
		return false;
	for (i = 0; i < count; i++) {
		const unsigned char *e = params + TABLE_AT + i * TABLE_ENTRY;
		uint64_t addr = get_number(false, e, 8), size = get_number(false, e + 8, 8),
			 type = get_number(false, e + 16, 4), *end;

		if (!is_sane(addr, size, type))
			return false;
		end = addr < FOUR_GIB ? &ret->low : &ret->high;
		if (type == TYPE_RAM && addr + size > *end)
			*end = addr + size;
	}
	return ret->low > 1u << 20 && ret->low <= FOUR_GIB;
}

/* Looks for the table in the memory from @offset on; the buffer has STEP + BOOT_PARAMS bytes. */
static bool find_in_step(int fd, uint64_t offset, uint64_t size, unsigned char *buf,
			 struct ram *ret)
{
	uint64_t len = size - offset < STEP + BOOT_PARAMS ? size - offset : STEP + BOOT_PARAMS;
	const unsigned char *at = buf, *end;

	if (len < BOOT_PARAMS || !read_fully(fd, buf, len, offset))
		return false;
	end = buf + len - BOOT_PARAMS + HEADER_AT + 4;
	at += HEADER_AT;
	while (at < end && (at = memmem(at, (size_t)(end - at), "HdrS", 4))) {
		if (read_table(at - HEADER_AT, ret))
			return true;
		at++;
	}
	return false;
}

static bool find_table(int fd, uint64_t size, struct ram *ret)
{
	unsigned char *buf = malloc(STEP + BOOT_PARAMS);
	uint64_t at = 0;
	bool found = false;

	while (buf && !found && at < size) {
		off_t data = lseek(fd, (off_t)at, SEEK_DATA);

		if (data < 0)
			break;
		at = (uint64_t)data & -(uint64_t)BOOT_PARAMS;
		progress_step("memory, for the boot loader's memory map", at, size);
		progress_tick();
		found = find_in_step(fd, at, size, buf, ret);
		at += STEP;
	}
	free(buf);
	return found;
}

/* Returns where the hole begins that the file leaves out; @size when it leaves out none. */
static uint64_t find_hole(int fd, uint64_t size)
{
	struct ram ram;
	uint64_t hole;

	if (size <= LOWEST_HOLE)
		return size;
	if (!find_table(fd, size, &ram) || ram.high <= size)
		return size;
	hole = size - (ram.high - FOUR_GIB);
	if (hole >= ram.low && hole <= FOUR_GIB && hole - ram.low <= MOST_FIRMWARE &&
	    !(hole % HOLE_ALIGN))
		return hole;
	complain("memory ends at 0x%" PRIx64 ", which fits neither a file that has the hole below "
		 "4 GiB nor one without it; --memory-map FILE says what is where",
		 ram.high);
	return size;
}

static int add_memory(struct segments *s, const struct form_file *file)
{
	uint64_t size = segments_file_size(s), hole;
	int err;

	if (file->memory_map)
		return memory_map_add(file->memory_map, s);
	if (vmware_add_regions(file->path, s, &err))
		return err;
	hole = find_hole(file->fd, size);
	if (hole == size)
		segments_let_place(s);
	err = segments_add(s, 0, hole, 0);
	return err ?: segments_add(s, FOUR_GIB, size - hole, hole);
}

static int open_raw(const struct form_file *file, void **ret)
{
	struct segments *s;
	int err;

	err = segments_create(file->fd, &s);
	if (err)
		return err;
	segments_skip_holes(s);
	return segments_finish(s, add_memory(s, file), "memory image", ret);
}

const struct form_ops raw_form = {
	.takes_map = true,
	.has_no_byte_order = true,
	.open = open_raw,
	.close = segments_close,
	.read = segments_read,
	.next = segments_next,
	.place = segments_place,
	.extent = segments_extent,
	.hint = "the file was taken for physical memory, because no header says what it is; where the "
		"offset is not the address, --memory-map FILE says what is where: the machine's "
		"/proc/iomem as root reads it, or for each piece a line START END OFFSET",
};
