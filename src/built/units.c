// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * units.c - the compilation units of a debug file, and their functions, which are
 * listed at a unit's first use.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "debug.h"

#define MAX_UNITS 200000u

/* a piece of a function, or of a unit */
struct piece {
	uint64_t begin, end;
	Dwarf_Off die;
};

struct pieces {
	struct piece *items;
	size_t count, room;
};

struct unit {
	Dwarf_Off die;
	struct pieces functions;
};

struct otst_units {
	struct unit *items;
	size_t count, room;
	struct pieces all; /* of every unit, where the file has no .debug_aranges (clang) */
	bool all_read;
};

/* makes room in @items for one more of @size bytes; NULL without memory: then @items are as before */
static void *make_room(void *items, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 32;
	void *ret;

	if (count < *room)
		return items;
	ret = realloc(items, more * size);
	if (ret)
		*room = more;
	return ret;
}

static bool add_piece(struct pieces *p, uint64_t begin, uint64_t end, Dwarf_Off die)
{
	struct piece *items = make_room(p->items, p->count, &p->room, sizeof(*items));

	if (!items)
		return false;
	p->items = items;
	p->items[p->count++] = (struct piece){ begin, end, die };
	return true;
}

/* all ranges of @die's code */
static void add_ranges(struct pieces *p, Dwarf_Die *die)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
		if (end > begin && !add_piece(p, begin, end, dwarf_dieoffset(die)))
			return;
	}
}

static bool find_code_piece(const struct pieces *p, uint64_t pc, Dwarf_Off *ret)
{
	for (size_t i = 0; i < p->count; i++) {
		if (pc >= p->items[i].begin && pc < p->items[i].end) {
			*ret = p->items[i].die;
			return true;
		}
	}
	return false;
}

/* ---- units ---- */

static void read_all_units(struct otst_dwarf *dwarf, struct pieces *ret)
{
	Dwarf_Off at = 0, next;
	size_t header, n = 0;
	Dwarf_Die cu;

	while (n++ < MAX_UNITS &&
	       !dwarf_nextcu(dwarf->dwarf, at, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dwarf->dwarf, at + header, &cu))
			add_ranges(ret, &cu);
		at = next;
	}
}

static struct otst_units *units_of(struct otst_dwarf *dwarf)
{
	dwarf->units = dwarf->units ?: calloc(1, sizeof(*dwarf->units));
	return dwarf->units;
}

bool otst_dwarf_unit(struct otst_dwarf *dwarf, uint64_t pc, Dwarf_Die *ret)
{
	struct otst_units *u = units_of(dwarf);
	Dwarf_Off at;

	if (dwarf_addrdie(dwarf->dwarf, pc, ret))
		return true;
	if (u && !u->all_read) {
		u->all_read = true;
		read_all_units(dwarf, &u->all);
	}
	return u && find_code_piece(&u->all, pc, &at) && dwarf_offdie(dwarf->dwarf, at, ret);
}

static void read_unit_functions(Dwarf_Die *cu, struct pieces *ret)
{
	Dwarf_Die die;

	if (dwarf_child(cu, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			add_ranges(ret, &die);
	} while (!dwarf_siblingof(&die, &die));
}

static struct unit *find_unit(struct otst_dwarf *dwarf, Dwarf_Die *cu)
{
	struct otst_units *u = units_of(dwarf);
	Dwarf_Off at = dwarf_dieoffset(cu);
	struct unit *items;

	for (size_t i = 0; u && i < u->count; i++) {
		if (u->items[i].die == at)
			return &u->items[i];
	}
	items = u ? make_room(u->items, u->count, &u->room, sizeof(*items)) : NULL;
	if (!items)
		return NULL;
	u->items = items;
	u->items[u->count] = (struct unit){ .die = at };
	read_unit_functions(cu, &u->items[u->count].functions);
	return &u->items[u->count++];
}

bool otst_dwarf_function(struct otst_dwarf *dwarf, uint64_t pc, Dwarf_Die *cu, Dwarf_Die *ret)
{
	struct unit *u;
	Dwarf_Off at;

	if (!dwarf->dwarf || !otst_dwarf_unit(dwarf, pc, cu))
		return false;
	u = find_unit(dwarf, cu);
	return u && find_code_piece(&u->functions, pc, &at) && dwarf_offdie(dwarf->dwarf, at, ret);
}

void otst_units_free(struct otst_units *u)
{
	for (size_t i = 0; u && i < u->count; i++)
		free(u->items[i].functions.items);
	if (u) {
		free(u->items);
		free(u->all.items);
	}
	free(u);
}
