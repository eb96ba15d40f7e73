/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * audit.h - does the kernel text agree with the kernel's records, and the
 * records with each other?
 *
 * The text as built is patched the way the kernel patches itself: record by
 * record, each with the bytes that the kernel would write there. Whatever still
 * differs from the dump is a finding. So an explanation is never "some table
 * names this address". Each class of differences has one file; they share
 * expect.h. Memory belongs to the command's arena.
 */
#ifndef OTST_AUDIT_H
#define OTST_AUDIT_H

#include "../names/module_sets.h"
#include "../probes/probes.h"
#include "../base/coverage.h"

/** enum otst_difference - why text in memory differs from the text as built */
enum otst_difference {
	OTST_DIFF_RELOCATION,	  /**< the kernel was loaded elsewhere than it was linked */
	OTST_DIFF_FTRACE,	  /**< entry of a function: nop, or call to a tracer */
	OTST_DIFF_FTRACE_CALL,	  /**< what the common trampolines of ftrace call */
	OTST_DIFF_KPROBE,	  /**< breakpoint, or jump to a detour buffer */
	OTST_DIFF_JUMP_LABEL,	  /**< branch of a static key */
	OTST_DIFF_STATIC_CALL,	  /**< call site or trampoline of a static call */
	OTST_DIFF_ALTERNATIVE,	  /**< instructions for this cpu */
	OTST_DIFF_PARAVIRT,	  /**< calls through pv_ops */
	OTST_DIFF_SMP_LOCK,	  /**< lock prefix, which a machine with one cpu does not need */
	OTST_DIFF_RETPOLINE,	  /**< indirect jump or call instead of a thunk */
	OTST_DIFF_RETURN_THUNK,	  /**< return instead of a thunk, or another thunk */
	OTST_DIFF_CALL_DEPTH,	  /**< counting of calls, for cpus whose returns mispredict */
	OTST_DIFF_ENDBR,	  /**< sealed entry of a function that is never called indirectly */
	OTST_DIFF_CFI,		  /**< check of the type of a function that is called indirectly */
	OTST_DIFF_RUNTIME_CONST,  /**< constant that is known only at boot */
	OTST_DIFF_BPF_DISPATCHER, /**< jump to code that chooses among BPF programs */
	OTST_DIFF_KGDB,		  /**< breakpoint of a debugger */
	OTST_DIFF_TEXT_POKE,	  /**< a patch that was being written */
	OTST_DIFF_MODULE_SLOT,	  /**< what the loader made in a module: its GOT, PLT, stubs */
	OTST_DIFF_DATA_POINTER, /**< not text: a pointer to a function that leads to another one */
	OTST_DIFFS,
};

/** otst_difference_name() - "jump-label" */
const char *otst_difference_name(enum otst_difference d);
/** otst_difference_what() - one line on what it is */
const char *otst_difference_what(enum otst_difference d);

/**
 * struct otst_audit_place - a stretch of text that differs from the text as built, explained
 * @to: with OTST_DIFF_DATA_POINTER, where it leads; else 0
 */
struct otst_audit_place {
	uint64_t addr;
	uint32_t len;
	enum otst_difference difference;
	uint64_t to;
};

/** enum otst_finding_kind - what does not fit */
enum otst_finding_kind {
	OTST_FINDING_TEXT,    /**< text that no record explains */
	OTST_FINDING_CLAIM,   /**< a record claims a patch that the text lacks */
	OTST_FINDING_POINTER, /**< a handler is outside all text */
	OTST_FINDING_RECORD,  /**< records contradict each other */
	OTST_FINDING_DEADLY,  /**< a task or cpu that cannot continue */
	OTST_FINDING_MODULE,  /**< a module that is not everywhere where modules are kept */
	OTST_FINDING_MEMORY,  /**< executable memory of nobody, or text that is writable */
	OTST_FINDING_DATA,    /**< read-only data that is not as built */
	OTST_FINDING_COUNT,
};

/** otst_finding_name() - "text", "claim", "pointer", "record", "deadly", "module", "memory", "data" */
const char *otst_finding_name(enum otst_finding_kind kind);

/**
 * struct otst_finding - one thing that does not fit
 * @addr: where in the text, or what a record points to; 0 when it is at no address
 * @record: the record, or 0
 * @message: what is wrong
 * @len: bytes of @expected and @found, from @addr on; 0 when it is not about text
 * @code: where the patched instruction begins; 0 when that is not known
 * @data: the bytes are data, not instructions
 * @built: the same bytes as built; NULL when there is no file
 * @expected: the bytes that the kernel's records call for
 * @more: when not 0, this entry only counts further differences of text: those in
 *	the function at @addr or, when that is 0, those in @functions other functions
 */
struct otst_finding {
	enum otst_finding_kind kind;
	uint64_t addr;
	uint64_t record;
	const char *message;
	uint32_t len;
	uint64_t code;
	bool data;
	const uint8_t *built;
	const uint8_t *expected;
	const uint8_t *found;
	uint64_t more;
	uint64_t functions;
};

/**
 * struct otst_audit_limit - how many differences of text are shown, and who counts the rest
 * @begin, @end: the current function
 * @in_function: how many are shown so far in this function; @in_all: in all functions
 * @beyond: nothing of this function is shown
 * @rest: one more than the index of the finding that counts the rest of this function, 0 when
 *	there is none; @rest_all: the same for all functions of which nothing is shown
 */
