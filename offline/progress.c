// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * progress.c - the progress of long work: one line on standard error, only if that
 * is a terminal. The line is overwritten in place and erased before anything else
 * is written.
 */
#include "offline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 2000 /* ms before the first line */
#define PAUSE	 500  /* ms between two lines */
#define LINE	 72
#define MB	 (UINT64_C(1) << 20)

static struct {
	bool wanted;
	bool shown;
	int64_t begun, last;
	char what[32];
	uint64_t done, all;
} progress;

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void progress_begin(void)
{
	memset(&progress, 0, sizeof(progress));
	progress.wanted = isatty(STDERR_FILENO);
	progress.begun = progress.wanted ? now_ms() : 0;
}

void progress_step(const char *what, uint64_t done, uint64_t all)
{
	snprintf(progress.what, sizeof(progress.what), "%s", what);
	progress.done = done;
	progress.all = all;
}

static void show_line(int64_t time)
{
	char line[LINE + 1];
	int len = snprintf(line, sizeof(line), "otst: %" PRId64 " s%s%s", time / 1000,
			   *progress.what ? ", " : "", progress.what);

	if (len < LINE && progress.all)
		snprintf(line + len, sizeof(line) - (size_t)len, ": %" PRIu64 " of %" PRIu64 " MB",
			 progress.done / MB, progress.all / MB);
	else if (len < LINE && progress.done)
		snprintf(line + len, sizeof(line) - (size_t)len, ": %" PRIu64 " MB",
			 progress.done / MB);
	fprintf(stderr, "\r%-*s", LINE, line);
	fflush(stderr);
	progress.shown = true;
}

void progress_tick(void)
{
	int64_t time;

	if (!progress.wanted)
		return;
	time = now_ms() - progress.begun;
	if (time < PATIENCE || time - progress.last < PAUSE)
		return;
	progress.last = time;
	show_line(time);
}

void progress_clear(void)
{
	if (!progress.shown)
		return;
	fprintf(stderr, "\r%-*s\r", LINE, "");
	fflush(stderr);
	progress.shown = false;
}

void progress_end(void)
{
	progress_clear();
	progress.wanted = false;
}
