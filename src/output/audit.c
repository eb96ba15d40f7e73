// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * audit.c - struct otst_audit as text and JSON: how many places differ and why,
 * then each finding as a block marked with "!".
 */
#include <inttypes.h>
#include <string.h>

#include "../built/disassemble.h"
#include "../built/built.h"
#include "audit.h"

#define BYTES_A_LINE 16u
#define WORDS_LINES  32u  /* without -v */
#define BEFORE	     512u /* how far back to look for a function's start */

static void print_audit_bytes(struct otst_printer *p, const char *title, const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(i % BYTES_A_LINE))
			otst_printf(p, "%s    %-9s", i ? "\n" : "", i ? "" : title);
		otst_printf(p, " %02x", b[i]);
	}
	otst_printf(p, "\n");
}

/* where this kernel keeps its modules besides the list: "modules: 4 on the list, 5 in /sys/module" */
static void print_kept(struct otst_printer *p, const struct otst_audit_kept *k)
{
	bool any = false;

	for (int i = 0; i < OTST_MODULES_SETS; i++) {
		if (!k->there[i])
			continue;
		if (!any)
			otst_printf(p, "modules: %zu on the list", k->listed);
		any = true;
		otst_printf(p, ", %zu in %s", k->count[i],
			    otst_module_set_name((enum otst_module_set)i));
	}
	if (any)
		otst_printf(p, "\n");
}

static void print_counts(struct otst_printer *p, const struct otst_audit *a)
{
	otst_printf(p, "%-14s %8s  %s\n", "DIFFERENCE", "PLACES", "WHAT");
	for (size_t i = 0; i < OTST_DIFFS; i++) {
		if (a->count[i])
			otst_printf(p, "%-14s %8zu  %s\n",
				    otst_difference_name((enum otst_difference)i), a->count[i],
				    otst_difference_what((enum otst_difference)i));
	}
	otst_printf(p, "%" PRIu64 " byte%s of text compared", a->compared - a->missing,
		    otst_number(a->compared - a->missing, "", "s"));
	if (a->missing)
		otst_printf(p, ", %" PRIu64 " %s not in the dump", a->missing,
			    otst_number(a->missing, "is", "are"));
	otst_printf(p, "; modules: %zu\n", a->modules);
	if (a->data_compared || a->pointers)
		otst_printf(p,
			    "%" PRIu64 " byte%s of read-only data compared, %" PRIu64
			    " pointer%s to functions\n",
			    a->data_compared, otst_number(a->data_compared, "", "s"), a->pointers,
			    otst_number(a->pointers, "", "s"));
	print_kept(p, &a->kept);
	if (a->executable)
		otst_printf(p, "executable memory: %" PRIu64 " page%s\n", a->executable,
			    otst_number(a->executable, "", "s"));
}

static void print_place(struct otst_printer *p, const struct otst_audit_place *place)
{
	bool leads = place->difference == OTST_DIFF_DATA_POINTER;

	otst_printf(p, "0x%016" PRIx64 " %3u %-14s %s%s%s\n", place->addr, place->len,
		    otst_difference_name(place->difference), otst_name(p->o, place->addr),
		    leads ? " -> " : "",
		    !leads    ? "" :
		    place->to ? otst_name(p->o, place->to) :
				"nothing");
}

/* the instructions that @f touches: as found with @found, else as expected */
static void print_audit_code(struct otst_printer *p, const struct otst_finding *f,
			     const char *title, bool found)
{
	uint8_t code[BEFORE + 64 + OTST_INSN_MAX];
	struct otst_insns insns;
	struct otst_sym sym;
	uint64_t from = f->addr, off;
	size_t i, len;

	otst_symbolize(p->o, f->addr, &sym);
	if (f->code)
		from = f->code;
	else if (sym.name && f->addr - sym.addr < BEFORE)
		from = sym.addr;
	off = f->addr - from;
	len = off + f->len + OTST_INSN_MAX;
	if (otst_read(p->o, from, code, len)) {
		len = off + f->len;
		if (otst_read(p->o, from, code, len))
			return;
	}
	if (!found)
		memcpy(code + off, f->expected, f->len);
	if (otst_disassemble(p->o, from, code, len, off + f->len, &insns))
		return;
	for (i = 0; i < insns.count; i++) {
		if (insns.items[i].addr + insns.items[i].len <= f->addr)
			continue;
		otst_printf(p, "    %-9s 0x%016" PRIx64 "  %s\n", title, insns.items[i].addr,
			    otst_insn_line(p->o, &insns.items[i]));
		title = "";
	}
}

static void print_more(struct otst_printer *p, const struct otst_finding *f)
{
	struct otst_sym sym;

	otst_symbolize(p->o, f->addr, &sym);
	otst_printf(p, "%s... and %" PRIu64 " more in ", f->addr ? "    " : "! ", f->more);
	if (f->addr)
		otst_printf(p, "this %s\n", sym.name ? "function" : "page");
	else
		otst_printf(p, "%" PRIu64 " other function%s\n", f->functions,
			    otst_number(f->functions, "", "s"));
}

