// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image_fuzz.c - damages a small memory image many times, and reads all that is left of it.
 *
 *	otst-images FORM FILE ROUNDS SEED
 *
 * FORM map: FILE is a file of --memory-map, and what it maps is random.
 *
 * Exit status 0, or 99 for a wrong command line. A range without bytes aborts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../offline/forms.h"
#include "../../front/notes.h"
#include "random.h"

#define MOST_IMAGE  (4u << 20)
#define MOST_RANGES 50
#define FAR_READ    8		 /* one read in so many crosses pages */
#define RAW_SIZE    (3ull << 30) /* so large that a hole is looked for */

/**
 * struct kind - one form
 * @size: of the file, if it is larger than what is damaged
 * @map: what is damaged is the file of --memory-map
 */
static const struct kind {
	const char *name;
	const struct form_ops *ops;
	uint64_t size;
	bool map;
} kinds[] = { { "elf", &elfcore_form, 0, false },   { "vbox", &elfcore_form, 0, false },
	      { "xen", &xencore_form, 0, false },   { "sadump", &sadump_form, 0, false },
	      { "kdump", &kdump_form, 0, false },   { "lime", &lime_form, 0, false },
	      { "avml", &avml_form, 0, false },	    { "qemu", &qemu_form, 0, false },
	      { "vmware", &vmware_form, 0, false }, { "raw", &raw_form, RAW_SIZE, false },
	      { "map", &raw_form, 0, true } };

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

static void damage(unsigned char *image, size_t *len, uint64_t *r)
{
	static const unsigned char bytes[] = { 0, 1, 4, 0x7f, 0x80, 0xff };
	uint64_t n = 1 + random_below(r, 6), at;

	while (n--) {
		/* headers more often than memory */
		at = random_below(r, random_below(r, 2) ? *len : *len < 512 ? *len : 512);
		image[at] = random_below(r, 2) ? bytes[random_below(r, sizeof(bytes))] :
						 (unsigned char)random_below(r, 256);
	}
	if (!random_below(r, 4))
		*len = 1 + random_below(r, *len);
}

static void read_some(const struct form_ops *f, void *opened, uint64_t at, uint64_t *r)
{
	static unsigned char buf[70000];
	uint64_t most = random_below(r, FAR_READ) ? 512 : sizeof(buf) - 1;

	f->read(opened, OTST_PHYS, at + random_below(r, 8192) - 4096, buf,
		1 + random_below(r, most));
}

static void read_all(const struct form_ops *f, void *opened, uint64_t *r)
{
	uint64_t start = 0, end = 0;
	int n = 0;

	while (n++ < MOST_RANGES && f->next(opened, end, &start, &end)) {
		if (end <= start)
			abort();
		read_some(f, opened, start, r);
		read_some(f, opened, end, r);
		read_some(f, opened, start + random_below(r, end - start), r);
	}
	read_some(f, opened, random_next(r), r);
	read_some(f, opened, 0, r);
}

static void read_notes(const struct form_ops *f, void *opened, const struct form_file *file)
{
	void *notes;
	size_t len;

	dump_notes(file->fd, &notes, &len);
	if (f->registers)
		f->registers(opened, file, &notes, &len);
	free(notes);
}

/* @random_fd: what a damaged map is for */
static void try_image(const struct kind *k, int fd, int random_fd, const unsigned char *image,
		      size_t len, uint64_t *r)
{
	struct form_file file = { .fd = k->map ? random_fd : fd, .path = "image", .threads = 1 };
	char map[32];
	void *opened;

	snprintf(map, sizeof(map), "/dev/fd/%d", fd);
	file.memory_map = k->map ? map : NULL;
	if (ftruncate(fd, 0) || pwrite(fd, image, len, 0) != (ssize_t)len ||
	    (k->size && ftruncate(fd, (off_t)(k->size + random_below(r, 1 << 20)))))
		exit(99);
	if (k->ops->open(&file, &opened))
		return;
	read_all(k->ops, opened, r);
	if (k->ops->place && k->ops->place(opened, random_next(r) >> random_below(r, 64)))
		read_all(k->ops, opened, r);
	read_notes(k->ops, opened, &file);
	k->ops->close(opened);
}

static int random_file(uint64_t *r)
{
	int fd = memfd_create("random", 0);
	uint64_t word;

	for (off_t at = 0; at < 1 << 16; at += (off_t)sizeof(word)) {
		word = random_next(r);
		if (pwrite(fd, &word, sizeof(word), at) != sizeof(word))
			exit(99);
	}
	return fd;
}

int main(int argc, char **argv)
{
	const struct kind *k = argc == 5 ? find_kind(argv[1]) : NULL;
	unsigned char *whole = malloc(MOST_IMAGE), *image = malloc(MOST_IMAGE);
	int fd = memfd_create("image", 0), from = k ? open(argv[2], O_RDONLY) : -1;
	ssize_t size = from < 0 ? -1 : read(from, whole, MOST_IMAGE);
	uint64_t r;
	long rounds;
	int other;

	if (!k || fd < 0 || size <= 0 || !freopen("/dev/null", "w", stderr))
		return 99;
	r = strtoull(argv[4], NULL, 0) * 2 + 1;
	other = random_file(&r);
	for (rounds = strtol(argv[3], NULL, 0); rounds > 0; rounds--) {
		size_t len = (size_t)size;

		memcpy(image, whole, len);
		damage(image, &len, &r);
		try_image(k, fd, other, image, len, &r);
	}
	free(whole);
	free(image);
	return 0;
}
