// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schema.c - otst-schema: prints docs/otst.schema.json, which is made from the
 * descriptions that the printers of otst -j go through (src/output/rows.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/output/rows.h"
#include "../src/tracedat/dat.h"
#include "../src/tracefile/print.h"

#define PARTS	64
#define MEMBERS 128

static const struct otst_object *const lines[] = {
	&otst_probe_object,	      &otst_ftrace_object,	  &otst_ftrace_ops_object,
	&otst_ftrace_function_object, &otst_where_object,	  &otst_tracer_object,
	&otst_verdict_object,	      &otst_verdict_stack_object, &otst_trace_array_object,
	&otst_tracefs_file_object,    &otst_stack_tracer_object,  &otst_trace_object,
	&otst_trace_dat_object,	      &otst_info_object,	  &otst_note_object,
	&otst_operand_object,	      &otst_audit_object,	  &otst_difference_object,
	&otst_finding_object,	      &otst_words_object,	  &otst_more_findings_object,
	&otst_entry_object,	      &otst_error_object,	  &otst_end_object,
	&otst_coverage_object,	      &otst_readiness_object,
};

#define LINES (sizeof(lines) / sizeof(*lines))

/* a definition that is being printed */
struct definition {
	struct otst_rows rows; /* the first member: visit() gets it */
	char *required[MEMBERS];
	size_t nr_required;
};

/* the objects that rows refer to, in that order */
static const struct otst_object *parts[PARTS];
static size_t nr_parts;

static void refer(const struct otst_object *object)
{
	size_t i;

	for (i = 0; i < nr_parts; i++) {
		if (parts[i] == object)
			return;
		if (!strcmp(parts[i]->name, object->name)) {
			fprintf(stderr, "two objects are called %s\n", object->name);
			exit(99);
		}
	}
	if (object->use != OTST_PART || nr_parts == PARTS) {
		fprintf(stderr, "%s is not declared as a part, or there are too many\n",
			object->name);
		exit(99);
	}
	parts[nr_parts++] = object;
}

static void print_string(const char *s, size_t len)
{
	size_t i;

	putchar('"');
	for (i = 0; i < len; i++)
		printf(s[i] == '"' || s[i] == '\\' ? "\\%c" : "%c", s[i]);
	putchar('"');
}

static void print_text(const char *s)
{
	print_string(s, strlen(s));
}

static bool is_repeated(const struct otst_row *row, unsigned int i)
{
	unsigned int k;

	for (k = 0; k < i; k++) {
		if (row->names(k) && !strcmp(row->names(k), row->names(i)))
			return true;
	}
	return false;
}

static void print_words(const struct otst_row *row, const char *null)
{
	const char *word = row->words, *separator = "";
	unsigned int i;
	size_t len;

	printf("\"enum\": [");
	for (i = 0; row->names && i < row->count; i++) {
		if (!row->names(i) || is_repeated(row, i))
			continue;
		printf("%s", separator);
		print_text(row->names(i));
		separator = ", ";
	}
	for (; word; word = word[len] ? word + len + 1 : NULL) {
		len = strcspn(word, "|");
		printf("%s", separator);
		print_string(word, len);
		separator = ", ";
	}
	printf("%s]", null ? null : "");
}

/* the type of one value */
static void print_type(const struct otst_row *row, bool or_null)
{
	const char *pattern = NULL, *type = "string";

	switch (row->type) {
	case OTST_ROW_ANY:
		return;
	case OTST_ROW_OBJECT:
		refer(row->object);
		printf(or_null ? "\"anyOf\": [{\"$ref\": \"#/$defs/%s\"}, {\"type\": \"null\"}]" :
				 "\"$ref\": \"#/$defs/%s\"",
		       row->object->name);
		return;
	case OTST_ROW_FACT:
		printf("\"type\": [\"string\", \"integer\"]");
		return;
	case OTST_ROW_COUNT:
	case OTST_ROW_NUMBER:
		type = "integer";
		break;
	case OTST_ROW_BOOL:
		type = "boolean";
		break;
	case OTST_ROW_ADDRESS:
		pattern = "^0x[0-9a-f]+$";
		break;
	case OTST_ROW_BYTES:
		pattern = "^([0-9a-f]{2})+$";
		break;
	case OTST_ROW_TEXT:
		if (row->names || row->words) {
			print_words(row, or_null ? ", null" : NULL);
			return;
		}
		break;
	}
	printf(or_null ? "\"type\": [\"%s\", \"null\"]" : "\"type\": \"%s\"", type);
	if (row->type == OTST_ROW_COUNT)
		printf(", \"minimum\": %u", row->least);
	if (pattern)
		printf(", \"pattern\": \"%s\"", pattern);
}

static void print_member(const struct otst_row *row)
{
	const char *null = row->or_null ? "\", \"null\"]" : "\"";

	if (row->shape == OTST_ROW_ONE) {
		print_type(row, row->or_null);
	} else {
		printf("\"type\": %s%s%s, \"%s\": {", row->or_null ? "[\"" : "\"",
		       row->shape == OTST_ROW_ARRAY ? "array" : "object", null,
		       row->shape == OTST_ROW_ARRAY ? "items" : "additionalProperties");
		print_type(row, false);
		printf("}");
		if (row->most_items)
			printf(", \"maxItems\": %u", row->most_items);
	}
	if (row->what) {
		printf(", \"description\": ");
		print_text(row->what);
	}
}

static void visit(struct otst_rows *r, const struct otst_row *row)
{
	struct definition *d = (struct definition *)r;

	/* the key ends with a colon */
	printf("%s\n        %.*s: {", r->count++ ? "," : "", (int)row->key_len - 1, row->key);
	print_member(row);
	printf("}");
	if (!row->optional && d->nr_required < MEMBERS)
		d->required[d->nr_required++] = strndup(row->key, row->key_len - 1);
}

static void print_definition(const struct otst_object *object)
{
	struct definition d = { .rows = { .ask = OTST_ASK_SCHEMA, .visit = visit } };
	size_t i;

	printf("    \"%s\": {\n      \"description\": ", object->name);
	print_text(object->what);
	printf(",\n      \"type\": \"object\",\n      \"properties\": {");
	if (object->use == OTST_LINE) {
		printf("\n        \"type\": {\"const\": \"%s\"}", object->name);
		d.rows.count++;
	}
	object->rows(&d.rows, NULL);
	printf("\n      },\n      \"required\": [%s", object->use == OTST_LINE ? "\"type\"" : "");
	for (i = 0; i < d.nr_required; i++) {
		printf("%s%s", i || object->use == OTST_LINE ? ", " : "", d.required[i]);
		free(d.required[i]);
	}
	printf("],\n      \"additionalProperties\": false\n    }");
}

int main(void)
{
	size_t i;

	printf("{\n"
	       "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
	       "  \"title\": \"One line of otst -j\",\n"
	       "  \"description\": \"Version 1. Addresses are strings because JSON readers round "
	       "large numbers. Fields are only added within a version.\",\n"
	       "  \"oneOf\": [\n");
	for (i = 0; i < LINES; i++)
		printf("    {\"$ref\": \"#/$defs/%s\"}%s\n", lines[i]->name,
		       i + 1 < LINES ? "," : "");
	printf("  ],\n  \"$defs\": {\n");
	for (i = 0; i < LINES; i++) {
		print_definition(lines[i]);
		printf(",\n");
	}
	for (i = 0; i < nr_parts; i++) {
		print_definition(parts[i]);
		printf("%s\n", i + 1 < nr_parts ? "," : "");
	}
	printf("  }\n}\n");
	return 0;
}
