// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * text.c - text as it was built, at run-time addresses: of the kernel's image file,
 * and of module files. A module's file is read and relocated when its first byte is
 * asked for, and kept until the command ends.
 */
#include <string.h>

#include "../base/engine.h"
#include "../dump.h"
#include "../image/image.h"
#include "built.h"

/* one module's file; @err tells why there is none */
struct module_text {
	const struct otst_module *m;
	struct otst_built built;
	int err;
	const char *error; /* to be reported, or NULL */
	bool told;
};

static struct otst_vec *module_texts(struct otst *o)
{
	static const char key;
	void **place = otst_memo(o, &key);

	if (!*place)
		*place = otst_new(o, sizeof(struct otst_vec));
	return *place;
}

static int read_module_text(struct otst *o, const struct otst_module *m, struct module_text *ret)
{
	const char *why = NULL;
	int err = otst_built_module(o, m, &ret->built, &why);

	ret->m = m;
	ret->err = err;
	if (err && otst_fatal(err))
		return err;
	/* a missing file is nothing to complain about */
	if (err && err != OTST_ERR_LOOKUP) {
		ret->error = otst_strdup(o, otst_message(o));
		return 0;
	}
	ret->error = err ? NULL : why;
	return 0;
}

static int module_text(struct otst *o, const struct otst_module *m, struct module_text **ret)
{
	struct otst_vec *texts = module_texts(o);
	struct module_text *t;
	struct module_text new = { .m = m };
	size_t i;
	int err;

	if (!texts)
		return otst_no_memory(o);
	for (i = 0, t = texts->data; i < texts->count; i++) {
		if (t[i].m == m) {
			*ret = &t[i];
			return 0;
		}
	}
	err = read_module_text(o, m, &new);
	if (err)
		return err;
	*ret = otst_vec_push(o, texts, sizeof(new));
	if (!*ret)
		return otst_no_memory(o);
	**ret = new;
	return 0;
}

static int module_bytes(struct otst *o, const struct otst_module *m, uint64_t addr, void *buf,
			size_t len)
{
	const struct otst_section *s;
	struct module_text *t;
	size_t i;
	int err = module_text(o, m, &t);

	if (err)
		return err;
	if (t->err)
		return otst_raise(o, t->err, "module %s: its text as built is not known", m->name);
	for (i = 0, s = t->built.items; i < t->built.count; i++, s++) {
		if (!s->text || s->init || !s->data || addr - s->addr >= s->size)
			continue;
		if (s->size - (addr - s->addr) < len)
			break;
		memcpy(buf, s->data + (addr - s->addr), len);
		return 0;
	}
	return otst_raise(o, OTST_ERR_LOOKUP, "not in the text of module %s", m->name);
}

int otst_text_built(struct otst *o, uint64_t addr, void *buf, size_t len)
{
	int err = otst_image_text(o, addr, buf, len);
	const struct otst_module *m;

	if (!err)
		return 0;
	m = otst_module_at(o, addr);
	return m ? module_bytes(o, m, addr, buf, len) : err;
}

void otst_text_notes(struct otst *o, struct otst_messages *errors)
{
	struct otst_vec *texts = module_texts(o);
	struct module_text *t = texts ? texts->data : NULL;

	for (size_t i = 0; t && i < texts->count; i++) {
		if (t[i].error && !t[i].told)
			otst_note_text(o, errors, t[i].error);
		t[i].told = true;
	}
}
