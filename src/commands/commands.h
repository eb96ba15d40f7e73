/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * commands.h - one file per command, one table (run.c).
 */
#ifndef OTST_COMMANDS_H
#define OTST_COMMANDS_H

#include "../output/output.h"
#include "../traces/traces.h"

/**
 * struct otst_args - a parsed command line
 * @kinds: argument of -k, or NULL
 * @sources, @pid, @cpus, @last, @format: arguments of -s, -p, -c, -n, -x, or NULL
 * @text, @modules, @from, @to, @color, @width, @memory: arguments of --text, --modules and so on, or NULL
 * @texts: all arguments of --text, NULL-terminated
 * @operands: the remaining words: filters, NULL-terminated
 */
struct otst_args {
	bool verbose;
	bool json;
	bool offsets;	 /* -o */
	bool force;	 /* --force */
	bool all_memory; /* --all-memory */
	const char *kinds;
	const char *sources;
	const char *pid;
	const char *cpus;
	const char *last;
	const char *format;
	const char *text;
	const char *modules;
	const char *from;
	const char *to;
	const char *color;
	const char *width;
	const char *memory;
	const char *const *texts;
	const char *const *operands;
	size_t nr_operands;
};

/* ---- from words to struct otst_args (arguments.c) ---- */

#define OTST_MOST_COMMANDS 16 /* letters of commands, -h and -V, with the final '\0' */

/**
 * otst_parse_arguments() - parse a command line
 * @argv: NULL-terminated; its first word is the name of the program
 * @commands: "" before; gets the letters of the commands, each once, in the order given
 *
 * Return: 0, or OTST_ERR_USAGE with the message raised.
 */
int otst_parse_arguments(struct otst *o, const char *const *argv, struct otst_args *args,
			 char commands[OTST_MOST_COMMANDS]);

/** otst_find_misfit() - an option with an argument, or -o, given but not in @taken; or NULL */
const char *otst_find_misfit(struct otst_args *args, const char *taken);

/** otst_is_command() - true if this is the letter of a command, or of -h or -V (table.c) */
bool otst_is_command(char letter);

/* ---- what the command line can do (help.c) ---- */

/** otst_print_help() - the help page */
void otst_print_help(struct otst_printer *p);

/** otst_raise_usage() - the commands in five lines, as an error; returns OTST_ERR_USAGE */
int otst_raise_usage(struct otst *o);

/* ---- operands that choose records by their location (filter.c) ---- */

/**
 * struct otst_filter - one operand
 * @name: NULL when the operand is the address range @first to @last
 * @met: it has chosen a record
 */
struct otst_filter {
	const char *name;
	uint64_t first;
	uint64_t last;
	bool met;
};

/** otst_filters() - one filter for each operand of @args; 0, NOMEM, or USAGE for a reversed range */
int otst_filters(struct otst *o, const struct otst_args *args, struct otst_filter **ret);

/**
 * otst_filter_matches() - does an operand match this address
 * @sym: its symbol
 *
 * An address, or "symbol+0x4", matches itself, and the whole function that starts there; a range
 * matches what lies in it; a name is a symbol, a module or "module:symbol", with
 * globs.
 */
bool otst_filter_matches(const struct otst_filter *f, uint64_t addr, const struct otst_sym *sym);

/* ---- operands that matched nothing (operands.c) ---- */

struct otst_operand;

/** otst_is_path() - true if it contains a slash, which no name in the kernel does */
bool otst_is_path(const char *operand);

/** otst_path_error() - raise the error that says what the file @path is; returns it */
int otst_path_error(struct otst *o, const char *path);

/** otst_check_paths() - the same for the first path among the operands; 0 when there is none */
int otst_check_paths(struct otst *o, const struct otst_args *args);

/**
 * otst_judge_operand() - find out what an operand that matched nothing names
 * @word: as the user wrote it; @f: the same, parsed
 * @nothing: the message for a thing that does exist: "no probe on"
 *
 * Return: 0; the error for a path; or an error that ends the command.
 */
int otst_judge_operand(struct otst *o, const char *word, const struct otst_filter *f,
		       const char *nothing, struct otst_operand *ret);

/**
 * otst_print_unmet() - judge and print all operands whose filter is not met
 * @f: filters of @args
 * @aside: as for otst_print_operand()
 *
 * Return: 0; the error for a path; or an error that ends the command.
 */
int otst_print_unmet(struct otst *o, const struct otst_args *args, const struct otst_filter *f,
		     const char *nothing, bool aside, struct otst_printer *p);

/** otst_complain() - write the engine's message to @err as one line (complain.c) */
void otst_complain(struct otst *o, const struct otst_output *err);

/** A command decodes, hands the result to the printer, and returns 0 or the error that ended it. */
typedef int otst_command_fn(struct otst *o, const struct otst_args *args, struct otst_printer *p);

/**
 * struct otst_command - a row of the table
 * @options: what it takes besides -v, -j, --color and --width; any other option is an error
 * @operands: it takes operands
 * @lists: the operand "help" lists what operands can be
 * @types: the types of a kernel will do, there need be no dump
 * @whole: on a live kernel, repeat the whole command until it stays the same; else its decoders do
 * @built: it compares with text as built
 */
struct otst_command {
	char letter;
	otst_command_fn *run;
	const char *options;
	bool operands;
	bool lists;
	bool types;
	bool whole;
	bool built;
};

/** otst_command_of() - the row of a command by its letter; NULL for any other letter (table.c) */
const struct otst_command *otst_command_of(char letter);

otst_command_fn otst_cmd_list;	    /* -l */
otst_command_fn otst_cmd_trace;	    /* -t */
otst_command_fn otst_cmd_dat;	    /* -t -x trace.dat:FILE */
otst_command_fn otst_cmd_ftrace;    /* -f */
otst_command_fn otst_cmd_tracers;   /* -T */
otst_command_fn otst_cmd_where;	    /* -w */
otst_command_fn otst_cmd_info;	    /* -i */
otst_command_fn otst_cmd_readiness; /* -R, --readiness */
otst_command_fn otst_cmd_audit;	    /* -a */
otst_command_fn otst_cmd_verdict;   /* -b */

/**
 * otst_run_live() - run a command on a live kernel until two readings agree (live.c)
 *
 * It prints to @p what the best reading printed. When no reading agrees with the one before,
 * it counts a gap and says so.
 */
int otst_run_live(struct otst *o, otst_command_fn *run, const struct otst_args *args,
		  struct otst_printer *p);

/** otst_is_dat() - true if this is an argument of -x for otst_cmd_dat() (dat.c) */
bool otst_is_dat(const char *format);

/* ---- -t of one trace array (tracefile.c) ---- */

/**
 * otst_names_source() - is @s @source, or "@source:INSTANCE"
 * @instance: INSTANCE, or NULL when there is none
 */
bool otst_names_source(const char *s, const char *source, const char **instance);

/** otst_is_tracefile() - do the options ask for the kernel's own trace file and nothing else */
bool otst_is_tracefile(const struct otst_args *args);

/**
 * otst_cmd_tracefile() - print the trace file
 * @traces: the parsed options of -t
 * @filters: those of the operands; NULL when there are none
 */
int otst_cmd_tracefile(struct otst *o, const struct otst_args *args,
		       const struct otst_trace_filter *traces, struct otst_filter *filters,
		       struct otst_printer *p);

/** otst_print_entry_kinds() - what -t -k help shows */
void otst_print_entry_kinds(struct otst_printer *p);

#endif /* OTST_COMMANDS_H */
