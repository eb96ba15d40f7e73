// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * try.c - otst-confine: gives up the rights as otst does, and then tries what it need not do.
 *
 *	otst-confine [--without landlock|seccomp] [--output PAGE] [--bundle DIR] WHAT [FILE ..]
 *
 * The FILEs are those of the command line, PAGE and DIR are outputs. With --without, the kernel answers as one
 * that lacks that part. Exit status: 0 the attempt failed with an error, which is
 * printed; 2 it succeeded; 1 the program was ended by calls.c; 99 a wrong command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../offline/offline.h"

#define CREATE_RULESET 444 /* SYS_landlock_create_ruleset, which older headers lack */
/* of an argument: the half that is looked at */
#define FIRST_HALF (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)

static const char *file;

/* system calls with that number, and for prctl() that first argument, fail as where they are not known */
static void lose_part(const char *part)
{
	bool landlock = !strcmp(part, "landlock");
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, landlock ? CREATE_RULESET : SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args) + FIRST_HALF),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, !landlock),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (landlock ? ENOSYS : EINVAL)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		exit(99);
}

static bool try_read(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool try_read_named(void)
{
	return open(file, O_RDONLY) >= 0;
}

static bool try_write(void)
{
	return open(file, O_WRONLY) >= 0;
}

static bool try_create(void)
{
	return open("/tmp/otst-confine-was-here", O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool try_append(void)
{
	return open(file, O_RDWR | O_APPEND) >= 0;
}

static bool try_truncate(void)
{
	return !truncate(file, 0);
}

static bool try_unlink(void)
{
	return !unlink(file);
}

static bool try_rename(void)
{
	return !rename(file, "otst-confine-was-here");
}

static bool try_link(void)
{
	return !link(file, "otst-confine-was-here");
}

static bool try_chmod(void)
{
	return !chmod(file, 0777);
}

/* a program of root's, made of a file that was opened for reading */
static bool try_fchmod(void)
{
	return !fchmod(open(file, O_RDONLY), 04755);
}

static bool try_mkdir(void)
{
	return !mkdir("otst-confine-was-here", 0700);
}

static bool try_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool try_exec(void)
{
	return !execl("/bin/true", "true", NULL);
}

static bool try_fork(void)
{
	return fork() >= 0;
}

static bool try_vfork(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	return pid > 0;
}

static bool try_ptrace(void)
{
	return !ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static bool try_kill(void)
{
	return !kill(getppid(), 0);
}

static bool try_map(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	       MAP_FAILED;
}

static bool try_protect(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return !mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static bool try_type(void)
{
	return !ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static bool try_keyring(void)
{
	return syscall(SYS_keyctl, 0, -3, 0) >= 0;
}

static bool try_io_uring(void)
{
	unsigned char parameters[120] = { 0 };

	return syscall(SYS_io_uring_setup, 4, parameters) >= 0;
}

static bool try_memory(void)
{
	/* far above what --memory 64M leaves */
	return malloc((size_t)8 << 30);
}

static void *run_thread(void *priv)
{
	return priv;
}

static bool try_thread(void)
{
	pthread_t thread;

	return !pthread_create(&thread, NULL, run_thread, NULL) && !pthread_join(thread, NULL);
}

static bool try_temporary(void)
{
	return open("/var/tmp", O_TMPFILE | O_RDWR, 0600) >= 0;
}

static const struct {
	const char *name;
	bool (*run)(void);
} attempts[] = {
	{ "read", try_read },	      { "read-named", try_read_named },
	{ "write", try_write },	      { "create", try_create },
	{ "append", try_append },     { "truncate", try_truncate },
	{ "unlink", try_unlink },     { "rename", try_rename },
	{ "link", try_link },	      { "chmod", try_chmod },
	{ "fchmod", try_fchmod },     { "mkdir", try_mkdir },
	{ "socket", try_socket },     { "exec", try_exec },
	{ "fork", try_fork },	      { "vfork", try_vfork },
	{ "ptrace", try_ptrace },     { "kill", try_kill },
	{ "map", try_map },	      { "protect", try_protect },
	{ "type", try_type },	      { "keyring", try_keyring },
	{ "io_uring", try_io_uring }, { "memory", try_memory },
	{ "thread", try_thread },     { "temporary", try_temporary },
};

int main(int argc, char **argv)
{
	struct confinement c = { .memory = 64 << 20 };

	for (; argc > 2 && !strncmp(argv[1], "--", 2); argv += 2, argc -= 2) {
		if (!strcmp(argv[1], "--without"))
			lose_part(argv[2]);
		else if (!strcmp(argv[1], "--bundle"))
			c.bundle = argv[2];
		else
			c.page = argv[2];
	}
	if (argc < 3)
		return 99;
	file = argv[2];
	c.words = (const char *const *)argv + 2;
	c.nr_words = (size_t)argc - 2;
	for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		if (strcmp(attempts[i].name, argv[1]) != 0)
			continue;
		confine(&c);
		errno = 0;
		if (attempts[i].run())
			return 2;
		printf("%s\n", strerror(errno));
		return 0;
	}
	return 99;
}
