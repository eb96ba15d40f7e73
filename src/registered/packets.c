// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * packets.c - who sees packets: netfilter's hooks (struct nf_hook_entries of
 * include/linux/netfilter.h) of each network namespace and interface, receive handlers of
 * interfaces, handlers by type (struct packet_type), and protocols.
 */
#include "registered.h"

#define MOST_HOOKS 1024u /* MAX_HOOK_COUNT */
#define PTYPES	   16u	 /* PTYPE_HASH_SIZE */
#define PROTOCOLS  256u	 /* MAX_INET_PROTOS */
#define FAMILIES   46u	 /* AF_MAX */

/* ---- netfilter ---- */

/* Linux 960632ece694 ("netfilter: convert hook list to an array") (v4.14) */
static int give_entries(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	const struct otst_member *hooks;
	uint64_t count, size, i;
	int err;

	if (!at)
		return 0;
	err = otst_read_member(r->o, "nf_hook_entries", at, "num_hook_entries", &count);
	err = err ?: otst_member(r->o, "nf_hook_entries", "hooks", &hooks);
	err = err ?: otst_type_size(r->o, "nf_hook_entry", &size);
	if (!err && count > MOST_HOOKS)
		err = otst_raise(r->o, OTST_ERR_CORRUPT, "%llu hooks", (unsigned long long)count);
	if (err)
		return otst_registry_lost(r, err, where);
	for (i = 0; i < count && !err; i++)
		err = otst_registry_give(r, where, "nf_hook_entry", at + hooks->offset + i * size,
					 "hook");
	return err;
}

static const struct family {
	const char *member; /* of struct net; "?MEMBER" where it depends on the configuration */
	const char *name;
	const char *hooks[6]; /* enum nf_inet_hooks and its like */
} families[] = {
	{ "nf.hooks_ipv4",
	  "ipv4",
	  { "PRE_ROUTING", "LOCAL_IN", "FORWARD", "LOCAL_OUT", "POST_ROUTING", "INGRESS" } },
	{ "nf.hooks_ipv6",
	  "ipv6",
	  { "PRE_ROUTING", "LOCAL_IN", "FORWARD", "LOCAL_OUT", "POST_ROUTING", "INGRESS" } },
	{ "?nf.hooks_arp", "arp", { "IN", "OUT", "FORWARD" } },
	{ "?nf.hooks_bridge",
	  "bridge",
	  { "PRE_ROUTING", "LOCAL_IN", "FORWARD", "LOCAL_OUT", "POST_ROUTING", "BROUTING" } },
};

static int give_family(const struct otst_registered_walk *r, uint64_t net, const struct family *f)
{
	const bool optional = *f->member == '?';
	const char *where, *member = f->member + optional;
	const struct otst_member *m;
	uint64_t entries;
	uint32_t i;
	int err;

	if (optional && !otst_has_member(r->o, "net", member))
		return 0;
	err = otst_member(r->o, "net", member, &m);
	if (err)
		return otst_registry_lost(r, err, f->name);
	for (i = 0; i < m->count && !err; i++) {
		where = otst_format(r->o, "netfilter %s %s", f->name,
				    i < 6 && f->hooks[i] ? f->hooks[i] : "?");
		err = otst_read_u64(r->o, net + m->offset + 8 * (uint64_t)i, &entries);
		err = err ? otst_registry_lost(r, err, where) : give_entries(r, where, entries);
	}
	return err;
}

/* ---- handlers by type ---- */

static int visit_packet_type(const struct otst_registered_walk *r, const char *where, uint64_t at)
{
	static const char *const roles[] = { "func", "?list_func", NULL };

	return otst_registry_give_all(r, where, "packet_type", at, roles);
}

/* @count list_heads */
static int give_global_types(const struct otst_registered_walk *r, const char *name,
			     unsigned int count)
{
	uint64_t at = otst_symbol_or0(r->o, name), size = 0;
	struct otst_sym sym;
	unsigned int i;
	int err;

	if (!at)
		return 0;
	err = otst_type_size(r->o, "list_head", &size);
	if (err)
		return otst_registry_lost(r, err, name);
	otst_symbolize(r->o, at, &sym);
	for (i = 0; sym.addr == at && (i + 1) * size <= sym.size && i < count && !err; i++)
		err = otst_registry_list(r, name, at + i * size, "packet_type", "list",
					 visit_packet_type);
	return err;
}

/* ---- interfaces ---- */

/*
 * Both lists of a device, since 7866a621043f ("dev: add per net_device packet type chains") (v4.0), and of a
 * namespace, since 6.15: they came together
 */
