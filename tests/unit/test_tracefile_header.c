// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_tracefile_header.c - the comment lines at the top of the trace file,
 * written by hand after print_func_help_header_irq() and its neighbours in the
 * kernel's kernel/trace/trace.c, of several generations.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

#include "../../src/tracefile/print.h"
#include "../../src/tracefs/tracefs.h"

static const char dump[] = "sym _stext 0xffffffff81000000 0x100\n";

static struct mock *start(struct otst_tf *tf)
{
	struct mock *m = mock_open(dump);

	*tf = (struct otst_tf){ .o = m->o, .nr_cpus = 2 };
	tf->opt.context_info = tf->opt.irq_info = true;
	assert_int_equal(otst_tf_kernel_read(m->o, &tf->kernel), 0);
	assert_int_equal(otst_tf_init(tf), 0);
	return m;
}

static void expect(struct otst_tf *tf, const struct otst_tf_header *h, const char *want)
{
	tf->t.at = tf->t.buf;
	otst_tf_header(tf, h);
	*tf->t.at = '\0';
	assert_string_equal(tf->t.buf, want);
}

static const struct otst_tf_header nop = { .tracer = "nop", .entries = 3, .written = 45 };

static void test_generations(void **state)
{
	struct otst_tf tf;
	struct mock *m = start(&tf);

	(void)state;
	tf.kernel.legend = OTST_LEGEND_MIGRATE;
	tf.kernel.flags.bh_off = 0x80;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#                                _-----=> irqs-off/BH-disabled\n"
	       "#                               / _----=> need-resched\n"
	       "#                              | / _---=> hardirq/softirq\n"
	       "#                              || / _--=> preempt-depth\n"
	       "#                              ||| / _-=> migrate-disable\n"
	       "#                              |||| /     delay\n"
	       "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
	       "#              | |         |   |||||     |         |\n");
	tf.kernel.legend = OTST_LEGEND_WIDE;
	tf.kernel.flags.bh_off = 0;
	tf.opt.record_tgid = true;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#                                          _-----=> irqs-off\n"
	       "#                                         / _----=> need-resched\n"
	       "#                                        | / _---=> hardirq/softirq\n"
	       "#                                        || / _--=> preempt-depth\n"
	       "#                                        ||| /     delay\n"
	       "#           TASK-PID       TGID    CPU#  ||||   TIMESTAMP  FUNCTION\n"
	       "#              | |           |       |   ||||      |         |\n");
	mock_close(m);
}

/* up to 4.12 */
static void test_old(void **state)
{
	struct otst_tf tf;
	struct mock *m = start(&tf);

	(void)state;
	tf.kernel.legend = OTST_LEGEND_OLD;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#                              _-----=> irqs-off\n"
	       "#                             / _----=> need-resched\n"
	       "#                            | / _---=> hardirq/softirq\n"
	       "#                            || / _--=> preempt-depth\n"
	       "#                            ||| /     delay\n"
	       "#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION\n"
	       "#              | |       |   ||||       |         |\n");
	tf.opt.irq_info = false;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#           TASK-PID   CPU#      TIMESTAMP  FUNCTION\n"
	       "#              | |       |          |         |\n");
	mock_close(m);
}

/* 4.18: print_func_help_header_irq() has tgid, and no print_event_info() */
static void test_tgid(void **state)
{
	struct otst_tf tf;
	struct mock *m = start(&tf);

	(void)state;
	tf.kernel.legend = OTST_LEGEND_TGID;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "#                              _-----=> irqs-off\n"
	       "#                             / _----=> need-resched\n"
	       "#                            | / _---=> hardirq/softirq\n"
	       "#                            || / _--=> preempt-depth\n"
	       "#                            ||| /     delay\n"
	       "#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION\n"
	       "#              | |       |   ||||       |         |\n");
	tf.opt.record_tgid = true;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "#                                      _-----=> irqs-off\n"
	       "#                                     / _----=> need-resched\n"
	       "#                                    | / _---=> hardirq/softirq\n"
	       "#                                    || / _--=> preempt-depth\n"
	       "#                                    ||| /     delay\n"
	       "#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n"
	       "#              | |        |      |   ||||       |         |\n");
	tf.opt.irq_info = false;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#           TASK-PID   TGID       CPU#   TIMESTAMP  FUNCTION\n"
	       "#              | |       |          |       |         |\n");
	tf.opt.record_tgid = false;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#           TASK-PID     CPU#   TIMESTAMP  FUNCTION\n"
	       "#              | |         |       |         |\n");
	mock_close(m);
}

