/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * job.h - what those files share that run the commands of a report and write its files.
 */
#ifndef OTST_REPORT_JOB_H
#define OTST_REPORT_JOB_H

#include "../offline.h"
#include "report.h"

#include <stdio.h>
#include <time.h>

/**
 * struct job - the commands of one report
 * @said: complaints of a command
 * @done, @partial, @findings: how commands ended
 * @plans: names the files of the bundle, but does not make them yet
 * @refused: a file of the user's is in the way
 * @fresh: the directory of the bundle was not one before: what lies there is the user's
 * @written: when the bundle was that is replaced; 0 when it was not finished
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
	struct timespec written;
};

/* ---- output.c ---- */

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

/** output_open() - false after a complaint; output_close() is called in either case */
bool output_open(struct output *out, const char *path, enum otst_written what);

/** output_close() - @good: whether it was written whole; false after a complaint */
bool output_close(struct output *out, bool good);

/** output_write() - a whole file; false after a complaint */
bool output_write(const char *path, enum otst_written what, const char *text, size_t len);

/* ---- run.c ---- */

/** job_is_stopped() - the user asked to stop, or memory ran out */
bool job_is_stopped(const struct job *job);

/**
 * job_run() - run a command with the options of the request
 * @words: @count of them, "otst", "-l", ..
 * @text: gets its text; NULL: @records gets its records
 *
 * Return: enum otst_exit. What it complains of is in @job->said.
 */
int job_run(struct job *job, const char *const *words, int count, const struct otst_output *text,
	    const struct otst_records *records);

/** job_text() - text of a command; freed by the caller */
struct html job_text(struct job *job, const char *const *words, int count);

/** job_records() - give the records of a command to report_record(); its failure becomes a gap */
void job_records(struct job *job, const char *option);

/* ---- bundle.c ---- */

/** bundle_folder() - make the directory; false after a complaint */
bool bundle_folder(struct job *job);

/** bundle_fits() - would the page have the name of a listing; false after a complaint */
bool bundle_fits(struct job *job, const char *page);

/** bundle_may_write() - false after a complaint: a file of the user's is in the way */
bool bundle_may_write(struct job *job, const char *path, enum otst_written what);

/** bundle_make() - make index.txt, and unless @plans everything that it names; false after a complaint */
bool bundle_make(struct job *job, bool plans);

#endif /* OTST_REPORT_JOB_H */
