// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dispatchers.c - BPF's way around indirect calls of XDP programs (struct
 * bpf_dispatcher, kernel/bpf/dispatcher.c): while there are programs, its
 * function begins with a jump to code that was made for them. Since Linux
 * c86df29d11df ("bpf: Convert BPF_DISPATCHER to use static_call() (not ftrace)")
 * (v6.2) that is a static call, like any other.
 */
#include <string.h>

#include "expect.h"

#define JMP    0xe9
#define SIZE   5
#define PREFIX "bpf_dispatcher_"
#define CALLED "__SCK__%s_call"

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

static int patch(struct otst_expect *e, uint64_t dispatcher)
{
	const uint8_t *now;
	struct otst_view v;
	uint64_t func, image;
	uint8_t bytes[SIZE];
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
	return otst_expect_set(e, OTST_DIFF_BPF_DISPATCHER, func, bytes, SIZE);
}

static int add_dispatcher(void *priv, const struct otst_sym *sym, char type)
{
	struct otst_expect *e = priv;
	const char *func = otst_format(e->o, "%s_func", sym->name);
	const char *key = otst_format(e->o, CALLED, sym->name);
	int err;

	(void)type;
	if (!func || !key)
		return otst_no_memory(e->o);
	if (!otst_has_symbol(e->o, func) || otst_has_symbol(e->o, key))
		return 0;
	err = patch(e, sym->addr);
	return err ? otst_note(e->o, &e->out->errors, otst_fail(e->o, err, "%s", sym->name)) : 0;
}

int otst_apply_dispatchers(struct otst_expect *e)
{
	int err;

	if (e->module || !otst_has_type(e->o, "bpf_dispatcher"))
		return 0;
	err = otst_kernel_symbols(e->o, PREFIX, add_dispatcher, e);
	return err == OTST_ERR_LOOKUP ? 0 : err;
}
