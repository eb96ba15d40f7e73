// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fault_target.c - read errors, flipped bits, spliced pointers, cut pages.
 */
#include "fault_target.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../offline/offline.h"

uint64_t fault_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static uint64_t below(uint64_t *state, uint64_t limit)
{
	return fault_random(state) % limit;
}

/* ---- the target ---- */

static bool page_fails(const struct fault_target *f, uint64_t number)
{
	uint64_t state = f->salt ^ number;

	for (unsigned int i = 0; i < f->nr_cuts; i++)
		if (f->cuts[i] == number)
			return true;
	return f->fail_one_in && !below(&state, f->fail_one_in);
}

/* how far left the byte at offset @at of a word is shifted in the word's value */
static unsigned int shift_of(const struct fault_target *f, unsigned int at)
{
	return 8 * (f->options.big_endian ? 7 - at : at);
}

static void patch(const struct fault_target *f, const struct fault_patch *p, uint64_t addr,
		  uint8_t *buf, uint64_t len)
{
	if (p->addr - addr >= len && addr - p->addr >= 8)
		return;
	for (unsigned int i = 0; i < 8; i++) {
		uint8_t mask = (uint8_t)(p->mask >> shift_of(f, i));
		uint8_t value = (uint8_t)(p->value >> shift_of(f, i));
		uint64_t at = p->addr + i - addr;

		if (at < len)
			buf[at] = (uint8_t)((buf[at] & ~mask) | (value & mask));
	}
}

static int fault_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct fault_target *f = priv;
	int err;

	if (++f->reads == f->fail_at)
		return OTST_ERR_FAULT;
	if (space != OTST_VIRT || !len)
		return f->base->read(f->priv, space, addr, buf, len);
	if (f->nr_cuts || f->fail_one_in) {
		uint64_t first = addr / STORE_PAGE, last = (addr + len - 1) / STORE_PAGE;

		for (uint64_t n = first; n <= last; n++)
			if (page_fails(f, n))
				return OTST_ERR_FAULT;
	}
	err = f->base->read(f->priv, space, addr, buf, len);
	for (unsigned int i = 0; !err && i < f->nr_patches; i++)
		patch(f, &f->patches[i], addr, buf, len);
	return err;
}

static int fault_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct fault_target *f = priv;

	return f->base->symbol(f->priv, name, ret);
}

static int fault_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	struct fault_target *f = priv;

	return f->base->symbol_at(f->priv, addr, ret);
}

static int fault_member(void *priv, const char *type, const char *member, struct otst_member *ret)
{
	struct fault_target *f = priv;

	return f->base->member(f->priv, type, member, ret);
}

static int fault_type_size(void *priv, const char *type, uint64_t *ret)
{
	struct fault_target *f = priv;

	return f->base->type_size(f->priv, type, ret);
}

static int fault_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct fault_target *f = priv;

	return f->base->enumerator(f->priv, name, ret);
}

static int fault_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	struct fault_target *f = priv;

	return f->base->vmcoreinfo(f->priv, ret, len);
}

static int fault_notes(void *priv, const void **ret, uint64_t *len)
{
	struct fault_target *f = priv;

	return f->base->notes(f->priv, ret, len);
}

static bool fault_interrupted(void *priv)
{
	struct fault_target *f = priv;

	f->questions++;
	if (f->stop_at && f->questions >= f->stop_at)
		return true;
	return f->base->interrupted && f->base->interrupted(f->priv);
}

static bool fault_knows(void *priv, int what)
{
	struct fault_target *f = priv;

	return f->base->knows(f->priv, what);
}

static int fault_cpu_regs(void *priv, unsigned int cpu, const char *const *names, uint32_t count,
			  uint64_t *ret)
{
	struct fault_target *f = priv;

	return f->base->cpu_regs(f->priv, cpu, names, count, ret);
}

static uint64_t fault_start(void *priv, void (*work)(void *what), void *what)
{
	struct fault_target *f = priv;

	if (f->helper)
		return helper_start(f->helper, work, what);
	for (size_t i = 0; i < FAULT_JOBS; i++) {
		if (!f->jobs[i].work) {
			f->jobs[i] = (struct fault_job){ work, what };
			return i + 1;
		}
	}
	return 0;
}

static void fault_finish(void *priv, uint64_t job)
{
	struct fault_target *f = priv;
	struct fault_job j;

	if (f->helper) {
		helper_finish(f->helper, job);
		return;
	}
	j = f->jobs[job - 1];
	f->jobs[job - 1].work = NULL;
	j.work(j.what);
}

void fault_target_init(const struct otst_target_ops *ops, void *priv,
		       const struct otst_options *options, struct fault_target *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->base = ops;
	ret->priv = priv;
	ret->options = *options;
	ret->ops = (struct otst_target_ops){
		.size = sizeof(ret->ops),
		.name = ops->name,
		.read = ops->read ? fault_read : NULL,
		.symbol = ops->symbol ? fault_symbol : NULL,
		.symbol_at = ops->symbol_at ? fault_symbol_at : NULL,
		.member = ops->member ? fault_member : NULL,
		.type_size = ops->type_size ? fault_type_size : NULL,
		.enumerator = ops->enumerator ? fault_enumerator : NULL,
		.vmcoreinfo = ops->vmcoreinfo ? fault_vmcoreinfo : NULL,
		.interrupted = fault_interrupted,
		.cpu_regs = ops->cpu_regs ? fault_cpu_regs : NULL,
		.knows = ops->knows ? fault_knows : NULL,
		.notes = ops->notes ? fault_notes : NULL,
		.start = fault_start,
		.finish = fault_finish,
	};
}

