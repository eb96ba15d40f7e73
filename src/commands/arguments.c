// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * arguments.c - parses the words of a command line into struct otst_args.
 */
#include <stddef.h>
#include <string.h>

#include "commands.h"

/* an option with an argument: -k KINDS, --text FILE; @to: offset in struct otst_args */
struct option {
	const char *name;
	const char *needs;
	size_t to;
};

static const struct option options[] = {
	{ "-k", "kinds; -l -k help lists them", offsetof(struct otst_args, kinds) },
	{ "-s", "sources; -t -s help lists them", offsetof(struct otst_args, sources) },
	{ "-p", "a process id", offsetof(struct otst_args, pid) },
	{ "-c", "cpus: 0,2-3", offsetof(struct otst_args, cpus) },
	{ "-n", "a number", offsetof(struct otst_args, last) },
	{ "-x", "a format; -t -x help lists them", offsetof(struct otst_args, format) },
	{ "--text", "a file", offsetof(struct otst_args, text) },
	{ "--modules", "a directory", offsetof(struct otst_args, modules) },
	{ "--color", "auto, always or never", offsetof(struct otst_args, color) },
	{ "--width", "a number of columns", offsetof(struct otst_args, width) },
	{ "--from", "a time", offsetof(struct otst_args, from) },
	{ "--to", "a time", offsetof(struct otst_args, to) },
	{ "--memory", "a size: 512M, 4G", offsetof(struct otst_args, memory) },
};

#define OPTIONS (sizeof(options) / sizeof(*options))

static const char **argument_of(struct otst_args *args, const struct option *opt)
{
	return (const char **)((char *)args + opt->to);
}

static const struct option *find_option(char letter)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		if (options[i].name[1] == letter)
			return &options[i];
	}
	return NULL;
}

/* @len: length of the option's name in @word, which may go on with "=ARGUMENT" */
static const struct option *find_long_option(const char *word, size_t *len)
{
	*len = strcspn(word, "=");
	for (size_t i = 0; i < OPTIONS; i++) {
		if (!strncmp(options[i].name, word, *len) && !options[i].name[*len])
			return &options[i];
	}
	return NULL;
}

bool otst_takes_argument(const char *word)
{
	size_t len;

	if (!strncmp(word, "--", 2))
		return find_long_option(word, &len) && !word[len];
	for (word++; *word; word++) {
		if (find_option(*word))
			return !word[1];
	}
	return false;
}

/* each letter once, in the order given */
static void add_command(char letter, char *commands)
{
	size_t n = strlen(commands);

	if (!strchr(commands, letter) && n + 1 < OTST_MOST_COMMANDS) {
		commands[n] = letter;
		commands[n + 1] = '\0';
	}
}

/* --text may be given several times */
static int add_text(struct otst *o, struct otst_args *args, const char *path)
{
	const char **texts;
	size_t n = 0;

	while (args->texts && args->texts[n])
		n++;
	texts = otst_alloc(o, (n + 2) * sizeof(*texts));
	if (!texts)
		return otst_no_memory(o);
	if (n)
		memcpy(texts, args->texts, n * sizeof(*texts));
	texts[n] = path;
	args->texts = texts;
	return 0;
}

/* "-" alone is an operand */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* names a file or a directory, whose name begins with a dash only as ./-NAME */
static bool takes_path(const struct option *opt)
{
	return opt->to == offsetof(struct otst_args, text) ||
	       opt->to == offsetof(struct otst_args, modules);
}

/* @given: the argument when it is in the option's own word; else it is the next word */
static int take_argument(struct otst *o, const struct option *opt, const char *given,
			 const char *const *argv, int *at, struct otst_args *args)
{
	const char *argument = given ? given : argv[++*at];

	*argument_of(args, opt) = argument;
	if (!argument || !*argument)
		return otst_raise(o, OTST_ERR_USAGE, "%s needs %s", opt->name, opt->needs);
	if (!given && takes_path(opt) && is_option(argument))
		return otst_raise(o, OTST_ERR_USAGE, "%s needs %s, not %s", opt->name, opt->needs,
				  otst_clean(o, argument));
	return !strcmp(opt->name, "--text") ? add_text(o, args, argument) : 0;
}

/* one word of options, such as "-lv", or "-k" followed by its argument */
static int parse_option(struct otst *o, const char *word, const char *const *argv, int *at,
			struct otst_args *args, char *commands)
{
	const struct option *opt;
	const char *c;

	for (c = word + 1; *c; c++) {
		opt = find_option(*c);
		if (opt)
			return take_argument(o, opt, c[1] ? c + 1 : NULL, argv, at, args);
		if (otst_is_command(*c)) {
			add_command(*c, commands);
		} else if (*c == 'v') {
			args->verbose = true;
		} else if (*c == 'j') {
			args->json = true;
		} else if (*c == 'o') {
			args->offsets = true;
		} else {
			return otst_raise(o, OTST_ERR_USAGE, "unknown option -%c; otst -h for help",
					  *c > ' ' && *c < 0x7f ? *c : '?');
		}
	}
	return 0;
}

