// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page_store.c - a target that remembers the pages and answers of another one.
 */
#include "page_store.h"

#include <stdlib.h>
#include <string.h>

#include "../text/text_dump.h"

#define MAX_PAGES   (128u << 10) /* 512 MB: pages beyond that are read again each time */
#define MAX_ANSWERS (256u << 10)
#define RECORD_READ STORE_PAGE /* the engine reads records by pages, tables in larger pieces */

enum question { ASK_SYMBOL, ASK_SYMBOL_AT, ASK_MEMBER, ASK_TYPE_SIZE, ASK_ENUMERATOR };

/**
 * struct answer - an answer of the wrapped target
 * @key: the question's words, each with its NUL; empty for ASK_SYMBOL_AT
 * @err: its return value
 */
struct answer {
	struct answer *next;
	enum question question;
	uint64_t addr;
	int err;
	uint64_t value;
	struct otst_member *member;
	struct otst_symbol *symbol;
	size_t key_len;
	char key[];
};

struct page_store {
	struct otst_target_ops ops;
	const struct otst_target_ops *base;
	void *priv;
	unsigned int recording;
	struct store_page **pages;
	size_t nr_slots;
	size_t nr_pages;
	struct answer **answers;
	size_t nr_answers;
	const struct store_page **walked;
};

#define ANSWER_SLOTS 16384u

/* ---- pages ---- */

static size_t page_slot(const struct page_store *s, uint64_t number)
{
	size_t i = (number * 0x9e3779b97f4a7c15ull >> 20) & (s->nr_slots - 1);

	while (s->pages[i] && s->pages[i]->number != number)
		i = (i + 1) & (s->nr_slots - 1);
	return i;
}

static void grow_pages(struct page_store *s)
{
	struct store_page **old = s->pages;
	size_t nr_old = s->nr_slots;

	s->nr_slots = nr_old ? 2 * nr_old : 1024;
	s->pages = text_xrealloc(NULL, s->nr_slots * sizeof(*s->pages));
	memset(s->pages, 0, s->nr_slots * sizeof(*s->pages));
	for (size_t i = 0; i < nr_old; i++)
		if (old[i])
			s->pages[page_slot(s, old[i]->number)] = old[i];
	free(old);
}

/* Bisects a page to find out which of its bytes the dump has. */
static void load_part(struct page_store *s, struct store_page *page, size_t at, size_t len)
{
	if (!s->base->read(s->priv, OTST_VIRT, page->number * STORE_PAGE + at, page->data + at,
			   len)) {
		for (size_t i = at; i < at + len; i++)
			page->valid[i / 8] |= 1u << i % 8;
		page->present = true;
	} else if (len > 1) {
		load_part(s, page, at, len / 2);
		load_part(s, page, at + len / 2, len - len / 2);
	}
}

static struct store_page *get_page(struct page_store *s, uint64_t number)
{
	struct store_page *page;

	if (2 * s->nr_pages >= s->nr_slots)
		grow_pages(s);
	page = s->pages[page_slot(s, number)];
	if (page || s->nr_pages >= MAX_PAGES)
		return page;
	page = text_xrealloc(NULL, sizeof(*page));
	memset(page, 0, sizeof(*page));
	page->number = number;
	page->whole =
		!s->base->read(s->priv, OTST_VIRT, number * STORE_PAGE, page->data, STORE_PAGE);
	page->present = page->whole;
	if (!page->whole)
		load_part(s, page, 0, STORE_PAGE);
	s->pages[page_slot(s, number)] = page;
	s->nr_pages++;
	return page;
}

static bool is_valid(const struct store_page *page, size_t at, size_t n)
{
	if (page->whole || !page->present)
		return page->present;
	for (size_t i = at; i < at + n;) {
		bool eight = i % 8 == 0 && i + 8 <= at + n;
		unsigned int bits = eight ? 0xff : 1u << i % 8;

		if ((page->valid[i / 8] & bits) != bits)
			return false;
		i += eight ? 8 : 1;
	}
	return true;
}

