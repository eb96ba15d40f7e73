// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * places: BPF programs on anything but functions of a guest's kernel: control groups,
 * interfaces, network namespaces, netfilter, iterators, sockmaps, sockets and a structure
 * of functions; with links and without. Prints a line for each (load.h), then waits
 * forever.
 *
 *   places DIRECTORY        bpftool's output from the second namespace goes there
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "load.h"

#define CGROUP	 "/tmp/cgroup"
#define LOOPBACK 1 /* its interface index, in each namespace */
#define FORWARD	 2 /* NF_INET_FORWARD */

/* not in all headers */
#define PROG_NETFILTER 32
#define NETFILTER      45
#define TCX_INGRESS    46
#define TCX_EGRESS     47
#define NETKIT_PRIMARY 54
#define NETKIT_PEER    55

static int load_for(enum bpf_prog_type type, const char *name, __u32 how)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = (enum bpf_attach_type)how);

	return load(type, name, &opts);
}

/* with a link; @target: a descriptor, or the index of an interface */
static int attach_link(const char *name, enum bpf_prog_type type, int target, __u32 how)
{
	int prog = load_for(type, name, how);
	int link = prog < 0 ? prog : bpf_link_create(prog, target, (enum bpf_attach_type)how, NULL);

	report(name, link);
	return link;
}

static void attach_plain(const char *name, enum bpf_prog_type type, int target, __u32 how,
			 unsigned int flags)
{
	int prog = load_for(type, name, how);

	report(name,
	       prog < 0 ? prog : bpf_prog_attach(prog, target, (enum bpf_attach_type)how, flags));
}

/* ---- control groups ---- */

static int make_group(const char *path)
{
	mkdir(path, 0755);
	return open(path, O_RDONLY | O_DIRECTORY);
}

static void attach_lsm(const char *name, int cgroup, const char *hook)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_LSM_CGROUP);
	int id = libbpf_find_vmlinux_btf_id(hook, BPF_LSM_CGROUP), prog;

	opts.attach_btf_id = (__u32)id;
	prog = id < 0 ? id : load(BPF_PROG_TYPE_LSM, name, &opts);
	report(name, prog < 0 ? prog : bpf_link_create(prog, cgroup, BPF_LSM_CGROUP, NULL));
}

/* what the kernel says is attached to a group: an older one does not answer a newer bpftool */
static void query(const char *path)
{
	int group = open(path, O_RDONLY | O_DIRECTORY), type;
	__u32 ids[64], count, flags, i;

	for (type = 0; type <= BPF_LSM_CGROUP; type++) {
		count = sizeof(ids) / sizeof(*ids);
		flags = 0;
		if (bpf_prog_query(group, (enum bpf_attach_type)type, 0, &flags, ids, &count))
			continue;
		for (i = 0; i < count; i++)
			printf("on %s|%s|%u|%u\n", path,
			       libbpf_bpf_attach_type_str((enum bpf_attach_type)type), flags,
			       ids[i]);
	}
	close(group);
}

static void attach_to_groups(void)
{
	int root, group, child, dead;

	mkdir(CGROUP, 0755);
	mount("cgroup", CGROUP, "cgroup2", 0, NULL);
	root = open(CGROUP, O_RDONLY | O_DIRECTORY);
	group = make_group(CGROUP "/lab");
	child = make_group(CGROUP "/lab/child one");
	dead = make_group(CGROUP "/dead");
	attach_link("lab_cgroup", BPF_PROG_TYPE_CGROUP_SKB, root, BPF_CGROUP_INET_INGRESS);
	attach_link("lab_cg_sysctl", BPF_PROG_TYPE_CGROUP_SYSCTL, child, BPF_CGROUP_SYSCTL);
	attach_plain("lab_cg_multi", BPF_PROG_TYPE_CGROUP_SKB, child, BPF_CGROUP_INET_EGRESS,
		     BPF_F_ALLOW_MULTI);
	attach_plain("lab_cg_multi2", BPF_PROG_TYPE_CGROUP_SKB, child, BPF_CGROUP_INET_EGRESS,
		     BPF_F_ALLOW_MULTI);
	attach_plain("lab_cg_device", BPF_PROG_TYPE_CGROUP_DEVICE, group, BPF_CGROUP_DEVICE, 0);
	attach_plain("lab_cg_sock", BPF_PROG_TYPE_CGROUP_SOCK, group, BPF_CGROUP_INET_SOCK_CREATE,
		     BPF_F_ALLOW_OVERRIDE);
	attach_lsm("lab_cg_lsm", group, "socket_post_create");
	attach_link("lab_cg_dead", BPF_PROG_TYPE_CGROUP_SKB, dead, BPF_CGROUP_INET_INGRESS);
	close(dead);
	rmdir(CGROUP "/dead");
	query(CGROUP);
	query(CGROUP "/lab");
	query(CGROUP "/lab/child one");
}

/* ---- interfaces and namespaces ---- */

