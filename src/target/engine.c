// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * engine.c - life of struct otst: opening, memory of a command, errors.
 * Decodes nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
 * Zeroed memory: what the allocator has from the system is so already, and is
 * not touched. What is large is filled from end to end, so it begins where a
 * huge page does: a fault for each small page costs more than all the rest.
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

void *otst_arena_alloc(struct arena *a, size_t len)
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
		/* what is left of the first one goes on being used, when this one is full */
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

void *otst_alloc(struct otst *o, size_t len)
{
	return otst_arena_alloc(&o->command, len);
}

void *otst_keep(struct otst *o, size_t len)
{
	return otst_arena_alloc(&o->engine, len);
}

char *otst_strdup(struct otst *o, const char *s)
{
	size_t len = strlen(s) + 1;
	char *p = otst_alloc(o, len);

	return p ? memcpy(p, s, len) : NULL;
}

char *otst_format(struct otst *o, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		return NULL;
	p = otst_alloc(o, (size_t)len + 1);
	if (!p)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)len + 1, fmt, ap);
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

void *otst_vec_push(struct otst *o, struct otst_vec *v, size_t size)
{
	if (v->count == v->room) {
		size_t room = v->room ? v->room * 2 : 16;
		void *data = otst_alloc(o, room * size);

		if (!data)
			return NULL;
		if (v->count)
			memcpy(data, v->data, v->count * size);
		v->data = data;
		v->room = room;
	}
	return (char *)v->data + v->count++ * size;
}

struct memo {
	struct memo *next;
	const void *key;
	void *value;
};

static void **find_memo(struct otst *o, struct arena *a, struct memo **list, const void *key)
{
	struct memo *m;

	for (m = *list; m && m->key != key; m = m->next)
		;
	if (!m) {
		m = otst_arena_alloc(a, sizeof(*m));
		if (!m) {
			otst_no_memory(o);
			return NULL;
		}
		m->key = key;
		m->next = *list;
		*list = m;
	}
	return &m->value;
}

void **otst_memo(struct otst *o, const void *key)
{
	return find_memo(o, &o->command, &o->memos, key);
}

void **otst_kept(struct otst *o, const void *key)
{
	return find_memo(o, &o->engine, &o->kept, key);
}

struct undo {
	struct undo *next;
	void (*fn)(void *what);
	void *what;
};

static int add_undo(struct otst *o, struct arena *a, struct undo **list, void (*fn)(void *what),
		    void *what)
{
	struct undo *u = otst_arena_alloc(a, sizeof(*u));

	if (!u) {
		fn(what);
		return otst_no_memory(o);
	}
	*u = (struct undo){ .next = *list, .fn = fn, .what = what };
	*list = u;
	return 0;
}

static void undo_all(struct undo **list)
{
	for (; *list; *list = (*list)->next)
		(*list)->fn((*list)->what);
}

int otst_at_end(struct otst *o, void (*undo)(void *what), void *what)
{
	return add_undo(o, &o->command, &o->at_end, undo, what);
}

int otst_at_close(struct otst *o, void (*undo)(void *what), void *what)
{
	return add_undo(o, &o->engine, &o->at_close, undo, what);
}

int otst_raise(struct otst *o, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(o->message, sizeof(o->message), fmt, ap);
	va_end(ap);
	return err;
}

int otst_fail(struct otst *o, int err, const char *fmt, ...)
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
	return err;
}

const char *otst_message(const struct otst *o)
{
	return o->message;
}

int otst_check(struct otst *o)
{
	if (o->ops->interrupted && o->ops->interrupted(o->priv))
		return otst_raise(o, OTST_ERR_INTERRUPTED, "interrupted");
	return 0;
}

bool otst_fatal(int err)
{
	return err == OTST_ERR_NOMEM || err == OTST_ERR_INTERRUPTED || err == OTST_ERR_OUTPUT ||
	       err == OTST_ERR_FILE;
}

int otst_no_memory(struct otst *o)
{
	return otst_raise(o, OTST_ERR_NOMEM, "out of memory");
}

int otst_note(struct otst *o, struct otst_vec *messages, int err)
{
	const char *message;

	if (!err || otst_fatal(err))
		return err;
	message = otst_strdup(o, otst_message(o));
	return message ? otst_notes(o, messages, &message, 1) : otst_no_memory(o);
}

int otst_notes(struct otst *o, struct otst_vec *messages, const char *const *texts, size_t count)
{
	const char **slot;
	size_t i;

	for (i = 0; i < count; i++) {
		slot = otst_vec_push(o, messages, sizeof(*slot));
		if (!slot)
			return otst_no_memory(o);
		*slot = texts[i];
	}
	return 0;
}

const struct otst_options *otst_options(const struct otst *o)
{
	return &o->options;
}

const char *otst_target_name(const struct otst *o)
{
	return o->ops->name ? o->ops->name : "unknown";
}

/* a path of the front end's, in the engine's memory */
static int keep_path(struct otst *o, const char **path)
{
	size_t len;
	char *copy;

	if (!*path)
		return 0;
	len = strlen(*path) + 1;
	copy = otst_keep(o, len);
	if (!copy)
		return OTST_ERR_NOMEM;
	*path = memcpy(copy, *path, len);
	return 0;
}

int otst_open(const struct otst_target_ops *ops, void *priv, const struct otst_options *options,
	      struct otst **ret)
{
	struct otst *o;

	if (ops->size != sizeof(*ops) || !ops->read)
		return OTST_ERR_UNSUPPORTED;
	o = calloc(1, sizeof(*o));
	if (!o)
		return OTST_ERR_NOMEM;
	o->ops = ops;
	o->priv = priv;
	if (options)
		o->options = *options;
	if (keep_path(o, &o->options.vmlinux) || keep_path(o, &o->options.vmcore)) {
		otst_close(o);
		return OTST_ERR_NOMEM;
	}
	*ret = o;
	return 0;
}

void otst_close(struct otst *o)
{
	if (!o)
		return;
	undo_all(&o->at_end);
	undo_all(&o->at_close);
	otst_types_deinit(o);
	otst_symbols_deinit(o);
	otst_cfi_deinit(o);
	otst_debug_deinit(o);
	otst_notes_deinit(o);
	otst_image_deinit(o);
	otst_memory_deinit(o);
	otst_pagetable_destroy(o->paging.table);
	otst_arena_free(&o->command);
	otst_arena_free(&o->engine);
	free(o);
}

void otst_command_begin(struct otst *o)
{
	undo_all(&o->at_end);
	otst_arena_free(&o->command);
	o->memos = NULL;
	o->message[0] = '\0';
}

const char *otst_version(void)
{
	return OTST_VERSION;
}
