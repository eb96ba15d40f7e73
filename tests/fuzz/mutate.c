// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate.c - otst-mutate: otst on thousands of damaged copies of one dump.
 *
 *	otst-mutate [--cases N] [--seed S] [--first CASE] [--jobs N] [--show]
 *	            [--steps N] [--stride N] [--vmlinux FILE] DUMP
 *
 * Opens the dump once and keeps the pages that an undamaged run reads. Each
 * case damages these in memory with a seed of its own, made from --seed and the
 * case's number, and runs every listing over them. A case fails when it
 * crashes, takes more than OTST_TEST_SECONDS (2) of cpu time, leaks memory,
 * prints a control character or something that is not JSON, or returns a status
 * that no command may return. To repeat the failing case:
 *
 *	otst-mutate --seed S --first CASE --cases 1 --show [--vmlinux FILE] DUMP
 *
 * With --steps 1 each case is one change that means something (meanings.h), in order, and runs the
 * listings that read its page; --stride N takes one in N of them. With more, a case has up to that
 * many of them, at random, and runs all.
 *
 * Exit status: 0 all passed, 1 a case failed, 99 broken set-up.
 */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../faults/fault_target.h"
#include "meanings.h"
#include "open_dump.h"

#define EXIT_BROKEN 99

/**
 * struct job - a range of cases
 * @steps: changes of one step that mean something, @nr_steps; @most_steps of them in a case, 0 for none
 * @stride: of the cases' numbers
 * @users: bits of the listings that the current case runs, by their place in dump_commands[]
 * @bad: what is wrong with the current case, or NULL
 * @line: the current line of JSON, as far as it was printed
 */
struct job {
	struct page_store *store;
	struct fault_target fault;
	uint64_t seed;
	uint64_t first;
	uint64_t cases;
	struct meaning_step *steps;
	size_t nr_steps;
	unsigned int most_steps;
	unsigned int stride;
	unsigned int users;
	bool show;
	const char *bad;
	bool json;
	char *line;
	size_t len;
	size_t room;
	uint64_t statuses[5];
	double slowest;
	uint64_t slowest_case;
};

/* For the signal handler: which case is being run, on which dump. */
static struct {
	uint64_t seed;
	volatile uint64_t number;
	const char *path;
	const char *vmlinux; /* NULL when there is none */
	unsigned int steps;
} current;

static void say_case(const char *what)
{
	const char *vmlinux = current.vmlinux;
	char text[512];
	int len = snprintf(text, sizeof(text),
			   "otst-mutate: case %" PRIu64 " of seed %" PRIu64
			   " %s: otst-mutate --seed %" PRIu64 " --first %" PRIu64
			   " --cases 1 --show --steps %u %s%s%s%s\n",
			   current.number, current.seed, what, current.seed, current.number,
			   current.steps, vmlinux ? "--vmlinux " : "", vmlinux ? vmlinux : "",
			   vmlinux ? " " : "", current.path);

	if (len > 0 && write(STDERR_FILENO, text, (size_t)len) < 0)
		_exit(1);
}

static void on_signal(int signal)
{
	if (signal == SIGPROF) {
		say_case("hangs");
		_exit(1);
	}
	say_case("crashes");
	/* once more, for the core file and the exit status */
	raise(signal);
}

/* Sanitizers end the program themselves; they call this first. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void on_sanitizer_death(void)
{
	say_case("crashes");
}

static void catch_signals(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGPROF, &sa, NULL);
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(on_sanitizer_death);
		return;
	}
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i], &sa, NULL);
}

/* Cpu time, so that a busy machine does not look like a hang. */
static void set_limit(double seconds)
{
	struct itimerval t = {
		.it_value = { .tv_sec = (time_t)seconds,
			      .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) }
	};

	setitimer(ITIMER_PROF, &t, NULL);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- looking at the output ---- */

static void check_json(struct job *j)
{
	struct json_object *value, *type = NULL;

	j->line[j->len] = '\0';
	value = json_tokener_parse(j->line);
	if (!value || !json_object_object_get_ex(value, "type", &type))
		j->bad = "prints a line that is not a JSON object with a type";
	json_object_put(value);
	j->len = 0;
}

static int look_at(void *priv, const char *text, size_t len)
{
	struct job *j = priv;

	if (dump_bad_byte(text, len) >= 0)
		j->bad = "prints a control character";
	for (size_t i = 0; j->json && i < len; i++) {
		if (j->len + 2 > j->room) {
			j->room = 2 * j->room + 4096;
			j->line = realloc(j->line, j->room);
			if (!j->line)
				exit(EXIT_BROKEN);
		}
		if (text[i] == '\n')
			check_json(j);
		else
			j->line[j->len++] = text[i];
	}
	return 0;
}

