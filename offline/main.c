// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * main.c - the program otst: finds the files among the operands, opens them, passes
 * the command line to the engine and writes the engine's text to standard output.
 */
#include "offline.h"
#include "report/report.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/**
 * struct command - what the command line says
 * @words: words for the engine: name, options, the remaining operands
 * @parts: @nr_parts more files of the split dump that @vmcore begins; room for all operands
 * @page, @bundle, @limit: for the report; "" when the argument is missing
 */
struct command {
	const char **words;
	int count;
	const char *vmlinux;
	const char *vmcore;
	const char **parts;
	size_t nr_parts;
	bool split; /* @vmcore is a part */
	const char *btf;
	bool vmware;	   /* @vmcore is a state of VMware: a .vmem belongs to it */
	const char *guess; /* a word that may be a file of raw memory: no other dump is named */
	const char *second_guess;
	const char *memory_map;
	const char *misfit;  /* an operand that looks like a file but is not one of use */
	const char *problem; /* what is wrong with @misfit */
	const char *absent; /* the first operand that names no file: a filter, or a mistyped file */
	bool unusable;	    /* @misfit cannot be a filter either */
	const char *repeated; /* an option that has a file or a size, and was given twice */
	bool running;	      /* @btf is of the kernel that runs here */
	enum otst_need need;
	bool no_btf;
	bool no_search;
	bool debuginfod;
	bool help;
	bool version;
	const char *page;
	const char *bundle;
	const char *limit;
	const char *threads;
	const char *const *all_words; /* of the command line, the name apart; @nr_words */
	size_t nr_words;
	bool unconfined;
};

/* unless --threads gives another number */
#define THREADS_USED 8
#define THREADS_MAX  64u

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/*
 * Ctrl-C is caught once: a second one ends a program that does not look at the flag. A file
 * that may not grow further is an error of write(), and not the end of the program.
 */
static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &sa, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

/* ---- command line ---- */

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

static void parse_words(struct command *c, int argc, char **argv)
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

/* ---- output ---- */

static int write_stream(void *priv, const char *text, size_t len)
{
	progress_end();
	return fwrite(text, 1, len, priv) != len;
}

/* Complaints and results must appear in the order in which they were made. */
static int write_error(void *priv, const char *text, size_t len)
{
	fflush(stdout);
	return write_stream(priv, text, len);
}

/* a terminal has a width, and colours unless NO_COLOR (no-color.org) is set */
static struct otst_output standard_output(void)
{
	struct otst_output out = { .size = sizeof(out), .write = write_stream, .priv = stdout };
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return out;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		out.width = size.ws_col;
	out.color = !(no && *no) && term && strcmp(term, "dumb") != 0;
	return out;
}

static int finish_output(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	/* The reader went away, as in "otst ... | head"; that is not an error. */
	if (errno == EPIPE)
		return status == OTST_EXIT_CLEAN ? OTST_EXIT_FAILED : status;
	if (interrupted)
		complain("interrupted");
	else
		complain("cannot write the output: %s", strerror(errno));
	return OTST_EXIT_FAILED;
}

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

static void print_help(void)
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

/* ---- running ---- */

/* the engine only asks whether there is such a symbol; addresses are hidden from most users */
static int find_name(void *priv, const char *name, uint64_t *ret)
{
	if (!names_have(priv, name))
		return OTST_ERR_LOOKUP;
	*ret = 0;
	return 0;
}

static bool is_interrupted(void *priv)
{
	(void)priv;
	progress_tick();
	return interrupted;
}

static void note_progress(void *priv, const char *what, uint64_t done, uint64_t all)
{
	(void)priv;
	progress_step(what, done, all);
}

static int read_nothing(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	(void)priv, (void)space, (void)addr, (void)buf, (void)len;
	return OTST_ERR_FAULT;
}

/* without @priv, struct names, no kernel was given, so nothing of it can be missing */
static bool knows_all(void *priv, int what)
{
	return !priv || what != OTST_KNOWS_SYMBOLS || names_have_data(priv);
}

/* the directory in which VMLINUX is looked for; NULL: it is not */
static const char *search_root(const struct command *c)
{
	const char *root = getenv("OTST_SEARCH");

	if (c->no_search || (root && !*root))
		return NULL;
	return root ? root : "/";
}

/* the file of -x trace.dat:FILE; NULL when there is none */
static const char *find_data(const struct command *c)
{
	static const char name[] = "trace.dat:";
	const char *at = NULL;

	for (int i = 1; i < c->count && !at; i++)
		at = strstr(c->words[i], name);
	return at ? at + strlen(name) : NULL;
}

