/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * prefix.h - the parts of the search for where the kernel's part of a line begins (prefix.c)
 */
#ifndef OTST_LOG_PREFIX_H
#define OTST_LOG_PREFIX_H

#include <string.h>

#include "log.h"
#include "symbol.h"

#define OTST_LOG_SHAPE	64 /* bytes of one */
#define OTST_LOG_SUFFIX 16 /* bytes of what follows the kernel's part */

/* ---- prefix_shape.c ---- */

/**
 * struct otst_log_shape - what stands before and behind the kernel's part of a line
 * @before: 'a' for a word, "[]", "()", "<>" for such brackets and what they hold, a blank only
 *	between two words, other characters for themselves
 * @behind: how the rest begins, "" for none: " |"
 */
struct otst_log_shape {
	char before[OTST_LOG_SHAPE];
	char behind[OTST_LOG_SUFFIX];
};

/** otst_log_shape_of() - that of @s up to @end; false when it has none that other lines could be matched with */
bool otst_log_shape_of(const char *s, const char *end, struct otst_log_shape *ret);

/** otst_log_match_shape() - where the kernel's part of a line of this shape begins; NULL: it has another one */
const char *otst_log_match_shape(const struct otst_log_shape *shape, const char *s);

/** otst_log_bracket_end() - what closes the bracket at @s; NULL when nothing does before @end (NULL: anywhere) */
const char *otst_log_bracket_end(const char *s, const char *end);

static inline bool otst_log_same_shape(const struct otst_log_shape *a,
				       const struct otst_log_shape *b)
{
	return !strcmp(a->before, b->before);
}

/* ---- prefix_looks.c ---- */

/** otst_log_find_frame() - the first "f+0x1/0x2" with what belongs to it, up to @end; NULL when there is none */
const char *otst_log_find_frame(const char *text, const char **end);

/** otst_log_is_named() - true if what @text has at @s is a function that the words before it name, no frame */
bool otst_log_is_named(const char *text, const char *s);

/** otst_log_find_start() - "Call Trace:" and its like somewhere in a line, or NULL */
const char *otst_log_find_start(const char *text);

/** otst_log_is_behind() - true if others may have put @s behind a frame: " |", not "returned 0" */
bool otst_log_is_behind(const char *s);

/* ---- prefix_tells.c ---- */

/**
 * otst_log_read_prefix() - time, cpu and task that the prefix from @s to @end tells
 * @ret: who that was; @line points to it when the prefix names a cpu or a task's name
 */
void otst_log_read_prefix(struct otst_log_line *line, const char *s, const char *end,
			  struct otst_log_who *ret);

#endif
