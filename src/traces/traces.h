/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * traces.h - what was captured: stack traces found anywhere in the dump.
 *
 * Every source fills struct otst_trace (trace.c); sources.c has the table of sources,
 * runs those that were asked for, merges them by time and drops what the
 * filters do not want. src/output/trace.c prints them.
 *
 * A trace holds its frames in one of two forms: @lines, when the source has them
 * one by one (log text, or saved arrays of return addresses), or @stack, when
 * they were unwound here. Unknown members are NULL, -1 or 0, as each one says,
 * and are printed as unknown.
 *
 * Memory belongs to the command's arena. Strings that come from the dump or
 * from a text file are clean (otst_clean()).
 */
#ifndef OTST_TRACES_H
#define OTST_TRACES_H

#include "../probes/probes.h"
#include "../stacks/stack.h"

/** enum otst_clock - what a time is relative to; the number alone means nothing */
enum otst_clock {
	OTST_CLOCK_NONE, /**< the trace has no time */
	OTST_CLOCK_LOCAL, /**< local_clock(): kernel log, ftrace's default; ns since boot, without suspend */
	OTST_CLOCK_TRACE, /**< another clock of the trace array, named in @clock_name */
	OTST_CLOCK_SYSLOG, /**< seconds in a syslog stamp ("Apr 19 20:47:42"), counted from 1 January, no year */
	OTST_CLOCK_COUNT,
};

/** otst_clock_name() - "local", "trace", "syslog"; NULL for NONE */
const char *otst_clock_name(enum otst_clock clock);

/** enum otst_source_kind - where traces are found; in this order when they have no time */
enum otst_source_kind {
	OTST_SOURCE_LOG,
	OTST_SOURCE_MODULE,
	OTST_SOURCE_INFLIGHT,
	OTST_SOURCE_JPROBE,
	OTST_SOURCE_TASK,
	OTST_SOURCE_STACKTRACER,
	OTST_SOURCE_HIST,
	OTST_SOURCE_DEPOT,
	OTST_SOURCE_PERF,
	OTST_SOURCE_CALLCHAIN,
	OTST_SOURCE_BPF,
	OTST_SOURCE_STAP,
	OTST_SOURCE_FTRACE,
	OTST_SOURCE_SNAPSHOT,
	OTST_SOURCE_COUNT,
};

/** otst_source_name() - "log", as -s takes it */
const char *otst_source_name(enum otst_source_kind kind);

/** enum otst_line_kind - what a line of a trace is */
enum otst_line_kind {
	OTST_LINE_FRAME, /**< a program counter */
	OTST_LINE_IP,	 /**< a program counter from saved registers: "RIP: 0010:sym+0x1/0x2" */
	OTST_LINE_TEXT,	 /**< @text is script output, not a frame */
	/** @text is "<IRQ>", "</IRQ>", "<<EOE>>" and the like, or a line such as "Allocated by task 7:" */
	OTST_LINE_MARK,
	OTST_LINE_COUNT,
};

/** enum otst_pc_title - what a log prints before a program counter from saved registers */
enum otst_pc_title {
	OTST_PC_OWN, /**< the dump's processor has one: no log printed it */
	OTST_PC_RIP,
	OTST_PC_EIP,
	OTST_PC_EIP_IS,
	OTST_PC_PC,
	OTST_PC_PC_IS,
	OTST_PC_EPC,
	OTST_PC_EPC_MIPS,
	OTST_PC_ERA,
	OTST_PC_NIP,
	OTST_PC_PSW,
	OTST_PC_TPC,	  /**< sparc64 */
	OTST_PC_IAOQ,	  /**< parisc */
	OTST_PC_PC_COLON, /**< m68k, sparc, csky */
	OTST_PC_ALPHA,
	OTST_PC_IA64,
	OTST_PC_ARC,
	OTST_PC_IP, /**< of x86 up to 4.17, before the registers, which have it again */
};

/**
 * struct otst_trace_line - one frame, or a mark between frames
 * @letters: what arm64 prints in brackets behind a frame: "P", "FK"; "" for none
 * @addr: the program counter, 0 when only its text is known
 * @text: "sym+0x1/0x1d [mod]" as it was captured; NULL when only @addr is
 *	known. Printers show @text, or the symbol of @addr when there is no text.
 * @cs: with OTST_LINE_IP, the code segment; @title: enum otst_pc_title
 * @reliable: not a guess ("? ")
 * @exact: @addr is the next instruction to run, not a return address after a call
 * @source: file and line as the capture has them, with the calls inlined there; or NULL
 * @role: of a frame of the log, what its function is to probes: enum otst_log_role
 * @sized: @depth (bytes from the top of the stack) and @size (bytes of this frame) are known
 */
