// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * functions.c - the functions that are hooked: each enabled struct
 * dyn_ftrace with the ftrace_ops that t_show() of kernel/trace/ftrace.c finds
 * for it when it prints enabled_functions.
 */
#include <inttypes.h>
#include <string.h>

#include "ftrace.h"
#include "../list/list.h"

/*
 * Linux b39181f7c690 ("ftrace: Add FTRACE_MCOUNT_MAX_OFFSET to avoid adding
 * weak function") (v5.19) added this function; the offset limits how far a call is past its symbol.
 */
static bool checks_names(struct otst *o)
{
	return otst_has_symbol(o, "ftrace_check_work_func");
}

const char *otst_ftrace_site_name(struct otst *o, uint64_t ip)
{
	struct otst_sym sym;
	const char *s;

	otst_symbolize_all(o, ip, &sym);
	if (checks_names(o) && (!sym.name || ip - sym.addr > otst_kernel(o)->arch->ftrace.call_max))
		s = otst_format(o, "__ftrace_invalid_address___%" PRIu64 "%s%s%s",
				sym.name ? ip - sym.addr : 0, sym.module ? " [" : "",
				sym.module ? sym.module : "", sym.module ? "]" : "");
	else
		s = otst_sym_format(o, ip, &sym, OTST_SYM_PS);
	return s ? s : "?";
}

struct matching {
	struct otst *o;
	const struct otst_ftrace_list *list;
	struct otst_ftrace_functions *out;
	otst_site_fn *want;
	void *priv;
	bool checks_names;
	uint64_t calls[2]; /* of the common trampolines, without and with registers */
	struct otst_sym calls_sym[2];
	struct otst_ftrace_ops **found; /* room for all of the list */
	struct otst_ftrace_ops **last_ops, **last_tramps;
	size_t nr_last_ops, nr_last_tramps;
};

static uint64_t record_bit(struct otst *o, const char *name, unsigned int fallback)
{
	uint64_t v = (uint64_t)otst_enumerator_or(o, name, fallback ? INT64_C(1) << fallback : 0);

	return v & 0xffffffff;
}

