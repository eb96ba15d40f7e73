// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stack.c - frames of a stack, by ORC tables, from registers and bytes that a program supplies. The input is flags,
 * for each entry of the tables how far it is behind the one before and its six bytes, where the program
 * counter, the stack pointer and the frame pointer are, and the stack, of the capture or of the dump.
 */
#include <stdlib.h>
#include <string.h>

#include "../tests/fuzz/open_dump.h"
#include "../tests/text/text_dump.h"
#include "../tests/text/text_target.h"
#include "harness.h"

#define ENTRIES	   32u
#define ENTRY_SIZE 6u
#define IPS	   0xffffffff82800000
#define TABLE	   0xffffffff82801000
#define HASH	   0xffffffff82802000
#define TEXT	   0xffffffff81000000
#define STACK	   0xffffc90000007c00 /* what task.txt has of it */
#define STACK_SIZE 0x400u
#define TASK	   0xffff888071000000

/** struct input - as it is in memory */
struct input {
	uint8_t flags;
	struct {
		uint8_t far;
		uint8_t entry[ENTRY_SIZE];
	} entries[ENTRIES];
	uint16_t ip, sp, bp;
} __attribute__((packed));

enum flag { OTHER_HASH = 1, FULL = 2, RETURNS = 4, CAPTURED = 8, UNSORTED = 16 };

static int take_frame(void *priv, const struct otst_stack_frame *frame)
{
	(void)priv;
	if (!frame->name || !frame->how || dump_bad_byte(frame->name, strlen(frame->name)) >= 0)
		abort();
	return 0;
}

static void take_end(void *priv, const char *how, const char *why)
{
	(void)priv;
	if (!how || (why && dump_bad_byte(why, strlen(why)) >= 0))
		abort();
}

static int take_complaint(void *priv, const char *text, size_t len)
{
	(void)priv;
	if (dump_bad_byte(text, len) >= 0)
		abort();
	return 0;
}

static void write_tables(struct text_dump *d, const struct input *in)
{
	static const uint8_t hashes[2][20] = {
		{ 0xfe, 0x5d, 0x32, 0xbf, 0x58, 0x1b, 0xd6, 0x3b, 0x2c, 0xa9,
		  0xa5, 0xc6, 0x5b, 0xa5, 0xa6, 0x25, 0xea, 0xb3, 0xfe, 0x24 },
		{ 0x13, 0x7c, 0x36, 0xad, 0x76, 0x27, 0xc4, 0xdd, 0x55, 0x93,
		  0x21, 0x76, 0xbb, 0x0e, 0xcd, 0xbd, 0x50, 0x41, 0xfc, 0x82 },
	};
	uint64_t ip = TEXT;

	for (unsigned int i = 0; i < ENTRIES; i++) {
		uint32_t distance;

		ip += in->entries[i].far * 0x1000ull * (in->flags & UNSORTED && i % 7 == 6 ? -1ull : 1);
		distance = (uint32_t)(ip - (IPS + 4 * i));
		text_dump_write(d, IPS + 4 * i, &distance, sizeof(distance));
		text_dump_write(d, TABLE + (uint64_t)ENTRY_SIZE * i, in->entries[i].entry, ENTRY_SIZE);
	}
	text_dump_write(d, HASH, hashes[in->flags & OTHER_HASH], sizeof(hashes[0]));
}

static void unwind(struct text_dump *d, const struct input *in, const uint8_t *stack, size_t len)
{
	const struct otst_options options = { .size = sizeof(options) };
	const struct otst_stack_reg regs[] = { { "rip", TEXT + in->ip * 0x100ull },
					       { "rsp", STACK + in->sp },
					       { "rbp", STACK + in->bp },
					       { "r10", STACK + in->bp / 2 } };
	const struct otst_piece piece = { STACK, stack, len };
	const struct otst_stack_state state = { .size = sizeof(state),
						.regs = regs,
						.nr_regs = sizeof(regs) / sizeof(*regs),
						.pieces = in->flags & CAPTURED ? &piece : NULL,
						.nr_pieces = in->flags & CAPTURED ? 1 : 0,
						.task = TASK,
						.cpu = -1,
						.full = !!(in->flags & FULL),
						.call = !!(in->flags & RETURNS) };
	const struct otst_stack_walk walk = { .size = sizeof(walk), .frame = take_frame, .end = take_end };
	const struct otst_output err = { .size = sizeof(err), .write = take_complaint };
	struct otst *o;

	if (otst_open(text_target_ops(), d, &options, &o))
		abort();
	otst_stack_frames(o, &state, &walk, &err);
	otst_close(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct text_dump *dump;
	struct input in;
	size_t len = size - sizeof(in);

	if (size <= sizeof(in))
		return 0;
	if (!dump)
		dump = harness_base("../../../fuzz/stack.txt");
	memcpy(&in, data, sizeof(in));
	write_tables(dump, &in);
	len = len < STACK_SIZE ? len : STACK_SIZE;
	text_dump_write(dump, STACK, data + sizeof(in), len);
	unwind(dump, &in, data + sizeof(in), len);
	return 0;
}
