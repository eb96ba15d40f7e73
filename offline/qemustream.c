// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * qemustream.c - QEMU's migration stream, of which QEMU's migration/savevm.c and ram.c are the
 * description. All its numbers are big-endian.
 *
 *	"QEVM", u32 version, the machine's name, sections
 *
 * The section "ram" comes in parts. Its pages are a u64 with the offset in a block of memory and
 * flags, and the page. A running guest writes to its memory while the stream is written, so a page
 * may come several times: the last one counts. Devices come after the memory; of these, cpus are
 * read (qemucpu.c).
 */
#include "qemu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_VERSION 3u

/* types of sections */
#define STREAM_END	0x00u
#define SECTION_START	0x01u
#define SECTION_PART	0x02u
#define SECTION_END	0x03u
#define SECTION_FULL	0x04u
#define SUBSECTION	0x05u
#define DESCRIPTION	0x06u
#define CONFIGURATION	0x07u
#define COMMAND		0x08u
#define SECTION_FOOTER	0x7eu
#define MOST_PAGE_FLAGS 0x3ffu

/* flags of a page */
#define FLAG_FILL      0x02u
#define FLAG_SIZES     0x04u
#define FLAG_PAGE      0x08u
#define FLAG_END       0x10u
#define FLAG_SAME      0x20u /* the block of the page before, which may be in an earlier part */
#define FLAG_DIFFERENT 0x40u /* xbzrle: the difference to the copy before */
#define FLAG_FLUSH     0x200u
#define FLAG_PACKED    0x100u

#define MOST_CPUS    8192u
#define MOST_DEVICES (256ull << 20) /* bytes behind the memory that are searched */
#define MOST_MEMORY  (1ull << 44)
#define FOUR_GIB     (4ull << 30)

/* ---- where the memory is ---- */

static bool starts_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void use_block(struct qemu *q, struct block *b)
{
	b->used = true;
	b->at = q->pages << q->page_bits;
	q->pages += b->size >> q->page_bits;
}

/* Main memory: a block whose name the board gives, or one for each NUMA node, or the largest. */
static void choose_blocks(struct qemu *q)
{
	static const char *const names[] = { "pc.ram", "mach-virt.ram", "riscv_virt_board.ram",
					     "s390.ram", "ppc_spapr.ram" };
	struct block *largest = NULL;
	size_t i, k;

	for (i = 0; i < q->nr_blocks; i++) {
		struct block *b = &q->blocks[i];

		if (!largest || b->size > largest->size)
			largest = b;
		for (k = 0; k < sizeof(names) / sizeof(*names); k++) {
			if (!strcmp(b->name, names[k])) {
				use_block(q, b);
				return;
			}
		}
	}
	for (i = 0; i < q->nr_blocks; i++) {
		if (strstr(q->blocks[i].name, "ram-node"))
			use_block(q, &q->blocks[i]);
	}
	if (!q->pages && largest)
		use_block(q, largest);
}

/* hw/i386/pc_piix.c, pc_q35.c, microvm.c; hw/arm/virt.c, hw/riscv/virt.c: the usual boards */
static void place_memory(struct qemu *q)
{
	uint64_t size = q->pages << q->page_bits, least = 0xe0000000, hole = 0xc0000000;
	size_t i;

	q->hole = UINT64_MAX;
	for (i = 0; i < q->nr_blocks; i++) {
		if (starts_with(q->blocks[i].name, "mach-virt"))
			q->base = 0x40000000;
		if (starts_with(q->blocks[i].name, "riscv_virt"))
			q->base = 0x80000000;
	}
	if (!starts_with(q->machine, "pc") && !starts_with(q->machine, "microvm"))
		return;
	if (starts_with(q->machine, "pc-q35")) {
		least = 0xb0000000;
		hole = 0x80000000;
	} else if (starts_with(q->machine, "microvm")) {
		least = hole;
	}
	if (size < least)
		return;
	q->hole = hole;
	q->after = FOUR_GIB;
}

