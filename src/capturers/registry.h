/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * registry.h - the registry with which otst.ko and allie.ko describe their
 * own memory (kernel/otst_records.h): the offset and width of each member in its
 * structure. Readers have nothing else to go by: these modules come without debug
 * information, and their version is not known.
 */
#ifndef OTST_REGISTRY_H
#define OTST_REGISTRY_H

#include "../dump.h"

/** enum otst_field_id - members that a reader asks for; their names are in registry.c */
enum otst_field_id {
	OTST_REGISTRY_OWNER,
	OTST_REGISTRY_RELEASE,
	OTST_REGISTRY_CLOCK,
	OTST_REGISTRY_PROBES,
	OTST_REGISTRY_NR_PROBES,
	OTST_REGISTRY_PROBE_STRIDE,
	OTST_REGISTRY_LOST_PROBES,
	OTST_REGISTRY_LAST_TIME,
	OTST_SLOT_STATE,
	OTST_SLOT_ARMED_COUNT,
	OTST_SLOT_ADDRESS,
	OTST_SLOT_KPROBE,
	OTST_SLOT_RING,
	OTST_SLOT_NR_RECORDS,
	OTST_SLOT_RECORD_SIZE,
	OTST_SLOT_CAPTURES,
	OTST_SLOT_DROPPED,
	OTST_SLOT_HITS,
	OTST_SLOT_POST_HITS,
	OTST_SLOT_COUNT,
	OTST_SLOT_LEFT,
	OTST_SLOT_ACTION,
	OTST_SLOT_FLAGS,
	OTST_SLOT_VERBOSE,
	OTST_SLOT_ARMED_TIME,
	OTST_SLOT_FIRED_TIME,
	OTST_SLOT_REMOVED_TIME,
	OTST_SLOT_SYMBOL,
	OTST_RECORD_BEGIN,
	OTST_RECORD_END,
	OTST_RECORD_TIME,
	OTST_RECORD_PC,
	OTST_RECORD_TASK,
	OTST_RECORD_CPU,
	OTST_RECORD_PID,
	OTST_RECORD_FLAGS,
	OTST_RECORD_NR_FRAMES,
	OTST_RECORD_NR_SEGMENTS,
	OTST_RECORD_COMM,
	OTST_RECORD_SEGMENT,
	OTST_RECORD_REGS,
	OTST_RECORD_FRAMES,
	OTST_RECORD_RAW,
	OTST_SEGMENT_ADDRESS,
	OTST_SEGMENT_OFFSET,
	OTST_SEGMENT_SIZE,
	OTST_FIELD_IDS,
};

/** struct otst_field - where a member is; size 0: this module does not keep it */
struct otst_field {
	uint32_t offset;
	uint32_t size;
};

/**
 * struct otst_registry - one module's registry
 * @module: the module whose data it is in
 * @owner: name that the module gives itself: "otst", "allie"
 * @clock: the clock of its times, "local_clock"
 * @probes: address of the first probe, @nr_probes of them @probe_stride apart
 * @lost_probes: probes whose captures were discarded in favour of another probe's
 * @slot_size: bytes of a probe up to the end of its last member
 * @segment_stride: bytes from one segment of a record to the next
 * @regs: members of record.regs, by the architecture's register numbers
 */
struct otst_registry {
	uint64_t addr;
	const struct otst_module *module;
	bool big_endian;
	uint32_t version;
	const char *owner;
	const char *release;
	const char *clock;
	uint64_t probes;
	uint32_t nr_probes;
	uint32_t probe_stride;
	uint32_t slot_size;
	uint64_t lost_probes;
	uint64_t last_time;
	uint32_t segment_stride;
	struct otst_field fields[OTST_FIELD_IDS];
	struct otst_field regs[OTST_REGS_MAX];
};

/**
 * struct otst_registries - all of them
 * @errors: messages: registries that were refused
 */
struct otst_registries {
	struct otst_registry **items;
	size_t count;
	struct otst_messages errors;
};

/**
 * otst_registries() - find and check the registries of all modules, once per command
 *
 * Goes by the symbol otst_registry, or by the magic in a module that may have lost its symbols.
 *
 * Return: 0, also when some were refused or there are none; or what ends a command.
 */
int otst_registries(struct otst *o, const struct otst_registries **ret);

/** otst_registry_parse() - parse a registry, @total bytes at @data (registry_fields.c) */
int otst_registry_parse(struct otst *o, struct otst_registry *r, const unsigned char *data,
			uint32_t total);

/** otst_registry_fits() - CORRUPT when a record's member is outside its @size bytes; says which */
int otst_registry_fits(struct otst *o, const struct otst_registry *r, uint64_t size);

/** enum otst_slot_state - kernel/otst_records.h, enum otst_rec_state */
enum otst_slot_state {
	OTST_SLOT_FREE,
	OTST_SLOT_ARMED,
	OTST_SLOT_FIRED,
	OTST_SLOT_REMOVED,
};

/**
 * struct otst_slot - one probe of a registry, as read in one go
 * @addr: where it is; @data: its bytes, &otst_registry.slot_size of them
 * @symbol: as its user wrote it
 */
struct otst_slot {
	const struct otst_registry *registry;
	uint64_t addr;
	unsigned char *data;
	enum otst_slot_state state;
	uint64_t address;
	uint64_t kprobe;
	const char *symbol;
};

/**
 * otst_slot_read() - read probe @i
 * @ret: zeros before the first probe of a registry; the next one overwrites @ret->data
 *
 * Return: 0; FAULT; CORRUPT when its state makes no sense.
 */
int otst_slot_read(struct otst *o, const struct otst_registry *r, uint32_t i,
		   struct otst_slot *ret);

/** otst_field_regs() - registers of a record.regs at @data; missing ones are 0, then false */
bool otst_field_regs(struct otst *o, const struct otst_registry *r, const void *data,
		     uint64_t *ret);

/** otst_field_has() - true if the module keeps this member */
bool otst_field_has(const struct otst_registry *r, enum otst_field_id id);

/** otst_field_u64() - an unsigned member of the structure at @data, 0 when it has none */
uint64_t otst_field_u64(const struct otst_registry *r, enum otst_field_id id, const void *data);

/** otst_field_s64() - the same for a signed member */
int64_t otst_field_s64(const struct otst_registry *r, enum otst_field_id id, const void *data);

/** otst_field_chars() - a string member, cleaned; "" when there is none */
const char *otst_field_chars(struct otst *o, const struct otst_registry *r, enum otst_field_id id,
			     const void *data);

#endif /* OTST_REGISTRY_H */
