// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * table.c - the commands, a row each.
 */
#include "commands.h"

static const struct otst_command commands[] = {
	{ 'l', otst_cmd_list, "-k --modules", .operands = true },
	{ 't', otst_cmd_trace, "-k -s -p -c -n -x -o --text --modules --from --to",
	  .operands = true },
	{ 'f', otst_cmd_ftrace, "", .operands = true, .whole = true },
	{ 'T', otst_cmd_tracers, "", .operands = true, .lists = true, .whole = true },
	{ 'w', otst_cmd_where, "-s --modules", .operands = true, .whole = true, .built = true },
	{ 'a', otst_cmd_audit, "--modules --all-memory", .whole = true, .built = true },
	{ 'b', otst_cmd_verdict, "--text --modules", .whole = true },
	{ 'i', otst_cmd_info, "--modules", .whole = true },
	{ 'R', otst_cmd_readiness, "", .types = true },
};

const struct otst_command *otst_command_of(char letter)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (commands[i].letter == letter)
			return &commands[i];
	}
	return NULL;
}

bool otst_is_command(char letter)
{
	return otst_command_of(letter) || letter == 'h' || letter == 'V';
}
