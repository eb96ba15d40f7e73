// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_tracefile.c - lines of the trace file, from records that are written
 * here and texts that are written by hand after the formats in the kernel's
 * kernel/trace/trace_output.c and trace_functions_graph.c.
 */
#include "mock.h"

#include <stdlib.h>
#include <string.h>

#include "../../src/tracefile/print.h"

#define FOO 0xffffffff81000100
#define BAR 0xffffffff81000200
#define IRQ 0xffffffff81000410
#define MOD 0xffffffffc0001000

static const char dump[] = "sym _stext 0xffffffff81000000 0x100\n"
			   "sym foo 0xffffffff81000100 0x100\n"
			   "sym bar 0xffffffff81000200 0x100\n"
			   "sym arch_rethook_trampoline 0xffffffff81000300 0x100\n"
			   "sym __irqentry_text_start 0xffffffff81000400\n"
			   "sym an_irq 0xffffffff81000410 0xf0\n"
			   "sym __irqentry_text_end 0xffffffff81000500\n"
			   "sym in_module 0xffffffffc0001000 0x40 mod\n"
			   "str 0xffffffff81002000 \"put as it is\\n\"\n"
			   "type ftrace_entry 24\n"
			   "	ip 8 u64\n"
			   "	parent_ip 16 u64\n"
			   "	args 24 u64[]\n"
			   "type ftrace_graph_ent 16\n"
			   "	func 0 u64\n"
			   "	depth 8 u64\n"
			   "type ftrace_graph_ent_entry 24\n"
			   "	graph_ent 8 struct ftrace_graph_ent\n"
			   "	args 24 u64[]\n"
			   "type ftrace_graph_ret 24\n"
			   "	func 0 u64\n"
			   "	retval 8 u64\n"
			   "	depth 16 s32\n"
			   "	overrun 20 u32\n"
			   "type ftrace_graph_ret_entry 48\n"
			   "	ret 8 struct ftrace_graph_ret\n"
			   "	calltime 32 u64\n"
			   "	rettime 40 u64\n"
			   "type ctx_switch_entry 24\n"
			   "	prev_pid 8 u32\n"
			   "	next_pid 12 u32\n"
			   "	next_cpu 16 u32\n"
			   "	prev_prio 20 u8\n"
			   "	prev_state 21 u8\n"
			   "	next_prio 22 u8\n"
			   "	next_state 23 u8\n"
			   "type stack_entry 16\n"
			   "	size 8 s32\n"
			   "	caller 16 u64[]\n"
			   "type userstack_entry 80\n"
			   "	tgid 8 u32\n"
			   "	caller 16 u64[8]\n"
			   "type print_entry 16\n"
			   "	ip 8 u64\n"
			   "	buf 16 char[]\n"
			   "type bputs_entry 24\n"
			   "	ip 8 u64\n"
			   "	str 16 ptr char\n"
			   "type raw_data_entry 12\n"
			   "	id 8 u32\n"
			   "	buf 12 char[]\n"
			   "type timespec64 16\n"
			   "	tv_sec 0 s64\n"
			   "	tv_nsec 8 s64\n"
			   "type hwlat_entry 64\n"
			   "	duration 8 u64\n"
			   "	outer_duration 16 u64\n"
			   "	nmi_total_ts 24 u64\n"
			   "	timestamp 32 struct timespec64\n"
			   "	nmi_count 48 u32\n"
			   "	seqnum 52 u32\n"
			   "	count 56 u32\n"
			   "type func_repeats_entry 32\n"
			   "	ip 8 u64\n"
			   "	parent_ip 16 u64\n"
			   "	count 24 u16\n"
			   "	top_delta_ts 26 u16\n"
			   "	bottom_delta_ts 28 u32\n"
			   "type osnoise_entry 56\n"
			   "	noise 8 u64\n"
			   "	runtime 16 u64\n"
			   "	max_sample 24 u64\n"
			   "	hw_count 32 u32\n"
			   "	nmi_count 36 u32\n"
			   "	irq_count 40 u32\n"
			   "	softirq_count 44 u32\n"
			   "	thread_count 48 u32\n"
			   "type timerlat_entry 24\n"
			   "	seqnum 8 u32\n"
			   "	context 12 s32\n"
			   "	timer_latency 16 u64\n"
			   "type mmiotrace_rw 32\n"
			   "	phys 0 u64\n"
			   "	value 8 u64\n"
			   "	pc 16 u64\n"
			   "	map_id 24 s32\n"
			   "	opcode 28 u8\n"
			   "	width 29 u8\n"
			   "type trace_mmiotrace_rw 40\n"
			   "	rw 8 struct mmiotrace_rw\n"
			   "enum TRACE_FN 1\n"
			   "enum TRACE_GRAPH_RETADDR_ENT 12\n"
			   "enum TRACE_USER_STACK 13\n"
			   "enum TRACE_BLK 14\n"
			   "enum TRACE_BPUTS 15\n"
			   "enum TRACE_HWLAT 16\n"
			   "enum TRACE_OSNOISE 17\n"
			   "enum TRACE_TIMERLAT 18\n"
			   "enum TRACE_RAW_DATA 19\n"
			   "enum TRACE_FUNC_REPEATS 20\n"
			   "enum __TRACE_LAST_TYPE 21\n"
			   "enum TRACE_FLAG_NEED_RESCHED_LAZY 2\n"
			   "enum TRACE_FLAG_PREEMPT_RESCHED 32\n"
			   "enum TRACE_FLAG_BH_OFF 128\n";

