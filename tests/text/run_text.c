// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_text.c - otst-text: otst on a dump written as text.
 *
 *	otst-text [options] FILE.txt [filters]
 *
 * The first word that ends in .txt is the dump; all others go to the engine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/otst.h"
#include "text_target.h"

#define WIDTH 120 /* columns of what the .expect files have */

#define EXIT_BROKEN 99

static int write_stream(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

static bool is_dump(const char *word)
{
	size_t len = strlen(word);

	return len > 4 && !strcmp(word + len - 4, ".txt");
}

/* image files that are made with the tests (tests/tests.mk): the option --NAME stands for text-NAME */
static const char *find_image(const char *option)
{
	static const char *const images[] = {
		"text-vmlinux",
		"text-named",
		"text-banner",
		"text-patched",
		"text-patched-arm64",
		"text-patched-riscv64",
		"text-patched-ppc64le",
		"text-patched-s390x",
		"text-patched-3.10",
		"text-patched-5.14",
		"text-patched-cfi",
		"text-frames-3.10",
		"text-data",
	};
	size_t i;

	if (strncmp(option, "--", 2) != 0)
		return NULL;
	for (i = 0; i < sizeof(images) / sizeof(*images); i++) {
		if (!strcmp(option + 2, images[i] + strlen("text-")))
			return images[i];
	}
	return NULL;
}

/* a file in the directory of @program; "text-modules" is one of a module */
static char *image_beside(const char *program, const char *name)
{
	const char *slash = strrchr(program, '/');
	char *path = NULL;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - program) : 0, program, name) < 0)
		exit(EXIT_BROKEN);
	return path;
}

/* --lab-module stands for text-modules, --lab-module-NAME for text-modules-NAME */
static const char lab_module[] = "--lab-module";

static char *modules_beside(const char *program, const char *suffix)
{
	char name[64];

	snprintf(name, sizeof(name), "text-modules%s", suffix);
	return image_beside(program, name);
}

int main(int argc, char **argv)
{
	struct otst_options options = { .size = sizeof(options) };
	struct otst_output out = {
		.size = sizeof(out), .write = write_stream, .priv = stdout, .width = WIDTH
	};
	struct otst_output err = { .size = sizeof(err), .write = write_stream, .priv = stderr };
	const char **words = calloc(2 * (size_t)argc + 1, sizeof(*words));
	const char *path = NULL;
	struct text_dump *dump;
	struct otst *o;
	char message[1024], *modules = NULL;
	int count = 0, status = EXIT_BROKEN;

	if (!words)
		return EXIT_BROKEN;
	for (int i = 0; i < argc; i++) {
		if (i && !path && is_dump(argv[i]))
			path = argv[i];
		else if (find_image(argv[i]))
			options.vmlinux = image_beside(argv[0], find_image(argv[i]));
		else if (!strncmp(argv[i], lab_module, sizeof(lab_module) - 1)) {
			words[count++] = "--modules";
			words[count++] = modules =
				modules_beside(argv[0], argv[i] + sizeof(lab_module) - 1);
		} else
			words[count++] = i ? argv[i] : "otst";
	}
	if (!path) {
		fputs("usage: otst-text [options] FILE.txt [filters]\n", stderr);
	} else if (text_target_open(path, message, sizeof(message), &dump)) {
		fprintf(stderr, "otst-text: %s\n", message);
	} else {
		options.big_endian = text_target_big_endian(dump);
		if (otst_open(text_target_ops_of(dump), dump, &options, &o)) {
			fputs("otst-text: the engine does not start\n", stderr);
		} else {
			status = otst_run(o, count, words, &out, &err);
			otst_close(o);
		}
		text_target_close(dump);
	}
	free((char *)options.vmlinux);
	free(modules);
	free(words);
	if (fflush(stdout))
		status = EXIT_BROKEN;
	return status;
}
