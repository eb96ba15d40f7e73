// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - all commands on the memory of a damaged kernel. The input is a text dump
 * (tests/text/dumps/README.md): it includes one that is there, and changes words of it.
 *
 * Words are changed by meaning: to a pointer to themselves, to or into another record, to counts
 * that cannot be, to text without an end; or the page is gone. What is found can become a
 * damaged twin in tests/text/dumps as it is. A line "# vmlinux FILE" names the image file, and
 * "# run WORDS" the one command; without it all of dump_commands[] are run.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tests/fuzz/random.h"
#include "../tests/text/text_dump.h"
#include "../tests/text/text_target.h"
#include "harness.h"

#define MOST_DUMPS 2048u
#define MOST_LINE  200u
#define MOST_WORDS 512u

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static char input[64]; /* the file for the next input, among links to all dumps */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *dir = harness_directory();
	char name[PATH_MAX + NAME_MAX], from[PATH_MAX], to[PATH_MAX];
	struct dirent *e;
	DIR *d = opendir(harness_dumps());

	(void)argc, (void)argv;
	if (!d)
		abort();
	while ((e = readdir(d))) {
		snprintf(name, sizeof(name), "%s/%s", harness_dumps(), e->d_name);
		snprintf(to, sizeof(to), "%s/%s", dir, e->d_name);
		if (*e->d_name != '.' && (!realpath(name, from) || symlink(from, to)))
			abort();
	}
	closedir(d);
	snprintf(input, sizeof(input), "%s/input", dir);
	return 0;
}

static struct text_dump *open_input(const uint8_t *data, size_t size)
{
	FILE *f = fopen(input, "w");
	struct text_dump *ret;
	char message[256];

	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		abort();
	return text_target_open(input, message, sizeof(message), &ret) ? NULL : ret;
}

/* the rest of the line that begins with @key, in @room; NULL when there is none */
static const char *find_line(const char *text, const char *key, char *room, size_t size)
{
	const char *at = strstr(text, key);

	if (!at)
		return NULL;
	at += strlen(key);
	snprintf(room, size, "%.*s", (int)strcspn(at, "\n"), at);
	return room;
}

/* up to the line of the dump that is included */
size_t harness_least(const uint8_t *data, size_t size)
{
	const uint8_t *at = memmem(data, size, "include ", strlen("include "));
	const uint8_t *end = at ? memchr(at, '\n', size - (size_t)(at - data)) : NULL;

	return end ? (size_t)(end - data) + 1 : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct otst_options options = { .size = sizeof(options) };
	char *text = strndup((const char *)data, size), vmlinux[PATH_MAX], words[MOST_WORDS];
	struct text_dump *d = open_input(data, size);
	const char *line = find_line(text, "# run ", words, sizeof(words));

	if (d) {
		options.vmlinux = find_line(text, "# vmlinux ", vmlinux, sizeof(vmlinux));
		options.big_endian = text_target_big_endian(d);
		if (options.vmlinux && access(vmlinux, R_OK))
			options.vmlinux = NULL;
		if (line)
			harness_line(text_target_ops(), d, &options, line);
		else
			harness_commands(text_target_ops(), d, &options);
	}
	text_target_close(d);
	free(text);
	return d ? 0 : -1;
}

/* ---- changes ---- */

/** struct words - addresses of the words that a dump has */
struct words {
	char name[NAME_MAX + 1];
	uint64_t *addr;
	size_t nr;
	size_t room;
};

static bool has_word(const struct text_page *p, unsigned int at)
{
	return p->valid[at / 8] == 0xff;
}

static void add_words(struct words *w, const struct text_page *p)
{
	for (unsigned int at = 0; at < TEXT_PAGE; at += 8) {
		if (!has_word(p, at))
			continue;
		if (w->nr == w->room) {
			w->room = 2 * w->room + 512;
			w->addr = text_xrealloc(w->addr, w->room * sizeof(*w->addr));
		}
		w->addr[w->nr++] = p->number * TEXT_PAGE + at;
	}
}

