// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * worst.c - which input of a harness is the dearest, in time and in memory, for its size.
 *
 *	otst-worst-NAME SECONDS DIRECTORY RESULTS
 *
 * Measures the inputs of the directory, and for so many seconds changes of those that were the dearest.
 * The unit of time is a plain pass: zlib's crc32(). What the harness takes
 * for the beginning of the input (harness_least()) is not counted, and an input of less than 64 KB counts
 * as 64 KB: the kernel around it is read as well. The dearest two go to RESULTS/NAME-time and NAME-memory, with a line on standard output.
 *
 * Exit status: 1 when one takes more than MOST_PASSES or MOST_MEMORY, or does not end in a minute.
 */
#include <dirent.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

#include "../tests/fuzz/random.h"
#include "harness.h"

/* SECURITY.md says 2000 passes, and what comes out of 64 KB that are compressed is more than that */
#define MOST_PASSES 12000.0
#define MOST_MEMORY 200.0

#define LEAST_SIZE 65536u
#define MOST_SIZE  65536u
#define MOST_LINES 4096u /* of a text dump */
#define KEPT	   24u	 /* of each kind */
#define MINUTE	   60

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
	__attribute__((weak));

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

enum cost { COST_TIME, COST_MEMORY, COST_COUNT };

struct input {
	uint8_t *data;
	size_t size;
	double cost[COST_COUNT];  /* passes, bytes a byte */
	double spent[COST_COUNT]; /* seconds, bytes */
};

/** struct search - the dearest inputs of each kind, and what the beginnings of inputs take */
struct search {
	struct input kept[COST_COUNT][KEPT];
	struct input *bases;
	size_t nr_bases;
	double pass; /* seconds for a byte */
	uint64_t random;
	unsigned long runs;
};

/* ---- memory: the allocator's peak ---- */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Atomic size_t in_use, peak;

static void *count_block(void *block)
{
	size_t now =
		atomic_fetch_add(&in_use, malloc_usable_size(block)) + malloc_usable_size(block);

	if (now > peak)
		peak = now;
	return block;
}

void *malloc(size_t len)
{
	return count_block(__libc_malloc(len));
}

void *calloc(size_t nr, size_t len)
{
	return count_block(__libc_calloc(nr, len));
}

void *realloc(void *old, size_t len)
{
	void *block;

	in_use -= malloc_usable_size(old);
	block = __libc_realloc(old, len);
	if (!block && len)
		count_block(old);
	return count_block(block);
}

void *memalign(size_t align, size_t len)
{
	return count_block(__libc_memalign(align, len));
}

void *aligned_alloc(size_t align, size_t len)
{
	return memalign(align, len);
}

int posix_memalign(void **ret, size_t align, size_t len)
{
	*ret = memalign(align, len);
	return *ret ? 0 : 12;
}

void free(void *block)
{
	in_use -= malloc_usable_size(block);
	__libc_free(block);
}

/* ---- one input ---- */

static const char *name, *results;
static const struct input *current;

static double cpu_seconds(void)
{
	struct timespec t;

	/* that of the process moves only with the clock's ticks, while there is a timer of its time */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void write_input(const struct input *in, const char *what)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s-%s", results, name, what);
	f = fopen(path, "w");
	if (!f || fwrite(in->data, 1, in->size, f) != in->size || fclose(f))
		_exit(99);
}

static void on_signal(int signal)
{
	write_input(current, signal == SIGPROF ? "hangs" : "crashes");
	_exit(1);
}

static void run_once(struct input *in)
{
	struct itimerval limit = { .it_value.tv_sec = MINUTE };
	size_t before = in_use;
	double began, took;

	current = in;
	peak = before;
	setitimer(ITIMER_PROF, &limit, NULL);
	began = cpu_seconds();
	LLVMFuzzerTestOneInput(in->data, in->size);
	took = cpu_seconds() - began;
	if (!in->spent[COST_TIME] || took < in->spent[COST_TIME])
		in->spent[COST_TIME] = took;
	in->spent[COST_MEMORY] = (double)(peak - before);
}

static double measure_pass(void)
{
	static uint8_t bytes[MOST_SIZE];
	volatile uLong sink;
	double least = 1;

	for (int i = 0; i < 200; i++) {
		double began = cpu_seconds(), took;

		sink = crc32(0, bytes, sizeof(bytes));
		took = cpu_seconds() - began;
		least = took < least ? took : least;
	}
	(void)sink;
	return least / sizeof(bytes);
}

static struct input copy_input(const struct input *in, size_t size)
{
	struct input copy = { .data = malloc(size ? size : 1), .size = size };

	memcpy(copy.data, in->data, size);
	return copy;
}

static const struct input *find_base(struct search *s, const struct input *in)
{
	size_t size = in->size < harness_least(in->data, in->size) ?
			      in->size :
			      harness_least(in->data, in->size);
	struct input *b;

	for (b = s->bases; b < s->bases + s->nr_bases; b++) {
		if (b->size == size && !memcmp(b->data, in->data, size))
			return b;
	}
	s->bases = realloc(s->bases, (s->nr_bases + 1) * sizeof(*b));
	b = &s->bases[s->nr_bases++];
	*b = copy_input(in, size);
	/* the first time, dumps are opened */
	for (int i = 0; i < 4; i++)
		run_once(b);
	return b;
}

