// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * live.c - opens the memory of the running kernel: /proc/kcore, an ELF core whose
 * segments are the kernel's memory as it is at that moment (Linux fs/proc/kcore.c).
 * elfcore.c reads it like any dump, but with pread() because it cannot be mapped.
 * Nothing is written.
 */
#include "offline.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool live_is_path(const char *path)
{
	struct stat a, b;

	if (!strcmp(path, LIVE_KERNEL))
		return true;
	return !stat(path, &a) && !stat(LIVE_KERNEL, &b) && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

const char *live_problem(int error, bool proc, bool root, const char *lockdown)
{
	if (error == ENOENT)
		return proc ? "there is none: the kernel was built without CONFIG_PROC_KCORE" :
			      "there is none: /proc is not mounted";
	if (!root && (error == EACCES || error == EPERM))
		return "only root may read the memory of the running kernel";
	if (error == EPERM && strstr(lockdown, "[confidentiality]"))
		return "the kernel is locked down: lockdown=confidentiality lets nobody read its memory";
	if (error == EPERM)
		return "the right to read the kernel's memory is missing: CAP_SYS_RAWIO";
	return strerror(error);
}

static void read_lockdown(char *ret, size_t size)
{
	int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, ret, size - 1);

	ret[got > 0 ? got : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

int live_open(void)
{
	int fd = open(LIVE_KERNEL, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error = errno;
	char lockdown[128], magic[SELFMAG];

	if (fd >= 0) {
		if (read_fully(fd, magic, sizeof(magic), 0) && !memcmp(magic, ELFMAG, SELFMAG))
			return fd;
		complain("%s is not the kernel's memory; a container may hide it", LIVE_KERNEL);
		close(fd);
		return -1;
	}
	read_lockdown(lockdown, sizeof(lockdown));
	complain("cannot open %s: %s", LIVE_KERNEL,
		 live_problem(error, !access("/proc/self", F_OK), !geteuid(), lockdown));
	return -1;
}
