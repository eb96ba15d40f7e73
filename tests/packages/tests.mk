# SPDX-License-Identifier: GPL-2.0-or-later
# installs and removes packages: for a chroot
check-packages:
	@BUILD=$(BUILD) TEST_TIMEOUT=1800 tests/run tests/packages/debian
.PHONY: check-packages
