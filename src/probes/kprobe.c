// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kprobe.c - kprobe_table[64] of kernel/kprobes.c: every struct kprobe that is
 * registered. Several users of one address, or one user whose probe was
 * optimized, are on the list of an aggregate (struct optimized_kprobe), which
 * is then in the table in their place. The result is one otst_probe
 * for each user, in the order of the kernel's kprobes/list, with claim and
 * evidence side by side.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../capturers/catcher.h"
#include "../capturers/stap.h"
#include "../ftrace/ftrace.h"
#include "probes.h"

#define TABLE_SIZE 64 /* KPROBE_TABLE_SIZE: 1 << KPROBE_HASH_BITS, 6 in every kernel */

#define FLAGS_KNOWN 0xffu /* room for flags to come; other bits mean garbage */

#define FLAG(name) [__builtin_ctz(OTST_KPROBE_##name)] = #name

static const char *const flag_names[] = {
	FLAG(GONE), FLAG(DISABLED), FLAG(OPTIMIZED), FLAG(FTRACE), FLAG(ON_FUNC_ENTRY), NULL,
};
_Static_assert(1u << (sizeof(flag_names) / sizeof(*flag_names) - 2) == OTST_KPROBE_END - 1,
	       "a flag has no name");

#define MAX_SYMBOL_NAME 512

/* many times what any machine arms; a corrupt chain must not take minutes */
#define MAX_PROBES (1u << 19)
#define MAX_BUCKET (1u << 16)

/* one entry of an optimizer queue */
struct queued {
	uint64_t op;
	const char *queue;
};

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
	struct otst_vec queued;
	bool queues_cut; /* some could not be read: any probe may wait in one */
	bool all_disarmed;
	int bucket;
};

/* ---- optimizer queues ---- */

static int read_optimizer_queue(struct listing *list, const char *name)
{
	const struct otst_member *link;
	struct otst_walk w;
	struct queued *q;
	uint64_t head, node;
	int err = 0;

	/* a kernel without CONFIG_OPTPROBES has none */
	if (otst_symbol(list->o, name, &head))
		return 0;
	otst_walk_list(list->o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = otst_member(list->o, "optimized_kprobe", "list", &link);
		if (err)
			break;
		q = otst_vec_push(list->o, &list->queued, sizeof(*q));
		q->op = node - link->offset;
		/* "optimizing_list" holds what waits to be optimized */
		q->queue =
			otst_format(list->o, "%.*s", (int)(strlen(name) - strlen("_list")), name);
	}
	err = err ?: w.err;
	list->queues_cut = list->queues_cut || err;
	return err ? otst_note(list->o, &list->errors, otst_fail(list->o, err, "%s", name)) : 0;
}

static const char *find_optimizer_queue(const struct listing *list, uint64_t op)
{
	const struct queued *q = list->queued.data;

	for (size_t i = 0; i < list->queued.count; i++) {
		if (q[i].op == op)
			return q[i].queue;
	}
	return NULL;
}

/* ---- one user's record ---- */

/* the detour buffer of an optimized probe, and the bytes that its jump replaced */
static int read_optimized(struct listing *list, struct otst_probe *p)
{
	const struct otst_member *copied;
	struct otst_view v;
	int err;

	if (!(p->node_flags & OTST_KPROBE_OPTIMIZED))
		return 0;
	err = otst_view_read(list->o, "optimized_kprobe", p->node, &v);
	/* without CONFIG_OPTPROBES the flag means nothing */
	if (err)
		return otst_has_symbol(list->o, "optimizing_list") ? err : 0;
	p->queue = find_optimizer_queue(list, p->node);
	p->detour = otst_u64(&v, "optinsn.insn");
	if (v.err)
		return v.err;
	otst_evidence(list->o, p->addr, p->detour, &p->evidence);
	if (otst_lack(list->o,
		      otst_member(list->o, "optimized_kprobe", "optinsn.copied_insn", &copied)))
		return 0;
	/* copied only when the jump is written, and only the bytes that the breakpoint leaves */
	if (p->evidence.seen == OTST_SEEN_JUMP && p->nr_saved &&
	    p->nr_saved < otst_kernel(list->o)->arch->insn.branch_len &&
	    copied->size < OTST_TEXT_BYTES && copied->offset + copied->size <= v.size) {
		memcpy(p->saved + p->nr_saved, v.data + copied->offset, copied->size);
		p->nr_saved += (unsigned int)copied->size;
	}
	return 0;
}

