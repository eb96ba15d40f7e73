/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expect.h - the text as it should be: one image (the kernel, or a module) with
 * three copies of its text: as built, as expected by all records applied so
 * far, as found. Private to src/audit. Addresses are those of the running kernel.
 */
#ifndef OTST_EXPECT_H
#define OTST_EXPECT_H

#include "../ftrace/ftrace.h"
#include "../dump/image.h"
#include "audit.h"

#define OTST_TABLE_MAX (1u << 20) /* entries of a table; more are not believed */
#define OTST_PATCH_MAX 255u	  /* bytes of the longest patch: alt_instr.instrlen is one byte */

/**
 * struct otst_expect_part - one section of text
 * @built, @now, @found: @size bytes each; @found is NULL when the section is
 *	not compared: it was freed after boot
 * @have: by page: is it in the dump
 */
struct otst_expect_part {
	uint64_t addr;
	size_t size;
	const uint8_t *built;
	uint8_t *now;
	uint8_t *found;
	uint8_t *have;
};

/**
 * struct otst_patcher - what the kernel patches with (patcher.c)
 * @nop: its nops by length, up to @nop_max; @nop5: the one of jump labels and ftrace
 * @caps: boot_cpu_data.x86_capability, @nr_caps words; none when it cannot be read
 */
struct otst_patcher {
	const uint8_t *nop[12];
	unsigned int nop_max;
	const uint8_t *nop5;
	uint32_t caps[64];
	unsigned int nr_caps;
};

/**
 * struct otst_expect - one image
 * @patches: vector of struct otst_audit_place: all that was set, in this order
 */
struct otst_expect {
	struct otst *o;
	struct otst_audit *out;
	const struct otst_built *built;
	const struct otst_module *module; /**< NULL for the kernel */
	const struct otst_patcher *patcher;
	struct otst_expect_part *parts;
	size_t nr_parts;
	struct otst_vec patches;
	uint64_t percpu_end; /**< of per-cpu variables linked from 0 on; 0 when references to them do not move */
};

/** otst_expect_now() - the bytes expected at @addr so far; NULL when they are in no section */
uint8_t *otst_expect_now(const struct otst_expect *e, uint64_t addr, size_t len);
/** otst_expect_built() - the same as built */
const uint8_t *otst_expect_built(const struct otst_expect *e, uint64_t addr, size_t len);
/** otst_expect_found() - the same as found; NULL when that is not compared */
uint8_t *otst_expect_found(const struct otst_expect *e, uint64_t addr, size_t len);

/** otst_expect_fits() - is @bytes what was found at @addr, after relocation */
bool otst_expect_fits(const struct otst_expect *e, uint64_t addr, const uint8_t *bytes, size_t len);

/** otst_expect_set() - the kernel writes @bytes at @addr */
int otst_expect_set(struct otst_expect *e, enum otst_difference d, uint64_t addr,
		    const uint8_t *bytes, size_t len);

/**
 * otst_expect_try() - the kernel may write @bytes at @addr: it did, if they are there
 * @ret: did it
 */
int otst_expect_try(struct otst_expect *e, enum otst_difference d, uint64_t addr,
		    const uint8_t *bytes, size_t len, bool *ret);

/** otst_expect_unknown() - what the kernel wrote at @addr cannot be told: it is taken as found */
void otst_expect_unknown(struct otst_expect *e, uint64_t addr, size_t len);

/** otst_expect_lost() - the same, and the last error's message says why; @what: "static key" */
int otst_expect_lost(struct otst_expect *e, uint64_t addr, size_t len, const char *what,
		     uint64_t record);

/** otst_expect_place() - count a place that is explained */
int otst_expect_place(struct otst_expect *e, enum otst_difference d, uint64_t addr, size_t len);

/** otst_expect_section() - a section of the image by name; NULL when it has none with contents */
const struct otst_section *otst_expect_section(const struct otst_expect *e, const char *name);

/**
 * otst_expect_sites() - addresses that a table of 32-bit distances names
 * @ret: vector of uint64_t; empty when there is no such section
 */
int otst_expect_sites(struct otst_expect *e, const char *section, struct otst_vec *ret);

/**
 * otst_relocated() - is the byte at @at of an address that was relocated (relocation.c)
 * @addr: of the @len bytes @expected and @found
 * @from: where that address begins
 *
 * Return: where it ends; 0 when it was not.
 */
size_t otst_relocated(const struct otst_expect *e, uint64_t addr, const uint8_t *expected,
		      const uint8_t *found, size_t len, size_t at, size_t *from);

