// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * target.c - struct otst_target_ops over a dump file.
 */
#include "offline.h"

#include <stdlib.h>
#include <string.h>

struct offline {
	struct dump *dump;
	bool live;
	struct otst_target_ops ops;
	struct helper *helper;
	struct livesyms *symbols; /* opened when first asked for */
	const volatile sig_atomic_t *interrupted;
};

static int target_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct offline *f = priv;

	return dump_read(f->dump, space, addr, buf, len);
}

static int target_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	struct offline *f = priv;
	size_t n;
	const char *info = dump_vmcoreinfo(f->dump, &n);

	if (!info)
		return OTST_ERR_LOOKUP;
	*ret = info;
	*len = n;
	return 0;
}

static void target_progress(void *priv, const char *what, uint64_t done, uint64_t all)
{
	(void)priv;
	progress_step(what, done, all);
}

static bool target_interrupted(void *priv)
{
	struct offline *f = priv;

	progress_tick();
	return f->interrupted && *f->interrupted;
}

static int target_notes(void *priv, const void **ret, uint64_t *len)
{
	struct offline *f = priv;
	size_t n;
	const void *notes = dump_elf_notes(f->dump, &n);

	if (!notes)
		return OTST_ERR_LOOKUP;
	*ret = notes;
	*len = n;
	return 0;
}

static int target_memory(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	struct offline *f = priv;

	return dump_next(f->dump, phys, start, end) ? 0 : OTST_ERR_LOOKUP;
}

static int target_place(void *priv, uint64_t phys)
{
	struct offline *f = priv;

	return dump_place(f->dump, phys) ? 0 : OTST_ERR_UNSUPPORTED;
}

static int target_extent(void *priv, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset)
{
	struct offline *f = priv;

	return dump_extent(f->dump, i, phys, size, offset) ? 0 : OTST_ERR_LOOKUP;
}

static void target_ahead(void *priv, uint64_t phys, uint64_t len)
{
	struct offline *f = priv;

	dump_ahead(f->dump, phys, len);
}

static uint64_t target_start(void *priv, void (*work)(void *what), void *what)
{
	struct offline *f = priv;

	return helper_start(f->helper, work, what);
}

static void target_finish(void *priv, uint64_t job)
{
	struct offline *f = priv;

	helper_finish(f->helper, job);
}

static const struct otst_target_ops file_ops = {
	.size = sizeof(file_ops),
	.name = "file",
	.read = target_read,
	.vmcoreinfo = target_vmcoreinfo,
	.interrupted = target_interrupted,
	.progress = target_progress,
	.notes = target_notes,
	.memory = target_memory,
	.place = target_place,
	.extent = target_extent,
};

/* ---- the running kernel ---- */

static int open_symbols(struct offline *f)
{
	return f->symbols ? 0 : livesyms_open("/proc/kallsyms", &f->symbols);
}

static int live_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct offline *f = priv;
	int err = open_symbols(f);

	return err ? err : livesyms_find(f->symbols, name, ret);
}

static int live_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	struct offline *f = priv;
	int err = open_symbols(f);

	return err ? err : livesyms_at(f->symbols, addr, ret);
}

/* CONFIG_KALLSYMS_ALL, which every distribution sets, adds data symbols */
static bool live_knows(void *priv, int what)
{
	struct offline *f = priv;
	uint64_t addr;

	return what == OTST_KNOWS_SYMBOLS && !open_symbols(f) &&
	       !livesyms_find(f->symbols, "kprobe_table", &addr);
}

bool offline_is_live(const struct offline *f)
{
	return f->live;
}

static void set_live_ops(struct offline *f)
{
	static const char table[] = "SYMBOL(kallsyms_names)";
	size_t len;
	const void *notes = dump_elf_notes(f->dump, &len);

	f->ops.name = "live";
	/* a kernel that says where its symbol table is needs no other source of symbols */
	if (notes && memmem(notes, len, table, sizeof(table) - 1))
		return;
	f->ops.symbol = live_symbol;
	f->ops.symbol_at = live_symbol_at;
	f->ops.knows = live_knows;
}

/* ---- opening ---- */

bool offline_is_big_endian(const struct offline *f)
{
	return dump_is_big_endian(f->dump);
}

const struct otst_target_ops *offline_ops(const struct offline *f)
{
	return &f->ops;
}

/*
 * For a compressed dump, inflating is more than half of the work: with two threads, the
 * second one does that; with more, one of them helps the engine.
 */
static int open_threads(struct offline *f, const struct dump_files *files, unsigned int threads)
{
	int err = dump_open(files, threads - (threads > 2), &f->dump);

	if (err)
		return err;
	f->ops = file_ops;
	f->ops.hint = dump_hint(f->dump);
	if (threads > 1 && dump_reads_ahead(f->dump))
		f->ops.ahead = target_ahead;
	if (threads < 2 || (threads == 2 && f->ops.ahead))
		return 0;
	f->helper = helper_create();
	if (!f->helper)
		return OTST_ERR_NOMEM;
	f->ops.start = target_start;
	f->ops.finish = target_finish;
	return 0;
}

int offline_open(const struct dump_files *files, const volatile sig_atomic_t *interrupted,
		 unsigned int threads, struct offline **ret)
{
	struct offline *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return OTST_ERR_NOMEM;
	f->interrupted = interrupted;
	f->live = live_is_path(files->path);
	err = open_threads(f, files, threads);
	if (err) {
		offline_close(f);
		return err;
	}
	if (f->live)
		set_live_ops(f);
	*ret = f;
	return 0;
}

void offline_close(struct offline *f)
{
	if (!f)
		return;
	helper_destroy(f->helper);
	dump_close(f->dump);
	livesyms_close(f->symbols);
	free(f);
}
