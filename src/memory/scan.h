/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * scan.h - the kernel's image in memory, searched (scan.c)
 */
#ifndef OTST_SCAN_H
#define OTST_SCAN_H

#include "../base/command.h"

#define OTST_IMAGE_MAX	 (512u << 20) /* no kernel's image is larger */
#define OTST_SCAN_BEHIND 512u	      /* bytes that a window has after its end */

/**
 * struct otst_scan - a search through the kernel's image
 * @window: looks at @len bytes at @addr; up to @behind more bytes follow, at most
 *	OTST_SCAN_BEHIND, for what begins in the window. Missing memory is zeros. A
 *	non-zero return ends the search
 * @missing: bytes that are not in the dump, the first of them at @missing_at
 * @err, @why: what was wrong with the first thing that looked right; 0: nothing
 */
struct otst_scan {
	int (*window)(void *priv, uint64_t addr, const unsigned char *data, size_t len,
		      size_t behind);
	void *priv;
	uint64_t missing;
	uint64_t missing_at;
	int err;
	const char *why;
};

/**
 * otst_scan_image() - search from init_uts_ns, a variable, down to _stext: all read-only data
 *
 * VMCOREINFO has always named the two.
 *
 * Return: 0; what @window returned; LOOKUP when VMCOREINFO does not say where the image is; what
 * ends a command.
 */
int otst_scan_image(struct otst *o, struct otst_scan *s);

/** otst_scan_note() - keep @err and @why if they are the first; 0, or what ends a command */
int otst_scan_note(struct otst *o, struct otst_scan *s, int err, const char *why);

/**
 * otst_scan_failed() - the answer of a search that found nothing
 * @err: what otst_scan_image() returned
 * @nothing, @where: of the message: "no BTF was found", "", or " where it may be"
 *
 * Return: @err; what otst_scan_note() kept; FAULT when memory is missing; else LOOKUP.
 */
int otst_scan_failed(struct otst *o, const struct otst_scan *s, int err, const char *nothing,
		     const char *where);

/**
 * otst_read_tail() - read the bytes before @end, as far as they are in the dump
 * @buf: gets them at its end; it has @most bytes
 * @ret: how many there are, all of @least
 *
 * Return: 0; FAULT when fewer than @least are there; what ends a command.
 */
int otst_read_tail(struct otst *o, uint64_t end, unsigned char *buf, size_t least, size_t most,
		   size_t *ret);

#endif /* OTST_SCAN_H */
