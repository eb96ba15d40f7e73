/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * ftrace.h - who hooks functions through ftrace, and which ones.
 *
 * Memory and errors are as in list.h.
 */
#ifndef OTST_FTRACE_H
#define OTST_FTRACE_H

#include "../list/list.h"

/* ---- ftrace (ops.c, hash.c, owner.c, fprobe_owner.c) ---- */

/**
 * otst_flags() - names of the bits of @value
 * @names: kernel enumerators without their prefix, NULL-terminated
 * @prefix: "FTRACE_OPS_FL_"
 *
 * Return: "ENABLED|DYNAMIC|0x400000" in the arena; bits that no enumerator
 * names come last as a number; "0" for none. Never NULL.
 */
const char *otst_flags(struct otst *o, uint64_t value, const char *prefix,
		       const char *const *names);

/**
 * struct otst_hash - a filter of an ftrace_ops (struct ftrace_hash)
 * @addr: the record, 0 when there is none
 * @empty: no hash, or no entries: a filter then means every function, a notrace none
 * @ips: its addresses in the kernel's bucket order, @count of them
 * @sorted: the same by address
 * @values: what each entry of @ips maps to; only in direct_functions, else NULL
 * @cleared: entries of init text that was freed, which have no address and are not in @ips
 * @error: or NULL; @ips then has what could be read
 */
struct otst_hash {
	uint64_t addr;
	bool empty;
	uint64_t *ips;
	uint64_t *sorted;
	uint64_t *values;
	size_t count;
	uint64_t cleared;
	const char *error;
};

/**
 * otst_hash_read() - read all buckets of the struct ftrace_hash at @addr
 * @values: read &ftrace_func_entry.direct as well
 *
 * Return: 0, even when buckets are bad (&otst_hash.error); or an error that ends the command.
 */
int otst_hash_read(struct otst *o, uint64_t addr, bool values, struct otst_hash *ret);

/**
 * otst_hash_read_values() - the same with another value for each entry
 * @of: structure that begins with the entry, "ftrace_func_map"
 * @value: its member to store in &otst_hash.values; NULL for none
 */
int otst_hash_read_values(struct otst *o, uint64_t addr, const char *of, const char *value,
			  struct otst_hash *ret);

/** otst_hash_has() - true if @ip is among the entries */
bool otst_hash_has(const struct otst_hash *h, uint64_t ip);

/**
 * struct otst_ftrace_ops - one struct ftrace_ops
 * @addr: the record
 * @sym: its symbol; for a dynamic one, @sym.addr is not @addr or there is no name
 * @func: the callback as called; @saved_func: the user's when @func is a wrapper, else 0
 * @trampoline: 0 when none; @trampoline_size
 * @calls: what the trampoline calls, read from its text; 0 when unknown
 * @direct: address that all its functions call directly, 0 when none
 * @ops_func: ftrace asks it when others want the same functions, 0 when none
 * @manager: ops that calls this one instead of ftrace itself, NULL when none; this one is
 *	then a sub-op (function graph), or on the global or control list of old kernels
 * @manages: it is the manager of others
 * @entry: function graph: called at entry; @ret: called at return; 0 for any other ops
 * @fprobe: its callback runs fprobes, whoever @owner is
 * @active: ftrace calls it: it is ENABLED, or its manager is
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
	bool manages;
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
 * kernel's list, sub-ops after their manager
 */
struct otst_ftrace_list {
	struct otst_ftrace_ops **items;
	size_t count;
	struct otst_messages errors;
	bool enabled; /**< ftrace_enabled */
	bool dead;    /**< ftrace_disabled: ftrace shut itself down after a bug */
};

/** of otst_doubt_absence(): a kernel that has ftrace_ops has this, with dynamic ftrace the second */
#define OTST_FTRACE_WITNESSES	      "register_ftrace_function"
#define OTST_DYNAMIC_FTRACE_WITNESSES "ftrace_enabled_open"

/**
 * otst_ftrace_ops_list() - walk ftrace_ops_list (kernel/trace/ftrace.c), once in a command
 * @hashes: read the hashes too
 *
 * Return: 0, even when some records are bad; LOOKUP when the kernel has no
 * function tracing; or an error that ends the command.
 */
int otst_ftrace_ops_list(struct otst *o, bool hashes, struct otst_ftrace_list *ret);

