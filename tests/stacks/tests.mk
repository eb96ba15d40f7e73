# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/stacks/bundled

$(TEST_BUILD)/unwind_all: $(TEST_BUILD)/stacks/unwind_all.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

# raw stacks of otst.ko and allie.ko in a dump, against the frames they saved
$(TEST_BUILD)/captures: $(TEST_BUILD)/stacks/captures.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

test-programs: $(TEST_BUILD)/unwind_all $(TEST_BUILD)/captures

# the distribution's own kernels: all sleeping tasks, and panics in every context
check-stacks: $(TEST_BUILD)/unwind_all
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/stacks/stock,%)

.PHONY: check-stacks
