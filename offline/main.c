// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * main.c - the program otst: opens the files that the command line names (command.c), passes the rest
 * to the engine and writes the engine's text to standard output.
 */
#include "command.h"
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
		command_help();
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
	command_parse(&c, argc, argv);
	keep_memory(&c);
	progress_begin();
	status = argc < 2 ? run_alone(&c, NULL) : run_parsed(&c);
	progress_end();
	status = finish_output(status);
	free(c.words);
	free(c.parts);
	return status;
}
