// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracefs.c - the table of files whose text can be told from a dump, what each
 * shows (kernel/trace/trace.c, trace_events.c), and their paths.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs.h"

#define MAX_CLOCKS  64
#define CLOCK_SIZE  24 /* of an element of trace_clocks[], a structure without a name */
#define CLOCK_NAME  8
#define MAX_NAME    256
#define MAX_STRING  4096
#define CALL_COLUMN 32 /* get_call_len() */

int otst_line(struct otst_file_text *l, const char *fmt, ...)
{
	const char **slot = otst_vec_push(l->o, &l->items, sizeof(*slot));
	char buf[1024], *s = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, sizeof(buf), fmt, args);
	va_end(args);
	if (slot && len >= 0)
		s = otst_alloc(l->o, (size_t)len + 1);
	if (!s)
		return otst_no_memory(l->o);
	va_start(args, fmt);
	vsnprintf(s, (size_t)len + 1, fmt, args);
	va_end(args);
	*slot = s;
	return 0;
}

const char *otst_join(struct otst *o, const char *text, const char *fmt, ...)
{
	size_t before = text ? strlen(text) : 0;
	va_list args;
	char *s;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	s = text && len >= 0 ? otst_alloc(o, before + (size_t)len + 1) : NULL;
	if (!s)
		return NULL;
	memcpy(s, text, before);
	va_start(args, fmt);
	vsnprintf(s + before, (size_t)len + 1, fmt, args);
	va_end(args);
	return s;
}

/* ---- switches and sizes ---- */

static int show_tracing_on(struct otst_array_view *a)
{
	return otst_line(a->out, "%d", a->array->tracing_on);
}

static int show_current_tracer(struct otst_array_view *a)
{
	if (!a->array->tracer)
		return otst_raise(a->o, OTST_ERR_FAULT, "current tracer unknown");
	return otst_line(a->out, "%s", a->array->tracer);
}

static int show_trace_options(struct otst_array_view *a)
{
	const char *const *s = a->array->options;
	int err = 0;

	for (; s && *s && !err; s++)
		err = otst_line(a->out, "%s", *s);
	return err;
}

/* tracing_clock_show(); where the table ends nothing says but what stands behind it */
static int show_trace_clock(struct otst_array_view *a)
{
	uint64_t clocks = otst_symbol_or0(a->o, "trace_clocks"), func, at, i, n = MAX_CLOCKS;
	const char *name, *s = "";
	struct otst_sym sym;

	if (!clocks)
		return otst_raise(a->o, OTST_ERR_LOOKUP, "no trace_clocks in this kernel");
	otst_symbolize(a->o, clocks, &sym);
	if (sym.addr == clocks && sym.size / CLOCK_SIZE < n)
		n = sym.size / CLOCK_SIZE;
	for (i = 0; i < n; i++) {
		uint64_t entry = clocks + i * CLOCK_SIZE;
		bool chosen = i == otst_u64(&a->v, "clock_id");

		if (otst_read_u64(a->o, entry, &func) || !otst_is_text(a->o, func) ||
		    otst_read_u64(a->o, entry + CLOCK_NAME, &at) ||
		    otst_read_string(a->o, at, MAX_NAME, &name))
			break;
		s = otst_join(a->o, s, "%s%s%s%s", i ? " " : "", chosen ? "[" : "", name,
			      chosen ? "]" : "");
	}
	return s ? otst_line(a->out, "%s", s) : otst_no_memory(a->o);
}

/* buffers are made large when tracing is first used; @size is what they then get */
static bool is_expanded(struct otst_array_view *a, uint64_t *size)
{
	uint64_t at = otst_symbol_or0(a->o, "trace_buf_size");
	uint8_t expanded = 1;

	if (otst_view_has(&a->v, "ring_buffer_expanded"))
		expanded = (uint8_t)otst_u64(&a->v, "ring_buffer_expanded");
	else if (otst_has_symbol(a->o, "ring_buffer_expanded"))
		otst_read_u8(a->o, otst_symbol_or0(a->o, "ring_buffer_expanded"), &expanded);
	return expanded || !at || otst_read_u64(a->o, at, size);
}

static int show_buffer_size(struct otst_array_view *a)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	uint64_t size = 0, large;
	size_t i;

	for (i = 0; i < b->nr_cpus; i++) {
		if (!size)
			size = b->cpus[i].size;
		if (size != b->cpus[i].size)
			return otst_line(a->out, "X");
	}
	if (is_expanded(a, &large))
		return otst_line(a->out, "%" PRIu64, size >> 10);
	return otst_line(a->out, "%" PRIu64 " (expanded: %" PRIu64 ")", size >> 10, large >> 10);
}

