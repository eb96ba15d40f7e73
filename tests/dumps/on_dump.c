// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * on_dump.c - the stand-alone reader's target under a test program.
 */
#include "on_dump.h"

#include <stdio.h>

#include "../../offline/offline.h"

int on_dump(char **files, int count, int (*ask)(struct otst *o, void *arg), void *arg)
{
	struct otst_options options = { .size = sizeof(options),
					.vmlinux = count == 2 ? files[0] : NULL };
	struct dump_files dump = { 0 };
	struct offline *f;
	struct otst *o;
	int err;

	if (count < 1 || count > 2)
		return 99;
	dump.path = files[count - 1];
	if (offline_open(&dump, NULL, 1, &f))
		return 99;
	options.big_endian = offline_is_big_endian(f);
	if (otst_open(offline_ops(f), f, &options, &o)) {
		offline_close(f);
		return 99;
	}
	otst_command_begin(o);
	err = ask(o, arg);
	if (err)
		fprintf(stderr, "error %d: %s\n", err, otst_message(o));
	otst_close(o);
	offline_close(f);
	return err ? 1 : 0;
}
