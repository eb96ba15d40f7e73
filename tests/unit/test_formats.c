// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_formats.c - the list of events, the text of their formats, and events
 * that the kernel prints by functions of its own.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

#include "../../src/rings/rings.h"

#define TYPES                                 \
	"type list_head 16\n"                 \
	"	next 0 ptr\n"                       \
	"	prev 8 ptr\n"                       \
	"type trace_event 40\n"               \
	"	funcs 24 ptr\n"                     \
	"	type 32 s32\n"                      \
	"type trace_event_call 128\n"         \
	"	list 0 struct list_head\n"          \
	"	class 16 ptr trace_event_class\n"   \
	"	name 24 ptr\n"                      \
	"	event 32 struct trace_event\n"      \
	"	print_fmt 72 ptr\n"                 \
	"	data 88 ptr\n"                      \
	"	flags 96 s32\n"                     \
	"type trace_event_class 64\n"         \
	"	system 0 ptr\n"                     \
	"	fields_array 32 ptr\n"              \
	"	get_fields 40 ptr\n"                \
	"	fields 48 struct list_head\n"       \
	"type trace_event_functions 32\n"     \
	"	trace 0 ptr\n"                      \
	"type ftrace_event_field 56\n"        \
	"	link 0 struct list_head\n"          \
	"	name 16 ptr\n"                      \
	"	type 24 ptr\n"                      \
	"	offset 36 s32\n"                    \
	"	size 40 s32\n"                      \
	"	is_signed 44 s32\n"                 \
	"	len 48 s32\n"                       \
	"type trace_event_fields 40\n"        \
	"	type 0 ptr\n"                       \
	"	name 8 ptr\n"                       \
	"	size 16 s32\n"                      \
	"	align 20 s32\n"                     \
	"	is_signed 24 s32\n"                 \
	"	len 32 s32\n"                       \
	"type syscall_metadata 64\n"          \
	"	name 0 ptr\n"                       \
	"	syscall_nr 8 s32\n"                 \
	"	nb_args 12 s32\n"                   \
	"	types 16 ptr\n"                     \
	"	args 24 ptr\n"                      \
	"	enter_fields 32 struct list_head\n" \
	"enum TRACE_EVENT_FL_TRACEPOINT 16\n" \
	"enum TRACE_EVENT_FL_KPROBE 64\n"

