// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_pagetable.c - page tables of x86_64, arm64, riscv64 and ppc64le in all their sizes, made
 * here entry by entry, and the engine's way to them where the target translates
 * nothing but the kernel's image.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/engine.h"
#include "mock.h"

#define MEMORY	0x400000u /* bytes of physical memory, from MEMORY_AT on */
#define IMAGE	0x20000u  /* of which the image is the first */
#define TOP	0x10000u  /* where in it the top table is */
#define VALUE	0x1122334455667788ull
#define NO_EXEC (1ull << 63)

/* a machine: its memory, what its kernel is like */
struct machine {
	struct otst_target_ops ops;
	struct otst_paging paging;
	uint64_t memory_at, image;
	const char *top_name;
	uint8_t *memory;
	uint32_t next; /* free memory */
	bool blind;    /* the target reads no virtual address */
	char info[512];
};

static uint8_t *place(struct machine *m, uint64_t phys, uint64_t len)
{
	if (phys < m->memory_at || phys - m->memory_at > MEMORY - len)
		return NULL;
	return m->memory + (phys - m->memory_at);
}

static int read_memory(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	uint8_t *at = place(priv, phys, len);

	if (!at)
		return OTST_ERR_FAULT;
	memcpy(buf, at, len);
	return 0;
}

static int machine_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct machine *m = priv;

	if (space == OTST_PHYS)
		return read_memory(m, addr, buf, len);
	if (m->blind || addr < m->image || addr - m->image > IMAGE - len)
		return OTST_ERR_UNSUPPORTED;
	return read_memory(m, m->memory_at + (addr - m->image), buf, len);
}

static int machine_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct machine *m = priv;

	if (strcmp(name, m->top_name) != 0)
		return OTST_ERR_LOOKUP;
	*ret = m->image + TOP;
	return 0;
}

static uint64_t take(struct machine *m, uint32_t size)
{
	uint64_t at;

	m->next = (m->next + size - 1) / size * size;
	at = m->memory_at + m->next;
	m->next += size;
	assert_true(m->next <= MEMORY);
	return at;
}

/* A descriptor that leads to @phys; @leaf: to memory, @last: at the last level. */
static uint64_t entry_for(const struct otst_paging *g, uint64_t phys, bool leaf, bool last)
{
	uint64_t entry;

	if (g->machine == EM_RISCV) /* a table's entry has none of R, W, X */
		return phys >> 2 | (leaf ? 0xefu : 1);
	if (g->machine != EM_AARCH64)
		return phys | g->encryption | (leaf ? NO_EXEC | 0x163 : 0x67) |
		       (leaf && !last ? 0x80 : 0);
	entry = phys & ((1ull << 48) - 1);
	if (g->page_shift == 16)
		entry |= (phys >> 48 & 15) << 12;
	else if (g->va_bits == 52)
		entry |= (phys & 3ull << 48) | (phys >> 50 & 3) << 8;
	else if (leaf)
		entry |= 3 << 8; /* inner shareable: these bits are not part of an address there */
	return entry | (leaf ? 0x0068000000000400ull : 0) | (leaf && !last ? 1 : 3);
}

/* Maps @size bytes, one page or one block, walking down from the top table. */
static void map(struct machine *m, uint64_t virt, uint64_t phys, uint64_t size)
{
	const struct otst_paging *g = &m->paging;
	uint32_t per = g->page_shift - 3, shift = g->page_shift;
	uint64_t table = g->root;

	while (shift + per < g->va_bits)
		shift += per;
	for (;; shift -= per) {
		bool leaf = size == 1ull << shift, last = shift == g->page_shift;
		uint32_t bits = shift + per < g->va_bits ? per : g->va_bits - shift;
		uint64_t index = virt >> shift & ((1ull << bits) - 1);
		uint8_t *at = place(m, table + index * 8, 8);
		uint64_t entry = 0;

		assert_non_null(at);
		memcpy(&entry, at, 8);
		if (leaf || !entry) {
			table = leaf ? phys : take(m, 1u << g->page_shift);
			mock_put(at, entry_for(g, table, leaf, last), 8);
		} else {
			entry = g->machine == EM_RISCV ? entry << 2 : entry;
			table = m->memory_at | (entry & (MEMORY - 1) & -(1ull << g->page_shift));
		}
		if (leaf)
			return;
	}
}

