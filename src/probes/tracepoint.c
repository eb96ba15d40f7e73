// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * tracepoint.c - struct tracepoint of include/linux/tracepoint-defs.h, of the
 * kernel and of its modules: every callback in funcs is a probe. The evidence is
 * the jump labels of its static key: each place in the text that would call
 * the callbacks is a nop, or a jump to the call once the key is on.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/coverage.h"
#include "../capturers/stap.h"
#include "perf_event.h"

#define MAX_TRACEPOINTS 65536u
#define MAX_FUNCS	1024u
#define MAX_SITES	4096u
#define MAX_NAME	256u
#define KEY_BITS	3u /* of static_key.entries and jump_entry.key: flags */
#define KEY_LINKED	2u /* entries is a chain, one link per module */
#define SITE_LIKELY	1u /* of jump_entry.key: the jump is there when the key is off */
#define SITE_INIT	2u /* of jump_entry.key: its text is freed after boot */

struct listing {
	struct otst *o;
	struct otst_vec probes;
	struct otst_messages errors;
};

/* ---- evidence: the call sites ---- */

struct sites {
	uint64_t first;
	size_t count;
	size_t on;
	size_t unread;
	size_t lost;	   /* those of @unread whose text has to be there */
	bool cut;	   /* more of them could not be found */
	bool call_lost;	   /* what they call could not be read */
	const char *stray; /* they contradict the callbacks; else NULL */
};

static bool is_jump(struct otst *o, const unsigned char *text, size_t len)
{
	struct otst_branch b;

	return otst_kernel(o)->arch->insn.branch(text, len, 0, &b) && b.kind == OTST_BRANCH_JUMP;
}

/*
 * jump_entry's members are offsets from themselves, or addresses before
 * Linux 9ae033aca8d6 ("jump_label: Abstract jump_entry member accessors") and
 * the changes that followed it (v4.20)
 */
static uint64_t site_member(struct otst_view *v, const char *member, bool relative)
{
	uint64_t value = otst_u64(v, member);

	return relative ? otst_addr_of(v, member) + value : value;
}

/* in the jump label table of the module around @entry; a table that cannot be read may go on */
static bool in_module_table(struct otst *o, const struct otst_module *m, uint64_t entry,
			    uint64_t size)
{
	uint64_t first, count;
	int err = otst_read_member(o, "module", m->addr, "jump_entries", &first);

	err = err ?: otst_read_member(o, "module", m->addr, "num_jump_entries", &count);
	return err ? err != OTST_ERR_LOOKUP : (entry - first) / size < count;
}

/* does a table of jump labels continue at @entry: the kernel's own, or a module's */
static bool in_table(struct otst *o, uint64_t entry, uint64_t size)
{
	uint64_t first = otst_symbol_or0(o, "__start___jump_table");
	const struct otst_module *m = otst_module_at(o, entry);

	if (m)
		return in_module_table(o, m, entry, size);
	return first && entry >= first && entry < otst_symbol_or0(o, "__stop___jump_table");
}

static void look_at_site(struct otst *o, uint64_t at, uint64_t key, struct sites *ret)
{
	int over = key & SITE_INIT ? otst_init_state(o) : 0;
	unsigned char text[4];

	ret->count++;
	/* jump_label_can_update(): after boot the kernel leaves freed text alone */
	if (over) {
		ret->unread++;
		ret->lost += over < 0;
		return;
	}
	ret->first = ret->first ?: at;
	if (!otst_read(o, at, text, sizeof(text))) {
		ret->on += is_jump(o, text, sizeof(text)) != (key & SITE_LIKELY);
		return;
	}
	ret->unread++;
	/* up to 4.19 an entry for freed text no longer has an address */
	ret->lost += at != 0;
}

/* the entries of one key are adjacent in the table */
static int read_tracepoint_sites(struct otst *o, uint64_t key, uint64_t entry, struct sites *ret)
{
	const struct otst_member *code;
	struct otst_view v;
	uint64_t size, at, owner;
	bool relative;
	int err;

	err = otst_member(o, "jump_entry", "code", &code);
	err = err ?: otst_type_size(o, "jump_entry", &size);
	if (err)
		return err;
	relative = code->size == 4;
	for (size_t i = 0; i < MAX_SITES; i++, entry += size) {
		/* after the very last entry there is something else, or nothing */
		err = otst_view_read(o, "jump_entry", entry, &v);
		if (err) {
			ret->cut |= !i || in_table(o, entry, size);
			return otst_fatal(err) ? err : 0;
		}
		owner = site_member(&v, "key", relative);
		at = site_member(&v, "code", relative);
		if (v.err || (owner & ~(uint64_t)KEY_BITS) != key)
			return v.err;
		look_at_site(o, at, owner, ret);
	}
	return 0;
}

