// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hold: open perf events that put probes into the kernel, and keep them.
 *
 *   hold FUNCTION
 *
 * A kprobe and a kretprobe of the perf kind ("local" trace probes, in no
 * list but the kprobe table) on FUNCTION, and a function event of perf's
 * ftrace_ops, opened but not enabled. Says which of them it has, then sleeps.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PMU "/sys/bus/event_source/devices/kprobe/"

/* The number in a sysfs or tracefs file, after an optional prefix; or -1. */
static int read_number(const char *path, const char *prefix)
{
	FILE *f = fopen(path, "r");
	char line[64] = "";
	int n = -1;

	if (!f)
		return -1;
	if (fgets(line, sizeof(line), f) &&
	    !strncmp(line, prefix, strlen(prefix)))
		sscanf(line + strlen(prefix), "%d", &n);
	fclose(f);
	return n;
}

static int open_event(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	return syscall(SYS_perf_event_open, attr, -1, 0, -1, 0);
}

int main(int argc, char **argv)
{
	int type = read_number(PMU "type", "");
	int retbit = read_number(PMU "format/retprobe", "config:");
	int id = read_number("/sys/kernel/tracing/events/ftrace/function/id",
			     "");
	int ret;

	if (argc != 2)
		return 2;
	for (ret = 0; type >= 0 && ret < 2; ret++) {
		struct perf_event_attr attr = {
			.type = type,
			.config = ret && retbit >= 0 ? 1ULL << retbit : 0,
			.config1 = (uintptr_t)argv[1],
		};

		printf("perf %s: %s\n", ret ? "kretprobe" : "kprobe",
		       open_event(&attr) < 0 ? "refused" : argv[1]);
	}
	if (id >= 0) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_TRACEPOINT,
			.config = id,
			.sample_period = 1,
			.disabled = 1,
			.exclude_callchain_user = 1,
		};
		int fd = open_event(&attr);

		if (fd < 0)
			printf("perf ftrace:function: refused\n");
		else if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "ip == vfs_fsync"))
			printf("perf ftrace:function: not filtered\n");
		else
			printf("perf ftrace:function: open, not enabled\n");
	} else {
		printf("perf ftrace:function: none\n");
	}
	fflush(stdout);
	for (;;)
		pause();
}
