// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * machine.c - dumps of machines that are not known are refused with their
 * name: by the ELF header's e_machine, by the name in the header of a compressed
 * dump (what uname -m prints). Where that says nothing (QEMU writes "Unknown" for all
 * but x86) the engine finds it out.
 */
#include "offline.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

static int refuse(const char *name)
{
	complain("this is a dump of %s; dumps of x86_64, arm64 and riscv64 can be read", name);
	return OTST_ERR_UNSUPPORTED;
}

int machine_check_elf(unsigned int e_machine)
{
	static const struct {
		unsigned int number;
		const char *name;
	} others[] = {
		{ EM_386, "32-bit x86" },
		{ EM_MIPS, "MIPS" },
		{ EM_PARISC, "PA-RISC" },
		{ EM_PPC, "32-bit PowerPC" },
		{ EM_PPC64, "PowerPC (ppc64)" },
		{ EM_S390, "s390" },
		{ EM_ARM, "32-bit ARM" },
		{ EM_SPARCV9, "SPARC" },
		{ EM_IA_64, "Itanium" },
		{ 258, "LoongArch" }, /* EM_LOONGARCH, which glibc has from 2.36 on */
	};
	char number[64];

	if (e_machine == EM_X86_64 || e_machine == EM_AARCH64 || e_machine == EM_RISCV)
		return 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (others[i].number == e_machine)
			return refuse(others[i].name);
	}
	snprintf(number, sizeof(number), "a machine with the ELF number %u", e_machine);
	return refuse(number);
}

/* A damaged header is none that says something. */
static bool is_name(const char *name)
{
	if (!*name || !strcasecmp(name, "unknown"))
		return false;
	for (; *name; name++) {
		if (!isalnum((unsigned char)*name) && *name != '_' && *name != '-')
			return false;
	}
	return true;
}

int machine_check_name(const char *name)
{
	bool known = !strcmp(name, "x86_64") || !strcmp(name, "aarch64") ||
		     !strcmp(name, "riscv64");

	return !known && is_name(name) ? refuse(name) : 0;
}
