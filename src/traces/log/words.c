// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * words.c - what the kernel says when it dies, warns or shows a stack: tables, and how they
 * are searched.
 */
#include <string.h>

#include "log.h"
#include "words.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* ---- about traces ---- */

static const char *const starts[] = {
	"Call Trace:", "Call trace:", "Backtrace:", "backtrace:", "backtrace (",
};

static const char *const endings[] = {
	"---[ end ",	  "Modules linked in:", "=======",
	"Kernel Offset:", "Rebooting in ",	"Last Breaking-Event-Address:",
};

static const char *const fresh[] = {
	"------------[ cut here ]",
	"NMI backtrace for cpu",
	"INFO: task ",
	"unreferenced object",
};

static const char *const first[] = {
	"WARNING:",
	"BUG:",
	"BUG ",
	"INFO:",
	"Oops:",
	"Oops ",
	"general protection fault",
	"kernel BUG at",
	"kernel BUG in ",
	"CFI failure at ",
	"Unable to handle kernel",
	"Kernel Fault: Code=",
	"Bad Address (null pointer deref?): Code=",
	"Kernel panic - not syncing",
	/* these three also print at boot: match only what begins a report */
	"watchdog: BUG:",
	"watchdog: CPU",
	"watchdog: Watchdog detected",
	"NMI watchdog: BUG:",
	"NMI watchdog: Watchdog detected",
	"rcu: INFO:",
	"rcu: rcu_",
	"rcu: RCU grace-period",
	"rcu: Stack dump",
	"rcu: All QSes",
	"divide error:",
	"invalid opcode:",
	"double fault:",
	"int3:",
	"UBSAN:",
	"[ INFO: ",
	"[ BUG: ",
	"Internal error:",
	"kernel tried to execute",
};

static const char *const rest[] = {
	"RSP:",
	"RAX:",
	"RBX:",
	"RDX:",
	"RBP:",
	"RIP ",
	"R08:",
	"R10:",
	"R13:",
	"FS:",
	"CS:",
	"CR2:",
	"CR0:",
	"DR0:",
	"DR3:",
	"DR6:",
	"PKRU:",
	"Code:",
	"ORIG_",
	"RSP <",
	"Hardware name:",
	"Tainted: ",
	"Workqueue:",
	"Stack:",
	"EAX:",
	"ESI:",
	"EBP:",
	"DS:",
	"EFLAGS:",
	"ESP:",
	"sp : ",
	"lr : ",
	"epc : ",
	"epc   : ",
	"ra : ",
	"ra    : ",
	"ra: ",
	"ERA: ",
	"Exception stack(",
	"pstate:",
	"x2",
	"x1",
	"x5 :",
	"x8 :",
	"last sysfs file:",
	"Sched_ext:",
	"Kernel Offset:",
	"PGD ",
	"Oops#",
	"Krnl GPRS:",
	"Krnl Code:",
	"R:0 T:",
	"Failing address:",
	"Fault in ",
	"AS:0",
	"TPC: ",
	"RPC: ",
	"I7: ",
	"Caller[",
	"IAOQ[1]: ",
	"RP(r2): ",
	"PR is at ",
	"ra is at ",
	"LR: ",
	"SP: ",
	"NIP: ",
	"LR [",
	"LR = ",
	"REGS: ",
	"MSR: ",
	"CFAR: ",
	"DAR: ",
	"IRQMASK: ",
	"SOFTE: ",
	"GPR",
	"Stack :",
	"Object f",
	"Object 00",
	"Object   ",
	"Redzone ",
	"Padding ",
	"Bytes b4 ",
	/* of otst -t -x log */
	"hook: ",
};

static const char *const glued[] = {
	"------------[ cut here",
	"WARNING: ",
	"BUG: ",
	"Oops: ",
	"Modules linked in:",
	"CPU: ",
	"Hardware name: ",
	"Workqueue: ",
	"RIP: ",
	"RSP: ",
	"RAX: ",
	"RDX: ",
	"RBP: ",
	"R10: ",
	"R13: ",
	"FS: ",
	"CS: ",
	"CR2: ",
	"Code: ",
	"Call Trace:",
	"Call trace:",
	"---[ end ",
	"pstate: ",
	"pc : ",
	"lr : ",
	"sp : ",
};

