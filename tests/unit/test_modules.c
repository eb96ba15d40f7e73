// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_modules.c - the module list in its three layouts, which module an address
 * belongs to, modules' own symbols, and symbols of the target with compilers' suffixes.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

#define HEADER                                                   \
	"type list_head 16\n"                                    \
	"	next 0 ptr list_head\n"                                \
	"	prev 8 ptr list_head\n"                                \
	"sym modules 0xffffffff82000000 16\n"                    \
	"sym _stext 0xffffffff81000000 0x1000\n"                 \
	"sym aggr_pre_handler.isra.0 0xffffffff81001000 0x100\n" \
	"sym vfs_read 0xffffffff81002000 0x100\n"                \
	"sym _etext 0xffffffff81100000 0x1000\n"                 \
	"sym alpha_init 0xffffffffc0000000 0x10 alpha\n"         \
	"sym alpha_pre 0xffffffffc0000010 0x10 alpha\n"          \
	"sym alpha_alias 0xffffffffc0000010 0x10 alpha\n"        \
	"sym alpha_data 0xffffffffc0002000 0x10 alpha\n"

#define KALLSYMS                 \
	"type mod_kallsyms 24\n" \
	"	symtab 0 ptr\n"        \
	"	num_symtab 8 u32\n"    \
	"	strtab 16 ptr char\n"

#define OLD                                   \
	HEADER                                \
	"type module 200\n"                   \
	"	state 0 u32\n"                      \
	"	list 8 struct list_head\n"          \
	"	name 24 char[56]\n"                 \
	"	module_init 80 ptr\n"               \
	"	module_core 88 ptr\n"               \
	"	init_size 96 u32\n"                 \
	"	core_size 100 u32\n"                \
	"	init_text_size 104 u32\n"           \
	"	core_text_size 108 u32\n"           \
	"	symtab 112 ptr\n"                   \
	"	num_symtab 120 u32\n"               \
	"	strtab 128 ptr\n"                   \
	"obj module 0xffffffffc0003000\n"     \
	"	name = \"alpha\"\n"                 \
	"	module_core = 0xffffffffc0000000\n" \
	"	core_size = 0x4000\n"               \
	"	core_text_size = 0x1000\n"          \
	"	symtab = 0xffffffffc0003800\n"      \
	"	num_symtab = 5\n"                   \
	"	strtab = 0xffffffffc0003c00\n"

#define LAYOUT                                                         \
	HEADER KALLSYMS "type module_layout 16\n"                      \
			"	base 0 ptr\n"                                \
			"	size 8 u32\n"                                \
			"	text_size 12 u32\n"                          \
			"type module 200\n"                            \
			"	state 0 u32\n"                               \
			"	list 8 struct list_head\n"                   \
			"	name 24 char[56]\n"                          \
			"	core_layout 80 struct module_layout\n"       \
			"	init_layout 96 struct module_layout\n"       \
			"	kallsyms 112 ptr mod_kallsyms\n"             \
			"	core_kallsyms 120 struct mod_kallsyms\n"     \
			"obj module 0xffffffffc0003000\n"              \
			"	name = \"alpha\"\n"                          \
			"	core_layout.base = 0xffffffffc0000000\n"     \
			"	core_layout.size = 0x4000\n"                 \
			"	core_layout.text_size = 0x1000\n"            \
			"	kallsyms = 0xffffffffc0003078\n"             \
			"	core_kallsyms.symtab = 0xffffffffc0003800\n" \
			"	core_kallsyms.num_symtab = 5\n"              \
			"	core_kallsyms.strtab = 0xffffffffc0003c00\n"

#define MEM                                                            \
	HEADER KALLSYMS "type module_memory 16\n"                      \
			"	base 0 ptr\n"                                \
			"	size 8 u32\n"                                \
			"type module 300\n"                            \
			"	state 0 u32\n"                               \
			"	list 8 struct list_head\n"                   \
			"	name 24 char[56]\n"                          \
			"	mem 80 struct module_memory[7]\n"            \
			"	kallsyms 192 ptr mod_kallsyms\n"             \
			"	core_kallsyms 200 struct mod_kallsyms\n"     \
			"obj module 0xffffffffc0003000\n"              \
			"	name = \"alpha\"\n"                          \
			"	mem[0].base = 0xffffffffc0000000\n"          \
			"	mem[0].size = 0x1000\n"                      \
			"	mem[1].base = 0xffffffffc0001900\n"          \
			"	mem[1].size = 0x2700\n"                      \
			"	kallsyms = 0xffffffffc00030c8\n"             \
			"	core_kallsyms.symtab = 0xffffffffc0003800\n" \
			"	core_kallsyms.num_symtab = 5\n"              \
			"	core_kallsyms.strtab = 0xffffffffc0003c00\n"

