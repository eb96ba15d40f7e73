/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * The registry of a module (otst_records.h) and the memory behind it: probes
 * with their kprobes, rings of records. Included once by each module.
 *
 * Nothing here is __init: a function that is hit while its module is loading
 * has this code on its stack, and a reader of the dump needs its unwind tables.
 */
#ifndef OTST_REGISTRY_H
#define OTST_REGISTRY_H

#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "otst_compat.h"
#include "otst_records.h"

#define OTST_MAX_RECORDS 65536
#define OTST_MAX_DEPTH	 256
#define OTST_MAX_RAW	 65536

static unsigned int records = OTST_DEFAULT_RECORDS;
module_param(records, uint, 0444);
MODULE_PARM_DESC(records, "captures kept for each probe, the newest ones");

static int depth = -1;
module_param(depth, int, 0444);
MODULE_PARM_DESC(depth,
		 "frames kept of each stack (default 64, with raw= none)");

static unsigned int raw;
module_param(raw, uint, 0444);
MODULE_PARM_DESC(raw, "bytes of stack copied by each capture (default none)");

/* A probe: the kernel's half, and ours, which dump readers know. */
struct otst_slot {
	struct kprobe kp;
	char name[OTST_REC_SYMBOL_LEN]; /* kp.symbol_name */
	struct otst_rec_probe rec;
};

/* Found in a dump by this name. */
static struct otst_rec_registry otst_registry;

/* Parts of a record after its head. */
static struct {
	u32 regs;
	u32 frames;
	u32 raw;
	u32 size;
} otst_layout;

#define OTST_FIELD(of, member)                                           \
	{                                                                \
#of "." #member, offsetof(struct otst_rec_##of, member), \
			sizeof_field(struct otst_rec_##of, member)       \
	}
#define OTST_REG(member)                                           \
	{                                                          \
		"regs." #member, offsetof(struct pt_regs, member), \
			sizeof_field(struct pt_regs, member)       \
	}

static const struct otst_rec_field otst_fields[] = {
	OTST_FIELD(registry, owner),
	OTST_FIELD(registry, release),
	OTST_FIELD(registry, clock),
	OTST_FIELD(registry, module),
	OTST_FIELD(registry, probes),
	OTST_FIELD(registry, nr_probes),
	OTST_FIELD(registry, probe_stride),
	OTST_FIELD(registry, lost_probes),
	OTST_FIELD(registry, last_time),
	OTST_FIELD(probe, state),
	OTST_FIELD(probe, armed_count),
	OTST_FIELD(probe, address),
	OTST_FIELD(probe, kprobe),
	OTST_FIELD(probe, ring),
	OTST_FIELD(probe, nr_records),
	OTST_FIELD(probe, record_size),
	OTST_FIELD(probe, captures),
	OTST_FIELD(probe, dropped),
	OTST_FIELD(probe, hits),
	OTST_FIELD(probe, post_hits),
	OTST_FIELD(probe, count),
	OTST_FIELD(probe, left),
	OTST_FIELD(probe, action),
	OTST_FIELD(probe, flags),
	OTST_FIELD(probe, verbose),
	OTST_FIELD(probe, armed_time),
	OTST_FIELD(probe, fired_time),
	OTST_FIELD(probe, removed_time),
	OTST_FIELD(probe, symbol),
	OTST_FIELD(record, begin),
	OTST_FIELD(record, end),
	OTST_FIELD(record, time),
	OTST_FIELD(record, pc),
	OTST_FIELD(record, task),
	OTST_FIELD(record, cpu),
	OTST_FIELD(record, preempt_count),
	OTST_FIELD(record, pid),
	OTST_FIELD(record, tgid),
	OTST_FIELD(record, flags),
	OTST_FIELD(record, nr_frames),
	OTST_FIELD(record, nr_segments),
	OTST_FIELD(record, raw_used),
	OTST_FIELD(record, comm),
	OTST_FIELD(record, segment),
	OTST_FIELD(segment, address),
	OTST_FIELD(segment, end),
	OTST_FIELD(segment, offset),
	OTST_FIELD(segment, size),
	OTST_FIELD(segment, flags),
	OTST_FIELD(segment, type),
#ifdef CONFIG_X86_64
	OTST_REG(r15),
	OTST_REG(r14),
	OTST_REG(r13),
	OTST_REG(r12),
	OTST_REG(bp),
	OTST_REG(bx),
	OTST_REG(r11),
	OTST_REG(r10),
	OTST_REG(r9),
	OTST_REG(r8),
	OTST_REG(ax),
	OTST_REG(cx),
	OTST_REG(dx),
	OTST_REG(si),
	OTST_REG(di),
	OTST_REG(orig_ax),
	OTST_REG(ip),
	OTST_REG(cs),
	OTST_REG(flags),
	OTST_REG(sp),
	OTST_REG(ss),
#elif defined(CONFIG_ARM64)
	OTST_REG(regs),
	OTST_REG(sp),
	OTST_REG(pc),
	OTST_REG(pstate),
#endif
};

static void otst_add_field(const char *name, u32 offset, u32 size)
{
	struct otst_rec_field *field;

	field = &otst_registry.table[otst_registry.nr_fields++];
	otst_copy_string(field->name, name, sizeof(field->name));
	field->offset = offset;
	field->size = size;
}

static void otst_lay_out_records(void)
{
	u32 at = sizeof(struct otst_rec_record);

	records = clamp(records, 1U, (unsigned int)OTST_MAX_RECORDS);
	raw = min(ALIGN(raw, 8), (unsigned int)OTST_MAX_RAW);
	if (depth < 0)
		depth = raw ? 0 : 64;
	depth = min(depth, OTST_MAX_DEPTH);

	otst_layout.regs = at;
	at = ALIGN(at + sizeof(struct pt_regs), 8);
	otst_layout.frames = at;
	at += depth * sizeof(u64);
	otst_layout.raw = at;
	otst_layout.size = at + raw;
}

static void otst_fill_table(void)
{
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(otst_fields) + 3 > OTST_REC_MAX_FIELDS);
	for (i = 0; i < ARRAY_SIZE(otst_fields); i++)
		otst_add_field(otst_fields[i].name, otst_fields[i].offset,
			       otst_fields[i].size);
	otst_add_field("record.regs", otst_layout.regs, sizeof(struct pt_regs));
	otst_add_field("record.frames", otst_layout.frames,
		       depth * sizeof(u64));
	otst_add_field("record.raw", otst_layout.raw, raw);
}

