// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * message.c - the error message at hand, the error that ends a command, and the mark
 * that answers are not to be kept.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"

/* the first reason is the one that is reported */
static void stop_command(struct otst *o, int err)
{
	if (o->stopped)
		return;
	o->stopped = err;
	snprintf(o->stop_message, sizeof(o->stop_message), "%s", o->message);
}

void otst_start_message(struct otst *o, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(o->message, sizeof(o->message), fmt, ap);
	va_end(ap);
	if (otst_fatal(err))
		stop_command(o, err);
}

void otst_extend_message(struct otst *o, const char *fmt, ...)
{
	char inner[sizeof(o->message)];
	size_t used;
	va_list ap;

	memcpy(inner, o->message, sizeof(inner));
	va_start(ap, fmt);
	vsnprintf(o->message, sizeof(o->message), fmt, ap);
	va_end(ap);
	used = strlen(o->message);
	snprintf(o->message + used, sizeof(o->message) - used, ": %s", inner);
}

const char *otst_message(const struct otst *o)
{
	return o->message;
}

int otst_answer(struct otst *o, int err)
{
	switch (err) {
	case OTST_ERR_INTERRUPTED:
		return otst_raise(o, err, "interrupted");
	case OTST_ERR_NOMEM:
		return otst_no_memory(o);
	case OTST_ERR_OUTPUT:
		return otst_raise(o, err, "output closed");
	default:
		return err;
	}
}

int otst_stopped(struct otst *o)
{
	return o->stopped ? otst_raise(o, o->stopped, "%s", o->stop_message) : 0;
}

int otst_check(struct otst *o)
{
	if (o->stopped)
		return otst_stopped(o);
	if (o->ops.interrupted && o->ops.interrupted(o->priv))
		return otst_answer(o, OTST_ERR_INTERRUPTED);
	return 0;
}

bool otst_fatal(int err)
{
	return err == OTST_ERR_NOMEM || err == OTST_ERR_INTERRUPTED || err == OTST_ERR_OUTPUT ||
	       err == OTST_ERR_FILE;
}

void otst_bad_record(struct otst *o, int err)
{
	o->bad_records += err == OTST_ERR_FAULT || err == OTST_ERR_CORRUPT;
}

void otst_once_retry(struct otst *o)
{
	o->once.stale = true;
}

const char *otst_error_text(int err)
{
	static const char *const texts[] = {
		[OTST_OK] = "no error",
		[-OTST_ERR_LOOKUP] = "the kernel has no such symbol, type or member",
		[-OTST_ERR_FAULT] = "the memory is not in the dump",
		[-OTST_ERR_CORRUPT] = "the data makes no sense",
		[-OTST_ERR_NOMEM] = "out of memory",
		[-OTST_ERR_INTERRUPTED] = "interrupted",
		[-OTST_ERR_USAGE] = "wrong usage",
		[-OTST_ERR_UNSUPPORTED] = "not supported by this target or architecture",
		[-OTST_ERR_OUTPUT] = "output closed",
		[-OTST_ERR_AGAIN] = "the cpu was in user mode",
		[-OTST_ERR_FILE] = "a file could not be written or is of no use",
		[-OTST_ERR_SIZE] = "the size of the caller's structure cannot be right",
		[-OTST_ERR_NEWER] =
			"the caller's structure uses members that this libotst does not know",
	};

	return err <= 0 && err > -(int)(sizeof(texts) / sizeof(*texts)) ? texts[-err] :
									  "unknown error";
}
