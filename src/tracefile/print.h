/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * print.h - shared by the printers of the trace file's lines. Each mirrors
 * functions of kernel/trace/trace_output.c and its neighbours, and names them.
 */
#ifndef OTST_TRACEFILE_PRINT_H
#define OTST_TRACEFILE_PRINT_H

#include "../base/text_buffer.h"
#include "../output/rows.h"
#include "tracefile.h"

/** enum otst_tf_kind - kind of an entry: the kernel's enum trace_type, whose numbers change */
enum otst_tf_kind {
	OTST_TF_UNKNOWN,
#define ENTRY(type, json, group, print, raw, hex) OTST_TF_##type,
#include "entries.def"
	OTST_TF_EVENT, /**< one of the kernel's trace events, by its id */
	OTST_TF_KINDS,
};

#define OTST_TF_FIXED 11 /* of the first kinds, the number is the same in every kernel */
#define OTST_TF_TYPES 64 /* more than enum trace_type has */

/** struct otst_tf_field - where a member of an entry is; @size is 0 if this kernel lacks it */
struct otst_tf_field {
	uint16_t offset;
	uint8_t size;
	bool is_signed;
};

/** struct otst_tf_layout - the entries' members; only the offset of an array counts */
struct otst_tf_layout {
#define MEMBER(field, entries, shown, type, member) struct otst_tf_field field;
#include "entries.def"
};

/**
 * struct otst_tf_member - a row of entries.def
 * @to: offset of its field in struct otst_tf_layout
 * @entries: bits of enum otst_tf_kind: whose JSON shows it
 */
struct otst_tf_member {
	const char *type, *member;
	size_t to;
	uint32_t entries;
	bool address;
};

/** otst_tf_members - all of them; the last has no @type (layout.c) */
extern const struct otst_tf_member otst_tf_members[];

/** enum otst_tf_legend - the lines that name the columns; each has more than the one before it */
enum otst_tf_legend {
	OTST_LEGEND_OLD,     /**< no tgid */
	OTST_LEGEND_TGID,    /**< tgid; no entry counts above a legend of flags */
	OTST_LEGEND_WIDE,    /**< two columns further to the right */
	OTST_LEGEND_MIGRATE, /**< flags have migrate-disable */
	OTST_LEGEND_LAZY,    /**< and need-resched-lazy, preempt-lazy-depth */
};

/** struct otst_tf_flag_bits - enum trace_flag_type; 0 where the kernel lacks it */
struct otst_tf_flag_bits {
	uint8_t irqs_off, irqs_nosupport, need_resched, lazy, preempt_resched;
	uint8_t hardirq, softirq, nmi, bh_off;
};

/** struct otst_tf_mark - @sign precedes a duration longer than @ns; the last mark has none */
struct otst_tf_mark {
	uint64_t ns;
	char sign;
};

/**
 * struct otst_tf_kernel - how this kernel prints
 * @kinds: indexed by enum trace_type; types from @first_event on are events
 * @legend, @flags: the columns, and the flag bits shown in them
 * @pid_width: width of the pid in the task column: 7, in old kernels 5
 * @state_chars: letters of the task state's bits if entries hold the state mask; else NULL
 * @ret_equals: return values are printed as "ret=", else as "= "
 * @retaddr: entries of function_graph may have return addresses
 * @marker: FTRACE_TRAMPOLINE_MARKER, 0 if there is none
 * @kretprobe: return trampoline; @kretprobe_by_name: the kernel compares its name
 * @irq_start, @irq_end: __irqentry_text
 * @sched_clock_generic: CONFIG_GENERIC_SCHED_CLOCK
 * @marks, @latency_marks: for long durations, longest first: of function_graph, of latency format
 * @rel_time: function_graph has relative times, which latency tracers show; else absolute ones
 * @graph_wide: the flags column of function_graph has blanks around it
 * @graph_plain: function_graph has no flags on interrupts, no marks for leaves, and bputs in full
 */
