/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * signature.h - the functions that the signature of a crash treats differently (signature_names.c)
 */
#ifndef OTST_SIGNATURE_H
#define OTST_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

/** enum otst_signature_names - what a function on a stack means for the signature */
enum otst_signature_names {
	OTST_NAMES_PASSED,	/**< passed over */
	OTST_NAMES_HELPERS,	/**< and these, unless nothing else is there */
	OTST_NAMES_ENTRIES,	/**< by which the kernel was entered: nothing behind them counts */
	OTST_NAMES_BREAKPOINTS, /**< of a hook's: the code that it interrupted has called the hook */
	OTST_NAMES_TRAMPOLINES, /**< called by a trampoline, which has no name, or that of freed text */
	OTST_NAMES_COUNT
};

/** otst_signature_has() - true if the function @name of the kernel, of @len letters, is one of these */
bool otst_signature_has(enum otst_signature_names names, const char *name, size_t len);

#endif
