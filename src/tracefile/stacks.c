// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stacks.c - stack entries (trace_stack_print(), trace_user_stack_print()
 * of kernel/trace/trace_output.c).
 */
#include "print.h"

#define WORD	     8
#define USER_ENTRIES 8 /* FTRACE_STACK_ENTRIES */

void otst_tf_stack(struct otst_tf *tf, const struct otst_record *r)
{
	uint32_t at = tf->kernel.at.stack_caller.offset;
	uint64_t ip;

	otst_text_string(&tf->t, "<stack trace>\n");
	for (; at && at + WORD <= r->size; at += WORD) {
		ip = otst_get(tf->o, r->data + at, WORD);
		if (ip == UINT64_MAX)
			break;
		otst_text_mem(&tf->t, " => ", 4);
		if (ip == tf->kernel.marker)
			otst_text_string(&tf->t, "[FTRACE TRAMPOLINE]");
		else
			otst_tf_ip(tf, ip + tf->delta, false);
		otst_text_char(&tf->t, '\n');
	}
}

/* without the files of sym-userobj, as the kernel prints it when the task is gone */
void otst_tf_user_stack(struct otst_tf *tf, const struct otst_record *r)
{
	uint32_t at = tf->kernel.at.user_caller.offset, end = at + USER_ENTRIES * WORD;
	uint64_t ip;

	otst_text_string(&tf->t, "<user stack trace>\n");
	for (; at && at < end && at + WORD <= r->size; at += WORD) {
		ip = otst_get(tf->o, r->data + at, WORD);
		if (!ip)
			break;
		otst_text_mem(&tf->t, " =>  <", 6);
		otst_text_hex(&tf->t, ip, 16);
		otst_text_mem(&tf->t, ">\n", 2);
	}
}