static int machine_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	*ret = ((struct machine *)priv)->info;
	*len = strlen(*ret);
	return *len ? 0 : OTST_ERR_LOOKUP;
}

static void machine_init(struct machine *m, struct otst_paging paging)
{
	memset(m, 0, sizeof(*m));
	m->ops = (struct otst_target_ops){
		.size = sizeof(m->ops),
		.name = "machine",
		.read = machine_read,
		.symbol = machine_symbol,
		.vmcoreinfo = machine_vmcoreinfo,
	};
	m->memory = calloc(1, MEMORY);
	assert_non_null(m->memory);
	m->memory_at = 0x40000000;
	/* upper bits of a physical address, where the format has them */
	if (paging.machine == EM_AARCH64 && paging.va_bits == 52)
		m->memory_at |= 0xdull << 48;
	m->image = paging.machine == EM_RISCV	? 0xffffffff80000000 :
		   paging.machine == EM_AARCH64 ? -(1ull << (paging.va_bits - 2)) :
						  0xffffffff9e200000ull;
	m->top_name = paging.machine == EM_X86_64 ? "init_top_pgt" : "swapper_pg_dir";
	m->next = IMAGE;
	paging.root = m->memory_at + TOP;
	m->paging = paging;
	for (uint64_t at = 0; at < IMAGE; at += 1ull << paging.page_shift)
		map(m, m->image + at, m->memory_at + at, 1ull << paging.page_shift);
}

static void machine_deinit(struct machine *m)
{
	free(m->memory);
}

static const struct otst_paging x86_64 = { .page_shift = 12, .va_bits = 48, .machine = EM_X86_64 };

static const struct otst_paging all[] = {
	{ .page_shift = 12, .va_bits = 48, .machine = EM_X86_64 },
	{ .page_shift = 12, .va_bits = 57, .machine = EM_X86_64 },
	{ .page_shift = 12, .va_bits = 39, .machine = EM_AARCH64 },
	{ .page_shift = 12, .va_bits = 48, .machine = EM_AARCH64 },
	{ .page_shift = 12, .va_bits = 52, .machine = EM_AARCH64 },
	{ .page_shift = 14, .va_bits = 36, .machine = EM_AARCH64 },
	{ .page_shift = 14, .va_bits = 47, .machine = EM_AARCH64 },
	{ .page_shift = 14, .va_bits = 48, .machine = EM_AARCH64 },
	{ .page_shift = 14, .va_bits = 52, .machine = EM_AARCH64 },
	{ .page_shift = 16, .va_bits = 42, .machine = EM_AARCH64 },
	{ .page_shift = 16, .va_bits = 48, .machine = EM_AARCH64 },
	{ .page_shift = 16, .va_bits = 52, .machine = EM_AARCH64 },
	{ .page_shift = 12, .va_bits = 39, .machine = EM_RISCV },
	{ .page_shift = 12, .va_bits = 48, .machine = EM_RISCV },
	{ .page_shift = 12, .va_bits = 57, .machine = EM_RISCV },
};

static void test_engine_finds_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t page = 1ull << all[i].page_shift, virt, far, v = 0;
		struct machine m;
		struct otst *o;

		machine_init(&m, all[i]);
		virt = -(1ull << (all[i].va_bits - 1)) + 5 * page;
		far = take(&m, 2 * (uint32_t)page);
		map(&m, virt, far + page, page);
		map(&m, virt + page, far, page);
		mock_put(place(&m, far + page + 16, 8), VALUE, 8);
		mock_put(place(&m, far + 2 * page - 4, 4), 0x11111111, 4);
		mock_put(place(&m, far, 4), 0x22222222, 4);

		assert_int_equal(otst_open(&m.ops, &m, NULL, &o), 0);
		assert_int_equal(otst_read_u64(o, virt + 16, &v), 0);
		assert_int_equal(v, VALUE);
		/* across two pages that are in reverse order in memory */
		assert_int_equal(otst_read_u64(o, virt + page - 4, &v), 0);
		assert_int_equal(v, 0x2222222211111111);
		assert_int_equal(otst_read_u64(o, virt + 2 * page, &v), OTST_ERR_FAULT);
		assert_non_null(strstr(otst_message(o), "cannot read"));
		otst_close(o);
		machine_deinit(&m);
	}
}