static enum otst_claim claim_of(const struct listing *list, const struct otst_probe *p)
{
	if (p->flags & OTST_KPROBE_GONE)
		return OTST_CLAIM_GONE;
	if (p->flags & OTST_KPROBE_DISABLED)
		return OTST_CLAIM_DISABLED;
	return list->all_disarmed ? OTST_CLAIM_DISARMED : OTST_CLAIM_ARMED;
}

static enum otst_via via_of(const struct otst_probe *p)
{
	if (p->node_flags & OTST_KPROBE_FTRACE)
		return OTST_VIA_FTRACE;
	return p->node_flags & OTST_KPROBE_OPTIMIZED ? OTST_VIA_JUMP : OTST_VIA_INT3;
}

static enum otst_probe_kind kind_of_kprobe(struct otst *o, uint64_t pre_handler)
{
	if (otst_handler_is(o, pre_handler, "pre_handler_kretprobe"))
		return OTST_PROBE_KRETPROBE;
	if (otst_handler_is(o, pre_handler, "setjmp_pre_handler"))
		return OTST_PROBE_JPROBE;
	return OTST_PROBE_KPROBE;
}

static int read_jprobe(struct otst *o, struct otst_probe *p)
{
	const struct otst_member *m;
	uint64_t entry;
	int err;

	err = otst_member(o, "jprobe", "entry", &m);
	err = err ?: otst_read_u64(o, p->record + m->offset, &entry);
	if (!err)
		otst_handler_add(o, p, OTST_HANDLER_JPROBE, entry);
	return err;
}

static void read_handlers(struct otst *o, struct otst_probe *p, struct otst_view *v)
{
	otst_handler_add(o, p, OTST_HANDLER_PRE, otst_u64(v, "pre_handler"));
	otst_handler_add(o, p, OTST_HANDLER_POST, otst_u64(v, "post_handler"));
	otst_handler_add(o, p, OTST_HANDLER_FAULT, otst_u64_or(v, "fault_handler", 0));
	otst_handler_add(o, p, OTST_HANDLER_BREAK, otst_u64_or(v, "break_handler", 0));
}

static void read_saved_bytes(struct otst_probe *p, struct otst_view *v)
{
	const struct otst_arch *arch = otst_kernel(v->o)->arch;
	const struct otst_member *m;

	/* a probe on an ftrace site replaces nothing */
	if (p->node_flags & OTST_KPROBE_FTRACE ||
	    otst_lack(v->o, otst_member(v->o, "kprobe", "opcode", &m)) || m->size > 4 ||
	    m->offset + m->size > v->size)
		return;
	memcpy(p->saved, v->data + m->offset, m->size);
	p->nr_saved = (unsigned int)(arch->insn.len ? arch->insn.len(p->saved) : m->size);
}

static uint64_t handler_at(const struct otst_probe *p, enum otst_handler_role role)
{
	const struct otst_handler *h = otst_probe_handler(p, role);

	return h ? h->addr : 0;
}

/* the struct trace_kprobe around the kprobe, or struct trace_probe before that was factored out */
static int find_event_of_kprobe(struct otst *o, struct otst_probe *p, char letter)
{
	const char *type = otst_has_member(o, "trace_probe", "rp") ? "trace_probe" : "trace_kprobe";
	const struct otst_member *rp;
	int err = otst_member(o, type, "rp", &rp);

	return err ? err : otst_event_owner(o, p, type, p->record - rp->offset, letter);
}

/*
 * Who put it there: the handler tells. Functions of kernel/trace/trace_kprobe.c
 * stand for trace events and perf's local probes, whose structure surrounds the
 * record (event.c); a function in a module stands for that module.
 */
static int find_kprobe_owner(struct otst *o, struct otst_probe *p)
{
	p->owner = (struct otst_owner){ .kind = OTST_OWNER_UNKNOWN };
	if (otst_handler_is(o, handler_at(p, OTST_HANDLER_PRE), "kprobe_dispatcher"))
		return find_event_of_kprobe(o, p, 'p');
	if (otst_handler_is(o, handler_at(p, OTST_HANDLER_RETURN), "kretprobe_dispatcher"))
		return find_event_of_kprobe(o, p, 'r');
	otst_owner_of_handlers(o, p);
	return 0;
}

