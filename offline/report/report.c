// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * report.c - runs the commands that make up the report, and writes its files.
 */
#include "report.h"
#include "../offline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_LINES "200" /* of each trace array */

/**
 * struct job - the commands of one report
 * @words: of the next command line; the first are the same for all
 * @said: complaints of a command
 * @done, @partial, @findings: how commands ended
 * @plans: names the files of the bundle, but does not make them yet
 * @refused: a file of the user's is in the way
 * @fresh: the directory of the bundle was not one before: what lies there is the user's
 */
struct job {
	struct otst *o;
	const struct report_request *request;
	const volatile sig_atomic_t *interrupted;
	struct report report;
	struct html said;
	bool done;
	bool partial;
	bool findings;
	bool plans;
	bool refused;
	bool fresh;
	struct timespec
		written; /* when the bundle was that is replaced; 0 when it was not finished */
};

/* ---- files ---- */

/**
 * struct output - a file that is written whole or not at all
 * @path: where it goes, with links followed
 * @part: its name until then
 */
struct output {
	FILE *f;
	enum otst_written what;
	char *path;
	char *part;
};

/* false after a complaint */
static bool open_output(struct output *out, const char *path, enum otst_written what)
{
	const char *problem = otst_output_problem(path, what, &out->path);

	int fd;

	*out = (struct output){ .path = problem ? NULL : out->path, .what = what };
	if (problem) {
		complain("%s: %s; it is not replaced", path, problem);
		return false;
	}
	fd = otst_output_open(out->path, &out->part);
	out->f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out->f)
		complain("%s: %s", path, strerror(errno));
	return out->f;
}

/* @good: whether it was written whole; false after a complaint */
static bool close_output(struct output *out, bool good)
{
	bool opened = out->f;
	const char *problem;

	good = opened && !ferror(out->f) && good;
	good = opened && !fclose(out->f) && good;
	problem = good ? otst_output_finish(out->part, out->path, out->what) : strerror(errno);
	if (opened && problem)
		complain("%s: %s", out->path, problem);
	if (opened && !good)
		unlink(out->part);
	free(out->part);
	free(out->path);
	return good && !problem;
}

bool report_is_stdout(const char *path)
{
	struct stat out, st;

	if (!strcmp(path, "-"))
		return true;
	/* a file in the place of the pipe is written as all others are */
	return !fstat(STDOUT_FILENO, &out) && !S_ISREG(out.st_mode) && !stat(path, &st) &&
	       st.st_dev == out.st_dev && st.st_ino == out.st_ino;
}

static bool print_page(const char *text, size_t len)
{
	/* main() complains of standard output */
	return fwrite(text, 1, len, stdout) == len && !fflush(stdout);
}

static bool write_file(const char *path, enum otst_written what, const char *text, size_t len)
{
	struct output out;
	bool good = open_output(&out, path, what);

	return close_output(&out, good && fwrite(text, 1, len, out.f) == len);
}

/* ---- running commands ---- */

static int add_text(void *priv, const char *text, size_t len)
{
	html_append(priv, text, len);
	return 0;
}

