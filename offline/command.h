/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * command.h - the command line of the program: command.c reads it, main.c does what it says.
 */
#ifndef OTST_COMMAND_H
#define OTST_COMMAND_H

#include "offline.h"

/**
 * struct command - what the command line says
 * @words: words for the engine: name, options, the remaining operands
 * @parts: @nr_parts more files of the split dump that @vmcore begins; room for all operands
 * @page, @bundle, @limit: for the report; "" when the argument is missing
 */
struct command {
	const char **words;
	int count;
	const char *vmlinux;
	const char *vmcore;
	const char **parts;
	size_t nr_parts;
	bool split; /* @vmcore is a part */
	const char *btf;
	bool vmware;	   /* @vmcore is a state of VMware: a .vmem belongs to it */
	const char *guess; /* a word that may be a file of raw memory: no other dump is named */
	const char *second_guess;
	const char *memory_map;
	const char *misfit;  /* an operand that looks like a file but is not one of use */
	const char *problem; /* what is wrong with @misfit */
	const char *absent; /* the first operand that names no file: a filter, or a mistyped file */
	bool unusable;	    /* @misfit cannot be a filter either */
	const char *repeated; /* an option that has a file or a size, and was given twice */
	bool running;	      /* @btf is of the kernel that runs here */
	enum otst_need need;
	bool no_btf;
	bool no_search;
	bool debuginfod;
	bool help;
	bool version;
	const char *page;
	const char *bundle;
	const char *limit;
	const char *threads;
	const char *const *all_words; /* of the command line, the name apart; @nr_words */
	size_t nr_words;
	bool unconfined;
};

/** command_parse() - read the command line; @words and @parts have room for all of it */
void command_parse(struct command *c, int argc, char **argv);

/** command_help() - print the help page */
void command_help(void);

#endif /* OTST_COMMAND_H */
