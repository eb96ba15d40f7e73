// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * probe.c - events that the kernel prints with functions of its own, told
 * by struct trace_event_functions: kprobe, uprobe, fprobe and event probes
 * (print_*_event() of trace_kprobe.c, trace_uprobe.c, trace_fprobe.c,
 * trace_eprobe.c), synthetic events (trace_events_synth.c), system calls.
 * Where their print formats, made for other readers, say the same in other
 * words, they are the base. All other events are printed by their print format.
 */
#include <string.h>

#include "plan.h"

#define MAX_NAME      256
#define MAX_GFP_NAMES 64u

/* ---- probes ---- */

/* "%s" in quotes becomes one conversion: a string that could not be fetched has no quotes */
static void join_quotes(struct otst_plan *plan)
{
	for (size_t i = 0; i + 1 < plan->nr_steps; i++) {
		struct otst_step *s = &plan->steps[i], *next = s + 1;

		if (s->spec.conversion != 's' || !s->len || s->text[s->len - 1] != '"' ||
		    !next->len || next->text[0] != '"')
			continue;
		s->len--;
		s->spec.conversion = OTST_SPEC_QUOTED;
		next->text++;
		next->len--;
	}
}

/* add a last step without a conversion, for the text after the last one */
static int end_with_text(struct otst *o, struct otst_plan *plan)
{
	struct otst_step *steps;

	if (plan->nr_steps && !plan->steps[plan->nr_steps - 1].spec.conversion)
		return 0;
	steps = otst_alloc(o, (plan->nr_steps + 1) * sizeof(*steps));
	if (!steps)
		return otst_no_memory(o);
	if (plan->nr_steps)
		memcpy(steps, plan->steps, plan->nr_steps * sizeof(*steps));
	steps[plan->nr_steps++].text = "";
	plan->steps = steps;
	return 0;
}

/* (place) or (return place <- function); the print format has these two in the opposite order */
static int plan_probe(struct otst *o, const struct otst_event_format *f, bool is_user,
		      struct otst_plan *plan)
{
	struct otst_step *s;
	const struct otst_expr *arg;
	bool returns;
	int err = otst_plan_parse(o, f, f->print_fmt, plan);

	err = err ?: end_with_text(o, plan);
	if (err)
		return err;
	s = plan->steps;
	returns = plan->nr_steps > 2 && s[1].len == strlen(" <- ") &&
		  !memcmp(s[1].text, " <- ", s[1].len);
	if (s[0].len != 1 || s[0].text[0] != '(' || s[0].spec.conversion != 'x')
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "the print format of a probe: %.40s",
				  f->print_fmt);
	if (returns) {
		arg = s[0].arg;
		s[0].arg = s[1].arg;
		s[1].arg = arg;
	}
	if (is_user) {
		s[0].spec.special = true;
		s[1].spec.special |= returns;
	} else {
		s[0].spec.conversion = OTST_SPEC_PLACE;
		if (returns)
			s[1].spec.conversion = OTST_SPEC_FUNCTION;
	}
	join_quotes(plan);
	return 0;
}

/* the event that an event probe is attached to, as text */
static int read_probed_event(struct otst *o, uint64_t call, const char **ret)
{
	const struct otst_member *in_event, *list, *probe;
	uint64_t first, system, name;
	const char *s, *n;
	struct otst_view v;
	int err = otst_member(o, "trace_probe_event", "call", &in_event);

	err = err ?: otst_member(o, "trace_probe", "list", &list);
	err = err ?: otst_member(o, "trace_eprobe", "tp", &probe);
	if (err)
		return err;
	err = otst_view_read(o, "trace_probe_event", call - in_event->offset, &v);
	err = err ?: otst_read_u64(o, otst_addr_of(&v, "probes"), &first);
	err = err ?: otst_view_read(o, "trace_eprobe", first - list->offset - probe->offset, &v);
	if (err)
		return err;
	system = otst_u64(&v, "event_system");
	name = otst_u64(&v, "event_name");
	err = v.err ? v.err : otst_read_string(o, system, MAX_NAME, &s);
	err = err ?: otst_read_string(o, name, MAX_NAME, &n);
	if (err)
		return err;
	*ret = otst_format(o, "(%s.%s)", s, n);
	return 0;
}

/*
 * Up to 5.18 the print format begins with the number of the probed event, "(%u)", which
 * print_eprobe_event() prints as a name.
 */
static void drop_number(struct otst_plan *plan)
{
	struct otst_step *s = plan->steps;

	if (plan->nr_steps < 2 || s[0].len != 1 || s[0].text[0] != '(' ||
	    s[0].spec.conversion != 'u' || !s[1].len || s[1].text[0] != ')')
		return;
	s[1].text++;
	s[1].len--;
	plan->steps++;
	plan->nr_steps--;
}

