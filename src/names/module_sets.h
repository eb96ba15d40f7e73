/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * module_sets.h - the places in which the kernel keeps its modules besides their list (module_sets.c)
 */
#ifndef OTST_MODULE_SETS_H
#define OTST_MODULE_SETS_H

#include "../base/hashmap.h"

/** enum otst_module_set - a place that has modules */
enum otst_module_set {
	OTST_MODULES_TREE,  /**< mod_tree: whose an address is */
	OTST_MODULES_SYSFS, /**< module_kset: /sys/module */
	OTST_MODULES_BUGS,  /**< module_bug_list: whose a BUG is */
	OTST_MODULES_SETS,
};

/**
 * struct otst_module_members - one set
 * @there: the kernel has such a set
 * @why: why not all of it was read, or why it may be there although it was not found; else NULL
 * @items: vector of uint64_t, the struct module of each once; @seen: the same as a set
 */
struct otst_module_members {
	bool there;
	const char *why;
	struct otst_vec items;
	struct otst_set seen;
};

/** otst_module_set_name() - "the module tree", "/sys/module", "the list of modules' bug tables" */
const char *otst_module_set_name(enum otst_module_set set);

/**
 * otst_module_set_read() - read one set anew
 *
 * Return: 0, or what ends a command.
 */
int otst_module_set_read(struct otst *o, enum otst_module_set set, struct otst_module_members *ret);

/** otst_module_set_has() - true if the set has the module at @addr */
bool otst_module_set_has(const struct otst_module_members *s, uint64_t addr);

#endif /* OTST_MODULE_SETS_H */
