# SPDX-License-Identifier: GPL-2.0-or-later
#
# Test programs and what `make check` runs. Included by the top-level
# Makefile, which gives $(ENGINE_OBJS), $(CFLAGS) and $(LIBS).

TEXT_SRCS := tests/text/text_dump.c tests/text/text_parse.c tests/text/text_target.c
FAULT_SRCS := tests/faults/page_store.c tests/faults/fault_target.c
TEST_HDRS := $(wildcard tests/text/*.h tests/faults/*.h tests/unit/*.h src/*.h src/*/*.h)
TEST_CFLAGS := -D_GNU_SOURCE

UNIT_NAMES := $(patsubst tests/unit/test_%.c,%,$(wildcard tests/unit/test_*.c))
UNIT_PROGRAMS := $(UNIT_NAMES:%=build/tests/unit-%)
TEST_PROGRAMS := build/tests/otst-text build/tests/otst-mutate build/tests/otst-faults $(UNIT_PROGRAMS)

build/tests/otst-text: tests/text/run_text.c $(TEXT_SRCS) $(ENGINE_OBJS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TEST_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.o,$^) $(LIBS)

build/tests/otst-mutate: tests/fuzz/mutate.c tests/fuzz/open_dump.c $(TEXT_SRCS) $(FAULT_SRCS) $(ENGINE_OBJS) $(MUTATE_OBJS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TEST_CFLAGS) $(MUTATE_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.o,$^) $(LIBS) $(MUTATE_LIBS)

build/tests/otst-faults: tests/faults/run_faults.c tests/fuzz/open_dump.c $(TEXT_SRCS) $(FAULT_SRCS) $(ENGINE_OBJS) $(MUTATE_OBJS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TEST_CFLAGS) $(MUTATE_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.o,$^) $(LIBS) $(MUTATE_LIBS)

build/tests/unit-%: tests/unit/test_%.c tests/unit/mock.c $(ENGINE_OBJS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TEST_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.o,$^) $(LIBS) -lcmocka

.PHONY: test-programs
test-programs: $(TEST_PROGRAMS)

# One command a word list, separated by the Makefile's own means: each is a
# script or program that exits 0 pass, 1 fail, 77 skip, 99 broken set-up.
TESTS += $(UNIT_PROGRAMS)
TESTS += tests/text/check
TESTS += tests/json/check
TESTS += tests/faults/check
TESTS += tests/fuzz/check
