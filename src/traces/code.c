// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * code.c - from frames to instructions: which address of this dump a frame means
 * that was captured as text; what the registers at a probe tell, and whose handler
 * the probe has.
 */

#include "../ftrace/ftrace.h"
#include "traces.h"

uint64_t otst_sym_text_address(struct otst *o, const struct otst_sym_text *t)
{
	struct otst_sym sym;
	const char *name;
	uint64_t addr;

	if (!t->has_offset)
		return 0;
	name = t->module ? otst_format(o, "%.*s:%.*s", (int)t->module_len, t->module,
				       (int)t->name_len, t->name) :
			   otst_format(o, "%.*s", (int)t->name_len, t->name);
	if (!name || (t->module ? otst_symbol_any(o, name, &addr) : otst_symbol(o, name, &addr)))
		return 0;
	/* several functions may share the name: if the size differs, it is another one */
	otst_symbolize(o, addr, &sym);
	return !t->size || sym.size == t->size ? addr + t->offset : 0;
}

/* the kernel names what it prints by the byte before a return address, trampolines, too */
static uint64_t place_of_code(struct otst *o, const struct otst_trace_line *line, uint64_t addr)
{
	return line->text ? addr - !line->exact : otst_frame_code(o, addr, line->exact);
}

/* true if the dump has this symbol at the address that the capture printed */
static bool fits_symbol(struct otst *o, const struct otst_trace_line *line,
			const struct otst_sym_text *t)
{
	struct otst_sym sym;

	otst_symbolize_all(o, place_of_code(o, line, line->addr), &sym);
	return sym.name && line->addr - sym.addr == t->offset && (!t->size || sym.size == t->size);
}

uint64_t otst_trace_line_code(struct otst *o, const struct otst_trace_line *line)
{
	struct otst_sym_text t;
	uint64_t addr = line->addr;

	if (!otst_trace_line_is_code(line))
		return 0;
	if (line->text && otst_sym_text_parse(line->text, &t) && t.has_offset &&
	    (!addr || !fits_symbol(o, line, &t)))
		addr = otst_sym_text_address(o, &t);
	return addr ? place_of_code(o, line, addr) : 0;
}

int otst_trace_regs(struct otst *o, struct otst_trace *t, uint64_t addr,
		    const struct otst_capture *c)
{
	if (!c->full)
		return 0;
	t->regs = c->regs;
	return otst_arguments(o, addr, c, &t->call);
}

const char *otst_trace_handler(const struct otst_probe *p)
{
	const struct otst_handler *jprobe = otst_probe_handler(p, OTST_HANDLER_JPROBE);

	/* a jprobe's handler is behind the kernel's own */
	if (jprobe)
		return jprobe->sym.name;
	return p->nr_handlers ? p->handlers[0].sym.name : NULL;
}
