/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * events.h - events: the records that rings hold, the formats of their fields as
 * the kernel keeps them, and their text as the kernel prints it.
 */
#ifndef OTST_EVENTS_H
#define OTST_EVENTS_H

#include "../dump.h"

/* ---- a record ---- */

/**
 * struct otst_record - one event of a ring (kernel: struct ring_buffer_event)
 * @time: of the ring's clock
 * @data: payload: starts with struct trace_entry; NULL with @gap. Valid until
 *	the second following call of otst_reader_next() or otst_reader_peek()
 *	that looks at a later event of this @cpu.
 * @size: bytes of @data, as ring_buffer_event_length() says; padding included
 * @type: struct trace_entry.type: an enum trace_type or the id of an event
 * @pid: struct trace_entry.pid
 * @lost: the kernel noticed that events before this one were lost; @lost_count
 *	tells how many, 0 when it does not know
 * @consumed: somebody has already read it
 * @vague: @time is an upper bound; only the time between events is right
 * @gap: not an event: how many sub-buffers could not be read, wholly or from some
 *	point on, for the reason @error; @time is that of the event after it,
 *	or of the last one
 * @big_endian: byte order of @data
 */
struct otst_record {
	uint64_t time;
	const uint8_t *data;
	uint32_t size;
	unsigned int cpu;
	int32_t pid;
	uint16_t type;
	bool lost;
	bool consumed;
	bool vague;
	uint64_t lost_count;
	uint32_t gap;
	const char *error;
	bool big_endian;
};

/* ---- formats of events (formats.c) ---- */

/** enum otst_field_kind - where the bytes of a field are */
enum otst_field_kind {
	OTST_FIELD_VALUE,    /**< one number, pointer or structure, in the record */
	OTST_FIELD_ARRAY,    /**< in the record, too */
	OTST_FIELD_DATA_LOC, /**< elsewhere in the record: offset and length are here */
	OTST_FIELD_REL_LOC,  /**< the same, with the offset counted from the end of the field */
};

/**
 * struct otst_event_field - one field (kernel: struct ftrace_event_field)
 * @type: as in the kernel's source, "__data_loc char[]"
 * @offset: from the start of the record; @size: bytes there
 * @len: elements of an array, 0 when the kernel does not say
 * @element: bytes of one element
 * @filter: the kernel's filter type, an enumerator FILTER_*
 */
struct otst_event_field {
	const char *name;
	const char *type;
	uint32_t offset;
	uint32_t size;
	uint32_t len;
	uint32_t element;
	bool is_signed;
	enum otst_field_kind kind;
	int filter;
};

/**
 * struct otst_event_format - one kind of event (kernel: struct trace_event_call)
 * @id: struct trace_entry.type of its records
 * @system: "sched"; @name: "sched_switch"
 * @print_fmt: how the kernel prints a record, in C; NULL when unread
 * @text: as events/SYSTEM/NAME/format prints it; NULL when unread
 * @fields: in the order of @text, @nr_fields; the first @nr_common are those of
 *	struct trace_entry
 * @dynamic: is a kprobe, uprobe, fprobe or synthetic event (defined at run time)
 * @as_fields: the kernel always prints records as the option "fields" does
 * @unnamed: the kernel writes no "NAME: " before its text: a system call's has the name in it
 * @error: why @text is NULL, or NULL
 */
struct otst_event_format {
	uint16_t id;
	const char *system;
	const char *name;
	const char *print_fmt;
	const char *text;
	const struct otst_event_field *fields;
	size_t nr_fields;
	size_t nr_common;
	bool dynamic;
	bool as_fields;
	bool unnamed;
	const char *error;
};

/** otst_event_name_matches() - does @f match this glob: "sched_switch", "sched:*" */
bool otst_event_name_matches(const struct otst_event_format *f, const char *glob);

/**
 * otst_event_on_tracepoint() - does "sched:sched_switch", or such a glob, mean the event of a tracepoint
 * @tracepoint: its name, "sched_switch"
 */
bool otst_event_on_tracepoint(struct otst *o, const char *glob, const char *tracepoint);

/**
 * otst_event_format() - the format of the events with @id, or NULL when the kernel has none
 *
 * The list is read at the first call of a command, a format when it is first
 * asked for.
 */
const struct otst_event_format *otst_event_format(struct otst *o, uint16_t id);

/** otst_event_names() - the same, but reads only @system and @name */
const struct otst_event_format *otst_event_names(struct otst *o, uint16_t id);

