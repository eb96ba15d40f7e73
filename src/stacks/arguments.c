// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * arguments.c - arguments of a function from the registers at its entry, according
 * to its prototype and the architecture's ABI: registers for integers, pointers and
 * small structures, the stack for the rest.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/engine.h"
#include "../built/built.h"
#include "stack.h"

#define RECENT 256u /* a power of two */

/* where the next argument is */
struct place {
	struct otst *o;
	const struct otst_arch *arch;
	const struct otst_capture *c;
	unsigned int next; /* register */
	uint64_t stack;	   /* address */
};

/* ---- is it an entry ---- */

/* the compiler may have changed the parameters of a copy of a function */
static bool is_changed(const char *name)
{
	return strchr(name, '.');
}

/* a call of ftrace's code or of a trampoline, and not one that is the function's own */
static bool is_trace_call(struct otst *o, const struct otst_branch *b)
{
	struct otst_sym sym;

	if (b->kind != OTST_BRANCH_CALL)
		return false;
	otst_symbolize(o, b->target, &sym);
	return !otst_is_text(o, b->target) || !sym.name || !strncmp(sym.name, "ftrace", 6) ||
	       !strcmp(sym.name, "__fentry__");
}

/* length of what may precede a function's own code at its entry, 0 for none */
static size_t skip_one(struct otst *o, uint64_t addr, const unsigned char *bytes, size_t left)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	size_t len = arch->insn.entry_mark(bytes);
	struct otst_branch b;

	len = len ?: arch->insn.entry_nop(bytes);
	if (!len && arch->insn.branch(bytes, left, addr, &b) && is_trace_call(o, &b))
		len = b.len;
	return len;
}

static bool is_entry(struct otst *o, uint64_t func, uint64_t addr)
{
	unsigned char text[20];
	size_t at = 0, len;

	if (addr == func)
		return true;
	if (addr - func > otst_kernel(o)->arch->insn.entry_max ||
	    otst_read(o, func, text, sizeof(text)))
		return false;
	while (at < addr - func) {
		len = skip_one(o, func + at, text + at, sizeof(text) - at);
		if (!len)
			return false;
		at += len;
	}
	return at == addr - func;
}

/* ---- where arguments are ---- */

static bool next_register(struct place *p, uint64_t *ret)
{
	if (p->next >= p->arch->reg.nr_args)
		return false;
	*ret = p->c->regs[p->arch->reg.args[p->next++]];
	return true;
}

/* a word of the stack; false when it was not kept */
static bool next_word(struct place *p, uint64_t *ret)
{
	uint64_t at = p->stack;

	p->stack += 8;
	if (!p->c->nr_pieces)
		return !otst_read_u64(p->o, at, ret);
	for (size_t i = 0; i < p->c->nr_pieces; i++) {
		const struct otst_piece *piece = &p->c->pieces[i];

		if (at >= piece->base && at - piece->base < piece->len &&
		    piece->len - (at - piece->base) >= 8) {
			*ret = otst_get(p->o, (const char *)piece->bytes + (at - piece->base), 8);
			return true;
		}
	}
	return false;
}

static bool next_value(struct place *p, uint64_t *ret)
{
	return p->next < p->arch->reg.nr_args ? next_register(p, ret) : next_word(p, ret);
}

/* ---- values as text ---- */

