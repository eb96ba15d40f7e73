// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - JSON lines through json-c. Addresses are strings, because JSON
 * readers keep numbers as doubles and lose the low bits of kernel addresses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "output.h"

static void add(struct json_object *j, const char *key, struct json_object *value)
{
	if (j)
		json_object_object_add_ex(j, key, value,
					  JSON_C_OBJECT_KEY_IS_CONSTANT |
						  JSON_C_OBJECT_ADD_KEY_IS_NEW);
	else
		json_object_put(value);
}

struct json_object *otst_json_new(const char *type)
{
	struct json_object *j = json_object_new_object();

	if (type)
		otst_json_string(j, "type", type);
	return j;
}

void otst_json_string(struct json_object *j, const char *key, const char *s)
{
	add(j, key, s ? json_object_new_string(s) : NULL);
}

void otst_json_chars(struct json_object *j, const char *key, const char *s, size_t len)
{
	add(j, key, s ? json_object_new_string_len(s, (int)len) : NULL);
}

void otst_json_strings(struct json_object *j, const char *key, const char *const *list)
{
	struct json_object *a = json_object_new_array();

	for (; list && *list; list++)
		otst_json_append_string(a, *list);
	add(j, key, a);
}

struct json_object *otst_json_array(void)
{
	return json_object_new_array();
}

void otst_json_append(struct json_object *array, struct json_object *child)
{
	if (array)
		json_object_array_add(array, child);
	else
		json_object_put(child);
}

void otst_json_append_string(struct json_object *array, const char *s)
{
	otst_json_append(array, json_object_new_string(s));
}

void otst_json_u64(struct json_object *j, const char *key, uint64_t v)
{
	add(j, key, json_object_new_uint64(v));
}

void otst_json_s64(struct json_object *j, const char *key, int64_t v)
{
	add(j, key, json_object_new_int64(v));
}

void otst_json_bool(struct json_object *j, const char *key, bool v)
{
	add(j, key, json_object_new_boolean(v));
}

void otst_json_null(struct json_object *j, const char *key)
{
	add(j, key, NULL);
}

void otst_json_address(struct json_object *j, const char *key, uint64_t addr)
{
	char s[32];

	snprintf(s, sizeof(s), "0x%" PRIx64, addr);
	otst_json_string(j, key, s);
}

void otst_json_bytes(struct json_object *j, const char *key, const unsigned char *b, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *s = n ? malloc(2 * n + 1) : NULL;
	size_t i;

	for (i = 0; s && i < n; i++) {
		s[2 * i] = digits[b[i] >> 4];
		s[2 * i + 1] = digits[b[i] & 15];
	}
	if (s)
		s[2 * n] = '\0';
	otst_json_string(j, key, s);
	free(s);
}

void otst_json_place(struct json_object *j, uint64_t addr, const struct otst_sym *sym)
{
	otst_json_address(j, "address", addr);
	otst_json_string(j, "symbol", sym->name);
	if (sym->name)
		otst_json_u64(j, "offset", addr - sym->addr);
	else
		otst_json_null(j, "offset");
	otst_json_string(j, "module", sym->module);
}

void otst_json_sym(struct json_object *j, const char *key, uint64_t addr,
		   const struct otst_sym *sym)
{
	struct json_object *s;

	if (!addr) {
		otst_json_null(j, key);
		return;
	}
	s = otst_json_new(NULL);
	otst_json_place(s, addr, sym);
	add(j, key, s);
}

void otst_json_object(struct json_object *j, const char *key, struct json_object *child)
{
	add(j, key, child);
}

struct json_object *otst_json_owner(const struct otst_owner *w)
{
	struct json_object *j = otst_json_new(NULL);

	otst_json_string(j, "kind", otst_owner_kind_name(w->kind));
	otst_json_string(j, "name", w->name);
	otst_json_string(j, "reason", w->reason);
	otst_json_string(j, "event_type", !w->letter ? NULL : w->letter == 'r' ? "r" : "p");
	otst_json_string(j, "script", w->script);
	return j;
}

void otst_json_line(struct otst_printer *p, struct json_object *j)
{
	size_t len = 0;
	const char *s =
		j ? json_object_to_json_string_length(
			    j, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len) :
		    NULL;

	if (s)
		otst_write(p, s, len);
	else if (!p->err)
		p->err = otst_no_memory(p->o);
	json_object_put(j);
	otst_printf(p, "\n");
}