/* Tables that cannot be trusted are not used, and nothing is read through them. */
static void test_engine_does_not_believe(void **state)
{
	uint64_t v = 7;
	struct machine m;
	struct otst *o;

	(void)state;
	/* the top table maps itself to somewhere else */
	machine_init(&m, x86_64);
	map(&m, m.image + TOP, take(&m, 4096), 4096);
	assert_int_equal(otst_open(&m.ops, &m, NULL, &o), 0);
	assert_int_equal(otst_read_u64(o, 0xffff888000000000, &v), OTST_ERR_FAULT);
	otst_close(o);
	machine_deinit(&m);

	machine_init(&m, x86_64);
	m.blind = true;
	assert_int_equal(otst_open(&m.ops, &m, NULL, &o), 0);
	assert_int_equal(otst_read_u64(o, m.image, &v), OTST_ERR_FAULT);
	otst_close(o);
	m.blind = false;
	m.top_name = "unknown";
	assert_int_equal(otst_open(&m.ops, &m, NULL, &o), 0);
	assert_int_equal(otst_read_u64(o, m.image + IMAGE, &v), OTST_ERR_FAULT);
	assert_int_equal(otst_read_u64(o, m.image, &v), 0);
	otst_close(o);
	machine_deinit(&m);
}

static void check_walk(struct otst_pagetable *p, uint64_t virt, uint64_t phys, uint64_t span)
{
	uint64_t found = 0, bytes = 0;

	assert_int_equal(otst_pagetable_walk(p, virt, &found, &bytes), 0);
	assert_int_equal(found, phys);
	assert_int_equal(bytes, span);
}

/* Pages of every size that the layouts have. */
static void test_large_pages(void **state)
{
	static const uint64_t direct = 0xffff888000000000ull;
	struct otst_pagetable *p;
	struct machine m;

	(void)state;
	machine_init(&m, x86_64);
	map(&m, direct, 0x80000000, 1 << 30);
	map(&m, direct + (1 << 30), 0x40200000, 1 << 21);
	assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
	check_walk(p, direct + 0x1234567, 0x81234567, (1 << 30) - 0x1234567);
	check_walk(p, direct + (1 << 30) + 0x1234, 0x40201234, (1 << 21) - 0x1234);
	check_walk(p, m.image + 5, m.memory_at + 5, 4091);
	otst_pagetable_destroy(p);
	machine_deinit(&m);

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t shift = all[i].page_shift, size = 1ull << (shift + shift - 3);
		uint64_t virt = -(1ull << (all[i].va_bits - 1)) + size;

		machine_init(&m, all[i]);
		map(&m, virt, m.memory_at & -size, size);
		assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
		check_walk(p, virt + 0x1008, (m.memory_at & -size) + 0x1008, size - 0x1008);
		otst_pagetable_destroy(p);
		machine_deinit(&m);
	}
}

/* arm64's linear map starts where the bits behind the upper ones are clear; below are none of the kernel's. */
static void test_linear_map(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t page = 1ull << all[i].page_shift, linear = -(1ull << all[i].va_bits);
		uint64_t phys, span;
		struct otst_pagetable *p;
		struct machine m;

		if (all[i].machine != EM_AARCH64)
			continue;
		machine_init(&m, all[i]);
		map(&m, linear, m.memory_at, page);
		assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
		check_walk(p, linear + 8, m.memory_at + 8, page - 8);
		assert_int_equal(otst_pagetable_walk(p, 8, &phys, &span), OTST_ERR_FAULT);
		assert_int_equal(otst_pagetable_walk(p, linear & ~(1ull << 63), &phys, &span),
				 OTST_ERR_FAULT);
		otst_pagetable_destroy(p);
		machine_deinit(&m);
	}
}

static void put_big(struct machine *m, uint64_t at, uint64_t entry)
{
	mock_put(place(m, m->memory_at + at, 8), __builtin_bswap64(entry), 8);
}

