/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab_scenarios.h - a module's scenarios, one of which is run when its name is
 * written to the parameter "go"; and a function of the kernel whose text is spoilt.
 */
#ifndef LAB_SCENARIOS_H
#define LAB_SCENARIOS_H

#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/string.h>

struct lab_scenario {
	const char *name;
	int (*run)(void);
};

static inline int lab_run(const struct lab_scenario *all, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (sysfs_streq(name, all[i].name))
			return all[i].run();
	}
	return -EINVAL;
}

#ifdef CONFIG_X86
/* an invalid instruction in the kernel's function @name, behind the call of ftrace */
static inline int lab_corrupt(const char *name)
{
	struct kprobe where = { .symbol_name = name };
	int err = register_kprobe(&where);
	unsigned char *text;
	unsigned long cr0;

	if (err)
		return err;
	text = (unsigned char *)where.addr;
	unregister_kprobe(&where);
	preempt_disable();
	asm volatile("mov %%cr0, %0" : "=r"(cr0));
	asm volatile("mov %0, %%cr0" : : "r"(cr0 & ~(1ul << 16)) : "memory");
	/* where.addr may be that of the endbr64 that a function begins with */
	text += text[0] == 0xf3 ? 9 : 5;
	text[0] = 0x0f;
	text[1] = 0x0b;
	asm volatile("mov %0, %%cr0" : : "r"(cr0) : "memory");
	preempt_enable();
	return 0;
}
#endif

#endif /* LAB_SCENARIOS_H */
