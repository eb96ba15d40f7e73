// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modfile.c - where the debug files of modules may be on this machine: what the
 * front end loaded, the directory that the user named, by build id, and where
 * distributions keep modules and their debug files. Directories are read once.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../image/boot.h"
#include "../image/image.h"
#include "debug.h"

#define MAX_FILES  200000u /* in a directory that was named by mistake */
#define MAX_CHOICE 16u	   /* files of one name that are tried */

/* one directory, read when it was first asked for */
struct tree {
	const char *root;
	const char **paths;
	size_t count;
};

struct modfiles {
	struct tree trees[3];
	size_t count;
};

/* read one by one, as they are asked for */
static int no_trees(struct otst *o, const void *of, void *value)
{
	(void)o, (void)of, (void)value;
	return 0;
}

static const struct otst_once modfiles = { .size = sizeof(struct modfiles), .make = no_trees };

/* "dm_mod" from ".../dm-mod.ko.xz"; 0 when the file is not a module */
static size_t module_name(const char *path, char *ret, size_t room)
{
	static const char *const ends[] = { ".ko", ".ko.debug", ".ko.xz", ".ko.zst", ".ko.gz" };
	const char *base = strrchr(path, '/'), *ko;
	size_t i, len;

	base = base ? base + 1 : path;
	ko = strstr(base, ".ko");
	for (i = 0; ko && i < sizeof(ends) / sizeof(*ends); i++) {
		if (!strcmp(ko, ends[i]))
			break;
	}
	if (!ko || i == sizeof(ends) / sizeof(*ends))
		return 0;
	len = (size_t)(ko - base);
	if (len + 1 > room)
		return 0;
	for (i = 0; i < len; i++)
		ret[i] = base[i] == '-' ? '_' : base[i];
	ret[len] = '\0';
	return len;
}

/* the engine keeps @len bytes at @data; NULL when out of memory */
static void *keep_copy(struct otst *o, const void *data, size_t len)
{
	void *copy = otst_keep(o, len);

	return copy ? memcpy(copy, data, len) : NULL;
}

static void read_module_tree(struct otst *o, struct tree *t)
{
	char *roots[] = { (char *)t->root, NULL }, name[OTST_NAME_MAX], *path;
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT | FTS_COMFOLLOW, NULL);
	struct otst_vec paths = { 0 };
	size_t seen = 0;
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		if (seen++ >= MAX_FILES || otst_check(o))
			break;
		if (e->fts_info == FTS_D || !module_name(e->fts_path, name, sizeof(name)))
			continue;
		path = keep_copy(o, e->fts_path, strlen(e->fts_path) + 1);
		if (!path)
			break;
		*(char **)otst_vec_push(o, &paths, sizeof(path)) = path;
	}
	if (fts)
		fts_close(fts);
	t->paths = paths.count ? keep_copy(o, paths.data, paths.count * sizeof(path)) : NULL;
	t->count = t->paths ? paths.count : 0;
}

static struct tree *find_tree_of(struct otst *o, const char *root)
{
	struct modfiles *f;
	struct tree *t;

	if (otst_once(o, &modfiles, NULL, &f))
		return NULL;
	for (size_t i = 0; i < f->count; i++) {
		if (!strcmp(f->trees[i].root, root))
			return &f->trees[i];
	}
	if (f->count == sizeof(f->trees) / sizeof(*f->trees))
		return NULL;
	t = &f->trees[f->count];
	t->root = otst_keep_string(o, root);
	if (!t->root)
		return NULL;
	f->count++;
	read_module_tree(o, t);
	return t;
}

/* ---- the choice ---- */

struct choice {
	struct otst *o;
	const struct otst_module *m;
	const char *paths[MAX_CHOICE];
	size_t count;
};

static void add_file(struct choice *c, const char *path)
{
	struct stat st;

	if (path && c->count < MAX_CHOICE && !stat(path, &st) && S_ISREG(st.st_mode))
		c->paths[c->count++] = path;
}

static void add_module_tree(struct choice *c, const char *root)
{
	char name[OTST_NAME_MAX];
	struct tree *t = root ? find_tree_of(c->o, root) : NULL;

	for (size_t i = 0; t && i < t->count; i++) {
		if (module_name(t->paths[i], name, sizeof(name)) && !strcmp(name, c->m->name))
			add_file(c, t->paths[i]);
	}
}

static void add_loaded(struct choice *c)
{
	char *path = otst_alloc(c->o, 4096);

	if (!path || !c->o->ops.module_file ||
	    otst_answer(c->o, c->o->ops.module_file(c->o->priv, c->m->name, path, 4096)))
		return;
	if (access(path, R_OK))
		otst_note_once(c->o, otst_module_misfits(c->o),
			       otst_format(c->o, "module %s: %s: %s", c->m->name,
					   otst_clean(c->o, path), strerror(errno)));
	add_file(c, path);
}

static void add_build_id(struct choice *c)
{
	struct otst_build_id id;
	const char *path;

	otst_module_build_id(c->o, c->m, &id);
	if (!id.len)
		return;
	path = otst_format(c->o, "/usr/lib/debug/.build-id/%02x/", id.bytes[0]);
	for (size_t i = 1; i < id.len && path; i++)
		path = otst_format(c->o, "%s%02x", path, id.bytes[i]);
	if (path)
		add_file(c, otst_format(c->o, "%s.debug", path));
}

static struct choice *choose_file(struct otst *o, const struct otst_module *m)
{
	const char *release = otst_kernel(o)->release;
	struct choice *c = otst_new(o, sizeof(*c));

	c->o = o;
	c->m = m;
	add_loaded(c);
	add_module_tree(c, o->module_dir);
	add_build_id(c);
	/* the release comes from the dump, and must not lead anywhere else */
	if (*release && !strchr(release, '/') && strcmp(release, "..")) {
		add_module_tree(c, otst_format(o, "/usr/lib/debug/lib/modules/%s", release));
		add_module_tree(c, otst_format(o, "/lib/modules/%s", release));
	}
	return c;
}

const char *otst_modfile(struct otst *o, const struct otst_module *m, size_t i)
{
	static const char key;
	void **place = otst_memo(o, &key);
	struct choice *c = *place;

	if (!c || c->m != m)
		*place = c = choose_file(o, m);
	return c && i < c->count ? c->paths[i] : NULL;
}

static bool does_inflate(int fd)
{
	Elf *elf;
	bool does;

	(void)elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	does = elf && otst_sections_inflate(elf);
	elf_end(elf);
	return does;
}

int otst_modfile_open(struct otst *o, const char *path, int *ret, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return otst_raise(o, OTST_ERR_LOOKUP, "%s", strerror(errno));
	err = otst_unpacked_open(o, fd, ret);
	if (!err && does_inflate(*ret)) {
		close(*ret);
		err = otst_raise(o, OTST_ERR_LOOKUP, OTST_SECTIONS_INFLATE);
	}
	if (err && !otst_fatal(err))
		*why = otst_format(o, "is of no use: %s", otst_message(o));
	return err;
}
