// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pokes.c - patches that were being written when the kernel stopped: bp_desc and
 * tp_vec[], or text_poke_array (arch/x86/kernel/alternative.c,
 * smp_text_poke_batch_finish()). The kernel puts a breakpoint on the first byte,
 * writes the others, then the first. Other records already show the patch before
 * the text does, so what was found is completed, provided that it is exactly an
 * intermediate state: what is there is the new bytes, or what was there before.
 */
#include <inttypes.h>
#include <string.h>

#include "x86_64.h"

#define MAX_POKES 4096u
#define TEXT	  5u   /* bytes of an instruction in a record */
#define ESCAPE	  0x0f /* first byte of a conditional jump, which is one byte longer */

/* the bytes being written; no record has the first byte of a conditional jump */
static size_t new_bytes(const struct otst_view *v, const struct otst_member *text, uint64_t len,
			uint8_t *ret)
{
	const uint8_t *from = v->data + text->offset;

	if (len < 1 || len > TEXT + 1 || text->size < TEXT)
		return 0;
	if (len == TEXT + 1)
		*ret++ = ESCAPE;
	memcpy(ret, from, len == TEXT + 1 ? TEXT : len);
	return len;
}

/* true if @found may be what was there before: as built, a nop, or a call or jump to code */
static bool is_old(const struct otst_expect *e, uint64_t addr, const uint8_t *found, size_t len)
{
	const uint8_t *built = otst_expect_built(e, addr, len);
	const uint8_t *nop = len == TEXT ? e->patcher->nop5 : e->patcher->nop[len];

	if ((built && !memcmp(found, built, len)) || !memcmp(found, nop, len))
		return true;
	return len == TEXT && (found[0] == CALL || found[0] == JMP) &&
	       otst_audit_is_code(e->o, otst_get_rel32(found, addr));
}

static void complete_poke(struct otst_expect *e, uint64_t addr, const uint8_t *bytes, size_t len,
			  uint8_t old)
{
	uint8_t *found = otst_expect_found(e, addr, len), was[TEXT + 1];

	if (!found || !memcmp(found, bytes, len))
		return;
	memcpy(was, found, len);
	if (found[0] == INT3)
		was[0] = old;
	if ((found[0] != INT3 || memcmp(found + 1, bytes + 1, len - 1)) &&
	    !is_old(e, addr, was, len))
		return;
	memcpy(found, bytes, len);
	otst_expect_place(e, OTST_DIFF_TEXT_POKE, addr, len);
}

static int finish_pokes(struct otst_expect *e, const char *type, uint64_t stext, uint64_t at)
{
	const struct otst_member *text;
	uint8_t bytes[TEXT + 1], old;
	struct otst_view v;
	uint64_t addr;
	size_t len;
	int err = otst_view_read(e->o, type, at, &v);

	err = err ?: otst_member(e->o, type, "text", &text);
	if (err)
		return err;
	addr = stext + otst_u64(&v, "rel_addr");
	old = (uint8_t)otst_u64_or(&v, "old", INT3);
	len = new_bytes(&v, text, otst_u64_or(&v, "len", TEXT), bytes);
	if (!v.err && len)
		complete_poke(e, addr, bytes, len, old);
	return v.err;
}

struct pokes {
	const char *type;
	uint64_t vector;
	uint64_t count;
};

/* patches that were collected but not begun */
static int x86_64_read_queue(struct otst *o, struct pokes *ret)
{
	uint64_t at;
	uint32_t count;
	int err = otst_symbol(o, "tp_vec", &ret->vector);

	err = err ?: otst_symbol(o, "tp_vec_nr", &at);
	err = err ?: otst_read_u32(o, at, &count);
	if (!err)
		ret->count = count;
	return err;
}

/* the descriptor keeps its last vector, maybe on a stack: that is only valid while it is in use */
static int read_desc(struct otst *o, uint64_t at, struct pokes *ret)
{
	static const char desc[] = "bp_patching_desc";
	uint64_t refs = 1;
	int err = otst_read_member(o, desc, at, "refs.counter", &refs);

	if (!err && !refs)
		return x86_64_read_queue(o, ret);
	if (!err || err == OTST_ERR_LOOKUP)
		err = otst_read_member(o, desc, at, "nr_entries", &ret->count);
	return err ? err : otst_read_member(o, desc, at, "vec", &ret->vector);
}

/* the vector, and how many of its patches are under way; LOOKUP when the kernel has none */
static int find_vector(struct otst *o, struct pokes *ret)
{
	static const char *const arrays[] = { "smp_text_poke_array", "text_poke_array" };
	uint64_t at = otst_symbol_or0(o, "text_poke_array");
	int err;

	if (at) {
		/* Linux 6.16: one structure; "smp_" came and went */
		ret->type = "smp_text_poke_loc";
		ret->vector = at;
		err = otst_read_member(o, arrays[0], at, "nr_entries", &ret->count);
		return err == OTST_ERR_LOOKUP ?
			       otst_read_member(o, arrays[1], at, "nr_entries", &ret->count) :
			       err;
	}
	ret->type = "text_poke_loc";
	err = otst_symbol(o, "bp_desc", &at);
	return err ? err : read_desc(o, at, ret);
}

int otst_apply_pokes(struct otst_expect *e)
{
	uint64_t stext = otst_symbol_or0(e->o, "_stext"), i, size = 0;
	struct pokes p = { 0 };
	int err = find_vector(e->o, &p);

	if (!err && p.count)
		err = otst_type_size(e->o, p.type, &size);
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (!err && p.count > MAX_POKES)
		err = otst_raise(e->o, OTST_ERR_CORRUPT, "%" PRIu64 " patches under way", p.count);
	for (i = 0; i < p.count && !err; i++)
		err = finish_pokes(e, p.type, stext, p.vector + i * size);
	return err ? otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "text_poke")) : 0;
}
