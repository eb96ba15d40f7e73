// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpf.c - BPF programs that own probes: struct bpf_prog and its aux of
 * include/linux/bpf.h.
 */
#include <string.h>

#include "probes.h"

int otst_bpf_owner(struct otst *o, uint64_t prog, struct otst_probe *p)
{
	struct otst_view v;
	uint64_t aux;
	int err;

	p->owner = (struct otst_owner){ .kind = OTST_OWNER_BPF };
	err = otst_read_member(o, "bpf_prog", prog, "aux", &aux);
	if (!err)
		err = otst_view_read(o, "bpf_prog_aux", aux, &v);
	if (err)
		return otst_fail(o, err, "BPF program");
	p->owner.name = otst_view_has(&v, "name") ? otst_chars(&v, "name") : "";
	err = otst_probe_fact(o, p, "program", NULL, (int64_t)(uint32_t)otst_u64_or(&v, "id", 0));
	return err ? err : v.err;
}
