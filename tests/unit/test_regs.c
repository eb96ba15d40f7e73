// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_regs.c - registers by architecture: struct pt_regs with and without its
 * type, NT_PRSTATUS notes of cpus and whose they are, what a processor stored, what the
 * tables say.
 */
#include "../../src/tasks/regs.h"
#include "mock.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MACHINE(name)                            \
	"type new_utsname 390\n"                 \
	"	machine 260 char[65]\n"                \
	"type uts_namespace 400\n"               \
	"	name 0 struct new_utsname\n"           \
	"sym init_uts_ns 0xffffffff82000000\n"   \
	"obj uts_namespace 0xffffffff82000000\n" \
	"	name.machine = \"" name "\"\n"

/* the note of cpu 0: registers 0x100, 0x101 and so on */
static struct mock *open_note(const char *machine, unsigned int nr)
{
	static char text[16384];
	size_t len;
	unsigned int i;

	len = (size_t)snprintf(text, sizeof(text),
			       "%ssym crash_notes 0xffffffff82001000 8\n"
			       "u64 0xffffffff82001000: 0xffffffff82002000\n"
			       "u32 0xffffffff82002000: 5 %u 1 0x45524f43 0\n"
			       "u64 0xffffffff82002014: 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
			       machine, 112 + 8 * nr + 8);
	for (i = 0; i < nr; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " 0x%x", 0x100 + i);
	/* pr_fpvalid */
	snprintf(text + len, sizeof(text) - len, " 0\n");
	return mock_open(text);
}

static void check_note(const char *machine, unsigned int nr, unsigned int pc, const char *name)
{
	struct mock *m = open_note(machine, nr);
	const struct otst_arch *a = otst_kernel(m->o)->arch;
	uint64_t regs[OTST_REGS_MAX];

	assert_int_equal(a->reg.count, nr);
	assert_int_equal(otst_cpu_regs(m->o, 0, regs), 0);
	assert_int_equal(regs[0], 0x100);
	assert_int_equal(regs[nr - 1], 0x100 + nr - 1);
	assert_int_equal(regs[a->reg.pc], 0x100 + pc);
	assert_string_equal(a->reg.list[a->reg.pc].name, name);
	mock_close(m);
	/* one register is missing */
	m = open_note(machine, nr - 2);
	assert_int_not_equal(otst_cpu_regs(m->o, 0, regs), 0);
	mock_close(m);
}

static void test_notes(void **state)
{
	(void)state;
	check_note(MACHINE("x86_64"), 21, 16, "rip");
	check_note(MACHINE("aarch64"), 34, 32, "pc");
	check_note(MACHINE("ppc64le"), 39, 32, "pc");
}

/* ---- whose a note of the file is ---- */

#define CPUS 4

/* four cpus, of which cpu 1 is off line; crash_notes of cpu n at 0xffffffff83n02000 */
#define MACHINE_4                                                                   \
	MACHINE("x86_64")                                                           \
	"type cpumask 8\n"                                                          \
	"	bits 0 u64[1]\n"                                                          \
	"sym nr_cpu_ids 0xffffffff82010000 4\n"                                     \
	"u32 nr_cpu_ids: 4\n"                                                       \
	"sym __per_cpu_offset 0xffffffff82010100 32\n"                              \
	"u64 __per_cpu_offset: 0xffffffff83000000 0xffffffff83100000 0xffffffff832" \
	"00000 0xffffffff83300000\n"                                                \
	"sym __cpu_online_mask 0xffffffff82010200 8\n"                              \
	"u64 __cpu_online_mask: 13\n"

struct note_case {
	/*
	 * of each cpu's buffer: its r15 as a digit, '-' empty, '?' not in the dump, '!' garbage; ""
	 * when there may be none
	 */
	const char *memory;
	const char *file; /* r15 of each note of the file */
	const char *want; /* r15 of each cpu, '-' none */
};

static size_t put_note(char *text, size_t size, uint64_t at, char r15)
{
	return (size_t)snprintf(text, size,
				"fill 0x%" PRIx64 " 524 0\nu32 0x%" PRIx64 ": 5 336 1 0x45524f43\n"
				"u64 0x%" PRIx64 ": 0x%x\n",
				at, at, at + 20 + 112, r15 - '0');
}

static struct mock *open_case(const struct note_case *c)
{
	static char text[16384];
	const uint64_t file = 0xffffffff84000000;
	size_t len, i;

	len = (size_t)snprintf(text, sizeof(text), "%s%s", MACHINE_4,
			       !*c->memory ? "" :
					     "sym crash_notes 0xffffffff82010300 8\n"
					     "u64 crash_notes: 0x2000\n");
	for (i = 0; c->memory[i]; i++) {
		uint64_t at = 0xffffffff83002000 + i * 0x100000;

		if (c->memory[i] == '?')
			continue;
		if (c->memory[i] == '-' || c->memory[i] == '!')
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"fill 0x%" PRIx64 " 524 %d\n", at,
						c->memory[i] == '!' ? 0x5a : 0);
		else
			len += put_note(text + len, sizeof(text) - len, at, c->memory[i]);
	}
	for (i = 0; c->file[i]; i++)
		len += put_note(text + len, sizeof(text) - len, file + i * 356, c->file[i]);
	snprintf(text + len, sizeof(text) - len, "notes 0x%" PRIx64 " %zu\n", file, i * 356);
	return mock_open(text);
}

