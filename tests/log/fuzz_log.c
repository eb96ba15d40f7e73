// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_log.c - otst-fuzzlog: damaged logs through the reader of text.
 *
 *	otst-fuzzlog [--runs N] [--seed S] [--one RUN] [--files] FILE...
 *
 * Each run takes some lines of the files, damages them, reads them as a log
 * with -t and prints the traces as text, JSON or folded. Only printable bytes
 * may come out, the output must be bounded by the input, and nothing may crash
 * or hang (the sanitizers and the caller's clock watch over that).
 *
 * With --files, each run writes them to a file, with parts of pstore, lines of no
 * trace and copies between them, and gives it to a command: -t in its forms, -t -x log,
 * which must print as many lines as it read, and -b.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../fuzz/random.h"
#include "../../src/output/trace.h"
#include "../../src/traces/log/file.h"
#include "../../src/traces/log/log.h"

#define MOST_LINES  8192
#define MOST_CHOSEN 48
#define MOST_BYTES  (1u << 20) /* of a file */

struct fuzz {
	struct otst *o;
	char *lines[MOST_LINES];
	size_t nr_lines;
	uint64_t state;
	uint64_t run;
	/* of one run */
	size_t in, out, lines_out;
	bool wide; /* UTF-8 may come out */
	bool bad;
	/* the file */
	int fd;
	char path[32];
	char *text;
	size_t len;
	uint64_t refused;
};

static int read_nothing(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	(void)priv, (void)space, (void)addr, (void)buf, (void)len;
	return OTST_ERR_FAULT;
}

static int check_output(void *priv, const char *text, size_t len)
{
	struct fuzz *f = priv;
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f || (c > 0x7f && !f->wide))
			f->bad = true;
		f->lines_out += c == '\n';
	}
	f->out += len;
	return 0;
}

/* lines of complaints are not counted */
static int check_complaint(void *priv, const char *text, size_t len)
{
	struct fuzz *f = priv;
	size_t lines = f->lines_out;

	check_output(f, text, len);
	f->lines_out = lines;
	return 0;
}

/* pieces that the parser looks for, to be inserted anywhere */
static const char *const pieces[] = {
	"Call Trace:",
	" [<",
	">] ",
	"+0x",
	"/0x",
	" [",
	"]",
	"? ",
	"<IRQ>",
	"</TASK>",
	"<<EOE>>",
	"RIP: 0010:",
	"CPU: ",
	" PID: ",
	" Comm: ",
	"Pid: ",
	", comm: ",
	"{",
	"}",
	":",
	" at 0x",
	"triggered stacktrace for symbol ",
	"_handler: ",
	"[    1.5] ",
	"[  C3] ",
	"<4>",
	"Apr 19 20:47:42 h kernel: ",
	"last message repeated 9 times",
	"ffffffff81000000",
	"99999999999999999999",
	"0x",
	"Inexact backtrace:",
	"task:",
	" state:",
	" pid:",
	"\x1b[2J",
	"kprobe_int3_handler+0x1/0x2",
	"WARNING: ",
	"CPU#",
	"---[ end ",
	"aggr_pre_handler+0x1/0x2",
	"&lt;",
	"#012",
	"\\n",
	"{\"MESSAGE\":\"",
	"\",\"__MONOTONIC_TIMESTAMP\":\"123456\"}",
	"<br>",
	"\xc2\xa0",
	"(1)[310:dd]",
	"[1: dd: 310]",
	"@1]",
	"4,1,2,-,caller=T3;",
	" (a/b.c:12)",
	" from [<",
	"Panic#1 Part2",
	"Modules linked in: a(OE) b",
	"Kernel panic - not syncing: x",
};

/* what stands before all lines of a log; none mostly */
static const char *const prefixes[] = {
	NULL,  NULL,	   NULL, "> ", "| ", "a [b] (c): ", "[    2.000000] ", "Apr 19 20:47:42 h ",
	"x[<", "4,1,2,-;",
};

