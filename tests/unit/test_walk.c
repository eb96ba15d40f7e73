// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_walk.c - walks end whatever the list looks like, and say why.
 */
#include "mock.h"

#include <stdio.h>

#define A    0xffff888000001000
#define HEAD 0xffffffff82000000

/* Steps to the end; returns the number of nodes, and checks the error. */
static size_t walk_all(struct otst_walk *w, int err)
{
	uint64_t node;
	size_t n = 0;

	while (otst_walk_next(w, &node)) {
		n++;
		assert_int_equal(w->steps, n);
		assert_int_equal(w->at, node);
	}
	assert_int_equal(w->err, err);
	/* the end stays the end */
	assert_false(otst_walk_next(w, &node));
	return n;
}

static size_t walk_list(const char *text, int err)
{
	struct mock *m = mock_open(text);
	struct otst_walk w;
	size_t n;

	otst_walk_list(m->o, HEAD, &w);
	n = walk_all(&w, err);
	mock_close(m);
	return n;
}

static size_t walk_hlist(const char *text, int err)
{
	struct mock *m = mock_open(text);
	struct otst_walk w;
	size_t n;

	otst_walk_hlist(m->o, HEAD, &w);
	n = walk_all(&w, err);
	mock_close(m);
	return n;
}

static void test_list(void **state)
{
	(void)state;
	assert_int_equal(walk_list("list 0xffffffff82000000", 0), 0);
	assert_int_equal(walk_list("list 0xffffffff82000000 0xffff888000001000", 0), 1);
	assert_int_equal(walk_list("list 0xffffffff82000000 0xffff888000001000 0xffff888000002000 "
				   "0xffff888000003000",
				   0),
			 3);
}

static void test_hlist(void **state)
{
	(void)state;
	assert_int_equal(walk_hlist("u64 0xffffffff82000000: 0", 0), 0);
	assert_int_equal(walk_hlist("hlist 0xffffffff82000000 0xffff888000001000 "
				    "0xffff888000002000",
				    0),
			 2);
}

static void test_order(void **state)
{
	struct mock *m =
		mock_open("hlist 0xffffffff82000000 0xffff888000002000 0xffff888000001000");
	struct otst_walk w;
	uint64_t node;

	(void)state;
	otst_walk_hlist(m->o, HEAD, &w);
	assert_true(otst_walk_next(&w, &node));
	assert_int_equal(node, 0xffff888000002000);
	assert_true(otst_walk_next(&w, &node));
	assert_int_equal(node, 0xffff888000001000);
	assert_false(otst_walk_next(&w, &node));
	mock_close(m);
}

static void test_chain(void **state)
{
	struct mock *m = mock_open("u64 0xffff888000001008: 0xffff888000002000\n"
				   "u64 0xffff888000002008: 0xffffffff82000000\n");
	struct otst_walk w;

	(void)state;
	otst_walk_chain(m->o, A, 8, HEAD, &w);
	assert_int_equal(walk_all(&w, 0), 2);
	/* a chain that is empty from the start */
	otst_walk_chain(m->o, HEAD, 8, HEAD, &w);
	assert_int_equal(walk_all(&w, 0), 0);
	otst_walk_chain(m->o, 0, 8, 0, &w);
	assert_int_equal(walk_all(&w, 0), 0);
	mock_close(m);
}

static void test_cycles(void **state)
{
	char text[4096];

	(void)state;
	/* a node that points to itself is seen once */
	assert_int_equal(walk_hlist("u64 0xffffffff82000000: 0xffff888000001000\n"
				    "u64 0xffff888000001000: 0xffff888000001000\n",
				    OTST_ERR_CORRUPT),
			 1);
	/* a circle that never comes back to the head */
	assert_int_equal(walk_list("u64 0xffffffff82000000: 0xffff888000001000\n"
				   "u64 0xffff888000001000: 0xffff888000002000\n"
				   "u64 0xffff888000002000: 0xffff888000001000\n",
				   OTST_ERR_CORRUPT),
			 2);
	/* tails and circles of many lengths: every node once */
	for (unsigned int tail = 0; tail < 12; tail++) {
		for (unsigned int loop = 1; loop < 12; loop++) {
			size_t len = 0, n;

			len += snprintf(text, sizeof(text), "u64 %#lx: %#lx\n", HEAD, A);
			for (unsigned int i = 0; i < tail + loop; i++) {
				unsigned int next = i + 1 < tail + loop ? i + 1 : tail;

				len += snprintf(text + len, sizeof(text) - len, "u64 %#lx: %#lx\n",
						A + 64 * i, A + 64 * next);
			}
			n = walk_hlist(text, OTST_ERR_CORRUPT);
			assert_int_equal(n, tail + loop);
		}
	}
}

