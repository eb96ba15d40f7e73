// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * report.c - what died, according to the last lines of the kernel's log that say
 * so and to the variables panic_cpu, crashing_cpu and die_owner.
 */
#include <string.h>

#include "report.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define EARLIER	     "earlier in the log"

const char *otst_death_name(enum otst_death death)
{
	static const char *const names[] = {
		[OTST_DEATH_NONE] = "alive",
		[OTST_DEATH_ASKED] = "asked for",
		[OTST_DEATH_OOPS] = "oops",
		[OTST_DEATH_SOFT_LOCKUP] = "soft lockup",
		[OTST_DEATH_HARD_LOCKUP] = "hard lockup",
		[OTST_DEATH_HUNG_TASK] = "hung task",
		[OTST_DEATH_RCU_STALL] = "RCU stall",
		[OTST_DEATH_OUT_OF_MEMORY] = "out of memory",
		[OTST_DEATH_WARNING] = "warning",
		[OTST_DEATH_PANIC] = "panic",
		[OTST_DEATH_UNKNOWN] = "unknown",
	};
	OTST_EACH_HAS(names, OTST_DEATH_COUNT);

	return names[death];
}

#define EARLIER "earlier in the log"

/* records of the kernel's own buffer begin with its words */
static int take_buffer_line(void *priv, const struct otst_log_line *line, bool sure)
{
	(void)sure;
	return otst_report_line(priv, line, true);
}

/*
 * number of the cpu that went into panic() or that shut the others down; -1 if there is none
 * @known: the kernel has the variable, and it could be read
 */
static int read_cpu_variable(struct otst *o, const char *name, struct otst_messages *errors,
			     bool *known)
{
	uint64_t at = otst_symbol_or0(o, name);
	uint32_t v;
	int err;

	*known = false;
	if (!at)
		return -1;
	err = otst_read_u32(o, at, &v);
	if (err)
		otst_note(o, errors, otst_fail(o, err, "%s", name));
	*known = !err;
	return err || v >= otst_kernel(o)->nr_cpus ? -1 : (int)v;
}

/* do these words say that a stack overflowed */
static bool says_overflow(const char *words)
{
	static const char *const overflows[] = {
		"stack guard page was hit",
		"Insufficient stack space to handle exception",
		"kernel stack overflow",
		"Kernel stack overflow",
	};

	for (size_t i = 0; words && i < COUNT(overflows); i++) {
		if (strstr(words, overflows[i]))
			return true;
	}
	return false;
}

/* if only the text of the failing instruction is known, find its address */
static void find_ip(struct otst *o, struct otst_report *r)
{
	struct otst_sym_text text;

	if (r->ip_text && !r->ip && otst_sym_text_parse(r->ip_text, &text))
		r->ip = otst_sym_text_address(o, &text);
}

/* before Linux 5.2 sysrq's crash is a fault of its own */
static bool is_sysrq(const struct otst_report *oops)
{
	static const char function[] = "sysrq_handle_crash+";

	return oops->ip_text && !strncmp(oops->ip_text, function, sizeof(function) - 1);
}

/* who is in the middle of an oops: oops_begin() and oops_end() keep track of it */
struct die {
	bool known; /* this kernel's die_owner could be read */
	int owner;  /* number of a cpu, or -1 */
};

/* the first oops that is not over; NULL when each is */
static const struct otst_report *outer_oops(const struct otst_report_reader *rd)
{
	return !rd->depth ? NULL : rd->outer.line ? &rd->outer : &rd->last[OTST_DEATH_OOPS];
}

/* the oops that brought the kernel down, on @cpu: of nested ones the first */
static struct otst_report choose_oops(const struct otst_report_reader *rd, int cpu)
{
	const struct otst_report *outer = outer_oops(rd);
	struct otst_report r = rd->last[OTST_DEATH_OOPS];

	if (!outer || (cpu >= 0 && outer->cpu >= 0 && outer->cpu != cpu))
		return r;
	r = *outer;
	r.nested = outer == &rd->outer;
	return r;
}

