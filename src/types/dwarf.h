/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * dwarf.h - the interface between dwarf.c, which finds types by name, and
 * dwarf_member.c, which looks into one type.
 */
#ifndef OTST_DWARF_H
#define OTST_DWARF_H

#include "../base/engine.h"

#include <elfutils/libdw.h>

/** otst_die_strip() - the type behind typedefs and qualifiers; false for void */
bool otst_die_strip(Dwarf_Die *type, Dwarf_Die *ret);

/** otst_die_is_structure() - true if it is a structure or union */
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

struct otst_dwarf_types;

/**
 * otst_dwarf_types_open() - the kernel's types from the debug information of the image file
 *
 * Return: 0; LOOKUP, without a message, if there is no image file, or it does not describe the
 * kernel's structures; NOMEM, INTERRUPTED.
 */
int otst_dwarf_types_open(struct otst *o, struct otst_dwarf_types **ret);
void otst_dwarf_types_close(struct otst_dwarf_types *d);

/* The three below return 0; LOOKUP, without a message, once all was read; NOMEM, INTERRUPTED. */
int otst_dwarf_type_member(struct otst_dwarf_types *d, const char *type, const char *member,
			   struct otst_member *ret);
int otst_dwarf_type_size(struct otst_dwarf_types *d, const char *type, uint64_t *ret);
int otst_dwarf_enumerator(struct otst_dwarf_types *d, const char *name, int64_t *ret);

#endif /* OTST_DWARF_H */
