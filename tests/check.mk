# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check`: builds what the tests need and hands them to tests/run.
# Included at the end of tests/tests.mk.
#
# Every folder of tests/ may have a tests.mk that adds to
#   TESTS		what tests/run starts, a path each, arguments after commas
#   TEST_PROGRAMS	what has to be built for them
#   SLOW_CHECKS	further targets that CI runs, as target:minutes

include $(sort $(wildcard tests/*/tests.mk))

check: all $(TEST_PROGRAMS)
	@BUILD=$(BUILD) tests/run $(TESTS)

# for .ci/run
slow-checks:
	@echo $(SLOW_CHECKS)

.PHONY: check slow-checks
