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

#define OTST_TEXT_BYTES 16u

/** enum otst_seen - what stands in the kernel text at a probed address */
enum otst_seen {
	OTST_SEEN_UNREADABLE, /**< the text is not in the dump */
	OTST_SEEN_NONE,	      /**< no kernel text belongs to it */
	OTST_SEEN_UNTOUCHED,  /**< an instruction, or the nop of an ftrace site */
	OTST_SEEN_INT3,	      /**< breakpoint */
	OTST_SEEN_JUMP, /**< jump to a kprobe's detour buffer, to a direct trampoline, or of a jump label */
	OTST_SEEN_CALL,	    /**< call at an ftrace site */
	OTST_SEEN_REGISTER, /**< no text: a debug register of a cpu has the address */
};

/**
 * struct otst_evidence - kernel text at one address
 * @seen: what it amounts to
 * @target: where the jump or call goes, 0 when there is none
 * @target_name: symbol or what the target is ("detour buffer", "trampoline of ..."); NULL when unknown
 * @found: bytes in the dump, @nr_found of them
 * @built: bytes of the image file, or the module's, @nr_built of them; 0 when there is no file
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

/**
 * otst_evidence() - look at the kernel text at @addr
 * @detour: detour buffer of the probe there, 0 when it has none or it is unknown
 * @ret: unread text is @ret->seen UNREADABLE; never fails
 */
void otst_evidence(struct otst *o, uint64_t addr, uint64_t detour, struct otst_evidence *ret);

/** otst_seen_name() - "int3", "jump", "call", "register", "untouched", "none", "unreadable" */
const char *otst_seen_name(enum otst_seen seen);

/* ---- probes (kinds.c; a file for each mechanism) ---- */

/** enum otst_probe_kind - rows of the table in kinds.c */
enum otst_probe_kind {
	OTST_PROBE_KPROBE,	 /**< struct kprobe */
	OTST_PROBE_KRETPROBE,	 /**< struct kretprobe */
	OTST_PROBE_JPROBE,	 /**< struct jprobe */
	OTST_PROBE_OTST,	 /**< kprobe of an otst module: one stack trace */
	OTST_PROBE_ALLIE,	 /**< kprobe of an allie module: so many stack traces */
	OTST_PROBE_LEFTOVER,	 /**< aggregate without users: its text patch waits to be undone */
	OTST_PROBE_FPROBE,	 /**< one function of a struct fprobe */
	OTST_PROBE_KPROBE_MULTI, /**< one function of a BPF program's kprobe_multi link */
	OTST_PROBE_FENTRY,	 /**< a BPF program at the entry of a function */
	OTST_PROBE_FEXIT,	 /**< at its return */
	OTST_PROBE_FMOD_RET,	 /**< in the place of its return value */
	OTST_PROBE_LSM,		 /**< on a security hook */
	OTST_PROBE_FREPLACE,	 /**< a BPF program in the place of another one */
	OTST_PROBE_UPROBE,	 /**< one consumer of a struct uprobe */
	OTST_PROBE_UPROBE_MULTI, /**< the same, of a BPF program's uprobe_multi link */
	OTST_PROBE_LIVEPATCH,	 /**< one function of a live patch */
	OTST_PROBE_TRACEPOINT,	 /**< one callback of a struct tracepoint */
	OTST_PROBE_SYSCALL,	 /**< perf or a BPF program on one system call */
	OTST_PROBE_HWBREAKPOINT, /**< a debug register watches an address */
	OTST_PROBE_PERF_EVENT,	 /**< a BPF program on the samples of an event of perf */
	OTST_PROBE_STAP, /**< a probe of a SystemTap script that is none of these: a timer */
	OTST_PROBE_KINDS,
};

struct otst_probes;

/**
 * A mechanism appends all its probes to @ret.
 *
 * Return: 0, also when some records are bad; LOOKUP when the kernel does not
 * have the mechanism; or what ends a command.
 */
