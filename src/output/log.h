/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * log.h - the log once more, with its frames decoded.
 */
#ifndef OTST_OUTPUT_LOG_H
#define OTST_OUTPUT_LOG_H

#include "output.h"

/**
 * otst_print_log() - print each line of the log: frames get file and line and the calls that were
 * inlined, as far as there is debug information, and what hooks their functions in the dump
 * @texts: files that are read instead of the dump's log, NULL-terminated; or NULL
 *
 * Control characters are escaped. Return: 0, or what ends the command.
 */
int otst_print_log(struct otst_printer *p, const char *const *texts);

#endif /* OTST_OUTPUT_LOG_H */