/* 3.10 after a panic, which takes a cpu offline and leaves it active */
static void test_panicked(void **state)
{
	struct mock *m = mock_open("type cpumask 8\n"
				   "	bits 0 u64[1]\n"
				   "sym nr_cpu_ids 0xffffffff82000000 4\n"
				   "u32 nr_cpu_ids: 4\n"
				   "sym cpu_online_bits 0xffffffff82000010 8\n"
				   "u64 cpu_online_bits: 1\n"
				   "sym cpu_active_bits 0xffffffff82000020 8\n"
				   "u64 cpu_active_bits: 3\n");
	struct otst_tf tf;
	struct mock *started = start(&tf);

	(void)state;
	tf.o = m->o;
	tf.opt.irq_info = false;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:2\n"
	       "#\n"
	       "#           TASK-PID     CPU#     TIMESTAMP  FUNCTION\n"
	       "#              | |         |         |         |\n");
	mock_close(m);
	mock_close(started);
}

/* RHEL 9: two lines more */
static void test_lazy(void **state)
{
	struct otst_tf tf;
	struct mock *m = start(&tf);

	(void)state;
	tf.kernel.legend = OTST_LEGEND_LAZY;
	tf.kernel.flags.bh_off = 0x80;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#                                _-------=> irqs-off/BH-disabled\n"
	       "#                               / _------=> need-resched\n"
	       "#                              | / _-----=> need-resched-lazy\n"
	       "#                              || / _----=> hardirq/softirq\n"
	       "#                              ||| / _---=> preempt-depth\n"
	       "#                              |||| / _--=> preempt-lazy-depth\n"
	       "#                              ||||| / _-=> migrate-disable\n"
	       "#                              |||||| /     delay\n"
	       "#           TASK-PID     CPU#  |||||||  TIMESTAMP  FUNCTION\n"
	       "#              | |         |   |||||||      |         |\n");
	mock_close(m);
}

/* a kernel with these lines in its read-only data */
static void expect_kernel(const char *lines, enum otst_tf_legend legend, unsigned int pid_width)
{
	char text[1024];
	struct otst_tf_kernel k;
	struct mock *m;

	snprintf(text, sizeof(text),
		 "sym __start_rodata 0xffffffff81800000\n"
		 "sym __end_rodata 0xffffffff81801000\n"
		 "fill 0xffffffff81800000 0x1000 0\n%s",
		 lines);
	m = mock_open(text);
	assert_int_equal(otst_tf_kernel_read(m->o, &k), 0);
	assert_int_equal(k.legend, legend);
	assert_int_equal(k.pid_width, pid_width);
	mock_close(m);
}

#define OLD	"#                              _-----=> irqs-off\\n"
#define TGID	"#                          %s  _-----=> irqs-off\\n"
#define MIGRATE "#                            %.*s||| / _-=> migrate-disable\\n"
#define OSNOISE "#                              ||| / _-=> migrate-disable     "

