// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * line.c - frames and marks in a line of the log, in the forms that
 * arch/x86/kernel/dumpstack.c (traps.c before 2.6.28) and arm64's stacktrace.c
 * have printed since 2.6:
 *
 *	 [<ffffffff8002a1b2>] :ext3:ext3_readpages+0x0/0x15	2.6 x86_64
 *	<ffffffff8010e5cd>{show_trace+12} <ffff...>{...}	before 2.6.18
 *	 <<EOE>>  <IRQ>  [<ffffffff814c0352>] ? netif_rx_ni+0x12/0x30
 *	 [] do_int3+0x39/0x6a			the address is lost, as in HTML
 *	 ? netif_rx+0x1/0x190 [mod 0123..ef]	since 4.10, with a build id
 *	 dput+0x10/0x20 (P)			arm64 since 6.12
 *	[c0000000053a7c20] [c00000000087b498] __handle_sysrq+0x148/0x370 (unreliable)	powerpc
 *	([<000000000010a4f6>] show_trace+0x1/0x1d)	s390: not reliable
 *	[<c010c2a4>] (unwind_backtrace) from [<c0108dfc>] (show_stack+0x10/0x14)	arm32
 *	 unwind_backtrace from show_stack+0x10/0x14	arm32 since 5.19
 *	[<0>] do_nanosleep+0x5d/0x180		/proc/PID/stack
 *	 => vfs_write				ftrace
 *	 #1 [ffffb2a6c0e4fd80] schedule at ffffffff9a3c2f0e	crash's bt
 *	vfs_write (fs/read_write.c:582) lab	decode_stacktrace.sh
 *	vfs_write+0xb8/0x3d0 fs/read_write.c:582	syzbot
 *	new_sync_write fs/read_write.c:503 [inline]
 *	core::ops::function::FnOnce::call_once+0x12/0x20	demangled
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "symbol.h"

/* "<ffffffff8010e5cd>{:mod:show_trace+12}" */
static const char *braced_frame(const char *s, struct otst_log_item *ret)
{
	size_t n = otst_log_hex(s + 1, &ret->addr);
	const char *p = s + 1 + n;

	if (n < 8 || strncmp(p, ">{", 2))
		return NULL;
	p += 2;
	if (*p == ':') {
		ret->module = ++p;
		p = otst_log_skip_module(p);
		ret->module_len = (size_t)(p - ret->module);
		if (*p++ != ':')
			return NULL;
	}
	ret->text = p;
	p = otst_log_skip_name(p);
	if (*p++ != '+')
		return NULL;
	while (isdigit((unsigned char)*p))
		p++;
	ret->len = (size_t)(p - ret->text);
	ret->decimal = true;
	return *p == '}' ? p + 1 : NULL;
}

/*
 * " (P)", " (unreliable)"; before it, on powerpc, " (vfs_read+0x1/0x20)": where
 * function graph returns to
 */
static const char *skip_annotation(const char *s, struct otst_log_item *ret)
{
	struct otst_log_item to = { 0 };
	const char *p = s + 2;

	if (strncmp(s, " (", 2))
		return s;
	p = otst_log_symbol(s + 2, false, &to);
	if (p && *p == ')')
		return skip_annotation(p + 1, ret);
	p = s + 2;
	if (!strncmp(p, "unreliable)", 11)) {
		ret->reliable = false;
		return p + 11;
	}
	while (isupper((unsigned char)*p))
		p++;
	if (p == s + 2 || p > s + 6 || *p != ')')
		return s;
	ret->letters = s + 2;
	ret->nr_letters = (size_t)(p - s - 2);
	return p + 1;
}

static const char *parse_guess(const char *s, struct otst_log_item *ret)
{
	if (*s != '?' || s[1] != ' ')
		return s;
	ret->reliable = false;
	return otst_log_skip_blanks(s + 1);
}

/* "[f+19/112]", and behind it, since 2.6, the kernel's own "f+0x13/0x70 [lab]", which knows more */
static const char *klogd_frame(const char *s, struct otst_log_item *ret)
{
	struct otst_log_item own = *ret, klogd = *ret;
	const char *end = otst_log_klogd(s, &klogd), *p;

	if (!end)
		return NULL;
	p = parse_guess(otst_log_skip_blanks(end), &own);
	p = otst_log_symbol(p, false, &own);
	*ret = p ? own : klogd;
	return p ?: end;
}

