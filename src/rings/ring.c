// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * ring.c - which sub-buffers of a ring hold events: the lists of struct
 * buffer_page in struct ring_buffer_per_cpu (kernel/trace/ring_buffer.c).
 *
 * A cpu's sub-buffers form a circle. One more, the reader's, is outside of it and
 * holds the oldest events. A walk enters the circle at the head, which the low
 * bits of the pointer to it mark, and leaves it after the commit page. Where the
 * list is cut, the rest is found from the other end.
 */
#include <inttypes.h>

#include "../ftrace/tracing.h"
#include "subbuf.h"

#define FLAG_MASK	3u	   /* RB_FLAG_MASK: RB_PAGE_HEAD, RB_PAGE_UPDATE */
#define MAX_PAGES	(1u << 22) /* 16 GB a cpu */
#define MAX_NODE	256u
#define MAX_SUBBUF	(64u << 20)
#define MAX_CHECKPOINTS 64u
#define READINGS	5   /* of a live kernel's lists */
#define HEADER_SIZE	16u /* struct buffer_data_page before data[] */
#define LIST_PREV	8u
#define POINTER_SIZE	8u

/* where the members of struct buffer_page lie */
struct layout {
	uint64_t list;
	uint64_t read;
	uint64_t page;
	size_t size;
};

/* one struct buffer_page */
struct node {
	uint64_t addr;
	uint64_t next; /* with its flags */
	uint64_t prev;
	uint64_t data;
	uint32_t read;
};

struct opening {
	struct otst *o;
	struct otst_ring *ring;
	struct layout at;
	/* of the current cpu */
	struct otst_ring_cpu *cpu;
	uint64_t head;
	uint64_t commit;
	uint64_t tail;
	uint64_t reader;
	uint64_t limit;
};

/* a stretch of the circle */
struct arc {
	struct otst_vec front; /* of struct otst_subbuf, from its first on */
	struct otst_vec back;  /* from its last one backwards, when the list is cut */
	uint64_t missing;      /* between the two; at least so many, unless @exact */
	bool exact;	       /* @missing is known */
};

static int get_layout(struct otst *o, struct layout *ret)
{
	const struct otst_member *list, *read, *page;
	int err;

	err = otst_member(o, "buffer_page", "list", &list);
	err = err ?: otst_member(o, "buffer_page", "read", &read);
	err = err ?: otst_member(o, "buffer_page", "page", &page);
	if (err)
		return err;
	*ret = (struct layout){ list->offset, read->offset, page->offset, page->offset + 8 };
	if (ret->size < list->offset + 2 * POINTER_SIZE)
		ret->size = list->offset + 2 * POINTER_SIZE;
	if (ret->size < read->offset + 4)
		ret->size = read->offset + 4;
	return ret->size > MAX_NODE ?
		       otst_raise(o, OTST_ERR_LOOKUP, "struct buffer_page is too large") :
		       0;
}

/* ---- pages ---- */

static int read_remote_node(struct opening *w, uint64_t addr, struct node *ret)
{
	uint8_t raw[MAX_NODE];
	int err;

	if (!otst_is_kernel_pointer(w->o, addr) || addr % 4 || otst_is_poison(addr))
		return otst_raise(w->o, OTST_ERR_CORRUPT, "bad pointer 0x%" PRIx64, addr);
	err = otst_read(w->o, addr, raw, w->at.size);
	if (err)
		return otst_fail(w->o, err, "buffer_page");
	ret->addr = addr;
	ret->next = otst_get(w->o, raw + w->at.list, POINTER_SIZE);
	ret->prev = otst_get(w->o, raw + w->at.list + LIST_PREV, POINTER_SIZE) - w->at.list;
	ret->data = otst_get(w->o, raw + w->at.page, POINTER_SIZE);
	ret->read = (uint32_t)otst_get(w->o, raw + w->at.read, 4);
	return 0;
}

static uint64_t next_of(const struct opening *w, const struct node *n)
{
	return (n->next & ~(uint64_t)FLAG_MASK) - w->at.list;
}

