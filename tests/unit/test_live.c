// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_live.c - the kernel that runs here: what is said when it cannot be opened,
 * and its symbols from a /proc/kallsyms.
 */
#include "mock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../offline/offline.h"

static void test_problems(void **state)
{
	(void)state;
	assert_non_null(strstr(live_problem(ENOENT, true, true, ""), "CONFIG_PROC_KCORE"));
	assert_non_null(strstr(live_problem(ENOENT, false, true, ""), "/proc is not mounted"));
	assert_non_null(strstr(live_problem(EACCES, true, false, ""), "only root"));
	/* who is not root is told that first: the lock may come on top */
	assert_non_null(
		strstr(live_problem(EPERM, true, false, "none [confidentiality]\n"), "only root"));
	assert_non_null(
		strstr(live_problem(EPERM, true, true, "none integrity [confidentiality]\n"),
		       "lockdown=confidentiality"));
	assert_non_null(
		strstr(live_problem(EPERM, true, true, "none [integrity] confidentiality\n"),
		       "CAP_SYS_RAWIO"));
	assert_string_equal(live_problem(EIO, true, true, ""), strerror(EIO));
}

static void test_paths(void **state)
{
	(void)state;
	assert_true(live_is_path("/proc/kcore"));
	assert_false(live_is_path("/proc/self/exe"));
	assert_false(live_is_path("/dev/null"));
	assert_false(live_is_path("no such file"));
}

static int open_text(const char *text, struct livesyms **ret)
{
	char path[] = "/tmp/otst-test-live.XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = livesyms_open(path, ret);
	unlink(path);
	return err;
}

static void test_symbols(void **state)
{
	struct otst_symbol at;
	struct livesyms *s;
	uint64_t addr;

	(void)state;
	assert_int_equal(open_text("0000000000000000 A fixed_percpu_data\n"
				   "ffffffff81000200 t twice\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000000 T _text\n"
				   "ffffffff81000300 T twice\n"
				   "ffffffffc0000000 t lab_event\t[otst_lab]\n",
				   &s),
			 0);
	assert_int_equal(livesyms_find(s, "_text", &addr), 0);
	assert_int_equal(addr, 0xffffffff81000000);
	/* the global one */
	assert_int_equal(livesyms_find(s, "twice", &addr), 0);
	assert_int_equal(addr, 0xffffffff81000300);
	assert_int_equal(livesyms_find(s, "fixed_percpu_data", &addr), 0);
	assert_int_equal(addr, 0);
	/* a module's stand in its own table */
	assert_int_equal(livesyms_find(s, "lab_event", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(livesyms_find(s, "", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(livesyms_at(s, 0xffffffff81000010, &at), 0);
	assert_int_equal(at.addr, 0xffffffff81000000);
	assert_int_equal(at.size, 0x200);
	assert_int_equal(livesyms_at(s, 0xffffffff81000400, &at), 0);
	assert_string_equal(at.name, "twice");
	assert_int_equal(at.size, 0);
	assert_int_equal(livesyms_at(s, 0x1000, &at), OTST_ERR_LOOKUP);
	livesyms_close(s);
	livesyms_close(NULL);
}

static void test_hidden(void **state)
{
	struct livesyms *s = NULL;

	(void)state;
	assert_int_equal(open_text("0000000000000000 T _text\n0000000000000000 T _stext\n", &s),
			 OTST_ERR_UNSUPPORTED);
	assert_null(s);
	assert_int_equal(livesyms_open("/nonexistent/kallsyms", &s), OTST_ERR_UNSUPPORTED);
	assert_null(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_problems),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
