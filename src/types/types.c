// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * types.c - where members of structures lie, how large structures are, what enumerators are worth.
 *
 * Each question is asked once, and one source answers all of them: the kernel's BTF;
 * without it the DWARF of the image file; without that the front end. Where the front end
 * does not know all types, BTF that no symbol leads to is looked for first. Answers,
 * including negative ones, are kept in a table.
 */

#include <string.h>

#include "../base/coverage.h"
#include "../base/engine.h"
#include "../base/hash.h"
#include "../base/hashmap.h"
#include "../base/recorder.h"
#include "../memory/memory.h"
#include "../names/kallsyms.h"
#include "btf.h"
#include "dwarf.h"
#include "types.h"

#define NAME_MAX_LENGTH 128 /* of a type, of a member */

enum question { ASK_MEMBER, ASK_SIZE, ASK_ENUM };

/*
 * one answer; @member is NULL for sizes and enumerators
 * @refused: the front end only knows another structure of that name
 * @lack: what to say of a member that every kernel has and this one lacks; else NULL
 * @before: the name that the member had before, which the kernel lacks as well; else NULL
 */
struct answer {
	struct answer *next;
	enum question question;
	const char *name;
	const char *member;
	int err;
	bool refused;
	const char *lack;
	const char *before;
	union {
		struct otst_member where;
		uint64_t size;
		int64_t value;
	};
};

/*
 * @btf, @dwarf: at most one is set; the front end is asked when neither is
 * @gap: why a type that is not found may exist all the same
 */
struct types {
	struct otst_btf *btf;
	struct otst_dwarf_types *dwarf;
	const char *gap;
	struct otst_hashmap answers;
};

/* @none: the reason when there is no such source */
static const char *why_not(struct otst *o, int err, const char *none)
{
	return err == OTST_ERR_LOOKUP ?
		       none :
		       otst_keep_format(o, "the kernel's type information: %s", otst_message(o));
}

static int open_types(struct otst *o, const void *of, void *value)
{
	struct types *t = value;
	const char *gap;
	int err;

	(void)of;
	t->answers.keep = true;
	err = o->options.no_btf ? OTST_ERR_LOOKUP : otst_btf_open(o, &t->btf);
	if (!err || otst_fatal(err) || (o->options.btf && !o->options.no_btf))
		return err;
	gap = why_not(o, err, "there is no type information");
	/* if the types cannot be read, those of the next source are used */
	err = otst_dwarf_types_open(o, &t->dwarf);
	if (!err || otst_fatal(err))
		return err;
	gap = why_not(o, err, gap);
	if (otst_knows(o, OTST_KNOWS_TYPES))
		return otst_stopped(o);
	err = o->options.no_btf ? OTST_ERR_LOOKUP : otst_btf_find(o, &t->btf);
	if (!err || otst_fatal(err))
		return err;
	t->gap = why_not(o, err, gap);
	return otst_stopped(o);
}

static void close_types(void *value)
{
	struct types *t = value;

	otst_btf_close(t->btf);
	otst_dwarf_types_close(t->dwarf);
}

static const struct otst_once types = { .size = sizeof(struct types),
					.make = open_types,
					.destroy = close_types };

int otst_types_usable(struct otst *o)
{
	struct types *t;

	return otst_once(o, &types, NULL, &t);
}

static struct otst_btf *btf_of(struct otst *o)
{
	const struct types *t = otst_once_or_null(o, &types, NULL);

	return t ? t->btf : NULL;
}

/* ---- names ---- */

size_t otst_type_length(const char *type)
{
	return strcspn(type, "{");
}

int otst_type_fits(const char *type, int (*has)(void *priv, const char *member), void *priv)
{
	const char *at = type + otst_type_length(type);
	char member[NAME_MAX_LENGTH];
	int err = 0;

	while (!err && *at && *at != '}') {
		size_t len = strcspn(++at, ",}");

		if (!len || len >= sizeof(member))
			return OTST_ERR_LOOKUP;
		memcpy(member, at, len);
		member[len] = '\0';
		err = has(priv, member);
		at += len;
	}
	return err;
}

