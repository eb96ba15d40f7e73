// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace.c - struct otst_ftrace_ops and struct otst_ftrace_function as text
 * and JSON. The text of a function is the line that t_show() of
 * kernel/trace/ftrace.c prints in enabled_functions, to the letter.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "table.h"

/* columns; the order is that of the line */
enum { ADDRESS, NAME, CALLBACK, OWNER, HOOKS, TRAMPOLINE, FLAGS, COLUMNS };

/* one giant name must not push the table off the screen */
static const struct otst_column columns[COLUMNS] = {
	[ADDRESS] = { .title = "ADDRESS" },
	[NAME] = { .title = "FTRACE_OPS", .most = 56 },
	[CALLBACK] = { .title = "CALLBACK", .most = 56 },
	[OWNER] = { .title = "OWNER", .most = 56 },
	[HOOKS] = { .title = "HOOKS", .most = 56 },
	[TRAMPOLINE] = { .title = "TRAMPOLINE" },
	[FLAGS] = { .title = "FLAGS" },
};

/* strings that neighbouring functions share */
struct line_cache {
	const struct otst_sym *calls;
	const char *calls_text;
	struct otst_ftrace_ops **ops, **tramps;
	const char *tramps_text;
};

static const char *or_unknown(const char *s)
{
	return s ? s : "?";
}

/* ---- fields of an ops, for both printers ---- */

const char *otst_ops_name(struct otst *o, const struct otst_ftrace_ops *ops)
{
	const char *name = ops->sym.name ? otst_sym_name(o, ops->addr, &ops->sym) : "dynamic";

	return or_unknown(ops->manager ? otst_format(o, "  %s", name) : name);
}

/* whom a hooked function gets to in the end */
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

	return or_unknown(w->name ? otst_format(o, "%s %s", kind, w->name) : kind);
}

static const char *count_functions(struct otst *o, const char *but, size_t n)
{
	return or_unknown(otst_format(o, "%s%zu function%s", but, n, n == 1 ? "" : "s"));
}

/* "all functions", "3 functions", "all but 2 functions" */
static const char *hooked(struct otst *o, const struct otst_ftrace_ops *ops)
{
	size_t i, n = 0;

	if (!ops->hashes_read || ops->filter.error || ops->notrace.error)
		return "unknown";
	if (ops->filter.empty && ops->notrace.empty)
		return "all functions";
	if (ops->filter.empty)
		return count_functions(o, "all but ", ops->notrace.count);
	for (i = 0; i < ops->filter.count; i++)
		n += otst_ftrace_ops_has(ops, ops->filter.ips[i]);
	return count_functions(o, "", n);
}

/* ---- ops as text ---- */

static const char *trampoline_text(struct otst *o, const struct otst_ftrace_ops *ops)
{
	if (ops->direct)
		return or_unknown(otst_format(o, "direct 0x%" PRIx64, ops->direct));
	if (ops->trampoline)
		return or_unknown(otst_format(o, "0x%" PRIx64, ops->trampoline));
	return "-";
}

static void print_hash(struct otst_printer *p, const char *label, const struct otst_hash *h)
{
	size_t i;

	for (i = 0; i < h->count; i++) {
		struct otst_sym sym;

		otst_symbolize_all(p->o, h->ips[i], &sym);
		otst_printf(p, "    %-12s %s\n", label, otst_sym_name(p->o, h->ips[i], &sym));
	}
}

static void print_address(struct otst_printer *p, const char *label, uint64_t addr,
			  const struct otst_sym *sym)
{
	if (addr)
		otst_printf(p, "    %-12s 0x%" PRIx64 "%s%s\n", label, addr, sym->name ? " " : "",
			    sym->name ? otst_sym_name(p->o, addr, sym) : "");
}

static void print_fields(struct otst_printer *p, const struct otst_ftrace_ops *ops)
{
	otst_printf(p, "    %-12s 0x%" PRIx64 " %s\n", "flags", ops->flags, ops->flag_names);
	print_address(p, "func", ops->func, &ops->func_sym);
	print_address(p, "saved_func", ops->saved_func, &ops->saved_func_sym);
	print_address(p, "entry", ops->entry, &ops->entry_sym);
	print_address(p, "return", ops->ret, &ops->ret_sym);
	if (ops->trampoline)
		otst_printf(p, "    %-12s 0x%" PRIx64 ", %" PRIu64 " bytes%s%s\n", "trampoline",
			    ops->trampoline, ops->trampoline_size, ops->calls ? ", calls " : "",
			    ops->calls ? otst_sym_name(p->o, ops->calls, &ops->calls_sym) : "");
	print_address(p, "direct", ops->direct, &ops->direct_sym);
	if (ops->private)
		otst_printf(p, "    %-12s 0x%" PRIx64 "\n", "private", ops->private);
	if (ops->manager)
		otst_printf(p, "    %-12s 0x%" PRIx64 "\n", "called by", ops->manager->addr);
	if (ops->owner.reason)
		otst_printf(p, "    %-12s %s\n", "owner", ops->owner.reason);
	print_hash(p, "filter", &ops->filter);
	print_hash(p, "notrace", &ops->notrace);
}