/** otst_ftrace_trampoline_at() - the ops of @list whose trampoline has @addr; NULL when none does */
const struct otst_ftrace_ops *otst_ftrace_trampoline_at(const struct otst_ftrace_list *list,
							uint64_t addr);

/**
 * otst_ftrace_hashes() - filter and notrace of the struct ftrace_ops at @addr
 *
 * Return: 0, even when buckets are bad; or the error that kept the ops from being read.
 */
int otst_ftrace_hashes(struct otst *o, uint64_t addr, struct otst_hash *filter,
		       struct otst_hash *notrace);

/** otst_ftrace_ops_has() - kernel's hash_contains_ip(): would @ops be called for @ip */
bool otst_ftrace_ops_has(const struct otst_ftrace_ops *ops, uint64_t ip);

/**
 * otst_ftrace_redirects() - may the callback of @ops send calls elsewhere (FTRACE_OPS_FL_IPMODIFY)
 *
 * False for kprobes, live patches and BPF, which are probes of their own.
 */
bool otst_ftrace_redirects(const struct otst_ftrace_ops *ops);

/** otst_ftrace_ops_error() - what of it could not be read: the record, or one of its hashes; or NULL */
const char *otst_ftrace_ops_error(const struct otst_ftrace_ops *ops);

/** otst_ftrace_scope() - "all functions", "3 functions", "all but 2 functions", "unknown" */
const char *otst_ftrace_scope(struct otst *o, const struct otst_ftrace_ops *ops);

/** otst_ftrace_saves_regs() - does it ask for all registers */
bool otst_ftrace_saves_regs(struct otst *o, const struct otst_ftrace_ops *ops);

/** otst_ftrace_trampoline_call() - where the trampoline of its own calls the callback of @ops; 0 when it has none */
uint64_t otst_ftrace_trampoline_call(struct otst *o, const struct otst_ftrace_ops *ops);

/**
 * otst_ftrace_caller_calls() - what the common trampoline calls now
 * @regs: ftrace_regs_caller instead of ftrace_caller
 *
 * Return: an address, 0 when it cannot be told (architectures other than x86).
 */
uint64_t otst_ftrace_caller_calls(struct otst *o, bool regs);

/** otst_ftrace_call_target() - where the x86 call instruction at @at goes, 0 when there is none */
uint64_t otst_ftrace_call_target(struct otst *o, uint64_t at);

/**
 * otst_ftrace_direct() - where the function at @ip goes before anything else (direct_functions)
 *
 * Return: the address as stored, 0 when it has none.
 */
uint64_t otst_ftrace_direct(struct otst *o, uint64_t ip);

/** otst_ftrace_owner() - find the owner of @ops (owner.c) */
void otst_ftrace_owner(struct otst *o, struct otst_ftrace_ops *ops);

/** otst_fprobe_owner() - owner of the struct fprobe at @fp; false when unknown (fprobe_owner.c) */
bool otst_fprobe_owner(struct otst *o, uint64_t fp, struct otst_owner *ret);

/** otst_fprobe_owner_of() - the same for an fprobe that is known to have @handler */
void otst_fprobe_owner_of(struct otst *o, uint64_t fp, uint64_t handler, struct otst_owner *ret);

/** otst_fprobe_is_multi() - true if @handler is the one of BPF's kprobe_multi links */
bool otst_fprobe_is_multi(struct otst *o, uint64_t handler);

/* ---- ftrace sites (sites.c) ---- */

/**
 * struct otst_ftrace_site - one struct dyn_ftrace
 * @stub: where the site jumps when hooked; 0 where the site itself makes the call
 */
struct otst_ftrace_site {
	uint64_t record;
	uint64_t ip;
	uint64_t flags;
	uint64_t stub;
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
	struct otst_messages errors;
};

/**
 * otst_ftrace_sites() - read all records, once per command
 * @ret: in the command's arena
 *
 * Return: 0, even when some pages are bad; LOOKUP when the kernel has no
 * dynamic ftrace; or an error that ends the command.
 */
int otst_ftrace_sites(struct otst *o, const struct otst_ftrace_sites **ret);

/** otst_ftrace_has_stubs() - do sites have out-of-line stubs (CONFIG_PPC_FTRACE_OUT_OF_LINE) */
bool otst_ftrace_has_stubs(struct otst *o);

