// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_log.c - lines of the kernel log: prefixes, frames, headers; then the
 * order and the filters of traces.
 */
#include "mock.h"

#include <stdlib.h>
#include <string.h>

#include "../../src/traces/log/log.h"

#define SECOND UINT64_C(1000000000)

/* ---- frames ---- */

struct expected {
	const char *line;
	size_t count;
	const char *text; /* of the first item */
	uint64_t addr;
	bool guess;
};

static const struct expected lines[] = {
	{ " dump_stack+0x19/0x1b", 1, "dump_stack+0x19/0x1b", 0, false },
	{ " ? do_fork+0x5/0x2c0 [mod]", 1, "do_fork+0x5/0x2c0 [mod]", 0, true },
	{ "\t[<ffffffff81686e13>] a.isra.0+0x1/0x2", 1, "a.isra.0+0x1/0x2", 0xffffffff81686e13,
	  false },
	{ " [<c0405018>] ? a+0x1/0x2", 1, "a+0x1/0x2", 0xc0405018, true },
	{ "[] do_int3+0x39/0x6a", 1, "do_int3+0x39/0x6a", 0, false },
	{ " [<ffffffffa0100000>] 0xffffffffa00fffff", 1, "0xffffffffa00fffff", 0xffffffffa0100000,
	  false },
	{ " 0xffffffffc04030da", 1, "0xffffffffc04030da", 0xffffffffc04030da, false },
	{ " <IRQ> ", 1, "<IRQ>", 0, false },
	{ " </TASK>", 1, "</TASK>", 0, false },
	{ " <<EOE>>  <IRQ>  [<ffffffff814c0352>] ? netif_rx_ni+0x12/0x30", 3, "<<EOE>>", 0, false },
	{ " <#DB>", 1, "<#DB>", 0, false },
	{ " [<ffffffff8002a1b2>] :ext3:readpages+0x0/0x15", 1, "readpages+0x0/0x15",
	  0xffffffff8002a1b2, false },
	{ " el0_svc+0x34/0xe0 (F)", 1, "el0_svc+0x34/0xe0", 0, false },
	{ " a+0x1/0x2 (unreliable)", 1, "a+0x1/0x2", 0, true },
	{ " a+0x1/0x2 [m 0123456789abcdef]", 1, "a+0x1/0x2 [m 0123456789abcdef]", 0, false },
	{ "([<000003ff7fd0a0e0>] a+0x1/0x2 [m])", 1, "a+0x1/0x2 [m]", 0x3ff7fd0a0e0, true },
	/* what only looks like one */
	{ "([<000003ff7fd0a0e0>] a+0x1/0x2", 0, NULL, 0, false },
	{ "", 0, NULL, 0, false },
	{ "calling  init+0x0/0x10 @ 1", 0, NULL, 0, false },
	{ "#0: ffff88 (lock){+.+.}, at: a+0x1/0x2", 0, NULL, 0, false },
	{ " a+0x1", 0, NULL, 0, false },
	{ " 0xff", 0, NULL, 0, false },
	{ " 0x11112222333344445", 0, NULL, 0, false },
	{ " 12ab+0x1/0x2", 0, NULL, 0, false },
	{ " a+0x1/0x2 and more", 0, NULL, 0, false },
	{ "<4>", 0, NULL, 0, false },
	{ "<irq>", 0, NULL, 0, false },
	{ "[<ffffffff81686e13>", 0, NULL, 0, false },
	{ "<ffffffff8010e5cd>{a+", 0, NULL, 0, false },
	{ " ?", 0, NULL, 0, false },
	{ "+0x1/0x2", 0, NULL, 0, false },
	{ " :m:", 0, NULL, 0, false },
};

static void test_items(void **state)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const struct expected *e = &lines[i];

		n = otst_log_items(e->line, items);
		if (n != e->count)
			fail_msg("\"%s\": %zu items", e->line, n);
		if (!n)
			continue;
		assert_int_equal(items[0].len, strlen(e->text));
		assert_memory_equal(items[0].text, e->text, items[0].len);
		assert_int_equal(items[0].addr, e->addr);
		assert_int_equal(!items[0].reliable, e->guess);
	}
}

