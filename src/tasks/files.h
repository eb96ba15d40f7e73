/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * files.h - what programs have open, as far as it says who hooks the kernel: files of BPF, of
 * user events, and sockets.
 */
#ifndef OTST_TASKS_FILES_H
#define OTST_TASKS_FILES_H

#include "task.h"

/** enum otst_file_kind - which file operations a file has, and so what its private_data is */
enum otst_file_kind {
	OTST_FILE_BPF_PROG,	  /**< struct bpf_prog */
	OTST_FILE_BPF_LINK,	  /**< struct bpf_link */
	OTST_FILE_BPF_TRACEPOINT, /**< struct bpf_raw_tracepoint, before there were links */
	OTST_FILE_USER_EVENTS,	  /**< struct user_event_file_info */
	OTST_FILE_SOCKET,	  /**< struct socket */
	OTST_FILE_COUNT,
};

/**
 * struct otst_open_file - one descriptor of a process
 * @leader: of the thread group that has it
 * @object: the file's private_data
 */
struct otst_open_file {
	enum otst_file_kind kind;
	uint64_t fd;
	const struct otst_task *leader;
	uint64_t object;
};

/**
 * struct otst_open_files - those files of all processes
 * @items: @count of them; those of one process follow each other, in the order of the tasks
 * @bad: how many things could not be read; @first: the message of the first
 */
struct otst_open_files {
	const struct otst_open_file *items;
	size_t count;
	size_t bad;
	const char *first;
};

/**
 * otst_open_files() - look through the open files of all tasks, once per command
 *
 * A table of files that several processes share counts for each of them.
 *
 * Return: 0; LOOKUP when nothing tells such files; or what ends a command.
 */
int otst_open_files(struct otst *o, const struct otst_open_files **ret);

/**
 * otst_next_process() - is it of a program, and whose is it
 * @leader: the leader of the last task's group, NULL at first; becomes that of @t's group
 *
 * Kernel threads and idle tasks have the files of init_task, which opens none: false for these.
 */
bool otst_next_process(const struct otst_task *t, const struct otst_task **leader);

#endif /* OTST_TASKS_FILES_H */
