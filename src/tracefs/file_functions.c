// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_functions.c - set_ftrace_filter and its relatives, as t_show() and
 * g_show() of kernel/trace/ftrace.c print them: the functions in the hashes of
 * an ops, in the order of ftrace's records; then filters that wait for a module
 * (struct ftrace_mod_load); then function commands (struct ftrace_func_probe,
 * since 4.12 in each trace array, before that in ftrace_func_hash).
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "../tracefile/tracefile.h"
#include "tracefs.h"

#define MAX_STRING   512
#define MAX_GRAPH    32	 /* FTRACE_GRAPH_MAX_FUNCS of kernels that had an array */
#define FUNC_BUCKETS 128 /* FTRACE_FUNC_HASHSIZE of kernels that had ftrace_func_hash */
#define ALL_FUNCS    "#### all functions enabled ####"
#define NO_FUNCS_OFF "#### no functions disabled ####"

static void note_array_gap(struct otst_array_view *a, const char *message)
{
	otst_note_text(a->o, &a->out->errors, message);
}

/* print the functions of a hash, or @none if it is empty; @shown counts the lines */
static int print_functions(struct otst_array_view *a, const struct otst_hash *h, const char *none,
			   size_t *shown)
{
	const struct otst_ftrace_sites *sites;
	size_t i;
	int err;

	*shown = 1;
	if (h->empty)
		return otst_line(a->out, "%s", none);
	err = otst_ftrace_sites(a->o, &sites);
	/* the file is there: its functions are not known */
	if (err == OTST_ERR_LOOKUP)
		return otst_note(a->o, &a->out->errors, err);
	for (i = 0, *shown = 0; !err && i < sites->count; i++) {
		uint64_t ip = sites->items[i].ip;

		if (!otst_hash_has(h, ip))
			continue;
		++*shown;
		err = otst_line(a->out, "%s", otst_ftrace_site_name(a->o, ip));
	}
	if (!err)
		otst_notes_once(a->o, &a->out->errors, &sites->errors);
	if (!err && h->error)
		note_array_gap(a, h->error);
	return err;
}

/* ---- filters for modules that are not loaded yet ---- */

static int print_function_module(struct otst_array_view *a, uint64_t at)
{
	const char *func = "*", *module;
	struct otst_view v;
	uint64_t addr;
	int err;

	err = otst_view_read(a->o, "ftrace_mod_load", at, &v);
	if (err)
		return err;
	addr = otst_u64(&v, "func");
	if (addr)
		err = otst_read_string(a->o, addr, MAX_STRING, &func);
	err = err ?: otst_view_string(&v, "module", MAX_STRING, &module);
	return err ? err : otst_line(a->out, "%s:mod:%s", func, module);
}

static int print_modules(struct otst_array_view *a, const char *list, size_t *shown)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node;
	int err;

	*shown = 0;
	if (!otst_view_has(&a->v, list))
		return 0;
	err = otst_member(a->o, "ftrace_mod_load", "list", &link);
	if (err)
		return err;
	otst_walk_list(a->o, otst_addr_of(&a->v, list), &w);
	while (!err && otst_walk_next(&w, &node)) {
		++*shown;
		err = print_function_module(a, node - link->offset);
	}
	return err ? err : w.err;
}

/* ---- commands on functions ---- */

/* a command is known by its print function; @name: of those that print "FUNC:NAME:COUNT" */
struct command {
	const char *print;
	const char *name;
};

static const struct command commands[] = {
	{ "ftrace_traceon_print", "traceon" },		{ "ftrace_traceoff_print", "traceoff" },
	{ "ftrace_stacktrace_print", "stacktrace" },	{ "ftrace_dump_print", "dump" },
	{ "ftrace_cpudump_print", "cpudump" },		{ "ftrace_snapshot_print", "snapshot" },
	{ "event_enable_print", NULL /* its event */ },
};

/* one struct ftrace_func_probe */
struct probe {
	const struct command *command; /* NULL for none of the above */
	uint64_t func;
	struct otst_hash ips;
	struct otst_hash data; /* of each function that has any */
};

static int read_command(struct otst *o, uint64_t ops, struct probe *p)
{
	struct otst_view v;
	uint64_t print;
	int err;

	err = otst_view_read(o, "ftrace_probe_ops", ops, &v);
	if (err)
		return err;
	p->func = otst_u64(&v, "func");
	print = otst_u64(&v, "print");
	for (size_t i = 0; print && i < sizeof(commands) / sizeof(*commands); i++) {
		if (otst_handler_is(o, print, commands[i].print))
			p->command = &commands[i];
	}
	return v.err;
}

