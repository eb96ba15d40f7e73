// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * relocation.c - KASLR: arch/x86/boot/compressed/misc.c, handle_relocations().
 * Absolute addresses in the text, of 4 or 8 bytes, have grown by exactly the
 * distance that the kernel was moved; where per-cpu variables are linked at 0,
 * references to them relative to the instruction have shrunk by it. The list of
 * these places is not in vmlinux files as they are shipped, so a place counts
 * as relocated when its value as built is an address of the image, or of a
 * per-cpu variable, and the value found is that plus, or minus, the distance.
 */
#include "expect.h"

#define KERNEL_MAP UINT64_C(0xffffffff80000000) /* __START_KERNEL_map */

/* an address in the image as linked; its physical address; its place in the image */
static bool in_image(const struct otst_expect *e, uint64_t value)
{
	uint64_t begin = e->built->begin, end = e->built->end;

	return value - begin <= end - begin || value - (begin - KERNEL_MAP) <= end - begin ||
	       value <= end - begin;
}

static bool moved(const struct otst_expect *e, const uint8_t *expected, const uint8_t *found,
		  size_t size)
{
	uint64_t was = otst_get_le(expected, size), is = otst_get_le(found, size);

	if (size == 8)
		return is == was + e->built->slide && in_image(e, was);
	return (uint32_t)is == (uint32_t)(was + e->built->slide) &&
	       (in_image(e, (uint64_t)(int64_t)(int32_t)was) || in_image(e, was));
}

/* @at: of the distance in the instruction, in the running kernel; up to 4 bytes of immediate follow */
static bool moved_percpu(const struct otst_expect *e, uint64_t at, const uint8_t *expected,
			 const uint8_t *found)
{
	uint64_t was = (uint64_t)(int64_t)(int32_t)otst_get_le(expected, 4), target;
	uint32_t is = (uint32_t)otst_get_le(found, 4);

	if (!e->percpu_end || is != (uint32_t)(was - e->built->slide))
		return false;
	target = at - e->built->slide + 4 + was;
	return target + 4 < e->percpu_end + 4;
}

size_t otst_relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
		      const uint8_t *found, size_t len, size_t at, size_t *from)
{
	size_t size, i;

	if (!e->built->slide)
		return 0;
	for (size = 8; size >= 4; size -= 4) {
		for (i = at >= size - 1 ? at - (size - 1) : 0; i <= at && i + size <= len; i++) {
			if (!moved(e, expected + i, found + i, size) &&
			    (size != 4 || !moved_percpu(e, addr + i, expected + i, found + i)))
				continue;
			*from = i;
			return i + size;
		}
	}
	return 0;
}
