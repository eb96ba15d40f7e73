// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * registry.c - struct otst_rec_registry of otst.ko and allie.ko
 * (kernel/otst_records.h): finds it by the module's symbol otst_registry or by its
 * magic, and reads its probes.
 */
#include <inttypes.h>
#include <string.h>

#include "registry.h"

#define MAGIC	   "otst-registry\r\n" /* and the NUL */
#define MAGIC_SIZE 16u
#define BYTE_ORDER 0x01020304u

/* the part that never changes; registry_fields.c has the rest */
#define HEAD_SIZE    56u
#define HEAD_ORDER   16u
#define HEAD_VERSION 20u
#define HEAD_TOTAL   24u
#define HEAD_SELF    40u

#define MAX_TOTAL   (1u << 20)
#define MAX_SCAN    (16u << 20) /* bytes of one module searched for the magic */
#define FEW_SYMBOLS 8

/* ---- finding it ---- */

static bool is_zero(const unsigned char *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return !len;
}

/* LOOKUP: the module is not set up, or on its way out */
static int read_registry(struct otst *o, struct otst_registry *r)
{
	unsigned char head[HEAD_SIZE], *data;
	uint32_t total, order, version;
	int err = otst_read(o, r->addr, head, sizeof(head));

	if (err)
		return err;
	if (is_zero(head, MAGIC_SIZE))
		return OTST_ERR_LOOKUP;
	if (memcmp(head, MAGIC, MAGIC_SIZE))
		return otst_raise(o, OTST_ERR_CORRUPT, "it has another magic");
	order = (uint32_t)otst_get(o, head + HEAD_ORDER, 4);
	version = (uint32_t)otst_get(o, head + HEAD_VERSION, 4);
	total = (uint32_t)otst_get(o, head + HEAD_TOTAL, 4);
	if (order != BYTE_ORDER || !version)
		return otst_raise(o, OTST_ERR_CORRUPT, "byte order 0x%08x, version %u", order,
				  version);
	if (otst_get(o, head + HEAD_SELF, 8) != r->addr)
		return otst_raise(o, OTST_ERR_CORRUPT, "it says that it is at 0x%" PRIx64,
				  otst_get(o, head + HEAD_SELF, 8));
	if (total < HEAD_SIZE || total > MAX_TOTAL)
		return otst_raise(o, OTST_ERR_CORRUPT, "it has %u byte%s", total,
				  otst_number(total, "", "s"));
	r->big_endian = otst_big_endian(o);
	r->version = version;
	data = otst_alloc(o, total);
	err = otst_read(o, r->addr, data, total);
	return err ? err : otst_registry_parse(o, r, data, total);
}

/* the address of a registry that begins at one of the words of this page; 0 for none */
static uint64_t scan_page(const struct otst *o, const unsigned char *page, uint64_t base)
{
	for (size_t at = 0; at + HEAD_SIZE <= OTST_CHUNK; at += 8) {
		if (!memcmp(page + at, MAGIC, MAGIC_SIZE) &&
		    otst_get(o, page + at + HEAD_SELF, 8) == base + at)
			return base + at;
	}
	return 0;
}

/* by the magic; a registry that begins in the last bytes of a page is checked separately */
static int scan_range(struct otst *o, uint64_t base, uint64_t size, uint64_t *ret)
{
	unsigned char page[OTST_CHUNK], head[HEAD_SIZE];
	uint64_t end = base + (size < MAX_SCAN ? size : MAX_SCAN), at;
	int err;

	base &= ~(uint64_t)(OTST_CHUNK - 1);
	for (; base < end && !*ret; base += OTST_CHUNK) {
		err = otst_read(o, base, page, sizeof(page));
		if (err && otst_fatal(err))
			return err;
		if (err)
			continue;
		*ret = scan_page(o, page, base);
		for (at = base + OTST_CHUNK - HEAD_SIZE + 8; !*ret && at < base + OTST_CHUNK;
		     at += 8) {
			if (*(const char *)(page + (at - base)) == MAGIC[0] &&
			    !otst_read(o, at, head, sizeof(head)) &&
			    !memcmp(head, MAGIC, MAGIC_SIZE) &&
			    otst_get(o, head + HEAD_SELF, 8) == at)
				*ret = at;
		}
	}
	return 0;
}

