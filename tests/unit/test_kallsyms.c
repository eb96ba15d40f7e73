// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_kallsyms.c - the kernel's symbol table in every form it has had,
 * encoded here as scripts/kallsyms.c does: names as token codes with one or
 * two bytes of length; addresses as they are, relative to a base with or
 * without absolute per-cpu symbols, or relative to their own place.
 */
#include "../../src/base/coverage.h"
#include "../../src/names/kallsyms.h"
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES	0xffffffff82000000
#define NAMES	(TABLES + 0x1000000)
#define OFFSETS (TABLES + 0x100000)
#define TOKENS	(TABLES + 0x10000)
#define INDEX	(TABLES + 0x20000)
#define COUNT	(TABLES + 0x30000)
#define BASE	(TABLES + 0x40000)
#define TEXT	0xffffffff81000000

/* the linker leads the engine's malloc() here (tests/tests.mk): there is none of @refused bytes */
static size_t refused;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	return size == refused ? NULL : __real_malloc(size);
}

enum form { ABSOLUTE, RELATIVE, RELATIVE_PERCPU, SELF };

struct symbol {
	uint64_t addr;
	char type;
	const char *name;
};

/*
 * Codes of printable characters stand for themselves. Two more are tokens of
 * several characters; the others are never used and are empty strings.
 */
#define CODE_KPROBE 0x01
#define CODE_SYS    0x80

static const char *token(unsigned int code)
{
	static char one[2];

	if (code == CODE_KPROBE)
		return "kprobe_";
	if (code == CODE_SYS)
		return "__x64_sys_";
	one[0] = code >= ' ' && code < 0x7f ? (char)code : '\0';
	return one;
}

static size_t encode_name(uint8_t *to, const struct symbol *s)
{
	size_t len = 0, head = 1;
	uint8_t codes[1024];
	char text[1024];
	const char *c;

	snprintf(text, sizeof(text), "%c%s", s->type, s->name);
	for (c = text; *c;) {
		if (!strncmp(c, "kprobe_", 7)) {
			codes[len++] = CODE_KPROBE;
			c += 7;
		} else if (!strncmp(c, "__x64_sys_", 10)) {
			codes[len++] = CODE_SYS;
			c += 10;
		} else {
			codes[len++] = (uint8_t)*c++;
		}
	}
	if (len > 0x7f) {
		to[0] = (uint8_t)((len & 0x7f) | 0x80);
		to[1] = (uint8_t)(len >> 7);
		head = 2;
	} else {
		to[0] = (uint8_t)len;
	}
	memcpy(to + head, codes, len);
	return head + len;
}

static void write_tokens(struct text_dump *d)
{
	uint8_t table[4096] = { 0 }, index[512];
	size_t len = 0;

	for (unsigned int code = 0; code < 256; code++) {
		const char *t = token(code);

		mock_put(index + 2 * code, len, 2);
		memcpy(table + len, t, strlen(t) + 1);
		len += strlen(t) + 1;
	}
	/* the kernel's other tables follow; nothing records where this one ends */
	text_dump_write(d, TOKENS, table, sizeof(table));
	text_dump_write(d, INDEX, index, sizeof(index));
}

static void write_addresses(struct text_dump *d, enum form form, const struct symbol *list,
			    size_t count, uint64_t base)
{
	for (size_t i = 0; i < count; i++) {
		size_t size = form == ABSOLUTE ? 8 : 4;
		uint64_t v = list[i].addr;
		uint8_t bytes[8];

		if (form == RELATIVE)
			v -= base;
		else if (form == RELATIVE_PERCPU && v >= base)
			v = base - 1 - v;
		else if (form == SELF)
			v -= OFFSETS + 4 * i;
		mock_put(bytes, v, size);
		text_dump_write(d, OFFSETS + size * i, bytes, size);
	}
}

/* A dump whose only symbols are those in its kallsyms. */
static struct mock *open_table(enum form form, const struct symbol *list, size_t count,
			       uint64_t base, bool by_vmcoreinfo)
{
	static const char *const names[] = { "kallsyms_names",	     "kallsyms_num_syms",
					     "kallsyms_token_table", "kallsyms_token_index",
					     "kallsyms_offsets",     "kallsyms_relative_base" };
	static const uint64_t at[] = { NAMES, COUNT, TOKENS, INDEX, OFFSETS, BASE };
	uint8_t bytes[8], *coded = calloc(count + 1, 1024);
	size_t len = 0, used = 0;
	char text[2048];
	struct mock *m;

	for (size_t i = 0; i < 6; i++) {
		const char *name = names[i];

		if (i == 5 && (form == ABSOLUTE || form == SELF))
			continue;
		if (i == 4 && form == ABSOLUTE)
			name = "kallsyms_addresses";
		if (by_vmcoreinfo)
			used += snprintf(text + used, sizeof(text) - used,
					 "vmcoreinfo SYMBOL(%s)=%lx\n", name, at[i]);
		else
			used += snprintf(text + used, sizeof(text) - used, "sym %s %#lx\n", name,
					 at[i]);
	}
	m = mock_open(text);
	write_tokens(m->dump);
	mock_put(bytes, count, 4);
	text_dump_write(m->dump, COUNT, bytes, 4);
	mock_put(bytes, base, 8);
	text_dump_write(m->dump, BASE, bytes, 8);
	for (size_t i = 0; i < count; i++)
		len += encode_name(coded + len, &list[i]);
	text_dump_write(m->dump, NAMES, coded, len);
	write_addresses(m->dump, form, list, count, base);
	free(coded);
	return m;
}

