// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kind.c - lines around the frames of a trace: who ("CPU: 1 PID: 2 Comm:
 * sh Not tainted"), what ("WARNING: ..."), where frames begin and end.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "words.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* the decimal after @key in @s; blanks between them are skipped */
static bool value_of(const char *s, const char *key, int64_t *ret)
{
	const char *p = strstr(s, key);
	int64_t v = 0;
	int n;

	if (!p)
		return false;
	for (p += strlen(key); *p == ' '; p++)
		;
	for (n = 0; n < 10 && isdigit((unsigned char)p[n]); n++)
		v = v * 10 + (p[n] - '0');
	if (n)
		*ret = v;
	return n > 0;
}

static void set_cpu(struct otst_log_facts *f, const char *s, const char *key)
{
	int64_t v;

	if (value_of(s, key, &v) && v < 65536)
		f->cpu = (int)v;
}

/* where a task's name ends: it may have blanks, so look for what the kernel prints after it */
static size_t comm_len(const char *s)
{
	static const struct {
		const char *text;
		bool number; /* only where one follows */
	} behind[] = { { " Not tainted", false },
		       { " Tainted: ", false },
		       { " Kdump: ", false },
		       { " at ", true },
		       { " xid: ", false } };
	size_t i, len = strlen(s);

	for (i = 0; i < COUNT(behind); i++) {
		const char *p = strstr(s, behind[i].text);

		if (p && (size_t)(p - s) < len &&
		    (!behind[i].number || isdigit((unsigned char)p[strlen(behind[i].text)])))
			len = (size_t)(p - s);
	}
	return len > 32 ? 0 : len;
}

static void set_comm(struct otst_log_facts *f, const char *s, size_t len)
{
	if (!len)
		return;
	f->comm = s;
	f->comm_len = len;
}

/* "sh at 7.007258": the time of a capture that had to be printed later */
static void set_time(struct otst_log_facts *f, const char *s)
{
	uint64_t seconds, micro;
	char *end;

	if (strncmp(s, " at ", 4) || !isdigit((unsigned char)s[4]))
		return;
	seconds = strtoull(s + 4, &end, 10);
	if (*end != '.' || strspn(end + 1, "0123456789") != 6)
		return;
	micro = strtoull(end + 1, NULL, 10);
	f->has_time = true;
	f->time = seconds * 1000000000 + micro * 1000;
}

/* powerpc up to 4.12: "TASK = c07b4060[879] 'dd' THREAD: d1586000 CPU: 2" */
static bool parse_powerpc_task(const char *s, struct otst_log_facts *f)
{
	const char *open = otst_begins(s, "TASK = ") ? strchr(s, '[') : NULL, *comm, *end;

	comm = open ? strstr(open, "] '") : NULL;
	end = comm ? strchr(comm + 3, '\'') : NULL;
	if (!end || end - comm > 32)
		return false;
	value_of(open, "[", &f->pid);
	set_comm(f, comm + 3, (size_t)(end - comm - 3));
	set_cpu(f, end, " CPU: ");
	return true;
}

/* "CPU: 1 UID: 0 PID: 2 Comm: sh Not tainted ...", "Pid: 2, comm: sh Not tainted ..." */
static bool parse_head(const char *s, struct otst_log_facts *f)
{
	const char *comm = otst_begins(s, "CPU: ") ? strstr(s, " Comm: ") : NULL;

	if (comm) {
		set_cpu(f, s, "CPU: ");
		value_of(s, " PID: ", &f->pid);
		set_comm(f, comm + 7, comm_len(comm + 7));
		set_time(f, comm + 7 + comm_len(comm + 7));
		return true;
	}
	if (otst_begins(s, "Pid: ") && (comm = strstr(s, ", comm: "))) {
		value_of(s, "Pid: ", &f->pid);
		comm += 8;
		/* ia64: ", CPU 1, comm:               dd" */
		set_cpu(f, s, ", CPU ");
		if (f->cpu >= 0)
			comm += strspn(comm, " ");
		set_comm(f, comm, comm_len(comm));
		return true;
	}
	if (parse_powerpc_task(s, f))
		return true;
	/* csky */
	if (otst_begins(s, "COMM=") && (comm = strstr(s + 5, " PID="))) {
		value_of(comm, " PID=", &f->pid);
		set_comm(f, s + 5, (size_t)(comm - s - 5));
		return true;
	}
	if (otst_begins(s, "Process ") && (comm = strstr(s + 8, " (pid: "))) {
		value_of(comm, "(pid: ", &f->pid);
		set_comm(f, s + 8, (size_t)(comm - s - 8));
		return true;
	}
	/* the oops of 2.6: "CPU 1 ", i386 "CPU:    1" */
	if (otst_begins(s, "CPU ") || otst_begins(s, "CPU: ")) {
		const char *p = s + 4;

		p += strspn(p, " ");
		p += strspn(p, "0123456789");
		p += strspn(p, " \t");
		/* s390 and i386 of 2.6 */
		if (*p && !otst_begins(p, "Not tainted") && !otst_begins(p, "Tainted: "))
			return false;
		set_cpu(f, s, *(s + 3) == ':' ? "CPU:" : "CPU ");
		return f->cpu >= 0;
	}
	return false;
}