/* one of each kind: by fields, by table, a system call, a kprobe */
#define EVENTS                                                                                 \
	"sym _stext 0xffffffff81000000\n"                                                      \
	"sym do_work 0xffffffff81000100 0x40\n"                                                \
	"sym print_kprobe_event 0xffffffff81000200 0x40\n"                                     \
	"sym print_syscall_enter 0xffffffff81000240 0x40\n"                                    \
	"sym syscall_get_enter_fields 0xffffffff81000280 0x40\n"                               \
	"sym trace_raw_output_wake 0xffffffff810002c0 0x40\n"                                  \
	"sym _etext 0xffffffff81001000\n"                                                      \
	"sym ftrace_events 0xffffffff82000000\n"                                               \
	"sym ftrace_common_fields 0xffffffff82000010\n"                                        \
	"let A 0xffff888000001000\n"                                                           \
	"let B 0xffff888000002000\n"                                                           \
	"let C 0xffff888000003000\n"                                                           \
	"let D 0xffff888000004000\n"                                                           \
	"let CLASS 0xffff888000005000\n"                                                       \
	"let F 0xffff888000006000\n"                                                           \
	"let S 0xffff888000007000\n"                                                           \
	"let FUNCS 0xffff888000008000\n"                                                       \
	"let META 0xffff888000009000\n"                                                        \
	"str S \"sched\"\n"                                                                    \
	"str S+0x10 \"wake\"\n"                                                                \
	"str S+0x20 \"pid_t\"\n"                                                               \
	"str S+0x30 \"pid\"\n"                                                                 \
	"str S+0x40 \"char[8]\"\n"                                                             \
	"str S+0x50 \"comm\"\n"                                                                \
	"str S+0x60 \"__data_loc char[]\"\n"                                                   \
	"str S+0x80 \"why\"\n"                                                                 \
	"str S+0x90 \"int\"\n"                                                                 \
	"str S+0xa0 \"common_pid\"\n"                                                          \
	"str S+0xb0 \"table\"\n"                                                               \
	"str S+0xc0 \"syscalls\"\n"                                                            \
	"str S+0xd0 \"sys_enter_close\"\n"                                                     \
	"str S+0xe0 \"sys_close\"\n"                                                           \
	"str S+0xf0 \"fd\"\n"                                                                  \
	"str S+0x100 \"unsigned long\"\n"                                                      \
	"str S+0x110 \"probes\"\n"                                                             \
	"str S+0x120 \"at_work\"\n"                                                            \
	"str S+0x130 \"__probe_ip\"\n"                                                         \
	"str S+0x200 \"\\\"comm=%s pid=%d why=%s\\\", REC->comm, REC->pid, __get_str(why)\"\n" \
	"str S+0x280 \"\\\"%d\\\\n\\n\\\", REC->pid\"\n"                                       \
	"str S+0x300 \"\\\"(%lx) fd=%d why=\\\\\\\"%s\\\\\\\"\\\", REC->__probe_ip, REC->fd, " \
	"__get_str(why)\"\n"                                                                   \
	"u64 S+0x180: S+0x10\n"                                                                \
	"u64 S+0x190: S+0xf0\n"                                                                \
	"u64 S+0x1a0: S+0x90\n"                                                                \
	"obj trace_event_functions FUNCS\n"                                                    \
	"	trace = trace_raw_output_wake\n"                                                     \
	"obj trace_event_functions FUNCS+0x100\n"                                              \
	"	trace = print_kprobe_event\n"                                                        \
	"obj trace_event_functions FUNCS+0x200\n"                                              \
	"	trace = print_syscall_enter\n"                                                       \
	"obj trace_event_call A\n"                                                             \
	"	class = CLASS\n"                                                                     \
	"	name = S+0x180\n"                                                                    \
	"	event.funcs = FUNCS\n"                                                               \
	"	event.type = 300\n"                                                                  \
	"	print_fmt = S+0x200\n"                                                               \
	"	flags = 16\n"                                                                        \
	"obj trace_event_call B\n"                                                             \
	"	class = CLASS+0x100\n"                                                               \
	"	name = S+0xb0\n"                                                                     \
	"	event.funcs = FUNCS\n"                                                               \
	"	event.type = 299\n"                                                                  \
	"	print_fmt = S+0x280\n"                                                               \
	"obj trace_event_call C\n"                                                             \
	"	class = CLASS+0x200\n"                                                               \
	"	name = S+0xd0\n"                                                                     \
	"	event.funcs = FUNCS+0x200\n"                                                         \
	"	event.type = 301\n"                                                                  \
	"	print_fmt = S+0x280\n"                                                               \
	"	data = META\n"                                                                       \
	"obj trace_event_call D\n"                                                             \
	"	class = CLASS+0x300\n"                                                               \
	"	name = S+0x120\n"                                                                    \
	"	event.funcs = FUNCS+0x100\n"                                                         \
	"	event.type = 302\n"                                                                  \
	"	print_fmt = S+0x300\n"                                                               \
	"	flags = 64\n"                                                                        \
	"list ftrace_events A B C D\n"                                                         \
	"obj trace_event_class CLASS\n"                                                        \
	"	system = S\n"                                                                        \
	"obj trace_event_class CLASS+0x100\n"                                                  \
	"	system = S\n"                                                                        \
	"	fields_array = F+0x800\n"                                                            \
	"obj trace_event_class CLASS+0x200\n"                                                  \
	"	system = S+0xc0\n"                                                                   \
	"	get_fields = syscall_get_enter_fields\n"                                             \
	"obj trace_event_class CLASS+0x300\n"                                                  \
	"	system = S+0x110\n" FIELDS "obj trace_event_fields F+0x800\n"                  \
	"	type = S+0x20\n"                                                                     \
	"	name = S+0x30\n"                                                                     \
	"	size = 4\n"                                                                          \
	"	align = 4\n"                                                                         \
	"	is_signed = 1\n"                                                                     \
	"obj trace_event_fields F+0x828\n"                                                     \
	"	type = S+0x40\n"                                                                     \
	"	name = S+0x50\n"                                                                     \
	"	size = 8\n"                                                                          \
	"	align = 8\n"                                                                         \
	"	len = 8\n"                                                                           \
	"obj trace_event_fields F+0x850\n"                                                     \
	"obj syscall_metadata META\n"                                                          \
	"	name = S+0xe0\n"                                                                     \
	"	nb_args = 1\n"                                                                       \
	"	types = S+0x1a0\n"                                                                   \
	"	args = S+0x190\n"                                                                    \
	"list META+32 F+0x400\n"