typedef int otst_collect_fn(struct otst *o, struct otst_probes *ret);

/** struct otst_probe_kind_row - a kind for the user */
struct otst_probe_kind_row {
	const char *name; /**< as -k takes it */
	char letter;	  /**< as the kernel's kprobes/list prints it, or '-' */
	const char *what;
	const char *needs;	  /**< kernel support */
	otst_collect_fn *collect; /**< may find several kinds */
};

/** otst_probe_kind() - the row of @kind */
const struct otst_probe_kind_row *otst_probe_kind(enum otst_probe_kind kind);

/** enum otst_claim - the state that the record claims */
enum otst_claim {
	OTST_CLAIM_UNKNOWN,
	OTST_CLAIM_ARMED,
	OTST_CLAIM_DISABLED, /**< by its user */
	OTST_CLAIM_DISARMED, /**< all kprobes are, through kprobes/enabled */
	OTST_CLAIM_GONE,     /**< its text was freed */
	OTST_CLAIM_UNUSED,   /**< nobody left, only the patch */
	OTST_CLAIM_REMOVED,  /**< known to its module, but in no table of the kernel any more */
};

/** enum otst_via - how an armed probe gets control */
enum otst_via {
	OTST_VIA_NONE,
	OTST_VIA_INT3,
	OTST_VIA_JUMP,
	OTST_VIA_FTRACE,
};

/** otst_claim_name() - "armed", "disabled", "disarmed", "gone", "unused", "removed", "unknown" */
const char *otst_claim_name(enum otst_claim claim);

/** otst_via_name() - "int3", "jump", "ftrace", "none" */
const char *otst_via_name(enum otst_via via);

/** enum otst_owner_kind - who put a probe there */
enum otst_owner_kind {
	OTST_OWNER_UNKNOWN,
	OTST_OWNER_MODULE,
	OTST_OWNER_EVENT, /**< event of tracefs */
	OTST_OWNER_PERF,  /**< perf's or BPF's local probe */
	OTST_OWNER_SYSTEMTAP,
	OTST_OWNER_KERNEL,  /**< built-in code */
	OTST_OWNER_TRACER,  /**< a tracer of a trace array */
	OTST_OWNER_KPROBES, /**< kprobes at ftrace sites */
	OTST_OWNER_FPROBE,  /**< fprobe; the name is its user's */
	OTST_OWNER_LIVEPATCH,
	OTST_OWNER_BPF, /**< BPF trampoline */
};

/**
 * struct otst_owner - who put a probe there
 * @name: module, "group:event", or symbol of the built-in handler; NULL when unknown
 * @reason: why it is unknown, else NULL
 * @letter: type of an event of tracefs's dynamic events, 'p' or 'r'; 0 for others
 * @script: the file that a SystemTap module was made of; NULL when unknown
 */
struct otst_owner {
	enum otst_owner_kind kind;
	const char *name;
	const char *reason;
	char letter;
	const char *script;
};

/** otst_owner_kind_name() - "module", "event", "perf", "systemtap", "kernel", "unknown" */
const char *otst_owner_kind_name(enum otst_owner_kind kind);

/** struct otst_fact - what only one kind of probe has: @text, or @number when that is NULL */
struct otst_fact {
	const char *name; /**< "priority": a word, also the key in JSON */
	const char *text;
	int64_t number;
};

/**
 * struct otst_program - a BPF program (struct bpf_prog)
 * @name: as loaded, up to 15 characters; "" when it has none
 * @tag: as bpftool prints it; NULL when unknown
 * @type: enum bpf_prog_type
 */
struct otst_program {
	uint64_t addr;
	uint32_t id;
	uint32_t type;
	const char *name;
	const char *tag;
};

/** struct otst_handler - one function of a probe; @role as the kernel's member is called */
struct otst_handler {
	const char *role;
	uint64_t addr; /**< never 0 */
	struct otst_sym sym;
};

#define OTST_HANDLERS 6

struct otst_stap;
struct otst_stap_row;