static int write_text(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

static int write_record(void *priv, const char *type, const char *json, size_t len)
{
	(void)type;
	return fwrite(json, 1, len, priv) != len || putc('\n', priv) == EOF;
}

static bool is_stopped(const struct job *job)
{
	return *job->interrupted || job->report.broken;
}

/* how a command ended; its complaints, if it failed */
static void judge_job(struct job *job, const char *const *words, int status)
{
	char command[64];
	size_t len = job->said.len;

	job->done |= status != OTST_EXIT_FAILED && status != OTST_EXIT_USAGE;
	/* of an option that all commands have */
	job->refused |= status == OTST_EXIT_USAGE;
	job->findings |= status == OTST_EXIT_FINDINGS;
	job->partial |= status != OTST_EXIT_CLEAN && status != OTST_EXIT_FINDINGS;
	if (len && status != OTST_EXIT_CLEAN && !*job->interrupted) {
		char *said = job->said.text;

		snprintf(command, sizeof(command), "%s %s", words[0], words[1]);
		said[len - (said[len - 1] == '\n')] = '\0';
		/* complain() adds this prefix itself */
		said += strncmp(said, "otst: ", 6) ? 0 : 6;
		report_gap(&job->report, command, said, NULL);
		complain("%s: %s", words[1], said);
	}
	job->said.len = 0;
}

/* -T and -f have no use for the modules' files; @i moves to the last word of an option that is left out */
static bool is_misfit(const struct report_request *q, const char *command, int *i)
{
	if ((command[1] != 'T' && command[1] != 'f') ||
	    strncmp(q->options[*i], "--modules", 9) != 0)
		return false;
	*i += !strcmp(q->options[*i], "--modules");
	return true;
}

/* @words: "otst", "-l", .. without the request's options; prints text unless @text is NULL */
static int run_command(struct job *job, const char *const *words, int count,
		       const struct otst_output *text, const struct otst_records *records)
{
	struct otst_output err = { .size = sizeof(err), .write = add_text, .priv = &job->said };
	const struct report_request *q = job->request;
	const char **all = calloc((size_t)(count + q->nr_options), sizeof(*all));
	int status = OTST_EXIT_FAILED, n = 0, i;

	if (!all || is_stopped(job)) {
		job->report.broken |= !all;
		free(all);
		return status;
	}
	all[n++] = words[0];
	for (i = 0; i < q->nr_options; i++) {
		if (!is_misfit(q, words[1], &i))
			all[n++] = q->options[i];
	}
	for (i = 1; i < count; i++)
		all[n++] = words[i];
	status = text ? otst_run(job->o, n, all, text, &err) :
			otst_records(job->o, n, all, records, &err);
	free(all);
	return status;
}

static void take_records(struct job *job, const char *option)
{
	struct otst_records records = { sizeof(records), report_record, &job->report };
	const char *const words[] = { "otst", option };

	job->report.command = option[1];
	judge_job(job, words, run_command(job, words, 2, NULL, &records));
}

/* text of a command; freed by the caller */
static struct html take_text(struct job *job, const char *const *words, int count)
{
	struct html text = { 0 };
	struct otst_output out = { .size = sizeof(out), .write = add_text, .priv = &text };
	int status = run_command(job, words, count, &out, NULL);

	/* the records of the same command have reported it already */
	job->said.len = 0;
	job->done |= status != OTST_EXIT_FAILED;
	job->report.broken |= text.broken;
	if (!text.len)
		add_text(&text, "", 0);
	return text;
}

static void add_text_of(struct job *job, const char *headline, const char *option)
{
	const char *const words[] = { "otst", option, "-v" };
	struct html text = take_text(job, words, option[1] == 'i' ? 3 : 2);
	char command[32];

	snprintf(command, sizeof(command), "otst %s%s", option, option[1] == 'i' ? " -v" : "");
	if (text.len)
		report_text(&job->report.parts[PART_TEXTS], headline, command, text.text,
			    job->report.parts[PART_TEXTS].limit / 5, false);
	free(text.text);
}

static void add_trace(struct job *job)
{
	struct report *r = &job->report;
	struct html *h = &r->parts[PART_TRACE];
	size_t i;

	for (i = 0; i < r->arrays.count; i++) {
		size_t used = h->len < h->limit ? h->len : h->limit;
		const char *name = r->arrays.items[i];
		char source[300], command[340];
		const char *const words[] = { "otst", "-t", "-s", source, "-n", LAST_LINES };
		struct html text;

		snprintf(source, sizeof(source), "ftrace%s%s", *name ? ":" : "", name);
		snprintf(command, sizeof(command), "otst -t -s %s -n " LAST_LINES, source);
		text = take_text(job, words, 6);
		if (text.len)
			report_text(h, *name ? name : "top", command, text.text,
				    (h->limit - used) / (r->arrays.count - i), true);
		free(text.text);
	}
}

/* -w for everything that is probed, in one run: records tell which text belongs to what */
static void add_screens(struct job *job)
{
	struct report *r = &job->report;
	struct otst_records records = { sizeof(records), report_record, r };
	size_t i, count = r->names.count;
	const char **words = calloc(count + 3, sizeof(*words));
	struct html text;

	r->has_screen = calloc(count + 1, sizeof(*r->has_screen));
	r->broken |= !words || !r->has_screen;
	if (!r->broken && count) {
		words[0] = "otst";
		words[1] = "-w";
		words[2] = "--";
		for (i = 0; i < count; i++)
			words[i + 3] = r->names.items[i];
		r->command = 'w';
		run_command(job, words, (int)count + 3, NULL, &records);
		text = take_text(job, words, (int)count + 3);
		if (text.len)
			report_screens(r, text.text);
		free(text.text);
	}
	free(words);
}

/* ---- the page ---- */

static size_t used_bytes(const struct report *r)
{
	size_t used =
		strlen(report_page_html) + strlen(report_style_css) + strlen(report_script_js);
	int i;

	for (i = 0; i < PARTS; i++)
		used += r->parts[i].len;
	/* plus the text that page.c adds itself */
	return used + r->limit / 16;
}

static void set_limits(struct report *r, size_t limit)
{
	static const unsigned int percent[PARTS] = {
		[PART_STACKS] = 5,   [PART_GAPS] = 5,	[PART_OWNERS] = 5, [PART_PROBES] = 25,
		[PART_SCREENS] = 15, [PART_TRACE] = 15, [PART_TEXTS] = 15, [PART_TRACERS] = 5,
	};
	int i;

	r->limit = limit;
	for (i = 0; i < PARTS; i++)
		r->parts[i].limit = limit / 100 * percent[i];
}

static bool make_page(struct job *job, const char *file)
{
	struct report *r = &job->report;
	struct html page = { 0 };
	char seal[64];
	size_t used;
	bool good;
	int i;

	set_limits(r, job->request->limit);
	take_records(job, "-i");
	if (!job->done)
		return false;
	take_records(job, "-b");
	take_records(job, "-a");
	take_records(job, "-T");
	take_records(job, "-l");
	take_records(job, "-f");
	add_text_of(job, "Verdict and stacks", "-b");
	add_text_of(job, "Audit", "-a");
	add_text_of(job, "Summary", "-i");
	add_text_of(job, "Tracers and trace arrays", "-T");
	add_text_of(job, "ftrace_ops and functions", "-f");
	add_trace(job);
	add_screens(job);
	report_probes(r);
	used = used_bytes(r);
	r->room = r->limit > used ? r->limit - used : 0;
	take_records(job, "-t");
	report_page(r, &page);
	snprintf(seal, sizeof(seal), OTST_PAGE_SEAL, otst_page_sum(page.text, page.len));
	html_append(&page, seal, strlen(seal));
	for (i = 0; i < PARTS; i++)
		r->broken |= r->parts[i].broken;
	if (r->broken || page.broken)
		complain("out of memory");
	good = !is_stopped(job) && !page.broken &&
	       (report_is_stdout(file) ? print_page(page.text, page.len) :
					 write_file(file, OTST_WRITTEN_PAGE, page.text, page.len));
	free(page.text);
	return good;
}

/* ---- the bundle ---- */

/* @name: comes from the dump, so it can be anything; @ret: a path in the bundle */
static bool bundle_path(const struct job *job, const char *name, const char *suffix, char **ret)
{
	char *s;

	if (asprintf(ret, "%s/%s%s", job->request->bundle, name, suffix) < 0)
		return false;
	for (s = *ret + strlen(job->request->bundle) + 1; *s; s++) {
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
			    *s))
			*s = '_';
	}
	return true;
}

