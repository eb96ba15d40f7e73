// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * flattened.c - dumps written to a pipe: makedumpfile -F, and QEMU's
 * dump-guest-memory with a kdump format.
 *
 * After a header of 4096 bytes the file is a list of pieces, each with the
 * offset where it belongs (makedumpfile.h: struct makedumpfile_header,
 * makedumpfile_data_header; all numbers big-endian). libkdumpfile reads them
 * from 0.5.3 on; for older releases the pieces are written to their offsets in an
 * unnamed temporary file.
 */
#include "offline.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE 4096
#define TYPE_FLAT   1
#define COPY_SIZE   (1u << 20)

/* The dump in natural order is the flattened file without its piece headers. */
#define SLACK (1ull << 30)

struct piece {
	uint64_t offset;
	uint64_t size;
};

static int open_unnamed(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir)
		dir = "/var/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	/* else the file system may have no files without a name */
	if (fd >= 0 || errno == EACCES || errno == ENOENT || errno == EROFS)
		return fd;
	if (snprintf(path, sizeof(path), "%s/otst-XXXXXX", dir) >= (int)sizeof(path))
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static bool write_fully(int fd, const char *buf, size_t len, uint64_t offset)
{
	while (len) {
		ssize_t put = pwrite(fd, buf, len, (off_t)offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		buf += put;
		offset += (uint64_t)put;
		len -= (size_t)put;
	}
	return true;
}

static int copy_piece(int from, uint64_t at, int to, const struct piece *p, char *buf)
{
	uint64_t done = 0;

	while (done < p->size) {
		size_t len = p->size - done < COPY_SIZE ? (size_t)(p->size - done) : COPY_SIZE;

		if (!read_fully(from, buf, len, at + done)) {
			complain("the flattened dump ends early, at byte %llu",
				 (unsigned long long)(at + done));
			return OTST_ERR_CORRUPT;
		}
		if (!write_fully(to, buf, len, p->offset + done)) {
			complain("cannot write the unflattened dump to the temporary directory: %s",
				 strerror(errno));
			complain(
				"set TMPDIR to one with more room, or run: makedumpfile -R NEW < OLD");
			return OTST_ERR_OUTPUT;
		}
		done += len;
	}
	return 0;
}

static int copy_pieces(int from, uint64_t limit, int to, char *buf)
{
	uint64_t at = HEADER_SIZE;
	struct piece p;
	int err;

	for (;;) {
		if (!read_fully(from, &p, sizeof(p), at)) {
			complain("the flattened dump has no end mark: it is truncated");
			return OTST_ERR_CORRUPT;
		}
		p.offset = be64toh(p.offset);
		p.size = be64toh(p.size);
		at += sizeof(p);
		if (p.offset == UINT64_MAX) /* END_FLAG_FLAT_HEADER */
			return 0;
		if (p.size > limit || p.offset > limit || at + p.size > limit) {
			complain("the flattened dump is damaged: piece of size %llu at %llu",
				 (unsigned long long)p.size, (unsigned long long)at);
			return OTST_ERR_CORRUPT;
		}
		err = copy_piece(from, at, to, &p, buf);
		if (err)
			return err;
		at += p.size;
	}
}

int flattened_open(int fd, int *ret)
{
	struct stat st;
	uint64_t type;
	char *buf;
	int err, to;

	if (fstat(fd, &st) || !read_fully(fd, &type, sizeof(type), 16) ||
	    be64toh(type) != TYPE_FLAT) {
		complain("the file starts like a flattened dump but is none");
		return OTST_ERR_CORRUPT;
	}
	to = open_unnamed();
	buf = malloc(COPY_SIZE);
	if (to < 0 || !buf) {
		complain("cannot make a temporary file for the unflattened dump: %s",
			 strerror(errno));
		complain("set TMPDIR, or run: makedumpfile -R NEW < OLD");
		err = OTST_ERR_OUTPUT;
	} else {
		err = copy_pieces(fd, (uint64_t)st.st_size + SLACK, to, buf);
	}
	free(buf);
	if (err) {
		if (to >= 0)
			close(to);
		return err;
	}
	*ret = to;
	return 0;
}
