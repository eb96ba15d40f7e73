/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * expect.h - the text as it should be: one image (the kernel, or a module) with
 * three copies of its text: as built, as expected by all records applied so
 * far, as found. Private to src/audit. Addresses are those of the running kernel.
 */
#ifndef OTST_EXPECT_H
#define OTST_EXPECT_H

#include "../ftrace/ftrace.h"
#include "../arch/arch.h"
#include "../base/engine.h"
#include "../built/built.h"
#include "../dump.h"
#include "audit.h"

#define OTST_TABLE_MAX (1u << 20) /* entries of a table; more are not believed */
#define OTST_PATCH_MAX 255u	  /* bytes of the longest patch: alt_instr.instrlen is one byte */

/**
 * struct otst_expect_part - one section of text
 * @built, @now, @found: @size bytes each; @found is NULL when the section is
 *	not compared because it was freed after boot
 * @have: for each page: is it in the dump
 * @section: what it is
 * @pointers: writable data, of which only the pointers to functions matter
 */
struct otst_expect_part {
	uint64_t addr;
	size_t size;
	const uint8_t *built;
	uint8_t *now;
	uint8_t *found;
	uint8_t *have;
	const struct otst_section *section;
	bool pointers;
};

struct otst_patcher;

/**
 * struct otst_expect - one image
 * @bare: it has no text, and of its tables only the names, see otst_audit_bare()
 * @data: this is about data, not text (data.c): no records explain it
 * @told: with @data: how many findings there were before
 * @listed: the file has a list of the addresses that move with the kernel, and they were moved by it
 * @patches: vector of struct otst_audit_place: all that was set, in this order
 * @patcher: x86_64 only
 * @trampolines: s390x only: vector, sorted by where their functions continue
 * @stubs: ppc64le only: vector of the areas of ftrace's stubs
 */
struct otst_expect {
	struct otst *o;
	struct otst_audit *out;
	const struct otst_built *built;
	const struct otst_module *module; /**< NULL for the kernel */
	const struct otst_audit_arch *arch;
	bool bare;
	bool data;
	size_t told;
	bool listed;
	struct otst_expect_part *parts;
	size_t nr_parts;
	struct otst_vec patches;
	const struct otst_patcher *patcher;
	struct otst_vec trampolines;
	struct otst_vec stubs;
};

/** otst_expect_now() - the bytes expected at @addr so far; NULL when they are in no section */
uint8_t *otst_expect_now(const struct otst_expect *e, uint64_t addr, size_t len);
/** otst_expect_built() - the same as built */
const uint8_t *otst_expect_built(const struct otst_expect *e, uint64_t addr, size_t len);
/** otst_expect_found() - the same as found; NULL when that is not compared */
uint8_t *otst_expect_found(const struct otst_expect *e, uint64_t addr, size_t len);

/** otst_expect_missing() - are these bytes compared, but on a page that is not in the dump? */
bool otst_expect_missing(const struct otst_expect *e, uint64_t addr, size_t len);

/** otst_expect_fits() - true if @bytes is what was found at @addr, after relocation */
bool otst_expect_fits(const struct otst_expect *e, uint64_t addr, const uint8_t *bytes, size_t len);

/** otst_expect_relocated() - &otst_audit_arch.relocated; 0 where there is none */
size_t otst_expect_relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
			     const uint8_t *found, size_t len, size_t at, size_t *from);

/** otst_expect_set() - the kernel writes @bytes at @addr */
void otst_expect_set(struct otst_expect *e, enum otst_difference d, uint64_t addr,
		     const uint8_t *bytes, size_t len);

/** otst_expect_set_word() - the kernel writes an address of 8 bytes at @addr */
void otst_expect_set_word(struct otst_expect *e, enum otst_difference d, uint64_t addr,
			  uint64_t value);

/**
 * otst_expect_try() - the kernel may have written @bytes at @addr: it did if they are there
 * @ret: did it?
 */
void otst_expect_try(struct otst_expect *e, enum otst_difference d, uint64_t addr,
		     const uint8_t *bytes, size_t len, bool *ret);

