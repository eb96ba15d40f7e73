// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * header.c - the comment lines before the first entry (s_show() and its
 * print_..._header() functions in kernel/trace/trace.c, those of tracers with
 * a header of their own, and print_snapshot_help()).
 */
#include <inttypes.h>

#include "print.h"

static void put_line(struct otst_tf *tf, const char *s)
{
	otst_text_string(&tf->t, s);
}

/*
 * num_online_cpus() as it was before a panic: stop_this_cpu() removes the other
 * cpus from the online mask but not from the active mask. A cpu that goes down
 * for another reason leaves the active mask first.
 */
static unsigned int count_online(struct otst *o)
{
	const struct otst_kernel *k = otst_kernel(o);
	/* a struct since 4.5, a bare bitmap before */
	const char *mask = otst_has_symbol(o, "__cpu_active_mask") ? "__cpu_active_mask" :
								     "cpu_active_bits";
	uint64_t at = otst_symbol_or0(o, mask), word;
	unsigned int cpu, n = 0;

	for (cpu = 0; at && cpu < k->nr_cpus; cpu += 64) {
		if (otst_read_u64(o, at + cpu / 8, &word))
			return k->online;
		n += (unsigned int)__builtin_popcountll(word);
	}
	return n > k->online ? n : k->online;
}

/* ---- default ---- */

/* print_event_info() */
static void print_counts(struct otst_tf *tf, const struct otst_tf_header *h)
{
	otst_text_printf(&tf->t,
			 "# entries-in-buffer/entries-written: %" PRIu64 "/%" PRIu64
			 "   #P:%d\n#\n",
			 h->entries, h->written, count_online(tf->o));
}

/* print_func_help_header() */
static void print_plain_legend(struct otst_tf *tf)
{
	bool tgid = tf->opt.record_tgid;

	switch (tf->kernel.legend) {
	case OTST_LEGEND_OLD:
		put_line(tf, "#           TASK-PID   CPU#      TIMESTAMP  FUNCTION\n"
			     "#              | |       |          |         |\n");
		break;
	case OTST_LEGEND_TGID:
		otst_text_printf(&tf->t,
				 "#           TASK-PID   %s  CPU#   TIMESTAMP  FUNCTION\n"
				 "#              | |     %s    |       |         |\n",
				 tgid ? "TGID     " : "", tgid ? "  |      " : "");
		break;
	case OTST_LEGEND_WIDE:
	case OTST_LEGEND_MIGRATE:
	case OTST_LEGEND_LAZY:
		otst_text_printf(&tf->t,
				 "#           TASK-PID    %s CPU#     TIMESTAMP  FUNCTION\n"
				 "#              | |      %s   |         |         |\n",
				 tgid ? "   TGID   " : "", tgid ? "     |    " : "");
		break;
	}
}

static void print_old_legend(struct otst_tf *tf)
{
	put_line(tf, "#                              _-----=> irqs-off\n"
		     "#                             / _----=> need-resched\n"
		     "#                            | / _---=> hardirq/softirq\n"
		     "#                            || / _--=> preempt-depth\n"
		     "#                            ||| /     delay\n"
		     "#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION\n"
		     "#              | |       |   ||||       |         |\n");
}

/* print_func_help_header_irq() from 4.13 on, before its columns moved */
static void print_tgid_legend(struct otst_tf *tf)
{
	bool tgid = tf->opt.record_tgid;
	const char *space = tgid ? "          " : "  ";

	otst_text_printf(&tf->t,
			 "#                          %s  _-----=> irqs-off\n"
			 "#                          %s / _----=> need-resched\n"
			 "#                          %s| / _---=> hardirq/softirq\n"
			 "#                          %s|| / _--=> preempt-depth\n"
			 "#                          %s||| /     delay\n"
			 "#           TASK-PID %sCPU#  ||||    TIMESTAMP  FUNCTION\n"
			 "#              | |   %s  |   ||||       |         |\n",
			 space, space, space, space, space, tgid ? "   TGID   " : "  ",
			 tgid ? "     |    " : "  ");
}

