// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * run.c - runs a command of the engine for the report.
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

static int add_text(void *priv, const char *text, size_t len)
{
	html_append(priv, text, len);
	return 0;
}

bool job_is_stopped(const struct job *job)
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

int job_run(struct job *job, const char *const *words, int count, const struct otst_output *text,
	    const struct otst_records *records)
{
	struct otst_output err = { .size = sizeof(err), .write = add_text, .priv = &job->said };
	const struct report_request *q = job->request;
	const char **all = calloc((size_t)(count + q->nr_options), sizeof(*all));
	int status = OTST_EXIT_FAILED, n = 0, i;

	if (!all || job_is_stopped(job)) {
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

void job_records(struct job *job, const char *option)
{
	struct otst_records records = { sizeof(records), report_record, &job->report };
	const char *const words[] = { "otst", option };

	job->report.command = option[1];
	judge_job(job, words, job_run(job, words, 2, NULL, &records));
}

struct html job_text(struct job *job, const char *const *words, int count)
{
	struct html text = { 0 };
	struct otst_output out = { .size = sizeof(out), .write = add_text, .priv = &text };
	int status = job_run(job, words, count, &out, NULL);

	/* the records of the same command have reported it already */
	job->said.len = 0;
	job->done |= status != OTST_EXIT_FAILED;
	job->report.broken |= text.broken;
	if (!text.len)
		add_text(&text, "", 0);
	return text;
}
