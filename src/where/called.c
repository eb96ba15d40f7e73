// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * called.c - through what else a function is called: parts of the kernel that it was given to
 * (src/registered/).
 */
#include "where.h"

struct collecting {
	struct otst *o;
	struct otst_vec *ret;
};

static int collect_registered(void *priv, const struct otst_registered *r)
{
	struct collecting *c = priv;
	struct otst_registered *slot = otst_vec_push(c->o, c->ret, sizeof(*slot));

	*slot = *r;
	return 0;
}

int otst_hooks_registered(struct otst *o, struct otst_hooks *h, struct otst_messages *errors)
{
	struct collecting c = { o, &h->registered };
	const struct otst_registered_walk registry = {
		.o = o, .take = collect_registered, .priv = &c, .errors = errors
	};

	return otst_registered(&registry);
}

void otst_where_called(struct otst *o, const struct otst_hooks *h, struct otst_where *w)
{
	const struct otst_registered *r = h->registered.data;
	struct otst_registered *slot;

	for (size_t i = 0; i < h->registered.count; i++) {
		if (!otst_where_has(w, r[i].func))
			continue;
		slot = otst_vec_push(o, &w->called, sizeof(*slot));
		*slot = r[i];
	}
}
