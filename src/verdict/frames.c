// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * frames.c - what each frame is: a hook's own code, kernel code that runs
 * handlers, a module that owns hooks, or none of these; and what hooks its function.
 */
#include <inttypes.h>
#include <string.h>

#include "evidence.h"

#define SLOT_SIZE   32u	 /* more than an instruction and the jump back */
#define FREED_SIZE  8u	 /* this many int3 are not code */
#define DETOUR_SIZE 256u /* more than a detour buffer with its copied instructions */

const char *otst_role_name(enum otst_frame_role role)
{
	static const char *const names[] = {
		[OTST_ROLE_HANDLER] = "handler",
		[OTST_ROLE_PROGRAM] = "BPF program",
		[OTST_ROLE_TRAMPOLINE] = "trampoline",
		[OTST_ROLE_DETOUR] = "detour",
		[OTST_ROLE_PATCH] = "live patch",
		[OTST_ROLE_REPLACEMENT] = "replacement",
		[OTST_ROLE_GONE] = "unloaded text",
		[OTST_ROLE_CALLEE] = "called by a handler",
		[OTST_ROLE_CATCHER] = "module that captures",
		[OTST_ROLE_DISPATCH] = "runs handlers",
		[OTST_ROLE_OWNER] = "module with hooks",
		[OTST_ROLE_NONE] = "",
	};
	OTST_EACH_HAS(names, OTST_ROLE_COUNT);

	return names[role];
}

bool otst_role_is_hook(enum otst_frame_role role)
{
	return role <= OTST_ROLE_CATCHER && role != OTST_ROLE_GONE;
}

static uint64_t code_of(struct otst *o, const struct otst_verdict_frame *f)
{
	/* a call may be the last instruction */
	return otst_frame_code(o, f->frame.pc, f->frame.exact);
}

/* a callback's name may be of module text that was freed before the cpu got there */
static bool lies_in(struct otst *o, const struct otst_verdict_frame *f, const struct otst_sym *sym)
{
	uint64_t pc = code_of(o, f);

	return sym->name && (!sym->module || otst_module_at(o, pc)) &&
	       (pc - sym->addr < (sym->size ? sym->size : 1) || otst_sym_is_part(&f->sym, sym));
}

static void set_role(struct otst_verdict_frame *f, enum otst_frame_role role, const char *what)
{
	if (role < f->role) {
		f->role = role;
		f->what = what;
	}
}

/* "kprobe on do_nanosleep+0xd, module lab", "otst probe on vfs_read, module otst" */
static const char *describe_probe(struct otst *o, const struct otst_probe *p)
{
	const char *on = p->target ? p->target : p->sym.name ? p->sym.name : "?";
	const char *s = otst_format(o, "%s%s on %s", otst_probe_kind(p->kind)->name,
				    p->catcher ? " probe" : "", on);

	if (p->sym.name && p->addr != p->sym.addr)
		s = otst_format(o, "%s+0x%" PRIx64, s, p->addr - p->sym.addr);
	if (p->owner.kind != OTST_OWNER_UNKNOWN && p->owner.name)
		s = otst_format(o, "%s, %s %s", s, otst_owner_kind_name(p->owner.kind),
				p->owner.name);
	return s;
}

/* a module may own thousands of hooks: the text is made once */
static void judge_module(struct otst *o, struct otst_verdict_frame *f, const struct otst_owner *w)
{
	if (w->kind == OTST_OWNER_MODULE && w->name && f->sym.module && f->role > OTST_ROLE_OWNER &&
	    !strcmp(f->sym.module, w->name))
		set_role(f, OTST_ROLE_OWNER,
			 otst_format(o, "module %s, which owns hooks", w->name));
}

static void judge_owner(struct otst *o, struct otst_verdict_frame *f, const struct otst_probe *p)
{
	bool script = p->owner.kind == OTST_OWNER_SYSTEMTAP;

	if (!f->sym.module || !p->owner.name || strcmp(f->sym.module, p->owner.name) != 0)
		return;
	if (script)
		f->owner = p->owner;
	if ((p->catcher || script) && f->role > OTST_ROLE_CATCHER)
		set_role(f, OTST_ROLE_CATCHER,
			 otst_format(o, "module %s, which captures", f->sym.module));
	else
		judge_module(o, f, &p->owner);
}

static void judge_probe(struct otst *o, struct otst_verdict_frame *f, const struct otst_probe *p)
{
	uint64_t pc = code_of(o, f);

	for (unsigned int i = 0; i < p->nr_handlers; i++) {
		const struct otst_handler *h = &p->handlers[i];

		if (!lies_in(o, f, &h->sym))
			continue;
		if (p->kind == OTST_PROBE_LIVEPATCH)
			set_role(f, OTST_ROLE_PATCH, describe_probe(o, p));
		else if (h->sym.module)
			set_role(f, OTST_ROLE_HANDLER,
				 otst_format(o, "%s of the %s", otst_handler_name(h->role),
					     describe_probe(o, p)));
		else
			set_role(f, OTST_ROLE_DISPATCH, "runs handlers of probes");
	}
	if ((p->slot && pc - p->slot < SLOT_SIZE) || (p->detour && pc - p->detour < DETOUR_SIZE))
		set_role(f, OTST_ROLE_DETOUR,
			 otst_format(o, "code of the %s", describe_probe(o, p)));
	judge_owner(o, f, p);
}

