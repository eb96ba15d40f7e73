// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * confine.c - takes from the process what reading a dump does not need, before a byte of the dump is
 * parsed: a hole in a parser or in a library then leads nowhere.
 *
 * Landlock (Documentation/userspace-api/landlock.rst): only what the command line names, the places
 * where debug files are installed, and the directory of the output can be opened. A seccomp filter: no
 * programs, processes, sockets, signals to others, executable memory, and files for writing only
 * where there is an output. What the filter does not know fails with ENOSYS. RLIMIT_DATA: memory.
 * Where the kernel lacks a part, the others hold.
 */
#include "offline.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* sanitizers map terabytes, and start a process that traces this one to look for leaks */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* ---- Landlock: numbers of include/uapi/linux/landlock.h, which older headers lack ---- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule	    445
#define SYS_landlock_restrict_self  446
#endif

#define ABI_QUERY    1u /* LANDLOCK_CREATE_RULESET_VERSION */
#define PATH_BENEATH 1	/* LANDLOCK_RULE_PATH_BENEATH */

/* LANDLOCK_ACCESS_FS_ */
#define WRITE_FILE  (UINT64_C(1) << 1)
#define READ_FILE   (UINT64_C(1) << 2)
#define READ_DIR    (UINT64_C(1) << 3)
#define REMOVE_FILE (UINT64_C(1) << 5)
#define MAKE_DIR    (UINT64_C(1) << 7)
#define MAKE_REG    (UINT64_C(1) << 8)
#define TRUNCATE    (UINT64_C(1) << 14)

#define READ_TREE  (READ_FILE | READ_DIR)
#define WRITE_TREE (READ_TREE | WRITE_FILE | REMOVE_FILE | MAKE_DIR | MAKE_REG | TRUNCATE)

/* struct landlock_ruleset_attr; the kernel takes as much of it as its version has */
struct ruleset {
	uint64_t files;
	uint64_t network; /* since version 4: bind, connect */
	uint64_t scoped;  /* since version 6: abstract sockets, signals */
};

struct beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* @fd: the ruleset; -1 without Landlock. @handled: all that is forbidden but where a rule allows it */
struct rules {
	int fd;
	uint64_t handled;
};

static int landlock_version(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ABI_QUERY);

	return version > 0 ? (int)version : 0;
}

static void create_rules(struct rules *r)
{
	/* kinds of access by version; REFER (2) is forbidden in any case, IOCTL_DEV came with 5 */
	static const unsigned int kinds[] = { 0, 13, 13, 15, 15, 16 };
	int version = landlock_version();
	struct ruleset set = { 0 };
	size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;

	set.files = ((UINT64_C(1) << kinds[version < 5 ? version : 5]) - 1) & ~(UINT64_C(1) << 13);
	set.network = 3;
	set.scoped = 3;
	r->handled = set.files;
	r->fd = version ? (int)syscall(SYS_landlock_create_ruleset, &set, size, 0) : -1;
}

/* a path that is not there needs no rule */
static void allow_path(const struct rules *r, const char *path, uint64_t access)
{
	struct beneath rule;
	struct stat st;
	int fd = r->fd < 0 ? -1 : open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && !S_ISDIR(st.st_mode))
		access &= READ_FILE | WRITE_FILE | TRUNCATE;
	rule = (struct beneath){ access & r->handled, fd };
	syscall(SYS_landlock_add_rule, r->fd, PATH_BENEATH, &rule, 0);
	close(fd);
}

/* a directory in the place of a file is a mistake that has to be named: it opens, and no file in it does */
static void allow_file(const struct rules *r, const char *path)
{
	struct stat st;

	if (!stat(path, &st))
		allow_path(r, path, S_ISDIR(st.st_mode) ? READ_DIR : READ_FILE);
}

/* "FILE", "--btf=FILE" */
static void allow_word(const struct rules *r, const char *word)
{
	const char *value = *word == '-' ? strchr(word, '=') : NULL;

	allow_file(r, value ? value + 1 : word);
}

