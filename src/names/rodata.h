/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * rodata.h - strings of the kernel (rodata.c)
 */
#ifndef OTST_RODATA_H
#define OTST_RODATA_H

#include "../base/command.h"

/** struct otst_needle - bytes to look for, 64 at most */
struct otst_needle {
	const char *text;
	size_t len;
};

/** OTST_NEEDLE() - a literal without its terminating NUL */
#define OTST_NEEDLE(s)           \
	{                        \
		s, sizeof(s) - 1 \
	}

/**
 * otst_rodata_has() - set @found for each needle that is in the kernel's read-only data
 *
 * Return: false when none of that data can be read.
 */
bool otst_rodata_has(struct otst *o, const struct otst_needle *needles, size_t count, bool *found);

#endif /* OTST_RODATA_H */
