# SPDX-License-Identifier: GPL-2.0-or-later

# SystemTap's own modules on the distribution's kernels
check-stap: $(TEST_BUILD)/otst-text
	@TEST_TIMEOUT=3600 tests/run $(RELEASES:%=tests/stap/stock,%)

.PHONY: check-stap
