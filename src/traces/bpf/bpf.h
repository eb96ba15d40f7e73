/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * bpf.h - internals of the source "bpf": stacks that BPF programs collected.
 *
 * stacks.c reads the maps that hold stacks; slots.c finds out where
 * the keys and values of other maps, and the records of event buffers, name a
 * stack; text.c formats keys and values for people; elements.c and
 * events.c turn them into traces; bpf.c runs it all.
 */
#ifndef OTST_TRACES_BPF_H
#define OTST_TRACES_BPF_H

#include "../../bpf/bpf.h"
#include "../../types/blob.h"
#include "../traces.h"

/** enum otst_stacks_form - how a map holds stacks */
enum otst_stacks_form {
	OTST_STACKS_PLAIN,    /**< BPF_MAP_TYPE_STACK_TRACE: addresses */
	OTST_STACKS_BUILD_ID, /**< the same with BPF_F_STACK_BUILD_ID */
	OTST_STACKS_KEYED,    /**< bpftrace 0.21 to 0.24: a hash map keyed by id and frame count */
};

/**
 * struct otst_held - one stack of such a map
 * @addr: for PLAIN and BUILD_ID, where its struct stack_map_bucket is
 * @value: for KEYED, the addresses; else NULL
 * @id: names the stack; for KEYED, together with @frames
 * @lines: @nr_lines frames, once otst_held_lines() was called; user-mode frames
 *	come after a mark
 * @guessed: the same frames as guesses, for what refers to it perhaps
 * @claimed: something refers to it for sure
 * @error: what is wrong with it, or NULL
 */
struct otst_held {
	uint64_t addr;
	const uint8_t *value;
	uint64_t id;
	uint32_t frames;
	bool decoded;
	bool claimed;
	const struct otst_trace_line *lines, *guessed;
	size_t nr_lines;
	const char *error;
};

/**
 * struct otst_stacks - a map that holds stacks
 * @held: vector of struct otst_held, by id
 * @buckets: number of possible ids; 0 for KEYED
 */
struct otst_stacks {
	struct otst *o;
	const struct otst_map *map;
	enum otst_stacks_form form;
	uint64_t buckets;
	struct otst_vec held;
};

/** otst_stacks_holds() - does this map hold stacks */
bool otst_stacks_holds(const struct otst_map *m);

/**
 * otst_stacks_read() - find the stacks of a map
 * @errors: vector of messages: what could not be read
 *
 * Return: 0, or the error when nothing at all could be read.
 */
int otst_stacks_read(struct otst *o, const struct otst_map *m, struct otst_stacks *ret,
		     struct otst_messages *errors);

/** otst_stacks_find() - the stack @id, for KEYED with @frames frames; NULL if there is none */
struct otst_held *otst_stacks_find(const struct otst_stacks *s, uint64_t id, uint32_t frames);

/** otst_held_lines() - decode its frames, once; @h->error says what is wrong */
int otst_held_lines(const struct otst_stacks *s, struct otst_held *h);

/** otst_held_all() - the same for all, by address, so that pages of the dump are inflated once */
int otst_held_all(const struct otst_stacks *s);

/**
 * otst_bpf_frames() - append @count addresses to @lines, user-mode ones after a mark
 *
 * Stops at an address that is 0.
 */
int otst_bpf_frames(struct otst *o, const uint8_t *words, size_t count, struct otst_vec *lines);

/* ---- where stacks are named (slots.c) ---- */

/** enum otst_slot_form - what names a stack */
enum otst_slot_form {
	OTST_SLOT_ID,	  /**< a 32-bit id, or the low half of a 64-bit one */
	OTST_SLOT_KEYED,  /**< bpftrace 0.21 to 0.24: 64-bit id, number of frames */
	OTST_SLOT_INLINE, /**< bpftrace since 0.25: number of frames, then the frames themselves */
	OTST_SLOT_FRAMES, /**< frames themselves */
};

/**
 * struct otst_slot - a place in a key, a value or a record
 * @offset, @size: its bytes
 * @stacks: the map that the id refers to, NULL for INLINE and FRAMES
 * @name: "kern_stack_id", or "key+4" when no type names it
 * @evidence: "type": the map's types name it; "fits": all elements fit; "layout": a tool's known layout
 * @guess: too few elements for that: they may fit by chance
 */
struct otst_slot {
	enum otst_slot_form form;
	uint32_t offset;
	uint32_t size;
	struct otst_stacks *stacks;
	const char *name;
	const char *evidence;
	bool guess;
};