/**
 * struct otst_probe_stap - what a probe is to SystemTap (stap.h)
 * @session: its module; never NULL
 * @row: the probe of its script, NULL when unknown
 */
struct otst_probe_stap {
	const struct otst_stap *session;
	const struct otst_stap_row *row;
};

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
 * @addr: probed address, 0 when it is none of the kernel's text
 * @target: what is probed, where that has no address: "sched_switch"; else NULL
 * @flags: of @record; @node_flags: of @node
 * @queue: optimizer queue that it waits in: "optimizing", "unoptimizing", "freeing", or NULL
 * @disagree: why claim and text do not fit, or NULL
 * @saved: bytes that the record keeps of the original text, @nr_saved of them
 * @slot: out-of-line copy, 0 when none; @detour: detour buffer, 0 when none
 * @hits: valid when @hits_known
 * @stap: a probe of a SystemTap script, else NULL
 * @programs: vector of struct otst_program: BPF programs that it runs
 * @facts: vector of struct otst_fact
 * @at_return: of a BPF trampoline: it runs when the function returns
 * @link: where the probes of one function are chained: its link, 0 when they are not; @next_link:
 *	that of the one that runs after it, 0 for none
 * @error: what could not be read, or NULL
 */
struct otst_probe {
	enum otst_probe_kind kind;
	uint64_t record;
	uint64_t node;
	const char *place;
	uint64_t addr;
	struct otst_sym sym;
	const char *target;
	const char *symbol_name; /**< as registered, or NULL */
	uint64_t offset;	 /**< as registered; of a uprobe, in its file */
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
	struct otst_kretprobe *ret;   /**< NULL when not a kretprobe */
	struct otst_catcher *catcher; /**< of kinds otst and allie (catcher.h), else NULL */
	struct otst_probe_stap *stap;
	struct otst_vec programs;
	struct otst_vec facts;
	bool at_return;
	uint64_t link;
	uint64_t next_link;
	const char *error;
};

/**
 * struct otst_probes - probes in the order of the kernel's own listing or table
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
 * otst_probes() - probes of all mechanisms, kind by kind
 * @wanted: names of kinds, NULL-terminated; or NULL for all
 *
 * Mechanisms that the kernel does not have are left out quietly, unless it is
 * the only kind that was asked for.
 *
 * Return: 0, also when some records are bad; LOOKUP; or what ends a command.
 */
int otst_probes(struct otst *o, const char *const *wanted, struct otst_probes *ret);

otst_collect_fn otst_kprobes;	     /* kprobe.c: all users' probes of kprobe_table */
otst_collect_fn otst_fprobes;	     /* fprobe.c: all functions of all fprobes */
otst_collect_fn otst_trampolines;    /* trampoline.c: all programs on all BPF trampolines */
otst_collect_fn otst_uprobes;	     /* uprobe.c: all consumers of all uprobes */
otst_collect_fn otst_livepatches;    /* livepatch.c: all functions of all live patches */
otst_collect_fn otst_syscall_events; /* syscall_event.c: all system calls that perf watches */
otst_collect_fn otst_perf_probes; /* hw_breakpoint.c: breakpoints and programs on perf's events */
otst_collect_fn otst_tracepoints; /* tracepoint.c: all callbacks of all tracepoints */
otst_collect_fn otst_stap_others; /* stap_probe.c: what SystemTap's scripts have beside these */

/**
 * otst_probe_add() - a new probe in a vector of pointers (probe.c)
 * @place: where it was found
 *
 * Return: NULL when out of memory, raised.
 */
struct otst_probe *otst_probe_add(struct otst *o, struct otst_vec *probes,
				  enum otst_probe_kind kind, uint64_t record, const char *place);

/** otst_probes_of() - a collector's result: vectors of struct otst_probe * and of messages (probe.c) */
struct otst_probes otst_probes_of(const struct otst_vec *probes, const struct otst_vec *errors);

