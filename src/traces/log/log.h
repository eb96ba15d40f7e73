/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * log.h - interface between the files that turn log text into traces.
 *
 *	printk.c, prb.c	the kernel's log buffer	-> lines
 *	log.c		a text file		-> lines; the source itself
 *	file.c	a file, of any encoding	-> its lines
 *	mail.c	lines of a mail		-> as they were before it was sent
 *	dull.c	lines that are certainly of no trace
 *	order.c	lines of pstore's parts	-> in the order in which they were printed
 *	clean.c	a line of a file	-> the kernel's lines in it
 *	wrap.c	lines that were broken	-> as the kernel printed them
 *	prefix.c	prefixes of any form (prefix_shape.c, prefix_looks.c, prefix_tells.c), and
 *			what no other file understood
 *	stamp.c, line.c, ip.c, kind.c	a line -> stamps, frames, facts
 *	symbol.c	what frames are made of
 *	part.c	a line that begins a part of a report -> facts
 *	header.c	these facts, collected
 *	frame.c		frames that were read before
 *	keep.c	what stays in memory of them
 *	feed.c, text.c, add.c	lines	-> traces (context.c: of each caller)
 *	twice.c	lines and traces that a file has twice
 *	probe.c	a trace			-> the probe that it belongs to
 */
#ifndef OTST_LOG_H
#define OTST_LOG_H

#include "line.h"

/* ---- what a file has twice (twice.c) ---- */

struct otst_log_twice;

struct otst_log_twice *otst_log_twice(struct otst *o);

/** otst_log_is_twice() - is it a copy of an earlier line; to be called for lines of known form */
bool otst_log_is_twice(struct otst_log_twice *t, const struct otst_log_line *line,
		       enum otst_log_kind kind);

/** otst_log_drop_copies() - of traces that are equal, with their time, keep one; from item @first on */
int otst_log_drop_copies(struct otst *o, struct otst_traces *t, size_t first);

/* ---- what comes before frames (header.c) ---- */

/** room for a line as a clean string: each byte may become four */
#define OTST_LOG_ROOM (4 * OTST_LOG_LINE)

/** enum otst_log_text - texts of a header, each in its own buffer, which is reused */
enum otst_log_text {
	OTST_LOG_STAMP,
	OTST_LOG_HEADLINE_TEXT,
	OTST_LOG_MESSAGE,
	OTST_LOG_PROBE,
	OTST_LOG_COMM,
	OTST_LOG_WHO,
	OTST_LOG_TEXTS,
};

/**
 * struct otst_log_header - what a report has said so far
 * @room: OTST_LOG_ROOM bytes each, or NULL; @stamp and so on point into them
 * @begun: it has said something
 * @age: lines since then
 * @printed: time of its last known line, of @printed_clock; @time, @clock: of the capture
 * @is_cut_here: its first line is "------------[ cut here ]------------"
 * @message: the line behind that, which WARN() prints before "WARNING:"; @messages: how many there were
 * @ip: "RIP: ...", valid when @has_ip
 * @who_cpu, @who_comm: by the prefix of its first line
 */
struct otst_log_header {
	char *room[OTST_LOG_TEXTS];
	bool begun;
	bool is_cut_here;
	unsigned int age;
	enum otst_clock printed_clock;
	uint64_t printed;
	enum otst_clock clock;
	uint64_t time;
	const char *message;
	unsigned int messages;
	const char *stamp;
	uint64_t seq;
	const char *headline;
	const char *probe;
	uint64_t probe_addr;
	const char *handler;
	int cpu;
	int64_t pid;
	const char *comm;
	struct otst_trace_line ip;
	bool has_ip;
	int who_cpu;
	const char *who_comm;
};

/** otst_log_header_reset() - forget what the report said */
void otst_log_header_reset(struct otst_log_header *h);

/** otst_log_header_is_old() - so many lines came after it that it belongs to nothing */
bool otst_log_header_is_old(const struct otst_log_header *h);

/** otst_log_header_stale() - true if it is too old for what comes at @line */
bool otst_log_header_stale(const struct otst_log_header *h, const struct otst_log_line *line);

/** otst_log_header_begin() - @line is part of a report: the one already begun, or a new one */
int otst_log_header_begin(struct otst *o, struct otst_log_header *h,
			  const struct otst_log_line *line);

/** otst_log_header_line() - set the headline; the first one is kept */
int otst_log_header_line(struct otst *o, struct otst_log_header *h, const char *text);