static int read_all_sites(struct otst *o, uint64_t key, uint64_t entries, struct sites *ret)
{
	const struct otst_member *next, *part;
	uint64_t link = entries & ~(uint64_t)KEY_BITS;
	struct otst_walk w;
	int err;

	if (!(entries & KEY_LINKED))
		return link ? read_tracepoint_sites(o, key, link, ret) : 0;
	if (!otst_may_have_modules(o))
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "the key has a list of modules, which this kernel does not have");
	err = otst_member(o, "static_key_mod", "next", &next);
	err = err ?: otst_member(o, "static_key_mod", "entries", &part);
	if (err)
		return err;
	otst_walk_chain(o, link, next->offset, 0, &w);
	while (!err && otst_walk_next(&w, &link)) {
		err = otst_read_u64(o, link + part->offset, &entries);
		if (!err && entries & ~(uint64_t)KEY_BITS)
			err = read_tracepoint_sites(o, key, entries & ~(uint64_t)KEY_BITS, ret);
	}
	return err ? err : w.err;
}

/* Linux 4a8840af5f53 ("tracepoints: Use new static branch API") (v6.13) */
static bool has_branch_api(struct otst_view *tp)
{
	return otst_view_has(tp, "key.key");
}

/* the key counts up once the callbacks are in place */
static bool is_on(struct otst_view *tp)
{
	return (int32_t)otst_u64(tp, has_branch_api(tp) ? "key.key.enabled" : "key.enabled") > 0;
}

static int look_at_text(struct otst *o, struct otst_view *tp, struct sites *ret)
{
	const char *key = has_branch_api(tp) ? "key.key" : "key";
	const struct otst_member *entries;
	uint64_t at, value;
	int err;

	*ret = (struct sites){ 0 };
	err = otst_member(o, "static_key", "entries", &entries);
	/* without jump labels there is only the key's counter */
	if (otst_doubt_absence(o, err, "jump_label_lock"))
		return 0;
	at = otst_addr_of(tp, key);
	err = tp->err ? tp->err : otst_read_u64(o, at + entries->offset, &value);
	return err ? err : read_all_sites(o, at, value, ret);
}

/* a tracepoint that is just given a callback, or loses one, is in between */
static bool is_changing(struct otst *o)
{
	uint64_t mutex = otst_symbol_or0(o, "tracepoints_mutex"), owner;

	return mutex && !otst_read_member(o, "mutex", mutex, "owner", &owner) && owner;
}

/*
 * tracepoint_update_call(): a site calls the only callback, or the iterator, which goes
 * through all of them. Linux d25e37d89dd2 ("tracepoint: Optimize using static_call()") (v5.10)
 */
static void find_stray_call(struct otst *o, struct otst_view *tp, uint64_t funcs, struct sites *ret)
{
	uint64_t key = otst_u64_or(tp, "static_call_key", 0), func, callback = 1, size;
	uint64_t iterator = otst_u64_or(tp, "iterator", 0);
	struct otst_sym sym;
	unsigned int n = 0;

	if (!key || !iterator || otst_type_size(o, "tracepoint_func", &size))
		return;
	ret->call_lost = otst_read_u64(o, key, &func) != 0;
	if (ret->call_lost)
		return;
	for (; n < MAX_FUNCS && callback; n += callback != 0) {
		ret->call_lost = otst_read_member(o, "tracepoint_func", funcs + n * size, "func",
						  &callback) != 0;
		if (ret->call_lost || callback == func)
			return;
	}
	if (func == iterator && n == 1 && !is_changing(o))
		ret->stray = "its call sites call what goes through several callbacks, but its "
			     "list has one";
	if (func == iterator)
		return;
	otst_symbolize_code(o, func, &sym);
	ret->stray = otst_format(o, "its call sites call %s, which is none of its callbacks",
				 otst_sym_name(o, func, &sym));
}

