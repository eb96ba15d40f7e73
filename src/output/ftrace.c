// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ftrace.c - struct otst_ftrace_ops and struct otst_ftrace_function: their
 * descriptions and their text. The text of a function is, to the letter, the line
 * that t_show() of kernel/trace/ftrace.c prints in enabled_functions.
 */
#include <inttypes.h>

#include "../ftrace/ftrace.h"
#include "table.h"

#define LABEL 12 /* width of the labels of -v */

static const struct otst_sym no_symbol;

/* strings that neighbouring functions share */
struct line_cache {
	const struct otst_sym *calls;
	const char *calls_text;
	struct otst_ftrace_ops **ops, **tramps;
	const char *tramps_text;
};

/* ---- fields of an ops, for both printers ---- */

/* symbol of an ftrace_ops, or "dynamic"; indented when it has a manager */
static const char *ops_name(struct otst *o, const struct otst_ftrace_ops *ops)
{
	const char *name = ops->sym.name || ops->sym.module ?
				   otst_sym_name(o, ops->addr, &ops->sym) :
				   "dynamic";

	return otst_or_unknown(ops->manager ? otst_format(o, "  %s", name) : name);
}

/* what a hooked function calls in the end */
static const char *callback_name(struct otst *o, const struct otst_ftrace_ops *ops)
{
	if (ops->saved_func)
		return otst_sym_name(o, ops->saved_func, &ops->saved_func_sym);
	if (ops->entry)
		return otst_sym_name(o, ops->entry, &ops->entry_sym);
	return ops->func ? otst_sym_name(o, ops->func, &ops->func_sym) : "-";
}

const char *otst_ops_owner(struct otst *o, const struct otst_owner *w)
{
	const char *kind = otst_owner_kind_name(w->kind);

	if (otst_is_nobodys(w))
		return "nobody !";
	return otst_or_unknown(
		w->name ? otst_format(o, "%s %s%s", kind, w->name, w->hidden ? " !" : "") : kind);
}

/* ---- ops as text ---- */

static const char *trampoline_text(struct otst *o, const struct otst_ftrace_ops *ops)
{
	if (ops->direct)
		return otst_or_unknown(otst_format(o, "direct 0x%" PRIx64, ops->direct));
	if (ops->trampoline)
		return otst_or_unknown(otst_format(o, "0x%" PRIx64, ops->trampoline));
	return "-";
}

static const char *hashed_name(struct otst *o, uint64_t ip)
{
	struct otst_sym sym;

	otst_symbolize_all(o, ip, &sym);
	return otst_sym_name(o, ip, &sym);
}

static void print_hash(struct otst_printer *p, const char *label, const struct otst_hash *h)
{
	for (size_t i = 0; i < h->count; i++)
		otst_printf(p, "    %-*s %s\n", LABEL, label, hashed_name(p->o, h->ips[i]));
}

static void print_flags(struct otst_printer *p, const struct otst_ftrace_ops *ops)
{
	otst_printf(p, "    %-*s 0x%" PRIx64 " %s\n", LABEL, "flags", ops->flags, ops->flag_names);
}

static void print_trampoline(struct otst_printer *p, const struct otst_ftrace_ops *ops)
{
	if (ops->trampoline)
		otst_printf(p, "    %-*s 0x%" PRIx64 ", %" PRIu64 " byte%s%s%s\n", LABEL,
			    "trampoline", ops->trampoline, ops->trampoline_size,
			    otst_number(ops->trampoline_size, "", "s"),
			    ops->calls ? ", calls " : "",
			    ops->calls ? otst_sym_name(p->o, ops->calls, &ops->calls_sym) : "");
}

static void print_others(struct otst_printer *p, const struct otst_ftrace_ops *ops)
{
	if (ops->manager)
		otst_printf(p, "    %-*s 0x%" PRIx64 "\n", LABEL, "called by", ops->manager->addr);
	if (ops->owner.reason && !otst_is_nobodys(&ops->owner))
		otst_printf(p, "    %-*s %s\n", LABEL, "owner", ops->owner.reason);
	print_hash(p, "filter", &ops->filter);
	print_hash(p, "notrace", &ops->notrace);
}

/* ---- descriptions ---- */

