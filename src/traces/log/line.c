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

#include "log.h"

static bool is_hex(char c)
{
	return isdigit((unsigned char)c) || (c >= 'a' && c <= 'f');
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* a byte that no compiler puts into a name, and that a module's symbol table may have */
static bool is_odd(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x7f || (byte && byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r');
}

/* "\x1b", as the kernel and dmesg write such a byte */
static bool is_written_byte(const char *s)
{
	return *s == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) &&
	       isxdigit((unsigned char)s[3]);
}

/* how many bytes the next character of a name has; 0 where it ends */
static size_t name_bytes(const char *s)
{
	if (is_name(*s))
		return 1;
	if (is_odd(*s))
		return *s == '\33' ? 1 + otst_log_escape(s + 1) : 1;
	return is_written_byte(s) ? 4 : 0;
}

static const char *skip_name(const char *s)
{
	size_t n;

	do {
		while (is_name(*s))
			s++;
		n = name_bytes(s);
		s += n;
	} while (n);
	return s;
}

/* printk's "\0014", which is a level, is none */
static bool begins_name(const char *s)
{
	if (*s == '\1' && s[1] && strchr("01234567cd", s[1]))
		return false;
	return name_bytes(s) && !isdigit((unsigned char)*s);
}

size_t otst_log_escape(const char *s)
{
	const char *p = s + 1;

	if (*s == '(')
		return isalnum((unsigned char)s[1]) ? 2 : 0;
	if (*s != '[')
		return 0;
	while (*p >= '0' && *p <= '?')
		p++;
	while (*p >= ' ' && *p <= '/')
		p++;
	return *p >= '@' && *p <= '~' ? (size_t)(p + 1 - s) : 0;
}

/* where an escape sequence that ends at @s begins, or @s */
static const char *escape_start(const char *text, const char *s)
{
	const char *p = s - 1;

	while (p > text && *p >= ' ' && *p <= '?')
		p--;
	return p > text && p[-1] == '\33' && otst_log_escape(p) == (size_t)(s - p) ? p - 1 : s;
}

const char *otst_log_name_start(const char *text, const char *s)
{
	const char *start = s;

	do {
		s = start;
		if (s > text && (is_name(s[-1]) || is_odd(s[-1]) || is_written_byte(s - 1)))
			start = s - 1;
		/* its last byte may be a letter */
		if (s > text)
			start = escape_start(text, s) < s ? escape_start(text, s) : start;
	} while (start < s);
	return s;
}

/* hexadecimal digits without "0x"; how many, or 0 */
static size_t parse_hex(const char *s, uint64_t *ret)
{
	size_t n;

	*ret = 0;
	for (n = 0; n <= 16 && is_hex(s[n]); n++)
		*ret = *ret << 4 |
		       (uint64_t)(isdigit((unsigned char)s[n]) ? s[n] - '0' : s[n] - 'a' + 10);
	return n <= 16 ? n : 0;
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

static bool ends_word(char c)
{
	return !c || c == ' ' || c == '\t';
}

/* "+0x1/0x1d", or NULL */
static const char *offset_and_size(const char *s, bool need_size)
{
	uint64_t v;
	size_t n;

	if (strncmp(s, "+0x", 3))
		return NULL;
	n = parse_hex(s + 3, &v);
	if (!n)
		return NULL;
	s += 3 + n;
	if (strncmp(s, "/0x", 3))
		return need_size ? NULL : s;
	n = parse_hex(s + 3, &v);
	return n ? s + 3 + n : NULL;
}

static const char *skip_module_name(const char *s)
{
	for (size_t n; (n = *s == '-' ? 1 : name_bytes(s)); s += n)
		;
	return s;
}

/* " [mod]", " [mod 0123..ef]" after a symbol; where it ends, or @s when there is none */
static const char *skip_module(const char *s)
{
	const char *p = s;

	if (strncmp(p, " [", 2))
		return s;
	for (p += 2; is_name(*p) || (*p && !strchr(" \t[]<>", *p)); p++)
		;
	if (*p == ' ') {
		for (p++; is_hex(*p); p++)
			;
	}
	return p > s + 2 && *p == ']' ? p + 1 : s;
}

/* "<a::B as c::D<u8>>", "{closure#0}", "[846817f741e54dfd]"; where it ends, or NULL */
static const char *skip_group(const char *s)
{
	const char *p = s;
	int depth = 0;

	do {
		if (strchr("<{[(", *p))
			depth++;
		/* "<fn() -> u8>" */
		else if (strchr(">}])", *p) && !(*p == '>' && p[-1] == '-'))
			depth--;
		p++;
	} while (depth > 0 && (unsigned char)*p >= ' ' && p - s < OTST_LOG_GROUP);
	return depth ? NULL : p;
}

/* Rust's path, as demanglers write it, of two parts at least: "<a::B as c::D>::f"; where it ends, or NULL */
static const char *rust_name(const char *s)
{
	const char *end;
	size_t parts;

	for (parts = 1;; parts++, s = end + 2) {
		end = begins_name(s) ? skip_name(s) : s;
		while (end && (*end == '<' || *end == '{' || *end == '['))
			end = skip_group(end);
		if (!end || end == s)
			return NULL;
		if (strncmp(end, "::", 2) != 0)
			return parts > 1 ? end : NULL;
	}
}

/* where the name at @s ends, or NULL; a number is not one */
static const char *symbol_name(const char *s)
{
	const char *p = begins_name(s) ? skip_name(s) : s;

	if (*p == '<' || (p > s && *p && strchr(":{[", *p)))
		return rust_name(s);
	return p > s ? p : NULL;
}

/* "name+0x1/0x1d [mod]" */
static const char *parse_symbol(const char *s, bool bracketed, struct otst_log_item *ret)
{
	const char *p = s;

	if (*p == ':') {
		ret->module = ++p;
		p = skip_module_name(p);
		ret->module_len = (size_t)(p - ret->module);
		if (*p++ != ':' || !ret->module_len)
			return NULL;
		s = p;
	}
	/* old arm64 and powerpc64 print a function descriptor's dot */
	p = symbol_name(p);
	p = p ? offset_and_size(p, !bracketed) : NULL;
	if (!p)
		return NULL;
	if (!ret->module)
		p = skip_module(p);
	ret->text = s;
	ret->len = (size_t)(p - s);
	return p;
}

/* "fs/read_write.c:582", "??:?"; where it ends, or NULL */
static const char *skip_place(const char *s)
{
	const char *p = s;

	while (*p && *p != ' ' && *p != ':' && *p != ')')
		p++;
	if (p == s || *p != ':')
		return NULL;
	if (p[1] == '?' || p[1] == '0')
		return p - s == 2 && !strncmp(s, "??", 2) ? p + 2 : NULL;
	s = ++p;
	while (isdigit((unsigned char)*p))
		p++;
	return p > s ? p : NULL;
}

/* "(a.h:3 a.c:12 (discriminator 4))": the calls inlined there come first; where it ends, or NULL */
static const char *source_places(const char *s, struct otst_log_item *ret)
{
	const char *p = s + 1, *end;

	if (*s != '(')
		return NULL;
	ret->source = p;
	while ((end = skip_place(p))) {
		ret->source_len = (size_t)(end - ret->source);
		p = end;
		if (!strncmp(p, " (discriminator ", 16)) {
			p += 16 + strspn(p + 16, "0123456789");
			if (*p++ != ')')
				return NULL;
		}
		if (*p == ')')
			return p + 1;
		if (*p++ != ' ')
			return NULL;
	}
	return NULL;
}

/* a name without an offset */
static const char *plain_name(const char *s, struct otst_log_item *ret)
{
	const char *p = s;

	if (!begins_name(p))
		return NULL;
	p = skip_name(p);
	ret->text = s;
	ret->len = (size_t)(p - s);
	return p;
}

/* "f", "f [mod]" */
static const char *name_and_module(const char *s, struct otst_log_item *ret)
{
	const char *p = plain_name(s, ret);

	p = p ? skip_module(p) : NULL;
	ret->len = p ? (size_t)(p - s) : 0;
	return p;
}

/* "f (a.c:12) mod", "f a.c:12 [inline]" */
static const char *decoded_name(const char *s, struct otst_log_item *ret)
{
	const char *p = symbol_name(s), *end;

	if (!p || *p != ' ')
		return NULL;
	ret->text = s;
	ret->len = (size_t)(p - s);
	end = source_places(p + 1, ret);
	if (end) {
		/* the module is a word */
		p = end + 1;
		if (*end != ' ' || !name_bytes(p))
			return end;
		p = skip_module_name(p);
		if (!ends_word(*p))
			return end;
		ret->module = end + 1;
		ret->module_len = (size_t)(p - ret->module);
		return p;
	}
	end = skip_place(p + 1);
	if (!end || strncmp(end, " [inline]", 9) != 0)
		return NULL;
	ret->source = p + 1;
	ret->source_len = (size_t)(end - p - 1);
	ret->inlined = true;
	return end + 9;
}

static const char *decoded_source(const char *s, struct otst_log_item *ret)
{
	struct otst_log_item item = *ret;
	const char *end = decoded_name(s, &item);

	if (end)
		*ret = item;
	return end;
}

/* " a.c:12", " (a.c:12)" behind a symbol with its offset */
static const char *source_behind(const char *s, struct otst_log_item *ret)
{
	const char *end = *s == ' ' ? skip_place(s + 1) : NULL;

	if (!strncmp(s, " (", 2)) {
		struct otst_log_item item = *ret;

		end = source_places(s + 1, &item);
		if (end && memchr(item.source, '.', item.source_len))
			*ret = item;
		else
			end = s;
		return end;
	}
	if (!end || !ends_word(*end) || !memchr(s, '.', (size_t)(end - s)))
		return s;
	ret->source = s + 1;
	ret->source_len = (size_t)(end - s - 1);
	return end;
}

/* "0xffffffffa002838a": an address that the kernel has no name for */
static const char *bare_frame(const char *s, bool bracketed, struct otst_log_item *ret)
{
	uint64_t v;
	size_t n;

	if (strncmp(s, "0x", 2))
		return NULL;
	n = parse_hex(s + 2, &v);
	if (!n || (n < 8 && !bracketed))
		return NULL;
	ret->addr = v;
	ret->text = s;
	ret->len = n + 2;
	return s + n + 2;
}

/*
 * "[<          (null)>]": how kernels up to 4.15 print the address 0; "[<(____ptrval____)>]",
 * in 4.15 "[<        (ptrval)>]": before they can hash it. NULL if this is not one
 */
const char *otst_log_no_address(const char *s)
{
	static const char *const words[] = { "(null)>]", "(ptrval)>]", "(____ptrval____)>]" };

	if (strncmp(s, "[<", 2) != 0)
		return NULL;
	s = skip_blanks(s + 2);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (otst_begins(s, words[i]))
			return s + strlen(words[i]);
	}
	return NULL;
}

/* "[<ffffffffa002838b>]" or "[]"; NULL when neither */
static const char *bracket_item(const char *s, uint64_t *addr)
{
	size_t n;

	if (!strncmp(s, "[]", 2))
		return s + 2;
	/* /proc/PID/stack hides addresses */
	if (!strncmp(s, "[<0>]", 5))
		return s + 5;
	if (strncmp(s, "[<", 2))
		return NULL;
	if (s[2] == ' ' || s[2] == '(')
		return otst_log_no_address(s);
	n = parse_hex(s + 2, addr);
	return n >= 8 && !strncmp(s + 2 + n, ">]", 2) ? s + 4 + n : NULL;
}

/* "(null)" behind its address; where it ends, or NULL */
static const char *null_symbol(const char *s, struct otst_log_item *ret)
{
	if (strncmp(s, "(null)", 6) != 0)
		return NULL;
	ret->text = s;
	ret->len = 6;
	return s + 6;
}

/* "[c00000000087b498]" on powerpc; NULL if this is not one */
static const char *square_frame(const char *s, uint64_t *addr)
{
	size_t n = *s == '[' ? parse_hex(s + 1, addr) : 0;

	return n >= 8 && s[n + 1] == ']' && s[n + 2] == ' ' ? skip_blanks(s + n + 2) : NULL;
}

/* "<ffffffff8010e5cd>{:mod:show_trace+12}" */
static const char *braced_frame(const char *s, struct otst_log_item *ret)
{
	size_t n = parse_hex(s + 1, &ret->addr);
	const char *p = s + 1 + n;

	if (n < 8 || strncmp(p, ">{", 2))
		return NULL;
	p += 2;
	if (*p == ':') {
		ret->module = ++p;
		p = skip_module_name(p);
		ret->module_len = (size_t)(p - ret->module);
		if (*p++ != ':')
			return NULL;
	}
	ret->text = p;
	p = skip_name(p);
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
	p = parse_symbol(s + 2, false, &to);
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
	return skip_blanks(s + 1);
}

/* one frame without parentheses around it; where it ends, or NULL */
static const char *plain_frame(const char *s, struct otst_log_item *ret)
{
	const char *p;
	uint64_t addr = 0;
	bool bracketed;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true };
	s = parse_guess(s, ret);
	p = *s == '<' ? braced_frame(s, ret) : NULL;
	if (p)
		return p;
	ret->addr = 0;
	/* the stack pointer comes first */
	p = square_frame(s, &addr);
	p = p ? square_frame(p, &addr) : bracket_item(s, &addr);
	bracketed = p;
	if (bracketed)
		s = parse_guess(skip_blanks(p), ret);
	p = bare_frame(s, bracketed, ret);
	p = p ?: parse_symbol(s, bracketed, ret);
	p = p ?: decoded_source(s, ret);
	if (!p && bracketed)
		p = null_symbol(s, ret);
	if (addr)
		ret->addr = addr;
	/* a kernel without symbols prints the address alone */
	if (!p && bracketed && addr && (!*s || *s == '[' || *s == '<'))
		return s;
	if (!p)
		return NULL;
	p = skip_annotation(p, ret);
	return source_behind(p, ret);
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
	return p && ends_word(*p) ? p : NULL;
}

