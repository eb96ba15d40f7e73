// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pokes.c - a patch that was being written when the kernel stopped: bp_desc and
 * tp_vec[], or text_poke_array (arch/x86/kernel/alternative.c,
 * smp_text_poke_batch_finish()). A breakpoint stands on its first byte, then
 * the others are written, then the first. What was found is completed, or
 * taken back as far as only the breakpoint had been written.
 */
#include <inttypes.h>
#include <string.h>

#include "expect.h"

#define INT3	  0xcc
#define MAX_POKES 4096u
#define TEXT	  5u   /* bytes of an instruction in a record */
#define ESCAPE	  0x0f /* first byte of a conditional jump, which has one more */

/* what is being written: a conditional jump has its first byte in no record */
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

static int finish(struct otst_expect *e, const char *type, uint64_t stext, uint64_t at)
{
	const struct otst_member *text;
	uint8_t *found, bytes[TEXT + 1];
	struct otst_view v;
	uint64_t addr;
	size_t len;
	int err = otst_view_read(e->o, type, at, &v);

	if (!err)
		err = otst_member(e->o, type, "text", &text);
	if (err)
		return err;
	addr = stext + otst_u64(&v, "rel_addr");
	len = new_bytes(&v, text, otst_u64_or(&v, "len", TEXT), bytes);
	found = v.err || !len ? NULL : otst_expect_found(e, addr, len);
	if (v.err || !found || found[0] != INT3)
		return v.err;
	if (!memcmp(found + 1, bytes + 1, len - 1))
		memcpy(found, bytes, len);
	else
		found[0] = (uint8_t)otst_u64_or(&v, "old", found[0]);
	return otst_expect_place(e, OTST_DIFF_TEXT_POKE, addr, len);
}

struct pokes {
	const char *type;
	uint64_t vector;
	uint64_t count;
};

/* the descriptor keeps its last vector, which may have been on a stack: it counts while it is in use */
static int read_desc(struct otst *o, uint64_t at, struct pokes *ret)
{
	static const char desc[] = "bp_patching_desc";
	uint64_t refs = 1;
	int err = otst_read_member(o, desc, at, "refs.counter", &refs);

	if (!err || err == OTST_ERR_LOOKUP)
		err = otst_read_member(o, desc, at, "nr_entries", &ret->count);
	if (!refs)
		ret->count = 0;
	return err ? err : otst_read_member(o, desc, at, "vec", &ret->vector);
}

/* the vector, and how many of it are under way; LOOKUP for a kernel without */
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
		err = finish(e, p.type, stext, p.vector + i * size);
	return err ? otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "text_poke")) : 0;
}