/* a line of index.txt; @status: "-" until the command has run */
static void add_to_index(FILE *index, const char *status, const char *path,
			 const char *const *words, int count, bool json)
{
	int i;

	fprintf(index, "%s\t%s\totst", status, strrchr(path, '/') + 1);
	for (i = 1; i < count; i++)
		fprintf(index, " %s", words[i]);
	fprintf(index, "%s\n", json ? " -j" : "");
}

static bool holds_something(const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_size > 0;
}

/* why a file does not belong to the bundle that is replaced; NULL when it does */
static const char *find_stranger(const struct job *job, const char *path)
{
	const struct timespec *then = &job->written;
	struct stat st;

	if (stat(path, &st) || !st.st_size)
		return NULL;
	if (job->fresh)
		return "not a file of a bundle";
	/* index.txt is written last */
	if (then->tv_sec &&
	    (st.st_mtim.tv_sec > then->tv_sec ||
	     (st.st_mtim.tv_sec == then->tv_sec && st.st_mtim.tv_nsec > then->tv_nsec)))
		return "changed after the bundle was made";
	return NULL;
}

/* false after a complaint */
static bool may_write(struct job *job, const char *path, enum otst_written what)
{
	const char *problem = NULL;
	struct stat st;

	/* the page of a bundle is a file, as the others of it */
	if (!job->request->file && !lstat(path, &st) && S_ISLNK(st.st_mode))
		problem = "a symbolic link";
	problem = problem ? problem : otst_output_problem(path, what, NULL);
	if (!problem && what == OTST_WRITTEN_LISTING)
		problem = find_stranger(job, path);
	if (problem)
		complain("%s: %s; it is not replaced", path, problem);
	job->refused |= problem != NULL;
	return !problem;
}

