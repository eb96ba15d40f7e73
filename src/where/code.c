// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * code.c - a function's beginning and its hooked places as instructions: as
 * built, as the records want them, as found.
 *
 * If the code as built is unknown, the bytes that the records saved are put back
 * into the bytes found: that tells where instructions begin. The bytes found are
 * decoded from there, so that the remains after a jump that was written over
 * several instructions are not taken for code.
 */
#include <stdlib.h>
#include <string.h>

#include "../ftrace/ftrace.h"
#include "../base/engine.h"
#include "../base/sorted.h"
#include "../built/built.h"
#include "where.h"

#define BEGINNING 16u /* bytes of a function that are always shown */
#define PATCH	  5u  /* bytes shown from a hooked place on, at least */
#define JOINED	  8u  /* gaps up to this are shown, too */
#define ROOM	  (4096u + OTST_INSN_MAX)

/* bytes from @addr on */
struct window {
	uint64_t addr;
	size_t want; /* bytes to show */
	unsigned char *found, *built, *original;
	size_t nr_found, nr_built;
};

/* what a record wants to be at one place */
struct patch {
	unsigned char bytes[OTST_BRANCH_MAX];
	size_t len;
	bool jump;
	bool undecided; /* it waits for the optimizer */
};

struct coding {
	struct otst *o;
	const struct otst_hooks *h;
	struct otst_where *w;
	struct otst_messages *errors;
	struct otst_vec rows;
	struct otst_vec saved;
};

/* ---- what records want ---- */

static void put_code_branch(struct otst *o, struct patch *p, enum otst_branch_kind kind,
			    uint64_t from, uint64_t to)
{
	p->len = otst_kernel(o)->arch->insn.put_branch(p->bytes, kind, from, to);
	p->jump = kind == OTST_BRANCH_JUMP;
}

static void put_form(struct patch *p, const struct otst_insn_form *form)
{
	memcpy(p->bytes, form->bytes, form->len);
	p->len = form->len;
}

static void put_nop(struct otst *o, struct patch *p)
{
	p->len = otst_kernel(o)->arch->insn.nop.len;
	memcpy(p->bytes, otst_audit_nop(o), p->len);
}

/* ftrace_get_addr_curr(): target of the site's call by its record; 0 if unknown */
static uint64_t site_callee(struct otst *o, const struct otst_ftrace_functions *all,
			    const struct otst_ftrace_function *f)
{
	if (f->site.flags & all->bits.direct_en)
		return f->direct;
	if (f->site.flags & all->bits.tramp_en)
		return f->nr_tramps ? f->tramps[0]->trampoline : 0;
	return otst_symbol_or0(o, f->site.flags & all->bits.regs_en ? "ftrace_regs_caller" :
								      "ftrace_caller");
}

/* keep what is at the site itself, of a call that begins @lead bytes before it */
static void drop_lead(struct patch *p, unsigned int lead)
{
	if (!p->len)
		return;
	p->len -= lead;
	memmove(p->bytes, p->bytes + lead, p->len);
}

static void want_site(const struct coding *c, const struct otst_ftrace_site *site,
		      struct patch *ret)
{
	const struct otst_ftrace_function *f = NULL;
	unsigned int lead = otst_ftrace_lead(c->o);
	uint64_t to, at;

	for (size_t i = 0; i < c->h->functions.count && !f; i++) {
		if (c->h->functions.items[i].site.ip == site->ip)
			f = &c->h->functions.items[i];
	}
	to = f ? site_callee(c->o, &c->h->functions, f) : 0;
	if (f && site->stub)
		put_code_branch(c->o, ret, OTST_BRANCH_JUMP, site->ip, site->stub);
	else if ((!f || to) && otst_ftrace_switched(c->o, site->ip, to, ret->bytes))
		ret->len = otst_kernel(c->o)->arch->insn.branch_len;
	else if (!f)
		put_nop(c->o, ret);
	else if (to && (at = otst_ftrace_reach(c->o, site->ip, to)))
		put_code_branch(c->o, ret,
				f->direct_jmp && to == f->direct ? OTST_BRANCH_JUMP :
								   OTST_BRANCH_CALL,
				site->ip - lead, at);
	else if (to)
		otst_note(c->o, c->errors, OTST_ERR_FAULT);
	drop_lead(ret, lead);
}

