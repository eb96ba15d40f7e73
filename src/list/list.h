/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * list.h - the list that -l shows: one entry for each user's probe, whatever
 * armed it. Each file of src/bpf/, src/capturers/ and src/probes/ fills such
 * entries from one kernel mechanism and prints nothing.
 *
 * Memory belongs to the command's arena. Strings are safe to print. A record
 * that cannot be read stays in its list with its error set; the parts that could
 * be read are filled in.
 */
#ifndef OTST_LIST_H
#define OTST_LIST_H

#include "../dump.h"

struct otst_task;

/* ---- what is in the text ---- */

#define OTST_TEXT_BYTES 16u

/** enum otst_seen - what the kernel text has at a probed address */
enum otst_seen {
	OTST_SEEN_UNREADABLE, /**< the text is not in the dump */
	OTST_SEEN_NONE,	      /**< no kernel text belongs to it */
	OTST_SEEN_UNTOUCHED,  /**< an instruction, or the nop of an ftrace site */
	OTST_SEEN_INT3,	      /**< breakpoint */
	OTST_SEEN_JUMP, /**< jump to a kprobe's detour buffer, to a direct trampoline, or of a jump label */
	OTST_SEEN_CALL,	    /**< call at an ftrace site */
	OTST_SEEN_REGISTER, /**< no text: a debug register of a cpu has the address */
	OTST_SEEN_COVERED,  /**< the middle of an instruction that the function now begins with */
	OTST_SEEN_COUNT,
};

/**
 * struct otst_evidence - kernel text at one address
 * @seen: what it amounts to
 * @target: where the jump or call goes, 0 when there is none
 * @target_name: symbol or what the target is ("detour buffer", "trampoline of ..."); NULL when unknown
 * @odd: why no record of a probe can have led to it; else NULL
 * @found: bytes in the dump, @nr_found of them
 * @built: bytes in the image file, or in the module's, @nr_built of them; 0 without such a file
 */
struct otst_evidence {
	enum otst_seen seen;
	uint64_t target;
	const char *target_name;
	const char *odd;
	unsigned char found[OTST_TEXT_BYTES];
	unsigned int nr_found;
	unsigned char built[OTST_TEXT_BYTES];
	unsigned int nr_built;
};

/** otst_seen_name() - "int3", "jump", "call", "register", "covered", "untouched", "none", "unreadable" */
const char *otst_seen_name(enum otst_seen seen);

/* ---- entries ---- */

/** enum otst_probe_kind - rows of the table in src/probes/kinds.c */
enum otst_probe_kind {
	OTST_PROBE_KPROBE,	 /**< struct kprobe */
	OTST_PROBE_KRETPROBE,	 /**< struct kretprobe */
	OTST_PROBE_JPROBE,	 /**< struct jprobe */
	OTST_PROBE_OTST,	 /**< kprobe of an otst module: one stack trace */
	OTST_PROBE_ALLIE,	 /**< kprobe of an allie module: a number of stack traces */
	OTST_PROBE_LEFTOVER,	 /**< aggregate without users: its text patch waits to be undone */
	OTST_PROBE_FPROBE,	 /**< one function of a struct fprobe */
	OTST_PROBE_KPROBE_MULTI, /**< one function of a BPF program's kprobe_multi link */
	OTST_PROBE_FENTRY,	 /**< a BPF program at the entry of a function */
	OTST_PROBE_FEXIT,	 /**< at its return */
	OTST_PROBE_FMOD_RET,	 /**< may replace its return value */
	OTST_PROBE_LSM,		 /**< on a security hook */
	OTST_PROBE_FREPLACE,	 /**< a BPF program that replaces another one */
	OTST_PROBE_UPROBE,	 /**< one consumer of a struct uprobe */
	OTST_PROBE_UPROBE_MULTI, /**< the same, for a BPF program's uprobe_multi link */
	OTST_PROBE_LIVEPATCH,	 /**< one function of a live patch */
	OTST_PROBE_FTRACE,	 /**< one ftrace_ops that is not part of any other kind */
	OTST_PROBE_TRACEPOINT,	 /**< one callback of a struct tracepoint */
	OTST_PROBE_SYSCALL,	 /**< perf or a BPF program on one system call */
	OTST_PROBE_USER_EVENT,	 /**< an event that programs of user space report */
	OTST_PROBE_HWBREAKPOINT, /**< a debug register watches an address */
	OTST_PROBE_PERF_EVENT,	 /**< a BPF program or a module on the samples of a perf event */
	OTST_PROBE_BPF,	 /**< a BPF program on something other than a function or an event */
	OTST_PROBE_STAP, /**< a probe of a SystemTap script that is none of these: a timer */
	/* functions that a part of the kernel was given to call, in the order of enum otst_registered_kind */
	OTST_PROBE_NETFILTER,
	OTST_PROBE_PACKET,
	OTST_PROBE_SECURITY,
	OTST_PROBE_NOTIFIER,
	OTST_PROBE_TIMER,
	OTST_PROBE_WORK,
	OTST_PROBE_KTHREAD,
	OTST_PROBE_BINFMT,
	OTST_PROBE_CONSOLE,
	OTST_PROBE_TTY,
	OTST_PROBE_SYSRQ,
	OTST_PROBE_INPUT,
	OTST_PROBE_INTERRUPT,
	OTST_PROBE_PROC,
	OTST_PROBE_TABLE,
	OTST_PROBE_KINDS,
};