static void judge_ops(struct otst *o, struct otst_verdict_frame *f,
		      const struct otst_ftrace_ops *ops)
{
	const struct otst_sym *const callbacks[] = { &ops->func_sym, &ops->saved_func_sym,
						     &ops->entry_sym, &ops->ret_sym };
	uint64_t pc = code_of(o, f);

	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++) {
		if (!lies_in(o, f, callbacks[i]))
			continue;
		if (callbacks[i]->module)
			set_role(f, OTST_ROLE_HANDLER,
				 otst_format(o, "callback of an ftrace_ops, module %s",
					     callbacks[i]->module));
		else
			set_role(f, OTST_ROLE_DISPATCH, "callback of ftrace");
	}
	if (ops->trampoline && pc - ops->trampoline < ops->trampoline_size)
		set_role(f, OTST_ROLE_TRAMPOLINE,
			 otst_format(o, "trampoline of the ftrace_ops %s",
				     ops->sym.name && ops->sym.addr == ops->addr ? ops->sym.name :
										   "?"));
	judge_module(o, f, &ops->owner);
}

/* what a module asked the dying kernel to call; of what else was registered, drivers have a lot */
static void judge_registered(struct otst *o, struct otst_verdict_frame *f,
			     const struct otst_registered *r)
{
	uint64_t pc = code_of(o, f);

	if (!r->dying || !f->sym.module || r->func < f->sym.addr || r->func > pc ||
	    pc - f->sym.addr >= f->sym.size)
		return;
	f->dying = true;
	set_role(f, OTST_ROLE_HANDLER,
		 otst_format(o, "%s of %s, module %s", r->role, r->where, f->sym.module));
}

/* JITed programs are called bpf_prog_TAG_NAME */
static void judge_program(struct otst *o, const struct otst_hooks *h, struct otst_verdict_frame *f)
{
	const char *tag = f->sym.name + strlen("bpf_prog_");

	for (size_t i = 0; i < h->probes.count; i++) {
		const struct otst_probe *p = h->probes.items[i];
		const struct otst_program *b = p->programs.data;

		for (size_t k = 0; k < p->programs.count; k++) {
			if (!b[k].tag || strncmp(b[k].tag, tag, strlen(b[k].tag)) != 0)
				continue;
			f->owner = p->owner;
			set_role(f, OTST_ROLE_PROGRAM,
				 otst_format(o, "BPF program %u, %s", b[k].id,
					     describe_probe(o, p)));
			return;
		}
	}
	set_role(f, OTST_ROLE_PROGRAM, "BPF program");
}

/* a function of a BPF program has its own tag: the program is further up the stack */
static void judge_functions(struct otst *o, struct otst_verdict_stack *s)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		struct otst_verdict_frame *f = &s->frames[i];

		for (size_t k = i + 1; f->role == OTST_ROLE_PROGRAM && k < s->nr_frames &&
				       f->owner.kind == OTST_OWNER_UNKNOWN;
		     k++) {
			const struct otst_verdict_frame *g = &s->frames[k];

			if (g->frame.exact || !g->frame.reliable)
				break;
			if (g->role != OTST_ROLE_PROGRAM || g->owner.kind == OTST_OWNER_UNKNOWN)
				continue;
			f->owner = g->owner;
			f->what = otst_format(o, "function of %s", g->what);
		}
	}
}

/* kernel functions that walk the records of hooks to find out whose handler runs */
static bool looks_up_hooks(const struct otst_sym *sym)
{
	static const char *const names[] = {
		"get_kprobe",		"__ftrace_ops_list_func", "arch_ftrace_ops_list_func",
		"ftrace_ops_list_func", "ftrace_ops_assist_func", NULL,
	};

	return otst_sym_is_one_of(sym, names);
}

/*
 * text of a module that was unloaded: its memory is freed or, since it stays
 * executable, filled with int3 (execmem_fill_trapping_insns())
 */
static bool is_freed(struct otst *o, uint64_t pc)
{
	unsigned char bytes[FREED_SIZE];
	size_t i;

	if (otst_module_at(o, pc))
		return false;
	if (!otst_is_code(o, pc))
		return true;
	if (otst_is_kernel_text(o, pc) || otst_read(o, pc, bytes, sizeof(bytes)))
		return false;
	for (i = 0; i < sizeof(bytes) && bytes[i] == 0xcc; i++)
		;
	return i == sizeof(bytes);
}

