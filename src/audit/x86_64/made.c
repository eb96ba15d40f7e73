// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * made.c - code that the kernel makes of other code: the trampoline of an ftrace_ops is a copy of
 * ftrace_caller (arch/x86/kernel/ftrace.c, create_trampoline()), a kprobe's slot a copy of the
 * instruction that it replaced (kprobes/core.c, arch_copy_kprobe()), a detour buffer one of
 * optprobe_template_entry with the instructions that the jump covers (kprobes/opt.c,
 * arch_prepare_optimized_kprobe()).
 */
#include <string.h>

#include "../../built/built.h"
#include "../../built/disassemble.h"
#include "../../owners/owners.h"
#include "x86_64.h"

#define NOP	   0x90
#define MOST	   1024u /* bytes of a copy */
#define WINDOW	   64u	 /* of text around a probe */
#define DIFFERENT  16u	 /* bytes that a finding shows */
#define JUMP_LEN   5u
#define MOVE_LEN   10u /* movabs $record, %rdi */
#define CLAC_LEN   3u
#define CALL_THUNK 32u /* what counts calls before a function is not longer */

/**
 * struct made - one piece of such code
 * @at: where it is; @moved: how far it was moved down from its source
 * @want: what it has to be, @len bytes; @any: not those
 * @early: the first @early_len of them before the kernel chose instructions for its cpu: a tracer
 *	of the command line has that copy. NULL where there is none
 */
struct made {
	struct otst *o;
	struct otst_audit *a;
	const char *message;
	uint64_t record, at, moved;
	size_t len;
	uint8_t want[MOST], found[MOST];
	bool any[MOST];
	uint8_t *early;
	size_t early_len;
};

static void allow_bytes(struct made *m, size_t at, size_t len)
{
	memset(m->any + at, true, len);
}

static void want_bytes(struct made *m, const void *bytes, size_t len)
{
	memcpy(m->want + m->len, bytes, len);
	m->len += len;
}

static void want_branch(struct made *m, uint8_t opcode, uint64_t to)
{
	otst_put_rel32(m->want + m->len, opcode, m->at + m->len, to);
	m->len += JUMP_LEN;
}

/* the end of the distance around @i that was moved with its instruction; 0 when there is none */
static size_t end_of_moved(const struct made *m, size_t i)
{
	for (size_t at = i < 3 ? 0 : i - 3; at <= i && at + 4 <= m->len; at++) {
		if ((uint32_t)(otst_get_le(m->found + at, 4) - otst_get_le(m->want + at, 4)) ==
		    (uint32_t)m->moved)
			return at + 4;
	}
	return 0;
}

static void report_made(struct made *m, size_t at)
{
	size_t len = m->len - at < DIFFERENT ? m->len - at : DIFFERENT;
	uint8_t *bytes = otst_alloc(m->o, 2 * len);
	struct otst_finding *f;

	while (len > 1 && m->want[at + len - 1] == m->found[at + len - 1])
		len--;
	otst_finding_record(m->o, m->a, OTST_FINDING_CLAIM, m->at + at, m->record, m->message);
	if (!bytes)
		return;
	f = (struct otst_finding *)m->a->findings.data + m->a->findings.count - 1;
	memcpy(bytes, m->want + at, len);
	memcpy(bytes + len, m->found + at, len);
	f->expected = bytes;
	f->found = bytes + len;
	f->len = (uint32_t)len;
	f->code = m->at;
}

/* the first difference is a finding; 0 or fatal */
static int compare_made(struct made *m)
{
	size_t end;
	int err = otst_read(m->o, m->at, m->found, m->len);

	if (err)
		return otst_note(m->o, &m->a->errors,
				 otst_fail(m->o, err, "code that the kernel made at 0x%llx",
					   (unsigned long long)m->at));
	for (size_t i = 0; i < m->len; i++) {
		if (m->any[i] || m->want[i] == m->found[i] ||
		    (m->early && i < m->early_len && m->early[i] == m->found[i]))
			continue;
		end = end_of_moved(m, i);
		if (!end) {
			report_made(m, i);
			return 0;
		}
		i = end - 1;
	}
	return 0;
}

/* ---- the trampoline of an ftrace_ops ---- */

/**
 * struct source - the function that is copied, @len bytes at @begin
 * @ops, @call: where in it the pointer to the ops is loaded, and what ftrace calls
 * @jump: a jump over what only direct calls need; beyond @len where there is none
 */
struct source {
	const char *name;
	uint64_t begin, len, ops, call, jump;
};

/* false if it is not known */
static bool find_source(struct otst *o, bool regs, struct source *ret)
{
	const char *name = regs ? "ftrace_regs_caller" : "ftrace_caller";
	uint64_t begin = otst_symbol_or0(o, name),
		 end = otst_symbol_or0(o, regs ? "ftrace_regs_caller_end" : "ftrace_caller_end"),
		 ops = otst_symbol_or0(o,
				       regs ? "ftrace_regs_caller_op_ptr" : "ftrace_caller_op_ptr"),
		 call = otst_symbol_or0(o, regs ? "ftrace_regs_call" : "ftrace_call"),
		 jump = regs ? otst_symbol_or0(o, "ftrace_regs_caller_jmp") : 0;

	*ret = (struct source){ name, begin, end - begin, ops - begin, call - begin, jump - begin };
	return begin && ret->len && ret->len <= MOST - WINDOW && ret->ops < ret->len &&
	       ret->call < ret->len;
}