/** otst_expect_unknown() - no record tells what the kernel wrote at @addr: take it as found */
void otst_expect_unknown(struct otst_expect *e, uint64_t addr, size_t len);

/** otst_expect_lost() - the same, and the last error's message says why; @what: "static key" */
int otst_expect_lost(struct otst_expect *e, uint64_t addr, size_t len, const char *what,
		     uint64_t record);

/**
 * otst_expect_absent() - the kernel seems to lack what a class needs
 * @err: LOOKUP; other errors are left alone
 * @witnesses: of otst_doubt_absence(). If the kernel has one of them, differences that no record
 *	explains are not findings; &otst_audit.unread counts them
 *
 * Return: 0 for LOOKUP, else @err.
 */
int otst_expect_absent(struct otst_expect *e, int err, const char *witnesses);

/** otst_expect_unread() - the same for a class that has records for certain; @err becomes an error of the audit */
int otst_expect_unread(struct otst_expect *e, int err, const char *what);

/** otst_expect_leads() - count a pointer at @addr that now leads to another function, @to */
void otst_expect_leads(struct otst_expect *e, uint64_t addr, uint64_t to);

/** otst_expect_place() - count a place that is explained */
void otst_expect_place(struct otst_expect *e, enum otst_difference d, uint64_t addr, size_t len);

/** otst_expect_section() - a section of the image by name; NULL when it has none with contents */
const struct otst_section *otst_expect_section(const struct otst_expect *e, const char *name);

/** struct otst_rela - an entry of .rela.dyn; @at is moved as the kernel was */
struct otst_rela {
	uint64_t at, info, addend;
};

/** otst_expect_rela() - the @i-th of @section, which may be NULL; false after the last one */
bool otst_expect_rela(const struct otst_expect *e, const struct otst_section *section, size_t i,
		      struct otst_rela *ret);

/**
 * otst_expect_call_ops() - the ftrace_ops that ftrace keeps at a function's entry (or in its stub)
 * @f: who hooks the function; NULL when nobody does
 */
uint64_t otst_expect_call_ops(const struct otst_expect *e, const struct otst_ftrace_function *f);

/**
 * otst_expect_sites() - addresses that a table of 32-bit distances names
 * @ret: vector of uint64_t; empty when there is no such section
 */
int otst_expect_sites(struct otst_expect *e, const char *section, struct otst_vec *ret);

/**
 * otst_expect_table() - a table of distances that the kernel keeps
 * @section: its section in the image file, where its order differs: it is taken
 *	from there when the dump does not have all of it
 * @at: where it is; set to where its distances are counted from
 * @len: its bytes; set when the table is the file's
 */
int otst_expect_table(struct otst_expect *e, const char *section, uint64_t *at, size_t *len,
		      const uint8_t **ret);

/** otst_audit_kprobes() - every record of kprobe_table, read once per command (kprobes.c) */
int otst_audit_kprobes(struct otst *o, struct otst_probes *ret);

/** otst_audit_bad_probe() - @p->error and the record that it is about */
const char *otst_audit_bad_probe(struct otst *o, const struct otst_probe *p);

/** otst_audit_probe_name() - how findings name it: "kprobe on vfs_read" (finding.c) */
const char *otst_audit_probe_name(struct otst *o, const struct otst_probe *p);

/** a class of differences; 0 or what ends a command */
typedef int otst_apply_fn(struct otst_expect *e);

/* for every architecture */
otst_apply_fn otst_apply_kprobes;     /* kprobes.c: takes them out of what was found */
otst_apply_fn otst_apply_kgdb;	      /* kgdb.c: the same with breakpoints of a debugger */
otst_apply_fn otst_apply_ftrace;      /* ftrace.c */
otst_apply_fn otst_apply_jump_labels; /* jump_labels.c */

