// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image_fuzz.c - damages a small memory image many times, and reads all that is left of it.
 *
 *	otst-images FORM FILE ROUNDS SEED
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
#include "random.h"

#define MOST_IMAGE  (4u << 20)
#define MOST_RANGES 200

static const struct {
	const char *name;
	const struct form_ops *ops;
} forms[] = { { "elf", &elfcore_form }, { "lime", &lime_form },	    { "avml", &avml_form },
	      { "qemu", &qemu_form },	{ "vmware", &vmware_form }, { "raw", &raw_form } };

static const struct form_ops *find_form(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (!strcmp(forms[i].name, name))
			return forms[i].ops;
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

	f->read(opened, OTST_PHYS, at + random_below(r, 8192) - 4096, buf,
		1 + random_below(r, sizeof(buf) - 1));
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

static void try_image(const struct form_ops *f, int fd, const unsigned char *image, size_t len,
		      uint64_t *r)
{
	struct form_file file = { .fd = fd, .path = "image", .threads = 1 };
	void *opened;

	if (ftruncate(fd, 0) || pwrite(fd, image, len, 0) != (ssize_t)len)
		exit(99);
	if (f->open(&file, &opened))
		return;
	read_all(f, opened, r);
	f->close(opened);
}

int main(int argc, char **argv)
{
	const struct form_ops *f = argc == 5 ? find_form(argv[1]) : NULL;
	unsigned char *whole = malloc(MOST_IMAGE), *image = malloc(MOST_IMAGE);
	int fd = memfd_create("image", 0), from = f ? open(argv[2], O_RDONLY) : -1;
	ssize_t size = from < 0 ? -1 : read(from, whole, MOST_IMAGE);
	uint64_t r;
	long rounds;

	if (!f || fd < 0 || size <= 0 || !freopen("/dev/null", "w", stderr))
		return 99;
	r = strtoull(argv[4], NULL, 0) * 2 + 1;
	for (rounds = strtol(argv[3], NULL, 0); rounds > 0; rounds--) {
		size_t len = (size_t)size;

		memcpy(image, whole, len);
		damage(image, &len, &r);
		try_image(f, fd, image, len, &r);
	}
	free(whole);
	free(image);
	return 0;
}
