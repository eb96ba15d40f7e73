// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * collectors: BPF programs on kprobes that collect stacks as tracing tools do,
 * in every kind of map, one of them like bcc's stacksnoop; the activity that makes
 * them run; and what user space sees of their buffers before it has read half.
 *
 * Prints "ring N STATE HEX" and "perf CPU N STATE HEX" for each record, STATE
 * being "read" or "unread" (or "discarded"), then "ready"; then waits.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define SNOOPED	   "vfs_mkdir"
#define DEPTH	   127
#define PERF_PAGES 4
/* the largest perf record */
#define RECORD 4096

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define MOVI(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ADDI(d, i)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define RSHI(d, i)	INSN(BPF_ALU64 | BPF_RSH | BPF_K, d, 0, 0, i)
#define STORE(w, s, o)	INSN(BPF_STX | BPF_MEM | (w), BPF_REG_10, s, o, 0)
#define STOREI(w, o, i) INSN(BPF_ST | BPF_MEM | (w), BPF_REG_10, 0, o, i)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)
#define MAP(d, fd)	INSN(BPF_LD | BPF_DW | BPF_IMM, d, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define JEQI(d, i, o)	INSN(BPF_JMP | BPF_JEQ | BPF_K, d, 0, o, i)
#define JNEI(d, i, o)	INSN(BPF_JMP | BPF_JNE | BPF_K, d, 0, o, i)
#define EXIT		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define R0		BPF_REG_0
#define R1		BPF_REG_1
#define R2		BPF_REG_2
#define R3		BPF_REG_3
#define R4		BPF_REG_4
#define R5		BPF_REG_5
#define R6		BPF_REG_6
#define R7		BPF_REG_7
#define R8		BPF_REG_8
#define R10		BPF_REG_10

/* ring_size is that of the ring buffer: at least a page */
static size_t page_size, ring_size = 16384;

static struct {
	int stacks, build_ids, counts, percpu, values, ring, snooped, events, off;
} maps;

static void die(const char *what)
{
	printf("refused %s: %s\n", what, strerror(errno));
	exit(1);
}

static int must(const char *what, int fd)
{
	if (fd < 0)
		die(what);
	return fd;
}

/* ---- maps ---- */

/* struct key { u32 pid; int kern_stack_id; int user_stack_id; } and u64 */
static int load_types(int *key, int *value)
{
	struct btf *btf = btf__new_empty();
	int u32 = btf__add_int(btf, "unsigned int", 4, 0);
	int s32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	const void *raw;
	__u32 size;

	*value = btf__add_int(btf, "unsigned long long", 8, 0);
	*key = btf__add_struct(btf, "key", 12);
	btf__add_field(btf, "pid", u32, 0, 0);
	btf__add_field(btf, "kern_stack_id", s32, 32, 0);
	btf__add_field(btf, "user_stack_id", s32, 64, 0);
	raw = btf__raw_data(btf, &size);
	return must("types", bpf_btf_load(raw, size, NULL));
}

static int make(enum bpf_map_type type, const char *name, __u32 key, __u32 value, __u32 entries,
		struct bpf_map_create_opts *opts)
{
	return must(name, bpf_map_create(type, name, key, value, entries, opts));
}

static void make_maps(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, build_id, .map_flags = BPF_F_STACK_BUILD_ID);
	LIBBPF_OPTS(bpf_map_create_opts, typed);
	int key, value;

	typed.btf_fd = (__u32)load_types(&key, &value);
	typed.btf_key_type_id = (__u32)key;
	typed.btf_value_type_id = (__u32)value;
	maps.stacks = make(BPF_MAP_TYPE_STACK_TRACE, "lab_stacks", 4, DEPTH * 8, 1024, NULL);
	maps.build_ids =
		make(BPF_MAP_TYPE_STACK_TRACE, "lab_build_ids", 4, DEPTH * 32, 4, &build_id);
	maps.counts = make(BPF_MAP_TYPE_HASH, "lab_counts", 12, 8, 4096, &typed);
	maps.percpu = make(BPF_MAP_TYPE_PERCPU_HASH, "lab_percpu", 4, 8, 4096, NULL);
	maps.values = make(BPF_MAP_TYPE_LRU_HASH, "lab_values", 8, 16, 4096, NULL);
	maps.ring = make(BPF_MAP_TYPE_RINGBUF, "lab_ring", 0, 0, (__u32)ring_size, NULL);
	maps.snooped = make(BPF_MAP_TYPE_STACK_TRACE, "stack_traces", 4, DEPTH * 8, 128, NULL);
	maps.events = make(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "events", 4, 4, 64, NULL);
	maps.off = make(BPF_MAP_TYPE_ARRAY, "lab_off", 4, 4, 1, NULL);
}

