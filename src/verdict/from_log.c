// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * from_log.c - what died, and whose code failed, by a log alone: /var/log/messages, a
 * serial console, a paste. What hooked the functions is in no log; only hook code that
 * its name or its caller gives away on the failing stack is evidence.
 */
#include <ctype.h>
#include <string.h>

#include "evidence.h"
#include "report.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/** struct flagged - "lab(OE)" in the list of modules */
struct flagged {
	const char *name;
	const char *flags;
};

/**
 * struct reader - one pass through the log
 * @now: of the boot that is being read, the @boot-th; @worst: the boot that ended worst, the @worst_boot-th
 * @modules: vector of struct flagged
 * @listing: the line before this one is of the list of modules
 */
struct reader {
	struct otst *o;
	struct otst_report_reader now, worst;
	unsigned int boot, worst_boot;
	struct otst_vec modules;
	bool listing;
};

/* ---- the report ---- */

/* of what the kernel may have survived, the first oops is the cause of the others; of other kinds the last counts */
static const struct otst_report *survived_report(const struct otst_report_reader *rd)
{
	const struct otst_report *oops = rd->before.line ? &rd->before : &rd->last[OTST_DEATH_OOPS],
				 *last = NULL;

	if (oops->line)
		return oops;
	for (int k = OTST_DEATH_SOFT_LOCKUP; k < OTST_DEATH_WARNING; k++) {
		if (rd->last[k].line && (!last || rd->last[k].seq > last->seq))
			last = &rd->last[k];
	}
	return last ?: &rd->last[OTST_DEATH_WARNING];
}

/* how bad the end is, for the choice between boots */
static int badness_of(const struct otst_report_reader *rd)
{
	const struct otst_report *r = survived_report(rd);

	if (rd->panic)
		return 4;
	if (!r->line)
		return 0;
	return r->death == OTST_DEATH_OOPS ? 3 : r->death == OTST_DEATH_WARNING ? 1 : 2;
}

static void end_boot(struct reader *r)
{
	int now = badness_of(&r->now);

	if (now && now >= badness_of(&r->worst)) {
		r->worst = r->now;
		r->worst_boot = r->boot;
	}
}

static void begin_boot(struct reader *r)
{
	const struct otst_traces *traces = r->now.traces;

	end_boot(r);
	r->boot++;
	r->now = (struct otst_report_reader){ .o = r->o, .traces = traces };
}

/* ---- the list of modules ---- */

static void add_flagged(struct reader *r, const char *name, size_t len, const char *flags, size_t n)
{
	struct flagged *all = r->modules.data, *f;

	for (size_t i = 0; i < r->modules.count; i++) {
		if (!strncmp(all[i].name, name, len) && !all[i].name[len])
			return;
	}
	f = otst_vec_push(r->o, &r->modules, sizeof(*f));
	*f = (struct flagged){ otst_log_keep(r->o, name, len), otst_log_keep(r->o, flags, n) };
}

