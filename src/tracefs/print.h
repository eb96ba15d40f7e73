/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * print.h - what the printers of the trace file's lines share. Each mirrors
 * functions of kernel/trace/trace_output.c and its neighbours, which it names.
 */
#ifndef OTST_TRACEFILE_PRINT_H
#define OTST_TRACEFILE_PRINT_H

#include "../dump/text_buffer.h"
#include "../output/rows.h"
#include "tracefile.h"

/** enum otst_tf_kind - what an entry is; the kernel's enum trace_type, whose numbers move */
enum otst_tf_kind {
	OTST_TF_UNKNOWN,
	OTST_TF_FN,
	OTST_TF_CTX,
	OTST_TF_WAKE,
	OTST_TF_STACK,
	OTST_TF_PRINT,
	OTST_TF_BPRINT,
	OTST_TF_MMIO_RW,
	OTST_TF_MMIO_MAP,
	OTST_TF_BRANCH,
	OTST_TF_GRAPH_RET,
	OTST_TF_GRAPH_ENT,
	OTST_TF_GRAPH_RETADDR_ENT,
	OTST_TF_USER_STACK,
	OTST_TF_BLK,
	OTST_TF_BPUTS,
	OTST_TF_HWLAT,
	OTST_TF_OSNOISE,
	OTST_TF_TIMERLAT,
	OTST_TF_RAW_DATA,
	OTST_TF_FUNC_REPEATS,
	OTST_TF_EVENT, /**< one of the kernel's trace events, by its id */
	OTST_TF_KINDS,
};

#define OTST_TF_TYPES 64 /* more than enum trace_type has */

/** struct otst_tf_field - where a member of an entry lies; @size is 0 when this kernel has it not */
struct otst_tf_field {
	uint16_t offset;
	uint8_t size;
	bool is_signed;
};

/**
 * struct otst_tf_layout - the entries' members (kernel/trace/trace_entries.h)
 *
 * Of arrays only the offset counts. Named after the kernel's structures:
 * ftrace_entry, ftrace_graph_ent_entry and ftrace_graph_ret_entry are fn, ent
 * and ret.
 */
struct otst_tf_layout {
	struct otst_tf_field lazy_count;
	struct otst_tf_field fn_ip, fn_parent, fn_args;
	struct otst_tf_field ent_func, ent_depth, ent_args;
	struct otst_tf_field rent_retaddr, rent_args;
	struct otst_tf_field ret_func, ret_depth, ret_overrun, ret_retval, ret_call, ret_ret;
	struct otst_tf_field ctx_prev_pid, ctx_prev_prio, ctx_prev_state;
	struct otst_tf_field ctx_next_pid, ctx_next_prio, ctx_next_state, ctx_next_cpu;
	struct otst_tf_field stack_caller, user_tgid, user_caller;
	struct otst_tf_field print_ip, print_buf, bprint_ip, bprint_fmt, bprint_buf;
	struct otst_tf_field bputs_ip, bputs_str, raw_id, raw_buf;
	struct otst_tf_field rw_phys, rw_value, rw_pc, rw_map, rw_opcode, rw_width;
	struct otst_tf_field map_phys, map_virt, map_len, map_map, map_opcode;
	struct otst_tf_field branch_line, branch_func, branch_file, branch_correct;
	struct otst_tf_field hwlat_duration, hwlat_outer, hwlat_nmi_ts, hwlat_sec, hwlat_nsec;
	struct otst_tf_field hwlat_nmi_count, hwlat_seqnum, hwlat_count;
	struct otst_tf_field rep_ip, rep_parent, rep_count, rep_top, rep_bottom;
	struct otst_tf_field noise_noise, noise_runtime, noise_max, noise_hw, noise_nmi, noise_irq;
	struct otst_tf_field noise_softirq, noise_thread;
	struct otst_tf_field lat_seqnum, lat_context, lat_latency;
};