static int scan_module(struct otst *o, const struct otst_module *m, uint64_t *ret)
{
	int err = 0;

	for (unsigned int i = 0; i < m->nr_ranges && !err && !*ret; i++) {
		if (!m->ranges[i].text && !m->ranges[i].init)
			err = scan_range(o, m->ranges[i].base, m->ranges[i].size, ret);
	}
	return err;
}

/*
 * Is it worth searching the module's data? A stripped module still has the names
 * that the kernel needs, such as __this_module, and those that it exports.
 */
static bool may_be_stripped(const struct otst_module *m)
{
	return m->nr_symbols <= FEW_SYMBOLS || strstr(m->name, "otst") || strstr(m->name, "allie");
}

static int note_module(struct otst *o, struct otst_messages *errors, int err, const char *module)
{
	if (otst_fatal(err))
		return err;
	return otst_note(o, errors, otst_fail(o, err, "registry of module %s", module));
}

static int look_into(struct otst *o, const struct otst_module *m, struct otst_vec *items,
		     struct otst_messages *errors)
{
	struct otst_registry *r, **slot;
	uint64_t addr = 0;
	int err = 0;

	if (otst_module_symbol(o, m, "otst_registry", &addr) && may_be_stripped(m))
		err = scan_module(o, m, &addr);
	if (err || !addr)
		return err;
	r = otst_new(o, sizeof(*r));
	r->addr = addr;
	r->module = m;
	err = read_registry(o, r);
	if (err == OTST_ERR_LOOKUP)
		return 0;
	if (err)
		return note_module(o, errors, err, m->name);
	slot = otst_vec_push(o, items, sizeof(*slot));
	*slot = r;
	return 0;
}

static int find_all(struct otst *o, struct otst_registries *all)
{
	struct otst_vec items = { 0 };
	struct otst_messages errors = { 0 };
	struct otst_module *const *m;
	int err = otst_modules(o, &m);

	/* a kernel without modules, or a list that cannot be read: otst -i says so */
	if (err)
		return otst_fatal(err) ? err : 0;
	for (; *m && !err; m++)
		err = look_into(o, *m, &items, &errors);
	*all = (struct otst_registries){
		.items = items.data,
		.count = items.count,
		.errors = errors,
	};
	return err;
}

int otst_registries(struct otst *o, const struct otst_registries **ret)
{
	static const char key;
	void **memo = otst_memo(o, &key);
	struct otst_registries *all;
	int err;

	if (!*memo) {
		all = otst_new(o, sizeof(*all));
		err = find_all(o, all);
		if (err)
			return err;
		*memo = all;
	}
	*ret = *memo;
	return 0;
}

/* ---- its probes ---- */

int otst_slot_read(struct otst *o, const struct otst_registry *r, uint32_t i, struct otst_slot *ret)
{
	unsigned char *data = ret->registry == r ? ret->data : otst_alloc(o, r->slot_size);
	uint64_t addr = r->probes + (uint64_t)i * r->probe_stride, state;
	int err;

	if (!data)
		return otst_no_memory(o);
	if (!otst_is_kernel_pointer(o, addr))
		return otst_raise(o, OTST_ERR_CORRUPT, "it is at 0x%" PRIx64, addr);
	err = otst_read(o, addr, data, r->slot_size);
	if (err)
		return err;
	ret->registry = r;
	ret->data = data;
	state = otst_field_u64(r, OTST_SLOT_STATE, data);
	if (state > OTST_SLOT_REMOVED)
		return otst_raise(o, OTST_ERR_CORRUPT, "its state is %" PRIu64, state);
	*ret = (struct otst_slot){
		.registry = r,
		.addr = addr,
		.data = data,
		.state = (enum otst_slot_state)state,
		.address = otst_field_u64(r, OTST_SLOT_ADDRESS, data),
		.kprobe = otst_field_u64(r, OTST_SLOT_KPROBE, data),
		.symbol = otst_field_chars(o, r, OTST_SLOT_SYMBOL, data),
	};
	return 0;
}
