// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_unwind.c - otst-fuzzunwind: the unwinder on damaged stacks.
 *
 *	otst-fuzzunwind [--runs N] [--seed S] [--one RUN] [VMLINUX] DUMP
 *
 * Each run takes the stack of a task of the dump, and one of its frames as
 * registers, damages both and unwinds. Every RUNS_A_WORLD runs the dump is
 * opened anew, with other garbage in its ORC tables. Nothing may crash or hang
 * (the sanitizers and the clock watch over that), a stack must end in one of
 * the known ways within its room, its frames must be consistent, and its text
 * must be printable.
 */
#include <endian.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../src/output/stack.h"
#include "../faults/fault_target.h"
#include "../fuzz/open_dump.h"

#define RUNS_A_WORLD 4000u
#define MOST_STACKS  64
#define STACK_BYTES  16384
#define MOST_PIECES  4
#define MOST_ROOM    80

/* a task's stack as it is in the dump, and its frames */
struct base {
	uint64_t task;
	uint64_t addr;
	unsigned char bytes[STACK_BYTES];
	size_t count;
	struct otst_frame frames[MOST_ROOM];
};

static struct fuzz {
	struct open_dump dump;
	struct otst_options options;
	struct otst_target_ops ops;
	struct otst *o;
	struct base bases[MOST_STACKS];
	size_t nr_bases;
	uint64_t text, text_end;	     /* the kernel's */
	uint64_t orc, orc_end, ips, ips_end; /* its tables */
	uint64_t state;
	/* of a world: how many of 1000 bytes of the tables are garbage, and how many numbers */
	unsigned int bad_orc, bad_ips;
	uint64_t world;
	/* of a run */
	unsigned char bytes[MOST_PIECES][STACK_BYTES];
	struct otst_piece pieces[MOST_PIECES];
	struct otst_return returns[4];
	size_t ends[OTST_END_LOST + 1];
} fuzz;

/* for the signal handler */
static uint64_t current_seed;
static volatile uint64_t current_run;

static uint64_t next(void)
{
	return fault_random(&fuzz.state);
}

static uint64_t below(uint64_t n)
{
	return n ? next() % n : 0;
}

/* ---- a dump whose ORC tables are garbage ---- */

/* the same bytes at each read in a world, whichever piece is read */
static void damage_table(uint64_t addr, uint8_t *buf, uint64_t len, uint64_t begin, uint64_t end,
			 unsigned int bad)
{
	uint64_t i;

	for (i = 0; bad && i < len; i++) {
		uint64_t state = fuzz.world << 48 ^ (addr + i), r = fault_random(&state);

		if (addr + i >= begin && addr + i < end && r % 1000 < bad)
			buf[i] = (uint8_t)(r >> 32);
	}
}

/* the other operations go to the dump itself: they get its private pointer, too */
static int fuzz_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	int err = fuzz.dump.ops->read(priv, space, addr, buf, len);

	if (err || space != OTST_VIRT)
		return err;
	if (addr < fuzz.orc_end && addr + len > fuzz.orc)
		damage_table(addr, buf, len, fuzz.orc, fuzz.orc_end, fuzz.bad_orc);
	if (addr < fuzz.ips_end && addr + len > fuzz.ips)
		damage_table(addr, buf, len, fuzz.ips, fuzz.ips_end, fuzz.bad_ips);
	return 0;
}

/* ---- what is damaged: the tasks' stacks ---- */

static void add_base(const struct otst_task *t, struct otst_stack *st)
{
	struct base *b = &fuzz.bases[fuzz.nr_bases];

	if (!t->stack || otst_read(fuzz.o, t->stack, b->bytes, STACK_BYTES) ||
	    (t->current ? otst_stack_save_running(fuzz.o, t, st) :
			  otst_stack_save_task(fuzz.o, t, st)) ||
	    !st->count)
		return;
	b->task = t->addr;
	b->addr = t->stack;
	b->count = st->count < MOST_ROOM ? st->count : MOST_ROOM;
	memcpy(b->frames, st->frames, b->count * sizeof(*b->frames));
	fuzz.nr_bases++;
}

static bool read_bases(void)
{
	struct otst_stack *st = otst_stack_create(fuzz.o, 0);
	const struct otst_tasks *tasks;
	size_t i;

	if (!st || otst_thread_size(fuzz.o) != STACK_BYTES || otst_tasks(fuzz.o, &tasks))
		return false;
	for (i = 0; i < tasks->count && fuzz.nr_bases < MOST_STACKS; i++)
		add_base(tasks->items[i], st);
	fuzz.text = otst_symbol_or0(fuzz.o, "_stext");
	fuzz.text_end = otst_symbol_or0(fuzz.o, "_etext");
	fuzz.orc = otst_symbol_or0(fuzz.o, "__start_orc_unwind");
	fuzz.orc_end = otst_symbol_or0(fuzz.o, "__stop_orc_unwind");
	fuzz.ips = otst_symbol_or0(fuzz.o, "__start_orc_unwind_ip");
	fuzz.ips_end = otst_symbol_or0(fuzz.o, "__stop_orc_unwind_ip");
	return fuzz.nr_bases && fuzz.text;
}

