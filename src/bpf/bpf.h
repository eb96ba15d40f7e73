/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * bpf.h - BPF's own objects: programs and the maps that they use, from the
 * kernel's id trees (prog_idr and map_idr of kernel/bpf/syscall.c, since 4.13),
 * and the elements of hash maps.
 */
#ifndef OTST_BPF_H
#define OTST_BPF_H

#include "../memory/idr.h"
#include "../list/list.h"

/** enum otst_map_type - the types of enum bpf_map_type (include/uapi/linux/bpf.h) that are read */
enum otst_map_type {
	OTST_MAP_HASH = 1,
	OTST_MAP_ARRAY = 2,
	OTST_MAP_PROG_ARRAY = 3,
	OTST_MAP_PERF_EVENT_ARRAY = 4,
	OTST_MAP_PERCPU_HASH = 5,
	OTST_MAP_PERCPU_ARRAY = 6,
	OTST_MAP_STACK_TRACE = 7,
	OTST_MAP_LRU_HASH = 9,
	OTST_MAP_LRU_PERCPU_HASH = 10,
	OTST_MAP_RINGBUF = 27,
};

/** otst_map_type_name() - as bpftool names it: "lru_hash"; NULL for a type not in the enum above */
const char *otst_map_type_name(uint32_t type);

/**
 * struct otst_map - struct bpf_map
 * @name: as created, up to 15 characters; "" when it has none
 * @btf: struct btf with the types of key and value, 0 when there is none
 * @key_type, @value_type: type numbers in @btf, 0 when unknown
 */
struct otst_map {
	uint64_t addr;
	uint32_t id;
	uint32_t type;
	uint32_t key_size;
	uint32_t value_size;
	uint32_t max_entries;
	uint32_t flags;
	const char *name;
	uint64_t btf;
	uint32_t key_type;
	uint32_t value_type;
};

/** struct otst_user - a program with the struct bpf_map addresses that it uses */
struct otst_user {
	struct otst_program program;
	const uint64_t *maps;
	size_t nr_maps;
};

/**
 * struct otst_bpf - all maps and programs that have an id, by that id
 * @maps: vector of struct otst_map; @users: vector of struct otst_user
 * @errors: vector of messages: what could not be read
 */
struct otst_bpf {
	struct otst_vec maps;
	struct otst_vec users;
	struct otst_messages errors;
};

/**
 * otst_bpf_read() - read them, once per command
 *
 * Return: 0; LOOKUP when this kernel has no such trees; or what ends a command.
 */
int otst_bpf_read(struct otst *o, const struct otst_bpf **ret);

/**
 * otst_idr_symbol() - entries of the tree called @name: "prog_idr"
 * @entries: vector of struct otst_idr_entry
 * @errors: vector of messages: branches that could not be read
 *
 * Return: 0, LOOKUP when there is no such tree; or why nothing could be read.
 */
int otst_idr_symbol(struct otst *o, const char *name, struct otst_vec *entries,
		    struct otst_messages *errors);

/** otst_bpf_uses() - does the struct bpf_prog at @prog use @map */
bool otst_bpf_uses(const struct otst_bpf *b, uint64_t prog, uint64_t map);

/** otst_bpf_shares() - is there a program that uses both maps */
bool otst_bpf_shares(const struct otst_bpf *b, uint64_t map, uint64_t other);

/** otst_program_read() - the struct bpf_prog at @prog (program.c) */
int otst_program_read(struct otst *o, uint64_t prog, struct otst_program *ret);

/* ---- who holds programs (holders.c, holds.c, pins.c) ---- */

/**
 * struct otst_holds - the programs whose holders are wanted
 * @items: @count of them, by address
 * @bad: how many things could not be read; @first: the message of the first
 */
struct otst_holds {
	struct otst_hold *items;
	size_t count;
	size_t bad;
	const char *first;
};

/** otst_holds_find() - the program at @prog; NULL when it is not among @h */
struct otst_hold *otst_holds_find(const struct otst_holds *h, uint64_t prog);

/** otst_holds_bad() - count an error and keep the first message; returns what ends a command */
int otst_holds_bad(struct otst *o, struct otst_holds *h, int err);

/** otst_bpf_pins() - the pins of all programs of @h (pins.c); 0, or what ends a command */
int otst_bpf_pins(struct otst *o, struct otst_holds *h);

/* ---- elements of hash maps (hash.c) ---- */

/**
 * struct otst_element - one element
 * @at: address of its struct htab_elem, @size bytes
 * @percpu: for a per-cpu map, the per-cpu pointer to its values, else 0
 * @key, @value: in the command's arena; a per-cpu map has @nr_values consecutive
 *	values of @stride bytes, cpu 0 first; other maps have one
 * @error: why values are missing, or NULL; @key is always valid
 */
struct otst_element {
	uint64_t at;
	uint64_t size;
	uint64_t percpu;
	const uint8_t *key;
	const uint8_t *value;
	uint32_t nr_values;
	uint32_t stride;
	const char *error;
};

/** otst_map_is_hash() - true if it is of a type that otst_map_elements() reads */
bool otst_map_is_hash(const struct otst_map *m);

/**
 * otst_map_elements() - all elements, in the order of the buckets
 * @most: stop after this many, 0 for all
 * @elements: vector of struct otst_element
 * @errors: gets a message with the number of buckets that could not be read, and
 *	the error of the first one
 *
 * Return: 0, or why nothing could be read.
 */
int otst_map_elements(struct otst *o, const struct otst_map *m, size_t most,
		      struct otst_vec *elements, struct otst_messages *errors);

/* ---- programs of probes (program.c, holders.c, attach.c) ---- */

/** otst_probe_program() - @p runs the struct bpf_prog at @prog (program.c) */
int otst_probe_program(struct otst *o, struct otst_probe *p, uint64_t prog);

/**
 * otst_bpf_on_event() - programs attached to a trace event (program.c)
 * @type: structure at @at; @call: prefix of the path to its trace_event_call: "call.", or ""
 *
 * A probe that belonged to perf then belongs to the program.
 */
int otst_bpf_on_event(struct otst *o, const char *type, uint64_t at, const char *call,
		      struct otst_probe *p);

/**
 * otst_bpf_holders() - find out what holds the programs of @probes: fills &otst_program.hold
 *
 * If there is a program, looks through the open files of all tasks. What
 * could not be read is added to the errors of @probes.
 *
 * Return: 0, or what ends a command.
 */
int otst_bpf_holders(struct otst *o, struct otst_probes *probes);

/** otst_bpf_owner() - @p belongs to the struct bpf_prog at @prog (program.c) */
int otst_bpf_owner(struct otst *o, uint64_t prog, struct otst_probe *p);

/** otst_attached() - BPF programs on groups, interfaces and the like (attach.c) */
otst_collect_fn otst_attached;

/**
 * otst_task_cgroup() - path of a task's group in the unified hierarchy, "/" for its root; NULL when
 * unknown (cgroup.c)
 */
const char *otst_task_cgroup(struct otst *o, uint64_t task);

/** otst_is_container() - is it a group other than the root: of a service, a session, a container */
static inline bool otst_is_container(const char *cgroup)
{
	return cgroup && cgroup[0] && cgroup[1];
}

#endif /* OTST_BPF_H */
