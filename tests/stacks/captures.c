// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * captures - unwinds raw stacks that otst.ko and allie.ko saved, and compares
 * them with the frames that the kernel's own unwinder gave at the same moment.
 *
 *   captures [-v | -r ROUNDS | -d] VMLINUX VMCORE
 *
 * -r: unwind each ROUNDS times, and print how long that took (bench/traces); -d:
 * print them: pc, the words of struct pt_regs, and ADDRESS:BYTES of each piece.
 *
 * Reads the modules' memory by the model of version 1 (kernel/otst_records.h). A
 * stack is equal when it has the kernel's frames, or when it ends CUT or at the
 * limit of the module's room and is equal up to there. Where the kernel's unwinder
 * gave up (a probe inside the task switch) ours may go on. Exit 1 when a stack is
 * not equal. A capture with nothing but a raw stack is not compared here.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kernel/otst_records.h"
#include "../../offline/offline.h"
#include "../../src/ftrace/ftrace.h"
#include "../../src/arch/x86_64.h"
#include "../../src/stacks/stack.h"

#define MAX_RAW	   65536u
#define MAX_FRAMES 512u

struct counts {
	size_t equal, cut, further, trampoline, different, unfinished, irq, bare;
	size_t unwound, frames; /* by -r */
	double seconds;
};

static bool verbose, dump;
static unsigned long rounds;

static bool find_field(const struct otst_rec_registry *r, const char *name,
		       struct otst_rec_field *ret)
{
	size_t i;

	for (i = 0; i < r->nr_fields && i < OTST_REC_MAX_FIELDS; i++) {
		if (!strncmp(r->table[i].name, name, sizeof(r->table[i].name))) {
			*ret = r->table[i];
			return true;
		}
	}
	return false;
}

static void print_pcs(struct otst *o, const char *what, const uint64_t *pcs, size_t n)
{
	struct otst_sym sym;
	size_t i;

	printf("  %s:", what);
	for (i = 0; i < n; i++) {
		otst_symbolize_all(o, pcs[i] - (i > 0), &sym);
		printf(" %s+0x%" PRIx64, sym.name ? sym.name : "?", pcs[i] - sym.addr);
	}
	printf("\n");
}

/* @pieces: room for OTST_REC_MAX_SEGMENTS */
static bool make_capture(const unsigned char *rec, const struct otst_rec_registry *reg,
			 struct otst_capture *c, struct otst_piece *pieces)
{
	const struct otst_rec_record *r = (const void *)rec;
	struct otst_rec_field regs, raw;
	size_t i;

	if (!find_field(reg, "record.regs", &regs) || !find_field(reg, "record.raw", &raw) ||
	    !r->nr_segments || r->nr_segments > OTST_REC_MAX_SEGMENTS)
		return false;
	*c = (struct otst_capture){
		.full = true,
		.task = r->task,
		.cpu = (int)r->cpu,
		.pieces = pieces,
		.nr_pieces = r->nr_segments,
	};
	memcpy(c->regs, rec + regs.offset, X86_REGS * sizeof(*c->regs));
	c->regs[X86_IP] = r->pc;
	for (i = 0; i < r->nr_segments; i++)
		pieces[i] = (struct otst_piece){ r->segment[i].address,
						 rec + raw.offset + r->segment[i].offset,
						 r->segment[i].size };
	return true;
}