static const char *first_error(const struct otst_ftrace_ops *ops)
{
	return ops->error ? ops->error : ops->filter.error ? ops->filter.error : ops->notrace.error;
}

static void fill_row(struct otst *o, const struct otst_ftrace_ops *ops,
		     struct otst_cell ret[COLUMNS])
{
	memset(ret, 0, COLUMNS * sizeof(*ret));
	ret[ADDRESS].text = or_unknown(otst_format(o, "%016" PRIx64, ops->addr));
	ret[NAME].text = otst_ops_name(o, ops);
	ret[CALLBACK].text = callback_name(o, ops);
	ret[OWNER].text = otst_ops_owner(o, &ops->owner);
	ret[HOOKS].text = hooked(o, ops);
	ret[TRAMPOLINE].text = trampoline_text(o, ops);
	ret[FLAGS].text = ops->flag_names;
}

static void print_ops(struct otst_table *t, const struct otst_ftrace_ops *ops)
{
	struct otst_cell row[COLUMNS];
	struct otst_printer *p = t->p;
	struct otst *o = p->o;

	fill_row(o, ops, row);
	otst_table_row(t, row);
	if (first_error(ops))
		otst_print_bad(p, or_unknown(otst_format(o, "ftrace_ops 0x%" PRIx64, ops->addr)),
			       first_error(ops));
	if (p->verbose)
		print_fields(p, ops);
}

/* ---- functions as text ---- */

/* what the kernel prints for %ps and %pS */
static const char *kernel_name(struct otst *o, uint64_t addr, const struct otst_sym *sym,
			       bool offset)
{
	const char *open = sym->module ? " [" : "", *close = sym->module ? "]" : "";
	const char *module = sym->module ? sym->module : "";

	if (!sym->name)
		return or_unknown(otst_format(o, "0x%" PRIx64, addr));
	if (!offset)
		return or_unknown(otst_format(o, "%s%s%s%s", sym->name, open, module, close));
	return or_unknown(otst_format(o, "%s+0x%" PRIx64 "/0x%" PRIx64 "%s%s%s", sym->name,
				      addr - sym->addr, sym->size, open, module, close));
}

static const char *append(struct otst *o, const char *s, const char *more)
{
	return or_unknown(otst_format(o, "%s%s", s, more));
}

/* print_subops() */
static const char *subops_text(struct otst *o, const struct otst_ftrace_function *f,
			       const struct otst_ftrace_ops *manager)
{
	const char *s = "";
	size_t i;

	for (i = 0; i < f->nr_ops; i++) {
		const struct otst_ftrace_ops *sub = f->ops[i];
		const char *one;

		if (sub->manager != manager)
			continue;
		if (sub->entry)
			one = otst_format(o, " {ent:%s ret:%s}",
					  kernel_name(o, sub->entry, &sub->entry_sym, true),
					  kernel_name(o, sub->ret, &sub->ret_sym, true));
		else if (sub->trampoline)
			one = otst_format(
				o, " {%s (%s)}%s%s",
				kernel_name(o, sub->trampoline, &sub->trampoline_sym, true),
				kernel_name(o, sub->func, &sub->func_sym, true),
				sub->calls ? " ->" : "",
				sub->calls ? kernel_name(o, sub->calls, &sub->calls_sym, true) :
					     "");
		else
			one = otst_format(o, " {%s}",
					  kernel_name(o, sub->func, &sub->func_sym, true));
		s = append(o, *s ? s : "\tsubops:", or_unknown(one));
	}
	return s;
}

static const char *tramp_text(struct otst *o, const struct otst_ftrace_functions *all,
			      const struct otst_ftrace_function *f)
{
	const char *s = "";
	size_t i;

	if (!f->nr_tramps)
		return all->incomplete ? "\ttramp: unknown" : "\ttramp: ERROR!";
	for (i = 0; i < f->nr_tramps; i++) {
		const struct otst_ftrace_ops *ops = f->tramps[i];

		s = or_unknown(
			otst_format(o, "%s\ttramp: %s", s,
				    kernel_name(o, ops->trampoline, &ops->trampoline_sym, true)));
		if (!all->tramp_func)
			break;
		s = or_unknown(otst_format(
			o, "%s (%s)%s%s", s, kernel_name(o, ops->func, &ops->func_sym, true),
			ops->calls ? " ->" : "",
			ops->calls ? kernel_name(o, ops->calls, &ops->calls_sym, true) : ""));
		if (all->subops)
			s = append(o, s, subops_text(o, f, ops));
	}
	return s;
}