struct otst_tf_kernel {
	uint8_t kinds[OTST_TF_TYPES];
	uint16_t first_event;
	enum otst_tf_legend legend;
	struct otst_tf_flag_bits flags;
	uint8_t pid_width;
	const char *state_chars;
	bool ret_equals;
	bool retaddr;
	uint64_t marker;
	uint64_t kretprobe;
	bool kretprobe_by_name;
	uint64_t irq_start;
	uint64_t irq_end;
	bool sched_clock_generic;
	const struct otst_tf_mark *marks;
	const struct otst_tf_mark *latency_marks;
	bool rel_time;
	bool graph_wide;
	bool graph_plain;
	struct otst_tf_layout at;
};

/** otst_tf_kernel_read() - find all that out (layout.c); 0 or an error that ends the command */
int otst_tf_kernel_read(struct otst *o, struct otst_tf_kernel *ret);

/** struct otst_tf_options - options of the trace array, as in trace_options */
struct otst_tf_options {
	bool print_parent;
	bool sym_offset;
	bool sym_addr;
	bool verbose;
	bool printk; /**< always on if there is no such option */
	bool printk_msgonly;
	bool context_info;
	bool latency_fmt;
	bool latency_file; /**< latency_fmt, in a file that supports it */
	bool irq_info;
	bool record_tgid;
	bool annotate;
	bool raw;
	bool hex;
};

/* options of function_graph, read by name: the kernel's own bits (TRACE_GRAPH_PRINT_*) change */
#define OTST_GRAPH_OVERRUN    0x1u
#define OTST_GRAPH_CPU	      0x2u
#define OTST_GRAPH_OVERHEAD   0x4u
#define OTST_GRAPH_PROC	      0x8u
#define OTST_GRAPH_DURATION   0x10u
#define OTST_GRAPH_ABS_TIME   0x20u
#define OTST_GRAPH_REL_TIME   0x40u
#define OTST_GRAPH_IRQS	      0x80u
#define OTST_GRAPH_TAIL	      0x100u
#define OTST_GRAPH_RETVAL     0x800u
#define OTST_GRAPH_RETVAL_HEX 0x1000u
#define OTST_GRAPH_RETADDR    0x2000u

/**
 * otst_tf_graph_options() - add the options set in the struct tracer_flags at @addr to @ret
 *
 * Return: 0, or an error; @ret then has the options read so far.
 */
int otst_tf_graph_options(struct otst *o, uint64_t addr, uint32_t *ret);

/** enum otst_tf_tracer - tracers that print in their own way */
enum otst_tf_tracer {
	OTST_TF_PLAIN,
	OTST_TF_GRAPH,	       /**< function_graph */
	OTST_TF_LATENCY_GRAPH, /**< irqsoff, wakeup and the like with display-graph */
	OTST_TF_MMIO,
	OTST_TF_OSNOISE_TRACER,
	OTST_TF_TIMERLAT_TRACER,
	OTST_TF_BLK_TRACER,
	OTST_TF_BRANCH_TRACER,
};

#define OTST_TF_GRAPH_DEPTH 50 /* FTRACE_RETFUNC_DEPTH */

/** struct otst_tf_graph_cpu - kernel: struct fgraph_cpu_data */
struct otst_tf_graph_cpu {
	int64_t last_pid;
	int64_t depth;
	int64_t depth_irq;
	uint64_t enter_funcs[OTST_TF_GRAPH_DEPTH];
};

struct otst_tf_names;
struct otst_tf_comms;
struct otst_tf_strings;
struct otst_tf_lines;
struct otst_tf_events;

/**
 * struct otst_tf - one trace file being printed
 * @peek: gets the next record of a cpu, as otst_reader_peek()
 * @graph: state of function_graph for each of @nr_cpus cpus; NULL for other tracers
 * @graph_flags: its options
 * @delta: added to addresses of a previous boot
 * @index: number of the entry, from 0
 * @drop: by cpu: the next record was already printed with the one before it
 * @started: by cpu: has printed something; @skipped: by cpu: has entries older than @time_start
 * @overruns: entries were overwritten
 * @events: how to print events, by id
 * @lines: lines that other threads format, or NULL
 * @resets: how often names and columns that were handed out became invalid
 */
