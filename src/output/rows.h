/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * rows.h - one description for each kind of object that is printed: the members
 * of its JSON, the columns of its table, the lines of -v, and what
 * docs/otst.schema.json says of them.
 *
 * A description is a function with a row for each member, in the order of the JSON:
 *
 *	static void hit_rows(struct otst_rows *r, const void *item)
 *	{
 *		const struct hit *h = item;
 *
 *		ROW_ADDRESS(r, "address", h->addr, .title = "ADDRESS");
 *		ROW_TEXT_OR_NULL(r, "comm", h->comm, .what = "of the task that ran");
 *		ROW_CELL(r, "STATE", state_text(h), OTST_STYLE_PLAIN, .most = 32);
 *	}
 *
 *	static const struct otst_object hit_object = { OTST_LINE, "hit", hit_rows, "one hit" };
 *
 * A value is evaluated only when its row is printed. The schema prints no rows and
 * passes a NULL @item, so only rows may dereference it.
 */
#ifndef OTST_OUTPUT_ROWS_H
#define OTST_OUTPUT_ROWS_H

#include "output.h"

struct otst_rows;
struct otst_cell;
struct otst_column;

/**
 * struct otst_object - a kind of object
 * @use: a line of JSON, or only a part of one
 * @name: "type" of a line; in the schema the name of its definition
 * @rows: its description
 * @what: one line for the schema
 */
struct otst_object {
	enum { OTST_LINE, OTST_PART } use;
	const char *name;
	void (*rows)(struct otst_rows *r, const void *item);
	const char *what;
};

/** enum otst_row_type - the type of a member, or of each of its items */
enum otst_row_type {
	OTST_ROW_TEXT,
	OTST_ROW_COUNT,	 /**< integer, not negative */
	OTST_ROW_NUMBER, /**< integer */
	OTST_ROW_BOOL,
	OTST_ROW_ADDRESS, /**< "0xffffffff81000000": readers of JSON round large numbers */
	OTST_ROW_BYTES,	  /**< "cc488b" */
	OTST_ROW_OBJECT,
	OTST_ROW_FACT, /**< text or integer */
	OTST_ROW_ANY,
};

/** enum otst_row_shape - one value, an array, or an object whose members have free names */
enum otst_row_shape { OTST_ROW_ONE, OTST_ROW_ARRAY, OTST_ROW_MAP };

/**
 * struct otst_row - a member, a column, a line of -v, or several of these
 * @key: the member's name in quotes with a colon; NULL when it is not in the JSON
 * @or_null: it may be null
 * @optional: it may be missing
 * @object: of OTST_ROW_OBJECT
 * @names: for text that is one of a few words: the words from 0 to @count - 1
 * @words: the same as a list, "one|two"
 * @least: for integers: the smallest value, when it is above 0
 * @most_items: for arrays: the most items, 0 for no limit
 * @what: for the schema: what it is, when the name does not say it
 * @title: of its column; the columns are in the order of their rows
 * @right: its cells are aligned to the right
 * @most: how wide the column gets; a longer cell shifts what follows it; 0 for no limit
 * @flow: this column and those after it go to a line of their own when there is no room
 * @label: of its line of -v, which is left out when there is no value
 */
struct otst_row {
	const char *key;
	unsigned int key_len;
	enum otst_row_type type;
	enum otst_row_shape shape;
	bool or_null;
	bool optional;
	const struct otst_object *object;
	const char *(*names)(unsigned int);
	unsigned int count;
	const char *words;
	unsigned int least;
	unsigned int most_items;
	const char *what;
	const char *title;
	bool right;
	unsigned int most;
	bool flow;
	const char *label;
};

/** enum otst_rows_ask - the purpose of a pass through a description */
enum otst_rows_ask {
	OTST_ASK_JSON,
	OTST_ASK_TITLES,
	OTST_ASK_CELLS,
	OTST_ASK_LINES,
	OTST_ASK_SCHEMA,
};

