// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * btf_file.c - types from a file that the user names: what pahole --btf_encode_detached
 * writes, /sys/kernel/btf/vmlinux of a machine with this kernel, or an ELF file with .BTF.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <bpf/btf.h>

#include "../base/engine.h"
#include "btf.h"

static int refuse_file(struct otst *o, const char *why)
{
	return otst_raise(o, OTST_ERR_FILE, "BTF %s: %s", otst_clean(o, o->options.btf), why);
}

int otst_btf_file_read(struct otst *o, struct btf **ret)
{
	libbpf_print_fn_t before;
	struct btf *btf;
	struct stat st;

	if (stat(o->options.btf, &st))
		return refuse_file(o, strerror(errno));
	/* opening a FIFO would wait for its other end */
	if (!S_ISREG(st.st_mode))
		return refuse_file(o, "not a file");
	before = libbpf_set_print(otst_btf_quiet);
	btf = btf__parse(o->options.btf, NULL);
	libbpf_set_print(before);
	if (libbpf_get_error(btf))
		return refuse_file(o, "neither BTF nor an ELF file with a section .BTF");
	*ret = btf;
	return 0;
}

static int compare_file(struct otst *o, const void *of, void *value)
{
	struct otst_btf_match *ret = value;
	int err = otst_types_usable(o);

	(void)of;
	err = err ? err : otst_btf_check(o, otst_types_btf(o), ret);
	if (!err && ret->differs)
		ret->differs = otst_keep_string(o, ret->differs);
	return err ? err : otst_stopped(o);
}

static const struct otst_once match = { .size = sizeof(struct otst_btf_match),
					.make = compare_file };

int otst_btf_file_check(struct otst *o, bool force)
{
	struct otst_btf_match *m;
	int err;

	if (!o->options.btf || o->options.no_btf)
		return 0;
	err = otst_once(o, &match, NULL, &m);
	if (err || force || !m->differs)
		return err;
	return otst_raise(o, OTST_ERR_UNSUPPORTED,
			  "%s is not this kernel's BTF: %s (--force uses it all the same)",
			  otst_clean(o, o->options.btf), m->differs);
}

const char *otst_btf_file_doubt(struct otst *o)
{
	const struct otst_btf_match *m = NULL;

	if (o->options.btf && !o->options.no_btf)
		m = otst_once_or_null(o, &match, NULL);
	if (!m || (!m->differs && m->same))
		return NULL;
	if (m->differs)
		return otst_format(o, "%s is not this kernel's BTF: %s",
				   otst_clean(o, o->options.btf), m->differs);
	return otst_format(
		o, "%s may be another kernel's BTF: the dump has no number to compare it with",
		otst_clean(o, o->options.btf));
}
