// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * memorymap.c - the file of --memory-map: which physical memory a file without headers holds, and
 * where. Lines are of two kinds; all numbers are hexadecimal:
 *
 *	START END OFFSET		memory from START up to, not including, END
 *	START-END : System RAM		as /proc/iomem has it: END is the last byte
 *
 * Other lines of /proc/iomem are passed over, and memory that is a part of other memory. Its ranges
 * lie in the file one after the other if the file is not larger than all of them (LiME's
 * format=raw), else each at its address.
 */
#include "forms.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_RANGES 65536u

/** struct range - as in the file; @offset is meaningless if @is_ram */
struct range {
	uint64_t start;
	uint64_t size;
	uint64_t offset;
	bool is_ram;
};

struct map {
	struct range *ranges;
	size_t count;
};

static bool is_number(char *word, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(word, &end, 16);
	return *word != '-' && end != word && !*end && !errno;
}

/* @text is changed. Returns NULL, or what is wrong. */
static const char *parse_triple(char *text, struct range *ret)
{
	char *save, *start = strtok_r(text, " \t", &save), *end = strtok_r(NULL, " \t", &save),
		    *offset = strtok_r(NULL, " \t", &save);
	uint64_t last;

	if (!offset || strtok_r(NULL, " \t", &save) || !is_number(start, &ret->start) ||
	    !is_number(end, &last) || !is_number(offset, &ret->offset))
		return "neither START END OFFSET nor a line of /proc/iomem";
	if (last <= ret->start)
		return "the range is empty";
	ret->size = last - ret->start;
	return NULL;
}

/* false: another line than one of memory */
static bool parse_iomem(const char *text, struct range *ret)
{
	uint64_t start, last;

	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " : System RAM", &start, &last) != 2 ||
	    !strstr(text, " : System RAM"))
		return false;
	/* without root, /proc/iomem has zeros */
	*ret = (struct range){ start, last > start ? last - start + 1 : 0, 0, true };
	return true;
}

/*
 * Parts of a range are indented. Memory is a range of its own, or, when a driver added it, a part
 * of a range that is not memory: "System RAM (virtio_mem)".
 */
static bool is_part_of(const struct range *r, const struct map *m)
{
	const struct range *last = m->count ? &m->ranges[m->count - 1] : NULL;

	return last && last->is_ram && r->start >= last->start &&
	       r->start - last->start < last->size;
}

static const char *parse_line(char *text, struct map *m)
{
	struct range *r = &m->ranges[m->count];
	const char *problem;

	if (strstr(text, " : ")) {
		if (!parse_iomem(text, r) || (*text == ' ' && is_part_of(r, m)))
			return NULL;
		problem = r->size ? NULL : "no addresses: /proc/iomem shows them to root alone";
	} else {
		problem = parse_triple(text, r);
	}
	m->count += !problem;
	return problem;
}

static int parse_file(FILE *f, const char *path, struct map *m)
{
	char text[512];
	unsigned int line = 0;

	while (fgets(text, sizeof(text), f)) {
		const char *problem;

		line++;
		/* NUL bytes: the file is not text */
		if (!*text) {
			complain("%s: not a text file", path);
			return OTST_ERR_CORRUPT;
		}
		text[strcspn(text, "#\r\n")] = '\0';
		if (!text[strspn(text, " \t")])
			continue;
		problem = m->count == MOST_RANGES ? "too many ranges" : parse_line(text, m);
		if (problem) {
			complain("%s, line %u: %s", path, line, problem);
			return OTST_ERR_CORRUPT;
		}
	}
	if (m->count)
		return 0;
	complain("%s: no ranges of memory in it", path);
	return OTST_ERR_CORRUPT;
}

static int read_map(const char *path, struct map *m)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	int err;

	if (!f || fstat(fileno(f), &st) || S_ISDIR(st.st_mode)) {
		complain("cannot read %s: %s", path, f ? "is a directory" : strerror(errno));
		if (f)
			fclose(f);
		return OTST_ERR_UNSUPPORTED;
	}
	m->ranges = calloc(MOST_RANGES, sizeof(*m->ranges));
	err = m->ranges ? parse_file(f, path, m) : OTST_ERR_NOMEM;
	fclose(f);
	return err;
}

/* /proc/iomem does not say where in the file its ranges are */
static void place_ram(struct map *m, uint64_t file_size)
{
	uint64_t all = 0, at = 0;
	size_t i;

	for (i = 0; i < m->count; i++)
		all += m->ranges[i].is_ram ? m->ranges[i].size : 0;
	for (i = 0; i < m->count; i++) {
		if (!m->ranges[i].is_ram)
			continue;
		m->ranges[i].offset = file_size > all ? m->ranges[i].start : at;
		at += m->ranges[i].size;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Two places in the file for one address: one of them is wrong. */
static int refuse_overlaps(const char *path, struct map *m)
{
	qsort(m->ranges, m->count, sizeof(*m->ranges), by_start);
	for (size_t i = 1; i < m->count; i++) {
		const struct range *r = &m->ranges[i];

		if (r->start - r[-1].start < r[-1].size) {
			complain("%s: two ranges hold address 0x%" PRIx64, path, r->start);
			return OTST_ERR_CORRUPT;
		}
	}
	return 0;
}

int memory_map_add(const char *path, struct segments *s)
{
	struct map m = { 0 };
	int err = read_map(path, &m);

	if (!err)
		place_ram(&m, segments_file_size(s));
	err = err ?: refuse_overlaps(path, &m);
	for (size_t i = 0; !err && i < m.count; i++)
		err = segments_add(s, m.ranges[i].start, m.ranges[i].size, m.ranges[i].offset);
	free(m.ranges);
	return err;
}
