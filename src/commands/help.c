// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * help.c - the help page, and the short one for a command line without arguments.
 */
#include "commands.h"

/* for a bare command name; the first of two lines is for a session, which has its dump */
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
	"  otst -a [-v] [-j] [--modules dir] [--all-memory] [--force]\n"
	"  otst -b [-v] [-j] [--modules dir]\n"
	"  otst -b [-v] [-j] --text file\n"
	"  otst -i [-v] [-j] [--modules dir]\n"
	"  otst -R [-j]",
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
	"        stuck or own a lock, each frame with what hooks its function. With --text by a",
	"        log alone: what died, whose code failed, and its trace.",
	"    -i  summary in 25 lines: kernel, counts by kind and owner, tracing, what could not",
	"        be read.",
	"    -R  what of this kernel could be read: each kind of probe, source of",
	"        traces and file of tracefs is ready, not in this kernel, or not ready, with",
	"        the structures, members and symbols that its decoder misses. Of the dump",
	"        only types and symbols are used.",
	"",
	"    -v  every field; with -l the bytes as built, as saved in the record and as",
	"        found, and which processes hold a BPF program open; with -f the functions",
	"        in the filters; with -T all those files; with -a each place that differs,",
	"        and every one that nothing explains; with -i every owner and trace array;",
	"        with -t addresses, and lines of source with the calls that were inlined",
	"        there, where vmlinux and the modules' files have debug information",
	"    -j  JSON, one object a line (docs/otst.schema.json); several commands, -i -l,",
	"        print one after the other, and the dump is opened once",
	"    -k  only these kinds; \"-k help\" lists them",
	"    -s  only these sources of traces; \"-s help\" lists them",
	"    -p  only traces of this process id",
	"    -c  only traces of these cpus: 0,2-3",
	"    -n  only so many of the newest traces",
	"    -x  folded: one line a stack and how often it came, for flame graphs; without",
	"        guessed frames; speedscope: the same as a file for speedscope;",
	"        perfetto: captures that have a time as JSON for Perfetto;",
	"        log: the log again, frames with file and line, the calls inlined there, and",
	"        with a dump what hooks their functions;",
	"        stacksnoop: records of BPF programs as bcc's stacksnoop printed them first,",
	"        a frame a line; stacksnoop:function: as it does since, by function; with -v",
	"        also COMM, PID, CPU, with -o offsets, with -p only of this process;",
	"        trace.dat:FILE: with -s ftrace or snapshot, or one instance of them, write",
	"        the ring buffers into FILE for trace-cmd report and KernelShark; -v with",
	"        what was read already",
	"    -o  with -x stacksnoop: symbols with offsets",
	"    --text  read the kernel log from this text file, such as an old",
	"        /var/log/messages, and not from the dump; the stand-alone program then",
	"        needs no dump; -: standard input; may be given several times",
	"    --modules  look for modules with debug information, and for their text as built,",
	"        in this directory, too",
	"    --all-memory  with -a: search all memory for words that lead into a module that",
	"        hides, or into executable memory of nobody, and say what has them; it takes",
	"        as long as reading the dump",
	"    --force  with any command: use a vmlinux, and modules' files, of another build",
	"        than those in the dump; else such a vmlinux ends the command with status 1,",
	"        and such files are left out",
	"    --width  columns that lines should fit: what has no room goes to a second line of",
	"        its record; 0: each record in one line, however long. Else the terminal's;",
	"        in a pipe or a file a record is one line",
	"    --color  always or never: colours for what is wrong, and for states. Else auto:",
	"        on a terminal, unless NO_COLOR is set; in crash and gdb never",
	"    --memory  memory that a command may use for what it finds: 512M, 4G; then it stops",
	"        with what it has, status 3. Else a quarter of the machine's",
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

void otst_print_help(struct otst_printer *p)
{
	const char *const *line;

	otst_printf(p, "%s - %s\n\n  %s %s\n\n", help[0], help[1], help[0], help[2]);
	for (line = help + 3; *line; line++)
		otst_printf(p, "%s\n", *line);
}

int otst_raise_usage(struct otst *o)
{
	return otst_raise(o, OTST_ERR_USAGE, "%s\n%s\n%s\n%s\n%s",
			  usage[!otst_options(o)->in_session], usage[2], usage[3], usage[4],
			  usage[5]);
}
