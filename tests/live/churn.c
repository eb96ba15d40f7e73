// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * churn: arms and removes probes through kprobe_events until it is told to end.
 *
 *   churn FUNCTION...
 *
 * One round a function: add an event, enable it, disable it, remove it. Every eighth is at the
 * entry, a kprobe or a kretprobe, where ftrace has to be told; the others are in
 * mid-function, at the first offset that the kernel takes. At SIGTERM it prints how often a probe was armed, how often one was
 * removed, and in how many milliseconds.
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

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = end };
	long armed = 0, removed = 0, start = milliseconds();
	int i, *offset = calloc((size_t)argc, sizeof(*offset));
	char text[256], enable[256];

	sigaction(SIGTERM, &sa, NULL);
	for (i = 1; i < argc; i++)
		offset[i] = 5;
	/* the kernel's optimiser would keep each of them waiting */
	put("/proc/sys/debug/kprobes-optimization", "0\n");
	for (i = 1; !ended; i = i % (argc - 1) + 1) {
		snprintf(text, sizeof(text), "%c:churn/c%d %s+%d\n", armed % 16 == 15 ? 'r' : 'p',
			 i, argv[i], armed % 8 == 7 ? 0 : offset[i]);
		if (!put(TRACING "kprobe_events", text)) {
			offset[i] = (offset[i] + 1) % 32;
			continue;
		}
		snprintf(enable, sizeof(enable), TRACING "events/churn/c%d/enable", i);
		armed += put(enable, "1\n");
		put(enable, "0\n");
		snprintf(text, sizeof(text), "-:churn/c%d\n", i);
		removed += put(TRACING "kprobe_events", text);
	}
	printf("%ld armed, %ld removed, %ld ms\n", armed, removed, milliseconds() - start);
	return 0;
}
