/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * catcher.h - what otst and allie know about their probes, as text and JSON.
 */
#ifndef OTST_OUTPUT_CATCHER_H
#define OTST_OUTPUT_CATCHER_H

#include "rows.h"
#include "../capturers/catcher.h"

/** otst_print_catcher() - the fields of otst -l -v */
void otst_print_catcher(struct otst_printer *p, const struct otst_probe *pr);

/** otst_catcher_of() - the value of "otst" or "allie" in JSON; NULL unless @pr is of @kind */
const struct otst_catcher *otst_catcher_of(const struct otst_probe *pr, enum otst_probe_kind kind);
extern const struct otst_object otst_catcher_object;

#endif /* OTST_OUTPUT_CATCHER_H */
