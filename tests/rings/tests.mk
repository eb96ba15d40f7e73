# SPDX-License-Identifier: GPL-2.0-or-later
$(TEST_BUILD)/walk_rings: $(TEST_BUILD)/rings/walk_rings.o $(TEST_READER_OBJS) $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

test-programs: $(TEST_BUILD)/walk_rings
