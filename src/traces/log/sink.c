// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * sink.c - what all readers of the kernel's log buffer need: layouts that
 * VMCOREINFO states for dumps without types, bytes of the buffer, and lines.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define MOST_BYTES   (UINT64_C(1) << 28) /* of a log buffer: far more than any kernel is given */
#define LONGEST_HOLE (4u << 20)

/* a fact that VMCOREINFO states for readers of dumps without types */
static bool stated_number(struct otst *o, const char *key, int base, uint64_t *ret)
{
	const char *value = key ? otst_vmcoreinfo(o, key) : NULL;
	char *end;

	if (!value)
		return false;
	*ret = strtoull(value, &end, base);
	return end != value;
}

int otst_log_offset(struct otst *o, const char *type, const char *member, uint64_t *ret)
{
	int err = otst_offset(o, type, member, ret);

	if (err &&
	    stated_number(o, otst_format(o, "OFFSET(%s.%s)", otst_type_name(o, type), member), 10,
			  ret))
		err = 0;
	return err;
}

int otst_log_size(struct otst *o, const char *type, uint64_t *ret)
{
	int err = otst_type_size(o, type, ret);

	if (err && stated_number(o, otst_format(o, "SIZE(%s)", otst_type_name(o, type)), 10, ret))
		err = 0;
	return err;
}

uint64_t otst_log_symbol_or0(struct otst *o, const char *name)
{
	uint64_t addr = otst_symbol_or0(o, name);

	if (!addr && !stated_number(o, otst_format(o, "SYMBOL(%s)", name), 16, &addr))
		addr = 0;
	return addr;
}

/*
 * Read page by page. @missing counts the bytes that are not there, which are
 * zeros. After a long hole, nothing more is read: the length is garbage.
 */
static int read_sink_pages(struct otst *o, uint64_t addr, uint64_t len, unsigned char *to,
			   uint64_t *missing)
{
	uint64_t n, hole = 0;
	int err;

	for (*missing = 0; len; addr += n, to += n, len -= n) {
		if (hole > LONGEST_HOLE) {
			*missing += len;
			return 0;
		}
		n = OTST_CHUNK - (addr & (OTST_CHUNK - 1));
		n = n < len ? n : len;
		err = otst_read(o, addr, to, n);
		if (err == OTST_ERR_FAULT) {
			memset(to, 0, n);
			*missing += n;
			hole += n;
		} else if (err) {
			return err;
		} else {
			hole = 0;
		}
	}
	return 0;
}

int otst_log_bulk(struct otst_log_sink *s, const char *what, uint64_t addr, uint64_t len,
		  unsigned char **ret)
{
	uint64_t missing = 0;
	int err;

	if (!len || len > MOST_BYTES || !otst_is_kernel_pointer(s->o, addr))
		return otst_raise(s->o, OTST_ERR_CORRUPT, "%s: %" PRIu64 " byte%s at 0x%" PRIx64,
				  what, len, otst_number(len, "", "s"), addr);
	*ret = otst_alloc(s->o, len);
	err = otst_read(s->o, addr, *ret, len);
	if (err != OTST_ERR_FAULT)
		return err;
	err = read_sink_pages(s->o, addr, len, *ret, &missing);
	if (err || !missing)
		return err;
	err = otst_raise(s->o, OTST_ERR_FAULT,
			 "%s: %" PRIu64 " of %" PRIu64 " byte%s %s not in the dump", what, missing,
			 len, otst_number(len, "", "s"), otst_number(missing, "is", "are"));
	return missing == len ? err : otst_traces_note(s->notes, err);
}

int otst_log_end_line(struct otst_log_sink *s, bool raw)
{
	int err;

	s->text[s->len] = '\0';
	s->line.text = s->text;
	s->line.gap = s->gap;
	s->gap = false;
	s->len = 0;
	err = s->fn(s->priv, &s->line, raw);
	return err ? err : otst_check(s->o);
}

int otst_log_put(struct otst_log_sink *s, const unsigned char *text, size_t len, bool more)
{
	int err = 0;

	for (size_t i = 0; i < len && !err; i++) {
		if (text[i] == '\n')
			err = otst_log_end_line(s, false);
		else if (s->len < sizeof(s->text) - 1)
			s->text[s->len++] = text[i] ? (char)text[i] : ' ';
	}
	return err || more ? err : otst_log_end_line(s, false);
}
