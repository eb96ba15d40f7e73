/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * tracefile.h - the kernel's trace file (kernel/trace/trace.c) from a ring
 * buffer, to the letter, or one JSON object per entry.
 */
#ifndef OTST_TRACEFILE_H
#define OTST_TRACEFILE_H

#include "../output/output.h"
#include "../rings/rings.h"

/**
 * struct otst_tracefile_filter - which file, and which of its entries
 * @instance: name of the trace array, NULL for the top one
 * @snapshot: its snapshot file
 * @consumed: include entries that were already read but are still there, marked
 * @kinds: names of kinds "function,event" (otst_tracefile_kinds()), or NULL for all
 * @cpus: "0,2-3", or NULL for all; a single cpu selects per_cpu/cpuN/trace
 * @pid: -1 for all
 * @from, @to: seconds of the array's clock as text, or NULL; plain numbers when
 *	the clock does not count nanoseconds
 * @last: only this many of the newest, 0 for all
 * @chosen: NULL, or decides by the symbol of a function's entry
 * @names: globs over events, "sched_switch", "sched:*"; @nr_names of them
 * @met: for each of them, set when there is an entry of such an event; may be NULL
 */
struct otst_tracefile_filter {
	const char *instance;
	bool snapshot;
	bool consumed;
	const char *kinds;
	const char *cpus;
	int64_t pid;
	const char *from;
	const char *to;
	uint64_t last;
	bool (*chosen)(void *priv, uint64_t addr, const struct otst_sym *sym);
	void *priv;
	const char *const *names;
	size_t nr_names;
	bool *met;
};

/**
 * otst_tracefile() - print a trace file
 *
 * Each part that could not be read is a marked line in its place, and only then
 * does a closing line count them. After the last entry comes a note for each
 * event whose print format is not understood, so that it was printed as raw
 * fields.
 *
 * Return: 0, even if some was bad; USAGE; LOOKUP if there is no such array;
 * UNSUPPORTED for an option of the array that otst cannot print; or an error that
 * ends the command.
 */
int otst_tracefile(struct otst *o, const struct otst_tracefile_filter *filter,
		   struct otst_printer *p);

/** otst_graph_duration() - nanoseconds as trace_print_graph_duration() prints them: "12.345 us   " */
void otst_graph_duration(struct otst_text *t, uint64_t ns);

/** otst_tracefile_kinds() - kinds of entries to choose from: name, description and so on; NULL */
const char *const *otst_tracefile_kinds(void);

/** enum otst_says - texts that 3.10 does not have */
enum otst_says {
	OTST_SAYS_NO_FUNCS_OFF, /**< the line of an empty set_ftrace_notrace */
	OTST_SAYS_OR_FREE,	/**< the end of a line of an empty snapshot */
	OTST_SAYS_LAZY		/**< preempt_model_str(), with CONFIG_PREEMPT_LAZY */
};

/** otst_kernel_says() - does the kernel's rodata have the text; true if unreadable (layout.c) */
bool otst_kernel_says(struct otst *o, enum otst_says what);

#endif /* OTST_TRACEFILE_H */
