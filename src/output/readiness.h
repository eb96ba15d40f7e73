/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * readiness.h - what of a kernel can be read, as lines (readiness.c)
 */
#ifndef OTST_OUTPUT_READINESS_H
#define OTST_OUTPUT_READINESS_H

#include "output.h"

/** enum otst_ready - can one kind of record of this kernel be read */
enum otst_ready {
	OTST_READY,	   /**< its decoder finds all names that it looks up */
	OTST_READY_ABSENT, /**< the kernel does not have it */
	OTST_READY_NOT,	   /**< its decoder misses names, see &otst_readiness.lacks */
	OTST_READY_COUNT,
};

/**
 * struct otst_readiness - one kind of probe, source of traces, or file
 * @of: what @what is one of: "probes", "traces", "files"
 * @lacks: vector of const char *: what the decoder said of names that it missed
 * @why: what shows that it is absent; else NULL
 */
struct otst_readiness {
	const char *of;
	const char *what;
	enum otst_ready state;
	struct otst_vec lacks;
	const char *why;
};

/**
 * otst_print_readiness() - print a vector of struct otst_readiness
 * @note: what was assumed, or NULL
 */
void otst_print_readiness(struct otst_printer *p, const struct otst_vec *items, const char *note);

#endif /* OTST_OUTPUT_READINESS_H */