static void put_hash(struct otst_rows *r, const struct otst_hash *h)
{
	if (h->empty) {
		otst_say_null(r);
		return;
	}
	otst_say_open(r, '[');
	for (size_t i = 0; i < h->count; i++)
		otst_say_text(r, hashed_name(r->p->o, h->ips[i]));
	otst_say_close(r, ']');
}

#define ROW_HASH(r, name, hash)                                               \
	OTST_ROW(r, put_hash(r, hash), OTST_KEY(name), .type = OTST_ROW_TEXT, \
		 .shape = OTST_ROW_ARRAY, .or_null = true, .what = "null when it is empty")

static void ops_rows(struct otst_rows *r, const void *item)
{
	const struct otst_ftrace_ops *ops = item;

	ROW_PLACE(r, ops->addr, &ops->sym);
	ROW_CELL(r, "ADDRESS", otst_or_unknown(otst_format(r->p->o, "%016" PRIx64, ops->addr)),
		 OTST_STYLE_PLAIN);
	ROW_CELL(r, "FTRACE_OPS", ops_name(r->p->o, ops), OTST_STYLE_PLAIN, .most = 56);
	ROW_CELL(r, "CALLBACK", callback_name(r->p->o, ops), OTST_STYLE_PLAIN, .most = 56,
		 .flow = true);
	ROW_CELL(r, "OWNER", otst_ops_owner(r->p->o, &ops->owner), OTST_STYLE_PLAIN, .most = 56);
	ROW_CELL(r, "HOOKS", otst_ftrace_scope(r->p->o, ops), OTST_STYLE_PLAIN, .most = 56);
	ROW_CELL(r, "TRAMPOLINE", trampoline_text(r->p->o, ops), OTST_STYLE_PLAIN);
	ROW_COUNT(r, "flags", ops->flags);
	ROW_LINES(r, print_flags(r->p, ops));
	ROW_TEXT(r, "flag_names", ops->flag_names, .title = "FLAGS");
	ROW_BOOL(r, "active", ops->active);
	ROW_SYMBOL(r, "func", ops->func, &ops->func_sym, .label = "func");
	ROW_SYMBOL(r, "saved_func", ops->saved_func, &ops->saved_func_sym, .label = "saved_func");
	ROW_SYMBOL(r, "entry", ops->entry, &ops->entry_sym, .label = "entry",
		   .what = "of a function-graph user");
	ROW_SYMBOL(r, "return", ops->ret, &ops->ret_sym, .label = "return");
	ROW_ADDRESS_OR_NULL(r, "trampoline", ops->trampoline);
	ROW_COUNT(r, "trampoline_size", ops->trampoline_size);
	ROW_SYMBOL(r, "trampoline_calls", ops->calls, &ops->calls_sym);
	ROW_LINES(r, print_trampoline(r->p, ops));
	ROW_SYMBOL(r, "direct", ops->direct, &ops->direct_sym, .label = "direct");
	ROW_ADDRESS_OR_NULL(r, "manager", ops->manager ? ops->manager->addr : 0,
			    .what = "ops that this is a sub-op of");
	ROW_ADDRESS_OR_NULL(r, "private", ops->private, .label = "private");
	ROW_LINES(r, print_others(r->p, ops));
	ROW_OBJECT(r, "owner", otst_owner_object, &ops->owner);
	ROW_TEXT(r, "hooks", otst_ftrace_scope(r->p->o, ops), .what = "what its filters amount to");
	ROW_HASH(r, "filter", &ops->filter);
	ROW_HASH(r, "notrace", &ops->notrace);
	ROW_TEXT_OR_NULL(r, "error", otst_ftrace_ops_error(ops));
}

const struct otst_object otst_ftrace_ops_object = { OTST_LINE, "ftrace_ops", ops_rows,
						    "otst -f: one struct ftrace_ops" };

static void put_addresses(struct otst_rows *r, struct otst_ftrace_ops *const *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		otst_say_address(r, ops[i]->addr);
}

static const char *record_flags(struct otst *o, uint64_t flags)
{
	static const char *const names[] = { "ENABLED",	  "REGS",     "REGS_EN",     "TRAMP",
					     "TRAMP_EN",  "IPMODIFY", "DISABLED",    "DIRECT",
					     "DIRECT_EN", "CALL_OPS", "CALL_OPS_EN", "TOUCHED",
					     "MODIFIED",  NULL };

	return otst_flags(o, flags, "FTRACE_FL_", names);
}