/* lockdep: "..." in a line before frames, or before the first of them; where it ends, or NULL */
static const char *dots_item(const char *s, struct otst_log_item *ret)
{
	if (strncmp(s, "...", 3) != 0 || !ends_word(s[3]))
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
	return ret->len <= 32 && ends_word(*p) ? p : NULL;
}

/* "[<c010c2a4>] (f) from", " f from"; where it ends, or NULL */
static const char *arm_callee(const char *s, struct otst_log_item *ret)
{
	const char *p;
	uint64_t addr = 0;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_FRAME, .reliable = true, .callee = true };
	p = bracket_item(s, &addr);
	if (p ? *p == ' ' && p[1] == '(' : *s == '(') {
		s = p ? p + 2 : s + 1;
		p = bare_frame(s, true, ret)	       ?:
			    parse_symbol(s, true, ret) ?:
							 name_and_module(s, ret);
		p = p && *p == ')' ? p + 1 : NULL;
	} else {
		p = name_and_module(s, ret);
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
	p = bracket_item(s, &addr);
	if (p && (*p != ' ' || p[1] != '('))
		return NULL;
	inside = p || *s == '(';
	s = p ? p + 2 : s + inside;
	p = parse_symbol(s, true, ret) ?: bare_frame(s, true, ret);
	if (p && inside)
		p = *p == ')' ? p + 1 : NULL;
	ret->addr = addr ? addr : ret->addr;
	return p && !*skip_blanks(p) ? p : NULL;
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
	s = skip_blanks(s + 3);
	p = parse_symbol(s, true, ret) ?: name_and_module(s, ret);
	return p && !*skip_blanks(p);
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
	s = skip_blanks(end);
	if (*s != '[' || (n = parse_hex(s + 1, &stack)) < 8 || strncmp(s + 1 + n, "] ", 2) != 0)
		return 0;
	s = plain_name(s + 3 + n, ret);
	if (s && *s == '+') {
		ret->decimal = isdigit((unsigned char)s[1]) && s[2] != 'x';
		s += 1 + strspn(s + 1, "0123456789abcdefx");
		ret->len = (size_t)(s - ret->text);
	}
	if (!s || strncmp(s, " at ", 4) != 0)
		return 0;
	n = parse_hex(s + 4, &ret->addr);
	s += 4 + n;
	if (n < 8 || !ends_word(*s))
		return 0;
	s = skip_blanks(s);
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

size_t otst_log_items(const char *text, struct otst_log_item *items)
{
	const char *s = skip_blanks(text), *p;
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
		s = skip_blanks(p);
	}
	return n;
}