/**
 * struct otst_audit_arch - how kernels of one architecture patch their text; each has a folder
 * @in_pieces: a piece of the kernel's text can be judged without the rest of it
 * @classes: @nr_classes of them, in the order in which the kernel applies them
 * @prepare: called first, for each image; may be NULL
 * @relocate: writes the addresses that .rela.dyn or .relr.dyn lists, moved as the kernel was; NULL
 *	where no kernel's file has such a list
 * @relocated: is the byte at @at part of an address that KASLR moved? @addr: address of the @len
 *	bytes at @expected and @found. Returns where the moved address ends, and where it begins
 *	in @from; 0 when there is none. NULL where entries of the file say what moves.
 * @nop: what is at a site from which ftrace calls nobody, @arch->branch_len bytes; NULL for
 *	@arch->nop
 * @put_jump: what the place of a jump label becomes: a jump to @target, or when that is 0 a nop;
 *	returns its length. NULL for a jump of @arch->put_branch(), or as many bytes of @arch->nop
 * @common_call: changes what differs between a call at a function's entry and the one in a common
 *	trampoline; may be NULL
 * @called_at: where calls of a compiled function lead, if not to its first byte; may be NULL
 * @prepare_site: what the kernel writes besides the call at @ip; @f: the function if it is hooked,
 *	else NULL. May be NULL.
 * @switch_site: for sites with a trampoline each: sets the site @ip and its trampoline to call @to,
 *	0: nobody, instead of writing a call or @nop; NULL elsewhere
 * @lose_site: takes what is at @at of @p as found, if it was built for ftrace to patch
 * @trampoline_ops: the ftrace_ops that a trampoline's code passes on; 0 when it is not found
 * @check_trampoline: a finding when the code of an ops' own trampoline is not as ftrace makes it; 0 or
 *	fatal. NULL where no ops has one, or that is not known
 * @check_kprobe: the same for the slot and the detour buffer of a kprobe
 */
struct otst_audit_arch {
	const struct otst_arch *arch;
	bool in_pieces;
	otst_apply_fn *const *classes;
	size_t nr_classes;
	int (*prepare)(struct otst_expect *e);
	otst_apply_fn *relocate;
	size_t (*relocated)(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
			    const uint8_t *found, size_t len, size_t at, size_t *from);
	const uint8_t *(*nop)(struct otst *o);
	size_t (*put_jump)(const struct otst_expect *e, const uint8_t *built, uint64_t addr,
			   uint64_t target, uint8_t *ret);
	void (*common_call)(uint8_t *call);
	uint64_t (*called_at)(const struct otst_expect *e, uint64_t func);
	int (*prepare_site)(struct otst_expect *e, uint64_t ip,
			    const struct otst_ftrace_function *f);
	int (*switch_site)(struct otst_expect *e, uint64_t ip, uint64_t to);
	void (*lose_site)(struct otst_expect *e, const struct otst_expect_part *p, size_t at);
	uint64_t (*trampoline_ops)(struct otst *o, uint64_t trampoline);
	int (*check_trampoline)(struct otst *o, struct otst_audit *a, const char *what,
				const struct otst_ftrace_ops *ops);
	int (*check_kprobe)(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
			    uint64_t slot);
};

/**
 * otst_audit_bare() - all classes on a kernel and a module that have no text: what the classes look up (audit.c)
 *
 * They have a short table in the place of each one that the kernel's file has.
 *
 * @module: struct module
 */
int otst_audit_bare(struct otst *o, uint64_t module, struct otst_audit *ret);

/** otst_audit_arch() - the one of this kernel; NULL when its text cannot be compared (finding.c) */
const struct otst_audit_arch *otst_audit_arch(struct otst *o);

#define OTST_DECLARE_AUDIT(arch) \
	extern const struct otst_audit_arch otst_audit_##arch __attribute__((weak));
OTST_ARCHES(OTST_DECLARE_AUDIT)
#undef OTST_DECLARE_AUDIT

/** otst_expect_create() - an image's text in three copies (expect.c) */
int otst_expect_create(struct otst *o, const struct otst_built *built, const struct otst_module *m,
		       struct otst_audit *out, struct otst_expect *ret);

/** otst_expect_add() - the bytes of @s from @begin to @end become a part of @e, whose array has room (expect.c) */
int otst_expect_add(struct otst_expect *e, const struct otst_section *s, uint64_t begin,
		    uint64_t end, bool pointers);