static void function_rows(struct otst_rows *r, const void *item)
{
	const struct otst_ftrace_function *f = item;
	const struct otst_ftrace_functions *all = r->of;

	ROW_PLACE(r, f->site.ip, &f->sym);
	ROW_BOOL(r, "valid", !f->invalid);
	ROW_ADDRESS(r, "record", f->site.record);
	ROW_COUNT(r, "count", f->count);
	ROW_TEXT(r, "flag_names", record_flags(r->p->o, f->site.flags & ~all->bits.count));
	ROW_ARRAY(r, "ops", OTST_ROW_ADDRESS, put_addresses(r, f->ops, f->nr_ops));
	ROW_ARRAY(r, "trampolines_of", OTST_ROW_ADDRESS, put_addresses(r, f->tramps, f->nr_tramps));
	ROW_SYMBOL(r, "calls", f->calls, f->calls_sym ? f->calls_sym : &no_symbol);
	ROW_SYMBOL(r, "direct", f->direct, &f->direct_sym);
	ROW_BOOL(r, "direct_jmp", f->direct_jmp);
}

const struct otst_object otst_ftrace_function_object = { OTST_LINE, "function", function_rows,
							 "otst -f: one hooked function" };

static void state_rows(struct otst_rows *r, const void *item)
{
	const struct otst_ftrace_list *list = item;
	const struct otst_ftrace_functions *functions = r->of;

	ROW_BOOL(r, "enabled", list->enabled);
	ROW_BOOL(r, "dead", list->dead, .what = "ftrace shut itself down after a bug");
	ROW_COUNT(r, "ops", list->count);
	ROW_COUNT_OR_NULL(r, "sites", functions, functions->sites,
			  .what = "functions that ftrace can hook");
}

const struct otst_object otst_ftrace_object = { OTST_LINE, "ftrace", state_rows,
						"otst -f: ftrace as a whole" };

static void print_ops(struct otst_table *t, const struct otst_ftrace_ops *ops)
{
	struct otst_printer *p = t->p;
	struct otst *o = p->o;

	otst_table_row(t, ops);
	if (otst_ftrace_ops_error(ops))
		otst_print_bad(p,
			       otst_or_unknown(otst_format(o, "ftrace_ops 0x%" PRIx64, ops->addr)),
			       otst_ftrace_ops_error(ops));
	if (otst_is_nobodys(&ops->owner))
		otst_print_finding(
			p, "  ",
			otst_or_unknown(otst_format(o, "ftrace_ops 0x%" PRIx64, ops->addr)),
			ops->owner.reason);
	otst_print_hidden(p, otst_or_unknown(otst_format(o, "ftrace_ops 0x%" PRIx64, ops->addr)),
			  &ops->owner);
	if (p->verbose)
		otst_print_lines(p, &otst_ftrace_ops_object, LABEL, ops);
}

/* ---- functions as text ---- */

static const char *append_word(struct otst *o, const char *s, const char *more)
{
	return otst_or_unknown(otst_format(o, "%s%s", s, more));
}

/* print_subops() */
static const char *subops_text(struct otst *o, const struct otst_ftrace_function *f,
			       const struct otst_ftrace_ops *manager)
{
	const char *s = "";

	for (size_t i = 0; i < f->nr_ops; i++) {
		const struct otst_ftrace_ops *sub = f->ops[i];
		const char *one;

		if (sub->manager != manager)
			continue;
		if (sub->entry)
			one = otst_format(
				o, " {ent:%s ret:%s}",
				otst_sym_format(o, sub->entry, &sub->entry_sym, OTST_SYM_PS_OFFSET),
				otst_sym_format(o, sub->ret, &sub->ret_sym, OTST_SYM_PS_OFFSET));
		else if (sub->trampoline)
			one = otst_format(
				o, " {%s (%s)}%s%s",
				otst_sym_format(o, sub->trampoline, &sub->trampoline_sym,
						OTST_SYM_PS_OFFSET),
				otst_sym_format(o, sub->func, &sub->func_sym, OTST_SYM_PS_OFFSET),
				sub->calls ? " ->" : "",
				sub->calls ? otst_sym_format(o, sub->calls, &sub->calls_sym,
							     OTST_SYM_PS_OFFSET) :
					     "");
		else
			one = otst_format(o, " {%s}",
					  otst_sym_format(o, sub->func, &sub->func_sym,
							  OTST_SYM_PS_OFFSET));
		s = append_word(o, *s ? s : "\tsubops:", otst_or_unknown(one));
	}
	return s;
}