static void test_words(void **state)
{
	(void)state;
	expect_kernel("str 0xffffffff81800010 \"" OLD "\"\n"
		      "str 0xffffffff81800100 \"%16s-%-5d [%03d] \"\n",
		      OTST_LEGEND_OLD, 5);
	expect_kernel("str 0xffffffff81800010 \"" TGID "\"\n"
		      "str 0xffffffff81800100 \"%16s-%-5d \"\n",
		      OTST_LEGEND_TGID, 5);
	/* 4.18.0-553 has the osnoise tracer of later kernels: its own legend is not the default one */
	expect_kernel("str 0xffffffff81800010 \"" TGID "\"\n"
		      "str 0xffffffff81800100 \"%16s-%-5d \"\n"
		      "str 0xffffffff81800200 \"" OSNOISE "\"\n",
		      OTST_LEGEND_TGID, 5);
	expect_kernel("str 0xffffffff81800100 \"%16s-%-7d \"\n", OTST_LEGEND_WIDE, 7);
	expect_kernel("str 0xffffffff81800200 \"" MIGRATE "\"\n", OTST_LEGEND_MIGRATE, 7);
	/* read-only data that the dump lacks: no kernel is taken for old */
	expect_kernel("unmap 0xffffffff81800000 0x1000\n", OTST_LEGEND_WIDE, 7);
}

/* task_state_char() of 3.10: a mask's lowest bit; later kernels: an index */
static void test_state_chars(void **state)
{
	struct mock *m = mock_open("sym __start_rodata 0xffffffff81800000\n"
				   "sym __end_rodata 0xffffffff81801000\n"
				   "fill 0xffffffff81800000 0x1000 0\n"
				   "str 0xffffffff81800100 \"RSDTtZXxKWP\"\n");
	struct otst_tf tf = { .o = m->o };

	(void)state;
	assert_int_equal(otst_tf_kernel_read(m->o, &tf.kernel), 0);
	assert_int_equal(otst_tf_state(&tf, 0), 'R');
	assert_int_equal(otst_tf_state(&tf, 1), 'S');
	assert_int_equal(otst_tf_state(&tf, 4), 'T');
	assert_int_equal(otst_tf_state(&tf, 16), 'Z');
	assert_int_equal(otst_tf_state(&tf, 0x8000), '?');
	mock_close(m);
	m = mock_open(dump);
	tf = (struct otst_tf){ .o = m->o };
	assert_int_equal(otst_tf_kernel_read(m->o, &tf.kernel), 0);
	assert_int_equal(otst_tf_state(&tf, 3), 'T');
	assert_int_equal(otst_tf_state(&tf, 9), '?');
	mock_close(m);
}

/* 3.10 prints nothing where no function is in set_ftrace_notrace */
static void test_nothing_disabled(void **state)
{
	static const char rodata[] = "sym __start_rodata 0xffffffff81800000\n"
				     "sym __end_rodata 0xffffffff81801000\n"
				     "fill 0xffffffff81800000 0x1000 0\n";
	static const char later[] =
		"sym __start_rodata 0xffffffff81800000\n"
		"sym __end_rodata 0xffffffff81801000\n"
		"fill 0xffffffff81800000 0x1000 0\n"
		"str 0xffffffff81800100 \"#### no functions disabled ####\\n\"\n";
	struct mock *m = mock_open(rodata);

	(void)state;
	assert_false(otst_kernel_says(m->o, OTST_SAYS_NO_FUNCS_OFF));
	mock_close(m);
	m = mock_open(later);
	assert_true(otst_kernel_says(m->o, OTST_SAYS_NO_FUNCS_OFF));
	mock_close(m);
	/* unknown: as current kernels */
	m = mock_open(dump);
	assert_true(otst_kernel_says(m->o, OTST_SAYS_NO_FUNCS_OFF));
	mock_close(m);
}

static void test_options(void **state)
{
	struct otst_tf tf;
	struct mock *m = start(&tf);

	(void)state;
	tf.opt.irq_info = false;
	expect(&tf, &nop,
	       "# tracer: nop\n"
	       "#\n"
	       "# entries-in-buffer/entries-written: 3/45   #P:0\n"
	       "#\n"
	       "#           TASK-PID     CPU#     TIMESTAMP  FUNCTION\n"
	       "#              | |         |         |         |\n");
	tf.opt.verbose = true;
	expect(&tf, &nop, "# tracer: nop\n#\n");
	tf.opt.verbose = tf.opt.context_info = false;
	expect(&tf, &nop, "# tracer: nop\n#\n");
	mock_close(m);
}

