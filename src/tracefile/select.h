/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * select.h - which entries are wanted: turned into a filter of the ring's reader,
 * so that nothing else is formatted.
 */
#ifndef OTST_TRACEFILE_SELECT_H
#define OTST_TRACEFILE_SELECT_H

#include "print.h"

/** struct otst_tf_select - a prepared filter; @reader points into it */
struct otst_tf_select {
	struct otst_tf *tf;
	const struct otst_tracefile_filter *filter;
	struct otst_reader_filter reader;
	bool kinds[OTST_TF_KINDS];
	uint64_t time_start;
	uint8_t *events; /* by id: 0 not asked yet, 1 unwanted, 2 wanted */
	bool *before;	 /* by cpu: was the entry before a stack wanted */
	bool single_cpu;
};

/** otst_tf_select() - 0, USAGE or NOMEM; needs @tf->in_ns, @tf->nr_cpus, @tf->time_start */
int otst_tf_select(struct otst_tf *tf, const struct otst_tracefile_filter *filter,
		   struct otst_tf_select *ret);

#endif /* OTST_TRACEFILE_SELECT_H */
