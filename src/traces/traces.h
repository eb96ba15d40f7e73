/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * traces.h - what was captured: stack traces found anywhere in the dump.
 *
 * Every source fills struct otst_trace; sources.c has the table of sources,
 * runs those that were asked for, merges them by time and drops what the
 * filters do not want. src/output/trace.c prints them.
 *
 * A trace has its frames in one of two forms: @lines, when the source has them
 * one by one (text of the log, or saved arrays of return addresses), or
 * @stack, when they were unwound here. What is not known is NULL, -1 or 0 as
 * each member says, and is printed as unknown.
 *
 * Memory belongs to the command's arena. Strings that come from the dump or
 * from a text file are clean (otst_clean()).
 */
#ifndef OTST_TRACES_H
#define OTST_TRACES_H

#include "../stacks/stack.h"

/** enum otst_clock - what a time is counted from; the number alone says nothing */
enum otst_clock {
	OTST_CLOCK_NONE, /**< the trace has no time */
	OTST_CLOCK_LOCAL, /**< local_clock(): kernel log, ftrace's default; ns since boot, without suspend */
	OTST_CLOCK_TRACE, /**< another clock of the trace array, named in @clock_name */
	OTST_CLOCK_SYSLOG, /**< seconds in a syslog stamp ("Apr 19 20:47:42"), counted from 1 January, no year */
};

/** otst_clock_name() - "local", "trace", "syslog"; NULL for NONE */
const char *otst_clock_name(enum otst_clock clock);

/** enum otst_line_kind - what a line of a trace is */
enum otst_line_kind {
	OTST_LINE_FRAME, /**< a program counter */
	OTST_LINE_IP,	 /**< one that comes from saved registers: "RIP: 0010:sym+0x1/0x2" */
	OTST_LINE_TEXT,	 /**< @text is what a script printed, and no frame */
	OTST_LINE_MARK, /**< @text is "<IRQ>", "</IRQ>", "<<EOE>>" and the like, or a line such as "Allocated by task 7:" */
};

/**
 * struct otst_trace_line - one frame, or a mark between frames
 * @addr: the program counter, 0 when only its text is known
 * @text: "sym+0x1/0x1d [mod]" as it was captured; NULL when only @addr is
 *	known. Printers show @text, and name @addr where there is none.
 * @cs: with OTST_LINE_IP, the code segment
 * @reliable: not a guess ("? ")
 * @exact: @addr is the next instruction and not a return address behind a call
 * @sized: @depth is known, bytes from the stack's top, and @size, those of this frame
 */
struct otst_trace_line {
	enum otst_line_kind kind;
	uint64_t addr;
	const char *text;
	uint16_t cs;
	bool reliable;
	bool exact;
	bool sized;
	int32_t depth;
	int32_t size;
};

/** otst_trace_line_is_code() - has this line a program counter */
static inline bool otst_trace_line_is_code(const struct otst_trace_line *l)
{
	return l->kind == OTST_LINE_FRAME || l->kind == OTST_LINE_IP;
}

/**
 * struct otst_trace_id - a stack that a BPF map's element or a record names
 * @name: member, "kern_stack_id", or place, "key+4"
 * @evidence: how it was found: "type", "fits", "layout"; or "map", it is the map's own
 * @id: negative where no stack was taken: an errno; valid when @has_id
 * @map: id of the map that holds the stack; 0 when it is none
 * @problem: why there are no frames: "EFAULT: ...", or NULL
 */
struct otst_trace_id {
	const char *name;
	const char *evidence;
	int64_t id;
	bool has_id;
	uint32_t map;
	const char *problem;
};

/**
 * struct otst_trace_bpf - where in a BPF map a trace was found
 * @map: id; @name, "" when it has none; @type as bpftool names it
 * @key, @value: of an element, as text; NULL when it has none
 * @values: of a per-cpu map: of each cpu as text, @nr_values
 * @state: of a record: "unread", "read", "busy", "discarded"; or NULL
 * @data: of a record: its bytes as text
 * @ids: vector of struct otst_trace_id
 * @bytes: key, value of the first cpu or data as they are, for who reads JSON
 */
struct otst_trace_bpf {
	uint32_t map;
	const char *name;
	const char *type;
	const char *key;
	const char *value;
	const char *const *values;
	size_t nr_values;
	const char *state;
	const char *data;
	struct otst_vec ids;
	struct otst_trace_bytes {
		const uint8_t *at;
		size_t size;
	} key_bytes, value_bytes, data_bytes;
};

