// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * output.c - files of a report, which have another name until they are whole.
 */
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_open(struct output *out, const char *path, enum otst_written what)
{
	const char *problem = otst_output_problem(path, what, &out->path);
	int fd;

	*out = (struct output){ .path = problem ? NULL : out->path, .what = what };
	if (problem) {
		complain("%s: %s; it is not replaced", path, problem);
		return false;
	}
	fd = otst_output_open(out->path, &out->part);
	out->f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out->f)
		complain("%s: %s", path, strerror(errno));
	return out->f;
}

bool output_close(struct output *out, bool good)
{
	bool opened = out->f;
	const char *problem;

	good = opened && !ferror(out->f) && good;
	good = opened && !fclose(out->f) && good;
	problem = good ? otst_output_finish(out->part, out->path, out->what) : strerror(errno);
	if (opened && problem)
		complain("%s: %s", out->path, problem);
	if (opened && !good)
		unlink(out->part);
	free(out->part);
	free(out->path);
	return good && !problem;
}

bool output_write(const char *path, enum otst_written what, const char *text, size_t len)
{
	struct output out;
	bool good = output_open(&out, path, what);

	return output_close(&out, good && fwrite(text, 1, len, out.f) == len);
}
