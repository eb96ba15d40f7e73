// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * escape.c - what a string becomes in the page. Each argument is a JSON record with a
 * member "s"; prints that as HTML and as JSON, each followed by a byte 1, or "broken".
 */
#include "../../offline/report/report.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		struct json *j = json_parse(argv[i]);
		struct html h = { 0 };

		if (j) {
			html_add(&h, "%s\1", json_text(j, "s"));
			html_json(&h, json_text(j, "s"));
			html_add(&h, "\1");
		} else {
			html_add(&h, "broken\1broken\1");
		}
		fputs(h.text, stdout);
		free(h.text);
		free(j);
	}
	return 0;
}
