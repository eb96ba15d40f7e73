// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_once.c - what otst_once() keeps, and what it forgets.
 */
#include <string.h>

#include "mock.h"

static unsigned int made, destroyed;
static char order[8];
static int result;

struct number {
	unsigned int n;
};

static int make_number(struct otst *o, const void *of, void *value)
{
	struct number *v = value;

	(void)of;
	assert_int_equal(v->n, 0);
	v->n = ++made;
	return result ? otst_raise(o, result, "no number") : 0;
}

static void destroy_number(void *value)
{
	destroyed += ((struct number *)value)->n != 0;
}

static const struct otst_once number = { .size = sizeof(struct number),
					 .make = make_number,
					 .destroy = destroy_number };

static struct mock *start(int err)
{
	struct mock *m = mock_open("");

	made = destroyed = 0;
	result = err;
	order[0] = '\0';
	otst_command_begin(m->o);
	return m;
}

static void next_command(struct mock *m)
{
	otst_command_end(m->o);
	otst_command_begin(m->o);
}

static void test_an_answer_stays(void **state)
{
	struct mock *m = start(0);
	const struct number *a, *b;

	(void)state;
	assert_int_equal(otst_once(m->o, &number, NULL, &a), 0);
	next_command(m);
	assert_int_equal(otst_once(m->o, &number, NULL, &b), 0);
	assert_ptr_equal(a, b);
	assert_int_equal(a->n, 1);
	assert_int_equal(otst_once(m->o, &number, &made, &b), 0);
	assert_int_equal(b->n, 2);
	assert_int_equal(destroyed, 0);
	mock_close(m);
	assert_int_equal(destroyed, 2);
}

static void ask_twice(int err, unsigned int expected)
{
	struct mock *m = start(err);
	const struct number *v;

	assert_int_equal(otst_once(m->o, &number, NULL, &v), err);
	assert_string_equal(otst_message(m->o), "no number");
	otst_raise(m->o, OTST_ERR_CORRUPT, "something else");
	assert_int_equal(otst_once(m->o, &number, NULL, &v), err);
	if (!otst_fatal(err))
		assert_int_equal(made, 1);
	assert_string_equal(otst_message(m->o), "no number");
	assert_null(otst_once_or_null(m->o, &number, NULL));
	next_command(m);
	otst_once(m->o, &number, NULL, &v);
	assert_int_equal(made, expected);
	mock_close(m);
}

static void test_which_failures_are_believed(void **state)
{
	(void)state;
	ask_twice(OTST_ERR_LOOKUP, 1);
	ask_twice(OTST_ERR_FAULT, 2);
	ask_twice(OTST_ERR_CORRUPT, 2);
	ask_twice(OTST_ERR_INTERRUPTED, 2);
	ask_twice(OTST_ERR_NOMEM, 2);
	ask_twice(OTST_ERR_OUTPUT, 2);
}

/* what a command found out before it was cut short may depend on what it did not find out */
static void test_a_stop_forgets_all(void **state)
{
	struct mock *m = start(0);
	const struct number *v;

	(void)state;
	assert_int_equal(otst_once(m->o, &number, NULL, &v), 0);
	m->interrupted = true;
	assert_int_equal(otst_check(m->o), OTST_ERR_INTERRUPTED);
	m->interrupted = false;
	/* until the command ends nothing counts as an answer */
	assert_int_equal(otst_check(m->o), OTST_ERR_INTERRUPTED);
	assert_int_equal(otst_once(m->o, &number, NULL, &v), OTST_ERR_INTERRUPTED);
	next_command(m);
	assert_int_equal(otst_check(m->o), 0);
	assert_int_equal(destroyed, 1);
	assert_int_equal(otst_once(m->o, &number, NULL, &v), 0);
	assert_int_equal(v->n, 2);
	mock_close(m);
}

/* a front end left the previous command by longjmp */
static void test_a_command_without_an_end(void **state)
{
	struct mock *m = start(0);
	const struct number *v;

	(void)state;
	assert_int_equal(otst_once(m->o, &number, NULL, &v), 0);
	otst_command_begin(m->o);
	assert_int_equal(destroyed, 1);
	mock_close(m);
}

static void destroy_letter(void *value)
{
	strncat(order, value, 1);
}

static int make_a(struct otst *o, const void *of, void *value)
{
	(void)o, (void)of;
	*(char *)value = 'a';
	return 0;
}

static const struct otst_once letter_a = { .size = 1, .make = make_a, .destroy = destroy_letter };

static int make_b(struct otst *o, const void *of, void *value);
static const struct otst_once letter_b = { .size = 1, .make = make_b, .destroy = destroy_letter };

/* b uses a, and asks for itself while it is not finished */
static int make_b(struct otst *o, const void *of, void *value)
{
	const char *a, *b;

	(void)of;
	assert_int_equal(otst_once(o, &letter_b, NULL, &b), 0);
	assert_ptr_equal(b, value);
	assert_int_equal(*b, 0);
	*(char *)value = 'b';
	return otst_once(o, &letter_a, NULL, &a);
}

static void test_what_uses_others_goes_first(void **state)
{
	struct mock *m = start(0);
	const char *b;

	(void)state;
	assert_int_equal(otst_once(m->o, &letter_b, NULL, &b), 0);
	assert_int_equal(*b, 'b');
	mock_close(m);
	assert_string_equal(order, "ba");
}

static void test_many(void **state)
{
	static const char keys[5000];
	struct mock *m = start(0);
	const struct number *v;
	unsigned int i, round;

	(void)state;
	for (round = 0; round < 2; round++) {
		for (i = 0; i < sizeof(keys); i++) {
			assert_int_equal(otst_once(m->o, &number, keys + i, &v), 0);
			assert_int_equal(v->n, i + 1);
		}
	}
	mock_close(m);
	assert_int_equal(destroyed, sizeof(keys));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_answer_stays),
		cmocka_unit_test(test_which_failures_are_believed),
		cmocka_unit_test(test_a_stop_forgets_all),
		cmocka_unit_test(test_a_command_without_an_end),
		cmocka_unit_test(test_what_uses_others_goes_first),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
