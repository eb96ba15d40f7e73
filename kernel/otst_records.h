/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * How otst.ko and allie.ko keep what they capture in memory, for readers of a
 * dump that have no debug information for these modules.
 *
 * Each module has one object, `otst_registry` (struct otst_rec_registry),
 * found by that symbol among the module's own, or by its magic in the
 * module's writable data: 8-byte aligned, `self` is its own address.
 *
 * A reader relies only on the first 56 bytes, which never change. They lead to
 * a table of names, which says, for example, at which offset of a record
 * "record.time" is and how many bytes wide. Later versions add names, move
 * members and make them wider; they do not give a name another meaning. A name
 * that is not in the table is something that this version does not keep.
 *
 *   otst_registry --probes--> struct otst_rec_probe [nr_probes], probe_stride
 *                               --ring--> record [nr_records], record_size
 *   record = struct otst_rec_record, registers, frames[], raw bytes of stacks
 *
 * All integers are in the byte order of the machine and have their declared
 * width on every architecture; addresses and stack frames have 64 bits.
 *
 * The structures below are for the modules, and for programs that write such
 * memory (tests). Readers may use them as a model of version 1.
 */
#ifndef OTST_RECORDS_H
#define OTST_RECORDS_H

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/types.h>
typedef atomic64_t otst_rec_counter;
#else
#include <linux/types.h>
typedef __u64 otst_rec_counter;
#endif

#define OTST_REC_MAGIC	      "otst-registry\r\n" /* and the NUL: 16 */
#define OTST_REC_VERSION      1
#define OTST_REC_BYTE_ORDER   0x01020304
#define OTST_REC_SYMBOL_LEN   512 /* KSYM_NAME_LEN of 6.1 and later */
#define OTST_REC_MAX_SEGMENTS 4
#define OTST_REC_MAX_FIELDS   112

/**
 * struct otst_rec_field - where a member is
 * @name:   "probe.address": the structure (registry, probe, record, segment,
 *          regs) and the member; ends with a NUL
 * @offset: from the beginning of that structure; "regs." from "record.regs"
 * @size:   of the member in bytes. For "record.frames" and "record.raw": of
 *          the whole room for them, as the module's parameters set it.
 */
struct otst_rec_field {
	char name[24];
	__u32 offset;
	__u32 size;
};

/**
 * struct otst_rec_registry - one in each module, symbol `otst_registry`
 *
 * Bytes 0 to 55, which never change:
 * @magic:      OTST_REC_MAGIC; all zeros before the module is set up and after
 *              it has been unloaded
 * @byte_order: OTST_REC_BYTE_ORDER
 * @version:    of this format; the table keeps higher versions readable
 * @size:       of this object, including the table
 * @nr_fields:  entries of the table
 * @field_size: bytes from one entry to the next
 * @fields_at:  offset of the table in this object
 * @self:       address of this object
 * @reserved:   zero
 *
 * Found by name:
 * @owner:      the module's name
 * @release:    UTS release of the kernel that the module was built for
 * @clock:      the clock of all times: "local_clock", nanoseconds; also the
 *              clock of the kernel log, and ftrace's default
 * @module:     address of its struct module
 * @probes:     address of the first probe
 * @nr_probes:  how many there is room for; unused ones have state FREE
 * @probe_stride: bytes from one probe to the next
 * @lost_probes: fired probes whose captures were discarded for another probe
 * @last_time:  clock when a probe was last armed, claimed or removed
 * @table:      the table of names
 */
struct otst_rec_registry {
	char magic[16];
	__u32 byte_order;
	__u32 version;
	__u32 size;
	__u32 nr_fields;
	__u32 field_size;
	__u32 fields_at;
	__u64 self;
	__u64 reserved;

	char owner[64];
	char release[64];
	char clock[16];
	__u64 module;
	__u64 probes;
	__u32 nr_probes;
	__u32 probe_stride;
	__u64 lost_probes;
	__u64 last_time;
	struct otst_rec_field table[OTST_REC_MAX_FIELDS];
};

enum otst_rec_state {
	OTST_REC_FREE = 0,
	OTST_REC_ARMED = 1,
	OTST_REC_FIRED = 2,   /* claimed by its hit, not removed yet */
	OTST_REC_REMOVED = 3, /* fired and removed; its ring stays */
};