#define FOOTER                                                  \
	"elfsyms alpha 0xffffffffc0003800 0xffffffffc0003c00\n" \
	"list modules 0xffffffffc0003008\n"

static void check_alpha(const char *text, bool contiguous)
{
	struct mock *m = mock_open(text);
	struct otst_module *const *list;
	const struct otst_module *alpha;
	struct otst_sym sym;
	uint64_t addr;

	assert_int_equal(otst_modules(m->o, &list), 0);
	assert_non_null(list[0]);
	assert_null(list[1]);
	assert_null(otst_modules_error(m->o));
	assert_string_equal(list[0]->name, "alpha");
	alpha = otst_module_at(m->o, 0xffffffffc0000010);
	assert_ptr_equal(alpha, list[0]);
	assert_ptr_equal(otst_module_at(m->o, 0xffffffffc0003fff), alpha);
	assert_null(otst_module_at(m->o, 0xffffffffc0004000));
	assert_null(otst_module_at(m->o, 0xffffffffbfffffff));
	if (contiguous)
		assert_ptr_equal(otst_module_at(m->o, 0xffffffffc0001800), alpha);
	else
		assert_null(otst_module_at(m->o, 0xffffffffc0001800));
	assert_true(otst_is_text(m->o, 0xffffffffc0000fff));
	assert_false(otst_is_text(m->o, 0xffffffffc0002000));

	otst_symbolize(m->o, 0xffffffffc0000018, &sym);
	assert_string_equal(sym.name, "alpha_pre");
	assert_string_equal(sym.module, "alpha");
	assert_int_equal(sym.addr, 0xffffffffc0000010);
	otst_symbolize(m->o, 0xffffffffc0002004, &sym);
	assert_string_equal(sym.name, "alpha_data");
	assert_int_equal(otst_module_symbol(m->o, alpha, "alpha_alias", &addr), 0);
	assert_int_equal(addr, 0xffffffffc0000010);
	assert_int_equal(otst_module_symbol(m->o, alpha, "beta", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(otst_symbol_any(m->o, "alpha:alpha_data", &addr), 0);
	assert_int_equal(addr, 0xffffffffc0002000);
	assert_int_equal(otst_symbol_any(m->o, "alpha_data", &addr), 0);
	assert_int_equal(otst_symbol_any(m->o, "beta:alpha_data", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(otst_symbol_any(m->o, "vfs_read", &addr), 0);
	mock_close(m);
}

static void test_layouts(void **state)
{
	(void)state;
	check_alpha(OLD FOOTER, true);
	check_alpha(LAYOUT FOOTER, true);
	check_alpha(MEM FOOTER, false);
}

static void check_sym(const struct otst_sym *s, const char *name, uint64_t addr, uint64_t size)
{
	assert_string_equal(s->name, name);
	assert_string_equal(s->module, "alpha");
	assert_int_equal(s->addr, addr);
	assert_int_equal(s->size, size);
}

static struct otst_sym printed(struct mock *m, uint64_t addr)
{
	struct otst_sym s;

	otst_symbolize(m->o, addr, &s);
	otst_sym_printed(m->o, addr, &s);
	return s;
}

/* @by_range: whether the kernel looks only in the range of the address */
static void check_data(const char *text, bool by_range)
{
	struct mock *m = mock_open(text);
	struct otst_sym s;

	/* find_kallsyms_symbol() counts from the symbol to the end of the text, which is before it */
	otst_symbolize(m->o, 0xffffffffc0002004, &s);
	check_sym(&s, "alpha_data", 0xffffffffc0002000, 0x2000);
	s = printed(m, 0xffffffffc0002004);
	check_sym(&s, "alpha_data", 0xffffffffc0002000,
		  by_range ? UINT64_C(0x2000) : -UINT64_C(0x1000));
	/* data before the first symbol of data; without CONFIG_KALLSYMS_ALL all data is like that */
	otst_symbolize(m->o, 0xffffffffc0001ff0, &s);
	assert_null(s.name);
	assert_string_equal(s.module, "alpha");
	s = printed(m, 0xffffffffc0001ff0);
	if (by_range)
		assert_null(s.name);
	else
		check_sym(&s, "alpha_pre", 0xffffffffc0000010, 0xff0);
	/* the end of the text is the last function's */
	otst_symbolize(m->o, 0xffffffffc0000ff0, &s);
	check_sym(&s, "alpha_pre", 0xffffffffc0000010, 0xff0);
	s = printed(m, 0xffffffffc0000ff0);
	check_sym(&s, "alpha_pre", 0xffffffffc0000010, 0xff0);
	s = printed(m, 0xffffffff81002000);
	assert_string_equal(s.name, "vfs_read");
	assert_null(s.module);
	mock_close(m);
}

static void test_data(void **state)
{
	(void)state;
	check_data(OLD FOOTER, false);
	check_data(LAYOUT FOOTER, false);
	check_data(MEM FOOTER, true);
}

/* a text that is larger than its module takes only the module's size */
static void test_large_text(void **state)
{
	static const char *const sizes[] = { "0x4001", "0xffffffff" };
	char text[8192];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct otst_module *alpha;
		struct mock *m;

		snprintf(text, sizeof(text),
			 "%sset module 0xffffffffc0003000\n	core_layout.text_size = %s\n",
			 LAYOUT FOOTER, sizes[i]);
		m = mock_open(text);
		alpha = otst_module_at(m->o, 0xffffffffc0003fff);
		assert_non_null(alpha);
		assert_int_equal(alpha->nr_ranges, 1);
		assert_true(otst_is_text(m->o, 0xffffffffc0003fff));
		assert_null(otst_module_at(m->o, 0xffffffffc0004000));
		assert_false(otst_is_text(m->o, 0xffffffffc0004000));
		mock_close(m);
	}
}

static void test_broken_list(void **state)
{
	struct mock *m = mock_open(OLD FOOTER "u64 0xffffffffc0003008: 0xdead000000000100\n");
	struct mock *loop = mock_open(OLD FOOTER "u64 0xffffffffc0003008: 0xffffffffc0003008\n");
	struct mock *none = mock_open("");
	struct otst_module *const *list;

	(void)state;
	/* what was read before the break is there, and the reason for the break */
	assert_int_equal(otst_modules(m->o, &list), 0);
	assert_non_null(list[0]);
	assert_null(list[1]);
	assert_non_null(otst_modules_error(m->o));
	assert_int_equal(otst_modules(loop->o, &list), 0);
	assert_non_null(list[0]);
	assert_null(list[1]);
	assert_non_null(otst_modules_error(loop->o));
	assert_int_not_equal(otst_modules(none->o, &list), 0);
	assert_null(otst_module_at(none->o, 0xffffffffc0000000));
	mock_close(m);
	mock_close(loop);
	mock_close(none);
}

static void test_garbage_tables(void **state)
{
	static const char *const damage[] = {
		"set module 0xffffffffc0003000\n	num_symtab = 0xffffffff\n",
		"set module 0xffffffffc0003000\n	symtab = 0x10\n",
		"set module 0xffffffffc0003000\n	strtab = 0xdead000000000100\n",
		"u32 0xffffffffc0003818: 0xffffffff\n",
		"fill 0xffffffffc0003c00 0x400 0x1b\n",
		"set module 0xffffffffc0003000\n	name = \"\\x1b[2J\\x07\\x9b\"\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		char text[8192];
		struct otst_sym sym;
		struct mock *m;

		strcpy(text, OLD FOOTER);
		strcat(text, damage[i]);
		m = mock_open(text);
		otst_symbolize(m->o, 0xffffffffc0000018, &sym);
		/* the module is known, whatever its table says */
		assert_non_null(sym.module);
		for (const char *c = sym.name; c && *c; c++)
			assert_true(*c >= ' ' && *c < 0x7f);
		for (const char *c = sym.module; *c; c++)
			assert_true(*c >= ' ' && *c < 0x7f);
		mock_close(m);
	}
}

static void test_state(void **state)
{
	struct mock *m = mock_open(OLD FOOTER "set module 0xffffffffc0003000\n	state = 3\n");
	struct otst_module *const *list;

	(void)state;
	/* for a module that is being set up only the name is safe */
	assert_int_equal(otst_modules(m->o, &list), 0);
	for (; *list; list++)
		assert_int_equal((*list)->nr_ranges, 0);
	assert_null(otst_module_at(m->o, 0xffffffffc0000010));
	mock_close(m);
}

static void test_target_symbols(void **state)
{
	struct mock *m = mock_open(OLD FOOTER);
	uint64_t addr;

	(void)state;
	assert_string_equal(otst_symbols_origin(m->o), "target");
	assert_int_equal(otst_symbol(m->o, "vfs_read", &addr), 0);
	assert_int_equal(addr, 0xffffffff81002000);
	assert_int_equal(otst_symbol(m->o, "aggr_pre_handler.isra.0", &addr), 0);
	assert_int_equal(otst_symbol(m->o, "vfs_rea", &addr), OTST_ERR_LOOKUP);
	/* a module's symbol is not the kernel's */
	assert_int_equal(otst_symbol(m->o, "alpha_pre", &addr), OTST_ERR_LOOKUP);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),	       cmocka_unit_test(test_data),
		cmocka_unit_test(test_large_text),     cmocka_unit_test(test_broken_list),
		cmocka_unit_test(test_garbage_tables), cmocka_unit_test(test_state),
		cmocka_unit_test(test_target_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
