// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stap.c - SystemTap's modules: which they are, and the session's atomics
 * (runtime/linux/common_session_state.h). The result is one otst_stap for each
 * module.
 */
#include <string.h>

#include "stap.h"

bool otst_is_systemtap(struct otst *o, const struct otst_module *m)
{
	static const char *const names[] = { "stap_probes", "systemtap_module_init",
					     "_stp_transport_init", "_stp_relay_data" };
	uint64_t addr;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!otst_module_symbol(o, m, names[i], &addr))
			return true;
	}
	return !strncmp(m->name, "stap_", 5);
}

/* ---- the session ---- */

static bool read_atomic(struct otst *o, const struct otst_stap *s, const char *name, uint32_t *ret)
{
	char global[64] = "g_";
	uint64_t addr;

	strncat(global, name, sizeof(global) - 3);
	/* up to 2.0 the names have no prefix */
	return (!otst_module_symbol(o, s->module, global, &addr) ||
		!otst_module_symbol(o, s->module, name, &addr)) &&
	       !otst_read_u32(o, addr, ret);
}

static void read_session(struct otst *o, struct otst_stap *s)
{
	static const char *const names[] = { "not started", "starting", "running",
					     "error",	    "stopping", "stopped" };
	uint64_t transport;
	uint32_t value;

	/*
	 * systemtap a4dce2ba0eba ("Improve session state and transport state
	 * handling") (3.1) added a state before "starting" to the numbering, and
	 * introduced _stp_transport_state.
	 */
	if (read_atomic(o, s, "session_state", &value)) {
		if (otst_module_symbol(o, s->module, "_stp_transport_state", &transport))
			value++;
		s->state = value < sizeof(names) / sizeof(*names) ? names[value] : NULL;
	}
	s->errors = read_atomic(o, s, "error_count", &value) ? (int64_t)value : -1;
	s->skipped = read_atomic(o, s, "skipped_count", &value) ? (int64_t)value : -1;
}

static int read_stap(struct otst *o, const struct otst_module *m, struct otst_stap **ret)
{
	struct otst_stap *s = otst_new(o, sizeof(*s));
	int err;

	s->module = m;
	read_session(o, s);
	err = otst_stap_table(o, s);
	if (err)
		err = otst_note(o, &s->unread, otst_fail(o, err, "module %s", m->name));
	err = err ?: otst_stap_hits(o, s);
	err = err ?: otst_stap_links(o, s);
	err = err ?: otst_stap_script(o, s);
	*ret = s;
	return err;
}

int otst_staps(struct otst *o, struct otst_stap *const **ret)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct otst_vec all = { 0 };
	struct otst_module *const *m;
	struct otst_stap **slot;
	int err = 0;

	if (!*memo) {
		/* no modules, or a list that cannot be read: otst -i says so */
		err = otst_modules(o, &m);
		if (err && otst_fatal(err))
			return err;
		for (; !err && *m; m++) {
			if (!otst_is_systemtap(o, *m))
				continue;
			slot = otst_vec_push(o, &all, sizeof(*slot));
			err = read_stap(o, *m, slot);
			if (err)
				return err;
		}
		err = otst_vec_end(o, &all);
		if (err)
			return err;
		*memo = all.data;
	}
	*ret = *memo;
	return 0;
}

const struct otst_stap *otst_stap_of(struct otst *o, const struct otst_module *m)
{
	struct otst_stap *const *s;

	if (!m || otst_staps(o, &s))
		return NULL;
	while (*s && (*s)->module != m)
		s++;
	return *s;
}
