/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stap.h - what SystemTap knows about its probes, in -v and in JSON.
 */
#ifndef OTST_OUTPUT_STAP_H
#define OTST_OUTPUT_STAP_H

#include "rows.h"
#include "../capturers/stap.h"

/** otst_print_stap() - the fields of otst -l -v */
void otst_print_stap(struct otst_printer *p, const struct otst_probe_stap *s);

/** otst_stap_object - the value of "systemtap" in JSON: struct otst_probe_stap */
extern const struct otst_object otst_stap_object;

#endif /* OTST_OUTPUT_STAP_H */
