// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * speedscope.c - stacks as a file for speedscope (https://www.speedscope.app):
 * its "sampled" profiles, one for each source of traces. A stack is a sample,
 * and its weight is how often it occurs.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/sorted.h"
#include "trace.h"

/**
 * struct profile - the stacks of one source
 * @stacks: @count of them
 */
struct profile {
	enum otst_source_kind source;
	struct otst_folded *stacks;
	size_t count;
};

/**
 * struct file - all profiles
 * @profiles: @count of them
 * @frames: names of frames, sorted, @nr_frames of them; samples refer to them by index
 */
struct file {
	struct profile *profiles;
	size_t count;
	const char **frames;
	size_t nr_frames;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *copy_string(struct otst *o, const char *s)
{
	size_t size = strlen(s) + 1;
	char *to = otst_alloc(o, size);

	return to ? memcpy(to, s, size) : NULL;
}

/* cuts @text at its next ';' and moves past it; NULL at the end */
static const char *next_name(char **text)
{
	char *name = *text, *end = name ? strchr(name, ';') : NULL;

	if (end)
		*end++ = '\0';
	*text = end;
	return name;
}

static size_t sort_names(const char **names, size_t n)
{
	size_t i, kept = 0;

	otst_sort(names, n, sizeof(*names), compare_names);
	for (i = 0; i < n; i++) {
		if (!kept || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	}
	return kept;
}

static int find_profiles(struct otst *o, const struct otst_traces *traces, struct file *ret)
{
	enum otst_source_kind i;
	int err = 0;

	ret->profiles = otst_alloc(o, OTST_SOURCE_COUNT * sizeof(*ret->profiles));
	if (!ret->profiles)
		return otst_no_memory(o);
	for (i = 0; !err && i < OTST_SOURCE_COUNT; i++) {
		struct profile *p = &ret->profiles[ret->count];

		*p = (struct profile){ .source = i };
		err = otst_fold_traces(o, traces, i, &p->stacks, &p->count);
		ret->count += p->count != 0;
	}
	return err;
}

static int find_frames(struct otst *o, struct file *f)
{
	struct otst_vec names = { 0 };
	const char *name;

	for (size_t i = 0; i < f->count; i++) {
		for (size_t k = 0; k < f->profiles[i].count; k++) {
			char *text = copy_string(o, f->profiles[i].stacks[k].text);

			while ((name = next_name(&text)))
				*(const char **)otst_vec_push(o, &names, sizeof(name)) = name;
		}
		if (otst_check(o))
			return otst_check(o);
	}
	f->frames = names.data;
	f->nr_frames = sort_names(f->frames, names.count);
	return 0;
}

static void say_sample(struct otst_rows *r, const struct file *f, const char *stack)
{
	char *text = copy_string(r->p->o, stack);
	const char *name, **at;

	otst_say_open(r, '[');
	while ((name = next_name(&text))) {
		at = bsearch(&name, f->frames, f->nr_frames, sizeof(name), compare_names);
		otst_say_count(r, at ? (uint64_t)(at - f->frames) : 0);
	}
	otst_say_close(r, ']');
}

static void say_profile(struct otst_rows *r, const struct file *f, const struct profile *p)
{
	uint64_t sum = 0;

	otst_say_open(r, '{');
	otst_say_key_text(r, "type", "sampled");
	otst_say_key_text(r, "name", otst_source_name(p->source));
	otst_say_key_text(r, "unit", "none");
	otst_say_key(r, "samples");
	otst_say_open(r, '[');
	for (size_t i = 0; i < p->count; i++)
		say_sample(r, f, p->stacks[i].text);
	otst_say_close(r, ']');
	otst_say_key(r, "weights");
	otst_say_open(r, '[');
	for (size_t i = 0; i < p->count; i++) {
		otst_say_count(r, p->stacks[i].count);
		sum += p->stacks[i].count;
	}
	otst_say_close(r, ']');
	otst_say_key(r, "startValue");
	otst_say_count(r, 0);
	otst_say_key(r, "endValue");
	otst_say_count(r, sum);
	otst_say_close(r, '}');
}

static void say_file(struct otst_rows *r, const struct file *f)
{
	otst_say_open(r, '{');
	otst_say_key_text(r, "$schema", "https://www.speedscope.app/file-format-schema.json");
	otst_say_key_text(r, "exporter", otst_format(r->p->o, "otst %s", otst_version()));
	otst_say_key(r, "shared");
	otst_say_open(r, '{');
	otst_say_key(r, "frames");
	otst_say_open(r, '[');
	for (size_t i = 0; i < f->nr_frames; i++) {
		otst_say_open(r, '{');
		otst_say_key_text(r, "name", f->frames[i]);
		otst_say_close(r, '}');
	}
	otst_say_close(r, ']');
	otst_say_close(r, '}');
	otst_say_key(r, "profiles");
	otst_say_open(r, '[');
	for (size_t i = 0; i < f->count; i++)
		say_profile(r, f, &f->profiles[i]);
	otst_say_close(r, ']');
	otst_say_close(r, '}');
}

void otst_print_speedscope(struct otst_printer *p, const struct otst_traces *traces)
{
	struct otst_rows r = otst_json_begin(p);
	struct file f = { 0 };

	p->err = find_profiles(p->o, traces, &f);
	if (!p->err)
		p->err = find_frames(p->o, &f);
	if (!p->err) {
		say_file(&r, &f);
		otst_json_end(p);
	}
}
