// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ip.c - lines that tell where a processor was: "RIP: 0010:f+0x1/0x2" and what other architectures
 * and crash print.
 */
#include <ctype.h>
#include <string.h>

#include "symbol.h"

/* s390: "0704c00180000000 00000000001f226c (hrtimer_nanosleep+0xc/0xd0)", of 31 bits shorter; NULL when it is none */
static const char *psw_item(const char *s, uint64_t *addr)
{
	uint64_t ip;
	size_t n = otst_log_hex(s, &ip);

	if ((n != 16 && n != 8) || s[n] != ' ' || otst_log_hex(s + n + 1, &ip) != n)
		return NULL;
	*addr = ip;
	s = otst_log_skip_blanks(s + 2 * n + 1);
	return *s == '(' ? s + 1 : s;
}

/* crash: "[exception RIP: sysrq_handle_crash+22]" */
static bool exception_ip(const char *s, struct otst_log_item *ret)
{
	const char *p;

	*ret = (struct otst_log_item){ .kind = OTST_LINE_IP, .reliable = true };
	p = otst_log_plain_name(s, ret);
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
	{ "ip is at ", OTST_PC_IA64 },
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
	size_t n = otst_log_hex(s, &v);

	if ((n != 8 && n != 16) || s[n] != ' ')
		return NULL;
	s = otst_log_symbol(otst_log_skip_blanks(s + n), true, ret);
	if (s)
		*addr = v;
	return s;
}

/* the brackets around its address; where they end, or @s. 2.6 prints the address twice */
static const char *pc_address(const char *s, uint64_t *addr, bool *bracketed)
{
	const char *p = psw_item(s, addr) ?: s;
	const char *end = otst_log_bracketed(p, addr);

	if (end && !strncmp(otst_log_skip_blanks(end), "[<", 2))
		p = otst_log_skip_blanks(end);
	end = otst_log_bracketed(p, addr);
	end = end ?: otst_log_in_square(p, addr);
	*bracketed = end;
	return end ? otst_log_skip_blanks(end) : p;
}

bool otst_log_ip(const char *text, struct otst_log_item *ret)
{
	const char *s = otst_log_skip_blanks(text), *end;
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
	s = otst_log_skip_blanks(s);
	/* sparc's "<f+0x1/0x2>" and csky's "0x80100000 (f+0x1/0x2)" */
	if (title == OTST_PC_PC_COLON && !strncmp(s, "0x", 2) && strchr(s, '('))
		s = strchr(s, '(');
	s += *s == '<' || *s == '(';
	if (otst_log_hex(s, &cs) == 4 && s[4] == ':')
		s = otst_log_skip_blanks(s + 5);
	else
		cs = 0;
	*ret = (struct otst_log_item){ .kind = OTST_LINE_IP, .reliable = true };
	ret->cs = (uint16_t)cs;
	ret->title = (uint8_t)title;
	if (plain_address(s, &addr, ret)) {
		ret->addr = addr;
		return true;
	}
	/* a module's code is in "pg0" to it; "EIP is at" follows */
	if (*s == '[' && strncmp(s, "[pg0+", 5) != 0 && otst_log_klogd(s, ret))
		return true;
	s = pc_address(s, &addr, &bracketed);
	end = otst_log_symbol(s, bracketed, ret);
	if (end)
		otst_log_source(end, ret);
	else if (!otst_log_decoded(s, ret) && !otst_log_bare_address(s, true, ret) &&
		 !(bracketed && otst_log_null(s, ret)) && !addr)
		return false;
	if (addr)
		ret->addr = addr;
	return true;
}
