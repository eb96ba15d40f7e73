// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * memory.c - is an address in a hook's memory: a probe's record, a
 * struct ftrace_ops, a BPF map of a probe's program (its values, elements,
 * buckets, its ring), data of a module that catches, or its captures.
 */
#include <inttypes.h>
#include <string.h>

#include "../bpf/bpf.h"
#include "../capturers/catcher.h"
#include "../capturers/owner.h"
#include "../traces/stap/stap.h"
#include "verdict.h"

#define FLAG_NO_PREALLOC 1u	      /* BPF_F_NO_PREALLOC: each element is allocated separately */
#define MOST_BYTES	 (1ull << 40) /* of a map: more makes no sense */
#define MOST_ELEMENTS	 65536u	      /* of a map: further ones are not looked at */

/* one look */
struct look {
	struct otst *o;
	const struct otst_hooks *h;
	uint64_t addr;
	struct otst_memory *ret;
};

static bool lies_within(const struct look *look, uint64_t base, uint64_t size)
{
	return base && look->addr - base < size;
}

static void tell_finding(struct look *look, const char *what, const struct otst_owner *owner,
			 const char *more)
{
	look->ret->what = what;
	look->ret->owner = owner;
	look->ret->more = more;
}

/* ---- records ---- */

static uint64_t record_size(struct otst *o, enum otst_probe_kind kind)
{
	static const char *const types[OTST_PROBE_KINDS] = {
		[OTST_PROBE_KPROBE] = "kprobe",
		[OTST_PROBE_KRETPROBE] = "kretprobe",
		[OTST_PROBE_JPROBE] = "jprobe",
		[OTST_PROBE_OTST] = "kprobe",
		[OTST_PROBE_ALLIE] = "kprobe",
		[OTST_PROBE_LEFTOVER] = "kprobe",
		[OTST_PROBE_FPROBE] = "fprobe",
		[OTST_PROBE_KPROBE_MULTI] = "fprobe",
		[OTST_PROBE_UPROBE] = "uprobe_consumer",
		[OTST_PROBE_UPROBE_MULTI] = "uprobe_consumer",
		[OTST_PROBE_LIVEPATCH] = "klp_func",
	};
	uint64_t size;

	return types[kind] && !otst_type_size(o, types[kind], &size) ? size : 0;
}

static int look_records(struct look *look)
{
	for (size_t i = 0; i < look->h->probes.count && !look->ret->what; i++) {
		const struct otst_probe *p = look->h->probes.items[i];

		if (lies_within(look, p->record, record_size(look->o, p->kind))) {
			tell_finding(look,
				     otst_format(look->o, "the record of a %s on %s",
						 otst_probe_kind(p->kind)->name,
						 p->sym.name ? p->sym.name : "?"),
				     &p->owner, "otst -l -v");
			return 0;
		}
	}
	return otst_check(look->o);
}

static int look_ops(struct look *look)
{
	uint64_t size;

	if (otst_type_size(look->o, "ftrace_ops", &size))
		return otst_check(look->o);
	for (size_t i = 0; i < look->h->list.count; i++) {
		const struct otst_ftrace_ops *ops = look->h->list.items[i];

		if (lies_within(look, ops->addr, size) && ops->owner.kind != OTST_OWNER_KERNEL) {
			tell_finding(look,
				     otst_format(look->o, "the ftrace_ops at 0x%" PRIx64,
						 ops->addr),
				     &ops->owner, "otst -f -v");
			return 0;
		}
	}
	return 0;
}

/* ---- BPF maps ---- */

/* the owner of a probe that runs a program with this map; NULL if there is none */
static const struct otst_owner *map_owner(struct look *look, const struct otst_bpf *b,
					  const struct otst_map *m)
{
	for (size_t i = 0; i < look->h->probes.count; i++) {
		const struct otst_probe *p = look->h->probes.items[i];
		const struct otst_program *g = p->programs.data;

		for (size_t k = 0; k < p->programs.count; k++) {
			if (otst_bpf_uses(b, g[k].addr, m->addr))
				return &p->owner;
		}
	}
	return NULL;
}

/* is the address in the @count pieces of @size bytes that @member of @type points to */
static int look_table(struct look *look, const char *type, const struct otst_map *m,
		      const char *member, uint64_t size, uint64_t count, bool *ret)
{
	uint64_t at;
	int err = otst_read_member(look->o, type, m->addr, member, &at);

	if (!err)
		*ret = (count && size <= MOST_BYTES / count && lies_within(look, at, size * count));
	return err;
}

/* is the address in any cpu's @size bytes at a per-cpu pointer */
static bool lies_percpu(const struct look *look, uint64_t ptr, uint64_t size)
{
	for (unsigned int cpu = 0; cpu < otst_kernel(look->o)->nr_cpus && ptr; cpu++) {
		if (lies_within(look, otst_percpu(look->o, ptr, cpu), size))
			return true;
	}
	return false;
}

