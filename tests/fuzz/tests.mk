# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/fuzz/dumps tests/fuzz/images tests/fuzz/meanings

# vmcores in forms and orders that nobody else makes
$(TEST_BUILD)/otst-pack: $(TEST_BUILD)/fuzz/pack.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(TEST_BUILD)/otst-readdump: $(TEST_BUILD)/fuzz/read_dump.o $(FAULT_OBJS) $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

# damaged memory images
$(TEST_BUILD)/otst-images: $(TEST_BUILD)/fuzz/image_fuzz.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

test-programs: $(addprefix $(TEST_BUILD)/,otst-pack otst-readdump otst-images)
FUZZERS += tests/fuzz/images-long

# every change of one step that means something, and 200 cases of up to five
check-mutations: test-programs
	@MEANINGS_STRIDE=1 MEANINGS_CASES=200 MEANINGS_DAMAGED=1 TEST_TIMEOUT=7200 tests/run tests/fuzz/meanings

.PHONY: check-mutations
