// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * run.c - command lines: the table of commands, options, help, and the exit
 * status that scripts see.
 */
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../dump/image.h"
#include "commands.h"

#define MOST_WIDTH 100000 /* of a line */

/**
 * struct command - a row of the table
 * @options: what it takes beside -v, -j, --color and --width; any other option is an error
 * @operands: it takes some
 * @whole: of a live kernel: read all of it again until it stays the same; else its records see to that
 */
struct command {
	char letter;
	otst_command_fn *run;
	const char *options;
	bool operands;
	bool whole;
};

static const struct command commands[] = {
	{ 'l', otst_cmd_list, "-k --modules", true, false },
	{ 't', otst_cmd_trace, "-k -s -p -c -n -x -o --text --modules --from --to", true, false },
	{ 'f', otst_cmd_ftrace, "", true, true },
	{ 'T', otst_cmd_tracers, "", true, true },
	{ 'w', otst_cmd_where, "-s --modules", true, true },
	{ 'a', otst_cmd_audit, "--modules", false, true },
	{ 'b', otst_cmd_verdict, "--modules", false, true },
	{ 'i', otst_cmd_info, "--modules", false, true },
};

/* for who types the name alone; the first of two lines is for a session, which has its dump */
static const char *const usage[] = {
	"usage: otst -l | -t | -f | -T | -w | -a | -b | -i  [options] [operand ..]",
	"usage: otst -l | -t | -f | -T | -w | -a | -b | -i  [options] [VMLINUX] VMCORE [operand ..]",
	"  -l  what is armed         -t  captured stack traces  -i  summary",
	"  -f  ftrace_ops            -T  tracers, trace arrays  -a  audit of the text",
	"  -w  one function          -b  verdict on a crash     -v  every field",
	"  -j  JSON                  -h  all options, examples  -V  the version",
};

