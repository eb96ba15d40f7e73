// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * seconds.c - times as most lines have them, on any thread: the seconds change rarely.
 */
#include "print.h"

#define SECOND 1000000u /* in microseconds */

static void make_secs(struct otst_tf_secs *s, uint64_t secs)
{
	struct otst_text t = otst_text_in(s->text, sizeof(s->text));

	otst_text_dec_right(&t, secs, 5);
	otst_text_char(&t, '.');
	s->secs = secs;
	s->len = (uint32_t)(t.at - t.buf);
}

/* ns2usecs() rounds */
char *otst_tf_put_ns(char *to, struct otst_tf_secs *s, uint64_t ts)
{
	uint64_t us = (ts + 500) / 1000;
	uint32_t rest;

	if (us - s->secs * SECOND >= SECOND || !s->len)
		make_secs(s, us / SECOND);
	rest = (uint32_t)(us - s->secs * SECOND);
	to = otst_text_put_block(to, s->text, s->len);
	otst_text_pair(to, rest / 10000);
	otst_text_pair(to + 2, rest / 100 % 100);
	otst_text_pair(to + 4, rest % 100);
	return to + 6;
}