/* init, and a cpu's idle task, whose oops brings the kernel down: it is the one that panic() tells of */
static const struct otst_report *deadly_oops(const struct otst_report_reader *rd)
{
	const struct otst_report *const oopses[] = { &rd->last[OTST_DEATH_OOPS], &rd->before };
	int64_t pid = rd->panic && strstr(rd->panic, "Attempted to kill init!")		 ? 1 :
		      rd->panic && strstr(rd->panic, "Attempted to kill the idle task!") ? 0 :
											   -1;

	for (size_t i = 0; pid >= 0 && i < COUNT(oopses); i++) {
		if (oopses[i]->line && oopses[i]->pid == pid)
			return oopses[i];
	}
	return NULL;
}

struct otst_report otst_report_choose(const struct otst_report_reader *rd, int cpu, int owner)
{
	enum otst_death death = rd->panic ? otst_words_panic(rd->panic) : OTST_DEATH_NONE;
	const struct otst_report *oops = &rd->last[OTST_DEATH_OOPS];
	struct otst_report r;

	/* an oops calls crash_kexec() before panic(), on its own cpu */
	if (!rd->panic && cpu >= 0)
		death = rd->asked					  ? OTST_DEATH_ASKED :
			oops->line && (oops->cpu < 0 || oops->cpu == cpu) ? OTST_DEATH_OOPS :
									    OTST_DEATH_PANIC;
	else if (!rd->panic && owner >= 0)
		death = OTST_DEATH_OOPS;
	r = death == OTST_DEATH_OOPS ? choose_oops(rd, cpu >= 0 ? cpu : owner) : rd->last[death];
	if (death == OTST_DEATH_PANIC && deadly_oops(rd)) {
		death = OTST_DEATH_OOPS;
		r = *deadly_oops(rd);
	}
	if (death == OTST_DEATH_OOPS && is_sysrq(oops))
		death = OTST_DEATH_ASKED;
	if (!r.line) {
		r = rd->panic ? rd->last[OTST_DEATH_PANIC] : (struct otst_report){ 0 };
		if (!rd->panic)
			r.cpu = r.pid = -1;
	}
	r.death = death;
	r.panic = rd->panic;
	r.overflow = death == OTST_DEATH_OOPS && (says_overflow(r.line) || says_overflow(r.panic));
	return r;
}

static void note_line(struct otst *o, struct otst_verdict *v, const char *when, const char *line,
		      const char *at)
{
	const char *note =
		otst_format(o, "%s: %s%s%s", when, line, at ? ", at " : "", at ? at : "");

	otst_note_text(o, &v->notes, note);
}

static void note_report(struct otst *o, struct otst_verdict *v, const struct otst_report *r)
{
	bool inside = v->report.nested && r->death == OTST_DEATH_OOPS;

	if (!r->line || r->line == v->report.line)
		return;
	note_line(o, v, inside ? "before that oops was over" : EARLIER, r->line, r->ip_text);
}

/* what the kernel survived earlier: not to blame, but it may have left a lock held or worse */
static void note_earlier(struct otst *o, struct otst_verdict *v,
			 const struct otst_report_reader *rd)
{
	note_report(o, v, &rd->before);
	if (rd->bug && !(v->report.line && !strcmp(v->report.line, rd->bug)))
		note_line(o, v, EARLIER, rd->bug, NULL);
	for (int k = OTST_DEATH_OOPS; k <= OTST_DEATH_RCU_STALL; k++)
		note_report(o, v, &rd->last[k]);
}

/*
 * The cpu that shut the others down. If the variable starts as 0 (3.10 of RHEL 7.3, 4.4),
 * a value of 0 says nothing.
 */
static int read_crashing_cpu(struct otst *o, struct otst_verdict *v)
{
	uint64_t at = otst_symbol_or0(o, "crashing_cpu");
	bool known;
	int cpu = read_cpu_variable(o, "crashing_cpu", &v->errors, &known);

	return !cpu && at >= otst_symbol_or0(o, "__bss_start") &&
			       at < otst_symbol_or0(o, "__bss_stop") ?
		       -1 :
		       cpu;
}

/* a variable of the kernel; false if there is none, or it cannot be read */
static bool read_count_variable(struct otst *o, const char *name, struct otst_messages *errors,
				uint32_t *ret)
{
	uint64_t at = otst_symbol_or0(o, name);
	int err = at ? otst_read_u32(o, at, ret) : 0;

	if (err)
		otst_note(o, errors, otst_fail(o, err, "%s", name));
	return at && !err;
}

