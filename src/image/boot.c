// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * boot.c - finds the kernel's ELF file in an image as it is installed. A compressed
 * vmlinux is one after decompression. The payload of x86's bzImage
 * (Documentation/arch/x86/boot.rst, setup header) is the vmlinux without its symbols;
 * relocations for KASLR follow it. The payload of an EFI zboot image
 * (drivers/firmware/efi/libstub/zboot-header.S) is another image, such as a flat one
 * (flat.c). That of s390x's boot image (arch/s390/boot/head.S) is flat, too, and nothing
 * says where in the file it begins. Neither a symbol table nor debug information is left in them, but all sections
 * that are loaded are.
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../arch/bytes.h"
#include "../memory/memory.h"
#include "boot.h"
#include "flat.h"
#include "unnamed.h"
#include "unpack.h"

#define LAYERS 3 /* images in images: a compressed zboot image of an Image */
/* of a decompressed image more is not believed, nor more than SMALL and so many times the file's size */
#define LARGEST	 (16ull << 30)
#define SMALL	 (32ull << 20)
#define SHRUNK	 64u
#define HEAD	 512u
#define SIZE_LEN 4u /* the size before compression, behind the payload */

/**
 * struct payload - a compressed image within a file
 * @size: bytes that it has when it is decompressed; 0 when the file does not say
 */
struct payload {
	enum otst_packing packing;
	const uint8_t *data;
	size_t len;
	uint64_t size;
};

/* ---- where the payload is; NULL, or why the file cannot be right ---- */

/* Linux Makefile.lib, size_append: gzip has the size itself, behind others it is added */
static void set_payload(struct payload *ret, const uint8_t *data, size_t len)
{
	*ret = (struct payload){ otst_packing_of(data, len), data, len, 0 };
	if (len <= SIZE_LEN)
		return;
	ret->size = otst_get_le(data + len - SIZE_LEN, SIZE_LEN);
	if (ret->packing != OTST_PACKING_GZIP)
		ret->len -= SIZE_LEN;
}

#define BZ_SECTS   0x1f1u
#define BZ_MAGIC   0x202u
#define BZ_VERSION 0x206u
#define BZ_OFFSET  0x248u
#define BZ_LENGTH  0x24cu
#define BZ_END	   0x250u

static bool is_bzimage(const uint8_t *data, size_t len)
{
	return len >= BZ_END && !memcmp(data + BZ_MAGIC, "HdrS", 4);
}

static const char *find_in_bzimage(const uint8_t *data, size_t len, struct payload *ret)
{
	/* 0 means 4; the boot sector comes before them */
	uint64_t start = 512 * (1 + (uint64_t)(data[BZ_SECTS] ? data[BZ_SECTS] : 4)),
		 length = otst_get_le(data + BZ_LENGTH, 4);

	if (otst_get_le(data + BZ_VERSION, 2) < 0x208)
		return "is an image of Linux before 2.6.26, which does not say where its payload is";
	start += otst_get_le(data + BZ_OFFSET, 4);
	if (start > len || length > len - start)
		return "is cut: its payload is not in it";
	set_payload(ret, data + start, length);
	return ret->packing ? NULL : "has a payload of unknown format";
}

#define ZBOOT_START 8u
#define ZBOOT_SIZE  12u
#define ZBOOT_END   0x40u

static bool is_zboot(const uint8_t *data, size_t len)
{
	return len >= ZBOOT_END && !memcmp(data, "MZ\0\0zimg", 8);
}

static const char *find_in_zboot(const uint8_t *data, size_t len, struct payload *ret)
{
	uint64_t start = otst_get_le(data + ZBOOT_START, 4),
		 length = otst_get_le(data + ZBOOT_SIZE, 4);

	if (start > len || length > len - start)
		return "is cut: its payload is not in it";
	*ret = (struct payload){ otst_packing_of(data + start, length), data + start, length, 0 };
	/* the size that gzip has of its own is all that is in the payload */
	if (ret->packing == OTST_PACKING_GZIP)
		set_payload(ret, data + start, length);
	return ret->packing ? NULL : "has a payload of unknown format";
}

/*
 * s390x: the EBCDIC loader, then the decompressor with its mark. No machine that runs Linux has as
 * little memory as the largest image, so that memory into which an image was loaded is none.
 */
#define S390_MAGIC 0x10008u
#define S390_CODE  0x11000u
#define S390_MOST  (64u << 20)
#define S390_LEAST (1u << 20) /* of what it unpacks */
#define S390_TRIES 100u	      /* places that look like a payload: a few of the decompressor's */

static bool is_s390(const uint8_t *data, size_t len)
{
	return len >= S390_CODE && len <= S390_MOST && !memcmp(data + S390_MAGIC, "S390EP", 6);
}

/* the next place from *@at on, which moves behind it, where a payload may begin */
static bool find_in_s390(const uint8_t *data, size_t len, size_t *at, struct payload *ret)
{
	while (*at < len) {
		const uint8_t *here = data + *at;
		size_t left = len - (*at)++;

		*ret = (struct payload){ otst_packing_of(here, left), here, left, 0 };
		if (ret->packing)
			return true;
	}
	return false;
}

