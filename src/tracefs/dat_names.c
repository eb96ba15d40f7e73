// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dat_names.c - names for a trace.dat, as text: symbols (/proc/kallsyms), format
 * strings by address (printk_formats of kernel/trace/trace_printk.c), and names
 * of tasks (saved_cmdlines).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dat.h"

#define MAX_STRINGS 65536u
#define MAX_STRING  4096u

struct list {
	struct otst *o;
	struct otst_file *f;
	struct otst_dat *ret;
};

/* appends what @add does, behind its length */
static int with_length(struct list *l, size_t size, int (*add)(struct list *l))
{
	uint64_t at = otst_file_at(l->f);
	int err = otst_file_number(l->f, 0, size);

	err = err ?: otst_note(l->o, &l->ret->errors, add(l));
	return err ? err : otst_file_patch(l->f, at, otst_file_at(l->f) - at - size, size);
}

/* ---- symbols ---- */

static int add_symbol(void *priv, const struct otst_sym *sym, char type)
{
	char line[OTST_NAME_MAX + 128];
	struct list *l = priv;
	int len = snprintf(line, sizeof(line), "%016" PRIx64 " %c %s%s%s%s\n", sym->addr, type,
			   sym->name, sym->module ? "\t[" : "", sym->module ? sym->module : "",
			   sym->module ? "]" : "");

	l->ret->symbols++;
	return (size_t)len < sizeof(line) ? otst_file_write(l->f, line, (size_t)len) : 0;
}

static int add_symbols(struct list *l)
{
	return otst_symbols(l->o, add_symbol, l);
}

int otst_dat_symbols(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 4, add_symbols);
}

/* ---- format strings ---- */

/* the bytes of a string, cut at @room; not cleaned, its escapes are those of the kernel's file */
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

/* how t_show() of kernel/trace/trace_printk.c writes one character; what is not printable is "?" */
static const char *escaped(char c, char one[2])
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

static int add_string(struct list *l, uint64_t addr)
{
	char text[MAX_STRING], head[32], one[2] = "";
	const char *c, *e;
	int err = read_bytes(l->o, addr, text, sizeof(text));

	if (err)
		return otst_note(l->o, &l->ret->errors, err);
	err = otst_file_write(l->f, head, (size_t)sprintf(head, "0x%" PRIx64 " : \"", addr));
	for (c = text; *c && !err; c++) {
		e = escaped(*c, one);
		err = otst_file_write(l->f, e, strlen(e));
	}
	return err ? err : otst_file_write(l->f, "\"\n", 2);
}

/* pointers to strings between two symbols; a kernel that lacks the symbols has no such strings */
static int add_section(struct list *l, const char *from, const char *to)
{
	uint64_t at = otst_symbol_or0(l->o, from), end = otst_symbol_or0(l->o, to), addr;
	int err = 0;

	if (!at || end - at > 8 * MAX_STRINGS)
		return 0;
	for (; at < end && !err; at += 8) {
		err = otst_read_u64(l->o, at, &addr);
		if (!err && addr)
			err = add_string(l, addr);
	}
	return err;
}

/* copies of those of modules */
static int add_module_strings(struct list *l)
{
	uint64_t head = otst_symbol_or0(l->o, "trace_bprintk_fmt_list"), node;
	struct otst_walk walk;
	struct otst_view v;
	int err = 0;

	if (!head || !otst_has_type(l->o, "trace_bprintk_fmt"))
		return 0;
	otst_walk_list(l->o, head, &walk);
	while (!err && otst_walk_next(&walk, &node)) {
		uint64_t addr;

		err = otst_view_read(l->o, "trace_bprintk_fmt", node, &v);
		addr = err ? 0 : otst_u64(&v, "fmt");
		if (addr)
			err = add_string(l, addr);
	}
	return err ? err : walk.err;
}

static int add_strings(struct list *l)
{
	int err = add_section(l, "__start___trace_bprintk_fmt", "__stop___trace_bprintk_fmt");

	err = err ?: add_section(l, "__start___tracepoint_str", "__stop___tracepoint_str");
	return err ? err : add_module_strings(l);
}

int otst_dat_strings(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 4, add_strings);
}

/* ---- names of tasks ---- */

static int add_task(void *priv, int32_t pid, const char *comm)
{
	struct list *l = priv;
	char line[128];
	int len = snprintf(line, sizeof(line), "%" PRId32 " %s\n", pid, comm);

	l->ret->tasks++;
	return (size_t)len < sizeof(line) ? otst_file_write(l->f, line, (size_t)len) : 0;
}

static int add_tasks(struct list *l)
{
	return otst_comms(l->o, add_task, l);
}

int otst_dat_tasks(struct otst *o, struct otst_file *f, struct otst_dat *ret)
{
	return with_length(&(struct list){ o, f, ret }, 8, add_tasks);
}
