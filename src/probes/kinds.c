// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kinds.c - the table of probe kinds, and names of the enumerations that
 * every printer shows.
 */
#include <stddef.h>

#include "probes.h"

static const struct otst_probe_kind_row kinds[OTST_PROBE_KINDS] = {
	[OTST_PROBE_KPROBE] = {
		"kprobe", 'k', "handlers before and after one instruction", "CONFIG_KPROBES",
	},
	[OTST_PROBE_KRETPROBE] = {
		"kretprobe", 'r', "handlers at entry and return of a function", "CONFIG_KRETPROBES",
	},
	[OTST_PROBE_JPROBE] = {
		"jprobe", 'j', "a function called with the arguments of another", "setjmp_pre_handler, up to 4.18",
	},
	[OTST_PROBE_OTST] = {
		"otst", 'k', "one stack trace of a function's callers", "otst.ko, of 2011 as well",
	},
	[OTST_PROBE_ALLIE] = {
		"allie", 'k', "stack traces of a function's callers, or panic", "allie.ko, of 2007 as well",
	},
	[OTST_PROBE_LEFTOVER] = {
		"leftover", '-', "a text patch that outlived its probes", "CONFIG_OPTPROBES",
	},
};

const struct otst_probe_kind_row *otst_probe_kind(enum otst_probe_kind kind)
{
	return &kinds[kind];
}

const char *otst_seen_name(enum otst_seen seen)
{
	switch (seen) {
	case OTST_SEEN_UNTOUCHED:
		return "untouched";
	case OTST_SEEN_INT3:
		return "int3";
	case OTST_SEEN_JUMP:
		return "jump";
	case OTST_SEEN_CALL:
		return "call";
	default:
		return "unreadable";
	}
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
	default:
		return "unknown";
	}
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
	default:
		return "none";
	}
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
	default:
		return "unknown";
	}
}