/* the memory beside a state of VMware, and the state beside its memory */
static void allow_beside(const struct rules *r, const char *path)
{
	static const char *const endings[] = { ".vmem", ".vmss", ".vmsn" };
	size_t len = strlen(path), i;
	char *other;

	for (i = 0; len > 5 && path[len - 5] == '.' && i < 3; i++) {
		if (asprintf(&other, "%.*s%s", (int)(len - 5), path, endings[i]) < 0)
			return;
		allow_file(r, other);
		free(other);
	}
}

/* @path may be a link that leads out of the directory in which it is searched */
static void allow_link(const struct rules *r, const char *path)
{
	struct stat st;

	if (!lstat(path, &st) && S_ISLNK(st.st_mode))
		allow_file(r, path);
}

/* the image files of one release in a directory of releases; build/ is a link to where a kernel was built */
static void allow_release(const struct rules *r, const char *dir, const char *release)
{
	static const char *const names[] = { "vmlinux",	   "vmlinux.debug", "vmlinux.zst",
					     "vmlinux.xz", "vmlinux.gz",    "vmlinuz",
					     "Image",	   "image" };
	char path[4096];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (snprintf(path, sizeof(path), "%s/%s/%s", dir, release, names[i]) <
		    (int)sizeof(path))
			allow_link(r, path);
	}
	if (snprintf(path, sizeof(path), "%s/%s/build/vmlinux", dir, release) < (int)sizeof(path))
		allow_file(r, path);
}

/* links of a searched directory; @releases: it has a directory for each release */
static void allow_links(const struct rules *r, const char *root, const char *place, bool releases)
{
	char dir[2048], path[4096];
	struct dirent *e;
	DIR *open = NULL;

	if (r->fd >= 0 && snprintf(dir, sizeof(dir), "%s/%s", root, place) < (int)sizeof(dir))
		open = opendir(dir);
	while (open && (e = readdir(open))) {
		if (*e->d_name == '.')
			continue;
		if (releases)
			allow_release(r, dir, e->d_name);
		else if (snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) < (int)sizeof(path))
			allow_link(r, path);
	}
	if (open)
		closedir(open);
}

static void allow_search(const struct rules *r, const char *root)
{
	static const struct {
		const char *path;
		bool whole, releases;
	} places[] = { { "usr/lib/debug", true, false },
		       { "usr/lib/debug/boot", false, false },
		       { "usr/lib/debug/lib/modules", false, true },
		       { "usr/lib/debug/usr/lib/modules", false, true },
		       { "lib/modules", true, true },
		       { "usr/lib/modules", true, true },
		       { "boot", true, false } };
	char path[4096];

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (places[i].whole &&
		    snprintf(path, sizeof(path), "%s/%s", root, places[i].path) < (int)sizeof(path))
			allow_path(r, path, READ_TREE);
		allow_links(r, root, places[i].path, places[i].releases);
	}
}

/* the directory in which @path, with links followed, is written */
static void allow_output(const struct rules *r, const char *path, enum otst_written what)
{
	char *place = NULL, *slash;

	if (!path || otst_output_problem(path, what, &place) || !place)
		return;
	slash = strrchr(place, '/');
	if (slash)
		slash[slash == place] = '\0';
	allow_path(r, slash ? place : ".", WRITE_TREE);
	free(place);
}

/* it is made while that is still allowed: then nothing beside it can be changed */
static void allow_bundle(const struct rules *r, const char *bundle)
{
	struct stat st;

	mkdir(bundle, 0777);
	if (!stat(bundle, &st) && S_ISDIR(st.st_mode))
		allow_path(r, bundle, WRITE_TREE);
}

/* What is decompressed goes into a file without a name. @named: the file system has no such files */
static void allow_temporary(const struct rules *r, bool *named)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	dir = dir && *dir ? dir : "/var/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	*named = fd < 0 && errno != EACCES && errno != ENOENT && errno != EROFS;
	if (fd >= 0)
		close(fd);
	allow_path(r, dir, READ_FILE | WRITE_FILE | (*named ? MAKE_REG | REMOVE_FILE : 0));
}

/* a module's file, or one that is compressed: the name of a link alone would open any file */
static bool is_module(const char *path)
{
	static const char *const begins[] = { "\x7f"
					      "ELF",
					      "\x1f\x8b",
					      "\xfd"
					      "7zXZ",
					      "\x28\xb5\x2f\xfd" };
	char head[8] = "";
	struct stat st;
	int fd = !stat(path, &st) && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool is = fd >= 0 && read(fd, head, sizeof(head) - 1) > 0;
	size_t i = 0;

	while (is && i < 4 && strncmp(head, begins[i], strlen(begins[i])) != 0)
		i++;
	if (fd >= 0)
		close(fd);
	return is && i < 4;
}

