// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text_parse.c - reader of the text dump's syntax (dumps/README.md).
 *
 * One pass, line by line; a name has to be defined above the line that uses
 * it. Of repeated definitions the last one counts, so that a damaged dump
 * is a good one, included, with the damage written below it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_dump.h"
#include "text_target.h"

#define MAX_WORDS 256
#define MAX_DEPTH 12
#define MAX_LINE  8192
#define MAX_NOTES 65536u

/* What an indented line belongs to. */
enum block { BLOCK_NONE, BLOCK_TYPE, BLOCK_OBJECT };

/**
 * struct parser - one file being read
 * @words: the current line, strings without their quotes and escapes
 * @lens: bytes of each word; a string may hold NUL
 * @quoted: whether the word was in quotes
 * @type: name of the type that an object's block belongs to
 * @type_index: index in &text_dump.types of the type that a type's block fills
 * @object: address of the object that a block fills
 */
struct parser {
	struct text_dump *d;
	const char *path;
	unsigned int line;
	unsigned int depth;
	char *message;
	size_t size;
	char line_buf[MAX_LINE];
	char word_buf[MAX_LINE];
	char *words[MAX_WORDS];
	size_t lens[MAX_WORDS];
	bool quoted[MAX_WORDS];
	int count;
	enum block block;
	char type[64];
	size_t type_index;
	uint64_t object;
};

static int parse_file(struct text_dump *d, const char *path, unsigned int depth, char *message,
		      size_t size);

__attribute__((format(printf, 2, 3))) static int complain(struct parser *p, const char *fmt, ...)
{
	int n = snprintf(p->message, p->size, "%s:%u: ", p->path, p->line);
	va_list args;

	if (n < 0 || (size_t)n >= p->size)
		return OTST_ERR_USAGE;
	va_start(args, fmt);
	vsnprintf(p->message + n, p->size - n, fmt, args);
	va_end(args);
	return OTST_ERR_USAGE;
}

/* ---- words ---- */

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string's character after a backslash; NULL when there is no such escape. */
static const char *unescape(const char *s, char *ret)
{
	switch (*s) {
	case 'n':
		*ret = '\n';
		return s + 1;
	case 't':
		*ret = '\t';
		return s + 1;
	case '\\':
	case '"':
		*ret = *s;
		return s + 1;
	case 'x':
		if (hex_digit(s[1]) < 0 || hex_digit(s[2]) < 0)
			return NULL;
		*ret = hex_digit(s[1]) << 4 | hex_digit(s[2]);
		return s + 3;
	default:
		return NULL;
	}
}

static int split_line(struct parser *p)
{
	const char *s = p->line_buf;
	char *to = p->word_buf;

	for (p->count = 0;; p->count++) {
		s += strspn(s, " \t\n");
		if (!*s || *s == '#')
			return 0;
		if (p->count == MAX_WORDS)
			return complain(p, "more than %d words", MAX_WORDS);
		p->words[p->count] = to;
		p->quoted[p->count] = *s == '"';
		if (*s == '"') {
			for (s++; *s != '"'; to++) {
				if (!*s || *s == '\n')
					return complain(p, "string has no end");
				if (*s != '\\')
					*to = *s++;
				else if (!(s = unescape(s + 1, to)))
					return complain(p, "unknown escape in a string");
			}
			s++;
		} else {
			size_t len = strcspn(s, " \t\n#\"");

			memcpy(to, s, len);
			to += len;
			s += len;
		}
		p->lens[p->count] = to - p->words[p->count];
		*to++ = '\0';
	}
}

static bool is_name(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$' || c == ':';
}

