// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * info.c - struct otst_info as a summary, as text with every owner and array
 * (-v), and as one JSON object.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "../ftrace/tracing.h"
#include "../memory/translate.h"
#include "rows.h"

#define INDENT	     12 /* column of the text after a label */
#define AND_MORE     16 /* ", and 12345 more" */
#define MOST_OWNERS  4	/* lines of owners, by kind; then one for the others */
#define MOST_BAD     2	/* lines */
#define MOST_EXTENTS 4	/* lines */

static void print_disagree(struct otst_printer *p, const struct otst_info *i)
{
	if (!i->disagree)
		return;
	otst_printf(p, "%*s", INDENT, "");
	otst_print_styled(p, OTST_STYLE_BAD, "!", 1);
	otst_printf(p, " %zu disagree%s with the kernel text\n", i->disagree,
		    otst_number(i->disagree, "s", ""));
}

static void print_ftrace(struct otst_printer *p, const struct otst_info *i)
{
	otst_printf(p, "ftrace      %zu ftrace_ops, %zu of %zu functions hooked\n", i->ftrace_ops,
		    i->hooked, i->sites);
}

/* what parts of the kernel were given to call by modules, or by nobody */
static void print_registered(struct otst_printer *p, const struct otst_info *i)
{
	if (!i->registered)
		return;
	otst_printf(p, "registered  %zu", i->registered);
	for (int k = OTST_PROBE_NETFILTER; k < OTST_PROBE_KINDS; k++) {
		if (i->kinds[k])
			otst_printf(p, ", %zu %s", i->kinds[k],
				    otst_probe_kind((enum otst_probe_kind)k)->name);
	}
	otst_printf(p, "\n");
	if (!i->astray)
		return;
	otst_printf(p, "%*s", INDENT, "");
	otst_print_styled(p, OTST_STYLE_BAD, "!", 1);
	otst_printf(p, " %zu of nobody, or of modules that hide: otst -l\n", i->astray);
}

static void print_kinds(struct otst_printer *p, const struct otst_info *i)
{
	otst_printf(p, "probes      %zu, %zu armed", i->probes, i->armed);
	for (int k = 0; k < OTST_PROBE_NETFILTER; k++) {
		if (i->kinds[k])
			otst_printf(p, ", %zu %s", i->kinds[k],
				    otst_probe_kind((enum otst_probe_kind)k)->name);
	}
	otst_printf(p, "\n");
	print_disagree(p, i);
	otst_print_nobodys(p, INDENT, i->nobodys);
	print_registered(p, i);
}

static void print_owners(struct otst_printer *p, const struct otst_info *i)
{
	for (size_t n = 0; n < i->nr_owners; n++)
		otst_printf(p, "%-10s  %zu by %s%s%s\n", n ? "" : "owners", i->owners[n].count,
			    otst_owner_kind_name(i->owners[n].kind), i->owners[n].name ? " " : "",
			    i->owners[n].name ? i->owners[n].name : "");
}

static void print_arrays(struct otst_printer *p, const struct otst_info *i)
{
	otst_printf(p, "tracers     %zu\n", i->tracers);
	for (size_t n = 0; n < i->nr_arrays; n++) {
		const struct otst_trace_array *t = i->arrays[n];

		otst_printf(p, "%-10s  %s: tracer %s, %s\n", n ? "" : "arrays",
			    t->name ? t->name : "top", t->tracer ? t->tracer : "unknown",
			    t->recording ? "recording" : "not recording");
	}
}

/* each kind and source, with the reason for its state */
static void print_coverage(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_coverage *c = i->coverage.data;

	for (size_t n = 0; n < i->coverage.count; n++) {
		otst_printf(p, "%-10s  %-7s  %-12s  ", n ? "" : "coverage", c[n].of, c[n].what);
		if (c[n].looked == OTST_LOOKED)
			otst_printf(p, "looked, %zu\n", c[n].records);
		else
			otst_printf(p, "%s%s%s\n", otst_looked_name(c[n].looked),
				    c[n].why ? ": " : "", c[n].why ? c[n].why : "");
	}
}

