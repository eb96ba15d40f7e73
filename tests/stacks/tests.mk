# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/stacks/bundled tests/stacks/bundled,arm64 tests/stacks/fuzz
FUZZERS += tests/stacks/fuzz-long

$(TEST_BUILD)/unwind_all: $(TEST_BUILD)/stacks/unwind_all.o $(ON_DUMP_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

# raw stacks of otst.ko and allie.ko in a dump, against the frames they saved
$(TEST_BUILD)/captures: $(TEST_BUILD)/stacks/captures.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(TEST_BUILD)/otst-fuzzunwind: $(TEST_BUILD)/stacks/fuzz_unwind.o $(FAULT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

test-programs: $(addprefix $(TEST_BUILD)/,unwind_all captures otst-fuzzunwind)

# the distribution's own kernels: all sleeping tasks, and panics in every context
check-stacks: $(TEST_BUILD)/unwind_all
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/stacks/stock,%)

.PHONY: check-stacks