/* ppc64: 13 bits, 9, 9, and 9 or 5; entries are big-endian, and say in their low bits how long a table is */
static void test_radix(void **state)
{
	static const struct otst_paging sizes[] = {
		{ .page_shift = 12, .va_bits = 52, .machine = EM_PPC64 },
		{ .page_shift = 16, .va_bits = 52, .machine = EM_PPC64 },
	};
	const uint64_t table = 1ull << 63, leaf = 3ull << 62, virt = 0xc008000012345678;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		uint64_t page = 1ull << sizes[i].page_shift, phys, span;
		uint64_t last = virt >> sizes[i].page_shift & (0x200000 / page - 1);
		struct otst_pagetable *p;
		struct machine m;

		machine_init(&m, x86_64);
		m.paging = sizes[i];
		m.paging.root = m.memory_at + 0x100000;
		/* the upper half of the top table: 64 KiB of it */
		put_big(&m, 0x100000 + (virt >> 39 & 0x1fff) * 8,
			table | (m.memory_at + 0x120000) | 9);
		put_big(&m, 0x120000 + (virt >> 30 & 511) * 8,
			table | (m.memory_at + 0x130000) | 9);
		put_big(&m, 0x130000 + (virt >> 21 & 511) * 8,
			table | (m.memory_at + 0x140100) | (21 - sizes[i].page_shift));
		put_big(&m, 0x140100 + last * 8, leaf | (m.memory_at + 0x200000) | 0x187);
		/* a gigabyte of the linear map */
		put_big(&m, 0x100000, table | (m.memory_at + 0x150000) | 9);
		put_big(&m, 0x150000, leaf | 0x187);
		assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
		check_walk(p, virt, m.memory_at + 0x200000 + virt % page, page - virt % page);
		check_walk(p, 0xc000000000001000, 0x1000, (1u << 30) - 0x1000);
		assert_int_equal(otst_pagetable_walk(p, virt + page, &phys, &span), OTST_ERR_FAULT);
		/* not a quadrant of the kernel; beyond its 52 bits */
		assert_int_equal(otst_pagetable_walk(p, 0x1000, &phys, &span), OTST_ERR_FAULT);
		assert_int_equal(otst_pagetable_walk(p, 0xc010000000001000, &phys, &span),
				 OTST_ERR_FAULT);
		otst_pagetable_destroy(p);
		/* a table of the other size */
		m.paging.page_shift = sizes[!i].page_shift;
		assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
		assert_int_equal(otst_pagetable_walk(p, virt, &phys, &span), OTST_ERR_FAULT);
		otst_pagetable_destroy(p);
		machine_deinit(&m);
	}
}

/*
 * ppc64 with the hash MMU: 8, 10, 10, 8 bits with pages of 64 KiB, 9, 9, 7, 9 with those of 4; bits above the
 * address of a page are the kernel's notes. The linear map is in no table, vmalloc's area was at 0xd.. once.
 */
