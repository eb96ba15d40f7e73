// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * log_line.c - frames and marks in a line of the log, in the forms that
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

/* hexadecimal digits without "0x"; how many, or 0 */
static size_t hex(const char *s, uint64_t *ret)
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

static bool ends(char c)
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
	n = hex(s + 3, &v);
	if (!n)
		return NULL;
	s += 3 + n;
	if (strncmp(s, "/0x", 3))
		return need_size ? NULL : s;
	n = hex(s + 3, &v);
	return n ? s + 3 + n : NULL;
}

/* " [mod]", " [mod 0123..ef]" after a symbol; where it ends, or @s when there is none */
static const char *module(const char *s)
{
	const char *p = s;

	if (strncmp(p, " [", 2))
		return s;
	for (p += 2; is_name(*p) || *p == '-'; p++)
		;
	if (*p == ' ') {
		for (p++; is_hex(*p); p++)
			;
	}
	return p > s + 2 && *p == ']' ? p + 1 : s;
}

/* "name+0x1/0x1d [mod]" */
static const char *symbol(const char *s, bool bracketed, struct otst_log_item *ret)
{
	const char *p = s;

	if (*p == ':') {
		ret->module = ++p;
		while (is_name(*p) || *p == '-')
			p++;
		ret->module_len = (size_t)(p - ret->module);
		if (*p++ != ':' || !ret->module_len)
			return NULL;
		s = p;
	}
	/* old arm64 and powerpc64 print a function descriptor's dot; a number is not a name */
	if (!is_name(*p) || isdigit((unsigned char)*p))
		return NULL;
	while (is_name(*p))
		p++;
	p = offset_and_size(p, !bracketed);
	if (!p)
		return NULL;
	if (!ret->module)
		p = module(p);
	ret->text = s;
	ret->len = (size_t)(p - s);
	return p;
}

/* "0xffffffffa002838a": an address that the kernel has no name for */
static const char *bare(const char *s, bool bracketed, struct otst_log_item *ret)
{
	uint64_t v;
	size_t n;

	if (strncmp(s, "0x", 2))
		return NULL;
	n = hex(s + 2, &v);
	if (!n || (n < 8 && !bracketed))
		return NULL;
	ret->addr = v;
	ret->text = s;
	ret->len = n + 2;
	return s + n + 2;
}

/* "[<ffffffffa002838b>]" or "[]"; NULL when neither */
static const char *bracket(const char *s, uint64_t *addr)
{
	size_t n;

	if (!strncmp(s, "[]", 2))
		return s + 2;
	if (strncmp(s, "[<", 2))
		return NULL;
	n = hex(s + 2, addr);
	return n >= 8 && !strncmp(s + 2 + n, ">]", 2) ? s + 4 + n : NULL;
}

/* "[c00000000087b498]" on powerpc; NULL if this is not one */
static const char *square(const char *s, uint64_t *addr)
{
	size_t n = *s == '[' ? hex(s + 1, addr) : 0;

	return n >= 8 && s[n + 1] == ']' && s[n + 2] == ' ' ? skip_blanks(s + n + 2) : NULL;
}