static uint64_t memory_limit(const struct command *c)
{
	const char *size = NULL;

	for (int i = 1; i < c->count; i++) {
		if (!strncmp(c->words[i], "--memory=", 9))
			size = c->words[i] + 9;
		else if (!strcmp(c->words[i], "--memory") && i + 1 < c->count)
			size = c->words[i + 1];
	}
	return size ? otst_size(size) : otst_memory_default();
}

/*
 * The point of no return: from here on nothing can be done that reading does not need. debuginfod's
 * library opens sockets and files of its own, and is told by the dump what to ask for.
 */
static void give_up_rights(const struct command *c)
{
	const struct confinement what = { .words = c->all_words,
					  .nr_words = c->nr_words,
					  .search = search_root(c),
					  .page = c->page && !report_is_stdout(c->page) ? c->page :
											  NULL,
					  .bundle = c->bundle,
					  .data = find_data(c),
					  .memory = memory_limit(c),
					  .types = c->running ? c->btf : NULL,
					  .live = c->vmcore && live_is_path(c->vmcore) };

	if (!c->unconfined && !c->debuginfod)
		confine(&what);
}

/*
 * without a dump: a log as text, the image of its kernel; for --readiness types or an image,
 * or @names, the symbols of the kernel that runs here
 */
static int run_alone(const struct command *c, const struct names *names)
{
	const struct otst_target_ops ops = { .size = sizeof(ops),
					     .name = "none",
					     .read = read_nothing,
					     .symbol = names ? find_name : NULL,
					     .interrupted = is_interrupted,
					     .progress = note_progress,
					     .knows = knows_all };
	struct otst_output out = standard_output(),
			   err = { .size = sizeof(err), .write = write_error, .priv = stderr };
	const struct otst_options options = {
		.size = sizeof(options), .vmlinux = c->vmlinux, .no_btf = c->no_btf, .btf = c->btf
	};
	int status = OTST_EXIT_FAILED, refused;
	struct otst *o;

	give_up_rights(c);
	catch_signals();
	refused = otst_open(&ops, (void *)names, c->vmlinux || c->btf ? &options : NULL, &o);
	if (refused) {
		complain("%s", otst_error_text(refused));
		return status;
	}
	status = otst_run(o, c->count, c->words, &out, &err);
	otst_close(o);
	return status;
}

#define RUNNING_TYPES "/sys/kernel/btf/vmlinux"

/* any user may read the types and the names of the kernel that runs here */
static int run_readiness(struct command *c)
{
	struct names *names = NULL;
	int status;

	if (c->btf || c->vmlinux)
		return run_alone(c, NULL);
	c->btf = RUNNING_TYPES;
	c->running = true;
	if (access(c->btf, R_OK)) {
		complain("%s: %s", c->btf, strerror(errno));
		return OTST_EXIT_FAILED;
	}
	names = names_read("/proc/kallsyms");
	status = run_alone(c, names);
	names_free(names);
	return status;
}

/* each decoder that readiness asks takes a command's memory and gives it back: it is kept for the next one */
static void keep_memory(const struct command *c)
{
	if (c->need == OTST_NEED_TYPES) {
		mallopt(M_MMAP_THRESHOLD, 32 << 20);
		mallopt(M_TRIM_THRESHOLD, 256 << 20);
	}
}

static bool wants_report(const struct command *c)
{
	return c->page || c->bundle || c->limit;
}

/* false after a complaint, when something else than a page is there */
static bool check_page(const char *page)
{
	const char *problem =
		report_is_stdout(page) ? NULL : otst_output_problem(page, OTST_WRITTEN_PAGE, NULL);

	if (problem)
		complain("--report %s: %s; it is not replaced. FILE comes first: "
			 "otst --report FILE [VMLINUX] VMCORE",
			 page, problem);
	return !problem;
}

/* is the request for a report valid; false after a complaint */
static bool check_report(const struct command *c)
{
	int i;

	if (c->page && !*c->page)
		complain("--report needs a file");
	else if (c->bundle && !*c->bundle)
		complain("--bundle needs a directory");
	else if (c->bundle && !strcmp(c->bundle, "-"))
		complain(
			"-: a bundle is not written to standard output; ./- is a directory of that name");
	else if (c->limit && (!*c->limit || otst_size(c->limit) < REPORT_LEAST))
		complain("--report-limit needs a size, 256K at least");
	else if (!c->page && !c->bundle)
		complain("--report-limit is for --report and --bundle");
	else {
		for (i = 1; i < c->count; i++) {
			if (!strcmp(c->words[i], "--modules") || !strcmp(c->words[i], "--memory"))
				i++;
			else if (strncmp(c->words[i], "--modules=", 10) != 0 &&
				 strncmp(c->words[i], "--memory=", 9) != 0 &&
				 strcmp(c->words[i], "--force") != 0)
				break;
		}
		if (i >= c->count)
			return true;
		complain(
			"%s: %sa report is of all commands; it takes --modules, --memory and --force",
			c->words[i], c->words[i] == c->absent ? "no such file; " : "");
	}
	return false;
}

