// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * complain.c - the program's own messages, reads that are never short, arrays that grow.
 */
#include "offline.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names and text from damaged files end up in messages, which must neither move nor reorder a line. */
static void print_plain(const char *text)
{
	size_t left = strlen(text), bytes;
	uint32_t code;

	for (; left; left -= bytes, text += bytes) {
		bool plain = otst_character(text, left, &code, &bytes) && code >= ' ';

		for (size_t i = 0; i < bytes; i++)
			fprintf(stderr, plain ? "%c" : "\\x%02x", (unsigned char)text[i]);
	}
}

void complain(const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);

	progress_clear();
	fflush(stdout);
	fputs("otst: ", stderr);
	print_plain(text);
	fputc('\n', stderr);
}

bool read_fully(int fd, void *buf, size_t len, uint64_t offset)
{
	char *at = buf;

	while (len) {
		ssize_t got = pread(fd, at, len, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		offset += (uint64_t)got;
		len -= (size_t)got;
	}
	return true;
}

void *grow_array(void *items, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 64;

	if (count < *room)
		return items;
	items = realloc(items, more * size);
	*room = items ? more : *room;
	return items;
}
