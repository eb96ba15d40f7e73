// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * files.c - files that tasks have open (struct files_struct and fdtable of include/linux/fdtable.h),
 * told apart by their operations.
 */
#include <inttypes.h>

#include "files.h"

#define WORD	64u
#define CHUNK	512u /* descriptors read at once: a page */
#define MAX_FDS (1u << 24)

struct operations {
	uint64_t at;
	enum otst_file_kind kind;
};

struct layout {
	const struct otst_member *files, *fdt, *max_fds, *fds, *open, *f_op, *private_data;
	struct operations known[8];
	unsigned int nr_known;
};

/* a struct files_struct that was looked through: @count of the files from @first on */
struct table {
	uint64_t files;
	uint64_t tgid; /* the last process that it counted for */
	size_t first, count;
};

struct walk {
	struct otst *o;
	struct layout l;
	const struct otst_task *task, *leader; /* whose files are looked at */
	struct otst_set known;		       /* files_structs in @tables */
	struct otst_set others;		       /* struct files of other kinds */
	struct otst_vec tables;
	struct otst_vec files;
	size_t bad;
	const char *first;
};

/* ---- what this kernel has ---- */

static void find_operations(struct otst *o, struct layout *layout)
{
	static const struct {
		const char *name;
		enum otst_file_kind kind;
	} all[] = {
		{ "bpf_prog_fops", OTST_FILE_BPF_PROG },
		{ "bpf_link_fops", OTST_FILE_BPF_LINK },
		/* links that can be polled have the newer name */
		{ "bpf_link_fops_poll", OTST_FILE_BPF_LINK },
		/* without links, raw tracepoints and programs on trampolines have files of their own */
		{ "bpf_raw_tp_fops", OTST_FILE_BPF_TRACEPOINT },
		{ "bpf_tracing_prog_fops", OTST_FILE_BPF_PROG },
		{ "user_data_fops", OTST_FILE_USER_EVENTS },
		{ "socket_file_ops", OTST_FILE_SOCKET },
	};
	uint64_t at;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		at = otst_symbol_or0(o, all[i].name);
		if (at)
			layout->known[layout->nr_known++] = (struct operations){ at, all[i].kind };
	}
}

static int find_file_layout(struct otst *o, struct layout *layout)
{
	int err = otst_member(o, "task_struct", "files", &layout->files);

	err = err ?: otst_member(o, "files_struct", "fdt", &layout->fdt);
	err = err ?: otst_member(o, "fdtable", "max_fds", &layout->max_fds);
	err = err ?: otst_member(o, "fdtable", "fd", &layout->fds);
	err = err ?: otst_member(o, "fdtable", "open_fds", &layout->open);
	err = err ?: otst_member(o, "file", "f_op", &layout->f_op);
	err = err ?: otst_member(o, "file", "private_data", &layout->private_data);
	if (err)
		return err;
	find_operations(o, layout);
	return layout->nr_known ? 0 :
				  otst_raise(o, OTST_ERR_LOOKUP, "no file operations are known");
}

/* ---- one table of files ---- */

static int look_at_file(struct walk *w, uint64_t file, uint64_t fd)
{
	struct otst_open_file *f;
	uint64_t f_op, object;
	unsigned int i;
	bool added;
	int err;

	if (otst_set_has(&w->others, file))
		return 0;
	if (!otst_is_kernel_pointer(w->o, file))
		return otst_raise(w->o, OTST_ERR_CORRUPT, "bad pointer 0x%" PRIx64, file);
	err = otst_read_u64(w->o, file + w->l.f_op->offset, &f_op);
	if (err)
		return err;
	for (i = 0; i < w->l.nr_known && w->l.known[i].at != f_op; i++)
		;
	if (i == w->l.nr_known)
		return otst_set_add(w->o, &w->others, file, &added);
	err = otst_read_u64(w->o, file + w->l.private_data->offset, &object);
	if (err)
		return err;
	f = otst_vec_push(w->o, &w->files, sizeof(*f));
	*f = (struct otst_open_file){ w->l.known[i].kind, fd, w->leader, object };
	return 0;
}

/* an error ends neither the table nor the walk */
static int note_files(struct walk *w, int err)
{
	if (!err || otst_fatal(err))
		return err;
	otst_fail(w->o, err, "files of %" PRIu64 " %s", w->task->pid, w->task->comm);
	if (!w->bad++)
		w->first = otst_strdup(w->o, otst_message(w->o));
	return 0;
}

/* reads the descriptors from @first on; @open says which of them are there */
static int read_chunk(struct walk *w, uint64_t fds, uint64_t first, const uint64_t *open,
		      unsigned int words)
{
	unsigned int i, end;
	uint64_t fd[CHUNK];
	int err;

	while (words && !open[words - 1])
		words--;
	if (!words)
		return 0;
	end = words * WORD - (unsigned int)__builtin_clzll(open[words - 1]);
	err = otst_read(w->o, fds + first * 8, fd, end * sizeof(*fd));
	for (i = 0; i < end && !err; i++) {
		uint64_t file = otst_get(w->o, &fd[i], sizeof(fd[i]));

		/* a descriptor may be allocated before its file is there */
		if (!(open[i / WORD] >> i % WORD & 1) || !file)
			continue;
		err = look_at_file(w, file, first + i);
		if (err)
			otst_fail(w->o, err, "fd %" PRIu64, first + i);
		err = note_files(w, err);
	}
	return err;
}

