// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filter.c - operands that choose records: addresses, symbols, modules, globs.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static bool is_address(const char *s, uint64_t *ret)
{
	char *end;

	if (*s == '-' || *s == '+' || *s == ' ')
		return false;
	*ret = strtoull(s, &end, 16);
	/* "add" is a symbol, "ffffffff81000000" and "0xadd" are addresses */
	return !*end && end != s && (!strncmp(s, "0x", 2) || end - s >= 8);
}

struct otst_filter *otst_filters(struct otst *o, const struct otst_args *args)
{
	struct otst_filter *f = otst_alloc(o, (args->nr_operands + 1) * sizeof(*f));
	size_t i;

	if (!f) {
		otst_raise(o, OTST_ERR_NOMEM, "out of memory");
		return NULL;
	}
	for (i = 0; i < args->nr_operands; i++) {
		if (!is_address(args->operands[i], &f[i].addr))
			f[i].name = args->operands[i];
	}
	return f;
}

bool otst_filter_matches(const struct otst_filter *f, uint64_t addr, const struct otst_sym *sym)
{
	const char *colon;
	char part[256];
	size_t len;

	if (!f->name)
		return f->addr == addr ||
		       (sym->name && sym->addr == f->addr && addr - f->addr < sym->size);
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