/* the lines that each draw the column of a flag, for WIDE, MIGRATE, LAZY */
static const char *const *flag_lines(enum otst_tf_legend legend)
{
	static const char *const wide[] = {
		"  _-----=> irqs-off",	    " / _----=> need-resched", "| / _---=> hardirq/softirq",
		"|| / _--=> preempt-depth", "||| /     delay",	       NULL,
	};
	static const char *const migrate[] = {
		"  _-----=> irqs-off",
		" / _----=> need-resched",
		"| / _---=> hardirq/softirq",
		"|| / _--=> preempt-depth",
		"||| / _-=> migrate-disable",
		"|||| /     delay",
		NULL,
	};
	static const char *const lazy[] = {
		"  _-------=> irqs-off",
		" / _------=> need-resched",
		"| / _-----=> need-resched-lazy",
		"|| / _----=> hardirq/softirq",
		"||| / _---=> preempt-depth",
		"|||| / _--=> preempt-lazy-depth",
		"||||| / _-=> migrate-disable",
		"|||||| /     delay",
		NULL,
	};

	if (legend == OTST_LEGEND_LAZY)
		return lazy;
	return legend == OTST_LEGEND_MIGRATE ? migrate : wide;
}

static void print_wide_legend(struct otst_tf *tf)
{
	static const char space[] = "            ";
	static const char *const heads[] = {
		[OTST_LEGEND_WIDE] = "||||   TIMESTAMP",
		[OTST_LEGEND_MIGRATE] = "|||||  TIMESTAMP",
		[OTST_LEGEND_LAZY] = "|||||||  TIMESTAMP",
	};
	static const char *const bars[] = {
		[OTST_LEGEND_WIDE] = "||||      |  ",
		[OTST_LEGEND_MIGRATE] = "|||||     |  ",
		[OTST_LEGEND_LAZY] = "|||||||      |  ",
	};
	const char *bh = tf->kernel.flags.bh_off ? "/BH-disabled" : "";
	const char *const *line = flag_lines(tf->kernel.legend);
	int prec = tf->opt.record_tgid ? 12 : 2;

	for (; *line; line++, bh = "")
		otst_text_printf(&tf->t, "#                            %.*s%s%s\n", prec, space,
				 *line, bh);
	otst_text_printf(&tf->t, "#           TASK-PID  %.*s CPU#  %s  FUNCTION\n", prec,
			 "     TGID   ", heads[tf->kernel.legend]);
	otst_text_printf(&tf->t, "#              | |    %.*s   |   %s       |\n", prec,
			 "       |    ", bars[tf->kernel.legend]);
}

/* print_func_help_header_irq() */
static void print_irq_legend(struct otst_tf *tf)
{
	if (tf->kernel.legend == OTST_LEGEND_OLD)
		print_old_legend(tf);
	else if (tf->kernel.legend == OTST_LEGEND_TGID)
		print_tgid_legend(tf);
	else
		print_wide_legend(tf);
}

/* ---- latency ---- */

/* print_lat_help_header() of kernels whose columns are not wide */
static void print_narrow_legend(struct otst_tf *tf)
{
	bool old = tf->kernel.legend == OTST_LEGEND_OLD;

	put_line(tf, "#                  _------=> CPU#            \n"
		     "#                 / _-----=> irqs-off        \n"
		     "#                | / _----=> need-resched    \n"
		     "#                || / _---=> hardirq/softirq \n"
		     "#                ||| / _--=> preempt-depth   \n");
	put_line(tf, old ? "#                |||| /     delay             \n" :
			   "#                |||| /     delay            \n");
	put_line(tf, "#  cmd     pid   ||||| time  |   caller      \n");
	put_line(tf, old ? "#     \\   /      |||||  \\    |   /           \n" :
			   "#     \\   /      |||||  \\    |   /         \n");
}

static void print_lazy_legend(struct otst_tf *tf)
{
	put_line(tf, "#                    _--------=> CPU#            \n");
	put_line(tf, tf->kernel.flags.bh_off ?
			     "#                   / _-------=> irqs-off/BH-disabled\n" :
			     "#                   / _-------=> irqs-off        \n");
	put_line(tf, "#                  | / _------=> need-resched    \n"
		     "#                  || / _-----=> need-resched-lazy\n"
		     "#                  ||| / _----=> hardirq/softirq \n"
		     "#                  |||| / _---=> preempt-depth   \n"
		     "#                  ||||| / _--=> preempt-lazy-depth\n"
		     "#                  |||||| / _-=> migrate-disable \n"
		     "#                  ||||||| /     delay           \n"
		     "#  cmd     pid     |||||||| time  |   caller     \n"
		     "#     \\   /        ||||||||  \\    |    /       \n");
}

