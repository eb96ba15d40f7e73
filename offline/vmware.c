// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * vmware.c - a suspended machine or a snapshot of VMware (.vmss, .vmsn), and the memory beside it
 * (.vmem). The state is a list of groups, each a list of tagged values; VMware's own reader is in
 * crash (vmware_vmss.h). The group "memory" has the regions: runs of pages with their first page
 * number in the machine's memory ("regionPPN") and in the file ("regionPageNum"). The memory
 * is the value "Memory" of that group, or the .vmem file. The group "cpu" has the registers: values
 * of their names, or blocks "gpregs", with the number of the cpu as index.
 */
#include "forms.h"
#include "../front/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BITS    12u
#define HEADER	     12u /* u32 magic, u32 version, u32 number of groups */
#define GROUP	     80u /* name, u64 position, u64 size */
#define GROUP_NAME   64u
#define MOST_GROUPS  4096u
#define MOST_REGIONS 64u
#define MOST_TAGS    1000000u

/* a tag: length of the name << 8, number of indices << 6, size of the value */
#define VALUE_BLOCK  0x3fu
#define VALUE_PACKED 0x3eu
#define BLOCK_HEADER 18u /* u64 size in the file, u64 size in memory, u16 padding */

struct region {
	uint64_t page; /* in the machine */
	uint64_t file; /* in the file */
	uint64_t count;
};

/**
 * struct state - what a .vmss or .vmsn says of the memory
 * @at, @size: the value "Memory"; 0 when there is none
 */
struct state {
	struct region regions[MOST_REGIONS];
	uint64_t nr_regions;
	uint64_t at;
	uint64_t size;
	bool packed;
};

/**
 * struct tag - one tagged value
 * @value: of a value that is not a block
 * @at, @size: where the block is
 */
struct tag {
	char name[256];
	uint64_t index;
	uint64_t value;
	unsigned int kind;
	uint64_t at;
	uint64_t size;
};

/* Reads the tag at *@at, which moves behind it. False at the end of the group, or when damaged. */
static bool read_tag(int fd, uint64_t *at, struct tag *ret)
{
	unsigned char head[2], data[64];
	unsigned int indices;
	size_t len;

	memset(ret, 0, sizeof(*ret));
	if (!read_fully(fd, head, sizeof(head), *at) || !(head[0] | head[1]))
		return false;
	len = head[1];
	indices = head[0] >> 6;
	ret->kind = head[0] & 0x3f;
	*at += sizeof(head);
	if (!read_fully(fd, ret->name, len, *at))
		return false;
	*at += len;
	if (!read_fully(fd, data, 4 * indices, *at))
		return false;
	*at += 4 * indices;
	ret->index = indices ? get_number(false, data, 4) : 0;
	len = ret->kind < VALUE_PACKED ? ret->kind : BLOCK_HEADER;
	if (!read_fully(fd, data, len, *at))
		return false;
	*at += len;
	ret->value = get_number(false, data, len < 8 ? len : 8);
	if (ret->kind < VALUE_PACKED)
		return true;
	ret->size = ret->value;
	ret->at = *at + get_number(false, data + 16, 2);
	if (ret->size > INT64_MAX - ret->at)
		return false;
	*at = ret->at + ret->size;
	return true;
}

static void take_tag(struct state *v, const struct tag *t)
{
	struct region *r = t->index < MOST_REGIONS ? &v->regions[t->index] : NULL;

	if (t->kind >= VALUE_PACKED) {
		if (strcmp(t->name, "Memory") != 0)
			return;
		v->at = t->at;
		v->size = t->size;
		v->packed = t->kind == VALUE_PACKED;
	} else if (!strcmp(t->name, "regionsCount")) {
		v->nr_regions = t->value;
	} else if (r && !strcmp(t->name, "regionPPN")) {
		r->page = t->value;
	} else if (r && !strcmp(t->name, "regionPageNum")) {
		r->file = t->value;
	} else if (r && !strcmp(t->name, "regionSize")) {
		r->count = t->value;
	}
}

