// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * program.c - does what lab.stp's probes wait for, on one cpu; work() is a
 * separate function so that it can be probed.
 *
 *	program CPU TIMES
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int worked;

__attribute__((noinline)) static void work(void)
{
	worked++;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void once(const char *dir, const char *file)
{
	int fd = open(file, O_CREAT | O_RDWR, 0600);

	if (fd < 0 || fsync(fd) || close(fd))
		fail(file);
	if (mkdir(dir, 0700) || rmdir(dir))
		fail(dir);
	work();
}

int main(int argc, char **argv)
{
	char dir[64], file[64];
	cpu_set_t set;
	int i, cpu;

	if (argc != 3) {
		fprintf(stderr, "usage: program CPU TIMES\n");
		return 2;
	}
	cpu = atoi(argv[1]);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
	snprintf(dir, sizeof(dir), "/stap/directory.%d", cpu);
	snprintf(file, sizeof(file), "/stap/file.%d", cpu);
	for (i = 0; i < atoi(argv[2]); i++)
		once(dir, file);
	return 0;
}
