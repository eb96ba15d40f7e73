// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * relocation.c - KASLR: arch/x86/boot/compressed/misc.c, handle_relocations().
 * Absolute addresses in the text, of 4 or 8 bytes, are larger by exactly the
 * distance that the kernel was moved. Where per-cpu variables are linked at 0,
 * references to them relative to the instruction are smaller by it. The vmlinux
 * files that are shipped have no list of these places, so a place counts as
 * relocated when its value as built is an address of the image, or of a per-cpu
 * variable, and the value found is that plus, or minus, the distance.
 */
#include "x86_64.h"

#define KERNEL_MAP UINT64_C(0xffffffff80000000) /* __START_KERNEL_map */
#define BEHIND	   UINT64_C(0x200000)		/* _end rounded up to a large page */

/* an address in the image as linked; its physical address; its place in the image */
static bool in_image(const struct otst_expect *e, uint64_t value)
{
	uint64_t begin = e->built->begin, end = e->built->end + BEHIND;

	return value - begin <= end - begin || value - (begin - KERNEL_MAP) <= end - begin ||
	       value <= end - begin;
}

static bool moved8(const struct otst_expect *e, const uint8_t *expected, const uint8_t *found)
{
	uint64_t was = otst_get_le(expected, 8);

	return otst_get_le(found, 8) == was + e->built->slide && in_image(e, was);
}

static bool moved4(const struct otst_expect *e, const uint8_t *expected, const uint8_t *found)
{
	uint32_t was = (uint32_t)otst_get_le(expected, 4);

	return (uint32_t)otst_get_le(found, 4) == (uint32_t)(was + e->built->slide) &&
	       (in_image(e, (uint64_t)(int64_t)(int32_t)was) || in_image(e, was));
}

/*
 * @at: address of the distance in the running kernel; in instructions up to 4 bytes of immediate
 * follow it, in data it is counted from where it stands
 */
static bool moved_percpu(const struct otst_expect *e, uint64_t at, const uint8_t *expected,
			 const uint8_t *found)
{
	uint64_t was = (uint64_t)(int64_t)(int32_t)otst_get_le(expected, 4), target;

	if (!e->built->percpu_end ||
	    (uint32_t)otst_get_le(found, 4) != (uint32_t)(was - e->built->slide))
		return false;
	target = at - e->built->slide + 4 + was;
	return target + 4 < e->built->percpu_end + (e->data ? 8 : 4);
}

size_t otst_x86_64_relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
			     const uint8_t *found, size_t len, size_t at, size_t *from)
{
	if (!e->built->slide)
		return 0;
	for (size_t i = at >= 7 ? at - 7 : 0; i <= at && i + 8 <= len; i++) {
		if (moved8(e, expected + i, found + i)) {
			*from = i;
			return i + 8;
		}
	}
	for (size_t i = at >= 3 ? at - 3 : 0; i <= at && i + 4 <= len; i++) {
		if (moved4(e, expected + i, found + i) ||
		    moved_percpu(e, addr + i, expected + i, found + i)) {
			*from = i;
			return i + 4;
		}
	}
	return 0;
}