/* BPF_LINK_CREATE with the attributes that netfilter needs */
static void attach_netfilter(const char *name)
{
	struct {
		__u32 prog_fd, target_fd, attach_type, flags;
		__u32 pf, hook;
		__s32 priority;
		__u32 netfilter_flags;
	} link = { .attach_type = NETFILTER, .pf = AF_INET, .hook = FORWARD, .priority = -77 };
	int prog = load_for((enum bpf_prog_type)PROG_NETFILTER, name, NETFILTER);

	link.prog_fd = (__u32)prog;
	report(name, prog < 0 ? prog : (int)syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof(link)));
}

static void add_attribute(struct nlmsghdr *n, unsigned short type, const void *data, size_t len)
{
	struct rtattr *a = (struct rtattr *)((char *)n + NLMSG_ALIGN(n->nlmsg_len));

	a->rta_type = type;
	a->rta_len = (unsigned short)RTA_LENGTH(len);
	if (len)
		memcpy(RTA_DATA(a), data, len);
	n->nlmsg_len = NLMSG_ALIGN(n->nlmsg_len) + RTA_ALIGN(a->rta_len);
}

/* makes a pair of netkit devices; returns the index of the first */
static unsigned int make_netkit(void)
{
	struct {
		struct nlmsghdr n;
		struct ifinfomsg i;
		char room[256];
	} ask = {
		.n = { .nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
		       .nlmsg_type = RTM_NEWLINK,
		       .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK },
	};
	int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	struct rtattr *info;
	char answer[512];

	add_attribute(&ask.n, IFLA_IFNAME, "labkit", 7);
	info = (struct rtattr *)((char *)&ask.n + NLMSG_ALIGN(ask.n.nlmsg_len));
	add_attribute(&ask.n, IFLA_LINKINFO, NULL, 0);
	add_attribute(&ask.n, IFLA_INFO_KIND, "netkit", 7);
	info->rta_len = (unsigned short)((char *)&ask.n + ask.n.nlmsg_len - (char *)info);
	if (send(s, &ask, ask.n.nlmsg_len, 0) > 0)
		recv(s, answer, sizeof(answer), 0);
	close(s);
	return if_nametoindex("labkit");
}

/* in a namespace of its own, without links */
static void attach_in_namespace(const char *directory)
{
	int before = open("/proc/self/ns/net", O_RDONLY), prog;
	char command[256];

	if (unshare(CLONE_NEWNET)) {
		report("lab_xdp_plain", -1);
		return;
	}
	prog = load_for(BPF_PROG_TYPE_XDP, "lab_xdp_plain", 0);
	if (prog >= 0) {
		/* generic XDP, which every interface supports: XDP_FLAGS_SKB_MODE */
		errno = -bpf_xdp_attach(LOOPBACK, prog, 2, NULL);
		prog = errno ? -1 : prog;
	}
	report("lab_xdp_plain", prog);
	attach_plain("lab_flow", BPF_PROG_TYPE_FLOW_DISSECTOR, 0, BPF_FLOW_DISSECTOR, 0);
	attach_plain("lab_tcx_plain", BPF_PROG_TYPE_SCHED_CLS, LOOPBACK, TCX_EGRESS, 0);
	snprintf(command, sizeof(command), "bpftool -j net >%s/net.own 2>%s/net.own.err", directory,
		 directory);
	if (system(command))
		printf("note: bpftool net failed\n");
	/* the descriptor keeps the namespace alive */
	open("/proc/self/ns/net", O_RDONLY);
	setns(before, CLONE_NEWNET);
}

static void attach_to_network(const char *directory)
{
	unsigned int kit = make_netkit();

	attach_link("lab_xdp", BPF_PROG_TYPE_XDP, LOOPBACK, BPF_XDP);
	attach_link("lab_tcx", BPF_PROG_TYPE_SCHED_CLS, LOOPBACK, TCX_INGRESS);
	attach_link("lab_netkit", BPF_PROG_TYPE_SCHED_CLS, (int)kit, NETKIT_PRIMARY);
	attach_plain("lab_kit_plain", BPF_PROG_TYPE_SCHED_CLS, (int)kit, NETKIT_PEER, 0);
	attach_link("lab_sk_lookup", BPF_PROG_TYPE_SK_LOOKUP, open("/proc/self/ns/net", O_RDONLY),
		    BPF_SK_LOOKUP);
	attach_netfilter("lab_netfilter");
	attach_in_namespace(directory);
}

/* ---- maps ---- */

static void attach_iterator(const char *name, const char *what, int map)
{
	union bpf_iter_link_info info = { .map.map_fd = (__u32)map };
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_ITER);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	int id = libbpf_find_vmlinux_btf_id(what, BPF_TRACE_ITER), prog;

	if (map >= 0) {
		link.iter_info = &info;
		link.iter_info_len = sizeof(info);
	}
	opts.attach_btf_id = (__u32)id;
	prog = load(BPF_PROG_TYPE_TRACING, name, &opts);
	report(name, prog < 0 ? prog : bpf_link_create(prog, 0, BPF_TRACE_ITER, &link));
}

