// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * wrap.c - lines that a mail program or a terminal broke: the words that went to the next
 * line come back to theirs, where the line lacks them.
 *
 *	> [   61.000001]  lab_write+0x2a/0x60		a module, else the frame is taken for the kernel's
 *	> [lab]
 *	> [   61.000001]  [<ffffffffa04c2041>] ?	an address without its function
 *	> lab_write+0x2a/0x60 [lab]
 *	> [   61.000001] BUG: kernel NULL pointer dereference, address:
 *	> 0000000000000008
 *	> [   61.000001] WARNING: CPU: 1 PID: 7 at drivers/lab/lab.c:12
 *	> lab_write+0x2a/0x60 [lab]
 *	> [   61.000001]  lab_write
 *	> (drivers/lab/lab.c:12 (discriminator 3)) lab
 */
#include <ctype.h>
#include <string.h>

#include "file.h"
#include "log.h"
#include "symbol.h"

#define SHORTEST \
	40u /* a line that was broken: programs do so behind column 60 or more, and words are long */
#define LONGEST	 1000u
#define STAMPS	 64u /* bytes before the end of the kernel's stamp, at most */
#define TERMINAL 80u /* columns, where a terminal breaks lines within words */

/** struct otst_log_wrap - @text: the line that waits for the next one, @len bytes, line @number of all files */
struct otst_log_wrap {
	otst_log_ordered_fn *fn;
	void *priv;
	bool waits;
	uint64_t number;
	size_t len;
	char text[OTST_LOG_LINE];
};

/* ---- the words of a line ---- */

static size_t len_without_blanks(const char *s, size_t len)
{
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		len--;
	return len;
}

/* behind a mail's quoting, and blanks */
static const char *skip_quotes(const char *s)
{
	return s + strspn(s, " \t>|");
}

/* "[   61.000001]", as almost all lines begin that have a stamp; behind it, or NULL */
static const char *skip_plain_stamp(const char *s)
{
	if (*s++ != '[')
		return NULL;
	while (*s == ' ')
		s++;
	while (isdigit((unsigned char)*s))
		s++;
	if (*s++ != '.')
		return NULL;
	for (size_t i = 0; i < 6; i++) {
		if (!isdigit((unsigned char)*s++))
			return NULL;
	}
	return *s == ']' ? s + 1 : NULL;
}

/* behind the first of the kernel's stamps, or NULL */
static const char *skip_stamp(const char *s)
{
	const char *open, *end = skip_plain_stamp(s);
	uint64_t ns;

	if (end)
		return end;
	for (open = strchr(s, '['); open && open - s < (long)STAMPS; open = strchr(open + 1, '[')) {
		if (otst_log_dmesg_stamp(open, &ns, &end))
			return end;
	}
	return NULL;
}

static bool ends_as(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(s + len - n, end, n);
}

/* the hexadecimal digits that end at @len, how many */
static size_t hex_before(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && otst_log_is_hex(s[len - n - 1]))
		n++;
	return n;
}

/* "+0x2a/0x60" ends there */
static bool ends_in_frame(const char *s, size_t len)
{
	size_t n = hex_before(s, len);

	if (!n || !ends_as(s, len - n, "/0x"))
		return false;
	len -= n + 3;
	n = hex_before(s, len);
	return n && ends_as(s, len - n, "+0x");
}

/* "[<ffffffffa04c2041>]", "[c0000000001015b8]" and then " ?" end there: it has no function */
static bool ends_in_address(const char *s, size_t len)
{
	size_t n;

	if (ends_as(s, len, " ?"))
		len -= 2;
	if (!ends_as(s, len, "]"))
		return false;
	len -= 1 + ends_as(s, len, ">]");
	n = hex_before(s, len);
	len -= n;
	return n >= 8 && (ends_as(s, len, "[") || ends_as(s, len, "[<"));
}

/* "Krnl PSW : 0704c00180000000 00000000cbc90568", "RIP: 0010:", "PC is at" */
static bool ends_in_title(const char *s, size_t len)
{
	static const char *const titles[] = { "RIP:",	  "RIP: 0010:", "EIP is at", "PC is at",
					      "pc is at", "ip is at",	"pc :" };

	if (hex_before(s, len) >= 8)
		return strstr(s, "Krnl PSW : ");
	if (!ends_as(s, len, ":") && !ends_as(s, len, "t"))
		return false;
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		if (ends_as(s, len, titles[i]))
			return true;
	}
	return false;
}

/* a line of a report that is not complete with this word at its end */
static bool ends_in_word(const char *s, size_t len)
{
	static const char *const words[] = {
		" address:", " address", " at",	       " addr",	   " virtual", " by",
		" task",     " Not",	 " kernel",    " pointer", " handle",  " paging",
		" NULL",     " of",	 " page",      " Comm:",   " PID:",    " in",
		" fault",    " request", " (Data TLB", " not"
	};
	static const char *const lines[] = {
		"BUG: ",	"Unable to ",	"WARNING: ",   "CPU: ",
		"INFO: ",	"UBSAN: ",	"unable to ",  "general protection ",
		"Bad Address ", "Kernel panic", "Kernel Fault"
	};
	size_t i;

	/* the last letters of words[] */
	if (!len || !strchr(":BLefgklnrsty", s[len - 1]))
		return false;
	for (i = 0; i < sizeof(words) / sizeof(*words) && !ends_as(s, len, words[i]); i++)
		;
	if (i == sizeof(words) / sizeof(*words))
		return false;
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		if (strstr(s, lines[i]))
			return true;
	}
	return false;
}

