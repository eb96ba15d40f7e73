// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * file.c - a log in a file, or on standard input, as lines of text: plain,
 * compressed, in UTF-16 or UTF-32, newest line first, or a mail. What is not text is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../base/text_buffer.h"
#include "../../image/unpack.h"
#include "file.h"
#include "line.h"

#define CHUNK (64u * 1024)

/* logs become a hundredth when they are compressed; what comes out of a file is at most so much: gzip cannot do more */
#define UNPACKED_TIMES 1000u
#define UNPACKED_LEAST (64u << 20)
#define LONGEST	       (1u << 20) /* bytes of a line that are kept: a whole log may be one */
#define STAMPS	       256u	  /* bytes of a line in which its time is looked for */
#define FEW	       3u	  /* lines that are older than the one before them prove nothing */

/** enum encoding - how characters are written */
enum encoding {
	BYTES, /**< ASCII, UTF-8 or any other that agrees with ASCII */
	UTF16_LE,
	UTF16_BE,
	UTF32_LE,
	UTF32_BE,
	ENCODING_COUNT,
};

/**
 * struct file - a file that is being read
 * @line: @len of @room bytes, not yet ended by a newline
 * @unit: the first @nr_unit bytes of a unit of UTF-16 or UTF-32
 * @json: of the line; it is not split for who wants the lines as they come
 * @mail: where @is_mail, for others than those; @text: bytes of the line that are its text;
 *	@lines: of the file that it has so far
 * @begun: its first bytes have told the encoding
 * @zeros: only NULs so far
 * @backwards: gets how many lines it has, when they are read from the last to the first; or NULL
 * @all: of such a file
 * @most: bytes that may come out of a compressed one, of which @unpacked have; 0 for others
 */
struct file {
	struct otst *o;
	const char *path;
	otst_log_text_fn *fn;
	otst_log_skip_fn *skip;
	void *priv;
	char *line;
	size_t len, room;
	struct otst_log_json json;
	struct otst_log_mail mail;
	bool is_mail;
	size_t text;
	uint64_t lines;
	enum encoding encoding;
	unsigned char unit[4];
	size_t nr_unit;
	bool begun;
	bool zeros;
	uint64_t *backwards;
	bool is_backwards;
	struct otst_text all;
	uint64_t most, unpacked;
	int err;
};

/* ---- lines ---- */

static void grow_line(struct file *f)
{
	size_t room = f->room ? 2 * f->room : CHUNK;
	char *line = otst_alloc(f->o, room);

	if (!line) {
		f->err = otst_no_memory(f->o);
		return;
	}
	if (f->len)
		memcpy(line, f->line, f->len);
	f->line = line;
	f->room = room;
}

static void append_line(struct file *f, const char *bytes, size_t len)
{
	while (!f->err && f->len + len >= f->room && f->room < LONGEST)
		grow_line(f);
	if (f->err)
		return;
	len = len < f->room - 1 - f->len ? len : f->room - 1 - f->len;
	memcpy(f->line + f->len, bytes, len);
	f->len += len;
}

/* what begins at @start is a line */
static void give_line(struct file *f, size_t start)
{
	f->line[f->len] = '\0';
	f->err = f->fn(f->priv, f->line + start, f->len - start, 1);
	f->len = start;
}

/* the text so far; the last line of it may go on */
static void give_mail_text(struct file *f, bool all)
{
	char *s = f->line, *end = f->line + f->text, *newline;

	while ((newline = memchr(s, '\n', (size_t)(end - s))) && !f->err) {
		uint64_t lines = all && newline + 1 == end ? f->lines : f->lines - 1;

		*newline = '\0';
		f->err = f->fn(f->priv, s, (size_t)(newline - s), lines);
		f->lines -= lines;
		s = newline + 1;
	}
	f->text = (size_t)(end - s);
	memmove(f->line, s, f->text);
	f->line[f->text] = '\0';
	if (!f->err && all && f->lines)
		f->err = f->fn(f->priv, f->line, f->text, f->lines);
	if (all)
		f->text = f->lines = 0;
	f->len = f->text;
}

