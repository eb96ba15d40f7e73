// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe.c - struct otst_probe as a line of a table, as a block of fields (-v)
 * and as a JSON object.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "catcher.h"
#include "stap.h"
#include "table.h"

/* columns; the order is that of the line */
enum { KIND, ADDRESS, PROBED, STATE, TEXT, MISSED, HITS, OWNER, HANDLERS, COLUMNS };

/* one giant name must not push the table off the screen */
static const struct otst_column columns[COLUMNS] = {
	[KIND] = { .title = "KIND" },
	[ADDRESS] = { .title = "ADDRESS" },
	[PROBED] = { .title = "PROBED", .most = 56 },
	[STATE] = { .title = "STATE", .most = 32 },
	[TEXT] = { .title = "TEXT" },
	[MISSED] = { .title = "MISSED", .right = true },
	[HITS] = { .title = "HITS", .right = true },
	[OWNER] = { .title = "OWNER", .most = 48 },
	[HANDLERS] = { .title = "HANDLERS" },
};

static const char *probed_name(struct otst *o, const struct otst_probe *p)
{
	if (p->target)
		return p->target;
	return p->addr ? otst_sym_name(o, p->addr, &p->sym) : "?";
}

const char *otst_owner_text(struct otst *o, const struct otst_owner *w)
{
	const char *s;

	if (w->kind == OTST_OWNER_UNKNOWN)
		return "unknown";
	s = otst_format(o, "%s %s%s%s%s%s", otst_owner_kind_name(w->kind),
			w->kind != OTST_OWNER_EVENT || !w->letter ? "" :
			w->letter == 'r'			  ? "r:" :
								    "p:",
			w->name ? w->name : "?", w->script ? " (" : "", w->script ? w->script : "",
			w->script ? ")" : "");
	return s ? s : "?";
}

const char *otst_probe_state(struct otst *o, const struct otst_probe *p)
{
	bool armed = p->claim == OTST_CLAIM_ARMED && p->via != OTST_VIA_NONE;
	bool fired = p->catcher && p->catcher->state == OTST_CATCHER_FIRED;
	const char *s = otst_format(o, "%s%s%s%s%s%s%s", otst_claim_name(p->claim),
				    armed ? " " : "", armed ? otst_via_name(p->via) : "",
				    p->queue ? " (" : "", p->queue ? p->queue : "",
				    p->queue ? ")" : "", fired ? " (fired)" : "");

	return s ? s : "?";
}

static const char *seen_text(struct otst *o, const struct otst_probe *p)
{
	const char *s =
		otst_format(o, "%s%s", otst_seen_name(p->evidence.seen), p->disagree ? " !" : "");

	return s ? s : "?";
}

/* "pre", "post", "ret", "entry": the kernel's member names without what they share */
static const char *short_role(struct otst *o, const struct otst_probe *p, const char *role)
{
	const char *tail = strstr(role, "_handler"), *s;

	if (p->kind == OTST_PROBE_KRETPROBE && !strcmp(role, "handler"))
		return "ret";
	s = tail ? otst_format(o, "%.*s", (int)(tail - role), role) : role;
	return s ? s : role;
}

/* handlers that a reader wants to see: the user's, not the kernel's glue */
static const char *handler_names(struct otst *o, const struct otst_probe *p)
{
	const char *all = NULL;
	unsigned int i;

	for (i = 0; i < p->nr_handlers; i++) {
		const struct otst_handler *h = &p->handlers[i];
		const char *name;

		/* with a return handler or an entry, the kprobe's own handlers are the kernel's */
		if ((p->kind == OTST_PROBE_KRETPROBE || p->kind == OTST_PROBE_JPROBE) &&
		    strstr(h->role, "_handler") && strcmp(h->role, "entry_handler"))
			continue;
		name = otst_sym_name(o, h->addr, &h->sym);
		all = otst_format(o, "%s%s%s=%s", all ? all : "", all ? " " : "",
				  short_role(o, p, h->role), name);
	}
	/* SystemTap's handlers are the same for all; what they are for is not */
	if (p->stap && p->stap->row && p->stap->row->point && p->stap->row->point != p->target)
		all = otst_format(o, "%s%sfor %s", all ? all : "", all ? " " : "",
				  p->stap->row->point);
	return all ? all : "-";
}

static const char *count_or_dash(struct otst *o, bool known, uint64_t n)
{
	const char *s = known ? otst_format(o, "%" PRIu64, n) : "-";

	return s ? s : "?";
}