/* numbers of enum trace_type in that kernel */
enum {
	FN = 1,
	CTX = 2,
	WAKE = 3,
	STACK = 4,
	PRINT = 5,
	MMIO_RW = 7,
	GRAPH_RET = 10,
	GRAPH_ENT = 11,
	USER_STACK = 13,
	BPUTS = 15,
	HWLAT = 16,
	OSNOISE = 17,
	TIMERLAT = 18,
	RAW_DATA = 19,
	REPEATS = 20,
};

/**
 * struct file - a trace file being printed
 * @next: what peek() returns, by cpu; nothing when @next.data is NULL
 */
struct file {
	struct mock *m;
	struct otst_tf tf;
	struct otst_record next[2];
	uint8_t bytes[8][512];
	unsigned int used;
};

static int peek(void *priv, unsigned int cpu, struct otst_record *ret)
{
	struct file *f = priv;

	if (!f->next[cpu].data)
		return 0;
	*ret = f->next[cpu];
	return 1;
}

static struct file *open_file(void)
{
	struct file *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->m = mock_open(dump);
	f->tf.o = f->m->o;
	f->tf.nr_cpus = 2;
	f->tf.in_ns = true;
	f->tf.opt = (struct otst_tf_options){
		.print_parent = true,
		.printk = true,
		.context_info = true,
		.irq_info = true,
		.annotate = true,
	};
	f->tf.peek = peek;
	f->tf.peek_priv = f;
	assert_int_equal(otst_tf_kernel_read(f->m->o, &f->tf.kernel), 0);
	assert_int_equal(otst_tf_init(&f->tf), 0);
	return f;
}

static void close_file(struct file *f)
{
	mock_close(f->m);
	free(f);
}

/* an entry of @size bytes with these flags; its members are added afterwards */
static struct otst_record make(struct file *f, unsigned int type, int pid, uint64_t time,
			       uint32_t size)
{
	uint8_t *data = f->bytes[f->used++ % 8];

	memset(data, 0, sizeof(f->bytes[0]));
	mock_put(data, type, 2);
	mock_put(data + 4, (uint32_t)pid, 4);
	return (struct otst_record){
		.time = time, .data = data, .size = size, .pid = pid, .type = (uint16_t)type
	};
}

static void put(const struct otst_record *r, size_t at, uint64_t v, size_t size)
{
	mock_put((uint8_t *)(uintptr_t)r->data + at, v, size);
}

static struct otst_record make_fn(struct file *f, int pid, uint64_t time, uint64_t ip,
				  uint64_t parent)
{
	struct otst_record r = make(f, FN, pid, time, 24);

	put(&r, 8, ip, 8);
	put(&r, 16, parent, 8);
	return r;
}

static struct otst_record make_call(struct file *f, int pid, uint64_t func, uint64_t depth)
{
	struct otst_record r = make(f, GRAPH_ENT, pid, 0, 24);

	put(&r, 8, func, 8);
	put(&r, 16, depth, 8);
	return r;
}

static struct otst_record make_return(struct file *f, int pid, uint64_t func, uint32_t depth,
				      uint64_t ns)
{
	struct otst_record r = make(f, GRAPH_RET, pid, 0, 48);

	put(&r, 8, func, 8);
	put(&r, 24, depth, 4);
	put(&r, 32, 1000000, 8);
	put(&r, 40, 1000000 + ns, 8);
	return r;
}

