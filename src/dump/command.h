/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * command.h - memory of a command, errors, and what is found out once (engine.c)
 */
#ifndef OTST_COMMAND_H
#define OTST_COMMAND_H

#include "../otst.h"

/** otst_alloc() - zeroed memory of the command's arena, NULL when out of memory */
void *otst_alloc(struct otst *o, size_t len);

#define OTST_ELEMENT_MAX (128u * 1024)

/** otst_new_element() - otst_new(), whose @size is known when it is compiled */
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
 * Out of memory is a mark that stays until the command ends: otst_check() and
 * each read return it, nothing more is printed, and the command fails. So
 * otst_new(), otst_strdup(), otst_format(), otst_vec_push(), otst_note() and its kin
 * need not be looked at: they never return NULL. What is given instead of memory is
 * an empty string, or an element of a block that is used again. otst_alloc(), otst_keep()
 * and otst_copy() return NULL, for their callers write as far as they asked for.
 */

/** otst_strdup() - copy of @s in the command's arena; "" when out of memory */
const char *otst_strdup(struct otst *o, const char *s);

/** otst_copy() - copy of @s to be written to, in the command's arena; NULL when out of memory */
char *otst_copy(struct otst *o, const char *s);

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

/** otst_vec_grow() - otst_vec_push(), whose @size is known when it is compiled */
void *otst_vec_grow(struct otst *o, struct otst_vec *v, size_t size)
	__attribute__((returns_nonnull));

/**
 * otst_vec_push() - room for one more element of @size bytes, zeroed
 *
 * Never NULL. When out of memory the element is in no list, @v stays as it is, and
 * the command ends at its next otst_check().
 */
#define otst_vec_push(o, v, size)                                                               \
	({                                                                                      \
		_Static_assert((size) <= OTST_ELEMENT_MAX, "elements come from a spare block"); \
		otst_vec_grow(o, v, size);                                                      \
	})

/**
 * otst_vec_end() - a NULL behind the pointers of a list
 *
 * Return: 0, and @v has them all; NOMEM.
 */
int otst_vec_end(struct otst *o, struct otst_vec *v);

/** otst_vec_pop() - take the element back that was pushed last */
static inline void otst_vec_pop(struct otst_vec *v)
{
	v->count -= v->count > 0;
}

/** otst_command_begin() - start a command; frees what one left behind that did not end */
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

/** otst_note_text() - keep a message that is in the command's arena; 0 */
int otst_note_text(struct otst *o, struct otst_messages *to, const char *text);

/** otst_note_once() - otst_note_text(), unless @to has the same text */
int otst_note_once(struct otst *o, struct otst_messages *to, const char *text);

/** otst_notes() - keep all of @more too; 0 */
int otst_notes(struct otst *o, struct otst_messages *to, const struct otst_messages *more);

/**
 * otst_memo() - a pointer that a decoder keeps until the command ends
 * @key: address of any static object of the caller, by which it finds it again
 *
 * Return: the pointer's place, never NULL, with NULL in it at first.
 */
void **otst_memo(struct otst *o, const void *key);

/**
 * struct otst_once - something that is found out once and then known
 * @size: bytes of the answer
 * @make: finds it out; @value is zeroed. What it allocates comes from otst_keep(),
 *	or is freed by @destroy. @of: the part of the kernel that is meant, or NULL
 * @destroy: frees what is not otst_keep()'s, of an answer that was not finished as well; may be NULL
 * @moves: it changes while a kernel runs: each reading finds it out anew
 *
 * Each is a static constant of the file that knows how it is found out.
 */
struct otst_once {
	size_t size;
	int (*make)(struct otst *o, const void *of, void *value);
	void (*destroy)(void *value);
	bool moves;
};

/**
 * otst_once() - the answer of @what for @of, found out when it is first asked for
 * @ret: address of a pointer, which gets the answer, or NULL with an error; it lives as
 *	long as the engine. While @make runs it is the answer as far as it has come.
 *
 * An answer is 0, or LOOKUP: there is no such thing. Any other failure, and an
 * answer for which a read failed, is believed until the command ends: then all
 * that is known is forgotten, as after a command that was interrupted, ran out
 * of memory or lost its output.
 *
 * Return: 0 or what @make returned, with its message.
 */