/* opens the world with this number: its engine, and what is wrong with its tables */
static bool open_world(uint64_t number)
{
	static const unsigned int bad[] = { 0, 1, 30, 300, 1000 };

	otst_close(fuzz.o);
	fuzz.o = NULL;
	fuzz.world = number;
	fuzz.bad_orc = bad[number % 5];
	/* numbers that are out of order make the whole table useless */
	fuzz.bad_ips = number % 11 == 10;
	if (otst_open(&fuzz.ops, fuzz.dump.priv, &fuzz.options, &fuzz.o))
		return false;
	otst_command_end(fuzz.o);
	return fuzz.nr_bases || read_bases();
}

/* ---- one run ---- */

/* a number as a stack may hold it: mostly wrong in a way that leads somewhere */
static uint64_t any_word(const struct base *b)
{
	switch (below(8)) {
	case 0:
		return next();
	case 1:
		return below(4096);
	case 2:
		return b->addr + below(STACK_BYTES);
	case 3:
		return b->addr + below(STACK_BYTES / 8) * 8;
	case 4:
		return b->frames[below(b->count)].pc;
	case 5:
		return fuzz.bases[below(fuzz.nr_bases)].frames[0].pc;
	case 6: /* trampolines lie in there, too */
		return fuzz.text + below(fuzz.text_end - fuzz.text);
	default:
		return UINT64_MAX - below(4096);
	}
}

static void damage_bytes(const struct base *b, unsigned char *bytes, size_t len)
{
	uint64_t word, times = 1ull << below(11);

	for (; times && len >= 8; times--) {
		word = any_word(b);
		word = fuzz.options.big_endian ? htobe64(word) : htole64(word);
		memcpy(bytes + below(len / 8) * 8, &word, sizeof(word));
	}
}

/* pieces of the stack: cut, doubled, at addresses where they do not belong */
static size_t make_pieces(const struct base *b)
{
	size_t i, n = below(MOST_PIECES + 1), from, len;

	for (i = 0; i < n; i++) {
		from = below(3) ? 0 : below(STACK_BYTES);
		len = below(3) ? STACK_BYTES - from : below(STACK_BYTES - from + 1);
		memcpy(fuzz.bytes[i], b->bytes + from, len);
		if (below(4))
			damage_bytes(b, fuzz.bytes[i], len);
		fuzz.pieces[i] = (struct otst_piece){
			.base = below(8) ? b->addr + from : any_word(b),
			.bytes = fuzz.bytes[i],
			.len = len,
		};
	}
	return n;
}

/* the register that says whether the cpu was in user mode; an address may tell as well */
static unsigned int mode_reg(const struct otst_arch *arch)
{
	uint64_t regs[OTST_REGS_MAX] = { 0 };
	bool at_zero = arch->reg.user_mode(regs);
	unsigned int i;

	for (i = 0; i + 1 < arch->reg.count; i++) {
		if (i == arch->reg.pc)
			continue;
		regs[i] = UINT64_MAX;
		if (arch->reg.user_mode(regs) != at_zero)
			break;
		regs[i] = 0;
	}
	return i;
}

static void make_regs(const struct base *b, struct otst_capture *c)
{
	const struct otst_frame *f = &b->frames[below(b->count)];
	const struct otst_arch *arch = otst_kernel(fuzz.o)->arch;
	size_t i;

	for (i = 0; i < arch->reg.count; i++)
		c->regs[i] = any_word(b);
	c->call = !f->exact;
	if (below(4)) {
		c->regs[arch->reg.pc] = f->pc;
		c->regs[arch->reg.sp] = f->sp ? f->sp : f->slot;
		/* of frame records, see unwind_aarch64.c */
		if (arch->reg.ra != OTST_NO_REG)
			c->regs[arch->reg.fp] = f->sp;
	}
	if (below(8)) {
		while (arch->reg.user_mode(c->regs))
			c->regs[mode_reg(arch)] = next();
	}
	c->full = below(2);
}

static void make_capture(const struct base *b, struct otst_capture *c)
{
	size_t i;

	make_regs(b, c);
	c->task = below(6) ? b->task : below(2) * any_word(b);
	c->cpu = (int)below(5) - 1;
	c->nr_pieces = make_pieces(b);
	c->pieces = fuzz.pieces;
	c->nr_returns = below(3) ? 0 : below(5);
	c->returns = fuzz.returns;
	for (i = 0; i < c->nr_returns; i++)
		fuzz.returns[i] = (struct otst_return){ any_word(b), any_word(b) };
}

static const char *check_frame(const struct otst_frame *f)
{
	if (f->place >= OTST_PLACES || f->how > OTST_HOW_SCAN)
		return "a frame from nowhere";
	if (f->how == OTST_HOW_SCAN && f->reliable)
		return "a guess that is reliable";
	return NULL;
}

