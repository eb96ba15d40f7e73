// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * event.c - the kernel's trace events: "NAME: fields", or only what the event itself prints.
 * How to print the events of an id is looked up once.
 */
#include "print.h"

#define BLOCK 256u

/* by the upper and the lower half of the id */
struct otst_tf_events {
	struct otst_tf_event *blocks[UINT16_MAX / BLOCK + 1];
};

static int look_up_format(struct otst_tf *tf, uint16_t id, struct otst_tf_event *ret)
{
	*ret = (struct otst_tf_event){ .known = true, .format = otst_event_format(tf->o, id) };
	if (!ret->format)
		return 0;
	if (!ret->format->unnamed || tf->style.fields)
		ret->name_len = strlen(ret->format->name);
	return otst_event_alone(tf->o, ret->format, &tf->style, &ret->alone);
}

const struct otst_tf_event *otst_tf_event(struct otst_tf *tf, uint16_t id)
{
	struct otst_tf_event **block = &tf->events->blocks[id / BLOCK], *e;
	int err;

	if (!*block)
		*block = otst_alloc(tf->o, BLOCK * sizeof(**block));
	if (!*block) {
		tf->err = otst_no_memory(tf->o);
		return NULL;
	}
	e = *block + id % BLOCK;
	if (e->known)
		return e;
	err = look_up_format(tf, id, e);
	if (err)
		tf->err = err;
	return err ? NULL : e;
}

struct otst_tf_events *otst_tf_events_create(struct otst *o)
{
	return otst_alloc(o, sizeof(struct otst_tf_events));
}

char *otst_tf_put_event(char *to, const struct otst_tf *tf, const struct otst_tf_event *e,
			const uint8_t *data, uint32_t size)
{
	if (e->name_len) {
		memcpy(to, e->format->name, e->name_len);
		to += e->name_len;
		*to++ = ':';
		*to++ = ' ';
	}
	to += otst_event_alone_text(tf->o, e->alone, &tf->style, data, size, to,
				    OTST_TF_EVENT_TEXT);
	*to++ = '\n';
	return to;
}

void otst_tf_unknown(struct otst_tf *tf, const struct otst_record *r)
{
	otst_text_printf(&tf->t, tf->style.fields ? "UNKNOWN TYPE %u\n" : "Unknown type %u\n",
			 r->type);
}

void otst_tf_event_line(struct otst_tf *tf, const struct otst_record *r)
{
	const struct otst_tf_event *e = otst_tf_event(tf, r->type);
	int len;

	if (!e)
		return;
	if (!e->format) {
		otst_tf_unknown(tf, r);
		return;
	}
	if (e->alone && (size_t)(tf->t.end - tf->t.at) >= OTST_TF_EVENT_MOST) {
		tf->t.at = otst_tf_put_event(tf->t.at, tf, e, r->data, r->size);
		return;
	}
	if (e->name_len) {
		otst_text_mem(&tf->t, e->format->name, e->name_len);
		otst_text_mem(&tf->t, ": ", otst_event_fieldless(e->format, &tf->style) ? 1 : 2);
	}
	len = otst_event_text(tf->o, e->format, &tf->style, r, tf->event_text, OTST_TF_EVENT_TEXT);
	if (len >= 0)
		otst_text_mem(&tf->t, tf->event_text, (size_t)len);
	else
		tf->err = len;
	otst_text_char(&tf->t, '\n');
}