/* @ret: no payload when @data is not compressed */
static const char *find_payload(const uint8_t *data, size_t len, struct payload *ret)
{
	*ret = (struct payload){ 0 };
	if (is_bzimage(data, len))
		return find_in_bzimage(data, len, ret);
	if (is_zboot(data, len))
		return find_in_zboot(data, len, ret);
	*ret = (struct payload){ otst_packing_of(data, len), data, len, 0 };
	return NULL;
}

/* ---- files ---- */

/** struct view - a file in memory */
struct view {
	const uint8_t *data;
	size_t len;
};

static bool map_file(int fd, struct view *ret)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	*ret = (struct view){ map, (size_t)st.st_size };
	return true;
}

static void unmap_file(const struct view *v)
{
	munmap((void *)v->data, v->len);
}

/** struct sink - a file that is being written, of @most bytes; @error: errno */
struct sink {
	struct otst *o;
	int fd;
	uint64_t most;
	uint64_t size;
	int error;
};

static bool write_piece(void *priv, const uint8_t *bytes, size_t len)
{
	struct sink *s = priv;

	if (s->size + len > s->most)
		s->error = EFBIG;
	else
		s->error = otst_unnamed_write(s->fd, bytes, len, s->size);
	s->size += len;
	return !s->error && !otst_check(s->o);
}

static int raise_room(struct otst *o, const char *why)
{
	return otst_raise(o, OTST_ERR_LOOKUP, "no room to decompress it: %s", why);
}

/* @ret: -1 with an error, or when @why the payload is none */
static int unpack_payload(struct otst *o, const struct payload *p, uint64_t most, const char **why,
			  int *ret)
{
	struct sink s = { .o = o, .fd = otst_unnamed_open(), .most = most };
	size_t rest;
	int err;

	*ret = -1;
	if (s.fd < 0)
		return raise_room(o, strerror(errno));
	*why = otst_unpack(p->packing, p->data, p->len, write_piece, &s, &rest);
	if (!*why && !s.error && p->size && (uint32_t)s.size != p->size)
		*why = "does not have the size that it says";
	err = otst_stopped(o);
	if (!err && s.error == EFBIG)
		err = otst_raise(o, OTST_ERR_LOOKUP,
				 "it would have more than %" PRIu64 " MB when it is decompressed",
				 most >> 20);
	else if (!err && s.error)
		err = raise_room(o, strerror(s.error));
	if (err || *why)
		close(s.fd);
	else
		*ret = s.fd;
	return err;
}

/* ---- is it a kernel: by its first bytes ---- */

static bool is_elf(const uint8_t *head, size_t len)
{
	return len >= sizeof(Elf64_Ehdr) && !memcmp(head, ELFMAG, SELFMAG);
}

/* programs and libraries load into the lower half of the address space */
static bool is_elf_program(const uint8_t *head, size_t len)
{
	uint64_t at = otst_get_le(head + offsetof(Elf64_Ehdr, e_phoff), 8),
		 n = otst_get_le(head + offsetof(Elf64_Ehdr, e_phnum), 2);
	bool loads = false;

	if (head[EI_CLASS] != ELFCLASS64 || head[EI_DATA] != ELFDATA2LSB)
		return false;
	for (; n--; at += sizeof(Elf64_Phdr)) {
		if (at > len || sizeof(Elf64_Phdr) > len - at)
			return false;
		if (otst_get_le(head + at, 4) != PT_LOAD)
			continue;
		if (otst_get_le(head + at + offsetof(Elf64_Phdr, p_vaddr), 8) >> 63)
			return false;
		loads = true;
	}
	return loads;
}

static bool is_kernel_elf(const uint8_t *head, size_t len)
{
	uint64_t type;

	if (!is_elf(head, len) || head[EI_CLASS] != ELFCLASS64)
		return false;
	type = otst_get_as(head[EI_DATA] == ELFDATA2MSB, head + 16, 2);
	return (type == ET_EXEC || type == ET_DYN) && !is_elf_program(head, len);
}

/** struct head - the first bytes of what is decompressed */
struct head {
	uint8_t bytes[2 * HEAD];
	size_t len;
};

static bool take_head(void *priv, const uint8_t *bytes, size_t len)
{
	struct head *h = priv;
	size_t room = sizeof(h->bytes) - h->len;

	memcpy(h->bytes + h->len, bytes, len < room ? len : room);
	h->len += len < room ? len : room;
	return h->len < sizeof(h->bytes);
}

static bool is_image(const uint8_t *data, size_t len, unsigned int layers)
{
	struct payload p = { 0 };
	struct head h = { .len = 0 };
	size_t rest;

	if (is_bzimage(data, len) || is_zboot(data, len) || is_s390(data, len) ||
	    otst_flat_machine(data, len) != EM_NONE)
		return true;
	if (is_elf(data, len))
		return is_kernel_elf(data, len);
	find_payload(data, len, &p);
	if (!p.packing || !layers)
		return false;
	otst_unpack(p.packing, p.data, p.len, take_head, &h, &rest);
	return is_image(h.bytes, h.len, layers - 1);
}

