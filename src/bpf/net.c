// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * net.c - programs on interfaces and network namespaces that were attached
 * without a link: net_device.xdp_state, the tcx and netkit entries (struct
 * bpf_mprog_entry of include/linux/bpf_mprog.h), and netns_bpf.progs. Links are in
 * a tree of their own. And filters of traffic control.
 */
#include <inttypes.h>

#include "attach.h"

#define MAX_PROGRAMS 64u /* BPF_MPROG_MAX */
#define PRIVATE	     32u /* NETDEV_ALIGN: alignment of what follows a struct net_device */

#define TCX_INGRESS    46u /* enum bpf_attach_type */
#define TCX_EGRESS     47u
#define NETKIT_PRIMARY 54u
#define NETKIT_PEER    55u

/* ---- names ---- */

int otst_net_number(struct otst *o, uint64_t net, struct otst_probe *p, uint64_t *ret)
{
	int err = otst_read_member(o, "net", net, "ns.inum", ret);

	if (!err)
		otst_probe_fact(o, p, "netns", NULL, (int64_t)*ret);
	return err;
}

int otst_net_of(struct otst *o, const char *type, uint64_t at, const char *member, uint64_t *ret)
{
	const struct otst_member *net;
	int err = otst_member(o, type, member, &net);

	if (!err && !net->size)
		return otst_symbol(o, "init_net", ret);
	return err ?: otst_read_member(o, type, at, otst_format(o, "%s.net", member), ret);
}

int otst_net_interface(struct otst *o, uint64_t dev, struct otst_probe *p, const char **ret)
{
	uint64_t net, number, own = otst_symbol_or0(o, "init_net");
	struct otst_view v;
	int64_t index;
	int err = otst_view_read(o, "net_device", dev, &v);

	if (err)
		return otst_fail(o, err, "interface 0x%" PRIx64, dev);
	*ret = otst_chars(&v, "name");
	index = (int64_t)otst_u64(&v, "ifindex");
	if (!v.err) {
		otst_probe_fact(o, p, "interface", *ret, 0);
		otst_probe_fact(o, p, "ifindex", NULL, index);
	}
	err = v.err ?: otst_net_of(o, "net_device", dev, "nd_net", &net);
	err = err ?: otst_net_number(o, net, p, &number);
	if (err)
		return otst_fail(o, err, "interface 0x%" PRIx64, dev);
	if (net != own)
		*ret = otst_format(o, "%s in netns %" PRIu64, *ret, number);
	return 0;
}

/* ---- XDP ---- */

/* enum bpf_xdp_mode, as bpftool prints it */
static const char *mode_name(uint32_t mode)
{
	static const char *const names[] = { "generic", "driver", "offload" };

	return mode < sizeof(names) / sizeof(*names) ? names[mode] : "?";
}

/*
 * net_device.xdp_state has an entry for each mode; there is none before Linux 7f0a838254bd
 * ("bpf, xdp: Maintain info on attached XDP BPF programs in net_device") (v5.9)
 */
static int count_modes(struct otst *o, uint32_t *ret)
{
	const struct otst_member *states;
	int err;

	*ret = 0;
	if (!otst_has_member(o, "net_device", "xdp_state") && !otst_has_type(o, "bpf_xdp_entity"))
		return 0;
	err = otst_member(o, "net_device", "xdp_state", &states);
	if (!err)
		*ret = states->count;
	return err;
}

static int read_net_state(struct otst *o, uint64_t dev, uint32_t mode, uint64_t *prog,
			  uint64_t *link)
{
	const struct otst_member *states;
	uint64_t at;
	int err = otst_member(o, "net_device", "xdp_state", &states);

	if (err)
		return err;
	at = dev + states->offset + mode * (states->size / states->count);
	err = otst_read_member(o, "bpf_xdp_entity", at, "prog", prog);
	return err ? err : otst_read_member(o, "bpf_xdp_entity", at, "link", link);
}

int otst_xdp_mode(struct otst *o, uint64_t dev, uint64_t link, const char **ret)
{
	uint64_t prog, theirs;
	uint32_t mode, n;
	int err = count_modes(o, &n);

	*ret = NULL;
	for (mode = 0; !err && mode < n && !*ret; mode++) {
		err = read_net_state(o, dev, mode, &prog, &theirs);
		if (!err && theirs == link)
			*ret = mode_name(mode);
	}
	return err;
}

/* ---- rows ---- */