bool otst_log_is_cut(const char *text)
{
	struct otst_log_item item;
	const char *s = parse_guess(skip_blanks(text), &item), *p;
	uint64_t addr = 0;

	p = bracket_item(s, &addr);
	s = p ? parse_guess(skip_blanks(p), &item) : s;
	p = symbol_name(s);
	return p && !strncmp(p, "+0x", 3) &&
	       !*skip_blanks(p + 3 + strspn(p + 3, "0123456789abcdef/x"));
}

/* s390: "0704c00180000000 00000000001f226c (hrtimer_nanosleep+0xc/0xd0)"; NULL when it is none */
static const char *psw_item(const char *s, uint64_t *addr)
{
	uint64_t ip;

	if (parse_hex(s, &ip) != 16 || s[16] != ' ' || parse_hex(s + 17, &ip) != 16)
		return NULL;
	*addr = ip;
	s = skip_blanks(s + 33);
	return *s == '(' ? s + 1 : s;
}

/* crash: "[exception RIP: sysrq_handle_crash+22]" */
static bool exception_ip(const char *s, struct otst_log_item *ret)
{
	const char *p;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_IP, .reliable = true };
	p = plain_name(s, ret);
	if (!p || *p != '+')
		return false;
	p += 1 + strspn(p + 1, "0123456789");
	ret->decimal = true;
	ret->len = (size_t)(p - ret->text);
	return *p == ']';
}

