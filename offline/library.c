// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * library.c - dumps that libkdumpfile reads: those of Xen, whose virtual addresses only it can
 * translate, and s390's own. A static program (OTST_STATIC) is built without that library.
 */
#include "library.h"

#ifdef OTST_STATIC
int library_open(int fd, struct diskguard *guard, struct library **ret)
{
	(void)fd;
	(void)guard;
	*ret = NULL;
	complain(
		"dumps of Xen and s390's own are read by libkdumpfile, which a static otst does not have");
	return OTST_ERR_UNSUPPORTED;
}

void library_close(struct library *k)
{
	(void)k;
}

bool library_translates(const struct library *k)
{
	(void)k;
	return false;
}

int library_read(struct library *k, int space, uint64_t addr, void *buf, uint64_t len)
{
	(void)k;
	(void)space;
	(void)addr;
	(void)buf;
	(void)len;
	return OTST_ERR_UNSUPPORTED;
}

bool library_next(struct library *k, uint64_t phys, uint64_t *start, uint64_t *end)
{
	(void)k;
	(void)phys;
	(void)start;
	(void)end;
	return false;
}

const char *library_vmcoreinfo(const struct library *k, size_t *len)
{
	(void)k;
	*len = 0;
	return NULL;
}
#else
#include "../front/notes.h"

#include <inttypes.h>
#include <libkdumpfile/kdumpfile.h>
#include <stdlib.h>
#include <string.h>

/*
 * The engine and the page tables have their own caches. A small cache stays in the
 * processor's: with the default of 1024 pages, each page takes 3 us longer.
 */
#define CACHED_PAGES  64

/* For when the library itself looks for page tables: more pages than it reads for that. */
#define CACHED_TABLES 16384

struct library {
	struct diskguard *guard;
	kdump_ctx_t *ctx;
	kdump_bmp_t *pagemap; /* pages that are in the file, if no guard knows them */
	kdump_num_t cache_size;
	bool xen; /* the library translates addresses */
	char *vmcoreinfo;
	size_t vmcoreinfo_len;
};

/* kdump_get_typed_attr() takes different arguments in different releases of the library */
static bool get_attr(struct library *k, const char *name, kdump_attr_type_t type, kdump_attr_t *ret)
{
	return kdump_get_attr(k->ctx, name, ret) == KDUMP_OK && ret->type == type;
}

static void take_vmcoreinfo(struct library *k)
{
	kdump_attr_t attr;
	const char *text;
	size_t len;

	if (!get_attr(k, "linux.vmcoreinfo.raw", KDUMP_BLOB, &attr))
		return;
	text = kdump_blob_pin(attr.val.blob);
	len = kdump_blob_size(attr.val.blob);
	if (text && len)
		k->vmcoreinfo = strndup(text, len);
	if (k->vmcoreinfo)
		k->vmcoreinfo_len = strlen(k->vmcoreinfo);
	kdump_blob_unpin(attr.val.blob);
}

/*
 * A page that cannot be read costs the library's cache an entry: up to 0.5.4 the
 * cache forgets whose buffer that was, and some pages later it hands out an entry
 * without a buffer, which the library writes to. Upstream commit e63dab40c8ce
 * ("cache: Get data buffer before adjusting ghost partition size") fixes it in the
 * release after 0.5.4. Until then, is_present() keeps the library away from pages
 * that are not in the dump, of which there are many, and the cache is rebuilt after
 * a damaged page, of which there are few.
 */
static void renew_cache(struct library *k, kdump_num_t size)
{
	/* The same size again would change nothing. */
	k->cache_size = k->cache_size == size ? size + 1 : size;
	kdump_set_number_attr(k->ctx, "cache.size", k->cache_size);
}

static bool is_present(struct library *k, uint64_t phys, uint64_t len)
{
	kdump_num_t page_size = 0;
	kdump_addr_t pfn;

	if (k->guard)
		return diskguard_allows(k->guard, phys, len);
	if (!k->pagemap ||
	    kdump_get_number_attr(k->ctx, KDUMP_ATTR_PAGE_SIZE, &page_size) != KDUMP_OK ||
	    !page_size)
		return true;
	pfn = phys / page_size;
	/* no page is missing up to and including the last one */
	return kdump_bmp_find_clear(k->pagemap, &pfn) == KDUMP_OK &&
	       pfn > (phys + len - 1) / page_size;
}

static void take_pagemap(struct library *k)
{
	kdump_attr_t attr;

	if (k->guard || !get_attr(k, KDUMP_ATTR_FILE_PAGEMAP, KDUMP_BITMAP, &attr))
		return;
	kdump_bmp_incref(attr.val.bitmap);
	k->pagemap = attr.val.bitmap;
}

/*
 * The library takes the page size in VMCOREINFO for the file's. QEMU writes blocks
 * of 64 KiB for any arm64 guest, whatever the kernel's page size is.
 */
static void keep_page_size(struct library *k)
{
	if (k->guard)
		kdump_set_number_attr(k->ctx, KDUMP_ATTR_PAGE_SIZE, diskguard_page_size(k->guard));
}

/* The library sizes its cache by the page size in the header of s390's own form. */
static bool has_pages_of_s390(int fd)
{
	unsigned char head[24];
	uint64_t size;

	if (!read_fully(fd, head, sizeof(head), 0) ||
	    memcmp(head, S390_DUMP_MAGIC, sizeof(S390_DUMP_MAGIC) - 1) != 0)
		return true;
	size = get_number(true, head + 20, 4);
	if (size != 4096)
		complain("the dump's header is damaged: page size %" PRIu64, size);
	return size == 4096;
}