/* look at each element: elements or their values are allocated separately */
static int look_elements(struct look *look, const struct otst_map *m, struct otst_messages *errors,
			 bool *ret)
{
	struct otst_vec elements = { 0 };
	const struct otst_element *e;
	size_t i;
	int err = otst_map_elements(look->o, m, MOST_ELEMENTS, &elements, errors);

	for (i = 0, e = elements.data; i < elements.count && !*ret; i++)
		*ret = lies_within(look, e[i].at, e[i].size) ||
		       (e[i].percpu && lies_percpu(look, e[i].percpu, e[i].stride));
	return err;
}

/* struct bpf_htab: the buckets, and the elements that were allocated with the map */
static int look_hash(struct look *look, const struct otst_map *m, struct otst_messages *errors,
		     bool *ret)
{
	static const char htab[] = "bpf_htab{n_buckets}";
	const struct otst_member *buckets;
	uint64_t count, size;
	int err = otst_member(look->o, htab, "buckets", &buckets);

	err = err ?: otst_read_member(look->o, htab, m->addr, "n_buckets", &count);
	/* before v4.5 buckets are plain list heads */
	if (!err)
		err = otst_type_size(look->o,
				     !*buckets->type || !strcmp(buckets->type, "bucket") ?
					     "bucket{head}" :
					     buckets->type,
				     &size);
	err = err ?: look_table(look, htab, m, "buckets", size, count, ret);
	if (err || *ret)
		return err;
	if (!(m->flags & FLAG_NO_PREALLOC)) {
		err = otst_read_member(look->o, htab, m->addr, "elem_size", &size);
		/* plus one for each cpu, as replacements */
		if (!err)
			err = look_table(
				look, htab, m, "elems", size,
				m->max_entries + UINT64_C(1) * otst_kernel(look->o)->nr_cpus, ret);
		if (err || *ret ||
		    (m->type != OTST_MAP_PERCPU_HASH && m->type != OTST_MAP_LRU_PERCPU_HASH))
			return err;
	}
	return look_elements(look, m, errors, ret);
}

/* struct bpf_ringbuf with its data, which is mapped twice */
static int look_ring(struct look *look, const struct otst_map *m, bool *ret)
{
	const struct otst_member *data;
	uint64_t rb, mask;
	int err = otst_member(look->o, "bpf_ringbuf", "data", &data);

	err = err ?: otst_read_member(look->o, "bpf_ringbuf_map", m->addr, "rb", &rb);
	err = err ?: otst_read_member(look->o, "bpf_ringbuf", rb, "mask", &mask);
	*ret = !err && mask < MOST_BYTES && lies_within(look, rb, data->offset + 2 * (mask + 1));
	return err;
}

/* struct bpf_array with its values, or with pointers to file or program data or per-cpu values */
static int look_array(struct look *look, const struct otst_map *m, bool *ret)
{
	const struct otst_member *value;
	uint64_t size = 0, percpu = 0, ptr, i;
	int err = otst_member(look->o, "bpf_array", "value", &value);

	err = err ?: otst_read_member(look->o, "bpf_array", m->addr, "elem_size", &size);
	if (m->type == OTST_MAP_PERCPU_ARRAY) {
		percpu = size;
		size = 8;
	}
	*ret = !err && size < MOST_BYTES / (m->max_entries + UINT64_C(1)) &&
	       lies_within(look, m->addr, value->offset + size * m->max_entries);
	for (i = 0; i < m->max_entries && i < MOST_ELEMENTS && percpu && !err && !*ret; i++) {
		err = otst_read_u64(look->o, m->addr + value->offset + 8 * i, &ptr);
		*ret = !err && lies_percpu(look, ptr, percpu);
	}
	return err;
}

/* struct bpf_stack_map: the buckets, and the stacks that they point to */
static int look_stacks(struct look *look, const struct otst_map *m, bool *ret)
{
	const struct otst_member *buckets;
	uint64_t count, size;
	int err = otst_member(look->o, "bpf_stack_map", "buckets", &buckets);

	err = err ?: otst_read_member(look->o, "bpf_stack_map", m->addr, "n_buckets", &count);
	err = err ?: otst_type_size(look->o, "stack_map_bucket", &size);
	if (err)
		return err;
	*ret = lies_within(look, m->addr, buckets->offset + 8 * count);
	return *ret ? 0 :
		      look_table(look, "bpf_stack_map", m, "elems", size + m->value_size,
				 m->max_entries, ret);
}

static int look_map(struct look *look, const struct otst_map *m, struct otst_messages *errors,
		    bool *ret)
{
	*ret = false;
	if (otst_map_is_hash(m))
		return look_hash(look, m, errors, ret);
	switch (m->type) {
	case OTST_MAP_ARRAY:
	case OTST_MAP_PROG_ARRAY:
	case OTST_MAP_PERF_EVENT_ARRAY:
	case OTST_MAP_PERCPU_ARRAY:
		return look_array(look, m, ret);
	case OTST_MAP_STACK_TRACE:
		return look_stacks(look, m, ret);
	case OTST_MAP_RINGBUF:
		return look_ring(look, m, ret);
	default:
		return 0;
	}
}