static void weigh(struct search *s, struct input *in)
{
	const double size = in->size > LEAST_SIZE ? (double)in->size : LEAST_SIZE;
	const struct input *base = find_base(s, in);

	run_once(in);
	s->runs++;
	/* clocks are right to a tenth */
	in->cost[COST_TIME] =
		(in->spent[COST_TIME] - 1.1 * base->spent[COST_TIME]) / (s->pass * size);
	in->cost[COST_MEMORY] = (in->spent[COST_MEMORY] - base->spent[COST_MEMORY]) / size;
}

/* ---- the search ---- */

/* the dearest first */
static void keep(struct search *s, struct input *in, enum cost kind)
{
	struct input *kept = s->kept[kind];
	size_t at = KEPT;

	while (at && in->cost[kind] > kept[at - 1].cost[kind])
		at--;
	if (at == KEPT)
		return;
	free(kept[KEPT - 1].data);
	memmove(kept + at + 1, kept + at, (KEPT - 1 - at) * sizeof(*kept));
	kept[at] = copy_input(in, in->size);
	memcpy(kept[at].cost, in->cost, sizeof(in->cost));
	memcpy(kept[at].spent, in->spent, sizeof(in->spent));
}

static void try_input(struct search *s, struct input *in)
{
	weigh(s, in);
	/* weighed again, as a busy machine makes any input look slow */
	for (int i = 0; i < 3 && in->cost[COST_TIME] > s->kept[COST_TIME][KEPT - 1].cost[COST_TIME];
	     i++)
		weigh(s, in);
	for (int kind = 0; kind < COST_COUNT; kind++)
		keep(s, in, (enum cost)kind);
	free(in->data);
}

/* @data has room for MOST_SIZE */
static size_t change_bytes(struct search *s, uint8_t *data, size_t size)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff, '\n', ' ', '0' };
	size_t at = random_below(&s->random, size), len = 1 + random_below(&s->random, size - at),
	       to;

	switch (random_below(&s->random, 6)) {
	case 0:
		data[at] ^= (uint8_t)(1u << random_below(&s->random, 8));
		break;
	case 1:
		data[at] = values[random_below(&s->random, sizeof(values))];
		break;
	case 2: /* a piece over another place */
		to = random_below(&s->random, size);
		len = len < size - to ? len : size - to;
		memmove(data + to, data + at, len);
		break;
	case 3: /* a piece taken out */
		memmove(data + at, data + at + len, size - at - len);
		size -= len < size ? len : 0;
		break;
	default: /* a piece again and again */
		len = 1 + len % 512;
		if (len > size - at)
			len = size - at;
		for (size_t n = 1 + random_below(&s->random, 1 + MOST_SIZE / len);
		     n && size + len <= MOST_SIZE; n--) {
			memmove(data + at + len, data + at, size - at);
			size += len;
		}
	}
	return size;
}

static void change_one(struct search *s)
{
	const struct input *from =
		&s->kept[random_below(&s->random, COST_COUNT)][random_below(&s->random, KEPT)];
	struct input in = { .data = malloc(MOST_SIZE), .size = from->size }, exact;

	if (from->size && from->size <= MOST_SIZE) {
		memcpy(in.data, from->data, from->size);
		for (size_t n = 1 + random_below(&s->random, 4); n && in.size; n--)
			in.size = LLVMFuzzerCustomMutator ?
					  LLVMFuzzerCustomMutator(
						  in.data, in.size, MOST_LINES,
						  (unsigned int)random_next(&s->random)) :
					  change_bytes(s, in.data, in.size);
		exact = copy_input(&in, in.size);
		try_input(s, &exact);
	}
	free(in.data);
}

static void read_directory(struct search *s, const char *dir)
{
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d = opendir(dir);

	if (!d)
		_exit(99);
	while ((e = readdir(d))) {
		struct input in = { .data = malloc(MOST_SIZE) };
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		f = *e->d_name == '.' ? NULL : fopen(path, "r");
		if (f) {
			struct input exact;

			in.size = fread(in.data, 1, MOST_SIZE, f);
			fclose(f);
			exact = copy_input(&in, in.size);
			try_input(s, &exact);
		}
		free(in.data);
	}
	closedir(d);
}

int main(int argc, char **argv)
{
	static const int crashes[] = { SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	static struct search s = { .random = 1 };
	const struct input *time_most = s.kept[COST_TIME], *memory_most = s.kept[COST_MEMORY];
	time_t end;

	name = strrchr(argv[0], '-') + 1;
	results = argv[3];
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		signal(crashes[i], on_signal);
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	if (argc != 4)
		return 99;
	s.pass = measure_pass();
	read_directory(&s, argv[2]);
	for (end = time(NULL) + atoi(argv[1]); time(NULL) < end;)
		change_one(&s);
	write_input(time_most, "time");
	write_input(memory_most, "memory");
	printf("| `%s` | %lu | %.0f | %zu, %.1f ms | %.0f | %zu, %.1f MB |\n", name, s.runs,
	       time_most->cost[COST_TIME], time_most->size, time_most->spent[COST_TIME] * 1e3,
	       memory_most->cost[COST_MEMORY], memory_most->size,
	       memory_most->spent[COST_MEMORY] / 1e6);
	return time_most->cost[COST_TIME] > MOST_PASSES ||
	       memory_most->cost[COST_MEMORY] > MOST_MEMORY;
}