static void end_mail_line(struct file *f)
{
	bool open;

	f->line[f->len] = '\0';
	f->text += otst_log_mail_line(&f->mail, f->line + f->text, f->len - f->text, &open);
	f->lines++;
	give_mail_text(f, !open);
}

static void end_line(struct file *f)
{
	append_line(f, "", 0);
	if (!f->err && f->is_mail)
		end_mail_line(f);
	else if (!f->err)
		give_line(f, 0);
	f->json.on = false;
}

/* where the line is JSON no more */
static const char *take_json(struct file *f, const char *bytes, const char *end)
{
	size_t start;

	while (bytes < end && f->json.on) {
		char c = *bytes++;

		append_line(f, &c, 1);
		if (f->err)
			break;
		switch (otst_log_json_next(&f->json, f->line, f->len, c, &start)) {
		case OTST_LOG_JSON_LINE:
			give_line(f, start);
			break;
		case OTST_LOG_JSON_DROP:
			f->len = start;
			break;
		case OTST_LOG_JSON_KEEP:
		case OTST_LOG_JSON_PART_COUNT:
			break;
		}
	}
	return bytes;
}

static void split_lines(struct file *f, const char *bytes, size_t len)
{
	const char *end = bytes + len, *newline;

	while (bytes < end && !f->err) {
		if (!f->len && !f->is_mail)
			bytes += f->skip(f->priv, bytes, (size_t)(end - bytes));
		newline = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!f->len && bytes < end && f->backwards && !f->is_mail)
			otst_log_json_begin(&f->json, *bytes);
		bytes = take_json(f, bytes, newline ?: end);
		append_line(f, bytes, (size_t)((newline ?: end) - bytes));
		if (!newline)
			break;
		end_line(f);
		bytes = newline + 1;
	}
}

/* ---- newest line first ---- */

/** struct times - of lines of one kind of stamp: the last one, and how many were @older than the one before */
struct times {
	bool known;
	uint64_t last;
	unsigned int older;
};

/* false when it is newer than the one before */
static bool add_time(struct times *t, uint64_t ns)
{
	if (t->known && ns > t->last)
		return false;
	t->older += t->known && ns < t->last;
	t->known = true;
	t->last = ns;
	return true;
}

/* the kernel's stamp anywhere near the beginning of a line, else a date that it begins with */
static bool add_file_line(struct times *local, struct times *dates, const char *line)
{
	const char *s, *end;
	uint64_t ns;

	for (s = strchr(line, '['); s; s = strchr(s + 1, '[')) {
		if (otst_log_dmesg_stamp(s, &ns, &end))
			return add_time(local, ns);
	}
	s = line + strspn(line, "\"");
	return !otst_log_date(&s, &ns) || add_time(dates, ns);
}

/* does no line have a newer time than the one before it, as in what `journalctl -r` and log services print */
static bool is_newest_first(const char *bytes, size_t len)
{
	struct times local = { 0 }, dates = { 0 };
	const char *end = bytes + len, *newline;

	for (; (newline = memchr(bytes, '\n', (size_t)(end - bytes))); bytes = newline + 1) {
		size_t n = (size_t)(newline - bytes);
		char line[STAMPS];

		n = n < sizeof(line) - 1 ? n : sizeof(line) - 1;
		memcpy(line, bytes, n);
		line[n] = '\0';
		if (!add_file_line(&local, &dates, line))
			return false;
	}
	return local.older + dates.older > FEW;
}

/* it is read when all of it is there */
static void keep_file_text(struct file *f, const char *bytes, size_t len)
{
	if (otst_text_len(&f->all) + len > OTST_TEXT_MOST)
		f->err = otst_raise(f->o, OTST_ERR_CORRUPT,
				    "%s: newest line first, and only %u MB of that are read",
				    otst_clean(f->o, f->path), OTST_TEXT_MOST >> 20);
	else
		otst_text_mem(&f->all, bytes, len);
}

