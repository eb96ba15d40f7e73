/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * trigger.h - triggers of events as the trigger file shows them.
 */
#ifndef OTST_OUTPUT_TRIGGER_H
#define OTST_OUTPUT_TRIGGER_H

#include "../traces/hist/hist.h"

/** otst_trigger_text() - "traceoff:count=5 if prev_pid == 0"; NULL for one that is not shown */
const char *otst_trigger_text(struct otst *o, const struct otst_trigger *t);

/** otst_hist_text() - "hist:keys=call_site:vals=hitcount:sort=hitcount:size=2048 [active]"; never NULL */
const char *otst_hist_text(struct otst *o, const struct otst_hist *h);

/** otst_hist_headline() - "hitcount: 12  bytes_req: 480 (hist:keys=...)" */
const char *otst_hist_headline(struct otst *o, const struct otst_hist_entry *e);

#endif /* OTST_OUTPUT_TRIGGER_H */