static const char *check_stack(const struct otst_stack *st)
{
	const char *name, *bad = NULL;
	size_t i;

	if (st->count > st->room || !st->count)
		return "not as many frames as there may be";
	if (st->end == OTST_END_OPEN || st->end > OTST_END_LOST)
		return "it has no end";
	if ((st->end == OTST_END_LOST || st->end == OTST_END_CUT) && !st->why)
		return "it does not say why it ends";
	for (i = 0; i < st->count && !bad; i++) {
		bad = check_frame(&st->frames[i]);
		name = otst_frame_name(fuzz.o, &st->frames[i]);
		if (!bad && dump_bad_byte(name, strlen(name)) >= 0)
			bad = "the name of a frame cannot be printed";
	}
	return bad;
}

/* NULL, or what is wrong */
static const char *one_run(void)
{
	struct otst_capture c = { 0 };
	const struct base *b = &fuzz.bases[below(fuzz.nr_bases)];
	struct otst_stack *st;
	int err;

	otst_command_end(fuzz.o);
	make_capture(b, &c);
	st = otst_stack_create(fuzz.o, 1 + below(MOST_ROOM));
	err = st ? otst_stack_unwind(fuzz.o, &c, st) : OTST_ERR_NOMEM;
	if (err == OTST_ERR_AGAIN && otst_kernel(fuzz.o)->arch->reg.user_mode(c.regs))
		return NULL;
	if (err)
		return otst_message(fuzz.o);
	fuzz.ends[st->end < OTST_END_LOST ? st->end : OTST_END_LOST]++;
	return check_stack(st);
}

/* A run takes microseconds of cpu time, the first of a world more: one that takes seconds hangs. */
static void set_limit(time_t seconds)
{
	struct itimerval t = { .it_value = { .tv_sec = seconds } };

	setitimer(ITIMER_PROF, &t, NULL);
}

static void on_signal(int signal)
{
	char text[128];
	int len = snprintf(text, sizeof(text), "FAIL: --seed %" PRIu64 " --one %" PRIu64 ": %s\n",
			   current_seed, current_run, signal == SIGPROF ? "hangs" : "crashes");

	if (write(STDOUT_FILENO, text, (size_t)len) < 0 || signal == SIGPROF)
		_exit(1);
	raise(signal);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* each run has a random state of its own, so that it can be repeated alone */
static int run_all(uint64_t first, uint64_t runs, uint64_t seed)
{
	uint64_t run;
	const char *bad = NULL;

	for (run = first; run < first + runs && !bad; run++) {
		if ((run == first || run % RUNS_A_WORLD == 0) &&
		    !open_world(run / RUNS_A_WORLD + seed - 1))
			return 99;
		fuzz.state = seed * 0x9e3779b97f4a7c15ull ^ run * 0xbf58476d1ce4e5b9ull;
		current_run = run;
		set_limit(10);
		bad = one_run();
		if (bad)
			printf("FAIL: --seed %" PRIu64 " --one %" PRIu64 ": %s\n", seed, run, bad);
	}
	return bad != NULL;
}

int main(int argc, char **argv)
{
	uint64_t runs = 100000, seed = 1, first = 0;
	const char *vmlinux = NULL;
	int i, status;

	for (i = 1; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
		uint64_t n = strtoull(argv[i + 1], NULL, 10);

		if (!strcmp(argv[i], "--runs"))
			runs = n;
		else if (!strcmp(argv[i], "--seed"))
			seed = n;
		else if (!strcmp(argv[i], "--one"))
			first = n, runs = 1;
		else
			return 99;
	}
	if (argc - i == 2)
		vmlinux = argv[i];
	if ((argc - i != 1 && argc - i != 2) || open_dump(vmlinux, argv[argc - 1], &fuzz.dump)) {
		fprintf(stderr, "usage: otst-fuzzunwind [--runs N] [--seed S] [--one RUN] "
				"[VMLINUX] DUMP\n");
		return 99;
	}
	fuzz.options = fuzz.dump.options;
	fuzz.options.vmlinux = vmlinux;
	fuzz.ops = *fuzz.dump.ops;
	fuzz.ops.read = fuzz_read;
	current_seed = seed;
	catch_signals();
	/* the stacks come from an undamaged world */
	status = open_world(0) ? run_all(first, runs, seed) : 99;
	otst_close(fuzz.o);
	fuzz.dump.close(fuzz.dump.priv);
	printf("note: %" PRIu64 " damaged stacks, seed %" PRIu64 ": %zu whole, %zu full, %zu cut, "
	       "%zu lost\n",
	       runs, seed, fuzz.ends[OTST_END_WHOLE], fuzz.ends[OTST_END_FULL],
	       fuzz.ends[OTST_END_CUT], fuzz.ends[OTST_END_LOST]);
	return status;
}