static bool set_entry(struct qemu *q, const struct block *b, uint64_t offset, uint64_t entry)
{
	uint64_t page = (b->at + offset) >> q->page_bits;
	uint64_t **leaf = &q->leaves[page / LEAF_ENTRIES];

	if (!*leaf)
		*leaf = calloc(LEAF_ENTRIES, sizeof(**leaf));
	if (!*leaf)
		return false;
	(*leaf)[page % LEAF_ENTRIES] = entry;
	return true;
}

/* ---- the stream ---- */

/* u8 length, text */
static bool read_name(struct stream *s, char ret[256])
{
	const unsigned char *text;
	uint64_t len;

	if (!stream_number(s, 1, &len) || !(text = stream_bytes(s, len)))
		return false;
	memcpy(ret, text, len);
	ret[len] = '\0';
	return true;
}

static int read_sizes(struct qemu *q, struct stream *s, uint64_t all)
{
	while (all) {
		struct block *b = &q->blocks[q->nr_blocks];

		if (q->nr_blocks == MOST_BLOCKS || !read_name(s, b->name) ||
		    !stream_number(s, 8, &b->size) || !b->size || b->size > all)
			return OTST_ERR_CORRUPT;
		all -= b->size;
		q->nr_blocks++;
	}
	choose_blocks(q);
	if (!q->pages || q->pages << q->page_bits > MOST_MEMORY)
		return OTST_ERR_CORRUPT;
	place_memory(q);
	q->leaves = calloc(q->pages / LEAF_ENTRIES + 1, sizeof(*q->leaves));
	return q->leaves ? 0 : OTST_ERR_NOMEM;
}

static const struct block *find_block(const struct qemu *q, const char *name)
{
	size_t i;

	for (i = 0; i < q->nr_blocks; i++) {
		if (!strcmp(q->blocks[i].name, name))
			return &q->blocks[i];
	}
	return NULL;
}

/* Passes over the page's data; returns the entry for it. */
static int read_page(struct qemu *q, struct stream *s, uint64_t flags, uint64_t *ret)
{
	uint64_t len;

	*ret = stream_at(s) << 2;
	if (flags & FLAG_PAGE)
		return stream_skip(s, 1ull << q->page_bits) ? 0 : OTST_ERR_CORRUPT;
	if (flags & FLAG_FILL) {
		if (!stream_number(s, 1, &len))
			return OTST_ERR_CORRUPT;
		*ret = len << 2 | ENTRY_FILL;
		return 0;
	}
	if (flags & FLAG_DIFFERENT) {
		q->different++;
		*ret = 0;
		/* a byte that tells the encoding, and the length */
		return stream_skip(s, 1) && stream_number(s, 2, &len) && stream_skip(s, len) ?
			       0 :
			       OTST_ERR_CORRUPT;
	}
	*ret |= ENTRY_PACKED;
	return stream_number(s, 4, &len) && stream_skip(s, len) ? 0 : OTST_ERR_CORRUPT;
}

/* One part of the memory: pages up to an end mark. */
static int read_ram(struct qemu *q, struct stream *s)
{
	const uint64_t mask = (1ull << q->page_bits) - 1;
	char name[256];

	for (;;) {
		uint64_t word, flags, offset, entry;
		const struct block *block;
		int err;

		if (!stream_number(s, 8, &word))
			return OTST_ERR_CORRUPT;
		flags = word & mask;
		offset = word & ~mask;
		if (flags & FLAG_END)
			return 0;
		if (flags & FLAG_SIZES) {
			err = q->leaves ? OTST_ERR_CORRUPT : read_sizes(q, s, offset);
			if (err)
				return err;
			continue;
		}
		if (flags == FLAG_FLUSH)
			continue;
		if (!(flags & (FLAG_FILL | FLAG_PAGE | FLAG_DIFFERENT | FLAG_PACKED)) ||
		    flags > MOST_PAGE_FLAGS || !q->leaves)
			return OTST_ERR_CORRUPT;
		if (!(flags & FLAG_SAME))
			q->last = read_name(s, name) ? find_block(q, name) : NULL;
		block = q->last;
		if (!block || offset >= block->size)
			return OTST_ERR_CORRUPT;
		err = read_page(q, s, flags, &entry);
		if (err)
			return err;
		if (block->used && !set_entry(q, block, offset, entry))
			return OTST_ERR_NOMEM;
	}
}