/* name, one line, synopsis, then the body, as crash prints a help page */
static const char *const help[] = {
	"otst",
	"probes armed on the kernel, and what they captured",
	"-l [-v] [-j] [-k kind,..] [--modules dir] [symbol|glob|module|address|first-last ..]\n"
	"  otst -t [-v] [-j] [-s source,..] [-p pid] [-c cpus] [-n count] [-x format]\n"
	"          [-o] [--text file] [--modules dir] [symbol|glob|module|address|first-last ..]\n"
	"  otst -t -s ftrace|snapshot[:instance] [-v] [-j] [-k kind,..] [-p pid] [-c cpus]\n"
	"          [-n count] [--from time] [--to time] [symbol|glob|module|event ..]\n"
	"  otst -f [-v] [-j] [symbol|glob|module|address|first-last ..]\n"
	"  otst -T [-v] [-j] [file ..]\n"
	"  otst -w [-v] [-j] [-s source,..] [--modules dir]\n"
	"          symbol|address|tracepoint|path:offset ..\n"
	"  otst -a [-v] [-j] [--modules dir] [--force]\n"
	"  otst -b [-v] [-j] [--modules dir]\n"
	"  otst -i [-v] [-j] [--modules dir]",
	"  Shows what was hooked into the kernel, by whom, and whether it was really",
	"  armed, straight from kernel memory.",
	"",
	"    -l  everything that is armed: kprobes, uprobes, callbacks of tracepoints, BPF",
	"        programs, live patches and more (\"-k help\"): what is probed, state as its",
	"        record claims it, what the kernel text shows there, missed hits, hits",
	"        where they are counted, owner, handlers. \"removed\" are those",
	"        that only their module (otst, allie) still knows. A \"!\" marks a probe whose",
	"        record the text contradicts. Operands choose probes: the symbol that",
	"        is probed, a glob over symbols, the module that is probed or that owns",
	"        the probe, an address, or a range of addresses.",
	"    -t  every stack trace that was captured, oldest first: time and its clock, cpu,",
	"        task, the probe that it belongs to, where it was found, frames as the",
	"        kernel prints them. \"?\" marks frames that the kernel only guessed.",
	"        Operands choose traces with such a probe or frame. With -s ftrace or -s",
	"        snapshot alone, the kernel's trace or snapshot file to the letter, of the",
	"        top trace array or of an instance, and with one cpu of per_cpu; operands",
	"        choose functions and events, \"sched:*\". -v adds what was read by somebody",
	"        and is still there, marked.",
	"    -f  every ftrace_ops with flags, callback, trampoline, owner and filters,",
	"        then each traced function as the kernel's enabled_functions prints it.",
	"    -T  tracers, and every trace array: current tracer, whether it records and",
	"        what keeps it from that, clock, buffers, snapshot. With operands, what",
	"        these files of /sys/kernel/tracing would say, to the letter: set_event,",
	"        instances/foo/set_ftrace_filter, events/sched/sched_switch/trigger;",
	"        \"-T help\" lists them.",
	"    -w  everything that is on a function, in one screen: what hooks it at its entry,",
	"        inside and at its return, in the order in which a call runs into it; its",
	"        first instructions and every hooked one as built, as the records want them",
	"        and as found; captures whose probe or innermost frame is there, counted by",
	"        source; tasks whose stack goes through it. A name means all functions of",
	"        that name, an address the function around it. -s limits the captures.",
	"    -a  audit: the kernel's text against the text as built, patched as its own",
	"        records say: ftrace, kprobes, jump labels, static calls, alternatives and",
	"        others. Places that differ are counted by what explains them; each that",
	"        nothing explains is a block that a \"!\" marks, with bytes and instructions;",
	"        of one function at most 8, and after 100 none of others; the rest is counted.",
	"        And the records among themselves: handlers outside all code, kprobes and",
	"        ftrace_ops that contradict each other, tasks that a probe keeps for ever.",
	"    -b  was a hook in the crash: a verdict, what died, and the evidence by rank: A the",
	"        failing instruction is in a hook's code, B the failing function is hooked or",
	"        not as built, C a hook's code is further up the same stack, D a stuck task",
	"        waits for one that is inside a hook, E hooks ran on that cpu in the last",
	"        second, F hooks exist, none near. Then the stacks of the tasks that failed, are",
	"        stuck or own a lock, each frame with what hooks its function.",
	"    -i  summary in 25 lines: kernel, counts by kind and owner, tracing, what could not",
	"        be read.",
	"",
	"    -v  every field; with -l the bytes as built, as saved in the record and as",
	"        found, and which processes hold a BPF program open; with -f the functions",
	"        in the filters; with -T all those files; with -a each place that differs,",
	"        and every one that nothing explains; with -i every owner and trace array;",
	"        with -t addresses, and lines of source with the calls that were inlined",
	"        there, where vmlinux and the modules' files have debug information",
	"    -j  JSON, one object a line (docs/otst.schema.json)",
	"    -k  only these kinds; \"-k help\" lists them",
	"    -s  only these sources of traces; \"-s help\" lists them",
	"    -p  only traces of this process id",
	"    -c  only traces of these cpus: 0,2-3",
	"    -n  only so many of the newest traces",
	"    -x  folded: one line a stack and how often it came, for flame graphs; without",
	"        guessed frames; speedscope: the same as a file for speedscope;",
	"        perfetto: captures that have a time as JSON for Perfetto;",
	"        stacksnoop: records of BPF programs as bcc's stacksnoop printed them first,",
	"        a frame a line; stacksnoop:function: as it does since, by function; with -v",
	"        also COMM, PID, CPU, with -o offsets, with -p only of this process;",
	"        trace.dat:FILE: with -s ftrace or snapshot, or one instance of them, write",
	"        the ring buffers into FILE for trace-cmd report and KernelShark; -v with",
	"        what was read already",
	"    -o  with -x stacksnoop: symbols with offsets",
	"    --text  read the kernel log from this text file, such as an old",
	"        /var/log/messages, and not from the dump; the stand-alone program then",
	"        needs no dump",
	"    --modules  look for modules with debug information, and for their text as built,",
	"        in this directory, too",
	"    --force  with any command: use a vmlinux, and modules' files, of another build",
	"        than those in the dump; else such a vmlinux ends the command with status 1,",
	"        and such files are left out",
	"    --width  columns that lines should fit: what has no room goes to a second line of",
	"        its record; 0: each record in one line, however long. Else the terminal's,",
	"        and 120 where the output is a pipe or a file",
	"    --color  always or never: colours for what is wrong, and for states. Else auto:",
	"        on a terminal, unless NO_COLOR is set; in crash and gdb never",
	"    --from  with -s ftrace: only entries since this time, in seconds of the array's",
	"        clock",
	"    --to  the same: only entries until this time",
	"    -h  this page",
	"    -V  the version",
	"",
	"  A record that cannot be read is one line that starts with \"!!\"; the last line",
	"  counts them. An operand that chooses nothing is named: \"no probe on vfs_read\",",
	"  or that the kernel has no such function, with names like it. An option that a",
	"  command does not use is an error. Exit status of the stand-alone program: 0 all",
	"  was read, 1 the command failed, or an operand names nothing in this kernel,",
	"  2 wrong options, 3 some records could not be read, or some kinds of them not be",
	"  looked at, 4 a record and the kernel text disagree.",
	"\nEXAMPLES",
	"  Was a hook in the crash:\n",
	"    otst -b",
	"\n  What was armed, by whom:\n",
	"    otst -l",
	"\n  Is anything on vfs_read and its relatives:\n",
	"    otst -l 'vfs_read*'",
	"\n  Everything that a module armed, every field:\n",
	"    otst -l -v kprobe_test",
	"\n  What was captured on cpu 1, as a flame graph:\n",
	"    otst -t -c 1 -x folded | flamegraph.pl > traces.svg",
	"\n  Stack traces in an old log:\n",
	"    otst -t -s log --text /var/log/messages",
	"\n  What triggers and filters were set on events:\n",
	"    otst -T show_event_triggers show_event_filters",
	"\n  The last scheduler events before the crash, as the trace file shows them:\n",
	"    otst -t -s ftrace -n 100 'sched:*'",
	"\n  What happens in a call of vfs_read, and who is inside:\n",
	"    otst -w vfs_read",
	"\n  Was it the agent:\n",
	"    otst -b",
	"\n  Who is called from vfs_read's ftrace site:\n",
	"    otst -f vfs_read",
	NULL,
};