static const char *address_text(struct otst *o, const struct otst_probe *p)
{
	const char *s = p->addr ? otst_format(o, "%016" PRIx64, p->addr) :
				  otst_format(o, "%16s", "-");

	return s ? s : "?";
}

enum otst_style otst_probe_style(const struct otst_probe *p)
{
	return p->claim == OTST_CLAIM_ARMED   ? OTST_STYLE_GOOD :
	       p->claim == OTST_CLAIM_UNKNOWN ? OTST_STYLE_PLAIN :
						OTST_STYLE_QUIET;
}

static void fill_row(struct otst *o, const struct otst_probe *pr, struct otst_cell ret[COLUMNS])
{
	uint64_t missed = pr->nmissed + (pr->ret ? pr->ret->nmissed : 0);
	enum otst_style state = otst_probe_style(pr);
	enum otst_style text = pr->disagree ? OTST_STYLE_BAD : OTST_STYLE_PLAIN;

	ret[KIND] = (struct otst_cell){ otst_probe_kind(pr->kind)->name, OTST_STYLE_PLAIN };
	ret[ADDRESS] = (struct otst_cell){ address_text(o, pr), OTST_STYLE_PLAIN };
	ret[PROBED] = (struct otst_cell){ probed_name(o, pr), OTST_STYLE_PLAIN };
	ret[STATE] = (struct otst_cell){ otst_probe_state(o, pr), state };
	ret[TEXT] = (struct otst_cell){ seen_text(o, pr), text };
	ret[MISSED] = (struct otst_cell){ count_or_dash(o, true, missed), OTST_STYLE_PLAIN };
	ret[HITS] =
		(struct otst_cell){ count_or_dash(o, pr->hits_known, pr->hits), OTST_STYLE_PLAIN };
	ret[OWNER] = (struct otst_cell){ otst_owner_text(o, &pr->owner), OTST_STYLE_PLAIN };
	ret[HANDLERS] = (struct otst_cell){ handler_names(o, pr), OTST_STYLE_PLAIN };
}

static bool has_row(const struct otst_probe *pr)
{
	return pr->addr || pr->target;
}

static void print_bytes(struct otst_printer *p, const char *label, const unsigned char *b,
			unsigned int n, const char *none)
{
	unsigned int i;

	otst_printf(p, "    %-14s", label);
	for (i = 0; i < n; i++)
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
	otst_printf(p, "    %-14s %" PRIu64 " bytes\n", "data", r->data_size);
}

