// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * deferred.c - user parts of callchains that come in a record of their own
 * (PERF_RECORD_CALLCHAIN_DEFERRED): the kernel unwinds them when the task returns
 * to user mode, once for all samples taken in the meantime. A cookie links them.
 */
#include "../../rings/perf_sample.h"
#include "perf.h"

#define WORD   8u
#define BODY   16u /* cookie, number of entries */
#define FRAMES 1u  /* kind of known stack: user frames without a mark */

struct waiting {
	struct otst_trace *trace;
	uint64_t cookie;
};

void otst_perf_defer(struct otst *o, struct otst_perf_deferred *deferred, struct otst_trace *t,
		     const uint8_t *words, uint64_t count)
{
	struct waiting *w;
	uint64_t i;

	for (i = 0; i + 1 < count; i++) {
		if (otst_get(o, words + i * WORD, WORD) == OTST_PERF_MARK_USER_DEFERRED)
			break;
	}
	if (i + 1 >= count)
		return;
	w = otst_vec_push(o, &deferred->waiting, sizeof(*w));
	*w = (struct waiting){ t, otst_get(o, words + (i + 1) * WORD, WORD) };
	/* until the rest comes */
	t->truncated = true;
}

static int find_frames(struct otst *o, struct otst_knowns *known, const uint8_t *words,
		       uint64_t count, struct otst_known **ret)
{
	bool fresh;
	int err = otst_known_find(o, known, FRAMES, words, count * WORD, ret, &fresh);

	if (!err && fresh)
		otst_perf_chain_lines(o, words, count, false, &(*ret)->lines);
	return err;
}

int otst_perf_deferred_take(struct otst *o, struct otst_perf_deferred *deferred,
			    struct otst_knowns *known, const struct otst_perf_record *r)
{
	const uint8_t *body = r->data + OTST_PERF_HEADER;
	struct waiting *w = deferred->waiting.data;
	struct otst_known *k = NULL;
	uint64_t count;
	int err = 0;

	if (r->size < OTST_PERF_HEADER + BODY)
		return 0;
	count = otst_get(o, body + WORD, WORD);
	if (count > (r->size - OTST_PERF_HEADER - BODY) / WORD)
		return otst_raise(o, OTST_ERR_CORRUPT, "a callchain longer than its record");
	for (size_t i = 0; i < deferred->waiting.count && !err; i++) {
		if (!w[i].trace->truncated || w[i].cookie != otst_get(o, body, WORD))
			continue;
		if (!k)
			err = find_frames(o, known, body + BODY, count, &k);
		err = err ?: otst_known_append(o, w[i].trace, k);
		w[i].trace->truncated = false;
	}
	return err;
}
