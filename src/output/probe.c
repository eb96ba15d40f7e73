// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * probe.c - struct otst_probe: its description, and the fields of -v that are
 * not members of its JSON.
 */
#include <inttypes.h>

#include "catcher.h"
#include "stap.h"
#include "table.h"

#define LABEL 14 /* width of the labels of -v */

static const char *probed_name(struct otst *o, const struct otst_probe *p)
{
	if (p->target)
		return p->target;
	if (otst_is_registered(p->kind))
		return p->place;
	return p->addr ? otst_sym_name(o, p->addr, &p->sym) : "?";
}

const char *otst_owner_text(struct otst *o, const struct otst_owner *w)
{
	if (w->kind == OTST_OWNER_UNKNOWN)
		return "unknown";
	if (otst_is_nobodys(w))
		return "nobody !";
	return otst_format(o, "%s %s%s%s%s%s%s", otst_owner_kind_name(w->kind),
			   w->kind != OTST_OWNER_EVENT || !w->event_type ? "" :
			   w->event_type == 'r'				 ? "r:" :
									   "p:",
			   w->name ? w->name : "?", w->script ? " (" : "",
			   w->script ? w->script : "", w->script ? ")" : "", w->hidden ? " !" : "");
}

void otst_print_hidden(struct otst_printer *p, const char *where, const struct otst_owner *w)
{
	if (w->hidden)
		otst_print_finding(p, "  ", where,
				   otst_or_unknown(otst_format(
					   p->o,
					   "module %s hides: it is not on the list of modules",
					   w->name)));
}

void otst_print_nobodys(struct otst_printer *p, int indent, size_t n)
{
	if (!n)
		return;
	otst_printf(p, "%*s", indent, "");
	otst_print_styled(p, OTST_STYLE_BAD, "!", 1);
	otst_printf(p, " %zu %s nobody's: otst -l\n", n, otst_number(n, "hook is", "hooks are"));
}

const char *otst_probe_state(struct otst *o, const struct otst_probe *p)
{
	bool armed = p->claim == OTST_CLAIM_ARMED && p->via != OTST_VIA_NONE;
	bool fired = p->catcher && p->catcher->state == OTST_CATCHER_FIRED;
	return otst_format(o, "%s%s%s%s%s%s%s", otst_claim_name(p->claim), armed ? " " : "",
			   armed ? otst_via_name(p->via) : "", p->queue ? " (" : "",
			   p->queue ? p->queue : "", p->queue ? ")" : "", fired ? " (fired)" : "");
}

static const char *seen_text(struct otst *o, const struct otst_probe *p)
{
	return otst_format(o, "%s%s", otst_seen_name(p->evidence.seen), p->disagree ? " !" : "");
}

/* handlers that a reader wants to see: the user's, not the kernel's glue */
static const char *handler_names(struct otst *o, const struct otst_probe *p)
{
	const char *all = NULL;

	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		const struct otst_handler *h = &p->handlers[i];
		const char *name;

		/* with a return handler or an entry, the kprobe's own handlers are the kernel's */
		if ((p->kind == OTST_PROBE_KRETPROBE || p->kind == OTST_PROBE_JPROBE) &&
		    h->role <= OTST_HANDLER_BREAK)
			continue;
		name = otst_sym_name(o, h->addr, &h->sym);
		all = otst_format(o, "%s%s%s=%s", all ? all : "", all ? " " : "",
				  otst_handler_short_name(h->role), name);
	}
	/* SystemTap's handlers are the same for all probes; only the probe point differs */
	if (p->stap && p->stap->row && p->stap->row->point && p->stap->row->point != p->target)
		all = otst_format(o, "%s%sfor %s", all ? all : "", all ? " " : "",
				  p->stap->row->point);
	return all ? all : "-";
}

static const char *count_or_dash(struct otst *o, bool known, uint64_t n)
{
	return known ? otst_format(o, "%" PRIu64, n) : "-";
}

static const char *address_text(struct otst *o, const struct otst_probe *p)
{
	return p->addr ? otst_format(o, "%016" PRIx64, p->addr) : otst_format(o, "%16s", "-");
}