/* everything that hangs on the record; @v is the user's own struct kprobe */
static int fill_probe(struct listing *list, struct otst_probe *p, struct otst_view *v)
{
	struct otst *o = list->o;
	const struct otst_member *m;
	uint64_t name;
	int err = 0;

	p->addr = otst_u64(v, "addr");
	p->flags = (uint32_t)otst_u64(v, "flags");
	p->flag_names = flag_names;
	p->nmissed = otst_u64(v, "nmissed");
	p->offset = otst_u64(v, "offset");
	if (v->err)
		return v->err;
	/* "ainsn" is empty where instructions are never copied */
	if (!otst_view_has(v, "ainsn"))
		otst_lack(o, otst_member(o, "kprobe", "ainsn", &m));
	p->slot = otst_u64_or(v, "ainsn.insn", 0);
	name = otst_u64(v, "symbol_name");
	p->kind = kind_of_kprobe(o, otst_u64(v, "pre_handler"));
	p->claim = claim_of(list, p);
	p->via = via_of(p);
	read_handlers(o, p, v);
	if (v->err)
		return v->err;
	if (!otst_is_kernel_pointer(o, p->addr))
		return otst_raise(o, OTST_ERR_CORRUPT, "its address is 0x%" PRIx64, p->addr);
	if (p->flags & ~FLAGS_KNOWN || p->node_flags & ~FLAGS_KNOWN)
		err = otst_probe_error(list->o, p,
				       otst_raise(o, OTST_ERR_CORRUPT, "its flags are 0x%x",
						  p->flags | p->node_flags));
	otst_symbolize_all(o, p->addr, &p->sym);
	otst_evidence(o, p->addr, 0, &p->evidence);
	read_saved_bytes(p, v);
	/* the parts are independent: what one cannot read, the next still can */
	err = err ?: otst_probe_error(list->o, p, read_optimized(list, p));
	if (!err && p->kind == OTST_PROBE_KRETPROBE)
		err = otst_probe_error(list->o, p, otst_kretprobe(o, p));
	if (!err && p->kind == OTST_PROBE_JPROBE)
		err = otst_probe_error(list->o, p, read_jprobe(o, p));
	err = err ?: otst_probe_error(list->o, p, find_kprobe_owner(o, p));
	/* the name is only what was asked for; its memory may be gone with a module's init data */
	if (!err && name && otst_read_string(o, name, MAX_SYMBOL_NAME, &p->symbol_name))
		p->symbol_name = NULL;
	return err;
}

static struct otst_probe *add_probe(struct listing *list, enum otst_probe_kind kind,
				    uint64_t record, const char *place)
{
	struct otst_probe *p = otst_probe_add(list->o, &list->probes, kind, record, place);

	p->bucket = list->bucket;
	return p;
}

static int add_user(struct listing *list, uint64_t record, struct otst_view *node,
		    const char *place)
{
	struct otst_probe *p = add_probe(list, OTST_PROBE_KPROBE, record, place);
	struct otst_view v = *node;
	int err = 0;

	p->node = node->addr;
	p->node_flags = (uint32_t)otst_u64(node, "flags");
	if (record != node->addr)
		err = otst_view_read(list->o, "kprobe", record, &v);
	err = err ?: fill_probe(list, p, &v);
	return otst_probe_error(list->o, p, err);
}

/* ---- does the text agree with the record? ---- */

static bool text_fits(const struct otst_probe *p, bool queued, bool armed_sibling)
{
	enum otst_seen seen = p->evidence.seen;

	if (seen == OTST_SEEN_UNREADABLE)
		return true;
	switch (p->claim) {
	case OTST_CLAIM_ARMED:
		if (p->via == OTST_VIA_FTRACE)
			return seen == OTST_SEEN_CALL;
		/* the optimizer sets the flag first and the text seconds later */
		if (queued && p->node_flags & OTST_KPROBE_OPTIMIZED)
			return seen == OTST_SEEN_INT3 || seen == OTST_SEEN_JUMP;
		if (p->via == OTST_VIA_JUMP)
			return seen == OTST_SEEN_JUMP &&
			       (!p->detour || p->evidence.target == p->detour);
		return seen == OTST_SEEN_INT3;
	case OTST_CLAIM_DISABLED:
	case OTST_CLAIM_DISARMED:
		/* a call may serve other users of the ftrace site */
		return armed_sibling || queued ||
		       (seen != OTST_SEEN_INT3 && seen != OTST_SEEN_JUMP);
	case OTST_CLAIM_GONE:
	case OTST_CLAIM_UNUSED:
	case OTST_CLAIM_REMOVED:
	case OTST_CLAIM_UNKNOWN:
	case OTST_CLAIM_COUNT:
		break;
	}
	return true;
}