static void print_hold(struct otst_printer *p, const struct otst_hold *hold)
{
	const struct otst_holder *h = hold->holders.data;
	const char *const *pins = hold->pins.data;
	size_t i;

	otst_printf(p, "    %-14s", "held by");
	for (i = 0; i < hold->holders.count; i++)
		otst_printf(p, "%s %" PRIu64 " %s", i ? "," : "", h[i].pid, h[i].comm);
	otst_printf(p, "%s\n", i ? "" : " no process");
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

/* its record is one user's of a struct uprobe */
static bool is_consumer(const struct otst_probe *pr)
{
	return pr->kind == OTST_PROBE_UPROBE || pr->kind == OTST_PROBE_UPROBE_MULTI;
}

static void print_flags(struct otst_printer *p, const struct otst_probe *pr)
{
	uint32_t flags = is_consumer(pr) ? pr->node_flags : pr->flags;
	unsigned int i;

	otst_printf(p, "    %-14s 0x%x", is_consumer(pr) ? "uprobe's flags" : "flags", flags);
	for (i = 0; pr->flag_names[i]; i++) {
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
	unsigned int i;

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
	for (i = 0; i < pr->nr_handlers; i++)
		otst_printf(p, "    %-14s %s\n", pr->handlers[i].role,
			    otst_sym_name(o, pr->handlers[i].addr, &pr->handlers[i].sym));
	for (i = 0; i < pr->programs.count; i++)
		print_program(p, &((const struct otst_program *)pr->programs.data)[i]);
	for (i = 0; i < pr->facts.count; i++)
		print_fact(p, &((const struct otst_fact *)pr->facts.data)[i]);
	if (pr->owner.reason)
		otst_printf(p, "    %-14s %s\n", "owner unknown:", pr->owner.reason);
	otst_printf(p, "    %-14s %" PRIu64 "\n", "missed", pr->nmissed);
	if (pr->ret)
		print_kretprobe(p, pr->ret);
	if (pr->catcher)
		otst_print_catcher(p, pr);
	if (pr->stap)
		otst_print_stap(p, pr->stap);
	if (pr->slot)
		otst_printf(p, "    %-14s 0x%" PRIx64 "\n", "copy", pr->slot);
	if (pr->detour)
		otst_printf(p, "    %-14s 0x%" PRIx64 "\n", "detour", pr->detour);
	if (pr->evidence.target)
		otst_printf(p, "    %-14s 0x%" PRIx64 " %s\n", "text goes to", pr->evidence.target,
			    pr->evidence.target_name ? pr->evidence.target_name : "");
	if (pr->evidence.seen == OTST_SEEN_NONE || pr->evidence.seen == OTST_SEEN_REGISTER)
		return;
	print_bytes(p, "bytes built", pr->evidence.built, pr->evidence.nr_built, "unknown");
	print_bytes(p, "bytes saved", pr->saved, pr->nr_saved, "none");
	print_bytes(p, "bytes found", pr->evidence.found, pr->evidence.nr_found, "not in the dump");
}

static void print_text(struct otst_table *t, const struct otst_probe *pr)
{
	struct otst_cell row[COLUMNS];
	struct otst_printer *p = t->p;
	const char *where;

	if (has_row(pr)) {
		fill_row(p->o, pr, row);
		otst_table_row(t, row);
	}
	if (pr->error) {
		where = otst_format(p->o, "%s, record 0x%" PRIx64, pr->place, pr->record);
		otst_print_bad(p, where, pr->error);
	}
	if (pr->disagree)
		otst_print_finding(p, "  ", probed_name(p->o, pr), pr->disagree);
	if (p->verbose && has_row(pr))
		print_fields(p, pr);
}

/* ---- JSON ---- */

static struct json_object *json_handlers(const struct otst_probe *pr)
{
	struct json_object *j = otst_json_new(NULL);
	unsigned int i;

	for (i = 0; i < pr->nr_handlers; i++)
		otst_json_sym(j, pr->handlers[i].role, pr->handlers[i].addr, &pr->handlers[i].sym);
	return j;
}

static struct json_object *json_kretprobe(const struct otst_kretprobe *r)
{
	struct json_object *j = otst_json_new(NULL);

	otst_json_string(j, "pool", r->pool);
	otst_json_s64(j, "maxactive", r->maxactive);
	otst_json_u64(j, "nmissed", r->nmissed);
	otst_json_u64(j, "data_size", r->data_size);
	if (r->in_use_known)
		otst_json_u64(j, "in_use", r->in_use);
	else
		otst_json_null(j, "in_use");
	return j;
}

/* null where nothing is known of it */
static void json_hold(struct json_object *j, const struct otst_hold *hold)
{
	const struct otst_holder *h = hold ? hold->holders.data : NULL;
	const char *const *pins = hold ? hold->pins.data : NULL;
	struct json_object *holders = hold ? otst_json_array() : NULL, *one;
	struct json_object *pinned = hold ? otst_json_array() : NULL;
	size_t i;

	for (i = 0; hold && i < hold->holders.count; i++) {
		one = otst_json_new(NULL);
		otst_json_u64(one, "pid", h[i].pid);
		otst_json_string(one, "comm", h[i].comm);
		otst_json_append(holders, one);
	}
	for (i = 0; hold && i < hold->pins.count; i++)
		otst_json_append_string(pinned, pins[i]);
	otst_json_object(j, "holders", holders);
	otst_json_object(j, "pins", pinned);
}

static struct json_object *json_program(const struct otst_program *prog)
{
	struct json_object *j = otst_json_new(NULL);

	otst_json_address(j, "address", prog->addr);
	otst_json_u64(j, "id", prog->id);
	otst_json_u64(j, "type", prog->type);
	otst_json_string(j, "name", prog->name);
	otst_json_string(j, "tag", prog->tag);
	json_hold(j, prog->hold);
	return j;
}

static struct json_object *json_programs(const struct otst_probe *pr)
{
	const struct otst_program *prog = pr->programs.data;
	struct json_object *a = otst_json_array();
	size_t i;

	for (i = 0; i < pr->programs.count; i++)
		otst_json_append(a, json_program(&prog[i]));
	return a;
}

static struct json_object *json_facts(const struct otst_probe *pr)
{
	const struct otst_fact *f = pr->facts.data;
	struct json_object *j = otst_json_new(NULL);
	size_t i;

	for (i = 0; i < pr->facts.count; i++) {
		if (f[i].text)
			otst_json_string(j, f[i].name, f[i].text);
		else
			otst_json_s64(j, f[i].name, f[i].number);
	}
	return j;
}

static struct json_object *json_text(const struct otst_probe *pr)
{
	const struct otst_evidence *e = &pr->evidence;
	struct json_object *j = otst_json_new(NULL);

	if (e->target)
		otst_json_address(j, "target", e->target);
	else
		otst_json_null(j, "target");
	otst_json_string(j, "target_name", e->target_name);
	otst_json_bytes(j, "built", e->built, e->nr_built);
	otst_json_bytes(j, "saved", pr->saved, pr->nr_saved);
	otst_json_bytes(j, "found", e->found, e->nr_found);
	return j;
}

static void print_json(struct otst_printer *p, const struct otst_probe *pr)
{
	struct json_object *j = otst_json_new("probe");

	if (pr->error)
		p->bad++;
	otst_json_string(j, "kind", otst_probe_kind(pr->kind)->name);
	if (pr->addr)
		otst_json_address(j, "address", pr->addr);
	else
		otst_json_null(j, "address");
	otst_json_string(j, "target", pr->target);
	otst_json_string(j, "symbol", pr->sym.name);
	if (pr->sym.name)
		otst_json_u64(j, "offset", pr->addr - pr->sym.addr);
	else
		otst_json_null(j, "offset");
	otst_json_string(j, "module", pr->sym.module);
	otst_json_address(j, "record", pr->record);
	if (pr->node != pr->record)
		otst_json_address(j, "aggregate", pr->node);
	else
		otst_json_null(j, "aggregate");
	otst_json_string(j, "place", pr->place);
	otst_json_u64(j, "flags", pr->flags);
	otst_json_u64(j, "node_flags", pr->node_flags);
	otst_json_string(j, "claimed", otst_claim_name(pr->claim));
	otst_json_string(j, "via", otst_via_name(pr->via));
	otst_json_string(j, "queue", pr->queue);
	otst_json_string(j, "observed", otst_seen_name(pr->evidence.seen));
	if (!pr->disagree &&
	    (pr->evidence.seen == OTST_SEEN_UNREADABLE || pr->evidence.seen == OTST_SEEN_NONE))
		otst_json_null(j, "agree");
	else
		otst_json_bool(j, "agree", !pr->disagree);
	otst_json_string(j, "disagree", pr->disagree);
	otst_json_object(j, "handlers", json_handlers(pr));
	otst_json_object(j, "owner", otst_json_owner(&pr->owner));
	otst_json_u64(j, "nmissed", pr->nmissed);
	if (pr->hits_known)
		otst_json_u64(j, "hits", pr->hits);
	else
		otst_json_null(j, "hits");
	otst_json_object(j, "kretprobe", pr->ret ? json_kretprobe(pr->ret) : NULL);
	otst_json_object(j, "otst", otst_json_catcher(pr, OTST_PROBE_OTST));
	otst_json_object(j, "allie", otst_json_catcher(pr, OTST_PROBE_ALLIE));
	otst_json_object(j, "systemtap", otst_json_stap(pr->stap));
	otst_json_string(j, "registered_symbol", pr->symbol_name);
	otst_json_u64(j, "registered_offset", pr->offset);
	if (pr->slot)
		otst_json_address(j, "copy", pr->slot);
	else
		otst_json_null(j, "copy");
	if (pr->detour)
		otst_json_address(j, "detour", pr->detour);
	else
		otst_json_null(j, "detour");
	otst_json_object(j, "text", json_text(pr));
	otst_json_object(j, "programs", json_programs(pr));
	otst_json_object(j, "facts", json_facts(pr));
	otst_json_string(j, "error", pr->error);
	otst_json_line(p, j);
}

void otst_print_probes(struct otst_printer *p, const struct otst_probes *probes)
{
	struct otst_cell row[COLUMNS];
	struct otst_table t;
	size_t i;

	otst_table_init(&t, p, columns, COLUMNS, TEXT);
	for (i = 0; i < probes->count && !p->json; i++) {
		fill_row(p->o, probes->items[i], row);
		if (has_row(probes->items[i]))
			otst_table_measure(&t, row);
	}
	if (!p->json)
		otst_table_head(&t);
	for (i = 0; i < probes->count && !p->err; i++) {
		if (probes->items[i]->disagree)
			p->findings++;
		if (p->json)
			print_json(p, probes->items[i]);
		else
			print_text(&t, probes->items[i]);
	}
	for (i = 0; i < probes->nr_errors; i++)
		otst_print_bad(p, NULL, probes->errors[i]);
	if (probes->all_disarmed && !p->json)
		otst_printf(p, "all kprobes are disarmed (kprobes/enabled is 0)\n");
	otst_print_gaps(p, &probes->coverage);
	otst_print_end(p, "probes", probes->count);
}
