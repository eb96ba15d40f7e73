// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * choice.c - which ring buffers go into a trace.dat, and what is printed
 * about the file once it is written.
 */
#include <inttypes.h>
#include <string.h>

#include "../ftrace/tracing.h"
#include "dat.h"

struct choice {
	struct otst *o;
	const struct otst_dat_filter *filter;
	struct otst_dat_buffer *buffers; /* the first is the main one */
	size_t count;
	struct otst_messages errors;
};

static int add_chosen_array(struct choice *c, const struct otst_trace_array *a)
{
	const struct otst_trace_buffer *buffer = c->filter->snapshot ? &a->snapshot : &a->buffer;
	struct otst_dat_buffer *main = !a->name || c->filter->instance ? c->buffers : NULL;
	struct otst_ring *ring;
	int err;

	if (buffer->error) {
		err = otst_raise(c->o, OTST_ERR_CORRUPT, "%s", buffer->error);
	} else {
		if (!buffer->addr)
			return 0;
		err = otst_ring_open(c->o, buffer, c->filter->consumed, &ring);
	}
	if (err)
		return otst_note(c->o, &c->errors,
				 otst_fail(c->o, err, "%s", a->name ? a->name : "top"));
	*(main ? main : &c->buffers[c->count++]) =
		(struct otst_dat_buffer){ a->name, a->clock, ring };
	return 0;
}

/* a file has a main buffer even if the kernel's top array has none */
static void need_main(struct choice *c)
{
	struct otst_ring *none = otst_new(c->o, sizeof(*none));

	none->o = c->o;
	none->header = 16;
	if (!c->buffers[0].ring)
		c->buffers[0].ring = none;
}

static int choose_buffers(struct choice *c)
{
	const char *wanted = c->filter->instance;
	struct otst_tracing t;
	size_t i, found = 0;
	int err = otst_tracing(c->o, &t);

	if (err)
		return err;
	c->count = 1;
	c->buffers = otst_alloc(c->o, (t.nr_arrays + 1) * sizeof(*c->buffers));
	if (!c->buffers)
		return otst_no_memory(c->o);
	for (i = 0; i < t.nr_arrays && !err; i++) {
		const char *name = t.arrays[i]->name;

		if (wanted && (!name || strcmp(name, wanted) != 0))
			continue;
		err = add_chosen_array(c, t.arrays[i]);
		found++;
	}
	if (!err && wanted && !found)
		err = otst_raise(c->o, OTST_ERR_LOOKUP, "no trace array \"%s\"",
				 otst_clean(c->o, wanted));
	if (err)
		return err;
	otst_notes(c->o, &c->errors, &t.errors);
	need_main(c);
	return 0;
}

/* ---- what is printed about it ---- */

static void print_choice_text(struct otst_printer *p, const struct otst_dat *dat)
{
	otst_printf(p,
		    "%s: %" PRIu64
		    " byte%s; %zu buffer%s, %zu sub-buffer%s, %zu event%s, %zu symbol%s, "
		    "%zu task%s",
		    dat->path, dat->bytes, otst_number(dat->bytes, "", "s"), dat->buffers,
		    otst_number(dat->buffers, "", "s"), dat->subbufs,
		    otst_number(dat->subbufs, "", "s"), dat->events,
		    otst_number(dat->events, "", "s"), dat->symbols,
		    otst_number(dat->symbols, "", "s"), dat->tasks,
		    otst_number(dat->tasks, "", "s"));
	if (dat->left_out)
		otst_printf(p, "; %zu sub-buffer%s left out", dat->left_out,
			    otst_number(dat->left_out, "", "s"));
	if (dat->cut)
		otst_printf(p, "; %zu sub-buffer%s cut", dat->cut, otst_number(dat->cut, "", "s"));
	otst_printf(p, "\n");
}

static void dat_rows(struct otst_rows *r, const void *item)
{
	const struct otst_dat *dat = item;

	ROW_TEXT(r, "file", dat->path);
	ROW_COUNT(r, "bytes", dat->bytes);
	ROW_COUNT(r, "buffers", dat->buffers);
	ROW_COUNT(r, "sub_buffers", dat->subbufs);
	ROW_COUNT(r, "left_out", dat->left_out, .what = "sub-buffers that could not be read");
	ROW_COUNT(r, "cut", dat->cut, .what = "sub-buffers that make no sense from some point on");
	ROW_COUNT(r, "events", dat->events, .what = "formats of events");
	ROW_COUNT(r, "symbols", dat->symbols);
	ROW_COUNT(r, "tasks", dat->tasks);
}

const struct otst_object otst_trace_dat_object = { OTST_LINE, "trace_dat", dat_rows,
						   "-t -x trace.dat: the file that was written" };

int otst_dat(struct otst *o, const struct otst_dat_filter *filter, struct otst_printer *p)
{
	struct choice c = { .o = o, .filter = filter };
	struct otst_dat dat;
	int err = choose_buffers(&c);

	err = err ?: otst_dat_write(o, filter->path, c.buffers, c.count, filter->cpus, &dat);
	if (err)
		return err;
	otst_print_errors(p, &c.errors);
	otst_print_errors(p, &dat.errors);
	if (p->json)
		otst_print_json(p, &otst_trace_dat_object, &dat, NULL);
	else
		print_choice_text(p, &dat);
	return 0;
}
