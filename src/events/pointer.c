// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * pointer.c - %p and its extensions, as pointer() of lib/vsprintf.c
 * prints them. Plain pointers are hashed with the kernel's own secret, ptr_key:
 * the same address has the same number as in the kernel's log and trace files.
 *
 * Extensions that follow the pointer (%pM, %pI4, ...) get bytes of the record
 * only: memory elsewhere is no longer what it was.
 */
#include <string.h>

#include "../built/disassemble.h"
#include "plan.h"

#define IS_ERR(v) ((v) >= (uint64_t)-4095)
#define AF_INET	  2
#define AF_INET6  10

static const char memo_key;

/*
 * @state: 0 not yet read, 1 hash, 2 the kernel had no key yet, 3 it prints addresses as they are
 * @all: NULL and error numbers are hashed, too
 */
struct hash {
	int state;
	bool all;
	uint64_t key[2];
};

/* ---- hashes ---- */

static bool is_set(struct otst *o, const char *name)
{
	uint64_t addr = otst_symbol_or0(o, name);
	uint8_t v;

	return addr && !otst_read_u8(o, addr, &v) && v;
}

#define FUNCTION_SIZE 512u

/*
 * Before Linux 7bd57fbc4a4d ("vsprintf: don't obfuscate NULL and error pointers")
 * ptr_to_id() had no IS_ERR_OR_NULL(): nothing in its code compares with -4095 or so.
 */
static bool hashes_all(struct otst *o)
{
	static const char *const limits[] = {
		"-0x1000,",	      "-0x1001,",	    "-0x1002,",
		"0xfffffffffffff000", "0xffffffffffffefff", "0xffffffffffffeffe",
		"#1, lsl #12",	      "#0x1, lsl #12",	    "#-0x1000",
	};
	struct otst_insns insns;

	if (otst_disassemble_function(o, "ptr_to_id", FUNCTION_SIZE, &insns) || !insns.count)
		return false;
	for (size_t i = 0; i < insns.count; i++) {
		for (size_t j = 0; j < sizeof(limits) / sizeof(*limits); j++) {
			if (strstr(insns.items[i].text, limits[j]))
				return false;
		}
	}
	return true;
}

/*
 * Older kernels use a static branch, not a variable, to tell whether the key is filled:
 * there, a key that is not zero is filled.
 */
static void read_key(struct otst *o, struct hash *h)
{
	uint64_t addr = otst_symbol_or0(o, "ptr_key");
	bool filled = true;

	h->state = 2;
	/* a kernel without a key does not hash at all */
	if (is_set(o, "no_hash_pointers") || !otst_has_symbol(o, "ptr_key")) {
		h->state = 3;
		return;
	}
	if (!addr || otst_read(o, addr, h->key, sizeof(h->key)))
		return;
	if (otst_has_symbol(o, "filled_random_ptr_key"))
		filled = is_set(o, "filled_random_ptr_key");
	if (filled && (h->key[0] || h->key[1]))
		h->state = 1;
	h->all = hashes_all(o);
}

static const struct hash *get_hash(struct otst *o)
{
	void **memo = otst_memo(o, &memo_key);

	if (!*memo) {
		*memo = otst_new(o, sizeof(struct hash));
		read_key(o, *memo);
	}
	return *memo;
}

static uint64_t rotate_left(uint64_t v, unsigned int by)
{
	return v << by | v >> (64 - by);
}

