// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * calls.c - the system calls that reading a dump needs, and a seccomp filter that lets no others through: no
 * programs, processes, sockets, signals to others, executable memory, and files for writing only where there is
 * an output. What the filter does not know fails with ENOSYS.
 */
#include "offline.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#endif

#define FAIL(error) (SECCOMP_RET_ERRNO | (error))

/* what ends the program, with what the user is told */
static const struct {
	int number;
	const char *what;
} forbidden[] = {
	{ SYS_execve, "run a program" },
	{ SYS_execveat, "run a program" },
#ifdef SYS_fork
	{ SYS_fork, "start a process" },
	{ SYS_vfork, "start a process" },
	{ SYS_creat, "write a file" },
#endif
	{ SYS_clone, "start a process" },
#ifdef SYS_open
	{ SYS_open, "write a file" },
#endif
	{ SYS_openat, "write a file" },
	{ SYS_mmap, "make memory executable" },
	{ SYS_mprotect, "make memory executable" },
	{ SYS_pkey_mprotect, "make memory executable" },
	{ SYS_socket, "open a socket" },
	{ SYS_socketpair, "open a socket" },
	{ SYS_connect, "connect to another program" },
	{ SYS_ptrace, "trace a process" },
	{ SYS_process_vm_readv, "read another process" },
	{ SYS_process_vm_writev, "write into another process" },
	{ SYS_kill, "send a signal" },
	{ SYS_tkill, "send a signal" },
	{ SYS_tgkill, "send a signal" },
	{ SYS_linkat, "make a link" },
	{ SYS_symlinkat, "make a link" },
	{ SYS_truncate, "write a file" },
	{ SYS_fchmod, "change the mode of a file" },
};

#define FORBIDDEN (sizeof(forbidden) / sizeof(*forbidden))

static const int allowed[] = {
	SYS_pread64,
	SYS_read,
	SYS_write,
	SYS_futex,
	SYS_munmap,
	SYS_madvise,
	SYS_brk,
	SYS_lseek,
	SYS_close,
	SYS_clock_gettime,
	SYS_pwrite64,
	SYS_readv,
	SYS_writev,
	SYS_preadv,
	SYS_pwritev,
	SYS_fstat,
	SYS_statx,
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_stat
	SYS_stat,
	SYS_lstat,
	SYS_access,
	SYS_readlink,
	SYS_getdents,
	SYS_poll,
	SYS_dup2,
	SYS_time,
#endif
	SYS_mremap,
	SYS_faccessat,
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
	SYS_readlinkat,
	SYS_getdents64,
	SYS_getcwd,
	SYS_statfs,
	SYS_fstatfs,
	SYS_fadvise64,
	SYS_dup,
	SYS_dup3,
	SYS_ftruncate,
	SYS_fallocate,
	SYS_copy_file_range,
	SYS_fsync,
	SYS_ppoll,
	SYS_mincore,
	SYS_umask,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_sched_yield,
	SYS_sched_getaffinity,
	SYS_set_robust_list,
	SYS_get_robust_list,
	SYS_exit,
	SYS_exit_group,
	SYS_nanosleep,
	SYS_clock_nanosleep,
	SYS_clock_getres,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_getpid,
	SYS_gettid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_uname,
	SYS_sysinfo,
	SYS_getrusage,
	SYS_times,
	SYS_membarrier,
#ifdef SYS_rseq
	SYS_rseq,
#endif
};

/* for an output; Landlock says where */
static const int allowed_writing[] = {
	SYS_unlinkat,  SYS_mkdirat,
#ifdef SYS_rename
	SYS_rename,    SYS_unlink,  SYS_mkdir,
#endif
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_renameat2
	SYS_renameat2,
#endif
};

struct filter {
	struct sock_filter code[512];
	unsigned short count;
};

static void put_rule(struct filter *f, unsigned int code, uint32_t k, unsigned int yes,
		     unsigned int no)
{
	if (f->count < sizeof(f->code) / sizeof(*f->code))
		f->code[f->count++] =
			(struct sock_filter){ (uint16_t)code, (uint8_t)yes, (uint8_t)no, k };
}

