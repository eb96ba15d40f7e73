// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * open_dump.c - text dumps and vmcores behind one function, and what the
 * programs that damage dumps have in common.
 */
#include "open_dump.h"

#include <stdio.h>
#include <string.h>

#include "../text/text_target.h"
#ifndef WITHOUT_OFFLINE
#include "../../offline/offline.h"
#endif

static const char *const list[] = { "otst", "-l", "-v", "-j", NULL };
static const char *const ftrace[] = { "otst", "-f", "-v", NULL };
static const char *const tracers[] = { "otst", "-T", NULL };
static const char *const info[] = { "otst", "-i", NULL };
static const char *const audit[] = { "otst", "-a", "-v", NULL };
static const char *const verdict[] = { "otst", "-b", "-v", NULL };
static const char *const traces[] = { "otst", "-t", "-j", NULL };
/* functions of the text dumps */
static const char *const where[] = { "otst",	 "-w",	    "-v",	"-j",
				     "vfs_read", "do_fork", "schedule", NULL };

const char *const *const dump_commands[] = {
	list, ftrace, tracers, info, audit, verdict, traces, where, NULL
};

static void close_text(void *priv)
{
	text_target_close(priv);
}

#ifndef WITHOUT_OFFLINE
static void close_offline(void *priv)
{
	offline_close(priv);
}
#endif

int open_dump(const char *vmlinux, const char *path, struct open_dump *ret)
{
	size_t len = strlen(path);

	if (len > 4 && !strcmp(path + len - 4, ".txt")) {
		struct text_dump *d;
		char message[1024];
		int err = text_target_open(path, message, sizeof(message), &d);

		if (err) {
			fprintf(stderr, "%s\n", message);
			return err;
		}
		*ret = (struct open_dump){ text_target_ops(), d, close_text };
		return 0;
	}
#ifndef WITHOUT_OFFLINE
	struct offline *f;
	int err = offline_open(vmlinux, path, NULL, &f);

	if (!err)
		*ret = (struct open_dump){ offline_ops(), f, close_offline };
	return err;
#else
	(void)vmlinux;
	fprintf(stderr, "%s: built without the reader of vmcores\n", path);
	return OTST_ERR_UNSUPPORTED;
#endif
}

int dump_bad_byte(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7f)
			return c;
	}
	return -1;
}
