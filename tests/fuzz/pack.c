// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pack.c - otst-pack: rewrites an ELF dump as a compressed kdump, in every
 * form that the machine's libkdumpfile can read, whatever its makedumpfile can
 * write.
 *
 *	otst-pack [--flat] [--damage] [--block BYTES] [--machine NAME] [--nameless] FORM ELF NEW
 *
 * FORM is raw, zlib, lzo, snappy or zstd. The compressors are those that
 * libkdumpfile brings along; the status is 77 when it is built without FORM's.
 *
 *	--flat      the flattened form, its pieces out of order
 *	--damage    spoil every fifth compressed page
 *	--block     size of blocks, and so of pages, instead of 4096
 *	--nameless  the header names the machine, but no system, as QEMU's does
 *	--machine   the machine in the header, instead of the ELF header's
 *
 * The layout is makedumpfile's diskdump_mod.h. Exit status: 0, 77, or 99.
 */
#include <dlfcn.h>
#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../front/notes.h"
#include "../../offline/forms.h"
#include "random.h"

#define SKIPPED 77
#define BROKEN	99

#define BLOCK_MAX 65536u

/* struct disk_dump_header and kdump_sub_header, 64-bit; page_desc */
enum {
	VERSION_AT = 8,
	SYSNAME_AT = 12,
	RELEASE_AT = 142,
	VERSION_TEXT_AT = 207,
	MACHINE_AT = 272,
	BLOCK_SIZE_AT = 428,
	SUB_BLOCKS_AT = 432,
	BITMAP_BLOCKS_AT = 436,
	MAX_MAPNR_AT = 440,
	NR_CPUS_AT = 460,
	SUB_NOTE_AT = 48,
	SUB_MAX_MAPNR_AT = 96,
	DESC_SIZE = 24,
};

/** struct packing - how pages are compressed; @pack returns 0 when a page does not get smaller */
struct packing {
	const char *name;
	uint32_t flag;
	const char *symbol;
	size_t (*pack)(void *symbol, const void *page, size_t size, void *ret);
};

/**
 * struct image - the file that is written
 * @page: one page, followed by room for its packed form
 */
struct image {
	FILE *file;
	bool flat;
	bool damage;
	bool nameless;
	uint32_t block;
	uint8_t *page;
	uint64_t random;
};

static size_t pack_zlib(void *symbol, const void *page, size_t size, void *ret)
{
	int (*compress2)(void *, unsigned long *, const void *, unsigned long, int) = symbol;
	unsigned long len = 2 * size;

	return compress2(ret, &len, page, size, 1) ? 0 : len;
}

static size_t pack_lzo(void *symbol, const void *page, size_t size, void *ret)
{
	int (*lzo1x_1_compress)(const void *, size_t, void *, size_t *, void *) = symbol;
	static char work[16384 * sizeof(char *)];
	size_t len = 0;

	return lzo1x_1_compress(page, size, ret, &len, work) ? 0 : len;
}

static size_t pack_snappy(void *symbol, const void *page, size_t size, void *ret)
{
	int (*snappy_compress)(const void *, size_t, void *, size_t *) = symbol;
	size_t len = 2 * size;

	return snappy_compress(page, size, ret, &len) ? 0 : len;
}

static size_t pack_zstd(void *symbol, const void *page, size_t size, void *ret)
{
	size_t (*zstd_compress)(void *, size_t, const void *, size_t, int) = symbol;
	size_t len = zstd_compress(ret, 2 * size, page, size, 1);

	/* errors are the largest numbers of size_t */
	return len < 2 * size ? len : 0;
}

static const struct packing packings[] = {
	{ "raw", 0, NULL, NULL },
	{ "zlib", 0x1, "compress2", pack_zlib },
	{ "lzo", 0x2, "lzo1x_1_compress", pack_lzo },
	{ "snappy", 0x4, "snappy_compress", pack_snappy },
	{ "zstd", 0x20, "ZSTD_compress", pack_zstd },
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "otst-pack: %s\n", what);
	exit(BROKEN);
}

static void put32(uint8_t *at, uint32_t v)
{
	v = htole32(v);
	memcpy(at, &v, sizeof(v));
}

