// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * verdict.c - otst -b: was a hook behind the crash? With --text, what a log alone says of it.
 */
#include "../output/verdict.h"
#include "commands.h"

int otst_cmd_verdict(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	struct otst_verdict v;
	int err = args->text ? otst_verdict_log(o, args->texts, &v) : otst_verdict(o, false, &v);

	if (!err)
		otst_print_verdict(p, &v);
	return err;
}
