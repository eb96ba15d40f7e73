/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * attach.h - kind bpf: BPF programs that are attached to neither a kernel
 * function nor an event, but to control groups, interfaces, network
 * namespaces, netfilter, iterators, sockmaps, or structures of functions.
 */
#ifndef OTST_BPF_ATTACH_H
#define OTST_BPF_ATTACH_H

#include "bpf.h"

#define OTST_BPF_NO_TYPE UINT32_MAX /* an attach type that is unknown */

/** struct otst_attach - rows so far; @probes, @errors: for otst_probes_of() */
struct otst_attach {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
};

/**
 * otst_attach_row() - a new row of kind bpf, armed (attach_row.c); never NULL
 * @record: what holds the program there
 */
struct otst_probe *otst_attach_row(struct otst_attach *a, uint64_t record, const char *place);

/**
 * otst_attach_name() - enum bpf_attach_type as bpftool prints it (attach_row.c)
 *
 * Return: "cgroup_inet_ingress"; for a type that only the kernel knows, the
 * kernel's own word in the same form, else the number; "?" for OTST_BPF_NO_TYPE.
 */
const char *otst_attach_name(struct otst *o, uint32_t type);

/**
 * otst_attach_type_fact() - note the attach type
 * @target: "cgroup /user.slice": @p->target becomes "cgroup /user.slice (cgroup_device)"
 */
void otst_attach_type_fact(struct otst *o, struct otst_probe *p, const char *target,
			   const char *type);

/** otst_enum_word() - otst_enum_name() without @prefix, in lower case; NULL when unknown */
const char *otst_enum_word(struct otst *o, const char *sibling, const char *prefix, int64_t value);

/* ---- what has links: link_idr (link.c) ---- */

/** otst_attach_links() - rows of all links that no other kind lists; LOOKUP when there are none */
int otst_attach_links(struct otst_attach *a);

/* ---- traffic control (tc.c) ---- */

/** otst_tc_programs() - add the programs of the filters behind the struct mini_Qdisc @queue to a vector of uint64_t */
int otst_tc_programs(struct otst *o, uint64_t queue, struct otst_vec *ret);

/* ---- control groups (cgroup.c) ---- */

/** otst_attach_cgroups() - rows of programs on control groups without a link */
int otst_attach_cgroups(struct otst_attach *a);

/** otst_cgroup_path() - path from the root of the hierarchy, which is "/"; notes its id in @p */
int otst_cgroup_path(struct otst *o, uint64_t cgroup, struct otst_probe *p, const char **ret);

/** otst_cgroup_has_link() - is the struct bpf_cgroup_link in one of the group's lists */
int otst_cgroup_has_link(struct otst *o, uint64_t cgroup, uint64_t link, bool *ret);

/* ---- interfaces and network namespaces (net.c) ---- */

/** otst_attach_nets() - rows of programs on interfaces and namespaces without a link */
int otst_attach_nets(struct otst_attach *a);

/**
 * otst_walk_nets() - begin a walk of all network namespaces
 * @ret: where the walk's nodes lie in struct net
 *
 * Return: 0 or LOOKUP.
 */
int otst_walk_nets(struct otst *o, struct otst_walk *w, uint64_t *ret);

/** otst_net_number() - a struct net's inode number; also notes it in @p */
int otst_net_number(struct otst *o, uint64_t net, struct otst_probe *p, uint64_t *ret);

/**
 * otst_net_of() - the network namespace that the possible_net_t @member leads to; init_net without CONFIG_NET_NS,
 *	where it is empty
 */
int otst_net_of(struct otst *o, const char *type, uint64_t at, const char *member, uint64_t *ret);

/** otst_net_interface() - name of a struct net_device; notes it, its number and netns in @p */
int otst_net_interface(struct otst *o, uint64_t dev, struct otst_probe *p, const char **ret);

/**
 * otst_xdp_mode() - how the device runs what @link attached
 * @ret: "generic", "driver", "offload"; NULL when it does not run it
 */
int otst_xdp_mode(struct otst *o, uint64_t dev, uint64_t link, const char **ret);

/* ---- sockets (socket.c) ---- */

/** otst_attach_sockets() - rows of filters on sockets, and of programs that choose one of several */
int otst_attach_sockets(struct otst_attach *a);

/* ---- maps of sockets (sockmap.c) ---- */

/** otst_attach_sockmaps() - rows of programs on maps of sockets that have no link */
int otst_attach_sockmaps(struct otst_attach *a);

/* ---- structures of functions (struct_ops.c) ---- */

/** otst_attach_struct_ops() - rows of structures in use that have no link */
int otst_attach_struct_ops(struct otst_attach *a);

/** otst_struct_ops_row() - fill @p from the struct bpf_struct_ops_map at @map */
int otst_struct_ops_row(struct otst *o, uint64_t map, struct otst_probe *p);

#endif /* OTST_BPF_ATTACH_H */