static const char *missed_text(struct otst *o, const struct otst_probe *p)
{
	return count_or_dash(o, true,
			     p->nmissed + (p->ret && p->ret->profiled ? p->ret->nmissed : 0));
}

enum otst_style otst_probe_style(const struct otst_probe *p)
{
	switch (p->claim) {
	case OTST_CLAIM_ARMED:
		return OTST_STYLE_GOOD;
	case OTST_CLAIM_DISABLED:
	case OTST_CLAIM_DISARMED:
	case OTST_CLAIM_GONE:
	case OTST_CLAIM_UNUSED:
	case OTST_CLAIM_REMOVED:
		return OTST_STYLE_QUIET;
	case OTST_CLAIM_UNKNOWN:
	case OTST_CLAIM_COUNT:
		break;
	}
	return OTST_STYLE_PLAIN;
}

/* ---- parts of a probe ---- */

static void put_handlers(struct otst_rows *r, const struct otst_probe *pr)
{
	for (unsigned int i = 0; i < pr->nr_handlers; i++) {
		otst_say_key(r, otst_handler_name(pr->handlers[i].role));
		otst_say_symbol(r, pr->handlers[i].addr, &pr->handlers[i].sym);
	}
}

static void put_facts(struct otst_rows *r, const struct otst_vec *facts)
{
	const struct otst_fact *f = facts->data;

	for (size_t i = 0; i < facts->count; i++) {
		otst_say_key(r, f[i].name);
		if (f[i].text)
			otst_say_text(r, f[i].text);
		else
			otst_say_number(r, f[i].number);
	}
}

static void kretprobe_rows(struct otst_rows *r, const void *item)
{
	const struct otst_kretprobe *k = item;

	ROW_TEXT_OR_NULL(r, "pool", k->pool, .words = "hlist|freelist|rethook|objpool");
	ROW_NUMBER(r, "maxactive", k->maxactive);
	ROW_COUNT(r, "nmissed", k->nmissed, .what = "returns not followed for want of an instance");
	ROW_COUNT(r, "data_size", k->data_size);
	ROW_COUNT_OR_NULL(r, "in_use", k->in_use_known, k->in_use,
			  .what = "calls that have not returned");
}

static const struct otst_object kretprobe_object = { OTST_PART, "kretprobe", kretprobe_rows,
						     "what a kretprobe has more" };

static void holder_rows(struct otst_rows *r, const void *item)
{
	const struct otst_holder *h = item;

	ROW_COUNT(r, "pid", h->pid);
	ROW_TEXT(r, "comm", h->comm);
	ROW_TEXT_OR_NULL(r, "cgroup", h->cgroup, .what = "path in the unified hierarchy");
}

static const struct otst_object holder_object = {
	OTST_PART, "holder", holder_rows, "a process that has a BPF program or a user event open"
};

static void put_holders(struct otst_rows *r, const struct otst_hold *hold)
{
	if (hold)
		otst_say_objects(r, &holder_object, hold->holders.data, hold->holders.count,
				 sizeof(struct otst_holder));
	else
		otst_say_null(r);
}

static void put_pins(struct otst_rows *r, const struct otst_hold *hold)
{
	if (hold)
		otst_say_texts(r, hold->pins.data, hold->pins.count);
	else
		otst_say_null(r);
}

static void program_rows(struct otst_rows *r, const void *item)
{
	const struct otst_program *prog = item;

	ROW_ADDRESS(r, "address", prog->addr);
	ROW_COUNT(r, "id", prog->id);
	ROW_COUNT(r, "type", prog->type);
	ROW_TEXT(r, "name", prog->name);
	ROW_TEXT_OR_NULL(r, "tag", prog->tag);
	OTST_ROW(r, put_holders(r, prog->hold), OTST_KEY("holders"), .type = OTST_ROW_OBJECT,
		 .object = &holder_object, .shape = OTST_ROW_ARRAY, .or_null = true,
		 .what = "processes that have it or a link of it open; null when unknown");
	OTST_ROW(r, put_pins(r, prog->hold), OTST_KEY("pins"), .type = OTST_ROW_TEXT,
		 .shape = OTST_ROW_ARRAY, .or_null = true,
		 .what = "paths in BPF file systems of it or a link of it; null when unknown");
}