static void compare_with_text(struct listing *list, size_t first)
{
	struct otst_probe **p = list->probes.data;
	bool armed = false;

	for (size_t i = first; i < list->probes.count; i++)
		armed |= p[i]->claim == OTST_CLAIM_ARMED;
	for (size_t i = first; i < list->probes.count; i++) {
		bool is_armed = p[i]->claim == OTST_CLAIM_ARMED;

		if (p[i]->error || text_fits(p[i], p[i]->queue || list->queues_cut, armed))
			continue;
		p[i]->disagree = otst_format(list->o, "the record says %s%s%s, the text shows %s",
					     otst_claim_name(p[i]->claim), is_armed ? " by " : "",
					     is_armed ? otst_via_name(p[i]->via) : "",
					     otst_seen_name(p[i]->evidence.seen));
	}
}

/* ---- the table ---- */

static int add_leftover(struct listing *list, struct otst_view *node, const char *place)
{
	struct otst_probe *p = add_probe(list, OTST_PROBE_LEFTOVER, node->addr, place);

	p->claim = OTST_CLAIM_UNUSED;
	p->addr = otst_u64(node, "addr");
	p->flags = p->node_flags = (uint32_t)otst_u64(node, "flags");
	p->flag_names = flag_names;
	p->nmissed = otst_u64(node, "nmissed");
	p->queue = find_optimizer_queue(list, node->addr);
	p->owner.reason = "its last user was removed";
	otst_symbolize_all(list->o, p->addr, &p->sym);
	otst_evidence(list->o, p->addr, 0, &p->evidence);
	read_saved_bytes(p, node);
	return node->err;
}

static int add_aggregate(struct listing *list, struct otst_view *node, const char *place)
{
	size_t first = list->probes.count;
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t user;
	int err;

	err = otst_member(list->o, "kprobe", "list", &link);
	if (err)
		return err;
	otst_walk_list(list->o, node->addr + link->offset, &w);
	while (!err && list->probes.count < MAX_PROBES && otst_walk_next(&w, &user))
		err = add_user(list, user - link->offset, node, place);
	if (err)
		return err;
	if (w.err) {
		err = otst_note(list->o, &list->errors,
				otst_fail(list->o, w.err,
					  "%s: users of the aggregate at 0x%" PRIx64, place,
					  node->addr));
		if (!err)
			compare_with_text(list, first);
		return err;
	}
	if (!w.steps)
		return add_leftover(list, node, place);
	compare_with_text(list, first);
	return 0;
}

static int add_kprobe_node(struct listing *list, uint64_t addr, const char *place)
{
	size_t first = list->probes.count;
	struct otst_probe *p;
	struct otst_view v;
	int err;

	err = otst_view_read(list->o, "kprobe", addr, &v);
	if (!err && otst_handler_is(list->o, otst_u64(&v, "pre_handler"), "aggr_pre_handler"))
		return add_aggregate(list, &v, place);
	if (!err) {
		err = add_user(list, addr, &v, place);
		if (!err)
			compare_with_text(list, first);
		return err;
	}
	p = add_probe(list, OTST_PROBE_KPROBE, addr, place);
	return otst_probe_error(list->o, p, err);
}

static int walk_bucket(struct listing *list, unsigned int i, uint64_t first)
{
	const struct otst_member *link, *addr;
	struct otst_walk w;
	uint64_t node;
	const char *place;
	int err;

	err = otst_member(list->o, "kprobe", "hlist", &link);
	/* records without their addresses say nothing: the place of one may be any */
	err = err ?: otst_pointer(list->o, "kprobe", "addr", &addr);
	if (err)
		return err;
	place = otst_format(list->o, "kprobe_table[%u]", i);
	list->bucket = (int)i;
	otst_walk_chain(list->o, first, 0, 0, &w);
	while (!err && otst_walk_next(&w, &node)) {
		if (w.steps > MAX_BUCKET || list->probes.count >= MAX_PROBES) {
			err = otst_raise(list->o, OTST_ERR_CORRUPT, "no end after %zu probe%s",
					 w.steps, otst_number(w.steps, "", "s"));
			return otst_note(list->o, &list->errors,
					 otst_fail(list->o, err, "%s", place));
		}
		err = add_kprobe_node(list, node - link->offset, place);
	}
	if (!err && w.err)
		err = otst_note(list->o, &list->errors, otst_fail(list->o, w.err, "%s", place));
	return err;
}

