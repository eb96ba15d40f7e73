// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * vmcoreinfo.c - the text by which a kernel describes itself to dump tools. It comes
 * from the target; from the dump's notes; from physical memory, if only that text leads to
 * the kernel's page tables (translate.c); or from where the kernel's symbols say
 * that it is (Linux kernel/crash_core.c, later kernel/vmcore_info.c).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../names/kallsyms.h"
#include "memory.h"
#include "notes.h"
#include "translate.h"
#include "vmcoreinfo.h"

/* Longest text that is believed. */
#define TEXT_MAX (1u << 20)

/* Longest text that is compared with another one: kernels have a page. */
#define COMPARED_MAX (64u << 10)

static const char first_key[] = "OSRELEASE=";

/* ---- values ---- */

const char *otst_vmcoreinfo_line(const struct otst_vmcoreinfo *v, const char *key, size_t *len)
{
	const char *p = v->text, *end = p + v->len;
	size_t klen = strlen(key);

	while (p && p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t line = (size_t)((eol ? eol : end) - p);

		if (line > klen && p[klen] == '=' && !memcmp(p, key, klen)) {
			*len = line - klen - 1;
			return p + klen + 1;
		}
		p += line + 1;
	}
	return NULL;
}

bool otst_vmcoreinfo_value(const struct otst_vmcoreinfo *v, const char *key, int base,
			   uint64_t *ret)
{
	char copy[32], *end;
	uint64_t value;
	size_t len;
	const char *text = otst_vmcoreinfo_line(v, key, &len);

	if (!text || !len || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	value = strtoull(copy, &end, base);
	if (end == copy || (*end && !isspace((unsigned char)*end)))
		return false;
	*ret = value;
	return true;
}

bool otst_vmcoreinfo_at(const char *text, size_t size, struct otst_vmcoreinfo *ret)
{
	size_t len;

	if (size < sizeof(first_key) || memcmp(text, first_key, sizeof(first_key) - 1) != 0)
		return false;
	for (len = 0; len < size && text[len]; len++) {
		if (text[len] != '\n' && !isprint((unsigned char)text[len]))
			return false;
	}
	*ret = (struct otst_vmcoreinfo){ text, len };
	return memmem(text, len, "\nPAGESIZE=", 10) && memmem(text, len, "\nSYMBOL(", 8);
}

/* ---- where it is ---- */

bool otst_vmcoreinfo_given(struct otst *o, struct otst_vmcoreinfo *ret)
{
	struct otst_note note;

	if (!o->ops.vmcoreinfo ||
	    otst_answer(o, o->ops.vmcoreinfo(o->priv, &ret->text, &ret->len))) {
		if (!otst_dump_note(o, "VMCOREINFO", 0, 0, &note))
			return false;
		*ret = (struct otst_vmcoreinfo){ (const char *)note.desc, note.len };
	}
	/* each look-up goes over all of it */
	ret->len = ret->len < TEXT_MAX ? ret->len : TEXT_MAX;
	return true;
}

/* otst_symbol(), or where the kernel's own symbols may not be known yet, otst_target_symbol() */
typedef int lookup_fn(struct otst *o, const char *name, uint64_t *ret);

/*
 * vmcoreinfo_data is a pointer since Linux 203e9e41219b ("kexec: move
 * vmcoreinfo out of the kernel's .bss section") (v4.13), an array before.
 */
static int find_vmcoreinfo_text(struct otst *o, lookup_fn *lookup, uint64_t *ret, uint64_t *len)
{
	uint64_t data, size, head;
	int err;

	err = lookup(o, "vmcoreinfo_data", &data);
	err = err ?: lookup(o, "vmcoreinfo_size", &size);
	err = err ?: otst_read_u64(o, size, len);
	err = err ?: otst_read_u64(o, data, &head);
	if (err)
		return err;
	*ret = head == otst_get(o, first_key, sizeof(head)) ? data : head;
	return *len && *len <= TEXT_MAX ? 0 : OTST_ERR_CORRUPT;
}

static int read_kernels_copy(struct otst *o, lookup_fn *lookup, struct otst_vmcoreinfo *v)
{
	uint64_t at;
	char *text;
	int err = find_vmcoreinfo_text(o, lookup, &at, &v->len);

	if (err)
		return err;
	text = otst_keep(o, v->len);
	err = otst_read(o, at, text, v->len);
	if (!err && strncmp(text, first_key, sizeof(first_key) - 1) != 0)
		err = otst_raise(o, OTST_ERR_CORRUPT, "vmcoreinfo_data holds something else");
	v->text = text;
	return err;
}

static int find_vmcoreinfo(struct otst *o, const void *of, void *value)
{
	struct otst_vmcoreinfo *v = value;

	(void)of;
	if (otst_vmcoreinfo_proved(o, v))
		return 0;
	return otst_stopped(o) ? otst_stopped(o) : read_kernels_copy(o, otst_target_symbol, v);
}

static const struct otst_once vmcoreinfo = { .size = sizeof(struct otst_vmcoreinfo),
					     .make = find_vmcoreinfo };

const char *otst_vmcoreinfo(struct otst *o, const char *key)
{
	const struct otst_vmcoreinfo *v = otst_once_or_null(o, &vmcoreinfo, NULL);
	size_t len;
	const char *value = v ? otst_vmcoreinfo_line(v, key, &len) : NULL;
	char *copy = value ? otst_alloc(o, len + 1) : NULL;

	return copy ? otst_keep_string(o, memcpy(copy, value, len)) : NULL;
}

int otst_vmcoreinfo_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	const struct otst_vmcoreinfo *v = otst_once_or_null(o, &vmcoreinfo, NULL);
	char key[128];
	uint64_t addr;

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	if (!v || !otst_vmcoreinfo_value(v, key, 16, &addr) || !addr)
		return OTST_ERR_LOOKUP;
	*ret = addr;
	return 0;
}

