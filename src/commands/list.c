// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * list.c - otst -l: probes, chosen by kind and by operands.
 */
#include <fnmatch.h>
#include <string.h>

#include "../names/lookup.h"
#include "../events/events.h"
#include "../ftrace/ftrace.h"
#include "../where/where.h"
#include "commands.h"

/* does the ftrace_ops hook a function that is meant */
static bool hooks_meant(struct otst *o, const struct otst_filter *f,
			const struct otst_ftrace_ops *ops)
{
	const struct otst_hash *h = &ops->filter;
	const struct otst_ftrace_sites *sites;
	size_t i, n = h->count;
	struct otst_sym sym;
	uint64_t addr;

	/* if it is not known which functions can be hooked, any may be */
	if (h->empty && otst_ftrace_sites(o, &sites))
		return f->name && !otst_symbol_any(o, f->name, &addr);
	n = h->empty ? sites->count : n;
	for (i = 0; i < n; i++) {
		uint64_t ip = h->empty ? sites->items[i].ip : h->sorted[i];

		if (!otst_ftrace_ops_has(ops, ip))
			continue;
		otst_symbolize_all(o, ip, &sym);
		if (otst_filter_matches(f, ip, &sym))
			return true;
	}
	return false;
}

static bool is_chosen_probe(struct otst *o, const struct otst_filter *f, const struct otst_probe *p)
{
	if (p->ops && hooks_meant(o, f, p->ops))
		return true;
	if (p->kind == OTST_PROBE_TRACEPOINT && f->name && p->target &&
	    otst_event_on_tracepoint(o, f->name, p->target))
		return true;
	return (p->addr && otst_filter_matches(f, p->addr, &p->sym)) ||
	       (f->name && p->target &&
		(!fnmatch(f->name, p->target, 0) || otst_where_is_target(p->target, f->name))) ||
	       (f->name && otst_is_registered(p->kind) && p->place &&
		!fnmatch(f->name, p->place, 0)) ||
	       (f->name && p->symbol_name && !fnmatch(f->name, p->symbol_name, 0)) ||
	       (f->name && p->owner.name && !fnmatch(f->name, p->owner.name, 0));
}

static bool is_kind(const char *name)
{
	for (int k = 0; k < OTST_PROBE_KINDS; k++) {
		if (!strcmp(otst_probe_kind(k)->name, name))
			return true;
	}
	return false;
}

/* "kprobe,tracepoint" as a NULL-terminated list of names */
static int parse_kinds(struct otst *o, const char *kinds, const char *const **ret)
{
	struct otst_vec names = { 0 };
	const char **slot;
	char *name, *rest;
	int err;

	for (name = otst_copy(o, kinds); name; name = rest) {
		rest = strchr(name, ',');
		if (rest)
			*rest++ = '\0';
		if (!is_kind(name))
			return otst_raise_unlisted(o, "kind", name, strlen(name), "-l -k help");
		slot = otst_vec_push(o, &names, sizeof(*slot));
		*slot = name;
	}
	err = otst_vec_end(o, &names);
	*ret = names.data;
	return err;
}

static void print_kinds(struct otst_printer *p)
{
	for (int k = 0; k < OTST_PROBE_KINDS; k++) {
		const struct otst_probe_kind_row *row = otst_probe_kind(k);

		otst_printf(p, "%-12s  %s (%s)\n", row->name, row->what, row->needs);
	}
}

/* keep the probes that an operand matches; report operands that match none */
static int choose_probes(struct otst *o, const struct otst_args *args, struct otst_filter *f,
			 struct otst_probes *probes, struct otst_printer *p)
{
	size_t i, j, n = 0;

	for (i = 0; i < probes->count; i++) {
		struct otst_probe *probe = probes->items[i];
		bool wanted = !args->nr_operands;

		for (j = 0; j < args->nr_operands; j++) {
			if (!is_chosen_probe(o, &f[j], probe))
				continue;
			f[j].met = true;
			wanted = true;
		}
		if (wanted)
			probes->items[n++] = probe;
	}
	probes->count = n;
	return otst_print_unmet(
		o, args, f, args->kinds ? "no probe of these kinds on" : "no probe on", false, p);
}

int otst_cmd_list(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	const char *const *kinds = NULL;
	struct otst_filter *f = NULL;
	struct otst_probes probes;
	int err = 0;

	if (args->kinds && !strcmp(args->kinds, "help")) {
		print_kinds(p);
		return 0;
	}
	if (args->kinds)
		err = parse_kinds(o, args->kinds, &kinds);
	err = err ?: otst_filters(o, args, &f);
	err = err ?: otst_probes(o, kinds, &probes);
	err = err ?: choose_probes(o, args, f, &probes, p);
	/* a line of the table has no room for who holds a program, or holds up a live patch */
	if (!err && (args->verbose || args->json))
		err = otst_bpf_holders(o, &probes) ?: otst_where_waiting(o, &probes);
	if (!err)
		otst_print_probes(p, &probes);
	return err;
}