const char *const *otst_help(void)
{
	return help;
}

static void print_help(struct otst_printer *p)
{
	const char *const *line;

	otst_printf(p, "%s - %s\n\n  %s %s\n\n", help[0], help[1], help[0], help[2]);
	for (line = help + 3; *line; line++)
		otst_printf(p, "%s\n", *line);
}

/* an option with an argument: -k KINDS, --text FILE; @to: of struct otst_args */
struct option {
	const char *name;
	const char *needs;
	size_t to;
};

static const struct option options[] = {
	{ "-k", "kinds; -l -k help lists them", offsetof(struct otst_args, kinds) },
	{ "-s", "sources; -t -s help lists them", offsetof(struct otst_args, sources) },
	{ "-p", "a process id", offsetof(struct otst_args, pid) },
	{ "-c", "cpus: 0,2-3", offsetof(struct otst_args, cpus) },
	{ "-n", "a number", offsetof(struct otst_args, last) },
	{ "-x", "a format; -t -x help lists them", offsetof(struct otst_args, format) },
	{ "--text", "a file", offsetof(struct otst_args, text) },
	{ "--modules", "a directory", offsetof(struct otst_args, modules) },
	{ "--color", "auto, always or never", offsetof(struct otst_args, color) },
	{ "--width", "a number of columns", offsetof(struct otst_args, width) },
	{ "--from", "a time", offsetof(struct otst_args, from) },
	{ "--to", "a time", offsetof(struct otst_args, to) },
};

#define OPTIONS (sizeof(options) / sizeof(*options))

static const char **argument_of(struct otst_args *args, const struct option *opt)
{
	return (const char **)((char *)args + opt->to);
}

/* is @name among the words of @list */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *s;

	for (s = list; (s = strstr(s, name)); s += len) {
		if ((s == list || s[-1] == ' ') && (!s[len] || s[len] == ' '))
			return true;
	}
	return false;
}

/* an option that was given and that the command does not use, or NULL */
static const char *find_misfit(const struct command *c, struct otst_args *args)
{
	size_t i;

	for (i = 0; i < OPTIONS; i++) {
		if (*argument_of(args, &options[i]) && !is_listed(c->options, options[i].name) &&
		    !is_listed("--color --width", options[i].name))
			return options[i].name;
	}
	return args->offsets && !is_listed(c->options, "-o") ? "-o" : NULL;
}

