// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * filter.c - operands that choose records: addresses, symbols, modules, globs.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "../traces/traces.h"
#include "commands.h"

static bool parse_address(const char *s, const char **end, uint64_t *ret)
{
	char *stop;

	if (*s == '-' || *s == '+' || *s == ' ')
		return false;
	*ret = strtoull(s, &stop, 16);
	*end = stop;
	/* "add" is a symbol, "ffffffff81000000" and "0xadd" are addresses */
	return stop != s && (!strncmp(s, "0x", 2) || stop - s >= 8);
}

static void parse_filter(const char *s, struct otst_filter *ret)
{
	const char *end;

	*ret = (struct otst_filter){ .name = s };
	if (!parse_address(s, &end, &ret->first))
		return;
	ret->last = ret->first;
	if (*end == '-' && !parse_address(end + 1, &end, &ret->last))
		return;
	if (!*end)
		ret->name = NULL;
}

/* "vfs_fsync+0x4", "lab:lab_held+0x4", "lab_held+0x4/0x96 [lab]": as listings and the kernel print it */
static void parse_place(struct otst *o, struct otst_filter *f)
{
	struct otst_sym_text t;

	if (!f->name || *f->name == '/' || !otst_sym_text_parse(f->name, &t))
		return;
	f->first = f->last = otst_sym_text_address(o, &t);
	if (f->first)
		f->name = NULL;
}

int otst_filters(struct otst *o, const struct otst_args *args, struct otst_filter **ret)
{
	struct otst_filter *f = otst_alloc(o, (args->nr_operands + 1) * sizeof(*f));

	*ret = f;
	if (!f)
		return otst_no_memory(o);
	for (size_t i = 0; i < args->nr_operands; i++) {
		parse_filter(args->operands[i], &f[i]);
		parse_place(o, &f[i]);
		if (!f[i].name && f[i].first > f[i].last)
			return otst_raise(o, OTST_ERR_USAGE, "%s: this range ends before it begins",
					  otst_clean(o, args->operands[i]));
	}
	return 0;
}

bool otst_filter_matches(const struct otst_filter *f, uint64_t addr, const struct otst_sym *sym)
{
	const char *colon;
	char part[256];
	size_t len;

	if (!f->name)
		return (addr >= f->first && addr <= f->last) ||
		       (f->first == f->last && sym->name && sym->addr == f->first &&
			addr - f->first < sym->size);
	colon = strchr(f->name, ':');
	if (!colon)
		return (sym->name && !fnmatch(f->name, sym->name, 0)) ||
		       (sym->module && !fnmatch(f->name, sym->module, 0));
	len = (size_t)(colon - f->name);
	if (len >= sizeof(part) || !sym->name || !sym->module)
		return false;
	memcpy(part, f->name, len);
	part[len] = '\0';
	return !fnmatch(part, sym->module, 0) && !fnmatch(colon + 1, sym->name, 0);
}