static const struct otst_object program_object = { OTST_PART, "program", program_rows,
						   "a BPF program" };

static void text_rows(struct otst_rows *r, const void *item)
{
	const struct otst_probe *pr = item;

	ROW_ADDRESS_OR_NULL(r, "target", pr->evidence.target, .what = "where a jump or call goes");
	ROW_TEXT_OR_NULL(r, "target_name", pr->evidence.target_name);
	ROW_BYTES(r, "built", pr->evidence.built, pr->evidence.nr_built,
		  .what = "bytes of the image file, null without one");
	ROW_BYTES(r, "saved", pr->saved, pr->nr_saved, .what = "bytes that the record keeps");
	ROW_BYTES(r, "found", pr->evidence.found, pr->evidence.nr_found,
		  .what = "bytes in the dump");
}

static const struct otst_object text_object = { OTST_PART, "text", text_rows,
						"the kernel text at the address" };

/* ---- the description ---- */

static bool text_is_known(const struct otst_probe *pr)
{
	return pr->disagree ||
	       (pr->evidence.seen != OTST_SEEN_UNREADABLE && pr->evidence.seen != OTST_SEEN_NONE);
}

static const char *probe_kind_name(unsigned int kind)
{
	return otst_probe_kind((enum otst_probe_kind)kind)->name;
}

/* what is probed, and by which record */
static void place_rows(struct otst_rows *r, const struct otst_probe *pr)
{
	ROW_TEXT(r, "kind", probe_kind_name(pr->kind), .names = probe_kind_name,
		 .count = OTST_PROBE_KINDS, .title = "KIND");
	ROW_CELL(r, "ADDRESS", address_text(r->p->o, pr), OTST_STYLE_PLAIN);
	ROW_ADDRESS_OR_NULL(r, "address", pr->addr);
	ROW_CELL(r, "PROBED", probed_name(r->p->o, pr), OTST_STYLE_PLAIN, .most = 56);
	ROW_TEXT_OR_NULL(r, "target", pr->target,
			 .what = "what is probed, where that has no address");
	ROW_TEXT_OR_NULL(r, "symbol", pr->sym.name);
	ROW_COUNT_OR_NULL(r, "offset", pr->sym.name, pr->addr - pr->sym.addr);
	ROW_TEXT_OR_NULL(r, "module", pr->sym.module, .what = "module that is probed");
	ROW_ADDRESS(r, "record", pr->record, .what = "struct kprobe");
	ROW_ADDRESS_OR_NULL(r, "aggregate", pr->node != pr->record ? pr->node : 0,
			    .what = "record in kprobe_table when it is not this one");
	ROW_TEXT(r, "place", pr->place, .what = "where it was found");
	ROW_COUNT(r, "flags", pr->flags);
	ROW_COUNT(r, "node_flags", pr->node_flags);
}

/* what the record and the text say of it */
static void state_rows(struct otst_rows *r, const struct otst_probe *pr)
{
	ROW_CELL(r, "STATE", otst_probe_state(r->p->o, pr), otst_probe_style(pr), .most = 32);
	ROW_TEXT(r, "claimed", otst_claim_name(pr->claim), .names = otst_claim_name,
		 .count = OTST_CLAIM_COUNT, .what = "state as the record claims it");
	ROW_TEXT(r, "via", otst_via_name(pr->via), .names = otst_via_name, .count = OTST_VIA_COUNT);
	ROW_TEXT_OR_NULL(r, "queue", pr->queue, .words = "optimizing|unoptimizing|freeing");
	ROW_CELL(r, "TEXT", seen_text(r->p->o, pr),
		 pr->disagree ? OTST_STYLE_BAD : OTST_STYLE_PLAIN, .flow = true);
	ROW_TEXT(r, "observed", otst_seen_name(pr->evidence.seen), .names = otst_seen_name,
		 .count = OTST_SEEN_COUNT,
		 .what = "state as the text shows it; of a hardware breakpoint, as the cpus' "
			 "debug registers do");
	ROW_BOOL_OR_NULL(r, "agree", text_is_known(pr), !pr->disagree,
			 .what = "null when the text is not in the dump");
	ROW_TEXT_OR_NULL(r, "disagree", pr->disagree);
}