/**
 * struct otst_runtime_form - a kind of constant in instructions (asm/runtime-const.h)
 * @prefix: start of the names of the sections that list the places; the variable's name follows
 * @len: bytes of a place; @size: bytes of the variable
 * @put: writes the value into a place, which holds what was built
 * @get: the value that a place has; NULL where a place does not hold all of it
 * @may_be: may @value be that of @name, whose variable was dropped? Asked in addition to
 *	what all architectures have; may be NULL.
 */
struct otst_runtime_form {
	const char *prefix;
	size_t len, size;
	void (*put)(uint8_t *place, uint64_t value);
	uint64_t (*get)(const uint8_t *place);
	bool (*may_be)(const char *name, uint64_t value);
};

/** otst_runtime_consts() - give all places of @forms their variables' values (runtime_consts.c) */
int otst_runtime_consts(struct otst_expect *e, const struct otst_runtime_form *forms, size_t count);

/** otst_audit_slots() - count the entries that are as the loader of a module made them (slots.c) */
void otst_audit_slots(struct otst_expect *e);

/** otst_slot_message() - what is wrong with the entry that a loader made at @addr of @p */
const char *otst_slot_message(struct otst_expect *e, const struct otst_expect_part *p,
			      uint64_t addr);

/** otst_compare() - the differences that remain after all classes: findings (compare.c) */
int otst_compare(struct otst_expect *e);

/**
 * otst_audit_bug_table() - why marks in __bug_table cannot be told from damage (data.c)
 *
 * Return: NULL when they can.
 */
const char *otst_audit_bug_table(struct otst *o);

/**
 * otst_audit_data() - read-only data, and pointers to functions, as built; after the records (data.c)
 * @m: NULL for the kernel
 */
int otst_audit_data(struct otst *o, struct otst_audit *a, const struct otst_built *built,
		    const struct otst_module *m);

/** otst_audit_between() - code in a module's executable memory, outside of its sections (between.c) */
int otst_audit_between(struct otst *o, struct otst_audit *a, const struct otst_built *built,
		       const struct otst_module *m);

/** otst_expect_word() - the word expected at @at of data, moved as the kernel was */
uint64_t otst_expect_word(const struct otst_expect *e, const struct otst_expect_part *p, size_t at);

/** otst_expect_is_code() - is a word as built an address of code; the kernel's image as built leads to no module */
bool otst_expect_is_code(const struct otst_expect *e, uint64_t addr);

/** otst_audit_explains() - did the word at @at of data only move, or is it a matter of otst_audit_word() */
bool otst_audit_explains(const struct otst_expect *e, const struct otst_expect_part *p, size_t at);

/**
 * otst_audit_word() - say it if the word at @at of data was a function as built, and leads to other code now
 * @name: of the place; NULL for that of its address
 */
int otst_audit_word(struct otst_expect *e, const struct otst_expect_part *p, size_t at,
		    const char *name);

/* ---- the records' side ---- */

/** otst_finding_record() - a finding about @record */
void otst_finding_record(struct otst *o, struct otst_audit *a, enum otst_finding_kind kind,
			 uint64_t addr, uint64_t record, const char *message);

/** otst_audit_gap() - what was not looked at, or only in part; never NULL (finding.c) */
struct otst_coverage *otst_audit_gap(struct otst *o, struct otst_audit *a, const char *what,
				     enum otst_looked looked, const char *why);

/** otst_audit_tables() - tables of the kernel's functions: of system calls, of gates (tables.c) */
int otst_audit_tables(struct otst *o, struct otst_audit *a);

/** otst_audit_hidden() - modules that hide; after the records, whose pointers it counts (modules.c) */
int otst_audit_hidden(struct otst *o, struct otst_audit *a);

/**
 * otst_audit_makers() - who makes or frees executable memory at this moment (makers.c)
 * @direct: in the direct map, where only kexec has any
 * @ret: "insmod/123 is in load_module", or why that is not known; NULL: nobody does
 *
 * Return: 0, or what ends a command.
 */