/* ---- the program ---- */

/* ends the program when user space asks for it: a disabled event still runs its program */
#define UNLESS_OFF                                                                   \
	STOREI(BPF_W, AT_ONE, 0), MAP(R1, maps.off), MOV(R2, R10), ADDI(R2, AT_ONE), \
		CALL(map_lookup_elem), JEQI(R0, 0, 2),                               \
		INSN(BPF_LDX | BPF_MEM | BPF_W, R0, R0, 0, 0), JEQI(R0, 0, 2), MOVI(R0, 0), EXIT

/* places on the programs' stack */
#define AT_EVENT (-32) /* u64 id, u32 pid, comm[16], 4 bytes of 0 */
#define AT_KEY	 (-48) /* u32 pid, s32 kern, s32 user */
#define AT_VALUE (-64) /* u64 time, s32 kern, s32 build id */
#define AT_ONE	 (-72)
#define AT_TASK	 (-80) /* u64 pid and tgid */

static int load(const char *name, const struct bpf_insn *insns, size_t count)
{
	static char log[65536];
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log, .log_size = sizeof(log),
		    .log_level = 1);
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, name, "GPL", insns, count, &opts);

	if (fd < 0)
		printf("%s\n", log);
	return must(name, fd);
}

static int load_collector(void)
{
	const struct bpf_insn insns[] = {
		MOV(R6, R1),
		UNLESS_OFF,
		MOV(R1, R6),
		/* r7 = kernel stack, r8 = user stack */
		MAP(R2, maps.stacks),
		MOVI(R3, 0),
		CALL(get_stackid),
		MOV(R7, R0),
		STORE(BPF_DW, R7, AT_EVENT),
		STORE(BPF_W, R7, AT_KEY + 4),
		STORE(BPF_W, R7, AT_VALUE + 8),
		MOV(R1, R6),
		MAP(R2, maps.stacks),
		MOVI(R3, BPF_F_USER_STACK),
		CALL(get_stackid),
		STORE(BPF_W, R0, AT_KEY + 8),
		MOV(R1, R6),
		MAP(R2, maps.build_ids),
		MOVI(R3, BPF_F_USER_STACK),
		CALL(get_stackid),
		STORE(BPF_W, R0, AT_VALUE + 12),
		CALL(get_current_pid_tgid),
		STORE(BPF_DW, R0, AT_TASK),
		RSHI(R0, 32),
		MOV(R8, R0),
		STORE(BPF_W, R8, AT_KEY),
		STORE(BPF_W, R8, AT_EVENT + 8),
		STOREI(BPF_W, AT_EVENT + 28, 0),
		MOV(R1, R10),
		ADDI(R1, AT_EVENT + 12),
		MOVI(R2, 16),
		CALL(get_current_comm),
		CALL(ktime_get_ns),
		STORE(BPF_DW, R0, AT_VALUE),
		STOREI(BPF_DW, AT_ONE, 1),
		/* counts[key]++ */
		MAP(R1, maps.counts),
		MOV(R2, R10),
		ADDI(R2, AT_KEY),
		CALL(map_lookup_elem),
		JEQI(R0, 0, 3),
		MOVI(R1, 1),
		INSN(BPF_STX | BPF_XADD | BPF_DW, R0, R1, 0, 0),
		INSN(BPF_JMP | BPF_JA, 0, 0, 8, 0),
		MAP(R1, maps.counts),
		MOV(R2, R10),
		ADDI(R2, AT_KEY),
		MOV(R3, R10),
		ADDI(R3, AT_ONE),
		MOVI(R4, 0),
		CALL(map_update_elem),
		/* percpu[kernel stack]++ */
		MAP(R1, maps.percpu),
		MOV(R2, R10),
		ADDI(R2, AT_KEY + 4),
		CALL(map_lookup_elem),
		JEQI(R0, 0, 3),
		MOVI(R1, 1),
		INSN(BPF_STX | BPF_XADD | BPF_DW, R0, R1, 0, 0),
		INSN(BPF_JMP | BPF_JA, 0, 0, 8, 0),
		MAP(R1, maps.percpu),
		MOV(R2, R10),
		ADDI(R2, AT_KEY + 4),
		MOV(R3, R10),
		ADDI(R3, AT_ONE),
		MOVI(R4, 0),
		CALL(map_update_elem),
		/* values[task] = time and stacks */
		MAP(R1, maps.values),
		MOV(R2, R10),
		ADDI(R2, AT_TASK),
		MOV(R3, R10),
		ADDI(R3, AT_VALUE),
		MOVI(R4, 0),
		CALL(map_update_elem),
		/* a record */
		MAP(R1, maps.ring),
		MOV(R2, R10),
		ADDI(R2, AT_EVENT),
		MOVI(R3, 28),
		MOVI(R4, 0),
		CALL(ringbuf_output),
		/* every other task's record is thrown away */
		INSN(BPF_ALU64 | BPF_AND | BPF_K, R8, 0, 0, 1),
		JNEI(R8, 0, 11),
		MAP(R1, maps.ring),
		MOVI(R2, 40),
		MOVI(R3, 0),
		CALL(ringbuf_reserve),
		JEQI(R0, 0, 5),
		INSN(BPF_STX | BPF_MEM | BPF_DW, R0, R7, 8, 0),
		INSN(BPF_ST | BPF_MEM | BPF_DW, R0, 0, 0, 0),
		MOV(R1, R0),
		MOVI(R2, 0),
		CALL(ringbuf_discard),
		MOVI(R0, 0),
		EXIT,
	};

	return load("lab_collect", insns, sizeof(insns) / sizeof(*insns));
}

