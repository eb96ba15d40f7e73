// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * lines.c - source line and inlined calls of an address, from the DWARF of the file
 * that its code comes from: the line table of its compilation unit, and
 * DW_TAG_inlined_subroutine inside its function. The result for an address is kept
 * while a command runs.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MAX_INLINED 32	  /* calls inlined into each other at one address, and blocks around them */
#define RECENT	    8192u /* a power of two */

/* ---- files ---- */

/* the source directory: what comes before @file in the path of the file that has @symbol */
static const char *find_tree(struct otst *o, struct otst_dwarf *dwarf, const char *symbol,
			     const char *file)
{
	size_t len, end = strlen(file);
	Dwarf_Line *line;
	uint64_t addr, pc;
	const char *src;
	Dwarf_Die cu;
	char *text;

	if (!otst_has_symbol(o, symbol) || otst_symbol(o, symbol, &addr))
		return NULL;
	pc = addr - dwarf->placed->shift;
	line = otst_dwarf_unit(dwarf, pc, &cu) ? dwarf_getsrc_die(&cu, pc) : NULL;
	src = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	len = src ? strlen(src) : 0;
	if (len <= end || strcmp(src + len - end, file))
		return NULL;
	text = otst_keep(o, len);
	return text ? memcpy(text, src, len - end) : NULL;
}

/* distributions give the compiler and the assembler different names for it */
static const char *const *source_trees(struct otst *o)
{
	static const char *const none[OTST_TREES];
	const struct otst_arch *arch = otst_kernel(o)->arch;
	struct otst_dwarf *dwarf = otst_dwarf_kernel(o);

	if (!dwarf || !dwarf->dwarf)
		return none;
	if (!dwarf->trees_read) {
		dwarf->trees_read = true;
		dwarf->trees[0] = find_tree(o, dwarf, "start_kernel", "init/main.c");
		dwarf->trees[1] = arch->image.head_symbol ?
					  find_tree(o, dwarf, arch->image.head_symbol,
						    arch->image.head_source) :
					  NULL;
	}
	return dwarf->trees;
}

/* a file of the kernel's sources is named relative to their top; without "./" */
static const char *file_name(struct otst *o, const char *src)
{
	const char *const *dirs = source_trees(o);
	char *name, *dot;
	size_t i, len;

	for (i = 0; src && i < OTST_TREES; i++) {
		len = dirs[i] ? strlen(dirs[i]) : 0;
		if (len && !strncmp(src, dirs[i], len)) {
			src += len;
			break;
		}
	}
	name = src ? otst_copy(o, src) : NULL;
	while (name && !strncmp(name, "./", 2))
		name += 2;
	while (name && (dot = strstr(name, "/./")))
		memmove(dot, dot + 2, strlen(dot + 2) + 1);
	return name ? otst_clean(o, name) : NULL;
}

/* ---- one address ---- */

/* blocks and inlined calls around @pc inside @function, outermost first */
static size_t find_inlined(Dwarf_Die *function, uint64_t pc, Dwarf_Die ret[MAX_INLINED])
{
	Dwarf_Die at = *function, die;
	size_t n = 0, depth;
	int tag;

	for (depth = 0; depth < 2 * MAX_INLINED && n < MAX_INLINED; depth++) {
		bool found = false;

		if (dwarf_child(&at, &die))
			break;
		do {
			tag = dwarf_tag(&die);
			found = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
				dwarf_haspc(&die, pc) > 0;
		} while (!found && !dwarf_siblingof(&die, &die));
		if (!found)
			break;
		if (tag == DW_TAG_inlined_subroutine)
			ret[n++] = die;
		at = die;
	}
	return n;
}

static unsigned int die_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value))
		return 0;
	return (unsigned int)value;
}

static const char *call_file(struct otst *o, Dwarf_Die *cu, Dwarf_Die *inlined)
{
	unsigned int i = die_number(inlined, DW_AT_call_file);
	Dwarf_Files *files;
	size_t n;

	if (!dwarf_hasattr(inlined, DW_AT_call_file) || dwarf_getsrcfiles(cu, &files, &n) || i >= n)
		return NULL;
	return file_name(o, dwarf_filesrc(files, i, NULL, NULL));
}

static const char *name_of_die(struct otst *o, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	return name ? otst_clean(o, otst_strdup(o, name)) : NULL;
}