/* what runs there, whose it is, and how often */
static void handler_rows(struct otst_rows *r, const struct otst_probe *pr)
{
	ROW_MAP(r, "handlers", OTST_ROW_OBJECT, put_handlers(r, pr), .object = &otst_symbol_object,
		.what = "by the kernel's member name");
	ROW_OBJECT(r, "owner", otst_owner_object, &pr->owner);
	ROW_COUNT(r, "nmissed", pr->nmissed);
	ROW_CELL(r, "MISSED", missed_text(r->p->o, pr), OTST_STYLE_PLAIN, .right = true);
	ROW_COUNT_OR_NULL(r, "hits", pr->hits_known, pr->hits, .title = "HITS", .right = true);
	ROW_CELL(r, "OWNER", otst_owner_text(r->p->o, &pr->owner),
		 otst_is_nobodys(&pr->owner) || pr->owner.hidden ? OTST_STYLE_BAD :
								   OTST_STYLE_PLAIN,
		 .most = 48);
	ROW_CELL(r, "HANDLERS", handler_names(r->p->o, pr), OTST_STYLE_PLAIN);
}

/* what only some kinds have */
static void kind_rows(struct otst_rows *r, const struct otst_probe *pr)
{
	ROW_OBJECT_OR_NULL(r, "kretprobe", kretprobe_object, pr->ret);
	ROW_OBJECT_OR_NULL(r, "otst", otst_catcher_object, otst_catcher_of(pr, OTST_PROBE_OTST));
	ROW_OBJECT_OR_NULL(r, "allie", otst_catcher_object, otst_catcher_of(pr, OTST_PROBE_ALLIE));
	ROW_OBJECT_OR_NULL(r, "systemtap", otst_stap_object, pr->stap,
			   .what = "of a probe of a SystemTap script");
	ROW_TEXT_OR_NULL(r, "registered_symbol", pr->symbol_name);
	ROW_COUNT(r, "registered_offset", pr->offset);
	ROW_ADDRESS_OR_NULL(r, "copy", pr->slot, .what = "out-of-line copy of the instruction",
			    .label = "copy");
	ROW_ADDRESS_OR_NULL(r, "detour", pr->detour, .what = "detour buffer", .label = "detour");
	ROW_OBJECT(r, "text", text_object, pr);
	ROW_OBJECTS(r, "programs", program_object, (const struct otst_program *)pr->programs.data,
		    pr->programs.count, .what = "BPF programs that it runs");
	OTST_ROW(
		r, put_holders(r, pr->hold), OTST_KEY("holders"), .type = OTST_ROW_OBJECT,
		.object = &holder_object, .shape = OTST_ROW_ARRAY, .or_null = true,
		.what = "processes that have a user event open; null for other kinds or when unknown");
	ROW_MAP(r, "facts", OTST_ROW_FACT, put_facts(r, &pr->facts),
		.what = "what only this kind has");
	ROW_TEXT_OR_NULL(r, "error", pr->error);
}

static void probe_rows(struct otst_rows *r, const void *item)
{
	const struct otst_probe *pr = item;

	place_rows(r, pr);
	state_rows(r, pr);
	handler_rows(r, pr);
	kind_rows(r, pr);
}

const struct otst_object otst_probe_object = { OTST_LINE, "probe", probe_rows,
					       "otst -l: one user's probe" };

/* ---- text ---- */

static bool has_row(const struct otst_probe *pr)
{
	return pr->addr || pr->target || otst_is_registered(pr->kind);
}

static void print_probe_bytes(struct otst_printer *p, const char *label, const unsigned char *b,
			      unsigned int n, const char *none)
{
	otst_printf(p, "    %-14s", label);
	for (unsigned int i = 0; i < n; i++)
		otst_printf(p, " %02x", b[i]);
	otst_printf(p, "%s%s\n", n ? "" : " ", n ? "" : none);
}

