// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_tracefile_header.c - the comment lines at the top of the trace file,
 * written by hand after print_func_help_header_irq() and its neighbours in the
 * kernel's kernel/trace/trace.c, of several generations.
 */
#include "mock.h"

#include <string.h>

#include "../../src/tracefs/print.h"

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
	tf.kernel.pid_width = 7;
	tf.kernel.bh_off = tf.kernel.migrate = true;
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
	tf.kernel.bh_off = tf.kernel.migrate = false;
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
	struct mock *m = start(&tf);

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
		cmocka_unit_test(test_generations),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_snapshot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
