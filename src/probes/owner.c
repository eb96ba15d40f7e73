// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * owner.c - who put a kprobe there. The handler tells: functions of
 * kernel/trace/trace_kprobe.c stand for trace events and perf's local probes,
 * whose structure surrounds the record (event.c); a function of a module
 * stands for that module.
 */
#include <string.h>

#include "stap.h"

bool otst_handler_is(struct otst *o, uint64_t addr, const char *name)
{
	size_t len = strlen(name);
	struct otst_sym sym;

	if (!addr)
		return false;
	/* there may be other names for the same place */
	if (addr == otst_symbol_or0(o, name))
		return true;
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

/* ---- modules ---- */

static void own_by_module(struct otst *o, const struct otst_module *m, struct otst_owner *ret)
{
	const struct otst_stap *stap;

	ret->kind = otst_is_systemtap(o, m) ? OTST_OWNER_SYSTEMTAP : OTST_OWNER_MODULE;
	ret->name = m->name;
	stap = ret->kind == OTST_OWNER_SYSTEMTAP ? otst_stap_of(o, m) : NULL;
	ret->script = stap ? stap->script : NULL;
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

/* struct trace_kprobe, or struct trace_probe before it was factored out of that, around the kprobe */
static int own_by_event(struct otst *o, struct otst_probe *p, char letter)
{
	const char *type = otst_has_member(o, "trace_kprobe", "rp") ? "trace_kprobe" :
								      "trace_probe";
	const struct otst_member *rp;
	int err = otst_member(o, type, "rp", &rp);

	return err ? err : otst_event_owner(o, p, type, p->record - rp->offset, letter);
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
