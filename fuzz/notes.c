// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notes.c - VMCOREINFO and the ELF notes of a dump, which belong to a kernel that is whole: the
 * input is VMCOREINFO, a NUL, and the notes. Its first byte chooses whether VMCOREINFO is given, or is
 * among the notes as well.
 */
#include <string.h>

#include "../tests/text/text_target.h"
#include "harness.h"

static struct {
	const char *info;
	size_t info_len;
	const uint8_t *notes;
	size_t notes_len;
} input;

static int give_info(void *priv, const char **ret, uint64_t *len)
{
	(void)priv;
	*ret = input.info;
	*len = input.info_len;
	return 0;
}

static int give_notes(void *priv, const void **ret, uint64_t *len)
{
	(void)priv;
	*ret = input.notes;
	*len = input.notes_len;
	return 0;
}

static void run_commands(struct text_dump *dump, bool given)
{
	struct otst_target_ops ops = *text_target_ops();
	struct otst_options options = { .size = sizeof(options),
					.big_endian = text_target_big_endian(dump) };

	ops.vmcoreinfo = given ? give_info : NULL;
	ops.notes = give_notes;
	harness_line(&ops, dump, &options, "-i -v");
	harness_line(&ops, dump, &options, "-t -j");
	harness_line(&ops, dump, &options, "-b -j");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "notes-capture.txt", "notes-hypervisor.txt", "coverage.txt",
					     "s390x-stack.txt" };
	static struct text_dump *dumps[sizeof(names) / sizeof(*names)];
	size_t which;

	if (!size)
		return 0;
	which = *data / 2 % (sizeof(names) / sizeof(*names));
	if (!dumps[which])
		dumps[which] = harness_base(names[which]);
	input.info = (const char *)data + 1;
	input.info_len = strnlen(input.info, size - 1);
	input.notes = data + 1 + input.info_len;
	input.notes_len = size - 1 - input.info_len;
	if (input.notes_len) {
		input.notes++;
		input.notes_len--;
	}
	run_commands(dumps[which], *data & 1);
	return 0;
}
