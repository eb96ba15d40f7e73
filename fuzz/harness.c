// SPDX-License-Identifier: GPL-2.0-or-later
#include "harness.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../tests/fuzz/open_dump.h"
#include "../tests/text/text_target.h"

#define DUMPS	   "tests/text/dumps"
#define MOST_WORDS 16

static void broken(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

size_t __attribute__((weak)) harness_least(const uint8_t *data, size_t size)
{
	(void)data, (void)size;
	return 1;
}

const char *harness_file(const uint8_t *data, size_t size)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		broken("cannot write the input");
	return path;
}

static char directory[] = "/tmp/otst-fuzz.XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *w)
{
	(void)st, (void)type, (void)w;
	return remove(path);
}

static void remove_directory(void)
{
	nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *harness_directory(void)
{
	if (!mkdtemp(directory) || atexit(remove_directory))
		broken("cannot make a directory");
	return directory;
}

/* @priv is set when UTF-8 may come out */
static int look_at(void *priv, const char *text, size_t len)
{
	const bool *wide = priv;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f || (c > 0x7f && !*wide))
			broken("a control character in the output");
	}
	return 0;
}

void harness_command(struct otst *o, const char *const *words)
{
	/* the log that is printed again is UTF-8 */
	bool wide = false;
	struct otst_output out = { .size = sizeof(out), .write = look_at, .priv = &wide };
	int count = 0, status;

	for (; words[count]; count++)
		wide |= !strcmp(words[count], "-xlog");
	status = otst_run(o, count, words, &out, &out);
	if (status < OTST_EXIT_CLEAN || status > OTST_EXIT_FINDINGS)
		broken("a status that no command may return");
}

void harness_commands(const struct otst_target_ops *ops, void *priv,
		      const struct otst_options *options)
{
	struct otst *o;

	if (otst_open(ops, priv, options, &o))
		return;
	for (int i = 0; dump_commands[i]; i++)
		harness_command(o, dump_commands[i]);
	otst_close(o);
}

void harness_line(const struct otst_target_ops *ops, void *priv, const struct otst_options *options,
		  const char *line)
{
	const char *words[MOST_WORDS + 2] = { "otst" };
	char *copy = strdup(line), *word, *rest;
	int count = 1;
	struct otst *o;

	for (word = strtok_r(copy, " ", &rest); word && count <= MOST_WORDS;
	     word = strtok_r(NULL, " ", &rest)) {
		/* the engine's only file to write */
		if (strncmp(word, "trace.dat", strlen("trace.dat")) != 0)
			words[count++] = word;
	}
	if (!otst_open(ops, priv, options, &o)) {
		harness_command(o, words);
		otst_close(o);
	}
	free(copy);
}

const char *harness_dumps(void)
{
	static char path[PATH_MAX];
	ssize_t len;

	if (*path)
		return path;
	if (!access(DUMPS, R_OK))
		return strcpy(path, DUMPS);
	len = readlink("/proc/self/exe", path, sizeof(path) - sizeof(DUMPS));
	if (len < 0)
		broken("cannot find the program");
	path[len] = '\0';
	return strcpy(strrchr(path, '/') + 1, DUMPS), path;
}

void *harness_base(const char *name)
{
	char path[PATH_MAX + 64], message[256];
	struct text_dump *d;

	snprintf(path, sizeof(path), "%s/%s", harness_dumps(), name);
	if (text_target_open(path, message, sizeof(message), &d))
		broken(message);
	return d;
}
