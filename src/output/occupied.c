// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * occupied.c - may an option write a file: only where there is none, where it is
 * empty, or where the same option wrote it before.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/hash.h"
#include "file.h"
#include "path.h"

#define LINKS_MOST 40u /* as the kernel follows, MAXSYMLINKS */

static bool begins_with(const char *data, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(data, with, strlen(with));
}

unsigned long long otst_page_sum(const char *text, size_t len)
{
	return otst_mix_text(0, text, len);
}

/* the page of offline/report/: its title names the program, its last line seals all before it */
static bool is_page(const char *data, size_t len)
{
	static const char title[] = "<title>otst: ";
	char seal[64];
	size_t n = (size_t)snprintf(seal, sizeof(seal), OTST_PAGE_SEAL, 0ull);

	if (len < n || !begins_with(data, len, "<!doctype html>") ||
	    !memmem(data, len < 4096 ? len : 4096, title, strlen(title)))
		return false;
	snprintf(seal, sizeof(seal), OTST_PAGE_SEAL, otst_page_sum(data, len - n));
	return begins_with(data + len - n, n, seal);
}

static uint64_t number_at(const char *at, size_t size, bool big_endian)
{
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v |= (uint64_t)(unsigned char)at[i] << 8 * (big_endian ? size - 1 - i : i);
	return v;
}

/*
 * A trace.dat names its writer in the option VERSION. trace-cmd's own recordings have
 * "trace-cmd" or a version number there.
 */
static bool is_dat(const char *data, size_t len)
{
	static const char magic[] = "\x17\x08\x44tracing", start[10] = "options  ";
	const char *at, *end = data + len;
	bool big_endian;

	if (!begins_with(data, len, magic))
		return false;
	at = memmem(data, len, start, sizeof(start));
	if (!at)
		return false;
	/* after the magic and "6": the byte order */
	big_endian = data[strlen(magic) + 2] == 1;
	for (at += sizeof(start); end - at >= 6;) {
		uint64_t id = number_at(at, 2, big_endian), size = number_at(at + 2, 4, big_endian);

		at += 6;
		if (!id || size > (uint64_t)(end - at))
			return false;
		if (id == OTST_DAT_VERSION)
			return begins_with(at, size, "otst ");
		at += size;
	}
	return false;
}

/* index.txt of a bundle: its head, then nothing but rows of a status, a file and a command */
static bool is_index(const char *data, size_t len)
{
	const char *end = data + len, *at = data + strlen(OTST_INDEX_HEAD), *next;

	if (!begins_with(data, len, OTST_INDEX_HEAD))
		return false;
	for (; at < end; at = next) {
		size_t tabs = 0;

		next = memchr(at, '\n', (size_t)(end - at));
		if (!next++)
			return false;
		for (const char *c = at; c < next; c++)
			tabs += *c == '\t';
		if (tabs < 2 || !strchr("0123456789-", *at))
			return false;
	}
	return true;
}

/* calls @test with what the file holds */
static bool test_file(int fd, bool (*test)(const char *data, size_t len))
{
	bool passed = false;
	struct stat st;
	char *data;

	if (fstat(fd, &st))
		return false;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data != MAP_FAILED) {
		passed = test(data, (size_t)st.st_size);
		munmap(data, (size_t)st.st_size);
	}
	return passed;
}

/*
 * True if whoever else may make links beside this one did not make it: what the kernel asks with
 * fs.protected_symlinks, may_follow_link() of fs/namei.c.
 */
static bool is_trusted(const char *link, uid_t owner)
{
	const char *slash = strrchr(link, '/');
	char *dir = slash ? strndup(link, (size_t)(slash + 1 - link)) : strdup(".");
	bool trusted = owner == geteuid();
	struct stat st;

	if (dir && !trusted && !stat(dir, &st))
		trusted = ~st.st_mode & (S_ISVTX | S_IWOTH) || owner == st.st_uid;
	free(dir);
	return trusted;
}

