// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * names.c - names of the enumerations that every printer shows.
 */
#include "list.h"

const char *otst_seen_name(enum otst_seen seen)
{
	switch (seen) {
	case OTST_SEEN_NONE:
		return "none";
	case OTST_SEEN_UNTOUCHED:
		return "untouched";
	case OTST_SEEN_INT3:
		return "int3";
	case OTST_SEEN_JUMP:
		return "jump";
	case OTST_SEEN_CALL:
		return "call";
	case OTST_SEEN_REGISTER:
		return "register";
	case OTST_SEEN_COVERED:
		return "covered";
	case OTST_SEEN_UNREADABLE:
	case OTST_SEEN_COUNT:
		break;
	}
	return "unreadable";
}

const char *otst_claim_name(enum otst_claim claim)
{
	switch (claim) {
	case OTST_CLAIM_ARMED:
		return "armed";
	case OTST_CLAIM_DISABLED:
		return "disabled";
	case OTST_CLAIM_DISARMED:
		return "disarmed";
	case OTST_CLAIM_GONE:
		return "gone";
	case OTST_CLAIM_UNUSED:
		return "unused";
	case OTST_CLAIM_REMOVED:
		return "removed";
	case OTST_CLAIM_UNKNOWN:
	case OTST_CLAIM_COUNT:
		break;
	}
	return "unknown";
}

const char *otst_via_name(enum otst_via via)
{
	switch (via) {
	case OTST_VIA_INT3:
		return "int3";
	case OTST_VIA_JUMP:
		return "jump";
	case OTST_VIA_FTRACE:
		return "ftrace";
	case OTST_VIA_NONE:
	case OTST_VIA_COUNT:
		break;
	}
	return "none";
}

const char *otst_owner_kind_name(enum otst_owner_kind kind)
{
	switch (kind) {
	case OTST_OWNER_MODULE:
		return "module";
	case OTST_OWNER_EVENT:
		return "event";
	case OTST_OWNER_PERF:
		return "perf";
	case OTST_OWNER_SYSTEMTAP:
		return "systemtap";
	case OTST_OWNER_KERNEL:
		return "kernel";
	case OTST_OWNER_TRACER:
		return "tracer";
	case OTST_OWNER_KPROBES:
		return "kprobes";
	case OTST_OWNER_FPROBE:
		return "fprobe";
	case OTST_OWNER_LIVEPATCH:
		return "livepatch";
	case OTST_OWNER_BPF:
		return "bpf";
	case OTST_OWNER_NOBODY:
		return "nobody";
	case OTST_OWNER_UNKNOWN:
	case OTST_OWNER_COUNT:
		break;
	}
	return "unknown";
}

static const struct {
	const char *name;
	const char *brief;
} roles[] = {
	[OTST_HANDLER_PRE] = { "pre_handler", "pre" },
	[OTST_HANDLER_POST] = { "post_handler", "post" },
	[OTST_HANDLER_FAULT] = { "fault_handler", "fault" },
	[OTST_HANDLER_BREAK] = { "break_handler", "break" },
	[OTST_HANDLER_JPROBE] = { "entry", "entry" },
	[OTST_HANDLER_RETURN] = { "handler", "ret" },
	[OTST_HANDLER_ENTRY] = { "entry_handler", "entry" },
	[OTST_HANDLER_EXIT] = { "exit_handler", "exit" },
	[OTST_HANDLER_CONSUMER] = { "handler", "handler" },
	[OTST_HANDLER_CONSUMER_RETURN] = { "ret_handler", "ret" },
	[OTST_HANDLER_FILTER] = { "filter", "filter" },
	[OTST_HANDLER_CALLBACK] = { "func", "func" },
	[OTST_HANDLER_REPLACEMENT] = { "new_func", "new_func" },
	[OTST_HANDLER_BPF] = { "bpf_func", "bpf_func" },
	[OTST_HANDLER_OVERFLOW] = { "overflow_handler", "overflow" },
	[OTST_HANDLER_SCRIPT] = { "probe", "probe" },
	[OTST_HANDLER_GRAPH_ENTRY] = { "entryfunc", "entry" },
	[OTST_HANDLER_GRAPH_RETURN] = { "retfunc", "ret" },
	[OTST_HANDLER_DIRECT] = { "direct_call", "direct" },
	[OTST_HANDLER_REGISTERED] = { "function", "calls" },
};
OTST_EACH_HAS(roles, OTST_HANDLER_COUNT);

const char *otst_handler_name(enum otst_handler_role role)
{
	return roles[role].name;
}

const char *otst_handler_short_name(enum otst_handler_role role)
{
	return roles[role].brief;
}
