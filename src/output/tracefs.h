/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - files of tracefs as text and JSON.
 */
#ifndef OTST_OUTPUT_TRACEFS_H
#define OTST_OUTPUT_TRACEFS_H

#include "output.h"
#include "../ftrace/tracefs.h"

/** otst_print_tracefs_file() - the text to the letter, then what is missing in it; or one object */
void otst_print_tracefs_file(struct otst_printer *p, const struct otst_tracefs_file *f);

/** otst_print_tracefs_part() - the same below the heading of its array, with its name before it */
void otst_print_tracefs_part(struct otst_printer *p, const struct otst_tracefs_file *f);

#endif /* OTST_OUTPUT_TRACEFS_H */