static const struct option *find_option(char letter)
{
	size_t i;

	for (i = 0; i < OPTIONS; i++) {
		if (options[i].name[1] == letter)
			return &options[i];
	}
	return NULL;
}

/* @len: of its name in @word, which may go on with "=ARGUMENT" */
static const struct option *find_long_option(const char *word, size_t *len)
{
	size_t i;

	*len = strcspn(word, "=");
	for (i = 0; i < OPTIONS; i++) {
		if (!strncmp(options[i].name, word, *len) && !options[i].name[*len])
			return &options[i];
	}
	return NULL;
}

bool otst_takes_argument(const char *word)
{
	size_t len;

	if (!strncmp(word, "--", 2))
		return find_long_option(word, &len) && !word[len];
	for (word++; *word; word++) {
		if (find_option(*word))
			return !word[1];
	}
	return false;
}

static bool is_command(char letter)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (commands[i].letter == letter)
			return true;
	}
	return letter == 'h' || letter == 'V';
}

static int choose_command(struct otst *o, char letter, char *command)
{
	if (*command && *command != letter)
		return otst_raise(o, OTST_ERR_USAGE, "-%c and -%c exclude each other", *command,
				  letter);
	*command = letter;
	return 0;
}

/* @given: where the argument may stand, in the option's own word; else it is the next word */
static int take_argument(struct otst *o, const struct option *opt, const char *given,
			 const char *const *argv, int *at, struct otst_args *args)
{
	const char *argument = given ? given : argv[++*at];

	*argument_of(args, opt) = argument;
	return argument && *argument ?
		       0 :
		       otst_raise(o, OTST_ERR_USAGE, "%s needs %s", opt->name, opt->needs);
}

/* one word of options, such as "-lv" or "-k" with its argument behind it */
static int parse_option(struct otst *o, const char *word, const char *const *argv, int *at,
			struct otst_args *args, char *command)
{
	const struct option *opt;
	const char *c;
	int err;

	for (c = word + 1; *c; c++) {
		opt = find_option(*c);
		if (opt)
			return take_argument(o, opt, c[1] ? c + 1 : NULL, argv, at, args);
		if (is_command(*c)) {
			err = choose_command(o, *c, command);
			if (err)
				return err;
		} else if (*c == 'v') {
			args->verbose = true;
		} else if (*c == 'j') {
			args->json = true;
		} else if (*c == 'o') {
			args->offsets = true;
		} else {
			return otst_raise(o, OTST_ERR_USAGE, "unknown option -%c; otst -h for help",
					  *c > ' ' && *c < 0x7f ? *c : '?');
		}
	}
	return 0;
}

/* "--text FILE", "--text=FILE", "--force" */
static int parse_long_option(struct otst *o, const char *word, const char *const *argv, int *at,
			     struct otst_args *args, char *command)
{
	size_t len;
	const struct option *opt = find_long_option(word, &len);

	if (!strcmp(word, "--help"))
		return choose_command(o, 'h', command);
	if (!strcmp(word, "--version"))
		return choose_command(o, 'V', command);
	if (!strcmp(word, "--force")) {
		args->force = true;
		return 0;
	}
	if (!strcmp(word, "--live"))
		return otst_raise(o, OTST_ERR_USAGE,
				  "--live is for the program otst in a shell: otst -l --live");
	if (!opt)
		return otst_raise(o, OTST_ERR_USAGE, "unknown option %s; otst -h for help",
				  otst_clean(o, word));
	return take_argument(o, opt, word[len] ? word + len + 1 : NULL, argv, at, args);
}