/* nothing unless it was looked for: the user knows which file the command line has */
static void print_image(struct otst_printer *p, const struct otst_image_source *image)
{
	if (!image->searched)
		return;
	if (image->path)
		otst_printf(p, "vmlinux     %s, found by its build ID\n",
			    otst_clean(p->o, image->path));
	else if (image->package.distribution)
		otst_printf(p, "vmlinux     none found%s; in %s it is in the package %s\n",
			    image->nameless ? " (its build ID is not known)" : "",
			    image->package.distribution, otst_clean(p->o, image->package.name));
	else
		otst_printf(p, "vmlinux     none found%s\n",
			    image->nameless ? ": the build ID of this kernel is not known" : "");
}

static size_t refused_shown(const struct otst_whereabouts *f)
{
	return f->nr_refused < OTST_REFUSED_MOST ? f->nr_refused : OTST_REFUSED_MOST;
}

/* nothing unless it was searched for */
static void print_found(struct otst_printer *p, const struct otst_whereabouts *f)
{
	size_t n;

	if (!f)
		return;
	otst_printf(p, "found       by %s at 0x%" PRIx64 " of physical memory\n",
		    f->by_image ? "the image file's banner" : "VMCOREINFO", f->at);
	for (n = 0; n < refused_shown(f); n++)
		otst_printf(p, "refused     VMCOREINFO at 0x%" PRIx64 ", of kernel %s: %s\n",
			    f->refused[n].at, otst_or_unknown(f->refused[n].release),
			    f->refused[n].why);
	if (n < f->nr_refused)
		otst_printf(p, "%*sand %zu more\n", INDENT, "", f->nr_refused - n);
}

/* nothing when the file itself says it */
static void print_extents(struct otst_printer *p, const struct otst_vec *extents)
{
	const struct otst_extent *extent = extents->data;

	for (size_t n = 0; n < extents->count; n++) {
		if (n == MOST_EXTENTS && !p->verbose) {
			otst_printf(p, "%*sand %zu more\n", INDENT, "", extents->count - n);
			break;
		}
		otst_printf(p,
			    "%-*s0x%" PRIx64 "-0x%" PRIx64 " is the file from 0x%" PRIx64 " on\n",
			    INDENT, n ? "" : "memory", extent[n].phys,
			    extent[n].phys + extent[n].size - 1, extent[n].offset);
	}
}

static const char *count_text(struct otst_printer *p, bool known, unsigned int count)
{
	return otst_or_unknown(known ? otst_format(p->o, "%u", count) : NULL);
}

static void print_modules(struct otst_printer *p, const struct otst_info *i)
{
	otst_printf(p, "modules     %zu", i->modules);
	for (size_t n = 0; n < i->nr_hidden; n++)
		otst_printf(p, "%s%s", n ? ", " : "; hidden: ", i->hidden[n]);
	if (i->nr_hidden)
		otst_print_styled(p, OTST_STYLE_BAD, " !", 2);
	otst_printf(p, "\n");
}

static void print_all_info(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_kernel *k = i->kernel;

	otst_printf(p, "kernel      %s %s\n", k->release, k->version);
	otst_printf(p, "node        %s, %s\n", k->nodename, k->machine);
	otst_printf(p, "cpus        %s possible, %s online\n",
		    count_text(p, k->possible_known, k->nr_cpus),
		    count_text(p, k->online_known, k->online));
	otst_printf(p, "target      %s\n", i->target);
	print_found(p, i->found);
	print_extents(p, &i->extents);
	otst_printf(p, "symbols     %s\n", i->symbols);
	otst_printf(p, "types       %s\n", i->types);
	otst_printf(p, "text built  %s\n", i->text_built ? "known" : "unknown");
	print_image(p, &i->image);
	print_modules(p, i);
	print_kinds(p, i);
	print_owners(p, i);
	print_ftrace(p, i);
	print_arrays(p, i);
	print_coverage(p, i);
	for (size_t n = 0; n < i->nr_bad; n++)
		otst_print_bad(p, NULL, i->bad[n]);
	otst_print_gaps(p, &i->coverage);
	otst_printf(p, "unreadable  %zu\n", i->nr_bad);
}

/*
 * The summary: at most 25 lines, after the verdict on a crash. Each part sets its own limit.
 */

/* a list that ends with "and 7 more" when it would need more lines than it is allowed */
struct list {
	struct otst_printer *p;
	unsigned int lines; /* left */
	unsigned int at;
	size_t left; /* items */
	bool begun;
};