static uint64_t cut_value(uint64_t value, uint64_t size)
{
	return size && size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

static int64_t extend_value(uint64_t value, uint64_t size)
{
	unsigned int bits = size && size < 8 ? (unsigned int)(64 - 8 * size) : 0;

	return (int64_t)(value << bits) >> bits;
}

static const char *enum_text(struct otst *o, const struct otst_parameter *p, uint64_t value)
{
	for (size_t i = 0; i < p->nr_values; i++) {
		if (cut_value((uint64_t)p->values[i].value, p->size) == cut_value(value, p->size) &&
		    p->values[i].name)
			return p->values[i].name;
	}
	return otst_format(o, "%" PRId64, extend_value(value, p->size));
}

static const char *value_text(struct otst *o, const struct otst_parameter *p, uint64_t value)
{
	switch (p->kind) {
	case OTST_VALUE_BOOL:
		return (value & 0xff) > 1 ? otst_format(o, "%" PRIu64, value & 0xff) :
		       value & 0xff	  ? "true" :
					    "false";
	case OTST_VALUE_ENUM:
		return enum_text(o, p, value);
	case OTST_VALUE_POINTER:
		return otst_format(o, "0x%" PRIx64, value);
	case OTST_VALUE_OTHER:
	case OTST_VALUE_INT:
	case OTST_VALUE_STRUCT:
		break;
	}
	if (p->is_signed)
		return otst_format(o, "%" PRId64, extend_value(value, p->size));
	return otst_format(o, "0x%" PRIx64, cut_value(value, p->size));
}

/* up to two words in registers when both fit there, else in memory */
static const char *words_text(struct place *p, const struct otst_parameter *param)
{
	uint64_t words = (param->size + 7) / 8, value = 0, i;
	bool memory = words > 2 || p->next + words > p->arch->reg.nr_args, known = true;
	const char *s = "{";

	if (words > 2 && p->arch->reg.by_reference)
		return next_value(p, &value) ? "{...}" : NULL;
	/* what follows a structure on the stack is on the stack, too */
	if (memory && p->arch->reg.by_reference)
		p->next = p->arch->reg.nr_args;
	for (i = 0; i < words; i++) {
		if (!(memory ? next_word(p, &value) : next_register(p, &value)))
			known = false;
		if (i + 1 == words)
			value = cut_value(value, param->size - 8 * i);
		/* longer values say little as words */
		if (known && words <= 2)
			s = otst_format(p->o, "%s%s0x%" PRIx64, s ? s : "{", i ? ", " : "", value);
	}
	if (!known)
		return NULL;
	return otst_format(p->o, "%s%s}", s ? s : "{", words > 2 ? "..." : "");
}

static const char *argument_text(struct place *p, const struct otst_parameter *param)
{
	uint64_t value;

	if (param->kind == OTST_VALUE_STRUCT || param->size > 8)
		return words_text(p, param);
	return next_value(p, &value) ? value_text(p->o, param, value) : NULL;
}

static int read_arguments(struct place *p, const struct otst_prototype *proto,
			  struct otst_arguments *ret)
{
	struct otst_argument *args = otst_alloc(p->o, (proto->count + 1) * sizeof(*args));
	const char *text = otst_format(p->o, "%s(", ret->function);
	bool lost = false;
	size_t i;

	for (i = 0; i < proto->count && args && text; i++) {
		const struct otst_parameter *param = &proto->params[i];

		/* nothing is known about its kind, nor where the ones after it are */
		lost |= param->kind == OTST_VALUE_OTHER;
		args[i].name = param->name;
		args[i].type = param->type;
		args[i].text = lost ? NULL : argument_text(p, param);
		text = otst_format(p->o, "%s%s%s=%s", text, i ? ", " : "",
				   param->name ? param->name : "?",
				   args[i].text ? args[i].text : "?");
	}
	if (text)
		text = otst_format(p->o, "%s%s)", text,
				   !proto->variadic ? "" :
				   i		    ? ", ..." :
						      "...");
	if (!args)
		return otst_no_memory(p->o);
	ret->args = args;
	ret->count = proto->count;
	ret->text = text;
	return 0;
}

/* ---- prototypes, kept while a command runs ---- */

struct known {
	uint64_t func;
	int err;
	struct otst_prototype proto;
};

static int get_prototype(struct otst *o, uint64_t func, const struct otst_prototype **ret)
{
	static const char key;
	void **place = otst_memo(o, &key);
	struct known *k;

	if (!*place)
		*place = otst_alloc(o, RECENT * sizeof(*k));
	if (!*place)
		return otst_no_memory(o);
	k = (struct known *)*place + (func * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (RECENT - 1));
	if (k->func != func) {
		*k = (struct known){ .func = func };
		k->err = otst_prototype(o, func, &k->proto);
	}
	*ret = &k->proto;
	return k->err;
}

int otst_arguments(struct otst *o, uint64_t addr, const struct otst_capture *c,
		   const struct otst_arguments **ret)
{
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct place p = { .o = o, .arch = arch, .c = c };
	const struct otst_prototype *proto = NULL;
	struct otst_arguments *call;
	struct otst_sym sym;
	int err;

	*ret = NULL;
	otst_symbolize(o, addr, &sym);
	if (!arch->reg.nr_args || !c->full || !sym.name || is_changed(sym.name) ||
	    !is_entry(o, sym.addr, addr))
		return 0;
	p.stack = c->regs[arch->reg.sp] + arch->reg.stack_args;
	err = get_prototype(o, sym.addr, &proto);
	if (err)
		return otst_fatal(err) ? err : 0;
	call = otst_new(o, sizeof(*call));
	call->function = sym.name;
	err = read_arguments(&p, proto, call);
	if (!err)
		*ret = call;
	return err;
}
