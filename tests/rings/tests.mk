# SPDX-License-Identifier: GPL-2.0-or-later
$(TEST_BUILD)/walk_rings: $(TEST_BUILD)/rings/walk_rings.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

TEST_PROGRAMS += $(TEST_BUILD)/otst-fuzzrings

$(TEST_BUILD)/otst-fuzzrings: $(TEST_BUILD)/rings/fuzz_rings.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

test-programs: $(TEST_BUILD)/walk_rings $(TEST_BUILD)/otst-fuzzrings

TESTS += tests/rings/fuzz

# bench/rings runs it
$(BUILD)/bench/rings: $(BUILD)/bench/rings.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS) -ltraceevent