/* what kernels print before a program counter */
static const struct {
	const char *text;
	enum otst_pc_title title;
} pc_titles[] = {
	{ "EIP is at ", OTST_PC_EIP_IS }, { "RIP: ", OTST_PC_RIP },
	{ "EIP: ", OTST_PC_EIP },	  { "pc : ", OTST_PC_PC },
	{ "PC is at ", OTST_PC_PC_IS },	  { "epc : ", OTST_PC_EPC },
	{ "epc   : ", OTST_PC_EPC_MIPS }, { "ERA: ", OTST_PC_ERA },
	{ "NIP ", OTST_PC_NIP },	  { "Krnl PSW : ", OTST_PC_PSW },
	{ "IP: ", OTST_PC_IP },		  { "TPC: ", OTST_PC_TPC },
	{ "IAOQ[0]: ", OTST_PC_IAOQ },	  { "PC: ", OTST_PC_PC_COLON },
	{ "pc is at ", OTST_PC_ALPHA },	  { "by insn @ ", OTST_PC_ARC },
};

#define PC_TITLES (sizeof(pc_titles) / sizeof(*pc_titles))

void otst_log_each_title(void (*each)(void *priv, const char *word), void *priv)
{
	for (size_t i = 0; i < PC_TITLES; i++)
		each(priv, pc_titles[i].text);
}

