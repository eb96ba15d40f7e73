// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * scan.c - looks through the kernel's image for what no symbol names. Read-only data lies
 * between the text and the data (include/asm-generic/vmlinux.lds.h, and each machine's
 * vmlinux.lds.S), and is nearer to the data: the image is read downwards from init_uts_ns.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/engine.h"
#include "memory.h"
#include "scan.h"
#include "translate.h"
#include "vmcoreinfo.h"

#define WINDOW (256u << 10) /* bytes that are read at a time */

/* reads a window, page by page when some are missing */
static int read_window(struct otst *o, struct otst_scan *s, uint64_t addr, unsigned char *buf,
		       size_t len)
{
	int err = otst_target_read(o, OTST_VIRT, addr, buf, len);
	size_t at, n;

	for (at = 0; err == OTST_ERR_FAULT && at < len; at += n) {
		n = len - at < OTST_CHUNK ? len - at : OTST_CHUNK;
		err = otst_target_read(o, OTST_VIRT, addr + at, buf + at, n);
		if (err != OTST_ERR_FAULT) {
			err = err ? err : OTST_ERR_FAULT;
			continue;
		}
		memset(buf + at, 0, n);
		s->missing += n;
		s->missing_at = addr + at;
	}
	return err == OTST_ERR_FAULT ? 0 : err;
}

int otst_scan_image(struct otst *o, struct otst_scan *s)
{
	unsigned char *buf = otst_alloc(o, WINDOW + OTST_SCAN_BEHIND);
	uint64_t start, end, at;
	size_t behind = 0, len;
	int err;

	s->missing = 0;
	err = otst_vmcoreinfo_symbol(o, "_stext", &start);
	err = err ? err : otst_vmcoreinfo_symbol(o, "init_uts_ns", &end);
	if (err || end <= start || end - start > OTST_IMAGE_MAX)
		return OTST_ERR_LOOKUP;
	start &= -(uint64_t)OTST_CHUNK;
	end = (end + OTST_CHUNK - 1) & -(uint64_t)OTST_CHUNK;
	for (at = end; buf && !err && at > start; at -= len) {
		len = at - start < WINDOW ? at - start : WINDOW;
		memmove(buf + len, buf, behind);
		err = read_window(o, s, at - len, buf, len);
		err = err ? err : s->window(s->priv, at - len, buf, len, behind);
		behind = len < OTST_SCAN_BEHIND ? len : OTST_SCAN_BEHIND;
	}
	return buf ? err : otst_no_memory(o);
}

int otst_scan_note(struct otst *o, struct otst_scan *s, int err, const char *why)
{
	if (err && !s->err) {
		s->err = err;
		s->why = otst_strdup(o, why);
	}
	return err && otst_fatal(err) ? err : 0;
}

int otst_scan_failed(struct otst *o, const struct otst_scan *s, int err, const char *nothing,
		     const char *where)
{
	if (err)
		return err;
	if (s->err)
		return otst_raise(o, s->err, "%s", s->why);
	if (s->missing)
		return otst_raise(o, OTST_ERR_FAULT,
				  "%s, and %" PRIu64
				  " KiB of the kernel's image%s are missing, at 0x%" PRIx64
				  " and after it",
				  nothing, s->missing >> 10, where, s->missing_at);
	return OTST_ERR_LOOKUP;
}

int otst_read_tail(struct otst *o, uint64_t end, unsigned char *buf, size_t least, size_t most,
		   size_t *ret)
{
	size_t got = 0, n;
	int err = otst_target_read(o, OTST_VIRT, end - most, buf, most);

	if (!err)
		got = most;
	else if (err != OTST_ERR_FAULT)
		return err;
	while (got < most) {
		n = (end - got) & (OTST_CHUNK - 1);
		n = n ? n : OTST_CHUNK;
		n = n < most - got ? n : most - got;
		err = otst_target_read(o, OTST_VIRT, end - got - n, buf + most - got - n, n);
		if (err)
			break;
		got += n;
	}
	*ret = got;
	return got >= least && !otst_fatal(err) ? 0 : err;
}