/* @argv is NULL-terminated */
static int parse(struct otst *o, const char *const *argv, struct otst_args *args, char *command)
{
	struct otst_vec operands = { 0 };
	const char **slot;
	bool only_operands = false;
	int i, err;

	for (i = 1; argv[i]; i++) {
		if (!only_operands && !strcmp(argv[i], "--")) {
			only_operands = true;
			continue;
		}
		if (!only_operands && !strncmp(argv[i], "--", 2)) {
			err = parse_long_option(o, argv[i], argv, &i, args, command);
			if (err)
				return err;
			continue;
		}
		if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
			err = parse_option(o, argv[i], argv, &i, args, command);
			if (err)
				return err;
			continue;
		}
		slot = otst_vec_push(o, &operands, sizeof(*slot));
		*slot = argv[i];
		args->nr_operands++;
	}
	args->operands = operands.data;
	if (!*command)
		return otst_raise(o, OTST_ERR_USAGE, "no command; otst -h for help");
	return 0;
}

/* crash hands over its own argv, which may lack the final NULL */
static const char *const *copy_argv(struct otst *o, int argc, const char *const *argv)
{
	const char **copy = otst_alloc(o, ((size_t)argc + 1) * sizeof(*copy));

	if (copy)
		memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	return copy;
}

void otst_complain(struct otst *o, const struct otst_output *err)
{
	const char *message = otst_message(o);
	char line[2048]; /* there may be no memory left */
	int len = snprintf(line, sizeof(line), "%s%s\n",
			   strncmp(message, "usage: ", 7) ? "otst: " : "", message);

	err->write(err->priv, line, (size_t)len);
}

/* "the kernel has no such thing" needs all of the kernel's names */
static int doubt(struct otst *o, struct otst_printer *p, int err)
{
	if (err != OTST_ERR_LOOKUP || !otst_doubts(o))
		return err;
	p->gaps++;
	return otst_raise(o, err, "%s",
			  otst_gap_text(o, OTST_LOOKED_NOT, NULL, otst_doubt_why(o),
					otst_doubt_help(o)));
}

/* of what feeds other programs, or is a file of the kernel's to the letter */
static void complain_of_doubts(struct otst *o, struct otst_printer *p,
			       const struct otst_output *err)
{
	p->gaps++;
	otst_raise(o, OTST_ERR_LOOKUP, "%s",
		   otst_gap_text(o, OTST_LOOKED_IN_PART, NULL, otst_doubt_why(o),
				 otst_doubt_help(o)));
	otst_complain(o, err);
}

/* --color and --width */
static int set_look(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	unsigned long width;
	char *end;

	if (args->color && !strcmp(args->color, "always"))
		p->color = true;
	else if (args->color && !strcmp(args->color, "never"))
		p->color = false;
	else if (args->color && strcmp(args->color, "auto") != 0)
		return otst_raise(o, OTST_ERR_USAGE,
				  "--color needs auto, always or never, not \"%s\"",
				  otst_clean(o, args->color));
	/* JSON is for programs */
	p->color &= !p->json;
	if (!args->width)
		return 0;
	width = strtoul(args->width, &end, 10);
	if (!isdigit((unsigned char)*args->width) || *end || width > MOST_WIDTH)
		return otst_raise(o, OTST_ERR_USAGE,
				  "--width needs a number of columns, not \"%s\"",
				  otst_clean(o, args->width));
	p->width = width ? (unsigned int)width : UINT_MAX;
	return 0;
}

/* what the command has no use for */
static int check_misfits(struct otst *o, const struct command *c, struct otst_args *args)
{
	const char *misfit = find_misfit(c, args);

	if (misfit)
		return otst_raise(o, OTST_ERR_USAGE, "-%c does not take %s; otst -h for help",
				  c->letter, misfit);
	if (c->operands || !args->nr_operands)
		return 0;
	if (otst_is_path(args->operands[0]))
		return otst_path_error(o, args->operands[0]);
	return otst_raise(o, OTST_ERR_USAGE, "-%c has no operands", c->letter);
}

static int raise_usage(struct otst *o)
{
	return otst_raise(o, OTST_ERR_USAGE, "%s\n%s\n%s\n%s\n%s",
			  usage[!otst_options(o)->in_session], usage[2], usage[3], usage[4],
			  usage[5]);
}

