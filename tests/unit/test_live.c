// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_live.c - the running kernel: what is said when it cannot be opened, its symbols from a
 * /proc/kallsyms, what is read again, and probes that change between two readings.
 */
#include "mock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../offline/offline.h"
#include "../../src/audit/audit.h"
#include "../../src/commands/commands.h"

static void test_problems(void **state)
{
	(void)state;
	assert_non_null(strstr(live_problem(ENOENT, true, true, ""), "CONFIG_PROC_KCORE"));
	assert_non_null(strstr(live_problem(ENOENT, false, true, ""), "/proc is not mounted"));
	assert_non_null(strstr(live_problem(EACCES, true, false, ""), "only root"));
	/* a user who is not root is told that first: there may be lockdown on top */
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
				   "ffffffff81002000 B _end\n"
				   "ffffffff81003000 T behind\n"
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
	/* a module's symbols are in its own table */
	assert_int_equal(livesyms_find(s, "lab_event", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(livesyms_find(s, "", &addr), OTST_ERR_LOOKUP);
	assert_int_equal(livesyms_at(s, 0xffffffff81000010, &at), 0);
	assert_int_equal(at.addr, 0xffffffff81000000);
	assert_int_equal(at.size, 0x200);
	assert_int_equal(livesyms_at(s, 0xffffffff81000400, &at), 0);
	assert_string_equal(at.name, "twice");
	assert_int_equal(at.size, 0x1d00);
	/* not functions of the kernel: a per-cpu place, a trampoline */
	assert_int_equal(livesyms_at(s, 0x1000, &at), OTST_ERR_LOOKUP);
	assert_int_equal(livesyms_at(s, 0xffffffffc0167000, &at), OTST_ERR_LOOKUP);
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

/* ---- what is read anew ---- */

static const struct otst_options live = { .size = sizeof(live), .live = 1 };
static unsigned int made;

static int count(struct otst *o, const void *of, void *value)
{
	(void)o, (void)of;
	*(unsigned int *)value = ++made;
	return 0;
}

static const struct otst_once stays = { .size = sizeof(unsigned int), .make = count };
static const struct otst_once moves = { .size = sizeof(unsigned int),
					.make = count,
					.moves = true };

static unsigned int ask(struct mock *m, const struct otst_once *what)
{
	const unsigned int *n = otst_once_or_null(m->o, what, NULL);

	assert_non_null(n);
	return *n;
}

static void test_read_anew(void **state)
{
	struct mock *m = mock_open_options("", &live);
	const unsigned int *first;

	(void)state;
	made = 0;
	otst_command_begin(m->o);
	assert_int_equal(ask(m, &stays), 1);
	first = otst_once_or_null(m->o, &moves, NULL);
	assert_int_equal(ask(m, &moves), 2);
	otst_read_anew(m->o);
	assert_int_equal(ask(m, &stays), 1);
	assert_int_equal(ask(m, &moves), 3);
	/* what was handed out stays valid */
	assert_int_equal(*first, 2);
	otst_command_end(m->o);
	mock_close(m);
	/* a dump does not move */
	m = mock_open("");
	otst_command_begin(m->o);
	assert_int_equal(ask(m, &moves), 4);
	otst_read_anew(m->o);
	assert_int_equal(ask(m, &moves), 4);
	otst_command_end(m->o);
	mock_close(m);
}

/* ---- probes that come and go ---- */

/*
 * What each reading finds: one letter per probe, naming its record; then "!": the text
 * contradicts it; "?": the list breaks off; "-" alone: nothing can be read.
 */
static const char *const *readings;
static unsigned int nr_readings;

static int collect(struct otst *o, struct otst_probes *ret)
{
	struct otst_vec items = { 0 };
	struct otst_messages errors = { 0 };
	const char *s = readings[nr_readings];

	if (readings[nr_readings + 1])
		nr_readings++;
	if (!strcmp(s, "-"))
		return otst_raise(o, OTST_ERR_FAULT, "nothing");
	for (; *s; s++) {
		struct otst_probe *p;

		if (*s == '?') {
			otst_note(o, &errors, otst_raise(o, OTST_ERR_CORRUPT, "broken"));
			continue;
		}
		p = otst_probe_add(o, &items, OTST_PROBE_KPROBE, (uint64_t)*s, "here");
		if (s[1] == '!') {
			p->disagree = "the text says otherwise";
			s++;
		}
	}
	*ret = otst_probes_of(&items, &errors);
	return 0;
}

/* the result in the same letters, "*" after what is marked; then how many moved */
static void expect(const char *const *from, const char *want)
{
	struct mock *m = mock_open_options("", &live);
	struct otst_probes found = { 0 };
	char text[64] = "", *to = text;
	size_t i;

	readings = from;
	nr_readings = 0;
	otst_command_begin(m->o);
	assert_int_equal(otst_collect_live(m->o, collect, &found), 0);
	for (i = 0; i < found.count; i++)
		to += sprintf(to, "%c%s%s", (char)found.items[i]->record,
			      found.items[i]->disagree ? "!" : "",
			      found.items[i]->error ? "*" : "");
	sprintf(to, "%s %zu", found.errors.count ? "?" : "", found.moved);
	assert_string_equal(text, want);
	otst_command_end(m->o);
	mock_close(m);
}

static void test_readings(void **state)
{
	(void)state;
	expect((const char *const[]){ "abc", NULL }, "abc 0");
	/* the second one is believed when the third says the same */
	expect((const char *const[]){ "abc", "abd", "abd", NULL }, "abd 0");
	/* a walk that breaks off, or skips, is read again */
	expect((const char *const[]){ "a?", "abc", "abc", NULL }, "abc 0");
	expect((const char *const[]){ "ac", "abc", "abc", NULL }, "abc 0");
	expect((const char *const[]){ "-", "abc", "abc", NULL }, "abc 0");
	/* it comes twice: into the list, and again out of one that a stale pointer led to */
	expect((const char *const[]){ "abcb", "abc", "abc", NULL }, "abc 0");
	expect((const char *const[]){ "?", NULL }, "? 0");
	/* never the same: what only the last one has is marked, what went is counted */
	expect((const char *const[]){ "abx", "aby", "abz", "abu", "abv", "abw", NULL }, "abw* 2");
	/* fewest marks */
	expect((const char *const[]){ "ax", "ay", "auv", "a", "ab", "ac", NULL }, "ab* 1");
	/* text that is being changed; and text that stays wrong */
	expect((const char *const[]){ "ab!", "ab!", "ab", "ab", NULL }, "ab 0");
	expect((const char *const[]){ "ab!", NULL }, "ab! 0");
	/* twice is not for ever */
	expect((const char *const[]){ "ax", "ab!", "ab!", "abu", "abv", "aby", NULL }, "ab* 1");
}

static void test_nothing_read(void **state)
{
	struct mock *m = mock_open_options("", &live);
	struct otst_probes found = { 0 };

	(void)state;
	readings = (const char *const[]){ "-", NULL };
	nr_readings = 0;
	otst_command_begin(m->o);
	assert_int_equal(otst_collect_live(m->o, collect, &found), OTST_ERR_FAULT);
	assert_string_equal(otst_message(m->o), "nothing");
	otst_command_end(m->o);
	mock_close(m);
}

/* ---- findings: one letter each, "+" after one that counts two more differences of text ---- */

static int look(struct otst *o, struct otst_audit *ret)
{
	const char *s = readings[nr_readings];

	if (readings[nr_readings + 1])
		nr_readings++;
	for (; *s; s++) {
		struct otst_finding *f = otst_vec_push(o, &ret->findings, sizeof(*f));

		*f = (struct otst_finding){ .kind = OTST_FINDING_TEXT, .addr = (uint64_t)*s };
		if (s[1] == '+') {
			f->more = 2;
			s++;
		}
		ret->total += f->more ? f->more : 1;
	}
	return 0;
}

/* the findings that are left, then their number; "?" if something is said to be missing */
static void expect_found(const char *const *from, const char *want)
{
	struct mock *m = mock_open_options("", &live);
	const struct otst_finding *found;
	struct otst_audit audit = { 0 };
	char text[64] = "", *to = text;
	size_t i;

	readings = from;
	nr_readings = 0;
	otst_command_begin(m->o);
	assert_int_equal(otst_audit_live(m->o, look, &audit), 0);
	found = audit.findings.data;
	for (i = 0; i < audit.findings.count; i++)
		to += sprintf(to, "%c", (char)found[i].addr);
	sprintf(to, " %u%s", (unsigned int)audit.total,
		otst_all_looked(&audit.coverage) ? "" : "?");
	assert_string_equal(text, want);
	otst_command_end(m->o);
	mock_close(m);
}

static void test_findings(void **state)
{
	(void)state;
	/* nothing found: one look is enough */
	expect_found((const char *const[]){ "", "ab", NULL }, " 0");
	expect_found((const char *const[]){ "ab", NULL }, "ab 2");
	expect_found((const char *const[]){ "ab", "bc", "bd", NULL }, "b 1?");
	expect_found((const char *const[]){ "ab", "ab", "b", NULL }, "b 1?");
	expect_found((const char *const[]){ "a", "b", NULL }, " 0?");
	expect_found((const char *const[]){ "a+b+", "ab+", "ab+", NULL }, "b 2?");
}

/* ---- a command that is run until it says the same ---- */

static char said[256];

static int take(void *priv, const char *text, size_t len)
{
	(void)priv;
	strncat(said, text, len);
	return 0;
}

static int say(struct otst *o, const struct otst_args *args, struct otst_printer *p)
{
	(void)o, (void)args;
	otst_printf(p, "%s", readings[nr_readings]);
	p->bad += strchr(readings[nr_readings], '!') != NULL;
	if (readings[nr_readings + 1])
		nr_readings++;
	return 0;
}

static void expect_said(const char *const *from, bool json, size_t gaps, const char *want)
{
	const struct otst_output out = { .size = sizeof(out), .write = take };
	struct mock *m = mock_open_options("", &live);
	const struct otst_args args = { .json = json };
	struct otst_printer p;

	readings = from;
	nr_readings = 0;
	said[0] = '\0';
	otst_command_begin(m->o);
	assert_int_equal(otst_printer_init(m->o, &out, &p), 0);
	p.json = json;
	assert_int_equal(otst_run_live(m->o, say, &args, &p), 0);
	assert_int_equal(otst_flush(&p), 0);
	assert_string_equal(said, want);
	assert_int_equal(p.gaps, gaps);
	otst_command_end(m->o);
	mock_close(m);
}

static void test_commands(void **state)
{
	(void)state;
	/* numbers and their columns count on */
	expect_said((const char *const[]){ "a  9 b\n", "a 10 b\n", NULL }, false, 0, "a 10 b\n");
	expect_said((const char *const[]){ "a\n", "b\n", "b\n", NULL }, false, 0, "b\n");
	/* a mark that stays is what there is */
	expect_said((const char *const[]){ "!a\n", "!a\n", NULL }, false, 0, "!a\n");
	/* never the same: fewest marks */
	expect_said((const char *const[]){ "!a\n", "b\n", "!c\n", "!d\n", NULL }, false, 1, "b\n");
	expect_said(
		(const char *const[]){ "1x\nend\n", "2y\nend\n", "z\nend\n", "w\nend\n", NULL },
		true, 1,
		"1x\n{\"type\":\"coverage\",\"of\":\"command\",\"what\":\"live\",\"state\":\"in part\","
		"\"records\":0,\"why\":\"the kernel runs, and changed while it was read\",\"help\":null}\n"
		"end\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_problems),     cmocka_unit_test(test_paths),
		cmocka_unit_test(test_symbols),	     cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_read_anew),    cmocka_unit_test(test_readings),
		cmocka_unit_test(test_nothing_read), cmocka_unit_test(test_commands),
		cmocka_unit_test(test_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