/* Set up all of the registry but the probes; the magic comes last. */
static void otst_registry_init(struct otst_slot *slots, unsigned int nr)
{
	struct otst_rec_registry *r = &otst_registry;

	otst_lay_out_records();
	BUILD_BUG_ON(offsetof(struct otst_rec_registry, owner) != 56);
	BUILD_BUG_ON(sizeof(OTST_REC_MAGIC) != sizeof(r->magic));
	r->byte_order = OTST_REC_BYTE_ORDER;
	r->version = OTST_REC_VERSION;
	r->size = sizeof(*r);
	r->field_size = sizeof(r->table[0]);
	r->fields_at = offsetof(struct otst_rec_registry, table);
	r->self = (unsigned long)r;
	otst_copy_string(r->owner, KBUILD_MODNAME, sizeof(r->owner));
	otst_copy_string(r->release, init_utsname()->release,
			 sizeof(r->release));
	otst_copy_string(r->clock, "local_clock", sizeof(r->clock));
	r->module = (unsigned long)THIS_MODULE;
	r->probes = (unsigned long)&slots[0].rec;
	r->nr_probes = nr;
	r->probe_stride = sizeof(slots[0]);
	otst_fill_table();
	smp_wmb(); /* a reader of memory trusts whatever has the magic */
	memcpy(r->magic, OTST_REC_MAGIC, sizeof(r->magic));
}

/* Freed memory must not be found by its magic. */
static void otst_registry_deinit(void)
{
	memset(otst_registry.magic, 0, sizeof(otst_registry.magic));
	smp_wmb(); /* clear the magic before the memory goes */
	otst_registry.probes = 0;
}

/* Create a ring for the probe, if it has none yet. */
static int otst_ring_create(struct otst_rec_probe *p)
{
	void *ring;

	if (p->ring)
		return 0;
	ring = vzalloc((size_t)records * otst_layout.size);
	if (!ring)
		return -ENOMEM;
	p->nr_records = records;
	p->record_size = otst_layout.size;
	smp_wmb(); /* sizes before the address */
	p->ring = (unsigned long)ring;
	return 0;
}

static void otst_ring_destroy(struct otst_rec_probe *p)
{
	void *ring = (void *)(unsigned long)p->ring;

	p->ring = 0;
	smp_wmb(); /* clear the address before the memory goes */
	vfree(ring);
}

static struct otst_rec_record *otst_record(struct otst_rec_probe *p, u32 i)
{
	return (void *)((unsigned long)p->ring + (size_t)i * p->record_size);
}

/*
 * Set up the kprobe of a slot for "[module:]symbol[+offset]". register_kprobe()
 * wants a struct kprobe without leftovers from the last time.
 */
static int otst_kprobe_init(struct otst_slot *slot, const char *symbol)
{
	char *name = slot->name, *plus, *bare;
	unsigned int offset = 0;
	int err;

	if (!otst_copy_string(name, symbol, sizeof(slot->name)))
		return -ENAMETOOLONG;
	plus = strchr(name, '+');
	if (plus) {
		err = kstrtouint(plus + 1, 0, &offset);
		if (err)
			return err;
		*plus = '\0';
	}
	bare = strchr(name, ':');
	bare = bare ? bare + 1 : name;
	if (!*bare)
		return -EINVAL;
	if (strlen(bare) >= KSYM_NAME_LEN)
		return -ENAMETOOLONG;
	memset(&slot->kp, 0, sizeof(slot->kp));
	slot->kp.symbol_name = name;
	slot->kp.offset = offset;
	return 0;
}

#endif /* OTST_REGISTRY_H */
