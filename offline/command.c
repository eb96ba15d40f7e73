// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * command.c - the command line of the program: its files, its own options, and the words that are left for
 * the engine; the help page.
 */
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void note_misfit(struct command *c, const char *operand, const char *problem, bool unusable)
{
	if (c->misfit && !unusable)
		return;
	c->misfit = operand;
	c->problem = problem;
	c->unusable |= unusable;
}

/*
 * Nothing tells raw memory from any other large file whose name is a filter. It is a dump only
 * if no operand is known to be one: see take_guess().
 */
static void note_raw(struct command *c, const char *operand)
{
	if (!c->guess)
		c->guess = operand;
	else if (!c->second_guess)
		c->second_guess = operand;
}

static void drop_word(struct command *c, const char *word)
{
	int at;

	for (at = 1; at < c->count && c->words[at] != word; at++)
		;
	if (at == c->count)
		return;
	c->count--;
	memmove(c->words + at, c->words + at + 1, (size_t)(c->count - at) * sizeof(*c->words));
}

/* The guess was a word for the engine, too. */
static void take_guess(struct command *c)
{
	const char *ending = c->guess ? strrchr(c->guess, '.') : NULL;

	if (!c->guess)
		return;
	if (c->second_guess && !c->vmcore)
		note_misfit(c, c->second_guess, "a second memory image", true);
	else if (c->second_guess)
		note_misfit(c, c->second_guess, otst_path_problem(c->second_guess), false);
	if (!c->vmcore || (c->vmware && ending && !strcmp(ending, ".vmem")))
		drop_word(c, c->guess);
	else
		note_misfit(c, c->guess, otst_path_problem(c->guess), false);
	if (!c->vmcore)
		c->vmcore = c->guess;
}

/* True when the operand was one of the two files. */
static bool take_file(struct command *c, const char *operand)
{
	const char *advice;
	enum form form = form_of(operand, &advice);
	bool dump = form_is_dump(form);

	if (form == FORM_VMLINUX && !c->vmlinux) {
		c->vmlinux = operand;
		return true;
	}
	if (form == FORM_RAW) {
		note_raw(c, operand);
		return false;
	}
	if (dump && !c->vmcore) {
		c->vmware = form == FORM_VMWARE;
		c->split = form == FORM_PART;
		c->vmcore = operand;
		return true;
	}
	if (form == FORM_PART && c->split) {
		c->parts[c->nr_parts++] = operand;
		return true;
	}
	if (form == FORM_BTF && !c->btf) {
		c->btf = operand;
		return true;
	}
	if (form == FORM_BTF)
		note_misfit(c, operand, "a second file of BTF", true);
	else if (dump || form == FORM_VMLINUX)
		note_misfit(c, operand, dump ? "a second dump" : "a second vmlinux", true);
	else if (advice)
		note_misfit(c, operand, advice, true);
	else if (form == FORM_OTHER || strchr(operand, '/') || !access(operand, F_OK))
		note_misfit(c, operand, otst_path_problem(operand), false);
	else if (!c->absent)
		c->absent = operand;
	return false;
}

static bool take_long_option(struct command *c, const char *word)
{
	if (!strcmp(word, "--no-btf"))
		c->no_btf = true;
	else if (!strcmp(word, "--no-search"))
		c->no_search = true;
	else if (!strcmp(word, "--debuginfod"))
		c->debuginfod = true;
	else if (!strcmp(word, "--no-confine"))
		c->unconfined = true;
	else if (!strcmp(word, "--live"))
		take_file(c, LIVE_KERNEL);
	else if (!strcmp(word, "--help"))
		c->help = true;
	else if (!strcmp(word, "--version"))
		c->version = true;
	else
		return false;
	return true;
}

/* "-" alone is an operand */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* --report FILE, --report=FILE; @at: moves on to the argument, which is not the next option */
static bool take_option_of_two(struct command *c, int argc, char **argv, int *at)
{
	const struct {
		const char *name;
		const char **to;
	} options[] = { { "--report", &c->page },	    { "--btf", &c->btf },
			{ "--report-limit", &c->limit },    { "--bundle", &c->bundle },
			{ "--memory-map", &c->memory_map }, { "--threads", &c->threads } };
	const char *word = argv[*at], *next = *at + 1 < argc ? argv[*at + 1] : "";
	size_t len = strcspn(word, "="), i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (strlen(options[i].name) != len || strncmp(word, options[i].name, len) != 0)
			continue;
		if (*options[i].to)
			c->repeated = options[i].name;
		if (word[len]) {
			*options[i].to = word + len + 1;
		} else if (is_option(next)) {
			*options[i].to = "";
		} else {
			*options[i].to = next;
			++*at;
		}
		return true;
	}
	return false;
}

