// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * programs: BPF programs on the functions of the modules lab_order*, which record
 * when they run; then one call of each function through its module. Prints when each
 * program ran, "NANOSECONDS NAME FUNCTION" per line, "refused NAME FUNCTION: why" for
 * those that the kernel rejects; then "ready", and keeps them attached.
 */
#include <errno.h>
#include <glob.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

static const struct program {
	const char *name;
	const char *function;
	enum bpf_attach_type how;
	bool at_return;
} programs[] = {
	{ "or_fentry_a", "vfs_fadvise", BPF_TRACE_FENTRY },
	{ "or_fexit_a", "vfs_fadvise", BPF_TRACE_FEXIT },
	{ "or_multi", "vfs_fadvise", BPF_TRACE_KPROBE_MULTI },
	{ "or_fentry_b", "vfs_fadvise", BPF_TRACE_FENTRY },
	{ "or_fexit_b", "vfs_fadvise", BPF_TRACE_FEXIT },
	{ "or_multi_ret", "vfs_fadvise", BPF_TRACE_KPROBE_MULTI, true },
	{ "or_modify_a", "security_file_fcntl", BPF_MODIFY_RETURN },
	{ "or_fexit_a", "security_file_fcntl", BPF_TRACE_FEXIT },
	{ "or_fentry_a", "security_file_fcntl", BPF_TRACE_FENTRY },
	{ "or_modify_b", "security_file_fcntl", BPF_MODIFY_RETURN },
	{ "or_fexit_b", "security_file_fcntl", BPF_TRACE_FEXIT },
	{ "or_fentry_b", "security_file_fcntl", BPF_TRACE_FENTRY },
	{ "or_lsm_a", "bpf_lsm_file_lock", BPF_LSM_MAC },
	{ "or_fexit_a", "bpf_lsm_file_lock", BPF_TRACE_FEXIT },
	{ "or_fentry_a", "bpf_lsm_file_lock", BPF_TRACE_FENTRY },
	{ "or_lsm_b", "bpf_lsm_file_lock", BPF_LSM_MAC },
	{ "or_fexit_a", "bpf_lsm_file_set_fowner", BPF_TRACE_FEXIT },
	{ "or_lsm_a", "bpf_lsm_file_set_fowner", BPF_LSM_MAC },
	{ "or_fentry_a", "bpf_lsm_file_set_fowner", BPF_TRACE_FENTRY },
	{ "or_lsm_b", "bpf_lsm_file_set_fowner", BPF_LSM_MAC },
	{ "or_fexit_b", "bpf_lsm_file_set_fowner", BPF_TRACE_FEXIT },
	/* in another order 6.1 shuts ftrace down: the trampoline's ops loses its callback */
	{ "or_fexit_a", "vfs_setpos", BPF_TRACE_FEXIT },
	{ "or_fentry_a", "vfs_setpos", BPF_TRACE_FENTRY },
	{ "or_fentry_b", "vfs_setpos", BPF_TRACE_FENTRY },
	{ "or_multi", "vfs_setpos", BPF_TRACE_KPROBE_MULTI },
};
#define PROGRAMS (sizeof(programs) / sizeof(*programs))

static int times;

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}

/* times[@key] = bpf_ktime_get_ns(), when this process is the caller */
static int load(enum bpf_prog_type type, unsigned int key, struct bpf_prog_load_opts *opts)
{
	const struct bpf_insn program[] = {
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_pid_tgid),
		INSN(BPF_JMP32 | BPF_JNE | BPF_K, 0, 0, 11, getpid()),
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

	return bpf_prog_load(type, programs[key].name, "GPL", program,
			     sizeof(program) / sizeof(*program), opts);
}

static int attach_by_btf(unsigned int key, const struct program *p)
{
	enum bpf_prog_type type = p->how == BPF_LSM_MAC ? BPF_PROG_TYPE_LSM : BPF_PROG_TYPE_TRACING;
	/* libbpf adds the prefix of LSM hooks itself */
	const char *function = p->function + (p->how == BPF_LSM_MAC ? strlen("bpf_lsm_") : 0);
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = p->how);
	int id = libbpf_find_vmlinux_btf_id(function, p->how), prog;

	opts.attach_btf_id = id < 0 ? 0 : (__u32)id;
	prog = load(type, key, &opts);
	return prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog);
}

static int attach_multi(unsigned int key, const struct program *p)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	int prog = load(BPF_PROG_TYPE_KPROBE, key, &opts);

	link.kprobe_multi.syms = (const char **)&p->function;
	link.kprobe_multi.cnt = 1;
	link.kprobe_multi.flags = p->at_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
	return prog < 0 ? prog : bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &link);
}

static void attach(unsigned int key)
{
	const struct program *p = &programs[key];
	int fd = p->how == BPF_TRACE_KPROBE_MULTI ? attach_multi(key, p) : attach_by_btf(key, p);

	if (fd < 0)
		printf("refused %s %s: %s\n", p->name, p->function, strerror(errno));
}

/* each module calls its function */
static void call_functions(void)
{
	glob_t runs;
	size_t i;

	if (glob("/sys/module/lab_order*/parameters/run", 0, NULL, &runs))
		return;
	for (i = 0; i < runs.gl_pathc; i++) {
		FILE *f = fopen(runs.gl_pathv[i], "w");

		if (!f || fputs("1", f) < 0 || fclose(f))
			printf("refused %s: %s\n", runs.gl_pathv[i], strerror(errno));
	}
	globfree(&runs);
}

int main(void)
{
	unsigned long long ns;
	unsigned int key;

	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	times = bpf_map_create(BPF_MAP_TYPE_ARRAY, "or_times", 4, 8, PROGRAMS, NULL);
	for (key = 0; key < PROGRAMS; key++)
		attach(key);
	call_functions();
	for (key = 0; key < PROGRAMS; key++) {
		if (!bpf_map_lookup_elem(times, &key, &ns) && ns)
			printf("%llu %s %s\n", ns, programs[key].name, programs[key].function);
	}
	printf("ready\n");
	for (;;)
		pause();
}