/* what a record prints */
static void expect(struct file *f, const struct otst_record *r, const char *want)
{
	struct otst_tf *tf = &f->tf;

	tf->t.at = tf->t.buf;
	otst_tf_record(tf, r);
	tf->index++;
	*tf->t.at = '\0';
	assert_string_equal(tf->t.buf, want);
}

/* ---- the default format ---- */

static void test_function(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make_fn(f, 17, 3928170554, FOO, BAR + 0x10);

	(void)state;
	/* rounded to the next microsecond */
	expect(f, &r, "           <...>-17      [000] .....     3.928171: foo <-bar\n");
	r.pid = 0;
	r.cpu = 1;
	expect(f, &r, "          <idle>-0       [001] .....     3.928171: foo <-bar\n");
	put(&r, 16, 0, 8);
	expect(f, &r, "          <idle>-0       [001] .....     3.928171: foo\n");
	put(&r, 16, 0xffffffff81000300, 8);
	expect(f, &r,
	       "          <idle>-0       [001] .....     3.928171: foo <-[unknown/kretprobe'd]\n");
	put(&r, 16, 0x1234, 8);
	expect(f, &r, "          <idle>-0       [001] .....     3.928171: foo <-0x00001234\n");
	close_file(f);
}

static void test_symbol_options(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make_fn(f, 17, 1000, FOO, MOD + 4);

	(void)state;
	f->tf.opt.sym_offset = true;
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001: foo+0x0/0x100 <-in_module+0x4/0x40 [mod]\n");
	close_file(f);
	/* the options of an array stay what they are while it is printed */
	f = open_file();
	r = make_fn(f, 17, 1000, FOO, MOD + 4);
	f->tf.opt.sym_addr = true;
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001: foo <ffffffff81000100> "
	       "<-in_module <ffffffffc0001004>\n");
	close_file(f);
	f = open_file();
	r = make_fn(f, 17, 1000, FOO, MOD + 4);
	f->tf.opt.print_parent = f->tf.opt.irq_info = false;
	expect(f, &r, "           <...>-17      [000]      0.000001: foo\n");
	f->tf.in_ns = false;
	expect(f, &r, "           <...>-17      [000]          1000: foo\n");
	f->tf.opt.context_info = false;
	expect(f, &r, "foo\n");
	close_file(f);
}

/* flags and count as trace_print_lat_fmt() shows them */
static void expect_flags(struct file *f, unsigned int flags, unsigned int count, const char *want)
{
	struct otst_record r = make(f, FN, 1, 0, 24);

	put(&r, 2, flags, 1);
	put(&r, 3, count, 1);
	f->tf.t.at = f->tf.t.buf;
	otst_tf_lat_fmt(&f->tf, &r);
	*f->tf.t.at = '\0';
	assert_string_equal(f->tf.t.buf, want);
}

static void test_flags(void **state)
{
	struct file *f = open_file();

	(void)state;
	expect_flags(f, 0x00, 0x00, ".....");
	expect_flags(f, 0x01, 0x01, "d..1.");
	expect_flags(f, 0x81, 0x0a, "D..a.");
	expect_flags(f, 0x80, 0x20, "b...2");
	expect_flags(f, 0x04, 0x00, ".n...");
	expect_flags(f, 0x24, 0x00, ".N...");
	expect_flags(f, 0x20, 0x00, ".p...");
	expect_flags(f, 0x02, 0x00, ".l...");
	expect_flags(f, 0x22, 0x00, ".L...");
	expect_flags(f, 0x06, 0x00, ".b...");
	expect_flags(f, 0x26, 0x00, ".B...");
	expect_flags(f, 0x08, 0x00, "..h..");
	expect_flags(f, 0x10, 0x00, "..s..");
	expect_flags(f, 0x18, 0x00, "..H..");
	expect_flags(f, 0x40, 0x00, "..z..");
	expect_flags(f, 0x48, 0x00, "..Z..");
	close_file(f);
}

/*
 * RHEL 9: TRACE_FLAG_NEED_RESCHED_LAZY is 0x20 with CONFIG_PREEMPT_LAZY and 0
 * without; its column and that of preempt_lazy_count follow the older ones.
 */
static const char lazy_kernel[] = "type trace_entry 12\n"
				  "	type 0 u16\n"
				  "	flags 2 u8\n"
				  "	preempt_count 3 u8\n"
				  "	pid 4 s32\n"
				  "	preempt_lazy_count 8 u8\n"
				  "enum TRACE_FLAG_IRQS_OFF 1\n"
				  "enum TRACE_FLAG_IRQS_NOSUPPORT 2\n"
				  "enum TRACE_FLAG_NEED_RESCHED 4\n"
				  "enum TRACE_FLAG_BH_OFF 128\n";