static void test_whose(void **state)
{
	static const struct note_case cases[] = {
		/* a capture kernel's: cpus 1 and 3 wrote none */
		{ "1-3-", "13", "1-3-" },
		/* cpu 2's buffer is lost, its note is the one that is left over */
		{ "1-?4", "134", "1-34" },
		{ "1-!4", "134", "1-34" },
		{ "??3-", "13", "--3-" },
		{ "??3?", "134", "--34" },
		{ "??3-", "134", "--3-" },
		{ "??3-", "123", "123-" },
		/* a hypervisor's: nobody wrote, or the last cpu alone, and something else */
		{ "----", "5678", "5678" },
		{ "----", "567", "567-" },
		{ "---4", "5678", "5674" },
		/*
		 * no buffer can be read, or it is not known where they are: notes of all cpus, of
		 * those on line, of fewer
		 */
		{ "????", "5678", "5678" },
		{ "????", "578", "5-78" },
		{ "????", "57", "----" },
		{ "", "5678", "5678" },
		{ "", "578", "5-78" },
		{ "", "57", "----" },
		{ "1-3-", "", "1-3-" },
		{ "----", "", "----" },
	};
	uint64_t regs[OTST_REGS_MAX];
	unsigned int cpu;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mock *m = open_case(&cases[i]);

		for (cpu = 0; cpu < CPUS; cpu++) {
			char want = cases[i].want[cpu];
			int err = otst_cpu_regs(m->o, cpu, regs);

			if (err != (want == '-' ? OTST_ERR_LOOKUP : 0) ||
			    (!err && regs[0] != (uint64_t)(want - '0')))
				fail_msg("memory %s, file %s: cpu %u", cases[i].memory,
					 cases[i].file, cpu);
		}
		assert_int_equal(otst_cpu_regs(m->o, CPUS, regs), OTST_ERR_LOOKUP);
		mock_close(m);
	}
}

static void test_unknown(void **state)
{
	struct mock *m = open_note(MACHINE("vax"), 21);
	uint64_t regs[OTST_REGS_MAX];

	(void)state;
	assert_int_equal(otst_cpu_regs(m->o, 0, regs), OTST_ERR_LOOKUP);
	assert_int_equal(otst_pt_regs(m->o)->size, 0);
	mock_close(m);
}

/* a low core at 0x70000 whose cpu was stopped at 0x1234, r0 to r15 are 0x100 to 0x10f */
#define STORED                                                                        \
	"big-endian\n" MACHINE("s390x") "sym lowcore_ptr 0x50000 16\n"                \
					"u64 0x50000: 0x70000\n"                      \
					"fill 0x70000 8192 0\n"                       \
					"u64 0x71280: 0x100 0x101 0x102 0x103 0x104 " \
					"0x105 0x106 0x107 0x108 0x109 0x10a 0x10b "  \
					"0x10c 0x10d 0x10e 0x10f\n"                   \
					"u64 0x71300: 0x0706c00180000000 0x1234\n"

static void check_stored(const char *text, int err, const char *message)
{
	struct mock *m = mock_open(text);
	uint64_t regs[OTST_REGS_MAX];

	assert_int_equal(otst_cpu_regs(m->o, 0, regs), err);
	if (message)
		assert_string_equal(otst_message(m->o), message);
	mock_close(m);
}

static void test_stored(void **state)
{
	static const char none[] = "no registers of cpu 0 in the dump: lowcore_ptr[0]: ";
	struct mock *m = mock_open(STORED);
	const struct otst_arch *a = otst_kernel(m->o)->arch;
	uint64_t regs[OTST_REGS_MAX];
	char want[200];

	(void)state;
	assert_int_equal(otst_cpu_regs(m->o, 0, regs), 0);
	assert_int_equal(regs[0], 0x0706c00180000000);
	assert_string_equal(a->reg.list[0].name, "pswm");
	assert_int_equal(regs[a->reg.pc], 0x1234);
	assert_int_equal(regs[a->reg.sp], 0x10f);
	assert_string_equal(a->reg.list[2].name, "r0");
	assert_int_equal(regs[2], 0x100);
	/* this dump's machine has one cpu */
	assert_int_equal(otst_cpu_regs(m->o, 1, regs), OTST_ERR_LOOKUP);
	mock_close(m);
	snprintf(want, sizeof(want), "%snothing was stored", none);
	check_stored(STORED "u64 0x71300: 0 0\n", OTST_ERR_LOOKUP, want);
	snprintf(want, sizeof(want), "%sthe cpu is offline", none);
	check_stored(STORED "u64 0x50000: 0\n", OTST_ERR_LOOKUP, want);
	snprintf(want, sizeof(want), "%s0x70010 is not aligned", none);
	check_stored(STORED "u64 0x50000: 0x70010\n", OTST_ERR_CORRUPT, want);
	check_stored(STORED "unmap 0x71308 1\n", OTST_ERR_FAULT, NULL);
	check_stored(STORED "unmap 0x50004 1\n", OTST_ERR_FAULT, NULL);
	check_stored("big-endian\n" MACHINE("s390x"), OTST_ERR_LOOKUP, NULL);
	/* what the kernel noted comes first */
	m = mock_open(STORED "sym crash_notes 0x60000 8\n"
			     "u64 0x60000: 0x61000\n"
			     "fill 0x61000 412 0\n"
			     "u32 0x61000: 5 256 1 0x434f5245 0\n"
			     "u64 0x61084: 0x0704c00180000000 0x5678\n");
	assert_int_equal(otst_cpu_regs(m->o, 0, regs), 0);
	assert_int_equal(regs[a->reg.pc], 0x5678);
	mock_close(m);
}

