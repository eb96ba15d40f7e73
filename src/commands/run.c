// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * run.c - the table of commands, how one is run, and the exit status that
 * scripts see.
 */
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../base/engine.h"
#include "../built/built.h"
#include "../image/image.h"
#include "../memory/notes.h"
#include "../memory/translate.h"
#include "../built/search.h"
#include "commands.h"

#define MOST_WIDTH   100000	 /* of a line */
#define LEAST_MEMORY (16u << 20) /* room for what is cached of a kernel */

/* crash passes its own argv, which may lack the final NULL */
static const char *const *copy_argv(struct otst *o, int argc, const char *const *argv)
{
	const char **copy = otst_alloc(o, ((size_t)argc + 1) * sizeof(*copy));

	if (copy)
		memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	return copy;
}

/* "the kernel has no such thing" is only certain when all of its names are known */
static int doubt_lookup(struct otst *o, struct otst_printer *p, int err)
{
	if (err != OTST_ERR_LOOKUP || !otst_doubts(o))
		return err;
	p->gaps++;
	return otst_raise(o, err, "%s",
			  otst_gap_text(o, OTST_LOOKED_NOT, NULL, otst_doubt_why(o),
					otst_doubt_help(o)));
}

/* for output that feeds other programs or reproduces a kernel file exactly */
static void complain_of_doubts(struct otst *o, struct otst_printer *p,
			       const struct otst_output *err)
{
	const struct otst_doubt *d;

	while ((d = otst_unsaid_doubt(p))) {
		p->gaps++;
		otst_raise(o, OTST_ERR_LOOKUP, "%s",
			   otst_gap_text(o, OTST_LOOKED_IN_PART, NULL, d->why, d->help));
		otst_complain(o, err);
	}
}

/* --color and --width */
static int set_look(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	unsigned long width;
	char *end;

	if (args->color && !strcmp(args->color, "always"))
		p->color = true;
	else if (args->color && !strcmp(args->color, "never"))
		p->color = false;
	else if (args->color && strcmp(args->color, "auto") != 0)
		return otst_raise(o, OTST_ERR_USAGE,
				  "--color needs auto, always or never, not \"%s\"",
				  otst_clean(o, args->color));
	/* JSON is for programs */
	p->color &= !p->json;
	if (!args->width)
		return 0;
	width = strtoul(args->width, &end, 10);
	if (!isdigit((unsigned char)*args->width) || *end || width > MOST_WIDTH)
		return otst_raise(o, OTST_ERR_USAGE,
				  "--width needs a number of columns, not \"%s\"",
				  otst_clean(o, args->width));
	p->width = width ? (unsigned int)width : UINT_MAX;
	return 0;
}

/* --memory */
static int set_memory(struct otst *o, const char *size)
{
	uint64_t limit = size ? otst_size(size) : o->memory_limit;

	if (limit < LEAST_MEMORY)
		return otst_raise(o, OTST_ERR_USAGE,
				  "--memory needs a size, %uM at least, not \"%s\"",
				  LEAST_MEMORY >> 20, otst_clean(o, size));
	o->memory_limit = limit;
	return 0;
}

/* reject what the command has no use for */
static int check_misfits(struct otst *o, const struct otst_command *c, struct otst_args *args)
{
	const char *misfit = otst_find_misfit(args, c->options);

	if (misfit)
		return otst_raise(o, OTST_ERR_USAGE, "-%c does not take %s; otst -h for help",
				  c->letter, misfit);
	if (c->operands || !args->nr_operands)
		return 0;
	if (otst_is_path(args->operands[0]))
		return otst_path_error(o, args->operands[0]);
	return otst_raise(o, OTST_ERR_USAGE, "-%c has no operands: %s", c->letter,
			  otst_clean(o, args->operands[0]));
}

