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
#define TEXT	  5u

static int finish(struct otst_expect *e, const char *type, uint64_t stext, uint64_t at)
{
	const struct otst_member *text;
	struct otst_view v;
	uint8_t *found;
	uint64_t addr, len;
	int err = otst_view_read(e->o, type, at, &v);

	if (!err)
		err = otst_member(e->o, type, "text", &text);
	if (err)
		return err;
	addr = stext + otst_u64(&v, "rel_addr");
	len = otst_u64_or(&v, "len", TEXT);
	found = v.err || len > TEXT ? NULL : otst_expect_found(e, addr, len);
	if (v.err || !found || found[0] != INT3)
		return v.err;
	if (!memcmp(found + 1, v.data + text->offset + 1, len - 1))
		memcpy(found, v.data + text->offset, len);
	else
		found[0] = (uint8_t)otst_u64_or(&v, "old", found[0]);
	return otst_expect_place(e, OTST_DIFF_TEXT_POKE, addr, len);
}

/* the vector and how many of it are under way; 0 when none */
static uint64_t find_vector(struct otst *o, const char **type, uint64_t *ret)
{
	uint64_t at = otst_symbol_or0(o, "text_poke_array"), count = 0;

	if (at) {
		/* Linux 7.x and 6.16: one structure */
		*type = "smp_text_poke_loc";
		if (otst_read_member(o, "text_poke_array", at, "nr_entries", &count) &&
		    otst_read_member(o, "smp_text_poke_array", at, "nr_entries", &count))
			return 0;
		*ret = at;
		return count;
	}
	*type = "text_poke_loc";
	at = otst_symbol_or0(o, "bp_desc");
	if (!at || otst_read_member(o, "bp_patching_desc", at, "nr_entries", &count) ||
	    otst_read_member(o, "bp_patching_desc", at, "vec", ret))
		return 0;
	return *ret ? count : 0;
}

int otst_apply_pokes(struct otst_expect *e)
{
	uint64_t stext = otst_symbol_or0(e->o, "_stext"), vector, count, i, size;
	const char *type;
	int err = 0;

	count = find_vector(e->o, &type, &vector);
	if (!count || !stext || otst_type_size(e->o, type, &size))
		return 0;
	if (count > MAX_POKES)
		err = otst_raise(e->o, OTST_ERR_CORRUPT, "%" PRIu64 " patches under way", count);
	for (i = 0; i < count && !err; i++)
		err = finish(e, type, stext, vector + i * size);
	return err ? otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "text_poke")) : 0;
}
