/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * recorder.h - is told of every name that was looked up and not found: by symbols.c for
 * symbols, by types.c for structures, members and enumerators. A question whether
 * the kernel has something (otst_has_member()) is none of these: the decoder knows both answers.
 */
#ifndef OTST_RECORDER_H
#define OTST_RECORDER_H

#include "engine.h"

/** enum otst_sought - what a name that was not found stands for */
enum otst_sought {
	OTST_SOUGHT_SYMBOL,
	OTST_SOUGHT_TYPE,
	OTST_SOUGHT_MEMBER, /**< also one that has another shape than is read */
	OTST_SOUGHT_ENUMERATOR,
	OTST_SOUGHT_COUNT,
};

/**
 * struct otst_recorder - see &otst.recorder
 * @missed: @name was not found; of a member, in the structure @type. The message that the
 *	decoder may pass on is otst_message().
 * @doubted: a doubt was raised, see otst_doubt()
 * @has: does the kernel have one of these functions, "a b"? Asked in the place of its symbols
 */
struct otst_recorder {
	void (*missed)(void *priv, enum otst_sought what, const char *type, const char *name);
	void (*doubted)(void *priv, const char *why);
	bool (*has)(void *priv, const char *functions);
	void *priv;
};

/** otst_record() - tell the recorder, if there is one; returns @err */
static inline int otst_record(struct otst *o, int err, enum otst_sought what, const char *type,
			      const char *name)
{
	if (o->recorder)
		o->recorder->missed(o->recorder->priv, what, type, name);
	return err;
}

#endif /* OTST_RECORDER_H */