struct otst_tf {
	struct otst *o;
	struct otst_text t;
	struct otst_tf_kernel kernel;
	struct otst_tf_options opt;
	enum otst_tf_tracer tracer;
	bool in_ns;
	uint64_t time_start;
	uint64_t delta;
	unsigned int nr_cpus;
	unsigned int cpu_digits;
	uint32_t graph_flags;
	struct otst_tf_graph_cpu *graph;
	int (*peek)(void *priv, unsigned int cpu, struct otst_record *ret);
	void *peek_priv;
	uint64_t index;
	bool *drop;
	bool *started;
	bool *skipped;
	bool overruns;
	struct otst_tf_names *names;
	struct otst_tf_comms *comms;
	struct otst_tf_strings *strings;
	struct otst_tf_events *events;
	struct otst_tf_lines *lines;
	unsigned int resets;
	char (*flags)[4];
	struct otst_event_style style;
	char *event_text;
	int err; /**< of a printer, if it ends the command */
};

#define OTST_TF_EVENT_TEXT 16384u
#define OTST_TF_TEXT_ROOM  (128u * 1024) /* of @t */

/** otst_tf_init() - set up caches and state of @tf->nr_cpus cpus; @tf->kernel is already read */
int otst_tf_init(struct otst_tf *tf);