static void want_kprobe(const struct coding *c, const struct otst_probe *p, struct patch *ret)
{
	if (p->claim != OTST_CLAIM_ARMED)
		return;
	ret->undecided = p->queue != NULL;
	if (p->via == OTST_VIA_JUMP && p->detour)
		put_code_branch(c->o, ret, OTST_BRANCH_JUMP, p->addr, p->detour);
	else if (p->via == OTST_VIA_INT3)
		put_form(ret, otst_breakpoint_on(otst_kernel(c->o)->arch, p->nr_saved));
}

/* what ftrace writes at boot to @addr, right before a site; no bytes if that is nothing */
static struct otst_insn_form call_prefix(const struct coding *c, uint64_t addr)
{
	const struct otst_arch *arch = otst_kernel(c->o)->arch;
	uint64_t common = otst_symbol_or0(c->o, "ftrace_caller");
	unsigned int lead = otst_ftrace_lead(c->o);
	struct otst_insn_form ret = arch->ftrace.call_prefix;
	struct otst_ftrace_site site;

	if (lead && common) {
		arch->insn.put_branch(ret.bytes, OTST_BRANCH_CALL, addr, common);
		ret.len = (uint8_t)lead;
	}
	if (!ret.len || !otst_ftrace_site_at(c->o, addr + ret.len, &site) || site.stub)
		ret.len = 0;
	return ret;
}

static void want_at(const struct coding *c, uint64_t addr, struct patch *ret)
{
	struct otst_insn_form prefix;
	struct otst_ftrace_site site;

	*ret = (struct patch){ .len = 0 };
	/* a breakpoint comes before the site's call is put there */
	for (size_t i = 0; i < c->h->probes.count && !ret->len; i++) {
		if (c->h->probes.items[i]->addr == addr)
			want_kprobe(c, c->h->probes.items[i], ret);
	}
	if (!ret->len && c->h->has_functions && otst_ftrace_site_at(c->o, addr, &site))
		want_site(c, &site, ret);
	if (ret->len)
		return;
	prefix = call_prefix(c, addr);
	put_form(ret, &prefix);
}

/* ---- bytes ---- */

/* read as much as there is of @want bytes and of what may belong to the last instruction */
static size_t read_function_text(struct otst *o, uint64_t addr, size_t want, unsigned char *buf,
				 int (*read)(struct otst *o, uint64_t addr, void *buf, size_t len))
{
	size_t len = want + OTST_INSN_MAX - 1, page = OTST_CHUNK - addr % OTST_CHUNK;

	/* the next page may be missing, or everything; a section of a module may end anywhere */
	while (len && read(o, addr, buf, len))
		len = len > page ? page : len - 1;
	return len;
}

static void restore_site(const struct coding *c, struct window *win)
{
	const struct otst_insn_form *nop = &otst_kernel(c->o)->arch->insn.nop;
	unsigned int lead = otst_ftrace_lead(c->o);

	memcpy(win->original, win->found, win->nr_found);
	for (size_t i = 0; i + nop->len <= win->nr_found; i++) {
		if (otst_ftrace_site_at(c->o, win->addr + i + lead, NULL))
			memcpy(win->original + i, nop->bytes, nop->len);
	}
	for (size_t i = 0; i < c->h->probes.count; i++) {
		const struct otst_probe *p = c->h->probes.items[i];

		/* a probe that wrote nothing needs nothing put back */
		if (p->claim != OTST_CLAIM_ARMED && !p->queue)
			continue;
		for (size_t k = 0; k < p->nr_saved; k++) {
			if (p->addr + k - win->addr < win->nr_found)
				win->original[p->addr + k - win->addr] = p->saved[k];
		}
	}
}