static void print_kretprobe(struct otst_printer *p, const struct otst_kretprobe *r)
{
	otst_printf(p, "    %-14s %" PRId64 " (%s), in use now %s\n", "maxactive", r->maxactive,
		    r->pool ? r->pool : "?",
		    r->in_use_known ? count_or_dash(p->o, true, r->in_use) : "unknown");
	otst_printf(p, "    %-14s %" PRIu64 " for want of an instance\n", "missed returns",
		    r->nmissed);
	otst_printf(p, "    %-14s %" PRIu64 " byte%s\n", "data", r->data_size,
		    otst_number(r->data_size, "", "s"));
}

static void print_hold(struct otst_printer *p, const struct otst_hold *hold)
{
	const struct otst_holder *h = hold->holders.data;
	const char *const *pins = hold->pins.data;
	size_t i;

	otst_printf(p, "    %-14s", "held by");
	for (i = 0; i < hold->holders.count; i++)
		otst_printf(p, "%s %" PRIu64 " %s%s%s", i ? "," : "", h[i].pid, h[i].comm,
			    otst_is_container(h[i].cgroup) ? " in " : "",
			    otst_is_container(h[i].cgroup) ? h[i].cgroup : "");
	otst_printf(p, "%s\n", i ? "" : hold->pins.count ? " a pin alone" : " no process");
	for (i = 0; i < hold->pins.count; i++)
		otst_printf(p, "    %-14s %s\n", "pinned", pins[i]);
}

static void print_program(struct otst_printer *p, const struct otst_program *prog)
{
	otst_printf(p, "    %-14s %s id %" PRIu32 " tag %s\n", "program",
		    *prog->name ? prog->name : "(no name)", prog->id, prog->tag ? prog->tag : "?");
	if (prog->hold)
		print_hold(p, prog->hold);
}

static void print_fact(struct otst_printer *p, const struct otst_fact *f)
{
	if (f->text)
		otst_printf(p, "    %-14s %s\n", f->name, f->text);
	else
		otst_printf(p, "    %-14s %" PRId64 "\n", f->name, f->number);
}

/* is its record one consumer of a struct uprobe */
static bool is_consumer(const struct otst_probe *pr)
{
	return pr->kind == OTST_PROBE_UPROBE || pr->kind == OTST_PROBE_UPROBE_MULTI;
}

static void print_flags(struct otst_printer *p, const struct otst_probe *pr)
{
	uint32_t flags = is_consumer(pr) ? pr->node_flags : pr->flags;

	otst_printf(p, "    %-14s 0x%x", is_consumer(pr) ? "uprobe's flags" : "flags", flags);
	for (unsigned int i = 0; pr->flag_names[i]; i++) {
		if (flags >> i & 1)
			otst_printf(p, " %s", pr->flag_names[i]);
	}
	if (pr->node != pr->record && !is_consumer(pr))
		otst_printf(p, ", aggregate 0x%x", pr->node_flags);
	otst_printf(p, "\n");
}