void otst_print_audit_finding(struct otst_printer *p, const struct otst_finding *f)
{
	const char *where = NULL;

	if (f->more) {
		print_more(p, f);
		return;
	}
	if (f->addr)
		where = otst_format(p->o, "0x%016" PRIx64 " %s", f->addr, otst_name(p->o, f->addr));
	otst_print_finding(p, " ", where, f->message);
	if (f->record)
		otst_printf(p, "    record    0x%016" PRIx64 "\n", f->record);
	if (!f->len)
		return;
	if (f->built)
		print_audit_bytes(p, "built", f->built, f->len);
	if (!f->built || memcmp(f->built, f->expected, f->len))
		print_audit_bytes(p, "expected", f->expected, f->len);
	print_audit_bytes(p, "found", f->found, f->len);
	if (f->data)
		return;
	print_audit_code(p, f, "was", false);
	print_audit_code(p, f, "is", true);
}

/* ---- all of memory ---- */

static void print_words(struct otst_printer *p, const struct otst_audit *a)
{
	const struct otst_audit_words *const *w = a->words.data;
	const size_t n = p->verbose || a->words.count < WORDS_LINES ? a->words.count : WORDS_LINES;

	if (!a->sought.count)
		otst_printf(p,
			    "all of memory: there is nothing to look for: no module that hides was "
			    "found, and no executable memory of nobody\n");
	if (!a->sought.count || !a->searched)
		return;
	otst_printf(p,
		    "all of memory: %" PRIu64 " MiB searched, %" PRIu64 " MiB of it %s not in the "
		    "dump; words that lead there:\n",
		    a->searched >> 20, a->absent >> 20, otst_number(a->absent >> 20, "is", "are"));
	for (size_t i = 0; i < n; i++)
		otst_printf(p, "%8" PRIu64 " in %s, the first at %s0x%016" PRIx64 ": leads to %s\n",
			    w[i]->count, w[i]->holder, w[i]->virt ? "" : "physical address ",
			    w[i]->virt ? w[i]->virt : w[i]->phys, otst_name(p->o, w[i]->to));
	if (n < a->words.count)
		otst_printf(p, "         and in %zu other%s: -v\n", a->words.count - n,
			    otst_number(a->words.count - n, "", "s"));
}

static void words_rows(struct otst_rows *r, const void *item)
{
	const struct otst_audit_words *w = item;

	ROW_TEXT(r, "holder", w->holder,
		 .what = "a slab cache, the stack of a task, a variable, a module");
	ROW_COUNT(r, "count", w->count, .least = 1);
	ROW_ADDRESS(r, "physical", w->phys, .what = "where the first of them is");
	ROW_ADDRESS_OR_NULL(r, "address", w->virt, .what = "the same, where it is known");
	ROW_NAMED(r, "to", w->to, .what = "where that one leads");
}

const struct otst_object otst_words_object = {
	OTST_LINE, "memory_words", words_rows,
	"otst -a --all-memory: words that lead into a module that hides, or executable memory of nobody"
};

/* ---- descriptions ---- */

static void more_rows(struct otst_rows *r, const void *item)
{
	const struct otst_finding *f = item;

	ROW_TEXT(r, "kind", otst_finding_name(f->kind), .words = "text");
	ROW_NAMED(r, "place", f->addr,
		  .what = "the function; null for all functions behind the last that is shown");
	ROW_COUNT(r, "functions", f->functions, .least = 1);
	ROW_COUNT(r, "count", f->more, .least = 1);
}

const struct otst_object otst_more_findings_object = {
	OTST_LINE, "more_findings", more_rows,
	"otst -a: differences of text that are counted only; -v has each"
};

static void finding_rows(struct otst_rows *r, const void *item)
{
	const struct otst_finding *f = item;

	ROW_TEXT(r, "kind", otst_finding_name(f->kind), .names = otst_finding_name,
		 .count = OTST_FINDING_COUNT);
	ROW_TEXT(r, "message", f->message);
	ROW_NAMED(r, "place", f->addr);
	ROW_ADDRESS_OR_NULL(r, "record", f->record);
	ROW_BYTES(r, "built", f->built, f->built ? f->len : 0);
	ROW_BYTES(r, "expected", f->expected, f->len);
	ROW_BYTES(r, "found", f->found, f->len);
}

const struct otst_object otst_finding_object = { OTST_LINE, "finding", finding_rows,
						 "otst -a: one thing that does not fit" };

const struct otst_object otst_text_change_object = { OTST_PART, "text_change", finding_rows,
						     "otst -w: text that no record explains" };

static void counts_rows(struct otst_rows *r, const void *item)
{
	const size_t *count = item;

	for (int i = 0; i < OTST_DIFFS; i++)
		ROW_COUNT_NAMED(r, otst_difference_name((enum otst_difference)i), count[i]);
}