static const struct {
	const char *const *words;
	size_t count;
} sets[OTST_WORDS_COUNT] = {
	[OTST_WORDS_START] = { starts, COUNT(starts) },
	[OTST_WORDS_END] = { endings, COUNT(endings) },
	[OTST_WORDS_NEW] = { fresh, COUNT(fresh) },
	[OTST_WORDS_HEADLINE] = { first, COUNT(first) },
	[OTST_WORDS_REST] = { rest, COUNT(rest) },
	[OTST_WORDS_GLUED] = { glued, COUNT(glued) },
};

const char *otst_words_begin(enum otst_words set, const char *line)
{
	for (size_t i = 0; i < sets[set].count; i++) {
		if (otst_begins(line, sets[set].words[i]))
			return sets[set].words[i];
	}
	return NULL;
}

void otst_words_each(enum otst_words set, void (*each)(void *priv, const char *word), void *priv)
{
	for (size_t i = 0; i < sets[set].count; i++)
		each(priv, sets[set].words[i]);
}

/* ---- about deaths ---- */

static const struct otst_headline headlines[] = {
	{ "unable to handle page fault for address", NULL, OTST_DEATH_OOPS, "address: " },
	{ "unable to handle kernel", NULL, OTST_DEATH_OOPS, " at " },
	{ "Unable to handle kernel", NULL, OTST_DEATH_OOPS, "virtual address " },
	/* in older kernels and on other machines the lines above contain it, too */
	{ "kernel NULL pointer dereference", NULL, OTST_DEATH_OOPS, "address: " },
	{ "Kernel NULL pointer dereference on ", NULL, OTST_DEATH_OOPS, " at " },
	/* "maybe for address 0x..": not the address that failed */
	{ "general protection fault", NULL, OTST_DEATH_OOPS, "non-canonical address 0x" },
	{ "kernel BUG at ", NULL, OTST_DEATH_OOPS, NULL },
	/* powerpc's, up to 2.6.19 */
	{ "kernel BUG in ", " at ", OTST_DEATH_OOPS, NULL },
	{ "Kernel Fault: Code=", NULL, OTST_DEATH_OOPS, " at addr " },
	{ "Bad Address (null pointer deref?): Code=", NULL, OTST_DEATH_OOPS, " at addr " },
	{ "CFI failure at ", NULL, OTST_DEATH_OOPS, NULL },
	{ "kernel tried to execute NX-protected page", NULL, OTST_DEATH_OOPS, NULL },
	/* "TASK stack guard page", "IRQ stack guard page" */
	{ "BUG: ", "stack guard page was hit", OTST_DEATH_OOPS, "hit at " },
	/* arm64's words for it */
	{ "Insufficient stack space to handle exception", NULL, OTST_DEATH_OOPS, NULL },
	/* s390x's */
	{ "Kernel stack overflow", NULL, OTST_DEATH_OOPS, NULL },
	{ "double fault", NULL, OTST_DEATH_OOPS, NULL },
	{ "Internal error: ", NULL, OTST_DEATH_OOPS, NULL },
	{ "SError Interrupt on CPU", NULL, OTST_DEATH_OOPS, NULL },
	{ "Bad mode in ", " handler detected", OTST_DEATH_OOPS, NULL },
	{ "invalid opcode: ", NULL, OTST_DEATH_OOPS, NULL },
	{ "divide error: ", NULL, OTST_DEATH_OOPS, NULL },
	{ "stack segment: ", NULL, OTST_DEATH_OOPS, NULL },
	{ "Oops: ", NULL, OTST_DEATH_OOPS, NULL },
	{ "soft lockup - CPU#", NULL, OTST_DEATH_SOFT_LOCKUP, NULL },
	{ "Watchdog detected hard LOCKUP on cpu", NULL, OTST_DEATH_HARD_LOCKUP, NULL },
	{ "task ", "blocked for more than", OTST_DEATH_HUNG_TASK, NULL },
	{ "rcu", "detected stall", OTST_DEATH_RCU_STALL, NULL },
	{ "", " invoked oom-killer: ", OTST_DEATH_OUT_OF_MEMORY, NULL },
	/* "WARNING: CPU: 1 PID: 2 at FILE", "WARNING: at FILE", "WARNING: FILE at FUNCTION" */
	{ "WARNING: ", "at ", OTST_DEATH_WARNING, NULL },
};

