// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmcoreinfo.c - reads values out of VMCOREINFO, the text by which a kernel
 * describes itself to dump tools (Linux kernel/crash_core.c, later
 * kernel/vmcore_info.c; Documentation/admin-guide/kdump/vmcoreinfo.rst).
 */
#include "offline.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *vmcoreinfo_line(const char *info, size_t len, const char *key, size_t *ret_len)
{
	const char *end = info + len;
	size_t key_len = strlen(key);

	while (info && info < end) {
		const char *stop = memchr(info, '\n', (size_t)(end - info));

		if (!stop)
			stop = end;
		if ((size_t)(stop - info) > key_len && info[key_len] == '=' &&
		    !memcmp(info, key, key_len)) {
			*ret_len = (size_t)(stop - info) - key_len - 1;
			return info + key_len + 1;
		}
		info = stop + 1;
	}
	return NULL;
}

static bool parse_value(const char *info, size_t len, const char *key, int base, uint64_t *ret)
{
	size_t n;
	const char *text = vmcoreinfo_line(info, len, key, &n);
	char copy[32];
	char *end;

	if (!text || !n || n >= sizeof(copy))
		return false;
	memcpy(copy, text, n);
	copy[n] = '\0';
	*ret = strtoull(copy, &end, base);
	return end != copy && (!*end || isspace((unsigned char)*end));
}

bool vmcoreinfo_hex(const char *info, size_t len, const char *key, uint64_t *ret)
{
	return parse_value(info, len, key, 16, ret);
}

bool vmcoreinfo_number(const char *info, size_t len, const char *key, uint64_t *ret)
{
	return parse_value(info, len, key, 0, ret);
}

size_t vmcoreinfo_length(const char *page, size_t size)
{
	static const char first[] = "OSRELEASE=";
	size_t len;

	if (size < sizeof(first) || memcmp(page, first, sizeof(first) - 1))
		return 0;
	for (len = 0; len < size && page[len]; len++) {
		if (page[len] != '\n' && !isprint((unsigned char)page[len]))
			return 0;
	}
	if (!memmem(page, len, "\nPAGESIZE=", 10) || !memmem(page, len, "\nSYMBOL(", 8))
		return 0;
	return len;
}