static void test_hash(void **state)
{
	static const struct hash {
		uint32_t page_shift, va_bits, top, upper, middle;
		uint64_t linear_end, vmalloc, valid;
	} kinds[] = {
		{ 16, 52, 44, 34, 24, 0xc008000000000000, 0xc008000000000000, 1ull << 63 },
		{ 12, 46, 37, 28, 21, 0xc0003d0000000000, 0xc0003d0000000000, 1ull << 63 },
		{ 16, 52, 44, 34, 24, 0xc008000000000000, 0xd000000000000000, 0 },
		{ 12, 46, 37, 28, 21, 0xc0003d0000000000, 0xd000000000000000, 0 },
	};
	const uint64_t leaf = 3ull << 62, notes = 0xe0ull << 48, linear = 0xc000000000000000;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct hash *k = &kinds[i];
		uint64_t virt = k->vmalloc + 0x412345678, page = 1ull << k->page_shift, phys, span;
		uint64_t top = 0x100000 + (virt % (1ull << k->va_bits) >> k->top) * 8;
		uint64_t upper = 0x120000 + (virt % (1ull << k->top) >> k->upper) * 8;
		uint64_t middle = 0x130000 + (virt % (1ull << k->upper) >> k->middle) * 8;
		uint64_t last = 0x140100 + (virt % (1ull << k->middle) >> k->page_shift) * 8;
		struct otst_pagetable *p;
		struct machine m;

		machine_init(&m, x86_64);
		m.paging = (struct otst_paging){ .root = m.memory_at + 0x100000,
						 .linear = linear,
						 .linear_len = k->linear_end - linear,
						 .mapped = k->vmalloc,
						 .page_shift = k->page_shift,
						 .va_bits = k->va_bits,
						 .machine = EM_PPC64 };
		assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
		/* a top table without vmalloc's area is rejected */
		assert_int_equal(otst_pagetable_walk(p, linear, &phys, &span), OTST_ERR_FAULT);
		put_big(&m, top, k->valid | (m.memory_at + 0x120000));
		put_big(&m, upper, k->valid | (m.memory_at + 0x130000));
		put_big(&m, middle, k->valid | (m.memory_at + 0x140100));
		put_big(&m, last, leaf | notes | (m.memory_at + 0x200000) | 0x187);
		otst_pagetable_forget(p);
		check_walk(p, virt, m.memory_at + 0x200000 + virt % page, page - virt % page);
		check_walk(p, linear + 0x1000, 0x1000, k->linear_end - linear - 0x1000);
		assert_int_equal(otst_pagetable_walk(p, virt + page, &phys, &span), OTST_ERR_FAULT);
		assert_int_equal(otst_pagetable_walk(p, 0x1000, &phys, &span), OTST_ERR_FAULT);
		assert_int_equal(otst_pagetable_walk(p, virt ^ 1ull << 61, &phys, &span),
				 OTST_ERR_FAULT);
		/* a page that is no longer present */
		put_big(&m, last, 1ull << 62 | (m.memory_at + 0x200000) | 0x187);
		otst_pagetable_forget(p);
		assert_int_equal(otst_pagetable_walk(p, virt, &phys, &span), OTST_ERR_FAULT);
		/* an entry of the radix MMU */
		put_big(&m, top, 1ull << 63 | (m.memory_at + 0x120000) | 9);
		otst_pagetable_forget(p);
		assert_int_equal(otst_pagetable_walk(p, linear, &phys, &span), OTST_ERR_FAULT);
		otst_pagetable_destroy(p);
		machine_deinit(&m);
	}
}

static void test_encrypted(void **state)
{
	struct otst_paging paging = {
		.page_shift = 12, .va_bits = 48, .machine = EM_X86_64, .encryption = 1ull << 47
	};
	struct otst_pagetable *p;
	struct machine m;

	(void)state;
	machine_init(&m, paging);
	assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
	check_walk(p, m.image + 4096, m.memory_at + 4096, 4096);
	otst_pagetable_destroy(p);
	machine_deinit(&m);
}

static void test_no_address(void **state)
{
	uint64_t phys = 7, span = 7, v;
	struct otst_pagetable *p;
	struct machine m;

	(void)state;
	machine_init(&m, x86_64);
	/* a table that is not in the dump */
	mock_put(place(&m, m.paging.root + 8 * 300, 8), 0x7000000000 | 0x67, 8);
	/* one that leads back to itself */
	mock_put(place(&m, m.paging.root + 8 * 301, 8), m.paging.root | 0x67, 8);
	assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &p), 0);
	assert_int_equal(otst_pagetable_walk(p, 0xffff888000000000, &phys, &span), OTST_ERR_FAULT);
	assert_int_equal(otst_pagetable_walk(p, m.image & ~(1ull << 50), &phys, &span),
			 OTST_ERR_FAULT);
	assert_int_equal(otst_pagetable_walk(p, 0xffff960000000000, &phys, &span), OTST_ERR_FAULT);
	assert_int_equal(phys, 7);
	assert_int_equal(span, 7);
	assert_int_equal(otst_pagetable_read(p, 0xffff968000000000, &v, 8), OTST_ERR_FAULT);
	assert_int_equal(otst_pagetable_read(p, m.image + IMAGE - 4, &v, 8), OTST_ERR_FAULT);
	assert_int_equal(otst_pagetable_read(p, m.image + IMAGE - 8, &v, 8), 0);
	otst_pagetable_destroy(p);
	machine_deinit(&m);
}

static void test_layouts_without_sense(void **state)
{
	static const struct otst_paging bad[] = {
		{ .page_shift = 0, .va_bits = 48, .machine = EM_X86_64 },
		{ .page_shift = 13, .va_bits = 48, .machine = EM_X86_64 },
		{ .page_shift = 12, .va_bits = 12, .machine = EM_X86_64 },
		{ .page_shift = 12, .va_bits = 64, .machine = EM_X86_64 },
		{ .page_shift = 12, .va_bits = 48, .machine = EM_SPARCV9 },
	};
	struct otst_pagetable *p;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(otst_pagetable_create(&bad[i], read_memory, NULL, &p),
				 OTST_ERR_UNSUPPORTED);
	otst_pagetable_destroy(NULL);
}