/** otst_tf_record() - append the lines of one record (line.c) */
void otst_tf_record(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_body() - what the entry's own print function prints, with its newline (line.c) */
void otst_tf_body(struct otst_tf *tf, const struct otst_record *r);

static inline enum otst_tf_kind otst_tf_kind(const struct otst_tf_kernel *k, uint16_t type)
{
	if (type < k->first_event)
		return type < OTST_TF_TYPES ? k->kinds[type] : OTST_TF_UNKNOWN;
	return OTST_TF_EVENT;
}

/** otst_tf_get() - a member of an entry; 0 when the entry or the kernel lacks it */
static inline uint64_t otst_tf_get(const struct otst_record *r, struct otst_tf_field f)
{
	if (!f.size || (uint32_t)f.offset + f.size > r->size)
		return 0;
	return otst_get_as(r->big_endian, r->data + f.offset, f.size);
}

/** otst_tf_get64(), otst_tf_get32() - the same, of the types that the kernel's formats have */
static inline unsigned long long otst_tf_get64(const struct otst_record *r, struct otst_tf_field f)
{
	return otst_tf_get(r, f);
}

static inline unsigned int otst_tf_get32(const struct otst_record *r, struct otst_tf_field f)
{
	return (unsigned int)otst_tf_get(r, f);
}

/** otst_tf_sget() - the same, sign-extended */
static inline int64_t otst_tf_sget(const struct otst_record *r, struct otst_tf_field f)
{
	uint64_t v = otst_tf_get(r, f);
	unsigned int shift = f.size && f.size < 8 ? 64 - 8 * f.size : 0;

	return (int64_t)(v << shift) >> shift;
}

/** otst_tf_flags() - struct trace_entry.flags; otst_tf_preempt() - its preempt_count */
static inline uint8_t otst_tf_flags(const struct otst_record *r)
{
	return r->size > 2 ? r->data[2] : 0;
}

static inline uint8_t otst_tf_preempt(const struct otst_record *r)
{
	return r->size > 3 ? r->data[3] : 0;
}

/* ---- names.c: symbols ---- */

#define OTST_TF_NAME_MOST (2u * OTST_TEXT_BLOCK)

/**
 * struct otst_tf_name - a symbol, ready to be printed
 * @name_len: 0 if there is none
 * @matched: for the caller, initially 0
 * @text: the @len bytes that otst_tf_ip() prints; @len is 0 if they do not fit
 */
struct otst_tf_name {
	uint64_t addr;
	uint32_t name_len;
	uint8_t len;
	uint8_t matched;
	char text[OTST_TF_NAME_MOST];
	uint32_t module_len;
	struct otst_sym sym;
};

#define OTST_TF_NAME_BITS 16

/** struct otst_tf_names - a cache hashed by address; emptied when too many slots are @used */
struct otst_tf_names {
	struct otst_tf_name slots[1u << OTST_TF_NAME_BITS];
	unsigned int used;
};

struct otst_tf_names *otst_tf_names_create(struct otst *o);

/** otst_tf_slot() - the first slot of @key in a cache of 1 << @bits slots */
static inline size_t otst_tf_slot(uint64_t key, unsigned int bits)
{
	return (key * 0x9e3779b97f4a7c15u) >> (64 - bits);
}

/** otst_tf_name_find() - otst_tf_name() if the first slot holds another address */
struct otst_tf_name *otst_tf_name_find(struct otst_tf *tf, uint64_t addr);

/** otst_tf_name() - the symbol at @addr; valid until @tf->resets changes */
static inline struct otst_tf_name *otst_tf_name(struct otst_tf *tf, uint64_t addr)
{
	struct otst_tf_name *n = &tf->names->slots[otst_tf_slot(addr, OTST_TF_NAME_BITS)];

	return n->addr == addr ? n : otst_tf_name_find(tf, addr);
}

/** otst_tf_ip_named() - otst_tf_ip() for an address whose name is @n */
void otst_tf_ip_named(struct otst_tf *tf, const struct otst_tf_name *n, bool offset);

/** otst_tf_ip() - seq_print_ip_sym() by the array's sym-offset, sym-addr; @offset sets the first */
static inline void otst_tf_ip(struct otst_tf *tf, uint64_t ip, bool offset)
{
	const struct otst_tf_name *n = otst_tf_name(tf, ip);

	if (n->len && !offset)
		otst_text_block(&tf->t, n->text, n->len);
	else
		otst_tf_ip_named(tf, n, offset);
}

/** otst_tf_ps() - "%ps": symbol and module */
void otst_tf_ps(struct otst_tf *tf, uint64_t addr);

/* ---- strings.c: strings that entries point to ---- */

struct otst_tf_strings *otst_tf_strings_create(struct otst *o);

/** otst_tf_string() - the string at @addr, not cleaned; NULL when it cannot be read */
const char *otst_tf_string(struct otst_tf *tf, uint64_t addr);

/* ---- prefix.c: columns before an entry ---- */

#define OTST_TF_TASK_TEXT 104u /* a comm is up to 15 bytes, each cleaned into four */

/** struct otst_tf_columns - text of all columns before the time; @key is all that they depend on */
struct otst_tf_columns {
	uint64_t key;
	uint32_t len;
	char text[OTST_TF_TASK_TEXT + 24u];
};

/** otst_tf_columns() - columns of @r, valid until @tf->resets changes; NULL if not reusable */
const struct otst_tf_columns *otst_tf_columns(struct otst_tf *tf, const struct otst_record *r);

/** struct otst_tf_secs - "%5lu." of @secs; the times of most entries differ only after it */
struct otst_tf_secs {
	uint64_t secs;
	uint32_t len;
	char text[OTST_TEXT_BLOCK];
};

#define OTST_TF_NS_MOST (OTST_TEXT_BLOCK + 6u)

/** otst_tf_put_ns() - write seconds and microseconds to @to (OTST_TF_NS_MOST bytes); their end (seconds.c) */
char *otst_tf_put_ns(char *to, struct otst_tf_secs *s, uint64_t ts);

void otst_tf_lat_fmt(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_time(struct otst_tf *tf, uint64_t ts);
void otst_tf_context(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_lat_context(struct otst_tf *tf, const struct otst_record *r);
/** otst_tf_sign() - trace_find_mark(): the sign for @ns out of @marks */
char otst_tf_sign(const struct otst_tf_mark *marks, uint64_t ns);

/* ---- event.c: trace events ---- */

/**
 * struct otst_tf_event - how to print events of one id
 * @format: NULL if this kernel has no such event
 * @name_len: length of the format's name, 0 if it is not printed
 * @alone: set if otst_tf_put_event() may print them; else NULL
 */
struct otst_tf_event {
	const struct otst_event_format *format;
	const struct otst_plan *alone;
	size_t name_len;
	bool known;
};

struct otst_tf_events *otst_tf_events_create(struct otst *o);

/** otst_tf_event() - for events with @id; NULL: @tf->err has the error that ends the command */
const struct otst_tf_event *otst_tf_event(struct otst_tf *tf, uint16_t id);

/* room for what otst_tf_put_event() prints, a name and its text */
#define OTST_TF_EVENT_MOST (OTST_TF_EVENT_TEXT + 2048u)

/** otst_tf_put_event() - write the line of a record to @to, return its end; on any thread */
char *otst_tf_put_event(char *to, const struct otst_tf *tf, const struct otst_tf_event *e,
			const uint8_t *data, uint32_t size);

/** otst_tf_event_line() - the same for all events, on the engine's thread */
void otst_tf_event_line(struct otst_tf *tf, const struct otst_record *r);

/* ---- lines.c, batches.c: lines that other threads print ---- */

/** otst_tf_lines_create() - set @tf->lines if the target has threads and the file lines for them */
int otst_tf_lines_create(struct otst_tf *tf, struct otst_printer *p);

/** otst_tf_line() - add the line of @r after the text in @tf->t; false: not for other threads */
bool otst_tf_line(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_lines_settle() - invalidate names and columns handed out; no line needs them any more */
void otst_tf_lines_settle(struct otst_tf *tf);

/** otst_tf_lines_flush() - hand over the text in @tf->t and its lines; @all: also print it all */
void otst_tf_lines_flush(struct otst_tf *tf, bool all);

/* ---- printers of entries, each with the newline ---- */

#define ENTRY(type, json, group, print, raw, hex) \
	void print(struct otst_tf *tf, const struct otst_record *r);
#include "entries.def"

/** otst_tf_args() - print_function_args(); @args is 0 when the entry has none */
void otst_tf_args(struct otst_tf *tf, const struct otst_record *r, uint32_t args, uint64_t func);
/** otst_tf_has_args() - does the entry have room for six arguments at @f */
bool otst_tf_has_args(const struct otst_record *r, struct otst_tf_field f);

/** otst_tf_graph() - print_graph_function_flags(); false: not an entry for it (graph.c) */
bool otst_tf_graph(struct otst_tf *tf, const struct otst_record *r);

/* graph_columns.c */
#define OTST_GRAPH_FILL_FULL  (1u << 28)
#define OTST_GRAPH_FILL_START (2u << 28)
#define OTST_GRAPH_FILL_END   (3u << 28)
void otst_tf_graph_duration(struct otst_tf *tf, uint64_t duration, uint32_t fill);
void otst_tf_graph_prologue(struct otst_tf *tf, const struct otst_record *r, uint64_t addr);
void otst_tf_graph_irq(struct otst_tf *tf, const struct otst_record *r, uint64_t addr, bool entry);

/** otst_tf_message() - text only of print, bprint, bputs; bputs may lack a newline (message.c) */
void otst_tf_message(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_state() - task_index_to_char(); task_state_char() of old kernels */
char otst_tf_state(const struct otst_tf *tf, uint64_t state);
/** otst_tf_mmio() - mmio_print_line(): what mmiotrace prints for an entry, possibly nothing */
void otst_tf_mmio(struct otst_tf *tf, const struct otst_record *r);

/* raw.c: whole lines for the options raw and hex */
void otst_tf_raw(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_hex(struct otst_tf *tf, const struct otst_record *r);

/* ---- header.c ---- */

/**
 * struct otst_tf_header - what the lines before the first entry say
 * @empty: there are no entries
 * @snapshot: it is the snapshot file; @allocated: its buffer was allocated
 * @single_cpu: it is the file of one cpu
 */
struct otst_tf_header {
	const char *tracer;
	uint64_t entries;
	uint64_t written;
	bool empty;
	bool snapshot;
	bool allocated;
	bool single_cpu;
	uint64_t array;	    /**< struct trace_array */
	const char *member; /**< that wraps its buffer */
};

void otst_tf_header(struct otst_tf *tf, const struct otst_tf_header *h);

/** otst_tf_preempt_model() - how the kernel preempts, as latency trace headers say (preempt.c) */
const char *otst_tf_preempt_model(struct otst *o);

/* ---- json.c ---- */

/** otst_tf_json() - print a record as one object; calls and returns are not joined */
void otst_tf_json(struct otst_tf *tf, const struct otst_record *r, struct otst_printer *p,
		  const char *source, const char *array, const char *clock);

/** otst_entry_object - that object's description */
extern const struct otst_object otst_entry_object;

#endif /* OTST_TRACEFILE_PRINT_H */
