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

/* what is made with the tests: image files of vmlinux.c, also with a banner and a build ID, of patched.S, patched_vendor.S,
   patched_arm64.S, patched_riscv64.S, patched_ppc64le.S, patched_s390x.S and frames.S; a module's file */
static char *image_beside(const char *program, const char *name)
{
	const char *slash = strrchr(program, '/');
	char *path = NULL;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - program) : 0, program, name) < 0)
		exit(EXIT_BROKEN);
	return path;
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
		else if (!strcmp(argv[i], "--vmlinux"))
			options.vmlinux = image_beside(argv[0], "text-vmlinux");
		else if (!strcmp(argv[i], "--patched"))
			options.vmlinux = image_beside(argv[0], "text-patched");
		else if (!strcmp(argv[i], "--patched-arm64"))
			options.vmlinux = image_beside(argv[0], "text-patched-arm64");
		else if (!strcmp(argv[i], "--patched-riscv64"))
			options.vmlinux = image_beside(argv[0], "text-patched-riscv64");
		else if (!strcmp(argv[i], "--patched-ppc64le"))
			options.vmlinux = image_beside(argv[0], "text-patched-ppc64le");
		else if (!strcmp(argv[i], "--patched-s390x"))
			options.vmlinux = image_beside(argv[0], "text-patched-s390x");
		else if (!strcmp(argv[i], "--patched-3.10"))
			options.vmlinux = image_beside(argv[0], "text-patched-3.10");
		else if (!strcmp(argv[i], "--patched-5.14"))
			options.vmlinux = image_beside(argv[0], "text-patched-5.14");
		else if (!strcmp(argv[i], "--frames-3.10"))
			options.vmlinux = image_beside(argv[0], "text-frames-3.10");
		else if (!strcmp(argv[i], "--named"))
			options.vmlinux = image_beside(argv[0], "text-named");
		else if (!strcmp(argv[i], "--banner"))
			options.vmlinux = image_beside(argv[0], "text-banner");
		else if (!strcmp(argv[i], "--lab-module")) {
			words[count++] = "--modules";
			words[count++] = modules = image_beside(argv[0], "text-modules");
		} else
			words[count++] = i ? argv[i] : "otst";
	}
	if (!path) {
		fputs("usage: otst-text [options] FILE.txt [filters]\n", stderr);
	} else if (text_target_open(path, message, sizeof(message), &dump)) {
		fprintf(stderr, "otst-text: %s\n", message);
	} else {
		options.big_endian = text_target_big_endian(dump);
		if (otst_open(text_target_ops(), dump, &options, &o)) {
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