/**
 * struct otst_rows - one pass through a description
 * @item: what is described; @of: the item that it is a part of
 * @columns: with OTST_ASK_TITLES, the result
 * @cells: with OTST_ASK_CELLS, the result; never NULL
 * @count: number of columns or cells so far
 * @row: with OTST_ASK_LINES, the row that is printed; @label_width columns for its label
 * @visit: with OTST_ASK_SCHEMA, gets each row that has a key
 */
struct otst_rows {
	struct otst_printer *p;
	enum otst_rows_ask ask;
	const void *item;
	const void *of;
	struct otst_column *columns;
	struct otst_cell *cells;
	unsigned int count;
	const struct otst_row *row;
	int label_width;
	void (*visit)(struct otst_rows *r, const struct otst_row *row);
};

/** otst_json_begin() - rows that build the printer's line of JSON; otst_json_end() writes it */
struct otst_rows otst_json_begin(struct otst_printer *p);
void otst_json_end(struct otst_printer *p);

/** otst_print_json() - a line of JSON; @of: what @item is a part of, for rows that ask */
void otst_print_json(struct otst_printer *p, const struct otst_object *object, const void *item,
		     const void *of);

/** otst_print_lines() - the lines of -v, whose labels are @width columns wide */
void otst_print_lines(struct otst_printer *p, const struct otst_object *object, int width,
		      const void *item);

/* ---- rows ---- */

/* a row that is printed by the statement @put */
#define OTST_ROW(r, put, ...)                                        \
	do {                                                         \
		static const struct otst_row row_ = { __VA_ARGS__ }; \
		if (otst_row(r, &row_)) {                            \
			put;                                         \
		}                                                    \
	} while (0)

#define OTST_KEY(name) .key = "\"" name "\":", .key_len = sizeof("\"" name "\":") - 1

/* rows that depend on a condition are .optional */
#define OTST_WHEN(r, condition) ((r)->ask == OTST_ASK_SCHEMA || (condition))

#define ROW_TEXT(r, name, value, ...) \
	OTST_ROW(r, otst_say_text(r, value), OTST_KEY(name), .type = OTST_ROW_TEXT, __VA_ARGS__)
/* null for NULL */
#define ROW_TEXT_OR_NULL(r, name, value, ...) ROW_TEXT(r, name, value, .or_null = true, __VA_ARGS__)

/* the first @len characters */
#define ROW_CHARS_OR_NULL(r, name, value, len, ...)                                       \
	OTST_ROW(r, otst_say_chars(r, value, len), OTST_KEY(name), .type = OTST_ROW_TEXT, \
		 .or_null = true, __VA_ARGS__)

#define ROW_COUNT(r, name, value, ...) \
	OTST_ROW(r, otst_say_count(r, value), OTST_KEY(name), .type = OTST_ROW_COUNT, __VA_ARGS__)
#define ROW_COUNT_OR_NULL(r, name, known, value, ...)                                      \
	OTST_ROW(r, (known) ? otst_say_count(r, value) : otst_say_null(r), OTST_KEY(name), \
		 .type = OTST_ROW_COUNT, .or_null = true, __VA_ARGS__)

#define ROW_NUMBER(r, name, value, ...) \
	OTST_ROW(r, otst_say_number(r, value), OTST_KEY(name), .type = OTST_ROW_NUMBER, __VA_ARGS__)
#define ROW_NUMBER_OR_NULL(r, name, known, value, ...)                                      \
	OTST_ROW(r, (known) ? otst_say_number(r, value) : otst_say_null(r), OTST_KEY(name), \
		 .type = OTST_ROW_NUMBER, .or_null = true, __VA_ARGS__)

#define ROW_BOOL(r, name, value, ...) \
	OTST_ROW(r, otst_say_bool(r, value), OTST_KEY(name), .type = OTST_ROW_BOOL, __VA_ARGS__)
#define ROW_BOOL_OR_NULL(r, name, known, value, ...)                                      \
	OTST_ROW(r, (known) ? otst_say_bool(r, value) : otst_say_null(r), OTST_KEY(name), \
		 .type = OTST_ROW_BOOL, .or_null = true, __VA_ARGS__)

