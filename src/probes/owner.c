// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * owner.c - who put a kprobe there. The handler tells: functions of
 * kernel/trace/trace_kprobe.c stand for trace events and perf's local probes,
 * whose struct trace_kprobe surrounds the record; a function of a module
 * stands for that module.
 */
#include <inttypes.h>
#include <string.h>

#include "probes.h"

#define MAX_EVENT_NAME 256

bool otst_handler_is(struct otst *o, uint64_t addr, const char *name)
{
	size_t len = strlen(name);
	struct otst_sym sym;

	if (!addr)
		return false;
	otst_symbolize(o, addr, &sym);
	if (!sym.name || sym.module || sym.addr != addr)
		return false;
	/* a compiler may have made a clone: ".constprop.0", ".llvm.123" */
	return !strncmp(sym.name, name, len) && (!sym.name[len] || sym.name[len] == '.');
}

static uint64_t handler(const struct otst_probe *p, const char *role)
{
	unsigned int i;

	for (i = 0; i < p->nr_handlers; i++) {
		if (!strcmp(p->handlers[i].role, role))
			return p->handlers[i].addr;
	}
	return 0;
}

/* ---- trace events and perf ---- */

/* where struct trace_kprobe keeps the event's call and class */
struct event_place {
	const char *type; /* structure that has both */
	uint64_t addr;
	const char *call; /* its members */
	const char *class;
};

static int find_event(struct otst *o, uint64_t tk, struct event_place *ret)
{
	const struct otst_member *m;
	uint64_t event;
	int err;

	/* Linux 60d53e2c3b75 ("tracing/probe: Split trace_event related data from trace_probe") (v5.4) */
	if (!otst_member(o, "trace_kprobe", "tp.event", &m)) {
		err = otst_read_u64(o, tk + m->offset, &event);
		*ret = (struct event_place){ "trace_probe_event", event, "call.name",
					     "class.system" };
		return err;
	}
	/* Linux c31ffb3ff633 ("tracing/kprobes: Factor out struct trace_probe") (v3.14) */
	if (otst_has_member(o, "trace_kprobe", "tp.call")) {
		*ret = (struct event_place){ "trace_kprobe", tk, "tp.call.name",
					     "tp.class.system" };
		return 0;
	}
	*ret = (struct event_place){ "trace_probe", tk, "call.name", "class.system" };
	return 0;
}

static int read_pointed_string(struct otst *o, const struct event_place *e, const char *member,
			       const char **ret)
{
	const struct otst_member *m;
	uint64_t at;
	int err;

	err = otst_member(o, e->type, member, &m);
	if (!err)
		err = otst_read_u64(o, e->addr + m->offset, &at);
	return err ? err : otst_read_string(o, at, MAX_EVENT_NAME, ret);
}

/* probes of perf_event_open() never enter the list of dynamic events */
static int is_listed(struct otst *o, const char *type, uint64_t tk, bool *ret)
{
	const struct otst_member *m;
	uint64_t next;
	int err;

	if (otst_member(o, type, "devent.list", &m) && otst_member(o, type, "list", &m)) {
		*ret = true;
		return 0;
	}
	err = otst_read_u64(o, tk + m->offset, &next);
	if (!err)
		*ret = next != tk + m->offset;
	return err;
}

static int read_hits(struct otst *o, const char *type, uint64_t tk, struct otst_probe *p)
{
	const struct otst_member *m;
	uint64_t v;
	int err;

	if (otst_member(o, type, "nhit", &m))
		return 0;
	err = otst_read_u64(o, tk + m->offset, &v);
	/* Linux a7636d9ecfa3 ("kprobes: Optimize hot path by using percpu counter to collect 'nhit' statistics") (v4.9) */
	if (!err && m->kind == OTST_KIND_POINTER)
		err = otst_percpu_sum(o, v, &v);
	if (err)
		return otst_fail(o, err, "hits");
	p->hits = v;
	p->hits_known = true;
	return 0;
}

