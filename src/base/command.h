/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * command.h - memory of a command, errors, and cached answers (engine.c)
 */
#ifndef OTST_COMMAND_H
#define OTST_COMMAND_H

#include "../otst.h"

#include <string.h>

/** otst_alloc() - zeroed memory of the command's arena, NULL when out of memory */
void *otst_alloc(struct otst *o, size_t len);

#define OTST_ELEMENT_MAX (128u * 1024)

/** otst_new_element() - backend of otst_new(), where @size is a compile-time constant */
void *otst_new_element(struct otst *o, size_t size) __attribute__((returns_nonnull));

/** otst_new() - one zeroed structure of the command's arena; never NULL, see below */
#define otst_new(o, size)                                                                       \
	({                                                                                      \
		_Static_assert((size) <= OTST_ELEMENT_MAX, "elements come from a spare block"); \
		otst_new_element(o, size);                                                      \
	})

/** otst_keep() - zeroed memory that lives as long as the engine, NULL when out of memory */
void *otst_keep(struct otst *o, size_t len);

/*
 * Out of memory is a state that lasts until the command ends: otst_check() and
 * each read return it, nothing more is printed, and the command fails. So the
 * results of otst_new(), otst_strdup(), otst_format(), otst_vec_push(),
 * otst_note() and its kin need no check: they are never NULL. In place of memory
 * the caller gets an empty string, or an element of a block that is reused.
 * otst_alloc(), otst_keep() and otst_copy() do return NULL, because their callers
 * write as many bytes as they asked for.
 */

/** otst_strdup() - copy of @s in the command's arena; "" when out of memory */
const char *otst_strdup(struct otst *o, const char *s);

/** otst_copy() - writable copy of @s in the command's arena; NULL when out of memory */
char *otst_copy(struct otst *o, const char *s);

/**
 * otst_clean() - make bytes of the dump safe to print
 *
 * All strings that decoders get from the dump have gone through it: control characters,
 * DEL and bytes above 0x7f are written as \x1b and the like, so that nothing from the
 * dump acts on a terminal or breaks a line.
 *
 * Return: @s itself when it is clean, else a copy in the command's arena.
 */
const char *otst_clean(struct otst *o, const char *s);

/** otst_same_text() - are both NULL, or the same text */
static inline bool otst_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/** otst_begins() - does @s, which may be NULL, begin with @prefix, which is not empty */
static inline bool otst_begins(const char *s, const char *prefix)
{
	return s && *s == *prefix && !strncmp(s, prefix, strlen(prefix));
}