#define ROW_ADDRESS(r, name, value, ...)                                                  \
	OTST_ROW(r, otst_say_address(r, value), OTST_KEY(name), .type = OTST_ROW_ADDRESS, \
		 __VA_ARGS__)
/* null for 0 */
#define ROW_ADDRESS_OR_NULL(r, name, value, ...)                                                  \
	OTST_ROW(r, otst_say_address_or_null(r, value), OTST_KEY(name), .type = OTST_ROW_ADDRESS, \
		 .or_null = true, __VA_ARGS__)

/* null when there are none */
#define ROW_BYTES(r, name, bytes, count, ...)                                                \
	OTST_ROW(r, otst_say_bytes(r, bytes, count), OTST_KEY(name), .type = OTST_ROW_BYTES, \
		 .or_null = true, __VA_ARGS__)

/* an address by name, null for 0 */
#define ROW_SYMBOL(r, name, addr, sym, ...)                                                 \
	OTST_ROW(r, otst_say_symbol(r, addr, sym), OTST_KEY(name), .type = OTST_ROW_OBJECT, \
		 .object = &otst_symbol_object, .or_null = true, __VA_ARGS__)

/* the same, but looks up the name */
#define ROW_NAMED(r, name, addr, ...)                                                 \
	OTST_ROW(r, otst_say_named(r, addr), OTST_KEY(name), .type = OTST_ROW_OBJECT, \
		 .object = &otst_symbol_object, .or_null = true, __VA_ARGS__)

/* "address", "symbol", "offset" and "module" as members of this object */
#define ROW_PLACE(r, at, symbol)                                                       \
	do {                                                                           \
		ROW_ADDRESS(r, "address", at);                                         \
		ROW_TEXT_OR_NULL(r, "symbol", (symbol)->name);                         \
		ROW_COUNT_OR_NULL(r, "offset", (symbol)->name, (at) - (symbol)->addr); \
		ROW_TEXT_OR_NULL(r, "module", (symbol)->module);                       \
	} while (0)

#define ROW_OBJECT(r, name, kind, pointer, ...)                                                    \
	OTST_ROW(r, otst_say_object(r, &(kind), pointer), OTST_KEY(name), .type = OTST_ROW_OBJECT, \
		 .object = &(kind), __VA_ARGS__)
/* null for NULL */
#define ROW_OBJECT_OR_NULL(r, name, kind, pointer, ...) \
	ROW_OBJECT(r, name, kind, pointer, .or_null = true, __VA_ARGS__)

/* @items: a pointer to the first of @count; its type gives their size */
#define ROW_OBJECTS(r, name, kind, items, count, ...)                                             \
	OTST_ROW(r, otst_say_objects(r, &(kind), items, count, sizeof(*(items))), OTST_KEY(name), \
		 .type = OTST_ROW_OBJECT, .shape = OTST_ROW_ARRAY, .object = &(kind), __VA_ARGS__)

#define OTST_UNTIL_NULL SIZE_MAX
#define ROW_TEXTS(r, name, list, count, ...)                                               \
	OTST_ROW(r, otst_say_texts(r, list, count), OTST_KEY(name), .type = OTST_ROW_TEXT, \
		 .shape = OTST_ROW_ARRAY, __VA_ARGS__)

/* the statement @each prints every item */
#define ROW_ARRAY(r, name, of, each, ...)                                                \
	OTST_ROW(r, otst_say_open(r, '['); each; otst_say_close(r, ']'), OTST_KEY(name), \
						 .type = of, .shape = OTST_ROW_ARRAY, __VA_ARGS__)

/* the statement @each prints every name with otst_say_key(), then its value */
#define ROW_MAP(r, name, of, each, ...)                                                  \
	OTST_ROW(r, otst_say_open(r, '{'); each; otst_say_close(r, '}'), OTST_KEY(name), \
						 .type = of, .shape = OTST_ROW_MAP, __VA_ARGS__)

/* a count whose name comes from a table */
#define ROW_COUNT_NAMED(r, name, value)           \
	do {                                      \
		if (otst_row_named(r, name))      \
			otst_say_count(r, value); \
	} while (0)

