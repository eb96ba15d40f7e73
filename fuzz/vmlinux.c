// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmlinux.c - the kernel's own file: ELF with its DWARF, call frames and text as built, or a
 * boot image of any processor.
 */
#include "../tests/text/text_target.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void *dump;
	struct otst_options options = { .size = sizeof(options) };

	if (!dump)
		dump = harness_base("patched.txt");
	options.vmlinux = harness_file(data, size);
	harness_commands(text_target_ops(), dump, &options);
	return 0;
}