static int look_at_complaint(void *priv, const char *text, size_t len)
{
	struct job *j = priv;

	if (dump_bad_byte(text, len) >= 0)
		j->bad = "prints a control character";
	return 0;
}

static int show(void *priv, const char *text, size_t len)
{
	fwrite(text, 1, len, stdout);
	return look_at(priv, text, len);
}

/* ---- cases ---- */

/* damaged bounds of the kernel's text can make a function a variable, which -w does not take */
static bool may_return(const char *const *words, int status)
{
	return status >= 0 && status <= 4 && (status != OTST_EXIT_USAGE || !strcmp(words[1], "-w"));
}

static void run_commands(struct job *j)
{
	struct otst_output out = { .size = sizeof(out),
				   .write = j->show ? show : look_at,
				   .priv = j };
	struct otst_output err = { .size = sizeof(err),
				   .write = j->show ? show : look_at_complaint,
				   .priv = j };
	struct otst *o;

	if (fault_target_open(&j->fault, &o)) {
		j->bad = "cannot be opened";
		return;
	}
	for (size_t i = 0; dump_commands[i]; i++) {
		const char *const *words = dump_commands[i];
		int count = 0, status;

		if (!(j->users >> i & 1))
			continue;
		j->json = false;
		for (; words[count]; count++)
			j->json |= !strcmp(words[count], "-j");
		if (j->show)
			err.write = look_at_complaint;
		status = otst_run(o, count, words, &out, &err);
		if (j->len)
			j->bad = "ends in the middle of a line";
		j->len = 0;
		if (!may_return(words, status))
			j->bad = "returns a status that no command may return";
		else
			j->statuses[status]++;
	}
	otst_close(o);
}

