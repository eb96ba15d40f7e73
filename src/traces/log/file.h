/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * file.h - files that hold a log, and their lines as the kernel printed them.
 */
#ifndef OTST_LOG_FILE_H
#define OTST_LOG_FILE_H

#include "../traces.h"

/* ---- files (file.c, clean.c) ---- */

/**
 * called for each line of a file; @line may be changed; a non-zero return ends the reading
 * @lines: how many lines of the file it has: a mail's goes on in the next one, or has several in one
 */
typedef int otst_log_text_fn(void *priv, char *line, size_t len, uint64_t lines);

/** called where a line begins; how many of these bytes, whole lines, need not be told to the other one */
typedef size_t otst_log_skip_fn(void *priv, const char *bytes, size_t len);

/** OTST_LOG_SPECIAL - these characters; all others are the kernel's own */
#define OTST_LOG_SPECIAL "\r\33&<#\\\xc2\xe2\xef"

/**
 * otst_log_file() - read a file line by line: gzip, xz, bzip2, lzma, zstd, lz4, UTF-16 and UTF-32, too
 * @path: "-" is standard input
 * @backwards: how many lines it has, when its newest lines come first; they are read from the last to the first.
 *	NULL: all lines are told as they come; otherwise one long line of JSON is told as its messages
 *
 * Return: 0; LOOKUP if it cannot be read or is not text; CORRUPT when a compressed file
 * is damaged, after what could be read of it; what @fn returned.
 */
int otst_log_file(struct otst *o, const char *path, otst_log_text_fn *fn, otst_log_skip_fn *skip,
		  void *priv, uint64_t *backwards);

/** called for each line of the kernel's; @line is NUL-terminated */
typedef int otst_log_piece_fn(void *priv, const char *line, size_t len);

/**
 * otst_log_pieces() - the kernel's lines in a line of a file
 * @line: NUL-terminated, is changed
 */
int otst_log_pieces(char *line, size_t len, otst_log_piece_fn *fn, void *priv);

/* ---- a line of JSON (json.c) ---- */

#define OTST_LOG_JSON_DEPTH 32

/**
 * struct otst_log_json - how far a line was read
 * @on: it is JSON, so far
 * @opening: neither a text nor a key came
 * @has_blank: in the text that is open, or was last
 * @arrays: a bit for each that is open: it is an array
 * @starts: where in the line what is open begins
 * @string: where the text begins
 */
struct otst_log_json {
	bool on, opening, in_string, escaped, has_blank;
	unsigned int depth;
	uint32_t arrays;
	size_t starts[OTST_LOG_JSON_DEPTH];
	size_t string;
};

/** enum otst_log_json_part - what becomes of the end of a line */
enum otst_log_json_part {
	OTST_LOG_JSON_KEEP, /**< it stays */
	OTST_LOG_JSON_DROP, /**< it has no text: leave it out */
	OTST_LOG_JSON_LINE, /**< it is a line of its own: take it out */
	OTST_LOG_JSON_PART_COUNT,
};

/** otst_log_json_begin() - a line begins with @c */
void otst_log_json_begin(struct otst_log_json *j, char c);

/**
 * otst_log_json_next() - @c was added to @line, which has @len bytes with it
 * @start: where the part begins
 */
enum otst_log_json_part otst_log_json_next(struct otst_log_json *j, const char *line, size_t len,
					   char c, size_t *start);

/* ---- a line of a mail (mail.c) ---- */

/** enum otst_log_transfer - how the text of a mail is written */
enum otst_log_transfer {
	OTST_LOG_MAIL_PLAIN,
	OTST_LOG_MAIL_QUOTED, /**< quoted-printable */
	OTST_LOG_MAIL_BASE64,
	OTST_LOG_MAIL_TRANSFERS,
};

/**
 * struct otst_log_mail - how far a mail was read
 * @nr_open: lines so far that go on in the next one
 * @in_text: the headers of base64 have ended; @bits: the last @nr_bits of it are not yet a byte
 * @twice: its text comes in several forms; @has_text: the plain one came
 * @is_copy: this part is another one, or no text
 */
struct otst_log_mail {
	enum otst_log_transfer transfer;
	size_t nr_open;
	bool in_text;
	uint32_t bits;
	unsigned int nr_bits;
	bool twice, has_text, is_copy;
};

/** otst_log_mail_begin() - is a file that begins with @bytes a mail, or several, or the text of one */
bool otst_log_mail_begin(struct otst_log_mail *m, const char *bytes, size_t len);

/**
 * otst_log_mail_line() - the text of the next line, in its own place; its length. It may have newlines in it
 * @open: it goes on in the next line
 */
size_t otst_log_mail_line(struct otst_log_mail *m, char *line, size_t len, bool *open);

/* ---- pstore's parts (order.c) ---- */

struct otst_log_order;

/** called for each line, in the order in which the kernel printed them; @number as it was given */
typedef int otst_log_ordered_fn(void *priv, char *line, size_t len, uint64_t number);

/** otst_log_order() - lines go to @fn; those of pstore's parts when all parts are known */
struct otst_log_order *otst_log_order(struct otst *o, otst_log_ordered_fn *fn, void *priv);

/** otst_log_order_line() - take the next line, the @number-th of all files */
int otst_log_order_line(struct otst_log_order *r, char *line, size_t len, uint64_t number);

/** otst_log_order_end() - no more parts of this message */
int otst_log_order_end(struct otst_log_order *r);

/** otst_log_order_waits() - are parts of pstore kept */
bool otst_log_order_waits(const struct otst_log_order *r);

/* ---- lines that were broken (wrap.c) ---- */

struct otst_log_wrap;

/** otst_log_wrap() - lines go to @fn; those that may go on in the next one when that is known */
struct otst_log_wrap *otst_log_wrap(struct otst *o, otst_log_ordered_fn *fn, void *priv);

/** otst_log_wrap_line() - take the next line, the @number-th of all files; @line ends with a NUL */
int otst_log_wrap_line(struct otst_log_wrap *w, char *line, size_t len, uint64_t number);

/** otst_log_wrap_end() - no line comes behind the one that waits */
int otst_log_wrap_end(struct otst_log_wrap *w);

/** otst_log_wrap_waits() - does a line wait */
bool otst_log_wrap_waits(const struct otst_log_wrap *w);

/* ---- lines of no trace (dull.c) ---- */

struct otst_log_dull;

/** otst_log_dull() - NULL when out of memory */
struct otst_log_dull *otst_log_dull(struct otst *o);

/** otst_log_is_dull() - true if a line is certainly of no trace, whatever its prefix; @line ends with a NUL */
bool otst_log_is_dull(const struct otst_log_dull *d, const char *line, size_t len);

/** otst_log_pass() - pass over the dull line @number; the last eight of them are kept */
void otst_log_pass(struct otst_log_dull *d, const char *line, size_t len, uint64_t number);

/**
 * otst_log_skim() - pass over the dull lines at the start of @bytes
 * @number: of the line before them, moves on
 *
 * Return: how many bytes they have.
 */
size_t otst_log_skim(struct otst_log_dull *d, const char *bytes, size_t len, uint64_t *number);

/** otst_log_passed() - @fn gets the lines that were kept; then there are none */
int otst_log_passed(struct otst_log_dull *d, otst_log_ordered_fn *fn, void *priv);

#endif /* OTST_LOG_FILE_H */
