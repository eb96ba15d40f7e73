// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * link.c - struct bpf_link of include/linux/bpf.h: all links by their number
 * (link_idr of kernel/bpf/syscall.c, since 5.8), except for those on functions,
 * tracepoints and perf events, which other kinds list where they run. The
 * structure around a link says where its program is.
 */
#include <inttypes.h>

#include "attach.h"

#define MAX_NAME 64

struct link {
	struct otst_attach *a;
	struct otst_probe *p;
	uint64_t addr;
	uint32_t type;
	uint32_t attach; /* attach type; OTST_BPF_NO_TYPE when struct bpf_link has none */
};

typedef int describe_fn(struct link *l);

static void set_target(struct link *link, const char *target)
{
	link->p->target = target;
}

/* the link outlived what it was attached to */
static void set_gone(struct link *link, const char *what)
{
	link->p->claim = OTST_CLAIM_REMOVED;
	set_target(link, otst_format(link->a->o, "%s that no longer exists", what));
}

/*
 * Linux b725441f02c2 ("bpf: Add attach_type field to bpf_link") (v6.17): before it
 * each link had its own, in @type's @member
 */
static int set_attach_type(struct link *link, const char *target, const char *type,
			   const char *member)
{
	struct otst *o = link->a->o;
	uint64_t value = link->attach;
	int err = 0;

	if (!target)
		return otst_no_memory(o);
	if (link->attach == OTST_BPF_NO_TYPE)
		err = otst_read_member(o, type, link->addr, member, &value);
	if (!err)
		otst_attach_type_fact(o, link->p, target, otst_attach_name(o, (uint32_t)value));
	return err;
}

/* ---- by what they are attached to ---- */

static int describe_cgroup(struct link *link)
{
	struct otst *o = link->a->o;
	const char *path;
	uint64_t cgroup;
	bool there;
	int err = otst_read_member(o, "bpf_cgroup_link", link->addr, "cgroup", &cgroup);

	if (err || !cgroup) {
		if (!err)
			set_gone(link, "cgroup");
		return err;
	}
	err = otst_cgroup_path(o, cgroup, link->p, &path);
	if (!err)
		err = set_attach_type(link, otst_format(o, "cgroup %s", path), "bpf_cgroup_link",
				      "type");
	err = err ?: otst_cgroup_has_link(o, cgroup, link->addr, &there);
	if (!err && !there)
		link->p->disagree = "attached to a cgroup whose lists do not have it";
	return err;
}

static int describe_iterator(struct link *link)
{
	struct otst *o = link->a->o;
	uint64_t at, map = 0, cgroup = 0;
	const char *name, *target, *path;
	int err = otst_read_member(o, "bpf_iter_link", link->addr, "tinfo", &at);

	err = err ?: otst_read_member(o, "bpf_iter_target_info", at, "reg_info", &at);
	err = err ?: otst_read_member_string(o, "bpf_iter_reg", at, "target", MAX_NAME, &name);
	if (!err)
		otst_probe_fact(o, link->p, "target_name", name, 0);
	if (!err && otst_has_member(o, "bpf_iter_link", "aux.map"))
		err = otst_read_member(o, "bpf_iter_link", link->addr, "aux.map", &map);
	if (!err && otst_has_member(o, "bpf_iter_link", "aux.cgroup.start"))
		err = otst_read_member(o, "bpf_iter_link", link->addr, "aux.cgroup.start", &cgroup);
	if (err)
		return err;
	target = otst_format(o, "iter %s", name);
	if (map) {
		err = otst_read_member(o, "bpf_map", map, "id", &at);
		if (!err)
			otst_probe_fact(o, link->p, "map_id", NULL, (int64_t)at);
		target = err ? target : otst_format(o, "%s map %" PRIu64, target, at);
	} else if (cgroup) {
		err = otst_cgroup_path(o, cgroup, link->p, &path);
		target = err ? target : otst_format(o, "%s %s", target, path);
	}
	if (!err)
		set_target(link, target);
	return err;
}

static int describe_netns(struct link *link)
{
	struct otst *o = link->a->o;
	uint64_t net, number;
	int err = otst_read_member(o, "bpf_netns_link", link->addr, "net", &net);

	if (err || !net) {
		if (!err)
			set_gone(link, "netns");
		return err;
	}
	err = otst_net_number(o, net, link->p, &number);
	return err ? err :
		     set_attach_type(link, otst_format(o, "netns %" PRIu64, number),
				     "bpf_netns_link", "type");
}

