// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * syscall.c - system call entry events, which kernel/trace/trace_syscalls.c
 * prints by struct syscall_metadata and not by their print format.
 *
 * Kernels that also keep what an argument points to (member user_mask) print
 * numbers in another way, and openat() in a way of its own.
 */
#include <string.h>

#include "plan.h"

#define MAX_ARGS 6u
#define MAX_NAME 64
#define ARGS	 16u /* struct syscall_trace_enter: struct trace_entry, int nr, args[] */

/*
 * include/uapi/asm-generic/fcntl.h, in the order of sys_enter_openat_print(). read_open_flags()
 * fills in the rows that architectures define for themselves.
 */
#define CREATE	0100u
#define TMPFILE 020000000u /* __O_TMPFILE; with O_DIRECTORY it is O_TMPFILE */

enum { ROW_TMPFILE, ROW_DIRECT = 10, ROW_LARGEFILE, ROW_DIRECTORY, ROW_NOFOLLOW };

static const struct otst_open_flags generic_flags = {
	.directory = 0200000,
	.nofollow = 0400000,
	.direct = 040000,
	.largefile = 0100000,
};

static const struct otst_pair open_flags[] = {
	{ 0, "O_TMPFILE" },	   { 01, "O_WRONLY" },	  { 02, "O_RDWR" },
	{ CREATE, "O_CREAT" },	   { 0200, "O_EXCL" },	  { 0400, "O_NOCTTY" },
	{ 01000, "O_TRUNC" },	   { 02000, "O_APPEND" }, { 04000, "O_NONBLOCK" },
	{ 010000, "O_DSYNC" },	   { 0, "O_DIRECT" },	  { 0, "O_LARGEFILE" },
	{ 0, "O_DIRECTORY" },	   { 0, "O_NOFOLLOW" },	  { 01000000, "O_NOATIME" },
	{ 02000000, "O_CLOEXEC" },
};

static int read_open_flags(struct otst *o, struct otst_syscall *ret)
{
	const struct otst_open_flags *own = otst_kernel(o)->arch->open_flags ?: &generic_flags;
	struct otst_pair *pairs = otst_alloc(o, sizeof(open_flags));

	if (!pairs)
		return otst_no_memory(o);
	memcpy(pairs, open_flags, sizeof(open_flags));
	pairs[ROW_TMPFILE].value = TMPFILE | own->directory;
	pairs[ROW_DIRECT].value = own->direct;
	pairs[ROW_LARGEFILE].value = own->largefile;
	pairs[ROW_DIRECTORY].value = own->directory;
	pairs[ROW_NOFOLLOW].value = own->nofollow;
	ret->open_flags = pairs;
	ret->nr_open_flags = sizeof(open_flags) / sizeof(*open_flags);
	ret->makes = CREATE | pairs[ROW_TMPFILE].value;
	return 0;
}

static int read_syscall_names(struct otst *o, uint64_t table, unsigned int n, const char ***ret)
{
	const char **names = otst_alloc(o, (n + 1) * sizeof(*names));
	uint64_t addr;
	int err = names ? 0 : otst_no_memory(o);

	for (unsigned int i = 0; i < n && !err; i++) {
		err = otst_read_u64(o, table + 8 * (uint64_t)i, &addr);
		err = err ?: otst_read_string(o, addr, MAX_NAME, &names[i]);
	}
	*ret = names;
	return err;
}

int otst_syscall_read(struct otst *o, uint64_t addr, struct otst_syscall *ret)
{
	struct otst_view v;
	uint64_t name;
	int err = otst_view_read(o, "syscall_metadata", addr, &v);

	if (err)
		return err;
	name = otst_u64(&v, "name");
	ret->nr_args = (unsigned int)otst_u64(&v, "nb_args");
	ret->strings = otst_view_has(&v, "user_mask");
	ret->mask = otst_u64_or(&v, "user_mask", 0);
	ret->size_arg = (int)otst_u64_or(&v, "user_arg_size", 0);
	ret->is_string = otst_u64_or(&v, "user_arg_is_str", 0);
	if (v.err)
		return v.err;
	if (ret->nr_args > MAX_ARGS)
		return otst_raise(o, OTST_ERR_CORRUPT, "a system call with %u arguments",
				  ret->nr_args);
	err = otst_read_string(o, name, MAX_NAME, &ret->name);
	err = err ?: read_syscall_names(o, otst_u64(&v, "args"), ret->nr_args, &ret->args);
	err = err ?: read_syscall_names(o, otst_u64(&v, "types"), ret->nr_args, &ret->types);
	ret->open_flags = NULL;
	if (!err && ret->strings && !strcmp(ret->name, "sys_openat"))
		err = read_open_flags(o, ret);
	return err;
}

static uint64_t argument_value(const struct otst_run *r, unsigned int i)
{
	uint32_t at = ARGS + 8 * i;

	return at + 8 <= r->size ? otst_get(r->o, r->data + at, 8) : 0;
}

static void put_syscall_number(struct otst_run *r, char conversion, int32_t precision, uint64_t v)
{
	struct otst_spec spec = { .conversion = conversion, .size = 8, .precision = precision };

	otst_put_number(&r->out, v, &spec);
}

