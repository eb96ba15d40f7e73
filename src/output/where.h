/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * where.h - everything that is on a function, in one screen:
 *
 *	do_nanosleep at ffffffff9e4332c0, 316 bytes
 *	WHEN     #  AT     RUNS                AS     KIND    STATE         OWNER            THROUGH
 *	entry    1  +0x0   lab_pre [otst_lab]  pre    kprobe  armed ftrace  module otst_lab  kprobe_ftrace_ops
 */
#ifndef OTST_OUTPUT_WHERE_H
#define OTST_OUTPUT_WHERE_H

#include "rows.h"
#include "trace.h"
#include "../where/where.h"

/** otst_print_wheres() - all operands, as text or JSON */
void otst_print_wheres(struct otst_printer *p, const struct otst_wheres *all);

/* ---- descriptions (where_rows.c) ---- */

#define OTST_NAME_COLUMN 64 /* one giant name must not push the table off the screen */

/** otst_step_object - struct otst_step, a part of its struct otst_where */
extern const struct otst_object otst_step_object;

/** otst_step_owner_text() - who placed what runs, as a listing shows it; never NULL (where_rows.c) */
const char *otst_step_owner_text(struct otst *o, const struct otst_step *s);

#endif /* OTST_OUTPUT_WHERE_H */
