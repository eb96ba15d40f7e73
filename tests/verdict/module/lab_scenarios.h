/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab_scenarios.h - a module's scenarios, one of which runs when its name is
 * written to the parameter "go"; and a kernel function whose text is corrupted.
 */
#ifndef LAB_SCENARIOS_H
#define LAB_SCENARIOS_H

#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

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

/* the end of a module: its parameter "go" runs one of the array @scenarios; it is never unloaded */
#define LAB_MODULE(scenarios, description)                                          \
	static int lab_go(const char *text, const struct kernel_param *param)       \
	{                                                                           \
		return lab_run(scenarios, ARRAY_SIZE(scenarios), text);             \
	}                                                                           \
	static const struct kernel_param_ops lab_go_ops = { .set = lab_go };        \
	module_param_cb(go, &lab_go_ops, NULL, 0200);                               \
	static int __init lab_init(void)                                            \
	{                                                                           \
		return 0;                                                           \
	}                                                                           \
	module_init(lab_init);                                                      \
	MODULE_LICENSE("GPL");                                                      \
	MODULE_DESCRIPTION(description)

#ifdef CONFIG_ARM64
/* an invalid instruction after the call of ftrace and its surroundings, by a writable address */
static inline int lab_spoil(unsigned char *text)
{
	struct page *page;
	char *alias;

	text += 16;
	page = pfn_to_page(PHYS_PFN(__pa_symbol(text)));
	alias = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	if (!alias)
		return -ENOMEM;
	*(u32 *)(alias + offset_in_page(text)) = 0;
	asm volatile("dsb ish\n"
		     "ic ialluis\n"
		     "dsb ish\n"
		     "isb" : : : "memory");
	vunmap(alias);
	return 0;
}
#else
/* an invalid instruction after the call of ftrace */
static inline int lab_spoil(unsigned char *text)
{
	unsigned long cr0;

	preempt_disable();
	asm volatile("mov %%cr0, %0" : "=r"(cr0));
	asm volatile("mov %0, %%cr0" : : "r"(cr0 & ~(1ul << 16)) : "memory");
	/* @text may be the endbr64 that a function begins with */
	text += text[0] == 0xf3 ? 9 : 5;
	text[0] = 0x0f;
	text[1] = 0x0b;
	asm volatile("mov %0, %%cr0" : : "r"(cr0) : "memory");
	preempt_enable();
	return 0;
}
#endif

/* corrupts the kernel's function @name */
static inline int lab_corrupt(const char *name)
{
	struct kprobe where = { .symbol_name = name };
	int err = register_kprobe(&where);

	if (err)
		return err;
	unregister_kprobe(&where);
	return lab_spoil((unsigned char *)where.addr);
}

#endif /* LAB_SCENARIOS_H */
