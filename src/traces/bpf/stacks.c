// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * stacks.c - maps that hold stacks: struct bpf_stack_map of
 * kernel/bpf/stackmap.c, whose buckets[id] is a struct stack_map_bucket or
 * NULL; and the hash maps "stack_*" in which bpftrace 0.21 to 0.24 keeps
 * stacks by a hash of their frames.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/sorted.h"
#include "../../base/text_buffer.h"
#include "bpf.h"

#define MAX_BUCKETS    (64u << 20)
#define CHUNK	       65536u
#define MAX_FRAMES     4096u	 /* sysctl_perf_event_max_stack is 127, or what root set */
#define FLAG_BUILD_ID  (1u << 5) /* BPF_F_STACK_BUILD_ID */
#define BUILD_ID_FRAME 32u	 /* struct bpf_stack_build_id */
#define BUILD_ID_BYTES 20u
#define USER_CS	       0x33 /* code segment selector of user mode; folded stacks omit such frames */
#define KEY_SIZE       12u  /* bpftrace: s64 id, number of frames as u32, sometimes padding */
#define KEY_PADDED     16u

static bool is_keyed(const struct otst_map *m)
{
	return (m->type == OTST_MAP_LRU_HASH || m->type == OTST_MAP_HASH) &&
	       !strncmp(m->name, "stack_", 6) &&
	       (m->key_size == KEY_SIZE || m->key_size == KEY_PADDED) && m->value_size >= 8 &&
	       m->value_size % 8 == 0;
}

bool otst_stacks_holds(const struct otst_map *m)
{
	return m->type == OTST_MAP_STACK_TRACE || is_keyed(m);
}

static struct otst_held *add_stack(struct otst_stacks *s, uint64_t id)
{
	struct otst_held *h = otst_vec_push(s->o, &s->held, sizeof(*h));

	h->id = id;
	return h;
}

/* ---- the kernel's own maps ---- */

static int add_buckets(struct otst_stacks *s, const uint8_t *raw, uint64_t first, size_t n)
{
	uint64_t addr;

	for (size_t i = 0; i < n; i++) {
		addr = otst_get(s->o, raw + i * 8, 8);
		if (!addr)
			continue;
		add_stack(s, first + i)->addr = addr;
	}
	return otst_check(s->o);
}

static int read_stack_buckets(struct otst_stacks *s, struct otst_messages *errors)
{
	const struct otst_member *buckets;
	uint8_t *raw = otst_alloc(s->o, CHUNK);
	uint64_t i, n;
	int err;

	if (!raw)
		return otst_no_memory(s->o);
	err = otst_read_member(s->o, "bpf_stack_map", s->map->addr, "n_buckets", &s->buckets);
	err = err ?: otst_member(s->o, "bpf_stack_map", "buckets", &buckets);
	if (!err && (!s->buckets || s->buckets > MAX_BUCKETS || s->buckets & (s->buckets - 1)))
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "%" PRIu64 " buckets", s->buckets);
	for (i = 0; !err && i < s->buckets; i += n) {
		n = s->buckets - i < CHUNK / 8 ? s->buckets - i : CHUNK / 8;
		err = otst_read(s->o, s->map->addr + buckets->offset + i * 8, raw, n * 8);
		if (!err)
			err = add_buckets(s, raw, i, n);
		else
			err = otst_note(s->o, errors,
					otst_fail(s->o, err,
						  "BPF map %u: buckets %" PRIu64 " to %" PRIu64,
						  s->map->id, i, i + n - 1));
	}
	return err;
}

/* ---- bpftrace's ---- */

static int by_id(const void *a, const void *b)
{
	const struct otst_held *x = a, *y = b;

	return otst_cmp(x->id, y->id) ?: otst_cmp(x->frames, y->frames);
}

static int read_keyed(struct otst_stacks *s, struct otst_messages *errors)
{
	struct otst_vec elements = { 0 };
	const struct otst_element *e;
	struct otst_held *h;
	size_t i;
	int err = otst_map_elements(s->o, s->map, 0, &elements, errors);

	for (i = 0, e = elements.data; i < elements.count && !err; i++) {
		h = add_stack(s, otst_get(s->o, e[i].key, 8));
		h->frames = (uint32_t)otst_get(s->o, e[i].key + 8, 4);
		h->value = e[i].value;
	}
	otst_sort(s->held.data, s->held.count, sizeof(*h), by_id);
	return err;
}