static int look_maps(struct look *look, struct otst_messages *errors)
{
	const struct otst_bpf *b;
	const struct otst_map *m;
	size_t i;
	int err = otst_bpf_read(look->o, &b);

	if (err)
		return err == OTST_ERR_LOOKUP ? 0 : otst_note(look->o, errors, err);
	otst_notes(look->o, errors, &b->errors);
	for (i = 0, m = b->maps.data; i < b->maps.count && !err && !look->ret->what; i++) {
		bool in;

		err = look_map(look, &m[i], errors, &in);
		if (in) {
			tell_finding(look,
				     otst_format(look->o, "BPF map %u%s%s", m[i].id,
						 *m[i].name ? ", " : "", m[i].name),
				     map_owner(look, b, &m[i]), "otst -l -v");
			return 0;
		}
		/* a member that this kernel does not have */
		if (err == OTST_ERR_LOOKUP)
			err = 0;
		else if (err)
			err = otst_note(look->o, errors,
					otst_fail(look->o, err, "BPF map %u", m[i].id));
	}
	return err;
}

/* ---- modules that catch ---- */

/* captures of a probe of otst.ko or allie.ko */
static int look_captures(struct look *look, const struct otst_registry *r,
			 struct otst_messages *errors)
{
	struct otst_slot slot = { 0 };
	int err = 0;

	for (uint32_t i = 0; i < r->nr_probes && !err; i++) {
		err = otst_slot_read(look->o, r, i, &slot);
		if (!err && slot.state != OTST_SLOT_FREE &&
		    lies_within(look, otst_field_u64(r, OTST_SLOT_RING, slot.data),
				otst_field_u64(r, OTST_SLOT_NR_RECORDS, slot.data) *
					otst_field_u64(r, OTST_SLOT_RECORD_SIZE, slot.data))) {
			struct otst_owner *owner = otst_new(look->o, sizeof(*owner));

			*owner = (struct otst_owner){ .kind = OTST_OWNER_MODULE,
						      .name = r->module->name };
			tell_finding(look,
				     otst_format(look->o, "the captures of the %s probe on %s",
						 r->owner, slot.symbol ? slot.symbol : "?"),
				     owner, "otst -t -s module");
			return 0;
		}
		if (err)
			err = otst_note(look->o, errors,
					otst_fail(look->o, err, "registry of %s, probe %u",
						  r->owner, i));
	}
	return err;
}

static bool catches_probes(struct look *look, const struct otst_module *m)
{
	if (otst_is_systemtap(look->o, m))
		return true;
	for (size_t i = 0; i < look->h->probes.count; i++) {
		const struct otst_probe *p = look->h->probes.items[i];

		if (p->catcher && p->owner.name && !strcmp(p->owner.name, m->name))
			return true;
	}
	return false;
}

/* what SystemTap's scripts have printed */
static int look_relays(struct look *look, struct otst_messages *errors)
{
	struct otst_stap *const *staps;
	bool in = false;
	int err = otst_staps(look->o, &staps);

	for (; !err && *staps && !in; staps++) {
		err = otst_stap_relay_holds(look->o, *staps, look->addr, &in);
		if (err)
			err = otst_note(look->o, errors,
					otst_fail(look->o, err, "relay channel of %s",
						  (*staps)->module->name));
		if (in) {
			struct otst_owner *owner = otst_new(look->o, sizeof(*owner));

			*owner = (struct otst_owner){ .kind = OTST_OWNER_SYSTEMTAP,
						      .name = (*staps)->module->name };
			tell_finding(look,
				     otst_format(look->o, "the relay buffers of module %s",
						 (*staps)->module->name),
				     owner, "otst -t -s stap");
			return 0;
		}
	}
	return err;
}

static int look_catchers(struct look *look, struct otst_messages *errors)
{
	const struct otst_module *m = otst_module_at(look->o, look->addr);
	const struct otst_registries *all;
	int err;

	if (m && catches_probes(look, m)) {
		struct otst_owner *owner = otst_new(look->o, sizeof(*owner));

		otst_owner_of_code(look->o, look->addr, owner);
		tell_finding(look, otst_format(look->o, "module %s, which captures", m->name),
			     owner, "otst -t");
		return 0;
	}
	err = otst_registries(look->o, &all);
	for (size_t i = 0; !err && i < all->count && !look->ret->what; i++)
		err = look_captures(look, all->items[i], errors);
	return err || look->ret->what ? err : look_relays(look, errors);
}

int otst_memory_find(struct otst *o, const struct otst_hooks *h, uint64_t addr,
		     struct otst_messages *errors, struct otst_memory *ret)
{
	struct look look = { .o = o, .h = h, .addr = addr, .ret = ret };
	int err;

	*ret = (struct otst_memory){ 0 };
	if (!otst_is_kernel_pointer(o, addr))
		return 0;
	err = look_records(&look);
	if (!err && !ret->what)
		err = look_ops(&look);
	if (!err && !ret->what)
		err = look_catchers(&look, errors);
	if (!err && !ret->what)
		err = look_maps(&look, errors);
	return err;
}