/* the copy ends with a return, or a jump to one; what follows up to the pointer to the ops is not run */
static void want_return(struct made *m)
{
	uint64_t variable = otst_symbol_or0(m->o, "x86_return_thunk"), thunk = 0, to;
	uint8_t found[JUMP_LEN] = { 0 };
	struct otst_sym sym;

	(void)otst_read(m->o, m->at + m->len, found, sizeof(found));
	to = otst_get_rel32(found, m->at + m->len);
	otst_symbolize(m->o, to, &sym);
	/* where it leads is judged with the text's own returns */
	if (variable)
		(void)otst_read_u64(m->o, variable, &thunk);
	if (found[0] == RET)
		want_bytes(m, found, 1);
	else if (found[0] == JMP && (to == thunk || (sym.name && !sym.module &&
						     (strstr(sym.name, "return_thunk") ||
						      strstr(sym.name, "ftrace_")))))
		want_bytes(m, found, JUMP_LEN);
	else
		want_branch(m, JMP, otst_symbol_or0(m->o, "__x86_return_thunk"));
}

/* pages that nobody has written to are zeros, or breakpoints */
static bool is_memory_cleared(struct otst *o)
{
	uint64_t key = otst_symbol_or0(o, "init_on_alloc");
	uint32_t on = 0;

	return otst_has_symbol(o, "execmem_cache") || (key && !otst_read_u32(o, key, &on) && on);
}

/* without the file, only the nops that such places are built with are known */
static void learn_early(struct made *m, uint64_t begin)
{
	m->early = otst_alloc(m->o, m->len);
	m->early_len = m->early ? m->len : 0;
	if (m->early && otst_text_built(m->o, begin, m->early, m->len))
		memset(m->early, NOP, m->len);
}

/* behind the pointer to the ops, up to the end of the page; 0 or fatal */
static int check_rest(struct made *m, const char *what, uint64_t at)
{
	uint64_t end = (at + OTST_CHUNK - 1) & -(uint64_t)OTST_CHUNK;
	uint8_t *bytes = otst_alloc(m->o, OTST_CHUNK);

	if (!is_memory_cleared(m->o) || !bytes || otst_read(m->o, at, bytes, end - at))
		return otst_stopped(m->o);
	for (uint64_t i = 0; i < end - at; i++) {
		if (bytes[i] && bytes[i] != INT3) {
			otst_finding_record(m->o, m->a, OTST_FINDING_MEMORY, at + i, m->record,
					    otst_format(m->o, "%s: code behind its trampoline",
							what));
			break;
		}
	}
	return 0;
}

/* what create_trampoline() changes in its copy */
static void allow_patches(struct made *m, const struct source *s)
{
	allow_bytes(m, s->ops + 3, 4);
	/* pointers.c looks at what it calls; a breakpoint is there while that changes */
	allow_bytes(m, s->call, JUMP_LEN);
	if (s->jump < m->len)
		memcpy(m->want + s->jump, otst_patcher(m->o)->nop[2], 2);
}

int otst_x86_64_check_trampoline(struct otst *o, struct otst_audit *a, const char *what,
				 const struct otst_ftrace_ops *ops)
{
	struct made *m = otst_new(o, sizeof(*m));
	uint8_t distance[4];
	struct source s;
	uint64_t at;
	int err;

	if (!find_source(o, otst_ftrace_saves_regs(o, ops), &s) ||
	    otst_read(o, ops->trampoline + s.ops + 3, distance, sizeof(distance)))
		return otst_stopped(o);
	*m = (struct made){ .o = o, .a = a, .record = ops->addr, .at = ops->trampoline };
	m->message = otst_format(o, "%s: its trampoline is not the copy of %s that ftrace made",
				 what, s.name);
	m->moved = s.begin - ops->trampoline;
	m->len = s.len;
	err = otst_read(o, s.begin, m->want, m->len);
	if (err)
		return otst_fatal(err) ? err : 0;
	learn_early(m, s.begin);
	allow_patches(m, &s);
	want_return(m);
	err = compare_made(m);
	/* the pointer to the ops, which the copy loads relative to its next instruction */
	at = ops->trampoline + s.ops + 7 + (uint64_t)(int64_t)(int32_t)otst_get_le(distance, 4);
	return err ? err : check_rest(m, what, at + 8);
}

/* ---- kprobes ---- */

/* the @len bytes of text from @p on as they were; false if they are not in the dump */
static bool read_original(struct otst *o, const struct otst_probe *p, uint8_t *ret, size_t len)
{
	if (otst_read(o, p->addr, ret, len))
		return false;
	memcpy(ret, p->saved, p->nr_saved < len ? p->nr_saved : len);
	return true;
}

