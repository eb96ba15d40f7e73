# SPDX-License-Identifier: GPL-2.0-or-later
# What the process can still do once it reads a dump.
$(TEST_BUILD)/otst-confine: $(TEST_BUILD)/confine/try.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

test-programs: $(TEST_BUILD)/otst-confine
TESTS += tests/confine/check