/* ---- by VMCOREINFO ---- */

struct facts {
	struct machine *m;
	uint64_t voffset; /* of the image; where VMCOREINFO says that it is */
	uint64_t t1sz;	  /* 0: it does not say */
};

static bool find_fact(void *priv, const char *key, uint64_t *ret)
{
	const struct facts *f = priv;
	const struct otst_paging *g = &f->m->paging;
	const struct {
		const char *key;
		uint64_t value;
		bool has;
	} all_facts[] = {
		{ "SYMBOL(init_top_pgt)", f->m->image + TOP, g->machine == EM_X86_64 },
		{ "SYMBOL(swapper_pg_dir)", f->m->image + TOP, true },
		{ "SYMBOL(_stext)", f->m->image, true },
		{ "NUMBER(phys_base)", 0xffffffff80000000 - f->voffset, g->machine == EM_X86_64 },
		{ "NUMBER(pgtable_l5_enabled)", g->va_bits == 57, g->machine == EM_X86_64 },
		{ "NUMBER(kimage_voffset)", f->voffset, g->machine == EM_AARCH64 },
		{ "PAGESIZE", 1ull << g->page_shift, true },
		{ "NUMBER(TCR_EL1_T1SZ)", f->t1sz, f->t1sz },
		{ "NUMBER(VA_BITS)", f->t1sz ? 52 : g->va_bits, g->machine != EM_X86_64 },
		{ "NUMBER(va_kernel_pa_offset)", f->voffset, g->machine == EM_RISCV },
	};

	for (size_t i = 0; i < sizeof(all_facts) / sizeof(*all_facts); i++) {
		if (all_facts[i].has && !strcmp(all_facts[i].key, key)) {
			*ret = all_facts[i].value;
			return true;
		}
	}
	return false;
}

static void test_found_by_vmcoreinfo(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct otst_pagetable *p = NULL;
		struct facts f = { 0 };
		struct machine m;
		uint32_t other = all[i].machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;

		machine_init(&m, all[i]);
		f.m = &m;
		f.voffset = m.image - m.memory_at;
		for (int told = 0; told < 2; told++) {
			assert_int_equal(otst_pagetable_find(all[i].machine, find_fact, &f,
							     read_memory, &m, &p),
					 0);
			check_walk(p, m.image + 8, m.memory_at + 8,
				   (1ull << all[i].page_shift) - 8);
			otst_pagetable_destroy(p);
			/* built for 52 bits, on a processor of fewer */
			f.t1sz = all[i].machine == EM_AARCH64 ? 64 - all[i].va_bits : 0;
		}
		/* another processor's; an earlier boot's */
		p = NULL;
		assert_int_equal(otst_pagetable_find(other, find_fact, &f, read_memory, &m, &p),
				 OTST_ERR_CORRUPT);
		assert_int_equal(otst_pagetable_find(EM_SPARCV9, find_fact, &f, read_memory, &m,
						     &p),
				 OTST_ERR_CORRUPT);
		f.voffset -= 0x200000;
		assert_int_equal(otst_pagetable_find(all[i].machine, find_fact, &f, read_memory, &m,
						     &p),
				 OTST_ERR_CORRUPT);
		assert_null(p);
		machine_deinit(&m);
	}
}

static int read_described(struct machine *m, uint64_t virt, uint64_t *ret)
{
	struct otst *o;
	int err;

	m->blind = true;
	assert_int_equal(otst_open(&m->ops, m, NULL, &o), 0);
	err = otst_read(o, virt, ret, sizeof(*ret));
	otst_close(o);
	return err;
}

/* As kernels print them: with "0x" and without, and without also where all digits are decimal. */
/** struct sweep - the tables that are walked, where the last mapping ended, how many there were */
struct sweep {
	struct otst_pagetable *p;
	uint64_t end;
	size_t count;
};

