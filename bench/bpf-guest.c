// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpf-guest: makes a lot of BPF in one guest, for bench/bpf: programs that stay
 * attached, one of them to many functions, and a map with many stacks, counted
 * in a hash map.
 *
 *	bpf-guest PROGRAMS STACKS <FUNCTIONS
 *
 * Different stacks are easy to make in user mode: the kernel follows frame
 * pointers, so a system call whose frame pointer leads to made-up frames has a
 * stack of its own. Their addresses are in kernel text, which has names. Prints
 * what it made, then "ready", and waits.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define DEPTH	  16
#define FRAMES	  8
#define MAX_NAMES 20000
#define TRIES	  4 /* for each wanted stack: many hit a bucket that is taken */

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define CALL(f)	   INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)
#define MAP(d, fd) INSN(BPF_LD | BPF_DW | BPF_IMM, d, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)

static const struct bpf_insn nothing[] = {
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
};

static int must(const char *what, int fd)
{
	if (fd < 0) {
		printf("refused %s: %s\n", what, strerror(errno));
		exit(1);
	}
	return fd;
}

static void attach_programs(int count)
{
	char name[24];
	int i, prog;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "bench_%d", i);
		prog = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, name, "GPL", nothing, 2, NULL);
		must(name, prog);
		must(name, bpf_raw_tracepoint_open("sched_process_hang", prog));
		close(prog);
	}
	printf("programs %d\n", count);
}

/* attach to the functions that standard input lists */
static void attach_multi(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	static const char *names[MAX_NAMES];
	unsigned int n = 0;
	char line[512];
	int prog;

	while (n < MAX_NAMES && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		names[n++] = strdup(line);
	}
	if (!n)
		return;
	prog = must("multi",
		    bpf_prog_load(BPF_PROG_TYPE_KPROBE, "bench_multi", "GPL", nothing, 2, &opts));
	link.kprobe_multi.syms = names;
	link.kprobe_multi.cnt = n;
	must("kprobe_multi", bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &link));
	printf("functions %u\n", n);
}

/* ---- stacks ---- */

static int attach_collector(int stacks, int counts)
{
	const struct bpf_insn insns[] = {
		MAP(BPF_REG_2, stacks),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, BPF_F_USER_STACK),
		CALL(get_stackid),
		INSN(BPF_JMP | BPF_JSGE | BPF_K, BPF_REG_0, 0, 2, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
		INSN(BPF_STX | BPF_MEM | BPF_W, BPF_REG_10, BPF_REG_0, -4, 0),
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -16, 1),
		MAP(BPF_REG_1, counts),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, -16),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_4, 0, 0, 0),
		CALL(map_update_elem),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1 };
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	int prog, fd;

	if (!f || fscanf(f, "%u", &attr.type) != 1)
		must("kprobe type", -1);
	fclose(f);
	attr.kprobe_func = (unsigned long)"__x64_sys_getppid";
	prog = must("collector", bpf_prog_load(BPF_PROG_TYPE_KPROBE, "bench_collect", "GPL", insns,
					       sizeof(insns) / sizeof(*insns), NULL));
	fd = must("kprobe", (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0));
	must("kprobe", ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog));
	must("kprobe", ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	return fd;
}

/* call getppid(), with made-up frames for its callers */
static void call_from(const uint64_t *frame)
{
	__asm__ volatile("push %%rbp\n\tmov %0, %%rbp\n\tsyscall\n\tpop %%rbp"
			 :
			 : "r"(frame), "a"(SYS_getppid)
			 : "rcx", "r11", "memory");
}

/* address of a symbol */
static uint64_t find_symbol(const char *wanted)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long addr;
	char name[512];

	while (f && fscanf(f, "%lx %*c %511s%*[^\n]", &addr, name) == 2) {
		if (!strcmp(name, wanted)) {
			fclose(f);
			return addr;
		}
	}
	must(wanted, -1);
	return 0;
}

static unsigned int count_elements(int map)
{
	uint32_t key, next;
	unsigned int n = 0;
	const void *at = NULL;

	for (; !bpf_map_get_next_key(map, at, &next); key = next, at = &key)
		n++;
	return n;
}

static void collect(unsigned int wanted)
{
	uint64_t text = find_symbol("_stext"), size = find_symbol("_etext") - text;
	unsigned int room = 1, i, n;
	uint64_t frames[16];
	int stacks, counts, fd;

	while (room < wanted + wanted / 4)
		room *= 2;
	stacks = must("stacks", bpf_map_create(BPF_MAP_TYPE_STACK_TRACE, "bench_stacks", 4,
					       DEPTH * 8, room, NULL));
	counts =
		must("counts", bpf_map_create(BPF_MAP_TYPE_HASH, "bench_counts", 4, 8, room, NULL));
	fd = attach_collector(stacks, counts);
	for (i = 0; i < wanted * TRIES; i++) {
		/* frames: {caller's frame, return address} */
		for (n = 0; n < FRAMES; n++) {
			frames[2 * n] = n + 1 < FRAMES ? (uint64_t)(uintptr_t)&frames[2 * n + 2] :
							 0;
			frames[2 * n + 1] = text + (uint64_t)i * (61 + 7919 * n) % size;
		}
		call_from(frames);
		if (i % 4096 == 4095 && count_elements(counts) >= wanted)
			break;
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	printf("stacks %u\n", count_elements(counts));
}

int main(int argc, char **argv)
{
	struct rlimit files = { 100000, 100000 };

	if (argc < 3)
		return 2;
	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	setrlimit(RLIMIT_NOFILE, &files);
	collect((unsigned int)atoi(argv[2]));
	attach_programs(atoi(argv[1]));
	attach_multi();
	printf("ready\n");
	for (;;)
		pause();
}
