// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.c - for test_dwarf.c: a compilation unit with perf's struct ring_buffer.
 * Its line, its size and the struct before it are the same as in ftrace.c.
 */
struct list_head {
	struct list_head *next, *prev;
};

struct state;

struct ring_buffer {
	int nr_pages;
	int overwrite;
	long head;
	void *user_page;
	void *data_pages[3];
};

typedef struct ring_buffer rb_alias;

struct state *no_state;
rb_alias perf_buffer;
struct list_head perf_list;
