// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * trampoline.c - struct bpf_trampoline of include/linux/bpf.h: BPF programs at
 * entry and return of a function, in place of its return value, and on
 * security hooks; also the program that replaces another one. The function
 * calls the trampoline directly, or through the callback of an ftrace_ops when
 * others share it.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "probes.h"

#define TABLE_SIZE 1024 /* TRAMPOLINE_TABLE_SIZE */
#define TYPE_LSM   29	/* BPF_PROG_TYPE_LSM */

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
};

/* @node: in the list of programs; the structures around it were moved twice */
static int find_program(struct otst *o, uint64_t node, uint64_t *ret)
{
	const struct otst_member *m;
	uint64_t link;
	int err;

	/* 7.x: a node of its own, so that one link can be on many functions */
	if (!otst_member(o, "bpf_tramp_node", "tramp_hlist", &m)) {
		err = otst_read_member(o, "bpf_tramp_node", node - m->offset, "link", &link);
		return err ? err : otst_read_member(o, "bpf_link", link, "prog", ret);
	}
	/* Linux f7e0beaf39d3 ("bpf, x86: Generate trampolines from bpf_tramp_links") (v5.19) */
	if (!otst_member(o, "bpf_tramp_link", "tramp_hlist", &m))
		return otst_read_member(o, "bpf_tramp_link", node - m->offset, "link.prog", ret);
	err = otst_member(o, "bpf_prog_aux", "tramp_hlist", &m);
	return err ? err : otst_read_member(o, "bpf_prog_aux", node - m->offset, "prog", ret);
}

/*
 * The text of a program has no ftrace site. bpf_arch_text_poke() writes a call
 * of the trampoline, or a jump to the program that runs instead, at its start or
 * after the instruction that marks an entry.
 */
static void judge_program(struct otst *o, struct otst_probe *p)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct otst_evidence *e = &p->evidence;
	size_t at = e->nr_found ? arch->insn.entry_mark(e->found) : 0;
	struct otst_branch b;
	struct otst_sym sym;

	if (e->seen != OTST_SEEN_UNTOUCHED || e->nr_found < at + arch->insn.branch_len ||
	    !arch->insn.branch(e->found + at, e->nr_found - at, p->addr + at, &b))
		return;
	e->seen = b.kind == OTST_BRANCH_CALL ? OTST_SEEN_CALL : OTST_SEEN_JUMP;
	e->target = b.target;
	otst_symbolize_all(o, e->target, &sym);
	e->target_name = sym.name;
}

static const char *find_disagreement(struct otst *o, const struct otst_probe *p, bool managed,
				     uint64_t prog)
{
	enum otst_seen seen = p->evidence.seen;
	uint64_t func;

	if (managed)
		return seen == OTST_SEEN_UNTOUCHED ?
			       "attached by a call at an ftrace site, but there is none" :
			       NULL;
	if (!otst_kernel(o)->arch->insn.bpf_pokes_straight || !p->evidence.nr_found)
		return NULL;
	if (p->kind != OTST_PROBE_FREPLACE)
		return seen != OTST_SEEN_CALL ? "attached by a call, but there is none" : NULL;
	if (seen != OTST_SEEN_JUMP)
		return "runs in its place by a jump, but there is none";
	if (!otst_read_member(o, "bpf_prog", prog, "bpf_func", &func) && func != p->evidence.target)
		return "the jump does not lead to the program that replaces it";
	return NULL;
}

/* where the trampoline is, as claimed and as found */
static void find_slot_place(struct otst *o, struct otst_view *tr, struct otst_probe *p,
			    bool managed)
{
	uint64_t addr = otst_u64(tr, "func.addr");

	p->addr = addr ? otst_ftrace_location(o, addr) : 0;
	if (!p->addr)
		p->target = "?";
	otst_evidence(o, p->addr, 0, &p->evidence);
	if (!managed && otst_kernel(o)->arch->insn.bpf_pokes_straight)
		judge_program(o, p);
	otst_symbolize_all(o, p->addr, &p->sym);
	p->claim = OTST_CLAIM_ARMED;
	p->via = managed ? OTST_VIA_FTRACE : OTST_VIA_NONE;
}

/*
 * Linux 69fd337a975c ("bpf: per-cgroup lsm flavor") (v6.0): a kernel function runs
 * on the security hook and appears as a bpf_prog without an id. It calls the
 * programs of the cgroups, which have rows of their own.
 */
static void name_shim(struct otst *o, uint64_t prog, struct otst_probe *p)
{
	static const char function[] = "__cgroup_bpf_run_lsm_";
	struct otst_sym sym;
	uint64_t func;

	if (otst_read_member(o, "bpf_prog", prog, "bpf_func", &func))
		return;
	otst_symbolize(o, func, &sym);
	if (!sym.name || strncmp(sym.name, function, strlen(function)))
		return;
	otst_handler_add(o, p, OTST_HANDLER_BPF, func);
	p->programs.count = 0;
	p->owner.name = "cgroups";
}