/* what the kernel writes before the words of a report */
static const char *const prefixes[] = {
	"BUG: ", "Oops: ", "NMI watchdog: ", "watchdog: ", "rcu: ", "INFO: ", "traps: ", "PANIC: ",
};

/* what panic() was called with; anything else is OTST_DEATH_PANIC */
static const struct {
	const char *words;
	enum otst_death death;
} panics[] = {
	{ "sysrq triggered crash", OTST_DEATH_ASKED },
	{ "NMI: Not continuing", OTST_DEATH_ASKED },
	{ "Fatal exception", OTST_DEATH_OOPS },
	{ "Oops", OTST_DEATH_OOPS },
	/* parisc's */
	{ "Kernel Fault", OTST_DEATH_OOPS },
	{ "Bad Address", OTST_DEATH_OOPS },
	{ "Asynchronous SError Interrupt", OTST_DEATH_OOPS },
	/* ppc64le's oops does not end in a panic of its own */
	{ "Aiee, killing interrupt handler", OTST_DEATH_OOPS },
	{ "kernel stack overflow", OTST_DEATH_OOPS },
	/* riscv64, s390x */
	{ "Kernel stack overflow", OTST_DEATH_OOPS },
	{ "Corrupt kernel stack", OTST_DEATH_OOPS },
	{ "softlockup: hung tasks", OTST_DEATH_SOFT_LOCKUP },
	{ "Hard LOCKUP", OTST_DEATH_HARD_LOCKUP },
	{ "hard LOCKUP", OTST_DEATH_HARD_LOCKUP },
	{ "hung_task: blocked tasks", OTST_DEATH_HUNG_TASK },
	{ "RCU Stall", OTST_DEATH_RCU_STALL },
	{ "Out of memory", OTST_DEATH_OUT_OF_MEMORY },
	{ "out of memory", OTST_DEATH_OUT_OF_MEMORY },
	{ "System is deadlocked on memory", OTST_DEATH_OUT_OF_MEMORY },
	{ "panic_on_warn", OTST_DEATH_WARNING },
	{ "kasan.fault=panic", OTST_DEATH_WARNING },
};

/* a log has millions of lines, of which hardly one begins like this: most differ in the first byte */
static bool stands_at(const char *s, const char *with)
{
	while (*with && *s == *with)
		s++, with++;
	return !*with;
}

/* behind one of prefixes[], "CPU0: ", or MIPS's "CPU 0 "; NULL when there is none */
static const char *skip_prefix(const char *s)
{
	size_t i, digits;

	for (i = 0; i < COUNT(prefixes); i++) {
		if (stands_at(s, prefixes[i]))
			return s + strlen(prefixes[i]);
	}
	digits = stands_at(s, "CPU ") ? strspn(s + 4, "0123456789") : 0;
	if (digits && s[4 + digits] == ' ')
		return s + 4 + digits + 1;
	digits = stands_at(s, "CPU") ? strspn(s + 3, "0123456789") : 0;
	return digits && stands_at(s + 3 + digits, ": ") ? s + 3 + digits + 2 : NULL;
}

const struct otst_headline *otst_words_headline(const char *line)
{
	/* all that ARC says */
	static const struct otst_headline oops = { "Oops", NULL, OTST_DEATH_OOPS, NULL };

	if (!strcmp(line, oops.words))
		return &oops;
	for (size_t i = 0; i < COUNT(headlines); i++) {
		const struct otst_headline *h = &headlines[i];

		for (const char *s = line; s; s = skip_prefix(s)) {
			if (stands_at(s, h->words) && (!h->within || strstr(s, h->within)))
				return h;
		}
	}
	return NULL;
}

enum otst_death otst_words_panic(const char *words)
{
	for (size_t i = 0; i < COUNT(panics); i++) {
		if (strstr(words, panics[i].words))
			return panics[i].death;
	}
	return OTST_DEATH_PANIC;
}