static void begin_list(struct list *list, struct otst_printer *p, const char *label,
		       const char *head, unsigned int lines, size_t items)
{
	*list = (struct list){ .p = p, .lines = lines, .left = items };
	otst_printf(p, "%-*s%s", INDENT, label, head);
	list->at = INDENT + (unsigned int)strlen(head);
}

/* print an item after a separator; false when there is no room and the list ends */
static bool put_item(struct list *list, const char *item)
{
	const char *before = list->begun ? ", " : " ";
	unsigned int len = (unsigned int)strlen(item), rest = list->left > 1 ? AND_MORE : 0;

	if (list->lines == 1 && list->begun && list->at + 2 + len + rest > list->p->width) {
		otst_printf(list->p, ", and %zu more", list->left);
		return false;
	}
	if (list->lines > 1 && list->at + 2 + len + 1 > list->p->width) {
		otst_printf(list->p, "%s\n%*s", list->begun ? "," : "", INDENT, "");
		list->at = INDENT;
		list->lines--;
		before = "";
	}
	otst_printf(list->p, "%s%s", before, item);
	list->at += (unsigned int)strlen(before) + len;
	list->begun = true;
	list->left--;
	return true;
}

static void sum_kinds(struct otst_printer *p, const struct otst_info *i)
{
	struct list list;
	size_t k, n = 0;

	for (k = 0; k < OTST_PROBE_NETFILTER; k++)
		n += i->kinds[k] != 0;
	begin_list(&list, p, "probes",
		   otst_or_unknown(otst_format(p->o, "%zu, %zu armed%s", i->probes, i->armed,
					       n ? "," : "")),
		   2, n);
	for (k = 0; k < OTST_PROBE_NETFILTER; k++) {
		if (i->kinds[k] &&
		    !put_item(&list, otst_or_unknown(otst_format(
					     p->o, "%zu %s", i->kinds[k],
					     otst_probe_kind((enum otst_probe_kind)k)->name))))
			break;
	}
	otst_printf(p, "\n");
	print_disagree(p, i);
	otst_print_nobodys(p, INDENT, i->nobodys);
	print_registered(p, i);
}

/* owners of one kind; events by their group */
struct group {
	const char *name;
	size_t len;
	size_t count;
	bool events;
};

