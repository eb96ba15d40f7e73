// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * arena.c - memory of a command and of the engine, which is freed all at once: blocks,
 * elements of lists, strings; and what a command has to give back besides.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"

#define ARENA_BLOCK (256u * 1024)
#define HUGE_BLOCK  (4u << 20)
#define HUGE_PAGE   ((size_t)2 << 20)

/* this part of the limit is left for the output of what was found */
#define FOR_OUTPUT 4u

#define LIMIT_END     "on memory is reached (--memory SIZE): the rest is not read"
#define LIMIT_REACHED "the limit of %" PRIu64 " MB " LIMIT_END

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t room;
	_Alignas(16) unsigned char data[];
};

/*
 * Returns zeroed memory: what the allocator gets from the system is zero already, and
 * is not touched. A large block is filled from end to end, so it begins on a huge
 * page: a fault for each small page costs more than all the rest.
 */
static struct arena_block *new_block(size_t len)
{
	size_t room = len > ARENA_BLOCK ? len : ARENA_BLOCK;
	struct arena_block *b;

	if (len >= HUGE_BLOCK)
		room = (len + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE + HUGE_PAGE;
	b = calloc(1, sizeof(*b) + room);
	if (!b)
		return NULL;
	b->room = room;
	if (len >= HUGE_BLOCK) {
		b->used = -(uintptr_t)b->data & (HUGE_PAGE - 1);
		madvise(b->data + b->used, room - HUGE_PAGE, MADV_HUGEPAGE);
	}
	return b;
}

/* @most: bytes by which the arena may grow */
static void *arena_alloc(struct arena *a, size_t len, uint64_t most)
{
	struct arena_block *b = a->blocks;
	void *p;

	if (len > SIZE_MAX / 2)
		return NULL;
	len = (len + 15) & ~(size_t)15;
	if (!b || b->room - b->used < len) {
		struct arena_block **link = &a->blocks;

		b = len > most || most < ARENA_BLOCK ? NULL : new_block(len);
		if (!b)
			return NULL;
		a->held += b->room;
		/* what is left of the first block stays in use: the new one is full at once */
		if (len > ARENA_BLOCK && a->blocks)
			link = &a->blocks->next;
		b->next = *link;
		*link = b;
	}
	p = b->data + b->used;
	b->used += len;
	return p;
}

void otst_arena_free(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
	a->held = 0;
}

/* bytes that the command may still take */
static uint64_t count_left(const struct otst *o)
{
	uint64_t held = o->command.held + o->engine.held;

	return held < o->memory_limit ? o->memory_limit - held : 0;
}

static void *alloc_or_stop(struct otst *o, struct arena *a, size_t len)
{
	uint64_t left = count_left(o);
	void *p = ++o->allocations == o->fail_allocation ? NULL : arena_alloc(a, len, left);

	if (!p && (len > left || left < ARENA_BLOCK)) {
		o->over_limit = true;
		otst_raise(o, OTST_ERR_NOMEM, LIMIT_REACHED, o->memory_limit >> 20);
	} else if (!p) {
		otst_no_memory(o);
	}
	return p;
}

int otst_is_full(struct otst *o)
{
	if (count_left(o) >= o->memory_limit / FOR_OUTPUT)
		return 0;
	o->over_limit = true;
	/* what is cached from now on may lack something */
	otst_once_retry(o);
	return otst_raise(o, OTST_ERR_CORRUPT, LIMIT_REACHED, o->memory_limit >> 20);
}

bool otst_says_limit(const char *text)
{
	static const char end[] = LIMIT_END;
	size_t len = strlen(text);

	return len >= sizeof(end) - 1 && !strcmp(text + len - (sizeof(end) - 1), end);
}

void otst_over_limit(struct otst *o)
{
	otst_raise(o, OTST_ERR_CORRUPT, LIMIT_REACHED, o->memory_limit >> 20);
}

uint64_t otst_memory_default(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	if (pages <= 0 || size <= 0)
		return UINT64_MAX;
	return (uint64_t)pages * (uint64_t)size / 4;
}

void *otst_alloc(struct otst *o, size_t len)
{
	return alloc_or_stop(o, &o->command, len);
}

void *otst_keep(struct otst *o, size_t len)
{
	return alloc_or_stop(o, &o->engine, len);
}

static bool is_clean(unsigned char c)
{
	return c >= ' ' && c < 0x7f;
}

const char *otst_clean(struct otst *o, const char *s)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *c;
	char *clean, *to;

