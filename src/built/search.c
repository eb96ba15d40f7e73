// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * search.c - looks for the kernel's image file where distributions install it, by the
 * build ID and the release of the dump's kernel. Neither the name nor the release of a
 * file proves anything: it is taken if its build ID is that of the dump's kernel.
 */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/coverage.h"
#include "../image/boot.h"
#include "debug.h"
#include "search.h"

/** struct place - a path: @before, the build ID as "ab/cdef.." or the release, @after */
struct place {
	enum { BY_BUILD_ID, BY_RELEASE } by;
	const char *before;
	const char *after;
};

/* the best first: full debug information, then symbols and text alone */
static const struct place plain_places[] = {
	{ BY_BUILD_ID, "usr/lib/debug/.build-id/", ".debug" },
	{ BY_RELEASE, "usr/lib/debug/lib/modules/", "/vmlinux" }, /* RHEL, Debian */
	{ BY_RELEASE, "usr/lib/debug/usr/lib/modules/", "/vmlinux" },
	{ BY_RELEASE, "usr/lib/debug/boot/vmlinux-", "" }, /* Ubuntu, Debian */
	{ BY_RELEASE, "usr/lib/debug/vmlinux-", "" },
	{ BY_RELEASE, "usr/lib/debug/lib/modules/", "/vmlinux.debug" },
	{ BY_RELEASE, "usr/lib/debug/usr/lib/modules/", "/vmlinux.debug" }, /* SUSE */
	{ BY_RELEASE, "usr/lib/debug/boot/vmlinux-", ".debug" },	    /* SUSE */
	{ BY_RELEASE, "usr/lib/debug/vmlinux-", ".debug" },
	{ BY_RELEASE, "lib/modules/", "/build/vmlinux" }, /* Arch, own kernels */
	{ BY_RELEASE, "usr/lib/modules/", "/build/vmlinux" },
	{ BY_RELEASE, "lib/modules/", "/vmlinux" },
	{ BY_RELEASE, "usr/lib/modules/", "/vmlinux" },
	{ BY_RELEASE, "boot/vmlinux-", "" },
};

/* vmlinux with its symbols, compressed: it takes a few seconds */
static const struct place packed_places[] = {
	{ BY_RELEASE, "usr/lib/modules/", "/vmlinux.zst" }, /* SUSE */
	{ BY_RELEASE, "usr/lib/modules/", "/vmlinux.xz" },
	{ BY_RELEASE, "usr/lib/modules/", "/vmlinux.gz" },
	{ BY_RELEASE, "lib/modules/", "/vmlinux.zst" },
	{ BY_RELEASE, "lib/modules/", "/vmlinux.xz" },
	{ BY_RELEASE, "lib/modules/", "/vmlinux.gz" },
	{ BY_RELEASE, "boot/vmlinux-", ".zst" },
	{ BY_RELEASE, "boot/vmlinux-", ".xz" },
	{ BY_RELEASE, "boot/vmlinux-", ".gz" },
};

/* what boot loaders load: without symbols, but with text as built */
static const struct place image_places[] = {
	{ BY_RELEASE, "boot/vmlinuz-", "" },
	{ BY_RELEASE, "lib/modules/", "/vmlinuz" }, /* Fedora, Arch */
	{ BY_RELEASE, "usr/lib/modules/", "/vmlinuz" },
	{ BY_RELEASE, "boot/Image-", "" }, /* SUSE on arm64, s390x */
	{ BY_RELEASE, "boot/image-", "" },
	{ BY_RELEASE, "usr/lib/modules/", "/Image" },
	{ BY_RELEASE, "usr/lib/modules/", "/image" },
};

/* The release comes from the dump: it must not lead out of the directories above. */
static bool is_release(const char *s)
{
	const char *c;

	for (c = s; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("-+._~", *c))
			return false;
	}
	return *s && *s != '.';
}

/* NULL when the name that the place needs is not known */
static const char *path_of(struct otst *o, const struct place *p, const char *id,
			   const char *release)
{
	const char *root = o->options.search, *name = p->by == BY_BUILD_ID ? id : release;
	size_t len = strlen(root);

	if (!name)
		return NULL;
	return otst_format(o, "%s%s%s%s%s", root, len && root[len - 1] == '/' ? "" : "/", p->before,
			   name, p->after);
}

/* "ab/cdef..", NULL without a build ID */
static const char *id_path(struct otst *o, const struct otst_build_id *id)
{
	const char *hex = id->len > 1 ? otst_build_id_text(o, id) : NULL;

	return hex ? otst_format(o, "%.2s/%s", hex, hex + 2) : NULL;
}

/* does the file have all of its sections: one that was cut still has its build ID */
static bool is_whole(Elf *elf, uint64_t size)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t n = 0;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			return false;
		n++;
		if (sh.sh_type != SHT_NOBITS &&
		    (sh.sh_offset > size || sh.sh_size > size - sh.sh_offset))
			return false;
	}
	return n;
}

/* true if it has text as built: a file with nothing but debug information keeps only the section's header */
static bool has_text(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_PROGBITS &&
		    sh.sh_flags & SHF_EXECINSTR)
			return true;
	}
	return false;
}