struct otst_trace_line {
	uint64_t addr;
	const char *text;
	const struct otst_lines *source;
	int32_t depth;
	int32_t size;
	enum otst_line_kind kind;
	char letters[4];
	uint16_t cs;
	uint8_t title;
	bool reliable;
	bool exact;
	bool sized;
	uint8_t role;
};

/** otst_trace_line_is_code() - true if this line has a program counter */
static inline bool otst_trace_line_is_code(const struct otst_trace_line *l)
{
	return l->kind == OTST_LINE_FRAME || l->kind == OTST_LINE_IP;
}

/**
 * struct otst_trace_id - a stack named by a BPF map element or by a record
 * @name: the member that names it, "kern_stack_id", or the place, "key+4"
 * @evidence: how it was found: "type", "fits" or "layout"; "map" for a map's own stack
 * @id: the id, or a negative errno when no stack was taken; valid when @has_id
 * @map: id of the map that holds the stack; 0 when no map does
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
 * @key, @value: key and value of an element, as text; NULL when there is none
 * @values: for a per-cpu map, the value of each cpu as text, @nr_values of them
 * @state: state of a record: "unread", "read", "busy", "discarded"; or NULL
 * @data: bytes of a record, as text
 * @ids: vector of struct otst_trace_id
 * @guess: one of @ids may be no stack's: not to be counted
 * @bytes: raw key, value (of every cpu) or data, for readers of the JSON output
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
	bool guess;
	struct otst_trace_bytes {
		const uint8_t *at;
		size_t size;
	} key_bytes, value_bytes, data_bytes;
};

/**
 * struct otst_trace - one capture
 * @source: where it was found
 * @time: in ns of @clock; valid unless OTST_CLOCK_NONE
 * @time_text: the time as captured, when that says more ("Apr 19 20:47:42"); else NULL
 * @seq: number of the capture within its source; orders captures with the same time
 * @where: where the capture was found: "line 17" of a file, "seq 2034" of the log,
 *	"otst_registry probe 3 record 1"; or NULL
 * @cpu: -1 when unknown; @pid: -1 when unknown; @comm: NULL when unknown
 * @headline: what the capture says about itself, one line ("WARNING: ..."), or NULL
 * @counted: for a histogram, the entry whose key these frames are; it is the headline
 * @probe: probed symbol that the trace belongs to, as captured ("netif_rx"), or NULL
 * @probe_addr: probed address, 0 when unknown
 * @handler: who captured it: "otst", "allie", or the handler's symbol; NULL if unknown or no probe
 * @lines: @nr_lines frames, innermost first; NULL when @stack has them
 * @stack: unwound frames, or NULL
 * @capture: registers and raw stack that were captured, or NULL
 * @regs: all registers at the probed instruction, by architecture register number, or NULL
 * @regs_matter: the registers are what the trace is about: they are shown even without -v
 * @call: arguments of the probed function, when it was caught at its entry, or NULL
 * @age: ns from @time to the newest time known from the dump; valid when @age_known
 * @consumed: it has been read already: it is in a file, or was shown
 * @bpf: where in a BPF map it was found, or NULL
 * @truncated: there were more frames, or text, than were kept
 * @ends: of a @truncated one: the log ended there
 * @overwritten: its beginning was lost (the ring wrapped over it)
 * @count: number of captures it stands for: 1 when each is kept; 0 when none was counted since
 * @error: what is wrong with it, or NULL; the rest of the trace is still printed
 */
struct otst_trace {
	enum otst_source_kind source;
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
	bool ends;
	bool overwritten;
	uint64_t count;
	const char *error;
};

/** struct otst_trace_item - of a list: a trace, which is @whole unless it is @packed */
struct otst_trace_item {
	struct otst_trace *whole;
	const uint8_t *packed;
};

/**
 * struct otst_traces - what sources found, oldest first
 * @items: vector of struct otst_trace_item
 * @store: what packed traces share, or NULL
 * @errors: vector of const char *: what could not be read
 * @notes: vector of const char *: what is worth knowing but is not damage
 * @coverage: vector of struct otst_coverage: one for each source that was asked for
 */
struct otst_traces {
	struct otst *o;
	struct otst_vec items;
	struct otst_trace_store *store;
	struct otst_messages errors;
	struct otst_messages notes;
	struct otst_vec coverage;
};