static int give_both_lists(const struct otst_registered_walk *r, const char *all,
			   const char *specific, const char *type, uint64_t record)
{
	int err;

	if (!otst_has_member(r->o, type, "ptype_all") &&
	    !otst_has_member(r->o, type, "ptype_specific"))
		return 0;
	err = otst_registry_list_in(r, all, type, record, "ptype_all", "packet_type", "list",
				    visit_packet_type);
	if (!err)
		err = otst_registry_list_in(r, specific, type, record, "ptype_specific",
					    "packet_type", "list", visit_packet_type);
	return err;
}

static const char *interface_name(struct otst_view *v)
{
	return otst_chars(v, "name");
}

static int visit_interface_hooks(const struct otst_registered_walk *r, const char *net,
				 uint64_t dev)
{
	static const char *const entries[] = { "nf_hooks_ingress", "nf_hooks_egress" };
	struct otst_view v;
	size_t i;
	int err = otst_view_read(r->o, "net_device", dev, &v);

	(void)net;
	if (err)
		return otst_registry_lost(r, err, "an interface");
	for (i = 0; i < 2 && !err; i++)
		err = give_entries(
			r, otst_format(r->o, "netfilter %s %s", entries[i] + 9, interface_name(&v)),
			otst_u64_or(&v, entries[i], 0));
	return err;
}

/*
 * Operations of an interface are a table of the kernel's or of its driver's. Somebody who wants other
 * functions makes a copy elsewhere.
 */
static int give_operations(const struct otst_registered_walk *r, const char *where, uint64_t ops)
{
	static const char *const roles[] = { "?ndo_start_xmit", "?ndo_open", "?ndo_stop",
					     "?ndo_get_stats64", NULL };
	const struct otst_text_bounds *b = otst_text_bounds(r->o);
	const struct otst_module *m = otst_module_at(r->o, ops);

	if (!ops || (ops >= b->stext && ops < b->end) || (m && !m->hidden))
		return 0;
	return otst_registry_give_all(r, where, "net_device_ops", ops, roles);
}

static int visit_interface(const struct otst_registered_walk *r, const char *net, uint64_t dev)
{
	struct otst_view v;
	const char *where;
	int err = otst_view_read(r->o, "net_device", dev, &v);

	(void)net;
	if (err)
		return otst_registry_lost(r, err, "an interface");
	where = otst_format(r->o, "interface %s", interface_name(&v));
	err = otst_registry_give(r, where, "net_device", dev, "rx_handler");
	err = err ?: give_operations(r, where, otst_u64_or(&v, "netdev_ops", 0));
	return err ?: give_both_lists(r, where, where, "net_device", dev);
}

/* ---- namespaces ---- */

static int give_interfaces(const struct otst_registered_walk *r, const char *where, uint64_t net,
			   otst_registered_visit_fn *visit)
{
	return otst_registry_list_in(r, where, "net", net, "dev_base_head", "net_device",
				     "dev_list", visit);
}

static int visit_net_hooks(const struct otst_registered_walk *r, const char *where, uint64_t net)
{
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(families) / sizeof(*families) && !err; i++)
		err = give_family(r, net, &families[i]);
	return err ?: give_interfaces(r, where, net, visit_interface_hooks);
}

static int visit_net(const struct otst_registered_walk *r, const char *where, uint64_t net)
{
	int err = give_both_lists(r, "ptype_all", "ptype_specific", "net", net);

	return err ?: give_interfaces(r, where, net, visit_interface);
}

int otst_registered_netfilter(const struct otst_registered_walk *r)
{
	/* a kernel without CONFIG_NETFILTER has no hooks */
	return otst_symbol_or0(r->o, "nf_register_net_hook") ?
		       otst_registry_nets(r, "net_namespace_list", visit_net_hooks) :
		       0;
}

int otst_registered_packets(const struct otst_registered_walk *r)
{
	static const char *const handlers[] = { "handler", "err_handler", NULL };
	static const char *const families_of[] = { "create", NULL };
	static const char *const offloads[] = { "callbacks.gro_receive", "callbacks.gro_complete",
						"callbacks.gso_segment", NULL };
	int err = otst_registry_nets(r, "net_namespace_list", visit_net);

	err = err ?: give_global_types(r, "ptype_all", 1);
	err = err ?: give_global_types(r, "ptype_base", PTYPES);
	err = err ?: otst_registry_table(r, "inet_protos", "net_protocol", handlers, PROTOCOLS);
	err = err ?: otst_registry_table(r, "inet6_protos", "inet6_protocol", handlers, PROTOCOLS);
	err = err ?: otst_registry_table(r, "inet_offloads", "net_offload", offloads, PROTOCOLS);
	err = err ?: otst_registry_table(r, "inet6_offloads", "net_offload", offloads, PROTOCOLS);
	if (!err)
		err = otst_registry_table(r, "net_families", "net_proto_family", families_of,
					  FAMILIES);
	return err;
}