/* the newest field is the first of its list */
#define FIELDS                                       \
	"obj ftrace_event_field F\n"                 \
	"	name = S+0xa0\n"                           \
	"	type = S+0x90\n"                           \
	"	offset = 4\n"                              \
	"	size = 4\n"                                \
	"	is_signed = 1\n"                           \
	"list ftrace_common_fields F\n"              \
	"obj ftrace_event_field F+0x100\n"           \
	"	name = S+0x30\n"                           \
	"	type = S+0x20\n"                           \
	"	offset = 8\n"                              \
	"	size = 4\n"                                \
	"	is_signed = 1\n"                           \
	"obj ftrace_event_field F+0x200\n"           \
	"	name = S+0x50\n"                           \
	"	type = S+0x40\n"                           \
	"	offset = 12\n"                             \
	"	size = 8\n"                                \
	"	len = 8\n"                                 \
	"obj ftrace_event_field F+0x300\n"           \
	"	name = S+0x80\n"                           \
	"	type = S+0x60\n"                           \
	"	offset = 20\n"                             \
	"	size = 4\n"                                \
	"	is_signed = 1\n"                           \
	"list CLASS+48 F+0x300 F+0x200 F+0x100\n"    \
	"obj ftrace_event_field F+0x400\n"           \
	"	name = S+0xf0\n"                           \
	"	type = S+0x90\n"                           \
	"	offset = 16\n"                             \
	"	size = 8\n"                                \
	"obj ftrace_event_field F+0x500\n"           \
	"	name = S+0x130\n"                          \
	"	type = S+0x100\n"                          \
	"	offset = 8\n"                              \
	"	size = 8\n"                                \
	"obj ftrace_event_field F+0x600\n"           \
	"	name = S+0xf0\n"                           \
	"	type = S+0x90\n"                           \
	"	offset = 16\n"                             \
	"	size = 4\n"                                \
	"	is_signed = 1\n"                           \
	"obj ftrace_event_field F+0x700\n"           \
	"	name = S+0x80\n"                           \
	"	type = S+0x60\n"                           \
	"	offset = 20\n"                             \
	"	size = 4\n"                                \
	"	is_signed = 1\n"                           \
	"list CLASS+0x330 F+0x700 F+0x600 F+0x500\n" \
	"list CLASS+0x130\n"

#define COMMON "	field:int common_pid;	offset:4;	size:4;	signed:1;\n\n"