/* The contents of other sections have no length, but a footer with their number follows, before @end. */
static bool skip_section(struct stream *s, uint64_t id, uint64_t end)
{
	const unsigned char *at;

	while (stream_at(s) < end && (at = stream_peek(s, 5))) {
		if (at[0] == SECTION_FOOTER && get_number(true, at + 1, 4) == id)
			return true;
		stream_skip(s, 1);
	}
	return false;
}

/* u32 number of the section; at its start also its name, instance and version */
static int read_section(struct qemu *q, struct stream *s, uint64_t type, uint64_t *ram)
{
	char name[256] = "";
	uint64_t id;
	int err;

	if (!stream_number(s, 4, &id))
		return OTST_ERR_CORRUPT;
	if ((type == SECTION_START || type == SECTION_FULL) &&
	    (!read_name(s, name) || !stream_skip(s, 8)))
		return OTST_ERR_CORRUPT;
	if (type == SECTION_START && !strcmp(name, "ram"))
		*ram = id;
	if (id != *ram)
		return skip_section(s, id, UINT64_MAX) ? 0 : OTST_ERR_CORRUPT;
	err = read_ram(q, s);
	q->ended = !err && type == SECTION_END;
	return err;
}

static bool read_command(struct stream *s)
{
	uint64_t len;

	return stream_skip(s, 2) && stream_number(s, 2, &len) && stream_skip(s, len);
}

static int read_sections(struct qemu *q, struct stream *s)
{
	uint64_t type, ram = UINT64_MAX;
	int err = 0;

	while (!err && !q->ended) {
		if (!stream_number(s, 1, &type))
			return OTST_ERR_CORRUPT;
		if (type >= SECTION_START && type <= SECTION_FULL)
			err = read_section(q, s, type, &ram);
		else if (type == SECTION_FOOTER)
			err = stream_skip(s, 4) ? 0 : OTST_ERR_CORRUPT;
		else if (type == COMMAND)
			err = read_command(s) ? 0 : OTST_ERR_CORRUPT;
		else
			return OTST_ERR_CORRUPT;
	}
	return err;
}

static bool add_cpu_section(struct qemu_devices *d, uint64_t id, uint64_t at, uint64_t size)
{
	struct qemu_section *list =
		d->nr_cpus < MOST_CPUS ?
			grow_array(d->cpus, d->nr_cpus, &d->room, sizeof(*d->cpus)) :
			NULL;

	if (!list)
		return false;
	d->cpus = list;
	d->cpus[d->nr_cpus++] = (struct qemu_section){ id, at, size };
	return true;
}

/* u32 number of the section, the device's name, u32 instance, u32 version */
static bool read_device(struct qemu *q, struct stream *s, uint64_t end)
{
	uint64_t id, instance, at;
	char name[256];

	if (!stream_number(s, 4, &id) || !read_name(s, name) || !stream_number(s, 4, &instance) ||
	    !stream_skip(s, 4))
		return false;
	at = stream_at(s);
	return skip_section(s, id, end) &&
	       (strcmp(name, "cpu") != 0 ||
		add_cpu_section(&q->devices, instance, at, stream_at(s) - at));
}

static bool read_behind_memory(struct qemu *q, struct stream *s, uint64_t type, uint64_t end)
{
	uint64_t id;

	if (type == SECTION_START || type == SECTION_FULL)
		return read_device(q, s, end);
	if (type == SECTION_PART || type == SECTION_END)
		return stream_number(s, 4, &id) && skip_section(s, id, end);
	if (type == SECTION_FOOTER)
		return stream_skip(s, 4);
	return type == COMMAND ? read_command(s) : type == STREAM_END;
}

