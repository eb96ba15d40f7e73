// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * headlines.c - the reports in a log, line by line: "BUG: ..", "Kernel panic - not syncing: ..", and the lines
 * after them that say more.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define MOST_LINES 64 /* between a headline and what belongs to it */
#define SAME_OOPS  24 /* between the headlines of one oops: arm64 first says more about the abort */

static const char *panic_text(const char *line)
{
	static const char words[] = "Kernel panic - not syncing: ";

	return strncmp(line, words, sizeof(words) - 1) ? NULL : line + sizeof(words) - 1;
}

/* "%016lx", or "%08lx" of 32 bits: other lengths have 0x before them, or are cut */
static bool is_whole(const char *digits, const char *end)
{
	return end - digits == 16 || end - digits == 8 || digits[-1] == 'x' || digits[1] == 'x';
}

static void read_address(struct otst_report *r, const char *line, const char *before)
{
	const char *s = before ? strstr(line, before) : NULL;
	char *end;
	uint64_t v;

	if (!s)
		return;
	s += strlen(before);
	s += strspn(s, " ");
	v = strtoull(s, &end, 16);
	/* how old kernels print 0 */
	if (end == s ? strncmp(s, "(null)", 6) != 0 : !is_whole(s, end))
		return;
	r->has_address = true;
	r->address = v;
}

static void take_facts(struct otst_report_reader *rd, struct otst_report *r,
		       const struct otst_log_facts *f)
{
	const struct otst_stuck *stuck = r->stuck.data;

	/* a stall report shows stacks of other cpus, too */
	if (r->death == OTST_DEATH_RCU_STALL && r->stuck.count && stuck->cpu >= 0 &&
	    f->cpu != stuck->cpu)
		return;
	if (f->cpu >= 0 && r->cpu < 0)
		r->cpu = f->cpu;
	if (f->pid >= 0 && r->pid < 0)
		r->pid = f->pid;
	if (f->comm && !r->comm)
		r->comm = otst_log_keep(rd->o, f->comm, f->comm_len);
}

static int add_stuck(struct otst_report_reader *rd, struct otst_report *r, int64_t pid, int cpu,
		     const char *line)
{
	struct otst_stuck *s = otst_vec_push(rd->o, &r->stuck, sizeof(*s));

	*s = (struct otst_stuck){ pid, cpu, otst_log_keep(rd->o, line, strlen(line)) };
	return s->line ? 0 : OTST_ERR_NOMEM;
}

static struct otst_report *begin_report(struct otst_report_reader *rd, enum otst_death death,
					const struct otst_log_line *line)
{
	struct otst_report *r = &rd->last[death];
	struct otst_vec stuck = death == OTST_DEATH_HUNG_TASK ? r->stuck : (struct otst_vec){ 0 };

	if (death == OTST_DEATH_OOPS) {
		rd->asked = rd->warned = false;
		if (!rd->before.line)
			rd->before = *r;
		if (rd->depth++ && !rd->outer.line)
			rd->outer = *r;
	}
	*r = (struct otst_report){
		.death = death,
		.line = otst_log_keep(rd->o, line->text, strlen(line->text)),
		.cpu = -1,
		.pid = -1,
		.time = line->time,
		.has_time = line->clock == OTST_CLOCK_LOCAL,
		.seq = line->seq,
		.traces_before = rd->traces ? rd->traces->items.count : 0,
		/* khungtaskd names one task after the other */
		.stuck = stuck,
	};
	rd->open = r;
	rd->age = 0;
	rd->numbered = false;
	return r;
}

/* print_oops_end_marker(): of a warning, or of the innermost oops */
static void end_oops(struct otst_report_reader *rd)
{
	if (rd->warned)
		rd->warned = false;
	else if (rd->depth && !--rd->depth)
		rd->outer = (struct otst_report){ 0 };
}

