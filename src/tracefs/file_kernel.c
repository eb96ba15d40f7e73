// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_kernel.c - tracefs files that describe the kernel, not a trace array:
 * task names, trace_printk() strings and hooked functions; and the list of
 * kprobes, which is outside tracefs.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/ftrace.h"

#include "../probes/probes.h"
#include "../rings/rings.h"
#include "tracefs.h"

#define MAX_STRINGS 65536u
#define MAX_STRING  4096u

/* ---- printk_formats: t_show() of kernel/trace/trace_printk.c ---- */

/* read a string's bytes, cut at @room; not cleaned: it is escaped as in the kernel's file */
static int read_bytes(struct otst *o, uint64_t addr, char *buf, size_t room)
{
	size_t len = 0;

	while (len < room - 1) {
		size_t n = 64 - ((addr + len) & 63);
		int err;

		n = n < room - 1 - len ? n : room - 1 - len;
		err = otst_read(o, addr + len, buf + len, n);
		if (err)
			return err;
		if (memchr(buf + len, '\0', n))
			return 0;
		len += n;
	}
	buf[len] = '\0';
	return 0;
}

/* how t_show() of kernel/trace/trace_printk.c writes one character; unprintable ones are "?" */
static const char *escaped_text(char c, char one[2])
{
	switch (c) {
	case '\n':
		return "\\n";
	case '\t':
		return "\\t";
	case '"':
		return "\\\"";
	default:
		one[0] = c >= ' ' && c <= '~' ? c : '?';
		return one;
	}
}

static int add_string_line(struct otst_tracefs_file *f, uint64_t addr)
{
	char text[MAX_STRING], one[2] = "";
	struct otst_text t = { .o = f->o };
	const char *c;
	int err = read_bytes(f->o, addr, text, sizeof(text));

	if (err)
		return otst_note(f->o, &f->errors, err);
	otst_text_printf(&t, "0x%" PRIx64 " : \"", addr);
	for (c = text; *c; c++)
		otst_text_string(&t, escaped_text(*c, one));
	otst_text_char(&t, '"');
	return otst_line_text(f, &t);
}

/* pointers to strings between two symbols; a kernel that lacks the symbols has no such strings */
static int add_kernel_section(struct otst_tracefs_file *f, const char *from, const char *to)
{
	uint64_t at = otst_symbol_or0(f->o, from), end = otst_symbol_or0(f->o, to), addr;
	int err = 0;

	if (!at || end - at > 8 * MAX_STRINGS)
		return 0;
	for (; at < end && !err; at += 8) {
		err = otst_read_u64(f->o, at, &addr);
		if (!err && addr)
			err = add_string_line(f, addr);
	}
	return err;
}

/* copies of the strings of modules */
static int add_module_strings(struct otst_tracefs_file *f)
{
	uint64_t head = otst_symbol_or0(f->o, "trace_bprintk_fmt_list"), node, addr;
	struct otst_walk walk;
	int err = 0;

	if (!head)
		return 0;
	otst_walk_list(f->o, head, &walk);
	while (!err && otst_walk_next(&walk, &node)) {
		err = otst_read_member(f->o, "trace_bprintk_fmt", node, "fmt", &addr);
		if (!err && addr)
			err = add_string_line(f, addr);
	}
	return err ? err : walk.err;
}

int otst_printk_formats(struct otst *o, struct otst_tracefs_file *f)
{
	int err =
		add_kernel_section(f, "__start___trace_bprintk_fmt", "__stop___trace_bprintk_fmt");

	(void)o;
	err = err ?: add_kernel_section(f, "__start___tracepoint_str", "__stop___tracepoint_str");
	return err ? err : add_module_strings(f);
}

int otst_file_printk_formats(struct otst_array_view *a)
{
	return otst_printk_formats(a->o, a->out);
}

/* ---- saved_cmdlines ---- */

static int add_comm(void *priv, int32_t pid, const char *comm)
{
	return otst_line(priv, "%" PRId32 " %s", pid, comm);
}

int otst_file_saved_cmdlines(struct otst_array_view *a)
{
	return otst_comms(a->o, add_comm, a->out);
}

/* ---- available_tracers ---- */