static void judge_code(struct otst *o, const struct otst_hooks *h, struct otst_verdict_frame *f)
{
	uint64_t pc = code_of(o, f);

	if (otst_begins(f->sym.name, "bpf_prog_"))
		judge_program(o, h, f);
	else if (otst_begins(f->sym.name, "bpf_trampoline_") ||
		 otst_begins(f->sym.name, "bpf_dispatcher_"))
		set_role(f, OTST_ROLE_TRAMPOLINE, "trampoline of BPF");
	else if (!f->sym.name && is_freed(o, pc))
		set_role(f, OTST_ROLE_GONE, "no text of the kernel or of a loaded module");
	if (looks_up_hooks(&f->sym))
		set_role(f, OTST_ROLE_DISPATCH, "looks up whose handler runs");
	if (otst_runs_handlers(&f->sym))
		set_role(f, OTST_ROLE_DISPATCH, "runs handlers of probes");
}

/* a trampoline of ftrace calls nothing but the callback, which may end with a jump to @f */
static bool is_from_trampoline(struct otst *o, const struct otst_hooks *h,
			       const struct otst_verdict_frame *f,
			       const struct otst_verdict_frame *trampoline)
{
	const struct otst_ftrace_ops *ops =
		otst_ftrace_trampoline_at(&h->list, code_of(o, trampoline));

	return ops && ops->func_sym.module && f->sym.module &&
	       !strcmp(ops->func_sym.module, f->sym.module);
}

/* what a handler calls in its own module is the hook's code, too */
static void judge_callees(struct otst *o, const struct otst_hooks *h, struct otst_verdict_stack *s)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		struct otst_verdict_frame *f = &s->frames[i];

		for (size_t k = i + 1;
		     (f->role == OTST_ROLE_OWNER || f->role == OTST_ROLE_CATCHER) &&
		     k < s->nr_frames;
		     k++) {
			const struct otst_verdict_frame *g = &s->frames[k];

			/* an interrupt is not called by the code that it interrupts */
			if (g->frame.exact || !g->frame.reliable)
				break;
			/* a handler that ends with a jump to a function leaves no frame */
			if (g->role == OTST_ROLE_DISPATCH) {
				if (k == i + 1)
					set_role(f, OTST_ROLE_CALLEE,
						 otst_format(o, "called by %s, which runs handlers",
							     g->sym.name));
				break;
			}
			if (g->role == OTST_ROLE_TRAMPOLINE && k == i + 1 &&
			    is_from_trampoline(o, h, f, g))
				set_role(f, OTST_ROLE_CALLEE,
					 otst_format(o, "called by the %s", g->what));
			if ((g->role == OTST_ROLE_HANDLER || g->role == OTST_ROLE_REPLACEMENT) &&
			    g->sym.module && f->sym.module && !strcmp(g->sym.module, f->sym.module))
				set_role(f, OTST_ROLE_CALLEE,
					 otst_format(o, "called by %s, %s", g->sym.name, g->what));
		}
	}
}

static void judge_frame(struct otst *o, const struct otst_hooks *h, struct otst_verdict_frame *f)
{
	const struct otst_registered *r = h->registered.data;

	for (size_t i = 0; i < h->probes.count; i++)
		judge_probe(o, f, h->probes.items[i]);
	for (size_t i = 0; i < h->list.count; i++)
		judge_ops(o, f, h->list.items[i]);
	for (size_t i = 0; i < h->registered.count; i++)
		judge_registered(o, f, &r[i]);
	judge_code(o, h, f);
}

int otst_frames_judge(struct otst *o, struct otst_verdict *v, const struct otst_hooks *h)
{
	struct otst_verdict_stack *s = v->stacks.data;
	int err = 0;

	for (size_t i = 0; i < v->stacks.count && !err; i++) {
		for (size_t k = 0; k < s[i].nr_frames; k++)
			judge_frame(o, h, &s[i].frames[k]);
		otst_judge_redirects(o, v, h, &s[i]);
		judge_callees(o, h, &s[i]);
		judge_functions(o, &s[i]);
		err = otst_check(o);
	}
	return err;
}

/* a trampoline that waits for the function it called, below it: no code of the hook runs */
static bool waits_for_return(const struct otst_verdict_stack *s, size_t i)
{
	const struct otst_where *w = i ? s->frames[i - 1].where : NULL;

	for (size_t k = 0; w && k < w->nr_steps; k++) {
		const struct otst_probe *p = w->steps[k].probe;

		if (p && (p->kind == OTST_PROBE_FEXIT || p->kind == OTST_PROBE_FMOD_RET ||
			  p->kind == OTST_PROBE_LSM))
			return true;
	}
	return false;
}

size_t otst_find_hook(const struct otst_verdict_stack *s, size_t from)
{
	size_t i, found = s->nr_frames;

	for (i = from; i < s->nr_frames; i++) {
		if (!s->frames[i].frame.reliable)
			continue;
		if (otst_role_is_hook(s->frames[i].role) &&
		    s->frames[i].role != OTST_ROLE_TRAMPOLINE)
			return i;
		if (found == s->nr_frames &&
		    (s->frames[i].role == OTST_ROLE_DISPATCH ||
		     (s->frames[i].role == OTST_ROLE_TRAMPOLINE && !waits_for_return(s, i))))
			found = i;
	}
	return found;
}
