# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/fuzz/dumps tests/fuzz/images

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
