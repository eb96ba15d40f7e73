// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unwind_all - the stack of every task of a dump, frame by frame, for
 * comparison with other unwinders.
 *
 *   unwind_all [-r] [-i] [-c] [-t] [VMLINUX] VMCORE
 *
 * -r: also running tasks, from their cpus' registers; -i: calls in flight;
 * -c: count only; -t: addresses of trampolines. One block per task:
 *
 *   task ADDRESS PID COMM cpu N [running|sleeping]: END [WHY]
 *   PC SLOT HOW PLACE SYMBOL+OFFSET/SIZE [was TRAMPOLINE+OFFSET/SIZE]
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/ftrace/ftrace.h"
#include "../../src/stacks/x86_64.h"
#include "../dumps/on_dump.h"

static bool running, calls, count_only, addresses;

static void print_name(struct otst *o, uint64_t pc, bool exact)
{
	bool in_call = !exact && otst_kernel(o)->arch == &otst_arch_x86_64;
	struct otst_sym sym;

	/* as the kernel's %pB: a call that does not return may be the last instruction; others print %pS */
	otst_symbolize_all(o, in_call ? pc - 1 : pc, &sym);
	if (!sym.name)
		printf("0x%" PRIx64, pc);
	else
		printf("%s+0x%" PRIx64 "/0x%" PRIx64, sym.name, pc - sym.addr, sym.size);
	if (sym.name && sym.module)
		printf(" [%s]", sym.module);
}

static void print_frame(struct otst *o, const struct otst_frame *f)
{
	const char *place = otst_place_name(f->place);

	printf("%016" PRIx64 " %016" PRIx64 " %s%s %s ", f->pc, f->slot, otst_how_name(f->how),
	       f->regs	   ? ",regs" :
	       f->replaced ? ",replaced" :
			     "",
	       place ? place : "-");
	printf("%s", f->reliable ? "" : "? ");
	print_name(o, f->pc, f->exact);
	if (f->replaced) {
		printf(" was ");
		if (addresses)
			printf("%016" PRIx64 " ", f->replaced);
		print_name(o, f->replaced, false);
	}
	printf("\n");
}

static int print_task(struct otst *o, const struct otst_task *t, struct otst_stack *st)
{
	bool runs = t->current;
	size_t i;
	int err;

	if (runs && !running)
		return 0;
	err = runs ? otst_stack_save_running(o, t, st) : otst_stack_save_task(o, t, st);
	if (count_only && !err)
		return st->end;
	printf("task %016" PRIx64 " %" PRIu64 " %s cpu %u %s: ", t->addr, t->pid, t->comm, t->cpu,
	       runs ? "running" : "sleeping");
	if (err) {
		printf("error %d: %s\n", err, otst_message(o));
		return OTST_END_LOST;
	}
	printf("%s%s%s%s\n", otst_end_name(st->end), st->guessed ? " (guessed)" : "",
	       st->why ? ": " : "", st->why ? st->why : "");
	for (i = 0; i < st->count; i++)
		print_frame(o, &st->frames[i]);
	return st->end;
}

static int print_calls(struct otst *o)
{
	struct otst_inflights in;
	size_t i;
	int err = otst_inflight(o, &in);

	if (err)
		return err;
	for (i = 0; i < in.count; i++) {
		const struct otst_inflight *c = in.items[i];

		printf("call %s task %016" PRIx64 " record %016" PRIx64 " slot %016" PRIx64 " ",
		       otst_inflight_kind_name(c->kind), c->task, c->record, c->slot);
		print_name(o, c->func, true);
		printf(" returns to ");
		print_name(o, c->caller, false);
		printf(" handler ");
		print_name(o, c->handler, true);
		printf(" data %016" PRIx64 "+%" PRIu64 "%s%s\n", c->data, c->data_size,
		       c->error ? " error: " : "", c->error ? c->error : "");
	}
	for (i = 0; i < in.errors.count; i++)
		printf("error: %s\n", in.errors.texts[i]);
	return 0;
}

static int print_all(struct otst *o, void *arg)
{
	struct otst_stack *st = otst_stack_create(o, 0);
	size_t ends[OTST_END_LOST + 1] = { 0 }, i;
	const struct otst_tasks *tasks;
	int err;

	(void)arg;
	if (!st)
		return OTST_ERR_NOMEM;
	err = otst_tasks(o, &tasks);
	if (err)
		return err;
	for (i = 0; i < tasks->count; i++)
		ends[print_task(o, tasks->items[i], st)]++;
	for (i = 0; i < tasks->errors.count; i++)
		printf("error: %s\n", tasks->errors.texts[i]);
	fprintf(stderr, "%zu tasks: %zu whole, %zu full, %zu cut, %zu lost; orc: %s\n",
		tasks->count, ends[OTST_END_WHOLE], ends[OTST_END_FULL], ends[OTST_END_CUT],
		ends[OTST_END_LOST], otst_orc_why(o) ? otst_orc_why(o) : "yes");
	return calls ? print_calls(o) : 0;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "rict")) != -1) {
		running |= c == 'r';
		calls |= c == 'i';
		count_only |= c == 'c';
		addresses |= c == 't';
	}
	return on_dump(argv + optind, argc - optind, print_all, NULL);
}