static int show_buffer_total(struct otst_array_view *a)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	uint64_t size = 0, large;
	size_t i;

	for (i = 0; i < b->nr_cpus; i++)
		size += b->cpus[i].size >> 10;
	if (is_expanded(a, &large))
		return otst_line(a->out, "%" PRIu64, size);
	return otst_line(a->out, "%" PRIu64 " (expanded: %" PRIu64 ")", size,
			 b->nr_cpus * (large >> 10));
}

static int show_subbuf_size(struct otst_array_view *a)
{
	const char *ring = otst_has_type(a->o, "array_buffer") ? "trace_buffer" : "ring_buffer";

	if (!otst_has_member(a->o, ring, "subbuf_order"))
		return otst_raise(a->o, OTST_ERR_LOOKUP,
				  "sub-buffers of this kernel have one size only");
	return otst_line(a->out, "%" PRIu64, a->array->buffer.subbuf_size / 1024);
}

/* a bitmap as the kernel's %*pb prints it: words of 32 bits, the highest first */
static int show_cpumask(struct otst_array_view *a)
{
	unsigned int nr = otst_kernel(a->o)->nr_cpus, word = (nr + 31) / 32, digits;
	const struct otst_member *m;
	const char *s = "";
	uint32_t v, known = nr % 32 ? (UINT32_C(1) << nr % 32) - 1 : UINT32_MAX;
	uint64_t at;
	int err;

	err = otst_member(a->o, "trace_array", "tracing_cpumask", &m);
	if (err)
		return err;
	at = a->array->addr + m->offset;
	/* cpumask_var_t is a pointer with CONFIG_CPUMASK_OFFSTACK */
	if (m->kind == OTST_KIND_POINTER)
		err = otst_read_u64(a->o, at, &at);
	digits = nr % 32 ? (nr % 32 + 3) / 4 : 8;
	while (!err && word--) {
		err = otst_read_u32(a->o, at + word * 4, &v);
		if (!err)
			s = otst_join(a->o, s, "%0*" PRIx32 "%s", (int)digits, v & known,
				      word ? "," : "");
		digits = 8;
		known = UINT32_MAX;
	}
	return err ? err : otst_line(a->out, "%s", s ? s : "?");
}

/* ---- events ---- */

static int missing_events(struct otst_array_view *a, const struct otst_event_files *files)
{
	return otst_notes(a->o, &a->out->errors, files->errors.data, files->errors.count);
}

/* Linux b355247df104 ("tracing: Cache ":mod:" events for modules not loaded yet"), behind v6.12 */
static int show_module_event(struct otst_array_view *a, uint64_t at)
{
	static const char *const members[] = { "match", "module", "system", "event" };
	const char *s[4] = { NULL, "?", "*", "*" };
	struct otst_view v;
	size_t i;
	int err;

	err = otst_view_read(a->o, "event_mod_load", at, &v);
	for (i = 0; !err && i < 4; i++) {
		uint64_t text = otst_u64(&v, members[i]);

		if (text)
			err = otst_read_string(a->o, text, MAX_NAME, &s[i]);
	}
	if (err)
		return err;
	return s[0] ? otst_line(a->out, "%s:mod:%s", s[0], s[1]) :
		      otst_line(a->out, "%s:%s:mod:%s", s[2], s[3], s[1]);
}

static int show_set_event(struct otst_array_view *a)
{
	const struct otst_event_files *files;
	const struct otst_member *link;
	struct otst_walk w;
	uint64_t node;
	size_t i;
	int err;

	err = otst_event_files(a->o, a->array, &files);
	for (i = 0; !err && i < files->count; i++) {
		if (files->items[i].enabled && files->items[i].name)
			err = otst_line(a->out, "%s:%s", files->items[i].system,
					files->items[i].name);
	}
	if (!err)
		err = missing_events(a, files);
	if (err || !otst_view_has(&a->v, "mod_events") ||
	    otst_member(a->o, "event_mod_load", "list", &link))
		return err;
	otst_walk_list(a->o, otst_addr_of(&a->v, "mod_events"), &w);
	while (!err && otst_walk_next(&w, &node))
		err = show_module_event(a, node - link->offset);
	return err ? err : w.err;
}

