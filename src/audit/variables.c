// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * variables.c - the kernel's own variables that lead into a module that hides, or into memory of
 * nobody: whatever the kernel was given to call, or to keep, where no table of registered/ has a
 * row. It is asked only where something hides.
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../base/sorted.h"
#include "expect.h"

#define WORD   8u
#define OBJECT 256u /* bytes of a record that a list leads into */

struct led {
	uint64_t to, place;
};

struct led_words {
	struct otst_vec items; /* sorted by where they lead */
	uint64_t missing;      /* bytes of variables that are not in the dump */
};

/* what is called or kept there is known by other ways, or is old: stacks, messages */
static bool is_of_interest(struct otst *o, uint64_t place)
{
	static const char *const others[] = { "stack", "log_buf", "mod_tree", "module_bug_list",
					      "cur_orc_" };
	struct otst_sym sym;

	otst_symbolize(o, place, &sym);
	for (size_t i = 0; sym.name && i < sizeof(others) / sizeof(*others); i++) {
		if (strstr(sym.name, others[i]))
			return false;
	}
	return sym.name != NULL;
}

/* words of @bytes that may lead out of the kernel's image */
static void take_words(struct otst *o, const uint8_t *bytes, size_t len, uint64_t at,
		       struct otst_vec *ret)
{
	const struct otst_text_bounds *b = otst_text_bounds(o);
	struct led *led;
	uint64_t to;

	for (size_t i = 0; i + WORD <= len; i += WORD) {
		to = otst_get(o, bytes + i, WORD);
		if (!(to >> 63) || (to >= b->stext && to < b->end) || !(to + OTST_CHUNK))
			continue;
		led = otst_vec_push(o, ret, sizeof(*led));
		*led = (struct led){ to, at + i };
	}
}

static void read_variables_section(struct otst *o, const char *begin, const char *end,
				   struct led_words *ret)
{
	uint64_t at = otst_symbol_or0(o, begin), stop = otst_symbol_or0(o, end), len;
	uint8_t bytes[OTST_CHUNK];

	for (at = (at + WORD - 1) & -(uint64_t)WORD; at && at < stop && !otst_stopped(o);
	     at += len) {
		len = OTST_CHUNK - at % OTST_CHUNK;
		len = len < stop - at ? len : stop - at;
		if (otst_read(o, at, bytes, len))
			ret->missing += len;
		else
			take_words(o, bytes, len, at, &ret->items);
	}
}

/* read once, however many ranges are asked for */
static const struct led_words *read_variable_words(struct otst *o, struct otst_audit *a)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	const struct doubts doubts = o->doubts;
	struct led_words *words = *memo;

	if (words)
		return words;
	words = otst_new(o, sizeof(*words));
	read_variables_section(o, "__start_rodata", "__end_rodata", words);
	read_variables_section(o, "_sdata", "_edata", words);
	read_variables_section(o, "__bss_start", "__bss_stop", words);
	o->doubts = doubts;
	if (words->missing)
		otst_note_text(o, &a->errors,
			       otst_format(o,
					   "variables that may lead to what hides: %" PRIu64
					   " byte%s %s not in the dump",
					   words->missing, otst_number(words->missing, "", "s"),
					   otst_number(words->missing, "is", "are")));
	otst_sort(words->items.data, words->items.count, sizeof(struct led), otst_by_u64);
	*memo = words;
	return words;
}

/* a finding about this place, or about what it leads to */
static bool is_known(const struct otst_audit *a, const struct led *led)
{
	const struct otst_finding *f = a->findings.data;

	for (size_t i = 0; i < a->findings.count; i++) {
		if (f[i].record &&
		    (f[i].record == led->place || led->to + WORD - f[i].record < OBJECT ||
		     (f[i].addr == led->to && led->place - f[i].record < OBJECT)))
			return true;
	}
	return false;
}

int otst_audit_variables(struct otst *o, struct otst_audit *a, uint64_t begin, uint64_t end,
			 const char *where)
{
	const struct led_words *words = read_variable_words(o, a);
	const struct led *led = words->items.data;
	size_t count = words->items.count, i = count ? otst_count_below(led, count, to, begin) : 0;

	for (; i < count && led[i].to < end; i++) {
		if (is_of_interest(o, led[i].place) && !is_known(a, &led[i]))
			otst_finding_record(o, a, OTST_FINDING_POINTER, led[i].to, led[i].place,
					    otst_format(o, "%s leads here, into %s",
							otst_name(o, led[i].place), where));
	}
	return otst_check(o);
}
