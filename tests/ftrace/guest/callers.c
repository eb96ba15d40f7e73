// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * callers: attaches BPF programs that call a helper, so that the function tracer meets
 * callers and stack frames in programs and in their trampolines. Prints a line for each
 * (tests/bpf/load.h), then "ready", then waits forever.
 */
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "../../bpf/load.h"

static const struct bpf_insn calls[] = {
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns },
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_uid_gid },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static int load_calls(enum bpf_prog_type type, const char *name, struct bpf_prog_load_opts *opts)
{
	return bpf_prog_load(type, name, "GPL", calls, sizeof(calls) / sizeof(*calls), opts);
}

/* a program's function in BTF has the whole name; the program itself has its first 15 characters */
static void describe(const char *function, struct bpf_func_info *info,
		     struct bpf_prog_load_opts *opts)
{
	struct btf *btf = btf__new_empty();
	int type = btf__add_func_proto(btf, btf__add_int(btf, "int", 4, BTF_INT_SIGNED));

	btf__add_func_param(btf, "ctx", btf__add_ptr(btf, 0));
	info->type_id = (__u32)btf__add_func(btf, function, BTF_FUNC_GLOBAL, type);
	if (btf__load_into_kernel(btf))
		return;
	opts->func_info = info;
	opts->func_info_cnt = 1;
	opts->func_info_rec_size = sizeof(*info);
	opts->prog_btf_fd = (__u32)btf__fd(btf);
}

static void attach_by_btf(const char *name, enum bpf_attach_type how, const char *function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = how);
	int id = libbpf_find_vmlinux_btf_id(function, how), prog;
	struct bpf_func_info info = { 0 };
	char cut[BPF_OBJ_NAME_LEN];

	snprintf(cut, sizeof(cut), "%s", name);
	opts.attach_btf_id = id > 0 ? (__u32)id : 0;
	describe(name, &info, &opts);
	prog = load_calls(BPF_PROG_TYPE_TRACING, cut, &opts);
	report(name, prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog));
}

static void attach_raw_tracepoint(const char *name, const char *tracepoint)
{
	int prog = load_calls(BPF_PROG_TYPE_RAW_TRACEPOINT, name, NULL);

	report(name, prog < 0 ? prog : bpf_raw_tracepoint_open(tracepoint, prog));
}

static void attach_kprobe_multi(const char *name, const char *function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	int prog = load_calls(BPF_PROG_TYPE_KPROBE, name, &opts);

	link.kprobe_multi.syms = &function;
	link.kprobe_multi.cnt = 1;
	report(name, prog < 0 ? prog : bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &link));
}

int main(void)
{
	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	attach_by_btf("lab_entry_longer_than_a_program", BPF_TRACE_FENTRY, "vfs_unlink");
	attach_by_btf("lab_exit_longer_than_a_program", BPF_TRACE_FEXIT, "vfs_rmdir");
	attach_raw_tracepoint("lab_exec", "sched_process_exec");
	attach_kprobe_multi("lab_multi", "vfs_mkdir");
	printf("ready\n");
	for (;;)
		pause();
}