static int make_report(const struct command *c, struct otst *o)
{
	const struct report_request request = { .file = c->page,
						.bundle = c->bundle,
						.limit = c->limit ? otst_size(c->limit) :
								    REPORT_LIMIT,
						.options = c->words + 1,
						.nr_options = c->count - 1 };

	return report_make(o, &request, &interrupted);
}

/* one thread decodes; more than a few others have nothing to do */
static unsigned int count_threads(const struct command *c)
{
	cpu_set_t set;
	int count;

	if (c->threads)
		return (unsigned int)strtoul(c->threads, NULL, 10);
	count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
	return count < THREADS_USED ? (unsigned int)count : THREADS_USED;
}

static bool check_threads(const struct command *c)
{
	char *end;
	unsigned long n;

	if (!c->threads)
		return true;
	n = strtoul(c->threads, &end, 10);
	if (*c->threads >= '0' && *c->threads <= '9' && !*end && n >= 1 && n <= THREADS_MAX)
		return true;
	complain("--threads needs a number from 1 to %u", THREADS_MAX);
	return false;
}

static int run_command(const struct command *c)
{
	struct otst_output out = standard_output(),
			   err = { .size = sizeof(err), .write = write_error, .priv = stderr };
	struct otst_options options = { .size = sizeof(options),
					.vmlinux = c->vmlinux,
					.no_btf = c->no_btf,
					.btf = c->btf,
					.search = search_root(c),
					.debuginfod = c->debuginfod };
	int status = OTST_EXIT_FAILED, refused;
	const struct dump_files files = { c->vmcore, c->parts, c->nr_parts, c->memory_map };
	struct offline *f;
	struct otst *o;

	loaded_drop();
	give_up_rights(c);
	if (offline_open(&files, &interrupted, count_threads(c), &f))
		return OTST_EXIT_FAILED;
	catch_signals();
	options.live = offline_is_live(f);
	options.big_endian = offline_is_big_endian(f);
	refused = otst_open(offline_ops(f), f, &options, &o);
	if (refused) {
		complain("%s", otst_error_text(refused));
	} else {
		status = wants_report(c) ? make_report(c, o) :
					   otst_run(o, c->count, c->words, &out, &err);
		otst_close(o);
	}
	offline_close(f);
	return status;
}

/* are the files that options name given; false after a complaint */
static bool check_files(const struct command *c)
{
	if (c->repeated)
		complain("%s is given twice", c->repeated);
	else if (c->memory_map && !*c->memory_map)
		complain("--memory-map needs a file");
	else if (c->btf && !*c->btf)
		complain("--btf needs a file");
	else if (c->btf && c->no_btf)
		complain("--btf and --no-btf exclude each other");
	else
		return true;
	return false;
}

static int run_parsed(struct command *c)
{
	if (c->version) {
		printf("otst %s\n"
		       "confined: %s\n",
		       otst_version(), confine_parts());
		return OTST_EXIT_CLEAN;
	}
	if (c->help) {
		print_help();
		return OTST_EXIT_CLEAN;
	}
	if (c->need == OTST_NEED_NOTHING && !c->vmcore && !c->unusable)
		return run_alone(c, NULL);
	if (!check_threads(c) || !check_files(c))
		return OTST_EXIT_USAGE;
	if (c->need == OTST_NEED_TYPES && !c->vmcore && !c->misfit && !c->absent)
		return run_readiness(c);
	if (c->page && *c->page && !check_page(c->page))
		return OTST_EXIT_USAGE;
	if (c->vmcore && !c->unusable)
		return wants_report(c) && !check_report(c) ? OTST_EXIT_USAGE : run_command(c);
	if (c->misfit) {
		complain("%s: %s", c->misfit, c->problem);
		/* a file that is not a dump is a failure; two dumps are a usage error */
		return c->vmcore ? OTST_EXIT_USAGE : OTST_EXIT_FAILED;
	}
	complain(
		"%s%sno dump among the operands; usage: otst [options] [VMLINUX] VMCORE [filter ..]",
		c->absent ? c->absent : "", c->absent ? ": no such file; " : "");
	return c->absent ? OTST_EXIT_FAILED : OTST_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	struct command c = { 0 };
	int status;

	c.words = calloc((size_t)argc + 1, sizeof(*c.words));
	c.parts = calloc((size_t)argc + 1, sizeof(*c.parts));
	if (!c.words || !c.parts) {
		complain("out of memory");
		return OTST_EXIT_FAILED;
	}
	parse_words(&c, argc, argv);
	keep_memory(&c);
	progress_begin();
	status = argc < 2 ? run_alone(&c, NULL) : run_parsed(&c);
	progress_end();
	status = finish_output(status);
	free(c.words);
	free(c.parts);
	return status;
}
