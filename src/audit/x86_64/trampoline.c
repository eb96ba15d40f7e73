// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trampoline.c - trampolines of single ftrace_ops (arch/x86/kernel/ftrace.c).
 */
#include "x86_64.h"

#define SCAN 0x180u /* bytes of a trampoline to search for the instruction that loads its ops */

/*
 * create_trampoline(): "mov ops(%rip), %rdx", whose operand is after the
 * trampoline's code.
 */
uint64_t otst_x86_64_trampoline_ops(struct otst *o, uint64_t trampoline)
{
	uint8_t code[SCAN];
	uint64_t ops;

	if (otst_read(o, trampoline, code, sizeof(code)))
		return 0;
	for (size_t i = 0; i + 7 <= sizeof(code); i++) {
		if (code[i] != 0x48 || code[i + 1] != 0x8b || code[i + 2] != 0x15)
			continue;
		if (otst_read_u64(o,
				  trampoline + i + 7 +
					  (uint64_t)(int64_t)(int32_t)otst_get_le(code + i + 3, 4),
				  &ops))
			return 0;
		return otst_is_kernel_pointer(o, ops) ? ops : 0;
	}
	return 0;
}