/** otst_is_registered() - was a part of the kernel given its function to call: it hooks no code */
static inline bool otst_is_registered(enum otst_probe_kind kind)
{
	return kind >= OTST_PROBE_NETFILTER;
}

/** enum otst_claim - the state that the record claims */
enum otst_claim {
	OTST_CLAIM_UNKNOWN,
	OTST_CLAIM_ARMED,
	OTST_CLAIM_DISABLED, /**< by its user */
	OTST_CLAIM_DISARMED, /**< all are, through kprobes/enabled or kernel.ftrace_enabled */
	OTST_CLAIM_GONE,     /**< its text was freed */
	OTST_CLAIM_UNUSED,   /**< no users left, only the patch */
	OTST_CLAIM_REMOVED,  /**< known to its module, but no longer in any kernel table */
	OTST_CLAIM_COUNT,
};

/** enum otst_via - how an armed probe gets control */
enum otst_via {
	OTST_VIA_NONE,
	OTST_VIA_INT3,
	OTST_VIA_JUMP,
	OTST_VIA_FTRACE,
	OTST_VIA_COUNT,
};

/** otst_claim_name() - as listings show it: the enumerator in small letters, "armed" */
const char *otst_claim_name(enum otst_claim claim);

/** otst_claims_text() - does such a record say what its place in the text holds (probe.c) */
bool otst_claims_text(enum otst_claim claim);

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
	OTST_OWNER_BPF,	   /**< BPF trampoline */
	OTST_OWNER_NOBODY, /**< all code is known, and none of it has the handler */
	OTST_OWNER_COUNT,
};

/**
 * struct otst_owner - who put a probe there
 * @name: module, "group:event", or symbol of the built-in handler; NULL when unknown
 * @reason: why it is unknown, or how it is known that it is nobody's; else NULL
 * @event_type: for a dynamic event of tracefs, 'p' or 'r'; 0 for others
 * @script: the file that a SystemTap module was made from; NULL when unknown
 * @hidden: the module is not on the list of modules
 */
struct otst_owner {
	enum otst_owner_kind kind;
	const char *name;
	const char *reason;
	char event_type;
	const char *script;
	bool hidden;
};

/** otst_is_nobodys() - is its code known to be nobody's: a finding */
static inline bool otst_is_nobodys(const struct otst_owner *w)
{
	return w->kind == OTST_OWNER_NOBODY;
}

/** otst_owner_kind_name() - "module", "event", "perf", "nobody", "unknown" .. */
const char *otst_owner_kind_name(enum otst_owner_kind kind);

/** struct otst_fact - a property of one kind of probe only: @text, or @number when @text is NULL */
struct otst_fact {
	const char *name; /**< "priority": a word, also the key in JSON */
	const char *text;
	int64_t number;
};

/** struct otst_holder - a process, known by its thread group leader */
struct otst_holder {
	uint64_t pid;
	const char *comm;
	const char *cgroup; /**< its path in the unified hierarchy, NULL when unknown */
};

/**
 * struct otst_hold - what holds a BPF program or a user event from outside the kernel (src/bpf/holders.c)
 * @prog: struct bpf_prog, or struct user_event
 * @holders: vector of struct otst_holder: processes that have it or one of its links open, or
 *	in whose memory the kernel says whether somebody listens to the event
 * @pins: vector of const char *: where in a BPF file system it or one of its links is
 */
struct otst_hold {
	uint64_t prog;
	struct otst_vec holders;
	struct otst_vec pins;
};