/* code segment selector of user mode on x86; folded stacks omit such frames */
#define OTST_USER_CS 0x33

/* comes before user-mode frames, which a kernel dump cannot symbolize */
#define OTST_USER_MARK "<user stack trace>"

/**
 * struct otst_known - a stack that is kept once, however often it occurs (known.c)
 * @words: the stack as captured, @size bytes; @kind: what they are, a number private to the source
 * @lines: vector of struct otst_trace_line; the source fills it when the stack is new
 */
struct otst_known {
	struct otst_known *next;
	const uint8_t *words;
	size_t size;
	unsigned int kind;
	struct otst_vec lines;
};

/** struct otst_knowns - all known stacks of a source; zero-initialise */
struct otst_knowns {
	struct otst_hashmap by_hash;
};

/**
 * otst_known_find() - find the stack with these words, or make it
 * @fresh: set when it was made
 *
 * Return: 0 or NOMEM.
 */
int otst_known_find(struct otst *o, struct otst_knowns *all, unsigned int kind,
		    const uint8_t *words, size_t size, struct otst_known **ret, bool *fresh);

/** otst_known_append() - append its lines to @t: a user stack follows the kernel's; 0 or NOMEM */
int otst_known_append(struct otst *o, struct otst_trace *t, const struct otst_known *k);

/* ---- the list (packed.c) ---- */

/** struct otst_trace_room - for a packed trace that is looked at and given up; zero-initialise */
struct otst_trace_room {
	struct otst_trace trace;
	struct otst_vec lines;
};

/** otst_trace_items() - the items, to be put in another order or fewer */
static inline struct otst_trace_item *otst_trace_items(const struct otst_traces *t)
{
	return t->items.data;
}

/** otst_trace_at() - item @i, which stays in memory as a whole from now on */
struct otst_trace *otst_trace_at(const struct otst_traces *t, size_t i);

/** otst_trace_peek() - item @i to be looked at, valid until @room is used again */
const struct otst_trace *otst_trace_peek(const struct otst_traces *t, size_t i,
					 struct otst_trace_room *room);

/** otst_trace_add() - append a new trace of @source, with cpu and pid unknown */
struct otst_trace *otst_trace_add(struct otst_traces *t, enum otst_source_kind source);

/**
 * otst_trace_pack() - make a copy of @trace item @i, packed; the count of items appends it
 * @trace: has nothing but what a log says; @source is that of all packed traces of the list
 *
 * Return: 0 or NOMEM.
 */
int otst_trace_pack(struct otst_traces *t, size_t i, const struct otst_trace *trace);

/** otst_traces_each_line() - each of the lines that packed traces share; it may be changed */
void otst_traces_each_line(const struct otst_traces *t,
			   void (*each)(void *priv, struct otst_trace_line *line), void *priv);

/* ---- parts of a trace (trace.c, code.c) ---- */

/** otst_trace_line_add() - append a line to a vector of struct otst_trace_line; never NULL */
struct otst_trace_line *otst_trace_line_add(struct otst *o, struct otst_vec *lines);

/** otst_trace_mark_add() - the same for a mark */
void otst_trace_mark_add(struct otst *o, struct otst_vec *lines, const char *text);

/**
 * otst_traces_note() - keep the message of @err with the list
 *
 * Return: 0; or @err if it is one that ends the command.
 */
int otst_traces_note(struct otst_traces *t, int err);

/**
 * otst_trace_regs() - record the registers of @c, and the arguments if @c is at a function's entry
 * @addr: the probed instruction
 * @c: in the command's arena
 *
 * Return: 0, or an error that ends the command.
 */
int otst_trace_regs(struct otst *o, struct otst_trace *t, uint64_t addr,
		    const struct otst_capture *c);

/** otst_runs_handlers() - true if this kernel function calls the handlers of probes (task.c) */
bool otst_runs_handlers(const struct otst_sym *sym);

/** otst_trace_handler() - symbol of the handler supplied by the probe's user, or NULL */
const char *otst_trace_handler(const struct otst_probe *p);

/* ---- filters and sources (sources.c) ---- */

/**
 * struct otst_trace_filter - what the user wants to see
 * @sources: list of names "log,module", or NULL for all
 * @texts: read these files in their order instead of the dump's log, NULL-terminated; or NULL
 * @pid: -1 for all
 * @cpus: "0,2-3", or NULL for all
 * @last: keep only this many of the newest, 0 for all
 * @chosen: NULL, or a filter by symbol: called for the probe and for each frame
 *	until it returns true; @addr is 0 when only the name is known
 */
