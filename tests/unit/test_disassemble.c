// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_disassemble.c - instructions whose bytes the processors' manuals give,
 * names of what they refer to, and bytes that are not instructions.
 */
#include "mock.h"

#include <string.h>

#include "../../src/built/disassemble.h"

#define AT 0xffffffff81000000

#define MACHINE(name)                            \
	"type new_utsname 390\n"                 \
	"	release 130 char[65]\n"                \
	"	machine 260 char[65]\n"                \
	"type uts_namespace 400\n"               \
	"	name 0 struct new_utsname\n"           \
	"sym init_uts_ns 0xffffffff82000000\n"   \
	"obj uts_namespace 0xffffffff82000000\n" \
	"	name.machine = \"" name "\"\n"

#define SYMBOLS                                   \
	"sym vfs_read 0xffffffff81002000 0x100\n" \
	"sym hooks 0xffffffff82001000 0x10\n"     \
	"sym lab_open 0xffffffff81003000 0x10 lab\n"

#define X86   MACHINE("x86_64") SYMBOLS
#define ARM64 MACHINE("aarch64") SYMBOLS

struct expect {
	unsigned char bytes[16];
	size_t len;
	const char *line;
};

/* each is one whole instruction, whatever follows it */
static void check_each(const char *machine, const struct expect *e, size_t n)
{
	struct mock *m = mock_open(machine);
	struct otst_insns is;

	for (; n--; e++) {
		assert_int_equal(otst_disassemble(m->o, AT, e->bytes, sizeof(e->bytes), 1, &is), 0);
		assert_int_equal(is.count, 1);
		assert_int_equal(is.items[0].addr, AT);
		assert_string_equal(otst_insn_line(m->o, &is.items[0]), e->line);
		assert_int_equal(is.items[0].len, e->len);
		assert_memory_equal(is.items[0].bytes, e->bytes, e->len);
		assert_int_equal(is.items[0].known, e->line[0] != '.');
	}
	mock_close(m);
}

static void test_x86(void **state)
{
	static const struct expect expect[] = {
		{ { 0xf3, 0x0f, 0x1e, 0xfa }, 4, "endbr64" },
		{ { 0x53 }, 1, "pushq %rbx" },
		{ { 0x48, 0x89, 0xfb }, 3, "movq %rdi, %rbx" },
		{ { 0xcc }, 1, "int3" },
		{ { 0x0f, 0x0b }, 2, "ud2" },
		/* branches: to a function, into one, into a module, to nowhere known */
		{ { 0xe8, 0xfb, 0x1f, 0, 0 }, 5, "callq 0xffffffff81002000 <vfs_read>" },
		{ { 0xe9, 0xff, 0x1f, 0, 0 }, 5, "jmp 0xffffffff81002004 <vfs_read+0x4>" },
		{ { 0xe8, 0xfb, 0x2f, 0, 0 }, 5, "callq 0xffffffff81003000 <lab_open [lab]>" },
		{ { 0x0f, 0x84, 0xfa, 0x1f, 0, 0 }, 6, "je 0xffffffff81002000 <vfs_read>" },
		{ { 0xeb, 0xfe }, 2, "jmp 0xffffffff81000000" },
		{ { 0xff, 0xe0 }, 2, "jmpq *%rax" },
		/* data that lies relative to the instruction */
		{ { 0x48, 0x8b, 0x05, 0xfd, 0x0f, 0, 1 },
		  7,
		  "movq 0x1000ffd(%rip), %rax # 0xffffffff82001004 <hooks+0x4>" },
		{ { 0xff, 0x15, 0xfa, 0x0f, 0, 1 },
		  6,
		  "callq *0x1000ffa(%rip) # 0xffffffff82001000 <hooks>" },
		/* as one instruction each, not as a short one and its remains */
		{ { 0x67, 0x0f, 0xb9, 0x40, 0x10 }, 5, "ud1" },
		{ { 0x0f, 0x01, 0xe8 }, 3, "serialize" },
		{ { 0xf3, 0x0f, 0x01, 0xca }, 4, "eretu" },
		{ { 0xf3, 0x0f, 0xc7, 0xf8 }, 4, "rdpid %rax" },
		/* not an instruction in 64-bit code */
		{ { 0x06 }, 1, ".byte 0x06" },
		{ { 0xff, 0xff }, 1, ".byte 0xff" },
	};

	(void)state;
	check_each(X86, expect, sizeof(expect) / sizeof(expect[0]));
}

