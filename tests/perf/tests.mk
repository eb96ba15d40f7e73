# SPDX-License-Identifier: GPL-2.0-or-later

# perf's buffers and hardware breakpoints on the distribution's own kernels
check-perf:
	@TEST_TIMEOUT=7200 tests/run $(RELEASES:%=tests/perf/stock,%)

.PHONY: check-perf
