// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * graph.c - entries of function_graph (kernel/trace/trace_functions_graph.c):
 * calls and returns, indented by depth; a call whose return follows at once is
 * one line; other entries are comments between them.
 */
#include "print.h"

#define INDENT	  2
#define MAX_DEPTH 4096 /* a damaged depth must not fill the file with blanks */
#define MAX_ERRNO 4095

/** struct call - a call's entry; @r is its record */
struct call {
	const struct otst_record *r;
	uint64_t func;
	int64_t depth;
	bool has_retaddr;
};

/** struct ret - a return's entry */
struct ret {
	uint64_t func;
	int64_t depth;
	uint64_t overrun;
	uint64_t retval;
	uint64_t duration;
};

static struct ret read_return(const struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	return (struct ret){
		.func = otst_tf_get(r, at->ret_func),
		.depth = otst_tf_sget(r, at->ret_depth),
		.overrun = otst_tf_get(r, at->ret_overrun),
		.retval = otst_tf_get(r, at->ret_retval),
		.duration = otst_tf_get(r, at->ret_ret) - otst_tf_get(r, at->ret_call),
	};
}

static void print_indent(struct otst_tf *tf, int64_t depth)
{
	if (depth > 0)
		otst_text_spaces(&tf->t, (size_t)(depth < MAX_DEPTH ? depth : MAX_DEPTH) * INDENT);
}

static struct otst_tf_graph_cpu *cpu_of(const struct otst_tf *tf, const struct otst_record *r)
{
	return tf->graph ? &tf->graph[r->cpu] : NULL;
}

/* ---- hidden interrupts ---- */

/* check_irq_entry() */
static bool hide_entry(const struct otst_tf *tf, const struct call *c)
{
	struct otst_tf_graph_cpu *cpu = cpu_of(tf, c->r);
	uint64_t addr = c->func + tf->delta;

	if (tf->graph_flags & OTST_GRAPH_IRQS || !cpu)
		return false;
	if (cpu->depth_irq >= 0)
		return true;
	if (addr < tf->kernel.irq_start || addr >= tf->kernel.irq_end)
		return false;
	cpu->depth_irq = c->depth;
	return true;
}

/* check_irq_return() */
static bool hide_return(const struct otst_tf *tf, const struct otst_record *r, int64_t depth)
{
	struct otst_tf_graph_cpu *cpu = cpu_of(tf, r);

	if (tf->graph_flags & OTST_GRAPH_IRQS || !cpu || cpu->depth_irq == -1)
		return false;
	if (cpu->depth_irq >= depth)
		cpu->depth_irq = -1;
	return true;
}

/* ---- return values and addresses ---- */

/* the negative errno that @retval holds, in 64 or 32 bits; 0 if it is none */
static int64_t error_of(uint64_t retval)
{
	if (retval >> 31 == 1)
		retval |= UINT64_C(0xffffffff) << 32;
	return retval >= -(uint64_t)MAX_ERRNO ? (int64_t)retval : 0;
}

static void print_value(struct otst_tf *tf, uint64_t retval)
{
	int64_t error = error_of(retval);

	if (tf->graph_flags & OTST_GRAPH_RETVAL_HEX || !error) {
		otst_text_mem(&tf->t, "0x", 2);
		otst_text_hex(&tf->t, retval, 1);
	} else {
		otst_text_sdec(&tf->t, error);
	}
}

static void print_retaddr(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_mem(&tf->t, " <-", 3);
	otst_tf_ip(tf, otst_tf_get(r, tf->kernel.at.rent_retaddr), true);
}

/* the comment after the call of a leaf */
static void print_leaf_comment(struct otst_tf *tf, const struct call *c, const struct ret *ret)
{
	bool value = tf->graph_flags & OTST_GRAPH_RETVAL && tf->kernel.at.ret_retval.size;
	bool addr = tf->graph_flags & OTST_GRAPH_RETADDR && c->has_retaddr;

	if (!value && !addr)
		return;
	otst_text_mem(&tf->t, " /*", 3);
	if (addr)
		print_retaddr(tf, c->r);
	if (value) {
		otst_text_string(&tf->t, tf->kernel.ret_equals ? " ret=" : " = ");
		print_value(tf, ret->retval);
	}
	otst_text_mem(&tf->t, " */", 3);
}