static void test_arm64(void **state)
{
	static const struct expect expect[] = {
		{ { 0x1f, 0x20, 0x03, 0xd5 }, 4, "nop" },
		{ { 0x80, 0x00, 0x20, 0xd4 }, 4, "brk #0x4" },
		{ { 0x00, 0x00, 0x21, 0xd4 }, 4, "brk #0x800" },
		{ { 0x00, 0x08, 0x00, 0x94 }, 4, "bl #0xffffffff81002000 <vfs_read>" },
		{ { 0x02, 0x08, 0x00, 0x14 }, 4, "b #0xffffffff81002008 <vfs_read+0x8>" },
		{ { 0x00, 0x00, 0x01, 0xb4 }, 4, "cbz x0, #0xffffffff81002000 <vfs_read>" },
		{ { 0xff, 0xff, 0xff, 0xff }, 4, ".inst 0xffffffff" },
	};

	(void)state;
	check_each(ARM64, expect, sizeof(expect) / sizeof(expect[0]));
}

static void test_run(void **state)
{
	/* push, call, a byte that is no instruction, mov cut off by the end */
	static const unsigned char code[] = { 0x55, 0xe8, 0xfa, 0x1f, 0, 0, 0x06, 0x48, 0x89 };
	static const unsigned int at[] = { 0, 1, 6, 7, 8 };
	struct mock *m = mock_open(X86);
	struct otst_insns is;
	size_t i;

	(void)state;
	assert_int_equal(otst_disassemble(m->o, AT, code, sizeof(code), sizeof(code), &is), 0);
	assert_int_equal(is.count, 5);
	for (i = 0; i < is.count; i++)
		assert_int_equal(is.items[i].addr, AT + at[i]);
	assert_int_equal(is.items[1].target, 0xffffffff81002000);
	assert_string_equal(is.items[1].name, "vfs_read");
	assert_false(is.items[1].refers);
	assert_false(is.items[2].known);
	assert_string_equal(is.items[3].text, ".byte 0x48");
	assert_string_equal(is.items[4].text, ".byte 0x89");

	/* an instruction that begins inside the requested range is whole */
	assert_int_equal(otst_disassemble(m->o, AT, code, sizeof(code), 2, &is), 0);
	assert_int_equal(is.count, 2);
	assert_int_equal(is.items[1].len, 5);
	assert_int_equal(otst_disassemble(m->o, AT, code, 0, 16, &is), 0);
	assert_int_equal(is.count, 0);
	mock_close(m);
}

static void test_other(void **state)
{
	struct mock *m = mock_open(MACHINE("riscv64"));
	int want = otst_arch_riscv64.disasm.has_capstone ? 0 : OTST_ERR_UNSUPPORTED;
	struct otst_insns is;

	(void)state;
	assert_int_equal(otst_disassemble(m->o, AT, "\x90", 1, 1, &is), want);
	assert_int_equal(otst_disassemble(m->o, AT, "\x90", 1, 1, &is), want);
	mock_close(m);
}

static void test_interrupted(void **state)
{
	struct mock *m = mock_open(X86);
	struct otst_insns is;

	(void)state;
	assert_int_equal(otst_disassemble(m->o, AT, "\x90", 1, 1, &is), 0);
	m->interrupted = true;
	assert_int_equal(otst_disassemble(m->o, AT, "\x90", 1, 1, &is), OTST_ERR_INTERRUPTED);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),	    cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_run),	    cmocka_unit_test(test_other),
		cmocka_unit_test(test_interrupted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
