// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * complain.c - the engine's message, where errors go.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"

void otst_complain(struct otst *o, const struct otst_output *err)
{
	const char *message = otst_message(o);
	char line[2048]; /* there may be no memory left */
	int len = snprintf(line, sizeof(line), "%s%s\n",
			   strncmp(message, "usage: ", 7) ? "otst: " : "", message);

	err->write(err->priv, line, (size_t)len);
}