static int walk_kprobe_table(struct listing *list, uint64_t table)
{
	unsigned char heads[TABLE_SIZE * 8];
	uint64_t head;
	unsigned int i;
	int err = otst_read(list->o, table, heads, sizeof(heads));

	if (!err) {
		for (i = 0; i < TABLE_SIZE && !err; i++)
			err = walk_bucket(list, i, otst_get(list->o, heads + 8 * (size_t)i, 8));
		return err;
	}
	/* the table spans two pages and one is missing: read bucket by bucket */
	for (i = 0, err = 0; i < TABLE_SIZE && !err; i++) {
		err = otst_read_u64(list->o, table + 8 * (uint64_t)i, &head);
		if (err)
			err = otst_note(list->o, &list->errors,
					otst_fail(list->o, err, "kprobe_table[%u]", i));
		else
			err = walk_bucket(list, i, head);
	}
	return err;
}

static int read_stray(struct otst *o, uint64_t record, const char *place, struct otst_probe **ret)
{
	struct listing list = { .o = o };
	struct otst_probe *p = otst_probe_add(o, &list.probes, OTST_PROBE_KPROBE, record, place);
	struct otst_view v;
	int err;

	err = otst_view_read(o, "kprobe", record, &v);
	if (!err) {
		/* the kernel optimizes only what is in its table */
		p->node_flags = (uint32_t)otst_u64(&v, "flags") & OTST_KPROBE_FTRACE;
		err = fill_probe(&list, p, &v);
	}
	p->claim = OTST_CLAIM_REMOVED;
	p->via = OTST_VIA_NONE;
	*ret = p;
	return otst_probe_error(o, p, err);
}

/* without modules and their symbols, handlers have no names and records are not found */
static int note_modules(struct otst *o, struct otst_probes *ret)
{
	struct otst_messages errors = { 0 };
	int err;

	otst_notes(o, &errors, &ret->errors);
	err = otst_modules_notes(o, &errors);
	ret->errors = errors;
	return err;
}

/* a catcher may know the address of a record that cannot be read */
static void look_at_text(struct otst *o, const struct otst_probes *probes)
{
	for (size_t i = 0; i < probes->count; i++) {
		struct otst_probe *p = probes->items[i];

		if (p->catcher && p->addr && !p->evidence.nr_found)
			otst_evidence(o, p->addr, p->detour, &p->evidence);
	}
}

int otst_kprobe_optimized(struct otst *o, uint64_t record)
{
	struct listing list = { .o = o };
	struct otst_probe p = { .addr = record,
				.node = record,
				.node_flags = OTST_KPROBE_OPTIMIZED };
	struct otst_view v;
	int err = otst_view_read(o, "kprobe", record, &v);

	if (err)
		return err;
	read_saved_bytes(&p, &v);
	return read_optimized(&list, &p);
}

int otst_kprobes(struct otst *o, struct otst_probes *ret)
{
	struct listing list = { .o = o };
	uint64_t table, disarmed;
	uint8_t value;
	int err;

	err = otst_symbol(o, "kprobe_table", &table);
	if (err)
		return otst_fail(o, err, "this kernel has no kprobes");
	disarmed = otst_symbol_or0(o, "kprobes_all_disarmed");
	err = disarmed ? otst_read_u8(o, disarmed, &value) : 0;
	if (disarmed && !err)
		list.all_disarmed = value;
	err = otst_note(o, &list.errors, err ? otst_fail(o, err, "kprobes_all_disarmed") : 0);
	err = err ?: read_optimizer_queue(&list, "optimizing_list");
	err = err ?: read_optimizer_queue(&list, "unoptimizing_list");
	err = err ?: read_optimizer_queue(&list, "freeing_list");
	err = err ?: walk_kprobe_table(&list, table);
	if (err)
		return err;
	*ret = otst_probes_of(&list.probes, &list.errors);
	ret->all_disarmed = list.all_disarmed;
	err = otst_catchers(o, read_stray, ret);
	err = err ?: otst_stap_kprobes(o, read_stray, ret);
	look_at_text(o, ret);
	return err ? err : note_modules(o, ret);
}
