# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/ftrace/dat-damaged

# Boots guests that trace themselves: minutes for each release.

FTRACE_RELEASES ?= $(RELEASES) small

check-ftrace: $(TARGETS) $(TEST_BUILD)/print_formats
	@TEST_TIMEOUT=2400 tests/run $(FTRACE_RELEASES:%=tests/ftrace/stock,%)

# what .ci/run has time for
check-ftrace-quick: $(TARGETS) $(TEST_BUILD)/print_formats
	@TEST_TIMEOUT=1200 tests/run tests/ftrace/stock,bookworm,function,events,graph

.PHONY: check-ftrace check-ftrace-quick
