// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sites.c - the places in the kernel text where ftrace can hook:
 * struct dyn_ftrace (include/linux/ftrace.h), tens of thousands of them in the
 * groups of struct ftrace_page that hang on ftrace_pages_start
 * (kernel/trace/ftrace.c). Each group is read in one go.
 */
#include <inttypes.h>

#include "../base/sorted.h"
#include "ftrace.h"
#include "../list/list.h"

#define MAX_ORDER   20
#define MAX_RECORDS (8u << 20)
#define VENEER	    12u /* struct plt_entry of arm64 */

/* one struct ftrace_page; @at is 0 when it cannot be used */
struct group {
	uint64_t at;
	uint64_t records;
	uint64_t used;
};

struct record_layout {
	uint64_t size;
	uint64_t ip;
	uint64_t flags;
	uint64_t flags_size;
	uint64_t stub; /* 0: records have none */
};

struct reading {
	struct otst *o;
	struct record_layout layout;
	struct otst_vec groups;
	struct otst_messages errors;
	uint64_t total;
};

bool otst_ftrace_has_stubs(struct otst *o)
{
	return otst_kernel(o)->arch->ftrace.stub_call &&
	       otst_has_member(o, "dyn_ftrace", "arch.ool_stub");
}

uint64_t otst_ftrace_call_place(struct otst *o, const struct otst_ftrace_site *site)
{
	return site->stub ? site->stub + otst_kernel(o)->arch->ftrace.stub_call : site->ip;
}

static int read_record_layout(struct otst *o, struct record_layout *ret)
{
	const struct otst_member *ip, *flags, *stub;
	int err;

	err = otst_type_size(o, "dyn_ftrace", &ret->size);
	err = err ?: otst_member(o, "dyn_ftrace", "ip", &ip);
	err = err ?: otst_member(o, "dyn_ftrace", "flags", &flags);
	if (err)
		return err;
	if (otst_ftrace_has_stubs(o) && !otst_member(o, "dyn_ftrace", "arch.ool_stub", &stub))
		ret->stub = stub->offset;
	ret->ip = ip->offset;
	ret->flags = flags->offset;
	ret->flags_size = flags->size;
	if (ret->ip + 8 > ret->size || ret->flags + ret->flags_size > ret->size ||
	    ret->stub + 8 > ret->size || ret->flags_size > 8)
		return otst_raise(o, OTST_ERR_CORRUPT, "struct dyn_ftrace makes no sense");
	return 0;
}

static int read_group(struct reading *r, uint64_t at, struct group *ret)
{
	struct otst_view v;
	uint64_t room;
	int err;

	err = otst_view_read(r->o, "ftrace_page", at, &v);
	if (err)
		return err;
	ret->records = otst_u64(&v, "records");
	ret->used = otst_u64(&v, "index");
	/*
	 * Linux db42523b4f3e ("ftrace: Store the order of pages allocated in
	 * ftrace_page") (v5.13) keeps the order of the pages instead of the
	 * number of records, in stable kernels too.
	 */
	if (otst_view_has(&v, "order")) {
		uint64_t order = otst_u64(&v, "order");

		room = order <= MAX_ORDER ? (otst_page_size(r->o) << order) / r->layout.size : 0;
	} else {
		room = otst_u64(&v, "size");
	}
	if (v.err)
		return v.err;
	if (!ret->records)
		return otst_raise(r->o, OTST_ERR_CORRUPT, "it has no records");
	if (ret->used > room || ret->used > MAX_RECORDS - r->total)
		return otst_raise(r->o, OTST_ERR_CORRUPT,
				  "%" PRIu64 " record%s in a page of %" PRIu64, ret->used,
				  otst_number(ret->used, "", "s"), room);
	r->total += ret->used;
	return 0;
}

