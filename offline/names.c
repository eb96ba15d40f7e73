// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * names.c - the names in /proc/kallsyms, without the modules': every user can read them, while
 * the addresses beside them are zeros for most.
 */
#include "offline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names {
	char **items; /* sorted */
	size_t count;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_free(struct names *n)
{
	for (size_t i = 0; n && i < n->count; i++)
		free(n->items[i]);
	if (n)
		free(n->items);
	free(n);
}

/* "ffffffff81000000 T _text", "... [module]" */
static bool add_name(struct names *n, size_t *room, const char *line)
{
	char name[512], **items;

	if (strchr(line, '[') || sscanf(line, "%*s %*c %511s", name) != 1)
		return true;
	items = grow_array(n->items, n->count, room, sizeof(*items));
	if (!items)
		return false;
	n->items = items;
	items[n->count] = strdup(name);
	return items[n->count++];
}

struct names *names_read(const char *path)
{
	struct names *n = calloc(1, sizeof(*n));
	FILE *f = fopen(path, "re");
	size_t size = 0, room = 0;
	char *line = NULL;
	bool ok = n && f;

	while (ok && getline(&line, &size, f) > 0)
		ok = add_name(n, &room, line);
	free(line);
	if (f)
		fclose(f);
	if (!ok || !n->count) {
		/* the last one may be NULL */
		names_free(n);
		return NULL;
	}
	qsort(n->items, n->count, sizeof(*n->items), by_text);
	return n;
}

bool names_have(const struct names *n, const char *name)
{
	return bsearch(&name, n->items, n->count, sizeof(*n->items), by_text);
}

bool names_have_data(const struct names *n)
{
	/* per-cpu variables and a few others have names in any case */
	return names_have(n, "init_task");
}
