// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * chain.c - callchains as perf_callchain() of kernel/events/core.c keeps
 * them: addresses, and before each part a mark (enum perf_callchain_context)
 * that tells whose stack it is.
 */
#include <inttypes.h>

#include "../../rings/perf_sample.h"
#include "perf.h"

#define WORD 8u

/* PERF_CONTEXT_USER */
#define MARK_USER ((uint64_t)-512)

/* PERF_RECORD_MISC_CPUMODE_MASK */
#define MODE_MASK 7u
#define MODE_USER 2u

static const struct {
	uint64_t mark;
	const char *text;
} parts[] = {
	{ (uint64_t)-32, "<hypervisor>" },
	{ MARK_USER, OTST_USER_MARK },
	{ OTST_PERF_MARK_USER_DEFERRED, OTST_USER_MARK },
	{ (uint64_t)-2048, "<guest>" },
	{ (uint64_t)-2176, "<guest kernel>" },
	{ (uint64_t)-2560, "<guest user>" },
};

static void add_context_mark(struct otst *o, struct otst_vec *lines, uint64_t mark)
{
	const char *text = NULL;

	/* most chains begin with it, and frames printed without a mark are the kernel's */
	if (mark == OTST_PERF_MARK_KERNEL)
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].mark == mark)
			text = parts[i].text;
	}
	text = text ?: otst_format(o, "<context %" PRId64 ">", (int64_t)mark);
	otst_trace_mark_add(o, lines, text);
}

/*
 * The first address of a part is the current instruction, one below the entry of an interrupt
 * where it came; the others are return addresses.
 */
static void add_chain_frame(struct otst *o, struct otst_vec *lines, uint64_t addr, bool kernel,
			    bool exact)
{
	struct otst_trace_line *line = otst_trace_line_add(o, lines);

	*line = (struct otst_trace_line){
		.kind = OTST_LINE_FRAME, .addr = addr, .reliable = true, .exact = exact
	};
	if (kernel)
		return;
	line->cs = OTST_USER_CS;
	line->text = otst_format(o, "0x%" PRIx64, addr);
}

void otst_perf_chain_lines(struct otst *o, const uint8_t *words, uint64_t count, bool kernel,
			   struct otst_vec *lines)
{
	bool exact = true;
	uint64_t i, entry;

	for (i = 0; i < count; i++) {
		entry = otst_get(o, words + i * WORD, WORD);
		if (otst_perf_is_mark(entry)) {
			kernel = entry == OTST_PERF_MARK_KERNEL;
			exact = true;
			add_context_mark(o, lines, entry);
			/* what follows is not an address: it identifies the record */
			i += entry == OTST_PERF_MARK_USER_DEFERRED;
			continue;
		}
		add_chain_frame(o, lines, entry, kernel, exact);
		exact = kernel && otst_returns_to_interrupted(o, entry - !exact);
	}
}

void otst_perf_chain_of_ip(const struct otst_perf_record *r, uint64_t ip, uint8_t *words)
{
	uint64_t mark = (r->misc & MODE_MASK) == MODE_USER ? MARK_USER : OTST_PERF_MARK_KERNEL;

	otst_put_le(words, mark, WORD);
	otst_put_le(words + WORD, ip, WORD);
}

const char *otst_perf_clock_name(int32_t clockid)
{
	/* include/uapi/linux/time.h: CLOCK_* */
	static const char *const names[] = {
		[0] = "real", [1] = "mono", [4] = "mono_raw", [7] = "boot", [11] = "tai",
	};
	const uint32_t id = (uint32_t)clockid;

	return id < sizeof(names) / sizeof(*names) && names[id] ? names[id] : "unknown";
}
