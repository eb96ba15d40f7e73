// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unnamed.c - files without a name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unnamed.h"

int otst_unnamed_open(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir)
		dir = "/var/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	/* else the file system may have no files without a name */
	if (fd >= 0 || errno == EACCES || errno == ENOENT || errno == EROFS ||
	    snprintf(path, sizeof(path), "%s/otst-XXXXXX", dir) >= (int)sizeof(path))
		return fd;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int otst_unnamed_write(int fd, const void *bytes, size_t len, uint64_t at)
{
	const uint8_t *from = bytes;

	while (len) {
		ssize_t put = pwrite(fd, from, len, (off_t)at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? errno : ENOSPC;
		from += put;
		at += (uint64_t)put;
		len -= (size_t)put;
	}
	return 0;
}
