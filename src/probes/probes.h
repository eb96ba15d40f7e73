/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probes.h - what is armed on the kernel.
 *
 * Each file of this folder decodes one kernel mechanism into the structures
 * below and prints nothing. Memory belongs to the command's arena. Strings
 * are safe to print. A record that cannot be read stands in its list with its
 * error set; what could be read of it is filled in.
 */
#ifndef OTST_PROBES_H
#define OTST_PROBES_H

#include "../target/target.h"

/* ---- text evidence (evidence.c) ---- */

#define OTST_TEXT_BYTES	16u

/** enum otst_seen - what stands in the kernel text at a probed address */
enum otst_seen {
	OTST_SEEN_UNREADABLE,	/**< the text is not in the dump */
	OTST_SEEN_UNTOUCHED,	/**< an instruction, or the nop of an ftrace site */
	OTST_SEEN_INT3,		/**< breakpoint */
	OTST_SEEN_JUMP,		/**< jump to a kprobe's detour buffer */
	OTST_SEEN_CALL,		/**< call at an ftrace site */
};

/**
 * struct otst_evidence - kernel text at one address
 * @seen: what it amounts to
 * @target: where the jump or call goes, 0 when there is none
 * @target_name: symbol or what the target is ("detour buffer", "trampoline of ..."); NULL when unknown
 * @found: bytes in the dump, @nr_found of them
 * @built: bytes of the image file, @nr_built of them; 0 when there is no file
 */
struct otst_evidence {
	enum otst_seen seen;
	uint64_t target;
	const char *target_name;
	unsigned char found[OTST_TEXT_BYTES];
	unsigned int nr_found;
	unsigned char built[OTST_TEXT_BYTES];
	unsigned int nr_built;
};

/** otst_evidence() - look at the kernel text at @addr; never fails, unread is @ret->seen UNREADABLE */
void otst_evidence(struct otst *o, uint64_t addr, struct otst_evidence *ret);

/** otst_seen_name() - "int3", "jump", "call", "untouched", "unreadable" */
const char *otst_seen_name(enum otst_seen seen);

/* ---- probes (kprobe.c, kretprobe.c, owner.c, kinds.c) ---- */

/** enum otst_probe_kind - rows of the table in kinds.c */
enum otst_probe_kind {
	OTST_PROBE_KPROBE,	/**< struct kprobe */
	OTST_PROBE_KRETPROBE,	/**< struct kretprobe */
	OTST_PROBE_JPROBE,	/**< struct jprobe */
	OTST_PROBE_LEFTOVER,	/**< aggregate without users: its text patch waits to be undone */
	OTST_PROBE_KINDS,
};

/** struct otst_probe_kind_row - a kind for the user */
struct otst_probe_kind_row {
	const char *name;	/**< as -k takes it */
	char letter;		/**< as the kernel's kprobes/list prints it, or '-' */
	const char *what;
	const char *needs;	/**< kernel support */
};

/** otst_probe_kind() - the row of @kind */
const struct otst_probe_kind_row *otst_probe_kind(enum otst_probe_kind kind);

/** enum otst_claim - the state that the record claims */
enum otst_claim {
	OTST_CLAIM_UNKNOWN,
	OTST_CLAIM_ARMED,
	OTST_CLAIM_DISABLED,	/**< by its user */
	OTST_CLAIM_DISARMED,	/**< all kprobes are, through kprobes/enabled */
	OTST_CLAIM_GONE,	/**< its text was freed */
	OTST_CLAIM_UNUSED,	/**< nobody left, only the patch */
};

/** enum otst_via - how an armed probe gets control */
enum otst_via {
	OTST_VIA_NONE,
	OTST_VIA_INT3,
	OTST_VIA_JUMP,
	OTST_VIA_FTRACE,
};

/** otst_claim_name() - "armed", "disabled", "disarmed", "gone", "unused", "unknown" */
const char *otst_claim_name(enum otst_claim claim);

/** otst_via_name() - "int3", "jump", "ftrace", "none" */
const char *otst_via_name(enum otst_via via);

/** enum otst_owner_kind - who put a probe there */
enum otst_owner_kind {
	OTST_OWNER_UNKNOWN,
	OTST_OWNER_MODULE,
	OTST_OWNER_EVENT,	/**< kprobe event of tracefs */
	OTST_OWNER_PERF,	/**< perf's or BPF's local probe */
	OTST_OWNER_SYSTEMTAP,
	OTST_OWNER_KERNEL,	/**< built-in code */
};

/**
 * struct otst_owner - who put a probe there
 * @name: module, "group:event", or symbol of the built-in handler; NULL when unknown
 * @reason: why it is unknown, else NULL
 * @is_return: the event is of type r
 */