/*
 * Oopses without end: the log may have lost the first of them, whose registers
 * __die_header() keeps. They are that oops' unless an earlier one is over.
 */
static int read_first_regs(struct otst *o, struct otst_verdict *v)
{
	uint64_t at = otst_symbol_or0(o, "exec_summary_regs"), ip;
	struct otst_report *r = &v->report;
	uint32_t nested, all;
	int err;

	if (!read_count_variable(o, "die_nest_count", &v->errors, &nested) ||
	    !read_count_variable(o, "die_counter", &v->errors, &all) || !at || !all || nested < all)
		return otst_check(o);
	r->nested = r->nested || nested > 1;
	err = otst_read_member(o, "pt_regs", at, "ip", &ip);
	if (err)
		return otst_note(o, &v->errors, otst_fail(o, err, "exec_summary_regs"));
	if (!ip || ip == r->ip)
		return 0;
	r->ip = ip;
	r->ip_text = NULL;
	r->has_address = false;
	otst_note_text(o, &v->notes,
		       "the log does not have the first oops; its registers are known");
	return 0;
}

/* without a panic, an oops that is not over is the death */
static int read_unended(struct otst *o, struct otst_verdict *v, const struct otst_report_reader *rd,
			const struct die *die)
{
	struct otst_report *r = &v->report, *unended;

	if (r->death == OTST_DEATH_OOPS && !r->panic && die->owner >= 0) {
		r->cpu = die->owner;
		return read_first_regs(o, v);
	}
	if (r->death != OTST_DEATH_NONE || die->known || !rd->depth)
		return 0;
	unended = otst_new(o, sizeof(*unended));
	*unended = choose_oops(rd, -1);
	r->unended = unended;
	return 0;
}

/* all reports of the log; @lost: there may be more */
static int read_log(struct otst *o, struct otst_verdict *v, struct otst_report_reader *rd,
		    bool *lost)
{
	struct otst_traces *traces = otst_new(o, sizeof(*traces));
	struct otst_look look = otst_look_begin(o);
	int err;

	traces->o = o;
	rd->traces = v->log = traces;
	err = otst_log_buffer(o, &(struct otst_log_taker){ take_buffer_line, NULL, rd }, traces);
	*lost = err || otst_doubts(o) > look.doubts;
	if (err == OTST_ERR_LOOKUP) {
		otst_fail(o, err, "the kernel log");
		v->no_log = otst_strdup(o, otst_message(o));
		err = 0;
	}
	err = otst_note(o, &v->errors, err);
	if (!err)
		otst_notes(o, &v->errors, &traces->errors);
	return err;
}

int otst_report_read(struct otst *o, struct otst_verdict *v)
{
	struct otst_report_reader *rd = otst_new(o, sizeof(*rd));
	struct die die;
	bool known, lost;
	int cpu = read_cpu_variable(o, "panic_cpu", &v->errors, &known), err;

	rd->o = o;
	err = read_log(o, v, rd, &lost);
	if (err)
		return err;
	/* panic() says who is in it before it says anything else */
	if (known && cpu < 0 && rd->panic) {
		note_line(o, v, EARLIER, rd->last[OTST_DEATH_PANIC].line, NULL);
		rd->panic = NULL;
	}
	if (cpu < 0)
		cpu = read_crashing_cpu(o, v);
	die.owner = read_cpu_variable(o, "die_owner", &v->errors, &die.known);
	v->report = otst_report_choose(rd, cpu, die.owner);
	v->report.panic_cpu = cpu;
	err = read_unended(o, v, rd, &die);
	/* nothing tells that the kernel was alive */
	if (lost && !known && v->report.death == OTST_DEATH_NONE && !v->report.unended)
		v->report.death = OTST_DEATH_UNKNOWN;
	/* the kernel's variable outweighs the log, except for lockups that another cpu reports */
	if (cpu >= 0 && (v->report.cpu < 0 || v->report.death == OTST_DEATH_PANIC))
		v->report.cpu = cpu;
	find_ip(o, &v->report);
	if (!err)
		note_earlier(o, v, rd);
	return err;
}
