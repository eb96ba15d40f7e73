// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * dream.c - an engine of its own on a kernel that has types and names, and whose memory is made
 * up: pointers that lead to more of it, or zeros. Only the types themselves and what the
 * kernel says of itself are as they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../arch/arch.h"
#include "../base/engine.h"
#include "../base/hash.h"
#include "../image/image.h"
#include "../names/kallsyms.h"
#include "readiness.h"

#define NODE_BYTES  24u	 /* of struct rb_node */
#define TABLE_BYTES 128u /* between __start_X and __stop_X */

#define UTS_LEN	  65u /* __NEW_UTS_LEN + 1 */
#define UTS_PARTS 6u
#define UTS_BYTES ((uint64_t)(UTS_LEN)*UTS_PARTS)

/*
 * @o: the engine; @of: the one that asks
 * @word: what each word of memory holds: a kernel pointer, and a small number where fewer than
 *	eight bytes count; or a number
 * @place: a kernel pointer
 * @types: where the types are in memory, @types_end; 0 where they come from a file
 * @uts: where init_uts_ns.name is
 * @lead: see otst_dream_lead(); @asked, @priv: see otst_dream_asked()
 */
struct dream {
	struct otst *o;
	struct otst *of;
	enum otst_dream kind;
	uint64_t word;
	uint8_t bytes[8]; /* of @word, as they are in memory */
	uint64_t place;
	uint64_t types, types_end;
	uint64_t uts;
	const char *lead;
	void (*asked)(void *priv, const char *name);
	void *priv;
	char names[UTS_BYTES];
};

/* ---- which processor ---- */

/* a member of struct pt_regs that only one processor has; a pointer into its kernel's memory */
static const struct machine {
	const char *member;
	const char *name;
	uint64_t pointer;
} machines[] = {
	{ "orig_ax", "x86_64", 0xffff888000000008 }, { "pstate", "aarch64", 0xffff000000000008 },
	{ "epc", "riscv64", 0xffffffd800000008 },    { "nip", "ppc64le", 0xc000000000000008 },
	{ "psw", "s390x", 0x0000000010000008 },
};

/* NULL for a processor that otst does not know */
static const struct machine *find_machine(struct otst *o)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		if (otst_has_member(o, "pt_regs", machines[i].member))
			return &machines[i];
	}
	return otst_has_type(o, "pt_regs") ? NULL : &machines[0];
}

/* ---- what the engine asks ---- */

static bool is_interrupted(void *priv)
{
	return otst_check(((struct dream *)priv)->of) != 0;
}

/* where in a word @addr is: a record begins where a number leads that is taken for a pointer */
static uint64_t find_phase(const struct dream *d, uint64_t addr)
{
	return (addr >> 32 == d->word >> 32 ? addr - d->word : addr) & 7;
}

#define POINTER	    2u
#define WORDS_MIXED (sizeof(words_mixed) / sizeof(*words_mixed))

/* what memory at random holds: POINTER stands for one that leads on */
static const uint64_t words_mixed[] = {
	POINTER, 0, POINTER, 1, POINTER, 0, UINT64_MAX, 0x100000001,
};

static uint64_t mix_number(const struct dream *d, uint64_t word)
{
	uint64_t h = (word + (uint64_t)d->kind * UINT64_C(0x632be59bd9b4e019)) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 40;
}

/* @len bytes of made-up memory at @addr */
static void make_up(const struct dream *d, uint64_t addr, uint8_t *ret, uint64_t len)
{
	uint64_t i, at = find_phase(d, addr), head = len < 16 ? len : 16;

	for (i = 0; i < head; i++)
		ret[i] = d->bytes[(at + i) & 7];
	/* the rest is copied from what is there, doubling it */
	for (; i < len; i += head) {
		head = i - i % 8 < len - i ? i - i % 8 : len - i;
		memcpy(ret + i, ret, head);
	}
	for (i = 0; d->kind == OTST_DREAM_TREES && i < NODE_BYTES; i++) {
		if (d->word + i >= addr && d->word + i - addr < len)
			ret[d->word + i - addr] = 0;
	}
}

/* the bytes of @word from its byte @at on, @len of them at most */
static void put_mixed_word(const struct dream *d, uint64_t word, uint64_t at, uint8_t *ret,
			   uint64_t len)
{
	for (; at < 8 && len; at++, len--)
		*ret++ = (uint8_t)(word >> 8 * (otst_big_endian(d->of) ? 7 - at : at));
}