/* "[#1]", as die() of each architecture counts oopses; NULL when there is none */
static const char *count_in(const char *text)
{
	const char *s = strstr(text, "[#");
	size_t digits = s ? strspn(s + 2, "0123456789") : 0;

	return digits && s[2 + digits] == ']' ? s : NULL;
}

/*
 * x86's __die(), arm64's, s390x's die(): "int3: 0000 [#1] SMP", "illegal operation: 0001 ilc:1 [#1]",
 * whatever they call it
 */
static bool is_counted(const char *text)
{
	const char *s = count_in(text);

	return s && s > text + 1 && s[-1] == ' ' && isxdigit((unsigned char)s[-2]) &&
	       strstr(text, ": ");
}

/*
 * The same where a prefix may stand before it: nothing but words, then the number. Riscv, MIPS and LoongArch
 * print no number: "Oops - illegal instruction [#1]", "Kernel bug detected[#1]:".
 */
static bool is_plainly_counted(const char *text)
{
	const char *end = count_in(text), *s = text;

	while (isalpha((unsigned char)*s) || (s > text && (*s == ' ' || *s == '-' || *s == ',')))
		s++;
	if (!end || s == text)
		return false;
	if (s == end)
		return end[strcspn(end, "]") + 1 + strspn(strchr(end, ']') + 1, ": ")] == '\0';
	return *s == ':' && s[1] == ' ' && strspn(s + 2, "0123456789abcdef") == 4 &&
	       is_counted(text);
}

/* @sure: no prefix stands before @text */
static const struct otst_headline *find_headline(const char *text, bool sure)
{
	static const struct otst_headline counted = { .death = OTST_DEATH_OOPS };
	const struct otst_headline *h = otst_words_headline(text);

	return h ? h : (sure && is_counted(text)) || is_plainly_counted(text) ? &counted : NULL;
}

/*
 * "BUG: ...", then "Oops: 0002 [#1]": one oops, which has one bad address, and one number. Old kernels print the
 * instruction between them.
 */
static bool is_same_oops(const struct otst_report_reader *rd, const struct otst_headline *h,
			 const char *text)
{
	return h->death == OTST_DEATH_OOPS && rd->open && rd->open->death == OTST_DEATH_OOPS &&
	       rd->age < SAME_OOPS && (!rd->open->ip_text || (count_in(text) && !rd->numbered)) &&
	       !(rd->open->has_address && h->address && strstr(text, h->address));
}

static int read_headline(struct otst_report_reader *rd, const struct otst_headline *h,
			 const struct otst_log_line *line)
{
	struct otst_log_facts facts;
	const char *rest;
	struct otst_report *r;

	if (is_same_oops(rd, h, line->text)) {
		r = rd->open;
	} else {
		r = begin_report(rd, h->death, line);
		if (!r->line)
			return OTST_ERR_NOMEM;
	}
	rd->numbered |= count_in(line->text) != NULL;
	rd->warned = h->death == OTST_DEATH_WARNING;
	read_address(r, line->text, h->address);
	otst_log_kind(line->text, &facts, &rest);
	take_facts(rd, r, &facts);
	if (h->death == OTST_DEATH_HUNG_TASK || h->death == OTST_DEATH_SOFT_LOCKUP)
		return add_stuck(rd, r, facts.pid, facts.cpu, line->text);
	if (h->death == OTST_DEATH_HARD_LOCKUP) {
		const char *cpu = strstr(line->text, "on cpu ");

		r->cpu = cpu ? atoi(cpu + 7) : -1;
		return add_stuck(rd, r, -1, r->cpu, line->text);
	}
	return 0;
}

