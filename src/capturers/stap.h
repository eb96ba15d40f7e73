/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stap.h - SystemTap: modules that its translator made from a script.
 *
 * Such a module carries SystemTap's run-time and a table of the script's
 * probes, stap_probes. Each translation decides anew on the table's layout: which
 * members there are, and whether it contains strings or points to them. No type
 * information comes with it. So the table is recognised by what is always true:
 * its rows count up from 0, and each has a function of the module.
 *
 *	stap.c		modules, the table, the state of the session
 *	stap_script.c  the script's name, from the kernel's log
 *	stap_link.c	which kprobe and which uprobe belong to which row
 *	stap_probe.c  gives rows to the probes that are listed, and adds the others
 */
#ifndef OTST_STAP_H
#define OTST_STAP_H

#include "../list/list.h"

/** enum otst_stap_hook - how a script's probe gets control */
enum otst_stap_hook {
	OTST_STAP_OTHER, /**< begin, end, timers, procfs, perf and the like */
	OTST_STAP_KPROBE,
	OTST_STAP_TRACEPOINT,
	OTST_STAP_UPROBE,
};

/**
 * struct otst_stap_row - a probe of a script (struct stap_probe)
 * @point: the probe point in full: kernel.function("vfs_read@fs/read_write.c:450")
 * @location: its place in the script, "t.stp:3:1"; kept only with -t, else NULL
 * @handler: the function that the script's body became
 * @enabled: false when its "if (...)" does not hold
 * @hits: with -t, or when the module was built for alibis; valid when @hits_known
 * @error: what could not be read, or NULL
 */
struct otst_stap_row {
	uint64_t addr;
	const char *point;
	const char *location;
	uint64_t handler;
	bool enabled;
	enum otst_stap_hook hook;
	uint64_t hits;
	bool hits_known;
	const char *error;
};

/**
 * struct otst_stap_link - a struct kprobe of a row (struct stap_kprobe_probe)
 * @kprobe: address of the struct kprobe, or of the kretprobe around it
 * @row: index; @entry: index of the row that runs at the entry of a return probe, or -1
 */
struct otst_stap_link {
	uint64_t kprobe;
	bool is_return;
	size_t row;
	int64_t entry;
};

/**
 * struct otst_stap - one module
 * @script: the script's file name, NULL when nothing keeps it
 * @version: SystemTap's version, "4.8/0.188", or likewise NULL
 * @state: state of the session: "running", ...; NULL when unknown
 * @errors, @skipped: probes that failed, and that were skipped; -1 when unknown
 * @rows: the @nr_rows rows of its table, which are @stride bytes apart from @table on
 * @links: vector of struct otst_stap_link
 * @unread: vector of messages: what could not be read
 */
struct otst_stap {
	const struct otst_module *module;
	const char *script;
	const char *version;
	const char *state;
	int64_t errors;
	int64_t skipped;
	uint64_t table;
	uint64_t stride;
	struct otst_stap_row *rows;
	size_t nr_rows;
	struct otst_vec links;
	struct otst_messages unread;
};

/** otst_is_systemtap() - is @m one, judging by SystemTap's run-time in it, or by its name */
bool otst_is_systemtap(struct otst *o, const struct otst_module *m);

/** otst_staps() - all of them, NULL-terminated; 0, or what ends a command */
int otst_staps(struct otst *o, struct otst_stap *const **ret);

/** otst_stap_of() - the one that @m is, or NULL */
const struct otst_stap *otst_stap_of(struct otst *o, const struct otst_module *m);

/** otst_stap_table() - read @s's rows (stap_table.c); 0 or an error */
int otst_stap_table(struct otst *o, struct otst_stap *s);

/** otst_stap_hits() - how often each of @s's rows was hit; 0, or what ends a command */
int otst_stap_hits(struct otst *o, struct otst_stap *s);

/** otst_stap_row() - the row at @addr of the dump; NULL when there is none */
struct otst_stap_row *otst_stap_row(const struct otst_stap *s, uint64_t addr);

/** otst_stap_extent() - bytes from @addr to the end of its symbol in @m; at most @most */
uint64_t otst_stap_extent(const struct otst_module *m, uint64_t addr, uint64_t most);

/** otst_module_has() - does one of @m's ranges contain @addr */
bool otst_module_has(const struct otst_module *m, uint64_t addr);

/** otst_stap_script() - find @s's script and version (stap_script.c); 0, or what ends a command */
int otst_stap_script(struct otst *o, struct otst_stap *s);

/** otst_stap_links() - find the records of @s's rows (stap_link.c); 0, or what ends a command */
int otst_stap_links(struct otst *o, struct otst_stap *s);

/** otst_stap_uprobe() - the row of the uprobe_consumer at @consumer; NULL when unknown */
struct otst_stap_row *otst_stap_uprobe(struct otst *o, const struct otst_stap *s,
				       uint64_t consumer);

/** otst_stap_kprobes() - give rows to @probes, and add unregistered kprobes (stap_probe.c) */
int otst_stap_kprobes(struct otst *o, otst_stray_fn *stray, struct otst_probes *probes);

/** otst_stap_attach() - give @p its row: it is a script's tracepoint callback or uprobe consumer */
void otst_stap_attach(struct otst *o, struct otst_probe *p);

/** otst_stap_others() - scripts' probes other than kprobes, tracepoints, uprobes (stap_probe.c) */
otst_collect_fn otst_stap_others;

#endif /* OTST_STAP_H */