static void expect_lazy(const char *more, uint8_t flags, uint8_t count, uint8_t lazy,
			const char *want)
{
	char text[sizeof(lazy_kernel) + 128];
	struct file *f = calloc(1, sizeof(*f));
	struct otst_record r = make(f, FN, 17, 0, 24);

	assert_non_null(f);
	strcpy(text, lazy_kernel);
	strcat(text, more);
	f->m = mock_open(text);
	f->tf.o = f->m->o;
	f->tf.nr_cpus = 1;
	assert_int_equal(otst_tf_kernel_read(f->m->o, &f->tf.kernel), 0);
	assert_int_equal(otst_tf_init(&f->tf), 0);
	put(&r, 2, flags, 1);
	put(&r, 3, count, 1);
	put(&r, 8, lazy, 1);
	otst_tf_lat_fmt(&f->tf, &r);
	*f->tf.t.at = '\0';
	assert_string_equal(f->tf.t.buf, want);
	close_file(f);
}

static void test_lazy_flags(void **state)
{
	static const char with[] = "enum TRACE_FLAG_PREEMPT_RESCHED 0\n"
				   "enum TRACE_FLAG_NEED_RESCHED_LAZY 32\n";
	static const char without[] = "enum TRACE_FLAG_PREEMPT_RESCHED 32\n"
				      "enum TRACE_FLAG_NEED_RESCHED_LAZY 0\n";

	(void)state;
	expect_lazy(without, 0x01, 0x12, 0, "d...2.1");
	expect_lazy(without, 0x01, 0x02, 0, "d...2..");
	expect_lazy(without, 0x24, 0x00, 3, ".N...3.");
	expect_lazy(without, 0x84, 0x00, 0, "bn.....");
	expect_lazy(with, 0x20, 0x00, 0, "..L....");
	expect_lazy(with, 0x24, 0x00, 0, ".nL....");
}

static void test_marks_between(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make_fn(f, 17, 1000, FOO, 0);

	(void)state;
	f->tf.overruns = true;
	expect(f, &r, "           <...>-17      [000] .....     0.000001: foo\n");
	r.cpu = 1;
	/* the second entry of all does not say it yet */
	expect(f, &r, "           <...>-17      [001] .....     0.000001: foo\n");
	f->tf.started[1] = false;
	expect(f, &r,
	       "##### CPU 1 buffer started ####\n"
	       "           <...>-17      [001] .....     0.000001: foo\n");
	expect(f, &r, "           <...>-17      [001] .....     0.000001: foo\n");
	r.lost = true;
	expect(f, &r,
	       "CPU:1 [LOST EVENTS]\n"
	       "           <...>-17      [001] .....     0.000001: foo\n");
	r.lost_count = 12;
	expect(f, &r,
	       "CPU:1 [LOST 12 EVENTS]\n"
	       "           <...>-17      [001] .....     0.000001: foo\n");
	close_file(f);
}

/* ---- latency format ---- */

static void test_latency(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make_fn(f, 17, 5000000, FOO, 0);

	(void)state;
	f->tf.opt.latency_fmt = f->tf.opt.latency_file = true;
	f->tf.time_start = 4000000;
	f->next[1] = make_fn(f, 0, 5011000, BAR, 0);
	/* 11 us until the next entry, on whatever cpu */
	expect(f, &r, "   <...>-17        0..... 1000us+: foo\n");
	f->next[0] = make_fn(f, 0, 5009000, BAR, 0);
	expect(f, &r, "   <...>-17        0..... 1000us : foo\n");
	f->tf.opt.verbose = true;
	f->tf.index = 26;
	put(&r, 2, 5, 1);
	put(&r, 3, 0x31, 1);
	expect(f, &r,
	       "           <...>      17   0 5 00000001 0000001a [00001388] 1.000ms (+0.009ms): foo\n");
	f->tf.in_ns = false;
	f->tf.index = 0;
	expect(f, &r,
	       "           <...>      17   0 5 00000001 00000000 [00000000004c4b40] 1000000 (+9000): foo\n");
	close_file(f);
}

/* ---- other entries ---- */

