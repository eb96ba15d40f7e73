/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarftypes.h - what dwarf.c, which finds types by name, and dwarfmember.c, which
 * looks into one type, say to each other.
 */
#ifndef OTST_OFFLINE_DWARFTYPES_H
#define OTST_OFFLINE_DWARFTYPES_H

#include "offline.h"

#include <elfutils/libdw.h>

/** types_strip() - the type behind typedefs and qualifiers; false for void */
bool types_strip(Dwarf_Die *type, Dwarf_Die *ret);

/** types_size_of() - bytes of a type; 0 when it has no size */
uint64_t types_size_of(Dwarf_Die *type);

/** types_find_member() - @path, see &otst_target_ops.member, in the structure or union @type; 0 or LOOKUP */
int types_find_member(Dwarf_Die *type, const char *path, struct otst_member *ret);

#endif /* OTST_OFFLINE_DWARFTYPES_H */