static void read_backwards(struct file *f)
{
	const char *all = f->all.buf, *end = all + otst_text_len(&f->all), *start;

	/* a newline ends a line, and need not end the last one */
	end -= end > all && end[-1] == '\n';
	for (*f->backwards = 1, start = all; start < end; start++)
		*f->backwards += *start == '\n';
	for (start = end; start && !f->err; end = start) {
		start = memrchr(all, '\n', (size_t)(end - all));
		append_line(f, start ? start + 1 : all, (size_t)(end - (start ? start + 1 : all)));
		end_line(f);
	}
}

/* ---- characters ---- */

/* one character as UTF-8, as far as there is one word for it; how many bytes */
static size_t put_utf8(unsigned int unit, char *ret)
{
	if (unit < 0x80) {
		ret[0] = (char)unit;
		return 1;
	}
	if (unit < 0x800) {
		ret[0] = (char)(0xc0 | unit >> 6);
		ret[1] = (char)(0x80 | (unit & 0x3f));
		return 2;
	}
	if (unit >= 0x10000) {
		*ret++ = (char)(0xf0 | (unit >> 18 & 7));
		*ret = (char)(0x80 | (unit >> 12 & 0x3f));
	} else {
		*ret = (char)(0xe0 | unit >> 12);
	}
	ret[1] = (char)(0x80 | (unit >> 6 & 0x3f));
	ret[2] = (char)(0x80 | (unit & 0x3f));
	return unit >= 0x10000 ? 4 : 3;
}

static unsigned int unit_of(const unsigned char *bytes, enum encoding encoding)
{
	switch (encoding) {
	case UTF16_LE:
		return bytes[0] | bytes[1] << 8;
	case UTF16_BE:
		return bytes[0] << 8 | bytes[1];
	case UTF32_LE:
		return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned int)bytes[3] << 24;
	case UTF32_BE:
		return (unsigned int)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
	case BYTES:
	case ENCODING_COUNT:
		break;
	}
	return 0;
}

static void take_units(struct file *f, const unsigned char *bytes, size_t len)
{
	size_t i, n = 0, width = f->encoding == UTF16_LE || f->encoding == UTF16_BE ? 2 : 4;
	char text[4096];

	for (i = 0; i < len && !f->err; i++) {
		f->unit[f->nr_unit++] = bytes[i];
		if (f->nr_unit < width)
			continue;
		f->nr_unit = 0;
		n += put_utf8(unit_of(f->unit, f->encoding), text + n);
		if (n > sizeof(text) - 4) {
			split_lines(f, text, n);
			n = 0;
		}
	}
	split_lines(f, text, n);
}

/* NULs at the places of one half of all units: a text in UTF-16 without a mark */
static bool is_half_empty(const unsigned char *bytes, size_t len, size_t first)
{
	size_t i, empty = 0, full = 0;

	for (i = first; i < len; i += 2)
		empty += !bytes[i];
	for (i = !first; i < len; i += 2)
		full += bytes[i] != 0;
	return len >= 16 && empty > len / 2 * 9 / 10 && full > len / 2 * 9 / 10;
}

/* @mark: gets the length of the mark that tells it, 0 for none; that of UTF-8 may stay where it is */
static enum encoding encoding_of(const unsigned char *bytes, size_t len, size_t *mark)
{
	static const struct {
		const char *mark;
		size_t len;
		enum encoding encoding;
	} marks[] = {
		{ "\xff\xfe\0\0", 4, UTF32_LE },
		{ "\0\0\xfe\xff", 4, UTF32_BE },
		{ "\xff\xfe", 2, UTF16_LE },
		{ "\xfe\xff", 2, UTF16_BE },
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		*mark = marks[i].len;
		if (len >= *mark && !memcmp(bytes, marks[i].mark, *mark))
			return marks[i].encoding;
	}
	*mark = 0;
	if (is_half_empty(bytes, len, 1))
		return UTF16_LE;
	return is_half_empty(bytes, len, 0) ? UTF16_BE : BYTES;
}

