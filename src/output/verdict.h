/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * verdict.h - was a hook in the crash, in one screen.
 */
#ifndef OTST_OUTPUT_VERDICT_H
#define OTST_OUTPUT_VERDICT_H

#include "../verdict/verdict.h"
#include "output.h"

/** otst_print_verdict_head() - the sentence and what died */
void otst_print_verdict_head(struct otst_printer *p, const struct otst_verdict *v);

/** otst_print_verdict() - the sentence, what died, evidence by rank, stacks; -v shows all stacks whole */
void otst_print_verdict(struct otst_printer *p, const struct otst_verdict *v);

#endif /* OTST_OUTPUT_VERDICT_H */