static void test_stacks(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make(f, STACK, 17, 1000, 16 + 5 * 8);

	(void)state;
	put(&r, 8, 4, 4);
	put(&r, 16, FOO + 1, 8);
	put(&r, 24, INT32_MAX, 8);
	put(&r, 32, 0, 8);
	put(&r, 40, MOD, 8);
	put(&r, 48, UINT64_MAX, 8);
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001: <stack trace>\n"
	       " => foo\n => [FTRACE TRAMPOLINE]\n => 0\n => in_module\n");
	r = make(f, USER_STACK, 17, 1000, 80);
	put(&r, 16, 0x47b5e1, 8);
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001: <user stack trace>\n"
	       " =>  <000000000047b5e1>\n");
	close_file(f);
}

static void test_messages(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make(f, PRINT, 17, 1000, 28);

	(void)state;
	put(&r, 8, FOO, 8);
	memcpy((char *)(uintptr_t)r.data + 16, "hi\033[31m\n", 9);
	expect(f, &r, "           <...>-17      [000] .....     0.000001: foo: hi\\x1b[31m\n");
	f->tf.opt.printk_msgonly = true;
	expect(f, &r, "hi\\x1b[31m\n");
	f->tf.opt.printk_msgonly = false;
	r = make(f, BPUTS, 17, 1000, 24);
	put(&r, 8, FOO, 8);
	put(&r, 16, 0xffffffff81002000, 8);
	expect(f, &r, "           <...>-17      [000] .....     0.000001: foo: put as it is\n");
	put(&r, 16, 0x10, 8);
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001: foo: [string not in the dump]\n");
	r = make(f, RAW_DATA, 17, 1000, 16);
	put(&r, 8, 0x1a, 4);
	put(&r, 12, 0x04ff00c3, 4);
	expect(f, &r, "           <...>-17      [000] .....     0.000001: # 1a buf: c3 00 ff 04\n");
	r = make(f, 14, 17, 1000, 16);
	expect(f, &r, "           <...>-17      [000] .....     0.000001: Unknown type 14\n");
	close_file(f);
}

static void test_switches(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make(f, CTX, 17, 1000, 24);

	(void)state;
	put(&r, 8, 17, 4);
	put(&r, 16, 3, 4);
	put(&r, 20, 120, 1);
	put(&r, 21, 1, 1);
	put(&r, 22, 99, 1);
	put(&r, 23, 0, 1);
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001:       17:120:S ==> [003]"
	       "       0: 99:R <idle>\n");
	put(&r, 0, WAKE, 2);
	r.type = WAKE;
	expect(f, &r,
	       "           <...>-17      [000] .....     0.000001:       17:120:S   + [003]"
	       "       0: 99:R <idle>\n");
	close_file(f);
}

static void test_latency_tracers(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make(f, HWLAT, 17, 1000, 64);

	(void)state;
	f->tf.opt.context_info = false;
	put(&r, 8, 12, 8);
	put(&r, 16, 9, 8);
	put(&r, 24, 77, 8);
	put(&r, 32, 1700000000, 8);
	put(&r, 40, 5, 8);
	put(&r, 52, 3, 4);
	put(&r, 56, 2, 4);
	expect(f, &r, "#3     inner/outer(us):   12/9     ts:1700000000.000000005 count:2\n");
	put(&r, 48, 4, 4);
	expect(f, &r,
	       "#3     inner/outer(us):   12/9     ts:1700000000.000000005 count:2"
	       " nmi-total:77 nmi-count:4\n");
	/* 5.4 */
	f->tf.kernel.at.hwlat_count = (struct otst_tf_field){ 0 };
	expect(f, &r,
	       "#3     inner/outer(us):   12/9     ts:1700000000.000000005"
	       " nmi-total:77 nmi-count:4\n");
	r = make(f, OSNOISE, 17, 1000, 56);
	put(&r, 8, 2500, 8);
	put(&r, 16, 1000000, 8);
	put(&r, 24, 40, 8);
	put(&r, 32, 1, 4);
	put(&r, 40, 1004, 4);
	expect(f, &r, "1000000       2500  99.75000      40      1      0   1004      0      0\n");
	r = make(f, TIMERLAT, 17, 1000, 24);
	put(&r, 8, 7, 4);
	put(&r, 12, 1, 4);
	put(&r, 16, 52340, 8);
	expect(f, &r, "#7     context thread timer_latency     52340 ns\n");
	r = make(f, REPEATS, 17, 9000000, 32);
	put(&r, 8, FOO, 8);
	put(&r, 16, BAR, 8);
	put(&r, 24, 3, 2);
	put(&r, 28, 4000000, 4);
	expect(f, &r, "foo <-bar (repeats: 3, last_ts:     0.005000)\n");
	close_file(f);
}