static void damage(struct fuzz *f, char *s, size_t *len, size_t room)
{
	const char *p;
	size_t at = random_below(&f->state, *len + 1), n;

	switch (random_below(&f->state, 6)) {
	case 0: /* a byte */
		if (at < *len)
			s[at] = (char)random_next(&f->state);
		break;
	case 1: /* cut */
		*len = at;
		break;
	case 2: /* take out */
		n = random_below(&f->state, *len - at + 1);
		memmove(s + at, s + at + n, *len - at - n);
		*len -= n;
		break;
	case 3: /* double a part */
		n = random_below(&f->state, *len - at + 1);
		if (*len + n < room) {
			memmove(s + at + n, s + at, *len - at);
			*len += n;
		}
		break;
	default: /* put a piece in */
		p = pieces[random_below(&f->state, sizeof(pieces) / sizeof(*pieces))];
		n = strlen(p);
		if (*len + n < room) {
			memmove(s + at + n, s + at, *len - at);
			memcpy(s + at, p, n);
			*len += n;
		}
	}
}

/* a line on its way: in a file it would be cut into pieces first */
struct feeding {
	struct fuzz *f;
	struct otst_log_parser *parser;
	struct otst_log_prefix *prefix;
	uint64_t seq;
};

static int feed_piece(void *priv, const char *text, size_t len)
{
	const struct feeding *on = priv;
	struct otst_log_line line = { .text = text, .seq = on->seq };
	struct fuzz *f = on->f;

	if (len >= OTST_LOG_LINE)
		return 0;
	if (!otst_log_strip(&line)) {
		otst_log_repeated(text);
		line = (struct otst_log_line){ .text = text,
					       .seq = on->seq,
					       .caller = OTST_LOG_NO_CALLER };
		return otst_log_foreign(on->prefix, &line);
	}
	if (!random_below(&f->state, 3))
		line.caller = random_below(&f->state, 2) ?
				      OTST_LOG_CPU | (uint32_t)random_below(&f->state, 4) :
				      (uint32_t)random_below(&f->state, 99);
	line.gap = !random_below(&f->state, 50);
	return otst_log_feed(on->parser, &line);
}

/* @s has OTST_LOG_LINE bytes; the length of the line */
static size_t make_line(struct fuzz *f, const char *from, char *s)
{
	size_t len = strlen(from), i;

	len = len < OTST_LOG_LINE - 1 ? len : OTST_LOG_LINE - 1;
	memcpy(s, from, len);
	if (!random_below(&f->state, 2)) {
		for (i = random_below(&f->state, 4); i--;)
			damage(f, s, &len, OTST_LOG_LINE - 1);
	}
	s[len] = '\0';
	f->in += len + 1;
	return len;
}

static int feed_one(const struct feeding *on, const char *from)
{
	char s[OTST_LOG_LINE];
	size_t len = make_line(on->f, from, s);

	return otst_log_pieces(s, len, feed_piece, (void *)on);
}

/* a prefix before the chosen lines, which may be learned */
static const char *put_before(struct fuzz *f, const char *prefix, const char *line, char *room)
{
	if (!prefix || !random_below(&f->state, 8))
		return line;
	snprintf(room, OTST_LOG_LINE, "%s%s", prefix, line);
	return room;
}