static int by_count(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	size_t len = x->len < y->len ? x->len : y->len;
	int order;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	order = memcmp(x->name, y->name, len);
	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static size_t collect_groups(const struct otst_info *i, enum otst_owner_kind kind,
			     struct group *groups, size_t *probes)
{
	size_t n, k, count = 0;

	*probes = 0;
	for (n = 0; n < i->nr_owners; n++) {
		const struct otst_owner_count *w = &i->owners[n];
		struct group g = { .name = otst_or_unknown(w->name), .count = w->count };

		if (w->kind != kind)
			continue;
		*probes += w->count;
		g.events = kind == OTST_OWNER_EVENT && strchr(g.name, ':');
		g.len = g.events ? strcspn(g.name, ":") : strlen(g.name);
		for (k = 0; k < count && (groups[k].len != g.len || groups[k].events != g.events ||
					  memcmp(groups[k].name, g.name, g.len) != 0);
		     k++)
			;
		if (k == count)
			groups[count++] = g;
		else
			groups[k].count += g.count;
	}
	otst_sort(groups, count, sizeof(*groups), by_count);
	return count;
}

/* a line: "module 58: otst 31, otst_lab 26, allie 1" */
static void sum_owner_kind(struct otst_printer *p, const char *label, const char *kind,
			   const struct group *groups, size_t count, size_t probes)
{
	bool named = count > 1 || strcmp(groups->name, "?") != 0;
	struct list list;

	begin_list(&list, p, label,
		   otst_or_unknown(otst_format(p->o, "%s %zu%s", kind, probes, named ? ":" : "")),
		   1, count);
	for (size_t n = 0; n < count && named; n++) {
		if (!put_item(&list, otst_or_unknown(otst_format(
					     p->o, "%.*s%s %zu", (int)groups[n].len, groups[n].name,
					     groups[n].events ? ":*" : "", groups[n].count))))
			break;
	}
	otst_printf(p, "\n");
}

/* in order of interest: what was added to the kernel, then the kernel's own parts */
static void sum_owners(struct otst_printer *p, const struct otst_info *i)
{
	static const enum otst_owner_kind order[] = {
		OTST_OWNER_NOBODY,    OTST_OWNER_MODULE, OTST_OWNER_SYSTEMTAP, OTST_OWNER_BPF,
		OTST_OWNER_LIVEPATCH, OTST_OWNER_PERF,	 OTST_OWNER_UNKNOWN,   OTST_OWNER_EVENT,
		OTST_OWNER_KERNEL,    OTST_OWNER_FPROBE, OTST_OWNER_TRACER,    OTST_OWNER_KPROBES
	};
	OTST_EACH_HAS(order, OTST_OWNER_COUNT);
	struct group *groups = otst_alloc(p->o, (i->nr_owners + 1) * sizeof(*groups));
	size_t n, count, probes, lines = 0, kinds = 0, rest = 0, last = 0;

	for (n = 0; groups && n < sizeof(order) / sizeof(*order); n++) {
		count = collect_groups(i, order[n], groups, &probes);
		if (count && lines == MOST_OWNERS) {
			kinds++;
			rest += probes;
			last = n;
		} else if (count) {
			sum_owner_kind(p, lines++ ? "" : "owners", otst_owner_kind_name(order[n]),
				       groups, count, probes);
		}
	}
	if (kinds == 1) {
		count = collect_groups(i, order[last], groups, &probes);
		sum_owner_kind(p, "", otst_owner_kind_name(order[last]), groups, count, probes);
	} else if (kinds) {
		otst_printf(p, "%*sother %zu: %zu kinds\n", INDENT, "", rest, kinds);
	}
}

/* the active ones first */
static void sum_tracing(struct otst_printer *p, const struct otst_info *i)
{
	struct list list;
	size_t n, pass, recording = 0;

	for (n = 0; n < i->nr_arrays; n++)
		recording += i->arrays[n]->recording;
	begin_list(&list, p, "tracing",
		   otst_or_unknown(otst_format(
			   p->o, "%zu tracer%s; %zu trace array%s, %zu recording%s", i->tracers,
			   otst_number(i->tracers, "", "s"), i->nr_arrays,
			   otst_number(i->nr_arrays, "", "s"), recording, i->nr_arrays ? ":" : "")),
		   2, i->nr_arrays);
	for (pass = 0; pass < 4; pass++) {
		for (n = 0; n < i->nr_arrays; n++) {
			const struct otst_trace_array *t = i->arrays[n];
			const char *tracer = t->tracer ? t->tracer : "unknown";
			size_t rank = t->recording	     ? 0 :
				      !strcmp(tracer, "nop") ? 3 :
				      t->name		     ? 2 :
							       1;

			if (rank == pass &&
			    !put_item(&list, otst_or_unknown(otst_format(p->o, "%s %s",
									 t->name ? t->name : "top",
									 tracer))))
				goto out;
		}
	}
out:
	otst_printf(p, "\n");
}

/* how many entries of @of were looked at or are present; @all: how many there are */
static size_t count_looked(const struct otst_info *i, const char *of, size_t *all)
{
	const struct otst_coverage *c = i->coverage.data;
	size_t n, looked = 0;

	*all = 0;
	for (n = 0; n < i->coverage.count; n++) {
		if (strcmp(c[n].of, of) != 0)
			continue;
		++*all;
		looked += c[n].looked == OTST_LOOKED || c[n].looked == OTST_LOOKED_PRESENT;
	}
	return looked;
}

/* a kind of probe and a source of traces may have the same name */
static bool is_absent(const struct otst_coverage *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c[i].looked == OTST_LOOKED_ABSENT && !strcmp(c[i].what, c[n].what))
			return false;
	}
	return c[n].looked == OTST_LOOKED_ABSENT;
}

/* what was looked at, and what the kernel does not have; what could not be looked at comes last */
static void sum_coverage(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_coverage *c = i->coverage.data;
	size_t n, kinds, sources, absent = 0, looked = count_looked(i, "probes", &kinds),
				  present = count_looked(i, "traces", &sources);
	struct list list;

	otst_printf(
		p,
		"looked at   %zu of %zu kind%s of probes; %zu of %zu source%s of traces %s there\n",
		looked, kinds, otst_number(kinds, "", "s"), present, sources,
		otst_number(sources, "", "s"), otst_number(present, "is", "are"));
	for (n = 0; n < i->coverage.count; n++)
		absent += is_absent(c, n);
	if (!absent)
		return;
	begin_list(&list, p, "absent", "from this kernel:", 1, absent);
	for (n = 0; n < i->coverage.count; n++) {
		if (is_absent(c, n) && !put_item(&list, c[n].what))
			break;
	}
	otst_printf(p, "\n");
}