/** otst_probe_fact() - note a fact: @text, or @number when that is NULL; 0 or NOMEM */
int otst_probe_fact(struct otst *o, struct otst_probe *p, const char *name, const char *text,
		    int64_t number);

/** otst_probe_error() - keep the first error of a record with it; what ends a command goes up */
int otst_probe_error(struct otst *o, struct otst_probe *p, int err);

/* ---- kprobes being handled (ctlblk.c) ---- */

/**
 * struct otst_ctlblk - what one cpu does about kprobes
 * @addr: struct kprobe_ctlblk, 0 when the kernel has none
 * @current: struct kprobe that it is handling, 0 for none; @instance: of its users the one at work, or 0
 * @status: kprobe_status; @before, @before_status: the probe whose handling was interrupted; of
 *	use only while @status is REENTER
 * @has_jprobe: the kernel has jprobes: @regs are those of the last one's function, at its
 *	entry (enum otst_reg; all 0 when there was none), @saved_sp where its return address
 *	lies, @stack what followed there, @stack_len bytes of room
 */
struct otst_ctlblk {
	uint64_t addr;
	uint64_t current;
	uint64_t instance;
	uint64_t status;
	uint64_t before;
	uint64_t before_status;
	bool has_jprobe;
	uint64_t regs[OTST_REGS];
	uint64_t saved_sp;
	const unsigned char *stack;
	size_t stack_len;
};

/** otst_ctlblk() - read @cpu's; 0, also when it handles nothing; FAULT, CORRUPT */
int otst_ctlblk(struct otst *o, unsigned int cpu, struct otst_ctlblk *ret);

/** otst_ctlblk_probe() - the probe of @probes that is being handled; NULL when there is none or it is not among them */
const struct otst_probe *otst_ctlblk_probe(const struct otst_probes *probes,
					   const struct otst_ctlblk *b);

/** otst_ctlblk_status() - "HIT_ACTIVE", "HIT_SS", "REENTER", "HIT_SSDONE"; NULL for anything else */
const char *otst_ctlblk_status(uint64_t status);

/* ---- helpers between the files of this folder ---- */

/** otst_kretprobe() - fill @p from the struct kretprobe around its kprobe (kretprobe.c) */
int otst_kretprobe(struct otst *o, struct otst_probe *p);

/** otst_owner() - find out who put @p there from its handlers (owner.c) */
int otst_owner(struct otst *o, struct otst_probe *p);

/** otst_handler_add() - note a handler unless @addr is 0 */
void otst_handler_add(struct otst *o, struct otst_probe *p, const char *role, uint64_t addr);

/**
 * otst_event_call_type() - how this kernel calls struct trace_event_call, and
 * its neighbours: struct ftrace_event_call and so on up to 4.1 (event_file.c)
 */
const char *otst_event_call_type(struct otst *o);
const char *otst_event_class_type(struct otst *o);
const char *otst_event_file_type(struct otst *o);

/**
 * otst_event_owner() - @p belongs to a dynamic event, or to perf's local one (event.c)
 * @type: the structure around its record: "trace_kprobe", "trace_uprobe"; @at: its address
 * @letter: 'p' or 'r'
 */
int otst_event_owner(struct otst *o, struct otst_probe *p, const char *type, uint64_t at,
		     char letter);

/** otst_probe_program() - @p runs the struct bpf_prog at @prog (bpf.c) */
int otst_probe_program(struct otst *o, struct otst_probe *p, uint64_t prog);

/**
 * otst_bpf_on_event() - programs that hang on a trace event (bpf.c)
 * @type: structure at @at; @call: prefix of the path to its trace_event_call: "call.", or ""
 *
 * A probe that was perf's belongs to the program then.
 */
int otst_bpf_on_event(struct otst *o, const char *type, uint64_t at, const char *call,
		      struct otst_probe *p);

/** otst_bpf_owner() - @p belongs to the struct bpf_prog at @prog (bpf.c) */
int otst_bpf_owner(struct otst *o, uint64_t prog, struct otst_probe *p);