/* the dump that @text includes; each is opened once */
static const struct words *find_words(const char *text)
{
	static struct words all[MOST_DUMPS];
	static size_t nr;
	const char *at = strstr(text, "include ");
	char name[NAME_MAX + 1], path[PATH_MAX + NAME_MAX], message[256];
	struct text_dump *d;
	struct words *w;

	if (!at || sscanf(at, "include %255[^/\n]", name) != 1)
		return NULL;
	for (w = all; w < all + nr; w++) {
		if (!strcmp(w->name, name))
			return w->nr ? w : NULL;
	}
	snprintf(path, sizeof(path), "%s/%s", harness_dumps(), name);
	if (nr == MOST_DUMPS || text_target_open(path, message, sizeof(message), &d))
		return NULL;
	nr++;
	memcpy(w->name, name, sizeof(name));
	for (size_t i = 0; i < d->nr_slots; i++) {
		if (d->table[i])
			add_words(w, d->table[i]);
	}
	text_target_close(d);
	return w->nr ? w : NULL;
}

static uint64_t pick(const struct words *w, uint64_t *r)
{
	return w->addr[random_below(r, w->nr)];
}

static uint64_t make_value(const struct words *w, uint64_t at, uint64_t *r)
{
	static const uint64_t values[] = { 0, 1, 8, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX,
					   0x4141414141414141, 0xdead000000000100,
					   0x6b6b6b6b6b6b6b6b, 0xcccccccccccccccc };

	switch (random_below(r, 6)) {
	case 0:
		return at;
	case 1:
		return at - 8 * random_below(r, 32);
	case 2:
		return pick(w, r) + random_below(r, 16);
	case 3:
		return values[random_below(r, sizeof(values) / sizeof(*values))];
	case 4:
		return random_below(r, 1 << 16);
	default:
		return pick(w, r);
	}
}

static size_t make_line(const struct words *w, uint64_t *r, char *line)
{
	static const char *const sizes[] = { "u64", "u64", "u64", "u32", "u8" };
	const char *size = sizes[random_below(r, 5)];
	uint64_t at = pick(w, r);

	if (!random_below(r, 8))
		return (size_t)snprintf(line, MOST_LINE, "unmap %#llx %d\n",
					(unsigned long long)at & ~(random_below(r, 2) ? 4095ull : 0),
					random_below(r, 2) ? 8 : 4096);
	if (size != sizes[0])
		at += random_below(r, 8);
	return (size_t)snprintf(line, MOST_LINE, "%s %#llx: %#llx\n", size, (unsigned long long)at,
				(unsigned long long)make_value(w, at, r));
}

/* one command is enough for most changes; one in eight times another one than before */
static size_t choose_command(uint8_t *data, size_t size, size_t max_size, uint64_t *r)
{
	static const char *const lines[] = {
		"-l -v -j", "-f -v", "-T", "-i", "-a -v", "-b -v", "-t -j", "-w -v -j vfs_read do_fork schedule",
		"-l", "-t -v", "-a -j", "-b -j", "-i -v", "-t -s ftrace", "-T set_ftrace_filter enabled_functions",
		"-T set_event events/lab/two/hist events/lab/one/filter events/lab/two/trigger",
		"-T dynamic_events kprobe_profile uprobe_profile saved_cmdlines",
		"-T ../kprobes/list touched_functions printk_formats stack_trace",
		"-t -x perfetto",
		"-t -x speedscope",
		"-t -x folded",
	};
	bool has = size > 6 && !memcmp(data, "# run ", 6);
	const uint8_t *end = has ? memchr(data, '\n', size) : NULL;
	size_t old = end ? (size_t)(end + 1 - data) : 0, len;
	char line[128];

	if (old && random_below(r, 8))
		return size;
	len = (size_t)snprintf(line, sizeof(line), "# run %s\n",
			       lines[random_below(r, sizeof(lines) / sizeof(*lines))]);
	if (size - old + len > max_size)
		return size;
	memmove(data + len, data + old, size - old);
	memcpy(data, line, len);
	return size - old + len;
}

/* take out one of the lines that were put in */
static size_t drop_line(uint8_t *data, size_t size, uint64_t *r)
{
	size_t at = random_below(r, size), from = at, to = at;

	while (from && data[from - 1] != '\n')
		from--;
	while (to < size && data[to++] != '\n')
		;
	if (data[from] != 'u')
		return size;
	memmove(data + from, data + to, size - to);
	return size - (to - from);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t r = seed * 2ull + 1;
	char *text = strndup((const char *)data, size), line[MOST_LINE];
	const struct words *w = find_words(text);
	size_t n = 1 + random_below(&r, 3), len;

	free(text);
	if (!w)
		return size;
	size = choose_command(data, size, max_size, &r);
	if (!random_below(&r, 4))
		size = drop_line(data, size, &r);
	while (n--) {
		len = make_line(w, &r, line);
		if (size + len > max_size)
			break;
		memcpy(data + size, line, len);
		size += len;
	}
	return size;
}