/**
 * otst_event_formats() - all formats, by id, of events and of ftrace's own entries
 * @ret: NULL-terminated
 *
 * Return: 0, even if some are bad (otst_event_errors()); LOOKUP; or an error that ends the command.
 */
int otst_event_formats(struct otst *o, const struct otst_event_format *const **ret);

/**
 * otst_event_errors() - the parts of events that could not be read so far, once each
 *
 * Return: vector of const char *; grows with later calls of the functions here.
 */
const struct otst_messages *otst_event_errors(struct otst *o);

/**
 * otst_event_notes() - events that were printed as raw fields so far, because
 * their print formats are not understood, and what was guessed in others, once each
 *
 * Return: as otst_event_errors().
 */
const struct otst_messages *otst_event_notes(struct otst *o);

/* ---- events as text (text.c) ---- */

/**
 * struct otst_event_style - options of a trace array that change how events are printed
 * @hash_ptr: %p is hashed (option hash-ptr; kernels without it always do)
 * @sym_offset, @sym_addr, @verbose, @fields: options of these names
 */
struct otst_event_style {
	bool hash_ptr;
	bool sym_offset;
	bool sym_addr;
	bool verbose;
	bool fields;
};

/**
 * otst_event_text() - print an event as the kernel does
 * @style: NULL for the kernel's defaults
 * @buf: receives cleaned text, NUL-terminated, cut at @room
 *
 * "prev_comm=... prev_pid=1 ...", without "NAME: " and without the end of the line;
 * "sys_close(fd: 3)" where the format is @unnamed. Text of several lines stays so. An event
 * whose print format is not understood is printed as raw fields, "name=value ...", with a message
 * in otst_event_notes(), or in otst_event_errors() when the format could not be read.
 *
 * Return: length of the text; or NOMEM.
 */
int otst_event_text(struct otst *o, const struct otst_event_format *f,
		    const struct otst_event_style *style, const struct otst_record *r, char *buf,
		    size_t room);

/** otst_event_fieldless() - is a record of @f printed by its fields, and there are none */
bool otst_event_fieldless(const struct otst_event_format *f, const struct otst_event_style *style);

struct otst_plan;

/**
 * otst_event_alone() - the plan of events whose text is made from the record alone
 * @ret: for otst_event_alone_text(); NULL when their text needs more, or @style asks for the fields
 *
 * Return: 0 or NOMEM.
 */
int otst_event_alone(struct otst *o, const struct otst_event_format *f,
		     const struct otst_event_style *style, const struct otst_plan **ret);

/**
 * otst_event_alone_text() - otst_event_text() for the record of @size bytes at @data; on any thread
 *
 * Return: length of the text.
 */
size_t otst_event_alone_text(struct otst *o, const struct otst_plan *plan,
			     const struct otst_event_style *style, const uint8_t *data,
			     uint32_t size, char *buf, size_t room);

/**
 * otst_bprint_text() - print what trace_printk() stored in binary (struct bprint_entry)
 * @fmt: address of its format in the dump
 * @args: the @size bytes after the entry's fixed part
 *
 * Return: as otst_event_text(); LOOKUP or FAULT when the format cannot be read.
 */
int otst_bprint_text(struct otst *o, uint64_t fmt, const struct otst_event_style *style,
		     const uint8_t *args, uint32_t size, char *buf, size_t room);

/**
 * struct otst_event_value - what a field of one record holds
 * @data: its bytes in the record, @size of them; a string's without its NUL
 * @string: they are characters
 * @number: value of a field that is one number, extended to 64 bits by its sign
 * @is_number: it is one number
 */
struct otst_event_value {
	const uint8_t *data;
	uint32_t size;
	bool string;
	bool is_number;
	uint64_t number;
};

/** otst_event_value() - the value of a field of a record; false when it lies outside the record */
bool otst_event_value(const struct otst_event_field *field, const struct otst_record *r,
		      struct otst_event_value *ret);

/**
 * otst_syscall_name() - the name of a system call, as tracing knows it (syscall_names.c)
 * @ret: "sys_read"; NULL when it has none for @nr
 *
 * Return: 0, also when there is none; why it could not be read.
 */
int otst_syscall_name(struct otst *o, uint64_t nr, const char **ret);

/** otst_hashed_pointer() - an address as %p prints it outside events; never NULL (pointer.c) */
const char *otst_hashed_pointer(struct otst *o, uint64_t v);

#endif /* OTST_EVENTS_H */
