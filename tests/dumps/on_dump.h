/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * on_dump.h - for test programs that ask the engine something about one vmcore.
 */
#ifndef ON_DUMP_H
#define ON_DUMP_H

#include "../../src/dump.h"

/**
 * on_dump() - open a vmcore, call @ask, close it again
 * @files: VMCORE, or VMLINUX VMCORE
 * @count: number of @files
 * @ask: asks the engine; returns 0 or a negative enum otst_err
 * @arg: passed to @ask
 *
 * Return: an exit status: 0; 1 when @ask failed, reported on stderr; 99 when the
 * files do not open or there are not one or two of them.
 */
int on_dump(char **files, int count, int (*ask)(struct otst *o, void *arg), void *arg);

#endif /* ON_DUMP_H */