int otst_audit_makers(struct otst *o, bool direct, const char **ret);

/** otst_audit_seek() - note that words which lead to @begin to @end are of interest */
void otst_audit_seek(struct otst *o, struct otst_audit *a, uint64_t begin, uint64_t end);

/**
 * otst_audit_variables() - findings: variables of the kernel that lead to @begin to @end (variables.c)
 * @where: what hides there
 *
 * What another finding is about is left out. Return: 0, or what ends a command.
 */
int otst_audit_variables(struct otst *o, struct otst_audit *a, uint64_t begin, uint64_t end,
			 const char *where);

/** otst_audit_everywhere() - search all memory for such words, if that is wanted (everywhere.c) */
int otst_audit_everywhere(struct otst *o, struct otst_audit *a);

/** otst_audit_executable() - memory that is executable and nobody's; after the records (executable.c) */
int otst_audit_executable(struct otst *o, struct otst_audit *a);

/* ---- pointers (pointers.c) ---- */

/** otst_audit_is_code() - does code that is loaded own this address; freed init text is none */
bool otst_audit_is_code(struct otst *o, uint64_t addr);

/** otst_audit_may_run() - do the page tables let the kernel execute this; remembers that lost tables do not tell */
bool otst_audit_may_run(struct otst *o, struct otst_audit *a, uint64_t addr);

/** otst_audit_is_undecided() - may this, which nobody owns, be code of a module that was lost; counts such pointers */
bool otst_audit_is_undecided(struct otst *o, struct otst_audit *a, uint64_t addr);

/**
 * otst_audit_pointer() - a finding when @func is not 0 and not code; one for each pointer of a record
 * @what: whose pointer it is: "kprobe on vfs_read"; @role: "pre_handler"
 */
void otst_audit_pointer(struct otst *o, struct otst_audit *a, const char *what, const char *role,
			uint64_t func, uint64_t record);

/** otst_audit_kprobe() - its slot, its detour buffer, and what an aggregate has of its own; 0 or fatal */
int otst_audit_kprobe(struct otst *o, struct otst_audit *a, const struct otst_probe *p);

/** otst_trampoline_ops() - &otst_audit_arch.trampoline_ops; 0 where there is none */
uint64_t otst_trampoline_ops(struct otst *o, uint64_t trampoline);

/**
 * otst_audit_trampoline() - a finding when the trampoline of @ops is not its own, or calls another
 * function; 0 or fatal
 */
int otst_audit_trampoline(struct otst *o, struct otst_audit *a, const char *what,
			  const struct otst_ftrace_ops *ops);

/** otst_audit_direct() - where @f leads instead of to ftrace */
void otst_audit_direct(struct otst *o, struct otst_audit *a, const struct otst_ftrace_function *f);

/** otst_audit_static_call() - the function @func that @key holds */
void otst_audit_static_call(struct otst *o, struct otst_audit *a, uint64_t key, uint64_t func);

/** otst_audit_static_calls() - all keys that symbols name, of the kernel and of modules; 0 or fatal */
int otst_audit_static_calls(struct otst *o, struct otst_audit *a);

/** otst_audit_security_calls() - those of security modules lead to their hooks (security_calls.c) */
int otst_audit_security_calls(struct otst *o, struct otst_audit *a);

/* these return 0 or what ends a command */

/** otst_audit_records() - all below (records.c) */
int otst_audit_records(struct otst *o, struct otst_audit *a);
/** otst_audit_table() - records of kprobe_table against each other (kprobe_records.c) */
int otst_audit_table(struct otst *o, struct otst_audit *a);
/** otst_audit_ftrace() - records of functions against the ftrace_ops (ftrace_records.c) */
int otst_audit_ftrace(struct otst *o, struct otst_audit *a, const struct otst_ftrace_list *list);
/** otst_audit_deadly() - tasks that cannot continue because of a probe (deadly.c) */
int otst_audit_deadly(struct otst *o, struct otst_audit *a);

#endif /* OTST_EXPECT_H */
