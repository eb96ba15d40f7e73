# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/audit/image tests/audit/limits tests/audit/owned

# otst -a on stock kernels with other cpus, and with handlers that must not be
check-audit:
	@TEST_TIMEOUT=3600 tests/run $(RELEASES:%=tests/audit/stock,%)

.PHONY: check-audit
