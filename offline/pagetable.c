// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pagetable.c - has the engine find a kernel's page tables by its VMCOREINFO, and
 * walk them.
 *
 * libkdumpfile can do this too, but starts from the CR3 of the first cpu where
 * the dump has it (up to 0.5.3): with page table isolation that is a table
 * without the kernel when the cpu was in user mode. It also maps out the
 * direct mapping before the first read, which costs more than a whole listing
 * here.
 */
#include <elf.h>
#include <string.h>

#include "offline.h"

static int read_phys(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	return dump_read(priv, OTST_PHYS, phys, buf, len);
}

struct facts {
	const char *info;
	size_t len;
	const uint64_t *phys_base;
};

static bool find_fact(void *priv, const char *key, uint64_t *ret)
{
	const struct facts *f = priv;
	bool found = strncmp(key, "SYMBOL(", 7) ? vmcoreinfo_number(f->info, f->len, key, ret) :
						  vmcoreinfo_hex(f->info, f->len, key, ret);

	if (!found && f->phys_base && !strcmp(key, "NUMBER(phys_base)")) {
		*ret = *f->phys_base;
		found = true;
	}
	return found;
}

int pagetable_open(struct dump *d, enum machine machine, const char *info, size_t len,
		   const uint64_t *phys_base, struct otst_pagetable **ret)
{
	static const uint32_t machines[] = {
		[MACHINE_UNSAID] = EM_NONE, [MACHINE_X86_64] = EM_X86_64, [MACHINE_ARM64] = EM_AARCH64
	};
	struct facts facts = { info, len, phys_base };

	return otst_pagetable_find(machines[machine], find_fact, &facts, read_phys, d, ret);
}
