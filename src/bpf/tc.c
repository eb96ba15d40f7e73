// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tc.c - programs of traffic control's filters: struct tcf_proto of include/net/sch_generic.h, of
 * kind "bpf" (net/sched/cls_bpf.c, often a module, whose structures have not changed since 4.1).
 */
#include <string.h>

#include "attach.h"

#define WORD 8u

/* the list of filters in a struct cls_bpf_head; the program comes before a filter's node */
struct layout {
	uint64_t list;
	uint64_t back; /* from the node to the program */
};

static struct layout find_tc_layout(struct otst *o)
{
	const struct otst_member *list, *link, *program;

	if (!otst_has_member(o, "cls_bpf_head", "plist") ||
	    otst_member(o, "cls_bpf_head", "plist", &list) ||
	    otst_member(o, "cls_bpf_prog", "link", &link) ||
	    otst_member(o, "cls_bpf_prog", "filter", &program))
		return (struct layout){ 0, WORD };
	return (struct layout){ list->offset, link->offset - program->offset };
}

/* @proto: a struct tcf_proto; of other kinds nothing is read */
static int read_filters(struct otst *o, uint64_t proto, struct otst_vec *ret)
{
	const struct layout layout = find_tc_layout(o);
	uint64_t ops, head, node, program;
	struct otst_walk w;
	struct otst_view v;
	int err = otst_read_member(o, "tcf_proto", proto, "ops", &ops);

	err = err ?: otst_view_read(o, "tcf_proto_ops", ops, &v);
	err = err ?: otst_read_member(o, "tcf_proto", proto, "root", &head);
	if (err || !head || strcmp(otst_chars(&v, "kind"), "bpf") != 0)
		return err;
	otst_walk_list(o, head + layout.list, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = otst_read_u64(o, node - layout.back, &program);
		if (!err && program)
			*(uint64_t *)otst_vec_push(o, ret, sizeof(program)) = program;
	}
	return err ?: w.err;
}

int otst_tc_programs(struct otst *o, uint64_t queue, struct otst_vec *ret)
{
	const struct otst_member *next;
	uint64_t first, proto;
	struct otst_walk w;
	int err = otst_member(o, "tcf_proto", "next", &next);

	err = err ?: otst_read_member(o, "mini_Qdisc", queue, "filter_list", &first);
	if (err)
		return err;
	otst_walk_chain(o, first, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &proto))
		err = read_filters(o, proto, ret);
	return err ?: w.err;
}