/* what has to be known of a dump before anything that is read from it */
static void say_first(struct otst *o, const struct otst_printer *p)
{
	const char *said[] = { otst_erased(o), otst_vmcoreinfo_refused(o),
			       otst_image_search_says(o) },
		   *line;

	for (size_t i = 0; i < sizeof(said) / sizeof(*said) && p->aside && p->aside->write; i++) {
		if (!said[i])
			continue;
		line = otst_format(o, "otst: %s\n", said[i]);
		p->aside->write(p->aside->priv, line, strlen(line));
	}
}

/* without a dump nothing can contradict the image, so a stripped vmlinux or a vmlinuz will do */
static bool asks_of_image(struct otst *o, const struct otst_command *c)
{
	return c->types && otst_is_alone(o) && !otst_options(o)->btf;
}

/* @again: another command ran on the dump before */
static int run_command(struct otst *o, const struct otst_command *c, struct otst_args *args,
		       bool again, struct otst_printer *p)
{
	int err = check_misfits(o, c, args);

	err = err ?: otst_debug_dir(o, args->modules);
	err = err ?: otst_image_usable(o);
	err = err ?: otst_memory_check(o);
	err = err ?: otst_image_search(o, c->built);
	if (!err && !again)
		say_first(o, p);
	err = err ?: otst_image_check(o, args->force || asks_of_image(o, c));
	if (err)
		return err;
	/* without this, per-cpu data would go missing silently; -b begins with its verdict, and says it below */
	if (!again && c->letter != 'b' && otst_kernel(o)->error && !otst_is_alone(o))
		otst_print_bad(p, "cpus", otst_kernel(o)->error);
	return c->whole && otst_is_live(o) ? otst_run_live(o, c->run, args, p) : c->run(o, args, p);
}

/* what was counted @before, and what one more command counted */
static void add_counts(struct otst_printer *p, const struct otst_printer *before)
{
	p->bad += before->bad;
	p->findings += before->findings;
	p->nobodys += before->nobodys;
	p->hidden += before->hidden;
	p->gaps += before->gaps;
}

/* the last line of each command has its own counts, the exit status those of all */
static int run_each(struct otst *o, const struct otst_command *c, struct otst_args *args,
		    bool again, struct otst_printer *p)
{
	const struct otst_printer before = *p;
	int err;

	p->bad = p->findings = p->nobodys = p->hidden = p->gaps = 0;
	err = run_command(o, c, args, again, p);
	add_counts(p, &before);
	return err;
}

/* several commands print one after the other what programs read; people get one at a time */
static int run_commands(struct otst *o, const char *letters, struct otst_args *args,
			struct otst_printer *p)
{
	static const char alone[] = "hVR"; /* with no other, with -j neither */
	const struct otst_command *c;
	int err;

	if (letters[1] && (!args->json || strpbrk(letters, alone)))
		return otst_raise(o, OTST_ERR_USAGE, "-%c and -%c exclude each other%s", *letters,
				  letters[1], strpbrk(letters, alone) ? "" : " without -j");
	if (*letters == 'V')
		otst_printf(p, "otst %s\n", otst_version());
	if (*letters == 'h')
		otst_print_help(p);
	if (*letters == 'V' || *letters == 'h')
		return 0;
	err = set_look(o, args, p);
	err = err ?: set_memory(o, args->memory);
	for (size_t i = 0; letters[i] && !err; i++) {
		c = otst_command_of(letters[i]);
		err = c ? run_each(o, c, args, i, p) :
			  otst_raise(o, OTST_ERR_USAGE, "no command -%c", letters[i]);
	}
	return err;
}

static int run_words(struct otst *o, const char *const *argv, struct otst_printer *p)
{
	struct otst_args args = { 0 };
	char letters[OTST_MOST_COMMANDS] = "";
	int err;

	if (!argv[0] || !argv[1])
		return otst_raise_usage(o);
	err = otst_parse_arguments(o, argv, &args, letters);
	if (err)
		return err;
	args.json |= p->records != NULL;
	p->json = args.json;
	p->verbose = args.verbose;
	return run_commands(o, letters, &args, p);
}