/* trace_ok_for_array() */
static int is_allowed(struct otst_array_view *a, const struct otst_tracer *t, bool *ret)
{
	uint64_t allowed = 1;
	int err = 0;

	if (a->array->name && otst_has_member(a->o, "tracer", "allow_instances"))
		err = otst_read_member(a->o, "tracer", t->addr, "allow_instances", &allowed);
	*ret = allowed & 1;
	return err;
}

int otst_file_available_tracers(struct otst_array_view *a)
{
	struct otst_text text = { .o = a->o };
	struct otst_tracing t;
	bool allowed;
	int err = otst_tracing(a->o, &t);

	if (!err)
		otst_notes(a->o, &a->out->errors, &t.errors);
	for (size_t i = 0; !err && i < t.nr_tracers; i++) {
		if (t.tracers[i]->error)
			otst_note_text(a->o, &a->out->errors, t.tracers[i]->error);
		err = is_allowed(a, t.tracers[i], &allowed);
		if (!err && allowed)
			otst_text_printf(&text, "%s%s", otst_text_len(&text) ? " " : "",
					 t.tracers[i]->name ? t.tracers[i]->name : "?");
	}
	return err ? err : otst_line_text(a->out, &text);
}

/* ---- enabled_functions, touched_functions ---- */

static int add_text_line(void *priv, struct otst_text *line)
{
	return otst_line_text(priv, line);
}

static int add_functions(struct otst_array_view *a, bool touched)
{
	struct otst_ftrace_functions functions;
	struct otst_ftrace_list list;
	int err = otst_ftrace_ops_list(a->o, true, &list);

	if (!err && touched)
		err = otst_ftrace_touched(a->o, &list, &functions);
	else
		err = err ?: otst_ftrace_functions(a->o, &list, NULL, NULL, &functions);
	err = err ?: otst_ftrace_lines(a->o, &functions, add_text_line, a->out);
	if (err)
		return err;
	otst_notes(a->o, &a->out->errors, &list.errors);
	otst_notes(a->o, &a->out->errors, &functions.errors);
	return 0;
}

int otst_file_enabled_functions(struct otst_array_view *a)
{
	return add_functions(a, false);
}

int otst_file_touched_functions(struct otst_array_view *a)
{
	return add_functions(a, true);
}

/* ---- ../kprobes/list: report_probe() of kernel/kprobes.c ---- */

static char letter_of(const struct otst_probe *p)
{
	return p->ret ? 'r' : p->kind == OTST_PROBE_JPROBE ? 'j' : 'k';
}

static int add_probe_line(struct otst_array_view *a, const struct otst_probe *p)
{
	struct otst_text t = { .o = a->o };
	bool gone = p->flags & OTST_KPROBE_GONE;
	struct otst_sym sym = p->sym;

	otst_sym_printed(a->o, p->addr, &sym);
	otst_text_printf(&t, "%016" PRIx64 "  %c  ", p->addr, letter_of(p));
	/* the kernel's offset is an int */
	if (sym.name)
		otst_text_printf(&t, "%s+0x%" PRIx32 "  %s ", sym.name,
				 (uint32_t)(p->addr - sym.addr), sym.module ? sym.module : " ");
	else
		otst_text_printf(&t, "0x%" PRIx64 " ", p->addr);
	otst_text_printf(&t, "%s%s%s%s", gone ? "[GONE]" : "",
			 p->flags & OTST_KPROBE_DISABLED && !gone ? "[DISABLED]" : "",
			 p->node_flags & OTST_KPROBE_OPTIMIZED ? "[OPTIMIZED]" : "",
			 p->node_flags & OTST_KPROBE_FTRACE ? "[FTRACE]" : "");
	return otst_line_text(a->out, &t);
}

int otst_file_kprobes_list(struct otst_array_view *a)
{
	struct otst_probes probes;
	int err = otst_kprobes(a->o, &probes);

	if (!err)
		otst_notes(a->o, &a->out->errors, &probes.errors);
	for (size_t i = 0; !err && i < probes.count; i++) {
		const struct otst_probe *p = probes.items[i];

		if (p->kind == OTST_PROBE_LEFTOVER || p->claim == OTST_CLAIM_REMOVED)
			continue;
		if (p->error)
			otst_note_text(a->o, &a->out->errors, p->error);
		err = err ?: add_probe_line(a, p);
	}
	return err;
}