static void test_pt_regs(void **state)
{
	static const char moved[] = "type pt_regs 336\n"
				    "	regs 16 u64[31]\n"
				    "	sp 264 u64\n"
				    "	pc 272 u64\n"
				    "	pstate 280 u64\n";
	static const char half[] = "type pt_regs 336\n"
				   "	regs 16 u64[31]\n"
				   "	pc 272 u64\n";
	char text[1024];
	struct mock *m;

	(void)state;
	m = mock_open(MACHINE("aarch64"));
	assert_int_equal(otst_pt_regs(m->o)->size, 34 * 8);
	assert_int_equal(otst_pt_regs(m->o)->at[30], 30 * 8);
	mock_close(m);
	snprintf(text, sizeof(text), "%s%s", MACHINE("aarch64"), moved);
	m = mock_open(text);
	assert_int_equal(otst_pt_regs(m->o)->size, 288);
	assert_int_equal(otst_pt_regs(m->o)->at[0], 16);
	assert_int_equal(otst_pt_regs(m->o)->at[30], 256);
	assert_int_equal(otst_pt_regs(m->o)->at[33], 280);
	mock_close(m);
	snprintf(text, sizeof(text), "%s%s", MACHINE("aarch64"), half);
	m = mock_open(text);
	assert_int_equal(otst_pt_regs(m->o)->at[0], 0);
	assert_int_equal(otst_pt_regs(m->o)->at[33], 33 * 8);
	mock_close(m);
}

static void check_table(const struct otst_arch *a)
{
	uint64_t regs[OTST_REGS_MAX] = { 0 };
	unsigned int i, k;

	assert_true(a->reg.count >= 1 && a->reg.count <= OTST_REGS_MAX);
	for (i = 0; i < a->reg.count; i++) {
		assert_non_null(a->reg.list[i].name);
		assert_non_null(a->reg.list[i].member);
		for (k = 0; k < i; k++) {
			assert_string_not_equal(a->reg.list[i].name, a->reg.list[k].name);
			if (a->reg.list[i].dwarf != OTST_NO_REG)
				assert_int_not_equal(a->reg.list[i].dwarf, a->reg.list[k].dwarf);
		}
	}
	for (i = 0; i < a->reg.nr_args; i++)
		assert_true(a->reg.args[i] < a->reg.count);
	for (i = 0; i < 6; i++)
		assert_true(a->reg.syscall_args[i] < a->reg.count);
	for (i = 0; i < a->reg.nr_shown; i++)
		assert_true(a->reg.shown[i].reg < a->reg.count);
	assert_int_not_equal(a->reg.list[a->reg.sp].dwarf, OTST_NO_REG);
	assert_int_not_equal(a->reg.list[a->reg.fp].dwarf, OTST_NO_REG);
	assert_ptr_equal(otst_arch_named(a->name), a);
	assert_ptr_equal(otst_arch_of_elf(a->elf_machine), a);
	a->reg.user_mode(regs);
}

static void test_tables(void **state)
{
	const struct otst_arch *x86 = otst_arch_named("x86_64"), *arm = otst_arch_named("aarch64");
	uint64_t regs[OTST_REGS_MAX] = { 0 };

	(void)state;
	check_table(x86);
	check_table(arm);
	/* the psABI's numbers of rdx and rcx; x86's user segment, arm64's EL1h */
	assert_string_equal(x86->reg.list[x86->reg.args[2]].name, "rdx");
	assert_int_equal(x86->reg.list[x86->reg.args[2]].dwarf, 1);
	assert_string_equal(x86->reg.list[x86->reg.syscall_args[3]].name, "r10");
	assert_string_equal(arm->reg.list[arm->reg.syscall].name, "x8");
	assert_string_equal(arm->reg.list[arm->reg.ra].name, "x30");
	assert_true(arm->reg.user_mode(regs));
	regs[33] = 0x60000005;
	assert_false(arm->reg.user_mode(regs));
	assert_int_equal(otst_arch_of_elf(EM_VAX)->reg.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),	cmocka_unit_test(test_whose),
		cmocka_unit_test(test_unknown), cmocka_unit_test(test_stored),
		cmocka_unit_test(test_pt_regs), cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
