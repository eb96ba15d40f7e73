// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * qemu.c - QEMU's migration stream: savevm and migrate to a file, `virsh save` (after a header of
 * libvirt's, qemu_saveimage.h), `virsh dump` without --memory-only.
 */
#include "qemu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- where the memory is ---- */

/* Physical address to the place in memory without holes, and how much follows. */
static bool place_of(const struct qemu *q, uint64_t phys, uint64_t *at, uint64_t *len)
{
	uint64_t size = q->pages << q->page_bits, low = size < q->hole ? size : q->hole;

	if (phys >= q->base && phys - q->base < low) {
		*at = phys - q->base;
		*len = low - *at;
		return true;
	}
	if (low == size || phys < q->after || phys - q->after >= size - low)
		return false;
	*at = low + (phys - q->after);
	*len = size - *at;
	return true;
}

/* ---- the index ---- */

static uint64_t find_entry(const struct qemu *q, uint64_t page)
{
	const uint64_t *leaf = page < q->pages ? q->leaves[page / LEAF_ENTRIES] : NULL;

	return leaf ? leaf[page % LEAF_ENTRIES] : 0;
}

/* ---- opening ---- */

/* struct _virQEMUSaveHeader of libvirt's qemu_saveimage.h, in the byte order of the machine */
#define SAVE_HEADER	92u
#define SAVE_PART	"LibvirtQemudPart"
#define SAVE_VERSION_AT 16u
#define SAVE_TEXT_AT	20u
#define SAVE_PACKED_AT	28u

static int refuse_packed(uint64_t how, uint64_t at, const char *path)
{
	static const char *const tools[] = { NULL, "gzip", "bzip2", "xz", "lzop", "zstd" };

	if (how < sizeof(tools) / sizeof(*tools))
		complain("libvirt compressed this save; unpack it with: tail -c +%" PRIu64
			 " %s | %s -dc > NEW",
			 at + 1, path, tools[how]);
	else
		complain("libvirt saved it in a form that is not read (%" PRIu64
			 "); set save_image_format = \"raw\" in qemu.conf",
			 how);
	return OTST_ERR_UNSUPPORTED;
}

/* Where the stream begins: behind libvirt's header and its text. */
static int find_stream(const struct form_file *file, uint64_t *ret)
{
	unsigned char head[SAVE_HEADER] = { 0 };
	bool big;

	*ret = 0;
	if (!read_fully(file->fd, head, sizeof(head), 0) || !memcmp(head, "QEVM", 4))
		return 0;
	if (!memcmp(head, SAVE_PART, sizeof(SAVE_PART) - 1)) {
		complain("libvirt did not finish this save: its memory is not complete");
		return OTST_ERR_CORRUPT;
	}
	/* the version is small */
	big = get_number(false, head + SAVE_VERSION_AT, 4) > 0xffff;
	*ret = SAVE_HEADER + get_number(big, head + SAVE_TEXT_AT, 4);
	if (get_number(big, head + SAVE_PACKED_AT, 4))
		return refuse_packed(get_number(big, head + SAVE_PACKED_AT, 4), *ret, file->path);
	return 0;
}

static void close_qemu(void *priv)
{
	struct qemu *q = priv;
	uint64_t i;

	for (i = 0; q->leaves && i <= q->pages / LEAF_ENTRIES; i++)
		free(q->leaves[i]);
	free(q->leaves);
	libdeflate_free_decompressor(q->zlib);
	free(q->packed);
	free(q->devices.cpus);
	free(q);
}

static int open_stream(struct qemu *q, const struct form_file *file)
{
	struct stream *s;
	uint64_t at;
	int err = find_stream(file, &at);

	if (err)
		return err;
	s = stream_create(file->fd, at);
	err = s ? qemu_read_stream(q, s) : OTST_ERR_NOMEM;
	stream_destroy(s);
	return err;
}