/* a column that JSON does not have in this form */
#define ROW_CELL(r, name, value, look, ...) \
	OTST_ROW(r, otst_say_cell(r, value, look), .title = name, __VA_ARGS__)

/* lines of -v that JSON does not have in this form */
#define ROW_LINES(r, print)                       \
	do {                                      \
		if ((r)->ask == OTST_ASK_LINES) { \
			print;                    \
		}                                 \
	} while (0)

/** otst_row() - is @row to be printed? */
bool otst_row(struct otst_rows *r, const struct otst_row *row);

/** otst_row_named() - the same for a member that is just a count called @name */
bool otst_row_named(struct otst_rows *r, const char *name);

/* ---- values, each for the row that otst_row() was asked about, or an item of it ---- */

void otst_say_text(struct otst_rows *r, const char *s);
/** otst_say_chars() - the first @len bytes of @s, or null */
void otst_say_chars(struct otst_rows *r, const char *s, size_t len);
void otst_say_count(struct otst_rows *r, uint64_t v);
/** otst_say_decimal() - @v with three digits after the decimal point, in JSON */
void otst_say_decimal(struct otst_rows *r, uint64_t v, uint64_t thousandths);
void otst_say_number(struct otst_rows *r, int64_t v);
void otst_say_bool(struct otst_rows *r, bool v);
void otst_say_null(struct otst_rows *r);
void otst_say_address(struct otst_rows *r, uint64_t addr);
void otst_say_address_or_null(struct otst_rows *r, uint64_t addr);
void otst_say_bytes(struct otst_rows *r, const void *bytes, size_t n);
void otst_say_symbol(struct otst_rows *r, uint64_t addr, const struct otst_sym *sym);
/** otst_say_place() - the same for an item, or for a member with a free name; never null */
void otst_say_place(struct otst_rows *r, uint64_t addr, const struct otst_sym *sym);
void otst_say_named(struct otst_rows *r, uint64_t addr);
void otst_say_object(struct otst_rows *r, const struct otst_object *object, const void *item);
void otst_say_objects(struct otst_rows *r, const struct otst_object *object, const void *items,
		      size_t count, size_t size);
void otst_say_texts(struct otst_rows *r, const char *const *list, size_t count);
void otst_say_cell(struct otst_rows *r, const char *text, enum otst_style style);
/** otst_say_key() - a name in an object whose members have free names */
void otst_say_key(struct otst_rows *r, const char *name);
/** otst_say_key_text() - a member that is text, or null */
void otst_say_key_text(struct otst_rows *r, const char *name, const char *text);
void otst_say_open(struct otst_rows *r, char bracket);
void otst_say_close(struct otst_rows *r, char bracket);

/* ---- parts that many descriptions share ---- */

extern const struct otst_object otst_symbol_object;
extern const struct otst_object otst_owner_object;

/* ---- lines, each in the file of its listing ---- */

extern const struct otst_object otst_audit_object;
extern const struct otst_object otst_coverage_object;
extern const struct otst_object otst_readiness_object;
extern const struct otst_object otst_difference_object;
extern const struct otst_object otst_end_object;
extern const struct otst_object otst_error_object;
extern const struct otst_object otst_finding_object;
extern const struct otst_object otst_words_object;
extern const struct otst_object otst_ftrace_function_object;
extern const struct otst_object otst_ftrace_object;
extern const struct otst_object otst_ftrace_ops_object;
extern const struct otst_object otst_info_object;
extern const struct otst_object otst_more_findings_object;
extern const struct otst_object otst_note_object;
extern const struct otst_object otst_operand_object;
extern const struct otst_object otst_probe_object;
extern const struct otst_object otst_stack_tracer_object;
extern const struct otst_object otst_trace_array_object;
extern const struct otst_object otst_trace_object;
extern const struct otst_object otst_tracefs_file_object;
extern const struct otst_object otst_tracer_object;
extern const struct otst_object otst_where_object;
extern const struct otst_object otst_verdict_object;
extern const struct otst_object otst_verdict_stack_object;

#endif /* OTST_OUTPUT_ROWS_H */
