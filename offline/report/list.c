// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * list.c - lists of strings.
 */
#include "report.h"

#include <stdlib.h>
#include <string.h>

bool list_add(struct list *l, const char *text)
{
	char **grown;

	if (!(l->count & (l->count - 1))) {
		grown = realloc(l->items, (l->count ? 2 * l->count : 1) * sizeof(*grown));
		if (!grown)
			return false;
		l->items = grown;
	}
	l->items[l->count] = strdup(text);
	if (!l->items[l->count])
		return false;
	l->count++;
	l->bytes += strlen(text);
	return true;
}

void list_free(struct list *l)
{
	while (l->count)
		free(l->items[--l->count]);
	free(l->items);
}

size_t list_find(const struct list *l, const char *text)
{
	size_t i;

	for (i = 0; i < l->count && strcmp(l->items[i], text) != 0; i++)
		;
	return i;
}