struct otst_owner {
	enum otst_owner_kind kind;
	const char *name;
	const char *reason;
	bool is_return;
};

/** otst_owner_kind_name() - "module", "event", "perf", "systemtap", "kernel", "unknown" */
const char *otst_owner_kind_name(enum otst_owner_kind kind);

/** struct otst_handler - one function of a probe; @role as the kernel's member is called */
struct otst_handler {
	const char *role;
	uint64_t addr;		/**< never 0 */
	struct otst_sym sym;
};

#define OTST_HANDLERS	6

/**
 * struct otst_kretprobe - what a kretprobe has more than a kprobe
 * @pool: how instances are kept: "hlist", "freelist", "rethook", "objpool"
 * @in_use: calls that have not returned; valid when @in_use_known
 */
struct otst_kretprobe {
	const char *pool;
	int64_t maxactive;
	uint64_t nmissed;
	uint64_t data_size;
	uint64_t instances;
	uint64_t in_use;
	bool in_use_known;
};

/**
 * struct otst_probe - one user's probe
 * @record: address of the struct kprobe (the one inside a kretprobe, jprobe)
 * @node: address of the record in kprobe_table: @record, or its aggregate
 * @place: where it was found, "kprobe_table[17]"
 * @addr: probed address
 * @flags: of @record; @node_flags: of @node
 * @queue: optimizer queue that it waits in: "optimizing", "unoptimizing", "freeing", or NULL
 * @disagree: why claim and text do not fit, or NULL
 * @saved: bytes that the record keeps of the original text, @nr_saved of them
 * @slot: out-of-line copy, 0 when none; @detour: detour buffer, 0 when none
 * @hits: valid when @hits_known
 * @error: what could not be read, or NULL
 */
struct otst_probe {
	enum otst_probe_kind kind;
	uint64_t record;
	uint64_t node;
	const char *place;
	uint64_t addr;
	struct otst_sym sym;
	const char *symbol_name;	/**< as registered, or NULL */
	uint64_t offset;		/**< as registered */
	uint32_t flags;
	uint32_t node_flags;
	enum otst_claim claim;
	enum otst_via via;
	const char *queue;
	struct otst_evidence evidence;
	const char *disagree;
	unsigned char saved[OTST_TEXT_BYTES];
	unsigned int nr_saved;
	uint64_t slot;
	uint64_t detour;
	struct otst_handler handlers[OTST_HANDLERS];
	unsigned int nr_handlers;
	struct otst_owner owner;
	uint64_t nmissed;
	uint64_t hits;
	bool hits_known;
	struct otst_kretprobe *ret;	/**< NULL when not a kretprobe */
	const char *error;
};

/**
 * struct otst_probes - probes in the order of the kernel's kprobes/list
 * @items: pointers
 * @errors: what could not be walked, as messages, @nr_errors of them
 */
struct otst_probes {
	struct otst_probe **items;
	size_t count;
	const char **errors;
	size_t nr_errors;
	bool all_disarmed;
};

/**
 * otst_kprobes() - all users' probes of kprobe_table (kernel/kprobes.c)
 *
 * Return: 0, also when some records are bad; LOOKUP when the kernel has no
 * kprobes; or what ends a command.
 */
int otst_kprobes(struct otst *o, struct otst_probes *ret);

/* ---- helpers between the files of this folder ---- */

/** otst_kretprobe() - fill @p from the struct kretprobe around its kprobe (kretprobe.c) */
int otst_kretprobe(struct otst *o, struct otst_probe *p);

/** otst_owner() - find out who put @p there from its handlers (owner.c) */
int otst_owner(struct otst *o, struct otst_probe *p);

/** otst_handler_add() - note a handler unless @addr is 0 */
void otst_handler_add(struct otst *o, struct otst_probe *p, const char *role, uint64_t addr);

/** otst_handler_is() - is @addr the start of the kernel function @name, compiler suffixes aside */
bool otst_handler_is(struct otst *o, uint64_t addr, const char *name);

/* ---- ftrace (ftrace.c) ---- */

/** struct otst_flag - one bit by name */
struct otst_flag {
	uint64_t bit;		/**< mask */
	const char *name;
};

/**
 * otst_flags() - names of the bits of @value
 * @names: enumerators of the kernel without their prefix, NULL-terminated
 * @prefix: "FTRACE_OPS_FL_"
 *
 * Return: "ENABLED|DYNAMIC|0x400000" in the arena; bits that no enumerator
 * names come last as a number; "0" for none.
 */
const char *otst_flags(struct otst *o, uint64_t value, const char *prefix, const char *const *names);

/**
 * struct otst_hash - a filter of an ftrace_ops (struct ftrace_hash)
 * @empty: none, or no entries: a filter then means every function, a notrace none
 * @ips: its addresses in the kernel's bucket order, @count of them
 * @error: or NULL
 */
