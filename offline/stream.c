// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stream.c - a file that is read once, from its beginning to its end, in large pieces.
 */
#include "stream.h"
#include "../front/notes.h"
#include "offline.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE (256u << 10)

struct stream {
	int fd;
	uint64_t size;	/* of the file */
	uint64_t at;	/* where buf begins in the file */
	size_t have;	/* bytes in buf */
	uint64_t taken; /* of these; may be more when data was passed over */
	bool ended;
	unsigned char buf[PIECE];
};

struct stream *stream_create(int fd, uint64_t at)
{
	struct stream *s = malloc(sizeof(*s));
	struct stat st;

	if (!s)
		return NULL;
	s->fd = fd;
	s->size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
	s->at = at;
	s->have = 0;
	s->taken = 0;
	s->ended = false;
	return s;
}

void stream_destroy(struct stream *s)
{
	free(s);
}

uint64_t stream_at(const struct stream *s)
{
	return s->at + s->taken;
}

bool stream_ended(const struct stream *s)
{
	return s->ended;
}

/* Reads as much as there is. */
static void fill_buffer(struct stream *s)
{
	s->at += s->taken;
	s->taken = 0;
	s->have = 0;
	progress_step("the migration stream", s->at, s->size);
	progress_tick();
	while (s->have < PIECE) {
		ssize_t got =
			pread(s->fd, s->buf + s->have, PIECE - s->have, (off_t)(s->at + s->have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		s->have += (size_t)got;
	}
}

const unsigned char *stream_peek(struct stream *s, size_t len)
{
	if (s->taken + len > s->have)
		fill_buffer(s);
	s->ended |= len > s->have;
	return len > s->have || len > STREAM_MOST ? NULL : s->buf + s->taken;
}

const unsigned char *stream_bytes(struct stream *s, size_t len)
{
	const unsigned char *at = stream_peek(s, len);

	if (at)
		s->taken += len;
	return at;
}

bool stream_number(struct stream *s, size_t len, uint64_t *ret)
{
	const unsigned char *at = stream_bytes(s, len);

	*ret = at ? get_number(true, at, len) : 0;
	return at;
}

bool stream_skip(struct stream *s, uint64_t len)
{
	if (stream_at(s) > s->size || len > s->size - stream_at(s)) {
		s->ended = true;
		return false;
	}
	s->taken += len;
	return true;
}