/* print_lat_help_header() */
static void print_latency_legend(struct otst_tf *tf)
{
	if (tf->kernel.legend < OTST_LEGEND_WIDE) {
		print_narrow_legend(tf);
		return;
	}
	if (tf->kernel.legend == OTST_LEGEND_LAZY) {
		print_lazy_legend(tf);
		return;
	}
	put_line(tf, "#                    _------=> CPU#            \n");
	put_line(tf, tf->kernel.flags.bh_off ?
			     "#                   / _-----=> irqs-off/BH-disabled\n" :
			     "#                   / _-----=> irqs-off        \n");
	put_line(tf, "#                  | / _----=> need-resched    \n"
		     "#                  || / _---=> hardirq/softirq \n"
		     "#                  ||| / _--=> preempt-depth   \n");
	if (tf->kernel.legend == OTST_LEGEND_MIGRATE)
		put_line(tf, "#                  |||| / _-=> migrate-disable \n"
			     "#                  ||||| /     delay           \n"
			     "#  cmd     pid     |||||| time  |   caller     \n"
			     "#     \\   /        ||||||  \\    |    /       \n");
	else
		put_line(tf, "#                  |||| /     delay            \n"
			     "#  cmd     pid     ||||| time  |   caller      \n"
			     "#     \\   /        |||||  \\    |   /         \n");
}

/* the trace_array_cpu of the cpu that had the latency */
static int read_data(struct otst_tf *tf, const struct otst_tf_header *h, uint64_t *cpu,
		     struct otst_view *ret)
{
	const char *type = otst_buffer_types(tf->o)->wrapper;
	struct otst_view array, buffer;
	int err;

	err = otst_view_read(tf->o, "trace_array", h->array, &array);
	err = err ?: otst_view_sub(&array, h->member, type, &buffer);
	if (err)
		return err;
	*cpu = otst_u64(&buffer, "cpu") & UINT32_MAX;
	err = buffer.err;
	if (!err && *cpu >= tf->nr_cpus)
		err = otst_raise(tf->o, OTST_ERR_CORRUPT, "latency on cpu %u", (unsigned int)*cpu);
	if (!err)
		err = otst_view_read(
			tf->o, "trace_array_cpu",
			otst_percpu(tf->o, otst_u64(&buffer, "data"), (unsigned int)*cpu), ret);
	return err ? err : buffer.err;
}

static void print_latency_task(struct otst_tf *tf, struct otst_view *data)
{
	otst_text_printf(&tf->t,
			 "#    -----------------\n"
			 "#    | task: %s-%d (uid:%d nice:%" PRId64 " policy:%" PRId64
			 " rt_prio:%" PRId64 ")\n"
			 "#    -----------------\n",
			 otst_chars(data, "comm"), (int32_t)otst_u64(data, "pid"),
			 (int32_t)otst_u64(data, "uid.val"), (int64_t)otst_u64(data, "nice"),
			 (int64_t)otst_u64(data, "policy"), (int64_t)otst_u64(data, "rt_priority"));
}

/* where the latency began and ended */
static void print_critical(struct otst_tf *tf, struct otst_view *data)
{
	uint64_t start = otst_u64(data, "critical_start");

	if (start) {
		put_line(tf, "#  => started at: ");
		otst_tf_ip(tf, start, false);
		put_line(tf, "\n#  => ended at:   ");
		otst_tf_ip(tf, otst_u64(data, "critical_end"), false);
		put_line(tf, "\n#\n");
	}
	put_line(tf, "#\n");
}

/* print_trace_header() */
static void print_latency(struct otst_tf *tf, const struct otst_tf_header *h)
{
	struct otst_view data;
	uint64_t cpu;
	int err = read_data(tf, h, &cpu, &data);

	if (err) {
		otst_text_printf(&tf->t, "# latency: %s\n", otst_message(tf->o));
		tf->err = otst_fatal(err) ? err : tf->err;
		return;
	}
	otst_text_printf(&tf->t,
			 "# %s latency trace v1.1.5 on %s\n"
			 "# --------------------------------------------------------------------\n"
			 "# latency: %" PRIu64 " us, #%" PRIu64 "/%" PRIu64 ", CPU#%" PRIu64
			 " | (M:%s VP:%d, KP:%d, SP:%d HP:%d #P:%d)\n",
			 h->tracer, otst_kernel(tf->o)->release,
			 otst_u64(&data, "saved_latency") / 1000, h->entries, h->written, cpu,
			 otst_tf_preempt_model(tf->o), 0, 0, 0, 0, count_online(tf->o));
	print_latency_task(tf, &data);
	print_critical(tf, &data);
}