static const struct otst_object counts_object = {
	OTST_PART, "differences", counts_rows,
	"explained places of text by why they differ from the text as built"
};

static void audit_rows(struct otst_rows *r, const void *item)
{
	const struct otst_audit *a = item;

	ROW_OBJECT(r, "differences", counts_object, a->count);
	ROW_COUNT(r, "compared", a->compared - a->missing, .what = "bytes of text");
	ROW_COUNT(r, "missing", a->missing, .what = "bytes of text that are not in the dump");
	ROW_COUNT(r, "data_compared", a->data_compared, .what = "bytes of read-only data");
	ROW_COUNT(r, "data_missing", a->data_missing,
		  .what = "bytes of data that are not in the dump");
	ROW_COUNT(r, "pointers", a->pointers,
		  .what = "words of data that were the address of a function as built");
	ROW_COUNT(r, "modules", a->modules, .what = "modules whose text was compared");
	ROW_COUNT(r, "records", a->records, .what = "records that were looked at");
	ROW_COUNT_OR_NULL(r, "executable", a->executable, a->executable,
			  .what = "pages that the kernel may execute");
	ROW_COUNT_OR_NULL(r, "searched", a->searched, a->searched,
			  .what = "bytes of memory, with --all-memory");
	ROW_COUNT_OR_NULL(r, "absent", a->searched, a->absent,
			  .what = "bytes of that which are not in the dump");
	ROW_COUNT(r, "listed", a->kept.listed, .what = "modules on the list of modules");
	ROW_COUNT_OR_NULL(r, "in_tree", a->kept.there[OTST_MODULES_TREE],
			  a->kept.count[OTST_MODULES_TREE], .what = "modules in the module tree");
	ROW_COUNT_OR_NULL(r, "in_sysfs", a->kept.there[OTST_MODULES_SYSFS],
			  a->kept.count[OTST_MODULES_SYSFS], .what = "modules in /sys/module");
	ROW_COUNT_OR_NULL(r, "in_bugs", a->kept.there[OTST_MODULES_BUGS],
			  a->kept.count[OTST_MODULES_BUGS],
			  .what = "modules in the list of bug tables");
	ROW_COUNT(r, "findings", a->total, .what = "how many, with those that are counted only");
	ROW_TEXT_OR_NULL(r, "not_compared", a->not_compared,
			 .what = "why the kernel's text was not compared");
}

const struct otst_object otst_audit_object = { OTST_LINE, "audit", audit_rows,
					       "otst -a: the summary" };

static void place_rows(struct otst_rows *r, const void *item)
{
	const struct otst_audit_place *place = item;
	struct otst_sym sym = { 0 };

	if (place)
		otst_symbolize(r->p->o, place->addr, &sym);
	ROW_TEXT(r, "class", otst_difference_name(place->difference), .names = otst_difference_name,
		 .count = OTST_DIFFS);
	ROW_PLACE(r, place->addr, &sym);
	ROW_COUNT(r, "length", place->len, .least = 1);
	ROW_NAMED(r, "to", place->to,
		  .what = "where a pointer leads now; null for text and for NULL");
}

const struct otst_object otst_difference_object = { OTST_LINE, "difference", place_rows,
						    "otst -a -v: one explained place" };

/* ---- all of it ---- */

void otst_print_audit(struct otst_printer *p, const struct otst_audit *a)
{
	const struct otst_audit_place *places = a->places.data;
	const struct otst_finding *findings = a->findings.data;

	for (size_t i = 0; i < a->places.count && !p->err; i++) {
		if (p->json)
			otst_print_json(p, &otst_difference_object, &places[i], NULL);
		else
			print_place(p, &places[i]);
	}
	if (p->json)
		otst_print_json(p, &otst_audit_object, a, NULL);
	else
		print_counts(p, a);
	for (size_t i = 0; i < a->findings.count && !p->err; i++) {
		if (!p->json)
			otst_print_audit_finding(p, &findings[i]);
		else if (findings[i].more)
			otst_print_json(p, &otst_more_findings_object, &findings[i], NULL);
		else
			otst_print_json(p, &otst_finding_object, &findings[i], NULL);
	}
	for (size_t i = 0; i < a->words.count && p->json && !p->err; i++)
		otst_print_json(p, &otst_words_object,
				((struct otst_audit_words *const *)a->words.data)[i], NULL);
	if (a->want_words && !p->json)
		print_words(p, a);
	otst_print_notes(p, &a->notes);
	otst_print_errors(p, &a->errors);
	otst_print_gaps(p, &a->coverage);
	/* another kernel's image is bound to give findings; with -v the note comes anyway */
	if (!p->verbose)
		otst_print_note(p, otst_image_doubt(p->o));
	/* the count in that line already says it, so p->findings is raised only afterwards */
	otst_print_end(p, "finding", "findings", a->total);
	p->findings += a->total;
}