static const char *tramp_text(struct otst *o, const struct otst_ftrace_functions *all,
			      const struct otst_ftrace_function *f)
{
	const char *s = "";

	if (!f->nr_tramps)
		return all->incomplete ? "\ttramp: unknown" : "\ttramp: ERROR!";
	for (size_t i = 0; i < f->nr_tramps; i++) {
		const struct otst_ftrace_ops *ops = f->tramps[i];

		s = otst_or_unknown(
			otst_format(o, "%s\ttramp: %s", s,
				    otst_sym_format(o, ops->trampoline, &ops->trampoline_sym,
						    OTST_SYM_PS_OFFSET)));
		if (!all->tramp_func)
			break;
		s = otst_or_unknown(otst_format(
			o, "%s (%s)%s%s", s,
			otst_sym_format(o, ops->func, &ops->func_sym, OTST_SYM_PS_OFFSET),
			ops->calls ? " ->" : "",
			ops->calls ? otst_sym_format(o, ops->calls, &ops->calls_sym,
						     OTST_SYM_PS_OFFSET) :
				     ""));
		if (all->subops)
			s = append_word(o, s, subops_text(o, f, ops));
	}
	return s;
}

/* the text after the columns; neighbouring functions mostly share it */
static const char *caller_text(struct otst *o, const struct otst_ftrace_functions *all,
			       const struct otst_ftrace_function *f, struct line_cache *c)
{
	if (f->site.flags & all->bits.tramp_en) {
		if (!c->tramps_text || c->ops != f->ops || c->tramps != f->tramps) {
			c->tramps_text = tramp_text(o, all, f);
			c->ops = f->ops;
			c->tramps = f->tramps;
		}
		return c->tramps_text;
	}
	if (!f->calls || !all->callee)
		return "";
	if (c->calls != f->calls_sym) {
		c->calls_text = append_word(
			o, " ->", otst_sym_format(o, f->calls, f->calls_sym, OTST_SYM_PS_OFFSET));
		c->calls = f->calls_sym;
	}
	return c->calls_text;
}

static const char *unique_text(struct otst *o, const struct otst_ftrace_functions *all,
			       const struct otst_ftrace_function *f)
{
	const struct otst_ftrace_ops *ops = f->unique;
	struct otst_sym sym;

	if (!(f->site.flags & all->bits.call_ops_en))
		return "";
	if (!ops)
		return all->incomplete ? "\tops: unknown" : "\tops: ERROR!";
	sym = ops->sym;
	otst_sym_printed(o, ops->addr, &sym);
	return otst_or_unknown(otst_format(
		o, "\tops: %s (%s)%s", otst_sym_format(o, ops->addr, &sym, OTST_SYM_PS_OFFSET),
		otst_sym_format(o, ops->func, &ops->func_sym, OTST_SYM_PS_OFFSET),
		all->subops ? subops_text(o, f, ops) : ""));
}

static const char *direct_text(struct otst *o, const struct otst_ftrace_function *f)
{
	if (!f->direct)
		return "";
	return otst_or_unknown(
		otst_format(o, "\n\tdirect%s-->%s", f->direct_jmp ? "(jmp)" : "",
			    otst_sym_format(o, f->direct, &f->direct_sym, OTST_SYM_PS_OFFSET)));
}