static void put64(uint8_t *at, uint64_t v)
{
	v = htole64(v);
	memcpy(at, &v, sizeof(v));
}

static void put(struct image *m, uint64_t offset, const void *data, size_t len)
{
	uint64_t piece[2] = { htobe64(offset), htobe64(len) };

	if (m->flat ? fwrite(piece, sizeof(piece), 1, m->file) != 1 :
		      fseeko(m->file, (off_t)offset, SEEK_SET) != 0)
		die("cannot write");
	if (fwrite(data, 1, len, m->file) != len)
		die("cannot write");
}

static void begin_flat(struct image *m)
{
	char head[4096] = "makedumpfile";

	head[23] = head[31] = 1; /* type and version, big-endian */
	if (fwrite(head, sizeof(head), 1, m->file) != 1)
		die("cannot write");
}

static void end_flat(struct image *m)
{
	uint64_t end[2] = { UINT64_MAX, UINT64_MAX };

	if (fwrite(end, sizeof(end), 1, m->file) != 1)
		die("cannot write");
}

/* True when any part of the page is in the dump; the rest reads as zeros. */
static bool read_page(void *elf, uint64_t phys, uint8_t *page, size_t size)
{
	bool any = false;

	memset(page, 0, size);
	for (size_t at = 0; at < size; at += 4096)
		any |= !segments_read(elf, OTST_PHYS, phys + at, page + at, 4096);
	return any;
}

/* up to 64 characters of a line of VMCOREINFO */
static void put_line(uint8_t *at, const char *line)
{
	for (size_t i = 0; i < 64 && line[i] != '\n'; i++)
		at[i] = (uint8_t)line[i];
}

static uint64_t end_of_memory(void *elf)
{
	uint64_t start, end = 0;

	while (segments_next(elf, end, &start, &end))
		;
	return end;
}

/* Header, sub header, notes; returns where the bitmaps go. */
static uint64_t put_headers(struct image *m, int fd, const char *machine, uint64_t pages,
			    size_t bitmaps_len)
{
	uint8_t head[BLOCK_MAX] = "KDUMP   ", sub[BLOCK_MAX] = { 0 };
	size_t notes_len;
	static const char first[] = "OSRELEASE=";
	uint32_t note_blocks;
	const char *info;
	void *notes;

	if (!dump_notes(fd, &notes, &notes_len) || !notes)
		die("the dump has no notes");
	info = memmem(notes, notes_len, first, sizeof(first) - 1);
	note_blocks = (uint32_t)((notes_len + m->block - 1) / m->block);
	put32(head + VERSION_AT, 6);
	if (!m->nameless) {
		memcpy(head + SYSNAME_AT, "Linux", 6);
		if (info)
			put_line(head + RELEASE_AT, info + sizeof(first) - 1);
		memcpy(head + VERSION_TEXT_AT, "#1", 3);
	}
	snprintf((char *)head + MACHINE_AT, 65, "%s", machine);
	put32(head + BLOCK_SIZE_AT, m->block);
	put32(head + SUB_BLOCKS_AT, 1 + note_blocks);
	put32(head + BITMAP_BLOCKS_AT, (uint32_t)(bitmaps_len / m->block));
	put32(head + MAX_MAPNR_AT, (uint32_t)pages);
	put32(head + NR_CPUS_AT, 1);
	put64(sub + SUB_NOTE_AT, 2ull * m->block);
	put64(sub + SUB_NOTE_AT + 8, notes_len);
	put64(sub + SUB_MAX_MAPNR_AT, pages);
	put(m, 0, head, m->block);
	put(m, m->block, sub, m->block);
	put(m, 2ull * m->block, notes, notes_len);
	free(notes);
	return (2ull + note_blocks) * m->block;
}

