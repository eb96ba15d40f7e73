# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/events/fuzz tests/events/unparsed

EVENT_PROGRAMS := $(addprefix $(TEST_BUILD)/,print_formats print_events)

$(EVENT_PROGRAMS): $(TEST_BUILD)/%: $(TEST_BUILD)/events/%.o $(ON_DUMP_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(TEST_BUILD)/otst-fuzzevents: $(TEST_BUILD)/events/fuzz_events.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

test-programs: $(EVENT_PROGRAMS) $(TEST_BUILD)/otst-fuzzevents
