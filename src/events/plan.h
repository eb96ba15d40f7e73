/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * plan.h - how an event is printed: its print format, parsed once into steps
 * (parse.c, probe.c), and run for every record (eval.c, print.c, pointer.c).
 *
 * Private to this folder; others use events.h.
 */
#ifndef OTST_PLAN_H
#define OTST_PLAN_H

#include "../base/text_buffer.h"
#include "events.h"

/** enum otst_expr_kind - what a node of an expression is */
enum otst_expr_kind {
	OTST_EXPR_NUMBER,
	OTST_EXPR_TEXT,
	OTST_EXPR_FIELD,   /**< a number in the record */
	OTST_EXPR_BYTES,   /**< where an array field lies in the record */
	OTST_EXPR_DYNAMIC, /**< where the bytes of a __data_loc field lie */
	OTST_EXPR_DYNAMIC_LEN,
	OTST_EXPR_UNARY,
	OTST_EXPR_BINARY,
	OTST_EXPR_COND,
	OTST_EXPR_CAST,
	OTST_EXPR_INDEX, /**< element of BYTES or DYNAMIC */
	OTST_EXPR_CALL,
};

/** enum otst_call - functions of print formats */
enum otst_call {
	OTST_CALL_NONE,
	OTST_CALL_FLAGS,
	OTST_CALL_SYMBOLIC,
	OTST_CALL_HEX,
	OTST_CALL_HEX_STR,
	OTST_CALL_ARRAY,
	OTST_CALL_BITMASK,
	OTST_CALL_STACK, /**< return addresses of a synthetic event */
	OTST_CALL_SWAP16,
	OTST_CALL_SWAP32,
	OTST_CALL_SWAP64,
	OTST_CALL_MC_ERROR_TYPE,
	OTST_CALL_DISK_NAME,
	OTST_CALL_SECTION_MAP, /**< __section_mem_map_addr() of the page frame's section */
};

/** struct otst_pair - a row of __print_flags() or __print_symbolic() */
struct otst_pair {
	uint64_t value;
	const char *text;
};

/** OTST_OP2() - an operator of two characters, as otst_expr.op holds it */
#define OTST_OP2(a, b) ((uint16_t)((a) << 8 | (b)))

/**
 * struct otst_expr - a node
 * @size: bytes of its C type, 8 for a pointer; @is_signed
 * @is_pointer: @element and @element_signed then tell what it points to, 0 when unknown
 * @field: for FIELD, BYTES, DYNAMIC, DYNAMIC_LEN
 * @place: offset of a number in the record
 * @op: for UNARY and BINARY: '+', or two characters as 'a' << 8 | 'b'
 * @args: operands; @pairs: for FLAGS and SYMBOLIC, @nr_pairs of them
 */
struct otst_expr {
	enum otst_expr_kind kind;
	enum otst_call call;
	uint8_t size;
	bool is_signed;
	bool is_pointer;
	bool element_signed;
	uint8_t element;
	uint8_t nr_args;
	uint16_t op;
	uint32_t place;
	uint64_t number;
	const char *text;
	const struct otst_event_field *field;
	struct otst_expr *args[4];
	const struct otst_pair *pairs;
	size_t nr_pairs;
};

/** struct otst_spec - one conversion of a format, like the kernel's struct printf_spec */
struct otst_spec {
	char conversion; /**< letter; 0 when there is none, only text */
	bool left, plus, space, special, zero;
	uint8_t size; /**< bytes of the argument */
	int32_t width;
	int32_t precision; /**< -1 when none */
	char suffix[8];	   /**< letters after %p */
};

/**
 * struct otst_step - text, then one conversion
 * @text: @len bytes
 * @width, @precision: of '*', or NULL
 */
struct otst_step {
	const char *text;
	uint32_t len;
	struct otst_spec spec;
	const struct otst_expr *width;
	const struct otst_expr *precision;
	const struct otst_expr *arg;
};