/* @kind: "xdp", "tcx"; @how: the mode, or the attach type */
static int add_device_row(struct otst_attach *a, uint64_t dev, uint64_t prog, const char *kind,
			  const char *how, bool is_mode)
{
	const char *name, *target;
	struct otst_probe *p =
		otst_attach_row(a, dev, otst_format(a->o, "interface 0x%" PRIx64 " %s", dev, kind));
	int err;

	err = otst_probe_error(a->o, p, otst_bpf_owner(a->o, prog, p));
	if (err)
		return err;
	err = otst_net_interface(a->o, dev, p, &name);
	if (err)
		return otst_probe_error(a->o, p, err);
	target = otst_format(a->o, "%s %s", kind, name);
	if (!is_mode) {
		otst_attach_type_fact(a->o, p, target, how);
		return 0;
	}
	p->target = otst_format(a->o, "%s (%s)", target, how);
	otst_probe_fact(a->o, p, "mode", how, 0);
	return 0;
}

static int add_xdp(struct otst_attach *a, uint64_t dev)
{
	uint64_t prog, link;
	uint32_t mode, n;
	int err = count_modes(a->o, &n);

	for (mode = 0; !err && mode < n; mode++) {
		err = read_net_state(a->o, dev, mode, &prog, &link);
		if (!err && prog && !link)
			err = add_device_row(a, dev, prog, "xdp", mode_name(mode), true);
	}
	return err;
}

/* a struct bpf_mprog_entry: an array of programs, each with or without a link */
static int add_net_entry(struct otst_attach *a, uint64_t dev, uint64_t entry, const char *kind,
			 uint32_t type)
{
	const struct otst_member *programs, *links;
	uint64_t bundle, prog, link = 0;
	int err = otst_member(a->o, "bpf_mprog_entry", "fp_items", &programs);

	err = err ?: otst_member(a->o, "bpf_mprog_bundle", "cp_items", &links);
	err = err ?: otst_read_member(a->o, "bpf_mprog_entry", entry, "parent", &bundle);
	for (uint32_t i = 0; i < MAX_PROGRAMS && !err; i++) {
		err = otst_read_u64(a->o, entry + programs->offset + 8 * (uint64_t)i, &prog);
		if (err || !prog)
			break;
		err = otst_read_u64(a->o, bundle + links->offset + 8 * (uint64_t)i, &link);
		if (!err && !link)
			err = add_device_row(a, dev, prog, kind, otst_attach_name(a->o, type),
					     false);
	}
	return err ? otst_fail(a->o, err, "%s programs", kind) : 0;
}

static int add_tcx(struct otst_attach *a, uint64_t dev)
{
	uint64_t entry;
	int err;

	/* Linux e420bed02507 ("bpf: Add fd-based tcx multi-prog infra with link support") (v6.6) */
	if (!otst_has_member(a->o, "net_device", "tcx_ingress"))
		return 0;
	err = otst_read_member(a->o, "net_device", dev, "tcx_ingress", &entry);
	if (!err && entry)
		err = add_net_entry(a, dev, entry, "tcx", TCX_INGRESS);
	err = err ?: otst_read_member(a->o, "net_device", dev, "tcx_egress", &entry);
	if (!err && entry)
		err = add_net_entry(a, dev, entry, "tcx", TCX_EGRESS);
	return err;
}

/* ---- filters of traffic control ---- */

/* the struct mini_Qdisc of one direction, 0 for none: since 6.6 it is in the tcx_entry, around its bundles */
static int find_qdisc_queue(struct otst *o, uint64_t dev, const char *tcx, const char *older,
			    uint64_t *ret)
{
	const struct otst_member *bundle;
	uint64_t entry;
	int err;

	*ret = 0;
	if (otst_has_member(o, "net_device", older))
		return otst_read_member(o, "net_device", dev, older, ret);
	if (!otst_has_member(o, "tcx_entry", "miniq") || !otst_has_member(o, "net_device", tcx))
		return 0;
	err = otst_read_member(o, "net_device", dev, tcx, &entry);
	if (err || !entry)
		return err;
	err = otst_member(o, "tcx_entry", "bundle", &bundle);
	err = err ?: otst_read_member(o, "bpf_mprog_entry", entry, "parent", &entry);
	return err ?: otst_read_member(o, "tcx_entry", entry - bundle->offset, "miniq", ret);
}

static int add_filters(struct otst_attach *a, uint64_t dev)
{
	static const struct {
		const char *tcx;
		const char *older;
		const char *name;
	} sides[] = { { "tcx_ingress", "miniq_ingress", "ingress" },
		      { "tcx_egress", "miniq_egress", "egress" } };
	const uint64_t *program;
	uint64_t queue;
	size_t i, k;
	int err = 0;

	if (!otst_has_member(a->o, "mini_Qdisc", "filter_list"))
		return 0;
	for (i = 0; i < 2 && !err; i++) {
		struct otst_vec programs = { 0 };

		err = find_qdisc_queue(a->o, dev, sides[i].tcx, sides[i].older, &queue);
		if (!err && queue)
			err = otst_tc_programs(a->o, queue, &programs);
		for (k = 0, program = programs.data; k < programs.count && !otst_stopped(a->o); k++)
			err = add_device_row(a, dev, program[k], "tc", sides[i].name, true) ?: err;
	}
	return err ? otst_fail(a->o, err, "filters of traffic control") : 0;
}