static int own_by_event(struct otst *o, struct otst_probe *p, char letter)
{
	const char *type = otst_has_member(o, "trace_kprobe", "rp") ? "trace_kprobe" :
								      "trace_probe";
	const char *group, *event;
	const struct otst_member *rp;
	struct event_place place;
	bool listed;
	uint64_t tk;
	int err;

	p->owner.letter = letter;
	err = otst_member(o, type, "rp", &rp);
	if (err)
		return err;
	tk = p->record - rp->offset;
	err = find_event(o, tk, &place);
	if (!err)
		err = read_pointed_string(o, &place, place.class, &group);
	if (!err)
		err = read_pointed_string(o, &place, place.call, &event);
	if (!err)
		err = is_listed(o, type, tk, &listed);
	if (err)
		return otst_fail(o, err, "trace event of the probe");
	p->owner.kind = listed ? OTST_OWNER_EVENT : OTST_OWNER_PERF;
	p->owner.name = otst_format(o, "%s:%s", group, event);
	return read_hits(o, type, tk, p);
}

/* ---- modules ---- */

/* SystemTap's run-time is in every module that it builds, whatever its name */
static bool is_systemtap(struct otst *o, const struct otst_module *m)
{
	uint64_t addr;

	return !strncmp(m->name, "stap_", 5) ||
	       !otst_module_symbol(o, m, "systemtap_module_init", &addr) ||
	       !otst_module_symbol(o, m, "_stp_transport_init", &addr);
}

static void own_by_module(struct otst *o, const struct otst_module *m, struct otst_owner *ret)
{
	ret->kind = is_systemtap(o, m) ? OTST_OWNER_SYSTEMTAP : OTST_OWNER_MODULE;
	ret->name = m->name;
}

void otst_owner_of_code(struct otst *o, uint64_t addr, struct otst_owner *ret)
{
	const struct otst_module *m = otst_module_at(o, addr);
	struct otst_sym sym;

	*ret = (struct otst_owner){ .kind = OTST_OWNER_UNKNOWN };
	if (m) {
		own_by_module(o, m, ret);
		return;
	}
	otst_symbolize(o, addr, &sym);
	if (sym.name) {
		ret->kind = OTST_OWNER_KERNEL;
		ret->name = sym.name;
	} else {
		ret->reason = "its function lies in no module that is loaded";
	}
}

/* the first handler that is not the kernel's own glue, else the record itself */
static void own_by_code(struct otst *o, struct otst_probe *p)
{
	const struct otst_module *m;
	const struct otst_handler *h = NULL;
	unsigned int i;

	for (i = 0; i < p->nr_handlers; i++) {
		m = otst_module_at(o, p->handlers[i].addr);
		if (m) {
			own_by_module(o, m, &p->owner);
			return;
		}
		if (!h && !otst_handler_is(o, p->handlers[i].addr, "pre_handler_kretprobe") &&
		    !otst_handler_is(o, p->handlers[i].addr, "setjmp_pre_handler") &&
		    !otst_handler_is(o, p->handlers[i].addr, "longjmp_break_handler"))
			h = &p->handlers[i];
	}
	m = otst_module_at(o, p->record);
	if (m) {
		own_by_module(o, m, &p->owner);
	} else if (h && h->sym.name) {
		p->owner.kind = OTST_OWNER_KERNEL;
		p->owner.name = h->sym.name;
	} else if (h) {
		p->owner.reason = "its handler lies in no module that is loaded";
	} else {
		p->owner.reason = "it has no handler and lies in no module";
	}
}

int otst_owner(struct otst *o, struct otst_probe *p)
{
	p->owner = (struct otst_owner){ .kind = OTST_OWNER_UNKNOWN };
	if (otst_handler_is(o, handler(p, "pre_handler"), "kprobe_dispatcher"))
		return own_by_event(o, p, 'p');
	if (otst_handler_is(o, handler(p, "handler"), "kretprobe_dispatcher"))
		return own_by_event(o, p, 'r');
	own_by_code(o, p);
	return 0;
}