static bool find_group(int fd, const char *name, uint64_t *ret)
{
	unsigned char group[GROUP], head[HEADER];
	uint64_t count, i;

	if (!read_fully(fd, head, sizeof(head), 0))
		return false;
	count = get_number(false, head + 8, 4);
	for (i = 0; i < count && i < MOST_GROUPS; i++) {
		if (!read_fully(fd, group, sizeof(group), HEADER + GROUP * i))
			return false;
		if (strncmp((const char *)group, name, GROUP_NAME) != 0)
			continue;
		*ret = get_number(false, group + GROUP_NAME, 8);
		return true;
	}
	return false;
}

static int read_state(int fd, struct state *ret)
{
	unsigned int n = 0;
	struct tag tag;
	uint64_t at;

	memset(ret, 0, sizeof(*ret));
	if (!find_group(fd, "memory", &at)) {
		complain("VMware's state is damaged: it has no group \"memory\"");
		return OTST_ERR_CORRUPT;
	}
	while (n++ < MOST_TAGS && read_tag(fd, &at, &tag))
		take_tag(ret, &tag);
	if (ret->packed) {
		complain(
			"VMware compressed the memory of this state; vmss2core -N6 writes a core of it");
		return OTST_ERR_UNSUPPORTED;
	}
	if (ret->nr_regions <= MOST_REGIONS)
		return 0;
	complain("VMware's state is damaged: it has too many regions of memory");
	return OTST_ERR_CORRUPT;
}

/* @size: bytes of memory in the file from @at on */
static int add_regions(const struct state *v, struct segments *s, uint64_t at, uint64_t size)
{
	uint64_t i;
	int err = 0;

	if (!v->nr_regions)
		return segments_add(s, 0, size, at);
	for (i = 0; !err && i < v->nr_regions; i++) {
		const struct region *r = &v->regions[i];

		/* page numbers have 32 bits */
		if ((r->page | r->file | r->count) >> 40)
			continue;
		err = segments_add(s, r->page << PAGE_BITS, r->count << PAGE_BITS,
				   at + (r->file << PAGE_BITS));
	}
	return err;
}

/* ---- files that belong together ---- */