static int one_run(struct fuzz *f)
{
	struct otst_output out = { .size = sizeof(out), .write = check_output, .priv = f };
	struct otst_traces traces = { .o = f->o };
	struct feeding on = { .f = f };
	char room[OTST_LOG_LINE];
	const char *prefix;
	uint64_t first;
	struct otst_printer p;
	size_t i, n, at;
	int err = 0;

	otst_command_end(f->o);
	f->in = f->out = 0;
	on.parser = otst_log_parser(f->o, &traces);
	on.prefix = on.parser ? otst_log_prefix(f->o, on.parser) : NULL;
	prefix = prefixes[random_below(&f->state, sizeof(prefixes) / sizeof(*prefixes))];
	n = 1 + random_below(&f->state, MOST_CHOSEN);
	at = random_below(&f->state, f->nr_lines);
	for (i = 0; on.prefix && i < n && !err; i++) {
		/* mostly adjacent lines */
		if (!random_below(&f->state, 12))
			at = random_below(&f->state, f->nr_lines);
		on.seq = i + 1;
		err = feed_one(&on, put_before(f, prefix, f->lines[at], room));
		at = (at + 1) % f->nr_lines;
	}
	if (!on.prefix || err || otst_log_finish(on.parser) || otst_printer_init(f->o, &out, &p))
		return -1;
	otst_log_unread(on.prefix, &first);
	p.json = random_below(&f->state, 2);
	p.verbose = random_below(&f->state, 2);
	if (random_below(&f->state, 3))
		otst_print_traces(&p, &traces);
	else
		otst_print_folded(&p, &traces);
	otst_flush(&p);
	/* a byte may become "\x1b" in three members, and a frame of a few bytes a JSON object */
	return f->bad || p.err || f->out > 4096 + 512 * f->in ? -1 : 0;
}

/* ---- files ---- */

static void put_text(struct fuzz *f, const char *text, size_t len)
{
	if (f->len + len + 1 >= MOST_BYTES)
		return;
	memcpy(f->text + f->len, text, len);
	f->len += len;
	f->text[f->len++] = '\n';
}

/* lines that stand between those of a trace: a part of pstore, of no trace, the last ones again */
static void put_between(struct fuzz *f)
{
	static const char *const dull[] = { "usb 1-1: new device",
					    "[   12.345678] eth0: link is up" };
	size_t from, n = random_below(&f->state, 40);
	char line[64];

	switch (random_below(&f->state, 24)) {
	case 0:
	case 1:
		snprintf(line, sizeof(line), "%s#%zu Part%zu",
			 random_below(&f->state, 4) ? "Panic" : "Oops",
			 1 + random_below(&f->state, 2), random_below(&f->state, 5));
		put_text(f, line, strlen(line));
		break;
	case 2:
		while (n--)
			put_text(f, dull[n % 2], strlen(dull[n % 2]));
		break;
	case 3:
		from = f->len - random_below(&f->state, f->len < 2000 ? f->len : 2000);
		if (f->len && from < f->len)
			put_text(f, f->text + from, f->len - from - 1);
		break;
	default:
		break;
	}
}

static bool write_file(struct fuzz *f)
{
	const char *prefix =
		prefixes[random_below(&f->state, sizeof(prefixes) / sizeof(*prefixes))];
	size_t n = 1 + random_below(&f->state, 3 * MOST_CHOSEN);
	size_t at = random_below(&f->state, f->nr_lines);
	char room[OTST_LOG_LINE], line[OTST_LOG_LINE];

	for (f->len = 0; n--; at = (at + 1) % f->nr_lines) {
		if (!random_below(&f->state, 12))
			at = random_below(&f->state, f->nr_lines);
		put_between(f);
		put_text(f, line, make_line(f, put_before(f, prefix, f->lines[at], room), line));
	}
	return !ftruncate(f->fd, 0) && pwrite(f->fd, f->text, f->len, 0) == (ssize_t)f->len;
}

static size_t count_lines(const char *text, size_t len)
{
	size_t n = 0;

	while (len--)
		n += *text++ == '\n';
	return n;
}