/**
 * struct otst_samples - byte strings of one layout, to be searched for slots
 * @part: "key", "value" or "data", used in slot names
 * @leaves: vector of struct otst_leaf, empty when the types are unknown
 * @stacks: the @nr_stacks maps that ids in them can refer to
 */
struct otst_samples {
	struct otst *o;
	const char *part;
	const uint8_t *const *items;
	size_t count;
	uint32_t size;
	const struct otst_vec *leaves;
	struct otst_stacks *const *stacks;
	size_t nr_stacks;
};

/** otst_slots_typed() - find the slots that the types name; vector of struct otst_slot */
int otst_slots_typed(const struct otst_samples *s, struct otst_vec *slots);

/** otst_slots_guess() - find slots by the contents of the bytes */
int otst_slots_guess(const struct otst_samples *s, struct otst_vec *slots);

/** otst_slot_id() - the stack id in a number of @size bytes, negative for an error */
int64_t otst_slot_id(const struct otst *o, const uint8_t *at, size_t size);

/* ---- the stacks that are named (join.c) ---- */

/**
 * otst_slots_join() - record in @t->bpf the stacks that the @slots of @bytes name
 * @size: number of @bytes
 * @stacks: vector of struct otst_vec of struct otst_trace_line: gets the lines of these stacks
 */
int otst_slots_join(struct otst *o, const struct otst_vec *slots, const uint8_t *bytes,
		    uint32_t size, struct otst_trace *t, struct otst_vec *stacks);

/**
 * otst_stacks_lines() - make @stacks the lines of @t
 *
 * The kernel's stack comes before the user's; several kernel stacks are separated by marks.
 */
void otst_stacks_lines(struct otst *o, const struct otst_vec *stacks, struct otst_trace *t);

/* ---- text (text.c) ---- */

/**
 * otst_bpf_text() - key, value or record as text: "pid=42 name=dd", a number, or words in hex
 * @slots: those that hold frames are left out
 */
const char *otst_bpf_text(struct otst *o, const uint8_t *bytes, uint32_t size,
			  const struct otst_vec *leaves, const struct otst_vec *slots);

/** otst_bpf_number() - the first integer in it, for counting; false when there is none */
bool otst_bpf_number(const struct otst *o, const uint8_t *bytes, uint32_t size,
		     const struct otst_vec *leaves, uint64_t *ret);

/** otst_bpf_task() - set comm and pid of @t from members of such names */
int otst_bpf_task(struct otst *o, const uint8_t *bytes, const struct otst_vec *leaves,
		  struct otst_trace *t);

/* ---- traces ---- */

/**
 * struct otst_bpf_search - what the files of this source share
 * @stacks: vector of struct otst_stacks *
 * @probes: probes that programs can be attached to, valid once @probes_read
 * @wanted: list of sources, which may name maps, or NULL; @any: a wanted map was found
 * @where: text for the place of @where_of, the map of the last trace
 */
struct otst_bpf_search {
	struct otst *o;
	const struct otst_bpf *bpf;
	struct otst_vec stacks;
	struct otst_traces *out;
	struct otst_probes probes;
	bool probes_read;
	const char *wanted;
	bool any;
	const struct otst_map *where_of;
	const char *where;
};

/**
 * otst_bpf_probe() - the one place that all programs using @m are attached to
 * @ret: NULL when there is none, or more than one function
 */
int otst_bpf_probe(struct otst_bpf_search *s, const struct otst_map *m,
		   const struct otst_probe **ret);

/** otst_bpf_belongs() - record that place in @t; @p may be NULL */
void otst_bpf_belongs(struct otst_trace *t, const struct otst_probe *p);

/** otst_bpf_candidates() - the stack maps that @m is used with; vector of struct otst_stacks * */
void otst_bpf_candidates(struct otst_bpf_search *s, const struct otst_map *m, struct otst_vec *ret);

/** otst_bpf_errors() - pass on the messages about @m, with its id */
int otst_bpf_errors(struct otst_bpf_search *s, const struct otst_map *m,
		    const struct otst_messages *errors);

/** otst_bpf_trace() - add a trace of @m, with a @bpf that has room for @ids stacks */
struct otst_trace *otst_bpf_trace(struct otst_bpf_search *s, const struct otst_map *m, size_t ids);

/** otst_bpf_elements() - traces of a hash map's elements (elements.c) */
int otst_bpf_elements(struct otst_bpf_search *s, const struct otst_map *m);

/** otst_bpf_events() - traces of the records of a ring buffer or a perf event array (events.c) */
int otst_bpf_events(struct otst_bpf_search *s, const struct otst_map *m);

#endif /* OTST_TRACES_BPF_H */