/* "rcu: \t1-....: (..." names a cpu, "rcu: \tTasks blocked on level-0 rcu_node (CPUs 0-1): P71/1:b..l" tasks */
static int read_stall(struct otst_report_reader *rd, const char *text)
{
	const char *s = strstr(text, "rcu: ") ? strstr(text, "rcu: ") + 5 : text;
	char *end;
	long n;
	int err = 0;

	s += strspn(s, " \t");
	n = strtol(s, &end, 10);
	if (end != s && *end == '-' && (end[1] == '.' || isalnum((unsigned char)end[1])) &&
	    strchr(end, ':'))
		return add_stuck(rd, rd->open, -1, (int)n, text);
	if (!strstr(s, "Tasks blocked on"))
		return 0;
	for (s = strstr(s, " P"); s && !err; s = strstr(s + 2, " P")) {
		n = strtol(s + 2, &end, 10);
		if (end != s + 2)
			err = add_stuck(rd, rd->open, n, -1, text);
	}
	return err;
}

/* what follows a headline */
static int read_more(struct otst_report_reader *rd, const struct otst_log_line *line)
{
	struct otst_report *r = rd->open;
	struct otst_log_facts facts;
	struct otst_log_item ip;
	const char *rest;

	if (!r || rd->age++ > MOST_LINES)
		return 0;
	if (r->death == OTST_DEATH_RCU_STALL) {
		int err = read_stall(rd, line->text);

		if (err)
			return err;
	}
	/* the jump went to this address; the name in the log may be of what was there before */
	if (r->has_address && strstr(line->text, "supervisor instruction fetch"))
		r->ip = r->address;
	/* "IP:" comes before the registers: a dump has these */
	if (!r->ip_text && otst_log_ip(line->text, &ip) && ip.cs != OTST_USER_CS &&
	    (ip.title != OTST_PC_IP || otst_is_alone(rd->o))) {
		r->ip = r->ip ? r->ip : ip.addr;
		r->ip_text = ip.text ? otst_log_keep(rd->o, ip.text, ip.len) : NULL;
	}
	if (otst_log_kind(line->text, &facts, &rest) == OTST_LOG_HEAD)
		take_facts(rd, r, &facts);
	return 0;
}

/*
 * "BUG: scheduling while atomic: ..", "BUG kmalloc-64 (Tainted: G W): Object already free",
 * "UBSAN: array-index-out-of-bounds in ..": after each panic_on_warn may follow
 */
static bool is_complaint(const char *text)
{
	return !strncmp(text, "BUG: ", 5) || !strncmp(text, "BUG ", 4) ||
	       !strncmp(text, "UBSAN: ", 7);
}

/* reports are shown indented, in mails and in descriptions of changes */
static struct otst_log_line without_indentation(const struct otst_log_line *line)
{
	struct otst_log_line ret = *line;

	ret.text += strspn(ret.text, " \t");
	return ret;
}

int otst_report_line(struct otst_report_reader *rd, const struct otst_log_line *whole, bool sure)
{
	const struct otst_log_line own = without_indentation(whole), *line = &own;
	const struct otst_headline *h;
	const char *panic;

	/* what user space wrote into the log */
	if (line->facility > 0)
		return 0;
	if (strstr(line->text, "end Kernel panic"))
		return 0;
	if (!strncmp(line->text, "---[ end trace ", 15))
		end_oops(rd);
	panic = panic_text(line->text);
	/* the first panic is the cause; what comes after it, even another panic, follows from it */
	if (rd->panic)
		return panic || find_headline(line->text, sure) ? 0 : read_more(rd, line);
	if (panic) {
		rd->panic = otst_log_keep(rd->o, panic, strlen(panic));
		begin_report(rd, OTST_DEATH_PANIC, line);
		return rd->panic && rd->open->line ? 0 : OTST_ERR_NOMEM;
	}
	if (strstr(line->text, "Trigger a crash"))
		rd->asked = true;
	h = find_headline(line->text, sure);
	if (!h && is_complaint(line->text)) {
		rd->bug = otst_log_keep(rd->o, line->text, strlen(line->text));
		begin_report(rd, OTST_DEATH_WARNING, line);
		return 0;
	}
	return h ? read_headline(rd, h, line) : read_more(rd, line);
}
