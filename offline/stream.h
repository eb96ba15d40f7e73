/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stream.h - a file that is read once, from its beginning to its end.
 */
#ifndef OTST_STREAM_H
#define OTST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** STREAM_MOST - bytes that can be seen at once */
#define STREAM_MOST 4096u

struct stream;

/** stream_create() - of @fd, from byte @at on; NULL when out of memory */
struct stream *stream_create(int fd, uint64_t at);
void stream_destroy(struct stream *s);

/** stream_at() - where in the file it is */
uint64_t stream_at(const struct stream *s);

/** stream_ended() - was more asked for than the file has */
bool stream_ended(const struct stream *s);

/** stream_peek() - the next @len bytes, up to STREAM_MOST; NULL when there are less */
const unsigned char *stream_peek(struct stream *s, size_t len);

/** stream_bytes() - the same, and move behind them; they stay until the next call */
const unsigned char *stream_bytes(struct stream *s, size_t len);

/** stream_number() - the next @len bytes, up to 8, as a big-endian number; false at the end */
bool stream_number(struct stream *s, size_t len, uint64_t *ret);

/** stream_skip() - move by @len bytes; false when the file has less */
bool stream_skip(struct stream *s, uint64_t len);

#endif /* OTST_STREAM_H */