static const struct symbol kernel[] = {
	{ TEXT, 'T', "_stext" },
	{ TEXT + 0x100, 't', "kprobe_dispatcher" },
	{ TEXT + 0x200, 'T', "__x64_sys_futex" },
	{ TEXT + 0x200, 'T', "__se_sys_futex" },
	{ TEXT + 0x300, 't', "aggr_pre_handler.constprop.0" },
	{ TEXT + 0x400, 'T', "vfs_read" },
	{ TEXT + 0x500, 't', "vfs_read.cold" },
	{ TEXT + 0x10000, 'T', "_etext" },
	{ TEXT + 0x20000, 'b', "kprobe_table" },
	{ TEXT + 0x30000, 'B', "_end" },
};

#define NR_KERNEL (sizeof(kernel) / sizeof(kernel[0]))

static void expect_symbol(struct mock *m, const char *name, uint64_t want)
{
	uint64_t addr = 0;

	if (otst_symbol(m->o, name, &addr))
		fail_msg("%s: %s", name, otst_message(m->o));
	assert_true(addr == want);
}

static void expect_name(struct mock *m, uint64_t addr, const char *name, uint64_t offset,
			uint64_t size)
{
	struct otst_sym sym;

	otst_symbolize(m->o, addr, &sym);
	if (!name) {
		assert_null(sym.name);
		return;
	}
	assert_non_null(sym.name);
	assert_string_equal(sym.name, name);
	assert_null(sym.module);
	assert_int_equal(addr - sym.addr, offset);
	assert_int_equal(sym.size, size);
}

struct listed {
	size_t count;
	size_t stop;
};

static int compare_listed(void *priv, const struct otst_sym *sym, char type)
{
	struct listed *l = priv;
	const struct symbol *want = &kernel[l->count++];

	assert_true(sym->addr == want->addr);
	assert_string_equal(sym->name, want->name);
	assert_null(sym->module);
	assert_int_equal(type, want->type);
	return l->count == l->stop ? OTST_ERR_FILE : 0;
}

static void check_list(struct mock *m)
{
	struct listed all = { 0 }, some = { .stop = 3 };

	/* the dump has no modules list, which the full listing reaches last */
	assert_int_equal(otst_symbols(m->o, compare_listed, &all), OTST_ERR_LOOKUP);
	assert_int_equal(all.count, NR_KERNEL);
	assert_int_equal(otst_symbols(m->o, compare_listed, &some), OTST_ERR_FILE);
	assert_int_equal(some.count, 3);
}