int otst_stacks_read(struct otst *o, const struct otst_map *m, struct otst_stacks *ret,
		     struct otst_messages *errors)
{
	*ret = (struct otst_stacks){ .o = o, .map = m, .form = OTST_STACKS_KEYED };
	if (m->type != OTST_MAP_STACK_TRACE)
		return read_keyed(ret, errors);
	ret->form = m->flags & FLAG_BUILD_ID ? OTST_STACKS_BUILD_ID : OTST_STACKS_PLAIN;
	return read_stack_buckets(ret, errors);
}

struct otst_held *otst_stacks_find(const struct otst_stacks *s, uint64_t id, uint32_t frames)
{
	struct otst_held wanted = { .id = id, .frames = frames };

	if (s->form != OTST_STACKS_KEYED)
		wanted.frames = 0;
	return s->held.count ?
		       bsearch(&wanted, s->held.data, s->held.count, sizeof(wanted), by_id) :
		       NULL;
}

/* ---- frames ---- */

static struct otst_trace_line *add_stack_line(struct otst *o, struct otst_vec *lines, uint64_t addr)
{
	struct otst_trace_line *line = otst_trace_line_add(o, lines);

	*line = (struct otst_trace_line){ .kind = OTST_LINE_FRAME, .addr = addr, .reliable = true };
	return line;
}

/* "0x%llx": a user's frames are all that is printed of most stacks */
static const char *address_text(struct otst *o, uint64_t addr)
{
	char room[2 + 16 + 1];
	struct otst_text t = otst_text_in(room, sizeof(room));

	otst_text_mem(&t, "0x", 2);
	otst_text_hex(&t, addr, 1);
	otst_text_char(&t, '\0');
	return otst_strdup(o, room);
}

static int make_user(struct otst *o, struct otst_trace_line *line, const char *text)
{
	line->cs = USER_CS;
	line->text = text;
	return text ? 0 : otst_no_memory(o);
}

int otst_bpf_frames(struct otst *o, const uint8_t *words, size_t count, struct otst_vec *lines)
{
	/* after a first user frame all are user frames; the last ones may not be addresses */
	bool user = count && !otst_is_kernel_pointer(o, otst_get(o, words, 8));
	struct otst_trace_line *line;
	bool exact = true, kernel;
	uint64_t addr;
	int err = 0;

	/* of an array that the stack does not fill */
	while (count && !otst_get(o, words + (count - 1) * 8, 8))
		count--;
	if (user)
		otst_trace_mark_add(o, lines, OTST_USER_MARK);
	for (size_t i = 0; i < count && !err; i++) {
		addr = otst_get(o, words + i * 8, 8);
		kernel = !user && otst_is_kernel_pointer(o, addr);
		line = add_stack_line(o, lines, addr);
		/*
		 * First the instruction that the program was called for, then return addresses;
		 * below the entry of an interrupt the instruction where it came.
		 */
		line->exact = exact;
		exact = kernel && otst_returns_to_interrupted(o, addr - !exact);
		if (!kernel)
			err = make_user(o, line, address_text(o, addr));
	}
	return err;
}

/* struct bpf_stack_build_id: status, build id, offset or address */
static int build_id_frames(struct otst *o, const uint8_t *at, size_t count, struct otst_vec *lines)
{
	char hex[2 * BUILD_ID_BYTES + 1];
	struct otst_trace_line *line;
	uint64_t value, status;
	int err = 0;

	otst_trace_mark_add(o, lines, OTST_USER_MARK);
	for (size_t i = 0; i < count && !err; i++, at += BUILD_ID_FRAME) {
		status = otst_get(o, at, 4);
		value = otst_get(o, at + BUILD_ID_FRAME - 8, 8);
		if (!status)
			break;
		if (status > 2)
			return otst_raise(o, OTST_ERR_CORRUPT, "frame %zu has status %" PRIu64, i,
					  status);
		line = add_stack_line(o, lines, status == 2 ? value : 0);
		for (size_t k = 0; k < BUILD_ID_BYTES; k++)
			snprintf(hex + 2 * k, 3, "%02x", at[4 + k]);
		err = make_user(o, line,
				status == 2 ? address_text(o, value) :
					      otst_format(o, "build-id:%s+0x%" PRIx64, hex, value));
	}
	return err;
}

