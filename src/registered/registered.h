/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * registered.h - functions that parts of the kernel were given to call: by netfilter, for packets,
 * when a timer expires, on a panic. Each file walks the lists and tables of one part.
 *
 * Memory belongs to the command's arena. A part whose symbol this kernel does not have is left out. One that it
 * has, and whose structures are not as they are known, is an error: it was not looked at.
 */
#ifndef OTST_REGISTERED_H
#define OTST_REGISTERED_H

#include "../dump.h"

/** enum otst_registered_kind - which part of the kernel calls it; the order of the kinds of src/list/list.h */
enum otst_registered_kind {
	OTST_REGISTERED_NETFILTER,
	OTST_REGISTERED_PACKET,
	OTST_REGISTERED_SECURITY,
	OTST_REGISTERED_NOTIFIER,
	OTST_REGISTERED_TIMER,
	OTST_REGISTERED_WORK,
	OTST_REGISTERED_KTHREAD,
	OTST_REGISTERED_BINFMT,
	OTST_REGISTERED_CONSOLE,
	OTST_REGISTERED_TTY,
	OTST_REGISTERED_SYSRQ,
	OTST_REGISTERED_INPUT,
	OTST_REGISTERED_INTERRUPT,
	OTST_REGISTERED_PROC,
	OTST_REGISTERED_TABLE,
	OTST_REGISTERED_KINDS,
};

/**
 * struct otst_registered - a function that is called
 * @where: by what: "panic_notifier_list", "netfilter ipv4 LOCAL_IN"
 * @role: the member that holds it: "notifier_call"; NULL for an entry of a table
 * @func: never 0; @record: the structure that holds it
 * @dying: it is called when the kernel dies or goes down
 * @astray: @func is the address of a structure of operations in memory of nobody, not of a function
 */
struct otst_registered {
	enum otst_registered_kind kind;
	const char *where;
	const char *role;
	uint64_t func;
	uint64_t record;
	bool dying;
	bool astray;
};

/**
 * struct otst_registered_walk - who takes them
 * @only: the one part that is asked; NULL for all
 * @kind: of those that are handed over
 * @take: called for each; returns 0, or what ends the walk
 * @errors: what could not be read
 * @seen: for the part that walks: what it need not visit again
 * @dying: of those that are handed over
 */
struct otst_registered_walk {
	struct otst *o;
	const enum otst_registered_kind *only;
	enum otst_registered_kind kind;
	int (*take)(void *priv, const struct otst_registered *r);
	void *priv;
	struct otst_messages *errors;
	struct otst_set *seen;
	bool dying;
};

/** otst_registered() - all of them; 0, or what ends the command (parts.c) */
int otst_registered(const struct otst_registered_walk *r);

/* ---- tables of the kernel's own functions (tables.c) ---- */

/** enum otst_table_which - which table; all but the last are of system calls */
enum otst_table_which {
	OTST_TABLE_CALLS,
	OTST_TABLE_IA32,
	OTST_TABLE_X32,
	OTST_TABLE_COMPAT,
	OTST_TABLE_GATES,
	OTST_TABLES,
};

/**
 * struct otst_table_of_calls - one of them, as it is in the dump
 * @data: @count entries of @entry bytes; NULL when the kernel has no such table
 * @numbered: the kernel's tracing knows the length of the table, and the function of each entry
 * @sure: so many of @count are entries; what follows may be any number
 */
struct otst_table_of_calls {
	enum otst_table_which which;
	const char *name;
	uint64_t addr;
	size_t entry;
	size_t count;
	bool numbered;
	size_t sure;
	const uint8_t *data;
};

/** otst_table_of_calls() - read it; 0, also when there is none; or why it cannot be read */
int otst_table_of_calls(struct otst *o, enum otst_table_which which,
			struct otst_table_of_calls *ret);

/** otst_table_func() - where entry @i leads; 0 for an entry that is not in use */
uint64_t otst_table_func(struct otst *o, const struct otst_table_of_calls *t, size_t i);

/* ---- for the files of this folder (registered.c) ---- */