/**
 * struct otst_program - a BPF program (struct bpf_prog)
 * @name: as loaded, up to 15 characters; "" when it has none
 * @tag: as bpftool prints it; NULL when unknown
 * @type: enum bpf_prog_type
 * @hold: NULL when not asked for, or when this kernel does not tell
 */
struct otst_program {
	uint64_t addr;
	uint32_t id;
	uint32_t type;
	const char *name;
	const char *tag;
	const struct otst_hold *hold;
};

/** enum otst_handler_role - the member of a probe's record that has a handler; names in names.c */
enum otst_handler_role {
	OTST_HANDLER_PRE, /**< the first four are a struct kprobe's */
	OTST_HANDLER_POST,
	OTST_HANDLER_FAULT,
	OTST_HANDLER_BREAK,
	OTST_HANDLER_JPROBE,   /**< a jprobe's function */
	OTST_HANDLER_RETURN,   /**< a kretprobe's, when the function returns */
	OTST_HANDLER_ENTRY,    /**< a kretprobe's or fprobe's, when it is called */
	OTST_HANDLER_EXIT,     /**< an fprobe's, when it returns */
	OTST_HANDLER_CONSUMER, /**< a uprobe's */
	OTST_HANDLER_CONSUMER_RETURN,
	OTST_HANDLER_FILTER,
	OTST_HANDLER_CALLBACK, /**< a tracepoint's */
	OTST_HANDLER_REPLACEMENT,
	OTST_HANDLER_BPF,
	OTST_HANDLER_OVERFLOW,
	OTST_HANDLER_SCRIPT,	  /**< a SystemTap script's */
	OTST_HANDLER_GRAPH_ENTRY, /**< function graph's, when the function is called */
	OTST_HANDLER_GRAPH_RETURN,
	OTST_HANDLER_DIRECT,	 /**< the code that a function calls directly */
	OTST_HANDLER_REGISTERED, /**< what a part of the kernel calls; the member's name is a fact */
	OTST_HANDLER_COUNT
};

/** otst_handler_name() - the name of the kernel's member */
const char *otst_handler_name(enum otst_handler_role role);
/** otst_handler_short_name() - the same without the part that the members share: "pre", "ret" */
const char *otst_handler_short_name(enum otst_handler_role role);

/** struct otst_handler - one function of a probe */
struct otst_handler {
	enum otst_handler_role role;
	uint64_t addr; /**< never 0 */
	struct otst_sym sym;
};

/**
 * struct otst_transition - a live patch that tasks are moving to, or are leaving
 * @leaves: they leave it: what they must not be in are its functions, else those that it replaces
 * @waits: vector of const struct otst_task *: those that have not moved
 */
struct otst_transition {
	bool leaves;
	struct otst_vec waits;
};

#define OTST_HANDLERS 6

struct otst_ftrace_ops;
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
 * struct otst_kretprobe - what a kretprobe has in addition to a kprobe
 * @pool: how instances are kept: "hlist", "freelist", "rethook", "objpool"
 * @profiled: kprobe_profile adds @nmissed to the kprobe's own
 * @in_use: calls that have not returned; valid when @in_use_known
 */
struct otst_kretprobe {
	const char *pool;
	int64_t maxactive;
	uint64_t nmissed;
	bool profiled;
	uint64_t data_size;
	uint64_t instances;
	uint64_t in_use;
	bool in_use_known;
};

/** enum otst_kprobe_flag - kprobe flags (include/linux/kprobes.h: macros, not in DWARF or BTF) */
enum otst_kprobe_flag {
	OTST_KPROBE_GONE = 1,
	OTST_KPROBE_DISABLED = 2,
	OTST_KPROBE_OPTIMIZED = 4,
	OTST_KPROBE_FTRACE = 8,
	OTST_KPROBE_ON_FUNC_ENTRY = 16,
	OTST_KPROBE_END, /**< one more than the last one: kprobe.c has their names */
};

