# SPDX-License-Identifier: GPL-2.0-or-later

TESTS += tests/where/changed

# the order in which one function's handlers run, on the distribution's own kernels
check-where: $(TARGETS)
	@TEST_TIMEOUT=900 tests/run $(RELEASES:%=tests/where/stock,%)

.PHONY: check-where
