// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * livesyms.c - symbols of the running kernel from /proc/kallsyms: "address type
 * name", followed by "[module]" if the symbol is not the kernel's own. For kernels
 * whose VMCOREINFO does not say where their symbol table is (before 6.0).
 */
#include "offline.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST "511"

struct symbol {
	uint64_t addr;
	char *name;
	bool global;
};

struct livesyms {
	struct symbol *items;  /* by address; in the file's order where addresses are equal */
	struct symbol **names; /* by name, global ones first */
	size_t count;
	uint64_t start, end; /* of the kernel; symbols outside are not its own */
};

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct symbol *x = *(struct symbol *const *)a, *y = *(struct symbol *const *)b;
	int order = strcmp(x->name, y->name);

	if (!order && x->global != y->global)
		return x->global ? -1 : 1;
	return order ? order : by_address(x, y);
}

static int add_symbol_line(struct livesyms *s, size_t *room, uint64_t addr, char type,
			   const char *name)
{
	struct symbol *items = grow_array(s->items, s->count, room, sizeof(*items));

	if (!items)
		return OTST_ERR_NOMEM;
	s->items = items;
	s->items[s->count] = (struct symbol){ addr, strdup(name), isupper((unsigned char)type) };
	return s->items[s->count++].name ? 0 : OTST_ERR_NOMEM;
}

static int read_symbols(struct livesyms *s, FILE *f)
{
	unsigned long long addr, any = 0;
	char line[1024], name[512], module[64], type;
	size_t room = 0;
	int words, err = 0;

	while (!err && fgets(line, sizeof(line), f)) {
		words = sscanf(line, "%llx %c %" LONGEST "s %63s", &addr, &type, name, module);
		any |= addr;
		/* undefined symbols lie elsewhere */
		if (words == 3 && type != 'U')
			err = add_symbol_line(s, &room, addr, type, name);
	}
	if (!err && !any) {
		complain("/proc/kallsyms hides its addresses: sysctl kernel.kptr_restrict is 2, or "
			 "CAP_SYSLOG is missing");
		err = OTST_ERR_UNSUPPORTED;
	}
	return err;
}

static int sort_livesyms(struct livesyms *s)
{
	s->names = calloc(s->count + 1, sizeof(*s->names));
	if (!s->names)
		return OTST_ERR_NOMEM;
	qsort(s->items, s->count, sizeof(*s->items), by_address);
	for (size_t i = 0; i < s->count; i++)
		s->names[i] = &s->items[i];
	qsort(s->names, s->count, sizeof(*s->names), by_name);
	return 0;
}

int livesyms_open(const char *path, struct livesyms **ret)
{
	struct livesyms *s = calloc(1, sizeof(*s));
	FILE *f;
	int err;

	if (!s)
		return OTST_ERR_NOMEM;
	f = fopen(path, "re");
	if (!f) {
		complain("cannot open %s: %s", path, strerror(errno));
		free(s);
		return OTST_ERR_UNSUPPORTED;
	}
	err = read_symbols(s, f);
	fclose(f);
	err = err ? err : sort_livesyms(s);
	if (err) {
		livesyms_close(s);
		return err;
	}
	/* as in is_ksym_addr() */
	if (livesyms_find(s, "_stext", &s->start) || livesyms_find(s, "_end", &s->end))
		s->end = UINT64_MAX;
	*ret = s;
	return 0;
}

void livesyms_close(struct livesyms *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++)
		free(s->items[i].name);
	free(s->items);
	free(s->names);
	free(s);
}

int livesyms_find(const struct livesyms *s, const char *name, uint64_t *ret)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(s->names[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == s->count || strcmp(s->names[low]->name, name) != 0)
		return OTST_ERR_LOOKUP;
	*ret = s->names[low]->addr;
	return 0;
}

int livesyms_at(const struct livesyms *s, uint64_t addr, struct otst_symbol *ret)
{
	size_t low = 0, high = s->count, first;

	if (addr < s->start || addr >= s->end)
		return OTST_ERR_LOOKUP;
	/* find the entry after the last one at or below @addr */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->items[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || !s->items[low - 1].addr)
		return OTST_ERR_LOOKUP;
	/* the first of several aliases, as in kallsyms_lookup() */
	for (first = low - 1; first && s->items[first - 1].addr == s->items[low - 1].addr; first--)
		;
	*ret = (struct otst_symbol){ .addr = s->items[first].addr };
	if (low < s->count)
		ret->size = s->items[low].addr - ret->addr;
	snprintf(ret->name, sizeof(ret->name), "%s", s->items[first].name);
	return 0;
}
