// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * message.c - entries of trace_marker and trace_printk() (trace_print_print(),
 * trace_bprint_print(), trace_bputs_print() of kernel/trace/trace_output.c).
 */
#include "print.h"

/* up to its NUL or the end of the entry */
static void print_inline(struct otst_tf *tf, const struct otst_record *r, uint32_t at)
{
	const char *s = (const char *)r->data + at;

	if (at < r->size)
		otst_text_clean(&tf->t, s, strnlen(s, r->size - at));
}

static void print_binary(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	uint32_t args = at->bprint_buf.offset;
	int len = OTST_ERR_LOOKUP;

	if (args <= r->size)
		len = otst_bprint_text(tf->o, otst_tf_get(r, at->bprint_fmt), &tf->style,
				       r->data + args, r->size - args, tf->event_text,
				       OTST_TF_EVENT_TEXT);
	if (len >= 0)
		otst_text_mem(&tf->t, tf->event_text, (size_t)len);
	else if (otst_fatal(len))
		tf->err = len;
	else
		otst_text_string(&tf->t, "[format not in the dump]\n");
}

static void print_string(struct otst_tf *tf, const struct otst_record *r)
{
	const char *s = otst_tf_string(tf, otst_tf_get(r, tf->kernel.at.bputs_str));

	if (s)
		otst_text_clean(&tf->t, s, strlen(s));
	else
		otst_text_string(&tf->t, "[string not in the dump]\n");
}

void otst_tf_message(struct otst_tf *tf, const struct otst_record *r)
{
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);

	if (kind == OTST_TF_BPRINT)
		print_binary(tf, r);
	else if (kind == OTST_TF_BPUTS)
		print_string(tf, r);
	else
		print_inline(tf, r, tf->kernel.at.print_buf.offset);
}

void otst_tf_print(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_layout *at = &tf->kernel.at;
	struct otst_tf_field ip = at->print_ip;
	enum otst_tf_kind kind = otst_tf_kind(&tf->kernel, r->type);

	if (kind == OTST_TF_BPRINT)
		ip = at->bprint_ip;
	else if (kind == OTST_TF_BPUTS)
		ip = at->bputs_ip;
	otst_tf_ip(tf, otst_tf_get(r, ip) + (kind == OTST_TF_PRINT ? tf->delta : 0), false);
	otst_text_mem(&tf->t, ": ", 2);
	otst_tf_message(tf, r);
}
