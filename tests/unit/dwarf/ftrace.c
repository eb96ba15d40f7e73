// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace.c - for test_dwarf.c: a compilation unit with ftrace's struct ring_buffer.
 * Its line, its size and the struct before it are the same as in perf.c.
 */
struct list_head {
	struct list_head *next, *prev;
};

struct state;

struct ring_buffer {
	unsigned int flags;
	int cpus;
	int record_disabled;
	void *cpumask;
	void *buffers;
	struct list_head list;
};

typedef struct ring_buffer rb_alias;

struct state {
	int low : 3, high : 5;
	unsigned char mode : 2;
	short temperature;
};

enum colour { COLOUR_NONE = -1, COLOUR_RED = 200 };

rb_alias ftrace_buffer;
struct list_head ftrace_list;
struct state some_state;
enum colour some_colour;