bool otst_boot_is_image(int fd)
{
	struct view v;
	bool is;

	if (!map_file(fd, &v))
		return false;
	is = is_image(v.data, v.len, LAYERS);
	unmap_file(&v);
	return is;
}

bool otst_boot_is_program(int fd)
{
	struct view v;
	bool is;

	if (!map_file(fd, &v))
		return false;
	is = is_elf(v.data, v.len) && is_elf_program(v.data, v.len);
	unmap_file(&v);
	return is;
}

/* ---- opening ---- */

static int open_flat(struct otst *o, const struct view *v, unsigned int machine, int *ret)
{
	int fd = otst_unnamed_open(), err;

	if (fd < 0)
		return raise_room(o, strerror(errno));
	err = otst_flat_to_elf(o, machine, v->data, v->len, fd);
	if (err == OTST_ERR_FILE)
		err = raise_room(o, otst_strdup(o, otst_message(o)));
	if (err)
		close(fd);
	else
		*ret = fd;
	return err;
}

static int open_s390_kernel(struct otst *o, int fd, int *ret)
{
	struct view v;
	int err;

	if (!map_file(fd, &v)) /* nothing was unpacked */
		return 0;
	err = v.len < S390_LEAST ? 0 : open_flat(o, &v, EM_S390, ret);
	unmap_file(&v);
	return err;
}

static int open_s390(struct otst *o, const struct view *v, uint64_t most, int *ret)
{
	size_t at = S390_CODE;
	unsigned int tries = 0;
	struct payload p;
	const char *why;
	int err = 0, fd;

	while (!err && *ret < 0 && tries++ < S390_TRIES && find_in_s390(v->data, v->len, &at, &p)) {
		err = unpack_payload(o, &p, most, &why, &fd);
		if (fd < 0)
			continue;
		err = open_s390_kernel(o, fd, ret);
		close(fd);
	}
	return err || *ret >= 0 ? err :
				  otst_raise(o, OTST_ERR_LOOKUP,
					     "is cut or damaged: no payload can be unpacked");
}

static int open_view(struct otst *o, const struct view *v, uint64_t most, int *ret)
{
	unsigned int machine = is_zboot(v->data, v->len) ? EM_NONE :
							   otst_flat_machine(v->data, v->len);
	struct payload p;
	const char *why;
	int err;

	*ret = -1;
	if (is_elf(v->data, v->len))
		return 0;
	if (machine != EM_NONE)
		return open_flat(o, v, machine, ret);
	if (is_s390(v->data, v->len))
		return open_s390(o, v, most, ret);
	why = find_payload(v->data, v->len, &p);
	if (!why && !p.packing)
		why = "not a kernel image";
	err = why ? 0 : unpack_payload(o, &p, most, &why, ret);
	return why && !err ? otst_raise(o, OTST_ERR_LOOKUP, "%s", why) : err;
}

/* one layer: @ret is -1 when @fd is an ELF file */
static int open_layer(struct otst *o, int fd, uint64_t most, int *ret)
{
	struct view v;
	int err;

	*ret = -1;
	if (!map_file(fd, &v))
		return otst_raise(o, OTST_ERR_LOOKUP, "not a kernel image");
	err = open_view(o, &v, most, ret);
	unmap_file(&v);
	return err;
}

/* all layers of the file decompress to no more than that each */
static uint64_t limit_size(int fd)
{
	struct stat st;
	uint64_t size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;

	return size < (LARGEST - SMALL) / SHRUNK ? SMALL + SHRUNK * size : LARGEST;
}

int otst_boot_open(struct otst *o, int fd, int *ret)
{
	uint64_t most = limit_size(fd);
	int next, err = 0;

	*ret = -1;
	for (unsigned int i = 0; i <= LAYERS; i++) {
		err = open_layer(o, *ret < 0 ? fd : *ret, most, &next);
		if (!err && next < 0)
			return 0;
		if (*ret >= 0)
			close(*ret);
		*ret = next;
		if (err)
			return err;
	}
	close(*ret);
	*ret = -1;
	return otst_raise(o, OTST_ERR_LOOKUP, "is compressed too many times");
}

int otst_unpacked_open(struct otst *o, int fd, int *ret)
{
	const char *why = NULL;
	struct payload p = { 0 };
	struct view v;
	int err = 0;

	*ret = fd;
	/* the reader refuses anything that is not a file */
	if (!map_file(fd, &v))
		return 0;
	p = (struct payload){ otst_packing_of(v.data, v.len), v.data, v.len, 0 };
	if (p.packing)
		err = unpack_payload(o, &p, limit_size(fd), &why, ret);
	if (p.packing)
		close(fd);
	unmap_file(&v);
	return why && !err ? otst_raise(o, OTST_ERR_LOOKUP, "%s", why) : err;
}
