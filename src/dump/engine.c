// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * engine.c - life of struct otst: opening, memory of a command, errors. Decodes nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

#include "engine.h"

#define ARENA_BLOCK (256u * 1024)
#define HUGE_BLOCK  (4u << 20)
#define HUGE_PAGE   ((size_t)2 << 20)

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

static void *arena_alloc(struct arena *a, size_t len)
{
	struct arena_block *b = a->blocks;
	void *p;

	if (len > SIZE_MAX / 2)
		return NULL;
	len = (len + 15) & ~(size_t)15;
	if (!b || b->room - b->used < len) {
		struct arena_block **link = &a->blocks;

		b = new_block(len);
		if (!b)
			return NULL;
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
}

static void *alloc_or_stop(struct otst *o, struct arena *a, size_t len)
{
	void *p = ++o->allocations == o->fail_allocation ? NULL : arena_alloc(a, len);

	if (!p)
		otst_no_memory(o);
	return p;
}

void *otst_alloc(struct otst *o, size_t len)
{
	return alloc_or_stop(o, &o->command, len);
}

void *otst_keep(struct otst *o, size_t len)
{
	return alloc_or_stop(o, &o->engine, len);
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

static const char *format(struct otst *o, const char *fmt, va_list ap)
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
	p = format(o, fmt, ap);
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
	p = format(o, fmt, ap);
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

static void undo_all(struct undo **list)
{
	for (; *list; *list = (*list)->next)
		(*list)->fn((*list)->what);
}

/* the first reason is the one that is reported */
static void stop(struct otst *o, int err)
{
	if (o->stopped)
		return;
	o->stopped = err;
	snprintf(o->stop_message, sizeof(o->stop_message), "%s", o->message);
}

void otst_start_message(struct otst *o, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(o->message, sizeof(o->message), fmt, ap);
	va_end(ap);
	if (otst_fatal(err))
		stop(o, err);
}

void otst_extend_message(struct otst *o, const char *fmt, ...)
{
	char inner[sizeof(o->message)];
	size_t used;
	va_list ap;

	memcpy(inner, o->message, sizeof(inner));
	va_start(ap, fmt);
	vsnprintf(o->message, sizeof(o->message), fmt, ap);
	va_end(ap);
	used = strlen(o->message);
	snprintf(o->message + used, sizeof(o->message) - used, ": %s", inner);
}

const char *otst_message(const struct otst *o)
{
	return o->message;
}

int otst_answer(struct otst *o, int err)
{
	switch (err) {
	case OTST_ERR_INTERRUPTED:
		return otst_raise(o, err, "interrupted");
	case OTST_ERR_NOMEM:
		return otst_no_memory(o);
	case OTST_ERR_OUTPUT:
		return otst_raise(o, err, "output closed");
	default:
		return err;
	}
}

bool otst_knows(struct otst *o, enum otst_knowledge what)
{
	if (o->ops.knows)
		return o->ops.knows(o->priv, what);
	return what == OTST_KNOWS_SYMBOLS && !o->ops.symbol && otst_image_has_symbols(o);
}

int otst_stopped(struct otst *o)
{
	return o->stopped ? otst_raise(o, o->stopped, "%s", o->stop_message) : 0;
}

int otst_check(struct otst *o)
{
	if (o->stopped)
		return otst_stopped(o);
	if (o->ops.interrupted && o->ops.interrupted(o->priv))
		return otst_answer(o, OTST_ERR_INTERRUPTED);
	return 0;
}

void otst_progress(struct otst *o, const char *what, uint64_t done, uint64_t all)
{
	if (o->ops.progress)
		o->ops.progress(o->priv, what, done, all);
}

bool otst_has_threads(const struct otst *o)
{
	return o->ops.start && o->ops.finish;
}

uint64_t otst_start(struct otst *o, void (*work)(void *what), void *what)
{
	return o->ops.start(o->priv, work, what);
}

void otst_finish(struct otst *o, uint64_t job)
{
	o->ops.finish(o->priv, job);
}

bool otst_fatal(int err)
{
	return err == OTST_ERR_NOMEM || err == OTST_ERR_INTERRUPTED || err == OTST_ERR_OUTPUT ||
	       err == OTST_ERR_FILE;
}

int otst_note(struct otst *o, struct otst_messages *to, int err)
{
	return !err || otst_fatal(err) ? err :
					 otst_note_text(o, to, otst_strdup(o, otst_message(o)));
}

int otst_note_text(struct otst *o, struct otst_messages *to, const char *text)
{
	struct otst_vec v = { to->texts, to->count, to->room };

	*(const char **)otst_vec_push(o, &v, sizeof(text)) = text;
	*to = (struct otst_messages){ v.data, v.count, v.room };
	return 0;
}

int otst_note_once(struct otst *o, struct otst_messages *to, const char *text)
{
	size_t i;

	for (i = 0; i < to->count; i++) {
		if (!strcmp(to->texts[i], text))
			return 0;
	}
	return otst_note_text(o, to, text);
}

int otst_notes(struct otst *o, struct otst_messages *to, const struct otst_messages *more)
{
	size_t i;

	for (i = 0; i < more->count; i++)
		otst_note_text(o, to, more->texts[i]);
	return 0;
}

int otst_notes_once(struct otst *o, struct otst_messages *to, const struct otst_messages *more)
{
	size_t i;

	for (i = 0; i < more->count; i++)
		otst_note_once(o, to, more->texts[i]);
	return 0;
}

const struct otst_options *otst_options(const struct otst *o)
{
	return &o->options;
}

bool otst_is_live(const struct otst *o)
{
	return o->options.live;
}

void otst_read_anew(struct otst *o)
{
	if (!otst_is_live(o))
		return;
	o->reading++;
	o->memory++;
	o->memos = NULL;
}

void otst_memory_anew(struct otst *o)
{
	o->memory += otst_is_live(o);
}

bool otst_big_endian(const struct otst *o)
{
	return o->options.big_endian;
}

const char *otst_target_name(const struct otst *o)
{
	return o->ops.name ? o->ops.name : "unknown";
}

#define LARGEST 4096u /* most bytes of a caller's structure; anything more is garbage */

int otst_take_struct(void *ret, size_t known, size_t least, const void *from)
{
	const unsigned char *bytes = from;
	uint64_t size, i;

	memset(ret, 0, known);
	memcpy(&size, from, sizeof(size));
	if (size < least || size > LARGEST)
		return OTST_ERR_SIZE;
	memcpy(ret, from, size < known ? size : known);
	for (i = known; i < size; i++) {
		if (bytes[i])
			return OTST_ERR_NEWER;
	}
	return 0;
}

#define END_OF(type, member) (offsetof(struct type, member) + sizeof(((struct type *)0)->member))

int otst_take_output(const struct otst_output *from, struct otst_output *ret)
{
	return otst_take_struct(ret, sizeof(*ret), END_OF(otst_output, priv), from);
}

/* the caller's text may go away; NULL stays NULL */
static bool copy_text(const char *s, char **ret)
{
	*ret = s ? strdup(s) : NULL;
	return *ret || !s;
}

int otst_open(const struct otst_target_ops *ops, void *priv, const struct otst_options *options,
	      struct otst **ret)
{
	struct otst *o = calloc(1, sizeof(*o));
	int err;

	if (!o)
		return OTST_ERR_NOMEM;
	o->priv = priv;
	err = otst_take_struct(&o->ops, sizeof(o->ops), END_OF(otst_target_ops, read), ops);
	if (!err && !o->ops.read)
		err = OTST_ERR_UNSUPPORTED;
	if (!err && options)
		err = otst_take_struct(&o->options, sizeof(o->options), sizeof(uint64_t), options);
	if (!err &&
	    (!copy_text(o->options.vmlinux, &o->vmlinux) ||
	     !copy_text(o->options.search, &o->root) || !copy_text(o->options.btf, &o->btf)))
		err = OTST_ERR_NOMEM;
	if (err) {
		otst_close(o);
		return err;
	}
	o->options.vmlinux = o->vmlinux;
	o->options.search = o->root;
	o->options.btf = o->btf;
	*ret = o;
	return 0;
}

void otst_close(struct otst *o)
{
	if (!o)
		return;
	otst_command_end(o);
	otst_once_forget(o);
	free(o->vmlinux);
	free(o->root);
	free(o->btf);
	free(o->search.why);
	if (o->unpacked)
		close(o->unpacked - 1);
	free(o->module_dir);
	free(o);
}

void otst_command_begin(struct otst *o)
{
	/* the last command was left by longjmp: its answers may be unfinished */
	if (o->running)
		otst_once_retry(o);
	otst_command_end(o);
	o->running = true;
	otst_read_anew(o);
}

void otst_command_end(struct otst *o)
{
	undo_all(&o->at_end);
	otst_arena_free(&o->command);
	o->memos = NULL;
	o->doubts = (struct doubts){ 0 };
	o->message[0] = '\0';
	if (o->stopped || o->once.stale)
		otst_once_forget(o);
	o->stopped = 0;
	o->running = false;
}

const char *otst_error_text(int err)
{
	static const char *const texts[] = {
		[OTST_OK] = "no error",
		[-OTST_ERR_LOOKUP] = "the kernel has no such symbol, type or member",
		[-OTST_ERR_FAULT] = "the memory is not in the dump",
		[-OTST_ERR_CORRUPT] = "the data makes no sense",
		[-OTST_ERR_NOMEM] = "out of memory",
		[-OTST_ERR_INTERRUPTED] = "interrupted",
		[-OTST_ERR_USAGE] = "wrong usage",
		[-OTST_ERR_UNSUPPORTED] = "not supported by this target or architecture",
		[-OTST_ERR_OUTPUT] = "output closed",
		[-OTST_ERR_AGAIN] = "the cpu was in user mode",
		[-OTST_ERR_FILE] = "a file could not be written or is of no use",
		[-OTST_ERR_SIZE] = "the size of the caller's structure cannot be right",
		[-OTST_ERR_NEWER] =
			"the caller's structure uses members that this libotst does not know",
	};

	return err <= 0 && err > -(int)(sizeof(texts) / sizeof(*texts)) ? texts[-err] :
									  "unknown error";
}

const char *otst_version(void)
{
	return OTST_VERSION;
}
