/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.h - the ring buffers of kernel/trace/ring_buffer.c: which sub-buffers
 * hold events, the records in them, and all cpus merged by time.
 *
 * A ring is opened once: that follows the lists of sub-buffers and reads no
 * event. A reader then streams: it holds two sub-buffers a cpu in memory,
 * whatever the size of the ring. Records come as the kernel's own iterator
 * gives them to the trace file: merged by time, the lower cpu first at equal
 * times, discarded events and time stamps left out.
 *
 * What cannot be read costs its sub-buffer and nothing else, and comes as a
 * record of its own, a gap, in its place.
 */
#ifndef OTST_RINGS_H
#define OTST_RINGS_H

#include "../probes/tracing.h"
#include "../stacks/stack.h"

/**
 * struct otst_subbuf - one sub-buffer that holds events (kernel: struct buffer_page)
 * @addr: struct buffer_page
 * @data: struct buffer_data_page
 * @time: when not 0, the latest time at which it can start: the kernel forgot it
 * @read: so many bytes behind its header were read by somebody
 * @missing: so many more sub-buffers could not be found here, before this one
 * @consumed: all was read and the kernel counts it as empty; what it held may
 *	still be there, and nothing tells how much that was
 */
struct otst_subbuf {
	uint64_t addr;
	uint64_t data;
	uint64_t time;
	uint32_t read;
	uint32_t missing : 31;
	uint32_t consumed : 1;
};

/**
 * struct otst_ring_cpu - one cpu's ring (kernel: struct ring_buffer_per_cpu)
 * @nr_pages: sub-buffers that it has, the one for readers not counted
 * @subbufs: oldest first
 * @read_stamp: time of the last event that was read of the first of them
 * @missing: sub-buffers that could not be found behind the last one
 * @errors: what is wrong with the list, vector of const char *
 */
struct otst_ring_cpu {
	unsigned int cpu;
	uint64_t addr;
	uint64_t nr_pages;
	struct otst_subbuf *subbufs;
	size_t nr_subbufs;
	uint64_t read_stamp;
	uint32_t missing;
	struct otst_vec errors;
};

/**
 * struct otst_ring - one ring buffer (kernel: struct trace_buffer; struct ring_buffer before 5.6)
 * @subbuf_size: bytes of a sub-buffer, its header of @header bytes included
 * @consumed: what was read counts, too
 */
struct otst_ring {
	struct otst *o;
	uint64_t addr;
	uint32_t subbuf_size;
	uint32_t header;
	bool consumed;
	struct otst_ring_cpu *cpus;
	size_t nr_cpus;
};

/**
 * otst_ring_open() - find the sub-buffers of a ring
 * @buffer: &otst_trace_array.buffer or &otst_trace_array.snapshot
 * @consumed: with those whose events were read by somebody and not yet written over
 *
 * Return: 0, also when parts are bad (&otst_ring_cpu.errors) and when there is
 * no buffer; LOOKUP when the kernel has no such rings; or what ends a command.
 */
int otst_ring_open(struct otst *o, const struct otst_trace_buffer *buffer, bool consumed,
		   struct otst_ring **ret);

/**
 * struct otst_record - one event of a ring (kernel: struct ring_buffer_event)
 * @time: of the ring's clock
 * @data: payload: starts with struct trace_entry; NULL with @gap. Valid until
 *	the second next call of otst_reader_next() or otst_reader_peek() that
 *	looks at a later event of this @cpu.
 * @size: bytes of @data, as ring_buffer_event_length() says; padding included
 * @type: struct trace_entry.type: an enum trace_type or the id of an event
 * @pid: struct trace_entry.pid
 * @lost: the kernel noticed that events before this one were lost; @lost_count
 *	tells how many, 0 when it does not know
 * @consumed: was read by somebody
 * @vague: @time is the latest that it can be; from one event to the next it is right
 * @gap: no event: so many sub-buffers could not be read, wholly or from some
 *	point on, for the reason @error; @time is that of the event behind it,
 *	or of the last one
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
};

/**
 * struct otst_reader_wish - which records
 * @cpus: bitmap of @nr_cpus bits, or NULL for all
 * @pid: -1 for all
 * @from: not before this time; @to: not after it. 0 and UINT64_MAX for all.
 *	The trace file's own start is &otst_trace_buffer.time_start.
 * @last: only so many of the newest that all the others let through, 0 for all:
 *	sub-buffers are then judged from the newest, and no more of them than needed
 * @wanted: NULL, or asked last of all; gaps are not asked for. With @last it is
 *	asked twice for a record, and not in order of time.
 */
struct otst_reader_wish {
	const uint64_t *cpus;
	size_t nr_cpus;
	int64_t pid;
	uint64_t from;
	uint64_t to;
	uint64_t last;
	bool (*wanted)(void *priv, const struct otst_record *r);
	void *priv;
};

struct otst_reader;

/** otst_reader_open() - a reader of all records of @ring that @wish lets through; in the command's arena */
int otst_reader_open(struct otst_ring *ring, const struct otst_reader_wish *wish,
		     struct otst_reader **ret);

/**
 * otst_reader_next() - the next record of all cpus
 * @ret: untouched at the end
 *
 * Return: 1; 0 at the end; or what ends a command.
 */