static void test_many_items(void **state)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	char line[OTST_LOG_LINE] = "";
	int i;

	(void)state;
	for (i = 0; i < 40; i++)
		strcat(line, " [<c0405018>] a+0x1/0x2");
	assert_int_equal(otst_log_items(line, items), OTST_LOG_ITEMS);
}

static void test_ip(void **state)
{
	struct otst_log_item i;

	(void)state;
	assert_true(otst_log_ip("RIP: 0010:vfs_read+0x10/0x300", &i));
	assert_int_equal(i.cs, 0x10);
	assert_memory_equal(i.text, "vfs_read+0x10/0x300", i.len);
	assert_true(otst_log_ip("RIP: 0033:0x47cbb7", &i));
	assert_int_equal(i.cs, 0x33);
	assert_int_equal(i.addr, 0x47cbb7);
	assert_true(
		otst_log_ip("RIP: 0010:[<ffffffff8006b2b0>]  [<ffffffff8006b2b0>] a+0x1/0x2", &i));
	assert_int_equal(i.addr, 0xffffffff8006b2b0);
	assert_memory_equal(i.text, "a+0x1/0x2", i.len);
	assert_true(otst_log_ip("EIP is at show_state+0x18/0x30", &i));
	assert_true(otst_log_ip("pc : crash_me+0x20/0x48 [lab]", &i));
	assert_true(
		otst_log_ip("Krnl PSW : 0704c00180000000 000003ff7fd0a0e4 (a+0x2c/0x40 [b])", &i));
	assert_int_equal(i.addr, 0x3ff7fd0a0e4);
	assert_memory_equal(i.text, "a+0x2c/0x40 [b]", i.len);
	assert_false(otst_log_ip("Krnl PSW : 0704c00180000000 3ff7fd0a0e4", &i));
	assert_false(otst_log_ip("RIP: ", &i));
	assert_false(otst_log_ip("RIP: 0010:", &i));
	assert_false(otst_log_ip("RIPE", &i));
}

/* ---- prefixes ---- */

static struct otst_log_line strip(const char *text)
{
	struct otst_log_line l = { .text = text };

	assert_true(otst_log_strip(&l));
	return l;
}

static void test_strip(void **state)
{
	struct otst_log_line l;

	(void)state;
	l = strip("plain text");
	assert_string_equal(l.text, "plain text");
	assert_int_equal(l.clock, OTST_CLOCK_NONE);
	l = strip("<4>[  121.770022]  <IRQ>");
	assert_string_equal(l.text, " <IRQ>");
	assert_int_equal(l.clock, OTST_CLOCK_LOCAL);
	assert_int_equal(l.time, 121 * SECOND + 770022000);
	assert_int_equal(l.caller, OTST_LOG_NO_CALLER);
	l = strip("[    1.000001][  T123] x");
	assert_string_equal(l.text, "x");
	assert_int_equal(l.caller, 123);
	l = strip("[    1.000001][    C3]  x");
	assert_string_equal(l.text, " x");
	assert_int_equal(l.caller, OTST_LOG_CPU | 3);
	l = strip("Apr  9 20:47:42 host kernel:  [<c0>] x");
	assert_string_equal(l.text, " [<c0>] x");
	assert_int_equal(l.clock, OTST_CLOCK_SYSLOG);
	assert_int_equal(l.time, ((31 + 29 + 31 + 8) * 86400 + 20 * 3600 + 47 * 60 + 42) * SECOND);
	assert_int_equal(l.stamp_len, strlen("Apr  9 20:47:42"));
	l = strip("2021-01-02T00:00:01.5+02:00 host kernel: [    7.0] x");
	assert_string_equal(l.text, "x");
	assert_int_equal(l.clock, OTST_CLOCK_LOCAL);
	assert_int_equal(l.time, 7 * SECOND);
	assert_int_equal(l.stamp_len, strlen("2021-01-02T00:00:01.5+02:00"));
	l = strip("[Mon Jan  4 00:00:02 2021] x");
	assert_string_equal(l.text, "x");
	assert_int_equal(l.time, (3 * 86400 + 2) * SECOND);
	l = strip("[<ffffffff81686e13>] a+0x1/0x2");
	assert_int_equal(*l.text, '[');
	l = strip("[     ");
	assert_int_equal(l.clock, OTST_CLOCK_NONE);
	l = (struct otst_log_line){ .text = "Apr 19 20:47:42 host sshd[1]: kernel: no" };
	assert_false(otst_log_strip(&l));
	l = (struct otst_log_line){ .text = "Apr 19 20:47:42 host last message repeated 3 times" };
	assert_false(otst_log_strip(&l));
	assert_int_equal(otst_log_repeated(l.text), 3);
}

