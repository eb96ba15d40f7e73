/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * search.h - the kernel's image file when the front end names none: where distributions
 * install it, and which package has it.
 */
#ifndef OTST_SEARCH_H
#define OTST_SEARCH_H

#include "../dump.h"
#include "package.h"

struct otst_build_id;

/**
 * otst_image_search() - look for the image file, when the front end asks for that and names none
 * @built: the command compares with text as built: a boot image will do
 *
 * Once for an engine, before a command does anything. A file is taken only if its build ID
 * is that of the dump's kernel; &otst_options.vmlinux is then its path.
 *
 * Return: 0, also when none is found; what ends a command.
 */
int otst_image_search(struct otst *o, bool built);

/** otst_image_search_says() - what the user has to know of the search, each time once; or NULL */
const char *otst_image_search_says(struct otst *o);

/**
 * struct otst_image_source - the kernel's image file
 * @path: NULL when there is none
 * @searched: it was looked for; @path was found and not named
 * @nameless: the build ID of the dump's kernel is not known, so that nothing can be found but by
 *	the notes in memory
 * @package: where none was found, the package that has it; its @distribution is NULL when unknown
 */
struct otst_image_source {
	const char *path;
	bool searched;
	bool nameless;
	struct otst_package package;
};

/** otst_image_source() - where the image file comes from */
void otst_image_source(struct otst *o, struct otst_image_source *ret);

/**
 * otst_debuginfod() - ask the debuginfod servers for a file (debuginfod.c)
 * @ret: its path in the cache, to be freed by the caller; NULL when there is none
 *
 * Return: NULL, or why there is none; in the command's arena.
 */
const char *otst_debuginfod(struct otst *o, const struct otst_build_id *id, char **ret);

#endif /* OTST_SEARCH_H */