/* ---- calls ---- */

static void read_graph_call(const struct otst_tf *tf, const struct otst_record *r, struct call *ret)
{
	const struct otst_tf_layout *at = &tf->kernel.at;

	*ret = (struct call){
		.r = r,
		.func = otst_tf_get(r, at->ent_func),
		.depth = otst_tf_sget(r, at->ent_depth),
		.has_retaddr = otst_tf_kind(&tf->kernel, r->type) == OTST_TF_GRAPH_RETADDR_ENT,
	};
}

/* the arguments in parentheses, or empty parentheses */
static void print_args(struct otst_tf *tf, const struct call *c, uint64_t func)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	struct otst_tf_field args = c->has_retaddr ? at->rent_args : at->ent_args;

	if (otst_tf_has_args(c->r, args))
		otst_tf_args(tf, c->r, args.offset, func);
	else
		otst_text_mem(&tf->t, "()", 2);
}

/* get_return_for_leaf(): the next record of this cpu */
static bool is_leaf(struct otst_tf *tf, const struct call *c, struct ret *ret)
{
	struct otst_record next;
	int n = tf->peek ? tf->peek(tf->peek_priv, c->r->cpu, &next) : 0;

	if (n < 0)
		tf->err = n;
	if (n <= 0 || next.gap || next.consumed != c->r->consumed ||
	    otst_tf_kind(&tf->kernel, next.type) != OTST_TF_GRAPH_RET || next.pid != c->r->pid)
		return false;
	*ret = read_return(tf, &next);
	return ret->func == c->func;
}

static void remember_call(struct otst_tf *tf, const struct call *c, int64_t depth, uint64_t func)
{
	struct otst_tf_graph_cpu *cpu = cpu_of(tf, c->r);

	if (!cpu)
		return;
	cpu->depth = depth;
	if (c->depth >= 0 && c->depth < OTST_TF_GRAPH_DEPTH)
		cpu->enter_funcs[c->depth] = func;
}

static void print_leaf(struct otst_tf *tf, const struct call *c, const struct ret *ret)
{
	uint64_t func = ret->func + tf->delta;

	/* comments after it are indented as deep as it is */
	remember_call(tf, c, c->depth - 1, 0);
	otst_tf_graph_duration(tf, ret->duration, 0);
	print_indent(tf, c->depth);
	otst_tf_ps(tf, func);
	print_args(tf, c, func);
	otst_text_char(&tf->t, ';');
	print_leaf_comment(tf, c, ret);
	otst_text_char(&tf->t, '\n');
	if (!tf->kernel.graph_plain)
		otst_tf_graph_irq(tf, c->r, ret->func, false);
}

static void print_nested(struct otst_tf *tf, const struct call *c)
{
	uint64_t func = c->func + tf->delta;

	remember_call(tf, c, c->depth, c->func);
	otst_tf_graph_duration(tf, 0, OTST_GRAPH_FILL_FULL);
	print_indent(tf, c->depth);
	otst_tf_ps(tf, func);
	print_args(tf, c, func);
	otst_text_mem(&tf->t, " {", 2);
	if (tf->graph_flags & OTST_GRAPH_RETADDR && c->has_retaddr) {
		otst_text_mem(&tf->t, " /*", 3);
		print_retaddr(tf, c->r);
		otst_text_mem(&tf->t, " */", 3);
	}
	otst_text_char(&tf->t, '\n');
}

static void print_entry(struct otst_tf *tf, const struct otst_record *r)
{
	struct call c;
	struct ret ret;

	read_graph_call(tf, r, &c);
	if (hide_entry(tf, &c))
		return;
	otst_tf_graph_prologue(tf, r, c.func);
	if (is_leaf(tf, &c, &ret)) {
		tf->drop[r->cpu] = true;
		print_leaf(tf, &c, &ret);
	} else {
		print_nested(tf, &c);
	}
}

/* ---- returns ---- */

