// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sockmap.c - programs on maps of sockets that were attached without a link: struct bpf_stab and
 * struct bpf_shtab of net/core/sock_map.c, their struct sk_psock_progs of include/linux/skmsg.h.
 */
#include <inttypes.h>

#include "attach.h"

#define TYPE_SOCKMAP  15u /* BPF_MAP_TYPE_SOCKMAP, _SOCKHASH: user-space interface */
#define TYPE_SOCKHASH 18u

/*
 * @link: Linux 699c23f02c65 ("bpf: Add bpf_link support for sk_msg and sk_skb progs") (v6.10);
 * @how: enum bpf_attach_type
 */
static const struct place {
	const char *prog;
	const char *link;
	uint32_t how;
} places[] = {
	{ "msg_parser", "msg_parser_link", 7 },
	{ "stream_parser", "stream_parser_link", 4 },
	{ "stream_verdict", "stream_verdict_link", 5 },
	/* Linux a7ba4558e69a ("sock_map: Introduce BPF_SK_SKB_VERDICT") (v5.13) */
	{ "skb_verdict", "skb_verdict_link", 38 },
};

/* Linux ae8b8332fbb5 ("sock_map: Rename skb_parser and skb_verdict") (v5.13) */
static const struct place older[] = {
	{ "msg_parser", NULL, 7 },
	{ "skb_parser", NULL, 4 },
	{ "skb_verdict", NULL, 5 },
};

static int add_socket_place(struct otst_attach *a, const struct otst_map *m, uint64_t progs,
			    const struct place *place)
{
	struct otst_view v;
	struct otst_probe *p;
	uint64_t prog;
	int err = otst_view_read(a->o, "sk_psock_progs", progs, &v);

	if (err)
		return err;
	prog = otst_u64_or(&v, place->prog, 0);
	if (!prog || (place->link && otst_u64_or(&v, place->link, 0)))
		return 0;
	p = otst_attach_row(a, m->addr, otst_format(a->o, "map_idr %" PRIu32, m->id));
	otst_probe_fact(a->o, p, "map", m->name, 0);
	otst_probe_fact(a->o, p, "map_id", NULL, m->id);
	otst_attach_type_fact(a->o, p, otst_format(a->o, "sockmap %s", m->name),
			      otst_attach_name(a->o, place->how));
	return otst_probe_error(a->o, p, otst_bpf_owner(a->o, prog, p));
}

static int add_sockmap(struct otst_attach *a, const struct otst_map *m, const char *type)
{
	bool old = otst_has_member(a->o, "sk_psock_progs", "skb_parser");
	size_t i, n = old ? sizeof(older) / sizeof(*older) : sizeof(places) / sizeof(*places);
	const struct otst_member *progs;
	int err = otst_member(a->o, type, "progs", &progs);

	for (i = 0; i < n && !err; i++)
		err = add_socket_place(a, m, m->addr + progs->offset, old ? &older[i] : &places[i]);
	return err ? otst_note(a->o, &a->errors,
			       otst_fail(a->o, err, "programs of map %" PRIu32, m->id)) :
		     0;
}

int otst_attach_sockmaps(struct otst_attach *a)
{
	const struct otst_bpf *b;
	const struct otst_map *m;
	uint64_t size;
	size_t i;
	int err;

	err = otst_type_size(a->o, "bpf_stab", &size);
	err = err ?: otst_type_size(a->o, "sk_psock_progs", &size);
	err = err ?: otst_bpf_read(a->o, &b);
	for (i = 0, m = err ? NULL : b->maps.data; !err && i < b->maps.count; i++) {
		if (m[i].type == TYPE_SOCKMAP || m[i].type == TYPE_SOCKHASH)
			err = add_sockmap(a, &m[i],
					  m[i].type == TYPE_SOCKMAP ? "bpf_stab" : "bpf_shtab");
	}
	if (!err)
		otst_notes(a->o, &a->errors, &b->errors);
	return err;
}
