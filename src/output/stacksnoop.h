/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stacksnoop.h - what bcc's stacksnoop would have printed.
 */
#ifndef OTST_OUTPUT_STACKSNOOP_H
#define OTST_OUTPUT_STACKSNOOP_H

#include "output.h"
#include "../traces/traces.h"

/**
 * otst_print_stacksnoop() - the records of event buffers that name a stack by its id
 * @by_function: print as today's tool does: column FUNCTION, and frames by name below
 *	it; else as its first version did: column STACK, and a line for each frame
 * @offsets: symbols with offsets
 *
 * p->verbose adds the columns COMM, PID and CPU. The time is the record's, or "?"
 * when it has none; a line at the end then says so.
 */
void otst_print_stacksnoop(struct otst_printer *p, const struct otst_traces *traces,
			   bool by_function, bool offsets);

#endif /* OTST_OUTPUT_STACKSNOOP_H */
