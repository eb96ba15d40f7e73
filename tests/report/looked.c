// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * looked.c - the page of a report that knows nothing but how many places were not looked at: those
 * of -i, and those that the audit compared with nothing.
 */
#include "../../offline/report/report.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct report r = { 0 };
	struct html page = { 0 };

	if (argc != 3)
		return 99;
	r.nr_gaps = strtoul(argv[1], NULL, 10);
	r.nr_uncompared = strtoul(argv[2], NULL, 10);
	report_page(&r, &page);
	fputs(page.text, stdout);
	free(page.text);
	return page.broken;
}
