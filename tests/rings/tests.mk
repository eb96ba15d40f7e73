# SPDX-License-Identifier: GPL-2.0-or-later
$(TEST_BUILD)/walk_rings: $(TEST_BUILD)/rings/walk_rings.o $(ON_DUMP_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

FUZZ_RINGS := $(TEST_BUILD)/otst-fuzzrings $(TEST_BUILD)/otst-fuzzperf
TEST_PROGRAMS += $(FUZZ_RINGS)

$(FUZZ_RINGS): $(TEST_BUILD)/otst-fuzz%: $(TEST_BUILD)/rings/fuzz_%.o $(TEST_BUILD)/rings/fuzz_image.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

test-programs: $(TEST_BUILD)/walk_rings $(FUZZ_RINGS)

TESTS += tests/rings/fuzz tests/rings/fuzz,perf tests/rings/bundled tests/rings/bundled,arm64
FUZZERS += tests/rings/fuzz-long tests/rings/fuzz-long,perf

# the distribution's own kernels
check-rings: $(TEST_BUILD)/walk_rings
	@TEST_TIMEOUT=1200 tests/run $(RELEASES:%=tests/rings/stock,%)

.PHONY: check-rings

# bench/rings runs it
$(BUILD)/bench/rings: $(BUILD)/bench/rings.o $(ON_DUMP_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS) -ltraceevent