struct otst_hash {
	bool empty;
	uint64_t *ips;
	size_t count;
	const char *error;
};

/**
 * struct otst_ftrace_ops - one struct ftrace_ops
 * @addr: the record
 * @name: its symbol, or NULL for a dynamic one
 * @func: the callback as called; @saved_func: the user's when @func is a wrapper, else 0
 * @trampoline: 0 when none; @trampoline_size
 * @direct: address that the functions call directly, 0 when none
 * @manager: ops that this is a sub-op of, 0 when none
 */
struct otst_ftrace_ops {
	uint64_t addr;
	struct otst_sym sym;
	uint64_t func;
	struct otst_sym func_sym;
	uint64_t saved_func;
	struct otst_sym saved_func_sym;
	uint64_t flags;
	const char *flag_names;
	uint64_t trampoline;
	uint64_t trampoline_size;
	uint64_t direct;
	uint64_t manager;
	uint64_t private;
	struct otst_owner owner;
	struct otst_hash filter;
	struct otst_hash notrace;
	const char *error;
};

/**
 * struct otst_ftrace_list - all registered ftrace_ops, in the order of the
 * kernel's list, sub-ops behind their manager
 */
struct otst_ftrace_list {
	struct otst_ftrace_ops **items;
	size_t count;
	const char **errors;
	size_t nr_errors;
	bool enabled;		/**< ftrace_enabled */
	bool dead;		/**< ftrace_disabled: ftrace shut itself down after a bug */
};

/** otst_ftrace_ops_list() - walk ftrace_ops_list (kernel/trace/ftrace.c); hashes only when @hashes */
int otst_ftrace_ops_list(struct otst *o, bool hashes, struct otst_ftrace_list *ret);

/** struct otst_ftrace_site - one struct dyn_ftrace */
struct otst_ftrace_site {
	uint64_t record;
	uint64_t ip;
	uint64_t flags;
};

/**
 * otst_ftrace_sites() - every record of ftrace_pages_start, read once per command
 * @ret: sorted by page group as the kernel has them; @count of them
 */
int otst_ftrace_sites(struct otst *o, const struct otst_ftrace_site **ret, size_t *count);

/** otst_ftrace_site_at() - is @ip an ftrace site; @ret may be NULL */
bool otst_ftrace_site_at(struct otst *o, uint64_t ip, struct otst_ftrace_site *ret);

/* ---- tracers (tracer.c) ---- */

/** struct otst_tracer - one struct tracer */
struct otst_tracer {
	uint64_t addr;
	const char *name;
	uint64_t init;
	struct otst_sym init_sym;
	uint64_t flags;			/**< tracer.flags, a pointer to its options */
	const char *const *options;	/**< option names, "no" before those that are off, NULL-terminated */
	const char *const *current_in;	/**< trace arrays where it is current ("top" for the global one), NULL-terminated */
	const char *error;
};

/** struct otst_cpu_buffer - one cpu's ring buffer; counters as per_cpu/cpuN/stats prints them */
struct otst_cpu_buffer {
	unsigned int cpu;
	uint64_t nr_pages;
	uint64_t size;			/**< bytes, as buffer_size_kb counts them */
	uint64_t entries;		/**< unread events */
	uint64_t overrun;
	uint64_t commit_overrun;
	uint64_t dropped;
	uint64_t read;
	uint64_t bytes;
	uint64_t record_disabled;
	const char *error;
};

/** struct otst_trace_array - one struct trace_array */
struct otst_trace_array {
	uint64_t addr;
	const char *name;		/**< NULL for the top one */
	const char *tracer;		/**< current tracer's name */
	const char *clock;
	bool recording;			/**< all switches let events in */
	const char *const *switches;	/**< those that are off, NULL-terminated */
	bool tracing_on;		/**< as the tracing_on file reads */
	struct otst_cpu_buffer *cpus;
	size_t nr_cpus;
	bool snapshot_known;		/**< the kernel has snapshots */
	bool snapshot_allocated;
	struct otst_cpu_buffer *snapshot;
	size_t nr_snapshot;
	const char *error;
};

/** struct otst_tracing - trace_types and ftrace_trace_arrays */
struct otst_tracing {
	struct otst_tracer **tracers;
	size_t nr_tracers;
	struct otst_trace_array **arrays;
	size_t nr_arrays;
	const char **errors;
	size_t nr_errors;
	bool disabled;			/**< tracing_disabled: tracing shut itself down */
};

/** otst_tracing() - tracers and trace arrays (kernel/trace/trace.c) */
int otst_tracing(struct otst *o, struct otst_tracing *ret);

#endif /* OTST_PROBES_H */