static void sum_bad(struct otst_printer *p, const struct otst_info *i)
{
	size_t n, shown = i->nr_bad > MOST_BAD ? MOST_BAD - 1 : i->nr_bad;

	for (n = 0; n < shown; n++)
		otst_print_bad(p, NULL, i->bad[n]);
	if (shown < i->nr_bad) {
		otst_print_bad(p, NULL,
			       otst_or_unknown(otst_format(p->o, "%zu more; -i -v shows them",
							   i->nr_bad - shown)));
		p->bad += i->nr_bad - shown - 1;
	}
	otst_print_gaps(p, &i->coverage);
	otst_printf(p, "unreadable  %zu\n", i->nr_bad);
}

static void print_summary(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_kernel *k = i->kernel;

	otst_printf(p, "kernel      %s %s\n", k->release, k->version);
	otst_printf(p, "node        %s, %s, %s cpu%s possible, %s online\n", k->nodename,
		    k->machine, count_text(p, k->possible_known, k->nr_cpus),
		    k->possible_known ? otst_number(k->nr_cpus, "", "s") : "s",
		    count_text(p, k->online_known, k->online));
	otst_printf(p, "target      %s\n", i->target);
	print_found(p, i->found);
	print_extents(p, &i->extents);
	otst_printf(p, "sources     symbols %s, types %s, text as built %s\n", i->symbols, i->types,
		    i->text_built ? "known" : "unknown");
	print_image(p, &i->image);
	print_modules(p, i);
	sum_kinds(p, i);
	sum_owners(p, i);
	print_ftrace(p, i);
	sum_tracing(p, i);
	sum_coverage(p, i);
	sum_bad(p, i);
}

static void owner_rows(struct otst_rows *r, const void *item)
{
	const struct otst_owner_count *w = item;

	ROW_TEXT(r, "kind", otst_owner_kind_name(w->kind), .names = otst_owner_kind_name,
		 .count = OTST_OWNER_COUNT);
	ROW_TEXT_OR_NULL(r, "name", w->name);
	ROW_COUNT(r, "count", w->count);
}

static const struct otst_object owner_object = { OTST_PART, "owner_count", owner_rows,
						 "how many probes one owner has" };

static void array_rows(struct otst_rows *r, const void *item)
{
	const struct otst_trace_array *const *t = item;

	ROW_TEXT_OR_NULL(r, "name", (*t)->name, .what = "null for the top one");
	ROW_TEXT_OR_NULL(r, "tracer", (*t)->tracer);
	ROW_BOOL(r, "recording", (*t)->recording);
}

static const struct otst_object array_object = { OTST_PART, "array_state", array_rows,
						 "a trace array in short" };

static void kinds_rows(struct otst_rows *r, const void *item)
{
	const size_t *kinds = item;

	for (int k = 0; k < OTST_PROBE_KINDS; k++)
		ROW_COUNT_NAMED(r, otst_probe_kind((enum otst_probe_kind)k)->name, kinds[k]);
}

static const struct otst_object kinds_object = { OTST_PART, "kinds", kinds_rows,
						 "how many probes there are of each kind" };

static void refused_rows(struct otst_rows *r, const void *item)
{
	const struct otst_refused *f = item;

	ROW_ADDRESS(r, "address", f->at);
	ROW_TEXT(r, "release", f->release);
	ROW_TEXT(r, "why", f->why);
}

static const struct otst_object refused_object = {
	OTST_PART, "refused", refused_rows, "VMCOREINFO in memory that does not describe the kernel"
};

static void found_rows(struct otst_rows *r, const void *item)
{
	const struct otst_whereabouts *f = item;

	ROW_BOOL(r, "by_image", f->by_image,
		 .what = "by the image file's banner; else by VMCOREINFO");
	ROW_ADDRESS(r, "address", f->at, .what = "where that is in physical memory");
	ROW_COUNT(r, "refused_count", f->nr_refused);
	ROW_OBJECTS(r, "refused", refused_object, f->refused, refused_shown(f),
		    .what = "the first of those that were met before");
}

static const struct otst_object found_object = { OTST_PART, "found", found_rows,
						 "where the kernel was found in memory" };

