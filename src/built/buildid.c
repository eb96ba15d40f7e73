// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * buildid.c - does a file on this machine belong to the dump? The kernel's image file
 * and module files are checked before anything is taken from them.
 *
 * Build IDs decide. VMCOREINFO has the kernel's since Linux 0935288c6e00 ("kdump:
 * append kernel build-id string to VMCOREINFO") (v5.9); the kernel keeps the ELF
 * notes that it was linked with between __start_notes and __stop_notes. If the dump
 * or the file has none, version strings decide: linux_banner of the file,
 * init_uts_ns of the dump. A module's file without one is not that of a module that has
 * one; where the dump has none, the module's name and the release in its vermagic decide.
 */
#include <ctype.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "../image/image.h"
#include "../memory/notes.h"
#include "../memory/vmcoreinfo.h"
#include "../types/btf.h"
#include "debug.h"

#define NOTES_MAX   (64u << 10) /* bytes of ELF notes that are believed */
#define ATTRS_MAX   64u		/* notes of a module that are looked at */
#define BANNER_MAX  1024u
#define SHA1_LEN    20u /* the kernel keeps room for this one */
#define SHORTER_LEN 16u /* and fills up this one with zeros: MD5, UUID */

/* ---- build IDs ---- */

static void set_id(const unsigned char *bytes, size_t len, struct otst_build_id *ret)
{
	static const unsigned char zeros[sizeof(ret->bytes)];

	ret->len = 0;
	if (len > sizeof(ret->bytes) || !memcmp(bytes, zeros, len))
		return;
	if (len == SHA1_LEN && !memcmp(bytes + SHORTER_LEN, zeros, SHA1_LEN - SHORTER_LEN))
		len = SHORTER_LEN;
	memcpy(ret->bytes, bytes, len);
	ret->len = len;
}

static bool is_same_id(const struct otst_build_id *a, const struct otst_build_id *b)
{
	return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

const char *otst_build_id_text(struct otst *o, const struct otst_build_id *id)
{
	char text[2 * sizeof(id->bytes) + 1] = "";

	for (size_t i = 0; i < id->len; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
	return otst_strdup(o, text);
}

/* the build ID among ELF notes */
static void find_in_notes(const struct otst *o, const unsigned char *notes, size_t len,
			  struct otst_build_id *ret)
{
	struct otst_note note;

	if (otst_note_find(o, notes, len, ELF_NOTE_GNU, NT_GNU_BUILD_ID, 0, &note))
		set_id(note.desc, note.len, ret);
}

/* the same for notes in the dump; 0, or what ends a command */
static int read_notes(struct otst *o, uint64_t addr, uint64_t len, struct otst_build_id *ret)
{
	unsigned char *notes;
	int err;

	if (len > NOTES_MAX)
		return 0;
	notes = otst_alloc(o, len + 1);
	err = otst_read(o, addr, notes, len);
	if (!err)
		find_in_notes(o, notes, len, ret);
	return err && otst_fatal(err) ? err : 0;
}

static void parse_id(const char *hex, struct otst_build_id *ret)
{
	unsigned char bytes[sizeof(ret->bytes)];
	unsigned int byte;
	size_t n;

	for (n = 0; n < sizeof(bytes) && isxdigit((unsigned char)hex[2 * n]) &&
		    sscanf(hex + 2 * n, "%2x", &byte) == 1;
	     n++)
		bytes[n] = (unsigned char)byte;
	set_id(bytes, n, ret);
}

int otst_kernel_build_id(struct otst *o, struct otst_build_id *ret)
{
	const char *hex = otst_vmcoreinfo(o, "BUILD-ID");
	uint64_t start, stop;

	ret->len = 0;
	if (hex)
		parse_id(hex, ret);
	if (ret->len)
		return 0;
	start = otst_symbol_or0(o, "__start_notes");
	stop = otst_symbol_or0(o, "__stop_notes");
	return start && start < stop ? read_notes(o, start, stop - start, ret) : 0;
}

/* where the kernel has the notes of @elf: for a dump that has neither symbols nor VMCOREINFO's build ID */
static int id_in_place(struct otst *o, void *elf, struct otst_build_id *ret)
{
	uint64_t shift;
	GElf_Phdr ph;
	size_t n = 0, i;
	int err = 0;

	if (!otst_elf_shift(o, elf, &shift) || elf_getphdrnum(elf, &n))
		return 0;
	for (i = 0; i < n && !err && !ret->len; i++) {
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_NOTE && ph.p_vaddr)
			err = read_notes(o, ph.p_vaddr + shift, ph.p_memsz, ret);
	}
	return err;
}

static void elf_build_id(void *elf, struct otst_build_id *ret)
{
	const void *bytes;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &bytes);

	ret->len = 0;
	if (len > 0)
		set_id(bytes, (size_t)len, ret);
}

