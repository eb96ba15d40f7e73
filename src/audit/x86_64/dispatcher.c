// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dispatcher.c - BPF's way around indirect calls of XDP programs (struct
 * bpf_dispatcher, kernel/bpf/dispatcher.c): while there are programs, its
 * function begins with a jump to code that was made for them. Since Linux
 * c86df29d11df ("bpf: Convert BPF_DISPATCHER to use static_call() (not ftrace)")
 * (v6.2) that is a static call, like any other.
 */
#include <string.h>

#include "x86_64.h"

#define SIZE 5

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

static int patch_dispatcher(struct otst_expect *e, uint64_t dispatcher)
{
	const uint8_t *now;
	struct otst_view v;
	uint64_t func, image;
	uint8_t bytes[SIZE];
	bool done;
	int err = otst_view_read(e->o, "bpf_dispatcher", dispatcher, &v);

	if (err)
		return err;
	func = otst_u64(&v, "func");
	image = otst_u64(&v, "image") + otst_u64(&v, "image_off");
	now = otst_expect_now(e, func, sizeof(endbr) + SIZE);
	if (v.err || !now || !otst_u64(&v, "num_progs"))
		return v.err;
	/* bpf_arch_text_poke() */
	if (!memcmp(now, endbr, sizeof(endbr)))
		func += sizeof(endbr);
	otst_put_rel32(bytes, JMP, func, image);
	/* if no code could be made for the programs, the nop stays */
	otst_expect_try(e, OTST_DIFF_BPF_DISPATCHER, func, bytes, SIZE, &done);
	if (done)
		otst_audit_pointer(e->o, e->out, "bpf_dispatcher_xdp", "image", image, dispatcher);
	return 0;
}

int otst_apply_dispatcher(struct otst_expect *e)
{
	uint64_t dispatcher = otst_symbol_or0(e->o, "bpf_dispatcher_xdp");
	int err;

	if (e->module || !dispatcher || otst_has_symbol(e->o, "__SCK__bpf_dispatcher_xdp_call"))
		return 0;
	err = patch_dispatcher(e, dispatcher);
	if (err == OTST_ERR_LOOKUP)
		return 0;
	return err ? otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "bpf_dispatcher_xdp")) :
		     0;
}
