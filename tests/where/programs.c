// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * programs: BPF programs on vfs_fadvise() that note when they run, then one
 * call of it through the module lab_order. Prints when each program ran,
 * "NANOSECONDS NAME" a line, "refused NAME: why" for those that the kernel does
 * not take; then "ready", and keeps them attached.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define FUNCTION "vfs_fadvise"

static const char *const names[] = { "or_fentry_a", "or_fentry_b", "or_fexit_a",
				     "or_fexit_b",  "or_multi",	   "or_multi_ret" };
#define PROGRAMS (sizeof(names) / sizeof(*names))

static int times;

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}

/* times[@key] = bpf_ktime_get_ns() */
static int load(enum bpf_prog_type type, unsigned int key, struct bpf_prog_load_opts *opts)
{
	const struct bpf_insn program[] = {
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ktime_get_ns),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 10, 0, -8, 0),
		INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -12, (int)key),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, times),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -12),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, -8),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_update_elem),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_prog_load(type, names[key], "GPL", program, sizeof(program) / sizeof(*program),
			     opts);
}

static void report(unsigned int key, int fd)
{
	if (fd < 0)
		printf("refused %s: %s\n", names[key], strerror(errno));
}

static void attach_by_btf(unsigned int key, enum bpf_attach_type how)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = how);
	int id = libbpf_find_vmlinux_btf_id(FUNCTION, how), prog;

	opts.attach_btf_id = id < 0 ? 0 : (__u32)id;
	prog = load(BPF_PROG_TYPE_TRACING, key, &opts);
	report(key, prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog));
}

static void attach_multi(unsigned int key, bool is_return)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	const char *function = FUNCTION;
	int prog = load(BPF_PROG_TYPE_KPROBE, key, &opts);

	link.kprobe_multi.syms = &function;
	link.kprobe_multi.cnt = 1;
	link.kprobe_multi.flags = is_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
	report(key, prog < 0 ? prog : bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &link));
}

static int call_function(void)
{
	FILE *f = fopen("/sys/module/lab_order/parameters/run", "w");

	return !f || fputs("1", f) < 0 || fclose(f);
}

int main(void)
{
	unsigned long long ns;
	unsigned int key;

	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	times = bpf_map_create(BPF_MAP_TYPE_ARRAY, "or_times", 4, 8, PROGRAMS, NULL);
	attach_by_btf(0, BPF_TRACE_FENTRY);
	attach_by_btf(2, BPF_TRACE_FEXIT);
	attach_multi(4, false);
	attach_by_btf(1, BPF_TRACE_FENTRY);
	attach_by_btf(3, BPF_TRACE_FEXIT);
	attach_multi(5, true);
	if (call_function())
		printf("refused the call: %s\n", strerror(errno));
	for (key = 0; key < PROGRAMS; key++) {
		if (!bpf_map_lookup_elem(times, &key, &ns) && ns)
			printf("%llu %s\n", ns, names[key]);
	}
	printf("ready\n");
	for (;;)
		pause();
}
