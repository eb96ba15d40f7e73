// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmlinux.c - the kernel's own file: ELF with its DWARF, call frames and text as built, or a
 * boot image of any processor; also for a kernel that has no types but the file's.
 */
#include "../tests/text/text_target.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void *dump, *typeless;
	struct otst_options options = { .size = sizeof(options) };

	if (!dump) {
		dump = harness_base("patched.txt");
		typeless = harness_base("coverage-no-types.txt");
	}
	options.vmlinux = harness_file(data, size);
	harness_commands(text_target_ops(), dump, &options);
	harness_line(text_target_ops(), typeless, &options, "--force -l -v -j");
	harness_line(text_target_ops(), typeless, &options, "--force -w -v vfs_read");
	return 0;
}
