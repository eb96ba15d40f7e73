// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_preempt.c - how a kernel preempts, in the words of a latency trace's header. Written
 * by hand after print_trace_header() of 5.10, 6.12 and 6.13, preempt_model_str() of 6.15,
 * and what Debian's 6.12 with PREEMPT_RT printed ("preempt_rt", while it was lazy).
 */
#include "mock.h"

#include <stdio.h>

#include "../../src/tracefile/print.h"

#define TYPES                                                                                  \
	"type new_utsname 390\n\trelease 130 char[65]\n\tversion 195 char[65]\n"               \
	"\tmachine 260 char[65]\n"                                                             \
	"type uts_namespace 416\n\tname 4 struct new_utsname\n"                                \
	"sym _stext 0xffffffff81000000\nsym init_uts_ns 0xffffffff82000000 416\n"              \
	"sym print_trace_header 0xffffffff81002000 0x400\n"                                    \
	"sym preempt_model_lazy 0xffffffff81003000 0x10\n"                                     \
	"sym mutex_lock 0xffffffff81004000 0x40\nsym __cond_resched 0xffffffff81005000 0x10\n" \
	"sym __start_rodata 0xffffffff81007000\nsym __end_rodata 0xffffffff81008000\n"         \
	"fill 0xffffffff81000000 0x8000 0x90\n"                                                \
	"obj uts_namespace init_uts_ns\n\tname.release = \"6\"\n\tname.machine = \"x86_64\"\n"

#define MODE	     "sym preempt_dynamic_mode 0xffffffff82001000 4\nu32 0xffffffff82001000: "
#define NEW	     "sym preempt_model_str 0xffffffff81006000 0x10\n"
#define ASKS_LAZY    "call 0xffffffff81002100 preempt_model_lazy\n"
#define LAZY	     "str 0xffffffff81007000 \"PREEMPT\"\nstr 0xffffffff81007008 \"LAZY%s\"\n"
#define IS_VOLUNTARY "call 0xffffffff81004005 __cond_resched\n"

/* a kernel of this version, and what else is in it */
static void expect(const char *version, const char *more, const char *want)
{
	char text[4096];
	struct mock *m;

	snprintf(text, sizeof(text), TYPES "\tname.version = \"%s\"\n%s", version, more);
	m = mock_open(text);
	assert_string_equal(otst_tf_preempt_model(m->o), want);
	mock_close(m);
}

static void test_configured(void **state)
{
	(void)state;
	expect("#1 SMP Debian", "", "server");
	expect("#1 SMP Debian", IS_VOLUNTARY, "desktop");
	expect("#1 SMP PREEMPT", "", "preempt");
	expect("#1 SMP PREEMPT_RT", "", "preempt_rt");
}

static void test_dynamic(void **state)
{
	(void)state;
	expect("#1 SMP PREEMPT_DYNAMIC", MODE "0\n", "server");
	expect("#1 SMP PREEMPT_DYNAMIC", MODE "1\n", "desktop");
	expect("#1 SMP PREEMPT_DYNAMIC", MODE "2\n", "preempt");
	expect("#1 SMP PREEMPT_DYNAMIC", MODE "3\n" ASKS_LAZY, "lazy");
	expect("#1 SMP PREEMPT_DYNAMIC", MODE "3\n", "unknown");
	expect("#1 SMP PREEMPT_RT", MODE "3\n" ASKS_LAZY, "lazy");
	expect("#1 SMP PREEMPT_RT", MODE "3\n", "preempt_rt");
	/* no mode at all */
	expect("#1 SMP PREEMPT_RT", MODE "4\n", "preempt_rt");
	/* the code of the header is not in the dump */
	expect("#1 SMP PREEMPT_RT", MODE "3\n" ASKS_LAZY "unmap 0xffffffff81002000 0x1000\n",
	       "preempt_rt");
}

static void test_string(void **state)
{
	(void)state;
	expect("#1 SMP Debian", NEW, "NONE");
	expect("#1 SMP Debian", NEW IS_VOLUNTARY, "VOLUNTARY");
	expect("#1 SMP PREEMPT", NEW, "PREEMPT");
	expect("#1 SMP PREEMPT", NEW LAZY, "PREEMPTLAZY");
	expect("#1 SMP PREEMPT_RT", NEW, "PREEMPT_RT");
	expect("#1 SMP PREEMPT_RT", NEW LAZY, "PREEMPT_{RT,LAZY}");
	expect("#1 SMP PREEMPT_DYNAMIC", NEW MODE "3\n", "PREEMPT(lazy)");
	expect("#1 SMP PREEMPT_RT", NEW MODE "2\n", "PREEMPT_{RT,(full)}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_configured),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
