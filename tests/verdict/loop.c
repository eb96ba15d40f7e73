// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop FUNCTION: puts a kprobe with a BPF program on FUNCTION, whose nested
 * loops (bpf_loop()) go on for years, and leaves it there.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TIMES	  (8 << 20) /* BPF_MAX_LOOPS */
#define BPF_LOOP  181
#define CALL_BACK 4 /* BPF_PSEUDO_FUNC */
#define WORK	  64

#define SET(reg, value)                                                               \
	{                                                                             \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (reg), .imm = (value) \
	}
#define EXIT                               \
	{                                  \
		.code = BPF_JMP | BPF_EXIT \
	}
/* bpf_loop(TIMES, the function 7 instructions after the second one here, NULL, 0); return 0 */
#define LOOP                                                         \
	SET(BPF_REG_1, TIMES),                                       \
		{ .code = BPF_LD | BPF_IMM | BPF_DW,                 \
		  .dst_reg = BPF_REG_2,                              \
		  .src_reg = CALL_BACK,                              \
		  .imm = 6 },                                        \
		{ .code = 0 }, SET(BPF_REG_3, 0), SET(BPF_REG_4, 0), \
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_LOOP }, SET(BPF_REG_0, 0), EXIT

static struct bpf_insn insns[16 + WORK + 2] = { LOOP, LOOP };

/* an int, a function without arguments that returns it, and the program's three functions */
static const char strings[] = "\0int\0lab_loop\0lab_step\0lab_work";
static const struct {
	struct btf_header head;
	uint32_t types[4 + 3 + 3 * 3];
	char strings[sizeof(strings)];
} btf = {
	.head = { .magic = BTF_MAGIC,
		  .version = BTF_VERSION,
		  .hdr_len = sizeof(struct btf_header),
		  .type_len = sizeof(btf.types),
		  .str_off = sizeof(btf.types),
		  .str_len = sizeof(strings) },
	.types = { 1, BTF_KIND_INT << 24, 4, BTF_INT_SIGNED << 24 | 32, /* [1] */
		   0, BTF_KIND_FUNC_PROTO << 24, 1,			/* [2] */
		   5, BTF_KIND_FUNC << 24, 2,				/* [3] */
		   14, BTF_KIND_FUNC << 24, 2,				/* [4] */
		   23, BTF_KIND_FUNC << 24, 2 },			/* [5] */
	.strings = "\0int\0lab_loop\0lab_step\0lab_work",
};
static const struct bpf_func_info funcs[] = { { 0, 3 }, { 8, 4 }, { 16, 5 } };

static char text[1 << 16];

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int load(void)
{
	union bpf_attr attr = { .btf = (uintptr_t)&btf, .btf_size = sizeof(btf) };
	int fd = bpf(BPF_BTF_LOAD, &attr), i;

	if (fd < 0)
		return fd;
	for (i = 0; i <= WORK; i++)
		insns[16 + i] = (struct bpf_insn)SET(BPF_REG_0, 0);
	insns[16 + WORK + 1] = (struct bpf_insn)EXIT;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_KPROBE;
	strcpy(attr.prog_name, "lab_loop");
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(*insns);
	attr.license = (uintptr_t) "GPL";
	attr.log_buf = (uintptr_t)text;
	attr.log_size = sizeof(text);
	attr.log_level = 1;
	attr.prog_btf_fd = (uint32_t)fd;
	attr.func_info_rec_size = sizeof(*funcs);
	attr.func_info = (uintptr_t)funcs;
	attr.func_info_cnt = sizeof(funcs) / sizeof(*funcs);
	return bpf(BPF_PROG_LOAD, &attr);
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1 };
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	int prog = load(), event;

	if (argc != 2 || !f || fscanf(f, "%u", &attr.type) != 1)
		return 2;
	attr.config1 = (uintptr_t)argv[1];
	event = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (prog < 0 || event < 0 || ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ||
	    ioctl(event, PERF_EVENT_IOC_ENABLE, 0)) {
		printf("%d %d\n%s\n", prog, event, text);
		return 1;
	}
	if (!fork())
		pause();
	return 0;
}
