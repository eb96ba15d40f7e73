/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_target.h - a target that damages what another one reads.
 *
 * Holds a plan: words replaced, bits flipped, pages cut, reads that fail. The
 * plan is either put together by the caller or rolled from a seed; the same
 * seed over the same dump gives the same plan.
 */
#ifndef FAULT_TARGET_H
#define FAULT_TARGET_H

#include "../../src/otst.h"
#include "page_store.h"

#define FAULT_PATCHES 1024 /* two pages of words */
#define FAULT_CUTS    8
#define FAULT_JOBS    3

struct helper;

/**
 * struct fault_target - the wrapped target and the plan
 * @options: the dump's options, for otst_open()
 * @patches: the bits @mask of the word at @addr, in the dump's byte order, are set from @value
 * @cuts: numbers of pages that are gone
 * @fail_at: the read with this number fails; 0 for none
 * @reads: reads so far
 * @stop_at: the user wants to stop from the question with this number on; 0 for never
 * @questions: how often the engine has asked whether to stop
 * @fail_one_in: one in this many pages cannot be read, chosen by @salt; 0 for none
 * @helper: the other thread, owned by the caller; NULL: work is done as late as possible, when
 *	the engine waits for it
 * @jobs: the work that waits while @helper is NULL
 */
struct fault_target {
	struct otst_target_ops ops;
	const struct otst_target_ops *base;
	void *priv;
	struct otst_options options;
	struct fault_patch {
		uint64_t addr;
		uint64_t mask;
		uint64_t value;
	} patches[FAULT_PATCHES];
	unsigned int nr_patches;
	uint64_t cuts[FAULT_CUTS];
	unsigned int nr_cuts;
	uint64_t fail_at;
	uint64_t reads;
	uint64_t stop_at;
	uint64_t questions;
	uint64_t fail_one_in;
	uint64_t salt;
	struct helper *helper;
	struct fault_job {
		void (*work)(void *what);
		void *what;
	} jobs[FAULT_JOBS];
};

/**
 * fault_target_init() - wrap a target, with an empty plan; use &ret->ops with @ret as private
 * pointer, and &ret->options
 */
void fault_target_init(const struct otst_target_ops *ops, void *priv,
		       const struct otst_options *options, struct fault_target *ret);

/** fault_target_open() - open an engine on the target; like otst_open() */
int fault_target_open(struct fault_target *f, struct otst **ret);

/** fault_target_reset() - forget the plan */
void fault_target_reset(struct fault_target *f);

/** fault_target_patch() - plan a patch; silently dropped when the plan is full */
void fault_target_patch(struct fault_target *f, uint64_t addr, uint64_t mask, uint64_t value);

/** fault_target_cut() - plan the loss of the page that holds @addr */
void fault_target_cut(struct fault_target *f, uint64_t addr);

/**
 * fault_target_roll() - make a plan from a seed
 * @pages: the pages to damage, @count of them, at least one
 */
void fault_target_roll(struct fault_target *f, uint64_t seed, const struct store_page *const *pages,
		       size_t count);

/** fault_target_print() - print the plan for people on standard error */
void fault_target_print(const struct fault_target *f);

/** fault_random() - the next number of a generator (splitmix64) whose state is *@state */
uint64_t fault_random(uint64_t *state);

#endif /* FAULT_TARGET_H */