static void test_bad_pointers(void **state)
{
	static const char *const bad[] = {
		"0xdead000000000100",
		"0xdead000000000122",
		"0xdead000000000200",
		"0x00100100",
		"0x00200200",
		"0x100",
		"0x122",
		"0x6b6b6b6b6b6b6b6b",
		"0x5a5a5a5a5a5a5a5a",
		"0xffff888000001001",
		"0x7fff12345678",
		"0x1",
		"0x4141414141414141",
		"-1",
		"-8",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text),
			 "u64 0xffffffff82000000: 0xffff888000002000\n"
			 "u64 0xffff888000002000: %s\n",
			 bad[i]);
		assert_int_equal(walk_hlist(text, OTST_ERR_CORRUPT), 1);
		assert_int_equal(walk_list(text, OTST_ERR_CORRUPT), 1);
	}
	/* in the head already; NULL ends an hlist but never a list_head */
	assert_int_equal(walk_hlist("u64 0xffffffff82000000: 0xdead000000000100", OTST_ERR_CORRUPT),
			 0);
	assert_int_equal(walk_list("u64 0xffffffff82000000: 0", OTST_ERR_CORRUPT), 0);
}

static void test_holes(void **state)
{
	(void)state;
	assert_int_equal(walk_hlist("", OTST_ERR_FAULT), 0);
	assert_int_equal(walk_list("", OTST_ERR_FAULT), 0);
	/* the node is handed out, reading on from it fails */
	assert_int_equal(walk_hlist("u64 0xffffffff82000000: 0xffff888000001000", OTST_ERR_FAULT),
			 1);
}

static void test_limit(void **state)
{
	size_t n;

	(void)state;
	n = walk_hlist("u64 0xffffffff82000000: 0xffffc90000000000\n"
		       "endless 0xffffc90000000000 0x4000000000 64 0\n",
		       OTST_ERR_CORRUPT);
	assert_true(n >= 100000 && n <= 4000000);
}

static void test_pointers(void **state)
{
	(void)state;
	assert_true(otst_is_poison(0xdead000000000100));
	assert_true(otst_is_poison(0xdead000000000122));
	assert_true(otst_is_poison(0xdead000000000200));
	assert_true(otst_is_poison(0x00100100));
	assert_true(otst_is_poison(0x00200200));
	assert_true(otst_is_poison(0x6b6b6b6b6b6b6b6b));
	assert_false(otst_is_poison(0));
	assert_false(otst_is_poison(A));
}

/* @five: the linear map of x86_64's tables with five levels */
static void check_pointers(const char *text, bool five)
{
	struct mock *m = mock_open(text);

	assert_true(otst_is_kernel_pointer(m->o, A));
	assert_true(otst_is_kernel_pointer(m->o, HEAD));
	assert_true(otst_is_kernel_pointer(m->o, 0xfff0000000000000));
	assert_int_equal(otst_is_kernel_pointer(m->o, 0xff11000000000000), five);
	assert_false(otst_is_kernel_pointer(m->o, 0));
	assert_false(otst_is_kernel_pointer(m->o, 0x7fffffffffff));
	assert_false(otst_is_kernel_pointer(m->o, 0xdead000000000100));
	assert_false(otst_is_kernel_pointer(m->o, UINT64_MAX));
	mock_close(m);
}

static void test_kernel_pointers(void **state)
{
	(void)state;
	check_pointers("sym startup_64 0xffffffff81000000", true);
	check_pointers("sym __primary_switched 0xffff800010000000", false);
	check_pointers("sym _stext 0xffffffff81000000", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),	 cmocka_unit_test(test_hlist),
		cmocka_unit_test(test_order),	 cmocka_unit_test(test_chain),
		cmocka_unit_test(test_cycles),	 cmocka_unit_test(test_bad_pointers),
		cmocka_unit_test(test_holes),	 cmocka_unit_test(test_limit),
		cmocka_unit_test(test_pointers), cmocka_unit_test(test_kernel_pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
