/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * audit.h - the printer of audits.
 */
#ifndef OTST_OUTPUT_AUDIT_H
#define OTST_OUTPUT_AUDIT_H

#include "../audit/audit.h"
#include "rows.h"

void otst_print_audit(struct otst_printer *p, const struct otst_audit *a);

#endif /* OTST_OUTPUT_AUDIT_H */
