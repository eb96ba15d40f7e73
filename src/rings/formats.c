// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formats.c - the list ftrace_events of kernel/trace/trace_events.c: every
 * struct trace_event_call with its fields and its print format, and from them
 * the text of its file events/SYSTEM/NAME/format (f_show() there). Modules'
 * events, those defined at run time and ftrace's own entries are in the same
 * list.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../probes/probes.h"
#include "events.h"

#define MAX_NAME      256
#define MAX_TYPE      512
#define MAX_PRINT_FMT (1u << 20)
#define MAX_FIELDS    1024u
#define MAX_ID	      UINT16_MAX

static const char memo_key;

/* one event: what callers see, and where it was found */
struct event {
	struct otst_event_format pub;
	uint64_t call;
	uint64_t print; /* function that prints a record */
	bool read;
	bool planned;
	struct otst_plan *plan;
};

/*
 * @call: "trace_event_call"; Linux 2425bcb9240f ("tracing: Rename
 * ftrace_event_{call,class} to trace_event_{call,class}") (v4.2)
 */
struct events {
	struct otst *o;
	const char *call;
	const char *class;
	struct otst_vec all; /* of struct event *, then of the public part */
	struct event *by_id[MAX_ID + 1];
	struct otst_vec errors;
	struct otst_vec notes;
	uint64_t common;
	int err;
};

/* ---- the list ---- */

static uint64_t flag(struct otst *o, const char *name)
{
	return (uint64_t)otst_enumerator_or(o, name, 0);
}

static bool is_dynamic(struct otst *o, uint64_t flags, const char *system)
{
	return flags & (flag(o, "TRACE_EVENT_FL_KPROBE") | flag(o, "TRACE_EVENT_FL_UPROBE") |
			flag(o, "TRACE_EVENT_FL_EPROBE") | flag(o, "TRACE_EVENT_FL_FPROBE") |
			flag(o, "TRACE_EVENT_FL_DYNAMIC")) ||
	       !strcmp(system, "synthetic");
}

static int read_names(struct events *e, struct event *ev, struct otst_view *call)
{
	uint64_t flags = otst_u64(call, "flags"), name = otst_u64(call, "name");
	uint64_t class = otst_u64(call, "class"), system;
	struct otst *o = e->o;
	struct otst_view v;
	int err = call->err;

	if (!err)
		err = otst_view_read(o, e->class, class, &v);
	if (err)
		return err;
	system = otst_u64(&v, "system");
	if (v.err)
		return v.err;
	/*
	 * Linux de7b2973903c ("tracepoint: Use struct pointer instead of name hash
	 * for reg/unreg tracepoints") (v3.15)
	 */
	if (flags & flag(o, "TRACE_EVENT_FL_TRACEPOINT"))
		err = otst_read_u64(o, name, &name);
	if (!err)
		err = otst_read_string(o, name, MAX_NAME, &ev->pub.name);
	if (!err)
		err = otst_read_string(o, system, MAX_NAME, &ev->pub.system);
	if (!err)
		ev->pub.dynamic = is_dynamic(o, flags, ev->pub.system);
	return err;
}

static int add_event(struct events *e, uint64_t addr)
{
	struct event *ev = otst_alloc(e->o, sizeof(*ev)), **slot;
	struct otst_view call;
	uint64_t type;
	int err;

	if (!ev)
		return otst_no_memory(e->o);
	err = otst_view_read(e->o, e->call, addr, &call);
	if (err)
		return err;
	type = otst_u64(&call, "event.type");
	err = read_names(e, ev, &call);
	if (err)
		return err;
	if (!type || type > MAX_ID)
		return otst_raise(e->o, OTST_ERR_CORRUPT, "the id of %s:%s is %" PRIu64,
				  ev->pub.system, ev->pub.name, type);
	ev->call = addr;
	ev->pub.id = (uint16_t)type;
	if (e->by_id[type])
		return otst_raise(e->o, OTST_ERR_CORRUPT, "%s:%s has the id of %s:%s",
				  ev->pub.system, ev->pub.name, e->by_id[type]->pub.system,
				  e->by_id[type]->pub.name);
	slot = otst_vec_push(e->o, &e->all, sizeof(*slot));
	if (!slot)
		return otst_no_memory(e->o);
	e->by_id[type] = *slot = ev;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct event *x = *(const struct event *const *)a;
	const struct event *y = *(const struct event *const *)b;

	return (x->pub.id > y->pub.id) - (x->pub.id < y->pub.id);
}