/* A number, a symbol, "module:symbol", or "type.member" for the member's offset. */
static int parse_factor(struct parser *p, const char **s, uint64_t *ret)
{
	const struct text_symbol *sym;
	struct otst_member m;
	char name[256], *part;
	size_t len = 0;

	if (**s >= '0' && **s <= '9') {
		char *end;

		errno = 0;
		*ret = strtoull(*s, &end, 0);
		if (errno || is_name(*end))
			return complain(p, "bad number \"%s\"", *s);
		*s = end;
		return 0;
	}
	while (is_name((*s)[len]))
		len++;
	if (!len || len >= sizeof(name))
		return complain(p, "expected a number or a name at \"%s\"", *s);
	memcpy(name, *s, len);
	name[len] = '\0';
	*s += len;
	sym = text_dump_find(p->d, name, NULL);
	part = strchr(name, ':');
	if (!sym && part) {
		*part = '\0';
		sym = text_dump_find(p->d, part + 1, name);
		*part = ':';
	}
	if (sym) {
		*ret = sym->addr;
		return 0;
	}
	part = strchr(name, '.');
	if (part) {
		*part = '\0';
		if (!text_dump_member(p->d, text_dump_type(p->d, name, false), part + 1, &m)) {
			*ret = m.offset;
			return 0;
		}
		*part = '.';
	}
	for (size_t i = 0; i < p->d->nr_enums; i++) {
		if (!strcmp(p->d->enums[i].name, name)) {
			*ret = p->d->enums[i].value;
			return 0;
		}
	}
	return complain(p, "\"%s\" is not defined above this line", name);
}

static int parse_product(struct parser *p, const char **s, uint64_t *ret)
{
	uint64_t right;
	int err = parse_factor(p, s, ret);

	while (!err && **s == '*') {
		++*s;
		err = parse_factor(p, s, &right);
		if (!err)
			*ret *= right;
	}
	return err;
}

/* Sums of products: "kprobe_table+8*18", "-1". A colon at the end is punctuation. */
static int parse_value(struct parser *p, int word, uint64_t *ret)
{
	char text[512];
	const char *s = text;
	uint64_t sum = 0, term;
	bool first = true;
	size_t len;
	int err;

	if (word >= p->count || p->quoted[word])
		return complain(p, "expected an address or a number");
	len = p->lens[word];
	if (len >= sizeof(text))
		return complain(p, "word is too long");
	memcpy(text, p->words[word], len + 1);
	if (len && text[len - 1] == ':')
		text[len - 1] = '\0';
	for (; first || *s; first = false) {
		bool minus = *s == '-';

		if (*s == '+' || minus)
			s++;
		else if (!first)
			return complain(p, "unexpected \"%s\"", s);
		err = parse_product(p, &s, &term);
		if (err)
			return err;
		sum += minus ? -term : term;
	}
	*ret = sum;
	return 0;
}

/* ---- types ---- */

static int scalar_type(const char *word, struct otst_member *ret)
{
	static const struct {
		const char *word, *type;
		uint32_t size, is_signed;
	} scalars[] = {
		{ "u8", "unsigned char", 1, 0 },
		{ "s8", "signed char", 1, 1 },
		{ "u16", "short unsigned int", 2, 0 },
		{ "s16", "short int", 2, 1 },
		{ "u32", "unsigned int", 4, 0 },
		{ "s32", "int", 4, 1 },
		{ "u64", "long unsigned int", 8, 0 },
		{ "s64", "long int", 8, 1 },
		{ "char", "char", 1, 1 },
		{ "bool", "_Bool", 1, 0 },
	};
	size_t len = strcspn(word, "[:");

	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		if (strlen(scalars[i].word) != len || memcmp(word, scalars[i].word, len))
			continue;
		ret->kind = OTST_KIND_INT;
		ret->size = scalars[i].size;
		ret->is_signed = scalars[i].is_signed;
		strcpy(ret->type, scalars[i].type);
		return 0;
	}
	return OTST_ERR_LOOKUP;
}

static int name_type(struct parser *p, const char *word, struct otst_member *ret)
{
	size_t len = strcspn(word, "[");

	if (!len || len >= sizeof(ret->type))
		return complain(p, "bad type name \"%s\"", word);
	memcpy(ret->type, word, len);
	ret->type[len] = '\0';
	return 0;
}

/* "[N]", "[]" or ":WIDTH@BIT" behind a type. */
static int type_suffix(struct parser *p, const char *word, struct otst_member *m)
{
	const char *s = strpbrk(word, "[:");
	unsigned int a, b;
	int n = 0;

	if (!s)
		return 0;
	if (!strcmp(s, "[]")) {
		m->kind = OTST_KIND_ARRAY;
		m->count = 0;
		m->size = 0;
	} else if (sscanf(s, "[%u]%n", &a, &n) == 1 && !s[n] && a) {
		m->kind = OTST_KIND_ARRAY;
		m->count = a;
		m->size *= a;
	} else if (sscanf(s, ":%u@%u%n", &a, &b, &n) == 2 && !s[n] && a && a + b <= 8 * m->size) {
		m->bit_size = a;
		m->bit_offset = b;
	} else {
		return complain(p, "bad type \"%s\"", word);
	}
	return 0;
}

