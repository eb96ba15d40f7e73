// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * churn: arms and removes probes through kprobe_events until it is told to end.
 *
 *   churn FUNCTION...
 *
 * Each round adds one event per function, enables them, disables them and removes them. Every
 * eighth is at the entry, a kprobe or a kretprobe, where ftrace has to be told; the others are
 * in mid-function, at the first offset that the kernel accepts. On SIGTERM it prints how many
 * probes were armed, how many were removed, and in how many milliseconds.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"

static volatile sig_atomic_t ended;

static void end(int sig)
{
	(void)sig;
	ended = 1;
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND);
	ssize_t put = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return put == (ssize_t)strlen(text);
}

static long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* event @i on @function; @offset becomes the one that the kernel accepted */
static int add(int i, const char *function, int *offset, long round)
{
	char text[256];
	int entry = (round + i) % 8 == 7, tries;

	for (tries = 0; tries < 24; tries++) {
		snprintf(text, sizeof(text), "%c:churn/c%d %s+%d\n", entry && i % 2 ? 'r' : 'p', i,
			 function, entry ? 0 : *offset);
		if (put(TRACING "kprobe_events", text))
			return 1;
		if (entry)
			return 0;
		*offset = *offset < 32 ? *offset + 1 : 5;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int i, *offset = calloc((size_t)argc, sizeof(*offset)),
	       *there = calloc((size_t)argc, sizeof(*there));
	long armed = 0, removed = 0, round, start;
	struct sigaction sa = { .sa_handler = end };
	char text[256];

	sigaction(SIGTERM, &sa, NULL);
	for (i = 1; i < argc; i++)
		offset[i] = 5;
	/* the kernel's optimiser would keep each of them waiting */
	put("/proc/sys/debug/kprobes-optimization", "0\n");
	start = milliseconds();
	for (round = 0; !ended; round++) {
		for (i = 1; i < argc; i++)
			there[i] = add(i, argv[i], &offset[i], round);
		put(TRACING "events/churn/enable", "1\n");
		put(TRACING "events/churn/enable", "0\n");
		for (i = 1; i < argc; i++) {
			snprintf(text, sizeof(text), "-:churn/c%d\n", i);
			armed += there[i];
			removed += there[i] && put(TRACING "kprobe_events", text);
		}
	}
	printf("%ld armed, %ld removed, %ld ms\n", armed, removed, milliseconds() - start);
	return 0;
}