/** enum otst_tf_legend - the lines that name columns; each knows more than those before it */
enum otst_tf_legend {
	OTST_LEGEND_OLD,     /**< no tgid */
	OTST_LEGEND_TGID,    /**< tgid; no counts where flags are explained */
	OTST_LEGEND_WIDE,    /**< two columns further to the right */
	OTST_LEGEND_MIGRATE, /**< flags have migrate-disable */
	OTST_LEGEND_LAZY,    /**< and need-resched-lazy, preempt-lazy-depth */
};

/** struct otst_tf_flag_bits - enum trace_flag_type; 0 where the kernel lacks it */
struct otst_tf_flag_bits {
	uint8_t irqs_off, irqs_nosupport, need_resched, lazy, preempt_resched;
	uint8_t hardirq, softirq, nmi, bh_off;
};

/** struct otst_tf_mark - what stands before a duration that is longer than @ns; the last has no @sign */
struct otst_tf_mark {
	uint64_t ns;
	char sign;
};

/**
 * struct otst_tf_kernel - how this kernel prints
 * @kinds: by enum trace_type; what is not in it is an event when it is not below @first_event
 * @legend, @flags: columns, and bits of the flags in them
 * @pid_width: of the task column: 7, 5 in old kernels
 * @state_chars: letters of a state's bits, of kernels whose entries have the mask; else NULL
 * @ret_equals: return values are printed as "ret=", else as "= "
 * @retaddr: entries of function_graph may have return addresses
 * @marker: FTRACE_TRAMPOLINE_MARKER, 0 when it is none
 * @kretprobe: return trampoline; @kretprobe_by_name: kernels that compare its name
 * @irq_start, @irq_end: __irqentry_text
 * @sched_clock_generic: CONFIG_GENERIC_SCHED_CLOCK
 * @marks, @latency_marks: of long durations, the longest first: in function_graph, in the latency format
 * @rel_time: function_graph has relative times; tracers of latencies show these, else absolute ones
 * @graph_wide: its flags have a column with blanks around it
 * @graph_plain: its interrupts have no flags, leaves in them no mark, and bputs their whole text
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

/** otst_tf_kernel_read() - find that out (layout.c); 0 or what ends a command */
int otst_tf_kernel_read(struct otst *o, struct otst_tf_kernel *ret);

/** struct otst_tf_options - of the trace array, as in trace_options */
struct otst_tf_options {
	bool print_parent;
	bool sym_offset;
	bool sym_addr;
	bool verbose;
	bool printk; /**< always on where there is no such option */
	bool printk_msgonly;
	bool context_info;
	bool latency_fmt;
	bool latency_file; /**< that, and the file knows it */
	bool irq_info;
	bool record_tgid;
	bool annotate;
	bool raw;
	bool hex;
};

/* options of function_graph, by their names: the kernel's own bits (TRACE_GRAPH_PRINT_*) move */
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
 * otst_tf_graph_options() - those that are on in the struct tracer_flags at @addr, added to @ret
 *
 * Return: 0, or an error after which @ret has those that were read.
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
 * @peek: the record that comes next on a cpu, as otst_reader_peek()
 * @graph: state of function_graph for each of @nr_cpus cpus; NULL when the tracer is another
 * @graph_flags: its options
 * @delta: added to addresses of a boot before
 * @index: number of the entry, from 0
 * @drop: by cpu: the next record was printed already, with the one before it
 * @started: by cpu: has printed something; @skipped: by cpu: has entries older than @time_start
 * @overruns: entries were written over
 * @events: how events are printed, by their ids
 * @lines: what other threads print, or NULL
 * @resets: so often a name or columns that were handed out became invalid
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
	int err; /**< of a printer, when it ends the command */
};

#define OTST_TF_EVENT_TEXT 16384u
#define OTST_TF_TEXT_ROOM  (128u * 1024) /* of @t */

/** otst_tf_init() - caches and per-cpu state for @tf->nr_cpus cpus; @tf->kernel is read already */
int otst_tf_init(struct otst_tf *tf);

