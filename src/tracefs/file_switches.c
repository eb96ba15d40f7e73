// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_switches.c - files that say whether and how an array traces: switches,
 * clock, sizes (kernel/trace/trace.c).
 */
#include <inttypes.h>

#include "tracefs.h"

#define MAX_CLOCKS 64
#define CLOCK_SIZE 24 /* of an element of trace_clocks[], an unnamed structure */
#define CLOCK_NAME 8
#define MAX_NAME   256

int otst_file_tracing_on(struct otst_array_view *a)
{
	if (!a->array->switches_known)
		return otst_raise(a->o, OTST_ERR_CORRUPT, "%s",
				  a->array->buffer.error ? a->array->buffer.error :
							   "the cpus' buffers cannot be read");
	return otst_line(a->out, "%d", a->array->tracing_on);
}

int otst_file_current_tracer(struct otst_array_view *a)
{
	if (!a->array->tracer)
		return otst_raise(a->o, OTST_ERR_FAULT, "the current tracer is unknown");
	return otst_line(a->out, "%s", a->array->tracer);
}

int otst_file_trace_options(struct otst_array_view *a)
{
	const char *const *s = a->array->options;
	int err = 0;

	for (; s && *s && !err; s++)
		err = otst_line(a->out, "%s", *s);
	return err;
}

/* tracing_clock_show(); only what follows the table tells where it ends */
int otst_file_trace_clock(struct otst_array_view *a)
{
	uint64_t clocks = otst_symbol_or0(a->o, "trace_clocks"), func, at, i, n = MAX_CLOCKS;
	struct otst_text t = { .o = a->o };
	struct otst_sym sym;
	const char *name;

	if (!clocks)
		return otst_raise(a->o, OTST_ERR_LOOKUP, "no trace_clocks in this kernel");
	otst_symbolize(a->o, clocks, &sym);
	if (sym.addr == clocks && sym.size / CLOCK_SIZE < n)
		n = sym.size / CLOCK_SIZE;
	for (i = 0; i < n; i++) {
		uint64_t entry = clocks + i * CLOCK_SIZE;
		bool chosen = i == otst_u64(&a->v, "clock_id");

		if (otst_read_u64(a->o, entry, &func) || !otst_is_text(a->o, func) ||
		    otst_read_u64(a->o, entry + CLOCK_NAME, &at) ||
		    otst_read_string(a->o, at, MAX_NAME, &name))
			break;
		otst_text_printf(&t, chosen ? "%s[%s]" : "%s%s", i ? " " : "", name);
	}
	return otst_line_text(a->out, &t);
}

/* buffers are expanded when tracing is first used; @size: the size that they then get */
static bool is_expanded(struct otst_array_view *a, uint64_t *size)
{
	uint64_t at = otst_symbol_or0(a->o, "trace_buf_size");
	uint8_t expanded = 1;

	if (otst_view_has(&a->v, "ring_buffer_expanded"))
		expanded = (uint8_t)otst_u64(&a->v, "ring_buffer_expanded");
	else if (otst_has_symbol(a->o, "ring_buffer_expanded"))
		otst_read_u8(a->o, otst_symbol_or0(a->o, "ring_buffer_expanded"), &expanded);
	return expanded || !at || otst_read_u64(a->o, at, size);
}

int otst_file_buffer_size(struct otst_array_view *a)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	uint64_t size = 0, large;

	for (size_t i = 0; i < b->nr_cpus; i++) {
		size = size ?: b->cpus[i].size;
		if (size != b->cpus[i].size)
			return otst_line(a->out, "X");
	}
	if (is_expanded(a, &large))
		return otst_line(a->out, "%" PRIu64, size >> 10);
	return otst_line(a->out, "%" PRIu64 " (expanded: %" PRIu64 ")", size >> 10, large >> 10);
}

int otst_file_buffer_total(struct otst_array_view *a)
{
	const struct otst_trace_buffer *b = &a->array->buffer;
	uint64_t size = 0, large;

	for (size_t i = 0; i < b->nr_cpus; i++)
		size += b->cpus[i].size >> 10;
	if (is_expanded(a, &large))
		return otst_line(a->out, "%" PRIu64, size);
	return otst_line(a->out, "%" PRIu64 " (expanded: %" PRIu64 ")", size,
			 b->nr_cpus * (large >> 10));
}

int otst_file_subbuf_size(struct otst_array_view *a)
{
	const struct otst_member *m;

	if (otst_member(a->o, otst_buffer_types(a->o)->ring, "subbuf_order", &m))
		return otst_raise(a->o, OTST_ERR_LOOKUP,
				  "sub-buffers of this kernel have one size only");
	return otst_line(a->out, "%" PRIu64, a->array->buffer.subbuf_size / 1024);
}

/*
 * Find the mask of @a; cpumask_var_t is a pointer with CONFIG_CPUMASK_OFFSTACK.
 * Without it cpumask_scnprintf() prints all bits that the mask has room for: 513e3d2d11c9
 * ("cpumask: always use nr_cpu_ids in formatting and parsing functions") (v4.0).
 */
static int find_cpumask(struct otst_array_view *a, uint64_t *at, unsigned int *bits)
{
	const struct otst_member *m;
	int err;

	err = otst_member(a->o, "trace_array", "tracing_cpumask", &m);
	if (!err) {
		*at = a->array->addr + m->offset;
	} else if (err == OTST_ERR_LOOKUP && !a->array->name &&
		   otst_has_symbol(a->o, "tracing_cpumask")) {
		/* before Linux ccfe9e42e451 ("tracing: Make tracing_cpumask available for all
		 * instances") (v3.12) */
		*at = otst_symbol_or0(a->o, "tracing_cpumask");
		err = otst_member(a->o, "trace_iterator", "started", &m);
	}
	*bits = otst_kernel(a->o)->nr_cpus;
	if (err || m->kind == OTST_KIND_POINTER)
		return err ? err : otst_read_u64(a->o, *at, at);
	if (otst_has_symbol(a->o, "bitmap_scnprintf"))
		*bits = (unsigned int)m->size * 8;
	return 0;
}

int otst_file_cpumask(struct otst_array_view *a)
{
	unsigned int bits = 0;
	uint64_t at;
	int err = find_cpumask(a, &at, &bits);

	return err ?: otst_file_mask(a, at, bits, false);
}
