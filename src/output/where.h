/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.h - everything that is on a function, in one screen:
 *
 *	do_nanosleep at ffffffff9e4332c0, 316 bytes
 *	WHEN     #  AT     RUNS                AS     KIND    STATE         OWNER            THROUGH
 *	entry    1  +0x0   lab_pre [otst_lab]  pre    kprobe  armed ftrace  module otst_lab  kprobe_ftrace_ops
 */
#ifndef OTST_OUTPUT_WHERE_H
#define OTST_OUTPUT_WHERE_H

#include "trace.h"
#include "../where/where.h"

/** otst_print_wheres() - all operands, as text or JSON */
void otst_print_wheres(struct otst_printer *p, const struct otst_wheres *all);

/** otst_where_json() - one operand as a line of JSON (where_json.c) */
void otst_where_json(struct otst_printer *p, const struct otst_where *w);

/** otst_step_name() - who runs: a function, a BPF program; never NULL */
const char *otst_step_name(struct otst *o, const struct otst_step *s);

#endif /* OTST_OUTPUT_WHERE_H */