const char *otst_type_name(struct otst *o, const char *type)
{
	size_t len = otst_type_length(type);
	char *name;

	/* BTF has the names of members' types: bytes of the dump */
	if (!type[len])
		return otst_clean(o, type);
	name = otst_alloc(o, len + 1);
	return otst_clean(o, name ? memcpy(name, type, len) : type);
}

/* ---- sources ---- */

static int ask_btf(struct otst_btf *b, struct answer *a)
{
	switch (a->question) {
	case ASK_MEMBER:
		return otst_btf_member(b, a->name, a->member, &a->where);
	case ASK_SIZE:
		return otst_btf_type_size(b, a->name, &a->size);
	case ASK_ENUM:
		return otst_btf_enumerator(b, a->name, &a->value);
	}
	return OTST_ERR_LOOKUP;
}

static int ask_dwarf(struct otst_dwarf_types *d, struct answer *a)
{
	switch (a->question) {
	case ASK_MEMBER:
		return otst_dwarf_type_member(d, a->name, a->member, &a->where);
	case ASK_SIZE:
		return otst_dwarf_type_size(d, a->name, &a->size);
	case ASK_ENUM:
		return otst_dwarf_enumerator(d, a->name, &a->value);
	}
	return OTST_ERR_LOOKUP;
}

/* a structure of the front end's, by its plain name */
struct foreign {
	struct otst *o;
	char name[NAME_MAX_LENGTH];
};

static int target_has_member(void *priv, const char *member)
{
	const struct foreign *f = priv;
	struct otst_member m;

	return f->o->ops.member ? f->o->ops.member(f->o->priv, f->name, member, &m) :
				  OTST_ERR_LOOKUP;
}

/*
 * A front end knows one structure of each name. It is the wrong one when it
 * lacks a member that the name asks for: then nobody knows the right one.
 */
static int ask_target_type(struct otst *o, struct answer *a)
{
	const struct otst_target_ops *ops = &o->ops;
	struct foreign f = { .o = o };
	size_t len = otst_type_length(a->name);
	uint64_t size;
	int err;

	if (len >= sizeof(f.name))
		return OTST_ERR_LOOKUP;
	memcpy(f.name, a->name, len);
	err = otst_type_fits(a->name, target_has_member, &f);
	if (err == OTST_ERR_LOOKUP)
		a->refused = ops->type_size && !ops->type_size(o->priv, f.name, &size);
	if (err)
		return err;
	switch (a->question) {
	case ASK_MEMBER:
		return ops->member ? ops->member(o->priv, f.name, a->member, &a->where) :
				     OTST_ERR_LOOKUP;
	case ASK_SIZE:
		return ops->type_size ? ops->type_size(o->priv, f.name, &a->size) : OTST_ERR_LOOKUP;
	case ASK_ENUM:
		return ops->enumerator ? ops->enumerator(o->priv, a->name, &a->value) :
					 OTST_ERR_LOOKUP;
	}
	return OTST_ERR_LOOKUP;
}

static int ask_all(struct otst *o, const struct types *t, struct answer *a)
{
	if (t->btf)
		return ask_btf(t->btf, a);
	if (t->dwarf)
		return ask_dwarf(t->dwarf, a);
	return otst_answer(o, ask_target_type(o, a));
}

/*
 * A member that lies behind the end of its structure is damage: nobody who reads the structure in
 * one go may look for it there. The unit of a bit field may end behind a packed structure
 * (struct orc_entry).
 */
static void refuse_outside(struct otst *o, const struct types *t, struct answer *a)
{
	struct answer whole = { .question = ASK_SIZE, .name = a->name };
	uint64_t bytes;

	if (a->err || a->question != ASK_MEMBER || ask_all(o, t, &whole))
		return;
	bytes = a->where.bit_size ? 1 : a->where.size;
	if (a->where.offset > whole.size || bytes > whole.size - a->where.offset)
		a->err = OTST_ERR_LOOKUP;
}