/* NULL with the link's @target when @path is one, and with an empty one when not; else why it is not followed */
static const char *read_link(const char *path, char target[PATH_MAX])
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	ssize_t len = 0;
	struct stat st;
	bool trusted = true;

	/* of one descriptor, so that it is the same link */
	if (fd >= 0 && !fstat(fd, &st) && S_ISLNK(st.st_mode)) {
		trusted = is_trusted(path, st.st_uid);
		len = readlinkat(fd, "", target, PATH_MAX - 1);
	}
	if (fd >= 0)
		close(fd);
	target[len > 0 ? len : 0] = '\0';
	return trusted ? NULL : "a symbolic link of another user";
}

/*
 * True if the kernel leads from @path to something that is not at @target: /dev/stdout, which is /proc/self/fd/1, to
 * what is written as "pipe:[1234]"
 */
static bool is_magic(const char *path, const char *target)
{
	struct stat st;

	return lstat(target, &st) && !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* @ret: the file that a chain of symbolic links leads to; malloc()ed */
static const char *follow_links(const char *path, char **ret)
{
	const char *slash, *problem = NULL;
	char *at = strdup(path), *next, link[PATH_MAX];
	unsigned int links = 0;

	while (at && !(problem = read_link(at, link)) && *link) {
		slash = *link == '/' ? NULL : strrchr(at, '/');
		if (asprintf(&next, "%.*s%s", slash ? (int)(slash + 1 - at) : 0, at, link) < 0)
			next = NULL;
		if (next && is_magic(at, next)) {
			free(next);
			break;
		}
		free(at);
		at = next;
		if (++links > LINKS_MOST) {
			problem = strerror(ELOOP);
			break;
		}
	}
	if (!at)
		return strerror(ENOMEM);
	if (!problem && links && access(at, F_OK) && errno == ENOENT)
		problem = "a symbolic link that leads nowhere";
	*ret = at;
	return problem;
}

/* is there an index.txt of a bundle in the same directory */
static bool is_in_bundle(const char *path)
{
	const char *slash = strrchr(path, '/');
	bool indexed = false;
	char *index;
	int fd;

	if (asprintf(&index, "%.*sindex.txt", slash ? (int)(slash + 1 - path) : 0, path) < 0)
		return false;
	fd = open(index, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	free(index);
	if (fd >= 0) {
		indexed = test_file(fd, is_index);
		close(fd);
	}
	return indexed;
}

static bool is_ours(int fd, const char *path, enum otst_written what)
{
	switch (what) {
	case OTST_WRITTEN_PAGE:
		return test_file(fd, is_page);
	case OTST_WRITTEN_INDEX:
		return test_file(fd, is_index);
	case OTST_WRITTEN_LISTING:
		return otst_content_is_text(fd) && is_in_bundle(path);
	case OTST_WRITTEN_DAT:
		return test_file(fd, is_dat);
	}
	return false;
}

static const char *find_occupant(const char *path, enum otst_written what)
{
	const char *name;
	struct stat st;
	int fd;

	if (stat(path, &st))
		return errno == ENOENT ? NULL : otst_access_problem();
	if (S_ISDIR(st.st_mode))
		return "a directory";
	if (S_ISBLK(st.st_mode))
		return "a block device";
	if (!S_ISREG(st.st_mode))
		return "a device or a pipe";
	/* what cannot be read is not known to be otst's */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return otst_access_problem();
	name = otst_content_name(fd);
	if (name && is_ours(fd, path, what))
		name = NULL;
	close(fd);
	return name;
}

const char *otst_output_problem(const char *path, enum otst_written what, char **ret)
{
	char *place = NULL;
	const char *problem = follow_links(path, &place);

	/* a bundle is made of files */
	if (!problem && (what == OTST_WRITTEN_INDEX || what == OTST_WRITTEN_LISTING) &&
	    strcmp(path, place) != 0)
		problem = "a symbolic link";
	problem = problem ? problem : find_occupant(place, what);
	if (!problem && ret)
		*ret = place;
	else
		free(place);
	return problem;
}
