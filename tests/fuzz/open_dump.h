/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open_dump.h - a target over whatever dump the command line names.
 */
#ifndef OPEN_DUMP_H
#define OPEN_DUMP_H

#include "../../src/otst.h"

/**
 * struct open_dump - @ops, @priv and @options are for otst_open()
 * @options: the byte order of the kernel, and the image file of a text dump. What a vmcore's
 *	image file says comes from @ops: reading it again for each engine takes too long
 */
struct open_dump {
	const struct otst_target_ops *ops;
	void *priv;
	void (*close)(void *priv);
	struct otst_options options;
};

/** open_dump_threads - how many threads may inflate pages of an opened vmcore; 1 unless set */
extern unsigned int open_dump_threads;

/**
 * open_dump() - open a dump
 * @vmlinux: the kernel's ELF file, or NULL; outlives the dump
 * @path: a text dump (.txt) or a vmcore
 *
 * Prints its own error messages. Return: 0 or a negative enum otst_err.
 */
int open_dump(const char *vmlinux, const char *path, struct open_dump *ret);

/** dump_commands - what otst is asked to do with each damaged dump; NULL-terminated */
extern const char *const *const dump_commands[];

/** dump_bad_byte() - the first control character in @text, other than newline and tab, or -1 */
int dump_bad_byte(const char *text, size_t len);

#endif /* OPEN_DUMP_H */
