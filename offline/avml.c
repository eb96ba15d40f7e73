// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * avml.c - images that AVML writes with --compress: ranges of physical memory, each after LiME's
 * header with a magic of its own, version 2, as a stream of snappy's framing format (its
 * framing_format.txt), and after that the length of this stream in 8 bytes. A chunk of the stream
 * holds at most 64 KiB of memory. The index of all chunks is built once.
 *
 * AVML leaves out blocks of 16 MiB that are zero. The memory of a chunk whose checksum is wrong
 * cannot be read.
 */
#include "crc32c.h"
#include "forms.h"
#include "../front/notes.h"

#include <inttypes.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define AVML_MAGIC   0x4c4d5641u
#define AVML_VERSION 2u

/* chunk: type, size of what follows in 3 bytes, checksum in 4 bytes, data */
#define CHUNK_HEADER  4u
#define CHUNK_CRC     4u
#define VARINT	      5u /* a compressed chunk begins with the length of its data */
#define TYPE_PLAIN    0x01u
#define TYPE_SKIPPED  0x80u /* and above: padding, stream identifiers */
#define PLAIN_MOST    65536u
#define PACKED_MOST   (PLAIN_MOST + PLAIN_MOST / 6 + 32u) /* snappy_max_compressed_length() */
#define STREAM_LENGTH 8u

/* unpacked chunks that are kept: 8 MiB */
#define SLOTS 128u

/**
 * struct chunk - a part of memory
 * @offset: of its data in the file
 * @packed: bytes there
 * @checksum: of the memory, masked
 * @differs: from another chunk for the same memory
 */
struct chunk {
	uint64_t phys;
	uint64_t offset;
	uint32_t packed;
	uint32_t size;
	uint32_t checksum;
	bool is_plain;
	bool differs;
};

struct avml {
	int fd;
	uint64_t file_size;
	struct chunk *chunks; /* by address */
	size_t count;
	size_t room;
	bool damaged;	    /* chunks are missing from the index */
	size_t held[SLOTS]; /* index of the chunk in the slot, plus 1 */
	unsigned char *slots;
	struct crc32c crc32c;
	unsigned char packed[PACKED_MOST];
};

/* ---- the index ---- */

static int add_chunk(struct avml *a, struct chunk chunk)
{
	struct chunk *chunks = grow_array(a->chunks, a->count, &a->room, sizeof(*chunks));

	if (!chunks)
		return OTST_ERR_NOMEM;
	a->chunks = chunks;
	a->chunks[a->count++] = chunk;
	return 0;
}

/* the length of the data before it was packed; 0 when there is none */
static uint32_t plain_size(const unsigned char *head, uint32_t packed)
{
	size_t size;

	/* snappy needs no more than the number's own bytes */
	return snappy_uncompressed_length((const char *)head, packed < VARINT ? packed : VARINT,
					  &size) == SNAPPY_OK &&
			       size <= PLAIN_MOST ?
		       (uint32_t)size :
		       0;
}

/**
 * read_chunk() - the chunk at *@at, to which @phys belongs
 * @at: moves behind it
 * @ret: its size is 0 when it holds no memory
 *
 * Return: false when it is damaged or not in the file.
 */
static bool read_chunk(const struct avml *a, uint64_t phys, uint64_t *at, struct chunk *ret)
{
	unsigned char head[CHUNK_HEADER + CHUNK_CRC + VARINT] = { 0 };
	uint64_t left = a->file_size - *at, size;

	if (left < CHUNK_HEADER ||
	    !read_fully(a->fd, head, left < sizeof(head) ? left : sizeof(head), *at))
		return false;
	size = get_number(false, head + 1, 3);
	if (size > left - CHUNK_HEADER)
		return false;
	*ret = (struct chunk){ .phys = phys,
			       .offset = *at + CHUNK_HEADER + CHUNK_CRC,
			       .checksum =
				       (uint32_t)get_number(false, head + CHUNK_HEADER, CHUNK_CRC),
			       .is_plain = head[0] == TYPE_PLAIN };
	*at += CHUNK_HEADER + size;
	if (head[0] >= TYPE_SKIPPED)
		return true;
	if (head[0] > TYPE_PLAIN || size <= CHUNK_CRC || size - CHUNK_CRC > PACKED_MOST)
		return false;
	ret->packed = (uint32_t)size - CHUNK_CRC;
	ret->size = ret->is_plain ? ret->packed :
				    plain_size(head + CHUNK_HEADER + CHUNK_CRC, ret->packed);
	return ret->size && ret->size <= PLAIN_MOST;
}

/* Adds the chunks of one range; *@at moves behind its stream. */
static int add_range(struct avml *a, const struct range_header *r, uint64_t *at)
{
	uint64_t done = 0;
	struct chunk chunk;
	int err = 0;

	while (!err && done < r->size) {
		if (!read_chunk(a, r->start + done, at, &chunk) || chunk.size > r->size - done) {
			complain("the AVML image is %s: memory from 0x%" PRIx64 " on is not in it",
				 *at >= a->file_size ? "truncated" : "damaged or truncated",
				 r->start + done);
			a->damaged = true;
			return 0;
		}
		if (chunk.size)
			err = add_chunk(a, chunk);
		done += chunk.size;
	}
	*at += STREAM_LENGTH;
	return err;
}

static int add_ranges(struct avml *a)
{
	struct range_header r;
	uint64_t at = 0;
	int err = 0;

	while (!err && !a->damaged && at < a->file_size) {
		if (!range_header_read(a->fd, false, at, &r) ||
		    !range_header_valid(&r, AVML_MAGIC)) {
			complain("the AVML image is damaged at byte %" PRIu64
				 ": what follows is left out",
				 at);
			a->damaged = true;
			break;
		}
		at += RANGE_HEADER;
		err = add_range(a, &r, &at);
	}
	return err;
}

