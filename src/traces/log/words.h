/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * words.h - the words that the kernel prints when it dies, warns or shows a stack: one file for
 * those who look for traces in a log and those who ask what died.
 */
#ifndef OTST_LOG_WORDS_H
#define OTST_LOG_WORDS_H

/** enum otst_words - lines of a report, by what they say about traces */
enum otst_words {
	OTST_WORDS_START,    /**< frames follow */
	OTST_WORDS_END,	     /**< no frame follows */
	OTST_WORDS_NEW,	     /**< a new trace, no matter what preceded it */
	OTST_WORDS_HEADLINE, /**< what a report says first about itself; the first such line is kept */
	OTST_WORDS_REST,     /**< of a report, and says nothing about frames */
	OTST_WORDS_GLUED,    /**< where a line of a report begins behind another one */
	OTST_WORDS_COUNT
};

/** enum otst_death - how the kernel died */
enum otst_death {
	OTST_DEATH_NONE,	/**< it was alive when the dump was made */
	OTST_DEATH_ASKED,	/**< somebody asked for the crash: sysrq, NMI button */
	OTST_DEATH_OOPS,	/**< a fault or BUG in kernel mode */
	OTST_DEATH_SOFT_LOCKUP, /**< a cpu did not schedule */
	OTST_DEATH_HARD_LOCKUP, /**< a cpu did not take interrupts */
	OTST_DEATH_HUNG_TASK,	/**< a task slept for too long */
	OTST_DEATH_RCU_STALL,
	OTST_DEATH_OUT_OF_MEMORY,
	OTST_DEATH_WARNING, /**< panic_on_warn */
	OTST_DEATH_PANIC,   /**< anything else that called panic() */
	OTST_DEATH_UNKNOWN, /**< neither the log nor a variable could be read */
	OTST_DEATH_COUNT
};

/**
 * struct otst_headline - a line that begins the report of a death
 * @words: where the kernel puts them: at the start or behind a prefix ("BUG: ", "CPU0: ")
 * @within: what follows somewhere, or NULL
 * @address: what precedes the bad address, or NULL
 */
struct otst_headline {
	const char *words;
	const char *within;
	enum otst_death death;
	const char *address;
};

/** otst_words_begin() - the first of @set that @line begins with; NULL when none is */
const char *otst_words_begin(enum otst_words set, const char *line);

/** otst_words_each() - @each gets all words of @set */
void otst_words_each(enum otst_words set, void (*each)(void *priv, const char *word), void *priv);

/** otst_words_headline() - what @line says the kernel dies of; NULL when it says nothing of that */
const struct otst_headline *otst_words_headline(const char *line);

/** otst_words_panic() - what the kernel died of, by the words that panic() was called with */
enum otst_death otst_words_panic(const char *words);

#endif /* OTST_LOG_WORDS_H */