/* a decimal and the blanks around it; NULL when there is none */
static const char *skip_decimal(const char *s, int64_t *ret)
{
	char *end;

	s += strspn(s, " ");
	if (!isdigit((unsigned char)*s))
		return NULL;
	*ret = strtoll(s, &end, 10);
	return *end && *end != ' ' ? NULL : end + strspn(end, " ");
}

/* what follows the parent's pid: nothing, flags, or relatives and "(NOTLB)" */
static bool ends_task(const char *s)
{
	static const char *const ends[] = { "(NOTLB)", "(L-TLB)" };
	size_t i, len = strlen(s);

	while (len && s[len - 1] == ' ')
		len--;
	if (!len || otst_begins(s, "0x"))
		return true;
	for (i = 0; i < COUNT(ends); i++) {
		if (len >= 7 && !strncmp(s + len - 7, ends[i], 7))
			return true;
	}
	return false;
}

/*
 * show_task(), sched_show_task() up to 5.8, with a name of 13 columns, later 15:
 * "bash          D ffff88003fc14580     0  1234      1 0x00000080", in 2.6.18
 * "bash          S ffff810037d4be58     0  2345   2344                     (NOTLB)"
 */
static bool old_task_at(const char *s, size_t width, struct otst_log_facts *f)
{
	const char *p = s + width;
	int64_t unused, pid;
	size_t n;

	if (p[0] != ' ' || !p[1] || !strchr("RSDTtXZxKWPI?", p[1]) || p[2] != ' ')
		return false;
	p += 3 + strspn(p + 3, " ");
	if (otst_begins(p, "running task "))
		n = 13;
	else if (otst_begins(p, "running "))
		n = 8;
	else if ((n = strspn(p, "0123456789abcdefABCDEF")) != 8 && n != 16)
		n = 0;
	/* since 4.14 the address is hashed, and later left out */
	p = skip_decimal(p + n, &unused);
	p = p ? skip_decimal(p, &pid) : NULL;
	p = p ? skip_decimal(p, &unused) : NULL;
	if (!p || !ends_task(p))
		return false;
	f->pid = pid;
	for (n = width; n && s[n - 1] == ' '; n--)
		;
	set_comm(f, s, n);
	return true;
}

static bool old_task(const char *s, struct otst_log_facts *f)
{
	return strlen(s) >= 32 && (old_task_at(s, 15, f) || old_task_at(s, 13, f));
}

/* sysrq-t and hung tasks: "task:kworker/0:1 state:D stack:0 pid:12 ppid:2 ..." */
static bool task_line(const char *s, struct otst_log_facts *f)
{
	const char *state;
	size_t len;

	if (!otst_begins(s, "task:"))
		return old_task(s, f);
	state = strstr(s, " state:");
	if (!state || !value_of(state, " pid:", &f->pid))
		return false;
	for (len = (size_t)(state - s); len > 5 && s[len - 1] == ' '; len--)
		;
	set_comm(f, s + 5, len - 5);
	return true;
}

