// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * confine.c - takes from the process what reading a dump does not need, before a byte of the dump is
 * parsed: a hole in a parser or in a library then leads nowhere.
 *
 * Landlock (Documentation/userspace-api/landlock.rst): only what the command line names, the places
 * where debug files are installed, and the directory of the output can be opened. A seccomp filter
 * (calls.c). RLIMIT_DATA: memory. Where the kernel lacks a part, the others hold.
 */
#include "offline.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
	struct sigaction sa = { .sa_sigaction = calls_end, .sa_flags = SA_SIGINFO };
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
	calls_filter(c->page || c->bundle || c->data || named);
}

const char *confine_parts(void)
{
	static char text[80];
	int version = SANITIZED ? 0 : landlock_version();
	char files[40] = "";

	if (version)
		snprintf(files, sizeof(files), "files (Landlock %d), ", version);
	snprintf(text, sizeof(text), "%s%s%s", files,
		 !SANITIZED && calls_can_filter() ? "system calls (seccomp), " : "",
		 SANITIZED ? "nothing: built with sanitizers" : "memory");
	return text;
}