/* trace_default_header() */
static void print_default(struct otst_tf *tf, const struct otst_tf_header *h)
{
	if (!tf->opt.context_info)
		return;
	if (tf->opt.latency_file) {
		if (h->empty)
			return;
		print_latency(tf, h);
		if (!tf->opt.verbose)
			print_latency_legend(tf);
	} else if (!tf->opt.verbose) {
		if (!tf->opt.irq_info || tf->kernel.legend != OTST_LEGEND_TGID)
			print_counts(tf, h);
		if (tf->opt.irq_info)
			print_irq_legend(tf);
		else
			print_plain_legend(tf);
	}
}

/* ---- function_graph ---- */

/* print_lat_header() */
static void print_graph_legend(struct otst_tf *tf)
{
	static const char *const lines[] = {
		"  _-----=> irqs-off        \n", " / _----=> need-resched    \n",
		"| / _---=> hardirq/softirq \n", "|| / _--=> preempt-depth   \n",
		"||| /                      \n",
	};
	uint32_t flags = tf->graph_flags;
	int size = 0;

	size += flags & OTST_GRAPH_ABS_TIME ? 16 : 0;
	size += flags & OTST_GRAPH_REL_TIME ? 16 : 0;
	size += flags & OTST_GRAPH_CPU ? 4 : 0;
	size += flags & OTST_GRAPH_PROC ? 17 : 0;
	/* the kernel prints no more blanks than that */
	size = size < 37 ? size : 37;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		otst_text_printf(&tf->t, "#%*s%s", size, "", lines[i]);
}

static void put_if(struct otst_tf *tf, bool condition, const char *s)
{
	if (condition)
		put_line(tf, s);
}

/* print_graph_headers_flags() */
static void print_graph(struct otst_tf *tf, const struct otst_tf_header *h)
{
	uint32_t flags = tf->graph_flags;
	bool lat = tf->opt.latency_fmt, wide = tf->kernel.graph_wide;

	if (!tf->opt.context_info)
		return;
	if (lat) {
		if (h->empty)
			return;
		print_latency(tf, h);
		print_graph_legend(tf);
	}
	otst_text_char(&tf->t, '#');
	put_if(tf, flags & OTST_GRAPH_ABS_TIME, "     TIME       ");
	put_if(tf, flags & OTST_GRAPH_REL_TIME, "   REL TIME     ");
	put_if(tf, flags & OTST_GRAPH_CPU, " CPU");
	put_if(tf, flags & OTST_GRAPH_PROC, "  TASK/PID       ");
	put_if(tf, lat, wide ? "||||   " : "||||");
	put_if(tf, flags & OTST_GRAPH_DURATION, "  DURATION   ");
	put_line(tf, "               FUNCTION CALLS\n#");
	put_if(tf, flags & OTST_GRAPH_ABS_TIME, "      |         ");
	put_if(tf, flags & OTST_GRAPH_REL_TIME, "      |         ");
	put_if(tf, flags & OTST_GRAPH_CPU, " |  ");
	put_if(tf, flags & OTST_GRAPH_PROC, "   |    |        ");
	put_if(tf, lat, wide ? "||||   " : "||||");
	put_if(tf, flags & OTST_GRAPH_DURATION, "   |   |      ");
	put_line(tf, "               |   |   |   |\n");
}

/* ---- osnoise, timerlat: the kernel's own text has "%%" ---- */

static bool is_tainted(struct otst *o)
{
	struct otst_view v;
	uint64_t at = otst_symbol_or0(o, "osnoise_data");

	return at && otst_has_member(o, "osnoise_data", "tainted") &&
	       !otst_view_read(o, "osnoise_data", at, &v) && otst_u64(&v, "tainted");
}

/* the first @count columns of flags; @rt: of PREEMPT_RT */
static void put_flag_lines(struct otst_tf *tf, bool rt, int count)
{
	const char *const *line = flag_lines(rt ? OTST_LEGEND_LAZY : OTST_LEGEND_MIGRATE);

	for (; count--; line++)
		otst_text_printf(&tf->t, "#                              %s\n", *line);
}

static void print_osnoise(struct otst_tf *tf, bool rt)
{
	if (is_tainted(tf->o))
		put_line(tf, "# osnoise is tainted!\n");
	put_flag_lines(tf, rt, rt ? 7 : 4);
	put_line(tf, rt ? "#                              |||||| /          "
			  "                                     MAX\n"
			  "#                              ||||| /                         " :
			  "#                              ||| / _-=> migrate-disable     "
			  "                    MAX\n"
			  "#                              |||| /     delay               ");
	put_line(tf, "                    SINGLE      Interference counters:\n");
	put_line(tf, rt ? "#                              |||||||               RUNTIME   " :
			  "#                              |||||               RUNTIME   ");
	put_line(tf, "   NOISE  %% OF CPU  NOISE    +-----------------------------+\n");
	put_line(tf, rt ? "#           TASK-PID      CPU# |||||||   TIMESTAMP    IN US    " :
			  "#           TASK-PID      CPU# |||||   TIMESTAMP    IN US    ");
	put_line(tf, "   IN US  AVAILABLE  IN US     HW    NMI    IRQ   SIRQ THREAD\n");
	put_line(tf, rt ? "#              | |         |   |||||||      |           |      " :
			  "#              | |         |   |||||      |           |      ");
	put_line(tf, "       |    |            |      |      |      |      |      |\n");
}