static uint64_t chunk_end(const struct chunk *c)
{
	return c->phys + c->size;
}

static int by_address(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	return x->phys < y->phys ? -1 : x->phys > y->phys;
}

static bool is_same_chunk(const struct chunk *c, const struct chunk *of)
{
	return c->phys == of->phys && c->size == of->size && c->checksum == of->checksum;
}

/* Memory that is there twice: the checksums tell whether the copies are the same. */
static void settle_copies(struct avml *a)
{
	size_t kept = 0;
	bool said = false;

	for (size_t i = 0; i < a->count; i++) {
		struct chunk *c = &a->chunks[i], *last = kept ? &a->chunks[kept - 1] : c;

		if (last != c && c->phys < chunk_end(last)) {
			if (is_same_chunk(c, last))
				continue;
			if (!said)
				complain(COPIES_DIFFER, c->phys);
			said = last->differs = c->differs = true;
			if (chunk_end(c) <= chunk_end(last))
				continue;
		}
		a->chunks[kept++] = *c;
	}
	a->count = kept;
}

/* ---- opening ---- */

static void close_avml(void *priv)
{
	struct avml *a = priv;

	free(a->chunks);
	free(a->slots);
	free(a);
}

static int build_index(struct avml *a)
{
	struct range_header r;
	int err;

	if (range_header_read(a->fd, false, 0, &r) && r.version != AVML_VERSION) {
		complain("an AVML image of version %" PRIu32 ": only version %u can be read",
			 r.version, AVML_VERSION);
		return OTST_ERR_UNSUPPORTED;
	}
	a->slots = malloc((size_t)SLOTS * PLAIN_MOST);
	err = a->slots ? add_ranges(a) : OTST_ERR_NOMEM;
	if (err)
		return err;
	if (!a->count) {
		complain("the AVML image holds no memory");
		return OTST_ERR_CORRUPT;
	}
	qsort(a->chunks, a->count, sizeof(*a->chunks), by_address);
	settle_copies(a);
	return 0;
}

static int open_avml(const struct form_file *file, void **ret)
{
	struct avml *a = calloc(1, sizeof(*a));
	struct stat st;
	int err;

	if (!a)
		return OTST_ERR_NOMEM;
	a->fd = file->fd;
	a->file_size = fstat(file->fd, &st) ? 0 : (uint64_t)st.st_size;
	crc32c_init(&a->crc32c);
	err = build_index(a);
	if (err) {
		close_avml(a);
		return err;
	}
	*ret = a;
	return 0;
}

/* ---- reading ---- */

/* index of the first chunk that ends after @phys; a->count when there is none */
static size_t find_chunk(const struct avml *a, uint64_t phys)
{
	size_t low = 0, high = a->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (chunk_end(&a->chunks[mid]) <= phys)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool unpack_chunk(struct avml *a, const struct chunk *c, unsigned char *ret)
{
	size_t size = c->size;

	if (c->is_plain)
		return read_fully(a->fd, ret, c->packed, c->offset);
	return read_fully(a->fd, a->packed, c->packed, c->offset) &&
	       snappy_uncompress((const char *)a->packed, c->packed, (char *)ret, &size) ==
		       SNAPPY_OK &&
	       size == c->size;
}

/* framing_format.txt, "3. Checksums" */
static uint32_t masked_checksum(const struct avml *a, const unsigned char *data, size_t size)
{
	uint32_t crc = crc32c(&a->crc32c, data, size);

	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/* the bytes of a chunk; NULL when it is damaged, or nobody knows which copy is right */
static const unsigned char *chunk_bytes(struct avml *a, size_t i)
{
	unsigned char *slot = a->slots + i % SLOTS * PLAIN_MOST;

	if (a->held[i % SLOTS] == i + 1)
		return slot;
	a->held[i % SLOTS] = 0;
	if (a->chunks[i].differs || !unpack_chunk(a, &a->chunks[i], slot) ||
	    masked_checksum(a, slot, a->chunks[i].size) != a->chunks[i].checksum)
		return NULL;
	a->held[i % SLOTS] = i + 1;
	return slot;
}

static int read_avml(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct avml *a = priv;
	unsigned char *to = buf;

	if (space != OTST_PHYS)
		return OTST_ERR_UNSUPPORTED;
	while (len) {
		size_t i = find_chunk(a, addr);
		const struct chunk *c = &a->chunks[i];
		bool zeros = i < a->count && addr < c->phys;
		const unsigned char *from = i == a->count || zeros ? NULL : chunk_bytes(a, i);
		uint64_t part;

		if (!from && (!zeros || a->damaged))
			return OTST_ERR_FAULT;
		part = zeros ? c->phys - addr : chunk_end(c) - addr;
		part = part < len ? part : len;
		if (zeros)
			memset(to, 0, part);
		else
			memcpy(to, from + (addr - c->phys), part);
		to += part;
		addr += part;
		len -= part;
	}
	return 0;
}

static bool next_avml_range(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	const struct avml *a = priv;
	size_t i = find_chunk(a, phys);

	if (i == a->count)
		return false;
	*start = phys > a->chunks[i].phys ? phys : a->chunks[i].phys;
	*end = chunk_end(&a->chunks[i]);
	while (++i < a->count && a->chunks[i].phys <= *end)
		*end = chunk_end(&a->chunks[i]) > *end ? chunk_end(&a->chunks[i]) : *end;
	return true;
}

const struct form_ops avml_form = {
	.has_no_byte_order = true,
	.open = open_avml,
	.close = close_avml,
	.read = read_avml,
	.next = next_avml_range,
};
