// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * notes.c - ELF notes, wherever they come from: the dump's file, the kernel's memory,
 * an image file. Kernels pad notes to 4 bytes, whatever p_align says.
 */
#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include "../base/engine.h"
#include "memory.h"
#include "notes.h"

static uint64_t padded_len(uint64_t len)
{
	return (len + 3) & ~3ull;
}

bool otst_note_next(const struct otst *o, const unsigned char *notes, size_t len, size_t *at,
		    struct otst_note *ret)
{
	const unsigned char *head = notes + *at;
	uint64_t room, desc_at;

	if (*at > len || len - *at < sizeof(Elf64_Nhdr))
		return false;
	room = len - *at;
	ret->name_len = otst_get(o, head, 4);
	ret->len = otst_get(o, head + 4, 4);
	ret->type = (uint32_t)otst_get(o, head + 8, 4);
	desc_at = sizeof(Elf64_Nhdr) + padded_len(ret->name_len);
	if (desc_at + ret->len > room)
		return false;
	ret->name = (const char *)head + sizeof(Elf64_Nhdr);
	ret->desc = head + desc_at;
	*at += desc_at + padded_len(ret->len);
	return true;
}

bool otst_note_find(const struct otst *o, const unsigned char *notes, size_t len, const char *name,
		    uint32_t type, unsigned int skip, struct otst_note *ret)
{
	size_t size = strlen(name) + 1, at = 0;

	while (otst_note_next(o, notes, len, &at, ret)) {
		if (ret->type == type && ret->name_len == size && !memcmp(ret->name, name, size) &&
		    !skip--)
			return true;
	}
	return false;
}

/* struct elf_prpsinfo of include/linux/elfcore.h, the same on all 64-bit processors */
#define PSINFO_LEN   136u
#define PSINFO_PID   24u
#define PSINFO_FNAME 40u
#define FNAME_LEN    16
#define PSINFO_ARGS  56u
#define ARGS_LEN     80

const char *otst_program_of_core(struct otst *o)
{
	const char *fname, *args;
	struct otst_note note;

	/* /proc/kcore, netdump and s390's dumps have the note, too, with this name */
	if (!otst_dump_note(o, "CORE", NT_PRPSINFO, 0, &note) || note.len != PSINFO_LEN ||
	    !strncmp((const char *)note.desc + PSINFO_FNAME, "vmlinux", FNAME_LEN) ||
	    otst_dump_note(o, "VMCOREINFO", 0, 0, &(struct otst_note){ 0 }))
		return NULL;
	fname = otst_format(o, "%.*s", FNAME_LEN, (const char *)note.desc + PSINFO_FNAME);
	args = otst_format(o, "%.*s", ARGS_LEN, (const char *)note.desc + PSINFO_ARGS);
	return otst_format(o, "%s (PID %" PRIu64 ": %s)", otst_clean(o, fname),
			   otst_get(o, note.desc + PSINFO_PID, 4), otst_clean(o, args));
}

#define MOST_ERASED 8 /* names */

/* lines "erase jiffies size 8", as makedumpfile's erase_info.c writes them */
static int list_erased(struct otst *o, const void *of, void *value)
{
	static const char word[] = "erase ";
	const char *text, *list = "", *sep = "", **ret = value;
	struct otst_note note;
	size_t n = 0;

	(void)of;
	if (!otst_dump_note(o, "ERASEINFO", 0, 0, &note))
		return 0;
	text = otst_format(o, "%.*s", (int)(note.len < 65536 ? note.len : 65536),
			   (const char *)note.desc);
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		if (strncmp(text, word, sizeof(word) - 1) != 0 || n++ >= MOST_ERASED)
			continue;
		text += sizeof(word) - 1;
		list = otst_format(o, "%s%s%.*s", list, sep, (int)strcspn(text, " \n"), text);
		sep = ", ";
	}
	if (n > MOST_ERASED)
		list = otst_format(o, "%s and %zu more", list, n - MOST_ERASED);
	*ret = otst_keep_format(o, "makedumpfile erased parts of memory (written over with X): %s",
				n ? otst_clean(o, list) : "it does not say which");
	return 0;
}

static const struct otst_once erased = { .size = sizeof(const char *), .make = list_erased };

const char *otst_erased(struct otst *o)
{
	const char *const *text = otst_once_or_null(o, &erased, NULL);

	return text ? *text : NULL;
}

bool otst_dump_note(struct otst *o, const char *name, uint32_t type, unsigned int skip,
		    struct otst_note *ret)
{
	const void *notes;
	uint64_t len;

	return o->ops.notes && !otst_answer(o, o->ops.notes(o->priv, &notes, &len)) &&
	       otst_note_find(o, notes, len, name, type, skip, ret);
}
