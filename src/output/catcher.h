/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catcher.h - what otst and allie know about their probes, as text and JSON.
 */
#ifndef OTST_OUTPUT_CATCHER_H
#define OTST_OUTPUT_CATCHER_H

#include "output.h"
#include "../catchers/catcher.h"

/** otst_print_catcher() - the fields of otst -l -v */
void otst_print_catcher(struct otst_printer *p, const struct otst_probe *pr);

/** otst_json_catcher() - the object under "otst" or "allie"; NULL unless @pr is of @kind */
struct json_object *otst_json_catcher(const struct otst_probe *pr, enum otst_probe_kind kind);

#endif /* OTST_OUTPUT_CATCHER_H */