static void test_text(void **state)
{
	struct mock *m = mock_open(TYPES EVENTS);
	const struct otst_event_format *f = otst_event_format(m->o, 300);

	(void)state;
	assert_non_null(f);
	assert_null(f->error);
	assert_string_equal(f->system, "sched");
	assert_string_equal(f->name, "wake");
	assert_false(f->dynamic);
	assert_string_equal(
		f->text,
		"name: wake\nID: 300\nformat:\n" COMMON
		"	field:pid_t pid;	offset:8;	size:4;	signed:1;\n"
		"	field:char comm[8];	offset:12;	size:8;	signed:0;\n"
		"	field:__data_loc char[] why;	offset:20;	size:4;	signed:1;\n"
		"\nprint fmt: \"comm=%s pid=%d why=%s\", REC->comm, REC->pid, __get_str(why)\n");
	/* from the table; a newline in the print format stays */
	f = otst_event_format(m->o, 299);
	assert_non_null(f);
	assert_string_equal(f->text,
			    "name: table\nID: 299\nformat:\n" COMMON
			    "	field:pid_t pid;	offset:8;	size:4;	signed:1;\n"
			    "	field:char comm[8];	offset:16;	size:8;	signed:0;\n"
			    "\nprint fmt: \"%d\\n\n\", REC->pid\n");
	f = otst_event_format(m->o, 301);
	assert_non_null(f);
	assert_true(f->unnamed);
	assert_string_equal(f->text, "name: sys_enter_close\nID: 301\nformat:\n" COMMON
				     "	field:int fd;	offset:16;	size:8;	signed:0;\n"
				     "\nprint fmt: \"%d\\n\n\", REC->pid\n");
	assert_true(otst_event_format(m->o, 302)->dynamic);
	assert_null(otst_event_format(m->o, 303));
	assert_null(otst_event_format(m->o, 65535));
	mock_close(m);
}

static void test_list(void **state)
{
	struct mock *m = mock_open(TYPES EVENTS);
	const struct otst_event_format *const *f;
	uint16_t id;

	(void)state;
	assert_int_equal(otst_event_formats(m->o, &f), 0);
	for (id = 299; id <= 302; id++)
		assert_int_equal((*f++)->id, id);
	assert_null(*f);
	assert_int_equal(otst_event_errors(m->o)->count, 0);
	mock_close(m);
}

static const char *print(struct mock *m, uint16_t id, const uint8_t *data, uint32_t size)
{
	struct otst_record r = { .data = data, .size = size, .type = id };
	static char text[256];
	int len = otst_event_text(m->o, otst_event_format(m->o, id), NULL, &r, text, sizeof(text));

	assert_int_equal(len, strlen(text));
	return text;
}

static void test_print(void **state)
{
	struct mock *m = mock_open(TYPES EVENTS);
	uint8_t d[32] = { 0 };

	(void)state;
	mock_put(d + 8, 42, 4);
	memcpy(d + 12, "sh", 2);
	mock_put(d + 20, 4 << 16 | 24, 4);
	memcpy(d + 24, "cpu", 3);
	assert_string_equal(print(m, 300, d, 32), "comm=sh pid=42 why=cpu");
	memset(d, 0, sizeof(d));
	mock_put(d + 16, 19, 8);
	assert_string_equal(print(m, 301, d, 24), "sys_close(fd: 13)");
	mock_put(d + 8, 0xffffffff81000104, 8);
	mock_put(d + 16, 3, 4);
	mock_put(d + 20, 3 << 16 | 24, 4);
	memcpy(d + 24, "ok", 2);
	assert_string_equal(print(m, 302, d, 28), "(do_work+0x4/0x40) fd=3 why=\"ok\"");
	/* a string that could not be fetched */
	mock_put(d + 20, 24, 4);
	assert_string_equal(print(m, 302, d, 28), "(do_work+0x4/0x40) fd=3 why=(fault)");
	mock_close(m);
}

/* what is not understood: raw fields, and one message */
static void test_raw(void **state)
{
	struct mock *m = mock_open(TYPES EVENTS "str S+0x200 \"\\\"%s\\\", some_function(p)\"\n");
	uint8_t d[32] = { 0 };

	(void)state;
	mock_put(d + 8, (uint64_t)-7, 4);
	memcpy(d + 12, "sh\n", 3);
	mock_put(d + 20, 100 << 16 | 30, 4);
	assert_string_equal(print(m, 300, d, 32), "pid=-7 comm=\"sh\n\" why=\"\"");
	mock_put(d + 20, 100 << 16 | 40, 4);
	assert_string_equal(print(m, 300, d, 32), "pid=-7 comm=\"sh\n\" why=?");
	assert_int_equal(otst_event_errors(m->o)->count, 0);
	assert_int_equal(otst_event_notes(m->o)->count, 1);
	assert_non_null(strstr(otst_event_notes(m->o)->texts[0], "sched:wake"));
	mock_close(m);
}