static int read_probe(struct otst *o, uint64_t at, struct probe *p)
{
	const struct otst_member *ops;
	struct otst_hash notrace;
	struct otst_view v;
	int err;

	*p = (struct probe){ 0 };
	err = otst_view_read(o, "ftrace_func_probe", at, &v);
	err = err ?: otst_member(o, "ftrace_func_probe", "ops", &ops);
	err = err ?: read_command(o, otst_u64(&v, "probe_ops"), p);
	err = err ?: otst_ftrace_hashes(o, at + ops->offset, &p->ips, &notrace);
	/* a struct ftrace_func_mapper, which begins with its hash */
	if (!err)
		err = otst_hash_read_values(o, otst_u64(&v, "data"), "ftrace_func_map", "data",
					    &p->data);
	return err ? err : v.err;
}

static bool find_data(const struct probe *p, uint64_t ip, uint64_t *ret)
{
	for (size_t i = 0; p->data.values && i < p->data.count; i++) {
		if (p->data.ips[i] == ip) {
			*ret = p->data.values[i];
			return true;
		}
	}
	return false;
}

static const char *count_text(struct otst *o, int64_t count)
{
	const char *s = count == -1 ? "unlimited" : otst_format(o, "count=%" PRId64, count);

	return s ? s : "?";
}

/* event_enable_print() */
static int print_enable(struct otst_array_view *a, const char *func, uint64_t data)
{
	const char *system, *name;
	struct otst_view v, file;
	int err;

	err = otst_view_read(a->o, "event_probe_data", data, &v);
	err = err ?: otst_view_follow(&v, "file", otst_event_file_type(a->o), &file);
	err = err ?: otst_event_name(a->o, otst_u64(&file, "event_call"), &system, &name);
	if (err)
		return err;
	return otst_line(a->out, "%s:%s:%s:%s:%s", func,
			 otst_u64(&v, "enable") ? "enable_event" : "disable_event", system, name,
			 count_text(a->o, (int64_t)otst_u64(&v, "count")));
}

/* @has: the function has @data of its own */
static int print_command(struct otst_array_view *a, const struct probe *p, uint64_t ip, bool has,
			 uint64_t data)
{
	struct otst_sym sym;
	const char *func;

	otst_symbolize_all(a->o, ip, &sym);
	func = otst_sym_format(a->o, ip, &sym, OTST_SYM_PS);
	if (!p->command) {
		otst_symbolize_all(a->o, p->func, &sym);
		return otst_line(a->out, "%s:%s", func, sym.name ? sym.name : "?");
	}
	if (p->command->name)
		return otst_line(a->out, "%s:%s:%s", func, p->command->name,
				 p->data.error && !has ?
					 "count=?" :
					 count_text(a->o, has ? (int64_t)data : -1));
	return has && data ? print_enable(a, func, data) : 0;
}

/*
 * t_probe_start() finds its first command by the number of lines before it, and
 * t_mod_start() spoils that number: if there are module filters, as many commands
 * are skipped as there were function lines.
 */
static int print_listed(struct otst_array_view *a, size_t skip)
{
	const struct otst_member *link;
	struct otst_walk w;
	struct probe p;
	uint64_t node, data;
	bool has;
	int err = otst_member(a->o, "ftrace_func_probe", "list", &link);

	if (err)
		return err;
	otst_walk_list(a->o, otst_addr_of(&a->v, "func_probes"), &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = read_probe(a->o, node - link->offset, &p);
		for (size_t i = 0; !err && i < p.ips.count; i++) {
			if (skip) {
				skip--;
				continue;
			}
			has = find_data(&p, p.ips.ips[i], &data);
			err = print_command(a, &p, p.ips.ips[i], has, has ? data : 0);
		}
		if (!err && p.ips.error)
			note_array_gap(a, p.ips.error);
		if (!err && p.data.error)
			note_array_gap(a, p.data.error);
	}
	return err ? err : w.err;
}

static int print_hashed_one(struct otst_array_view *a, uint64_t at)
{
	struct otst_view v;
	struct probe p = { 0 };
	int err;

	err = otst_view_read(a->o, "ftrace_func_probe", at, &v);
	if (!err)
		err = read_command(a->o, otst_u64(&v, "ops"), &p);
	if (!err)
		err = v.err;
	return err ? err : print_command(a, &p, otst_u64(&v, "ip"), true, otst_u64(&v, "data"));
}

