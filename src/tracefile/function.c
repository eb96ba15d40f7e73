// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * function.c - entries of the function tracer: "func <-parent", arguments,
 * repeats (trace_fn_trace(), trace_func_repeats_print(), print_function_args()
 * of kernel/trace/trace_output.c).
 */
#include "print.h"

#define MAX_ARGS 6u /* FTRACE_REGS_MAX_ARGS of include/linux/ftrace_regs.h */
#define LONG	 8u

bool otst_tf_has_args(const struct otst_record *r, struct otst_tf_field f)
{
	return f.size && r->size >= f.offset + MAX_ARGS * LONG;
}

/* ---- arguments ---- */

struct args {
	struct otst_tf *tf;
	uint64_t value[MAX_ARGS];
	unsigned int next;
};

static void print_hex(struct otst_tf *tf, uint64_t v)
{
	otst_text_mem(&tf->t, "0x", 2);
	otst_text_hex(&tf->t, v, 1);
}

static void print_enum(struct otst_tf *tf, const struct otst_param *p, uint64_t v)
{
	const char *name = otst_param_enum(tf->o, p, (int64_t)v);

	otst_text_sdec(&tf->t, (int64_t)v);
	if (!name)
		return;
	otst_text_mem(&tf->t, " [", 2);
	otst_text_clean(&tf->t, name, strlen(name));
	otst_text_char(&tf->t, ']');
}

/* a structure in as many registers as it has words; false: no registers are left */
static bool print_words(struct args *a, const struct otst_param *p, uint64_t first)
{
	struct otst_tf *tf = a->tf;

	otst_text_char(&tf->t, '(');
	otst_text_string(&tf->t, p->type);
	otst_text_mem(&tf->t, ")[", 2);
	print_hex(tf, first);
	for (uint32_t at = LONG; at < p->size; at += LONG) {
		otst_text_char(&tf->t, ':');
		if (a->next == MAX_ARGS) {
			otst_text_string(&tf->t, "...]");
			return false;
		}
		print_hex(tf, a->value[a->next++]);
	}
	otst_text_char(&tf->t, ']');
	return true;
}

static bool print_arg(struct args *a, const struct otst_param *p)
{
	struct otst_tf *tf = a->tf;
	uint64_t v;

	if (a->next == MAX_ARGS) {
		otst_text_mem(&tf->t, "...", 3);
		return false;
	}
	v = a->value[a->next++];
	otst_text_clean(&tf->t, p->name, strlen(p->name));
	otst_text_char(&tf->t, '=');
	switch (p->kind) {
	case OTST_PARAM_UNKNOWN:
		otst_text_char(&tf->t, '?');
		print_hex(tf, v);
		break;
	case OTST_PARAM_POINTER:
	case OTST_PARAM_UNSIGNED:
		print_hex(tf, v);
		break;
	case OTST_PARAM_SIGNED:
		otst_text_sdec(&tf->t, (int64_t)v);
		break;
	case OTST_PARAM_ENUM:
		print_enum(tf, p, v);
		break;
	case OTST_PARAM_OTHER:
		return print_words(a, p, v);
	}
	return true;
}

void otst_tf_args(struct otst_tf *tf, const struct otst_record *r, uint32_t args, uint64_t func)
{
	const struct otst_tf_name *n = otst_tf_name(tf, func);
	uint32_t type = n->name_len ? otst_function_type(tf->o, n->sym.name) : 0;
	struct args a = { .tf = tf };
	struct otst_param p;

	for (unsigned int i = 0; i < MAX_ARGS; i++)
		a.value[i] = otst_get(tf->o, r->data + args + i * LONG, LONG);
	otst_text_char(&tf->t, '(');
	for (unsigned int i = 0; type && otst_param(tf->o, type, i, &p); i++) {
		if (i)
			otst_text_mem(&tf->t, ", ", 2);
		if (!print_arg(&a, &p))
			break;
	}
	otst_text_char(&tf->t, ')');
}

/* ---- entries ---- */

static void print_parent(struct otst_tf *tf, uint64_t parent)
{
	if (!tf->opt.print_parent || !parent)
		return;
	otst_text_mem(&tf->t, " <-", 3);
	otst_tf_ip(tf, parent, false);
}

void otst_tf_function(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t ip = otst_tf_get(r, at->fn_ip) + tf->delta;
	uint64_t parent = otst_tf_get(r, at->fn_parent) + tf->delta;

	otst_tf_ip(tf, ip, false);
	if (otst_tf_has_args(r, at->fn_args))
		otst_tf_args(tf, r, at->fn_args.offset, ip);
	print_parent(tf, parent);
	otst_text_char(&tf->t, '\n');
}

void otst_tf_repeats(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint64_t delta = otst_tf_get(r, at->rep_top) << 32 | otst_tf_get(r, at->rep_bottom);

	otst_tf_ip(tf, otst_tf_get(r, at->rep_ip) + tf->delta, false);
	print_parent(tf, otst_tf_get(r, at->rep_parent) + tf->delta);
	otst_text_printf(&tf->t,
			 " (repeats: %u, last_ts:", (unsigned int)otst_tf_get(r, at->rep_count));
	otst_tf_time(tf, r->time - delta);
	otst_text_mem(&tf->t, ")\n", 2);
}