/** otst_fprobe_owner() - whose the struct fprobe at @fp is; false when it cannot be told (fprobe.c) */
bool otst_fprobe_owner(struct otst *o, uint64_t fp, struct otst_owner *ret);

/** otst_owner_of_code() - the module or built-in function that @addr lies in */
void otst_owner_of_code(struct otst *o, uint64_t addr, struct otst_owner *ret);

/** otst_handler_is() - is @addr the start of the kernel function @name, compiler suffixes aside */
bool otst_handler_is(struct otst *o, uint64_t addr, const char *name);

/* ---- ftrace (ftrace.c, ftrace_hash.c, ftrace_names.c, ftrace_owner.c) ---- */

/**
 * otst_flags() - names of the bits of @value
 * @names: enumerators of the kernel without their prefix, NULL-terminated
 * @prefix: "FTRACE_OPS_FL_"
 *
 * Return: "ENABLED|DYNAMIC|0x400000" in the arena; bits that no enumerator
 * names come last as a number; "0" for none. Never NULL.
 */
const char *otst_flags(struct otst *o, uint64_t value, const char *prefix,
		       const char *const *names);

/**
 * otst_symbolize_all() - otst_symbolize(), then the two places where the
 * kernel's kallsyms_lookup() looks last: BPF images and the functions of
 * module init text that was freed (ftrace_mod_maps)
 *
 * What it finds there lives as long as the command.
 */
void otst_symbolize_all(struct otst *o, uint64_t addr, struct otst_sym *ret);

/**
 * struct otst_hash - a filter of an ftrace_ops (struct ftrace_hash)
 * @addr: the record, 0 when there is none
 * @empty: none, or no entries: a filter then means every function, a notrace none
 * @ips: its addresses in the kernel's bucket order, @count of them
 * @sorted: the same by address
 * @values: what each entry of @ips maps to; only in direct_functions, else NULL
 * @error: or NULL; @ips then has what could be read
 */
struct otst_hash {
	uint64_t addr;
	bool empty;
	uint64_t *ips;
	uint64_t *sorted;
	uint64_t *values;
	size_t count;
	const char *error;
};

/**
 * otst_hash_read() - read all buckets of the struct ftrace_hash at @addr
 * @values: read &ftrace_func_entry.direct as well
 *
 * Return: 0, also when buckets are bad (&otst_hash.error); or what ends a command.
 */
int otst_hash_read(struct otst *o, uint64_t addr, bool values, struct otst_hash *ret);

/**
 * otst_hash_read_values() - the same with another value of each entry
 * @of: structure that an entry is the beginning of, "ftrace_func_map"
 * @value: its member that goes to &otst_hash.values; NULL for none
 */
int otst_hash_read_values(struct otst *o, uint64_t addr, const char *of, const char *value,
			  struct otst_hash *ret);

/** otst_hash_has() - is @ip among the entries */
bool otst_hash_has(const struct otst_hash *h, uint64_t ip);

/**
 * struct otst_ftrace_ops - one struct ftrace_ops
 * @addr: the record
 * @sym: its symbol; @sym.addr is not @addr, or there is no name, for a dynamic one
 * @func: the callback as called; @saved_func: the user's when @func is a wrapper, else 0
 * @trampoline: 0 when none; @trampoline_size
 * @calls: what the trampoline calls, read from its text; 0 when unknown
 * @direct: address that all its functions call directly, 0 when none
 * @ops_func: asked by ftrace when others want the same functions, 0 when none
 * @manager: ops that calls this one in the place of ftrace itself, NULL when none:
 *	a sub-op (function graph), or a user of the old kernels' global and control lists
 * @entry: function graph: called at entry; @ret: and at return; 0 when it is none
 * @fprobe: its callback runs fprobes, whoever @owner is
 * @active: ftrace calls it: it is ENABLED, or hangs on a manager that is
 * @hashes_read: @filter and @notrace are known
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
	struct otst_sym trampoline_sym;
	uint64_t calls;
	struct otst_sym calls_sym;
	uint64_t direct;
	struct otst_sym direct_sym;
	uint64_t ops_func;
	const struct otst_ftrace_ops *manager;
	uint64_t entry;
	struct otst_sym entry_sym;
	uint64_t ret;
	struct otst_sym ret_sym;
	uint64_t private;
	struct otst_owner owner;
	bool fprobe;
	bool active;
	bool hashes_read;
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
	bool enabled; /**< ftrace_enabled */
	bool dead;    /**< ftrace_disabled: ftrace shut itself down after a bug */
};