/* a netkit device is recognised by its operations; its own structure follows the device's */
static int add_netkit(struct otst_attach *a, uint64_t dev)
{
	uint64_t ours = otst_symbol_or0(a->o, "netkit_netdev_ops"), ops, size, at, entry, primary;
	const struct otst_member *priv;
	int err;

	if (!ours || !otst_has_member(a->o, "netkit", "primary"))
		return 0;
	err = otst_read_member(a->o, "net_device", dev, "netdev_ops", &ops);
	if (err || ops != ours)
		return err;
	if (!otst_member(a->o, "net_device", "priv", &priv)) {
		at = dev + priv->offset;
	} else {
		err = otst_type_size(a->o, "net_device", &size);
		if (err)
			return err;
		at = dev + (size + PRIVATE - 1) / PRIVATE * PRIVATE;
	}
	err = otst_read_member(a->o, "netkit", at, "active", &entry);
	err = err ?: otst_read_member(a->o, "netkit", at, "primary", &primary);
	if (!err && entry)
		err = add_net_entry(a, dev, entry, "netkit",
				    primary ? NETKIT_PRIMARY : NETKIT_PEER);
	return err;
}

static int add_interface(struct otst_attach *a, uint64_t dev)
{
	int err = add_xdp(a, dev);

	err = err ?: add_tcx(a, dev);
	err = err ?: add_filters(a, dev);
	err = err ?: add_netkit(a, dev);
	return err ? otst_note(a->o, &a->errors,
			       otst_fail(a->o, err, "interface 0x%" PRIx64, dev)) :
		     otst_check(a->o);
}

/* ---- namespaces ---- */

static int fill_net(struct otst *o, uint64_t net, uint64_t prog, uint32_t index,
		    struct otst_probe *p)
{
	/* enum netns_bpf_attach_type */
	static const char *const names[] = { "flow_dissector", "sk_lookup" };
	uint64_t number;
	int err = otst_probe_error(o, p, otst_bpf_owner(o, prog, p));

	err = err ?: otst_net_number(o, net, p, &number);
	if (!err)
		otst_attach_type_fact(o, p, otst_format(o, "netns %" PRIu64, number),
				      index < sizeof(names) / sizeof(*names) ? names[index] : "?");
	return err;
}

/* Linux a3fd7ceee05c ("net: Introduce netns_bpf for BPF programs attached to netns") (v5.8) */
static int add_own(struct otst_attach *a, uint64_t net)
{
	const struct otst_member *programs;
	struct otst_probe *p;
	uint64_t prog;
	int err = 0;

	if (otst_member(a->o, "net", "bpf.progs", &programs))
		return 0;
	for (uint32_t i = 0; i < programs->count && !err; i++) {
		err = otst_read_u64(a->o, net + programs->offset + 8 * (uint64_t)i, &prog);
		if (err || !prog)
			continue;
		p = otst_attach_row(a, net, otst_format(a->o, "net 0x%" PRIx64, net));
		err = otst_probe_error(a->o, p, fill_net(a->o, net, prog, i, p));
	}
	return err;
}

static int add_net(struct otst_attach *a, uint64_t net)
{
	const struct otst_member *list, *devices;
	struct otst_walk w;
	uint64_t node;
	int err = add_own(a, net);

	err = err ?: otst_member(a->o, "net", "dev_base_head", &devices);
	err = err ?: otst_member(a->o, "net_device", "dev_list", &list);
	if (!err) {
		otst_walk_list(a->o, net + devices->offset, &w);
		while (!err && otst_walk_next(&w, &node))
			err = add_interface(a, node - list->offset);
		err = err ? err : w.err;
	}
	return err ? otst_note(a->o, &a->errors, otst_fail(a->o, err, "net 0x%" PRIx64, net)) : 0;
}

int otst_walk_nets(struct otst *o, struct otst_walk *w, uint64_t *ret)
{
	uint64_t head;
	int err = otst_symbol(o, "net_namespace_list", &head);

	err = err ?: otst_offset(o, "net", "list", ret);
	if (!err)
		otst_walk_list(o, head, w);
	return err;
}

int otst_attach_nets(struct otst_attach *a)
{
	struct otst_walk w;
	uint64_t list, node;
	int err = otst_walk_nets(a->o, &w, &list);

	if (!err && !otst_has_member(a->o, "net_device", "xdp_state") &&
	    !otst_has_member(a->o, "net", "bpf.progs"))
		err = otst_raise(a->o, OTST_ERR_LOOKUP, "interfaces do not keep their programs");
	if (err)
		return err;
	while (!err && otst_walk_next(&w, &node))
		err = add_net(a, node - list);
	return err ? err : w.err;
}