/* Opens @path with another ending; -1 when there is none. */
static int open_beside(const char *path, const char *ending)
{
	size_t len = strlen(path), old = 5; /* ".vmss" */
	char *other;
	int fd;

	if (len <= old || path[len - old] != '.' ||
	    asprintf(&other, "%.*s%s", (int)(len - old), path, ending) < 0)
		return -1;
	fd = open(other, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(other);
	return fd;
}

static bool is_state(int fd)
{
	unsigned char magic[4];

	return read_fully(fd, magic, sizeof(magic), 0) &&
	       (!memcmp(magic, VMWARE_MAGIC, 4) || !memcmp(magic, VMWARE_PARTIAL, 4) ||
		!memcmp(magic, VMWARE_RESTORED, 4) || !memcmp(magic, VMWARE_NO_RESTORE, 4));
}

bool vmware_add_regions(const char *path, struct segments *s, int *ret)
{
	static const char *const endings[] = { ".vmss", ".vmsn" };
	size_t len = strlen(path), i;
	bool found = false;
	struct state v;

	if (len < 5 || strcmp(path + len - 5, ".vmem") != 0)
		return false;
	for (i = 0; i < 2 && !found; i++) {
		int fd = open_beside(path, endings[i]);

		if (fd < 0)
			continue;
		found = is_state(fd);
		if (found) {
			*ret = read_state(fd, &v);
			*ret = *ret ?: add_regions(&v, s, 0, segments_file_size(s));
		}
		close(fd);
	}
	return found;
}

/* ---- a state as the dump ---- */

/**
 * struct vmware - an opened state
 * @fd: of the .vmem file; -1 when the memory is in the state itself
 */
struct vmware {
	struct segments *segments;
	int fd;
};

static void close_vmware(void *priv)
{
	struct vmware *v = priv;

	segments_close(v->segments);
	if (v->fd >= 0)
		close(v->fd);
	free(v);
}

static int open_memory(struct vmware *v, const struct form_file *file)
{
	struct state state;
	int err = read_state(file->fd, &state);

	if (err)
		return err;
	if (!state.at) {
		v->fd = open_beside(file->path, ".vmem");
		if (v->fd < 0) {
			complain(
				"VMware's state has no memory in it, and there is no .vmem file beside it: %s",
				strerror(errno));
			return OTST_ERR_UNSUPPORTED;
		}
	}
	err = segments_create(state.at ? file->fd : v->fd, &v->segments);
	if (err)
		return err;
	segments_skip_holes(v->segments);
	err = add_regions(&state, v->segments, state.at,
			  state.at ? state.size : segments_file_size(v->segments));
	return err ?: segments_sort(v->segments, "state of VMware");
}

static int open_vmware(const struct form_file *file, void **ret)
{
	struct vmware *v;
	int err;

	if (!is_state(file->fd)) {
		complain(
			"a state of an old VMware, which is not read; vmss2core -N6 writes a core of it");
		return OTST_ERR_UNSUPPORTED;
	}
	v = calloc(1, sizeof(*v));
	if (!v)
		return OTST_ERR_NOMEM;
	v->fd = -1;
	err = open_memory(v, file);
	if (err) {
		close_vmware(v);
		return err;
	}
	*ret = v;
	return 0;
}

static int read_vmware(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	return segments_read(((struct vmware *)priv)->segments, space, addr, buf, len);
}

static bool next_vmware_range(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	return segments_next(((struct vmware *)priv)->segments, phys, start, end);
}

/* ---- registers ---- */

#define MOST_CPUS 4096u
#define GPREGS	  128u

/** struct cpus - @list: @count of them */
struct cpus {
	struct named_registers *list;
	uint64_t count;
};

static void take_block(int fd, const struct tag *t, struct named_registers *ret)
{
	static const char *const order[] = {
		"rax", "rcx", "rdx", "rbx", "rbp", "rsp", "rsi", "rdi",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"
	};
	unsigned char bytes[GPREGS];
	size_t i;

	if (strcmp(t->name, "gpregs") != 0 || t->kind != VALUE_BLOCK || t->size != GPREGS ||
	    !read_fully(fd, bytes, sizeof(bytes), t->at))
		return;
	for (i = 0; i < GPREGS / 8; i++)
		registers_set(ret, order[i], get_number(false, bytes + 8 * i, 8));
}

static int take_cpu_tag(int fd, const struct tag *t, struct cpus *ret)
{
	if (!ret->list && !strcmp(t->name, "cpu:numVCPUs") && t->value && t->value <= MOST_CPUS) {
		ret->count = t->value;
		ret->list = calloc(ret->count, sizeof(*ret->list));
		return ret->list ? 0 : OTST_ERR_NOMEM;
	}
	if (t->index >= ret->count)
		return 0;
	if (t->kind >= VALUE_PACKED)
		take_block(fd, t, &ret->list[t->index]);
	else
		registers_set(&ret->list[t->index], t->name, t->value);
	return 0;
}

/* of all cpus, or of none: a note says nothing of its cpu but by its place */
static int add_cpus(const struct cpus *c, void **notes, size_t *len)
{
	const size_t before = *len;
	uint64_t i;
	int err = 0;

	for (i = 0; !err && i < c->count; i++)
		err = registers_add(&c->list[i], notes, len);
	if (err != OTST_ERR_LOOKUP)
		return err;
	*len = before;
	return 0;
}

static int registers_vmware(void *priv, const struct form_file *file, void **notes, size_t *len)
{
	struct cpus c = { 0 };
	unsigned int n = 0;
	struct tag tag;
	uint64_t at;
	int err = 0;

	(void)priv;
	if (!find_group(file->fd, "cpu", &at))
		return 0;
	while (!err && n++ < MOST_TAGS && read_tag(file->fd, &at, &tag))
		err = take_cpu_tag(file->fd, &tag, &c);
	err = err ?: add_cpus(&c, notes, len);
	free(c.list);
	return err;
}

const struct form_ops vmware_form = {
	.open = open_vmware,
	.close = close_vmware,
	.read = read_vmware,
	.next = next_vmware_range,
	.registers = registers_vmware,
};