/**
 * otst_ftrace_ops_list() - walk ftrace_ops_list (kernel/trace/ftrace.c)
 * @hashes: read the hashes too
 *
 * Return: 0, also when some records are bad; LOOKUP when the kernel has no
 * function tracing; or what ends a command.
 */
int otst_ftrace_ops_list(struct otst *o, bool hashes, struct otst_ftrace_list *ret);

/**
 * otst_ftrace_hashes() - filter and notrace of the struct ftrace_ops at @addr
 *
 * Return: 0, also when buckets are bad; or what kept the ops from being read.
 */
int otst_ftrace_hashes(struct otst *o, uint64_t addr, struct otst_hash *filter,
		       struct otst_hash *notrace);

/** otst_ftrace_ops_has() - kernel's hash_contains_ip(): would @ops be called for @ip */
bool otst_ftrace_ops_has(const struct otst_ftrace_ops *ops, uint64_t ip);

/**
 * otst_ftrace_caller_calls() - what the common trampoline calls now
 * @regs: ftrace_regs_caller instead of ftrace_caller
 *
 * Return: an address, 0 when it cannot be told (other architectures than x86).
 */
uint64_t otst_ftrace_caller_calls(struct otst *o, bool regs);

/** otst_ftrace_call_target() - where the x86 call instruction at @at goes, 0 when there is none */
uint64_t otst_ftrace_call_target(struct otst *o, uint64_t at);

/**
 * otst_ftrace_direct() - where the function at @ip jumps before all else (direct_functions)
 *
 * Return: the address as stored, 0 when it has none.
 */
uint64_t otst_ftrace_direct(struct otst *o, uint64_t ip);

/** otst_ftrace_owner() - find out whose @ops is (ftrace_owner.c) */
void otst_ftrace_owner(struct otst *o, struct otst_ftrace_ops *ops);

/* ---- ftrace sites (ftrace_sites.c) ---- */

/** struct otst_ftrace_site - one struct dyn_ftrace */
struct otst_ftrace_site {
	uint64_t record;
	uint64_t ip;
	uint64_t flags;
};

/** struct otst_ftrace_page - the records of one struct ftrace_page, sorted by address */
struct otst_ftrace_page {
	size_t first; /**< of @items */
	size_t count;
};

/**
 * struct otst_ftrace_sites - every record of ftrace_pages_start
 * @items: in the kernel's order: page by page
 * @pages: the kernel's struct ftrace_page, each sorted by address
 * @errors: pages that could not be read, as messages
 */
struct otst_ftrace_sites {
	const struct otst_ftrace_site *items;
	size_t count;
	const struct otst_ftrace_page *pages;
	size_t nr_pages;
	const char **errors;
	size_t nr_errors;
};

/**
 * otst_ftrace_sites() - read all records, once per command
 * @ret: in the command's arena
 *
 * Return: 0, also when some pages are bad; LOOKUP when the kernel has no
 * dynamic ftrace; or what ends a command.
 */
int otst_ftrace_sites(struct otst *o, const struct otst_ftrace_sites **ret);

/** otst_ftrace_site_at() - is @ip an ftrace site; @ret may be NULL */
bool otst_ftrace_site_at(struct otst *o, uint64_t ip, struct otst_ftrace_site *ret);