/* NAME OFFSET TYPE, where TYPE is u8..s64, char, bool, "struct X", "ptr [X]". */
static int parse_member(struct parser *p)
{
	struct text_type *t = &p->d->types[p->type_index];
	const char *last = p->words[p->count - 1];
	struct otst_member m = { 0 };
	int err;

	if (p->count < 3 || p->count > 5)
		return complain(p, "a member is: NAME OFFSET TYPE");
	err = parse_value(p, 1, &m.offset);
	if (err)
		return err;
	if (!strncmp(p->words[2], "ptr", 3)) {
		last = p->words[2];
		m.size = 8;
		m.kind = OTST_KIND_POINTER;
		if (p->count > 3)
			err = name_type(p, p->words[p->count - 1], &m);
	} else if (!strcmp(p->words[2], "struct") && p->count == 4) {
		const struct text_type *of;

		err = name_type(p, last, &m);
		if (err)
			return err;
		of = text_dump_type(p->d, m.type, false);
		if (!of)
			return complain(p, "struct %s is not defined above this line", m.type);
		m.size = of->size;
		m.kind = OTST_KIND_STRUCT;
	} else if (p->count != 3 || scalar_type(last, &m)) {
		return complain(p, "unknown type \"%s\"", p->words[2]);
	}
	if (!err)
		err = type_suffix(p, last, &m);
	if (err)
		return err;
	if (m.offset + m.size > t->size)
		return complain(p, "%s ends past struct %s", p->words[0], t->name);
	if (t->nr_members == t->room) {
		t->room = 2 * t->room + 16;
		t->members = text_xrealloc(t->members, t->room * sizeof(*t->members));
	}
	t->members[t->nr_members].name = text_xstrdup(p->words[0]);
	t->members[t->nr_members++].m = m;
	return 0;
}

/* ---- objects ---- */

