// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmcoreinfo.c - the text by which a kernel describes itself to dump tools: from
 * the target; from the dump file's notes; from where the kernel keeps it (Linux
 * kernel/crash_core.c, later kernel/vmcore_info.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* Length of the text that is believed. */
#define TEXT_MAX (1u << 20)

static const char first_key[] = "OSRELEASE=";

/*
 * vmcoreinfo_data is a pointer since Linux 203e9e41219b ("kexec: move
 * vmcoreinfo out of the kernel's .bss section") (v4.13), an array before.
 */
static int find_text(struct otst *o, uint64_t *ret, uint64_t *len)
{
	uint64_t data, size, head;
	int err;

	err = otst_target_symbol(o, "vmcoreinfo_data", &data);
	if (!err)
		err = otst_target_symbol(o, "vmcoreinfo_size", &size);
	if (!err)
		err = otst_read_u64(o, size, len);
	if (!err)
		err = otst_read_u64(o, data, &head);
	if (err)
		return err;
	*ret = head == otst_get(o, first_key, sizeof(head)) ? data : head;
	return *len && *len <= TEXT_MAX ? 0 : OTST_ERR_CORRUPT;
}

struct vmcoreinfo {
	const char *text;
	uint64_t len;
};

static int read_kernels_copy(struct otst *o, struct vmcoreinfo *v)
{
	uint64_t at;
	char *text;
	int err;

	err = find_text(o, &at, &v->len);
	if (err)
		return err;
	text = otst_keep(o, v->len);
	if (!text)
		return otst_no_memory(o);
	err = otst_read(o, at, text, v->len);
	if (!err && strncmp(text, first_key, sizeof(first_key) - 1) != 0)
		err = otst_raise(o, OTST_ERR_CORRUPT, "vmcoreinfo_data holds something else");
	v->text = text;
	return err;
}

static int find_vmcoreinfo(struct otst *o, const void *of, void *value)
{
	struct vmcoreinfo *v = value;
	int err = OTST_ERR_LOOKUP;

	(void)of;
	if (o->ops.vmcoreinfo)
		err = otst_answer(o, o->ops.vmcoreinfo(o->priv, &v->text, &v->len));
	if (err == OTST_ERR_LOOKUP && otst_note_vmcoreinfo(o, &v->text, &v->len))
		return 0;
	return err == OTST_ERR_LOOKUP ? read_kernels_copy(o, v) : err;
}

static const struct otst_once vmcoreinfo = { .size = sizeof(struct vmcoreinfo),
					     .make = find_vmcoreinfo };

const char *otst_vmcoreinfo(struct otst *o, const char *key)
{
	const struct vmcoreinfo *v = otst_once_or_null(o, &vmcoreinfo, NULL);
	size_t klen = strlen(key);
	const char *p, *end;

	if (!v || !v->text)
		return NULL;
	p = v->text;
	end = p + v->len;
	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t line = (size_t)((eol ? eol : end) - p);

		if (line > klen && p[klen] == '=' && !memcmp(p, key, klen)) {
			char *value = otst_alloc(o, line - klen);

			if (!value)
				return NULL;
			return otst_keep_string(o, memcpy(value, p + klen + 1, line - klen - 1));
		}
		p += line + 1;
	}
	return NULL;
}

int otst_vmcoreinfo_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	char key[128];
	const char *value;
	char *end;
	uint64_t addr;

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	value = otst_vmcoreinfo(o, key);
	if (!value)
		return OTST_ERR_LOOKUP;
	addr = strtoull(value, &end, 16);
	if (end == value || !addr)
		return OTST_ERR_LOOKUP;
	*ret = addr;
	return 0;
}