static int open_context(struct library *k, int fd)
{
	kdump_attr_t arch;

	if (!has_pages_of_s390(fd))
		return OTST_ERR_CORRUPT;
	k->ctx = kdump_new();
	if (!k->ctx)
		return OTST_ERR_NOMEM;
	/*
	 * The library maps windows of the file, even past its end, where a read
	 * raises SIGBUS. It may do so only where each read is checked first.
	 */
	if (!k->guard)
		kdump_set_number_attr(k->ctx, KDUMP_ATTR_FILE_MMAP_POLICY, KDUMP_MMAP_NEVER);
	if (kdump_open_fd(k->ctx, fd) != KDUMP_OK) {
		complain("cannot open the dump: %s", kdump_get_err(k->ctx));
		return OTST_ERR_CORRUPT;
	}
	keep_page_size(k);
	renew_cache(k, CACHED_PAGES);
	take_pagemap(k);
	take_vmcoreinfo(k);
	if (!k->guard && get_attr(k, KDUMP_ATTR_ARCH_NAME, KDUMP_STRING, &arch))
		return machine_check_name(arch.val.string);
	return 0;
}

/*
 * Before libkdumpfile commit 97c716a424a8 ("Run attribute cleanup hooks before
 * deallocating attributes", 0.5.2), freeing the context of a compressed dump,
 * opened or not, reads attributes that were just freed. Such contexts are kept.
 */
static void free_context(struct library *k)
{
	if (!k->ctx)
		return;
#if KDUMPFILE_VERSION < KDUMPFILE_MKVER(0, 5, 2)
	static struct kept {
		struct kept *next;
		kdump_ctx_t *ctx;
	} * kept;

	if (k->guard) {
		struct kept *new = malloc(sizeof(*new));

		if (new) {
			*new = (struct kept){ kept, k->ctx };
			kept = new;
		}
		return;
	}
#endif
	kdump_free(k->ctx);
}

/* let the library translate virtual addresses */
static int translate_xen(struct library *k)
{
	kdump_status status;

	/* It walks page tables that may lead to missing pages. */
	renew_cache(k, CACHED_TABLES);
	status = kdump_set_string_attr(k->ctx, KDUMP_ATTR_OSTYPE, "linux");
	renew_cache(k, CACHED_PAGES);
	if (status == KDUMP_OK)
		return 0;
	complain("cannot translate addresses of the dump: %s", kdump_get_err(k->ctx));
	return OTST_ERR_CORRUPT;
}

void library_close(struct library *k)
{
	if (!k)
		return;
	if (k->pagemap)
		kdump_bmp_decref(k->pagemap);
	free_context(k);
	free(k->vmcoreinfo);
	free(k);
}

int library_open(int fd, struct diskguard *guard, struct library **ret)
{
	struct library *k = calloc(1, sizeof(*k));
	kdump_num_t xen = KDUMP_XEN_NONE;
	int err;

	*ret = k;
	if (!k)
		return OTST_ERR_NOMEM;
	k->guard = guard;
	err = open_context(k, fd);
	if (err)
		return err;
	kdump_get_number_attr(k->ctx, KDUMP_ATTR_XEN_TYPE, &xen);
	k->xen = xen != KDUMP_XEN_NONE;
	return k->xen ? translate_xen(k) : 0;
}

bool library_translates(const struct library *k)
{
	return k->xen;
}

int library_read(struct library *k, int space, uint64_t addr, void *buf, uint64_t len)
{
	kdump_addrspace_t as = space == OTST_PHYS ? KDUMP_MACHPHYSADDR : KDUMP_KVADDR;
	size_t n = len;

	if (space == OTST_PHYS && !is_present(k, addr, len))
		return OTST_ERR_FAULT;
	if (kdump_read(k->ctx, as, addr, buf, &n) == KDUMP_OK)
		return 0;
	renew_cache(k, CACHED_PAGES);
	return OTST_ERR_FAULT;
}

bool library_next(struct library *k, uint64_t phys, uint64_t *start, uint64_t *end)
{
	kdump_num_t size = 0, count = 0;
	kdump_addr_t pfn;
	kdump_attr_t attr;

	if (kdump_get_number_attr(k->ctx, KDUMP_ATTR_PAGE_SIZE, &size) != KDUMP_OK || !size)
		return false;
	pfn = phys / size;
	if (!get_attr(k, KDUMP_ATTR_FILE_PAGEMAP, KDUMP_BITMAP, &attr)) {
		/* s390's own form has all pages from the first to the last */
		kdump_get_number_attr(k->ctx, "max_pfn", &count);
		*start = phys;
		*end = count * size;
		return *end > phys;
	}
	if (kdump_bmp_find_set(attr.val.bitmap, &pfn) != KDUMP_OK)
		return false;
	*start = pfn * size;
	if (kdump_bmp_find_clear(attr.val.bitmap, &pfn) != KDUMP_OK)
		return false;
	*end = pfn * size;
	return *end > *start;
}

const char *library_vmcoreinfo(const struct library *k, size_t *len)
{
	*len = k->vmcoreinfo_len;
	return k->vmcoreinfo;
}
#endif
