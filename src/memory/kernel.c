// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kernel.c - facts about the kernel as a whole: init_uts_ns, the cpu masks and __per_cpu_offset.
 */
#include <string.h>

#include "../arch/arch.h"
#include "../base/coverage.h"
#include "../base/engine.h"
#include "../names/symbols.h"
#include "../types/types.h"
#include "kernel.h"
#include "memory.h"
#include "vmcoreinfo.h"

#define MAX_CPUS 8192u

/* the strings of struct new_utsname, see OTST_UTS_LEN */
enum uts { UTS_NODENAME = 1, UTS_RELEASE, UTS_VERSION, UTS_MACHINE };

/* offset of the struct new_utsname in the namespace's @bytes */
static bool find_utsname(const char *bytes, size_t len, size_t *ret)
{
	static const char sysname[] = "Linux";

	for (*ret = 0; *ret + 4 * (size_t)OTST_UTS_LEN <= len; *ret += 4) {
		if (!memcmp(bytes + *ret, sysname, sizeof(sysname)))
			return true;
	}
	return false;
}

int otst_uts_read(struct otst *o, char ret[5 * OTST_UTS_LEN])
{
	char bytes[OTST_UTS_BEFORE + 5 * OTST_UTS_LEN];
	uint64_t at;
	size_t name;
	int err = 0;

	if (otst_vmcoreinfo_symbol(o, "init_uts_ns", &at))
		err = otst_symbol(o, "init_uts_ns", &at);
	err = err ?: otst_read(o, at, bytes, sizeof(bytes));
	if (err)
		return err;
	if (!find_utsname(bytes, sizeof(bytes) - OTST_UTS_LEN, &name))
		return OTST_ERR_CORRUPT;
	memcpy(ret, bytes + name, 5 * (size_t)OTST_UTS_LEN);
	return 0;
}

const char *otst_other_processor(struct otst *o, unsigned int machine)
{
	char uts[5 * OTST_UTS_LEN + 1] = "";
	const struct otst_arch *file = otst_arch_of_elf((uint16_t)machine),
			       *dump = otst_uts_read(o, uts) ?
					       &otst_arch_unknown :
					       otst_arch_named(uts + UTS_MACHINE * OTST_UTS_LEN);

	if (dump == &otst_arch_unknown || dump->elf_machine == machine)
		return NULL;
	return otst_format(o, "is a kernel for %s, the dump is of %s",
			   file == &otst_arch_unknown ? "another processor" : file->name,
			   dump->name);
}

/* where init_uts_ns.name is: VMCOREINFO has always had that symbol, types may not be known */
static bool find_uts(struct otst *o, uint64_t *ret)
{
	char bytes[OTST_UTS_BEFORE + 4 * OTST_UTS_LEN];
	uint64_t at = otst_symbol_or0(o, "init_uts_ns");
	const struct otst_member *name;
	size_t before;

	if (!at && otst_vmcoreinfo_symbol(o, "init_uts_ns", &at))
		return false;
	if (!otst_member(o, "uts_namespace", "name", &name))
		before = name->offset;
	else if (otst_read(o, at, bytes, sizeof(bytes)) ||
		 !find_utsname(bytes, sizeof(bytes), &before))
		return false;
	*ret = at + before;
	return true;
}

static const char *uts_field(struct otst *o, uint64_t uts, enum uts field)
{
	char raw[OTST_UTS_LEN + 1] = "";
	const char *s = NULL;

	if (!otst_read(o, uts + field * OTST_UTS_LEN, raw, OTST_UTS_LEN))
		s = otst_keep_string(o, raw);
	return s ? s : "";
}

static uint64_t find_online(struct otst *o)
{
	/* a struct since 4.5, a bare bitmap before */
	uint64_t at = otst_symbol_or0(o, "__cpu_online_mask");

	return at ?: otst_symbol_or0(o, "cpu_online_bits");
}

static void count_online(struct otst *o, struct otst_kernel *k)
{
	unsigned char mask[MAX_CPUS / 8];
	uint64_t at, size;

	at = find_online(o);
	if (!at || otst_type_size(o, "cpumask", &size) || size > sizeof(mask) ||
	    otst_read(o, at, mask, size))
		return;
	for (size_t i = 0; i < size; i++)
		k->online += (unsigned int)__builtin_popcount(mask[i]);
	k->online_known = true;
}

/* the last error, in the engine's memory */
static const char *keep_message(struct otst *o, const char *what)
{
	const char *s = otst_keep_format(o, "%s: %s", what, otst_message(o));

	return s ? s : "out of memory";
}

