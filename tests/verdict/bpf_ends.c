// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpf_ends: BPF programs that stop a machine as far as the verifier lets them, attached and left there.
 *
 *	bpf_ends congest	a congestion control (struct_ops) whose init() loops for years; a connection uses it
 *	bpf_ends relock		a program on the function with which a full LRU map makes room, a lock of the
 *				map held, adds to the same map; then the map is filled
 *	bpf_ends wait DIR	a sleepable program, called with the lock of DIR held, reads memory of a user
 *				who does not provide it; then a file of DIR is renamed
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define TIMES	  (8 << 20) /* BPF_MAX_LOOPS */
#define ENTRIES	  64
#define SLEEPABLE (1u << 4) /* BPF_F_SLEEPABLE */

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
/* two instructions: a constant of 64 bits, or what its @kind says that it stands for */
#define SET64(reg, kind, value)                                                                     \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (reg), .src_reg = (kind), .imm = (value) }, \
	{                                                                                           \
		.code = 0                                                                           \
	}
#define STORE(at, value)                                                               \
	{                                                                              \
		.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = (at), \
		.imm = (value)                                                         \
	}
#define EXIT                               \
	{                                  \
		.code = BPF_JMP | BPF_EXIT \
	}
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static char text[1 << 16];

/* @prog: what a call returned; the program ends unless it is a descriptor */
static int needs(const char *what, int fd)
{
	if (fd < 0) {
		printf("%s: %s\n%s\n", what, strerror(errno), text);
		exit(1);
	}
	return fd;
}

static int load(enum bpf_prog_type type, const char *name, const struct bpf_insn *insns,
		size_t count, struct bpf_prog_load_opts *opts)
{
	opts->log_buf = text;
	opts->log_size = sizeof(text);
	opts->log_level = 1;
	return needs(name, bpf_prog_load(type, name, "GPL", insns, count, opts));
}

/* ---- congest ---- */

/* bpf_loop(TIMES, the function that stands @ahead of the second one here, NULL, 0); return 0 */
#define LOOP                                                                            \
	SET(BPF_REG_1, TIMES), SET64(BPF_REG_2, BPF_PSEUDO_FUNC, 6), SET(BPF_REG_3, 0), \
		SET(BPF_REG_4, 0), CALL(BPF_FUNC_loop), SET(BPF_REG_0, 0), EXIT

static const struct bpf_insn loops[] = { LOOP, LOOP, SET(BPF_REG_0, 0), EXIT };
static const struct bpf_insn nothing[] = { SET(BPF_REG_0, 2), EXIT };

/* the types of the program: three functions that take nothing and return an int */
static struct btf *own_types(struct bpf_func_info funcs[3])
{
	static const char *const names[] = { "lab_congest", "lab_step", "lab_work" };
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), i;
	int proto = btf__add_func_proto(btf, number);

	for (i = 0; i < 3; i++) {
		funcs[i].insn_off = (uint32_t)i * 8;
		funcs[i].type_id = (uint32_t)btf__add_func(btf, names[i], BTF_FUNC_STATIC, proto);
	}
	needs("types", btf__load_into_kernel(btf) ? -1 : 0);
	return btf;
}

/* offset of @name in the structure, in bytes; @index: which member it is */
static uint32_t find_member(const struct btf *btf, uint32_t id, const char *name, int *index)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	for (*index = 0; *index < btf_vlen(t); ++*index) {
		if (!strcmp(btf__name_by_offset(btf, btf_members(t)[*index].name_off), name))
			return btf_member_bit_offset(t, (uint32_t)*index) / 8;
	}
	errno = ENOENT;
	return (uint32_t)needs(name, -1);
}

static void register_control(const char *name)
{
	static const char *const functions[] = { "init", "ssthresh", "undo_cwnd", "cong_avoid" };
	struct btf *btf = btf__load_vmlinux_btf();
	uint32_t ops = (uint32_t)btf__find_by_name_kind(btf, "tcp_congestion_ops", BTF_KIND_STRUCT);
	uint32_t value = (uint32_t)btf__find_by_name_kind(btf, "bpf_struct_ops_tcp_congestion_ops",
							  BTF_KIND_STRUCT);
	LIBBPF_OPTS(bpf_map_create_opts, opts, .btf_vmlinux_value_type_id = value);
	struct bpf_func_info funcs[3];
	struct btf *own = own_types(funcs);
	uint32_t size = btf__type_by_id(btf, value)->size, data, zero = 0, at;
	char *bytes = calloc(1, size);
	int map, member;
	size_t i;

	data = find_member(btf, value, "data", &member);
	for (i = 0; i < COUNT(functions); i++) {
		LIBBPF_OPTS(bpf_prog_load_opts, prog, .attach_btf_id = ops,
			    .prog_btf_fd = (uint32_t)btf__fd(own));

		at = find_member(btf, ops, functions[i], &member);
		prog.expected_attach_type = (enum bpf_attach_type)member;
		if (!i) {
			prog.func_info = funcs;
			prog.func_info_cnt = 3;
			prog.func_info_rec_size = sizeof(*funcs);
		}
		*(unsigned long *)(bytes + data + at) = (unsigned long)load(
			BPF_PROG_TYPE_STRUCT_OPS, i ? functions[i] : name, i ? nothing : loops,
			i ? COUNT(nothing) : COUNT(loops), &prog);
	}
	strcpy(bytes + data + find_member(btf, ops, "name", &member), name);
	opts.btf_fd = (uint32_t)btf__fd(own);
	map = needs("map", bpf_map_create(BPF_MAP_TYPE_STRUCT_OPS, name, 4, size, 1, &opts));
	needs("register", bpf_map_update_elem(map, &zero, bytes, 0));
}

