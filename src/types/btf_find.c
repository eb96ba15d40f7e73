// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * btf_find.c - the kernel's BTF where no symbol leads to it, as without CONFIG_KALLSYMS_ALL: by
 * its header, struct btf_header of include/uapi/linux/btf.h. The image may hold other
 * BTF, such as that of a BPF program that comes with the kernel: VMCOREINFO's numbers tell.
 */
#include <inttypes.h>
#include <string.h>

#include <bpf/btf.h>

#include "../base/engine.h"
#include "../memory/memory.h"
#include "../memory/scan.h"
#include "btf.h"

#define LARGEST (64u << 20) /* of types, of strings */

struct search {
	struct otst *o;
	struct otst_scan scan;
	struct otst_btf *found;
};

/* keeps the first error for the end; 0, or what ends a command */
static int note_error(struct search *s, int err, uint64_t addr)
{
	return err ? otst_scan_note(s->o, &s->scan, err,
				    otst_format(s->o, "BTF at 0x%" PRIx64 ": %s", addr,
						otst_message(s->o))) :
		     0;
}

static int try_types(struct search *s, uint64_t addr, uint64_t size)
{
	struct otst_btf_match match;
	struct btf *btf = NULL;
	struct otst_btf *b;
	int err = otst_btf_read(s->o, addr, size, &btf);

	err = err ? err : otst_btf_take(s->o, btf, &b);
	if (err)
		return err;
	err = otst_btf_check(s->o, b, &match);
	if (!err && match.same && !match.differs) {
		s->found = b;
		return 0;
	}
	otst_btf_close(b);
	return err;
}

/* the size of all that a header stands before; 0 when it is none */
static uint64_t size_of(const struct otst *o, const unsigned char *header)
{
	uint64_t types = otst_get(o, header + offsetof(struct btf_header, type_len), 4);
	uint64_t strings = otst_get(o, header + offsetof(struct btf_header, str_len), 4);

	if (otst_get(o, header + offsetof(struct btf_header, type_off), 4) ||
	    otst_get(o, header + offsetof(struct btf_header, str_off), 4) != types || !types ||
	    !strings || types > LARGEST || strings > LARGEST)
		return 0;
	return sizeof(struct btf_header) + types + strings;
}

/* 1 ends the search: found */
static int look_for_btf(void *priv, uint64_t addr, const unsigned char *data, size_t len,
			size_t behind)
{
	static const unsigned char little[] = { 0x9f, 0xeb, BTF_VERSION, 0, 24, 0, 0, 0 };
	static const unsigned char big[] = { 0xeb, 0x9f, BTF_VERSION, 0, 0, 0, 0, 24 };
	struct search *s = priv;
	const unsigned char *head = otst_big_endian(s->o) ? big : little, *at = data;
	const unsigned char *end = data + len + behind;
	uint64_t size, where;
	int err = 0;

	/* memmem() looks at each byte of what is zero several times */
	while (!err && !s->found && (at = memchr(at, *head, (size_t)(end - at))) &&
	       at < data + len && end - at >= (ptrdiff_t)sizeof(struct btf_header)) {
		size = memcmp(at, head, sizeof(little)) ? 0 : size_of(s->o, at);
		where = addr + (uint64_t)(at - data);
		if (size)
			err = note_error(s, try_types(s, where, size), where);
		at++;
	}
	return s->found ? 1 : err;
}

int otst_btf_find(struct otst *o, struct otst_btf **ret)
{
	struct search s = { .o = o, .scan = { .window = look_for_btf } };
	int err;

	s.scan.priv = &s;
	err = otst_scan_image(o, &s.scan);
	*ret = s.found;
	return s.found ? 0 : otst_scan_failed(o, &s.scan, err, "no BTF was found", "");
}
