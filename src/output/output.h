/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * output.h - what the decoders found, as text and JSON.
 *
 * Each listing has a description of its fields (rows.h), from which its JSON,
 * the columns of its table and docs/otst.schema.json are made.
 */
#ifndef OTST_OUTPUT_H
#define OTST_OUTPUT_H

#include "../ftrace/ftrace.h"
#include "../probes/probes.h"
#include "../ftrace/tracing.h"
#include "../base/coverage.h"
#include "../built/search.h"
#include "../base/text_buffer.h"

/** enum otst_style - what a piece of text is, for terminals with colours */
enum otst_style {
	OTST_STYLE_PLAIN,
	OTST_STYLE_GOOD,  /**< as it should be: armed */
	OTST_STYLE_QUIET, /**< not at work: disabled, removed */
	OTST_STYLE_BAD,	  /**< contradicted, unreadable */
};

/**
 * struct otst_printer - where a command's lines go
 * @json: JSON lines instead of text
 * @verbose: every field
 * @color: show styles with escape sequences
 * @width: columns that lines should fit in, UINT_MAX for any length
 * @bad: records that could not be read, so far
 * @findings: records that the kernel text contradicts, so far
 * @nobodys: hooks whose code is nobody's, so far; @hidden: of modules that hide
 * @gaps: kinds of record that could not be looked at, or only in part
 * @said: vector of const char *: why there are gaps, of those that were printed
 * @unknown: operands that name nothing in this kernel, so far
 * @aside: where complaints go
 * @err: first error of the output; later prints do nothing
 * @records: gets the lines of JSON instead of @out, which then takes no text; else NULL
 * @line: a line of JSON that is being put together (rows.c)
 */
struct otst_printer {
	struct otst *o;
	const struct otst_output *out;
	bool json;
	bool verbose;
	bool color;
	unsigned int width;
	size_t bad;
	size_t findings;
	size_t nobodys;
	size_t hidden;
	size_t gaps;
	struct otst_vec said;
	size_t unknown;
	const struct otst_output *aside;
	const struct otst_records *records;
	int err;
	char *buf;
	size_t len;
	struct otst_text line;
};

/** otst_or_unknown() - how text shows what is not known */
static inline const char *otst_or_unknown(const char *s)
{
	return s ? s : "?";
}

/** OTST_PRINTER_BUFFER - bytes of &otst_printer.buf */
#define OTST_PRINTER_BUFFER (64u * 1024)

/** otst_printer_init() - a printer to @out with its buffer in the command's arena */
int otst_printer_init(struct otst *o, const struct otst_output *out, struct otst_printer *ret);