/* Before Linux 04ec7bb642b7 ("tracing: Have the trace_array hold the list of registered func probes") (v4.12) */
static int print_hashed(struct otst_array_view *a)
{
	uint64_t table = otst_symbol_or0(a->o, "ftrace_func_hash"), node;
	const struct otst_member *link;
	struct otst_walk w;
	int err;

	if (!table)
		return 0;
	err = otst_member(a->o, "ftrace_func_probe", "node", &link);
	for (size_t i = 0; !err && i < FUNC_BUCKETS; i++) {
		otst_walk_hlist(a->o, table + i * 8, &w);
		while (!err && otst_walk_next(&w, &node))
			err = print_hashed_one(a, node - link->offset);
		if (!err)
			err = w.err;
	}
	return err;
}

static int print_commands(struct otst_array_view *a, size_t skip)
{
	return otst_view_has(&a->v, "func_probes") ? print_listed(a, skip) : print_hashed(a);
}

/* ---- the files ---- */

static int read_hashes(struct otst_array_view *a, struct otst_hash *filter,
		       struct otst_hash *notrace)
{
	uint64_t ops = otst_u64_or(&a->v, "ops", 0);

	if (!ops && !a->array->name)
		ops = otst_symbol_or0(a->o, "global_ops");
	if (!ops)
		return otst_raise(a->o, OTST_ERR_LOOKUP,
				  "this trace array has no ftrace_ops of its own");
	return otst_ftrace_hashes(a->o, ops, filter, notrace);
}

int otst_file_ftrace_filter(struct otst_array_view *a)
{
	struct otst_hash filter, notrace;
	size_t functions, modules = 0;
	int err = read_hashes(a, &filter, &notrace);

	err = err ?: print_functions(a, &filter, ALL_FUNCS, &functions);
	/* commands are another list */
	err = err ?: otst_note(a->o, &a->out->errors, print_modules(a, "mod_trace", &modules));
	if (!err)
		err = print_commands(a, modules && !a->all ? functions : 0);
	return err;
}

int otst_file_ftrace_notrace(struct otst_array_view *a)
{
	struct otst_hash filter, notrace;
	size_t functions, modules;
	int err = read_hashes(a, &filter, &notrace);

	if (!err && (!notrace.empty || otst_kernel_says(a->o, OTST_SAYS_NO_FUNCS_OFF)))
		err = print_functions(a, &notrace, NO_FUNCS_OFF, &functions);
	return err ? err : print_modules(a, "mod_notrace", &modules);
}

/* g_show(): in bucket order, independent of the kernel's records */
static int print_graph_hash(struct otst_array_view *a, uint64_t at, const char *none)
{
	struct otst_hash h;
	struct otst_sym sym;
	uint64_t addr;
	int err = otst_read_u64(a->o, at, &addr);

	err = err ?: otst_hash_read(a->o, addr, false, &h);
	if (err)
		return err;
	if (h.empty)
		return otst_line(a->out, "%s", none);
	for (size_t i = 0; i < h.count && !err; i++) {
		otst_symbolize_all(a->o, h.ips[i], &sym);
		err = otst_line(a->out, "%s", otst_sym_format(a->o, h.ips[i], &sym, OTST_SYM_PS));
	}
	if (!err && h.error)
		note_array_gap(a, h.error);
	return err;
}

/* before Linux b9b0c831bed2 ("ftrace: Convert graph filter to use hash tables") (v4.11) */
static int print_graph_array(struct otst_array_view *a, uint64_t at, uint64_t count_at,
			     const char *none)
{
	struct otst_sym sym;
	uint32_t n, i;
	uint64_t ip;
	int err = otst_read_u32(a->o, count_at, &n);

	if (!err && !n)
		return otst_line(a->out, "%s", none);
	for (i = 0; !err && i < n && i < MAX_GRAPH; i++) {
		err = otst_read_u64(a->o, at + i * 8, &ip);
		if (err)
			break;
		otst_symbolize_all(a->o, ip, &sym);
		err = otst_line(a->out, "%s", sym.name ? sym.name : "?");
	}
	return err;
}