/* "sched:sched_switch" and blanks up to the column where what it has begins */
static const char *call_column(struct otst *o, const struct otst_event_file *e)
{
	size_t len = strlen(e->system) + 1 + strlen(e->name);

	return otst_format(o, "%s:%s%*s", e->system, e->name,
			   len >= CALL_COLUMN ? 1 : (int)(CALL_COLUMN - len), "");
}

static int show_event_filters(struct otst_array_view *a)
{
	const struct otst_event_files *files;
	size_t i;
	int err;

	err = otst_event_files(a->o, a->array, &files);
	for (i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];

		if (e->filter && e->name && e->can_enable)
			err = otst_line(a->out, "%s%s", call_column(a->o, e), e->filter);
	}
	return err ? err : missing_events(a, files);
}

static int show_event_triggers(struct otst_array_view *a)
{
	const struct otst_event_files *files;
	size_t i, k;
	int err;

	err = otst_event_files(a->o, a->array, &files);
	for (i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];
		struct otst_vec triggers = { 0 };
		const struct otst_trigger *t;

		if (!e->name)
			continue;
		err = otst_triggers(a->o, e, &triggers, &a->out->errors);
		for (k = 0, t = triggers.data; !err && k < triggers.count; k++, t++) {
			if (t->text)
				err = otst_line(a->out, "%s%s", call_column(a->o, e), t->text);
		}
	}
	return err ? err : missing_events(a, files);
}

/* system_enable_read() */
static int show_system_enable(struct otst_array_view *a, const char *system)
{
	const struct otst_event_files *files;
	unsigned int set = 0;
	size_t i;
	int err;

	err = otst_event_files(a->o, a->array, &files);
	for (i = 0; !err && i < files->count; i++) {
		const struct otst_event_file *e = &files->items[i];

		if (e->name && e->can_enable && (!system || !strcmp(e->system, system)))
			set |= e->enabled ? 2 : 1;
	}
	return err ? err : otst_line(a->out, "%c", "?01X"[set]);
}

static int show_events_enable(struct otst_array_view *a)
{
	return show_system_enable(a, NULL);
}

/* ---- the files of an array itself ---- */

struct file {
	const char *name;
	bool top; /* only the top array has it */
	otst_array_file_fn *show;
};

static const struct file files[] = {
	{ "tracing_on", false, show_tracing_on },
	{ "current_tracer", false, show_current_tracer },
	{ "trace_options", false, show_trace_options },
	{ "trace_clock", false, show_trace_clock },
	{ "buffer_size_kb", false, show_buffer_size },
	{ "buffer_total_size_kb", false, show_buffer_total },
	{ "buffer_subbuf_size_kb", false, show_subbuf_size },
	{ "tracing_cpumask", false, show_cpumask },
	{ "set_ftrace_filter", false, otst_file_ftrace_filter },
	{ "set_ftrace_notrace", false, otst_file_ftrace_notrace },
	{ "set_graph_function", true, otst_file_graph_function },
	{ "set_graph_notrace", true, otst_file_graph_notrace },
	{ "stack_trace_filter", true, otst_file_stack_trace_filter },
	{ "set_ftrace_pid", false, otst_file_ftrace_pid },
	{ "set_ftrace_notrace_pid", false, otst_file_ftrace_notrace_pid },
	{ "set_event_pid", false, otst_file_event_pid },
	{ "set_event_notrace_pid", false, otst_file_event_notrace_pid },
	{ "set_event", false, show_set_event },
	{ "show_event_filters", false, show_event_filters },
	{ "show_event_triggers", false, show_event_triggers },
	{ "events/enable", false, show_events_enable },
};

#define FILES (sizeof(files) / sizeof(*files))

/* ---- per_cpu/cpuN/ ---- */

/*
 * rb_set_head_page(): the oldest sub-buffer is the one that the one before it
 * points to with a flag in the pointer; head_page is only a hint.
 */
static int find_head(struct otst *o, struct otst_view *cpu, uint64_t nr_pages, uint64_t *ret)
{
	uint64_t page = otst_u64(cpu, "head_page"), i, prev, next;
	const struct otst_member *list;
	int err;

	err = otst_member(o, "buffer_page", "list", &list);
	for (i = 0; !err && i <= nr_pages; i++) {
		err = otst_read_u64(o, page + list->offset + 8, &prev);
		if (!err)
			err = otst_read_u64(o, prev, &next);
		if (!err && next & 3) {
			*ret = page;
			return 0;
		}
		if (!err)
			err = otst_read_u64(o, page + list->offset, &next);
		page = (next & ~UINT64_C(3)) - list->offset;
	}
	return err ? err : otst_raise(o, OTST_ERR_CORRUPT, "no head page");
}