static int note_ring_gap(struct opening *w, int err, const char *what)
{
	return otst_note(w->o, &w->cpu->errors,
			 otst_fail(w->o, err, "cpu %u: %s", w->cpu->cpu, what));
}

static void add_ring_node(struct opening *w, struct otst_vec *v, const struct node *n)
{
	struct otst_subbuf *s = otst_vec_push(w->o, v, sizeof(*s));

	s->addr = n->addr;
	s->data = n->data;
}

static bool has_node(const struct otst_vec *v, uint64_t addr)
{
	const struct otst_subbuf *s = v->data;

	for (size_t i = 0; i < v->count; i++) {
		if (s[i].addr == addr)
			return true;
	}
	return false;
}

static uint64_t last_of(const struct otst_vec *v)
{
	const struct otst_subbuf *s = v->data;

	return v->count ? s[v->count - 1].addr : 0;
}

/* nodes that a walk did not reach from where their back link points */
struct checkpoints {
	uint64_t at[MAX_CHECKPOINTS];
	unsigned int count;
};

/*
 * A loop closes at a node that two others lead to, and its back link fits at most
 * one of them. So a node whose back link fits is compared with the checkpoints
 * only, and a checkpoint with all nodes. Checkpoints are few: where a walk begins,
 * and where the kernel stopped while a reader swapped a page.
 */
static int check_loop(struct opening *w, const struct arc *a, uint64_t addr, bool fits,
		      struct checkpoints *checkpoints)
{
	bool seen = false;

	for (unsigned int i = 0; i < checkpoints->count; i++)
		seen |= checkpoints->at[i] == addr;
	if (!fits && !seen)
		seen = checkpoints->count == MAX_CHECKPOINTS || has_node(&a->front, addr) ||
		       has_node(&a->back, addr);
	if (seen)
		return otst_raise(w->o, OTST_ERR_CORRUPT, "list loops back to 0x%" PRIx64, addr);
	if (!fits)
		checkpoints->at[checkpoints->count++] = addr;
	return 0;
}

/* from @first on; @broken: the page that could not be read, 0 when @last was reached */
static int walk_front(struct opening *w, struct arc *a, uint64_t first, uint64_t last,
		      uint64_t *broken)
{
	struct checkpoints checkpoints = { .count = 0 };
	uint64_t addr = first;
	struct node n = { 0 };
	int err;

	*broken = 0;
	for (;;) {
		uint64_t from = n.addr;

		err = read_remote_node(w, addr, &n);
		err = err ?: check_loop(w, a, addr, from && n.prev == from, &checkpoints);
		if (!err && a->front.count >= w->limit)
			err = otst_raise(w->o, OTST_ERR_CORRUPT, "no end after %zu page%s",
					 a->front.count, otst_number(a->front.count, "", "s"));
		if (err)
			break;
		add_ring_node(w, &a->front, &n);
		if (addr == last)
			return 0;
		addr = next_of(w, &n);
	}
	*broken = addr;
	return note_ring_gap(w, err, "list of sub-buffers");
}

/* from @last backwards to where walk_front() ended; sets @a->missing */
static int walk_back(struct opening *w, struct arc *a, uint64_t last, uint64_t broken)
{
	uint64_t addr = last, stop = last_of(&a->front);
	struct checkpoints checkpoints = { .count = 0 };
	struct node n = { 0 };
	int err = 0;

	a->missing = 0;
	a->exact = true;
	while (addr != stop) {
		uint64_t from = n.addr;

		a->missing = 1;
		a->exact = addr == broken;
		err = read_remote_node(w, addr, &n);
		err = err ?: check_loop(w, a, addr, from && next_of(w, &n) == from, &checkpoints);
		if (err || a->front.count + a->back.count >= w->limit)
			break;
		add_ring_node(w, &a->back, &n);
		addr = n.prev;
		a->missing = 0;
	}
	return err && otst_fatal(err) ? err : 0;
}