static void write_number(struct parser *p, uint64_t addr, uint64_t v, size_t size)
{
	uint8_t bytes[8];

	size = size < sizeof(bytes) ? size : sizeof(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[p->d->big_endian ? size - 1 - i : i] = v >> 8 * i;
	text_dump_write(p->d, addr, bytes, size);
}

static int write_bits(struct parser *p, const struct otst_member *m, uint64_t v)
{
	uint8_t unit[8] = { 0 };
	uint64_t mask = (m->bit_size < 64 ? 1ull << m->bit_size : 0) - 1;
	uint64_t old = 0;

	if (m->size > sizeof(unit))
		return complain(p, "bits of more than %zu bytes", sizeof(unit));
	text_dump_read(p->d, p->object + m->offset, unit, m->size);
	for (size_t i = 0; i < m->size; i++)
		old |= (uint64_t)unit[p->d->big_endian ? m->size - 1 - i : i] << 8 * i;
	if (v & ~mask)
		return complain(p, "value does not fit into %u bits", m->bit_size);
	old = (old & ~(mask << m->bit_offset)) | v << m->bit_offset;
	write_number(p, p->object + m->offset, old, m->size);
	return 0;
}

/* PATH = VALUE..., PATH = "text", PATH = self (a list_head that is empty) */
static int parse_assignment(struct parser *p)
{
	struct otst_member m;
	uint64_t at, v;
	size_t unit;
	int err;

	if (p->count < 3 || strcmp(p->words[1], "=") || p->quoted[1])
		return complain(p, "a value is: MEMBER = VALUE");
	if (text_dump_member(p->d, text_dump_type(p->d, p->type, false), p->words[0], &m))
		return complain(p, "struct %s has no %s", p->type, p->words[0]);
	at = p->object + m.offset;
	if (p->quoted[2]) {
		if (p->lens[2] > m.size)
			return complain(p, "string does not fit into %s", p->words[0]);
		text_dump_write(p->d, at, p->words[2], p->lens[2]);
		return 0;
	}
	if (!strcmp(p->words[2], "self")) {
		write_number(p, at, at, 8);
		if (m.size == 16)
			write_number(p, at + 8, at, 8);
		return 0;
	}
	if (m.bit_size) {
		err = parse_value(p, 2, &v);
		return err ? err : write_bits(p, &m, v);
	}
	/* a structure is filled word by word: "list = NEXT PREV" */
	unit = m.kind == OTST_KIND_ARRAY && m.count ? m.size / m.count : m.size;
	if (unit != 1 && unit != 2 && unit != 4)
		unit = 8;
	if ((p->count - 2) * unit > m.size && m.size)
		return complain(p, "too many values for %s", p->words[0]);
	for (int i = 2; i < p->count; i++, at += unit) {
		err = parse_value(p, i, &v);
		if (err)
			return err;
		write_number(p, at, v, unit);
	}
	return 0;
}

/* ---- directives ---- */

static int do_obj(struct parser *p)
{
	bool fresh = !strcmp(p->words[0], "obj");
	const struct text_type *t;
	int err;

	if (p->count != 3)
		return complain(p, "%s TYPE ADDRESS", p->words[0]);
	t = text_dump_type(p->d, p->words[1], false);
	if (!t)
		return complain(p, "struct %s is not defined above this line", p->words[1]);
	err = parse_value(p, 2, &p->object);
	if (err)
		return err;
	if (fresh) {
		void *zero = text_xrealloc(NULL, t->size + 1);

		memset(zero, 0, t->size + 1);
		text_dump_write(p->d, p->object, zero, t->size);
		free(zero);
	}
	snprintf(p->type, sizeof(p->type), "%s", t->name);
	p->block = BLOCK_OBJECT;
	return 0;
}

static int do_type(struct parser *p)
{
	struct text_type *t;
	uint64_t size;

	if (p->count != 3)
		return complain(p, "type NAME SIZE");
	if (parse_value(p, 2, &size))
		return OTST_ERR_USAGE;
	if (strlen(p->words[1]) >= sizeof(p->type))
		return complain(p, "type name is too long");
	t = text_dump_type(p->d, p->words[1], true);
	t->size = size;
	p->type_index = t - p->d->types;
	p->block = BLOCK_TYPE;
	return 0;
}

/* twin before|behind NAME SIZE: a second structure of that name */
static int do_twin(struct parser *p)
{
	bool before = p->count > 1 && !strcmp(p->words[1], "before");
	struct text_type *t;
	uint64_t size;

	if (p->count != 4 || (!before && strcmp(p->words[1], "behind")))
		return complain(p, "twin before|behind NAME SIZE");
	if (parse_value(p, 3, &size))
		return OTST_ERR_USAGE;
	t = text_dump_add_twin(p->d, p->words[2], before ? TEXT_TWIN_BEFORE : TEXT_TWIN_BEHIND);
	t->size = size;
	p->type_index = t - p->d->types;
	p->block = BLOCK_TYPE;
	return 0;
}

static int do_btf(struct parser *p)
{
	bool unnamed = p->count == 3 && !strcmp(p->words[2], "unnamed");
	uint64_t addr;

	if (p->count != 2 && !unnamed)
		return complain(p, "btf ADDRESS [unnamed]");
	if (parse_value(p, 1, &addr))
		return OTST_ERR_USAGE;
	text_dump_btf(p->d, addr, !unnamed);
	return 0;
}

/* sym NAME ADDRESS [SIZE] [MODULE]; let NAME ADDRESS is for the author only */
static int do_sym(struct parser *p)
{
	bool hidden = !strcmp(p->words[0], "let");
	const char *module = "";
	uint64_t addr, size = 0;
	int err;

	if (p->count < 3 || p->count > (hidden ? 3 : 5))
		return complain(p, "sym NAME ADDRESS [SIZE] [MODULE], or let NAME ADDRESS");
	err = parse_value(p, 2, &addr);
	if (!err && p->count > 3)
		err = parse_value(p, 3, &size);
	if (err)
		return err;
	if (p->count > 4)
		module = p->words[4];
	text_dump_symbol(p->d, p->words[1], module, addr, size, hidden);
	return 0;
}

static int do_mem(struct parser *p)
{
	uint64_t addr;
	int err = parse_value(p, 1, &addr);

	if (err)
		return err;
	for (int i = 2; i < p->count; i++) {
		const char *w = p->words[i];
		uint8_t byte;

		if (p->lens[i] != 2 || hex_digit(w[0]) < 0 || hex_digit(w[1]) < 0)
			return complain(p, "\"%s\" is not a byte in hex", w);
		byte = hex_digit(w[0]) << 4 | hex_digit(w[1]);
		text_dump_write(p->d, addr++, &byte, 1);
	}
	return 0;
}

static int do_words(struct parser *p)
{
	size_t size = strtoul(p->words[0] + 1, NULL, 10) / 8;
	uint64_t addr, v;
	int err = parse_value(p, 1, &addr);

	for (int i = 2; !err && i < p->count; i++, addr += size) {
		err = parse_value(p, i, &v);
		if (!err)
			write_number(p, addr, v, size);
	}
	return err;
}

static int do_str(struct parser *p)
{
	uint64_t addr;

	if (p->count != 3 || !p->quoted[2])
		return complain(p, "str ADDRESS \"text\"");
	if (parse_value(p, 1, &addr))
		return OTST_ERR_USAGE;
	text_dump_write(p->d, addr, p->words[2], p->lens[2] + 1);
	return 0;
}

/* fill ADDRESS LENGTH BYTE; unmap ADDRESS LENGTH */
static int do_fill(struct parser *p)
{
	bool fill = !strcmp(p->words[0], "fill");
	uint64_t addr, len, byte = 0;
	uint8_t page[TEXT_PAGE];

	if (p->count != (fill ? 4 : 3))
		return complain(p, "fill ADDRESS LENGTH BYTE, or unmap ADDRESS LENGTH");
	if (parse_value(p, 1, &addr) || parse_value(p, 2, &len) ||
	    (fill && parse_value(p, 3, &byte)))
		return OTST_ERR_USAGE;
	if (len > 256u << 20)
		return complain(p, "more than 256 MB");
	if (!fill) {
		text_dump_unmap(p->d, addr, len);
		return 0;
	}
	memset(page, byte, sizeof(page));
	for (; len; len -= len < TEXT_PAGE ? len : TEXT_PAGE, addr += TEXT_PAGE)
		text_dump_write(p->d, addr, page, len < TEXT_PAGE ? len : TEXT_PAGE);
	return 0;
}

/* physical ADDRESS PHYSICAL LENGTH */
static int do_physical(struct parser *p)
{
	struct text_physical m;

	if (p->count != 4)
		return complain(p, "physical ADDRESS PHYSICAL LENGTH");
	if (parse_value(p, 1, &m.addr) || parse_value(p, 2, &m.phys) || parse_value(p, 3, &m.len))
		return OTST_ERR_USAGE;
	text_dump_physical(p->d, &m);
	return 0;
}

static int do_says(struct parser *p)
{
	if (p->count != 2 || strcmp(p->words[1], "memory") != 0)
		return complain(p, "says memory");
	p->d->says_memory = true;
	return 0;
}

/* call ADDRESS TARGET; jump ADDRESS TARGET: x86's five bytes with rel32 */
static int do_branch(struct parser *p)
{
	uint64_t addr, target, rel;

	if (p->count != 3)
		return complain(p, "%s ADDRESS TARGET", p->words[0]);
	if (parse_value(p, 1, &addr) || parse_value(p, 2, &target))
		return OTST_ERR_USAGE;
	rel = target - (addr + 5);
	if ((int64_t)rel != (int32_t)rel)
		return complain(p, "target is more than 2 GB away");
	write_number(p, addr, *p->words[0] == 'c' ? 0xe8 : 0xe9, 1);
	write_number(p, addr + 1, rel, 4);
	return 0;
}

/* list HEAD NODE...: a circle of struct list_head, by the addresses of these */
static int do_list(struct parser *p)
{
	uint64_t head, prev, node;

	if (p->count < 2 || parse_value(p, 1, &head))
		return complain(p, "list HEAD NODE...");
	prev = head;
	for (int i = 2; i < p->count; i++, prev = node) {
		if (parse_value(p, i, &node))
			return OTST_ERR_USAGE;
		write_number(p, prev, node, 8);
		write_number(p, node + 8, prev, 8);
	}
	write_number(p, prev, head, 8);
	write_number(p, head + 8, prev, 8);
	return 0;
}

/* hlist HEAD NODE...: struct hlist_head and its hlist_nodes; llist: without pprev */
static int do_hlist(struct parser *p)
{
	bool pprev = *p->words[0] == 'h';
	uint64_t prev, node;

	if (p->count < 2 || parse_value(p, 1, &prev))
		return complain(p, "%s HEAD NODE...", p->words[0]);
	for (int i = 2; i < p->count; i++, prev = node) {
		if (parse_value(p, i, &node))
			return OTST_ERR_USAGE;
		write_number(p, prev, node, 8);
		if (pprev)
			write_number(p, node + 8, prev, 8);
	}
	write_number(p, prev, 0, 8);
	return 0;
}

static int do_endless(struct parser *p)
{
	struct text_endless e;

	if (p->count != 5)
		return complain(p, "endless ADDRESS LENGTH STRIDE OFFSET");
	if (parse_value(p, 1, &e.start) || parse_value(p, 2, &e.len) ||
	    parse_value(p, 3, &e.stride) || parse_value(p, 4, &e.offset))
		return OTST_ERR_USAGE;
	if (e.stride < 8 || e.offset > e.stride - 8)
		return complain(p, "offset does not fit into the stride");
	text_dump_endless(p->d, &e);
	return 0;
}

/*
 * elfsyms MODULE SYMTAB STRTAB: the module's symbols as it carries them
 * itself: one null entry, then an Elf64_Sym for each "sym ... MODULE" so far.
 */
static int do_elfsyms(struct parser *p)
{
	uint64_t symtab, strtab, name = 1;

	if (p->count != 4)
		return complain(p, "elfsyms MODULE SYMTAB STRTAB");
	if (parse_value(p, 2, &symtab) || parse_value(p, 3, &strtab))
		return OTST_ERR_USAGE;
	write_number(p, symtab, 0, 8);
	write_number(p, symtab + 8, 0, 8);
	write_number(p, symtab + 16, 0, 8);
	write_number(p, strtab, 0, 1);
	for (size_t i = 0; i < p->d->nr_symbols; i++) {
		const struct text_symbol *s = &p->d->symbols[i];

		if (strcmp(s->module, p->words[1]))
			continue;
		symtab += 24;
		write_number(p, symtab, name, 4);
		/* where other files have st_info the loader keeps the type letter: 't' */
		write_number(p, symtab + 4, 't', 1);
		write_number(p, symtab + 5, 0, 1);
		write_number(p, symtab + 6, 1, 2);
		write_number(p, symtab + 8, s->addr, 8);
		write_number(p, symtab + 16, s->size, 8);
		text_dump_write(p->d, strtab + name, s->name, strlen(s->name) + 1);
		name += strlen(s->name) + 1;
	}
	return 0;
}

static int do_enum(struct parser *p)
{
	uint64_t v;

	if (p->count != 3)
		return complain(p, "enum NAME VALUE");
	if (parse_value(p, 2, &v))
		return OTST_ERR_USAGE;
	text_dump_enum(p->d, p->words[1], v);
	return 0;
}

static int do_vmcoreinfo(struct parser *p)
{
	const char *s = strstr(p->line_buf, "vmcoreinfo") + strlen("vmcoreinfo");
	size_t len, old = p->d->vmcoreinfo_len;

	s += strspn(s, " \t");
	len = strcspn(s, "\n");
	p->d->vmcoreinfo = text_xrealloc(p->d->vmcoreinfo, old + len + 2);
	memcpy(p->d->vmcoreinfo + old, s, len);
	p->d->vmcoreinfo[old + len] = '\n';
	p->d->vmcoreinfo[old + len + 1] = '\0';
	p->d->vmcoreinfo_len = old + len + 1;
	return 0;
}

static int do_notes(struct parser *p)
{
	uint64_t addr, len;

	if (p->count != 3)
		return complain(p, "notes ADDR LENGTH");
	if (parse_value(p, 1, &addr) || parse_value(p, 2, &len))
		return OTST_ERR_USAGE;
	if (len > MAX_NOTES)
		return complain(p, "notes of more than %u bytes", MAX_NOTES);
	p->d->notes = text_xrealloc(p->d->notes, len + 1);
	p->d->notes_len = len;
	if (text_dump_read(p->d, addr, p->d->notes, len))
		return complain(p, "bytes of the notes are not given above");
	return 0;
}

static int do_lacks(struct parser *p)
{
	if (p->count == 2 && !strcmp(p->words[1], "symbols"))
		p->d->lacks_symbols = true;
	else if (p->count == 2 && !strcmp(p->words[1], "types"))
		p->d->lacks_types = true;
	else
		return complain(p, "lacks symbols, or lacks types");
	return 0;
}

/* has to come before all numbers: it does not swap them */
static int do_big_endian(struct parser *p)
{
	p->d->big_endian = true;
	return 0;
}

static int do_include(struct parser *p)
{
	const char *slash = strrchr(p->path, '/');
	char path[4096];

	if (p->count != 2)
		return complain(p, "include FILE");
	if (p->depth + 1 >= MAX_DEPTH)
		return complain(p, "includes are nested too deeply");
	snprintf(path, sizeof(path), "%.*s%s", slash ? (int)(slash + 1 - p->path) : 0, p->path,
		 p->words[1]);
	return parse_file(p->d, path, p->depth + 1, p->message, p->size);
}

static int parse_line(struct parser *p)
{
	static const struct {
		const char *word;
		int (*parse)(struct parser *p);
	} directives[] = {
		{ "big-endian", do_big_endian },
		{ "btf", do_btf },
		{ "call", do_branch },
		{ "elfsyms", do_elfsyms },
		{ "endless", do_endless },
		{ "enum", do_enum },
		{ "fill", do_fill },
		{ "hlist", do_hlist },
		{ "include", do_include },
		{ "jump", do_branch },
		{ "lacks", do_lacks },
		{ "let", do_sym },
		{ "list", do_list },
		{ "llist", do_hlist },
		{ "mem", do_mem },
		{ "notes", do_notes },
		{ "obj", do_obj },
		{ "set", do_obj },
		{ "says", do_says },
		{ "str", do_str },
		{ "sym", do_sym },
		{ "twin", do_twin },
		{ "type", do_type },
		{ "u16", do_words },
		{ "u32", do_words },
		{ "u64", do_words },
		{ "u8", do_words },
		{ "unmap", do_fill },
		{ "physical", do_physical },
		{ "vmcoreinfo", do_vmcoreinfo },
	};
	int err = split_line(p);

	if (err || !p->count)
		return err;
	if (p->line_buf[0] == '\t' || p->line_buf[0] == ' ') {
		if (p->block == BLOCK_TYPE)
			return parse_member(p);
		if (p->block == BLOCK_OBJECT)
			return parse_assignment(p);
		return complain(p, "an indented line belongs below type, obj or set");
	}
	p->block = BLOCK_NONE;
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (!strcmp(p->words[0], directives[i].word))
			return directives[i].parse(p);
	return complain(p, "unknown word \"%s\"", p->words[0]);
}

static int parse_file(struct text_dump *d, const char *path, unsigned int depth, char *message,
		      size_t size)
{
	struct parser *p = text_xrealloc(NULL, sizeof(*p));
	FILE *f = fopen(path, "r");
	int err = 0;

	memset(p, 0, sizeof(*p));
	p->d = d;
	p->path = path;
	p->depth = depth;
	p->message = message;
	p->size = size;
	if (!f) {
		snprintf(message, size, "%s: %s", path, strerror(errno));
		free(p);
		return OTST_ERR_USAGE;
	}
	while (!err && fgets(p->line_buf, sizeof(p->line_buf), f)) {
		p->line++;
		if (!strchr(p->line_buf, '\n') && !feof(f))
			err = complain(p, "line is longer than %d characters", MAX_LINE - 2);
		else
			err = parse_line(p);
	}
	fclose(f);
	free(p);
	return err;
}

int text_target_open(const char *path, char *message, size_t size, struct text_dump **ret)
{
	struct text_dump *d = text_xrealloc(NULL, sizeof(*d));
	int err;

	memset(d, 0, sizeof(*d));
	err = parse_file(d, path, 0, message, size);
	if (err) {
		text_target_close(d);
		return err;
	}
	text_dump_seal(d);
	*ret = d;
	return 0;
}