int fault_target_open(struct fault_target *f, struct otst **ret)
{
	return otst_open(&f->ops, f, &f->options, ret);
}

/* ---- the plan ---- */

void fault_target_reset(struct fault_target *f)
{
	f->nr_patches = 0;
	f->nr_cuts = 0;
	f->fail_at = 0;
	f->reads = 0;
	f->stop_at = 0;
	f->questions = 0;
	f->fail_one_in = 0;
}

void fault_target_patch(struct fault_target *f, uint64_t addr, uint64_t mask, uint64_t value)
{
	if (f->nr_patches < FAULT_PATCHES)
		f->patches[f->nr_patches++] =
			(struct fault_patch){ .addr = addr, .mask = mask, .value = value };
}

void fault_target_cut(struct fault_target *f, uint64_t addr)
{
	if (f->nr_cuts < FAULT_CUTS)
		f->cuts[f->nr_cuts++] = addr / STORE_PAGE;
}

static uint64_t word_of(const struct fault_target *f, const struct store_page *page, size_t at)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < 8; i++)
		v |= (uint64_t)page->data[at + i] << shift_of(f, i);
	return v;
}

/*
 * An aligned word of one of the pages. Most of a page is zeros that nobody
 * looks at, so the word is usually a nonzero one.
 */
static uint64_t pick_word(const struct fault_target *f, uint64_t *state,
			  const struct store_page *const *pages, size_t count, uint64_t *value)
{
	const struct store_page *page = pages[below(state, count)];
	size_t at = below(state, STORE_PAGE / 8) * 8, filled = 0, skip;

	for (size_t i = 0; i < STORE_PAGE; i += 8)
		filled += word_of(f, page, i) != 0;
	if (filled && below(state, 8)) {
		skip = below(state, filled);
		for (at = 0; !word_of(f, page, at) || skip--; at += 8)
			;
	}
	*value = word_of(f, page, at);
	return page->number * STORE_PAGE + at;
}

static uint64_t pick_value(const struct fault_target *f, uint64_t *state, uint64_t addr,
			   const struct store_page *const *pages, size_t count)
{
	static const uint64_t odd[] = {
		0,
		1,
		0xdead000000000100,
		0xdead000000000122,
		0xdead000000000200,
		0x6b6b6b6b6b6b6b6b,
		UINT64_MAX,
		0x7fffffffffffffff,
		0x8000000000000000,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0xfffffffffffffff8,
		0xffffffffffffffff - 4095,
		0x1b5b324a1b5b324a,
		0x0a0d071b7f9b9d00,
		4096,
		65,
	};
	uint64_t value;

	switch (below(state, 8)) {
	case 0:
	case 1:
	case 2:
		pick_word(f, state, pages, count, &value);
		return value;
	case 3:
		return addr;
	case 4: /* somewhere into the middle of a walked page */
		return pick_word(f, state, pages, count, &value) +
		       (below(state, 4) ? 0 : below(state, 8));
	case 5:
		return 0xffff800000000000 | fault_random(state) >> 17;
	default:
		return odd[below(state, sizeof(odd) / sizeof(odd[0]))];
	}
}

void fault_target_roll(struct fault_target *f, uint64_t seed, const struct store_page *const *pages,
		       size_t count)
{
	uint64_t state = seed;
	unsigned int steps = 1 + below(&state, 5);

	fault_target_reset(f);
	while (steps--) {
		uint64_t value, addr = pick_word(f, &state, pages, count, &value);
		unsigned int what = below(&state, 16);

		if (what < 7) {
			unsigned int bits = 1 + below(&state, 4);

			while (bits--) {
				uint64_t bit = 1ull << below(&state, 64);

				fault_target_patch(f, addr, bit, ~value & bit);
			}
		} else if (what < 14) {
			fault_target_patch(f, addr, UINT64_MAX,
					   pick_value(f, &state, addr, pages, count));
		} else if (what < 15) {
			fault_target_cut(f, addr);
		} else {
			f->salt = fault_random(&state);
			f->fail_one_in = 2 + below(&state, 30);
		}
	}
}

void fault_target_print(const struct fault_target *f)
{
	for (unsigned int i = 0; i < f->nr_patches; i++)
		fprintf(stderr, "  0x%" PRIx64 ": bits 0x%" PRIx64 " become 0x%" PRIx64 "\n",
			f->patches[i].addr, f->patches[i].mask, f->patches[i].value);
	for (unsigned int i = 0; i < f->nr_cuts; i++)
		fprintf(stderr, "  page 0x%" PRIx64 " is cut\n", f->cuts[i] * STORE_PAGE);
	if (f->fail_at)
		fprintf(stderr, "  read %" PRIu64 " fails\n", f->fail_at);
	if (f->fail_one_in)
		fprintf(stderr, "  one in %" PRIu64 " pages fails, salt 0x%" PRIx64 "\n",
			f->fail_one_in, f->salt);
}
