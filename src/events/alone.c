// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * alone.c - events whose text needs no more than the record: no symbol, no string from
 * kernel memory, no hash of a pointer. Any thread may make such text.
 */
#include "plan.h"

/* functions of print formats whose text is made from their operands */
static bool is_alone_call(enum otst_call call)
{
	switch (call) {
	case OTST_CALL_FLAGS:
	case OTST_CALL_SYMBOLIC:
	case OTST_CALL_HEX:
	case OTST_CALL_HEX_STR:
	case OTST_CALL_ARRAY:
	case OTST_CALL_BITMASK:
	case OTST_CALL_MC_ERROR_TYPE:
	case OTST_CALL_DISK_NAME:
		return true;
	case OTST_CALL_NONE:
	case OTST_CALL_STACK:
	case OTST_CALL_SWAP16:
	case OTST_CALL_SWAP32:
	case OTST_CALL_SWAP64:
	case OTST_CALL_SECTION_MAP:
		break;
	}
	return false;
}

/* a string in the record or in the format, never one in kernel memory */
static bool is_alone_string(const struct otst_expr *e)
{
	switch (e->kind) {
	case OTST_EXPR_TEXT:
	case OTST_EXPR_BYTES:
	case OTST_EXPR_DYNAMIC:
		return true;
	case OTST_EXPR_CAST:
		return is_alone_string(e->args[0]);
	case OTST_EXPR_COND:
		return is_alone_string(e->args[1]) && is_alone_string(e->args[2]);
	case OTST_EXPR_CALL:
		return is_alone_call(e->call);
	case OTST_EXPR_NUMBER:
	case OTST_EXPR_FIELD:
	case OTST_EXPR_DYNAMIC_LEN:
	case OTST_EXPR_UNARY:
	case OTST_EXPR_BINARY:
	case OTST_EXPR_INDEX:
		break;
	}
	return false;
}

static bool is_alone_step(const struct otst_step *s)
{
	switch (s->spec.conversion) {
	case 's':
		return is_alone_string(s->arg);
	case 'p':
	case OTST_SPEC_PLACE:
	case OTST_SPEC_FUNCTION:
		return false;
	default:
		return true;
	}
}

bool otst_plan_is_alone(const struct otst_plan *plan)
{
	for (size_t i = 0; i < plan->nr_steps; i++) {
		if (!is_alone_step(&plan->steps[i]))
			return false;
	}
	return true;
}