/* ---- headers ---- */

static struct otst_log_facts facts(const char *text, enum otst_log_kind want)
{
	struct otst_log_facts f;
	const char *rest;
	enum otst_log_kind kind = otst_log_kind(text, &f, &rest);

	if (kind != want)
		fail_msg("\"%s\" is of kind %d", text, kind);
	return f;
}

static void is_comm(const struct otst_log_facts *f, const char *comm)
{
	assert_non_null(f->comm);
	assert_int_equal(f->comm_len, strlen(comm));
	assert_memory_equal(f->comm, comm, f->comm_len);
}

static void test_kinds(void **state)
{
	struct otst_log_facts f;

	(void)state;
	f = facts("CPU: 1 UID: 0 PID: 122 Comm: my sh Tainted: G   OE  7.2.13", OTST_LOG_HEAD);
	assert_int_equal(f.cpu, 1);
	assert_int_equal(f.pid, 122);
	is_comm(&f, "my sh");
	f = facts("CPU: 0 PID: 5 Comm: sh at 7.007258", OTST_LOG_HEAD);
	is_comm(&f, "sh");
	assert_true(f.has_time);
	assert_int_equal(f.time, 7 * SECOND + 7258000);
	f = facts("Pid: 0, comm: kworker/0:1 Not tainted 3.0.0-rc1+ #3", OTST_LOG_HEAD);
	assert_int_equal(f.cpu, -1);
	is_comm(&f, "kworker/0:1");
	f = facts("task:kworker/0:1     state:D stack:    0 pid:   12 ppid:     2 flags:0x00004000",
		  OTST_LOG_HEAD);
	assert_int_equal(f.pid, 12);
	is_comm(&f, "kworker/0:1");
	f = facts("bash            S ffff88003fc14580     0  1234      1 0x00000080",
		  OTST_LOG_HEAD);
	assert_int_equal(f.pid, 1234);
	is_comm(&f, "bash");
	f = facts("WARNING: kernel/x.c:7 at f+0x1/0x2, CPU#3: sh/99", OTST_LOG_HEADLINE);
	assert_int_equal(f.cpu, 3);
	assert_int_equal(f.pid, 99);
	is_comm(&f, "sh");
	f = facts("watchdog: BUG: soft lockup - CPU#2 stuck for 22s! [a:b:77]", OTST_LOG_HEADLINE);
	assert_int_equal(f.cpu, 2);
	assert_int_equal(f.pid, 77);
	is_comm(&f, "a:b");
	f = facts("allie: allie_pre_handler: do_fork at 0xffffffff81084de0", OTST_LOG_NEW);
	assert_string_equal(f.handler, "allie");
	assert_int_equal(f.probe_len, strlen("do_fork"));
	assert_int_equal(f.probe_addr, 0xffffffff81084de0);
	facts("ffff8801cfe17e00 ffffffffa0797080", OTST_LOG_EMPTY);
	facts("RSP: 0018:ffffc90000000000 EFLAGS: 00010246", OTST_LOG_EMPTY);
	facts("Call Trace:", OTST_LOG_START);
	facts("---[ end trace 0000000000000000 ]---", OTST_LOG_END);
	facts("otst: symbol netif_rx registered!", OTST_LOG_OTHER);
	facts("CPU: Intel something", OTST_LOG_OTHER);
	/* of a detector that starts, and of one that found something */
	facts("NMI watchdog: disabled (cpu0): hardware events not enabled", OTST_LOG_OTHER);
	facts("NMI watchdog: enabled on all CPUs, permanently consumes one hw-PMU counter.",
	      OTST_LOG_OTHER);
	facts("watchdog: Disabling watchdog on nohz_full cores by default", OTST_LOG_OTHER);
	facts("rcu: RCU calculated value of scheduler-enlistment delay is 100 jiffies.",
	      OTST_LOG_OTHER);
	facts("rcu: Hierarchical RCU implementation.", OTST_LOG_OTHER);
	facts("NMI watchdog: Watchdog detected hard LOCKUP on cpu 1", OTST_LOG_HEADLINE);
	facts("NMI watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [a:7]", OTST_LOG_HEADLINE);
	facts("rcu: INFO: rcu_sched self-detected stall on CPU", OTST_LOG_HEADLINE);
	facts("rcu: rcu_sched kthread starved for 2100 jiffies! g17 f0x0", OTST_LOG_HEADLINE);
	facts("rcu: RCU grace-period kthread stack dump:", OTST_LOG_HEADLINE);
}