/* @gap: why there may be such a name all the same, or NULL */
static void doubt_answer(struct otst *o, const char *gap, const struct answer *a)
{
	if (!gap && a->refused)
		gap = otst_format(o, "%s knows another struct %s", otst_target_name(o),
				  otst_type_name(o, a->name));
	if (gap)
		otst_doubt(o, gap, "the kernel's vmlinux with debug information");
	else if (a->lack && o->recorder)
		otst_record(o, otst_raise(o, OTST_ERR_LOOKUP, "%s", a->lack),
			    a->member		    ? OTST_SOUGHT_MEMBER :
			    a->question == ASK_SIZE ? OTST_SOUGHT_TYPE :
						      OTST_SOUGHT_ENUMERATOR,
			    a->name, a->member ?: a->name);
	if (!gap && a->lack)
		otst_doubt(o, a->lack, NULL);
}

static const char *say_lack(struct otst *o, const struct types *t, const struct answer *a)
{
	struct answer whole = { .question = ASK_SIZE, .name = a->name };

	if (a->err != OTST_ERR_LOOKUP)
		return NULL;
	if (a->question == ASK_ENUM)
		return otst_is_required(o, OTST_ENUMERATORS, a->name) ?
			       otst_keep_format(o, "no enumerator %s in this kernel", a->name) :
			       NULL;
	if (a->question == ASK_SIZE)
		return otst_is_required(o, a->name, NULL) ?
			       otst_keep_format(o, "no struct %s in this kernel", a->name) :
			       NULL;
	return !ask_all(o, t, &whole) && otst_is_required(o, a->name, a->member) ?
		       otst_keep_format(o, "struct %s has no member %s in this kernel", a->name,
					a->member) :
		       NULL;
}

static int look_up_type(struct otst *o, enum question q, const char *name, const char *member,
			struct answer **ret)
{
	struct answer *a;
	struct types *t;
	void **place;
	uint32_t h;
	int err = otst_once(o, &types, NULL, &t);

	if (err)
		return err;
	h = otst_hash(name, strlen(name)) * 31 + (uint32_t)q;
	if (member)
		h = h * 31 + otst_hash(member, strlen(member));
	for (a = otst_hashmap_find(&t->answers, h); a; a = a->next) {
		if (a->question == q && !strcmp(a->name, name) &&
		    (!member || !strcmp(a->member, member)))
			break;
	}
	if (!a) {
		a = otst_keep(o, sizeof(*a));
		if (!a)
			return otst_no_memory(o);
		a->question = q;
		a->name = otst_keep_string(o, name);
		a->member = member ? otst_keep_string(o, member) : NULL;
		if (!a->name || (member && !a->member))
			return otst_no_memory(o);
		a->err = ask_all(o, t, a);
		refuse_outside(o, t, a);
		a->lack = say_lack(o, t, a);
		if (otst_fatal(a->err))
			return a->err;
		if (a->err && a->err != OTST_ERR_LOOKUP)
			otst_once_retry(o);
		place = otst_hashmap_place(o, &t->answers, h);
		if (!place)
			return OTST_ERR_NOMEM;
		a->next = *place;
		*place = a;
	}
	if (a->err == OTST_ERR_LOOKUP)
		doubt_answer(o, t->gap, a);
	*ret = a;
	return a->err;
}

int otst_member(struct otst *o, const char *type, const char *member,
		const struct otst_member **ret)
{
	struct answer *a;
	int err = look_up_type(o, ASK_MEMBER, type, member, &a);

	*ret = NULL;
	if (err == OTST_ERR_LOOKUP)
		return otst_record(o,
				   otst_raise(o, err,
					      "struct %s has no member %s%s%s in this kernel",
					      otst_type_name(o, type), member,
					      a->before ? " or " : "", a->before ?: ""),
				   OTST_SOUGHT_MEMBER, type, member);
	if (!err)
		*ret = &a->where;
	return err;
}

