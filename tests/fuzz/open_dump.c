// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * open_dump.c - text dumps and vmcores behind one function, and what the
 * programs that damage dumps have in common.
 */
#include "open_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text/text_target.h"
#ifndef WITHOUT_OFFLINE
#include "../../offline/offline.h"
#include "../../src/base/engine.h"
#include "../../src/dump.h"
#include "../../src/image/image.h"
#include "../../src/memory/translate.h"
#include "../../src/memory/vmcoreinfo.h"
#include "../../src/names/kallsyms.h"
#endif

static const char *const list[] = { "otst", "-l", "-v", "-j", NULL };
static const char *const ftrace[] = { "otst", "-f", "-v", NULL };
static const char *const tracers[] = { "otst", "-T", NULL };
static const char *const info[] = { "otst", "-i", NULL };
static const char *const audit[] = { "otst", "-a", "-v", NULL };
static const char *const verdict[] = { "otst", "-b", "-v", NULL };
static const char *const traces[] = { "otst", "-t", "-j", NULL };
/* functions in the text dumps */
static const char *const where[] = { "otst",	 "-w",	    "-v",	"-j",
				     "vfs_read", "do_fork", "schedule", NULL };

unsigned int open_dump_threads = 1;

const char *const *const dump_commands[] = { list,    ftrace, tracers, info, audit,
					     verdict, traces, where,   NULL };

static void close_text(void *priv)
{
	text_target_close(priv);
}

static int open_text(const char *vmlinux, const char *path, struct open_dump *ret)
{
	struct text_dump *d;
	char message[1024];
	int err = text_target_open(path, message, sizeof(message), &d);

	if (err) {
		fprintf(stderr, "%s\n", message);
		return err;
	}
	*ret = (struct open_dump){ .ops = text_target_ops(),
				   .priv = d,
				   .close = close_text,
				   .options = { .size = sizeof(ret->options),
						.vmlinux = vmlinux,
						.big_endian = text_target_big_endian(d) } };
	return 0;
}

#ifndef WITHOUT_OFFLINE
/** struct vmcore - a target with virtual memory and symbols, which an engine of its own provides */
struct vmcore {
	struct offline *file;
	struct otst *engine;
	struct otst_target_ops ops;
};

static int vmcore_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct vmcore *v = priv;

	return otst_target_read(v->engine, space, addr, buf, len);
}

static int vmcore_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct vmcore *v = priv;

	return otst_target_symbol(v->engine, name, ret);
}

static int vmcore_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	struct vmcore *v = priv;

	return otst_image_symbol_at(v->engine, addr, ret);
}

static int vmcore_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	struct vmcore *v = priv;
	struct otst_vmcoreinfo found;

	if (!otst_vmcoreinfo_proved(v->engine, &found))
		return OTST_ERR_LOOKUP;
	*ret = found.text;
	*len = found.len;
	return 0;
}

static int vmcore_notes(void *priv, const void **ret, uint64_t *len)
{
	struct vmcore *v = priv;

	return offline_ops(v->file)->notes(v->file, ret, len);
}

static bool vmcore_knows(void *priv, int what)
{
	struct vmcore *v = priv;

	return otst_knows(v->engine, what);
}

static void vmcore_ahead(void *priv, uint64_t phys, uint64_t len)
{
	struct vmcore *v = priv;

	offline_ops(v->file)->ahead(v->file, phys, len);
}

static void close_vmcore(void *priv)
{
	struct vmcore *v = priv;

	otst_close(v->engine);
	offline_close(v->file);
	free(v);
}

static int open_vmcore(const char *vmlinux, const char *path, struct open_dump *ret)
{
	struct otst_options options = { .size = sizeof(options), .vmlinux = vmlinux };
	const struct dump_files files = { .path = path };
	struct vmcore *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return OTST_ERR_NOMEM;
	v->ops = (struct otst_target_ops){ .size = sizeof(v->ops),
					   .name = "file",
					   .read = vmcore_read,
					   .symbol = vmcore_symbol,
					   .symbol_at = vmcore_symbol_at,
					   .vmcoreinfo = vmcore_vmcoreinfo,
					   .notes = vmcore_notes,
					   .knows = vmcore_knows };
	err = offline_open(&files, NULL, open_dump_threads, &v->file);
	if (!err && offline_ops(v->file)->ahead)
		v->ops.ahead = vmcore_ahead;
	if (!err) {
		options.big_endian = offline_is_big_endian(v->file);
		err = otst_open(offline_ops(v->file), v->file, &options, &v->engine);
	}
	if (!err) {
		otst_command_begin(v->engine);
		err = otst_memory_check(v->engine);
		if (err)
			fprintf(stderr, "%s: %s\n", path, otst_message(v->engine));
	}
	if (err) {
		close_vmcore(v);
		return err;
	}
	options.vmlinux = NULL;
	*ret = (struct open_dump){ &v->ops, v, close_vmcore, options };
	return 0;
}
#endif

int open_dump(const char *vmlinux, const char *path, struct open_dump *ret)
{
	size_t len = strlen(path);

	if (len > 4 && !strcmp(path + len - 4, ".txt"))
		return open_text(vmlinux, path, ret);
#ifndef WITHOUT_OFFLINE
	return open_vmcore(vmlinux, path, ret);
#else
	fprintf(stderr, "%s: built without the reader of vmcores\n", path);
	return OTST_ERR_UNSUPPORTED;
#endif
}

int dump_bad_byte(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7f)
			return c;
	}
	return -1;
}
