/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * unnamed.h - files without a name, for what is decompressed: they are gone when they are closed.
 */
#ifndef OTST_UNNAMED_H
#define OTST_UNNAMED_H

#include <stddef.h>
#include <stdint.h>

/** otst_unnamed_open() - a descriptor of one in $TMPDIR (or /var/tmp); -1 and errno */
int otst_unnamed_open(void);

/** otst_unnamed_write() - write all of @bytes at @at; 0, or an errno */
int otst_unnamed_write(int fd, const void *bytes, size_t len, uint64_t at);

#endif /* OTST_UNNAMED_H */
