// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * machine.c - refuses dumps of unknown machines, and names the machine: by the ELF
 * header's e_machine, or by the name in the header of a compressed dump (what uname -m
 * prints). Where the header does not say (QEMU writes "Unknown" for all but x86), the
 * engine finds out.
 */
#include "offline.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

/* @name: what uname -m prints there; NULL if its dumps cannot be read */
static const struct {
	unsigned int number;
	const char *name, *called;
} machines[] = {
	{ EM_X86_64, "x86_64", "x86_64" },  { EM_AARCH64, "aarch64", "arm64" },
	{ EM_RISCV, "riscv64", "riscv64" }, { EM_S390, "s390x", "s390x" },
	{ EM_PPC64, "ppc64le", "ppc64le" }, { EM_386, NULL, "32-bit x86" },
	{ EM_MIPS, NULL, "MIPS" },	    { EM_PARISC, NULL, "PA-RISC" },
	{ EM_PPC, NULL, "32-bit PowerPC" }, { EM_ARM, NULL, "32-bit ARM" },
	{ EM_SPARCV9, NULL, "SPARC" },	    { EM_IA_64, NULL, "Itanium" },
	{ 258, NULL, "LoongArch" }, /* EM_LOONGARCH, which glibc has from 2.36 on */
};

#define COUNT (sizeof(machines) / sizeof(machines[0]))

static int refuse_machine(const char *name)
{
	char known[128] = "";
	size_t i, last = 0;

	for (i = 0; i < COUNT; i++)
		last = machines[i].name ? i : last;
	for (i = 0; i <= last; i++) {
		if (machines[i].name)
			snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
				 !*known   ? "" :
				 i == last ? " and " :
					     ", ",
				 machines[i].called);
	}
	complain("this is a dump of %s; dumps of %s can be read", name, known);
	return OTST_ERR_UNSUPPORTED;
}

int machine_check_elf(unsigned int e_machine)
{
	char number[64];
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (machines[i].number == e_machine)
			return machines[i].name ? 0 : refuse_machine(machines[i].called);
	}
	snprintf(number, sizeof(number), "a machine with the ELF number %u", e_machine);
	return refuse_machine(number);
}

/* A damaged header does not name a machine. */
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
	/* QEMU writes S390X, and PPC64 for either byte order */
	bool known = !strcmp(name, "PPC64");
	size_t i;

	for (i = 0; i < COUNT; i++)
		known |= machines[i].name && !strcasecmp(name, machines[i].name);
	return !known && is_name(name) ? refuse_machine(name) : 0;
}