static int judge_sites(struct otst *o, struct otst_probe *p, const struct sites *s)
{
	int err = 0;

	p->evidence.seen = s->first || s->cut ? OTST_SEEN_UNREADABLE : OTST_SEEN_NONE;
	if (s->first) {
		otst_evidence(o, s->first, 0, &p->evidence);
		p->evidence.target = 0;
		p->evidence.target_name = NULL;
	}
	if (s->count > s->unread)
		p->evidence.seen = s->on ? OTST_SEEN_JUMP : OTST_SEEN_UNTOUCHED;
	otst_probe_fact(o, p, "sites", NULL, (int64_t)s->count);
	otst_probe_fact(o, p, "sites_on", NULL, (int64_t)s->on);
	if (p->claim == OTST_CLAIM_ARMED && s->on + s->unread < s->count) {
		p->disagree = otst_format(o, "armed, but %zu of its %zu call site%s %s off",
					  s->count - s->on - s->unread, s->count,
					  otst_number(s->count, "", "s"),
					  otst_number(s->count - s->on - s->unread, "is", "are"));
	} else if (p->claim == OTST_CLAIM_ARMED) {
		p->disagree = s->stray;
	}
	if (s->cut)
		err = otst_raise(o, OTST_ERR_FAULT,
				 "the jump labels of its call sites cannot be read");
	else if (s->lost)
		err = otst_raise(o, OTST_ERR_FAULT,
				 "the text of %zu of its %zu call site%s cannot be read", s->lost,
				 s->count, otst_number(s->count, "", "s"));
	else if (s->call_lost)
		err = otst_raise(o, OTST_ERR_FAULT, "what its call sites call cannot be read");
	/* the callback is known anyway */
	return otst_probe_error(o, p, err);
}

/* ---- the callback's owner ---- */

static bool has_prefix(const char *s, const char *prefix)
{
	return s && !strncmp(s, prefix, strlen(prefix));
}

/* "sched:sched_switch"; the tracepoint has the event's name */
static int own_by_call(struct otst *o, struct otst_probe *p, uint64_t call)
{
	const char *type = otst_event_call_type(o), *system;
	uint64_t class;
	int err;

	err = otst_read_member(o, type, call, "class", &class);
	if (!err)
		err = otst_read_member_string(o, otst_event_class_type(o), class, "system",
					      MAX_NAME, &system);
	if (err)
		return otst_fail(o, err, "event");
	p->owner.name = otst_format(o, "%s:%s", system, p->target);
	return 0;
}

/* the callback records into a trace array */
static int own_by_file(struct otst *o, struct otst_probe *p, uint64_t file)
{
	const char *type = otst_event_file_type(o), *instance;
	uint64_t call, tr, name;
	int err;

	p->owner.kind = OTST_OWNER_EVENT;
	err = otst_read_member(o, type, file, "event_call", &call);
	err = err ?: own_by_call(o, p, call);
	err = err ?: otst_read_member(o, type, file, "tr", &tr);
	err = err ?: otst_read_member(o, "trace_array", tr, "name", &name);
	if (err)
		return otst_fail(o, err, "file of the callback");
	if (!name)
		return 0;
	err = otst_read_string(o, name, MAX_NAME, &instance);
	if (!err)
		otst_probe_fact(o, p, "instance", instance, 0);
	return err;
}

static int own_by_program(struct otst *o, struct otst_probe *p, uint64_t data)
{
	uint64_t prog = data;
	int err = 0;

	p->owner.kind = OTST_OWNER_BPF;
	/*
	 * Linux d4dfc5700e86 ("bpf: pass whole link instead of prog when
	 * triggering raw tracepoint") (v6.10), which came with the cookie
	 */
	if (otst_has_member(o, "bpf_raw_tp_link", "cookie"))
		err = otst_read_member(o, "bpf_raw_tp_link", data, "link.prog", &prog);
	return err ? otst_fail(o, err, "link of the callback") : otst_bpf_owner(o, prog, p);
}

