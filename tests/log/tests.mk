# SPDX-License-Identifier: GPL-2.0-or-later
TEST_PROGRAMS += $(TEST_BUILD)/otst-fuzzlog

$(TEST_BUILD)/otst-fuzzlog: $(TEST_BUILD)/log/fuzz_log.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

test-programs: $(TEST_BUILD)/otst-fuzzlog

TESTS += tests/log/check tests/log/again tests/log/characters tests/log/dull tests/log/forms tests/log/fuzz tests/log/memory
FUZZERS += tests/log/fuzz-long

# the distribution's own kernels: every task's stack in their logs, and every kind of report
check-logs: $(TARGETS)
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/log/stock,%) $(RELEASES:%=tests/log/printed,%)

.PHONY: check-logs
