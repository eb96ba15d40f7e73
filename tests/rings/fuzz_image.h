/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_image.h - what the fuzzers of this folder share: a small piece of memory
 * that holds structures and serves as the dump, repeatable randomness, and damage.
 */
#ifndef FUZZ_IMAGE_H
#define FUZZ_IMAGE_H

#include "../../src/dump.h"

#define FUZZ_IMAGE (1u << 19)

/** struct fuzz_member - a member of a structure of the dump */
struct fuzz_member {
	const char *type;
	const char *name;
	unsigned int offset;
	unsigned int size;
	unsigned int kind;
};

/**
 * struct fuzz_image - a dump of one piece of memory
 * @base: address of @bytes[0]; @missing: pages that are not in the dump
 * @members: ended by a NULL name
 * @wrong: what the run found
 * @state: of the random numbers; @run, @runs, @seed: which runs
 */
struct fuzz_image {
	struct otst *o;
	uint64_t state;
	uint64_t run;
	uint64_t runs;
	uint64_t seed;
	uint64_t base;
	uint8_t bytes[FUZZ_IMAGE];
	bool missing[FUZZ_IMAGE / OTST_CHUNK];
	const struct fuzz_member *members;
	const char *wrong;
};

/** fuzz_next() - 64 random bits */
uint64_t fuzz_next(struct fuzz_image *f);

/** fuzz_below() - a random number from 0 to @n - 1; 0 when @n is 0 */
uint32_t fuzz_below(struct fuzz_image *f, uint32_t n);

/** fuzz_put() - store a little-endian integer in a buffer */
void fuzz_put(void *to, uint64_t v, size_t size);

/** fuzz_touch() - read every byte, so that the sanitizers see it */
void fuzz_touch(const void *data, size_t size);

/** fuzz_damage() - damage @data in up to four small ways */
void fuzz_damage(struct fuzz_image *f, uint8_t *data, uint32_t len);

/**
 * fuzz_main() - the runs that the command line asks for, up to the first one that fails
 * @f: with its @members
 * @what: what the runs work on, for the line that counts them
 * @one: one run; returns false, with @wrong set, when it failed
 *
 *	--runs N --seed S, or --seed S --one RUN for one of them alone
 *
 * Return: exit status.
 */
int fuzz_main(struct fuzz_image *f, int argc, char **argv, const char *what,
	      bool (*one)(struct fuzz_image *f));

#endif /* FUZZ_IMAGE_H */
