# SPDX-License-Identifier: GPL-2.0-or-later

# bpftrace, bcc and perf at work on the distribution's own kernels
check-tools:
	@TEST_TIMEOUT=7200 tests/run $(RELEASES:%=tests/tools/stock,%)

.PHONY: check-tools