static int read_groups(struct reading *r)
{
	const struct otst_member *next;
	uint64_t head, first, node;
	struct otst_walk w;
	int err;

	if (otst_symbol(r->o, "ftrace_pages_start", &head))
		return otst_raise(
			r->o, OTST_ERR_LOOKUP,
			"no ftrace_pages_start: this kernel has no dynamic ftrace (CONFIG_DYNAMIC_FTRACE)");
	err = read_record_layout(r->o, &r->layout);
	err = err ?: otst_member(r->o, "ftrace_page", "next", &next);
	err = err ?: otst_read_u64(r->o, head, &first);
	if (err)
		return err;
	otst_walk_chain(r->o, first, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &node)) {
		struct group g = { .at = node }, *slot;

		err = read_group(r, node, &g);
		if (err) {
			err = otst_note(r->o, &r->errors,
					otst_fail(r->o, err, "ftrace_page 0x%" PRIx64, node));
			continue;
		}
		slot = otst_vec_push(r->o, &r->groups, sizeof(*slot));
		*slot = g;
	}
	if (!err && w.err)
		err = otst_note(r->o, &r->errors, otst_fail(r->o, w.err, "ftrace_pages_start"));
	return err;
}

static int read_site_records(struct reading *r, const struct group *g, struct otst_ftrace_site *to,
			     size_t *ret)
{
	const struct record_layout *layout = &r->layout;
	unsigned char *raw = otst_alloc(r->o, g->used * layout->size);
	size_t i, n = 0;
	int err = otst_read(r->o, g->records, raw, g->used * layout->size);

	if (err)
		return otst_note(r->o, &r->errors,
				 otst_fail(r->o, err, "records of ftrace_page 0x%" PRIx64, g->at));
	for (i = 0; i < g->used; i++) {
		const unsigned char *rec = raw + i * layout->size;

		to[n].record = g->records + i * layout->size;
		to[n].ip = otst_get(r->o, rec + layout->ip, 8);
		to[n].flags = otst_get(r->o, rec + layout->flags, layout->flags_size);
		to[n].stub = layout->stub ? otst_get(r->o, rec + layout->stub, 8) : 0;
		n += to[n].ip != 0;
	}
	*ret = n;
	/* ftrace_process_locs() uses records in order, ftrace_free_mem() closes gaps */
	if (n < g->used)
		return otst_note(r->o, &r->errors,
				 otst_raise(r->o, OTST_ERR_CORRUPT,
					    "ftrace_page 0x%" PRIx64 ": %" PRIu64 " of %" PRIu64
					    " records %s no address",
					    g->at, g->used - n, g->used,
					    otst_number(g->used - n, "has", "have")));
	return 0;
}

static int read_sites(struct reading *r, struct otst_ftrace_sites *ret)
{
	const struct group *g = r->groups.data;
	struct otst_ftrace_page *pages;
	struct otst_ftrace_site *items;
	size_t i, n, at = 0;
	int err;

	items = otst_alloc(r->o, r->total * sizeof(*items));
	pages = otst_alloc(r->o, r->groups.count * sizeof(*pages));
	if (!items || !pages)
		return otst_no_memory(r->o);
	for (i = 0; i < r->groups.count; i++, g++) {
		n = 0;
		err = read_site_records(r, g, items + at, &n);
		if (err)
			return err;
		pages[i] = (struct otst_ftrace_page){ .first = at, .count = n };
		at += n;
	}
	*ret = (struct otst_ftrace_sites){
		.items = items,
		.count = at,
		.pages = pages,
		.nr_pages = r->groups.count,
		.errors = r->errors,
	};
	return 0;
}

int otst_ftrace_sites(struct otst *o, const struct otst_ftrace_sites **ret)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct reading r = { .o = o };
	struct otst_ftrace_sites *sites;
	int err;

	if (!*memo) {
		sites = otst_new(o, sizeof(*sites));
		err = read_groups(&r);
		err = err ?: read_sites(&r, sites);
		err = otst_doubt_absence(o, err, OTST_DYNAMIC_FTRACE_WITNESSES);
		if (err)
			return err;
		*memo = sites;
	}
	*ret = *memo;
	return 0;
}

