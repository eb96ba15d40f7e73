/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap.h - what SystemTap knows about its probes, as text and JSON.
 */
#ifndef OTST_OUTPUT_STAP_H
#define OTST_OUTPUT_STAP_H

#include "output.h"
#include "../catchers/stap.h"

/** otst_print_stap() - the fields of otst -l -v */
void otst_print_stap(struct otst_printer *p, const struct otst_probe_stap *s);

/** otst_json_stap() - the object under "systemtap"; NULL when @s is */
struct json_object *otst_json_stap(const struct otst_probe_stap *s);

#endif /* OTST_OUTPUT_STAP_H */