static int plan_event_probe(struct otst *o, const struct otst_event_format *f, uint64_t call,
			    struct otst_plan *plan)
{
	const char *event, *fmt;
	char *text;
	size_t len;
	int err = otst_plan_parse(o, f, f->print_fmt, plan);

	err = err ?: end_with_text(o, plan);
	err = err ?: read_probed_event(o, call, &event);
	if (err)
		return err;
	join_quotes(plan);
	drop_number(plan);
	fmt = plan->steps[0].text;
	len = strlen(event);
	text = otst_alloc(o, len + plan->steps[0].len + 1);
	if (!text)
		return otst_no_memory(o);
	memcpy(text, event, len);
	memcpy(text + len, fmt, plan->steps[0].len);
	plan->steps[0].text = text;
	plan->steps[0].len += (uint32_t)len;
	return 0;
}

/* ---- synthetic events ---- */

/*
 * synth_field_fmt() of kernel/trace/trace_events_synth.c: the format of a field, which the
 * kernel writes into the print format as well, "lat=%llu, comm=%s", from 7.2 without commas;
 * "" when it is not there
 */
static const char *synth_format(struct otst *o, const struct otst_event_format *f,
				const struct otst_event_field *field)
{
	const char *name = otst_format(o, "%s=%%", field->name), *s = f->print_fmt;
	size_t n = strlen(name);

	/* without memory there is nothing to look for */
	for (s = n ? strstr(s, name) : NULL; s; s = strstr(s + 1, name)) {
		const char *format = s + n - 1;

		if (s > f->print_fmt && (s[-1] == '"' || s[-1] == ' '))
			return otst_format(o, "%.*s", (int)strcspn(format, ", \""), format);
	}
	return "";
}

static void synth_spec(const char *format, unsigned int size, struct otst_spec *ret)
{
	*ret = (struct otst_spec){ .precision = -1 };
	ret->conversion = *format ? format[strlen(format) - 1] : 'u';
	/* smaller ones are passed as unsigned, whatever their sign */
	ret->size = size == 8 ? 8 : 4;
}

static struct otst_expr *new_expr(struct otst *o, enum otst_expr_kind kind,
				  const struct otst_event_field *field)
{
	struct otst_expr *e = otst_new(o, sizeof(*e));

	e->kind = kind;
	e->field = field;
	e->place = field->offset;
	e->size = (uint8_t)(field->size <= 8 ? field->size : 8);
	return e;
}

/* gfpflag_names[] of mm/debug.c: {mask, name}, ends with {0, NULL} */
static int read_gfp_names(struct otst *o, struct otst_expr *call)
{
	struct otst_pair *pairs = otst_alloc(o, MAX_GFP_NAMES * sizeof(*pairs));
	uint64_t addr, name;
	size_t n;
	int err = pairs ? otst_symbol(o, "gfpflag_names", &addr) : otst_no_memory(o);

	for (n = 0; !err && n < MAX_GFP_NAMES; n++, addr += 16) {
		err = otst_read_u64(o, addr, &pairs[n].value);
		err = err ?: otst_read_u64(o, addr + 8, &name);
		if (err || !name)
			break;
		err = otst_read_string(o, name, MAX_NAME, &pairs[n].text);
	}
	call->pairs = pairs;
	call->nr_pairs = n;
	return err;
}

/* trace_print_flags_seq() puts a NUL byte behind the last name, and this is the line itself */
#define AFTER_FLAGS "\\x00)"

/* a field of gfp flags is followed by the names of the flags */
static int add_gfp_names(struct otst *o, const struct otst_event_field *field, bool last,
			 struct otst_step *s)
{
	struct otst_expr *call = new_expr(o, OTST_EXPR_CALL, field);

	call->call = OTST_CALL_FLAGS;
	call->text = "|";
	call->args[0] = new_expr(o, OTST_EXPR_FIELD, field);
	/* the kernel reads eight bytes, of which it wrote only the field's */
	call->args[0]->size = 8;
	call->nr_args = 1;
	s->text = last ? " (" : "  (";
	s->len = (uint32_t)strlen(s->text);
	s->spec = (struct otst_spec){ .conversion = 's', .size = 8, .precision = -1 };
	s->arg = call;
	return read_gfp_names(o, call);
}

/* with @verbose the field's format stands before its name */
static void plan_synth_field(struct otst *o, const struct otst_event_format *f,
			     const struct otst_event_field *field, bool verbose, const char *before,
			     struct otst_step *s)
{
	enum otst_expr_kind kind = OTST_EXPR_FIELD;
	bool is_stack = false;
	struct otst_expr *arg, *call;
	const char *format = synth_format(o, f, field);