static int read_code_window(const struct coding *c, struct window *win)
{
	win->found = otst_alloc(c->o, 3 * ROOM);
	if (!win->found)
		return otst_no_memory(c->o);
	win->built = win->found + ROOM;
	win->original = win->built + ROOM;
	win->nr_found = read_function_text(c->o, win->addr, win->want, win->found, otst_read);
	win->nr_built = read_function_text(c->o, win->addr, win->want, win->built, otst_text_built);
	restore_site(c, win);
	return 0;
}

/* ---- rows ---- */

static void name_code_target(const struct coding *c, struct otst_insn *insn,
			     const struct patch *want)
{
	struct otst_evidence e;

	if (!insn->target || insn->name)
		return;
	otst_evidence(c->o, insn->addr, want->jump ? insn->target : 0, &e);
	if (e.target == insn->target)
		insn->name = e.target_name;
}

static int want_insn(const struct coding *c, uint64_t addr, const struct patch *want,
		     struct otst_insn **ret)
{
	struct otst_insns one;
	int err;

	*ret = NULL;
	if (!want->len)
		return 0;
	err = otst_disassemble(c->o, addr, want->bytes, want->len, 1, &one);
	if (!err) {
		*ret = one.items;
		name_code_target(c, *ret, want);
	}
	return err;
}

/* the instruction found at @base's address; NULL if it is not in the dump */
static int find_insn(const struct coding *c, const struct window *win, const struct otst_insn *base,
		     struct otst_insn **ret)
{
	size_t at = base->addr - win->addr;
	struct otst_insns one;
	int err;

	*ret = NULL;
	if (at >= win->nr_found)
		return 0;
	err = otst_disassemble(c->o, base->addr, win->found + at, win->nr_found - at, 1, &one);
	if (!err)
		*ret = one.items;
	return err;
}

static int add_code_row(struct coding *c, const struct window *win, const struct otst_insn *base,
			size_t *covered, bool gap)
{
	struct otst_code_row *row = otst_vec_push(c->o, &c->rows, sizeof(*row));
	size_t at = base->addr - win->addr;
	struct otst_insn *wanted, *found;
	struct patch want;
	int err;

	*row = (struct otst_code_row){ .addr = base->addr, .gap = gap };
	row->built = win->nr_built ? base : NULL;
	row->covered = at < *covered;
	want_at(c, base->addr, &want);
	err = want_insn(c, base->addr, &want, &wanted);
	row->wanted = wanted;
	row->wrong = wanted && !want.undecided && at + want.len <= win->nr_found &&
		     memcmp(win->found + at, want.bytes, want.len);
	if (err || row->covered)
		return err;
	err = find_insn(c, win, base, &found);
	if (err || !found)
		return err;
	name_code_target(c, found, &want);
	row->found = found;
	row->same = row->built && found->len == base->len &&
		    !memcmp(found->bytes, base->bytes, base->len);
	*covered = at + found->len;
	return 0;
}

static int add_window(struct coding *c, uint64_t addr, size_t want)
{
	struct window win = { .addr = addr, .want = want };
	struct otst_insns base;
	size_t i, covered = 0;
	int err = read_code_window(c, &win);

	if (err)
		return err;
	if (win.nr_built)
		c->w->code.built_known = true;
	err = otst_disassemble(c->o, addr, win.nr_built ? win.built : win.original,
			       win.nr_built ? win.nr_built : win.nr_found, want, &base);
	for (i = 0; i < base.count && !err; i++)
		err = add_code_row(c, &win, &base.items[i], &covered, !i && c->rows.count);
	return err;
}

/* ---- which places ---- */