static int read_list(struct events *e)
{
	const struct otst_member *link;
	struct otst *o = e->o;
	struct otst_walk w;
	uint64_t head, node;
	int err;

	err = otst_symbol(o, "ftrace_events", &head);
	if (!err)
		err = otst_member(o, e->call, "list", &link);
	if (err)
		return otst_fail(o, err, "this kernel has no trace events");
	e->common = otst_symbol_or0(o, "ftrace_common_fields");
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		err = add_event(e, node - link->offset);
		if (err)
			err = otst_note(o, &e->errors,
					otst_fail(o, err, "event at 0x%" PRIx64, node));
	}
	if (!err && w.err)
		err = otst_note(o, &e->errors, otst_fail(o, w.err, "ftrace_events"));
	if (err)
		return err;
	if (e->all.count)
		qsort(e->all.data, e->all.count, sizeof(struct event *), by_id);
	return otst_vec_push(o, &e->all, sizeof(struct event *)) ? 0 : otst_no_memory(o);
}

/* the list, read when it was not; NULL when out of memory */
static struct events *get_events(struct otst *o)
{
	struct events **memo = (struct events **)otst_memo(o, &memo_key), *e;

	if (!memo || *memo)
		return memo ? *memo : NULL;
	e = otst_alloc(o, sizeof(*e));
	if (!e) {
		otst_no_memory(o);
		return NULL;
	}
	e->o = o;
	e->call = otst_event_call_type(o);
	e->class = otst_event_class_type(o);
	e->err = read_list(e);
	*memo = e;
	return e;
}

/* ---- fields ---- */

/* of which shape the bytes are; the kernel's own words for it are in the type */
static enum otst_field_kind kind_of(const struct otst_event_field *f)
{
	if (!strncmp(f->type, "__data_loc", strlen("__data_loc")))
		return OTST_FIELD_DATA_LOC;
	if (!strncmp(f->type, "__rel_loc", strlen("__rel_loc")))
		return OTST_FIELD_REL_LOC;
	return strchr(f->type, '[') ? OTST_FIELD_ARRAY : OTST_FIELD_VALUE;
}

/* size of an element of an array, as far as the words of the type say it */
static uint32_t element_of(const struct otst_event_field *f)
{
	static const struct {
		const char *word;
		uint32_t size;
	} sizes[] = {
		{ "long", 8 }, { "u64", 8 },	  { "s64", 8 }, { "int64_t", 8 }, { "size_t", 8 },
		{ "*", 8 },    { "char", 1 },	  { "u8", 1 },	{ "s8", 1 },	  { "int8_t", 1 },
		{ "bool", 1 }, { "short", 2 },	  { "u16", 2 }, { "s16", 2 },	  { "int16_t", 2 },
		{ "be16", 2 }, { "u32", 4 },	  { "s32", 4 }, { "int32_t", 4 }, { "be32", 4 },
		{ "int", 4 },  { "unsigned", 4 },
	};
	unsigned long count = f->len;
	size_t i;

	if (f->kind == OTST_FIELD_VALUE)
		return f->size;
	if (f->kind == OTST_FIELD_ARRAY && !count)
		count = strtoul(strchr(f->type, '[') + 1, NULL, 0);
	if (f->kind == OTST_FIELD_ARRAY && count && f->size % count == 0)
		return f->size / (uint32_t)count;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		if (strstr(f->type, sizes[i].word))
			return sizes[i].size;
	}
	return 1;
}

static int finish_field(struct events *e, struct otst_event_field *f, uint64_t name, uint64_t type)
{
	int err = otst_read_string(e->o, name, MAX_NAME, &f->name);

	if (!err)
		err = otst_read_string(e->o, type, MAX_TYPE, &f->type);
	if (err)
		return err;
	f->kind = kind_of(f);
	f->element = element_of(f);
	return 0;
}

