// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * json.c - lines of a log in one long line of JSON, as log services and `jq -c` print them.
 * It is read byte by byte: no document is too long. In arrays, each object and each text
 * with a blank in it becomes a line; the rest stays one line.
 *
 *	{"hits":[{"_source":{"message":"Call Trace:"}},{"_source":{"message":" <TASK>"}}]}
 *	{"values":[["1618857462770000000","Call Trace:"],["1618857462770000001"," <TASK>"]]}
 */
#include "file.h"

void otst_log_json_begin(struct otst_log_json *j, char c)
{
	*j = (struct otst_log_json){ .on = c == '{' || c == '[', .opening = true };
}

/* true if what begins or ends here is in an array */
static bool in_array(const struct otst_log_json *j)
{
	return j->depth && j->arrays >> (j->depth - 1) & 1;
}

static void open_value(struct otst_log_json *j, bool array, size_t start)
{
	if (j->depth == OTST_LOG_JSON_DEPTH) {
		j->on = false;
		return;
	}
	j->starts[j->depth] = start;
	j->arrays &= ~(UINT32_C(1) << j->depth);
	j->arrays |= (uint32_t)array << j->depth++;
}

static enum otst_log_json_part close_value(struct otst_log_json *j, bool array, size_t *start)
{
	if (in_array(j) != array) {
		j->on = false;
		return OTST_LOG_JSON_KEEP;
	}
	*start = j->starts[--j->depth];
	j->on = j->depth;
	if (!in_array(j))
		return OTST_LOG_JSON_KEEP;
	return array ? OTST_LOG_JSON_DROP : OTST_LOG_JSON_LINE;
}

static enum otst_log_json_part take_character(struct otst_log_json *j, char c, size_t *start)
{
	bool escaped = j->escaped;

	j->escaped = !escaped && c == '\\';
	j->has_blank |= c == ' ';
	if (c != '"' || escaped)
		return OTST_LOG_JSON_KEEP;
	j->in_string = false;
	*start = j->string;
	return in_array(j) && j->has_blank ? OTST_LOG_JSON_LINE : OTST_LOG_JSON_KEEP;
}

enum otst_log_json_part otst_log_json_next(struct otst_log_json *j, const char *line, size_t len,
					   char c, size_t *start)
{
	*start = len - 1;
	if (j->in_string)
		return take_character(j, c, start);
	/* the kernel's "[    1.000000]", lockdep's "{HARDIRQ-ON-W}" */
	if (j->opening && c != '[' && c != '{' && c != '"' && c != ' ')
		j->on = false;
	switch (c) {
	case '"':
		j->in_string = true;
		j->opening = j->has_blank = false;
		j->string = len - 1;
		break;
	case '[':
	case '{':
		open_value(j, c == '[', len - 1);
		break;
	case ']':
	case '}':
		return j->on ? close_value(j, c == ']', start) : OTST_LOG_JSON_KEEP;
	case ' ':
		return in_array(j) && !j->opening ? OTST_LOG_JSON_DROP : OTST_LOG_JSON_KEEP;
	case ',':
		/* behind what was taken out */
		return in_array(j) && len > 1 && line[len - 2] == '[' ? OTST_LOG_JSON_DROP :
									OTST_LOG_JSON_KEEP;
	}
	return OTST_LOG_JSON_KEEP;
}
