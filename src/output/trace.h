/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * trace.h - captured traces as text, JSON and folded stacks.
 *
 *	[  121.770022] CPU: 0 PID: 0 Comm: sh, probe netif_rx by otst (log, local clock)
 *	otst: triggered stacktrace for symbol netif_rx at 0xffffffff814c0050:
 *	 <#DB>
 *	 otst_handler+0x2b/0x30 [otst]
 *	 ? netif_rx+0x1/0x190
 */
#ifndef OTST_OUTPUT_TRACE_H
#define OTST_OUTPUT_TRACE_H

#include "../base/engine.h"
#include "../built/built.h"
#include "rows.h"
#include "stack.h"
#include "../traces/traces.h"

/** OTST_TRACE_ENDS - why a trace is cut whose log has no more */
#define OTST_TRACE_ENDS "the log ends here"

/** otst_print_string() - there may be millions of lines, and this is a tenth of otst_printf()'s work */
void otst_print_string(struct otst_printer *p, const char *s);

/** otst_trace_line_name() - its text, or its address by name; never NULL */
const char *otst_trace_line_name(struct otst *o, const struct otst_trace_line *l);

/**
 * otst_print_trace_title() - the line "[  121.770022] CPU: 0 PID: 0 Comm: sh, probe netif_rx by
 * otst (log, local clock)"
 */
void otst_print_trace_title(struct otst_printer *p, const struct otst_trace *t);

/** otst_trace_time() - "[  121.770022]", "[?]" */
const char *otst_trace_time(struct otst *o, const struct otst_trace *t);

/** otst_print_trace_bpf() - the lines about its BPF map (trace_bpf.c) */
void otst_print_trace_bpf(struct otst_printer *p, const struct otst_trace_bpf *b);
/** otst_trace_bpf_object - struct otst_trace_bpf */
extern const struct otst_object otst_trace_bpf_object;

/** otst_trace_has_few_bytes() - so few bytes of its stack are saved that they are shown */
bool otst_trace_has_few_bytes(const struct otst_trace *t);

/** otst_trace_source_lines() - where a line's code comes from; empty when unknown or without -v */
struct otst_lines otst_trace_source_lines(struct otst_printer *p, const struct otst_trace_line *l);

/**
 * struct otst_same - which traces of the log have the same stack (same.c)
 * @first: by number of a trace: the number of the first one with its stack
 * @next: the next one, 0 for the last
 * @count: by number of the first: how many there are
 *
 * All are NULL when there are less than two traces.
 */
struct otst_same {
	uint32_t *first;
	uint32_t *next;
	uint32_t *count;
};

/**
 * otst_find_same() - find them: equal frames, and headlines that differ at most in the task and in numbers
 *
 * Return: 0 or NOMEM.
 */
int otst_find_same(struct otst *o, const struct otst_traces *t, struct otst_same *ret);

/** otst_print_same() - the lines about the others that have the stack of trace number @first: a few; all with -v */
void otst_print_same(struct otst_printer *p, const struct otst_traces *t, const struct otst_same *s,
		     uint32_t first);

/**
 * struct otst_same_json - what the JSON of a trace says about others; @first: where the first one
 * is, NULL for itself
 */
struct otst_same_json {
	uint64_t count;
	const char *first;
};

/** otst_print_trace() - one trace */
void otst_print_trace(struct otst_printer *p, const struct otst_trace *t);

/** otst_print_traces() - all of them, oldest first, as text or JSON */
void otst_print_traces(struct otst_printer *p, const struct otst_traces *traces);

/** struct otst_folded - "comm;outermost;...;innermost", and how often that stack occurs */
struct otst_folded {
	const char *text;
	uint64_t count;
};

/**
 * otst_fold_traces() - the stacks of traces, sorted, with equal ones counted (folded.c)
 * @source: only traces of this source; OTST_SOURCE_COUNT for all
 * @ret: @count of them, in the command's arena
 *
 * Return: 0, or what ends a command.
 */
int otst_fold_traces(struct otst *o, const struct otst_traces *traces, enum otst_source_kind source,
		     struct otst_folded **ret, size_t *count);

/**
 * otst_print_folded() - "comm;outermost;...;innermost COUNT", sorted (folded.c)
 *
 * Frames that the kernel marked as guesses are left out, and so is user mode.
 */
void otst_print_folded(struct otst_printer *p, const struct otst_traces *traces);

/** otst_print_speedscope() - the same stacks as speedscope's JSON, a profile for each source (speedscope.c) */
void otst_print_speedscope(struct otst_printer *p, const struct otst_traces *traces);

/** otst_print_perfetto() - captures that have a time as JSON for Perfetto (perfetto.c) */
void otst_print_perfetto(struct otst_printer *p, const struct otst_traces *traces);

#endif /* OTST_OUTPUT_TRACE_H */