static int walk_arc(struct opening *w, struct arc *a, uint64_t first, uint64_t last)
{
	uint64_t broken;
	int err;

	a->exact = true;
	/* sized at once, large rings need no copying; a wrong number costs no more than others */
	if (w->limit < MAX_PAGES) {
		a->front.data = otst_alloc(w->o, w->limit * sizeof(struct otst_subbuf));
		a->front.room = a->front.data ? w->limit : 0;
	}
	err = walk_front(w, a, first, last, &broken);
	return err || !broken ? err : walk_back(w, a, last, broken);
}

/* ---- where the circle starts ---- */

/* the page that the first flagged next pointer from @addr on leads to; 0 for none */
static int find_flag(struct opening *w, uint64_t addr, uint64_t *ret)
{
	uint64_t i, mark = addr;
	struct node n;
	int err;

	for (i = 0; i <= w->limit; i++) {
		err = read_remote_node(w, addr, &n);
		if (err)
			return otst_fatal(err) ? err : 0;
		addr = next_of(w, &n);
		if (n.next & FLAG_MASK) {
			*ret = addr;
			return 0;
		}
		/* Brent: a mark that jumps ahead is met again in any loop */
		if (addr == mark)
			return 0;
		if (!(i & (i + 1)))
			mark = addr;
	}
	return 0;
}

/*
 * rb_set_head_page(): cpu_buffer->head_page is where the head was last seen. A page
 * that the page before it does not point to is being swapped by a reader, and is the
 * head as well; the mark is then already on the pointer to the page after it.
 */
static int find_head(struct opening *w, uint64_t hint, uint64_t *ret)
{
	struct node n = { 0 }, before = { 0 };
	uint64_t next = 0, marked = 0;
	int err = read_remote_node(w, hint, &n);

	if (!err) {
		next = next_of(w, &n);
		err = read_remote_node(w, n.prev, &before);
	}
	if (err && otst_fatal(err))
		return err;
	if (!err && next_of(w, &before) == hint && before.next & FLAG_MASK) {
		*ret = hint;
		return 0;
	}
	err = find_flag(w, hint, &marked);
	if (!err && !marked && w->commit != w->reader)
		err = find_flag(w, w->commit, &marked);
	if (err)
		return err;
	*ret = marked;
	if (before.addr && next_of(w, &before) != hint && (!marked || marked == next))
		*ret = hint;
	if (*ret)
		return 0;
	*ret = next ? hint : w->commit;
	return note_ring_gap(w, otst_raise(w->o, OTST_ERR_CORRUPT, "no page is marked as the head"),
			     "list of sub-buffers");
}

/* ---- one cpu ---- */

static struct otst_subbuf *add_subbuf(struct opening *w, const struct otst_subbuf *from)
{
	struct otst_ring_cpu *c = w->cpu;
	struct otst_subbuf *s = &c->subbufs[c->nr_subbufs++];

	*s = *from;
	s->missing = c->missing;
	c->missing = 0;
	return s;
}

static void add_arc(struct opening *w, const struct arc *a, bool consumed)
{
	const struct otst_subbuf *s = a->front.data;

	for (size_t i = 0; i < a->front.count; i++)
		add_subbuf(w, &s[i])->consumed = consumed;
	w->cpu->missing += (uint32_t)a->missing;
	s = a->back.data;
	for (size_t i = a->back.count; i; i--)
		add_subbuf(w, &s[i - 1])->consumed = consumed;
}

static int add_reader(struct opening *w)
{
	struct otst_ring_cpu *c = w->cpu;
	struct otst_subbuf *s;
	struct node n;
	int err = read_remote_node(w, w->reader, &n);

	if (err) {
		c->missing++;
		return note_ring_gap(w, err, "the reader's sub-buffer");
	}
	s = add_subbuf(w, &(struct otst_subbuf){ .addr = n.addr, .data = n.data });
	s->read = n.read;
	return 0;
}

static size_t arc_count(const struct arc *a)
{
	return a->front.count + a->back.count;
}