/* ---- names ---- */

static void test_sym_text(void **state)
{
	struct otst_sym_text t;

	(void)state;
	assert_true(otst_sym_text_parse("a.b+0x10/0x20 [mod 0123]", &t));
	assert_int_equal(t.name_len, 3);
	assert_int_equal(t.offset, 0x10);
	assert_int_equal(t.size, 0x20);
	assert_int_equal(t.module_len, 3);
	assert_memory_equal(t.module, "mod", 3);
	assert_true(otst_sym_text_parse("a+0x1", &t));
	assert_int_equal(t.size, 0);
	assert_null(t.module);
	assert_false(otst_sym_text_parse("0xffffffff81000000", &t));
	assert_false(otst_sym_text_parse("+0x1/0x2", &t));
}

/* ---- traces of a log ---- */

static void feed(struct otst_log_parser *p, uint64_t seq, uint64_t time, uint32_t caller,
		 const char *text)
{
	struct otst_log_line l = {
		.text = text, .clock = OTST_CLOCK_LOCAL, .time = time, .caller = caller, .seq = seq
	};

	assert_int_equal(otst_log_feed(p, &l), 0);
}

/* more callers than are followed at once: the oldest ends, none is lost */
static void test_callers(void **state)
{
	struct mock *m = mock_open("sym _stext 0xffffffff81000000\n");
	struct otst_traces traces = { .o = m->o };
	struct otst_log_parser *p = otst_log_parser(m->o, &traces);
	uint32_t i;

	(void)state;
	for (i = 1; i <= 200; i++) {
		feed(p, i, i, i, "Call Trace:");
		feed(p, i, i, i, " a+0x1/0x2");
	}
	assert_int_equal(otst_log_finish(p), 0);
	assert_int_equal(traces.items.count, 200);
	for (i = 0; i < 200; i++)
		assert_int_equal(otst_trace_at(&traces, i)->nr_lines, 1);
	mock_close(m);
}

/* no trace grows without end */
static void test_endless(void **state)
{
	struct mock *m = mock_open("sym _stext 0xffffffff81000000\n");
	struct otst_traces traces = { .o = m->o };
	struct otst_log_parser *p = otst_log_parser(m->o, &traces);
	uint32_t i;

	(void)state;
	feed(p, 1, 1, 7, "Call Trace:");
	for (i = 0; i < 100000; i++)
		feed(p, 1, 1, 7, " a+0x1/0x2");
	assert_int_equal(otst_log_finish(p), 0);
	assert_int_equal(traces.items.count, 1);
	assert_true(otst_trace_at(&traces, 0)->truncated);
	assert_true(otst_trace_at(&traces, 0)->nr_lines < 2000);
	mock_close(m);
}

