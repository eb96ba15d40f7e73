// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_hist.c - the order of a histogram's entries, and a trigger's text as
 * event_hist_trigger_print() of 4.18 writes it.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

#include "../../src/output/trigger.h"
#include "../../src/traces/hist/hist.h"

#define KEYS 7u

static const char map_text[] = "type new_utsname 390\n"
			       "	machine 260 char[65]\n"
			       "type uts_namespace 400\n"
			       "	name 0 struct new_utsname\n"
			       "sym init_uts_ns 0xffffffff82000000\n"
			       "obj uts_namespace 0xffffffff82000000\n"
			       "	name.machine = \"x86_64\"\n"
			       "sym tracing_map_cmp_u64 0xffffffff81001000 0x10\n"
			       "type tracing_map_field 24\n"
			       "	cmp_fn 0 ptr\n"
			       "	sum 8 u64\n"
			       "	offset 8 u32\n"
			       "type tracing_map 128\n"
			       "	n_keys 0 u32\n"
			       "	key_idx 4 u32[2]\n"
			       "	fields 16 struct tracing_map_field[2]\n"
			       "obj tracing_map 0xffff888001000000\n"
			       "	n_keys = 1\n"
			       "	key_idx = 1\n"
			       "u64 0xffff888001000010: 0xffffffff81001000 0 0\n"
			       "u64 0xffff888001000028: 0xffffffff81001000 0 0\n";

/* keys in the map's order, with their hit counts; sorted by the counts */
static void test_order(void **state)
{
	static const uint8_t keys[KEYS][8] = { { 5 }, { 3 }, { 9 }, { 1 }, { 7 }, { 2 }, { 8 } };
	static const uint64_t sums[KEYS] = { 1, 1, 2, 1, 2, 1, 1 };
	struct otst_hist h = { .nr_vals = 1, .nr_keys = 1, .nr_sorts = 1, .key_size = 8 };
	struct otst_hist_entry e[KEYS];
	char got[KEYS + 1] = "";
	struct otst_view map;
	struct mock *m = mock_open(map_text);
	size_t i;

	(void)state;
	for (i = 0; i < KEYS; i++)
		e[i] = (struct otst_hist_entry){ .key = keys[i], .sums = &sums[i] };
	assert_int_equal(otst_view_read(m->o, "tracing_map", 0xffff888001000000, &map), 0);
	assert_int_equal(otst_hist_sort(m->o, &map, &h, e, KEYS), 0);
	for (i = 0; i < KEYS; i++)
		got[i] = (char)('0' + e[i].key[0]);
	assert_string_equal(got, "1235879");
	mock_close(m);
}