/* a guess that several formats need is one note, and nothing is printed as raw fields */
static void test_guess(void **state)
{
	static const char *const format =
		"str S+0x%x \"\\\"%%u\\\", jiffies_to_msecs(REC->pid)\"\n";
	char text[16384];
	uint8_t d[32] = { 0 };
	struct mock *m;
	int len = snprintf(text, sizeof(text), "%s%s", TYPES, EVENTS);

	(void)state;
	len += sprintf(text + len, format, 0x200);
	sprintf(text + len, format, 0x280);
	m = mock_open(text);
	mock_put(d + 8, 5, 4);
	assert_string_equal(print(m, 300, d, 32), "20");
	assert_string_equal(print(m, 299, d, 32), "20");
	assert_int_equal(otst_event_errors(m->o)->count, 0);
	assert_int_equal(otst_event_notes(m->o)->count, 1);
	assert_non_null(strstr(otst_event_notes(m->o)->texts[0], "HZ"));
	mock_close(m);
}

static size_t errors_of(const char *text, size_t left)
{
	struct mock *m = mock_open(text);
	const struct otst_event_format *const *f;
	size_t n, count;

	assert_int_equal(otst_event_formats(m->o, &f), 0);
	for (n = 0; f[n]; n++)
		;
	assert_int_equal(n, left);
	count = otst_event_errors(m->o)->count;
	mock_close(m);
	return count;
}

/* a bad event costs only itself, a bad list all that follows */
static void test_damage(void **state)
{
	struct mock *m;
	const struct otst_event_format *const *f;

	(void)state;
	/* unreadable name, class, call */
	assert_int_equal(errors_of(TYPES EVENTS "u64 A+24: 0xffff8880deadbee0\n", 3), 1);
	assert_int_equal(errors_of(TYPES EVENTS "u64 A+16: 0\n", 3), 1);
	assert_int_equal(errors_of(TYPES EVENTS "unmap B+32 96\n", 3), 1);
	/* the same id twice, ids that are none */
	assert_int_equal(errors_of(TYPES EVENTS "u32 B+64: 300\n", 3), 1);
	assert_int_equal(errors_of(TYPES EVENTS "u32 B+64: 0x7fffffff\n", 3), 1);
	assert_int_equal(errors_of(TYPES EVENTS "u32 B+64: 0\n", 3), 1);
	/* a loop, an end that leads nowhere */
	assert_int_equal(errors_of(TYPES EVENTS "u64 C: A\n", 3), 1);
	assert_int_equal(errors_of(TYPES EVENTS "u64 B: 0x1234\n", 2), 1);
	/* fields that loop, a print format outside memory: the event stays, without its text */
	assert_int_equal(errors_of(TYPES EVENTS "u64 F+0x308: F+0x100\n", 4), 1);
	assert_int_equal(errors_of(TYPES EVENTS "u64 A+72: 0\n", 4), 1);
	m = mock_open(TYPES EVENTS "u64 A+72: 0\n");
	assert_non_null(otst_event_format(m->o, 300)->error);
	assert_null(otst_event_format(m->o, 300)->text);
	assert_string_equal(print(m, 300, (const uint8_t *)"", 0), "pid=? comm=? why=?");
	mock_close(m);
	/* no such thing at all */
	m = mock_open("sym _stext 0xffffffff81000000\n");
	assert_int_equal(otst_event_formats(m->o, &f), OTST_ERR_LOOKUP);
	assert_null(otst_event_format(m->o, 300));
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),   cmocka_unit_test(test_list),
		cmocka_unit_test(test_print),  cmocka_unit_test(test_raw),
		cmocka_unit_test(test_damage), cmocka_unit_test(test_guess),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