bool otst_ftrace_site_at(struct otst *o, uint64_t ip, struct otst_ftrace_site *ret)
{
	const struct otst_ftrace_sites *s;

	if (otst_ftrace_sites(o, &s))
		return false;
	/* kernel/trace/ftrace.c, lookup_rec(): each page is sorted, the pages are not */
	for (size_t i = 0; i < s->nr_pages; i++) {
		const struct otst_ftrace_site *site = s->items + s->pages[i].first;
		size_t count = s->pages[i].count, at;

		if (!count || ip < site[0].ip || ip > site[count - 1].ip)
			continue;
		at = otst_count_below(site, count, ip, ip);
		if (site[at].ip != ip)
			continue;
		if (ret)
			*ret = site[at];
		return true;
	}
	return false;
}

uint64_t otst_ftrace_location(struct otst *o, uint64_t addr)
{
	unsigned int at, max = otst_kernel(o)->arch->ftrace.call_max;

	for (at = 0; at <= max; at += 4) {
		if (otst_ftrace_site_at(o, addr + at, NULL))
			return addr + at;
	}
	return addr;
}

bool otst_veneer_at(struct otst *o, uint64_t addr, uint64_t *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	uint8_t bytes[OTST_VENEER_MAX];

	return arch->reloc.veneer && !otst_read(o, addr, bytes, arch->reloc.veneer_len) &&
	       arch->reloc.veneer(bytes, addr, ret);
}

bool otst_ftrace_switched(struct otst *o, uint64_t ip, uint64_t to, uint8_t *ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct otst_branch b;
	uint64_t callee;

	return arch->ftrace.switch_site && !otst_read(o, ip, ret, arch->insn.branch_len) &&
	       arch->ftrace.switch_site(ret, true) &&
	       arch->insn.branch(ret, arch->insn.branch_len, ip, &b) &&
	       otst_veneer_at(o, b.target, &callee) && (!to || callee == to) &&
	       arch->ftrace.switch_site(ret, to != 0);
}

/*
 * Linux b2137c3b6d7a ("riscv: ftrace: prepare ftrace for atomic code patching") (v6.16) made
 * the second instruction of a call the site, and added this function.
 */
unsigned int otst_ftrace_lead(struct otst *o)
{
	unsigned int lead = otst_kernel(o)->arch->ftrace.call_lead;

	return lead && otst_symbol_or0(o, "arch_ftrace_get_symaddr") ? lead : 0;
}

/* ftrace_make_call() of arch/riscv/kernel/ftrace.c */
static uint64_t reach_by_lead(struct otst *o, uint64_t to)
{
	uint64_t common = otst_symbol_or0(o, "ftrace_caller");
	uint64_t reach = otst_kernel(o)->arch->ftrace.lead_reach;

	return common && to - common + reach > 2 * reach ? common : to;
}

/* ftrace_make_call() of arch/powerpc/kernel/trace/ftrace.c: each module keeps two of its stubs for it */
static uint64_t reach_by_stub(struct otst *o, const struct otst_module *m, uint64_t to)
{
	const char *stub = to == otst_symbol_or0(o, "ftrace_regs_caller") ? "arch.tramp_regs" :
									    "arch.tramp";
	uint64_t at;

	return otst_read_member(o, "module", m->addr, stub, &at) ? 0 : at;
}

/* ftrace_find_callable_addr() */
uint64_t otst_ftrace_reach(struct otst *o, uint64_t ip, uint64_t to)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	uint64_t reach = arch->insn.call_reach, at, target;
	uint8_t bytes[OTST_VENEER_MAX];
	const struct otst_module *m;

	if (otst_ftrace_lead(o))
		return reach_by_lead(o, to);
	if (!reach || to - ip + reach < 2 * reach)
		return to;
	m = otst_module_at(o, ip);
	/* an ops' own trampoline is reached through the common one */
	if (!m || !otst_is_text(o, to))
		to = otst_symbol_or0(o, "ftrace_caller");
	if (m && arch->reloc.toc)
		return reach_by_stub(o, m, to);
	if (!m || otst_read_member(o, "module", m->addr, "arch.ftrace_trampolines", &at))
		return to;
	/* one for each of the common trampolines */
	for (unsigned int i = 0; i < 2; i++, at += VENEER) {
		if (otst_read(o, at, bytes, arch->reloc.veneer_len))
			return 0;
		if (arch->reloc.veneer(bytes, at, &target) && target == to)
			return at;
	}
	return to;
}