static void print_fields(struct otst_printer *p, const struct otst_probe *pr)
{
	struct otst *o = p->o;

	otst_printf(p, "    %-14s 0x%" PRIx64 " in %s", "record", pr->record, pr->place);
	if (pr->node != pr->record)
		otst_printf(p, ", %s 0x%" PRIx64, is_consumer(pr) ? "uprobe" : "aggregate",
			    pr->node);
	otst_printf(p, "\n");
	if (pr->flag_names)
		print_flags(p, pr);
	if (pr->symbol_name)
		otst_printf(p, "    %-14s %s+0x%" PRIx64 "\n", "registered as", pr->symbol_name,
			    pr->offset);
	for (unsigned int i = 0; i < pr->nr_handlers; i++)
		otst_printf(p, "    %-14s %s\n", otst_handler_name(pr->handlers[i].role),
			    otst_sym_name(o, pr->handlers[i].addr, &pr->handlers[i].sym));
	for (unsigned int i = 0; i < pr->programs.count; i++)
		print_program(p, &((const struct otst_program *)pr->programs.data)[i]);
	if (pr->hold)
		print_hold(p, pr->hold);
	for (unsigned int i = 0; i < pr->facts.count; i++)
		print_fact(p, &((const struct otst_fact *)pr->facts.data)[i]);
	if (pr->owner.reason && !otst_is_nobodys(&pr->owner))
		otst_printf(p, "    %-14s %s\n", "owner unknown:", pr->owner.reason);
	otst_printf(p, "    %-14s %" PRIu64 "\n", "missed", pr->nmissed);
	if (pr->ret)
		print_kretprobe(p, pr->ret);
	if (pr->catcher)
		otst_print_catcher(p, pr);
	if (pr->stap)
		otst_print_stap(p, pr->stap);
	otst_print_lines(p, &otst_probe_object, LABEL, pr);
	if (pr->evidence.target)
		otst_printf(p, "    %-14s 0x%" PRIx64 " %s\n", "text goes to", pr->evidence.target,
			    pr->evidence.target_name ? pr->evidence.target_name : "");
	if (pr->evidence.seen == OTST_SEEN_NONE || pr->evidence.seen == OTST_SEEN_REGISTER)
		return;
	print_probe_bytes(p, "bytes built", pr->evidence.built, pr->evidence.nr_built, "unknown");
	print_probe_bytes(p, "bytes saved", pr->saved, pr->nr_saved, "none");
	print_probe_bytes(p, "bytes found", pr->evidence.found, pr->evidence.nr_found,
			  "not in the dump");
}

static void print_probe_text(struct otst_table *t, const struct otst_probe *pr)
{
	struct otst_printer *p = t->p;
	const char *where;

	if (has_row(pr))
		otst_table_row(t, pr);
	if (pr->error) {
		where = otst_format(p->o, "%s, record 0x%" PRIx64, pr->place, pr->record);
		otst_print_bad(p, where, pr->error);
	}
	if (pr->disagree)
		otst_print_finding(p, "  ", probed_name(p->o, pr), pr->disagree);
	if (otst_is_nobodys(&pr->owner))
		otst_print_finding(p, "  ", probed_name(p->o, pr), pr->owner.reason);
	otst_print_hidden(p, probed_name(p->o, pr), &pr->owner);
	if (p->verbose && has_row(pr))
		print_fields(p, pr);
}

/* what tools left behind when they ended */
static void print_left(struct otst_printer *p, const struct otst_probes *probes)
{
	size_t i, n = 0;

	for (i = 0; i < probes->count; i++)
		n += probes->items[i]->left;
	if (n && !p->json)
		otst_printf(p, "%zu %s named after a process that is gone: -v\n", n,
			    otst_number(n, "event is", "events are"));
}

void otst_print_probes(struct otst_printer *p, const struct otst_probes *probes)
{
	struct otst_table t;

	otst_table_init(&t, p, &otst_probe_object, NULL);
	for (size_t i = 0; i < probes->count && !p->json; i++) {
		if (has_row(probes->items[i]))
			otst_table_measure(&t, probes->items[i]);
	}
	if (!p->json)
		otst_table_head(&t);
	for (size_t i = 0; i < probes->count && !p->err; i++) {
		p->findings += probes->items[i]->disagree != NULL;
		p->nobodys += otst_is_nobodys(&probes->items[i]->owner);
		p->hidden += probes->items[i]->owner.hidden;
		if (!p->json) {
			print_probe_text(&t, probes->items[i]);
			continue;
		}
		p->bad += probes->items[i]->error != NULL;
		otst_print_json(p, &otst_probe_object, probes->items[i], NULL);
	}
	otst_print_errors(p, &probes->errors);
	if (probes->all_disarmed && !p->json)
		otst_printf(p, "all kprobes are disarmed (kprobes/enabled is 0)\n");
	print_left(p, probes);
	otst_print_gaps(p, &probes->coverage);
	otst_print_end(p, "probe", "probes", probes->count);
}
