// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * line.c - frames as SystemTap prints them, _stp_snprint_addr() of its
 * runtime/sym.c:
 *
 *	 0xffffffff8123a1b0 : vfs_read+0x0/0x1a0 [kernel]	print_backtrace()
 *	 0xffffffff8123a1b0 : vfs_read+0x0/0x1a0 [kernel] (inexact)
 *	 0xffffffffc0123456 [lab+0x456/0x4000]			no symbol known
 *	Returning from:  0xffffffff8123a1b0 : vfs_read+0x0/0x1a0 [kernel]
 *	Returning to  :  0xffffffff8123b001 : ksys_read+0x61/0xe0 [kernel]
 *	 0xffffffff8123a1b0 (inexact)
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "stap.h"

#define KERNEL	" [kernel]"
#define INEXACT " (inexact)"

static bool skip_text(const char **s, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*s, word, len) != 0)
		return false;
	*s += len;
	return true;
}

/* "0xffffffff8123a1b0": a kernel address, not just any number that a script prints */
static bool frame_address(struct otst *o, const char **s, uint64_t *ret)
{
	char *end;

	if (strncmp(*s, "0x", 2) || !isxdigit((unsigned char)(*s)[2]))
		return false;
	*ret = strtoull(*s, &end, 16);
	if (end - *s != 18 || !otst_is_kernel_pointer(o, *ret))
		return false;
	*s = end;
	return true;
}

/* "name+0x1/0x2", "name+0x1"; where it ends, NULL when it is none */
static const char *skip_symbol(const char *s)
{
	const char *p = s;

	if (!isalpha((unsigned char)*p) && *p != '_')
		return NULL;
	while (isalnum((unsigned char)*p) || *p == '_' || *p == '.' || *p == '$')
		p++;
	if (*p++ != '+')
		return NULL;
	/* "%#lx" prints 0 without "0x" */
	p += !strncmp(p, "0x", 2) ? 2 : 0;
	if (!isxdigit((unsigned char)*p))
		return NULL;
	while (isxdigit((unsigned char)*p))
		p++;
	if (strncmp(p, "/0x", 3) != 0)
		return p;
	for (p += 3; isxdigit((unsigned char)*p); p++)
		;
	return p;
}

/* " at fs/read.c:17", which "fuller" backtraces have between symbol and module */
static const char *skip_stap_place(const char *s)
{
	const char *p = s;

	if (!skip_text(&p, " at "))
		return s;
	while (*p && *p != ' ')
		p++;
	return p;
}

/* " [ext4]"; where it ends */
static const char *skip_stap_module(const char *s)
{
	const char *p = s;

	if (!skip_text(&p, " ["))
		return s;
	while (*p && *p != ']' && *p != ' ')
		p++;
	return *p == ']' ? p + 1 : s;
}

bool otst_stap_line(struct otst *o, const char *text, struct otst_trace_line *ret, size_t *len)
{
	const char *s = text, *name, *end;
	bool has_address;

	*ret = (struct otst_trace_line){ .kind = OTST_LINE_FRAME, .reliable = true };
	if (skip_text(&s, "Returning from: "))
		ret->exact = true;
	else if (!skip_text(&s, "Returning to  : ") && *s != ' ' && *s != '0')
		return false;
	while (*s == ' ')
		s++;
	has_address = frame_address(o, &s, &ret->addr);
	if (!has_address)
		return false;
	name = skip_text(&s, " : ") ? s : NULL;
	end = name ? skip_symbol(name) : s;
	if (!end)
		return false;
	s = skip_stap_place(end);
	/* the kernel's own symbols have no module where the kernel prints them */
	if (!skip_text(&s, KERNEL)) {
		const char *behind = skip_stap_module(s);

		if (name && behind != s && s == end)
			end = behind;
		s = behind;
	}
	if (skip_text(&s, INEXACT))
		ret->reliable = false;
	while (*s == ' ')
		s++;
	if (*s)
		return false;
	ret->text = name;
	*len = name ? (size_t)(end - name) : 0;
	return true;
}
