// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * socket.c - programs on sockets: struct sk_filter (SO_ATTACH_FILTER, SO_ATTACH_BPF) and struct
 * sock_reuseport (SO_ATTACH_REUSEPORT_CBPF, _EBPF) of a struct sock (include/net/sock.h). Sockets
 * are found among the open files, and those for packets in their namespaces' lists, too: nobody
 * needs to have these open. Sockets that were accepted share the filter of the one that listens.
 */
#include <inttypes.h>
#include <string.h>

#include "../tasks/files.h"
#include "attach.h"

#define MOST_NAMES 8u /* processes that are named */

/* which program of a struct sock; @member has what holds it, a @type */
static const struct place {
	const char *member;
	const char *type;
	const char *how;
	const char *classic; /* what the kernel made of a filter in the form of before BPF */
} places[] = {
	{ "sk_filter", "sk_filter", "filter", "classic filter" },
	/* Linux ef456144da8e ("soreuseport: define reuseport groups") (v4.5) */
	{ "sk_reuseport_cb", "sock_reuseport", "reuseport", "classic reuseport" },
};

/* a program that was found, and who has its sockets open */
struct use {
	struct otst_probe *p;
	const char *protocol;
	const char *how;
	size_t sockets, processes;
	uint64_t pid; /* of the last process */
	const char *names;
};

struct search {
	struct otst_attach *a;
	struct otst_set seen;	       /* each struct sock */
	struct otst_hashmap by_holder; /* by struct sk_filter, struct sock_reuseport */
	struct otst_vec uses;	       /* of struct use * */
};

/* ---- one socket ---- */

/* "PACKET", "UDP", "NETLINK": sk_prot's name */
static int read_protocol(struct otst *o, uint64_t sk, const char **ret)
{
	const struct otst_member *name;
	uint64_t prot;
	int err = otst_read_member(o, "sock", sk, "__sk_common.skc_prot", &prot);

	err = err ?: otst_member(o, "proto", "name", &name);
	return err ?: otst_read_string(o, prot + name->offset, name->size, ret);
}

/*
 * A filter that was written for the classic machine has no program of user space behind it that
 * anybody could hold. Programs that listen to udev or to the kernel's routes filter in that way what
 * they are sent: that is everywhere, and no hook.
 */
static int fill_program(struct otst *o, struct use *u, const struct place *place, uint64_t prog)
{
	struct otst_program program = { 0 };
	int err = otst_program_read(o, prog, &program);

	if (err)
		return otst_fail(o, err, "BPF program");
	u->how = program.type ? place->how : place->classic;
	if (program.type)
		return otst_bpf_owner(o, prog, u->p);
	u->p->owner.name = place->classic;
	u->p->routine = !strcmp(u->protocol, "NETLINK") || !strncmp(u->protocol, "UNIX", 4);
	return 0;
}

static int add_use(struct search *s, const struct place *place, uint64_t sk, uint64_t holder,
		   struct use **ret)
{
	struct otst *o = s->a->o;
	void **known = otst_hashmap_place(o, &s->by_holder, holder);
	struct use *u, **slot;
	uint64_t prog, net, number;
	int err;

	if (!known)
		return OTST_ERR_NOMEM;
	slot = otst_vec_push(o, &s->uses, sizeof(*slot));
	u = otst_new(o, sizeof(*u));
	*known = *slot = *ret = u;
	*u = (struct use){ .protocol = "?", .how = place->how, .names = "" };
	u->p = otst_attach_row(s->a, holder, otst_format(o, "%s of 0x%" PRIx64, place->member, sk));
	err = otst_read_member(o, place->type, holder, "prog", &prog);
	err = err ?: read_protocol(o, sk, &u->protocol);
	err = err ?: fill_program(o, u, place, prog);
	err = err ?: otst_net_of(o, "sock", sk, "__sk_common.skc_net", &net);
	err = err ?: otst_net_number(o, net, u->p, &number);
	if (err)
		u->p->claim = OTST_CLAIM_UNKNOWN;
	return otst_probe_error(o, u->p, err);
}

static void add_process(struct otst *o, struct use *u, const struct otst_task *leader, bool is_new)
{
	u->sockets += is_new;
	if (!leader || (u->processes && u->pid == leader->tgid))
		return;
	u->pid = leader->tgid;
	if (u->processes++ < MOST_NAMES)
		u->names = otst_format(o, "%s%s%s/%" PRIu64, u->names, u->processes > 1 ? ", " : "",
				       leader->comm ? leader->comm : "?", leader->tgid);
}