/* a directory of modules, which may be put together of links to their files alone */
static void allow_modules(const struct rules *r, const char *dir)
{
	char *copy = strdup(dir), *const paths[] = { copy, NULL };
	FTS *walk = copy && r->fd >= 0 ? fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
	FTSENT *e;

	allow_path(r, dir, READ_TREE);
	while (walk && (e = fts_read(walk))) {
		if (e->fts_info == FTS_SL && is_module(e->fts_path))
			allow_path(r, e->fts_path, READ_FILE);
	}
	if (walk)
		fts_close(walk);
	free(copy);
}

static void allow_all(const struct rules *r, const struct confinement *c, bool *named)
{
	for (size_t i = 0; i < c->nr_words; i++) {
		allow_word(r, c->words[i]);
		if (!strcmp(c->words[i], "--modules") && i + 1 < c->nr_words)
			allow_modules(r, c->words[i + 1]);
		if (!strncmp(c->words[i], "--modules=", 10))
			allow_modules(r, c->words[i] + 10);
		allow_beside(r, c->words[i]);
	}
	allow_search(r, "");
	if (c->search && *c->search && strcmp(c->search, "/") != 0)
		allow_search(r, c->search);
	if (c->live) {
		allow_path(r, "/proc", READ_TREE);
		allow_path(r, "/sys", READ_TREE);
	}
	if (c->types)
		allow_file(r, c->types);
	/* what is there already is looked at before it is replaced */
	if (c->page)
		allow_file(r, c->page);
	if (c->data)
		allow_file(r, c->data);
	allow_output(r, c->page, OTST_WRITTEN_PAGE);
	allow_output(r, c->data, OTST_WRITTEN_DAT);
	if (c->bundle)
		allow_bundle(r, c->bundle);
	allow_temporary(r, named);
}

/* ---- seccomp ---- */

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
static bool install_filter(bool writes)
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
static bool install_filter(bool writes)
{
	(void)writes;
	return false;
}
#endif

static bool has_filter(void)
{
#ifdef ARCH
	/* EFAULT: there is such a mode, and no filter at NULL */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
#else
	return false;
#endif
}

static void end_program(int signal, siginfo_t *info, void *context)
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

/* ---- all of it ---- */

/* for the arenas, and as much again, a GB at least, for libraries and threads */
static void limit_memory(uint64_t size)
{
	uint64_t rest = size > (uint64_t)1 << 30 ? size : (uint64_t)1 << 30;
	struct rlimit limit;

	if (!size || size > RLIM_INFINITY - rest || getrlimit(RLIMIT_DATA, &limit))
		return;
	if (limit.rlim_max > size + rest)
		limit.rlim_cur = limit.rlim_max = size + rest;
	setrlimit(RLIMIT_DATA, &limit);
}

void confine(const struct confinement *c)
{
	struct sigaction sa = { .sa_sigaction = end_program, .sa_flags = SA_SIGINFO };
	bool named = false;
	struct rules r;

	if (SANITIZED)
		return;
	tzset();
	sigaction(SIGSYS, &sa, NULL);
	limit_memory(c->memory);
	create_rules(&r);
	allow_all(&r, c, &named);
	/* without it a filter is only for root, and a set-user-ID program would not get it */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (r.fd >= 0) {
		syscall(SYS_landlock_restrict_self, r.fd, 0);
		close(r.fd);
	}
	install_filter(c->page || c->bundle || c->data || named);
}

const char *confine_parts(void)
{
	static char text[80];
	int version = SANITIZED ? 0 : landlock_version();
	char files[40] = "";

	if (version)
		snprintf(files, sizeof(files), "files (Landlock %d), ", version);
	snprintf(text, sizeof(text), "%s%s%s", files,
		 !SANITIZED && has_filter() ? "system calls (seccomp), " : "",
		 SANITIZED ? "nothing: built with sanitizers" : "memory");
	return text;
}
