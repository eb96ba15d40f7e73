/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mock.h - an engine over a dump that a unit test writes in its source.
 */
#ifndef MOCK_H
#define MOCK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../src/dump.h"
#include "../text/text_dump.h"
#include "../text/text_target.h"

/**
 * struct mock - a dump and an engine on it
 * @interrupted: what the target's interrupted() says
 * @reads: how many times the target was asked for memory
 * @moves: changes what was read, as a running kernel does; or NULL
 */
struct mock {
	struct otst_target_ops ops;
	struct text_dump *dump;
	struct otst *o;
	bool interrupted;
	unsigned int reads;
	void (*moves)(uint64_t addr, void *buf, uint64_t len);
};

/** mock_open() - @text is a text dump (../text/dumps/README.md); fails the test when it is wrong */
struct mock *mock_open(const char *text);

/** mock_open_options() - the same with options for the engine */
struct mock *mock_open_options(const char *text, const struct otst_options *options);

void mock_close(struct mock *m);

/** mock_run() - run one command; @ret gets what it printed, to be freed by the caller */
int mock_run(struct mock *m, const char *const *words, char **ret);

/** mock_put() - store a little-endian integer in a buffer */
void mock_put(void *to, uint64_t v, size_t size);

#endif /* MOCK_H */
