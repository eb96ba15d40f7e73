# SPDX-License-Identifier: GPL-2.0-or-later
TEST_PROGRAMS += $(TEST_BUILD)/otst-fuzzlog

$(TEST_BUILD)/otst-fuzzlog: $(TEST_BUILD)/log/fuzz_log.o $(ENGINE_OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

test-programs: $(TEST_BUILD)/otst-fuzzlog

TESTS += tests/log/check tests/log/fuzz

# 1,000,000 damaged logs under the sanitizers
fuzz-log:
	@$(MAKE) -s BUILD=$(BUILD)/asan CFLAGS="$(SANITIZE)" CRASH_INCLUDE=/nonexistent test-programs
	@BUILD=$(BUILD)/asan TEST_TIMEOUT=1500 tests/run tests/log/fuzz-long

# the distribution's own kernels, every task's stack in their logs
check-logs: $(TARGETS)
	@TEST_TIMEOUT=2400 tests/run $(RELEASES:%=tests/log/stock,%)

.PHONY: fuzz-log check-logs
