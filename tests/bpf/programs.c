// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * programs: loads small BPF programs into a guest's kernel, attaches each to
 * functions or events in a different way, and keeps them. Prints a line for each
 * (load.h), then waits forever.
 */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "load.h"

#define FUNCTION "vfs_fsync"
#define TRACEFS	 "/sys/kernel/tracing/"

/* not in all headers */
#define TRACE_UPROBE_MULTI   48
#define TRACE_KPROBE_SESSION 56

/* ---- through perf events ---- */

static unsigned int read_number(const char *path)
{
	unsigned int n = 0;
	FILE *f = fopen(path, "r");

	if (f && fscanf(f, "%u", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

static int open_perf(struct perf_event_attr *attr, int prog)
{
	int fd;

	attr->size = sizeof(*attr);
	if (!attr->sample_period)
		attr->sample_period = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0 &&
	    (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)))
		return -1;
	return fd;
}

static void attach_kprobe(const char *name, bool is_return)
{
	int prog = load(BPF_PROG_TYPE_KPROBE, name, NULL);
	struct perf_event_attr attr = {
		.type = read_number("/sys/bus/event_source/devices/kprobe/type"),
		.config = is_return,
		.kprobe_func = (unsigned long)FUNCTION,
	};

	report(name, prog < 0 ? prog : open_perf(&attr, prog));
}

static void attach_uprobe(const char *name, unsigned long offset)
{
	int prog = load(BPF_PROG_TYPE_KPROBE, name, NULL);
	struct perf_event_attr attr = {
		.type = read_number("/sys/bus/event_source/devices/uprobe/type"),
		.uprobe_path = (unsigned long)"/bin/busybox",
		.probe_offset = offset,
	};

	report(name, prog < 0 ? prog : open_perf(&attr, prog));
}

static void attach_tracepoint(const char *name, const char *event)
{
	int prog = load(BPF_PROG_TYPE_TRACEPOINT, name, NULL);
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	char path[256];

	snprintf(path, sizeof(path), TRACEFS "events/%s/id", event);
	attr.config = read_number(path);
	report(name, prog < 0 ? prog : open_perf(&attr, prog));
}

/* ---- links of their own ---- */

static void attach_raw_tracepoint(const char *name, const char *tracepoint)
{
	int prog = load(BPF_PROG_TYPE_RAW_TRACEPOINT, name, NULL);

	report(name, prog < 0 ? prog : bpf_raw_tracepoint_open(tracepoint, prog));
}

static void attach_by_btf(const char *name, enum bpf_prog_type type, enum bpf_attach_type how,
			  const char *function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = how);
	int id = libbpf_find_vmlinux_btf_id(function, how), prog;

	if (id < 0) {
		errno = -id;
		report(name, -1);
		return;
	}
	opts.attach_btf_id = (__u32)id;
	prog = load(type, name, &opts);
	/* kernels from before tracing links take a raw tracepoint without a name */
	report(name, prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog));
}

static void attach_kprobe_multi(const char *name, bool is_return, const char **functions,
				unsigned int count)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	int prog = load(BPF_PROG_TYPE_KPROBE, name, &opts);

	link.kprobe_multi.syms = functions;
	link.kprobe_multi.cnt = count;
	link.kprobe_multi.flags = is_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
	report(name, prog < 0 ? prog : bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &link));
}

/* what the kernel takes in BPF_LINK_CREATE for a kprobe session or for many uprobes */
struct multi_link {
	__u32 prog_fd, target_fd, attach_type, flags;
	union {
		struct {
			__u32 flags, cnt;
			__u64 syms, addrs, cookies;
		} kprobe;
		struct {
			__u64 path, offsets, ref_ctr_offsets, cookies;
			__u32 cnt, flags, pid;
		} uprobe;
	};
};

static void attach_multi(const char *name, __u32 how, struct multi_link *link)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = (enum bpf_attach_type)how);
	int prog = load(BPF_PROG_TYPE_KPROBE, name, &opts);

	link->prog_fd = (__u32)prog;
	link->attach_type = how;
	report(name, prog < 0 ? prog : (int)syscall(SYS_bpf, BPF_LINK_CREATE, link, sizeof(*link)));
}

static void attach_kprobe_session(const char *name, const char **functions, unsigned int count)
{
	struct multi_link link = {
		.kprobe = { .cnt = count, .syms = (unsigned long)functions },
	};

	attach_multi(name, TRACE_KPROBE_SESSION, &link);
}

static void attach_uprobe_multi(const char *name, const unsigned long *offsets, unsigned int count)
{
	struct multi_link link = {
		.uprobe = { .path = (unsigned long)"/bin/busybox",
			    .offsets = (unsigned long)offsets,
			    .cnt = count },
	};

	attach_multi(name, TRACE_UPROBE_MULTI, &link);
}