/* words at random, but each address always holds the same one */
static void mix_up(const struct dream *d, uint64_t addr, uint8_t *ret, uint64_t len)
{
	uint64_t i, at, word;

	for (i = 0, at = find_phase(d, addr); i < len; i += 8 - at, at = 0) {
		word = words_mixed[mix_number(d, addr + i - at) % WORDS_MIXED];
		if (word != POINTER)
			put_mixed_word(d, word, at, ret + i, len - i);
	}
}

static int read_memory(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	const struct dream *d = priv;
	uint64_t i;

	if (space != OTST_VIRT || !addr)
		return OTST_ERR_FAULT;
	if (d->types && addr >= d->types && addr < d->types_end)
		return otst_read(d->of, addr, buf, len);
	make_up(d, addr, buf, len);
	if (d->kind >= OTST_DREAM_MIXED)
		mix_up(d, addr, buf, len);
	for (i = 0; d->uts && i < UTS_BYTES; i++) {
		if (d->uts + i >= addr && d->uts + i - addr < len)
			((uint8_t *)buf)[d->uts + i - addr] = (uint8_t)d->names[i];
	}
	return 0;
}

/* a symbol whose address is not known: somewhere, always the same */
static uint64_t place_of_dream(const struct dream *d, const char *name)
{
	return (d->place & ~UINT64_C(0xfff)) + 0x1000000 +
	       (uint64_t)(otst_hash(name, strlen(name)) & 0xffff) * 0x1000;
}

bool otst_readiness_functions_known(struct otst *o)
{
	/*
	 * Any kernel with /proc has the first, which is static, and any with tracing the other: early BTF
	 * has only functions that are global, or that ftrace can hook, and those of ftrace itself are
	 * neither.
	 */
	return otst_readiness_names_known(o) ||
	       (otst_function_type(o, "proc_reg_open") && otst_function_type(o, "tracing_open"));
}

bool otst_readiness_names_known(struct otst *o)
{
	uint64_t addr;

	/* a variable of every kernel: that of a package of headers has the names of its types alone */
	if (otst_is_alone(o) && !o->ops.symbol)
		return !otst_image_symbol(o, "init_uts_ns", &addr);
	return otst_knows(o, OTST_KNOWS_SYMBOLS) || (!otst_is_alone(o) && !otst_symbols_gap(o));
}

/* true if it is certain that there is such a symbol; functions are among the types */
static bool is_known_dream(struct dream *d, const char *name, uint64_t *addr)
{
	*addr = 0;
	return !otst_symbol(d->of, name, addr) || !otst_image_symbol(d->of, name, addr) ||
	       otst_function_type(d->of, name);
}

/* tables between two symbols have a few entries, and there is little to search; types are all there */
static bool ends_table(const char *name, char *start, size_t size)
{
	static const char stop[] = "__stop_", end[] = "__end_rodata";
	size_t len = sizeof(stop) - 1;

	if (strcmp(name, end) != 0 && (strncmp(name, stop, len) != 0 || !strcmp(name + len, "BTF")))
		return false;
	snprintf(start, size, "__start_%s", strchr(name + 2, '_') + 1);
	return true;
}

/*
 * Where names are not known, every variable exists, but for those that came with functions which this
 * kernel does not have.
 */
static bool may_exist(struct dream *d, const char *name)
{
	const struct otst_variable *v = otst_variable(name);
	int64_t value;
	bool has;

	if (otst_readiness_names_known(d->of))
		return false;
	if (otst_variable_shape(d->of, name, &has))
		return has;
	if (!v)
		return true;
	return v->functions && otst_readiness_functions_known(d->of) ?
		       otst_dream_has(d, v->functions, true) :
		       otst_has_type(d->of, v->type) || !otst_enumerator(d->of, v->type, &value);
}

static int find_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct dream *d = priv;
	char start[64];
	uint64_t addr, from;

	if (!is_known_dream(d, name, &addr) && !may_exist(d, name))
		return OTST_ERR_LOOKUP;
	*ret = addr ?: place_of_dream(d, name);
	if (ends_table(name, start, sizeof(start)) && !find_symbol(priv, start, &from))
		*ret = from + TABLE_BYTES;
	if (d->lead && !strcmp(name, d->lead))
		*ret = d->word;
	if (d->asked)
		d->asked(d->priv, name);
	return 0;
}

static int find_member(void *priv, const char *type, const char *member, struct otst_member *ret)
{
	const struct otst_member *m;
	int err = otst_member(((struct dream *)priv)->of, type, member, &m);

	if (!err)
		*ret = *m;
	return err;
}

static int find_type(void *priv, const char *type, uint64_t *ret)
{
	return otst_type_size(((struct dream *)priv)->of, type, ret);
}

static int find_enumerator(void *priv, const char *name, int64_t *ret)
{
	return otst_enumerator(((struct dream *)priv)->of, name, ret);
}

