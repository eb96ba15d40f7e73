# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/crash/load tests/crash/help tests/crash/operands tests/crash/redirect tests/crash/same \
	 tests/crash/minimal tests/crash/terminal tests/crash/extend-time tests/crash/image \
	 tests/crash/targets

# crash that is built for arm64's dumps; CRASH_RELEASES chooses others
CRASH_RELEASES ?= bookworm-arm64
check-crash-arm64: $(TARGETS)
	@BUILD=$(BUILD) TEST_TIMEOUT=7200 tests/run $(shell echo tests/crash/arm64 $(CRASH_RELEASES) | tr ' ' ,)

.PHONY: check-crash-arm64
