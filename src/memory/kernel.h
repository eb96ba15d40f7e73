/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * kernel.h - the kernel as a whole, its cpus (kernel.c)
 */
#ifndef OTST_KERNEL_H
#define OTST_KERNEL_H

#include "../arch/arch.h"
#include "../base/command.h"

/* struct new_utsname of include/uapi/linux/utsname.h never changes: strings of this length */
#define OTST_UTS_LEN	65u
#define OTST_UTS_BEFORE 64u /* bytes of struct uts_namespace before its name, at most */

/**
 * otst_uts_read() - the strings of init_uts_ns.name, OTST_UTS_LEN bytes each: sysname, nodename,
 *	release, version, machine
 *
 * No type is used: types may come from a file of another kernel.
 *
 * Return: 0; LOOKUP, CORRUPT when it is not found; of otst_read().
 */
int otst_uts_read(struct otst *o, char ret[5 * OTST_UTS_LEN]);

/**
 * otst_other_processor() - what is wrong with a kernel's file for processor @machine (EM_)
 *
 * Return: "is a kernel for s390x, the dump is of x86_64"; NULL when it may be the dump's.
 */
const char *otst_other_processor(struct otst *o, unsigned int machine);

/** struct otst_kernel - what init_uts_ns and the cpu masks say; strings may be "" */
struct otst_kernel {
	const char *release; /**< uname -r */
	const char *version; /**< uname -v */
	const char *nodename;
	const char *machine;
	const struct otst_arch *arch;  /**< never NULL */
	unsigned int nr_cpus;	       /**< nr_cpu_ids: one more than the highest possible cpu */
	bool possible_known;	       /**< else @nr_cpus is 1 */
	unsigned int online;	       /**< bits set in __cpu_online_mask */
	bool online_known;	       /**< else @online is 0 */
	const uint64_t *percpu_offset; /**< __per_cpu_offset[nr_cpus] */
	const char *error;	       /**< why not all cpus are known, or NULL */
};

/** otst_kernel() - read once, in the engine's memory; never NULL, facts not read are empty */
const struct otst_kernel *otst_kernel(struct otst *o);

/** otst_cpu_online() - true if @cpu is online; false when the mask cannot be read */
bool otst_cpu_online(struct otst *o, unsigned int cpu);

/**
 * otst_init_is_over() - true if the kernel has freed its init text, and patches it no longer
 *
 * The pages may still be readable (without page-table isolation they are), and show
 * anything: the text as it was at boot, or what came into their place. It is taken for
 * over when that is not known.
 */
bool otst_init_is_over(struct otst *o);

/** otst_init_state() - 1: it is over; 0: it is not; -1: the kernel's state could not be read */
int otst_init_state(struct otst *o);

/** otst_percpu() - address of per-cpu variable or pointer @ptr on @cpu */
uint64_t otst_percpu(struct otst *o, uint64_t ptr, unsigned int cpu);

/**
 * otst_percpu_sum() - sum of a per-cpu unsigned long over all possible cpus
 * @ptr: the per-cpu pointer as stored
 */
int otst_percpu_sum(struct otst *o, uint64_t ptr, uint64_t *ret);

#endif /* OTST_KERNEL_H */
