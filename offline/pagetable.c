// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pagetable.c - finds the page tables of an x86_64 kernel by its VMCOREINFO; the
 * engine walks them.
 *
 * libkdumpfile can do this too, but starts from the CR3 of the first cpu where
 * the dump has it (up to 0.5.3): with page table isolation that is a table
 * without the kernel when the cpu was in user mode. It also maps out the
 * direct mapping before the first read, which costs more than a whole listing
 * here.
 */
#include "offline.h"

/* Linux arch/x86/include/asm/page_64_types.h: __START_KERNEL_map */
#define KERNEL_MAP 0xffffffff80000000ull

static int read_phys(void *priv, uint64_t phys, void *buf, uint64_t len)
{
	return dump_read(priv, OTST_PHYS, phys, buf, len);
}

/*
 * A root that maps the kernel's start to where phys_base says it is can be
 * trusted; stale copies of VMCOREINFO, of an earlier boot, do not pass.
 */
static bool root_fits(struct otst_pagetable *p, uint64_t text, uint64_t phys_base)
{
	uint64_t phys, span;

	return !otst_pagetable_walk(p, text, &phys, &span) && phys == text - KERNEL_MAP + phys_base;
}

static bool find_root(const char *info, size_t len, uint64_t *ret)
{
	/* v4.13 renamed init_level4_pgt; on x86 swapper_pg_dir is a macro for either. */
	return vmcoreinfo_hex(info, len, "SYMBOL(init_top_pgt)", ret) ||
	       vmcoreinfo_hex(info, len, "SYMBOL(swapper_pg_dir)", ret) ||
	       vmcoreinfo_hex(info, len, "SYMBOL(init_level4_pgt)", ret);
}

int pagetable_open(struct dump *d, const char *info, size_t len, const uint64_t *phys_base,
		   struct otst_pagetable **ret)
{
	struct otst_paging paging = { .page_shift = 12 };
	uint64_t root, base, five = 0, text;
	int err;

	/*
	 * Linux 401721ecd1dc ("kexec: export the value of phys_base instead of
	 * symbol address") (v4.10).
	 */
	if (!vmcoreinfo_number(info, len, "NUMBER(phys_base)", &base)) {
		if (!phys_base)
			return OTST_ERR_CORRUPT;
		base = *phys_base;
	}
	if (!find_root(info, len, &root) || root < KERNEL_MAP)
		return OTST_ERR_CORRUPT;
	if (!vmcoreinfo_hex(info, len, "SYMBOL(_stext)", &text))
		text = root;
	vmcoreinfo_number(info, len, "NUMBER(pgtable_l5_enabled)", &five);
	vmcoreinfo_number(info, len, "NUMBER(sme_mask)", &paging.encryption);
	paging.root = root - KERNEL_MAP + base;
	paging.va_bits = five ? 57 : 48;

	err = otst_pagetable_create(&paging, read_phys, d, ret);
	if (!err && !root_fits(*ret, text, base)) {
		otst_pagetable_destroy(*ret);
		*ret = NULL;
		err = OTST_ERR_CORRUPT;
	}
	return err;
}
