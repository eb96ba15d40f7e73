/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * context.h - what is known of each caller whose lines are in a log, and where its trace
 * ends; shared by context.c, text.c, add.c and feed.c.
 */
#ifndef OTST_LOG_CONTEXT_H
#define OTST_LOG_CONTEXT_H

#include "../../built/built.h"
#include "log.h"

#define OTST_LOG_CONTEXTS     64 /* callers that are followed at the same time */
#define OTST_LOG_MOST_STRANGE 8	 /* lines of unknown origin that may appear in a trace */
#define OTST_LOG_MESSAGE      256
#define OTST_LOG_INLINED      16 /* calls that were inlined into one frame */

/**
 * struct otst_log_context - one caller, whose trace is put together
 * @report: the header of a report while @in_part: one of its parts has the header
 * @owner: 1 + the number of a trace whose report names its task after it, or 0
 * @ends: the log ended before its first frame, or behind its registers
 * @unread: lines among its frames that begin like one and are none that is known, the first at @first_unread
 */
struct otst_log_context {
	uint32_t caller;
	uint64_t used;
	struct otst_log_header header;
	struct otst_log_header report;
	bool in_part;
	size_t owner;
	bool other_access;  /* KCSAN's first one was printed */
	uint64_t free_time; /* page_owner: time of the part that comes next, 0 for none */
	bool ended;	    /* after "---[ end trace": registers may be printed once more */
	bool cut;	    /* the registers are the last that was printed */
	bool late;	    /* arm64 up to 5.4 prints the trace of a warning after that line */
	bool open;
	bool announced; /* "Call Trace:" came before it */
	bool aside;	/* an address in the next line belongs to no trace */
	bool hashed;	/* addresses are those of %p, which are made up */
	bool inexact;
	bool overwritten;
	bool truncated;
	bool ends;
	bool gap;
	uint64_t unread, first_unread;
	unsigned int strange;
	size_t frames;
	struct otst_vec lines;
	struct otst_line inlined[OTST_LOG_INLINED]; /* calls inlined into the frame that comes next */
	size_t nr_inlined;
	enum otst_clock clock;
	uint64_t time; /* of the last frame */
	char message[OTST_LOG_MESSAGE];
	bool has_message; /* this line is of no known form */
	bool had_message; /* the line before this one did */
	uint64_t message_time;
};

/** struct otst_log_parser - the log that is read, line by line (text.c) */
struct otst_log_parser {
	struct otst *o;
	struct otst_traces *ret;
	struct otst_log_context contexts[OTST_LOG_CONTEXTS];
	size_t nr_contexts;
	struct otst_log_context *last;
	uint64_t lines;
	struct otst_log_frames *frames;
	struct otst_log_twice *twice; /* of a text; NULL when the log is the kernel's buffer */
	struct otst_trace_room room;
	bool lost; /* lines before this one are missing */
	const char *(*name)(void *priv, uint64_t seq);
	void *name_priv;
	int (*other)(void *priv, struct otst_log_line *line);
	void *priv;
	otst_log_taken_fn *taken;
	void *taken_priv;
};

/* ---- context.c ---- */

/** otst_log_context() - the context of @caller; the one that was idle for longest is given up for a new one */
int otst_log_context(struct otst_log_parser *p, uint32_t caller, struct otst_log_context **ret);

/** otst_log_leave_part() - the report goes on after one of its parts, even when that had no frames */
void otst_log_leave_part(struct otst_log_context *c);

/** otst_log_close() - the trace that is open is complete */
int otst_log_close(struct otst_log_parser *p, struct otst_log_context *c);

/** otst_log_give_up() - nothing more is said about what was begun */
int otst_log_give_up(struct otst_log_parser *p, struct otst_log_context *c);

/** otst_log_end() - the log ends, or the machine began another one: with "RIP:", it is a trace of one frame */
int otst_log_end(struct otst_log_parser *p, struct otst_log_context *c);

/* ---- text.c ---- */

/** struct otst_log_lexed - what a line is; @known: it is one frame that was read before, or NULL */
struct otst_log_lexed {
	const struct otst_log_frame *known;
	struct otst_log_item items[OTST_LOG_ITEMS];
	size_t count; /* of items */
	bool is_ip;
	enum otst_log_kind kind; /* when it has neither items nor an instruction pointer */
	struct otst_log_facts facts;
	const char *rest;
};

/** otst_log_take() - take the next line, which is what @x says */
int otst_log_take(struct otst_log_parser *p, const struct otst_log_line *line,
		  const struct otst_log_lexed *x);

/* ---- add.c ---- */

/** otst_log_add_known() - add a frame that was read before to the trace that is open */
void otst_log_add_known(struct otst_log_parser *p, struct otst_log_context *c,
			const struct otst_log_frame *f);

/** otst_log_add_item() - add any item of a line */
int otst_log_add_item(struct otst_log_parser *p, struct otst_log_context *c,
		      const struct otst_log_item *item);

/** otst_log_sources() - file and line of a frame, with the calls inlined there; NULL when the log has none */
const struct otst_lines *otst_log_sources(struct otst_log_parser *p, struct otst_log_context *c,
					  const struct otst_log_item *item);

#endif /* OTST_LOG_CONTEXT_H */
