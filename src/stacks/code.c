// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * code.c - may a word on a stack be a return address.
 */
#include "stack.h"

#define MODULES_LOW 0xffffffff80000000 /* kernel and modules lie above, wherever KASLR put them */
#define CALL_LENGTH 7u		       /* longest call instruction that is looked for */
#define MIN_CALL    2u

/* the kernel's own text, looked up once: each word of a scan is held against it */
struct text {
	uint64_t stext, etext, sinittext, einittext, end;
};

static int find_text(struct otst *o, const void *of, void *value)
{
	struct text *t = value;

	(void)of;
	t->stext = otst_symbol_or0(o, "_stext");
	t->etext = otst_symbol_or0(o, "_etext");
	t->sinittext = otst_symbol_or0(o, "_sinittext");
	t->einittext = otst_symbol_or0(o, "_einittext");
	t->end = otst_symbol_or0(o, "_end");
	return 0;
}

static const struct otst_once text = { .size = sizeof(struct text), .make = find_text };

static const struct text *get_text(struct otst *o)
{
	static const struct text none;
	const struct text *t = otst_once_or_null(o, &text, NULL);

	return t ? t : &none;
}

bool otst_is_kernel_text(struct otst *o, uint64_t pc)
{
	const struct text *t = get_text(o);

	if ((pc >= t->stext && pc < t->etext) || (pc >= t->sinittext && pc < t->einittext))
		return true;
	return (pc < t->stext || pc >= t->end) && pc >= MODULES_LOW && otst_is_text(o, pc);
}

bool otst_is_code(struct otst *o, uint64_t pc)
{
	const struct text *t = get_text(o);
	uint8_t byte;

	if (otst_is_kernel_text(o, pc))
		return true;
	/* trampolines, detour buffers, BPF: in the range for modules, and no data of the kernel */
	if (pc < MODULES_LOW || (pc >= t->stext && pc < t->end))
		return false;
	return !otst_module_at(o, pc) && !otst_read_u8(o, pc, &byte);
}

bool otst_follows_call(struct otst *o, uint64_t pc)
{
	unsigned char t[CALL_LENGTH];
	unsigned int n;

	if (otst_read(o, pc - CALL_LENGTH, t, sizeof(t)))
		return true;
	if (t[2] == 0xe8)
		return true;
	/* call r/m: ff /2, with 0 to 5 bytes behind the ModRM byte */
	for (n = MIN_CALL; n <= CALL_LENGTH; n++) {
		if (t[CALL_LENGTH - n] == 0xff && (t[CALL_LENGTH - n + 1] & 0x38) == 0x10)
			return true;
	}
	return false;
}