/* one frame without parentheses around it; where it ends, or NULL */
static const char *plain_frame(const char *s, struct otst_log_item *ret)
{
	const char *p, *alone, *behind;
	uint64_t addr = 0;
	bool bracketed;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true };
	s = parse_guess(s, ret);
	p = *s == '<' ? braced_frame(s, ret) : NULL;
	if (p)
		return p;
	ret->addr = 0;
	p = *s == '[' ? klogd_frame(s, ret) : NULL;
	if (p)
		return p;
	/* the stack pointer comes first; on sparc, and on powerpc up to 2.6.17, there is none */
	alone = otst_log_in_square(s, &addr);
	behind = alone ? otst_log_in_square(alone, &addr) : otst_log_bracketed(s, &addr);
	bracketed = behind;
	if (bracketed || alone)
		s = parse_guess(otst_log_skip_blanks(behind ?: alone), ret);
	p = otst_log_bare_address(s, bracketed, ret);
	p = p ?: otst_log_symbol(s, bracketed, ret);
	p = p ?: otst_log_decoded(s, ret);
	if (!p && bracketed)
		p = otst_log_null(s, ret);
	if (addr)
		ret->addr = addr;
	/* a kernel without symbols prints the address alone */
	if (!p && bracketed && addr && (!*s || *s == '[' || *s == '<'))
		return behind;
	if (!p)
		return NULL;
	p = skip_annotation(p, ret);
	return otst_log_source(p, ret);
}

/* one frame; where it ends, or NULL */
static const char *frame_item(const char *s, struct otst_log_item *ret)
{
	bool inside = !strncmp(s, "([<", 3);
	const char *p = plain_frame(s + inside, ret);

	if (p && inside) {
		ret->reliable = false;
		p = *p == ')' ? p + 1 : NULL;
	}
	return p && otst_log_ends_word(*p) ? p : NULL;
}

/* lockdep: "..." in a line before frames, or before the first of them; where it ends, or NULL */
static const char *dots_item(const char *s, struct otst_log_item *ret)
{
	if (strncmp(s, "...", 3) != 0 || !otst_log_ends_word(s[3]))
		return NULL;
	*ret = (struct otst_log_item){ .kind = OTST_LINE_MARK, .text = s, .reliable = true };
	ret->len = 3;
	return s + 3;
}

/* "<IRQ>", "</IRQ>", "<<EOE>>", "<#DB>"; where it ends, or NULL */
static const char *parse_mark(const char *s, struct otst_log_item *ret)
{
	const char *p = s;

	if (*p++ != '<')
		return NULL;
	if (*p == '<' || *p == '/')
		p++;
	if (!isupper((unsigned char)*p) && *p != '#')
		return NULL;
	while (isalnum((unsigned char)*p) || *p == '_' || *p == '#' || *p == '?')
		p++;
	if (*p++ != '>')
		return NULL;
	if (*p == '>')
		p++;
	*ret = (struct otst_log_item){ .kind = OTST_LINE_MARK, .text = s, .reliable = true };
	ret->len = (size_t)(p - s);
	return ret->len <= 32 && otst_log_ends_word(*p) ? p : NULL;
}

/* "[<c010c2a4>] (f) from", " f from"; where it ends, or NULL */
static const char *arm_callee(const char *s, struct otst_log_item *ret)
{
	const char *p;
	uint64_t addr = 0;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true, .callee = true };
	p = otst_log_bracketed(s, &addr);
	if (p ? *p == ' ' && p[1] == '(' : *s == '(') {
		s = p ? p + 2 : s + 1;
		p = otst_log_bare_address(s, true, ret)	  ?:
			    otst_log_symbol(s, true, ret) ?:
							    otst_log_plain_symbol(s, ret);
		p = p && *p == ')' ? p + 1 : NULL;
	} else {
		p = otst_log_plain_symbol(s, ret);
	}
	ret->addr = addr ? addr : ret->addr;
	return p && !strncmp(p, " from ", 6) ? p + 6 : NULL;
}