/**
 * otst_expect_table() - a table of distances that the kernel keeps
 * @section: of the image file, which has it in another order: it is taken from
 *	there when it is not in the dump as a whole
 * @at: where it is; set to what its distances begin from
 * @len: its bytes; set when it is the file's
 */
int otst_expect_table(struct otst_expect *e, const char *section, uint64_t *at, size_t *len,
		      const uint8_t **ret);

/** otst_put_le32() - 4 bytes */
void otst_put_le32(uint8_t *to, uint32_t v);
/** otst_put_rel32() - opcode and distance of a direct jump or call at @addr to @target: 5 bytes */
void otst_put_rel32(uint8_t *to, uint8_t opcode, uint64_t addr, uint64_t target);
/** otst_get_rel32() - where the 5 bytes of such an instruction lead */
uint64_t otst_get_rel32(const uint8_t *from, uint64_t addr);

/** otst_audit_kprobes() - every record of kprobe_table, read once a command (kprobes.c) */
int otst_audit_kprobes(struct otst *o, struct otst_probes *ret);

/** otst_audit_bad_probe() - @p->error and which record it is about; NULL when out of memory */
const char *otst_audit_bad_probe(struct otst *o, const struct otst_probe *p);

/** otst_audit_unread() - messages about what could not be read, save those that are there already */
int otst_audit_unread(struct otst *o, struct otst_audit *a, const char *const *messages,
		      size_t count);

/** otst_audit_is_code() - of the kernel, of a module, or what BPF and ftrace made, in neither (records.c) */
bool otst_audit_is_code(struct otst *o, uint64_t addr);

/** otst_patcher() - read once a command */
const struct otst_patcher *otst_patcher(struct otst *o);

/* The classes, in the order in which the kernel applies them; 0 or what ends a command. */
typedef int otst_apply_fn(struct otst_expect *e);

otst_apply_fn otst_apply_kprobes;	 /* kprobes.c: takes them out of what was found */
otst_apply_fn otst_apply_pokes;		 /* pokes.c: the same with patches under way */
otst_apply_fn otst_apply_kgdb;		 /* kgdb.c: the same with breakpoints of a debugger */
otst_apply_fn otst_apply_paravirt;	 /* paravirt.c */
otst_apply_fn otst_apply_retpolines;	 /* retpolines.c */
otst_apply_fn otst_apply_returns;	 /* returns.c */
otst_apply_fn otst_apply_call_depth;	 /* call_depth.c; before and behind alternatives */
otst_apply_fn otst_apply_alternatives;	 /* alternatives.c */
otst_apply_fn otst_apply_endbrs;	 /* endbrs.c */
otst_apply_fn otst_apply_smp_locks;	 /* smp_locks.c */
otst_apply_fn otst_apply_runtime_consts; /* runtime_consts.c */
otst_apply_fn otst_apply_ftrace;	 /* ftrace.c */
otst_apply_fn otst_apply_dispatcher;	 /* dispatcher.c */
otst_apply_fn otst_apply_jump_labels;	 /* jump_labels.c */
otst_apply_fn otst_apply_static_calls;	 /* static_calls.c */

/** otst_call_thunk() - what counts calls before @func (call_depth.c); 0 when nothing does */
uint64_t otst_call_thunk(struct otst_expect *e, uint64_t func);

/** otst_expect_create() - an image's text in three copies (expect.c) */
int otst_expect_create(struct otst *o, const struct otst_built *built, const struct otst_module *m,
		       struct otst_audit *out, struct otst_expect *ret);

/** otst_compare() - what is left of differences after all classes: findings (compare.c) */
int otst_compare(struct otst_expect *e);

/* ---- the records' side ---- */

/** otst_finding_record() - a finding about @record; @message may be NULL: then memory is out */
int otst_finding_record(struct otst *o, struct otst_audit *a, enum otst_finding_kind kind,
			uint64_t addr, uint64_t record, const char *message);

/* 0 or what ends a command */

/** otst_audit_records() - all below (records.c) */
int otst_audit_records(struct otst *o, struct otst_audit *a);
/** otst_audit_table() - records of kprobe_table against each other (kprobe_records.c) */
int otst_audit_table(struct otst *o, struct otst_audit *a);
/** otst_audit_ftrace() - records of functions against the ftrace_ops (ftrace_records.c) */
int otst_audit_ftrace(struct otst *o, struct otst_audit *a, const struct otst_ftrace_list *list);
/** otst_audit_deadly() - tasks that a probe keeps from going on (deadly.c) */
int otst_audit_deadly(struct otst *o, struct otst_audit *a);

#endif /* OTST_EXPECT_H */
