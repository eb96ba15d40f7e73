// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * list.c - otst -l: probes, chosen by kind and by operands.
 */
#include <fnmatch.h>
#include <string.h>

#include "commands.h"

static bool is_meant(const struct otst_filter *f, const struct otst_probe *p)
{
	return otst_filter_matches(f, p->addr, &p->sym) ||
	       (f->name && p->symbol_name && !fnmatch(f->name, p->symbol_name, 0)) ||
	       (f->name && p->owner.name && !fnmatch(f->name, p->owner.name, 0));
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
	const struct otst_filter *f = otst_filters(o, args);
	size_t i, j, n = 0;

	if (!f)
		return OTST_ERR_NOMEM;
	for (i = 0; i < probes->count; i++) {
		struct otst_probe *p = probes->items[i];
		bool wanted = !args->nr_operands;

		for (j = 0; j < args->nr_operands && !wanted; j++)
			wanted = is_meant(&f[j], p);
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
