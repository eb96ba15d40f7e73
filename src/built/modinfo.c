// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modinfo.c - what a module's file says of itself: strings "tag=value" in its section .modinfo
 * (include/linux/moduleparam.h), each with a zero behind it. The kernel that loads the module
 * reads the same.
 */
#include <gelf.h>
#include <string.h>

#include "debug.h"

static Elf_Data *find_modinfo(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t strings;
	const char *name;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		/* a file with debug information alone has the section without its bytes */
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(elf, strings, sh.sh_name);
		if (name && !strcmp(name, ".modinfo"))
			return elf_rawdata(scn, NULL);
	}
	return NULL;
}

const char *otst_modinfo(struct otst *o, void *elf, const char *tag)
{
	const Elf_Data *data = find_modinfo(elf);
	size_t at, len, room, head = strlen(tag);
	const char *s;

	for (at = 0; data && data->d_buf && at < data->d_size; at += len + 1) {
		s = (const char *)data->d_buf + at;
		room = data->d_size - at;
		len = strnlen(s, room);
		if (len < room && len > head && !memcmp(s, tag, head) && s[head] == '=')
			return otst_strdup(o, s + head + 1);
	}
	return NULL;
}