/* does the return belong to the call that was seen at its depth */
static bool matches_call(struct otst_tf *tf, const struct otst_record *r, const struct ret *ret)
{
	struct otst_tf_graph_cpu *cpu = cpu_of(tf, r);
	bool match = true;

	if (!cpu)
		return true;
	cpu->depth = ret->depth - 1;
	if (ret->depth >= 0 && ret->depth < OTST_TF_GRAPH_DEPTH) {
		match = cpu->enter_funcs[ret->depth] == ret->func;
		cpu->enter_funcs[ret->depth] = 0;
	}
	return match;
}

static void print_brace(struct otst_tf *tf, const struct ret *ret, bool match)
{
	bool value = tf->graph_flags & OTST_GRAPH_RETVAL && tf->kernel.at.ret_retval.size;

	otst_text_char(&tf->t, '}');
	if (match && !value && !(tf->graph_flags & OTST_GRAPH_TAIL))
		return;
	otst_text_mem(&tf->t, " /* ", 4);
	otst_tf_ps(tf, ret->func + tf->delta);
	if (value) {
		otst_text_string(&tf->t, tf->kernel.ret_equals ? " ret=" : " = ");
		print_value(tf, ret->retval);
	}
	otst_text_mem(&tf->t, " */", 3);
}

static void print_return(struct otst_tf *tf, const struct otst_record *r)
{
	struct ret ret = read_return(tf, r);
	bool match;

	if (hide_return(tf, r, ret.depth))
		return;
	match = matches_call(tf, r, &ret);
	otst_tf_graph_prologue(tf, r, 0);
	otst_tf_graph_duration(tf, ret.duration, 0);
	print_indent(tf, ret.depth);
	print_brace(tf, &ret, match);
	otst_text_char(&tf->t, '\n');
	if (tf->graph_flags & OTST_GRAPH_OVERRUN) {
		otst_text_string(&tf->t, " (Overruns: ");
		otst_text_dec(&tf->t, ret.overrun);
		otst_text_mem(&tf->t, ")\n", 2);
	}
	otst_tf_graph_irq(tf, r, ret.func, false);
}

/* ---- everything else ---- */

/* print_graph_comment() */
static void print_comment(struct otst_tf *tf, const struct otst_record *r)
{
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);
	struct otst_tf_graph_cpu *cpu = cpu_of(tf, r);

	otst_tf_graph_prologue(tf, r, 0);
	otst_tf_graph_duration(tf, 0, OTST_GRAPH_FILL_FULL);
	if (cpu && cpu->depth > 0)
		print_indent(tf, cpu->depth + 1);
	otst_text_mem(&tf->t, "/* ", 3);
	if (kind == OTST_TF_BPRINT || kind == OTST_TF_PRINT ||
	    (kind == OTST_TF_BPUTS && !tf->kernel.graph_plain))
		otst_tf_message(tf, r);
	else
		otst_tf_body(tf, r);
	if (tf->t.at > tf->t.buf && tf->t.at[-1] == '\n')
		tf->t.at--;
	otst_text_mem(&tf->t, " */\n", 4);
}

bool otst_tf_graph(struct otst_tf *tf, const struct otst_record *r)
{
	switch (otst_tf_kind(&tf->kernel, r->type)) {
	case OTST_TF_GRAPH_ENT:
	case OTST_TF_GRAPH_RETADDR_ENT:
		print_entry(tf, r);
		return true;
	case OTST_TF_GRAPH_RET:
		print_return(tf, r);
		return true;
	case OTST_TF_STACK:
	case OTST_TF_FN:
	case OTST_TF_UNKNOWN:
	case OTST_TF_MMIO_RW:
	case OTST_TF_MMIO_MAP:
		return false;
	case OTST_TF_CTX:
	case OTST_TF_WAKE:
	case OTST_TF_PRINT:
	case OTST_TF_BPRINT:
	case OTST_TF_BRANCH:
	case OTST_TF_USER_STACK:
	case OTST_TF_BLK:
	case OTST_TF_BPUTS:
	case OTST_TF_HWLAT:
	case OTST_TF_OSNOISE:
	case OTST_TF_TIMERLAT:
	case OTST_TF_RAW_DATA:
	case OTST_TF_FUNC_REPEATS:
	case OTST_TF_EVENT:
	case OTST_TF_KINDS:
		break;
	}
	print_comment(tf, r);
	return true;
}

void otst_tf_graph_body(struct otst_tf *tf, const struct otst_record *r)
{
	otst_tf_graph(tf, r);
}