static void test_mmio(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make(f, MMIO_RW, 17, 1500000499, 40);

	(void)state;
	put(&r, 8, 0xfebf0000, 8);
	put(&r, 16, 0x2a, 8);
	put(&r, 24, FOO, 8);
	put(&r, 32, 1, 4);
	put(&r, 36, 1, 1);
	put(&r, 37, 4, 1);
	/* the tracer no longer runs, so nothing can print it */
	expect(f, &r, "           <...>-17      [000] .....     1.500000: Unknown type 7\n");
	f->tf.tracer = OTST_TF_MMIO;
	expect(f, &r, "R 4 1.500000 1 0xfebf0000 0x2a 0xffffffff81000100 0\n");
	put(&r, 36, 5, 1);
	expect(f, &r, "UNKNOWN 1.500000 1 0xfebf0000 00,00,2a 0xffffffff81000100 0\n");
	close_file(f);
}

static void test_raw_and_hex(void **state)
{
	struct file *f = open_file();
	struct otst_record r = make_fn(f, 17, 0x1234, FOO, BAR);

	(void)state;
	f->tf.opt.raw = true;
	expect(f, &r, "17 0 4660 ffffffff81000100 ffffffff81000200\n");
	f->tf.opt.hex = true;
	expect(f, &r, "00000011 00000000 0000000000001234 ffffffff81000100 ffffffff81000200 \n");
	r = make(f, STACK, 17, 0x1234, 24);
	expect(f, &r, "00000011 00000000 0000000000001234 type: 4\n\n");
	f->tf.opt.hex = false;
	expect(f, &r, "17 0 4660 type: 4\n");
	r = make(f, MMIO_RW, 17, 0x1234, 40);
	expect(f, &r, "17 0 4660 7 ?\n");
	r = make(f, WAKE, 17, 0x1234, 24);
	put(&r, 8, 17, 4);
	put(&r, 16, 3, 4);
	put(&r, 20, 120, 1);
	put(&r, 22, 99, 1);
	put(&r, 23, 1, 1);
	expect(f, &r, "17 0 4660 17 120 + 3 0 99 S\n");
	f->tf.opt.context_info = false;
	r = make(f, PRINT, 17, 0x1234, 20);
	put(&r, 8, FOO, 8);
	put(&r, 16, 'x', 1);
	expect(f, &r, "# ffffffff81000100 x");
	close_file(f);
}

/* ---- function_graph ---- */

static void start_graph(struct file *f)
{
	static struct otst_tf_graph_cpu cpus[2];

	cpus[0] = cpus[1] = (struct otst_tf_graph_cpu){ .last_pid = -1, .depth_irq = -1 };
	f->tf.graph = cpus;
	f->tf.tracer = OTST_TF_GRAPH;
	f->tf.graph_flags = OTST_GRAPH_CPU | OTST_GRAPH_OVERHEAD | OTST_GRAPH_DURATION |
			    OTST_GRAPH_IRQS;
}

static void test_graph(void **state)
{
	struct file *f = open_file();
	struct otst_record r;

	(void)state;
	start_graph(f);
	r = make_call(f, 17, FOO, 0);
	f->next[0] = make_call(f, 17, BAR, 1);
	expect(f, &r, " 0)               |  foo() {\n");
	r = f->next[0];
	f->next[0] = make_return(f, 17, BAR, 1, 1234);
	expect(f, &r, " 0)   1.234 us    |    bar();\n");
	/* the return is part of that line */
	assert_true(f->tf.drop[0]);
	f->tf.drop[0] = false;
	f->next[0].data = NULL;
	r = make(f, PRINT, 17, 0, 24);
	memcpy((char *)(uintptr_t)r.data + 16, "note\n", 6);
	expect(f, &r, " 0)               |  /* note */\n");
	r = make_return(f, 17, FOO, 0, 12345678);
	expect(f, &r, " 0) * 12345.67 us |  }\n");
	/* a return whose call was not seen */
	r = make_return(f, 17, MOD, 0, 100001);
	expect(f, &r, " 0) ! 100.001 us  |  } /* in_module [mod] */\n");
	r = make_call(f, 18, FOO, 0);
	expect(f, &r,
	       " ------------------------------------------\n"
	       " 0)    <...>-17    =>    <...>-18   \n"
	       " ------------------------------------------\n\n"
	       " 0)               |  foo() {\n");
	close_file(f);
}

