/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.h - repeatable random numbers for fuzzers: xorshift64*.
 */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/** random_next() - 64 random bits; @state: not 0 */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/** random_below() - a random number below @n, or 0 when @n is 0 */
static inline size_t random_below(uint64_t *state, size_t n)
{
	return n ? (size_t)(random_next(state) >> 16) % n : 0;
}

#endif /* FUZZ_RANDOM_H */
