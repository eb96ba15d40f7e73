// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * xdp.c - attaches an XDP program to the loopback device and holds it, so that
 * the kernel patches how it calls such programs. Prints "ready" and waits.
 */
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

int main(void)
{
	/* r0 = XDP_PASS; exit */
	struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load, link;
	int prog;

	memset(&load, 0, sizeof(load));
	load.prog_type = BPF_PROG_TYPE_XDP;
	load.insns = (uint64_t)(uintptr_t)code;
	load.insn_cnt = 2;
	load.license = (uint64_t)(uintptr_t) "GPL";
	strcpy(load.prog_name, "lab_xdp");
	prog = bpf(BPF_PROG_LOAD, &load);
	if (prog < 0) {
		perror("BPF_PROG_LOAD");
		return 1;
	}
	memset(&link, 0, sizeof(link));
	link.link_create.prog_fd = (uint32_t)prog;
	link.link_create.target_ifindex = if_nametoindex("lo");
	link.link_create.attach_type = BPF_XDP;
	link.link_create.flags = XDP_FLAGS_SKB_MODE;
	if (bpf(BPF_LINK_CREATE, &link) < 0) {
		perror("BPF_LINK_CREATE");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
