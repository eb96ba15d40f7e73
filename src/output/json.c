// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - JSON lines. An object is the text that it becomes, from its first
 * brace on: what is added is written behind it, a child's text is copied into
 * its parent's. Addresses are strings, because JSON readers keep numbers as doubles
 * and lose the low bits of kernel addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "output.h"

#define ROOM 240u /* at first: most objects need no more */

/*
 * @len: bytes of @text, without the brace or bracket that ends it
 * @array: it has no keys
 * @lost: memory ran out: it is not written
 */
struct otst_json {
	char *text;
	size_t len;
	size_t room;
	bool array;
	bool lost;
};

static const char digits[] = "0123456789abcdef";

/* ---- memory ---- */

static struct otst_json *create(bool array)
{
	struct otst_json *j = malloc(sizeof(*j));

	if (!j)
		return NULL;
	*j = (struct otst_json){ .text = malloc(ROOM), .len = 1, .room = ROOM, .array = array };
	if (!j->text) {
		free(j);
		return NULL;
	}
	*j->text = array ? '[' : '{';
	return j;
}

static void destroy(struct otst_json *j)
{
	if (j)
		free(j->text);
	free(j);
}

/* place for @n bytes at the end, which become part of it; NULL when there is none */
static char *extend(struct otst_json *j, size_t n)
{
	size_t room = j->room;
	char *text;

	while (room - j->len < n)
		room *= 2;
	if (room != j->room) {
		text = realloc(j->text, room);
		if (!text) {
			j->lost = true;
			return NULL;
		}
		j->text = text;
		j->room = room;
	}
	j->len += n;
	return j->text + j->len - n;
}

/* ---- text ---- */

static void put(struct otst_json *j, const char *s, size_t n)
{
	char *to = extend(j, n);

	if (to)
		memcpy(to, s, n);
}

static void put_escaped(struct otst_json *j, unsigned char c)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *at = strchr(plain, c);
	char code[] = "\\u00..";

	if (at) {
		code[1] = letters[at - plain];
		put(j, code, 2);
		return;
	}
	code[4] = digits[c >> 4];
	code[5] = digits[c & 15];
	put(j, code, 6);
}

static void put_string(struct otst_json *j, const char *s)
{
	size_t n;

	put(j, "\"", 1);
	for (;;) {
		for (n = 0; (unsigned char)s[n] >= ' ' && s[n] != '"' && s[n] != '\\'; n++)
			;
		put(j, s, n);
		if (!s[n])
			break;
		put_escaped(j, (unsigned char)s[n]);
		s += n + 1;
	}
	put(j, "\"", 1);
}

/* digits of @v to the base @base end at @end; where they begin */
static char *to_digits(uint64_t v, unsigned int base, char *end)
{
	do
		*--end = digits[v % base];
	while (v /= base);
	return end;
}

static void put_number(struct otst_json *j, uint64_t v)
{
	char s[20], *end = s + sizeof(s), *at = to_digits(v, 10, end);

	put(j, at, (size_t)(end - at));
}

/* what comes before a value: false when there is no object to put it in */
static bool begin(struct otst_json *j, const char *key)
{
	if (!j)
		return false;
	if (j->len > 1)
		put(j, ",", 1);
	if (!j->array) {
		put_string(j, key);
		put(j, ":", 1);
	}
	return true;
}

static void put_child(struct otst_json *j, struct otst_json *child)
{
	if (!child) {
		put(j, "null", 4);
		return;
	}
	put(j, child->text, child->len);
	put(j, child->array ? "]" : "}", 1);
	j->lost |= child->lost;
	destroy(child);
}

/* ---- values ---- */

struct otst_json *otst_json_new(const char *type)
{
	struct otst_json *j = create(false);

	if (type)
		otst_json_string(j, "type", type);
	return j;
}

struct otst_json *otst_json_array(void)
{
	return create(true);
}

void otst_json_string(struct otst_json *j, const char *key, const char *s)
{
	if (!begin(j, key))
		return;
	if (s)
		put_string(j, s);
	else
		put(j, "null", 4);
}

void otst_json_strings(struct otst_json *j, const char *key, const char *const *list)
{
	struct otst_json *a = otst_json_array();

	for (; list && *list; list++)
		otst_json_append_string(a, *list);
	otst_json_object(j, key, a);
}

void otst_json_object(struct otst_json *j, const char *key, struct otst_json *child)
{
	if (begin(j, key))
		put_child(j, child);
	else
		destroy(child);
}

void otst_json_append(struct otst_json *array, struct otst_json *child)
{
	otst_json_object(array, NULL, child);
}

void otst_json_append_string(struct otst_json *array, const char *s)
{
	otst_json_string(array, NULL, s);
}

void otst_json_u64(struct otst_json *j, const char *key, uint64_t v)
{
	if (begin(j, key))
		put_number(j, v);
}

void otst_json_s64(struct otst_json *j, const char *key, int64_t v)
{
	if (!begin(j, key))
		return;
	if (v < 0)
		put(j, "-", 1);
	put_number(j, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void otst_json_bool(struct otst_json *j, const char *key, bool v)
{
	if (begin(j, key))
		put(j, v ? "true" : "false", v ? 4 : 5);
}

void otst_json_null(struct otst_json *j, const char *key)
{
	otst_json_string(j, key, NULL);
}

void otst_json_address(struct otst_json *j, const char *key, uint64_t addr)
{
	char s[20], *end = s + sizeof(s), *at = to_digits(addr, 16, end - 1);

	if (!begin(j, key))
		return;
	end[-1] = '"';
	put(j, "\"0x", 3);
	put(j, at, (size_t)(end - at));
}

void otst_json_bytes(struct otst_json *j, const char *key, const unsigned char *b, size_t n)
{
	char *s;
	size_t i;

	if (!n) {
		otst_json_null(j, key);
		return;
	}
	if (!begin(j, key))
		return;
	s = extend(j, 2 * n + 2);
	if (!s)
		return;
	*s++ = '"';
	for (i = 0; i < n; i++) {
		*s++ = digits[b[i] >> 4];
		*s++ = digits[b[i] & 15];
	}
	*s = '"';
}

/* ---- what many lines have ---- */

void otst_json_place(struct otst_json *j, uint64_t addr, const struct otst_sym *sym)
{
	otst_json_address(j, "address", addr);
	otst_json_string(j, "symbol", sym->name);
	if (sym->name)
		otst_json_u64(j, "offset", addr - sym->addr);
	else
		otst_json_null(j, "offset");
	otst_json_string(j, "module", sym->module);
}

void otst_json_sym(struct otst_json *j, const char *key, uint64_t addr, const struct otst_sym *sym)
{
	struct otst_json *s;

	if (!addr) {
		otst_json_null(j, key);
		return;
	}
	s = otst_json_new(NULL);
	otst_json_place(s, addr, sym);
	otst_json_object(j, key, s);
}

struct otst_json *otst_json_owner(const struct otst_owner *w)
{
	struct otst_json *j = otst_json_new(NULL);

	otst_json_string(j, "kind", otst_owner_kind_name(w->kind));
	otst_json_string(j, "name", w->name);
	otst_json_string(j, "reason", w->reason);
	otst_json_string(j, "event_type", !w->letter ? NULL : w->letter == 'r' ? "r" : "p");
	otst_json_string(j, "script", w->script);
	return j;
}

void otst_json_line(struct otst_printer *p, struct otst_json *j)
{
	if (j)
		put(j, "}\n", 2);
	if (j && !j->lost)
		otst_write(p, j->text, j->len);
	else if (!p->err)
		p->err = otst_no_memory(p->o);
	destroy(j);
}