static void print_timerlat(struct otst_tf *tf, bool rt)
{
	put_flag_lines(tf, rt, rt ? 7 : 6);
	put_line(tf, rt ? "#                              |||||| /\n"
			  "#                              |||||||             ACTIVATION\n"
			  "#           TASK-PID      CPU# |||||||   TIMESTAMP    ID     "
			  "       CONTEXT                LATENCY\n"
			  "#              | |         |   |||||||      |         |      " :
			  "#                              |||||            ACTIVATION\n"
			  "#           TASK-PID      CPU# |||||   TIMESTAMP   ID      "
			  "      CONTEXT                 LATENCY\n"
			  "#              | |         |   |||||      |         |      ");
	put_line(tf, "            |                       |\n");
}

/* ---- snapshot ---- */

static void print_snapshot(struct otst_tf *tf, const struct otst_tf_header *h)
{
	put_line(tf, h->allocated ? "#\n# * Snapshot is allocated *\n#\n" :
				    "#\n# * Snapshot is freed *\n#\n");
	put_line(tf, "# Snapshot commands:\n");
	if (!h->single_cpu) {
		put_line(
			tf,
			"# echo 0 > snapshot : Clears and frees snapshot buffer\n"
			"# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
			"#                      Takes a snapshot of the main buffer.\n"
			"# echo 2 > snapshot : Clears snapshot buffer (but does not allocate");
		put_line(tf, otst_kernel_says(tf->o, OTST_SAYS_OR_FREE) ? " or free)\n" : ")\n");
	} else if (otst_has_symbol(tf->o, "ring_buffer_swap_cpu"))
		put_line(
			tf,
			"# echo 0 > snapshot : Invalid for per_cpu snapshot file.\n"
			"# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
			"#                      Takes a snapshot of the main buffer for this cpu.\n"
			"# echo 2 > snapshot : Clears this cpu's snapshot buffer (but does not allocate)\n");
	else
		put_line(
			tf,
			"# echo 0 > snapshot : Invalid for per_cpu snapshot file.\n"
			"# echo 1 > snapshot : Not supported with this kernel.\n"
			"#                     Must use main snapshot file to allocate.\n"
			"# echo 2 > snapshot : Clears this cpu's snapshot buffer (but does not allocate)\n");
	put_line(tf, "#                      (Doesn't have to be '2' works with any number that\n"
		     "#                       is not a '0' or '1')\n");
}

static bool is_dead(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "ftrace_disabled");
	uint32_t v;

	return at && !otst_read_u32(o, at, &v) && v;
}

void otst_tf_header(struct otst_tf *tf, const struct otst_tf_header *h)
{
	bool rt = strstr(otst_kernel(tf->o)->version, "PREEMPT_RT");

	otst_text_printf(&tf->t, "# tracer: %s\n#\n", h->tracer);
	if (is_dead(tf->o))
		put_line(tf, "# WARNING: FUNCTION TRACING IS CORRUPTED\n"
			     "#          MAY BE MISSING FUNCTION EVENTS\n");
	if (h->snapshot && h->empty) {
		print_snapshot(tf, h);
		return;
	}
	switch (tf->tracer) {
	case OTST_TF_GRAPH:
	case OTST_TF_LATENCY_GRAPH:
		print_graph(tf, h);
		break;
	case OTST_TF_OSNOISE_TRACER:
		print_osnoise(tf, rt);
		break;
	case OTST_TF_TIMERLAT_TRACER:
		print_timerlat(tf, rt);
		break;
	case OTST_TF_BRANCH_TRACER:
		put_line(tf, "#           TASK-PID    CPU#    TIMESTAMP  CORRECT  FUNC:FILE:LINE\n"
			     "#              | |       |          |         |       |\n");
		break;
	case OTST_TF_BLK_TRACER:
		/* without blk_classic the tracer prints no header */
		break;
	case OTST_TF_PLAIN:
	case OTST_TF_MMIO:
		print_default(tf, h);
		break;
	}
}