struct otst_audit_limit {
	uint64_t begin;
	uint64_t end;
	unsigned int in_function;
	unsigned int in_all;
	bool beyond;
	size_t rest;
	size_t rest_all;
};

/** struct otst_sought - memory into which nothing should lead: a module that hides, executable memory of nobody */
struct otst_sought {
	uint64_t begin, end;
};

/**
 * struct otst_audit_words - words in memory that lead there, all of one holder
 * @holder: "slab kmalloc-64", "stack of kworker/1:1/34", "tcp_prot", "module lab"
 * @phys: where the first is in physical memory; @virt: its address, 0 when none is known; @to: where it leads
 * @next: another whose holder has the same hash
 */
struct otst_audit_words {
	const char *holder;
	uint64_t count;
	uint64_t phys, virt, to;
	struct otst_audit_words *next;
};

/** struct otst_audit_range - a function's text */
struct otst_audit_range {
	uint64_t begin, end;
};

/**
 * struct otst_audit - the result
 * @count: number of explained places, by enum otst_difference
 * @places: vector of struct otst_audit_place, by address; only when asked for
 * @want_all: show all differences of text, however many a function has
 * @only: compare only these @nr_only pieces of text, in order of their addresses; 0 for all
 * @findings: vector of struct otst_finding; @total: their number, plus those that are only counted
 * @errors: messages: what could not be read
 * @notes: messages: what was not looked at, and why
 * @not_compared: why the kernel's text was not; NULL when it was
 * @coverage: vector of struct otst_coverage: the kernel's text and modules that were not compared
 * @compared: bytes of text; @missing: how many of these are not in the dump
 * @data_compared: bytes of read-only data; @data_missing: bytes of data that are not in the dump
 * @pointers: how many words of data were the address of a function as built
 * @unread: why a class of differences could not be applied; NULL when all were
 * @unexplained: how many differences of text it might explain; @unexplained_at: the first
 * @unjudged: of some pointers lost page tables do not tell whether they lead to code
 * @undecided: how many pointers lead to code that may be that of modules which were lost
 * @modules: for how many modules the text was compared
 * @records: how many records were looked at
 * @want_words: search all memory for what leads into @sought
 * @sought: vector of struct otst_sought
 * @words: vector of pointers to struct otst_audit_words, the most first
 * @searched: bytes of memory; @absent: how many of these are not in the dump
 * @executable: pages that the page tables let the kernel execute, 0 when they were not read
 * @kept: how many modules are on the list, and in each set that this kernel has
 */
struct otst_audit {
	bool want_places;
	bool want_all;
	bool want_words;
	const struct otst_audit_range *only;
	size_t nr_only;
	size_t count[OTST_DIFFS];
	struct otst_vec places;
	struct otst_vec findings;
	uint64_t total;
	struct otst_audit_limit limit;
	struct otst_messages errors;
	struct otst_messages notes;
	const char *not_compared;
	struct otst_vec coverage;
	uint64_t compared;
	uint64_t missing;
	uint64_t data_compared;
	uint64_t data_missing;
	uint64_t pointers;
	const char *unread;
	size_t unexplained;
	uint64_t unexplained_at;
	bool unjudged;
	size_t undecided;
	size_t modules;
	size_t records;
	struct otst_vec sought;
	struct otst_vec words;
	uint64_t searched;
	uint64_t absent;
	uint64_t executable;
	struct otst_audit_kept {
		size_t listed;
		size_t count[OTST_MODULES_SETS];
		bool there[OTST_MODULES_SETS];
	} kept;
};

/**
 * otst_audit() - compare text with records, and records with each other
 * @ret: @ret->want_places and @ret->want_all are inputs
 *
 * Return: 0, also when there are findings or something could not be read; or
 * what ends a command.
 */
int otst_audit(struct otst *o, struct otst_audit *ret);

/**
 * otst_audit_text() - compare the text of functions with what the records explain
 * @ret: @ret->only is an input: functions of the kernel or of one module. Among the findings are the
 *	differences of their text. @ret->coverage has a row when that could not be compared.
 *
 * Return: as otst_audit().
 */
int otst_audit_text(struct otst *o, struct otst_audit *ret);

/** otst_audit_nop() - what is at a site from which ftrace calls nobody; up to 5.12 of x86_64, by the cpu (finding.c) */
const uint8_t *otst_audit_nop(struct otst *o);

/** otst_audit_fn - one look at text and records; as otst_audit() */
typedef int otst_audit_fn(struct otst *o, struct otst_audit *ret);

/**
 * otst_audit_live() - the findings of a live kernel: those that each of several looks has (live.c)
 *
 * What only some of them have is a row of @ret->coverage, "looked at in part".
 */
int otst_audit_live(struct otst *o, otst_audit_fn *look, struct otst_audit *ret);

/** otst_finding_add() - a new finding; never NULL */
struct otst_finding *otst_finding_add(struct otst *o, struct otst_audit *a,
				      enum otst_finding_kind kind, uint64_t addr,
				      const char *message);

#endif /* OTST_AUDIT_H */