/** otst_log_header_message() - a line of unknown form, with a stamp of @clock, that may be WARN()'s message */
int otst_log_header_message(struct otst *o, struct otst_log_header *h, enum otst_clock clock,
			    const char *text);

/** otst_log_header_facts() - add what a line says; the last one counts */
int otst_log_header_facts(struct otst *o, struct otst_log_header *h,
			  const struct otst_log_facts *f);

/**
 * otst_log_header_fill() - set what it knows of a trace; texts are valid until the header is reset
 * @caller: gives the task or cpu when nothing else does
 */
void otst_log_header_fill(const struct otst_log_header *h, uint32_t caller, struct otst_trace *t);

/** otst_log_far_apart() - are two times more than @limit ns apart, or from different clocks */
bool otst_log_far_apart(enum otst_clock a, uint64_t t, enum otst_clock b, uint64_t u,
			uint64_t limit);

/** otst_log_item_line() - make a trace line of an item; @guessed: it is not reliable in any case */
int otst_log_item_line(struct otst *o, const struct otst_log_item *item, bool guessed,
		       struct otst_trace_line *ret);

/* ---- frames that were read before (frame.c) ---- */

/** bytes of a line that may be known; longer ones are rare */
#define OTST_LOG_FRAME 78

/**
 * struct otst_log_frame - a line that is one frame
 * @text: the line without its prefix, @len bytes
 * @line: what a trace gets of it; the item of the line has @item_len bytes of its text, and its address
 */
struct otst_log_frame {
	uint8_t len;
	uint8_t item_len;
	char text[OTST_LOG_FRAME];
	struct otst_trace_line line;
};

struct otst_log_frames;

/** otst_log_frames() - none is known; NULL when out of memory */
struct otst_log_frames *otst_log_frames(struct otst *o);

/** otst_log_frame_find() - a line that was added; valid until another one is; NULL when it is not known */
const struct otst_log_frame *otst_log_frame_find(const struct otst_log_frames *frames,
						 const char *text, size_t len);

/** otst_log_frame_add() - a line that has @item alone: it is known from now on; 0 or NOMEM */
int otst_log_frame_add(struct otst *o, struct otst_log_frames *frames, const char *text, size_t len,
		       const struct otst_log_item *item);

/* ---- memory (keep.c) ---- */

/**
 * otst_log_keep() - @len bytes as a clean string; equal texts are the same string
 *
 * Return: NULL when out of memory, with the message raised.
 */
const char *otst_log_keep(struct otst *o, const char *s, size_t len);

/* ---- recognising (feed.c) ---- */

struct otst_log_parser;

/** otst_log_parser() - new parser, its traces go to @ret; NULL when out of memory, raised */
struct otst_log_parser *otst_log_parser(struct otst *o, struct otst_traces *ret);

/** otst_log_feed() - take the next line */
int otst_log_feed(struct otst_log_parser *p, const struct otst_log_line *line);

/** otst_log_finish() - no more lines: end the traces that are open */
int otst_log_finish(struct otst_log_parser *p);

/** otst_log_is_idle() - would a dull line change nothing but the message before a report */
bool otst_log_is_idle(const struct otst_log_parser *p);

/** otst_log_known() - true if a line says anything about a trace */
bool otst_log_known(const char *text);

/** otst_log_is_strange() - true if it is of no known form; the registers of a report are of one, and say nothing */
bool otst_log_is_strange(const char *text);

/**
 * otst_log_set_other() - call @other for a line of unknown form, before it is taken
 * @other: returns 1 when it has changed @line, 0 when not, or an error
 */
void otst_log_set_other(struct otst_log_parser *p,
			int (*other)(void *priv, struct otst_log_line *line), void *priv);

/** otst_log_expect_copies() - lines may come twice, as in a console that was captured twice */
void otst_log_expect_copies(struct otst_log_parser *p);

/** otst_log_set_name() - call @name for where a trace begins; its text is valid until the next call */
void otst_log_set_name(struct otst_log_parser *p, const char *(*name)(void *priv, uint64_t seq),
		       void *priv);

/**
 * called for each line that was taken, without its prefix
 * @sure: it has no prefix that is not yet known; else the line may come once more, then without it
 */
typedef int otst_log_taken_fn(void *priv, const struct otst_log_line *line, bool sure);

/** otst_log_set_taken() - call @taken for each line; what it returns ends the reading */
void otst_log_set_taken(struct otst_log_parser *p, otst_log_taken_fn *taken, void *priv);

/* ---- text files (log.c) ---- */

/**
 * struct otst_log_taker - who wants the lines of text files, too
 * @taken: called for each of the kernel's lines
 * @raw: called for each line of the file before that, as it is; or NULL
 */
