/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * dwarf.h - the interface between dwarf.c, which finds types by name, and
 * dwarf_member.c, which looks into one type.
 */
#ifndef OTST_DWARF_H
#define OTST_DWARF_H

#include "engine.h"

#include <elfutils/libdw.h>

/** otst_die_strip() - the type behind typedefs and qualifiers; false for void */
bool otst_die_strip(Dwarf_Die *type, Dwarf_Die *ret);

/** otst_die_is_structure() - is it a structure or union */
bool otst_die_is_structure(Dwarf_Die *die);

/** otst_die_size() - bytes of a type; 0 when it has no size */
uint64_t otst_die_size(Dwarf_Die *type);

/**
 * otst_die_member() - find @path in the structure or union @type
 * @path: see &otst_target_ops.member
 *
 * Return: 0 or LOOKUP.
 */
int otst_die_member(Dwarf_Die *type, const char *path, struct otst_member *ret);

#endif /* OTST_DWARF_H */