int otst_elf_is_kernels(struct otst *o, void *elf)
{
	struct otst_build_id dump, file;
	int err = 0;

	elf_build_id(elf, &file);
	if (!file.len)
		return OTST_ERR_LOOKUP;
	err = otst_kernel_build_id(o, &dump);
	if (!err && !dump.len)
		err = id_in_place(o, elf, &dump);
	if (err)
		return err;
	return dump.len && is_same_id(&dump, &file) ? 0 : OTST_ERR_LOOKUP;
}

/* ---- version strings of kernels ---- */

/** struct version - uname -r and -v; "" when unknown */
struct version {
	char release[OTST_UTS_LEN + 1];
	char version[OTST_UTS_LEN + 1];
};

static int kernel_version(struct otst *o, struct version *ret)
{
	char uts[5 * OTST_UTS_LEN];
	const char *release;
	int err = otst_uts_read(o, uts);

	memset(ret, 0, sizeof(*ret));
	if (err && otst_fatal(err))
		return err;
	if (!err) {
		memcpy(ret->release, uts + 2 * OTST_UTS_LEN, OTST_UTS_LEN);
		memcpy(ret->version, uts + 3 * OTST_UTS_LEN, OTST_UTS_LEN);
	}
	/* not there, or written over with X, see otst_erased() */
	release = ret->release[strspn(ret->release, "X")] ? NULL : otst_vmcoreinfo(o, "OSRELEASE");
	if (release)
		snprintf(ret->release, sizeof(ret->release), "%s", release);
	return 0;
}

/* "Linux version 6.1.0-9-amd64 (who@where) (compiler) #1 SMP Debian 6.1.27-1 (2023-05-08)" */
static void parse_banner(char *banner, struct version *ret)
{
	static const char before[] = "Linux version ";
	const char *release = banner + sizeof(before) - 1, *version = NULL, *next;

	memset(ret, 0, sizeof(*ret));
	if (strncmp(banner, before, sizeof(before) - 1) != 0)
		return;
	banner[strcspn(banner, "\n")] = '\0';
	for (next = strstr(release, " #"); next; next = strstr(next + 1, " #"))
		version = next + 1;
	if (version)
		snprintf(ret->version, sizeof(ret->version), "%.*s", (int)OTST_UTS_LEN - 1,
			 version);
	snprintf(ret->release, sizeof(ret->release), "%.*s", (int)strcspn(release, " "), release);
}

/* when init_uts_ns is not known: what the kernel has where the file has its banner */
static int version_in_place(struct otst *o, struct version *ret)
{
	char banner[BANNER_MAX / 4] = "";
	uint64_t at;
	int err = otst_image_global(o, "linux_banner", &at);

	err = err ?: otst_read(o, at, banner, sizeof(banner) - 1);
	if (!err)
		parse_banner(banner, ret);
	return err && otst_fatal(err) ? err : 0;
}

static const char *version_text(struct otst *o, const struct version *v, bool whole)
{
	const char *text =
		otst_format(o, "%s%s%s", v->release, whole ? " " : "", whole ? v->version : "");

	return text ? otst_clean(o, text) : "?";
}

/* ---- the kernel's image file ---- */

enum answer { ANSWER_SAME, ANSWER_OTHER, ANSWER_UNKNOWN };

/** struct verdict - @why: for ANSWER_OTHER, what the file and the dump have */
struct verdict {
	enum answer answer;
	const char *why;
};

static int compare_versions(struct otst *o, const struct version *file, struct verdict *ret)
{
	struct version dump;
	bool release, version;
	int err = kernel_version(o, &dump);

	if (!err && !*dump.release)
		err = version_in_place(o, &dump);
	if (err)
		return err;
	ret->answer = ANSWER_UNKNOWN;
	if (!*dump.release || !*file->release)
		return 0;
	release = !strcmp(dump.release, file->release);
	version = *dump.version && *file->version;
	ret->answer = release && (!version || !strcmp(dump.version, file->version)) ? ANSWER_SAME :
										      ANSWER_OTHER;
	if (ret->answer == ANSWER_OTHER)
		ret->why = otst_format(o, "it is of %s, the dump's kernel is %s",
				       version_text(o, file, version),
				       version_text(o, &dump, version));
	return 0;
}