int otst_once(struct otst *o, const struct otst_once *what, const void *of, void *ret);

/**
 * otst_once_or_null() - the same answer, or NULL; leaves no message of its own
 *
 * What is known is given to a command that was stopped, too: it goes on to its next
 * otst_check(), with the architecture and the layouts that it has.
 */
const void *otst_once_or_null(struct otst *o, const struct otst_once *what, const void *of);

/** otst_once_retry() - what is known rests on something that failed: the next command tries again */
void otst_once_retry(struct otst *o);

/** otst_is_live() - does the kernel run while it is read */
bool otst_is_live(const struct otst *o);

/**
 * otst_read_anew() - a live kernel may have changed: memory, page tables, modules and all
 * else that moves (&otst_once.moves, otst_memo()) is read again. What was handed out stays
 * valid. Of a dump nothing happens.
 */
void otst_read_anew(struct otst *o);

/** otst_memory_anew() - the same of memory alone */
void otst_memory_anew(struct otst *o);

/**
 * otst_at_end() - what a command has to give back beside its memory
 * @undo: called with @what when the command ends, the newest first, also when
 *	a front end left it by longjmp: then at the start of the next command or
 *	in otst_close()
 *
 * Return: 0; NOMEM, and @undo was called.
 */
int otst_at_end(struct otst *o, void (*undo)(void *what), void *what);

/** otst_start_message() - what otst_raise() does to the message, and to the command when @err ends it */
void otst_start_message(struct otst *o, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** otst_extend_message() - what otst_fail() does to the message */
void otst_extend_message(struct otst *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Macros, so that the compiler sees the value of an error where it is returned:
 * it then knows that it is not 0 and that a caller who goes on has its result.
 */

/** otst_raise() - start an error message; returns @err */
#define otst_raise(o, err, ...)                              \
	({                                                   \
		int raised_ = (err);                         \
		otst_start_message(o, raised_, __VA_ARGS__); \
		raised_;                                     \
	})

/** otst_fail() - put a phrase before the message of an error that goes up; returns @err */
#define otst_fail(o, err, ...)                       \
	({                                           \
		int failed_ = (err);                 \
		otst_extend_message(o, __VA_ARGS__); \
		failed_;                             \
	})

/** otst_no_memory() - the message of OTST_ERR_NOMEM, which it returns */
static inline int otst_no_memory(struct otst *o)
{
	return otst_raise(o, OTST_ERR_NOMEM, "out of memory");
}

/** otst_message() - the message of the last error, never NULL */
const char *otst_message(const struct otst *o);

/**
 * otst_check() - does the command go on
 *
 * Once something ended it (see otst_fatal()) every further question gets that
 * error, so that nobody takes it for an answer.
 *
 * Return: 0; INTERRUPTED when the user asked to stop; what ended the command before.
 */
int otst_check(struct otst *o);

/** otst_progress() - tell who waits: the command is at @what, @done bytes of @all are behind it, or 0 */
void otst_progress(struct otst *o, const char *what, uint64_t done, uint64_t all);

/** otst_stopped() - what ended the command, with its message; 0 while it goes on */
int otst_stopped(struct otst *o);

/** otst_fatal() - true for errors that end a listing and not only a record */
bool otst_fatal(int err);

/**
 * otst_take_struct() - a copy of a structure of the caller, which may be of another otst.h
 * @ret: @known bytes, its size here; what the caller's lacks is zero
 * @least: bytes that it had from the beginning
 * @from: its first member is a uint64_t, its size
 *
 * Return: 0; SIZE, with nothing in @ret; or NEWER, with what is known in @ret. No message.
 */
int otst_take_struct(void *ret, size_t known, size_t least, const void *from);

/** otst_take_output() - the same of a struct otst_output */
int otst_take_output(const struct otst_output *from, struct otst_output *ret);

/** otst_options() - what the front end gave to otst_open() */
const struct otst_options *otst_options(const struct otst *o);

/** otst_target_name() - &otst_target_ops.name */
const char *otst_target_name(const struct otst *o);

/** otst_vmcoreinfo() - value of "@key=" in VMCOREINFO, in the engine's memory, or NULL */
const char *otst_vmcoreinfo(struct otst *o, const char *key);

#endif /* OTST_COMMAND_H */