/* add windows for the places of the steps, without overlap */
static int add_windows(struct coding *c)
{
	const struct otst_where *w = c->w;
	uint64_t *places = otst_alloc(c->o, (w->nr_steps + 1) * sizeof(*places));
	uint64_t begin = w->sym.addr, end = begin + BEGINNING, limit = begin + w->sym.size;
	uint64_t patch = otst_kernel(c->o)->arch->insn.branch_len;
	size_t i, n = 0;
	int err = 0;

	if (!places)
		return otst_no_memory(c->o);
	for (i = 0; i < w->nr_steps; i++) {
		if (otst_where_has(w, w->steps[i].addr))
			places[n++] = w->steps[i].addr;
	}
	patch = patch > PATCH ? patch : PATCH;
	otst_sort(places, n, sizeof(*places), otst_by_u64);
	for (i = 0; i < n && !err; i++) {
		if (places[i] > end + JOINED || places[i] + patch - begin > ROOM - OTST_INSN_MAX) {
			err = add_window(c, begin, end - begin);
			begin = places[i];
		}
		end = places[i] + patch > end ? places[i] + patch : end;
	}
	if (limit > begin && end > limit)
		end = limit;
	return err ? err : add_window(c, begin, end - begin);
}

/* ---- what records keep of the original ---- */

static int add_saved(struct coding *c, const struct otst_probe *p)
{
	unsigned char text[OTST_TEXT_BYTES + OTST_INSN_MAX], built[OTST_TEXT_BYTES];
	struct otst_code_saved *s = otst_vec_push(c->o, &c->saved, sizeof(*s));
	struct otst_insn_form prefix = call_prefix(c, p->addr);
	size_t len = read_function_text(c->o, p->addr, p->nr_saved, text, otst_read);

	s->probe = p;
	s->differs = !otst_text_built(c->o, p->addr, built, p->nr_saved) &&
		     memcmp(built, p->saved, p->nr_saved) &&
		     !(prefix.len && otst_insn_is(&prefix, p->saved, p->nr_saved));
	memcpy(text, p->saved, p->nr_saved);
	len = len > p->nr_saved ? len : p->nr_saved;
	return otst_disassemble(c->o, p->addr, text, len, p->nr_saved, &s->insns);
}

static int add_all_saved(struct coding *c)
{
	int err = 0;

	for (size_t i = 0; i < c->h->probes.count && !err; i++) {
		const struct otst_probe *p = c->h->probes.items[i];

		if (p->nr_saved && otst_where_has(c->w, p->addr))
			err = add_saved(c, p);
	}
	return err;
}

/* an ftrace_ops, unlike a probe, has not been compared with the text of each of its functions */
static void compare_step(const struct otst_code *code, struct otst_step *s)
{
	s->disagree = s->probe ? s->probe->disagree : NULL;
	for (size_t i = 0; i < code->nr_rows && !s->disagree && otst_step_runs(s); i++) {
		const struct otst_code_row *row = &code->rows[i];

		if (row->addr == s->addr && row->wrong)
			s->disagree = row->covered ?
					      "another instruction is written over its place" :
					      "the text is not what its record wants";
	}
}

int otst_where_code(struct otst *o, const struct otst_hooks *h, struct otst_where *w,
		    struct otst_messages *errors)
{
	struct coding c = { .o = o, .h = h, .w = w, .errors = errors };
	int err = add_windows(&c);

	err = err ?: add_all_saved(&c);
	if (err && !otst_fatal(err)) {
		w->code.error = otst_strdup(o, otst_message(o));
		return 0;
	}
	w->code.rows = c.rows.data;
	w->code.nr_rows = c.rows.count;
	w->code.saved = c.saved.data;
	w->code.nr_saved = c.saved.count;
	for (size_t i = 0; i < w->nr_steps; i++)
		compare_step(&w->code, &w->steps[i]);
	return err;
}
