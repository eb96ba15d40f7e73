# SPDX-License-Identifier: GPL-2.0-or-later
# installs and removes packages: for a chroot
check-packages:
	@BUILD=$(BUILD) TEST_TIMEOUT=1800 tests/run tests/packages/debian
.PHONY: check-packages

# one file without libraries, for x86_64 and arm64
check-static: $(BUILD)/otst
	@BUILD=$(BUILD) TEST_TIMEOUT=1800 tests/run tests/packages/static
.PHONY: check-static
