/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * audit.h - the printer of audits.
 */
#ifndef OTST_OUTPUT_AUDIT_H
#define OTST_OUTPUT_AUDIT_H

#include "../audit/audit.h"
#include "rows.h"

/** otst_text_change_object - a struct otst_finding about text, a part of its struct otst_where */
extern const struct otst_object otst_text_change_object;

/** otst_print_audit_finding() - one, as text */
void otst_print_audit_finding(struct otst_printer *p, const struct otst_finding *f);

void otst_print_audit(struct otst_printer *p, const struct otst_audit *a);

#endif /* OTST_OUTPUT_AUDIT_H */
