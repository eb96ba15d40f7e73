// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * vmap.c - the areas of the kernel's vmalloc space, struct vmap_area of mm/vmalloc.c, and the code
 * that asked for each (struct vm_struct).
 */
#include <inttypes.h>

#include "../base/engine.h"
#include "../base/hashmap.h"
#include "../base/sorted.h"
#include "owners.h"

#define MOST_NODES 4096u

struct vmaps {
	struct otst_vec items; /* of struct otst_vmap, by address */
	int err;
	const char *why;
};

static int read_area_list(struct otst *o, uint64_t head, struct vmaps *m)
{
	const struct otst_member *link, *caller;
	struct otst_walk w;
	uint64_t node;
	int err = otst_member(o, "vmap_area", "list", &link);

	err = err ?: otst_member(o, "vm_struct", "caller", &caller);
	if (err)
		return err;
	otst_walk_list(o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		struct otst_vmap v;
		struct otst_view a;
		uint64_t vm;

		err = otst_view_read(o, "vmap_area", node - link->offset, &a);
		if (err)
			break;
		v = (struct otst_vmap){ .begin = otst_u64(&a, "va_start"),
					.end = otst_u64(&a, "va_end") };
		vm = otst_u64(&a, "vm");
		if (vm && otst_is_kernel_pointer(o, vm))
			err = otst_read_u64(o, vm + caller->offset, &v.caller);
		*(struct otst_vmap *)otst_vec_push(o, &m->items, sizeof(v)) = v;
		err = err ?: a.err;
	}
	return err ? err : w.err;
}

/* Linux d093602919ad ("mm: vmalloc: remove global vmap_area_root rb-tree") (v6.9) */
static int read_nodes(struct otst *o, uint64_t at, struct vmaps *m)
{
	const struct otst_member *busy, *head;
	uint64_t nodes, size, i;
	uint32_t count;
	int err = otst_member(o, "vmap_node", "busy", &busy);

	err = err ?: otst_member(o, "rb_list", "head", &head);
	err = err ?: otst_type_size(o, "vmap_node", &size);
	err = err ?: otst_read_u64(o, at, &nodes);
	err = err ?: otst_symbol(o, "nr_vmap_nodes", &at);
	err = err ?: otst_read_u32(o, at, &count);
	if (!err && count > MOST_NODES)
		err = otst_raise(o, OTST_ERR_CORRUPT, "%u vmap nodes", count);
	for (i = 0; !err && i < count; i++)
		err = read_area_list(o, nodes + i * size + busy->offset + head->offset, m);
	return err;
}

static int compare_vmaps(const void *a, const void *b)
{
	const struct otst_vmap *v = a, *w = b;

	return (v->begin > w->begin) - (v->begin < w->begin);
}

static struct vmaps *find_vmaps(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	const struct doubts doubts = o->doubts;
	struct vmaps *m = *memo;
	uint64_t at;

	if (m)
		return m;
	*memo = m = otst_new(o, sizeof(*m));
	m->err = !otst_symbol(o, "vmap_nodes", &at) ? read_nodes(o, at, m) :
						      otst_symbol(o, "vmap_area_list", &at);
	if (!m->err && !otst_has_symbol(o, "vmap_nodes"))
		m->err = read_area_list(o, at, m);
	if (m->err)
		m->why = otst_strdup(o, otst_message(o));
	otst_sort(m->items.data, m->items.count, sizeof(struct otst_vmap), compare_vmaps);
	o->doubts = doubts;
	return m;
}

int otst_vmap_at(struct otst *o, uint64_t addr, struct otst_vmap *ret)
{
	const struct vmaps *m = find_vmaps(o);
	const struct otst_vmap *v = m->items.data;

	size_t low = 0, high = m->items.count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid].begin <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && addr < v[low - 1].end) {
		*ret = v[low - 1];
		return 0;
	}
	*ret = (struct otst_vmap){ .end = low < m->items.count ? v[low].begin : UINT64_MAX };
	return m->err ? otst_raise(o, OTST_ERR_CORRUPT, "%s", m->why) :
			otst_raise(o, OTST_ERR_LOOKUP, "no vmalloc area at 0x%" PRIx64, addr);
}