/* "[sh:123]" or "sh:123" or "sh/123" between @s and @end */
static void name_and_pid(struct otst_log_facts *f, const char *s, const char *end, char between)
{
	const char *p = end;

	while (p > s && isdigit((unsigned char)p[-1]))
		p--;
	if (p == end || p == s || p[-1] != between || p - 1 - s > 32)
		return;
	f->pid = strtoll(p, NULL, 10);
	set_comm(f, s, (size_t)(p - 1 - s));
}

/* what headlines say about cpu and task */
static void headline_facts(const char *s, struct otst_log_facts *f)
{
	const char *p, *end;

	set_cpu(f, s, "CPU: ");
	set_cpu(f, s, "CPU#");
	value_of(s, " PID: ", &f->pid);
	value_of(s, "by task ", &f->pid);
	if (otst_begins(s, "NMI backtrace for cpu"))
		set_cpu(f, s, "for cpu ");
	p = strstr(s, "CPU#");
	if (otst_begins(s, "WARNING:") && p && (p = strstr(p, ": ")))
		name_and_pid(f, p + 2, p + strlen(p), '/');
	if (strstr(s, "soft lockup") && (p = strrchr(s, '[')) && (end = strchr(p, ']')))
		name_and_pid(f, p + 1, end, ':');
	if (otst_begins(s, "INFO: task ") && (end = strstr(s, " blocked for more than")))
		name_and_pid(f, s + 11, end, ':');
	if ((p = strstr(s, "while atomic: "))) {
		p += strlen("while atomic: ");
		end = strstr(p, "/0x");
		if (end)
			name_and_pid(f, p, end, '/');
	}
}

static bool probe_at(const char *s, const char *at, struct otst_log_facts *f)
{
	if (!at || at == s || at - s > 600)
		return false;
	f->probe = s;
	f->probe_len = (size_t)(at - s);
	f->probe_addr = strtoull(at + 4, NULL, 16);
	return true;
}

/* what our modules, old ones included, print when a probe is hit */
static bool module_line(const char *s, struct otst_log_facts *f)
{
	static const char words[] = "triggered stacktrace for symbol ";
	const char *p;

	/* its only "gg"; strstr() would take a third of the time of lines that are of no trace */
	for (p = strchr(s, 'g'); p; p = strchr(p + 1, 'g')) {
		if (p[1] == 'g' && p - s >= 3 && !strncmp(p - 3, words, strlen(words)))
			break;
	}
	if (p) {
		p += strlen(words) - 3;
		f->handler = "otst";
		return probe_at(p, strstr(p, " at 0x"), f);
	}
	if (otst_begins(s, "allie: "))
		s += 7;
	if (otst_begins(s, "allie_") && (p = strstr(s, "_handler: "))) {
		p += strlen("_handler: ");
		f->handler = "allie";
		return probe_at(p, strstr(p, " at 0x"), f);
	}
	return false;
}

/* ftrace: "   bash-1234    [001] d..2.  121.770022: <stack trace>", on a console "bash-1234  1d..2" */
static bool ftrace_entry(const char *s, struct otst_log_facts *f)
{
	const char *end = s + strlen(s), *p, *dash = NULL;

	if (end - s < 13 || strcmp(end - 13, "<stack trace>") != 0)
		return false;
	end -= 13;
	for (p = s; p < end && *p != '[' && p - s < 32; p++) {
		if (*p == '-' && isdigit((unsigned char)p[1]))
			dash = p;
	}
	if (!dash)
		return true;
	name_and_pid(f, s, dash + 1 + strspn(dash + 1, "0123456789"), '-');
	p = dash + 1 + strspn(dash + 1, "0123456789");
	p += strspn(p, " [");
	if (isdigit((unsigned char)*p) && strtol(p, NULL, 10) < 65536)
		f->cpu = (int)strtol(p, NULL, 10);
	return true;
}

/* crash: "PID: 1234   TASK: ffff88003fc14580  CPU: 1   COMMAND: \"bash\"" */
static bool crash_task(const char *s, struct otst_log_facts *f)
{
	const char *comm = otst_begins(s, "PID: ") ? strstr(s, "COMMAND: \"") : NULL;
	const char *end = comm ? strrchr(comm + 10, '"') : NULL;

	if (!end || !strstr(s, " TASK: "))
		return false;
	value_of(s, "PID: ", &f->pid);
	set_cpu(f, s, " CPU: ");
	if (end > comm + 10)
		set_comm(f, comm + 10, (size_t)(end - comm - 10));
	return true;
}