static void put_page(struct image *m, const struct packing *form, void *symbol, uint64_t number,
		     uint64_t desc_at, uint64_t *at)
{
	uint8_t *data = m->page, *packed = m->page + m->block, desc[DESC_SIZE] = { 0 };
	size_t len = form->pack ? form->pack(symbol, m->page, m->block, packed) : m->block;

	if (len && len < m->block) {
		if (m->damage && number % 5 == 4)
			packed[len / 2] ^= 1u << random_below(&m->random, 8);
		data = packed;
		put32(desc + 12, form->flag);
	} else {
		len = m->block;
	}
	put64(desc, *at);
	put32(desc + 8, (uint32_t)len);
	/* out of order, where that is possible */
	if (m->flat && number % 2)
		put(m, *at, data, len);
	put(m, desc_at + number * DESC_SIZE, desc, DESC_SIZE);
	if (!m->flat || number % 2 == 0)
		put(m, *at, data, len);
	*at += len;
}

static void pack(struct image *m, int fd, void *elf, const struct packing *form, void *symbol,
		 const char *machine)
{
	uint64_t pages = (end_of_memory(elf) + m->block - 1) / m->block, count = 0;
	size_t half = (pages / 8 + m->block) / m->block * m->block;
	uint64_t at, desc_at, bitmaps_at = put_headers(m, fd, machine, pages, 2 * half);
	uint8_t *bitmap = calloc(2, half);

	m->page = malloc(3 * (size_t)m->block);
	if (!bitmap || !m->page)
		die("out of memory");
	for (uint64_t pfn = 0; pfn < pages; pfn++) {
		if (!read_page(elf, pfn * m->block, m->page, m->block))
			continue;
		bitmap[pfn / 8] |= 1u << pfn % 8;
		count++;
	}
	memcpy(bitmap + half, bitmap, half);
	put(m, bitmaps_at, bitmap, 2 * half);
	desc_at = bitmaps_at + 2 * half;
	at = desc_at + count * DESC_SIZE;
	count = 0;
	for (uint64_t pfn = 0; pfn < pages; pfn++) {
		if (bitmap[pfn / 8] >> pfn % 8 & 1) {
			read_page(elf, pfn * m->block, m->page, m->block);
			put_page(m, form, symbol, count++, desc_at, &at);
		}
	}
	free(m->page);
	free(bitmap);
}

static const char *machine_of(int fd)
{
	Elf64_Ehdr eh;

	if (!read_fully(fd, &eh, sizeof(eh), 0))
		die("cannot read the ELF header");
	return le16toh(eh.e_machine) == EM_AARCH64 ? "aarch64" : "x86_64";
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "flat", no_argument, NULL, 'f' },
		{ "damage", no_argument, NULL, 'd' },
		{ "nameless", no_argument, NULL, 'n' },
		{ "block", required_argument, NULL, 'b' },
		{ "machine", required_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	struct image image = { .block = 4096, .random = 1 };
	const struct packing *form = NULL;
	const char *machine = NULL;
	void *symbol = NULL;
	void *elf;
	int c, fd;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 'f')
			image.flat = true;
		else if (c == 'd')
			image.damage = true;
		else if (c == 'n')
			image.nameless = true;
		else if (c == 'b')
			image.block = (uint32_t)strtoul(optarg, NULL, 0);
		else if (c == 'm')
			machine = optarg;
		else
			return BROKEN;
	}
	if (argc - optind != 3 || image.block < 4096 || image.block > BLOCK_MAX ||
	    image.block & (image.block - 1))
		die("usage: otst-pack [--flat] [--damage] [--block BYTES] [--machine NAME] [--nameless] FORM ELF NEW");
	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		if (!strcmp(packings[i].name, argv[optind]))
			form = &packings[i];
	}
	if (!form)
		die("no such form");
	if (form->symbol)
		symbol = dlsym(RTLD_DEFAULT, form->symbol);
	if (form->symbol && !symbol) {
		printf("SKIP: libkdumpfile brings no %s along\n", form->name);
		return SKIPPED;
	}
	fd = open(argv[optind + 1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 ||
	    elfcore_form.open(&(struct form_file){ .fd = fd, .path = argv[optind + 1] }, &elf))
		die("the ELF dump does not open");
	image.file = fopen(argv[optind + 2], "w");
	if (!image.file)
		die("cannot create the new dump");
	if (image.flat)
		begin_flat(&image);
	pack(&image, fd, elf, form, symbol, machine ? machine : machine_of(fd));
	if (image.flat)
		end_flat(&image);
	if (fclose(image.file))
		die("cannot write");
	segments_close(elf);
	close(fd);
	return 0;
}