static void read_percpu_offsets(struct otst *o, struct otst_kernel *k)
{
	uint64_t at = otst_symbol_or0(o, "__per_cpu_offset");
	uint64_t *offset;
	uint32_t nr;
	struct otst_look look = otst_look_begin(o);
	uint64_t nr_at = otst_symbol_or0(o, "nr_cpu_ids");

	/* a kernel for a single cpu has neither */
	if (nr_at && otst_read_u32(o, nr_at, &nr))
		k->error = keep_message(o, "nr_cpu_ids");
	else if (nr_at && (!nr || nr > MAX_CPUS))
		k->error = "nr_cpu_ids is not a number of cpus";
	k->possible_known = !k->error && (nr_at || otst_doubts(o) == look.doubts);
	if (!nr_at || k->error)
		nr = 1;
	offset = otst_keep(o, nr * sizeof(*offset));
	if (!offset)
		return;
	for (unsigned int i = 0; at && i < nr; i++) {
		if (otst_read_u64(o, at + 8 * (uint64_t)i, &offset[i])) {
			k->error = keep_message(o, "__per_cpu_offset");
			break;
		}
	}
	k->nr_cpus = nr;
	k->percpu_offset = offset;
}

/* when init_uts_ns cannot be read, by a symbol that only one architecture has */
static const struct otst_arch *find_arch(struct otst *o, const char *machine)
{
	const struct otst_arch *a;

	if (*machine)
		return otst_arch_named(machine);
	for (size_t i = 0; (a = otst_arch_row(i)); i++) {
		if (otst_symbol_or0(o, a->image.head_symbol))
			return a;
	}
	return &otst_arch_unknown;
}

static const struct otst_kernel unknown = {
	.release = "",
	.version = "",
	.nodename = "",
	.machine = "",
	.arch = &otst_arch_unknown,
};

static int find_kernel(struct otst *o, const void *of, void *value)
{
	struct otst_kernel *k = value;
	const char *release = otst_vmcoreinfo(o, "OSRELEASE");
	uint64_t uts;

	(void)of;
	*k = unknown;
	if (find_uts(o, &uts)) {
		k->release = uts_field(o, uts, UTS_RELEASE);
		k->version = uts_field(o, uts, UTS_VERSION);
		k->nodename = uts_field(o, uts, UTS_NODENAME);
		k->machine = uts_field(o, uts, UTS_MACHINE);
	}
	/* not there, or written over with X (makedumpfile --config) */
	if (release && !k->release[strspn(k->release, "X")])
		k->release = release;
	k->arch = find_arch(o, k->machine);
	count_online(o, k);
	read_percpu_offsets(o, k);
	return 0;
}

static const struct otst_once kernel = { .size = sizeof(struct otst_kernel), .make = find_kernel };

const struct otst_kernel *otst_kernel(struct otst *o)
{
	const struct otst_kernel *k = otst_once_or_null(o, &kernel, NULL);

	return k ? k : &unknown;
}

bool otst_cpu_online(struct otst *o, unsigned int cpu)
{
	uint64_t at = find_online(o), word;

	return at && !otst_read_u64(o, at + cpu / 64 * 8, &word) && word >> cpu % 64 & 1;
}

int otst_init_state(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "system_state");
	int64_t running = otst_enumerator_or(o, "SYSTEM_FREEING_INITMEM",
					     otst_enumerator_or(o, "SYSTEM_RUNNING", 1));
	uint32_t state;

	if (!at)
		return 1;
	return otst_read_u32(o, at, &state) ? -1 : state >= running;
}

bool otst_init_is_over(struct otst *o)
{
	return otst_init_state(o) != 0;
}

uint64_t otst_percpu(struct otst *o, uint64_t ptr, unsigned int cpu)
{
	const struct otst_kernel *k = otst_kernel(o);

	return cpu < k->nr_cpus ? ptr + k->percpu_offset[cpu] : ptr;
}

int otst_percpu_sum(struct otst *o, uint64_t ptr, uint64_t *ret)
{
	const struct otst_kernel *k = otst_kernel(o);
	uint64_t sum = 0, v;
	int err;

	for (unsigned int cpu = 0; cpu < k->nr_cpus; cpu++) {
		err = otst_read_u64(o, otst_percpu(o, ptr, cpu), &v);
		if (err)
			return err;
		sum += v;
	}
	*ret = sum;
	return 0;
}
