/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * line.h - a line of a log, and what it says of a trace.
 */
#ifndef OTST_LOG_LINE_H
#define OTST_LOG_LINE_H

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

/* ---- frames and marks (line.c) ---- */

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

/** otst_log_items() - frames and marks of a line that holds nothing else; 0 if it does */
size_t otst_log_items(const char *text, struct otst_log_item *items);

/** otst_log_one() - the frame or mark that begins at @s; where it ends, NULL when none does */
const char *otst_log_one(const char *s, struct otst_log_item *ret);

/** otst_log_is_cut() - a frame that ends within its offset or size: "f+0x1", "f+0x1/0x" */
bool otst_log_is_cut(const char *text);

/* ---- where a processor was (ip.c) ---- */

/** otst_log_ip() - "RIP: 0010:sym+0x1/0x2" and the like */
bool otst_log_ip(const char *text, struct otst_log_item *ret);

/** otst_log_title() - what is printed before a program counter of this kind; NULL for otst's own words */
const char *otst_log_title(enum otst_pc_title title);

/** otst_log_each_title() - what is printed before a program counter */
void otst_log_each_title(void (*each)(void *priv, const char *word), void *priv);

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

#endif /* OTST_LOG_LINE_H */
