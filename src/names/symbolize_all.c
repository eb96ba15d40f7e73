// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * symbolize_all.c - the last two places where kallsyms_lookup() of kernel/kallsyms.c
 * looks for the name of an address: the list bpf_kallsyms of struct bpf_ksym
 * (programs, trampolines, dispatchers) and the list ftrace_mod_maps of struct
 * ftrace_mod_map (functions in module init text that was traced and is freed). If a
 * trampoline lies where such init text was, the kernel names it after the init
 * function, and so do its own files. ftrace's trampolines have a name in
 * /proc/kallsyms alone: the list ftrace_ops_trampoline_list of struct ftrace_ops.
 */
#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../base/hashmap.h"
#include "../memory/memory.h"
#include "../memory/walk.h"
#include "../types/types.h"
#include "modules.h"
#include "symbols.h"

#define MAX_BPF_NAME 512

/* one range that has a name */
struct range {
	uint64_t start;
	uint64_t last;	    /* its last address that counts */
	uint64_t size;	    /* as printed */
	const char *name;   /* what it is called, or NULL */
	uint64_t name_at;   /* then where the name is */
	const char *module; /* the same for the module; both none: it has none */
	uint64_t module_at;
};

struct ranges {
	struct otst_vec bpf;
	bool bpf_lost; /* some of BPF's code may be missing */
	struct otst_vec init;
	struct otst_vec ftrace;
	bool ftrace_lost;
};

/* the lists only help with names: parts that cannot be read give none */
static void read_bpf(struct otst *o, struct ranges *r)
{
	const struct otst_member *link, *start, *end, *name;
	struct otst_walk w;
	uint64_t head, node;

	/* Linux ecb60d1c670e ("bpf: Move lnode list node to struct bpf_ksym") (v5.7) */
	if (otst_member(o, "bpf_ksym", "lnode", &link) ||
	    otst_member(o, "bpf_ksym", "start", &start) ||
	    otst_member(o, "bpf_ksym", "end", &end) || otst_member(o, "bpf_ksym", "name", &name) ||
	    otst_symbol(o, "bpf_kallsyms", &head)) {
		r->bpf_lost = otst_has_symbol(o, "bpf_prog_kallsyms_add");
		return;
	}
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		uint64_t from, to, ksym = node - link->offset;
		struct range *b;

		if (otst_read_u64(o, ksym + start->offset, &from) ||
		    otst_read_u64(o, ksym + end->offset, &to) || to < from) {
			r->bpf_lost = true;
			continue;
		}
		b = otst_vec_push(o, &r->bpf, sizeof(struct range));
		/*
		 * bpf_tree_comp() counts the end as part of the image, because of return addresses
		 */
		*b = (struct range){
			.start = from, .last = to, .size = to - from, .name_at = ksym + name->offset
		};
	}
	r->bpf_lost |= w.err != 0;
}

static void read_init_funcs(struct otst *o, uint64_t funcs, uint64_t module_at, struct ranges *r)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node;

	if (otst_lack(o, otst_member(o, "ftrace_mod_func", "list", &link)))
		return;
	otst_walk_list(o, funcs, &w);
	while (otst_walk_next(&w, &node)) {
		uint64_t ip, size, name;
		struct otst_view v;
		struct range *f;

		if (otst_view_read(o, "ftrace_mod_func", node - link->offset, &v))
			continue;
		ip = otst_u64(&v, "ip");
		size = otst_u64(&v, "size");
		name = otst_u64(&v, "name");
		if (otst_lack(o, v.err) || !size)
			continue;
		f = otst_vec_push(o, &r->init, sizeof(struct range));
		*f = (struct range){ .start = ip,
				     .last = ip + size - 1,
				     .size = size,
				     .name_at = name,
				     .module_at = module_at };
	}
}

static void read_init(struct otst *o, struct ranges *r)
{
	const struct otst_member *link, *name;
	uint64_t head, node, mod;
	struct otst_walk w;
	int err;

	/* Linux aba4b5c22cba ("ftrace: Save module init functions kallsyms symbols for tracing") (v4.14) */
	if (otst_symbol(o, "ftrace_mod_maps", &head) || !otst_may_have_modules(o))
		return;
	err = otst_member(o, "ftrace_mod_map", "list", &link);
	err = err ?: otst_member(o, "module", "name", &name);
	if (otst_lack(o, err))
		return;
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		struct otst_view v;
		uint64_t funcs;

		if (otst_view_read(o, "ftrace_mod_map", node - link->offset, &v))
			continue;
		mod = otst_u64(&v, "mod");
		funcs = otst_addr_of(&v, "funcs");
		if (!otst_lack(o, v.err))
			read_init_funcs(o, funcs, mod + name->offset, r);
	}
}

