// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * code.c - may a word on a stack be a return address.
 */
#include "stack.h"

#define MODULES_LOW 0xffffffff80000000 /* kernel and modules lie above, wherever KASLR put them */
#define MAX_WINDOW  16u		       /* bytes before a return address */

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
	const struct otst_arch *arch = otst_kernel(o)->arch;
	unsigned char before[MAX_WINDOW];

	return otst_read(o, pc - arch->call_window, before, arch->call_window) ||
	       arch->follows_call(before);
}
