// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * part.c - lines that begin a part of a report: a stack that was kept when something
 * happened before, and belongs to another task, cpu and time than the report.
 *
 *	allocated by task 7 on cpu 1 at 12.345678s:	KFENCE, KASAN since 6.9
 *	Allocated by task 7:				KASAN
 *	Allocated:					KASAN up to 4.11, "PID = 7" follows
 *	Freed in f+0x1/0x2 [lab] age=7 cpu=1 pid=7	SLUB, with "INFO: " before it up to 5.12
 *	page last free pid 7 tgid 7 stack trace:	page_owner
 *	write to 0xffff888000000000 of 8 bytes by task 7 on cpu 1:	KCSAN
 *	Register r5 information: slab kmalloc-64 start c115c000 pointer offset 8 size 64 allocated at f+0x1/0x2
 *	 Free path:					arm32, and mem_dump_obj()
 *	-> #1 (&lab->lock){+.+.}-{3:3}:			lockdep
 *	{HARDIRQ-ON-W} state was registered at:		lockdep
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define SECOND	 UINT64_C(1000000000)

static bool ends_in(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(s + len - n, end, n);
}

/* the decimal behind @key; where it ends, NULL when there is none */
static const char *number_after(const char *s, const char *key, uint64_t *ret)
{
	const char *p = strstr(s, key);
	char *end;

	if (!p || !isdigit((unsigned char)p[strlen(key)]))
		return NULL;
	*ret = strtoull(p + strlen(key), &end, 10);
	return end;
}

static void take_pid(struct otst_log_facts *f, const char *s, const char *key)
{
	uint64_t v;

	if (number_after(s, key, &v) && v <= INT32_MAX)
		f->pid = (int64_t)v;
}

static void take_cpu(struct otst_log_facts *f, const char *s, const char *key)
{
	uint64_t v;

	if (number_after(s, key, &v) && v < 65536)
		f->cpu = (int)v;
}

/* " at 12.345678s:" */
static void take_seconds(struct otst_log_facts *f, const char *s)
{
	uint64_t seconds, micro;
	const char *end = number_after(s, " at ", &seconds);

	if (!end || *end != '.' || strspn(end + 1, "0123456789") != 6 || end[7] != 's' ||
	    seconds > UINT32_MAX)
		return;
	micro = strtoull(end + 1, NULL, 10);
	f->has_time = true;
	f->time = seconds * SECOND + micro * 1000;
}

/*
 * kasan_print_track(), kfence_print_stack(). KFENCE of 5.12 has it behind the object:
 * "kfence-#77 [0x..-0x.., size=32, cache=kmalloc-32] allocated by task 7:"
 */
static bool is_track(const char *s, struct otst_log_facts *f)
{
	static const char *const words[] = { "Allocated by task ", "Freed by task ",
					     "allocated by task ", "freed by task " };

	if (otst_begins(s, "kfence-#")) {
		s = strstr(s, "] ");
		if (!s)
			return false;
		s += 2;
	}
	for (size_t i = 0; i < COUNT(words); i++) {
		if (!otst_begins(s, words[i]))
			continue;
		take_pid(f, s, "by task ");
		take_cpu(f, s, " on cpu ");
		take_seconds(f, s);
		return true;
	}
	return false;
}

/* KASAN's and KMSAN's other stacks; those of KASAN up to 4.11 */
static bool is_origin(const char *s, size_t len)
{
	static const char *const words[] = {
		"Last potentially related work creation:",
		"Second to last potentially related work creation:",
		"Last call_rcu():",
		"Second to last call_rcu():",
		"Uninit was ",
		"Local variable ",
	};
	static const char *const alone[] = { "Allocated:", "Freed:", "Allocation:",
					     "Deallocation:" };

	for (size_t i = 0; i < COUNT(words); i++) {
		if (otst_begins(s, words[i]))
			return true;
	}
	for (size_t i = 0; i < COUNT(alone); i++) {
		if (len == strlen(alone[i]) && otst_begins(s, alone[i]))
			return true;
	}
	return false;
}

/* print_track() of mm/slub.c */
static bool is_slub(const char *s, struct otst_log_facts *f)
{
	if (otst_begins(s, "INFO: "))
		s += 6;
	if ((!otst_begins(s, "Allocated in ") && !otst_begins(s, "Freed in ")) ||
	    !strstr(s, " age="))
		return false;
	take_cpu(f, s, " cpu=");
	take_pid(f, s, " pid=");
	return true;
}

/* __dump_page_owner(), print_page_owner(); the first tells the time of the second, too */
static bool is_page_owner(const char *s, struct otst_log_facts *f)
{
	const char *open, *close;
	uint64_t ns;

	if (otst_begins(s, "page last free ")) {
		take_pid(f, s, "free pid ");
		f->was_freed = true;
		return true;
	}
	if (!otst_begins(s, "page last allocated via ") && !otst_begins(s, "page allocated via ") &&
	    !otst_begins(s, "Page allocated via "))
		return false;
	take_pid(f, s, ", pid ");
	open = strstr(s, ", tgid ");
	open = open ? strchr(open, '(') : NULL;
	close = open ? strstr(open, "), ts ") : NULL;
	if (close && close > open + 1 && close - open <= 32) {
		f->comm = open + 1;
		f->comm_len = (size_t)(close - open - 1);
	}
	f->has_time = number_after(s, ", ts ", &ns);
	f->time = f->has_time ? ns : 0;
	f->free_time = number_after(s, ", free_ts ", &ns) ? ns : 0;
	return true;
}

/* kmem_dump_obj() of mm/slab_common.c: the stacks that allocated and freed what a register points to */
static bool is_object(const char *s, size_t len)
{
	return (len == 10 && otst_begins(s, "Free path:")) ||
	       (strstr(s, " pointer offset ") && strstr(s, " allocated at "));
}

/* print_report() of kernel/kcsan/report.c */
static bool is_access(const char *s, struct otst_log_facts *f)
{
	const char *by = strstr(s, " bytes by ");

	if (!by || !strstr(by, " on cpu ") || !strstr(s, " to 0x"))
		return false;
	take_pid(f, by, " by task ");
	take_cpu(f, by, " on cpu ");
	f->is_own = otst_begins(s, "race at unknown origin");
	return true;
}

/* "   HARDIRQ-ON-W at:", of a lock's class; "(ops: 7) {" comes before them */
static bool is_usage(const char *s)
{
	size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ");

	return n > 3 && !strcmp(s + n, "at:");
}

static bool is_lockdep(const char *s, size_t len)
{
	return otst_begins(s, "-> #") || ends_in(s, len, " state was registered at:") ||
	       (ends_in(s, len, " at:") &&
		(otst_begins(s, "... which became ") || otst_begins(s, "... acquired at:"))) ||
	       is_usage(s);
}

bool otst_log_is_part(const char *s, struct otst_log_facts *facts)
{
	size_t len = strlen(s);

	while (len && (s[len - 1] == ' ' || s[len - 1] == '\r'))
		len--;
	/* most lines end in something else */
	if (!len || (s[len - 1] != ':' && !strchr("AFIPRpUs", *s)))
		return false;
	return is_track(s, facts) || is_origin(s, len) || is_object(s, len) || is_slub(s, facts) ||
	       is_page_owner(s, facts) || (s[len - 1] == ':' && is_access(s, facts)) ||
	       (s[len - 1] == ':' && is_lockdep(s, len));
}