/* the first bytes of files that have long pieces of text, but are not text */
static bool has_magic(const unsigned char *bytes, size_t len)
{
	static const struct {
		size_t at;
		const char *magic;
	} magics[] = {
		{ 0, "\x7f"
		     "ELF" },
		{ 0, "KDUMP   " },
		{ 0, "makedumpfile" },
		{ 0, "LPKSHHRH" },
		{ 0, "PK\x03\x04" },
		{ 0, "%PDF-" },
		{ 257, "ustar" },
		{ 0, "\x89PNG" },
		{ 0, "x\x01" }, /* zlib: it makes text of few words into few bytes */
		{ 0, "x\x9c" },
		{ 0, "x\xda" },
	};

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		size_t n = strlen(magics[i].magic);

		if (len >= magics[i].at + n && !memcmp(bytes + magics[i].at, magics[i].magic, n))
			return true;
	}
	return false;
}

/*
 * Control characters other than those of terminals: with more than one in twenty it is not text.
 * NULs are what a file system leaves of a log when the machine dies.
 */
static bool is_log_text(const unsigned char *bytes, size_t len)
{
	size_t i, bad = 0;

	for (i = 0; i < len; i++) {
		unsigned char c = bytes[i];

		bad += c < ' ' && c && !(c >= '\a' && c <= '\r') && c != '\x1b';
	}
	return bad <= len / 20 && !has_magic(bytes, len);
}

static bool are_zeros(const unsigned char *bytes, size_t len)
{
	return len && !bytes[0] && !memcmp(bytes, bytes + 1, len - 1);
}

/** @bytes: the next ones, uncompressed; false when reading ends */
static bool take_file_bytes(void *priv, const uint8_t *bytes, size_t len)
{
	struct file *f = priv;
	size_t mark = 0;

	if (!f->begun && len) {
		f->begun = true;
		f->zeros = true;
		f->encoding = encoding_of(bytes, len < CHUNK ? len : CHUNK, &mark);
		f->is_mail = f->backwards && f->encoding == BYTES &&
			     otst_log_mail_begin(&f->mail, (const char *)bytes,
						 len < CHUNK ? len : CHUNK);
		f->is_backwards = f->backwards && f->encoding == BYTES && !f->is_mail &&
				  is_newest_first((const char *)bytes, len < CHUNK ? len : CHUNK);
		if (f->encoding == BYTES && !is_log_text(bytes, len < CHUNK ? len : CHUNK))
			f->err = otst_raise(f->o, OTST_ERR_LOOKUP, "%s: not a text file",
					    otst_clean(f->o, f->path));
	}
	f->err = f->err ?: otst_check(f->o);
	f->unpacked += len;
	if (!f->err && f->most && f->unpacked > f->most)
		f->err = otst_raise(f->o, OTST_ERR_CORRUPT,
				    "%s: inflates to more than %u MB; the rest is not read",
				    otst_clean(f->o, f->path), (unsigned int)(f->most >> 20));
	if (f->err)
		return false;
	f->zeros = f->zeros && are_zeros(bytes, len);
	if (f->is_backwards)
		keep_file_text(f, (const char *)bytes, len);
	else if (f->encoding == BYTES)
		split_lines(f, (const char *)bytes, len);
	else
		take_units(f, bytes + mark, len - mark);
	return !f->err;
}

/* ---- the file ---- */

static int raise_errno(const struct file *f)
{
	return otst_raise(f->o, OTST_ERR_LOOKUP, "%s: %s", otst_clean(f->o, f->path),
			  strerror(errno));
}