/** otst_number() - the word that goes with a count: "%zu %s", n, otst_number(n, "entry", "entries") */
static inline const char *otst_number(uint64_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

/** otst_format() - formatted string in the command's arena; "" when out of memory */
const char *otst_format(struct otst *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * struct otst_vec - growing array in the command's arena
 * @data: the elements
 * @count: how many there are
 *
 * Zero-initialise, then otst_vec_push().
 */
struct otst_vec {
	void *data;
	size_t count;
	size_t room;
};

/**
 * OTST_EACH_HAS() - refuse to compile when the last enumerators before @count have no row in @array;
 * tests/checks/places looks for the others
 */
#define OTST_EACH_HAS(array, count) \
	_Static_assert(sizeof(array) / sizeof(*(array)) == (count), "an enumerator has no row")

/** otst_vec_grow() - backend of otst_vec_push(), where @size is a compile-time constant */
void *otst_vec_grow(struct otst *o, struct otst_vec *v, size_t size)
	__attribute__((returns_nonnull));

/**
 * otst_vec_push() - room for one more element of @size bytes, zeroed
 *
 * Never NULL. When out of memory, the element is in no list, @v stays as it is, and
 * the command ends at its next otst_check().
 */
#define otst_vec_push(o, v, size)                                                               \
	({                                                                                      \
		_Static_assert((size) <= OTST_ELEMENT_MAX, "elements come from a spare block"); \
		otst_vec_grow(o, v, size);                                                      \
	})

/**
 * otst_vec_end() - append a NULL to a list of pointers
 *
 * Return: 0 when @v has them all; NOMEM.
 */
int otst_vec_end(struct otst *o, struct otst_vec *v);

/** otst_vec_pop() - take back the element that was pushed last */
static inline void otst_vec_pop(struct otst_vec *v)
{
	v->count -= v->count > 0;
}

/** otst_command_begin() - start a command; frees what an unfinished one left behind */
void otst_command_begin(struct otst *o);

/** otst_command_end() - free what the command allocated */
void otst_command_end(struct otst *o);

/** struct otst_messages - what could not be read, and notes; zero-initialise */
struct otst_messages {
	const char **texts;
	size_t count;
	size_t room;
};

/**
 * otst_note() - keep the last error's message and go on
 *
 * Return: 0, or @err when it ends a command (see otst_fatal()).
 */
int otst_note(struct otst *o, struct otst_messages *to, int err);

/**
 * otst_bad_record() - a record made no sense, or its memory is not in the dump
 * @err: what reading it returned; counts only as FAULT or CORRUPT
 *
 * otst_note() and otst_probe_error() call it. A walk that meets many such records in a row ends.
 */
void otst_bad_record(struct otst *o, int err);

/** otst_is_full() - is the limit on memory so near that no more records can be kept; 0, or CORRUPT */
int otst_is_full(struct otst *o);

/** otst_note_text() - keep a message that is in the command's arena */
void otst_note_text(struct otst *o, struct otst_messages *to, const char *text);

/** otst_note_once() - otst_note_text(), unless @to has the same text */
void otst_note_once(struct otst *o, struct otst_messages *to, const char *text);

/** otst_notes() - keep all of @more too */
void otst_notes(struct otst *o, struct otst_messages *to, const struct otst_messages *more);

/** otst_notes_once() - otst_notes() without the texts that @to has */
void otst_notes_once(struct otst *o, struct otst_messages *to, const struct otst_messages *more);

/**
 * otst_memo() - a pointer that a decoder keeps until the command ends
 * @key: address of any static object of the caller, which identifies the pointer
 *
 * Return: where the pointer is stored, never NULL; it holds NULL at first.
 */
void **otst_memo(struct otst *o, const void *key);

/**
 * struct otst_once - something that is determined once and then cached
 * @size: bytes of the answer
 * @make: determines the answer; @value is zeroed. What it allocates comes
 *	from otst_keep(), or is freed by @destroy. @of: the part of the kernel
 *	that is meant, or NULL
 * @destroy: frees what otst_keep() did not allocate, also for an unfinished answer; may be NULL
 * @moves: the answer changes while a kernel runs: each reading determines it anew
 *
 * Each is a static constant of the file that knows how to determine the answer.
 */
struct otst_once {
	size_t size;
	int (*make)(struct otst *o, const void *of, void *value);
	void (*destroy)(void *value);
	bool moves;
};

/**
 * otst_once() - the answer of @what for @of, determined when it is first asked for
 * @ret: address of a pointer to the answer; the pointer is NULL on error. The answer
 *	lives as long as the engine. While @make runs it is the unfinished answer.
 *
 * 0, and LOOKUP for a thing that does not exist, are answers: they stay cached. Any
 * other error, and any answer for which a read failed, is kept only until the command
 * ends. Everything cached is then forgotten. The same happens after a command that was
 * interrupted, ran out of memory or lost its output.
 *
 * Return: 0 or what @make returned, with its message.
 */
int otst_once(struct otst *o, const struct otst_once *what, const void *of, void *ret);

/**
 * otst_once_or_null() - the same answer, or NULL; leaves no message of its own
 *
 * A command that was stopped still gets answers that are cached: it runs on to its
 * next otst_check(), with the architecture and the layouts that it has.
 */
const void *otst_once_or_null(struct otst *o, const struct otst_once *what, const void *of);

/** otst_once_retry() - cached answers depend on something that failed: the next command retries */
void otst_once_retry(struct otst *o);

/** otst_is_live() - true if the kernel is running while it is read */
bool otst_is_live(const struct otst *o);

/**
 * otst_read_anew() - read a live kernel again, as it may have changed
 *
 * Memory, page tables, modules and all else that moves (&otst_once.moves, otst_memo())
 * are read again. What was handed out stays valid. Does nothing for a dump.
 */
void otst_read_anew(struct otst *o);

/** otst_memory_anew() - the same for memory alone */
void otst_memory_anew(struct otst *o);

/**
 * otst_at_end() - register what a command has to give back besides its memory
 * @undo: called with @what when the command ends, newest first. When a front end
 *	left the command by longjmp, it is called at the start of the next command
 *	or in otst_close().
 *
 * Return: 0; NOMEM, in which case @undo was called.
 */
int otst_at_end(struct otst *o, void (*undo)(void *what), void *what);

/** otst_start_message() - set the message for otst_raise(); end the command if @err ends one */
void otst_start_message(struct otst *o, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** otst_extend_message() - prefix the message for otst_fail() */
void otst_extend_message(struct otst *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * These are macros so that the compiler sees the value of an error where it is
 * returned: it then knows that the value is not 0, and that a caller that goes
 * on has its result.
 */

/** otst_raise() - start an error message; returns @err */
#define otst_raise(o, err, ...)                              \
	({                                                   \
		int raised_ = (err);                         \
		otst_start_message(o, raised_, __VA_ARGS__); \
		raised_;                                     \
	})

/** otst_fail() - prefix the message of an error that is passed up; returns @err */
#define otst_fail(o, err, ...)                       \
	({                                           \
		int failed_ = (err);                 \
		otst_extend_message(o, __VA_ARGS__); \
		failed_;                             \
	})

/** otst_no_memory() - raise and return OTST_ERR_NOMEM */
static inline int otst_no_memory(struct otst *o)
{
	return otst_raise(o, OTST_ERR_NOMEM, "out of memory");
}

/** otst_message() - the message of the last error, never NULL */
const char *otst_message(const struct otst *o);

/**
 * otst_check() - may the command go on
 *
 * Once something has ended it (see otst_fatal()), every later call returns that
 * error, so that the failure is never taken for an answer.
 *
 * Return: 0; INTERRUPTED when the user asked to stop; what ended the command before.
 */
int otst_check(struct otst *o);

/** otst_progress() - report progress at @what: @done of @all bytes, 0 when unknown */
void otst_progress(struct otst *o, const char *what, uint64_t done, uint64_t all);

/** otst_has_threads() - can the target run otst_start() */
bool otst_has_threads(const struct otst *o);

/** otst_start(), otst_finish() - work on another thread, see &otst_target_ops.start */
uint64_t otst_start(struct otst *o, void (*work)(void *what), void *what);
void otst_finish(struct otst *o, uint64_t job);

/** otst_big_endian() - true if the kernel is big-endian */
bool otst_big_endian(const struct otst *o) __attribute__((pure));

/** otst_stopped() - what ended the command, with its message; 0 while it goes on */
int otst_stopped(struct otst *o);

/** otst_fatal() - true for errors that end a listing, not just a record */
bool otst_fatal(int err);

/**
 * otst_take_struct() - copy a structure of the caller, who may use another version of otst.h
 * @ret: @known bytes, the size here; members that the caller's structure lacks are zero
 * @least: size of its first version
 * @from: starts with a uint64_t, its size
 *
 * Return: 0; SIZE, with nothing in @ret; or NEWER, with the known members in @ret. No message.
 */
int otst_take_struct(void *ret, size_t known, size_t least, const void *from);

/** otst_take_output() - the same for a struct otst_output */
int otst_take_output(const struct otst_output *from, struct otst_output *ret);

/** otst_options() - what the front end passed to otst_open() */
const struct otst_options *otst_options(const struct otst *o);

/** otst_target_name() - &otst_target_ops.name */
const char *otst_target_name(const struct otst *o);

/** otst_is_alone() - is there no memory at all: a log is read, with the image of its kernel or without */
bool otst_is_alone(const struct otst *o);

/** otst_vmcoreinfo() - value of "@key=" in VMCOREINFO, in the engine's memory, or NULL */
const char *otst_vmcoreinfo(struct otst *o, const char *key);

#endif /* OTST_COMMAND_H */