static int run(struct otst *o, const char *const *argv, struct otst_printer *p)
{
	struct otst_args args = { 0 };
	char letter = '\0';
	size_t i;
	int err;

	if (!argv[0] || !argv[1])
		return raise_usage(o);
	err = parse(o, argv, &args, &letter);
	if (err)
		return err;
	if (letter == 'V')
		otst_printf(p, "otst %s\n", otst_version());
	if (letter == 'h')
		print_help(p);
	if (letter == 'V' || letter == 'h')
		return 0;
	err = otst_debug_dir(o, args.modules);
	if (err)
		return err;
	args.json |= p->records != NULL;
	p->json = args.json;
	p->verbose = args.verbose;
	err = set_look(o, &args, p);
	if (err)
		return err;
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (commands[i].letter != letter)
			continue;
		err = check_misfits(o, &commands[i], &args);
		err = err ?: otst_memory_check(o);
		err = err ?: otst_image_check(o, args.force);
		if (err)
			return err;
		/* what is of a cpu would be missed without a word */
		if (otst_kernel(o)->error)
			otst_print_bad(p, "cpus", otst_kernel(o)->error);
		if (commands[i].whole && otst_is_live(o))
			return otst_run_live(o, commands[i].run, &args, p);
		return commands[i].run(o, &args, p);
	}
	return otst_raise(o, OTST_ERR_USAGE, "no command -%c", letter);
}

static int run_printed(struct otst *o, int argc, const char *const *argv,
		       const struct otst_output *out, const struct otst_records *records,
		       const struct otst_output *err, struct otst_printer *p)
{
	const char *const *words = copy_argv(o, argc, argv);
	int ret = words ? otst_printer_init(o, out, p) : OTST_ERR_NOMEM;

	if (!ret) {
		p->aside = err;
		p->records = records;
		ret = doubt(o, p, run(o, words, p));
		otst_flush(p);
		if (p->err == OTST_ERR_USAGE)
			ret = otst_raise(o, OTST_ERR_USAGE, "this command gives text, no records");
		ret = ret ? ret : p->err;
	}
	/* a decoder may have taken the end for an answer; a file's name stands in its own message */
	if (ret != OTST_ERR_FILE && otst_stopped(o))
		ret = otst_stopped(o);
	if (!ret && !p->covered && otst_doubts(o))
		complain_of_doubts(o, p, err);
	return ret;
}

static int exit_status(int err, const struct otst_printer *p)
{
	if (err == OTST_ERR_LOOKUP && p->gaps)
		return OTST_EXIT_PARTIAL;
	if (err)
		return err == OTST_ERR_USAGE ? OTST_EXIT_USAGE : OTST_EXIT_FAILED;
	if (p->unknown)
		return OTST_EXIT_FAILED;
	if (p->findings)
		return OTST_EXIT_FINDINGS;
	return p->bad || p->gaps ? OTST_EXIT_PARTIAL : OTST_EXIT_CLEAN;
}

/* @bad: what is wrong with @out or @records, or 0 */
static int run_line(struct otst *o, int argc, const char *const *argv,
		    const struct otst_output *out, const struct otst_records *records, int bad,
		    const struct otst_output *err)
{
	struct otst_output complaints;
	struct otst_printer p = { 0 };
	int ret = otst_take_output(err, &complaints);

	otst_command_begin(o);
	ret = ret ? ret : bad;
	if (ret)
		otst_raise(o, ret, "%s", otst_error_text(ret));
	else
		ret = run_printed(o, argc, argv, out, records, &complaints, &p);
	if (ret == OTST_ERR_OUTPUT)
		ret = 0; /* who closed the output wants no complaint */
	else if (ret && complaints.write)
		otst_complain(o, &complaints);
	otst_command_end(o);
	return exit_status(ret, &p);
}

int otst_run(struct otst *o, int argc, const char *const *argv, const struct otst_output *out,
	     const struct otst_output *err)
{
	struct otst_output taken;
	int bad = otst_take_output(out, &taken);

	return run_line(o, argc, argv, &taken, NULL, bad, err);
}

int otst_records(struct otst *o, int argc, const char *const *argv,
		 const struct otst_records *records, const struct otst_output *err)
{
	static const struct otst_output none;
	struct otst_records taken;
	int bad = otst_take_struct(&taken, sizeof(taken),
				   offsetof(struct otst_records, priv) + sizeof(taken.priv),
				   records);

	return run_line(o, argc, argv, &none, &taken, bad, err);
}