/* how an option of the program alone is written in a shell; NULL when the program has none such */
static const char *shell_form(const char *word, size_t len)
{
	static const struct {
		const char *name;
		const char *form;
	} options_of_program[] = {
		{ "--live", "otst -l --live" },
		{ "--report", "otst --report FILE [VMLINUX] VMCORE" },
		{ "--report-limit", "otst --report FILE --report-limit BYTES [VMLINUX] VMCORE" },
		{ "--bundle", "otst --bundle DIRECTORY [VMLINUX] VMCORE" },
		{ "--threads", "otst -l --threads 1 [VMLINUX] VMCORE" },
		{ "--no-btf", "otst -l --no-btf VMLINUX VMCORE" },
		{ "--memory-map", "otst -l --memory-map FILE IMAGE" },
		{ "--no-search", "otst -l --no-search VMCORE" },
		{ "--debuginfod", "otst -l --debuginfod VMCORE" },
		{ "--no-confine", "otst -l --no-confine VMCORE" },
	};

	for (size_t i = 0; i < sizeof(options_of_program) / sizeof(*options_of_program); i++) {
		if (strlen(options_of_program[i].name) == len &&
		    !strncmp(word, options_of_program[i].name, len))
			return options_of_program[i].form;
	}
	return NULL;
}

/* "--text FILE", "--text=FILE", "--force" */
static int parse_long_option(struct otst *o, const char *word, const char *const *argv, int *at,
			     struct otst_args *args, char *commands)
{
	size_t len;
	const struct option *opt = find_long_option(word, &len);
	const char *form;

	if (!strcmp(word, "--help") || !strcmp(word, "--version") || !strcmp(word, "--readiness")) {
		add_command(word[2] == 'h' ? 'h' : word[2] == 'v' ? 'V' : 'R', commands);
		return 0;
	}
	if (!strcmp(word, "--force")) {
		args->force = true;
		return 0;
	}
	if (!strcmp(word, "--all-memory")) {
		args->all_memory = true;
		return 0;
	}
	form = shell_form(word, len);
	if (form)
		return otst_raise(o, OTST_ERR_USAGE, "%.*s is for the program otst in a shell: %s",
				  (int)len, word, form);
	if (!opt)
		return otst_raise(o, OTST_ERR_USAGE, "unknown option %s; otst -h for help",
				  otst_clean(o, word));
	return take_argument(o, opt, word[len] ? word + len + 1 : NULL, argv, at, args);
}

/* what the letters of an option's word need; @lists: a command came whose operand "help" lists operands */
static enum otst_need need_of_letters(const char *word, bool *lists)
{
	enum otst_need need = OTST_NEED_DUMP;

	for (const char *c = word + 1; *c && !find_option(*c); c++) {
		const struct otst_command *command = otst_command_of(*c);

		*lists |= command && command->lists;
		if (command && command->types)
			need = OTST_NEED_TYPES;
	}
	return need;
}

static enum otst_need need_of_long_option(const char *word)
{
	size_t len;
	const struct option *opt = find_long_option(word, &len);

	if (opt && opt->to == offsetof(struct otst_args, text))
		return OTST_NEED_NOTHING;
	return strcmp(word, "--readiness") ? OTST_NEED_DUMP : OTST_NEED_TYPES;
}

enum otst_need otst_needs(int argc, const char *const *argv)
{
	enum otst_need need, least = OTST_NEED_DUMP;
	bool only_operands = false, lists = false;

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		if (only_operands || !is_option(word)) {
			if (lists && !strcmp(word, "help"))
				return OTST_NEED_NOTHING;
			continue;
		}
		need = word[1] == '-' ? need_of_long_option(word) : need_of_letters(word, &lists);
		least = need > least ? need : least;
		only_operands = !strcmp(word, "--");
		if (otst_takes_argument(word) && i + 1 < argc && !strcmp(argv[++i], "help"))
			return OTST_NEED_NOTHING;
	}
	return least;
}

int otst_parse_arguments(struct otst *o, const char *const *argv, struct otst_args *args,
			 char commands[OTST_MOST_COMMANDS])
{
	struct otst_vec operands = { 0 };
	const char **slot;
	bool only_operands = false;
	int i, err;

	for (i = 1; argv[i]; i++) {
		if (!only_operands && !strcmp(argv[i], "--")) {
			only_operands = true;
			continue;
		}
		if (!only_operands && !strncmp(argv[i], "--", 2)) {
			err = parse_long_option(o, argv[i], argv, &i, args, commands);
			if (err)
				return err;
			continue;
		}
		if (!only_operands && is_option(argv[i])) {
			err = parse_option(o, argv[i], argv, &i, args, commands);
			if (err)
				return err;
			continue;
		}
		slot = otst_vec_push(o, &operands, sizeof(*slot));
		*slot = argv[i];
		args->nr_operands++;
	}
	args->operands = operands.data;
	if (!*commands)
		return otst_raise(o, OTST_ERR_USAGE, "no command; otst -h for help");
	return 0;
}

/* true if @name is among the words of @list */
static bool is_listed_option(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *s;

	for (s = list; (s = strstr(s, name)); s += len) {
		if ((s == list || s[-1] == ' ') && (!s[len] || s[len] == ' '))
			return true;
	}
	return false;
}

const char *otst_find_misfit(struct otst_args *args, const char *taken)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		if (*argument_of(args, &options[i]) && !is_listed_option(taken, options[i].name) &&
		    !is_listed_option("--color --width --memory", options[i].name))
			return options[i].name;
	}
	if (args->all_memory && !is_listed_option(taken, "--all-memory"))
		return "--all-memory";
	return args->offsets && !is_listed_option(taken, "-o") ? "-o" : NULL;
}
