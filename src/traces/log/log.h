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
 *	stamp.c, line.c, kind.c	a line -> stamps, frames, facts
 *	part.c	a line that begins a part of a report -> facts
 *	header.c	these facts, collected
 *	frame.c		frames that were read before
 *	keep.c	what stays in memory of them
 *	text.c	lines			-> traces
 *	twice.c	lines and traces that a file has twice
 *	probe.c	a trace			-> the probe that it belongs to
 */
#ifndef OTST_LOG_H
#define OTST_LOG_H

#include "../traces.h"

/** room for a line; the rest of a longer one is dropped. The kernel's own limit is 1024. */
#define OTST_LOG_LINE 2048

/** caller of a line: none, a thread id, or a cpu if OTST_LOG_CPU is set */
#define OTST_LOG_CPU	   0x80000000u
#define OTST_LOG_NO_CALLER UINT32_MAX

/** struct otst_log_who - who printed a line, by its prefix; -1 or NULL where that does not say */
struct otst_log_who {
	int cpu;
	int64_t pid;
	const char *comm; /**< @comm_len bytes */
	size_t comm_len;
};

/**
 * struct otst_log_line - one line of a log
 * @text: without prefixes, NUL-terminated
 * @clock, @time: of the line
 * @stamp: time as written, @stamp_len bytes, when it is more than a number
 * @caller: OTST_LOG_NO_CALLER, or who wrote it
 * @facility: syslog's: 0 is the kernel's own, others were written to /dev/kmsg; -1 when unknown
 * @seq: orders lines: the seq of the kernel's record, or the line number in a file
 * @gap: lines before this one are missing
 * @who: what its prefix says, or NULL
 */
struct otst_log_line {
	const char *text;
	enum otst_clock clock;
	uint64_t time;
	const char *stamp;
	size_t stamp_len;
	uint32_t caller;
	int facility;
	uint64_t seq;
	bool gap;
	const struct otst_log_who *who;
};

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

struct otst_log_parser;
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

/** otst_log_title() - what is printed before a program counter of this kind; NULL for otst's own words (line.c) */
const char *otst_log_title(enum otst_pc_title title);

/** otst_log_each_title() - what is printed before a program counter (line.c) */
void otst_log_each_title(void (*each)(void *priv, const char *word), void *priv);

/** otst_log_is_idle() - would a dull line change nothing but the message before a report (text.c) */
bool otst_log_is_idle(const struct otst_log_parser *p);

/** otst_log_order_waits() - are parts of pstore kept (order.c) */
bool otst_log_order_waits(const struct otst_log_order *r);

/* ---- prefixes of lines (stamp.c) ---- */

/**
 * otst_log_strip() - strip the prefixes of syslog, dmesg and the console
 * @line: @text has the prefixes on entry; everything but @seq and @gap is set
 *
 * Return: false for a syslog line that is not from the kernel.
 */
bool otst_log_strip(struct otst_log_line *line);

/** otst_log_is_process() - true if the line @text of syslog's is from a process: "May  1 10:20:30 host agent[42]: " */
bool otst_log_is_process(const char *text);

/** otst_log_dmesg_stamp() - "[  121.770022]" at @s; also with more before the bracket, as vendors do */
bool otst_log_dmesg_stamp(const char *s, uint64_t *ns, const char **end);

/** otst_log_date() - a stamp of syslog's or of ISO 8601 at @at, which moves behind it */
bool otst_log_date(const char **at, uint64_t *ns);

/** otst_log_repeated() - N of syslog's "last message repeated N times", else 0 */
unsigned int otst_log_repeated(const char *text);

/* ---- lexing (line.c) ---- */

/**
 * struct otst_log_item - a frame or mark in a line, like struct otst_trace_line
 * @text: points into the line, @len bytes
 */
struct otst_log_item {
	enum otst_line_kind kind;
	uint64_t addr;
	const char *text;
	size_t len;
	const char *module; /**< of ":mod:sym+0x1/0x2", where it comes first; else NULL */
	size_t module_len;
	uint16_t cs;
	uint8_t title;	     /**< of an ip: enum otst_pc_title */
	const char *letters; /**< arm64's behind a frame: @nr_letters of "PFK" */
	size_t nr_letters;
	bool reliable;
	bool decimal;	    /**< of "{sym+12}" */
	const char *source; /**< "a.c:12", inlined calls first: "b.h:3 a.c:12"; else NULL */
	size_t source_len;
	bool inlined; /**< a call inlined into the next frame */
	bool callee;  /**< arm32: what the next item called; the frame before names it, too */
	bool exact;   /**< the next instruction, not a return address */
};