/* "Modules linked in: lab(OE) e1000 [last unloaded: x]", and the lines in which it goes on */
static void read_modules(struct reader *r, const char *text)
{
	const char *open, *close, *name;
	bool begins = !strncmp(text + strspn(text, " \t"), "Modules linked in:", 18);

	r->listing = begins || (r->listing && *text == ' ' && !strstr(text, "+0x"));
	if (!r->listing)
		return;
	for (open = strchr(text, '('); open; open = strchr(open + 1, '(')) {
		for (name = open;
		     name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_'); name--)
			;
		close = strchr(open, ')');
		if (close && close - open > 1 && close - open < 8 && name < open)
			add_flagged(r, name, (size_t)(open - name), open + 1,
				    (size_t)(close - open - 1));
	}
}

static const char *flags_of(const struct reader *r, const char *module)
{
	const struct flagged *all = r->modules.data;

	for (size_t i = 0; module && i < r->modules.count; i++) {
		if (!strcmp(all[i].name, module))
			return all[i].flags;
	}
	return NULL;
}

static int take_text_line(void *priv, const struct otst_log_line *line, bool sure)
{
	struct reader *r = priv;

	if (!strncmp(line->text, "Linux version ", 14))
		begin_boot(r);
	read_modules(r, line->text);
	return otst_report_line(&r->now, line, sure);
}

/* ---- its trace ---- */

/* a frame that the kernel did not guess, in its own mode */
static bool is_log_frame(const struct otst_trace_line *line)
{
	return otst_trace_line_is_code(line) && line->reliable && !(line->cs & 3) && line->text;
}

/* functions that print what others did, and report it; "*" ends a prefix */
static bool is_reporter(const char *text)
{
	static const char *const names[] = {
		"dump_stack*",
		"show_stack*",
		"show_trace*",
		"dump_backtrace*",
		"unwind_backtrace",
		"__stack_chk_fail",
		"warn_slowpath*",
		"print_address_description",
		"kasan_*",
		"__kasan*",
		"__asan_*",
		"asan_*",
		"__hwasan_*",
		"check_region*",
		"ubsan_*",
		"__ubsan_*",
		"object_err",
		"slab_err",
		"slab_pad_check",
		"check_bytes_and_report",
		"check_object",
		"check_slab",
		"free_debug_processing",
		"alloc_debug_processing",
		/* a task that waits is shown by others */
		"__schedule",
		"schedule",
		"__might_*",
		"___might_*",
	};
	struct otst_sym_text sym;

	return otst_sym_text_parse(text, &sym) && !sym.module_len &&
	       (otst_is_reporter(sym.name, sym.name_len) ||
		otst_is_among(sym.name, sym.name_len, names, COUNT(names)));
}

/* "f+0x1/0x2 [mod]" at the end of a headline: 2.6's warnings and KASAN name the function there */
static const char *named_by_headline(struct otst *o, const char *line)
{
	struct otst_log_item item;
	const char *s, *plus = line ? strstr(line, "+0x") : NULL, *end;

	for (s = plus; s && s > line && s[-1] != ' '; s--)
		;
	end = s && s < plus ? otst_log_one(s, &item) : NULL;
	return end ? otst_log_keep(o, item.text, item.len) : NULL;
}

static bool is_past_end(const char *text)
{
	struct otst_sym_text sym;

	return otst_sym_text_parse(text, &sym) && otst_is_past_end(&sym);
}

/* the innermost frame of what was reported; NULL when there is none */
static const char *first_frame(const struct otst_trace *t)
{
	for (size_t i = 0; t && i < t->nr_lines; i++) {
		if (is_log_frame(&t->lines[i]) && !is_reporter(t->lines[i].text) &&
		    !is_past_end(t->lines[i].text))
			return t->lines[i].text;
	}
	return NULL;
}

/* out of the registers of the report; other tasks may print theirs in between */
static const char *printed_ip(const struct otst_verdict *v)
{
	const struct otst_trace_line *first = v->trace ? v->trace->lines : NULL;

	return first && v->trace->nr_lines && first->kind == OTST_LINE_IP ? first->text :
									    v->report.ip_text;
}

/* what an interrupt met in the kernel, by the registers inside the trace */
static const char *interrupted_text(const struct otst_trace *t)
{
	const struct otst_trace_line *line = otst_report_registers(t);

	return line && is_log_frame(line) ? line->text : NULL;
}

/* RCU's own thread waits, and is shown because it could not run */
static bool is_of_rcu(const struct otst_trace *t)
{
	return t && t->comm &&
	       (!strcmp(t->comm, "rcu_sched") || !strcmp(t->comm, "rcu_preempt") ||
		!strcmp(t->comm, "rcu_bh"));
}

/* the place that failed, as the log prints it; NULL when it says none */
static const char *find_failing(struct otst *o, const struct otst_verdict *v)
{
	switch (v->report.death) {
	case OTST_DEATH_NONE:
	case OTST_DEATH_UNKNOWN:
	/* init died in its own mode; or a task is asleep, and not to blame */
	case OTST_DEATH_HUNG_TASK:
	case OTST_DEATH_OUT_OF_MEMORY:
		return NULL;
	case OTST_DEATH_PANIC:
		if (strstr(v->report.panic ?: "", "Attempted to kill init!"))
			return NULL;
		return first_frame(v->trace) ?: printed_ip(v);
	case OTST_DEATH_ASKED:
		return first_frame(v->trace) ?: printed_ip(v);
	case OTST_DEATH_WARNING:
		return named_by_headline(o, v->report.line) ?:
			       first_frame(v->trace)	    ?:
							      printed_ip(v);
	case OTST_DEATH_SOFT_LOCKUP:
	case OTST_DEATH_HARD_LOCKUP:
	case OTST_DEATH_RCU_STALL:
		if (is_of_rcu(v->trace) && !interrupted_text(v->trace))
			return NULL;
		return printed_ip(v) ?: interrupted_text(v->trace) ?: first_frame(v->trace);
	case OTST_DEATH_OOPS:
	case OTST_DEATH_COUNT:
		break;
	}
	return printed_ip(v) ?: first_frame(v->trace);
}

/* ---- whose code ---- */

static const char *module_of(struct otst *o, const char *text)
{
	struct otst_sym_text sym;

	return text && otst_sym_text_parse(text, &sym) && sym.module_len ?
		       otst_log_keep(o, sym.module, sym.module_len) :
		       NULL;
}

static void find_code(struct reader *r, struct otst_verdict *v)
{
	struct otst_code_owner *c = &v->code;

	c->text = find_failing(r->o, v);
	c->module = module_of(r->o, c->text);
	c->flags = flags_of(r, c->module);
	for (size_t i = 0; !c->module && !c->near && v->trace && i < v->trace->nr_lines; i++) {
		const struct otst_trace_line *line = &v->trace->lines[i];

		c->near_module = is_log_frame(line) ? module_of(r->o, line->text) : NULL;
		c->near = c->near_module ? line->text : NULL;
		c->near_flags = flags_of(r, c->near_module);
	}
}

/* ---- hook code on the stack ---- */

/** struct on_stack - frames of the trace that are not guesses */
struct on_stack {
	struct otst *o;
	const struct reader *reader;
	const struct otst_trace_line **frames;
	size_t count;
	size_t failing;
};

static bool names_function(struct otst *o, const char *text, bool (*is)(const struct otst_sym *))
{
	struct otst_sym sym = { 0 };
	struct otst_sym_text parsed;

	if (!otst_sym_text_parse(text, &parsed) || parsed.module_len)
		return false;
	sym.name = otst_log_keep(o, parsed.name, parsed.name_len);
	return sym.name && is(&sym);
}

/* these call the callbacks of ftrace_ops */
static bool calls_callbacks(const struct otst_sym *sym)
{
	return otst_runs_handlers(sym) || otst_calls_callbacks(sym);
}

/* what makes frame @i a hook's code; NULL when it is none, as far as a log tells */
static const char *hook_code(const struct on_stack *s, size_t i)
{
	const char *text = s->frames[i]->text, *module = module_of(s->o, text),
		   *flags = flags_of(s->reader, module);

	if (!strncmp(text, "bpf_prog_", 9) && strspn(text + 9, "0123456789abcdef") == 16)
		return "a BPF program";
	if (!strncmp(text, "bpf_trampoline_", 15))
		return "a trampoline of BPF";
	if (!module)
		return NULL;
	if (!strncmp(module, "stap_", 5))
		return "a module of SystemTap's";
	if (!strcmp(module, "otst") || !strcmp(module, "allie"))
		return "a module that captures";
	/* taint_flags[] of kernel/panic.c */
	if (flags && strchr(flags, 'K'))
		return "a live patch";
	if (i + 1 < s->count && names_function(s->o, s->frames[i + 1]->text, calls_callbacks))
		return "a handler of a probe";
	return NULL;
}

/* was the failing frame called by frame @k within one module, and not by an interrupt */
static bool is_callee(const struct on_stack *s, size_t k)
{
	const char *module = module_of(s->o, s->frames[k]->text), *other;

	for (size_t i = s->failing; i < k && module; i++) {
		other = module_of(s->o, s->frames[i]->text);
		if (!other || strcmp(module, other) != 0 ||
		    (i > s->failing && s->frames[i]->kind == OTST_LINE_IP))
			return false;
	}
	return module && s->frames[k]->kind != OTST_LINE_IP;
}

static void add_evidence(struct otst_finder *f, const struct on_stack *s, size_t k,
			 const char *what)
{
	const char *text = s->frames[k]->text, *module = module_of(f->o, text);
	struct otst_sym_text sym;
	bool own = k == s->failing, called = !own && is_callee(s, k);

	otst_sym_text_parse(text, &sym);
	otst_verdict_add(f, own || called ? OTST_RANK_A : OTST_RANK_C,
			 otst_format(f->o, "%s %s, %s",
				     own    ? "The failing instruction is in" :
				     called ? "The failing instruction was reached by a call from" :
					      "Further up the stack that failed is",
				     text, what),
			 module ? otst_format(f->o, "module %s", module) : NULL,
			 otst_format(f->o, "otst -w %.*s", (int)sym.name_len, sym.name));
}

static int judge_trace(const struct reader *r, struct otst_finder *f)
{
	const struct otst_trace *t = f->v->trace;
	struct on_stack s = { .o = f->o, .reader = r };
	const char *what = NULL;

	if (!t || !f->v->code.text)
		return 0;
	s.frames = otst_alloc(f->o, (t->nr_lines + 1) * sizeof(*s.frames));
	if (!s.frames)
		return otst_no_memory(f->o);
	for (size_t i = 0; i < t->nr_lines; i++) {
		if (is_log_frame(&t->lines[i]))
			s.frames[s.count++] = &t->lines[i];
	}
	while (s.failing < s.count && strcmp(s.frames[s.failing]->text, f->v->code.text) != 0)
		s.failing++;
	for (size_t i = s.failing; i < s.count && !what; i++) {
		what = hook_code(&s, i);
		if (what) {
			add_evidence(f, &s, i, what);
			return 0;
		}
	}
	return 0;
}

/* ---- the verdict ---- */

static const char *owner_text(struct otst *o, const char *module, const char *flags)
{
	return otst_format(o, "module %s%s%s%s", module, flags ? " (" : "", flags ?: "",
			   flags ? ")" : "");
}

/* without evidence: whose code failed */
static const char *say_code(struct otst *o, const struct otst_verdict *v)
{
	const struct otst_code_owner *c = &v->code;
	const char *near = c->near ? otst_format(o, "; nearest on its stack is %s of %s", c->near,
						 owner_text(o, c->near_module, c->near_flags)) :
				     "";

	if (v->report.death == OTST_DEATH_NONE)
		return "This log has no report of a crash";
	if (v->report.death == OTST_DEATH_ASKED)
		return "The crash was asked for";
	if (!c->text)
		return otst_format(o, "This log does not say which code failed%s", near);
	return otst_format(o, "%s failed, %s%s", c->text,
			   !strncmp(c->text, "0x", 2) ? "an address that has no name" :
			   c->module		      ? otst_format(o, "code of %s",
								    owner_text(o, c->module, c->flags)) :
							"the kernel's own code",
			   near);
}

static void note_other(struct otst *o, struct otst_verdict *v, const struct otst_report *r)
{
	if (!r->line || r->line == v->report.line)
		return;
	otst_note_text(o, &v->notes,
		       otst_format(o, "%s in the log: %s%s%s",
				   r->seq < v->report.seq ? "earlier" : "later", r->line,
				   r->ip_text ? ", at " : "", r->ip_text ?: ""));
}

static void note_rest(struct reader *r, struct otst_verdict *v)
{
	struct otst *o = r->o;

	for (int k = OTST_DEATH_OOPS; k <= OTST_DEATH_WARNING; k++)
		note_other(o, v, &r->worst.last[k]);
	if (r->worst.before.line != r->worst.last[OTST_DEATH_OOPS].line)
		note_other(o, v, &r->worst.before);
	if (v->report.death != OTST_DEATH_NONE && !v->report.panic)
		otst_note_text(o, &v->notes, "the log has no panic: the kernel may have lived on");
	if (v->report.death != OTST_DEATH_NONE && r->worst_boot < r->boot)
		otst_note_text(o, &v->notes,
			       otst_format(o, "the log has %u later boot%s, which ended less badly",
					   r->boot - r->worst_boot,
					   otst_number(r->boot - r->worst_boot, "", "s")));
	otst_note_text(o, &v->notes, "what was hooked is not in a log: otst -b of the dump tells");
}

static struct otst_report choose_report(const struct otst_report_reader *rd)
{
	struct otst_report none = { .cpu = -1, .pid = -1, .panic_cpu = -1 };
	const struct otst_report *r = survived_report(rd);
	struct otst_report ret = rd->panic ? otst_report_choose(rd, -1, -1) : r->line ? *r : none;

	ret.panic_cpu = -1;
	return ret;
}

static int judge_log(struct reader *r, struct otst_verdict *v)
{
	static const struct otst_hooks none;
	struct otst_finder f = { .o = r->o, .v = v, .h = &none };
	int err = judge_trace(r, &f);
	const struct otst_evidence_item *first = v->evidence.data;

	v->rank = v->evidence.count ? first->rank : OTST_RANK_NONE;
	v->sentence = v->evidence.count ? first->text : say_code(r->o, v);
	if (!err)
		note_rest(r, v);
	return err;
}

/* the trace is followed by its caller; the report's lines may mix with others */
static void take_who(struct otst_verdict *v)
{
	const struct otst_trace *t = v->trace;

	if (!t)
		return;
	v->report.cpu = t->cpu >= 0 ? t->cpu : v->report.cpu;
	v->report.pid = t->pid >= 0 ? t->pid : v->report.pid;
	v->report.comm = t->comm ?: v->report.comm;
}

int otst_verdict_log(struct otst *o, const char *const *texts, struct otst_verdict *ret)
{
	struct otst_traces *traces = otst_new(o, sizeof(*traces));
	struct reader *r = otst_new(o, sizeof(*r));
	int err;

	*ret = (struct otst_verdict){ .rank = OTST_RANK_NONE, .alone = true };
	traces->o = r->o = r->now.o = o;
	r->now.traces = traces;
	err = otst_log_texts(o, texts, &(struct otst_log_taker){ take_text_line, NULL, r }, traces);
	if (err && (otst_fatal(err) || !traces->items.count))
		return err;
	err = otst_note(o, &ret->errors, err);
	if (!err)
		otst_notes(o, &ret->errors, &traces->errors);
	if (err)
		return err;
	end_boot(r);
	ret->report = choose_report(&r->worst);
	ret->trace = otst_report_trace(traces, &ret->report);
	take_who(ret);
	find_code(r, ret);
	otst_signature_find(o, ret);
	return judge_log(r, ret);
}
