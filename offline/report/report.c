// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * report.c - runs the commands that make up the page, and writes it.
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_LINES "200" /* of each trace array */

static void add_text_of(struct job *job, const char *headline, const char *option)
{
	const char *const words[] = { "otst", option, "-v" };
	struct html text = job_text(job, words, option[1] == 'i' ? 3 : 2);
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
		text = job_text(job, words, 6);
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
		job_run(job, words, (int)count + 3, NULL, &records);
		text = job_text(job, words, (int)count + 3);
		if (text.len)
			report_screens(r, text.text);
		free(text.text);
	}
	free(words);
}

/* ---- the page ---- */

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
	job_records(job, "-i");
	if (!job->done)
		return false;
	job_records(job, "-b");
	job_records(job, "-a");
	job_records(job, "-T");
	job_records(job, "-l");
	job_records(job, "-f");
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
	job_records(job, "-t");
	report_page(r, &page);
	snprintf(seal, sizeof(seal), OTST_PAGE_SEAL, otst_page_sum(page.text, page.len));
	html_append(&page, seal, strlen(seal));
	for (i = 0; i < PARTS; i++)
		r->broken |= r->parts[i].broken;
	if (r->broken || page.broken)
		complain("out of memory");
	good = !job_is_stopped(job) && !page.broken &&
	       (report_is_stdout(file) ?
			print_page(page.text, page.len) :
			output_write(file, OTST_WRITTEN_PAGE, page.text, page.len));
	free(page.text);
	return good;
}

int report_make(struct otst *o, const struct report_request *request,
		const volatile sig_atomic_t *interrupted)
{
	struct job job = { .o = o, .request = request, .interrupted = interrupted };
	char *file = NULL;
	bool good;

	if (request->bundle &&
	    (!bundle_folder(&job) || (request->file && !bundle_fits(&job, request->file))))
		return job.refused ? OTST_EXIT_USAGE : OTST_EXIT_FAILED;
	if (!request->file && asprintf(&file, "%s/report.html", request->bundle) < 0)
		return OTST_EXIT_FAILED;
	/* index.txt first: it says which files of the directory are a bundle's */
	good = ((request->file && report_is_stdout(request->file)) ||
		bundle_may_write(&job, file ? file : request->file, OTST_WRITTEN_PAGE)) &&
	       (!request->bundle || bundle_make(&job, true)) &&
	       make_page(&job, file ? file : request->file) &&
	       (!request->bundle || (bundle_make(&job, true) && bundle_make(&job, false)));
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