/** otst_ftrace_call_place() - where the call of a site is: at the site, or in its stub */
uint64_t otst_ftrace_call_place(struct otst *o, const struct otst_ftrace_site *site);

/** otst_veneer_at() - is there a veneer (a module's PLT entry) at @addr, and where does it lead */
bool otst_veneer_at(struct otst *o, uint64_t addr, uint64_t *ret);

/**
 * otst_ftrace_switched() - the instruction at the site @ip of a kernel where each site has a veneer
 * @to: what the veneer calls when the site is switched on; 0: switched off
 * @ret: room for OTST_BRANCH_MAX bytes
 *
 * Return: false on any other kernel, or when the veneer calls something else.
 */
bool otst_ftrace_switched(struct otst *o, uint64_t ip, uint64_t to, uint8_t *ret);

/**
 * otst_ftrace_lead() - number of bytes before a site that belong to its call
 *
 * The kernel writes them when it starts. They lead towards the common trampoline.
 */
unsigned int otst_ftrace_lead(struct otst *o);

/**
 * otst_ftrace_reach() - where the call at the site @ip goes in order to reach @to
 *
 * Return: the module's veneer or the common trampoline when @to is too far; 0 when unreadable.
 */
uint64_t otst_ftrace_reach(struct otst *o, uint64_t ip, uint64_t to);

/** otst_ftrace_site_at() - true if @ip is an ftrace site; @ret may be NULL */
bool otst_ftrace_site_at(struct otst *o, uint64_t ip, struct otst_ftrace_site *ret);

/**
 * otst_ftrace_location() - the ftrace site of the function at @addr
 *
 * Its first instruction, or the one after an ENDBR there.
 *
 * Return: the site; @addr itself when it has none.
 */
uint64_t otst_ftrace_location(struct otst *o, uint64_t addr);

/**
 * otst_ftrace_site_name() - "vfs_read", "lab_one [lab]" as the kernel's lists of (functions.c)
 * functions print it; never NULL
 */
const char *otst_ftrace_site_name(struct otst *o, uint64_t ip);

/* ---- functions that are hooked (functions.c) ---- */

/**
 * struct otst_ftrace_bits - the bits of dyn_ftrace.flags in this kernel; 0 for those it lacks
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
 * @sym: symbol at @site.ip
 * @offset: of @site.ip in @sym
 * @invalid: the kernel itself does not believe that a function starts there
 * @ops: all ops that hook it, @nr_ops of them, in the order of the list
 * @tramps: those of them whose trampoline it may call, @nr_tramps; only when it calls one
 * @calls: what the common trampoline calls for it; 0 when it has its own trampoline, or unknown
 * @unique: the ops that is stored before the function's text (CALL_OPS), or NULL
 * @direct: address that it calls directly, 0 when none; @direct_jmp: it jumps there
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
 * @tramp_func: this kernel prints a trampoline's function, and the trampolines of all ops
 * @callee: it prints what the common trampoline calls
 * @subops: it prints sub-ops
 * @incomplete: not all ftrace_ops could be read: who hooks a function may be unknown
 */
struct otst_ftrace_functions {
	struct otst_ftrace_function *items;
	size_t count;
	size_t sites;
	struct otst_ftrace_bits bits;
	bool tramp_func;
	bool callee;
	bool subops;
	bool incomplete;
	struct otst_messages errors;
};

/** a filter of functions: true for those that are wanted */
typedef bool otst_site_fn(void *priv, uint64_t ip, const struct otst_sym *sym);

/**
 * otst_ftrace_functions() - all functions that are hooked
 * @list: read with its hashes
 * @want: NULL for all
 * @priv: passed to @want
 */
int otst_ftrace_functions(struct otst *o, const struct otst_ftrace_list *list, otst_site_fn *want,
			  void *priv, struct otst_ftrace_functions *ret);

/** otst_ftrace_touched() - all functions ever hooked (touched_functions); LOOKUP if not kept */
int otst_ftrace_touched(struct otst *o, const struct otst_ftrace_list *list,
			struct otst_ftrace_functions *ret);

/** otst_is_graph_ops() - is it function graph's only ftrace_ops: graph_ops (fgraph_ops to 3.14) (owner.c) */
bool otst_is_graph_ops(struct otst *o, uint64_t addr);

#endif /* OTST_FTRACE_H */
