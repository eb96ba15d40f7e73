// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * agent: attaches BPF programs as an agent does, and leaves them there.
 *
 *	agent quiet FUNCTION	on the entry and the return of FUNCTION (fentry, fexit), on a kprobe of
 *				it, and on a clock of perf, each of which reads from bad addresses
 *	agent helper FUNCTION	on a kprobe of FUNCTION, which asks for the name of the task
 *	agent call N		attaches nothing: calls agent_call(), which is probed
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define SET(reg, value)                                                               \
	{                                                                             \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (reg), .imm = (value) \
	}
#define CALL(helper)                                             \
	{                                                        \
		.code = BPF_JMP | BPF_CALL, .imm = (int)(helper) \
	}
#define STACK(reg, at)                                                                    \
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (reg), .src_reg = BPF_REG_10 }, \
	{                                                                                 \
		.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (reg), .imm = (at)        \
	}
#define END                                \
	SET(BPF_REG_0, 0),                 \
	{                                  \
		.code = BPF_JMP | BPF_EXIT \
	}

/* nothing is there, in the kernel or in user space; a program gets an error and goes on */
static const struct bpf_insn reads[] = {
	STACK(BPF_REG_1, -16),
	SET(BPF_REG_2, 8),
	SET(BPF_REG_3, -4096),
	CALL(BPF_FUNC_probe_read_kernel),
	STACK(BPF_REG_1, -16),
	SET(BPF_REG_2, 8),
	SET(BPF_REG_3, 8),
	CALL(BPF_FUNC_probe_read_user),
	END,
};
static const struct bpf_insn names_task[] = {
	STACK(BPF_REG_1, -16),
	SET(BPF_REG_2, 16),
	CALL(BPF_FUNC_get_current_comm),
	END,
};

static void report(const char *what, int fd)
{
	printf("%s %s: %s\n", fd < 0 ? "refused" : "attached", what, fd < 0 ? strerror(errno) : "");
}

static int load(enum bpf_prog_type type, const char *name, const struct bpf_insn *insns,
		size_t count, struct bpf_prog_load_opts *opts)
{
	return bpf_prog_load(type, name, "GPL", insns, count, opts);
}

static int open_perf(struct perf_event_attr *attr, int prog)
{
	int fd;

	attr->size = sizeof(*attr);
	fd = (int)syscall(SYS_perf_event_open, attr, -1, 0, -1, 0);
	if (fd >= 0 &&
	    (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)))
		return -1;
	return fd;
}

static int on_kprobe(const char *function, int prog)
{
	struct perf_event_attr attr = { .sample_period = 1, .config1 = (uintptr_t)function };
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");

	return f && fscanf(f, "%u", &attr.type) == 1 ? open_perf(&attr, prog) : -1;
}

static int on_clock(int prog)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.sample_period = 5000000 };

	return open_perf(&attr, prog);
}

static int on_function(const char *name, enum bpf_attach_type how, const char *function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = how);
	int id = libbpf_find_vmlinux_btf_id(function, how), prog;

	if (id < 0)
		return id;
	opts.attach_btf_id = (uint32_t)id;
	prog = load(BPF_PROG_TYPE_TRACING, name, reads, sizeof(reads) / sizeof(*reads), &opts);
	return prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog);
}

int agent_call(int n);

__attribute__((noinline)) int agent_call(int n)
{
	__asm__ volatile("");
	return n + 1;
}

int main(int argc, char **argv)
{
	const size_t n = sizeof(reads) / sizeof(*reads);

	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "call"))
		return agent_call(1);
	if (!strcmp(argv[1], "helper")) {
		report("kprobe",
		       on_kprobe(argv[2], load(BPF_PROG_TYPE_KPROBE, "agent_helper", names_task,
					       sizeof(names_task) / sizeof(*names_task), NULL)));
	} else {
		report("fentry", on_function("agent_entry", BPF_TRACE_FENTRY, argv[2]));
		report("fexit", on_function("agent_exit", BPF_TRACE_FEXIT, argv[2]));
		report("kprobe", on_kprobe(argv[2], load(BPF_PROG_TYPE_KPROBE, "agent_kprobe",
							 reads, n, NULL)));
		report("clock",
		       on_clock(load(BPF_PROG_TYPE_PERF_EVENT, "agent_clock", reads, n, NULL)));
	}
	fflush(stdout);
	if (!fork())
		pause();
	return 0;
}
