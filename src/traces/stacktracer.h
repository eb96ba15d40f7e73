/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stacktracer.h - the deepest kernel stack that the stack tracer saw.
 */
#ifndef OTST_STACKTRACER_H
#define OTST_STACKTRACER_H

#include "traces.h"

/**
 * struct otst_stack_entry - a return address and its frame
 * @depth: where the frame ends, in bytes from the top of the stack
 */
struct otst_stack_entry {
	uint64_t addr;
	int32_t depth;
	int32_t size; /**< size of its frame, as the kernel's stack_trace file computes it */
};

/**
 * struct otst_stack_tracer - what stack_trace, stack_max_size and the sysctl
 * stack_tracer_enabled show
 * @counted: number of entries by the kernel's count; @count of them are usable
 * @error: why the record cannot be trusted, or NULL
 */
struct otst_stack_tracer {
	bool enabled;
	uint64_t max_size;
	int64_t counted;
	const struct otst_stack_entry *entries;
	size_t count;
	const char *error;
};

/**
 * otst_stack_tracer() - read the record (kernel/trace/trace_stack.c)
 *
 * Return: 0, even when the record is torn; LOOKUP when this kernel has no stack
 * tracer; or an error that ends the command.
 */
int otst_stack_tracer(struct otst *o, struct otst_stack_tracer *ret);

#endif /* OTST_STACKTRACER_H */