/* what stands behind the columns; neighbours mostly have the same */
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
	if (!f->calls || !all->tramp_func)
		return "";
	if (c->calls != f->calls_sym) {
		c->calls_text = append(o, " ->", kernel_name(o, f->calls, f->calls_sym, true));
		c->calls = f->calls_sym;
	}
	return c->calls_text;
}

static const char *unique_text(struct otst *o, const struct otst_ftrace_functions *all,
			       const struct otst_ftrace_function *f)
{
	const struct otst_ftrace_ops *ops = f->unique;

	if (!(f->site.flags & all->bits.call_ops_en))
		return "";
	if (!ops)
		return all->incomplete ? "\tops: unknown" : "\tops: ERROR!";
	return or_unknown(otst_format(o, "\tops: %s (%s)%s",
				      kernel_name(o, ops->addr, &ops->sym, true),
				      kernel_name(o, ops->func, &ops->func_sym, true),
				      all->subops ? subops_text(o, f, ops) : ""));
}

static const char *direct_text(struct otst *o, const struct otst_ftrace_function *f)
{
	if (!f->direct)
		return "";
	return or_unknown(otst_format(o, "\n\tdirect%s-->%s", f->direct_jmp ? "(jmp)" : "",
				      kernel_name(o, f->direct, &f->direct_sym, true)));
}

static void print_function(struct otst_printer *p, const struct otst_ftrace_functions *all,
			   const struct otst_ftrace_function *f, struct line_cache *c)
{
	const struct otst_ftrace_bits *b = &all->bits;
	const char *open = f->sym.module ? " [" : "", *close = f->sym.module ? "]" : "";
	const char *module = f->sym.module ? f->sym.module : "";
	uint64_t flags = f->site.flags;

	if (f->invalid) {
		otst_printf(p, "__ftrace_invalid_address___%" PRIu64 "%s%s%s\n", f->offset, open,
			    module, close);
		return;
	}
	otst_printf(p, "%s%s%s%s (%" PRIu64 ")%s%s%s%s%s%s%s%s\n",
		    f->sym.name ? f->sym.name : kernel_name(p->o, f->site.ip, &f->sym, false), open,
		    module, close, f->count,
		    flags & b->regs ? " R" :
		    b->ipmodify	    ? "  " :
				      "",
		    !b->ipmodify	? "" :
		    flags & b->ipmodify ? " I" :
					  "  ",
		    !b->direct	      ? "" :
		    flags & b->direct ? " D" :
					"  ",
		    !b->call_ops	? "" :
		    flags & b->call_ops ? " O" :
					  "  ",
		    !b->modified	? "" :
		    flags & b->modified ? " M " :
					  "   ",
		    caller_text(p->o, all, f, c), unique_text(p->o, all, f), direct_text(p->o, f));
}

/* ---- JSON ---- */

static void json_address_or_null(struct json_object *j, const char *key, uint64_t addr)
{
	if (addr)
		otst_json_address(j, key, addr);
	else
		otst_json_null(j, key);
}

static void json_hash(struct otst_printer *p, struct json_object *j, const char *key,
		      const struct otst_hash *h)
{
	const char **names;
	size_t i;

	if (h->empty) {
		otst_json_null(j, key);
		return;
	}
	names = otst_alloc(p->o, (h->count + 1) * sizeof(*names));
	for (i = 0; names && i < h->count; i++) {
		struct otst_sym sym;

		otst_symbolize_all(p->o, h->ips[i], &sym);
		names[i] = otst_sym_name(p->o, h->ips[i], &sym);
	}
	otst_json_strings(j, key, names);
}

static void json_ops(struct otst_printer *p, const struct otst_ftrace_ops *ops)
{
	struct json_object *j = otst_json_new("ftrace_ops");

	if (first_error(ops))
		p->bad++;
	otst_json_place(j, ops->addr, &ops->sym);
	otst_json_u64(j, "flags", ops->flags);
	otst_json_string(j, "flag_names", ops->flag_names);
	otst_json_bool(j, "active", ops->active);
	otst_json_sym(j, "func", ops->func, &ops->func_sym);
	otst_json_sym(j, "saved_func", ops->saved_func, &ops->saved_func_sym);
	otst_json_sym(j, "entry", ops->entry, &ops->entry_sym);
	otst_json_sym(j, "return", ops->ret, &ops->ret_sym);
	json_address_or_null(j, "trampoline", ops->trampoline);
	otst_json_u64(j, "trampoline_size", ops->trampoline_size);
	otst_json_sym(j, "trampoline_calls", ops->calls, &ops->calls_sym);
	otst_json_sym(j, "direct", ops->direct, &ops->direct_sym);
	json_address_or_null(j, "manager", ops->manager ? ops->manager->addr : 0);
	json_address_or_null(j, "private", ops->private);
	otst_json_object(j, "owner", otst_json_owner(&ops->owner));
	otst_json_string(j, "hooks", hooked(p->o, ops));
	json_hash(p, j, "filter", &ops->filter);
	json_hash(p, j, "notrace", &ops->notrace);
	otst_json_string(j, "error", first_error(ops));
	otst_json_line(p, j);
}