int otst_reader_next(struct otst_reader *r, struct otst_record *ret);

/**
 * otst_reader_peek() - the record of @cpu that comes next, without moving; it may be a gap
 * @ret: untouched when there is none
 *
 * Return: 1; 0 when there is none; or what ends a command.
 */
int otst_reader_peek(struct otst_reader *r, unsigned int cpu, struct otst_record *ret);

/**
 * otst_ring_skipped() - events of @cpu that lie before @from, up to the first that does not
 *
 * What tracing_iter_reset() counts as skipped_entries when the trace file is opened.
 */
int otst_ring_skipped(struct otst_ring *ring, unsigned int cpu, uint64_t from, uint64_t *ret);

/* ---- names of tasks (comms.c) ---- */

/**
 * otst_comm() - name of a task as the kernel's own table (saved_cmdlines) has it
 *
 * Return: "<idle>", "<...>" and "<XXX>" as __trace_find_cmdline() says; never
 * NULL. In the engine's memory.
 */
const char *otst_comm(struct otst *o, int32_t pid);

/**
 * otst_comms() - all names of that table, as the file saved_cmdlines lists them
 * @each: gets one; a non-zero return ends the list and is returned
 */
int otst_comms(struct otst *o, int (*each)(void *priv, int32_t pid, const char *comm), void *priv);

/** otst_tgid() - thread group of @pid out of tgid_map; 0 when unknown */
int32_t otst_tgid(struct otst *o, int32_t pid);

/* ---- formats of events (formats.c) ---- */

/** enum otst_field_kind - where the bytes of a field are */
enum otst_field_kind {
	OTST_FIELD_VALUE,    /**< one number, pointer or structure, in the record */
	OTST_FIELD_ARRAY,    /**< in the record, too */
	OTST_FIELD_DATA_LOC, /**< elsewhere in the record: offset and length are here */
	OTST_FIELD_REL_LOC,  /**< the same, the offset counted from the end of the field */
};

/**
 * struct otst_event_field - one field (kernel: struct ftrace_event_field)
 * @type: words of the kernel's source, "__data_loc char[]"
 * @offset: from the start of the record; @size: there
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
 * @unnamed: the kernel writes no "NAME: " before its text: a system call's has its name in it
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
	bool unnamed;
	const char *error;
};

/**
 * otst_event_format() - the format of the events with @id, or NULL when the kernel has none
 *
 * The list is read at the first call of a command, a format when it is first
 * asked for.
 */
const struct otst_event_format *otst_event_format(struct otst *o, uint16_t id);

/** otst_event_names() - the same with nothing read but @system and @name */
const struct otst_event_format *otst_event_names(struct otst *o, uint16_t id);

/**
 * otst_event_formats() - all formats, by id, of events and of ftrace's own entries
 * @ret: NULL-terminated
 *
 * Return: 0, also when some are bad (otst_event_errors()); LOOKUP; or what ends a command.
 */
int otst_event_formats(struct otst *o, const struct otst_event_format *const **ret);

/**
 * otst_event_errors() - what of events could not be read so far, once each
 *
 * Return: vector of const char *; grows with later calls of the functions here.
 */
const struct otst_vec *otst_event_errors(struct otst *o);

/**
 * otst_event_notes() - events that were printed as raw fields so far, because
 * their print formats are not understood, and what was guessed in others, once each
 *
 * Return: as otst_event_errors().
 */
const struct otst_vec *otst_event_notes(struct otst *o);

/* ---- events as text (event_text.c) ---- */

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
 * @buf: gets cleaned text, NUL-terminated, cut at @room
 *
 * "prev_comm=... prev_pid=1 ...", without "NAME: " and without the end of the
 * line; "sys_close(fd: 3)" where the format is @unnamed. Text of several lines stays so. An event whose print format is
 * not understood comes as raw fields, "name=value ...", and with a message in
 * otst_event_notes(), or in otst_event_errors() when it could not be read.
 *
 * Return: length of the text; or NOMEM.
 */
int otst_event_text(struct otst *o, const struct otst_event_format *f,
		    const struct otst_event_style *style, const struct otst_record *r, char *buf,
		    size_t room);

/**
 * otst_bprint_text() - print what trace_printk() kept in binary (struct bprint_entry)
 * @fmt: address of its format in the dump
 * @args: behind the entry's fixed part, @size bytes
 *
 * Return: as otst_event_text(); LOOKUP or FAULT when the format cannot be read.
 */
int otst_bprint_text(struct otst *o, uint64_t fmt, const struct otst_event_style *style,
		     const uint8_t *args, uint32_t size, char *buf, size_t room);

/**
 * struct otst_event_value - what a field of one record holds
 * @data: its bytes in the record, @size of them; a string's without its end
 * @string: they are characters
 * @number: of a field that is one number, extended to 64 bits by its sign
 * @is_number: it is
 */
struct otst_event_value {
	const uint8_t *data;
	uint32_t size;
	bool string;
	bool is_number;
	uint64_t number;
};

/** otst_event_value() - a field of a record; false when it lies outside of it */
bool otst_event_value(const struct otst_event_field *field, const struct otst_record *r,
		      struct otst_event_value *ret);

#endif /* OTST_RINGS_H */