/* The devices, up to the text that describes them. If some are cut off, no memory is lost. */
static void read_devices(struct qemu *q, struct stream *s)
{
	struct qemu_devices *d = &q->devices;
	uint64_t end = stream_at(s) + MOST_DEVICES, type;

	while (stream_number(s, 1, &type)) {
		if (type == DESCRIPTION && stream_number(s, 4, &d->text_size)) {
			d->text_at = stream_at(s);
			return;
		}
		if (!read_behind_memory(q, s, type, end))
			return;
	}
}

/* what follows the machine's name, each with u8 length, name, u32 version */
static bool read_subsections(struct qemu *q, struct stream *s)
{
	const unsigned char *at;
	char name[256];
	uint64_t n;

	while ((at = stream_peek(s, 1)) && *at == SUBSECTION) {
		stream_skip(s, 1);
		if (!read_name(s, name) || !stream_skip(s, 4))
			return false;
		if (!strcmp(name, "configuration/target-page-bits")) {
			if (!stream_number(s, 4, &n) || n < PAGE_BITS || n > 16)
				return false;
			q->page_bits = (unsigned int)n;
		} else if (!strcmp(name, "configuration/uuid")) {
			if (!stream_skip(s, 16))
				return false;
		} else if (!strcmp(name, "configuration/capabilities")) {
			if (!stream_number(s, 4, &n))
				return false;
			for (; n; n--) {
				if (!read_name(s, name))
					return false;
			}
		} else {
			return false;
		}
	}
	return at;
}

static bool read_configuration(struct qemu *q, struct stream *s)
{
	const unsigned char *at = stream_peek(s, 1);
	uint64_t len;

	if (!at || *at != CONFIGURATION)
		return at;
	stream_skip(s, 1);
	if (!stream_number(s, 4, &len) || len >= sizeof(q->machine) || !(at = stream_bytes(s, len)))
		return false;
	memcpy(q->machine, at, len);
	return read_subsections(q, s);
}

static int read_header(struct stream *s)
{
	const unsigned char *head = stream_bytes(s, 8);

	if (!head || memcmp(head, "QEVM", 4) != 0) {
		complain("there is no migration stream of QEMU where it should be");
		return OTST_ERR_CORRUPT;
	}
	if (get_number(true, head + 4, 4) == STREAM_VERSION)
		return 0;
	complain("a migration stream of version %" PRIu64 ": only version %u can be read",
		 get_number(true, head + 4, 4), STREAM_VERSION);
	return OTST_ERR_UNSUPPORTED;
}

static void complain_of_rest(const struct qemu *q, const struct stream *s, int err)
{
	size_t i;

	if (err)
		complain("the migration stream is %s at byte %" PRIu64
			 ": pages are missing, or not in their last state",
			 stream_ended(s) ? "truncated" : "damaged", stream_at(s));
	if (q->different)
		complain("the stream was written with xbzrle, which is not read: %" PRIu64
			 " %s missing",
			 q->different, q->different == 1 ? "page may be" : "pages may be");
	for (i = 0; i < q->nr_blocks; i++) {
		if (!q->blocks[i].used && q->blocks[i].size >= 128u << 20)
			complain("the memory %s (%" PRIu64
				 " MiB) is not read: its address is not known",
				 q->blocks[i].name, q->blocks[i].size >> 20);
	}
}

int qemu_read_stream(struct qemu *q, struct stream *s)
{
	int err = read_header(s);

	if (err)
		return err;
	err = read_configuration(q, s) ? read_sections(q, s) : OTST_ERR_CORRUPT;
	if (err == OTST_ERR_NOMEM)
		return err;
	complain_of_rest(q, s, err);
	if (!err)
		read_devices(q, s);
	if (q->leaves)
		return 0;
	complain("the migration stream holds no memory");
	return OTST_ERR_CORRUPT;
}