static int read_field(struct events *e, uint64_t addr, struct otst_event_field *f)
{
	struct otst_view v;
	uint64_t name, type;
	int err = otst_view_read(e->o, "ftrace_event_field", addr, &v);

	if (err)
		return err;
	name = otst_u64(&v, "name");
	type = otst_u64(&v, "type");
	f->offset = (uint32_t)otst_u64(&v, "offset");
	f->size = (uint32_t)otst_u64(&v, "size");
	f->is_signed = otst_u64(&v, "is_signed");
	f->len = (uint32_t)otst_u64_or(&v, "len", 0);
	f->filter = (int)otst_u64_or(&v, "filter_type", 0);
	return v.err ? v.err : finish_field(e, f, name, type);
}

/* the kernel puts a new field at the front: the list is read backwards */
static int read_fields(struct events *e, uint64_t head, struct otst_vec *fields)
{
	const struct otst_member *link;
	struct otst_event_field *f;
	struct otst_walk w;
	uint64_t node, last;
	int err = otst_member(e->o, "ftrace_event_field", "link", &link);

	if (!err)
		err = otst_read_u64(e->o, head + 8, &last);
	if (err)
		return err;
	otst_walk_chain(e->o, last, 8, head, &w);
	while (!err && fields->count < MAX_FIELDS && otst_walk_next(&w, &node)) {
		f = otst_vec_push(e->o, fields, sizeof(*f));
		if (!f)
			return otst_no_memory(e->o);
		err = read_field(e, node - link->offset, f);
		/* no half of a field stays */
		fields->count -= err != 0;
	}
	return err ? err : w.err;
}

/*
 * The table that a class was made from, where the list is empty: the kernel
 * fills that when it makes the event's files. Linux 04ae87a52074 ("ftrace:
 * Rework event_create_dir()") (v5.5) gave classes the table.
 */
static int read_table(struct events *e, uint64_t table, struct otst_vec *fields)
{
	struct otst_event_field *f;
	struct otst_view v;
	uint64_t size, at = 8, align, type;
	int err = otst_type_size(e->o, "trace_event_fields", &size);

	/* it starts behind struct trace_entry */
	for (; !err && fields->count < MAX_FIELDS; table += size) {
		err = otst_view_read(e->o, "trace_event_fields", table, &v);
		if (err)
			break;
		type = otst_u64(&v, "type");
		if (!type || v.err)
			return v.err;
		f = otst_vec_push(e->o, fields, sizeof(*f));
		if (!f)
			return otst_no_memory(e->o);
		align = otst_u64(&v, "align");
		at = align && !(align & (align - 1)) ? (at + align - 1) & ~(align - 1) : at;
		f->offset = (uint32_t)at;
		f->size = (uint32_t)otst_u64(&v, "size");
		f->is_signed = otst_u64(&v, "is_signed");
		f->len = (uint32_t)otst_u64_or(&v, "len", 0);
		f->filter = (int)otst_u64_or(&v, "filter_type", 0);
		at += f->size;
		err = v.err ? v.err : finish_field(e, f, otst_u64(&v, "name"), type);
		fields->count -= err != 0;
	}
	return err;
}

/* head of the list of an event's fields: trace_get_fields() */
static int find_fields(struct events *e, const struct event *ev, struct otst_view *class,
		       uint64_t data, uint64_t *ret)
{
	uint64_t get = otst_u64_or(class, "get_fields", 0);
	const struct otst_member *m, *call;
	struct otst *o = e->o;

	if (!get) {
		*ret = otst_addr_of(class, "fields");
		return class->err;
	}
	if (otst_handler_is(o, get, "user_event_get_fields") &&
	    !otst_member(o, "user_event", "fields", &m) &&
	    !otst_member(o, "user_event", "call", &call)) {
		*ret = ev->call - call->offset + m->offset;
		return 0;
	}
	if (!otst_handler_is(o, get, "syscall_get_enter_fields") ||
	    otst_member(o, "syscall_metadata", "enter_fields", &m))
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "its fields are where 0x%" PRIx64 " says", get);
	*ret = data + m->offset;
	return 0;
}

/* ---- text ---- */

/*
 * A print format: of any length, and a few have line ends in them, which are
 * part of the file. Other control characters have no place there.
 */