static int read_lines(struct otst *o, struct otst_dwarf *dwarf, uint64_t pc, struct otst_lines *ret)
{
	Dwarf_Die cu, function, inlined[MAX_INLINED];
	bool known = otst_dwarf_function(dwarf, pc, &cu, &function);
	size_t n = known ? find_inlined(&function, pc, inlined) : 0, i;
	struct otst_line *lines = otst_alloc(o, (n + 1) * sizeof(*lines));
	Dwarf_Line *line = NULL;
	int number_of = 0;

	if (!lines)
		return otst_no_memory(o);
	if (known || otst_dwarf_unit(dwarf, pc, &cu))
		line = dwarf_getsrc_die(&cu, pc);
	if (!line && !known)
		return otst_raise(o, OTST_ERR_LOOKUP, "no line of it in the debug file");
	/*
	 * the line table has the innermost place; an inlined call's own entry, where
	 * it was called from
	 */
	for (i = 0; i <= n; i++) {
		lines[i].function = i < n ? name_of_die(o, &inlined[n - 1 - i]) :
				    known ? name_of_die(o, &function) :
					    NULL;
		if (i) {
			lines[i].file = call_file(o, &cu, &inlined[n - i]);
			lines[i].line = die_number(&inlined[n - i], DW_AT_call_line);
		} else if (line && !dwarf_lineno(line, &number_of) && number_of > 0) {
			lines[i].file = file_name(o, dwarf_linesrc(line, NULL, NULL));
			lines[i].line = (unsigned int)number_of;
		}
	}
	ret->items = lines;
	ret->count = n + 1;
	return 0;
}

/* ---- kept while a command runs ---- */

struct recent {
	uint64_t addr;
	int err;
	struct otst_lines lines;
};

static const char recent_key;
static const char missing_key;

/* the files that were needed and are not there, each once */
static int note_missing(struct otst *o, const struct otst_dwarf *dwarf)
{
	void **place = otst_memo(o, &missing_key);
	const struct otst_dwarf **slot;
	struct otst_vec *v;

	if (!*place)
		*place = otst_new(o, sizeof(*v));
	v = *place;
	for (size_t i = 0; v && i < v->count; i++) {
		if (((const struct otst_dwarf **)v->data)[i] == dwarf)
			return 0;
	}
	slot = v ? otst_vec_push(o, v, sizeof(*slot)) : NULL;
	if (!slot)
		return otst_no_memory(o);
	*slot = dwarf;
	return 0;
}

static int look_up_line(struct otst *o, uint64_t addr, struct otst_lines *ret)
{
	struct otst_dwarf *dwarf = NULL;
	uint64_t pc;
	int err = otst_dwarf_at(o, addr, &dwarf, &pc);

	if (!err)
		return read_lines(o, dwarf, pc, ret);
	if (err == OTST_ERR_LOOKUP && dwarf && !dwarf->dwarf && note_missing(o, dwarf))
		return OTST_ERR_NOMEM;
	return err;
}

int otst_lines(struct otst *o, uint64_t addr, struct otst_lines *ret)
{
	void **place = otst_memo(o, &recent_key);
	struct recent *r;

	if (!*place)
		*place = otst_alloc(o, RECENT * sizeof(*r));
	if (!*place)
		return otst_no_memory(o);
	r = (struct recent *)*place + (addr * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (RECENT - 1));
	if (r->addr != addr) {
		*r = (struct recent){ .addr = addr };
		r->err = look_up_line(o, addr, &r->lines);
	} else if (r->err) {
		return otst_raise(o, r->err, "no line of it in a debug file");
	}
	if (!r->err)
		*ret = r->lines;
	return r->err;
}

const char *otst_lines_missing(struct otst *o)
{
	void **place = otst_memo(o, &missing_key);
	const struct otst_vec *v = *place;
	const char *text = NULL;

	for (size_t i = 0; v && i < v->count; i++) {
		const struct otst_dwarf *dwarf = ((const struct otst_dwarf **)v->data)[i];

		text = otst_format(o, "%s%s%s%s%s%s",
				   text ? text : "no lines of source: ", i ? "; " : "",
				   dwarf->name ? "module " : "the kernel",
				   dwarf->name ? dwarf->name : "", ": ", dwarf->why);
	}
	return text;
}
