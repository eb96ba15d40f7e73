// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * files.c - what reading and writing files of /proc calls: struct proc_dir_entry of
 * fs/proc/internal.h, from proc_root and the /proc/net of each network namespace on.
 */
#include <string.h>

#include "registered.h"

#define NAME_SIZE 256u
#define PATH_MAX  2048u
#define FORMAT	  0170000u /* S_IFMT */
#define DIRECTORY 0040000u /* S_IFDIR */

/* operations by which the kernel itself shows files of two kinds; the latter names are those before 5.6 */
static bool is_one_of_paths(struct otst *o, uint64_t operations, const char *const *names)
{
	for (; *names; names++) {
		if (operations == otst_symbol_or0(o, *names))
			return true;
	}
	return false;
}

static bool is_new_file(const struct otst_registered_walk *r, uint64_t record)
{
	bool added = true;

	return otst_set_add(r->o, r->seen, record, &added) || added;
}

/* Linux d56c0d45f0e2 ("proc: decouple proc from VFS with "struct proc_ops"") (v5.6) */
static int give_operations(const struct otst_registered_walk *r, const char *path, uint64_t at)
{
	static const char *const roles[] = { "proc_open",  "proc_read",	 "?proc_read_iter",
					     "proc_write", "proc_lseek", "proc_release",
					     "proc_poll",  "proc_ioctl", "?proc_compat_ioctl",
					     "proc_mmap",  NULL };
	static const char *const older[] = { "open",	      "read", "write", "llseek",
					     "release",	      "poll", "mmap",  "unlocked_ioctl",
					     "?compat_ioctl", NULL };

	if (otst_has_member(r->o, "proc_dir_entry", "proc_fops"))
		return otst_registry_give_all(r, path, "file_operations", at, older);
	return otst_registry_give_all(r, path, "proc_ops", at, roles);
}

static int give_sequence(const struct otst_registered_walk *r, const char *path, uint64_t entry,
			 uint64_t operations)
{
	static const char *const sequences[] = { "proc_seq_ops", "proc_net_seq_ops",
						 "proc_seq_fops", "proc_net_seq_fops", NULL };
	static const char *const singles[] = { "proc_single_ops", "proc_net_single_ops",
					       "proc_single_fops", "proc_net_single_fops", NULL };
	static const char *const roles[] = { "start", "next", "show", "stop", NULL };
	uint64_t at;
	int err;

	if (!otst_has_member(r->o, "proc_dir_entry", "seq_ops"))
		return 0;
	if (is_one_of_paths(r->o, operations, singles))
		return otst_registry_give(r, path, "proc_dir_entry", entry, "single_show");
	if (!is_one_of_paths(r->o, operations, sequences))
		return 0;
	err = otst_read_member(r->o, "proc_dir_entry", entry, "seq_ops", &at);
	if (err || !at || (at != operations && !is_new_file(r, at)))
		return otst_registry_lost(r, err, path);
	err = otst_registry_operations(r, path, "seq_ops", at, entry);
	return err ?: otst_registry_give_all(r, path, "seq_operations", at, roles);
}

static int give_file(const struct otst_registered_walk *r, const char *path, uint64_t entry)
{
	const char *member = otst_either(r->o, "proc_dir_entry", "proc_ops", "proc_fops");
	uint64_t operations;
	int err = otst_read_member(r->o, "proc_dir_entry", entry, member, &operations);

	if (err || !operations)
		return otst_registry_lost(r, err, path);
	if (is_new_file(r, operations))
		err = give_operations(r, path, operations);
	err = err ?: give_sequence(r, path, entry, operations);
	return err ?: otst_registry_give(r, path, "proc_dir_entry", entry, "?write");
}

static int visit_entry(const struct otst_registered_walk *r, const char *directory, uint64_t entry);

static int give_directory(const struct otst_registered_walk *r, const char *path, uint64_t entry)
{
	const struct otst_member *tree;
	int err = otst_member(r->o, "proc_dir_entry", "subdir", &tree);

	if (err)
		return otst_registry_lost(r, err, path);
	return otst_registry_tree(r, path, entry + tree->offset, "proc_dir_entry", "subdir_node",
				  visit_entry);
}

/* of a file and of a directory; the first name is that since 5.6 */
static int give_tables(const struct otst_registered_walk *r, const char *path, struct otst_view *v,
		       uint64_t entry)
{
	static const char *const members[] = { "proc_ops", "proc_fops", "proc_iops" };
	int err = 0;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members) && !err; i++)
		err = otst_registry_operations(r, path, members[i], otst_u64_or(v, members[i], 0),
					       entry);
	return err;
}

static int visit_entry(const struct otst_registered_walk *r, const char *directory, uint64_t entry)
{
	const char *name, *path;
	struct otst_view v;
	int err = otst_view_read(r->o, "proc_dir_entry", entry, &v);

	err = err ?: otst_read_string(r->o, otst_u64_or(&v, "name", 0), NAME_SIZE, &name);
	if (err)
		return otst_registry_lost(r, err, directory);
	path = otst_format(r->o, "%s/%s", directory, name);
	err = give_tables(r, path, &v, entry);
	if (err)
		return err;
	if ((otst_u64_or(&v, "mode", 0) & FORMAT) != DIRECTORY)
		return give_file(r, path, entry);
	if (!is_new_file(r, entry) || strlen(path) > PATH_MAX)
		return otst_registry_lost(
			r, otst_raise(r->o, OTST_ERR_CORRUPT, "a directory within itself"), path);
	return give_directory(r, path, entry);
}

static int visit_net(const struct otst_registered_walk *r, const char *where, uint64_t net)
{
	uint64_t directory;
	int err = otst_read_member(r->o, "net", net, "proc_net", &directory);

	return err || !directory ? otst_registry_lost(r, err, where) :
				   give_directory(r, "/proc/net", directory);
}

int otst_registered_files(const struct otst_registered_walk *r)
{
	uint64_t root = otst_symbol_or0(r->o, "proc_root");
	int err = root ? give_directory(r, "/proc", root) : 0;

	if (!root || err)
		return err;
	return otst_registry_nets(r, "/proc/net", visit_net);
}