/* of the file; a boot image has no symbols, the dump has them */
static int read_image_banner(struct otst *o, char *ret, size_t size)
{
	uint64_t at, shift;

	if (!otst_image_string(o, "linux_banner", ret, size))
		return 0;
	if (!otst_image_shift(o, &shift) || otst_symbol(o, "linux_banner", &at))
		return OTST_ERR_LOOKUP;
	return otst_image_string_at(o, at - shift, ret, size);
}

static int compare_image(struct otst *o, const void *of, void *value)
{
	struct otst_build_id dump, file;
	void *elf = otst_image_elf(o);
	struct verdict *ret = value;
	struct version version;
	char banner[BANNER_MAX];
	int err;

	(void)of;
	if (!elf)
		return otst_raise(o, OTST_ERR_LOOKUP, "no kernel image file was given");
	ret->answer = ANSWER_UNKNOWN;
	elf_build_id(elf, &file);
	err = file.len ? otst_kernel_build_id(o, &dump) : 0;
	if (!err && file.len && !dump.len)
		err = id_in_place(o, elf, &dump);
	if (err)
		return err;
	if (file.len && dump.len) {
		ret->answer = is_same_id(&dump, &file) ? ANSWER_SAME : ANSWER_OTHER;
		if (ret->answer == ANSWER_OTHER)
			ret->why = otst_format(o, "build ID %s, the dump's kernel has %s",
					       otst_build_id_text(o, &file),
					       otst_build_id_text(o, &dump));
	} else if (!read_image_banner(o, banner, sizeof(banner))) {
		parse_banner(banner, &version);
		err = compare_versions(o, &version, ret);
	}
	if (!err && ret->answer == ANSWER_OTHER)
		ret->why = ret->why ? otst_keep_string(o, ret->why) : NULL;
	return err ? err : otst_stopped(o);
}

static const struct otst_once verdict = { .size = sizeof(struct verdict), .make = compare_image };

/* Another processor's kernel has nothing in common with the dump: --force cannot help. */
static int check_processor(struct otst *o)
{
	const char *other = NULL;
	GElf_Ehdr eh;

	if (otst_image_elf(o) && gelf_getehdr(otst_image_elf(o), &eh))
		other = otst_other_processor(o, eh.e_machine);
	if (!other)
		return otst_stopped(o);
	return otst_raise(o, OTST_ERR_UNSUPPORTED, "%s %s", otst_clean(o, o->options.vmlinux),
			  other);
}

static int check_image_file(struct otst *o, bool force)
{
	const struct doubts doubts = o->doubts;
	const struct verdict *v;
	int err;

	/* what is cached came from the files that were allowed before */
	if (o->force != force)
		otst_once_forget(o);
	o->force = force;
	err = otst_image_usable(o);
	err = err ?: check_processor(o);
	if (err)
		return err;
	v = otst_once_or_null(o, &verdict, NULL);
	/* nothing is concluded from a name that was not found */
	o->doubts = doubts;
	if (otst_stopped(o))
		return otst_stopped(o);
	if (!v || force || v->answer == ANSWER_SAME)
		return 0;
	/* the vmlinux of a kernel without a build ID is believed, with a note */
	if (v->answer == ANSWER_UNKNOWN && otst_image_has_symbols(o))
		return 0;
	if (v->answer == ANSWER_UNKNOWN)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "%s: nothing proves that it is this kernel's image (--force "
				  "uses it all the same)",
				  otst_clean(o, o->options.vmlinux));
	return otst_raise(o, OTST_ERR_UNSUPPORTED,
			  "%s is not this kernel's image: %s (--force uses it all the same)",
			  otst_clean(o, o->options.vmlinux), v->why);
}

int otst_image_check(struct otst *o, bool force)
{
	int err = check_image_file(o, force);

	return err ? err : otst_btf_file_check(o, force);
}

const char *otst_image_doubt(struct otst *o)
{
	const struct verdict *v = otst_once_or_null(o, &verdict, NULL);

	if (!v || v->answer == ANSWER_SAME)
		return NULL;
	if (v->answer == ANSWER_OTHER)
		return otst_format(o, "%s is not this kernel's image: %s",
				   otst_clean(o, o->options.vmlinux), v->why);
	return otst_format(o,
			   "%s may be another kernel's image: there are neither two build IDs "
			   "nor two versions to compare",
			   otst_clean(o, o->options.vmlinux));
}

/* ---- files of modules ---- */

