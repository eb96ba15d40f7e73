# SPDX-License-Identifier: GPL-2.0-or-later
$(TEST_BUILD)/walk_rings: $(TEST_BUILD)/rings/walk_rings.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

TEST_PROGRAMS += $(TEST_BUILD)/otst-fuzzrings

$(TEST_BUILD)/otst-fuzzrings: $(TEST_BUILD)/rings/fuzz_rings.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

test-programs: $(TEST_BUILD)/walk_rings $(TEST_BUILD)/otst-fuzzrings

TESTS += tests/rings/fuzz tests/rings/bundled

# 10,000,000 damaged sub-buffers under the sanitizers
fuzz-rings:
	@$(MAKE) -s BUILD=$(BUILD)/asan CFLAGS="$(SANITIZE)" CRASH_INCLUDE=/nonexistent test-programs
	@BUILD=$(BUILD)/asan TEST_TIMEOUT=1500 tests/run tests/rings/fuzz-long

# the distribution's own kernels
check-rings: $(TEST_BUILD)/walk_rings
	@TEST_TIMEOUT=1200 tests/run $(RELEASES:%=tests/rings/stock,%)

.PHONY: fuzz-rings check-rings

# bench/rings runs it
$(BUILD)/bench/rings: $(BUILD)/bench/rings.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS) -ltraceevent