/* ring_buffer_oldest_event_ts() */
static int oldest_event(struct otst *o, const struct otst_cpu_buffer *c, uint64_t *ret)
{
	uint64_t page, reader;
	struct otst_view cpu, bpage, data;
	int err;

	err = otst_view_read(o, "ring_buffer_per_cpu", c->addr, &cpu);
	if (err)
		return err;
	page = reader = otst_u64(&cpu, "reader_page");
	if (otst_u64(&cpu, "tail_page") != reader)
		err = find_head(o, &cpu, c->nr_pages, &page);
	if (!err)
		err = otst_view_read(o, "buffer_page", page, &bpage);
	if (!err)
		err = otst_view_read(o, "buffer_data_page", otst_u64(&bpage, "page"), &data);
	if (err)
		return err;
	*ret = otst_u64(&data, "time_stamp");
	return data.err ? data.err : cpu.err;
}

/* tracing_stats_read(); the time at which it would be read is no part of a dump */
static int show_stats(struct otst_array_view *a, const struct otst_cpu_buffer *c)
{
	uint64_t oldest = 0, us;
	int err = 0, none;

	none = c->error ? otst_raise(a->o, OTST_ERR_FAULT, "%s", c->error) :
			  oldest_event(a->o, c, &oldest);
	if (c->error || (none && otst_fatal(none)))
		return none;
	if (none && none != OTST_ERR_LOOKUP)
		err = otst_note(a->o, &a->out->errors, none);
	/* ns2usecs() */
	us = (oldest + 500) / 1000;
	if (!err)
		err = otst_line(a->out, "entries: %" PRId64, (int64_t)c->entries);
	if (!err)
		err = otst_line(a->out, "overrun: %" PRId64, (int64_t)c->overrun);
	if (!err)
		err = otst_line(a->out, "commit overrun: %" PRId64, (int64_t)c->commit_overrun);
	if (!err)
		err = otst_line(a->out, "bytes: %" PRId64, (int64_t)c->bytes);
	if (!err && a->array->clock_in_ns && !none)
		err = otst_line(a->out, "oldest event ts: %5" PRIu64 ".%06" PRIu64, us / 1000000,
				us % 1000000);
	else if (!err)
		err = none ? otst_line(a->out, "oldest event ts: ?") :
			     otst_line(a->out, "oldest event ts: %" PRIu64, oldest);
	if (!err)
		err = otst_line(a->out, "now ts: ?");
	if (!err)
		err = otst_line(a->out, "dropped events: %" PRId64, (int64_t)c->dropped);
	if (!err)
		err = otst_line(a->out, "read events: %" PRId64, (int64_t)c->read);
	return err;
}

/* ---- paths ---- */

static int unknown(struct otst *o, const char *path)
{
	return otst_raise(o, OTST_ERR_USAGE, "otst does not know the file %s; -T help lists them",
			  otst_clean(o, path));
}

/* "per_cpu/cpu0/stats": @rest is what follows "per_cpu/cpu" */
static int read_percpu_file(struct otst_array_view *a, const char *path, const char *rest)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	unsigned long cpu;
	char *end;
	size_t i;

	cpu = strtoul(rest, &end, 10);
	if (!isdigit((unsigned char)*rest) || *end != '/')
		return unknown(a->o, path);
	for (i = 0; i < b->nr_cpus && b->cpus[i].cpu != cpu; i++)
		;
	if (i == b->nr_cpus)
		return otst_raise(a->o, OTST_ERR_USAGE, "cpu %lu has no buffer there", cpu);
	if (!strcmp(end, "/stats"))
		return show_stats(a, &b->cpus[i]);
	if (!strcmp(end, "/buffer_size_kb"))
		return otst_line(a->out, "%" PRIu64, b->cpus[i].size >> 10);
	return unknown(a->o, path);
}

/* trigger_show() with no trigger */
static int show_available_triggers(struct otst_array_view *a)
{
	uint64_t head, node, text;
	const struct otst_member *link, *name;
	struct otst_vec names = { 0 };
	const char **slot, *s = "#";
	struct otst_walk w;
	size_t i;
	int err;

	err = otst_symbol(a->o, "trigger_commands", &head);
	if (!err)
		err = otst_member(a->o, "event_command", "list", &link);
	if (!err)
		err = otst_member(a->o, "event_command", "name", &name);
	if (err)
		return err;
	otst_walk_list(a->o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		slot = otst_vec_push(a->o, &names, sizeof(*slot));
		if (!slot)
			return otst_no_memory(a->o);
		*slot = "?";
		err = otst_read_u64(a->o, node - link->offset + name->offset, &text);
		if (!err)
			err = otst_read_string(a->o, text, MAX_NAME, slot);
	}
	for (i = names.count; i--;)
		s = otst_join(a->o, s, " %s", ((const char **)names.data)[i]);
	if (!err)
		err = otst_line(a->out, "# Available triggers:");
	return err ? err : otst_line(a->out, "%s", s ? s : "?");
}