	for (c = (const unsigned char *)s; is_clean(*c); c++)
		;
	if (!*c)
		return s;
	clean = to = otst_alloc(o, strlen(s) * 4 + 1);
	if (!clean)
		return "";
	for (c = (const unsigned char *)s; *c; c++) {
		if (is_clean(*c)) {
			*to++ = (char)*c;
			continue;
		}
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[*c >> 4];
		*to++ = digits[*c & 15];
	}
	return clean;
}

char *otst_copy(struct otst *o, const char *s)
{
	size_t len = strlen(s) + 1;
	char *p = otst_alloc(o, len);

	return p ? memcpy(p, s, len) : NULL;
}

const char *otst_strdup(struct otst *o, const char *s)
{
	const char *p = otst_copy(o, s);

	return p ? p : "";
}

static const char *format_text(struct otst *o, const char *fmt, va_list ap)
{
	va_list again;
	char *p;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	p = len < 0 ? NULL : otst_alloc(o, (size_t)len + 1);
	if (p)
		vsnprintf(p, (size_t)len + 1, fmt, ap);
	return p ? p : "";
}

const char *otst_format(struct otst *o, const char *fmt, ...)
{
	va_list ap;
	const char *p;

	va_start(ap, fmt);
	p = format_text(o, fmt, ap);
	va_end(ap);
	return p;
}

char *otst_keep_string(struct otst *o, const char *s)
{
	const char *clean = otst_clean(o, s);
	size_t len = strlen(clean) + 1;
	char *p = otst_keep(o, len);

	return p ? memcpy(p, clean, len) : NULL;
}

char *otst_keep_format(struct otst *o, const char *fmt, ...)
{
	va_list ap;
	const char *p;

	va_start(ap, fmt);
	p = format_text(o, fmt, ap);
	va_end(ap);
	return otst_keep_string(o, p);
}

/* a place for an element that cannot be allocated: reused only long after it is out of use */
static void *spare_element(struct otst *o, size_t size)
{
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (o->spare_used + size > OTST_SPARE)
		o->spare_used = 0;
	p = o->spare + o->spare_used;
	o->spare_used += size;
	return memset(p, 0, size);
}

void *otst_new_element(struct otst *o, size_t size)
{
	void *p = otst_alloc(o, size);

	return p ? p : spare_element(o, size);
}

void *otst_vec_grow(struct otst *o, struct otst_vec *v, size_t size)
{
	if (v->count == v->room) {
		size_t room = v->room ? v->room * 2 : 16;
		void *data = otst_alloc(o, room * size);

		if (!data)
			return spare_element(o, size);
		if (v->count)
			memcpy(data, v->data, v->count * size);
		v->data = data;
		v->room = room;
	}
	return (char *)v->data + v->count++ * size;
}

int otst_vec_end(struct otst *o, struct otst_vec *v)
{
	otst_vec_push(o, v, sizeof(void *));
	return otst_stopped(o);
}

struct memo {
	struct memo *next;
	const void *key;
	void *value;
};

void **otst_memo(struct otst *o, const void *key)
{
	struct memo *m;

	for (m = o->memos; m && m->key != key; m = m->next)
		;
	if (!m) {
		m = otst_new(o, sizeof(*m));
		*m = (struct memo){ .key = key, .next = o->memos };
		if (!o->stopped)
			o->memos = m;
	}
	return &m->value;
}

struct undo {
	struct undo *next;
	void (*fn)(void *what);
	void *what;
};

int otst_at_end(struct otst *o, void (*undo)(void *what), void *what)
{
	struct undo *u = otst_alloc(o, sizeof(*u));

	if (!u) {
		undo(what);
		return otst_no_memory(o);
	}
	*u = (struct undo){ .next = o->at_end, .fn = undo, .what = what };
	o->at_end = u;
	return 0;
}

void otst_undo_all(struct undo **list)
{
	for (; *list; *list = (*list)->next)
		(*list)->fn((*list)->what);
}