static void put_function(struct otst_text *t, const struct otst_ftrace_functions *all,
			 const struct otst_ftrace_function *f, struct line_cache *c)
{
	const struct otst_ftrace_bits *b = &all->bits;
	const char *open = f->sym.module ? " [" : "", *close = f->sym.module ? "]" : "";
	const char *module = f->sym.module ? f->sym.module : "";
	uint64_t flags = f->site.flags;
	/* RHEL 7 backported IPMODIFY without the trampolines, which came first upstream */
	const char *unset = b->tramp_en ? "  " : " ";

	if (f->invalid) {
		otst_text_printf(t, "__ftrace_invalid_address___%" PRIu64 "%s%s%s", f->offset, open,
				 module, close);
		return;
	}
	otst_text_printf(t, "%s%s%s%s (%" PRIu64 ")%s%s%s%s%s%s%s%s",
			 f->sym.name ? f->sym.name : otst_sym_format(t->o, f->site.ip, &f->sym, 0),
			 open, module, close, f->count,
			 flags & b->regs ? " R" :
			 b->ipmodify	 ? unset :
					   "",
			 !b->ipmodify	     ? "" :
			 flags & b->ipmodify ? " I" :
					       unset,
			 !b->direct	   ? "" :
			 flags & b->direct ? " D" :
					     "  ",
			 !b->call_ops	     ? "" :
			 flags & b->call_ops ? " O" :
					       "  ",
			 !b->modified	     ? "" :
			 flags & b->modified ? " M " :
					       "   ",
			 caller_text(t->o, all, f, c), unique_text(t->o, all, f),
			 direct_text(t->o, f));
}

static void print_functions(struct otst_printer *p, const struct otst_ftrace_functions *all)
{
	struct otst_text t = { .o = p->o };
	struct line_cache cache = { 0 };

	for (size_t i = 0; i < all->count && !p->err; i++) {
		t.at = t.buf;
		put_function(&t, all, &all->items[i], &cache);
		otst_text_char(&t, '\n');
		otst_write(p, t.buf, otst_text_len(&t));
	}
}

int otst_ftrace_lines(struct otst *o, const struct otst_ftrace_functions *all,
		      int (*each)(void *priv, struct otst_text *line), void *priv)
{
	struct line_cache cache = { 0 };
	int err = 0;

	for (size_t i = 0; i < all->count && !err; i++) {
		struct otst_text t = { .o = o };

		put_function(&t, all, &all->items[i], &cache);
		err = each(priv, &t);
	}
	return err;
}

/* ---- all of it ---- */

static void print_state(struct otst_printer *p, const struct otst_ftrace_list *list)
{
	if (list->dead)
		otst_printf(
			p,
			"ftrace shut itself down after a bug (ftrace_disabled): what follows may be half done\n");
	if (!list->enabled)
		otst_printf(p, "ftrace is off (ftrace_enabled is 0)\n");
}

void otst_print_ftrace(struct otst_printer *p, const struct otst_ftrace_list *list,
		       const struct otst_ftrace_functions *functions)
{
	const char *one = "function", *many = "functions", *rest;
	struct otst_table t;

	otst_table_init(&t, p, &otst_ftrace_ops_object, NULL);
	if (p->json) {
		otst_print_json(p, &otst_ftrace_object, list, functions);
	} else {
		print_state(p, list);
		for (size_t i = 0; i < list->count; i++)
			otst_table_measure(&t, list->items[i]);
		otst_table_head(&t);
	}
	for (size_t i = 0; i < list->count && !p->err; i++) {
		p->nobodys += otst_is_nobodys(&list->items[i]->owner);
		p->hidden += list->items[i]->owner.hidden;
		if (!p->json) {
			print_ops(&t, list->items[i]);
			continue;
		}
		p->bad += otst_ftrace_ops_error(list->items[i]) != NULL;
		otst_print_json(p, &otst_ftrace_ops_object, list->items[i], NULL);
	}
	otst_print_errors(p, &list->errors);
	if (!p->json)
		otst_printf(p, "\n");
	for (size_t i = 0; p->json && functions && i < functions->count && !p->err; i++)
		otst_print_json(p, &otst_ftrace_function_object, &functions->items[i], functions);
	if (!p->json && functions)
		print_functions(p, functions);
	if (functions && !p->json)
		otst_printf(p, "\n");
	if (functions)
		otst_print_errors(p, &functions->errors);
	if (functions && !p->json) {
		rest = otst_format(p->o, " hooked, of %zu that can be; %zu ftrace_ops",
				   functions->sites, list->count);
		one = otst_or_unknown(otst_format(p->o, "%s%s", one, rest));
		many = otst_or_unknown(otst_format(p->o, "%s%s", many, rest));
	}
	otst_print_end(p, one, many, functions ? functions->count : 0);
}