const char *otst_log_title(enum otst_pc_title title)
{
	for (size_t i = 0; i < PC_TITLES; i++) {
		if (pc_titles[i].title == title)
			return pc_titles[i].text;
	}
	return NULL;
}

/* behind the title; NULL when there is none */
static const char *pc_title(const char *s, enum otst_pc_title *ret)
{
	for (size_t i = 0; i < PC_TITLES; i++) {
		const char *text = pc_titles[i].text;

		if (otst_begins(s, text)) {
			*ret = pc_titles[i].title;
			return s + strlen(text);
		}
	}
	return NULL;
}

/* MIPS and LoongArch: "80100000 f+0x1/0x2"; NULL when it is none */
static const char *plain_address(const char *s, uint64_t *addr, struct otst_log_item *ret)
{
	uint64_t v;
	size_t n = parse_hex(s, &v);

	if ((n != 8 && n != 16) || s[n] != ' ')
		return NULL;
	s = parse_symbol(skip_blanks(s + n), true, ret);
	if (s)
		*addr = v;
	return s;
}

/* the brackets around its address; where they end, or @s. 2.6 prints the address twice */
static const char *pc_address(const char *s, uint64_t *addr, bool *bracketed)
{
	const char *p = psw_item(s, addr) ?: s;
	const char *end = bracket_item(p, addr);

	if (end && !strncmp(skip_blanks(end), "[<", 2))
		p = skip_blanks(end);
	end = bracket_item(p, addr);
	end = end ?: square_frame(p, addr);
	*bracketed = end;
	return end ? skip_blanks(end) : p;
}

bool otst_log_ip(const char *text, struct otst_log_item *ret)
{
	const char *s = skip_blanks(text);
	enum otst_pc_title title = OTST_PC_OWN;
	uint64_t cs = 0, addr = 0;
	bool bracketed;

	if (!strncmp(s, "[exception RIP: ", 16))
		return exception_ip(s + 16, ret);
	if (otst_begins(s, "Invalid "))
		s = strstr(s, "by insn @ ") ?: s;
	s = pc_title(s, &title);
	if (!s)
		return false;
	s = skip_blanks(s);
	/* sparc's "<f+0x1/0x2>" and csky's "0x80100000 (f+0x1/0x2)" */
	if (title == OTST_PC_PC_COLON && !strncmp(s, "0x", 2) && strchr(s, '('))
		s = strchr(s, '(');
	s += *s == '<' || *s == '(';
	if (parse_hex(s, &cs) == 4 && s[4] == ':')
		s = skip_blanks(s + 5);
	else
		cs = 0;
	*ret = (struct otst_log_item){ .kind = OTST_LINE_IP, .reliable = true };
	ret->cs = (uint16_t)cs;
	ret->title = (uint8_t)title;
	if (plain_address(s, &addr, ret)) {
		ret->addr = addr;
		return true;
	}
	s = pc_address(s, &addr, &bracketed);
	if (!parse_symbol(s, bracketed, ret) && !decoded_source(s, ret) &&
	    !bare_frame(s, true, ret) && !(bracketed && null_symbol(s, ret)) && !addr)
		return false;
	if (addr)
		ret->addr = addr;
	return true;
}