static void extent_rows(struct otst_rows *r, const void *item)
{
	const struct otst_extent *m = item;

	ROW_ADDRESS(r, "address", m->phys);
	ROW_COUNT(r, "size", m->size);
	ROW_COUNT(r, "offset", m->offset);
}

static const struct otst_object extent_object = { OTST_PART, "extent", extent_rows,
						  "bytes of the file, and which memory they are" };

static void info_rows(struct otst_rows *r, const void *item)
{
	const struct otst_info *i = item;

	ROW_TEXT(r, "release", i->kernel->release);
	ROW_TEXT(r, "version", i->kernel->version);
	ROW_TEXT(r, "nodename", i->kernel->nodename);
	ROW_TEXT(r, "machine", i->kernel->machine);
	ROW_COUNT_OR_NULL(r, "cpus_possible", i->kernel->possible_known, i->kernel->nr_cpus);
	ROW_COUNT_OR_NULL(r, "cpus_online", i->kernel->online_known, i->kernel->online);
	ROW_TEXT(r, "target", i->target);
	ROW_OBJECT_OR_NULL(r, "found", found_object, i->found,
			   .what = "null unless the kernel had to be searched for");
	ROW_OBJECTS(r, "memory", extent_object, (const struct otst_extent *)i->extents.data,
		    i->extents.count, .what = "as it was taken, where the file does not say it");
	ROW_TEXT(r, "symbols", i->symbols);
	ROW_TEXT(r, "types", i->types);
	ROW_BOOL(r, "text_built", i->text_built);
	ROW_TEXT_OR_NULL(r, "vmlinux", i->image.path, .what = "null without an image file");
	ROW_BOOL(r, "vmlinux_searched", i->image.searched,
		 .what = "it was looked for: vmlinux was found and not named");
	ROW_TEXT_OR_NULL(r, "vmlinux_package",
			 i->image.package.distribution ? i->image.package.name : NULL,
			 .what = "the distribution's package that has it, where none was found");
	ROW_COUNT(r, "modules", i->modules);
	ROW_TEXTS(r, "hidden_modules", i->hidden, i->nr_hidden,
		  .what = "modules that are not on the list of modules");
	ROW_COUNT(r, "probes", i->probes);
	ROW_COUNT(r, "armed", i->armed);
	ROW_COUNT(r, "disagree", i->disagree);
	ROW_COUNT(r, "nobodys", i->nobodys, .what = "probes whose code is nobody's");
	ROW_COUNT(
		r, "registered", i->registered,
		.what = "functions that parts of the kernel were given to call, not of its own text");
	ROW_COUNT(r, "astray", i->astray,
		  .what = "of these, how many are nobody's, or of modules that hide");
	ROW_OBJECT(r, "kinds", kinds_object, i->kinds);
	ROW_OBJECTS(r, "owners", owner_object, i->owners, i->nr_owners);
	ROW_COUNT(r, "ftrace_ops", i->ftrace_ops);
	ROW_COUNT(r, "functions_hooked", i->hooked);
	ROW_COUNT(r, "functions", i->sites);
	ROW_COUNT(r, "tracers", i->tracers);
	ROW_OBJECTS(r, "trace_arrays", array_object, i->arrays, i->nr_arrays);
	ROW_TEXTS(r, "absent", i->absent, i->nr_absent, .what = "what this kernel does not have");
	ROW_TEXTS(r, "unreadable", i->bad, i->nr_bad);
}

const struct otst_object otst_info_object = { OTST_LINE, "info", info_rows, "otst -i" };

static void print_json(struct otst_printer *p, const struct otst_info *i)
{
	const struct otst_coverage *c = i->coverage.data;

	otst_print_json(p, &otst_info_object, i, NULL);
	p->bad += i->nr_bad;
	for (size_t n = 0; n < i->coverage.count; n++)
		otst_print_json(p, &otst_coverage_object, &c[n], NULL);
	otst_count_gaps(p, &i->coverage);
}

void otst_print_info(struct otst_printer *p, const struct otst_info *info)
{
	p->findings += info->disagree;
	p->nobodys += info->nobodys;
	p->hidden += info->nr_hidden;
	if (p->json)
		print_json(p, info);
	else if (p->verbose)
		print_all_info(p, info);
	else
		print_summary(p, info);
}