int otst_print_fmt_read(struct otst *o, uint64_t addr, const char **ret)
{
	size_t len = 0, room = 0, n, i;
	char *s = NULL, *nul = NULL;
	int err;

	while (!nul) {
		/* a page of the dump is there or not */
		n = OTST_PAGE_SIZE - ((addr + len) & (OTST_PAGE_SIZE - 1));
		n = n < 512 ? n : 512;
		if (len + n > MAX_PRINT_FMT)
			return otst_raise(o, OTST_ERR_CORRUPT, "its print format has no end");
		if (len + n >= room) {
			char *more = otst_alloc(o, (room = (room + n) * 2));

			if (!more)
				return otst_no_memory(o);
			s = len ? memcpy(more, s, len) : more;
		}
		err = otst_read(o, addr + len, s + len, n);
		/* a dump may hold no more than the string itself */
		if (err == OTST_ERR_FAULT && n > 1) {
			n = 1;
			err = otst_read(o, addr + len, s + len, n);
		}
		if (err)
			return err;
		nul = memchr(s + len, '\0', n);
		len += n;
	}
	for (i = 0; s[i]; i++) {
		if (((unsigned char)s[i] < ' ' && s[i] != '\n' && s[i] != '\t') ||
		    (unsigned char)s[i] >= 0x7f)
			s[i] = '?';
	}
	*ret = s;
	return 0;
}

/* lines of f_show(); @to has room for them */
static size_t put_field(char *to, const struct otst_event_field *f, bool has_len)
{
	const char *bracket = strchr(f->type, '[');
	int width = (int)strlen(f->type);
	char array[24] = "";

	/*
	 * Linux b6c7abd1c28a ("tracing: Fix TASK_COMM_LEN in trace event format
	 * file") (v6.2): the length is a number, and not what the type says
	 */
	if (bracket && f->kind != OTST_FIELD_DATA_LOC) {
		width = (int)(bracket - f->type);
		if (has_len && f->len)
			snprintf(array, sizeof(array), "[%d]", (int)f->len);
		else
			bracket = has_len ? "[]" : bracket;
	} else {
		bracket = "";
	}
	return (size_t)sprintf(to, "\tfield:%.*s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", width,
			       f->type, f->name, array[0] ? array : bracket, f->offset, f->size,
			       f->is_signed);
}

static int print_text(struct events *e, struct otst_event_format *f)
{
	bool has_len = otst_has_member(e->o, "ftrace_event_field", "len");
	size_t room = 128 + strlen(f->name) + strlen(f->print_fmt), len = 0, i;
	char *text;

	for (i = 0; i < f->nr_fields; i++)
		room += 128 + strlen(f->fields[i].type) * 2 + strlen(f->fields[i].name);
	text = otst_alloc(e->o, room);
	if (!text)
		return otst_no_memory(e->o);
	len += (size_t)sprintf(text, "name: %s\nID: %u\nformat:\n", f->name, f->id);
	for (i = 0; i < f->nr_fields; i++) {
		if (i == f->nr_common)
			text[len++] = '\n';
		len += put_field(text + len, &f->fields[i], has_len);
	}
	if (f->nr_fields == f->nr_common)
		text[len++] = '\n';
	sprintf(text + len, "\nprint fmt: %s\n", f->print_fmt);
	f->text = text;
	return 0;
}

/* the function of struct trace_event_functions that prints records */
static void find_print(struct events *e, struct event *ev, struct otst_view *call)
{
	uint64_t funcs = otst_u64(call, "event.funcs");
	const struct otst_member *m;

	if (call->err || otst_member(e->o, "trace_event_functions", "trace", &m) ||
	    otst_read_u64(e->o, funcs + m->offset, &ev->print))
		return;
	ev->pub.unnamed = !strcmp(ev->pub.system, "syscalls") &&
			  (otst_handler_is(e->o, ev->print, "print_syscall_enter") ||
			   otst_handler_is(e->o, ev->print, "print_syscall_exit"));
}