/**
 * otst_ftrace_location() - the ftrace site of the function at @addr
 *
 * Its first instruction, or what stands behind an ENDBR there.
 *
 * Return: the site; @addr itself when it has none.
 */
uint64_t otst_ftrace_location(struct otst *o, uint64_t addr);

/**
 * otst_ftrace_site_name() - "vfs_read", "lab_one [lab]" as the kernel's lists of
 * functions print it; never NULL
 */
const char *otst_ftrace_site_name(struct otst *o, uint64_t ip);

/* ---- functions that are hooked (ftrace_functions.c) ---- */

/**
 * struct otst_ftrace_bits - the bits of dyn_ftrace.flags in this kernel; 0 for what it has not
 * @count: mask of the reference count
 */
struct otst_ftrace_bits {
	uint64_t enabled;
	uint64_t regs;
	uint64_t regs_en;
	uint64_t tramp_en;
	uint64_t ipmodify;
	uint64_t direct;
	uint64_t direct_en;
	uint64_t call_ops;
	uint64_t call_ops_en;
	uint64_t modified;
	uint64_t count;
};

/**
 * struct otst_ftrace_function - a function whose record is enabled
 * @sym: by @site.ip
 * @offset: of @site.ip in @sym
 * @invalid: the kernel itself does not believe that a function starts there
 * @ops: all that hook it, @nr_ops of them, in the order of the list
 * @tramps: those of them whose trampoline it may call, @nr_tramps; only when it calls one
 * @calls: what the common trampoline calls for it; 0 when it has its own, or unknown
 * @unique: the ops that stands before the function's text (CALL_OPS), or NULL
 * @direct: address that it calls directly, 0 when none; @direct_jmp: jumps to
 */
struct otst_ftrace_function {
	struct otst_ftrace_site site;
	struct otst_sym sym;
	uint64_t offset;
	uint64_t count;
	bool invalid;
	struct otst_ftrace_ops **ops;
	size_t nr_ops;
	struct otst_ftrace_ops **tramps;
	size_t nr_tramps;
	uint64_t calls;
	const struct otst_sym *calls_sym;
	const struct otst_ftrace_ops *unique;
	uint64_t direct;
	bool direct_jmp;
	struct otst_sym direct_sym;
};

/**
 * struct otst_ftrace_functions - the kernel's enabled_functions, in its order
 * @sites: how many records there are in all
 * @bits: what the flags mean
 * @tramp_func: this kernel prints a trampoline's function, and those of all its ops
 * @subops: it prints sub-ops
 * @incomplete: not all ftrace_ops could be read: who hooks a function may be unknown
 */
struct otst_ftrace_functions {
	struct otst_ftrace_function *items;
	size_t count;
	size_t sites;
	struct otst_ftrace_bits bits;
	bool tramp_func;
	bool subops;
	bool incomplete;
	const char **errors;
	size_t nr_errors;
};

/**
 * otst_ftrace_functions() - all functions that are hooked
 * @list: read with its hashes
 * @want: NULL, or a filter: only sites for which it returns true
 * @priv: handed to @want
 */
int otst_ftrace_functions(struct otst *o, const struct otst_ftrace_list *list,
			  bool (*want)(void *priv, uint64_t ip, const struct otst_sym *sym),
			  void *priv, struct otst_ftrace_functions *ret);

/* ---- tracers (tracer.c, trace_array.c) ---- */

/**
 * struct otst_tracer - one struct tracer
 * @init: its init function, 0 when none
 * @flags: tracer.flags, a pointer to its options, 0 when none
 * @options: option names, "no" before those that are off, NULL-terminated
 * @current_in: trace arrays where it is current ("top" for the global one), NULL-terminated
 * @enabled: how many trace arrays it counts as using it
 */
struct otst_tracer {
	uint64_t addr;
	const char *name;
	uint64_t init;
	struct otst_sym init_sym;
	uint64_t flags;
	const char *const *options;
	const char *const *current_in;
	uint64_t enabled;
	const char *error;
};

