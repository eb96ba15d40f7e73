/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.h - shared by the guest's programs that attach BPF programs: the smallest
 * BPF program, and a line for each: "attached NAME" or "refused NAME: why".
 */
#ifndef LOAD_H
#define LOAD_H

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>

static inline void report(const char *name, int fd)
{
	if (fd < 0)
		printf("refused %s: %s\n", name, strerror(errno));
	else
		printf("attached %s\n", name);
}

static inline int load(enum bpf_prog_type type, const char *name, struct bpf_prog_load_opts *opts)
{
	static const struct bpf_insn return_0[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(type, name, "GPL", return_0, 2, opts);
}

#endif /* LOAD_H */