static void put_load(struct filter *f, size_t offset)
{
	put_rule(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void put_return(struct filter *f, uint32_t action)
{
	put_rule(f, BPF_RET | BPF_K, action, 0, 0);
}

static void put_call(struct filter *f, int number, uint32_t action)
{
	put_rule(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
	put_return(f, action);
}

/* the lower half of an argument: all that is looked at is an int, or a flag in there */
static size_t argument_place(unsigned int n)
{
	return offsetof(struct seccomp_data, args) + 8 * n +
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);
}

/* allow a call when argument @n, under @mask, is @value or @other */
static void put_checked(struct filter *f, int number, unsigned int n, uint32_t mask, uint32_t value,
			uint32_t other, uint32_t otherwise)
{
	put_rule(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 6);
	put_load(f, argument_place(n));
	put_rule(f, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
	put_rule(f, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
	put_rule(f, BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1);
	put_return(f, SECCOMP_RET_ALLOW);
	put_return(f, otherwise);
}

/* open(), openat() with the flags in argument @n: for reading, or without a name */
static void put_open(struct filter *f, int number, unsigned int n)
{
	put_checked(f, number, n, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 0,
		    O_RDWR | (O_TMPFILE & ~O_DIRECTORY), SECCOMP_RET_TRAP);
}

#ifdef __s390x__
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

static uint32_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static void put_checks(struct filter *f, bool writes)
{
	/* s390x passes mmap()'s arguments in memory, where no filter can look */
#ifdef __s390x__
	put_call(f, SYS_mmap, SECCOMP_RET_ALLOW);
#else
	put_checked(f, SYS_mmap, 2, PROT_EXEC, 0, 0, SECCOMP_RET_TRAP);
#endif
	put_checked(f, SYS_mprotect, 2, PROT_EXEC, 0, 0, SECCOMP_RET_TRAP);
	if (writes) {
#ifdef SYS_open
		put_call(f, SYS_open, SECCOMP_RET_ALLOW);
#endif
		put_call(f, SYS_openat, SECCOMP_RET_ALLOW);
		/* an output gets the mode of a new file: a dump that is a program must not become root's */
		put_checked(f, SYS_fchmod, 1, ~0u, new_mode(), new_mode(), SECCOMP_RET_TRAP);
	}
#ifdef SYS_open
	put_open(f, SYS_open, 1);
#endif
	put_open(f, SYS_openat, 2);
	put_checked(f, SYS_clone, CLONE_FLAGS, CLONE_THREAD, CLONE_THREAD, CLONE_THREAD,
		    SECCOMP_RET_TRAP);
	put_checked(f, SYS_tgkill, 0, ~0u, (uint32_t)getpid(), (uint32_t)getpid(),
		    SECCOMP_RET_TRAP);
	put_checked(f, SYS_ioctl, 1, ~0u, TIOCGWINSZ, TCGETS, FAIL(ENOTTY));
	put_checked(f, SYS_fcntl, 1, ~7u, 0, F_DUPFD_CLOEXEC & ~7u, FAIL(EINVAL));
}

#ifdef ARCH
bool calls_filter(bool writes)
{
	struct filter f = { .count = 0 };
	struct sock_fprog program = { .filter = f.code };

	put_load(&f, offsetof(struct seccomp_data, arch));
	put_rule(&f, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	put_return(&f, SECCOMP_RET_KILL);
	put_load(&f, offsetof(struct seccomp_data, nr));
	/* what is always allowed the kernel knows without running the filter, wherever it stands */
	put_checks(&f, writes);
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
		put_call(&f, allowed[i], SECCOMP_RET_ALLOW);
	for (size_t i = 0; writes && i < sizeof(allowed_writing) / sizeof(*allowed_writing); i++)
		put_call(&f, allowed_writing[i], SECCOMP_RET_ALLOW);
	for (size_t i = 0; i < FORBIDDEN; i++)
		put_call(&f, forbidden[i].number, SECCOMP_RET_TRAP);
	put_return(&f, FAIL(ENOSYS));
	program.len = f.count;
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
bool calls_filter(bool writes)
{
	(void)writes;
	return false;
}
#endif

bool calls_can_filter(void)
{
#ifdef ARCH
	/* EFAULT: there is such a mode, and no filter at NULL */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
#else
	return false;
#endif
}

void calls_end(int signal, siginfo_t *info, void *context)
{
	static const char before
		[] = "otst: confined: the program tried to ",
	  after[] =
		  ", and was ended; a damaged or malicious file may do that. Please report it (SECURITY.md)\n";
	const char *what = "do what it need not do";

	(void)signal;
	(void)context;
	for (size_t i = 0; i < FORBIDDEN; i++) {
		if (forbidden[i].number == info->si_syscall)
			what = forbidden[i].what;
	}
	if (write(STDERR_FILENO, before, sizeof(before) - 1) < 0 ||
	    write(STDERR_FILENO, what, strlen(what)) < 0 ||
	    write(STDERR_FILENO, after, sizeof(after) - 1) < 0)
		_exit(OTST_EXIT_FAILED);
	_exit(OTST_EXIT_FAILED);
}