static int read_fds(struct walk *w, uint64_t fds, uint64_t bits, uint32_t max)
{
	uint64_t open[CHUNK / WORD], first;
	unsigned int words, i;
	int err = 0;

	for (first = 0; first < max && !err; first += CHUNK) {
		words = (unsigned int)(max - first < CHUNK ? max - first : CHUNK) / WORD;
		err = otst_check(w->o);
		err = err ?: otst_read(w->o, bits + first / 8, open, words * sizeof(*open));
		for (i = 0; i < words && !err; i++)
			open[i] = otst_get(w->o, &open[i], sizeof(*open));
		err = err ?: read_chunk(w, fds, first, open, words);
	}
	return err;
}

static int read_fd_table(struct walk *w, uint64_t files)
{
	uint64_t fdt, fds, bits;
	uint32_t max;
	int err = otst_read_u64(w->o, files + w->l.fdt->offset, &fdt);

	err = err ?: otst_read_u32(w->o, fdt + w->l.max_fds->offset, &max);
	err = err ?: otst_read_u64(w->o, fdt + w->l.fds->offset, &fds);
	err = err ?: otst_read_u64(w->o, fdt + w->l.open->offset, &bits);
	if (err)
		return err;
	if (max % WORD || max > MAX_FDS)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "has room for %" PRIu32, max);
	return read_fds(w, fds, bits, max);
}

/* ---- all tasks ---- */

static struct table *find_file_table(struct walk *w, uint64_t files)
{
	struct table *t = w->tables.data;
	size_t i;

	for (i = w->tables.count; i && t[i - 1].files != files; i--)
		;
	return i ? &t[i - 1] : NULL;
}

static int read_file_table(struct walk *w, uint64_t files)
{
	size_t first = w->files.count;
	struct table *t;
	int err = read_fd_table(w, files);

	t = otst_vec_push(w->o, &w->tables, sizeof(*t));
	/* what was found before an error ended the table counts, too */
	*t = (struct table){ files, w->leader->tgid, first, w->files.count - first };
	return err;
}

/* the process shares the table of another one */
static void copy_files(struct walk *w, struct table *t)
{
	struct otst_open_file *f;

	if (!t || t->tgid == w->leader->tgid)
		return;
	t->tgid = w->leader->tgid;
	for (size_t i = 0; i < t->count; i++) {
		f = otst_vec_push(w->o, &w->files, sizeof(*f));
		*f = ((struct otst_open_file *)w->files.data)[t->first + i];
		f->leader = w->leader;
	}
}

/* counts the task's files for its leader, once */
static int look_at_task(struct walk *w)
{
	uint64_t files;
	bool added;
	int err = otst_read_u64(w->o, w->task->addr + w->l.files->offset, &files);

	/* an exiting task no longer has any */
	if (err || !files)
		return err;
	if (!otst_is_kernel_pointer(w->o, files))
		return otst_raise(w->o, OTST_ERR_CORRUPT, "bad pointer 0x%" PRIx64, files);
	err = otst_set_add(w->o, &w->known, files, &added);
	if (err)
		return err;
	if (added)
		return read_file_table(w, files);
	copy_files(w, find_file_table(w, files));
	return 0;
}

bool otst_next_process(const struct otst_task *t, const struct otst_task **leader)
{
	if (t->idle || t->kthread)
		return false;
	if (!*leader || t->pid == t->tgid || t->tgid != (*leader)->tgid)
		*leader = t;
	return true;
}

static int walk_file_tasks(struct walk *w)
{
	const struct otst_tasks *all;
	int err = otst_tasks(w->o, &all);

	if (err)
		return err;
	w->bad = all->errors.count;
	w->first = all->errors.count ? all->errors.texts[0] : NULL;
	for (size_t i = 0; i < all->count && !err; i++) {
		w->task = all->items[i];
		if (otst_next_process(w->task, &w->leader))
			err = note_files(w, look_at_task(w));
	}
	return err;
}

int otst_open_files(struct otst *o, const struct otst_open_files **ret)
{
	static const char key;
	void **slot = otst_memo(o, &key);
	struct walk w = { .o = o };
	struct otst_open_files *all;
	int err;

	if (*slot) {
		*ret = *slot;
		return 0;
	}
	err = find_file_layout(o, &w.l);
	err = err ?: walk_file_tasks(&w);
	if (err)
		return err;
	all = otst_new(o, sizeof(*all));
	*all = (struct otst_open_files){ w.files.data, w.files.count, w.bad, w.first };
	*ret = *slot = all;
	return 0;
}