int otst_offset(struct otst *o, const char *type, const char *member, uint64_t *ret)
{
	const struct otst_member *m;
	int err = otst_member(o, type, member, &m);

	if (!err)
		*ret = m->offset;
	return err;
}

bool otst_has_member(struct otst *o, const char *type, const char *member)
{
	struct answer *a;

	return !look_up_type(o, ASK_MEMBER, type, member, &a);
}

const char *otst_either(struct otst *o, const char *type, const char *now, const char *before)
{
	struct answer *a;

	if (look_up_type(o, ASK_MEMBER, type, now, &a) != OTST_ERR_LOOKUP)
		return now;
	if (otst_has_member(o, type, before))
		return before;
	/* whoever asks for @now hears of both */
	a->before = before;
	return now;
}

int otst_type_size(struct otst *o, const char *type, uint64_t *ret)
{
	struct answer *a;
	int err = look_up_type(o, ASK_SIZE, type, NULL, &a);

	if (err == OTST_ERR_LOOKUP)
		return otst_record(o,
				   otst_raise(o, err, "no struct %s in this kernel",
					      otst_type_name(o, type)),
				   OTST_SOUGHT_TYPE, NULL, type);
	if (!err)
		*ret = a->size;
	return err;
}

bool otst_has_type(struct otst *o, const char *type)
{
	struct answer *a;

	return !look_up_type(o, ASK_SIZE, type, NULL, &a);
}

int otst_enumerator(struct otst *o, const char *name, int64_t *ret)
{
	struct answer *a;
	int err = look_up_type(o, ASK_ENUM, name, NULL, &a);

	if (err == OTST_ERR_LOOKUP)
		return otst_record(o, otst_raise(o, err, "no enumerator %s in this kernel", name),
				   OTST_SOUGHT_ENUMERATOR, NULL, name);
	if (!err)
		*ret = a->value;
	return err;
}

int64_t otst_enumerator_or(struct otst *o, const char *name, int64_t fallback)
{
	struct answer *a;

	return look_up_type(o, ASK_ENUM, name, NULL, &a) ? fallback : a->value;
}

int otst_enumerator_with(struct otst *o, const char *name, const char *sibling, uint64_t *ret)
{
	int64_t value = otst_enumerator_or(o, name, 0), other;

	*ret = (uint64_t)value;
	/* not found: the message that says so is that of otst_enumerator() */
	return value || otst_enumerator(o, sibling, &other) ? 0 : otst_enumerator(o, name, &value);
}

int otst_enumerator_any(struct otst *o, const char *name, uint64_t *ret)
{
	int64_t value = otst_enumerator_or(o, name, 0);

	*ret = (uint64_t)value;
	return value || !otst_is_required(o, OTST_ENUMERATORS, name) ?
		       0 :
		       otst_enumerator(o, name, &value);
}

uint32_t otst_function_type(struct otst *o, const char *name)
{
	struct otst_btf *b = btf_of(o);

	return b ? otst_btf_function(b, name) : 0;
}

bool otst_param(struct otst *o, uint32_t function, unsigned int i, struct otst_param *ret)
{
	struct otst_btf *b = btf_of(o);

	return b && otst_btf_param(b, function, i, ret);
}

const char *otst_param_enum(struct otst *o, const struct otst_param *p, int64_t value)
{
	struct otst_btf *b = btf_of(o);

	return b ? otst_btf_param_enum(b, p, value) : NULL;
}

const char *otst_enum_name(struct otst *o, const char *sibling, int64_t value)
{
	struct otst_btf *b = btf_of(o);
	const char *name = b ? otst_btf_enum_name(b, sibling, value) : NULL;

	return name ? otst_clean(o, name) : NULL;
}

struct otst_btf *otst_types_btf(struct otst *o)
{
	return btf_of(o);
}

const char *otst_types_origin(struct otst *o)
{
	const struct types *t = otst_once_or_null(o, &types, NULL);

	if (t && t->btf)
		return "BTF";
	return t && t->dwarf ? "DWARF" : "target";
}