static void check_kernel(struct mock *m)
{
	uint64_t addr;

	assert_string_equal(otst_symbols_origin(m->o), "kallsyms");
	for (size_t i = 0; i < NR_KERNEL; i++)
		expect_symbol(m, kernel[i].name, kernel[i].addr);
	/* the plain name of what a compiler renamed, but never instead of the exact name */
	expect_symbol(m, "aggr_pre_handler", TEXT + 0x300);
	expect_symbol(m, "vfs_read", TEXT + 0x400);
	assert_int_equal(otst_symbol(m->o, "aggr_pre", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(otst_symbol(m->o, "", &addr), OTST_ERR_LOOKUP);
	assert_false(otst_has_symbol(m->o, "vfs_writ"));
	assert_int_equal(otst_symbol_or0(m->o, "nothing"), 0);

	expect_name(m, TEXT + 0x100, "kprobe_dispatcher", 0, 0x100);
	expect_name(m, TEXT + 0x1ff, "kprobe_dispatcher", 0xff, 0x100);
	/* of two names the first; the size reaches to the next different address */
	expect_name(m, TEXT + 0x208, "__x64_sys_futex", 8, 0x100);
	expect_name(m, TEXT + 0x20010, "kprobe_table", 0x10, 0x10000);
	expect_name(m, TEXT - 1, NULL, 0, 0);
	expect_name(m, TEXT + 0x40000, NULL, 0, 0);
	expect_name(m, 0, NULL, 0, 0);
	assert_true(otst_is_text(m->o, TEXT + 0x100));
	assert_false(otst_is_text(m->o, TEXT + 0x20000));
}

static void test_forms(void **state)
{
	static const enum form forms[] = { ABSOLUTE, RELATIVE, SELF };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (int info = 0; info < 2; info++) {
			struct mock *m = open_table(forms[i], kernel, NR_KERNEL, TEXT, info);

			check_kernel(m);
			check_list(m);
			mock_close(m);
		}
	}
}

/* Per-cpu symbols count from zero and come first; the rest count down from the base. */
static void test_absolute_percpu(void **state)
{
	struct symbol list[NR_KERNEL + 3] = {
		{ 0, 'A', "fixed_percpu_data" },
		{ 0x1000, 'A', "current_kprobe" },
		{ 0x2000, 'A', "__per_cpu_end" },
	};
	struct mock *m;

	(void)state;
	memcpy(list + 3, kernel, sizeof(kernel));
	m = open_table(RELATIVE_PERCPU, list, NR_KERNEL + 3, TEXT, true);
	check_kernel(m);
	expect_symbol(m, "current_kprobe", 0x1000);
	expect_symbol(m, "fixed_percpu_data", 0);
	/* a small number is not a kernel address */
	expect_name(m, 0x1004, NULL, 0, 0);
	mock_close(m);
}

/* Names with a second length byte, among short ones, across many markers. */
static void test_big_names(void **state)
{
	enum { MANY = 700 };
	struct symbol *list = calloc(MANY, sizeof(*list));
	char *names = calloc(MANY, 600);
	struct mock *m;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		size_t len = i % 3 ? 12 : 100 + i % 400;
		char *name = names + 600 * i;

		memset(name, 'a' + (char)(i % 26), len);
		sprintf(name + len, "_%zu", i);
		list[i] = (struct symbol){ TEXT + 16 * i, 't', name };
	}
	list[0].name = "_stext";
	list[MANY - 1].name = "_end";
	m = open_table(RELATIVE, list, MANY, TEXT, true);
	for (size_t i = 0; i < MANY; i++)
		expect_symbol(m, list[i].name, list[i].addr);
	for (size_t i = 1; i < MANY - 1; i++)
		expect_name(m, list[i].addr + 3, list[i].name, 3, 16);
	mock_close(m);
	free(list);
	free(names);
}

static int count_one(void *priv, const struct otst_sym *sym, char type)
{
	(void)type;
	assert_int_equal(strncmp(sym->name, "kprobe_d", 8), 0);
	++*(size_t *)priv;
	return 0;
}

/* Thousands of symbols share a few names: each one's first is found, and that there are more. */
static void test_same_names(void **state)
{
	enum { MANY = 4000 };
	static const char *const names[] = { "__func__.0", "__func__.1",	"kprobe_d.5",
					     "late.cold",  "__already_done.77", "init" };
	struct symbol *list = calloc(MANY, sizeof(*list));
	struct mock *m;
	uint64_t addr;
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		list[i] = (struct symbol){ TEXT + 16 * i, 'd', names[i % 6] };
	list[0].name = "_stext";
	list[MANY - 3].name = "kprobe_data";
	list[MANY - 2].name = "late";
	list[MANY - 1].name = "_end";
	m = open_table(RELATIVE, list, MANY, TEXT, true);
	for (size_t i = 0; i < 6; i++)
		expect_symbol(m, names[i], list[i ? i : 6].addr);
	expect_symbol(m, "__func__", list[1].addr);
	expect_symbol(m, "__already_done", list[4].addr);
	/* the exact one, though others with a suffix come before it */
	expect_symbol(m, "late", list[MANY - 2].addr);
	expect_symbol(m, "kprobe_data", list[MANY - 3].addr);
	assert_int_equal(otst_symbol(m->o, "__func__.2", &addr), OTST_ERR_LOOKUP);
	assert_true(otst_symbol_shared(m->o, "__func__.0"));
	assert_true(otst_symbol_shared(m->o, "init"));
	assert_false(otst_symbol_shared(m->o, "late"));
	assert_false(otst_symbol_shared(m->o, "kprobe_data"));
	assert_int_equal(otst_kernel_symbols(m->o, "kprobe_d", count_one, &count), 0);
	for (size_t i = 0; i < MANY; i++)
		count -= !strncmp(list[i].name, "kprobe_d", 8);
	assert_int_equal(count, 0);
	mock_close(m);
	free(list);
}

/* Every length around the step from one byte to two. */
static void test_length_step(void **state)
{
	char names[8][160];
	struct symbol list[10] = { { TEXT, 'T', "_stext" } };
	struct mock *m;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		/* one more code is the type letter */
		memset(names[i], 'a' + (char)i, 123 + i);
		names[i][123 + i] = '\0';
		list[i + 1] = (struct symbol){ TEXT + 32 * (i + 1), 't', names[i] };
	}
	list[9] = (struct symbol){ TEXT + 0x1000, 'B', "_end" };
	m = open_table(SELF, list, 10, TEXT, true);
	for (size_t i = 0; i < 10; i++)
		expect_symbol(m, list[i].name, list[i].addr);
	mock_close(m);
}