void command_parse(struct command *c, int argc, char **argv)
{
	bool operands_only = false;

	c->all_words = (const char *const *)argv + 1;
	c->nr_words = argc > 1 ? (size_t)argc - 1 : 0;
	c->words[c->count++] = "otst";
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		if (operands_only || !is_option(word)) {
			if (!take_file(c, word))
				c->words[c->count++] = word;
			continue;
		}
		if (take_long_option(c, word) || take_option_of_two(c, argc, argv, &i))
			continue;
		c->help |= !strcmp(word, "-h");
		c->version |= !strcmp(word, "-V");
		c->words[c->count++] = word;
		if (!strcmp(word, "--"))
			operands_only = true;
		else if (otst_takes_argument(word) && i + 1 < argc)
			c->words[c->count++] = argv[++i];
	}
	take_guess(c);
	c->need = otst_needs(c->count, c->words);
}

/* ---- help ---- */

static const char examples[] =
	"\nEXAMPLES\n"
	"  Was a hook in the crash; the dump alone, with Linux 5.10 and newer:\n\n"
	"    otst -b vmcore\n"
	"\n  All that there is, as a page for a support case:\n\n"
	"    otst --report page.html vmlinux vmcore\n"
	"\n  What was armed, by whom:\n\n"
	"    otst -l vmcore\n"
	"\n  The same of the kernel that runs here:\n\n"
	"    otst -l --live\n"
	"\n  The same of any kernel:\n\n"
	"    otst -l vmlinux vmcore\n"
	"\n  Is anything on vfs_read and its relatives:\n\n"
	"    otst -l vmcore 'vfs_read*'\n"
	"\n  Everything that a module armed, every field:\n\n"
	"    otst -l -v vmcore kprobe_test\n"
	"\n  What was captured on cpu 1, as a flame graph:\n\n"
	"    otst -t -c 1 -x folded vmcore | flamegraph.pl > traces.svg\n"
	"\n  Stack traces in an old log, without a dump:\n\n"
	"    otst -t -s log --text /var/log/messages\n"
	"\n  What triggers and filters were set on events:\n\n"
	"    otst -T vmcore show_event_triggers show_event_filters\n"
	"\n  The last scheduler events before the crash, as the trace file shows them:\n\n"
	"    otst -t -s ftrace -n 100 vmcore 'sched:*'\n"
	"\n  What happens in a call of vfs_read, and who is inside:\n\n"
	"    otst -w vmlinux vmcore vfs_read\n"
	"\n  Could a dump of the kernel that runs here be read; no dump, no root:\n\n"
	"    otst --readiness\n"
	"\n  Which of many dumps have a probe on do_sys_open, which have none:\n\n"
	"    for core in */vmcore; do otst -l \"$core\" do_sys_open; done\n";

/* The engine's examples are for a session: they name no files. */
static bool is_examples(const char *line)
{
	return !strcmp(line, "\nEXAMPLES");
}

void command_help(void)
{
	const char *const *line = otst_help();

	printf("%s - %s\n\n", line[0], line[1]);
	printf("usage: otst [options] [VMLINUX] VMCORE [filter ..]\n\n"
	       "    --help     this page\n"
	       "    --version  the version\n"
	       "    --report   instead of a command: write one page of HTML into this file, with\n"
	       "               findings, probes, captures and traces; it needs nothing beside it\n"
	       "    --bundle   write the text and the JSON of every command into this directory,\n"
	       "               beside the page\n"
	       "    --report-limit  bytes that the page may have, 800K, 5M (5M); it says what it\n"
	       "               leaves out\n"
	       "    --threads  how many threads may inflate pages and print ring buffers (as many as\n"
	       "               the process has processors, 8 at most)\n"
	       "    --readiness  instead of a command: what could be read in a dump of a kernel. Its\n"
	       "               types are enough: a file of BTF, a vmlinux; the running kernel's without\n"
	       "    --btf      take types from this file of the kernel's BTF, raw or ELF\n"
	       "    --no-btf   take types from debug information alone\n"
	       "    --no-search  do not look for VMLINUX where distributions install it\n"
	       "    --debuginfod  ask the servers of DEBUGINFOD_URLS for VMLINUX, too\n"
	       "    --memory-map  a file that says what is where in a memory image without headers:\n"
	       "               lines START END OFFSET, or /proc/iomem\n"
	       "    --no-confine  do not give up the rights that reading needs not, as debuggers and\n"
	       "               tracers want it; see SECURITY.md\n"
	       "    --live     of the kernel that runs here, in the place of VMCORE; needs root\n\n");
	for (line += 3; *line && !is_examples(*line); line++)
		puts(*line);
	fputs(examples, stdout);
}
