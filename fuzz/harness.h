/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * harness.h - what the harnesses share: an input as a file, commands whose output is looked at.
 *
 * A harness is one file with LLVMFuzzerTestOneInput(). What is wrong aborts.
 */
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#include "../src/otst.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/**
 * harness_least() - how many bytes of the input say only what is run, on which kernel; 1 unless the harness
 * has one of its own
 */
size_t harness_least(const uint8_t *data, size_t size);

/**
 * harness_file() - a file in memory with these bytes
 *
 * Return: its path; the same file is used for the next input.
 */
const char *harness_file(const uint8_t *data, size_t size);

/** harness_directory() - a new directory, which is removed at the end; call it once */
const char *harness_directory(void);

/**
 * harness_command() - run one command on @o
 * @words: "otst" and its operands, NULL-terminated
 *
 * Aborts when it prints a control character, or returns a status that no command may return.
 */
void harness_command(struct otst *o, const char *const *words);

/** harness_commands() - dump_commands[] on the dump that @ops reads */
void harness_commands(const struct otst_target_ops *ops, void *priv,
		      const struct otst_options *options);

/**
 * harness_line() - one command on the dump that @ops reads
 * @line: its operands, with spaces between them; one that would write a file is left out
 */
void harness_line(const struct otst_target_ops *ops, void *priv, const struct otst_options *options,
		  const char *line);

/**
 * harness_dumps() - the directory of the text dumps: tests/text/dumps from here, or beside the program
 *
 * Return: as long as the program runs.
 */
const char *harness_dumps(void);

/**
 * harness_base() - the text dump that stands for the kernel to which the input belongs
 * @name: in tests/text/dumps
 *
 * Return: the private pointer of text_target_ops(), never freed.
 */
void *harness_base(const char *name);

#endif /* FUZZ_HARNESS_H */
