// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * operands.c - operands that matched no record: paths of files that were meant to be
 * read, names that this kernel does not have, and names of things that exist but
 * have no record on them.
 */
#include <string.h>
#include <unistd.h>

#include "../names/lookup.h"
#include "../output/operand.h"
#include "../tracefile/tracefile.h"
#include "commands.h"

int otst_path_error(struct otst *o, const char *path)
{
	const char *problem = otst_path_problem(path);

	return otst_raise(o, OTST_ERR_FILE, "%s: %s%s", otst_clean(o, path),
			  problem ? problem : "a kernel image or a dump",
			  otst_options(o)->in_session ?
				  "; this session has its dump already, files cannot be operands" :
				  "");
}

bool otst_is_path(const char *operand)
{
	return strchr(operand, '/') != NULL;
}

int otst_check_paths(struct otst *o, const struct otst_args *args)
{
	for (size_t i = 0; i < args->nr_operands; i++) {
		if (otst_is_path(args->operands[i]))
			return otst_path_error(o, args->operands[i]);
	}
	return 0;
}

/* ---- names ---- */

/* "system:event" was not found among events: is there a list, and was all of it read */
static int doubt_events(struct otst *o, int err, struct otst_lookup *lookup)
{
	const struct otst_messages *errors = otst_event_errors(o);
	struct otst_coverage c = { 0 };
	const char *message = err	    ? otst_strdup(o, otst_message(o)) :
			      errors->count ? errors->texts[0] :
					      NULL;
	int fatal = otst_look_names(o, "ftrace_events", &c);

	if (fatal || c.looked == OTST_LOOKED_ABSENT ||
	    (c.looked == OTST_LOOKED_PRESENT && !message))
		return fatal;
	lookup->known = OTST_KNOWN_NOT_LOOKED;
	lookup->why = otst_format(o, "the list of events: %s",
				  c.looked == OTST_LOOKED_PRESENT ? message : c.why);
	return 0;
}

/* besides symbols and modules, look among events: is it one, and which names are close */
static int look_up_event(struct otst *o, const char *word, struct otst_lookup *lookup)
{
	const struct otst_event_format *const *f = NULL;
	bool colon = strchr(word, ':');
	int err;

	if (colon && !lookup->module_known)
		otst_near_init(&lookup->near, word);
	err = otst_event_formats(o, &f);
	if (err && otst_fatal(err))
		return err;
	if (colon && !lookup->module_known && (err || otst_event_errors(o)->count)) {
		int fatal = doubt_events(o, err, lookup);

		if (fatal)
			return fatal;
	}
	if (err)
		return 0;
	for (; *f && !err; f++) {
		if (otst_event_name_matches(*f, word)) {
			lookup->known = OTST_KNOWN;
			return 0;
		}
		if (lookup->glob || (colon && lookup->module_known))
			continue;
		err = otst_near_offer(o, &lookup->near,
				      colon ? otst_format(o, "%s:%s", (*f)->system, (*f)->name) :
					      (*f)->name);
	}
	return err;
}

/* put the module back in front of the close names: "module:symbol" */
static void name_modules(struct otst *o, const char *word, struct otst_lookup *lookup)
{
	const char *colon = strchr(word, ':');

	if (!colon || !lookup->module_known)
		return;
	for (size_t i = 0; i < lookup->near.count; i++) {
		lookup->near.names[i] =
			otst_format(o, "%.*s:%s", (int)(colon - word), word, lookup->near.names[i]);
	}
}

static int judge_name(struct otst *o, const char *word, struct otst_lookup *lookup,
		      struct otst_operand *ret)
{
	int err = otst_lookup(o, word, lookup);

	if (!err && lookup->known != OTST_KNOWN)
		err = look_up_event(o, word, lookup);
	if (!err)
		name_modules(o, word, lookup);
	if (err)
		return err;
	ret->known = lookup->known;
	ret->what = lookup->variable ? "variable" : lookup->module ? "module" : NULL;
	if (lookup->known == OTST_KNOWN_NOT)
		ret->message = strchr(word, ':') && !lookup->module_known ?
				       "no such module or event" :
				       "no such function";
	else if (lookup->known == OTST_KNOWN_NOT_LOOKED)
		ret->message = otst_format(o, "could not be looked up: %s", lookup->why);
	if (lookup->known != OTST_KNOWN) {
		ret->near = lookup->near.names;
		ret->nr_near = lookup->near.count;
	}
	return 0;
}

static int judge_address(struct otst *o, uint64_t addr, struct otst_operand *ret)
{
	const char *gap;
	struct otst_sym sym;

	otst_symbolize_all(o, addr, &sym);
	if (sym.name)
		return 0;
	gap = otst_functions_gap(o, false);
	ret->known = gap ? OTST_KNOWN_NOT_LOOKED : OTST_KNOWN_NOT;
	ret->message = gap ? otst_format(o, "could not be looked up: %s", gap) :
			     "in no function and no variable of this kernel";
	return otst_check(o);
}

/* @nothing: the start of "no probe on %s" */
static int judge_word(struct otst *o, const char *word, const struct otst_filter *f,
		      const char *nothing, struct otst_lookup *lookup, struct otst_operand *ret)
{
	int err = 0;

	*ret = (struct otst_operand){ .text = otst_clean(o, word), .known = OTST_KNOWN };
	if (f->name)
		err = judge_name(o, word, lookup, ret);
	else if (f->first == f->last)
		err = judge_address(o, f->first, ret);
	if (!err && ret->known == OTST_KNOWN)
		ret->message = otst_format(o, "%s %s", nothing, ret->text);
	if (!err && !ret->message)
		err = otst_no_memory(o);
	return err;
}

int otst_judge_operand(struct otst *o, const char *word, const struct otst_filter *f,
		       const char *nothing, struct otst_operand *ret)
{
	struct otst_lookup *lookup = otst_new(o, sizeof(*lookup));
	int err;

	if (f->name && otst_is_path(word))
		return otst_path_error(o, word);
	err = judge_word(o, word, f, nothing, lookup, ret);
	/* there are variables with names such as "empty" */
	if (!err && f->name && (ret->known != OTST_KNOWN || lookup->variable) &&
	    !access(word, F_OK))
		err = otst_path_error(o, word);
	return err;
}

int otst_print_unmet(struct otst *o, const struct otst_args *args, const struct otst_filter *f,
		     const char *nothing, bool aside, struct otst_printer *p)
{
	struct otst_operand op;
	int err = 0;

	for (size_t i = 0; i < args->nr_operands && !err; i++) {
		if (f[i].met)
			continue;
		err = otst_judge_operand(o, args->operands[i], &f[i], nothing, &op);
		if (!err)
			otst_print_operand(p, &op, aside);
	}
	return err;
}