/** otst_tf_record() - append the lines of one record (line.c) */
void otst_tf_record(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_body() - what the entry's own print function prints, its newline included (line.c) */
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
 * @name_len: 0 when there is none
 * @matched: the caller's, 0 at first
 * @text: what otst_tf_ip() prints, @len bytes; 0 when that is longer
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

/** struct otst_tf_names - a cache, by a hash of the address; emptied when @used slots are too many */
struct otst_tf_names {
	struct otst_tf_name slots[1u << OTST_TF_NAME_BITS];
	unsigned int used;
};

struct otst_tf_names *otst_tf_names_create(struct otst *o);

/** otst_tf_slot() - the first slot of @key in a cache of 1 << @bits */
static inline size_t otst_tf_slot(uint64_t key, unsigned int bits)
{
	return (key * 0x9e3779b97f4a7c15u) >> (64 - bits);
}

/** otst_tf_name_find() - otst_tf_name() where the first slot has another address */
struct otst_tf_name *otst_tf_name_find(struct otst_tf *tf, uint64_t addr);

/** otst_tf_name() - the symbol at @addr; valid while @tf->resets stays what it is */
static inline struct otst_tf_name *otst_tf_name(struct otst_tf *tf, uint64_t addr)
{
	struct otst_tf_name *n = &tf->names->slots[otst_tf_slot(addr, OTST_TF_NAME_BITS)];

	return n->addr == addr ? n : otst_tf_name_find(tf, addr);
}

/** otst_tf_ip_named() - otst_tf_ip() of an address whose name is @n */
void otst_tf_ip_named(struct otst_tf *tf, const struct otst_tf_name *n, bool offset);

/** otst_tf_ip() - seq_print_ip_sym(): by the array's sym-offset and sym-addr, @offset sets the first */
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

/** otst_tf_columns() - those of @r, valid while @tf->resets stays what it is; NULL when they are of no use again */
const struct otst_tf_columns *otst_tf_columns(struct otst_tf *tf, const struct otst_record *r);

/** struct otst_tf_secs - "%5lu." of @secs; the time of most entries differs behind them alone */
struct otst_tf_secs {
	uint64_t secs;
	uint32_t len;
	char text[OTST_TEXT_BLOCK];
};

#define OTST_TF_NS_MOST (OTST_TEXT_BLOCK + 6u)

/** otst_tf_put_ns() - seconds and microseconds at @to, where there is room for OTST_TF_NS_MOST bytes; their end */
char *otst_tf_put_ns(char *to, struct otst_tf_secs *s, uint64_t ts);

void otst_tf_lat_fmt(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_time(struct otst_tf *tf, uint64_t ts);
void otst_tf_context(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_lat_context(struct otst_tf *tf, const struct otst_record *r);
/** otst_tf_sign() - trace_find_mark(): how long @ns is, by @marks */
char otst_tf_sign(const struct otst_tf_mark *marks, uint64_t ns);

/* ---- event.c: trace events ---- */

/**
 * struct otst_tf_event - how events of one id are printed
 * @format: NULL when this kernel has no such event
 * @name_len: of the format's name, 0 when it is not printed
 * @alone: otst_tf_put_event() may print them; else NULL
 */
struct otst_tf_event {
	const struct otst_event_format *format;
	const struct otst_plan *alone;
	size_t name_len;
	bool known;
};

struct otst_tf_events *otst_tf_events_create(struct otst *o);

/** otst_tf_event() - events with @id; NULL when @tf->err has what ends the command */
const struct otst_tf_event *otst_tf_event(struct otst_tf *tf, uint16_t id);

/* room for what otst_tf_put_event() prints, a name and its text */
#define OTST_TF_EVENT_MOST (OTST_TF_EVENT_TEXT + 2048u)

/** otst_tf_put_event() - the text of a record with its newline at @to, its end; on any thread */
char *otst_tf_put_event(char *to, const struct otst_tf *tf, const struct otst_tf_event *e,
			const uint8_t *data, uint32_t size);

/** otst_tf_event_line() - the same of all events, on the engine's */
void otst_tf_event_line(struct otst_tf *tf, const struct otst_record *r);

/* ---- lines.c: lines that other threads print ---- */

/** otst_tf_lines_create() - set @tf->lines where the target has threads, and the file lines for them */
int otst_tf_lines_create(struct otst_tf *tf, struct otst_printer *p);

/** otst_tf_line() - the line of @r comes behind what is in @tf->t; false: not for other threads */
bool otst_tf_line(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_lines_settle() - names and columns that were handed out become invalid: no line needs them any more */
void otst_tf_lines_settle(struct otst_tf *tf);

/** otst_tf_lines_flush() - hand over what is in @tf->t, and the lines in it; @all: and print it */
void otst_tf_lines_flush(struct otst_tf *tf, bool all);

/* ---- printers of entries, each with the newline ---- */

void otst_tf_function(struct otst_tf *tf, const struct otst_record *r); /* function.c */
void otst_tf_repeats(struct otst_tf *tf, const struct otst_record *r);
/** otst_tf_args() - print_function_args(); @args is 0 when the entry has none */
void otst_tf_args(struct otst_tf *tf, const struct otst_record *r, uint32_t args, uint64_t func);
/** otst_tf_has_args() - does the entry have room for six arguments at @f */
bool otst_tf_has_args(const struct otst_record *r, struct otst_tf_field f);

/** otst_tf_graph() - print_graph_function_flags(); false: not for it (graph.c) */
bool otst_tf_graph(struct otst_tf *tf, const struct otst_record *r);

/* graph_columns.c */
#define OTST_GRAPH_FILL_FULL  (1u << 28)
#define OTST_GRAPH_FILL_START (2u << 28)
#define OTST_GRAPH_FILL_END   (3u << 28)
void otst_tf_graph_duration(struct otst_tf *tf, uint64_t duration, uint32_t fill);
void otst_tf_graph_prologue(struct otst_tf *tf, const struct otst_record *r, uint64_t addr);
void otst_tf_graph_irq(struct otst_tf *tf, const struct otst_record *r, uint64_t addr, bool entry);

void otst_tf_stack(struct otst_tf *tf, const struct otst_record *r); /* stacks.c */
void otst_tf_user_stack(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_message() - text of print, bprint and bputs alone; the last has its newline if it brought one (message.c) */
void otst_tf_message(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_print(struct otst_tf *tf, const struct otst_record *r);

/** otst_tf_state() - task_index_to_char(); task_state_char() of old kernels */
char otst_tf_state(const struct otst_tf *tf, uint64_t state);
void otst_tf_ctxwake(struct otst_tf *tf, const struct otst_record *r, bool wake); /* other.c */
void otst_tf_hwlat(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_osnoise(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_timerlat(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_raw_data(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_branch(struct otst_tf *tf, const struct otst_record *r);
/** otst_tf_mmio() - mmio_print_line(): what mmiotrace prints of any entry, maybe nothing */
void otst_tf_mmio(struct otst_tf *tf, const struct otst_record *r);

/* raw.c: whole lines by these options */
void otst_tf_raw(struct otst_tf *tf, const struct otst_record *r);
void otst_tf_hex(struct otst_tf *tf, const struct otst_record *r);

/* ---- header.c ---- */

/**
 * struct otst_tf_header - what the lines before the first entry say
 * @empty: there are no entries
 * @snapshot: it is the snapshot file, of a buffer that was @allocated
 * @single_cpu: of one cpu
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
	const char *member; /**< its buffer's wrapper */
};

void otst_tf_header(struct otst_tf *tf, const struct otst_tf_header *h);

/** otst_tf_preempt_model() - how the kernel preempts, as the header of a latency trace says it (preempt.c) */
void otst_tf_preempt_model(struct otst_tf *tf);

/* ---- json.c ---- */

/** otst_tf_json() - one object; calls and returns are not joined */
void otst_tf_json(struct otst_tf *tf, const struct otst_record *r, struct otst_printer *p,
		  const char *source, const char *array, const char *clock);

/** otst_entry_object - that object's description */
extern const struct otst_object otst_entry_object;

#endif /* OTST_TRACEFILE_PRINT_H */