/**
 * struct otst_trace - one capture
 * @source: name of its source, "log"
 * @time: in ns of @clock; valid unless OTST_CLOCK_NONE
 * @time_text: the time as captured, when that says more ("Apr 19 20:47:42"); else NULL
 * @seq: number of the capture in its source: orders what has the same time
 * @where: place of the capture, "line 17" of a file, "seq 2034" of the log, "otst_registry probe 3 record 1"; or NULL
 * @cpu: -1 when unknown; @pid: -1 when unknown; @comm: NULL when unknown
 * @headline: what the capture says about itself, one line ("WARNING: ..."), or NULL
 * @counted: of a histogram, the entry that has these frames as its key; it is the headline
 * @probe: probed symbol that it belongs to, as captured ("netif_rx"), or NULL
 * @probe_addr: probed address, 0 when unknown
 * @handler: who captured it: "otst", "allie", or the handler's symbol; NULL when unknown or no probe
 * @lines: frames innermost first, @nr_lines; NULL when @stack has them
 * @stack: unwound frames, or NULL
 * @capture: registers and raw stack that were captured, or NULL
 * @regs: all registers at the probed instruction by number of the architecture, or NULL
 * @regs_matter: they are what the trace is about, and shown without -v, too
 * @call: arguments of the probed function, when it was caught at its entry, or NULL
 * @age: ns from @time to the newest time that the dump knows; valid when @age_known
 * @consumed: somebody has read it already: it is in a file, or was shown
 * @bpf: where in a BPF map it was found, or NULL
 * @truncated: there were more frames, or text, than were kept
 * @overwritten: its beginning was lost (the ring went on over it)
 * @count: how many captures it stands for: 1 when each is kept; 0 when nothing was counted since
 * @error: what is wrong with it, or NULL; what is there is still printed
 */
struct otst_trace {
	const char *source;
	enum otst_clock clock;
	const char *clock_name;
	uint64_t time;
	const char *time_text;
	uint64_t seq;
	const char *where;
	int cpu;
	int64_t pid;
	const char *comm;
	const char *headline;
	const struct otst_hist_entry *counted;
	const char *probe;
	uint64_t probe_addr;
	const char *handler;
	const struct otst_trace_line *lines;
	size_t nr_lines;
	const struct otst_stack *stack;
	const struct otst_capture *capture;
	const uint64_t *regs;
	bool regs_matter;
	const struct otst_arguments *call;
	uint64_t age;
	bool age_known;
	bool consumed;
	struct otst_trace_bpf *bpf;
	bool truncated;
	bool overwritten;
	uint64_t count;
	const char *error;
};

/**
 * struct otst_traces - what sources found, oldest first
 * @items: vector of struct otst_trace *
 * @errors: vector of const char *: what could not be read
 * @notes: vector of const char *: what is worth knowing and no damage
 * @coverage: vector of struct otst_coverage: each source that was asked for
 */
struct otst_traces {
	struct otst *o;
	struct otst_vec items;
	struct otst_messages errors;
	struct otst_messages notes;
	struct otst_vec coverage;
};

/* the selector of user mode on x86: folded stacks leave such frames out */
#define OTST_USER_CS 0x33

/* stands before the frames of user mode, which a dump of the kernel cannot name */
#define OTST_USER_MARK "<user stack trace>"

/**
 * struct otst_known - a stack that is kept once, however often it comes (known.c)
 * @words: as it was captured, @size bytes; @kind: what they are, a number of the source's own
 * @lines: vector of struct otst_trace_line; the source fills it when the stack is new
 */
struct otst_known {
	struct otst_known *next;
	const uint8_t *words;
	size_t size;
	unsigned int kind;
	struct otst_vec lines;
};

/** struct otst_knowns - all of a source; zero-initialise */
struct otst_knowns {
	struct otst_hashmap by_hash;
};

/**
 * otst_known_find() - the stack with these words, made when there is none
 * @fresh: it was
 *
 * Return: 0 or NOMEM.
 */
int otst_known_find(struct otst *o, struct otst_knowns *all, unsigned int kind,
		    const uint8_t *words, size_t size, struct otst_known **ret, bool *fresh);

/** otst_known_append() - its lines behind those that @t has: a user stack follows the kernel's; 0 or NOMEM */
int otst_known_append(struct otst *o, struct otst_trace *t, const struct otst_known *k);

/** otst_trace_at() - item @i */
static inline struct otst_trace *otst_trace_at(const struct otst_traces *t, size_t i)
{
	return ((struct otst_trace **)t->items.data)[i];
}

/**
 * otst_trace_add() - a new trace of @source at the end, cpu and pid unknown
 *
 * Return: NULL when out of memory, with the message raised.
 */
struct otst_trace *otst_trace_add(struct otst_traces *t, const char *source);

/** otst_trace_line_add() - a new line in a vector of struct otst_trace_line; NULL when out of memory, raised */
struct otst_trace_line *otst_trace_line_add(struct otst *o, struct otst_vec *lines);

/** otst_trace_mark_add() - the same for a mark; @text: NULL when memory ran out for it */
int otst_trace_mark_add(struct otst *o, struct otst_vec *lines, const char *text);

/**
 * otst_traces_note() - keep the message of @err with the list
 *
 * Return: 0; or @err when it ends a command.
 */
int otst_traces_note(struct otst_traces *t, int err);

/**
 * otst_trace_regs() - note the registers of @c, and the arguments when they are of a function's entry
 * @addr: the probed instruction
 * @c: in the command's arena
 *
 * Return: 0, or what ends a command.
 */
int otst_trace_regs(struct otst *o, struct otst_trace *t, uint64_t addr,
		    const struct otst_capture *c);