/* a group for reuseport may have no program */
static int look_at_place(struct search *s, const struct place *place, uint64_t sk,
			 const struct otst_task *leader, bool is_new)
{
	struct otst *o = s->a->o;
	uint64_t holder, prog = 1;
	struct use *u;
	int err;

	if (!otst_has_member(o, "sock", place->member))
		return 0;
	err = otst_read_member(o, "sock", sk, place->member, &holder);
	if (err || !holder)
		return err;
	u = otst_hashmap_find(&s->by_holder, holder);
	if (!u && place != places)
		err = otst_read_member(o, place->type, holder, "prog", &prog);
	if (!u && !err && prog)
		err = add_use(s, place, sk, holder, &u);
	if (!err && u)
		add_process(o, u, leader, is_new);
	return err;
}

/* @leader: of a process that has it open; NULL for a socket that nobody has */
static int look_at_socket(struct search *s, uint64_t sk, const struct otst_task *leader)
{
	bool is_new = false;
	int err = otst_set_add(s->a->o, &s->seen, sk, &is_new);

	if (!leader && !is_new)
		return 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !err; i++)
		err = look_at_place(s, &places[i], sk, leader, is_new);
	return err ? otst_note(s->a->o, &s->a->errors,
			       otst_fail(s->a->o, err, "socket 0x%" PRIx64, sk)) :
		     0;
}

/* ---- all sockets ---- */

static int search_files(struct search *s)
{
	struct otst *o = s->a->o;
	const struct otst_open_files *files;
	const struct otst_open_file *f;
	uint64_t sk;
	int err = otst_open_files(o, &files);

	for (size_t i = 0; !err && i < files->count; i++) {
		f = &files->items[i];
		if (f->kind != OTST_FILE_SOCKET)
			continue;
		err = otst_read_member(o, "socket", f->object, "sk", &sk);
		/* one that is being closed has none */
		if (!err && sk)
			err = look_at_socket(s, sk, f->leader);
		err = err ? otst_note(o, &s->a->errors,
				      otst_fail(o, err, "socket 0x%" PRIx64, f->object)) :
			    otst_check(o);
	}
	if (!err && files->bad)
		otst_note_text(o, &s->a->errors,
			       otst_format(o, "sockets: %s%s", files->first,
					   files->bad > 1 ? otst_format(o, " (and %zu more)",
									files->bad - 1) :
							    ""));
	return err;
}

/* net.packet.sklist */
static int search_net(struct search *s, uint64_t net)
{
	const struct otst_member *list, *node;
	struct otst_walk w;
	uint64_t at;
	int err = otst_member(s->a->o, "net", "packet.sklist", &list);

	err = err ?: otst_member(s->a->o, "sock", "__sk_common.skc_node", &node);
	if (err)
		return err;
	otst_walk_hlist(s->a->o, net + list->offset, &w);
	while (!err && otst_walk_next(&w, &at))
		err = look_at_socket(s, at - node->offset, NULL);
	err = err ?: w.err;
	return err ? otst_note(s->a->o, &s->a->errors,
			       otst_fail(s->a->o, err, "sockets of net 0x%" PRIx64, net)) :
		     0;
}

static int search_nets(struct search *s)
{
	struct otst_walk w;
	uint64_t list, node;
	int err = otst_walk_nets(s->a->o, &w, &list);

	if (err || !otst_has_member(s->a->o, "net", "packet.sklist"))
		return err;
	while (!err && otst_walk_next(&w, &node))
		err = search_net(s, node - list);
	return err ?: w.err;
}

static void finish_use(struct otst *o, const struct use *u)
{
	const char *names = u->processes > MOST_NAMES ? otst_format(o, "%s, ..", u->names) :
							u->names;

	otst_attach_type_fact(o, u->p,
			      otst_format(o, "socket %s of %s", u->protocol,
					  u->processes ? names : "nobody"),
			      u->how);
	otst_probe_fact(o, u->p, "sockets", NULL, (int64_t)u->sockets);
	otst_probe_fact(o, u->p, "processes", NULL, (int64_t)u->processes);
}

int otst_attach_sockets(struct otst_attach *a)
{
	struct search s = { .a = a };
	struct use **u;
	size_t i;
	const struct otst_member *m;
	int err = otst_member(a->o, "sock", "sk_filter", &m);

	err = err ?: otst_member(a->o, "socket", "sk", &m);
	if (err)
		return err;
	err = search_files(&s);
	if (!err || err == OTST_ERR_LOOKUP)
		err = search_nets(&s);
	for (i = 0, u = s.uses.data; i < s.uses.count; i++)
		finish_use(a->o, u[i]);
	return err;
}
