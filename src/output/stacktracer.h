/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stacktracer.h - the stack tracer's record as the kernel's stack_trace file.
 */
#ifndef OTST_OUTPUT_STACKTRACER_H
#define OTST_OUTPUT_STACKTRACER_H

#include "output.h"
#include "../traces/stacktracer.h"

/** otst_print_stack_trace_file() - to the letter; a line of its own then says what is wrong */
void otst_print_stack_trace_file(struct otst_printer *p, const struct otst_stack_tracer *t);

/** otst_print_stack_max_size_file() - to the letter */
void otst_print_stack_max_size_file(struct otst_printer *p, const struct otst_stack_tracer *t);

/** otst_print_stack_tracer() - whether it is on, and how deep the deepest stack was */
void otst_print_stack_tracer(struct otst_printer *p, const struct otst_stack_tracer *t);

#endif /* OTST_OUTPUT_STACKTRACER_H */
