/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * engine.h - struct otst: one opened dump, and the memory that is kept with it.
 *
 * For the rooms up to built/: decoders use dump.h.
 */
#ifndef OTST_ENGINE_H
#define OTST_ENGINE_H

#include "command.h"
#include "hashmap.h"

struct arena_block;
struct memo;
struct undo;
struct once_entry;
struct otst_recorder;

/**
 * struct arena - memory that is freed all at once
 * @blocks: newest first
 * @held: bytes of all blocks
 */
struct arena {
	struct arena_block *blocks;
	size_t held;
};

void otst_arena_free(struct arena *a);

/** otst_undo_all() - run what otst_at_end() was given, the last first */
void otst_undo_all(struct undo **list);

/**
 * struct once_table - all answers of otst_once() (once.c)
 * @latest: linked by struct once_entry.earlier, the last one finished first
 * @making: number of answers being determined, one for another
 * @stale: the next command forgets them
 */
struct once_table {
	struct otst_hashmap entries;
	struct once_entry *latest;
	unsigned int making;
	bool stale;
};

/**
 * struct otst - one opened dump
 * @engine: memory of what is cached until otst_once_forget()
 * @stopped: the error that ended the command, 0 while it goes on
 * @running: a command has begun and not ended
 * @reading: number of the current reading of a live kernel, see otst_read_anew(); 0 for a dump
 * @memory: the same for cached memory, see otst_memory_anew()
 * @bad_records: see otst_bad_record()
 * @memory_limit: bytes that both arenas may hold
 * @over_limit: it was reached: what the command found is not all
 * @recorder: is told of names that are not found, see recorder.h; or NULL
 * @allocations: how many there were; a test makes number @fail_allocation fail
 */
#define OTST_SPARE (1u << 20)

struct otst {
	struct otst_target_ops ops;
	void *priv;
	struct otst_options options;
	char *vmlinux, *module_dir, *root, *btf;
	struct arena command;
	struct arena engine;
	char message[1024];
	char stop_message[1024];
	int stopped;
	bool running;
	uint64_t reading, memory;
	uint64_t bad_records;
	uint64_t memory_limit;
	bool over_limit;
	const struct otst_recorder *recorder;
	uint64_t allocations, fail_allocation;

	struct doubts {
		uint64_t count;
		const char *why;
		const char *help;
		struct otst_vec all; /* of struct otst_doubt */
	} doubts;		     /* of the command; see coverage.h */
	struct memo *memos;
	struct undo *at_end;
	struct once_table once;
	bool force;   /* of otst_image_check() */
	int unpacked; /* 1 + descriptor of what the image file is when decompressed; 0: none */
	struct {
		bool done, found, said, told;
		bool bare;    /* what was found has no text as built */
		bool unknown; /* the build ID of the dump's kernel */
		bool images;  /* boot images were tried, too */
		char *why;    /* why debuginfod had no file */
	} search;	      /* of otst_image_search() */

	/* for elements that cannot be allocated, see otst_vec_push() */
	size_t spare_used;
	_Alignas(16) unsigned char spare[OTST_SPARE];
};

/** otst_says_limit() - true if a message is that the limit on memory is reached, of whatever */
bool otst_says_limit(const char *text);

/** otst_over_limit() - raise the message that the limit on memory is reached */
void otst_over_limit(struct otst *o);

/** otst_keep_format() - cleaned formatted string in the engine's memory; NULL when out of memory */
char *otst_keep_format(struct otst *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** otst_once_forget() - free all answers of otst_once(), and what otst_keep() gave */
void otst_once_forget(struct otst *o);

/** otst_keep_string() - cleaned copy of @s in the engine's memory; NULL when out of memory */
char *otst_keep_string(struct otst *o, const char *s);

/**
 * otst_answer() - take an error that the front end returned
 *
 * Raises the message of an error that ends the command. Return: @err.
 */
int otst_answer(struct otst *o, int err);

#endif /* OTST_ENGINE_H */