int otst_vmcoreinfo_each(struct otst *o, const char *kind,
			 int (*each)(void *priv, const char *name, const char *value), void *priv)
{
	const struct otst_vmcoreinfo *v = otst_once_or_null(o, &vmcoreinfo, NULL);
	const char *p = v ? v->text : NULL, *end = p ? p + v->len : NULL;
	size_t klen = strlen(kind);
	int ret = 0;

	while (p && p < end && !ret) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((eol ? eol : end) - p);
		char line[256], *close;

		if (len > klen && len < sizeof(line) && p[klen] == '(' && !memcmp(p, kind, klen)) {
			memcpy(line, p, len);
			line[len] = '\0';
			close = strstr(line, ")=");
			if (close) {
				*close = '\0';
				ret = each(priv, line + klen + 1, close + 2);
			}
		}
		p += len + 1;
	}
	return ret;
}

/* does @v have the line "KEY=VALUE" with another value */
static bool contradicts_line(const struct otst_vmcoreinfo *v, const char *line, size_t len)
{
	const char *sign = memchr(line, '=', len), *value;
	char key[128];
	size_t other;

	if (!sign || (size_t)(sign - line) >= sizeof(key))
		return false;
	snprintf(key, sizeof(key), "%.*s", (int)(sign - line), line);
	value = otst_vmcoreinfo_line(v, key, &other);
	len -= (size_t)(sign + 1 - line);
	return value && (other != len || memcmp(value, sign + 1, len) != 0);
}

const char *otst_vmcoreinfo_contradiction(struct otst *o)
{
	struct otst_vmcoreinfo given, own;
	const char *p, *end, *first = NULL;
	size_t count = 0, len;

	if (!otst_vmcoreinfo_given(o, &given) || given.len > COMPARED_MAX ||
	    read_kernels_copy(o, otst_symbol, &own) || own.len > COMPARED_MAX)
		return NULL;
	for (p = given.text, end = p + given.len; p < end; p += len + 1) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		len = (size_t)((eol ? eol : end) - p);
		if (!contradicts_line(&own, p, len))
			continue;
		if (!count++)
			first = otst_format(o, "%.*s", (int)len, p);
	}
	if (!count)
		return NULL;
	return otst_format(o,
			   "the dump's VMCOREINFO is used, but contradicts the kernel's own copy "
			   "in %zu line%s, first %s",
			   count, count == 1 ? "" : "s", otst_clean(o, first));
}