/* "[<c0108dfc>] (g+0x10/0x14)", "g+0x10/0x14" */
static const char *arm_caller(const char *s, struct otst_log_item *ret)
{
	const char *p;
	uint64_t addr = 0;
	bool inside;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true };
	p = otst_log_bracketed(s, &addr);
	if (p && (*p != ' ' || p[1] != '('))
		return NULL;
	inside = p || *s == '(';
	s = p ? p + 2 : s + inside;
	p = otst_log_symbol(s, true, ret) ?: otst_log_bare_address(s, true, ret);
	if (p && inside)
		p = *p == ')' ? p + 1 : NULL;
	ret->addr = addr ? addr : ret->addr;
	return p && !*otst_log_skip_blanks(p) ? p : NULL;
}

/* a line of arm32: two items, or 0 */
static size_t arm_items(const char *s, struct otst_log_item *items)
{
	s = arm_callee(s, &items[0]);
	return s && arm_caller(s, &items[1]) ? 2 : 0;
}

/* "=> vfs_write" of ftrace; 0 when it is none */
static size_t ftrace_item(const char *s, struct otst_log_item *ret)
{
	const char *p;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true };
	if (strncmp(s, "=> ", 3) != 0)
		return 0;
	s = otst_log_skip_blanks(s + 3);
	p = otst_log_symbol(s, true, ret) ?: otst_log_plain_symbol(s, ret);
	return p && !*otst_log_skip_blanks(p);
}

/* "#1 [ffffb2a6c0e4fd80] schedule+0x2a at ffffffff9a3c2f0e [mod]" of crash; 0 when it is none */
static size_t crash_item(const char *s, struct otst_log_item *ret)
{
	uint64_t stack;
	size_t n;
	char *end;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true };
	if (*s != '#' || !isdigit((unsigned char)s[1]))
		return 0;
	ret->exact = !strtoul(s + 1, &end, 10);
	s = otst_log_skip_blanks(end);
	if (*s != '[' || (n = otst_log_hex(s + 1, &stack)) < 8 || strncmp(s + 1 + n, "] ", 2) != 0)
		return 0;
	s = otst_log_plain_name(s + 3 + n, ret);
	if (s && *s == '+') {
		ret->decimal = isdigit((unsigned char)s[1]) && s[2] != 'x';
		s += 1 + strspn(s + 1, "0123456789abcdefx");
		ret->len = (size_t)(s - ret->text);
	}
	if (!s || strncmp(s, " at ", 4) != 0)
		return 0;
	n = otst_log_hex(s + 4, &ret->addr);
	s += 4 + n;
	if (n < 8 || !otst_log_ends_word(*s))
		return 0;
	s = otst_log_skip_blanks(s);
	if (*s == '[') {
		ret->module = s + 1;
		ret->module_len = strcspn(s + 1, "]");
	}
	return 1;
}

/* lines that programs print, and processors of their own way; how many items, or 0 */
static size_t other_items(const char *s, struct otst_log_item *items)
{
	if (*s == '=')
		return ftrace_item(s, items);
	return *s == '#' ? crash_item(s, items) : arm_items(s, items);
}

const char *otst_log_one(const char *s, struct otst_log_item *ret)
{
	return parse_mark(s, ret) ?: plain_frame(s, ret);
}

/* what people write behind a frame: "<-- here", "// the caller" */
static bool is_remark(const char *s)
{
	return (*s == '<' && (s[1] == '-' || s[1] == '=')) || (*s == '/' && s[1] == '/');
}

size_t otst_log_items(const char *text, struct otst_log_item *items)
{
	const char *s = otst_log_skip_blanks(text), *p;
	size_t n = other_items(s, items);

	if (n)
		return n;
	for (n = 0; *s; n++) {
		if (n == OTST_LOG_ITEMS)
			return n;
		p = parse_mark(s, &items[n]);
		p = p ?: (*s == '.' && !n ? dots_item(s, &items[n]) : NULL);
		p = p ?: frame_item(s, &items[n]);
		if (!p)
			return 0;
		s = otst_log_skip_blanks(p);
		s = is_remark(s) ? "" : s;
	}
	return n;
}

bool otst_log_is_cut(const char *text)
{
	struct otst_log_item item;
	const char *s = parse_guess(otst_log_skip_blanks(text), &item), *p;
	uint64_t addr = 0;

	p = otst_log_bracketed(s, &addr);
	s = p ? parse_guess(otst_log_skip_blanks(p), &item) : s;
	p = otst_log_symbol_name(s);
	return p && !strncmp(p, "+0x", 3) &&
	       !*otst_log_skip_blanks(p + 3 + strspn(p + 3, "0123456789abcdef/x"));
}
