// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file_settings.c - files that hold one setting or one number, the lists of events and
 * of task groups, and what tracefs refused (kernel/trace/trace.c, trace_events.c, ftrace.c).
 */
#include <inttypes.h>

#include "../ftrace/event_file.h"
#include "tracefs.h"

#define MAX_TGIDS    (1u << 22) /* PID_MAX_LIMIT */
#define TGIDS_BEFORE 32768u	/* PID_MAX_DEFAULT, before there was a variable */
#define MAX_ERRORS   64u	/* TRACING_LOG_ERRS_MAX is 8 */
#define MAX_COMMAND  4096u
#define MAX_WHERE    128u /* TRACING_LOG_LOC_MAX */
#define CHUNK	     1024u
#define ERROR_SPACE  11 /* columns of "  Command: " */

static int read_setting_symbol(struct otst *o, const char *name, uint64_t *ret)
{
	uint64_t at;
	int err = otst_file_symbol(o, name, &at);

	return err ? err : otst_read_u64(o, at, ret);
}

int otst_file_buffer_percent(struct otst_array_view *a)
{
	uint64_t v = otst_u64(&a->v, "buffer_percent");

	return a->v.err ? a->v.err : otst_line(a->out, "%" PRId32, (int32_t)v);
}

/* tracing_time_stamp_mode_show(), since 4.17 */
int otst_file_timestamp_mode(struct otst_array_view *a)
{
	uint64_t absolute;
	int err = otst_read_member(a->o, otst_buffer_types(a->o)->ring, a->array->buffer.addr,
				   "time_stamp_abs", &absolute);

	return err ? err : otst_line(a->out, absolute ? "delta [absolute]" : "[delta] absolute");
}

/* tracing_nsecs_read(): whole microseconds; nsecs_to_usecs() does not round */
static int show_nsecs(struct otst_array_view *a, uint64_t ns)
{
	return ns == UINT64_MAX ? otst_line(a->out, "-1") :
				  otst_line(a->out, "%" PRIu64, ns / 1000);
}

int otst_file_max_latency(struct otst_array_view *a)
{
	uint64_t ns;
	int err;

	if (otst_view_has(&a->v, "max_latency")) {
		ns = otst_u64(&a->v, "max_latency");
		return a->v.err ? a->v.err : show_nsecs(a, ns);
	}
	/* Linux 6d9b3fa5e7f6 ("tracing: Move tracing_max_latency into trace_array") (v3.14) */
	err = read_setting_symbol(a->o, "tracing_max_latency", &ns);
	return err ? err : show_nsecs(a, ns);
}

int otst_file_tracing_thresh(struct otst_array_view *a)
{
	uint64_t ns;
	int err = read_setting_symbol(a->o, "tracing_thresh", &ns);

	return err ? err : show_nsecs(a, ns);
}

int otst_file_function_profile(struct otst_array_view *a)
{
	uint64_t at;
	uint32_t on;
	int err = otst_file_symbol(a->o, "ftrace_profile_enabled", &at);

	err = err ?: otst_read_u32(a->o, at, &on);
	return err ? err : otst_line(a->out, "%" PRIu32, on);
}

/* Linux 36a367b8912a ("ftrace: Show timings of how long nop patching took") (v6.13) */
static int show_update_times(struct otst_array_view *a)
{
	uint64_t boot = 0, modules = 0;
	int err;

	if (!otst_has_symbol(a->o, "ftrace_total_mod_time"))
		return 0;
	err = read_setting_symbol(a->o, "ftrace_update_time", &boot);
	err = err ?: read_setting_symbol(a->o, "ftrace_total_mod_time", &modules);
	err = err ?: otst_line(a->out, "ftrace boot update time = %" PRIu64 " (ns)", boot);
	return err ? err :
		     otst_line(a->out, "ftrace module total update time = %" PRIu64 " (ns)",
			       modules);
}

/* tracing_read_dyn_info() */
int otst_file_dyn_ftrace(struct otst_array_view *a)
{
	uint64_t functions = 0, pages = 0, groups = 0;
	int err = read_setting_symbol(a->o, "ftrace_update_tot_cnt", &functions);

	/* Linux da537f0aef13 ("ftrace: Add information on number of page groups allocated") */
	if (!err && !otst_has_symbol(a->o, "ftrace_number_of_pages"))
		return otst_line(a->out, "%" PRIu64 " ", functions);
	err = err ?: read_setting_symbol(a->o, "ftrace_number_of_pages", &pages);
	err = err ?: read_setting_symbol(a->o, "ftrace_number_of_groups", &groups);
	if (!err)
		err = otst_line(a->out, "%" PRIu64 " pages:%" PRIu64 " groups: %" PRIu64, functions,
				pages, groups);
	return err ? err : show_update_times(a);
}