static size_t bytes_in_use(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

/*
 * Did the commands leak memory? The allocator keeps small blocks too (up to seven of a size), so a
 * case that seems to leak is repeated: a leak grows each time.
 */
static bool is_leak(struct job *j)
{
	for (int i = 0; i < 200; i++) {
		size_t before = bytes_in_use();

		j->fault.reads = 0;
		run_commands(j);
		if (bytes_in_use() <= before)
			return false;
	}
	return true;
}

/* changes that mean something: the one with this number, or some */
static void plan_steps(struct job *j, uint64_t number, uint64_t state)
{
	uint64_t n = j->most_steps > 1 ? 1 + fault_random(&state) % j->most_steps : 0;

	fault_target_reset(&j->fault);
	if (!n) {
		j->users = j->steps[number].users;
		meanings_add(&j->fault, &j->steps[number]);
	}
	while (n--)
		meanings_add(&j->fault, &j->steps[fault_random(&state) % j->nr_steps]);
}

/* Returns 0, or 1 when the case failed. */
static int run_case(struct job *j, uint64_t number, double limit,
		    const struct store_page *const *records, size_t nr_records,
		    const struct store_page *const *all, size_t nr_all)
{
	uint64_t state = j->seed ^ number * 0xd1342543de82ef95ull;
	double began, took;
	size_t before;

	current.number = number;
	if (j->most_steps)
		plan_steps(j, number, state);
	/* mostly records; now and then the tables of symbols and types */
	else if (fault_random(&state) % 16 && nr_records)
		fault_target_roll(&j->fault, fault_random(&state), records, nr_records);
	else
		fault_target_roll(&j->fault, fault_random(&state), all, nr_all);
	if (j->show)
		fault_target_print(&j->fault);
	j->bad = NULL;
	before = bytes_in_use();
	began = cpu_seconds();
	set_limit(limit);
	run_commands(j);
	set_limit(0);
	took = cpu_seconds() - began;
	if (took > j->slowest) {
		j->slowest = took;
		j->slowest_case = number;
	}
	if (!j->bad && bytes_in_use() > before && is_leak(j))
		j->bad = "loses memory";
	if (!j->bad)
		return 0;
	say_case(j->bad);
	fault_target_print(&j->fault);
	return 1;
}

static int run_job(struct job *j, double limit)
{
	const struct store_page *const *pages;
	const struct store_page **records, **all;
	size_t nr_records, nr_all;
	int failed = 0;

	pages = page_store_walked(j->store, true, &nr_records);
	records = calloc(nr_records + 1, sizeof(*records));
	if (!records)
		return EXIT_BROKEN;
	memcpy(records, pages, nr_records * sizeof(*records));
	pages = page_store_walked(j->store, false, &nr_all);
	all = calloc(nr_all + 1, sizeof(*all));
	if (!all)
		return EXIT_BROKEN;
	memcpy(all, pages, nr_all * sizeof(*all));

	for (uint64_t i = 0; i < j->cases && failed < 10; i += j->stride)
		failed += run_case(j, j->first + i, limit, records, nr_records, all, nr_all);
	printf("%s: %" PRIu64 " cases from %" PRIu64 ", seed %" PRIu64 ", %zu pages: %d failed; "
	       "clean %" PRIu64 ", failed commands %" PRIu64 ", partial %" PRIu64
	       ", findings %" PRIu64 "; slowest %.0f ms (case %" PRIu64 ")\n",
	       current.path, (j->cases + j->stride - 1) / j->stride, j->first, j->seed, nr_all,
	       failed, j->statuses[0], j->statuses[1], j->statuses[3], j->statuses[4],
	       j->slowest * 1e3, j->slowest_case);
	fflush(stdout);
	free(records);
	free(all);
	free(j->line);
	j->line = NULL;
	j->room = 0;
	return failed ? 1 : 0;
}

static int run_jobs(struct job *j, unsigned int jobs, double limit)
{
	uint64_t first = j->first, cases = j->cases;
	int status, failed = 0;

	if (jobs < 2)
		return run_job(j, limit);
	for (unsigned int i = 0; i < jobs; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return EXIT_BROKEN;
		if (pid)
			continue;
		j->first = first + cases * i / jobs;
		j->cases = first + cases * (i + 1) / jobs - j->first;
		/* exit(), not _exit(): a leak checker runs there */
		exit(run_job(j, limit));
	}
	while (wait(&status) > 0)
		failed |= !WIFEXITED(status) || WEXITSTATUS(status);
	return failed;
}

/* What an undamaged run reads, and the libraries' first allocations. */
static int record(struct job *j)
{
	fault_target_reset(&j->fault);
	for (int i = 0; dump_commands[i] && !j->bad; i++) {
		j->users = 1u << i;
		page_store_record(j->store, j->users);
		run_commands(j);
	}
	page_store_record(j->store, 0);
	j->users = UINT_MAX;
	if (!j->bad)
		run_commands(j);
	memset(j->statuses, 0, sizeof(j->statuses));
	if (!j->bad)
		return 0;
	fprintf(stderr, "otst-mutate: %s: without damage already: %s\n", current.path, j->bad);
	return 1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "cases", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 's' },
		{ "first", required_argument, NULL, 'f' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "steps", required_argument, NULL, 'n' },
		{ "stride", required_argument, NULL, 't' },
		{ "show", no_argument, NULL, 'S' },
		{ "vmlinux", required_argument, NULL, 'k' },
		{ NULL, 0, NULL, 0 },
	};
	struct job job = { .seed = 1, .cases = 1000, .stride = 1 };
	const char *seconds = getenv("OTST_TEST_SECONDS");
	double limit = seconds ? strtod(seconds, NULL) : 2;
	unsigned long jobs = 1, pages;
	struct open_dump dump;
	int c, status;
	bool show_it = false;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 'c')
			job.cases = strtoull(optarg, NULL, 0);
		else if (c == 's')
			job.seed = strtoull(optarg, NULL, 0);
		else if (c == 'f')
			job.first = strtoull(optarg, NULL, 0);
		else if (c == 'j')
			jobs = strtoul(optarg, NULL, 0);
		else if (c == 'n')
			job.most_steps = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 't')
			job.stride = (unsigned int)strtoul(optarg, NULL, 0);
		else if (c == 'S')
			show_it = true;
		else if (c == 'k')
			current.vmlinux = optarg;
		else
			return EXIT_BROKEN;
	}
	if (optind + 1 != argc || limit <= 0 || !job.stride) {
		fputs("usage: otst-mutate [--cases N] [--seed S] [--first CASE] [--jobs N] "
		      "[--show] [--steps N] [--stride N] [--vmlinux FILE] DUMP\n",
		      stderr);
		return EXIT_BROKEN;
	}
	current.path = argv[optind];
	current.seed = job.seed;
	current.steps = job.most_steps;
	if (open_dump(current.vmlinux, current.path, &dump))
		return EXIT_BROKEN;
	job.store = page_store_create(dump.ops, dump.priv);
	fault_target_init(page_store_ops(job.store), job.store, &dump.options, &job.fault);
	status = record(&job);
	page_store_walked(job.store, false, &pages);
	/* a damaged dump may have nothing to change */
	if (!status && !pages && !job.most_steps) {
		fprintf(stderr, "otst-mutate: %s: an undamaged run reads nothing\n", current.path);
		status = EXIT_BROKEN;
	}
	if (!status && job.most_steps) {
		job.nr_steps = meanings_list(job.store, dump.options.big_endian, &job.steps);
		if (!job.nr_steps || (job.most_steps == 1 && job.first + job.cases > job.nr_steps))
			job.cases = job.first < job.nr_steps ? job.nr_steps - job.first : 0;
	}
	if (!status) {
		job.show = show_it;
		catch_signals();
		status = run_jobs(&job, (unsigned int)jobs, limit);
	}
	free(job.line);
	free(job.steps);
	page_store_destroy(job.store);
	dump.close(dump.priv);
	return status;
}