/* 0; LOOKUP when the ELF file is another kernel's, or cut; what ends a command */
static int try_elf(struct otst *o, int fd)
{
	int err = OTST_ERR_LOOKUP;
	struct stat st;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getclass(elf) == ELFCLASS64 &&
	    !fstat(fd, &st) && is_whole(elf, (uint64_t)st.st_size))
		err = otst_elf_is_kernels(o, elf);
	if (!err)
		o->search.bare = !has_text(elf);
	elf_end(elf);
	return err;
}

/* 0; LOOKUP when the file is not there, or another kernel's; what ends a command */
static int try_image_file(struct otst *o, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), unpacked, err;

	if (fd < 0)
		return OTST_ERR_LOOKUP;
	err = otst_boot_open(o, fd, &unpacked);
	err = err ?: try_elf(o, unpacked < 0 ? fd : unpacked);
	close(fd);
	if (err && unpacked >= 0)
		close(unpacked);
	if (err)
		return err;
	if (o->unpacked)
		close(o->unpacked - 1);
	o->unpacked = unpacked + 1;
	return 0;
}

/* answers that were found without the file may be others now */
static int take_file(struct otst *o, const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return otst_no_memory(o);
	free(o->vmlinux);
	o->vmlinux = copy;
	o->options.vmlinux = copy;
	o->search.found = true;
	o->search.told = false;
	otst_once_forget(o);
	return 0;
}

static int search_places(struct otst *o, const struct otst_build_id *id, const struct place *places,
			 size_t count)
{
	const char *release = otst_vmcoreinfo(o, "OSRELEASE"), *by_id = id_path(o, id), *path;
	int err = OTST_ERR_LOOKUP;

	if (release && !is_release(release))
		release = NULL;
	for (size_t i = 0; i < count && err == OTST_ERR_LOOKUP; i++) {
		path = path_of(o, &places[i], by_id, release);
		err = path ? try_image_file(o, path) : OTST_ERR_LOOKUP;
		if (!err)
			return take_file(o, path);
	}
	return err;
}

static int ask_servers(struct otst *o, const struct otst_build_id *id)
{
	const char *why = "the build ID of the dump's kernel is not known";
	char *path = NULL;
	int err = OTST_ERR_LOOKUP;

	if (id->len)
		why = otst_debuginfod(o, id, &path);
	if (!why) {
		why = "its file is another kernel's";
		err = try_image_file(o, path);
	}
	err = err ? err : take_file(o, path);
	free(path);
	if (err == OTST_ERR_LOOKUP && !o->search.said)
		o->search.why = strdup(why);
	return err;
}

#define SEARCH(o, id, places) search_places(o, id, places, sizeof(places) / sizeof(*(places)))

static int search_first(struct otst *o, const struct otst_build_id *id)
{
	int err = SEARCH(o, id, plain_places);

	return err == OTST_ERR_LOOKUP && o->options.debuginfod ? ask_servers(o, id) : err;
}

/* what has to be decompressed: for text as built, or for symbols that the dump does not have */
static int search_images(struct otst *o, const struct otst_build_id *id, bool built)
{
	int err = OTST_ERR_LOOKUP;

	if (built || otst_symbols_gap(o))
		err = SEARCH(o, id, packed_places);
	return err == OTST_ERR_LOOKUP && built ? SEARCH(o, id, image_places) : err;
}

/* nothing to look for, or no more than before */
static bool is_settled(const struct otst *o, bool built)
{
	if (!o->options.search || o->search.images)
		return true;
	if (o->options.vmlinux)
		return !o->search.found || !o->search.bare || !built;
	return o->search.done && !built;
}

int otst_image_search(struct otst *o, bool built)
{
	const struct doubts doubts = o->doubts;
	struct otst_build_id id;
	int err;

	if (is_settled(o, built))
		return otst_stopped(o);
	err = otst_kernel_build_id(o, &id);
	if (!err)
		err = o->search.done ? OTST_ERR_LOOKUP : search_first(o, &id);
	if (err == OTST_ERR_LOOKUP || (!err && o->search.bare && built))
		err = search_images(o, &id, built);
	o->doubts = doubts;
	if (otst_stopped(o))
		return otst_stopped(o);
	o->search.done = true;
	o->search.images = built;
	o->search.unknown = !id.len;
	return err == OTST_ERR_LOOKUP ? 0 : err;
}

const char *otst_image_search_says(struct otst *o)
{
	bool *said = o->search.found ? &o->search.told : &o->search.said;

	if (!o->search.done || *said)
		return NULL;
	*said = true;
	if (o->search.found)
		return otst_format(o, "vmlinux: %s, found by its build ID",
				   otst_clean(o, o->options.vmlinux));
	if (o->search.why)
		return otst_format(o, "debuginfod: %s", otst_clean(o, o->search.why));
	return NULL;
}

static const char *read_banner(struct otst *o)
{
	const char *banner;

	return otst_read_string(o, otst_symbol_or0(o, "linux_banner"), 512, &banner) ? "" : banner;
}

void otst_image_source(struct otst *o, struct otst_image_source *ret)
{
	const struct otst_kernel *k = otst_kernel(o);

	*ret = (struct otst_image_source){ .path = o->options.vmlinux,
					   .searched = o->search.done,
					   .nameless = o->search.unknown };
	if (ret->searched && !ret->path)
		otst_debug_package(k->release, k->version, read_banner(o), &ret->package);
}