#define OTST_LOG_ITEMS 16
#define OTST_LOG_GROUP 400 /* bytes of a part of a name that is in brackets, at most */

/** otst_log_items() - frames and marks of a line that holds nothing else; 0 if it does */
size_t otst_log_items(const char *text, struct otst_log_item *items);

/** otst_log_one() - the frame or mark that begins at @s; where it ends, NULL when none does */
const char *otst_log_one(const char *s, struct otst_log_item *ret);

/** otst_log_is_cut() - a frame that ends within its offset or size: "f+0x1", "f+0x1/0x" */
bool otst_log_is_cut(const char *text);

/** otst_log_no_address() - "[<(ptrval)>]", "[<  (null)>]": where it ends, NULL when @s does not begin so */
const char *otst_log_no_address(const char *s);

/** otst_log_escape() - bytes at @s that end a sequence, behind its escape character: "[31m", "(B"; 0: none */
size_t otst_log_escape(const char *s);

/** otst_log_name_start() - where in @text the name of a function that ends at @s begins; @s when there is none */
const char *otst_log_name_start(const char *text, const char *s);

/** otst_log_ip() - "RIP: 0010:sym+0x1/0x2" and the like */
bool otst_log_ip(const char *text, struct otst_log_item *ret);

/* ---- lines without frames (kind.c, part.c) ---- */

/**
 * struct otst_log_facts - what a header line says; -1 or NULL where it says nothing
 * @comm: points into the line, @comm_len bytes; likewise @probe, @probe_len
 * @time: time of a capture that was printed later, in ns of the kernel's local clock
 * @free_time: the same for the next part, which has @was_freed; 0 for none
 * @is_own: a part that is the report's own stack
 */
struct otst_log_facts {
	int cpu;
	int64_t pid;
	const char *comm;
	size_t comm_len;
	const char *probe;
	size_t probe_len;
	uint64_t probe_addr;
	const char *handler;
	bool has_time;
	uint64_t time;
	uint64_t free_time;
	bool was_freed;
	bool is_own;
	bool is_task; /**< a sysrq-t line, which is also a headline */
};

/** enum otst_log_kind - what a line without frames means for a trace */
enum otst_log_kind {
	OTST_LOG_OTHER,	   /**< nothing known */
	OTST_LOG_EMPTY,	   /**< blank, or part of a dump of registers or stack words */
	OTST_LOG_START,	   /**< "Call Trace:"; @rest may hold frames */
	OTST_LOG_INEXACT,  /**< "Inexact backtrace:": what follows is a guess */
	OTST_LOG_NOTE,	   /**< takes the place of frames: "(64 bytes of stack in memory)" */
	OTST_LOG_HEAD,	   /**< who: "CPU: 1 PID: 2 Comm: sh Not tainted" */
	OTST_LOG_HEADLINE, /**< what: "WARNING: ..." */
	OTST_LOG_NEW,	/**< the same, and nothing before it belongs to it: "unreferenced object" */
	OTST_LOG_PART,	/**< the same, and the report goes on after it: "Allocated by task 5:" */
	OTST_LOG_BACK,	/**< the report's own stack follows its parts: "stack backtrace:" */
	OTST_LOG_FACT,	/**< says more about what was begun */
	OTST_LOG_ASIDE, /**< the next line is an address of no trace: "Preemption disabled at:" */
	OTST_LOG_END,	/**< no frames come after it: "---[ end trace" */
};

/** otst_log_is_part() - does @s, without blanks before it, begin a part of a report */
bool otst_log_is_part(const char *s, struct otst_log_facts *facts);

/** otst_log_kind() - classify a line, and read its facts */
enum otst_log_kind otst_log_kind(const char *text, struct otst_log_facts *facts, const char **rest);

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

/* ---- recognising (text.c) ---- */

struct otst_log_parser;

/** otst_log_parser() - new parser, its traces go to @ret; NULL when out of memory, raised */
struct otst_log_parser *otst_log_parser(struct otst *o, struct otst_traces *ret);

/** otst_log_feed() - take the next line */
int otst_log_feed(struct otst_log_parser *p, const struct otst_log_line *line);

/** otst_log_finish() - no more lines: end the traces that are open */
int otst_log_finish(struct otst_log_parser *p);

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
