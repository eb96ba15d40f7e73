/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stray.h - pages whose rights are not as they should be: executable.c finds them, stray.c judges them.
 */
#ifndef OTST_AUDIT_STRAY_H
#define OTST_AUDIT_STRAY_H

#include "../owners/owners.h"
#include "everywhere.h"

#define OTST_STRAYS_TOLD 4096u /* most may be programs of BPF, which are not told */

/** enum otst_stray_kind - what is wrong with them */
enum otst_stray_kind {
	OTST_STRAY_NOBODYS, /* executable memory in no area */
	OTST_STRAY_TEXT,    /* that is writable as well */
	OTST_STRAY_DATA,
	OTST_STRAY_BEHIND, /* what is behind the text on its last page */
	OTST_STRAY_RODATA, /* read-only data that is writable */
	OTST_STRAY_ALIAS,  /* where text, or read-only data, can be written at another address */
};

/** struct otst_stray - pages of one kind, one after the other */
struct otst_stray {
	uint64_t begin, end;
	enum otst_stray_kind kind;
	bool writable;
};

/** struct otst_makers - @who makes or frees executable memory, or NULL; once @asked */
struct otst_makers {
	bool asked;
	const char *who;
};

/**
 * struct otst_pages - what the page tables of a kernel are judged by
 * @strays: struct otst_stray, in the order of the tables
 * @bytes: room for a page
 * @has_cache, @has_thunks: this kernel has execmem's cache, thunks of ITS
 * @rodata, @rodata_end: full pages that are kept from being executed
 * @direct: otst_direct_map()
 * @makers: of any memory, of memory in the direct map
 * @unknown: whose a page is cannot be told for want of a name
 */
struct otst_pages {
	struct otst *o;
	struct otst_audit *a;
	const struct otst_areas *areas;
	struct otst_vec strays;
	uint64_t page;
	uint8_t *bytes;
	bool text_is_fixed, modules_are_fixed, modules_have_data;
	bool has_cache, has_thunks;
	uint64_t rodata, rodata_end;
	uint64_t direct;
	struct otst_makers makers[2];
	size_t told;
	bool unknown;
};

/** otst_strays_judge() - add a finding for each, or a gap where it may be somebody's; 0, or what ends the command */
int otst_strays_judge(struct otst_pages *p);

#endif /* OTST_AUDIT_STRAY_H */