/** otst_printf() - formatted text; strings of the dump are safe already (see otst_clean()) */
void otst_printf(struct otst_printer *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** otst_write() - text as it is; USAGE where records are wanted */
void otst_write(struct otst_printer *p, const char *text, size_t len);

/**
 * otst_print_record() - print a line of JSON
 * @type: its "type"
 * @json: @len bytes and a NUL, without the newline
 */
void otst_print_record(struct otst_printer *p, const char *type, const char *json, size_t len);

/** otst_print_styled() - @len bytes of @text in a style; the only place that writes escape sequences */
void otst_print_styled(struct otst_printer *p, enum otst_style style, const char *text, size_t len);

/** otst_flush() - hand over what is buffered; returns @p->err */
int otst_flush(struct otst_printer *p);

/** otst_print_bad() - print and count what could not be read, as a marked line or JSON object */
void otst_print_bad(struct otst_printer *p, const char *where, const char *message);

/** otst_print_finding() - the line of text that marks a contradiction: "!", @blanks, "@where: @message" */
void otst_print_finding(struct otst_printer *p, const char *blanks, const char *where,
			const char *message);

/**
 * otst_print_note() - print what is worth knowing but is no damage, as a line in brackets or a
 * JSON object
 * @message: NULL prints nothing
 */
void otst_print_note(struct otst_printer *p, const char *message);

/** otst_print_errors() - otst_print_bad() for each */
void otst_print_errors(struct otst_printer *p, const struct otst_messages *errors);

/** otst_print_notes() - otst_print_note() for each */
void otst_print_notes(struct otst_printer *p, const struct otst_messages *notes);

/**
 * otst_print_files() - notes on files that do not belong to the dump
 * @image: also a note when the image file does not belong to it, or that cannot be told
 */
void otst_print_files(struct otst_printer *p, bool image);

/**
 * otst_print_end() - end a listing
 * @one, @many: what was listed: "probe", "probes"; JSON has @many
 *
 * Prints the notes of otst_print_files(), with -v also the one on the image file. Then comes the
 * closing line: how many records were bad, and how many contradicted.
 */
void otst_print_end(struct otst_printer *p, const char *one, const char *many, size_t count);

/* ---- words that several printers use; in the command's arena, never NULL ---- */

/** otst_print_nobodys() - a line that says how many hooks are nobody's; nothing for 0 (probe.c) */
void otst_print_nobodys(struct otst_printer *p, int indent, size_t n);

/** otst_owner_text() - "module foo", "event p:grp:name", "systemtap foo (foo.stp)" (probe.c) */
const char *otst_owner_text(struct otst *o, const struct otst_owner *w);
/** otst_probe_state() - "armed ftrace", "disabled (fired)", "armed jump (optimizing)" */
const char *otst_probe_state(struct otst *o, const struct otst_probe *p);
/** otst_probe_style() - the style of that text */
enum otst_style otst_probe_style(const struct otst_probe *p);
/** otst_ops_owner() - "tracer function", "kprobes" (ftrace.c) */
const char *otst_ops_owner(struct otst *o, const struct otst_owner *w);

/** otst_print_hidden() - a finding about what @where names if its owner is a module that hides (probe.c) */
void otst_print_hidden(struct otst_printer *p, const char *where, const struct otst_owner *w);

/** struct otst_owner_count - how many probes one owner has */
struct otst_owner_count {
	enum otst_owner_kind kind;
	const char *name;
	size_t count;
};

/**
 * struct otst_info - the dump in one screen
 * @image: the kernel's image file
 * @text_built: it has the kernel's text
 * @found: where the kernel was found; NULL unless it was searched for
 * @extents: vector of struct otst_extent: where the file's bytes were taken to be, if it does not say it
 * @hidden: names of the modules that hide, @nr_hidden of them; they do not count as @modules
 * @registered: functions, not of the kernel's own text, that parts of the kernel were given to call; by kind
 *	in @kinds, too; @astray: how many of these are nobody's, or of modules that hide
 * @sites: functions that ftrace can hook; @hooked: those that it hooks
 * @coverage: vector of struct otst_coverage: kinds of probes, tracing, sources of traces
 * @absent: what this kernel does not have, @nr_absent messages
 * @bad: what could not be read, @nr_bad messages
 */
struct otst_info {
	const struct otst_kernel *kernel;
	const char *target;
	const char *symbols;
	const char *types;
	struct otst_image_source image;
	bool text_built;
	const struct otst_whereabouts *found;
	struct otst_vec extents;
	size_t modules;
	const char *const *hidden;
	size_t nr_hidden;
	size_t probes;
	size_t armed;
	size_t disagree;
	size_t nobodys;
	size_t kinds[OTST_PROBE_KINDS];
	size_t registered;
	size_t astray;
	struct otst_owner_count *owners;
	size_t nr_owners;
	size_t ftrace_ops;
	size_t sites;
	size_t hooked;
	size_t tracers;
	struct otst_trace_array **arrays;
	size_t nr_arrays;
	struct otst_vec coverage;
	const char **absent;
	size_t nr_absent;
	const char **bad;
	size_t nr_bad;
};

/* ---- what was looked at (coverage.c) ---- */

/**
 * otst_print_gaps() - print and count the entries of a vector of struct otst_coverage that were
 * not looked at, or only in part
 */
void otst_print_gaps(struct otst_printer *p, const struct otst_vec *coverage);

/**
 * otst_gap_text() - "not looked at: NAMES: WHY; HELP would help"
 * @looked: OTST_LOOKED_NOT or OTST_LOOKED_IN_PART
 * @names, @help: may be NULL
 */
const char *otst_gap_text(struct otst *o, enum otst_looked looked, const char *names,
			  const char *why, const char *help);

/** otst_count_gaps() - only count the gaps: they are printed already */
void otst_count_gaps(struct otst_printer *p, const struct otst_vec *coverage);

/**
 * otst_print_doubts() - print the gaps that no coverage has: names that may exist were not found
 */
void otst_print_doubts(struct otst_printer *p, const char *what);

/** otst_is_said() - is @message about a name that the kernel lacks, which another line says, or a gap will */
bool otst_is_said(struct otst_printer *p, const char *message);

/** otst_unsaid_doubt() - a doubt of this command that no line has said, which now counts as said; or NULL */
const struct otst_doubt *otst_unsaid_doubt(struct otst_printer *p);

/* ---- the printers, one file for each header section of probes.h ---- */

void otst_print_probes(struct otst_printer *p, const struct otst_probes *probes);

/**
 * otst_print_ftrace() - ftrace_ops, then functions; as text, the functions are the
 * lines of the kernel's enabled_functions, between two empty lines
 * @functions: NULL when the kernel has no records of them
 */
void otst_print_ftrace(struct otst_printer *p, const struct otst_ftrace_list *list,
		       const struct otst_ftrace_functions *functions);

/**
 * otst_ftrace_lines() - the lines of enabled_functions, one by one
 * @each: takes the text; a non-zero return ends the list and is returned
 */
int otst_ftrace_lines(struct otst *o, const struct otst_ftrace_functions *all,
		      int (*each)(void *priv, struct otst_text *line), void *priv);

void otst_print_info(struct otst_printer *p, const struct otst_info *info);

/** otst_print_tracers() - the table of tracers; comes before the arrays */
void otst_print_tracers(struct otst_printer *p, const struct otst_tracing *t);
void otst_print_trace_array(struct otst_printer *p, const struct otst_trace_array *a);
/** otst_print_tracing_end() - what could not be read, and how many arrays there were */
void otst_print_tracing_end(struct otst_printer *p, const struct otst_tracing *t);

#endif /* OTST_OUTPUT_H */