	s->spec = (struct otst_spec){ .conversion = 's', .size = 8, .precision = -1 };
	if (field->kind == OTST_FIELD_DATA_LOC || field->kind == OTST_FIELD_REL_LOC) {
		kind = OTST_EXPR_DYNAMIC;
		is_stack = !strstr(field->type, "char");
	} else if (field->kind == OTST_FIELD_ARRAY) {
		kind = OTST_EXPR_BYTES;
	} else {
		synth_spec(format, field->size, &s->spec);
	}
	s->text = otst_format(o, "%s%s%s%s=", before, verbose ? format : "", verbose ? " " : "",
			      field->name);
	arg = new_expr(o, kind, field);
	s->len = (uint32_t)strlen(s->text);
	s->arg = arg;
	if (!is_stack)
		return;
	call = new_expr(o, OTST_EXPR_CALL, field);
	call->call = OTST_CALL_STACK;
	call->args[0] = arg;
	call->nr_args = 1;
	s->arg = call;
}

static int plan_synth_steps(struct otst *o, const struct otst_event_format *f, bool verbose,
			    struct otst_step **ret, size_t *count)
{
	struct otst_vec steps = { 0 };
	const char *before = "";
	struct otst_step *s;
	int err = 0;

	for (size_t i = f->nr_common; i < f->nr_fields && !err; i++) {
		bool gfp = !strcmp(f->fields[i].type, "gfp_t"), last = i + 1 == f->nr_fields;

		s = otst_vec_push(o, &steps, sizeof(*s));
		plan_synth_field(o, f, &f->fields[i], verbose, before, s);
		/* a stack ends with a line end, not with a blank */
		before = s && s->arg && s->arg->kind == OTST_EXPR_CALL ? "" : " ";
		if (err || !gfp)
			continue;
		s = otst_vec_push(o, &steps, sizeof(*s));
		err = add_gfp_names(o, &f->fields[i], last, s);
		before = AFTER_FLAGS;
		if (last && !err) {
			s = otst_vec_push(o, &steps, sizeof(*s));
			s->text = AFTER_FLAGS;
			s->len = strlen(AFTER_FLAGS);
		}
	}
	*ret = steps.data;
	*count = steps.count;
	return err;
}

static int plan_synth(struct otst *o, const struct otst_event_format *f, struct otst_plan *plan)
{
	int err = plan_synth_steps(o, f, true, &plan->verbose, &plan->nr_steps);

	return err ? err : plan_synth_steps(o, f, false, &plan->steps, &plan->nr_steps);
}

/* ---- system calls ---- */

static int plan_syscall_exit(struct otst *o, const struct otst_event_format *f, uint64_t data,
			     struct otst_plan *plan)
{
	const struct otst_event_field *ret = NULL;
	struct otst_step *s = otst_new(o, sizeof(*s));
	struct otst_syscall call = { 0 };
	int err = otst_syscall_read(o, data, &call);

	for (size_t i = 0; i < f->nr_fields; i++) {
		if (!strcmp(f->fields[i].name, "ret"))
			ret = &f->fields[i];
	}
	if (err)
		return err;
	if (!ret)
		return otst_raise(o, OTST_ERR_CORRUPT, "a system call without a result");
	s->text = otst_format(o, "%s -> ", call.name);
	s->arg = new_expr(o, OTST_EXPR_FIELD, ret);
	s->len = (uint32_t)strlen(s->text);
	s->spec = (struct otst_spec){
		.conversion = 'x', .size = 8, .special = true, .precision = -1
	};
	plan->steps = s;
	plan->nr_steps = 1;
	return 0;
}

static int plan_syscall_enter(struct otst *o, uint64_t data, struct otst_plan *plan)
{
	struct otst_syscall *s = otst_new(o, sizeof(*s));

	plan->syscall = s;
	return otst_syscall_read(o, data, s);
}

int otst_plan_make(struct otst *o, const struct otst_event_format *f, uint64_t call, uint64_t data,
		   uint64_t print, struct otst_plan *ret)
{
	struct otst_sym sym;
	const char *name;

	ret->real_pointers = !otst_hash_optional(o);
	otst_symbolize(o, print, &sym);
	name = sym.name && sym.addr == print ? sym.name : "";
	if (!strcmp(name, "print_kprobe_event") || !strcmp(name, "print_kretprobe_event") ||
	    !strcmp(name, "print_fentry_event") || !strcmp(name, "print_fexit_event"))
		return plan_probe(o, f, false, ret);
	if (!strcmp(name, "print_uprobe_event"))
		return plan_probe(o, f, true, ret);
	if (!strcmp(name, "print_eprobe_event"))
		return plan_event_probe(o, f, call, ret);
	if (!strcmp(name, "print_synth_event"))
		return plan_synth(o, f, ret);
	if (!strcmp(name, "print_syscall_enter"))
		return plan_syscall_enter(o, data, ret);
	if (!strcmp(name, "print_syscall_exit"))
		return plan_syscall_exit(o, f, data, ret);
	/* a hexadecimal dump, in kernels that print no fields */
	if (!strcmp(name, "user_event_print_trace"))
		return otst_raise(o, OTST_ERR_UNSUPPORTED, "user space made its print format");
	return otst_plan_parse(o, f, f->print_fmt, ret);
}
