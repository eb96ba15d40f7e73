// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * hash.c - struct ftrace_hash of kernel/trace/trace.h (ftrace.c before
 * 4.12): a set of function addresses, in 1 << size_bits buckets of struct
 * ftrace_func_entry. The result is one array in bucket order, and the same
 * sorted for look-ups. The entries of direct_functions also have a value.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/coverage.h"
#include "../base/sorted.h"
#include "ftrace.h"

#define MAX_BITS     16 /* FTRACE_HASH_MAX_BITS is 12 */
#define POINTER_SIZE 8

struct entry_layout {
	uint64_t size;
	uint64_t ip;
	uint64_t value;
	bool values;
};

/*
 * Entries have addresses of direct callers since Linux 763e34e74bb7 ("ftrace: Add register_ftrace_direct()") (v5.5),
 * which defined this flag.
 */
static bool must_have_value(struct otst *o, const char *of)
{
	return strcmp(of, "ftrace_func_entry") != 0 || otst_enumerator_or(o, "FTRACE_FL_DIRECT", 0);
}

/* @of: structure around an entry, and @value its member to read as well; NULL for none */
static int entry_layout(struct otst *o, const char *of, const char *value, struct entry_layout *ret)
{
	const struct otst_member *m;
	int err;

	err = otst_type_size(o, "ftrace_func_entry", &ret->size);
	err = err ?: otst_member(o, "ftrace_func_entry", "ip", &m);
	if (err)
		return err;
	ret->ip = m->offset;
	ret->values = value && !otst_member(o, of, value, &m);
	ret->value = ret->values ? m->offset : 0;
	return ret->values || !value || !must_have_value(o, of) ? 0 : OTST_ERR_LOOKUP;
}

/*
 * An entry without an address: of init text that was freed, clear_func_from_hash() of
 * kernel/trace/ftrace.c; else it is memory that lost what it had.
 */
static int check_cleared(struct otst *o, uint64_t node)
{
	uint64_t linked;
	int err = otst_read_member(o, "hlist_node", node, "pprev", &linked);

	if (err || linked)
		return err;
	return otst_raise(o, OTST_ERR_CORRUPT, "entry 0x%" PRIx64 " has no address", node);
}

static int read_hash_bucket(struct otst *o, const struct entry_layout *layout, uint64_t head,
			    struct otst_vec *ips, struct otst_vec *values, uint64_t *cleared)
{
	struct otst_walk w;
	uint64_t node, v;
	int err = 0;

	otst_walk_hlist(o, head, &w);
	while (!err && otst_walk_next(&w, &node)) {
		uint64_t *ip, *value;

		err = otst_read_u64(o, node + layout->ip, &v);
		if (!err && !v)
			err = check_cleared(o, node);
		if (err)
			break;
		if (!v) {
			++*cleared;
			continue;
		}
		ip = otst_vec_push(o, ips, sizeof(*ip));
		*ip = v;
		if (!layout->values)
			continue;
		value = otst_vec_push(o, values, sizeof(*value));
		err = otst_read_u64(o, node + layout->value, value);
	}
	return err ? err : w.err;
}

/* read all buckets; a bad one does not keep the others from being read */
static int read_hash_buckets(struct otst *o, uint64_t buckets, uint64_t bits, const char *of,
			     const char *value, struct otst_hash *ret)
{
	size_t i, n = (size_t)1 << bits;
	struct otst_vec ips = { 0 }, vals = { 0 };
	unsigned char *heads = otst_alloc(o, n * POINTER_SIZE);
	struct entry_layout layout;
	int err;

	if (!heads)
		return otst_no_memory(o);
	err = entry_layout(o, of, value, &layout);
	err = err ?: otst_read(o, buckets, heads, n * POINTER_SIZE);
	if (err)
		return err;
	for (i = 0; i < n; i++) {
		if (!otst_get(o, heads + i * POINTER_SIZE, POINTER_SIZE))
			continue;
		err = read_hash_bucket(o, &layout, buckets + i * POINTER_SIZE, &ips, &vals,
				       &ret->cleared);
		if (err && otst_fatal(err))
			return err;
		if (otst_lack(o, err) && !ret->error)
			ret->error = otst_format(o, "bucket %zu: %s", i, otst_message(o));
	}
	ret->ips = ips.data;
	ret->count = ips.count;
	ret->values = layout.values && vals.count == ips.count ? vals.data : NULL;
	ret->sorted = otst_alloc(o, ips.count * sizeof(*ret->sorted));
	if (!ret->sorted)
		return otst_no_memory(o);
	if (ips.count) {
		memcpy(ret->sorted, ips.data, ips.count * sizeof(*ret->sorted));
		otst_sort(ret->sorted, ips.count, sizeof(*ret->sorted), otst_by_u64);
	}
	return 0;
}

