/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * report.h - shared by what reads the end of a kernel in a log: the dump's own, with the
 * kernel's variables beside it (report.c), or a file (from_log.c).
 */
#ifndef OTST_VERDICT_REPORT_H
#define OTST_VERDICT_REPORT_H

#include "../traces/log/log.h"
#include "verdict.h"

/**
 * struct otst_report_reader - state of reading; zero-initialise, then set @o
 * @traces: where the traces of the same log go, or NULL
 * @last: the last report of each kind
 * @open: the one whose facts may follow; of the headlines of an oops the first names the cause
 * @age: lines since the headline
 * @panic: the text of the first panic
 * @before: the first oops, if others followed
 * @depth: oopses that are not over; @outer: the first of these, if there are several
 * @warned: the next end mark is a warning's
 * @bug: the kernel's last complaint of a kind that no other member is for
 * @numbered: a headline of the open report had the number of its oops
 * @asked: sysrq's own line came, and no fault after it but its own
 */
struct otst_report_reader {
	struct otst *o;
	const struct otst_traces *traces;
	struct otst_report last[OTST_DEATH_PANIC + 1];
	struct otst_report *open;
	unsigned int age;
	const char *panic;
	struct otst_report before;
	unsigned int depth;
	struct otst_report outer;
	bool warned;
	bool numbered;
	const char *bug;
	bool asked;
};

/* ---- headlines.c ---- */

/**
 * otst_report_line() - take the next line of the log, without its prefix
 * @sure: it has no prefix that is not yet known
 */
int otst_report_line(struct otst_report_reader *rd, const struct otst_log_line *line, bool sure);

/* ---- report.c ---- */

/**
 * otst_report_choose() - the report that the kernel died of
 * @cpu: that went into panic(), -1 if unknown; @owner: that is in the middle of an oops, or -1
 */
struct otst_report otst_report_choose(const struct otst_report_reader *rd, int cpu, int owner);

/* ---- log_trace.c ---- */

/** otst_report_trace() - the trace that belongs to @r, among those of the same log; NULL if there is none */
const struct otst_trace *otst_report_trace(const struct otst_traces *traces,
					   const struct otst_report *r);

/** otst_report_registers() - the first line of @t, which may be NULL, that is an instruction pointer; or NULL */
const struct otst_trace_line *otst_report_registers(const struct otst_trace *t);

#endif /* OTST_VERDICT_REPORT_H */