/* "==> /proc/310/stack <==" of head and tail */
static bool stack_file(const char *s, struct otst_log_facts *f)
{
	return otst_begins(s, "==> /proc/") && strstr(s, "/stack <==") &&
	       value_of(s, "/proc/", &f->pid);
}

/* "ffff8801cfe17e00 ffffffffa0797080 ...": words of a stack */
static bool is_words(const char *s)
{
	size_t n, words = 0;

	while (*s) {
		n = strspn(s, "0123456789abcdef");
		if ((n != 16 && n != 8) || (s[n] && s[n] != ' '))
			return false;
		words++;
		for (s += n; *s == ' '; s++)
			;
	}
	return words > 0;
}

/* arm32, below "Exception stack": "1fa0:          00000000 00000001"; saved registers: "r5:c1 r4:0" */
static bool is_exception_stack(const char *s)
{
	if (*s == 'r' && isdigit((unsigned char)s[1]))
		return s[2 + (s[2] == '0')] == ':' || s[2] == ':';
	return strspn(s, "0123456789abcdef") == 4 && s[4] == ':' && s[5] == ' ' &&
	       is_words(s + 5 + strspn(s + 5, " "));
}

/* kmemleak: "comm "sh", pid 7, jiffies 4294894652 (age 8.600s)"; KASAN up to 4.11: "PID = 7" */
static bool is_fact(const char *s, struct otst_log_facts *f)
{
	const char *end;

	if (otst_begins(s, "PID = "))
		return value_of(s, "PID = ", &f->pid);
	if (!otst_begins(s, "comm \"") || !(end = strstr(s + 6, "\", pid ")) ||
	    !strstr(end, ", jiffies "))
		return false;
	value_of(end, ", pid ", &f->pid);
	set_comm(f, s + 6, (size_t)(end - s - 6));
	return true;
}

/* what is printed before an address in a line of its own: print_ip_sym() */
static bool is_aside(const char *s)
{
	size_t len = strlen(s);

	return otst_begins(s, "Preemption disabled at:") ||
	       (len > 6 && !strcmp(s + len - 5, ") at:") &&
		(strstr(s, " is trying to release lock (") ||
		 strstr(s, " is trying to contend lock (")));
}

/*
 * MIPS and LoongArch: "CPU 1 Unable to handle kernel paging request at virtual address ..",
 * and die(): "Oops[#1]:", "Reserved instruction in kernel code[#1]:"; ARC: "Oops"
 */
static bool is_reason(const char *s, struct otst_log_facts *f)
{
	const char *p = s + 4, *end;

	if (otst_begins(s, "CPU ")) {
		p += strspn(p, "0123456789");
		if (p == s + 4 || !otst_begins(p, " Unable to handle kernel "))
			return false;
		set_cpu(f, s, "CPU ");
		return true;
	}
	if (!strcmp(s, "Oops"))
		return true;
	end = strstr(s, "[#");
	return end && end > s && end[-1] != ' ' && isdigit((unsigned char)end[2]) &&
	       !strcmp(end + 2 + strspn(end + 2, "0123456789"), "]:");
}

/* "dd(310): Oops [#1]" of sparc, "dd(310): Oops 0" of alpha, "dd[310]: Oops 8813272891392 [1]" of ia64 */
static bool is_oops_of_task(const char *s, struct otst_log_facts *f)
{
	size_t n = strcspn(s, "([ "), digits = s[n] ? strspn(s + n + 1, "0123456789") : 0;
	const char *end = s + n + 1 + digits;

	if (!n || n > 16 || !digits || (s[n] != '(' && s[n] != '[') ||
	    *end != (s[n] == '(' ? ')' : ']') ||
	    !otst_begins(end, s[n] == '(' ? "): Oops" : "]: Oops"))
		return false;
	f->pid = strtoll(s + n + 1, NULL, 10);
	set_comm(f, s, n);
	return true;
}