/* letters of conversions that are not C's */
#define OTST_SPEC_PLACE	   'A' /* symbol+offset/size of an address, as seq_print_ip_sym() */
#define OTST_SPEC_FUNCTION 'F' /* the symbol alone, unless the options want more */
#define OTST_SPEC_QUOTED   'Q' /* string of a probe: "text", or (fault) */

/**
 * struct otst_syscall - how an event at entry to a system call is printed
 * @args, @types: names and types of its arguments, @nr_args of them
 * @strings: this kernel also keeps user memory; @mask: of which
 *	arguments; @size_arg: which argument has its size, -1 when it is a string
 * @open_flags: for openat(), which such a kernel prints in its own way, @nr_open_flags; else NULL
 * @makes: those of the flags that let openat() create a file
 */
struct otst_syscall {
	const char *name;
	const char **args;
	const char **types;
	unsigned int nr_args;
	bool strings;
	bool is_string;
	uint64_t mask;
	int size_arg;
	const struct otst_pair *open_flags;
	size_t nr_open_flags;
	uint64_t makes;
};

/**
 * struct otst_plan - how the events of a format are printed
 * @verbose: the steps with the option "verbose"; NULL when they are the same
 * @real_pointers: this kernel never hashes pointers in events
 * @alone: its text is made from the record alone
 * @note: what is guessed in it, or NULL
 */
struct otst_plan {
	struct otst_step *steps;
	struct otst_step *verbose;
	size_t nr_steps;
	const struct otst_syscall *syscall;
	bool real_pointers;
	bool alone;
	const char *note;
};

/**
 * struct otst_run - one record that is being printed
 * @hash: plain pointers are hashed
 */
struct otst_run {
	struct otst *o;
	const struct otst_event_style *style;
	const uint8_t *data;
	uint32_t size;
	bool hash;
	struct otst_text out;
};

/**
 * struct otst_value - value of an expression
 * @p: bytes in the record, @len of them, when the expression is a pointer into
 *	it; NULL for other pointers and numbers, which are in @number
 * @text: string literal
 * @call: a function whose text is not made yet
 */
struct otst_value {
	uint64_t number;
	const uint8_t *p;
	uint32_t len;
	const char *text;
	const struct otst_expr *call;
};

/* ---- parse.c ---- */

/**
 * otst_plan_parse() - steps of a print format
 * @print_fmt: C: a string literal, then its arguments
 *
 * Return: 0; CORRUPT or UNSUPPORTED, with a message; NOMEM.
 */
int otst_plan_parse(struct otst *o, const struct otst_event_format *f, const char *print_fmt,
		    struct otst_plan *ret);

/** otst_spec_parse() - the conversion after a '%'; moves *@p past it; @star_..: given as '*' */
bool otst_spec_parse(const char **p, struct otst_spec *ret, bool *star_width, bool *star_precision);

/* ---- formats.c ---- */

/**
 * otst_event_plan() - how the events of a format are printed, made at first use
 * @ret: NULL when its print format is not understood, with a message in otst_event_notes() or
 *	otst_event_errors()
 *
 * Return: 0 or NOMEM.
 */
int otst_event_plan(struct otst *o, const struct otst_event_format *f,
		    const struct otst_plan **ret);

/* ---- format_fields.c ---- */

/**
 * otst_format_fields() - append the fields of the list at @head
 * @fields: vector of struct otst_event_field
 */
int otst_format_fields(struct otst *o, uint64_t head, struct otst_vec *fields);

/** otst_format_table() - the same from a table of struct trace_event_fields */
int otst_format_table(struct otst *o, uint64_t table, struct otst_vec *fields);

/** otst_format_text() - the text of its format file, from its fields and print format */
int otst_format_text(struct otst *o, struct otst_event_format *f);

/** otst_print_fmt_read() - read a format string of any length; keeps its line ends */
int otst_print_fmt_read(struct otst *o, uint64_t addr, const char **ret);

