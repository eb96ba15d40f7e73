// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pagetable.c - finds the page tables of a kernel of x86_64 or arm64 by its
 * VMCOREINFO; the engine walks them.
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
 * A root that maps the kernel's start, @text, to where VMCOREINFO says that it
 * is, @at, can be trusted; stale copies of VMCOREINFO, of an earlier boot, do not pass.
 */
static int open_fitting(struct dump *d, const struct otst_paging *paging, uint64_t text,
			uint64_t at, struct otst_pagetable **ret)
{
	uint64_t phys, span;
	int err = otst_pagetable_create(paging, read_phys, d, ret);

	if (!err && (otst_pagetable_walk(*ret, text, &phys, &span) || phys != at)) {
		otst_pagetable_destroy(*ret);
		*ret = NULL;
		err = OTST_ERR_CORRUPT;
	}
	return err == OTST_ERR_UNSUPPORTED ? OTST_ERR_CORRUPT : err;
}

static bool find_root(const char *info, size_t len, uint64_t *ret)
{
	/* v4.13 renamed init_level4_pgt; on x86 swapper_pg_dir is a macro for either. */
	return vmcoreinfo_hex(info, len, "SYMBOL(init_top_pgt)", ret) ||
	       vmcoreinfo_hex(info, len, "SYMBOL(swapper_pg_dir)", ret) ||
	       vmcoreinfo_hex(info, len, "SYMBOL(init_level4_pgt)", ret);
}

static int open_x86_64(struct dump *d, const char *info, size_t len, const uint64_t *phys_base,
		       struct otst_pagetable **ret)
{
	struct otst_paging paging = { .page_shift = 12 };
	uint64_t root, base, five = 0, text;

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
	return open_fitting(d, &paging, text, text - KERNEL_MAP + base, ret);
}

/*
 * A kernel of 52-bit addresses runs on processors of 48, too: with pages of 64
 * KiB its top table stays that of 52 bits, else it is that of what T1SZ says.
 */
static int open_arm64(struct dump *d, const char *info, size_t len, struct otst_pagetable **ret)
{
	struct otst_paging paging = { .arm64 = true };
	uint64_t root, offset, page_size, text, bits[2];
	size_t count = 0;
	int err = OTST_ERR_CORRUPT;

	/* Linux 20a166243328 ("arm64: kdump: add VMCOREINFO's for user-space tools") (v4.12) */
	if (!vmcoreinfo_hex(info, len, "SYMBOL(swapper_pg_dir)", &root) ||
	    !vmcoreinfo_number(info, len, "NUMBER(kimage_voffset)", &offset) ||
	    !vmcoreinfo_number(info, len, "PAGESIZE", &page_size) || !page_size)
		return OTST_ERR_CORRUPT;
	if (!vmcoreinfo_hex(info, len, "SYMBOL(_stext)", &text))
		text = root;
	/* what the processor was told (v5.9), and what the kernel was built for */
	if (vmcoreinfo_number(info, len, "NUMBER(TCR_EL1_T1SZ)", &bits[count]) &&
	    bits[count] < 64) {
		bits[count] = 64 - bits[count];
		count++;
	}
	if (vmcoreinfo_number(info, len, "NUMBER(VA_BITS)", &bits[count]) && bits[count] < 64)
		count++;
	paging.root = root - offset;
	paging.page_shift = (uint32_t)__builtin_ctzll(page_size);
	for (size_t i = 0; i < count && err == OTST_ERR_CORRUPT; i++) {
		paging.va_bits = (uint32_t)bits[i];
		err = open_fitting(d, &paging, text, text - offset, ret);
	}
	return err;
}

int pagetable_open(struct dump *d, enum machine machine, const char *info, size_t len,
		   const uint64_t *phys_base, struct otst_pagetable **ret)
{
	switch (machine) {
	case MACHINE_X86_64:
		return open_x86_64(d, info, len, phys_base, ret);
	case MACHINE_ARM64:
		return open_arm64(d, info, len, ret);
	default:
		return OTST_ERR_CORRUPT;
	}
}
