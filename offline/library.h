/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * library.h - libkdumpfile, for what only that reads (library.c)
 */
#ifndef OTST_LIBRARY_H
#define OTST_LIBRARY_H

#include "diskpages.h"
#include "forms.h"

struct library;

/**
 * library_open() - open a dump
 * @guard: of a compressed dump, which outlives the library; or NULL
 * @ret: to be closed after an error, too
 *
 * Return: 0; UNSUPPORTED, CORRUPT, with a complaint; NOMEM.
 */
int library_open(int fd, struct diskguard *guard, struct library **ret);

/** library_close() - NULL is fine */
void library_close(struct library *k);

/** library_translates() - does it translate virtual addresses (Xen) */
bool library_translates(const struct library *k);

/** library_read() - see &form_ops.read */
int library_read(struct library *k, int space, uint64_t addr, void *buf, uint64_t len);

/** library_next() - see &form_ops.next */
bool library_next(struct library *k, uint64_t phys, uint64_t *start, uint64_t *end);

/** library_vmcoreinfo() - see &form_ops.vmcoreinfo */
const char *library_vmcoreinfo(const struct library *k, size_t *len);

#endif /* OTST_LIBRARY_H */
