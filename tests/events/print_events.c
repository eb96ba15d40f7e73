// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print_events - the events of one trace array of a dump as text, for
 * comparison with the kernel's own trace file.
 *
 *   print_events [-c] VMLINUX VMCORE [INSTANCE]
 *
 * A line is "CPU PID NAME: TEXT", without NAME where the kernel has none. -c: only count and time.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/probes/probes.h"
#include "../../src/ftrace/tracing.h"
#include "../../src/rings/rings.h"
#include "../dumps/on_dump.h"

static bool count_only;

static bool has_option(const struct otst_trace_array *a, const char *name)
{
	size_t i;

	for (i = 0; a->options && a->options[i]; i++) {
		if (!strcmp(a->options[i], name))
			return true;
	}
	return false;
}

static int print_one(struct otst *o, const struct otst_event_style *style,
		     const struct otst_record *r, char *text, size_t room)
{
	const struct otst_event_format *f = otst_event_format(o, r->type);
	int len;

	/* ftrace's own entries have printers of their own */
	if (!f || !strcmp(f->system, "ftrace"))
		return 0;
	len = otst_event_text(o, f, style, r, text, room);
	if (len < 0)
		return len;
	if (!count_only)
		printf("%u %d %s%s%s\n", r->cpu, r->pid, f->unnamed ? "" : f->name,
		       f->unnamed ? "" : ": ", text);
	return 0;
}

static int print_array(struct otst *o, const struct otst_trace_array *a)
{
	struct otst_event_style style = { .hash_ptr = !has_option(a, "nohash-ptr"),
					  .sym_addr = has_option(a, "sym-addr"),
					  .sym_offset = has_option(a, "sym-offset"),
					  .verbose = has_option(a, "verbose") };
	static struct otst_reader_filter filter = { .pid = -1, .to = UINT64_MAX };
	struct otst_reader *reader;
	static char text[65536];
	struct otst_record r;
	struct otst_ring *ring;
	size_t n = 0;
	clock_t start;
	int err = otst_ring_open(o, &a->buffer, false, &ring);

	if (!err)
		err = otst_reader_open(ring, &filter, &reader);
	start = clock();
	while (!err && (err = otst_reader_next(reader, &r)) == 1) {
		n++;
		err = r.gap ? 0 : print_one(o, &style, &r, text, sizeof(text));
	}
	fprintf(stderr, "%zu records, %.0f ns each\n", n,
		n ? 1e9 * (double)(clock() - start) / CLOCKS_PER_SEC / (double)n : 0);
	return err;
}

static int print_all(struct otst *o, void *arg)
{
	const char *instance = arg;
	const struct otst_messages *errors;
	struct otst_tracing tracing;
	size_t i;
	int err = otst_tracing(o, &tracing);

	for (i = 0; !err && i < tracing.nr_arrays; i++) {
		const char *name = tracing.arrays[i]->name;

		if (!strcmp(name ? name : "", instance))
			err = print_array(o, tracing.arrays[i]);
	}
	errors = otst_event_errors(o);
	for (i = 0; i < errors->count; i++)
		fprintf(stderr, "error: %s\n", errors->texts[i]);
	return err;
}

int main(int argc, char **argv)
{
	if (getopt(argc, argv, "c") == 'c')
		count_only = true;
	argc -= optind;
	argv += optind;
	if (argc < 2 || argc > 3)
		return 99;
	return on_dump(argv, 2, print_all, argc > 2 ? argv[2] : "");
}