static int read_hash(struct otst *o, const char *of, const char *value, struct otst_hash *ret)
{
	uint64_t buckets, bits, count, flags;
	struct otst_view v;
	int err;

	err = otst_view_read(o, "ftrace_hash", ret->addr, &v);
	if (err)
		return err;
	bits = otst_u64(&v, "size_bits");
	buckets = otst_u64(&v, "buckets");
	count = otst_u64(&v, "count");
	/* a filter that waits for a module to load is not empty: it matches no function yet */
	flags = otst_u64_or(&v, "flags", 0) &
		(uint64_t)otst_enumerator_or(o, "FTRACE_HASH_FL_MOD", 1);
	if (v.err)
		return v.err;
	/* an empty one has them, too: empty_buckets[] */
	if (!buckets)
		return otst_raise(o, OTST_ERR_CORRUPT, "hash without buckets");
	ret->empty = !count && !flags;
	if (!count)
		return 0;
	if (bits > MAX_BITS)
		return otst_raise(o, OTST_ERR_CORRUPT, "hash of 2^%" PRIu64 " buckets", bits);
	err = read_hash_buckets(o, buckets, bits, of, value, ret);
	if (!err && !ret->error && ret->count + ret->cleared != count)
		ret->error = otst_format(o, "%" PRIu64 " of %" PRIu64 " %s found",
					 ret->count + ret->cleared, count,
					 otst_number(count, "entry", "entries"));
	return err;
}

int otst_hash_read_values(struct otst *o, uint64_t addr, const char *of, const char *value,
			  struct otst_hash *ret)
{
	int err;

	*ret = (struct otst_hash){ .addr = addr, .empty = true };
	if (!addr)
		return 0;
	err = read_hash(o, of, value, ret);
	if (!err || otst_fatal(err))
		return err;
	/* an unreadable filter is not the same as none: it matches no function */
	ret->empty = false;
	(void)otst_lack(o, err);
	ret->error = otst_strdup(o, otst_message(o));
	return 0;
}

int otst_hash_read(struct otst *o, uint64_t addr, bool values, struct otst_hash *ret)
{
	return otst_hash_read_values(o, addr, "ftrace_func_entry", values ? "direct" : NULL, ret);
}

static const struct otst_hash *direct_functions(struct otst *o)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	uint64_t addr, at = otst_symbol_or0(o, "direct_functions");
	struct otst_hash *h;

	if (!*memo) {
		*memo = h = otst_new(o, sizeof(*h));
		if (at && !otst_read_u64(o, at, &addr))
			otst_hash_read(o, addr, true, h);
	}
	return *memo;
}

uint64_t otst_ftrace_direct(struct otst *o, uint64_t ip)
{
	const struct otst_hash *h = direct_functions(o);
	size_t i;

	if (!h || !h->values || !otst_hash_has(h, ip))
		return 0;
	for (i = 0; h->ips[i] != ip; i++)
		;
	return h->values[i];
}

bool otst_hash_has(const struct otst_hash *h, uint64_t ip)
{
	/* called for every function of the kernel, most of which lie outside */
	if (!h->count || ip < h->sorted[0] || ip > h->sorted[h->count - 1])
		return false;
	return bsearch(&ip, h->sorted, h->count, sizeof(ip), otst_by_u64);
}