/* a connection from this program to itself */
static int connect_here(void)
{
	struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int listens = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM, 0);
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	socklen_t len = sizeof(here);

	needs("lo", ioctl(s, SIOCSIFFLAGS, &lo));
	needs("bind", bind(listens, (struct sockaddr *)&here, len));
	needs("listen", listen(listens, 1));
	needs("name", getsockname(listens, (struct sockaddr *)&here, &len));
	needs("connect", connect(s, (struct sockaddr *)&here, len));
	return s;
}

static void congest(void)
{
	static const char name[] = "lab_congest";
	int s = connect_here();

	register_control(name);
	needs("use", setsockopt(s, IPPROTO_TCP, TCP_CONGESTION, name, sizeof(name) - 1));
}

/* ---- relock ---- */

static void stay_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	needs("cpu", sched_setaffinity(0, sizeof(one), &one));
}

/* on cpu 0, which keeps the time: in a second, wait for all cpus to have passed through the scheduler */
static void wait_for_cpus(void)
{
	if (fork())
		return;
	stay_on(0);
	sleep(1);
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	exit(0);
}

static void relock(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int map =
		needs("map", bpf_map_create(BPF_MAP_TYPE_LRU_HASH, "lab_lru", 8, 8, ENTRIES, NULL));
	const struct bpf_insn adds[] = {
		STORE(-8, -1),
		STORE(-16, 1),
		SET64(BPF_REG_1, BPF_PSEUDO_MAP_FD, map),
		STACK(BPF_REG_2, -8),
		STACK(BPF_REG_3, -16),
		SET(BPF_REG_4, 0),
		CALL(BPF_FUNC_map_update_elem),
		SET(BPF_REG_0, 0),
		EXIT,
	};
	uint64_t key;
	int prog;

	opts.attach_btf_id =
		(uint32_t)needs("function", libbpf_find_vmlinux_btf_id("htab_lru_map_delete_node",
								       BPF_TRACE_FENTRY));
	prog = load(BPF_PROG_TYPE_TRACING, "lab_relock", adds, COUNT(adds), &opts);
	needs("attach", bpf_raw_tracepoint_open(NULL, prog));
	wait_for_cpus();
	stay_on(1);
	for (key = 0; key < 4096 * ENTRIES; key++)
		bpf_map_update_elem(map, &key, &key, 0);
}

/* ---- wait ---- */

/* memory that waits for its owner at the first access */
static void *memory_that_waits(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .range = { .len = 4096 },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = needs("userfaultfd", (int)syscall(SYS_userfaultfd, O_CLOEXEC));

	range.range.start = (uintptr_t)page;
	needs("api", ioctl(fd, UFFDIO_API, &api));
	needs("register", ioctl(fd, UFFDIO_REGISTER, &range));
	return page;
}

static void wait_in(const char *dir)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_LSM_MAC,
		    .prog_flags = SLEEPABLE);
	uint64_t page = (uintptr_t)memory_that_waits();
	struct bpf_insn copies[] = {
		STACK(BPF_REG_1, -8),	       SET(BPF_REG_2, 8), SET64(BPF_REG_3, 0, (int)page),
		CALL(BPF_FUNC_copy_from_user), SET(BPF_REG_0, 0), EXIT,
	};
	char from[256], to[256];
	int prog;

	copies[4].imm = (int)(page >> 32);
	opts.attach_btf_id = (uint32_t)needs("function", libbpf_find_vmlinux_btf_id("inode_rename",
										    BPF_LSM_MAC));
	prog = load(BPF_PROG_TYPE_LSM, "lab_waits", copies, COUNT(copies), &opts);
	snprintf(from, sizeof(from), "%s/from", dir);
	snprintf(to, sizeof(to), "%s/to", dir);
	close(needs("file", open(from, O_CREAT | O_WRONLY, 0600)));
	needs("attach", bpf_raw_tracepoint_open(NULL, prog));
	rename(from, to);
}

int main(int argc, char **argv)
{
	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 2 && !strcmp(argv[1], "congest"))
		congest();
	else if (argc == 2 && !strcmp(argv[1], "relock"))
		relock();
	else if (argc == 3 && !strcmp(argv[1], "wait"))
		wait_in(argv[2]);
	else
		return 2;
	printf("it came back\n");
	pause();
	return 1;
}