static void test_graph_durations(void **state)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} cases[] = {
		{ 0, " 0)   0.000 us    |  }\n" },
		{ 10000, " 0)   10.000 us   |  }\n" },
		{ 10001, " 0) + 10.001 us   |  }\n" },
		{ 1000001, " 0) # 1000.001 us |  }\n" },
		{ 123456789, " 0) @ 123456.7 us |  }\n" },
		{ 1234567890, " 0) $ 1234567 us  |  }\n" },
		{ 12345678901, " 0) $ 12345678 us |  }\n" },
		{ 123456789012, " 0) $ 123456789 us |  }\n" },
	};
	struct file *f = open_file();
	struct otst_record r;
	size_t i;

	(void)state;
	start_graph(f);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		f->tf.graph[0].enter_funcs[0] = FOO;
		r = make_return(f, 17, FOO, 0, cases[i].ns);
		expect(f, &r, cases[i].want);
	}
	close_file(f);
}

static void test_graph_options(void **state)
{
	struct file *f = open_file();
	struct otst_record r;

	(void)state;
	start_graph(f);
	f->tf.graph_flags |= OTST_GRAPH_ABS_TIME | OTST_GRAPH_PROC | OTST_GRAPH_TAIL |
			     OTST_GRAPH_OVERRUN;
	r = make_call(f, 17, FOO, 0);
	r.time = 3928170999;
	/* not rounded */
	expect(f, &r, "    3.928170 |   0)    <...>-17    |               |  foo() {\n");
	r = make_return(f, 17, FOO, 0, 500);
	expect(f, &r,
	       "    0.000000 |   0)    <...>-17    |   0.500 us    |  } /* foo */\n"
	       " (Overruns: 0)\n");
	f->tf.graph_flags = OTST_GRAPH_RETVAL;
	put(&r, 16, 0xfffffff4, 8);
	expect(f, &r, "} /* foo ret=-12 */\n");
	put(&r, 16, 0x1000, 8);
	expect(f, &r, "} /* foo ret=0x1000 */\n");
	f->tf.kernel.ret_equals = false;
	expect(f, &r, "} /* foo = 0x1000 */\n");
	f->tf.graph_flags |= OTST_GRAPH_RETVAL_HEX;
	put(&r, 16, 0xfffffff4, 8);
	expect(f, &r, "} /* foo = 0xfffffff4 */\n");
	close_file(f);
}

static void test_graph_irqs(void **state)
{
	struct file *f = open_file();
	struct otst_record r;

	(void)state;
	start_graph(f);
	r = make_call(f, 17, IRQ, 2);
	expect(f, &r,
	       " 0)   ==========> |\n"
	       " 0)               |      an_irq() {\n");
	r = make_return(f, 17, IRQ, 2, 2000);
	expect(f, &r,
	       " 0)   2.000 us    |      }\n"
	       " 0)   <========== |\n");
	f->tf.graph_flags &= ~OTST_GRAPH_IRQS;
	r = make_call(f, 17, IRQ, 2);
	expect(f, &r, "");
	r = make_call(f, 17, FOO, 3);
	expect(f, &r, "");
	r = make_return(f, 17, IRQ, 2, 2000);
	expect(f, &r, "");
	r = make_call(f, 17, FOO, 1);
	expect(f, &r, " 0)               |    foo() {\n");
	close_file(f);
}

/*
 * trace_functions_graph.c of 3.10: bit 0x40 is funcgraph-irqs, there is no
 * funcgraph-tail, and print_graph_duration() knows two marks.
 */
static const char graph_3_10[] = "sym _stext 0xffffffff81000000 0x100\n"
				 "sym trace_print_graph_duration 0xffffffff81000100 0x100\n"
				 "sym __start_rodata 0xffffffff81800000\n"
				 "sym __end_rodata 0xffffffff81801000\n"
				 "fill 0xffffffff81800000 0x1000 0\n"
				 "str 0xffffffff81800100 \"||||\"\n"
				 "str 0xffffffff81800200 \"funcgraph-cpu\"\n"
				 "str 0xffffffff81800220 \"funcgraph-irqs\"\n"
				 "str 0xffffffff81800240 \"funcgraph-duration\"\n"
				 "type tracer_opt 16\n"
				 "	name 0 ptr char\n"
				 "	bit 8 u32\n"
				 "type tracer_flags 16\n"
				 "	val 0 u32\n"
				 "	opts 8 ptr tracer_opt\n"
				 "u64 0xffffffff81801000: 0x52 0xffffffff81801010\n"
				 "u64 0xffffffff81801010: 0xffffffff81800200 0x2\n"
				 "u64 0xffffffff81801020: 0xffffffff81800240 0x20\n"
				 "u64 0xffffffff81801030: 0xffffffff81800220 0x40\n"
				 "u64 0xffffffff81801040: 0 0\n";