static int run_printed(struct otst *o, int argc, const char *const *argv,
		       const struct otst_output *out, const struct otst_records *records,
		       const struct otst_output *err, struct otst_printer *p)
{
	const char *const *words = copy_argv(o, argc, argv);
	int ret = words ? otst_printer_init(o, out, p) : OTST_ERR_NOMEM;

	if (!ret) {
		p->aside = err;
		p->records = records;
		ret = doubt_lookup(o, p, run_words(o, words, p));
		otst_flush(p);
		if (p->err == OTST_ERR_USAGE)
			ret = otst_raise(o, OTST_ERR_USAGE, "this command gives text, no records");
		ret = ret ? ret : p->err;
	}
	/* a decoder may have taken the stop for an answer; a file error itself names the file */
	if (ret != OTST_ERR_FILE && otst_stopped(o))
		ret = otst_stopped(o);
	if (!ret)
		complain_of_doubts(o, p, err);
	if (!ret && o->over_limit) {
		otst_over_limit(o);
		otst_complain(o, err);
	}
	return ret;
}

/* @limited: the limit on memory was reached */
static int exit_status(int err, const struct otst_printer *p, bool limited)
{
	if ((err == OTST_ERR_LOOKUP && p->gaps) || (err == OTST_ERR_NOMEM && limited))
		return OTST_EXIT_PARTIAL;
	if (err)
		return err == OTST_ERR_USAGE ? OTST_EXIT_USAGE : OTST_EXIT_FAILED;
	if (p->unknown)
		return OTST_EXIT_FAILED;
	if (p->findings || p->nobodys || p->hidden)
		return OTST_EXIT_FINDINGS;
	return p->bad || p->gaps || limited ? OTST_EXIT_PARTIAL : OTST_EXIT_CLEAN;
}

/* @bad: what is wrong with @out or @records, or 0 */
static int run_line(struct otst *o, int argc, const char *const *argv,
		    const struct otst_output *out, const struct otst_records *records, int bad,
		    const struct otst_output *err)
{
	struct otst_output complaints;
	struct otst_printer p = { 0 };
	int ret = otst_take_output(err, &complaints);
	bool limited;

	otst_command_begin(o);
	ret = ret ? ret : bad;
	if (ret)
		otst_raise(o, ret, "%s", otst_error_text(ret));
	else
		ret = run_printed(o, argc, argv, out, records, &complaints, &p);
	if (ret == OTST_ERR_OUTPUT)
		ret = 0; /* the reader closed the output and wants no complaint */
	else if (ret && complaints.write)
		otst_complain(o, &complaints);
	limited = o->over_limit;
	otst_command_end(o);
	return exit_status(ret, &p, limited);
}

uint64_t otst_size(const char *text)
{
	static const char units[] = "KMGT";
	const char *unit;
	char *end;
	uint64_t size = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
	unsigned int shift = 0;

	/* strtoull() has no greater number */
	if (!size || size == UINT64_MAX)
		return 0;
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (unsigned int)(unit - units + 1);
		end++;
	}
	return *end || size > UINT64_MAX >> shift ? 0 : size << shift;
}

int otst_run(struct otst *o, int argc, const char *const *argv, const struct otst_output *out,
	     const struct otst_output *err)
{
	struct otst_output taken;
	int bad = otst_take_output(out, &taken);

	return run_line(o, argc, argv, &taken, NULL, bad, err);
}

int otst_records(struct otst *o, int argc, const char *const *argv,
		 const struct otst_records *records, const struct otst_output *err)
{
	static const struct otst_output none;
	struct otst_records taken;
	int bad = otst_take_struct(&taken, sizeof(taken),
				   offsetof(struct otst_records, priv) + sizeof(taken.priv),
				   records);

	return run_line(o, argc, argv, &none, &taken, bad, err);
}
