// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file.c - a file that a command writes: a buffer before write(2), numbers that
 * are filled in later, and the removal of an unfinished file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

#define BUFFER (256u * 1024)

/**
 * struct otst_file - see file.h
 * @fd: -1 once the file is finished or given up
 * @done: bytes that were handed to the kernel; @len more are in @buf
 */
struct otst_file {
	struct otst *o;
	const char *path;
	enum otst_written what;
	char *partial;
	int fd;
	uint64_t done;
	size_t len;
	uint8_t buf[BUFFER];
};

static int complain_of_file(struct otst_file *f)
{
	return otst_raise(f->o, OTST_ERR_FILE, "%s: %s", otst_clean(f->o, f->path),
			  strerror(errno));
}

static void give_up(void *what)
{
	struct otst_file *f = what;

	if (f->fd >= 0) {
		close(f->fd);
		unlink(f->partial);
	}
	f->fd = -1;
	free(f->partial);
	f->partial = NULL;
}

int otst_file_create(struct otst *o, const char *path, enum otst_written what,
		     struct otst_file **ret)
{
	struct otst_file *f = otst_alloc(o, sizeof(*f));
	const char *problem;
	char *place;

	if (!f)
		return otst_no_memory(o);
	problem = otst_output_problem(path, what, &place);
	if (problem)
		return otst_raise(o, OTST_ERR_USAGE,
				  "%s: %s; otst replaces only an empty file, or one that it wrote",
				  otst_clean(o, path), problem);
	f->o = o;
	f->path = otst_strdup(o, place);
	f->what = what;
	f->fd = otst_output_open(place, &f->partial);
	free(place);
	if (f->fd < 0) {
		free(f->partial);
		return otst_stopped(o) ? otst_check(o) : complain_of_file(f);
	}
	*ret = f;
	return otst_at_end(o, give_up, f);
}

static int write_all(struct otst_file *f, const uint8_t *data, size_t len)
{
	while (len) {
		ssize_t n = write(f->fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return complain_of_file(f);
		data += n;
		len -= (size_t)n;
		f->done += (size_t)n;
	}
	return otst_check(f->o);
}

static int flush_file(struct otst_file *f)
{
	size_t len = f->len;

	f->len = 0;
	return write_all(f, f->buf, len);
}

int otst_file_write(struct otst_file *f, const void *data, size_t len)
{
	int err = 0;

	if (len > BUFFER - f->len)
		err = flush_file(f);
	if (err || len > BUFFER)
		return err ? err : write_all(f, data, len);
	memcpy(f->buf + f->len, data, len);
	f->len += len;
	return 0;
}

static void put_file_number(const struct otst_file *f, uint8_t *to, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++, v >>= 8)
		to[otst_big_endian(f->o) ? size - 1 - i : i] = (uint8_t)v;
}

int otst_file_number(struct otst_file *f, uint64_t v, size_t size)
{
	uint8_t bytes[8];

	put_file_number(f, bytes, v, size);
	return otst_file_write(f, bytes, size);
}

int otst_file_string(struct otst_file *f, const char *s)
{
	return otst_file_write(f, s, strlen(s) + 1);
}

int otst_file_align(struct otst_file *f, size_t size)
{
	static const uint8_t zeros[4096];
	size_t left = -otst_file_at(f) & (size - 1);
	int err = 0;

	while (left && !err) {
		size_t n = left < sizeof(zeros) ? left : sizeof(zeros);

		err = otst_file_write(f, zeros, n);
		left -= n;
	}
	return err;
}

uint64_t otst_file_at(const struct otst_file *f)
{
	return f->done + f->len;
}

int otst_file_patch(struct otst_file *f, uint64_t offset, uint64_t v, size_t size)
{
	uint8_t bytes[8];
	int err = flush_file(f);

	put_file_number(f, bytes, v, size);
	if (!err && pwrite(f->fd, bytes, size, (off_t)offset) != (ssize_t)size)
		err = complain_of_file(f);
	return err;
}

int otst_file_finish(struct otst_file *f)
{
	int err = flush_file(f);
	const char *problem;

	if (err)
		return err;
	/* some file systems notice only here that they are full */
	if (close(f->fd)) {
		err = complain_of_file(f);
		unlink(f->partial);
		f->fd = -1;
		return err;
	}
	f->fd = -1;
	problem = otst_output_finish(f->partial, f->path, f->what);
	if (problem)
		return otst_raise(f->o, OTST_ERR_FILE, "%s: %s", otst_clean(f->o, f->path),
				  problem);
	return 0;
}
