// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * allie.c - the allie module of 2007: one kprobe, its parameters and counters,
 * all of them statics: kp, symbol, count, action, flags, verbose, pre, post.
 * pre and post start at 1 and are incremented by each run of the handler before
 * and after the probed instruction. Without symbols the parameters are found
 * as the kernel finds them, in the module's struct kernel_param (kernel/params.c).
 */
#include <string.h>

#include "catcher.h"

#define MAX_PARAMS 256u
#define MAX_NAME   512u

/* where a static of the module is: at its symbol, else at the parameter of that name */
static int find_static(struct otst *o, const struct otst_module *m, const char *name, uint64_t *ret)
{
	const struct otst_member *arg;
	struct otst_view v, param;
	uint64_t params, count, each, i;
	const char *s;
	int err;

	if (!otst_module_symbol(o, m, name, ret))
		return 0;
	err = otst_view_read(o, "module", m->addr, &v);
	err = err ?: otst_type_size(o, "kernel_param", &each);
	err = err ?: otst_member(o, "kernel_param", "arg", &arg);
	if (err)
		return err;
	params = otst_u64(&v, "kp");
	count = otst_u64(&v, "num_kp");
	if (v.err)
		return v.err;
	for (i = 0; i < count && i < MAX_PARAMS; i++) {
		err = otst_view_read(o, "kernel_param", params + i * each, &param);
		err = err ?: otst_view_string(&param, "name", MAX_NAME, &s);
		if (err)
			return err;
		if (!strcmp(s, name)) {
			*ret = otst_u64(&param, "arg");
			return param.err;
		}
	}
	return otst_raise(o, OTST_ERR_LOOKUP, "module %s has neither symbol nor parameter %s",
			  m->name, name);
}

/* an int, or the low half of a wider counter */
static struct otst_number read_int(struct otst *o, const struct otst_module *m, const char *name,
				   const char **error)
{
	struct otst_number n = { 0 };
	uint64_t addr;
	uint32_t value;
	int err = find_static(o, m, name, &addr);

	err = err ?: otst_read_u32(o, addr, &value);
	if (!err)
		n = (struct otst_number){ (int32_t)value, true };
	else if (err != OTST_ERR_LOOKUP && !*error)
		*error = otst_format(o, "%s: %s", name, otst_message(o));
	return n;
}

/* pre and post: one more than the hits */
static struct otst_number read_allie_hits(struct otst *o, const struct otst_module *m,
					  const char *name, const char **error)
{
	struct otst_number n = read_int(o, m, name, error);

	n.value = (uint32_t)((uint32_t)n.value - 1);
	n.known = n.known && n.value != UINT32_MAX;
	return n;
}

static const char *read_symbol(struct otst *o, const struct otst_module *m, const char **error)
{
	const char *s = NULL;
	uint64_t at;
	int err = find_static(o, m, "symbol", &at);

	err = err ?: otst_read_u64(o, at, &at);
	if (!err && at)
		err = otst_read_string(o, at, MAX_NAME, &s);
	if (err && err != OTST_ERR_LOOKUP && !*error)
		*error = otst_format(o, "symbol: %s", otst_message(o));
	return err ? NULL : s;
}

static void count_left(struct otst_catcher *k)
{
	k->left.known = k->count.known && k->hits.known;
	k->left.value = k->count.value > k->hits.value ? k->count.value - k->hits.value : 0;
	if (k->count.value < 0)
		k->left.value = k->count.value;
}

static int make_allie(struct otst_catching *c, struct otst_probe *p, const struct otst_module *m,
		      const char *found)
{
	struct otst *o = c->o;
	struct otst_catcher *k;

	otst_catcher_new(o, p, OTST_PROBE_ALLIE, found, &k);
	k->historic = true;
	k->state = p->error ? OTST_CATCHER_UNKNOWN : OTST_CATCHER_ARMED;
	if (!m) {
		p->error = p->error ? p->error : "allie's module is not loaded any more";
		return 0;
	}
	k->symbol = read_symbol(o, m, &p->error);
	k->count = read_int(o, m, "count", &p->error);
	k->action = read_int(o, m, "action", &p->error);
	k->flags = read_int(o, m, "flags", &p->error);
	k->flags.value &= UINT32_MAX;
	k->verbose = read_int(o, m, "verbose", &p->error);
	k->hits = read_allie_hits(o, m, "pre", &p->error);
	k->post_hits = read_allie_hits(o, m, "post", &p->error);
	count_left(k);
	if (!p->hits_known && k->hits.known) {
		p->hits = (uint64_t)k->hits.value;
		p->hits_known = true;
	}
	return otst_check(o);
}

int otst_allie_of(struct otst_catching *c, const struct otst_module *m)
{
	struct otst_probe *p;
	uint64_t handler, kp, pre;
	int err;

	/* pre: today's module has the same names, but counts elsewhere */
	if (otst_module_symbol(c->o, m, "allie_pre_handler", &handler) ||
	    otst_module_symbol(c->o, m, "kp", &kp) || otst_module_symbol(c->o, m, "pre", &pre))
		return 0;
	err = otst_catcher_at(c, kp, "allie's kp", &p);
	if (err || p->catcher)
		return err;
	return make_allie(c, p, m, "statics");
}

/* is the probe in its module's data, and does the module take allie's parameters */
static bool has_parameters(struct otst *o, const struct otst_probe *p, const struct otst_module *m)
{
	static const char *const wanted[] = { "symbol", "count", "action", "verbose" };
	uint64_t addr;

	if (!m || otst_module_at(o, p->record) != m || !otst_has_type(o, "kernel_param"))
		return false;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (find_static(o, m, wanted[i], &addr))
			return false;
	}
	return true;
}

int otst_allie_is(struct otst_catching *c, struct otst_probe *p)
{
	const struct otst_module *m = p->nr_handlers ? otst_module_at(c->o, p->handlers[0].addr) :
						       NULL;

	if (otst_handler_named(p, "allie_pre_handler") ||
	    otst_handler_named(p, "allie_post_handler"))
		return make_allie(c, p, m, "handler");
	if (m && m != c->other && has_parameters(c->o, p, m))
		return make_allie(c, p, m, "parameters");
	c->other = m;
	return 0;
}