static int print_graph(struct otst_array_view *a, const char *hash, const char *array,
		       const char *count, const char *none)
{
	uint64_t at = otst_symbol_or0(a->o, hash), count_at;

	if (at)
		return print_graph_hash(a, at, none);
	at = otst_symbol_or0(a->o, array);
	count_at = otst_symbol_or0(a->o, count);
	if (!at || !count_at)
		return otst_raise(a->o, OTST_ERR_LOOKUP,
				  "this kernel has no function graph tracer");
	return print_graph_array(a, at, count_at, none);
}

int otst_file_graph_function(struct otst_array_view *a)
{
	return print_graph(a, "ftrace_graph_hash", "ftrace_graph_funcs", "ftrace_graph_count",
			   ALL_FUNCS);
}

int otst_file_graph_notrace(struct otst_array_view *a)
{
	return print_graph(a, "ftrace_graph_notrace_hash", "ftrace_graph_notrace_funcs",
			   "ftrace_graph_notrace_count", NO_FUNCS_OFF);
}

/* graph_depth_read(); in older kernels other variables could have the same name */
int otst_file_graph_depth(struct otst_array_view *a)
{
	uint64_t at = otst_symbol_or0(a->o, "fgraph_max_depth");
	uint32_t depth;
	int err;

	if (!at && otst_has_symbol(a->o, "graph_depth_read"))
		at = otst_symbol_or0(a->o, "max_depth");
	if (!at)
		return otst_raise(a->o, OTST_ERR_LOOKUP,
				  "no symbol tells where max_graph_depth is");
	err = otst_read_u32(a->o, at, &depth);
	return err ? err : otst_line(a->out, "%" PRId32, (int32_t)depth);
}

/* the stack tracer's ops is a static whose name others share: the callback identifies it */
struct search {
	struct otst *o;
	uint64_t ops;
};

static int find_stack_ops(void *priv, const struct otst_sym *sym, char type)
{
	struct search *s = priv;
	struct otst_view v;

	(void)type;
	if (sym->module || !sym->name || strcmp(sym->name, "trace_ops") ||
	    otst_view_read(s->o, "ftrace_ops", sym->addr, &v))
		return 0;
	if (otst_handler_is(s->o, otst_u64(&v, "func"), "stack_trace_call") ||
	    otst_handler_is(s->o, otst_u64_or(&v, "saved_func", 0), "stack_trace_call"))
		s->ops = sym->addr;
	return s->ops != 0;
}

/* a symbol table of functions only does not name it; the ops list has it while the tracer is on */
static int find_listed(struct search *s)
{
	struct otst_ftrace_list list;
	const char *unread;
	int err;

	if (!otst_symbol_or0(s->o, "stack_trace_call"))
		return otst_raise(s->o, OTST_ERR_LOOKUP, "no stack tracer in this kernel");
	err = otst_ftrace_ops_list(s->o, false, &list);
	if (err)
		return err;
	unread = list.errors.count ? list.errors.texts[0] : NULL;
	for (size_t i = 0; i < list.count && !s->ops; i++) {
		if (otst_handler_is(s->o, list.items[i]->func, "stack_trace_call") ||
		    otst_handler_is(s->o, list.items[i]->saved_func, "stack_trace_call"))
			s->ops = list.items[i]->addr;
		unread = unread ?: list.items[i]->error;
	}
	if (s->ops)
		return 0;
	return unread ? otst_raise(s->o, OTST_ERR_CORRUPT, "%s", unread) :
			otst_raise(s->o, OTST_ERR_LOOKUP,
				   "the stack tracer is off, and no symbol names its ftrace_ops");
}

int otst_file_stack_trace_filter(struct otst_array_view *a)
{
	struct search s = { .o = a->o };
	struct otst_sym named = { .name = "trace_ops" };
	struct otst_hash filter, notrace;
	size_t shown;
	int err;

	/* no symbol table, or no such symbol: treated alike */
	err = otst_symbols(a->o, find_stack_ops, &s);
	if (err && otst_fatal(err))
		return err;
	/* the image file names data that the kernel's table leaves out */
	named.addr = s.ops ? 0 : otst_symbol_or0(a->o, named.name);
	if (named.addr)
		find_stack_ops(&s, &named, 'd');
	err = s.ops ? 0 : find_listed(&s);
	err = err ?: otst_ftrace_hashes(a->o, s.ops, &filter, &notrace);
	return err ? err : print_functions(a, &filter, ALL_FUNCS, &shown);
}
