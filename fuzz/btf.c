// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * btf.c - the kernel's types in a file of --btf, raw or in an ELF file.
 */
#include "../tests/text/text_target.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void *dump;
	struct otst_options options = { .size = sizeof(options) };

	if (!dump)
		dump = harness_base("4.14.txt");
	options.btf = harness_file(data, size);
	harness_commands(text_target_ops(), dump, &options);
	return 0;
}