/* what the call's @n-th pointer led to */
static bool user_memory(const struct otst_run *r, const struct otst_syscall *s, unsigned int n,
			struct otst_value *ret)
{
	memset(ret, 0, sizeof(*ret));
	return otst_location(otst_big_endian(r->o), r->data, r->size, ARGS + 8 * s->nr_args + 4 * n,
			     false, ret);
}

static bool is_shown_byte(uint8_t c)
{
	return c >= ' ' && c < 0x7f;
}

/* bytes in hexadecimal, then as text if any of them is printable */
static void put_bytes(struct otst_run *r, const struct otst_value *v, bool more)
{
	static const char digits[] = "0123456789abcdef";
	bool any = false;

	otst_text_string(&r->out, " (");
	for (uint32_t i = 0; i < v->len; i++) {
		char text[3] = { ':', digits[v->p[i] >> 4], digits[v->p[i] & 15] };

		any |= is_shown_byte(v->p[i]);
		otst_text_mem(&r->out, text + !i, 3 - !i);
	}
	otst_text_string(&r->out, more ? ", ...)" : ")");
	if (!any)
		return;
	otst_text_string(&r->out, " \"");
	for (uint32_t i = 0; i < v->len; i++)
		otst_text_mem(&r->out, is_shown_byte(v->p[i]) ? (const char *)v->p + i : ".", 1);
	otst_text_string(&r->out, more ? "\"..." : "\"");
}

static void put_quoted(struct otst_run *r, const struct otst_value *v)
{
	otst_text_string(&r->out, " \"");
	otst_put_bytes(&r->out, v->p, v->len);
	otst_text_string(&r->out, "\"");
}

static void put_user_memory(struct otst_run *r, const struct otst_syscall *s, unsigned int i,
			    unsigned int *n)
{
	struct otst_value v;

	if (!(s->mask >> i & 1) || !user_memory(r, s, (*n)++, &v))
		return;
	if (s->size_arg < 0 || s->is_string)
		put_quoted(r, &v);
	else
		put_bytes(r, &v, (int)v.len < (int)argument_value(r, (unsigned int)s->size_arg));
}

/* sys_enter_openat_print(); prints the mode only where a file may be created */
static void put_openat(struct otst_run *r, const struct otst_syscall *s)
{
	/* the kernel takes the argument as an int */
	const struct otst_expr value = { .kind = OTST_EXPR_FIELD,
					 .size = 4,
					 .is_signed = true,
					 .place = ARGS + 16 + (otst_big_endian(r->o) ? 4 : 0) };
	const struct otst_expr flags = {
		.kind = OTST_EXPR_CALL,
		.call = OTST_CALL_FLAGS,
		.text = "|",
		.args = { (struct otst_expr *)&value },
		.nr_args = 1,
		.pairs = s->open_flags,
		.nr_pairs = s->nr_open_flags,
	};
	uint64_t bits = argument_value(r, 2);
	struct otst_value v;
	unsigned int i, n = 0;

	for (i = 0; i < 2 && i < s->nr_args; i++) {
		otst_text_string(&r->out, i ? ", " : "");
		otst_text_string(&r->out, s->args[i]);
		otst_text_string(&r->out, ": ");
		put_syscall_number(r, 'u', -1, argument_value(r, i));
		if (s->mask >> i & 1 && user_memory(r, s, n++, &v))
			put_quoted(r, &v);
	}
	otst_text_string(&r->out, ", flags: ");
	if (!(bits & 3))
		otst_text_string(&r->out, (uint32_t)bits ? "O_RDONLY|" : "O_RDONLY");
	otst_put_call(r, &flags);
	if (!(bits & s->makes) || s->nr_args < 4)
		return;
	otst_text_string(&r->out, ", ");
	otst_text_string(&r->out, s->args[3]);
	otst_text_string(&r->out, ": 0");
	otst_put_number(
		&r->out, argument_value(r, 3),
		&(struct otst_spec){
			.conversion = 'o', .size = 4, .width = 3, .zero = true, .precision = -1 });
}

static void put_arguments(struct otst_run *r, const struct otst_syscall *s)
{
	unsigned int i, n = 0;
	uint64_t v;

	for (i = 0; i < s->nr_args; i++) {
		otst_text_string(&r->out, i ? ", " : "");
		if (r->style->verbose) {
			otst_text_string(&r->out, s->types[i]);
			otst_text_string(&r->out, " ");
		}
		otst_text_string(&r->out, s->args[i]);
		otst_text_string(&r->out, ": ");
		v = argument_value(r, i);
		if (!s->strings)
			put_syscall_number(r, 'x', -1, v);
		else if (v < 10)
			put_syscall_number(r, 'u', -1, v);
		else
			otst_put_hex(&r->out, v);
		if (s->strings)
			put_user_memory(r, s, i, &n);
	}
}

void otst_put_syscall(struct otst_run *r, const struct otst_syscall *s)
{
	otst_text_string(&r->out, s->name);
	otst_text_string(&r->out, "(");
	if (s->open_flags && !r->style->verbose)
		put_openat(r, s);
	else
		put_arguments(r, s);
	otst_text_string(&r->out, ")");
}