struct otst_trace_filter {
	const char *sources;
	const char *const *texts;
	int64_t pid;
	const char *cpus;
	uint64_t last;
	bool (*chosen)(void *priv, uint64_t addr, const struct otst_sym *sym);
	void *priv;
};

/** otst_trace_matches() - true if @filter->chosen (not NULL) chooses the probe or a frame of @t */
bool otst_trace_matches(struct otst *o, const struct otst_trace_filter *filter,
			const struct otst_trace *t);

/**
 * otst_cpus_check() - USAGE when @list is not of the form "0,2-3", or a part of it has no cpu of this machine
 * @machine: its cpus are those of the dump's machine, not of another one that wrote a log
 */
int otst_cpus_check(struct otst *o, const char *list, bool machine);

/** otst_cpu_wanted() - true if @cpu is in such a list */
bool otst_cpu_wanted(const char *list, int cpu);

/**
 * A source appends what it found to @ret, in its own order. It returns 0, even
 * when some of it is bad; LOOKUP when this kernel does not have the source; or
 * an error that ends the command. It need not filter.
 */
typedef int otst_source_fn(struct otst *o, const struct otst_trace_filter *filter,
			   struct otst_traces *ret);

/** struct otst_source - a row of the table in sources.c */
struct otst_source {
	const char *what;
	const char *needs; /**< from the kernel */
	otst_source_fn *read;
	const char *symbols; /**< see otst_look_names() */
	int (*present)(
		struct otst *o); /**< LOOKUP if the kernel that has @symbols lacks it; or NULL */
	const char *witnesses;	 /**< of otst_doubt_absence() */
};

/** otst_source_module_present() - &otst_source.present of this source (module.c) */
int otst_source_module_present(struct otst *o);
/** otst_source_stap_present() - the same (stap/stap.c) */
int otst_source_stap_present(struct otst *o);

/**
 * otst_sources_cover() - find out which sources the dump has, by symbol names and lists of modules
 * @coverage: vector of struct otst_coverage, gets one for each source
 */
int otst_sources_cover(struct otst *o, struct otst_vec *coverage);

/** otst_source_at() - its row */
const struct otst_source *otst_source_at(enum otst_source_kind kind);

/**
 * otst_traces() - run the sources, sort, filter
 *
 * Sources that this kernel does not have are skipped silently, unless they were
 * asked for by name.
 *
 * Return: 0; USAGE for a filter that makes no sense; or an error that ends the command.
 */
int otst_traces(struct otst *o, const struct otst_trace_filter *filter, struct otst_traces *ret);

/* ---- frames as lines, and their text (trace.c, code.c) ---- */

/**
 * otst_trace_lines() - the frames of any form of trace as lines
 * @ret: @t's own lines; or lines made from its @stack, without @text, and with
 *	marks where the frames move from one stack to another
 *
 * Return: 0 or NOMEM.
 */
void otst_trace_lines(struct otst *o, const struct otst_trace *t,
		      const struct otst_trace_line **ret, size_t *count);

/**
 * struct otst_sym_text - "sym+0x1/0x1d [mod]" or "sym [mod]" in parts
 * @name: @name_len bytes, not NUL-terminated; @module likewise, @module_len is 0 when there is none
 * @has_offset: the text has @offset
 * @size: 0 when the text has none
 */
struct otst_sym_text {
	const char *name;
	size_t name_len;
	const char *module;
	size_t module_len;
	bool has_offset;
	uint64_t offset;
	uint64_t size;
};

/**
 * otst_trace_line_code() - the instruction that a line is about, for otst_lines()
 *
 * For a return address, this is the call before it. If only the text is known, or
 * the address is from a different boot than the dump, it is found by the symbol in
 * the text, provided the dump has one of that name and size.
 *
 * Return: 0 when it cannot be determined.
 */
uint64_t otst_trace_line_code(struct otst *o, const struct otst_trace_line *l);

/**
 * otst_is_past_end() - is it a trampoline, to which a function of the kernel returns: "f+0x20/0x20"
 *
 * It is printed by the name of the code before it. The kernel's functions are padded, a module's are not.
 */
static inline bool otst_is_past_end(const struct otst_sym_text *t)
{
	return t->size && t->offset == t->size && !t->module_len;
}

/** otst_sym_text_parse() - false when @text is not of this form (a number) */
bool otst_sym_text_parse(const char *text, struct otst_sym_text *ret);

/**
 * otst_sym_text_address() - the address that the text stands for in the dump
 *
 * Return: 0 unless the dump has a symbol of this name, and of this size if the text has one.
 */
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