/**
 * otst_registry_give() - hand over what the member @role of the structure @type at @record holds,
 * unless that is 0
 * @role: "?MEMBER" for one that not every kernel has
 */
int otst_registry_give(const struct otst_registered_walk *r, const char *where, const char *type,
		       uint64_t record, const char *role);

/** otst_registry_give_all() - the same for several members; @roles ends with NULL */
int otst_registry_give_all(const struct otst_registered_walk *r, const char *where,
			   const char *type, uint64_t record, const char *const *roles);

/** otst_registry_take() - hand over @func, unless it is 0 */
int otst_registry_take(const struct otst_registered_walk *r, const char *where, const char *role,
		       uint64_t func, uint64_t record);

/**
 * otst_registry_operations() - hand over the structure of operations at @at if it is in memory of nobody
 *
 * Such structures are data of the kernel or of a module. Somebody who wants other functions in one that
 * is read-only makes a copy.
 */
int otst_registry_operations(const struct otst_registered_walk *r, const char *where,
			     const char *role, uint64_t at, uint64_t record);

/**
 * otst_registry_lost() - note the last error, that of @what; 0, or what ends the command
 *
 * A name that this kernel does not have is noted once, not for each record that lacks it.
 */
int otst_registry_lost(const struct otst_registered_walk *r, int err, const char *what);

/** gets the address of a structure; returns 0, or what ends the walk */
typedef int otst_registered_visit_fn(const struct otst_registered_walk *r, const char *where,
				     uint64_t at);

/** otst_registry_list() - visit the structures @type on the list_head at @head, linked by @link */
int otst_registry_list(const struct otst_registered_walk *r, const char *where, uint64_t head,
		       const char *type, const char *link, otst_registered_visit_fn *visit);

/** otst_registry_list_in() - the same, of the list_head that is the member @member of the structure @of at @record */
int otst_registry_list_in(const struct otst_registered_walk *r, const char *where, const char *of,
			  uint64_t record, const char *member, const char *type, const char *link,
			  otst_registered_visit_fn *visit);

/** otst_registry_nets() - the same for all network namespaces */
int otst_registry_nets(const struct otst_registered_walk *r, const char *where,
		       otst_registered_visit_fn *visit);

/**
 * otst_registry_tree() - visit the structures @type in the tree whose struct rb_root is at @root
 * @link: the member of @type that is the struct rb_node
 */
int otst_registry_tree(const struct otst_registered_walk *r, const char *where, uint64_t root,
		       const char *type, const char *link, otst_registered_visit_fn *visit);

/**
 * otst_registry_head() - the list_head @name; of several variables of that name one that is a list
 *
 * Return: 0 for none. That none of several is a list is noted, as of @where.
 */
uint64_t otst_registry_head(const struct otst_registered_walk *r, const char *where,
			    const char *name);

/**
 * otst_registry_table() - hand over the members @roles of each structure @type in an array of pointers
 * @name: symbol of the array
 * @most: how many entries the array can have; its symbol may seem larger when the next one is missing
 */
int otst_registry_table(const struct otst_registered_walk *r, const char *name, const char *type,
			const char *const *roles, size_t most);

/** one part: 0, or what ends the command */
typedef int otst_registry_fn(const struct otst_registered_walk *r);

/* packets.c */
otst_registry_fn otst_registered_netfilter, otst_registered_packets;
/* security.c */
otst_registry_fn otst_registered_security;
/* notifiers.c */
otst_registry_fn otst_registered_notifiers;
/* later.c */
otst_registry_fn otst_registered_timers, otst_registered_work;
/* rcu.c */
otst_registry_fn otst_registered_rcu;
/* others.c */
otst_registry_fn otst_registered_threads, otst_registered_formats, otst_registered_consoles,
	otst_registered_ttys, otst_registered_keys, otst_registered_input;
/* interrupts.c */
otst_registry_fn otst_registered_interrupts;
/* files.c */
otst_registry_fn otst_registered_files;
/* tables.c */
otst_registry_fn otst_registered_tables;

#endif /* OTST_REGISTERED_H */