static void attach_with_cookie(const char *name, const char *function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	LIBBPF_OPTS(bpf_link_create_opts, link, .tracing.cookie = 0x1122334455667788);
	int id = libbpf_find_vmlinux_btf_id(function, BPF_TRACE_FENTRY), prog;

	opts.attach_btf_id = (__u32)id;
	prog = load(BPF_PROG_TYPE_TRACING, name, &opts);
	report(name, prog < 0 ? prog : bpf_link_create(prog, 0, BPF_TRACE_FENTRY, &link));
}

/* a perf timer on one cpu */
static void attach_timer(const char *name)
{
	int prog = load(BPF_PROG_TYPE_PERF_EVENT, name, NULL);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000,
	};

	report(name, prog < 0 ? prog : open_perf(&attr, prog));
}

/* ---- on other programs ---- */

/* a program whose only function has a name and a type, which others need to attach to it */
static int load_with_btf(enum bpf_prog_type kind, const char *name, struct bpf_prog_load_opts *opts,
			 __u32 *function)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int packet = btf__add_struct(btf, "__sk_buff", 0);
	int pointer = btf__add_ptr(btf, packet);
	int type = btf__add_func_proto(btf, number), prog;
	struct bpf_func_info info = { 0 };

	btf__add_func_param(btf, "skb", pointer);
	*function = (__u32)btf__add_func(btf, name, BTF_FUNC_GLOBAL, type);
	if (btf__load_into_kernel(btf))
		return -1;
	info.type_id = *function;
	opts->func_info = &info;
	opts->func_info_cnt = 1;
	opts->func_info_rec_size = sizeof(info);
	opts->prog_btf_fd = (__u32)btf__fd(btf);
	prog = load(kind, name, opts);
	btf__set_fd(btf, -1);
	return prog;
}

static int load_target(const char *name, __u32 *function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	int prog = load_with_btf(BPF_PROG_TYPE_SCHED_CLS, name, &opts, function);

	if (prog < 0)
		report(name, prog);
	return prog;
}

static void attach_to_program(const char *name)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int target = load_target("lab_target", &opts.attach_btf_id), prog;

	opts.attach_prog_fd = (__u32)target;
	prog = target < 0 ? target : load(BPF_PROG_TYPE_TRACING, name, &opts);
	report(name, prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog));
}

/* a replacement must have the type of the program it replaces, described by its own BTF */
static void attach_instead_of_program(const char *name)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	int target = load_target("lab_replaced", &opts.attach_btf_id), prog;
	__u32 function;

	opts.attach_prog_fd = (__u32)target;
	prog = target < 0 ? target : load_with_btf(BPF_PROG_TYPE_EXT, name, &opts, &function);
	report(name, prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog));
}

/* a second process that holds some of the first one's descriptors, but no perf events */
static void share(void)
{
	int fd;

	if (fork())
		return;
	for (fd = 3; fd < 100; fd += fd < 20 ? 1 : 2)
		close(fd);
}

int main(void)
{
	/* not in code, so nothing is patched; but arm64 maps the program headers that are there */
	static const unsigned long offsets[] = {
#ifdef __aarch64__
		0x1100, 0x1180
#else
		0x100, 0x180
#endif
	};
	static const char *functions[] = { "vfs_fsync_range", "vfs_mkdir", "vfs_rmdir" };

	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	attach_kprobe("lab_kprobe", false);
	attach_kprobe("lab_kretprobe", true);
	attach_uprobe("lab_uprobe", 0x1000);
	attach_tracepoint("lab_tracepoint", "sched/sched_process_exit");
	attach_tracepoint("lab_syscall", "syscalls/sys_enter_chdir");
	attach_raw_tracepoint("lab_raw_tp", "sched_process_exec");
	attach_by_btf("lab_tp_btf", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sched_process_fork");
	attach_by_btf("lab_fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, "vfs_unlink");
	attach_by_btf("lab_fexit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, "vfs_unlink");
	attach_by_btf("lab_fmod_ret", BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN,
		      "security_path_chroot");
	attach_by_btf("lab_lsm", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, "file_mprotect");
	attach_kprobe_multi("lab_multi", false, functions, 3);
	attach_kprobe_multi("lab_multi_ret", true, functions, 2);
	attach_kprobe_session("lab_session", functions + 1, 2);
	attach_uprobe_multi("lab_uprobes", offsets, 2);
	attach_with_cookie("lab_cookie", "vfs_rmdir");
	attach_timer("lab_timer");
	attach_to_program("lab_on_prog");
	attach_instead_of_program("lab_freplace");
	printf("ready\n");
	share();
	for (;;)
		pause();
}