static int read_format(struct events *e, struct event *ev)
{
	struct otst_event_format *f = &ev->pub;
	struct otst_vec fields = { 0 };
	struct otst_view call, class;
	uint64_t head = 0;
	int err;

	err = otst_view_read(e->o, e->call, ev->call, &call);
	if (err)
		return err;
	find_print(e, ev, &call);
	err = call.err;
	if (!err)
		err = otst_view_read(e->o, e->class, otst_u64(&call, "class"), &class);
	if (!err && e->common)
		err = read_fields(e, e->common, &fields);
	f->nr_common = fields.count;
	if (!err)
		err = find_fields(e, ev, &class, otst_u64(&call, "data"), &head);
	if (!err)
		err = read_fields(e, head, &fields);
	if (!err && fields.count == f->nr_common && otst_view_has(&class, "fields_array"))
		err = read_table(e, otst_u64(&class, "fields_array"), &fields);
	f->fields = fields.data;
	f->nr_fields = fields.count;
	if (!err)
		err = otst_print_fmt_read(e->o, otst_u64(&call, "print_fmt"), &f->print_fmt);
	return err ? err : print_text(e, f);
}

/* the rest of an event, at its first use; what is bad stays its own */
static int complete(struct events *e, struct event *ev)
{
	int err;

	if (ev->read)
		return 0;
	ev->read = true;
	err = read_format(e, ev);
	if (!err)
		return 0;
	ev->pub.error = otst_format(e->o, "format of %s:%s: %s", ev->pub.system, ev->pub.name,
				    otst_message(e->o));
	if (!ev->pub.error)
		return otst_no_memory(e->o);
	return otst_fatal(err) ? err : otst_notes(e->o, &e->errors, &ev->pub.error, 1);
}

static int make_plan(struct events *e, struct event *ev)
{
	struct otst_view call;
	struct otst_plan *plan = otst_alloc(e->o, sizeof(*plan));
	int err;

	if (!plan)
		return otst_no_memory(e->o);
	err = otst_view_read(e->o, e->call, ev->call, &call);
	if (!err)
		err = otst_plan_make(e->o, &ev->pub, ev->call, otst_u64(&call, "data"), ev->print,
				     plan);
	if (!err)
		ev->plan = plan;
	return err;
}

int otst_event_plan(struct otst *o, const struct otst_event_format *f, const struct otst_plan **ret)
{
	struct events *e = get_events(o);
	struct event *ev = e ? e->by_id[f->id] : NULL;
	int err = 0;

	*ret = NULL;
	if (!e)
		return OTST_ERR_NOMEM;
	if (!ev || !f->text)
		return 0;
	if (!ev->planned) {
		ev->planned = true;
		err = make_plan(e, ev);
		/* what was read and is not understood is no damage */
		if (err)
			err = otst_note(o, err == OTST_ERR_UNSUPPORTED ? &e->notes : &e->errors,
					otst_fail(o, err, "%s:%s is printed as raw fields",
						  f->system, f->name));
	}
	*ret = ev->plan;
	return err;
}

const struct otst_event_format *otst_event_names(struct otst *o, uint16_t id)
{
	struct events *e = get_events(o);

	return e && e->by_id[id] ? &e->by_id[id]->pub : NULL;
}

const struct otst_event_format *otst_event_format(struct otst *o, uint16_t id)
{
	const struct otst_event_format *f = otst_event_names(o, id);

	return f && !complete(get_events(o), get_events(o)->by_id[id]) ? f : NULL;
}

int otst_event_formats(struct otst *o, const struct otst_event_format *const **ret)
{
	struct events *e = get_events(o);
	struct event **all;
	int err = e ? e->err : OTST_ERR_NOMEM;

	if (err)
		return err;
	for (all = e->all.data; !err && *all; all++)
		err = complete(e, *all);
	/* the public part comes first in it */
	if (!err)
		*ret = (const struct otst_event_format *const *)e->all.data;
	return err;
}

static const struct otst_vec none;

/* no list is read for these: when nothing asked for an event, nothing is wrong with them */
static const struct events *known_events(struct otst *o)
{
	struct events **memo = (struct events **)otst_memo(o, &memo_key);

	return memo ? *memo : NULL;
}

const struct otst_vec *otst_event_errors(struct otst *o)
{
	const struct events *e = known_events(o);

	return e ? &e->errors : &none;
}

const struct otst_vec *otst_event_notes(struct otst *o)
{
	const struct events *e = known_events(o);

	return e ? &e->notes : &none;
}
