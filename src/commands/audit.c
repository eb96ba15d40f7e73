// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * audit.c - otst -a: does the kernel text agree with the records?
 */
#include "../output/audit.h"
#include "commands.h"

int otst_cmd_audit(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_audit audit = { .want_places = args->verbose,
				    .want_all = args->verbose,
				    .want_words = args->all_memory };
	int err;

	err = otst_audit(o, &audit);
	if (!err)
		otst_print_audit(p, &audit);
	return err;
}
