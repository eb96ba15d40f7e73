// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * bundle.c - the directory of --bundle: the text and the JSON of every command, and index.txt, which
 * says which files are the bundle's.
 */
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int write_text(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

static int write_record(void *priv, const char *type, const char *json, size_t len)
{
	(void)type;
	return fwrite(json, 1, len, priv) != len || putc('\n', priv) == EOF;
}

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

bool bundle_may_write(struct job *job, const char *path, enum otst_written what)
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
	bool good = output_open(&out, path, OTST_WRITTEN_LISTING);
	struct otst_output text = { .size = sizeof(text), .write = write_text, .priv = out.f };
	struct otst_records records = { sizeof(records), write_record, out.f };

	if (good)
		*status = job_run(job, words, count, json ? NULL : &text, &records);
	if (good && job->said.len && !json)
		fwrite(job->said.text, 1, job->said.len, out.f);
	job->said.len = 0;
	return output_close(&out, good);
}

static bool bundle_command(struct job *job, const char *name, bool json, const char *const *words,
			   int count, FILE *index)
{
	char *path = NULL, number[16] = "-";
	int status = 0;
	bool good = bundle_path(job, name, json ? ".jsonl" : ".txt", &path);

	if (job->plans)
		good = good && bundle_may_write(job, path, OTST_WRITTEN_LISTING);
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

bool bundle_make(struct job *job, bool plans)
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
	good = !fclose(f) && good && !job_is_stopped(job) &&
	       bundle_path(job, "index", ".txt", &path);
	good = good && bundle_may_write(job, path, OTST_WRITTEN_INDEX) &&
	       output_write(path, OTST_WRITTEN_INDEX, text, len);
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

bool bundle_folder(struct job *job)
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

bool bundle_fits(struct job *job, const char *page)
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