static const char trigger[] = "sym action_trace 0xffffffff81004000 0x100\n"
			      "sym onmax_save 0xffffffff81004100 0x100\n"
			      "type event_trigger_data 64\n"
			      "	filter_str 0 ptr char\n"
			      "	private_data 8 ptr\n"
			      "	paused 16 bool\n"
			      "	name 24 ptr char\n"
			      "type tracing_map_sort_key 8\n"
			      "	field_idx 0 u32\n"
			      "	descending 4 bool\n"
			      "type hist_trigger_attrs 16\n"
			      "	clock 0 ptr char\n"
			      "type hist_trigger_data 256\n"
			      "	fields 0 ptr[2]\n"
			      "	n_vals 16 u32\n"
			      "	n_keys 20 u32\n"
			      "	n_vars 24 u32\n"
			      "	key_size 28 u32\n"
			      "	sort_keys 32 struct tracing_map_sort_key[2]\n"
			      "	n_sort_keys 48 u32\n"
			      "	attrs 56 ptr hist_trigger_attrs\n"
			      "	map 64 ptr tracing_map\n"
			      "	actions 72 ptr[4]\n"
			      "	n_actions 104 u32\n"
			      "	max_vars 112 ptr[4]\n"
			      "	n_max_vars 144 u32\n"
			      "type var 16\n"
			      "	name 0 ptr char\n"
			      "	idx 8 u32\n"
			      "type hist_field 96\n"
			      "	field 0 ptr ftrace_event_field\n"
			      "	flags 8 u64\n"
			      "	size 16 u32\n"
			      "	offset 20 u32\n"
			      "	var 24 struct var\n"
			      "	operands 40 ptr[2]\n"
			      "	system 56 ptr char\n"
			      "	event_name 64 ptr char\n"
			      "	name 72 ptr char\n"
			      "type ftrace_event_field 32\n"
			      "	name 16 ptr char\n"
			      "type field_var 16\n"
			      "	var 0 ptr hist_field\n"
			      "	val 8 ptr hist_field\n"
			      "type tracing_map 128\n"
			      "	map_bits 0 u32\n"
			      "type synth_event 32\n"
			      "	name 24 ptr char\n"
			      "type onmatch 40\n"
			      "	match_event 8 ptr char\n"
			      "	match_event_system 16 ptr char\n"
			      "	synth_event 32 ptr synth_event\n"
			      "type onmax 40\n"
			      "	var_str 0 ptr char\n"
			      "	fn_name 8 ptr char\n"
			      "	max_var 24 ptr hist_field\n"
			      "type action_data 96\n"
			      "	fn 0 ptr\n"
			      "	n_params 8 u32\n"
			      "	params 16 ptr[4]\n"
			      "	onmatch 48 struct onmatch\n"
			      "	onmax 48 struct onmax\n"
			      "enum HIST_FIELD_FL_HITCOUNT 1\n"
			      "enum HIST_FIELD_FL_KEY 2\n"
			      "enum HIST_FIELD_FL_VAR 4096\n"
			      "str 0xffff888002000000 \"next_pid\"\n"
			      "str 0xffff888002000020 \"sched_waking\"\n"
			      "str 0xffff888002000040 \"sched\"\n"
			      "str 0xffff888002000060 \"wakeup_lat\"\n"
			      "str 0xffff888002000080 \"$lat\"\n"
			      "str 0xffff8880020000a0 \"save\"\n"
			      "str 0xffff8880020000c0 \"lat\"\n"
			      "obj ftrace_event_field 0xffff888002001000\n"
			      "	name = 0xffff888002000000\n"
			      "obj hist_field 0xffff888002002000\n"
			      "	flags = 1\n"
			      "obj hist_field 0xffff888002002100\n"
			      "	flags = 2\n"
			      "	field = 0xffff888002001000\n"
			      "	size = 4\n"
			      "obj hist_field 0xffff888002002200\n"
			      "	flags = 4096\n"
			      "	var.name = 0xffff8880020000c0\n"
			      "	var.idx = 3\n"
			      "obj field_var 0xffff888002003000\n"
			      "	var = 0xffff888002002200\n"
			      "	val = 0xffff888002002100\n"
			      "obj tracing_map 0xffff888002004000\n"
			      "	map_bits = 11\n"
			      "obj hist_trigger_attrs 0xffff888002005000\n"
			      "obj synth_event 0xffff888002006000\n"
			      "	name = 0xffff888002000060\n"
			      "obj action_data 0xffff888002007000\n"
			      "	fn = action_trace\n"
			      "	n_params = 2\n"
			      "	params = 0xffff888002000080 0xffff888002000000\n"
			      "	onmatch.match_event = 0xffff888002000020\n"
			      "	onmatch.match_event_system = 0xffff888002000040\n"
			      "	onmatch.synth_event = 0xffff888002006000\n"
			      "obj action_data 0xffff888002008000\n"
			      "	fn = onmax_save\n"
			      "	onmax.var_str = 0xffff888002000080\n"
			      "	onmax.fn_name = 0xffff8880020000a0\n"
			      "	onmax.max_var = 0xffff888002002200\n"
			      "obj hist_trigger_data 0xffff888002009000\n"
			      "	fields = 0xffff888002002000 0xffff888002002100\n"
			      "	n_vals = 1\n"
			      "	n_keys = 1\n"
			      "	key_size = 8\n"
			      "	n_sort_keys = 1\n"
			      "	attrs = 0xffff888002005000\n"
			      "	map = 0xffff888002004000\n"
			      "	actions = 0xffff888002007000 0xffff888002008000\n"
			      "	n_actions = 2\n"
			      "	max_vars = 0xffff888002003000\n"
			      "	n_max_vars = 1\n"
			      "obj event_trigger_data 0xffff88800200a000\n"
			      "	private_data = 0xffff888002009000\n";

static void test_actions(void **state)
{
	struct mock *m = mock_open(trigger);
	struct otst_hist h;

	(void)state;
	assert_int_equal(otst_hist_trigger(m->o, 0xffff88800200a000, &h), 0);
	assert_string_equal(otst_hist_text(m->o, &h),
			    "hist:keys=next_pid:vals=hitcount:sort=hitcount:size=2048"
			    ":onmatch(sched.sched_waking).wakeup_lat($lat,next_pid)"
			    ":onmax($lat).save(lat) [active]");
	assert_int_equal(h.nr_actions, 2);
	assert_int_equal(h.actions[1].var, 3);
	mock_close(m);
}

static void test_actions_damaged(void **state)
{
	static const char cut[] = "unmap 0xffff888002006000 32\n";
	char text[sizeof(trigger) + sizeof(cut)];
	struct otst_hist h;
	struct mock *m;

	(void)state;
	strcpy(text, trigger);
	strcat(text, cut);
	m = mock_open(text);
	assert_int_equal(otst_hist_trigger(m->o, 0xffff88800200a000, &h), OTST_ERR_FAULT);
	assert_int_equal(h.nr_actions, 0);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_actions_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