/**
 * struct otst_rec_probe - one symbol and its captures
 * @state:       enum otst_rec_state
 * @armed_count: how often this symbol was armed
 * @address:     of the probed instruction
 * @kprobe:      address of its struct kprobe (registered if ARMED or FIRED)
 * @ring:        address of the first record, 0 if there never was one
 * @nr_records:  how many records the ring has room for
 * @record_size: bytes from one record to the next
 * @captures:    records begun since the ring was set up: capture n (from 0)
 *               goes to record n % nr_records
 * @dropped:     how many of these were not written, because another cpu was
 *               still writing to that record
 * @hits:        how often the pre handler ran
 * @post_hits:   how often the post handler ran (allie)
 * @count:       captures allowed, negative: no limit (allie as given; otst 1)
 * @left:        how many of these are left
 * @action:      allie: 0 nothing, 1 dump_stack, 2 panic; otst: 1
 * @flags:       allie: as given
 * @verbose:     allie: as given
 * @armed_time:  clock when it was last armed
 * @fired_time:  clock at the first hit after that, 0: none yet
 * @removed_time: clock when the kprobe was removed, 0: not yet
 * @symbol:      as the user wrote it ("sym", "mod:sym", "sym+0x10")
 */
struct otst_rec_probe {
	__u32 state;
	__u32 armed_count;
	__u64 address;
	__u64 kprobe;
	__u64 ring;
	__u32 nr_records;
	__u32 record_size;
	otst_rec_counter captures;
	otst_rec_counter dropped;
	otst_rec_counter hits;
	otst_rec_counter post_hits;
	__s32 count;
	__s32 left;
	__s32 action;
	__u32 flags;
	__s32 verbose;
	__u32 pad;
	__u64 armed_time;
	__u64 fired_time;
	__u64 removed_time;
	char symbol[OTST_REC_SYMBOL_LEN];
};

/* Flags of a segment: it reaches the end of its stack; reading it failed. */
#define OTST_REC_SEG_WHOLE 0x1
#define OTST_REC_SEG_FAULT 0x2

/**
 * struct otst_rec_segment - a run of bytes of one stack
 * @address: where the bytes were
 * @end:     end of that stack; more than @address + @size if raw=N is too small
 * @offset:  of the bytes, from "record.raw"
 * @size:    how many bytes, a multiple of 8
 * @flags:   OTST_REC_SEG_
 * @type:    kind of stack as the kernel numbers it (x86: enum stack_type)
 */
struct otst_rec_segment {
	__u64 address;
	__u64 end;
	__u32 offset;
	__u32 size;
	__u32 flags;
	__u32 type;
};

/* Flags of a record. */
#define OTST_REC_IN_NMI	      0x01 /* context of the probed function, */
#define OTST_REC_IN_HARDIRQ   0x02 /* without the probe's own trap */
#define OTST_REC_IN_SOFTIRQ   0x04
#define OTST_REC_IRQS_OFF     0x08
#define OTST_REC_CUT	      0x10 /* there are more frames than room */
#define OTST_REC_UNWIND_ERROR 0x20 /* the kernel's unwinder gave up */
#define OTST_REC_PRINT_LATER  0x40 /* to be printed by a work item */
#define OTST_REC_PANIC	      0x80 /* the capture before allie's panic */

/**
 * struct otst_rec_record - the head of a record
 * @begin: capture number + 1, written before anything else
 * @end:   the same, written after everything else. If @begin and @end are equal
 *         and not 0, the record is whole. If they differ, it was being written
 *         when the machine stopped, and its contents cannot be trusted.
 * @time:  clock at the hit
 * @pc:    address of the probed instruction. In the saved registers the program
 *         counter is where the kernel's handlers expect it, after the
 *         breakpoint.
 * @task:  address of the current task
 * @cpu:   the processor
 * @preempt_count: in the handler
 * @pid:   of the current thread, @tgid of its process; initial namespace
 * @flags: OTST_REC_
 * @nr_frames: in "record.frames", innermost first: the pc, then return
 *         addresses. Where kretprobes, rethooks or the function graph tracer
 *         replaced a return address, this is the real one.
 * @nr_segments: raw copies of stacks, innermost first: the stack that the
 *         registers' stack pointer is on, from there on; then the stack that
 *         was switched from, and so on
 * @raw_used: bytes of "record.raw" in use
 * @comm:  name of the task; may lack a NUL
 * @segment: where the raw bytes come from
 *
 * After it come "record.regs" (struct pt_regs as the handler got it; "regs."
 * names its members), "record.frames" and "record.raw".
 */
struct otst_rec_record {
	__u64 begin;
	__u64 end;
	__u64 time;
	__u64 pc;
	__u64 task;
	__u32 cpu;
	__u32 preempt_count;
	__s32 pid;
	__s32 tgid;
	__u32 flags;
	__u32 nr_frames;
	__u32 nr_segments;
	__u32 raw_used;
	char comm[16];
	struct otst_rec_segment segment[OTST_REC_MAX_SEGMENTS];
};

#endif /* OTST_RECORDS_H */
