// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * words.c - command lines: options, filters, patterns; one word a line.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tests/text/text_target.h"
#include "harness.h"

#define MOST_WORDS 16

/* in a directory that is already removed a command can write nothing */
static struct otst *open_engine(void)
{
	struct otst_options options = { .size = sizeof(options) };
	char dir[] = "/tmp/otst-fuzz.XXXXXX";
	void *dump = harness_base("4.14.txt");
	struct otst *o;

	if (!mkdtemp(dir) || chdir(dir) || rmdir(dir) ||
	    otst_open(text_target_ops(), dump, &options, &o))
		abort();
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *words[MOST_WORDS + 2] = { "otst" };
	static struct otst *o;
	char *text, *line, *rest;
	int n = 1;

	if (!o)
		o = open_engine();
	text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	for (line = strtok_r(text, "\n", &rest); line && n <= MOST_WORDS;
	     line = strtok_r(NULL, "\n", &rest)) {
		/* no file but those that the command itself looks for */
		if (!strchr(line, '/'))
			words[n++] = line;
	}
	harness_command(o, words);
	free(text);
	return 0;
}
