// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * target.c - struct otst_target_ops over a dump file and a vmlinux.
 */
#include "offline.h"

#include <stdlib.h>

struct offline {
	struct dump *dump;
	struct vmlinux *vmlinux;
	const volatile int *interrupted;
};

static int target_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct offline *f = priv;

	return dump_read(f->dump, space, addr, buf, len);
}

static int target_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct offline *f = priv;

	return f->vmlinux ? vmlinux_symbol(f->vmlinux, name, ret) : OTST_ERR_LOOKUP;
}

static int target_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	struct offline *f = priv;

	return f->vmlinux ? vmlinux_symbol_at(f->vmlinux, addr, ret) : OTST_ERR_LOOKUP;
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

static int target_cpu_regs(void *priv, unsigned int cpu, const char *const *names, uint32_t count,
			   uint64_t *ret)
{
	struct offline *f = priv;

	(void)names;
	return dump_regs(f->dump, cpu, count, ret);
}

static bool target_knows(void *priv, int what)
{
	struct offline *f = priv;

	return what == OTST_KNOWS_SYMBOLS && f->vmlinux && vmlinux_has_symbols(f->vmlinux);
}

const struct otst_target_ops *offline_ops(void)
{
	static const struct otst_target_ops ops = {
		.size = sizeof(ops),
		.name = "file",
		.read = target_read,
		.symbol = target_symbol,
		.symbol_at = target_symbol_at,
		.vmcoreinfo = target_vmcoreinfo,
		.interrupted = target_interrupted,
		.progress = target_progress,
		.cpu_regs = target_cpu_regs,
		.knows = target_knows,
	};

	return &ops;
}

int offline_open(const char *vmlinux, const char *vmcore, const volatile int *interrupted,
		 struct offline **ret)
{
	struct offline *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return OTST_ERR_NOMEM;
	f->interrupted = interrupted;
	err = dump_open(vmcore, &f->dump);
	if (!err && vmlinux)
		err = vmlinux_open(vmlinux, f->dump, &f->vmlinux);
	if (err) {
		offline_close(f);
		return err;
	}
	*ret = f;
	return 0;
}

void offline_close(struct offline *f)
{
	if (!f)
		return;
	vmlinux_close(f->vmlinux);
	dump_close(f->dump);
	free(f);
}