static int describe_xdp(struct link *link)
{
	struct otst *o = link->a->o;
	const char *name, *mode;
	uint64_t dev;
	int err = otst_read_member(o, "bpf_xdp_link", link->addr, "dev", &dev);

	if (err || !dev) {
		if (!err)
			set_gone(link, "xdp interface");
		return err;
	}
	err = otst_net_interface(o, dev, link->p, &name);
	err = err ?: otst_xdp_mode(o, dev, link->addr, &mode);
	if (err)
		return err;
	if (!mode) {
		link->p->disagree = "attached to an interface that does not have it";
		set_target(link, otst_format(o, "xdp %s", name));
		return 0;
	}
	otst_probe_fact(o, link->p, "mode", mode, 0);
	set_target(link, otst_format(o, "xdp %s (%s)", name, mode));
	return 0;
}

/* tcx and netkit: @type has the members dev, and location with the attach type */
static int describe_interface(struct link *link, const char *kind, const char *type)
{
	struct otst *o = link->a->o;
	const char *name;
	uint64_t dev;
	int err = otst_read_member(o, type, link->addr, "dev", &dev);

	if (err || !dev) {
		if (!err)
			set_gone(link, otst_format(o, "%s interface", kind));
		return err;
	}
	err = otst_net_interface(o, dev, link->p, &name);
	return err ? err :
		     set_attach_type(link, otst_format(o, "%s %s", kind, name), type, "location");
}

static int describe_tcx(struct link *link)
{
	return describe_interface(link, "tcx", "tcx_link");
}

static int describe_netkit(struct link *link)
{
	return describe_interface(link, "netkit", "netkit_link");
}

/* NFPROTO_* and NF_INET_*, as bpftool prints them */
static const char *name_hook(struct otst *o, uint64_t pf, uint64_t hook)
{
	static const char *const families[] = {
		[1] = "inet", [2] = "ip", [3] = "arp", [5] = "netdev", [7] = "bridge", [10] = "ip6"
	};
	static const char *const hooks[] = { "prerouting", "input", "forward", "output",
					     "postrouting" };
	const char *family =
		pf < sizeof(families) / sizeof(*families) && families[pf] ? families[pf] : "?";

	if ((pf == 1 || pf == 2 || pf == 10) && hook < sizeof(hooks) / sizeof(*hooks))
		return otst_format(o, "netfilter %s %s", family, hooks[hook]);
	return otst_format(o, "netfilter %s hook %" PRIu64, family, hook);
}

static int describe_netfilter(struct link *link)
{
	struct otst *o = link->a->o;
	uint64_t pf, hook, priority, net, number;
	struct otst_view v;
	int err = otst_view_read(o, "bpf_nf_link", link->addr, &v);

	if (err)
		return err;
	pf = otst_u64(&v, "hook_ops.pf");
	hook = otst_u64(&v, "hook_ops.hooknum");
	priority = otst_u64(&v, "hook_ops.priority");
	net = otst_u64(&v, "net");
	if (otst_u64(&v, "dead"))
		link->p->claim = OTST_CLAIM_REMOVED;
	if (v.err)
		return v.err;
	otst_probe_fact(o, link->p, "pf", NULL, (int64_t)pf);
	otst_probe_fact(o, link->p, "hook", NULL, (int64_t)hook);
	otst_probe_fact(o, link->p, "prio", NULL, (int64_t)priority);
	err = net ? otst_net_number(o, net, link->p, &number) : 0;
	if (!err)
		set_target(link, otst_format(o, "%s prio %" PRId64, name_hook(o, pf, hook),
					     (int64_t)priority));
	return err;
}

static int describe_sockmap(struct link *link)
{
	struct otst *o = link->a->o;
	struct otst_view map;
	const char *name;
	uint64_t at, id;
	int err = otst_read_member(o, "sockmap_link", link->addr, "map", &at);

	if (err || !at) {
		if (!err)
			set_gone(link, "sockmap");
		return err;
	}
	err = otst_view_read(o, "bpf_map", at, &map);
	if (err)
		return err;
	name = otst_chars(&map, "name");
	id = otst_u64(&map, "id");
	if (map.err)
		return map.err;
	otst_probe_fact(o, link->p, "map_id", NULL, (int64_t)id);
	otst_probe_fact(o, link->p, "map", name, 0);
	return set_attach_type(link, otst_format(o, "sockmap %s", name), "sockmap_link",
			       "attach_type");
}