static int store_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct page_store *s = priv;

	if (space != OTST_VIRT || addr + len < addr)
		return s->base->read(s->priv, space, addr, buf, len);
	/* first look, then copy: a failed read leaves the buffer alone */
	for (int copy = 0; copy < 2; copy++) {
		for (uint64_t done = 0; done < len;) {
			size_t at = (addr + done) % STORE_PAGE;
			size_t n = STORE_PAGE - at < len - done ? STORE_PAGE - at : len - done;
			struct store_page *page = get_page(s, (addr + done) / STORE_PAGE);

			if (!page)
				return s->base->read(s->priv, space, addr, buf, len);
			if (s->recording) {
				page->users |= s->recording;
				page->record |= len <= RECORD_READ;
			}
			if (!is_valid(page, at, n))
				return OTST_ERR_FAULT;
			if (copy)
				memcpy((char *)buf + done, page->data + at, n);
			done += n;
		}
	}
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct store_page *x = *(const struct store_page *const *)a;
	const struct store_page *y = *(const struct store_page *const *)b;

	return x->number < y->number ? -1 : x->number > y->number;
}

const struct store_page *const *page_store_walked(struct page_store *s, bool records, size_t *count)
{
	*count = 0;
	s->walked = text_xrealloc(s->walked, (s->nr_pages + 1) * sizeof(*s->walked));
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct store_page *page = s->pages[i];

		if (page && page->users && page->present && (page->record || !records))
			s->walked[(*count)++] = page;
	}
	qsort(s->walked, *count, sizeof(*s->walked), by_number);
	return s->walked;
}

/* ---- answers ---- */

static size_t hash_key(enum question q, uint64_t addr, const char *key, size_t len)
{
	uint64_t h = 0xcbf29ce484222325ull ^ q ^ addr * 0x9e3779b97f4a7c15ull;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)key[i]) * 0x100000001b3ull;
	return (h ^ h >> 32) % ANSWER_SLOTS;
}

/* The remembered answer, or a new one with @fresh set that the caller fills. */
static struct answer *ask(struct page_store *s, enum question q, uint64_t addr, const char *a,
			  const char *b, bool *fresh)
{
	size_t len_a = a ? strlen(a) + 1 : 0, len_b = b ? strlen(b) + 1 : 0;
	char key[512];
	struct answer *found;
	size_t slot;

	*fresh = false;
	if (len_a + len_b > sizeof(key))
		return NULL;
	if (len_a)
		memcpy(key, a, len_a);
	if (len_b)
		memcpy(key + len_a, b, len_b);
	slot = hash_key(q, addr, key, len_a + len_b);
	for (found = s->answers[slot]; found; found = found->next)
		if (found->question == q && found->addr == addr &&
		    found->key_len == len_a + len_b && !memcmp(found->key, key, found->key_len))
			return found;
	if (s->nr_answers >= MAX_ANSWERS)
		return NULL;
	found = text_xrealloc(NULL, sizeof(*found) + len_a + len_b);
	memset(found, 0, sizeof(*found));
	found->question = q;
	found->addr = addr;
	found->key_len = len_a + len_b;
	memcpy(found->key, key, found->key_len);
	found->next = s->answers[slot];
	s->answers[slot] = found;
	s->nr_answers++;
	*fresh = true;
	return found;
}

static int store_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct page_store *s = priv;
	bool fresh;
	struct answer *a = ask(s, ASK_SYMBOL, 0, name, NULL, &fresh);

	if (!a)
		return s->base->symbol(s->priv, name, ret);
	if (fresh)
		a->err = s->base->symbol(s->priv, name, &a->value);
	if (!a->err)
		*ret = a->value;
	return a->err;
}

static int store_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	struct page_store *s = priv;
	bool fresh;
	struct answer *a = ask(s, ASK_SYMBOL_AT, addr, NULL, NULL, &fresh);

	if (!a)
		return s->base->symbol_at(s->priv, addr, ret);
	if (fresh) {
		struct otst_symbol sym;

		a->err = s->base->symbol_at(s->priv, addr, &sym);
		if (!a->err) {
			a->symbol = text_xrealloc(NULL, sizeof(sym));
			*a->symbol = sym;
		}
	}
	if (!a->err)
		*ret = *a->symbol;
	return a->err;
}