/* read the frames of a bucket; its id tells whether it is in its place */
static int read_stack_bucket(const struct otst_stacks *s, const struct otst_held *h,
			     const uint8_t **data, uint32_t *nr)
{
	uint32_t frame = s->form == OTST_STACKS_BUILD_ID ? BUILD_ID_FRAME : 8;
	const struct otst_member *m;
	struct otst_view v;
	uint8_t *copy;
	uint64_t hash;
	int err;

	err = otst_view_read(s->o, "stack_map_bucket", h->addr, &v);
	if (err)
		return err;
	hash = otst_u64(&v, "hash");
	*nr = (uint32_t)otst_u64(&v, "nr");
	if (v.err)
		return v.err;
	if ((hash & (s->buckets - 1)) != h->id)
		return otst_raise(s->o, OTST_ERR_CORRUPT, "its hash is of bucket %" PRIu64,
				  hash & (s->buckets - 1));
	if (*nr > s->map->value_size / frame || *nr > MAX_FRAMES)
		return otst_raise(s->o, OTST_ERR_CORRUPT, "%u frames, room is for %u", *nr,
				  s->map->value_size / frame);
	/* Linux 615755a77b24 ("bpf: extend stackmap to save binary_build_id+offset") (v4.17) */
	err = otst_member(s->o, "stack_map_bucket", "data", &m);
	if (err)
		err = otst_member(s->o, "stack_map_bucket", "ip", &m);
	if (err)
		return err;
	copy = otst_alloc(s->o, (size_t)*nr * frame + 1);
	if (!copy)
		return otst_no_memory(s->o);
	*data = copy;
	return otst_read(s->o, h->addr + m->offset, copy, (size_t)*nr * frame);
}

static int decode_held(const struct otst_stacks *s, struct otst_held *h, struct otst_vec *lines)
{
	const uint8_t *data = h->value;
	uint32_t nr = h->frames;
	int err = 0;

	if (s->form != OTST_STACKS_KEYED)
		err = read_stack_bucket(s, h, &data, &nr);
	else if (nr > s->map->value_size / 8)
		err = otst_raise(s->o, OTST_ERR_CORRUPT, "%u frames, room is for %u", nr,
				 s->map->value_size / 8);
	if (err)
		return err;
	lines->room = nr + 1;
	lines->data = otst_alloc(s->o, lines->room * sizeof(struct otst_trace_line));
	if (!lines->data)
		return otst_no_memory(s->o);
	if (s->form != OTST_STACKS_BUILD_ID)
		return otst_bpf_frames(s->o, data, nr, lines);
	return build_id_frames(s->o, data, nr, lines);
}

int otst_held_lines(const struct otst_stacks *s, struct otst_held *h)
{
	struct otst_vec lines = { 0 };
	int err;

	if (h->decoded)
		return 0;
	h->decoded = true;
	err = decode_held(s, h, &lines);
	if (otst_fatal(err))
		return err;
	if (err)
		h->error = otst_format(s->o, "stack %" PRIu64 " of map %u: %s", h->id, s->map->id,
				       otst_message(s->o));
	h->lines = lines.data;
	h->nr_lines = lines.count;
	return 0;
}

static int by_addr(const void *a, const void *b)
{
	const struct otst_held *x = *(struct otst_held *const *)a,
			       *y = *(struct otst_held *const *)b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

int otst_held_all(const struct otst_stacks *s)
{
	struct otst_held **sorted, *held = s->held.data;
	int err = 0;

	if (s->form == OTST_STACKS_KEYED || !s->held.count)
		return 0;
	sorted = otst_alloc(s->o, s->held.count * sizeof(*sorted));
	if (!sorted)
		return otst_no_memory(s->o);
	for (size_t i = 0; i < s->held.count; i++)
		sorted[i] = &held[i];
	otst_sort(sorted, s->held.count, sizeof(*sorted), by_addr);
	for (size_t i = 0; i < s->held.count && !err; i++)
		err = otst_held_lines(s, sorted[i]);
	return err;
}