static void print_capture(const struct otst_capture *c)
{
	size_t i, k;

	printf("%" PRIx64, c->regs[X86_IP]);
	for (i = 0; i < X86_REGS; i++)
		printf(" %" PRIx64, c->regs[i]);
	for (i = 0; i < c->nr_pieces; i++) {
		printf(" %" PRIx64 ":", c->pieces[i].base);
		for (k = 0; k < c->pieces[i].len; k++)
			printf("%02x", ((const unsigned char *)c->pieces[i].bytes)[k]);
	}
	printf("\n");
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void time_it(struct otst *o, const struct otst_capture *c, struct counts *n)
{
	struct otst_stack *st = otst_stack_create(o, MAX_FRAMES);
	double began = cpu_seconds();

	if (st && !otst_stack_unwind(o, c, st)) {
		n->frames += st->count;
		n->unwound++;
	}
	n->seconds += cpu_seconds() - began;
}

static void count(struct otst *o, const unsigned char *rec, const struct otst_rec_registry *reg,
		  const struct otst_capture *c, struct counts *n)
{
	const struct otst_rec_record *r = (const void *)rec;
	struct otst_stack *st = otst_stack_create(o, MAX_FRAMES);
	uint64_t want[MAX_FRAMES], have[MAX_FRAMES];
	bool trampoline = false, same;
	struct otst_rec_field frames;
	size_t i, room, nr = 0;

	if (!st || !find_field(reg, "record.frames", &frames) || r->nr_frames > MAX_FRAMES ||
	    otst_stack_unwind(o, c, st)) {
		n->different++;
		return;
	}
	memcpy(want, rec + frames.offset, r->nr_frames * sizeof(*want));
	for (i = 0; i < st->count && st->frames[i].reliable; i++) {
		have[nr++] = st->frames[i].pc;
		trampoline |= otst_is_trampoline(o, st->frames[i].pc);
	}
	n->irq += (r->flags & (OTST_REC_IN_HARDIRQ | OTST_REC_IN_SOFTIRQ)) != 0;
	room = nr < r->nr_frames ? nr : r->nr_frames;
	same = !memcmp(have, want, room * sizeof(*have));
	if (same && nr == r->nr_frames)
		n->equal++;
	else if (same && (st->end == OTST_END_CUT || r->flags & OTST_REC_CUT))
		n->cut++;
	else if (same && nr > r->nr_frames && r->flags & OTST_REC_UNWIND_ERROR)
		n->further++;
	else if (trampoline)
		n->trampoline++;
	else
		n->different++;
	if (!verbose || (same && (nr == r->nr_frames || st->end == OTST_END_CUT)))
		return;
	printf("capture %" PRIu64 " flags 0x%x, %zu frames of %u, %s: %s\n", (uint64_t)r->begin,
	       r->flags, nr, r->nr_frames, otst_end_name(st->end), st->why ? st->why : "");
	print_pcs(o, "kernel", want, r->nr_frames);
	print_pcs(o, "ours", have, nr);
}

static void look_at(struct otst *o, const unsigned char *rec, const struct otst_rec_registry *reg,
		    struct counts *n)
{
	const struct otst_rec_record *r = (const void *)rec;
	struct otst_piece pieces[OTST_REC_MAX_SEGMENTS];
	struct otst_capture c;

	if (!r->begin)
		return;
	if (r->begin != r->end)
		n->unfinished++;
	else if (!make_capture(rec, reg, &c, pieces))
		return;
	else if (dump)
		print_capture(&c);
	else if (rounds)
		time_it(o, &c, n);
	else if (!r->nr_frames)
		n->bare++;
	else
		count(o, rec, reg, &c, n);
}

static void read_probe(struct otst *o, const struct otst_rec_registry *reg, uint64_t at,
		       struct counts *n)
{
	struct otst_rec_probe p;
	unsigned char *rec;
	uint32_t i;

	if (otst_read(o, at, &p, sizeof(p)) || !p.ring || p.record_size > MAX_RAW * 4)
		return;
	rec = malloc(p.record_size);
	for (i = 0; rec && i < p.nr_records; i++) {
		if (!otst_read(o, p.ring + (uint64_t)i * p.record_size, rec, p.record_size))
			look_at(o, rec, reg, n);
	}
	free(rec);
}

static void read_registry(struct otst *o, const char *module, struct counts *n)
{
	struct otst_rec_registry reg;
	char name[64];
	uint64_t at;
	uint32_t i;

	snprintf(name, sizeof(name), "%s:otst_registry", module);
	if (otst_symbol_any(o, name, &at) || otst_read(o, at, &reg, sizeof(reg)) ||
	    memcmp(reg.magic, OTST_REC_MAGIC, sizeof(reg.magic)))
		return;
	for (i = 0; i < reg.nr_probes; i++)
		read_probe(o, &reg, reg.probes + (uint64_t)i * reg.probe_stride, n);
}

static int print_counts(const struct counts *n)
{
	size_t all = n->equal + n->cut + n->further + n->trampoline + n->different;

	if (dump)
		return 0;
	if (n->unwound) {
		printf("%zu stacks of %.1f frames in %.3f s: %.0f in a second\n", n->unwound,
		       (double)n->frames / (double)n->unwound, n->seconds,
		       (double)n->unwound / n->seconds);
		return 0;
	}
	printf("note: %zu captures (%zu in interrupts): %zu equal, %zu equal as far as they go, "
	       "%zu further than the kernel, which gave up, "
	       "%zu behind a trampoline that nobody remembers, %zu different; %zu unfinished, "
	       "%zu with nothing to compare\n",
	       all, n->irq, n->equal, n->cut, n->further, n->trampoline, n->different,
	       n->unfinished, n->bare);
	return all ? n->different != 0 : 77;
}

int main(int argc, char **argv)
{
	struct otst_options options = { .size = sizeof(options) };
	struct dump_files files = { 0 };
	struct counts n = { 0 };
	struct offline *f;
	struct otst *o;
	int c;

	while ((c = getopt(argc, argv, "vdr:")) != -1) {
		verbose |= c == 'v';
		dump |= c == 'd';
		if (c == 'r')
			rounds = strtoul(optarg, NULL, 10);
	}
	if (argc - optind != 2)
		return 99;
	options.vmlinux = argv[optind];
	files.path = argv[optind + 1];
	if (offline_open(&files, NULL, 1, &f))
		return 99;
	options.big_endian = offline_is_big_endian(f);
	if (otst_open(offline_ops(f), f, &options, &o))
		return 99;
	do {
		otst_command_end(o);
		read_registry(o, "otst", &n);
		read_registry(o, "allie", &n);
	} while (rounds && --rounds);
	c = print_counts(&n);
	otst_close(o);
	offline_close(f);
	return c;
}