static int store_member(void *priv, const char *type, const char *member, struct otst_member *ret)
{
	struct page_store *s = priv;
	bool fresh;
	struct answer *a = ask(s, ASK_MEMBER, 0, type, member, &fresh);

	if (!a)
		return s->base->member(s->priv, type, member, ret);
	if (fresh) {
		struct otst_member m;

		a->err = s->base->member(s->priv, type, member, &m);
		if (!a->err) {
			a->member = text_xrealloc(NULL, sizeof(m));
			*a->member = m;
		}
	}
	if (!a->err)
		*ret = *a->member;
	return a->err;
}

static int store_type_size(void *priv, const char *type, uint64_t *ret)
{
	struct page_store *s = priv;
	bool fresh;
	struct answer *a = ask(s, ASK_TYPE_SIZE, 0, type, NULL, &fresh);

	if (!a)
		return s->base->type_size(s->priv, type, ret);
	if (fresh)
		a->err = s->base->type_size(s->priv, type, &a->value);
	if (!a->err)
		*ret = a->value;
	return a->err;
}

static int store_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct page_store *s = priv;
	int64_t value = 0;
	bool fresh;
	struct answer *a = ask(s, ASK_ENUMERATOR, 0, name, NULL, &fresh);

	if (!a)
		return s->base->enumerator(s->priv, name, ret);
	if (fresh) {
		a->err = s->base->enumerator(s->priv, name, &value);
		a->value = (uint64_t)value;
	}
	if (!a->err)
		*ret = (int64_t)a->value;
	return a->err;
}

static int store_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	struct page_store *s = priv;

	return s->base->vmcoreinfo(s->priv, ret, len);
}

static int store_notes(void *priv, const void **ret, uint64_t *len)
{
	struct page_store *s = priv;

	return s->base->notes(s->priv, ret, len);
}

static bool store_interrupted(void *priv)
{
	struct page_store *s = priv;

	return s->base->interrupted(s->priv);
}

static int store_cpu_regs(void *priv, unsigned int cpu, const char *const *names, uint32_t count,
			  uint64_t *ret)
{
	struct page_store *s = priv;

	return s->base->cpu_regs(s->priv, cpu, names, count, ret);
}

static bool store_knows(void *priv, int what)
{
	struct page_store *s = priv;

	return s->base->knows(s->priv, what);
}

/* ---- life ---- */

struct page_store *page_store_create(const struct otst_target_ops *ops, void *priv)
{
	struct page_store *s = text_xrealloc(NULL, sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->answers = text_xrealloc(NULL, ANSWER_SLOTS * sizeof(*s->answers));
	memset(s->answers, 0, ANSWER_SLOTS * sizeof(*s->answers));
	s->base = ops;
	s->priv = priv;
	/* the store cannot do what the wrapped target cannot */
	s->ops = (struct otst_target_ops){
		.size = sizeof(s->ops),
		.name = ops->name,
		.read = ops->read ? store_read : NULL,
		.symbol = ops->symbol ? store_symbol : NULL,
		.symbol_at = ops->symbol_at ? store_symbol_at : NULL,
		.member = ops->member ? store_member : NULL,
		.type_size = ops->type_size ? store_type_size : NULL,
		.enumerator = ops->enumerator ? store_enumerator : NULL,
		.vmcoreinfo = ops->vmcoreinfo ? store_vmcoreinfo : NULL,
		.interrupted = ops->interrupted ? store_interrupted : NULL,
		.cpu_regs = ops->cpu_regs ? store_cpu_regs : NULL,
		.knows = ops->knows ? store_knows : NULL,
		.notes = ops->notes ? store_notes : NULL,
	};
	return s;
}

void page_store_record(struct page_store *s, unsigned int user)
{
	s->recording = user;
}

const struct otst_target_ops *page_store_ops(const struct page_store *s)
{
	return &s->ops;
}

void page_store_destroy(struct page_store *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr_slots; i++)
		free(s->pages[i]);
	for (size_t i = 0; i < ANSWER_SLOTS; i++) {
		struct answer *next;

		for (struct answer *a = s->answers[i]; a; a = next) {
			next = a->next;
			free(a->member);
			free(a->symbol);
			free(a);
		}
	}
	free(s->pages);
	free(s->answers);
	free(s->walked);
	free(s);
}