static const char *record_flags(struct otst *o, uint64_t flags)
{
	static const char *const names[] = { "ENABLED",	  "REGS",     "REGS_EN",     "TRAMP",
					     "TRAMP_EN",  "IPMODIFY", "DISABLED",    "DIRECT",
					     "DIRECT_EN", "CALL_OPS", "CALL_OPS_EN", "TOUCHED",
					     "MODIFIED",  NULL };

	return otst_flags(o, flags, "FTRACE_FL_", names);
}

static const char *const *addresses_of(struct otst *o, struct otst_ftrace_ops *const *ops, size_t n)
{
	const char **list = otst_alloc(o, (n + 1) * sizeof(*list));
	size_t i;

	for (i = 0; list && i < n; i++)
		list[i] = or_unknown(otst_format(o, "0x%" PRIx64, ops[i]->addr));
	return list;
}

static void json_function(struct otst_printer *p, const struct otst_ftrace_functions *all,
			  const struct otst_ftrace_function *f)
{
	static const struct otst_sym none;
	struct json_object *j = otst_json_new("function");

	otst_json_place(j, f->site.ip, &f->sym);
	otst_json_bool(j, "valid", !f->invalid);
	otst_json_address(j, "record", f->site.record);
	otst_json_u64(j, "count", f->count);
	otst_json_string(j, "flag_names", record_flags(p->o, f->site.flags & ~all->bits.count));
	otst_json_strings(j, "ops", addresses_of(p->o, f->ops, f->nr_ops));
	otst_json_strings(j, "trampolines_of", addresses_of(p->o, f->tramps, f->nr_tramps));
	otst_json_sym(j, "calls", f->calls, f->calls_sym ? f->calls_sym : &none);
	otst_json_sym(j, "direct", f->direct, &f->direct_sym);
	otst_json_bool(j, "direct_jmp", f->direct_jmp);
	otst_json_line(p, j);
}

static void json_state(struct otst_printer *p, const struct otst_ftrace_list *list,
		       const struct otst_ftrace_functions *functions)
{
	struct json_object *j = otst_json_new("ftrace");

	otst_json_bool(j, "enabled", list->enabled);
	otst_json_bool(j, "dead", list->dead);
	otst_json_u64(j, "ops", list->count);
	if (functions)
		otst_json_u64(j, "sites", functions->sites);
	else
		otst_json_null(j, "sites");
	otst_json_line(p, j);
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

static void measure(struct otst_table *t, const struct otst_ftrace_list *list)
{
	struct otst_cell row[COLUMNS];
	size_t i;

	for (i = 0; i < list->count; i++) {
		fill_row(t->p->o, list->items[i], row);
		otst_table_measure(t, row);
	}
}

static void print_errors(struct otst_printer *p, const char *const *errors, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		otst_print_bad(p, NULL, errors[i]);
}

void otst_print_ftrace(struct otst_printer *p, const struct otst_ftrace_list *list,
		       const struct otst_ftrace_functions *functions)
{
	struct line_cache cache = { 0 };
	const char *what = "functions";
	struct otst_table t;
	size_t i;

	otst_table_init(&t, p, columns, COLUMNS, CALLBACK);
	if (p->json) {
		json_state(p, list, functions);
	} else {
		print_state(p, list);
		measure(&t, list);
		otst_table_head(&t);
	}
	for (i = 0; i < list->count && !p->err; i++) {
		if (p->json)
			json_ops(p, list->items[i]);
		else
			print_ops(&t, list->items[i]);
	}
	print_errors(p, list->errors, list->nr_errors);
	if (!p->json)
		otst_printf(p, "\n");
	for (i = 0; functions && i < functions->count && !p->err; i++) {
		if (p->json)
			json_function(p, functions, &functions->items[i]);
		else
			print_function(p, functions, &functions->items[i], &cache);
	}
	if (functions && !p->json)
		otst_printf(p, "\n");
	if (functions)
		print_errors(p, functions->errors, functions->nr_errors);
	if (functions && !p->json)
		what = or_unknown(
			otst_format(p->o, "functions hooked, of %zu that can be; %zu ftrace_ops",
				    functions->sites, list->count));
	otst_print_end(p, what, functions ? functions->count : 0);
}