struct otst_log_taker {
	otst_log_taken_fn *taken;
	int (*raw)(void *priv, uint64_t seq, const char *text, size_t len);
	void *priv;
};

/**
 * otst_log_texts() - the traces in text files, and their lines
 * @paths: NULL-terminated
 * @to: gets the lines; or NULL
 * @ret: gets the traces, and messages about what was not read
 */
int otst_log_texts(struct otst *o, const char *const *paths, const struct otst_log_taker *to,
		   struct otst_traces *ret);

/**
 * otst_log_buffer() - the same of the kernel's own buffer; addresses of traces that have none are not looked up
 */
int otst_log_buffer(struct otst *o, const struct otst_log_taker *to, struct otst_traces *ret);

/* ---- prefixes (prefix.c) ---- */

struct otst_log_prefix;

/** otst_log_prefix() - learn the prefixes of the lines that @p gets; NULL when out of memory */
struct otst_log_prefix *otst_log_prefix(struct otst *o, struct otst_log_parser *p);

/** otst_log_foreign() - a line that is not the kernel's by its prefix; else like otst_log_feed() */
int otst_log_foreign(struct otst_log_prefix *x, const struct otst_log_line *line);

/**
 * otst_log_unread() - how many lines look like parts of traces, and nobody used them
 * @first: the first one's seq
 */
uint64_t otst_log_unread(struct otst_log_prefix *x, uint64_t *first);

/* ---- probes (probe.c) ---- */

/** enum otst_log_role - what a function is when a trace is looked through for a probe */
enum otst_log_role {
	OTST_LOG_ROLE_NONE,
	OTST_LOG_ROLE_KPROBES, /**< of kprobes: the trace is from a probe */
	OTST_LOG_ROLE_BASE,    /**< where a task entered the kernel */
};

/** otst_log_role() - of the function in the text of a frame */
enum otst_log_role otst_log_role(const char *text);

/** otst_log_probe() - set @t's probe and handler from its frames, unless its header gave them */
void otst_log_probe(struct otst *o, struct otst_trace *t);

/* ---- the kernel's buffer (printk.c, prb.c, sink.c) ---- */

/** called for each line; @raw: @text still has its prefixes; a non-zero return stops the reading */
typedef int otst_log_line_fn(void *priv, struct otst_log_line *line, bool raw);

/**
 * otst_printk_read() - all lines of the kernel's log buffer, oldest first
 * @notes: gets messages about what could not be read
 *
 * Return: 0, even when records are bad; LOOKUP when no log buffer is known; or an
 * error that ends the command.
 */
int otst_printk_read(struct otst *o, otst_log_line_fn *fn, void *priv, struct otst_traces *notes);

/** struct otst_log_sink - where printk.c and prb.c send lines */
struct otst_log_sink {
	struct otst *o;
	otst_log_line_fn *fn;
	void *priv;
	struct otst_traces *notes;
	struct otst_log_line line; /**< being built */
	char text[OTST_LOG_LINE];
	size_t len;
	size_t damaged; /**< records skipped so far */
	bool gap;
};

/**
 * otst_log_put() - take the text of a record, which may have several lines
 * @more: the next record continues it
 */
int otst_log_put(struct otst_log_sink *s, const unsigned char *text, size_t len, bool more);

/** otst_log_end_line() - hand over the line being built; @raw as for otst_log_line_fn */
int otst_log_end_line(struct otst_log_sink *s, bool raw);

/** otst_log_offset() - offset of a member, from the types or from VMCOREINFO; LOOKUP */
int otst_log_offset(struct otst *o, const char *type, const char *member, uint64_t *ret);

/** otst_log_size() - size of a structure, from the types or from VMCOREINFO; LOOKUP */
int otst_log_size(struct otst *o, const char *type, uint64_t *ret);

/** otst_log_symbol_or0() - address of a symbol, from the symbols or from VMCOREINFO; or 0 */
uint64_t otst_log_symbol_or0(struct otst *o, const char *name);

/**
 * otst_log_bulk() - read a buffer of the dump at once, or page by page if that fails
 *
 * Missing bytes are zeros in @ret, and are noted.
 */
int otst_log_bulk(struct otst_log_sink *s, const char *what, uint64_t addr, uint64_t len,
		  unsigned char **ret);

/** otst_prb_read() - read the ring buffer at @prb (prb.c) */
int otst_prb_read(struct otst_log_sink *s, uint64_t prb);

#endif /* OTST_LOG_H */