/* "<ffffffff8010e5cd>{:mod:show_trace+12}" */
static const char *braced(const char *s, struct otst_log_item *ret)
{
	size_t n = hex(s + 1, &ret->addr);
	const char *p = s + 1 + n;

	if (n < 8 || strncmp(p, ">{", 2))
		return NULL;
	p += 2;
	if (*p == ':') {
		ret->module = ++p;
		while (is_name(*p) || *p == '-')
			p++;
		ret->module_len = (size_t)(p - ret->module);
		if (*p++ != ':')
			return NULL;
	}
	ret->text = p;
	while (is_name(*p))
		p++;
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
static const char *annotation(const char *s, struct otst_log_item *ret)
{
	struct otst_log_item to = { 0 };
	const char *p = s + 2;

	if (strncmp(s, " (", 2))
		return s;
	p = symbol(s + 2, false, &to);
	if (p && *p == ')')
		return annotation(p + 1, ret);
	p = s + 2;
	if (!strncmp(p, "unreliable)", 11)) {
		ret->reliable = false;
		return p + 11;
	}
	while (isupper((unsigned char)*p))
		p++;
	return p > s + 2 && p <= s + 6 && *p == ')' ? p + 1 : s;
}

static const char *guess(const char *s, struct otst_log_item *ret)
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
	s = guess(s, ret);
	if (*s == '<')
		return braced(s, ret);
	/* the stack pointer comes first */
	p = square(s, &addr);
	p = p ? square(p, &addr) : bracket(s, &addr);
	bracketed = p;
	if (bracketed)
		s = guess(skip_blanks(p), ret);
	p = bare(s, bracketed, ret);
	p = p ?: symbol(s, bracketed, ret);
	if (addr)
		ret->addr = addr;
	/* a kernel without symbols prints the address alone */
	if (!p && bracketed && addr && (!*s || *s == '[' || *s == '<'))
		return s;
	if (!p)
		return NULL;
	return annotation(p, ret);
}

/* one frame; where it ends, or NULL */
static const char *frame(const char *s, struct otst_log_item *ret)
{
	bool inside = !strncmp(s, "([<", 3);
	const char *p = plain_frame(s + inside, ret);

	if (p && inside) {
		ret->reliable = false;
		p = *p == ')' ? p + 1 : NULL;
	}
	return p && ends(*p) ? p : NULL;
}

/* "<IRQ>", "</IRQ>", "<<EOE>>", "<#DB>"; where it ends, or NULL */
static const char *mark(const char *s, struct otst_log_item *ret)
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
	return ret->len <= 32 && ends(*p) ? p : NULL;
}

const char *otst_log_one(const char *s, struct otst_log_item *ret)
{
	return mark(s, ret) ?: plain_frame(s, ret);
}

size_t otst_log_items(const char *text, struct otst_log_item *items)
{
	const char *s = skip_blanks(text), *p;
	size_t n;

	for (n = 0; *s; n++) {
		if (n == OTST_LOG_ITEMS)
			return n;
		p = mark(s, &items[n]);
		p = p ?: frame(s, &items[n]);
		if (!p)
			return 0;
		s = skip_blanks(p);
	}
	return n;
}

/* s390: "0704c00180000000 00000000001f226c (hrtimer_nanosleep+0xc/0xd0)"; NULL when it is none */
static const char *psw(const char *s, uint64_t *addr)
{
	uint64_t ip;

	if (hex(s, &ip) != 16 || s[16] != ' ' || hex(s + 17, &ip) != 16)
		return NULL;
	*addr = ip;
	s = skip_blanks(s + 33);
	return *s == '(' ? s + 1 : s;
}

bool otst_log_ip(const char *text, struct otst_log_item *ret)
{
	static const char *const names[] = { "RIP: ",	  "EIP: ", "pc : ",	 "EIP is at ",
					     "PC is at ", "NIP ",  "Krnl PSW : " };
	const char *s = skip_blanks(text), *p;
	uint64_t cs = 0, addr = 0;
	size_t i, n;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strncmp(s, names[i], strlen(names[i])))
			break;
	}
	if (i == sizeof(names) / sizeof(*names))
		return false;
	s = skip_blanks(s + strlen(names[i]));
	n = hex(s, &cs);
	if (n == 4 && s[4] == ':')
		s = skip_blanks(s + 5);
	else
		cs = 0;
	s = psw(s, &addr) ?: s;
	/* 2.6 prints the address twice */
	p = bracket(s, &addr);
	if (p && !strncmp(skip_blanks(p), "[<", 2))
		s = skip_blanks(p);
	p = bracket(s, &addr);
	p = p ?: square(s, &addr);
	if (p)
		s = skip_blanks(p);
	*ret = (struct otst_log_item){ .kind = OTST_LINE_IP, .reliable = true };
	ret->cs = (uint16_t)cs;
	if (!symbol(s, p != NULL, ret) && !bare(s, true, ret) && !addr)
		return false;
	if (addr)
		ret->addr = addr;
	return true;
}
