/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * vmcoreinfo.h - the text by which a kernel describes itself to dump tools (vmcoreinfo.c)
 */
#ifndef OTST_VMCOREINFO_H
#define OTST_VMCOREINFO_H

#include "../base/command.h"

/** struct otst_vmcoreinfo - the text, @len bytes */
struct otst_vmcoreinfo {
	const char *text;
	uint64_t len;
};

/** otst_vmcoreinfo_line() - value of the line "@key=", @len bytes; NULL when there is none */
const char *otst_vmcoreinfo_line(const struct otst_vmcoreinfo *v, const char *key, size_t *len);

/** otst_vmcoreinfo_value() - the same as a number; @base as for strtoull() */
bool otst_vmcoreinfo_value(const struct otst_vmcoreinfo *v, const char *key, int base,
			   uint64_t *ret);

/** otst_vmcoreinfo_at() - does VMCOREINFO text start here; @ret reaches to its end or to @size */
bool otst_vmcoreinfo_at(const char *text, size_t size, struct otst_vmcoreinfo *ret);

/** otst_vmcoreinfo_given() - as the front end supplies it, directly or as a note */
bool otst_vmcoreinfo_given(struct otst *o, struct otst_vmcoreinfo *ret);

/**
 * otst_vmcoreinfo_symbol() - symbol value from VMCOREINFO's SYMBOL(name)
 *
 * Return: 0 or LOOKUP, without a message.
 */
int otst_vmcoreinfo_symbol(struct otst *o, const char *name, uint64_t *ret);

/**
 * otst_vmcoreinfo_contradiction() - says in which line the dump's VMCOREINFO and the kernel's own
 *	copy of it have different values
 *
 * Return: NULL when there is none, and when either is not there.
 */
const char *otst_vmcoreinfo_contradiction(struct otst *o);

/**
 * otst_vmcoreinfo_each() - the lines "@kind(name)=value"
 * @each: a non-zero return ends the list and is returned
 *
 * Return: 0, also without VMCOREINFO.
 */
int otst_vmcoreinfo_each(struct otst *o, const char *kind,
			 int (*each)(void *priv, const char *name, const char *value), void *priv);

#endif /* OTST_VMCOREINFO_H */
