// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap_script.c - the name of the script that a SystemTap module was made from.
 * The module has the name only in the arguments of a call. But the line that it
 * prints when its probes start, _stp_print_kernel_info() of runtime/linux/print.c,
 * may still be in the kernel's log:
 *
 *	NAME (t.stp): systemtap: 4.8/0.188, base: ffffffffc0123000, memory: ...
 *
 * Every version of the log keeps the text of a record in one piece, so the log
 * is searched as bytes. The module's base address tells its line from the line of
 * an earlier module with the same name. With -t, the table of probes has the
 * script in each row's location.
 */
#include <stdlib.h>
#include <string.h>

#include "stap.h"

#define MAX_LOG (256u << 20)
#define CHUNK	(256u << 10)
#define OVERLAP 1024u /* a line is shorter */
#define SAYS	"): systemtap: "
#define BASE	", base: "

static bool is_base(const struct otst_module *m, uint64_t addr)
{
	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		if (m->ranges[i].size && m->ranges[i].base == addr)
			return true;
	}
	return false;
}

/* @line: from the module's name on, NUL-terminated */
static bool parse_script(struct otst *o, struct otst_stap *s, const char *line)
{
	const char *script = line + strlen(s->module->name) + 2;
	const char *says = strstr(script, SAYS), *version, *base;

	if (!says)
		return false;
	version = says + strlen(SAYS);
	base = strstr(version, BASE);
	if (!base || !is_base(s->module, strtoull(base + strlen(BASE), NULL, 16)))
		return false;
	s->script = otst_format(o, "%.*s", (int)(says - script), script);
	s->version = otst_format(o, "%.*s", (int)(base - version), version);
	s->script = otst_clean(o, s->script);
	s->version = otst_clean(o, s->version);
	return true;
}

static bool search_script(struct otst *o, struct otst_stap *s, const unsigned char *data,
			  size_t len)
{
	const char *start = otst_format(o, "%s (", s->module->name);
	size_t n = strlen(start), room;
	const unsigned char *at = data, *end = data + len;
	char line[OVERLAP];

	/* without memory there is nothing to look for */
	while (n && (at = memmem(at, (size_t)(end - at), start, n))) {
		room = (size_t)(end - at) < sizeof(line) ? (size_t)(end - at) : sizeof(line);
		memcpy(line, at, room);
		line[room - 1] = '\0';
		/* neither a line's end nor a NUL is part of it */
		line[strcspn(line, "\n")] = '\0';
		if (parse_script(o, s, line))
			return true;
		at += n;
	}
	return false;
}

static int search_log(struct otst *o, struct otst_stap *s)
{
	uint64_t symbol = otst_symbol_or0(o, "log_buf"), log, at;
	uint64_t len_at = otst_symbol_or0(o, "log_buf_len");
	unsigned char *data;
	uint32_t len, n;
	int err;

	if (!symbol || !len_at || otst_read_u64(o, symbol, &log) || otst_read_u32(o, len_at, &len))
		return 0;
	data = otst_alloc(o, CHUNK);
	if (!data)
		return otst_no_memory(o);
	for (at = 0; at < len && at < MAX_LOG; at += CHUNK - OVERLAP) {
		n = len - at < CHUNK ? (uint32_t)(len - at) : CHUNK;
		err = otst_read(o, log + at, data, n);
		if (err && otst_fatal(err))
			return err;
		if (!err && search_script(o, s, data, n))
			return 0;
	}
	return 0;
}

/* "dir/t.stp:3:1"; a location in a tapset says nothing about the script */
static void by_location(struct otst *o, struct otst_stap *s)
{
	const char *name, *end;

	for (size_t i = 0; i < s->nr_rows; i++) {
		name = s->rows[i].location;
		end = name ? strchr(name, ':') : NULL;
		if (!end || strstr(name, "/tapset/"))
			continue;
		while (memchr(name, '/', (size_t)(end - name)))
			name++;
		s->script = otst_format(o, "%.*s", (int)(end - name), name);
		return;
	}
}

int otst_stap_script(struct otst *o, struct otst_stap *s)
{
	int err = search_log(o, s);

	if (!err && !s->script)
		by_location(o, s);
	return err;
}