/* what the walks cannot count is what is left of the total */
static void count_missing(struct opening *w, struct arc *unread, struct arc *read)
{
	uint64_t known = arc_count(unread) + arc_count(read), left;
	struct arc *open = unread->exact ? read : unread;

	if ((unread->exact && read->exact) || w->cpu->nr_pages > w->limit)
		return;
	left = (unread->exact ? unread->missing : 0) + (read->exact ? read->missing : 0);
	if (w->cpu->nr_pages > known + left + open->missing)
		open->missing = w->cpu->nr_pages - known - left;
}

/* walk what lies between the tail and the head: all of it was read, or never written */
static int walk_read(struct opening *w, struct arc *ret)
{
	uint64_t first = w->head;
	struct node tail, head;
	int err = read_remote_node(w, w->head, &head);

	if (!err && w->tail != w->reader) {
		err = read_remote_node(w, w->tail, &tail);
		first = next_of(w, &tail);
		/* the circle is full */
		if (!err && first == w->head)
			return 0;
	}
	if (err)
		return note_ring_gap(w, err, "sub-buffers that were read");
	return walk_arc(w, ret, first, head.prev);
}

static int find_subbufs(struct opening *w, uint64_t hint)
{
	struct otst_ring_cpu *c = w->cpu;
	struct arc unread = { .exact = true }, read = { .exact = true };
	int err = 0;

	if (w->commit != w->reader || w->ring->consumed)
		err = find_head(w, hint, &w->head);
	if (!err && w->commit != w->reader)
		err = walk_arc(w, &unread, w->head, w->commit);
	/* the rest also tells how many are missing */
	if (!err && (w->ring->consumed || !unread.exact))
		err = walk_read(w, &read);
	if (err)
		return err;
	count_missing(w, &unread, &read);
	c->subbufs =
		otst_alloc(w->o, (arc_count(&unread) + arc_count(&read) + 1) * sizeof(*c->subbufs));
	if (!c->subbufs)
		return otst_no_memory(w->o);
	if (w->ring->consumed)
		add_arc(w, &read, true);
	err = add_reader(w);
	if (!err)
		add_arc(w, &unread, false);
	return err;
}

/* @hint: where the head was last seen */
static int read_ring_cpu(struct opening *w, const struct otst_cpu_buffer *from, uint64_t *hint)
{
	struct otst_ring_cpu *c = w->cpu;
	struct otst_view v;
	int err;

	*c = (struct otst_ring_cpu){ .cpu = from->cpu, .addr = from->addr };
	if (!c->addr)
		return otst_raise(w->o, OTST_ERR_FAULT, "%s",
				  from->error ? from->error : "no ring");
	err = otst_view_read(w->o, "ring_buffer_per_cpu", c->addr, &v);
	if (err)
		return err;
	c->nr_pages = otst_u64(&v, "nr_pages");
	c->read_stamp = otst_u64(&v, "read_stamp");
	*hint = otst_u64(&v, "head_page");
	w->commit = otst_u64(&v, "commit_page");
	w->tail = otst_u64(&v, "tail_page");
	w->reader = otst_u64(&v, "reader_page");
	c->apart = w->reader != w->commit;
	w->limit = c->nr_pages && c->nr_pages < MAX_PAGES ? c->nr_pages : MAX_PAGES;
	return v.err;
}

static int open_once(struct opening *w, const struct otst_cpu_buffer *from)
{
	uint64_t hint;
	int err = read_ring_cpu(w, from, &hint);

	return err ? note_ring_gap(w, err, "ring buffer") : find_subbufs(w, hint);
}

/* ---- a kernel that runs ---- */

/* a reader may have taken a sub-buffer out of the circle meanwhile */
static bool has_moved(struct opening *w, const struct otst_cpu_buffer *from)
{
	uint64_t reader = w->reader, hint;

	otst_memory_anew(w->o);
	return w->cpu->errors.count || read_ring_cpu(w, from, &hint) || w->reader != reader;
}

/*
 * Notes the times of all sub-buffers, so that otst_subbuf_load() sees what was overwritten since.
 * The writer goes on at the oldest: a sub-buffer that starts later than one after it is new.
 */