/** struct otst_cpu_buffer - one cpu's ring buffer; counters as per_cpu/cpuN/stats prints them */
struct otst_cpu_buffer {
	unsigned int cpu;
	uint64_t addr; /**< struct ring_buffer_per_cpu, 0 when it could not be found */
	uint64_t nr_pages;
	uint64_t size;	  /**< bytes, as buffer_size_kb counts them */
	uint64_t entries; /**< unread events */
	uint64_t overrun;
	uint64_t commit_overrun;
	uint64_t dropped;
	uint64_t read;
	uint64_t bytes;
	uint64_t record_disabled;
	uint64_t disabled; /**< trace_array_cpu.disabled: a tracer holds it off */
	uint64_t skipped_entries; /**< older than the current tracer, when the trace file was last opened */
	const char *error;
};

/**
 * struct otst_trace_buffer - the ring buffers of a trace array
 * @addr: struct trace_buffer (ring_buffer before 5.10), 0 when there is none
 * @subbuf_size: bytes of a sub-buffer
 * @time_start: the trace file leaves out what is older
 * @cpus: those that have a buffer, @nr_cpus of them
 */
struct otst_trace_buffer {
	uint64_t addr;
	uint64_t subbuf_size;
	uint64_t time_start;
	uint64_t record_disabled;
	struct otst_cpu_buffer *cpus;
	size_t nr_cpus;
	const char *error;
};

/**
 * struct otst_trace_array - one struct trace_array
 * @name: NULL for the top one
 * @tracer: current tracer's name, NULL when unknown
 * @tracer_addr: current struct tracer
 * @clock: name, NULL when unknown
 * @clock_in_ns: it counts nanoseconds
 * @options: as trace_options prints them, tracer's own at the end, NULL-terminated
 * @recording: all switches let events in, on one cpu at least
 * @switches: those that are off, NULL-terminated
 * @tracing_on: as the tracing_on file reads
 * @snapshot_known: the kernel has snapshots
 */
struct otst_trace_array {
	uint64_t addr;
	const char *name;
	const char *tracer;
	uint64_t tracer_addr;
	const char *clock;
	bool clock_in_ns;
	const char *const *options;
	bool recording;
	const char *const *switches;
	bool tracing_on;
	struct otst_trace_buffer buffer;
	bool snapshot_known;
	bool snapshot_allocated;
	struct otst_trace_buffer snapshot;
	const char *error;
};

/** struct otst_tracing - trace_types and ftrace_trace_arrays, both in the kernel's order */
struct otst_tracing {
	struct otst_tracer **tracers;
	size_t nr_tracers;
	struct otst_trace_array **arrays;
	size_t nr_arrays;
	const char **errors;
	size_t nr_errors;
	bool disabled; /**< tracing_disabled: tracing shut itself down */
};

/**
 * otst_tracing() - tracers and trace arrays (kernel/trace/trace.c)
 *
 * Return: 0, also when some records are bad; LOOKUP when the kernel has no
 * tracing; or what ends a command.
 */
int otst_tracing(struct otst *o, struct otst_tracing *ret);

/**
 * otst_trace_array() - read the struct trace_array at @addr (trace_array.c)
 * @disabled: tracing_disabled
 *
 * Return: 0, also when parts are bad (&otst_trace_array.error); or what ends a command.
 */
int otst_trace_array(struct otst *o, uint64_t addr, bool disabled, struct otst_trace_array *ret);

/**
 * otst_trace_options() - names of a struct tracer_flags, appended to @names
 * @flags: its address
 * @names: vector of strings
 */
int otst_trace_options(struct otst *o, uint64_t flags, struct otst_vec *names);

/**
 * otst_trace_option() - is this one of &otst_trace_array.options
 * @name: "sym-offset" when it is on, "nosym-offset" when it is off
 */
bool otst_trace_option(const struct otst_trace_array *a, const char *name);

#endif /* OTST_PROBES_H */
