// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * engine.c - life of struct otst: opening, commands, what the front end offers. Decodes nothing.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

void otst_progress(struct otst *o, const char *what, uint64_t done, uint64_t all)
{
	if (o->ops.progress)
		o->ops.progress(o->priv, what, done, all);
}

bool otst_has_threads(const struct otst *o)
{
	return o->ops.start && o->ops.finish;
}

uint64_t otst_start(struct otst *o, void (*work)(void *what), void *what)
{
	return o->ops.start(o->priv, work, what);
}

void otst_finish(struct otst *o, uint64_t job)
{
	o->ops.finish(o->priv, job);
}

const struct otst_options *otst_options(const struct otst *o)
{
	return &o->options;
}

bool otst_is_live(const struct otst *o)
{
	return o->options.live;
}

void otst_read_anew(struct otst *o)
{
	if (!otst_is_live(o))
		return;
	o->reading++;
	o->memory++;
	o->memos = NULL;
}

void otst_memory_anew(struct otst *o)
{
	o->memory += otst_is_live(o);
}

bool otst_big_endian(const struct otst *o)
{
	return o->options.big_endian;
}

const char *otst_target_name(const struct otst *o)
{
	return o->ops.name ? o->ops.name : "unknown";
}

/* the program's target when it has no dump */
bool otst_is_alone(const struct otst *o)
{
	return !strcmp(otst_target_name(o), "none");
}

#define LARGEST 4096u /* most bytes of a caller's structure; anything more is garbage */

int otst_take_struct(void *ret, size_t known, size_t least, const void *from)
{
	const unsigned char *bytes = from;
	uint64_t size, i;

	memset(ret, 0, known);
	memcpy(&size, from, sizeof(size));
	if (size < least || size > LARGEST)
		return OTST_ERR_SIZE;
	memcpy(ret, from, size < known ? size : known);
	for (i = known; i < size; i++) {
		if (bytes[i])
			return OTST_ERR_NEWER;
	}
	return 0;
}

#define END_OF(type, member) (offsetof(struct type, member) + sizeof(((struct type *)0)->member))

int otst_take_output(const struct otst_output *from, struct otst_output *ret)
{
	return otst_take_struct(ret, sizeof(*ret), END_OF(otst_output, priv), from);
}

/* the caller's text may go away; NULL stays NULL */
static bool copy_text(const char *s, char **ret)
{
	*ret = s ? strdup(s) : NULL;
	return *ret || !s;
}

int otst_open(const struct otst_target_ops *ops, void *priv, const struct otst_options *options,
	      struct otst **ret)
{
	struct otst *o = calloc(1, sizeof(*o));
	int err;

	if (!o)
		return OTST_ERR_NOMEM;
	o->priv = priv;
	err = otst_take_struct(&o->ops, sizeof(o->ops), END_OF(otst_target_ops, read), ops);
	if (!err && !o->ops.read)
		err = OTST_ERR_UNSUPPORTED;
	if (!err && options)
		err = otst_take_struct(&o->options, sizeof(o->options), sizeof(uint64_t), options);
	if (!err &&
	    (!copy_text(o->options.vmlinux, &o->vmlinux) ||
	     !copy_text(o->options.search, &o->root) || !copy_text(o->options.btf, &o->btf)))
		err = OTST_ERR_NOMEM;
	if (err) {
		otst_close(o);
		return err;
	}
	o->options.vmlinux = o->vmlinux;
	o->options.search = o->root;
	o->options.btf = o->btf;
	o->memory_limit = otst_memory_default();
	*ret = o;
	return 0;
}

void otst_close(struct otst *o)
{
	if (!o)
		return;
	otst_command_end(o);
	otst_once_forget(o);
	free(o->vmlinux);
	free(o->root);
	free(o->btf);
	free(o->search.why);
	if (o->unpacked)
		close(o->unpacked - 1);
	free(o->module_dir);
	free(o);
}

void otst_command_begin(struct otst *o)
{
	/* the last command was left by longjmp: its answers may be unfinished */
	if (o->running)
		otst_once_retry(o);
	otst_command_end(o);
	o->running = true;
	o->memory_limit = otst_memory_default();
	o->over_limit = false;
	otst_read_anew(o);
}

void otst_command_end(struct otst *o)
{
	otst_undo_all(&o->at_end);
	otst_arena_free(&o->command);
	o->memos = NULL;
	o->doubts = (struct doubts){ 0 };
	o->message[0] = '\0';
	if (o->stopped || o->once.stale)
		otst_once_forget(o);
	o->stopped = 0;
	o->running = false;
}

const char *otst_version(void)
{
	return OTST_VERSION;
}
