// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kdump.c - dumps in forms other than ELF. diskpages.c reads makedumpfile's compressed
 * dumps. libkdumpfile reads those of Xen, whose virtual addresses only it can translate,
 * and s390's own dumps.
 */
#include "diskpages.h"
#include "forms.h"
#include "notes.h"

#include <inttypes.h>
#include <libkdumpfile/kdumpfile.h>
#include <stdlib.h>
#include <string.h>

/*
 * The engine and the page tables have their own caches. A small cache stays in the
 * processor's: with the default of 1024 pages, each page takes 3 us longer.
 */
#define CACHED_PAGES 64

/* For when the library itself looks for page tables: more pages than it reads for that. */
#define CACHED_TABLES 16384

struct kdump {
	struct diskguard *guard;
	struct diskparts *parts;
	struct diskpages *pages; /* NULL when libkdumpfile reads the dump */
	kdump_ctx_t *ctx;
	kdump_bmp_t *pagemap; /* pages that are in the file, if no guard knows them */
	kdump_num_t cache_size;
	bool xen; /* the library translates addresses */
	char *vmcoreinfo;
	size_t vmcoreinfo_len;
};

/* kdump_get_typed_attr() takes different arguments in different releases of the library */
static bool get_attr(struct kdump *k, const char *name, kdump_attr_type_t type, kdump_attr_t *ret)
{
	return kdump_get_attr(k->ctx, name, ret) == KDUMP_OK && ret->type == type;
}

static void take_vmcoreinfo(struct kdump *k)
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
static void renew_cache(struct kdump *k, kdump_num_t size)
{
	/* The same size again would change nothing. */
	k->cache_size = k->cache_size == size ? size + 1 : size;
	kdump_set_number_attr(k->ctx, "cache.size", k->cache_size);
}

static bool is_present(struct kdump *k, uint64_t phys, uint64_t len)
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

static void take_pagemap(struct kdump *k)
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
static void keep_page_size(struct kdump *k)
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

static int open_library(struct kdump *k, int fd)
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

static int open_pages(struct kdump *k, const struct form_file *file)
{
	uint64_t offset, size;
	int err;

	err = diskparts_open(k->guard, file->more, file->nr_more, &k->parts);
	err = err   ?:
		      diskpages_open(k->parts, diskguard_page_size(k->guard), file->threads,
				     &k->pages);
	if (err || !diskguard_vmcoreinfo(k->guard, &offset, &size))
		return err;
	k->vmcoreinfo = calloc(1, size + 1);
	if (!k->vmcoreinfo)
		return OTST_ERR_NOMEM;
	if (read_fully(file->fd, k->vmcoreinfo, size, offset))
		k->vmcoreinfo_len = strlen(k->vmcoreinfo);
	return 0;
}

/*
 * Before libkdumpfile commit 97c716a424a8 ("Run attribute cleanup hooks before
 * deallocating attributes", 0.5.2), freeing the context of a compressed dump,
 * opened or not, reads attributes that were just freed. Such contexts are kept.
 */
static void free_context(struct kdump *k)
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

static void close_kdump(void *priv)
{
	struct kdump *k = priv;

	if (!k)
		return;
	if (k->pagemap)
		kdump_bmp_decref(k->pagemap);
	free_context(k);
	diskpages_close(k->pages);
	diskparts_close(k->parts);
	diskguard_close(k->guard);
	free(k->vmcoreinfo);
	free(k);
}

static int read_kdump(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct kdump *k = priv;
	kdump_addrspace_t as = space == OTST_PHYS ? KDUMP_MACHPHYSADDR : KDUMP_KVADDR;
	size_t n = len;

	if (space == OTST_VIRT && !k->xen)
		return OTST_ERR_UNSUPPORTED;
	if (!len)
		return 0;
	if (len - 1 > UINT64_MAX - addr)
		return OTST_ERR_FAULT;
	if (k->pages)
		return diskpages_read(k->pages, addr, buf, len);
	if (space == OTST_PHYS && !is_present(k, addr, len))
		return OTST_ERR_FAULT;
	if (kdump_read(k->ctx, as, addr, buf, &n) == KDUMP_OK)
		return 0;
	renew_cache(k, CACHED_PAGES);
	return OTST_ERR_FAULT;
}

static void read_kdump_ahead(void *priv, uint64_t phys, uint64_t len)
{
	struct kdump *k = priv;

	if (k->pages)
		diskpages_ahead(k->pages, phys, len);
}

static bool next_kdump_range(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	struct kdump *k = priv;
	kdump_num_t size = 0, count = 0;
	kdump_addr_t pfn;
	kdump_attr_t attr;

	if (k->pages)
		return diskparts_next(k->parts, phys, start, end);
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

static bool is_xen(struct kdump *k)
{
	kdump_num_t xen = KDUMP_XEN_NONE;

	if (!k->ctx)
		return false;
	kdump_get_number_attr(k->ctx, KDUMP_ATTR_XEN_TYPE, &xen);
	return xen != KDUMP_XEN_NONE;
}

static const char *kdump_vmcoreinfo(void *priv, size_t *len)
{
	const struct kdump *k = priv;

	*len = k->vmcoreinfo_len;
	return k->vmcoreinfo;
}

/* let the library translate virtual addresses */
static int translate_xen(struct kdump *k)
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

static int open_reader(struct kdump *k, const struct form_file *file)
{
	int err = diskguard_open(file->fd, &k->guard);

	if (err)
		return err;
	if (k->guard && !file->xen)
		return open_pages(k, file);
	if (k->guard && dump_is_part(file->fd)) {
		complain(
			"one part of a split dump of Xen; join the parts first: makedumpfile --reassemble");
		return OTST_ERR_UNSUPPORTED;
	}
	err = open_library(k, file->fd);
	if (err)
		return err;
	k->xen = is_xen(k);
	return k->xen ? translate_xen(k) : 0;
}

static int open_kdump(const struct form_file *file, void **ret)
{
	struct kdump *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return OTST_ERR_NOMEM;
	err = open_reader(k, file);
	if (err) {
		close_kdump(k);
		return err;
	}
	*ret = k;
	return 0;
}

const struct form_ops kdump_form = {
	.open = open_kdump,
	.close = close_kdump,
	.read = read_kdump,
	.next = next_kdump_range,
	.ahead = read_kdump_ahead,
	.vmcoreinfo = kdump_vmcoreinfo,
};