static int open_qemu(const struct form_file *file, void **ret)
{
	struct qemu *q = calloc(1, sizeof(*q));
	int err;

	if (!q)
		return OTST_ERR_NOMEM;
	q->fd = file->fd;
	q->page_bits = PAGE_BITS;
	err = open_stream(q, file);
	if (err) {
		close_qemu(q);
		return err;
	}
	*ret = q;
	return 0;
}

/* ---- reading ---- */

/* u32 length, data in zlib's format */
static bool unpack_page(struct qemu *q, uint64_t offset, unsigned char *ret)
{
	const size_t size = (size_t)1 << q->page_bits, most = 2 * size;
	unsigned char head[4];
	uint64_t len;

	if (!q->zlib)
		q->zlib = libdeflate_alloc_decompressor();
	if (!q->packed)
		q->packed = malloc(most);
	if (!q->zlib || !q->packed || !read_fully(q->fd, head, sizeof(head), offset))
		return false;
	len = get_number(true, head, sizeof(head));
	return len <= most && read_fully(q->fd, q->packed, len, offset + 4) &&
	       libdeflate_zlib_decompress(q->zlib, q->packed, len, ret, size, NULL) ==
		       LIBDEFLATE_SUCCESS;
}

/* bytes of one page */
static bool copy_page(struct qemu *q, uint64_t entry, uint64_t from, void *ret, size_t len)
{
	unsigned char page[1 << 16];

	if (!entry)
		return false;
	if (entry & ENTRY_FILL) {
		memset(ret, (int)(entry >> 2), len);
		return true;
	}
	if (!(entry & ENTRY_PACKED))
		return read_fully(q->fd, ret, len, (entry >> 2) + from);
	if (!unpack_page(q, entry >> 2, page))
		return false;
	memcpy(ret, page + from, len);
	return true;
}

static int read_qemu(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct qemu *q = priv;
	const uint64_t page = 1ull << q->page_bits;
	char *to = buf;

	if (space != OTST_PHYS)
		return OTST_ERR_UNSUPPORTED;
	while (len) {
		uint64_t at, left, from, part;

		if (!place_of(q, addr, &at, &left))
			return OTST_ERR_FAULT;
		from = at & (page - 1);
		part = page - from < len ? page - from : len;
		if (!copy_page(q, find_entry(q, at >> q->page_bits), from, to, part))
			return OTST_ERR_FAULT;
		to += part;
		addr += part;
		len -= part;
	}
	return 0;
}

static bool has_data(const struct qemu *q, uint64_t page)
{
	uint64_t entry = find_entry(q, page);

	return entry && entry != ENTRY_FILL;
}

/* the first page with data from @page up to @end; @end when there is none */
static uint64_t find_data(const struct qemu *q, uint64_t page, uint64_t end)
{
	for (; page < end && !has_data(q, page); page++) {
		if (!q->leaves[page / LEAF_ENTRIES])
			page |= LEAF_ENTRIES - 1;
	}
	return page < end ? page : end;
}

/* pages of zeros are passed over */
static bool next_qemu_range(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	const struct qemu *q = priv;
	const uint64_t starts_at[] = { q->base, q->after };
	size_t i;

	for (i = 0; i < 2; i++) {
		uint64_t from = phys > starts_at[i] ? phys : starts_at[i], at, left, page, first,
			 last;

		if (!place_of(q, from, &at, &left))
			continue;
		page = at >> q->page_bits;
		last = (at + left) >> q->page_bits;
		first = find_data(q, page, last);
		if (first == last)
			continue;
		*start = first == page ? from : from - at + (first << q->page_bits);
		for (page = first; page < last && has_data(q, page); page++)
			;
		*end = from - at + (page << q->page_bits);
		return true;
	}
	return false;
}

static int registers_qemu(void *priv, const struct form_file *file, void **notes, size_t *len)
{
	(void)file;
	return qemu_registers(((struct qemu *)priv)->fd, &((struct qemu *)priv)->devices, notes,
			      len);
}

const struct form_ops qemu_form = {
	.has_no_byte_order = true,
	.open = open_qemu,
	.close = close_qemu,
	.read = read_qemu,
	.next = next_qemu_range,
	.registers = registers_qemu,
};
