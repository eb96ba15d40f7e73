// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * between.c - what a module's executable memory has between its sections and behind the last one, up to
 * the end of the page: move_module() of kernel/module/main.c leaves zeros there, the linker and
 * execmem breakpoints.
 */
#include <inttypes.h>

#include "expect.h"

#define FIRST_BYTES 16u

/* the end of the section that has @addr; 0 when there is none: @next is where the next one begins */
static uint64_t end_of_section(const struct otst_built *b, uint64_t addr, uint64_t *next)
{
	for (size_t i = 0; i < b->count; i++) {
		const struct otst_section *s = &b->items[i];

		if (addr >= s->addr && addr < s->addr + s->size)
			return s->addr + s->size;
		if (s->addr > addr && s->addr < *next)
			*next = s->addr;
	}
	return 0;
}

static void report_between(struct otst *o, struct otst_audit *a, const struct otst_module *m,
			   uint64_t at, uint64_t end, const uint8_t *bytes)
{
	const char *text = "";

	for (uint64_t i = 0; i < FIRST_BYTES && at + i < end; i++)
		text = otst_format(o, "%s %02x", text, bytes[i]);
	otst_finding_add(o, a, OTST_FINDING_MEMORY, at,
			 otst_format(o,
				     "code outside of the sections of module %s: %" PRIu64
				     " byte%s; it begins with%s",
				     m->name, end - at, otst_number(end - at, "", "s"), text));
}

/* nothing of the module's file belongs there */
static int check_between(struct otst *o, struct otst_audit *a, const struct otst_module *m,
			 uint64_t at, uint64_t end)
{
	uint8_t *bytes = otst_alloc(o, end - at);
	uint64_t i = 0;
	int err = bytes ? otst_read(o, at, bytes, end - at) : otst_no_memory(o);

	if (err == OTST_ERR_FAULT)
		a->missing += end - at;
	if (err)
		return otst_fatal(err) ? err : 0;
	while (i < end - at && (!bytes[i] || bytes[i] == 0xcc))
		i++;
	if (i < end - at)
		report_between(o, a, m, at + i, end, bytes + i);
	return 0;
}

int otst_audit_between(struct otst *o, struct otst_audit *a, const struct otst_built *built,
		       const struct otst_module *m)
{
	uint64_t at, end, next;
	int err = 0;

	/* the loader's tables may be longer than those that are known */
	if (built->tables)
		return 0;
	for (unsigned int i = 0; i < m->nr_ranges && !err; i++) {
		const struct otst_module_range *r = &m->ranges[i];

		end = r->base + r->size;
		for (at = r->base; r->text && !r->init && at < end && !err;) {
			uint64_t covered;

			next = end;
			covered = end_of_section(built, at, &next);
			if (!covered)
				err = check_between(o, a, m, at, next);
			at = covered ? covered : next;
			err = err ?: otst_check(o);
		}
	}
	return err;
}