/* saved_tgids_show(): the groups of the pids that were scheduled with the option record-tgid */
int otst_file_saved_tgids(struct otst_array_view *a)
{
	uint64_t map = 0, most = TGIDS_BEFORE, i, k, n;
	unsigned char raw[CHUNK * 4];
	int err = read_setting_symbol(a->o, "tgid_map", &map);

	/* Linux 4030a6e6a6a4 ("tracing: Resize tgid_map to pid_max, not PID_MAX_DEFAULT") (v5.14) */
	if (!err && otst_has_symbol(a->o, "tgid_map_max"))
		err = otst_read_u64(a->o, otst_symbol_or0(a->o, "tgid_map_max"), &most);
	if (!err && map && most > MAX_TGIDS)
		err = otst_raise(a->o, OTST_ERR_CORRUPT, "tgid_map_max is %" PRIu64, most);
	for (i = 0; map && i <= most && !err; i += n) {
		n = most + 1 - i < CHUNK ? most + 1 - i : CHUNK;
		err = otst_read(a->o, map + i * 4, raw, n * 4);
		for (k = 0; k < n && !err; k++) {
			uint64_t tgid = otst_get(a->o, raw + k * 4, 4);

			if (tgid)
				err = otst_line(a->out, "%" PRIu64 " %" PRIu64, i + k, tgid);
		}
		err = err ?: otst_check(a->o);
	}
	return err;
}

/* tracing_saved_cmdlines_size_read(), since 3.16 */
int otst_file_cmdlines_size(struct otst_array_view *a)
{
	uint64_t at, saved, count;
	int err = otst_file_symbol(a->o, "savedcmd", &at);

	err = err ?: otst_read_u64(a->o, at, &saved);
	err = err ?: otst_read_member(a->o, "saved_cmdlines_buffer", saved, "cmdline_num", &count);
	return err ? err : otst_line(a->out, "%" PRIu64, count);
}

/* t_show() of trace_events.c */
int otst_file_available_events(struct otst_array_view *a)
{
	const struct otst_event_files *all;
	int err = otst_event_files(a->o, a->array, &all);

	for (size_t i = 0; !err && i < all->count; i++) {
		const struct otst_event_file *e = &all->items[i];

		if (e->can_enable && e->system && e->name)
			err = otst_line(a->out, "%s:%s", e->system, e->name);
	}
	if (!err)
		otst_notes(a->o, &a->out->errors, &all->errors);
	return err;
}

/* ---- error_log, since 5.2 ---- */

/* the command is an array up to 5.17, then a pointer; it begins and ends with a line end */
static int read_trigger_command(struct otst *o, struct otst_view *v, const char **ret)
{
	const struct otst_member *m;
	int err = otst_member(o, "tracing_log_err", "cmd", &m);

	if (err)
		return err;
	return otst_read_string(
		o, m->kind == OTST_KIND_POINTER ? otst_u64(v, "cmd") : otst_addr_of(v, "cmd"),
		MAX_COMMAND, ret);
}

/* tracing_err_log_seq_show() */
static int show_error(struct otst_array_view *a, uint64_t addr)
{
	uint64_t ts, text_at, pos;
	const char *where, *text, *command;
	struct otst_text t = { .o = a->o };
	struct otst_view v;
	int err = otst_view_read(a->o, "tracing_log_err", addr, &v);

	if (err)
		return err;
	ts = otst_u64(&v, "info.ts");
	pos = otst_u64(&v, "info.pos");
	text_at = otst_u64(&v, "info.errs") + 8 * otst_u64(&v, "info.type");
	err = v.err ?: otst_read_u64(a->o, text_at, &text_at);
	err = err ?: otst_read_string(a->o, text_at, MAX_WHERE, &text);
	err = err ?: otst_read_string(a->o, otst_addr_of(&v, "loc"), MAX_WHERE, &where);
	err = err ?: read_trigger_command(a->o, &v, &command);
	if (err || v.err)
		return err ? err : v.err;
	otst_text_printf(&t, "[%5" PRIu64 ".%06u] %s%s", ts / 1000000000,
			 (unsigned int)(ts % 1000000000 / 1000), where, text);
	/* the command ends with a line end: the column of the error is in the next line */
	command = otst_format(a->o, "%s%*s^", command, (int)(ERROR_SPACE + pos), "");
	return otst_split_lines(a->out, &t, command);
}

int otst_file_error_log(struct otst_array_view *a)
{
	const struct otst_member *link, *log;
	struct otst_walk w;
	uint64_t node;
	unsigned int n = 0;
	int err = otst_member(a->o, "tracing_log_err", "list", &link);

	err = err ?: otst_member(a->o, "trace_array", "err_log", &log);
	if (err)
		return err;
	otst_walk_list(a->o, a->v.addr + log->offset, &w);
	while (!err && n++ < MAX_ERRORS && otst_walk_next(&w, &node)) {
		err = show_error(a, node - link->offset);
		if (err)
			err = otst_note(a->o, &a->out->errors, err);
	}
	return err ? err : w.err;
}