static void test_graph(void **state)
{
	const struct otst_tf_header graph = { .tracer = "function_graph" };
	struct otst_tf tf;
	struct mock *m = start(&tf);

	(void)state;
	tf.tracer = OTST_TF_GRAPH;
	tf.graph_flags = OTST_GRAPH_CPU | OTST_GRAPH_DURATION;
	expect(&tf, &graph,
	       "# tracer: function_graph\n"
	       "#\n"
	       "# CPU  DURATION                  FUNCTION CALLS\n"
	       "# |     |   |                     |   |   |   |\n");
	tf.graph_flags |= OTST_GRAPH_ABS_TIME | OTST_GRAPH_PROC;
	expect(&tf, &graph,
	       "# tracer: function_graph\n"
	       "#\n"
	       "#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
	       "#      |          |     |    |           |   |                     |   |   |   |\n");
	mock_close(m);
}

static void test_snapshot(void **state)
{
	struct otst_tf_header h = { .tracer = "nop", .snapshot = true, .empty = true };
	struct otst_tf tf;
	struct mock *m = start(&tf), *old;

	(void)state;
	expect(&tf, &h,
	       "# tracer: nop\n"
	       "#\n"
	       "#\n"
	       "# * Snapshot is freed *\n"
	       "#\n"
	       "# Snapshot commands:\n"
	       "# echo 0 > snapshot : Clears and frees snapshot buffer\n"
	       "# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
	       "#                      Takes a snapshot of the main buffer.\n"
	       "# echo 2 > snapshot : Clears snapshot buffer (but does not allocate or free)\n"
	       "#                      (Doesn't have to be '2' works with any number that\n"
	       "#                       is not a '0' or '1')\n");

	/* 3.10 says less at the end */
	old = mock_open("sym __start_rodata 0xffffffff81800000\n"
			"sym __end_rodata 0xffffffff81801000\n"
			"fill 0xffffffff81800000 0x1000 0\n");
	tf.o = old->o;
	expect(&tf, &h,
	       "# tracer: nop\n"
	       "#\n"
	       "#\n"
	       "# * Snapshot is freed *\n"
	       "#\n"
	       "# Snapshot commands:\n"
	       "# echo 0 > snapshot : Clears and frees snapshot buffer\n"
	       "# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
	       "#                      Takes a snapshot of the main buffer.\n"
	       "# echo 2 > snapshot : Clears snapshot buffer (but does not allocate)\n"
	       "#                      (Doesn't have to be '2' works with any number that\n"
	       "#                       is not a '0' or '1')\n");
	tf.o = m->o;
	mock_close(old);
	h.allocated = h.single_cpu = true;
	expect(&tf, &h,
	       "# tracer: nop\n"
	       "#\n"
	       "#\n"
	       "# * Snapshot is allocated *\n"
	       "#\n"
	       "# Snapshot commands:\n"
	       "# echo 0 > snapshot : Invalid for per_cpu snapshot file.\n"
	       "# echo 1 > snapshot : Not supported with this kernel.\n"
	       "#                     Must use main snapshot file to allocate.\n"
	       "# echo 2 > snapshot : Clears this cpu's snapshot buffer (but does not allocate)\n"
	       "#                      (Doesn't have to be '2' works with any number that\n"
	       "#                       is not a '0' or '1')\n");
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generations), cmocka_unit_test(test_panicked),
		cmocka_unit_test(test_state_chars), cmocka_unit_test(test_old),
		cmocka_unit_test(test_tgid),	    cmocka_unit_test(test_lazy),
		cmocka_unit_test(test_words),	    cmocka_unit_test(test_nothing_disabled),
		cmocka_unit_test(test_options),	    cmocka_unit_test(test_graph),
		cmocka_unit_test(test_snapshot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