static void read_bits(struct otst *o, struct otst_ftrace_bits *ret)
{
	static const char *const others[] = {
		"FTRACE_FL_TRAMP",
		"FTRACE_FL_DISABLED",
		"FTRACE_FL_TOUCHED",
	};
	uint64_t all = 0, lowest;

	*ret = (struct otst_ftrace_bits){
		.enabled = record_bit(o, "FTRACE_FL_ENABLED", 31),
		.regs = record_bit(o, "FTRACE_FL_REGS", 30),
		.regs_en = record_bit(o, "FTRACE_FL_REGS_EN", 29),
		.tramp_en = record_bit(o, "FTRACE_FL_TRAMP_EN", 0),
		.ipmodify = record_bit(o, "FTRACE_FL_IPMODIFY", 0),
		.direct = record_bit(o, "FTRACE_FL_DIRECT", 0),
		.direct_en = record_bit(o, "FTRACE_FL_DIRECT_EN", 0),
		.call_ops = record_bit(o, "FTRACE_FL_CALL_OPS", 0),
		.call_ops_en = record_bit(o, "FTRACE_FL_CALL_OPS_EN", 0),
		.modified = record_bit(o, "FTRACE_FL_MODIFIED", 0),
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		all |= record_bit(o, others[i], 0);
	all |= ret->enabled | ret->regs | ret->regs_en | ret->tramp_en | ret->ipmodify |
	       ret->direct | ret->direct_en | ret->call_ops | ret->call_ops_en | ret->modified;
	/* FTRACE_REF_MAX is a macro: the count has all bits below the lowest flag, whatever that is called */
	for (lowest = all & -all; lowest > 1; lowest >>= 1) {
		if (!otst_enum_name(o, "FTRACE_FL_ENABLED", (int64_t)(lowest >> 1)))
			break;
	}
	ret->count = lowest ? lowest - 1 : 0;
}

/* no copy is needed when @found is the same as for the function before */
static struct otst_ftrace_ops **keep_ops(struct matching *m, size_t n,
					 struct otst_ftrace_ops ***last, size_t *nr_last)
{
	if (!*last || *nr_last != n || memcmp(*last, m->found, n * sizeof(*m->found))) {
		*last = otst_alloc(m->o, n * sizeof(*m->found));
		if (!*last)
			return NULL;
		memcpy(*last, m->found, n * sizeof(*m->found));
		*nr_last = n;
	}
	return *last;
}

static int find_ops(struct matching *m, struct otst_ftrace_function *f)
{
	size_t i, n = 0;

	for (i = 0; i < m->list->count; i++) {
		struct otst_ftrace_ops *ops = m->list->items[i];

		if (ops->active && otst_ftrace_ops_has(ops, f->site.ip))
			m->found[n++] = ops;
	}
	f->ops = keep_ops(m, n, &m->last_ops, &m->nr_last_ops);
	f->nr_ops = n;
	return f->ops ? 0 : otst_no_memory(m->o);
}

/*
 * Where a hash could not be read, as in dumps whose pages were filtered too
 * eagerly, the call in the text still leads to one ops' trampoline.
 */
static size_t find_tramp_by_text(struct matching *m, uint64_t ip)
{
	uint64_t target = otst_ftrace_call_target(m->o, ip);

	for (size_t i = 0; target && i < m->list->count; i++) {
		struct otst_ftrace_ops *ops = m->list->items[i];

		if (ops->trampoline == target && otst_ftrace_ops_error(ops)) {
			m->found[0] = ops;
			return 1;
		}
	}
	return 0;
}

/* ftrace_find_tramp_ops_any(), ftrace_find_tramp_ops_next(); ftrace_find_unique_ops() */
static int find_tramps(struct matching *m, struct otst_ftrace_function *f)
{
	const struct otst_ftrace_ops *unique = NULL;
	size_t i, n = 0, all = 0;

	for (i = 0; i < m->list->count; i++) {
		struct otst_ftrace_ops *ops = m->list->items[i];

		if (ops->manager || !otst_ftrace_ops_has(ops, f->site.ip))
			continue;
		unique = ops;
		all++;
		if (ops->trampoline)
			m->found[n++] = ops;
	}
	if (f->site.flags & m->out->bits.call_ops_en)
		f->unique = all == 1 ? unique : NULL;
	if (!(f->site.flags & m->out->bits.tramp_en))
		return 0;
	n = n ?: find_tramp_by_text(m, f->site.ip);
	f->tramps = keep_ops(m, n, &m->last_tramps, &m->nr_last_tramps);
	f->nr_tramps = n;
	return f->tramps ? 0 : otst_no_memory(m->o);
}

/* ftrace_find_rec_direct() */
static void find_direct(struct matching *m, struct otst_ftrace_function *f)
{
	uint64_t direct;

	if (!(f->site.flags & m->out->bits.direct))
		return;
	direct = otst_ftrace_direct(m->o, f->site.ip);
	/* with CONFIG_DYNAMIC_FTRACE_WITH_JMP bit 0 stands for a jump instead of a call */
	f->direct_jmp = direct & 1;
	f->direct = direct & ~UINT64_C(1);
	otst_symbolize_all(m->o, f->direct, &f->direct_sym);
}

static int decode_site_ops(struct matching *m, const struct otst_ftrace_site *site,
			   const struct otst_sym *sym, struct otst_ftrace_function *f)
{
	const struct otst_ftrace_bits *b = &m->out->bits;
	int err;

	f->site = *site;
	f->sym = *sym;
	f->offset = sym->name ? site->ip - sym->addr : 0;
	f->count = site->flags & b->count;
	f->invalid = m->checks_names &&
		     (!sym->name || f->offset > otst_kernel(m->o)->arch->ftrace.call_max);
	if (!(site->flags & b->tramp_en)) {
		unsigned int regs = site->flags & b->regs_en ? 1 : 0;

		f->calls = m->calls[regs];
		f->calls_sym = &m->calls_sym[regs];
	}
	find_direct(m, f);
	err = find_ops(m, f);
	if (!err && site->flags & (b->tramp_en | b->call_ops_en))
		err = find_tramps(m, f);
	return err;
}

static int prepare_matching(struct matching *m)
{
	struct otst *o = m->o;

	m->out->incomplete = m->list->errors.count != 0;
	for (size_t n = 0; n < m->list->count; n++) {
		if (otst_ftrace_ops_error(m->list->items[n]))
			m->out->incomplete = true;
	}
	m->found = otst_alloc(o, m->list->count * sizeof(*m->found));
	if (!m->found)
		return otst_no_memory(o);
	read_bits(o, &m->out->bits);
	for (unsigned int i = 0; i < 2; i++) {
		m->calls[i] = otst_ftrace_caller_calls(o, i);
		otst_symbolize_all(o, m->calls[i], &m->calls_sym[i]);
	}
	m->checks_names = checks_names(o);
	/*
	 * Linux 39daa7b9e895 ("ftrace: Show all tramps registered to a record
	 * on ftrace_bug") (v4.5) prints each trampoline and its function.
	 * Kernels that count trampolines, as 4.4 does, are older.
	 */
	m->out->tramp_func = otst_has_member(o, "ftrace_ops", "trampoline") &&
			     !otst_has_member(o, "ftrace_ops", "nr_trampolines");
	m->out->callee = m->out->tramp_func && otst_kernel(o)->arch->ftrace.names_callee;
	/* nothing else in a dump tells that t_show() prints sub-ops; the flag came with it */
	m->out->subops = otst_enumerator_or(o, "FTRACE_OPS_FL_GRAPH", 0) != 0;
	return 0;
}

static int find_functions(struct otst *o, const struct otst_ftrace_list *list, bool touched,
			  otst_site_fn *want, void *priv, struct otst_ftrace_functions *ret)
{
	struct matching *m = otst_new(o, sizeof(*m));
	const struct otst_ftrace_sites *sites;
	size_t i, chosen = 0;
	uint64_t flag;
	int err;

	*ret = (struct otst_ftrace_functions){ 0 };
	*m = (struct matching){ .o = o, .list = list, .out = ret };
	err = prepare_matching(m);
	err = err ?: otst_ftrace_sites(o, &sites);
	if (err)
		return err;
	flag = touched ? record_bit(o, "FTRACE_FL_TOUCHED", 0) : ret->bits.enabled;
	for (i = 0; i < sites->count; i++)
		chosen += (sites->items[i].flags & flag) != 0;
	ret->items = otst_alloc(o, chosen * sizeof(*ret->items));
	if (!ret->items)
		return otst_no_memory(o);
	ret->sites = sites->count;
	ret->errors = sites->errors;
	for (i = 0; i < sites->count && !err; i++) {
		const struct otst_ftrace_site *site = &sites->items[i];
		struct otst_sym sym;

		if (!(site->flags & flag))
			continue;
		otst_symbolize_all(o, site->ip, &sym);
		if (want && !want(priv, site->ip, &sym))
			continue;
		err = decode_site_ops(m, site, &sym, &ret->items[ret->count++]);
		if (!err && !(ret->count & 0xfff))
			err = otst_check(o);
	}
	return err;
}

int otst_ftrace_functions(struct otst *o, const struct otst_ftrace_list *list, otst_site_fn *want,
			  void *priv, struct otst_ftrace_functions *ret)
{
	return find_functions(o, list, false, want, priv, ret);
}

int otst_ftrace_touched(struct otst *o, const struct otst_ftrace_list *list,
			struct otst_ftrace_functions *ret)
{
	int64_t flag;

	if (otst_enumerator(o, "FTRACE_FL_TOUCHED", &flag))
		return otst_raise(o, OTST_ERR_LOOKUP,
				  "this kernel does not know which functions were ever hooked");
	return find_functions(o, list, true, NULL, NULL, ret);
}