static int one_file(struct fuzz *f)
{
	const struct {
		const char *const args[5];
	} commands[] = {
		{ { "-t", "--text", f->path } },
		{ { "-t", "-v", "--text", f->path } },
		{ { "-t", "-j", "--text", f->path } },
		{ { "-t", "-n3", "--text", f->path } },
		{ { "-t", "--text", f->path, "--text", f->path } },
		{ { "-t", "-xfolded", "--text", f->path } },
		{ { "-t", "-xlog", "--text", f->path } },
		{ { "-t", "-xlog", "--text", f->path } },
		{ { "-b", "--text", f->path } },
		{ { "-b", "-j", "--text", f->path } },
	};
	struct otst_output out = { .size = sizeof(out), .write = check_output, .priv = f };
	struct otst_output err = { .size = sizeof(err), .write = check_complaint, .priv = f };
	size_t which = random_below(&f->state, sizeof(commands) / sizeof(*commands));
	const char *const *args = commands[which].args;
	const char *words[6] = { "otst" };
	int n, status;

	f->in = f->out = f->lines_out = 0;
	if (!write_file(f))
		return -1;
	for (n = 0; n < 5 && args[n]; n++)
		words[n + 1] = args[n];
	f->wide = !strcmp(args[1], "-xlog");
	status = otst_run(f->o, n + 1, words, &out, &err);
	/* control characters alone are not text */
	if (status != OTST_EXIT_CLEAN && status != OTST_EXIT_PARTIAL &&
	    status != OTST_EXIT_FAILED && status != OTST_EXIT_FINDINGS)
		return -1;
	f->refused += status == OTST_EXIT_FAILED;
	if (f->wide && status != OTST_EXIT_FAILED && f->lines_out != count_lines(f->text, f->len))
		return -1;
	return f->bad || f->out > 65536 + 1024 * f->len ? -1 : 0;
}

static bool open_file(struct fuzz *f)
{
	f->fd = memfd_create("log", MFD_CLOEXEC);
	f->text = malloc(MOST_BYTES);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	return f->fd >= 0 && f->text;
}

static bool load(struct fuzz *f, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	FILE *in = fopen(path, "re");

	if (!in) {
		perror(path);
		return false;
	}
	while (f->nr_lines < MOST_LINES && (len = getline(&line, &room, in)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		f->lines[f->nr_lines++] = line;
		line = NULL;
		room = 0;
	}
	free(line);
	fclose(in);
	return true;
}

/* each run has a random state of its own, so that it can be repeated alone */
static int run_all(struct fuzz *f, uint64_t first, uint64_t runs, uint64_t seed)
{
	for (f->run = first; f->run < first + runs; f->run++) {
		f->state = (seed * 0x9e3779b97f4a7c15ull) ^ (f->run + 1) * 0xbf58476d1ce4e5b9ull;
		f->state = f->state ? f->state : 1;
		/* a run of a few lines takes microseconds: one that takes seconds hangs */
		alarm(10);
		if (f->text ? one_file(f) : one_run(f)) {
			printf("FAIL: --seed %" PRIu64 " --one %" PRIu64 "\n", seed, f->run);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "none",
						    .read = read_nothing };
	static struct fuzz f;
	uint64_t runs = 20000, seed = 1, first = 0;
	bool files = false;
	int i, status;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--runs") && i + 1 < argc)
			runs = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--one") && i + 1 < argc)
			first = strtoull(argv[++i], NULL, 10), runs = 1;
		else if (!strcmp(argv[i], "--files"))
			files = true;
		else if (!load(&f, argv[i]))
			return 99;
	}
	if (!f.nr_lines || (files && !open_file(&f)) || otst_open(&ops, NULL, NULL, &f.o)) {
		fprintf(stderr,
			"usage: otst-fuzzlog [--runs N] [--seed S] [--one RUN] [--files] FILE...\n");
		return 99;
	}
	status = run_all(&f, first, runs, seed);
	otst_close(f.o);
	free(f.text);
	while (f.nr_lines)
		free(f.lines[--f.nr_lines]);
	if (!status)
		printf("note: %" PRIu64 " damaged logs, %" PRIu64 " of them refused, seed %" PRIu64
		       "\n",
		       runs, f.refused, seed);
	return status;
}