static void attach_to_maps(void)
{
	int hash = bpf_map_create(BPF_MAP_TYPE_HASH, "lab_hash", 4, 8, 4, NULL);
	int sockets = bpf_map_create(BPF_MAP_TYPE_SOCKMAP, "lab_sockets", 4, 4, 4, NULL);

	attach_iterator("lab_iter", "task", -1);
	attach_iterator("lab_iter_map", "bpf_map_elem", hash);
	attach_link("lab_sockmap", BPF_PROG_TYPE_SK_SKB, sockets, BPF_SK_SKB_STREAM_VERDICT);
	sockets = bpf_map_create(BPF_MAP_TYPE_SOCKHASH, "lab_hashed", 4, 4, 4, NULL);
	attach_plain("lab_sock_plain", BPF_PROG_TYPE_SK_MSG, sockets, BPF_SK_MSG_VERDICT, 0);
}

/* ---- sockets ---- */

static void attach_to_socket(const char *name, enum bpf_prog_type type, int option)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0), on = 1, prog = load_for(type, name, 0);

	setsockopt(s, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
	report(name, prog < 0 ? prog : setsockopt(s, SOL_SOCKET, option, &prog, sizeof(prog)));
	/* the socket keeps the program */
	close(prog);
}

/* takes nothing; such a filter has no name */
static void attach_classic(const char *name, int family)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog filter = { .len = 1, .filter = &nothing };
	int s = socket(family, SOCK_RAW, 0);

	report(name,
	       s < 0 ? s : setsockopt(s, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)));
}

static void attach_to_sockets(void)
{
	attach_to_socket("lab_socket", BPF_PROG_TYPE_SOCKET_FILTER, SO_ATTACH_BPF);
	attach_to_socket("lab_reuseport", BPF_PROG_TYPE_SOCKET_FILTER, SO_ATTACH_REUSEPORT_EBPF);
	attach_classic("classic PACKET", AF_PACKET);
	attach_classic("classic NETLINK", AF_NETLINK);
}

/* ---- tcp_congestion_ops ---- */

static const struct btf_type *find_struct(const struct btf *btf, const char *name, int *id)
{
	*id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	return *id < 0 ? NULL : btf__type_by_id(btf, (__u32)*id);
}

/* index of a member, and its offset in bytes */
static int find_member(const struct btf *btf, const struct btf_type *t, const char *name,
		       __u32 *offset)
{
	int i;

	for (i = 0; i < btf_vlen(t); i++) {
		if (!strcmp(btf__name_by_offset(btf, btf_members(t)[i].name_off), name)) {
			*offset = btf_member_bit_offset(t, (__u32)i) / 8;
			return i;
		}
	}
	return -1;
}

static int load_function(const char *name, int structure, int member)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = (__u32)structure,
		    .expected_attach_type = (enum bpf_attach_type)member);

	return load(BPF_PROG_TYPE_STRUCT_OPS, name, &opts);
}

/* a congestion control that nobody uses; @flags: of the map, BPF_F_LINK to attach it with a link */
static void attach_structure(const char *name, unsigned int flags)
{
	static const char *const functions[] = { "ssthresh", "undo_cwnd", "cong_avoid" };
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);
	struct btf *btf = btf__load_vmlinux_btf(), *own = btf__new_empty();
	__u32 data, offset, zero = 0;
	const struct btf_type *ops, *value;
	int ops_id, value_id, map, member, fd = -1;
	char *bytes;
	size_t i;

	/* a kernel may be built without BTF */
	ops = btf ? find_struct(btf, "tcp_congestion_ops", &ops_id) : NULL;
	value = ops ? find_struct(btf, "bpf_struct_ops_tcp_congestion_ops", &value_id) : NULL;
	if (!ops || !value || find_member(btf, value, "data", &data) < 0) {
		errno = ENOENT;
		report(name, -1);
		return;
	}
	bytes = calloc(1, value->size);
	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		member = find_member(btf, ops, functions[i], &offset);
		fd = load_function(functions[i], ops_id, member);
		*(unsigned long *)(bytes + data + offset) = (unsigned long)fd;
	}
	find_member(btf, ops, "name", &offset);
	strcpy(bytes + data + offset, name);
	opts.btf_vmlinux_value_type_id = (__u32)value_id;
	/* the kernel wants a BTF from the program, too */
	btf__add_int(own, "int", 4, BTF_INT_SIGNED);
	btf__load_into_kernel(own);
	opts.btf_fd = (__u32)btf__fd(own);
	map = bpf_map_create(BPF_MAP_TYPE_STRUCT_OPS, name, 4, value->size, 1, &opts);
	fd = fd < 0 || map < 0 ? -1 : bpf_map_update_elem(map, &zero, bytes, 0);
	if (fd >= 0 && flags)
		fd = bpf_link_create(map, 0, (enum bpf_attach_type)44, NULL); /* BPF_STRUCT_OPS */
	report(name, fd);
}

int main(int argc, char **argv)
{
	libbpf_set_print(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	attach_to_groups();
	attach_to_network(argc > 1 ? argv[1] : "/tmp");
	attach_to_maps();
	attach_to_sockets();
	attach_structure("lab_struct", 0);
	attach_structure("lab_struct_link", 1u << 13); /* BPF_F_LINK */
	printf("ready\n");
	for (;;)
		pause();
}