static bool write_listing(struct job *job, const char *path, bool json, const char *const *words,
			  int count, int *status)
{
	struct output out;
	bool good = open_output(&out, path, OTST_WRITTEN_LISTING);
	struct otst_output text = { .size = sizeof(text), .write = write_text, .priv = out.f };
	struct otst_records records = { sizeof(records), write_record, out.f };

	if (good)
		*status = run_command(job, words, count, json ? NULL : &text, &records);
	if (good && job->said.len && !json)
		fwrite(job->said.text, 1, job->said.len, out.f);
	job->said.len = 0;
	return close_output(&out, good);
}

static bool bundle_command(struct job *job, const char *name, bool json, const char *const *words,
			   int count, FILE *index)
{
	char *path = NULL, number[16] = "-";
	int status = 0;
	bool good = bundle_path(job, name, json ? ".jsonl" : ".txt", &path);

	if (job->plans)
		good = good && may_write(job, path, OTST_WRITTEN_LISTING);
	else
		good = good && write_listing(job, path, json, words, count, &status);
	if (good && !job->plans)
		snprintf(number, sizeof(number), "%d", status);
	if (good)
		add_to_index(index, number, path, words, count, json);
	free(path);
	return good;
}

static bool bundle_commands(struct job *job, FILE *index)
{
	static const char *const commands[][2] = {
		{ "info", "-i" },   { "verdict", "-b" }, { "audit", "-a" },    { "probes", "-l" },
		{ "ftrace", "-f" }, { "tracers", "-T" }, { "captures", "-t" },
	};
	const struct list *arrays = &job->report.arrays;
	char name[96], source[300];
	bool good = true;
	size_t i;

	for (i = 0; good && i < sizeof(commands) / sizeof(*commands); i++) {
		const char *const words[] = { "otst", commands[i][1], "-v" };

		good = bundle_command(job, commands[i][0], false, words, 3, index) &&
		       bundle_command(job, commands[i][0], true, words, 2, index);
	}
	for (i = 0; good && i < arrays->count; i++) {
		const char *const words[] = { "otst", "-t", "-s", source };

		snprintf(source, sizeof(source), "ftrace%s%s", *arrays->items[i] ? ":" : "",
			 arrays->items[i]);
		snprintf(name, sizeof(name), "trace-%zu-%.40s", i, arrays->items[i]);
		good = bundle_command(job, name, false, words, 4, index);
	}
	return good;
}