/* frames long after the trace belong to another, and so does a header */
static void test_times(void **state)
{
	struct mock *m = mock_open("sym _stext 0xffffffff81000000\n");
	struct otst_traces traces = { .o = m->o };
	struct otst_log_parser *p = otst_log_parser(m->o, &traces);

	(void)state;
	feed(p, 1, 1 * SECOND, 7, "BUG: this printed no trace");
	feed(p, 2, 60 * SECOND, 7, "Call Trace:");
	feed(p, 3, 60 * SECOND, 7, " a+0x1/0x2");
	feed(p, 4, 90 * SECOND, 7, " b+0x1/0x2");
	assert_int_equal(otst_log_finish(p), 0);
	assert_int_equal(traces.items.count, 2);
	assert_null(otst_trace_at(&traces, 0)->headline);
	assert_int_equal(otst_trace_at(&traces, 0)->time, 60 * SECOND);
	assert_int_equal(otst_trace_at(&traces, 0)->pid, 7);
	assert_string_equal(otst_trace_at(&traces, 1)->lines[0].text, "b+0x1/0x2");
	mock_close(m);
}

/* ---- whose trace it is ---- */

/* "? " before a guess; the probe that these frames belong to, and its handler */
static void expect_probe(const char *const *frames, const char *probe, const char *handler)
{
	struct otst_trace_line list[12] = { { 0 } };
	struct otst_trace t = { .lines = list };
	struct mock *m = mock_open("");

	for (; *frames; frames++) {
		bool guess = !strncmp(*frames, "? ", 2);

		list[t.nr_lines++] = (struct otst_trace_line){
			.kind = OTST_LINE_FRAME,
			.text = *frames + (guess ? 2 : 0),
			.reliable = !guess,
			.role = (uint8_t)otst_log_role(*frames + (guess ? 2 : 0)),
		};
	}
	otst_log_probe(m->o, &t);
	if (probe)
		assert_string_equal(t.probe, probe);
	else
		assert_null(t.probe);
	if (handler)
		assert_string_equal(t.handler, handler);
	else
		assert_null(t.handler);
	mock_close(m);
}

static void test_probe(void **state)
{
	/* 3.10: putname() was called before, and its address is still on the stack */
	static const char *const stale[] = {
		"dump_stack+0x19/0x1b",
		"allie_pre_handler+0x20/0x24 [allie]",
		"kprobe_ftrace_handler+0xb8/0x120",
		"ftrace_ops_list_func+0xd6/0x160",
		"ftrace_regs_call+0x5/0x77",
		"? putname+0x48/0x60",
		"? vfs_mkdir+0x1/0x120",
		"? SyS_mkdirat+0xca/0x100",
		"system_call_fastpath+0x16/0x1b",
		NULL,
	};
	/* 4.18: and the probed function is not a guess */
	static const char *const later[] = {
		"allie_pre_handler+0x20/0x24 [allie]",
		"kprobe_ftrace_handler+0xb8/0x120",
		"ftrace_ops_assist_func+0x6b/0x110",
		"? seq_read+0xe5/0x400",
		"cmdline_proc_show+0x1/0x30",
		"seq_read+0xe5/0x400",
		NULL,
	};
	/* a kretprobe's: kprobes are behind the system call, as a guess */
	static const char *const returned[] = {
		"dump_stack_lvl+0x34/0x48",	"lab_ret+0x10/0x20 [lab]",
		"do_syscall_64+0x5c/0xf0",	"? kprobe_ftrace_handler+0xb8/0x120",
		"? srso_return_thunk+0x5/0x5f", NULL,
	};
	static const char *const thunk[] = {
		"lab_pre+0x10/0x20 [lab]",
		"kprobe_ftrace_handler+0xb8/0x120",
		"? srso_return_thunk+0x5/0x5f",
		"vfs_read+0x31/0x300",
		NULL,
	};

	(void)state;
	expect_probe(stale, "vfs_mkdir", "allie");
	expect_probe(later, "cmdline_proc_show", "allie");
	expect_probe(returned, NULL, NULL);
	expect_probe(thunk, "vfs_read", "lab_pre");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_items),	cmocka_unit_test(test_many_items),
		cmocka_unit_test(test_ip),	cmocka_unit_test(test_strip),
		cmocka_unit_test(test_kinds),	cmocka_unit_test(test_sym_text),
		cmocka_unit_test(test_callers), cmocka_unit_test(test_endless),
		cmocka_unit_test(test_times),	cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