static int read_stamps(struct opening *w)
{
	struct otst_ring_cpu *c = w->cpu;
	uint64_t least = UINT64_MAX;
	size_t i;
	int known;

	for (i = 0; i < c->nr_subbufs; i++) {
		known = otst_subbuf_stamp_of(w->ring, &c->subbufs[i], &c->subbufs[i].stamp);
		if (known < 0)
			return known;
		if (!known)
			c->subbufs[i].stamp = 0;
	}
	while (i--) {
		struct otst_subbuf *s = &c->subbufs[i];

		if (s->consumed || !s->stamp)
			continue;
		s->moved = s->stamp > least;
		least = s->stamp < least ? s->stamp : least;
	}
	return 0;
}

/* the lists of sub-buffers are read again while they move */
static int open_live(struct opening *w, const struct otst_cpu_buffer *from)
{
	int i, err = 0;

	for (i = 0; i < READINGS && !err; i++) {
		struct otst_ring_cpu found;

		otst_memory_anew(w->o);
		err = open_once(w, from);
		found = *w->cpu;
		if (!err && !has_moved(w, from))
			i = READINGS;
		*w->cpu = found;
	}
	return err ? err : read_stamps(w);
}

static int open_cpu(struct opening *w, const struct otst_cpu_buffer *from)
{
	return otst_is_live(w->o) ? open_live(w, from) : open_once(w, from);
}

int otst_ring_oldest(struct otst *o, const struct otst_cpu_buffer *buffer, uint64_t *ret)
{
	struct otst_ring_cpu cpu;
	struct opening w = { .o = o, .cpu = &cpu };
	struct otst_view data;
	struct node n;
	uint64_t hint;
	int err = otst_offset(o, "buffer_data_page", "time_stamp", &hint);

	err = err ?: get_layout(o, &w.at);
	err = err ?: read_ring_cpu(&w, buffer, &hint);
	if (err)
		return err;
	w.head = w.reader;
	if (w.tail != w.reader)
		err = find_head(&w, hint, &w.head);
	if (!err && cpu.errors.count)
		err = otst_raise(o, OTST_ERR_CORRUPT, "no page is marked as the head");
	err = err ?: read_remote_node(&w, w.head, &n);
	err = err ?: otst_view_read(o, "buffer_data_page", n.data, &data);
	if (err)
		return err;
	*ret = otst_u64(&data, "time_stamp");
	return data.err;
}

static uint32_t header_size(struct otst *o)
{
	const struct otst_member *m;

	return otst_member(o, "buffer_data_page", "data", &m) ? HEADER_SIZE : (uint32_t)m->offset;
}

int otst_ring_open(struct otst *o, const struct otst_trace_buffer *buffer, bool consumed,
		   struct otst_ring **ret)
{
	struct otst_ring *ring = otst_new(o, sizeof(*ring));
	struct opening w = { .o = o, .ring = ring };
	size_t i;
	int err = get_layout(o, &w.at);

	if (err)
		return otst_fail(o, err, "ring buffer");
	ring->o = o;
	ring->addr = buffer->addr;
	ring->subbuf_size = (uint32_t)buffer->subbuf_size;
	ring->consumed = consumed;
	ring->header = header_size(o);
	if (buffer->nr_cpus &&
	    (buffer->subbuf_size > MAX_SUBBUF || ring->subbuf_size <= ring->header))
		return otst_raise(o, OTST_ERR_CORRUPT, "sub-buffers of %" PRIu64 " bytes",
				  buffer->subbuf_size);
	ring->nr_cpus = buffer->nr_cpus;
	ring->cpus = otst_alloc(o, (ring->nr_cpus + 1) * sizeof(*ring->cpus));
	if (!ring->cpus)
		return otst_no_memory(o);
	for (i = 0, err = 0; i < ring->nr_cpus && !err; i++) {
		w.cpu = &ring->cpus[i];
		err = open_cpu(&w, &buffer->cpus[i]);
		if (!err && consumed)
			err = otst_subbufs_date(ring, w.cpu);
	}
	if (!err)
		*ret = ring;
	return err;
}
