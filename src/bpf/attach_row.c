// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * attach_row.c - the row of an attachment, and the names of enum bpf_attach_type of
 * include/uapi/linux/bpf.h.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "attach.h"

/* indexed by the numbers of the kernel's interface to user space, which never change */
static const char *const types[] = {
	"cgroup_inet_ingress",
	"cgroup_inet_egress",
	"cgroup_inet_sock_create",
	"cgroup_sock_ops",
	"sk_skb_stream_parser",
	"sk_skb_stream_verdict",
	"cgroup_device",
	"sk_msg_verdict",
	"cgroup_inet4_bind",
	"cgroup_inet6_bind",
	"cgroup_inet4_connect",
	"cgroup_inet6_connect",
	"cgroup_inet4_post_bind",
	"cgroup_inet6_post_bind",
	"cgroup_udp4_sendmsg",
	"cgroup_udp6_sendmsg",
	"lirc_mode2",
	"flow_dissector",
	"cgroup_sysctl",
	"cgroup_udp4_recvmsg",
	"cgroup_udp6_recvmsg",
	"cgroup_getsockopt",
	"cgroup_setsockopt",
	"trace_raw_tp",
	"trace_fentry",
	"trace_fexit",
	"modify_return",
	"lsm_mac",
	"trace_iter",
	"cgroup_inet4_getpeername",
	"cgroup_inet6_getpeername",
	"cgroup_inet4_getsockname",
	"cgroup_inet6_getsockname",
	"xdp_devmap",
	"cgroup_inet_sock_release",
	"xdp_cpumap",
	"sk_lookup",
	"xdp",
	"sk_skb_verdict",
	"sk_reuseport_select",
	"sk_reuseport_select_or_migrate",
	"perf_event",
	"trace_kprobe_multi",
	"lsm_cgroup",
	"struct_ops",
	"netfilter",
	"tcx_ingress",
	"tcx_egress",
	"trace_uprobe_multi",
	"cgroup_unix_connect",
	"cgroup_unix_sendmsg",
	"cgroup_unix_recvmsg",
	"cgroup_unix_getpeername",
	"cgroup_unix_getsockname",
	"netkit_primary",
	"netkit_peer",
};

struct otst_probe *otst_attach_row(struct otst_attach *a, uint64_t record, const char *place)
{
	struct otst_probe *p = otst_probe_add(a->o, &a->probes, OTST_PROBE_BPF, record, place);

	p->target = "?";
	p->claim = OTST_CLAIM_ARMED;
	p->evidence.seen = OTST_SEEN_NONE;
	p->owner.kind = OTST_OWNER_BPF;
	return p;
}

const char *otst_enum_word(struct otst *o, const char *sibling, const char *prefix, int64_t value)
{
	const char *name = otst_enum_name(o, sibling, value);
	size_t len = strlen(prefix);
	char *word, *at;

	if (!name)
		return NULL;
	word = otst_copy(o, strncmp(name, prefix, len) ? name : name + len);
	for (at = word; at && *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return word;
}

const char *otst_attach_name(struct otst *o, uint32_t type)
{
	const char *name;

	if (type < sizeof(types) / sizeof(*types))
		return types[type];
	if (type == OTST_BPF_NO_TYPE)
		return "?";
	name = otst_enum_word(o, "BPF_CGROUP_INET_INGRESS", "BPF_", type);
	name = name ?: otst_format(o, "%" PRIu32, type);
	return name ? name : "?";
}

void otst_attach_type_fact(struct otst *o, struct otst_probe *p, const char *target,
			   const char *type)
{
	p->target = otst_format(o, "%s (%s)", target, type);
	otst_probe_fact(o, p, "attach_type", type, 0);
}