static void sip_round(uint64_t *v)
{
	v[0] += v[1];
	v[1] = rotate_left(v[1], 13) ^ v[0];
	v[0] = rotate_left(v[0], 32);
	v[2] += v[3];
	v[3] = rotate_left(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate_left(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate_left(v[1], 17) ^ v[2];
	v[2] = rotate_left(v[2], 32);
}

/* SipHash-2-4 of one word: siphash_1u64() */
static uint64_t sip_hash(const uint64_t *key, uint64_t word)
{
	uint64_t v[4] = { key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
			  key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573 };
	uint64_t words[2] = { word, (uint64_t)8 << 56 };

	for (unsigned int i = 0; i < 2; i++) {
		v[3] ^= words[i];
		sip_round(v);
		sip_round(v);
		v[0] ^= words[i];
	}
	v[2] ^= 0xff;
	for (unsigned int i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* pointer_string(): 16 digits, unless the format wants another width */
static void put_address(struct otst_run *r, const struct otst_spec *spec, uint64_t v)
{
	struct otst_spec s = *spec;

	s.conversion = 'x';
	s.size = 8;
	if (!s.width) {
		s.width = 16;
		s.zero = true;
	}
	otst_put_number(&r->out, v, &s);
}

static void put_hashed(struct otst_run *r, const struct otst_spec *spec, uint64_t v)
{
	const struct hash *h = get_hash(r->o);

	/* a value that is not an address is not secret */
	if (h->state == 3 || ((!v || IS_ERR(v)) && !h->all))
		put_address(r, spec, v);
	else if (h->state == 1)
		put_address(r, spec, (uint32_t)sip_hash(h->key, v));
	else
		otst_text_string(&r->out, "(____ptrval____)");
}

const char *otst_hashed_pointer(struct otst *o, uint64_t v)
{
	const struct otst_spec spec = { .conversion = 'p' };
	char buf[32];
	struct otst_run r = { .o = o, .out = otst_text_in(buf, sizeof(buf)) };

	put_hashed(&r, &spec, v);
	return otst_format(o, "%.*s", (int)otst_text_len(&r.out), buf);
}

bool otst_hash_optional(struct otst *o)
{
	int64_t bit;

	return !otst_has_symbol(o, "trace_event_format") ||
	       !otst_enumerator(o, "TRACE_ITER_HASH_PTR_BIT", &bit) ||
	       !otst_enumerator(o, "TRACE_ITER_HASH_PTR", &bit);
}

/* ---- bytes ---- */

static void put_byte(struct otst_text *t, uint8_t b, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char text[2] = { digits[b >> 4], digits[b & 15] };

	otst_text_mem(t, text, sizeof(text));
}

static void put_decimal(struct otst_text *t, uint64_t v, int32_t width)
{
	struct otst_spec spec = { .conversion = 'u', .size = 8, .precision = width };

	otst_put_number(t, v, &spec);
}

static void put_hex_string(struct otst_run *r, const struct otst_spec *spec,
			   const struct otst_value *v)
{
	static const char separators[] = "C:D-N";
	const char *at = spec->suffix[1] ? strchr(separators, spec->suffix[1]) : NULL;
	int32_t i, len = spec->width < 64 ? spec->width : 64;

	for (i = 0; i < len && (uint32_t)i < v->len; i++) {
		if (i && !(at && *at == 'N'))
			otst_text_mem(&r->out, at ? at + 1 : " ", 1);
		put_byte(&r->out, v->p[i], false);
	}
}

void otst_put_bitmap(bool big_endian, struct otst_text *t, const uint8_t *p, uint32_t bits)
{
	struct otst_spec spec = { .conversion = 'x', .size = 4, .zero = true, .precision = -1 };
	uint32_t word = (bits + 31) / 32, chunk = bits % 32 ? bits % 32 : 32;
	bool first = true;

	for (; word-- > 0; chunk = 32, first = false) {
		uint32_t have = (bits + 7) / 8 - word * 4;
		uint64_t v = big_endian ? otst_get_be(p + (word ^ 1) * 4, 4) :
					  otst_get_le(p + word * 4, have < 4 ? have : 4);

		if (!first)
			otst_text_string(t, ",");
		spec.width = (int32_t)(chunk + 3) / 4;
		otst_put_number(t, chunk < 32 ? v & ((1u << chunk) - 1) : v, &spec);
	}
}

uint32_t otst_bitmap_bits(bool big_endian, uint32_t len)
{
	return big_endian ? len / 8 * 64 : len * 8;
}

void otst_put_bitmap_list(bool big_endian, struct otst_text *t, const uint8_t *p, uint32_t bits)
{
	uint32_t from, to;
	bool first = true;

	for (from = 0; from < bits; from = to + 1) {
		if (!otst_bit(big_endian, p, from)) {
			to = from;
			continue;
		}
		for (to = from; to + 1 < bits && otst_bit(big_endian, p, to + 1);)
			to++;
		if (!first)
			otst_text_string(t, ",");
		first = false;
		put_decimal(t, from, -1);
		if (to == from)
			continue;
		otst_text_string(t, "-");
		put_decimal(t, to, -1);
	}
}

static void put_mac(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v)
{
	bool reversed = spec->suffix[1] == 'R', fddi = spec->suffix[1] == 'F';
	bool upper = strchr(spec->suffix, 'U') != NULL;

	for (unsigned int i = 0; i < 6; i++) {
		put_byte(&r->out, v->p[reversed ? 5 - i : i], upper);
		if (spec->suffix[0] == 'M' && i != 5)
			otst_text_string(&r->out, fddi ? "-" : ":");
	}
}

static void put_uuid(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v)
{
	static const uint8_t uuid[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const uint8_t guid[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	char how = spec->suffix[1];
	const uint8_t *order = how == 'L' || how == 'l' ? guid : uuid;

	for (unsigned int i = 0; i < 16; i++) {
		put_byte(&r->out, v->p[order[i]], how == 'L' || how == 'B');
		if (i == 3 || i == 5 || i == 7 || i == 9)
			otst_text_string(&r->out, "-");
	}
}

/* ---- network addresses ---- */

static void put_ip4(struct otst_text *t, const uint8_t *p, bool leading_zeros, char order)
{
	bool backwards = order == 'h' || order == 'l';

	for (unsigned int i = 0; i < 4; i++) {
		put_decimal(t, p[backwards ? 3 - i : i], leading_zeros ? 3 : -1);
		if (i != 3)
			otst_text_string(t, ".");
	}
}

static uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* mapped IPv4 (::ffff:a.b.c.d), and ISATAP */
static bool ends_in_ip4(const uint8_t *p)
{
	static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

	return !memcmp(p, mapped, sizeof(mapped)) ||
	       ((p[8] & ~2) == 0 && p[9] == 0 && p[10] == 0x5e && p[11] == 0xfe);
}

/* the longest run of zero words, none when it is shorter than two */
static int longest_zeros(const uint8_t *p, int range, int *ret)
{
	int i, j, longest = 1, at = -1;

	for (i = 0; i < range; i++) {
		for (j = i; j < range && !be16(p + j * 2); j++)
			;
		if (j - i > longest) {
			longest = j - i;
			at = i;
		}
	}
	*ret = longest;
	return at;
}

static void put_ip6_compressed(struct otst_text *t, const uint8_t *p)
{
	struct otst_spec spec = { .conversion = 'x', .size = 4, .precision = -1 };
	int range = ends_in_ip4(p) ? 6 : 8, longest, i, at = longest_zeros(p, range, &longest);
	bool colon = false;

	for (i = 0; i < range; i++) {
		if (i == at) {
			otst_text_string(t, colon || !i ? "::" : ":");
			colon = false;
			i += longest - 1;
			continue;
		}
		if (colon)
			otst_text_string(t, ":");
		otst_put_number(t, be16(p + i * 2), &spec);
		colon = true;
	}
	if (range == 6) {
		if (colon)
			otst_text_string(t, ":");
		put_ip4(t, p + 12, false, 0);
	}
}

static void put_ip6(struct otst_text *t, const uint8_t *p, bool colons)
{
	for (unsigned int i = 0; i < 16; i++) {
		put_byte(t, p[i], false);
		if (colons && i % 2 && i != 15)
			otst_text_string(t, ":");
	}
}

/* struct sockaddr_in and sockaddr_in6; the suffix says which parts to print */
static void put_sockaddr(struct otst_run *r, const char *suffix, const struct otst_value *v)
{
	bool port = strchr(suffix + 2, 'p'), scope = strchr(suffix + 2, 's');
	bool flow = strchr(suffix + 2, 'f'), bracket = port || scope || flow;
	uint16_t family = v->len >= 2 ? (uint16_t)otst_get(r->o, v->p, 2) : 0;
	struct otst_text *t = &r->out;

	if (family == AF_INET && v->len >= 8) {
		put_ip4(t, v->p + 4, suffix[0] == 'i', 0);
	} else if (family == AF_INET6 && v->len >= 28) {
		otst_text_string(t, bracket ? "[" : "");
		if (suffix[0] == 'I' && strchr(suffix + 2, 'c'))
			put_ip6_compressed(t, v->p + 8);
		else
			put_ip6(t, v->p + 8, suffix[0] == 'I');
		otst_text_string(t, bracket ? "]" : "");
	} else {
		otst_text_string(t, "(einval)");
		return;
	}
	if (port) {
		otst_text_string(t, ":");
		put_decimal(t, be16(v->p + 2), -1);
	}
	if (family == AF_INET6 && flow) {
		otst_text_string(t, "/");
		put_decimal(t, otst_get_be(v->p + 4, 4) & 0xfffffff, -1);
	}
	if (family == AF_INET6 && scope) {
		otst_text_string(t, "%");
		put_decimal(t, otst_get(r->o, v->p + 24, 4), -1);
	}
}

static void put_ip(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v)
{
	const char *s = spec->suffix;
	size_t start = otst_text_len(&r->out);

	if (s[1] == '4' && v->len >= 4)
		put_ip4(&r->out, v->p, s[0] == 'i', s[2]);
	else if (s[1] == '6' && v->len >= 16 && s[0] == 'I' && s[2] == 'c')
		put_ip6_compressed(&r->out, v->p);
	else if (s[1] == '6' && v->len >= 16)
		put_ip6(&r->out, v->p, s[0] == 'I');
	else if (s[1] == 'S')
		put_sockaddr(r, s, v);
	otst_put_padded(&r->out, start, spec);
}

/* ---- all of them ---- */

/* bytes of the record; without them there is nothing to print */
static void put_pointed(struct otst_run *r, const struct otst_spec *spec,
			const struct otst_value *v)
{
	uint32_t bits = (uint32_t)spec->width, room;
	bool big = otst_big_endian(r->o);

	switch (spec->suffix[0]) {
	case 'h':
		put_hex_string(r, spec, v);
		break;
	case 'b':
		room = otst_bitmap_bits(big, v->len);
		bits = bits < room ? bits : room;
		if (spec->suffix[1] == 'l')
			otst_put_bitmap_list(big, &r->out, v->p, bits);
		else
			otst_put_bitmap(big, &r->out, v->p, bits);
		break;
	case 'M':
	case 'm':
		if (v->len >= 6)
			put_mac(r, spec, v);
		break;
	case 'I':
	case 'i':
		put_ip(r, spec, v);
		break;
	case 'U':
		if (v->len >= 16)
			put_uuid(r, spec, v);
		break;
	case 'a':
		otst_text_string(&r->out, "0x");
		put_address(r, &(struct otst_spec){ .precision = -1 },
			    otst_get(r->o, v->p, v->len < 8 ? v->len : 8));
		break;
	}
}

/* the name of an error: include/uapi/asm-generic/errno-base.h, as in lib/errname.c */
static void put_error(struct otst_run *r, uint64_t v)
{
	static const char *const names[] = {
		"-EPERM",   "-ENOENT", "-ESRCH",  "-EINTR",  "-EIO",	 "-ENXIO",   "-E2BIG",
		"-ENOEXEC", "-EBADF",  "-ECHILD", "-EAGAIN", "-ENOMEM",	 "-EACCES",  "-EFAULT",
		"-ENOTBLK", "-EBUSY",  "-EEXIST", "-EXDEV",  "-ENODEV",	 "-ENOTDIR", "-EISDIR",
		"-EINVAL",  "-ENFILE", "-EMFILE", "-ENOTTY", "-ETXTBSY", "-EFBIG",   "-ENOSPC",
		"-ESPIPE",  "-EROFS",  "-EMLINK", "-EPIPE",  "-EDOM",	 "-ERANGE",
	};
	struct otst_spec decimal = { .conversion = 'd', .size = 8, .precision = -1 };
	uint64_t number = 0 - v;

	if (number && number <= sizeof(names) / sizeof(*names))
		otst_text_string(&r->out, names[number - 1]);
	else
		otst_put_number(&r->out, v, &decimal);
}

void otst_put_pointer(struct otst_run *r, const struct otst_spec *spec, const struct otst_value *v)
{
	size_t start = otst_text_len(&r->out);

	switch (spec->suffix[0]) {
	case 'S':
	case 'F':
	case 's':
	case 'f':
		otst_put_symbol(r, v->number, spec->suffix[0] == 'S' || spec->suffix[0] == 'F',
				true);
		otst_put_padded(&r->out, start, spec);
		return;
	case 'B':
		otst_put_symbol(r, v->number, true, true);
		otst_put_padded(&r->out, start, spec);
		return;
	case 'x':
		put_address(r, spec, v->number);
		return;
	case 'e':
		if (IS_ERR(v->number))
			put_error(r, v->number);
		else
			put_hashed(r, spec, v->number);
		return;
	case '\0':
		if (r->hash)
			put_hashed(r, spec, v->number);
		else
			put_address(r, spec, v->number);
		return;
	}
	if (v->p && v->len && strchr("hbMmIiUa", spec->suffix[0]))
		put_pointed(r, spec, v);
	else
		put_hashed(r, spec, v->number);
}
