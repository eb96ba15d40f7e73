// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * names.c - prints addresses by name, as seq_print_ip_sym() of
 * kernel/trace/trace_output.c and "%ps" of lib/vsprintf.c print them. A cache
 * keyed by address keeps the look-up out of the millions of entries.
 */
#include "print.h"

static void print_name(struct otst_tf *tf, const struct otst_tf_name *n)
{
	otst_text_mem(&tf->t, n->sym.name, n->name_len);
}

static void print_name_module(struct otst_tf *tf, const struct otst_tf_name *n)
{
	if (!n->module_len)
		return;
	otst_text_mem(&tf->t, " [", 2);
	otst_text_mem(&tf->t, n->sym.module, n->module_len);
	otst_text_char(&tf->t, ']');
}

static void print_number(struct otst_tf *tf, uint64_t addr, size_t width)
{
	otst_text_mem(&tf->t, "0x", 2);
	otst_text_hex(&tf->t, addr, width);
}

void otst_tf_ps(struct otst_tf *tf, uint64_t addr)
{
	const struct otst_tf_name *n = otst_tf_name(tf, addr);

	if (!n->name_len) {
		print_number(tf, addr, 1);
		return;
	}
	print_name(tf, n);
	print_name_module(tf, n);
}

/* kretprobed(): the trampoline's name would say nothing about the function */
static bool is_kretprobe(const struct otst_tf *tf, const struct otst_tf_name *n, bool offset)
{
	const struct otst_tf_kernel *k = &tf->kernel;

	if (!k->kretprobe)
		return false;
	if (k->kretprobe_by_name)
		return !offset && n->name_len && n->sym.addr == k->kretprobe;
	return n->addr == k->kretprobe;
}

void otst_tf_ip_named(struct otst_tf *tf, const struct otst_tf_name *n, bool offset)
{
	if (!n->addr) {
		otst_text_char(&tf->t, '0');
		return;
	}
	offset |= tf->opt.sym_offset;
	if (is_kretprobe(tf, n, offset))
		otst_text_string(&tf->t, "[unknown/kretprobe'd]");
	else if (offset)
		otst_text_sym(&tf->t, n->addr, &n->sym, OTST_SYM_PS_OFFSET);
	else if (n->name_len)
		print_name(tf, n);
	else
		print_number(tf, n->addr, 8);
	if (!tf->opt.sym_addr)
		return;
	otst_text_mem(&tf->t, " <", 2);
	otst_text_hex(&tf->t, n->addr, 16);
	otst_text_char(&tf->t, '>');
}

static void keep_name_text(struct otst_tf *tf, struct otst_tf_name *n)
{
	struct otst_text t = tf->t;
	char text[1024]; /* has room for the kernel's longest name */
	size_t len;

	tf->t = otst_text_in(text, sizeof(text));
	otst_tf_ip_named(tf, n, false);
	len = otst_text_len(&tf->t);
	tf->t = t;
	n->len = len <= sizeof(n->text) ? (uint8_t)len : 0;
	memcpy(n->text, text, n->len);
}

static struct otst_tf_name *make_name(struct otst_tf *tf, uint64_t addr, struct otst_tf_name *n)
{
	n->addr = addr;
	n->matched = 0;
	otst_symbolize_all(tf->o, addr, &n->sym);
	otst_sym_printed(tf->o, addr, &n->sym);
	/* text between symbols has no name, nor has text known only by its module's range */
	n->name_len = n->sym.name ? (uint32_t)strlen(n->sym.name) : 0;
	n->module_len = n->sym.module ? (uint32_t)strlen(n->sym.module) : 0;
	keep_name_text(tf, n);
	return n;
}

#define SLOTS (1u << OTST_TF_NAME_BITS)

static void empty_names(struct otst_tf *tf)
{
	otst_tf_lines_settle(tf);
	memset(tf->names, 0, sizeof(*tf->names));
}

struct otst_tf_name *otst_tf_name_find(struct otst_tf *tf, uint64_t addr)
{
	struct otst_tf_names *names = tf->names;
	size_t i;

	if (names->used > SLOTS / 4 * 3)
		empty_names(tf);
	i = otst_tf_slot(addr, OTST_TF_NAME_BITS);
	while (names->slots[i].addr && names->slots[i].addr != addr)
		i = (i + 1) % SLOTS;
	/* an empty slot also stands for address 0 */
	if (names->slots[i].addr == addr)
		return &names->slots[i];
	names->used++;
	return make_name(tf, addr, &names->slots[i]);
}

struct otst_tf_names *otst_tf_names_create(struct otst *o)
{
	return otst_alloc(o, sizeof(struct otst_tf_names));
}
