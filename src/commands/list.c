// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * list.c - otst -l: probes, chosen by kind and by operands.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

/* one operand: numbers are an address or a range, the rest are names */
struct filter {
	const char *name; /* NULL for addresses */
	uint64_t first, last;
};

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

static void parse_filter(const char *s, struct filter *ret)
{
	const char *end;

	*ret = (struct filter){ .name = s };
	if (!parse_address(s, &end, &ret->first))
		return;
	ret->last = ret->first;
	if (*end == '-' && !parse_address(end + 1, &end, &ret->last))
		return;
	if (!*end)
		ret->name = NULL;
}

/* "symbol", or "module:symbol", or a module by itself; globs in both */
static bool name_matches(const char *pattern, const char *symbol, const char *module)
{
	const char *colon = strchr(pattern, ':');
	char part[256];
	size_t len;

	if (!colon)
		return (symbol && !fnmatch(pattern, symbol, 0)) ||
		       (module && !fnmatch(pattern, module, 0));
	len = (size_t)(colon - pattern);
	if (len >= sizeof(part))
		return false;
	memcpy(part, pattern, len);
	part[len] = '\0';
	return symbol && module && !fnmatch(part, module, 0) && !fnmatch(colon + 1, symbol, 0);
}

static bool filter_matches(const struct filter *f, const struct otst_probe *p)
{
	/* a whole function is meant by its first byte too */
	if (!f->name)
		return (p->addr >= f->first && p->addr <= f->last) ||
		       (f->first == f->last && p->sym.name && p->sym.addr == f->first);
	return name_matches(f->name, p->sym.name, p->sym.module) ||
	       (p->symbol_name && !fnmatch(f->name, p->symbol_name, 0)) ||
	       (p->owner.name && !fnmatch(f->name, p->owner.name, 0));
}

static bool kind_wanted(const char *kinds, enum otst_probe_kind kind)
{
	const char *name = otst_probe_kind(kind)->name;
	size_t len = strlen(name);

	while (kinds) {
		if (!strncmp(kinds, name, len) && (!kinds[len] || kinds[len] == ','))
			return true;
		kinds = strchr(kinds, ',');
		kinds = kinds ? kinds + 1 : NULL;
	}
	return false;
}

static int check_kinds(struct otst *o, const char *kinds)
{
	while (kinds) {
		size_t len = strcspn(kinds, ",");
		int k;

		for (k = 0; k < OTST_PROBE_KINDS; k++) {
			const char *name = otst_probe_kind(k)->name;

			if (strlen(name) == len && !strncmp(kinds, name, len))
				break;
		}
		if (k == OTST_PROBE_KINDS)
			return otst_raise(o, OTST_ERR_USAGE,
					  "no kind \"%.*s\"; -l -k help lists them", (int)len,
					  otst_clean(o, kinds));
		kinds = kinds[len] ? kinds + len + 1 : NULL;
	}
	return 0;
}

static void print_kinds(struct otst_printer *p)
{
	int k;

	for (k = 0; k < OTST_PROBE_KINDS; k++) {
		const struct otst_probe_kind_row *row = otst_probe_kind(k);

		otst_printf(p, "%-10s  %s (%s)\n", row->name, row->what, row->needs);
	}
}

static int choose(struct otst *o, const struct otst_args *args, struct otst_probes *probes)
{
	struct filter *f = otst_alloc(o, (args->nr_operands + 1) * sizeof(*f));
	size_t i, j, n = 0;

	if (!f)
		return otst_raise(o, OTST_ERR_NOMEM, "out of memory");
	for (j = 0; j < args->nr_operands; j++)
		parse_filter(args->operands[j], &f[j]);
	for (i = 0; i < probes->count; i++) {
		struct otst_probe *p = probes->items[i];
		bool wanted = !args->nr_operands;

		for (j = 0; j < args->nr_operands && !wanted; j++)
			wanted = filter_matches(&f[j], p);
		if (wanted && (!args->kinds || kind_wanted(args->kinds, p->kind)))
			probes->items[n++] = p;
	}
	probes->count = n;
	return 0;
}

int otst_cmd_list(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_probes probes;
	int err;

	if (args->kinds && !strcmp(args->kinds, "help")) {
		print_kinds(p);
		return 0;
	}
	err = check_kinds(o, args->kinds);
	if (!err)
		err = otst_kprobes(o, &probes);
	if (!err)
		err = choose(o, args, &probes);
	if (!err)
		otst_print_probes(p, &probes);
	return err;
}