/* ---- syscall.c ---- */

/** otst_syscall_read() - read the struct syscall_metadata at @addr */
int otst_syscall_read(struct otst *o, uint64_t addr, struct otst_syscall *ret);
/** otst_put_syscall() - print_syscall_enter() */
void otst_put_syscall(struct otst_run *r, const struct otst_syscall *s);

/* ---- fields.c ---- */

/** otst_put_fields() - print a record as the option "fields" does */
void otst_put_fields(struct otst_run *r, const struct otst_event_format *f);

/* ---- probe.c ---- */

/**
 * otst_plan_make() - steps of an event, chosen by the kernel function that prints it
 * @call: its struct trace_event_call; @data: the data of that call
 * @print: address of the function
 */
int otst_plan_make(struct otst *o, const struct otst_event_format *f, uint64_t call, uint64_t data,
		   uint64_t print, struct otst_plan *ret);

/* ---- alone.c ---- */

/** otst_plan_is_alone() - does its text need no more than the record */
bool otst_plan_is_alone(const struct otst_plan *plan);

/* ---- eval.c ---- */

/** otst_eval() - value of an expression for one record; 0 for what lies outside the record */
void otst_eval(const struct otst_run *r, const struct otst_expr *e, struct otst_value *ret);

/** otst_extend() - extend a number to 64 bits by its type */
uint64_t otst_extend(uint64_t v, unsigned int size, bool is_signed);

/** otst_location() - bytes that the __data_loc/__rel_loc at @at names; false outside the record */
bool otst_location(bool big_endian, const uint8_t *data, uint32_t size, uint32_t at, bool relative,
		   struct otst_value *ret);

/* ---- put.c ---- */

/** otst_put_bytes() - a string of a record, up to its NUL or @len, made printable */
void otst_put_bytes(struct otst_text *t, const void *s, size_t len);
/** otst_put_hex() - "0x" and digits */
void otst_put_hex(struct otst_text *t, uint64_t v);
void otst_put_number(struct otst_text *t, uint64_t v, const struct otst_spec *spec);
/** otst_put_padded() - pad what was printed after @start to the spec's width */
void otst_put_padded(struct otst_text *t, size_t start, const struct otst_spec *spec);
/** otst_put_symbol() - name[+offset[/size]][ [module]] of an address */
void otst_put_symbol(struct otst_run *r, uint64_t addr, bool offset, bool module);
/* ---- print.c ---- */

/** otst_put_string() - a %s, with its precision but without its width */
void otst_put_string(struct otst_run *r, const struct otst_value *v, int32_t precision);
void otst_plan_run(struct otst_run *r, const struct otst_plan *plan);
/** otst_put_value() - one conversion */
void otst_put_value(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v);
/** otst_put_call() - text of __print_flags() and the like */
void otst_put_call(struct otst_run *r, const struct otst_expr *call);

/* ---- pointer.c ---- */

/** otst_put_pointer() - %p and its extensions */
void otst_put_pointer(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v);
/**
 * otst_hash_optional() - does the option hash-ptr decide, or is %p in events always an address
 *
 * Linux efbbdaa22bb7 ("tracing: Show real address for trace event arguments")
 * turned %p into %px. The option came one release later, but not to every kernel
 * that took that change (5.10).
 */
bool otst_hash_optional(struct otst *o);
/** otst_bitmap_bits() - bits in a bitmap of @len bytes; on big endian only whole words count */
uint32_t otst_bitmap_bits(bool big_endian, uint32_t len);

/** otst_put_bitmap() - %*pb: @bits bits of the kernel's words */
void otst_put_bitmap(bool big_endian, struct otst_text *t, const uint8_t *p, uint32_t bits);

/** otst_put_bitmap_list() - %*pbl: the same as "0-3,8" */
void otst_put_bitmap_list(bool big_endian, struct otst_text *t, const uint8_t *p, uint32_t bits);

#endif /* OTST_PLAN_H */