static int show_triggers(struct otst_array_view *a, const struct otst_event_file *e)
{
	struct otst_vec triggers = { 0 };
	const struct otst_trigger *t;
	size_t i;
	int err;

	if (!e->has_triggers)
		return show_available_triggers(a);
	err = otst_triggers(a->o, e, &triggers, &a->out->errors);
	for (i = 0, t = triggers.data; !err && i < triggers.count; i++, t++) {
		if (t->text)
			err = otst_line(a->out, "%s", t->text);
	}
	return err;
}

static int read_event_file(struct otst_array_view *a, const struct otst_event_file *e,
			   const char *path, const char *file)
{
	if (e->error)
		return otst_raise(a->o, OTST_ERR_FAULT, "%s", e->error);
	if (!strcmp(file, "enable"))
		return otst_line(a->out, "%c%s", e->enabled && !e->soft_disabled ? '1' : '0',
				 e->soft_disabled || e->soft_mode ? "*" : "");
	if (!strcmp(file, "filter"))
		return otst_line(a->out, "%s", e->filter ? e->filter : "none");
	if (!strcmp(file, "trigger"))
		return show_triggers(a, e);
	if (!strcmp(file, "id"))
		return otst_line(a->out, "%" PRIu64, e->id);
	return unknown(a->o, path);
}

/* print_subsystem_event_filter() */
static int show_system_filter(struct otst_array_view *a, const char *system)
{
	static const char *const none[] = {
		"### global filter ###", "# Use this to set filters for multiple events.",
		"# Only events with the given fields will be affected.",
		"# If no events are modified, an error message will be displayed here"
	};
	const struct otst_member *link;
	struct otst_view dir, sub, filter;
	uint64_t node, text = 0;
	struct otst_walk w;
	const char *s;
	size_t i;
	int err;

	/* struct trace_subsystem_dir; ftrace_subsystem_dir before 4.2 */
	err = otst_member(a->o, "trace_subsystem_dir", "list", &link);
	if (err)
		return err;
	otst_walk_list(a->o, otst_addr_of(&a->v, "systems"), &w);
	while (otst_walk_next(&w, &node)) {
		if (otst_view_read(a->o, "trace_subsystem_dir", node - link->offset, &dir) ||
		    otst_view_read(a->o, "event_subsystem", otst_u64(&dir, "subsystem"), &sub) ||
		    otst_read_string(a->o, otst_u64(&sub, "name"), MAX_NAME, &s) ||
		    strcmp(s, system))
			continue;
		if (otst_u64(&sub, "filter"))
			err = otst_view_read(a->o, "event_filter", otst_u64(&sub, "filter"),
					     &filter);
		if (!err && otst_u64(&sub, "filter"))
			text = otst_u64(&filter, "filter_string");
		if (!err && text)
			err = otst_read_string(a->o, text, MAX_STRING, &s);
		if (!err && text)
			return otst_line(a->out, "%s", s);
		for (i = 0; !err && i < sizeof(none) / sizeof(*none); i++)
			err = otst_line(a->out, "%s", none[i]);
		return err;
	}
	return w.err ? w.err : otst_raise(a->o, OTST_ERR_USAGE, "no events of a system %s", system);
}

/* "events/sched/enable", "events/sched/sched_switch/trigger": @rest is what follows "events/" */
static int read_events_path(struct otst_array_view *a, const char *path, const char *rest)
{
	const struct otst_event_files *all;
	char *system = otst_strdup(a->o, rest), *name, *file;
	size_t i;
	int err;

	if (!system)
		return otst_no_memory(a->o);
	name = strchr(system, '/');
	if (!name)
		return unknown(a->o, path);
	*name++ = '\0';
	file = strchr(name, '/');
	if (!file && !strcmp(name, "enable"))
		return show_system_enable(a, system);
	if (!file && !strcmp(name, "filter"))
		return show_system_filter(a, system);
	if (!file)
		return unknown(a->o, path);
	*file++ = '\0';
	err = otst_event_files(a->o, a->array, &all);
	for (i = 0; !err && i < all->count; i++) {
		const struct otst_event_file *e = &all->items[i];

		if (e->system && e->name && !strcmp(e->system, system) && !strcmp(e->name, name))
			return read_event_file(a, e, path, file);
	}
	return err ? err :
		     otst_raise(a->o, OTST_ERR_USAGE, "no event %s:%s there",
				otst_clean(a->o, system), otst_clean(a->o, name));
}