static struct made *new_made(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
			     uint64_t at, const char *message)
{
	struct made *m = otst_new(o, sizeof(*m));

	*m = (struct made){ .o = o, .a = a, .record = p->node, .at = at };
	m->message = otst_format(o, "%s: %s", otst_audit_probe_name(o, p), message);
	m->moved = p->addr - at;
	return m;
}

/* behind the instruction: the jump back of one that can be boosted, else what stops after it */
static void want_end_of_slot(struct made *m, const struct otst_probe *p, size_t len)
{
	static const uint8_t stop = INT3;
	uint64_t boosted = 0, all = 0;

	(void)otst_read_member(m->o, "kprobe", p->node, "ainsn.boostable", &boosted);
	(void)otst_read_member(m->o, "kprobe", p->node, "ainsn.tp_len", &all);
	if (boosted == 1)
		want_branch(m, JMP, p->addr + len);
	/* Linux 6256e668b7af ("x86/kprobes: Use int3 instead of debug trap for single-step") (v5.13) */
	else if (all == len + 1)
		want_bytes(m, &stop, 1);
}

static int check_slot(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
		      uint64_t slot)
{
	uint8_t text[OTST_INSN_MAX];
	struct otst_insns insns;
	struct made *m;
	int err;

	if (!read_original(o, p, text, sizeof(text)))
		return 0;
	err = otst_disassemble(o, p->addr, text, sizeof(text), 1, &insns);
	if (err || !insns.count || !insns.items[0].known)
		return err && otst_fatal(err) ? err : 0;
	m = new_made(o, a, p, slot, "its slot is not a copy of the instruction that it replaced");
	want_bytes(m, text, insns.items[0].len);
	want_end_of_slot(m, p, insns.items[0].len);
	return compare_made(m);
}

/* synthesize_clac(): cpus with SMAP have it in the place of a nop */
static void want_clac(struct made *m, uint64_t at)
{
	static const uint8_t clac[] = { 0x0f, 0x01, 0xca };
	uint8_t found[CLAC_LEN];

	if (at + CLAC_LEN <= m->len && !otst_read(m->o, m->at + at, found, sizeof(found)) &&
	    !memcmp(found, clac, sizeof(clac)))
		memcpy(m->want + at, clac, sizeof(clac));
}

/* the record, and the call of optimized_callback(), which may be counted before it is called */
static void want_callback(struct made *m, uint64_t val, uint64_t call)
{
	uint64_t func = otst_symbol_or0(m->o, "optimized_callback"), to;
	uint8_t found[JUMP_LEN];

	m->want[val] = 0x48;
	m->want[val + 1] = 0xbf;
	otst_put_le(m->want + val + 2, m->record, 8);
	otst_put_rel32(m->want + call, CALL, m->at + call, func);
	if (otst_read(m->o, m->at + call, found, sizeof(found)) || found[0] != CALL)
		return;
	to = otst_get_rel32(found, m->at + call);
	if (!func || func - to <= CALL_THUNK)
		allow_bytes(m, call, JUMP_LEN);
}

static int check_detour(struct otst *o, struct otst_audit *a, const struct otst_probe *p)
{
	uint64_t begin = otst_symbol_or0(o, "optprobe_template_entry"),
		 len = otst_symbol_or0(o, "optprobe_template_end") - begin,
		 clac = otst_symbol_or0(o, "optprobe_template_clac") - begin,
		 val = otst_symbol_or0(o, "optprobe_template_val") - begin,
		 call = otst_symbol_or0(o, "optprobe_template_call") - begin, size = 0;
	uint8_t text[WINDOW];
	struct made *m;

	if (!begin || len > MOST - 2 * WINDOW || val + MOVE_LEN > len || call + JUMP_LEN > len ||
	    otst_read_member(o, "optimized_kprobe", p->node, "optinsn.size", &size) ||
	    size < JUMP_LEN || size > WINDOW || !read_original(o, p, text, size))
		return otst_stopped(o);
	m = new_made(o, a, p, p->detour, "its detour buffer is not as kprobes made it");
	if (otst_read(o, begin, m->want, len))
		return otst_stopped(o);
	m->len = len;
	want_clac(m, clac);
	want_callback(m, val, call);
	/* only the instructions that were copied know where they came from */
	m->moved = p->addr - (p->detour + len);
	want_bytes(m, text, size);
	want_branch(m, JMP, p->addr + size);
	return compare_made(m);
}

int otst_x86_64_check_kprobe(struct otst *o, struct otst_audit *a, const struct otst_probe *p,
			     uint64_t slot)
{
	int err = 0;

	/* of a text that is not as the record says, another finding tells */
	if (!p->nr_saved || p->disagree || p->error)
		return 0;
	if (slot && otst_may_be_slot(o, slot))
		err = check_slot(o, a, p, slot);
	if (!err && p->detour && otst_may_be_slot(o, p->detour))
		err = check_detour(o, a, p);
	return err;
}