static int find_tracepoint_owner(struct otst *o, struct otst_probe *p, uint64_t func, uint64_t data)
{
	struct otst_sym sym;
	int err;

	otst_symbolize(o, func, &sym);
	if (has_prefix(sym.name, "trace_event_raw_event_") ||
	    has_prefix(sym.name, "trace_custom_event_raw_event_") ||
	    has_prefix(sym.name, "ftrace_raw_event_"))
		return own_by_file(o, p, data);
	if (has_prefix(sym.name, "perf_trace_")) {
		p->owner.kind = OTST_OWNER_PERF;
		err = own_by_call(o, p, data);
		err = err ?: otst_bpf_on_event(o, otst_event_call_type(o), data, "", p);
		return err ? err : otst_perf_on_event(o, otst_event_call_type(o), data, "", p);
	}
	if (has_prefix(sym.name, "__bpf_trace_"))
		return own_by_program(o, p, data);
	otst_owner_of_code(o, func, &p->owner);
	otst_stap_attach(o, p);
	return 0;
}

/* ---- tracepoints ---- */

static int add_callback(struct listing *list, struct otst_view *tp, const struct sites *sites,
			struct otst_view *func, const char *name, const char *place)
{
	struct otst *o = list->o;
	struct otst_probe *p;
	uint64_t data;
	int err, own_err;

	p = otst_probe_add(o, &list->probes, OTST_PROBE_TRACEPOINT, tp->addr, place);
	p->target = name;
	p->claim = is_on(tp) ? OTST_CLAIM_ARMED : OTST_CLAIM_DISABLED;
	otst_handler_add(o, p, OTST_HANDLER_CALLBACK, otst_u64(func, "func"));
	data = otst_u64(func, "data");
	err = tp->err ? tp->err : func->err;
	err = err ?: judge_sites(o, p, sites);
	if (!err && data) {
		const char *text = otst_format(o, "0x%" PRIx64, data);

		otst_probe_fact(o, p, "data", text, 0);
	}
	/* both came with 7904b5c4988e ("tracepoint: Give priority to probes of tracepoints") (v4.4) */
	if (!err &&
	    (otst_view_has(func, "prio") || otst_has_symbol(o, "tracepoint_probe_register_prio"))) {
		int32_t priority = (int32_t)otst_u64(func, "prio");

		err = func->err;
		if (!err)
			otst_probe_fact(o, p, "priority", NULL, priority);
	}
	own_err = err ? err : find_tracepoint_owner(o, p, otst_u64(func, "func"), data);
	return otst_probe_error(o, p, own_err);
}

/* the kernel turns the key off before it takes the last callback away */
static int add_lost_callbacks(struct listing *list, struct otst_view *tp, const struct sites *sites,
			      const char *name, const char *place)
{
	struct otst_probe *p;
	int err;

	if (!is_on(tp) || is_changing(list->o))
		return 0;
	p = otst_probe_add(list->o, &list->probes, OTST_PROBE_TRACEPOINT, tp->addr, place);
	p->target = name;
	p->claim = OTST_CLAIM_ARMED;
	p->owner.reason = "its list has no callback";
	err = judge_sites(list->o, p, sites);
	p->disagree = "it is on, but its list of callbacks is empty";
	return err;
}

static int add_callbacks(struct listing *list, struct otst_view *tp, uint64_t funcs,
			 const char *place)
{
	uint64_t stub = otst_symbol_or0(list->o, "tp_stub_func"), size, name_at, func;
	const char *name;
	struct otst_view v;
	struct sites sites;
	unsigned int i;
	int err;

	name_at = otst_u64(tp, "name");
	err = tp->err ? tp->err : otst_read_string(list->o, name_at, MAX_NAME, &name);
	err = err ?: otst_type_size(list->o, "tracepoint_func", &size);
	err = err ?: look_at_text(list->o, tp, &sites);
	if (!err && funcs)
		find_stray_call(list->o, tp, funcs, &sites);
	for (i = 0; i < MAX_FUNCS && !err && funcs; i++) {
		err = otst_view_read(list->o, "tracepoint_func", funcs + i * size, &v);
		func = err ? 0 : otst_u64(&v, "func");
		err = err ?: v.err;
		if (err || !func)
			break;
		if (!otst_is_kernel_pointer(list->o, func)) {
			err = otst_raise(list->o, OTST_ERR_CORRUPT,
					 "callback %u at 0x%" PRIx64 " is none", i, func);
			break;
		}
		/* a stub takes the place of a callback that was removed while memory was short */
		if (func != stub)
			err = add_callback(list, tp, &sites, &v, name, place);
	}
	if (!err && !i)
		err = add_lost_callbacks(list, tp, &sites, name, place);
	if (i == MAX_FUNCS)
		err = otst_raise(list->o, OTST_ERR_CORRUPT, "no end after %u callback%s", i,
				 otst_number(i, "", "s"));
	return err ? otst_note(list->o, &list->errors,
			       otst_fail(list->o, err, "tracepoint 0x%" PRIx64, tp->addr)) :
		     0;
}