/* the whole of a compressed file is read first; @data: its @len first bytes */
static int read_packed(struct file *f, FILE *in, enum otst_packing packing, uint8_t *data,
		       size_t len)
{
	size_t room = CHUNK, n = len, rest;
	const char *why = NULL;
	uint8_t *more;

	for (; n; len += n) {
		if (len == room) {
			more = otst_alloc(f->o, room *= 4);
			if (!more)
				return otst_no_memory(f->o);
			memcpy(more, data, len);
			data = more;
		}
		n = fread(data + len, 1, room - len, in);
	}
	if (ferror(in))
		return raise_errno(f);
	f->most = len > UNPACKED_LEAST / UNPACKED_TIMES ? len * UNPACKED_TIMES : UNPACKED_LEAST;
	why = otst_unpack(packing, data, len, take_file_bytes, f, &rest);
	if (!why && rest)
		why = otst_format(f->o, "ends %zu byte%s before the file does", rest,
				  otst_number(rest, "", "s"));
	if (why && !f->err)
		return otst_raise(f->o, OTST_ERR_CORRUPT, "%s (%s) %s", otst_clean(f->o, f->path),
				  otst_packing_name(packing), why);
	return f->err;
}

static int read_plain(struct file *f, FILE *in, uint8_t *data, size_t n)
{
	uint64_t done = 0, all = 0;
	struct stat st;

	if (!fstat(fileno(in), &st) && S_ISREG(st.st_mode))
		all = (uint64_t)st.st_size;
	for (; n && !f->err; n = fread(data, 1, CHUNK, in)) {
		otst_progress(f->o, "log", done += n, all);
		take_file_bytes(f, data, n);
	}
	if (!f->err && ferror(in))
		f->err = raise_errno(f);
	return f->err;
}

static int read_open(struct file *f, FILE *in)
{
	uint8_t *data = otst_alloc(f->o, CHUNK);
	enum otst_packing packing;
	size_t n;
	int err;

	if (!data)
		return otst_no_memory(f->o);
	n = fread(data, 1, CHUNK, in);
	if (!n && ferror(in))
		return raise_errno(f);
	packing = otst_packing_of(data, n);
	err = packing ? read_packed(f, in, packing, data, n) : read_plain(f, in, data, n);
	if (otst_text_len(&f->all) && (!err || err == OTST_ERR_CORRUPT)) {
		f->err = 0;
		read_backwards(f);
		return f->err ? f->err : err;
	}
	/* the last line may lack a newline; that of a damaged file is read, too */
	if ((f->len || f->lines) && (!err || err == OTST_ERR_CORRUPT)) {
		f->err = 0;
		end_line(f);
		if (f->lines && !f->err)
			give_mail_text(f, true);
		err = f->err ? f->err : err;
	}
	if (!err && f->zeros)
		return otst_raise(f->o, OTST_ERR_LOOKUP, "%s: nothing but zeros, no log",
				  otst_clean(f->o, f->path));
	return err;
}

/* by its number: a confined program may not ask the device (Documentation/admin-guide/devices.txt) */
static bool is_terminal(dev_t device)
{
	unsigned int n = major(device);

	return n == 4 || n == 5 || (n >= 136 && n <= 143);
}

/* a device need not end; a terminal does, where its user says so */
static const char *device_of(FILE *in)
{
	struct stat st;

	if (fstat(fileno(in), &st))
		return NULL;
	if (S_ISBLK(st.st_mode))
		return "a block device";
	return S_ISCHR(st.st_mode) && !is_terminal(st.st_rdev) ? "a character device" : NULL;
}

int otst_log_file(struct otst *o, const char *path, otst_log_text_fn *fn, otst_log_skip_fn *skip,
		  void *priv, uint64_t *backwards)
{
	struct file f = {
		.o = o,
		.path = path,
		.fn = fn,
		.skip = skip,
		.priv = priv,
		.backwards = backwards,
		.all = { .o = o },
	};
	bool is_stdin = !strcmp(path, "-");
	const char *device;
	FILE *in;
	int err;

	if (is_stdin && isatty(STDIN_FILENO))
		return otst_raise(
			o, OTST_ERR_LOOKUP,
			"-: standard input is a terminal; give it a log: --text - < FILE");
	in = is_stdin ? stdin : fopen(path, "re");
	if (!in)
		return raise_errno(&f);
	device = is_stdin ? NULL : device_of(in);
	err = device ? otst_raise(o, OTST_ERR_LOOKUP, "%s: is %s, not a log", otst_clean(o, path),
				  device) :
		       read_open(&f, in);
	if (!is_stdin)
		fclose(in);
	return err;
}