/* reads the build ID if the attribute at @attr is the note that has it */
static int read_attribute(struct otst *o, uint64_t attr, struct otst_build_id *ret)
{
	uint64_t name, addr, size;
	const char *s;
	int err = otst_read_member(o, "bin_attribute", attr, "attr.name", &name);

	err = err ?: otst_read_string(o, name, 64, &s);
	if (err || strcmp(s, ".note.gnu.build-id") != 0)
		return err;
	err = otst_read_member(o, "bin_attribute", attr, "private", &addr);
	err = err ?: otst_read_member(o, "bin_attribute", attr, "size", &size);
	return err ? err : read_notes(o, addr, size, ret);
}

/*
 * A module's notes stay in its memory, and sysfs has their addresses. Since Linux
 * 4723f16de64e ("module: sysfs: Add notes attributes through attribute_group")
 * (v6.14) their list ends with NULL; before, they were counted.
 */
static int read_attributes(struct otst *o, uint64_t attrs, struct otst_build_id *ret)
{
	const struct otst_member *first;
	uint64_t size, count = ATTRS_MAX, list, at, i;
	bool counted = otst_has_member(o, "module_notes_attrs", "notes");
	int err;

	if (counted) {
		err = otst_read_member(o, "module_notes_attrs", attrs, "notes", &count);
		err = err ?: otst_member(o, "module_notes_attrs", "attrs", &first);
		err = err ?: otst_type_size(o, "bin_attribute", &size);
	} else {
		err = otst_read_member(o, "module_notes_attrs", attrs, "grp.bin_attrs", &list);
	}
	for (i = 0; !err && i < count && i < ATTRS_MAX && !ret->len; i++) {
		if (counted)
			at = attrs + first->offset + i * size;
		else
			err = otst_read_u64(o, list + 8 * i, &at);
		if (err || !at)
			break;
		err = read_attribute(o, at, ret);
	}
	return err;
}

void otst_module_build_id(struct otst *o, const struct otst_module *m, struct otst_build_id *ret)
{
	unsigned char bytes[sizeof(ret->bytes)];
	const struct doubts doubts = o->doubts;
	const struct otst_member *id;
	uint64_t attrs;

	ret->len = 0;
	/* Linux 9294523e3768 ("module: add printk formats to add module build ID to stacktraces") (v5.14) */
	if (otst_has_member(o, "module", "build_id") &&
	    !otst_member(o, "module", "build_id", &id) && id->size <= sizeof(bytes) &&
	    !otst_read(o, m->addr + id->offset, bytes, id->size))
		set_id(bytes, id->size, ret);
	if (!ret->len && otst_has_member(o, "module", "notes_attrs") &&
	    !otst_read_member(o, "module", m->addr, "notes_attrs", &attrs) && attrs &&
	    read_attributes(o, attrs, ret))
		ret->len = 0;
	o->doubts = doubts;
}

/* without two build IDs: what the file says of itself, see otst_modinfo() */
static const char *find_other_words(struct otst *o, const struct otst_module *m, void *elf)
{
	const char *name = otst_modinfo(o, elf, "name"), *magic;
	struct version dump;

	if (name && strcmp(name, m->name) != 0)
		return otst_format(o, "is of another module: it says name=%s", otst_clean(o, name));
	magic = otst_modinfo(o, elf, "vermagic");
	if (!magic || kernel_version(o, &dump) || !*dump.release)
		return NULL;
	/* "6.1.0-9-amd64 SMP preempt mod_unload modversions " */
	magic = otst_format(o, "%.*s", (int)strcspn(magic, " "), magic);
	if (!strcmp(magic, dump.release))
		return NULL;
	return otst_format(o, "is of another kernel: it says vermagic=%s, the dump's kernel is %s",
			   otst_clean(o, magic), otst_clean(o, dump.release));
}

const char *otst_module_misfit(struct otst *o, const struct otst_module *m, void *elf)
{
	struct otst_build_id dump, file;

	if (o->force)
		return NULL;
	elf_build_id(elf, &file);
	otst_module_build_id(o, m, &dump);
	if (file.len && dump.len && is_same_id(&dump, &file))
		return NULL;
	if (file.len && dump.len)
		return otst_format(
			o, "is of another build: build ID %s, the module in the dump has %s",
			otst_build_id_text(o, &file), otst_build_id_text(o, &dump));
	/* a file that was cut has lost all of its sections: that is said of it elsewhere */
	if (dump.len && elf_nextscn(elf, NULL))
		return otst_format(o, "has no build ID, the module in the dump has %s",
				   otst_build_id_text(o, &dump));
	return find_other_words(o, m, elf);
}

struct otst_messages *otst_module_misfits(struct otst *o)
{
	static const char key;
	void **place = otst_memo(o, &key);

	if (!*place)
		*place = otst_new(o, sizeof(struct otst_messages));
	return *place;
}
