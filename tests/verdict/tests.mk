# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/verdict/bundled

# otst -b on guests that die in known ways
check-verdict:
	@TEST_TIMEOUT=7200 tests/run $(RELEASES:%=tests/verdict/stock,%) tests/verdict/signature tests/verdict/in_crash

.PHONY: check-verdict