/* A table that cannot be used must not hide the target's symbols. */
static void test_damaged(void **state)
{
	static const struct {
		uint64_t addr;
		uint64_t value;
	} damage[] = {
		{ COUNT, 0 },
		{ COUNT, 0xffffffff },
		{ COUNT, 0x3fffff },
		{ COUNT, NR_KERNEL + 1 },
		{ BASE, 0xdead000000000100 },
		{ NAMES, 0xffffffffffffffff },
		{ NAMES, 0 },
		{ INDEX, 0xffffffffffffffff },
		{ INDEX + 504, 0xffffffffffffffff },
		{ OFFSETS + 8, 0 },
		{ TOKENS, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		struct mock *m = open_table(RELATIVE, kernel, NR_KERNEL, TEXT, true);
		uint8_t bytes[8];
		struct otst_sym sym;
		uint64_t addr;

		mock_put(bytes, damage[i].value, 8);
		text_dump_write(m->dump, damage[i].addr, bytes, 8);
		/* whatever comes out, it comes out, and is printable */
		otst_symbol(m->o, "kprobe_table", &addr);
		for (uint64_t a = TEXT; a < TEXT + 0x1000; a += 0x80) {
			otst_symbolize(m->o, a, &sym);
			for (const char *c = sym.name; c && *c; c++)
				assert_true(*c >= ' ' && *c < 0x7f);
		}
		mock_close(m);
	}
	/* the names' page is not in the dump at all */
	{
		struct mock *m = open_table(RELATIVE, kernel, NR_KERNEL, TEXT, true);
		uint64_t addr;

		text_dump_unmap(m->dump, NAMES, 4096);
		assert_int_equal(otst_symbol(m->o, "kprobe_table", &addr), OTST_ERR_LOOKUP);
		assert_string_equal(otst_symbols_origin(m->o), "target");
		mock_close(m);
	}
}

/* the block of addresses finds no memory: which is said, and nothing is read into it */
static void test_no_memory(void **state)
{
	struct mock *m = open_table(RELATIVE, kernel, NR_KERNEL, TEXT, true);
	uint64_t addr;

	(void)state;
	refused = NR_KERNEL * sizeof(uint32_t);
	assert_int_equal(otst_symbol(m->o, "kprobe_table", &addr), OTST_ERR_NOMEM);
	refused = 0;
	mock_close(m);
}

static void check_gap(struct mock *m, const char *gap)
{
	struct otst_look look;
	struct otst_coverage c = { 0 };
	uint64_t addr;
	int err;

	m->dump->lacks_symbols = true;
	if (gap)
		assert_string_equal(otst_symbols_gap(m->o), gap);
	else
		assert_null(otst_symbols_gap(m->o));
	look = otst_look_begin(m->o);
	err = otst_symbol(m->o, "no_such_table", &addr);
	assert_int_equal(err, OTST_ERR_LOOKUP);
	assert_int_equal(otst_look_end(m->o, &look, err, &c), 0);
	assert_int_equal(c.looked, gap ? OTST_LOOKED_NOT : OTST_LOOKED_ABSENT);
	assert_string_equal(c.why, gap ? gap : "no symbol no_such_table in this kernel");
	mock_close(m);
}

/* when a symbol that is not in the table does not exist */
static void test_what_the_table_lacks(void **state)
{
	struct symbol functions[NR_KERNEL];
	size_t n = 0;

	(void)state;
	check_gap(open_table(RELATIVE, kernel, NR_KERNEL, TEXT, true), NULL);
	for (size_t i = 0; i < NR_KERNEL; i++) {
		if (kernel[i].type == 'T' || kernel[i].type == 't')
			functions[n++] = kernel[i];
	}
	/* as arm64 has it */
	functions[n - 1].type = 'D';
	assert_string_equal(functions[n - 1].name, "_etext");
	check_gap(open_table(RELATIVE, functions, n, TEXT, true),
		  "the kernel's symbol table has functions only");
	check_gap(open_table(RELATIVE, kernel + 1, NR_KERNEL - 1, TEXT, true),
		  "the kernel's symbol table has no _stext");
	check_gap(mock_open(""), "nothing says where the kernel's symbol table is");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),	   cmocka_unit_test(test_absolute_percpu),
		cmocka_unit_test(test_big_names),  cmocka_unit_test(test_length_step),
		cmocka_unit_test(test_same_names), cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_no_memory),  cmocka_unit_test(test_what_the_table_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