/* bcc's struct data_t { u64 stack_id; u32 pid; char comm[16]; } */
static int load_snoop(void)
{
	const struct bpf_insn insns[] = {
		MOV(R6, R1),
		UNLESS_OFF,
		MOV(R1, R6),
		MAP(R2, maps.snooped),
		MOVI(R3, 0),
		CALL(get_stackid),
		STORE(BPF_DW, R0, AT_EVENT),
		CALL(get_current_pid_tgid),
		RSHI(R0, 32),
		STORE(BPF_W, R0, AT_EVENT + 8),
		STOREI(BPF_W, AT_EVENT + 28, 0),
		MOV(R1, R10),
		ADDI(R1, AT_EVENT + 12),
		MOVI(R2, 16),
		CALL(get_current_comm),
		MOV(R1, R6),
		MAP(R2, maps.events),
		INSN(BPF_ALU | BPF_MOV | BPF_K, R3, 0, 0, -1),
		MOV(R4, R10),
		ADDI(R4, AT_EVENT),
		MOVI(R5, 28),
		CALL(perf_event_output),
		MOVI(R0, 0),
		EXIT,
	};

	return load("lab_snoop", insns, sizeof(insns) / sizeof(*insns));
}

static int attach(const char *function, int prog)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1 };
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	int fd;

	if (!f || fscanf(f, "%u", &attr.type) != 1)
		die("kprobe type");
	fclose(f);
	attr.kprobe_func = (unsigned long)function;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	must("perf_event_open", fd);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		die("attach");
	return fd;
}

/* ---- the buffers of the perf event array ---- */