static bool knows_all(void *priv, int what)
{
	(void)priv, (void)what;
	return true;
}

/* ---- opening ---- */

static void find_types(struct dream *d)
{
	uint64_t start, end;

	if (otst_options(d->of)->btf || otst_symbol(d->of, "__start_BTF", &start) ||
	    otst_symbol(d->of, "__stop_BTF", &end) || end <= start)
		return;
	d->types = start;
	d->types_end = end;
}

static void name_machine(struct dream *d, const struct machine *m)
{
	static const char *const parts[UTS_PARTS] = { "Linux", "none", "0", "0" };
	const struct otst_member *name;
	size_t i;

	for (i = 0; i < UTS_PARTS; i++)
		strncpy(d->names + i * UTS_LEN, parts[i] ? parts[i] : "", UTS_LEN - 1);
	strncpy(d->names + 4 * UTS_LEN, m->name, UTS_LEN - 1);
	if (!find_symbol(d, "init_uts_ns", &d->uts) &&
	    !otst_member(d->of, "uts_namespace", "name", &name))
		d->uts += name->offset;
}

static void set_word(struct dream *d, uint64_t word)
{
	unsigned int i;

	d->word = word;
	for (i = 0; i < sizeof(d->bytes); i++)
		d->bytes[i] = (uint8_t)(word >> 8 * (otst_big_endian(d->of) ? 7 - i : i));
}

/* the number that each half of each word holds; 0 for a pointer */
static const uint32_t numbers[OTST_DREAM_COUNT] = {
	[OTST_DREAM_ONES] = 1,	[OTST_DREAM_TWOS] = 2,	       [OTST_DREAM_THREES] = 3,
	[OTST_DREAM_FOURS] = 4, [OTST_DREAM_ALL] = UINT32_MAX,
};

static uint64_t word_of(enum otst_dream kind, uint64_t pointer)
{
	uint64_t number = numbers[kind];

	if (kind == OTST_DREAM_ZEROS || kind == OTST_DREAM_WIDE)
		return kind == OTST_DREAM_WIDE;
	return number ? number << 32 | number : pointer;
}

/* free what the last decoder made */
static void begin_dream(struct dream *d)
{
	/* what was found out once stays, failures too: memory does not get better */
	d->o->once.stale = false;
	otst_command_end(d->o);
	otst_command_begin(d->o);
	d->o->memory_limit = d->of->memory_limit;
}

int otst_dream_open(struct otst *o, enum otst_dream kind, struct dream **ret)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "readiness",
						    .read = read_memory,
						    .symbol = find_symbol,
						    .member = find_member,
						    .type_size = find_type,
						    .enumerator = find_enumerator,
						    .interrupted = is_interrupted,
						    .knows = knows_all };
	struct otst_options options = *otst_options(o);
	const struct machine *machine = find_machine(o);
	struct dream *d;
	int err;

	if (!machine)
		return otst_raise(o, OTST_ERR_UNSUPPORTED,
				  "struct pt_regs is of a processor that otst does not know");
	d = calloc(1, sizeof(*d));
	if (!d)
		return otst_no_memory(o);
	options.live = options.debuginfod = 0;
	options.search = NULL;
	d->of = o;
	d->kind = kind;
	d->place = machine->pointer;
	set_word(d, word_of(kind, d->place));
	find_types(d);
	name_machine(d, machine);
	err = otst_open(&ops, d, &options, &d->o);
	if (err) {
		free(d);
		return otst_raise(o, err, "%s", otst_error_text(err));
	}
	begin_dream(d);
	*ret = d;
	return 0;
}

void otst_dream_close(struct dream *d)
{
	if (!d)
		return;
	otst_command_end(d->o);
	otst_close(d->o);
	free(d);
}

void otst_dream_asked(struct dream *d, void (*asked)(void *priv, const char *name), void *priv)
{
	d->asked = asked;
	d->priv = priv;
}

void otst_dream_lead(struct dream *d, const char *name)
{
	d->lead = name;
	/* what was worked out with the symbol before */
	begin_dream(d);
}

uint64_t otst_dream_place(struct dream *d)
{
	return d->place;
}

struct otst *otst_dream_engine(struct dream *d)
{
	return d->o;
}

bool otst_dream_has(struct dream *d, const char *names, bool certain)
{
	char name[64];
	uint64_t at;
	size_t len;

	for (; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		snprintf(name, sizeof(name), "%.*s", (int)len, names);
		if (certain ? is_known_dream(d, name, &at) : !find_symbol(d, name, &at))
			return true;
	}
	return false;
}