/**
 * struct otst_probe - one user's probe
 * @record: address of the struct kprobe (the one inside a kretprobe, jprobe)
 * @node: address of the record in kprobe_table: @record, or its aggregate; or of the uprobe
 *	that @record is a consumer of
 * @place: where it was found, "kprobe_table[17]"
 * @addr: probed address, 0 when it is not in the kernel's text
 * @target: what is probed, where that has no address: "sched_switch"; else NULL
 * @flags: of @record; @node_flags: of @node
 * @flag_names: names of these flags' bits from the lowest on, NULL-terminated; NULL when
 *	records of this kind have no flags
 * @queue: the optimizer queue that it waits in: "optimizing", "unoptimizing", "freeing", or NULL
 * @disagree: why claim and text do not match, or NULL
 * @saved: bytes that the record keeps of the original text, @nr_saved of them
 * @slot: out-of-line copy, 0 when none; @detour: detour buffer, 0 when none
 * @hits: valid when @hits_known
 * @stap: for a probe of a SystemTap script, else NULL
 * @ops: of kind ftrace: the ftrace_ops (ftrace.h), with its hashes; else NULL
 * @programs: vector of struct otst_program: BPF programs that it runs
 * @hold: of a user event: NULL when not asked for, or when this kernel does not tell
 * @facts: vector of struct otst_fact
 * @at_return: on a BPF trampoline: it runs when the function returns
 * @link: its link where the probes of one function are chained, else 0; @next_link: the link
 *	of the probe that runs after it, 0 for none
 * @left: the process that its event is named after is gone
 * @transition: of a function of a live patch: NULL when no task is moving, or when that is not known
 * @routine: of a sort that is on every machine: listed when its kind is asked for
 * @error: what could not be read, or NULL
 */
struct otst_probe {
	enum otst_probe_kind kind;
	uint64_t record;
	uint64_t node;
	const char *place;
	int bucket; /**< of kprobe_table, or -1 */
	uint64_t addr;
	struct otst_sym sym;
	const char *target;
	const char *symbol_name; /**< as registered, or NULL */
	uint64_t offset;	 /**< as registered; for a uprobe, in its file */
	uint32_t flags;
	uint32_t node_flags;
	const char *const *flag_names;
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
	const struct otst_ftrace_ops *ops;
	struct otst_vec programs;
	const struct otst_hold *hold;
	struct otst_vec facts;
	bool at_return;
	uint64_t link;
	uint64_t next_link;
	bool left;
	const struct otst_transition *transition;
	bool routine;
	const char *error;
};

/**
 * struct otst_probes - probes in the order of the kernel's own listing or table
 * @items: pointers
 * @errors: what could not be walked, as messages
 * @coverage: vector of struct otst_coverage, one for each kind that was asked for
 * @moved: on a live kernel: how many came, went or changed while they were read
 */
struct otst_probes {
	struct otst_probe **items;
	size_t count;
	struct otst_messages errors;
	bool all_disarmed;
	struct otst_vec coverage;
	size_t moved;
};

/**
 * A mechanism appends all its probes to @ret.
 *
 * Return: 0, even when some records are bad; LOOKUP when the kernel does not
 * have the mechanism; or an error that ends the command.
 */
typedef int otst_collect_fn(struct otst *o, struct otst_probes *ret);

/**
 * otst_probe_add() - a new probe in a vector of pointers (probe.c); never NULL
 * @place: where it was found
 */
struct otst_probe *otst_probe_add(struct otst *o, struct otst_vec *probes,
				  enum otst_probe_kind kind, uint64_t record, const char *place);

/** otst_probes_of() - result from vectors of struct otst_probe * and of messages (probe.c) */
struct otst_probes otst_probes_of(const struct otst_vec *probes,
				  const struct otst_messages *errors);

/** otst_probe_fact() - note a fact: @text, or @number when that is NULL */
void otst_probe_fact(struct otst *o, struct otst_probe *p, const char *name, const char *text,
		     int64_t number);

/**
 * A function that reads a struct kprobe that is no longer in any table.
 * @place: where its address was found
 *
 * Return: 0, even when it cannot be read (&otst_probe.error); or an error that ends the command.
 */
typedef int otst_stray_fn(struct otst *o, uint64_t record, const char *place,
			  struct otst_probe **ret);

/** otst_probe_error() - store a record's first error in it; return errors that end the command */
int otst_probe_error(struct otst *o, struct otst_probe *p, int err);

/** otst_record_damage() - "kprobe_table[3], record 0xffff888004000000: its flags are 0x77"; NULL without memory */
const char *otst_record_damage(struct otst *o, const char *place, uint64_t record,
			       const char *error);

/** otst_handler_add() - note a handler unless @addr is 0 */
void otst_handler_add(struct otst *o, struct otst_probe *p, enum otst_handler_role role,
		      uint64_t addr);

/** otst_probe_handler() - the handler of that role, or NULL */
const struct otst_handler *otst_probe_handler(const struct otst_probe *p,
					      enum otst_handler_role role);

#endif /* OTST_LIST_H */