/* "dd: page allocation failure: order:0" */
static bool is_allocation(const char *s)
{
	for (s = strchr(s, ':'); s; s = strchr(s + 1, ':')) {
		if (otst_begins(s, ": page allocation failure"))
			return true;
	}
	return false;
}

/* s390, below "Krnl Code:": "#000003ff7fd0a0e0: af000000		mc	0,0" */
static bool is_code(const char *s)
{
	s += *s == '#' || *s == '>';
	return strspn(s, "0123456789abcdef") == 16 && s[16] == ':' && s[17] == ' ';
}

/*
 * Of all that may fit a line the first counts: what is more special comes before what it looks like.
 * Each function returns OTST_LOG_OTHER when none of its own fits.
 */

/* lines around frames: they begin or end them, or stand for them */
static enum otst_log_kind trace_kind(const char *s, struct otst_log_facts *facts, const char **rest)
{
	const char *word = otst_words_begin(OTST_WORDS_START, s);

	if (word) {
		*rest = s + strlen(word);
		return OTST_LOG_START;
	}
	if (crash_task(s, facts) || stack_file(s, facts))
		return OTST_LOG_NEW;
	if (otst_begins(s, "--- <"))
		return OTST_LOG_NOTE;
	if (otst_begins(s, "Inexact backtrace:") || otst_begins(s, "Leftover inexact backtrace:"))
		return OTST_LOG_INEXACT;
	if (*s == '(' && strstr(s, " bytes of stack in memory)"))
		return OTST_LOG_NOTE;
	/* powerpc; repeated after the registers, without the place */
	if (otst_begins(s, "--- interrupt: "))
		return strstr(s, " at ") ? OTST_LOG_NOTE : OTST_LOG_EMPTY;
	if (otst_words_begin(OTST_WORDS_END, s) || otst_begins(s, "NMI backtrace for cpu ")) {
		/* "NMI backtrace for cpu 1 skipped: idling at f+0x1/0x2" */
		if (*s != 'N' || strstr(s, " skipped: "))
			return OTST_LOG_END;
	}
	return OTST_LOG_OTHER;
}

/* lines between a headline and the frames: parts of a report, and what they say of it */
static enum otst_log_kind report_kind(const char *s, struct otst_log_facts *facts)
{
	if (otst_log_is_part(s, facts))
		return OTST_LOG_PART;
	if (otst_begins(s, "stack backtrace:"))
		return OTST_LOG_BACK;
	if (is_fact(s, facts))
		return OTST_LOG_FACT;
	if (is_aside(s))
		return OTST_LOG_ASIDE;
	if (module_line(s, facts))
		return OTST_LOG_NEW;
	if (parse_head(s, facts))
		return OTST_LOG_HEAD;
	facts->is_task = task_line(s, facts);
	if (facts->is_task)
		return OTST_LOG_HEAD;
	return OTST_LOG_OTHER;
}

/* lines that begin a report */
static enum otst_log_kind headline_kind(const char *s, struct otst_log_facts *facts)
{
	if (otst_words_begin(OTST_WORDS_REST, s))
		return OTST_LOG_EMPTY;
	/* kmemleak's; SLUB's has an offset */
	if (otst_begins(s, "Object 0x") && strstr(s, " (size "))
		return OTST_LOG_NEW;
	if (otst_words_begin(OTST_WORDS_NEW, s)) {
		headline_facts(s, facts);
		return OTST_LOG_NEW;
	}
	if (otst_words_begin(OTST_WORDS_HEADLINE, s) || is_allocation(s) || is_reason(s, facts) ||
	    is_oops_of_task(s, facts)) {
		headline_facts(s, facts);
		return OTST_LOG_HEADLINE;
	}
	return ftrace_entry(s, facts) ? OTST_LOG_START : OTST_LOG_OTHER;
}

enum otst_log_kind otst_log_kind(const char *text, struct otst_log_facts *facts, const char **rest)
{
	const char *s = text + strspn(text, " \t");

	*facts = (struct otst_log_facts){ .cpu = -1, .pid = -1 };
	*rest = "";
	if (!*s || is_words(s) || is_code(s) || is_exception_stack(s))
		return OTST_LOG_EMPTY;
	return trace_kind(s, facts, rest) ?: report_kind(s, facts) ?: headline_kind(s, facts);
}
