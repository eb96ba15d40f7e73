# SPDX-License-Identifier: GPL-2.0-or-later

$(TEST_BUILD)/print_formats: $(TEST_BUILD)/events/print_formats.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

test-programs: $(TEST_BUILD)/print_formats