/* "WARNING: CPU: 1 PID: 7 at lib/refcount.c:28", which a function follows */
static bool ends_in_place(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && isdigit((unsigned char)s[len - n - 1]))
		n++;
	return n && ends_as(s, len - n, ":") && strstr(s, "WARNING: ") && strstr(s, " at ");
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* a name that is the line's only word, or what "RIP: 0010:" or a place in front of it announce */
static bool ends_in_name(const char *s, size_t len)
{
	const char *text, *p = s + len;

	if (!len || !is_of_name(p[-1]))
		return false;
	text = skip_quotes(skip_stamp(s) ?: s);
	while (p > text && is_of_name(p[-1]))
		p--;
	if (p == s + len || isdigit((unsigned char)*p))
		return false;
	text += 2 * otst_begins(text, "? ");
	return p == text || strstr(s, "WARNING: ") || ends_as(s, (size_t)(p - s), "RIP: 0010:") ||
	       ends_as(s, (size_t)(p - s), "] ") || ends_as(s, (size_t)(p - s), "] ? ") ||
	       ends_as(s, (size_t)(p - s), "pc : ");
}

/* "/home/jo/lab.c:12", "lab.h:7 lab.c:12", "(discriminator 3)" as decode_stacktrace.sh writes them */
static bool begins_place(const char *s)
{
	size_t n = strcspn(s, ": ");

	return otst_begins(s, "(discriminator ") || otst_begins(s, "discriminator ") ||
	       (n && s[n] == ':' && memchr(s, '.', n) && isdigit((unsigned char)s[n + 1]));
}

/* "fs/read_write.c:582" of syzbot */
static bool is_place_alone(const char *s)
{
	size_t n = strcspn(s, " ");

	return begins_place(s) && memchr(s, '/', n) && !s[n + strspn(s + n, " \t")];
}

/* a "(", and places behind it, whose ")" has not come; @closed: it has, at the end */
static bool has_places(const char *s, size_t len, bool closed)
{
	const char *open = strchr(s, '(');
	int depth = 0;

	while (open && !begins_place(open + 1))
		open = strchr(open + 1, '(');
	for (size_t i = open ? (size_t)(open - s) : len; i < len; i++)
		depth += s[i] == '(' ? 1 : s[i] == ')' ? -1 : 0;
	return open && (closed ? !depth && s[len - 1] == ')' : depth > 0);
}

/* "CPU: 1 PID: 7 Comm: a b", of which the name may go on */
static bool ends_in_comm(const char *s)
{
	s = strstr(s, "CPU: ");
	return s && strstr(s, " PID: ") && strstr(s, " Comm: ") && !strstr(s, "ainted") &&
	       !strstr(s, " Kdump: ");
}

/* ---- what belongs together ---- */

/* "[lab]", "[lab 0123..ef]", "[lab] (P)", "(unreliable)" */
static bool is_end_of_frame(const char *s)
{
	const char *p = s + 1;

	if (otst_begins(s, "(unreliable)"))
		return !s[12 + strspn(s + 12, " \t")];
	if (*s != '[' || !strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				    "0123456789"))
		return false;
	p += strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789");
	if (*p == ' ')
		p += 1 + strspn(p + 1, "0123456789abcdef");
	if (*p++ != ']' || !s[1 + strcspn(s + 1, "abcdefghijklmnopqrstuvwxyz")])
		return false;
	p += strspn(p, " \t");
	return !*p || (*p == '(' && isupper((unsigned char)p[1]) && strchr(p, ')'));
}

/* a function: "f+0x1/0x2", "? f+0x1/0x2", "(f+0x1/0x2)"; @addressed: it may have an address of its own */
static bool begins_in_function(const char *s, bool addressed)
{
	struct otst_log_item item;

	return otst_log_one(s + (*s == '('), &item) && item.kind == OTST_LINE_FRAME &&
	       (addressed || !item.addr) && item.text && memchr(item.text, '+', item.len);
}

/* a word alone */
static bool is_one_word(const char *s)
{
	size_t n = 0;

	while (is_of_name(s[n]))
		n++;
	return n && !s[n + strspn(s + n, " \t")] && !isdigit((unsigned char)*s);
}

/* the rest of a frame that a terminal broke, at its last column and within a word */
static bool is_rest_of_word(const struct otst_log_wrap *w, const char *s)
{
	struct otst_log_item items[OTST_LOG_ITEMS];
	const char *stamp = skip_stamp(w->text);
	char text[TERMINAL + OTST_LOG_LINE];
	size_t len = strlen(s);

	if (w->len != TERMINAL || !stamp || *s == ' ' || w->text[w->len - 1] == ' ' ||
	    len > TERMINAL || otst_log_items(stamp, items))
		return false;
	memcpy(text, stamp, strlen(stamp));
	memcpy(text + strlen(stamp), s, len + 1);
	return otst_log_items(text, items);
}