static void test_graph_3_10(void **state)
{
	struct mock *m = mock_open(graph_3_10);
	struct otst_tf_kernel k;
	uint32_t flags = 0;

	(void)state;
	assert_int_equal(otst_tf_graph_options(m->o, 0xffffffff81801000, &flags), 0);
	/* its bit 0x10 has no name, and is nothing that is known */
	assert_int_equal(flags, OTST_GRAPH_CPU | OTST_GRAPH_IRQS);
	assert_int_equal(otst_tf_kernel_read(m->o, &k), 0);
	assert_false(k.rel_time);
	assert_false(k.graph_wide);
	assert_true(k.graph_plain);
	assert_int_equal(otst_tf_sign(k.marks, 10000), ' ');
	assert_int_equal(otst_tf_sign(k.marks, 10001), '+');
	assert_int_equal(otst_tf_sign(k.marks, 100001), '!');
	assert_int_equal(otst_tf_sign(k.marks, 2000000000), '!');
	/* lat_print_timestamp(): rel_ts > 1 us */
	assert_int_equal(otst_tf_sign(k.latency_marks, 1000), ' ');
	assert_int_equal(otst_tf_sign(k.latency_marks, 2000), '+');
	assert_int_equal(otst_tf_sign(k.latency_marks, 101000), '!');
	mock_close(m);
}

/* the table of options ends in memory the dump lacks: those before count, and it is reported */
static void test_graph_options_damaged(void **state)
{
	static const char cut[] = "unmap 0xffffffff81801030 0x20\n";
	char text[sizeof(graph_3_10) + sizeof(cut)];
	struct mock *m;
	uint32_t flags = 0;

	(void)state;
	strcpy(text, graph_3_10);
	strcat(text, cut);
	m = mock_open(text);
	assert_int_equal(otst_tf_graph_options(m->o, 0xffffffff81801000, &flags), OTST_ERR_FAULT);
	assert_int_equal(flags, OTST_GRAPH_CPU);
	mock_close(m);
}

/* the marks of a kernel that has the table: struct trace_mark mark[] */
static void test_mark_table(void **state)
{
	struct mock *m = mock_open("sym trace_find_mark 0xffffffff81000100 0x100\n"
				   "sym mark 0xffffffff81800000 0x20\n"
				   "type trace_mark 16\n"
				   "	val 0 u64\n"
				   "	sym 8 char\n"
				   "u64 0xffffffff81800000: 500000 0x25 7000 0x7e\n");
	struct otst_tf_kernel k;

	(void)state;
	assert_int_equal(otst_tf_kernel_read(m->o, &k), 0);
	assert_int_equal(otst_tf_sign(k.marks, 500001), '%');
	assert_int_equal(otst_tf_sign(k.marks, 500000), '~');
	assert_int_equal(otst_tf_sign(k.latency_marks, 7000), ' ');
	mock_close(m);
}

/* members that reach past the entry are 0, and nothing is read after it */
static void test_short_entries(void **state)
{
	struct file *f = open_file();
	unsigned int type;
	uint32_t size;

	(void)state;
	f->tf.opt.context_info = false;
	for (type = 0; type < 21; type++) {
		for (size = 8; size < 64; size += 4) {
			struct otst_record r = make(f, type, 17, 1000, size);
			uint8_t *copy = malloc(size);

			assert_non_null(copy);
			memcpy(copy, r.data, size);
			r.data = copy;
			f->tf.t.at = f->tf.t.buf;
			otst_tf_record(&f->tf, &r);
			free(copy);
		}
	}
	close_file(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_symbol_options),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_lazy_flags),
		cmocka_unit_test(test_marks_between),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_latency_tracers),
		cmocka_unit_test(test_mmio),
		cmocka_unit_test(test_raw_and_hex),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_graph_durations),
		cmocka_unit_test(test_graph_options),
		cmocka_unit_test(test_graph_3_10),
		cmocka_unit_test(test_graph_options_damaged),
		cmocka_unit_test(test_mark_table),
		cmocka_unit_test(test_graph_irqs),
		cmocka_unit_test(test_short_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