/* @found: the list's node; for the kind freplace, the struct bpf_prog itself */
static int add_program(struct listing *list, struct otst_view *tr, enum otst_probe_kind kind,
		       uint64_t found, const char *place)
{
	struct otst *o = list->o;
	const struct otst_program *program;
	bool managed = otst_u64_or(tr, "func.ftrace_managed", 0);
	uint64_t prog = found;
	int err;
	struct otst_probe *p = otst_probe_add(o, &list->probes, kind, tr->addr, place);

	find_slot_place(o, tr, p, managed);
	p->at_return = kind == OTST_PROBE_FEXIT;
	err = tr->err || kind == OTST_PROBE_FREPLACE ? tr->err : find_program(o, found, &prog);
	err = err ?: otst_bpf_owner(o, prog, p);
	program = p->programs.data;
	if (!err && program->type == TYPE_LSM)
		p->kind = OTST_PROBE_LSM;
	if (!err && !program->id)
		name_shim(o, prog, p);
	if (err && !otst_fatal(err) && p->owner.kind == OTST_OWNER_UNKNOWN)
		p->owner.kind = OTST_OWNER_BPF;
	err = otst_probe_error(o, p, err);
	if (!err)
		p->disagree = find_disagreement(o, p, managed, prog);
	return err;
}

/* the programs of one list of @tr */
static int add_trampoline_list(struct listing *list, struct otst_view *tr,
			       enum otst_probe_kind kind, uint64_t head, const char *place)
{
	struct otst_walk w;
	uint64_t node;
	int err = 0;

	otst_walk_hlist(list->o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = add_program(list, tr, kind, node, place);
	return err ?: w.err;
}

/*
 * Linux ae24082331d9 ("bpf: Introduce BPF_MODIFY_RETURN") (v5.7) made the array longer:
 * before it, there are lists for entry and return only.
 */
static int add_lists(struct listing *l, struct otst_view *tr, const char *place)
{
	static const struct {
		enum otst_probe_kind kind;
		const char *list;
	} kinds[] = { { OTST_PROBE_FENTRY, "BPF_TRAMP_FENTRY" },
		      { OTST_PROBE_FEXIT, "BPF_TRAMP_FEXIT" },
		      { OTST_PROBE_FMOD_RET, "BPF_TRAMP_MODIFY_RETURN" } };
	const struct otst_member *lists;
	int err = otst_member(l->o, "bpf_trampoline", "progs_hlist", &lists);

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(*kinds) && !err; i++) {
		int64_t n = i;
		bool named = !otst_enumerator(l->o, kinds[i].list, &n);

		if ((uint64_t)n < lists->size / 8)
			err = add_trampoline_list(l, tr, kinds[i].kind,
						  tr->addr + lists->offset + 8 * (uint64_t)n,
						  place);
		else if (named)
			err = otst_raise(l->o, OTST_ERR_CORRUPT, "%s is no list of progs_hlist",
					 kinds[i].list);
	}
	return err;
}

static int add_trampoline(struct listing *list, uint64_t tr, const char *place)
{
	struct otst_view v;
	uint64_t node;
	int err;

	err = otst_view_read(list->o, "bpf_trampoline", tr, &v);
	err = err ?: add_lists(list, &v, place);
	node = err ? 0 : otst_u64_or(&v, "extension_prog", 0);
	if (node)
		err = add_program(list, &v, OTST_PROBE_FREPLACE, node, place);
	return err ? otst_note(list->o, &list->errors,
			       otst_fail(list->o, err, "BPF trampoline 0x%" PRIx64, tr)) :
		     0;
}

static int walk_list(struct listing *list, uint64_t head, uint64_t link, unsigned int i)
{
	const char *place = otst_format(list->o, "bpf trampoline_table[%u]", i);
	struct otst_walk w;
	uint64_t node;
	int err = 0;

	otst_walk_hlist(list->o, head, &w);
	while (!err && otst_walk_next(&w, &node))
		err = add_trampoline(list, node - link, place);
	err = err ? err : w.err;
	return err ? otst_note(list->o, &list->errors, otst_fail(list->o, err, "%s", place)) : 0;
}

static int walk_trampoline_table(struct listing *list, uint64_t table, uint64_t link)
{
	unsigned char *heads = otst_alloc(list->o, 8 * TABLE_SIZE);
	bool whole;
	int err = 0;

	if (!heads)
		return otst_no_memory(list->o);
	/* the table spans pages; where one is missing, each list in it is reported */
	whole = !otst_read(list->o, table, heads, 8 * TABLE_SIZE);
	for (unsigned int i = 0; i < TABLE_SIZE && !err; i++) {
		uint64_t head = table + 8 * (uint64_t)i, first = 1;

		if (whole)
			first = otst_get(list->o, heads + 8 * (size_t)i, 8);
		else if (otst_read_u64(list->o, head, &first))
			first = 1;
		if (first)
			err = walk_list(list, head, link, i);
	}
	return err;
}

int otst_trampolines(struct otst *o, struct otst_probes *ret)
{
	/* 7.x: one table by function, another by address */
	uint64_t table = otst_symbol_or0(o, "trampoline_key_table");
	const char *type = "bpf_trampoline";
	const struct otst_member *link;
	struct listing list = { .o = o };
	int err;

	table = table ?: otst_symbol_or0(o, "trampoline_table");
	if (!table)
		return otst_raise(o, OTST_ERR_LOOKUP, "this kernel has no BPF trampolines");
	err = otst_member(o, type, otst_either(o, type, "hlist_key", "hlist"), &link);
	if (err)
		return err;
	err = walk_trampoline_table(&list, table, link->offset);
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
