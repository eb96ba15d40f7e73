# SPDX-License-Identifier: GPL-2.0-or-later
TESTS += tests/crash/load tests/crash/help tests/crash/operands tests/crash/redirect tests/crash/same \
	 tests/crash/minimal tests/crash/terminal tests/crash/extend-time tests/crash/image \
	 tests/crash/targets

# crash that is built on this machine for another one's dumps; CRASH_RELEASES chooses the kernels
CRASH_RELEASES ?= bookworm-arm64 bookworm-ppc64el trixie-ppc64el
check-crash-cross: $(TARGETS)
	@BUILD=$(BUILD) TEST_TIMEOUT=7200 tests/run $(CRASH_RELEASES:%=tests/crash/cross,%)

.PHONY: check-crash-cross