/** otst_runs_handlers() - is this a kernel function that calls the handlers of probes (task.c) */
bool otst_runs_handlers(const struct otst_sym *sym);

/** otst_trace_handler() - symbol of the function that its user wrote, or NULL */
const char *otst_trace_handler(const struct otst_probe *p);

/**
 * struct otst_trace_filter - what the user wants to see
 * @sources: list of names "log,module", or NULL for all
 * @text: read this file in the place of the dump's log, or NULL
 * @pid: -1 for all
 * @cpus: "0,2-3", or NULL for all
 * @last: only so many of the newest, 0 for all
 * @matches: NULL, or a filter by symbol: asked for the probe and for each frame
 *	until it returns true; @addr is 0 when only the name is known
 */
struct otst_trace_filter {
	const char *sources;
	const char *text;
	int64_t pid;
	const char *cpus;
	uint64_t last;
	bool (*matches)(void *priv, uint64_t addr, const struct otst_sym *sym);
	void *priv;
};

/** otst_trace_matches() - does the probe or a frame of @t match @filter->matches, which is not NULL */
bool otst_trace_matches(struct otst *o, const struct otst_trace_filter *filter,
			const struct otst_trace *t);

/** otst_cpus_check() - USAGE when @list is not of the form "0,2-3", else 0 */
int otst_cpus_check(struct otst *o, const char *list);

/** otst_cpu_wanted() - is @cpu in such a list */
bool otst_cpu_wanted(const char *list, int cpu);

/**
 * A source appends what it found to @ret, in its own order, and returns 0 also
 * when some of it is bad; LOOKUP when this kernel does not have it; or what
 * ends a command. It need not filter.
 */
typedef int otst_source_fn(struct otst *o, const struct otst_trace_filter *filter,
			   struct otst_traces *ret);

/** struct otst_source - a row of the table in sources.c */
struct otst_source {
	const char *name;
	const char *what;
	const char *needs; /**< from the kernel */
	otst_source_fn *read;
	const char *symbols; /**< see otst_look_names() */
};

/** otst_sources_cover() - what there is of each source, by names alone; appends to a vector of struct otst_coverage */
int otst_sources_cover(struct otst *o, struct otst_vec *coverage);

/** otst_source_at() - row @i, NULL behind the last */
const struct otst_source *otst_source_at(size_t i);

/**
 * otst_traces() - run the sources, sort, filter
 *
 * Sources that this kernel does not have are left out quietly, unless they
 * were asked for by name.
 *
 * Return: 0; USAGE for a filter that makes no sense; or what ends a command.
 */
int otst_traces(struct otst *o, const struct otst_trace_filter *filter, struct otst_traces *ret);

/**
 * otst_trace_lines() - the frames of any form of trace as lines
 * @ret: @t's own lines; or of its @stack, with marks where it goes from one
 *	stack to another, and no @text
 *
 * Return: 0 or NOMEM.
 */
int otst_trace_lines(struct otst *o, const struct otst_trace *t, const struct otst_trace_line **ret,
		     size_t *count);

/**
 * struct otst_sym_text - "sym+0x1/0x1d [mod]" in parts
 * @name: not NUL-terminated, @name_len bytes; @module, @module_len 0 when none
 * @size: 0 when the text has none
 */
struct otst_sym_text {
	const char *name;
	size_t name_len;
	const char *module;
	size_t module_len;
	uint64_t offset;
	uint64_t size;
};

/**
 * otst_trace_line_code() - the instruction that a line is about, for otst_lines()
 *
 * Of a return address the call before it. Where only the text is known, or the
 * address is of another boot than the dump, by the symbol in the text, if the
 * dump has one of that name and size.
 *
 * Return: 0 when nothing tells.
 */
uint64_t otst_trace_line_code(struct otst *o, const struct otst_trace_line *l);

/** otst_sym_text_parse() - false when @text is not of this form (a number) */
bool otst_sym_text_parse(const char *text, struct otst_sym_text *ret);

/** otst_sym_text_address() - where the dump has it: a symbol of this name, and of this size where the text has one; else 0 */
uint64_t otst_sym_text_address(struct otst *o, const struct otst_sym_text *t);

/* ---- the sources ---- */

otst_source_fn otst_source_log;		/* log.c */
otst_source_fn otst_source_module;	/* module.c */
otst_source_fn otst_source_inflight;	/* inflight.c */
otst_source_fn otst_source_jprobe;	/* jprobe.c */
otst_source_fn otst_source_task;	/* task.c */
otst_source_fn otst_source_stacktracer; /* stacktracer.c */
otst_source_fn otst_source_hist;	/* hist.c */
otst_source_fn otst_source_depot;	/* depot.c */
otst_source_fn otst_source_perf;	/* perf.c */
otst_source_fn otst_source_callchain;	/* callchain.c */
otst_source_fn otst_source_bpf;		/* bpf.c */
otst_source_fn otst_source_stap;	/* stap.c */

otst_source_fn otst_source_ftrace;   /* ftrace.c */
otst_source_fn otst_source_snapshot; /* ftrace.c */

#endif /* OTST_TRACES_H */
