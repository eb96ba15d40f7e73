// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * attach.c - rows of kind bpf: everything in link_idr that no other kind lists,
 * and what was attached without a link.
 */
#include "attach.h"

int otst_attached(struct otst *o, struct otst_probes *ret)
{
	static const struct {
		int (*look)(struct otst_attach *);
		const char *witnesses; /* of otst_doubt_absence() */
	} parts[] = {
		{ otst_attach_links, "bpf_link_prime" },
		{ otst_attach_cgroups, "__cgroup_bpf_attach cgroup_bpf_attach" },
		{ otst_attach_nets, NULL },
		{ otst_attach_sockets, "sk_attach_bpf" },
		{ otst_attach_sockmaps, "sock_map_prog_update" },
		{ otst_attach_struct_ops, "bpf_struct_ops_map_alloc" },
	};
	struct otst_attach a = { .o = o };
	bool none = true;
	int err;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		err = otst_doubt_absence(o, parts[i].look(&a), parts[i].witnesses);
		none &= err == OTST_ERR_LOOKUP;
		err = err && err != OTST_ERR_LOOKUP ? otst_note(o, &a.errors, err) : 0;
		if (err)
			return err;
	}
	if (none)
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "this kernel attaches no BPF programs to groups or interfaces");
	*ret = otst_probes_of(&a.probes, &a.errors);
	return 0;
}