/* does @s, which has no stamp, go on where the line that waits ends */
static bool goes_on(const struct otst_log_wrap *w, const char *s)
{
	const char *stamp = skip_stamp(w->text);
	size_t len = len_without_blanks(w->text, w->len);

	if (ends_in_frame(w->text, len) && (is_end_of_frame(s) || is_place_alone(s)))
		return true;
	if (ends_as(w->text, len, ", at:"))
		return begins_in_function(s, false);
	if (ends_as(w->text, len, " from"))
		return begins_in_function(s, true) || strstr(s, ">] (");
	if (ends_in_address(w->text, len) || ends_in_title(w->text, len) ||
	    (stamp && !*skip_quotes(stamp)))
		return begins_in_function(s + 5 * otst_begins(s, "0010:"), strstr(w->text, "IP: "));
	if (has_places(w->text, len, false))
		return begins_place(s + (*s == '('));
	if (ends_in_place(w->text, len))
		return begins_in_function(s, false) || is_one_word(s);
	if (*s == '(' && begins_place(s + 1))
		return ends_in_name(w->text, len);
	if (stamp && has_places(w->text, len, true))
		return is_one_word(s);
	if (len + 1 + strcspn(s, " ") < SHORTEST)
		return false;
	if (ends_as(w->text, len, " in") && ends_in_word(w->text, len))
		return begins_in_function(s, false) || !otst_log_known(s);
	if (otst_log_known(s))
		return false;
	if (ends_in_comm(w->text))
		return strstr(s, "ainted") || strstr(s, "Kdump: ");
	return ends_in_word(w->text, len);
}

/* may a line lack what comes behind it */
static bool may_lack(const char *s, size_t len)
{
	const char *stamp;

	if (len > LONGEST)
		return false;
	len = len_without_blanks(s, len);
	if (ends_in_frame(s, len) || ends_in_address(s, len) || ends_in_title(s, len) ||
	    ends_as(s, len, " from") || ends_as(s, len, ", at:") || ends_in_word(s, len) ||
	    ends_in_comm(s) || ends_in_place(s, len) || ends_in_name(s, len) ||
	    has_places(s, len, false))
		return true;
	stamp = skip_stamp(s);
	return stamp && (has_places(s, len, true) || !*skip_quotes(stamp) || len == TERMINAL);
}

/* ---- the lines ---- */

struct otst_log_wrap *otst_log_wrap(struct otst *o, otst_log_ordered_fn *fn, void *priv)
{
	struct otst_log_wrap *w = otst_new(o, sizeof(*w));

	w->fn = fn;
	w->priv = priv;
	return w;
}

int otst_log_wrap_end(struct otst_log_wrap *w)
{
	if (!w->waits)
		return 0;
	w->waits = false;
	return w->fn(w->priv, w->text, w->len, w->number);
}

bool otst_log_wrap_waits(const struct otst_log_wrap *w)
{
	return w->waits;
}

/* frames before the address are whole; they go ahead, for a line may not have too many of them */
static int give_frames_before(struct otst_log_wrap *w)
{
	size_t len = len_without_blanks(w->text, w->len), at;
	int err;

	if (!ends_in_address(w->text, len))
		return 0;
	at = (size_t)(strrchr(w->text, '[') - w->text);
	for (len = at; len && w->text[len - 1] == ' '; len--)
		;
	/* arm32: "(f+0x1/0x2) from [<c0108dfc>]" is one */
	if (!memmem(w->text, len, "+0x", 3) || ends_as(w->text, len, " from"))
		return 0;
	w->text[len] = '\0';
	err = w->fn(w->priv, w->text, len, w->number);
	w->len -= at;
	memmove(w->text, w->text + at, w->len + 1);
	return err;
}

/* @line has no stamp */
static bool join_lines(struct otst_log_wrap *w, const char *line)
{
	const char *s = skip_quotes(line);
	size_t len = strlen(s);

	if (!*s || w->len + 1 + len > LONGEST)
		return false;
	if (goes_on(w, s)) {
		w->len = len_without_blanks(w->text, w->len);
		w->text[w->len++] = ' ';
	} else if (!is_rest_of_word(w, s)) {
		return false;
	}
	memcpy(w->text + w->len, s, len + 1);
	w->len += len;
	return true;
}

int otst_log_wrap_line(struct otst_log_wrap *w, char *line, size_t len, uint64_t number)
{
	int err;

	if (w->waits && !skip_stamp(line) && join_lines(w, line)) {
		w->waits = may_lack(w->text, w->len);
		return w->waits ? give_frames_before(w) :
				  w->fn(w->priv, w->text, w->len, w->number);
	}
	err = otst_log_wrap_end(w);
	if (err || !may_lack(line, len))
		return err ? err : w->fn(w->priv, line, len, number);
	memcpy(w->text, line, len + 1);
	w->len = len;
	w->number = number;
	w->waits = true;
	return give_frames_before(w);
}