static int check_mapped(void *priv, const struct otst_mapped *m)
{
	struct sweep *s = priv;
	uint64_t phys, span;

	assert_true(m->virt >= s->end);
	assert_int_equal(otst_pagetable_walk(s->p, m->virt, &phys, &span), 0);
	assert_int_equal(phys, m->phys);
	s->end = m->virt + m->len;
	s->count++;
	return 0;
}

static int never_end(void *priv)
{
	(void)priv;
	return 0;
}

/* each address that may be executed is mapped; a program's half of the top table has none of the kernel's */
static void test_executable(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct sweep s = { 0 };
		struct otst_mapped_visit v = { .map = check_mapped, .tick = never_end, .priv = &s };
		struct machine m;
		uint8_t *top;

		machine_init(&m, all[i]);
		for (uint32_t at = IMAGE; at < m.next; at += 8)
			m.memory[at + 7] &= 0x7f; /* NO_EXEC */
		top = place(&m, m.paging.root, 4096);
		memcpy(top + 76 * 8, top + 511 * 8, 8);
		assert_int_equal(otst_pagetable_create(&m.paging, read_memory, &m, &s.p), 0);
		assert_int_equal(otst_pagetable_executable(s.p, &v), 0);
		assert_int_equal(s.count, IMAGE >> 12);
		otst_pagetable_destroy(s.p);
		machine_deinit(&m);
	}
}

static void test_printed(void **state)
{
	const uint64_t image = 0x20000000000;
	uint64_t v = 0;
	struct machine m;

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		machine_init(&m, all[i]);
		mock_put(place(&m, m.memory_at + 8, 8), VALUE, 8);
		snprintf(m.info, sizeof(m.info),
			 "OSRELEASE=6.12.0\nPAGESIZE=%llu\nSYMBOL(_stext)=%lx\n"
			 "SYMBOL(swapper_pg_dir)=%lx\nNUMBER(VA_BITS)=%u\nKERNELOFFSET=1e200000\n",
			 1ull << all[i].page_shift, m.image, m.image + TOP, all[i].va_bits);
		snprintf(m.info + strlen(m.info), sizeof(m.info) - strlen(m.info),
			 all[i].machine == EM_X86_64  ? "NUMBER(phys_base)=%ld\n" :
			 all[i].machine == EM_AARCH64 ? "NUMBER(kimage_voffset)=0x%lx\n" :
							"NUMBER(va_kernel_pa_offset)=0x%lx\n",
			 all[i].machine == EM_X86_64 ?
				 m.memory_at - (m.image - 0xffffffff80000000) :
				 m.image - m.memory_at);
		if (all[i].va_bits == 57 && all[i].machine == EM_X86_64)
			strcat(m.info, "NUMBER(pgtable_l5_enabled)=1\n");
		assert_int_equal(read_described(&m, m.image + 8, &v), 0);
		assert_int_equal(v, VALUE);
		machine_deinit(&m);
	}
	/* s390x: the top table, and a segment of a megabyte */
	machine_init(&m, x86_64);
	memset(m.memory, 0, MEMORY);
	mock_put(place(&m, m.memory_at + 8, 8), VALUE, 8);
	put_big(&m, TOP + (image >> 31) * 8, (m.memory_at + 0x100000) | 4);
	put_big(&m, 0x100000, m.memory_at | 0x400);
	strcpy(m.info,
	       "OSRELEASE=7.2.0\nSYMBOL(_stext)=20000000000\nSYMBOL(swapper_pg_dir)=20000010000\n"
	       "SAMODE31=e1000\nKERNELOFFSET=20000000000\nKERNELOFFPHYS=40000000\n");
	v = 0;
	assert_int_equal(read_described(&m, image + 8, &v), 0);
	assert_int_equal(v, VALUE);
	/* another place of the image */
	strcpy(strstr(m.info, "KERNELOFFPHYS"), "KERNELOFFPHYS=40100000\n");
	assert_int_not_equal(read_described(&m, image + 8, &v), 0);
	machine_deinit(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engine_finds_them),
		cmocka_unit_test(test_engine_does_not_believe),
		cmocka_unit_test(test_large_pages),
		cmocka_unit_test(test_linear_map),
		cmocka_unit_test(test_found_by_vmcoreinfo),
		cmocka_unit_test(test_radix),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_encrypted),
		cmocka_unit_test(test_executable),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_no_address),
		cmocka_unit_test(test_layouts_without_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