/* @at: one element of a table of tracepoint_ptr_t */
static uint64_t target_of(const struct otst *o, uint64_t at, const unsigned char *element,
			  bool relative)
{
	uint64_t value = otst_get(o, element, relative ? 4 : 8);

	return relative ? at + (uint64_t)(int64_t)(int32_t)value : value;
}

static int walk_tracepoint_table(struct listing *list, uint64_t at, uint64_t bytes, bool relative,
				 const char *place)
{
	uint64_t size = relative ? 4 : 8, i, funcs;
	struct otst_view v;
	unsigned char *table;
	int err;

	if (bytes / size > MAX_TRACEPOINTS)
		return otst_raise(list->o, OTST_ERR_CORRUPT,
				  "%s: a table of %" PRIu64 " tracepoints", place, bytes / size);
	table = otst_alloc(list->o, bytes + 1);
	err = otst_read(list->o, at, table, bytes);
	if (err)
		return otst_fail(list->o, err, "%s", place);
	for (i = 0; i < bytes / size && !err; i++) {
		err = otst_check(list->o);
		if (!err)
			err = otst_view_read(
				list->o, "tracepoint",
				target_of(list->o, at + i * size, table + i * size, relative), &v);
		funcs = err ? 0 : otst_u64(&v, "funcs");
		if (!err && !v.err && (funcs || is_on(&v)))
			err = add_callbacks(list, &v, funcs, place);
		else
			err = otst_note(list->o, &list->errors, err ? err : v.err);
	}
	return err;
}

static int walk_modules(struct listing *list, bool relative)
{
	struct otst_module *const *m;
	struct otst_view v;
	uint64_t at, count;
	const char *place;
	int err;

	/* a kernel without modules */
	if (!otst_has_symbol(list->o, "modules"))
		return 0;
	err = otst_modules(list->o, &m);
	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : otst_note(list->o, &list->errors, err);
	for (; !err && *m; m++) {
		err = otst_view_read(list->o, "module", (*m)->addr, &v);
		at = err ? 0 : otst_u64(&v, "tracepoints_ptrs");
		count = err ? 0 : otst_u64(&v, "num_tracepoints") & UINT32_MAX;
		place = otst_format(list->o, "tracepoints of module %s", (*m)->name);
		err = err ? err : v.err;
		if (!err && at && count)
			err = walk_tracepoint_table(list, at, count * (relative ? 4 : 8), relative,
						    place);
		err = otst_note(list->o, &list->errors, err);
	}
	return err;
}

/*
 * The tables may hold relative references since v4.19; a typedef,
 * tracepoint_ptr_t, tells. BTF drops the names of qualifiers but keeps its size.
 */
static bool is_relative(struct otst *o, uint64_t first, uint64_t end)
{
	uint64_t value, size;

	if (!otst_type_size(o, "tracepoint_ptr_t", &size))
		return size == 4;
	/* a table of pointers starts with one into the kernel's data */
	return end - first < 8 || otst_read_u64(o, first, &value) ||
	       value >> 47 != otst_kernel(o)->arch->space.text_begin >> 47;
}

int otst_tracepoints(struct otst *o, struct otst_probes *ret)
{
	struct listing list = { .o = o };
	uint64_t first, end;
	bool relative;
	int err;

	err = otst_symbol(o, "__start___tracepoints_ptrs", &first);
	err = err ?: otst_symbol(o, "__stop___tracepoints_ptrs", &end);
	if (err)
		return otst_fail(o, err, "this kernel has no tracepoints");
	if (end < first)
		return otst_raise(o, OTST_ERR_CORRUPT,
				  "the table of tracepoints ends before it starts");
	relative = is_relative(o, first, end);
	err = otst_note(o, &list.errors,
			walk_tracepoint_table(&list, first, end - first, relative,
					      "tracepoints of the kernel"));
	err = err ?: walk_modules(&list, relative);
	*ret = otst_probes_of(&list.probes, &list.errors);
	return err;
}