int otst_tracefs_find(struct otst *o, const struct otst_tracing *t, const char *path,
		      struct otst_tracefs_file *ret)
{
	static const char *const tops[] = { "/sys/kernel/tracing/", "/sys/kernel/debug/tracing/" };
	const char *name = NULL;
	size_t i, len = 0;

	for (i = 0; i < 2; i++) {
		if (!strncmp(path, tops[i], strlen(tops[i])))
			path += strlen(tops[i]);
	}
	if (!strncmp(path, "instances/", 10)) {
		name = path + 10;
		len = strcspn(name, "/");
		path = name + len + (name[len] == '/');
	}
	for (i = 0; i < t->nr_arrays; i++) {
		const struct otst_trace_array *a = t->arrays[i];

		if (name ? !a->name || strlen(a->name) != len || strncmp(a->name, name, len) :
			   a->name != NULL)
			continue;
		*ret = (struct otst_tracefs_file){ .path = path, .array = a, .text.o = o };
		return 0;
	}
	return otst_raise(o, OTST_ERR_USAGE, "no instance %.*s", (int)len,
			  name ? otst_clean(o, name) : "");
}

static int read_file(struct otst_array_view *a, const char *path)
{
	size_t i;

	if (!strncmp(path, "per_cpu/cpu", 11))
		return read_percpu_file(a, path, path + 11);
	for (i = 0; i < FILES; i++) {
		if (!strcmp(path, files[i].name) && !(files[i].top && a->array->name))
			return files[i].show(a);
	}
	if (!strncmp(path, "events/", 7))
		return read_events_path(a, path, path + 7);
	return unknown(a->o, path);
}

int otst_tracefs_read(struct otst *o, bool all, struct otst_tracefs_file *f)
{
	struct otst_array_view a = { .o = o, .array = f->array, .all = all, .out = &f->text };
	int err;

	err = otst_view_read(o, "trace_array", f->array->addr, &a.v);
	if (!err)
		err = read_file(&a, f->path);
	return err ? err : a.v.err;
}

const char *otst_tracefs_name(size_t i)
{
	static const char *const more[] = {
		"per_cpu/cpuN/stats",	       "per_cpu/cpuN/buffer_size_kb",
		"events/SYSTEM/enable",	       "events/SYSTEM/filter",
		"events/SYSTEM/EVENT/enable",  "events/SYSTEM/EVENT/filter",
		"events/SYSTEM/EVENT/trigger", "events/SYSTEM/EVENT/id",
	};

	if (i < FILES)
		return files[i].name;
	i -= FILES;
	return i < sizeof(more) / sizeof(*more) ? more[i] : NULL;
}

/* ---- all of an array ---- */

struct each {
	struct otst *o;
	const struct otst_trace_array *array;
	int (*each)(void *priv, const struct otst_tracefs_file *f);
	void *priv;
};

/* a file that this kernel has not is left out; one that cannot be read says why */
static int hand_out(struct each *e, const char *path)
{
	struct otst_tracefs_file f = { .path = path, .array = e->array, .text.o = e->o };
	int err;

	if (!path)
		return otst_no_memory(e->o);
	err = otst_tracefs_read(e->o, true, &f);
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (err)
		err = otst_note(e->o, &f.text.errors, err);
	return err ? err : e->each(e->priv, &f);
}

int otst_tracefs_each(struct otst *o, const struct otst_trace_array *a,
		      int (*each)(void *priv, const struct otst_tracefs_file *f), void *priv)
{
	struct each e = { o, a, each, priv };
	size_t i;
	int err = 0;

	for (i = 0; i < FILES && !err; i++) {
		if (!files[i].top || !a->name)
			err = hand_out(&e, files[i].name);
	}
	for (i = 0; i < a->buffer.nr_cpus && !err; i++) {
		err = hand_out(&e, otst_format(o, "per_cpu/cpu%u/stats", a->buffer.cpus[i].cpu));
		if (!err)
			err = otst_check(o);
	}
	return err;
}