static struct perf_event_mmap_page *open_buffer(int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
		.wakeup_events = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	void *at;

	must("perf buffer", fd);
	at = mmap(NULL, (1 + PERF_PAGES) * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED || bpf_map_update_elem(maps.events, &cpu, &fd, 0) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		die("perf buffer");
	return at;
}

static void print_bytes(const unsigned char *at, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		printf("%02x", at[i]);
	printf("\n");
}

/* prints all records of a cpu's buffer and marks the first half of them as read */
static void read_buffer(int cpu, struct perf_event_mmap_page *page)
{
	const unsigned char *data = (const unsigned char *)page + page_size;
	uint64_t at, tail = page->data_tail, head = page->data_head, size = PERF_PAGES * page_size;
	unsigned char record[RECORD];
	size_t n = 0, i, total = 0;
	struct perf_event_header h;

	for (at = tail; at < head; at += h.size, total++) {
		for (i = 0; i < sizeof(h); i++)
			((unsigned char *)&h)[i] = data[(at + i) % size];
	}
	for (at = tail; at < head; at += h.size, n++) {
		for (i = 0; i < sizeof(h); i++)
			((unsigned char *)&h)[i] = data[(at + i) % size];
		for (i = 0; i < h.size; i++)
			record[i] = data[(at + i) % size];
		if (n == total / 2)
			page->data_tail = at;
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		printf("perf %d %s ", cpu, n < total / 2 ? "read" : "unread");
		/* the header, the size of what follows, the program's own bytes */
		print_bytes(record + 12, 28);
	}
}

/* ---- the ring buffer ---- */

static void read_ring(void)
{
	unsigned long *consumer =
		mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, maps.ring, 0);
	unsigned char *producer = mmap(NULL, page_size + 2 * ring_size, PROT_READ, MAP_SHARED,
				       maps.ring, (off_t)page_size);
	unsigned long at, end, total = 0, n = 0;
	uint32_t len;

	if (consumer == MAP_FAILED || producer == MAP_FAILED)
		die("ring");
	end = *(unsigned long *)producer;
	for (at = *consumer; at < end; at += (len + 8 + 7) & ~7u, total++)
		len = *(uint32_t *)(producer + page_size + at % ring_size) & ~(3u << 30);
	for (at = *consumer; at < end; at += (len + 8 + 7) & ~7u, n++) {
		unsigned char *h = producer + page_size + at % ring_size;

		len = *(uint32_t *)h & ~(3u << 30);
		if (n == total / 2)
			*consumer = at;
		printf("ring %s %s ", n < total / 2 ? "read" : "unread",
		       *(uint32_t *)h >> 30 & 1 ? "discarded" : "whole");
		print_bytes(h + 8, len);
	}
}

/* reads everything, so that more can be written after it */
static void empty_ring(void)
{
	unsigned long *consumer =
		mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, maps.ring, 0);
	unsigned long *producer =
		mmap(NULL, page_size, PROT_READ, MAP_SHARED, maps.ring, (off_t)page_size);

	if (consumer == MAP_FAILED || producer == MAP_FAILED)
		die("ring");
	*consumer = *producer;
	munmap(consumer, page_size);
	munmap(producer, page_size);
}

/* ---- what is traced ---- */

static __attribute__((noinline)) int descend(int depth)
{
	int made = depth ? descend(depth - 1) : mkdir("/tmp/collected", 0700);

	__asm__ volatile("" : : "r"(made) : "memory");
	return made;
}

static void run_child(int i)
{
	char name[16];
	int k;

	if (fork())
		return;
	snprintf(name, sizeof(name), "lab child %d", i);
	prctl(PR_SET_NAME, name, 0, 0, 0);
	for (k = 0; k <= i % 7; k++) {
		descend(i);
		rmdir("/tmp/collected");
	}
	_exit(0);
}

int main(void)
{
	struct perf_event_mmap_page *pages[64];
	long cpus = sysconf(_SC_NPROCESSORS_CONF), i;
	static const char *const functions[] = { SNOOPED, "vfs_rmdir", "d_alloc" };
	const int zero = 0, one = 1;
	int collect, round;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	if (ring_size < page_size)
		ring_size = page_size;
	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	mkdir("/tmp", 0777);
	make_maps();
	for (i = 0; i < cpus && i < 64; i++)
		pages[i] = open_buffer((int)i);
	collect = load_collector();
	for (i = 0; i < 3; i++)
		attach(functions[i], collect);
	attach(SNOOPED, load_snoop());
	for (round = 0; round < 6; round++) {
		if (round)
			empty_ring();
		for (i = 0; i < 20; i++)
			run_child((int)i);
		while (wait(NULL) > 0)
			;
	}
	if (bpf_map_update_elem(maps.off, &zero, &one, 0))
		die("off");
	usleep(100000);
	read_ring();
	for (i = 0; i < cpus && i < 64; i++)
		read_buffer((int)i, pages[i]);
	printf("ready\n");
	for (;;)
		pause();
}
