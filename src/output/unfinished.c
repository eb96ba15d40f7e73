// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * unfinished.c - a file that is being written has a name of its own; when it gets its final one, nothing
 * that somebody else put there meanwhile is lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

/* is there a file that only its owner may read */
static bool is_private(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !(st.st_mode & 077);
}

int otst_output_open(const char *path, char **partial)
{
	mode_t mask;
	int fd;

	if (asprintf(partial, "%s.XXXXXX", path) < 0) {
		*partial = NULL;
		return -1;
	}
	mask = umask(0);
	umask(mask);
	fd = mkostemp(*partial, O_CLOEXEC);
	/* mkostemp() lets only the owner read it */
	if (fd >= 0 && !is_private(path))
		fchmod(fd, 0666 & ~mask);
	return fd;
}

static int rename_as(const char *from, const char *to, unsigned int flags)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, flags);
}

static const char *exchange_files(const char *partial, const char *path, enum otst_written what)
{
	const char *problem;

	if (rename_as(partial, path, RENAME_EXCHANGE))
		return strerror(errno);
	/* what was there has the other name now, and nobody else knows that one */
	problem = otst_output_problem(partial, what, NULL);
	if (problem)
		rename_as(partial, path, RENAME_EXCHANGE);
	return problem;
}

const char *otst_output_finish(const char *partial, const char *path, enum otst_written what)
{
	const char *problem = NULL;

	if (!rename_as(partial, path, RENAME_NOREPLACE))
		return NULL;
	if (errno == EEXIST) {
		problem = exchange_files(partial, path, what);
	} else if (errno == EINVAL || errno == ENOSYS) {
		/* not every file system knows such a rename() */
		problem = otst_output_problem(path, what, NULL);
		if (!problem && !rename(partial, path))
			return NULL;
		problem = problem ? problem : strerror(errno);
	} else {
		problem = strerror(errno);
	}
	unlink(partial);
	return problem;
}
