// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_image.c - what the fuzzers of this folder share.
 */
#include "fuzz_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fuzz/random.h"

uint64_t fuzz_next(struct fuzz_image *f)
{
	return random_next(&f->state);
}

uint32_t fuzz_below(struct fuzz_image *f, uint32_t n)
{
	return n ? (uint32_t)(fuzz_next(f) >> 16) % n : 0;
}

void fuzz_put(void *to, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)to)[i] = (uint8_t)(v >> 8 * i);
}

void fuzz_touch(const void *data, size_t size)
{
	const volatile uint8_t *bytes = data;

	for (size_t i = 0; i < size; i++)
		(void)bytes[i];
}

void fuzz_damage(struct fuzz_image *f, uint8_t *data, uint32_t len)
{
	for (uint32_t i = 1 + fuzz_below(f, 4); i-- && len;) {
		uint32_t at = fuzz_below(f, len), n = fuzz_below(f, len - at);

		switch (fuzz_below(f, 5)) {
		case 0:
			data[at] = (uint8_t)fuzz_next(f);
			break;
		case 1: /* a head */
			if (len - at / 4 * 4 >= 4)
				fuzz_put(data + at / 4 * 4, fuzz_next(f), 4);
			break;
		case 2:
			memset(data + at, fuzz_below(f, 2) ? 0 : 0xff, n);
			break;
		case 3:
			memmove(data + at, data + fuzz_below(f, at + 1), n);
			break;
		default:
			data[at] ^= (uint8_t)(1u << fuzz_below(f, 8));
		}
	}
}

/* ---- the target ---- */

static int read_image(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct fuzz_image *f = priv;
	uint64_t at = addr - f->base, i;

	if (space != OTST_VIRT || at >= FUZZ_IMAGE || len > FUZZ_IMAGE - at)
		return OTST_ERR_FAULT;
	for (i = at / OTST_CHUNK; i <= (at + len - 1) / OTST_CHUNK; i++) {
		if (f->missing[i])
			return OTST_ERR_FAULT;
	}
	memcpy(buf, f->bytes + at, len);
	return 0;
}

static int find_member(void *priv, const char *type, const char *name, struct otst_member *ret)
{
	const struct fuzz_member *m;

	for (m = ((struct fuzz_image *)priv)->members; m->name; m++) {
		if (strcmp(m->type, type) || strcmp(m->name, name))
			continue;
		*ret = (struct otst_member){ .offset = m->offset,
					     .size = m->size,
					     .kind = m->kind };
		return 0;
	}
	return OTST_ERR_LOOKUP;
}

static int find_size(void *priv, const char *type, uint64_t *ret)
{
	const struct fuzz_member *m;

	*ret = 64;
	for (m = ((struct fuzz_image *)priv)->members; m->name; m++) {
		if (!strcmp(m->type, type) && m->offset + m->size > *ret)
			*ret = m->offset + m->size;
	}
	return 0;
}

/* ---- runs ---- */

/* each run has a random state of its own, so that it can be repeated alone */
static int run_all(struct fuzz_image *f, uint64_t first, bool (*one)(struct fuzz_image *f))
{
	for (f->run = first; f->run < first + f->runs; f->run++) {
		f->state = (f->seed * 0x9e3779b97f4a7c15ull) ^ (f->run + 1) * 0xbf58476d1ce4e5b9ull;
		f->state = f->state ? f->state : 1;
		/* no run finds another's memory in the page cache */
		f->base = 0xff00000000000000 + f->run * FUZZ_IMAGE;
		/* a run takes microseconds: one that takes seconds hangs */
		if (!(f->run % 1024) || f->runs == 1)
			alarm(20);
		if (!one(f)) {
			printf("FAIL: %s: --seed %" PRIu64 " --one %" PRIu64 "\n", f->wrong,
			       f->seed, f->run);
			return 1;
		}
	}
	return 0;
}

int fuzz_main(struct fuzz_image *f, int argc, char **argv, const char *what,
	      bool (*one)(struct fuzz_image *f))
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "fuzz",
						    .read = read_image,
						    .member = find_member,
						    .type_size = find_size };
	uint64_t first = 0;
	int i, status;

	f->runs = 100000;
	f->seed = 1;
	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--runs"))
			f->runs = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			f->seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--one"))
			first = strtoull(argv[i + 1], NULL, 10), f->runs = 1;
	}
	if (otst_open(&ops, f, NULL, &f->o))
		return 99;
	status = run_all(f, first, one);
	if (!status)
		printf("note: %" PRIu64 " %s, seed %" PRIu64 "\n", f->runs, what, f->seed);
	otst_close(f->o);
	return status;
}