/* makes index.txt, and unless @plans everything that it names */
static bool make_bundle(struct job *job, bool plans)
{
	char *path = NULL, *text = NULL;
	size_t len = 0;
	FILE *f;
	bool good;

	f = open_memstream(&text, &len);
	if (!f)
		return false;
	job->plans = plans;
	fputs(OTST_INDEX_HEAD, f);
	good = bundle_commands(job, f);
	good = !fclose(f) && good && !is_stopped(job) && bundle_path(job, "index", ".txt", &path);
	good = good && may_write(job, path, OTST_WRITTEN_INDEX) &&
	       write_file(path, OTST_WRITTEN_INDEX, text, len);
	free(path);
	free(text);
	return good;
}

/* does an index.txt have a status for each of its files */
static bool is_finished(const char *index)
{
	char line[512];
	FILE *f = fopen(index, "re");
	bool finished = f;

	while (finished && fgets(line, sizeof(line), f))
		finished = strncmp(line, "-\t", 2) != 0;
	if (f)
		fclose(f);
	return finished;
}

static bool make_folder(struct job *job)
{
	const char *path = job->request->bundle;
	struct stat st;
	char *index;

	if (mkdir(path, 0777) && errno != EEXIST) {
		complain("%s: %s", path, strerror(errno));
		return false;
	}
	job->refused = stat(path, &st) || !S_ISDIR(st.st_mode);
	if (job->refused) {
		complain("%s: not a directory; --bundle DIRECTORY", path);
		return false;
	}
	if (!bundle_path(job, "index", ".txt", &index))
		return false;
	job->fresh = !holds_something(index) ||
		     otst_output_problem(index, OTST_WRITTEN_INDEX, NULL);
	if (!job->fresh && is_finished(index) && !stat(index, &st))
		job->written = st.st_mtim;
	free(index);
	return true;
}

/* would the page have the name of a listing; false after a complaint */
static bool fits_bundle(struct job *job, const char *page)
{
	const char *slash = strrchr(page, '/'), *dot = strrchr(page, '.');
	struct stat folder, bundle;
	char *parent = slash ? strndup(page, (size_t)(slash + 1 - page)) : strdup(".");

	if (parent && dot && (!strcmp(dot, ".txt") || !strcmp(dot, ".jsonl")) &&
	    !stat(parent, &folder) && !stat(job->request->bundle, &bundle))
		job->refused = folder.st_dev == bundle.st_dev && folder.st_ino == bundle.st_ino;
	if (job->refused)
		complain("%s: the bundle has files of such names; the page needs another one",
			 page);
	free(parent);
	return !job->refused;
}

int report_make(struct otst *o, const struct report_request *request,
		const volatile sig_atomic_t *interrupted)
{
	struct job job = { .o = o, .request = request, .interrupted = interrupted };
	char *file = NULL;
	bool good;

	if (request->bundle &&
	    (!make_folder(&job) || (request->file && !fits_bundle(&job, request->file))))
		return job.refused ? OTST_EXIT_USAGE : OTST_EXIT_FAILED;
	if (!request->file && asprintf(&file, "%s/report.html", request->bundle) < 0)
		return OTST_EXIT_FAILED;
	/* index.txt first: it says which files of the directory are a bundle's */
	good = ((request->file && report_is_stdout(request->file)) ||
		may_write(&job, file ? file : request->file, OTST_WRITTEN_PAGE)) &&
	       (!request->bundle || make_bundle(&job, true)) &&
	       make_page(&job, file ? file : request->file) &&
	       (!request->bundle || (make_bundle(&job, true) && make_bundle(&job, false)));
	free(file);
	report_close(&job.report);
	free(job.said.text);
	if (*interrupted)
		complain("interrupted");
	if (!good)
		return job.refused ? OTST_EXIT_USAGE : OTST_EXIT_FAILED;
	return job.findings ? OTST_EXIT_FINDINGS :
	       job.partial  ? OTST_EXIT_PARTIAL :
			      OTST_EXIT_CLEAN;
}