/* ftrace_get_trampoline_kallsym() */
static void read_ftrace(struct otst *o, struct ranges *r)
{
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t head, node;

	/* Linux fc0ea795f53c ("ftrace: Add symbols for ftrace trampolines") (v5.8) */
	if (otst_symbol(o, "ftrace_ops_trampoline_list", &head) ||
	    otst_lack(o, otst_member(o, "ftrace_ops", "list", &link)))
		return;
	otst_walk_list(o, head, &w);
	while (otst_walk_next(&w, &node)) {
		struct otst_view v;
		uint64_t start, size;
		struct range *t;

		if (otst_view_read(o, "ftrace_ops", node - link->offset, &v)) {
			r->ftrace_lost = true;
			continue;
		}
		start = otst_u64(&v, "trampoline");
		size = otst_u64(&v, "trampoline_size");
		if (otst_lack(o, v.err) || !start || !size)
			continue;
		t = otst_vec_push(o, &r->ftrace, sizeof(struct range));
		*t = (struct range){ .start = start,
				     .last = start + size - 1,
				     .size = size,
				     .name = "ftrace_trampoline",
				     .module = "__builtin__ftrace" };
	}
	r->ftrace_lost |= w.err != 0;
}

static const struct ranges *find_ranges(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct ranges *r;

	if (!*memo) {
		r = otst_new(o, sizeof(*r));
		read_bpf(o, r);
		read_init(o, r);
		read_ftrace(o, r);
		*memo = r;
	}
	return *memo;
}

static bool find_symbol_range(struct otst *o, const struct otst_vec *v, uint64_t addr,
			      struct otst_sym *ret)
{
	const struct range *r = v->data;

	for (size_t i = 0; i < v->count; i++, r++) {
		if (addr < r->start || addr > r->last)
			continue;
		ret->name = r->name;
		ret->module = r->module;
		if (!r->name && otst_read_string(o, r->name_at, MAX_BPF_NAME, &ret->name))
			ret->name = NULL;
		if (r->module_at && otst_read_string(o, r->module_at, MAX_BPF_NAME, &ret->module))
			ret->module = NULL;
		ret->addr = r->start;
		ret->size = r->size;
		return ret->name;
	}
	return false;
}

/* @freed: use the names of freed functions, too */
static void symbolize_with(struct otst *o, uint64_t addr, bool freed, struct otst_sym *ret)
{
	const struct ranges *r;
	struct otst_sym found = { 0 };

	otst_symbolize(o, addr, ret);
	if (ret->name || !otst_is_kernel_pointer(o, addr))
		return;
	r = find_ranges(o);
	if (r && (find_symbol_range(o, &r->bpf, addr, &found) ||
		  (freed && find_symbol_range(o, &r->init, addr, &found))))
		*ret = found;
}

void otst_symbolize_all(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	symbolize_with(o, addr, true, ret);
}

bool otst_symbolize_part(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	otst_symbolize_all(o, addr, ret);
	return ret->name && strchr(ret->name, '.');
}

void otst_symbolize_code(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	symbolize_with(o, addr, false, ret);
}

void otst_symbolize_frame(struct otst *o, uint64_t addr, struct otst_sym *ret)
{
	struct otst_sym found = { 0 };

	symbolize_with(o, addr, true, ret);
	if (!ret->name && otst_is_kernel_pointer(o, addr) &&
	    find_symbol_range(o, &find_ranges(o)->ftrace, addr, &found))
		*ret = found;
}

bool otst_made_code(struct otst *o,
		    void (*each)(void *priv, enum otst_made_code kind, uint64_t addr,
				 uint64_t size),
		    void *priv)
{
	const struct ranges *r = find_ranges(o);
	const struct range *b = r->bpf.data, *t = r->ftrace.data;

	for (size_t i = 0; i < r->bpf.count; i++)
		each(priv, OTST_MADE_BPF, b[i].start, b[i].size);
	for (size_t i = 0; i < r->ftrace.count; i++)
		each(priv, OTST_MADE_TRAMPOLINE, t[i].start, t[i].size);
	return !r->bpf_lost && !r->ftrace_lost;
}

const char *otst_code_gap(struct otst *o)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	struct otst_module *const *m;
	int err = otst_modules(o, &m);

	if (!b->stext || !b->etext || otst_symbols_gap(o))
		return "it lies in no module that is loaded; not all symbols of the kernel are known";
	/* LOOKUP: a kernel without modules */
	if ((err && err != OTST_ERR_LOOKUP) || otst_modules_error(o))
		return "it lies in no module that could be read; not all could";
	if (find_ranges(o)->bpf_lost)
		return "it lies in no module that is loaded; BPF's code could not all be read";
	return NULL;
}

bool otst_handler_is(struct otst *o, uint64_t addr, const char *name)
{
	size_t len = strlen(name);
	struct otst_sym sym;

	if (!addr)
		return false;
	/* there may be other names for the same place */
	if (addr == otst_symbol_or0(o, name))
		return true;
	otst_symbolize(o, addr, &sym);
	if (!sym.name || sym.module || sym.addr != addr)
		return false;
	/* a compiler may have made a clone: ".constprop.0", ".llvm.123" */
	return !strncmp(sym.name, name, len) && (!sym.name[len] || sym.name[len] == '.');
}
