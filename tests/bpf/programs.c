// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * programs: load small BPF programs into a guest's kernel, attach each in
 * another way, and keep them. Prints "attached NAME" or "refused NAME: why"
 * a line; then waits for the end.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define FUNCTION "vfs_fsync"
#define TRACEFS	 "/sys/kernel/tracing/"

static const struct bpf_insn return_0[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static void report(const char *name, int fd)
{
	if (fd < 0)
		printf("refused %s: %s\n", name, strerror(errno));
	else
		printf("attached %s\n", name);
}

static int load(enum bpf_prog_type type, const char *name, struct bpf_prog_load_opts *opts)
{
	return bpf_prog_load(type, name, "GPL", return_0, 2, opts);
}

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
	/* the kernels before links for tracing take a raw tracepoint without a name */
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

int main(void)
{
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
	printf("ready\n");
	for (;;)
		pause();
}
