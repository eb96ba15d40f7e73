// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * module.c - a module's file in a directory of --modules: its sections, relocations, tables, DWARF.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../tests/text/text_target.h"
#include "harness.h"

static const char *make_directory(void)
{
	const char *dir = harness_directory();
	char path[64];

	snprintf(path, sizeof(path), "%s/lab.ko", dir);
	if (symlink(harness_file(NULL, 0), path))
		abort();
	return dir;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const commands[] = { "-a -v", "-l -v -j", "-w -v lab_pre lab_post", "-t -j" };
	struct otst_options options = { .size = sizeof(options) };
	static const char *dir;
	static void *dump;
	char line[128];

	if (!dump) {
		dir = make_directory();
		dump = harness_base("../../../fuzz/module.txt");
	}
	harness_file(data, size);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		snprintf(line, sizeof(line), "--modules %s %s", dir, commands[i]);
		harness_line(text_target_ops(), dump, &options, line);
	}
	return 0;
}
