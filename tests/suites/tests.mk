# SPDX-License-Identifier: GPL-2.0-or-later

# ./demo and ./check in fresh chroots, an hour or more; SUITES chooses others
SUITES ?= bookworm trixie testing sid

check-suites:
	@BUILD=$(BUILD) TEST_TIMEOUT=10800 tests/run $(SUITES:%=tests/suites/check,%)

.PHONY: check-suites