static int describe_struct_ops(struct link *link)
{
	uint64_t map;
	int err = otst_read_member(link->a->o, "bpf_struct_ops_link", link->addr, "map", &map);

	if (err || !map) {
		if (!err)
			set_gone(link, "struct_ops");
		return err;
	}
	return otst_struct_ops_row(link->a->o, map, link->p);
}

/*
 * enum bpf_link_type, whose numbers never change; @elsewhere: rows of other kinds
 * list what is attached this way
 */
static const struct type_row {
	const char *name;
	describe_fn *describe;
	bool elsewhere;
} types[] = {
	[1] = { "raw_tracepoint", NULL, true },
	[2] = { "tracing", NULL, true },
	[3] = { "cgroup", describe_cgroup, false },
	[4] = { "iter", describe_iterator, false },
	[5] = { "netns", describe_netns, false },
	[6] = { "xdp", describe_xdp, false },
	[7] = { "perf_event", NULL, true },
	[8] = { "kprobe_multi", NULL, true },
	[9] = { "struct_ops", describe_struct_ops, false },
	[10] = { "netfilter", describe_netfilter, false },
	[11] = { "tcx", describe_tcx, false },
	[12] = { "uprobe_multi", NULL, true },
	[13] = { "netkit", describe_netkit, false },
	[14] = { "sockmap", describe_sockmap, false },
	[15] = { "tracing_multi", NULL, true },
};

/* ---- all of them ---- */

/* a type from a future kernel gets at least its name */
static const struct type_row *find_link_row(struct otst *o, uint32_t type, struct type_row *unknown)
{
	if (type < sizeof(types) / sizeof(*types) && types[type].name)
		return &types[type];
	unknown->name = otst_enum_word(o, "BPF_LINK_TYPE_UNSPEC", "BPF_LINK_TYPE_", type);
	unknown->name = unknown->name ?: otst_format(o, "link of type %" PRIu32, type);
	return unknown;
}

static int fill_row(struct link *link, const struct type_row *row, uint64_t id, uint64_t prog)
{
	struct otst *o = link->a->o;
	int err = 0;

	link->p->target = row->name;
	otst_probe_fact(o, link->p, "link_id", NULL, (int64_t)id);
	otst_probe_fact(o, link->p, "link_type", row->name, 0);
	/* a structure of functions has many programs, but its link has none */
	if (prog || row->describe != describe_struct_ops)
		err = otst_probe_error(o, link->p, otst_bpf_owner(o, prog, link->p));
	return err || !row->describe ? err : row->describe(link);
}

static int add_link(struct otst_attach *a, const struct otst_idr_entry *e)
{
	struct link link = { .a = a, .addr = e->ptr };
	struct type_row unknown = { 0 };
	const struct type_row *row;
	struct otst_view v;
	uint64_t id = 0, prog = 0;
	int err = otst_view_read(a->o, "bpf_link", e->ptr, &v);

	if (!err) {
		id = otst_u64(&v, "id");
		prog = otst_u64(&v, "prog");
		link.type = (uint32_t)otst_u64(&v, "type");
		link.attach = (uint32_t)otst_u64_or(&v, "attach_type", OTST_BPF_NO_TYPE);
		err = v.err;
	}
	if (!err && id != e->id)
		err = otst_raise(a->o, OTST_ERR_CORRUPT, "says it is %" PRIu64, id);
	row = err ? NULL : find_link_row(a->o, link.type, &unknown);
	if (row && row->elsewhere)
		return 0;
	link.p = otst_attach_row(a, e->ptr, otst_format(a->o, "link_idr %" PRIu64, e->id));
	if (err)
		link.p->claim = OTST_CLAIM_UNKNOWN;
	else
		err = fill_row(&link, row, id, prog);
	return otst_probe_error(a->o, link.p, err);
}

int otst_attach_links(struct otst_attach *a)
{
	struct otst_vec entries = { 0 };
	const struct otst_idr_entry *e;
	size_t i;
	int err = otst_idr_symbol(a->o, "link_idr", &entries, &a->errors);

	for (i = 0, e = entries.data; i < entries.count && !err; i++) {
		err = add_link(a, &e[i]);
		err = err ?: otst_check(a->o);
	}
	return err ? otst_fail(a->o, err, "BPF links") : 0;
}
